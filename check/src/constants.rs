//! Scalar values that do not depend on data: addresses built from the program counter, return addresses, and what is
//! copied from them, also through the lanes of a VGPR, where compilers save them around calls.
//!
//! The load base counts as 0. It is a multiple of the page size, so the low bits are right, and an address computed from
//! the program counter is right relative to it.

use crate::program::Node;
use std::collections::BTreeMap;
use wavesmith_asm::effects::{self, Effects};
use wavesmith_asm::sem::{Branch, Elem, Op, SOp, Sem, SmemSpace};
use wavesmith_asm::{Field, Inst, Operand, RegClass};
use wavesmith_loader::code_object::{CodeObject, RelocationKind};

/// Keys from here on are lanes of VGPRs: register × 64 + lane.
const LANES: u32 = 1 << 16;

/// Known dwords by flat register number or lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Constants(BTreeMap<u32, u32>);

fn scalar(operand: Option<Operand>) -> Option<u32> {
    match operand? {
        Operand::Reg(r) if r.class == RegClass::S => Some(u32::from(effects::S0 + r.index)),
        _ => None,
    }
}

impl Constants {
    /// Forgets what differs in `other`; whether anything was forgotten.
    pub fn meet(&mut self, other: &Constants) -> bool {
        let before = self.0.len();
        self.0.retain(|k, v| other.0.get(k) == Some(v));
        self.0.len() != before
    }

    /// The 64 bits in scalar registers `first` and the next.
    pub fn pair(&self, first: u16) -> Option<u64> {
        let at = u32::from(effects::S0 + first);
        Some(u64::from(*self.0.get(&at)?) | u64::from(*self.0.get(&(at + 1))?) << 32)
    }

    /// Sets 64 bits.
    pub fn set_pair(&mut self, first: u16, value: u64) {
        self.set64(u32::from(effects::S0 + first), Some(value));
    }

    fn set64(&mut self, at: u32, value: Option<u64>) {
        self.set(at, value.map(|v| v as u32));
        self.set(at + 1, value.map(|v| (v >> 32) as u32));
    }

    fn set(&mut self, key: u32, value: Option<u32>) {
        match value {
            Some(v) => self.0.insert(key, v),
            None => self.0.remove(&key),
        };
    }

    fn value(&self, operand: Option<Operand>) -> Option<u32> {
        match operand? {
            Operand::Int(i) | Operand::Imm(i) => Some(i as u32),
            Operand::Literal(l) => Some(l),
            Operand::Float(f) => Some(f),
            other => self.0.get(&scalar(Some(other))?).copied(),
        }
    }

    fn value64(&self, operand: Option<Operand>) -> Option<u64> {
        match operand? {
            Operand::Int(i) => Some(i64::from(i) as u64),
            Operand::Reg(r) if r.class == RegClass::S => self.pair(r.index),
            _ => None,
        }
    }

    /// Takes an instruction into account.
    pub fn step(&mut self, node: &Node, object: &CodeObject) {
        if node.absent {
            return;
        }
        let inst = &node.inst;
        let (src0, src1) = (|| inst.slot(Field::Src0), || inst.slot(Field::Src1));
        let scc = u32::from(effects::SCC);
        // What is computed, before what is written is forgotten.
        let mut new: Vec<(u32, Option<u32>)> = Vec::new();
        let dst = scalar(inst.slot(Field::Dst));
        match (inst.row().sem, dst) {
            (Sem::Branch(Branch::GetPc), Some(d)) => {
                new.push((d, Some(node.next_pc() as u32)));
                new.push((d + 1, Some((node.next_pc() >> 32) as u32)));
            }
            (Sem::Salu(SOp::Mov, Elem::B64 | Elem::U64 | Elem::I64), Some(d)) => {
                let v = self.value64(src0());
                new.push((d, v.map(|v| v as u32)));
                new.push((d + 1, v.map(|v| (v >> 32) as u32)));
            }
            (Sem::Salu(SOp::Mov, _), Some(d)) => {
                let v = self.value(src0().or_else(|| inst.slot(Field::Simm16)));
                new.push((d, v));
            }
            (Sem::Salu(SOp::Add, ty), Some(d)) => {
                let sum = self.value(src0()).zip(self.value(src1())).map(|(a, b)| a.overflowing_add(b));
                new.push((d, sum.map(|s| s.0)));
                new.push((scc, sum.filter(|_| ty == Elem::U32).map(|s| u32::from(s.1))));
            }
            (Sem::Salu(SOp::AddCarry, _), Some(d)) => {
                let carry = self.0.get(&scc).copied();
                let sum = self.value(src0()).zip(self.value(src1())).zip(carry).map(|((a, b), c)| {
                    let wide = u64::from(a) + u64::from(b) + u64::from(c);
                    (wide as u32, (wide >> 32) as u32)
                });
                new.push((d, sum.map(|s| s.0)));
                new.push((scc, sum.map(|s| s.1)));
            }
            (Sem::Lane(Op::ReadLane, _), Some(d)) => {
                new.push((d, lane_key(inst, Field::Src0).and_then(|k| self.0.get(&k).copied())));
            }
            (Sem::Lane(Op::WriteLane, _), _) => {
                if let Some(k) = lane_key(inst, Field::Dst) {
                    new.push((k, self.value(src0())));
                }
            }
            (Sem::ScalarLoad { dwords: 2, space: SmemSpace::Address }, _) => {
                if let (Some(d), Some(v)) = (dst, self.loaded(inst, object)) {
                    new.push((d, Some(v as u32)));
                    new.push((d + 1, Some((v >> 32) as u32)));
                }
            }
            _ => {}
        }
        let writes_lane = matches!(inst.row().sem, Sem::Lane(Op::WriteLane, _));
        for t in Effects::of(inst).writes() {
            for r in t.span.iter().map(u32::from) {
                if r < u32::from(effects::A0) && !writes_lane {
                    let lanes: Vec<u32> = self.0.range(LANES + r * 64..LANES + r * 64 + 64).map(|(k, _)| *k).collect();
                    lanes.iter().for_each(|k| self.set(*k, None));
                } else {
                    self.set(r, None);
                }
            }
        }
        for (key, value) in new {
            self.set(key, value);
        }
    }

    /// The address that a scalar load takes from a word that the loader relocates.
    fn loaded(&self, inst: &Inst, object: &CodeObject) -> Option<u64> {
        let base = self.value64(inst.slot(Field::Sbase))?;
        let offset = match inst.slot(Field::Offset)? {
            Operand::Imm(i) => i64::from(i),
            _ => return None,
        };
        let at = base.wrapping_add_signed(offset);
        let r = object.relocations.iter().find(|r| r.vaddr == at)?;
        match r.kind {
            RelocationKind::Abs64 => {
                let s = object.symbols.get(r.symbol).filter(|s| r.symbol != 0 && s.defined)?;
                Some(s.value.wrapping_add_signed(r.addend))
            }
            RelocationKind::Relative64 => Some(r.addend as u64),
            _ => None,
        }
    }
}

/// The key of a lane named by an immediate.
fn lane_key(inst: &Inst, register: Field) -> Option<u32> {
    let Operand::Reg(r) = inst.slot(register)? else { return None };
    let Operand::Int(lane) = inst.slot(Field::Src1)? else { return None };
    (r.class == RegClass::V).then_some(LANES + u32::from(r.index) * 64 + (lane as u32 & 63))
}

//! Scalar ALU and scalar memory instructions.

use super::{Lower, Refusal, Result};
use crate::engine::ir::{S, SmemOp, Uop};
use wavesmith_asm::inst::Inst;
use wavesmith_asm::sem::{Elem, SOp, Sem, SmemSpace};
use wavesmith_asm::{Field, Format, Operand};

impl Lower {
    pub(super) fn scalar(&mut self, inst: &Inst) -> Result<()> {
        let immediate = matches!(inst.row().format, Format::SOPK);
        match inst.row().sem {
            Sem::Salu(op, ty) => {
                let wide = ty.bits() == 64;
                let has_dst = inst.row().operand(Field::Dst).is_some();
                let d = if has_dst { self.sdst(inst, Field::Dst, 1)? } else { self.stemps(2) };
                let a = if immediate {
                    let v = inst.get(Field::Simm16) as u16 as i16 as i32 as u32;
                    self.skonst(u64::from(v))
                } else {
                    self.ssrc(inst, Field::Src0)?
                };
                let b = if inst.row().operand(Field::Src1).is_some() { self.ssrc(inst, Field::Src1)? } else { a };
                if op == SOp::SetGprIdxIdx {
                    self.push(Uop::Salu { op, ty, d: S::M0, a, b });
                    return Ok(());
                }
                let _ = wide;
                self.push(Uop::Salu { op, ty, d, a, b });
            }
            Sem::ScalarCmp(cond, ty) => {
                let (a, b) = if immediate {
                    let v = inst.get(Field::Simm16) as u16;
                    let v = if ty == Elem::U32 { u32::from(v) } else { v as i16 as i32 as u32 };
                    let d = self.sdst(inst, Field::Dst, 1)?;
                    (S::reg(d), self.skonst(u64::from(v)))
                } else {
                    (self.ssrc(inst, Field::Src0)?, self.ssrc(inst, Field::Src1)?)
                };
                self.push(Uop::ScalarCmp { cond, ty, a, b });
            }
            Sem::BitCmp(set, ty) => {
                let (a, b) = (self.ssrc(inst, Field::Src0)?, self.ssrc(inst, Field::Src1)?);
                self.push(Uop::BitCmp { set, wide: ty.bits() == 64, a, b });
            }
            Sem::SaveExec(logic) | Sem::WrExec(logic) => {
                let d = self.sdst(inst, Field::Dst, 2)?;
                let a = self.ssrc(inst, Field::Src0)?;
                let save = matches!(inst.row().sem, Sem::SaveExec(_));
                self.push(Uop::ExecLogic { logic, d, a, save });
            }
            Sem::GetReg => {
                let d = self.sdst(inst, Field::Dst, 1)?;
                self.push(Uop::GetReg { d, spec: inst.get(Field::Simm16) as u16 });
            }
            Sem::SetReg => {
                let a = if inst.row().format == Format::SOPK_LIT {
                    self.skonst(u64::from(inst.literal().unwrap_or(0)))
                } else {
                    S::reg(self.sdst(inst, Field::Dst, 1)?)
                };
                self.push(Uop::SetReg { spec: inst.get(Field::Simm16) as u16, a });
                self.push(Uop::Relook { pc: self.next_pc });
            }
            _ => return Err(Refusal::unsupported(inst.name())),
        }
        Ok(())
    }

    pub(super) fn scalar_memory(&mut self, inst: &Inst) -> Result<()> {
        let (dwords, space, store, atomic) = match inst.row().sem {
            Sem::ScalarLoad { dwords, space } => (dwords, space, false, None),
            Sem::ScalarStore { dwords, space } => (dwords, space, true, None),
            Sem::ScalarAtomic { op, ty, space } => {
                (ty.bits().div_ceil(32) as u8, space, false, Some((op, ty, inst.get(Field::Sc0) != 0)))
            }
            _ => return Err(Refusal::unsupported(inst.name())),
        };
        let data = self.sdst(inst, Field::Dst, dwords)?;
        let base = inst.get(Field::Sbase) * 2;
        if base > 124 {
            return Err(Refusal::unsupported("a scalar base outside the scalar registers"));
        }
        // The immediate and the scalar offset add up where both bits are set.
        let imm = inst.get(Field::ImmOffset) != 0;
        let en = inst.get(Field::SoffsetEn) != 0;
        let (mut offset, mut soffset) = (0, None);
        if imm {
            offset = inst.get_signed(Field::Offset);
        }
        if en {
            soffset = Some(S::reg(inst.get(Field::Soffset) as u8 & 127));
        } else if !imm {
            soffset = Some(S::reg(inst.get(Field::Offset) as u8 & 127));
        }
        let op = SmemOp {
            dwords,
            data,
            base: S::reg(base as u8),
            buffer: space == SmemSpace::Buffer,
            // The scalar offset of scratch accesses counts 64-byte units.
            scale: if space == SmemSpace::Scratch { 64 } else { 1 },
            offset,
            soffset,
            store,
            atomic,
        };
        let at = self.seg.smems.len() as u32;
        self.seg.smems.push(op);
        self.push(Uop::Smem(at));
        Ok(())
    }

    /// A scalar destination's register number; `n` registers from it must exist.
    pub(super) fn sdst(&mut self, inst: &Inst, slot: Field, n: u8) -> Result<u8> {
        match inst.slot(slot) {
            Some(Operand::Reg(r)) if r.class == wavesmith_asm::RegClass::S && r.index + u16::from(n) <= 128 => {
                Ok(r.index as u8)
            }
            other => Err(Refusal::unsupported(format!("the scalar destination {other:?}"))),
        }
    }
}

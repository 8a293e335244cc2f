//! Operands: registers checked against the allocation, constants converted to the operand's type, scalars spread over
//! lanes.

use super::{Lower, Refusal, Result};
use crate::FaultKind;
use crate::engine::ir::{S, Uop, V};
use crate::engine::lanes::float::{f32_to_bf16, f32_to_f16};
use wavesmith_asm::inst::Inst;
use wavesmith_asm::row::Opd;
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Field, Operand, Reg, RegClass};

/// Bits of 1/2π in f32, which is an inline constant of its own in every type.
const INV_2PI: u32 = 0x3e22_f983;

/// A constant operand's value, as wide as the operand.
pub(super) fn constant(op: Operand, opd: &Opd) -> Option<u64> {
    let wide = opd.ty.dwords() >= 2;
    let elem = opd.ty.elem;
    Some(match op {
        Operand::Int(i) | Operand::Imm(i) => {
            if elem.bits() == 64 {
                i64::from(i) as u64
            } else {
                let v = u64::from(i as u32);
                if wide { v | v << 32 } else { v }
            }
        }
        Operand::Float(f) => {
            let x = f32::from_bits(f);
            match elem {
                Elem::F64 | Elem::B64 | Elem::I64 | Elem::U64 if f == INV_2PI => 0x3fc4_5f30_6dc9_c882,
                Elem::F64 | Elem::B64 | Elem::I64 | Elem::U64 => f64::from(x).to_bits(),
                Elem::F16 => u64::from(if f == INV_2PI { 0x3118 } else { f32_to_f16(x) }),
                // 16-bit integers read the f32 constant's bits: the low half alone, or both halves where packed. It is
                // what LLVM's compilers count on (`SIInstrInfo::isInlineConstant`, its bug 46302).
                Elem::B16 | Elem::I16 | Elem::U16 => u64::from(f),
                Elem::Bf16 => u64::from(f32_to_bf16(x)),
                _ => {
                    let v = u64::from(f);
                    if wide { v | v << 32 } else { v }
                }
            }
        }
        Operand::Literal(w) => match elem {
            // A 32-bit literal is the high half of a double.
            Elem::F64 => u64::from(w) << 32,
            Elem::I64 => i64::from(w as i32) as u64,
            Elem::B64 | Elem::U64 => u64::from(w),
            _ => {
                let v = u64::from(w);
                if wide { v | v << 32 } else { v }
            }
        },
        _ => return None,
    })
}

impl Lower {
    /// The wave's file index of a VGPR or AGPR run.
    pub(super) fn vreg(&self, r: Reg) -> Result<V> {
        let (base, limit, name, prefix) = match r.class {
            RegClass::V => (0, self.layout.vgprs, "VGPRs", 'v'),
            RegClass::A => (self.layout.agpr_base, self.layout.agprs, "AGPRs", 'a'),
            _ => return Err(Refusal::unsupported("a scalar where a vector register belongs")),
        };
        let last = r.index + u16::from(r.count.max(1)) - 1;
        if last >= limit {
            return Err(Refusal(
                FaultKind::Resources,
                format!("{prefix}{last} is beyond the {limit} {name} that the kernel descriptor allocates"),
            ));
        }
        let mut touched = self.touched.get();
        touched.add(r.class == RegClass::A, base + last + 1);
        self.touched.set(touched);
        Ok(V::reg(base + r.index))
    }

    /// A scalar source operand.
    pub(super) fn ssrc(&mut self, inst: &Inst, slot: Field) -> Result<S> {
        let opd = *inst.row().operand(slot).ok_or_else(|| Refusal::unsupported(inst.name()))?;
        let op = inst.slot(slot).ok_or_else(|| Refusal::unsupported(inst.name()))?;
        self.scalar_operand(op, &opd)
    }

    pub(super) fn scalar_operand(&mut self, op: Operand, opd: &Opd) -> Result<S> {
        match op {
            Operand::Reg(r) => match r.class {
                RegClass::S if r.index + u16::from(r.count.max(1)) <= 128 => Ok(S::reg(r.index as u8)),
                RegClass::Src => match r.index {
                    235 | 236 => {
                        let limit = if r.index == 236 { 0xffff_ffff } else { 0 };
                        Ok(self.skonst(u64::from(self.layout.shared_aperture) << 32 | limit))
                    }
                    237 | 238 => {
                        let limit = if r.index == 238 { 0xffff_ffff } else { 0 };
                        Ok(self.skonst(u64::from(self.layout.private_aperture) << 32 | limit))
                    }
                    251..=253 => {
                        let d = self.stemps(2);
                        self.push(Uop::ScalarFlag { d, which: r.index as u8 });
                        Ok(S::reg(d))
                    }
                    other => Err(Refusal::unsupported(format!("scalar source {other}"))),
                },
                _ => Err(Refusal::unsupported("a vector register where a scalar belongs")),
            },
            _ => match constant(op, opd) {
                Some(v) => Ok(self.skonst(v)),
                None => Err(Refusal::unsupported(format!("operand {op:?}"))),
            },
        }
    }

    /// A vector source operand without modifiers: a register, a constant, or a scalar spread over lanes.
    pub(super) fn vector_operand(&mut self, op: Operand, opd: &Opd) -> Result<V> {
        match op {
            Operand::Reg(r) if matches!(r.class, RegClass::V | RegClass::A) => self.vreg(r),
            Operand::Reg(_) => {
                let s = self.scalar_operand(op, opd)?;
                let n = u16::from(opd.ty.dwords().max(1));
                let t = self.temps(n)?;
                for i in 0..n {
                    self.push(Uop::Splat { d: t.next(i), s: S(s.0 + u32::from(i)) });
                }
                Ok(t)
            }
            _ => {
                let v = constant(op, opd).ok_or_else(|| Refusal::unsupported(format!("operand {op:?}")))?;
                if opd.ty.dwords() >= 2 { self.konst64(v) } else { self.konst(v as u32) }
            }
        }
    }
}

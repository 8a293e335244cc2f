//! Conversions.

use super::{Lower, Refusal, Result};
use crate::engine::ir::{Uop, V};
use crate::engine::lanes::LaneOp as L;
use crate::engine::lanes::lowp::Convert;
use crate::engine::mfma::Fp8;
use wavesmith_asm::inst::Inst;
use wavesmith_asm::row::{Opd, Ty};
use wavesmith_asm::sem::{Cvt, Elem, Round};
use wavesmith_asm::{Field, Form, Operand, Target};

impl Lower {
    pub(super) fn convert(&mut self, inst: &Inst, c: Cvt) -> Result<()> {
        use Elem::*;
        let unknown = || Refusal::unsupported(format!("{} ({c:?})", inst.name()));
        if let Cvt::UByte(n) = c {
            let d = self.dest(inst)?;
            // Bytes are no float, whatever the operand's type says to modifiers.
            self.keep_subnormals = true;
            let a = self.source(inst, 0);
            self.keep_subnormals = false;
            let a = a?;
            let shift = self.konst(8 * u32::from(n))?;
            self.op2(L::CvtUByte, d.at, a, shift);
            return self.finish(inst, d);
        }
        if let Some(op) = self.small(inst, c)? {
            return self.convert_small(inst, op);
        }
        if self.mode.rounds_32() != 0 && matches!(c, Cvt::Plain { from: F32, to: I32, round: Round::Rpi }) {
            // The half is added as MODE rounds.
            let d = self.dest(inst)?;
            let (a, half) = (self.source(inst, 0)?, self.konst(0.5f32.to_bits())?);
            let t = self.temps(1)?;
            self.op3(L::AddF32, t, a, half, a)?;
            self.op1(L::CvtFlrI32F32, d.at, t);
            return self.finish(inst, d);
        }
        if c == Cvt::PkU8 && inst.row().operand(Field::Src2).is_none() {
            // The accumulating form: the destination is the third source.
            let d = self.dest(inst)?;
            let (a, b) = (self.source(inst, 0)?, self.source(inst, 1)?);
            self.op3(L::CvtPkU8F32, d.at, a, b, d.at)?;
            return self.finish(inst, d);
        }
        let l = match c {
            Cvt::Plain { from: F32, to: F16, round: Round::Mode }
                if self.mode.rounds_16_64() == 3 && !self.mode.caps_16() =>
            {
                L::CvtF16F32Rtz
            }
            Cvt::Plain { from: I32, to: F64, .. } => L::CvtF64I32,
            Cvt::Plain { from: U32, to: F64, .. } => L::CvtF64U32,
            Cvt::Plain { from: I32, to: F32, .. } => L::CvtF32I32,
            Cvt::Plain { from: U32, to: F32, .. } => L::CvtF32U32,
            Cvt::Plain { from: F32, to: I32, round: Round::Rpi } => L::CvtRpiI32F32,
            Cvt::Plain { from: F32, to: I32, round: Round::Floor } => L::CvtFlrI32F32,
            Cvt::Plain { from: F32, to: U32, .. } => L::CvtU32F32,
            Cvt::Plain { from: F32, to: I32, .. } => L::CvtI32F32,
            Cvt::Plain { from: F64, to: I32, .. } => L::CvtI32F64,
            Cvt::Plain { from: F64, to: U32, .. } => L::CvtU32F64,
            Cvt::Plain { from: F32, to: F16, round: Round::Mode } => L::CvtF16F32,
            Cvt::Plain { from: F32, to: F16, round: Round::Rtz } => L::CvtF16F32Rtz,
            Cvt::Plain { from: F16, to: F32, .. } => L::CvtF32F16,
            Cvt::Plain { from: Bf16, to: F32, .. } => L::CvtF32Bf16,
            Cvt::Plain { from: F32, to: Bf16, round: Round::Mode } => L::CvtBf16F32,
            Cvt::Plain { from: F64, to: F32, .. } => L::CvtF32F64,
            Cvt::Plain { from: F32, to: F64, .. } => L::CvtF64F32,
            Cvt::Plain { from: U16, to: F16, .. } => L::CvtF16U16,
            Cvt::Plain { from: I16, to: F16, .. } => L::CvtF16I16,
            Cvt::Plain { from: F16, to: U16, .. } => L::CvtU16F16,
            Cvt::Plain { from: F16, to: I16, .. } => L::CvtI16F16,
            Cvt::OffI4 => L::CvtOffF32I4,
            Cvt::PkU8 => L::CvtPkU8F32,
            Cvt::Pack { from: F32, to: F16, round: Round::Rtz } => L::CvtPkRtzF16F32,
            Cvt::Pack { from: F32, to: F16, .. } => L::CvtPkF16F32,
            Cvt::Pack { from: F32, to: Bf16, round: Round::Mode } => L::CvtPkBf16F32,
            Cvt::Pack { from: U32, to: U16, .. } => L::CvtPkU16U32,
            Cvt::Pack { from: I32, to: I16, .. } => L::CvtPkI16I32,
            Cvt::PackNorm { from: F32, to: I16 } => L::CvtPkNormI16F32,
            Cvt::PackNorm { from: F32, to: U16 } => L::CvtPkNormU16F32,
            Cvt::PackNorm { from: F16, to: I16 } => L::CvtPkNormI16F16,
            Cvt::PackNorm { from: F16, to: U16 } => L::CvtPkNormU16F16,
            Cvt::Norm { from: F16, to: I16 } => L::CvtNormI16F16,
            Cvt::Norm { from: F16, to: U16 } => L::CvtNormU16F16,
            _ => return Err(unknown()),
        };
        if matches!(c, Cvt::Pack { from: F32, to: F16, round: Round::Mode }) && self.mode.caps_16() {
            // To nearest, whatever MODE rounds to, but what overflows is the largest number.
            let d = self.dest(inst)?;
            let mut halves = [V::reg(0); 2];
            for (i, half) in halves.iter_mut().enumerate() {
                let a = self.source(inst, i)?;
                let (t, n, h) = (self.temps(1)?, self.temps(1)?, self.temps(1)?);
                self.op1(L::CvtF16F32, t, a);
                self.op1(L::AnyInfF32, n, a);
                self.op2(L::CapF16, h, t, n);
                *half = h;
            }
            self.op2(L::InsertHi16, d.at, halves[1], halves[0]);
            return self.finish(inst, d);
        }
        if let Cvt::PackNorm { from: F16, .. } = c {
            // Each source is one half of its register.
            let d = self.dest(inst)?;
            let half = |slot| inst.row().operand(slot).map(|o| Opd { ty: Ty { elem: F16, count: 1 }, ..*o });
            let (Some(a), Some(b)) = (half(Field::Src0), half(Field::Src1)) else { return Err(unknown()) };
            let (a, b) = (self.source_as(inst, 0, &a)?, self.source_as(inst, 1, &b)?);
            self.op2(l, d.at, a, b);
            return self.finish(inst, d);
        }
        let d = self.dest(inst)?;
        let n = usize::from(l.regs().1[1] != 0) + usize::from(l.regs().1[2] != 0) + 1;
        let a = self.source(inst, 0)?;
        let b = if n > 1 { self.source(inst, 1)? } else { a };
        let third = if n > 2 { self.source(inst, 2)? } else { a };
        self.op3(l, d.at, a, b, third)?;
        self.finish(inst, d)
    }

    /// What a conversion of small floats, or a scaled or stochastic one, does with which bits.
    fn small(&mut self, inst: &Inst, c: Cvt) -> Result<Option<Convert>> {
        let tiny = |e: Elem| e.bits() <= 8 && e.is_float();
        let (from, to, n, round, scaled) = match c {
            Cvt::Plain { from, to, round } if tiny(from) || tiny(to) || round == Round::Stochastic => {
                (from, to, 1, round, false)
            }
            Cvt::Pack { from, to, round } if tiny(to) || round == Round::Stochastic => (from, to, 2, round, false),
            Cvt::Unpack { from, to } => (from, to, 2, Round::Mode, false),
            Cvt::Scaled { from, to, n, round } => (from, to, n, round, true),
            _ => return Ok(None),
        };
        let sel = inst.get(Field::OpSel);
        let (fw, tw) = (from.bits(), to.bits());
        // The field that a part of a register is chosen in, by how large it is.
        let part = |bits: u32, sel: u32| match bits {
            8 => 8 * (sel & 3),
            16 => 16 * (sel & 1),
            _ => 0,
        };
        let from_field = (fw * u32::from(n)).max(8);
        let from_bit = if !tiny(from) || n > 2 {
            0
        } else if inst.form() == Form::Sdwa {
            match inst.get(Field::Src0Sel) {
                s @ 0..=3 => 8 * s,
                5 => 16,
                _ => 0,
            }
        } else {
            part(from_field, sel)
        };
        let to_field = (tw * u32::from(n)).max(8);
        let to_bit = if n > 2 { 0 } else { part(to_field, if to_field == 8 { sel >> 2 } else { sel >> 3 }) };
        let stochastic = round == Round::Stochastic;
        let sources =
            [Field::Src0, Field::Src1, Field::Src2].iter().filter(|s| inst.row().operand(**s).is_some()).count();
        // Two separate elements: all but the stochastic ones, whose second source is random bits.
        let second = !stochastic && (sources == 3 || (!scaled && sources == 2));
        let fp8 = if self.layout.target == Target::Gfx950 { Fp8::Ocp } else { Fp8::Fnuz };
        self.seg.unverified_rounding |= stochastic;
        Ok(Some(Convert {
            from,
            to,
            n,
            stochastic,
            second,
            scaled,
            fp8,
            saturates: self.mode.caps_16(),
            flush: [self.flushes_in(from), self.flushes_out(to)],
            from_bit: from_bit as u8,
            to_bit: to_bit as u8,
        }))
    }

    fn convert_small(&mut self, inst: &Inst, op: Convert) -> Result<()> {
        let raw = |lower: &mut Lower, slot: Field| -> Result<Option<V>> {
            match (inst.slot(slot), inst.row().operand(slot)) {
                (Some(o), Some(opd)) => lower.vector_operand(o, opd).map(Some),
                _ => Ok(None),
            }
        };
        // Signs and magnitudes apply to sources that are ordinary floats.
        let plain = op.from.bits() >= 16 && inst.form() != Form::Sdwa && op.n <= 2;
        let a = if plain || inst.form() == Form::Dpp {
            self.source(inst, 0)?
        } else {
            raw(self, Field::Src0)?.unwrap_or(V::reg(0))
        };
        let b = if plain && op.second { Some(self.source(inst, 1)?) } else { raw(self, Field::Src1)? };
        let last = raw(self, Field::Src2)?;
        let scale = if op.scaled { last.or(b).unwrap_or(a) } else { a };
        let b = b.unwrap_or(a);
        let at = self.seg.converts.len() as u32;
        self.seg.converts.push(op);
        // Whole results are clamped and scaled as others are.
        let modified = op.to == Elem::F32 && (inst.get(Field::Clamp) != 0 || inst.get(Field::Omod) != 0);
        if inst.form() == Form::Dpp || modified {
            let d = self.dest(inst)?;
            self.push(Uop::Convert { op: at, d: d.at, a, b, scale });
            return self.finish(inst, d);
        }
        let Some(Operand::Reg(r)) = inst.slot(Field::Dst) else {
            return Err(Refusal::unsupported(inst.name()));
        };
        let d = self.vreg(r)?;
        self.push(Uop::Convert { op: at, d, a, b, scale });
        Ok(())
    }
}

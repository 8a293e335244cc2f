//! Conversions.

use super::{Lower, Refusal, Result};
use crate::engine::lanes::LaneOp as L;
use wavesmith_asm::inst::Inst;
use wavesmith_asm::sem::{Cvt, Elem, Round};

impl Lower {
    pub(super) fn convert(&mut self, inst: &Inst, c: Cvt) -> Result<()> {
        use Elem::*;
        let unknown = || Refusal::unsupported(format!("{} ({c:?})", inst.name()));
        if let Cvt::UByte(n) = c {
            let d = self.dest(inst)?;
            let a = self.source(inst, 0)?;
            let shift = self.konst(8 * u32::from(n))?;
            self.op2(L::CvtUByte, d.at, a, shift);
            return self.finish(inst, d);
        }
        let rounds = match c {
            Cvt::Plain { to: F16, round: Round::Mode, .. } | Cvt::Plain { to: F64, round: Round::Mode, .. } => {
                self.mode.rounds_16_64()
            }
            Cvt::Plain { to: F32, round: Round::Mode, .. } => self.mode.rounds_32(),
            _ => 0,
        };
        let l = match c {
            Cvt::Plain { from: F32, to: F16, round: Round::Mode } if rounds == 3 => L::CvtF16F32Rtz,
            _ if rounds != 0 => return Err(Refusal::unsupported("a conversion with MODE.round other than to nearest")),
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
        let d = self.dest(inst)?;
        let n = usize::from(l.regs().1[1] != 0) + usize::from(l.regs().1[2] != 0) + 1;
        let a = self.source(inst, 0)?;
        let b = if n > 1 { self.source(inst, 1)? } else { a };
        let third = if n > 2 { self.source(inst, 2)? } else { a };
        self.op3(l, d.at, a, b, third);
        self.finish(inst, d)
    }
}

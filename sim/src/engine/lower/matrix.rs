//! Matrix instructions.

use super::{Lower, Refusal, Result};
use crate::engine::ir::{Uop, V};
use crate::engine::mfma::{Family, Fp8, Mfma};
use wavesmith_asm::inst::Inst;
use wavesmith_asm::sem::{Elem, Mfma as Shape};
use wavesmith_asm::{Field, Operand, RegClass, Target};

impl Lower {
    pub(super) fn matrix(&mut self, inst: &Inst, mut shape: Shape) -> Result<()> {
        if shape.typed_by_fields {
            let ty = |code: u32| match code {
                0 => Some(Elem::Fp8),
                1 => Some(Elem::Bf8),
                2 => Some(Elem::Fp6),
                3 => Some(Elem::Bf6),
                4 => Some(Elem::Fp4),
                _ => None,
            };
            let (a, b) = (ty(inst.get(Field::Cbsz)), ty(inst.get(Field::Blgp)));
            let (Some(a), Some(b)) = (a, b) else {
                return Err(Refusal::unsupported("a reserved element type in cbsz or blgp"));
            };
            (shape.a, shape.b) = (a, b);
        }
        let target = self.layout.target;
        let (family, known) = Family::of(&shape, target);
        self.seg.unverified_rounding |= !known;
        let regs = |rows: u8, k: u32, ty: Elem| {
            (u32::from(rows) * k * u32::from(shape.blocks) / 64 * ty.bits()).div_ceil(32).max(1) as u8
        };
        let k = u32::from(shape.k);
        let a_regs = if shape.sparse { regs(shape.m, k / 2, shape.a) } else { regs(shape.m, k, shape.a) };
        let b_regs = regs(shape.n, k, shape.b);
        let d_regs = regs(shape.m, u32::from(shape.n), shape.d);
        let (a, b) = (self.run(inst, Field::Src0, a_regs)?, self.run(inst, Field::Src1, b_regs)?);
        let d = self.run(inst, Field::Dst, d_regs)?;
        let (mut c, mut c_constant, mut index) = (d, false, None);
        if shape.sparse {
            index = Some(self.run(inst, Field::Src2, 1)?);
        } else {
            match inst.slot(Field::Src2) {
                Some(Operand::Reg(r)) if matches!(r.class, RegClass::V | RegClass::A) => {
                    c = self.run(inst, Field::Src2, d_regs)?;
                }
                Some(op) => {
                    let opd = *inst.row().operand(Field::Src2).ok_or_else(|| Refusal::unsupported(inst.name()))?;
                    let mut one = opd;
                    one.ty.count = 1;
                    c = self.vector_operand(op, &one)?;
                    c_constant = true;
                }
                None => return Err(Refusal::unsupported(inst.name())),
            }
        }
        let mut scale = None;
        if shape.scaled {
            let (sel, sel_hi) = (inst.get(Field::ScaleOpSel), inst.get(Field::ScaleOpSelHi));
            let byte = |i: u32| (sel >> i & 1 | (sel_hi >> i & 1) << 1) as u8;
            let one = |slot: Field| {
                let opd = inst.row().operand(slot).copied();
                inst.slot(slot).zip(opd)
            };
            if let (Some((x, xo)), Some((y, yo))) = (one(Field::ScaleSrc0), one(Field::ScaleSrc1)) {
                let (x, y) = (self.vector_operand(x, &xo)?, self.vector_operand(y, &yo)?);
                scale = Some((x, byte(0), y, byte(1)));
            }
        }
        let (mut cbsz, mut abid, mut blgp) =
            (inst.get(Field::Cbsz) as u8, inst.get(Field::Abid) as u8, inst.get(Field::Blgp) as u8);
        if shape.typed_by_fields {
            (cbsz, abid, blgp) = (0, 0, 0);
        }
        let fp8 = if target == Target::Gfx950 { Fp8::Ocp } else { Fp8::Fnuz };
        let at = self.seg.mfmas.len() as u32;
        self.seg.mfmas.push(Mfma {
            shape,
            family,
            fp8,
            a,
            b,
            c,
            c_constant,
            d,
            cbsz,
            abid,
            blgp,
            index,
            scale,
            a_regs,
            b_regs,
            d_regs,
        });
        self.push(Uop::Mfma(at));
        Ok(())
    }

    /// A run of at least `n` vector registers.
    fn run(&mut self, inst: &Inst, slot: Field, n: u8) -> Result<V> {
        match inst.slot(slot) {
            Some(Operand::Reg(mut r)) if matches!(r.class, RegClass::V | RegClass::A) => {
                r.count = r.count.max(n);
                self.vreg(r)
            }
            other => Err(Refusal::unsupported(format!("operand {other:?} of {}", inst.name()))),
        }
    }
}

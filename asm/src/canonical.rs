//! Whether an instruction's text says all of its bits.
//!
//! Hardware ignores some bits, and LLVM's syntax has no words for them. Text is exact only for *canonical*
//! instructions: those that come out of the encoder again when it is given what the printer shows.

use crate::encoding::{Encoding, accumulation_bit};
use crate::format::{Field, Form, Format};
use crate::inst::Inst;
use crate::operand::Operand;
use crate::reg::{Reg, RegClass};
use crate::row::{Class, Mods, Opd, Row};
use crate::sem::{Ds, Sem};
use crate::target::Target;

impl Inst {
    /// The truth table of `v_bitop3`.
    pub fn bitop3(&self) -> u32 {
        self.get(Field::Neg) | self.get(Field::Abs) << 3 | self.get(Field::Omod) << 6
    }

    /// Whether text can say every bit of this instruction.
    pub fn is_canonical(&self) -> bool {
        self.is_canonical_with(self.encoding(), &self.read_all())
    }

    /// The same, with the operands already read.
    pub(crate) fn is_canonical_with(&self, encoding: &Encoding, operands: &[Option<Operand>; 8]) -> bool {
        // Most operands are plainly right; others are encoded again to see.
        let plainly = || {
            encoding.places.iter().zip(operands).all(|(p, value)| value.is_some_and(|v| self.plainly_right(p.opd, v)))
        };
        encoding.is_sayable(&self.words)
            && (plainly() || self.operands_encode_again(operands))
            && (!encoding.checked && encoding.is_plain(&self.words) || self.fields_are_valid())
            && (!encoding.half || self.literal_is_exact(operands))
            && crate::parse::violation(self, operands).is_none()
    }

    /// Whether the operands encode to the bits that they were read from.
    fn operands_encode_again(&self, operands: &[Option<Operand>; 8]) -> bool {
        let mut again = *self;
        for ((i, opd), value) in self.row().operands.iter().enumerate().zip(operands) {
            let Some(value) = *value else {
                // What is left out must be zero, as the encoder leaves it.
                let file = accumulation_bit(opd.slot);
                let file_set = matches!(opd.class, Class::AV | Class::AVC) && self.has(file) && self.get(file) != 0;
                if self.get(opd.slot) != 0 || file_set {
                    return false;
                }
                continue;
            };
            if self.is_unsayable(opd, value) || !self.plainly_right(opd, value) && again.write(i, opd, value).is_err() {
                return false;
            }
        }
        again.words == self.words
    }

    /// Whether operand `i`, which was read from the bits, encodes to them.
    pub(crate) fn operand_encodes_again(&self, i: usize, opd: &Opd, value: Operand) -> bool {
        let mut again = *self;
        !self.is_unsayable(opd, value) && again.write(i, opd, value).is_ok() && again.words == self.words
    }

    /// Whether there is no text for an operand's value.
    fn is_unsayable(&self, opd: &Opd, value: Operand) -> bool {
        match value {
            Operand::Invalid(_) => true,
            Operand::Float(_) => opd.ty.elem.bits() == 16 && opd.ty.count == 1 && !opd.ty.elem.is_float(),
            Operand::Off => opd.class == Class::VAddr && self.get(opd.slot) != 0,
            Operand::Imm(x) if opd.class == Class::Attr => x >> 2 > crate::imm::LAST_ATTRIBUTE,
            Operand::Imm(x) if opd.class == Class::Param => x as usize >= crate::imm::PARAMETERS.len(),
            Operand::Imm(x) if opd.class == Class::ExpTgt => crate::imm::export_target(x as u32).is_none(),
            _ => false,
        }
    }

    /// Whether an operand read from the bits certainly encodes to them again.
    #[inline]
    fn plainly_right(&self, opd: &Opd, value: Operand) -> bool {
        match (value, opd.class) {
            (Operand::Reg(Reg { class: RegClass::V, index, count }), Class::V | Class::VS | Class::AV | Class::AVC) => {
                let end = index as u32 + count as u32;
                end <= 256 && (count == 1 || index & 1 == 0 || !self.target.unified_vgprs())
            }
            (Operand::Reg(Reg { class: RegClass::S, index, count }), Class::S | Class::SS | Class::SN) => {
                let align = match count {
                    1 => 0,
                    2 => 1,
                    _ => 3,
                };
                index as u32 + count as u32 <= 102 && index & align == 0
            }
            (Operand::Reg(Reg { class: RegClass::S, index, count: 1 }), Class::VS) => {
                index < 102 && self.form != Form::Dpp
            }
            (Operand::Int(_), Class::VS | Class::SS | Class::SN) => self.form != Form::Dpp,
            (Operand::Literal(_), Class::K) => true,
            (Operand::Literal(_), Class::VS | Class::SS) => self.row().format != Format::VOP2_LIT,
            _ => false,
        }
    }

    /// Whether the offset of a scalar memory instruction is one of the forms that text has: an immediate, an SGPR in the
    /// place of the immediate, or both.
    fn scalar_offset_is_sayable(&self) -> bool {
        let row = self.row();
        if row.operand(Field::Offset).is_none() {
            return true;
        }
        let (imm, soffset) = (self.get(Field::ImmOffset) != 0, self.get(Field::SoffsetEn) != 0);
        let buffer = row.operand(Field::Sbase).is_some_and(|o| o.ty.elem == crate::sem::Elem::B128);
        match (imm, soffset) {
            (false, true) => false,
            (false, false) => self.get(Field::Offset) < 128 && self.get(Field::Soffset) == 0,
            (true, both) => (both || self.get(Field::Soffset) == 0) && (!buffer || self.get_signed(Field::Offset) >= 0),
        }
    }

    /// Whether the modifier bits of sources that a packed instruction lacks are as the encoder leaves them.
    fn unused_sources_are_default(&self) -> bool {
        let row = self.row();
        let mut used = 0;
        for (i, slot) in [Field::Src0, Field::Src1, Field::Src2].into_iter().enumerate() {
            if row.operand(slot).is_some() {
                used |= 1 << i;
            }
        }
        let default = if row.packed_by_default() { 7 } else { 0 };
        (self.get(Field::OpSel) | self.get(Field::Neg) | self.get(Field::NegHi)) & !used == 0
            && (self.get(Field::OpSelHi) ^ default) & !used == 0
    }

    /// Whether channels that are not exported name no register, and compressed ones come in pairs.
    fn unused_exports_are_zero(&self) -> bool {
        let en = self.get(Field::ExpEnable);
        let compressed = self.get(Field::ExpCompr) != 0;
        let used = match (compressed, en) {
            (false, _) => en,
            (true, 0) => 0,
            (true, 3) => 1,
            (true, 12) => 2,
            (true, 15) => 3,
            _ => return false,
        };
        let slots = [Field::Src0, Field::Src1, Field::Src2, Field::Data0];
        slots.iter().enumerate().all(|(i, s)| used >> i & 1 != 0 || self.get(*s) == 0)
    }

    /// Whether text keeps the whole literal: 16-bit operands show its low half.
    fn literal_is_exact(&self, operands: &[Option<Operand>; 8]) -> bool {
        match self.literal() {
            Some(x) if x > 0xffff => !self
                .row()
                .operands
                .iter()
                .zip(operands)
                .any(|(o, v)| o.ty.elem.bits() == 16 && o.ty.count == 1 && matches!(v, Some(Operand::Literal(_)))),
            _ => true,
        }
    }

    /// Whether every field with a list of meanings has one of them.
    pub(crate) fn fields_are_valid(&self) -> bool {
        match self.form {
            Form::Dpp => {
                let ctrl = self.get(Field::DppCtrl);
                let known = matches!(
                    ctrl,
                    0..=0xff | 0x101..=0x10f | 0x111..=0x11f | 0x121..=0x12f | 0x130 | 0x134 | 0x138 | 0x13c | 0x140..=0x143
                ) || (0x150..=0x15f).contains(&ctrl) && self.target.unified_vgprs();
                known && (!self.row().mods.has(Mods::DPP64) || (0x150..=0x15f).contains(&ctrl))
            }
            Form::Sdwa => {
                let sdst = (self.get(Field::SdstOn), self.get(Field::Sdst));
                (sdst.0 == 0 && sdst.1 == 0 || sdst.0 != 0 && sdst.1 != 106)
                    && self.get(Field::Src0Sel) != 7
                    && self.get(Field::Src1Sel) != 7
                    && self.get(Field::DstSel) != 7
                    && self.get(Field::DstUnused) != 3
                    && !(self.get(Field::Sext0) != 0 && self.get(Field::Neg0) | self.get(Field::Abs0) != 0)
                    && !(self.get(Field::Sext1) != 0 && self.get(Field::Neg1) | self.get(Field::Abs1) != 0)
            }
            _ if matches!(self.row().format, Format::VOP3 | Format::VOP3B) || self.form == Form::E64 => {
                let n = self.row().op_sel_sources();
                if self.get(Field::OpSel) & !(8 | ((1 << n) - 1)) != 0 && !self.row().mods.has(Mods::SWAP_CTRL) {
                    return false;
                }
                if self.row().mods.has(Mods::HIGH) && self.get(Field::OpSel) & 2 != 0 {
                    return false;
                }
                self.row().mods.has(Mods::BITOP3)
                    || (self.get(Field::Neg) | self.get(Field::Abs)) & !signed_sources(self.row()) == 0
            }
            _ => match self.row().sem {
                Sem::Control(crate::sem::Control::Waitcnt) => self.get(Field::Simm16) & 0x3080 == 0,
                Sem::Control(crate::sem::Control::SetGprIdxMode) => self.get(Field::Simm16) < 16,
                Sem::Control(crate::sem::Control::SetGprIdxOn) => self.get(Field::Src1) < 16,
                Sem::Export => self.unused_exports_are_zero(),
                Sem::Ds(Ds::Swizzle) => crate::parse::swizzle_is_exact(self.get(Field::Offset)),
                _ if self.row().format == Format::SMEM => self.scalar_offset_is_sayable(),
                _ if self.row().format == Format::VOP3P => self.unused_sources_are_default(),
                _ => true,
            },
        }
    }
}

/// The fields besides operands that the text of an instruction can express.
pub(crate) fn modifiers(row: &Row, form: Form, target: Target, mut f: impl FnMut(Field)) {
    let m = row.mods;
    let new = matches!(target, Target::Gfx942 | Target::Gfx950);
    match form {
        Form::Sdwa => {
            let has = |slot| row.operand(slot).is_some();
            if m.has(Mods::SDWA_CLAMP) {
                f(Field::Clamp);
            }
            if m.has(Mods::SDWA_OMOD) {
                f(Field::Omod);
            }
            if row.format != Format::VOPC && has(Field::Dst) && !m.has(Mods::NO_DST_SEL) {
                f(Field::DstSel);
                f(Field::DstUnused);
            }
            for (slot, sel, sext, neg, abs) in [
                (Field::Src0, Field::Src0Sel, Field::Sext0, Field::Neg0, Field::Abs0),
                (Field::Src1, Field::Src1Sel, Field::Sext1, Field::Neg1, Field::Abs1),
            ] {
                if has(slot) {
                    f(sel);
                    if row.operand(slot).is_some_and(|o| row.extends_sign(o)) {
                        f(sext);
                    }
                    if m.has(Mods::NEG) && row.operand(slot).is_some_and(|o| o.takes_sign()) {
                        f(neg);
                        f(abs);
                    }
                }
            }
            return;
        }
        Form::Dpp => {
            for field in [Field::DppCtrl, Field::RowMask, Field::BankMask, Field::BoundCtrl] {
                f(field);
            }
            if m.has(Mods::NEG) {
                if row.operand(Field::Src0).is_some_and(|o| o.takes_sign()) {
                    f(Field::Neg0);
                    f(Field::Abs0);
                }
                if row.operand(Field::Src1).is_some_and(|o| o.takes_sign()) {
                    f(Field::Neg1);
                    f(Field::Abs1);
                }
            }
            return;
        }
        _ => {}
    }
    match row.format {
        _ if form == Form::E64 => vop3(row, f),
        Format::VOP3 | Format::VOP3B => vop3(row, f),
        Format::VOP3P => {
            if m.has(Mods::CLAMP) {
                f(Field::Clamp);
            }
            if m.has(Mods::OPSEL) && op_sel_in_text(row, target) {
                f(Field::OpSel);
            }
            if m.has(Mods::OPSELHI) && op_sel_in_text(row, target) {
                f(Field::OpSelHi);
            }
            if m.has(Mods::NEGLOHI) || m.has(Mods::NEG) {
                f(Field::Neg);
                f(Field::NegHi);
            }
        }
        Format::MAI => {
            f(Field::Cbsz);
            // The typed forms have no broadcast.
            if !matches!(row.sem, Sem::Mfma(m) if m.typed_by_fields) {
                f(Field::Abid);
            }
            if m.has(Mods::BLGP) {
                f(Field::Blgp);
            }
        }
        Format::MAI_SCALE => {
            for field in [Field::ScaleOpSel, Field::ScaleOpSelHi, Field::Cbsz, Field::Blgp] {
                f(field);
            }
        }
        Format::DS => {
            match row.sem {
                Sem::DsLoad2 { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => {
                    f(Field::Offset0);
                    f(Field::Offset1);
                }
                Sem::Control(_) => {}
                Sem::Ds(Ds::Swizzle) => f(Field::Offset),
                _ => f(Field::Offset),
            }
            if m.has(Mods::GDS) && target == Target::Gfx908 || m.has(Mods::GDS_ONLY) {
                f(Field::Gds);
            }
        }
        Format::MUBUF => match row.sem {
            Sem::CacheWriteback | Sem::CacheInvalidate { .. } => {
                if new {
                    f(Field::Sc0);
                    f(Field::Sc1);
                }
            }
            Sem::StoreLds => {
                for field in [Field::Lds, Field::Offset, Field::Sc0, Field::Nt] {
                    f(field);
                }
                if has_scc(row, target) {
                    f(Field::Sc1);
                }
            }
            _ => {
                buffer(row, target, &mut f);
                if has_lds(row, target) {
                    f(Field::Lds);
                }
            }
        },
        Format::MTBUF => {
            f(Field::Dfmt);
            f(Field::Nfmt);
            buffer(row, target, &mut f);
        }
        Format::FLAT | Format::GLOBAL | Format::SCRATCH => {
            f(Field::Offset);
            if !m.has(Mods::NO_RTN) {
                f(Field::Sc0);
            }
            f(Field::Nt);
            if has_scc(row, target) {
                f(Field::Sc1);
            }
            if has_lds(row, target) {
                f(Field::Lds);
            }
        }
        Format::EXP => {
            for field in [Field::ExpDone, Field::ExpCompr, Field::ExpVm] {
                f(field);
            }
        }
        Format::MIMG => {
            for field in [Field::Dmask, Field::Unorm, Field::Sc0, Field::Nt, Field::A16, Field::Lwe, Field::Da] {
                f(field);
            }
            f(if target == Target::Gfx908 { Field::Tfe } else { Field::Sc1 });
            if m.has(Mods::D16) {
                f(Field::D16);
            }
        }
        Format::SMEM if row.operand(Field::Offset).is_some() => {
            if m.has(Mods::GLC) {
                f(Field::Sc0);
            }
            // Offset forms: an SGPR beside an immediate.
            f(Field::ImmOffset);
            f(Field::SoffsetEn);
            f(Field::Offset);
        }
        _ => {}
    }
}

fn buffer(row: &Row, target: Target, f: &mut impl FnMut(Field)) {
    for field in [Field::Offen, Field::Idxen, Field::Offset, Field::Nt] {
        f(field);
    }
    if !row.mods.has(Mods::NO_RTN) {
        f(Field::Sc0);
    }
    if has_scc(row, target) {
        f(Field::Sc1);
    } else if has_tfe(row, target) {
        f(Field::Tfe);
    }
}

/// Loads into LDS move a dword at most before gfx950; of global and scratch memory they have names of their own since
/// gfx942.
pub(crate) fn has_lds(row: &Row, target: Target) -> bool {
    let wide = matches!(row.sem, Sem::Load { mem: crate::sem::Mem::Dwords(2..), .. });
    let named = row.format != Format::MUBUF && target >= Target::Gfx942;
    row.mods.has(Mods::LDS) && !named && (!wide || target == Target::Gfx950)
}

/// gfx90a has no `scc` on floating-point atomics, gfx908 none at all.
fn has_scc(row: &Row, target: Target) -> bool {
    use crate::sem::Atomic as A;
    match target {
        Target::Gfx908 => false,
        Target::Gfx90a => !matches!(row.sem, Sem::Atomic { op: A::FAdd | A::FMin | A::FMax | A::PkAdd, .. }),
        _ => true,
    }
}

/// Only gfx908's untyped loads have texture fail enable.
pub(crate) fn has_tfe(row: &Row, target: Target) -> bool {
    target == Target::Gfx908 && row.format == Format::MUBUF && matches!(row.sem, Sem::Load { .. })
}

fn vop3(row: &Row, mut f: impl FnMut(Field)) {
    let m = row.mods;
    if m.has(Mods::OPSEL) {
        f(Field::OpSel);
    }
    if m.has(Mods::HIGH) {
        f(Field::High);
    }
    if m.has(Mods::SWAP_CTRL) {
        f(Field::FetchInactive);
        f(Field::BoundCtrl);
    }
    if m.has(Mods::BITOP3) {
        f(Field::Abs);
        f(Field::Omod);
        f(Field::Neg);
        return;
    }
    if m.has(Mods::CLAMP) {
        f(Field::Clamp);
    }
    if m.has(Mods::OMOD) {
        f(Field::Omod);
    }
    if m.has(Mods::NEG) {
        f(Field::Neg);
        f(Field::Abs);
    }
}

/// The bits of `Neg` and `Abs` that belong to operands which can be negated.
fn signed_sources(row: &Row) -> u32 {
    let mut bits = 0;
    for (i, slot) in [Field::Src0, Field::Src1, Field::Src2].into_iter().enumerate() {
        if row.operand(slot).is_some_and(|o| o.takes_sign()) {
            bits |= 1 << i;
        }
    }
    bits
}

/// Dot products take `op_sel` only up to gfx90a.
pub(crate) fn op_sel_in_text(row: &Row, target: Target) -> bool {
    !matches!(row.sem, Sem::Dot { .. }) || matches!(target, Target::Gfx908 | Target::Gfx90a)
}

//! The vocabulary of a row: operand constructors, types and class names, kept short so that a row fits a line.
#![allow(missing_docs)]

pub(super) use crate::class::{Hazard, Time};
pub(super) use crate::format::Field as F;
pub(super) use crate::format::Format::*;
pub(super) use crate::row::Class::{A, AV, AVC, S, SN, SS, V, VS};
pub(super) use crate::row::{Access, Class, Mods, Opd, Row, Ty, op};
pub(super) use crate::sem::Elem as E;
pub(super) use crate::sem::{
    Atomic, Branch, Cond, Control, Cvt, Ds, Logic, Mem, Mfma, Op, Round, SOp, Sem, SmemSpace, Space,
};
use crate::target::Targets;

pub(super) const ALL: Targets = Targets::ALL;
pub(super) const GFX908: Targets = Targets::GFX908;
pub(super) const GFX90A: Targets = Targets::GFX90A;
pub(super) const GFX942: Targets = Targets::GFX942;
pub(super) const GFX950: Targets = Targets::GFX950;
pub(super) const GFX90A_UP: Targets = Targets::GFX90A_UP;
pub(super) const GFX942_UP: Targets = Targets::GFX942_UP;
/// gfx908 and gfx90a.
pub(super) const UPTO_GFX90A: Targets = GFX908.or(GFX90A);

const fn t(elem: E) -> Ty {
    Ty { elem, count: 1 }
}
pub(super) const B16: Ty = t(E::B16);
pub(super) const U16: Ty = t(E::U16);
pub(super) const I16: Ty = t(E::I16);
pub(super) const F16: Ty = t(E::F16);
pub(super) const BF16: Ty = t(E::Bf16);
pub(super) const B32: Ty = t(E::B32);
pub(super) const U32: Ty = t(E::U32);
pub(super) const I32: Ty = t(E::I32);
pub(super) const F32: Ty = t(E::F32);
pub(super) const B64: Ty = t(E::B64);
pub(super) const B96: Ty = t(E::B96);
pub(super) const B128: Ty = t(E::B128);
pub(super) const U64: Ty = t(E::U64);
pub(super) const I64: Ty = t(E::I64);
pub(super) const F64: Ty = t(E::F64);
pub(super) const I8: Ty = t(E::I8);
pub(super) const U8: Ty = t(E::U8);
pub(super) const I4: Ty = t(E::I4);
pub(super) const U4: Ty = t(E::U4);
pub(super) const FP8: Ty = t(E::Fp8);
pub(super) const BF8: Ty = t(E::Bf8);
pub(super) const FP6: Ty = t(E::Fp6);
pub(super) const BF6: Ty = t(E::Bf6);
pub(super) const FP4: Ty = t(E::Fp4);
pub(super) const XF32: Ty = t(E::Xf32);

const fn opd(slot: F, class: Class, ty: Ty, access: Access) -> Opd {
    Opd { slot, class, ty, access }
}
/// Destination.
pub(super) const fn d(class: Class, ty: Ty) -> Opd {
    opd(F::Dst, class, ty, Access::W)
}
/// First source.
pub(super) const fn a(class: Class, ty: Ty) -> Opd {
    opd(F::Src0, class, ty, Access::R)
}
/// Second source.
pub(super) const fn b(class: Class, ty: Ty) -> Opd {
    opd(F::Src1, class, ty, Access::R)
}
/// Third source.
pub(super) const fn c(class: Class, ty: Ty) -> Opd {
    opd(F::Src2, class, ty, Access::R)
}
/// The mandatory literal.
pub(super) const fn k(ty: Ty) -> Opd {
    opd(F::Literal, Class::K, ty, Access::R)
}
/// A lane mask written.
pub(super) const fn mask(slot: F) -> Opd {
    opd(slot, Class::M, B64, Access::W)
}
/// A lane mask read.
pub(super) const fn mask_in(slot: F) -> Opd {
    opd(slot, Class::M, B64, Access::R)
}
/// Memory data.
pub(super) const fn data(class: Class, ty: Ty) -> Opd {
    opd(F::Data0, class, ty, Access::R)
}
/// Second memory data of DS.
pub(super) const fn data1(class: Class, ty: Ty) -> Opd {
    opd(F::Data1, class, ty, Access::R)
}
/// Coordinates of an image, in at most so many registers.
pub(super) const fn coords(most: u8) -> Opd {
    opd(F::Vaddr, V, B32.x(most), Access::R)
}
/// Image resource: eight SGPRs.
pub(super) const fn image_rsrc() -> Opd {
    opd(F::Srsrc, S, B32.x(8), Access::R)
}
/// Image sampler.
pub(super) const fn sampler() -> Opd {
    opd(F::Ssamp, S, t(E::B128), Access::R)
}
/// Where an export goes.
pub(super) const fn export_target() -> Opd {
    opd(F::ExpTarget, Class::ExpTgt, B32, Access::R)
}
/// What is exported.
pub(super) const fn export(slot: F) -> Opd {
    opd(slot, Class::ExpSrc, B32, Access::R)
}
/// An attribute's channel.
pub(super) const fn attribute() -> Opd {
    opd(F::Attr, Class::Attr, B32, Access::R)
}
/// A parameter of interpolation.
pub(super) const fn parameter() -> Opd {
    opd(F::Src1, Class::Param, B32, Access::R)
}
/// GWS data, in the place of the address.
pub(super) const fn gws_data() -> Opd {
    opd(F::Vaddr, AV, B32, Access::R)
}
/// LDS address.
pub(super) const fn addr() -> Opd {
    opd(F::Vaddr, V, U32, Access::R)
}
/// Vector address of the other memory formats.
pub(super) const fn vaddr() -> Opd {
    opd(F::Vaddr, Class::VAddr, B32, Access::R)
}
/// Scalar base.
pub(super) const fn saddr() -> Opd {
    opd(F::Saddr, Class::SAddr, B64, Access::R)
}
/// Buffer resource.
pub(super) const fn srsrc() -> Opd {
    opd(F::Srsrc, S, t(E::B128), Access::R)
}
/// Scalar buffer offset.
pub(super) const fn soffset() -> Opd {
    opd(F::Soffset, SN, U32, Access::R)
}
/// SMEM base.
pub(super) const fn sbase(ty: Ty) -> Opd {
    opd(F::Sbase, S, ty, Access::R)
}
/// SMEM offset.
pub(super) const fn soff() -> Opd {
    opd(F::Offset, Class::SOff, U32, Access::R)
}
/// MFMA scale.
pub(super) const fn scale(slot: F) -> Opd {
    opd(slot, V, B32, Access::R)
}
/// A 16-bit immediate.
pub(super) const fn imm16() -> Opd {
    opd(F::Simm16, Class::Imm, I16, Access::R)
}
/// An immediate in `slot`.
pub(super) const fn imm(slot: F) -> Opd {
    opd(slot, Class::Imm, B32, Access::R)
}
/// A branch target.
pub(super) const fn label() -> Opd {
    opd(F::Simm16, Class::Label, I16, Access::R)
}
/// A hardware register.
pub(super) const fn hwreg() -> Opd {
    opd(F::Simm16, Class::HwReg, U16, Access::R)
}
/// A message.
pub(super) const fn msg() -> Opd {
    opd(F::Simm16, Class::Msg, U16, Access::R)
}
/// Wait counters.
pub(super) const fn waitcnt() -> Opd {
    opd(F::Simm16, Class::WaitCnt, U16, Access::R)
}
/// GPR indexing mode.
pub(super) const fn gpr_idx(slot: F) -> Opd {
    opd(slot, Class::GprIdx, U16, Access::R)
}

impl Opd {
    /// The same operand, only written.
    pub(super) const fn write(mut self) -> Opd {
        self.access = Access::W;
        self
    }
}

/// A dense matrix multiply-accumulate of the given shape.
pub(super) const fn mfma(m: u8, n: u8, k: u8, blocks: u8, a: E, b: E, d: E) -> Mfma {
    Mfma { m, n, k, blocks, a, b, d, typed_by_fields: false, scaled: false, sparse: false, legacy_bf16: false }
}
impl Mfma {
    pub(super) const fn typed_by_fields(mut self) -> Mfma {
        self.typed_by_fields = true;
        self
    }
    pub(super) const fn scaled(mut self) -> Mfma {
        self.scaled = true;
        self
    }
    pub(super) const fn sparse(mut self) -> Mfma {
        self.sparse = true;
        self
    }
    pub(super) const fn legacy_bf16(mut self) -> Mfma {
        self.legacy_bf16 = true;
        self
    }
    pub(super) const fn sem(self) -> Sem {
        Sem::Mfma(self)
    }
}

const NAMES: [(&[u8], Mods); 30] = [
    (b"clamp", Mods::CLAMP),
    (b"omod", Mods::OMOD),
    (b"neg", Mods::NEG),
    (b"opsel", Mods::OPSEL),
    (b"opselhi", Mods::OPSELHI),
    (b"neglohi", Mods::NEGLOHI),
    (b"dpp", Mods::DPP),
    (b"sdwa", Mods::SDWA),
    (b"e64", Mods::E64),
    (b"sext", Mods::SEXT),
    (b"cbsz", Mods::CBSZ),
    (b"blgp", Mods::BLGP),
    (b"sdwa_clamp", Mods::SDWA_CLAMP),
    (b"dpp64", Mods::DPP64),
    (b"no_e32", Mods::NO_E32),
    (b"lds", Mods::LDS),
    (b"gds", Mods::GDS),
    (b"gds_only", Mods::GDS_ONLY),
    (b"glc", Mods::GLC),
    (b"opsel4", Mods::OPSEL4),
    (b"no_dst_sel", Mods::NO_DST_SEL),
    (b"sdwa_omod", Mods::SDWA_OMOD),
    (b"no_rtn", Mods::NO_RTN),
    (b"bitop3", Mods::BITOP3),
    (b"swap_ctrl", Mods::SWAP_CTRL),
    (b"d16", Mods::D16),
    (b"gather", Mods::GATHER),
    (b"image_atomic", Mods::IMAGE_ATOMIC),
    (b"high", Mods::HIGH),
    (b"", Mods::NONE),
];

/// The set named by words with single spaces between; an unknown word does not compile.
pub(super) const fn of(words: &str) -> Mods {
    let s = words.as_bytes();
    let mut set = Mods::NONE;
    let mut from = 0;
    while from < s.len() {
        let mut to = from;
        while to < s.len() && s[to] != b' ' {
            to += 1;
        }
        let mut n = 0;
        loop {
            assert!(n < NAMES.len(), "unknown modifier name in a row");
            let w = NAMES[n].0;
            if w.len() == to - from {
                let mut i = 0;
                while i < w.len() && w[i] == s[from + i] {
                    i += 1;
                }
                if i == w.len() {
                    set = set.or(NAMES[n].1);
                    break;
                }
            }
            n += 1;
        }
        from = to + 1;
    }
    set
}

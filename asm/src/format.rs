//! Encoding formats: where each format keeps its bits.
//!
//! A [`Layout`] is the bit map of one format in one form: fixed bits, the opcode's place, and the place of every
//! [`Field`]. Encoder, decoder, printer and parser know formats only through it.

/// An instruction format, named as the ISA guides name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(non_camel_case_types, missing_docs)]
pub enum Format {
    SOP1,
    SOP2,
    SOPK,
    /// SOPK with a 32-bit literal after it (`s_setreg_imm32_b32`).
    SOPK_LIT,
    SOPC,
    SOPP,
    SMEM,
    VOP1,
    VOP2,
    /// VOP2 with a carry or borrow destination: its 64-bit form is VOP3B.
    VOP2B,
    /// VOP2 with a mandatory literal (`v_fmamk`, `v_fmaak`).
    VOP2_LIT,
    VOPC,
    VOP3,
    /// VOP3B: a scalar destination beside the vector one.
    VOP3B,
    VOP3P,
    /// VOP3P's matrix form.
    MAI,
    /// A scale instruction and an MFMA in 128 bits.
    MAI_SCALE,
    VINTRP,
    DS,
    MUBUF,
    MTBUF,
    FLAT,
    GLOBAL,
    SCRATCH,
    EXP,
    MIMG,
}

/// Which encoding of its row an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// The format's own encoding; `_e32` for VOP1, VOP2 and VOPC.
    Base,
    /// VOP1, VOP2 or VOPC in 64 bits.
    E64,
    /// Sub-dword addressing.
    Sdwa,
    /// Data-parallel primitives.
    Dpp,
}

/// Every named bit field of every format: operand slots first, then modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Field {
    /// Destination: VDST or SDST of the ALU formats, data of the scalar loads.
    Dst,
    /// VOP3B's and SDWA's scalar destination.
    Sdst,
    Src0,
    Src1,
    Src2,
    /// The literal dword of formats that always have one.
    Literal,
    Simm16,
    Vaddr,
    /// Scalar address of FLAT-like formats.
    Saddr,
    /// Store data, first data of DS.
    Data0,
    Data1,
    /// SMEM base, in pairs of SGPRs.
    Sbase,
    Soffset,
    /// Buffer or image resource, in fours of SGPRs.
    Srsrc,
    Ssamp,
    ScaleSrc0,
    ScaleSrc1,
    /// Whether SDWA's `Sdst` is used (else VCC).
    SdstOn,
    /// SDWA: the source is scalar.
    Src0Scalar,
    Src1Scalar,
    Clamp,
    Omod,
    /// Negation, a bit per source; VOP3P: of the low half.
    Neg,
    NegHi,
    Abs,
    OpSel,
    OpSelHi,
    ScaleOpSel,
    ScaleOpSelHi,
    Cbsz,
    Abid,
    Blgp,
    /// Destination (and MFMA accumulator) in AGPRs.
    Acc,
    /// MFMA: A in AGPRs.
    AccA,
    /// MFMA: B in AGPRs.
    AccB,
    DppCtrl,
    RowMask,
    BankMask,
    BoundCtrl,
    /// DPP's fetch-inactive bit; reserved on these targets.
    FetchInactive,
    /// DPP and SDWA keep negation and magnitude per source.
    Neg0,
    Abs0,
    Neg1,
    Abs1,
    DstSel,
    DstUnused,
    Src0Sel,
    Src1Sel,
    Sext0,
    Sext1,
    Offset,
    Offset0,
    Offset1,
    Gds,
    /// `glc` on gfx908 and gfx90a.
    Sc0,
    /// `scc` on gfx90a.
    Sc1,
    /// `slc` on gfx908 and gfx90a.
    Nt,
    Lds,
    Offen,
    Idxen,
    /// Texture fail enable (gfx908).
    Tfe,
    Dfmt,
    Nfmt,
    /// SMEM: the offset is an immediate.
    ImmOffset,
    /// SMEM: `Soffset` is used.
    SoffsetEn,
    /// SMEM: non-volatile.
    Nv,
    /// Scratch: the vector address is used (gfx942 and later).
    Sve,
    Attr,
    AttrChan,
    ExpTarget,
    ExpEnable,
    ExpCompr,
    ExpDone,
    ExpVm,
    Dmask,
    Unorm,
    Da,
    A16,
    Lwe,
    D16,
    /// Interpolation: the upper half of the attribute.
    High,
    /// Bits that no field owns, kept for checks.
    Reserved,
}

impl Field {
    /// How many fields there are.
    pub const COUNT: usize = Field::Reserved as usize + 1;

    /// Every field, in order.
    pub const ALL: [Field; Field::COUNT] = [
        Field::Dst,
        Field::Sdst,
        Field::Src0,
        Field::Src1,
        Field::Src2,
        Field::Literal,
        Field::Simm16,
        Field::Vaddr,
        Field::Saddr,
        Field::Data0,
        Field::Data1,
        Field::Sbase,
        Field::Soffset,
        Field::Srsrc,
        Field::Ssamp,
        Field::ScaleSrc0,
        Field::ScaleSrc1,
        Field::SdstOn,
        Field::Src0Scalar,
        Field::Src1Scalar,
        Field::Clamp,
        Field::Omod,
        Field::Neg,
        Field::NegHi,
        Field::Abs,
        Field::OpSel,
        Field::OpSelHi,
        Field::ScaleOpSel,
        Field::ScaleOpSelHi,
        Field::Cbsz,
        Field::Abid,
        Field::Blgp,
        Field::Acc,
        Field::AccA,
        Field::AccB,
        Field::DppCtrl,
        Field::RowMask,
        Field::BankMask,
        Field::BoundCtrl,
        Field::FetchInactive,
        Field::Neg0,
        Field::Abs0,
        Field::Neg1,
        Field::Abs1,
        Field::DstSel,
        Field::DstUnused,
        Field::Src0Sel,
        Field::Src1Sel,
        Field::Sext0,
        Field::Sext1,
        Field::Offset,
        Field::Offset0,
        Field::Offset1,
        Field::Gds,
        Field::Sc0,
        Field::Sc1,
        Field::Nt,
        Field::Lds,
        Field::Offen,
        Field::Idxen,
        Field::Tfe,
        Field::Dfmt,
        Field::Nfmt,
        Field::ImmOffset,
        Field::SoffsetEn,
        Field::Nv,
        Field::Sve,
        Field::Attr,
        Field::AttrChan,
        Field::ExpTarget,
        Field::ExpEnable,
        Field::ExpCompr,
        Field::ExpDone,
        Field::ExpVm,
        Field::Dmask,
        Field::Unorm,
        Field::Da,
        Field::A16,
        Field::Lwe,
        Field::D16,
        Field::High,
        Field::Reserved,
    ];
}

/// Where a field lies: `width` bits at `pos` of the instruction, then `hi_width` bits more at `hi_pos`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// First bit, counted from bit 0 of the first dword.
    pub pos: u8,
    /// Number of bits; 0 if the format has no such field.
    pub width: u8,
    /// First bit of the upper part of a split field.
    pub hi_pos: u8,
    /// Bits of the upper part.
    pub hi_width: u8,
}

impl Bits {
    /// No such field.
    pub const NONE: Bits = Bits { pos: 0, width: 0, hi_pos: 0, hi_width: 0 };

    /// Whether the format has the field.
    #[inline(always)]
    pub const fn exists(self) -> bool {
        self.width != 0
    }

    /// The field's value.
    #[inline(always)]
    pub const fn get(self, words: &[u32; 4]) -> u32 {
        if self.width == 0 {
            return 0;
        }
        let low = extract(words, self.pos, self.width);
        if self.hi_width == 0 { low } else { low | extract(words, self.hi_pos, self.hi_width) << self.width }
    }

    /// Sets the field; bits of `value` beyond the width are dropped.
    #[inline(always)]
    pub const fn set(self, words: &mut [u32; 4], value: u32) {
        if self.width == 0 {
            return;
        }
        insert(words, self.pos, self.width, value);
        if self.hi_width != 0 {
            insert(words, self.hi_pos, self.hi_width, value >> self.width);
        }
    }

    /// Largest value the field holds.
    pub const fn max(self) -> u32 {
        let w = self.width as u32 + self.hi_width as u32;
        if w >= 32 { u32::MAX } else { (1 << w) - 1 }
    }
}

#[inline(always)]
const fn ones(width: u8) -> u32 {
    if width >= 32 { u32::MAX } else { (1u32 << width) - 1 }
}

#[inline(always)]
const fn extract(words: &[u32; 4], pos: u8, width: u8) -> u32 {
    (words[(pos as usize >> 5) & 3] >> (pos & 31)) & ones(width)
}

#[inline(always)]
const fn insert(words: &mut [u32; 4], pos: u8, width: u8, value: u32) {
    let m = ones(width) << (pos & 31);
    let w = &mut words[(pos as usize >> 5) & 3];
    *w = (*w & !m) | ((value << (pos & 31)) & m);
}

/// The bit map of a format in one form.
#[derive(Debug)]
pub struct Layout {
    /// Dwords without a trailing literal.
    pub dwords: u8,
    /// Fixed bits.
    pub base: [u32; 4],
    /// Which bits are fixed.
    pub base_mask: [u32; 4],
    /// Where the opcode is.
    pub opcode: Bits,
    /// Where each field is, by `Field as usize`.
    pub fields: [Bits; Field::COUNT],
}

impl Layout {
    const fn new(dwords: u8, base: u32, base_mask: u32, op: (u8, u8)) -> Layout {
        Layout {
            dwords,
            base: [base, 0, 0, 0],
            base_mask: [base_mask, 0, 0, 0],
            opcode: Bits { pos: op.0, width: op.1, hi_pos: 0, hi_width: 0 },
            fields: [Bits::NONE; Field::COUNT],
        }
    }
    const fn f(mut self, field: Field, pos: u8, width: u8) -> Layout {
        self.fields[field as usize] = Bits { pos, width, hi_pos: 0, hi_width: 0 };
        self
    }
    const fn split(mut self, field: Field, pos: u8, width: u8, hi_pos: u8, hi_width: u8) -> Layout {
        self.fields[field as usize] = Bits { pos, width, hi_pos, hi_width };
        self
    }
    const fn word1(mut self, base: u32, mask: u32, dwords: u8) -> Layout {
        self.dwords = dwords;
        self.base[1] |= base;
        self.base_mask[1] |= mask;
        self
    }
    /// Adds an SDWA or DPP dword: source 0 holds `marker`, and the real source is in the second dword.
    const fn extended(mut self, marker: u32) -> Layout {
        self.dwords = 2;
        self.base[0] |= marker;
        self.base_mask[0] |= 0x1ff;
        self.f(Field::Src0, 32, 8)
    }

    /// Where `field` is.
    #[inline(always)]
    pub const fn field(&self, field: Field) -> Bits {
        self.fields[field as usize]
    }
}

use Field as F;

const fn vop1() -> Layout {
    Layout::new(1, 0x7e00_0000, 0xfe00_0000, (9, 8)).f(F::Dst, 17, 8).f(F::Src0, 0, 9)
}
const fn vop2() -> Layout {
    Layout::new(1, 0, 0x8000_0000, (25, 6)).f(F::Dst, 17, 8).f(F::Src1, 9, 8).f(F::Src0, 0, 9)
}
const fn vopc() -> Layout {
    Layout::new(1, 0x7c00_0000, 0xfe00_0000, (17, 8)).f(F::Src1, 9, 8).f(F::Src0, 0, 9)
}
const fn sdwa_sources(l: Layout) -> Layout {
    l.extended(249)
        .f(F::Src0Sel, 48, 3)
        .f(F::Sext0, 51, 1)
        .f(F::Neg0, 52, 1)
        .f(F::Abs0, 53, 1)
        .f(F::Src0Scalar, 55, 1)
        .f(F::Src1Sel, 56, 3)
        .f(F::Sext1, 59, 1)
        .f(F::Neg1, 60, 1)
        .f(F::Abs1, 61, 1)
        .f(F::Src1Scalar, 63, 1)
}
const fn sdwa(l: Layout) -> Layout {
    sdwa_sources(l).f(F::DstSel, 40, 3).f(F::DstUnused, 43, 2).f(F::Clamp, 45, 1).f(F::Omod, 46, 2)
}
const fn dpp(l: Layout) -> Layout {
    l.extended(250)
        .f(F::DppCtrl, 40, 9)
        .f(F::FetchInactive, 50, 1)
        .f(F::BoundCtrl, 51, 1)
        .f(F::Neg0, 52, 1)
        .f(F::Abs0, 53, 1)
        .f(F::Neg1, 54, 1)
        .f(F::Abs1, 55, 1)
        .f(F::BankMask, 56, 4)
        .f(F::RowMask, 60, 4)
}
const fn vop3_base() -> Layout {
    Layout::new(2, 0xd000_0000, 0xfc00_0000, (16, 10))
        .f(F::Dst, 0, 8)
        .f(F::Clamp, 15, 1)
        .f(F::Src0, 32, 9)
        .f(F::Src1, 41, 9)
        .f(F::Src2, 50, 9)
        .f(F::Omod, 59, 2)
        .f(F::Neg, 61, 3)
}
const fn vop3() -> Layout {
    // The controls of swaps are in the place of `op_sel`.
    vop3_base()
        .f(F::Abs, 8, 3)
        .f(F::OpSel, 11, 4)
        .f(F::FetchInactive, 11, 1)
        .f(F::BoundCtrl, 12, 1)
        .f(F::Attr, 32, 6)
        .f(F::AttrChan, 38, 2)
        .f(F::High, 40, 1)
}
const fn vop3b() -> Layout {
    vop3_base().f(F::Sdst, 8, 7)
}
const fn vop3p_base() -> Layout {
    Layout::new(2, 0xd380_0000, 0xff80_0000, (16, 7)).f(F::Dst, 0, 8).f(F::Src0, 32, 9).f(F::Src1, 41, 9).f(
        F::Src2,
        50,
        9,
    )
}
const fn flat(seg: u32) -> Layout {
    Layout::new(2, 0xdc00_0000 | seg << 14, 0xfc00_c000, (18, 7))
        .f(F::Offset, 0, 13)
        .f(F::Lds, 13, 1)
        .f(F::Sc0, 16, 1)
        .f(F::Nt, 17, 1)
        .f(F::Sc1, 25, 1)
        .f(F::Vaddr, 32, 8)
        .f(F::Data0, 40, 8)
        .f(F::Saddr, 48, 7)
        .f(F::Acc, 55, 1)
        .f(F::Dst, 56, 8)
}

static SOP1: Layout = Layout::new(1, 0xbe80_0000, 0xff80_0000, (8, 8)).f(F::Dst, 16, 7).f(F::Src0, 0, 8);
static SOP2: Layout =
    Layout::new(1, 0x8000_0000, 0xc000_0000, (23, 7)).f(F::Dst, 16, 7).f(F::Src1, 8, 8).f(F::Src0, 0, 8);
static SOPC: Layout = Layout::new(1, 0xbf00_0000, 0xff80_0000, (16, 7)).f(F::Src1, 8, 8).f(F::Src0, 0, 8);
static SOPP: Layout = Layout::new(1, 0xbf80_0000, 0xff80_0000, (16, 7)).f(F::Simm16, 0, 16);
const fn sopk() -> Layout {
    Layout::new(1, 0xb000_0000, 0xf000_0000, (23, 5)).f(F::Dst, 16, 7).f(F::Simm16, 0, 16)
}
static SOPK: Layout = sopk();
static SOPK_LIT: Layout = sopk().word1(0, 0, 2).f(F::Literal, 32, 32);
static SMEM: Layout = Layout::new(2, 0xc000_0000, 0xfc00_0000, (18, 8))
    .f(F::Sbase, 0, 6)
    .f(F::Dst, 6, 7)
    .f(F::SoffsetEn, 14, 1)
    .f(F::Nv, 15, 1)
    .f(F::Sc0, 16, 1)
    .f(F::ImmOffset, 17, 1)
    .f(F::Offset, 32, 21)
    .f(F::Soffset, 57, 7);
static VOP1: Layout = vop1();
static VOP1_SDWA: Layout = sdwa(vop1());
static VOP1_DPP: Layout = dpp(vop1());
static VOP2: Layout = vop2();
static VOP2_SDWA: Layout = sdwa(vop2());
static VOP2_DPP: Layout = dpp(vop2());
static VOP2_LIT: Layout = vop2().word1(0, 0, 2).f(F::Literal, 32, 32);
static VOPC: Layout = vopc();
static VOPC_SDWA: Layout = sdwa_sources(vopc()).f(F::Sdst, 40, 7).f(F::SdstOn, 47, 1);
static VOP3: Layout = vop3();
static VOP3B: Layout = vop3b();
static VOP3P: Layout = vop3p_base()
    .f(F::NegHi, 8, 3)
    .f(F::OpSel, 11, 3)
    .split(F::OpSelHi, 59, 2, 14, 1)
    .f(F::Clamp, 15, 1)
    .f(F::Neg, 61, 3);
static MAI: Layout =
    vop3p_base().f(F::Cbsz, 8, 3).f(F::Abid, 11, 4).f(F::Acc, 15, 1).f(F::AccA, 59, 1).f(F::AccB, 60, 1).f(
        F::Blgp,
        61,
        3,
    );
static MAI_SCALE: Layout = Layout {
    dwords: 4,
    base: [0xd3ac_0000, 0, 0xd380_0800, 0],
    base_mask: [0xffff_0000, 0, 0xff80_7800, 0],
    opcode: Bits { pos: 64 + 16, width: 7, hi_pos: 0, hi_width: 0 },
    fields: [Bits::NONE; Field::COUNT],
}
.f(F::NegHi, 8, 3)
.f(F::ScaleOpSel, 11, 3)
.split(F::ScaleOpSelHi, 59, 2, 14, 1)
.f(F::ScaleSrc0, 32, 9)
.f(F::ScaleSrc1, 41, 9)
.f(F::Dst, 64, 8)
.f(F::Cbsz, 64 + 8, 3)
.f(F::Acc, 64 + 15, 1)
.f(F::Src0, 96, 9)
.f(F::Src1, 96 + 9, 9)
.f(F::Src2, 96 + 18, 9)
.f(F::AccA, 96 + 27, 1)
.f(F::AccB, 96 + 28, 1)
.f(F::Blgp, 96 + 29, 3);
static VINTRP: Layout = Layout::new(1, 0xd400_0000, 0xfc00_0000, (16, 2))
    .f(F::Src1, 0, 8)
    .f(F::AttrChan, 8, 2)
    .f(F::Attr, 10, 6)
    .f(F::Dst, 18, 8);
static DS: Layout = Layout::new(2, 0xd800_0000, 0xfc00_0000, (17, 8))
    .f(F::Offset, 0, 16)
    .f(F::Offset0, 0, 8)
    .f(F::Offset1, 8, 8)
    .f(F::Gds, 16, 1)
    .f(F::Acc, 25, 1)
    .f(F::Vaddr, 32, 8)
    .f(F::Data0, 40, 8)
    .f(F::Data1, 48, 8)
    .f(F::Dst, 56, 8);
static MUBUF: Layout = Layout::new(2, 0xe000_0000, 0xfc00_0000, (18, 7))
    .f(F::Offset, 0, 12)
    .f(F::Offen, 12, 1)
    .f(F::Idxen, 13, 1)
    .f(F::Sc0, 14, 1)
    .f(F::Sc1, 15, 1)
    .f(F::Lds, 16, 1)
    .f(F::Nt, 17, 1)
    .f(F::Vaddr, 32, 8)
    .f(F::Data0, 40, 8)
    .f(F::Srsrc, 48, 5)
    .f(F::Acc, 55, 1)
    .f(F::Tfe, 55, 1)
    .f(F::Soffset, 56, 8);
static MTBUF: Layout = Layout::new(2, 0xe800_0000, 0xfc00_0000, (15, 4))
    .f(F::Offset, 0, 12)
    .f(F::Offen, 12, 1)
    .f(F::Idxen, 13, 1)
    .f(F::Sc0, 14, 1)
    .f(F::Dfmt, 19, 4)
    .f(F::Nfmt, 23, 3)
    .f(F::Vaddr, 32, 8)
    .f(F::Data0, 40, 8)
    .f(F::Srsrc, 48, 5)
    .f(F::Sc1, 53, 1)
    .f(F::Nt, 54, 1)
    .f(F::Acc, 55, 1)
    .f(F::Tfe, 55, 1)
    .f(F::Soffset, 56, 8);
static FLAT: Layout = flat(0).f(F::Offset, 0, 12);
static SCRATCH: Layout = flat(1).f(F::Sve, 13, 1);
static GLOBAL: Layout = flat(2);
static EXP: Layout = Layout::new(2, 0xc400_0000, 0xfc00_0000, (0, 0))
    .f(F::ExpEnable, 0, 4)
    .f(F::ExpTarget, 4, 6)
    .f(F::ExpCompr, 10, 1)
    .f(F::ExpDone, 11, 1)
    .f(F::ExpVm, 12, 1)
    .f(F::Src0, 32, 8)
    .f(F::Src1, 40, 8)
    .f(F::Src2, 48, 8)
    .f(F::Data0, 56, 8);
static MIMG: Layout = Layout::new(2, 0xf000_0000, 0xfc00_0000, (18, 7))
    .f(F::Sc1, 7, 1)
    .f(F::Dmask, 8, 4)
    .f(F::Unorm, 12, 1)
    .f(F::Sc0, 13, 1)
    .f(F::Da, 14, 1)
    .f(F::A16, 15, 1)
    .f(F::Tfe, 16, 1)
    .f(F::Acc, 16, 1)
    .f(F::Lwe, 17, 1)
    .f(F::Nt, 25, 1)
    .f(F::Vaddr, 32, 8)
    .f(F::Data0, 40, 8)
    .f(F::Srsrc, 48, 5)
    .f(F::Ssamp, 53, 5)
    .f(F::D16, 63, 1);

impl Format {
    /// How many formats there are.
    pub const COUNT: usize = Format::MIMG as usize + 1;

    /// The format's bit map in `form`; forms that a format lacks fall back to its own.
    #[inline]
    pub fn layout(self, form: Form) -> &'static Layout {
        LAYOUTS[self as usize * 4 + form as usize]
    }
}

static LAYOUTS: [&Layout; Format::COUNT * 4] = [
    &SOP1, &SOP1, &SOP1, &SOP1, &SOP2, &SOP2, &SOP2, &SOP2, &SOPK, &SOPK, &SOPK, &SOPK, &SOPK_LIT, &SOPK_LIT,
    &SOPK_LIT, &SOPK_LIT, &SOPC, &SOPC, &SOPC, &SOPC, &SOPP, &SOPP, &SOPP, &SOPP, &SMEM, &SMEM, &SMEM, &SMEM, &VOP1,
    &VOP3, &VOP1_SDWA, &VOP1_DPP, &VOP2, &VOP3, &VOP2_SDWA, &VOP2_DPP, &VOP2, &VOP3B, &VOP2_SDWA, &VOP2_DPP, &VOP2_LIT,
    &VOP2_LIT, &VOP2_LIT, &VOP2_LIT, &VOPC, &VOP3, &VOPC_SDWA, &VOPC, &VOP3, &VOP3, &VOP3, &VOP3, &VOP3B, &VOP3B,
    &VOP3B, &VOP3B, &VOP3P, &VOP3P, &VOP3P, &VOP3P, &MAI, &MAI, &MAI, &MAI, &MAI_SCALE, &MAI_SCALE, &MAI_SCALE,
    &MAI_SCALE, &VINTRP, &VOP3, &VINTRP, &VINTRP, &DS, &DS, &DS, &DS, &MUBUF, &MUBUF, &MUBUF, &MUBUF, &MTBUF, &MTBUF,
    &MTBUF, &MTBUF, &FLAT, &FLAT, &FLAT, &FLAT, &GLOBAL, &GLOBAL, &GLOBAL, &GLOBAL, &SCRATCH, &SCRATCH, &SCRATCH,
    &SCRATCH, &EXP, &EXP, &EXP, &EXP, &MIMG, &MIMG, &MIMG, &MIMG,
];

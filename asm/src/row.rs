//! The shape of an instruction row: one line of plain data per instruction.

use crate::class::{Hazard, Time};
use crate::format::{Field, Form, Format};
use crate::sem::{Elem, Sem};
use crate::target::{Target, Targets};

/// Which registers or constants an operand may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// VGPRs. As the second source of VOP2 and VOPC: any VALU source in the 64-bit form.
    V,
    /// AGPRs.
    A,
    /// VGPRs, or AGPRs through the accumulation bit (gfx90a and later; gfx908 has VGPRs only).
    AV,
    /// VGPR, AGPR or an inline constant: an MFMA's accumulator input.
    AVC,
    /// Any VALU source: VGPR, scalar register, inline constant, literal.
    VS,
    /// A VGPR or LDS_DIRECT-like scalar, no literal: sources of VOP3P and VINTRP keep to `VS`.
    VI,
    /// Scalar registers.
    S,
    /// Scalar source: register, inline constant or literal.
    SS,
    /// Scalar source without literal: buffer offsets, lane selects.
    SN,
    /// A 64-bit lane mask: VCC implied in short forms, any SGPR pair in VOP3.
    M,
    /// The mandatory literal.
    K,
    /// An immediate field.
    Imm,
    /// A branch offset in dwords from the next instruction.
    Label,
    /// A vector address (`off` or VGPRs, as other bits say).
    VAddr,
    /// A scalar base (`off` or SGPRs).
    SAddr,
    /// SMEM offset: immediate or SGPR.
    SOff,
    /// Hardware register immediate (`hwreg(...)`).
    HwReg,
    /// Message immediate (`sendmsg(...)`).
    Msg,
    /// Wait counters immediate.
    WaitCnt,
    /// `gpr_idx(...)` immediate.
    GprIdx,
    /// DS swizzle pattern or plain offset is a modifier; export target.
    ExpTgt,
    /// Export source: VGPR or `off`.
    ExpSrc,
    /// Interpolation attribute with channel.
    Attr,
    /// Interpolation parameter (`p10`, `p20`, `p0`).
    Param,
}

impl Class {
    /// Whether it is a number in a field of its own, never a register and never encoded in a way of its own.
    pub(crate) fn is_number(self) -> bool {
        matches!(
            self,
            Class::Imm
                | Class::Label
                | Class::HwReg
                | Class::Msg
                | Class::WaitCnt
                | Class::GprIdx
                | Class::ExpTgt
                | Class::Param
        )
    }
}

/// Element type and count of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ty {
    /// Element type.
    pub elem: Elem,
    /// Elements of an operand.
    pub count: u8,
}

impl Ty {
    /// `n` elements of this type.
    pub const fn x(self, n: u8) -> Ty {
        Ty { elem: self.elem, count: n }
    }

    /// Registers that the operand takes.
    pub const fn dwords(self) -> u8 {
        ((self.elem.bits() * self.count as u32).div_ceil(32)) as u8
    }
}

/// Whether an operand is read, written or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Access {
    R,
    W,
    RW,
}

/// One operand of a row, in assembly order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opd {
    /// Where it is encoded.
    pub slot: Field,
    /// What may go there.
    pub class: Class,
    /// Element type and count.
    pub ty: Ty,
    /// Read, written or both.
    pub access: Access,
}

impl Opd {
    /// Whether the operand can be negated where the row allows it: integers and masks cannot.
    pub const fn takes_sign(&self) -> bool {
        let e = self.ty.elem;
        !matches!(self.class, Class::M)
            && (e.is_float() && e.bits() >= 16 || matches!(e, Elem::B16 | Elem::B32 | Elem::B64))
    }

    /// The same operand, read as well as written.
    pub const fn rw(mut self) -> Opd {
        self.access = Access::RW;
        self
    }

    /// The same operand, only read.
    pub const fn read(mut self) -> Opd {
        self.access = Access::R;
        self
    }
}

/// A set of things that an instruction's encodings may carry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mods(pub u32);

impl Mods {
    /// Nothing.
    pub const NONE: Mods = Mods(0);
    /// `clamp`.
    pub const CLAMP: Mods = Mods(1);
    /// `mul:2`, `mul:4`, `div:2`.
    pub const OMOD: Mods = Mods(2);
    /// `-x` and `|x|`.
    pub const NEG: Mods = Mods(4);
    /// `op_sel`.
    pub const OPSEL: Mods = Mods(8);
    /// `op_sel_hi` (VOP3P).
    pub const OPSELHI: Mods = Mods(16);
    /// `neg_lo`, `neg_hi` (VOP3P).
    pub const NEGLOHI: Mods = Mods(32);
    /// Has a DPP form.
    pub const DPP: Mods = Mods(64);
    /// Has an SDWA form.
    pub const SDWA: Mods = Mods(128);
    /// Has a 64-bit form.
    pub const E64: Mods = Mods(256);
    /// Sign extension in SDWA (`sext()`), instead of negation.
    pub const SEXT: Mods = Mods(512);
    /// `cbsz`, `abid`.
    pub const CBSZ: Mods = Mods(1024);
    /// `blgp`, or `neg` for f64.
    pub const BLGP: Mods = Mods(2048);
    /// Has no short form: only SDWA, DPP or 64-bit encodings exist.
    pub const NO_E32: Mods = Mods(4096);
    /// `clamp` in SDWA.
    pub const SDWA_CLAMP: Mods = Mods(8192);
    /// `op_sel` has a third source bit though the row has two sources: it selects a byte of the destination.
    pub const OPSEL4: Mods = Mods(1 << 23);
    /// SDWA without `dst_sel` and `dst_unused`.
    pub const NO_DST_SEL: Mods = Mods(1 << 22);
    /// `mul:2` and so on in SDWA.
    pub const SDWA_OMOD: Mods = Mods(1 << 21);
    /// `bound_ctrl` and other DPP controls restricted to 64-bit rules (`row_newbcast` only).
    pub const DPP64: Mods = Mods(16384);

    /// MUBUF: loads into LDS with `lds`.
    pub const LDS: Mods = Mods(1 << 15);
    /// DS: may address GDS with `gds`.
    pub const GDS: Mods = Mods(1 << 16);
    /// DS: always addresses GDS.
    pub const GDS_ONLY: Mods = Mods(1 << 17);
    /// The truth table of `v_bitop3`, in the place of magnitude, output modifier and negation.
    pub const BITOP3: Mods = Mods(1 << 19);
    /// An atomic that cannot return the old value.
    pub const NO_RTN: Mods = Mods(1 << 20);
    /// SMEM: has `glc`.
    pub const GLC: Mods = Mods(1 << 18);

    /// `bound_ctrl` and `fi` in the 64-bit form, in the place of `op_sel`.
    pub const SWAP_CTRL: Mods = Mods(1 << 24);

    /// MIMG: `d16`.
    pub const D16: Mods = Mods(1 << 25);
    /// MIMG: four texels of one channel.
    pub const GATHER: Mods = Mods(1 << 26);
    /// MIMG: an atomic.
    pub const IMAGE_ATOMIC: Mods = Mods(1 << 27);
    /// `high`: the upper half of an attribute.
    pub const HIGH: Mods = Mods(1 << 30);

    /// MIMG: coordinates take at least so many registers, 1 to 4.
    pub const fn coords_from(least: u8) -> Mods {
        Mods(((least as u32 - 1) & 3) << 28)
    }

    /// The least number of registers that coordinates take.
    pub(crate) const fn least_coords(self) -> u8 {
        (self.0 >> 28 & 3) as u8 + 1
    }

    /// Both sets.
    pub const fn or(self, o: Mods) -> Mods {
        Mods(self.0 | o.0)
    }
    /// Whether all of `o` are in.
    #[inline]
    pub const fn has(self, o: Mods) -> bool {
        self.0 & o.0 == o.0
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// LLVM's mnemonic without encoding suffix.
    pub name: &'static str,
    /// The format of its own encoding.
    pub format: Format,
    /// Opcode in that format.
    pub opcode: u16,
    /// Targets that have it.
    pub targets: Targets,
    /// Operands in assembly order.
    pub operands: &'static [Opd],
    /// What it does.
    pub sem: Sem,
    /// What it costs.
    pub time: Time,
    /// What it endangers.
    pub hazard: Hazard,
    /// Modifiers and further forms.
    pub mods: Mods,
    /// Opcode of the 64-bit form of VOP1, VOP2, VOPC rows.
    pub opcode64: u16,
}

impl Row {
    /// Gives the modifiers and further forms.
    pub const fn mods(mut self, mods: Mods) -> Row {
        self.mods = mods;
        self
    }

    /// Gives the opcode of the 64-bit form where it is not the format's usual one.
    pub const fn e64(mut self, opcode: u16) -> Row {
        self.opcode64 = opcode;
        self
    }

    /// How many bits of `op_sel` come before the destination's.
    pub(crate) fn op_sel_sources(&self) -> usize {
        if self.mods.has(Mods::OPSEL4) {
            return 3;
        }
        self.operands.iter().filter(|o| matches!(o.slot, Field::Src0 | Field::Src1 | Field::Src2)).count()
    }

    /// Whether SDWA can extend the sign of what this operand selects: all sources of integer instructions, and the
    /// integer among those of floating-point ones (an exponent, a class mask).
    #[inline]
    pub(crate) const fn extends_sign(&self, opd: &Opd) -> bool {
        self.mods.has(Mods::SEXT) || self.mods.has(Mods::NEG) && !opd.takes_sign()
    }

    /// The operand encoded in `slot`, if the row has one.
    pub fn operand(&self, slot: Field) -> Option<&'static Opd> {
        self.operands.iter().find(|o| o.slot == slot)
    }

    /// Whether `form` exists for this row on `target`.
    #[inline]
    pub const fn has_form(&self, form: Form, target: Target) -> bool {
        if !self.targets.has(target) {
            return false;
        }
        match form {
            Form::Base => !self.mods.has(Mods::NO_E32),
            Form::E64 => self.mods.has(Mods::E64),
            Form::Sdwa => self.mods.has(Mods::SDWA),
            Form::Dpp => self.mods.has(Mods::DPP) && !(self.mods.has(Mods::DPP64) && matches!(target, Target::Gfx908)),
        }
    }
}

/// Makes a row; the line that an instruction is.
#[allow(clippy::too_many_arguments)]
pub const fn op(
    name: &'static str,
    format: Format,
    opcode: u16,
    targets: Targets,
    operands: &'static [Opd],
    sem: Sem,
    time: Time,
    hazard: Hazard,
) -> Row {
    let opcode64 = match format {
        Format::VOP1 => 0x140 + opcode,
        Format::VOP2 | Format::VOP2B => 0x100 + opcode,
        _ => opcode,
    };
    Row { name, format, opcode, targets, operands, sem, time, hazard, mods: Mods::NONE, opcode64 }
}

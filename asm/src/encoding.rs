//! What all instructions of one encoding share: a row in one of its forms on a target.
//!
//! Reading, printing and checking an instruction ask the same questions of its row each time: where operands are and how
//! wide, which bits are modifiers, what its name is with the suffix. The answers are found once per encoding, when it is
//! first met, so that most of a listing is looking up.

use crate::canonical::modifiers;
use crate::encode::blank;
use crate::format::{Bits, Field, Form, Format};
use crate::inst::Inst;
use crate::print::{Name, Quick, modifiers_are_silent};
use crate::row::{Class, Mods, Opd, Row};
use crate::rows::{COUNT, RowId};
use crate::sem::{Control, Sem};
use crate::target::Target;
use std::sync::{LazyLock, OnceLock};

/// How an operand's value follows from its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// VGPRs.
    Vector,
    /// AGPRs.
    Accumulator,
    /// VGPRs, or AGPRs where the bit is set.
    Either(Bits),
    /// The same in nine bits; codes below 256 are no registers.
    EitherCode(Bits),
    /// A source code; VGPRs are AGPRs where the bit is set.
    EitherSource(Bits),
    /// A source code: register, inline constant or the mark of a literal.
    Source,
    /// Scalar registers, counted in runs of so many.
    Scalar(u8),
    /// VCC, unsaid.
    Vcc,
    /// Other bits than the operand's own count too.
    Other,
}

/// One operand of an encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) opd: &'static Opd,
    pub(crate) bits: Bits,
    pub(crate) kind: Kind,
    /// Registers that it takes, where that is always the same.
    pub(crate) dwords: u8,
}

/// A row in one form on one target.
#[derive(Debug)]
pub(crate) struct Encoding {
    /// Operands in assembly order.
    pub(crate) places: Box<[Place]>,
    /// The instruction without operands and modifiers.
    pub(crate) blank: [u32; 4],
    /// The bits that text cannot say; they must be those of `blank`.
    pub(crate) fixed: [u32; 4],
    /// The bits that belong to no operand: where they are those of `blank`, there are no modifiers.
    pub(crate) beside: [u32; 4],
    /// The fields beside operands that text can say, as a set.
    pub(crate) modifiers: u128,
    /// The mnemonic with its suffix.
    pub(crate) name: Name,
    /// Whether nothing is printed where there are no modifiers.
    pub(crate) silent: bool,
    /// Whether some fields have values without a meaning even where there are no modifiers.
    pub(crate) checked: bool,
    /// Whether an operand shows only the low half of a literal.
    pub(crate) half: bool,
    /// Tables of the texts of the usual instructions, where there are any.
    pub(crate) quick: Option<Quick>,
}

impl Encoding {
    /// The encoding of a row, computed when first asked for.
    #[inline]
    pub(crate) fn of(id: RowId, form: Form, target: Target) -> &'static Encoding {
        static ENCODINGS: LazyLock<Vec<OnceLock<Box<Encoding>>>> =
            LazyLock::new(|| (0..COUNT * 16).map(|_| OnceLock::new()).collect());
        ENCODINGS[(id.0 as usize * 4 + form as usize) * 4 + target as usize]
            .get_or_init(|| Box::new(Encoding::new(id, form, target)))
    }

    /// Whether the instruction, which is of this encoding, has all its modifiers at their defaults.
    #[inline]
    pub(crate) fn is_plain(&self, words: &[u32; 4]) -> bool {
        differing(words, &self.blank, &self.beside) == 0
    }

    /// Whether the bits that text cannot say are as they must be.
    #[inline]
    pub(crate) fn is_sayable(&self, words: &[u32; 4]) -> bool {
        differing(words, &self.blank, &self.fixed) == 0
    }

    fn new(id: RowId, form: Form, target: Target) -> Encoding {
        let row = id.row();
        let inst = blank(id, form, target);
        let mut said = 0;
        modifiers(row, form, target, |f| said |= 1 << f as u8);
        let places: Box<[Place]> = row.operands.iter().map(|o| place(&inst, row, o)).collect();
        // What these check are operands, whatever the modifiers are.
        let always = matches!(
            row.sem,
            Sem::Control(Control::Waitcnt | Control::SetGprIdxMode | Control::SetGprIdxOn) | Sem::Export
        ) || row.format == Format::SMEM;
        Encoding {
            quick: Quick::new(&inst, &places, said),
            places,
            blank: inst.words,
            fixed: fixed(&inst, row),
            beside: beside(&inst, row),
            modifiers: said,
            name: name(&inst, row),
            silent: modifiers_are_silent(&inst),
            checked: always || !inst.fields_are_valid(),
            half: row.operands.iter().any(|o| o.ty.elem.bits() == 16 && o.ty.count == 1),
        }
    }
}

/// The bits that differ, among some.
#[inline]
pub(crate) fn differing(a: &[u32; 4], b: &[u32; 4], among: &[u32; 4]) -> u32 {
    (a[0] ^ b[0]) & among[0] | (a[1] ^ b[1]) & among[1] | (a[2] ^ b[2]) & among[2] | (a[3] ^ b[3]) & among[3]
}

fn name(inst: &Inst, row: &Row) -> Name {
    let suffixed = row.format.is_short() && row.format != Format::VOP2_LIT || row.format == Format::VINTRP;
    let suffix = match inst.form() {
        _ if !suffixed => "",
        Form::Base if row.mods.has(Mods::E64) && !row.operands.is_empty() => "_e32",
        Form::Base => "",
        Form::E64 => "_e64",
        Form::Sdwa => "_sdwa",
        Form::Dpp => "_dpp",
    };
    Name::new(&format!("{}{suffix}", row.name))
}

/// Where an operand is in instructions of the encoding that `inst` is of.
pub(crate) fn place(inst: &Inst, row: &Row, opd: &'static Opd) -> Place {
    let bits = inst.layout().field(opd.slot);
    Place { opd, bits, kind: kind(inst, row, opd, bits), dwords: opd.ty.dwords() }
}

/// The kind that says the same as `Inst::read`, or [`Kind::Other`].
fn kind(inst: &Inst, row: &Row, opd: &Opd, bits: Bits) -> Kind {
    let memory = matches!(row.sem, Sem::Load { .. } | Sem::Store { .. } | Sem::Atomic { .. });
    // The width follows from other fields.
    let wide = matches!(row.sem, Sem::Mfma(m) if m.typed_by_fields) || matches!(row.sem, Sem::Image);
    let status = memory && opd.slot == Field::Data0 && crate::canonical::has_tfe(row, inst.target());
    // Whether there is a value at all follows from other fields.
    let asked = match opd.slot {
        Field::Dst => {
            matches!(row.format, Format::FLAT | Format::GLOBAL | Format::SCRATCH)
                && (matches!(row.sem, Sem::Atomic { .. }) || crate::canonical::has_lds(row, inst.target()))
        }
        Field::Data0 => row.format == Format::MUBUF && matches!(row.sem, Sem::Load { .. }),
        _ => false,
    };
    if wide || status || asked {
        return Kind::Other;
    }
    let file = {
        let field = accumulation_bit(opd.slot);
        let known = inst.target().unified_vgprs() || row.format == Format::MAI;
        if known { inst.layout().field(field) } else { Bits::NONE }
    };
    match opd.class {
        Class::A if bits.width == 8 => Kind::Accumulator,
        Class::AV if bits.width == 8 => Kind::Either(file),
        Class::AV => Kind::EitherCode(file),
        Class::AVC => Kind::EitherSource(file),
        Class::V | Class::VS | Class::VI if bits.width == 9 => Kind::Source,
        Class::V | Class::VS | Class::VI if inst.form() != Form::Sdwa || opd.slot == Field::Dst => Kind::Vector,
        Class::S => match opd.slot {
            Field::Sbase => Kind::Scalar(2),
            Field::Srsrc | Field::Ssamp => Kind::Scalar(4),
            _ if matches!(bits.width, 8 | 9) => Kind::Source,
            _ => Kind::Scalar(1),
        },
        Class::SS | Class::SN => Kind::Source,
        Class::M => match inst.form() {
            Form::Base if row.format.is_short() => Kind::Vcc,
            Form::Dpp => Kind::Vcc,
            Form::Sdwa => Kind::Other,
            _ => Kind::Source,
        },
        _ => Kind::Other,
    }
}

/// The bit that chooses between VGPRs and AGPRs for what a slot names.
pub(crate) fn accumulation_bit(slot: Field) -> Field {
    match slot {
        Field::Src0 => Field::AccA,
        Field::Src1 => Field::AccB,
        _ => Field::Acc,
    }
}

fn beside(inst: &Inst, row: &Row) -> [u32; 4] {
    let mut operands = [0; 4];
    for o in row.operands {
        inst.layout().field(o.slot).set(&mut operands, u32::MAX);
    }
    inst.layout().field(Field::Literal).set(&mut operands, u32::MAX);
    within(inst, operands)
}

/// All bits of the encoding but those given; what follows it is a literal.
fn within(inst: &Inst, but: [u32; 4]) -> [u32; 4] {
    let mut out = [0; 4];
    for (i, o) in out.iter_mut().enumerate().take(inst.layout().dwords as usize) {
        *o = !but[i];
    }
    out
}

fn fixed(inst: &Inst, row: &Row) -> [u32; 4] {
    let (layout, form, target) = (inst.layout(), inst.form(), inst.target());
    let mut free = [0u32; 4];
    let mut say = |field: Field| layout.field(field).set(&mut free, u32::MAX);
    for o in row.operands {
        say(o.slot);
        match o.class {
            Class::AV | Class::AVC if target.unified_vgprs() || row.format == Format::MAI => {
                say(accumulation_bit(o.slot))
            }
            Class::VAddr if row.format == Format::SCRATCH && target >= Target::Gfx942 => say(Field::Sve),
            Class::SOff => [Field::Soffset, Field::SoffsetEn, Field::ImmOffset].into_iter().for_each(&mut say),
            Class::M => [Field::Sdst, Field::SdstOn].into_iter().for_each(&mut say),
            Class::Attr => [Field::Attr, Field::AttrChan].into_iter().for_each(&mut say),
            Class::ExpSrc => say(Field::ExpEnable),
            _ => {}
        }
        if form == Form::Sdwa {
            match o.slot {
                Field::Src0 => say(Field::Src0Scalar),
                Field::Src1 => say(Field::Src1Scalar),
                _ => {}
            }
        }
    }
    modifiers(row, form, target, &mut say);
    let mut fixed = within(inst, free);
    // The marker of an extended form is in the place of the source.
    for (f, base) in fixed.iter_mut().zip(layout.base_mask) {
        *f |= base;
    }
    fixed
}

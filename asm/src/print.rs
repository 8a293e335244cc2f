//! The one printer: LLVM's syntax for any instruction.

mod modifier;
mod number;
mod operand;
mod quick;
mod register;
mod text;

pub(crate) use number::{push_hex, push_hex_padded, push_hex_plain, push_u32};
pub(crate) use quick::Quick;
pub(crate) use register::push_reg;
pub(crate) use text::{Name, Text};

use crate::encoding::Encoding;
use crate::inst::Inst;
use crate::operand::Operand;
use crate::row::Class;

/// The instruction as text: branch offsets as numbers.
pub fn text(inst: &Inst) -> String {
    let mut out = Text::with_capacity(96);
    push_text(&mut out, inst);
    out.into_string()
}

/// Appends the instruction as [`text`] gives it.
pub fn push(out: &mut String, inst: &Inst) {
    out.push_str(&text(inst));
}

/// The same for text as the disassembler builds it.
pub(crate) fn push_text(out: &mut Text, inst: &Inst) {
    let encoding = inst.encoding();
    if !push_usual(out, inst, encoding) {
        push_with(out, inst, encoding, &inst.read_places(encoding));
    }
}

/// Appends the instruction if it is one of the many that tables hold and that text can say; else appends nothing.
#[inline]
pub(crate) fn push_usual(out: &mut Text, inst: &Inst, encoding: &Encoding) -> bool {
    quick::push(out, inst, encoding)
}

/// The same by the printer that knows everything, with the operands already read.
pub(crate) fn push_with(out: &mut Text, inst: &Inst, encoding: &Encoding, operands: &[Option<Operand>; 8]) {
    out.push_name(&encoding.name);
    let plain = encoding.is_plain(&inst.words);
    let mut first = true;
    for (place, value) in encoding.places.iter().zip(operands) {
        let Some(value) = *value else { continue };
        // The end of a program is told without its operand where that is 0.
        if place.opd.class == Class::Imm && value == Operand::Imm(0) && inst.name() == "s_endpgm" {
            continue;
        }
        out.push_str(if first { " " } else { ", " });
        first = false;
        if plain {
            operand::push_value(out, inst, place.opd, value);
        } else {
            operand::push_operand(out, inst, place.opd, value);
        }
    }
    if !(plain && encoding.silent) {
        modifier::push_modifiers(out, inst);
    }
}

/// Whether the instruction, which has no modifiers, shows none.
pub(crate) fn modifiers_are_silent(inst: &Inst) -> bool {
    let mut out = Text::default();
    modifier::push_modifiers(&mut out, inst);
    out.len() == 0
}

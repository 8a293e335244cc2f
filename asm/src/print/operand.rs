//! Operands as LLVM writes them, with what negates or widens them.

use super::number::{push_hex, push_i32, push_u32};
use super::register::push_reg;
use super::text::Text;
use crate::format::{Field, Form, Format};
use crate::imm;
use crate::inst::Inst;
use crate::operand::{Operand, inline_float};
use crate::row::{Class, Mods, Opd};
use crate::sem::Elem;

/// Appends an operand with its source modifiers.
pub(super) fn push_operand(out: &mut Text, inst: &Inst, opd: &Opd, value: Operand) {
    let (neg, abs, sext) = source_modifiers(inst, opd);
    if sext {
        out.push_str("sext(");
    }
    let constant = matches!(value, Operand::Int(_) | Operand::Float(_) | Operand::Literal(_));
    if neg {
        out.push_str(if constant && !abs { "neg(" } else { "-" });
    }
    if abs {
        out.push('|');
    }
    push_value(out, inst, opd, value);
    if abs {
        out.push('|');
    }
    if neg && constant && !abs {
        out.push(')');
    }
    if sext {
        out.push(')');
    }
}

/// Appends an operand that nothing negates or widens.
#[inline]
pub(super) fn push_value(out: &mut Text, inst: &Inst, opd: &Opd, value: Operand) {
    match value {
        Operand::Reg(r) => push_reg(out, r),
        Operand::Int(x) => push_i32(out, x),
        Operand::Float(bits) => match opd.ty.elem {
            // Integer operands of 16 bits take the f16 pattern, and LLVM shows it as such.
            Elem::I16 | Elem::U16 | Elem::B16 if opd.ty.count == 1 => {
                push_hex(out, crate::float::f32_to_f16(bits) as u32)
            }
            e => push_float(out, bits, e),
        },
        Operand::Literal(x) => push_literal(out, x, opd),
        Operand::Off => out.push_str("off"),
        Operand::Invalid(x) => {
            out.push_str("invalid_");
            push_u32(out, x as u32);
        }
        Operand::Imm(x) => push_imm(out, inst, opd, x),
    }
}

/// A literal dword; `lit()` keeps one that an inline constant would replace.
pub(super) fn push_literal(out: &mut Text, x: u32, opd: &Opd) {
    let half = opd.ty.elem.bits() == 16 && opd.ty.count == 1;
    // Pairs of integers are read as whole dwords where those are floating-point constants.
    let pair = opd.ty.count == 2 && opd.ty.elem.bits() == 16 && !opd.ty.elem.is_float() && inline_float(x).is_some();
    if opd.class != Class::K && (pair || crate::encode::would_be_inline(x, opd.ty.elem, half)) {
        out.push_str("lit(");
        push_hex(out, x);
        return out.push(')');
    }
    push_hex(out, if half && opd.class != Class::K { x & 0xffff } else { x });
}

fn push_imm(out: &mut Text, inst: &Inst, opd: &Opd, x: i32) {
    match opd.class {
        Class::Label => push_i32(out, x as u16 as i32),
        Class::SOff => {
            if x < 0 {
                out.push('-');
            }
            push_hex(out, x.unsigned_abs());
        }
        Class::HwReg => imm::push_hwreg(out, x as u32, inst.target()),
        Class::Msg => imm::push_msg(out, x as u32),
        Class::WaitCnt => imm::push_waitcnt(out, x as u32),
        Class::GprIdx => imm::push_gpr_idx(out, x as u32),
        Class::Attr => imm::push_attribute(out, x as u32),
        Class::Param => out.push_str(imm::PARAMETERS.get(x as usize).copied().unwrap_or("invalid_param")),
        Class::ExpTgt => match imm::export_target(x as u32) {
            Some(name) => out.push_str(&name),
            None => {
                out.push_str("invalid_target_");
                push_u32(out, x as u32);
            }
        },
        _ if inst.row().format == Format::SOPK => push_hex(out, x as u16 as u32),
        _ if inst.row().format == Format::SOPP && inst.name() != "s_endpgm" && !(-16..=64).contains(&x) => {
            push_hex(out, x as u16 as u32)
        }
        _ if inst.row().format == Format::SOPP && inst.name() == "s_endpgm" => push_u32(out, x as u16 as u32),
        _ if x > 64 => push_hex(out, x as u32),
        _ => push_i32(out, x),
    }
}

/// Negation, magnitude and sign extension of a source operand.
#[inline]
fn source_modifiers(inst: &Inst, opd: &Opd) -> (bool, bool, bool) {
    let i = match opd.slot {
        Field::Src0 => 0,
        Field::Src1 => 1,
        Field::Src2 => 2,
        _ => return (false, false, false),
    };
    let row = inst.row();
    match (row.format, inst.form()) {
        (Format::VOP3 | Format::VOP3B, _) | (_, Form::E64) => {
            if !row.mods.has(Mods::NEG) || !opd.takes_sign() {
                return (false, false, false);
            }
            ((inst.get(Field::Neg) >> i) & 1 != 0, (inst.get(Field::Abs) >> i) & 1 != 0, false)
        }
        (_, form @ (Form::Sdwa | Form::Dpp)) => {
            let (n, a, s) = if i == 0 {
                (Field::Neg0, Field::Abs0, Field::Sext0)
            } else {
                (Field::Neg1, Field::Abs1, Field::Sext1)
            };
            if i == 2 {
                return (false, false, false);
            }
            let float = row.mods.has(Mods::NEG) && opd.takes_sign();
            let sext = form == Form::Sdwa && row.extends_sign(opd);
            (float && inst.get(n) != 0, float && inst.get(a) != 0, sext && inst.get(s) != 0)
        }
        (Format::VOP3P, _) if !row.packed_by_default() => {
            ((inst.get(Field::Neg) >> i) & 1 != 0, (inst.get(Field::NegHi) >> i) & 1 != 0, false)
        }
        _ => (false, false, false),
    }
}

fn push_float(out: &mut Text, bits: u32, elem: Elem) {
    out.push_str(match bits {
        0x3f00_0000 => "0.5",
        0xbf00_0000 => "-0.5",
        0x3f80_0000 => "1.0",
        0xbf80_0000 => "-1.0",
        0x4000_0000 => "2.0",
        0xc000_0000 => "-2.0",
        0x4080_0000 => "4.0",
        0xc080_0000 => "-4.0",
        0x3e22_f983 if crate::inst::is_64(elem) => "0.15915494309189532",
        0x3e22_f983 => "0.15915494",
        _ => return push_hex(out, bits),
    });
}

#[cfg(test)]
mod tests {
    use crate::encode::blank;
    use crate::format::Form;
    use crate::operand::INLINE_FLOATS;
    use crate::properties::{encodings, printing_then_parsing_is_the_identity};
    use crate::row::Class;
    use crate::target::Target;

    #[test]
    fn literals_with_the_value_of_a_constant_stay_literals() {
        let halves = [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];
        let doubles = INLINE_FLOATS.map(|f| (f64::from(f32::from_bits(f)).to_bits() >> 32) as u32);
        let mut values: Vec<u32> = INLINE_FLOATS.iter().chain(&halves).chain(&doubles).copied().collect();
        // Halves of dwords, in bf16, and twice the same half.
        values.extend(INLINE_FLOATS.map(|f| f >> 16));
        values.extend(halves.map(|h| h | h << 16));
        values.extend((-20..70).map(|x| x as u32));
        values.extend([0xffff, 0xfff0, 0xffef, 0x1_0001]);
        let mut literals = 0;
        for target in Target::ALL {
            for (id, form) in encodings(target).filter(|(_, form)| *form == Form::Base) {
                for o in id.row().operands.iter().filter(|o| matches!(o.class, Class::SS | Class::VS)) {
                    for value in &values {
                        let mut inst = blank(id, form, target);
                        inst.set(o.slot, 255);
                        let mut words = inst.words().to_vec();
                        words.push(*value);
                        literals += 1;
                        printing_then_parsing_is_the_identity(&words, target);
                    }
                }
            }
        }
        assert!(literals > 100_000, "{literals}");
    }
}

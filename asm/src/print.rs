//! The one printer: LLVM's syntax for any instruction.

use crate::format::{Field, Form, Format};
use crate::imm;
use crate::inst::Inst;
use crate::operand::Operand;
use crate::reg::{Reg, RegClass, code};
use crate::row::{Class, Mods, Opd};
use crate::sem::{Elem, Sem};
use crate::target::Target;

/// The numbers 0 to 999, three digits each: most numbers of a listing are register indices.
static DIGITS: [u8; 3000] = {
    let mut t = [0; 3000];
    let mut i = 0;
    while i < 1000 {
        t[i * 3] = b'0' + (i / 100) as u8;
        t[i * 3 + 1] = b'0' + (i / 10 % 10) as u8;
        t[i * 3 + 2] = b'0' + (i % 10) as u8;
        i += 1;
    }
    t
};

/// The numbers 0 to 999 as text: most numbers of a listing are register indices.
static NUMBERS: [&str; 1000] = {
    let mut t = [""; 1000];
    let mut i = 0;
    while i < 1000 {
        let skip = if i < 10 {
            2
        } else if i < 100 {
            1
        } else {
            0
        };
        let (_, rest) = DIGITS.split_at(i * 3 + skip);
        let (digits, _) = rest.split_at(3 - skip);
        t[i] = match core::str::from_utf8(digits) {
            Ok(s) => s,
            Err(_) => "",
        };
        i += 1;
    }
    t
};

/// Appends a decimal number; the standard formatter would be half the cost of printing.
#[inline]
pub(crate) fn push_u32(out: &mut String, x: u32) {
    match NUMBERS.get(x as usize) {
        Some(s) => out.push_str(s),
        None => {
            push_u32(out, x / 1000);
            let r = (x % 1000) as usize;
            for d in [r / 100, r / 10 % 10, r % 10] {
                out.push_str(NUMBERS[d]);
            }
        }
    }
}

#[inline]
pub(crate) fn push_i32(out: &mut String, x: i32) {
    if x < 0 {
        out.push('-');
    }
    push_u32(out, x.unsigned_abs());
}

/// Appends `0x…` without leading zeros.
#[inline]
pub(crate) fn push_hex(out: &mut String, x: u32) {
    out.push_str("0x");
    let digits = (32 - x.leading_zeros()).div_ceil(4).max(1);
    for d in (0..digits).rev() {
        out.push(char::from_digit((x >> (4 * d)) & 15, 16).unwrap_or('0'));
    }
}

fn push_range(out: &mut String, prefix: &str, index: u16, count: u8) {
    out.push_str(prefix);
    if count <= 1 {
        push_u32(out, index as u32);
    } else {
        out.push('[');
        push_u32(out, index as u32);
        out.push(':');
        push_u32(out, index as u32 + count as u32 - 1);
        out.push(']');
    }
}

/// Appends a register as LLVM writes it.
pub(crate) fn push_reg(out: &mut String, r: Reg) {
    match r.class {
        RegClass::V => push_range(out, "v", r.index, r.count),
        RegClass::A => push_range(out, "a", r.index, r.count),
        RegClass::S => {
            let named = |out: &mut String, name: &str, base: u16| {
                out.push_str(name);
                if r.count == 1 {
                    out.push_str(if r.index == base { "_lo" } else { "_hi" });
                }
            };
            match r.index {
                102 | 103 if r.index as u32 + r.count as u32 <= 104 => named(out, "flat_scratch", 102),
                104 | 105 if r.index as u32 + r.count as u32 <= 106 => named(out, "xnack_mask", 104),
                106 | 107 if r.index as u32 + r.count as u32 <= 108 => named(out, "vcc", 106),
                108..=123 => push_range(out, "ttmp", r.index - code::TTMP0, r.count),
                124 if r.count == 1 => out.push_str("m0"),
                125 if r.count == 1 => out.push_str("null"),
                126 | 127 if r.index as u32 + r.count as u32 <= 128 => named(out, "exec", 126),
                _ => push_range(out, "s", r.index, r.count),
            }
        }
        RegClass::Src => out.push_str(match r.index {
            code::SHARED_BASE => "src_shared_base",
            code::SHARED_LIMIT => "src_shared_limit",
            code::PRIVATE_BASE => "src_private_base",
            code::PRIVATE_LIMIT => "src_private_limit",
            code::POPS_EXITING_WAVE_ID => "src_pops_exiting_wave_id",
            code::VCCZ => "src_vccz",
            code::EXECZ => "src_execz",
            code::SCC => "src_scc",
            code::LDS_DIRECT => "src_lds_direct",
            _ => "src_invalid",
        }),
    }
}

fn push_float(out: &mut String, bits: u32, elem: Elem) {
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

/// The instruction as text.
pub fn text(inst: &Inst) -> String {
    let mut s = String::with_capacity(64);
    push(&mut s, inst);
    s
}

/// Appends the instruction as text: branch offsets as numbers.
pub fn push(out: &mut String, inst: &Inst) {
    push_with(out, inst, &inst.read_all());
}

/// The same, with the operands already read.
pub(crate) fn push_with(out: &mut String, inst: &Inst, operands: &[Option<Operand>; 8]) {
    let row = inst.row();
    out.push_str(row.name);
    if row.format.is_short() && row.format != Format::VOP2_LIT || row.format == Format::VINTRP {
        match inst.form() {
            Form::Base if row.mods.has(Mods::E64) && !row.operands.is_empty() => out.push_str("_e32"),
            Form::Base => {}
            Form::E64 => out.push_str("_e64"),
            Form::Sdwa => out.push_str("_sdwa"),
            Form::Dpp => out.push_str("_dpp"),
        }
    }
    let mut first = true;
    let mut sep = |out: &mut String| {
        out.push_str(if first { " " } else { ", " });
        first = false;
    };
    for (opd, value) in row.operands.iter().zip(operands) {
        let Some(value) = *value else { continue };
        if opd.class == Class::Imm && matches!(value, Operand::Imm(0)) && row.name == "s_endpgm" {
            continue;
        }
        sep(out);
        push_operand(out, inst, opd, value);
    }
    push_modifiers(out, inst);
}

fn push_operand(out: &mut String, inst: &Inst, opd: &Opd, value: Operand) {
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

/// A literal dword; `lit()` keeps one that an inline constant would replace.
fn push_literal(out: &mut String, x: u32, opd: &Opd) {
    let half = opd.ty.elem.bits() == 16 && opd.ty.count == 1;
    if opd.class != Class::K && crate::encode::would_be_inline(x, opd.ty.elem, half) {
        out.push_str("lit(");
        push_hex(out, x);
        return out.push(')');
    }
    push_hex(out, if half && opd.class != Class::K { x & 0xffff } else { x });
}

fn push_imm(out: &mut String, inst: &Inst, opd: &Opd, x: i32) {
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
            let sext = form == Form::Sdwa && row.mods.has(Mods::SEXT);
            (float && inst.get(n) != 0, float && inst.get(a) != 0, sext && inst.get(s) != 0)
        }
        (Format::VOP3P, _) if !row.packed_by_default() => {
            ((inst.get(Field::Neg) >> i) & 1 != 0, (inst.get(Field::NegHi) >> i) & 1 != 0, false)
        }
        _ => (false, false, false),
    }
}

fn push_bits(out: &mut String, name: &str, value: u32, n: usize) {
    out.push_str(name);
    for i in 0..n {
        out.push(if i == 0 { '[' } else { ',' });
        out.push(if value >> i & 1 != 0 { '1' } else { '0' });
    }
    out.push(']');
}

fn push_value(out: &mut String, name: &str, value: u32) {
    if value != 0 {
        out.push_str(name);
        push_u32(out, value);
    }
}

fn push_flag(out: &mut String, inst: &Inst, field: Field, name: &str) {
    if inst.get(field) != 0 {
        out.push_str(name);
    }
}

fn push_clamp_omod(out: &mut String, inst: &Inst) {
    push_flag(out, inst, Field::Clamp, " clamp");
    out.push_str(match inst.get(Field::Omod) {
        1 => " mul:2",
        2 => " mul:4",
        3 => " div:2",
        _ => "",
    });
}

fn push_cache(out: &mut String, inst: &Inst) {
    let new = matches!(inst.target(), Target::Gfx942 | Target::Gfx950);
    push_flag(out, inst, Field::Sc0, if new && inst.row().format != Format::SMEM { " sc0" } else { " glc" });
    push_flag(out, inst, Field::Nt, if new { " nt" } else { " slc" });
    if inst.target() != Target::Gfx908 {
        push_flag(out, inst, Field::Sc1, if new { " sc1" } else { " scc" });
    }
}

const SELECTS: [&str; 8] = ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "INVALID"];

fn sources(inst: &Inst) -> usize {
    inst.row().operands.iter().filter(|o| matches!(o.slot, Field::Src0 | Field::Src1 | Field::Src2)).count()
}

fn push_modifiers(out: &mut String, inst: &Inst) {
    let row = inst.row();
    match inst.form() {
        Form::Sdwa => return push_sdwa(out, inst),
        Form::Dpp => return push_dpp(out, inst),
        _ => {}
    }
    match row.format {
        Format::VOP3 | Format::VOP3B => push_vop3(out, inst),
        _ if inst.form() == Form::E64 => push_vop3(out, inst),
        Format::VOP3P => push_vop3p(out, inst),
        Format::MAI => {
            push_value(out, " cbsz:", inst.get(Field::Cbsz));
            push_value(out, " abid:", inst.get(Field::Abid));
            let blgp = inst.get(Field::Blgp);
            if blgp != 0 {
                let f64 = matches!(row.sem, Sem::Mfma(m) if m.a == Elem::F64);
                if f64 && matches!(inst.target(), Target::Gfx942 | Target::Gfx950) {
                    push_bits(out, " neg:", blgp, 3);
                } else {
                    push_value(out, " blgp:", blgp);
                }
            }
        }
        Format::MAI_SCALE => {
            let (lo, hi) = (inst.get(Field::ScaleOpSel), inst.get(Field::ScaleOpSelHi));
            if lo != 0 {
                push_bits(out, " op_sel:", lo, 3);
            }
            push_bits(out, " op_sel_hi:", hi, 3);
            push_value(out, " cbsz:", inst.get(Field::Cbsz));
            push_value(out, " blgp:", inst.get(Field::Blgp));
        }
        Format::DS => {
            match row.sem {
                Sem::DsLoad2 { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => {
                    push_value(out, " offset0:", inst.get(Field::Offset0));
                    push_value(out, " offset1:", inst.get(Field::Offset1));
                }
                Sem::Ds(crate::sem::Ds::Swizzle) => imm::push_swizzle(out, inst.get(Field::Offset)),
                _ => push_value(out, " offset:", inst.get(Field::Offset)),
            }
            if inst.target() == Target::Gfx908 || row.mods.has(Mods::GDS_ONLY) {
                push_flag(out, inst, Field::Gds, " gds");
            }
        }
        Format::MUBUF if matches!(row.sem, Sem::CacheWriteback | Sem::CacheInvalidate { .. }) => {
            if matches!(inst.target(), Target::Gfx942 | Target::Gfx950) {
                push_cache(out, inst);
            }
        }
        Format::MUBUF | Format::MTBUF => {
            if row.format == Format::MTBUF {
                imm::push_format(out, inst.get(Field::Dfmt), inst.get(Field::Nfmt));
            }
            push_flag(out, inst, Field::Idxen, " idxen");
            push_flag(out, inst, Field::Offen, " offen");
            push_value(out, " offset:", inst.get(Field::Offset));
            // The store from LDS says where it stores from before how.
            let first = matches!(row.sem, Sem::StoreLds);
            if first {
                push_flag(out, inst, Field::Lds, " lds");
            }
            push_cache(out, inst);
            if crate::canonical::has_tfe(row, inst.target()) {
                push_flag(out, inst, Field::Tfe, " tfe");
            }
            if !first {
                push_flag(out, inst, Field::Lds, " lds");
            }
        }
        Format::FLAT | Format::GLOBAL | Format::SCRATCH => {
            let offset = if row.format == Format::FLAT {
                (inst.get(Field::Offset) & 0xfff) as i32
            } else {
                inst.get_signed(Field::Offset)
            };
            if offset != 0 {
                out.push_str(" offset:");
                push_i32(out, offset);
            }
            push_cache(out, inst);
        }
        Format::EXP => {
            push_flag(out, inst, Field::ExpDone, " done");
            push_flag(out, inst, Field::ExpCompr, " compr");
            push_flag(out, inst, Field::ExpVm, " vm");
        }
        Format::MIMG => {
            let dmask = inst.get(Field::Dmask);
            if dmask != 0 {
                out.push_str(" dmask:");
                push_hex(out, dmask);
            }
            push_flag(out, inst, Field::Unorm, " unorm");
            push_cache(out, inst);
            push_flag(out, inst, Field::A16, " a16");
            if inst.target() == Target::Gfx908 {
                push_flag(out, inst, Field::Tfe, " tfe");
            }
            push_flag(out, inst, Field::Lwe, " lwe");
            push_flag(out, inst, Field::Da, " da");
            if row.mods.has(Mods::D16) {
                push_flag(out, inst, Field::D16, " d16");
            }
        }
        Format::SMEM => {
            if row.operand(Field::Offset).is_some()
                && inst.get(Field::ImmOffset) != 0
                && inst.get(Field::SoffsetEn) != 0
            {
                out.push_str(" offset:");
                push_imm_offset(out, inst.get_signed(Field::Offset));
            }
            if row.mods.has(Mods::GLC) {
                push_flag(out, inst, Field::Sc0, " glc");
            }
        }
        _ => {}
    }
}

fn push_imm_offset(out: &mut String, x: i32) {
    if x < 0 {
        out.push('-');
    }
    push_hex(out, x.unsigned_abs());
}

fn push_vop3(out: &mut String, inst: &Inst) {
    if inst.row().mods.has(Mods::BITOP3) {
        let table = inst.bitop3();
        if table != 0 {
            out.push_str(" bitop3:");
            push_hex(out, table);
        }
    }
    if inst.row().mods.has(Mods::HIGH) {
        push_flag(out, inst, Field::High, " high");
    }
    if inst.row().mods.has(Mods::OPSEL) {
        let v = inst.get(Field::OpSel);
        if v != 0 {
            // The destination's bit is the fourth, printed after the sources there are.
            let n = inst.row().op_sel_sources();
            let shown = v & ((1 << n) - 1) | (v >> 3 & 1) << n;
            push_bits(out, " op_sel:", shown, n + 1);
        }
    }
    if inst.row().mods.has(Mods::SWAP_CTRL) {
        push_flag(out, inst, Field::BoundCtrl, " bound_ctrl:1");
        push_flag(out, inst, Field::FetchInactive, " fi:1");
    }
    if !inst.row().mods.has(Mods::BITOP3) {
        push_clamp_omod(out, inst);
    }
}

fn push_vop3p(out: &mut String, inst: &Inst) {
    let row = inst.row();
    let n = sources(inst);
    let all = (1u32 << n) - 1;
    let (sel, hi) = (inst.get(Field::OpSel) & all, inst.get(Field::OpSelHi) & all);
    if row.mods.has(Mods::OPSEL) && sel != 0 {
        push_bits(out, " op_sel:", sel, n);
    }
    let default = if row.packed_by_default() { all } else { 0 };
    if row.mods.has(Mods::OPSELHI) && hi != default {
        push_bits(out, " op_sel_hi:", hi, n);
    }
    if row.mods.has(Mods::NEGLOHI) {
        let (lo, nhi) = (inst.get(Field::Neg) & all, inst.get(Field::NegHi) & all);
        if lo != 0 {
            push_bits(out, " neg_lo:", lo, n);
        }
        if nhi != 0 {
            push_bits(out, " neg_hi:", nhi, n);
        }
    }
    if row.mods.has(Mods::CLAMP) {
        push_flag(out, inst, Field::Clamp, " clamp");
    }
}

fn push_sdwa(out: &mut String, inst: &Inst) {
    push_clamp_omod(out, inst);
    if inst.row().format != Format::VOPC && !inst.row().operands.is_empty() && !inst.row().mods.has(Mods::NO_DST_SEL) {
        out.push_str(" dst_sel:");
        out.push_str(SELECTS[inst.get(Field::DstSel) as usize & 7]);
        out.push_str(" dst_unused:");
        out.push_str(
            ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "INVALID"][inst.get(Field::DstUnused) as usize & 3],
        );
    }
    if sources(inst) >= 1 {
        out.push_str(" src0_sel:");
        out.push_str(SELECTS[inst.get(Field::Src0Sel) as usize & 7]);
    }
    if inst.row().operand(Field::Src1).is_some() {
        out.push_str(" src1_sel:");
        out.push_str(SELECTS[inst.get(Field::Src1Sel) as usize & 7]);
    }
}

fn push_dpp(out: &mut String, inst: &Inst) {
    imm::push_dpp_ctrl(out, inst.get(Field::DppCtrl));
    out.push_str(" row_mask:");
    push_hex(out, inst.get(Field::RowMask));
    out.push_str(" bank_mask:");
    push_hex(out, inst.get(Field::BankMask));
    if inst.get(Field::BoundCtrl) != 0 {
        out.push_str(" bound_ctrl:1");
    }
}

//! From operands and modifiers to an encoding: the first form that takes them all.

use super::error::ParseError;
use super::expr::Expr;
use super::operand::{Arg, Line, Operand as Read};
use super::{Fixup, FixupKind, Parsed, rules};
use crate::encode::{EncodeError, blank};
use crate::format::{Field, Form, Format};
use crate::inst::{Inst, is_64};
use crate::operand::{INLINE_FLOATS, Operand, inline_float, inline_int};
use crate::reg::{Reg, RegClass, code};
use crate::row::{Access, Class, Mods, Opd, Row, Ty};
use crate::rows::RowId;
use crate::sem::{Cvt, Elem, Op, Sem};
use crate::target::Target;

/// Encodes the line in the forced form, or in the first that fits.
pub(crate) fn choose(
    id: RowId,
    forced: Option<Form>,
    line: &Line,
    name: (usize, usize),
    target: Target,
) -> Result<Parsed, ParseError> {
    let row = id.row();
    let short = row.format.is_short() || row.format == Format::VINTRP;
    if !short {
        match forced {
            None => {}
            // These two count as short, as they were once.
            Some(Form::Base) if matches!(row.sem, Sem::Lane(Op::ReadLane | Op::WriteLane, _)) => {}
            Some(Form::E64) if matches!(row.sem, Sem::Lane(Op::ReadLane | Op::WriteLane, _)) => {
                return Err(ParseError::new(name, format!("{} does not support this encoding", row.name)));
            }
            Some(Form::E64) if matches!(row.format, Format::VOP3 | Format::VOP3B | Format::VOP3P | Format::MAI) => {}
            Some(Form::Base)
                if !matches!(
                    row.format,
                    Format::VOP3 | Format::VOP3B | Format::VOP3P | Format::MAI | Format::MAI_SCALE
                ) => {}
            Some(_) => return Err(ParseError::new(name, format!("{} does not support this encoding", row.name))),
        }
        return build(id, Form::Base, line, name, target).map_err(|r| r.error);
    }
    let any = !line.modifiers.is_empty();
    let has = |f: Field| any && line.modifiers.iter().any(|m| m.field == f);
    let dpp = [Field::DppCtrl, Field::RowMask, Field::BankMask, Field::BoundCtrl].into_iter().any(has)
        && !row.mods.has(Mods::SWAP_CTRL);
    let sdwa = [Field::DstSel, Field::DstUnused, Field::Src0Sel, Field::Src1Sel].into_iter().any(has)
        || line.operands.iter().any(|o| o.sext && matches!(o.arg, Arg::Reg(_)));
    let forms: &[Form] = match forced {
        Some(Form::Base) => &[Form::Base],
        Some(Form::E64) => &[Form::E64],
        Some(Form::Sdwa) => &[Form::Sdwa],
        Some(Form::Dpp) => &[Form::Dpp],
        None if dpp => &[Form::Dpp],
        None if sdwa => &[Form::Sdwa],
        // Only SDWA can clamp what is no arithmetic, and its other fields have defaults.
        None if has(Field::Clamp) || has(Field::Omod) => &[Form::Base, Form::E64, Form::Sdwa],
        None => &[Form::Base, Form::E64],
    };
    let (mut error, mut rule) = (None, None);
    for &form in forms {
        if form == Form::E64 && row.format == Format::VOP2_LIT {
            continue;
        }
        if !row.has_form(form, target) {
            error.get_or_insert_with(|| {
                let what = match form {
                    Form::Base => "_e32",
                    Form::E64 => "_e64",
                    Form::Sdwa => "_sdwa",
                    Form::Dpp => "_dpp",
                };
                ParseError::new(name, format!("{what} variant of {} is not supported on {target}", row.name))
            });
            continue;
        }
        match build(id, form, line, name, target) {
            Ok(p) => return Ok(p),
            // Operands that fit decide the encoding, even where a rule then forbids what they make.
            Err(Refused { error, broken_rule: true }) if form == Form::Base => return Err(error),
            Err(Refused { error: e, broken_rule: true }) => rule = rule.or(Some(e)),
            // Who names no encoding does not think of this one.
            Err(_) if form == Form::Sdwa && forms.len() > 1 => {}
            // The error that got furthest is the one the author wants.
            Err(Refused { error: e, .. }) => {
                if error.as_ref().is_none_or(|old: &ParseError| e.span.0 >= old.span.0) {
                    error = Some(e);
                }
            }
        }
    }
    Err(rule.or(error).unwrap_or_else(|| ParseError::new(name, "invalid instruction")))
}

/// Why a line is no instruction in a form.
struct Refused {
    error: ParseError,
    /// Whether all operands fit and only a rule about them is broken.
    broken_rule: bool,
}

impl From<ParseError> for Refused {
    fn from(error: ParseError) -> Refused {
        Refused { error, broken_rule: false }
    }
}

fn build(id: RowId, form: Form, line: &Line, name: (usize, usize), target: Target) -> Result<Parsed, Refused> {
    let row = id.row();
    let mut inst = blank(id, form, target);
    let mut fixups = Vec::new();
    let allowed = inst.encoding().modifiers;
    let smem_both = row.format == Format::SMEM && line.modifiers.iter().any(|m| m.field == Field::Offset);
    if row.format == Format::SMEM {
        inst.set(Field::SoffsetEn, smem_both as u32);
    }
    let mut warning = set_modifiers(&mut inst, line, allowed, smem_both)?;
    let absent = absent_operand(row, line, &inst, name)?;
    let absent = absent.or_else(|| implied_mask(row, form, line));
    let expected = row.operands.len() - usize::from(absent.is_some());
    // A scalar memory offset may be left out.
    let no_offset = row.format == Format::SMEM
        && row.operands.last().is_some_and(|o| o.class == Class::SOff)
        && line.operands.len() + 1 == expected;
    if no_offset {
        inst.set(Field::ImmOffset, 1);
    }
    if smem_both && (no_offset || !matches!(line.operands.last().map(|o| &o.arg), Some(Arg::Reg(_)))) {
        return Err(ParseError::new(name, "`offset:` needs a scalar register before it").into());
    }
    // An address of neither register came with gfx942.
    let absent_address = line.operands.iter().filter(|o| o.arg == Arg::Off).count() == 2;
    if row.format == Format::SCRATCH && target < Target::Gfx942 && absent_address {
        return Err(ParseError::new(name, "an address register is required: one of both may be `off`").into());
    }
    let optional = row.name == "s_endpgm";
    if line.operands.len() != expected && !(optional && line.operands.is_empty() || no_offset) {
        return Err(count_error(row, line, expected, name).into());
    }
    let mut given = line.operands.iter();
    for (i, opd) in row.operands.iter().enumerate() {
        if Some(i) == absent {
            continue;
        }
        let Some(read) = given.next() else { break };
        // The magnitude of the second source of a scaled division has no bit, and LLVM does not say so.
        let kept;
        let read =
            if read.abs && opd.slot == Field::Src1 && row.format == Format::VOP3B && row.name.starts_with("v_div") {
                let e = ParseError::new(read.span, "this operand has no magnitude: it changes nothing");
                warning.get_or_insert_with(|| e.help("LLVM accepts it, and so it is no error"));
                kept = Read { abs: false, ..read.clone() };
                &kept
            } else {
                read
            };
        match read.arg {
            Arg::Reg(r) if !(read.neg || read.abs || read.sext) && misplaced(&inst, opd, r) => {
                warning.get_or_insert(write_misplaced(&mut inst, opd, r, read));
            }
            _ => operand(&mut inst, i, opd, read, &mut fixups)?,
        }
    }
    let operands = inst.read_all();
    read_back(row, &operands, line, absent)?;
    if let Some(v) = rules::violation(&inst, &operands) {
        let span = match v.operand {
            Some(i) => line.operands.get(i - usize::from(absent.is_some_and(|a| a < i))).map_or(name, |o| o.span),
            None => name,
        };
        let e = ParseError::new(span, v.message);
        let error = match v.help {
            Some(h) => e.help(h),
            None => e,
        };
        return Err(Refused { error, broken_rule: true });
    }
    Ok(Parsed { inst, fixups, warning })
}

/// Whether LLVM takes this read-only value where only a register makes sense: as a result, a scalar offset, a base or an
/// accumulator.
fn misplaced(inst: &Inst, opd: &Opd, r: Reg) -> bool {
    if r.class != RegClass::Src || r.index == code::LDS_DIRECT {
        return false;
    }
    let single = (code::VCCZ..=code::SCC).contains(&r.index) || r.index == code::POPS_EXITING_WAVE_ID;
    match opd.class {
        Class::S | Class::SOff => single && opd.ty.dwords() == 1,
        Class::SAddr => single && inst.row().format == Format::SCRATCH,
        // The accumulator input of gfx908 is an AGPR.
        Class::A => opd.slot == Field::Src2,
        // The short forms have VCC there, and no bits; of SDWA only comparisons have some.
        Class::M if opd.access != Access::R => match inst.form() {
            Form::Base => !inst.row().format.is_short(),
            Form::Sdwa => inst.row().format == Format::VOPC,
            form => form == Form::E64,
        },
        _ => false,
    }
}

/// Writes a read-only value into such a place, cut to the bits there as LLVM cuts it, and says what that is.
fn write_misplaced(inst: &mut Inst, opd: &Opd, r: Reg, read: &Read) -> ParseError {
    let slot = match opd.class {
        Class::M if inst.form() == Form::Sdwa => {
            inst.set(Field::SdstOn, 1);
            Field::Sdst
        }
        Class::SOff if inst.get(Field::SoffsetEn) != 0 => Field::Soffset,
        Class::SOff => Field::Offset,
        _ => opd.slot,
    };
    // Seven bits name a scalar register, whatever the field holds beside it.
    let cut = matches!(opd.class, Class::SOff | Class::SAddr) || inst.layout().field(slot).width < 8;
    let encoded = if cut { r.index & 0x7f } else { r.index };
    inst.set(slot, u32::from(encoded));
    let mut message = format!("a read-only value cannot stand here; encoded as {encoded}");
    if encoded <= code::M0 {
        message.push_str(&format!(", which is {:?}", Reg::s(encoded, 1)));
    }
    ParseError::new(read.span, message).help("an SGPR; LLVM accepts this, and so it is no error")
}

/// The mask that short forms leave unsaid: VCC, where the row has no other mask.
fn implied_mask(row: &Row, form: Form, line: &Line) -> Option<usize> {
    if form != Form::Base || !row.format.is_short() || line.operands.len() + 1 != row.operands.len() {
        return None;
    }
    // A constant with a sign or magnitude cannot come first: that is the mask's place, which takes neither.
    if line.operands.first().is_some_and(|o| o.neg || o.abs || o.sext) {
        return None;
    }
    let mut masks = row.operands.iter().enumerate().filter(|(_, o)| o.class == Class::M);
    match (masks.next(), masks.next()) {
        (Some((i, _)), None) => Some(i),
        _ => None,
    }
}

/// Registers that share bits must come back as they were given: result and data are in one register file, and a vector
/// address is as wide as the scalar base asks.
fn read_back(row: &Row, operands: &[Option<Operand>; 8], line: &Line, absent: Option<usize>) -> Result<(), ParseError> {
    let mut given = line.operands.iter();
    for (i, opd) in row.operands.iter().enumerate() {
        if Some(i) == absent {
            continue;
        }
        let Some(read) = given.next() else { break };
        let Arg::Reg(r) = read.arg else { continue };
        if !matches!(opd.class, Class::AV | Class::AVC | Class::VAddr) || r.class == RegClass::Src {
            continue;
        }
        match operands[i] {
            Some(Operand::Reg(back)) if back.class != r.class => {
                return Err(ParseError::new(
                    read.span,
                    "invalid register class: data and dst should be all VGPR or AGPR",
                ));
            }
            Some(Operand::Reg(back)) if back == r => {}
            _ => return Err(wrong_size(read, opd)),
        }
    }
    Ok(())
}

fn count_error(row: &Row, line: &Line, expected: usize, name: (usize, usize)) -> ParseError {
    let help = format!("`{}`", usage(row));
    if line.operands.len() < expected {
        ParseError::new((line.end.max(name.1), line.end.max(name.1)), "too few operands for instruction").help(help)
    } else {
        let extra = line.operands.get(expected);
        let e = ParseError::new(extra.map_or(name, |o| o.span), "too many operands for instruction");
        // A word too much may be meant as a modifier.
        let word = extra.and_then(|o| match &o.arg {
            Arg::Expr(e) => match &**e {
                Expr::Symbol(name, None) => Some(name.as_str()),
                _ => None,
            },
            _ => None,
        });
        match word.and_then(super::modifier::suggestion) {
            Some(better) => e.help(better),
            None => e.help(help),
        }
    }
}

/// The row's operands as its documentation writes them.
pub(crate) fn usage(row: &Row) -> String {
    let mut s = row.name.to_owned();
    for (i, o) in row.operands.iter().enumerate() {
        s.push_str(if i == 0 { " " } else { ", " });
        s.push_str(&crate::describe::operand(o));
    }
    s
}

/// The operand that the modifiers leave out: an atomic's result, the data of a load into LDS.
fn absent_operand(row: &Row, line: &Line, inst: &Inst, name: (usize, usize)) -> Result<Option<usize>, ParseError> {
    let flat = matches!(row.format, Format::FLAT | Format::GLOBAL | Format::SCRATCH);
    if flat && matches!(row.sem, Sem::Atomic { .. }) && row.operand(Field::Dst).is_some() {
        let returns = inst.get(Field::Sc0) != 0;
        let cache = if matches!(inst.target(), Target::Gfx942 | Target::Gfx950) { "sc0" } else { "glc" };
        if line.operands.len() == row.operands.len() && !returns {
            return Err(
                ParseError::new(name, format!("instruction must use {cache}")).help("a returned value needs it")
            );
        }
        if line.operands.len() + 1 == row.operands.len() && returns {
            return Err(ParseError::new(name, format!("instruction must not use {cache}"))
                .help("without a result register nothing is returned"));
        }
        return Ok((!returns).then_some(0));
    }
    if inst.loads_lds() && row.mods.has(Mods::LDS) {
        return Ok(Some(0));
    }
    Ok(None)
}

/// Sets what the modifiers say; the warning is about one that LLVM takes and drops.
fn set_modifiers(
    inst: &mut Inst,
    line: &Line,
    allowed: u128,
    smem_both: bool,
) -> Result<Option<ParseError>, ParseError> {
    let row = inst.row();
    let mut dropped = None;
    let mut seen = 0u128;
    for m in &line.modifiers {
        let field = match (m.field, inst.form()) {
            (Field::Offset, _) if row.format == Format::SMEM && smem_both => Field::Offset,
            (f, _) => f,
        };
        let bit = 1u128 << field as u8;
        if seen & bit != 0 {
            return Err(ParseError::new(m.span, "modifier is given twice"));
        }
        seen |= bit;
        if m.second.is_some() && field == Field::Neg {
            // v_bitop3's table.
            if !row.mods.has(Mods::BITOP3) {
                return Err(ParseError::new(m.span, "not a modifier of this instruction"));
            }
            inst.set(Field::Neg, m.value as u32);
            let upper = m.second.map_or(0, |s| s.1) as u32;
            inst.set(Field::Abs, upper & 7);
            inst.set(Field::Omod, upper >> 3);
            continue;
        }
        let expressible = allowed & bit != 0
            && !(row.mods.has(Mods::BITOP3) && matches!(field, Field::Neg | Field::Abs | Field::Omod));
        // A target without GDS may be told so.
        if !expressible && m.value == 0 && field == Field::Gds && row.mods.has(Mods::GDS) {
            continue;
        }
        // Cache policy is one operand: whoever has one of its flags may say that another is off.
        const POLICY: u128 = 1 << Field::Sc0 as u8 | 1 << Field::Sc1 as u8 | 1 << Field::Nt as u8;
        if !expressible && m.value == 0 && POLICY & bit != 0 && allowed & POLICY != 0 {
            continue;
        }
        if !expressible && is_dropped(inst, line, field, m.value) {
            if m.value != 0 {
                dropped.get_or_insert_with(|| {
                    ParseError::new(m.span, "this instruction has no such modifier: it changes nothing")
                        .help("LLVM accepts it, and so it is no error")
                });
            }
            continue;
        }
        let per_source = matches!(field, Field::Neg | Field::NegHi | Field::Abs) && !row.mods.has(Mods::NEGLOHI);
        if !expressible || per_source {
            return Err(ParseError::new(
                m.span,
                "not a valid operand: this instruction or encoding has no such modifier",
            ));
        }
        let value = modifier_value(inst, row, field, m)?;
        inst.set(field, value);
        if row.format == Format::SMEM && field == Field::Offset {
            inst.set(Field::ImmOffset, 1);
        }
        if let Some((f, v)) = m.second {
            if seen & 1 << f as u8 != 0 {
                return Err(ParseError::new(m.span, "modifier is given twice"));
            }
            seen |= 1 << f as u8;
            inst.set(f, v as u32);
        }
    }
    if inst.form() == Form::Dpp && seen & (1 << Field::DppCtrl as u8) == 0 {
        return Err(ParseError::new((line.end, line.end), "expected a DPP control")
            .help("such as quad_perm:[0,1,2,3] or row_shr:1"));
    }
    Ok(dropped)
}

/// Whether LLVM takes this modifier where the encoding has no place for it, and assembles the rest.
fn is_dropped(inst: &Inst, line: &Line, field: Field, value: i64) -> bool {
    let (row, target) = (inst.row(), inst.target());
    match field {
        // The atomics of floating-point numbers have none on gfx90a.
        Field::Sc1 => target == Target::Gfx90a && matches!(row.sem, Sem::Atomic { .. }) && row.format != Format::DS,
        Field::Nt => {
            let cache = matches!(row.sem, Sem::CacheWriteback | Sem::CacheInvalidate { .. });
            cache && row.format == Format::MUBUF && target >= Target::Gfx942
        }
        // Dot products choose no halves since gfx942, but may say so.
        Field::OpSel if matches!(row.sem, Sem::Dot { n: 2, acc: false, .. }) => {
            value == 0 && !line.modifiers.iter().any(|m| m.field == Field::OpSelHi)
        }
        Field::OpSel => row.name == "v_pk_fmac_f16" && inst.form() == Form::E64,
        _ => false,
    }
}

fn modifier_value(inst: &Inst, row: &Row, field: Field, m: &super::modifier::Modifier) -> Result<u32, ParseError> {
    let v = m.value;
    let within = |low: i64, high: i64, what: &str| {
        if (low..=high).contains(&v) {
            Ok(v as u32)
        } else {
            Err(ParseError::new(m.span, format!("expected a {what} offset")).help(format!("{low} to {high}")))
        }
    };
    match field {
        Field::Offset => match row.format {
            Format::GLOBAL | Format::SCRATCH => within(-4096, 4095, "13-bit signed"),
            Format::FLAT => within(0, 4095, "12-bit unsigned"),
            // LLVM takes 16 bits and encodes the lower 12; what it assembles is to assemble here to the same bytes.
            Format::MUBUF | Format::MTBUF => within(0, 65535, "16-bit unsigned").map(|v| v & 0xfff),
            Format::SMEM if matches!(row.operands.get(1).map(|o| o.ty.elem), Some(Elem::B128)) => {
                within(0, (1 << 20) - 1, "20-bit unsigned")
            }
            Format::SMEM => within(-(1 << 20), (1 << 20) - 1, "21-bit signed"),
            _ => within(0, 65535, "16-bit"),
        },
        Field::OpSel if !matches!(row.format, Format::VOP3P) => {
            // The destination's bit follows those of the sources.
            let n = row.op_sel_sources();
            // The attribute of an interpolation has no half to select.
            let v = v as u32 & if row.mods.has(Mods::HIGH) { !2 } else { u32::MAX };
            Ok(v & ((1 << n) - 1) | (v >> n & 1) << 3)
        }
        Field::OpSel | Field::Neg | Field::NegHi if row.format == Format::VOP3P => {
            let n = row.operands.iter().filter(|o| matches!(o.slot, Field::Src0 | Field::Src1 | Field::Src2)).count();
            Ok(v as u32 & ((1 << n) - 1))
        }
        Field::OpSelHi if row.format == Format::VOP3P => {
            // Sources that the instruction lacks keep their default.
            let n = row.operands.iter().filter(|o| matches!(o.slot, Field::Src0 | Field::Src1 | Field::Src2)).count();
            let rest = if row.packed_by_default() { 7 & !((1 << n) - 1) } else { 0 };
            Ok(v as u32 & ((1 << n) - 1) | rest)
        }
        _ => {
            let max = inst.layout().field(field).max() as i64;
            if (0..=max).contains(&v) { Ok(v as u32) } else { Err(ParseError::new(m.span, "value is out of range")) }
        }
    }
}

fn operand(inst: &mut Inst, index: usize, opd: &Opd, read: &Read, fixups: &mut Vec<Fixup>) -> Result<(), ParseError> {
    let row = inst.row();
    let bad = || {
        ParseError::new(read.span, "invalid operand for instruction")
            .help(format!("expected {}", crate::describe::operand(opd)))
    };
    let value = match &read.arg {
        Arg::Reg(r) => {
            check_width(inst, opd, *r, read)?;
            Operand::Reg(*r)
        }
        Arg::Off => match opd.class {
            Class::VAddr if matches!(row.format, Format::FLAT | Format::GLOBAL) => return Err(bad()),
            Class::VAddr if inst.get(Field::Offen) + inst.get(Field::Idxen) != 0 => return Err(bad()),
            Class::VAddr | Class::SAddr | Class::ExpSrc => Operand::Off,
            _ => return Err(bad()),
        },
        Arg::Imm(x) => Operand::Imm(*x as i32),
        Arg::Int(x) if folds(inst, opd, read) => {
            // What would be cut off has no sign to change.
            let fits = match opd.ty.elem.bits() {
                16 if opd.ty.count == 1 => i64::from(*x as i16) == *x || i64::from(*x as u16) == *x,
                16 | 32 => fits_32(*x),
                _ => false,
            };
            if !fits {
                return Err(bad());
            }
            integer(inst, opd, folded(opd, *x, read), read).ok_or_else(bad)?
        }
        Arg::Int(x) => integer(inst, opd, *x, read).ok_or_else(bad)?,
        Arg::Float(x) if folds(inst, opd, read) => {
            let x = if read.abs { x.abs() } else { *x };
            float(inst, opd, if read.neg { -x } else { x }, read).ok_or_else(bad)?
        }
        Arg::Float(x) => float(inst, opd, *x, read).ok_or_else(bad)?,
        Arg::Lit(x) | Arg::Lit64(x) if matches!(opd.class, Class::Imm | Class::SOff) && row.name != "s_endpgm" => {
            integer(inst, opd, *x, read).ok_or_else(bad)?
        }
        Arg::Lit64(_) if is_64(opd.ty.elem) || opd.ty.elem.is_float() => {
            return Err(bad().help("lit64() belongs to later generations"));
        }
        Arg::Lit(x) if folds(inst, opd, read) => match literal_range(opd, *x) {
            Some(_) if opd.ty.elem.bits() == 16 => Operand::Literal(folded(opd, *x, read) as u32 & 0xffff),
            Some(_) if opd.ty.elem.bits() == 32 => Operand::Literal(folded(opd, *x, read) as u32),
            _ => return Err(bad()),
        },
        Arg::Lit(x) | Arg::Lit64(x) => match literal_range(opd, *x) {
            Some(v) => Operand::Literal(v),
            None => return Err(bad()),
        },
        Arg::LitFloat(x) if folds(inst, opd, read) => {
            let x = if read.abs { x.abs() } else { *x };
            Operand::Literal(float_literal(inst, opd, if read.neg { -x } else { x }, read).ok_or_else(bad)?)
        }
        Arg::LitFloat(x) => Operand::Literal(float_literal(inst, opd, *x, read).ok_or_else(bad)?),
        Arg::Expr(e) => return unresolved(inst, index, opd, read, e, fixups),
    };
    if inst.width(opd) == 0 {
        return Err(bad());
    }
    inst.write(index, opd, value).map_err(|e| explain(e, read, opd))?;
    if folds(inst, opd, read) && matches!(read.arg, Arg::Int(_) | Arg::Float(_) | Arg::Lit(_) | Arg::LitFloat(_)) {
        return Ok(());
    }
    source_modifiers(inst, row, opd, read)
}

/// Whether the sign and magnitude of a number become part of it: the short encodings have no bits for them.
fn folds(inst: &Inst, opd: &Opd, read: &Read) -> bool {
    let row = inst.row();
    (read.neg || read.abs)
        && inst.form() == Form::Base
        && row.format.is_short()
        && row.mods.has(Mods::NEG)
        && opd.takes_sign()
        && opd.class == Class::VS
}

/// An integer's bits with the sign bit of its operand's type cleared and turned.
fn folded(opd: &Opd, x: i64, read: &Read) -> i64 {
    let bits = opd.ty.elem.bits();
    let sign = 1u64 << (bits - 1);
    let mut v = x as u64;
    if read.abs {
        v &= !sign;
    }
    if read.neg {
        v ^= sign;
    }
    // Of a pair only the low half has its sign changed.
    match opd.ty.count {
        1 if bits == 16 => i64::from(v as u16 as i16),
        1 => i64::from(v as u32 as i32),
        _ => i64::from(v as u32),
    }
}

/// A number that waits for symbols: a literal, a branch distance or a 16-bit immediate.
fn unresolved(
    inst: &mut Inst,
    index: usize,
    opd: &Opd,
    read: &Read,
    e: &Expr,
    fixups: &mut Vec<Fixup>,
) -> Result<(), ParseError> {
    let halves = opd.ty.elem.bits() == 16 && (opd.ty.count == 1 || opd.ty.elem.is_float());
    let word = opd.ty.dwords() == 1 && !halves;
    let kind = match opd.class {
        Class::Label => {
            if !matches!(e, Expr::Symbol(..) | Expr::Here) {
                return Err(ParseError::new(read.span, "expected an absolute expression or a label"));
            }
            inst.write(index, opd, Operand::Imm(0)).map_err(|e| explain(e, read, opd))?;
            FixupKind::Branch
        }
        // Only whole dwords are left to the linker.
        Class::SS | Class::VS if word => {
            inst.write(index, opd, Operand::Literal(0)).map_err(|e| explain(e, read, opd))?;
            FixupKind::Literal(inst.len - 1)
        }
        _ => {
            return Err(ParseError::new(read.span, "invalid operand for instruction")
                .help(format!("expected {}", crate::describe::operand(opd))));
        }
    };
    fixups.push(Fixup { kind, expr: e.clone(), span: read.span });
    let row = inst.row();
    source_modifiers(inst, row, opd, read)
}

fn explain(e: EncodeError, read: &Read, opd: &Opd) -> ParseError {
    match e {
        EncodeError::NoLiteral { .. } => ParseError::new(read.span, "literal operands are not supported")
            .help("only inline constants: -16 to 64, ±0.5, ±1.0, ±2.0, ±4.0, 0.15915494"),
        EncodeError::TwoLiterals { .. } => ParseError::new(read.span, "only one unique literal operand is allowed"),
        EncodeError::Unaligned { .. } => ParseError::new(read.span, "invalid register class: tuples must be aligned")
            .help("vector tuples start at an even register, scalar ones at a multiple of 2 or 4"),
        EncodeError::Range { .. } => ParseError::new(read.span, "value is out of range"),
        _ => ParseError::new(read.span, "invalid operand for instruction")
            .help(format!("expected {}", crate::describe::operand(opd))),
    }
}

fn check_width(inst: &Inst, opd: &Opd, r: Reg, read: &Read) -> Result<(), ParseError> {
    let row = inst.row();
    let n = r.count;
    let expected = match opd.class {
        Class::VAddr => match row.format {
            Format::GLOBAL => return if n == 1 || n == 2 { Ok(()) } else { Err(wrong_size(read, opd)) },
            Format::SCRATCH => 1,
            Format::MUBUF | Format::MTBUF => (inst.get(Field::Offen) + inst.get(Field::Idxen)) as u8,
            _ => 2,
        },
        Class::SAddr => {
            if row.format == Format::SCRATCH {
                1
            } else {
                2
            }
        }
        Class::V if row.format == Format::MIMG => {
            // Few registers as they are needed, many in the sizes that registers come in.
            let (least, most) = (row.mods.least_coords(), opd.ty.count);
            let fits = (least..=most).contains(&n) || n == 8 && (5..8).contains(&most);
            return if fits { Ok(()) } else { Err(wrong_size(read, opd)) };
        }
        _ if r.class == RegClass::Src => return Ok(()),
        _ => inst.width(opd),
    };
    // With the controls of later 64-bit instructions came registers of either width, which LLVM does not tell apart.
    let either = inst.form() == Form::Dpp
        && inst.target().unified_vgprs()
        && row.mods.has(Mods::NEG)
        && matches!(opd.slot, Field::Src0 | Field::Src1)
        && matches!(n, 1 | 2);
    if n != expected && !either { Err(wrong_size(read, opd)) } else { Ok(()) }
}

fn wrong_size(read: &Read, opd: &Opd) -> ParseError {
    ParseError::new(read.span, "invalid operand for instruction")
        .help(format!("expected {}", crate::describe::operand(opd)))
}

fn fits_32(x: i64) -> bool {
    i64::from(x as i32) == x || i64::from(x as u32) == x
}

fn literal_range(opd: &Opd, x: i64) -> Option<u32> {
    if opd.ty.elem.bits() == 16 && opd.ty.count == 1 && opd.class != Class::K {
        return (i64::from(x as i16) == x || i64::from(x as u16) == x).then_some(x as u32 & 0xffff);
    }
    fits_32(x).then_some(x as u32)
}

fn integer(inst: &Inst, opd: &Opd, x: i64, read: &Read) -> Option<Operand> {
    match opd.class {
        Class::Msg | Class::HwReg => (0..65536).contains(&x).then_some(Operand::Imm(x as u16 as i16 as i32)),
        // The low bits of whatever is written, as LLVM has it.
        Class::Imm if matches!(inst.row().format, Format::SOPP) && inst.row().name != "s_endpgm" => {
            Some(Operand::Imm(x as u16 as i16 as i32))
        }
        Class::WaitCnt => Some(Operand::Imm(x as u16 as i16 as i32)),
        Class::Imm if inst.row().format == Format::SOPP => {
            (0..65536).contains(&x).then_some(Operand::Imm(x as u16 as i16 as i32))
        }
        Class::Imm if inst.row().format == Format::SMEM => {
            Some(Operand::Imm(x as i32 & inst.layout().field(opd.slot).max() as i32))
        }
        Class::Imm if matches!(inst.row().sem, Sem::ScalarCmp(_, Elem::U32)) => {
            (0..65536).contains(&x).then_some(Operand::Imm(x as u16 as i16 as i32))
        }
        Class::Imm | Class::Label => {
            let bits = inst.layout().field(opd.slot);
            let ok = if bits.width == 16 {
                i64::from(x as i16) == x || i64::from(x as u16) == x
            } else {
                x >= 0 && x <= bits.max() as i64
            };
            ok.then_some(Operand::Imm(x as i32))
        }
        Class::SOff => {
            if read.neg {
                return None;
            }
            let buffer = matches!(inst.row().operand(Field::Sbase).map(|o| o.ty.elem), Some(Elem::B128));
            let low = if buffer { 0 } else { -(1 << 20) };
            (low..1 << 20).contains(&x).then_some(Operand::Imm(x as i32))
        }
        Class::K if opd.ty.elem.bits() == 16 => {
            (i64::from(x as i16) == x || i64::from(x as u16) == x).then_some(Operand::Literal(x as u32))
        }
        Class::K if inst.row().format == Format::SOPK_LIT => Some(Operand::Literal(x as u32)),
        Class::K => fits_32(x).then_some(Operand::Literal(x as u32)),
        Class::GprIdx => (0..16).contains(&x).then_some(Operand::Imm(x as i32)),
        _ if is_64(opd.ty.elem) => {
            if let Some(small) = i32::try_from(x).ok().filter(|s| inline_int(*s).is_some()) {
                return Some(Operand::Int(small));
            }
            let as_f32 = f64::from_bits(x as u64) as f32;
            if f64::from(as_f32).to_bits() == x as u64 && inline_float(as_f32.to_bits()).is_some() {
                return Some(Operand::Float(as_f32.to_bits()));
            }
            if x as u64 == INV_2PI {
                return Some(Operand::Float(0x3e22_f983));
            }
            // A floating-point operand takes a dword for its upper half, where it takes a dword.
            if opd.ty.elem == Elem::F64 && opd.class != Class::AVC && fits_32(x) {
                let whole = f64::from_bits(u64::from(x as u32) << 32);
                let single = whole as f32;
                if f64::from(single) == whole && inline_float(single.to_bits()).is_some() {
                    return Some(Operand::Float(single.to_bits()));
                }
            }
            fits_32(x).then_some(Operand::Literal(x as u32))
        }
        _ if opd.ty.elem.bits() == 16 && opd.ty.count == 1 || is_mix(inst.row()) || is_pair_of_halves(inst, opd) => {
            // LLVM reads mixed operands and the exponent of `v_ldexp_f16` as halves.
            let halves = is_mix(inst.row()) || matches!(inst.row().sem, Sem::Lane(Op::Ldexp, Elem::F16));
            let e = if halves { Elem::F16 } else { opd.ty.elem };
            // Scaled conversions read the low half of whatever is written.
            let x = if is_scaled(inst.row()) && fits_32(x) { i64::from(x as i16) } else { x };
            if i64::from(x as i16) != x && i64::from(x as u16) != x {
                return None;
            }
            if e.is_float() {
                // The pattern counts: 65535 is −1.
                let pattern = i32::from(x as i16);
                if inline_int(pattern).is_some() {
                    return Some(Operand::Int(pattern));
                }
                // The operand's own type may be another, so an inline constant is named by its value.
                let same = |bits: &&u32| e == Elem::F16 && i64::from(crate::float::f32_to_f16(**bits)) == x & 0xffff;
                if let Some(bits) = INLINE_FLOATS.iter().find(same) {
                    return Some(Operand::Float(*bits));
                }
                let inline = crate::encode::would_be_inline(x as u32 & 0xffff, e, true);
                return Some(if inline { Operand::Int(x as u16 as i32) } else { Operand::Literal(x as u32 & 0xffff) });
            }
            Some(if inline_int(x as i32).is_some() { Operand::Int(x as i32) } else { Operand::Literal(x as u32) })
        }
        // Packed integers read the floating-point constants as whole dwords.
        _ if opd.ty.count == 2 && opd.ty.elem.bits() == 16 && !opd.ty.elem.is_float() && fits_32(x) => {
            Some(match inline_float(x as u32) {
                Some(_) => Operand::Float(x as u32),
                None => Operand::Int(x as i32),
            })
        }
        _ => fits_32(x).then_some(Operand::Int(x as i32)),
    }
}

/// Whether a number became a subnormal half and lost bits.
fn underflows(half: u16, x: f64) -> bool {
    let subnormal = half & 0x7c00 == 0 && half & 0x3ff != 0;
    subnormal && f64::from(half & 0x3ff) * (-24f64).exp2() != x.abs()
}

/// The hardware's 1/2π in 64 bits: not the nearest number, but the constant's own.
const INV_2PI: u64 = 0x3fc4_5f30_6dc9_c882;

fn is_mix(row: &Row) -> bool {
    matches!(row.sem, Sem::Lane(Op::FmaMix | Op::FmaMixLo | Op::FmaMixHi, _))
}

fn is_scaled(row: &Row) -> bool {
    matches!(row.sem, Sem::Cvt(Cvt::Scaled { .. }))
}

/// Whether LLVM reads a constant of this pair as one half.
fn is_pair_of_halves(inst: &Inst, opd: &Opd) -> bool {
    opd.ty == Ty { elem: Elem::F16, count: 2 } && matches!(inst.row().sem, Sem::Cvt(Cvt::PackNorm { .. }))
}

/// A floating-point number as the operand takes it; `None` where it cannot.
fn float(inst: &Inst, opd: &Opd, x: f64, read: &Read) -> Option<Operand> {
    // Immediates are expressions, which calculate with a number's bits.
    let immediate = matches!(
        opd.class,
        Class::Imm | Class::Label | Class::SOff | Class::HwReg | Class::Msg | Class::WaitCnt | Class::GprIdx
    );
    if immediate || opd.class == Class::K && inst.row().format == Format::SOPK_LIT {
        // A minus belongs to the expression, but for the immediates that are read as plain numbers.
        let own_syntax = matches!(opd.class, Class::Label | Class::HwReg | Class::Msg | Class::GprIdx);
        let negated = own_syntax || inst.row().format == Format::SOPP;
        let bits = if x == 0.0 && negated { 0 } else { x.to_bits() as i64 };
        return integer(inst, opd, bits, read);
    }
    let single = x as f32;
    if is_64(opd.ty.elem) {
        return wide_float(opd.ty.elem, x);
    }
    // Neither overflow nor a loss of bits below the smallest normal number is silent.
    let lost = single.is_subnormal() && f64::from(single) != x || single == 0.0 && x != 0.0;
    if lost || single.is_infinite() && x.is_finite() {
        return None;
    }
    let half = crate::float::f32_to_f16(single.to_bits());
    let half_lost = half & 0x7fff == 0x7c00 || half & 0x7fff == 0 && x != 0.0 || underflows(half, x);
    if opd.class == Class::K {
        let f16 = opd.ty.elem == Elem::F16;
        if f16 && underflows(half, x) {
            return None;
        }
        return Some(Operand::Literal(if f16 { u32::from(half) } else { single.to_bits() }));
    }
    if x == 0.0 {
        return Some(if x.is_sign_positive() { Operand::Int(0) } else { Operand::Float(single.to_bits()) });
    }
    if is_mix(inst.row()) && (half_lost || half <= 64) {
        // Halves without loss, whose patterns may be small integers.
        return (!half_lost).then_some(Operand::Int(i32::from(half)));
    }
    match (opd.ty.elem, opd.ty.count) {
        // Pairs in the long form of a short instruction are rounded in silence, but have no literal.
        (Elem::F16, 2) if inst.form() == Form::E64 && half & 0x7fff <= 64 => Some(Operand::Int(i32::from(half))),
        (Elem::Bf16, n) if inline_float(single.to_bits()).is_none() => {
            let rounded = crate::float::f32_to_bf16(single.to_bits());
            let whole = u32::from(rounded) << 16;
            Some(match rounded {
                0..=64 if n == 1 => Operand::Int(i32::from(rounded)),
                _ if n == 1 && inline_float(whole).is_some() => Operand::Float(whole),
                _ => Operand::Literal(u32::from(rounded)),
            })
        }
        (Elem::F16, _) if half_lost => None,
        (Elem::F16, _) if half == 0x3118 => Some(Operand::Float(0x3e22_f983)),
        (Elem::F16, _) if half <= 64 => Some(Operand::Int(i32::from(half))),
        // Integers of 16 bits take what halves can hold.
        (e, 1) if e.bits() == 16 && half_lost => None,
        (e, 1) if e.bits() == 16 && !e.is_float() && inst.form() == Form::Sdwa && half == 0x3118 => None,
        // The smallest numbers have the bits of inline integers.
        (e, n) if (e.bits() != 16 || n > 1) && single.to_bits() <= 64 => Some(Operand::Int(single.to_bits() as i32)),
        _ => Some(Operand::Float(single.to_bits())),
    }
}

/// A floating-point number for an operand of 64 bits, which takes inline constants, and, of floating-point numbers, the
/// upper half of others.
fn wide_float(elem: Elem, x: f64) -> Option<Operand> {
    let single = x as f32;
    // The hardware's 1/2π is a rounded constant of its own in either width.
    if x == 0.159_154_943_091_895_32 || f64::from(single) == x && inline_float(single.to_bits()).is_some() {
        return Some(Operand::Float(if f64::from(single) == x { single.to_bits() } else { 0x3e22_f983 }));
    }
    match x.to_bits() {
        bits @ 0..=64 => Some(Operand::Int(bits as i32)),
        _ if elem != Elem::F64 => None,
        bits if bits >> 32 == 0 => Some(Operand::Int(0)),
        bits => Some(Operand::Literal((bits >> 32) as u32)),
    }
}

/// The dword that `lit()` writes for a floating-point number.
fn float_literal(inst: &Inst, opd: &Opd, x: f64, read: &Read) -> Option<u32> {
    match opd.ty.elem {
        Elem::F64 => Some((x.to_bits() >> 32) as u32),
        e if is_64(e) => None,
        e => match float(inst, opd, x, read)? {
            Operand::Float(bits) if e == Elem::F16 => Some(u32::from(crate::float::f32_to_f16(bits))),
            Operand::Float(bits) if e == Elem::Bf16 => Some(u32::from(crate::float::f32_to_bf16(bits))),
            Operand::Float(bits) | Operand::Literal(bits) => Some(bits),
            Operand::Int(n) => Some(n as u32),
            _ => None,
        },
    }
}

fn source_modifiers(inst: &mut Inst, row: &Row, opd: &Opd, read: &Read) -> Result<(), ParseError> {
    if !(read.neg || read.abs || read.sext) {
        return Ok(());
    }
    let no = |what: &str| Err(ParseError::new(read.span, format!("invalid operand for instruction: {what}")));
    let i = match opd.slot {
        Field::Src0 => 0,
        Field::Src1 => 1,
        Field::Src2 => 2,
        _ => return no("this operand takes no source modifiers"),
    };
    if read.sext {
        // The value of a constant is what it is, whatever its width.
        let constant = matches!(read.arg, Arg::Int(_) | Arg::Float(_)) && matches!(inst.form(), Form::Base | Form::E64);
        let takes = row.mods.has(Mods::SEXT) || row.format == Format::VOPC && row.extends_sign(opd);
        if constant && takes && !(read.neg || read.abs) {
            return Ok(());
        }
        if inst.form() != Form::Sdwa || !row.extends_sign(opd) || i == 2 {
            return no("sext() belongs to integer SDWA operands");
        }
        inst.set(if i == 0 { Field::Sext0 } else { Field::Sext1 }, 1);
        return if read.neg || read.abs { no("sext() excludes negation and magnitude") } else { Ok(()) };
    }
    if !row.mods.has(Mods::NEG) || !opd.takes_sign() || row.mods.has(Mods::BITOP3) {
        return no("this operand cannot be negated or made absolute");
    }
    match (row.format, inst.form()) {
        (_, Form::Sdwa | Form::Dpp) => {
            if i == 2 {
                return no("this operand takes no source modifiers");
            }
            let (n, a) = if i == 0 { (Field::Neg0, Field::Abs0) } else { (Field::Neg1, Field::Abs1) };
            inst.set(n, read.neg as u32);
            inst.set(a, read.abs as u32);
        }
        (Format::VOP3P, _) if row.packed_by_default() => return no("neg_lo and neg_hi negate packed operands"),
        (Format::VOP3P, _) => {
            let (n, a) = (inst.get(Field::Neg), inst.get(Field::NegHi));
            inst.set(Field::Neg, n | (read.neg as u32) << i);
            inst.set(Field::NegHi, a | (read.abs as u32) << i);
        }
        (Format::VOP3, _) | (_, Form::E64) => {
            let (n, a) = (inst.get(Field::Neg), inst.get(Field::Abs));
            inst.set(Field::Neg, n | (read.neg as u32) << i);
            if read.abs && !inst.has(Field::Abs) {
                return no("this encoding has no magnitude");
            }
            inst.set(Field::Abs, a | (read.abs as u32) << i);
        }
        (Format::VOP3B, _) => {
            if read.abs {
                return no("this encoding has no magnitude");
            }
            let n = inst.get(Field::Neg);
            inst.set(Field::Neg, n | (read.neg as u32) << i);
        }
        _ => return no("this encoding has no source modifiers"),
    }
    Ok(())
}

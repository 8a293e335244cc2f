//! Modifiers: the words after the operands.

use super::cursor::Cursor;
use super::error::ParseError;
use super::expr::Symbols;
use super::nearest::nearest;
use super::special::{absolute, buffer_format, swizzle};
use crate::format::{Field, Format};
use crate::row::Row;
use crate::sem::{Ds, Elem, Sem};
use crate::target::Target;

/// A modifier: a field and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Modifier {
    pub(crate) field: Field,
    pub(crate) value: i64,
    /// How many elements an array modifier had.
    pub(crate) elements: u8,
    /// A second field set together with the first.
    pub(crate) second: Option<(Field, i64)>,
    pub(crate) span: (usize, usize),
}

/// What a word behind the operands may be meant to be.
pub(crate) fn suggestion(word: &str) -> Option<String> {
    if matches!(word, "glc" | "slc" | "dlc" | "scc" | "sc0" | "sc1" | "nt") {
        return Some(CACHE_POLICY.to_owned());
    }
    nearest(word, WORDS.into_iter()).map(|n| format!("did you mean `{n}`?"))
}

/// Which targets have which flags.
pub(crate) const CACHE_POLICY: &str =
    "gfx942 and gfx950 have `sc0 nt sc1`, earlier targets `glc slc` and gfx90a `scc`, scalar memory `glc`";

/// Modifiers that are one word.
const WORDS: [&str; 13] = [
    "clamp",
    "glc",
    "slc",
    "sc0",
    "sc1",
    "gds",
    "lds",
    "offen",
    "idxen",
    "tfe",
    "high",
    "row_mirror",
    "row_half_mirror",
];

fn memory(format: Format) -> bool {
    matches!(format, Format::MUBUF | Format::MTBUF | Format::FLAT | Format::GLOBAL | Format::SCRATCH | Format::MIMG)
}

fn flag(word: &str, target: Target, format: Format) -> Option<(Field, i64)> {
    let new = matches!(target, Target::Gfx942 | Target::Gfx950);
    let on = |f| Some((f, 1));
    match word {
        "clamp" => on(Field::Clamp),
        "glc" if !new || format == Format::SMEM => on(Field::Sc0),
        "slc" if !new || format == Format::SMEM => on(Field::Nt),
        "scc" if !new && memory(format) => on(Field::Sc1),
        "sc0" if new && format != Format::SMEM => on(Field::Sc0),
        "sc1" if new && format != Format::SMEM => on(Field::Sc1),
        "nt" if new && format != Format::SMEM => on(Field::Nt),
        "gds" => on(Field::Gds),
        "lds" => on(Field::Lds),
        "offen" => on(Field::Offen),
        "idxen" => on(Field::Idxen),
        "tfe" => on(Field::Tfe),
        "unorm" if format == Format::MIMG => on(Field::Unorm),
        "da" if format == Format::MIMG => on(Field::Da),
        "a16" if format == Format::MIMG => on(Field::A16),
        "lwe" if format == Format::MIMG => on(Field::Lwe),
        "d16" if format == Format::MIMG => on(Field::D16),
        "done" if format == Format::EXP => on(Field::ExpDone),
        "compr" if format == Format::EXP => on(Field::ExpCompr),
        "vm" if format == Format::EXP => on(Field::ExpVm),
        "high" if matches!(format, Format::VOP3) => on(Field::High),
        "row_mirror" => Some((Field::DppCtrl, 0x140)),
        "row_half_mirror" => Some((Field::DppCtrl, 0x141)),
        _ => None,
    }
}

/// Reads a modifier, if one stands here; `complete` says that all operands have been read.
pub(crate) fn read(
    c: &mut Cursor<'_>,
    row: &Row,
    target: Target,
    symbols: &dyn Symbols,
    complete: bool,
) -> Result<Option<Modifier>, ParseError> {
    c.skip_space();
    let start = c.pos();
    // Registers are what stands here most of the time, and no modifier begins like one.
    // But for `a16`, behind all operands of image instructions.
    let image = complete && row.format == Format::MIMG;
    if !image && matches!(c.peek(), b'v' | b's' | b'a') && matches!(c.peek_at(1), b'0'..=b'9' | b'[') {
        return Ok(None);
    }
    let Some(word) = c.peek_word() else { return Ok(None) };
    // A cache policy that scalar memory does not have; `src_scc` is the register.
    if word == "scc" && row.format == Format::SMEM && !row.name.starts_with("s_atc_probe") {
        return Err(c.error("not a valid operand: scalar memory has no such modifier"));
    }
    if let Some((field, value)) = flag(word, target, row.format) {
        c.word();
        return Ok(Some(Modifier { field, value, elements: 0, second: None, span: (start, c.pos()) }));
    }
    if let Some(rest) = word.strip_prefix("no")
        && let Some((field, 1)) = flag(rest, target, row.format)
        && !matches!(field, Field::Offen | Field::Idxen | Field::Lds | Field::Tfe)
    {
        c.word();
        return Ok(Some(Modifier { field, value: 0, elements: 0, second: None, span: (start, c.pos()) }));
    }
    let mut n = word.len();
    while matches!(c.peek_at(n), b' ' | b'\t') {
        n += 1;
    }
    if c.peek_at(n) != b':' {
        return Ok(None);
    }
    // The old spelling of buffer formats stands before the last operand.
    if !is_valued(word, row.format) || complete && matches!(word, "dfmt" | "nfmt") {
        return Ok(None);
    }
    c.seek(start + n + 1);
    let value_at = c.pos();
    let (field, value, elements, second) = valued(c, word, row, target, symbols, (start, value_at))?;
    Ok(Some(Modifier { field, value, elements, second, span: (start, c.pos()) }))
}

fn is_valued(word: &str, format: Format) -> bool {
    // Another name of what all formats call `offset`.
    if word == "inst_offset" {
        return matches!(format, Format::FLAT | Format::GLOBAL | Format::SCRATCH);
    }
    matches!(
        word,
        "offset"
            | "offset0"
            | "offset1"
            | "mul"
            | "div"
            | "op_sel"
            | "op_sel_hi"
            | "neg_lo"
            | "neg_hi"
            | "neg"
            | "cbsz"
            | "abid"
            | "blgp"
            | "bitop3"
            | "quad_perm"
            | "row_shl"
            | "row_shr"
            | "row_ror"
            | "row_newbcast"
            | "row_bcast"
            | "wave_shl"
            | "wave_shr"
            | "wave_rol"
            | "wave_ror"
            | "row_mask"
            | "bank_mask"
            | "bound_ctrl"
            | "fi"
            | "dmask"
            | "dst_sel"
            | "src0_sel"
            | "src1_sel"
            | "dst_unused"
            | "format"
            | "dfmt"
            | "nfmt"
    )
}

type Valued = (Field, i64, u8, Option<(Field, i64)>);

fn valued(
    c: &mut Cursor<'_>,
    word: &str,
    row: &Row,
    target: Target,
    symbols: &dyn Symbols,
    span: (usize, usize),
) -> Result<Valued, ParseError> {
    let one = |field, value| Ok((field, value, 0, None));
    let ranged = |c: &mut Cursor<'_>, low: i64, high: i64| -> Result<i64, ParseError> {
        c.skip_space();
        let at = c.pos();
        let v = absolute(c, symbols)?;
        if (low..=high).contains(&v) {
            Ok(v)
        } else {
            Err(ParseError::new((at, c.pos()), format!("invalid {word} value")).help(format!("{low} to {high}")))
        }
    };
    match word {
        "offset" if matches!(row.sem, Sem::Ds(Ds::Swizzle)) => one(Field::Offset, swizzle(c, symbols)?),
        "offset" | "inst_offset" => one(Field::Offset, absolute(c, symbols)?),
        "offset0" => one(Field::Offset0, ranged(c, 0, 255)?),
        "offset1" => one(Field::Offset1, ranged(c, 0, 255)?),
        "mul" => {
            let at = c.pos();
            match absolute(c, symbols)? {
                1 => one(Field::Omod, 0),
                2 => one(Field::Omod, 1),
                4 => one(Field::Omod, 2),
                _ => Err(ParseError::new((at, c.pos()), "invalid mul value").help("1, 2 or 4")),
            }
        }
        "div" => {
            let at = c.pos();
            match absolute(c, symbols)? {
                1 => one(Field::Omod, 0),
                2 => one(Field::Omod, 3),
                _ => Err(ParseError::new((at, c.pos()), "invalid div value").help("1 or 2")),
            }
        }
        "op_sel" | "op_sel_hi" | "neg_lo" | "neg_hi" | "neg" => {
            let (v, n) = bits(c, symbols)?;
            let scale = row.format == Format::MAI_SCALE;
            let field = match word {
                "op_sel" if scale => Field::ScaleOpSel,
                "op_sel" => Field::OpSel,
                "op_sel_hi" if scale => Field::ScaleOpSelHi,
                "op_sel_hi" => Field::OpSelHi,
                "neg_lo" => Field::Neg,
                "neg_hi" => Field::NegHi,
                _ => Field::Blgp,
            };
            let new = matches!(target, Target::Gfx942 | Target::Gfx950);
            if word == "neg" && !(new && matches!(row.sem, Sem::Mfma(m) if m.a == Elem::F64)) {
                return Err(ParseError::new(
                    span,
                    "`neg` is a modifier of f64 matrix instructions of gfx942 and later only",
                ));
            }
            Ok((field, v, n, None))
        }
        "cbsz" => one(Field::Cbsz, ranged(c, 0, 7)?),
        "abid" => one(Field::Abid, ranged(c, 0, 15)?),
        "blgp"
            if matches!(target, Target::Gfx942 | Target::Gfx950)
                && matches!(row.sem, Sem::Mfma(m) if m.a == Elem::F64) =>
        {
            Err(ParseError::new(span, "`blgp` is not supported by f64 matrix instructions").help("neg:[…]"))
        }
        "blgp" => one(Field::Blgp, ranged(c, 0, 7)?),
        "bitop3" => {
            let v = absolute(c, symbols)? & 0xff;
            // The low eight bits of whatever is written; the table's: negation, magnitude and output modifier fields, from the lowest.
            Ok((Field::Neg, v & 7, 1, Some((Field::Abs, v >> 3))))
        }
        "quad_perm" => {
            c.expect(b'[')?;
            let mut v = 0;
            for i in 0..4 {
                if i != 0 {
                    c.expect(b',')?;
                }
                v |= ranged(c, 0, 3)? << (2 * i);
            }
            c.expect(b']')?;
            one(Field::DppCtrl, v)
        }
        "row_shl" => one(Field::DppCtrl, 0x100 | ranged(c, 1, 15)?),
        "row_shr" => one(Field::DppCtrl, 0x110 | ranged(c, 1, 15)?),
        "row_ror" => one(Field::DppCtrl, 0x120 | ranged(c, 1, 15)?),
        "row_newbcast" => one(Field::DppCtrl, 0x150 | ranged(c, 0, 15)?),
        "wave_shl" => one(Field::DppCtrl, 0x12f + ranged(c, 1, 1)?),
        "wave_rol" => one(Field::DppCtrl, 0x133 + ranged(c, 1, 1)?),
        "wave_shr" => one(Field::DppCtrl, 0x137 + ranged(c, 1, 1)?),
        "wave_ror" => one(Field::DppCtrl, 0x13b + ranged(c, 1, 1)?),
        "row_bcast" => {
            let at = c.pos();
            match absolute(c, symbols)? {
                15 => one(Field::DppCtrl, 0x142),
                31 => one(Field::DppCtrl, 0x143),
                _ => Err(ParseError::new((at, c.pos()), "invalid row_bcast value").help("15 or 31")),
            }
        }
        // Four bits of whatever is written, as LLVM has it.
        "row_mask" => one(Field::RowMask, absolute(c, symbols)? & 15),
        "bank_mask" => one(Field::BankMask, absolute(c, symbols)? & 15),
        "dmask" => one(Field::Dmask, absolute(c, symbols)? & 15),
        "fi" => one(Field::FetchInactive, absolute(c, symbols)? & 1),
        "bound_ctrl" => {
            ranged(c, 0, 1)?;
            one(Field::BoundCtrl, 1)
        }
        "dst_sel" | "src0_sel" | "src1_sel" => {
            let names = ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"];
            let v = choice(c, &names, symbols)?;
            one(
                match word {
                    "dst_sel" => Field::DstSel,
                    "src0_sel" => Field::Src0Sel,
                    _ => Field::Src1Sel,
                },
                v,
            )
        }
        "dst_unused" => one(Field::DstUnused, choice(c, &["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"], symbols)?),
        "format" => {
            let (d, n) = buffer_format(c, symbols)?;
            Ok((Field::Dfmt, d as i64, 0, Some((Field::Nfmt, n as i64))))
        }
        "dfmt" => one(Field::Dfmt, ranged(c, 0, 15)?),
        _ => one(Field::Nfmt, ranged(c, 0, 7)?),
    }
}

fn choice(c: &mut Cursor<'_>, names: &[&str], symbols: &dyn Symbols) -> Result<i64, ParseError> {
    c.skip_space();
    let at = c.pos();
    if let Some(word) = c.word() {
        return match names.iter().position(|n| *n == word) {
            Some(i) => Ok(i as i64),
            None => Err(ParseError::new((at, c.pos()), format!("invalid value `{word}`")).help(names.join(", "))),
        };
    }
    let v = absolute(c, symbols)?;
    if (0..names.len() as i64).contains(&v) {
        Ok(v)
    } else {
        Err(ParseError::new((at, c.pos()), "invalid value").help(names.join(", ")))
    }
}

/// `[0,1,…]`, at most four bits.
fn bits(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<(i64, u8), ParseError> {
    c.expect(b'[')?;
    let (mut v, mut n) = (0, 0);
    loop {
        c.skip_space();
        let at = c.pos();
        let b = absolute(c, symbols)?;
        if !(0..=1).contains(&b) {
            return Err(ParseError::new((at, c.pos()), "expected 0 or 1"));
        }
        if n == 4 {
            return Err(ParseError::new((at, c.pos()), "expected a closing square bracket"));
        }
        v |= b << n;
        n += 1;
        if !c.eat(b',') {
            break;
        }
    }
    c.expect(b']')?;
    Ok((v, n))
}

//! Operands and modifiers of a line, read but not yet understood.

use super::cursor::Cursor;
use super::error::ParseError;
use super::expr::{Expr, Symbols, evaluate, expression, term};
use super::modifier::{self, Modifier};
use super::number::{Number, number};
use super::special;
use crate::format::{Field, Format};
use crate::reg::{Reg, RegClass, code};
use crate::row::{Mods, Opd, Row};
use crate::target::Target;

/// What an operand is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Arg {
    Reg(Reg),
    Int(i64),
    Float(f64),
    /// `lit(…)`: a literal whatever the value.
    Lit(i64),
    /// `lit64(…)`: the same, for immediates only on these targets.
    Lit64(i64),
    LitFloat(f64),
    /// An immediate with its own syntax, already encoded.
    Imm(i64),
    Off,
    /// Not yet known.
    Expr(Box<Expr>),
}

/// An operand with its source modifiers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Operand {
    pub(crate) arg: Arg,
    pub(crate) neg: bool,
    pub(crate) abs: bool,
    pub(crate) sext: bool,
    pub(crate) span: (usize, usize),
}

/// A line's operands and modifiers.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) operands: Vec<Operand>,
    pub(crate) modifiers: Vec<Modifier>,
    /// Where the line ends.
    pub(crate) end: usize,
}

/// No instruction has more operands than this.
const MOST_OPERANDS: usize = 12;

/// Reads to the end of the line. `row` tells where operands with a syntax of their own stand.
pub(crate) fn read(c: &mut Cursor<'_>, row: &Row, target: Target, symbols: &dyn Symbols) -> Result<Line, ParseError> {
    let mut line = Line { operands: Vec::with_capacity(6), modifiers: Vec::new(), end: 0 };
    loop {
        if c.at_end() {
            break;
        }
        let complete = line.operands.len() >= row.operands.len();
        if (!line.operands.is_empty() || row.operands.is_empty())
            && !is_scalar_offset(c, row, target, &line.operands)
            && let Some(m) = modifier::read(c, row, target, symbols, complete)?
        {
            // Only the old spelling of a buffer's format stands before an operand, the last one.
            let early = matches!(m.field, Field::Dfmt | Field::Nfmt) && row.format == Format::MTBUF;
            if early && !complete && (m.second.is_some() || line.operands.len() + 1 != row.operands.len()) {
                return Err(ParseError::new(m.span, "not a valid operand")
                    .help("`format:` stands behind all operands, `dfmt:` and `nfmt:` before the last"));
            }
            line.modifiers.push(m);
            c.eat(b',');
            continue;
        }
        // But for buffer formats, modifiers stand behind all operands.
        if let Some(m) = line.modifiers.first()
            && row.format != Format::MTBUF
        {
            let word = c.peek_word().filter(|w| !is_register_word(w));
            let help = word.and_then(modifier::suggestion).unwrap_or_else(|| {
                format!("operands come before modifiers, such as `{}`", &c.text()[m.span.0..m.span.1])
            });
            return Err(c.error("not a valid operand").help(help));
        }
        if line.operands.len() >= MOST_OPERANDS {
            return Err(c.error("too many operands for instruction"));
        }
        let operand = operand(c, row.operands.get(line.operands.len()), row, target, symbols)?;
        line.operands.push(operand);
        c.eat(b',');
    }
    line.end = c.pos();
    Ok(line)
}

/// Whether `scc` stands for the register: behind a buffer's resource, where the cache policy cannot come yet.
fn is_scalar_offset(c: &mut Cursor<'_>, row: &Row, target: Target, before: &[Operand]) -> bool {
    let buffer = matches!(row.format, Format::MUBUF | Format::MTBUF) && before.len() < row.operands.len();
    let resource = |o: &Operand| matches!(o.arg, Arg::Reg(Reg { class: RegClass::S, count: 4, .. }));
    // Loads into LDS lack an operand, and so have their policy where others have their offset.
    let policy = before.len() == 3 && crate::canonical::has_lds(row, target);
    buffer && before.last().is_some_and(resource) && !policy && c.peek_word() == Some("scc")
}

fn operand(
    c: &mut Cursor<'_>,
    opd: Option<&Opd>,
    row: &Row,
    target: Target,
    symbols: &dyn Symbols,
) -> Result<Operand, ParseError> {
    c.skip_space();
    let start = c.pos();
    let plain = |c: &Cursor<'_>, arg| Operand { arg, neg: false, abs: false, sext: false, span: (start, c.pos()) };
    if let Some(class) = opd.map(|o| o.class)
        && let Some(imm) = special::read(c, class, target, symbols)?
    {
        return Ok(plain(c, Arg::Imm(imm)));
    }
    let mut neg = false;
    let mut abs = false;
    let mut sext = false;
    // Where a minus may be a modifier, two of them are ambiguous.
    let signed = row.mods.has(Mods::NEG) && !row.packed_by_default() && opd.is_some_and(Opd::takes_sign);
    if c.peek() == b'-' && c.peek_at(1) == b'-' && signed {
        return Err(c.error("two signs are ambiguous here").help("neg() negates an operand"));
    }
    // A minus is a modifier before anything but a number.
    if c.peek() == b'-' && !c.peek_at(1).is_ascii_digit() && c.peek_at(1) != b'.' {
        let at = c.pos();
        c.bump();
        c.skip_space();
        let modifier = c.peek() == b'|'
            || c.peek_word()
                .is_some_and(|w| matches!(w, "abs" | "sext") || is_register_word(w) && begins_register(c, w))
            || c.peek() == b'[';
        if modifier {
            neg = true;
        } else {
            c.seek(at);
        }
    }
    let mut closers: Vec<u8> = Vec::new();
    loop {
        c.skip_space();
        let at = c.pos();
        match c.peek_word() {
            Some("neg") if !abs && followed_by_paren(c, "neg") => {
                open(c, "neg");
                if neg {
                    return Err(ParseError::new((at, c.pos()), "negated twice"));
                }
                neg = true;
                closers.push(b')');
            }
            Some("abs") if followed_by_paren(c, "abs") => {
                if abs {
                    return Err(c.error("the magnitude of a magnitude is the same").help("one `abs()` or `|…|`"));
                }
                open(c, "abs");
                abs = true;
                closers.push(b')');
            }
            Some("sext") if followed_by_paren(c, "sext") => {
                if abs {
                    return Err(c.error("sext() excludes negation and magnitude"));
                }
                open(c, "sext");
                sext = true;
                closers.push(b')');
            }
            _ if c.peek() == b'|' && !abs => {
                c.bump();
                abs = true;
                closers.push(b'|');
            }
            _ => break,
        }
        if closers.len() > 3 {
            return Err(c.error("too many modifiers on one operand"));
        }
    }
    let inside_bars = closers.contains(&b'|');
    let arg = value(c, !inside_bars, symbols)?;
    for close in closers.into_iter().rev() {
        c.expect(close)?;
    }
    Ok(Operand { arg, neg, abs, sext, span: (start, c.pos()) })
}

/// Whether a word that begins like a register is one: a file's letter alone needs an index.
fn begins_register(c: &Cursor<'_>, word: &str) -> bool {
    let mut n = word.len();
    while c.peek_at(n) == b' ' {
        n += 1;
    }
    word.len() > 1 || c.peek_at(n) == b'['
}

fn followed_by_paren(c: &Cursor<'_>, word: &str) -> bool {
    let mut n = word.len();
    while c.peek_at(n) == b' ' {
        n += 1;
    }
    c.peek_at(n) == b'('
}

fn open(c: &mut Cursor<'_>, word: &str) {
    c.seek(c.pos() + word.len());
    c.eat(b'(');
}

/// The operand without its source modifiers. Between bars (`!bars`), `|` is no operator.
fn value(c: &mut Cursor<'_>, bars: bool, symbols: &dyn Symbols) -> Result<Arg, ParseError> {
    c.skip_space();
    let start = c.pos();
    let b = c.peek();
    if b == b'[' {
        return register_list(c, symbols).map(Arg::Reg);
    }
    let digit = b.is_ascii_digit() || b == b'.' && c.peek_at(1).is_ascii_digit();
    let blanks = if b == b'-' { (1..).take_while(|i| matches!(c.peek_at(*i), b' ' | b'\t')).count() } else { 0 };
    if digit || b == b'-' && (c.peek_at(1 + blanks).is_ascii_digit() || c.peek_at(1 + blanks) == b'.') {
        let minus = b == b'-';
        if minus {
            c.bump();
            c.skip_space();
        }
        let n = number(c);
        c.skip_space();
        let operator = matches!(c.peek(), b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'&' | b'^' | b'=' | b'!')
            || c.peek() == b'|' && bars
            || matches!(c.peek(), b'b' | b'f');
        match n? {
            Number::Float(x) => return Ok(Arg::Float(if minus { -x } else { x })),
            Number::Int(x) if !operator => return Ok(Arg::Int(if minus { x.wrapping_neg() } else { x })),
            Number::Int(_) => c.seek(start),
        }
        return resolve(c, start, bars, symbols);
    }
    if let Some(word) = c.peek_word() {
        if word == "off" {
            c.word();
            return Ok(Arg::Off);
        }
        if matches!(word, "lit" | "lit64") && followed_by_paren(c, word) {
            open(c, word);
            let inner = value(c, true, symbols)?;
            c.expect(b')')?;
            return match inner {
                Arg::Int(x) if word == "lit64" => Ok(Arg::Lit64(x)),
                Arg::Int(x) => Ok(Arg::Lit(x)),
                Arg::Float(x) => Ok(Arg::LitFloat(x)),
                _ => Err(ParseError::new((start, c.pos()), "lit() takes a number")),
            };
        }
        if is_register_word(word)
            && let Some(r) = register(c, symbols)?
        {
            return Ok(Arg::Reg(r));
        }
        if is_register_elsewhere(word) {
            return Err(c.error(format!("register {word} is not available on these targets")));
        }
    }
    resolve(c, start, bars, symbols)
}

fn resolve(c: &mut Cursor<'_>, start: usize, bars: bool, symbols: &dyn Symbols) -> Result<Arg, ParseError> {
    // Between bars stands one term; a sum needs parentheses.
    let e = if bars { expression(c)? } else { term(c)? };
    if let Expr::Int(x) = e {
        return Ok(Arg::Int(x));
    }
    match evaluate(&e, symbols) {
        Ok(v) if v.section.is_none() => Ok(Arg::Int(v.number)),
        Ok(_) | Err(super::expr::ExprError::Undefined(_) | super::expr::ExprError::NotAbsolute) => {
            Ok(Arg::Expr(Box::new(e)))
        }
        Err(err) => Err(ParseError::new((start, c.pos()), err.to_string())),
    }
}

/// Whether a word is the start of a register, so that a minus before it negates it.
fn is_register_word(word: &str) -> bool {
    let b = word.as_bytes();
    let numbered = |prefix: usize| b.len() > prefix && b[prefix..].iter().all(u8::is_ascii_digit);
    match b[0] {
        b'v' | b's' | b'a' if b.len() == 1 || numbered(1) => true,
        b'a' if word == "acc" || word.starts_with("acc") && numbered(3) => true,
        b't' if word == "ttmp" || word.starts_with("ttmp") && numbered(4) => true,
        _ => named(word).is_some(),
    }
}

/// Whether a word is a register of other generations only: not a symbol either.
fn is_register_elsewhere(word: &str) -> bool {
    matches!(word, "tba" | "tba_lo" | "tba_hi" | "tma" | "tma_lo" | "tma_hi" | "null")
}

/// Whether a word means something else than a symbol where an operand or expression stands.
pub(crate) fn is_reserved_word(word: &str) -> bool {
    is_register_word(word)
        || is_register_elsewhere(word)
        || matches!(
            word,
            "off"
                | "lit"
                | "lit64"
                | "abs"
                | "neg"
                | "sext"
                | "max"
                | "or"
                | "alignto"
                | "extrasgprs"
                | "totalnumvgprs"
        )
}

/// Registers by name.
fn named(word: &str) -> Option<Reg> {
    let s = |index, count| Some(Reg::s(index, count));
    let src = |index| Some(Reg::src(index, 1));
    match word {
        "vcc" => s(code::VCC, 2),
        "vcc_lo" => s(code::VCC, 1),
        "vcc_hi" => s(code::VCC + 1, 1),
        "exec" => s(code::EXEC, 2),
        "exec_lo" => s(code::EXEC, 1),
        "exec_hi" => s(code::EXEC + 1, 1),
        "m0" => s(code::M0, 1),
        "flat_scratch" => s(code::FLAT_SCRATCH, 2),
        "flat_scratch_lo" => s(code::FLAT_SCRATCH, 1),
        "flat_scratch_hi" => s(code::FLAT_SCRATCH + 1, 1),
        "xnack_mask" => s(code::XNACK_MASK, 2),
        "xnack_mask_lo" => s(code::XNACK_MASK, 1),
        "xnack_mask_hi" => s(code::XNACK_MASK + 1, 1),
        "src_shared_base" | "shared_base" => src(code::SHARED_BASE),
        "src_shared_limit" | "shared_limit" => src(code::SHARED_LIMIT),
        "src_private_base" | "private_base" => src(code::PRIVATE_BASE),
        "src_private_limit" | "private_limit" => src(code::PRIVATE_LIMIT),
        "src_pops_exiting_wave_id" | "pops_exiting_wave_id" => src(code::POPS_EXITING_WAVE_ID),
        "src_vccz" | "vccz" => src(code::VCCZ),
        "src_execz" | "execz" => src(code::EXECZ),
        "src_scc" | "scc" => src(code::SCC),
        "src_lds_direct" | "lds_direct" => src(code::LDS_DIRECT),
        _ => None,
    }
}

/// Reads a register; the word here is known to begin one.
fn register(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<Option<Reg>, ParseError> {
    let start = c.pos();
    let Some(word) = c.word() else { return Ok(None) };
    if let Some(r) = named(word) {
        return Ok(Some(r));
    }
    let (make, prefix, limit): (fn(u16, u8) -> Reg, usize, u32) = match word.as_bytes()[0] {
        b'v' => (Reg::v, 1, 256),
        b's' => (Reg::s, 1, 102),
        b't' => (|i, n| Reg::s(i + code::TTMP0, n), 4, 16),
        b'a' if word.starts_with("acc") => (Reg::a, 3, 256),
        _ => (Reg::a, 1, 256),
    };
    let (first, last) = if word.len() > prefix {
        let n: u32 =
            word[prefix..].parse().map_err(|_| ParseError::new((start, c.pos()), "register index is out of range"))?;
        (n, n)
    } else {
        if c.peek() != b'[' {
            c.skip_space();
            if c.peek() != b'[' {
                c.seek(start);
                return Ok(None);
            }
        }
        c.bump();
        let first = index(c, symbols)?;
        let last = if c.eat(b':') { index(c, symbols)? } else { first };
        c.expect(b']')?;
        (first, last)
    };
    let span = (start, c.pos());
    if last < first {
        return Err(ParseError::new(span, "first register index should not exceed second index"));
    }
    let count = last - first + 1;
    if last >= limit || count > 32 {
        return Err(ParseError::new(span, "register index is out of range"));
    }
    if !matches!(count, 1..=12 | 16 | 32) {
        return Err(ParseError::new(span, "invalid or unsupported register size"));
    }
    if make(0, 1).class == RegClass::S && !first.is_multiple_of(align(count)) {
        return Err(ParseError::new(span, "invalid register alignment"));
    }
    Ok(Some(make(first as u16, count as u8)))
}

/// SGPR tuples start at multiples of 2 or 4.
fn align(count: u32) -> u32 {
    match count {
        1 => 1,
        2 => 2,
        _ => 4,
    }
}

fn index(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<u32, ParseError> {
    c.skip_space();
    let start = c.pos();
    // Nearly always a plain decimal number.
    let mut n = 0u32;
    while c.peek().is_ascii_digit() && n < 10_000 {
        n = n * 10 + u32::from(c.peek() - b'0');
        c.bump();
    }
    let octal = c.pos() > start + 1 && c.text().as_bytes()[start] == b'0';
    if c.pos() > start && !octal && matches!(c.peek(), b':' | b']') {
        return Ok(n);
    }
    c.seek(start);
    let e = expression(c)?;
    let v = evaluate(&e, symbols).map_err(|e| ParseError::new((start, c.pos()), e.to_string()))?;
    match (v.section, u32::try_from(v.number)) {
        (None, Ok(n)) if n < 1 << 16 => Ok(n),
        _ => Err(ParseError::new((start, c.pos()), "invalid register index")),
    }
}

/// `[v0, v1, v2]`: consecutive registers.
fn register_list(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<Reg, ParseError> {
    let start = c.pos();
    c.bump();
    let mut out: Option<Reg> = None;
    loop {
        c.skip_space();
        let at = c.pos();
        let word = c.peek_word().filter(|w| is_register_word(w));
        let r = match word {
            Some(_) => register(c, symbols)?,
            None => None,
        };
        let Some(r) = r else { return Err(c.error("expected a register")) };
        out = Some(match out {
            None => r,
            Some(o) if o.class == r.class && r.count == 1 && r.index == o.index + o.count as u16 && o.count < 32 => {
                Reg { count: o.count + 1, ..o }
            }
            Some(_) => return Err(ParseError::new((at, c.pos()), "registers in a list must have consecutive indices")),
        });
        if !c.eat(b',') {
            break;
        }
    }
    c.expect(b']')?;
    match out {
        Some(r) if r.class != RegClass::S || (r.index as u32).is_multiple_of(align(r.count as u32)) => Ok(r),
        _ => Err(ParseError::new((start, c.pos()), "invalid register alignment")),
    }
}

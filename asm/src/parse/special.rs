//! Immediates with a syntax of their own: `vmcnt(0) & lgkmcnt(0)`, `hwreg(…)`, `sendmsg(…)`, `gpr_idx(…)`,
//! `swizzle(…)`, `format:[…]`.

use super::cursor::Cursor;
use super::error::ParseError;
use super::expr::{Symbols, evaluate, expression};
use crate::imm::{self, WaitCnt};
use crate::row::Class;
use crate::target::Target;

/// Reads the special form of an operand of `class`; `None` if what stands here is a plain expression.
pub(crate) fn read(
    c: &mut Cursor<'_>,
    class: Class,
    target: Target,
    symbols: &dyn Symbols,
) -> Result<Option<i64>, ParseError> {
    match class {
        Class::WaitCnt => waitcnt(c, symbols),
        Class::HwReg => hwreg(c, target, symbols),
        Class::Msg => message(c, symbols),
        Class::GprIdx => gpr_idx(c),
        Class::Attr => attribute(c),
        Class::Param | Class::ExpTgt => named(c, class),
        _ => Ok(None),
    }
}

/// An absolute expression.
pub(crate) fn absolute(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<i64, ParseError> {
    c.skip_space();
    let start = c.pos();
    let e = expression(c)?;
    let v = evaluate(&e, symbols).map_err(|e| ParseError::new((start, c.pos()), e.to_string()))?;
    match v.section {
        None => Ok(v.number),
        Some(_) => Err(ParseError::new((start, c.pos()), "expected an absolute expression")),
    }
}

fn calls(c: &mut Cursor<'_>, name: &str) -> bool {
    let at = c.pos();
    if c.word() == Some(name) && c.eat(b'(') {
        return true;
    }
    c.seek(at);
    false
}

fn waitcnt(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<Option<i64>, ParseError> {
    let mut w = WaitCnt::NONE;
    let mut any = false;
    loop {
        c.skip_space();
        let start = c.pos();
        let Some(word) = c.word() else { break };
        let (name, saturate) = match word.strip_suffix("_sat") {
            Some(n) => (n, true),
            None => (word, false),
        };
        let (slot, max) = match name {
            "vmcnt" => (&mut w.vm, 63),
            "expcnt" => (&mut w.exp, 7),
            "lgkmcnt" => (&mut w.lgkm, 15),
            _ => {
                if any {
                    return Err(ParseError::new((start, c.pos()), format!("invalid counter name {word}"))
                        .help("vmcnt, expcnt and lgkmcnt exist here"));
                }
                c.seek(start);
                if c.peek_at(word.len()) == b'(' {
                    return Err(c
                        .error(format!("invalid counter name {word}"))
                        .help("vmcnt, expcnt and lgkmcnt exist here"));
                }
                return Ok(None);
            }
        };
        c.expect(b'(')?;
        let at = c.pos();
        let v = absolute(c, symbols)?;
        let fits = (0..=max).contains(&v);
        if !fits && !saturate {
            return Err(
                ParseError::new((at, c.pos()), format!("too large value for {name}")).help(format!("0 to {max}"))
            );
        }
        // Saturation takes every other value for the largest, negative ones too.
        *slot = if fits { v } else { max } as u32;
        c.expect(b')')?;
        any = true;
        c.skip_space();
        if matches!(c.peek(), b'&' | b',') {
            c.bump();
            c.skip_space();
            if !c.peek_word().is_some_and(|w| w.ends_with("cnt") || w.ends_with("_sat")) {
                let e = c.error("expected a counter name");
                return Err(e.help("vmcnt, expcnt and lgkmcnt exist here"));
            }
        }
    }
    Ok(any.then(|| w.encode() as i64))
}

fn hwreg(c: &mut Cursor<'_>, target: Target, symbols: &dyn Symbols) -> Result<Option<i64>, ParseError> {
    c.skip_space();
    if c.peek() == b'{' {
        return structured_hwreg(c, symbols).map(Some);
    }
    if !calls(c, "hwreg") {
        return Ok(None);
    }
    let id = hwreg_id(c, target, symbols)?;
    let (mut offset, mut width) = (0, 32);
    if c.eat(b',') {
        let at = c.pos();
        offset = absolute(c, symbols)?;
        if !(0..32).contains(&offset) {
            return Err(ParseError::new((at, c.pos()), "invalid bit offset: only 5-bit values are legal"));
        }
        c.expect(b',')?;
        let at = c.pos();
        width = absolute(c, symbols)?;
        if !(1..=32).contains(&width) {
            return Err(ParseError::new((at, c.pos()), "invalid bitfield width: only values from 1 to 32 are legal"));
        }
    }
    c.expect(b')')?;
    Ok(Some(id | offset << 6 | (width - 1) << 11))
}

fn hwreg_id(c: &mut Cursor<'_>, target: Target, symbols: &dyn Symbols) -> Result<i64, ParseError> {
    c.skip_space();
    let at = c.pos();
    if let Some(word) = c.peek_word()
        && symbols.lookup(word).is_none()
    {
        c.word();
        return imm::HWREGS
            .iter()
            .find(|h| h.1 == word && imm::hwreg_name(h.0, target).is_some())
            .map(|h| h.0 as i64)
            .ok_or_else(|| {
                let near = super::nearest(word, imm::HWREGS.iter().map(|h| h.1));
                let e = ParseError::new((at, c.pos()), "a register name or an absolute expression was expected");
                match near {
                    Some(n) => e.help(format!("did you mean {n}?")),
                    None => e,
                }
            });
    }
    let id = absolute(c, symbols)?;
    if (0..64).contains(&id) {
        Ok(id)
    } else {
        Err(ParseError::new((at, c.pos()), "invalid hardware register: only 6-bit values are legal"))
    }
}

/// `{id: …, offset: …, size: …}`.
fn structured_hwreg(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<i64, ParseError> {
    c.bump();
    let (mut id, mut offset, mut width) = (0, 0, 32);
    let mut seen: Vec<&str> = Vec::new();
    if c.eat(b'}') {
        return Ok(id | offset << 6 | (width - 1) << 11);
    }
    loop {
        c.skip_space();
        let at = c.pos();
        let Some(field) = c.word() else { return Err(c.error("expected `id`, `offset` or `size`")) };
        if seen.contains(&field) {
            return Err(ParseError::new((at, c.pos()), format!("duplicate field `{field}`")));
        }
        seen.push(field);
        c.expect(b':')?;
        match field {
            "id" => {
                // Names belong to `hwreg()`.
                c.skip_space();
                let at = c.pos();
                id = absolute(c, symbols)?;
                if !(0..64).contains(&id) {
                    return Err(ParseError::new(
                        (at, c.pos()),
                        "invalid hardware register: only 6-bit values are legal",
                    ));
                }
            }
            "offset" => offset = absolute(c, symbols)?,
            "size" => width = absolute(c, symbols)?,
            _ => return Err(ParseError::new((at, c.pos()), "unknown field").help("`id`, `offset` or `size`")),
        }
        if !(0..32).contains(&offset) || !(1..=32).contains(&width) {
            return Err(ParseError::new((at, c.pos()), "bit offsets are 0 to 31, sizes 1 to 32"));
        }
        if !c.eat(b',') {
            break;
        }
    }
    c.expect(b'}')?;
    Ok(id | offset << 6 | (width - 1) << 11)
}

fn message(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<Option<i64>, ParseError> {
    c.skip_space();
    if !calls(c, "sendmsg") {
        return Ok(None);
    }
    c.skip_space();
    let at = c.pos();
    let (id, named) = match c.peek_word() {
        Some(w) if symbols.lookup(w).is_none() => {
            c.word();
            match imm::MESSAGES.iter().find(|m| m.1 == w) {
                Some(m) => (m.0 as i64, true),
                None => {
                    return Err(ParseError::new(
                        (at, c.pos()),
                        "a message name or an absolute expression was expected",
                    ));
                }
            }
        }
        _ => (absolute(c, symbols)?, false),
    };
    if !(0..16).contains(&id) {
        return Err(ParseError::new((at, c.pos()), "invalid message id"));
    }
    let (mut op, mut stream) = (None, None);
    if c.eat(b',') {
        c.skip_space();
        let at = c.pos();
        op = Some(match c.peek_word() {
            Some(w) if symbols.lookup(w).is_none() => {
                c.word();
                let gs = imm::GS_OPS.iter().position(|o| *o == w).filter(|_| matches!(id, 2 | 3)).map(|o| o as i64);
                let sys = imm::SYS_OPS.iter().find(|o| o.1 == w).filter(|_| id == 15).map(|o| o.0 as i64);
                match gs.or(sys) {
                    Some(o) => o,
                    None => {
                        return Err(ParseError::new(
                            (at, c.pos()),
                            "an operation name or an absolute expression was expected",
                        ));
                    }
                }
            }
            _ => absolute(c, symbols)?,
        });
        if c.eat(b',') {
            stream = Some(absolute(c, symbols)?);
        }
    }
    c.expect(b')')?;
    let span = (at, c.pos());
    if named {
        match (id, op) {
            (2, None) | (3, None) | (15, None) => return Err(ParseError::new(span, "missing message operation")),
            (2, Some(0)) => return Err(ParseError::new(span, "invalid operation id")),
            (2 | 3, Some(0..=3)) | (15, Some(1 | 2 | 4)) => {}
            (2 | 3 | 15, Some(_)) => return Err(ParseError::new(span, "invalid operation id")),
            (_, Some(_)) => return Err(ParseError::new(span, "message does not support operations")),
            _ => {}
        }
        if stream.is_some() && !(matches!(id, 2 | 3) && op != Some(0)) {
            return Err(ParseError::new(span, "message operation does not support streams"));
        }
    }
    let (op, stream) = (op.unwrap_or(0), stream.unwrap_or(0));
    if !(0..8).contains(&op) {
        return Err(ParseError::new(span, "invalid operation id"));
    }
    if !(0..4).contains(&stream) {
        return Err(ParseError::new(span, "invalid message stream id"));
    }
    Ok(Some(id | op << 4 | stream << 8))
}

/// `attr0.x`.
fn attribute(c: &mut Cursor<'_>) -> Result<Option<i64>, ParseError> {
    c.skip_space();
    let at = c.pos();
    let word = c.word().unwrap_or("");
    let span = (at, c.pos().max(at + 1));
    let bad = |what: &str| ParseError::new(span, what.to_owned()).help("attr0.x to attr32.w");
    let (number, channel) = word
        .strip_prefix("attr")
        .and_then(|rest| rest.split_once('.'))
        .ok_or_else(|| bad("an interpolation attribute with its channel was expected"))?;
    let plain = number == "0" || !number.starts_with('0');
    let number: i64 = number.parse().ok().filter(|_| plain).ok_or_else(|| bad("invalid attribute number"))?;
    let channel = ["x", "y", "z", "w"].iter().position(|c| *c == channel);
    match channel {
        Some(channel) if (0..=i64::from(imm::LAST_ATTRIBUTE)).contains(&number) => {
            Ok(Some(number << 2 | channel as i64))
        }
        Some(_) => Err(bad("out of bounds interpolation attribute number")),
        None => Err(bad("invalid or missing interpolation attribute channel")),
    }
}

/// An interpolation parameter or an export target.
fn named(c: &mut Cursor<'_>, class: Class) -> Result<Option<i64>, ParseError> {
    c.skip_space();
    let at = c.pos();
    let word = c.word().unwrap_or("");
    let span = (at, c.pos().max(at + 1));
    if class == Class::Param {
        let found = imm::PARAMETERS.iter().position(|p| *p == word);
        return match found {
            Some(i) => Ok(Some(i as i64)),
            None => Err(ParseError::new(span, "invalid interpolation slot").help("p10, p20 or p0")),
        };
    }
    match (0..64).find(|t| imm::export_target(*t).is_some_and(|n| n == word)) {
        Some(t) => Ok(Some(i64::from(t))),
        None => Err(ParseError::new(span, "invalid exp target")
            .help("mrt0 to mrt7, mrtz, null, pos0 to pos3, param0 to param31")),
    }
}

fn gpr_idx(c: &mut Cursor<'_>) -> Result<Option<i64>, ParseError> {
    c.skip_space();
    if !calls(c, "gpr_idx") {
        return Ok(None);
    }
    let mut mode = 0;
    if c.eat(b')') {
        return Ok(Some(0));
    }
    loop {
        c.skip_space();
        let at = c.pos();
        let word = c.word().unwrap_or("");
        match imm::GPR_IDX.iter().position(|m| *m == word) {
            Some(i) if mode & 1 << i == 0 => mode |= 1 << i,
            Some(_) => return Err(ParseError::new((at, c.pos()), "duplicate VGPR index mode")),
            None => {
                return Err(ParseError::new((at, c.pos().max(at + 1)), "expected a VGPR index mode")
                    .help("SRC0, SRC1, SRC2 or DST"));
            }
        }
        if !c.eat(b',') {
            break;
        }
    }
    c.expect(b')')?;
    Ok(Some(mode))
}

/// The value of DS swizzle's `offset:`.
pub(crate) fn swizzle(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<i64, ParseError> {
    c.skip_space();
    if !calls(c, "swizzle") {
        let at = c.pos();
        let v = absolute(c, symbols)?;
        return if (0..1 << 16).contains(&v) {
            Ok(v)
        } else {
            Err(ParseError::new((at, c.pos()), "expected a 16-bit offset"))
        };
    }
    c.skip_space();
    let at = c.pos();
    let mode = c.word().unwrap_or("");
    let next = |c: &mut Cursor<'_>, low: i64, high: i64| -> Result<i64, ParseError> {
        c.expect(b',')?;
        c.skip_space();
        let at = c.pos();
        let v = absolute(c, symbols)?;
        if (low..=high).contains(&v) {
            Ok(v)
        } else {
            Err(ParseError::new((at, c.pos()), format!("expected a value from {low} to {high}")))
        }
    };
    let bits = |and: i64, or: i64, xor: i64| and | or << 5 | xor << 10;
    let power = |c: &Cursor<'_>, v: i64, at: usize| {
        if v & (v - 1) == 0 { Ok(v) } else { Err(ParseError::new((at, c.pos()), "group size must be a power of two")) }
    };
    let v = match mode {
        "QUAD_PERM" => {
            let mut v = 0x8000;
            for i in 0..4 {
                v |= next(c, 0, 3)? << (2 * i);
            }
            v
        }
        "BROADCAST" => {
            let size = next(c, 2, 32)?;
            let size = power(c, size, at)?;
            let lane = next(c, 0, size - 1)?;
            bits(32 - size, lane, 0)
        }
        "SWAP" => {
            let size = next(c, 1, 16)?;
            bits(31, 0, power(c, size, at)?)
        }
        "REVERSE" => {
            let size = next(c, 2, 32)?;
            bits(31, 0, power(c, size, at)? - 1)
        }
        "BITMASK_PERM" => {
            c.expect(b',')?;
            c.expect(b'"')?;
            let start = c.pos();
            while c.peek() != b'"' && c.peek() != 0 {
                c.bump();
            }
            let mask = c.since(start);
            if mask.len() != 5 {
                return Err(ParseError::new((start, c.pos()), "expected a 5-character mask"));
            }
            let (mut and, mut or, mut xor) = (0, 0, 0);
            for (i, ch) in mask.bytes().enumerate() {
                let bit = 1 << (4 - i);
                match ch {
                    b'0' => {}
                    b'1' => or |= bit,
                    b'p' => and |= bit,
                    b'i' => {
                        and |= bit;
                        xor |= bit;
                    }
                    _ => return Err(ParseError::new((start, c.pos()), "invalid mask").help("`0`, `1`, `p` and `i`")),
                }
            }
            c.expect(b'"')?;
            bits(and, or, xor)
        }
        _ => {
            return Err(ParseError::new((at, c.pos().max(at + 1)), "expected a swizzle mode")
                .help("QUAD_PERM, BROADCAST, SWAP, REVERSE or BITMASK_PERM"));
        }
    };
    c.expect(b')')?;
    Ok(v)
}

/// Whether the printed form of a swizzle reads back as the same immediate.
pub(crate) fn swizzle_is_exact(imm: u32) -> bool {
    let mut text = crate::print::Text::default();
    imm::push_swizzle(&mut text, imm);
    let text = text.into_string();
    let Some(value) = text.strip_prefix(" offset:") else { return imm == 0 };
    swizzle(&mut Cursor::new(value), &super::NoSymbols) == Ok(imm as i64)
}

/// `format:[…]` or `format:N`: data and number format.
pub(crate) fn buffer_format(c: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<(u32, u32), ParseError> {
    c.skip_space();
    let at = c.pos();
    if !c.eat(b'[') {
        let v = absolute(c, symbols)?;
        if !(0..128).contains(&v) {
            return Err(ParseError::new((at, c.pos()), "out of range format").help("0 to 127"));
        }
        return Ok((v as u32 & 15, v as u32 >> 4));
    }
    let (mut dfmt, mut nfmt) = (None, None);
    loop {
        c.skip_space();
        let at = c.pos();
        let word = c.word().unwrap_or("");
        let span = (at, c.pos().max(at + 1));
        if let Some(d) = imm::DFMT.iter().position(|f| *f == word) {
            if dfmt.replace(d as u32).is_some() {
                return Err(ParseError::new(span, "duplicate data format"));
            }
        } else if let Some(n) = imm::NFMT.iter().position(|f| *f == word) {
            if nfmt.replace(n as u32).is_some() {
                return Err(ParseError::new(span, "duplicate numeric format"));
            }
        } else {
            let e = ParseError::new(span, "unsupported format");
            return Err(match super::nearest(word, imm::DFMT.iter().chain(imm::NFMT.iter()).copied()) {
                Some(n) => e.help(format!("did you mean {n}?")),
                None => e,
            });
        }
        if !c.eat(b',') {
            break;
        }
    }
    c.expect(b']')?;
    Ok((dfmt.unwrap_or(1), nfmt.unwrap_or(0)))
}

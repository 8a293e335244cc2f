//! Numbers as assemblers write them.

use super::cursor::Cursor;
use super::error::ParseError;

/// A number token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

/// Reads a number at the cursor, which stands at a digit, or at a point before one.
pub(crate) fn number(c: &mut Cursor<'_>) -> Result<Number, ParseError> {
    let start = c.pos();
    if c.peek() == b'0' && matches!(c.peek_at(1), b'x' | b'X') {
        c.bump();
        c.bump();
        if let Some(x) = hexadecimal_float(c) {
            return Ok(Number::Float(x));
        }
        return radix(c, start, 16);
    }
    if c.peek() == b'0' && matches!(c.peek_at(1), b'b' | b'B') && matches!(c.peek_at(2), b'0' | b'1') {
        c.bump();
        c.bump();
        return radix(c, start, 2);
    }
    while c.peek().is_ascii_digit() {
        c.bump();
    }
    let mut float = false;
    if c.peek() == b'.' {
        float = true;
        c.bump();
        while c.peek().is_ascii_digit() {
            c.bump();
        }
    }
    let mantissa = c.pos();
    let end;
    if matches!(c.peek(), b'e' | b'E') && !super::cursor::is_word(c.peek_at(1)) || exponent_follows(c) {
        float = true;
        c.bump();
        if matches!(c.peek(), b'+' | b'-') {
            c.bump();
        }
        // An exponent without digits is none.
        let digits = c.pos();
        while c.peek().is_ascii_digit() {
            c.bump();
        }
        end = if c.pos() > digits { c.pos() } else { mantissa };
    } else {
        end = mantissa;
    }
    let text = c.text().get(start..end).unwrap_or_default();
    let bad = || ParseError::new((start, c.pos()), format!("`{text}` is no number"));
    if float {
        return text.parse().map(Number::Float).map_err(|_| bad());
    }
    let octal = text.len() > 1 && text.starts_with('0');
    let value =
        u64::from_str_radix(if octal { &text[1..] } else { text }, if octal { 8 } else { 10 }).map_err(|_| bad())?;
    Ok(Number::Int(value as i64))
}

fn exponent_follows(c: &Cursor<'_>) -> bool {
    matches!(c.peek(), b'e' | b'E')
        && (c.peek_at(1).is_ascii_digit() || matches!(c.peek_at(1), b'+' | b'-') && c.peek_at(2).is_ascii_digit())
}

/// `1.8p1` after `0x`, if that is what stands here.
fn hexadecimal_float(c: &mut Cursor<'_>) -> Option<f64> {
    let at = c.pos();
    let (mut value, mut scale, mut point, mut digits) = (0f64, 0i32, false, 0);
    loop {
        match (c.peek() as char).to_digit(16) {
            Some(d) if digits < 32 => {
                value = value * 16.0 + f64::from(d);
                digits += 1;
                scale -= if point { 4 } else { 0 };
            }
            None if c.peek() == b'.' && !point => point = true,
            _ => break,
        }
        c.bump();
    }
    if digits > 0 && matches!(c.peek(), b'p' | b'P') {
        c.bump();
        let minus = c.peek() == b'-';
        if matches!(c.peek(), b'+' | b'-') {
            c.bump();
        }
        let start = c.pos();
        while c.peek().is_ascii_digit() {
            c.bump();
        }
        if let Ok(e) = c.since(start).parse::<i32>()
            && e < 10_000
        {
            return Some(value * f64::from(scale + if minus { -e } else { e }).exp2());
        }
    }
    c.seek(at);
    None
}

fn radix(c: &mut Cursor<'_>, start: usize, radix: u32) -> Result<Number, ParseError> {
    let digits = c.pos();
    while (c.peek() as char).is_digit(radix) {
        c.bump();
    }
    let text = c.since(digits);
    u64::from_str_radix(text, radix)
        .map(|x| Number::Int(x as i64))
        .map_err(|_| ParseError::new((start, c.pos()), "expected a number of at most 64 bits"))
}

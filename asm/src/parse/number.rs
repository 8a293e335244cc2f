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
    if matches!(c.peek(), b'e' | b'E')
        && (c.peek_at(1).is_ascii_digit() || matches!(c.peek_at(1), b'+' | b'-') && c.peek_at(2).is_ascii_digit())
    {
        float = true;
        c.bump();
        c.bump();
        while c.peek().is_ascii_digit() {
            c.bump();
        }
    }
    let text = c.since(start);
    let bad = || ParseError::new((start, c.pos()), format!("`{text}` is no number"));
    if float {
        return text.parse().map(Number::Float).map_err(|_| bad());
    }
    let octal = text.len() > 1 && text.starts_with('0');
    let value =
        u64::from_str_radix(if octal { &text[1..] } else { text }, if octal { 8 } else { 10 }).map_err(|_| bad())?;
    Ok(Number::Int(value as i64))
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

//! One instruction a line, for pipes: hex bytes to text.

use crate::inst::{DecodeError, Inst, decode};
use crate::parse::{Cursor, NoSymbols, ParseError, parse_instruction};
use crate::print::{self, Text};
use crate::target::Target;

/// Why a line of bytes is no instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Not hexadecimal bytes, or not whole dwords.
    #[error("column {column}: expected hexadecimal bytes, such as `00 00 80 bf` or `0000 80bf`, in whole dwords")]
    Hex {
        /// Where, from 1.
        column: usize,
    },
    /// No instruction.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// Bytes after the instruction.
    #[error("{extra} bytes follow the instruction of {used} bytes")]
    Trailing {
        /// Bytes left.
        extra: usize,
        /// Bytes of the instruction.
        used: usize,
    },
}

/// The bytes of a line: hex digits with optional spaces, commas, brackets and `0x` prefixes, little endian in memory
/// order.
///
/// # Errors
/// [`LineError::Hex`] says at which column the line is no such thing.
pub fn parse_hex(line: &str) -> Result<Vec<u8>, LineError> {
    let mut out = Vec::new();
    let b = line.as_bytes();
    let mut i = 0;
    while i < b.len() {
        match b[i] {
            b' ' | b'\t' | b',' | b'[' | b']' | b'\r' => i += 1,
            b'0' if matches!(b.get(i + 1), Some(b'x' | b'X')) => i += 2,
            _ => {
                let digit = |k: usize| b.get(k).and_then(|&c| (c as char).to_digit(16));
                match (digit(i), digit(i + 1)) {
                    (Some(h), Some(l)) => {
                        out.push((h << 4 | l) as u8);
                        i += 2;
                    }
                    _ => return Err(LineError::Hex { column: i + 1 }),
                }
            }
        }
    }
    Ok(out)
}

/// Text of the one instruction whose bytes `line` holds.
///
/// # Errors
/// [`LineError`] where the line is no hex, the bytes no instruction, or more than one.
pub fn disassemble(line: &str, target: Target) -> Result<String, LineError> {
    let bytes = parse_hex(line)?;
    if bytes.is_empty() || bytes.len() % 4 != 0 {
        return Err(LineError::Hex { column: line.len() + 1 });
    }
    let words: Vec<u32> = bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    let inst = decode(&words, target)?;
    if inst.bytes() != bytes.len() {
        return Err(LineError::Trailing { extra: bytes.len() - inst.bytes(), used: inst.bytes() });
    }
    Ok(exact(&inst))
}

/// Appends text that assembles to the same bits: the instruction where it is canonical, else its dwords as data with
/// the instruction beside them.
pub(crate) fn push_exact(out: &mut Text, inst: &Inst) {
    let encoding = inst.encoding();
    if print::push_usual(out, inst, encoding) {
        return;
    }
    let operands = inst.read_places(encoding);
    if inst.is_canonical_with(encoding, &operands) {
        return print::push_with(out, inst, encoding, &operands);
    }
    out.push_str(".long ");
    for (i, &w) in inst.words().iter().enumerate() {
        if i != 0 {
            out.push_str(", ");
        }
        print::push_hex(out, w);
    }
    out.push_str(" // ");
    print::push_with(out, inst, encoding, &operands);
}

/// The text that [`disassemble`] gives for an instruction.
pub fn exact(inst: &Inst) -> String {
    let mut out = Text::with_capacity(96);
    push_exact(&mut out, inst);
    out.into_string()
}

/// Bytes in hex of the one instruction that `line` holds; comments after `//` or `;` are ignored.
///
/// # Errors
/// The parser's error.
pub fn assemble(line: &str, target: Target) -> Result<String, ParseError> {
    let text = strip_comment(line);
    if let Some(words) = long_directive(text)? {
        return Ok(hex(&words));
    }
    let parsed = parse_instruction(text, target, &NoSymbols)?;
    if let Some(f) = parsed.fixups.first() {
        return Err(ParseError::new(f.span, "expected a number or register: a line alone has no symbols"));
    }
    Ok(hex(parsed.inst.words()))
}

fn hex(words: &[u32]) -> String {
    let mut s = String::with_capacity(words.len() * 8);
    for b in words.iter().flat_map(|w| w.to_le_bytes()) {
        s.push(char::from_digit((b >> 4) as u32, 16).unwrap_or('0'));
        s.push(char::from_digit((b & 15) as u32, 16).unwrap_or('0'));
    }
    s
}

/// The line without its comment.
pub(crate) fn strip_comment(line: &str) -> &str {
    let b = line.as_bytes();
    // Most lines have none of these; looking at all bytes at once is faster than one by one.
    if !b.iter().fold(false, |found, c| found | matches!(c, b';' | b'/')) {
        return line;
    }
    let mut quoted = false;
    for i in 0..b.len() {
        match b[i] {
            b'"' => quoted = !quoted,
            b';' if !quoted => return &line[..i],
            b'/' if !quoted && b.get(i + 1) == Some(&b'/') => return &line[..i],
            _ => {}
        }
    }
    line
}

/// The dwords of a `.long` line, which is how the disassembler shows what text cannot say.
fn long_directive(line: &str) -> Result<Option<Vec<u32>>, ParseError> {
    let mut c = Cursor::new(line);
    if c.word() != Some(".long") {
        return Ok(None);
    }
    let mut words = Vec::new();
    loop {
        let at = c.pos();
        let v = crate::parse::absolute(&mut c, &NoSymbols)?;
        match u32::try_from(v) {
            Ok(w) => words.push(w),
            Err(_) => return Err(ParseError::new((at, c.pos()), "expected 32-bit numbers")),
        }
        if !c.eat(b',') {
            break;
        }
    }
    if c.at_end() { Ok(Some(words)) } else { Err(c.error("expected the end of the line")) }
}

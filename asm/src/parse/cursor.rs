//! A position in a line, and the small words that lines are made of.

use super::error::ParseError;

/// A position in a line.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
}

#[inline]
pub(crate) fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'@')
}

#[inline]
fn starts_word(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b'$')
}

impl<'a> Cursor<'a> {
    /// At the start of `text`.
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, bytes: text.as_bytes(), pos: 0 }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Byte position.
    #[inline]
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Goes back, or forward, to a position got from [`pos`](Cursor::pos).
    #[inline]
    pub fn seek(&mut self, pos: usize) {
        self.pos = pos.min(self.bytes.len());
    }

    /// The byte here, 0 at the end.
    #[inline]
    pub fn peek(&self) -> u8 {
        self.bytes.get(self.pos).copied().unwrap_or(0)
    }

    /// The byte `n` further on, 0 beyond the end.
    #[inline]
    pub fn peek_at(&self, n: usize) -> u8 {
        self.bytes.get(self.pos + n).copied().unwrap_or(0)
    }

    /// Skips blanks.
    #[inline]
    pub fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r') {
            self.pos += 1;
        }
    }

    /// Whether only blanks remain; skips them.
    #[inline]
    pub fn at_end(&mut self) -> bool {
        self.skip_space();
        self.pos >= self.bytes.len()
    }

    /// Takes `b` after blanks, if it is there.
    #[inline]
    pub fn eat(&mut self, b: u8) -> bool {
        self.skip_space();
        if self.peek() == b && self.pos < self.bytes.len() {
            self.pos += 1;
            true
        } else {
            false
        }
    }

    /// Takes `b` after blanks.
    ///
    /// # Errors
    /// Says that `b` was expected.
    pub fn expect(&mut self, b: u8) -> Result<(), ParseError> {
        if self.eat(b) { Ok(()) } else { Err(self.error(format!("expected `{}`", b as char))) }
    }

    /// Steps over one byte.
    #[inline]
    pub fn bump(&mut self) {
        self.pos = (self.pos + 1).min(self.bytes.len());
    }

    /// A word: letters, digits, `_`, `.`, `$`, `@`, not starting with a digit. Skips blanks before it.
    #[inline]
    pub fn word(&mut self) -> Option<&'a str> {
        self.skip_space();
        if !starts_word(self.peek()) {
            return None;
        }
        let start = self.pos;
        while self.pos < self.bytes.len() && is_word(self.bytes[self.pos]) {
            self.pos += 1;
        }
        self.text.get(start..self.pos)
    }

    /// The word here without taking it.
    #[inline]
    pub fn peek_word(&mut self) -> Option<&'a str> {
        let at = self.pos;
        let w = self.word();
        self.pos = at;
        w
    }

    /// A mnemonic or directive name.
    pub fn mnemonic(&mut self) -> Option<&'a str> {
        self.word()
    }

    /// An error at the token here.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        let mut end = self.pos;
        if self.bytes.get(end).copied().is_some_and(is_word) {
            while end < self.bytes.len() && is_word(self.bytes[end]) {
                end += 1;
            }
        } else if end < self.bytes.len() {
            end += 1;
            while !self.text.is_char_boundary(end) {
                end += 1;
            }
        }
        ParseError::new((self.pos, end), message)
    }

    /// What is wrong where a character stands that is no part of the language; `None` where it is one.
    pub(crate) fn foreign(&self) -> Option<ParseError> {
        let c = self.rest().chars().next().filter(|c| !c.is_ascii())?;
        let e = self.error(format!("unexpected character `{}` (U+{:04X})", c.escape_debug(), u32::from(c)));
        Some(match c {
            '\u{feff}' => e.help("save the file without a byte order mark"),
            c if c.is_whitespace() || c == '\u{200b}' => e.help("a blank or tab"),
            _ => e.help("outside of comments and strings only ASCII stands"),
        })
    }

    /// The text from `start` to here.
    pub fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.pos).unwrap_or("")
    }

    /// What remains.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or("")
    }
}

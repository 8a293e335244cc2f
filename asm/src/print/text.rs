//! Text as it is built: bytes, because appending a few of a known number is a single store, and most of what a listing is
//! made of are a few bytes.

use std::fmt;

/// Text that grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    bytes: Vec<u8>,
}

/// A few letters: appending all `N` bytes and taking back those that are none is faster than appending `len` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Short<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> Short<N> {
    pub(crate) const EMPTY: Short<N> = Short { bytes: [0; N], len: 0 };

    /// Those letters, if they are few enough.
    pub(crate) fn of(s: &str) -> Option<Short<N>> {
        (s.len() <= N).then(|| Short::EMPTY.and(s))
    }

    /// Whether there are no letters.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same with `s` after it, which must fit.
    pub(crate) const fn and(mut self, s: &str) -> Short<N> {
        let s = s.as_bytes();
        let mut i = 0;
        while i < s.len() {
            self.bytes[self.len as usize] = s[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    /// The same with a number below 1000 after it.
    pub(crate) const fn number(mut self, x: u32) -> Short<N> {
        let mut scale = if x < 10 {
            1
        } else if x < 100 {
            10
        } else {
            100
        };
        while scale != 0 {
            self.bytes[self.len as usize] = b'0' + (x / scale % 10) as u8;
            self.len += 1;
            scale /= 10;
        }
        self
    }
}

/// A mnemonic: few have more letters than are appended at once.
#[derive(Debug)]
pub(crate) struct Name {
    start: Short<31>,
    rest: String,
}

impl Name {
    pub(crate) fn new(name: &str) -> Name {
        let (start, rest) = name.split_at(name.floor_char_boundary(31));
        Name { start: Short::EMPTY.and(start), rest: rest.to_owned() }
    }
}

impl Text {
    pub(crate) fn with_capacity(bytes: usize) -> Text {
        Text { bytes: Vec::with_capacity(bytes) }
    }

    #[inline]
    pub(crate) fn push_str(&mut self, s: &str) {
        self.bytes.extend_from_slice(s.as_bytes());
    }

    #[inline]
    pub(crate) fn push(&mut self, c: char) {
        if c.is_ascii() {
            self.bytes.push(c as u8);
        } else {
            self.push_str(c.encode_utf8(&mut [0; 4]));
        }
    }

    #[inline]
    pub(crate) fn push_short<const N: usize>(&mut self, s: &Short<N>) {
        let end = self.bytes.len() + s.len as usize;
        self.bytes.extend_from_slice(&s.bytes);
        self.bytes.truncate(end);
    }

    #[inline]
    pub(crate) fn push_name(&mut self, name: &Name) {
        self.push_short(&name.start);
        if !name.rest.is_empty() {
            self.push_str(&name.rest);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve(bytes);
    }

    /// Takes back what comes after the last blank.
    pub(crate) fn cut_last_word(&mut self) {
        let end = self.bytes.iter().rposition(|b| *b == b' ').map_or(self.bytes.len(), |i| i + 1);
        self.bytes.truncate(end);
    }

    pub(crate) fn into_string(self) -> String {
        // Nothing but text has been appended.
        String::from_utf8(self.bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.push_str(s);
        Ok(())
    }
}

//! Strings and names in quotes.

use super::cursor::Cursor;
use super::error::ParseError;

/// A string in quotes with C escapes.
pub(crate) fn string(c: &mut Cursor<'_>) -> Result<Vec<u8>, ParseError> {
    c.expect(b'"')?;
    let mut out = Vec::new();
    loop {
        let b = c.peek();
        if b == 0 {
            return Err(c.error("unterminated string"));
        }
        c.bump();
        match b {
            b'"' => return Ok(out),
            b'\\' => {
                let at = c.pos() - 1;
                let e = c.peek();
                c.bump();
                match e {
                    b'n' => out.push(b'\n'),
                    b't' => out.push(b'\t'),
                    b'r' => out.push(b'\r'),
                    b'b' => out.push(8),
                    b'f' => out.push(12),
                    b'0'..=b'7' => {
                        let mut v = (e - b'0') as u32;
                        for _ in 0..2 {
                            if let d @ b'0'..=b'7' = c.peek() {
                                v = v * 8 + (d - b'0') as u32;
                                c.bump();
                            }
                        }
                        out.push(v as u8);
                    }
                    b'x' | b'X' => {
                        let mut v = 0u32;
                        while let Some(d) = (c.peek() as char).to_digit(16) {
                            v = v.wrapping_mul(16).wrapping_add(d);
                            c.bump();
                        }
                        out.push(v as u8);
                    }
                    b'"' | b'\\' => out.push(e),
                    _ => {
                        return Err(ParseError::new((at, c.pos()), "invalid escape sequence")
                            .help(r#"\b \f \n \r \t \" \\ \101 \x41"#));
                    }
                }
            }
            _ => out.push(b),
        }
    }
}

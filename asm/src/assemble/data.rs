//! Data directives.

use super::source::Origin;
use super::{Assembler, Pending, Write};
use crate::parse::{Cursor, Expr, ParseError, absolute, evaluate};

/// An expression of a data directive.
struct Number {
    expr: Expr,
    /// Where it stands in its line.
    span: (usize, usize),
    /// Its value, if that is a number already.
    known: Option<i64>,
}

impl<'a> Assembler<'a> {
    /// The next expression.
    fn number(&self, c: &mut Cursor<'_>) -> Result<Number, ParseError> {
        c.skip_space();
        let start = c.pos();
        let expr = self.symbols.localize(crate::parse::expression(c)?);
        let known = evaluate(&expr, &self.here()).ok().filter(|v| v.section.is_none());
        Ok(Number { expr, span: (start, c.pos()), known: known.map(|v| v.number) })
    }

    /// `.byte`, `.short`, `.long`, `.quad`: numbers of `n` bytes.
    pub(super) fn numbers(&mut self, n: u8, c: &mut Cursor<'_>, origin: &Origin<'a>) -> Result<(), ParseError> {
        if c.at_end() {
            return Ok(());
        }
        loop {
            let Number { expr, span, known } = self.number(c)?;
            match known {
                Some(v) => {
                    let bits = n as u32 * 8;
                    let fits = bits >= 64 || v >= -(1i64 << (bits - 1)) && v < 1i64 << bits;
                    if !fits {
                        return Err(ParseError::new(span, "out of range literal value"));
                    }
                    self.emit(&v.to_le_bytes()[..n as usize]).map_err(|e| ParseError { span, ..e })?;
                }
                None => {
                    let offset = self.sections[self.current].size;
                    self.symbols.mention_all(&expr);
                    self.pending.push(Pending {
                        section: self.current,
                        offset,
                        write: Write::Data(n),
                        expr,
                        origin: origin.clone(),
                        span,
                    });
                    if self.sections[self.current].nobits {
                        return Err(ParseError::new(span, "section has no contents"));
                    }
                    self.emit(&[0; 8][..n as usize])?;
                }
            }
            if !c.eat(b',') {
                break;
            }
        }
        self.end_of_statement(c)
    }

    /// `.uleb128`, `.sleb128`: numbers of as many bytes as they need, seven bits in each. How long one is must be known
    /// when it is read, as it is for distances between labels before it.
    pub(super) fn leb128(&mut self, signed: bool, c: &mut Cursor<'_>) -> Result<(), ParseError> {
        loop {
            let Number { span, known, .. } = self.number(c)?;
            let Some(value) = known else {
                return Err(ParseError::new(span, "expected a number that is known here")
                    .help("a distance between labels that stand before this line, in one section"));
            };
            let mut rest = value;
            let mut bytes = Vec::with_capacity(10);
            loop {
                let low = (rest & 0x7f) as u8;
                rest = if signed { rest >> 7 } else { (rest as u64 >> 7) as i64 };
                let last = if signed { rest == if low & 0x40 == 0 { 0 } else { -1 } } else { rest == 0 };
                bytes.push(if last { low } else { low | 0x80 });
                if last {
                    break;
                }
            }
            self.emit(&bytes).map_err(|e| ParseError { span, ..e })?;
            if !c.eat(b',') {
                break;
            }
        }
        self.end_of_statement(c)
    }

    /// `.float`, `.double`.
    pub(super) fn floats(&mut self, double: bool, c: &mut Cursor<'_>) -> Result<(), ParseError> {
        loop {
            c.skip_space();
            let start = c.pos();
            while !matches!(c.peek(), b',' | 0) {
                c.bump();
            }
            let text = c.since(start).trim();
            let x: f64 =
                text.parse().map_err(|_| ParseError::new((start, c.pos()), "expected a floating-point number"))?;
            if double {
                self.emit(&x.to_le_bytes())?;
            } else {
                self.emit(&(x as f32).to_le_bytes())?;
            }
            if !c.eat(b',') {
                return Ok(());
            }
        }
    }

    /// `.ascii`, `.asciz`.
    pub(super) fn strings(&mut self, zero: bool, c: &mut Cursor<'_>) -> Result<(), ParseError> {
        if c.at_end() {
            return Ok(());
        }
        loop {
            let bytes = crate::parse::string(c)?;
            self.emit(&bytes)?;
            if zero {
                self.emit(&[0])?;
            }
            if !c.eat(b',') {
                break;
            }
        }
        self.end_of_statement(c)
    }

    /// `.zero N`, `.skip N, BYTE`.
    pub(super) fn space(&mut self, c: &mut Cursor<'_>, span: (usize, usize)) -> Result<(), ParseError> {
        let n = absolute(c, &self.here())?;
        let byte = if c.eat(b',') { absolute(c, &self.here())? } else { 0 };
        self.end_of_statement(c)?;
        if n < 0 {
            return Err(ParseError::new(span, "count is negative"));
        }
        self.fill(n as u64, byte as u8).map_err(|e| ParseError { span, ..e })
    }

    /// `.fill REPEAT, SIZE, VALUE`.
    pub(super) fn fill_values(&mut self, c: &mut Cursor<'_>, span: (usize, usize)) -> Result<(), ParseError> {
        let n = absolute(c, &self.here())?;
        let size = if c.eat(b',') { absolute(c, &self.here())? } else { 1 };
        let value = if c.eat(b',') { absolute(c, &self.here())? } else { 0 };
        self.end_of_statement(c)?;
        if n < 0 || !(0..=8).contains(&size) {
            return Err(ParseError::new(span, "the count must not be negative, the size 0 to 8"));
        }
        if (n as u64).saturating_mul(size as u64) > super::MOST_BYTES as u64 {
            return Err(ParseError::new(span, "the output grows beyond 1 GiB"));
        }
        // Only four bytes of the value count, as in GNU as.
        let mut bytes = [0u8; 8];
        bytes[..4].copy_from_slice(&(value as u32).to_le_bytes());
        for _ in 0..n {
            self.emit(&bytes[..size as usize])?;
        }
        Ok(())
    }

    /// `.p2align`, `.balign`: padding with `s_nop 0` in code, zero elsewhere, or with a value of `width` bytes.
    pub(super) fn align(
        &mut self,
        power: bool,
        width: u64,
        c: &mut Cursor<'_>,
        span: (usize, usize),
    ) -> Result<(), ParseError> {
        let n = absolute(c, &self.here())?;
        let mut value = None;
        let mut most = None;
        if c.eat(b',') {
            c.skip_space();
            if !matches!(c.peek(), b',' | 0) {
                value = Some(absolute(c, &self.here())?);
            }
            if c.eat(b',') {
                most = Some(absolute(c, &self.here())?);
            }
        }
        self.end_of_statement(c)?;
        let align = match (power, n) {
            (true, 0..=31) => 1u64 << n,
            (false, 0) => 1,
            (false, n) if n > 0 && (n as u64).is_power_of_two() && n < 1 << 32 => n as u64,
            _ => return Err(ParseError::new(span, "invalid alignment: a power of two is expected")),
        };
        let s = &mut self.sections[self.current];
        s.align = s.align.max(align);
        let pad = s.size.next_multiple_of(align) - s.size;
        if most.is_some_and(|m| m > 0 && pad > m as u64) {
            return Ok(());
        }
        let code = s.exec && value.is_none();
        if code {
            let odd = pad % 4;
            self.fill(odd, 0)?;
            for _ in 0..pad / 4 {
                self.emit(&0xbf80_0000u32.to_le_bytes())?;
            }
            return Ok(());
        }
        let value = value.unwrap_or(0).to_le_bytes();
        self.fill(pad % width, 0)?;
        for _ in 0..pad / width {
            self.emit(&value[..width as usize])?;
        }
        Ok(())
    }
}

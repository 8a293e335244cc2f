//! The usual lines, read straight into bits.
//!
//! Nearly every line of a program is a mnemonic, registers or small constants, and modifiers that are plain words and
//! numbers. Such a line needs no list of operands that is looked at again once all are known, no expressions and no
//! symbols. What is not spelled so, does not fit or breaks a rule is left to the parser that knows everything, which
//! also says what is wrong with it; where this one takes a line, the other takes it for the same bits.

use super::cursor::is_word;
use super::rules;
use crate::encode::blank;
use crate::encoding::{Encoding, Kind, Place};
use crate::format::{Field, Form, Format};
use crate::inst::Inst;
use crate::names;
use crate::operand::{Operand, inline_float, inline_int};
use crate::reg::{Reg, RegClass, code};
use crate::row::{Class, Mods, Opd};
use crate::sem::{Elem, Sem};
use crate::target::Target;

/// The instruction of mnemonic `word` whose operands and modifiers `rest` holds, if it is a usual one.
pub(super) fn read(word: &str, rest: &str, target: Target) -> Option<Inst> {
    let (name, form) = super::split_suffix(word);
    let id = names::lookup(name)?.row(target)?;
    let row = id.row();
    let form = match form {
        None => Form::Base,
        Some(f @ (Form::Base | Form::E64)) if row.format.is_short() => f,
        Some(_) => return None,
    };
    if !row.has_form(form, target) {
        return None;
    }
    let encoding = Encoding::of(id, form, target);
    // What is printed from tables is simple enough to be read so.
    encoding.quick.as_ref()?;
    let at = Bytes { bytes: rest.as_bytes(), pos: 0 };
    Line { at, inst: blank(id, form, target), encoding, vector_files: 0, address: 0 }.read()
}

/// A line as it is read.
struct Line<'a> {
    at: Bytes<'a>,
    inst: Inst,
    encoding: &'static Encoding,
    /// Bits that would choose AGPRs for an operand that is given in VGPRs.
    vector_files: u128,
    /// Registers of a global address.
    address: u8,
}

/// What an operand says.
#[derive(Clone, Copy)]
enum Token {
    Reg(Reg),
    /// A constant that the instruction has a code for, whatever its type.
    Code(u16, Operand),
    /// Any other whole number.
    Number(u32),
    Off,
}

impl Line<'_> {
    fn read(mut self) -> Option<Inst> {
        let places = &self.encoding.places;
        let mut tokens = [Token::Off; 8];
        let mut signs = [(false, false); 8];
        for (i, place) in places.iter().enumerate() {
            if i != 0 && !self.at.eat(b',') {
                return None;
            }
            self.at.skip_space();
            let negative = self.at.bytes.get(self.at.pos) == Some(&b'-') && !self.at.peek(1).is_ascii_digit();
            self.at.pos += usize::from(negative);
            let magnitude = self.at.peek(0) == b'|';
            self.at.pos += usize::from(magnitude);
            *tokens.get_mut(i)? = self.at.token(place.opd)?;
            if magnitude {
                if self.at.peek(0) != b'|' {
                    return None;
                }
                self.at.pos += 1;
            }
            signs[i] = (negative, magnitude);
        }
        self.modifiers()?;
        let mut operands = [None; 8];
        for (i, place) in places.iter().enumerate() {
            let (negative, magnitude) = signs[i];
            if negative || magnitude {
                self.signs(place.opd, tokens[i], negative, magnitude)?;
            }
            operands[i] = Some(self.operand(place, tokens[i])?);
        }
        // A global address is an offset to a base, or a pair.
        if self.address != 0 && self.address != if self.inst.get(Field::Saddr) == 0x7f { 2 } else { 1 } {
            return None;
        }
        let in_vgprs = (0..4).all(|i| self.inst.words[i] & (self.vector_files >> (32 * i)) as u32 == 0);
        (in_vgprs && rules::violation(&self.inst, &operands).is_none()).then_some(self.inst)
    }

    /// Puts an operand where it belongs.
    #[inline]
    fn operand(&mut self, place: &Place, token: Token) -> Option<Operand> {
        let (opd, bits) = (place.opd, place.bits);
        let value = match token {
            Token::Reg(r) => {
                let value = self.register(place, r)?;
                bits.set(&mut self.inst.words, value);
                return Some(Operand::Reg(r));
            }
            Token::Code(code, operand) => {
                let constant = matches!(opd.class, Class::VS | Class::SS | Class::SN | Class::AVC | Class::VI);
                if !(constant || self.widened(opd)) || !matches!(place.kind, Kind::Source | Kind::EitherSource(_)) {
                    return None;
                }
                bits.set(&mut self.inst.words, u32::from(code));
                return Some(operand);
            }
            Token::Off => {
                let absent = match opd.class {
                    Class::VAddr if self.inst.row().format == Format::MUBUF => self.addresses() == 0,
                    Class::SAddr => true,
                    _ => false,
                };
                if opd.class == Class::SAddr {
                    bits.set(&mut self.inst.words, 0x7f);
                }
                return absent.then_some(Operand::Off);
            }
            Token::Number(x) => x,
        };
        // A dword after the short encodings, unless a constant has the same bits.
        let dword = opd.ty.elem.bits() == 32 && opd.ty.count == 1;
        if place.kind != Kind::Source || !dword || !matches!(opd.class, Class::SS | Class::VS) {
            return None;
        }
        if let Some(code) = inline_int(value as i32).or(inline_float(value)) {
            bits.set(&mut self.inst.words, u32::from(code));
            return Some(Operand::Int(value as i32));
        }
        let format = self.inst.row().format;
        let short = format.is_short() || matches!(format, Format::SOP1 | Format::SOP2 | Format::SOPC);
        let at = self.inst.layout().dwords;
        if !short || self.inst.form() != Form::Base || self.inst.len != at {
            return None;
        }
        bits.set(&mut self.inst.words, u32::from(code::LITERAL));
        self.inst.words[at as usize & 3] = value;
        self.inst.len = at + 1;
        Some(Operand::Literal(value))
    }

    /// Whether an operand that is a VGPR in the short encoding may be any source in this one.
    fn widened(&self, opd: &Opd) -> bool {
        opd.class == Class::V
            && opd.slot == Field::Src1
            && self.inst.row().format.is_short()
            && self.inst.form() == Form::E64
    }

    /// How many registers of address the modifiers of a buffer instruction ask for.
    fn addresses(&self) -> u32 {
        self.inst.get(Field::Offen) + self.inst.get(Field::Idxen)
    }

    /// The value of an operand's field for a register of the right file and width.
    #[inline]
    fn register(&mut self, place: &Place, r: Reg) -> Option<u32> {
        let (opd, index) = (place.opd, u32::from(r.index));
        let mut dwords = place.dwords;
        let file = match (place.kind, opd.class) {
            (Kind::Either(file) | Kind::EitherCode(file) | Kind::EitherSource(file), _) => Some(file),
            (Kind::Other, Class::AV) => Some(self.inst.layout().field(Field::Acc)),
            (Kind::Other, Class::VAddr) => {
                dwords = match self.inst.row().format {
                    Format::MUBUF => self.addresses() as u8,
                    // The scalar base comes after it.
                    Format::GLOBAL => {
                        self.address = r.count;
                        r.count
                    }
                    _ => 2,
                };
                None
            }
            (Kind::Other, Class::SAddr) => {
                dwords = 2;
                None
            }
            _ => None,
        };
        if r.count != dwords {
            return None;
        }
        let high = if place.bits.width == 9 { 256 } else { 0 };
        match r.class {
            RegClass::V | RegClass::A => {
                let pairs = self.inst.target().unified_vgprs();
                if index + u32::from(dwords) > 256 || pairs && dwords > 1 && index & 1 != 0 {
                    return None;
                }
                match (place.kind, opd.class, file) {
                    (Kind::Vector | Kind::Source, Class::V | Class::VS | Class::VI, _) if r.class == RegClass::V => {}
                    (Kind::Accumulator, ..) if r.class == RegClass::A => {}
                    (Kind::Other, Class::VAddr, _) if r.class == RegClass::V => {}
                    (_, _, Some(file)) if file.exists() => {
                        if r.class == RegClass::A {
                            file.set(&mut self.inst.words, 1);
                        } else {
                            self.vector_files |= 1 << file.pos;
                        }
                    }
                    (_, _, Some(_)) if r.class == RegClass::V => {}
                    _ => return None,
                }
                Some(index | high)
            }
            RegClass::S => {
                let named = r == Reg::VCC;
                if !named && index + u32::from(dwords) > u32::from(code::FLAT_SCRATCH) {
                    return None;
                }
                match (place.kind, opd.class) {
                    (Kind::Source, Class::S | Class::SS | Class::SN | Class::VS | Class::M) => Some(index),
                    (Kind::Source, Class::V) if self.widened(opd) => Some(index),
                    (Kind::Scalar(1), _) => Some(index),
                    (Kind::Scalar(run), _) if !named => Some(index / u32::from(run)),
                    (Kind::Vcc, _) if named => Some(0),
                    (Kind::Other, Class::SAddr) if !named => Some(index),
                    _ => None,
                }
            }
            RegClass::Src => None,
        }
    }

    /// Sets the bits that negate an operand or take its magnitude, where the encoding has them.
    fn signs(&mut self, opd: &Opd, token: Token, negative: bool, magnitude: bool) -> Option<()> {
        let row = self.inst.row();
        let wide = row.format == Format::VOP3 || self.inst.form() == Form::E64 && self.inst.has(Field::Abs);
        let i = match opd.slot {
            Field::Src0 => 0,
            Field::Src1 => 1,
            Field::Src2 => 2,
            _ => return None,
        };
        if !wide || !row.mods.has(Mods::NEG) || !opd.takes_sign() || !matches!(token, Token::Reg(_)) {
            return None;
        }
        for (field, on) in [(Field::Neg, negative), (Field::Abs, magnitude)] {
            let before = self.inst.get(field);
            self.inst.set(field, before | u32::from(on) << i);
        }
        Some(())
    }

    /// Reads the modifiers to the end of the line.
    fn modifiers(&mut self) -> Option<()> {
        let mut seen = 0u128;
        loop {
            self.at.skip_space();
            if self.at.pos >= self.at.bytes.len() {
                return Some(());
            }
            let (field, value) = self.modifier()?;
            let bit = 1u128 << field as u8;
            if self.encoding.modifiers & bit == 0 || seen & bit != 0 {
                return None;
            }
            seen |= bit;
            self.inst.set(field, value);
        }
    }

    fn modifier(&mut self) -> Option<(Field, u32)> {
        let new = matches!(self.inst.target(), Target::Gfx942 | Target::Gfx950);
        let word = self.at.word();
        if self.at.peek(0) != b':' {
            return Some(match word {
                b"offen" => (Field::Offen, 1),
                b"idxen" => (Field::Idxen, 1),
                b"clamp" => (Field::Clamp, 1),
                b"sc0" if new => (Field::Sc0, 1),
                b"sc1" if new => (Field::Sc1, 1),
                b"nt" if new => (Field::Nt, 1),
                b"glc" if !new => (Field::Sc0, 1),
                b"slc" if !new => (Field::Nt, 1),
                b"gds" => (Field::Gds, 1),
                _ => return None,
            });
        }
        self.at.pos += 1;
        let row = self.inst.row();
        let packed = row.format == Format::VOP3P;
        Some(match word {
            b"offset" => (Field::Offset, self.offset()?),
            b"offset0" => (Field::Offset0, self.at.number(255)?),
            b"offset1" => (Field::Offset1, self.at.number(255)?),
            b"mul" => match self.at.number(4)? {
                2 => (Field::Omod, 1),
                4 => (Field::Omod, 2),
                _ => return None,
            },
            b"div" => (Field::Omod, if self.at.number(2)? == 2 { 3 } else { return None }),
            b"op_sel" if packed => (Field::OpSel, self.at.flags(self.sources())?),
            b"op_sel" => {
                // The destination's bit follows those of the sources.
                let n = row.op_sel_sources();
                let v = self.at.flags(n + 1)?;
                (Field::OpSel, v & ((1 << n) - 1) | (v >> n & 1) << 3)
            }
            b"op_sel_hi" if packed => {
                let n = self.sources();
                let rest = self.inst.get(Field::OpSelHi) >> n << n;
                (Field::OpSelHi, self.at.flags(n)? | rest)
            }
            b"neg_lo" if packed => (Field::Neg, self.at.flags(self.sources())?),
            b"neg_hi" if packed => (Field::NegHi, self.at.flags(self.sources())?),
            b"cbsz" => (Field::Cbsz, self.at.number(7)?),
            b"abid" => (Field::Abid, self.at.number(15)?),
            b"blgp" if !matches!(row.sem, Sem::Mfma(m) if m.a == Elem::F64) => (Field::Blgp, self.at.number(7)?),
            _ => return None,
        })
    }

    fn sources(&self) -> usize {
        self.encoding.places.iter().filter(|p| matches!(p.opd.slot, Field::Src0 | Field::Src1 | Field::Src2)).count()
    }

    fn offset(&mut self) -> Option<u32> {
        match self.inst.row().format {
            Format::DS => self.at.number(0xffff),
            Format::GLOBAL if self.at.peek(0) == b'-' => {
                self.at.pos += 1;
                self.at.number(4096).map(u32::wrapping_neg)
            }
            _ => self.at.number(4095),
        }
    }
}

/// A position in a line's bytes.
struct Bytes<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Bytes<'a> {
    /// The byte `n` further on, 0 beyond the end.
    #[inline(always)]
    fn peek(&self, n: usize) -> u8 {
        self.bytes.get(self.pos + n).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn skip_space(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.pos += 1;
        }
    }

    #[inline(always)]
    fn eat(&mut self, b: u8) -> bool {
        self.skip_space();
        let here = self.peek(0) == b;
        self.pos += usize::from(here);
        here
    }

    fn word(&mut self) -> &'a [u8] {
        let start = self.pos;
        while is_word(self.peek(0)) {
            self.pos += 1;
        }
        &self.bytes[start..self.pos]
    }

    /// A whole decimal number of few digits, not written in another base.
    #[inline]
    fn decimal(&mut self) -> Option<u32> {
        let start = self.pos;
        let mut n = 0;
        while self.peek(0).is_ascii_digit() && self.pos < start + 9 {
            n = n * 10 + u32::from(self.peek(0) - b'0');
            self.pos += 1;
        }
        let octal = self.pos > start + 1 && self.bytes[start] == b'0';
        (self.pos > start && !octal).then_some(n)
    }

    /// A number that stands alone.
    #[inline]
    fn number(&mut self, most: u32) -> Option<u32> {
        let n = self.decimal()?;
        (n <= most && matches!(self.peek(0), 0 | b' ' | b'\t') && !self.operator_follows()).then_some(n)
    }

    /// Whether an expression goes on after blanks.
    fn operator_follows(&self) -> bool {
        let mut n = 0;
        while matches!(self.peek(n), b' ' | b'\t') {
            n += 1;
        }
        !matches!(self.peek(n), 0 | b',' | b'a'..=b'z')
    }

    /// `[0,1,…]` of `n` elements.
    fn flags(&mut self, n: usize) -> Option<u32> {
        let mut v = 0;
        for i in 0..n {
            if self.peek(0) != if i == 0 { b'[' } else { b',' } || !matches!(self.peek(1), b'0' | b'1') {
                return None;
            }
            v |= u32::from(self.peek(1) - b'0') << i;
            self.pos += 2;
        }
        let closed = self.peek(0) == b']';
        self.pos += 1;
        closed.then_some(v)
    }

    /// An operand without what negates it or takes its magnitude.
    #[inline]
    fn token(&mut self, opd: &Opd) -> Option<Token> {
        let first = self.peek(0);
        let (second, digit) = (self.peek(1), self.peek(1).is_ascii_digit());
        match first {
            b'v' | b's' | b'a' if digit || second == b'[' => self.register(first).map(Token::Reg),
            b'0'..=b'9' => self.constant(opd, false),
            b'-' if digit => {
                self.pos += 1;
                self.constant(opd, true)
            }
            _ => match self.word() {
                b"off" => Some(Token::Off),
                b"vcc" => Some(Token::Reg(Reg::VCC)),
                _ => None,
            },
        }
    }

    #[inline]
    fn register(&mut self, file: u8) -> Option<Reg> {
        self.pos += 1;
        let run = self.peek(0) == b'[';
        self.pos += usize::from(run);
        let first = if run { self.decimal()? } else { self.index()? };
        let mut last = first;
        if run {
            if self.peek(0) == b':' {
                self.pos += 1;
                last = self.decimal()?;
            }
            if self.peek(0) != b']' {
                return None;
            }
            self.pos += 1;
        } else if is_word(self.peek(0)) {
            return None;
        }
        // The widest tuples have 32 registers.
        if last < first || last > 255 || last - first >= 32 {
            return None;
        }
        let (index, count) = (first as u16, (last - first + 1) as u8);
        let align = match count {
            1 => 1,
            2 => 2,
            _ => 4,
        };
        match file {
            b'v' => Some(Reg::v(index, count)),
            b'a' => Some(Reg::a(index, count)),
            _ => (index % align == 0).then_some(Reg::s(index, count)),
        }
    }

    /// Digits of a register's name: a number in which zeros before mean nothing.
    #[inline]
    fn index(&mut self) -> Option<u32> {
        let start = self.pos;
        let mut n = 0;
        while self.peek(0).is_ascii_digit() && self.pos < start + 4 {
            n = n * 10 + u32::from(self.peek(0) - b'0');
            self.pos += 1;
        }
        Some(n)
    }

    /// A number as an operand.
    #[inline]
    fn constant(&mut self, opd: &Opd, minus: bool) -> Option<Token> {
        let (x, known) = if self.peek(0) == b'0' && self.peek(1) == b'x' && !minus {
            self.pos += 2;
            (self.hexadecimal()?, false)
        } else if self.peek(1) == b'.' {
            return self.float(opd, minus);
        } else {
            (self.decimal()?, true)
        };
        if is_word(self.peek(0)) || self.operator_follows() {
            return None;
        }
        match (x, minus) {
            (0..=64, false) if known => Some(Token::Code(128 + x as u16, Operand::Int(x as i32))),
            (1..=16, true) => Some(Token::Code(192 + x as u16, Operand::Int(-(x as i32)))),
            (_, false) => Some(Token::Number(x)),
            _ => None,
        }
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let start = self.pos;
        let mut x = 0;
        while let Some(d) = (self.peek(0) as char).to_digit(16) {
            x = x << 4 | d;
            self.pos += 1;
        }
        (1..=8).contains(&(self.pos - start)).then_some(x)
    }

    /// One of the constants that hardware has.
    fn float(&mut self, opd: &Opd, minus: bool) -> Option<Token> {
        let rest = &self.bytes[self.pos..];
        let (code, len) = match rest {
            [b'0', b'.', b'5', ..] => (240, 3),
            [b'1', b'.', b'0', ..] => (242, 3),
            [b'2', b'.', b'0', ..] => (244, 3),
            [b'4', b'.', b'0', ..] => (246, 3),
            _ if rest.starts_with(b"0.15915494") && opd.ty.elem.bits() == 32 && !minus => (248, 10),
            _ => return None,
        };
        // What 16-bit integers make of it is not said here.
        if opd.ty.elem.bits() == 16 && !opd.ty.elem.is_float() {
            return None;
        }
        self.pos += len;
        if is_word(self.peek(0)) || self.operator_follows() {
            return None;
        }
        let code = code + u16::from(minus);
        let operand = Operand::Float(crate::operand::INLINE_FLOATS[usize::from(code - 240)]);
        Some(Token::Code(code, operand))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cursor, NoSymbols, ParseError, Parsed, parse_carefully};
    use crate::print;
    use crate::properties::{Rng, encodings, random_instruction};
    use crate::target::Target;

    fn carefully(line: &str, target: Target) -> Result<Parsed, ParseError> {
        let mut c = Cursor::new(line);
        let word = c.mnemonic().unwrap_or_default();
        let span = (0, c.pos());
        parse_carefully(&mut c, word, span, target, &NoSymbols)
    }

    /// The same line with something changed that may make it wrong, or another.
    fn altered(rng: &mut Rng, line: &str) -> String {
        let mut line = line.to_owned();
        let words = [
            " clamp",
            " sc0",
            " nt",
            " offen",
            " idxen",
            " offset:4",
            " offset:4096",
            " mul:2",
            " op_sel:[1,0]",
            " glc",
            " cbsz:1",
            " neg_lo:[1,0]",
            " gds",
            " lds",
            ",",
        ];
        let operands = [
            "v1",
            "v[1:2]",
            "v[2:3]",
            "s5",
            "s[4:5]",
            "s[2:5]",
            "a3",
            "a[2:3]",
            "vcc",
            "off",
            "-v1",
            "|v2|",
            "-|v3|",
            "0",
            "64",
            "65",
            "-16",
            "-17",
            "1.0",
            "-4.0",
            "0.15915494",
            "0x7f",
            "0x3f800000",
            "0xffffffff",
            "v255",
            "v256",
            "v[254:255]",
            "s101",
            "s102",
            "s[100:101]",
            "m0",
            "exec",
            "1+1",
            "v01",
            "s[6:7]",
            "v[0:3]",
            "012",
        ];
        match rng.below(5) {
            0 => line.push_str(words[rng.below(words.len() as u64) as usize]),
            1 => line = line.replacen(["_e32", "_e64"][rng.below(2) as usize], "", 1),
            _ => {
                let commas: Vec<usize> = line.match_indices(", ").map(|(i, _)| i + 2).collect();
                let first = line.find(' ').map(|i| i + 1);
                let starts: Vec<usize> = first.into_iter().chain(commas).collect();
                if let Some(&at) = starts.get(rng.below(starts.len().max(1) as u64) as usize) {
                    let end = line[at..].find([',', ' ']).map_or(line.len(), |n| at + n);
                    line.replace_range(at..end, operands[rng.below(operands.len() as u64) as usize]);
                }
            }
        }
        line
    }

    #[test]
    fn a_usual_line_is_the_same_instruction_to_the_other_parser() {
        let mut rng = Rng(11);
        let (mut usual, mut lines) = (0, 0);
        let mut wrong = Vec::new();
        for target in Target::ALL {
            for (id, form) in encodings(target) {
                for round in 0..24 {
                    let Some(inst) = random_instruction(&mut rng, id, form, target) else { break };
                    let mut line = print::text(&inst);
                    for _ in 0..round % 4 {
                        line = altered(&mut rng, &line);
                    }
                    let (word, rest) = line.split_at(line.find(' ').unwrap_or(line.len()));
                    let quick = super::read(word, rest, target);
                    lines += usize::from(round % 4 == 0);
                    let Some(quick) = quick else { continue };
                    usual += usize::from(round % 4 == 0);
                    match carefully(&line, target) {
                        Ok(p) if p.inst == quick => {}
                        other => wrong.push(format!("{target}: {line}: {quick:?} and {other:?}")),
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{} lines, first {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
        assert!(usual > lines / 2, "most lines are usual: {usual} of {lines}");
    }
}

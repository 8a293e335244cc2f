//! Lines, and the macros and repetitions that make more of them.

use crate::parse::{Cursor, ParseError};
use std::collections::HashMap;
use std::rc::Rc;

/// A line: of the file itself, or made by a macro.
#[derive(Clone, Debug)]
pub(super) enum Text<'a> {
    File(&'a str),
    Made(Rc<str>),
}

impl std::ops::Deref for Text<'_> {
    type Target = str;
    #[inline]
    fn deref(&self) -> &str {
        match self {
            Text::File(s) => s,
            Text::Made(s) => s,
        }
    }
}

/// Macros that a line came through, innermost first, with the line of each invocation.
pub(super) type Through = Option<Rc<Vec<(String, usize)>>>;

/// Where a line comes from.
#[derive(Clone, Debug)]
pub(super) struct Origin<'a> {
    /// Line of the file, from 0.
    pub(super) line: usize,
    /// The text as assembled, comment removed.
    pub(super) text: Text<'a>,
    /// How it came about.
    pub(super) through: Through,
}

#[derive(Debug)]
struct Frame<'a> {
    lines: Rc<Vec<Text<'a>>>,
    next: usize,
    /// Line of the file that the first line is from; macros count from their body.
    first: usize,
    through: Through,
    /// A macro's frame, which `.exitm` leaves.
    is_macro: bool,
}

#[derive(Debug, Clone)]
struct Parameter {
    name: String,
    default: Option<String>,
    required: bool,
    rest: bool,
}

#[derive(Debug, Clone)]
struct Macro<'a> {
    parameters: Vec<Parameter>,
    body: Vec<Text<'a>>,
    line: usize,
}

/// How deep expansions may nest, and how many lines a file may become.
const DEPTH: usize = 100;
const MOST_LINES: usize = 20_000_000;

/// The lines of a file as they are to be assembled.
pub(super) struct Source<'a> {
    /// What of the file has not been read.
    text: &'a str,
    line: usize,
    in_comment: bool,
    frames: Vec<Frame<'a>>,
    macros: HashMap<String, Rc<Macro<'a>>>,
    expansions: usize,
    produced: usize,
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a str) -> Source<'a> {
        Source {
            text,
            line: 0,
            in_comment: false,
            frames: Vec::new(),
            macros: HashMap::new(),
            expansions: 0,
            produced: 0,
        }
    }

    /// The next line without its comment, and where it is from.
    #[allow(clippy::type_complexity)]
    pub(super) fn next(&mut self) -> Option<Result<(Text<'a>, Origin<'a>), (ParseError, Origin<'a>)>> {
        self.produced += 1;
        if self.produced > MOST_LINES {
            return Some(Err((ParseError::new((0, 0), "macros expand to too many lines"), self.end())));
        }
        while let Some(f) = self.frames.last_mut() {
            if let Some(line) = f.lines.get(f.next) {
                f.next += 1;
                let origin = Origin { line: f.first, text: line.clone(), through: f.through.clone() };
                return Some(Ok((line.clone(), origin)));
            }
            self.frames.pop();
        }
        let (raw, marked) = self.raw()?;
        let line = if marked || self.in_comment { self.strip(raw) } else { Text::File(raw) };
        let origin = Origin { line: self.line, text: line.clone(), through: None };
        self.line += 1;
        Some(Ok((line, origin)))
    }

    /// Where the file ends.
    pub(super) fn end(&self) -> Origin<'a> {
        Origin { line: self.line.saturating_sub(1), text: Text::File(""), through: None }
    }

    /// The next line of the file, and whether a comment may begin in it.
    fn raw(&mut self) -> Option<(&'a str, bool)> {
        if self.text.is_empty() {
            return None;
        }
        let (end, marked) = scan(self.text.as_bytes());
        let (line, rest) = self.text.split_at(end);
        match rest.strip_prefix('\n') {
            Some(rest) => {
                self.text = rest;
                Some((line.strip_suffix('\r').unwrap_or(line), marked))
            }
            None => {
                self.text = "";
                Some((line, marked))
            }
        }
    }

    /// The line without comments; block comments may span lines.
    fn strip(&mut self, raw: &'a str) -> Text<'a> {
        if !self.in_comment {
            let code = crate::lines::strip_comment(raw);
            if code.len() == raw.len() && !code.as_bytes().contains(&b'/') || !raw.contains("/*") {
                return Text::File(code);
            }
        }
        let mut out = String::new();
        let mut rest = raw;
        loop {
            if self.in_comment {
                match rest.find("*/") {
                    Some(i) => {
                        self.in_comment = false;
                        out.push(' ');
                        rest = &rest[i + 2..];
                    }
                    None => break,
                }
            }
            let code = crate::lines::strip_comment(rest);
            match code.find("/*") {
                Some(i) => {
                    out.push_str(&code[..i]);
                    rest = &rest[i + 2..];
                    self.in_comment = true;
                }
                None => {
                    out.push_str(code);
                    break;
                }
            }
        }
        Text::Made(Rc::from(out))
    }

    /// Whether a block comment is open.
    pub(super) fn in_comment(&self) -> bool {
        self.in_comment
    }

    #[inline]
    pub(super) fn has_macro(&self, name: &str) -> bool {
        !self.macros.is_empty() && self.macros.contains_key(name)
    }

    pub(super) fn purge(&mut self, name: &str) -> bool {
        self.macros.remove(name).is_some()
    }

    /// Leaves the innermost macro.
    pub(super) fn exit_macro(&mut self) -> bool {
        let Some(i) = self.frames.iter().rposition(|f| f.is_macro) else { return false };
        self.frames.truncate(i);
        true
    }

    /// Lines up to the directive that ends the block opened by one of `open`.
    pub(super) fn block(
        &mut self,
        open: &[&str],
        close: &str,
        span: (usize, usize),
    ) -> Result<Vec<Text<'a>>, ParseError> {
        let mut body = Vec::new();
        let mut depth = 0usize;
        while let Some(Ok((line, _))) = self.next() {
            let mut c = Cursor::new(&line);
            let word = c.word().unwrap_or("");
            if open.contains(&word) {
                depth += 1;
            } else if word == close || close == ".endm" && word == ".endmacro" {
                if depth == 0 {
                    return Ok(body);
                }
                depth -= 1;
            }
            body.push(line);
        }
        Err(ParseError::new(span, format!("no matching `{close}`")))
    }

    /// `.macro NAME PARAMETERS`.
    pub(super) fn define(
        &mut self,
        c: &mut Cursor<'_>,
        origin: &Origin<'a>,
        span: (usize, usize),
    ) -> Result<(), ParseError> {
        let Some(name) = c.word().map(str::to_owned) else { return Err(c.error("expected a macro name")) };
        let mut parameters = Vec::new();
        c.eat(b',');
        while !c.at_end() {
            let at = c.pos();
            let Some(p) = c.word().map(str::to_owned) else { return Err(c.error("expected a parameter name")) };
            let mut parameter = Parameter { name: p, default: None, required: false, rest: false };
            if c.eat(b':') {
                match c.word() {
                    Some("req") => parameter.required = true,
                    Some("vararg") => parameter.rest = true,
                    _ => return Err(c.error("expected `req` or `vararg`")),
                }
            }
            if c.eat(b'=') {
                parameter.default = Some(argument(c, false));
            }
            if parameters.iter().any(|q: &Parameter| q.name == parameter.name) {
                return Err(ParseError::new((at, c.pos()), "macro has two parameters of this name"));
            }
            parameters.push(parameter);
            c.eat(b',');
        }
        let body = self.block(&[".macro"], ".endm", span)?;
        if self.macros.contains_key(&name) {
            return Err(ParseError::new(span, format!("macro `{name}` is already defined")));
        }
        self.macros.insert(name, Rc::new(Macro { parameters, body, line: origin.line }));
        Ok(())
    }

    /// Puts the body of macro `name` before what comes next.
    pub(super) fn expand(
        &mut self,
        name: &str,
        c: &mut Cursor<'_>,
        origin: &Origin<'a>,
        span: (usize, usize),
    ) -> Result<(), ParseError> {
        let Some(m) = self.macros.get(name).cloned() else { return Ok(()) };
        let mut values: Vec<Option<String>> = vec![None; m.parameters.len()];
        let mut next = 0;
        while !c.at_end() {
            let at = c.pos();
            let named = c.word().filter(|_| c.peek() == b'=' && c.peek_at(1) != b'=').map(str::to_owned);
            let index = match named.as_deref().and_then(|n| m.parameters.iter().position(|p| p.name == n)) {
                Some(i) => {
                    c.bump();
                    i
                }
                None => {
                    c.seek(at);
                    next += 1;
                    next - 1
                }
            };
            let Some(p) = m.parameters.get(index) else {
                return Err(ParseError::new((at, c.text().len()), "too many positional arguments"));
            };
            values[index] = Some(argument(c, p.rest));
            if !c.eat(b',') && !c.at_end() && !p.rest {
                continue;
            }
        }
        let mut pairs = Vec::with_capacity(values.len());
        for (p, v) in m.parameters.iter().zip(values) {
            let v = match v.filter(|v| !v.is_empty()) {
                Some(v) => v,
                None if p.required => {
                    return Err(ParseError::new(
                        span,
                        format!("missing value for required parameter `{}` of macro `{name}`", p.name),
                    ));
                }
                None => p.default.clone().unwrap_or_default(),
            };
            pairs.push((p.name.clone(), v));
        }
        self.expansions += 1;
        let number = self.expansions - 1;
        let lines = m.body.iter().map(|l| substitute(l, &pairs, number)).collect();
        self.push(lines, origin, Some((name.to_owned(), origin.line)), span)?;
        let _ = m.line;
        Ok(())
    }

    fn push(
        &mut self,
        lines: Vec<Text<'a>>,
        origin: &Origin<'a>,
        through: Option<(String, usize)>,
        span: (usize, usize),
    ) -> Result<(), ParseError> {
        if self.frames.len() >= DEPTH {
            return Err(ParseError::new(span, "macros are nested too deeply"));
        }
        let is_macro = through.is_some();
        let through = match through {
            Some(t) => {
                let mut v = vec![t];
                v.extend(origin.through.iter().flat_map(|t| t.iter().cloned()));
                Some(Rc::new(v))
            }
            None => origin.through.clone(),
        };
        self.frames.push(Frame { lines: Rc::new(lines), next: 0, first: origin.line, through, is_macro });
        Ok(())
    }

    /// `.rept`: the block `count` times.
    pub(super) fn repeat(&mut self, count: i64, origin: &Origin<'a>, span: (usize, usize)) -> Result<(), ParseError> {
        let body = self.block(&[".rept", ".rep", ".irp", ".irpc"], ".endr", span)?;
        if count < 0 {
            return Err(ParseError::new(span, "count is negative"));
        }
        // Nothing, too, takes time to repeat.
        if (count as usize).saturating_mul(body.len().max(1)) > MOST_LINES {
            return Err(ParseError::new(span, "repetition makes too many lines"));
        }
        let mut lines = Vec::with_capacity(count as usize * body.len());
        for _ in 0..count {
            lines.extend(body.iter().cloned());
        }
        self.push(lines, origin, None, span)
    }

    /// `.irp` and `.irpc`: the block once per value.
    pub(super) fn for_each(
        &mut self,
        c: &mut Cursor<'_>,
        characters: bool,
        origin: &Origin<'a>,
        span: (usize, usize),
    ) -> Result<(), ParseError> {
        let Some(name) = c.word().map(str::to_owned) else { return Err(c.error("expected a parameter name")) };
        c.eat(b',');
        let mut values = Vec::new();
        if characters {
            let text = argument(c, true);
            values.extend(text.trim_matches('"').chars().map(String::from));
        } else {
            while !c.at_end() {
                values.push(argument(c, false));
                c.eat(b',');
            }
        }
        let body = self.block(&[".rept", ".rep", ".irp", ".irpc"], ".endr", span)?;
        if values.len().saturating_mul(body.len()) > MOST_LINES {
            return Err(ParseError::new(span, "repetition makes too many lines"));
        }
        let mut lines = Vec::new();
        for v in values {
            let pairs = [(name.clone(), v)];
            // Macros are counted, repetitions are not.
            lines.extend(body.iter().map(|l| substitute(l, &pairs, self.expansions)));
        }
        self.push(lines, origin, None, span)
    }
}

/// Where the first line ends, and whether a comment may begin in it. Eight bytes at a time: lines are too short for the
/// searches of the standard library to be fast.
fn scan(text: &[u8]) -> (usize, bool) {
    /// The high bit of every byte that is `b`; after the first of them, bits that mean nothing may follow.
    fn those(word: u64, b: u8) -> u64 {
        const ONES: u64 = u64::from_ne_bytes([1; 8]);
        let x = word ^ (ONES * u64::from(b));
        x.wrapping_sub(ONES) & !x & ONES << 7
    }
    let mut chunks = text.chunks_exact(8);
    let (mut at, mut marked) = (0, false);
    for c in &mut chunks {
        let word = u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]);
        let (ends, marks) = (those(word, b'\n'), those(word, b';') | those(word, b'/'));
        if ends != 0 {
            let n = ends.trailing_zeros() as usize / 8;
            // What stands before the end.
            return (at + n, marked || marks & !(u64::MAX << (8 * n)) != 0);
        }
        marked |= marks != 0;
        at += 8;
    }
    for b in chunks.remainder() {
        match b {
            b'\n' => return (at, marked),
            b';' | b'/' => marked = true,
            _ => {}
        }
        at += 1;
    }
    (at, marked)
}

/// A macro argument: up to a comma or blank outside brackets and quotes; all the rest if `rest`.
fn argument(c: &mut Cursor<'_>, rest: bool) -> String {
    c.skip_space();
    let start = c.pos();
    if rest {
        c.seek(c.text().len());
        return c.since(start).trim_end().to_owned();
    }
    if c.peek() == b'"' {
        c.bump();
        let from = c.pos();
        while !matches!(c.peek(), b'"' | 0) {
            c.bump();
        }
        let s = c.since(from).to_owned();
        c.bump();
        return s;
    }
    let mut depth = 0;
    loop {
        match c.peek() {
            // A zero in the text is a byte like others.
            0 if c.rest().is_empty() => break,
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => break,
            b' ' | b'\t' if depth == 0 => {
                // A blank ends an argument unless an operator binds what follows.
                let at = c.pos();
                c.skip_space();
                let joins =
                    |b: u8| matches!(b, b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'=');
                let before = c.text().as_bytes().get(at.wrapping_sub(1)).copied().unwrap_or(0);
                if !(joins(c.peek()) && c.peek_at(1) == b' ' || joins(before)) {
                    c.seek(at);
                    break;
                }
                continue;
            }
            _ => {}
        }
        c.bump();
    }
    c.since(start).trim_end().to_owned()
}

/// The line with `\name` and `\@` replaced, `\()` removed.
fn substitute<'a>(line: &Text<'a>, pairs: &[(String, String)], number: usize) -> Text<'a> {
    if !line.contains('\\') {
        return line.clone();
    }
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest: &str = line;
    while let Some(i) = rest.find('\\') {
        out.push_str(&rest[..i]);
        rest = &rest[i + 1..];
        if let Some(r) = rest.strip_prefix("()") {
            rest = r;
        } else if let Some(r) = rest.strip_prefix('@') {
            out.push_str(&number.to_string());
            rest = r;
        } else {
            let end = rest
                .find(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '_' | '$' | '.')))
                .unwrap_or(rest.len());
            // The longest parameter name that fits, so that `\a.b` may mean `\a` followed by `.b`.
            let found = pairs
                .iter()
                .filter(|(n, _)| rest[..end] == **n)
                .chain(
                    pairs.iter().filter(|(n, _)| rest.starts_with(n.as_str()) && rest[n.len()..end].starts_with('.')),
                )
                .next();
            match found {
                Some((n, v)) => {
                    out.push_str(v);
                    rest = &rest[n.len()..];
                }
                None => out.push('\\'),
            }
        }
    }
    out.push_str(rest);
    Text::Made(Rc::from(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::properties::Rng;

    #[test]
    fn lines_end_where_the_standard_library_ends_them() {
        let mut rng = Rng(3);
        for _ in 0..20_000 {
            let text: String = (0..rng.below(40))
                .map(|_| ['a', '\n', '\r', ';', '/', '\u{1}', '\u{b}', 'é', ':', '.', '0'][rng.below(11) as usize])
                .collect();
            let mut source = Source::new(&text);
            for line in text.lines() {
                let (ours, marked) = source.raw().unwrap_or(("none", false));
                assert_eq!(ours, line, "{text:?}");
                assert!(marked || !line.contains([';', '/']), "{text:?}");
            }
            assert_eq!(source.raw(), None, "{text:?}");
        }
    }
}

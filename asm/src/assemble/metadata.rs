//! `.amdgpu_metadata`: the YAML that compilers write, as a tree.
//!
//! Only what metadata needs of YAML is read: nested maps and lists by indentation, plain and quoted scalars. Numbers
//! and booleans are recognised where plain, strings where quoted, as LLVM does.

/// A metadata value.
#[derive(Clone, Debug, PartialEq)]
pub enum Meta {
    /// Keys in order.
    Map(Vec<(String, Meta)>),
    /// Elements in order.
    List(Vec<Meta>),
    /// Text.
    Str(String),
    /// An unsigned number.
    Uint(u64),
    /// A negative number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A floating-point number.
    Float(f64),
    /// Nothing.
    Null,
}

impl Meta {
    /// The value of a map's key.
    pub fn get(&self, key: &str) -> Option<&Meta> {
        match self {
            Meta::Map(m) => m.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }
}

/// A value and where each part of it stands: the line of every value in the order of the text, a parent before its
/// children.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) meta: Meta,
    pub(super) places: Vec<usize>,
}

impl Meta {
    /// This value and all within it.
    pub(super) fn count(&self) -> usize {
        1 + match self {
            Meta::Map(m) => m.iter().map(|(_, v)| v.count()).sum(),
            Meta::List(l) => l.iter().map(Meta::count).sum::<usize>(),
            _ => 0,
        }
    }
}

struct Line<'a> {
    indent: usize,
    text: &'a str,
    number: usize,
}

/// How deep values may nest.
const DEPTH: usize = 32;

/// Reads the block's lines.
///
/// # Errors
/// Line of the block, from 0, and what is wrong there.
pub fn parse(lines: &[&str]) -> Result<Meta, (usize, String)> {
    placed(lines).map(|p| p.meta)
}

/// The same with the places of values.
pub(super) fn placed(lines: &[&str]) -> Result<Placed, (usize, String)> {
    let mut kept = Vec::new();
    for (number, raw) in lines.iter().enumerate() {
        let text = raw.trim_end();
        let body = text.trim_start();
        if body.is_empty() || body == "---" || body == "..." {
            continue;
        }
        kept.push(Line { indent: text.len() - body.len(), text: body, number });
    }
    let Some(first) = kept.first() else { return Ok(Placed { meta: Meta::Null, places: vec![0] }) };
    let indent = first.indent;
    let mut reader = Reader { lines: kept, at: 0, places: Vec::new() };
    let meta = reader.value(indent, 0)?;
    match reader.lines.get(reader.at) {
        None => Ok(Placed { meta, places: reader.places }),
        Some(l) => Err((l.number, "unexpected indentation".into())),
    }
}

/// The lines and how far they are read.
struct Reader<'a> {
    lines: Vec<Line<'a>>,
    at: usize,
    places: Vec<usize>,
}

type Read<T> = Result<T, (usize, String)>;

impl Reader<'_> {
    fn value(&mut self, indent: usize, depth: usize) -> Read<Meta> {
        let first = &self.lines[self.at];
        let (text, number) = (first.text, first.number);
        if depth > DEPTH {
            return Err((number, "values are nested too deeply".into()));
        }
        if text == "-" || text.starts_with("- ") {
            self.places.push(number);
            self.list(indent, depth)
        } else if !text.starts_with(['[', '{']) && split_key(text).is_some() {
            self.places.push(number);
            self.map(indent, depth)
        } else {
            self.at += 1;
            self.plain(text, number)
        }
    }

    /// A value that begins on a line and is no block: a scalar, or a list or map in brackets that may go on.
    fn plain(&mut self, text: &str, number: usize) -> Read<Meta> {
        if !text.starts_with(['[', '{']) {
            let quote = text.bytes().next().filter(|b| matches!(b, b'\'' | b'"'));
            if quote.is_some_and(|q| closing_quote(text, q).is_none()) {
                return Err((number, "the quote is not closed".into()));
            }
            self.places.push(number);
            return Ok(scalar(text));
        }
        let mut whole = text.to_owned();
        loop {
            match flow(&whole) {
                Ok(meta) => {
                    self.places.extend(std::iter::repeat_n(number, meta.count()));
                    return Ok(meta);
                }
                Err(Flow::Open(bracket)) => {
                    // Nothing this long is metadata.
                    let Some(next) = self.lines.get(self.at).filter(|_| whole.len() < 1 << 16) else {
                        return Err((number, format!("`{bracket}` is not closed")));
                    };
                    whole.push(' ');
                    whole.push_str(next.text);
                    self.at += 1;
                }
                Err(Flow::Wrong(what)) => return Err((number, what)),
            }
        }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Read<Meta> {
        let mut items = Vec::new();
        while let Some(l) = self.lines.get(self.at) {
            if l.indent != indent || !(l.text == "-" || l.text.starts_with("- ")) {
                break;
            }
            let rest = l.text[1..].trim_start();
            if rest.is_empty() {
                let number = l.number;
                self.at += 1;
                items.push(self.nested(indent + 1, number, depth)?);
                continue;
            }
            // What follows the dash is a value that begins at its own column.
            let column = l.indent + (l.text.len() - rest.len());
            let number = l.number;
            self.lines[self.at] = Line { indent: column, text: rest, number };
            items.push(self.value(column, depth + 1)?);
        }
        Ok(Meta::List(items))
    }

    fn map(&mut self, indent: usize, depth: usize) -> Read<Meta> {
        let mut items: Vec<(String, Meta)> = Vec::new();
        while let Some(l) = self.lines.get(self.at) {
            if l.indent != indent || l.text.starts_with("- ") {
                break;
            }
            let number = l.number;
            let Some((key, rest)) = split_key(l.text) else { return Err((number, "expected `key: value`".into())) };
            let key = unquoted(key);
            self.at += 1;
            let v = if rest.is_empty() { self.nested(indent, number, depth)? } else { self.plain(rest, number)? };
            items.push((key, v));
        }
        Ok(Meta::Map(items))
    }

    /// The value on the lines after a bare key or dash: deeper, or a list at the key's own column.
    fn nested(&mut self, indent: usize, number: usize, depth: usize) -> Read<Meta> {
        match self.lines.get(self.at) {
            Some(l) if l.indent > indent || l.indent == indent && (l.text == "-" || l.text.starts_with("- ")) => {
                let inner = l.indent;
                self.value(inner, depth + 1)
            }
            _ => {
                // Nothing is an empty list to LLVM.
                self.places.push(number);
                Ok(Meta::List(Vec::new()))
            }
        }
    }
}

/// Why text in brackets is no value.
enum Flow {
    /// This bracket is still open.
    Open(char),
    Wrong(String),
}

/// A list or map in brackets, which is the whole text.
fn flow(text: &str) -> Result<Meta, Flow> {
    let mut rest = text;
    let meta = flow_value(&mut rest, 0)?;
    match rest.trim() {
        "" => Ok(meta),
        _ => Err(Flow::Wrong("expected nothing after the closing bracket".into())),
    }
}

fn flow_value(rest: &mut &str, depth: usize) -> Result<Meta, Flow> {
    *rest = rest.trim_start();
    if depth > DEPTH {
        return Err(Flow::Wrong("values are nested too deeply".into()));
    }
    let Some(open) = rest.chars().next() else { return Err(Flow::Open('[')) };
    match open {
        '[' | '{' => {
            let close = if open == '[' { ']' } else { '}' };
            *rest = &rest[1..];
            let (mut items, mut entries) = (Vec::new(), Vec::new());
            loop {
                *rest = rest.trim_start();
                if let Some(after) = rest.strip_prefix(close) {
                    *rest = after;
                    return Ok(if open == '[' { Meta::List(items) } else { Meta::Map(entries) });
                }
                if rest.is_empty() {
                    return Err(Flow::Open(open));
                }
                let v = flow_value(rest, depth + 1)?;
                if open == '[' {
                    items.push(v);
                } else {
                    *rest = rest.trim_start();
                    let Some(after) = rest.strip_prefix(':') else {
                        return Err(if rest.is_empty() {
                            Flow::Open(open)
                        } else {
                            Flow::Wrong("expected `key: value`".into())
                        });
                    };
                    *rest = after;
                    let key = match v {
                        Meta::Str(s) => s,
                        other => {
                            let mut s = String::new();
                            push_scalar(&mut s, &other);
                            s
                        }
                    };
                    entries.push((key, flow_value(rest, depth + 1)?));
                }
                *rest = rest.trim_start();
                if let Some(after) = rest.strip_prefix(',') {
                    *rest = after;
                } else if rest.is_empty() {
                    return Err(Flow::Open(open));
                } else if !rest.starts_with(close) {
                    return Err(Flow::Wrong(format!("expected `,` or `{close}`")));
                }
            }
        }
        '\'' | '"' => {
            let Some(end) = closing_quote(rest, open as u8) else { return Err(Flow::Open(open)) };
            let v = scalar(&rest[..=end]);
            *rest = &rest[end + 1..];
            Ok(v)
        }
        _ => {
            let ends = |(i, c): &(usize, char)| {
                matches!(c, ',' | ']' | '}' | '[' | '{') || *c == ':' && rest[i + 1..].starts_with([' ', ','])
            };
            let end = rest.char_indices().find(ends).map_or(rest.len(), |(i, _)| i);
            let v = scalar(&rest[..end]);
            *rest = &rest[end..];
            Ok(v)
        }
    }
}

/// `key: rest`, the key with its quotes, if it has them.
fn split_key(text: &str) -> Option<(&str, &str)> {
    if let Some(quote) = text.bytes().next().filter(|c| matches!(c, b'\'' | b'"')) {
        let end = closing_quote(text, quote)? + 1;
        let rest = text[end..].strip_prefix(':')?;
        return (rest.is_empty() || rest.starts_with(' ')).then(|| (&text[..end], rest.trim()));
    }
    let mut from = 0;
    while let Some(i) = text[from..].find(':') {
        let i = from + i;
        let rest = &text[i + 1..];
        if rest.is_empty() || rest.starts_with(' ') {
            return Some((text[..i].trim_end(), rest.trim()));
        }
        from = i + 1;
    }
    None
}

/// Where the quote that opens `text` is closed.
fn closing_quote(text: &str, quote: u8) -> Option<usize> {
    let b = text.as_bytes();
    let mut i = 1;
    while i < b.len() {
        match b[i] {
            b'\\' if quote == b'"' => i += 1,
            b'\'' if quote == b'\'' && b.get(i + 1) == Some(&b'\'') => i += 1,
            c if c == quote => return Some(i),
            _ => {}
        }
        i += 1;
    }
    None
}

/// A scalar with its tag, its quotes, or neither. As LLVM has it, quotes do not make text of a number: a tag does.
fn scalar(text: &str) -> Meta {
    let t = text.trim();
    if let Some(rest) = t.strip_prefix('!') {
        let (tag, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let text = unquoted(rest.trim());
        return match (tag, plain_scalar(&text)) {
            ("nil", _) => Meta::Null,
            ("int", v @ (Meta::Uint(_) | Meta::Int(_)))
            | ("bool", v @ Meta::Bool(_))
            | ("float", v @ Meta::Float(_)) => v,
            _ => Meta::Str(text),
        };
    }
    plain_scalar(&unquoted(t))
}

fn unquoted(t: &str) -> String {
    if t.len() >= 2 && t.starts_with('\'') && t.ends_with('\'') {
        return t[1..t.len() - 1].replace("''", "'");
    }
    if t.len() >= 2 && t.starts_with('"') && t.ends_with('"') {
        return unescape(&t[1..t.len() - 1]);
    }
    t.to_owned()
}

/// Numbers in the bases that C has, truth values, and text.
fn plain_scalar(t: &str) -> Meta {
    match t {
        "true" => return Meta::Bool(true),
        "false" => return Meta::Bool(false),
        _ => {}
    }
    let (negative, digits) = t.strip_prefix('-').map_or((false, t), |d| (true, d));
    let (base, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', b'o', ..] => (8, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if digits.bytes().next().is_some_and(|b| b != b'+' && b != b'-') {
        match u64::from_str_radix(digits, base) {
            Ok(n) if !negative => return Meta::Uint(n),
            Ok(n) if n <= 1 << 63 => return Meta::Int((n as i64).wrapping_neg()),
            _ => {}
        }
    }
    let floating =
        t.bytes().next().is_some_and(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'n' | b'i'));
    match t.parse() {
        Ok(x) if floating => Meta::Float(x),
        _ => Meta::Str(t.to_owned()),
    }
}

fn unescape(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    let mut chars = s.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('0') => out.push('\0'),
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                match u8::from_str_radix(&digits, 16) {
                    Ok(b) => out.push(char::from(b)),
                    Err(_) => out.push_str(&digits),
                }
            }
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

/// The block's lines, between its directives, that [`parse`] reads as the same tree.
pub fn text(meta: &Meta) -> String {
    let mut out = String::from("---\n");
    match meta {
        Meta::Map(m) if !m.is_empty() => push_nested(&mut out, meta, 0),
        Meta::List(l) if !l.is_empty() => push_nested(&mut out, meta, 0),
        scalar => {
            push_scalar(&mut out, scalar);
            out.push('\n');
        }
    }
    out.push_str("...\n");
    out
}

/// A map's or list's entries, each on lines of its own; an empty one cannot come here.
fn push_nested(out: &mut String, meta: &Meta, indent: usize) {
    let pad = |out: &mut String| out.extend(std::iter::repeat_n(' ', indent));
    match meta {
        Meta::Map(entries) => {
            for (key, value) in entries {
                pad(out);
                // Keys are text whatever they look like.
                let mut name = String::new();
                push_string(&mut name, key);
                out.push_str(name.strip_prefix("!str ").unwrap_or(&name));
                out.push(':');
                push_value(out, value, indent + 2);
            }
        }
        Meta::List(items) => {
            for item in items {
                pad(out);
                out.push('-');
                push_value(out, item, indent + 2);
            }
        }
        _ => {}
    }
}

fn push_value(out: &mut String, value: &Meta, indent: usize) {
    match value {
        Meta::Map(m) if !m.is_empty() => {
            out.push('\n');
            push_nested(out, value, indent);
        }
        Meta::List(l) if !l.is_empty() => {
            out.push('\n');
            push_nested(out, value, indent);
        }
        _ => {
            out.push(' ');
            push_scalar(out, value);
            out.push('\n');
        }
    }
}

fn push_scalar(out: &mut String, value: &Meta) {
    match value {
        Meta::Map(_) => out.push_str("{}"),
        Meta::List(_) => out.push_str("[]"),
        Meta::Str(s) => push_string(out, s),
        Meta::Uint(x) => out.push_str(&x.to_string()),
        Meta::Int(x) => out.push_str(&x.to_string()),
        Meta::Bool(x) => out.push_str(if *x { "true" } else { "false" }),
        // With a point, so that it stays a floating-point number.
        Meta::Float(x) => out.push_str(&format!("{x:?}")),
        Meta::Null => out.push_str("!nil ''"),
    }
}

/// A string: plain where nothing can be mistaken, else in quotes. Comment characters never stand outside of double
/// quotes, because comments go before the block is read.
fn push_string(out: &mut String, s: &str) {
    let plain = s.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.'))
        && s.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-'))
        && matches!(plain_scalar(s), Meta::Str(_))
        && !matches!(
            s.to_ascii_lowercase().as_str(),
            "null" | "yes" | "no" | "on" | "off" | "y" | "n" | ".nan" | ".inf"
        )
        && !s.starts_with("...");
    if plain {
        return out.push_str(s);
    }
    if s.is_empty() || !matches!(plain_scalar(s), Meta::Str(_)) {
        out.push_str("!str ");
    }
    let simple = s.bytes().all(|b| (0x20..0x7f).contains(&b) && !matches!(b, b';' | b'/' | b'"'));
    if simple {
        out.push('\'');
        out.push_str(&s.replace('\'', "''"));
        return out.push('\'');
    }
    out.push('"');
    for c in s.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\x22"),
            c if u32::from(c) < 0x20 || c == '\x7f' => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_metadata_keeps_its_shape_and_types() {
        let text = "---\namdhsa.kernels:\n  - .args:\n      - .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n    .name: k\n    .symbol: 'k.kd'\n    .uses_dynamic_stack: false\namdhsa.version:\n  - 1\n  - 2\n...";
        let lines: Vec<&str> = text.lines().collect();
        let m = parse(&lines).expect("parses");
        let Some(Meta::List(kernels)) = m.get("amdhsa.kernels") else { panic!("{m:?}") };
        assert_eq!(kernels[0].get(".symbol"), Some(&Meta::Str("k.kd".into())));
        assert_eq!(kernels[0].get(".uses_dynamic_stack"), Some(&Meta::Bool(false)));
        let Some(Meta::List(args)) = kernels[0].get(".args") else { panic!("{m:?}") };
        assert_eq!(args[0].get(".size"), Some(&Meta::Uint(8)));
        assert_eq!(m.get("amdhsa.version"), Some(&Meta::List(vec![Meta::Uint(1), Meta::Uint(2)])));
    }

    #[test]
    fn printed_metadata_reads_back_as_the_same_tree() {
        let odd = [
            "", "true", "12", "-3", "0x10", "1.5", "~", "a: b", "- x", "it's", "a;b", "x // y", "\"q\"", "tab\t", "é",
            "#", "a\\n", "k.kd", "yes",
        ];
        let m = Meta::Map(vec![
            ("amdhsa.version".into(), Meta::List(vec![Meta::Uint(1), Meta::Int(-2), Meta::Float(2.0), Meta::Null])),
            ("empty".into(), Meta::List(Vec::new())),
            ("none".into(), Meta::Map(Vec::new())),
            ("odd key: 1".into(), Meta::List(odd.iter().map(|s| Meta::Str((*s).into())).collect())),
            (
                "amdhsa.kernels".into(),
                Meta::List(vec![
                    Meta::Map(vec![(".name".into(), Meta::Str("k".into())), (".flag".into(), Meta::Bool(true))]),
                    Meta::List(vec![Meta::List(vec![Meta::Uint(u64::MAX)])]),
                ]),
            ),
        ]);
        let printed = text(&m);
        // As the assembler does, comments go first.
        let lines: Vec<&str> = printed.lines().map(crate::lines::strip_comment).collect();
        assert_eq!(parse(&lines), Ok(m), "{printed}");
    }
}

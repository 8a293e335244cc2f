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
    let mut kept = Vec::new();
    for (number, raw) in lines.iter().enumerate() {
        let text = raw.trim_end();
        let body = text.trim_start();
        if body.is_empty() || body == "---" || body == "..." {
            continue;
        }
        kept.push(Line { indent: text.len() - body.len(), text: body, number });
    }
    let mut at = 0;
    if kept.is_empty() {
        return Ok(Meta::Null);
    }
    let indent = kept[0].indent;
    let v = value(&mut kept, &mut at, indent, 0)?;
    match kept.get(at) {
        None => Ok(v),
        Some(l) => Err((l.number, "unexpected indentation".into())),
    }
}

fn value(lines: &mut Vec<Line<'_>>, at: &mut usize, indent: usize, depth: usize) -> Result<Meta, (usize, String)> {
    let first = &lines[*at];
    if depth > DEPTH {
        return Err((first.number, "values are nested too deeply".into()));
    }
    if first.text == "-" || first.text.starts_with("- ") {
        list(lines, at, indent, depth)
    } else if split_key(first.text).is_some() {
        map(lines, at, indent, depth)
    } else {
        let v = scalar(first.text);
        *at += 1;
        Ok(v)
    }
}

fn list(lines: &mut Vec<Line<'_>>, at: &mut usize, indent: usize, depth: usize) -> Result<Meta, (usize, String)> {
    let mut items = Vec::new();
    while let Some(l) = lines.get(*at) {
        if l.indent != indent || !(l.text == "-" || l.text.starts_with("- ")) {
            break;
        }
        let rest = l.text[1..].trim_start();
        if rest.is_empty() {
            *at += 1;
            items.push(nested(lines, at, indent + 1, depth)?);
            continue;
        }
        // What follows the dash is a value that begins at its own column.
        let column = l.indent + (l.text.len() - rest.len());
        let number = l.number;
        let text = rest;
        lines[*at] = Line { indent: column, text, number };
        items.push(value(lines, at, column, depth + 1)?);
    }
    Ok(Meta::List(items))
}

fn map(lines: &mut Vec<Line<'_>>, at: &mut usize, indent: usize, depth: usize) -> Result<Meta, (usize, String)> {
    let mut items = Vec::new();
    while let Some(l) = lines.get(*at) {
        if l.indent != indent || l.text.starts_with("- ") {
            break;
        }
        let Some((key, rest)) = split_key(l.text) else { return Err((l.number, "expected `key: value`".into())) };
        let key = match key.starts_with(['\'', '"']).then(|| scalar(key)) {
            Some(Meta::Str(unquoted)) => unquoted,
            _ => key.to_owned(),
        };
        let rest = rest.to_owned();
        *at += 1;
        let v = if rest.is_empty() { nested(lines, at, indent, depth)? } else { scalar(&rest) };
        items.push((key, v));
    }
    Ok(Meta::Map(items))
}

/// The value on the lines after a bare key or dash: deeper, or a list at the key's own column.
fn nested(lines: &mut Vec<Line<'_>>, at: &mut usize, indent: usize, depth: usize) -> Result<Meta, (usize, String)> {
    match lines.get(*at) {
        Some(l) if l.indent > indent || l.indent == indent && (l.text == "-" || l.text.starts_with("- ")) => {
            let inner = l.indent;
            value(lines, at, inner, depth + 1)
        }
        _ => Ok(Meta::Null),
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

fn scalar(text: &str) -> Meta {
    let t = text.trim();
    // A tag says that what looks like a number is text.
    if let Some(rest) = t.strip_prefix("!str ") {
        return Meta::Str(match scalar(rest) {
            Meta::Str(s) => s,
            _ => rest.trim().to_owned(),
        });
    }
    if t.len() >= 2 && t.starts_with('\'') && t.ends_with('\'') {
        return Meta::Str(t[1..t.len() - 1].replace("''", "'"));
    }
    if t.len() >= 2 && t.starts_with('"') && t.ends_with('"') {
        return Meta::Str(unescape(&t[1..t.len() - 1]));
    }
    if t == "[]" {
        return Meta::List(Vec::new());
    }
    if t == "{}" {
        return Meta::Map(Vec::new());
    }
    if t.starts_with('[') && t.ends_with(']') {
        return Meta::List(t[1..t.len() - 1].split(',').map(scalar).collect());
    }
    match t {
        "true" => return Meta::Bool(true),
        "false" => return Meta::Bool(false),
        "null" | "~" | "" => return Meta::Null,
        _ => {}
    }
    let number = match t.strip_prefix("0x") {
        Some(h) => u64::from_str_radix(h, 16).ok(),
        None => t.parse().ok(),
    };
    if let Some(n) = number {
        return Meta::Uint(n);
    }
    if let Ok(n) = t.parse::<i64>() {
        return Meta::Int(n);
    }
    if t.contains('.')
        && t.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'e' | b'E' | b'+'))
        && let Ok(x) = t.parse()
    {
        return Meta::Float(x);
    }
    Meta::Str(t.to_owned())
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
                push_string(out, key);
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
        Meta::Null => out.push_str("null"),
    }
}

/// A string: plain where nothing can be mistaken, else in quotes. Comment characters never stand outside of double
/// quotes, because comments go before the block is read.
fn push_string(out: &mut String, s: &str) {
    let plain = s.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.'))
        && s.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-'))
        && !matches!(scalar(s), Meta::Bool(_) | Meta::Null | Meta::Float(_))
        && !matches!(
            s.to_ascii_lowercase().as_str(),
            "yes" | "no" | "on" | "off" | "y" | "n" | "nan" | ".nan" | ".inf"
        )
        && !s.starts_with("...");
    if plain {
        return out.push_str(s);
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

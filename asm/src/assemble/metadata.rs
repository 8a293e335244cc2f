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
        let key = key.to_owned();
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

/// `key: rest`, the key perhaps quoted.
fn split_key(text: &str) -> Option<(&str, &str)> {
    if let Some(q) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) {
        let end = text[1..].find(q)? + 1;
        let rest = text[end + 1..].strip_prefix(':')?;
        return (rest.is_empty() || rest.starts_with(' ')).then(|| (&text[1..end], rest.trim()));
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

fn scalar(text: &str) -> Meta {
    let t = text.trim();
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
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
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
}

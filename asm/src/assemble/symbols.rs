//! The symbol table.

use crate::parse::{Expr, Symbols, Value, evaluate};
use std::collections::{HashMap, HashSet};

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Binding {
    #[default]
    Local,
    Global,
    Weak,
}

/// ELF visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Visibility {
    #[default]
    Default,
    Internal,
    Hidden,
    Protected,
}

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum SymbolKind {
    #[default]
    None,
    Function,
    Object,
    /// An LDS variable (`.amdgpu_lds`): `value` is its alignment.
    Lds,
}

/// A symbol of the assembled file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Section number in `sections`; `None` if absolute or undefined.
    pub section: Option<u32>,
    /// Whether it has a value at all.
    pub defined: bool,
    /// Offset in the section, or the absolute value.
    pub value: u64,
    /// Size in bytes.
    pub size: u64,
    /// Who sees it.
    pub binding: Binding,
    /// ELF visibility.
    pub visibility: Visibility,
    /// What it names.
    pub kind: SymbolKind,
}

#[derive(Clone, Debug, Default)]
enum Definition {
    #[default]
    Undefined,
    Label(u32, u64),
    Value(Value),
    Later(Expr),
}

#[derive(Clone, Debug, Default)]
struct Entry {
    name: String,
    definition: Definition,
    binding: Binding,
    visibility: Visibility,
    kind: SymbolKind,
    size: Option<Expr>,
    size_here: (u32, i64),
    /// Not for the output: local labels.
    private: bool,
}

/// All symbols by name, in order of first mention.
#[derive(Debug, Default)]
pub(super) struct Table {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    /// How often each local label has been defined.
    locals: HashMap<String, usize>,
}

/// Whether a name is known only within its file.
pub(super) fn is_private(name: &str) -> bool {
    name.starts_with(".L") || name.contains('\u{1}')
}

/// How many definitions are followed in search of a cycle; longer chains than [`DEPTH`] have no value anyway.
const LONGEST_CHAIN: usize = 256;

/// How many definitions may lead to one another.
const DEPTH: usize = 64;

impl Table {
    fn entry(&mut self, name: &str) -> &mut Entry {
        let i = match self.by_name.get(name) {
            Some(&i) => i,
            None => {
                self.entries.push(Entry { name: name.to_owned(), private: is_private(name), ..Entry::default() });
                self.by_name.insert(name.to_owned(), self.entries.len() - 1);
                self.entries.len() - 1
            }
        };
        &mut self.entries[i]
    }

    fn get(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name).map(|&i| &self.entries[i])
    }

    pub(super) fn mention(&mut self, name: &str) {
        self.entry(name);
    }

    /// Mentions the symbols of an expression: the symbol table has them in the order of the file.
    pub(super) fn mention_all(&mut self, e: &Expr) {
        let mut names = Vec::new();
        collect(e, &mut names);
        names.into_iter().for_each(|n| self.mention(n));
    }

    /// Every name that has a definition, local labels aside.
    pub(super) fn defined_names(&self) -> impl Iterator<Item = &str> {
        let named = |e: &&Entry| !matches!(e.definition, Definition::Undefined) && !e.name.contains('\u{1}');
        self.entries.iter().filter(named).map(|e| e.name.as_str())
    }

    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.get(name).is_some_and(|e| !matches!(e.definition, Definition::Undefined))
    }

    pub(super) fn define_label(&mut self, name: &str, section: u32, offset: u64) -> Result<(), String> {
        let e = self.entry(name);
        // What `.set` made may be defined again, as a label too.
        if matches!(e.definition, Definition::Label(..)) {
            return Err(format!("symbol `{name}` is already defined"));
        }
        e.definition = Definition::Label(section, offset);
        Ok(())
    }

    pub(super) fn assign(&mut self, name: &str, value: Result<Value, Expr>) -> Result<(), String> {
        if let Err(expr) = &value
            && self.leads_to(expr, name)
        {
            // A value all the same, so that only the cause is reported.
            self.entry(name).definition = Definition::Value(Value::absolute(0));
            return Err(format!("symbol `{name}` is defined by itself"));
        }
        let e = self.entry(name);
        if matches!(e.definition, Definition::Label(..)) {
            return Err(format!("invalid reassignment of symbol `{name}`"));
        }
        e.definition = match value {
            Ok(v) => Definition::Value(v),
            Err(expr) => Definition::Later(expr),
        };
        Ok(())
    }

    /// The place of a label.
    pub(super) fn place(&self, name: &str) -> Option<(u32, i64)> {
        match self.get(name)?.definition {
            Definition::Label(s, o) => Some((s, o as i64)),
            Definition::Value(Value { section: Some(s), number }) => Some((s, number)),
            _ => None,
        }
    }

    /// The expression that a symbol stands for, if it is not a plain value.
    pub(super) fn definition(&self, name: &str) -> Option<&Expr> {
        match &self.get(name)?.definition {
            Definition::Later(e) => Some(e),
            _ => None,
        }
    }

    pub(super) fn binding(&mut self, name: &str, b: Binding) {
        self.entry(name).binding = b;
    }
    pub(super) fn visibility(&mut self, name: &str, v: Visibility) {
        self.entry(name).visibility = v;
    }
    pub(super) fn kind(&mut self, name: &str, k: SymbolKind) {
        self.entry(name).kind = k;
    }
    pub(super) fn size(&mut self, name: &str, e: Expr, here: (u32, i64)) {
        let entry = self.entry(name);
        entry.size = Some(e);
        entry.size_here = here;
    }

    /// Binding and visibility of a symbol.
    pub(super) fn attributes(&self, name: &str) -> (Binding, Visibility) {
        self.get(name).map_or((Binding::Local, Visibility::Default), |e| (e.binding, e.visibility))
    }

    /// The name of the next definition of a local label.
    pub(super) fn next_local(&mut self, number: &str) -> String {
        let n = self.locals.entry(number.to_owned()).or_insert(0);
        *n += 1;
        format!("{number}\u{1}{n}")
    }

    /// Replaces `1b` and `1f` by the definitions that they mean here.
    pub(super) fn localize(&self, e: Expr) -> Expr {
        match e {
            Expr::Symbol(name, v) if name.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = name.trim_end_matches(|c: char| !c.is_ascii_digit());
                let n = self.locals.get(number).copied().unwrap_or(0);
                let n = if name.ends_with('b') { n } else { n + 1 };
                Expr::Symbol(format!("{number}\u{1}{n}"), v)
            }
            Expr::Unary(op, x) => Expr::Unary(op, Box::new(self.localize(*x))),
            Expr::Binary(op, a, b) => Expr::Binary(op, Box::new(self.localize(*a)), Box::new(self.localize(*b))),
            Expr::Call(n, args) => Expr::Call(n, args.into_iter().map(|a| self.localize(a)).collect()),
            e => e,
        }
    }

    fn value(&self, name: &str, depth: usize) -> Option<Value> {
        match &self.get(name)?.definition {
            Definition::Undefined => None,
            Definition::Label(s, o) => Some(Value { section: Some(*s), number: *o as i64 }),
            Definition::Value(v) => Some(*v),
            Definition::Later(e) => {
                if depth == 0 {
                    return None;
                }
                evaluate(e, &Nested { table: self, depth: depth - 1 }).ok()
            }
        }
    }

    /// Whether an expression's definitions lead to a symbol.
    fn leads_to(&self, e: &Expr, name: &str) -> bool {
        let mut names = Vec::new();
        collect(e, &mut names);
        let mut seen = HashSet::new();
        while let Some(n) = names.pop() {
            if n == name {
                return true;
            }
            if seen.len() > LONGEST_CHAIN || !seen.insert(n) {
                continue;
            }
            if let Some(e) = self.definition(n) {
                collect(e, &mut names);
            }
        }
        false
    }

    pub(super) fn finish(self, _sections: usize) -> Vec<Symbol> {
        let mut out = Vec::new();
        for e in &self.entries {
            if e.private {
                continue;
            }
            let value = self.value(&e.name, DEPTH);
            let (section, offset) = value.map_or((None, 0), |v| (v.section, v.number));
            let size = e.size.as_ref().and_then(|s| {
                let view = View { table: &self, section: e.size_here.0, offset: e.size_here.1 };
                evaluate(s, &view).ok().filter(|v| v.section.is_none())
            });
            let defined = value.is_some();
            out.push(Symbol {
                name: e.name.clone(),
                section,
                defined,
                value: offset as u64,
                size: size.map_or(0, |v| v.number as u64),
                binding: if defined || e.binding != Binding::Local { e.binding } else { Binding::Global },
                visibility: e.visibility,
                kind: e.kind,
            });
        }
        out
    }
}

/// The symbols that an expression names.
pub(super) fn collect<'a>(e: &'a Expr, out: &mut Vec<&'a str>) {
    match e {
        Expr::Symbol(n, _) => out.push(n),
        Expr::Unary(_, x) => collect(x, out),
        Expr::Binary(_, a, b) => {
            collect(a, out);
            collect(b, out);
        }
        Expr::Call(_, args) => args.iter().for_each(|a| collect(a, out)),
        Expr::Int(_) | Expr::Here => {}
    }
}

struct Nested<'a> {
    table: &'a Table,
    depth: usize,
}

impl Symbols for Nested<'_> {
    fn lookup(&self, name: &str) -> Option<Value> {
        self.table.value(name, self.depth)
    }
}

/// The table as seen from a place.
pub(super) struct View<'a> {
    pub(super) table: &'a Table,
    pub(super) section: u32,
    pub(super) offset: i64,
}

impl Symbols for View<'_> {
    fn lookup(&self, name: &str) -> Option<Value> {
        self.table.value(name, DEPTH)
    }

    fn here(&self) -> Option<Value> {
        Some(Value { section: Some(self.section), number: self.offset })
    }
}

//! Symbols: the dynamic table the loader binds by, and the static one for names of local functions.

use super::CodeObjectError;
use super::elf::{Elf, slice, u64_at};
use goblin::elf::section_header::{SHT_DYNSYM, SHT_SYMTAB};
use goblin::elf::sym::{STB_LOCAL, STT_FUNC, STT_OBJECT};
use std::collections::HashSet;

const SYM: u64 = 24;

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A 64-byte kernel descriptor, `NAME.kd`.
    Descriptor,
    /// Code.
    Function,
    /// A device variable.
    Object,
    /// Anything else (sections, absolute values, undefined names).
    Other,
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name, empty for the null symbol.
    pub name: String,
    /// What it names.
    pub kind: SymbolKind,
    /// Address relative to the load base (or a plain value where `absolute`).
    pub value: u64,
    /// Bytes.
    pub size: u64,
    /// Whether it is defined here.
    pub defined: bool,
    /// Whether its value is not an address (`SHN_ABS`).
    pub absolute: bool,
    /// Whether other objects see it.
    pub global: bool,
    /// Whether it is in the dynamic table; its index there is then its index in the list.
    pub dynamic: bool,
}

pub(super) struct Symbols {
    pub symbols: Vec<Symbol>,
    pub dynamic_count: usize,
}

/// Reads both tables. Names may share bytes of the string table, so a forged file could ask for far more text than it
/// has: the sum of all names is bounded.
pub(super) fn read(bytes: &[u8], elf: &Elf) -> Result<Symbols, CodeObjectError> {
    let mut budget = 1 << 20 | bytes.len().saturating_mul(4);
    let mut symbols = Vec::new();
    table(bytes, elf, SHT_DYNSYM, &mut symbols, &mut budget)?;
    let dynamic_count = symbols.len();
    let mut rest = Vec::new();
    table(bytes, elf, SHT_SYMTAB, &mut rest, &mut budget)?;
    let known: HashSet<(String, u64)> = symbols.iter().map(|s| (s.name.clone(), s.value)).collect();
    symbols.extend(rest.into_iter().filter(|s| !s.name.is_empty() && !known.contains(&(s.name.clone(), s.value))));
    Ok(Symbols { symbols, dynamic_count })
}

fn table(bytes: &[u8], elf: &Elf, kind: u32, out: &mut Vec<Symbol>, budget: &mut usize) -> Result<(), CodeObjectError> {
    let Some(section) = elf.sections.iter().find(|s| s.sh_type == kind) else { return Ok(()) };
    let dynamic = kind == SHT_DYNSYM;
    let range = slice(bytes, "symbol table", section.sh_offset, section.sh_size)?;
    let strings = match elf.sections.get(section.sh_link as usize) {
        Some(s) => slice(bytes, "string table", s.sh_offset, s.sh_size)?,
        None => {
            return Err(CodeObjectError::Unexpected {
                what: "sh_link of the symbol table",
                offset: range.start as u64,
                found: section.sh_link.into(),
                want: "it must be the index of a string table section",
            });
        }
    };
    for (i, raw) in bytes[range.clone()].chunks_exact(SYM as usize).enumerate() {
        let head = u64_at(raw, 0);
        let (name, info, section) = (head as u32, (head >> 32) as u8, (head >> 48) as u16);
        let at = range.start as u64 + i as u64 * SYM;
        let start = strings.start as u64 + u64::from(name);
        let text = if name == 0 {
            ""
        } else {
            bytes[strings.clone()]
                .get(name as usize..)
                .and_then(|s| s.iter().position(|b| *b == 0).map(|n| &s[..n]))
                .and_then(|s| std::str::from_utf8(s).ok())
                .ok_or(CodeObjectError::BadString { what: "symbol name", offset: start })?
        };
        *budget = budget.checked_sub(text.len()).ok_or(CodeObjectError::Unexpected {
            what: "st_name",
            offset: at,
            found: name.into(),
            want: "the symbols' names add up to many times the file",
        })?;
        let (value, size) = (u64_at(raw, 8), u64_at(raw, 16));
        let defined = section != 0;
        let kind = match info & 0xf {
            STT_OBJECT if text.ends_with(".kd") => SymbolKind::Descriptor,
            STT_FUNC => SymbolKind::Function,
            STT_OBJECT => SymbolKind::Object,
            _ => SymbolKind::Other,
        };
        out.push(Symbol {
            name: text.to_owned(),
            kind,
            value,
            size,
            defined,
            absolute: section == 0xfff1,
            global: info >> 4 != STB_LOCAL,
            dynamic,
        });
    }
    Ok(())
}

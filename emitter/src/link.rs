//! Assembled text to a loadable code object: what `ld.lld -shared` does for a single file.
//!
//! Input sections are merged into output sections by name, as linkers do (`.text.*` into `.text` and so on); hidden and
//! internal symbols stay inside, the others go into the dynamic symbol table; `.amdgpu_metadata` becomes the note.
//!
//! Debug information whose line table would come from `.loc` directives is left out: without that table it would lead
//! readers astray.

use crate::Feature;
use crate::object::{
    Features, Image, LinkError, ObjectVersion, Place, RelocKind, Relocation, Scope, Section, SectionKind, Symbol,
    SymbolKind,
};
use rmpv::Value;
use std::collections::{HashMap, HashSet};
use wavesmith_asm::assemble::{self, Assembled, Binding, Meta, RelocationKind, Visibility};

/// `s_nop 0`, which fills what alignment leaves between pieces of code.
const S_NOP: [u8; 4] = 0xbf80_0000u32.to_le_bytes();

/// Lays out an assembled file as a code object.
///
/// # Errors
/// [`LinkError`] names the symbol that is missing or cannot be reached.
pub fn link(file: &Assembled) -> Result<Vec<u8>, LinkError> {
    let version = match file.code_object_version {
        4 => ObjectVersion::V4,
        5 => ObjectVersion::V5,
        6 => ObjectVersion::V6,
        other => return Err(LinkError::Version(other)),
    };
    let mut image = Image {
        target: file.target,
        version,
        features: features(file.target_id.as_deref().unwrap_or_default()),
        note: file.metadata.as_ref().map(note).unwrap_or_default(),
        sections: Vec::new(),
        symbols: Vec::new(),
    };
    let places = merge(file, &mut image.sections);
    let kept = file.sections.iter().zip(&places).filter(|(_, place)| place.is_some());
    let referenced: HashSet<&str> = kept.flat_map(|(s, _)| &s.relocations).map(|r| r.symbol.as_str()).collect();
    for s in &file.symbols {
        let place = match (s.section, s.defined) {
            (Some(i), true) => match places[i as usize] {
                Some((section, offset)) => Place::Section(section, offset + s.value),
                // Its section is not kept, so neither is it.
                None => continue,
            },
            (None, true) => Place::Absolute(s.value),
            (_, false) if referenced.contains(s.name.as_str()) => Place::Undefined,
            (_, false) => continue,
        };
        let scope = match (s.binding, s.visibility) {
            _ if place == Place::Undefined => Scope::Global,
            (Binding::Local, _) | (_, Visibility::Hidden | Visibility::Internal) => Scope::Local,
            (_, Visibility::Protected) => Scope::Protected,
            _ => Scope::Global,
        };
        let kind = match s.kind {
            assemble::SymbolKind::Function => SymbolKind::Function,
            assemble::SymbolKind::Object => SymbolKind::Object,
            assemble::SymbolKind::None | assemble::SymbolKind::Lds => SymbolKind::None,
        };
        image.symbols.push(Symbol { name: s.name.clone(), place, size: s.size, kind, scope });
    }
    // Private labels are referenced through their sections.
    let named: HashSet<&str> = file.symbols.iter().map(|s| s.name.as_str()).collect();
    for (section, place) in file.sections.iter().zip(&places) {
        let (name, Some((index, at))) = (section.name.as_str(), *place) else { continue };
        let known = image.symbols.iter().any(|s| s.name == name);
        if referenced.contains(name) && !named.contains(name) && !known {
            let place = Place::Section(index, at);
            let (kind, scope) = (SymbolKind::None, Scope::Local);
            image.symbols.push(Symbol { name: name.to_owned(), place, size: 0, kind, scope });
        }
    }
    image.write()
}

/// XNACK and SRAMECC of a target id.
fn features(id: &str) -> Features {
    let of = |name: &str| {
        let setting = id.split(':').find_map(|part| part.strip_prefix(name));
        match setting {
            Some("+") => Feature::On,
            Some("-") => Feature::Off,
            _ => Feature::Any,
        }
    };
    Features { xnack: of("xnack"), sramecc: of("sramecc") }
}

/// Output section and offset of each input section; `None` for what is not kept.
fn merge(file: &Assembled, out: &mut Vec<Section>) -> Vec<Option<(usize, u64)>> {
    let mut by_name: HashMap<(String, SectionKind), usize> = HashMap::new();
    let lines = file.sections.iter().find(|s| s.name == ".debug_line");
    let without_lines = lines.is_some_and(|s| s.size == 0);
    let mut places = Vec::with_capacity(file.sections.len());
    for s in &file.sections {
        let kind = if !s.alloc {
            SectionKind::Debug
        } else if s.exec {
            SectionKind::Text
        } else if s.nobits {
            SectionKind::Bss
        } else if s.write && is_relro(output_name(&s.name)) {
            SectionKind::Relro
        } else if s.write {
            SectionKind::Data
        } else {
            SectionKind::Rodata
        };
        // Markers for linkers, and sections that nothing was put into.
        let debug = s.name.starts_with(".debug");
        if kind == SectionKind::Debug && (s.size == 0 || s.name == ".note.GNU-stack" || debug && without_lines) {
            places.push(None);
            continue;
        }
        let name = output_name(&s.name);
        let index = *by_name.entry((name.to_owned(), kind)).or_insert_with(|| {
            out.push(Section::new(name, kind, 1, Vec::new()));
            out.len() - 1
        });
        let section = &mut out[index];
        let align = s.align.max(1);
        section.align = section.align.max(align);
        let at = section.size.next_multiple_of(align);
        if kind != SectionKind::Bss {
            while kind == SectionKind::Text && (section.data.len() as u64) + 4 <= at {
                section.data.extend(S_NOP);
            }
            section.data.resize(at as usize, 0);
            section.data.extend(&s.data);
        }
        section.size = at + s.size;
        section.relocations.extend(s.relocations.iter().map(|r| Relocation {
            offset: r.offset + at,
            kind: kind_of(r.kind),
            symbol: r.symbol.clone(),
            addend: r.addend,
        }));
        places.push(Some((index, at)));
    }
    places
}

fn output_name(name: &str) -> &str {
    let of = |prefix: &&str| name.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let merged = [
        ".text",
        ".rodata",
        ".data.rel.ro",
        ".data",
        ".bss.rel.ro",
        ".bss",
        ".init_array",
        ".fini_array",
        ".ctors",
        ".dtors",
    ];
    merged.into_iter().find(of).unwrap_or(name)
}

/// Whether a writable section becomes read-only once it is relocated.
fn is_relro(name: &str) -> bool {
    const NAMES: [&str; 9] = [
        ".data.rel.ro",
        ".bss.rel.ro",
        ".ctors",
        ".dtors",
        ".jcr",
        ".eh_frame",
        ".init_array",
        ".fini_array",
        ".preinit_array",
    ];
    NAMES.contains(&name)
}

fn kind_of(kind: RelocationKind) -> RelocKind {
    match kind {
        RelocationKind::Abs32Lo => RelocKind::Abs32Lo,
        RelocationKind::Abs32Hi => RelocKind::Abs32Hi,
        RelocationKind::Abs32 => RelocKind::Abs32,
        RelocationKind::Abs64 => RelocKind::Abs64,
        RelocationKind::Rel32 => RelocKind::Rel32,
        RelocationKind::Rel64 => RelocKind::Rel64,
        RelocationKind::Rel32Lo => RelocKind::Rel32Lo,
        RelocationKind::Rel32Hi => RelocKind::Rel32Hi,
        RelocationKind::GotPcRel => RelocKind::GotPcRel,
        RelocationKind::GotPcRel32Lo => RelocKind::GotPcRel32Lo,
        RelocationKind::GotPcRel32Hi => RelocKind::GotPcRel32Hi,
        RelocationKind::Rel16 => RelocKind::Rel16,
    }
}

/// The note's payload. Keys are in alphabetical order, as LLVM writes them.
fn note(meta: &Meta) -> Vec<u8> {
    let mut out = Vec::new();
    rmpv::encode::write_value(&mut out, &value(meta)).expect("writing to a Vec cannot fail");
    out
}

fn value(meta: &Meta) -> Value {
    match meta {
        Meta::Map(entries) => {
            let mut sorted: Vec<&(String, Meta)> = entries.iter().collect();
            sorted.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Map(sorted.into_iter().map(|(k, v)| (Value::from(k.as_str()), value(v))).collect())
        }
        Meta::List(items) => Value::Array(items.iter().map(value).collect()),
        Meta::Str(s) => Value::from(s.as_str()),
        Meta::Uint(x) => Value::from(*x),
        Meta::Int(x) => Value::from(*x),
        Meta::Bool(x) => Value::from(*x),
        // Half as wide where the range allows it, as LLVM writes numbers.
        Meta::Float(x) if (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&x.abs()) => {
            Value::from(*x as f32)
        }
        Meta::Float(x) => Value::from(*x),
        Meta::Null => Value::Nil,
    }
}

//! A code object as what its listing needs: sections with their addresses, symbols with their bindings, the metadata as
//! a tree.

use super::elf::{Elf, slice, u64_at};
use super::{CodeObject, CodeObjectError, RelocationKind, note};
use goblin::elf::section_header::SectionHeader;
use goblin::elf::section_header::{
    SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE, SHT_DYNSYM, SHT_NOBITS, SHT_PROGBITS, SHT_SYMTAB,
};
use goblin::elf::sym::{STB_GLOBAL, STB_WEAK, STT_FILE, STT_FUNC, STT_OBJECT, STT_SECTION};
use rmpv::ValueRef;
use std::collections::HashSet;
use wavesmith_asm::assemble::{self, Binding, Meta, Section, Symbol, SymbolKind, Visibility};
use wavesmith_asm::disassemble::object::{Object, Placed};

const SYM: usize = 24;
const SHN_ABS: u16 = 0xfff1;
const STV_INTERNAL: u8 = 1;
const STV_HIDDEN: u8 = 2;
const STV_PROTECTED: u8 = 3;

/// Reads a code object for its listing.
///
/// # Errors
/// As [`CodeObject::parse`]; a listing asks no more of a file than a loader does.
pub fn listing(bytes: &[u8]) -> Result<Object, CodeObjectError> {
    let object = CodeObject::parse(bytes)?;
    let elf = Elf::read(bytes)?;
    let mut sections = Vec::new();
    // Where each section of the file is in the list.
    let mut index = vec![None; elf.sections.len()];
    let names = section_names(bytes, &elf)?;
    for (i, (header, name)) in elf.sections.iter().zip(names).enumerate() {
        let flags = header.sh_flags as u32;
        let kept = matches!(header.sh_type, SHT_PROGBITS | SHT_NOBITS) && flags & SHF_ALLOC != 0;
        // The linker's own.
        if !kept || name == ".relro_padding" || name == ".dynamic" {
            continue;
        }
        let nobits = header.sh_type == SHT_NOBITS;
        let data = if nobits {
            Vec::new()
        } else {
            bytes[slice(bytes, "section", header.sh_offset, header.sh_size)?].to_vec()
        };
        index[i] = Some(sections.len());
        sections.push(Placed {
            address: header.sh_addr,
            section: Section {
                name,
                data,
                size: header.sh_size,
                align: if header.sh_addralign.is_power_of_two() { header.sh_addralign } else { 1 },
                alloc: true,
                write: flags & SHF_WRITE != 0,
                exec: flags & SHF_EXECINSTR != 0,
                nobits,
                note: false,
                relocations: Vec::new(),
            },
        });
    }
    if sections.is_empty() {
        sections = from_segments(bytes, &object);
    }
    for r in &object.relocations {
        let place = sections
            .iter_mut()
            .find(|p| (p.address..p.address.saturating_add(p.section.data.len() as u64)).contains(&r.vaddr));
        let Some(place) = place else { continue };
        let symbol = match (r.kind, object.symbols.get(r.symbol)) {
            (RelocationKind::Relative64, _) => String::new(),
            (RelocationKind::Abs64, Some(s)) => s.name.clone(),
            _ => continue,
        };
        place.section.relocations.push(assemble::Relocation {
            offset: r.vaddr - place.address,
            kind: assemble::RelocationKind::Abs64,
            symbol,
            addend: r.addend,
        });
    }
    let symbols = symbols(bytes, &elf, &sections, &index)?;
    let mut metadata: Option<Meta> = None;
    for range in note::all(bytes, &elf)? {
        let at = range.start as u64;
        let mut rest = &bytes[range];
        let value =
            rmpv::decode::read_value_ref_with_max_depth(&mut rest, super::metadata::MAX_DEPTH).map_err(|e| {
                CodeObjectError::Metadata {
                    offset: at,
                    path: "the note".to_owned(),
                    found: e.to_string(),
                    want: "MessagePack",
                }
            })?;
        metadata = Some(match metadata {
            Some(first) => together(first, meta(&value)),
            None => meta(&value),
        });
    }
    Ok(Object {
        target: object.target,
        target_id: format!("amdgcn-amd-amdhsa--{}{}", object.target, object.features),
        code_object_version: object.abi.number(),
        sections,
        symbols,
        metadata,
    })
}

/// The names of all sections.
fn section_names(bytes: &[u8], elf: &Elf) -> Result<Vec<String>, CodeObjectError> {
    let header = goblin::elf::Elf::parse_header(bytes).map_err(|e| CodeObjectError::Elf(e.to_string()))?;
    let strings = match elf.sections.get(usize::from(header.e_shstrndx)) {
        Some(s) => slice(bytes, "section names", s.sh_offset, s.sh_size)?,
        None => 0..0,
    };
    let name = |s: &SectionHeader| string(&bytes[strings.clone()], s.sh_name);
    Ok(elf.sections.iter().map(name).collect())
}

/// A string of a table; names are short, whatever a damaged file says.
fn string(table: &[u8], at: usize) -> String {
    const LONGEST: usize = 4096;
    let text = table.get(at..).unwrap_or_default();
    let end = text.iter().take(LONGEST).position(|b| *b == 0).unwrap_or(text.len().min(LONGEST));
    String::from_utf8_lossy(&text[..end]).into_owned()
}

/// Without section headers, the code is what executable segments hold.
fn from_segments(bytes: &[u8], object: &CodeObject) -> Vec<Placed> {
    let executable = object.segments.iter().filter(|s| s.executable);
    executable
        .map(|s| Placed {
            address: s.vaddr,
            section: Section {
                name: ".text".to_owned(),
                data: bytes[s.file.clone()].to_vec(),
                size: s.file.len() as u64,
                align: 256,
                alloc: true,
                exec: true,
                ..Section::default()
            },
        })
        .collect()
}

fn symbols(
    bytes: &[u8],
    elf: &Elf,
    sections: &[Placed],
    index: &[Option<usize>],
) -> Result<Vec<Symbol>, CodeObjectError> {
    let mut out = Vec::new();
    let mut known: HashSet<(String, u64)> = HashSet::new();
    // The static table has what the dynamic one has, and more; stripped files have only the latter.
    for kind in [SHT_SYMTAB, SHT_DYNSYM] {
        let Some(table) = elf.sections.iter().find(|s| s.sh_type == kind) else { continue };
        let range = slice(bytes, "symbol table", table.sh_offset, table.sh_size)?;
        let strings = match elf.sections.get(table.sh_link as usize) {
            Some(s) => slice(bytes, "string table", s.sh_offset, s.sh_size)?,
            None => 0..0,
        };
        for raw in bytes[range].chunks_exact(SYM) {
            let head = u64_at(raw, 0);
            let (info, other, section) = ((head >> 32) as u8, (head >> 40) as u8, (head >> 48) as u16);
            let (value, size) = (u64_at(raw, 8), u64_at(raw, 16));
            let name = string(&bytes[strings.clone()], head as u32 as usize);
            if name.is_empty() || matches!(info & 0xf, STT_SECTION | STT_FILE) {
                continue;
            }
            let absolute = section == SHN_ABS;
            let defined = section != 0;
            let listed = index.get(usize::from(section)).copied().flatten();
            if defined && !absolute && listed.is_none() {
                continue;
            }
            if !known.insert((name.clone(), value)) {
                continue;
            }
            let base = listed.map_or(0, |i| sections[i].address);
            out.push(Symbol {
                name,
                section: listed.map(|i| i as u32),
                defined,
                value: value.wrapping_sub(base),
                size,
                binding: match info >> 4 {
                    STB_GLOBAL => Binding::Global,
                    STB_WEAK => Binding::Weak,
                    _ => Binding::Local,
                },
                visibility: match other & 3 {
                    STV_INTERNAL => Visibility::Internal,
                    STV_HIDDEN => Visibility::Hidden,
                    STV_PROTECTED => Visibility::Protected,
                    _ => Visibility::Default,
                },
                kind: match info & 0xf {
                    STT_FUNC => SymbolKind::Function,
                    STT_OBJECT => SymbolKind::Object,
                    _ => SymbolKind::None,
                },
            });
        }
    }
    Ok(out)
}

/// Two notes as one: the lists of the second go behind those of the first, and what the first lacks is the second's.
fn together(first: Meta, second: Meta) -> Meta {
    match (first, second) {
        (Meta::Map(mut entries), Meta::Map(more)) => {
            for (key, value) in more {
                match entries.iter_mut().find(|(k, _)| *k == key) {
                    // The version is a list as well, and the same in both.
                    Some((k, Meta::List(items))) if k != "amdhsa.version" => {
                        if let Meta::List(more) = value {
                            items.extend(more);
                        }
                    }
                    Some(_) => {}
                    None => entries.push((key, value)),
                }
            }
            Meta::Map(entries)
        }
        (first, _) => first,
    }
}

/// The note's values, as the assembler keeps them.
fn meta(value: &ValueRef<'_>) -> Meta {
    let text = |s: &[u8]| String::from_utf8_lossy(s).into_owned();
    match value {
        ValueRef::Nil | ValueRef::Ext(..) => Meta::Null,
        ValueRef::Boolean(b) => Meta::Bool(*b),
        ValueRef::Integer(i) => match (i.as_u64(), i.as_i64()) {
            (Some(u), _) => Meta::Uint(u),
            (None, Some(i)) => Meta::Int(i),
            (None, None) => Meta::Null,
        },
        ValueRef::F32(x) => Meta::Float(f64::from(*x)),
        ValueRef::F64(x) => Meta::Float(*x),
        ValueRef::String(s) => Meta::Str(text(s.as_bytes())),
        ValueRef::Binary(b) => Meta::Str(text(b)),
        ValueRef::Array(items) => Meta::List(items.iter().map(meta).collect()),
        ValueRef::Map(entries) => Meta::Map(
            entries
                .iter()
                .map(|(k, v)| {
                    let key = match k {
                        ValueRef::String(s) => text(s.as_bytes()),
                        other => other.to_string(),
                    };
                    (key, meta(v))
                })
                .collect(),
        ),
    }
}

//! The link step: sections, symbols and relocations become a loadable ELF.
//!
//! Both kernels built here and assembled text end as an [`Image`], so there is one layout. It is the layout LLVM's
//! linker gives a code object: a read-only segment with everything the loader looks at, an executable one, one that is
//! read-only after relocation, and one for writable globals; each starts on a page of its own in memory but follows
//! the one before it without a gap in the file.

mod emit;
mod layout;
mod resolve;

use super::reloc::Relocation;
use super::{Features, LinkError, ObjectVersion};
use object::Endianness;
use object::write::elf::Writer;
use std::collections::HashMap;
use wavesmith_asm::Target;

/// Loadable segments start on a page of this size.
const PAGE: u64 = 0x1000;

/// Where a section's bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Read-only data.
    Rodata,
    /// Code.
    Text,
    /// Data that nobody writes once the loader has put addresses into it.
    Relro,
    /// Writable data.
    Data,
    /// Zeroed writable memory: only its size matters.
    Bss,
    /// Not loaded: debug information.
    Debug,
}

/// A section of the image.
#[derive(Clone, Debug)]
pub struct Section {
    /// Name, with its dot.
    pub name: String,
    /// Where it goes.
    pub kind: SectionKind,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Contents; empty for [`SectionKind::Bss`].
    pub data: Vec<u8>,
    /// Size in memory; `data.len()` but for [`SectionKind::Bss`].
    pub size: u64,
    /// Places that receive addresses.
    pub relocations: Vec<Relocation>,
}

impl Section {
    /// A section with contents.
    pub fn new(name: &str, kind: SectionKind, align: u64, data: Vec<u8>) -> Self {
        Section { name: name.to_owned(), kind, align, size: data.len() as u64, data, relocations: Vec::new() }
    }
}

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// Code.
    Function,
    /// Data.
    Object,
    /// Neither is known.
    None,
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// This image alone.
    Local,
    /// Everyone, through the dynamic symbol table; never pre-empted.
    Protected,
    /// Everyone, through the dynamic symbol table; may be pre-empted.
    Global,
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// At a byte offset of a section, by index.
    Section(usize, u64),
    /// A constant.
    Absolute(u64),
    /// In another object.
    Undefined,
}

/// A symbol of the image.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Name.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// Bytes it covers.
    pub size: u64,
    /// What it names.
    pub kind: SymbolKind,
    /// Who sees it.
    pub scope: Scope,
}

/// Everything a code object holds, before it has addresses.
#[derive(Clone, Debug)]
pub struct Image {
    /// Instruction set.
    pub target: Target,
    /// Code-object version.
    pub version: ObjectVersion,
    /// XNACK and SRAMECC requirements.
    pub features: Features,
    /// The metadata note's msgpack; empty leaves the note out.
    pub note: Vec<u8>,
    /// Sections; those of a kind keep their order.
    pub sections: Vec<Section>,
    /// Symbols.
    pub symbols: Vec<Symbol>,
}

impl Image {
    /// The ELF file.
    ///
    /// # Errors
    /// [`LinkError`] names the symbol or section that cannot be linked.
    pub fn write(&self) -> Result<Vec<u8>, LinkError> {
        let by_name = self.names()?;
        let got = self.got_entries(&by_name)?;
        let dynamic_relocations = self.count_dynamic_relocations(&by_name)? + got.len();
        let mut buffer = Vec::new();
        let mut w = Writer::new(Endianness::Little, true, &mut buffer);
        let layout = self.layout(&mut w, got.len(), dynamic_relocations)?;
        let resolved = self.resolve(&layout, &by_name, &got)?;
        self.write_headers(&mut w, &layout)?;
        self.write_contents(&mut w, &layout, &resolved, got.len())?;
        self.write_symbols(&mut w, &layout, &resolved);
        self.write_section_headers(&mut w, &layout, &resolved, got.len());
        drop(w);
        Ok(buffer)
    }

    /// Symbols by name, each of which must lie in its section.
    fn names(&self) -> Result<HashMap<&str, usize>, LinkError> {
        let mut by_name: HashMap<&str, usize> = HashMap::new();
        for (i, s) in self.symbols.iter().enumerate() {
            if let Place::Section(section, offset) = s.place {
                let Some(sec) = self.sections.get(section) else {
                    return Err(LinkError::NoSuchSection { symbol: s.name.clone(), index: section });
                };
                if offset > sec.size {
                    return Err(LinkError::SymbolOutside { symbol: s.name.clone(), section: sec.name.clone(), offset });
                }
            }
            if by_name.insert(&s.name, i).is_some() {
                return Err(LinkError::DuplicateSymbol(s.name.clone()));
            }
        }
        Ok(by_name)
    }
}

fn too_large(e: object::write::Error) -> LinkError {
    LinkError::TooLarge(e.to_string())
}

//! Kernels to a code object: one `.text`, one descriptor each, the note, the symbols.

use super::image::{Image, Place, Scope, Section, SectionKind, Symbol, SymbolKind};
use super::{Features, LinkError, ObjectVersion, Relocation, lines};
use crate::kernel::Kernel;
use crate::metadata;
use wavesmith_asm::Target;

/// Kernel entries are aligned to this: the descriptor's entry offset demands it.
const ENTRY_ALIGN: usize = 256;
/// `s_nop 0`.
const S_NOP: [u8; 4] = 0xbf80_0000u32.to_le_bytes();
/// The instruction prefetcher of gfx90a and later runs this far past the end of the code (LLVM pads as much).
const PREFETCH_BYTES: usize = 1024;
/// Instruction-cache line.
const CACHE_LINE: usize = 64;

/// How kernels are packed.
#[derive(Clone, Debug, Default)]
pub struct PackOptions {
    /// Code-object version.
    pub version: ObjectVersion,
    /// XNACK and SRAMECC requirements.
    pub features: Features,
    /// Device globals.
    pub globals: Vec<Global>,
    /// Leaves out the line table, which otherwise names the generator's source lines.
    pub no_lines: bool,
}

/// Where a device global lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalKind {
    /// Read-only, with these contents.
    Constant(Vec<u8>),
    /// Writable, with these initial contents.
    Data(Vec<u8>),
    /// Writable, this many zeroed bytes.
    Zeroed(u64),
}

/// A device global: memory that lives as long as the loaded object, found by its symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Symbol.
    pub name: String,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Where it lives and what it holds.
    pub kind: GlobalKind,
    /// 64-bit addresses in its contents.
    pub relocations: Vec<Relocation>,
}

/// Packs kernels of one target, in order, with their descriptors, metadata and symbols.
///
/// # Errors
/// [`LinkError`] where names clash, targets differ, or an address cannot be expressed.
pub fn pack(kernels: &[Kernel], options: &PackOptions) -> Result<Vec<u8>, LinkError> {
    let first = kernels.first().ok_or(LinkError::Empty)?;
    let target = first.target;
    if let Some(odd) = kernels.iter().find(|k| k.target != target) {
        return Err(LinkError::MixedTargets { kernel: odd.name.clone(), found: odd.target, expected: target });
    }
    let metadata: Vec<_> = kernels.iter().map(|k| &k.metadata).collect();
    let mut image = Image {
        target,
        version: options.version,
        features: options.features,
        note: metadata::note(&metadata, target, options.features, options.version),
        sections: Vec::new(),
        symbols: Vec::new(),
    };

    // Sections by index: 0 descriptors, 1 code, then globals.
    let mut text = Section::new(".text", SectionKind::Text, ENTRY_ALIGN as u64, Vec::new());
    let mut rodata = Section::new(".rodata", SectionKind::Rodata, 64, Vec::new());
    for kernel in kernels {
        pad_with_nops(&mut text.data, ENTRY_ALIGN);
        let entry = text.data.len() as u64;
        // Checked here because beyond the code there is padding, which the link step would let through.
        if let Some(r) = kernel.relocations.iter().find(|r| r.end() > kernel.code.len() as u64) {
            return Err(LinkError::OutsideSection { section: kernel.name.clone(), offset: r.offset });
        }
        text.data.extend(&kernel.code);
        text.relocations
            .extend(kernel.relocations.iter().map(|r| Relocation { offset: r.offset + entry, ..r.clone() }));
        let at = rodata.data.len() as u64;
        rodata.data.extend(kernel.descriptor.to_bytes(target, options.features.xnack, 0));
        // The entry offset counts from the descriptor itself; the addend counts from the field.
        rodata.relocations.push(Relocation {
            offset: at + 16,
            kind: super::RelocKind::Rel64,
            symbol: kernel.name.clone(),
            addend: 16,
        });
        image.symbols.push(Symbol {
            name: kernel.name.clone(),
            place: Place::Section(1, entry),
            size: kernel.code.len() as u64,
            kind: SymbolKind::Function,
            scope: Scope::Protected,
        });
        image.symbols.push(Symbol {
            name: format!("{}.kd", kernel.name),
            place: Place::Section(0, at),
            size: 64,
            kind: SymbolKind::Object,
            scope: Scope::Protected,
        });
    }
    pad_for_prefetch(&mut text.data, target);
    rodata.size = rodata.data.len() as u64;
    text.size = text.data.len() as u64;
    image.sections.push(rodata);
    image.sections.push(text);
    add_globals(&mut image, &options.globals);
    if !options.no_lines {
        image.sections.extend(lines::sections(kernels)?);
    }
    image.write()
}

fn pad_with_nops(code: &mut Vec<u8>, align: usize) {
    while !code.len().is_multiple_of(align) {
        code.extend(S_NOP);
    }
}

/// Pads so that the prefetcher never leaves the section.
pub(crate) fn pad_for_prefetch(code: &mut Vec<u8>, target: Target) {
    pad_with_nops(code, CACHE_LINE);
    if target.unified_vgprs() {
        let end = code.len() + PREFETCH_BYTES;
        while code.len() < end {
            code.extend(S_NOP);
        }
    }
}

fn add_globals(image: &mut Image, globals: &[Global]) {
    let mut add = |name: &str, kind: SectionKind| {
        let chosen = globals.iter().filter(|g| {
            matches!(
                (&g.kind, kind),
                (GlobalKind::Constant(_), SectionKind::Rodata)
                    | (GlobalKind::Data(_), SectionKind::Data)
                    | (GlobalKind::Zeroed(_), SectionKind::Bss)
            )
        });
        let mut section = Section::new(name, kind, 1, Vec::new());
        let index = image.sections.len();
        for g in chosen {
            let align = g.align.max(1);
            section.align = section.align.max(align);
            let at = section.size.next_multiple_of(align);
            let size = match &g.kind {
                GlobalKind::Constant(bytes) | GlobalKind::Data(bytes) => {
                    section.data.resize(at as usize, 0);
                    section.data.extend(bytes);
                    bytes.len() as u64
                }
                GlobalKind::Zeroed(size) => *size,
            };
            section.size = at + size;
            section.relocations.extend(g.relocations.iter().map(|r| Relocation { offset: r.offset + at, ..r.clone() }));
            image.symbols.push(Symbol {
                name: g.name.clone(),
                place: Place::Section(index, at),
                size,
                kind: SymbolKind::Object,
                scope: Scope::Protected,
            });
        }
        if section.size > 0 {
            image.sections.push(section);
        }
    };
    add(".rodata.globals", SectionKind::Rodata);
    add(".data", SectionKind::Data);
    add(".bss", SectionKind::Bss);
}

//! Reads AMDGPU code objects: the ELF shared objects that hold kernels, their descriptors and their metadata.
//!
//! [`CodeObject::parse`] keeps no reference to the file: segments are file ranges, so a loader holds the bytes next to
//! it. Reading is tolerant where the field is (kernels in use carry a kernarg size of 0 in the descriptor, metadata 1.0
//! beside ABI v5, no target string) and strict where a wrong answer would be executed. Nothing is allocated in
//! proportion to a number found in the file, only in proportion to the file.

mod descriptor;
mod elf;
mod error;
mod features;
mod foreign;
mod listing;
mod metadata;
mod note;
mod relocation;
mod symbol;

pub use descriptor::{KernelDescriptor, Rsrc1, Rsrc2, Rsrc3, UserSgprs};
pub use error::CodeObjectError;
pub use features::{AbiVersion, Feature, Features};
pub use listing::listing;
pub use metadata::{Access, AddressSpace, Arg, KernelMetadata, Metadata, Refusal, ValueKind};
pub use relocation::{Relocation, RelocationKind};
pub use symbol::{Symbol, SymbolKind};

use std::collections::HashMap;
use std::ops::Range;
use wavesmith_asm::Target;

/// Segments may not span more than this, so that a forged address is an error here and not an allocation there.
pub const MAX_SPAN: u64 = 1 << 40;

/// A loadable segment (`PT_LOAD`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where its bytes are in the file; shorter than `size` where the rest is zero (`.bss`).
    pub file: Range<usize>,
    /// Address relative to the load base.
    pub vaddr: u64,
    /// Bytes in memory.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether `PF_W` is set.
    pub writable: bool,
    /// Whether `PF_X` is set.
    pub executable: bool,
}

impl Segment {
    /// Addresses the segment covers, relative to the load base.
    pub fn addresses(&self) -> Range<u64> {
        self.vaddr..self.vaddr + self.size
    }
}

/// A kernel: its descriptor, and what the metadata says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Name without `.kd`.
    pub name: String,
    /// Address of the 64-byte descriptor, relative to the load base.
    pub descriptor_vaddr: u64,
    /// File offset of the descriptor.
    pub descriptor_offset: usize,
    /// Address of the first instruction, relative to the load base.
    pub entry_vaddr: u64,
    /// Bytes of code as the function's symbol gives them; 0 where there is no such symbol.
    pub code_size: u64,
    /// The decoded descriptor.
    pub descriptor: KernelDescriptor,
    /// The metadata entry with this symbol, if there is one.
    pub metadata: Option<KernelMetadata>,
}

impl Kernel {
    /// Bytes of the kernarg segment: the descriptor's, or where that is 0 the metadata's, or where that is missing the
    /// end of the last argument.
    pub fn kernarg_size(&self) -> u32 {
        if self.descriptor.kernarg_size != 0 {
            return self.descriptor.kernarg_size;
        }
        self.metadata.as_ref().map_or(0, |m| {
            m.kernarg_segment_size
                .filter(|size| *size != 0)
                .unwrap_or_else(|| m.args.iter().map(|a| a.offset.saturating_add(a.size)).max().unwrap_or(0))
        })
    }
}

/// A code object, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeObject {
    /// Instruction set.
    pub target: Target,
    /// Code object version, as the ELF header's ABI version gives it.
    pub abi: AbiVersion,
    /// XNACK and SRAM-ECC modes it was compiled for.
    pub features: Features,
    /// Loadable segments in file order.
    pub segments: Vec<Segment>,
    /// Kernels in symbol order.
    pub kernels: Vec<Kernel>,
    /// Symbols of the dynamic table, then those only in the static one.
    pub symbols: Vec<Symbol>,
    /// Dynamic relocations in file order.
    pub relocations: Vec<Relocation>,
    /// The metadata note, if there is one.
    pub metadata: Option<Metadata>,
    /// Indices of `kernels` by the address of the descriptor. Libraries hold thousands of kernels and ask for each.
    by_descriptor: Vec<usize>,
    /// Indices of `symbols` by name, those of one name in their order.
    by_name: Vec<usize>,
    /// Where functions begin, in order, each with the last address that it or one before it covers and its index in `symbols`.
    functions: Vec<(u64, u64, usize)>,
}

impl CodeObject {
    /// Reads a code object.
    ///
    /// # Errors
    /// [`CodeObjectError`] says what is wrong, at which offset of the file, with the value found there.
    pub fn parse(bytes: &[u8]) -> Result<CodeObject, CodeObjectError> {
        let elf = elf::Elf::read(bytes)?;
        let symbols = symbol::read(bytes, &elf)?;
        let relocations = relocation::read(bytes, &elf, symbols.dynamic_count)?;
        let mut metadata: Option<Metadata> = None;
        for note in note::all(bytes, &elf)? {
            let more = Metadata::parse(&bytes[note.clone()], note.start)?;
            match &mut metadata {
                Some(all) => all.extend(more),
                None => metadata = Some(more),
            }
        }
        let kernels = kernels(bytes, &elf, &symbols.symbols, metadata.as_ref())?;
        let mut by_descriptor: Vec<usize> = (0..kernels.len()).collect();
        by_descriptor.sort_by_key(|i| kernels[*i].descriptor_vaddr);
        let mut by_name: Vec<usize> = (0..symbols.symbols.len()).collect();
        by_name.sort_by_key(|i| symbols.symbols[*i].name.as_str());
        let functions = functions(&symbols.symbols);
        Ok(CodeObject {
            target: elf.target,
            abi: elf.abi,
            features: elf.features,
            segments: elf.segments,
            kernels,
            symbols: symbols.symbols,
            relocations,
            metadata,
            by_descriptor,
            by_name,
            functions,
        })
    }

    /// The kernel whose descriptor has that address in the file.
    pub fn kernel_at(&self, vaddr: u64) -> Option<&Kernel> {
        let first = self.by_descriptor.partition_point(|i| self.kernels[*i].descriptor_vaddr < vaddr);
        let kernel = &self.kernels[*self.by_descriptor.get(first)?];
        (kernel.descriptor_vaddr == vaddr).then_some(kernel)
    }

    /// The symbols of that name, in their order.
    pub fn symbols_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Symbol> {
        let first = self.by_name.partition_point(|i| self.symbols[*i].name.as_str() < name);
        self.by_name[first..].iter().map(|i| &self.symbols[*i]).take_while(move |s| s.name == name)
    }

    /// The kernel of that name; `NAME.kd` is understood too.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        let name = name.strip_suffix(".kd").unwrap_or(name);
        self.kernels.iter().find(|k| k.name == name)
    }

    /// Addresses that the segments span, relative to the load base; empty without segments.
    pub fn span(&self) -> Range<u64> {
        let start = self.segments.iter().map(|s| s.vaddr).min().unwrap_or(0);
        let end = self.segments.iter().map(|s| s.vaddr + s.size).max().unwrap_or(0);
        start..end
    }

    /// The file range that holds `size` bytes at an address, if a segment's file part covers them all.
    pub fn file_range(&self, vaddr: u64, size: u64) -> Option<Range<usize>> {
        elf::file_range(&self.segments, vaddr, size)
    }

    /// Kernel or function that covers an address, and the offset into it: for naming a pc.
    pub fn symbolize(&self, vaddr: u64) -> Option<(&str, u64)> {
        let begun = self.functions.partition_point(|(value, _, _)| *value <= vaddr);
        let near = self.functions[..begun].iter().rev().take_while(|(_, last, _)| *last >= vaddr);
        near.map(|(_, _, i)| &self.symbols[*i])
            .find(|s| s.size == 0 || vaddr - s.value < s.size)
            .map(|s| (s.name.as_str(), vaddr - s.value))
    }
}

/// The index of [`CodeObject::symbolize`]. A function of no size goes on to the next, or for ever.
fn functions(symbols: &[Symbol]) -> Vec<(u64, u64, usize)> {
    let defined = symbols.iter().enumerate().filter(|(_, s)| s.kind == SymbolKind::Function && s.defined);
    let last = |s: &Symbol| if s.size == 0 { u64::MAX } else { s.value.saturating_add(s.size - 1) };
    let mut all: Vec<_> = defined.map(|(i, s)| (s.value, last(s), i)).collect();
    all.sort_by_key(|(value, _, _)| *value);
    let mut furthest = 0;
    for (_, last, _) in &mut all {
        furthest = furthest.max(*last);
        *last = furthest;
    }
    all
}

fn kernels(
    bytes: &[u8],
    elf: &elf::Elf,
    symbols: &[Symbol],
    metadata: Option<&Metadata>,
) -> Result<Vec<Kernel>, CodeObjectError> {
    let notes: HashMap<&str, &KernelMetadata> =
        metadata.iter().flat_map(|m| m.kernels.iter()).map(|k| (k.symbol.as_str(), k)).collect();
    let code: HashMap<&str, u64> =
        symbols.iter().filter(|s| s.kind == SymbolKind::Function).map(|s| (s.name.as_str(), s.size)).collect();
    let mut kernels = Vec::new();
    for symbol in symbols.iter().filter(|s| s.defined && s.kind == SymbolKind::Descriptor) {
        let Some(name) = symbol.name.strip_suffix(".kd") else { continue };
        let range = elf.file_range(symbol.value, KernelDescriptor::SIZE as u64).ok_or_else(|| {
            CodeObjectError::NotInSegment { what: "kernel descriptor", name: symbol.name.clone(), vaddr: symbol.value }
        })?;
        let raw = bytes[range.clone()].first_chunk().ok_or(CodeObjectError::OutOfBounds {
            what: "kernel descriptor",
            offset: range.start as u64,
            size: KernelDescriptor::SIZE as u64,
            file: bytes.len() as u64,
        })?;
        let descriptor = KernelDescriptor::decode(raw);
        let entry_vaddr = symbol.value.wrapping_add_signed(descriptor.entry_offset);
        if !elf.segments.iter().any(|s| s.executable && s.addresses().contains(&entry_vaddr)) {
            return Err(CodeObjectError::NotInSegment {
                what: "kernel entry",
                name: name.to_owned(),
                vaddr: entry_vaddr,
            });
        }
        kernels.push(Kernel {
            name: name.to_owned(),
            descriptor_vaddr: symbol.value,
            descriptor_offset: range.start,
            entry_vaddr,
            code_size: code.get(name).copied().unwrap_or(0),
            descriptor,
            metadata: notes.get(symbol.name.as_str()).map(|m| (*m).clone()),
        });
    }
    Ok(kernels)
}

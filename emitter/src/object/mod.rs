//! Code objects: the ELF files that HSA loads.
//!
//! [`pack`] turns finished kernels into one; [`Image`] is the link step underneath, which assembled text shares. The
//! `object` crate does the bookkeeping of bytes; the tests read the result back with `goblin` and LLVM's tools, so that
//! one library's misunderstanding does not confirm itself.

mod image;
mod lines;
mod pack;
mod reloc;

pub use image::{Image, Place, Scope, Section, SectionKind, Symbol, SymbolKind};
pub use pack::{Global, GlobalKind, PackOptions, pack};
pub use reloc::{RelocKind, Relocation};

use crate::Feature;

/// Version of the code-object ABI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectVersion {
    /// Version 4.
    V4,
    /// Version 5, what clang and Triton emit by default.
    #[default]
    V5,
    /// Version 6.
    V6,
}

impl ObjectVersion {
    /// `EI_ABIVERSION`.
    pub const fn abi(self) -> u8 {
        match self {
            ObjectVersion::V4 => 2,
            ObjectVersion::V5 => 3,
            ObjectVersion::V6 => 4,
        }
    }
}

/// What a code object requires of the device's XNACK and SRAMECC modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    /// Retry on page faults.
    pub xnack: Feature,
    /// Error correction of the SRAMs.
    pub sramecc: Feature,
}

impl Features {
    /// The feature bits of `e_flags` (`EF_AMDGPU_FEATURE_*_V4`).
    pub const fn e_flags(self) -> u32 {
        const fn level(f: Feature) -> u32 {
            match f {
                Feature::Any => 1,
                Feature::Off => 2,
                Feature::On => 3,
            }
        }
        level(self.xnack) << 8 | level(self.sramecc) << 10
    }
}

/// Why sections and symbols do not make a code object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Two symbols share a name.
    #[error("`{0}` is defined twice")]
    DuplicateSymbol(String),
    /// A relocation names a symbol that is nowhere.
    #[error("`{symbol}`, referenced at {section}+{offset:#x}, is defined nowhere")]
    UnknownSymbol {
        /// The symbol.
        symbol: String,
        /// The referencing section.
        section: String,
        /// The place in it.
        offset: u64,
    },
    /// A symbol names a section by an index out of range.
    #[error("`{symbol}` is in section {index}, which does not exist")]
    NoSuchSection {
        /// The symbol.
        symbol: String,
        /// The index.
        index: usize,
    },
    /// A symbol lies beyond its section.
    #[error("`{symbol}` lies at {offset:#x}, beyond the end of {section}")]
    SymbolOutside {
        /// The symbol.
        symbol: String,
        /// Its section.
        section: String,
        /// Its offset.
        offset: u64,
    },
    /// A relocation lies beyond its section.
    #[error("the relocation at {section}+{offset:#x} lies beyond the section's end")]
    OutsideSection {
        /// The section.
        section: String,
        /// The place.
        offset: u64,
    },
    /// The value does not fit.
    #[error("`{symbol}` is too far from {section}+{offset:#x}, or misaligned")]
    OutOfReach {
        /// The symbol.
        symbol: String,
        /// The referencing section.
        section: String,
        /// The place in it.
        offset: u64,
    },
    /// The relocation cannot be expressed in a loadable object.
    #[error("`{symbol}` at {section}+{offset:#x}: {what}")]
    Unsupported {
        /// The symbol.
        symbol: String,
        /// The referencing section.
        section: String,
        /// The place in it.
        offset: u64,
        /// What was asked.
        what: &'static str,
    },
    /// Two kernels of one object are of different targets.
    #[error("kernel `{kernel}` is for {found}, but the object is for {expected}")]
    MixedTargets {
        /// The odd kernel.
        kernel: String,
        /// Its target.
        found: wavesmith_asm::Target,
        /// The first kernel's target.
        expected: wavesmith_asm::Target,
    },
    /// No such code-object version.
    #[error("code object version {0}: 4, 5 and 6 are known")]
    Version(u32),
    /// No kernel to pack.
    #[error("a code object needs at least one kernel")]
    Empty,
    /// A table exceeds what ELF can count.
    #[error("too large for an ELF file: {0}")]
    TooLarge(String),
}

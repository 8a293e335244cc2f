//! What can be wrong with a code object.

/// A code object that cannot be read: what, at which file offset, with which value, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeObjectError {
    /// A part reaches past the end of the file.
    #[error("{what} needs {size} bytes at offset {offset:#x}, but the file has {file} bytes")]
    OutOfBounds {
        /// The part.
        what: &'static str,
        /// Where it starts.
        offset: u64,
        /// Bytes it needs.
        size: u64,
        /// Bytes of the file.
        file: u64,
    },
    /// A field holds a value that it may not hold.
    #[error("{what} at offset {offset:#x} is {found:#x}: {want}")]
    Unexpected {
        /// The field.
        what: &'static str,
        /// Where it is.
        offset: u64,
        /// Its value.
        found: u64,
        /// What would be right.
        want: &'static str,
    },
    /// The code is for a GPU that LLVM knows and this crate does not read.
    #[error(
        "built for {name} (e_flags {e_flags:#x}), which is not supported: supported are gfx908, gfx90a, gfx942, gfx950"
    )]
    ForeignTarget {
        /// LLVM's name of it.
        name: &'static str,
        /// The ELF header's flags.
        e_flags: u32,
    },
    /// The ELF headers do not parse.
    #[error("ELF headers do not parse: {0}")]
    Elf(String),
    /// A symbol's address lies in no loadable segment that could hold it.
    #[error("{what} `{name}` is at address {vaddr:#x}, which no suitable loadable segment of the file covers")]
    NotInSegment {
        /// What the symbol names.
        what: &'static str,
        /// The symbol.
        name: String,
        /// Its address.
        vaddr: u64,
    },
    /// A name is not UTF-8 or does not end.
    #[error("{what} at offset {offset:#x} is not a NUL-terminated UTF-8 string")]
    BadString {
        /// What the name is of.
        what: &'static str,
        /// Where it starts.
        offset: u64,
    },
    /// The metadata note is not the MessagePack map it should be.
    #[error("metadata note at offset {offset:#x}: `{path}` is {found}, expected {want}")]
    Metadata {
        /// Offset of the note's contents.
        offset: u64,
        /// Path of the entry, such as `amdhsa.kernels[0].args[2].size`.
        path: String,
        /// What is there.
        found: String,
        /// What should be.
        want: &'static str,
    },
}

//! A finished kernel: its code and everything the runtime must be told about it.

use crate::descriptor::KernelDescriptor;
use crate::listing::Listing;
use crate::metadata::KernelMetadata;
use crate::object::Relocation;
use wavesmith_asm::Target;

/// A kernel ready to be packed into a code object.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name, which is its symbol; the descriptor's symbol is this with `.kd`.
    pub name: String,
    /// Instruction set.
    pub target: Target,
    /// Machine code, a multiple of four bytes.
    pub code: Vec<u8>,
    /// Start state and register counts, computed from the code.
    pub descriptor: KernelDescriptor,
    /// Arguments and sizes, for the note.
    pub metadata: KernelMetadata,
    /// Places in the code that receive addresses of globals.
    pub relocations: Vec<Relocation>,
    /// The code with addresses, comments and source lines.
    pub listing: Listing,
}

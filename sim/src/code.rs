//! Code objects in device memory, and where an address of theirs came from.

use std::sync::Arc;
use wavesmith_loader::code_object::CodeObject;

/// A code object loaded at an address.
#[derive(Debug)]
pub struct LoadedCode {
    /// What was read from the file.
    pub object: CodeObject,
    /// First device address of its memory.
    pub allocation: u64,
    /// Load base: an address of the file plus this is a device address.
    pub base: u64,
    /// Bytes from the base to the end of the last segment.
    pub size: u64,
}

impl LoadedCode {
    /// Whether a device address lies in it.
    pub fn contains(&self, va: u64) -> bool {
        va.wrapping_sub(self.base) < self.size
    }

    /// The file's address of a device address.
    pub fn vaddr(&self, va: u64) -> u64 {
        va.wrapping_sub(self.base)
    }

    /// `kernel+0x40` for a device address: how a pc is shown. An address outside of the code has no such name: it is far
    /// from any symbol.
    pub fn symbolize(&self, va: u64) -> Option<String> {
        if !self.contains(va) {
            return None;
        }
        self.object.symbolize(self.vaddr(va)).map(|(name, offset)| format!("{name}+{offset:#x}"))
    }

    /// Why a kernel of wavesmith's ends itself at a device address, in its own words.
    pub fn refusal(&self, va: u64) -> Option<&str> {
        let vaddr = self.vaddr(va);
        self.object.kernels.iter().find_map(|k| {
            let offset = vaddr.checked_sub(k.entry_vaddr)?;
            let refusals = &k.metadata.as_ref()?.refusals;
            refusals.iter().find(|r| u64::from(r.offset) == offset).map(|r| r.message.as_str())
        })
    }

    /// The kernel whose descriptor is at a device address.
    pub fn kernel_at(&self, descriptor_va: u64) -> Option<&wavesmith_loader::code_object::Kernel> {
        self.object.kernel_at(self.vaddr(descriptor_va))
    }
}

/// Code shared between an executable and the dispatches that run it.
pub type Code = Arc<LoadedCode>;

//! One kernel dispatch, as the queue processor hands it to the engine: everything the packet, the descriptor and the
//! queue say, and nothing else. There is no way around the code object: the engine fetches instructions from
//! [`Dispatch::entry_va`] in device memory.

use crate::agent::AgentId;
use crate::code::Code;
use wavesmith_asm::Sku;
use wavesmith_loader::code_object::KernelDescriptor;

/// Work to run.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The part.
    pub sku: &'static Sku,
    /// The agent, for access rights.
    pub agent: AgentId,
    /// The kernel's name, `kernel@0x…` where the descriptor belongs to no loaded code object.
    pub kernel: String,
    /// The code object that holds the descriptor: for symbols and metadata in reports, never for instructions.
    pub code: Option<Code>,
    /// The decoded descriptor.
    pub descriptor: KernelDescriptor,
    /// Device address of the descriptor.
    pub descriptor_va: u64,
    /// Device address of the first instruction, without the preload prologue's +256.
    pub entry_va: u64,
    /// Grid in work-items.
    pub grid: [u32; 3],
    /// Workgroup in work-items.
    pub workgroup: [u32; 3],
    /// Dimensions in use, 1 to 3.
    pub dimensions: u32,
    /// Device address of the kernarg segment; may be 0 for a kernel without arguments.
    pub kernarg_va: u64,
    /// LDS bytes of a workgroup, static and dynamic: the packet's figure.
    pub group_bytes: u32,
    /// Scratch bytes of a work-item: the packet's figure.
    pub private_bytes: u32,
    /// Device address of the AQL packet (what the dispatch pointer SGPRs hold).
    pub packet_va: u64,
    /// Device address of the `amd_queue_t` (what the queue pointer SGPRs hold).
    pub queue_va: u64,
    /// Packet index in the queue (what the dispatch id SGPRs hold).
    pub dispatch_id: u64,
}

impl Dispatch {
    /// Workgroups in each dimension; the last one may be partial.
    pub fn workgroups(&self) -> [u32; 3] {
        core::array::from_fn(|i| self.grid[i].div_ceil(self.workgroup[i].max(1)))
    }

    /// Waves of 64 of a full workgroup.
    pub fn waves_per_workgroup(&self) -> u32 {
        self.workgroup.iter().product::<u32>().div_ceil(64)
    }
}

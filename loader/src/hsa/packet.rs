//! AQL packets: 64 bytes of a queue's ring, handed over by storing the first 32 bits last.

use super::abi::SignalHandle;

/// `HSA_PACKET_TYPE_*`, the low byte of a header.
pub mod kind {
    /// The runtime's own packets.
    pub const VENDOR_SPECIFIC: u16 = 0;
    /// A free slot.
    pub const INVALID: u16 = 1;
    /// A kernel.
    pub const KERNEL_DISPATCH: u16 = 2;
    /// Waits for all of its signals.
    pub const BARRIER_AND: u16 = 3;
    /// A call of the agent's.
    pub const AGENT_DISPATCH: u16 = 4;
    /// Waits for one of its signals.
    pub const BARRIER_OR: u16 = 5;
}

/// How far a fence reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceScope {
    /// No fence.
    None = 0,
    /// The agent.
    Agent = 1,
    /// All agents and the host.
    System = 2,
}

/// A packet header of that kind.
pub const fn header(kind: u16, barrier: bool, acquire: FenceScope, release: FenceScope) -> u16 {
    kind | (barrier as u16) << 8 | (acquire as u16) << 9 | (release as u16) << 11
}

/// Whether a packet waits for the end of all before it.
pub const fn has_barrier(header: u16) -> bool {
    header >> 8 & 1 == 1
}

/// `hsa_amd_packet_type_t`: formats of AMD's vendor-specific packets.
pub mod amd {
    /// Commands of the command processor, indirectly; not in the headers, but sent by profilers (aqlprofile).
    pub const PM4_INDIRECT: u8 = 1;
    /// Waits for a signal's value.
    pub const BARRIER_VALUE: u8 = 2;
}

/// `hsa_kernel_dispatch_packet_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct KernelDispatchPacket {
    /// Kind, barrier bit, fences.
    pub header: u16,
    /// Dimensions in the low two bits.
    pub setup: u16,
    /// Work-items of a workgroup in X.
    pub workgroup_size_x: u16,
    /// Work-items of a workgroup in Y.
    pub workgroup_size_y: u16,
    /// Work-items of a workgroup in Z.
    pub workgroup_size_z: u16,
    /// Zero.
    pub reserved0: u16,
    /// Work-items in X.
    pub grid_size_x: u32,
    /// Work-items in Y.
    pub grid_size_y: u32,
    /// Work-items in Z.
    pub grid_size_z: u32,
    /// Scratch bytes of a work-item.
    pub private_segment_size: u32,
    /// LDS bytes of a workgroup.
    pub group_segment_size: u32,
    /// Device address of the kernel descriptor.
    pub kernel_object: u64,
    /// Device address of the arguments.
    pub kernarg_address: u64,
    /// Zero.
    pub reserved2: u64,
    /// Decremented at the end.
    pub completion_signal: SignalHandle,
}

/// `hsa_barrier_and_packet_t` and `hsa_barrier_or_packet_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct BarrierPacket {
    /// Kind, barrier bit, fences.
    pub header: u16,
    /// Zero.
    pub reserved0: u16,
    /// Zero.
    pub reserved1: u32,
    /// Signals that must reach 0; a handle of 0 is no signal.
    pub dep_signal: [SignalHandle; 5],
    /// Zero.
    pub reserved2: u64,
    /// Decremented at the end.
    pub completion_signal: SignalHandle,
}

/// `hsa_amd_barrier_value_packet_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct BarrierValuePacket {
    /// Kind, barrier bit, fences.
    pub header: u16,
    /// Which vendor packet, see [`amd`].
    pub amd_format: u8,
    /// Zero.
    pub reserved: u8,
    /// Zero.
    pub reserved0: u32,
    /// The signal; a handle of 0 is no signal.
    pub signal: SignalHandle,
    /// What the signal's value is compared with.
    pub value: i64,
    /// Which bits of it.
    pub mask: i64,
    /// `hsa_signal_condition_t`.
    pub condition: u32,
    /// Zero.
    pub reserved1: u32,
    /// Zero.
    pub reserved2: u64,
    /// Zero.
    pub reserved3: u64,
    /// Decremented at the end.
    pub completion_signal: SignalHandle,
}

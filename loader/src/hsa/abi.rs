//! Structures and handles of `hsa.h`, `hsa_ext_amd.h`, `amd_hsa_queue.h` and `amd_hsa_signal.h`.
//!
//! Only 64-bit little-endian hosts have such a runtime, so pointers are plain. A test compiles a C program against the
//! headers of `libhsa-runtime-dev` and compares every size and offset.

use super::Status;
use std::ffi::c_void;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        #[repr(C)]
        pub struct $name {
            /// Opaque.
            pub handle: u64,
        }
    )*};
}

handles! {
    /// `hsa_agent_t`.
    AgentHandle;
    /// `hsa_signal_t`.
    SignalHandle;
    /// `hsa_isa_t`.
    IsaHandle;
    /// `hsa_region_t`.
    RegionHandle;
    /// `hsa_amd_memory_pool_t`.
    PoolHandle;
    /// `hsa_code_object_reader_t`.
    ReaderHandle;
    /// `hsa_executable_t`.
    ExecutableHandle;
    /// `hsa_loaded_code_object_t`.
    LoadedCodeHandle;
    /// `hsa_executable_symbol_t`.
    SymbolHandle;
}

/// `hsa_signal_value_t` of the large machine model.
pub type SignalValue = i64;

/// `hsa_queue_t`, large machine model.
#[derive(Debug)]
#[repr(C)]
pub struct HsaQueue {
    /// `HSA_QUEUE_TYPE_*`.
    pub kind: u32,
    /// `HSA_QUEUE_FEATURE_*`.
    pub features: u32,
    /// The ring of packets.
    pub base_address: *mut c_void,
    /// What to store packet indices to.
    pub doorbell_signal: SignalHandle,
    /// Packets of the ring, a power of two.
    pub size: u32,
    /// Zero.
    pub reserved1: u32,
    /// Number of the queue in the process.
    pub id: u64,
}

/// `amd_queue_t`: what the queue pointer SGPRs point to.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct AmdQueue {
    /// The public part.
    pub hsa_queue: HsaQueue,
    /// Zero.
    pub reserved1: [u32; 4],
    /// Index of the next packet to write.
    pub write_dispatch_id: u64,
    /// High half of the LDS aperture.
    pub group_segment_aperture_base_hi: u32,
    /// High half of the scratch aperture.
    pub private_segment_aperture_base_hi: u32,
    /// Last compute unit.
    pub max_cu_id: u32,
    /// Last wave slot.
    pub max_wave_id: u32,
    /// Of legacy doorbells.
    pub max_legacy_doorbell_dispatch_id_plus_1: u64,
    /// Of legacy doorbells.
    pub legacy_doorbell_lock: u32,
    /// Zero.
    pub reserved2: [u32; 9],
    /// Index of the next packet to process.
    pub read_dispatch_id: u64,
    /// From `read_dispatch_id` back to the structure.
    pub read_dispatch_id_field_base_byte_offset: u32,
    /// `COMPUTE_TMPRING_SIZE`.
    pub compute_tmpring_size: u32,
    /// Buffer resource of scratch.
    pub scratch_resource_descriptor: [u32; 4],
    /// Where scratch is.
    pub scratch_backing_memory_location: u64,
    /// Bytes of it.
    pub scratch_backing_memory_byte_size: u64,
    /// Bytes a lane.
    pub scratch_wave64_lane_byte_size: u32,
    /// `AMD_QUEUE_PROPERTIES_*`.
    pub queue_properties: u32,
    /// Zero.
    pub reserved3: [u32; 2],
    /// Set when the queue stops.
    pub queue_inactive_signal: SignalHandle,
    /// Zero.
    pub reserved4: [u32; 14],
}

/// `amd_signal_t`: what a signal handle points to.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct AmdSignal {
    /// 1 user, −1 doorbell.
    pub kind: i64,
    /// The value, or the doorbell's address.
    pub value: i64,
    /// Where to write an event.
    pub event_mailbox_ptr: u64,
    /// Which event.
    pub event_id: u32,
    /// Zero.
    pub reserved1: u32,
    /// When the dispatch began, in device ticks.
    pub start_ts: u64,
    /// When it ended.
    pub end_ts: u64,
    /// The doorbell's queue.
    pub queue_ptr: u64,
    /// Zero.
    pub reserved3: [u32; 2],
}

/// `hsa_dim3_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Dim3 {
    /// X.
    pub x: u32,
    /// Y.
    pub y: u32,
    /// Z.
    pub z: u32,
}

/// `hsa_amd_profiling_dispatch_time_t` and `hsa_amd_profiling_async_copy_time_t`, in system ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct ProfilingTime {
    /// Begin.
    pub start: u64,
    /// End.
    pub end: u64,
}

/// Callback of a queue that meets an error.
pub type QueueCallback = Option<unsafe extern "C" fn(Status, *mut HsaQueue, *mut c_void)>;
/// Callback of `hsa_iterate_agents`.
pub type AgentCallback = Option<unsafe extern "C" fn(AgentHandle, *mut c_void) -> Status>;
/// Callback of `hsa_agent_iterate_isas`.
pub type IsaCallback = Option<unsafe extern "C" fn(IsaHandle, *mut c_void) -> Status>;
/// Callback of `hsa_amd_agent_iterate_memory_pools`.
pub type PoolCallback = Option<unsafe extern "C" fn(PoolHandle, *mut c_void) -> Status>;

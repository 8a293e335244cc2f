//! What the runtime can refuse, each with the status and what to do about it.

use crate::hsa::{Functions, OpenError, Status};
use std::ffi::c_void;
use std::time::Duration;

/// A runtime call that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuntimeError {
    /// The shared library gives no table.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// `hsa_init` refused.
    #[error("hsa_init of {library} returned {status}: {}", init_advice(*.status))]
    Init {
        /// Which library.
        library: String,
        /// What it returned.
        status: Status,
    },
    /// There is no GPU agent.
    #[error(
        "{library} started but has no GPU agent: check that the GPU is visible (ROCR_VISIBLE_DEVICES, rocminfo), or use `--device embedded`"
    )]
    NoGpu {
        /// Which library.
        library: String,
    },
    /// A function returned an error.
    #[error("{function} returned {status}{}", advice(.function, *.status))]
    Call {
        /// Which function.
        function: &'static str,
        /// What it returned.
        status: Status,
    },
    /// The agent or host lacks a memory pool of that kind.
    #[error("there is no {0} memory pool")]
    NoPool(&'static str),
    /// The executable has no such kernel.
    #[error("the code object has no kernel `{name}`{}", known(.kernels))]
    UnknownKernel {
        /// What was asked for.
        name: String,
        /// What there is.
        kernels: Vec<String>,
    },
    /// A copy or access outside a buffer.
    #[error("{size} bytes at offset {offset} are outside a buffer of {buffer} bytes")]
    OutOfBuffer {
        /// First byte.
        offset: usize,
        /// Bytes.
        size: usize,
        /// The buffer's bytes.
        buffer: usize,
    },
    /// An atomic access to memory that the host cannot address, or that is not aligned.
    #[error(
        "offset {offset} of a {kind} buffer cannot be accessed atomically: it takes a host buffer and an offset divisible by {align}"
    )]
    NotAtomic {
        /// The offset.
        offset: usize,
        /// What kind of buffer.
        kind: &'static str,
        /// Bytes of the access.
        align: usize,
    },
    /// A launch that no packet can express.
    #[error("kernel `{kernel}`: {reason}")]
    BadLaunch {
        /// Which kernel.
        kernel: String,
        /// Why.
        reason: String,
    },
    /// A queue reported an error; the queue is dead.
    #[error("the queue stopped with {status} while kernel `{kernel}` was to run{}", fault_advice(*.status))]
    QueueFault {
        /// The kernel waited for.
        kernel: String,
        /// What the queue's callback was told.
        status: Status,
    },
    /// A kernel did not end in time.
    #[error("kernel `{kernel}` did not end within {after:?}")]
    Timeout {
        /// Which kernel.
        kernel: String,
        /// How long was waited.
        after: Duration,
    },
}

fn known(kernels: &[String]) -> String {
    if kernels.is_empty() { String::new() } else { format!("; it has {}", kernels.join(", ")) }
}

fn init_advice(status: Status) -> &'static str {
    match status {
        Status::OUT_OF_RESOURCES => {
            "no GPU driver answers (is there an AMD GPU, is amdgpu loaded, may you open /dev/kfd: groups render and video?). Use `--device embedded` to run without a GPU"
        }
        Status::REFCOUNT_OVERFLOW => "it was started too often in this process",
        _ => "see the runtime's own messages; `--device embedded` runs without a GPU",
    }
}

fn advice(function: &str, status: Status) -> &'static str {
    match (function, status) {
        (_, Status::NOT_INITIALIZED) => ": hsa_init was not called, or hsa_shut_down already was",
        (
            "hsa_executable_load_agent_code_object",
            Status::INVALID_CODE_OBJECT | Status::INVALID_ISA | Status::INCOMPATIBLE_ARGUMENTS,
        ) => {
            ": the code object is not for this agent; compare `wavesmith info` with the agent's ISA, or regenerate it for this SKU"
        }
        ("hsa_amd_memory_pool_allocate", _) => ": ask for less, or free something first",
        ("hsa_queue_create", _) => ": fewer queues, or a size that is a power of two within the agent's limits",
        _ => "",
    }
}

fn fault_advice(status: Status) -> &'static str {
    match status {
        Status::MEMORY_FAULT => {
            ": it touched memory that is not mapped for the agent (on a GPU; `--device embedded` says where)"
        }
        Status::MEMORY_APERTURE_VIOLATION => {
            ": a flat address lies outside LDS or scratch. `--device embedded --engine checked` says where"
        }
        Status::ILLEGAL_INSTRUCTION => ": is the code object for this target?",
        Status::EXCEPTION => ": it raised an exception or did not make progress",
        Status::OUT_OF_RESOURCES => ": it needs more LDS, scratch or registers than the agent has",
        Status::INVALID_PACKET_FORMAT => ": the dispatch packet is malformed",
        _ => "",
    }
}

/// Turns a status into a result.
pub(super) fn check(function: &'static str, status: Status) -> Result<(), RuntimeError> {
    if status.is_ok() { Ok(()) } else { Err(RuntimeError::Call { function, status }) }
}

/// `hsa_system_get_info`.
///
/// # Safety
/// `T` must be the type of the attribute's value.
pub(super) unsafe fn system_info<T>(functions: &Functions, attribute: u32, value: &mut T) -> Status {
    // SAFETY: the value is writable and of the attribute's type.
    unsafe { (functions.hsa_system_get_info)(attribute, std::ptr::from_mut(value).cast::<c_void>()) }
}

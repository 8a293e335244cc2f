//! Agents, ISAs and what can be asked of them and of the system.

use super::Engine;
use super::process::{PROCESS, put, put_text, status, ticks};
use crate::AgentId;
use crate::fault::Fault;
use parking_lot::Mutex;
use std::ffi::{CStr, c_void};
use std::sync::Arc;
use wavesmith_asm::{Sku, Target};
use wavesmith_loader::hsa::abi::{AgentHandle, Dim3, IsaCallback, IsaHandle};
use wavesmith_loader::hsa::{Status, info};

const AGENT: u64 = 0xa6 << 56;
const ISA: u64 = 0x15 << 56;

/// What the system's build version says.
const BUILD: &CStr = match CStr::from_bytes_with_nul(concat!("wavesmith ", env!("CARGO_PKG_VERSION"), "\0").as_bytes())
{
    Ok(text) => text,
    Err(_) => c"wavesmith",
};

/// Bytes of scratch that waves may hold on an agent at once. No dispatch is refused for it: the device makes scratch for
/// the resident workgroups alone.
const SCRATCH_LIMIT: u64 = 4 << 30;

/// Packets of the largest queue.
pub(super) const QUEUE_MAX: u32 = 1 << 17;
/// Packets of the smallest queue, as the real runtime has it.
pub(super) const QUEUE_MIN: u32 = 64;

/// An agent.
pub(super) struct AgentState {
    pub id: AgentId,
    pub kind: AgentKind,
    /// Number in the device, the CPU first.
    pub node: u32,
    pub last_fault: Mutex<Option<Fault>>,
}

/// What an agent is.
pub(super) enum AgentKind {
    Cpu,
    Gpu { sku: &'static Sku, engine: Engine },
}

impl AgentState {
    pub fn cpu(id: AgentId) -> AgentState {
        AgentState { id, kind: AgentKind::Cpu, node: 0, last_fault: Mutex::default() }
    }

    pub fn gpu(id: AgentId, sku: &'static Sku, node: u32, engine: Engine) -> AgentState {
        AgentState { id, kind: AgentKind::Gpu { sku, engine }, node, last_fault: Mutex::default() }
    }

    pub fn handle_of(id: AgentId) -> AgentHandle {
        AgentHandle { handle: AGENT | (id.0 as u64 + 1) }
    }

    pub fn of(handle: AgentHandle) -> Result<Arc<AgentState>, Status> {
        let index = (handle.handle ^ AGENT).wrapping_sub(1);
        let agents = PROCESS.agents.read();
        usize::try_from(index).ok().and_then(|i| agents.get(i)).cloned().ok_or(Status::INVALID_AGENT)
    }

    pub fn sku(&self) -> Option<&'static Sku> {
        match self.kind {
            AgentKind::Gpu { sku, .. } => Some(sku),
            AgentKind::Cpu => None,
        }
    }
}

/// The CPU agent of an agent's device: the last one up to it.
fn nearest_cpu(id: AgentId) -> AgentHandle {
    let agents = PROCESS.agents.read();
    let cpu = agents[..=id.0].iter().rev().find(|a| a.sku().is_none());
    cpu.map_or(AgentHandle::default(), |a| AgentState::handle_of(a.id))
}

/// The ISA name of a part: the modes that its driver sets up by default.
fn isa_name(sku: &Sku) -> String {
    format!("amdgcn-amd-amdhsa--{}:sramecc+:xnack-", sku.target)
}

pub(super) unsafe extern "C" fn system_get_info(attribute: u32, value: *mut c_void) -> Status {
    use info::system as a;
    status((|| {
        PROCESS.started()?;
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match attribute {
                a::VERSION_MAJOR | a::VERSION_MINOR => put(value, 1_u16),
                a::TIMESTAMP => put(value, ticks()),
                a::TIMESTAMP_FREQUENCY => put(value, 1_000_000_000_u64),
                a::SIGNAL_MAX_WAIT => put(value, u64::MAX),
                a::ENDIANNESS => put(value, 0_u32),
                a::MACHINE_MODEL => put(value, 1_u32),
                a::EXTENSIONS => put(value, super::extensions::bits()),
                a::AMD_BUILD_VERSION => put(value, BUILD.as_ptr()),
                a::AMD_SVM_SUPPORTED | a::AMD_SVM_ACCESSIBLE_BY_DEFAULT => put(value, false),
                a::AMD_VIRTUAL_MEM_API_SUPPORTED => put(value, cfg!(target_os = "linux")),
                a::AMD_MWAITX_ENABLED..=a::AMD_XNACK_ENABLED => put(value, false),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

pub(super) unsafe extern "C" fn agent_get_info(agent: AgentHandle, attribute: u32, value: *mut c_void) -> Status {
    use info::agent as a;
    status((|| {
        let agent = AgentState::of(agent)?;
        let gpu = agent.sku();
        let word = |of_gpu: &dyn Fn(&Sku) -> u32| gpu.map_or(0, of_gpu);
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match attribute {
                a::NAME => put_text(value, 64, gpu.map_or("cpu", |s| s.target.name())),
                a::VENDOR_NAME => put_text(value, 64, if gpu.is_some() { "AMD" } else { "CPU" }),
                a::AMD_PRODUCT_NAME => put_text(value, 64, gpu.map_or("wavesmith host", |s| s.product)),
                // Kernel dispatch.
                a::FEATURE => put(value, word(&|_| 1)),
                a::NODE => put(value, agent.node),
                a::MACHINE_MODEL => put(value, 1_u32),
                a::PROFILE => put(value, if gpu.is_some() { info::profile::BASE } else { info::profile::FULL }),
                a::DEFAULT_FLOAT_ROUNDING_MODE | a::BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES => {
                    put(value, word(&|_| info::rounding::NEAR))
                }
                a::FAST_F16_OPERATION => put(value, gpu.is_some()),
                a::WAVEFRONT_SIZE => put(value, word(&|_| 64)),
                a::WORKGROUP_MAX_DIM => put(value, [word(&|_| 1024) as u16; 3]),
                a::WORKGROUP_MAX_SIZE => put(value, word(&|_| 1024)),
                a::GRID_MAX_DIM => {
                    let d = word(&|_| u32::MAX);
                    put(value, Dim3 { x: d, y: d, z: d })
                }
                a::GRID_MAX_SIZE => put(value, word(&|_| u32::MAX)),
                a::FBARRIER_MAX_SIZE => put(value, word(&|_| 32)),
                a::QUEUES_MAX => put(value, word(&|_| 128)),
                a::QUEUE_MIN_SIZE => put(value, word(&|_| QUEUE_MIN)),
                a::QUEUE_MAX_SIZE => put(value, word(&|_| QUEUE_MAX)),
                a::QUEUE_TYPE => put(value, info::queue_type::MULTI),
                a::DEVICE => put(value, if gpu.is_some() { info::device::GPU } else { info::device::CPU }),
                a::CACHE_SIZE => put(value, [word(&|_| 16 << 10), word(&|s| s.l2_bytes), word(&|s| s.mall_bytes), 0]),
                a::ISA => put(value, IsaHandle { handle: gpu.map_or(0, |_| ISA | agent.id.0 as u64) }),
                a::EXTENSIONS => put(value, [0_u8; 128]),
                a::VERSION_MAJOR | a::VERSION_MINOR => put(value, 1_u16),
                a::AMD_CHIP_ID | a::AMD_ASIC_REVISION => put(value, 0_u32),
                a::AMD_CACHELINE_SIZE => put(value, word(&|_| 128)),
                a::AMD_COMPUTE_UNIT_COUNT | a::AMD_COOPERATIVE_COMPUTE_UNIT_COUNT => put(
                    value,
                    match gpu {
                        Some(s) => s.cus,
                        None => std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
                    },
                ),
                a::AMD_MAX_CLOCK_FREQUENCY => put(value, word(&|s| s.clock_mhz)),
                a::AMD_DRIVER_NODE_ID => put(value, agent.node),
                a::AMD_MAX_ADDRESS_WATCH_POINTS => put(value, word(&|_| 4)),
                a::AMD_BDFID => put(value, agent.node << 8),
                a::AMD_MEMORY_WIDTH => put(value, word(&|_| 8192)),
                a::AMD_MEMORY_MAX_FREQUENCY => put(value, 0_u32),
                a::AMD_MAX_WAVES_PER_CU => put(value, word(&|s| 4 * s.waves_per_simd)),
                a::AMD_NUM_SIMDS_PER_CU => put(value, word(&|_| 4)),
                a::AMD_NUM_SHADER_ENGINES => put(value, word(&|s| 4 * s.xcds)),
                a::AMD_NUM_SHADER_ARRAYS_PER_SE => put(value, word(&|_| 1)),
                a::AMD_HDP_FLUSH => put(value, [0_u64; 2]),
                a::AMD_DOMAIN => put(value, 0_u32),
                a::AMD_COOPERATIVE_QUEUES => put(value, gpu.is_some()),
                a::AMD_UUID => match gpu {
                    Some(_) => put_text(value, 21, &format!("GPU-{:016x}", agent.id.0)),
                    None => put_text(value, 21, "CPU-XX"),
                },
                a::AMD_SVM_DIRECT_HOST_ACCESS => put(value, true),
                a::AMD_MEMORY_AVAIL => put(value, gpu.map_or(0, |s| u64::from(s.hbm_gib) << 30)),
                a::AMD_TIMESTAMP_FREQUENCY => put(value, 1_000_000_000_u64),
                // No agent has image hardware, as the real parts from CDNA3 on: every maximum is 0.
                a::IMAGE_1D_MAX..=a::IMAGE_1DB_MAX | a::IMAGE_ARRAY_MAX_LAYERS..=a::IMAGE_SAMPLERS_MAX => {
                    put(value, 0_u32)
                }
                a::IMAGE_2D_MAX..=a::IMAGE_2DA_DEPTH_MAX => put(value, [0_u32; 2]),
                a::IMAGE_3D_MAX => put(value, [0_u32; 3]),
                a::AMD_ASIC_FAMILY_ID..=a::AMD_NUM_SDMA_XGMI_ENG => put(value, 0_u32),
                a::AMD_NEAREST_CPU => put(value, nearest_cpu(agent.id)),
                // A bit for each property that the headers name, of which there is one: the host's memory is the part's.
                a::AMD_MEMORY_PROPERTIES => {
                    put(value, [u8::from(gpu.is_some_and(|s| s.name == "mi300a")), 0, 0, 0, 0, 0, 0, 0])
                }
                a::AMD_NUM_XCC => put(value, word(&|s| s.xcds)),
                // None.
                a::AMD_IOMMU_SUPPORT => put(value, 0_u32),
                a::AMD_DRIVER_UID => put(value, agent.node),
                a::AMD_AQL_EXTENSIONS => put(value, [0_u8; 8]),
                a::AMD_SCRATCH_LIMIT_MAX | a::AMD_SCRATCH_LIMIT_CURRENT => put(value, gpu.map_or(0, |_| SCRATCH_LIMIT)),
                // The agent's clock, the host's, the system's and its frequency: all one here.
                a::AMD_CLOCK_COUNTERS => put(value, [ticks(), ticks(), ticks(), 1_000_000_000]),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

pub(super) unsafe extern "C" fn agent_iterate_isas(
    agent: AgentHandle,
    callback: IsaCallback,
    data: *mut c_void,
) -> Status {
    status((|| {
        let agent = AgentState::of(agent)?;
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        // A CPU agent has no ISA to load code for.
        if agent.sku().is_none() {
            return Err(Status::INVALID_AGENT);
        }
        // SAFETY: the caller passes a callback that takes its own data.
        match unsafe { callback(IsaHandle { handle: ISA | agent.id.0 as u64 }, data) } {
            Status::SUCCESS => Ok(()),
            other => Err(other),
        }
    })())
}

/// The part of an ISA.
pub(super) fn sku_of(isa: IsaHandle) -> Result<&'static Sku, Status> {
    let index = usize::try_from(isa.handle ^ ISA).map_err(|_| Status::INVALID_ISA)?;
    PROCESS.agents.read().get(index).and_then(|a| a.sku()).ok_or(Status::INVALID_ISA)
}

/// The ISA of a target, of the first agent that has it.
pub(super) fn isa_of(target: Target) -> Option<IsaHandle> {
    let agents = PROCESS.agents.read();
    let agent = agents.iter().find(|a| a.sku().is_some_and(|s| s.target == target))?;
    Some(IsaHandle { handle: ISA | agent.id.0 as u64 })
}

pub(super) unsafe extern "C" fn isa_get_info_alt(isa: IsaHandle, attribute: u32, value: *mut c_void) -> Status {
    use info::isa as a;
    status((|| {
        let sku = sku_of(isa)?;
        let name = isa_name(sku);
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match attribute {
                // The NUL counts.
                a::NAME_LENGTH => put(value, name.len() as u32 + 1),
                a::NAME => put_text(value, name.len() + 1, &name),
                a::CALL_CONVENTION_COUNT => put(value, 1_u32),
                a::CALL_CONVENTION_INFO_WAVEFRONT_SIZE => put(value, 64_u32),
                a::CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT => put(value, 4 * sku.waves_per_simd),
                a::MACHINE_MODELS => put(value, [false, true]),
                a::PROFILES => put(value, [true, false]),
                a::DEFAULT_FLOAT_ROUNDING_MODES | a::BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES => {
                    put(value, [false, false, true])
                }
                a::FAST_F16_OPERATION => put(value, true),
                a::WORKGROUP_MAX_DIM => put(value, [1024_u16; 3]),
                a::WORKGROUP_MAX_SIZE => put(value, 1024_u32),
                a::GRID_MAX_DIM => put(value, Dim3 { x: u32::MAX, y: u32::MAX, z: u32::MAX }),
                a::GRID_MAX_SIZE => put(value, u64::MAX),
                a::FBARRIER_MAX_SIZE => put(value, 32_u32),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

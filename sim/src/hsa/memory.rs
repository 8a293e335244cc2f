//! Memory pools, allocation and access rights.

use super::agents::{AgentKind, AgentState};
use super::process::{PROCESS, put, status};
use crate::AgentId;
use crate::memory::{Kind, MemoryError, PAGE};
use std::ffi::c_void;
use wavesmith_loader::hsa::abi::{AgentHandle, PoolCallback, PoolHandle};
use wavesmith_loader::hsa::{Status, info};

const POOL: u64 = 0xb0 << 56;

/// Pools of the host, then of a device; the number is part of the handle.
const HOST: [Kind; 3] = [Kind::HostFine, Kind::Kernarg, Kind::HostCoarse];
const DEVICE: [Kind; 3] = [Kind::Coarse, Kind::DeviceFine, Kind::Uncached];
/// After a device's pools comes LDS, which cannot be allocated from.
const GROUP: usize = DEVICE.len();

pub(super) enum Pool {
    Global { kind: Kind, owner: Option<AgentId>, bytes: u64 },
    Group { bytes: u64 },
}

pub(super) fn pools_of(agent: &AgentState) -> impl Iterator<Item = PoolHandle> + use<> {
    let count = match agent.kind {
        AgentKind::Cpu => HOST.len(),
        AgentKind::Gpu { .. } => GROUP + 1,
    };
    let base = POOL | (agent.id.0 as u64) << 8;
    (0..count as u64).map(move |i| PoolHandle { handle: base | i })
}

/// The pools of the host beside a GPU: those of the last CPU agent before it.
pub(super) fn host_pools(gpu: &AgentState) -> Vec<PoolHandle> {
    let agents = PROCESS.agents.read();
    let host = agents[..gpu.id.0].iter().rev().find(|a| matches!(a.kind, AgentKind::Cpu));
    host.map(|cpu| pools_of(cpu).collect()).unwrap_or_default()
}

pub(super) fn pool(handle: PoolHandle) -> Result<Pool, Status> {
    let wrong = Status::INVALID_MEMORY_POOL;
    let bits = handle.handle ^ POOL;
    let (agent, number) = (usize::try_from(bits >> 8).map_err(|_| wrong)?, (bits & 0xff) as usize);
    let agent = PROCESS.agents.read().get(agent).cloned().ok_or(wrong)?;
    match agent.kind {
        AgentKind::Cpu => {
            let kind = *HOST.get(number).ok_or(wrong)?;
            // Half of the address space that allocations may have is more than any host.
            Ok(Pool::Global { kind, owner: None, bytes: 1 << 40 })
        }
        AgentKind::Gpu { sku, .. } if number == GROUP => Ok(Pool::Group { bytes: sku.target.max_lds().into() }),
        AgentKind::Gpu { sku, .. } => {
            let kind = *DEVICE.get(number).ok_or(wrong)?;
            Ok(Pool::Global { kind, owner: Some(agent.id), bytes: u64::from(sku.hbm_gib) << 30 })
        }
    }
}

pub(super) fn flags(kind: Kind) -> u32 {
    use info::pool_flag as f;
    match kind {
        Kind::Kernarg => f::KERNARG_INIT | f::FINE_GRAINED,
        Kind::HostFine | Kind::DeviceFine => f::FINE_GRAINED,
        Kind::Uncached => f::EXTENDED_SCOPE_FINE_GRAINED,
        _ => f::COARSE_GRAINED,
    }
}

pub(super) unsafe extern "C" fn iterate_pools(agent: AgentHandle, callback: PoolCallback, data: *mut c_void) -> Status {
    status((|| {
        let agent = AgentState::of(agent)?;
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        for pool in pools_of(&agent) {
            // SAFETY: the caller passes a callback that takes its own data.
            let answer = unsafe { callback(pool, data) };
            if !answer.is_ok() {
                return Err(answer);
            }
        }
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn pool_get_info(handle: PoolHandle, attribute: u32, value: *mut c_void) -> Status {
    use info::pool as a;
    status((|| {
        let (segment, flags, bytes, allocatable, on_gpu) = match pool(handle)? {
            Pool::Global { kind, owner, bytes } => (info::segment::GLOBAL, flags(kind), bytes, true, owner.is_some()),
            Pool::Group { bytes } => (info::segment::GROUP, 0, bytes, false, true),
        };
        let granule = if allocatable { PAGE } else { 0 };
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match attribute {
                a::SEGMENT => put(value, segment),
                a::GLOBAL_FLAGS => put(value, flags),
                a::SIZE => put(value, bytes as usize),
                a::RUNTIME_ALLOC_ALLOWED => put(value, allocatable),
                a::RUNTIME_ALLOC_GRANULE | a::RUNTIME_ALLOC_ALIGNMENT | a::RUNTIME_ALLOC_REC_GRANULE => {
                    put(value, granule)
                }
                a::ACCESSIBLE_BY_ALL => put(value, false),
                a::ALLOC_MAX_SIZE => put(value, if allocatable { bytes as usize } else { 0 }),
                a::LOCATION => put(value, u32::from(on_gpu)),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

pub(super) unsafe extern "C" fn agent_pool_get_info(
    agent: AgentHandle,
    handle: PoolHandle,
    attribute: u32,
    value: *mut c_void,
) -> Status {
    use info::{agent_pool as a, pool_access as access};
    status((|| {
        let agent = AgentState::of(agent)?;
        let own = pools_of(&agent).any(|p| p == handle);
        let group = matches!(pool(handle)?, Pool::Group { .. });
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match attribute {
                a::ACCESS => put(
                    value,
                    match (own, group) {
                        (true, _) => access::ALLOWED_BY_DEFAULT,
                        (false, true) => access::NEVER_ALLOWED,
                        (false, false) => access::DISALLOWED_BY_DEFAULT,
                    },
                ),
                a::NUM_LINK_HOPS => put(value, u32::from(!own)),
                // Latencies and bandwidths unknown (0), then atomics and coherence, the link's kind and distance. The
                // layout is that of hsa_amd_memory_pool_link_info_t; with no hops nothing is written.
                a::LINK_INFO if own => Ok(()),
                a::LINK_INFO => put(
                    value,
                    LinkInfo {
                        latency_bandwidth: [0; 4],
                        atomic_32: true,
                        atomic_64: true,
                        coherent: true,
                        kind: 4,
                        distance: 15,
                    },
                ),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

/// `hsa_amd_memory_pool_link_info_t`.
#[repr(C)]
struct LinkInfo {
    latency_bandwidth: [u32; 4],
    atomic_32: bool,
    atomic_64: bool,
    coherent: bool,
    kind: u32,
    distance: u32,
}

pub(super) unsafe extern "C" fn pool_allocate(
    handle: PoolHandle,
    size: usize,
    _flags: u32,
    pointer: *mut *mut c_void,
) -> Status {
    status((|| {
        if pointer.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let Pool::Global { kind, owner, bytes } = pool(handle)? else { return Err(Status::INVALID_ALLOCATION) };
        if size == 0 {
            return Err(Status::INVALID_ARGUMENT);
        }
        if size as u64 > bytes {
            return Err(Status::INVALID_ALLOCATION);
        }
        let allocation = PROCESS.memory.allocate(size, kind, owner).map_err(|e| match e {
            MemoryError::OutOfMemory(_) => Status::OUT_OF_RESOURCES,
            _ => Status::INVALID_ALLOCATION,
        })?;
        // SAFETY: the caller passes a valid out pointer.
        unsafe { pointer.write(allocation.base() as *mut c_void) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn pool_free(pointer: *mut c_void) -> Status {
    status((|| {
        if pointer.is_null() {
            return Ok(());
        }
        let address = pointer as u64;
        super::pointers::forget(address);
        // Queues, signals and code are freed by what owns them.
        match PROCESS.memory.snapshot().find(address) {
            Some(a) if matches!(a.kind(), Kind::Runtime | Kind::Code | Kind::Scratch | Kind::Registered) => {
                Err(Status::INVALID_ALLOCATION)
            }
            // So are pieces of a reserved range.
            #[cfg(target_os = "linux")]
            Some(a) if a.range().is_some() => Err(Status::INVALID_ALLOCATION),
            _ => PROCESS.memory.free(address).map_err(|_| Status::INVALID_ALLOCATION),
        }
    })())
}

/// Pools of one kind of memory can change places without a copy; there is nothing to be gained here.
pub(super) unsafe extern "C" fn pool_can_migrate(from: PoolHandle, to: PoolHandle, result: *mut bool) -> Status {
    status((|| {
        pool(from)?;
        pool(to)?;
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(result.cast(), false) }
    })())
}

/// Never possible, as [`pool_can_migrate`] says.
pub(super) unsafe extern "C" fn migrate(pointer: *const c_void, to: PoolHandle, _flags: u32) -> Status {
    status((|| {
        pool(to)?;
        PROCESS.memory.snapshot().find(pointer as u64).ok_or(Status::INVALID_ARGUMENT)?;
        Err(Status::OUT_OF_RESOURCES)
    })())
}

pub(super) unsafe extern "C" fn agents_allow_access(
    count: u32,
    agents: *const AgentHandle,
    flags: *const u32,
    pointer: *const c_void,
) -> Status {
    status((|| {
        // The headers reserve the flags.
        if count == 0 || agents.is_null() || !flags.is_null() || pointer.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes that many agents.
        let agents = unsafe { std::slice::from_raw_parts(agents, count as usize) };
        let agents: Vec<_> = agents.iter().map(|a| AgentState::of(*a)).collect::<Result<_, _>>()?;
        let map = PROCESS.memory.snapshot();
        let allocation = map.find(pointer as u64).ok_or(Status::INVALID_ARGUMENT)?;
        if allocation.kind() != Kind::Runtime {
            // The list replaces what was allowed before.
            allocation.disallow_all();
        }
        for agent in agents {
            allocation.allow(agent.id);
        }
        PROCESS.memory.touch();
        Ok(())
    })())
}

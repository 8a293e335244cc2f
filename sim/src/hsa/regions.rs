//! Regions: memory as `hsa.h` knows it. A region is a pool seen through the older interface, with the same number in
//! its handle. What a region gives is accessible to every agent that shows the region, so there is no call to allow it.

use super::agents::{AgentKind, AgentState};
use super::memory::{Pool, flags, host_pools, pool, pools_of};
use super::process::{PROCESS, put, status};
use crate::memory::{Kind, MemoryError, PAGE};
use std::ffi::c_void;
use wavesmith_loader::hsa::abi::{AgentHandle, PoolHandle, RegionHandle};
use wavesmith_loader::hsa::{Status, info};

/// Callback of `hsa_agent_iterate_regions`.
pub(super) type RegionCallback = Option<unsafe extern "C" fn(RegionHandle, *mut c_void) -> Status>;

/// `hsa_region_info_t`; the numbers differ from those of pools in places.
mod attribute {
    pub const SEGMENT: u32 = 0;
    pub const GLOBAL_FLAGS: u32 = 1;
    pub const SIZE: u32 = 2;
    pub const ALLOC_MAX_SIZE: u32 = 4;
    pub const RUNTIME_ALLOC_ALLOWED: u32 = 5;
    pub const RUNTIME_ALLOC_GRANULE: u32 = 6;
    pub const RUNTIME_ALLOC_ALIGNMENT: u32 = 7;
    pub const ALLOC_MAX_PRIVATE_WORKGROUP_SIZE: u32 = 8;
    /// `HSA_AMD_REGION_INFO_HOST_ACCESSIBLE`.
    pub const HOST_ACCESSIBLE: u32 = 0xa000;
    /// `HSA_AMD_REGION_INFO_BASE`.
    pub const BASE: u32 = 0xa001;
}

fn region(handle: RegionHandle) -> Result<Pool, Status> {
    pool(PoolHandle { handle: handle.handle }).map_err(|_| Status::INVALID_REGION)
}

/// Whether there is such a region.
pub(super) fn check(handle: RegionHandle) -> Result<(), Status> {
    region(handle).map(drop)
}

/// A CPU agent shows the host's memory; a GPU agent shows that too, as kernels read their arguments from it, and its own.
pub(super) unsafe extern "C" fn iterate(agent: AgentHandle, callback: RegionCallback, data: *mut c_void) -> Status {
    status((|| {
        let agent = AgentState::of(agent)?;
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        let mut all: Vec<PoolHandle> = match agent.kind {
            AgentKind::Gpu { .. } => host_pools(&agent),
            AgentKind::Cpu => Vec::new(),
        };
        all.extend(pools_of(&agent));
        for pool in all {
            // SAFETY: the caller passes a callback that takes its own data.
            let answer = unsafe { callback(RegionHandle { handle: pool.handle }, data) };
            if !answer.is_ok() {
                return Err(answer);
            }
        }
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn get_info(handle: RegionHandle, which: u32, value: *mut c_void) -> Status {
    use attribute as a;
    status((|| {
        let (segment, flags, bytes, allocatable) = match region(handle)? {
            Pool::Global { kind, bytes, .. } => (info::segment::GLOBAL, flags(kind), bytes, true),
            Pool::Group { bytes } => (info::segment::GROUP, 0, bytes, false),
        };
        let granule = if allocatable { PAGE } else { 0 };
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match which {
                a::SEGMENT => put(value, segment),
                a::GLOBAL_FLAGS => put(value, flags),
                a::SIZE => put(value, bytes as usize),
                a::ALLOC_MAX_SIZE => put(value, if allocatable { bytes as usize } else { 0 }),
                a::ALLOC_MAX_PRIVATE_WORKGROUP_SIZE => put(value, 0_u32),
                a::RUNTIME_ALLOC_ALLOWED => put(value, allocatable),
                a::RUNTIME_ALLOC_GRANULE | a::RUNTIME_ALLOC_ALIGNMENT => put(value, granule),
                a::HOST_ACCESSIBLE => put(value, allocatable),
                a::BASE => put(value, 0_u64),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

pub(super) unsafe extern "C" fn allocate(handle: RegionHandle, size: usize, pointer: *mut *mut c_void) -> Status {
    status((|| {
        PROCESS.started()?;
        if pointer.is_null() || size == 0 {
            return Err(Status::INVALID_ARGUMENT);
        }
        let Pool::Global { kind, owner, bytes } = region(handle)? else { return Err(Status::INVALID_ALLOCATION) };
        if size as u64 > bytes {
            return Err(Status::INVALID_ALLOCATION);
        }
        let allocation = PROCESS.memory.allocate(size, kind, owner).map_err(|e| match e {
            MemoryError::OutOfMemory(_) => Status::OUT_OF_RESOURCES,
            _ => Status::INVALID_ALLOCATION,
        })?;
        if owner.is_none() {
            allocation.allow_all();
        }
        // SAFETY: the caller passes a valid out pointer.
        unsafe { pointer.write(allocation.base() as *mut c_void) };
        Ok(())
    })())
}

/// `hsa_memory_assign_agent`: ownership of coarse-grained memory moves to an agent, which may access it from then on.
pub(super) unsafe extern "C" fn assign_agent(pointer: *mut c_void, agent: AgentHandle, access: u32) -> Status {
    status((|| {
        let agent = AgentState::of(agent)?;
        // Read-only, write-only, read-write.
        if pointer.is_null() || !(1..=3).contains(&access) {
            return Err(Status::INVALID_ARGUMENT);
        }
        let map = PROCESS.memory.snapshot();
        let allocation = map.find(pointer as u64).ok_or(Status::INVALID_ARGUMENT)?;
        if matches!(allocation.kind(), Kind::Coarse | Kind::HostCoarse) {
            allocation.allow(agent.id);
            PROCESS.memory.touch();
        }
        Ok(())
    })())
}

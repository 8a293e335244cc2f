//! Addresses apart from bytes (`hsa_amd_vmem_*`): HIP's `hipMemAddressReserve` and PyTorch's expandable segments.
//!
//! A handle's bytes are a file without a name; a shareable handle is its descriptor. Agents that may only read or only
//! write may do both here.

use super::agents::AgentState;
use super::memory::{Pool, pool};
use super::process::{Handles, PROCESS, put, status};
use super::set_error;
use crate::AgentId;
use crate::engine::disturbed;
use crate::memory::ranges::{Range, bytes};
use crate::memory::{Allocation, Kind, MemoryError};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::fs::File;
use std::os::fd::{BorrowedFd, IntoRawFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::{AgentHandle, PoolHandle};

/// Bytes without an address, and whose memory they are.
struct Bytes {
    file: File,
    size: usize,
    pool: PoolHandle,
    pinned: u32,
    /// Those who create, import or retain it, less those who release it.
    users: AtomicU32,
}

/// A mapped piece: the handle that it came from and each agent's permissions.
struct Piece {
    handle: u64,
    bytes: Arc<Bytes>,
    permissions: HashMap<AgentId, u32>,
}

static BYTES: LazyLock<Handles<Bytes>> = LazyLock::new(|| Handles::new(0xb5));
/// Reserved ranges, by their first address.
static RANGES: Mutex<Vec<Arc<Range>>> = Mutex::new(Vec::new());
/// What is mapped, by its first address.
static PIECES: LazyLock<Mutex<HashMap<u64, Piece>>> = LazyLock::new(Mutex::default);

fn refused(error: MemoryError) -> Status {
    set_error(error.to_string());
    match error {
        MemoryError::OutOfMemory(_) => Status::OUT_OF_RESOURCES,
        _ => Status::INVALID_ARGUMENT,
    }
}

pub(super) unsafe extern "C" fn reserve(va: *mut *mut c_void, size: usize, address: u64, flags: u64) -> Status {
    // SAFETY: as the caller's.
    unsafe { reserve_align(va, size, address, 0, flags) }
}

pub(super) unsafe extern "C" fn reserve_align(
    va: *mut *mut c_void,
    size: usize,
    address: u64,
    alignment: u64,
    flags: u64,
) -> Status {
    status((|| {
        PROCESS.started()?;
        // The one flag leaves the driver out, which is not there.
        if va.is_null() || flags > 1 {
            return Err(Status::INVALID_ARGUMENT);
        }
        let range = Range::reserve(size, address, alignment as usize).map_err(refused)?;
        // SAFETY: the caller passes a valid out pointer.
        unsafe { va.write(range.base() as *mut c_void) };
        RANGES.lock().push(range);
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn free(va: *mut c_void, size: usize) -> Status {
    status((|| {
        PROCESS.started()?;
        let mut ranges = RANGES.lock();
        let at = ranges.iter().position(|r| r.base() == va as u64).ok_or(Status::INVALID_ALLOCATION)?;
        if ranges[at].size() != size {
            return Err(Status::INVALID_ARGUMENT);
        }
        if PIECES.lock().keys().any(|base| ranges[at].holds(*base, 1)) {
            return Err(Status::RESOURCE_FREE);
        }
        ranges.remove(at);
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn create(
    from: PoolHandle,
    size: usize,
    pinned: u32,
    flags: u64,
    handle: *mut u64,
) -> Status {
    status((|| {
        PROCESS.started()?;
        let Pool::Global { bytes: most, .. } = pool(from)? else { return Err(Status::INVALID_ALLOCATION) };
        if handle.is_null() || flags != 0 || pinned > 1 {
            return Err(Status::INVALID_ARGUMENT);
        }
        if size as u64 > most {
            return Err(Status::OUT_OF_RESOURCES);
        }
        let file = bytes(size).map_err(refused)?;
        let made = BYTES.insert(Bytes { file, size, pool: from, pinned, users: AtomicU32::new(1) });
        // SAFETY: the caller passes a valid out pointer.
        unsafe { put(handle.cast(), made) }
    })())
}

pub(super) unsafe extern "C" fn release(handle: u64) -> Status {
    status((|| {
        let bytes = BYTES.get(handle).ok_or(Status::INVALID_ALLOCATION)?;
        if bytes.users.fetch_sub(1, Ordering::AcqRel) == 1 {
            // What is mapped keeps the bytes.
            BYTES.remove(handle);
        }
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn map(va: *mut c_void, size: usize, offset: usize, handle: u64, flags: u64) -> Status {
    status((|| {
        let bytes = BYTES.get(handle).ok_or(Status::INVALID_ARGUMENT)?;
        // As the headers have it: all of the handle.
        if size != bytes.size || offset != 0 || flags != 0 {
            return Err(Status::INVALID_ARGUMENT);
        }
        let base = va as u64;
        let range = RANGES.lock().iter().find(|r| r.holds(base, size)).cloned().ok_or(Status::INVALID_ARGUMENT)?;
        let (kind, owner) = match pool(bytes.pool)? {
            Pool::Global { kind, owner, .. } => (kind, owner),
            Pool::Group { .. } => (Kind::Coarse, None),
        };
        let mut pieces = PIECES.lock();
        PROCESS.memory.put(&range, base, (&bytes.file, size), kind, owner).map_err(refused)?;
        pieces.insert(base, Piece { handle, bytes, permissions: HashMap::new() });
        Ok(())
    })())
}

/// The pieces that make up these addresses and nothing else.
fn covering(base: u64, size: usize) -> Result<Vec<Arc<Allocation>>, Status> {
    let map = PROCESS.memory.snapshot();
    let (mut at, end) = (base, base.checked_add(size as u64).ok_or(Status::INVALID_ARGUMENT)?);
    let mut found = Vec::new();
    while at < end {
        let piece = map.find(at).filter(|a| a.base() == at && a.range().is_some()).ok_or(Status::INVALID_ALLOCATION)?;
        at += piece.mapped() as u64;
        found.push(piece.clone());
    }
    if at != end || found.is_empty() { Err(Status::INVALID_ARGUMENT) } else { Ok(found) }
}

pub(super) unsafe extern "C" fn unmap(va: *mut c_void, size: usize) -> Status {
    status((|| {
        let found = covering(va as u64, size)?;
        let mut pieces = PIECES.lock();
        for piece in found {
            super::pointers::forget(piece.base());
            PROCESS.memory.free(piece.base()).map_err(|_| Status::INVALID_ALLOCATION)?;
            pieces.remove(&piece.base());
        }
        Ok(())
    })())
}

/// `hsa_amd_memory_access_desc_t`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Access {
    permissions: u32,
    agent: AgentHandle,
}

/// `HSA_ACCESS_PERMISSION_RW`, of which the bits are reading and writing.
const BOTH: u32 = 3;

pub(super) unsafe extern "C" fn set_access(va: *mut c_void, size: usize, list: *const Access, count: usize) -> Status {
    status((|| {
        if list.is_null() || count == 0 {
            return Err(Status::INVALID_ARGUMENT);
        }
        let found = covering(va as u64, size)?;
        let mut wanted = Vec::new();
        for i in 0..count {
            // SAFETY: the caller passes that many.
            let access = unsafe { list.add(i).read() };
            if access.permissions > BOTH {
                return Err(Status::INVALID_ARGUMENT);
            }
            wanted.push((AgentState::of(access.agent)?.id, access.permissions));
        }
        let mut pieces = PIECES.lock();
        for allocation in found {
            let piece = pieces.get_mut(&allocation.base()).ok_or(Status::INVALID_ALLOCATION)?;
            for (agent, permissions) in &wanted {
                piece.permissions.insert(*agent, *permissions);
                if *permissions == 0 { allocation.disallow(*agent) } else { allocation.allow(*agent) }
            }
        }
        PROCESS.memory.touch();
        disturbed();
        Ok(())
    })())
}

/// The first address of the piece that holds one.
fn base_of(address: *mut c_void) -> Result<u64, Status> {
    let map = PROCESS.memory.snapshot();
    let found = map.find(address as u64).filter(|a| a.range().is_some()).ok_or(Status::INVALID_ALLOCATION)?;
    Ok(found.base())
}

pub(super) unsafe extern "C" fn get_access(va: *mut c_void, permissions: *mut u32, agent: AgentHandle) -> Status {
    status((|| {
        let agent = AgentState::of(agent)?.id;
        let base = base_of(va)?;
        let pieces = PIECES.lock();
        let set = pieces.get(&base).and_then(|p| p.permissions.get(&agent)).ok_or(Status::INVALID_ALLOCATION)?;
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(permissions.cast(), *set) }
    })())
}

pub(super) unsafe extern "C" fn export(descriptor: *mut i32, handle: u64, flags: u64) -> Status {
    status((|| {
        let bytes = BYTES.get(handle).ok_or(Status::INVALID_ALLOCATION)?;
        if descriptor.is_null() || flags != 0 {
            return Err(Status::INVALID_ARGUMENT);
        }
        let copy = bytes.file.try_clone().map_err(|_| Status::OUT_OF_RESOURCES)?;
        // SAFETY: checked above; the descriptor is the caller's from here on.
        unsafe { put(descriptor.cast(), copy.into_raw_fd()) }
    })())
}

/// The bytes are the first device's: a descriptor does not tell whose they were.
pub(super) unsafe extern "C" fn import(descriptor: i32, handle: *mut u64) -> Status {
    status((|| {
        PROCESS.started()?;
        if descriptor < 0 || handle.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes an open descriptor, which stays its own.
        let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
        let file = File::from(borrowed.try_clone_to_owned().map_err(|_| Status::INVALID_ALLOCATION)?);
        let size = file.metadata().map_err(|_| Status::INVALID_ALLOCATION)?.len() as usize;
        let agents = PROCESS.agents.read();
        let first = agents.iter().find(|a| a.sku().is_some()).cloned().ok_or(Status::INVALID_ALLOCATION)?;
        drop(agents);
        let from = super::memory::pools_of(&first).next().ok_or(Status::INVALID_ALLOCATION)?;
        let made = BYTES.insert(Bytes { file, size, pool: from, pinned: 0, users: AtomicU32::new(1) });
        // SAFETY: the caller passes a valid out pointer.
        unsafe { put(handle.cast(), made) }
    })())
}

pub(super) unsafe extern "C" fn retain(handle: *mut u64, address: *mut c_void) -> Status {
    status((|| {
        let base = base_of(address)?;
        let mut pieces = PIECES.lock();
        let piece = pieces.get_mut(&base).ok_or(Status::INVALID_ALLOCATION)?;
        match BYTES.get(piece.handle) {
            Some(bytes) => _ = bytes.users.fetch_add(1, Ordering::AcqRel),
            // Released, and alive through what is mapped alone: a handle again, though another number.
            None => {
                let b = &piece.bytes;
                let file = b.file.try_clone().map_err(|_| Status::OUT_OF_RESOURCES)?;
                let again = Bytes { file, size: b.size, pool: b.pool, pinned: b.pinned, users: AtomicU32::new(1) };
                piece.handle = BYTES.insert(again);
            }
        }
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(handle.cast(), piece.handle) }
    })())
}

pub(super) unsafe extern "C" fn properties(handle: u64, from: *mut PoolHandle, pinned: *mut u32) -> Status {
    status((|| {
        let bytes = BYTES.get(handle).ok_or(Status::INVALID_ALLOCATION)?;
        // SAFETY: the caller passes null or valid out pointers.
        unsafe {
            put(from.cast(), bytes.pool)?;
            put(pinned.cast(), bytes.pinned)
        }
    })())
}

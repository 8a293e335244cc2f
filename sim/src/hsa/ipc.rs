//! Memory handed from process to process: a handle names a file of the process that made it, under `/proc`, so it can be
//! attached by processes of the same user while that one lives. In the process that made it, the memory is where it was.

use super::agents::AgentState;
use super::process::{PROCESS, status};
use super::set_error;
use crate::memory::{Allocation, MemoryError};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock};
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::AgentHandle;

/// `hsa_amd_ipc_memory_t`: 32 opaque bytes.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct IpcMemory {
    process: u32,
    descriptor: i32,
    base: u64,
    size: u64,
    mark: u64,
}

const MARK: u64 = u64::from_le_bytes(*b"wavesmth");

/// How often memory of other processes is attached, by its address here.
static ATTACHED: LazyLock<Mutex<HashMap<u64, u32>>> = LazyLock::new(Mutex::default);

fn refused(error: MemoryError) -> Status {
    set_error(error.to_string());
    match error {
        MemoryError::OutOfMemory(_) => Status::OUT_OF_RESOURCES,
        _ => Status::INVALID_ARGUMENT,
    }
}

#[cfg(target_os = "linux")]
fn share(base: u64) -> Result<i32, Status> {
    PROCESS.memory.share(base).map_err(refused)
}

#[cfg(not(target_os = "linux"))]
fn share(_base: u64) -> Result<i32, Status> {
    Err(Status::OUT_OF_RESOURCES)
}

/// Another process's memory.
#[cfg(target_os = "linux")]
fn foreign(handle: &IpcMemory) -> Result<Arc<Allocation>, Status> {
    let path = format!("/proc/{}/fd/{}", handle.process, handle.descriptor);
    let file = std::fs::File::options().read(true).write(true).open(&path).map_err(|error| {
        set_error(format!("the process that made the handle is gone or not yours: {path}: {error}"));
        Status::INVALID_ARGUMENT
    })?;
    PROCESS.memory.attach(&file, handle.size as usize).map_err(refused)
}

#[cfg(not(target_os = "linux"))]
fn foreign(_handle: &IpcMemory) -> Result<Arc<Allocation>, Status> {
    Err(Status::OUT_OF_RESOURCES)
}

pub(super) unsafe extern "C" fn create(pointer: *mut c_void, size: usize, handle: *mut IpcMemory) -> Status {
    status((|| {
        let map = PROCESS.memory.snapshot();
        let found = map.find(pointer as u64).filter(|a| a.base() == pointer as u64 && size <= a.mapped());
        if found.is_none() || handle.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let made = IpcMemory {
            process: std::process::id(),
            descriptor: share(pointer as u64)?,
            base: pointer as u64,
            size: size as u64,
            mark: MARK,
        };
        // SAFETY: checked above; C callers align as they like.
        unsafe { handle.write_unaligned(made) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn attach(
    handle: *const IpcMemory,
    size: usize,
    count: u32,
    agents: *const AgentHandle,
    pointer: *mut *mut c_void,
) -> Status {
    status((|| {
        if handle.is_null() || pointer.is_null() || (count != 0 && agents.is_null()) {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes a handle.
        let handle = unsafe { handle.read_unaligned() };
        if handle.mark != MARK || size as u64 > handle.size {
            return Err(Status::INVALID_ARGUMENT);
        }
        let agents = (0..count as usize)
            // SAFETY: the caller passes that many agents.
            .map(|i| AgentState::of(unsafe { agents.add(i).read() }))
            .collect::<Result<Vec<_>, _>>()?;
        let allocation = if handle.process == std::process::id() {
            PROCESS.memory.snapshot().find(handle.base).cloned().ok_or(Status::INVALID_ARGUMENT)?
        } else {
            let allocation = foreign(&handle)?;
            *ATTACHED.lock().entry(allocation.base()).or_insert(0) += 1;
            if agents.is_empty() {
                // As the headers have it: none named is all.
                allocation.allow_all();
            }
            allocation
        };
        agents.iter().for_each(|a| allocation.allow(a.id));
        PROCESS.memory.touch();
        // SAFETY: checked above.
        unsafe { pointer.write(allocation.base() as *mut c_void) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn detach(pointer: *mut c_void) -> Status {
    status((|| {
        let map = PROCESS.memory.snapshot();
        let base = map.find(pointer as u64).ok_or(Status::INVALID_ARGUMENT)?.base();
        let mut attached = ATTACHED.lock();
        if let Some(count) = attached.get_mut(&base) {
            *count -= 1;
            if *count == 0 {
                attached.remove(&base);
                PROCESS.memory.free(base).map_err(|_| Status::INVALID_ARGUMENT)?;
            }
        }
        Ok(())
    })())
}

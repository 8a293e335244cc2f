//! Memory handed from process to process. Device memory is this process's own, so a handle can be attached where it
//! was made, which is what several runtimes in one process do, and nowhere else.

use super::agents::AgentState;
use super::process::{PROCESS, status};
use super::set_error;
use std::ffi::c_void;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::AgentHandle;

/// `hsa_amd_ipc_memory_t`: 32 opaque bytes.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct IpcMemory {
    process: u64,
    base: u64,
    size: u64,
    mark: u64,
}

const MARK: u64 = u64::from_le_bytes(*b"wavesmth");

pub(super) unsafe extern "C" fn create(pointer: *mut c_void, size: usize, handle: *mut IpcMemory) -> Status {
    status((|| {
        let map = PROCESS.memory.snapshot();
        let found = map.find(pointer as u64).filter(|a| a.base() == pointer as u64 && size <= a.mapped());
        if found.is_none() || handle.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let process = u64::from(std::process::id());
        let made = IpcMemory { process, base: pointer as u64, size: size as u64, mark: MARK };
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
        if handle.process != u64::from(std::process::id()) {
            set_error("memory of the embedded device can be attached only in the process that made it".to_owned());
            return Err(Status::OUT_OF_RESOURCES);
        }
        let map = PROCESS.memory.snapshot();
        let allocation = map.find(handle.base).ok_or(Status::INVALID_ARGUMENT)?;
        for i in 0..count as usize {
            // SAFETY: the caller passes that many agents.
            allocation.allow(AgentState::of(unsafe { agents.add(i).read() })?.id);
        }
        PROCESS.memory.touch();
        // SAFETY: checked above.
        unsafe { pointer.write(handle.base as *mut c_void) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn detach(pointer: *mut c_void) -> Status {
    let map = PROCESS.memory.snapshot();
    status(map.find(pointer as u64).map(drop).ok_or(Status::INVALID_ARGUMENT))
}

//! AMD's loader extension: which code is loaded where, for debuggers and profilers.

use super::agents::AgentState;
use super::code::{EXECUTABLES, Loaded};
use super::process::{PROCESS, put, status};
use std::ffi::c_void;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::AgentHandle;

/// `hsa_ven_amd_loader_segment_descriptor_t`.
#[repr(C)]
pub(super) struct SegmentDescriptor {
    agent: AgentHandle,
    executable: u64,
    storage_kind: u32,
    storage_base: u64,
    storage_size: usize,
    storage_offset: usize,
    segment_base: u64,
    segment_size: usize,
}

/// `HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY`.
const MEMORY: u32 = 2;
/// `HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT`.
const KIND_AGENT: u32 = 2;

/// Callback with each loaded code object of an executable.
pub(super) type LoadedCallback = Option<unsafe extern "C" fn(u64, u64, *mut c_void) -> Status>;
/// Callback with each executable.
pub(super) type ExecutableCallback = Option<unsafe extern "C" fn(u64, *mut c_void) -> Status>;

/// Loaded code is at the address that it has on the device.
pub(super) unsafe extern "C" fn query_host_address(device: *const c_void, host: *mut *const c_void) -> Status {
    status((|| {
        PROCESS.code_at(device as u64).ok_or(Status::INVALID_ARGUMENT)?;
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(host.cast(), device) }
    })())
}

/// Runs something on each loaded code object with its executable.
fn each<T>(mut found: impl FnMut(u64, &Loaded) -> Option<T>) -> Option<T> {
    EXECUTABLES.all().into_iter().find_map(|(handle, executable)| {
        let executable = executable.lock();
        executable.loaded.iter().find_map(|loaded| found(handle, loaded))
    })
}

pub(super) unsafe extern "C" fn query_segment_descriptors(out: *mut SegmentDescriptor, count: *mut usize) -> Status {
    status((|| {
        PROCESS.started()?;
        if count.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let mut all = Vec::new();
        each(|executable, loaded| {
            all.extend(loaded.code.object.segments.iter().map(|segment| SegmentDescriptor {
                agent: AgentState::handle_of(loaded.agent),
                executable,
                storage_kind: MEMORY,
                storage_base: loaded.source.as_ptr() as u64,
                storage_size: loaded.source.len(),
                storage_offset: segment.file.start,
                segment_base: loaded.code.base.wrapping_add(segment.vaddr),
                segment_size: segment.size as usize,
            }));
            None::<()>
        });
        if out.is_null() {
            // SAFETY: checked above.
            unsafe { count.write(all.len()) };
            return Ok(());
        }
        // SAFETY: the caller passes the number it has room for.
        if unsafe { count.read() } != all.len() {
            return Err(Status::INCOMPATIBLE_ARGUMENTS);
        }
        for (i, descriptor) in all.into_iter().enumerate() {
            // SAFETY: there is room for as many as were counted.
            unsafe { out.add(i).write(descriptor) };
        }
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn query_executable(device: *const c_void, out: *mut u64) -> Status {
    status((|| {
        let found = each(|executable, loaded| loaded.code.contains(device as u64).then_some(executable));
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(out.cast(), found.ok_or(Status::INVALID_ARGUMENT)?) }
    })())
}

pub(super) unsafe extern "C" fn iterate_loaded(executable: u64, callback: LoadedCallback, data: *mut c_void) -> Status {
    status((|| {
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        let found = EXECUTABLES.get(executable).ok_or(Status::INVALID_EXECUTABLE)?;
        let handles: Vec<u64> = found.lock().loaded.iter().map(|l| l.code.allocation).collect();
        for handle in handles {
            // SAFETY: the caller passes a callback that takes its own data.
            let answer = unsafe { callback(executable, handle, data) };
            if !answer.is_ok() {
                return Err(answer);
            }
        }
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn iterate_executables(callback: ExecutableCallback, data: *mut c_void) -> Status {
    status((|| {
        PROCESS.started()?;
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        for (handle, _) in EXECUTABLES.all() {
            // SAFETY: the caller passes a callback that takes its own data.
            let answer = unsafe { callback(handle, data) };
            if !answer.is_ok() {
                return Err(answer);
            }
        }
        Ok(())
    })())
}

/// `hsa_ven_amd_loader_loaded_code_object_info_t`.
pub(super) unsafe extern "C" fn loaded_get_info(handle: u64, which: u32, value: *mut c_void) -> Status {
    let found = each(|executable, loaded| {
        if loaded.code.allocation != handle {
            return None;
        }
        let (base, size) = (loaded.source.as_ptr() as u64, loaded.source.len() as u64);
        let uri = format!("memory://{}#offset={base:#x}&size={size}", std::process::id());
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        Some(unsafe {
            match which {
                1 => put(value, executable),
                2 => put(value, KIND_AGENT),
                3 => put(value, AgentState::handle_of(loaded.agent)),
                4 => put(value, MEMORY),
                5 => put(value, base),
                6 => put(value, size),
                8 => put(value, loaded.code.base as i64),
                9 => put(value, loaded.code.allocation),
                10 => put(value, loaded.code.size),
                11 => put(value, uri.len() as u32),
                12 if value.is_null() => Err(Status::INVALID_ARGUMENT),
                12 => {
                    // No NUL: the length is asked for apart and does not count one.
                    std::ptr::copy_nonoverlapping(uri.as_ptr(), value.cast(), uri.len());
                    Ok(())
                }
                _ => Err(Status::INVALID_ARGUMENT),
            }
        })
    });
    status(found.unwrap_or(Err(Status::INVALID_CODE_OBJECT)))
}

//! Extensions: of those the headers name only AMD's loader extension is offered (`hsa_ven_amd_loader.h`), whose
//! functions a program gets as a table. Debuggers and profilers use it to find what code is loaded where.

use super::agents::AgentState;
use super::process::{PROCESS, put, status};
use super::{code, loaded};
use std::ffi::{CStr, c_char, c_void};
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::AgentHandle;

const AMD_LOADER: u16 = 0x201;
/// Version of the loader extension.
const MAJOR: u16 = 1;
const MINOR: u16 = 3;

/// `HSA_EXTENSION_*`.
const NAMES: [(u16, &CStr); 7] = [
    (0, c"HSA_EXTENSION_FINALIZER"),
    (1, c"HSA_EXTENSION_IMAGES"),
    (2, c"HSA_EXTENSION_PERFORMANCE_COUNTERS"),
    (3, c"HSA_EXTENSION_PROFILING_EVENTS"),
    (0x200, c"HSA_EXTENSION_AMD_PROFILER"),
    (AMD_LOADER, c"HSA_EXTENSION_AMD_LOADER"),
    (0x202, c"HSA_EXTENSION_AMD_AQLPROFILE"),
];

fn name(extension: u16) -> Result<&'static CStr, Status> {
    NAMES.iter().find(|(number, _)| *number == extension).map(|(_, name)| *name).ok_or(Status::INVALID_ARGUMENT)
}

pub(super) unsafe extern "C" fn extension_get_name(extension: u16, out: *mut *const c_char) -> Status {
    status(name(extension).and_then(|text| {
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(out.cast(), text.as_ptr()) }
    }))
}

/// The set of extensions as attributes give it: a bit an extension, of which 128 bytes hold the first 1024.
pub(super) fn bits() -> [u8; 128] {
    let mut bits = [0; 128];
    bits[usize::from(AMD_LOADER) / 8] |= 1 << (AMD_LOADER % 8);
    bits
}

pub(super) unsafe extern "C" fn system_supported(extension: u16, major: u16, minor: u16, result: *mut bool) -> Status {
    status((|| {
        PROCESS.started()?;
        name(extension)?;
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(result.cast(), extension == AMD_LOADER && major == MAJOR && minor <= MINOR) }
    })())
}

pub(super) unsafe extern "C" fn system_major_supported(
    extension: u16,
    major: u16,
    minor: *mut u16,
    result: *mut bool,
) -> Status {
    status((|| {
        PROCESS.started()?;
        name(extension)?;
        let supported = extension == AMD_LOADER && major == MAJOR;
        // SAFETY: the caller passes null or valid out pointers.
        unsafe {
            put(minor.cast(), if supported { MINOR } else { 0 })?;
            put(result.cast(), supported)
        }
    })())
}

/// Agents offer none: the loader extension is the system's.
pub(super) unsafe extern "C" fn agent_supported(
    extension: u16,
    agent: AgentHandle,
    _major: u16,
    _minor: u16,
    result: *mut bool,
) -> Status {
    status((|| {
        AgentState::of(agent)?;
        name(extension)?;
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(result.cast(), false) }
    })())
}

pub(super) unsafe extern "C" fn agent_major_supported(
    extension: u16,
    agent: AgentHandle,
    _major: u16,
    minor: *mut u16,
    result: *mut bool,
) -> Status {
    status((|| {
        AgentState::of(agent)?;
        name(extension)?;
        // SAFETY: the caller passes null or valid out pointers.
        unsafe {
            put(minor.cast(), 0_u16)?;
            put(result.cast(), false)
        }
    })())
}

/// `hsa_ven_amd_loader_1_03_pfn_t`.
#[repr(C)]
struct LoaderTable {
    query_host_address: unsafe extern "C" fn(*const c_void, *mut *const c_void) -> Status,
    query_segment_descriptors: unsafe extern "C" fn(*mut loaded::SegmentDescriptor, *mut usize) -> Status,
    query_executable: unsafe extern "C" fn(*const c_void, *mut u64) -> Status,
    iterate_loaded: unsafe extern "C" fn(u64, loaded::LoadedCallback, *mut c_void) -> Status,
    loaded_get_info: unsafe extern "C" fn(u64, u32, *mut c_void) -> Status,
    reader_from_file: unsafe extern "C" fn(i32, usize, usize, *mut u64) -> Status,
    iterate_executables: unsafe extern "C" fn(loaded::ExecutableCallback, *mut c_void) -> Status,
}

pub(super) unsafe extern "C" fn major_table(extension: u16, major: u16, length: usize, table: *mut c_void) -> Status {
    status((|| {
        PROCESS.started()?;
        if table.is_null() || extension != AMD_LOADER || major != MAJOR {
            return Err(Status::INVALID_ARGUMENT);
        }
        let functions = LoaderTable {
            query_host_address: loaded::query_host_address,
            query_segment_descriptors: loaded::query_segment_descriptors,
            query_executable: loaded::query_executable,
            iterate_loaded: loaded::iterate_loaded,
            loaded_get_info: loaded::loaded_get_info,
            reader_from_file: code::reader_create_from_part,
            iterate_executables: loaded::iterate_executables,
        };
        let size = length.min(size_of::<LoaderTable>());
        // SAFETY: the caller has room for `length` bytes, of which no more than the table has are written.
        unsafe { std::ptr::copy_nonoverlapping((&raw const functions).cast::<u8>(), table.cast::<u8>(), size) };
        Ok(())
    })())
}

/// The older way, which gives the table of just that version.
pub(super) unsafe extern "C" fn table(extension: u16, major: u16, minor: u16, table: *mut c_void) -> Status {
    // Functions of the versions 1.00 to 1.03.
    let functions = [3_usize, 5, 6, 7];
    match functions.get(usize::from(minor)) {
        // SAFETY: the caller passes room for the table of that version.
        Some(n) => unsafe { major_table(extension, major, n * size_of::<usize>(), table) },
        None => Status::INVALID_ARGUMENT,
    }
}

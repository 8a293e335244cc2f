//! Code objects as version 1.0 of the interface had them, before readers: handles of files that are not loaded, and
//! their symbols. Deprecated since 1.1, and still core.

use super::agents;
use super::code::{self, SYMBOLS, SymbolState, name, symbol_state};
use super::process::{Handles, PROCESS, put, put_text, status};
use super::set_error;
use std::collections::HashMap;
use std::ffi::{c_char, c_void};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use wavesmith_loader::code_object::CodeObject;
use wavesmith_loader::hsa::abi::{AgentHandle, ExecutableHandle, SymbolHandle};
use wavesmith_loader::hsa::{Status, info};

static CODE_OBJECTS: LazyLock<Handles<File>> = LazyLock::new(|| Handles::new(0xc1));

struct File {
    bytes: Arc<Vec<u8>>,
    object: CodeObject,
    /// Handles given out, by symbol.
    symbols: Mutex<HashMap<String, u64>>,
}

impl Drop for File {
    fn drop(&mut self) {
        for handle in self.symbols.get_mut().unwrap_or_else(PoisonError::into_inner).values() {
            SYMBOLS.remove(*handle);
        }
    }
}

impl File {
    fn states(&self) -> impl Iterator<Item = SymbolState> + '_ {
        self.object.symbols.iter().filter_map(|s| symbol_state(&self.object, s, None, 0))
    }

    fn handle_of(&self, symbol: SymbolState) -> u64 {
        let mut symbols = self.symbols.lock().unwrap_or_else(PoisonError::into_inner);
        *symbols.entry(symbol.name.clone()).or_insert_with(|| SYMBOLS.insert(symbol))
    }
}

/// Callback that allocates what a code object is serialised to.
pub(super) type AllocateCallback = Option<unsafe extern "C" fn(usize, u64, *mut *mut c_void) -> Status>;
/// Callback of `hsa_code_object_iterate_symbols`.
pub(super) type CodeSymbolCallback = Option<unsafe extern "C" fn(u64, u64, *mut c_void) -> Status>;

fn file(handle: u64) -> Result<Arc<File>, Status> {
    CODE_OBJECTS.get(handle).ok_or(Status::INVALID_CODE_OBJECT)
}

pub(super) unsafe extern "C" fn deserialize(
    bytes: *mut c_void,
    size: usize,
    _options: *const c_char,
    out: *mut u64,
) -> Status {
    status((|| {
        PROCESS.started()?;
        if bytes.is_null() || size == 0 || out.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes that many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), size) }.to_vec();
        let object = CodeObject::parse(&bytes).map_err(|e| {
            set_error(e.to_string());
            Status::INVALID_CODE_OBJECT
        })?;
        let file = File { bytes: Arc::new(bytes), object, symbols: Mutex::default() };
        // SAFETY: the caller passes a valid out pointer.
        unsafe { out.write(CODE_OBJECTS.insert(file)) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn serialize(
    handle: u64,
    allocate: AllocateCallback,
    data: u64,
    _options: *const c_char,
    out: *mut *mut c_void,
    size: *mut usize,
) -> Status {
    status((|| {
        let file = file(handle)?;
        let allocate = allocate.ok_or(Status::INVALID_ARGUMENT)?;
        if out.is_null() || size.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let mut place = std::ptr::null_mut();
        // SAFETY: the caller passes a callback that takes its own data.
        let answer = unsafe { allocate(file.bytes.len(), data, &raw mut place) };
        if !answer.is_ok() {
            return Err(answer);
        }
        if place.is_null() {
            return Err(Status::OUT_OF_RESOURCES);
        }
        // SAFETY: the callback gave that many bytes; the caller passes valid out pointers.
        unsafe {
            std::ptr::copy_nonoverlapping(file.bytes.as_ptr(), place.cast(), file.bytes.len());
            out.write(place);
            size.write(file.bytes.len());
        }
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn destroy(handle: u64) -> Status {
    status(CODE_OBJECTS.remove(handle).map(drop).ok_or(Status::INVALID_CODE_OBJECT))
}

/// `hsa_code_object_info_t`.
pub(super) unsafe extern "C" fn get_info(handle: u64, which: u32, value: *mut c_void) -> Status {
    status((|| {
        let file = file(handle)?;
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match which {
                0 => put_text(value, 64, &file.object.abi.number().to_string()),
                1 => put(value, 0_u32),
                2 => put(value, agents::isa_of(file.object.target).ok_or(Status::INVALID_ISA)?),
                // The large machine model.
                3 => put(value, 1_u32),
                4 => put(value, info::profile::FULL),
                5 => put(value, info::rounding::NEAR),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

pub(super) unsafe extern "C" fn load(
    executable: ExecutableHandle,
    agent: AgentHandle,
    handle: u64,
    _options: *const c_char,
) -> Status {
    status(file(handle).and_then(|file| code::load_for(executable, agent, file.bytes.clone()).map(drop)))
}

pub(super) unsafe extern "C" fn get_symbol(handle: u64, symbol_name: *const c_char, out: *mut u64) -> Status {
    status((|| {
        let file = file(handle)?;
        // SAFETY: the caller passes a C string.
        let name = unsafe { name(symbol_name) }?;
        let state = file.states().find(|s| s.name == name).ok_or(Status::INVALID_SYMBOL_NAME)?;
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(out.cast(), file.handle_of(state)) }
    })())
}

pub(super) unsafe extern "C" fn get_symbol_from_name(
    handle: u64,
    _module: *const c_char,
    symbol_name: *const c_char,
    out: *mut u64,
) -> Status {
    // SAFETY: the caller passes what the other takes.
    unsafe { get_symbol(handle, symbol_name, out) }
}

/// The attributes have the numbers of an executable's symbols; those that need a load are refused.
pub(super) unsafe extern "C" fn symbol_get_info(symbol: u64, which: u32, value: *mut c_void) -> Status {
    use info::symbol as a;
    if matches!(which, a::VARIABLE_ADDRESS | a::KERNEL_OBJECT | a::AGENT) {
        return Status::INVALID_ARGUMENT;
    }
    // SAFETY: the caller passes room for the attribute's value.
    match unsafe { code::symbol_get_info(SymbolHandle { handle: symbol }, which, value) } {
        Status::INVALID_EXECUTABLE_SYMBOL => Status::INVALID_CODE_SYMBOL,
        other => other,
    }
}

pub(super) unsafe extern "C" fn iterate_symbols(
    handle: u64,
    callback: CodeSymbolCallback,
    data: *mut c_void,
) -> Status {
    status((|| {
        let file = file(handle)?;
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        for state in file.states() {
            // SAFETY: the caller passes a callback that takes its own data.
            let answer = unsafe { callback(handle, file.handle_of(state), data) };
            if !answer.is_ok() {
                return Err(answer);
            }
        }
        Ok(())
    })())
}

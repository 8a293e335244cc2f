//! Code objects: readers, executables and symbols. Segments are copied into device memory and relocated; nothing else
//! of the file reaches the device.

use super::agents::AgentState;
use super::process::{Handles, PROCESS, put, put_text, status};
use super::set_error;
use crate::AgentId;
use crate::code::{Code, LoadedCode};
use crate::memory::{Kind, PAGE};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, LazyLock};
use wavesmith_asm::Sku;
use wavesmith_loader::code_object::{CodeObject, Feature, Symbol, SymbolKind};
use wavesmith_loader::hsa::abi::{AgentHandle, ExecutableHandle, LoadedCodeHandle, ReaderHandle, SymbolHandle};
use wavesmith_loader::hsa::{Status, info};

pub(super) static READERS: LazyLock<Handles<Vec<u8>>> = LazyLock::new(|| Handles::new(0xc0));
pub(super) static EXECUTABLES: LazyLock<Handles<Mutex<Executable>>> = LazyLock::new(|| Handles::new(0xe0));
pub(super) static SYMBOLS: LazyLock<Handles<SymbolState>> = LazyLock::new(|| Handles::new(0x50));

/// What is loaded, and what was defined for it.
#[derive(Default)]
pub(super) struct Executable {
    pub frozen: bool,
    pub profile: u32,
    pub rounding: u32,
    pub loaded: Vec<Loaded>,
    /// Variables defined from outside for every agent, by name.
    defined_for_all: HashMap<String, u64>,
    /// Variables defined from outside, by agent and name.
    defined: HashMap<(AgentId, String), u64>,
    /// Symbols handed out, so that asking again gives the same handle.
    symbols: HashMap<(AgentId, String), u64>,
}

/// A code object that an executable loaded.
pub(super) struct Loaded {
    pub agent: AgentId,
    pub code: Code,
    /// The file it came from.
    pub source: Arc<Vec<u8>>,
    /// Handles of its symbols, once somebody asked for them all. HIP asks again for each kernel of a library.
    pub handles: Option<Vec<u64>>,
}

impl Drop for Executable {
    fn drop(&mut self) {
        for Loaded { code, .. } in &self.loaded {
            PROCESS.code.write().retain(|c| !Arc::ptr_eq(c, code));
            // The only failure is that it is not allocated, which it is: this freed it never before.
            let _ = PROCESS.memory.free(code.allocation);
        }
        for handle in self.symbols.values() {
            SYMBOLS.remove(*handle);
        }
    }
}

/// A symbol of an executable, or of a code object that is not loaded.
pub(super) struct SymbolState {
    pub name: String,
    /// `None` while it is not loaded.
    pub agent: Option<AgentId>,
    pub address: u64,
    pub size: u64,
    pub defined: bool,
    pub global: bool,
    /// Kernarg, LDS and scratch bytes, and whether the stack is dynamic.
    pub kernel: Option<(u32, u32, u32, bool)>,
    pub read_only: bool,
}

/// What the interface shows of a symbol; `None` for functions and others that it does not show.
pub(super) fn symbol_state(
    object: &CodeObject,
    symbol: &Symbol,
    agent: Option<AgentId>,
    base: u64,
) -> Option<SymbolState> {
    if !symbol.defined || !symbol.global {
        return None;
    }
    let kernel = (symbol.kind == SymbolKind::Descriptor).then(|| object.kernel_at(symbol.value)).flatten();
    if kernel.is_none() && symbol.kind != SymbolKind::Object {
        return None;
    }
    let segment = object.segments.iter().find(|s| s.addresses().contains(&symbol.value));
    Some(SymbolState {
        name: symbol.name.clone(),
        agent,
        address: base.wrapping_add(symbol.value),
        size: symbol.size,
        defined: symbol.defined,
        global: symbol.global,
        kernel: kernel.map(|k| {
            let d = &k.descriptor;
            (k.kernarg_size(), d.group_segment_size, d.private_segment_size, d.dynamic_stack)
        }),
        read_only: segment.is_some_and(|s| !s.writable),
    })
}

pub(super) unsafe extern "C" fn reader_create(code: *const c_void, size: usize, reader: *mut ReaderHandle) -> Status {
    status((|| {
        PROCESS.started()?;
        if code.is_null() || size == 0 || reader.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes that many bytes. They are copied: the caller may let go of them.
        let bytes = unsafe { std::slice::from_raw_parts(code.cast::<u8>(), size) }.to_vec();
        // SAFETY: the caller passes a valid out pointer.
        unsafe { reader.write(ReaderHandle { handle: READERS.insert(bytes) }) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn reader_destroy(reader: ReaderHandle) -> Status {
    status(READERS.remove(reader.handle).map(drop).ok_or(Status::INVALID_CODE_OBJECT_READER))
}

pub(super) unsafe extern "C" fn executable_create(
    profile: u32,
    rounding: u32,
    _options: *const c_char,
    executable: *mut ExecutableHandle,
) -> Status {
    status(create(profile, rounding, false, executable))
}

fn create(profile: u32, rounding: u32, frozen: bool, executable: *mut ExecutableHandle) -> Result<(), Status> {
    PROCESS.started()?;
    if executable.is_null() || profile > 1 || rounding > 2 {
        return Err(Status::INVALID_ARGUMENT);
    }
    let mut new = Executable::default();
    (new.profile, new.rounding, new.frozen) = (profile, rounding, frozen);
    // SAFETY: the caller passes a valid out pointer.
    unsafe { executable.write(ExecutableHandle { handle: EXECUTABLES.insert(Mutex::new(new)) }) };
    Ok(())
}

/// The older `hsa_executable_create`, which may create one frozen and empty.
pub(super) unsafe extern "C" fn executable_create_in_state(
    profile: u32,
    state: u32,
    _options: *const c_char,
    executable: *mut ExecutableHandle,
) -> Status {
    if state > 1 {
        return Status::INVALID_ARGUMENT;
    }
    status(create(profile, info::rounding::DEFAULT, state == 1, executable))
}

pub(super) unsafe extern "C" fn executable_get_info(
    handle: ExecutableHandle,
    which: u32,
    value: *mut c_void,
) -> Status {
    status((|| {
        let executable = executable(handle)?;
        let executable = executable.lock();
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match which {
                1 => put(value, executable.profile),
                2 => put(value, u32::from(executable.frozen)),
                3 => put(value, executable.rounding),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

/// What loads is valid: a load that would leave a name undefined fails.
pub(super) unsafe extern "C" fn validate(handle: ExecutableHandle, result: *mut u32) -> Status {
    status(executable(handle).and_then(|_| {
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(result.cast(), 0_u32) }
    }))
}

pub(super) unsafe extern "C" fn validate_alt(
    handle: ExecutableHandle,
    _options: *const c_char,
    result: *mut u32,
) -> Status {
    // SAFETY: the caller passes what the other takes.
    unsafe { validate(handle, result) }
}

pub(super) unsafe extern "C" fn executable_destroy(executable: ExecutableHandle) -> Status {
    status(EXECUTABLES.remove(executable.handle).map(drop).ok_or(Status::INVALID_EXECUTABLE))
}

pub(super) fn executable(handle: ExecutableHandle) -> Result<Arc<Mutex<Executable>>, Status> {
    EXECUTABLES.get(handle.handle).ok_or(Status::INVALID_EXECUTABLE)
}

/// Whether a part runs an object: same target, and modes as the part's driver has them (SRAM-ECC on, XNACK off).
fn compatible(object: &CodeObject, sku: &Sku) -> Result<(), String> {
    if object.target != sku.target {
        return Err(format!("the code object is for {}, {} is {}", object.target, sku.name, sku.target));
    }
    if object.features.xnack == Feature::On {
        return Err(format!("the code object needs XNACK on, which {} runs without", sku.name));
    }
    if object.features.sramecc == Feature::Off {
        return Err(format!("the code object needs SRAM-ECC off, which {} has on", sku.name));
    }
    Ok(())
}

/// Copies the segments into device memory of the agent and applies the relocations.
fn load(bytes: &[u8], object: CodeObject, agent: AgentId, executable: &Executable) -> Result<Code, Status> {
    let span = object.span();
    let align = object.segments.iter().map(|s| s.align).max().unwrap_or(1);
    if align > PAGE as u64 {
        set_error(format!("a segment is aligned to {align:#x}, device memory only to {PAGE:#x}"));
        return Err(Status::INVALID_CODE_OBJECT);
    }
    let first = span.start / PAGE as u64 * PAGE as u64;
    let size = usize::try_from(span.end - first).map_err(|_| Status::OUT_OF_RESOURCES)?;
    let allocation =
        PROCESS.memory.allocate(size.max(1), Kind::Code, Some(agent)).map_err(|_| Status::OUT_OF_RESOURCES)?;
    let base = allocation.base().wrapping_sub(first);
    let give_up = |status: Status, text: String| {
        set_error(text);
        // It was allocated just now.
        let _ = PROCESS.memory.free(allocation.base());
        status
    };
    for segment in &object.segments {
        let from = &bytes[segment.file.clone()];
        let to = base.wrapping_add(segment.vaddr) as *mut u8;
        // SAFETY: the segment lies in the span that was allocated, and nobody else knows the memory yet.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) };
    }
    for relocation in &object.relocations {
        let symbol = match relocation.symbol {
            0 => 0,
            index => {
                let symbol = &object.symbols[index];
                if symbol.absolute {
                    symbol.value
                } else if symbol.defined {
                    base.wrapping_add(symbol.value)
                } else if let Some(address) = executable.definition(agent, &symbol.name) {
                    address
                } else {
                    return Err(give_up(Status::VARIABLE_UNDEFINED, undefined(&symbol.name)));
                }
            }
        };
        let place = base.wrapping_add(relocation.vaddr);
        let value = relocation.kind.value(symbol, relocation.addend, place, base).to_le_bytes();
        // SAFETY: the reader checked that the place lies in a segment.
        unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), place as *mut u8, relocation.kind.size() as usize) };
    }
    Ok(Arc::new(LoadedCode { allocation: allocation.base(), base, size: span.end, object }))
}

/// Why an undefined name stops a load.
fn undefined(name: &str) -> String {
    let library = if name.starts_with("__ockl_") || name.starts_with("__ocml_") || name.contains("hostcall") {
        ": it is a function of the device libraries (printf and assert go through their hostcall, which is not supported); link them in"
    } else {
        ""
    };
    format!("`{name}` is not defined in the code object or the executable{library}")
}

/// Loads a file for an agent.
pub(super) fn load_for(handle: ExecutableHandle, agent: AgentHandle, source: Arc<Vec<u8>>) -> Result<Code, Status> {
    let executable = executable(handle)?;
    let agent = AgentState::of(agent)?;
    let sku = agent.sku().ok_or(Status::INVALID_AGENT)?;
    let mut executable = executable.lock();
    if executable.frozen {
        return Err(Status::FROZEN_EXECUTABLE);
    }
    let object = CodeObject::parse(&source).map_err(|e| {
        set_error(e.to_string());
        Status::INVALID_CODE_OBJECT
    })?;
    compatible(&object, sku).map_err(|text| {
        set_error(text);
        Status::INCOMPATIBLE_ARGUMENTS
    })?;
    let code = load(&source, object, agent.id, &executable)?;
    PROCESS.code.write().push(code.clone());
    executable.loaded.push(Loaded { agent: agent.id, code: code.clone(), source, handles: None });
    Ok(code)
}

pub(super) unsafe extern "C" fn load_agent_code_object(
    handle: ExecutableHandle,
    agent: AgentHandle,
    reader: ReaderHandle,
    _options: *const c_char,
    loaded: *mut LoadedCodeHandle,
) -> Status {
    status((|| {
        let source = READERS.get(reader.handle).ok_or(Status::INVALID_CODE_OBJECT_READER)?;
        let code = load_for(handle, agent, source)?;
        if !loaded.is_null() {
            // SAFETY: the caller passes null or a valid out pointer.
            unsafe { loaded.write(LoadedCodeHandle { handle: code.allocation }) };
        }
        Ok(())
    })())
}

/// Code of AMD GPUs is always some agent's: there is none that belongs to the program as a whole.
pub(super) unsafe extern "C" fn load_program_code_object(
    handle: ExecutableHandle,
    reader: ReaderHandle,
    _options: *const c_char,
    _loaded: *mut LoadedCodeHandle,
) -> Status {
    status((|| {
        executable(handle)?;
        READERS.get(reader.handle).ok_or(Status::INVALID_CODE_OBJECT_READER)?;
        set_error("a GPU code object is loaded for an agent, with hsa_executable_load_agent_code_object".to_owned());
        Err(Status::INVALID_CODE_OBJECT)
    })())
}

pub(super) unsafe extern "C" fn executable_freeze(handle: ExecutableHandle, _options: *const c_char) -> Status {
    status((|| {
        let executable = executable(handle)?;
        let mut executable = executable.lock();
        if std::mem::replace(&mut executable.frozen, true) { Err(Status::FROZEN_EXECUTABLE) } else { Ok(()) }
    })())
}

/// A C string as UTF-8.
///
/// # Safety
/// `text` must be null or NUL-terminated.
pub(super) unsafe fn name<'a>(text: *const c_char) -> Result<&'a str, Status> {
    if text.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    // SAFETY: the caller vouches for the string.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| Status::INVALID_SYMBOL_NAME)
}

pub(super) unsafe extern "C" fn agent_variable_define(
    handle: ExecutableHandle,
    agent: AgentHandle,
    variable: *const c_char,
    address: *mut c_void,
) -> Status {
    status((|| {
        let executable = executable(handle)?;
        let agent = AgentState::of(agent)?;
        // SAFETY: the caller passes a C string.
        let name = unsafe { name(variable) }?;
        let mut executable = executable.lock();
        if executable.frozen {
            return Err(Status::FROZEN_EXECUTABLE);
        }
        if executable.definition(agent.id, name).is_some() {
            return Err(Status::VARIABLE_ALREADY_DEFINED);
        }
        executable.defined.insert((agent.id, name.to_owned()), address as u64);
        Ok(())
    })())
}

/// Defines a variable for every agent.
pub(super) unsafe extern "C" fn variable_define(
    handle: ExecutableHandle,
    variable: *const c_char,
    address: *mut c_void,
) -> Status {
    status((|| {
        let executable = executable(handle)?;
        // SAFETY: the caller passes a C string.
        let name = unsafe { name(variable) }?;
        let mut executable = executable.lock();
        if executable.frozen {
            return Err(Status::FROZEN_EXECUTABLE);
        }
        if executable.defined_for_all.contains_key(name) || executable.defined.keys().any(|(_, n)| n == name) {
            return Err(Status::VARIABLE_ALREADY_DEFINED);
        }
        executable.defined_for_all.insert(name.to_owned(), address as u64);
        Ok(())
    })())
}

impl Executable {
    /// Where a variable was defined from outside.
    fn definition(&self, agent: AgentId, name: &str) -> Option<u64> {
        self.defined.get(&(agent, name.to_owned())).or_else(|| self.defined_for_all.get(name)).copied()
    }
}

fn find(executable: &Executable, agent: Option<AgentId>, name: &str) -> Option<SymbolState> {
    executable.loaded.iter().filter(|l| agent.is_none_or(|a| a == l.agent)).find_map(
        |Loaded { agent, code, .. }| {
            code.object.symbols_named(name).find_map(|s| symbol_state(&code.object, s, Some(*agent), code.base))
        },
    )
}

impl Executable {
    /// The handle of a symbol: the same each time it is asked for.
    fn handle_of(&mut self, symbol: SymbolState) -> Option<u64> {
        let key = (symbol.agent?, symbol.name.clone());
        Some(*self.symbols.entry(key).or_insert_with(|| SYMBOLS.insert(symbol)))
    }

    /// Handles of all symbols of an agent, or of all agents.
    fn handles(&mut self, agent: Option<AgentId>) -> Vec<(AgentId, u64)> {
        let mut all = Vec::new();
        for i in 0..self.loaded.len() {
            let Loaded { agent: of, code, handles, .. } = &self.loaded[i];
            let of = *of;
            if agent.is_some_and(|a| a != of) {
                continue;
            }
            if handles.is_none() {
                let code = code.clone();
                let states =
                    code.object.symbols.iter().filter_map(|s| symbol_state(&code.object, s, Some(of), code.base));
                let handles = states.filter_map(|s| self.handle_of(s)).collect();
                self.loaded[i].handles = Some(handles);
            }
            all.extend(self.loaded[i].handles.iter().flatten().map(|h| (of, *h)));
        }
        all
    }
}

pub(super) unsafe extern "C" fn get_symbol_by_name(
    handle: ExecutableHandle,
    symbol_name: *const c_char,
    agent: *const AgentHandle,
    symbol: *mut SymbolHandle,
) -> Status {
    status((|| {
        let executable = executable(handle)?;
        // SAFETY: the caller passes a C string.
        let name = unsafe { name(symbol_name) }?;
        if symbol.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let agent = match agent.is_null() {
            true => None,
            // SAFETY: the caller passes null or an agent.
            false => Some(AgentState::of(unsafe { agent.read() })?.id),
        };
        let mut executable = executable.lock();
        let found = find(&executable, agent, name).ok_or(Status::INVALID_SYMBOL_NAME)?;
        let handle = executable.handle_of(found).ok_or(Status::INVALID_SYMBOL_NAME)?;
        // SAFETY: the caller passes a valid out pointer.
        unsafe { symbol.write(SymbolHandle { handle }) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn symbol_get_info(symbol: SymbolHandle, attribute: u32, value: *mut c_void) -> Status {
    use info::symbol as a;
    status((|| {
        let symbol = SYMBOLS.get(symbol.handle).ok_or(Status::INVALID_EXECUTABLE_SYMBOL)?;
        let kernel = || symbol.kernel.ok_or(Status::INVALID_ARGUMENT);
        let variable = || if symbol.kernel.is_none() { Ok(()) } else { Err(Status::INVALID_ARGUMENT) };
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match attribute {
                a::TYPE => put(
                    value,
                    if symbol.kernel.is_some() { info::symbol_kind::KERNEL } else { info::symbol_kind::VARIABLE },
                ),
                a::NAME_LENGTH => put(value, symbol.name.len() as u32),
                // No NUL: the length is asked for apart.
                a::NAME if value.is_null() => Err(Status::INVALID_ARGUMENT),
                a::NAME => {
                    std::ptr::copy_nonoverlapping(symbol.name.as_ptr(), value.cast(), symbol.name.len());
                    Ok(())
                }
                a::MODULE_NAME_LENGTH => put(value, 0_u32),
                a::MODULE_NAME => put_text(value, 1, ""),
                a::AGENT => symbol
                    .agent
                    .ok_or(Status::INVALID_ARGUMENT)
                    .and_then(|agent| put(value, AgentState::handle_of(agent))),
                a::LINKAGE => put(value, u32::from(symbol.global)),
                a::IS_DEFINITION => put(value, symbol.defined),
                a::VARIABLE_ADDRESS => variable().and_then(|()| put(value, symbol.address)),
                a::VARIABLE_ALLOCATION => variable().and_then(|()| put(value, 0_u32)),
                a::VARIABLE_SEGMENT => variable().and_then(|()| put(value, u32::from(symbol.read_only))),
                a::VARIABLE_ALIGNMENT => {
                    variable().and_then(|()| put(value, 1_u32 << symbol.address.trailing_zeros().min(12)))
                }
                a::VARIABLE_SIZE => variable().and_then(|()| put(value, symbol.size as u32)),
                a::VARIABLE_IS_CONST => variable().and_then(|()| put(value, symbol.read_only)),
                a::KERNEL_OBJECT => kernel().and_then(|_| put(value, symbol.address)),
                a::KERNEL_KERNARG_SEGMENT_SIZE => kernel().and_then(|k| put(value, k.0)),
                a::KERNEL_KERNARG_SEGMENT_ALIGNMENT => kernel().and_then(|_| put(value, 16_u32)),
                a::KERNEL_GROUP_SEGMENT_SIZE => kernel().and_then(|k| put(value, k.1)),
                a::KERNEL_PRIVATE_SEGMENT_SIZE => kernel().and_then(|k| put(value, k.2)),
                a::KERNEL_DYNAMIC_CALLSTACK => kernel().and_then(|k| put(value, k.3)),
                a::KERNEL_CALL_CONVENTION => kernel().and_then(|_| put(value, 0_u32)),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

/// The older `hsa_executable_get_symbol`, by module and call convention, of which there is one each.
pub(super) unsafe extern "C" fn get_symbol(
    handle: ExecutableHandle,
    _module: *const c_char,
    symbol_name: *const c_char,
    agent: AgentHandle,
    _convention: i32,
    symbol: *mut SymbolHandle,
) -> Status {
    // SAFETY: the caller passes what the other takes.
    unsafe { get_symbol_by_name(handle, symbol_name, &raw const agent, symbol) }
}

/// Callback of `hsa_executable_iterate_agent_symbols`.
pub(super) type AgentSymbolCallback =
    Option<unsafe extern "C" fn(ExecutableHandle, AgentHandle, SymbolHandle, *mut c_void) -> Status>;
/// Callback of `hsa_executable_iterate_symbols`.
pub(super) type SymbolCallback = Option<unsafe extern "C" fn(ExecutableHandle, SymbolHandle, *mut c_void) -> Status>;

fn symbols_of(handle: ExecutableHandle, agent: Option<AgentId>) -> Result<Vec<(AgentId, u64)>, Status> {
    // The lock must be open again when callbacks ask about the symbols.
    Ok(executable(handle)?.lock().handles(agent))
}

pub(super) unsafe extern "C" fn iterate_agent_symbols(
    handle: ExecutableHandle,
    agent: AgentHandle,
    callback: AgentSymbolCallback,
    data: *mut c_void,
) -> Status {
    status((|| {
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        let id = AgentState::of(agent)?.id;
        for (_, symbol) in symbols_of(handle, Some(id))? {
            // SAFETY: the caller passes a callback that takes its own data.
            let answer = unsafe { callback(handle, agent, SymbolHandle { handle: symbol }, data) };
            if !answer.is_ok() {
                return Err(answer);
            }
        }
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn iterate_symbols(
    handle: ExecutableHandle,
    callback: SymbolCallback,
    data: *mut c_void,
) -> Status {
    status((|| {
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        for (_, symbol) in symbols_of(handle, None)? {
            // SAFETY: the caller passes a callback that takes its own data.
            let answer = unsafe { callback(handle, SymbolHandle { handle: symbol }, data) };
            if !answer.is_ok() {
                return Err(answer);
            }
        }
        Ok(())
    })())
}

/// Symbols of the program as a whole, of which there are none: see [`load_program_code_object`].
pub(super) unsafe extern "C" fn iterate_program_symbols(
    handle: ExecutableHandle,
    callback: SymbolCallback,
    _data: *mut c_void,
) -> Status {
    status(executable(handle).and_then(|_| callback.map(drop).ok_or(Status::INVALID_ARGUMENT)))
}

pub(super) unsafe extern "C" fn reader_create_from_file(file: i32, reader: *mut ReaderHandle) -> Status {
    status((|| {
        let end = duplicate(file)?.metadata().map_err(|_| Status::INVALID_FILE)?.len();
        let size = usize::try_from(end).map_err(|_| Status::INVALID_FILE)?;
        read_part(file, 0, size, reader.cast())
    })())
}

/// `hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size`.
pub(super) unsafe extern "C" fn reader_create_from_part(
    file: i32,
    offset: usize,
    size: usize,
    reader: *mut u64,
) -> Status {
    status(read_part(file, offset, size, reader))
}

/// The caller's open file, ours to read from and close.
fn duplicate(file: i32) -> Result<std::fs::File, Status> {
    use std::os::fd::BorrowedFd;
    if file < 0 {
        return Err(Status::INVALID_FILE);
    }
    // SAFETY: the caller passes an open file; it is only used in this statement, to be duplicated.
    let borrowed = unsafe { BorrowedFd::borrow_raw(file) };
    borrowed.try_clone_to_owned().map(std::fs::File::from).map_err(|_| Status::INVALID_FILE)
}

fn read_part(file: i32, offset: usize, size: usize, reader: *mut u64) -> Result<(), Status> {
    use std::os::unix::fs::FileExt;
    PROCESS.started()?;
    if reader.is_null() || size == 0 {
        return Err(Status::INVALID_ARGUMENT);
    }
    let file = duplicate(file)?;
    let end = file.metadata().map_err(|_| Status::INVALID_FILE)?.len();
    if (offset as u64).checked_add(size as u64).is_none_or(|e| e > end) {
        return Err(Status::INVALID_FILE);
    }
    let mut bytes = vec![0; size];
    // Not the file's own position, which is the caller's.
    file.read_exact_at(&mut bytes, offset as u64).map_err(|_| Status::INVALID_FILE)?;
    // SAFETY: the caller passes a valid out pointer.
    unsafe { reader.write(READERS.insert(bytes)) };
    Ok(())
}

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
use wavesmith_loader::code_object::{CodeObject, Feature, SymbolKind};
use wavesmith_loader::hsa::abi::{AgentHandle, ExecutableHandle, LoadedCodeHandle, ReaderHandle, SymbolHandle};
use wavesmith_loader::hsa::{Status, info};

static READERS: LazyLock<Handles<Vec<u8>>> = LazyLock::new(|| Handles::new(0xc0));
static EXECUTABLES: LazyLock<Handles<Mutex<Executable>>> = LazyLock::new(|| Handles::new(0xe0));
static SYMBOLS: LazyLock<Handles<SymbolState>> = LazyLock::new(|| Handles::new(0x50));

#[derive(Default)]
struct Executable {
    frozen: bool,
    loaded: Vec<(AgentId, Code)>,
    /// Variables defined from outside, by agent and name.
    defined: HashMap<(AgentId, String), u64>,
    /// Symbols handed out, so that asking again gives the same handle.
    symbols: HashMap<(AgentId, String), u64>,
}

impl Drop for Executable {
    fn drop(&mut self) {
        for (_, code) in &self.loaded {
            PROCESS.code.write().retain(|c| !Arc::ptr_eq(c, code));
            // The only failure is that it is not allocated, which it is: this freed it never before.
            let _ = PROCESS.memory.free(code.allocation);
        }
        for handle in self.symbols.values() {
            SYMBOLS.remove(*handle);
        }
    }
}

struct SymbolState {
    name: String,
    agent: AgentId,
    address: u64,
    size: u64,
    defined: bool,
    global: bool,
    /// Kernarg, LDS and scratch bytes, and whether the stack is dynamic.
    kernel: Option<(u32, u32, u32, bool)>,
    read_only: bool,
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
    _profile: u32,
    _rounding: u32,
    _options: *const c_char,
    executable: *mut ExecutableHandle,
) -> Status {
    status((|| {
        PROCESS.started()?;
        if executable.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes a valid out pointer.
        unsafe { executable.write(ExecutableHandle { handle: EXECUTABLES.insert(Mutex::default()) }) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn executable_destroy(executable: ExecutableHandle) -> Status {
    status(EXECUTABLES.remove(executable.handle).map(drop).ok_or(Status::INVALID_EXECUTABLE))
}

fn executable(handle: ExecutableHandle) -> Result<Arc<Mutex<Executable>>, Status> {
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
fn load(
    bytes: &[u8],
    object: CodeObject,
    agent: AgentId,
    defined: &HashMap<(AgentId, String), u64>,
) -> Result<Code, Status> {
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
                } else if let Some(address) = defined.get(&(agent, symbol.name.clone())) {
                    *address
                } else {
                    return Err(give_up(
                        Status::VARIABLE_UNDEFINED,
                        format!("`{}` is not defined in the code object or the executable", symbol.name),
                    ));
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

pub(super) unsafe extern "C" fn load_agent_code_object(
    handle: ExecutableHandle,
    agent: AgentHandle,
    reader: ReaderHandle,
    _options: *const c_char,
    loaded: *mut LoadedCodeHandle,
) -> Status {
    status((|| {
        let executable = executable(handle)?;
        let agent = AgentState::of(agent)?;
        let bytes = READERS.get(reader.handle).ok_or(Status::INVALID_CODE_OBJECT_READER)?;
        let sku = agent.sku().ok_or(Status::INVALID_AGENT)?;
        let mut executable = executable.lock();
        if executable.frozen {
            return Err(Status::FROZEN_EXECUTABLE);
        }
        let object = CodeObject::parse(&bytes).map_err(|e| {
            set_error(e.to_string());
            Status::INVALID_CODE_OBJECT
        })?;
        compatible(&object, sku).map_err(|text| {
            set_error(text);
            Status::INCOMPATIBLE_ARGUMENTS
        })?;
        let code = load(&bytes, object, agent.id, &executable.defined)?;
        PROCESS.code.write().push(code.clone());
        if !loaded.is_null() {
            // SAFETY: the caller passes null or a valid out pointer.
            unsafe { loaded.write(LoadedCodeHandle { handle: code.allocation }) };
        }
        executable.loaded.push((agent.id, code));
        Ok(())
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
unsafe fn name<'a>(text: *const c_char) -> Result<&'a str, Status> {
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
        let key = (agent.id, name.to_owned());
        if executable.defined.contains_key(&key) {
            return Err(Status::VARIABLE_ALREADY_DEFINED);
        }
        executable.defined.insert(key, address as u64);
        Ok(())
    })())
}

fn find(executable: &Executable, agent: Option<AgentId>, name: &str) -> Option<SymbolState> {
    for (owner, code) in executable.loaded.iter().filter(|(a, _)| agent.is_none_or(|g| g == *a)) {
        let object = &code.object;
        let wanted = |s: &&wavesmith_loader::code_object::Symbol| s.defined && s.global && s.name == name;
        let Some(symbol) = object.symbols.iter().find(wanted) else { continue };
        let kernel =
            object.kernels.iter().find(|k| k.descriptor_vaddr == symbol.value && symbol.kind == SymbolKind::Descriptor);
        if kernel.is_none() && symbol.kind != SymbolKind::Object {
            continue;
        }
        let segment = object.segments.iter().find(|s| s.addresses().contains(&symbol.value));
        return Some(SymbolState {
            name: name.to_owned(),
            agent: *owner,
            address: code.base.wrapping_add(symbol.value),
            size: symbol.size,
            defined: symbol.defined,
            global: symbol.global,
            kernel: kernel.map(|k| {
                let d = &k.descriptor;
                (k.kernarg_size(), d.group_segment_size, d.private_segment_size, d.dynamic_stack)
            }),
            read_only: segment.is_some_and(|s| !s.writable),
        });
    }
    None
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
        let key = (found.agent, name.to_owned());
        let handle = *executable.symbols.entry(key).or_insert_with(|| SYMBOLS.insert(found));
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
                a::AGENT => put(value, AgentState::handle_of(symbol.agent)),
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

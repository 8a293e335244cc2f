//! Executables: a code object loaded for an agent, and its kernels.

use super::error::check;
use super::{Agent, RuntimeError, Shared};
use crate::code_object::CodeObject;
use crate::hsa::abi::{ExecutableHandle, LoadedCodeHandle, ReaderHandle, SymbolHandle};
use crate::hsa::{Status, info};
use std::ffi::CString;
use std::ptr::null;
use std::sync::Arc;

/// A loaded code object.
#[derive(Clone, Debug)]
pub struct Executable {
    loaded: Arc<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    shared: Arc<Shared>,
    agent: Agent,
    handle: ExecutableHandle,
    reader: ReaderHandle,
    // The runtime may read the bytes until the reader is destroyed.
    bytes: Vec<u8>,
}

impl Drop for Loaded {
    fn drop(&mut self) {
        let functions = self.shared.functions();
        // SAFETY: each handle was created once and is destroyed once; the bytes live until after the reader.
        unsafe {
            let _ = (functions.hsa_executable_destroy)(self.handle);
            if self.reader != ReaderHandle::default() {
                let _ = (functions.hsa_code_object_reader_destroy)(self.reader);
            }
        }
    }
}

/// A kernel ready to launch; keeps its executable loaded.
#[derive(Clone, Debug)]
pub struct Kernel {
    _loaded: Arc<Loaded>,
    name: String,
    object: u64,
    kernarg_size: u32,
    group_size: u32,
    private_size: u32,
    dynamic_stack: bool,
}

/// Bytes of scratch for the stack of a kernel whose depth the compiler could not know (recursion, function pointers):
/// what the compiler itself assumes of a call to the unknown (LLVM, `amdgpu-assume-external-call-stack-size`).
const DYNAMIC_STACK: u32 = 16 << 10;

impl Executable {
    pub(super) fn load(shared: &Arc<Shared>, agent: &Agent, code: &[u8]) -> Result<Executable, RuntimeError> {
        let functions = shared.functions();
        let mut handle = ExecutableHandle::default();
        // SAFETY: no options, and a valid out pointer.
        let status = unsafe {
            (functions.hsa_executable_create_alt)(info::profile::FULL, info::rounding::DEFAULT, null(), &raw mut handle)
        };
        check("hsa_executable_create_alt", status)?;
        let mut loaded = Loaded {
            shared: shared.clone(),
            agent: agent.clone(),
            handle,
            reader: ReaderHandle::default(),
            bytes: code.to_vec(),
        };
        // SAFETY: the bytes live as long as the reader, which `Loaded` destroys first.
        let status = unsafe {
            (functions.hsa_code_object_reader_create_from_memory)(
                loaded.bytes.as_ptr().cast(),
                loaded.bytes.len(),
                &raw mut loaded.reader,
            )
        };
        check("hsa_code_object_reader_create_from_memory", status)?;
        let mut code = LoadedCodeHandle::default();
        // SAFETY: handles of this runtime, no options, and a valid out pointer.
        let status = unsafe {
            (functions.hsa_executable_load_agent_code_object)(
                handle,
                agent.handle(),
                loaded.reader,
                null(),
                &raw mut code,
            )
        };
        check("hsa_executable_load_agent_code_object", status)?;
        // SAFETY: the executable is this runtime's; no options.
        check("hsa_executable_freeze", unsafe { (functions.hsa_executable_freeze)(handle, null()) })?;
        Ok(Executable { loaded: Arc::new(loaded) })
    }

    /// A kernel by name, without `.kd`.
    ///
    /// # Errors
    /// [`RuntimeError::UnknownKernel`] lists the kernels there are.
    pub fn kernel(&self, name: &str) -> Result<Kernel, RuntimeError> {
        let name = name.strip_suffix(".kd").unwrap_or(name);
        let functions = self.loaded.shared.functions();
        let unknown = || RuntimeError::UnknownKernel {
            name: name.to_owned(),
            kernels: CodeObject::parse(&self.loaded.bytes)
                .map(|o| o.kernels.into_iter().map(|k| k.name).collect())
                .unwrap_or_default(),
        };
        let symbol_name = CString::new(format!("{name}.kd")).map_err(|_| unknown())?;
        let agent = self.loaded.agent.handle();
        let mut symbol = SymbolHandle::default();
        // SAFETY: a NUL-terminated name, an agent of this runtime, and a valid out pointer.
        let status = unsafe {
            (functions.hsa_executable_get_symbol_by_name)(
                self.loaded.handle,
                symbol_name.as_ptr(),
                &raw const agent,
                &raw mut symbol,
            )
        };
        if status == Status::INVALID_SYMBOL_NAME {
            return Err(unknown());
        }
        check("hsa_executable_get_symbol_by_name", status)?;
        let word = |attribute: u32| {
            let mut value = 0_u32;
            // SAFETY: every attribute asked for below has a `uint32_t` value.
            let status =
                unsafe { (functions.hsa_executable_symbol_get_info)(symbol, attribute, (&raw mut value).cast()) };
            check("hsa_executable_symbol_get_info", status).map(|()| value)
        };
        if word(info::symbol::TYPE)? != info::symbol_kind::KERNEL {
            return Err(unknown());
        }
        let mut object = 0_u64;
        // SAFETY: the attribute's value is a `uint64_t`.
        let status = unsafe {
            (functions.hsa_executable_symbol_get_info)(symbol, info::symbol::KERNEL_OBJECT, (&raw mut object).cast())
        };
        check("hsa_executable_symbol_get_info", status)?;
        let mut dynamic_stack = false;
        // SAFETY: the attribute's value is a `bool`.
        let status = unsafe {
            (functions.hsa_executable_symbol_get_info)(
                symbol,
                info::symbol::KERNEL_DYNAMIC_CALLSTACK,
                (&raw mut dynamic_stack).cast(),
            )
        };
        check("hsa_executable_symbol_get_info", status)?;
        Ok(Kernel {
            _loaded: self.loaded.clone(),
            name: name.to_owned(),
            object,
            kernarg_size: word(info::symbol::KERNEL_KERNARG_SEGMENT_SIZE)?,
            group_size: word(info::symbol::KERNEL_GROUP_SEGMENT_SIZE)?,
            private_size: word(info::symbol::KERNEL_PRIVATE_SEGMENT_SIZE)?,
            dynamic_stack,
        })
    }
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Device address of its descriptor.
    pub fn object(&self) -> u64 {
        self.object
    }

    /// Bytes of its kernarg segment, as the runtime gives them.
    pub fn kernarg_size(&self) -> u32 {
        self.kernarg_size
    }

    /// Bytes of static LDS.
    pub fn group_size(&self) -> u32 {
        self.group_size
    }

    /// Bytes of scratch of a work-item, with room for the calls of a kernel whose depth is unknown.
    pub fn private_size(&self) -> u32 {
        if self.dynamic_stack { self.private_size.saturating_add(DYNAMIC_STACK) } else { self.private_size }
    }
}

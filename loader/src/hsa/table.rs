//! The table of HSA functions, and where it comes from: a shared library, or anybody who fills it in.

use super::Status;
use super::abi::{
    AgentCallback, AgentHandle, ExecutableHandle, HsaQueue, IsaCallback, IsaHandle, LoadedCodeHandle, PoolCallback,
    PoolHandle, ProfilingTime, QueueCallback, ReaderHandle, SignalHandle, SignalValue, SymbolHandle,
};
use libloading::Library;
use std::ffi::{c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The library's name, as the dynamic linker finds it.
pub const LIBRARY: &str = "libhsa-runtime64.so.1";

/// Why a shared library does not give a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The library does not load.
    #[error("{} does not load: {reason}. Install ROCm's HSA runtime, or use `--device embedded`", .path.display())]
    Library {
        /// Which.
        path: PathBuf,
        /// What the dynamic linker says.
        reason: String,
    },
    /// The library lacks a function.
    #[error("{} has no function `{function}`: it is no HSA runtime, or one older than ROCm 5", .path.display())]
    Function {
        /// Which library.
        path: PathBuf,
        /// Which function.
        function: &'static str,
    },
}

macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?;)*) => {
        /// The HSA functions that the loader calls, each with the signature of the headers.
        #[derive(Clone, Copy, Debug)]
        pub struct Functions {
            $($(#[$doc])* pub $name: unsafe extern "C" fn($($arg: $ty),*) $(-> $ret)?,)*
        }

        impl Functions {
            /// Looks each function up.
            ///
            /// # Safety
            /// The library's functions of these names must be those of an HSA runtime, and must not be called after
            /// the library is closed.
            unsafe fn from_library(library: &Library, path: &Path) -> Result<Functions, OpenError> {
                Ok(Functions {$(
                    $name: {
                        let missing = || OpenError::Function { path: path.to_owned(), function: stringify!($name) };
                        // SAFETY: the caller vouches that a function of this name has the headers' signature.
                        *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }.map_err(|_| missing())?
                    },
                )*})
            }
        }
    };
}

functions! {
    /// Starts the runtime, or counts one more user.
    fn hsa_init() -> Status;
    /// Ends the runtime when its last user ends it.
    fn hsa_shut_down() -> Status;
    /// Text of a status.
    fn hsa_status_string(status: Status, text: *mut *const c_char) -> Status;
    /// An attribute of the system.
    fn hsa_system_get_info(attribute: u32, value: *mut c_void) -> Status;
    /// Calls back with each agent.
    fn hsa_iterate_agents(callback: AgentCallback, data: *mut c_void) -> Status;
    /// An attribute of an agent.
    fn hsa_agent_get_info(agent: AgentHandle, attribute: u32, value: *mut c_void) -> Status;
    /// Calls back with each ISA of an agent.
    fn hsa_agent_iterate_isas(agent: AgentHandle, callback: IsaCallback, data: *mut c_void) -> Status;
    /// An attribute of an ISA.
    fn hsa_isa_get_info_alt(isa: IsaHandle, attribute: u32, value: *mut c_void) -> Status;
    /// Calls back with each memory pool of an agent.
    fn hsa_amd_agent_iterate_memory_pools(agent: AgentHandle, callback: PoolCallback, data: *mut c_void) -> Status;
    /// An attribute of a pool.
    fn hsa_amd_memory_pool_get_info(pool: PoolHandle, attribute: u32, value: *mut c_void) -> Status;
    /// What an agent may do with a pool.
    fn hsa_amd_agent_memory_pool_get_info(agent: AgentHandle, pool: PoolHandle, attribute: u32, value: *mut c_void) -> Status;
    /// Allocates.
    fn hsa_amd_memory_pool_allocate(pool: PoolHandle, size: usize, flags: u32, pointer: *mut *mut c_void) -> Status;
    /// Frees.
    fn hsa_amd_memory_pool_free(pointer: *mut c_void) -> Status;
    /// Sets which agents may access an allocation.
    fn hsa_amd_agents_allow_access(count: u32, agents: *const AgentHandle, flags: *const u32, pointer: *const c_void) -> Status;
    /// Copies, and returns when done.
    fn hsa_memory_copy(to: *mut c_void, from: *const c_void, size: usize) -> Status;
    /// Copies in the background.
    fn hsa_amd_memory_async_copy(to: *mut c_void, to_agent: AgentHandle, from: *const c_void, from_agent: AgentHandle, size: usize, dependencies: u32, signals: *const SignalHandle, completion: SignalHandle) -> Status;
    /// Fills with a 32-bit value, `count` times.
    fn hsa_amd_memory_fill(pointer: *mut c_void, value: u32, count: usize) -> Status;
    /// Makes a signal.
    fn hsa_signal_create(initial: SignalValue, consumers: u32, agents: *const AgentHandle, signal: *mut SignalHandle) -> Status;
    /// Ends a signal.
    fn hsa_signal_destroy(signal: SignalHandle) -> Status;
    /// Reads a signal, acquire.
    fn hsa_signal_load_scacquire(signal: SignalHandle) -> SignalValue;
    /// Sets a signal, release; rings it where it is a doorbell.
    fn hsa_signal_store_screlease(signal: SignalHandle, value: SignalValue);
    /// Waits until a condition holds or the timeout, in system ticks, ends; returns the value seen.
    fn hsa_signal_wait_scacquire(signal: SignalHandle, condition: u32, compare: SignalValue, timeout: u64, state: u32) -> SignalValue;
    /// Makes a queue.
    fn hsa_queue_create(agent: AgentHandle, size: u32, kind: u32, callback: QueueCallback, data: *mut c_void, private_size: u32, group_size: u32, queue: *mut *mut HsaQueue) -> Status;
    /// Ends a queue.
    fn hsa_queue_destroy(queue: *mut HsaQueue) -> Status;
    /// Stops a queue; what runs is ended.
    fn hsa_queue_inactivate(queue: *mut HsaQueue) -> Status;
    /// Reserves packet slots; returns the first one's index.
    fn hsa_queue_add_write_index_screlease(queue: *const HsaQueue, count: u64) -> u64;
    /// Index of the next packet that the device takes.
    fn hsa_queue_load_read_index_scacquire(queue: *const HsaQueue) -> u64;
    /// Opens a code object.
    fn hsa_code_object_reader_create_from_memory(code: *const c_void, size: usize, reader: *mut ReaderHandle) -> Status;
    /// Closes it.
    fn hsa_code_object_reader_destroy(reader: ReaderHandle) -> Status;
    /// Makes an empty executable.
    fn hsa_executable_create_alt(profile: u32, rounding: u32, options: *const c_char, executable: *mut ExecutableHandle) -> Status;
    /// Ends an executable.
    fn hsa_executable_destroy(executable: ExecutableHandle) -> Status;
    /// Loads a code object for an agent.
    fn hsa_executable_load_agent_code_object(executable: ExecutableHandle, agent: AgentHandle, reader: ReaderHandle, options: *const c_char, loaded: *mut LoadedCodeHandle) -> Status;
    /// Gives an undefined variable of later code objects an address.
    fn hsa_executable_agent_global_variable_define(executable: ExecutableHandle, agent: AgentHandle, name: *const c_char, address: *mut c_void) -> Status;
    /// Binds what is loaded.
    fn hsa_executable_freeze(executable: ExecutableHandle, options: *const c_char) -> Status;
    /// A symbol of an executable.
    fn hsa_executable_get_symbol_by_name(executable: ExecutableHandle, name: *const c_char, agent: *const AgentHandle, symbol: *mut SymbolHandle) -> Status;
    /// An attribute of a symbol.
    fn hsa_executable_symbol_get_info(symbol: SymbolHandle, attribute: u32, value: *mut c_void) -> Status;
    /// Turns dispatch times on.
    fn hsa_amd_profiling_set_profiler_enabled(queue: *mut HsaQueue, enable: i32) -> Status;
    /// When a dispatch ran.
    fn hsa_amd_profiling_get_dispatch_time(agent: AgentHandle, signal: SignalHandle, time: *mut ProfilingTime) -> Status;
}

/// A table of HSA functions, and the library that holds them if there is one.
#[derive(Clone, Debug)]
pub struct HsaTable {
    functions: Functions,
    name: Arc<str>,
    // Keeps the functions callable.
    _library: Option<Arc<Library>>,
}

impl HsaTable {
    /// Opens a shared library; [`LIBRARY`] is the usual one.
    ///
    /// # Errors
    /// [`OpenError`] says which library or function is missing.
    pub fn open(path: impl AsRef<Path>) -> Result<HsaTable, OpenError> {
        let path = path.as_ref();
        // SAFETY: loading runs the library's initialisers. The path names an HSA runtime, whose initialisers only set
        // its own state up; whoever puts another library there has the user's rights anyway.
        let library = unsafe { Library::new(path) }
            .map_err(|e| OpenError::Library { path: path.to_owned(), reason: e.to_string() })?;
        // SAFETY: functions of these names are the HSA runtime's, and the table keeps the library open.
        let functions = unsafe { Functions::from_library(&library, path) }?;
        Ok(HsaTable { functions, name: path.to_string_lossy().into(), _library: Some(Arc::new(library)) })
    }

    /// A table of functions that live as long as the process.
    pub fn from_functions(name: &str, functions: Functions) -> HsaTable {
        HsaTable { functions, name: name.into(), _library: None }
    }

    /// The functions. Copies must not outlive the table.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Where they come from, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }
}

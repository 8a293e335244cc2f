//! A safe runtime on top of the table: agents, memory, executables, queues and signals that free themselves.
//!
//! Everything holds the runtime it came from, so `hsa_shut_down` runs after the last of them is gone. What a kernel
//! does to memory is outside Rust's rules: a kernel may only be given addresses of [`Buffer`]s, which are never
//! borrowed as slices, only copied from and to or accessed atomically.

mod agent;
mod buffer;
mod error;
mod executable;
mod queue;
mod signal;

pub use agent::{Agent, nearest_sku};
pub use buffer::{Buffer, MemoryKind};
pub use error::RuntimeError;
pub use executable::{Executable, Kernel};
pub use queue::{Geometry, Launch, Pending, Queue, Times};
pub use signal::Signal;

use crate::hsa::table::LIBRARY;
use crate::hsa::{Functions, HsaTable, info};
use agent::HostPools;
use error::{check, system_info};
use std::sync::Arc;

/// A started runtime.
#[derive(Clone, Debug)]
pub struct Runtime {
    shared: Arc<Shared>,
    gpus: Vec<Agent>,
}

/// The initialised library: shut down when the last holder goes.
#[derive(Debug)]
struct Session {
    table: HsaTable,
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: `hsa_init` succeeded on this table once for this session. A failure has nobody to report to.
        let _ = unsafe { (self.table.functions().hsa_shut_down)() };
    }
}

/// What every object keeps alive.
#[derive(Debug)]
struct Shared {
    session: Session,
    /// Ticks of the system clock a second.
    frequency: u64,
    host: HostPools,
}

impl Shared {
    fn functions(&self) -> &Functions {
        self.session.table.functions()
    }
}

impl Runtime {
    /// Starts the runtime behind a table.
    ///
    /// # Errors
    /// [`RuntimeError::Init`] with what `hsa_init` returned, or the call that failed while looking at the agents.
    pub fn start(table: HsaTable) -> Result<Runtime, RuntimeError> {
        // SAFETY: `hsa_init` takes nothing and may be called at any time.
        let status = unsafe { (table.functions().hsa_init)() };
        if !status.is_ok() {
            return Err(RuntimeError::Init { library: table.name().to_owned(), status });
        }
        let session = Session { table };
        let functions = session.table.functions();
        let mut frequency = 0_u64;
        // SAFETY: the attribute's value is a `uint64_t`.
        let status = unsafe { system_info(functions, info::system::TIMESTAMP_FREQUENCY, &mut frequency) };
        check("hsa_system_get_info", status)?;
        let found = agent::discover(functions)?;
        let shared = Arc::new(Shared { session, frequency: frequency.max(1), host: found.host });
        let gpus = found.gpus.into_iter().map(|gpu| Agent::new(shared.clone(), gpu)).collect();
        Ok(Runtime { shared, gpus })
    }

    /// Opens the system's HSA runtime and asks for a GPU: `--device hsa`.
    ///
    /// # Errors
    /// That the library is missing, what `hsa_init` returned, or that there is no GPU; each says what to do.
    pub fn open_system() -> Result<Runtime, RuntimeError> {
        let runtime = Runtime::start(HsaTable::open(LIBRARY)?)?;
        if runtime.gpus.is_empty() {
            return Err(RuntimeError::NoGpu { library: runtime.name().to_owned() });
        }
        Ok(runtime)
    }

    /// The GPU agents, in the runtime's order.
    pub fn gpu_agents(&self) -> &[Agent] {
        &self.gpus
    }

    /// Where the functions come from.
    pub fn name(&self) -> &str {
        self.shared.session.table.name()
    }

    /// The table, for calls that have no wrapper.
    pub fn table(&self) -> &HsaTable {
        &self.shared.session.table
    }
}

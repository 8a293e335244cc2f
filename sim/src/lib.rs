//! The embedded device: executes code objects without a GPU, behind the same table of HSA functions that the real
//! runtime offers.

pub mod agent;
pub mod code;
pub mod dispatch;
pub mod fault;
pub mod memory;

pub use agent::AgentId;
pub use dispatch::Dispatch;
pub use fault::{Fault, FaultKind, Stats};
pub use memory::Memory;

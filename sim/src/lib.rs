//! The embedded device: executes code objects without a GPU, behind the same table of HSA functions that the real
//! runtime offers.

// A fault ends a dispatch: its size costs nothing, and a box would hide its fields.
#![allow(clippy::result_large_err)]

pub mod agent;
pub mod aperture;
pub mod checked;
pub mod code;
pub mod config;
pub mod dispatch;
pub mod engine;
pub mod fault;
pub mod hsa;
pub mod memory;
pub mod timing;

pub use agent::AgentId;
pub use config::{Config, EngineKind, Numerics, Stop};
pub use dispatch::Dispatch;
pub use fault::{Fault, FaultKind, RegisterRead, Stats};
pub use hsa::{Engine, configure, last_error, last_fault, last_stats};
pub use memory::Memory;

use wavesmith_asm::Sku;
use wavesmith_loader::hsa::HsaTable;

/// The HSA functions of an embedded device with one CPU agent and a GPU agent for each part.
pub fn table(skus: &[&'static Sku]) -> HsaTable {
    hsa::table_with_engine(skus, engine::run)
}

/// A shared library to preload under programs that look for AMD's kernel driver before they ask HSA (`rocminfo`): for
/// them alone, `/dev/kfd` opens and the driver is loaded. Empty on hosts for which there is no drop-in runtime.
pub const DRIVER_SHIM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/driver_shim.so"));

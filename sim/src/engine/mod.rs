//! The engine: executes a dispatch of machine code on the host.
//!
//! Instructions are lowered once to a few typed micro-operations (`ir`, `lower`), which the interpreter executes
//! (`run`) on registers kept as `[register][lane]` (`state`, `lanes`). `schedule` spreads workgroups over threads.
//! [`run`] is the entry; everything else is how.

pub(crate) mod access;
mod coverage;
pub(crate) mod gws;
pub mod ir;
#[cfg(all(target_arch = "x86_64", unix))]
mod jit;
pub(crate) mod kept;
pub mod lanes;
pub(crate) mod lower;
pub mod mfma;
mod reads;
pub(crate) mod run;
mod salu;
mod scatter;
pub(crate) mod schedule;
pub(crate) mod stall;
pub(crate) mod start;
pub(crate) mod state;
pub(crate) mod stepper;
mod typed;

pub use coverage::{Coverage, Gap, coverage};
pub(crate) use schedule::disturbed;

use crate::config::{Config, EngineKind};
use crate::dispatch::Dispatch;
use crate::fault::{Fault, Stats};
use crate::memory::Memory;

/// Executes a dispatch to its end.
///
/// # Errors
/// The first [`Fault`] of any wave; the host process goes on, and so may other dispatches.
pub fn run(dispatch: &Dispatch, memory: &Memory, config: &Config) -> Result<Stats, Fault> {
    if let Some(request) = &config.timing {
        return crate::timing::run(dispatch, memory, config, request);
    }
    let shared = schedule::Shared::new(dispatch, memory, config)?;
    match config.engine {
        EngineKind::Checked => {
            let stats = crate::checked::run(&shared)?;
            shared.changed_code().map_or(Ok(stats), Err)
        }
        EngineKind::Jit | EngineKind::Interp => shared.run(),
    }
}

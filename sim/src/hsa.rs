//! The HSA functions over the embedded device.
//!
//! Like the real runtime, the state is the process's: handles mean the same in every table. Only `hsa_init`,
//! `hsa_shut_down` and `hsa_iterate_agents` must know which parts a caller asked for, and a C function has no room for
//! that, so each set of parts has its own instance of these three (see `slots`).
//!
//! Two things are not HSA's: [`configure`] sets how a queue executes, and [`last_fault`] tells what a status code
//! cannot.

// Without the drop-in library nobody calls what only C programs call.
#![cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), allow(dead_code))]

mod agents;
mod code;
mod copies;
mod deprecated;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod dropin;
mod events;
mod extensions;
mod handlers;
mod ipc;
mod isas;
mod lead;
mod loaded;
mod memory;
mod pointers;
mod process;
mod queue_ops;
mod queues;
mod regions;
mod signal_ops;
mod signals;
mod slots;
mod table;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod vmem;

pub use queues::{configure, last_fault, last_stats};
pub use slots::table_with_engine;

use crate::config::Config;
use crate::dispatch::Dispatch;
use crate::fault::{Fault, Stats};
use crate::memory::Memory;
use std::cell::RefCell;

/// What executes a dispatch.
pub type Engine = fn(&Dispatch, &Memory, &Config) -> Result<Stats, Fault>;

thread_local! {
    static LAST_ERROR: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn set_error(text: String) {
    LAST_ERROR.with_borrow_mut(|e| *e = Some(text));
}

/// Why the last HSA call of this thread that had more to say than its status failed: loading a code object, mostly.
pub fn last_error() -> Option<String> {
    LAST_ERROR.with_borrow(Clone::clone)
}

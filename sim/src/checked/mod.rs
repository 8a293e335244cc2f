//! The watching engine: the interpreter, one instruction at a time, with everything looked at.
//!
//! `run` steps the waves of a dispatch on one thread in an order that a seed decides. Around each instruction it asks
//!
//! - `flight`: is a register touched that a memory operation still owes a value, by the `s_waitcnt`s that were executed;
//! - the wait-state rules of [`wavesmith_asm::hazard`], on the path that was taken;
//! - `relative`: which registers an index in M0 makes of those that the text names;
//! - `undefined`: does a value that nothing has written decide an address, a branch, EXEC or an output;
//!
//! and while it executes, accesses to memory and LDS come through `watch`, which knows
//!
//! - the bounds of every allocation (each has at least a page of nothing behind it), of LDS and of scratch;
//! - `lds`: who touched which byte of LDS since which barrier, and where LDS-DMA is on its way;
//! - `clocks` and `shadow`: who touched which dword of memory, and what each wave knows of the others, by the release and
//!   acquire sequences of the gfx942 memory model;
//! - `caches`: memory as unkind as that model allows.
//!
//! # Chance
//! [`Options::seed`] decides which wave goes on and for how long, which waves are held back, when a load gets its value
//! (at its issue or as late as the wait that covers it), when and in what pieces a store is seen, which lines caches keep,
//! and what undefined registers hold. The same seed gives the same run, unless the host or another dispatch writes
//! memory meanwhile.
//!
//! # What is an error
//! What the guides forbid and shipping code does not do either; the static checker's scale. A use that no wait covers is
//! advice where so many issue slots lie between that shipping code is known to rely on them.

mod caches;
mod clocks;
mod finding;
mod flight;
mod lds;
mod options;
mod program;
mod relative;
mod rng;
mod shadow;
mod stepping;
mod undefined;
mod watch;

pub use finding::{Finding, Kind, Place, Severity, Sink};
pub use options::Options;
pub(crate) use stepping::run;
pub use watch::Watch;

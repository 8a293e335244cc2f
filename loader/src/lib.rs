//! HSA as wavesmith uses it: C ABI types, a table of the runtime's functions, a safe runtime on top of that table, and
//! a reader of code objects.
//!
//! The table comes either from a shared library (`libhsa-runtime64.so.1`, through `libloading`) or from the embedded
//! device in `wavesmith-sim`. This crate does not know which: everything above the table is the same code for both.
//!
//! Writing code objects is the emitter's business, done with another ELF library: what that one writes and this one
//! reads back is checked by two implementations.

pub mod bundle;
pub mod code_object;
pub mod hsa;
pub mod kernarg;
pub mod runtime;

pub use hsa::HsaTable;
pub use kernarg::Kernargs;
pub use runtime::{
    Agent, Buffer, Executable, Geometry, Kernel, Launch, MemoryKind, Pending, Queue, Runtime, RuntimeError, Signal,
};

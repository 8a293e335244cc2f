//! From Rust calls to a loadable code object.
//!
//! A kernel generator drives a [`KernelBuilder`], which records instructions, keeps registers, labels, waits and wait
//! states, and ends as a [`Kernel`]; [`object::pack`] turns kernels into the ELF file HSA loads. Everything a
//! descriptor says is computed from the code, never typed by hand.
#![forbid(unsafe_code)]

mod alloc;
pub mod builder;
pub mod descriptor;
pub mod error;
mod finish;
mod flowgraph;
pub mod kernarg;
pub mod kernel;
pub mod link;
pub mod listing;
pub mod metadata;
pub mod object;
pub mod report;
pub mod schedule;
pub mod tile;
mod waits;

pub use builder::{Abi, KernelBuilder, Label, Lds, When};
pub use descriptor::{Feature, FloatMode, KernelDescriptor, RegisterUse, SystemRegisters, UserSgprs};
pub use error::EmitError;
pub use kernarg::{Arg, Kernargs};
pub use kernel::Kernel;
pub use listing::Listing;
pub use metadata::Dim;
pub use report::KernelReport;
pub use schedule::Stream;
pub use wavesmith_emitter_derive::Kernargs;

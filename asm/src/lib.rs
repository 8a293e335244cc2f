//! The CDNA instruction sets: targets, parts, instruction rows, and one encoder, decoder, printer and parser that all
//! formats share. Pure data and functions: no I/O, no `unsafe`.
#![forbid(unsafe_code)]

pub mod occupancy;
pub mod sku;
pub mod target;

pub use sku::Sku;
pub use target::{Target, Targets};

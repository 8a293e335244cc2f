//! The CDNA instruction sets: targets, parts, instruction rows, and one encoder, decoder, printer and parser that all
//! formats share. Pure data and functions: no I/O, no `unsafe`.
#![forbid(unsafe_code)]

pub mod assemble;
pub mod build;
pub mod canonical;
pub mod class;
pub mod counters;
pub mod describe;
pub mod disassemble;
pub mod effects;
pub mod encode;
mod encoding;
pub mod float;
pub mod format;
pub mod generate;
pub mod hazard;
pub mod imm;
pub mod inst;
pub mod lines;
pub mod names;
pub mod occupancy;
pub mod operand;
pub mod parse;
pub mod print;
pub mod properties;
pub mod reg;
pub mod row;
pub mod rows;
pub mod sem;
pub mod severity;
pub mod sku;
pub mod target;

pub use build::{Build, Code, Emit};
pub use class::{Hazard, Time};
pub use encode::{EncodeError, encode};
pub use format::{Field, Form, Format};
pub use inst::{DecodeError, Inst, decode};
pub use names::Mnemonic;
pub use operand::Operand;
pub use reg::{Reg, RegClass};
pub use row::{Access, Class, Opd, Row};
pub use rows::RowId;
pub use sem::Sem;
pub use severity::Severity;
pub use sku::Sku;
pub use target::{Target, Targets};

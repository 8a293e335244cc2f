//! The C interface of the HSA runtime: types as the headers lay them out, status codes, and the table of functions.

pub mod abi;
pub mod info;
pub mod packet;
pub mod status;
pub mod table;

pub use status::Status;
pub use table::{Functions, HsaTable, OpenError};

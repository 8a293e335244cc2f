//! Runs the monokernel: buffers, upload, launch, and tokens as they come.
//!
//! On a real GPU and on the embedded device alike: all it knows is the loader's runtime. It is a crate of its own so that
//! the command and the verifier's tests drive the kernel through the same code.
#![forbid(unsafe_code)]

mod decoder;
mod error;

pub use decoder::{Decoded, Decoder, Request};
pub use error::RunError;

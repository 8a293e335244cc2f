//! Shipping hand-written kernels of AITER on the embedded device, against plain Rust; a file for each family.
//!
//! They are public but not ours to keep: the folder with `gfx942/` and `gfx950/` is named by `WAVESMITH_CORPUS`.
//! Without it these tests skip, in CI too: they are run by hand.

mod attention;
mod device;
mod experts;
mod gemm;
mod latent;
mod mixed;
mod paged;
#[path = "../placed/mod.rs"]
mod placed;
mod reduce;
mod topk;
#[allow(dead_code)]
#[path = "../watched/mod.rs"]
mod watched;

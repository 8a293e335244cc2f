//! GEMM: `C = alpha · op(A) · op(B) + beta · C + bias`, one generator for every type, target and shape.
//!
//! A workgroup computes a tile of C. Tiles of A and B travel from memory through registers to LDS, double-buffered, k
//! running along LDS rows for both; waves read matrix operands from LDS and multiply. All operands of one 16-byte chunk
//! share their place in k on both sides, so the order of products within a chunk is the instruction's business alone.
//! Edges in M and N are met by clamping addresses (what is computed beyond them is never stored), the edge in K by a
//! last tile whose loads are masked and whose rest is zero.
//!
//! - Arguments: [`GemmArgs`]. Launch: [`Gemm::workgroups`], 64 work-items a wave.
//! - LDS: two stages of A's tile followed by B's.
//! - Registers: virtual throughout; results live in AGPRs where they are many.
//! - Reference: `wavesmith_verify::matmul`, with a bound derived from the types and K.

mod args;
mod emit;
mod epilogue;
mod loader;
mod params;

pub use args::{GemmArgs, GemmProblem};
pub use params::{Activation, Dtype, Extras, GemmError, GemmParams, Schedule};

use wavesmith_asm::Sku;
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_emitter::{Kernargs, Kernel};

/// A generated GEMM.
#[derive(Clone, Debug)]
pub struct Gemm {
    /// What it was generated from.
    pub params: GemmParams,
    /// The kernel.
    pub kernel: Kernel,
    /// Where its arguments lie.
    pub args: Kernargs,
    /// The code object.
    pub object: Vec<u8>,
}

impl Gemm {
    /// Workgroups in x, y and z for an `m` × `n` result, `batch` of them.
    pub fn workgroups(&self, m: u32, n: u32, batch: u32) -> [u32; 3] {
        [n.div_ceil(self.params.tile_n), m.div_ceil(self.params.tile_m), batch]
    }

    /// Work-items of a workgroup.
    pub fn workgroup_size(&self) -> u32 {
        self.params.threads()
    }
}

/// The kernel's name in its code object.
pub const KERNEL: &str = "gemm";

/// Generates the GEMM of `params` for a part.
///
/// # Errors
/// [`GemmError`] says which parameter does not fit and what would.
pub fn gemm(params: &GemmParams, sku: &Sku) -> Result<Gemm, GemmError> {
    let plan = params.plan(sku.target)?;
    let (kernel, args) = emit::emit(params, &plan, sku.target)?;
    let object = pack(std::slice::from_ref(&kernel), &PackOptions::default())?;
    Ok(Gemm { params: *params, kernel, args, object })
}

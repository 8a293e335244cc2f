//! GEMM: `C = f(alpha · op(A) · op(B) + beta · C + bias)`, one generator for every type, target and shape.
//!
//! A workgroup computes tiles of C. Tiles of A and B travel from memory to LDS, through registers or straight, stage by
//! stage of K in a ring, k running along LDS rows for both; waves read matrix operands from LDS and multiply. All
//! operands that a lane reads at once share their place in k on both sides, so the order of products within is the
//! instruction's business alone. Edges in M and N are met by clamping addresses (what is computed beyond them is never
//! stored), the edge in K by last stages whose loads are masked and whose rest is zero.
//!
//! - Arguments: [`GemmArgs`]. Launch: [`Gemm::grid`], in a row, 64 work-items a wave.
//! - LDS: stages of A's tile followed by B's and by their scales.
//! - Registers: virtual throughout; results live in AGPRs where they are many.
//! - Reference: `wavesmith_verify::matmul`, bit for bit where the part's rounding is known, else with a bound derived from
//!   the types and K.

mod args;
mod arith;
mod direct;
mod dtype;
mod emit;
mod epilogue;
mod guard;
mod hot;
mod loader;
mod order;
mod params;
mod partial;
mod plan;
mod ring;
mod runs;
mod set;
mod stages;
mod words;
mod work;

pub use args::{GemmArgs, GemmBuffers, GemmProblem, Grid};
pub use dtype::{Dtype, MX_BLOCK, Mx};
pub use params::{Activation, Extras, GemmError, GemmParams, Order, Schedule};
pub use set::set;
pub(crate) use words::elem;

use wavesmith_asm::Sku;
use wavesmith_asm::sem::Elem;
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_emitter::{Kernargs, Kernel};

/// A generated GEMM.
#[derive(Clone, Debug)]
pub struct Gemm {
    /// What it was generated from.
    pub params: GemmParams,
    /// The part it was generated for.
    pub sku: &'static Sku,
    /// How its sums are put together.
    pub summation: Summation,
    /// The kernel.
    pub kernel: Kernel,
    /// Where its arguments lie.
    pub args: Kernargs,
    /// The code object.
    pub object: Vec<u8>,
}

/// The order in which a GEMM adds products: what a bit-exact reference has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summation {
    /// The matrix instruction's rows, and products that it adds.
    pub m: u32,
    /// Products of a matrix instruction.
    pub k: u32,
    /// Products of a stage.
    pub stage_k: u32,
    /// Products of one step of operands, and of one lane of it.
    pub step_k: u32,
    /// Types of A's and B's elements, and of the sum.
    pub types: [Elem; 3],
}

impl Gemm {
    /// The launch for a problem.
    pub fn grid(&self, problem: &GemmProblem) -> Grid {
        Grid::new(&self.params, self.summation.stage_k, self.sku.cus, problem)
    }

    /// The kernel-argument segment for a problem.
    pub fn kernargs(&self, problem: &GemmProblem, buffers: &GemmBuffers) -> Vec<u8> {
        problem.kernargs(&self.params, self.sku.xcds, &self.grid(problem), buffers)
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
pub fn gemm(params: &GemmParams, sku: &'static Sku) -> Result<Gemm, GemmError> {
    let plan = params.plan(sku.target)?;
    let (kernel, args) = emit::emit(params, &plan, sku)?;
    let object = pack(std::slice::from_ref(&kernel), &PackOptions::default())?;
    let [a, b] = plan.op.inputs;
    let summation = Summation {
        m: plan.op.m,
        k: plan.op.k,
        stage_k: plan.stage_k,
        step_k: plan.stage_k / plan.steps,
        types: [a, b, plan.op.output],
    };
    Ok(Gemm { params: *params, sku, summation, kernel, args, object })
}

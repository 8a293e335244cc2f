//! Kernels that work on rows, with what they are launched on: enough to time them, and to run them on numbers.

use crate::attention::{self, AttentionArgs, AttentionError, AttentionParams, attention};
use crate::softmax::{self, SoftmaxArgs, softmax};
use wavesmith_asm::Sku;
use wavesmith_emitter::Kernel;
use wavesmith_emitter::kernarg::Pointer;

/// A kernel and the sizes of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKernel {
    /// The softmax of each row of a matrix of f32.
    Softmax {
        /// Rows.
        rows: u32,
        /// Elements of a row.
        columns: u32,
    },
    /// Attention, head by head.
    Attention {
        /// How it is generated.
        params: AttentionParams,
        /// Heads.
        heads: u32,
        /// Queries of a head.
        queries: u32,
        /// Keys and values of a head.
        keys: u32,
    },
}

impl RowKernel {
    /// The kernel's name in its code object.
    pub const fn name(&self) -> &'static str {
        match self {
            RowKernel::Softmax { .. } => softmax::KERNEL,
            RowKernel::Attention { .. } => attention::KERNEL,
        }
    }

    /// Generates it for a part.
    ///
    /// # Errors
    /// [`AttentionError`] where the part has no such kernel or it cannot be emitted.
    pub fn generate(&self, sku: &Sku) -> Result<Kernel, AttentionError> {
        match self {
            RowKernel::Softmax { .. } => Ok(softmax(sku)?),
            RowKernel::Attention { params, .. } => attention(params, sku),
        }
    }

    /// Workgroups, and work-items of one.
    pub fn geometry(&self) -> [[u32; 3]; 2] {
        match *self {
            RowKernel::Softmax { rows, .. } => [[rows.div_ceil(softmax::ROWS), 1, 1], [64 * softmax::ROWS, 1, 1]],
            RowKernel::Attention { params, heads, queries, .. } => {
                [params.grid(queries, heads), [params.workgroup_size(), 1, 1]]
            }
        }
    }

    /// Bytes of each input.
    pub fn inputs(&self) -> Vec<u64> {
        match *self {
            RowKernel::Softmax { .. } => vec![self.output()],
            RowKernel::Attention { params, heads, keys, .. } => {
                let values = 2 * u64::from(heads) * u64::from(keys) * u64::from(params.head_dim);
                vec![self.output(), values, values]
            }
        }
    }

    /// Bytes of the output.
    pub fn output(&self) -> u64 {
        match *self {
            RowKernel::Softmax { rows, columns } => 4 * u64::from(rows) * u64::from(columns),
            RowKernel::Attention { params, heads, queries, .. } => {
                2 * u64::from(heads) * u64::from(queries) * u64::from(params.head_dim)
            }
        }
    }

    /// Factor of an attention's scores.
    pub fn scale(&self) -> f32 {
        match self {
            RowKernel::Softmax { .. } => 1.0,
            RowKernel::Attention { params, .. } => 1.0 / (params.head_dim as f32).sqrt(),
        }
    }

    /// The kernel-argument segment, with device addresses of the inputs and of the output.
    pub fn kernargs(&self, inputs: &[u64], output: u64) -> Vec<u8> {
        let input = |i: usize| Pointer(inputs.get(i).copied().unwrap_or_default());
        match *self {
            RowKernel::Softmax { rows, columns } => {
                SoftmaxArgs { x: input(0), y: Pointer(output), rows, columns }.to_bytes()
            }
            RowKernel::Attention { queries, keys, .. } => {
                let (q, k, v, o) = (input(0), input(1), input(2), Pointer(output));
                AttentionArgs { q, k, v, o, queries, keys, scale: self.scale() }.to_bytes()
            }
        }
    }
}

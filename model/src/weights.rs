//! The weights as every consumer takes them: matrices rounded to f16, norm vectors in f32.
//!
//! The rounding happens here, once, so that kernel and reference multiply the very same numbers and differ only in the
//! order of their sums.

use crate::config::LlamaConfig;
use half::f16;

/// A matrix of f16 in rows: `rows` outputs by `cols` inputs, so `y[r] = Σ_c at(r, c) * x[c]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Outputs.
    pub rows: usize,
    /// Inputs; the contiguous dimension.
    pub cols: usize,
    /// `rows * cols` elements.
    pub data: Vec<f16>,
}

impl Matrix {
    /// The inputs of output `r`.
    ///
    /// # Panics
    /// If `r >= rows`.
    pub fn row(&self, r: usize) -> &[f16] {
        &self.data[r * self.cols..(r + 1) * self.cols]
    }
}

/// One transformer layer. GGUF names in brackets, shapes as (outputs, inputs).
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// RMSNorm before attention (`attn_norm`), `d_model`.
    pub attn_norm: Vec<f32>,
    /// Queries (`attn_q`), (`q_width`, `d_model`), RoPE pairs interleaved.
    pub wq: Matrix,
    /// Keys (`attn_k`), (`kv_width`, `d_model`), RoPE pairs interleaved.
    pub wk: Matrix,
    /// Values (`attn_v`), (`kv_width`, `d_model`).
    pub wv: Matrix,
    /// Attention output (`attn_output`), (`d_model`, `q_width`).
    pub wo: Matrix,
    /// RMSNorm before the feed-forward layer (`ffn_norm`), `d_model`.
    pub ffn_norm: Vec<f32>,
    /// SwiGLU gate (`ffn_gate`), (`ffn`, `d_model`).
    pub gate: Matrix,
    /// SwiGLU value (`ffn_up`), (`ffn`, `d_model`).
    pub up: Matrix,
    /// Back to the residual (`ffn_down`), (`d_model`, `ffn`).
    pub down: Matrix,
}

/// All weights of a model. A token's embedding is its row of `embedding`, f16 widened to f32.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The shape all matrices have.
    pub config: LlamaConfig,
    /// Token embeddings (`token_embd`), (`vocab`, `d_model`).
    pub embedding: Matrix,
    /// Layers in order.
    pub layers: Vec<Layer>,
    /// RMSNorm before the head (`output_norm`), `d_model`.
    pub output_norm: Vec<f32>,
    /// The LM head (`output`), (`vocab`, `d_model`); `None` when tied to the embedding.
    pub untied_head: Option<Matrix>,
}

impl Weights {
    /// The LM head, (`vocab`, `d_model`): the embedding when tied.
    pub fn head(&self) -> &Matrix {
        self.untied_head.as_ref().unwrap_or(&self.embedding)
    }
}

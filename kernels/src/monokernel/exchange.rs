//! Where workgroups hand activations to each other: one slot a (generation, layer, stage, token).
//!
//! A slot is a row of f32, padded to what its consumers load. Values are published by relaxed device-scope stores and
//! awaited by polling the values themselves, so every published dword starts as [`SENTINEL`]; the padding starts as
//! zero and is never written, which makes it both "arrived" to a poll and harmless to a sum.

use super::params::Params;
use super::plan::{CHUNK, Plan, Shape, Spread, Stage, TOKENS};
use wavesmith_model::LlamaConfig;

/// "Not here yet": a NaN pattern that producers never store.
pub const SENTINEL: u32 = u32::MAX;

/// What is exchanged within a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Queries, keys and values, before RoPE.
    Qkv,
    /// Attention's result, all heads.
    Attention,
    /// What attention adds to the residual.
    Out,
    /// Activations inside the feed-forward layer.
    Hidden,
    /// What the feed-forward layer adds to the residual.
    Down,
}

impl Slot {
    /// In the order of a layer.
    pub const ALL: [Slot; 5] = [Slot::Qkv, Slot::Attention, Slot::Out, Slot::Hidden, Slot::Down];
}

/// Sizes and offsets of the exchange buffers. Offsets in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Values that are published in a row of each slot.
    pub values: [usize; 5],
    /// Bytes from a token's row to the next, by slot.
    pub stride: [usize; 5],
    /// Where each slot starts in a layer.
    pub offset: [usize; 5],
    /// Bytes of a layer.
    pub layer: usize,
    /// Where the workgroups' candidates start in a generation.
    pub candidates: usize,
    /// Bytes from one workgroup's candidates to the next.
    pub candidates_stride: usize,
    /// Where the token is published in a generation.
    pub token: usize,
    /// Bytes of a generation.
    pub generation: usize,
    /// Generations.
    pub generations: usize,
}

/// Rows of different producers keep to different lines of the caches.
const LINE: usize = 128;

impl Exchange {
    pub(crate) fn of(c: &LlamaConfig, params: &Params, waves: usize, shapes: &[Shape; 5], row: Spread) -> Exchange {
        // Waves load slices in whole vectors, so the last wave reads past its slice.
        let sliced = |s: Stage| {
            let n = shapes[s as usize].chunks * CHUNK;
            ((waves - 1) * n + Spread::over(n).padded()).max(waves * n)
        };
        let values = [c.q_width() + 2 * c.kv_width(), c.q_width(), c.d_model, c.ffn, c.d_model];
        let width = [
            values[0],
            values[1].max(sliced(Stage::Out)),
            row.padded(),
            values[3].max(sliced(Stage::Down)),
            row.padded(),
        ];
        let stride = width.map(|w| (w * 4).next_multiple_of(LINE));
        let mut offset = [0; 5];
        let mut layer = 0;
        for (at, bytes) in offset.iter_mut().zip(stride) {
            *at = layer;
            layer += bytes * TOKENS;
        }
        let candidates = layer * c.layers;
        let candidates_stride = (params.top_k as usize * 8).next_multiple_of(LINE);
        let token = candidates + candidates_stride * params.workgroups as usize;
        Exchange {
            values,
            stride,
            offset,
            layer,
            candidates,
            candidates_stride,
            token,
            generation: token + LINE,
            generations: params.generations as usize,
        }
    }

    /// Bytes of all generations.
    pub const fn bytes(&self) -> usize {
        self.generation * self.generations
    }

    /// The buffers as the kernel must find them: the sentinel wherever something will be published, zero elsewhere.
    pub fn image(&self, plan: &Plan) -> Vec<u8> {
        let mut generation = vec![0u8; self.generation];
        for layer in 0..plan.config.layers {
            for slot in 0..5 {
                for token in 0..TOKENS {
                    let at = layer * self.layer + self.offset[slot] + token * self.stride[slot];
                    generation[at..at + self.values[slot] * 4].fill(0xFF);
                }
            }
        }
        for w in 0..plan.params.workgroups as usize {
            let at = self.candidates + w * self.candidates_stride;
            generation[at..at + plan.params.top_k as usize * 8].fill(0xFF);
        }
        generation[self.token..self.token + 4].fill(0xFF);
        generation.repeat(self.generations)
    }
}

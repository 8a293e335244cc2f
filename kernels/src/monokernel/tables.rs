//! Small read-only inputs made by the host: the workgroups' shares, norm weights, embeddings and rotary angles.

use super::plan::{Plan, Stage};
use half::f16;
use wavesmith_model::Weights;

/// Dwords of a workgroup's row in the table: the kernel reads it with an 8-dword and a 16-dword scalar load.
pub(crate) const TABLE_DWORDS: usize = 32;

/// Dword index of the fields of a table row.
pub(crate) mod column {
    /// Byte offset of layer 0 of the workgroup's weights, 64 bits.
    pub const BASE: u16 = 0;
    /// Byte offset of its share of the LM head, 64 bits.
    pub const HEAD: u16 = 2;
    /// Bytes from layer to layer.
    pub const LAYER: u16 = 4;
    /// First KV head whose attention it computes.
    pub const JOB: u16 = 5;
    /// Number of KV heads.
    pub const JOBS: u16 = 6;
    /// By stage: first tile, tiles, byte offset in the layer.
    pub const STAGE: u16 = 8;
}

impl Plan {
    /// The workgroups' shares as the kernel reads them: a row of 32 dwords each.
    pub fn table(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for w in 0..self.params.workgroups as usize {
            let extent = self.extent(w);
            let mut row = [0u32; TABLE_DWORDS];
            let mut wide = |at: u16, v: usize| {
                row[usize::from(at)] = v as u32;
                row[usize::from(at) + 1] = (v as u64 >> 32) as u32;
            };
            wide(column::BASE, extent.base);
            wide(column::HEAD, extent.head);
            row[usize::from(column::LAYER)] = extent.layer as u32;
            let (job, jobs) = self.jobs(w);
            row[usize::from(column::JOB)] = job as u32;
            row[usize::from(column::JOBS)] = jobs as u32;
            for s in Stage::ALL {
                let at = usize::from(column::STAGE) + 3 * s as usize;
                let share = self.share(s, w);
                row[at] = share.first as u32;
                row[at + 1] = share.count as u32;
                row[at + 2] = extent.stage[s as usize] as u32;
            }
            out.extend(row.iter().flat_map(|v| v.to_le_bytes()));
        }
        out
    }

    /// Norm weights, a padded row each: before attention and before the feed-forward layer, by layer, then the output
    /// norm. The padding is zero, so that padded activations are.
    pub fn norms(&self, weights: &Weights) -> Vec<u8> {
        let mut out = Vec::new();
        let mut row = |v: &[f32]| {
            out.extend(v.iter().flat_map(|x| x.to_le_bytes()));
            out.resize(out.len() + (self.row.padded() - v.len()) * 4, 0);
        };
        for layer in &weights.layers {
            row(&layer.attn_norm);
            row(&layer.ffn_norm);
        }
        row(&weights.output_norm);
        out
    }

    /// Token embeddings in f16: a row a token, padded with zeros as the residual's row is.
    pub fn embedding(&self, weights: &Weights) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.config.vocab * self.row.padded() * 2);
        for row in weights.embedding.data.chunks(self.config.d_model) {
            out.extend(row.iter().flat_map(|x: &f16| x.to_bits().to_le_bytes()));
            out.resize(out.len() + (self.row.padded() - row.len()) * 2, 0);
        }
        out
    }

    /// Rotary cosines and sines for every position of the context.
    pub fn rope(&self) -> Vec<u8> {
        let table = self.config.rope_table(self.params.context as usize);
        table.iter().flatten().flat_map(|x| x.to_le_bytes()).collect()
    }
}

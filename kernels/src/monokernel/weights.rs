//! Weights in the order in which waves read them.
//!
//! `[workgroup][layer][stage][wave][tile][chunk]` blocks of one kibibyte, then each workgroup's share of the LM head,
//! `[wave][tile][chunk]`. Lane `l` of a block holds row `l % 16` and the eight columns from `8 * (l / 16)`: those are
//! the first and second half of what lane `l` feeds as A to two `v_mfma_f32_16x16x16_f16`, and the pairs it feeds to four
//! `v_dot2_f32_f16`. Gate and value rows of the feed-forward layer alternate by twos (see [`hidden_row`]), so that
//! the lane pair that holds both finds them two rows apart in decode, and one lane holds both in prefill.

use super::plan::{BLOCK, CHUNK, MAX_CHUNKS, Plan, Stage, TILE};
use half::f16;
use wavesmith_model::Weights;

/// Bytes after the last workgroup's weights: waves prefetch past the end of a stage, at most this far.
const TAIL: usize = MAX_CHUNKS * BLOCK;

/// Where one workgroup's weights lie. All in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Start of layer 0.
    pub base: usize,
    /// From one layer to the next.
    pub layer: usize,
    /// Start of each stage in a layer; of the LM head from `head`.
    pub stage: [usize; 5],
    /// Start of the LM head.
    pub head: usize,
    /// End.
    pub end: usize,
}

/// What a row of a tile of [`Stage::GateUp`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenRow {
    /// Index in the feed-forward layer.
    pub index: usize,
    /// Whether it is the value (`up`) rather than the gate.
    pub up: bool,
}

/// Row `row` of all tiles of the feed-forward layer's first product: of every four, two gate rows and then the two
/// value rows of the same indices.
pub const fn hidden_row(row: usize) -> HiddenRow {
    HiddenRow { index: row / 4 * 2 + row % 2, up: row % 4 >= 2 }
}

impl Plan {
    /// Where a workgroup's weights lie in the buffer.
    pub fn extent(&self, workgroup: usize) -> Extent {
        // Sums over the workgroups before are closed forms: shares are contiguous.
        let blocks = |s: Stage, tiles: usize| tiles * self.shape(s).chunks * self.waves * BLOCK;
        let layers = self.config.layers;
        let base = Stage::LAYER.iter().map(|&s| blocks(s, self.share(s, workgroup).first)).sum::<usize>() * layers
            + blocks(Stage::Head, self.share(Stage::Head, workgroup).first);
        let mut stage = [0; 5];
        let mut layer = 0;
        for s in Stage::LAYER {
            stage[s as usize] = layer;
            layer += blocks(s, self.share(s, workgroup).count);
        }
        let head = base + layer * layers;
        let end = head + blocks(Stage::Head, self.share(Stage::Head, workgroup).count);
        Extent { base, layer, stage, head, end }
    }

    /// Bytes of the re-laid weights.
    pub fn weights_bytes(&self) -> usize {
        self.extent(self.params.workgroups as usize - 1).end + TAIL
    }

    /// Re-lays the weights for this plan.
    ///
    /// # Panics
    /// If `weights` are of another shape than the plan's.
    pub fn relay(&self, weights: &Weights) -> Vec<u8> {
        assert_eq!(weights.config, self.config, "weights of the plan's own model");
        let mut out = vec![0u8; self.weights_bytes()];
        let mut jobs = Vec::new();
        let mut rest = out.as_mut_slice();
        for workgroup in 0..self.params.workgroups as usize {
            let extent = self.extent(workgroup);
            let (own, others) = rest.split_at_mut(extent.end - extent.base);
            rest = others;
            jobs.push((workgroup, extent, own));
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
        let share = jobs.len().div_ceil(threads);
        std::thread::scope(|scope| {
            while !jobs.is_empty() {
                let batch: Vec<_> = jobs.drain(..share.min(jobs.len())).collect();
                scope.spawn(move || {
                    for (workgroup, extent, own) in batch {
                        self.relay_workgroup(weights, workgroup, &extent, own);
                    }
                });
            }
        });
        out
    }

    fn relay_workgroup<'w>(&self, weights: &'w Weights, workgroup: usize, extent: &Extent, out: &mut [u8]) {
        for (l, layer) in weights.layers.iter().enumerate() {
            let (q, kv) = (self.config.q_width(), self.config.kv_width());
            let qkv = |r: usize| match r {
                _ if r < q => Some(layer.wq.row(r)),
                _ if r < q + kv => Some(layer.wk.row(r - q)),
                _ if r < q + 2 * kv => Some(layer.wv.row(r - q - kv)),
                _ => None,
            };
            let hidden = |r: usize| {
                let h = hidden_row(r);
                let m = if h.up { &layer.up } else { &layer.gate };
                (h.index < m.rows).then(|| m.row(h.index))
            };
            let mut stage = |s: Stage, row: &dyn Fn(usize) -> Option<&'w [f16]>| {
                let at = l * extent.layer + extent.stage[s as usize];
                self.relay_stage(s, workgroup, row, &mut out[at..]);
            };
            stage(Stage::Qkv, &qkv);
            stage(Stage::Out, &|r| (r < layer.wo.rows).then(|| layer.wo.row(r)));
            stage(Stage::GateUp, &hidden);
            stage(Stage::Down, &|r| (r < layer.down.rows).then(|| layer.down.row(r)));
        }
        let head = weights.head();
        let row = |r: usize| (r < head.rows).then(|| head.row(r));
        self.relay_stage(Stage::Head, workgroup, &row, &mut out[extent.head - extent.base..]);
    }

    /// One workgroup's blocks of one stage; rows that do not exist stay zero, as do columns past the matrix.
    fn relay_stage<'w>(&self, s: Stage, workgroup: usize, row: &dyn Fn(usize) -> Option<&'w [f16]>, out: &mut [u8]) {
        let share = self.share(s, workgroup);
        let chunks = self.shape(s).chunks;
        for tile in 0..share.count {
            for r in 0..TILE {
                let Some(values) = row((share.first + tile) * TILE + r) else { continue };
                for (chunk, values) in values.chunks(CHUNK).enumerate() {
                    let block = (chunk / chunks * share.count + tile) * chunks + chunk % chunks;
                    for (group, eight) in values.chunks(8).enumerate() {
                        let at = block * BLOCK + group * 256 + r * 16;
                        for (to, from) in out[at..at + 16].chunks_exact_mut(2).zip(eight) {
                            to.copy_from_slice(&from.to_bits().to_le_bytes());
                        }
                    }
                }
            }
        }
    }
}

//! The Llama forward pass on the CPU: weights as f16 rounded them, all arithmetic in f32.
//!
//! Tokens are fed in batches: a verifier knows them all beforehand, so the weights stream through the cache once per
//! batch instead of once per token. Feeding one at a time gives the same result bit for bit:
//! each position's sums are formed in the same order either way.

use crate::gemm::{dot, multiply};
use rayon::prelude::*;
use std::ops::Range;
use wavesmith_model::{Layer, LlamaConfig, Weights};

/// Positions computed together: enough to amortise the weights, few enough for activations to stay in the L2 cache.
const BATCH: usize = 64;

/// A model with the keys and values of what it has been fed.
#[derive(Clone, Debug)]
pub struct Reference<'w> {
    weights: &'w Weights,
    /// Per layer, `[position][kv_width]`, keys already turned.
    keys: Vec<Vec<f32>>,
    /// Per layer, `[position][kv_width]`.
    values: Vec<Vec<f32>>,
    position: usize,
}

/// Which of the fed positions' results to keep; 0 is the first token of the call. Parts beyond the last are ignored.
/// A long prompt's residuals take gigabytes, so nothing is kept unasked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Positions whose logits to return.
    pub logits: Range<usize>,
    /// Positions whose residuals to return.
    pub residuals: Range<usize>,
}

impl Wanted {
    /// Logits only.
    pub fn logits(range: Range<usize>) -> Self {
        Self { logits: range, residuals: 0..0 }
    }

    /// The part that falls on the `n` positions from `first`, counted from there.
    fn within(&self, first: usize, n: usize) -> Self {
        let clamp = |at: usize| at.clamp(first, first + n) - first;
        let part = |r: &Range<usize>| clamp(r.start)..clamp(r.end);
        Self { logits: part(&self.logits), residuals: part(&self.residuals) }
    }
}

/// What a batch of tokens gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pass {
    /// `[wanted position][vocab]`.
    pub logits: Vec<f32>,
    /// The residual stream after each layer, `[wanted position][layer][d_model]`.
    pub residuals: Vec<f32>,
}

/// Tokens that a model cannot be fed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReferenceError {
    /// An id beyond the vocabulary.
    #[error("token {token} at position {position} does not exist: ids are below {vocab}")]
    Token {
        /// The id.
        token: u32,
        /// Its position in the sequence.
        position: usize,
        /// Number of tokens.
        vocab: usize,
    },
    /// More positions than the model has.
    #[error("{positions} positions do not fit the model's context of {context}")]
    Context {
        /// Positions asked for.
        positions: usize,
        /// Positions there are.
        context: usize,
    },
}

impl<'w> Reference<'w> {
    /// A model that has not been fed yet.
    pub fn new(weights: &'w Weights) -> Self {
        let layers = weights.config.layers;
        Self { weights, keys: vec![Vec::new(); layers], values: vec![Vec::new(); layers], position: 0 }
    }

    /// Positions fed so far.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Feeds `tokens` after what has been fed before, and returns what is `wanted` of them.
    ///
    /// # Errors
    /// [`ReferenceError`] if a token does not exist or the context is full; the model is then unchanged.
    pub fn feed(&mut self, tokens: &[u32], wanted: Wanted) -> Result<Pass, ReferenceError> {
        let c = &self.weights.config;
        let positions = self.position + tokens.len();
        if positions > c.context {
            return Err(ReferenceError::Context { positions, context: c.context });
        }
        for (i, &token) in tokens.iter().enumerate() {
            if token as usize >= c.vocab {
                return Err(ReferenceError::Token { token, position: self.position + i, vocab: c.vocab });
            }
        }
        let mut pass = Pass::default();
        for (batch, tokens) in tokens.chunks(BATCH).enumerate() {
            self.feed_batch(tokens, &wanted.within(batch * BATCH, tokens.len()), &mut pass);
        }
        Ok(pass)
    }

    /// Feeds a token at a time, each the largest logit after the last, until `limit` tokens or `stop`; returns them.
    ///
    /// # Errors
    /// As [`Reference::feed`].
    pub fn greedy(&mut self, prompt: &[u32], limit: usize, stop: Option<u32>) -> Result<Vec<u32>, ReferenceError> {
        let mut out = Vec::new();
        let mut logits = self.feed(prompt, Wanted::logits(prompt.len().saturating_sub(1)..prompt.len()))?.logits;
        while out.len() < limit {
            let Some(token) = wavesmith_model::sampling::argmax(&logits) else { break };
            out.push(token);
            if Some(token) == stop || out.len() == limit {
                break;
            }
            logits = self.feed(&[token], Wanted::logits(0..1))?.logits;
        }
        Ok(out)
    }

    fn feed_batch(&mut self, tokens: &[u32], wanted: &Wanted, pass: &mut Pass) {
        let w = self.weights;
        let c = &w.config;
        let d = c.d_model;
        let angles = turns(c, self.position, tokens.len());
        let mut x: Vec<f32> = tokens.iter().flat_map(|&t| w.embedding.row(t as usize)).map(|v| v.to_f32()).collect();
        let start = pass.residuals.len();
        pass.residuals.resize(start + wanted.residuals.len() * c.layers * d, 0.0);
        for (i, layer) in w.layers.iter().enumerate() {
            self.attend(i, layer, &angles, &mut x);
            feed_forward(c, layer, &mut x);
            for (t, x) in x.chunks_exact(d).skip(wanted.residuals.start).take(wanted.residuals.len()).enumerate() {
                let at = start + (t * c.layers + i) * d;
                pass.residuals[at..at + d].copy_from_slice(x);
            }
        }
        if !wanted.logits.is_empty() {
            let x = normalise(&x[wanted.logits.start * d..wanted.logits.end * d], &w.output_norm, c.rms_eps);
            pass.logits.extend(multiply(w.head(), &x));
        }
        self.position += tokens.len();
    }

    /// Adds the attention of layer `i` to the residual `x`.
    fn attend(&mut self, i: usize, layer: &Layer, angles: &[[f32; 2]], x: &mut [f32]) {
        let c = &self.weights.config;
        let (dim, kv_width, group) = (c.head_dim, c.kv_width(), c.group());
        let n = normalise(x, &layer.attn_norm, c.rms_eps);
        let mut q = multiply(&layer.wq, &n);
        let mut k = multiply(&layer.wk, &n);
        turn(&mut q, dim, c.q_width(), angles);
        turn(&mut k, dim, kv_width, angles);
        self.keys[i].extend(k);
        self.values[i].extend(multiply(&layer.wv, &n));
        let (keys, values) = (&self.keys[i], &self.values[i]);
        let scale = 1.0 / (dim as f32).sqrt();
        let first = self.position;
        let mut mixed = vec![0.0f32; q.len()];
        mixed.par_chunks_mut(dim).zip(q.par_chunks(dim)).enumerate().for_each(|(at, (out, q))| {
            let (position, head) = (first + at / c.heads, at % c.heads);
            let offset = head / group * dim;
            let row = |p: usize| p * kv_width + offset..p * kv_width + offset + dim;
            let mut scores: Vec<f32> = (0..=position).map(|p| dot(q, &keys[row(p)]) * scale).collect();
            let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0;
            for s in &mut scores {
                *s = (*s - top).exp();
                sum += *s;
            }
            for (p, s) in scores.iter().enumerate() {
                let share = s / sum;
                for (out, v) in out.iter_mut().zip(&values[row(p)]) {
                    *out += share * v;
                }
            }
        });
        add(x, &multiply(&layer.wo, &mixed));
    }
}

/// Adds the SwiGLU feed-forward layer to the residual `x`.
fn feed_forward(c: &LlamaConfig, layer: &Layer, x: &mut [f32]) {
    let n = normalise(x, &layer.ffn_norm, c.rms_eps);
    let mut gate = multiply(&layer.gate, &n);
    let up = multiply(&layer.up, &n);
    for (g, u) in gate.iter_mut().zip(up) {
        *g = *g / (1.0 + (-*g).exp()) * u;
    }
    add(x, &multiply(&layer.down, &gate));
}

fn add(x: &mut [f32], y: &[f32]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += y;
    }
}

/// RMSNorm of each vector.
fn normalise(x: &[f32], weight: &[f32], eps: f32) -> Vec<f32> {
    let mut out = Vec::with_capacity(x.len());
    for x in x.chunks_exact(weight.len()) {
        let scale = 1.0 / (dot(x, x) / weight.len() as f32 + eps).sqrt();
        out.extend(x.iter().zip(weight).map(|(x, w)| x * scale * w));
    }
    out
}

/// Cosine and sine per position from `first` and pair.
fn turns(c: &LlamaConfig, first: usize, positions: usize) -> Vec<[f32; 2]> {
    let pairs = c.head_dim / 2;
    let angle = |position: usize, pair: usize| {
        position as f64 / f64::from(c.rope_base).powf((2 * pair) as f64 / c.head_dim as f64)
    };
    (first..first + positions)
        .flat_map(|position| (0..pairs).map(move |pair| angle(position, pair)))
        .map(|a| [a.cos() as f32, a.sin() as f32])
        .collect()
}

/// Turns the interleaved pairs of every head of every vector by its position's angles.
fn turn(x: &mut [f32], dim: usize, width: usize, angles: &[[f32; 2]]) {
    let pairs = dim / 2;
    for (x, angles) in x.chunks_exact_mut(width).zip(angles.chunks_exact(pairs)) {
        for head in x.chunks_exact_mut(dim) {
            for (pair, &[cos, sin]) in head.chunks_exact_mut(2).zip(angles) {
                let (a, b) = (pair[0], pair[1]);
                pair[0] = a * cos - b * sin;
                pair[1] = a * sin + b * cos;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavesmith_model::synthetic::SMALL;

    fn all(n: usize) -> Wanted {
        Wanted { logits: 0..n, residuals: 0..n }
    }

    fn small() -> Weights {
        Weights::synthetic(&SMALL, 11).unwrap()
    }

    #[test]
    fn a_batch_gives_what_one_token_at_a_time_gives() {
        let w = small();
        let tokens: Vec<u32> = (0..90).map(|i| i * 37 % 512).collect();
        let whole = Reference::new(&w).feed(&tokens, all(90)).unwrap();
        let mut single = Reference::new(&w);
        let mut joined = Pass::default();
        for &t in &tokens {
            let p = single.feed(&[t], all(1)).unwrap();
            joined.logits.extend(p.logits);
            joined.residuals.extend(p.residuals);
        }
        assert_eq!(single.position(), 90);
        assert_eq!(whole, joined);
    }

    #[test]
    fn only_what_is_wanted_is_returned() {
        let w = small();
        let tokens: Vec<u32> = (0..80).collect();
        let whole = Reference::new(&w).feed(&tokens, all(80)).unwrap();
        let wanted = Wanted { logits: 60..70, residuals: 50..66 };
        let some = Reference::new(&w).feed(&tokens, wanted).unwrap();
        assert_eq!(some.logits, whole.logits[60 * 512..70 * 512]);
        assert_eq!(some.residuals, whole.residuals[50 * 4 * 192..66 * 4 * 192]);
        assert_eq!(Reference::new(&w).feed(&tokens, Wanted::default()).unwrap(), Pass::default());
        assert_eq!(Reference::new(&w).feed(&tokens, all(999)).unwrap(), whole);
    }

    #[test]
    fn a_position_does_not_see_what_comes_after_it() {
        let w = small();
        let a = Reference::new(&w).feed(&[5, 6, 7, 8], Wanted::logits(0..2)).unwrap();
        let b = Reference::new(&w).feed(&[5, 6, 9, 1], Wanted::logits(0..2)).unwrap();
        assert_eq!(a.logits, b.logits);
        let c = Reference::new(&w).feed(&[6, 5, 7, 8], Wanted::logits(1..2)).unwrap();
        assert_ne!(a.logits[512..], c.logits);
    }

    #[test]
    fn the_synthetic_model_is_well_behaved() {
        let w = small();
        let pass = Reference::new(&w).feed(&[3, 140, 77, 20, 9, 300], all(6)).unwrap();
        let n = pass.logits.len() as f32;
        let spread = (pass.logits.iter().map(|l| l * l).sum::<f32>() / n).sqrt();
        assert!((1.0..8.0).contains(&spread), "logits spread by {spread}");
        let largest = pass.residuals.iter().fold(0.0f32, |m, v| m.max(v.abs()));
        assert!((10.0..500.0).contains(&largest), "residual reaches {largest}");
        let out = Reference::new(&w).greedy(&[3, 140, 77], 24, None).unwrap();
        let mut kinds = out.clone();
        kinds.sort_unstable();
        kinds.dedup();
        assert!(kinds.len() > 10, "greedy decoding is stuck: {out:?}");
    }

    #[test]
    fn tokens_that_cannot_be_fed_leave_the_model_unchanged() {
        let w = small();
        let mut r = Reference::new(&w);
        let text = r.feed(&[1, 512], all(1)).unwrap_err().to_string();
        assert_eq!(text, "token 512 at position 1 does not exist: ids are below 512");
        let text = r.feed(&vec![0; 1025], all(1)).unwrap_err().to_string();
        assert_eq!(text, "1025 positions do not fit the model's context of 1024");
        assert_eq!(r.position(), 0);
    }

    #[test]
    fn greedy_decoding_stops_at_the_stop_token_and_at_the_limit() {
        let w = small();
        let free = Reference::new(&w).greedy(&[3, 140], 8, None).unwrap();
        assert_eq!(free.len(), 8);
        let at = free.iter().position(|t| *t == free[3]).unwrap();
        let stopped = Reference::new(&w).greedy(&[3, 140], 8, Some(free[3])).unwrap();
        assert_eq!(stopped, free[..=at]);
        assert!(Reference::new(&w).greedy(&[3], 0, None).unwrap().is_empty());
    }
}

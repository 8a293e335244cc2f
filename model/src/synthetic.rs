//! A small model made of seeded random numbers, for machines without the real one and for property tests.
//!
//! Its text means nothing, but its arithmetic is that of the real architecture, and its scales are chosen so that
//! activations keep their scale and logits spread over a few units: errors show, and greedy choices are seldom ties.

use crate::config::{ConfigError, LlamaConfig};
use crate::philox::philox4x32_10;
use crate::weights::{Layer, Matrix, Weights};
use half::f16;

/// The shape used in place of the default model: small enough to decode at once in a debug build, large enough that
/// every stage of the kernel has more than one wave's work.
pub const SMALL: LlamaConfig = LlamaConfig {
    layers: 4,
    d_model: 192,
    heads: 6,
    kv_heads: 2,
    head_dim: 32,
    ffn: 512,
    vocab: 512,
    context: 1024,
    rope_base: 1e4,
    rms_eps: 1e-5,
    tied: true,
};

/// Spread (standard deviation) of the logits.
const LOGIT_SPREAD: f32 = 3.0;
/// Gain of the matrices that write to the residual. Above one, so that a token's own embedding is soon outweighed:
/// with a tied head the model would otherwise repeat its last token.
const RESIDUAL_GAIN: f32 = 16.0;

impl Weights {
    /// Random weights of this shape; the same for the same seed on every machine.
    ///
    /// # Errors
    /// [`ConfigError`] if the shape is impossible.
    pub fn synthetic(config: &LlamaConfig, seed: u64) -> Result<Weights, ConfigError> {
        config.validate()?;
        let mut source = Source { seed, tensor: 0 };
        let c = config;
        let (d, q, kv) = (c.d_model, c.q_width(), c.kv_width());
        // A head row against a normalised vector of d unit elements spreads by its own scale times sqrt(d).
        let embedding = source.matrix(c.vocab, d, LOGIT_SPREAD / (d as f32).sqrt());
        let layers = (0..c.layers)
            .map(|_| Layer {
                attn_norm: source.norm(d),
                wq: source.unit(q, d),
                wk: source.unit(kv, d),
                wv: source.unit(kv, d),
                wo: source.matrix(d, q, RESIDUAL_GAIN / (q as f32).sqrt()),
                ffn_norm: source.norm(d),
                gate: source.unit(c.ffn, d),
                up: source.unit(c.ffn, d),
                down: source.matrix(d, c.ffn, RESIDUAL_GAIN / (c.ffn as f32).sqrt()),
            })
            .collect();
        let output_norm = source.norm(d);
        let untied_head = (!c.tied).then(|| source.matrix(c.vocab, d, LOGIT_SPREAD / (d as f32).sqrt()));
        Ok(Weights { config: *c, embedding, layers, output_norm, untied_head })
    }
}

/// Numbers by (seed, tensor, index): each tensor has its own stream, so a change in one does not move the others.
struct Source {
    seed: u64,
    tensor: u32,
}

impl Source {
    /// `n` numbers uniform in [-1, 1).
    fn fill(&mut self, n: usize) -> impl Iterator<Item = f32> + use<> {
        let key = [self.seed as u32, (self.seed >> 32) as u32];
        // The last counter word keeps these streams apart from the sampler's, which leaves it 0.
        let tensor = self.tensor;
        self.tensor += 1;
        (0..n.div_ceil(4))
            .flat_map(move |block| philox4x32_10([block as u32, (block >> 32) as u32, tensor, 1], key))
            .map(|word| (word >> 8) as f32 * 2f32.powi(-23) - 1.0)
            .take(n)
    }

    fn matrix(&mut self, rows: usize, cols: usize, deviation: f32) -> Matrix {
        // A uniform number in [-1, 1) deviates by 1/sqrt(3).
        let scale = deviation * 3f32.sqrt();
        Matrix { rows, cols, data: self.fill(rows * cols).map(|x| f16::from_f32(x * scale)).collect() }
    }

    /// A matrix that keeps the scale of its input.
    fn unit(&mut self, rows: usize, cols: usize) -> Matrix {
        self.matrix(rows, cols, 1.0 / (cols as f32).sqrt())
    }

    fn norm(&mut self, n: usize) -> Vec<f32> {
        self.fill(n).map(|x| 1.0 + 0.25 * x).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_model_and_another_seed_another() {
        let a = Weights::synthetic(&SMALL, 1).unwrap();
        assert_eq!(a, Weights::synthetic(&SMALL, 1).unwrap());
        assert_ne!(a.embedding, Weights::synthetic(&SMALL, 2).unwrap().embedding);
        assert_ne!(a.layers[0].wk, a.layers[0].wv);
    }

    #[test]
    fn matrices_have_the_shapes_and_spread_they_should() {
        let w = Weights::synthetic(&LlamaConfig { tied: false, ..SMALL }, 7).unwrap();
        let l = &w.layers[3];
        assert_eq!((l.wk.rows, l.wk.cols, l.wk.data.len()), (64, 192, 64 * 192));
        assert_eq!((l.wo.rows, l.wo.cols), (192, 192));
        assert_eq!((l.down.rows, l.down.cols), (192, 512));
        assert_eq!((w.head().rows, w.head().cols), (512, 192));
        assert_ne!(w.head(), &w.embedding);
        let var = l.down.data.iter().map(|x| x.to_f64().powi(2)).sum::<f64>() / l.down.data.len() as f64;
        assert!((var * 512.0 / 256.0 - 1.0).abs() < 0.02, "{var}");
    }

    #[test]
    fn an_impossible_shape_is_refused() {
        assert!(Weights::synthetic(&LlamaConfig { kv_heads: 4, ..SMALL }, 0).is_err());
    }
}

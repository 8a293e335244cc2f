//! The shape of a Llama-architecture model: the handful of numbers from which every buffer and loop follows.

use serde::{Deserialize, Serialize};

/// Dimensions and constants of a Llama model. Sizes count elements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LlamaConfig {
    /// Transformer layers.
    pub layers: usize,
    /// Width of the residual stream (`llama.embedding_length`).
    pub d_model: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads; query head `h` reads KV head `h / (heads / kv_heads)`.
    pub kv_heads: usize,
    /// Width of a head. Even: RoPE rotates the pairs (0,1), (2,3), … of a head, as GGUF stores Llama weights.
    pub head_dim: usize,
    /// Width of the feed-forward layer.
    pub ffn: usize,
    /// Number of tokens.
    pub vocab: usize,
    /// Most positions the model was trained for; prompt and output together must fit.
    pub context: usize,
    /// Base of the rotary frequencies: pair `i` turns by `position * rope_base^(-2i/head_dim)`.
    pub rope_base: f32,
    /// Added to the mean square in RMSNorm.
    pub rms_eps: f32,
    /// Whether the LM head is the embedding matrix.
    pub tied: bool,
}

/// A shape that no Llama model can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// A dimension that must be positive is zero.
    #[error("{what} is 0: it must be at least 1")]
    Zero {
        /// The dimension.
        what: &'static str,
    },
    /// Query heads do not divide evenly over the KV heads.
    #[error("{heads} heads cannot share {kv_heads} KV heads: the first must be a multiple of the second")]
    Heads {
        /// Query heads.
        heads: usize,
        /// KV heads.
        kv_heads: usize,
    },
    /// RoPE needs pairs.
    #[error("head width {head_dim} is odd: RoPE turns pairs, so it must be even")]
    OddHead {
        /// Width of a head.
        head_dim: usize,
    },
    /// A constant outside the range in which the arithmetic works.
    #[error("{what} is {value}: it must be {want}")]
    Constant {
        /// The constant.
        what: &'static str,
        /// Its value.
        value: f32,
        /// What would be right.
        want: &'static str,
    },
    /// A product of dimensions that does not fit the machine.
    #[error("{what} is too large for this machine: {a} times {b} elements")]
    TooLarge {
        /// The product.
        what: &'static str,
        /// First factor.
        a: usize,
        /// Second factor.
        b: usize,
    },
}

impl LlamaConfig {
    /// SmolLM2-135M, the default model: what the GGUF's metadata says.
    pub const SMOLLM2_135M: LlamaConfig = LlamaConfig {
        layers: 30,
        d_model: 576,
        heads: 9,
        kv_heads: 3,
        head_dim: 64,
        ffn: 1536,
        vocab: 49152,
        context: 8192,
        rope_base: 1e5,
        rms_eps: 1e-5,
        tied: true,
    };

    /// Width of all query heads together.
    pub const fn q_width(&self) -> usize {
        self.heads * self.head_dim
    }

    /// Width of all key heads (and of all value heads) together.
    pub const fn kv_width(&self) -> usize {
        self.kv_heads * self.head_dim
    }

    /// Query heads that read one KV head.
    pub const fn group(&self) -> usize {
        self.heads / self.kv_heads
    }

    /// Matrix elements of the whole model, the head counted once when tied.
    pub const fn parameters(&self) -> usize {
        let attention = 2 * self.d_model * self.q_width() + 2 * self.d_model * self.kv_width();
        let layer = attention + 3 * self.d_model * self.ffn;
        self.layers * layer + self.vocab * self.d_model * if self.tied { 1 } else { 2 }
    }

    /// Cosine and sine of each rotary angle, `[position][pair]`, for `positions` positions from 0; `head_dim / 2`
    /// pairs each. Angles are formed in f64 and only the results rounded, so the table does not lose accuracy late in
    /// the context; the device reads this table instead of reducing large angles itself.
    pub fn rope_table(&self, positions: usize) -> Vec<[f32; 2]> {
        let pairs = self.head_dim / 2;
        let mut table = Vec::with_capacity(positions * pairs);
        for position in 0..positions {
            for pair in 0..pairs {
                let turn = f64::from(self.rope_base).powf(-2.0 * pair as f64 / self.head_dim as f64);
                let (sin, cos) = (position as f64 * turn).sin_cos();
                table.push([cos as f32, sin as f32]);
            }
        }
        table
    }

    /// Checks what every later computation takes for granted.
    ///
    /// # Errors
    /// [`ConfigError`] names the first dimension that cannot be.
    pub fn validate(&self) -> Result<(), ConfigError> {
        for (what, n) in [
            ("the number of layers", self.layers),
            ("the model width", self.d_model),
            ("the number of heads", self.heads),
            ("the number of KV heads", self.kv_heads),
            ("the head width", self.head_dim),
            ("the feed-forward width", self.ffn),
            ("the vocabulary", self.vocab),
            ("the context length", self.context),
        ] {
            if n == 0 {
                return Err(ConfigError::Zero { what });
            }
        }
        if !self.heads.is_multiple_of(self.kv_heads) {
            return Err(ConfigError::Heads { heads: self.heads, kv_heads: self.kv_heads });
        }
        if !self.head_dim.is_multiple_of(2) {
            return Err(ConfigError::OddHead { head_dim: self.head_dim });
        }
        if !(self.rope_base.is_finite() && self.rope_base > 1.0) {
            return Err(ConfigError::Constant {
                what: "the RoPE base",
                value: self.rope_base,
                want: "finite and above 1",
            });
        }
        if !(self.rms_eps.is_finite() && self.rms_eps > 0.0) {
            return Err(ConfigError::Constant {
                what: "the RMSNorm epsilon",
                value: self.rms_eps,
                want: "finite and above 0",
            });
        }
        let fits = |what, a: usize, b: usize| match a.checked_mul(b) {
            Some(n) if n <= isize::MAX as usize / 8 => Ok(n),
            _ => Err(ConfigError::TooLarge { what, a, b }),
        };
        let q = fits("the query width", self.heads, self.head_dim)?;
        fits("the query matrix", q, self.d_model)?;
        fits("the feed-forward matrix", self.ffn, self.d_model)?;
        fits("the embedding", self.vocab, self.d_model)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_model_has_135_million_parameters() {
        LlamaConfig::SMOLLM2_135M.validate().unwrap();
        // Matrices only: the 61 norm vectors of 576 make up the rest of the published 134,515,008.
        assert_eq!(LlamaConfig::SMOLLM2_135M.parameters() + 61 * 576, 134_515_008);
    }

    #[test]
    fn impossible_shapes_are_named() {
        let c = LlamaConfig::SMOLLM2_135M;
        let say = |c: LlamaConfig| c.validate().unwrap_err().to_string();
        assert!(say(LlamaConfig { kv_heads: 2, ..c }).contains("9 heads cannot share 2 KV heads"));
        assert!(say(LlamaConfig { head_dim: 63, ..c }).contains("must be even"));
        assert!(say(LlamaConfig { ffn: 0, ..c }).contains("feed-forward width is 0"));
        assert!(say(LlamaConfig { rope_base: f32::NAN, ..c }).contains("RoPE base"));
        assert!(say(LlamaConfig { rms_eps: 0.0, ..c }).contains("above 0"));
        assert!(say(LlamaConfig { vocab: usize::MAX, ..c }).contains("too large"));
    }

    #[test]
    fn the_rope_table_starts_unturned_and_its_first_pair_turns_by_one_radian_a_position() {
        let c = LlamaConfig::SMOLLM2_135M;
        let table = c.rope_table(3);
        assert_eq!(table.len(), 3 * 32);
        assert!(table[..32].iter().all(|&t| t == [1.0, 0.0]));
        assert_eq!(table[64], [2f32.cos(), 2f32.sin()]);
    }
}

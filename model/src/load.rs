//! From a GGUF file to weights: which keys and tensors a Llama model has, and what each must look like.
//!
//! Strict on purpose. A key or tensor that would change the result (rope scaling, biases, experts) is refused rather
//! than passed over, because a model that decodes wrongly is harder to notice than one that does not load.

use crate::config::{ConfigError, LlamaConfig};
use crate::gguf::{Gguf, GgufError, Tensor, Value};
use crate::weights::{Layer, Matrix, Weights};
use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Why a file is not a model that can run here.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoadError {
    /// The container itself is broken.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// Dimensions that no model can have.
    #[error("metadata: {0}")]
    Config(#[from] ConfigError),
    /// Another architecture.
    #[error("architecture {found:?} is not supported: the model must be of architecture `llama`")]
    Architecture {
        /// What the file says.
        found: String,
    },
    /// A metadata key is absent.
    #[error("metadata key `{key}` is missing: it must be {want}")]
    Missing {
        /// The key.
        key: String,
        /// What it must hold.
        want: &'static str,
    },
    /// A metadata key holds something else.
    #[error("metadata key `{key}` is {found}: it must be {want}")]
    Kind {
        /// The key.
        key: String,
        /// What it holds.
        found: String,
        /// What it must hold.
        want: String,
    },
    /// A tensor is absent.
    #[error("tensor `{name}` is missing: it must have shape {want:?}")]
    NoTensor {
        /// Its name.
        name: String,
        /// The shape the metadata calls for.
        want: Vec<usize>,
    },
    /// A tensor has another shape than the metadata calls for.
    #[error("tensor `{name}` has shape {found:?}: with this metadata it must have shape {want:?}")]
    Shape {
        /// Its name.
        name: String,
        /// The shape in the file.
        found: Vec<usize>,
        /// The shape the metadata calls for.
        want: Vec<usize>,
    },
    /// A tensor that a plain Llama model does not have.
    #[error("tensor `{name}` is not part of a plain Llama model, and leaving it out would change the result")]
    Extra {
        /// Its name.
        name: String,
    },
    /// A weight that f16 cannot hold.
    #[error("tensor `{name}`, element {index}: {value} cannot be used: weights must be finite and below 65520")]
    Weight {
        /// The tensor.
        name: String,
        /// The element, counted in file order.
        index: usize,
        /// Its value.
        value: f32,
    },
    /// The tokenizer's data is unusable.
    #[error("tokenizer: {0}")]
    Tokenizer(String),
}

/// The value of `key` as a positive integer.
pub(crate) fn integer(file: &Gguf, key: &str) -> Result<Option<usize>, LoadError> {
    let n = match file.get(key) {
        None => return Ok(None),
        Some(Value::Unsigned(n)) => usize::try_from(*n).ok(),
        Some(Value::Signed(n)) => usize::try_from(*n).ok(),
        Some(other) => return Err(kind(key, other.kind(), "an unsigned integer")),
    };
    n.map(Some).ok_or_else(|| kind(key, "negative or too large", "an unsigned integer"))
}

fn required(file: &Gguf, key: &str) -> Result<usize, LoadError> {
    integer(file, key)?.ok_or_else(|| LoadError::Missing { key: key.to_owned(), want: "an unsigned integer" })
}

fn float(file: &Gguf, key: &str) -> Result<Option<f32>, LoadError> {
    match file.get(key) {
        None => Ok(None),
        Some(Value::Float(v)) => Ok(Some(*v as f32)),
        Some(other) => Err(kind(key, other.kind(), "a float")),
    }
}

pub(crate) fn kind(key: &str, found: impl Into<String>, want: impl Into<String>) -> LoadError {
    LoadError::Kind { key: key.to_owned(), found: found.into(), want: want.into() }
}

/// The architecture's name, which must be `llama`.
fn check_architecture(file: &Gguf) -> Result<(), LoadError> {
    match file.get("general.architecture") {
        Some(Value::String(name)) if name == "llama" => Ok(()),
        Some(Value::String(name)) => Err(LoadError::Architecture { found: name.clone() }),
        Some(other) => Err(kind("general.architecture", other.kind(), "the string `llama`")),
        None => Err(LoadError::Missing { key: "general.architecture".to_owned(), want: "the string `llama`" }),
    }
}

impl LlamaConfig {
    /// The shape a file's metadata states.
    ///
    /// # Errors
    /// [`LoadError`] names the key that is missing, of the wrong kind, or beyond what is supported.
    pub fn from_gguf(file: &Gguf) -> Result<LlamaConfig, LoadError> {
        check_architecture(file)?;
        if let Some(key) = file.keys().find(|k| k.starts_with("llama.rope.scaling")) {
            // Files may state the absence of scaling.
            if !matches!(file.get("llama.rope.scaling.type"), Some(Value::String(s)) if s == "none") {
                return Err(kind(key, "present", "absent: RoPE scaling is not supported"));
            }
        }
        if let Some(n @ 1..) = integer(file, "llama.expert_count")? {
            return Err(kind("llama.expert_count", n.to_string(), "absent: experts are not supported"));
        }
        let d_model = required(file, "llama.embedding_length")?;
        let heads = required(file, "llama.attention.head_count")?;
        let head_dim = match integer(file, "llama.attention.key_length")? {
            Some(n) => n,
            None if heads > 0 && d_model.is_multiple_of(heads) => d_model / heads,
            None => {
                let want = format!("a divisor of llama.embedding_length {d_model}");
                return Err(kind("llama.attention.head_count", heads.to_string(), want));
            }
        };
        for key in ["llama.attention.value_length", "llama.rope.dimension_count"] {
            if let Some(n) = integer(file, key)?.filter(|&n| n != head_dim) {
                return Err(kind(key, n.to_string(), format!("the head width, {head_dim}")));
            }
        }
        let tokens = match file.get("tokenizer.ggml.tokens") {
            Some(Value::Strings(tokens)) => Some(tokens.len()),
            _ => None,
        };
        let vocab = match (integer(file, "llama.vocab_size")?, tokens) {
            (Some(n), Some(tokens)) if n != tokens => {
                let want = format!("the number of tokens in tokenizer.ggml.tokens, {tokens}");
                return Err(kind("llama.vocab_size", n.to_string(), want));
            }
            (Some(n), _) | (None, Some(n)) => n,
            (None, None) => required(file, "llama.vocab_size")?,
        };
        let eps = "llama.attention.layer_norm_rms_epsilon";
        let config = LlamaConfig {
            layers: required(file, "llama.block_count")?,
            d_model,
            heads,
            kv_heads: integer(file, "llama.attention.head_count_kv")?.unwrap_or(heads),
            head_dim,
            ffn: required(file, "llama.feed_forward_length")?,
            vocab,
            context: required(file, "llama.context_length")?,
            rope_base: float(file, "llama.rope.freq_base")?.unwrap_or(1e4),
            rms_eps: float(file, eps)?.ok_or_else(|| LoadError::Missing { key: eps.to_owned(), want: "a float" })?,
            tied: file.tensor("output.weight").is_none(),
        };
        config.validate()?;
        Ok(config)
    }
}

impl Weights {
    /// All weights of a file, dequantised, matrices rounded to f16.
    ///
    /// # Errors
    /// [`LoadError`] names the key or tensor and what would be right.
    pub fn from_gguf(file: &Gguf) -> Result<Weights, LoadError> {
        let config = LlamaConfig::from_gguf(file)?;
        let mut source = Source { file, used: BTreeSet::new() };
        let c = &config;
        let (d, q, kv) = (c.d_model, c.q_width(), c.kv_width());
        let embedding = source.find("token_embd.weight", &[d, c.vocab])?;
        let mut layers = Vec::new();
        for i in 0..c.layers {
            let mut find = |name: &str, dims: &[usize]| source.find(&format!("blk.{i}.{name}.weight"), dims);
            layers.push([
                find("attn_norm", &[d])?,
                find("attn_q", &[d, q])?,
                find("attn_k", &[d, kv])?,
                find("attn_v", &[d, kv])?,
                find("attn_output", &[q, d])?,
                find("ffn_norm", &[d])?,
                find("ffn_gate", &[d, c.ffn])?,
                find("ffn_up", &[d, c.ffn])?,
                find("ffn_down", &[c.ffn, d])?,
            ]);
        }
        let output_norm = source.find("output_norm.weight", &[d])?;
        let head = if c.tied { None } else { Some(source.find("output.weight", &[d, c.vocab])?) };
        if let Some((name, _)) = file.tensors().find(|(name, _)| !source.used.contains(*name)) {
            return Err(LoadError::Extra { name: name.to_owned() });
        }
        // Every shape is right and every byte present: only now is memory taken.
        let layers = layers
            .into_par_iter()
            .map(|[attn_norm, wq, wk, wv, wo, ffn_norm, gate, up, down]| {
                Ok(Layer {
                    attn_norm: attn_norm.vector()?,
                    wq: wq.matrix()?,
                    wk: wk.matrix()?,
                    wv: wv.matrix()?,
                    wo: wo.matrix()?,
                    ffn_norm: ffn_norm.vector()?,
                    gate: gate.matrix()?,
                    up: up.matrix()?,
                    down: down.matrix()?,
                })
            })
            .collect::<Result<_, LoadError>>()?;
        Ok(Weights {
            config,
            embedding: embedding.matrix()?,
            layers,
            output_norm: output_norm.vector()?,
            untied_head: head.map(|h| h.matrix()).transpose()?,
        })
    }
}

/// The file's tensors, and which have been asked for.
struct Source<'a> {
    file: &'a Gguf,
    used: BTreeSet<&'a str>,
}

impl<'a> Source<'a> {
    fn find(&mut self, name: &str, want: &[usize]) -> Result<Found<'a>, LoadError> {
        let Some((name, tensor)) = self.file.tensor_entry(name) else {
            return Err(LoadError::NoTensor { name: name.to_owned(), want: want.to_vec() });
        };
        if tensor.dims != want {
            let (found, want) = (tensor.dims.clone(), want.to_vec());
            return Err(LoadError::Shape { name: name.to_owned(), found, want });
        }
        self.used.insert(name);
        Ok(Found { name, tensor, bytes: self.file.bytes_of(tensor) })
    }
}

/// A tensor of the right shape.
struct Found<'a> {
    name: &'a str,
    tensor: &'a Tensor,
    bytes: &'a [u8],
}

impl Found<'_> {
    fn vector(&self) -> Result<Vec<f32>, LoadError> {
        let mut out = vec![0.0; self.tensor.elements()];
        self.tensor.ty.decode(self.bytes, &mut out);
        match out.iter().position(|v| !v.is_finite()) {
            Some(index) => Err(LoadError::Weight { name: self.name.to_owned(), index, value: out[index] }),
            None => Ok(out),
        }
    }

    /// Decoded and rounded row by row, so that no f32 copy of the whole tensor is ever made.
    fn matrix(&self) -> Result<Matrix, LoadError> {
        let (cols, rows) = (self.tensor.dims[0], self.tensor.dims[1]);
        let row_bytes = cols / self.tensor.ty.block() * self.tensor.ty.block_bytes();
        let mut data = vec![f16::ZERO; rows * cols];
        data.par_chunks_mut(cols).zip(self.bytes.par_chunks(row_bytes)).enumerate().try_for_each_init(
            || vec![0.0f32; cols],
            |row, (r, (out, bytes))| {
                self.tensor.ty.decode(bytes, row);
                out.convert_from_f32_slice(row);
                match out.iter().position(|v| !v.is_finite()) {
                    Some(c) => {
                        Err(LoadError::Weight { name: self.name.to_owned(), index: r * cols + c, value: row[c] })
                    }
                    None => Ok(()),
                }
            },
        )?;
        Ok(Matrix { rows, cols, data })
    }
}

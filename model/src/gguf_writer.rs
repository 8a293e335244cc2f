//! Writes GGUF version 3: enough to save a small model, so that tests (here and in the command line) can exercise the
//! reader on files whose every byte they control, without a download.

use crate::load::LoadError;
use crate::tokenizer::byte_level_tables;
use crate::weights::{Matrix, Weights};

/// Data offsets are multiples of this, GGUF's default.
const ALIGNMENT: usize = 32;

/// A file being put together.
#[derive(Clone, Debug, Default)]
pub struct GgufWriter {
    values: Vec<u8>,
    value_count: u64,
    directory: Vec<u8>,
    tensor_count: u64,
    data: Vec<u8>,
}

impl GgufWriter {
    /// An empty file.
    pub fn new() -> Self {
        Self::default()
    }

    fn key(&mut self, key: &str, ty: u32) -> &mut Vec<u8> {
        self.value_count += 1;
        put_string(&mut self.values, key);
        self.values.extend(ty.to_le_bytes());
        &mut self.values
    }

    /// A uint32 value.
    pub fn u32(&mut self, key: &str, value: u32) -> &mut Self {
        self.key(key, 4).extend(value.to_le_bytes());
        self
    }

    /// A float32 value.
    pub fn f32(&mut self, key: &str, value: f32) -> &mut Self {
        self.key(key, 6).extend(value.to_le_bytes());
        self
    }

    /// A string value.
    pub fn string(&mut self, key: &str, value: &str) -> &mut Self {
        put_string(self.key(key, 8), value);
        self
    }

    /// An array of strings.
    pub fn strings<S: AsRef<str>>(&mut self, key: &str, values: &[S]) -> &mut Self {
        let out = self.key(key, 9);
        out.extend(8u32.to_le_bytes());
        out.extend((values.len() as u64).to_le_bytes());
        for value in values {
            put_string(out, value.as_ref());
        }
        self
    }

    /// An array of int32.
    pub fn i32s(&mut self, key: &str, values: &[i32]) -> &mut Self {
        let out = self.key(key, 9);
        out.extend(5u32.to_le_bytes());
        out.extend((values.len() as u64).to_le_bytes());
        out.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        self
    }

    /// A tensor from its stored bytes; `dims` has the contiguous dimension first. The bytes are taken as they are, right
    /// or wrong.
    pub fn tensor(&mut self, name: &str, dims: &[usize], code: u32, bytes: &[u8]) -> &mut Self {
        self.tensor_count += 1;
        self.data.resize(self.data.len().next_multiple_of(ALIGNMENT), 0);
        put_string(&mut self.directory, name);
        self.directory.extend((dims.len() as u32).to_le_bytes());
        for &d in dims {
            self.directory.extend((d as u64).to_le_bytes());
        }
        self.directory.extend(code.to_le_bytes());
        self.directory.extend((self.data.len() as u64).to_le_bytes());
        self.data.extend(bytes);
        self
    }

    /// An F16 matrix.
    pub fn matrix(&mut self, name: &str, m: &Matrix) -> &mut Self {
        let bytes: Vec<u8> = m.data.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.tensor(name, &[m.cols, m.rows], 1, &bytes)
    }

    /// An F32 vector.
    pub fn vector(&mut self, name: &str, v: &[f32]) -> &mut Self {
        let bytes: Vec<u8> = v.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.tensor(name, &[v.len()], 0, &bytes)
    }

    /// Metadata and tensors of a model, without the tokenizer.
    pub fn weights(&mut self, w: &Weights) -> &mut Self {
        let c = &w.config;
        self.string("general.architecture", "llama");
        for (key, n) in [
            ("llama.block_count", c.layers),
            ("llama.embedding_length", c.d_model),
            ("llama.attention.head_count", c.heads),
            ("llama.attention.head_count_kv", c.kv_heads),
            ("llama.attention.key_length", c.head_dim),
            ("llama.attention.value_length", c.head_dim),
            ("llama.rope.dimension_count", c.head_dim),
            ("llama.feed_forward_length", c.ffn),
            ("llama.vocab_size", c.vocab),
            ("llama.context_length", c.context),
        ] {
            self.u32(key, n as u32);
        }
        self.f32("llama.rope.freq_base", c.rope_base);
        self.f32("llama.attention.layer_norm_rms_epsilon", c.rms_eps);
        self.matrix("token_embd.weight", &w.embedding);
        for (i, l) in w.layers.iter().enumerate() {
            let name = |part: &str| format!("blk.{i}.{part}.weight");
            self.vector(&name("attn_norm"), &l.attn_norm).vector(&name("ffn_norm"), &l.ffn_norm);
            for (part, m) in [
                ("attn_q", &l.wq),
                ("attn_k", &l.wk),
                ("attn_v", &l.wv),
                ("attn_output", &l.wo),
                ("ffn_gate", &l.gate),
                ("ffn_up", &l.up),
                ("ffn_down", &l.down),
            ] {
                self.matrix(&name(part), m);
            }
        }
        self.vector("output_norm.weight", &w.output_norm);
        if let Some(head) = &w.untied_head {
            self.matrix("output.weight", head);
        }
        self
    }

    /// The byte-level tokenizer of [`Tokenizer::byte_level`](crate::Tokenizer::byte_level).
    ///
    /// # Errors
    /// [`LoadError`] if there is none for this vocabulary.
    pub fn byte_level_tokenizer(&mut self, vocab: usize) -> Result<&mut Self, LoadError> {
        let t = byte_level_tables(vocab)?;
        let types: Vec<i32> = t.types.iter().map(|&t| t as i32).collect();
        self.string("tokenizer.ggml.model", "gpt2")
            .string("tokenizer.ggml.pre", "smollm")
            .strings("tokenizer.ggml.tokens", &t.tokens)
            .strings("tokenizer.ggml.merges", &t.merges)
            .i32s("tokenizer.ggml.token_type", &types)
            .u32("tokenizer.ggml.eos_token_id", t.eos);
        Ok(self)
    }

    /// The file's bytes.
    pub fn finish(&self) -> Vec<u8> {
        let mut out = b"GGUF".to_vec();
        out.extend(3u32.to_le_bytes());
        out.extend(self.tensor_count.to_le_bytes());
        out.extend(self.value_count.to_le_bytes());
        out.extend(&self.values);
        out.extend(&self.directory);
        out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
        out.extend(&self.data);
        out
    }
}

fn put_string(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

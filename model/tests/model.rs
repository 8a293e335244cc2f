//! Whole models from files: tokenizer tables and chat template that are right, wrong in one place, wrong at random.

use proptest::prelude::*;
use std::sync::OnceLock;
use wavesmith_model::gguf_writer::GgufWriter;
use wavesmith_model::{LlamaConfig, Model, PromptError, Weights, synthetic};

const TINY: LlamaConfig =
    LlamaConfig { layers: 1, d_model: 8, heads: 2, kv_heads: 1, head_dim: 4, ffn: 8, vocab: 300, ..synthetic::SMALL };

fn tiny() -> &'static Weights {
    static WEIGHTS: OnceLock<Weights> = OnceLock::new();
    WEIGHTS.get_or_init(|| Weights::synthetic(&TINY, 1).unwrap())
}

/// A whole file; `change` may add keys.
fn file(change: impl FnOnce(&mut GgufWriter)) -> Vec<u8> {
    let mut w = GgufWriter::new();
    w.weights(tiny()).byte_level_tokenizer(TINY.vocab).unwrap();
    change(&mut w);
    w.finish()
}

/// A file with the tokenizer keys of `keys` only.
fn refusal(keys: impl FnOnce(&mut GgufWriter)) -> String {
    let mut w = GgufWriter::new();
    w.weights(tiny());
    keys(&mut w);
    let text = Model::from_bytes(w.finish()).unwrap_err().to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

#[test]
fn a_whole_model_is_read_back() {
    let template = "{% for m in messages %}{{ eos_token + m.content }}{% endfor %}";
    let m = Model::from_bytes(file(|w| {
        w.string("tokenizer.chat_template", template).string("general.name", "Tiny");
    }))
    .unwrap();
    assert_eq!((m.name.as_str(), &m.weights), ("Tiny", tiny()));
    let ids = m.encode_prompt("the 12 teas", false).unwrap();
    assert_eq!(m.tokenizer.decode(&ids), "the 12 teas");
    assert!(ids.len() < 11, "some pairs are merged: {ids:?}");
    assert_eq!(m.encode_prompt("é", true).unwrap(), [2, 3 + 0xC3, 3 + 0xA9]);
    let plain = Model::from_bytes(file(|_| ())).unwrap();
    assert_eq!(plain.encode_prompt("x", true), Err(PromptError::NoTemplate));
    let broken = Model::from_bytes(file(|w| _ = w.string("tokenizer.chat_template", "{{"))).unwrap();
    assert!(matches!(broken.encode_prompt("x", true), Err(PromptError::Template(_))));
}

#[test]
fn tokenizers_that_are_not_supported_are_refused_by_key() {
    let text = refusal(|w| _ = w.string("tokenizer.ggml.model", "llama"));
    assert_eq!(text, "metadata key `tokenizer.ggml.model` is \"llama\": it must be `gpt2` (byte-level BPE)");
    let text = refusal(|w| _ = w.string("tokenizer.ggml.model", "gpt2").string("tokenizer.ggml.pre", "qwen2"));
    assert_eq!(text, "metadata key `tokenizer.ggml.pre` is \"qwen2\": it must be `smollm` or `gpt-2`");
    assert!(refusal(|_| ()).contains("`tokenizer.ggml.model` is missing"));
    assert!(refusal(|w| _ = w.string("tokenizer.ggml.model", "gpt2")).contains("`tokenizer.ggml.tokens` is missing"));
}

#[test]
fn a_missing_file_and_a_truncated_one_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cut.gguf");
    let text = Model::open(&path).unwrap_err().to_string();
    assert!(text.contains("cut.gguf: ") && text.contains("GGUF"), "{text}");
    let whole = file(|_| ());
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let text = Model::open(&path).unwrap_err().to_string();
    assert!(text.contains("cut.gguf: offset") && text.contains("truncated"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mutated_models_never_panic(edits in prop::collection::vec((0.0f64..1.0, any::<u8>()), 1..5)) {
        let mut bytes = file(|w| _ = w.string("tokenizer.chat_template", "{% for m in messages %}{{ m.content }}{% endfor %}"));
        for (place, value) in edits {
            let at = (place * bytes.len() as f64) as usize;
            bytes[at] = value;
        }
        match Model::from_bytes(bytes) {
            Ok(m) => {
                for chat in [false, true] {
                    if let Ok(ids) = m.encode_prompt("a <|im_end|> b 12 é", chat) {
                        prop_assert!(ids.iter().all(|&t| (t as usize) < m.weights.config.vocab));
                        let _ = m.tokenizer.decode(&ids);
                    }
                }
            }
            Err(error) => {
                let text = error.to_string();
                prop_assert!(!text.is_empty() && !text.contains('\n'), "{}", text);
            }
        }
    }
}

//! The GGUF reader on files that are right, wrong in one place, and wrong at random.

use proptest::prelude::*;
use wavesmith_model::gguf::Value;
use wavesmith_model::gguf_writer::GgufWriter;
use wavesmith_model::quant::TensorType;
use wavesmith_model::{Gguf, LlamaConfig, LoadError, Weights, synthetic};

const TINY: LlamaConfig = LlamaConfig {
    layers: 2,
    d_model: 32,
    heads: 4,
    kv_heads: 2,
    head_dim: 8,
    ffn: 48,
    vocab: 20,
    context: 64,
    ..synthetic::SMALL
};

fn tiny() -> Weights {
    Weights::synthetic(&TINY, 3).unwrap()
}

fn file_of(weights: &Weights) -> Vec<u8> {
    GgufWriter::new().weights(weights).finish()
}

fn load(bytes: Vec<u8>) -> Result<Weights, LoadError> {
    Weights::from_gguf(&Gguf::parse(bytes)?)
}

fn refusal(bytes: Vec<u8>) -> String {
    let text = load(bytes).unwrap_err().to_string();
    assert!(!text.contains('\n'), "an error is one line: {text}");
    text
}

/// The tiny model with one key or tensor different.
fn altered(change: impl FnOnce(&mut GgufWriter, &mut Weights)) -> String {
    let mut weights = tiny();
    let mut writer = GgufWriter::new();
    change(&mut writer, &mut weights);
    refusal(writer.weights(&weights).finish())
}

#[test]
fn weights_come_back_as_they_were_written() {
    let tied = tiny();
    assert_eq!(load(file_of(&tied)).unwrap(), tied);
    let untied = Weights::synthetic(&LlamaConfig { tied: false, ..TINY }, 4).unwrap();
    assert_eq!(load(file_of(&untied)).unwrap(), untied);
}

#[test]
fn values_of_every_kind_are_read() {
    let mut w = GgufWriter::new();
    w.u32("a", 7).f32("b", 0.5).string("c", "ü").strings("d", &["x", ""]).i32s("e", &[-1, 2]);
    let file = Gguf::parse(w.finish()).unwrap();
    assert_eq!(file.get("a"), Some(&Value::Unsigned(7)));
    assert_eq!(file.get("b"), Some(&Value::Float(0.5)));
    assert_eq!(file.get("c"), Some(&Value::String("ü".to_owned())));
    assert_eq!(file.get("d"), Some(&Value::Strings(vec!["x".to_owned(), String::new()])));
    assert_eq!(file.get("e"), Some(&Value::Integers(vec![-1, 2])));
    assert_eq!(file.get("f"), None);
}

#[test]
fn every_encoding_decodes_to_the_oracles_values() {
    let vectors = include_str!("data/dequantised.txt");
    let mut compared = 0;
    for line in vectors.lines().filter(|l| !l.starts_with('#')) {
        let mut words = line.split(' ');
        let ty = TensorType::from_code(words.next().unwrap().parse().unwrap()).unwrap();
        let hex = words.next().unwrap();
        let block: Vec<u8> =
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
        let want: Vec<u32> = words.map(|w| u32::from_str_radix(w, 16).unwrap()).collect();
        assert_eq!((block.len(), want.len()), (ty.block_bytes(), ty.block()), "{ty}");
        let mut got = vec![0.0f32; want.len()];
        ty.decode(&block, &mut got);
        for (i, (got, want)) in got.iter().zip(want).enumerate() {
            let want = f32::from_bits(want);
            assert!((got - want).abs() <= want.abs() * 1e-6, "{ty} element {i}: {got} {want}");
            compared += 1;
        }
    }
    assert_eq!(compared, 5 * 32 + 3 * 256 + 2);
}

#[test]
fn a_file_cut_anywhere_is_refused_and_the_error_has_the_offset() {
    let whole = file_of(&tiny());
    for end in (0..whole.len()).step_by(7) {
        let text = refusal(whole[..end].to_vec());
        assert!(text.contains("offset"), "cut at {end}: {text}");
    }
    let text = refusal(whole[..whole.len() - 1].to_vec());
    assert!(
        text.contains("truncated: the data of tensor `output_norm.weight` needs 128 bytes, and 127 are left"),
        "{text}"
    );
}

#[test]
fn counts_beyond_the_file_are_refused_before_memory_is_taken() {
    for (at, what) in [(8, "tensor directory"), (16, "metadata")] {
        let mut bytes = file_of(&tiny());
        bytes[at..at + 8].copy_from_slice(&u64::MAX.to_le_bytes());
        let text = refusal(bytes);
        assert!(text.contains(what) && text.contains("are left"), "{text}");
    }
    let mut lying = GgufWriter::new().strings("k", &["abc"]).finish();
    let count = lying.len().next_multiple_of(32).min(24 + 8 + 1 + 4 + 4);
    lying[count..count + 8].copy_from_slice(&(u64::MAX / 8 + 1).to_le_bytes());
    assert!(refusal(lying).contains("the array `k`"));
}

#[test]
fn other_files_are_told_apart() {
    assert!(refusal(b"PK\x03\x04 a wheel".to_vec()).contains("not a GGUF file"));
    assert!(refusal(Vec::new()).contains("not a GGUF file"));
    let mut bytes = file_of(&tiny());
    bytes[4] = 1;
    assert!(refusal(bytes.clone()).contains("version 1 is not supported: 2 and 3 are"));
    bytes[4..8].copy_from_slice(&3u32.to_be_bytes());
    assert!(refusal(bytes).contains("big-endian"));
}

#[test]
fn another_architecture_is_refused_by_name() {
    let bytes = GgufWriter::new().string("general.architecture", "qwen2").finish();
    assert_eq!(refusal(bytes), "architecture \"qwen2\" is not supported: the model must be of architecture `llama`");
    assert!(refusal(GgufWriter::new().finish()).contains("general.architecture"));
}

#[test]
fn an_unsupported_quantisation_is_refused_and_the_supported_ones_are_listed() {
    let text = altered(|w, _| _ = w.tensor("extra", &[256], 16, &[0; 66]));
    assert!(text.contains("quantisation of tensor `extra` is 16: known are 0 F32, 1 F16"), "{text}");
}

#[test]
fn a_tensor_of_the_wrong_shape_is_refused_with_the_right_one() {
    let text = altered(|_, w| {
        w.layers[1].wk.rows = 8;
        w.layers[1].wk.data.truncate(8 * 32);
    });
    assert_eq!(text, "tensor `blk.1.attn_k.weight` has shape [32, 8]: with this metadata it must have shape [32, 16]");
    let text = altered(|_, w| w.layers.truncate(1));
    assert!(text.contains("tensor `blk.1.attn_norm.weight` is missing: it must have shape [32]"), "{text}");
}

#[test]
fn what_would_change_the_result_is_not_passed_over() {
    let text = altered(|w, _| _ = w.vector("blk.0.attn_q.bias", &[0.0; 32]));
    assert!(text.contains("`blk.0.attn_q.bias` is not part of a plain Llama model"), "{text}");
    let text = altered(|w, _| _ = w.string("llama.rope.scaling.type", "yarn"));
    assert!(text.contains("RoPE scaling is not supported"), "{text}");
    let text = altered(|w, _| _ = w.u32("llama.expert_count", 8));
    assert!(text.contains("experts are not supported"), "{text}");
    let text = altered(|_, w| w.config.kv_heads = 3);
    assert!(text.contains("4 heads cannot share 3 KV heads"), "{text}");
    let text = altered(|w, _| _ = w.strings("tokenizer.ggml.tokens", &["a"]));
    assert!(text.contains("llama.vocab_size"), "{text}");
}

#[test]
fn weights_that_f16_cannot_hold_are_refused() {
    let text = altered(|_, w| w.layers[0].up.data[5] = half::f16::INFINITY);
    assert!(text.contains("tensor `blk.0.ffn_up.weight`, element 5: inf"), "{text}");
    let text = altered(|_, w| w.layers[0].ffn_norm[2] = f32::NAN);
    assert!(text.contains("tensor `blk.0.ffn_norm.weight`, element 2: NaN"), "{text}");
}

#[test]
fn duplicates_and_misaligned_data_are_refused() {
    assert!(altered(|w, _| _ = w.vector("output_norm.weight", &[0.0; 32])).contains("occurs twice"));
    assert!(altered(|w, _| _ = w.u32("llama.block_count", 2)).contains("occurs twice"));
    let mut w = GgufWriter::new();
    w.string("general.architecture", "llama").u32("general.alignment", 3);
    assert!(refusal(w.finish()).contains("power of two"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Bytes changed at random, mostly in the part that has structure.
    #[test]
    fn mutated_files_never_panic(
        edits in prop::collection::vec((0.0f64..1.0, any::<u8>(), any::<bool>()), 1..6),
        cut in prop::option::weighted(0.2, 0.0f64..1.0),
    ) {
        let mut bytes = file_of(&tiny());
        let header = 2500;
        for (place, value, anywhere) in edits {
            let range = if anywhere { bytes.len() } else { header };
            bytes[(place * range as f64) as usize] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate((cut * bytes.len() as f64) as usize);
        }
        if let Err(error) = load(bytes) {
            let text = error.to_string();
            prop_assert!(!text.is_empty() && !text.contains('\n'), "{}", text);
        }
    }

    #[test]
    fn random_bytes_after_a_valid_start_never_panic(tail in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend(tail);
        if let Ok(file) = Gguf::parse(bytes) {
            prop_assert!(file.tensors().all(|(_, t)| file.bytes_of(t).len() == t.range.len()));
        }
    }

    #[test]
    fn eight_byte_words_replaced_by_extremes_never_panic(place in 8usize..2500, word in prop_oneof![
        Just(u64::MAX), Just(u64::MAX / 2), Just(0), Just(1 << 32), Just(1 << 62)]) {
        let mut bytes = file_of(&tiny());
        bytes[place..place + 8].copy_from_slice(&word.to_le_bytes());
        if let Err(error) = load(bytes) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

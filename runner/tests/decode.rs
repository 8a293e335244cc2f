//! The monokernel on the embedded device against the CPU reference: random small models, prompts, workgroup counts and
//! ways to choose tokens.

mod device;

use device::Device;
use proptest::prelude::*;
use std::time::Duration;
use wavesmith_kernels::monokernel::{KvType, Params, Site, Sync};
use wavesmith_model::synthetic::SMALL;
use wavesmith_model::{LlamaConfig, Sampling};
use wavesmith_runner::{Request, RunError};

/// No token ends a sequence.
const NEVER: u32 = u32::MAX - 1;

fn shapes() -> impl Strategy<Value = LlamaConfig> {
    (1usize..4, 1usize..9, 1usize..4, 1usize..4, 1usize..3, 1usize..10, 3usize..300, any::<bool>()).prop_map(
        |(layers, d, kv_heads, group, head_dim, ffn, vocab, tied)| LlamaConfig {
            layers,
            d_model: 32 * d,
            heads: kv_heads * group,
            kv_heads,
            head_dim: 32 * head_dim,
            ffn: 32 * ffn,
            vocab,
            context: 256,
            tied,
            ..SMALL
        },
    )
}

fn params() -> impl Strategy<Value = Params> {
    (1u32..24, proptest::option::of(1u32..=8), any::<bool>(), any::<bool>(), 3u32..5, 0u32..4).prop_map(
        |(workgroups, waves, wide, counter, generations, spins)| Params {
            waves,
            kv: if wide { KvType::F32 } else { KvType::F16 },
            sync: if counter { Sync::Counter } else { Sync::Sentinel },
            generations,
            spins,
            ..Params::new(workgroups, 96)
        },
    )
}

/// A prompt of `words` folded into the vocabulary.
fn prompt(words: &[u32], vocab: usize) -> Vec<u32> {
    words.iter().map(|w| w % vocab as u32).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_model_on_any_number_of_workgroups_decodes_as_the_reference_does(
        config in shapes(),
        params in params(),
        words in proptest::collection::vec(any::<u32>(), 1..50),
        tokens in 1usize..9,
        seed: u64,
    ) {
        let device = Device::new("mi300x", &config, &params, seed);
        let request = Request::greedy(&prompt(&words, config.vocab), tokens, NEVER);
        device.verified(&request);
    }

    #[test]
    fn draws_are_those_of_the_definition(
        config in shapes(),
        workgroups in 1u32..80,
        words in proptest::collection::vec(any::<u32>(), 1..8),
        temperature in 0.2f32..3.0,
        top_k in 2u32..=64,
        top_p in 0.05f32..=1.0,
        seed: u64,
    ) {
        let params = Params { top_k, ..Params::new(workgroups, 32) };
        let device = Device::new("mi300x", &config, &params, seed);
        let request = Request {
            sampling: Sampling::new(temperature, top_k, top_p, seed).unwrap(),
            ..Request::greedy(&prompt(&words, config.vocab), 10, NEVER)
        };
        device.verified(&request);
    }
}

#[test]
fn a_small_model_decodes_as_the_reference_does() {
    let device = Device::new("mi300x", &SMALL, &Params::new(8, 64), 1);
    let decoded = device.verified(&Request::greedy(&[5, 17, 300, 2, 99], 8, NEVER));
    assert_eq!(decoded.tokens.len(), 8);
    assert_eq!(decoded.logits.len(), 8 * SMALL.vocab);
    assert_eq!(decoded.residuals.len(), 12 * SMALL.layers * SMALL.d_model);
}

#[test]
fn a_decoder_serves_one_sequence_after_another() {
    let device = Device::new("mi300x", &SMALL, &Params::new(5, 64), 2);
    let first = device.verified(&Request::greedy(&[1, 2, 3], 6, NEVER));
    let other = device.verified(&Request::greedy(&[400; 20], 3, NEVER));
    assert_ne!(first.tokens[..3], other.tokens[..]);
    assert_eq!(device.verified(&Request::greedy(&[1, 2, 3], 6, NEVER)).tokens, first.tokens);
}

#[test]
fn sentinels_counters_and_any_number_of_workgroups_give_the_same_bits() {
    let words: Vec<u32> = (0..21).map(|i| i * 37 % 512).collect();
    let request = Request::greedy(&words, 5, NEVER);
    let decode = |workgroups, sync| {
        let params = Params { sync, waves: Some(4), ..Params::new(workgroups, 64) };
        Device::new("mi300x", &SMALL, &params, 3).decode(&request)
    };
    let bits = |v: &[f32]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let sentinel = decode(8, Sync::Sentinel);
    for other in [decode(8, Sync::Counter), decode(1, Sync::Sentinel), decode(40, Sync::Sentinel)] {
        assert_eq!(bits(&sentinel.logits), bits(&other.logits));
        assert_eq!(bits(&sentinel.residuals), bits(&other.residuals));
    }
}

#[test]
fn a_prompt_of_many_prefill_steps_and_attention_rounds_decodes_as_the_reference_does() {
    // 230 positions: 15 prefill steps, and more blocks of 32 positions than waves.
    let words: Vec<u32> = (0..222).map(|i| i * i % 509).collect();
    for kv in [KvType::F16, KvType::F32] {
        let params = Params { kv, waves: Some(2), ..Params::new(6, 230) };
        let device = Device::new("mi300x", &LlamaConfig { layers: 2, head_dim: 128, ..SMALL }, &params, 9);
        device.verified(&Request::greedy(&words, 8, NEVER));
    }
}

#[test]
fn the_end_token_ends_the_sequence() {
    let device = Device::new("mi300x", &SMALL, &Params::new(8, 64), 4);
    let free = device.decode(&Request::greedy(&[7, 8], 12, NEVER));
    let eos = free.tokens[4];
    let first = free.tokens.iter().position(|t| *t == eos).unwrap();
    let ended = device.verified(&Request::greedy(&[7, 8], 12, eos));
    assert_eq!(ended.tokens, free.tokens[..=first]);
}

#[test]
fn every_part_decodes_at_one_workgroup_a_compute_unit() {
    let config = LlamaConfig { layers: 2, ..SMALL };
    for (name, cus) in [("mi300x", 304), ("mi300a", 228), ("mi308x", 80), ("mi325x", 304), ("mi355x", 256)] {
        let device = Device::new(name, &config, &Params::new(cus, 32), 5);
        let decoded = device.verified(&Request::greedy(&[9, 8, 7], 2, NEVER));
        assert_eq!(decoded.tokens.len(), 2);
    }
}

#[test]
fn tokens_arrive_while_the_kernel_runs() {
    let device = Device::new("mi300x", &SMALL, &Params::new(8, 64), 6);
    let mut seen = Vec::new();
    let decoded = device.decoder.decode(&Request::greedy(&[1], 12, NEVER), |t| seen.push(t)).unwrap();
    assert_eq!(seen, decoded.tokens);
    assert!(decoded.first_token < decoded.elapsed);
}

#[test]
fn an_expired_watchdog_says_who_waited_for_what() {
    let device = Device::new("mi300x", &SMALL, &Params::new(8, 64), 7);
    let request = Request { watchdog: Duration::from_nanos(1), ..Request::greedy(&[1, 2, 3], 4, NEVER) };
    let mut seen = Vec::new();
    let error = device.decoder.decode(&request, |t| seen.push(t)).unwrap_err();
    // Whoever gave up takes its workgroup along before anything computed without it is published.
    assert!(seen.is_empty(), "{seen:?}");
    let RunError::GaveUp { record, .. } = &error else { panic!("{error}") };
    assert_eq!(record.step, 0);
    assert!(matches!(record.site, Site::Qkv | Site::Attention | Site::Out | Site::Hidden | Site::Down));
    assert!(error.to_string().contains("waited too long for"), "{error}");
    // The device is as good as before.
    device.verified(&Request::greedy(&[1, 2, 3], 4, NEVER));
}

#[test]
fn requests_that_cannot_be_are_refused_with_what_could() {
    let device = Device::new("mi300x", &SMALL, &Params::new(2, 16), 8);
    let say = |r: Request| device.try_decode(&r).unwrap_err().to_string();
    assert!(say(Request::greedy(&[], 4, NEVER)).contains("at least one"));
    assert!(say(Request::greedy(&[1], 0, NEVER)).contains("at least 1"));
    assert!(say(Request::greedy(&[1, 512], 1, NEVER)).contains("ids go up to 511"));
    assert!(say(Request::greedy(&[1; 10], 7, NEVER)).contains("at most 6"));
    let sampling = Sampling::new(1.0, 20, 1.0, 0).unwrap();
    assert!(say(Request { sampling, ..Request::greedy(&[1], 1, NEVER) }).contains("top-k 20"));
}

//! The CPU reference against a plain f64 transcription of the architecture, on shapes the default model does not have:
//! heads that do not fill the model width, one KV head or as many as heads, odd widths, an untied head.

use proptest::prelude::*;
use wavesmith_model::{LlamaConfig, Matrix, Weights};
use wavesmith_verify::{Reference, Wanted};

fn times(m: &Matrix, x: &[f64]) -> Vec<f64> {
    (0..m.rows).map(|r| m.row(r).iter().zip(x).map(|(w, x)| w.to_f64() * x).sum()).collect()
}

fn norm(x: &[f64], w: &[f32], eps: f32) -> Vec<f64> {
    let square = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    x.iter().zip(w).map(|(x, &w)| x / (square + f64::from(eps)).sqrt() * f64::from(w)).collect()
}

fn rope(x: &mut [f64], c: &LlamaConfig, position: usize) {
    for head in x.chunks_mut(c.head_dim) {
        for i in 0..c.head_dim / 2 {
            let angle = position as f64 * f64::from(c.rope_base).powf(-(2.0 * i as f64) / c.head_dim as f64);
            let (a, b) = (head[2 * i], head[2 * i + 1]);
            head[2 * i] = a * angle.cos() - b * angle.sin();
            head[2 * i + 1] = a * angle.sin() + b * angle.cos();
        }
    }
}

/// Logits of every position, one token after the other.
fn plain(w: &Weights, tokens: &[u32]) -> Vec<f64> {
    let c = &w.config;
    let mut cache = vec![Vec::<(Vec<f64>, Vec<f64>)>::new(); c.layers];
    let mut logits = Vec::new();
    for (position, &token) in tokens.iter().enumerate() {
        let mut x: Vec<f64> = w.embedding.row(token as usize).iter().map(|v| v.to_f64()).collect();
        for (l, cache) in w.layers.iter().zip(&mut cache) {
            let n = norm(&x, &l.attn_norm, c.rms_eps);
            let (mut q, mut k) = (times(&l.wq, &n), times(&l.wk, &n));
            rope(&mut q, c, position);
            rope(&mut k, c, position);
            cache.push((k, times(&l.wv, &n)));
            let mut mixed = Vec::new();
            for head in 0..c.heads {
                let own = &q[head * c.head_dim..(head + 1) * c.head_dim];
                let from = head / (c.heads / c.kv_heads) * c.head_dim;
                let score = |k: &[f64]| {
                    let dot: f64 = own.iter().zip(&k[from..]).map(|(q, k)| q * k).sum();
                    (dot / (c.head_dim as f64).sqrt()).exp()
                };
                let scores: Vec<f64> = cache.iter().map(|(k, _)| score(k)).collect();
                let sum: f64 = scores.iter().sum();
                for i in 0..c.head_dim {
                    mixed.push(scores.iter().zip(cache.iter()).map(|(s, (_, v))| s / sum * v[from + i]).sum());
                }
            }
            for (x, y) in x.iter_mut().zip(times(&l.wo, &mixed)) {
                *x += y;
            }
            let n = norm(&x, &l.ffn_norm, c.rms_eps);
            let up = times(&l.up, &n);
            let gated: Vec<f64> =
                times(&l.gate, &n).into_iter().zip(up).map(|(g, u)| g / (1.0 + (-g).exp()) * u).collect();
            for (x, y) in x.iter_mut().zip(times(&l.down, &gated)) {
                *x += y;
            }
        }
        logits.extend(times(w.head(), &norm(&x, &w.output_norm, c.rms_eps)));
    }
    logits
}

fn shapes() -> impl Strategy<Value = LlamaConfig> {
    (1usize..4, 1usize..60, 1usize..4, 1usize..4, 1usize..9, 1usize..70, 2usize..90, any::<bool>()).prop_map(
        |(layers, d_model, kv_heads, group, half, ffn, vocab, tied)| LlamaConfig {
            layers,
            d_model,
            heads: kv_heads * group,
            kv_heads,
            head_dim: 2 * half,
            ffn,
            vocab,
            context: 100,
            rope_base: 1e4,
            rms_eps: 1e-5,
            tied,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn logits_agree_with_a_plain_f64_transcription_on_any_shape(
        config in shapes(),
        seed: u64,
        text in prop::collection::vec(any::<u32>(), 1..70),
    ) {
        let w = Weights::synthetic(&config, seed).unwrap();
        let tokens: Vec<u32> = text.iter().map(|t| t % config.vocab as u32).collect();
        let want = plain(&w, &tokens);
        let got = Reference::new(&w).feed(&tokens, Wanted::logits(0..tokens.len())).unwrap().logits;
        prop_assert_eq!(got.len(), want.len());
        for (i, (got, want)) in got.iter().zip(&want).enumerate() {
            prop_assert!((f64::from(*got) - want).abs() < 1e-3 * want.abs().max(1.0), "{}: {} {}", i, got, want);
        }
    }
}

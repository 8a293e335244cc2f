//! Attention forward, its row sums and its gradients.

use super::device::*;

/// How many there are of what, in one batch.
pub struct Rows {
    pub queries: usize,
    pub keys: usize,
    pub heads: usize,
    /// Heads that share a key.
    pub sharing: usize,
}

impl Rows {
    /// The arguments of attention forward, third and fourth kind: results, queries, keys and values, with the bytes from
    /// token to token of queries, keys, values and results, and those from head to head.
    pub fn arguments(
        &self,
        [o, q, k, v]: [&Buffer; 4],
        tokens: [usize; 4],
        heads: [usize; 4],
        scale: f32,
        options: usize,
    ) -> Placed {
        let rows = [self.queries, self.keys, self.keys, self.queries];
        let starts = [0x70, 0xc0, 0x150, 0x180];
        let mut args = Placed::new(0x290).ptr(0, o).ptr(0x10, q).ptr(0x20, k).ptr(0x30, v).f32(0x50, scale);
        for (i, at) in starts.into_iter().enumerate() {
            // Between the queries' stride and the next is that of a tile of 256.
            let next = if i == 0 { at + 0x20 } else { at + 0x10 };
            args = args.u32(at, tokens[i]).u32(next, heads[i]).u32(next + 0x10, rows[i] * tokens[i]);
        }
        args.u32(0x60, self.queries)
            .u32(0x80, 256 * tokens[0])
            .u32(0xb0, self.sharing)
            .u32(0xf0, options)
            .u32(0x110, self.keys)
            .u32(0x120, 128)
            .u32(0x130, 128)
            .u32(0x140, self.heads)
    }
}

fn attention(target: Target, file: &str, kernel: &str, sq: usize, sk: usize, causal: bool) {
    going_on(|| {
        let d = Device::new(target);
        let (h, hk, dim) = (2usize, 1usize, 128usize);
        let mut r = Random(2024);
        let (q, k, v) = (r.bf16s(sq * h * dim), r.bf16s(sk * hk * dim), r.bf16s(sk * hk * dim));
        let (dq, dk, dv) = (d.bf16s(&q), d.bf16s(&k), d.bf16s(&v));
        let (o, lse) = (d.bytes(&vec![0; sq * h * dim * 2]), d.f32s(&vec![0.0; h * sq]));
        let scale = 1.0 / (dim as f32).sqrt();
        let (qs, ks) = (h * dim * 2, hk * dim * 2);
        let opt = if causal { 3 } else { 5 };
        let rows = Rows { queries: sq, keys: sk, heads: h, sharing: h / hk };
        let args = rows.arguments([&o, &dq, &dk, &dv], [qs, ks, ks, qs], [dim * 2; 4], scale, opt).ptr(0x40, &lse);
        let args = args.u32(0x100, 1).u32(0x1d0, 4 * sq);
        let tiles = sq.div_ceil(256).div_ceil(if causal { 2 } else { 1 });
        d.run(file, kernel, [tiles as u32, h as u32, 1], 512, args);
        let (o, lse) = (bf16s(&o), f32s(&lse));
        let (mut worst, mut worst_lse) = (0f64, 0f64);
        for head in 0..h {
            for i in 0..sq {
                let last = if causal { i + sk - sq } else { sk - 1 };
                let s: Vec<f64> = (0..=last)
                    .map(|j| {
                        let dot: f64 =
                            (0..dim).map(|x| f64::from(q[(i * h + head) * dim + x]) * f64::from(k[j * dim + x])).sum();
                        dot * f64::from(scale)
                    })
                    .collect();
                let top = s.iter().copied().fold(f64::MIN, f64::max);
                let e: Vec<f64> = s.iter().map(|v| (v - top).exp()).collect();
                let sum: f64 = e.iter().sum();
                worst_lse = worst_lse.max((f64::from(lse[head * sq + i]) - (top + sum.ln())).abs());
                for x in 0..dim {
                    let want: f64 = e.iter().enumerate().map(|(j, p)| p * f64::from(v[j * dim + x])).sum::<f64>() / sum;
                    worst = worst.max((f64::from(o[(i * h + head) * dim + x]) - want).abs());
                }
            }
        }
        eprintln!("{target} {file}: largest difference {worst:.1e}, of the LSE {worst_lse:.1e}");
        assert!(worst < 8e-3 && worst_lse < 1e-4, "{target} {file}: {worst} {worst_lse}");
    })
}

#[test]
fn attention_forward_matches_on_cdna3() {
    let Some(_judged) = judged() else { return };
    attention(
        Target::Gfx942,
        "fmha_v3_fwd/MI300/fwd_hd128_bf16_rtne.co",
        "_ZN5aiter24fmha_fwd_hd128_bf16_rtneE",
        300,
        320,
        false,
    );
    attention(
        Target::Gfx942,
        "fmha_v3_fwd/MI300/fwd_hd128_bf16_causal_rtne.co",
        "_ZN5aiter31fmha_fwd_hd128_bf16_causal_rtneE",
        512,
        600,
        true,
    );
}

#[test]
fn attention_forward_matches_on_cdna4() {
    let Some(_judged) = judged() else { return };
    attention(Target::Gfx950, "fmha_v3_fwd/fwd_hd128_bf16.co", "_ZN5aiter19fmha_fwd_hd128_bf16E", 300, 320, false);
}

#[test]
fn causal_attention_forward_matches_on_cdna4() {
    let Some(_judged) = judged() else { return };
    attention(
        Target::Gfx950,
        "fmha_v3_fwd/fwd_hd128_bf16_causal.co",
        "_ZN5aiter26fmha_fwd_hd128_bf16_causalE",
        512,
        600,
        true,
    );
}

#[test]
fn the_row_sum_of_attention_backward_is_exact_in_its_order() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        going_on(|| {
            let d = Device::new(target);
            let (s, h, dim) = (200usize, 2usize, 64usize);
            let mut r = Random(9);
            let (o, g) = (r.bf16s(s * h * dim), r.bf16s(s * h * dim));
            let (od, gd, out) = (d.bf16s(&o), d.bf16s(&g), d.f32s(&vec![0.0; h * s]));
            let mut args = Placed::new(256).ptr(0, &od).ptr(0x10, &gd).ptr(0x20, &out);
            for base in [0x30, 0x60] {
                args = args.u32(base, dim * 2).u32(base + 0x10, s * h * dim * 2).u32(base + 0x20, h * dim * 2);
            }
            let args = args.u32(0x90, s * 4).u32(0xa0, h * s * 4).u32(0xb0, 4).u32(0xc0, s).u32(0xd0, dim);
            d.run(
                "fmha_v3_bwd/bwd_hd64_odo_bf16.co",
                "_ZN5aiter22fmha_bwd_hd64_odo_bf16E",
                [s.div_ceil(128) as u32, h as u32, 1],
                256,
                args,
            );
            let got = f32s(&out);
            for head in 0..h {
                for row in 0..s {
                    let at = (row * h + head) * dim;
                    let lane = |j: usize| (0..8).fold(0f32, |acc, e| o[at + 8 * j + e].mul_add(g[at + 8 * j + e], acc));
                    let want = (1..8).fold(lane(0), |acc, j| acc + lane(j));
                    assert_eq!(got[head * s + row], want, "{target} head {head} row {row}");
                }
            }
        })
    }
}

#[test]
fn attention_backward_gives_the_gradients() {
    let Some(_judged) = judged() else { return };
    let (heads, dim, sq, sk) = (2usize, 104usize, 170usize, 260usize);
    for (target, file, tile) in [
        (Target::Gfx942, "bwd_hd128_bf16_a32_rtne_psskddv", 192usize),
        (Target::Gfx950, "bwd_hd128_bf16_a32_psskddv", 256),
    ] {
        going_on(|| {
            let d = Device::new(target);
            let mut r = Random(33);
            let scale = 1.0 / (dim as f32).sqrt();
            // Queries and their gradient have two heads, keys and values one; its gradients come a head each.
            let (q, g) = (r.bf16s(sq * heads * dim), r.bf16s(sq * heads * dim));
            let (k, v) = (r.bf16s(sk * dim), r.bf16s(sk * dim));
            let row = |m: &[f32], n: usize, h: usize, i: usize| -> Vec<f64> {
                m[(i * n + h) * dim..][..dim].iter().map(|x| f64::from(*x)).collect()
            };
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let (mut lse, mut sums) = (vec![0f32; heads * sq], vec![0f32; heads * sq]);
            let (mut wq, mut wk, mut wv) =
                (vec![0f64; sq * heads * dim], vec![0f64; sk * heads * dim], vec![0f64; sk * heads * dim]);
            let keys: Vec<Vec<f64>> = (0..sk).map(|j| row(&k, 1, 0, j)).collect();
            let values: Vec<Vec<f64>> = (0..sk).map(|j| row(&v, 1, 0, j)).collect();
            for (h, i) in (0..heads).flat_map(|h| (0..sq).map(move |i| (h, i))) {
                let (query, gradient) = (row(&q, heads, h, i), row(&g, heads, h, i));
                let s: Vec<f64> = keys.iter().map(|key| dot(&query, key) * f64::from(scale)).collect();
                let top = s.iter().copied().fold(f64::MIN, f64::max);
                let total: f64 = s.iter().map(|x| (x - top).exp()).sum();
                let p: Vec<f64> = s.iter().map(|x| (x - top).exp() / total).collect();
                let dp: Vec<f64> = values.iter().map(|value| dot(&gradient, value)).collect();
                let sum = dot(&p, &dp);
                (lse[h * sq + i], sums[h * sq + i]) = ((top + total.ln()) as f32, sum as f32);
                for j in 0..sk {
                    let ds = p[j] * (dp[j] - sum) * f64::from(scale);
                    for x in 0..dim {
                        wq[(i * heads + h) * dim + x] += ds * keys[j][x];
                        wk[(j * heads + h) * dim + x] += ds * query[x];
                        wv[(j * heads + h) * dim + x] += p[j] * gradient[x];
                    }
                }
            }
            let dq = d.f32s(&vec![0.0; heads * sq * dim]);
            let (dk, dv) = (d.bytes(&vec![0xff; sk * heads * dim * 2]), d.bytes(&vec![0xff; sk * heads * dim * 2]));
            let (bq, bk, bv, bg) = (d.bf16s(&q), d.bf16s(&k), d.bf16s(&v), d.bf16s(&g));
            let (bl, bs) = (d.f32s(&lse), d.f32s(&sums));
            let (one, all) = (dim * 2, heads * dim * 2);
            let args = Placed::new(0x2c0)
                .ptr(0, &dq)
                .ptr(0x10, &dk)
                .ptr(0x20, &dv)
                .ptr(0x30, &bq)
                .ptr(0x40, &bk)
                .ptr(0x50, &bv)
                .ptr(0x60, &bg)
                .ptr(0x70, &bl)
                .ptr(0x80, &bs)
                .f32(0x90, scale)
                .f32(0xa0, core::f32::consts::LOG2_E)
                .u32(0xb0, sq)
                .u32(0xc0, tile * one)
                .u32(0xd0, one)
                .u32(0xe0, sq * all)
                .u32(0xf0, all)
                .u32(0x100, heads)
                .u32(0x110, one)
                .u32(0x120, sk * one)
                .u32(0x130, one)
                .u32(0x140, all)
                .u32(0x150, sk)
                .u32(0x160, dim)
                .u32(0x170, dim)
                .u32(0x180, heads)
                .u32(0x190, one)
                .u32(0x1a0, sk * one)
                .u32(0x1b0, one)
                .u32(0x1c0, one)
                .u32(0x1d0, sq * all)
                .u32(0x1e0, all)
                .u32(0x1f0, one)
                .u32(0x200, sk * all)
                .u32(0x210, one)
                .u32(0x220, sk * all)
                .u32(0x230, all)
                .u32(0x240, 4 * sq)
                .u32(0x290, sq);
            d.run(
                &format!("fmha_v3_bwd/{file}.co"),
                &format!("_ZN5aiter{}fmha_{file}E", file.len() + 5),
                [sk.div_ceil(tile) as u32, heads as u32, 1],
                256,
                args,
            );
            // The kernel's dQ has heads outside.
            let raw = f32s(&dq);
            let gq: Vec<f32> = (0..sq * heads * dim)
                .map(|at| raw[((at / dim % heads) * sq + at / (heads * dim)) * dim + at % dim])
                .collect();
            for (name, got, want) in [("dQ", gq, &wq), ("dK", bf16s(&dk), &wk), ("dV", bf16s(&dv), &wv)] {
                let most = want.iter().fold(0f64, |m, x| m.max(x.abs()));
                let worst = got.iter().zip(want).fold(0f64, |m, (g, w)| m.max((f64::from(*g) - w).abs()));
                assert!(got.iter().all(|g| !g.is_nan()), "{target} {name}: not all written");
                eprintln!("{target} {file}: {name} differs by {:.1e} of its largest at most", worst / most);
                assert!(worst < most * 1e-2, "{target} {name}: {worst} of {most}");
            }
        })
    }
}

//! Mixtures of experts: both products fused, and the first alone.

use super::device::*;

/// Rows quantised to int8 by their largest magnitude: codes, scales and the values they stand for.
fn int8_rows(v: &[f32], row: usize) -> (Vec<u8>, Vec<f32>, Vec<f64>) {
    let (mut codes, mut scales, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for row in v.chunks_exact(row) {
        let scale = row.iter().fold(0f32, |m, x| m.max(x.abs())) / 127.0;
        for x in row {
            let code = (x / scale).round_ties_even() as i8;
            codes.push(code as u8);
            values.push(f64::from(code) * f64::from(scale));
        }
        scales.push(scale);
    }
    (codes, scales, values)
}

/// What the experts are made of.
#[derive(Clone, Copy, PartialEq)]
enum Made {
    Bf16,
    /// With a scale a row.
    Eight(Eight),
    /// In blocks of thirty-two.
    Mxfp4,
}

/// Rows as bytes, their scales and the values they stand for.
struct Rows {
    bytes: Vec<u8>,
    scales: Vec<u8>,
    values: Vec<f64>,
}

impl Made {
    fn rows(self, v: &[f32], row: usize, target: Target) -> Rows {
        let le = |s: Vec<f32>| s.iter().flat_map(|x| x.to_le_bytes()).collect();
        match self {
            Made::Bf16 => Rows {
                bytes: v.iter().flat_map(|x| ((x.to_bits() >> 16) as u16).to_le_bytes()).collect(),
                scales: Vec::new(),
                values: v.iter().map(|x| f64::from(to_bf16_trunc(*x))).collect(),
            },
            Made::Eight(eight) => {
                let (bytes, scales, values) =
                    if eight == Eight::Integer { int8_rows(v, row) } else { quantised(v, row, eight, target) };
                Rows { bytes, scales: le(scales), values }
            }
            Made::Mxfp4 => {
                let (codes, scales, values) = mxfp4(v);
                Rows { bytes: pairs(&codes), scales, values }
            }
        }
    }

    /// Bytes of so many elements.
    fn bytes(self, n: usize) -> usize {
        match self {
            Made::Bf16 => 2 * n,
            Made::Eight(_) => n,
            Made::Mxfp4 => n / 2,
        }
    }

    /// Weights of experts, of that many rows of `k`, in the order the kernels want.
    fn shuffled(self, w: &[u8], rows: usize, k: usize) -> Vec<u8> {
        let row = self.bytes(k);
        w.chunks_exact(rows * row).flat_map(|e| preshuffle(e, rows, row)).collect()
    }
}

/// Both products, of `gated` experts or such with one matrix up: the root mean square difference is below `bound` of the
/// result.
fn fused(target: Target, file: &str, made: Made, gated: bool, tile: usize, bound: f64) {
    going_on(|| {
        let (tokens, experts, chosen, dim, inner) = (10usize, 4usize, 2usize, 1024usize, 2 * tile);
        let ups = if gated { 2 * inner } else { inner };
        let d = Device::new(target);
        let mut r = Random(7);
        let mut rows = |n: usize, row: usize| made.rows(&r.units(n * row), row, target);
        let (x, up, down) = (rows(tokens, dim), rows(experts * ups, dim), rows(experts * dim, inner));
        // Tokens sorted by expert in blocks of thirty-two; what fills a block up names no token.
        let choice = |t: usize, k: usize| (t * 3 + k * (1 + t % 3)) % experts;
        let weight = |t: usize, k: usize| if k == 0 { 0.25 + t as f32 / 32.0 } else { 0.75 - t as f32 / 32.0 };
        let (mut ids, mut weights, mut blocks) = (Vec::<u32>::new(), Vec::new(), Vec::<u32>::new());
        for e in 0..experts {
            for (t, k) in (0..tokens).flat_map(|t| (0..chosen).map(move |k| (t, k))) {
                if choice(t, k) == e {
                    ids.push((k << 24 | t) as u32);
                    weights.push(weight(t, k));
                }
            }
            while ids.len() % 32 != 0 {
                ids.push((chosen << 24 | tokens) as u32);
                weights.push(0.0);
            }
            blocks.resize(ids.len() / 32, e as u32);
        }
        let [mut sx, mut su, mut sd] = [&x, &up, &down].map(|m| m.scales.clone());
        if made == Made::Mxfp4 {
            // Those of the tokens come sorted, to the next 256 rows.
            let row = dim / 32;
            let of = |id: &u32| match *id as usize & 0xff_ffff {
                t if t < tokens => x.scales[t * row..][..row].to_vec(),
                _ => vec![0; row],
            };
            let mut sorted: Vec<u8> = ids.iter().flat_map(of).collect();
            sorted.resize(ids.len().next_multiple_of(256) * row, 0);
            sx = shuffle_scales(&sorted, ids.len().next_multiple_of(256), row);
            su = su.chunks_exact(ups * row).flat_map(|e| shuffle_scales(e, ups, row)).collect();
            sd = sd.chunks_exact(dim * inner / 32).flat_map(|e| shuffle_scales(e, dim, inner / 32)).collect();
        }
        let out = d.bytes(&vec![0; tokens * dim * 2]);
        let (bx, bu) = (d.bytes(&x.bytes), d.bytes(&made.shuffled(&up.bytes, ups, dim)));
        let bd = d.bytes(&made.shuffled(&down.bytes, dim, inner));
        let scales = [&sx, &su, &sd].map(|s| d.bytes(if s.is_empty() { &[0] } else { s }));
        let (bids, bweights, bblocks) = (d.words(&ids), d.f32s(&weights), d.words(&blocks));
        let valid = d.words(&[ids.len() as u32, tokens as u32]);
        let mut args = Placed::new(0x1c0)
            .ptr(0, &out)
            .ptr(0x10, &bx)
            .ptr(0x20, &bu)
            .ptr(0x30, &valid)
            .ptr(0x40, &bd)
            .ptr(0x90, &bids)
            .ptr(0xa0, &bweights)
            .ptr(0xb0, &bblocks)
            .u32(0xc0, dim)
            .u32(0xd0, inner)
            .u32(0xe0, tokens)
            .u32(0xf0, experts)
            .u32(0x100, made.bytes(dim))
            .u32(0x110, made.bytes(dim))
            .u32(0x120, made.bytes(inner))
            .u32(0x130, 2 * dim)
            .u32(0x140, made.bytes(dim) * ups)
            .u32(0x150, made.bytes(inner) * dim)
            .u32(0x160, su.len() / experts)
            .u32(0x170, sd.len() / experts)
            .u32(0x180, 4 * inner)
            .u32(0x190, chosen);
        if made != Made::Bf16 {
            args = args.ptr(0x50, &scales[0]).ptr(0x60, &scales[1]).ptr(0x70, &scales[2]);
        }
        d.run_named("fmoe/silu", file, [(inner / tile) as u32, blocks.len() as u32, 1], 256, args);
        let got = bf16s(&out);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let (mut error, mut size) = (0f64, 0f64);
        for t in 0..tokens {
            let mut want = vec![0f64; dim];
            for k in 0..chosen {
                let e = choice(t, k);
                let row = |i: usize| dot(&x.values[t * dim..][..dim], &up.values[(e * ups + i) * dim..][..dim]);
                let silu = |gate: f64| gate / (1.0 + (-gate).exp());
                let hidden: Vec<f64> =
                    (0..inner).map(|i| silu(row(i)) * if gated { row(inner + i) } else { 1.0 }).collect();
                for (j, w) in want.iter_mut().enumerate() {
                    *w += f64::from(weight(t, k)) * dot(&hidden, &down.values[(e * dim + j) * inner..][..inner]);
                }
            }
            for (w, g) in want.iter().zip(&got[t * dim..]) {
                error += (w - f64::from(*g)).powi(2);
                size += w * w;
            }
        }
        let relative = (error / size).sqrt();
        eprintln!("{target} {file}: root mean square difference {relative:.1e} of the result");
        assert!(relative < bound, "{target} {file}: {relative}");
    })
}

#[test]
fn a_fused_mixture_of_experts_is_within_what_its_bits_allow() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        let int8 = Made::Eight(Eight::Integer);
        fused(target, "fmoe_bf16_pertokenInt8_g1u1_vs_silu_1tg_32x128", int8, true, 128, 0.05);
        fused(target, "fmoe_bf16_noquantBf16_g1u0_vs_atm_inlv_silu_1tg_32x512", Made::Bf16, false, 512, 0.01);
    }
    // What is between the products is of four bits too.
    fused(Target::Gfx950, "fmoe_bf16_pertokenMXfp4_g1u1_vs_silu_2tg_32x256", Made::Mxfp4, true, 256, 0.2);
}

/// The first of the two products, with the gate: int8 or FP8 with a scale a row.
fn first_product(target: Target, file: &str, eight: Eight, tile: [usize; 2]) {
    going_on(|| {
        let (tokens, experts, chosen, dim, inner) = (10usize, 4usize, 2usize, 512usize, 2 * tile[1]);
        let d = Device::new(target);
        let mut r = Random(23);
        let (x, sx, vx) = quantised(&r.units(tokens * dim), dim, eight, target);
        let (up, su, vu) = quantised(&r.units(experts * 2 * inner * dim), dim, eight, target);
        let choice = |t: usize, k: usize| (t * 3 + k * (1 + t % 3)) % experts;
        let (mut ids, mut blocks) = (Vec::<u32>::new(), Vec::<u32>::new());
        for e in 0..experts {
            let mine = (0..tokens).flat_map(|t| (0..chosen).map(move |k| (t, k))).filter(|(t, k)| choice(*t, *k) == e);
            ids.extend(mine.map(|(t, k)| (k << 24 | t) as u32));
            while ids.len() % tile[0] != 0 {
                ids.push((chosen << 24 | tokens) as u32);
            }
            blocks.resize(ids.len() / tile[0], e as u32);
        }
        let weights: Vec<u8> = up.chunks_exact(2 * inner * dim).flat_map(|e| preshuffle(e, 2 * inner, dim)).collect();
        let out = d.bytes(&vec![0xff; tokens * chosen * inner * 2]);
        let (bx, bu, bsx, bsu) = (d.bytes(&x), d.bytes(&weights), d.f32s(&sx), d.f32s(&su));
        let (bids, bblocks, valid) = (d.words(&ids), d.words(&blocks), d.words(&[ids.len() as u32, tokens as u32]));
        let args = Placed::new(0x170)
            .ptr(0, &out)
            .ptr(0x10, &bx)
            .ptr(0x20, &bu)
            .ptr(0x30, &valid)
            .ptr(0x40, &bsx)
            .ptr(0x50, &bsu)
            .ptr(0x70, &bids)
            .ptr(0x80, &bblocks)
            .u32(0x90, dim)
            .u32(0xa0, inner)
            .u32(0xb0, tokens)
            .u32(0xc0, experts)
            .u32(0xd0, dim)
            .u32(0xe0, dim)
            .u32(0xf0, chosen * inner * 2)
            .u32(0x100, dim * 2 * inner)
            .u32(0x110, 4 * 2 * inner)
            .u32(0x120, 4 * inner)
            .u32(0x130, chosen);
        d.run_named("fmoe_2stages", file, [(inner / tile[1]) as u32, blocks.len() as u32, 1], 256, args);
        let got = bf16s(&out);
        let (mut worst, mut size) = (0f64, 0f64);
        for (t, k) in (0..tokens).flat_map(|t| (0..chosen).map(move |k| (t, k))) {
            let e = choice(t, k);
            let row = |i: usize| -> f64 {
                vx[t * dim..][..dim].iter().zip(&vu[(e * 2 * inner + i) * dim..]).map(|(a, b)| a * b).sum()
            };
            for i in 0..inner {
                let (gate, up) = (row(i), row(inner + i));
                let want = gate / (1.0 + (-gate).exp()) * up;
                let error = (f64::from(got[(t * chosen + k) * inner + i]) - want).abs();
                assert!(!error.is_nan(), "{target} {file}: not all written");
                worst = worst.max(error);
                size = size.max(want.abs());
            }
        }
        eprintln!("{target} {file}: differs by {:.1e} of the largest at most", worst / size);
        assert!(worst < size * 5e-3, "{target} {file}: {worst} of {size}");
    })
}

#[test]
fn the_first_product_of_two_stages_is_within_bf16() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        first_product(target, "fmoe_stage1_bf16_pertokenFp8_g1u1_64x128_2tg_pf2", Eight::Float, [64, 128]);
        first_product(target, "fmoe_stage1_bf16_pertokenInt8_g1u1_16x128_4tg_pf2", Eight::Integer, [16, 128]);
    }
}

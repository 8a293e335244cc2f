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

#[test]
fn a_fused_mixture_of_experts_is_within_what_its_eight_bits_allow() {
    if corpus().is_none() {
        return;
    }
    let (tokens, experts, chosen, dim, inner, tile) = (10usize, 4usize, 2usize, 512usize, 256usize, 128usize);
    let file = "fmoe_bf16_pertokenInt8_g1u1_vs_silu_1tg_32x128";
    for target in TARGETS {
        let d = Device::new(target);
        let mut r = Random(7);
        let (x, sx, vx) = int8_rows(&r.units(tokens * dim), dim);
        let (up, su, vu) = int8_rows(&r.units(experts * 2 * inner * dim), dim);
        let (down, sd, vd) = int8_rows(&r.units(experts * dim * inner), inner);
        let shuffled = |w: &[u8], rows: usize, k: usize| -> Vec<u8> {
            w.chunks_exact(rows * k).flat_map(|e| preshuffle(e, rows, k)).collect()
        };
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
        let words = |v: &[u32]| d.bytes(&v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
        let out = d.bytes(&vec![0; tokens * dim * 2]);
        let (bx, bu, bd) =
            (d.bytes(&x), d.bytes(&shuffled(&up, 2 * inner, dim)), d.bytes(&shuffled(&down, dim, inner)));
        let (bsx, bsu, bsd) = (d.f32s(&sx), d.f32s(&su), d.f32s(&sd));
        let (bids, bweights, bblocks) = (words(&ids), d.f32s(&weights), words(&blocks));
        let valid = words(&[ids.len() as u32, tokens as u32]);
        let args = Placed::new(0x1c0)
            .ptr(0, &out)
            .ptr(0x10, &bx)
            .ptr(0x20, &bu)
            .ptr(0x30, &valid)
            .ptr(0x40, &bd)
            .ptr(0x50, &bsx)
            .ptr(0x60, &bsu)
            .ptr(0x70, &bsd)
            .ptr(0x90, &bids)
            .ptr(0xa0, &bweights)
            .ptr(0xb0, &bblocks)
            .u32(0xc0, dim)
            .u32(0xd0, inner)
            .u32(0xe0, tokens)
            .u32(0xf0, experts)
            .u32(0x100, dim)
            .u32(0x110, dim)
            .u32(0x120, inner)
            .u32(0x130, 2 * dim)
            .u32(0x140, dim * 2 * inner)
            .u32(0x150, inner * dim)
            .u32(0x160, 4 * 2 * inner)
            .u32(0x170, 4 * dim)
            .u32(0x180, 4 * inner)
            .u32(0x190, chosen);
        let kernel = format!("_ZN5aiter{}{file}E", file.len());
        d.run(&format!("fmoe/silu/{file}.co"), &kernel, [(inner / tile) as u32, blocks.len() as u32, 1], 256, args);
        let got = bf16s(&out);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let (mut error, mut size) = (0f64, 0f64);
        for t in 0..tokens {
            let mut want = vec![0f64; dim];
            for k in 0..chosen {
                let e = choice(t, k);
                let row = |i: usize| dot(&vx[t * dim..][..dim], &vu[(e * 2 * inner + i) * dim..][..dim]);
                let hidden: Vec<f64> = (0..inner)
                    .map(|i| (row(i), row(inner + i)))
                    .map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up)
                    .collect();
                for (j, w) in want.iter_mut().enumerate() {
                    *w += f64::from(weight(t, k)) * dot(&hidden, &vd[(e * dim + j) * inner..][..inner]);
                }
            }
            for (w, g) in want.iter().zip(&got[t * dim..]) {
                error += (w - f64::from(*g)).powi(2);
                size += w * w;
            }
        }
        let relative = (error / size).sqrt();
        eprintln!("{target} {file}: root mean square difference {relative:.1e} of the result");
        assert!(relative < 0.05, "{target} {file}: {relative}");
    }
}

/// The first of the two products, with the gate: int8 or FP8 with a scale a row.
fn first_product(target: Target, file: &str, eight: Eight, tile: [usize; 2]) {
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
}

#[test]
fn the_first_product_of_two_stages_is_within_bf16() {
    if corpus().is_none() {
        return;
    }
    for target in TARGETS {
        first_product(target, "fmoe_stage1_bf16_pertokenFp8_g1u1_64x128_2tg_pf2", Eight::Float, [64, 128]);
        first_product(target, "fmoe_stage1_bf16_pertokenInt8_g1u1_16x128_4tg_pf2", Eight::Integer, [16, 128]);
    }
}

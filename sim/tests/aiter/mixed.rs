//! Attention forward of small floats, each operand in its own format: AITER's fourth generation.

use super::attention::Rows;
use super::device::*;
use core::f64::consts::LOG2_E;

const DIM: usize = 128;
const HEADS: usize = 2;

/// What queries and keys are made of.
#[derive(Clone, Copy, PartialEq)]
enum Scores {
    /// With a scale for all.
    Eight(Eight),
    /// In blocks of thirty-two; queries have the softmax's scale and base in them.
    Mxfp8,
    Mxfp4,
}

struct Case {
    target: Target,
    file: &'static str,
    scores: Scores,
    /// Values in MXFP4, where they are not FP8.
    four_bit_values: bool,
    /// Where the kernel makes its weights as codes of FP8, eight to a doubling: the code of the largest of the first tile.
    code: Option<f64>,
    /// Of the largest result.
    bound: f64,
}

/// Codes, scales and values of an operand.
struct Packed {
    codes: Vec<u8>,
    scales: Vec<u8>,
    values: Vec<f64>,
}

fn whole(v: &[f32], eight: Eight, target: Target) -> Packed {
    let (codes, scales, values) = quantised(v, v.len(), eight, target);
    Packed { codes, scales: scales.iter().flat_map(|s| s.to_le_bytes()).collect(), values }
}

fn mxfp8(v: &[f32], target: Target) -> Packed {
    let table = eight_values(Eight::Float, target);
    let mut p = Packed { codes: Vec::new(), scales: Vec::new(), values: Vec::new() };
    for block in v.chunks_exact(32) {
        let exponent = (block.iter().fold(0f32, |m, x| m.max(x.abs())) / 448.0).log2().ceil() as i32;
        for x in block {
            let code = nearest(&table, x / 2f32.powi(exponent));
            p.codes.push(code);
            p.values.push(f64::from(table[usize::from(code)]) * 2f64.powi(exponent));
        }
        p.scales.push((127 + exponent) as u8);
    }
    p
}

/// FP8 with a scale for each channel of a head.
fn by_channel(v: &[f32], target: Target) -> Packed {
    let table = eight_values(Eight::Float, target);
    let row = HEADS * DIM;
    let scales: Vec<f32> =
        (0..row).map(|c| v.iter().skip(c).step_by(row).fold(0f32, |m, x| m.max(x.abs())) / 448.0).collect();
    let codes: Vec<u8> = v.iter().enumerate().map(|(i, x)| nearest(&table, x / scales[i % row])).collect();
    let value = |(i, c): (usize, &u8)| f64::from(table[usize::from(*c)]) * f64::from(scales[i % row]);
    let values = codes.iter().enumerate().map(value).collect();
    Packed { codes, scales: scales.iter().flat_map(|s| s.to_le_bytes()).collect(), values }
}

/// Keys of four bits as the kernels want them: tiles of 128 tokens, in each the quarters of a row apart.
fn tiles_of_keys(codes: &[u8], tokens: usize) -> Vec<u8> {
    let mut out = vec![0; HEADS * tokens / 128 * 8192];
    for (row, at) in pairs(codes).chunks_exact(64).zip(0..) {
        let (token, head) = (at / HEADS, at % HEADS);
        let tile = (head * (tokens / 128) + token / 128) * 8192;
        for (quarter, part) in row.chunks_exact(16).enumerate() {
            out[tile + quarter * 2048 + token % 128 * 16..][..16].copy_from_slice(part);
        }
    }
    out
}

/// Values of four bits in blocks of 32 tokens and 32 channels, the tokens in the order that the weights come in.
fn tiles_of_values(v: &[f32], tokens: usize) -> Packed {
    let tiles = tokens / 128;
    let mut p = Packed {
        codes: vec![0; HEADS * tiles * 8192],
        scales: vec![0; HEADS * tiles * 512],
        values: vec![0.0; v.len()],
    };
    let mut order = [0; 64];
    for column in 0..64 {
        let lane = column % 32;
        order[32 * (column / 32) + 4 * (lane / 8) + 16 * (lane / 4 % 2) + lane % 4] = column;
    }
    for (head, tile) in (0..HEADS).flat_map(|h| (0..tiles).map(move |t| (h, t))) {
        for (block, channel) in (0..4).flat_map(|b| (0..DIM).map(move |c| (b, c))) {
            let place = |j: usize| {
                let token = tile * 128 + block / 2 * 64 + order[block % 2 * 32 + j];
                (token * HEADS + head) * DIM + channel
            };
            let (codes, scale, values) = mxfp4(&(0..32).map(|j| v[place(j)]).collect::<Vec<_>>());
            let (group, lane) = (channel / 32, channel % 32);
            let unit = (head * tiles + tile) * 8192 + (2 * group + block / 2) * 1024 + block % 2 * 512;
            for j in 0..32 {
                p.codes[unit + j * 16 + lane / 2] |= codes[j] << (4 * (lane % 2));
                p.values[place(j)] = values[j];
            }
            let scales = (head * tiles + tile) * 512 + block / 2 * 256 + block % 2 * 128;
            p.scales[scales + lane / 2 * 8 + lane % 2 * 4 + group] = scale[0];
        }
    }
    p
}

fn forward(c: &Case) {
    going_on(|| {
        let d = Device::new(c.target);
        let (sq, sk) = (150usize, 256usize);
        let mut r = Random(44);
        let mut wide =
            |n: usize, by: f64| -> Vec<f32> { r.units(n).iter().map(|x| (f64::from(*x) * 1.7 * by) as f32).collect() };
        let scale = 1.0 / (DIM as f64).sqrt();
        let mx = !matches!(c.scores, Scores::Eight(_));
        let q = wide(sq * HEADS * DIM, if mx { scale * LOG2_E } else { 1.0 });
        let (k, v) = (wide(sk * HEADS * DIM, 1.0), wide(sk * HEADS * DIM, 1.0));
        let operand = |x: &[f32]| match c.scores {
            Scores::Eight(eight) => whole(x, eight, c.target),
            Scores::Mxfp8 => mxfp8(x, c.target),
            Scores::Mxfp4 => {
                let (codes, scales, values) = mxfp4(x);
                Packed { codes, scales, values }
            }
        };
        let (mut q, mut k) = (operand(&q), operand(&k));
        let four = c.scores == Scores::Mxfp4;
        let v = match (c.four_bit_values, four) {
            (true, _) => tiles_of_values(&v, sk),
            (false, true) => by_channel(&v, c.target),
            (false, false) => whole(&v, Eight::Float, c.target),
        };
        let (mut tokens, mut heads) = ([HEADS * DIM; 4], [DIM; 4]);
        (tokens[3], heads[3]) = (2 * HEADS * DIM, 2 * DIM);
        if four {
            (q.codes, k.codes) = (pairs(&q.codes), tiles_of_keys(&k.codes, sk));
            (tokens[0], heads[0]) = (HEADS * 64, 64);
            (tokens[1], heads[1]) = (64, sk / 128 * 8192);
        }
        if c.four_bit_values {
            (tokens[2], heads[2]) = (64, sk / 128 * 8192);
        }
        // The kernels load the scales of a tile beyond the last.
        k.scales.extend([127; 4096]);
        let out = d.bytes(&vec![0xff; sq * HEADS * DIM * 2]);
        let (bq, bk, bv) = (d.bytes(&q.codes), d.bytes(&k.codes), d.bytes(&v.codes));
        let (sq_, sk_, sv_) = (d.bytes(&q.scales), d.bytes(&k.scales), d.bytes(&v.scales));
        let rows = Rows { queries: sq, keys: sk, heads: HEADS, sharing: 1 };
        let mut args = rows.arguments([&out, &bq, &bk, &bv], tokens, heads, scale as f32, 5);
        args = args.ptr(0x200, &sq_).ptr(0x210, &sk_).ptr(0x220, &sv_);
        if mx {
            args = args.u32(0x230, sq * HEADS * 4).u32(0x240, 4).u32(0x250, sk * HEADS * 4).u32(0x260, 4);
        }
        if four {
            let head = if c.four_bit_values { sk / 128 * 512 } else { DIM * 4 };
            args = args.u32(0x270, HEADS * head).u32(0x280, head);
        }
        d.run_named("fmha_v4_fwd", c.file, [1, HEADS as u32, 1], 512, args);
        let got = bf16s(&out);
        let (mut worst, mut size) = (0f64, 0f64);
        for (i, head) in (0..sq).flat_map(|i| (0..HEADS).map(move |h| (i, h))) {
            let row = |m: &[f64], i: usize| -> Vec<f64> { m[(i * HEADS + head) * DIM..][..DIM].to_vec() };
            let query = row(&q.values, i);
            // Binary logarithms of the weights.
            let s: Vec<f64> = (0..sk)
                .map(|j| row(&k.values, j).iter().zip(&query).map(|(x, y)| x * y).sum::<f64>())
                .map(|x| if mx { x } else { x * scale * LOG2_E })
                .collect();
            let top = s[..128].iter().copied().fold(f64::MIN, f64::max);
            let p: Vec<f64> = s
                .iter()
                .map(|x| match c.code {
                    None => (x - top).exp2(),
                    Some(most) => {
                        let code = (8.0 * (x - top) + most).round_ties_even().clamp(0.0, 126.0);
                        f64::from(fp8(code as u8, c.target))
                    }
                })
                .collect();
            let sum: f64 = p.iter().sum();
            for x in 0..DIM {
                let want = (0..sk).map(|j| p[j] * v.values[(j * HEADS + head) * DIM + x]).sum::<f64>() / sum;
                let error = (f64::from(got[(i * HEADS + head) * DIM + x]) - want).abs();
                assert!(!error.is_nan(), "{} {}: not all written", c.target, c.file);
                worst = worst.max(error);
                size = size.max(want.abs());
            }
        }
        eprintln!("{} {}: differs by {:.1e} of the largest at most", c.target, c.file, worst / size);
        assert!(worst < size * c.bound, "{} {}: {worst} of {size}", c.target, c.file);
    })
}

#[test]
fn attention_of_eight_bits_is_within_what_they_allow() {
    let Some(_judged) = judged() else { return };
    let (integer, float) = (Scores::Eight(Eight::Integer), Scores::Eight(Eight::Float));
    for (target, file, scores, bound) in [
        (Target::Gfx942, "MI300/fwd_hd128_i8fp8", integer, 0.05),
        (Target::Gfx950, "fwd_hd128_i8fp8", integer, 0.05),
        (Target::Gfx950, "fwd_hd128_fp8", float, 0.1),
        (Target::Gfx950, "fwd_hd128_mxfp8", Scores::Mxfp8, 0.06),
    ] {
        forward(&Case { target, file, scores, four_bit_values: false, code: None, bound });
    }
}

#[test]
fn attention_of_four_bits_is_that_of_its_codes_for_weights() {
    let Some(_judged) = judged() else { return };
    let case = |file, four_bit_values, code, bound| Case {
        target: Target::Gfx950,
        file,
        scores: Scores::Mxfp4,
        four_bit_values,
        code: Some(code),
        bound,
    };
    forward(&case("fwd_hd128_mxfp4", false, 55.536, 0.01));
    // The whole number leaves many products at a half between codes, which the order of sums decides.
    forward(&case("fwd_hd128_f4f4", true, 56.0, 0.1));
}

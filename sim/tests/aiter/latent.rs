//! Latent attention, where heads share one key of 576, of which 512 are the value.

use super::device::*;

/// What every kernel of the family begins with, 16 bytes apart: the result, the logarithms of sums, queries, the cache, the first
/// page of each sequence, the pages' order and how much of the last one is used; then the softmax's scale.
fn begun(buffers: [&Buffer; 7]) -> Placed {
    let args = buffers.iter().enumerate().fold(Placed::new(0x170), |args, (i, b)| args.ptr(16 * i, b));
    args.f32(0x70, 1.0 / (DIM as f32).sqrt())
}

const DIM: usize = 576;
const VALUE: usize = 512;

/// A kernel and how it is launched.
struct Case {
    target: Target,
    file: &'static str,
    heads: usize,
    /// New tokens of each sequence, each of which sees the keys up to its own.
    tokens: usize,
    /// Queries and keys of eight bits, with a scale each.
    eight: [Option<f32>; 2],
    /// Workgroups in x, and what the kernel is told of its rows.
    grid: usize,
    rows: usize,
    how: How,
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    /// Parts of the keys, to be put together.
    Split(usize),
    /// bf16 results, the flag for which is at that offset.
    Whole(usize),
    /// Works from a list: the first sequence in two parts, the second whole.
    Persistent,
}

fn decodes(c: &Case, lengths: [usize; 2]) {
    going_on(|| {
        let d = Device::new(c.target);
        let mut r = Random(12);
        let (keys, tokens) = (lengths[0] + lengths[1], 2 * c.tokens);
        let pages = keys + 7;
        let mut operand = |eight: Option<f32>, n: usize| -> (Buffer, Vec<f64>) {
            let v = r.bf16s(n);
            match eight {
                None => (d.bf16s(&v), v.iter().map(|x| f64::from(*x)).collect()),
                Some(scale) => {
                    let table = eight_values(Eight::Float, c.target);
                    let codes: Vec<u8> = v.iter().map(|x| nearest(&table, 2.0 * x)).collect();
                    let values = codes.iter().map(|i| f64::from(table[usize::from(*i)]) * f64::from(scale)).collect();
                    (d.bytes(&codes), values)
                }
            }
        };
        // Shipping kernels read some rows of queries beyond the last.
        let (bq, q) = operand(c.eight[0], (tokens + 16) * c.heads * DIM);
        let (bk, k) = operand(c.eight[1], pages * DIM);
        let table = r.any_order(pages);
        let element = |i: usize| if c.eight[i].is_some() { 1 } else { 2 };
        let parts = if let How::Split(n) = c.how { n } else { 1 };
        let rows = tokens * parts * c.heads;
        let (out, lse) = (d.bytes(&vec![0xff; rows * VALUE * 4]), d.bytes(&vec![0xff; rows * 4]));
        let whole = d.bytes(&vec![0xff; tokens * c.heads * VALUE * 2]);
        let firsts = [0, lengths[0], keys].map(|n| n as u32);
        let (first, order, last) = (d.words(&firsts), d.words(&table), d.words(&[1, 1]));
        let queries = d.words(&[0, c.tokens as u32, 2 * c.tokens as u32]);
        let half = lengths[0] / 128 * 64;
        let works = |from: usize, to: usize, part: i32, sequence: usize| -> [u32; 8] {
            let rest = firsts[sequence + 1] as usize - to;
            [sequence, part as usize, sequence * c.tokens, (sequence + 1) * c.tokens, from, to, rest, 0]
                .map(|n| n as u32)
        };
        let list =
            [works(0, half, 0, 0), works(half, lengths[0], c.tokens as i32, 0), works(firsts[1] as usize, keys, -1, 1)];
        let (begins, infos) = (d.words(&[0, 1, 2, 3]), d.words(&list.concat()));
        let meta = match c.how {
            How::Persistent => {
                let addresses = [begins.address(), infos.address()];
                d.words(&addresses.iter().flat_map(|a| [*a as u32, (*a >> 32) as u32]).collect::<Vec<_>>())
            }
            _ => d.words(&[0, parts as u32, 2 * parts as u32]),
        };
        let scales = c.eight.map(|s| d.f32s(&[s.unwrap_or(1.0)]));
        let result = if matches!(c.how, How::Whole(_)) { &whole } else { &out };
        let mut args = begun([result, &lse, &bq, &bk, &first, &order, &last])
            .u32(0x80, c.rows)
            .u32(0x90, parts)
            .u32(0xa0, c.heads * DIM * element(0) * c.tokens)
            .u32(0xb0, DIM * element(1))
            .ptr(0xd0, &queries)
            .ptr(0xe0, &meta)
            .u32(0x150, 1);
        if c.eight[0].is_some() {
            args = args.ptr(0x100, &scales[0]);
        }
        if c.eight[1].is_some() {
            args = args.ptr(0x110, &scales[1]);
        }
        let grid = match c.how {
            How::Persistent => {
                args = args.ptr(0xf0, &whole).u32(0x120, 1);
                [3, 1, 1]
            }
            How::Whole(flag) => {
                args = args.u32(flag, 1);
                [c.grid as u32, 2, 1]
            }
            How::Split(n) => [c.grid as u32, 2, n as u32],
        };
        d.run_named("mla", c.file, grid, 256, args);

        let (out, lse, whole) = (f32s(&out), f32s(&lse), bf16s(&whole));
        let (mut worst, mut most) = (0f64, 0f64);
        for (token, head) in (0..tokens).flat_map(|t| (0..c.heads).map(move |h| (t, h))) {
            let (sequence, place) = (token / c.tokens, token % c.tokens);
            let seen = lengths[sequence] - c.tokens + 1 + place;
            let key = |t: usize| &k[table[firsts[sequence] as usize + t] as usize * DIM..][..DIM];
            let query = &q[(token * c.heads + head) * DIM..][..DIM];
            let logits: Vec<f64> = (0..seen)
                .map(|t| query.iter().zip(key(t)).map(|(x, y)| x * y).sum::<f64>() / (DIM as f64).sqrt())
                .collect();
            let (p, sum) = softmax(&logits);
            let mut want = vec![0f64; VALUE];
            for (t, w) in p.iter().enumerate() {
                want.iter_mut().zip(key(t)).for_each(|(x, y)| *x += w * y);
            }
            // Parts that had keys, put together by their sums.
            let rows: Vec<usize> = match c.how {
                How::Split(n) => (0..n).map(|i| (token * n + i) * c.heads + head).collect(),
                How::Persistent if sequence == 0 => [place, c.tokens + place].map(|row| row * c.heads + head).to_vec(),
                _ => Vec::new(),
            };
            let got: Vec<f64> = if rows.is_empty() {
                whole[(token * c.heads + head) * VALUE..][..VALUE].iter().map(|x| f64::from(*x)).collect()
            } else {
                let weights: Vec<(f64, usize)> = rows
                    .iter()
                    .filter(|row| !lse[**row].is_nan())
                    .map(|row| ((f64::from(lse[*row]) - sum).exp(), row * VALUE))
                    .collect();
                let share: f64 = weights.iter().map(|w| w.0).sum();
                assert!((share - 1.0).abs() < 1e-4, "{} {} token {token}: sums are {share}", c.target, c.file);
                (0..VALUE).map(|x| weights.iter().map(|(w, at)| w * f64::from(out[at + x])).sum()).collect()
            };
            for (x, y) in got.iter().zip(&want) {
                assert!(!x.is_nan(), "{} {} token {token}, head {head}: not all written", c.target, c.file);
                worst = worst.max((x - y).abs());
                most = most.max(y.abs());
            }
        }
        eprintln!("{} {}: differs by {:.1e} of the largest at most", c.target, c.file, worst / most);
        let allowed = if c.eight == [None, None] { 6e-3 } else { 4e-2 };
        assert!(worst < most * allowed, "{} {}: {worst} of {most}", c.target, c.file);
    })
}

fn case(target: Target, file: &'static str, heads: usize, tokens: usize, eight: bool, grid: usize, how: How) -> Case {
    let eight = if eight { [Some(0.7), Some(1.3)] } else { [None, None] };
    Case { target, file, heads, tokens, eight, grid, rows: heads * tokens, how }
}

#[test]
fn latent_attention_decodes_as_the_softmax_says() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        let case = |file, heads, tokens, eight, grid, how| case(target, file, heads, tokens, eight, grid, how);
        for c in [
            case("mla_dec_stage1_bf16_a16w16_subQ16_mqa16", 16, 1, false, 1, How::Split(2)),
            case("mla_dec_stage1_bf16_a16w16_subQ128_mqa128", 128, 1, false, 1, How::Split(2)),
            case("mla_a16w16_qh16_m16x4_n16x1_coex0_mask1", 16, 4, false, 1, How::Whole(0x120)),
            case("mla_a16w16_qh8_qseqlen1_gqaratio8_v3", 8, 1, false, 1, How::Split(2)),
            case("mla_a8w8_qh16_qseqlen1_gqaratio16", 16, 1, true, 1, How::Split(2)),
            case("mla_a8w8_qh16_qseqlen2_gqaratio16", 16, 2, true, 1, How::Split(2)),
        ] {
            decodes(&c, [200, 77]);
        }
    }
    // A scale of the keys that does not go into the values of this one.
    let mut lone = case(Target::Gfx942, "mla_a8w8_qh8_qseqlen1_gqaratio8_v1", 8, 1, true, 1, How::Split(2));
    lone.eight[1] = Some(1.0);
    decodes(&lone, [200, 77]);
    decodes(&case(Target::Gfx942, "mla_a8w8_qh64_qseqlen4_gqaratio16", 16, 4, true, 1, How::Split(2)), [200, 77]);
    decodes(&case(Target::Gfx950, "mla_a8w8_qh8_qseqlen1_gqaratio8_v3", 8, 1, true, 1, How::Split(2)), [200, 77]);
}

#[test]
fn latent_attention_that_relies_on_how_long_lds_takes_is_right() {
    let Some(_judged) = judged() else { return };
    let two = "mla_a16w16_qh8_qseqlen2_gqaratio8_causal";
    let mut two = case(Target::Gfx950, two, 8, 2, false, 1, How::Split(2));
    two.rows = 8;
    decodes(&two, [200, 77]);
    let four = case(Target::Gfx950, "mla_a8w8_qh64_qseqlen4_gqaratio16", 16, 4, true, 1, How::Whole(0xf0));
    decodes(&four, [700, 333]);
}

#[test]
fn persistent_latent_attention_works_off_its_list() {
    let Some(_judged) = judged() else { return };
    let case = |target, file, heads, tokens, eight| case(target, file, heads, tokens, eight, 1, How::Persistent);
    for target in TARGETS {
        for c in [
            case(target, "mla_a16w16_qh16_m16x4_n16x1_coex0_mask1_ps", 16, 4, false),
            case(target, "mla_a8w8_qh16_qseqlen1_gqaratio16_ps", 16, 1, true),
            case(target, "mla_a8w8_qh16_qseqlen2_gqaratio16_ps", 16, 2, true),
        ] {
            decodes(&c, [200, 77]);
        }
    }
    for (file, heads, tokens, eight, rows) in [
        ("mla_a8w8_qh32_qseqlen1_gqaratio32_ps", 32, 1, true, 32),
        ("mla_a8w8_qh32_qseqlen4_gqaratio8_ps", 8, 4, true, 32),
        ("mla_a8w8_qh16_qseqlen4_gqaratio16_v3_ps", 16, 4, true, 16),
        ("mla_a16w16_qh64_qseqlen1_gqaratio64_v3_ps", 64, 1, false, 64),
        ("mla_a16w16_qh32_qseqlen4_gqaratio32_ps", 32, 4, false, 32),
    ] {
        let mut c = case(Target::Gfx950, file, heads, tokens, eight);
        c.rows = rows;
        decodes(&c, [700, 333]);
    }
}

/// Many new tokens of each sequence at once, from keys in pages.
fn prefills(target: Target, file: &str, heads: usize) {
    going_on(|| {
        let d = Device::new(target);
        let (lengths, news) = ([100usize, 64], [40usize, 23]);
        let (keys, tokens, pages) = (164usize, 63usize, 171usize);
        let mut r = Random(6);
        // Shipping kernels read some rows of queries beyond the last.
        let (q, k) = (r.bf16s((tokens + 128) * heads * DIM), r.bf16s(pages * DIM));
        let table = r.any_order(pages);
        let out = d.bytes(&vec![0xff; tokens * heads * VALUE * 2]);
        // The sums are not written: it is for parts of keys that they are wanted.
        let lse = d.bytes(&vec![0xff; tokens * heads * 4]);
        let (bq, bk, order) = (d.bf16s(&q), d.bf16s(&k), d.words(&table));
        let first = d.words(&[0, lengths[0] as u32, keys as u32]);
        let queries = d.words(&[0, news[0] as u32, tokens as u32]);
        let last = d.words(&[1, 1]);
        let args = begun([&out, &lse, &bq, &bk, &first, &order, &last])
            .u32(0x80, heads)
            .u32(0x90, 1)
            .u32(0xa0, heads * DIM * 2)
            .u32(0xb0, DIM * 2)
            .ptr(0xd0, &queries);
        d.run_named("mla", file, [(news[0] * heads).div_ceil(128) as u32, 2, 1], 256, args);
        let got = bf16s(&out);
        let (mut worst, mut most) = (0f64, 0f64);
        // Every head is alike: a few of each token tell.
        for (token, head) in (0..tokens).flat_map(|t| [0, heads / 3, heads - 1].map(|h| (t, h))) {
            let s = usize::from(token >= news[0]);
            let seen = lengths[s] - news[s] + 1 + token - s * news[0];
            let key = |t: usize| &k[table[s * lengths[0] + t] as usize * DIM..][..DIM];
            let query = &q[(token * heads + head) * DIM..][..DIM];
            let dot = |t: usize| query.iter().zip(key(t)).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
            let logits: Vec<f64> = (0..seen).map(|t| dot(t) / (DIM as f64).sqrt()).collect();
            let (p, _) = softmax(&logits);
            for x in 0..VALUE {
                let want: f64 = p.iter().enumerate().map(|(t, w)| w * f64::from(key(t)[x])).sum();
                let error = (f64::from(got[(token * heads + head) * VALUE + x]) - want).abs();
                assert!(!error.is_nan(), "{target} {file} token {token}, head {head}: not all written");
                (worst, most) = (worst.max(error), most.max(want.abs()));
            }
        }
        eprintln!("{target} {file}: differs by {worst:.1e} of {most:.1} at most");
        assert!(worst < most * 0.01, "{target} {file}: {worst} of {most}");
    })
}

#[test]
fn latent_attention_of_many_new_tokens_is_as_the_softmax_says() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        prefills(target, "mla_pfl_bf16_a16w16_causal_subQ128_mqa128", 128);
        prefills(target, "mla_pfl_bf16_a16w16_causal_subQ16_mqa16", 16);
    }
}

/// Many new tokens with keys apart from values, in eight bits, from a list of works: each has a head, up to 256 tokens of
/// a sequence and the keys that those see.
#[test]
fn persistent_latent_attention_of_many_new_tokens_is_as_the_softmax_says() {
    let Some(_judged) = judged() else { return };
    const KEY: usize = 192;
    const OUT: usize = 128;
    let d = Device::new(Target::Gfx950);
    let table = eight_values(Eight::Float, d.target);
    let (heads, news, lengths) = (2usize, [300usize, 130], [420usize, 200]);
    let (tokens, keys) = (news[0] + news[1], lengths[0] + lengths[1]);
    let pages = keys + 5;
    let scales = [0.7f32, 1.3, 0.9];
    for causal in [false, true] {
        going_on(|| {
            let mut r = Random(31);
            let mut operand = |n: usize| -> (Buffer, Vec<f64>) {
                let codes: Vec<u8> = r.units(n).iter().map(|x| nearest(&table, 2.0 * x)).collect();
                let values = codes.iter().map(|c| f64::from(table[usize::from(*c)])).collect();
                (d.bytes(&codes), values)
            };
            // Shipping kernels read some rows of queries beyond the last.
            let (bq, q) = operand((tokens + 256) * heads * KEY);
            let (bk, k) = operand(pages * heads * KEY);
            let (bv, v) = operand(pages * heads * OUT);
            let mut order: Vec<u32> = (0..pages as u32).collect();
            (1..pages).for_each(|i| order.swap(i, (r.next() % (i as u64 + 1)) as usize));
            let (first_q, first_k) = ([0, news[0], tokens], [0, lengths[0], keys]);
            let mut works: Vec<[u32; 8]> = Vec::new();
            for (s, head) in (0..2).flat_map(|s| (0..heads).map(move |h| (s, h))) {
                for from in (0..news[s]).step_by(256) {
                    let to = (from + 256).min(news[s]);
                    let seen = first_k[s] + if causal { lengths[s] - news[s] + to } else { lengths[s] };
                    let at =
                        [s, usize::MAX, first_q[s] + from, first_q[s] + to, first_k[s], seen, first_k[s + 1] - seen];
                    let mut work = [0; 8];
                    work.iter_mut().zip(at).for_each(|(w, x)| *w = x as u32);
                    work[7] = ((head + 1) << 16 | head) as u32;
                    works.push(work);
                }
            }
            let count = works.len();
            let words = |v: [usize; 3]| d.words(&v.map(|x| x as u32));
            let (begins, list) = (d.words(&(0..=count as u32).collect::<Vec<_>>()), d.words(&works.concat()));
            let (queries, firsts, table_of) = (words(first_q), words(first_k), d.words(&order));
            let out = d.bytes(&vec![0xff; tokens * heads * OUT * 2]);
            let (part, sums) = (d.bytes(&vec![0; 512 * heads * OUT * 4]), d.bytes(&vec![0; 512 * heads * 4]));
            let [sq, sk, sv] = scales.map(|s| d.f32s(&[s]));
            let args = Placed::new(0x130)
                .ptr(0, &bq)
                .ptr(0x10, &bk)
                .ptr(0x20, &bv)
                .ptr(0x30, &out)
                .ptr(0x40, &part)
                .ptr(0x50, &sums)
                .ptr(0x60, &begins)
                .ptr(0x70, &list)
                .ptr(0x80, &queries)
                .ptr(0x90, &firsts)
                .ptr(0xa0, &table_of)
                .ptr(0xb0, &sq)
                .ptr(0xc0, &sk)
                .ptr(0xd0, &sv)
                .f32(0xe0, 1.0 / (KEY as f32).sqrt())
                .u32(0xf0, tokens)
                .u32(0x100, heads)
                .u32(0x110, pages)
                .u32(0x120, keys);
            let file = format!("mla_pfl_qh192_vh128_m32x8_n128x1_causal{}", u8::from(causal));
            d.run_named("mla", &file, [count as u32, 1, 1], 512, args);
            let got = bf16s(&out);
            let factor = f64::from(scales[0]) * f64::from(scales[1]) / (KEY as f64).sqrt();
            let (mut worst, mut most) = (0f64, 0f64);
            // Every third token tells.
            for (token, head) in (0..tokens).step_by(3).flat_map(|t| (0..heads).map(move |h| (t, h))) {
                let s = usize::from(token >= news[0]);
                let seen = if causal { lengths[s] - news[s] + 1 + token - first_q[s] } else { lengths[s] };
                let page = |t: usize| order[first_k[s] + t] as usize * heads + head;
                let query = &q[(token * heads + head) * KEY..][..KEY];
                let dot = |t: usize| query.iter().zip(&k[page(t) * KEY..]).map(|(x, y)| x * y).sum::<f64>();
                let (p, _) = softmax(&(0..seen).map(|t| dot(t) * factor).collect::<Vec<_>>());
                let mut want = [0f64; OUT];
                for (t, w) in p.iter().enumerate() {
                    want.iter_mut().zip(&v[page(t) * OUT..]).for_each(|(x, y)| *x += w * y * f64::from(scales[2]));
                }
                for (x, want) in want.iter().enumerate() {
                    let error = (f64::from(got[(token * heads + head) * OUT + x]) - want).abs();
                    assert!(!error.is_nan(), "{file} token {token}, head {head}: not written");
                    (worst, most) = (worst.max(error), most.max(want.abs()));
                }
            }
            eprintln!("{file}: differs by {worst:.1e} of {most:.1} at most");
            assert!(worst < most * 4e-2, "{file}: {worst} of {most}");
        })
    }
}

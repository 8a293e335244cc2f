//! Attention of one or a few new tokens to keys and values in pages.

use super::device::*;

/// What every kernel of the family begins with, 16 bytes apart: the result, queries, keys, values, the pages' table and the
/// lengths, of eight bits the scales of keys and values; then the softmax's.
fn begun(size: usize, buffers: &[&Buffer], scale: f32) -> Placed {
    buffers.iter().enumerate().fold(Placed::new(size), |args, (i, b)| args.ptr(16 * i, b)).f32(0x80, scale)
}

/// Keys of eight bits by sixteens of the dimension, values by sixteens of the places, from [page][head][place][dim].
fn by_sixteens(keys: &[u8], values: &[u8], page: usize, dim: usize) -> [Vec<u8>; 2] {
    let (mut by_dim, mut by_place) = (vec![0; keys.len()], vec![0; values.len()]);
    for (at, (k, v)) in keys.iter().zip(values).enumerate() {
        let (block, place, x) = (at / (page * dim) * page * dim, at / dim % page, at % dim);
        by_dim[block + (x / 16 * page + place) * 16 + x % 16] = *k;
        by_place[block + (place / 16 * dim + x) * 16 + place % 16] = *v;
    }
    [by_dim, by_place]
}

#[test]
fn paged_attention_decodes_as_the_softmax_says() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        going_on(|| {
            let d = Device::new(target);
            let (kv_heads, dim, page, pages, group) = (2usize, 128usize, 16usize, 24usize, 8usize);
            let (heads, lengths) = (kv_heads * group, [37usize, 64, 90]);
            let most = 6usize;
            let mut r = Random(5);
            let q = r.bf16s(lengths.len() * heads * dim);
            // Pages of keys and values: [page][head][dim][place].
            let (keys, values) = (r.bf16s(pages * kv_heads * dim * page), r.bf16s(pages * kv_heads * dim * page));
            let at = |p: usize, h: usize, x: usize, place: usize| ((p * kv_heads + h) * dim + x) * page + place;
            let table = r.any_order(pages);
            // Keys by eights of the dimension, values by eights of the places.
            let (mut dk, mut dv) = (vec![0f32; keys.len()], vec![0f32; keys.len()]);
            for (p, h) in (0..pages).flat_map(|p| (0..kv_heads).map(move |h| (p, h))) {
                for (x, place) in (0..dim).flat_map(|x| (0..page).map(move |place| (x, place))) {
                    let base = (p * kv_heads + h) * dim * page;
                    dk[base + (x / 8 * page + place) * 8 + x % 8] = keys[at(p, h, x, place)];
                    dv[base + (place / 8 * dim + x) * 8 + place % 8] = values[at(p, h, x, place)];
                }
            }
            let words = |v: &[u32]| d.bytes(&v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
            let out = d.bytes(&vec![0; q.len() * 2]);
            let (bq, bk, bv, bt) = (d.bf16s(&q), d.bf16s(&dk), d.bf16s(&dv), words(&table));
            let bl = words(&lengths.map(|l| l as u32));
            let scale = core::f32::consts::LOG2_E / (dim as f32).sqrt();
            let args = begun(272, &[&out, &bq, &bk, &bv, &bt, &bl], scale)
                .u32(0x90, most)
                .u32(0xa0, kv_heads)
                .u32(0xb0, heads * dim * 2)
                .u32(0xc0, kv_heads * dim * page * 2)
                .u32(0xd0, dim * page * 2)
                .u32(0xf0, group);
            let file = "pa_bf16_noquant_gqa8_1tg_4w";
            d.run(
                &format!("pa/{file}.co"),
                &format!("_ZN5aiter{}{file}E", file.len()),
                [kv_heads as u32, lengths.len() as u32, 1],
                256,
                args,
            );
            let got = bf16s(&out);
            for (s, length) in lengths.iter().enumerate() {
                for h in 0..heads {
                    let place = |t: usize, x: usize| at(table[s * most + t / page] as usize, h / group, x, t % page);
                    let query = &q[(s * heads + h) * dim..][..dim];
                    let logits: Vec<f64> = (0..*length)
                        .map(|t| (0..dim).map(|x| f64::from(query[x]) * f64::from(keys[place(t, x)])).sum::<f64>())
                        .map(|l| l / (dim as f64).sqrt())
                        .collect();
                    let top = logits.iter().copied().fold(f64::MIN, f64::max);
                    let weights: Vec<f64> = logits.iter().map(|l| (l - top).exp()).collect();
                    let total: f64 = weights.iter().sum();
                    for x in 0..dim {
                        let want: f64 =
                            weights.iter().enumerate().map(|(t, w)| w * f64::from(values[place(t, x)])).sum::<f64>()
                                / total;
                        let error = (f64::from(got[(s * heads + h) * dim + x]) - want).abs();
                        assert!(error < 0.01, "{target} sequence {s}, head {h}, {x}: {error}");
                    }
                }
            }
        })
    }
}

/// Keys and values of eight bits with a scale a token, pages of any length, a few new tokens of each sequence that see
/// the keys up to their own where `masked`.
fn quantised_pages(target: Target, file: &str, eight: Eight, group: usize, tokens: usize, masked: bool, page: usize) {
    going_on(|| {
        let d = Device::new(target);
        let (kv_heads, dim) = (2usize, 128usize);
        let lengths = if page == 16 { [37usize, 64, 90] } else { [500, 1100, 77] };
        let (heads, most) = (kv_heads * group, lengths.iter().max().expect("some").div_ceil(page));
        let pages = 3 * most + 2;
        let mut r = Random(19);
        let q = r.bf16s(3 * tokens * heads * dim);
        // [page][head][place][dim].
        let (kc, ks, keys) = quantised(&r.units(pages * kv_heads * page * dim), dim, eight, target);
        let (vc, vs, values) = quantised(&r.units(pages * kv_heads * page * dim), dim, eight, target);
        let table = r.any_order(pages);
        let [dk, dv] = by_sixteens(&kc, &vc, page, dim);
        let out = d.bytes(&vec![0xff; q.len() * 2]);
        let (bq, bk, bv, bt) = (d.bf16s(&q), d.bytes(&dk), d.bytes(&dv), d.words(&table));
        let (bks, bvs, bl) = (d.f32s(&ks), d.f32s(&vs), d.words(&lengths.map(|l| l as u32)));
        let queries = d.words(&[0, 1, 2, 3].map(|i| (i * tokens) as u32));
        let args =
            begun(272, &[&out, &bq, &bk, &bv, &bt, &bl, &bks, &bvs], core::f32::consts::LOG2_E / (dim as f32).sqrt())
                .u32(0x90, most)
                .u32(0xa0, kv_heads)
                .u32(0xb0, heads * dim * 2)
                .u32(0xc0, kv_heads * dim * page)
                .u32(0xd0, dim * page)
                .u32(0xe0, tokens - 1)
                .u32(0xf0, group)
                .ptr(0x100, &queries);
        d.run_named("pa", file, [kv_heads as u32, 3, 1], 256, args);
        let got = bf16s(&out);
        let (mut worst, mut size) = (0f64, 0f64);
        for (token, head) in (0..3 * tokens).flat_map(|t| (0..heads).map(move |h| (t, h))) {
            let (s, place) = (token / tokens, token % tokens);
            let seen = if masked { lengths[s] - tokens + 1 + place } else { lengths[s] };
            let row =
                |t: usize| ((table[s * most + t / page] as usize * kv_heads + head / group) * page + t % page) * dim;
            let query = &q[(token * heads + head) * dim..][..dim];
            let logits: Vec<f64> = (0..seen)
                .map(|t| query.iter().zip(&keys[row(t)..]).map(|(x, y)| f64::from(*x) * y).sum::<f64>())
                .map(|l| l / (dim as f64).sqrt())
                .collect();
            let (p, _) = softmax(&logits);
            for x in 0..dim {
                let want: f64 = p.iter().enumerate().map(|(t, w)| w * values[row(t) + x]).sum();
                let error = (f64::from(got[(token * heads + head) * dim + x]) - want).abs();
                assert!(!error.is_nan(), "{target} {file}: not all written");
                worst = worst.max(error);
                size = size.max(want.abs());
            }
        }
        eprintln!("{target} {file}: differs by {:.1e} of the largest at most", worst / size);
        assert!(worst < size * 0.08, "{target} {file}: {worst} of {size}");
    })
}

#[test]
fn paged_attention_of_eight_bits_is_within_what_they_allow() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        let run = |file, eight, group, tokens, masked| quantised_pages(target, file, eight, group, tokens, masked, 16);
        run("pa_bf16_pertokenFp8_gqa16_2tg_4w", Eight::Float, 16, 1, false);
        run("pa_bf16_pertokenInt8_gqa8_2tg_4w", Eight::Integer, 8, 1, false);
        run("pa_bf16_pertokenFp8_gqa8_1tg_4w_mtp_msk1", Eight::Float, 8, 2, true);
        run("pa_bf16_pertokenInt8_gqa8_1tg_4w_mtp_msk0", Eight::Integer, 8, 2, false);
    }
    let long = "pa_bf16_pertokenFp8_gqa10_1tg_4w_qlen3_msk1";
    quantised_pages(Target::Gfx942, long, Eight::Float, 10, 3, true, 1024);
}

/// Works off a list of parts of sequences: the second's pages in two, to be put together, the others' whole. Keys and
/// values are FP8 with a scale a token.
fn listed_pages(target: Target, file: &str, group: usize, tokens: usize, page: usize) {
    going_on(|| {
        let d = Device::new(target);
        let (kv_heads, dim) = (2usize, 128usize);
        let heads = kv_heads * group;
        let lengths = [page / 2 + 30, 2 * page + 77, page + 3];
        let firsts = [0usize, 1, 4, 6];
        let pages = 9usize;
        let mut r = Random(27);
        let q = r.bf16s(3 * tokens * heads * dim);
        let (kc, ks, keys) = quantised(&r.units(pages * kv_heads * page * dim), dim, Eight::Float, target);
        let (vc, vs, values) = quantised(&r.units(pages * kv_heads * page * dim), dim, Eight::Float, target);
        let table = r.any_order(pages);
        let [dk, dv] = by_sixteens(&kc, &vc, page, dim);
        let mut works = Vec::<u32>::new();
        for h in 0..kv_heads {
            let range = (h + 1) * group * 0x1_0000 + h * group;
            for (s, part, from, to) in [(0, -1, 0, 1), (2, -1, 4, 6), (1, 0, 1, 2), (1, tokens as i32, 2, 4)] {
                let row = [s, part as usize, s * tokens, (s + 1) * tokens, from, to, 0, range];
                works.extend(row.map(|x| x as u32));
            }
        }
        let parts = works.len() / 8;
        let out = d.bytes(&vec![0xff; q.len() * 2]);
        let (split, sums) =
            (d.bytes(&vec![0xff; 2 * tokens * heads * dim * 4]), d.bytes(&vec![0xff; 2 * tokens * heads * 4]));
        let (bq, bk, bv, bt) = (d.bf16s(&q), d.bytes(&dk), d.bytes(&dv), d.words(&table));
        let (bks, bvs, bl) = (d.f32s(&ks), d.f32s(&vs), d.words(&lengths.map(|l| l as u32)));
        let queries = d.words(&[0, 1, 2, 3].map(|i| (i * tokens) as u32));
        let (first, list) = (d.words(&firsts.map(|x| x as u32)), d.words(&works));
        let begins = d.words(&(0..=parts as u32).collect::<Vec<_>>());
        let args =
            begun(0x170, &[&out, &bq, &bk, &bv, &bt, &bl, &bks, &bvs], core::f32::consts::LOG2_E / (dim as f32).sqrt())
                .u32(0x90, kv_heads)
                .u32(0xa0, heads * dim * 2)
                .u32(0xb0, kv_heads * page * dim)
                .u32(0xc0, page * dim)
                .u32(0xd0, tokens - 1)
                .u32(0xe0, group)
                .ptr(0xf0, &queries)
                .ptr(0x100, &first)
                .ptr(0x110, &begins)
                .ptr(0x120, &list)
                .ptr(0x130, &split)
                .ptr(0x140, &sums)
                .u32(0x150, page * 4)
                .u32(0x160, kv_heads * page * 4);
        d.run_named("pa", file, [parts as u32, 1, 1], 256, args);
        let (got, split, sums) = (bf16s(&out), f32s(&split), f32s(&sums));
        let (mut worst, mut size) = (0f64, 0f64);
        for (token, head) in (0..3 * tokens).flat_map(|t| (0..heads).map(move |h| (t, h))) {
            let (s, place) = (token / tokens, token % tokens);
            let row =
                |t: usize| ((table[firsts[s] + t / page] as usize * kv_heads + head / group) * page + t % page) * dim;
            let query = &q[(token * heads + head) * dim..][..dim];
            let logits: Vec<f64> = (0..lengths[s] - tokens + 1 + place)
                .map(|t| query.iter().zip(&keys[row(t)..]).map(|(x, y)| f64::from(*x) * y).sum::<f64>())
                .map(|l| l / (dim as f64).sqrt())
                .collect();
            let (p, sum) = softmax(&logits);
            let parts = [place, tokens + place].map(|x| x * heads + head);
            let shares = parts.map(|x| (f64::from(sums[x]) - sum).exp());
            for x in 0..dim {
                let want: f64 = p.iter().enumerate().map(|(t, w)| w * values[row(t) + x]).sum();
                let have = match s {
                    1 => (0..2).map(|i| shares[i] * f64::from(split[parts[i] * dim + x])).sum(),
                    _ => f64::from(got[(token * heads + head) * dim + x]),
                };
                let error = (have - want).abs();
                assert!(!error.is_nan(), "{target} {file}: not all written");
                (worst, size) = (worst.max(error), size.max(want.abs()));
            }
        }
        eprintln!("{target} {file}: differs by {:.1e} of the largest at most", worst / size);
        assert!(worst < size * 0.1, "{target} {file}: {worst} of {size}");
    })
}

#[test]
fn paged_attention_works_off_its_list() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        listed_pages(target, "pa_bf16_pertokenFp8_gqa16_1tg_4w_qlen16_msk1_ps", 8, 2, 1024);
    }
}

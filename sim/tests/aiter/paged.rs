//! Attention of one or a few new tokens to keys and values in pages.

use super::device::*;

#[test]
fn paged_attention_decodes_as_the_softmax_says() {
    if corpus().is_none() {
        return;
    }
    for target in TARGETS {
        let d = Device::new(target);
        let (kv_heads, dim, page, pages, group) = (2usize, 128usize, 16usize, 24usize, 8usize);
        let (heads, lengths) = (kv_heads * group, [37usize, 64, 90]);
        let most = 6usize;
        let mut r = Random(5);
        let q = r.bf16s(lengths.len() * heads * dim);
        // Pages of keys and values: [page][head][dim][place].
        let (keys, values) = (r.bf16s(pages * kv_heads * dim * page), r.bf16s(pages * kv_heads * dim * page));
        let at = |p: usize, h: usize, x: usize, place: usize| ((p * kv_heads + h) * dim + x) * page + place;
        let mut table: Vec<u32> = (0..pages as u32).collect();
        (1..pages).for_each(|i| table.swap(i, (r.next() % (i as u64 + 1)) as usize));
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
        let args = Placed::new(272)
            .ptr(0, &out)
            .ptr(0x10, &bq)
            .ptr(0x20, &bk)
            .ptr(0x30, &bv)
            .ptr(0x40, &bt)
            .ptr(0x50, &bl)
            .f32(0x80, scale)
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
    }
}

/// Keys and values of eight bits with a scale a token, pages of any length, a few new tokens of each sequence that see
/// the keys up to their own where `masked`.
fn quantised_pages(target: Target, file: &str, eight: Eight, group: usize, tokens: usize, masked: bool, page: usize) {
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
    let mut table: Vec<u32> = (0..pages as u32).collect();
    (1..pages).for_each(|i| table.swap(i, (r.next() % (i as u64 + 1)) as usize));
    // Keys by sixteens of the dimension, values by sixteens of the places.
    let (mut dk, mut dv) = (vec![0; kc.len()], vec![0; vc.len()]);
    for (at, (k, v)) in kc.iter().zip(&vc).enumerate() {
        let (block, place, x) = (at / (page * dim) * page * dim, at / dim % page, at % dim);
        dk[block + (x / 16 * page + place) * 16 + x % 16] = *k;
        dv[block + (place / 16 * dim + x) * 16 + place % 16] = *v;
    }
    let out = d.bytes(&vec![0xff; q.len() * 2]);
    let (bq, bk, bv, bt) = (d.bf16s(&q), d.bytes(&dk), d.bytes(&dv), d.words(&table));
    let (bks, bvs, bl) = (d.f32s(&ks), d.f32s(&vs), d.words(&lengths.map(|l| l as u32)));
    let queries = d.words(&[0, 1, 2, 3].map(|i| (i * tokens) as u32));
    let args = Placed::new(272)
        .ptr(0, &out)
        .ptr(0x10, &bq)
        .ptr(0x20, &bk)
        .ptr(0x30, &bv)
        .ptr(0x40, &bt)
        .ptr(0x50, &bl)
        .ptr(0x60, &bks)
        .ptr(0x70, &bvs)
        .f32(0x80, core::f32::consts::LOG2_E / (dim as f32).sqrt())
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
        let row = |t: usize| ((table[s * most + t / page] as usize * kv_heads + head / group) * page + t % page) * dim;
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
}

#[test]
fn paged_attention_of_eight_bits_is_within_what_they_allow() {
    if corpus().is_none() {
        return;
    }
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

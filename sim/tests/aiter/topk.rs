//! Experts that a softmax puts first, and the largest numbers of rows.

use super::device::*;

#[test]
fn topksoftmax_picks_the_experts_that_the_softmax_orders_first() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        going_on(|| {
            let d = Device::new(target);
            let (tokens, experts, k) = (37usize, 128usize, 4usize);
            let logits = Random(5).units(tokens * experts);
            let (ids, weights) = (d.bytes(&vec![0; tokens * k * 4]), d.f32s(&vec![0.0; tokens * k]));
            let gating = d.f32s(&logits);
            let args = Placed::new(128)
                .ptr(0, &ids)
                .ptr(0x10, &weights)
                .ptr(0x20, &gating)
                .u32(0x30, tokens)
                .u32(0x40, experts)
                .u32(0x50, k)
                .u32(0x60, 1)
                .u32(0x70, 4 * k);
            d.run(
                "topksoftmax/topksoftmax_4x128x4.co",
                "_ZN5aiter19topksoftmax_4x128x4E",
                [tokens.div_ceil(4) as u32, 1, 1],
                256,
                args,
            );
            let ids: Vec<u32> = ids
                .to_vec()
                .expect("reads")
                .chunks_exact(4)
                .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
                .collect();
            let weights = f32s(&weights);
            for t in 0..tokens {
                let row = &logits[t * experts..(t + 1) * experts];
                let mut order: Vec<usize> = (0..experts).collect();
                order.sort_by(|a, b| row[*b].total_cmp(&row[*a]).then(a.cmp(b)));
                let e: Vec<f64> = order[..k].iter().map(|i| f64::from(row[*i]).exp()).collect();
                let sum: f64 = e.iter().sum();
                for i in 0..k {
                    assert_eq!(row[ids[t * k + i] as usize], row[order[i]], "{target} token {t}");
                    assert!((f64::from(weights[t * k + i]) - e[i] / sum).abs() < 1e-6, "{target} token {t}");
                }
            }
        })
    }
}

#[test]
fn the_largest_two_thousand_of_a_row_are_found() {
    let Some(_judged) = judged() else { return };
    let d = Device::new(Target::Gfx942);
    let (rows, columns, k) = (4usize, 3300usize, 2048usize);
    // No two of a row are equal.
    let mut r = Random(8);
    let mut logits = Vec::new();
    for _ in 0..rows {
        let mut row: Vec<f32> = (0..columns).map(|i| i as f32 / 1024.0 - 1.0).collect();
        (1..columns).for_each(|i| row.swap(i, (r.next() % (i as u64 + 1)) as usize));
        logits.extend(row);
    }
    let (begins, ends) = ([0u32, 100, 7, 0], [3300u32, 3000, 2500, 2048]);
    let (bl, bb, be) = (d.f32s(&logits), d.words(&begins), d.words(&ends));
    let indices = d.bytes(&vec![0xff; rows * k * 4]);
    let space = d.bytes(&vec![0; rows * k * 8]);
    let args = Placed::new(56)
        .ptr(0, &space)
        .ptr(8, &bl)
        .ptr(16, &bb)
        .ptr(24, &be)
        .ptr(32, &indices)
        .u32(48, columns)
        .u32(52, 1);
    d.run(
        "topk_per_row_prefill/asm_top_k_per_row_prefill.co",
        "_ZN5aiter11PrefillTopKL10topKPerRowILi1024ELi2048ELi2048ELi512EEEvPvPKfPKiS6_PiPfii",
        [rows as u32, 1, 1],
        1024,
        args,
    );
    let raw = indices.to_vec().expect("reads");
    let index = |i: usize| u32::from_le_bytes(raw[4 * i..][..4].try_into().expect("four bytes")) as usize;
    for row in 0..rows {
        let part = &logits[row * columns..][begins[row] as usize..ends[row] as usize];
        let mut best: Vec<usize> = (0..part.len()).collect();
        best.sort_by(|a, b| part[*b].total_cmp(&part[*a]));
        let mut found: Vec<usize> = (0..k).map(|i| index(row * k + i)).collect();
        best.truncate(k);
        best.sort_unstable();
        found.sort_unstable();
        assert!(best == found, "row {row}");
    }
}

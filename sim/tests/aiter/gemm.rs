//! Products of matrices: int8, bf16, block-scaled FP8 and MXFP4.

use super::device::*;
use super::placed::{bf16_gemm, eight_bit_gemm, mxfp4_gemm};

#[test]
fn the_int8_gemm_is_exact() {
    let Some(_judged) = judged() else { return };
    // The widest scales by the rows first.
    let narrow = (16usize, 128usize, false);
    for (target, (tile, columns, rows_first)) in
        [(Target::Gfx942, narrow), (Target::Gfx950, narrow), (Target::Gfx942, (112, 256, true))]
    {
        going_on(|| {
            let d = Device::new(target);
            let (m, n, k) = (tile + 4, columns, 384usize);
            let mut r = Random(77);
            let a: Vec<u8> = (0..m * k).map(|_| r.next() as u8).collect();
            let b: Vec<u8> = (0..n * k).map(|_| r.next() as u8).collect();
            let (sa, sb, bias) = (r.units(m), r.units(n), r.units(n));
            let c = d.bytes(&vec![0; m * n * 2]);
            let (da, db) = (d.bytes(&a), d.bytes(&preshuffle(&b, n, k)));
            let (dsa, dsb, dbias) = (d.f32s(&sa), d.f32s(&sb), d.f32s(&bias));
            let args = eight_bit_gemm([&c, &da, &db, &dsa, &dsb, &dbias], [m, n, k], 1, false);
            let file = format!("I8gemm_bf16_perTokenI8_BpreShuffle_{tile}x{columns}");
            d.run(
                &format!("i8gemm/{file}.co"),
                &format!("_ZN5aiter{}{file}E", file.len()),
                [1, m.div_ceil(tile) as u32, 1],
                256,
                args,
            );
            let got = bf16s(&c);
            for i in 0..m {
                for j in 0..n {
                    let acc: i32 = (0..k).map(|x| i32::from(a[i * k + x] as i8) * i32::from(b[j * k + x] as i8)).sum();
                    let (first, second) = if rows_first { (sa[i], sb[j]) } else { (sb[j], sa[i]) };
                    let want = to_bf16_trunc((acc as f32 * first).mul_add(second, bias[j]));
                    assert_eq!(got[i * n + j], want, "{target} {file} ({i}, {j})");
                }
            }
        })
    }
}

#[test]
fn the_bf16_gemm_is_within_its_error() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        going_on(|| {
            let d = Device::new(target);
            let (m, n, k) = (40usize, 128usize, 256usize);
            let mut r = Random(31);
            let (a, b) = (r.bf16s(m * k), r.bf16s(n * k));
            let (da, db, out, bias) = (d.bf16s(&a), d.bf16s(&b), d.f32s(&vec![0.0; m * n]), d.bf16s(&vec![0.0; n]));
            let args = bf16_gemm([&out, &da, &db, &bias], [m, n, k], 1, 4);
            d.run(
                "bf16gemm/bf16gemm_fp32bf16_tn_32x64_pf3_splitk.co",
                "_ZN5aiter37bf16gemm_fp32bf16_tn_32x64_pf3_splitkE",
                [(n / 64) as u32, m.div_ceil(32) as u32, 1],
                256,
                args,
            );
            let got = f32s(&out);
            for i in 0..m {
                for j in 0..n {
                    let want: f64 = (0..k).map(|x| f64::from(a[i * k + x]) * f64::from(b[j * k + x])).sum();
                    assert!(
                        (f64::from(got[i * n + j]) - want).abs() < 2e-5,
                        "{target} ({i}, {j}): {} not {want}",
                        got[i * n + j]
                    );
                }
            }
        })
    }
}

#[test]
fn the_block_scaled_fp8_gemm_is_within_one_place_of_bf16() {
    let Some(_judged) = judged() else { return };
    for target in TARGETS {
        going_on(|| {
            let d = Device::new(target);
            let (m, n, k) = (40usize, 128usize, 384usize);
            let mut r = Random(101);
            // Moderate exponents, no NaN.
            let mut byte = || ((r.next() & 0x87) | (5 + r.next() % 5) << 3) as u8;
            let a: Vec<u8> = (0..m * k).map(|_| byte()).collect();
            let b: Vec<u8> = (0..n * k).map(|_| byte()).collect();
            let (sa, sb) = (r.units(k / 128 * m), r.units(n / 128 * k / 128));
            let c = d.bytes(&vec![0; m * n * 2]);
            let (da, db) = (d.bytes(&a), d.bytes(&preshuffle(&b, n, k)));
            let (dsa, dsb, bias) = (d.f32s(&sa), d.f32s(&sb), d.f32s(&vec![0.0; n]));
            let args = eight_bit_gemm([&c, &da, &db, &dsa, &dsb, &bias], [m, n, k], 1, true);
            d.run(
                "fp8gemm_blockscale/fp8gemm_bf16_blockscale_BpreShuffle_32x128.co",
                "_ZN5aiter42fp8gemm_bf16_blockscale_BpreShuffle_32x128E",
                [(n / 128) as u32, m.div_ceil(32) as u32, 1],
                256,
                args,
            );
            let got = bf16s(&c);
            for i in 0..m {
                for j in 0..n {
                    let (mut want, mut size) = (0f64, 0f64);
                    for block in 0..k / 128 {
                        let sum: f64 = (0..128)
                            .map(|x| {
                                let at = block * 128 + x;
                                f64::from(fp8(a[i * k + at], target)) * f64::from(fp8(b[j * k + at], target))
                            })
                            .sum();
                        let term = f64::from(sa[block * m + i] * sb[j / 128 * (k / 128) + block]) * sum;
                        want += term;
                        size = size.max(term.abs());
                    }
                    let error = (f64::from(got[i * n + j]) - want).abs();
                    assert!(
                        error <= want.abs() / 128.0 + size * 1e-5,
                        "{target} ({i}, {j}): {} not {want}",
                        got[i * n + j]
                    );
                }
            }
        })
    }
}

#[test]
fn the_mxfp4_gemm_is_bf16s_nearest_in_either_layout_of_its_weights() {
    let Some(_judged) = judged() else { return };
    let d = Device::new(Target::Gfx950);
    let (m, n, k) = (256usize, 256usize, 512usize);
    let mut r = Random(41);
    let mut codes = |count: usize| -> Vec<u8> { (0..count).map(|_| r.next() as u8 & 15).collect() };
    let (a, b) = (codes(m * k), codes(n * k));
    let mut scales = |count: usize| -> Vec<u8> { (0..count).map(|_| 126 + (r.next() % 2) as u8).collect() };
    let (sa, sb) = (scales(m * k / 32), scales(n * k / 32));
    let value = |v: &[u8], s: &[u8], row: usize, kk: usize| {
        fp4(v[row * k + kk]) * 2f64.powi(i32::from(s[(row * k + kk) / 32]) - 127)
    };
    for shuffled in [true, false] {
        going_on(|| {
            let (c, da) = (d.bytes(&vec![0; m * n * 2]), d.bytes(&pairs(&a)));
            let weights = if shuffled { preshuffle(&pairs(&b), n, k / 2) } else { pairs(&b) };
            let db = d.bytes(&weights);
            let (dsa, dsb) = (d.bytes(&shuffle_scales(&sa, m, k / 32)), d.bytes(&shuffle_scales(&sb, n, k / 32)));
            let args = mxfp4_gemm([&c, &da, &db, &dsa, &dsb], [m, n, k], k / 32, 0);
            let name = if shuffled { "BpreShuffle" } else { "noBpreShuffle" };
            let file = format!("f4gemm_bf16_per1x32Fp4_{name}_256x256");
            d.run(
                &format!("f4gemm/{file}.co"),
                &format!("_ZN5aiter{}{file}E", file.len()),
                [(n / 256) as u32, (m / 256) as u32, 1],
                256,
                args,
            );
            let got = bf16s(&c);
            for i in 0..m {
                for j in 0..n {
                    // Sums of products of these are exact in f32.
                    let sum: f64 = (0..k).map(|kk| value(&a, &sa, i, kk) * value(&b, &sb, j, kk)).sum();
                    let bits = (sum as f32).to_bits();
                    let nearest = f32::from_bits(bits.wrapping_add(0x7fff + (bits >> 16 & 1)) & 0xffff_0000);
                    assert_eq!(got[i * n + j], nearest, "{name} ({i}, {j})");
                }
            }
        })
    }
}

/// A product whose blocks of 128 have scales: rows' ones by column, weights' ones by row.
#[test]
fn earlier_block_scaled_gemms_of_every_tile_are_right() {
    let Some(_judged) = judged() else { return };
    let d = Device::new(Target::Gfx950);
    let (m, n, k) = (100usize, 256usize, 512usize);
    let mut r = Random(17);
    let mut byte = || ((r.next() & 0x87) | (5 + r.next() % 5) << 3) as u8;
    let a: Vec<u8> = (0..m * k).map(|_| byte()).collect();
    let b: Vec<u8> = (0..n * k).map(|_| byte()).collect();
    let (sa, sb) = (r.units(k / 128 * m), r.units(n / 128 * k / 128));
    let want: Vec<f64> = (0..m * n)
        .map(|at| {
            let (i, j) = (at / n, at % n);
            let block = |c: usize| -> f64 {
                let product =
                    |x: usize| f64::from(fp8(a[i * k + x], d.target)) * f64::from(fp8(b[j * k + x], d.target));
                let sum: f64 = (c * 128..(c + 1) * 128).map(product).sum();
                sum * f64::from(sa[c * m + i]) * f64::from(sb[j / 128 * (k / 128) + c])
            };
            (0..k / 128).map(block).sum()
        })
        .collect();
    let most = want.iter().fold(0f64, |m, x| m.max(x.abs()));
    for tile in [32, 64, 96, 128] {
        going_on(|| {
            let c = d.bytes(&vec![0; m * n * 2]);
            let (da, db, dsa, dsb) = (d.bytes(&a), d.bytes(&preshuffle(&b, n, k)), d.f32s(&sa), d.f32s(&sb));
            let args = Placed::new(0x170)
                .ptr(0, &c)
                .ptr(0x10, &da)
                .ptr(0x20, &db)
                .ptr(0x40, &dsa)
                .ptr(0x50, &dsb)
                .u32(0x90, k)
                .u32(0xa0, n)
                .u32(0xb0, m)
                .u32(0xc0, 1)
                .u32(0xd0, k)
                .u32(0xe0, k)
                .u32(0xf0, 2 * n);
            let file = format!("f8_block_scale_mi350_x{tile}");
            d.run(&format!("{file}.co"), &file, [n.div_ceil(256) as u32, m.div_ceil(tile) as u32, 1], 256, args);
            let error = |(x, y): (&f32, &f64)| (f64::from(*x) - y).abs();
            let worst = bf16s(&c).iter().zip(&want).map(error).fold(0f64, f64::max);
            eprintln!("{file}: differs by {worst:.1e} of {most:.1} at most");
            assert!(worst < most * 4e-3, "{file}: {worst} of {most}");
        })
    }
}

/// Parts of K that add to C, which each has cleared: all must have begun before one adds.
#[test]
fn parts_of_k_add_up_where_each_clears_what_all_add_to() {
    let Some(_judged) = judged() else { return };
    let d = Device::new(Target::Gfx942);
    let (m, n, k) = (200usize, 256usize, 2048usize);
    for split in [1usize, 2] {
        going_on(|| {
            let mut r = Random(23);
            let mut bytes = |count: usize| -> Vec<u8> { (0..count).map(|_| r.next() as u8).collect() };
            let (a, b) = (bytes(m * k), bytes(n * k));
            // Thirty-two rows side by side here.
            let mut shuffled = Vec::with_capacity(b.len());
            for (n0, k0) in (0..n / 32).flat_map(|n0| (0..k / 32).map(move |k0| (n0, k0))) {
                for (half, row) in (0..2).flat_map(|half| (0..32).map(move |row| (half, row))) {
                    shuffled.extend_from_slice(&b[(n0 * 32 + row) * k + k0 * 32 + half * 16..][..16]);
                }
            }
            let (sa, sb) = (r.units(m), r.units(n));
            let c = d.bytes(&vec![0xff; m * n * 2]);
            let (da, db, dsa, dsb) = (d.bytes(&a), d.bytes(&shuffled), d.f32s(&sa), d.f32s(&sb));
            let bias = d.f32s(&vec![0.0; n]);
            let args = Placed::new(0xd0)
                .ptr(0, &c)
                .ptr(0x10, &da)
                .ptr(0x20, &db)
                .ptr(0x30, &dsa)
                .ptr(0x40, &dsb)
                .ptr(0x50, &bias)
                .u32(0x60, m)
                .u32(0x70, n)
                .u32(0x80, k)
                .u32(0x90, k)
                .u32(0xa0, k)
                .u32(0xb0, 2 * n)
                .u32(0xc0, split);
            let grid = [((n / 128) << split) as u32, m.div_ceil(128) as u32, 1];
            d.run("gemm_a8w8_m128_splitK.co", "gemm_kernel_func", grid, 256, args);
            let (mut worst, mut most) = (0f64, 0f64);
            for (at, got) in bf16s(&c).iter().enumerate() {
                let (i, j) = (at / n, at % n);
                let sum: i64 = (0..k).map(|x| i64::from(a[i * k + x] as i8) * i64::from(b[j * k + x] as i8)).sum();
                let want = sum as f64 * f64::from(sa[i]) * f64::from(sb[j]);
                worst = worst.max((f64::from(*got) - want).abs());
                most = most.max(want.abs());
            }
            eprintln!("split {split}: differs by {worst:.1e} of {most:.1e} at most");
            assert!(worst < most * 2e-2, "split {split}: {worst} of {most}");
        })
    }
}

//! Shipping hand-written kernels of AITER on the embedded device, against plain Rust.
//!
//! They are public but not ours to keep: the folder with `gfx942/` and `gfx950/` is named by `WAVESMITH_CORPUS`.
//! Without it these tests skip, in CI too: they are run by hand.

#[path = "placed/mod.rs"]
mod placed;
#[allow(dead_code)]
#[path = "watched/mod.rs"]
mod watched;

use placed::Placed;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use wavesmith_asm::{Sku, Target};
use wavesmith_loader::{Agent, Buffer, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::{last_fault, last_stats};

const TARGETS: [Target; 2] = [Target::Gfx942, Target::Gfx950];

fn corpus() -> Option<PathBuf> {
    let found = std::env::var_os("WAVESMITH_CORPUS").map(PathBuf::from).filter(|p| p.join("gfx942").is_dir());
    if found.is_none() {
        eprintln!("SKIPPED: needs AITER's code objects in the folder that WAVESMITH_CORPUS names");
    }
    found
}

struct Device {
    agent: Agent,
    target: Target,
}

impl Device {
    fn new(target: Target) -> Device {
        let sku = Sku::named(if target == Target::Gfx950 { "mi355x" } else { "mi300x" }).expect("known part");
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).expect("starts");
        Device { agent: runtime.gpu_agents()[0].clone(), target }
    }

    fn bytes(&self, v: &[u8]) -> Buffer {
        self.agent.upload(MemoryKind::Device, v).expect("uploads")
    }

    fn f32s(&self, v: &[f32]) -> Buffer {
        self.bytes(&v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())
    }

    fn bf16s(&self, v: &[f32]) -> Buffer {
        self.bytes(&v.iter().flat_map(|x| ((x.to_bits() >> 16) as u16).to_le_bytes()).collect::<Vec<_>>())
    }

    fn run(&self, file: &str, kernel: &str, workgroups: [u32; 3], items: u16, args: Placed) {
        let path = corpus().expect("asked before").join(self.target.name()).join(file);
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let executable = self.agent.load(&bytes).expect("loads");
        let handle = executable.kernel(kernel).expect("kernel");
        let queue = self.agent.queue(64).expect("queue");
        let watched = watched::Watched::here(module_path!(), &queue);
        let geometry = Geometry::of_workgroups(workgroups, [items, 1, 1]).expect("geometry");
        let started = Instant::now();
        let launch = Launch { kernel: &handle, geometry, dynamic_lds: 0, kernargs: &args.0 };
        let pending = queue.launch(&launch).expect("launches");
        if let Err(e) = pending.wait(Duration::from_secs(300)) {
            panic!("{file}: {e}: {:?}", last_fault(queue.raw()).map(|f| f.to_string()));
        }
        watched.judge(file);
        let n = last_stats(queue.raw()).map_or(0, |s| s.wave_instructions);
        eprintln!("{} {file}: {n} wave-instructions in {:.2?}", self.target, started.elapsed());
    }
}

fn f32s(b: &Buffer) -> Vec<f32> {
    b.to_vec().expect("reads").chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

fn bf16s(b: &Buffer) -> Vec<f32> {
    let raw = b.to_vec().expect("reads");
    raw.chunks_exact(2).map(|h| f32::from_bits(u32::from(u16::from_le_bytes([h[0], h[1]])) << 16)).collect()
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
    fn unit(&mut self) -> f32 {
        (self.next() % 4001) as f32 / 2000.0 - 1.0
    }
    fn units(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.unit()).collect()
    }
    /// Values that bf16 holds exactly.
    fn bf16s(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| f32::from_bits(self.unit().to_bits() & 0xffff_0000)).collect()
    }
}

fn to_bf16_trunc(v: f32) -> f32 {
    f32::from_bits(v.to_bits() & 0xffff_0000)
}

#[test]
fn topksoftmax_picks_the_experts_that_the_softmax_orders_first() {
    if corpus().is_none() {
        return;
    }
    for target in TARGETS {
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
    }
}

#[test]
fn the_row_sum_of_attention_backward_is_exact_in_its_order() {
    if corpus().is_none() {
        return;
    }
    for target in TARGETS {
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
    }
}

/// `B.reshape(N/16, 16, K/32, 2, 16).transpose(0, 2, 3, 1, 4)`.
fn preshuffle(b: &[u8], n: usize, k: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(b.len());
    for n0 in 0..n / 16 {
        for k0 in 0..k / 32 {
            for half in 0..2 {
                for row in 0..16 {
                    let at = (n0 * 16 + row) * k + k0 * 32 + half * 16;
                    out.extend_from_slice(&b[at..at + 16]);
                }
            }
        }
    }
    out
}

#[test]
fn the_int8_gemm_is_exact() {
    if corpus().is_none() {
        return;
    }
    // The widest scales by the rows first.
    let narrow = (16usize, 128usize, false);
    for (target, (tile, columns, rows_first)) in
        [(Target::Gfx942, narrow), (Target::Gfx950, narrow), (Target::Gfx942, (112, 256, true))]
    {
        let d = Device::new(target);
        let (m, n, k) = (tile + 4, columns, 384usize);
        let mut r = Random(77);
        let a: Vec<u8> = (0..m * k).map(|_| r.next() as u8).collect();
        let b: Vec<u8> = (0..n * k).map(|_| r.next() as u8).collect();
        let (sa, sb, bias) = (r.units(m), r.units(n), r.units(n));
        let c = d.bytes(&vec![0; m * n * 2]);
        let (da, db) = (d.bytes(&a), d.bytes(&preshuffle(&b, n, k)));
        let (dsa, dsb, dbias) = (d.f32s(&sa), d.f32s(&sb), d.f32s(&bias));
        let args = Placed::new(208)
            .ptr(0, &c)
            .ptr(0x10, &da)
            .ptr(0x20, &db)
            .ptr(0x30, &dsa)
            .ptr(0x40, &dsb)
            .ptr(0x50, &dbias)
            .u32(0x60, m)
            .u32(0x70, n)
            .u32(0x80, k)
            .u32(0x90, k)
            .u32(0xa0, k)
            .u32(0xb0, 2 * n)
            .u32(0xc0, 1);
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
    }
}

#[test]
fn the_bf16_gemm_is_within_its_error() {
    if corpus().is_none() {
        return;
    }
    for target in TARGETS {
        let d = Device::new(target);
        let (m, n, k) = (40usize, 128usize, 256usize);
        let mut r = Random(31);
        let (a, b) = (r.bf16s(m * k), r.bf16s(n * k));
        let (da, db, out, bias) = (d.bf16s(&a), d.bf16s(&b), d.f32s(&vec![0.0; m * n]), d.bf16s(&vec![0.0; n]));
        let args = Placed::new(352)
            .ptr(0, &out)
            .ptr(0x20, &da)
            .ptr(0x30, &db)
            .f32(0x40, 1.0)
            .u32(0x60, 4 * n)
            .u32(0x80, 4 * n)
            .u32(0xa0, 2 * k)
            .u32(0xc0, 2 * k)
            .u32(0xe0, m)
            .u32(0xf0, n)
            .u32(0x100, k)
            .u32(0x110, 1)
            .ptr(0x130, &bias);
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
    }
}

/// An 8-bit float of that target.
fn fp8(bits: u8, target: Target) -> f32 {
    let bias = if target == Target::Gfx950 { 7 } else { 8 };
    let (e, m) = (i32::from(bits >> 3 & 15), f32::from(bits & 7));
    let v = if e == 0 { m / 8.0 * 2f32.powi(1 - bias) } else { (1.0 + m / 8.0) * 2f32.powi(e - bias) };
    if bits >> 7 == 1 { -v } else { v }
}

#[test]
fn the_block_scaled_fp8_gemm_is_within_one_place_of_bf16() {
    if corpus().is_none() {
        return;
    }
    for target in TARGETS {
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
        let args = Placed::new(256)
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
            .u32(0xc0, 1)
            .u32(0xd0, m)
            .u32(0xe0, n / 128)
            .u32(0xf0, k / 128);
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
    }
}

fn attention(target: Target, file: &str, kernel: &str, sq: usize, sk: usize, causal: bool) {
    let d = Device::new(target);
    let (h, hk, dim) = (2usize, 1usize, 128usize);
    let mut r = Random(2024);
    let (q, k, v) = (r.bf16s(sq * h * dim), r.bf16s(sk * hk * dim), r.bf16s(sk * hk * dim));
    let (dq, dk, dv) = (d.bf16s(&q), d.bf16s(&k), d.bf16s(&v));
    let (o, lse) = (d.bytes(&vec![0; sq * h * dim * 2]), d.f32s(&vec![0.0; h * sq]));
    let scale = 1.0 / (dim as f32).sqrt();
    let (qs, ks) = (h * dim * 2, hk * dim * 2);
    let opt = if causal { 3 } else { 5 };
    let args = Placed::new(0x290)
        .ptr(0, &o)
        .ptr(0x10, &dq)
        .ptr(0x20, &dk)
        .ptr(0x30, &dv)
        .ptr(0x40, &lse)
        .f32(0x50, scale)
        .u32(0x60, sq)
        .u32(0x70, qs)
        .u32(0x80, 256 * qs)
        .u32(0x90, dim * 2)
        .u32(0xa0, sq * qs)
        .u32(0xb0, h / hk)
        .u32(0xc0, ks)
        .u32(0xd0, dim * 2)
        .u32(0xe0, sk * ks)
        .u32(0xf0, opt)
        .u32(0x100, 1)
        .u32(0x110, sk)
        .u32(0x120, dim)
        .u32(0x130, dim)
        .u32(0x140, h)
        .u32(0x150, ks)
        .u32(0x160, dim * 2)
        .u32(0x170, sk * ks)
        .u32(0x180, qs)
        .u32(0x190, dim * 2)
        .u32(0x1a0, sq * qs)
        .u32(0x1d0, 4 * sq);
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
}

#[test]
fn attention_forward_matches_on_cdna3() {
    if corpus().is_none() {
        return;
    }
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
    if corpus().is_none() {
        return;
    }
    attention(Target::Gfx950, "fmha_v3_fwd/fwd_hd128_bf16.co", "_ZN5aiter19fmha_fwd_hd128_bf16E", 300, 320, false);
}

#[test]
fn causal_attention_forward_matches_on_cdna4() {
    if corpus().is_none() {
        return;
    }
    attention(
        Target::Gfx950,
        "fmha_v3_fwd/fwd_hd128_bf16_causal.co",
        "_ZN5aiter26fmha_fwd_hd128_bf16_causalE",
        512,
        600,
        true,
    );
}

/// The value of an FP4 code.
fn fp4(code: u8) -> f64 {
    let v = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0][usize::from(code & 7)];
    if code & 8 != 0 { -v } else { v }
}

/// Scales of `rows` rows as the kernels want them: rows in pairs of sixteen, columns in two fours.
fn shuffle_scales(s: &[u8], rows: usize, columns: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len());
    for r in 0..rows / 32 {
        for c in 0..columns / 8 {
            for (k, row) in (0..4).flat_map(|k| (0..16).map(move |row| (k, row))) {
                for (half, pair) in (0..2).flat_map(|half| (0..2).map(move |pair| (half, pair))) {
                    out.push(s[(r * 32 + pair * 16 + row) * columns + c * 8 + half * 4 + k]);
                }
            }
        }
    }
    out
}

#[test]
fn the_mxfp4_gemm_is_bf16s_nearest_in_either_layout_of_its_weights() {
    if corpus().is_none() {
        return;
    }
    let d = Device::new(Target::Gfx950);
    let (m, n, k) = (256usize, 256usize, 512usize);
    let mut r = Random(41);
    let mut codes = |count: usize| -> Vec<u8> { (0..count).map(|_| r.next() as u8 & 15).collect() };
    let (a, b) = (codes(m * k), codes(n * k));
    let mut scales = |count: usize| -> Vec<u8> { (0..count).map(|_| 126 + (r.next() % 2) as u8).collect() };
    let (sa, sb) = (scales(m * k / 32), scales(n * k / 32));
    let pack = |v: &[u8]| -> Vec<u8> { v.chunks_exact(2).map(|p| p[0] | p[1] << 4).collect() };
    let value = |v: &[u8], s: &[u8], row: usize, kk: usize| {
        fp4(v[row * k + kk]) * 2f64.powi(i32::from(s[(row * k + kk) / 32]) - 127)
    };
    for shuffled in [true, false] {
        let (c, da) = (d.bytes(&vec![0; m * n * 2]), d.bytes(&pack(&a)));
        let weights = if shuffled { preshuffle(&pack(&b), n, k / 2) } else { pack(&b) };
        let db = d.bytes(&weights);
        let (dsa, dsb) = (d.bytes(&shuffle_scales(&sa, m, k / 32)), d.bytes(&shuffle_scales(&sb, n, k / 32)));
        let args = Placed::new(372)
            .ptr(0, &c)
            .ptr(0x20, &da)
            .ptr(0x30, &db)
            .f32(0x40, 1.0)
            .u32(0x80, n)
            .u32(0xa0, k)
            .u32(0xc0, k)
            .u32(0xe0, m)
            .u32(0xf0, n)
            .u32(0x100, k)
            .ptr(0x110, &dsa)
            .ptr(0x120, &dsb)
            .u32(0x130, k / 32)
            .u32(0x150, k / 32);
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
    }
}

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

#[test]
fn latent_attention_decodes_as_the_softmax_says() {
    if corpus().is_none() {
        return;
    }
    // Sixteen heads share one latent of 576, of which 512 are the values too; two splits of the keys.
    let (heads, dim, value, splits, lengths) = (16usize, 576usize, 512usize, 2usize, [200usize, 77]);
    let file = "mla_dec_stage1_bf16_a16w16_subQ16_mqa16";
    for target in TARGETS {
        let d = Device::new(target);
        let mut r = Random(12);
        let used: usize = lengths.iter().sum();
        let pages = used + 7;
        let (q, latents) = (r.bf16s(lengths.len() * heads * dim), r.bf16s(pages * dim));
        let mut table: Vec<u32> = (0..pages as u32).collect();
        (1..pages).for_each(|i| table.swap(i, (r.next() % (i as u64 + 1)) as usize));
        let words = |v: &[u32]| d.bytes(&v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
        let rows = lengths.len() * splits * heads;
        let (out, lse) = (d.f32s(&vec![f32::NAN; rows * value]), d.f32s(&vec![f32::NAN; rows]));
        let (bq, bk) = (d.bf16s(&q), d.bf16s(&latents));
        let (first, order, last) = (words(&[0, 200, 277]), words(&table), words(&[1, 1]));
        let (queries, split) = (words(&[0, 1, 2]), words(&[0, 2, 4]));
        let args = Placed::new(0x170)
            .ptr(0, &out)
            .ptr(0x10, &lse)
            .ptr(0x20, &bq)
            .ptr(0x30, &bk)
            .ptr(0x40, &first)
            .ptr(0x50, &order)
            .ptr(0x60, &last)
            .f32(0x70, 1.0 / (dim as f32).sqrt())
            .u32(0x80, heads)
            .u32(0x90, splits)
            .u32(0xa0, heads * dim * 2)
            .u32(0xb0, dim * 2)
            .ptr(0xd0, &queries)
            .ptr(0xe0, &split)
            .u32(0x150, 1);
        d.run(
            &format!("mla/{file}.co"),
            &format!("_ZN5aiter{}{file}E", file.len()),
            [1, lengths.len() as u32, splits as u32],
            256,
            args,
        );
        let (out, lse) = (f32s(&out), f32s(&lse));
        let (mut start, mut worst) = (0, 0f64);
        for (s, length) in lengths.iter().enumerate() {
            for h in 0..heads {
                let key = |t: usize| &latents[table[start + t] as usize * dim..][..dim];
                let query = &q[(s * heads + h) * dim..][..dim];
                let logits: Vec<f64> = (0..*length)
                    .map(|t| query.iter().zip(key(t)).map(|(x, y)| f64::from(x * y)).sum::<f64>())
                    .map(|l| l / (dim as f64).sqrt())
                    .collect();
                let top = logits.iter().copied().fold(f64::MIN, f64::max);
                let p: Vec<f64> = logits.iter().map(|l| (l - top).exp()).collect();
                let total: f64 = p.iter().sum();
                // Splits that had keys, put together by their sums.
                let row = |split: usize| (s * splits + split) * heads + h;
                let parts: Vec<(f64, usize)> = (0..splits)
                    .filter(|i| !lse[row(*i)].is_nan())
                    .map(|i| ((f64::from(lse[row(i)]) - top).exp() / total, row(i) * value))
                    .collect();
                let share: f64 = parts.iter().map(|p| p.0).sum();
                assert!((share - 1.0).abs() < 1e-4, "{target} sequence {s}, head {h}: the splits' sums are {share}");
                for x in 0..value {
                    let want: f64 = (0..*length).map(|t| p[t] * f64::from(key(t)[x])).sum::<f64>() / total;
                    let got: f64 = parts.iter().map(|(w, at)| w * f64::from(out[at + x])).sum();
                    worst = worst.max((got - want).abs());
                }
            }
            start += length;
        }
        eprintln!("{target} {file}: largest difference {worst:.1e}");
        assert!(worst < 4e-3, "{target} {file}: {worst}");
    }
}

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

#[test]
fn attention_backward_gives_the_gradients() {
    if corpus().is_none() {
        return;
    }
    let (heads, dim, sq, sk) = (2usize, 104usize, 170usize, 260usize);
    for (target, file, tile) in [
        (Target::Gfx942, "bwd_hd128_bf16_a32_rtne_psskddv", 192usize),
        (Target::Gfx950, "bwd_hd128_bf16_a32_psskddv", 256),
    ] {
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
    }
}

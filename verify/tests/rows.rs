//! Softmax and attention on every target, against f64, within bounds that follow from the roundings on the way.

mod common;

use common::{SKUS, launch, numbers};
use half::{bf16, f16};
use wavesmith_asm::Sku;
use wavesmith_asm::sem::Elem;
use wavesmith_emitter::kernarg::Pointer;
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_kernels::attention::{self, AttentionArgs, AttentionError, AttentionParams, attention};
use wavesmith_kernels::softmax::{self, ROWS, SoftmaxArgs, softmax};
use wavesmith_loader::MemoryKind;
use wavesmith_sim::EngineKind;

/// Unit roundoff of f32.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

fn check_softmax(name: &str, engine: EngineKind, rows: u32, columns: u32) {
    let sku = Sku::named(name).unwrap();
    let object = pack(&[softmax(sku).unwrap()], &PackOptions::default()).unwrap();
    let mut number = numbers(u64::from(rows * columns));
    let x: Vec<f32> = (0..rows * columns).map(|_| 20.0 * number()).collect();
    let bytes: Vec<u8> = x.iter().flat_map(|x| x.to_le_bytes()).collect();
    let got = launch(
        sku,
        engine,
        &object,
        softmax::KERNEL,
        [[rows.div_ceil(ROWS), 1, 1], [64 * ROWS, 1, 1]],
        |agent| {
            let x = agent.upload(MemoryKind::Device, &bytes).unwrap();
            let y = agent.upload(MemoryKind::Device, &vec![0xff; bytes.len()]).unwrap();
            let args = SoftmaxArgs { x: Pointer(x.address()), y: Pointer(y.address()), rows, columns };
            ((x, y), args.to_bytes())
        },
        |(_x, y)| y.to_vec().unwrap(),
    );
    let got: Vec<f32> = got.as_chunks::<4>().0.iter().map(|c| f32::from_le_bytes(*c)).collect();
    for (row, got) in x.chunks(columns as usize).zip(got.chunks(columns as usize)) {
        let top = row.iter().copied().fold(f32::MIN, f32::max);
        let power = |x: f32| (f64::from(x) - f64::from(top)).exp();
        let sum: f64 = row.iter().map(|x| power(*x)).sum();
        // An exponential's argument has three roundings, each of at most its own size, which is 40 · log2(e) here; lanes' sums
        // have one each round and six more across, and are scaled twice; the instructions themselves err by a unit or two.
        let relative = UNIT * (2.0 * 3.0 * 58.0 + f64::from(columns) / 64.0 * (3.0 * 58.0 + 4.0) + 20.0);
        for (x, y) in row.iter().zip(got) {
            let want = power(*x) / sum;
            assert!(
                (f64::from(*y) - want).abs() <= relative * want + f64::from(f32::MIN_POSITIVE),
                "{name}: {y} for {want}"
            );
        }
    }
}

#[test]
fn softmax_of_rows_of_any_length_is_right_on_every_target() {
    for name in SKUS {
        for (rows, columns) in [(1, 1), (3, 64), (9, 65), (5, 1000)] {
            check_softmax(name, EngineKind::Jit, rows, columns);
        }
        check_softmax(name, EngineKind::Checked, 5, 100);
    }
}

/// Rounds to the type, and widens what is stored of it.
fn rounded(elem: Elem, x: f32) -> [u8; 2] {
    if elem == Elem::F16 { f16::from_f32(x).to_le_bytes() } else { bf16::from_f32(x).to_le_bytes() }
}

fn widened(elem: Elem, x: [u8; 2]) -> f64 {
    if elem == Elem::F16 { f16::from_le_bytes(x).to_f64() } else { bf16::from_le_bytes(x).to_f64() }
}

fn check_attention(name: &str, engine: EngineKind, p: AttentionParams, [heads, queries, keys]: [u32; 3]) {
    let sku = Sku::named(name).unwrap();
    let object = pack(&[attention(&p, sku).unwrap()], &PackOptions::default()).unwrap();
    let mut number = numbers(u64::from(queries * 7 + keys));
    let mut matrix = |rows: u32| -> Vec<u8> {
        (0..heads * rows * p.head_dim).flat_map(|_| rounded(p.elem, 2.0 * number())).collect()
    };
    let inputs = [matrix(queries), matrix(keys), matrix(keys)];
    let scale = 1.0 / (p.head_dim as f32).sqrt();
    let got = launch(
        sku,
        engine,
        &object,
        attention::KERNEL,
        [p.grid(queries, heads), [p.workgroup_size(), 1, 1]],
        |agent| {
            let some = |bytes: &[u8]| agent.upload(MemoryKind::Device, bytes).unwrap();
            let buffers = [some(&inputs[0]), some(&inputs[1]), some(&inputs[2]), some(&vec![0xff; inputs[0].len()])];
            let [q, k, v, o] = [0, 1, 2, 3].map(|i: usize| Pointer(buffers[i].address()));
            let args = AttentionArgs { q, k, v, o, queries, keys, scale };
            (buffers, args.to_bytes())
        },
        |buffers| buffers[3].to_vec().unwrap(),
    );
    let wide = |bytes: &[u8]| -> Vec<f64> { bytes.as_chunks::<2>().0.iter().map(|x| widened(p.elem, *x)).collect() };
    let [q, k, v] = inputs.each_ref().map(|m| wide(m));
    let got = wide(&got);
    let d = p.head_dim as usize;
    let of = |m: &[f64], rows: u32, head: u32, row: u32| -> Vec<f64> {
        let at = ((head * rows + row) as usize) * d;
        m[at..at + d].to_vec()
    };
    let unit = if p.elem == Elem::F16 { 2f64.powi(-11) } else { 2f64.powi(-8) };
    for head in 0..heads {
        for i in 0..queries {
            let query = of(&q, queries, head, i);
            let seen = if p.causal { keys.min(i + 1) } else { keys };
            let (mut scores, mut off) = (Vec::new(), 0f64);
            for j in 0..seen {
                let products = query.iter().zip(of(&k, keys, head, j)).map(|(x, y)| x * y).collect::<Vec<_>>();
                let size: f64 = products.iter().map(|x| x.abs()).sum();
                scores.push(products.iter().sum::<f64>() * f64::from(scale));
                // As for the GEMM: a sum of K products in any order, then two factors.
                off = off.max(f64::from(scale) * size * UNIT * (2.0 * (d as f64 + 1.0) + 4.0));
            }
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let power: Vec<f64> = scores.iter().map(|s| (s - top).exp()).collect();
            let sum: f64 = power.iter().sum();
            // Each probability: its score and the maximum are off; it is rounded to the type, and not below its least.
            let relative = (2.0 * off).exp_m1() + unit + 60.0 * UNIT;
            for c in 0..d {
                let column: Vec<f64> = (0..seen).map(|j| of(&v, keys, head, j)[c]).collect();
                let weighted =
                    |f: &dyn Fn(f64) -> f64| power.iter().zip(&column).map(|(p, v)| p * f(*v)).sum::<f64>() / sum;
                let (want, size) = (weighted(&|v| v), weighted(&f64::abs));
                let least = column.iter().map(|v| v.abs()).sum::<f64>() * 2f64.powi(-25);
                let bound = size * (2.0 * relative + 4.0 * UNIT * f64::from(seen)) + least;
                let bound = bound + unit * (want.abs() + bound);
                let value = got[((head * queries + i) as usize) * d + c];
                assert!(
                    (value - want).abs() <= bound,
                    "{name} {p:?} head {head} query {i} column {c}: {value} for {want} within {bound}"
                );
            }
        }
    }
}

#[test]
fn attention_of_any_length_is_right_on_every_target() {
    for name in SKUS {
        let p = AttentionParams { head_dim: 64, causal: false, elem: Elem::F16 };
        check_attention(name, EngineKind::Jit, p, [2, 70, 45]);
        check_attention(name, EngineKind::Jit, AttentionParams { causal: true, head_dim: 128, ..p }, [1, 100, 100]);
        check_attention(name, EngineKind::Checked, AttentionParams { causal: true, head_dim: 32, ..p }, [1, 20, 40]);
        if name != "mi100" {
            check_attention(name, EngineKind::Jit, AttentionParams { elem: Elem::Bf16, ..p }, [1, 17, 33]);
        }
    }
}

#[test]
fn what_no_attention_has_is_refused() {
    let p = AttentionParams { head_dim: 48, causal: false, elem: Elem::F16 };
    let refused = |name: &str, p: AttentionParams| attention(&p, Sku::named(name).unwrap()).unwrap_err();
    assert!(matches!(refused("mi300x", p), AttentionError::Parameter { name: "head_dim", .. }));
    let old = AttentionParams { head_dim: 64, elem: Elem::Bf16, ..p };
    assert!(matches!(refused("mi100", old), AttentionError::Parameter { name: "dtype", .. }));
}

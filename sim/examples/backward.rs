//! The timing model against published rates of AITER's attention backward, whose kernels were looked at for nothing else.
//!
//! `WAVESMITH_CORPUS` names the folder with `gfx942/` and `gfx950/`. Rates of MI355X at batch 16 are HipKittens'
//! measurements of AITER's kernels in bf16 with heads of 128, the others AITER's own. A step is three kernels, one after
//! the other: the rows' sums, the gradients (that of the queries added up with atomics, of 16 or 32 bits), and that
//! gradient brought into its layout; their times are added. Operations are counted as they count them: five products
//! where forward has two, half of all with a causal mask. `--to N` leaves out longer sequences, `--every N`
//! takes each N-th of what is left.

#[allow(dead_code)]
#[path = "../tests/placed/mod.rs"]
mod placed;
mod rates;

use placed::Placed;
use rates::{Headings, Rate, Timed};
use std::path::Path;
use std::process::ExitCode;
use wavesmith_asm::Target;
use wavesmith_loader::Buffer;

/// Part, batch, heads of queries and of keys, sequence, causal, bits of the atomics, TFLOPS.
type Row = (&'static str, usize, [usize; 2], usize, bool, usize, f64);

/// HipKittens' measurements.
const ROWS: &[Row] = &[
    ("mi355x", 16, [16, 16], 1024, false, 16, 590.0),
    ("mi355x", 16, [16, 16], 2048, false, 16, 868.0),
    ("mi355x", 16, [16, 16], 4096, false, 16, 1056.0),
    ("mi355x", 16, [16, 16], 8192, false, 16, 1167.0),
    ("mi355x", 16, [16, 16], 1024, true, 16, 389.0),
    ("mi355x", 16, [16, 16], 2048, true, 16, 673.0),
    ("mi355x", 16, [16, 16], 4096, true, 16, 877.0),
    ("mi355x", 16, [16, 16], 8192, true, 16, 1034.0),
];

const HEAD: usize = 128;

/// A kernel of a step: its file and name behind what all have in common, and how many rows a workgroup takes.
fn kernels(target: Target, causal: bool, bits: usize) -> Vec<(String, usize)> {
    let mask = if causal { "_causal" } else { "" };
    let new = target == Target::Gfx950;
    let main = match (new, bits) {
        (true, _) => (format!("bwd_hd128_bf16{mask}_a{bits}_psskddv"), 256),
        (false, 16) => (format!("bwd_hd128_bf16{mask}_a16_rtne"), 192),
        (false, _) => (format!("bwd_hd128_bf16{mask}_a32_rtne_psskddv"), 192),
    };
    let mut all = vec![("bwd_hd128_odo_bf16".to_owned(), 128), main];
    match (new, bits) {
        (true, 16) => all.push(("bwd_hd128_dq_shuffle".to_owned(), 64)),
        (true, _) => all.push(("bwd_hd128_dq_convert_bf16".to_owned(), 64)),
        (false, 32) => all.push(("bwd_hd128_dq_convert_bf16_rtne".to_owned(), 64)),
        (false, _) => {}
    }
    all
}

/// Arguments of each kernel of a step.
fn arguments(b: &[Buffer], [heads, shared]: [usize; 2], n: usize, tile: usize, bits: usize) -> [Placed; 3] {
    let [q, k, v, o, g, dq, dk, dv, sums, logs, gathered] = b else { return [0; 3].map(Placed::new) };
    // Bytes from one head, sequence of a batch, and token to the next.
    let of = |heads: usize| [2 * HEAD, 2 * heads * HEAD * n, 2 * heads * HEAD];
    let strides = |args: Placed, at: [usize; 3], s: [usize; 3]| at.iter().zip(s).fold(args, |a, (at, s)| a.u32(*at, s));
    let (wide, narrow) = (of(heads), of(shared));
    let first = Placed::new(256).ptr(0, o).ptr(0x10, g).ptr(0x20, sums);
    let first = strides(strides(first, [0x30, 0x40, 0x50], wide), [0x60, 0x70, 0x80], wide);
    let first = first.u32(0x90, n * 4).u32(0xa0, heads * n * 4).u32(0xb0, 4).u32(0xc0, n).u32(0xd0, HEAD);
    let pointers = [gathered, dk, dv, q, k, v, g, logs, sums];
    let main = pointers.iter().enumerate().fold(Placed::new(0x2c0), |args, (i, b)| args.ptr(0x10 * i, b));
    let main = main.f32(0x90, 1.0 / (HEAD as f32).sqrt()).f32(0xa0, core::f32::consts::LOG2_E);
    let main = main.u32(0xb0, n).u32(0xc0, tile * narrow[2]).u32(0x100, heads / shared).u32(0x150, n);
    let main = main.u32(0x160, HEAD).u32(0x170, HEAD).u32(0x180, heads).u32(0x240, 4 * n).u32(0x290, n);
    let main = strides(main, [0xd0, 0xe0, 0xf0], wide);
    let main = strides(main, [0x110, 0x120, 0x130], narrow);
    let main = strides(main, [0x190, 0x1a0, 0x1b0], narrow);
    let main = strides(main, [0x1c0, 0x1d0, 0x1e0], wide);
    let main = strides(main, [0x1f0, 0x200, 0x140], wide);
    let main = strides(main, [0x210, 0x220, 0x230], wide);
    let each = bits / 8;
    let last = Placed::new(0xc0).ptr(0, gathered).ptr(0x10, dq).u32(0x80, n).u32(0x90, HEAD);
    let last = strides(last, [0x20, 0x30, 0x40], [each * n * HEAD, each * heads * n * HEAD, each * HEAD]);
    [first, main, strides(last, [0x50, 0x60, 0x70], wide)]
}

fn time(&(sku, batch, of, n, causal, bits, measured): &Row, corpus: &Path) -> Result<Rate, String> {
    let [heads, shared] = of;
    let elements = |heads: usize| batch * n * heads * HEAD;
    let (wide, narrow) = (2 * elements(heads), 2 * elements(shared));
    let rows = 4 * batch * heads * n;
    // Queries, keys, values, results, their gradient; gradients of queries, keys and values; row sums and logarithms of
    // them; where the gradient of the queries is added up.
    let sizes = [wide, narrow, narrow, wide, wide, wide, wide, wide, rows, rows, 2 * wide];
    let part = Timed::new(sku, &sizes, sizes.iter().sum())?;
    let kernels = kernels(part.sku.target, causal, bits);
    let args = arguments(&part.buffers, of, n, kernels[1].1, bits);
    let mut reports = Vec::new();
    for (i, ((name, tile), args)) in kernels.iter().zip(&args).enumerate() {
        let file = corpus.join(format!("{}/fmha_v3_bwd/{name}.co", part.sku.target));
        let symbol = format!("_ZN5aiter{}fmha_{name}E", name.len() + 5);
        let tiles = n.div_ceil(*tile);
        let across = if i == 1 && causal { tiles.div_ceil(2) } else { tiles };
        reports.push(part.launch(&file, &symbol, [across as u32, heads as u32, batch as u32], 256, &args.0)?);
    }
    let us: f64 = reports.iter().map(|r| r.us).sum();
    let gradients = &reports[1];
    let operations = (10 * batch * heads * n * n * HEAD) as f64 / if causal { 2.0 } else { 1.0 };
    let (masked, atomics) = (if causal { "yes" } else { "no" }, format!("{bits} bits"));
    Ok(Rate {
        what: format!("{sku:<7} {batch:>5} {:<9} {n:>6} {masked:<6} {atomics:<7}", format!("{heads}/{shared}")),
        measured,
        model: operations / us / 1e6,
        why: format!("{:.0} %, {}; {:.0} MHz", 100.0 * gradients.us / us, gradients.bound_by, gradients.clock_mhz),
    })
}

fn main() -> ExitCode {
    wavesmith_console::end_quietly_at_closed_pipes();
    let headings = Headings {
        what: "part    batch heads     length causal atomics",
        unit: "TFLOPS",
        why: "of the time in the gradients, bound by",
    };
    let mut rows = ROWS.to_vec();
    for p in rates::published() {
        for (kind, bits) in [(1, 16), (2, 32)] {
            rows.extend(
                (0..2).map(|i| (rates::PARTS[i], p.batch, p.heads, p.length, p.causal, bits, p.rates[kind][i])),
            );
        }
    }
    rates::compare(&headings, &rows, |row| row.3, time)
}

//! The timing model against published rates of AITER's attention: kernels that were looked at for nothing else.
//!
//! `WAVESMITH_CORPUS` names the folder with `gfx942/` and `gfx950/`. Rates of MI355X at batch 16 are HipKittens'
//! measurements of AITER's forward kernels in bf16 with heads of 128, those of other batches and of MI300X AITER's own.
//! Operations are counted as they count them, half of all with a causal mask. `--to N` leaves out longer sequences,
//! `--every N` takes each N-th of what is left.

#[allow(dead_code)]
#[path = "../tests/placed/mod.rs"]
mod placed;
mod rates;

use placed::Placed;
use rates::{Headings, Rate, Timed};
use std::path::Path;
use std::process::ExitCode;
use wavesmith_asm::Sku;

/// Part, batch, heads of queries and of keys, sequence, causal, TFLOPS.
type Row = (&'static str, usize, [usize; 2], usize, bool, f64);

/// HipKittens' measurements.
const ROWS: &[Row] = &[
    ("mi355x", 16, [16, 16], 1024, false, 828.0),
    ("mi355x", 16, [16, 16], 2048, false, 1085.0),
    ("mi355x", 16, [16, 16], 4096, false, 1211.0),
    ("mi355x", 16, [16, 16], 8192, false, 1259.0),
    ("mi355x", 16, [16, 16], 1024, true, 555.0),
    ("mi355x", 16, [16, 16], 2048, true, 876.0),
    ("mi355x", 16, [16, 16], 4096, true, 1069.0),
    ("mi355x", 16, [16, 16], 8192, true, 1173.0),
    ("mi355x", 16, [64, 8], 1024, false, 1032.0),
    ("mi355x", 16, [64, 8], 2048, false, 1152.0),
    ("mi355x", 16, [64, 8], 4096, false, 1231.0),
    ("mi355x", 16, [64, 8], 1024, true, 715.0),
    ("mi355x", 16, [64, 8], 2048, true, 941.0),
    ("mi355x", 16, [64, 8], 4096, true, 1101.0),
];

const HEAD: usize = 128;

fn file(sku: &Sku, causal: bool) -> (&'static str, &'static str) {
    match (sku.target == wavesmith_asm::Target::Gfx950, causal) {
        (true, false) => ("gfx950/fmha_v3_fwd/fwd_hd128_bf16.co", "_ZN5aiter19fmha_fwd_hd128_bf16E"),
        (true, true) => ("gfx950/fmha_v3_fwd/fwd_hd128_bf16_causal.co", "_ZN5aiter26fmha_fwd_hd128_bf16_causalE"),
        (false, false) => ("gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_rtne.co", "_ZN5aiter24fmha_fwd_hd128_bf16_rtneE"),
        (false, true) => {
            ("gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_causal_rtne.co", "_ZN5aiter31fmha_fwd_hd128_bf16_causal_rtneE")
        }
    }
}

fn time(&(sku, batch, [heads, shared], n, causal, measured): &Row, corpus: &Path) -> Result<Rate, String> {
    // Results, queries, keys, values, and the logarithms of the sums.
    let (of_queries, of_keys) = (2 * batch * n * heads * HEAD, 2 * batch * n * shared * HEAD);
    let sizes = [of_queries, of_queries, of_keys, of_keys, 4 * batch * heads * n];
    let part = Timed::new(sku, &sizes, sizes.iter().sum())?;
    let args = part.buffers.iter().enumerate().fold(Placed::new(0x290), |args, (i, b)| args.ptr(0x10 * i, b));
    // Bytes from one token, head and sequence of a batch to the next.
    let strides = |heads: usize| [2 * heads * HEAD, 2 * HEAD, 2 * heads * HEAD * n];
    let ([token, head, sequence], [key, key_head, keys]) = (strides(heads), strides(shared));
    let words = [
        (0x60, n),
        (0x70, token),
        (0x80, 256 * token),
        (0x90, head),
        (0xa0, sequence),
        (0xb0, heads / shared),
        (0xc0, key),
        (0xd0, key_head),
        (0xe0, keys),
        (0xf0, 5),
        (0x110, n),
        (0x120, HEAD),
        (0x130, HEAD),
        (0x140, heads),
        (0x150, key),
        (0x160, key_head),
        (0x170, keys),
        (0x180, token),
        (0x190, head),
        (0x1a0, sequence),
        (0x1d0, 4 * n),
    ];
    let args = words.into_iter().fold(args.f32(0x50, 1.0 / (HEAD as f32).sqrt()), |args, (at, v)| args.u32(at, v));
    let tiles = n.div_ceil(256);
    let grid = [if causal { tiles.div_ceil(2) } else { tiles } as u32, heads as u32, batch as u32];
    let (file, kernel) = file(part.sku, causal);
    let r = part.launch(&corpus.join(file), kernel, grid, 512, &args.0)?;
    let operations = (4 * batch * heads * n * n * HEAD) as f64 / if causal { 2.0 } else { 1.0 };
    let masked = if causal { "yes" } else { "no" };
    Ok(Rate {
        what: format!("{sku:<7} {batch:>5} {:<9} {n:>6} {masked:<6}", format!("{heads}/{shared}")),
        measured,
        model: operations / r.us / 1e6,
        why: format!("{}; {:.0} MHz", r.bound_by, r.clock_mhz),
    })
}

fn main() -> ExitCode {
    wavesmith_console::end_quietly_at_closed_pipes();
    let headings = Headings { what: "part    batch heads     length causal", unit: "TFLOPS", why: "bound by" };
    let mut rows = ROWS.to_vec();
    for p in rates::published() {
        rows.extend((0..2).map(|i| (rates::PARTS[i], p.batch, p.heads, p.length, p.causal, p.rates[0][i])));
    }
    rates::compare(&headings, &rows, |row| row.3, time)
}

//! The timing model against published rates of AITER's attention: kernels that were looked at for nothing else.
//!
//! `WAVESMITH_CORPUS` names the folder with `gfx942/` and `gfx950/`. Rates of MI355X at batch 16 are HipKittens'
//! measurements of AITER's forward kernels in bf16 with heads of 128, those of other batches and of MI300X AITER's own.
//! Operations are counted as they count them, half of all with a causal mask. `--to N` leaves out longer sequences.

#[allow(dead_code)]
#[path = "../tests/placed/mod.rs"]
mod placed;
mod statistics;

use placed::Placed;
use statistics::{quantile, rank_correlation};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, last_fault};

/// Part, batch, heads of queries and of keys, sequence, causal, TFLOPS.
type Row = (&'static str, usize, [usize; 2], usize, bool, f64);

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
    ("mi355x", 1, [32, 8], 1024, false, 613.0),
    ("mi355x", 1, [32, 8], 8192, false, 1396.0),
    ("mi355x", 8, [64, 8], 4096, false, 1362.0),
    ("mi300x", 1, [32, 8], 1024, false, 338.0),
    ("mi300x", 1, [32, 8], 8192, false, 558.0),
    ("mi300x", 8, [64, 8], 4096, false, 579.0),
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

fn time(&(sku, batch, [heads, shared], n, causal, _): &Row, corpus: &Path) -> Result<Report, String> {
    let sku = Sku::named(sku).map_err(|e| e.to_string())?;
    let (file, kernel) = file(sku, causal);
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).map_err(|e| e.to_string())?;
    let agent = runtime.gpu_agents().first().cloned().ok_or("no agent")?;
    let bytes = std::fs::read(corpus.join(file)).map_err(|e| format!("{file}: {e}"))?;
    let executable = agent.load(&bytes).map_err(|e| e.to_string())?;
    let handle = executable.kernel(kernel).map_err(|e| e.to_string())?;
    let queue = agent.queue(64).map_err(|e| e.to_string())?;
    let make = |bytes: usize| agent.allocate(MemoryKind::Device, bytes).map_err(|e| e.to_string());
    // Results, queries, keys, values, and the logarithms of the sums.
    let (of_queries, of_keys) = (2 * batch * n * heads * HEAD, 2 * batch * n * shared * HEAD);
    let sizes = [of_queries, of_queries, of_keys, of_keys, 4 * batch * heads * n];
    let buffers = sizes.into_iter().map(make).collect::<Result<Vec<_>, _>>()?;
    let args = buffers.iter().enumerate().fold(Placed::new(0x290), |args, (i, b)| args.ptr(0x10 * i, b));
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
    // Their benchmarks launch a kernel on the same arrays over and over.
    let reused_after = Some(sizes.iter().sum::<usize>() as u64);
    let request = Arc::new(Request::new(Options { skip_matrix: true, reused_after, ..Options::default() }));
    let config = Config { timing: Some(request.clone()), ..Config::default() };
    wavesmith_sim::configure(queue.raw(), &config).map_err(|e| e.to_string())?;
    let geometry = Geometry::of_workgroups(grid, [512, 1, 1]).ok_or("too large a grid")?;
    let pending = queue
        .launch(&Launch { kernel: &handle, geometry, dynamic_lds: 0, kernargs: &args.0 })
        .map_err(|e| e.to_string())?;
    pending
        .wait(Duration::from_secs(3600))
        .map_err(|e| last_fault(queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string()))?;
    request.take().pop().ok_or_else(|| "no report".to_owned())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let longest = match &args[..] {
        [] => usize::MAX,
        [to, n] if to == "--to" && n.parse::<usize>().is_ok() => n.parse().unwrap_or(usize::MAX),
        _ => {
            eprintln!("attention: the one known option is --to N");
            return ExitCode::from(2);
        }
    };
    let Some(corpus) = std::env::var_os("WAVESMITH_CORPUS").map(PathBuf::from) else {
        eprintln!("SKIPPED: needs AITER's code objects (WAVESMITH_CORPUS)");
        return ExitCode::SUCCESS;
    };
    println!("part    batch heads     length causal   TFLOPS    model    error  bound by");
    let mut pairs = Vec::new();
    let mut failed = false;
    for row in ROWS.iter().filter(|row| row.3 <= longest) {
        let &(sku, batch, [heads, shared], n, causal, measured) = row;
        let r = match time(row, &corpus) {
            Ok(report) => report,
            Err(error) => {
                println!("{sku} {n}: {error}");
                failed = true;
                continue;
            }
        };
        let operations = (4 * batch * heads * n * n * HEAD) as f64 / if causal { 2.0 } else { 1.0 };
        let rate = operations / r.us / 1e6;
        println!(
            "{sku:<7} {batch:>5} {:<9} {n:>6} {:<6} {measured:>8.1} {rate:>8.1} {:>+6.1} %  {}; {:.0} MHz",
            format!("{heads}/{shared}"),
            if causal { "yes" } else { "no" },
            100.0 * (rate / measured - 1.0),
            r.bound_by,
            r.clock_mhz
        );
        pairs.push((rate, measured));
    }
    let mut errors: Vec<f64> = pairs.iter().map(|(got, want)| 100.0 * (got / want - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    if pairs.len() > 2 {
        println!(
            "{} rates: median {:.1} %, 90th percentile {:.1} %, rank correlation {:.3}",
            pairs.len(),
            quantile(&errors, 0.5),
            quantile(&errors, 0.9),
            rank_correlation(&pairs)
        );
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

//! Ladders: variants of a kernel at one shape, and whether the model has them in the order in which silicon had them.
//!
//! `ladder DIR` times the code objects that `ladders/build.py` makes in DIR from others' public sources (nothing of
//! theirs is here), `ladder DIR NAME` one ladder, `ladder DIR NAME RUNG` one of its variants; with `--full` every
//! workgroup is simulated, which takes minutes each. What was measured is each author's own figure on an MI355X.

mod statistics;

use statistics::rank_correlation;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_loader::code_object::{CodeObject, Kernel};
use wavesmith_loader::kernarg::KernargError;
use wavesmith_loader::{Agent, Buffer, Geometry, Kernargs, Launch, MemoryKind, Runtime};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, last_fault};

/// How a kernel takes its matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// Pointers to A, B and C, then M, N, K, three leading dimensions, alpha and beta.
    Blas,
    /// Pointers to A, B and C.
    Pointers,
    /// HipKittens' layouts of sizes known at run time: a pointer and four 64-bit sizes each, 48 bytes.
    Kittens,
    /// The same of sizes known to the compiler: 16 bytes.
    KittensFixed,
}

/// A variant.
#[derive(Clone, Copy, Debug)]
struct Rung {
    ladder: &'static str,
    name: &'static str,
    /// File without its extension.
    file: &'static str,
    /// Part of the kernel's symbol, where the file has several.
    symbol: &'static str,
    /// TFLOPS on an MI355X.
    measured: f64,
    /// M, N, K.
    shape: [usize; 3],
    /// Bytes of an element of A and B.
    element: usize,
    grid: [u32; 3],
    block: [u16; 3],
    lds: u32,
    takes: Takes,
    /// Bytes of other matrices that its authors' benchmark goes through before it comes back to these.
    between: usize,
}

/// Pairs of A and B that the FP8 benchmarks take in turn, so that none is still in a cache: 512 MiB.
const ROTATING: usize = 512 << 20;

/// Shape of AMD's FP8 ladder.
const FP8: [usize; 3] = [4096; 3];
/// Shape of HipKittens' schedules.
const HK: [usize; 3] = [8192; 3];
/// LDS that HipKittens' kernels ask for.
const HK_LDS: u32 = 160_000;

const fn notebook(
    name: &'static str,
    file: &'static str,
    symbol: &'static str,
    measured: f64,
    grid: [u32; 3],
    block: [u16; 3],
) -> Rung {
    let (ladder, shape, element, lds, takes, between) = ("fp8", FP8, 1, 0, Takes::Blas, ROTATING);
    Rung { ladder, name, file, symbol, measured, shape, element, grid, block, lds, takes, between }
}

const fn kittens(ladder: &'static str, name: &'static str, file: &'static str, measured: f64) -> Rung {
    let (grid, block, takes) = ([1024, 1, 1], [512, 1, 1], Takes::Kittens);
    let (symbol, shape, element, lds, between) = ("", HK, 2, HK_LDS, 0);
    Rung { ladder, name, file, symbol, measured, shape, element, grid, block, lds, takes, between }
}

const fn producers(name: &'static str, file: &'static str, measured: f64, grid: [u32; 3], threads: u16) -> Rung {
    let kernel = kittens("producers", name, file, measured);
    Rung { shape: [7680, 8192, 8192], grid, block: [threads, 1, 1], ..kernel }
}

const fn fixed(name: &'static str, file: &'static str, measured: f64, threads: u16) -> Rung {
    let kernel = kittens("fp8-waves", name, file, measured);
    Rung { element: 1, block: [threads, 1, 1], lds: 0, takes: Takes::KittensFixed, between: ROTATING, ..kernel }
}

/// AMD's ladder (the output of its notebook, FP8 GEMM on CDNA4), HipKittens' experiments (its README and plots).
const RUNGS: &[Rung] = &[
    notebook("naive", "fp8_naive", "", 1.148, [256, 256, 1], [16, 16, 1]),
    notebook("LDS tile", "fp8_tiled", "", 4.803, [256, 256, 1], [16, 16, 1]),
    notebook("MFMA", "fp8_mfma", "", 29.92, [128, 128, 1], [64, 4, 1]),
    notebook("16-byte loads", "fp8_mfma_vec", "", 340.8, [128, 128, 1], [64, 4, 1]),
    notebook("swizzle", "fp8_bufferload_swizzle", "", 494.8, [128, 128, 1], [64, 4, 1]),
    notebook("direct to LDS", "fp8_bufferload", "", 501.2, [128, 128, 1], [64, 4, 1]),
    notebook("double buffer", "fp8_double_bufferload", "", 1149.9, [64, 64, 1], [64, 4, 1]),
    notebook("128 x 128, 8 waves", "fp8_mw_128x128_t512", "", 1808.2, [32, 32, 1], [512, 1, 1]),
    notebook("256 x 256, 16 waves", "fp8_mw_256x256_t1024", "ILin1ELin1ELin1ELb1", 2083.9, [16, 16, 1], [1024, 1, 1]),
    notebook("256 x 256, 8 waves", "fp8_mw_256x256_t512", "ILin1ELin1ELin1ELb1", 2002.8, [16, 16, 1], [512, 1, 1]),
    Rung {
        takes: Takes::Pointers,
        ..notebook("ping-pong", "fp8_pingpong", "ILi4096", 2650.1, [256, 1, 1], [512, 1, 1])
    },
    kittens("bf16-waves", "8 waves, 32 x 32", "hk_bf16_m32", 1291.0),
    kittens("bf16-waves", "8 waves, 16 x 16", "hk_bf16_m16", 1580.0),
    fixed("8 waves, 16 x 16", "hk_fp8_8wave", 3066.0, 512),
    fixed("4 waves, 16 x 16", "hk_fp8_4wave", 3303.0, 256),
    producers("8 consumers, 4 producers", "hk_bf16_8c4p", 964.0, [32, 60, 1], 768),
    producers("12 consumers, 4 producers", "hk_bf16_12c4p", 1251.2, [32, 40, 1], 1024),
    producers("8 waves, ping-pong", "hk_bf16_192x256", 1521.9, [1280, 1, 1], 512),
    kittens("window", "32", "hk_bf16_window32", 875.1),
    Rung { grid: [32, 32, 1], ..kittens("window", "none", "hk_bf16_window0", 1016.6) },
    kittens("window", "2", "hk_bf16_window2", 1083.3),
    kittens("window", "4", "hk_bf16_window4", 1108.8),
    kittens("window", "8", "hk_bf16_window8", 1113.9),
];

fn arguments(rung: &Rung, kernel: &Kernel, buffers: &[Buffer; 3]) -> Result<Kernargs, KernargError> {
    let [m, n, k] = rung.shape;
    let [a, b, c] = buffers.each_ref().map(|b| b.address().to_le_bytes());
    let mut args = Kernargs::new(kernel, None)?;
    match rung.takes {
        Takes::Blas => {
            for (i, pointer) in [a, b, c].iter().enumerate() {
                args.place(8 * i, pointer)?;
            }
            for (i, size) in [m, n, k, k, k, n].iter().enumerate() {
                args.place(24 + 4 * i, &(*size as u32).to_le_bytes())?;
            }
            args.place(48, &1f32.to_le_bytes())?;
            args.place(52, &0f32.to_le_bytes())?;
        }
        Takes::Pointers => {
            for (i, pointer) in [a, b, c].iter().enumerate() {
                args.place(8 * i, pointer)?;
            }
        }
        Takes::Kittens => {
            for (i, (pointer, rows, columns)) in [(a, m, k), (b, n, k), (c, m, n)].iter().enumerate() {
                args.place(48 * i, pointer)?;
                for (j, size) in [1, 1, *rows, *columns].iter().enumerate() {
                    args.place(48 * i + 8 + 8 * j, &(*size as u64).to_le_bytes())?;
                }
            }
        }
        Takes::KittensFixed => {
            for (i, pointer) in [a, b, c].iter().enumerate() {
                args.place(16 * i, pointer)?;
            }
        }
    }
    Ok(args)
}

fn time(rung: &Rung, folder: &Path, full: bool) -> Result<Report, String> {
    let sku = Sku::named("mi355x").map_err(|e| e.to_string())?;
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).map_err(|e| e.to_string())?;
    let agent: Agent = runtime.gpu_agents().first().cloned().ok_or("no agent")?;
    let path = folder.join(format!("{}.co", rung.file));
    let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let object = CodeObject::parse(&bytes).map_err(|e| e.to_string())?;
    let kernel = object.kernels.iter().find(|k| k.name.contains(rung.symbol)).ok_or("no such kernel in it")?;
    let executable = agent.load(&bytes).map_err(|e| e.to_string())?;
    let handle = executable.kernel(&kernel.name).map_err(|e| e.to_string())?;
    let queue = agent.queue(64).map_err(|e| e.to_string())?;
    let make = |bytes: usize| agent.allocate(MemoryKind::Device, bytes).map_err(|e| e.to_string());
    let [m, n, k] = rung.shape;
    let buffers = [make(rung.element * m * k)?, make(rung.element * n * k)?, make(2 * m * n)?];
    // Where their benchmarks do not take others in turn, they launch a kernel on the same matrices over and over.
    let own: usize = buffers.iter().map(|b| b.size()).sum();
    let reused_after = Some((own + rung.between) as u64);
    let request = Arc::new(Request::new(Options { full, skip_matrix: true, reused_after, ..Options::default() }));
    let config = Config { timing: Some(request.clone()), ..Config::default() };
    wavesmith_sim::configure(queue.raw(), &config).map_err(|e| e.to_string())?;
    let geometry = Geometry::of_workgroups(rung.grid, rung.block).ok_or("too large a grid")?;
    let mut args = arguments(rung, kernel, &buffers).map_err(|e| e.to_string())?;
    args.fill_hidden(kernel, &geometry, rung.lds, &queue).map_err(|e| e.to_string())?;
    let launch = Launch { kernel: &handle, geometry, dynamic_lds: rung.lds, kernargs: args.bytes() };
    let pending = queue.launch(&launch).map_err(|e| e.to_string())?;
    pending
        .wait(Duration::from_secs(36_000))
        .map_err(|e| last_fault(queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string()))?;
    request.take().pop().ok_or_else(|| "no report".to_owned())
}

fn main() -> ExitCode {
    wavesmith_console::end_quietly_at_closed_pipes();
    let (options, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let full = options.iter().any(|o| o == "--full");
    if let Some(unknown) = options.iter().find(|o| *o != "--full") {
        eprintln!("ladder: there is no option {unknown}, but --full");
        return ExitCode::from(2);
    }
    let mut args = words.into_iter();
    let Some(folder) = args.next() else {
        eprintln!("ladder: which folder? `python3 sim/examples/ladders/build.py DIR` makes one");
        return ExitCode::from(2);
    };
    let (only, rung) = (args.next(), args.next());
    let mut names: Vec<&str> = RUNGS.iter().map(|r| r.ladder).collect();
    names.dedup();
    if let Some(name) = &only
        && !names.contains(&name.as_str())
    {
        eprintln!("ladder: there is no ladder {name}: known are {}", names.join(", "));
        return ExitCode::from(2);
    }
    let wanted = |r: &Rung| rung.as_deref().is_none_or(|n| n == r.name);
    if let Some(name) = &rung
        && !RUNGS.iter().any(|r| Some(r.ladder) == only.as_deref() && wanted(r))
    {
        eprintln!("ladder: that ladder has no rung {name}");
        return ExitCode::from(2);
    }
    let mut failed = false;
    for ladder in names.iter().filter(|n| only.as_deref().is_none_or(|o| o == **n)) {
        println!("{ladder:<28} {:>12} {:>12} {:>8}  bound by", "TFLOPS", "model", "error");
        let mut pairs = Vec::new();
        for rung in RUNGS.iter().filter(|r| r.ladder == *ladder && wanted(r)) {
            match time(rung, Path::new(&folder), full) {
                Ok(report) => {
                    let [m, n, k] = rung.shape;
                    let got = 2.0 * (m * n * k) as f64 / report.us / 1e6;
                    let error = 100.0 * (got / rung.measured - 1.0);
                    println!(
                        "  {:<26} {:>12.1} {got:>12.1} {error:>+6.1} %  {}; L2 hits {:.2}",
                        rung.name,
                        rung.measured,
                        report.bound_by,
                        report.traffic.l2[1] as f64 / report.traffic.l2[0].max(1) as f64,
                    );
                    pairs.push((got, rung.measured));
                }
                Err(e) => {
                    failed = true;
                    println!("  {:<26} {:>12.1} {e}", rung.name, rung.measured);
                }
            }
        }
        if pairs.len() > 1 {
            println!("  rank correlation {:.3}", rank_correlation(&pairs));
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

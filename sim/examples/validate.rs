//! The timing model against silicon: AITER's own code objects at shapes whose times are known.
//!
//! `WAVESMITH_CORPUS` names the folder with `gfx942/` and `gfx950/`; `WAVESMITH_MEASURED` a table with the columns
//! `gfx,cu_num,code_object,kernel,M,N,K,splitK,outdtype,bias,us`. Options: `--every N` takes every N-th row (by time,
//! within each kernel), `--only TEXT` rows whose code object's name has it, `--rows` prints each row. Every sixth row, and a few more,
//! were looked at while clocks and latencies of CDNA4 were fitted; the rest were held out.

#[path = "../tests/placed/mod.rs"]
mod placed;

use placed::Placed;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wavesmith_asm::Sku;
use wavesmith_loader::{Agent, Buffer, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, last_fault};

/// A row of the table.
#[derive(Clone, Debug)]
struct Row {
    target: String,
    cus: u32,
    file: String,
    kernel: String,
    m: usize,
    n: usize,
    k: usize,
    split: usize,
    us: f64,
    /// Place among the kernel's rows by time.
    position: usize,
}

impl Row {
    fn parse(line: &str) -> Option<Row> {
        let f: Vec<&str> = line.split(',').collect();
        let number = |i: usize| f.get(i)?.parse::<usize>().ok();
        Some(Row {
            target: f.first()?.to_string(),
            cus: f.get(1)?.parse().ok()?,
            file: f.get(2)?.to_string(),
            kernel: f.get(3)?.to_string(),
            m: number(4)?,
            n: number(5)?,
            k: number(6)?,
            split: number(7)?,
            us: f.get(10)?.trim().parse().ok()?,
            position: 0,
        })
    }

    fn sku(&self) -> Option<&'static Sku> {
        let name = match (self.target.as_str(), self.cus) {
            ("gfx950", _) => "mi355x",
            (_, 80) => "mi308x",
            (_, 304) => "mi300x",
            _ => return None,
        };
        Sku::named(name).ok()
    }

    /// Whether it was looked at while parameters were fitted.
    fn fitted(&self) -> bool {
        self.position.is_multiple_of(6) || self.position % 25 == 12
    }

    /// Rows and columns of a workgroup's tile, from the name.
    fn tile(&self) -> Option<(usize, usize)> {
        let stem = self.file.rsplit('/').next()?.strip_suffix(".co")?;
        let tile = stem
            .split('_')
            .find(|p| p.split_once('x').is_some_and(|(a, b)| a.parse::<u32>().is_ok() && b.parse::<u32>().is_ok()))?;
        let (m, n) = tile.split_once('x')?;
        Some((m.parse().ok()?, n.parse().ok()?))
    }
}

/// Buffers of a launch, which must live as long as it, with the arguments and the grid.
struct Prepared {
    args: Placed,
    grid: [u32; 3],
    _buffers: Vec<Buffer>,
}

fn prepare(row: &Row, agent: &Agent) -> Option<Prepared> {
    let (tm, tn) = row.tile()?;
    let (m, n, k, split) = (row.m, row.n, row.k, row.split.max(1));
    // Memory nobody writes costs nothing, and no time depends on values.
    let make = |bytes: usize| agent.allocate(MemoryKind::Device, bytes.max(4096)).ok();
    let tiles = [n.div_ceil(tn) as u32, m.div_ceil(tm) as u32];
    let mut b = Vec::new();
    let (args, grid) = if row.file.contains("/i8gemm/") || row.file.contains("/fp8gemm_blockscale/") {
        let scaled = row.file.contains("blockscale");
        for bytes in [2 * m * n, m * k, n * k, 4 * m * k.div_ceil(128), 4 * n.max(n / 128 * (k / 128)), 4 * n] {
            b.push(make(bytes)?);
        }
        let mut a = Placed::new(256);
        for (i, buffer) in b.iter().enumerate() {
            a = a.ptr(0x10 * i, buffer);
        }
        a = a.u32(0x60, m).u32(0x70, n).u32(0x80, k).u32(0x90, k).u32(0xa0, k).u32(0xb0, 2 * n).u32(0xc0, split);
        if scaled {
            a = a.u32(0xd0, m).u32(0xe0, n / 128).u32(0xf0, k / 128);
        }
        (a, [tiles[0] * split as u32, tiles[1], 1])
    } else if row.file.contains("/bf16gemm/") {
        for bytes in [2 * m * n, 2 * m * k, 2 * n * k, 2 * n] {
            b.push(make(bytes)?);
        }
        let a = Placed::new(352)
            .ptr(0, &b[0])
            .ptr(0x20, &b[1])
            .ptr(0x30, &b[2])
            .f32(0x40, 1.0)
            .u32(0x60, 2 * n)
            .u32(0x80, 2 * n)
            .u32(0xa0, 2 * k)
            .u32(0xc0, 2 * k)
            .u32(0xe0, m)
            .u32(0xf0, n)
            .u32(0x100, k)
            .u32(0x110, split)
            .u32(0x120, 1)
            .ptr(0x130, &b[3]);
        (a, [tiles[0], tiles[1], split as u32])
    } else if row.file.contains("/f4gemm/") {
        let rows = |r: usize| r.next_multiple_of(256);
        let scales = (k / 32).next_multiple_of(8);
        for bytes in [2 * rows(m) * n, rows(m) * k / 2, rows(n) * k / 2, rows(m) * scales, rows(n) * scales] {
            b.push(make(bytes)?);
        }
        let a = Placed::new(0x180)
            .ptr(0, &b[0])
            .ptr(0x20, &b[1])
            .ptr(0x30, &b[2])
            .f32(0x40, 1.0)
            .u32(0x80, n)
            .u32(0xa0, k)
            .u32(0xc0, k)
            .u32(0xe0, m)
            .u32(0xf0, n)
            .u32(0x100, k)
            .ptr(0x110, &b[3])
            .ptr(0x120, &b[4])
            .u32(0x130, scales)
            .u32(0x150, scales)
            .u32(0x170, row.split);
        let slices = 1usize << row.split;
        let each = (k / slices).next_multiple_of(256);
        (a, [tiles[0], tiles[1], k.div_ceil(each) as u32])
    } else {
        return None;
    };
    Some(Prepared { args, grid, _buffers: b })
}

fn time(row: &Row, corpus: &std::path::Path) -> Result<Report, String> {
    let sku = row.sku().ok_or("no such part")?;
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).map_err(|e| e.to_string())?;
    let agent = runtime.gpu_agents().first().cloned().ok_or("no agent")?;
    let bytes = std::fs::read(corpus.join(&row.file)).map_err(|e| format!("{}: {e}", row.file))?;
    let executable = agent.load(&bytes).map_err(|e| e.to_string())?;
    let handle = executable.kernel(&row.kernel).map_err(|e| e.to_string())?;
    let queue = agent.queue(64).map_err(|e| e.to_string())?;
    let request = Arc::new(Request::new(Options { skip_matrix: true, ..Options::default() }));
    let config = Config { timing: Some(request.clone()), ..Config::default() };
    wavesmith_sim::configure(queue.raw(), &config).map_err(|e| e.to_string())?;
    let prepared = prepare(row, &agent).ok_or("no arguments for this family")?;
    let geometry = Geometry::of_workgroups(prepared.grid, [256, 1, 1]).ok_or("too large a grid")?;
    let launch = Launch { kernel: &handle, geometry, dynamic_lds: 0, kernargs: &prepared.args.0 };
    let pending = queue.launch(&launch).map_err(|e| e.to_string())?;
    pending
        .wait(Duration::from_secs(3600))
        .map_err(|e| last_fault(queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string()))?;
    request.take().pop().ok_or_else(|| "no report".to_owned())
}

/// The value below which that part of sorted values lies.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = part * sorted.len().saturating_sub(1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * at.fract()
}

/// Spearman's rank correlation.
fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |value: &dyn Fn(usize) -> f64| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
        let mut ranks = vec![0.0; pairs.len()];
        order.iter().enumerate().for_each(|(rank, i)| ranks[*i] = rank as f64);
        ranks
    };
    let (a, b) = (ranks(&|i| pairs[i].0), ranks(&|i| pairs[i].1));
    let n = pairs.len() as f64;
    let squares: f64 = a.iter().zip(&b).map(|(x, y)| (x - y).powi(2)).sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0)).max(1.0)
}

fn summary(name: &str, pairs: &[(f64, f64)]) {
    if pairs.is_empty() {
        return;
    }
    let mut errors: Vec<f64> = pairs.iter().map(|(got, want)| 100.0 * (got / want - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    let bias: f64 = pairs.iter().map(|(got, want)| (got / want).ln()).sum::<f64>() / pairs.len() as f64;
    println!(
        "{name:<66} {:>4} {:>8.1} {:>8.1} {:>8.3} {:>8.1}",
        pairs.len(),
        quantile(&errors, 0.5),
        quantile(&errors, 0.9),
        rank_correlation(pairs),
        100.0 * (bias.exp() - 1.0)
    );
}

fn main() -> ExitCode {
    let mut every = 1usize;
    let mut only = String::new();
    let mut rows_too = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--every" => every = args.next().and_then(|v| v.parse().ok()).unwrap_or(1),
            "--only" => only = args.next().unwrap_or_default(),
            "--rows" => rows_too = true,
            _ => {
                eprintln!("validate: unknown option {arg}: known are --every N, --only TEXT, --rows");
                return ExitCode::from(2);
            }
        }
    }
    let corpus = std::env::var_os("WAVESMITH_CORPUS").map(PathBuf::from);
    let table = std::env::var_os("WAVESMITH_MEASURED").map(PathBuf::from);
    let (Some(corpus), Some(table)) = (corpus, table) else {
        eprintln!("SKIPPED: needs AITER's code objects (WAVESMITH_CORPUS) and measured times (WAVESMITH_MEASURED)");
        return ExitCode::SUCCESS;
    };
    let text = match std::fs::read_to_string(&table) {
        Ok(text) => text,
        Err(e) => {
            eprintln!("validate: {}: {e}", table.display());
            return ExitCode::from(2);
        }
    };
    let mut by_kernel: BTreeMap<(String, u32, String), Vec<Row>> = BTreeMap::new();
    for row in text.lines().filter_map(Row::parse).filter(|r| r.file.contains(&only)) {
        by_kernel.entry((row.target.clone(), row.cus, row.file.clone())).or_default().push(row);
    }
    let mut results: Vec<(Row, f64)> = Vec::new();
    let (started, mut instructions) = (Instant::now(), 0);
    for rows in by_kernel.values_mut() {
        rows.sort_by(|a, b| a.us.total_cmp(&b.us));
        rows.iter_mut().enumerate().for_each(|(i, row)| row.position = i);
        for row in rows.iter().skip(every / 2).step_by(every) {
            let began = Instant::now();
            match time(row, &corpus) {
                Ok(r) => {
                    instructions += r.wave_instructions;
                    if rows_too {
                        println!(
                            "{} {:>6} {:>6} {:>6} /{} {:>9.2} us, measured {:>9.2} ({:+6.1} %) at {:.0} MHz, {}; MFMA {:.2} HBM {:.2} L2 {:.2}, {}/{} wg, {:.1} s",
                            row.file.rsplit('/').next().unwrap_or_default(),
                            row.m,
                            row.n,
                            row.k,
                            row.split,
                            r.us,
                            row.us,
                            100.0 * (r.us / row.us - 1.0),
                            r.clock_mhz,
                            r.bound_by,
                            r.utilisation.matrix,
                            r.utilisation.hbm,
                            r.traffic.l2[1] as f64 / r.traffic.l2[0].max(1) as f64,
                            r.sampling.workgroups,
                            r.sampling.total,
                            began.elapsed().as_secs_f64()
                        );
                    }
                    results.push((row.clone(), r.us));
                }
                Err(e) => println!("{} {} {} {}: {e}", row.file, row.m, row.n, row.k),
            }
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{} rows, {instructions} wave-instructions in {seconds:.0} s", results.len());
    println!("{:<66} {:>4} {:>8} {:>8} {:>8} {:>8}", "kernel", "rows", "median %", "p90 %", "rank", "bias %");
    let pairs = |keep: &dyn Fn(&Row) -> bool| -> Vec<(f64, f64)> {
        results.iter().filter(|(r, _)| keep(r)).map(|(r, us)| (*us, r.us)).collect()
    };
    for (target, cus, file) in by_kernel.keys() {
        let name = format!("{cus} CUs {file}");
        summary(&name, &pairs(&|r| r.target == *target && r.cus == *cus && r.file == *file));
    }
    for sku in ["mi300x", "mi308x", "mi355x"] {
        let of = |r: &Row| r.sku().is_some_and(|s| s.name == sku);
        summary(&format!("{sku}: fitted on"), &pairs(&|r| of(r) && r.fitted()));
        summary(&format!("{sku}: held out"), &pairs(&|r| of(r) && !r.fitted()));
    }
    ExitCode::SUCCESS
}

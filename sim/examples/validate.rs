//! The timing model against silicon: AITER's own code objects at shapes whose times are known.
//!
//! `WAVESMITH_CORPUS` names the folder with `gfx942/` and `gfx950/`; `WAVESMITH_MEASURED` a table with the columns
//! `gfx,cu_num,code_object,kernel,M,N,K,splitK,outdtype,bias,us`. Options: `--every N` takes every N-th row (by time,
//! within each kernel), `--only TEXT` rows whose code object's name has it, `--rows` prints each row. `--results FILE`
//! keeps what was timed and goes on from there, as long as this program is the same to the byte; `--tables` times nothing
//! and prints the tables of what the file has. Rows are taken coarse first, so that a part of them is spread over every
//! kernel's times. Every sixth row, and a few more, were looked at while clocks and latencies of CDNA4 were fitted; the
//! rest were held out.

#[path = "../tests/placed/mod.rs"]
mod placed;
mod statistics;

use placed::{Placed, bf16_gemm, eight_bit_gemm, mxfp4_gemm};
use statistics::{quantile, rank_correlation};
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
    /// Whether results are f32, of a kernel that can give both.
    wide: bool,
    bias: bool,
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
            wide: f.get(8)?.ends_with("float32"),
            bias: *f.get(9)? == "True",
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

/// Copies of its arguments that AITER's benchmark takes in turn, each launch another.
const COPIES: usize = 101;

/// Buffers of a launch, which must live as long as it, with the arguments and the grid.
struct Prepared {
    args: Placed,
    /// Bytes of AITER's arrays: what a copy of the arguments takes.
    bytes: usize,
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
    let (args, grid, bytes) = if row.file.contains("/i8gemm/") || row.file.contains("/fp8gemm_blockscale/") {
        let scaled = row.file.contains("blockscale");
        for bytes in [2 * m * n, m * k, n * k, 4 * m * k.div_ceil(128), 4 * n.max(n / 128 * (k / 128)), 4 * n] {
            b.push(make(bytes)?);
        }
        let buffers: [&Buffer; 6] = b.iter().collect::<Vec<_>>().try_into().ok()?;
        let bytes = 2 * m * n + (m + n) * k + 4 * m * k.div_ceil(128) + 4 * n;
        (eight_bit_gemm(buffers, [m, n, k], split, scaled), [tiles[0] * split as u32, tiles[1], 1], bytes)
    } else if row.file.contains("/bf16gemm/") {
        // Kernels of small tiles say in their names that they write either type.
        let each = if row.wide && row.file.contains("_fp32bf16_") { 4 } else { 2 };
        for bytes in [each * m * n, 2 * m * k, 2 * n * k, 2 * n, 4096] {
            b.push(make(bytes)?);
        }
        let buffers: [&Buffer; 4] = b.iter().take(4).collect::<Vec<_>>().try_into().ok()?;
        let bytes = each * m * n + 2 * (m + n) * k;
        let args = bf16_gemm(buffers, [m, n, k], split, each).u32(0x140, usize::from(row.bias));
        // Those that clear their output count its parts' workgroups.
        let args = if row.file.contains("_clean") && split > 1 { args.ptr(0x150, &b[4]) } else { args };
        (args, [tiles[0], tiles[1], split as u32], bytes)
    } else if row.file.contains("/f4gemm/") {
        let rows = |r: usize| r.next_multiple_of(256);
        let scales = (k / 32).next_multiple_of(8);
        for bytes in [2 * rows(m) * n, rows(m) * k / 2, rows(n) * k / 2, rows(m) * scales, rows(n) * scales] {
            b.push(make(bytes)?);
        }
        let buffers: [&Buffer; 5] = b.iter().collect::<Vec<_>>().try_into().ok()?;
        let a = mxfp4_gemm(buffers, [m, n, k], scales, row.split);
        let slices = 1usize << row.split;
        let each = (k / slices).next_multiple_of(256);
        let bytes = 2 * m.next_multiple_of(32) * n + (m + n) * k / 2 + (rows(m) + rows(n)) * scales;
        (a, [tiles[0], tiles[1], k.div_ceil(each) as u32], bytes)
    } else {
        return None;
    };
    Some(Prepared { args, bytes, grid, _buffers: b })
}

fn time(row: &Row, corpus: &std::path::Path, copies: usize) -> Result<Report, String> {
    let sku = row.sku().ok_or("no such part")?;
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).map_err(|e| e.to_string())?;
    let agent = runtime.gpu_agents().first().cloned().ok_or("no agent")?;
    let bytes = std::fs::read(corpus.join(&row.file)).map_err(|e| format!("{}: {e}", row.file))?;
    let executable = agent.load(&bytes).map_err(|e| e.to_string())?;
    let handle = executable.kernel(&row.kernel).map_err(|e| e.to_string())?;
    let queue = agent.queue(64).map_err(|e| e.to_string())?;
    let prepared = prepare(row, &agent).ok_or("no arguments for this family")?;
    let reused_after = (copies > 0).then_some((copies * prepared.bytes) as u64);
    let request = Arc::new(Request::new(Options { skip_matrix: true, reused_after, ..Options::default() }));
    let config = Config { timing: Some(request.clone()), ..Config::default() };
    wavesmith_sim::configure(queue.raw(), &config).map_err(|e| e.to_string())?;
    let geometry = Geometry::of_workgroups(prepared.grid, [256, 1, 1]).ok_or("too large a grid")?;
    let launch = Launch { kernel: &handle, geometry, dynamic_lds: 0, kernargs: &prepared.args.0 };
    let pending = queue.launch(&launch).map_err(|e| e.to_string())?;
    pending
        .wait(Duration::from_secs(3600))
        .map_err(|e| last_fault(queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string()))?;
    request.take().pop().ok_or_else(|| "no report".to_owned())
}

/// A line of a table: how far off some rows are, as (model, silicon).
fn summary(name: &str, pairs: &[(f64, f64)]) {
    if pairs.is_empty() {
        return;
    }
    let mut errors: Vec<f64> = pairs.iter().map(|(got, want)| 100.0 * (got / want - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    let bias: f64 = pairs.iter().map(|(got, want)| (got / want).ln()).sum::<f64>() / pairs.len() as f64;
    // Two rows always rank perfectly, one way or the other.
    let rank = if pairs.len() < 3 { "-".to_owned() } else { format!("{:.3}", rank_correlation(pairs)) };
    println!(
        "{name:<58} {:>4} {:>8.1} {:>8.1} {:>8.1} {rank:>8} {:>8.1}",
        pairs.len(),
        quantile(&errors, 0.5),
        quantile(&errors, 0.9),
        quantile(&errors, 1.0),
        100.0 * (bias.exp() - 1.0)
    );
}

/// What the command line asks for.
struct Asked {
    every: usize,
    only: String,
    rows_too: bool,
    tables: bool,
    results: Option<PathBuf>,
    copies: usize,
}

impl Asked {
    fn parse() -> Option<Asked> {
        let mut asked =
            Asked { every: 1, only: String::new(), rows_too: false, tables: false, results: None, copies: COPIES };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--every" => asked.every = args.next()?.parse().ok().filter(|n| *n > 0)?,
                "--copies" => asked.copies = args.next()?.parse().ok()?,
                "--only" => asked.only = args.next()?,
                "--rows" => asked.rows_too = true,
                "--tables" => asked.tables = true,
                "--results" => asked.results = Some(args.next()?.into()),
                _ => return None,
            }
        }
        Some(asked)
    }
}

/// What earlier runs of this very program timed, by row; another program's times are another model's.
struct Kept {
    path: Option<PathBuf>,
    digest: u64,
    times: HashMap<String, f64>,
}

impl Kept {
    fn open(path: Option<PathBuf>) -> Kept {
        let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
        let digest =
            program.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
        let text = path.as_ref().and_then(|p| std::fs::read_to_string(p).ok()).unwrap_or_default();
        let times = text
            .lines()
            .filter_map(|line| {
                let (by, rest) = line.split_once('\t')?;
                let (key, us) = rest.split_once('\t')?;
                (by == format!("{digest:016x}")).then(|| Some((key.to_owned(), us.parse().ok()?)))?
            })
            .collect();
        Kept { path, digest, times }
    }

    fn key(row: &Row) -> String {
        format!("{} {} {} {} {} {}", row.file, row.cus, row.m, row.n, row.k, row.split)
    }

    fn add(&mut self, row: &Row, us: f64) -> std::io::Result<()> {
        if let Some(path) = &self.path {
            use std::io::Write;
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
            writeln!(file, "{:016x}\t{}\t{us}", self.digest, Kept::key(row))?;
        }
        self.times.insert(Kept::key(row), us);
        Ok(())
    }
}

fn print_row(row: &Row, r: &Report, seconds: f64) {
    println!(
        "{} {:>6} {:>6} {:>6} /{} {:>9.2} us, measured {:>9.2} ({:+6.1} %) at {:.0} MHz, {}; MFMA {:.2} HBM {:.2} L2 {:.2}, {}/{} wg, {:.2} M instructions, {seconds:.1} s",
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
        r.wave_instructions as f64 / 1e6,
    );
}

/// The order in which rows are taken: every 16th of each kernel, then those in between, and so on.
fn coarse_first(position: usize) -> u32 {
    (position as u32).reverse_bits().wrapping_shr(28) << 12 | (position as u32 >> 4)
}

fn tables(rows: &[Row], kept: &Kept) {
    let pairs = |keep: &dyn Fn(&Row) -> bool| -> Vec<(f64, f64)> {
        let timed = |r: &Row| kept.times.get(&Kept::key(r)).map(|us| (*us, r.us));
        rows.iter().filter(|r| keep(r)).filter_map(timed).collect()
    };
    println!(
        "{:<58} {:>4} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "kernel", "rows", "median %", "p90 %", "worst %", "rank", "bias %"
    );
    let kernels: BTreeSet<(&str, &str)> = rows.iter().filter_map(|r| Some((r.sku()?.name, r.file.as_str()))).collect();
    let of = |r: &Row, sku: &str| r.sku().is_some_and(|s| s.name == sku);
    for (sku, file) in &kernels {
        let short = file.rsplit('/').next().unwrap_or(file);
        summary(&format!("{sku} {short}"), &pairs(&|r| of(r, sku) && r.file == *file));
    }
    let skus: BTreeSet<&str> = kernels.iter().map(|k| k.0).collect();
    for sku in skus {
        summary(&format!("{sku}: looked at while fitting"), &pairs(&|r| of(r, sku) && r.fitted()));
        summary(&format!("{sku}: held out"), &pairs(&|r| of(r, sku) && !r.fitted()));
        summary(&format!("{sku}: all"), &pairs(&|r| of(r, sku)));
    }
    summary("all", &pairs(&|_| true));
}

fn main() -> ExitCode {
    let Some(asked) = Asked::parse() else {
        eprintln!("validate: known options are --every N, --only TEXT, --rows, --results FILE, --tables, --copies N");
        return ExitCode::from(2);
    };
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
    for row in text.lines().filter_map(Row::parse).filter(|r| r.file.contains(&asked.only)) {
        by_kernel.entry((row.target.clone(), row.cus, row.file.clone())).or_default().push(row);
    }
    let mut rows: Vec<Row> = Vec::new();
    for of_kernel in by_kernel.values_mut() {
        of_kernel.sort_by(|a, b| a.us.total_cmp(&b.us));
        of_kernel.iter_mut().enumerate().for_each(|(i, row)| row.position = i);
        rows.extend(of_kernel.iter().skip(asked.every / 2).step_by(asked.every).cloned());
    }
    rows.sort_by_key(|r| coarse_first(r.position));
    let mut kept = Kept::open(asked.results);
    let (started, mut instructions, mut failed) = (Instant::now(), 0, 0);
    for row in rows.iter().filter(|_| !asked.tables) {
        if kept.times.contains_key(&Kept::key(row)) {
            continue;
        }
        let began = Instant::now();
        match time(row, &corpus, asked.copies) {
            Ok(r) => {
                instructions += r.wave_instructions;
                if asked.rows_too {
                    print_row(row, &r, began.elapsed().as_secs_f64());
                }
                if let Err(e) = kept.add(row, r.us) {
                    eprintln!("validate: the results cannot be kept: {e}");
                    return ExitCode::from(2);
                }
            }
            Err(e) => {
                failed += 1;
                println!("{} {} {} {}: {e}", row.file, row.m, row.n, row.k);
            }
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{} rows, {failed} failed, {instructions} wave-instructions in {seconds:.0} s", rows.len());
    tables(&rows, &kept);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

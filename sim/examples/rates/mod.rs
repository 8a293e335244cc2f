//! What comparisons of the timing model with published figures of others share: a part with the arrays that its kernels
//! use over and over, a launch that is timed on it, and the table of figures beside each other.

#[path = "../statistics/mod.rs"]
mod statistics;

use statistics::{quantile, rank_correlation};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_loader::{Agent, Buffer, Geometry, Launch, MemoryKind, Queue, Runtime};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, last_fault};

/// A part whose kernels are timed.
pub struct Timed {
    pub sku: &'static Sku,
    /// The arrays, of the sizes that were asked for.
    pub buffers: Vec<Buffer>,
    agent: Agent,
    queue: Queue,
    request: Arc<Request>,
}

impl Timed {
    /// A part with arrays of these sizes. Benchmarks launch kernels on the same arrays over and over, or on copies of them in
    /// turn, so that caches hold of them what launches before have left: of arrays that are used again after so many
    /// bytes, their own size where all of them are used each time.
    pub fn new(sku: &str, sizes: &[usize], reused_after: usize) -> Result<Timed, String> {
        let sku = Sku::named(sku).map_err(|e| e.to_string())?;
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).map_err(|e| e.to_string())?;
        let agent = runtime.gpu_agents().first().cloned().ok_or("no agent")?;
        let queue = agent.queue(64).map_err(|e| e.to_string())?;
        let make = |bytes: &usize| agent.allocate(MemoryKind::Device, *bytes).map_err(|e| e.to_string());
        let buffers = sizes.iter().map(make).collect::<Result<Vec<_>, _>>()?;
        let reused_after = Some(reused_after as u64);
        let request = Arc::new(Request::new(Options { skip_matrix: true, reused_after, ..Options::default() }));
        let config = Config { timing: Some(request.clone()), ..Config::default() };
        wavesmith_sim::configure(queue.raw(), &config).map_err(|e| e.to_string())?;
        Ok(Timed { sku, buffers, agent, queue, request })
    }

    /// A kernel of a file, launched once.
    pub fn launch(
        &self,
        file: &Path,
        symbol: &str,
        grid: [u32; 3],
        threads: u16,
        kernargs: &[u8],
    ) -> Result<Report, String> {
        let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        self.launch_object(&bytes, symbol, grid, threads, kernargs)
    }

    /// A kernel of a code object, launched once.
    pub fn launch_object(
        &self,
        object: &[u8],
        symbol: &str,
        grid: [u32; 3],
        threads: u16,
        kernargs: &[u8],
    ) -> Result<Report, String> {
        let executable = self.agent.load(object).map_err(|e| e.to_string())?;
        let kernel = executable.kernel(symbol).map_err(|e| e.to_string())?;
        let geometry = Geometry::of_workgroups(grid, [threads, 1, 1]).ok_or("too large a grid")?;
        let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs };
        let pending = self.queue.launch(&launch).map_err(|e| e.to_string())?;
        pending
            .wait(Duration::from_secs(3600))
            .map_err(|e| last_fault(self.queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string()))?;
        self.request.take().pop().ok_or_else(|| "no report".to_owned())
    }
}

/// A row of the table.
pub struct Rate {
    /// Part, sequence, and what else tells the row: its first columns.
    pub what: String,
    /// As published.
    pub measured: f64,
    /// Of the model.
    pub model: f64,
    /// What the model says of it.
    pub why: String,
}

/// Headings of a row's first columns and its last one, and what the figures between them are: TFLOPS or us.
pub struct Headings {
    pub what: &'static str,
    pub unit: &'static str,
    pub why: &'static str,
}

/// AITER's own rates of an attention in bf16 with heads of 128.
#[allow(dead_code, reason = "each example takes what it needs")]
pub struct Published {
    pub batch: usize,
    /// Of queries, and of keys and values.
    pub heads: [usize; 2],
    pub length: usize,
    pub causal: bool,
    /// TFLOPS of MI300X and MI355X: forward, backward with atomics of 16 bits, and of 32.
    pub rates: [[f64; 2]; 3],
}

/// The table in AITER's `op_tests/cpp/mha/README.md`.
#[allow(dead_code, reason = "each example takes what it needs")]
pub fn published() -> Vec<Published> {
    let row = |line: &str| {
        let f: Vec<f64> = line.split(',').map_while(|f| f.parse().ok()).collect();
        let [batch, queries, keys, length, causal, a, b, c, d, e, g] = f[..] else { return None };
        Some(Published {
            batch: batch as usize,
            heads: [queries as usize, keys as usize],
            length: length as usize,
            causal: causal != 0.0,
            rates: [[a, b], [c, d], [e, g]],
        })
    };
    include_str!("aiter.csv").lines().filter_map(row).collect()
}

/// The parts that AITER's table has, in its order.
#[allow(dead_code, reason = "each example takes what it needs")]
pub const PARTS: [&str; 2] = ["mi300x", "mi355x"];

/// Prints the table of the rows that `--to N` leaves, or of each M-th of them with `--every M`, and how far off they are.
/// `length` is that of a row's sequence, and `time` works the row out, with AITER's folder.
#[allow(dead_code, reason = "each example takes what it needs")]
pub fn compare<R>(
    headings: &Headings,
    rows: &[R],
    length: impl Fn(&R) -> usize,
    time: impl Fn(&R, &Path) -> Result<Rate, String>,
) -> ExitCode {
    let (mut longest, mut every) = (usize::MAX, 1);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.next().and_then(|n| n.parse::<usize>().ok())) {
            ("--to", Some(n)) => longest = n,
            ("--every", Some(n)) if n > 0 => every = n,
            _ => {
                eprintln!("known options are --to N and --every N");
                return ExitCode::from(2);
            }
        }
    }
    let Some(corpus) = corpus() else { return ExitCode::SUCCESS };
    let rows = rows.iter().filter(|row| length(row) <= longest).skip(every / 2).step_by(every);
    print(headings, rows.map(|row| time(row, &corpus)))
}

/// AITER's folder, or that this is skipped.
pub fn corpus() -> Option<PathBuf> {
    let corpus = std::env::var_os("WAVESMITH_CORPUS").map(PathBuf::from);
    if corpus.is_none() {
        eprintln!("SKIPPED: needs AITER's code objects (WAVESMITH_CORPUS)");
    }
    corpus
}

/// Prints the table as its rows come, and how far off they are.
pub fn print(headings: &Headings, rows: impl Iterator<Item = Result<Rate, String>>) -> ExitCode {
    println!("{} {:>8}    model    error  {}", headings.what, headings.unit, headings.why);
    let mut pairs = Vec::new();
    let mut failed = false;
    for row in rows {
        match row {
            Ok(Rate { what, measured, model, why }) => {
                println!("{what} {measured:>8.1} {model:>8.1} {:>+6.1} %  {why}", 100.0 * (model / measured - 1.0));
                pairs.push((model, measured));
            }
            Err(error) => {
                println!("{error}");
                failed = true;
            }
        }
    }
    let mut errors: Vec<f64> = pairs.iter().map(|(got, want)| 100.0 * (got / want - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    if pairs.len() > 2 {
        println!(
            "{} rows: median {:.1} %, 90th percentile {:.1} %, rank correlation {:.3}",
            pairs.len(),
            quantile(&errors, 0.5),
            quantile(&errors, 0.9),
            rank_correlation(&pairs)
        );
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

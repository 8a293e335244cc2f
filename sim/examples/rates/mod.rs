//! What comparisons of the timing model with published rates of attention share: a part with the arrays that its kernels
//! use over and over, a launch that is timed on it, and the table of rates beside each other.

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
    /// A part with arrays of these sizes. Benchmarks launch kernels on the same arrays over and over, so that caches hold
    /// of them what launches before have left.
    pub fn new(sku: &str, sizes: &[usize]) -> Result<Timed, String> {
        let sku = Sku::named(sku).map_err(|e| e.to_string())?;
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).map_err(|e| e.to_string())?;
        let agent = runtime.gpu_agents().first().cloned().ok_or("no agent")?;
        let queue = agent.queue(64).map_err(|e| e.to_string())?;
        let make = |bytes: &usize| agent.allocate(MemoryKind::Device, *bytes).map_err(|e| e.to_string());
        let buffers = sizes.iter().map(make).collect::<Result<Vec<_>, _>>()?;
        let reused_after = Some(sizes.iter().sum::<usize>() as u64);
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
        let executable = self.agent.load(&bytes).map_err(|e| e.to_string())?;
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
    /// TFLOPS, as published.
    pub measured: f64,
    /// TFLOPS of the model.
    pub model: f64,
    /// What the model says of it.
    pub why: String,
}

/// Prints the table, under headings of a row's first columns and its last one, of the rows that `--to N` leaves, and how far off they are. `length` is that of a row.s sequence,
/// and `time` works the row out, with AITER's folder.
pub fn compare<R>(
    [what, why]: [&str; 2],
    rows: &[R],
    length: impl Fn(&R) -> usize,
    time: impl Fn(&R, &Path) -> Result<Rate, String>,
) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let longest = match &args[..] {
        [] => usize::MAX,
        [to, n] if to == "--to" && n.parse::<usize>().is_ok() => n.parse().unwrap_or(usize::MAX),
        _ => {
            eprintln!("the one known option is --to N");
            return ExitCode::from(2);
        }
    };
    let Some(corpus) = std::env::var_os("WAVESMITH_CORPUS").map(PathBuf::from) else {
        eprintln!("SKIPPED: needs AITER's code objects (WAVESMITH_CORPUS)");
        return ExitCode::SUCCESS;
    };
    println!("{what}   TFLOPS    model    error  {why}");
    let mut pairs = Vec::new();
    let mut failed = false;
    for row in rows.iter().filter(|row| length(row) <= longest) {
        match time(row, &corpus) {
            Ok(Rate { what, measured, model, why }) => {
                println!("{what} {measured:>8.1} {model:>8.1} {:>+6.1} %  {why}", 100.0 * (model / measured - 1.0));
                pairs.push((model, measured));
            }
            Err(error) => {
                println!("length {}: {error}", length(row));
                failed = true;
            }
        }
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

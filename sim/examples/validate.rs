//! The timing model against silicon: AITER's own code objects at shapes whose times are known.
//!
//! `WAVESMITH_CORPUS` names the folder with `gfx942/` and `gfx950/`; `WAVESMITH_MEASURED` a table with the columns
//! `gfx,cu_num,code_object,kernel,M,N,K,splitK,outdtype,bias,us`. Options: `--every N` takes every N-th row (by time,
//! within each kernel), `--only TEXT` rows whose code object's name has it, `--rows` prints each row. `--results FILE`
//! keeps what was timed and goes on from there, as long as this program is the same to the byte; `--tables` times nothing
//! and prints the tables of what the file has. `--jobs N` times N rows at once, each in a process of its own, which changes
//! nothing but how long it takes; how far it is, and how much longer it will take, stderr tells. Rows are taken coarse
//! first, so that a part of them is spread over every kernel's times. `--full` simulates every workgroup, for a file of results
//! of its own: what sampling costs in accuracy. Every sixth row, and a few more, were looked at
//! while clocks and latencies of CDNA4 were fitted; the rest were held out.

mod measured;
mod statistics;

use measured::{COPIES, Row, time};
use statistics::{quantile, rank_correlation};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

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
    full: bool,
    jobs: usize,
    /// Whether this is a process of another one's: it times the rows whose places it reads, and says what came of each.
    worker: bool,
}

impl Asked {
    fn parse() -> Option<Asked> {
        let mut asked = Asked {
            every: 1,
            only: String::new(),
            rows_too: false,
            tables: false,
            results: None,
            copies: COPIES,
            full: false,
            jobs: 1,
            worker: false,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--every" => asked.every = args.next()?.parse().ok().filter(|n| *n > 0)?,
                "--copies" => asked.copies = args.next()?.parse().ok()?,
                "--only" => asked.only = args.next()?,
                "--rows" => asked.rows_too = true,
                "--tables" => asked.tables = true,
                "--results" => asked.results = Some(args.next()?.into()),
                "--full" => asked.full = true,
                "--jobs" => asked.jobs = args.next()?.parse().ok().filter(|n| *n > 0)?,
                "--worker" => asked.worker = true,
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
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
            writeln!(file, "{:016x}\t{}\t{us}", self.digest, Kept::key(row))?;
        }
        self.times.insert(Kept::key(row), us);
        Ok(())
    }
}

/// What came of a row.
#[derive(Debug)]
struct Timed {
    us: f64,
    instructions: u64,
    /// The row in words.
    told: String,
}

impl Timed {
    fn of(row: &Row, corpus: &Path, copies: usize, full: bool) -> Result<Timed, String> {
        let began = Instant::now();
        let r = time(row, corpus, copies, full, None)?;
        let told = format!(
            "{} {:>6} {:>6} {:>6} /{} {:>9.2} us, measured {:>9.2} ({:+6.1} %) at {:.0} MHz, {}; MFMA {:.2} HBM {:.2} L2 {:.2}, {}/{} wg, {:.2} M instructions, {:.1} s",
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
            began.elapsed().as_secs_f64(),
        );
        Ok(Timed { us: r.us, instructions: r.wave_instructions, told })
    }

    /// A line that [`Timed::heard`] understands.
    fn said(result: &Result<Timed, String>) -> String {
        match result {
            Ok(t) => format!("{}\t{}\t{}", t.us, t.instructions, t.told),
            // An error may be several lines long.
            Err(e) => format!("error\t{}", e.replace(['\n', '\t'], " ")),
        }
    }

    fn heard(line: &str) -> Result<Timed, String> {
        let mut parts = line.trim_end().splitn(3, '\t');
        let mut next = || parts.next().unwrap_or_default();
        match (next(), next(), next()) {
            ("error", e, _) => Err(e.to_owned()),
            (us, instructions, told) => match (us.parse(), instructions.parse()) {
                (Ok(us), Ok(instructions)) => Ok(Timed { us, instructions, told: told.to_owned() }),
                _ => Err("the process that timed it ended".to_owned()),
            },
        }
    }
}

/// A process that times rows, one after another: the runtime under test is one of a process.
struct Worker(Child);

impl Worker {
    fn start() -> std::io::Result<Worker> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(std::env::args_os().skip(1)).arg("--worker").stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().map(Worker)
    }

    fn time(&mut self, place: usize) -> Result<Timed, String> {
        let asked = self.0.stdin.as_mut().map(|i| writeln!(i, "{place}").and_then(|()| i.flush()));
        if !matches!(asked, Some(Ok(()))) {
            return Err("the process that should time it is gone".to_owned());
        }
        let mut line = String::new();
        // A line at a time, and nothing is said unasked: nothing is lost with the reader's buffer.
        self.0.stdout.as_mut().map(|o| BufReader::new(o).read_line(&mut line));
        Timed::heard(&line)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Without questions it ends by itself.
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// The other side of a [`Worker`].
fn work(rows: &[Row], corpus: &Path, copies: usize, full: bool) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let row = line.trim().parse::<usize>().ok().and_then(|place| rows.get(place));
        let result = row.map_or_else(|| Err("no such row".to_owned()), |row| Timed::of(row, corpus, copies, full));
        println!("{}", Timed::said(&result));
    }
}

/// How far it is, told on stderr now and then.
struct Progress {
    began: Instant,
    told: Instant,
    done: usize,
    all: usize,
}

impl Progress {
    fn new(all: usize) -> Progress {
        Progress { began: Instant::now(), told: Instant::now(), done: 0, all }
    }

    fn step(&mut self) {
        self.done += 1;
        if self.done < self.all && self.told.elapsed() < Duration::from_secs(10) {
            return;
        }
        self.told = Instant::now();
        let past = self.began.elapsed().as_secs_f64();
        // Rows come in an order that spreads long and short ones evenly.
        let left = past / self.done as f64 * (self.all - self.done) as f64;
        eprintln!("validate: {} of {} rows in {past:.0} s, about {left:.0} s more", self.done, self.all);
    }
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
    wavesmith_console::end_quietly_at_closed_pipes();
    let Some(asked) = Asked::parse() else {
        eprintln!(
            "validate: known options are --every N, --only TEXT, --rows, --results FILE, --jobs N, --tables, --copies N, --full"
        );
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
    if asked.worker {
        work(&rows, &corpus, asked.copies, asked.full);
        return ExitCode::SUCCESS;
    }
    let kept = Kept::open(asked.results.clone());
    let todo: Vec<usize> = if asked.tables {
        Vec::new()
    } else {
        (0..rows.len()).filter(|i| !kept.times.contains_key(&Kept::key(&rows[*i]))).collect()
    };
    let started = Instant::now();
    let run = Run { asked: &asked, rows: &rows, corpus: &corpus, state: Mutex::new(State::new(kept, &todo)) };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..asked.jobs.min(todo.len())).map(|_| scope.spawn(|| run.go())).collect();
        run.go();
        others.into_iter().for_each(|o| drop(o.join()));
    });
    let state = run.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{} rows, {} failed, {} wave-instructions in {seconds:.0} s",
        rows.len(),
        state.failed,
        state.instructions
    );
    tables(&rows, &state.kept);
    if state.failed == 0 && !state.lost { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is left to do and what was done.
struct State {
    kept: Kept,
    /// Places of rows, the next one last.
    todo: Vec<usize>,
    progress: Progress,
    instructions: u64,
    failed: usize,
    /// Whether results could not be kept.
    lost: bool,
}

impl State {
    fn new(kept: Kept, todo: &[usize]) -> State {
        let progress = Progress::new(todo.len());
        State { kept, todo: todo.iter().rev().copied().collect(), progress, instructions: 0, failed: 0, lost: false }
    }
}

/// Rows that are timed, by one thread or by several that have a process each.
struct Run<'a> {
    asked: &'a Asked,
    rows: &'a [Row],
    corpus: &'a Path,
    state: Mutex<State>,
}

impl Run<'_> {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn go(&self) {
        let mut worker = None;
        loop {
            let Some(place) = self.state().todo.pop() else { return };
            let row = &self.rows[place];
            let result = if self.asked.jobs < 2 {
                Timed::of(row, self.corpus, self.asked.copies, self.asked.full)
            } else {
                // A process that ended is replaced for the next row.
                let mut own = worker.take().map_or_else(Worker::start, Ok);
                let result = match &mut own {
                    Ok(own) => own.time(place),
                    Err(e) => Err(format!("no process: {e}")),
                };
                worker = own.ok().filter(|_| result.is_ok());
                result
            };
            let mut state = self.state();
            match result {
                Ok(timed) => {
                    state.instructions += timed.instructions;
                    if self.asked.rows_too {
                        println!("{}", timed.told);
                    }
                    if let Err(e) = state.kept.add(row, timed.us) {
                        eprintln!("validate: the results cannot be kept: {e}");
                        state.lost = true;
                        state.todo.clear();
                    }
                }
                Err(e) => {
                    state.failed += 1;
                    println!("{} {} {} {}: {e}", row.file, row.m, row.n, row.k);
                }
            }
            state.progress.step();
        }
    }
}

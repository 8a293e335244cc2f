//! How far the time of a sampled grid is from that of the whole, beside the error that the report admits.
//!
//! Draws matrix products of our own, and of AITER's where `WAVESMITH_CORPUS` and `WAVESMITH_MEASURED` are set as for
//! `validate`, of 200 to 3000 workgroups, and times each sampled and whole. `--seed N` draws others, `--cases N` so many
//! of ours and half as many of theirs, `--whole-up-to N` samples all that take more wave-instructions; `--keep FILE` takes
//! times of whole grids from there, and adds to them: for changes that touch nothing but what is sampled.

#[path = "../tests/drawn/mod.rs"]
mod drawn;
#[allow(dead_code, reason = "times on silicon are not asked for here")]
mod measured;
mod statistics;

use drawn::Case;
use measured::{COPIES, Row};
use statistics::quantile;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use wavesmith_asm::properties::Rng;
use wavesmith_sim::timing::Report;

/// Draws of a seeded generator.
struct Draw(Rng);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n.max(1) as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Workgroups of the grids that are drawn.
const WORKGROUPS: core::ops::RangeInclusive<u64> = 200..=3000;
/// Products in M, N and K of the largest: whole, they are a matter of seconds.
const LARGEST: u64 = 100_000_000_000;

/// A product of ours, whatever comes.
fn product(draw: &mut Draw) -> Case {
    const PARTS: [&str; 9] = ["mi100", "mi210", "mi250x", "mi300a", "mi300x", "mi308x", "mi325x", "mi350x", "mi355x"];
    let sku = PARTS[draw.below(PARTS.len())];
    let dtype = draw.one(&["f16", "bf16", "fp8", "i8", "f32", "mxfp4", "mxfp8", "bf16", "f16", "fp8", "xf32", "f64"]);
    let mut side = || {
        let whole = [1024, 1536, 2048, 3072, 4096, 5120, 6144][draw.below(7)];
        // Some are no multiple of a tile.
        whole - if draw.below(3) == 0 { 8 * draw.below(40) } else { 0 }
    };
    let (m, n) = (side(), side());
    let k = [256, 512, 1024, 2048, 4096, 7168][draw.below(6)];
    let mut words = format!("dtype={dtype} m={m} n={n} k={k}");
    if draw.below(4) == 0 {
        words += &format!(" tile_m={} tile_n={}", draw.one(&["64", "128", "256"]), draw.one(&["64", "128", "256"]));
    }
    if draw.below(5) == 0 {
        words += &format!(" split_k={}", draw.one(&["2", "3", "4"]));
    }
    if draw.below(4) == 0 {
        words += &format!(" xcd_chunk={}", draw.one(&["0", "4", "32"]));
    }
    if draw.below(4) == 0 {
        words += &format!(" group_m={}", draw.one(&["1", "2", "8"]));
    }
    if draw.below(6) == 0 {
        words += " trans_a=true";
    }
    Case::of(sku, &words)
}

/// Whether it can be made and is of the size that is looked for.
fn suits(case: &Case) -> bool {
    let number = |name: &str| case.parameters.iter().find(|p| p.0 == name).and_then(|p| p.1.parse::<u64>().ok());
    let size: u64 = ["m", "n", "k"].iter().filter_map(|name| number(name)).product();
    let slow = case.parameters.iter().any(|p| ["f32", "xf32", "f64"].contains(&p.1.as_str()));
    if size > if slow { LARGEST / 8 } else { LARGEST } {
        return false;
    }
    let Ok(made) = case.generate() else { return false };
    made.gemm.is_some_and(|(gemm, problem)| WORKGROUPS.contains(&u64::from(gemm.grid(&problem).workgroups)))
}

/// Rows of measured kernels, by chance.
fn rows(draw: &mut Draw, count: usize) -> Vec<Row> {
    let Some(text) = std::env::var_os("WAVESMITH_MEASURED").and_then(|p| std::fs::read_to_string(p).ok()) else {
        eprintln!("SKIPPED: AITER's kernels need WAVESMITH_CORPUS and WAVESMITH_MEASURED");
        return Vec::new();
    };
    let fits = |r: &Row| {
        let groups = r.tile().map_or(0, |(tm, tn)| r.m.div_ceil(tm) * r.n.div_ceil(tn) * r.split.max(1));
        r.sku().is_some() && WORKGROUPS.contains(&(groups as u64)) && r.m * r.n * r.k < 4 * LARGEST as usize
    };
    let mut all: Vec<Row> = text.lines().filter_map(Row::parse).filter(fits).collect();
    (0..count.min(all.len())).map(|_| all.swap_remove(draw.below(all.len()))).collect()
}

/// Something to time.
enum Subject {
    Ours(Case),
    Theirs(Box<Row>),
}

impl Subject {
    fn time(&self, full: bool, whole_up_to: Option<u64>) -> Result<Report, String> {
        match self {
            Subject::Ours(case) => case.time(full, whole_up_to),
            Subject::Theirs(row) => {
                let corpus = std::env::var_os("WAVESMITH_CORPUS").map(PathBuf::from).ok_or("no corpus")?;
                measured::time(row, &corpus, COPIES, full, whole_up_to)
            }
        }
    }

    fn name(&self) -> String {
        match self {
            Subject::Ours(case) => case.to_string(),
            Subject::Theirs(row) => {
                let file = row.file.rsplit('/').next().unwrap_or_default();
                format!(
                    "{} {} m={} n={} k={} split={}",
                    row.sku().map_or("", |s| s.name),
                    file,
                    row.m,
                    row.n,
                    row.k,
                    row.split
                )
            }
        }
    }
}

fn main() -> ExitCode {
    wavesmith_console::end_quietly_at_closed_pipes();
    let (mut seed, mut cases, mut keep, mut whole_up_to) = (1, 28, None, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.next()) {
            ("--seed", Some(n)) => seed = n.parse().unwrap_or(seed),
            ("--cases", Some(n)) => cases = n.parse().unwrap_or(cases),
            ("--whole-up-to", Some(n)) => whole_up_to = n.parse().ok(),
            ("--keep", Some(file)) => keep = Some(PathBuf::from(file)),
            _ => {
                eprintln!("survey: known options are --seed N, --cases N, --whole-up-to N, --keep FILE");
                return ExitCode::from(2);
            }
        }
    }
    let mut draw = Draw(Rng(seed));
    let mut subjects: Vec<Subject> = Vec::new();
    while subjects.len() < cases {
        let case = product(&mut draw);
        if suits(&case) {
            subjects.push(Subject::Ours(case));
        }
    }
    subjects.extend(rows(&mut draw, cases / 2).into_iter().map(|row| Subject::Theirs(Box::new(row))));
    let text = keep.as_ref().and_then(|p| std::fs::read_to_string(p).ok()).unwrap_or_default();
    let mut known: HashMap<String, (f64, f64)> = text
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('\t');
            let name = fields.next()?.to_owned();
            Some((name, (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?)))
        })
        .collect();
    let (mut apart, mut bars, mut within, mut failed) = (Vec::new(), Vec::new(), 0, 0);
    let mut seconds = [0.0; 2];
    for subject in &subjects {
        let name = subject.name();
        let began = Instant::now();
        let sampled = match subject.time(false, whole_up_to) {
            Ok(report) => report,
            Err(e) => {
                println!("{name}: {e}");
                failed += 1;
                continue;
            }
        };
        let took = began.elapsed().as_secs_f64();
        let (whole, long) = match known.get(&name) {
            Some(times) => *times,
            None => {
                let began = Instant::now();
                let whole =
                    if sampled.sampling.whole() { Ok(sampled.us) } else { subject.time(true, None).map(|r| r.us) };
                let Ok(us) = whole else {
                    println!("{name}: not whole");
                    failed += 1;
                    continue;
                };
                let long = if sampled.sampling.whole() { took } else { began.elapsed().as_secs_f64() };
                known.insert(name.clone(), (us, long));
                if let Some(path) = &keep
                    && let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path)
                {
                    let _ = writeln!(file, "{name}\t{us}\t{long}");
                }
                (us, long)
            }
        };
        seconds = [seconds[0] + took, seconds[1] + long];
        let off = 100.0 * (sampled.us / whole - 1.0);
        let s = &sampled.sampling;
        let beyond = off.abs() > s.error_percent + 0.005;
        within += usize::from(!beyond);
        apart.push(off.abs());
        bars.push(s.error_percent);
        println!(
            "{off:+6.2} % of ±{:.2} %{} {:9.2} µs, whole {whole:9.2}; {:>4}/{:<4} wg {:5.2} M in {took:4.1} s of {long:5.1}; MALL {:4.2} MFMA {:4.2} HBM {:4.2} {name}",
            s.error_percent,
            if beyond { "!" } else { " " },
            sampled.us,
            s.workgroups,
            s.total,
            sampled.wave_instructions as f64 / 1e6,
            sampled.traffic.mall[1] as f64 / sampled.traffic.mall[0].max(1) as f64,
            sampled.utilisation.matrix,
            sampled.utilisation.hbm,
        );
    }
    apart.sort_by(f64::total_cmp);
    bars.sort_by(f64::total_cmp);
    if apart.is_empty() {
        return ExitCode::FAILURE;
    }
    println!(
        "{} grids, {failed} failed: |difference| median {:.2} %, 90th percentile {:.2} %, worst {:.2} %; bar median {:.2} %; {within} within it ({:.0} %); {:.0} s sampled, {:.0} s whole",
        apart.len(),
        quantile(&apart, 0.5),
        quantile(&apart, 0.9),
        quantile(&apart, 1.0),
        quantile(&bars, 0.5),
        100.0 * within as f64 / apart.len() as f64,
        seconds[0],
        seconds[1],
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Checks every code object under the given paths and prints what was found, by kind and rule, with the files in which
//! errors remain: `cargo run --release -p wavesmith-check --example corpus -- DIR…`. `--errors` prints every error,
//! `--list KIND` a line for every finding of a kind. `docs/findings.md` keeps its tables.

mod objects;

use objects::files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wavesmith_asm::Target;
use wavesmith_check::{Options, Place, Severity, check};

/// Processor time that this process has used on all its threads, which neither other processes nor more threads make
/// look better or worse: fields 14 and 15 of `/proc/self/stat`, in hundredths of a second. Nothing where there is none.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses, which may hold blanks.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11..13)?.iter().filter_map(|f| f.parse::<u64>().ok()).sum();
    Some(ticks as f64 / 100.0)
}

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let show = args.iter().position(|a| a == "--errors").map(|i| args.remove(i)).is_some();
    let list = args.iter().position(|a| a == "--list").filter(|i| i + 1 < args.len()).map(|i| {
        args.remove(i);
        args.remove(i)
    });
    let mut paths = Vec::new();
    args.iter().for_each(|a| files(Path::new(a), &mut paths));
    // Read before the clock starts: how fast the disk is says nothing of the checker.
    let read = |p: &PathBuf| std::fs::read(p).unwrap_or_else(|e| panic!("{}: {e}", p.display()));
    let contents: Vec<Vec<u8>> = paths.iter().map(read).collect();
    // Sites and kernels by target, and the first of them.
    type Row = (BTreeMap<Target, (usize, usize)>, String);
    let mut table: BTreeMap<(Severity, &str, &str), Row> = BTreeMap::new();
    let (mut instructions, mut kernels) = (0, 0);
    let mut notes: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut spent, before) = (Duration::ZERO, cpu_seconds());
    for (path, bytes) in paths.iter().zip(&contents) {
        let start = Instant::now();
        let report = match check(bytes, &Options::default()) {
            Ok(r) => r,
            Err(e) => {
                println!("{}: {e}", path.display());
                continue;
            }
        };
        spent += start.elapsed();
        instructions += report.instructions;
        kernels += report.kernels;
        for n in &report.notes {
            // The same reason at another place is the same reason.
            let why = n.message.split_once(": ").map_or(n.message.as_str(), |(_, why)| why);
            let first = || (0, format!("{} {:#x}", path.display(), n.pc));
            notes.entry(why.to_owned()).or_insert_with(first).0 += 1;
        }
        let Some(target) = report.target else { continue };
        let mut here: BTreeMap<_, usize> = BTreeMap::new();
        for f in &report.findings {
            *here.entry((f.severity, f.kind.name(), f.rule.unwrap_or(""))).or_default() += 1;
            if list.as_deref() == Some(f.kind.name()) {
                let place = |p: &Place| format!("{:#x} {}", p.pc, p.text);
                let (at, from) =
                    (f.at.as_ref().map_or(String::new(), place), f.other.as_ref().map_or(String::new(), place));
                println!("{}: {} | at {at} | from {from}", path.display(), f.message);
            }
        }
        for (key, n) in here {
            let first = || {
                let f = report.findings.iter().find(|f| (f.severity, f.kind.name(), f.rule.unwrap_or("")) == key);
                let pc = f.and_then(|f| f.at.as_ref()).map_or(String::new(), |p| format!(" {:#x}", p.pc));
                format!("{}{pc}: {}", path.display(), f.map_or("", |f| &f.message))
            };
            let row = table.entry(key).or_insert_with(|| (BTreeMap::new(), first()));
            let counts = row.0.entry(target).or_default();
            counts.0 += n;
            counts.1 += 1;
        }
        if show && report.failed() {
            println!("{}\n{}", path.display(), wavesmith_check::text(&report, false));
        }
    }
    for ((severity, kind, rule), (counts, first)) in &table {
        let (sites, files) = counts.values().fold((0, 0), |(s, f), c| (s + c.0, f + c.1));
        let by: Vec<_> = counts.iter().map(|(t, (sites, files))| format!("{t} {sites} in {files}")).collect();
        println!("{} | {kind} | {rule} | {sites} | {files} | {} | {first}", severity.name(), by.join(", "));
    }
    notes.iter().for_each(|(why, (n, first))| println!("note | {why} | {n} | {first}"));
    let notes: usize = notes.values().map(|n| n.0).sum();
    println!("{} files, {kernels} kernels, {instructions} instructions, {notes} notes", paths.len());
    let millions = instructions as f64 / 1e6;
    println!("{:.2} s by the clock ({:.2} M/s)", spent.as_secs_f64(), millions / spent.as_secs_f64());
    if let (Some(before), Some(after)) = (before, cpu_seconds()) {
        let cpu = after - before;
        println!("{cpu:.2} s of processor time, counting included ({:.2} M/s on one core)", millions / cpu);
    }
}

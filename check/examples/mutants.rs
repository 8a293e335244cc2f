//! Mutants of everything under the given paths, by the static half alone: every wait, nop, barrier, cache operation, `sc0`
//! and `sc1` is taken out or weakened in turn. Prints a table by target and kind of mutant, why what is advice is advice,
//! and every mutant that is neither seen nor proved harmless:
//! `cargo run --release -p wavesmith-check --example mutants -- [--each N [--from K]] [--unproved] DIR…`.
//!
//! With `--each N` only every Nth mutant is tried, counted over all files, beginning with the Kth; with `--unproved` no proof
//! is tried of what is not seen. The watching engine is
//! not asked (`wavesmith-runner`'s example of the same name does), so what orders memory between waves is left to it.

#[path = "../tests/mutation/mod.rs"]
#[allow(dead_code, reason = "each program uses its part")]
mod mutation;
mod objects;
#[path = "../tests/queues/mod.rs"]
mod queues;
#[path = "../tests/mutation/table.rs"]
mod table;

use objects::files;
use std::path::Path;
use table::Table;

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let unproved = args.iter().position(|a| a == "--unproved").map(|i| args.remove(i));
    let prove = unproved.is_none();
    let mut number = |name: &str, default: usize| match args.iter().position(|a| a == name) {
        Some(i) if i + 1 < args.len() => {
            args.remove(i);
            args.remove(i).parse().unwrap_or_else(|e| panic!("{name}: {e}"))
        }
        _ => default,
    };
    let (each, from) = (number("--each", 1).max(1), number("--from", 0));
    let mut paths = Vec::new();
    args.iter().for_each(|a| files(Path::new(a), &mut paths));
    let mut table = Table::new(each, from, prove);
    for path in &paths {
        let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        table.judge(&path.display().to_string(), &bytes);
    }
    println!("{table}");
}

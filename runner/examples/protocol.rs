//! The monokernel's exchange protocol under the watching engine, for many seeds.
//!
//! `cargo run --release -p wavesmith-runner --example protocol -- [SEEDS [FIRST [WORKGROUPS]]]` decodes a small model of
//! two layers, every stage of the plan, on eight dies (MI300X), once a seed, and compares the logits bit for bit with
//! those of the plain interpreter. Ends with status 1 at the first seed that differs, faults, or finds an error.

#[path = "../tests/device/protocol.rs"]
#[allow(dead_code)]
mod protocol;

use protocol::{Protocol, whole};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Instant;

fn main() -> ExitCode {
    wavesmith_console::end_quietly_at_closed_pipes();
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>());
    let mut next = |default: u64| args.next().and_then(Result::ok).unwrap_or(default);
    let (seeds, first, workgroups) = (next(1000), next(0), next(8));
    let device = Protocol::new(workgroups as u32, whole);
    let mut plain = device.plain();
    let (started, mut interpreted) = (busy(), 0);
    while busy() - started < 1.0 {
        plain = device.plain();
        interpreted += plain.instructions;
    }
    let interpreter = interpreted as f64 / (busy() - started);
    let Ok(right) = plain.logits.clone() else {
        eprintln!("the plain interpreter fails: {:?}", plain.logits);
        return ExitCode::FAILURE;
    };
    let device = device.with_fuel(200 * plain.instructions.max(1_000_000));
    let mut instructions = 0;
    let started = busy();
    for seed in first..first + seeds {
        let outcome = device.watched(seed);
        instructions += outcome.instructions;
        if let Some(wrong) = outcome.wrong(&right) {
            println!("seed {seed}: {wrong}");
            println!("replay: cargo run --release -p wavesmith-runner --example protocol -- 1 {seed} {workgroups}");
            return ExitCode::FAILURE;
        }
        if (seed + 1 - first).is_multiple_of(100) {
            eprintln!("{} seeds hold", seed + 1 - first);
        }
    }
    let watched = instructions as f64 / (busy() - started);
    println!(
        "{:.2} M wave-instructions watched a second of processor time, {:.2} M by the interpreter: {:.1} times as long",
        watched / 1e6,
        interpreter / 1e6,
        interpreter / watched
    );
    println!(
        "{seeds} seeds from {first} hold on {workgroups} workgroups over 8 dies: {instructions} wave-instructions"
    );
    ExitCode::SUCCESS
}

/// Seconds of processor time that the process has had, where the system says; else of the clock.
fn busy() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let clock = START.elapsed().as_secs_f64();
    // Fields 14 and 15, in hundredths; the second is in parentheses and may hold anything.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: Vec<f64> = fields.skip(11).take(2).filter_map(|f| f.parse().ok()).collect();
    if ticks.len() == 2 { (ticks[0] + ticks[1]) / 100.0 } else { clock }
}

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
use std::time::Instant;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>());
    let mut next = |default: u64| args.next().and_then(Result::ok).unwrap_or(default);
    let (seeds, first, workgroups) = (next(1000), next(0), next(8));
    let device = Protocol::new(workgroups as u32, whole);
    let started = Instant::now();
    let mut interpreted = 0;
    let mut plain = device.plain();
    while started.elapsed().as_secs_f64() < 1.0 {
        interpreted += plain.instructions;
        plain = device.plain();
    }
    let interpreter = (interpreted + plain.instructions) as f64 / started.elapsed().as_secs_f64();
    let Ok(right) = plain.logits.clone() else {
        eprintln!("the plain interpreter fails: {:?}", plain.logits);
        return ExitCode::FAILURE;
    };
    let device = device.with_fuel(200 * plain.instructions.max(1_000_000));
    let mut instructions = 0;
    let started = Instant::now();
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
    let watched = instructions as f64 / started.elapsed().as_secs_f64();
    println!(
        "{:.2} M wave-instructions/s watched, {:.2} M/s by the interpreter on one thread: {:.1} times as long",
        watched / 1e6,
        interpreter / 1e6,
        interpreter / watched
    );
    println!(
        "{seeds} seeds from {first} hold on {workgroups} workgroups over 8 dies: {instructions} wave-instructions"
    );
    ExitCode::SUCCESS
}

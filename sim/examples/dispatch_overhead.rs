//! Measures what the HSA side costs: loading a code object, a dispatch that executes nothing, and one that the engine
//! executes. The file's first kernel is launched without arguments, so it should be one that does nothing.
//!
//! `cargo run --release -p wavesmith-sim --example dispatch_overhead -- FILE.co`

// The engine returns the fault itself: once a dispatch, its size costs nothing.
#![allow(clippy::result_large_err)]

use std::error::Error;
use std::time::{Duration, Instant};
use wavesmith_asm::sku::SKUS;
use wavesmith_loader::code_object::CodeObject;
use wavesmith_loader::{Geometry, Launch, Runtime};
use wavesmith_sim::hsa::table_with_engine;
use wavesmith_sim::{Config, Dispatch, Fault, Memory, Stats, table};

/// Executes nothing: what remains is the way there and back.
fn idle(_: &Dispatch, _: &Memory, _: &Config) -> Result<Stats, Fault> {
    Ok(Stats::default())
}

/// The median, and what the fastest tenth stays below: on a busy host the rest is waiting for a core.
fn told(times: &mut [Duration]) -> String {
    times.sort_unstable();
    format!("median {:?}, fastest tenth {:?}", times[times.len() / 2], times[times.len() / 10])
}

fn main() -> Result<(), Box<dyn Error>> {
    wavesmith_console::end_quietly_at_closed_pipes();
    let path = std::env::args().nth(1).ok_or("usage: dispatch_overhead FILE.co")?;
    let bytes = std::fs::read(path)?;
    let object = CodeObject::parse(&bytes)?;
    let sku = SKUS.iter().find(|s| s.target == object.target).ok_or("no part has this target")?;
    let kernel = object.kernels.first().ok_or("no kernels")?;
    for (name, table) in [("no engine", table_with_engine(&[sku], idle)), ("the engine", table(&[sku]))] {
        let runtime = Runtime::start(table)?;
        let agent = &runtime.gpu_agents()[0];
        let mut times = Vec::new();
        for _ in 0..200 {
            let begin = Instant::now();
            agent.load(&bytes)?.kernel(&kernel.name)?;
            times.push(begin.elapsed());
        }
        println!("{name}: load of {} bytes: {}", bytes.len(), told(&mut times));

        let (executable, queue) = (agent.load(&bytes)?, agent.queue(256)?);
        let loaded = executable.kernel(&kernel.name)?;
        let geometry = Geometry { grid: [64, 1, 1], workgroup: [64, 1, 1] };
        let launch = Launch { kernel: &loaded, geometry, dynamic_lds: 0, kernargs: &[] };
        times.clear();
        for _ in 0..2000 {
            let begin = Instant::now();
            queue.launch(&launch)?.wait(Duration::from_secs(10))?;
            times.push(begin.elapsed());
        }
        println!("{name}: launch of `{}` and wait: {}", kernel.name, told(&mut times));
    }
    Ok(())
}

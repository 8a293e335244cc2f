//! How long regenerating the GEMM set takes: every type, transposition, schedule and order for every part.
//! `cargo run --release -p wavesmith-kernels --example regenerate`. A thread for each part, on as many cores as there are.

use std::time::Instant;
use wavesmith_asm::sku::{SKUS, Sku};
use wavesmith_emitter::listing::Line;
use wavesmith_kernels::gemm::{Gemm, gemm, set};

/// Kernels and instructions of a part.
fn part(sku: &'static Sku) -> (usize, usize) {
    let count = |made: Gemm| made.kernel.listing.lines.iter().filter(|l| matches!(l, Line::Instruction { .. })).count();
    let counts: Vec<usize> = set([4096; 3], sku).iter().filter_map(|p| gemm(p, sku).ok()).map(count).collect();
    (counts.len(), counts.iter().sum())
}

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    let start = Instant::now();
    let parts: Vec<(usize, usize)> = std::thread::scope(|s| {
        let threads: Vec<_> = SKUS.iter().map(|sku| s.spawn(|| part(sku))).collect();
        threads.into_iter().map(|t| t.join().expect("generates")).collect()
    });
    let seconds = start.elapsed().as_secs_f64();
    let (kernels, instructions) = parts.iter().fold((0, 0), |(k, i), p| (k + p.0, i + p.1));
    let rate = instructions as f64 / seconds / 1e6;
    println!("{kernels} kernels, {instructions} instructions in {seconds:.2} s ({rate:.2} M instructions/s)");
}

//! How long regenerating the GEMM set takes: every type, transposition, schedule and order for every part.
//! `cargo run --release -p wavesmith-kernels --example regenerate`.

use std::time::Instant;
use wavesmith_asm::sku::SKUS;
use wavesmith_emitter::listing::Line;
use wavesmith_kernels::gemm::{gemm, set};

fn main() {
    let (mut kernels, mut instructions) = (0u32, 0usize);
    let start = Instant::now();
    for sku in SKUS {
        for made in set([4096; 3], sku).iter().filter_map(|p| gemm(p, sku).ok()) {
            kernels += 1;
            instructions += made.kernel.listing.lines.iter().filter(|l| matches!(l, Line::Instruction { .. })).count();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = instructions as f64 / seconds / 1e6;
    println!("{kernels} kernels, {instructions} instructions in {seconds:.2} s ({rate:.2} M instructions/s)");
}

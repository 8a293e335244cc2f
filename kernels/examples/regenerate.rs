//! How long regenerating the GEMM set takes: every type, transposition and schedule for every part.
//! `cargo run --release -p wavesmith-kernels --example regenerate`.

use std::time::Instant;
use wavesmith_asm::sku::SKUS;
use wavesmith_kernels::gemm::{Dtype, GemmParams, GemmProblem, Schedule, gemm};

fn main() {
    let (m, n, k) = (4096, 4096, 4096);
    let problem = GemmProblem { m, n, k, batch: 1, lda: k, ldb: k, ldc: n, alpha: 1.0, beta: 0.0 };
    let (mut kernels, mut bytes) = (0u32, 0usize);
    let start = Instant::now();
    for sku in SKUS {
        for dtype in Dtype::ALL {
            for (trans_a, trans_b) in [(false, false), (false, true), (true, false), (true, true)] {
                let suited = GemmParams::suited(dtype, trans_a, trans_b, &problem, sku);
                for schedule in
                    [Schedule::Plain, Schedule::Interleave { mfma_per_read: 2, mfma_per_load: 4 }, Schedule::List]
                {
                    if let Ok(made) = gemm(&GemmParams { schedule, ..suited }, sku) {
                        kernels += 1;
                        bytes += made.kernel.code.len();
                    }
                }
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = bytes as f64 / 6.5 / seconds / 1e6;
    println!("{kernels} kernels, {bytes} bytes of code in {seconds:.2} s (about {rate:.2} M instructions/s)");
}

//! Every kernel of every part's GEMM set under the watching engine: nothing may be found, and results must be right.
//! `cargo run --release -p wavesmith-verify --example watched_set [-- EVERY [SKU]]` tries every EVERY-th of them (1
//! without), on all parts or one.
//!
//! The problem has more than one tile each way, edges in both, and a K that is no whole number of stages, so that every
//! part of a kernel runs.

use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;
use wavesmith_kernels::gemm::{GemmProblem, MX_BLOCK, gemm, set};
use wavesmith_verify::matmul_cases::{Case, fitted};

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    let mut args = std::env::args().skip(1);
    let every: usize = args.next().map_or(1, |n| n.parse().expect("EVERY is a number, 1 or more"));
    let only = args.next().map(|name| Sku::named(&name).expect("SKU is a part"));
    let mut bad = 0;
    for sku in SKUS.iter().filter(|s| only.is_none_or(|o| o.name == s.name)) {
        let (mut kernels, mut elements, mut failed) = (0, 0, 0);
        let made = set([1024; 3], sku).into_iter().filter_map(|p| gemm(&p, sku).ok());
        for (i, made) in made.enumerate().filter(|(i, _)| i % every == 0) {
            let params = made.params;
            let scaled = params.dtype.is_scaled();
            // More stages than LDS holds, and a bit; blocks with a scale are whole.
            let stage = params.stage_bytes * 8 / params.dtype.input_bits(0);
            let k = (stage * (params.stages + 1) + MX_BLOCK).next_multiple_of(MX_BLOCK);
            let [m, n] = [params.tile_m + 5, params.tile_n + 3];
            let p =
                GemmProblem { m, n, k, batch: 1, lda: 0, ldb: 0, ldc: 0, alpha: 1.0, beta: 2.0, strides: [None; 3] };
            let problem = fitted(p, [params.trans_a, params.trans_b], if scaled { [0; 3] } else { [4, 4, 1] });
            let case = Case { sku, params, problem, seed: 1 + i as u64, unset_c: false };
            kernels += 1;
            let wrong = match case.watch(&made, i as u64) {
                Err(e) => Some(e.to_string()),
                Ok((report, findings)) => {
                    elements += report.compared;
                    let found = findings.first().map(|f| format!("{}: {}", f.kind, f.message));
                    found.or_else(|| report.mismatches.first().map(|m| format!("{m:?}")))
                }
            };
            if let Some(wrong) = wrong {
                failed += 1;
                println!("{}: {params:?} {problem:?}: {wrong}", sku.name);
            }
        }
        println!("{}: {kernels} kernels, {elements} elements right, {failed} kernels with an error", sku.name);
        bad += failed;
    }
    if bad > 0 {
        std::process::exit(1);
    }
}

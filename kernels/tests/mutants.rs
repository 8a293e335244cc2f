//! Mutants of our own kernels: every wait and nop of a GEMM of each type, taken out or weakened in turn, is seen by the
//! static checker or proved harmless.
//!
//! The monokernel's waits are mostly about what other waves see, which is the dynamic half's: `wavesmith-runner`'s example
//! `mutants` tries those under both.

#[path = "../../check/tests/mutation/mod.rs"]
mod mutation;
#[path = "../../check/tests/queues/mod.rs"]
mod queues;

use mutation::Score;
use wavesmith_asm::Sku;
use wavesmith_kernels::catalog::generate;

#[test]
fn every_mutant_of_a_wait_or_nop_of_a_gemm_is_seen_or_proved_harmless() {
    let mut score = Score::default();
    for name in ["mi100", "mi210", "mi300x", "mi355x"] {
        let sku = Sku::named(name).unwrap();
        for dtype in ["f16", "f16f32", "bf16", "f32", "xf32", "f64", "i8", "fp8", "bf8"] {
            let parameters = [("dtype".to_owned(), dtype.to_owned())];
            // Not every target has every type.
            let Ok(kernel) = generate("gemm", &parameters, sku) else { continue };
            score.judge(&format!("{name} {dtype}"), &kernel.object);
        }
    }
    println!("{score}");
    score.assert_all_accounted_for();
    assert!(score.total > 1500 && score.errors > score.advised(), "{score}");
}

//! LDS bank conflicts of the default GEMM kernels, counted by the timing engine as it executes them.

use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;
use wavesmith_kernels::gemm::{Dtype, GemmParams, GemmProblem, gemm};
use wavesmith_sim::timing::Options;
use wavesmith_verify::matmul_cases::Case;

/// The default kernel of a type on a part.
fn case(sku: &'static Sku, dtype: Dtype, trans: [bool; 2]) -> Option<Case> {
    let problem = GemmProblem::dense([128, 128, 512], trans);
    let params = GemmParams::suited(dtype, trans[0], trans[1], &problem, sku);
    gemm(&params, sku).is_ok().then_some(Case { sku, params, problem, seed: 1, unset_c: false })
}

#[test]
fn default_kernels_have_no_bank_conflicts() {
    let mut counted = 0;
    for sku in SKUS {
        for dtype in Dtype::ALL {
            let Some(case) = case(sku, dtype, [false, true]) else { continue };
            let report = case.time(Options { full: true, ..Options::default() }).unwrap();
            assert_eq!(report.lds_conflicts, 0.0, "{} {dtype:?}", sku.name);
            counted += 1;
        }
    }
    assert!(counted > 70, "only {counted} kernels");
}

#[test]
fn matrices_that_run_across_k_have_none_either() {
    for name in ["mi100", "mi210", "mi300x", "mi355x"] {
        let sku = Sku::named(name).unwrap();
        for dtype in [Dtype::F16, Dtype::I8, Dtype::F32] {
            let case = case(sku, dtype, [true, false]).unwrap();
            let report = case.time(Options { full: true, ..Options::default() }).unwrap();
            assert_eq!(report.lds_conflicts, 0.0, "{name} {dtype:?}");
        }
    }
}

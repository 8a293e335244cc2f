//! Generated GEMMs on the embedded device against the reference: every type, target, transposition and schedule, over
//! random shapes with their edges.

use proptest::prelude::*;
use wavesmith_asm::{Sku, Target};
use wavesmith_kernels::gemm::{
    Activation, Dtype, Extras, Gemm, GemmError, GemmParams, GemmProblem, Mx, Order, Schedule, gemm, set,
};
use wavesmith_sim::{Config, EngineKind};
use wavesmith_verify::matmul::MatmulReport;
use wavesmith_verify::matmul_cases::{Case, edges, fitted};

const SKUS: [&str; 4] = ["mi100", "mi210", "mi300x", "mi355x"];

/// Runs one problem on the embedded device and compares.
fn check(sku: &'static Sku, made: &Gemm, p: &GemmProblem, seed: u64) -> MatmulReport {
    Case { sku, params: made.params, problem: *p, seed, unset_c: false }.run_with(made).unwrap()
}

fn problem(m: u32, n: u32, k: u32) -> GemmProblem {
    GemmProblem { m, n, k, batch: 1, lda: k, ldb: n, ldc: n, alpha: 1.0, beta: 0.0, strides: [None; 3] }
}

/// A tile of 64 × 64, with as many waves as can share it.
fn small(dtype: Dtype, trans: [bool; 2], p: &GemmProblem, sku: &Sku) -> GemmParams {
    let waves = if dtype.is_scaled() { 1 } else { 2 };
    GemmParams {
        tile_m: 64,
        tile_n: 64,
        waves_m: waves,
        waves_n: waves,
        ..GemmParams::suited(dtype, trans[0], trans[1], p, sku)
    }
}

#[test]
fn every_type_multiplies_on_every_target_that_has_it() {
    let mut done = 0;
    for name in SKUS {
        let sku = Sku::named(name).unwrap();
        for dtype in Dtype::ALL {
            let p = fitted(problem(70, 66, if dtype.is_scaled() { 160 } else { 100 }), [false, true], [0; 3]);
            let made = match gemm(&small(dtype, [false, true], &p, sku), sku) {
                Ok(made) => made,
                Err(GemmError::NoInstruction { .. }) => continue,
                Err(e) => panic!("{name} {dtype:?}: {e}"),
            };
            let report = check(sku, &made, &p, 7);
            assert_eq!(report.compared, 70 * 66);
            assert!(report.mismatches.is_empty(), "{name} {dtype:?}: {report:?}");
            done += 1;
        }
    }
    assert!(done >= 26, "only {done} combinations exist");
}

#[test]
fn every_transposition_and_schedule_gives_the_same_product() {
    let sku = Sku::named("mi300x").unwrap();
    for trans in [[false, false], [false, true], [true, false], [true, true]] {
        let p = fitted(problem(65, 130, 97), trans, [3, 0, 5]);
        let mut results = Vec::new();
        let [interleave, rotate] = [
            Schedule::Interleave { mfma_per_read: 1, mfma_per_load: 2 },
            Schedule::Rotate { mfma_per_read: 2, mfma_per_load: 1 },
        ];
        for schedule in [Schedule::Plain, interleave, rotate, Schedule::List] {
            let params = GemmParams { schedule, stage_bytes: 128, ..small(Dtype::F16F32, trans, &p, sku) };
            let made = gemm(&params, sku).unwrap();
            let report = check(sku, &made, &p, 3);
            assert!(report.mismatches.is_empty(), "{trans:?} {schedule:?}: {report:?}");
            results.push(report.worst.to_bits());
        }
        // The order of issue is not the order of addition: results are the same bits.
        assert!(results.iter().all(|r| *r == results[0]));
    }
}

#[test]
fn factors_bias_activation_and_batches_are_applied() {
    for (name, dtype) in [("mi300x", Dtype::F16), ("mi300x", Dtype::Bf16), ("mi210", Dtype::F64), ("mi355x", Dtype::I8)]
    {
        let sku = Sku::named(name).unwrap();
        let mut p = fitted(problem(33, 70, 50), [false, false], [2, 1, 3]);
        (p.batch, p.alpha, p.beta) = if dtype == Dtype::I8 { (3, -3.0, 5.0) } else { (3, 0.75, -1.5) };
        let extras = Extras { beta: true, bias: true, activation: Activation::Relu };
        let params = GemmParams { extras, ..small(dtype, [false, false], &p, sku) };
        let report = check(sku, &gemm(&params, sku).unwrap(), &p, 11);
        assert!(report.mismatches.is_empty(), "{name} {dtype:?}: {report:?}");
    }
}

#[test]
fn every_named_edge_is_right_on_every_target() {
    let mut names = std::collections::BTreeSet::new();
    for name in SKUS {
        for (edge, case) in edges(Sku::named(name).unwrap()).unwrap() {
            let report = case.run().unwrap_or_else(|e| panic!("{name}, {edge}: {e}"));
            assert!(report.mismatches.is_empty(), "{name}, {edge}: {case:?}: {report:?}");
            let p = case.problem;
            assert_eq!(report.compared, u64::from(p.batch) * u64::from(p.m) * u64::from(p.n));
            names.insert(edge);
        }
    }
    assert_eq!(names.len(), 5 * 15, "each edge for each type: {names:?}");
}

#[test]
fn no_products_leave_only_the_rest() {
    let sku = Sku::named("mi300x").unwrap();
    let mut p = fitted(problem(20, 20, 0), [false, true], [8, 8, 0]);
    p.beta = 2.0;
    let params = small(Dtype::F32, [false, true], &p, sku);
    let report = check(sku, &gemm(&params, sku).unwrap(), &p, 1);
    assert!(report.mismatches.is_empty(), "{report:?}");
}

#[test]
fn what_does_not_fit_is_named() {
    let mi100 = Sku::named("mi100").unwrap();
    let params = GemmParams::suited(Dtype::F16, false, true, &problem(64, 64, 64), mi100);
    assert!(matches!(
        gemm(&GemmParams { dtype: Dtype::F64, ..params }, mi100),
        Err(GemmError::NoInstruction { target: Target::Gfx908, .. })
    ));
    assert!(matches!(
        gemm(&GemmParams { tile_m: 48, ..params }, mi100),
        Err(GemmError::Parameter { name: "tile_m", .. })
    ));
    let mi355x = Sku::named("mi355x").unwrap();
    let mx = GemmParams::suited(Dtype::Mx(Mx::Fp8, Mx::Fp8), false, true, &problem(256, 256, 256), mi355x);
    for (wrong, name) in [
        (GemmParams { trans_b: false, stage_bytes: 64, ..mx }, "dtype"),
        (GemmParams { mfma: 32, ..mx }, "dtype"),
        (GemmParams { stage_bytes: 64, ..mx }, "stage_bytes"),
    ] {
        match gemm(&wrong, mi355x) {
            Err(GemmError::Parameter { name: found, .. }) => assert_eq!(found, name, "{wrong:?}"),
            other => panic!("{wrong:?}: {:?}", other.err()),
        }
    }
    let large = GemmParams { tile_m: 256, tile_n: 256, stage_bytes: 256, ..params };
    assert!(matches!(gemm(&large, mi100), Err(GemmError::Lds { .. })));
}

#[test]
fn shared_tiles_are_summed_in_order_whoever_comes_last() {
    for name in ["mi100", "mi210", "mi300x", "mi355x"] {
        let sku = Sku::named(name).unwrap();
        let p = fitted(problem(150, 100, 300), [false, true], [0; 3]);
        for (order, split_k, workgroups) in
            [(Order::Tiles, 3, 0), (Order::StreamK, 1, 5), (Order::StreamK, 1, 0), (Order::Persistent, 1, 2)]
        {
            let suited = small(Dtype::F16F32, [false, true], &p, sku);
            // Rotated, what a tile leaves in LDS and in addresses is another than otherwise.
            for schedule in [suited.schedule, Schedule::Rotate { mfma_per_read: 1, mfma_per_load: 1 }] {
                let params = GemmParams { order, split_k, workgroups, schedule, ..suited };
                let report = check(sku, &gemm(&params, sku).unwrap(), &p, 5);
                assert!(report.mismatches.is_empty(), "{name} {order:?} {split_k} {workgroups}: {report:?}");
                assert_eq!(report.exact, if sku.target == Target::Gfx950 { 0 } else { report.compared });
            }
        }
    }
}

#[test]
fn a_ring_of_its_own_brings_a_early_and_right() {
    let rotate = Schedule::Rotate { mfma_per_read: 2, mfma_per_load: 3 };
    for (name, dtype) in [("mi300x", Dtype::F16), ("mi355x", Dtype::Bf16), ("mi355x", Dtype::I8)] {
        let sku = Sku::named(name).unwrap();
        // Fewer stages than the ring has slots, as many, and more; whole ones, and not.
        for k in [16, 128, 304, 704] {
            let p = fitted(problem(130, 70, k), [false, true], [16, 0, 3]);
            for (order, split_k, workgroups) in
                [(Order::Tiles, 1, 0), (Order::Tiles, 2, 0), (Order::Persistent, 1, 2), (Order::StreamK, 1, 3)]
            {
                let shape = GemmParams { order, split_k, workgroups, ..small(dtype, [false, true], &p, sku) };
                let params = GemmParams { schedule: rotate, direct: true, stage_bytes: 128, early_a: true, ..shape };
                let [made, plain] = [true, false].map(|early_a| gemm(&GemmParams { early_a, ..params }, sku).unwrap());
                let lds = |made: &Gemm| made.kernel.metadata.group_segment_fixed_size;
                assert_eq!(lds(&made) - lds(&plain), 64 * 128, "a tile of A more");
                let case = Case { sku, params, problem: p, seed: u64::from(k), unset_c: false };
                let (report, findings) = case.watch(&made, 3).unwrap_or_else(|e| panic!("{name} {params} {k}: {e}"));
                assert!(report.mismatches.is_empty(), "{name} {params} {k}: {report:?}");
                assert!(findings.is_empty(), "{name} {params} {k}: {findings:#?}");
            }
        }
    }
}

#[test]
fn the_watching_engine_finds_nothing_in_any_order_or_schedule() {
    for name in SKUS {
        let sku = Sku::named(name).unwrap();
        let p = fitted(problem(100, 70, 96), [false, true], [0; 3]);
        for params in set([100, 70, 96], sku).into_iter().filter(|p| [p.trans_a, p.trans_b] == [false, true]) {
            if !matches!(params.dtype, Dtype::F16 | Dtype::I8 | Dtype::Mx(Mx::Fp6 | Mx::Fp4, _)) {
                continue;
            }
            let case =
                Case { sku, params: GemmParams { workgroups: 3, ..params }, problem: p, seed: 2, unset_c: false };
            let made = match gemm(&case.params, sku) {
                Ok(made) => made,
                Err(GemmError::NoInstruction { .. }) => continue,
                Err(e) => panic!("{case:?}: {e}"),
            };
            let config = Config { engine: EngineKind::Checked, ..Config::default() };
            let report = case.dispatch(&made, &config).unwrap_or_else(|e| panic!("{case:?}: {e}"));
            assert!(report.mismatches.is_empty(), "{case:?}: {report:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_shapes_agree_with_the_reference(
        sku in 0..SKUS.len(),
        seed in any::<u64>(),
    ) {
        let case = Case::random(Sku::named(SKUS[sku]).unwrap(), seed);
        let report = case.run().unwrap_or_else(|e| panic!("{case:?}: {e}"));
        prop_assert!(report.mismatches.is_empty(), "{:?}: {:?}", case, report);
        let p = case.problem;
        prop_assert_eq!(report.compared, u64::from(p.batch) * u64::from(p.m) * u64::from(p.n));
    }
}

/// A sample: the example `watched_set` tries every kernel of every part's set.
#[test]
fn nothing_is_found_in_random_multiplications_that_are_watched() {
    for name in SKUS {
        let sku = Sku::named(name).unwrap();
        for seed in 40..44 {
            let case = Case::random(sku, seed);
            let (report, findings) = case.watch(&gemm(&case.params, sku).unwrap(), seed).unwrap();
            assert!(report.compared > 0 && report.mismatches.is_empty(), "{name} {seed}: {:?}", report.mismatches);
            assert!(findings.is_empty(), "{name} {seed}: {findings:#?}");
        }
    }
}

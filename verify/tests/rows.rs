//! Softmax and attention on every target, against f64, within bounds that follow from the roundings on the way.

use wavesmith_asm::Sku;
use wavesmith_asm::sem::Elem;
use wavesmith_kernels::attention::{AttentionError, AttentionParams, attention};
use wavesmith_kernels::rows::RowKernel;
use wavesmith_sim::Config;
use wavesmith_verify::row_cases::RowCase;

const SKUS: [&str; 4] = ["mi100", "mi210", "mi300x", "mi355x"];

/// Runs a case fast and, if asked to, watched; everything must have been compared.
fn check(case: RowCase, watched: bool) {
    let elements = match case.kernel {
        RowKernel::Softmax { rows, columns } => rows * columns,
        RowKernel::Attention { params, heads, queries, .. } => heads * queries * params.head_dim,
    };
    let mut reports = vec![case.run(&Config::default()).unwrap()];
    if watched {
        let (report, findings) = case.watch().unwrap();
        assert!(findings.is_empty(), "{case:?}: {findings:#?}");
        reports.push(report);
    }
    for report in reports {
        assert!(report.mismatches.is_empty(), "{case:?}: {report:?}");
        assert_eq!(report.compared, u64::from(elements));
    }
}

#[test]
fn softmax_of_rows_of_any_length_is_right_on_every_target() {
    for sku in SKUS.map(|name| Sku::named(name).unwrap()) {
        for (rows, columns) in [(1, 1), (3, 64), (9, 65), (5, 1000)] {
            check(RowCase { sku, kernel: RowKernel::Softmax { rows, columns }, seed: 1 }, columns < 100);
        }
        (0..6).for_each(|seed| check(RowCase::softmax(sku, seed), false));
    }
}

#[test]
fn attention_of_any_length_is_right_on_every_target() {
    for sku in SKUS.map(|name| Sku::named(name).unwrap()) {
        let p = AttentionParams { head_dim: 64, causal: false, elem: Elem::F16 };
        let with = |params, [heads, queries, keys]: [u32; 3], watched| {
            check(RowCase { sku, kernel: RowKernel::Attention { params, heads, queries, keys }, seed: 1 }, watched);
        };
        with(p, [2, 70, 45], false);
        with(AttentionParams { causal: true, head_dim: 128, ..p }, [1, 100, 100], false);
        with(AttentionParams { causal: true, head_dim: 32, ..p }, [1, 20, 40], true);
        (0..6).for_each(|seed| check(RowCase::attention(sku, seed), false));
    }
}

#[test]
fn what_no_attention_has_is_refused() {
    let p = AttentionParams { head_dim: 48, causal: false, elem: Elem::F16 };
    let refused = |name: &str, p: AttentionParams| attention(&p, Sku::named(name).unwrap()).unwrap_err();
    assert!(matches!(refused("mi300x", p), AttentionError::Parameter { name: "head_dim", .. }));
    let old = AttentionParams { head_dim: 64, elem: Elem::Bf16, ..p };
    assert!(matches!(refused("mi100", old), AttentionError::Parameter { name: "dtype", .. }));
}

//! Our kernels under the static checker at its strictest: no path lacks a wait, a wait state or a value, by any authority.

use wavesmith_asm::{Sku, Target};
use wavesmith_check::{Options, check, text};
use wavesmith_kernels::catalog::generate;
use wavesmith_kernels::monokernel::{KvType, Params, Sync, monokernel};
use wavesmith_model::LlamaConfig;
use wavesmith_model::synthetic::SMALL;

/// Instructions of an object with which even advice does not find fault.
fn instructions_without_finding(object: &[u8], what: &str) -> usize {
    let report = check(object, &Options { strict: true, ..Options::default() }).unwrap();
    assert!(report.findings.is_empty() && report.notes.is_empty(), "{what}\n{}", text(&report, true));
    report.instructions
}

#[test]
fn the_strict_checker_has_nothing_to_say_of_any_build_of_the_monokernel() {
    let base = Params::new(8, 64);
    let builds = [
        ("mi300x", LlamaConfig::SMOLLM2_135M, base),
        ("mi300x", LlamaConfig::SMOLLM2_135M, Params { sync: Sync::Counter, top_k: 40, ..base }),
        ("mi300x", SMALL, Params { kv: KvType::F32, spins: 4, top_k: 40, ..base }),
        ("mi355x", SMALL, base),
        ("mi355x", LlamaConfig::SMOLLM2_135M, Params { kv: KvType::F32, ..base }),
    ];
    for (sku, config, params) in builds {
        let made = monokernel(&config, Sku::named(sku).unwrap(), &params).unwrap();
        assert!(instructions_without_finding(&made.object, &format!("{sku} {params:?}")) > 2000);
    }
}

#[test]
fn the_strict_checker_has_nothing_to_say_of_a_gemm_of_any_type_on_any_target() {
    let skus = ["mi100", "mi210", "mi300x", "mi355x"].map(|n| Sku::named(n).unwrap());
    let variants: [&[(&str, &str)]; 5] = [
        &[],
        &[("trans_a", "true"), ("beta", "true")],
        &[("trans_b", "true"), ("bias", "true"), ("activation", "relu")],
        &[("schedule", "list"), ("mfma", "32")],
        &[("schedule", "interleave:2,4")],
    ];
    let mut made = [0; 4];
    for dtype in ["f16", "f16f32", "bf16", "f32", "xf32", "f64", "i8", "fp8", "bf8"] {
        for (sku, variant) in skus.iter().flat_map(|s| variants.map(|v| (*s, v))) {
            let mut parameters = vec![("dtype".to_owned(), dtype.to_owned())];
            parameters.extend(variant.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())));
            // Not every target has every type, nor every type every variant.
            let Ok(kernel) = generate("gemm", &parameters, sku) else { continue };
            let what = format!("{} {parameters:?}", sku.target);
            assert!(instructions_without_finding(&kernel.object, &what) > 300, "{what}");
            made[Target::ALL.iter().position(|t| *t == sku.target).unwrap()] += 1;
        }
    }
    assert!(made.iter().all(|n| *n >= 12), "{made:?}");
}

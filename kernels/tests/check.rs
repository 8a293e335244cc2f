//! The monokernel under the static checker: no path lacks a wait, a wait state or a value.

use wavesmith_asm::Sku;
use wavesmith_check::{Options, Severity, check, text};
use wavesmith_kernels::monokernel::{KvType, Params, Sync, monokernel};
use wavesmith_model::LlamaConfig;
use wavesmith_model::synthetic::SMALL;

#[test]
fn the_checker_finds_no_error_in_any_build() {
    let base = Params::new(8, 64);
    let builds = [
        ("mi300x", LlamaConfig::SMOLLM2_135M, base),
        ("mi300x", LlamaConfig::SMOLLM2_135M, Params { sync: Sync::Counter, top_k: 40, ..base }),
        ("mi300x", SMALL, Params { kv: KvType::F32, spins: 4, top_k: 40, ..base }),
        ("mi355x", SMALL, base),
    ];
    for (sku, config, params) in builds {
        let made = monokernel(&config, Sku::named(sku).unwrap(), &params).unwrap();
        let report = check(&made.object, &Options::default()).unwrap();
        let errors = report.findings.iter().filter(|f| f.severity == Severity::Error).count();
        assert_eq!(errors, 0, "{sku} {params:?}\n{}", text(&report, false));
        assert!(report.instructions > 2000);
    }
}

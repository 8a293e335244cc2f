//! Kernels by others under the checker: those of the compilers have no error, and those of AITER only the ones that
//! `docs/findings.md` argues to be real.
//!
//! AITER's kernels are read from the folder that `WAVESMITH_CORPUS` names; without it the test says so and passes.

#[path = "../../loader/tests/corpus/mod.rs"]
mod corpus;

use wavesmith_check::{Finding, Kind, Options, Severity, check, text};

/// Families whose errors are argued in `docs/findings.md`: part of the path, kind, and rule or consumer.
const ARGUED: &[(&str, Kind, &str)] = &[
    ("gfx942/fmoe", Kind::WriteBeforeWait, ""),
    ("gfx950/fmoe/", Kind::WriteBeforeWait, ""),
    ("gfx950/mla/", Kind::ReadBeforeWait, ""),
    ("gfx942/mla/", Kind::ReadBeforeWait, ""),
    ("gfx942/pa/", Kind::ReadBeforeWait, ""),
    ("gfx950/pa/", Kind::ReadBeforeWait, ""),
    ("gfx942/fmha_v3_bwd/", Kind::ReadBeforeWait, ""),
    ("gfx950/fmha_v3_fwd/", Kind::ReadBeforeWait, ""),
    ("gfx950/fmha_v4_fwd/", Kind::ReadBeforeWait, ""),
    ("gfx950/fmha_v4_fwd/", Kind::WriteBeforeWait, ""),
    ("gfx942/fmoe/silu/fmoe_bf16_a16_blockscaleFp8", Kind::ReadBeforeWait, ""),
    ("gfx942/fmoe/silu/fmoe_bf16_a16_blockscaleFp8", Kind::Registers, ""),
    ("gfx942/allreduce_", Kind::WaitStates, "VALU writes SGPR, VMEM reads it"),
    ("gfx950/fmha_v4_fwd/fwd_hd128_i8fp8", Kind::WaitStates, "VALU writes VGPR, MFMA reads it"),
    ("gfx950/fmha_v4_fwd/fwd_hd128_i8fp8", Kind::WaitStates, "partly written register, MFMA reads it"),
    ("gfx950/mla_v4/", Kind::WaitStates, "VALU writes VGPR, v_permlane swap reads it"),
    (
        "gfx950/f4gemm/f4gemm_bf16_per1x32Fp4_noBpreShuffle_256x256",
        Kind::WaitStates,
        "wide store with SGPR offset, VALU overwrites its data",
    ),
];

fn argued(path: &str, f: &Finding) -> Option<usize> {
    ARGUED.iter().position(|(part, kind, rule)| {
        path.contains(part) && f.kind == *kind && (rule.is_empty() || f.rule == Some(*rule))
    })
}

#[test]
fn kernels_of_the_compilers_have_no_error() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");
    let paths = corpus::below(folder);
    if paths.is_empty() {
        eprintln!("SKIPPED: needs the compilers' kernels beside the repository");
    }
    for path in paths {
        let report = check(&std::fs::read(&path).unwrap(), &Options::default()).unwrap();
        assert!(!report.failed(), "{}\n{}", path.display(), text(&report, false));
        assert!(report.notes.is_empty(), "{}\n{}", path.display(), text(&report, false));
    }
}

#[test]
fn kernels_of_aiter_have_no_error_that_is_not_argued() {
    let Some(folder) = std::env::var_os("WAVESMITH_CORPUS") else {
        eprintln!("SKIPPED: needs AITER's kernels in the folder that WAVESMITH_CORPUS names");
        return;
    };
    let paths = corpus::below(folder);
    assert!(!paths.is_empty(), "WAVESMITH_CORPUS names a folder without code objects");
    let mut met = vec![false; ARGUED.len()];
    let mut new = Vec::new();
    for path in &paths {
        let report = check(&std::fs::read(path).unwrap(), &Options::default()).unwrap();
        let name = path.display().to_string();
        for f in report.findings.iter().filter(|f| f.severity == Severity::Error) {
            match argued(&name, f) {
                Some(i) => met[i] = true,
                None => new.push(format!("{name}: {}", f.message)),
            }
        }
    }
    assert!(new.is_empty(), "{} errors are not argued:\n{}", new.len(), new.join("\n"));
    if paths.len() >= 2871 {
        let stale: Vec<_> = ARGUED.iter().zip(met).filter(|(_, met)| !met).map(|(a, _)| a.0).collect();
        assert!(stale.is_empty(), "no longer found: {stale:?}");
    }
}

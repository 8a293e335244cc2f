//! Kernels by others under the checker: those of the compilers have no error, and those of AITER only the ones that
//! `docs/findings.md` argues to be real.
//!
//! AITER's kernels are read from the folder that `WAVESMITH_CORPUS` names; without it the test says so and passes.

#[path = "../../loader/tests/corpus/mod.rs"]
mod corpus;
mod queues;

use wavesmith_check::{Finding, Kind, Options, Severity, check, text};
use wavesmith_loader::code_object::CodeObject;

/// Families whose errors are argued in `docs/findings.md`: part of the path, kind, rule, and how many there are.
const ARGUED: &[(&str, Kind, &str, usize)] = &[
    ("gfx942/fmoe", Kind::WriteBeforeWait, "", 88),
    ("gfx942/fmoe/silu/fmoe_bf16_a16_blockscaleFp8", Kind::ReadBeforeWait, "", 67),
    ("gfx942/fmoe/silu/fmoe_bf16_a16_blockscaleFp8", Kind::Registers, "", 2),
    ("gfx942/fmha_v3_bwd/bwd_", Kind::ReadBeforeWait, "", 384),
    ("gfx942/mla/", Kind::ReadBeforeWait, "", 88),
    ("gfx942/pa/", Kind::ReadBeforeWait, "", 384),
    ("gfx942/pa_a16w16_", Kind::ReadBeforeWait, "", 8),
    ("gfx942/allreduce_", Kind::WaitStates, "VALU writes SGPR, VMEM reads it", 112),
    ("gfx950/fmoe/", Kind::WriteBeforeWait, "", 82),
    ("gfx950/mla/", Kind::ReadBeforeWait, "", 986),
    ("gfx950/pa/", Kind::ReadBeforeWait, "", 384),
    ("gfx950/fmha_v3_fwd/", Kind::ReadBeforeWait, "", 1536),
    ("gfx950/fmha_v4_fwd/", Kind::ReadBeforeWait, "", 108),
    ("gfx950/fmha_v4_fwd/fwd_hd128_i8fp8", Kind::WaitStates, "VALU writes VGPR, MFMA reads it", 36),
    ("gfx950/fmha_v4_fwd/fwd_hd128_i8fp8", Kind::WaitStates, "partly written register, MFMA reads it", 36),
    ("gfx950/mla_v4/", Kind::WaitStates, "VALU writes VGPR, v_permlane swap reads it", 12),
    (
        "gfx950/f4gemm/f4gemm_bf16_per1x32Fp4_noBpreShuffle_256x256",
        Kind::WaitStates,
        "wide store with SGPR offset, VALU overwrites its data",
        3,
    ),
];

fn argued(path: &str, f: &Finding) -> Option<usize> {
    ARGUED.iter().position(|(part, kind, rule, _)| {
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

/// Besides being argued, each missing wait is replayed: with counters as queues, along the way that the finding names, the
/// operation is outstanding when its register is touched.
#[test]
fn kernels_of_aiter_have_no_error_that_is_not_argued_and_replayed() {
    let Some(folder) = std::env::var_os("WAVESMITH_CORPUS") else {
        eprintln!("SKIPPED: needs AITER's kernels in the folder that WAVESMITH_CORPUS names");
        return;
    };
    let paths = corpus::below(folder);
    assert!(!paths.is_empty(), "WAVESMITH_CORPUS names a folder without code objects");
    let mut met = vec![0; ARGUED.len()];
    let (mut new, mut missing, mut replayed) = (Vec::new(), 0, 0);
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let object = CodeObject::parse(&bytes).unwrap();
        let report = check(&bytes, &Options::default()).unwrap();
        let name = path.display().to_string();
        for f in report.findings.iter().filter(|f| f.severity == Severity::Error) {
            match argued(&name, f) {
                Some(i) => met[i] += f.sites(),
                None => new.push(format!("{name}: {}", f.message)),
            }
            if let (Kind::ReadBeforeWait | Kind::WriteBeforeWait, Some(at), Some(from)) = (f.kind, &f.at, &f.other) {
                missing += 1;
                let also = f.also.iter().map(|a| (&a.path, a.other.pc, a.at.pc));
                for (path, from, at) in [(&f.path, from.pc, at.pc)].into_iter().chain(also) {
                    let outstanding = queues::is_outstanding_along(&object, &bytes, path, from, at);
                    assert_eq!(outstanding, Ok(true), "{name}: {} {path:x?}", f.message);
                    replayed += 1;
                }
            }
        }
    }
    for ((part, kind, rule, _), n) in ARGUED.iter().zip(&met) {
        println!("{part} {kind} {rule}: {n}");
    }
    println!("{missing} missing waits, {replayed} accesses replayed");
    assert!(new.is_empty(), "{} errors are not argued:\n{}", new.len(), new.join("\n"));
    if paths.len() >= 2871 {
        let counted: Vec<_> = ARGUED.iter().map(|a| a.3).collect();
        assert_eq!(met, counted, "sites of each argued family, as docs/findings.md has them");
    }
}

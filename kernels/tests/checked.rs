//! Generated kernels under the static checker: nothing is missing, and nothing that was inserted could be left out.
//!
//! The checker knows waits and wait states by code of its own, so it holds the emitter to them from both sides: a
//! kernel passes as it is, and fails once any one inserted wait or nop is taken as absent.

use std::collections::BTreeMap;
use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;
use wavesmith_check::{Edit, Options, check};
use wavesmith_emitter::listing::Line;
use wavesmith_kernels::gemm::{Dtype, Extras, Gemm, GemmError, GemmParams, GemmProblem, Schedule, gemm};
use wavesmith_loader::code_object::CodeObject;

fn problem(k: u32) -> GemmProblem {
    GemmProblem { m: 512, n: 512, k, batch: 1, lda: k, ldb: k, ldc: 512, alpha: 1.0, beta: 0.0 }
}

/// Every type, transposition and schedule that a part has, at its default tile.
fn gemms(sku: &'static Sku) -> Vec<Gemm> {
    let mut out = Vec::new();
    for dtype in Dtype::ALL {
        for (trans_a, trans_b) in [(false, false), (false, true), (true, false), (true, true)] {
            if dtype.is_scaled() && (trans_a || !trans_b) {
                continue;
            }
            for schedule in
                [Schedule::Plain, Schedule::Interleave { mfma_per_read: 2, mfma_per_load: 4 }, Schedule::List]
            {
                let suited = GemmParams::suited(dtype, trans_a, trans_b, &problem(1024), sku);
                match gemm(&GemmParams { schedule, ..suited }, sku) {
                    Ok(made) => out.push(made),
                    Err(GemmError::NoInstruction { .. }) => {}
                    Err(e) => panic!("{} {suited:?}: {e}", sku.name),
                }
            }
        }
    }
    out
}

fn strict(edits: BTreeMap<u64, Edit>) -> Options {
    Options { strict: true, edits, ..Options::default() }
}

#[test]
fn every_gemm_of_every_part_passes_the_strict_check() {
    let mut checked = 0;
    for sku in SKUS {
        for made in gemms(sku) {
            let report = check(&made.object, &strict(BTreeMap::new())).unwrap();
            assert!(!report.failed(), "{} {:?}: {:#?}", sku.name, made.params, report.findings);
            checked += 1;
        }
    }
    assert!(checked >= 9 * 60, "only {checked} kernels");
}

#[test]
fn every_inserted_wait_and_nop_is_needed() {
    let (mut tried, mut idle) = (0, Vec::new());
    for name in ["mi100", "mi210", "mi300x", "mi355x"] {
        let sku = Sku::named(name).unwrap();
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64, Dtype::I8, Dtype::Fp8] {
            let suited = GemmParams::suited(dtype, false, true, &problem(1024), sku);
            let extras = Extras { bias: true, ..Extras::default() };
            let params = GemmParams { tile_m: 64, tile_n: 64, extras, ..suited };
            let Ok(made) = gemm(&params, sku) else { continue };
            let object = CodeObject::parse(&made.object).unwrap();
            let entry = object.kernel("gemm").unwrap().entry_vaddr;
            for line in &made.kernel.listing.lines {
                let Line::Instruction { offset, inst, source: None, .. } = line else { continue };
                let at = entry + u64::from(*offset);
                let report = check(&made.object, &strict(BTreeMap::from([(at, Edit::Remove)]))).unwrap();
                tried += 1;
                if !report.failed() {
                    idle.push(format!("{name} {dtype:?}: {inst:?} at {offset:#x}"));
                }
            }
        }
    }
    assert!(tried > 500, "only {tried} were inserted");
    assert!(idle.is_empty(), "{} of {tried} could be left out:\n{}", idle.len(), idle.join("\n"));
}

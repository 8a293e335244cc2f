//! Generated kernels under the static checker: nothing is missing, and nothing that was inserted could be left out.
//!
//! The checker knows waits and wait states by code of its own, so it holds the emitter to them from both sides: a
//! kernel passes as it is, and fails once any one inserted wait or nop is taken as absent.

use std::collections::BTreeMap;
use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;
use wavesmith_check::{Edit, Options, check};
use wavesmith_emitter::listing::Line;
use wavesmith_kernels::gemm::{Gemm, GemmError, GemmParams, gemm, set};
use wavesmith_loader::code_object::CodeObject;

/// The GEMM set of a part.
fn gemms(sku: &'static Sku) -> Vec<Gemm> {
    let made = |p: &GemmParams| match gemm(p, sku) {
        Ok(made) => Some(made),
        Err(GemmError::NoInstruction { .. }) => None,
        Err(e) => panic!("{} {p:?}: {e}", sku.name),
    };
    set([1024; 3], sku).iter().filter_map(made).collect()
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

/// A sample: the example `needed` tries all of them.
#[test]
fn every_inserted_wait_and_nop_is_needed() {
    const EVERY: usize = 41;
    let (mut seen, mut tried, mut idle) = (0, 0, Vec::new());
    for name in ["mi100", "mi210", "mi300x", "mi355x"] {
        let sku = Sku::named(name).unwrap();
        for made in gemms(sku) {
            let object = CodeObject::parse(&made.object).unwrap();
            let entry = object.kernel("gemm").unwrap().entry_vaddr;
            for line in &made.kernel.listing.lines {
                let Line::Instruction { offset, inst, source: None, .. } = line else { continue };
                seen += 1;
                if seen % EVERY != 0 {
                    continue;
                }
                let at = entry + u64::from(*offset);
                let report = check(&made.object, &strict(BTreeMap::from([(at, Edit::Remove)]))).unwrap();
                tried += 1;
                if !report.failed() {
                    idle.push(format!("{name} {:?}: {inst:?} at {offset:#x}", made.params));
                }
            }
        }
    }
    assert!(tried > 300, "only {tried} were inserted");
    assert!(idle.is_empty(), "{} of {tried} could be left out:\n{}", idle.len(), idle.join("\n"));
}

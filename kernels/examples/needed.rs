//! Whether every wait and nop that the emitter inserted is needed: each one of every GEMM of every part's set is taken away alone, and
//! the static checker must then find an error. `cargo run --release -p wavesmith-kernels --example needed [-- EVERY]`
//! tries every EVERY-th of them (1 without).

use std::collections::BTreeMap;
use wavesmith_asm::sku::SKUS;
use wavesmith_check::{Edit, Options, check};
use wavesmith_emitter::listing::Line;
use wavesmith_kernels::gemm::{KERNEL, gemm, set};
use wavesmith_loader::code_object::CodeObject;

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    let every: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let strict = |edits| Options { strict: true, edits, ..Options::default() };
    let mut idle = 0;
    for sku in SKUS {
        let name = sku.name;
        let (mut kernels, mut passed, mut waits, mut nops, mut needed, mut at) = (0, 0, 0, 0, 0, 0);
        for made in set([1024; 3], sku).iter().filter_map(|p| gemm(p, sku).ok()) {
            kernels += 1;
            let clean = !check(&made.object, &strict(BTreeMap::new())).expect("parses").failed();
            passed += u32::from(clean);
            let object = CodeObject::parse(&made.object).expect("parses");
            let entry = object.kernel(KERNEL).expect("is there").entry_vaddr;
            for line in &made.kernel.listing.lines {
                let Line::Instruction { offset, inst, source: None, .. } = line else { continue };
                at += 1;
                if at % every != 0 {
                    continue;
                }
                if inst.name() == "s_nop" {
                    nops += 1
                } else {
                    waits += 1
                }
                let without = strict(BTreeMap::from([(entry + u64::from(*offset), Edit::Remove)]));
                if check(&made.object, &without).expect("parses").failed() {
                    needed += 1;
                } else {
                    idle += 1;
                    println!("{name}: {:?}: {} at {offset:#x} could be left out", made.params, inst.name());
                }
            }
        }
        println!(
            "{name}: {kernels} kernels, {passed} pass; {waits} waits and {nops} nops taken away one at a time, {needed} of \
             them make the checker fail"
        );
    }
    if idle > 0 {
        std::process::exit(1);
    }
}

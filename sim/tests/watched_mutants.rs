//! Mutation score of static and dynamic half together, on kernels of clang and Triton that are run and compared with plain
//! Rust: every barrier, wait, cache operation and `sc1` is taken out in turn. A mutant is caught by the static checker, by
//! the watching engine, or by wrong results; those that survive are listed.
//!
//! Static mutants of waits and nops alone, weakened by one too, are `check/tests/mutants.rs`.

#[path = "kernels.rs"]
mod watched_kernels;

use std::panic::{AssertUnwindSafe, catch_unwind};
use watched_kernels::watched::{MUTANT, Mutant};

/// Why a mutant without a fault is none, where its place alone shows it.
fn reason(text: &str) -> Option<&'static str> {
    // In front of the second entry of kernels with preloaded arguments.
    let start = ["0x8 ", "0x10 ", "0xc "].iter().any(|at| text.contains(at)) && text.contains("s_waitcnt lgkmcnt(0)");
    start.then_some("in front of the second entry: the kernel waits again before it reads an argument")
}

#[test]
fn most_mutants_of_what_orders_memory_are_caught_and_the_others_listed() {
    let kernels: [(&str, fn()); 6] = [
        ("vadd by clang", watched_kernels::vadd_by_clang_adds_on_every_target),
        ("reduce by clang", watched_kernels::reduce_by_clang_sums_through_lds_and_barriers_on_every_target),
        ("matmul by clang", watched_kernels::matmul_by_clang_multiplies_ragged_shapes_on_every_target),
        ("mfma by clang", watched_kernels::one_matrix_instruction_multiplies_sixteen_by_sixteen_on_every_target),
        ("vadd by Triton", watched_kernels::vadd_by_triton_adds_on_every_target),
        ("matmul by Triton", watched_kernels::matmul_in_bf16_by_triton_multiplies_on_every_target),
    ];
    let (mut total, mut static_half, mut dynamic_half) = (0, 0, 0);
    let mut survivors = Vec::new();
    for (name, run) in kernels {
        MUTANT.set(Some(Mutant { wanted: usize::MAX, ..Mutant::default() }));
        run();
        let sites = MUTANT.with_borrow(|m| m.as_ref().map_or(0, |m| m.sites));
        for wanted in 0..sites {
            MUTANT.set(Some(Mutant { wanted, ..Mutant::default() }));
            let hook = std::panic::take_hook();
            std::panic::set_hook(Box::new(|_| {}));
            let failed = catch_unwind(AssertUnwindSafe(run)).is_err();
            std::panic::set_hook(hook);
            let Some(mutant) = MUTANT.take() else { continue };
            total += 1;
            let found = wavesmith_check::check(&mutant.object, &wavesmith_check::Options::default());
            if found.is_ok_and(|r| r.failed()) {
                static_half += 1;
            } else if failed {
                dynamic_half += 1;
            } else {
                survivors.push(format!("{name}: {}", mutant.text));
            }
        }
    }
    MUTANT.set(None);
    println!(
        "{total} mutants: {static_half} by the static half, {dynamic_half} more by the dynamic half, {} survive",
        survivors.len()
    );
    for s in &survivors {
        println!("  {s}{}", reason(s).map_or_else(String::new, |r| format!(" ({r})")));
    }
    let caught = static_half + dynamic_half;
    assert!(2 * caught >= total, "only {caught} of {total} are caught: {survivors:#?}");
}

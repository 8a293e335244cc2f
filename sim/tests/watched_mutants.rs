//! Mutation score of static and dynamic half together, on kernels of clang and Triton that are run and compared with plain
//! Rust: every wait, nop, barrier, cache operation, `sc0` (`glc`) and `sc1` is taken out or weakened in turn. A mutant is
//! caught by an error of the static checker, by the watching engine, or by wrong results; it is advice where either half
//! says something that it did not say before. Each that remains must be proved harmless, or have a reason stated here.
//!
//! Static mutants of waits and nops alone are `check/tests/mutants.rs`. A sample is tried; `WAVESMITH_ALL` tries all.

#[path = "../../check/tests/queues/mod.rs"]
mod queues;
#[path = "../../check/tests/mutation/reason.rs"]
mod reason;
#[path = "kernels.rs"]
mod watched_kernels;

use queues::{Change, Prover};
use reason::why_advice;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use watched_kernels::watched::{MUTANT, Mutant};
use wavesmith_asm::{Target, decode};
use wavesmith_check::{Edit, Kind, Options, Report, Severity, check};
use wavesmith_loader::code_object::CodeObject;

/// Seeds of the watching engine that a mutant is given.
const SEEDS: u64 = 3;

/// What the static half finds, by weight, kind and place.
fn findings(report: &Report) -> BTreeSet<(Severity, Kind, Option<u64>)> {
    report.findings.iter().map(|f| (f.severity, f.kind, f.at.as_ref().map(|p| p.pc))).collect()
}

/// Shows that nothing that one wave's registers or its order of stores tells depends on the mutant.
fn proof(mutant: &Mutant) -> Result<usize, String> {
    let object = CodeObject::parse(&mutant.before).expect("a code object");
    let at = mutant.at;
    let words = |bytes: &[u8]| -> Vec<u32> {
        let range = object.file_range(at, 4).expect("code is in the file");
        let end = bytes.len().min(range.start + 12);
        bytes[range.start..end].as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect()
    };
    let was = decode(&words(&mutant.before), object.target).expect("it was decoded");
    let change = match mutant.edits.get(&at) {
        Some(Edit::Remove) => Change::Gone,
        _ => Change::Instead(decode(&words(&mutant.object), object.target).expect("an instruction")),
    };
    let entries: Vec<u64> = object
        .kernels
        .iter()
        .flat_map(|k| [Some(k.entry_vaddr), (k.descriptor.preload_length > 0).then_some(k.entry_vaddr + 256)])
        .flatten()
        .collect();
    Prover::new(&object, &mutant.before, &entries).proof(at, &was, &change)
}

/// Why most barriers of `reduce` are not needed: of nine, two stand in front of a step that reads what other waves have written
/// (strides of 128 and 64), and seven behind those. There are two objects of it for each target.
const OWN: (&str, usize) = ("from a stride of 32 on, a wave reads only what it has written itself", 14);

/// Why a mutant that neither half sees is harmless, where more than one wave's registers must be looked at.
fn reason(mutant: &Mutant) -> Option<&'static str> {
    let has = |part: &str| mutant.text.contains(part);
    (has("s_barrier") && has("reduce")).then_some(OWN.0)
}

#[derive(Default)]
struct Score {
    total: usize,
    by_static: usize,
    by_dynamic: usize,
    advised: BTreeMap<String, (Vec<String>, usize)>,
    harmless: BTreeMap<&'static str, Vec<String>>,
    unexplained: Vec<String>,
}

impl Score {
    fn judge(&mut self, mutant: &Mutant, failed: bool) {
        self.total += 1;
        let report = mutant.report();
        if report.failed() {
            self.by_static += 1;
            return;
        }
        if failed {
            self.by_dynamic += 1;
            return;
        }
        let usual = findings(&check(&mutant.before, &Options::default()).expect("a code object"));
        let new = report.findings.iter().find(|f| !usual.contains(&(f.severity, f.kind, f.at.as_ref().map(|p| p.pc))));
        if let Some(f) = new {
            let of = self.advised.entry(why_advice(f)).or_default();
            of.0.push(mutant.text.clone());
            of.1 += 1;
            return;
        }
        let proved = proof(mutant);
        match (&proved, reason(mutant)) {
            (Ok(_), _) => {
                let why =
                    "no way leads to it, or every way waits again before the first use and before others can see it";
                self.harmless.entry(why).or_default().push(mutant.text.clone());
            }
            (Err(_), Some(why)) => self.harmless.entry(why).or_default().push(mutant.text.clone()),
            (Err(why), None) => self.unexplained.push(format!("{}: {why}", mutant.text)),
        }
    }
}

/// Runs a mutant with a seed: what it was, and whether it was caught.
fn run_mutant(target: Target, wanted: usize, seed: u64, run: impl Fn()) -> (Mutant, bool) {
    MUTANT.set(Some(Mutant { wanted, seed, only: Some(target), ..Mutant::default() }));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let failed = catch_unwind(AssertUnwindSafe(run)).is_err();
    std::panic::set_hook(hook);
    (MUTANT.take().unwrap_or_default(), failed)
}

/// How many mutants there are of what `run` loads.
fn sites(target: Target, run: impl Fn()) -> usize {
    MUTANT.set(Some(Mutant { wanted: usize::MAX, only: Some(target), ..Mutant::default() }));
    run();
    MUTANT.take().map_or(0, |m| m.sites)
}

/// Waits that static half leaves to the data: Triton's kernels take their branches by the length alone, so all data there
/// are can be tried. One block of vadd does the same for every length from 0 to 1024 as any block of a longer vector; the
/// loop of the matmul runs not at all, once, twice or more often. What all of them leave uncaught, no data need.
#[test]
fn waits_that_data_may_exclude_are_needed_by_no_data_there_are() {
    let all = std::env::var_os("WAVESMITH_ALL").is_some();
    let lengths = |step: usize| (0..=1024).step_by(if all { 1 } else { step }).map(|n| n as u32);
    let (mut tried, mut caught, mut needless) = (0, Vec::new(), Vec::new());
    for target in Target::ALL {
        type Runs = Vec<Box<dyn Fn()>>;
        let vadd: Runs =
            lengths(93).map(|n| Box::new(move || watched_kernels::vadd_by_triton(1, n)) as Box<dyn Fn()>).collect();
        let matmul: Runs = (0..5)
            .map(|trips| Box::new(move || watched_kernels::matmul_by_triton(32 * trips)) as Box<dyn Fn()>)
            .collect();
        for runs in [vadd, matmul] {
            for wanted in 0..sites(target, &runs[1]) {
                let (mutant, failed) = run_mutant(target, wanted, 0, &runs[1]);
                let report = mutant.report();
                let doubted = |f: &wavesmith_check::Finding| f.message.contains("decisions");
                if report.failed() || !report.findings.iter().any(doubted) {
                    continue;
                }
                tried += 1;
                let failed = failed || runs.iter().any(|run| run_mutant(target, wanted, 0, run).1);
                if failed { &mut caught } else { &mut needless }.push(mutant.text);
            }
        }
    }
    println!("{tried} mutants: {} are caught by some data: {caught:#?}", caught.len());
    println!("{} are needed by no data: {needless:#?}", needless.len());
    if tried > 0 {
        assert_eq!(tried, 29);
        assert!(if all { needless.len() == 22 } else { (22..=29).contains(&needless.len()) }, "{needless:#?}");
    }
}

#[test]
fn every_mutant_of_what_orders_anything_is_caught_advised_on_or_harmless() {
    let kernels: [(&str, fn()); 6] = [
        ("vadd by clang", watched_kernels::vadd_by_clang_adds_on_every_target),
        ("reduce by clang", watched_kernels::reduce_by_clang_sums_through_lds_and_barriers_on_every_target),
        ("matmul by clang", watched_kernels::matmul_by_clang_multiplies_ragged_shapes_on_every_target),
        ("mfma by clang", watched_kernels::one_matrix_instruction_multiplies_sixteen_by_sixteen_on_every_target),
        ("vadd by Triton", watched_kernels::vadd_by_triton_adds_on_every_target),
        ("matmul by Triton", watched_kernels::matmul_in_bf16_by_triton_multiplies_on_every_target),
    ];
    let each = if std::env::var_os("WAVESMITH_ALL").is_some() { 1 } else { 41 };
    let mut scores: BTreeMap<Target, Score> = BTreeMap::new();
    let mut number = 0;
    for target in Target::ALL {
        let score = scores.entry(target).or_default();
        for (name, run) in kernels {
            for wanted in 0..sites(target, run) {
                number += 1;
                if number % each != 0 {
                    continue;
                }
                let mut failed = false;
                let mut last = Mutant::default();
                for seed in 0..SEEDS {
                    (last, failed) = run_mutant(target, wanted, seed, run);
                    if failed || seed == 0 && last.report().failed() {
                        break;
                    }
                }
                last.text = format!("{name}: {}", last.text);
                score.judge(&last, failed);
            }
        }
        // One more and a barrier that is needed is among them.
        if let Some(barriers) = score.harmless.get(OWN.0).filter(|b| b.len() > OWN.1) {
            score.unexplained.extend(barriers.iter().cloned());
        }
        let advised: usize = score.advised.values().map(|a| a.0.len()).sum();
        let strict: usize = score.advised.values().map(|a| a.1).sum();
        let harmless: usize = score.harmless.values().map(Vec::len).sum();
        println!(
            "{target}: {} mutants, {} errors of the static half, {} more of the dynamic half, {advised} advice ({strict} \
             errors with `--strict`), {harmless} harmless, {} unexplained",
            score.total,
            score.by_static,
            score.by_dynamic,
            score.unexplained.len()
        );
        for (why, (list, _)) in &score.advised {
            println!("  {} advice, {why}", list.len());
            list.iter().for_each(|l| println!("    {l}"));
        }
        for (why, list) in &score.harmless {
            println!("  {} harmless: {why}", list.len());
            list.iter().for_each(|l| println!("    {l}"));
        }
        println!("  unexplained: {:#?}", score.unexplained);
    }
    let total: usize = scores.values().map(|s| s.total).sum();
    let unexplained: Vec<&String> = scores.values().flat_map(|s| &s.unexplained).collect();
    assert!(unexplained.is_empty(), "{} of {total}: {unexplained:#?}", unexplained.len());
}

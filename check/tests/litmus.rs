//! Protocols between waves as clang compiles them (`litmus/kernels.hip`), in every order and scope that C11 and HIP have for
//! them, on every target: the right ones pass under many seeds, the ones with a part too weak are found. Then the same on
//! the machine code: one wait, nop, barrier, cache operation or scope bit is taken out or weakened at a time.
//!
//! `WAVESMITH_SEEDS=100` runs more seeds, `WAVESMITH_ALL=1` every mutant instead of a sample.

#[path = "support/clang.rs"]
mod clang;
#[path = "queues/mod.rs"]
mod queues;
#[path = "watched/run.rs"]
#[allow(dead_code, reason = "each test file uses its part")]
mod run;
#[path = "mutation/weakened.rs"]
mod weakened;

use queues::{Change, Prover};
use run::{Buffers, Seen};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use wavesmith_asm::counters::WaitCnt;
use wavesmith_asm::sem::{Control, Sem, Space};
use wavesmith_asm::{Field, Inst, Target, decode, print};
use wavesmith_check::Edit;
use wavesmith_loader::code_object::CodeObject;
use wavesmith_sim::checked::{Kind, Severity};
use weakened::{Weakened, weakened};

/// Workgroups where there are several.
const N: u32 = 4;

/// The kernels for a target, compiled once; `None`, told loudly, without the compiler.
fn object(target: Target) -> Option<Vec<u8>> {
    static DONE: Mutex<BTreeMap<&str, Option<Vec<u8>>>> = Mutex::new(BTreeMap::new());
    DONE.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .entry(target.name())
        .or_insert_with(|| clang::compiled("litmus/kernels.hip", target))
        .clone()
}

fn seeds(default: u64) -> u64 {
    std::env::var("WAVESMITH_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// A protocol's name without its mode.
fn protocol(kernel: &str) -> &str {
    kernel.split_once('_').unwrap().0
}

/// Work-items and workgroups of a kernel.
fn shape(kernel: &str) -> (u16, u32) {
    match protocol(kernel) {
        "message" | "grid" | "fixup" | "last" => (128, N),
        "spinlock" | "ticket" | "lookback" | "packed" => (64, N),
        "ring" => (64, 2),
        "pair" | "inside" | "innerring" => (128, 1),
        "innerticket" => (256, 1),
        other => panic!("{other}?"),
    }
}

/// What a run must leave: dwords by buffer (1 is data, 2 the results) and index.
fn wanted(kernel: &str) -> Vec<(usize, usize, u32)> {
    let n = N as usize;
    let lanes = |count: usize, f: &dyn Fn(usize) -> u32| (0..count).map(|l| (2, l, f(l))).collect::<Vec<_>>();
    match protocol(kernel) {
        "message" => (1..n).flat_map(|g| (0..128).map(move |l| (2, g * 128 + l, 132 - l as u32))).collect(),
        "spinlock" => vec![(1, 0, N * (N + 1) / 2), (1, 64, 2 * N)],
        "ring" | "innerring" => lanes(640, &|l| (l / 64 * 100 + l % 64) as u32),
        "ticket" | "innerticket" => vec![(1, 0, N * (N + 1) / 2)],
        "grid" => (0..2 * n)
            .flat_map(|i| {
                let (round, g) = (i / n + 1, i % n);
                let of = (g + 1) % n;
                (0..128).map(move |l| (2, (round * 8 + g) * 128 + l, (round * 1000 + of * 128 + 127 - l) as u32))
            })
            .chain((0..n).map(|g| (2, g, 2 * N)))
            .collect(),
        "fixup" => lanes(128, &|l| (0..n).map(|g| (g * l) as u32).sum()),
        "lookback" | "packed" => lanes(n, &|g| (0..g).map(|i| i as u32 * 3 + 1).sum()),
        "last" => lanes(128, &|l| (0..n).map(|g| (g + l) as u32).sum()),
        "pair" | "inside" => lanes(64, &|l| 68 - l as u32),
        other => panic!("{other}?"),
    }
}

/// One run; what was wrong with it, if anything.
fn wrong(buffers: &Buffers, object: &[u8], kernel: &str, seed: u64) -> Option<String> {
    let (block, groups) = shape(kernel);
    let seen: Seen = buffers.run(object, kernel, groups, block, N, seed);
    if let Some(f) = seen.findings.iter().find(|f| f.severity == Severity::Error && f.kind != Kind::Fault) {
        let at = f.at.as_ref().map_or_else(String::new, |p| format!("{:#x} {}", p.pc, p.text));
        return Some(format!("{}: {at}: {}", f.kind, f.message));
    }
    if let Some(fault) = seen.fault {
        return Some(fault);
    }
    let words = [seen.words(0), seen.words(1), seen.words(2)];
    wanted(kernel)
        .into_iter()
        .find(|(b, i, v)| words[*b][*i] != *v)
        .map(|(b, i, v)| format!("buffer {b}, dword {i}: {} instead of {v}", words[b][i]))
}

/// Names of the kernels whose mode is one of these.
fn kernels(object: &[u8], modes: &[&str]) -> Vec<String> {
    let parsed = CodeObject::parse(object).unwrap();
    let all = parsed.kernels.iter().map(|k| k.name.clone());
    all.filter(|k| modes.contains(&k.split_once('_').unwrap().1)).collect()
}

const RIGHT: &[&str] =
    &["agent", "system", "seq", "seqsystem", "fences", "fencessystem", "group", "groupseq", "groupfences"];

#[test]
fn right_protocols_pass_in_every_order_and_scope_on_every_target() {
    let mut count = 0;
    let mut bad = Vec::new();
    for target in Target::ALL {
        let Some(object) = object(target) else { return };
        let buffers = Buffers::new(target);
        for kernel in kernels(&object, RIGHT) {
            for seed in 0..seeds(3) {
                count += 1;
                if let Some(w) = wrong(&buffers, &object, &kernel, seed) {
                    bad.push(format!("{target} {kernel} seed {seed}: {w}"));
                    break;
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} of {count} runs:\n{}", bad.len(), bad.join("\n"));
    println!("{count} runs without a finding");
}

/// Why a protocol with a part too weak is right as it is compiled, if it is.
fn excuse(target: Target, kernel: &str) -> Option<&'static str> {
    let (protocol, mode) = kernel.split_once('_').unwrap();
    let behind_barrier = matches!(protocol, "message" | "grid" | "fixup" | "last");
    let unreleased = matches!(mode, "norelease" | "nobefore");
    (target == Target::Gfx908 && behind_barrier && unreleased)
        .then_some("the compiler waits for everything in front of a barrier on gfx908, and stores go to the one L2")
}

/// What stands around an instruction in the text of its kernel.
#[derive(Clone, Copy, Default)]
struct Around {
    /// The access to memory before it, and the one behind it.
    before: Option<Inst>,
    behind: Option<Inst>,
    /// Whether everything was waited for since the access before it.
    settled: bool,
}

/// Why a mutant of the machine code is harmless. Each reason says which instruction it is about, by what stands around it:
/// the same instruction elsewhere in the kernel has no excuse.
fn harmless(target: Target, kernel: &str, inst: &Inst, what: &str, around: Around) -> Option<&'static str> {
    let (protocol, mode) = kernel.split_once('_').unwrap();
    let sem = inst.row().sem;
    let text = print::text(inst);
    let wait = matches!(sem, Sem::Control(Control::Waitcnt));
    let part = |mine: &str, other: &str| {
        wait && (what.starts_with(mine) || what == "taken out" && text.contains(mine) && !text.contains(other))
    };
    let (for_memory, for_lds) = (part("vmcnt", "lgkmcnt"), part("lgkmcnt", "vmcnt"));
    let writeback = matches!(sem, Sem::CacheWriteback);
    let invalidate = matches!(sem, Sem::CacheInvalidate { .. });
    let is = |of: Option<Inst>, which: fn(Sem) -> bool| of.is_some_and(|i| which(i.row().sem));
    let modifies = |s: Sem| matches!(s, Sem::Atomic { .. });
    let stores_lds = |s: Sem| matches!(s, Sem::Store { space: Space::Lds, .. });
    let by_lane = |of: Option<Inst>| of.is_some_and(|i| print::text(&i).ends_with(", off"));
    let stores_by_lane = |s: Sem| matches!(s, Sem::Store { space: Space::Global, .. });
    // Where the ring's tail and the ticket's turn are; the head and the tickets are at 0.
    let second = |of: Option<Inst>| of.is_some_and(|i| i.get(Field::Offset) == 256);
    let inner = matches!(protocol, "pair" | "inside" | "innerring" | "innerticket");
    if inner && (for_memory || writeback || invalidate || what.starts_with("without ")) {
        // As clang compiles the same for a scope of one workgroup.
        return Some("waves of one workgroup share an L1, which keeps their order");
    }
    if protocol == "inside" && for_lds && is(around.before, stores_lds) && is(around.behind, stores_lds) {
        return Some("a wave's own LDS operations are done in order, data before the flag");
    }
    if mode == "system" && what == "without sc1" && modifies(sem) {
        return Some("one device: atomics without `sc1` have its scope");
    }
    if what == "without sc0 or glc" && inst.get(Field::Sc1) != 0 {
        return Some("one device: `sc1` alone is the scope of the device");
    }
    let across = matches!(sem, Sem::CacheWriteback | Sem::CacheInvalidate { l2: true, .. });
    if target == Target::Gfx90a && mode == "system" && across {
        return Some("one device, whose dies have one L2");
    }
    if for_memory && around.settled {
        return Some("everything was waited for in front of the barrier, and nothing has been issued since");
    }
    match protocol {
        "grid" if (wait || invalidate) && is(around.before, modifies) => {
            Some("the poll behind the read-modify-write acquires too")
        }
        "ticket" if (wait || writeback) && is(around.behind, modifies) => {
            Some("a ticket hands nothing on: the turn does")
        }
        // The newest store is to `out`, through an address that each lane computes.
        "ticket"
            if what == "vmcnt(1) for vmcnt(0)"
                && second(around.behind)
                && is(around.before, stores_by_lane)
                && by_lane(around.before) =>
        {
            Some("the store that may still be on its way is to what nobody else reads")
        }
        "ticket" if invalidate && is(around.before, modifies) => {
            Some("nothing is read before the poll of the turn acquires too")
        }
        "fixup" if for_memory && target == Target::Gfx908 && is(around.behind, |s| matches!(s, Sem::Load { .. })) => {
            Some(
                "on gfx908 the compiler waits in front of every barrier, here with nothing on its way on either way there",
            )
        }
        "spinlock" if writeback && is(around.behind, modifies) => {
            Some("there is nothing to release when a lock is taken")
        }
        "ring" if (wait || writeback) && second(around.behind) => {
            Some("nobody reads what the consumer writes, and what it has read has arrived")
        }
        "ring" if invalidate && second(around.before) => Some("the producer reads nothing that the consumer writes"),
        _ => None,
    }
}

#[test]
fn protocols_with_a_part_too_weak_are_found_on_every_target() {
    let mut missed = Vec::new();
    let mut count = 0;
    for target in Target::ALL {
        let Some(object) = object(target) else { return };
        let buffers = Buffers::new(target);
        for kernel in kernels(&object, &["norelease", "noacquire", "relaxed", "nobefore", "noafter", "narrow"]) {
            count += 1;
            if excuse(target, &kernel).is_some() {
                continue;
            }
            if (0..seeds(8)).all(|seed| wrong(&buffers, &object, &kernel, seed).is_none()) {
                missed.push(format!("{target} {kernel}"));
            }
        }
    }
    assert!(missed.is_empty(), "{} of {count} are missed:\n{}", missed.len(), missed.join("\n"));
}

/// A mutant of a kernel.
struct Mutant {
    inst: Inst,
    what: String,
    at: u64,
    words: Vec<u32>,
    object: Vec<u8>,
    /// What the static half is told of the object as it was, where the bytes do not say it.
    edits: BTreeMap<u64, Edit>,
    around: Around,
}

/// Every mutant of a kernel.
fn mutants(object: &[u8], kernel: &str) -> Vec<Mutant> {
    let parsed = CodeObject::parse(object).unwrap();
    let k = parsed.kernels.iter().find(|k| k.name == kernel).unwrap();
    let range = parsed.file_range(k.entry_vaddr, k.code_size).unwrap();
    let words: Vec<u32> = object[range.clone()].as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
    let (mut out, mut at) = (Vec::new(), 0);
    let mut insts = Vec::new();
    while at < words.len() {
        match decode(&words[at..], parsed.target) {
            Ok(inst) => {
                insts.push((at, inst));
                at += inst.dwords();
            }
            Err(_) => at += 1,
        }
    }
    for (n, &(at, inst)) in insts.iter().enumerate() {
        let around = around(&insts, n);
        for Weakened { what, words, edit } in weakened(&inst) {
            let mut bytes = object.to_vec();
            for (i, w) in words.iter().enumerate() {
                let from = range.start + 4 * (at + i);
                bytes[from..from + 4].copy_from_slice(&w.to_le_bytes());
            }
            let pc = k.entry_vaddr + 4 * at as u64;
            let edits = edit.map(|e| (pc, e)).into_iter().collect();
            out.push(Mutant { inst, what, at: pc, words, object: bytes, edits, around });
        }
    }
    out
}

/// What stands around an instruction.
fn around(insts: &[(usize, Inst)], n: usize) -> Around {
    let access = |i: &Inst| {
        matches!(
            i.row().sem,
            Sem::Load { .. } | Sem::Store { .. } | Sem::Atomic { .. } | Sem::DsLoad2 { .. } | Sem::DsStore2 { .. }
        )
    };
    let waits = |i: &Inst| {
        let all = WaitCnt::decode(i.get(Field::Simm16) as u16);
        matches!(i.row().sem, Sem::Control(Control::Waitcnt)) && all.vm == 0
    };
    let last = insts[..n].iter().rposition(|(_, i)| access(i));
    Around {
        before: last.map(|k| insts[k].1),
        behind: insts[n + 1..].iter().map(|(_, i)| *i).find(|i| access(i)),
        settled: insts[last.map_or(0, |k| k + 1)..n].iter().any(|(_, i)| waits(i)),
    }
}

/// What the static half finds, by weight, kind and place.
fn findings(object: &[u8], edits: &BTreeMap<u64, Edit>) -> BTreeSet<(Severity, wavesmith_check::Kind, Option<u64>)> {
    let options = wavesmith_check::Options { edits: edits.clone(), ..Default::default() };
    let report = wavesmith_check::check(object, &options).unwrap();
    report.findings.iter().map(|f| (f.severity, f.kind, f.at.as_ref().map(|p| p.pc))).collect()
}

#[test]
fn mutants_of_the_machine_code_are_found_or_harmless() {
    let all = std::env::var_os("WAVESMITH_ALL").is_some();
    let (mut count, mut by_static, mut by_dynamic, mut number) = (0, 0, 0, 0usize);
    let mut advised: BTreeMap<&str, usize> = BTreeMap::new();
    let mut survivors: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for target in Target::ALL {
        let Some(object) = object(target) else { return };
        let buffers = Buffers::new(target);
        let parsed = CodeObject::parse(&object).unwrap();
        let usual = findings(&object, &BTreeMap::new());
        for kernel in kernels(&object, &["agent", "system", "group"]) {
            let entry = parsed.kernel(&kernel).unwrap().entry_vaddr;
            let prover = Prover::new(&parsed, &object, &[entry]);
            for m in mutants(&object, &kernel) {
                number += 1;
                if !all && !number.is_multiple_of(29) {
                    continue;
                }
                count += 1;
                let base = if m.edits.is_empty() { &m.object } else { &object };
                let found = findings(base, &m.edits);
                if found.iter().any(|f| f.0 == Severity::Error) {
                    by_static += 1;
                    continue;
                }
                if (0..seeds(24)).any(|seed| wrong(&buffers, &m.object, &kernel, seed).is_some()) {
                    by_dynamic += 1;
                    continue;
                }
                if let Some((_, kind, _)) = found.difference(&usual).next() {
                    *advised.entry(kind.name()).or_default() += 1;
                    continue;
                }
                let change = match m.edits.get(&m.at) {
                    Some(Edit::Remove) => Change::Gone,
                    _ => Change::Instead(decode(&m.words, target).unwrap()),
                };
                let proof = prover.proof(m.at, &m.inst, &change);
                let why = match (&proof, harmless(target, &kernel, &m.inst, &m.what, m.around)) {
                    (Ok(_), _) => Some("proved: every way waits again before anything shows"),
                    (Err(_), reason) => reason,
                };
                match why {
                    Some(why) => *survivors.entry(why).or_default() += 1,
                    None => {
                        let text = print::text(&m.inst);
                        let [before, behind] =
                            [m.around.before, m.around.behind].map(|i| i.map_or_else(String::new, |i| print::text(&i)));
                        unexplained
                            .push(format!("{target} {kernel} {:#x} [{before}; {text}; {behind}]: {}", m.at, m.what));
                    }
                }
            }
        }
    }
    println!("{count} mutants: {by_static} are errors of the static half, {by_dynamic} more of the dynamic half");
    for (kind, n) in &advised {
        println!("{n} are advice of the static half, errors with `--strict`: {kind}");
    }
    for (why, n) in &survivors {
        println!("{n} survive: {why}");
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}

//! Mutation score: every `s_waitcnt` and `s_nop` of the compilers' kernels is taken out or weakened in turn, and the
//! checker must then say something that it did not say of the kernel as it was.
//!
//! Survivors are listed by class. A class is a reason that the code itself shows; a survivor without one fails the test.
//! The kernels lie beside the repository; without them the test says so and passes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use wavesmith_asm::counters::{EXPCNT_MAX, LGKMCNT_MAX, Raises, VMCNT_MAX, WaitCnt, raises};
use wavesmith_asm::sem::{Branch, Control, Sem};
use wavesmith_asm::{Field, Inst, decode, print};
use wavesmith_check::{Edit, Options, Severity, check};
use wavesmith_loader::code_object::CodeObject;

fn objects(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            objects(&path, out);
        } else if path.extension().is_some_and(|e| e == "co" || e == "hsaco") {
            out.push(path);
        }
    }
    out.sort();
}

/// The instructions of a kernel's symbol, in order.
fn code(object: &CodeObject, bytes: &[u8]) -> Vec<(u64, Inst)> {
    let mut out = Vec::new();
    for k in &object.kernels {
        let range = object.file_range(k.entry_vaddr, k.code_size).unwrap();
        let words: Vec<u32> = bytes[range].as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let mut at = 0;
        while at < words.len() {
            match decode(&words[at..], object.target) {
                Ok(inst) => {
                    out.push((k.entry_vaddr + 4 * at as u64, inst));
                    at += inst.dwords();
                }
                Err(_) => at += 1,
            }
        }
    }
    out
}

fn with_simm(inst: &Inst, simm: u16) -> Edit {
    let mut other = *inst;
    other.set(Field::Simm16, simm.into());
    Edit::Replace(other.words().to_vec())
}

/// The mutants of an instruction, with what each does.
fn mutants(inst: &Inst) -> Vec<(String, Edit)> {
    let simm = inst.get(Field::Simm16) as u16;
    let mut out = Vec::new();
    match inst.row().sem {
        Sem::Control(Control::Nop) => {
            out.push(("taken out".to_owned(), Edit::Remove));
            if simm & 15 > 0 {
                out.push(("one state less".to_owned(), with_simm(inst, simm - 1)));
            }
        }
        Sem::Control(Control::Waitcnt) => {
            out.push(("taken out".to_owned(), Edit::Remove));
            let w = WaitCnt::decode(simm);
            for (name, n, max, with) in [
                ("vmcnt", w.vm, VMCNT_MAX, WaitCnt { vm: w.vm.saturating_add(1), ..w }),
                ("lgkmcnt", w.lgkm, LGKMCNT_MAX, WaitCnt { lgkm: w.lgkm.saturating_add(1), ..w }),
                ("expcnt", w.exp, EXPCNT_MAX, WaitCnt { exp: w.exp.saturating_add(1), ..w }),
            ] {
                if n < max {
                    out.push((format!("{name}({}) for {name}({n})", n + 1), with_simm(inst, with.encode())));
                }
            }
        }
        _ => {}
    }
    out
}

/// Why a mutant that the checker does not see is harmless, or is another's to see.
fn reason(code: &[(u64, Inst)], at: usize, what: &str) -> Option<&'static str> {
    let inst = &code[at].1;
    let after = |n: usize| code[at + 1..].iter().take(n).map(|(_, i)| i);
    let before = |n: usize| code[..at].iter().rev().take(n).map(|(_, i)| i);
    let is_nop = |i: &Inst| matches!(i.row().sem, Sem::Control(Control::Nop));
    let barrier = |i: &Inst| matches!(i.row().sem, Sem::Control(Control::Barrier));
    let cache = |i: &Inst| matches!(i.row().sem, Sem::CacheWriteback | Sem::CacheInvalidate { .. });
    let ends = |i: &Inst| matches!(i.row().sem, Sem::Control(Control::EndPgm));
    if is_nop(inst) {
        if before(1).all(|i| is_nop(i) || matches!(i.row().sem, Sem::Branch(_) | Sem::Control(Control::EndPgm))) {
            return Some("padding: a nop among nops or behind the code");
        }
        return None;
    }
    if at < 4 && after(1).all(|i| matches!(i.row().sem, Sem::Branch(Branch::Always))) {
        return Some("in front of the second entry: the kernel waits again before it reads an argument");
    }
    if what.starts_with("expcnt") {
        return Some("no operation of the kernel raises expcnt");
    }
    if after(3).any(ends) {
        return Some("before the end: nothing is read any more");
    }
    if after(3).any(barrier) || before(3).any(barrier) {
        return Some("fence at a barrier: other waves' view, the dynamic half's to judge");
    }
    if after(2).any(cache) || before(2).any(cache) {
        return Some("fence at cache maintenance: other waves' view, the dynamic half's to judge");
    }
    // One younger operation is tolerated where every operation that the wait covers was issued long before.
    let counter: fn(Raises) -> bool = match what {
        w if w.starts_with("vmcnt") => |r| matches!(r, Raises::Vm | Raises::VmToLds | Raises::Flat),
        w if w.starts_with("lgkmcnt") => |r| matches!(r, Raises::Lds | Raises::Scalar | Raises::Flat | Raises::Message),
        _ => |r| r != Raises::Nothing,
    };
    let issued = before(48).take_while(|i| !matches!(i.row().sem, Sem::Control(Control::Waitcnt)));
    if !issued.clone().any(|i| counter(raises(i))) {
        return Some("nothing of that counter was issued since the wait before");
    }
    let stores = issued.filter(|i| counter(raises(i)));
    if stores.clone().all(|i| matches!(i.row().sem, Sem::Store { .. } | Sem::DsStore2 { .. })) {
        return Some("only stores are outstanding: order of memory, the dynamic half's to judge");
    }
    None
}

#[test]
fn every_mutant_of_a_wait_or_nop_is_seen_or_harmless_for_a_reason_that_the_code_shows() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");
    let mut paths = Vec::new();
    objects(Path::new(folder), &mut paths);
    if paths.is_empty() {
        eprintln!("SKIPPED: needs the compilers' kernels beside the repository");
        return;
    }
    let (mut total, mut by_error, mut by_advice) = (0, 0, 0);
    let mut survivors: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let object = CodeObject::parse(&bytes).unwrap();
        let code = code(&object, &bytes);
        let found = |edits: BTreeMap<u64, Edit>| -> BTreeSet<(Severity, Option<u64>, Option<u64>, String)> {
            let report = check(&bytes, &Options { edits, ..Options::default() }).unwrap();
            report
                .findings
                .into_iter()
                .map(|f| (f.severity, f.at.map(|p| p.pc), f.other.map(|p| p.pc), f.message))
                .collect()
        };
        let base = found(BTreeMap::new());
        assert!(base.iter().all(|f| f.0 == Severity::Advice), "{}", path.display());
        for (i, (pc, inst)) in code.iter().enumerate() {
            for (what, edit) in mutants(inst) {
                total += 1;
                let new = found([(*pc, edit)].into());
                match new.difference(&base).map(|f| f.0).max() {
                    Some(Severity::Error) => by_error += 1,
                    Some(Severity::Advice) => by_advice += 1,
                    None => {
                        let class = reason(&code, i, &what).unwrap_or("");
                        let name = path.file_name().unwrap_or_default().to_string_lossy();
                        let text = print::text(inst);
                        survivors.entry(class).or_default().push(format!("{name} {pc:#x} {text}: {what}"));
                    }
                }
            }
        }
    }
    let survived: usize = survivors.values().map(Vec::len).sum();
    println!("{total} mutants: {by_error} are errors, {by_advice} are advice, {survived} survive");
    for (class, list) in &survivors {
        println!("  {} {class}", list.len());
    }
    let unexplained = survivors.remove("").unwrap_or_default();
    assert!(unexplained.is_empty(), "{} without a reason:\n{}", unexplained.len(), unexplained.join("\n"));
    assert!(by_error * 2 > total - survived, "most of what is seen is an error");
}

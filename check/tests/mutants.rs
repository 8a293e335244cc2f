//! Mutation score: every `s_waitcnt` and `s_nop` of the compilers' kernels is taken out or weakened in turn, and the
//! checker must then say something that it did not say of the kernel as it was.
//!
//! Survivors are listed by class. A class is a reason that the code itself shows; a survivor without one fails the test.
//! The kernels lie beside the repository; without them the test says so and passes.

#[path = "../../loader/tests/corpus/mod.rs"]
mod corpus;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use support::Kernel;
use wavesmith_asm::counters::{EXPCNT_MAX, LGKMCNT_MAX, Raises, VMCNT_MAX, WaitCnt, raises};
use wavesmith_asm::sem::{Branch, Control, Sem};
use wavesmith_asm::{Field, Inst, Target, decode, print};
use wavesmith_check::{Edit, Kind, Options, Severity, check};
use wavesmith_loader::code_object::CodeObject;

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
    let paths = corpus::below(folder);
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

/// A change to an instruction that orders what other waves see, and what it is.
fn order_mutant(inst: &Inst) -> Option<(&'static str, Edit)> {
    match inst.row().sem {
        Sem::Control(Control::Barrier) => return Some(("s_barrier taken out", Edit::Remove)),
        Sem::CacheWriteback => return Some(("buffer_wbl2 taken out", Edit::Remove)),
        Sem::CacheInvalidate { .. } => return Some(("buffer_inv taken out", Edit::Remove)),
        _ => {}
    }
    (inst.has(Field::Sc1) && inst.get(Field::Sc1) != 0).then(|| {
        let mut other = *inst;
        other.set(Field::Sc1, 0);
        ("sc1 taken off", Edit::Replace(other.words().to_vec()))
    })
}

/// One workgroup hands a value to another through a flag, as AMDGPUUsage has it for each target.
fn handshake(target: Target) -> String {
    let (release, publish, look, acquire) = match target {
        Target::Gfx908 | Target::Gfx90a => ("buffer_wbl2\n", "", " glc", "buffer_invl2\nbuffer_wbinvl1_vol\n"),
        Target::Gfx942 | Target::Gfx950 => ("buffer_wbl2 sc1\n", " sc1", " sc1", "buffer_inv sc1\n"),
    };
    format!(
        "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32_e32 v1, 2, v0\nds_write_b32 v1, v0\n\
         s_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v2, v1 offset:4\ns_waitcnt lgkmcnt(0)\n\
         global_store_dword v1, v2, s[4:5]\n{release}s_waitcnt vmcnt(0)\nv_mov_b32_e32 v3, 0\n\
         global_store_dword v3, v3, s[6:7]{publish}\nagain:\n\
         global_load_dword v4, v3, s[6:7] offset:4{look}\ns_waitcnt vmcnt(0)\n\
         v_readfirstlane_b32 s8, v4\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc1 again\n{acquire}\
         global_load_dword v5, v1, s[4:5] offset:256\ns_waitcnt vmcnt(0)\nv_add_u32_e32 v5, 1, v5\n\
         global_store_dword v1, v5, s[4:5] offset:512\ns_endpgm"
    )
}

/// What waits and registers tell, the static half decides; whether other waves and other caches may see something older
/// does not follow from one wave's code, so barriers, `sc1`, invalidations and write-backs are the dynamic half's.
#[test]
fn waits_of_a_handshake_are_decided_here_and_its_order_is_left_to_the_dynamic_half() {
    for target in [Target::Gfx90a, Target::Gfx942, Target::Gfx950] {
        let body = handshake(target);
        let bytes =
            Kernel { target, body: &body, directives: ".amdhsa_group_segment_fixed_size 1024", ..Kernel::default() }
                .object();
        let object = CodeObject::parse(&bytes).unwrap();
        let found = |edits: BTreeMap<u64, Edit>| {
            let report = check(&bytes, &Options { edits, ..Options::default() }).unwrap();
            report.findings.into_iter().map(|f| (f.severity, f.message)).collect::<BTreeSet<_>>()
        };
        assert_eq!(found(BTreeMap::new()), BTreeSet::new(), "{target}");
        let code = code(&object, &bytes);
        let end = code.iter().position(|(_, i)| matches!(i.row().sem, Sem::Control(Control::EndPgm))).unwrap();
        let (mut waits, mut order) = (0, BTreeMap::new());
        for (pc, inst) in &code[..end] {
            for (what, edit) in mutants(inst) {
                waits += 1;
                let new = found([(*pc, edit)].into());
                assert!(!new.is_empty(), "{target} {pc:#x} {}: {what}\n{body}", print::text(inst));
            }
            if let Some((what, edit)) = order_mutant(inst) {
                let seen = !found([(*pc, edit)].into()).is_empty();
                let count = order.entry(what).or_insert((0, 0));
                count.0 += 1;
                count.1 += usize::from(seen);
            }
        }
        println!(
            "{target}: {waits} mutants of waits, all seen; of what orders memory, with how many are seen: {order:?}"
        );
        assert!(waits >= 10, "{target}: {waits}");
        let kinds = ["s_barrier taken out", "buffer_wbl2 taken out", "buffer_inv taken out"];
        assert!(kinds.iter().all(|k| order.contains_key(k)), "{target}: {order:?}");
    }
}

/// The same in the compilers' kernels: how many there are, and that what is seen of them is what they also were, issue slots
/// between two instructions.
#[test]
fn mutants_of_what_orders_memory_in_the_compilers_kernels_show_only_as_issue_slots() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");
    let paths = corpus::below(folder);
    if paths.is_empty() {
        eprintln!("SKIPPED: needs the compilers' kernels beside the repository");
        return;
    }
    let mut counts: BTreeMap<(Target, &str), (usize, usize)> = BTreeMap::new();
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let object = CodeObject::parse(&bytes).unwrap();
        for (pc, inst) in code(&object, &bytes) {
            let Some((what, edit)) = order_mutant(&inst) else { continue };
            let report = check(&bytes, &Options { edits: [(pc, edit)].into(), ..Options::default() }).unwrap();
            let errors = report.findings.iter().filter(|f| f.severity == Severity::Error);
            assert!(errors.clone().all(|f| f.kind == Kind::WaitStates), "{} {pc:#x}: {what}", path.display());
            let count = counts.entry((object.target, what)).or_default();
            count.0 += 1;
            count.1 += usize::from(errors.count() > 0);
        }
    }
    println!("what orders memory, and of how many the loss is an error: {counts:?}");
    assert!(counts.keys().any(|(_, what)| *what == "s_barrier taken out"), "{counts:?}");
}

//! Mutation score: every `s_waitcnt` and `s_nop` of the compilers' kernels is taken out or weakened in turn, and the
//! checker must then say something that it did not say of the kernel as it was, or the mutant is proved harmless.
//!
//! The proof is by code of its own (`queues`), which goes through every state of the changed kernel. It also holds errors
//! to account: none may be about a mutant that is proved harmless. The kernels lie beside the repository; without them
//! the tests say so and pass.

#[path = "../../loader/tests/corpus/mod.rs"]
mod corpus;
mod mutation;
mod queues;
mod support;

use mutation::{Score, code, mutants};
use std::collections::{BTreeMap, BTreeSet};
use support::Kernel;
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Field, Inst, Target, print};
use wavesmith_check::{Edit, Kind, Options, Severity, check};
use wavesmith_loader::code_object::CodeObject;

#[test]
fn every_mutant_of_a_wait_or_nop_is_seen_or_proved_harmless() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");
    let paths = corpus::below(folder);
    if paths.is_empty() {
        eprintln!("SKIPPED: needs the compilers' kernels beside the repository");
        return;
    }
    let mut score = Score::default();
    for path in &paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        score.judge(&name, &std::fs::read(path).unwrap());
    }
    println!("{score}");
    score.assert_all_accounted_for();
    assert!(score.errors > score.advised(), "most of what is seen is an error");
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

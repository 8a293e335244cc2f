//! Registers that M0 picks: `s_set_gpr_idx_on`, as compilers index arrays in registers, and `s_movrels`, `s_movreld`.

mod support;

use support::{Kernel, assert_clean, assert_error, errors, of, report};
use wavesmith_asm::Target;
use wavesmith_check::{Kind, Report, Severity, text};

const T: Target = Target::Gfx942;

/// A load into a register, and a move between `s_set_gpr_idx_on` and `s_set_gpr_idx_off`.
fn indexed(index: &str, loaded: &str, operands: &str, moves: &str) -> String {
    format!(
        "v_mov_b32_e32 v20, 0\nv_mov_b32_e32 v21, 0\nv_mov_b32_e32 v22, 0\nv_mov_b32_e32 v23, 0\n{index}\n\
         global_load_dword {loaded}, v[2:3], off\ns_set_gpr_idx_on s20, gpr_idx({operands})\n{moves}\n\
         s_set_gpr_idx_off\ns_waitcnt vmcnt(0)\ns_endpgm"
    )
}

/// The advice of a kind that says that the index is data.
fn left_to_data(report: &Report, kind: Kind) -> Vec<&str> {
    let found = of(report, kind).into_iter().filter(|f| f.severity == Severity::Advice);
    found.map(|f| &*f.message).filter(|m| m.contains("the index is data")).collect()
}

#[test]
fn a_known_index_means_the_register_that_it_picks() {
    let one = "s_mov_b32 s20, 1";
    for target in [Target::Gfx908, Target::Gfx90a, Target::Gfx942, Target::Gfx950] {
        assert_clean(target, &indexed(one, "v20", "SRC0", "v_mov_b32_e32 v22, v20"));
        assert_error(
            target,
            &indexed(one, "v21", "SRC0", "v_mov_b32_e32 v22, v20"),
            Kind::ReadBeforeWait,
            "s_waitcnt vmcnt(0)",
        );
        // Only the operands that are asked for.
        assert_clean(target, &indexed(one, "v21", "DST", "v_mov_b32_e32 v22, v20"));
        assert_clean(target, &indexed(one, "v21", "SRC1", "v_add_u32_e32 v22, v20, v1"));
        assert_error(
            target,
            &indexed(one, "v21", "DST", "v_mov_b32_e32 v20, v22"),
            Kind::WriteBeforeWait,
            "s_waitcnt vmcnt(0)",
        );
        assert_error(
            target,
            &indexed(one, "v22", "SRC1", "v_add_u32_e32 v23, v20, v21"),
            Kind::ReadBeforeWait,
            "s_waitcnt vmcnt(0)",
        );
    }
    let found = report(T, &indexed(one, "v21", "SRC0", "v_mov_b32_e32 v22, v20"));
    assert!(errors(&found)[0].message.ends_with("; v20 indexed by M0 is v21"), "{}", text(&found, true));
}

#[test]
fn the_index_follows_s_set_gpr_idx_idx_and_writes_of_m0() {
    let body = |moves: &str, loaded: &str| indexed("s_mov_b32 s20, 0", loaded, "SRC0", moves);
    for sets in ["s_set_gpr_idx_idx 2", "s_mov_b32 m0, 0x1002", "s_movk_i32 s21, 0x2\ns_set_gpr_idx_idx s21"] {
        let moves = format!("{sets}\nv_mov_b32_e32 v30, v20");
        assert_error(T, &body(&moves, "v22"), Kind::ReadBeforeWait, "s_waitcnt vmcnt(0)");
        assert_clean(T, &body(&moves, "v20"));
    }
    // The operands too are in M0: none any more.
    assert_clean(T, &body("s_mov_b32 m0, 2\nv_mov_b32_e32 v30, v20", "v22"));
    let mode = "s_set_gpr_idx_mode gpr_idx(DST)\nv_mov_b32_e32 v30, v21";
    assert_error(T, &body(mode, "v21"), Kind::ReadBeforeWait, "s_waitcnt vmcnt(0)");
}

/// Compilers index an array by what only data says. Its first register is what the instruction names.
#[test]
fn an_unknown_index_names_the_first_register_and_may_mean_any_behind_it() {
    let body = |loaded: &str| indexed("", loaded, "SRC0", "v_mov_b32_e32 v30, v20");
    assert_error(T, &body("v20"), Kind::ReadBeforeWait, "s_waitcnt vmcnt(0)");
    let found = report(T, &body("v22"));
    assert!(errors(&found).is_empty(), "{}", text(&found, true));
    let [message] = left_to_data(&found, Kind::ReadBeforeWait)[..] else { panic!("{}", text(&found, true)) };
    assert!(
        message.starts_with("may read v22 before") && message.contains("v20 indexed by M0 may be v22"),
        "{message}"
    );
    // What lies in front is not reached.
    let found = report(T, &body("v19"));
    assert!(of(&found, Kind::ReadBeforeWait).is_empty(), "{}", text(&found, true));
    let found = report(T, &indexed("", "v22", "DST", "v_mov_b32_e32 v20, v1"));
    assert!(errors(&found).is_empty(), "{}", text(&found, true));
    assert_eq!(left_to_data(&found, Kind::WriteBeforeWait).len(), 1, "{}", text(&found, true));
}

#[test]
fn what_may_be_meant_is_still_to_be_waited_for() {
    let body = indexed(
        "",
        "v22",
        "SRC0",
        "v_mov_b32_e32 v30, v20\nv_mov_b32_e32 v31, v1\ns_set_gpr_idx_off\nv_mov_b32_e32 v32, v22",
    );
    assert_error(T, &body, Kind::ReadBeforeWait, "s_waitcnt vmcnt(0)");
}

#[test]
fn an_index_with_a_bound_does_not_reach_further() {
    for bound in
        ["s_and_b32 s20, s20, 3", "s_min_u32 s20, s20, 3", "s_bfe_u32 s20, s20, 0x20000", "s_lshr_b32 s20, s20, 30"]
    {
        let body = |loaded: &str| indexed(bound, loaded, "SRC0", "v_mov_b32_e32 v30, v20");
        let found = report(T, &body("v24"));
        assert!(of(&found, Kind::ReadBeforeWait).is_empty(), "{bound}\n{}", text(&found, true));
        let found = report(T, &body("v23"));
        assert_eq!(left_to_data(&found, Kind::ReadBeforeWait).len(), 1, "{bound}\n{}", text(&found, true));
    }
}

#[test]
fn ways_that_disagree_about_the_index_leave_it_to_data() {
    let body = |loaded: &str| {
        let first = "s_cmp_eq_u32 s2, 0\ns_cbranch_scc1 .Lother\ns_set_gpr_idx_on 1, gpr_idx(SRC0)\ns_branch .Lmove\n\
                     .Lother:\ns_set_gpr_idx_on 3, gpr_idx(SRC0)\n.Lmove:";
        format!(
            "global_load_dword {loaded}, v[2:3], off\n{first}\nv_mov_b32_e32 v30, v20\ns_set_gpr_idx_off\n\
             s_waitcnt vmcnt(0)\ns_endpgm"
        )
    };
    for (loaded, seen) in [("v20", 0), ("v21", 1), ("v23", 1), ("v24", 0)] {
        let found = report(T, &body(loaded));
        assert!(errors(&found).is_empty(), "{}", text(&found, true));
        assert_eq!(left_to_data(&found, Kind::ReadBeforeWait).len(), seen, "{loaded}\n{}", text(&found, true));
    }
}

#[test]
fn what_is_written_through_an_index_is_written() {
    let unwritten = |body: &str| {
        let found = report(T, body);
        assert!(errors(&found).is_empty(), "{}", text(&found, true));
        of(&found, Kind::Uninitialised).iter().map(|f| f.message.clone()).collect::<Vec<_>>()
    };
    let write = |index: &str, reads: &str| {
        format!("s_set_gpr_idx_on {index}, gpr_idx(DST)\nv_mov_b32_e32 v20, v0\ns_set_gpr_idx_off\n{reads}\ns_endpgm")
    };
    assert_eq!(unwritten(&write("1", "v_mov_b32_e32 v1, v21")), [""; 0]);
    assert_eq!(unwritten(&write("1", "v_mov_b32_e32 v1, v20")).len(), 1);
    assert_eq!(unwritten(&write("s2", "v_mov_b32_e32 v1, v20\nv_mov_b32_e32 v2, v25")), [""; 0]);
    let read =
        "v_mov_b32_e32 v20, v0\ns_set_gpr_idx_on 1, gpr_idx(SRC0)\nv_mov_b32_e32 v1, v20\ns_set_gpr_idx_off\ns_endpgm";
    let said = unwritten(read);
    assert!(
        said.len() == 1 && said[0].contains("reads v21") && said[0].contains("v20 indexed by M0 is v21"),
        "{said:?}"
    );
    // Of an array of which one element is written, data knows which is read.
    assert_eq!(unwritten(&read.replace("on 1", "on s2")), [""; 0]);
}

/// As LLVM reads and writes arrays in registers, on the way around a loop and behind it: nothing to say, and each of its
/// waits is needed.
#[test]
fn arrays_as_compilers_index_them_are_clean_and_each_wait_taken_out_is_seen() {
    let loads: String = (0..8).map(|i| format!("global_load_dword v{i}, v16, s[6:7] offset:{}\n", 256 * i)).collect();
    let stores: String = (0..8).map(|i| format!("global_store_dword v16, v{i}, s[4:5] offset:{}\n", 256 * i)).collect();
    let waits = ["s_waitcnt lgkmcnt(0)", "s_waitcnt vmcnt(0) lgkmcnt(0)"];
    let body = format!(
        "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dwordx2 s[2:3], s[0:1], 0x10\nv_lshlrev_b32_e32 v16, 2, v0\n\
         s_mov_b32 s8, 16\n{}\n{loads}.Lloop:\ns_load_dword s9, s[2:3], 0x0\n\
         global_load_dword v17, v16, s[6:7] offset:2048\n{}\n\
         s_set_gpr_idx_on s9, gpr_idx(SRC0)\nv_mov_b32_e32 v18, v0\ns_set_gpr_idx_off\nv_add_f32_e32 v18, v18, v17\n\
         s_set_gpr_idx_on s9, gpr_idx(DST)\nv_mov_b32_e32 v0, v18\ns_set_gpr_idx_off\n\
         s_add_u32 s2, s2, 4\ns_addc_u32 s3, s3, 0\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lloop\n\
         {stores}s_endpgm",
        waits[0], waits[1]
    );
    for target in [Target::Gfx908, Target::Gfx90a, Target::Gfx942, Target::Gfx950] {
        let found = |body: &str| Kernel { target, body, vgprs: 20, accum_offset: 20, ..Kernel::default() }.report();
        let clean = found(&body);
        let about_waits =
            |r: &Report| r.findings.iter().any(|f| f.kind == Kind::ReadBeforeWait || f.kind == Kind::WriteBeforeWait);
        assert!(errors(&clean).is_empty() && !about_waits(&clean), "{target}\n{}", text(&clean, true));
        for wait in waits {
            let mutant = body.replacen(&format!("{wait}\n"), "", 1);
            assert_ne!(mutant, body);
            assert!(!errors(&found(&mutant)).is_empty(), "{target}: {wait}\n{}", text(&found(&mutant), true));
        }
        // One load of the array is left out of the wait: which element is read is data.
        let weaker = body.replacen("vmcnt(0) lgkmcnt(0)", "vmcnt(2) lgkmcnt(0)", 1);
        assert!(about_waits(&found(&weaker)), "{target}\n{}", text(&found(&weaker), true));
    }
}

#[test]
fn scalar_moves_relative_to_m0_touch_what_m0_picks() {
    let body = |m0: &str, loaded: &str, moves: &str| {
        format!(
            "s_mov_b32 s20, 0\ns_load_dword {loaded}, s[0:1], 0x0\n{m0}\ns_nop 0\n{moves}\ns_waitcnt lgkmcnt(0)\ns_endpgm"
        )
    };
    let (known, unknown) = ("s_mov_b32 m0, 2", "s_mov_b32 m0, s4");
    for moves in ["s_movrels_b32 s8, s20", "s_movreld_b32 s20, s2"] {
        let kind = if moves.contains("movrels") { Kind::ReadBeforeWait } else { Kind::WriteBeforeWait };
        assert_error(T, &body(known, "s22", moves), kind, "s_waitcnt lgkmcnt(0)");
        assert_clean(T, &body(known, "s20", moves));
        assert_error(T, &body(unknown, "s20", moves), kind, "s_waitcnt lgkmcnt(0)");
        // Another array, or what is loaded for later: only data says that it is not meant.
        let found = report(T, &body(unknown, "s30", &format!("{moves}\ns_mov_b32 s31, s29")));
        assert!(errors(&found).is_empty(), "{}", text(&found, true));
        assert_eq!(left_to_data(&found, kind).len(), 1, "{}", text(&found, true));
        let found = report(T, &body(unknown, "s10", moves));
        assert!(of(&found, kind).is_empty(), "{}", text(&found, true));
    }
}

#[test]
fn wait_states_are_asked_of_the_register_that_is_meant() {
    let body = |index: &str, read: &str| {
        format!(
            "s_set_gpr_idx_on {index}, gpr_idx(SRC0)\nv_mfma_f32_4x4x4_16b_f16 v[20:23], v[2:3], v[4:5], v[20:23]\n{read}\n\
             s_set_gpr_idx_off\ns_endpgm"
        )
    };
    let errs = |index: &str, read: &str| errors(&report(T, &body(index, read))).len();
    assert_eq!(errs("0", "v_mov_b32_e32 v30, v20"), 1);
    assert_eq!(errs("4", "v_mov_b32_e32 v30, v20"), 0);
    assert_eq!(errs("4", "v_mov_b32_e32 v30, v16"), 1);
    let found = report(T, &body("s2", "v_mov_b32_e32 v30, v16"));
    let [f] = of(&found, Kind::WaitStates)[..] else { panic!("{}", text(&found, true)) };
    assert!(f.severity == Severity::Advice && f.message.contains("is data"), "{}", f.message);
}

#[test]
fn an_index_that_is_known_counts_against_the_registers_that_are_allocated() {
    let body = |index: u32| {
        format!("s_set_gpr_idx_on {index}, gpr_idx(DST)\nv_mov_b32_e32 v20, v0\ns_set_gpr_idx_off\ns_endpgm")
    };
    let found = |body: &str| Kernel { body, vgprs: 24, accum_offset: 24, ..Kernel::default() }.report();
    assert!(errors(&found(&body(3))).is_empty());
    let beyond = found(&body(4));
    assert_eq!(errors(&beyond).len(), 1, "{}", text(&beyond, true));
    assert_eq!(errors(&beyond)[0].kind, Kind::Registers);
    // Of an unknown one it is not known how far it goes.
    assert!(errors(&found(&body(0).replace("on 0", "on s2"))).is_empty());
}

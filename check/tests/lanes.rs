//! EXEC that is zero or partial where it matters, and the order that the memory model asks of fences.

mod support;

use support::{errors, of, report};
use wavesmith_asm::Target;
use wavesmith_check::{Kind, Severity, text};

const T: Target = Target::Gfx942;

/// Messages on EXEC; all of them are advice.
fn doubts(body: &str) -> Vec<String> {
    let found = report(T, body);
    let exec = of(&found, Kind::Exec);
    assert!(exec.iter().all(|f| f.severity == Severity::Advice), "{}", text(&found, true));
    exec.iter().map(|f| f.message.clone()).collect()
}

#[track_caller]
fn assert_doubt(body: &str, part: &str) {
    let found = doubts(body);
    assert!(found.len() == 1 && found[0].contains(part), "{body}\n{found:?}");
}

#[track_caller]
fn assert_no_doubt(body: &str) {
    assert_eq!(doubts(body), Vec::<String>::new(), "{body}");
}

const MFMA: &str = "s_nop 7\nv_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[8:9], v[4:7]\n";

#[test]
fn a_matrix_instruction_where_lanes_are_off_is_pointed_at() {
    let operands = "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 0\nv_mov_b32_e32 v8, 0\nv_mov_b32_e32 v9, 0\n\
                    v_mov_b32_e32 v4, 0\nv_mov_b32_e32 v5, 0\nv_mov_b32_e32 v6, 0\nv_mov_b32_e32 v7, 0\n";
    for narrow in [
        "s_mov_b64 exec, 15\n",
        "s_bfm_b64 exec, 16, 0\n",
        "v_cmpx_gt_u32_e32 vcc, 16, v0\n",
        "v_cmp_gt_u32_e32 vcc, 16, v0\ns_and_saveexec_b64 s[4:5], vcc\n",
        "v_cmp_gt_u32_e32 vcc, 16, v0\ns_and_b64 exec, exec, vcc\n",
    ] {
        assert_doubt(&format!("{operands}{narrow}{MFMA}s_endpgm"), "matrix instruction does not heed");
        let restored = format!("{operands}{narrow}v_mov_b32_e32 v10, 0\ns_mov_b64 exec, -1\n{MFMA}s_endpgm");
        assert_no_doubt(&restored);
    }
    let saved = "v_cmp_gt_u32_e32 vcc, 16, v0\ns_and_saveexec_b64 s[4:5], vcc\nv_mov_b32_e32 v10, 0\n";
    assert_no_doubt(&format!("{operands}{saved}s_or_b64 exec, exec, s[4:5]\n{MFMA}s_endpgm"));
    assert_no_doubt(&format!("{operands}{saved}s_mov_b64 exec, s[4:5]\n{MFMA}s_endpgm"));
    // A mask from a comparison is data; a pair that was filled half by half is all lanes; of others nothing is known.
    let moved = |make: &str| format!("{operands}{make}s_mov_b64 exec, s[6:7]\n{MFMA}s_endpgm");
    assert_doubt(&moved("v_cmp_gt_u32_e64 s[6:7], 16, v0\n"), "matrix instruction");
    assert_no_doubt(&moved("s_mov_b32 s6, -1\ns_mov_b32 s7, -1\ns_mov_b64 exec, 15\n"));
    assert_no_doubt(&moved("s_load_dwordx2 s[6:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n"));
    assert_no_doubt(&moved("v_cmp_gt_u32_e64 s[6:7], 16, v0\ns_mov_b32 s6, 0\n"));
}

#[test]
fn lanes_that_nothing_wrote_are_seen_once_other_lanes_read_them() {
    let some = "v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v8, 0\nv_mov_b32_e32 v9, 0\nv_mov_b32_e32 v4, 0\n\
                v_mov_b32_e32 v5, 0\nv_mov_b32_e32 v6, 0\nv_mov_b32_e32 v7, 0\n";
    let part = format!("{some}s_mov_b64 exec, 15\nv_mov_b32_e32 v2, 0\ns_mov_b64 exec, -1\n");
    assert_doubt(&format!("{part}{MFMA}s_endpgm"), "lanes of v2");
    assert_doubt(&format!("{part}s_nop 1\nv_readlane_b32 s4, v2, 9\ns_endpgm"), "lanes of v2");
    assert_doubt(
        &format!("{part}s_nop 1\nv_mov_b32_dpp v10, v2 row_shr:1 row_mask:0xf bank_mask:0xf\ns_endpgm"),
        "lanes of v2",
    );
    assert_doubt(&format!("{part}ds_bpermute_b32 v10, v0, v2\ns_endpgm"), "lanes of v2");
    // A lane that was on, the same lanes again, and lanes that other code wrote.
    assert_no_doubt(&format!("{part}s_nop 1\nv_readlane_b32 s4, v2, 3\nv_readfirstlane_b32 s5, v2\ns_endpgm"));
    assert_no_doubt(&format!("{part}v_add_u32_e32 v10, 1, v2\ns_endpgm"));
    let rest = "s_mov_b64 exec, -16\nv_mov_b32_e32 v2, 1\ns_mov_b64 exec, -1\n";
    assert_no_doubt(&format!("{part}{rest}{MFMA}s_endpgm"));
    assert_no_doubt(&format!("{some}v_mov_b32_e32 v2, 7\n{part}{MFMA}s_endpgm"));
    // Lane 0 is not among those that were on.
    let upper = format!("{some}s_mov_b64 exec, -16\nv_mov_b32_e32 v2, 0\ns_mov_b64 exec, -1\n");
    assert_doubt(&format!("{upper}s_nop 1\nv_readfirstlane_b32 s4, v2\ns_endpgm"), "lanes of v2");
}

#[test]
fn both_sides_of_a_branch_write_all_lanes() {
    let body = |other: &str| {
        format!(
            "v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v8, 0\nv_mov_b32_e32 v9, 0\nv_mov_b32_e32 v4, 0\nv_mov_b32_e32 v5, 0\n\
             v_mov_b32_e32 v6, 0\nv_mov_b32_e32 v7, 0\nv_cmp_gt_u32_e32 vcc, 16, v0\ns_and_saveexec_b64 s[4:5], vcc\n\
             s_xor_b64 s[6:7], exec, s[4:5]\ns_cbranch_execz else\nv_mov_b32_e32 v2, 0\nelse:\n\
             s_or_saveexec_b64 s[6:7], s[6:7]\ns_xor_b64 exec, exec, s[6:7]\ns_cbranch_execz end\n{other}end:\n\
             s_or_b64 exec, exec, s[4:5]\n{MFMA}s_endpgm"
        )
    };
    assert_no_doubt(&body("v_mov_b32_e32 v2, 1\n"));
    assert_doubt(&body("v_mov_b32_e32 v10, 1\n"), "lanes of v2");
}

#[test]
fn a_first_lane_may_not_exist_until_a_branch_says_so() {
    let narrow = "v_cmp_gt_u32_e32 vcc, 16, v0\ns_and_saveexec_b64 s[4:5], vcc\n";
    let read = "s_nop 1\nv_readfirstlane_b32 s6, v0\nend:\ns_endpgm";
    assert_doubt(&format!("{narrow}{read}"), "all lanes may be off");
    assert_no_doubt(&format!("{narrow}s_cbranch_execz end\n{read}"));
    assert_no_doubt(&format!("{narrow}s_cbranch_execnz on\ns_endpgm\non:\n{read}"));
    assert_doubt(&format!("{narrow}s_cbranch_execnz end\n{read}"), "all lanes may be off");
    // A loop that is left once no lane is on may ask for the first lane at its top.
    let divergent = "top:\nv_readfirstlane_b32 s6, v0\nv_cmp_eq_u32_e32 vcc, s6, v0\ns_andn2_b64 exec, exec, vcc\n";
    assert_no_doubt(&format!("{divergent}s_cbranch_execnz top\ns_endpgm"));
    assert_doubt(&format!("{divergent}s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 top\ns_endpgm"), "all lanes may be off");
}

#[test]
fn scalar_stores_and_barriers_do_not_ask_for_lanes() {
    let narrow = "v_cmp_gt_u32_e32 vcc, 16, v0\ns_and_saveexec_b64 s[4:5], vcc\n";
    let found = report(Target::Gfx90a, &format!("{narrow}s_store_dword s4, s[0:1], 0x0\ns_endpgm"));
    assert!(of(&found, Kind::Exec)[0].message.contains("scalar memory"), "{}", text(&found, true));
    assert_doubt(&format!("{narrow}s_cbranch_execz end\ns_barrier\nend:\ns_endpgm"), "jump over this barrier");
    assert_no_doubt(&format!("{narrow}s_cbranch_execz end\nv_mov_b32_e32 v1, 0\nend:\ns_barrier\ns_endpgm"));
}

/// The EXEC of every way is the constant 0, so nothing is accessed.
#[test]
fn a_memory_access_with_no_lane_on_is_an_error() {
    let found = |body: &str| {
        let found = report(T, body);
        let exec = of(&found, Kind::Exec);
        exec.iter().map(|f| (f.severity, f.message.clone())).collect::<Vec<_>>()
    };
    let store = "global_store_dword v[2:3], v0, off\n";
    for zero in [
        "s_mov_b64 exec, 0\n",
        "s_bfm_b64 exec, 0, 0\n",
        "s_and_b64 exec, exec, 0\n",
        "s_xor_b64 exec, exec, exec\n",
        "s_andn2_b64 exec, exec, exec\n",
    ] {
        // One finding for what turned the lanes off, however much follows.
        let [(Severity::Error, message)] = &found(&format!("{zero}{store}{store}s_endpgm"))[..] else {
            panic!("{zero}")
        };
        assert!(message.contains("with no lane on"), "{message}");
    }
    assert_eq!(found("s_mov_b64 exec, 0\nds_write_b32 v0, v0\ns_endpgm").len(), 1);
    assert_eq!(found(&format!("s_mov_b64 exec, 1\n{store}s_endpgm")), []);
    assert_eq!(found(&format!("s_mov_b64 exec, 0\ns_mov_b64 exec, -1\n{store}s_endpgm")), []);
    // Only one way turns them off.
    assert_eq!(found(&format!("s_cbranch_scc1 on\ns_mov_b64 exec, 0\non:\n{store}s_endpgm")), []);
}

#[test]
fn a_store_behind_a_write_back_waits_for_it() {
    let body = |wait: &str| {
        format!(
            "global_store_dword v[6:7], v5, off\nbuffer_wbl2 sc1\n{wait}global_store_dword v[2:3], v4, off sc1\n\
             s_endpgm"
        )
    };
    let fences = |body: &str| {
        let found = report(T, body);
        let fences = of(&found, Kind::FenceBeforeWait);
        assert!(fences.iter().all(|f| f.severity == Severity::Error), "{}", text(&found, true));
        assert_eq!(errors(&found).len(), fences.len());
        fences.iter().map(|f| f.need.clone().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(fences(&body("")), ["s_waitcnt vmcnt(0)"]);
    assert_eq!(fences(&body("s_waitcnt vmcnt(0)\n")), [""; 0]);
    assert_eq!(fences(&body("s_waitcnt lgkmcnt(0)\n")), ["s_waitcnt vmcnt(0)"]);
    // A younger load may still be on its way, the write-back not.
    let later = "global_load_dword v8, v[2:3], off\ns_waitcnt vmcnt(1)\n";
    assert_eq!(fences(&body(later)), [""; 0]);
    assert_eq!(fences(&body(&later.replace("(1)", "(2)"))), ["s_waitcnt vmcnt(1)"]);
    assert_eq!(fences(&body("").replace("global_store_dword v[2:3], v4", "global_atomic_add v[2:3], v4")).len(), 1);
    // A store for the nearest caches need not be what tells others; before gfx942 all stores look like that.
    for (target, plain) in [(T, body("").replace(" off sc1", " off")), (Target::Gfx90a, body("").replace(" sc1", ""))] {
        let found = report(target, &plain);
        assert_eq!(of(&found, Kind::FenceBeforeWait)[0].severity, Severity::Advice, "{target}");
    }
    // Clang 22 leaves the wait out where nothing is outstanding beside the write-back.
    let waited = body("").replacen("buffer_wbl2", "s_waitcnt vmcnt(0)\nbuffer_wbl2", 1);
    let found = report(T, &waited);
    let [f] = of(&found, Kind::FenceBeforeWait)[..] else { panic!("{}", text(&found, true)) };
    assert!(f.severity == Severity::Advice && f.message.contains("LLVM leaves this wait out"), "{}", f.message);
    // On one way something is.
    let joins =
        waited.replacen("s_waitcnt", "s_cbranch_scc1 on\ns_waitcnt", 1).replacen("buffer_wbl2", "on:\nbuffer_wbl2", 1);
    assert_eq!(fences(&joins), ["s_waitcnt vmcnt(0)"]);
}

#[test]
fn an_invalidation_behind_a_flag_waits_for_the_flag() {
    let body = |bits: &str, wait: &str| {
        format!("global_load_dword v4, v[2:3], off{bits}\n{wait}buffer_inv sc1\ns_waitcnt vmcnt(0)\ns_endpgm")
    };
    let fences = |body: &str| of(&report(T, body), Kind::FenceBeforeWait).len();
    assert_eq!(fences(&body(" sc1", "")), 1);
    assert_eq!(fences(&body(" sc1", "s_waitcnt vmcnt(0)\n")), 0);
    // A load that the nearest cache may answer says nothing of what others have written.
    assert_eq!(fences(&body("", "")), 0);
    let atomic = "global_atomic_add v5, v[2:3], v4, off sc0\nbuffer_inv sc1\ns_waitcnt vmcnt(0)\ns_endpgm";
    assert_eq!(fences(atomic), 1);
}

/// Only a write of both halves of VCC brings VCCZ up to date on these targets.
#[test]
fn a_branch_on_vccz_behind_a_write_of_half_of_vcc_is_found() {
    let body = |between: &str| format!("s_mov_b32 vcc_lo, s4\n{between}s_cbranch_vccz out\ns_nop 0\nout:\ns_endpgm");
    for target in Target::ALL {
        let found = report(target, &body(""));
        let stale = of(&found, Kind::StaleVccz);
        assert_eq!(stale.len(), 1, "{target}");
        assert_eq!(stale[0].severity, Severity::Error);
        assert_eq!(stale[0].need.as_deref(), Some("s_mov_b64 vcc, vcc before it"));
        assert_eq!(of(&report(target, &body("s_mov_b32 vcc_hi, 0\n")), Kind::StaleVccz).len(), 1);
        assert_eq!(of(&report(target, &body("v_readfirstlane_b32 vcc_hi, v0\n")), Kind::StaleVccz).len(), 1);
        for whole in ["s_mov_b64 vcc, vcc\n", "v_cmp_eq_u32_e32 vcc, v0, v0\n", "s_and_b64 vcc, exec, vcc\n"] {
            assert!(of(&report(target, &body(whole)), Kind::StaleVccz).is_empty(), "{whole}");
        }
        // One way brings it up to date, the other does not.
        let joins = body("s_cbranch_scc1 on\ns_mov_b64 vcc, vcc\non:\n");
        assert_eq!(of(&report(target, &joins), Kind::StaleVccz).len(), 1);
    }
}

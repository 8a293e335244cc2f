//! Outstanding memory operations: each counter's order, each kind of conflict, and paths.

mod support;

use support::{assert_clean, assert_error, errors, of, report};
use wavesmith_asm::Target;
use wavesmith_check::{Kind, Severity};

const T: Target = Target::Gfx942;

#[test]
fn a_load_is_covered_by_a_wait_that_leaves_only_younger_ones() {
    let body = |n: u32| {
        format!(
            "global_load_dword v4, v[2:3], off\nglobal_load_dword v5, v[2:3], off\nglobal_store_dword v[2:3], v6, off\n\
             s_waitcnt vmcnt({n})\nv_add_u32_e32 v7, 1, v4\ns_endpgm"
        )
    };
    assert_clean(T, &body(2));
    assert_error(T, &body(3), Kind::ReadBeforeWait, "s_waitcnt vmcnt(2)");
}

#[test]
fn scalar_loads_return_in_any_order() {
    let body = |n: u32| {
        format!(
            "s_load_dword s4, s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x4\ns_waitcnt lgkmcnt({n})\ns_add_u32 s6, s4, 1\n\
             s_endpgm"
        )
    };
    assert_clean(T, &body(0));
    assert_error(T, &body(1), Kind::ReadBeforeWait, "s_waitcnt lgkmcnt(0)");
}

#[test]
fn a_scalar_load_in_between_does_not_hide_an_lds_read() {
    // Outstanding: two LDS reads and the scalar load. At most one left means that the older LDS read is done.
    let body = |n: u32| {
        format!(
            "ds_read_b32 v4, v2\ns_load_dword s4, s[0:1], 0x0\nds_read_b32 v5, v2\ns_waitcnt lgkmcnt({n})\n\
             v_add_u32_e32 v7, 1, v4\ns_endpgm"
        )
    };
    assert_clean(T, &body(1));
    assert_error(T, &body(2), Kind::ReadBeforeWait, "s_waitcnt lgkmcnt(1)");
}

#[test]
fn flat_needs_both_counters_at_zero() {
    let body = |wait: &str| format!("flat_load_dword v4, v[2:3]\ns_waitcnt {wait}\nv_add_u32_e32 v7, 1, v4\ns_endpgm");
    assert_clean(T, &body("vmcnt(0) lgkmcnt(0)"));
    assert_error(T, &body("vmcnt(0)"), Kind::ReadBeforeWait, "s_waitcnt lgkmcnt(0)");
    assert_error(T, &body("lgkmcnt(0)"), Kind::ReadBeforeWait, "s_waitcnt vmcnt(0)");
}

/// What clang counts on with 64 loads through FLAT: behind a wait for LDS, those in front of the last 63 are there.
#[test]
fn a_flat_load_with_a_full_counter_behind_it_is_advice_once_lds_is_waited_for() {
    let body = |younger: usize, wait: &str| {
        let loads: String = (0..younger).map(|i| format!("flat_load_dword v{}, v[2:3]\n", 10 + i)).collect();
        format!(
            "flat_load_dword v4, v[2:3]\n{loads}{wait}\nv_add_u32_e32 v7, 1, v4\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm"
        )
    };
    let severity = |younger, wait: &str| of(&report(T, &body(younger, wait)), Kind::ReadBeforeWait)[0].severity;
    assert_eq!(severity(63, "s_waitcnt lgkmcnt(0)"), Severity::Advice);
    assert_eq!(severity(62, "s_waitcnt lgkmcnt(0)"), Severity::Error);
    assert_eq!(severity(63, "s_nop 0"), Severity::Error);
    assert_eq!(severity(63, "s_waitcnt vmcnt(62)"), Severity::Error);
}

#[test]
fn overwriting_what_a_load_owes_is_found_unless_a_younger_load_does_it() {
    assert_error(
        T,
        "global_load_dword v4, v[2:3], off\nv_mov_b32_e32 v4, 0\ns_endpgm",
        Kind::WriteBeforeWait,
        "s_waitcnt vmcnt(0)",
    );
    assert_clean(T, "global_load_dword v4, v[2:3], off\nglobal_load_dword v4, v[6:7], off\ns_endpgm");
    // In order on different counters they are not.
    assert_error(
        T,
        "global_load_dword v4, v[2:3], off\nds_read_b32 v4, v6\ns_endpgm",
        Kind::WriteBeforeWait,
        "s_waitcnt vmcnt(0)",
    );
}

/// LDS answers sooner than memory: the guides want a wait, and no run will miss it.
#[test]
fn a_load_from_memory_over_what_lds_owes_is_advice_and_the_other_way_round_an_error() {
    let found = report(T, "ds_read_b32 v4, v6\nglobal_load_dword v4, v[2:3], off\ns_waitcnt vmcnt(0)\ns_endpgm");
    let [f] = of(&found, Kind::WriteBeforeWait)[..] else { panic!("{}", wavesmith_check::text(&found, true)) };
    assert_eq!(f.severity, Severity::Advice);
    assert!(f.message.contains("takes longer than LDS"), "{}", f.message);
    let body = "global_load_dword v4, v[2:3], off\nds_read_b32 v4, v6\ns_waitcnt lgkmcnt(0)\ns_endpgm";
    assert_error(T, body, Kind::WriteBeforeWait, "s_waitcnt vmcnt(0)");
}

/// What is read and written is wrong for what is read.
#[test]
fn an_instruction_that_reads_and_overwrites_what_a_load_owes_reads_it_too_early() {
    for touch in ["v_add_u32_e32 v4, 1, v4", "v_fmac_f32_e32 v4, v5, v6", "v_and_b32_e32 v4, v4, v4"] {
        let body = format!("global_load_dword v4, v[2:3], off\n{touch}\ns_endpgm");
        assert_error(T, &body, Kind::ReadBeforeWait, "s_waitcnt vmcnt(0)");
    }
}

/// All that has been put into LDS is still on its way: whatever is read is not there.
#[test]
fn lds_is_not_read_before_the_first_direct_load_into_it_has_arrived() {
    let dma = "s_mov_b32 m0, s4\ns_nop 0\nbuffer_load_dword v1, s[8:11], 0 offen lds\n";
    let read = "ds_read_b32 v4, v0\ns_waitcnt lgkmcnt(0)\ns_endpgm";
    let two = format!("{dma}{dma}");
    for target in [Target::Gfx90a, T, Target::Gfx950] {
        for barrier in ["", "s_barrier\n"] {
            assert_error(target, &format!("{two}{barrier}{read}"), Kind::ReadBeforeWait, "s_waitcnt vmcnt(1)");
            // Both may be meant, and the first has arrived: the dynamic half's.
            assert_clean(target, &format!("{two}s_waitcnt vmcnt(1)\n{barrier}{read}"));
            assert_clean(target, &format!("{two}s_waitcnt vmcnt(0)\n{barrier}{read}"));
        }
    }
    // The wave has put something there itself; another wave may have, once there was a barrier.
    let writes = "ds_write_b32 v0, v0\n";
    assert_clean(T, &format!("{writes}{two}{read}"));
    let elsewhere = format!("s_cbranch_scc1 on\n{writes}s_waitcnt lgkmcnt(0)\non:\ns_barrier\n");
    assert_clean(T, &format!("{two}{elsewhere}{read}"));
    // Tiles stream through two buffers: the wait is there, or it is not.
    let stream = |wait: &str| {
        format!(
            "{dma}top:\n{dma}{wait}s_barrier\nds_read_b32 v4, v0\ns_waitcnt lgkmcnt(0)\ns_sub_u32 s5, s5, 1\n\
             s_cmp_lg_u32 s5, 0\ns_cbranch_scc1 top\ns_endpgm"
        )
    };
    assert_clean(T, &stream("s_waitcnt vmcnt(1)\n"));
    assert_error(T, &stream(""), Kind::ReadBeforeWait, "s_waitcnt vmcnt(1)");
    assert_error(T, &stream("s_waitcnt vmcnt(2)\n"), Kind::ReadBeforeWait, "s_waitcnt vmcnt(1)");
    // Where the first tile is skipped on one way, what comes behind it is first only there.
    let skipped = stream("s_waitcnt vmcnt(0)\n").replacen(dma, &format!("s_cbranch_scc1 top\n{dma}"), 1);
    assert_clean(T, &skipped);
}

#[test]
fn store_data_may_be_overwritten_once_the_store_has_issued() {
    assert_clean(T, "global_store_dword v[2:3], v4, off\nv_mov_b32_e32 v4, 0\ns_endpgm");
    assert_clean(T, "buffer_atomic_add v4, off, s[8:11], 0\nv_mov_b32_e32 v4, 0\ns_endpgm");
    assert_error(
        T,
        "buffer_atomic_add v4, off, s[8:11], 0 sc0\nv_mov_b32_e32 v4, 0\ns_endpgm",
        Kind::WriteBeforeWait,
        "s_waitcnt vmcnt(0)",
    );
}

#[test]
fn a_wait_on_one_side_of_a_branch_does_not_help_the_other() {
    let body = |wait: &str| {
        format!(
            "global_load_dword v4, v[2:3], off\ns_cbranch_scc1 there\ns_waitcnt vmcnt(0)\ns_branch join\nthere:\n{wait}\
             join:\nv_add_u32_e32 v5, 1, v4\ns_endpgm"
        )
    };
    assert_clean(T, &body("s_waitcnt vmcnt(0)\n"));
    assert_error(T, &body("s_nop 0\n"), Kind::ReadBeforeWait, "vmcnt(0)");
    let found = report(T, &body("s_nop 0\n"));
    assert_eq!(errors(&found)[0].path.len(), 3, "through the side without the wait");
}

#[test]
fn a_loop_prefetches_across_its_back_edge() {
    let body = |n: u32| {
        format!(
            "global_load_dword v4, v[2:3], off\ns_mov_b32 s4, 8\ntop:\nglobal_load_dword v5, v[2:3], off\n\
             s_waitcnt vmcnt({n})\nv_add_u32_e32 v6, v4, v6\nv_mov_b32_e32 v4, 0\ns_waitcnt vmcnt(0)\n\
             global_load_dword v4, v[2:3], off\ns_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 top\ns_endpgm"
        )
    };
    assert_clean(T, &body(1));
    let found = report(T, &body(2));
    // Both the load before the loop and the one at its end may be the one that is read too early.
    let found = errors(&found);
    assert_eq!((found.len(), found[0].sites()), (1, 2), "{found:#?}");
}

#[test]
fn one_missing_wait_is_one_finding_whatever_it_would_cover() {
    let loads: String = (0..8).map(|i| format!("ds_read_b32 v{}, v2 offset:{}\n", 10 + i, 4 * i)).collect();
    let uses =
        |first: u32, n: u32| (first..first + n).map(|i| format!("v_add_f32_e32 v3, v3, v{i}\n")).collect::<String>();
    let body = format!("v_mov_b32_e32 v3, 0\n{loads}{}s_endpgm", uses(10, 8));
    let found = report(T, &body);
    let [f] = errors(&found)[..] else { panic!("{}", wavesmith_check::text(&found, true)) };
    assert_eq!(f.sites(), 8);
    assert!(f.message.ends_with("the same wait is missing for 7 more accesses"), "{}", f.message);
    // In front of the first use, no less covers the last.
    assert_eq!(f.need.as_deref(), Some("s_waitcnt lgkmcnt(0)"));
    assert_eq!(
        f.also.iter().map(|a| a.at.pc).collect::<Vec<_>>(),
        (1..8).map(|i| f.at.as_ref().unwrap().pc + 4 * i).collect::<Vec<_>>()
    );
    assert!(wavesmith_check::text(&found, false).contains("\n  also  "));
    assert_clean(T, &format!("v_mov_b32_e32 v3, 0\n{loads}s_waitcnt lgkmcnt(0)\n{}s_endpgm", uses(10, 8)));
}

#[test]
fn a_wait_in_between_or_a_later_operation_makes_it_another_finding() {
    let loads = "global_load_dword v10, v[2:3], off\nglobal_load_dword v11, v[2:3], off\n";
    let body =
        |between: &str| format!("{loads}v_add_f32_e32 v4, v10, v10\n{between}v_add_f32_e32 v5, v11, v11\ns_endpgm");
    let sites =
        |between: &str| -> Vec<usize> { errors(&report(T, &body(between))).iter().map(|f| f.sites()).collect() };
    assert_eq!(sites(""), [2]);
    // Too weak, and the place to mend.
    assert_eq!(sites("s_waitcnt vmcnt(1)\n"), [1, 1]);
    // A wait in front of the first use covers the first load of v11, and never the one that comes behind it.
    assert_eq!(sites("global_load_dword v11, v[2:3], off\n"), [2, 1]);
    // A store in between is younger than both loads: the wait in front of the first use must leave none.
    let found = report(T, &body("global_store_dword v[2:3], v6, off\n"));
    assert_eq!(errors(&found)[0].need.as_deref(), Some("s_waitcnt vmcnt(0)"));
}

#[test]
fn an_lds_read_under_way_at_a_barrier_is_advice_and_still_to_be_waited_for() {
    let body = |wait: &str| {
        format!(
            "ds_read_b32 v4, v2\n{wait}s_barrier\nds_write_b32 v2, v3\ns_waitcnt lgkmcnt(1)\nv_mov_b32_e32 v5, v4\ns_endpgm"
        )
    };
    let early = report(T, &body(""));
    let advice = of(&early, Kind::BarrierBeforeWait);
    assert_eq!((advice.len(), advice[0].severity), (1, Severity::Advice));
    assert!(advice[0].message.contains("lets other waves write LDS before `ds_read_b32 v4, v2` has read it"));
    assert!(of(&report(T, &body("s_waitcnt lgkmcnt(0)\n")), Kind::BarrierBeforeWait).is_empty());
    // Moving values between lanes leaves LDS alone.
    let moved = body("").replace("ds_read_b32 v4, v2\n", "ds_bpermute_b32 v4, v2, v3\n");
    assert!(of(&report(T, &moved), Kind::BarrierBeforeWait).is_empty());
    let without = body("").replace("s_waitcnt lgkmcnt(1)\n", "");
    assert_error(T, &without, Kind::ReadBeforeWait, "lgkmcnt(1)");
}

#[test]
fn a_full_counter_holds_up_the_next_operation() {
    let reads = |n: u32| (0..n).map(|i| format!("ds_read_b32 v{}, v2\n", 4 + i)).collect::<String>();
    assert_clean(T, &(reads(16) + "v_add_u32_e32 v60, 1, v4\ns_endpgm"));
    assert_error(T, &(reads(15) + "v_add_u32_e32 v60, 1, v4\ns_endpgm"), Kind::ReadBeforeWait, "lgkmcnt(14)");
}

#[test]
fn operations_of_one_counter_do_not_end_those_of_another() {
    let younger: String = (0..16).map(|i| format!("global_load_dword v{}, v[2:3], off\n", 10 + i)).collect();
    let body = |n: u32| {
        format!(
            "global_load_dword v4, v[2:3], off\n{younger}s_waitcnt vmcnt({n})\nds_write_b32 v5, v6\n\
             v_add_u32_e32 v7, 1, v4\ns_endpgm"
        )
    };
    // Sixteen younger loads are more than `lgkmcnt` counts, which is nothing to a load from memory.
    assert_error(T, &body(17), Kind::ReadBeforeWait, "s_waitcnt vmcnt(16)");
    assert_clean(T, &body(16));
}

#[test]
fn an_lds_write_before_a_barrier_is_pointed_at() {
    let body = |wait: &str| format!("ds_write_b32 v2, v4\n{wait}s_barrier\ns_endpgm");
    let found = report(T, &body(""));
    let f = of(&found, Kind::BarrierBeforeWait);
    assert_eq!((f.len(), f[0].severity), (1, Severity::Advice));
    assert!(of(&report(T, &body("s_waitcnt lgkmcnt(0)\n")), Kind::BarrierBeforeWait).is_empty());
}

#[test]
fn what_only_time_covers_is_advice() {
    let body =
        |nops: usize| format!("ds_read_b32 v4, v2\n{}v_add_u32_e32 v5, 1, v4\ns_endpgm", "s_nop 15\n".repeat(nops));
    assert_error(T, &body(3), Kind::ReadBeforeWait, "lgkmcnt(0)");
    let found = report(T, &body(4));
    assert!(errors(&found).is_empty());
    assert!(of(&found, Kind::ReadBeforeWait)[0].message.contains("64 issue slots"));
}

#[test]
fn a_called_function_is_followed_and_returns_to_its_caller_only() {
    // The first call's load is waited for after it returns; the second call site reads another register.
    let body = |wait: &str| {
        format!(
            "s_getpc_b64 s[4:5]\nhere:\ns_add_u32 s4, s4, callee-here\ns_addc_u32 s5, s5, 0\n\
             s_swappc_b64 s[30:31], s[4:5]\n{wait}v_add_u32_e32 v7, 1, v4\ns_waitcnt vmcnt(0)\n\
             s_swappc_b64 s[30:31], s[4:5]\ns_endpgm\n\
             callee:\nglobal_load_dword v4, v[2:3], off\ns_setpc_b64 s[30:31]"
        )
    };
    let clean = report(T, &body("s_waitcnt vmcnt(0)\n"));
    assert!(errors(&clean).is_empty() && clean.notes.is_empty(), "{}", wavesmith_check::text(&clean, true));
    assert_error(T, &body(""), Kind::ReadBeforeWait, "vmcnt(0)");
}

#[test]
fn a_call_to_an_unknown_address_is_noted() {
    let found = report(T, "s_swappc_b64 s[30:31], s[4:5]\ns_endpgm");
    assert_eq!(found.notes.len(), 1);
    assert!(found.notes[0].message.contains("not known"));
}

/// Ways on which data may exclude that the decisions come together.
#[test]
fn only_decisions_that_data_may_exclude_make_a_way_advice() {
    let severity = |between: &str| {
        let body = format!(
            "global_load_dword v4, v[2:3], off\n{between}\nv_add_u32_e32 v7, 1, v4\ns_endpgm\nout:\n\
             s_waitcnt vmcnt(0)\ns_endpgm"
        );
        let found = report(T, &body);
        let missing = of(&found, Kind::ReadBeforeWait);
        assert_eq!(missing.len(), 1, "{body}\n{}", wavesmith_check::text(&found, true));
        missing[0].severity
    };
    let twice = |a: &str, b: &str| severity(&format!("{a}\n{b}"));
    let less = "s_cmp_lt_i32 s8, s9\ns_cbranch_scc0 out";
    assert_eq!(twice(less, "s_cmp_lt_i32 s10, s11\ns_cbranch_scc0 out"), Severity::Advice);
    // The other way of the same comparison of other values is another decision.
    assert_eq!(twice(less, "s_add_u32 s8, s8, 1\ns_cmp_lt_i32 s8, s9\ns_cbranch_scc1 out"), Severity::Advice);
    // A loop that goes on: the same comparison, the same way.
    assert_eq!(twice(less, "s_add_u32 s8, s8, 1\ns_cmp_lt_i32 s8, s9\ns_cbranch_scc0 out"), Severity::Error);
    assert_eq!(twice(less, "s_cmp_lt_i32 s8, s9\ns_cbranch_scc1 on\ns_branch out\non:"), Severity::Error);
    // Lanes that go either way take the wave through both.
    let masked = |s: u32| format!("s_and_saveexec_b64 s[{s}:{}], vcc\ns_cbranch_execz out", s + 1);
    assert_eq!(twice(&masked(10), &masked(12)), Severity::Error);
    assert_eq!(twice(less, &masked(12)), Severity::Error);
    // No lane at all, twice: the data decides.
    let empty = |s: u32| format!("s_and_saveexec_b64 s[{s}:{}], vcc\ns_cbranch_execnz out", s + 1);
    assert_eq!(twice(&empty(10), &empty(12)), Severity::Advice);
}

/// A tile is loaded unless this is the last step, and the last step goes straight to the end.
#[test]
fn a_way_on_which_one_comparison_has_two_answers_does_not_exist() {
    let body = |first: &str, between: &str, second: &str| {
        format!(
            "{first}\ns_cbranch_scc1 loaded\nglobal_load_dword v4, v[2:3], off\nloaded:\ns_barrier\n{between}\n{second}\n\
             s_cbranch_scc1 last\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v5, v4\ns_endpgm\nlast:\nv_mov_b32_e32 v4, 0\ns_endpgm"
        )
    };
    let last = "s_cmp_eq_u32 s5, 1";
    assert_clean(T, &body(last, "", last));
    assert_clean(T, &body(last, "s_add_u32 s6, s6, 1", last));
    // The same question in other words.
    for same in ["s_cmpk_eq_u32 s5, 0x1", "s_cmp_eq_i32 s5, 1"] {
        assert_clean(T, &body(last, "", same));
        assert_clean(T, &body(same, "", last));
    }
    assert_clean(T, &body("s_cmp_gt_i32 s5, s7", "", "s_cmp_gt_i32 s5, s7"));
    assert_clean(T, &body("s_cmp_eq_u64 s[4:5], s[6:7]", "", "s_cmp_eq_u64 s[4:5], s[6:7]"));
    let found = |first: &str, between: &str, second: &str| {
        assert_error(T, &body(first, between, second), Kind::WriteBeforeWait, "s_waitcnt vmcnt(0)");
    };
    found(last, "s_sub_u32 s5, s5, 1", last);
    found("s_cmp_eq_u32 m0, 1", "s_set_gpr_idx_mode gpr_idx(SRC0)", "s_cmp_eq_u32 m0, 1");
    found(last, "", "s_cmp_eq_u32 s5, 2");
    found(last, "", "s_cmp_eq_u32 s6, 1");
    found(last, "", "s_cmp_lg_u32 s5, 1");
    found(last, "s_load_dword s5, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)", last);
    found("s_cmp_gt_i32 s5, s7", "", "s_cmp_gt_u32 s5, s7");
    found("s_cmp_eq_u64 s[4:5], s[6:7]", "s_mov_b32 s7, s3", "s_cmp_eq_u64 s[4:5], s[6:7]");
    // What has been compared is gone before the branch.
    found("s_cmp_eq_u32 s5, 1\ns_mov_b32 s5, 1", "", last);
    // SCC is another's by then.
    found(last, "", "s_cmp_eq_u32 s5, 1\ns_and_b32 s8, s8, s9");
}

/// A way that falls through `s_cbranch_execz` decides nothing, though the jump leads to the same block sooner.
#[test]
fn the_way_with_the_fewest_decisions_is_found_behind_a_shorter_one() {
    let body = "global_load_dword v4, v[2:3], off\ns_and_saveexec_b64 s[10:11], vcc\ns_cbranch_execz join\n\
                v_add_u32_e32 v5, v6, v6\njoin:\ns_or_b64 exec, exec, s[10:11]\ns_cmp_eq_u32 s5, 1\ns_cbranch_scc1 use\n\
                s_waitcnt vmcnt(0)\ns_endpgm\nuse:\nv_add_u32_e32 v7, 1, v4\ns_endpgm";
    assert_error(T, body, Kind::ReadBeforeWait, "s_waitcnt vmcnt(0)");
}

/// What is asked once contradicts nothing, and is no reason to give up.
#[test]
fn many_comparisons_between_two_answers_do_not_hide_that_they_contradict() {
    let body = |count: usize, twice: bool| {
        let ask = |i: usize| {
            format!("s_cmp_eq_u32 s{}, 7\ns_cbranch_scc1 l{i}\nv_add_u32_e32 v8, 1, v8\nl{i}:\n", 10 + i % count)
        };
        let between: String = (0..if twice { 2 * count } else { count }).map(ask).collect();
        format!(
            "s_cmp_eq_u32 s5, 1\ns_cbranch_scc1 loaded\nglobal_load_dword v4, v[2:3], off\nloaded:\n{between}s_cmp_eq_u32 s5, 1\n\
             s_cbranch_scc1 last\ns_waitcnt vmcnt(0)\ns_endpgm\nlast:\nv_add_u32_e32 v7, 1, v4\ns_endpgm"
        )
    };
    let missing = |count, twice| {
        let found = report(T, &body(count, twice));
        of(&found, Kind::ReadBeforeWait).iter().map(|f| f.severity).collect::<Vec<_>>()
    };
    assert_eq!(missing(40, false), []);
    assert_eq!(missing(4, true), []);
    // Here there are too many answers to go through, and what is not known to exist is no error.
    assert_eq!(missing(40, true), [Severity::Advice]);
}

/// The way around the shortest one, which does not exist.
#[test]
fn a_longer_way_is_found_where_the_shortest_does_not_exist() {
    let body = "s_cmp_eq_u32 s5, 1\ns_cbranch_scc1 loaded\nglobal_load_dword v4, v[2:3], off\nloaded:\n\
                s_cbranch_vccz straight\ns_mov_b32 s5, s6\ns_barrier\nstraight:\ns_cmp_eq_u32 s5, 1\ns_cbranch_scc0 on\n\
                v_mov_b32_e32 v4, 0\non:\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v5, v4\ns_endpgm";
    let found = report(T, body);
    let missing = of(&found, Kind::WriteBeforeWait);
    assert_eq!(missing.len(), 1, "{}", wavesmith_check::text(&found, true));
    assert_eq!(missing[0].path.len(), 5, "{:x?}", missing[0].path);
}

#[test]
fn a_flat_load_that_each_way_waits_for_by_half_is_found() {
    let body = |join: &str| {
        format!(
            "flat_load_dword v4, v[2:3]\ns_cbranch_scc1 other\ns_waitcnt vmcnt(0)\ns_branch join\nother:\n\
             s_waitcnt lgkmcnt(0)\njoin:\n{join}v_add_u32_e32 v5, 1, v4\ns_endpgm"
        )
    };
    assert_clean(T, &body("s_waitcnt vmcnt(0) lgkmcnt(0)\n"));
    for half in ["", "s_waitcnt vmcnt(0)\n", "s_waitcnt lgkmcnt(0)\n"] {
        assert_eq!(errors(&report(T, &body(half))).len(), 1, "{half}");
    }
}

/// What is not kept is not judged, and that is said.
#[test]
fn more_than_is_kept_where_ways_join_is_noted() {
    let body: String = (0..1100)
        .map(|i| format!("s_cbranch_scc1 l{i}\nglobal_load_dword v{}, v[2:3], off\nl{i}:\n", 4 + i % 200))
        .collect();
    let found = report(T, &(body + "s_endpgm"));
    assert!(found.notes.iter().any(|n| n.message.starts_with("gave up at 0x")), "{:?}", found.notes);
}

/// That another kernel of the object writes LDS says nothing of what this one's other waves have put there.
#[test]
fn lds_that_another_kernel_writes_does_not_hide_loads_into_it_that_nothing_waits_for() {
    let kernel = |name: &str, body: &str| {
        format!(
            ".text\n.globl {name}\n.p2align 8\n.type {name},@function\n{name}:\n{body}\ns_endpgm\n.L{name}:\n\
             .size {name}, .L{name}-{name}\n.section .rodata,\"a\",@progbits\n.p2align 6\n.amdhsa_kernel {name}\n\
             .amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 16\n.amdhsa_accum_offset 16\n\
             .amdhsa_group_segment_fixed_size 4096\n.end_amdhsa_kernel\n"
        )
    };
    let writes = "ds_write_b32 v0, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v1, v0\ns_waitcnt lgkmcnt(0)";
    let loads = |wait: &str| {
        format!(
            "v_mov_b32_e32 v1, 0\ns_mov_b32 m0, 0\ns_nop 0\nglobal_load_lds_dword v[0:1], off\n{wait}s_barrier\n\
             ds_read_b32 v2, v0\ns_waitcnt lgkmcnt(0)"
        )
    };
    let found = |text: &str| {
        let assembled = wavesmith_asm::assemble::assemble(text, T).unwrap();
        let object = wavesmith_emitter::link::link(&assembled).unwrap();
        wavesmith_check::check(&object, &wavesmith_check::Options::default()).unwrap()
    };
    for other in [kernel("w", writes), String::new()] {
        let without = found(&(other.clone() + &kernel("k", &loads(""))));
        let [f] = errors(&without)[..] else { panic!("{}", wavesmith_check::text(&without, true)) };
        assert!(f.kind == Kind::ReadBeforeWait && f.message.contains("before anything is there"), "{}", f.message);
        let with = found(&(other + &kernel("k", &loads("s_waitcnt vmcnt(0)\n"))));
        assert!(errors(&with).is_empty(), "{}", wavesmith_check::text(&with, true));
    }
}

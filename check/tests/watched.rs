//! The dynamic half on kernels of our own: each with a fault that the watching engine finds, and a twin without it that
//! passes.

#[path = "watched/run.rs"]
#[allow(dead_code, reason = "each test file uses its part")]
mod run;
mod support;

use run::{Case, Seen};
use support::Kernel;
use wavesmith_asm::Target;
use wavesmith_sim::checked::{Finding, Kind, Severity};

/// Lane number in v0, four times it in v1, the first buffer's address in s[4:5], zero in v9.
const PROLOGUE: &str = "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_and_b32_e32 v0, 0x3ff, v0\nv_lshlrev_b32_e32 v1, 2, v0\n\
     v_mov_b32_e32 v9, 0\ns_waitcnt lgkmcnt(0)\n";

fn object(target: Target, body: &str, directives: &str) -> Vec<u8> {
    let body = format!("{PROLOGUE}{body}\ns_endpgm");
    Kernel { target, body: &body, directives, vgprs: 72, accum_offset: 64, ..Kernel::default() }.object()
}

/// A body on `grid` workgroups of `block` work-items with one buffer of 4 KiB.
fn seen_with(body: &str, grid: u32, block: u16, seed: u64) -> Seen {
    let object = object(Target::Gfx942, body, "");
    let buffers = vec![vec![0; 4096]];
    let case = Case {
        target: Target::Gfx942,
        object: &object,
        grid,
        block: [block, 1, 1],
        buffers,
        unwritten: None,
        lds: 4096,
        seed,
    };
    case.run()
}

fn seen(body: &str) -> Seen {
    seen_with(body, 1, 64, 1)
}

fn clean(body: &str, grid: u32, block: u16) {
    for seed in 0..8 {
        let seen = seen_with(body, grid, block, seed);
        assert!(
            seen.errors().is_empty() && seen.fault.is_none(),
            "seed {seed}\n{body}\n{:#?} {:?}",
            seen.errors(),
            seen.fault
        );
    }
}

fn found(body: &str, grid: u32, block: u16, kind: Kind) {
    // Some need the right moment: a few seeds are enough for each.
    let mut last = None;
    for seed in 0..8 {
        let seen = seen_with(body, grid, block, seed);
        if seen.has(kind) {
            return;
        }
        last = Some(seen);
    }
    panic!("no {kind} in\n{body}\n{:#?}", last.map(|s| s.findings));
}

#[test]
fn a_result_used_before_its_wait_is_found() {
    let body = |wait: &str| {
        format!("global_load_dword v2, v1, s[4:5]\n{wait}v_add_u32_e32 v3, v2, v2\nglobal_store_dword v1, v3, s[4:5]")
    };
    let seen = seen(&body(""));
    assert!(seen.has(Kind::ReadBeforeWait), "{:#?}", seen.findings);
    assert!(seen.errors()[0].need.as_deref().is_some_and(|n| n.contains("vmcnt(0)")));
    clean(&body("s_waitcnt vmcnt(0)\n"), 1, 64);
}

#[test]
fn a_register_overwritten_by_a_late_result_is_found() {
    let body = |wait: &str| format!("ds_write_b32 v1, v0\nds_read_b32 v2, v1\n{wait}v_mov_b32_e32 v2, 0");
    assert!(seen(&body("")).has(Kind::WriteBeforeWait));
    clean(&body("s_waitcnt lgkmcnt(0)\n"), 1, 64);
}

#[test]
fn wait_states_are_counted_on_the_path_that_is_taken() {
    // The branch is taken, so the nops that lie in between do not count.
    let body = |jump: &str| {
        format!(
            "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 0\ns_cmp_eq_u32 s2, s2\ns_nop 0\n\
             v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], 0\n{jump}\ns_nop 15\nfar:\nglobal_store_dword v1, v4, s[4:5]"
        )
    };
    assert!(seen(&body("s_cbranch_scc1 far")).has(Kind::WaitStates));
    clean(&body("s_cbranch_scc0 far"), 1, 64);
}

#[test]
fn a_matrix_instruction_that_waits_for_another_has_had_its_wait_states() {
    let matrix = "v_mfma_f32_16x16x16_f16 v[4:7], v[10:11], v[10:11], 0\n";
    let body = |first: &str, middle: &str| {
        format!(
            "v_mov_b32_e32 v10, 0\nv_mov_b32_e32 v11, 0\nv_mov_b32_e32 v13, 0\ns_nop 1\n{first}v_mov_b32_e32 v12, 0\n\
             {middle}v_mfma_f32_16x16x16_f16 v[20:23], v[12:13], v[12:13], 0"
        )
    };
    let seen_of = |first, middle| seen(&body(first, middle));
    clean(&body("", matrix), 1, 64);
    assert!(seen_of("", matrix).findings.iter().any(|f| f.kind == Kind::WaitStates), "advice");
    for (first, middle) in [("", ""), (matrix, ""), (matrix, "s_nop 0\n"), ("", "s_nop 0\n")] {
        assert!(seen_of(first, middle).has(Kind::WaitStates), "{first}{middle}");
    }
}

#[test]
fn a_flat_store_to_lds_is_waited_for_in_front_of_the_barrier_that_others_read_it_behind() {
    let body = |wait: &str| {
        format!(
            "s_mov_b64 s[20:21], src_shared_base\nv_mov_b32_e32 v4, v1\nv_mov_b32_e32 v5, s21\nflat_store_dword v[4:5], v0\n\
             {wait}s_barrier\nv_xor_b32_e32 v6, 0x100, v1\nds_read_b32 v7, v6\ns_waitcnt lgkmcnt(0)\n\
             global_store_dword v1, v7, s[4:5]"
        )
    };
    clean(&body("s_waitcnt vmcnt(0) lgkmcnt(0)\n"), 1, 128);
    found(&body(""), 1, 128, Kind::LdsRace);
    found(&body("s_waitcnt vmcnt(0)\n"), 1, 128, Kind::LdsRace);
}

#[test]
fn a_read_that_was_not_waited_for_is_remembered_though_the_writer_has_read_there_since() {
    // Both waves read, the first does not wait, and behind the barrier the second writes: whoever read last.
    let body = |first: &str| {
        format!(
            "v_and_b32_e32 v2, 0xfc, v1\nv_lshrrev_b32_e32 v4, 6, v0\ns_nop 0\nv_readfirstlane_b32 s8, v4\n\
             s_cmp_eq_u32 s8, 0\nds_read_b32 v3, v2\n{first}s_waitcnt lgkmcnt(0)\nmeet:\ns_barrier\n\
             s_cbranch_scc1 end\nds_write_b32 v2, v0\nend:\ns_waitcnt lgkmcnt(0)"
        )
    };
    clean(&body(""), 1, 128);
    for seed in 0..8 {
        let seen = seen_with(&body("s_cbranch_scc1 meet\n"), 1, 128, seed);
        assert!(seen.has(Kind::LdsRace), "seed {seed}: {:#?}", seen.findings);
    }
}

#[test]
fn a_product_with_zero_is_known_whatever_the_other_factor_is() {
    let body = |factor: &str| {
        format!("s_mul_i32 s30, {factor}, s60\nv_mov_b32_e32 v2, s30\nglobal_store_dword v1, v2, s[4:5]")
    };
    clean(&body("0"), 1, 64);
    found(&body("1"), 1, 64, Kind::Uninitialised);
}

#[test]
fn slow_instructions_count_behind_a_matrix_instruction_for_as_long_as_shipping_code_counts_them() {
    // 19 states are asked for; there are 17 instructions, or 13 and four that take four slots each.
    let body = |slow: &str| {
        format!(
            "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 0\ns_nop 1\nv_mfma_f32_32x32x8f16 v[32:47], v[2:3], v[2:3], 0\n{}{}\
             v_mov_b32_e32 v5, v32",
            "v_mov_b32_e32 v4, 0\n".repeat(13),
            slow.repeat(4)
        )
    };
    let found = |slow: &str| {
        let object = object(Target::Gfx90a, &body(slow), "");
        let buffers = vec![vec![0; 4096]];
        let target = Target::Gfx90a;
        let block = [64, 1, 1];
        Case { target, object: &object, grid: 1, block, buffers, unwritten: None, lds: 0, seed: 1 }.run()
    };
    assert!(found("v_mov_b32_e32 v4, 0\n").has(Kind::WaitStates));
    let counted = found("v_mul_lo_u32 v4, v2, v3\n");
    assert!(counted.errors().is_empty() && counted.findings.iter().any(|f| f.kind == Kind::WaitStates));
}

/// As the static half weighs it: what ships leaves two states.
#[test]
fn lanes_that_are_turned_on_again_shorten_the_states_behind_v_cmpx() {
    let found = |between: &str| {
        seen(&format!(
            "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 0\ns_nop 1\nv_cmpx_eq_u32_e32 vcc, v2, v3\n{between}\n\
             v_mfma_f32_32x32x8_f16 v[32:47], v[2:3], v[2:3], 0\ns_mov_b64 exec, -1\ns_nop 15\ns_nop 15"
        ))
    };
    let shipping = found("s_mov_b64 exec, -1\ns_nop 0");
    assert!(shipping.errors().is_empty() && shipping.findings.iter().any(|f| f.kind == Kind::WaitStates));
    for sooner in ["s_mov_b64 exec, -1", "s_nop 1", "s_cmov_b64 exec, -1\ns_nop 0", "s_mov_b32 exec_lo, -1\ns_nop 0"] {
        assert!(found(sooner).has(Kind::WaitStates), "{sooner}");
    }
    assert!(found("s_nop 3").findings.iter().all(|f| f.kind != Kind::WaitStates));
}

#[test]
fn waves_may_load_the_same_bytes_to_the_same_place_of_lds() {
    // Both waves load lane times four, or each its own, and read back their own behind their own wait.
    let body = |address: &str| {
        format!(
            "v_lshlrev_b32_e32 v2, 2, v0\nv_and_b32_e32 v3, 0xfc, v2\ns_mov_b32 m0, 0\ns_nop 0\n\
             global_load_lds_dword {address}, s[4:5]\ns_waitcnt vmcnt(0)\nds_read_b32 v6, v3\ns_waitcnt lgkmcnt(0)\n\
             global_store_dword v2, v6, s[4:5] offset:2048"
        )
    };
    clean(&body("v3"), 1, 128);
    let advice = (0..8).any(|seed| {
        let findings = seen_with(&body("v3"), 1, 128, seed).findings;
        findings.iter().any(|f| f.rule == Some("waves load the same bytes to the same place"))
    });
    assert!(advice);
    let other =
        body("v2").replace("s_mov_b32 m0, 0", "global_store_dword v2, v2, s[4:5]\ns_waitcnt vmcnt(0)\ns_mov_b32 m0, 0");
    found(&other, 1, 128, Kind::LdsRace);
}

#[test]
fn what_has_been_read_in_front_of_a_barrier_may_be_overwritten_by_what_comes_from_memory() {
    // The read is not waited for. Another LDS access behind the barrier may overtake it; memory takes longer.
    let body = |overwrites: &str| {
        format!(
            "v_and_b32_e32 v3, 63, v0\nv_lshlrev_b32_e32 v3, 2, v3\ns_mov_b32 m0, 0\nds_write_b32 v3, v3\n\
             s_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v6, v3\ns_barrier\n{overwrites}\ns_waitcnt vmcnt(0) lgkmcnt(0)"
        )
    };
    let load = body("global_load_lds_dword v3, s[4:5]");
    clean(&load, 1, 128);
    let advice = (0..8).any(|seed| {
        let findings = seen_with(&load, 1, 128, seed).findings;
        findings.iter().any(|f| f.kind == Kind::LdsRace && f.message.contains("takes longer than LDS"))
    });
    assert!(advice);
    found(&body("v_mov_b32_e32 v4, 1\nds_write_b32 v3, v4"), 1, 128, Kind::LdsRace);
}

#[test]
fn waves_may_store_the_same_bytes_to_the_same_place() {
    // By lanes that lie apart, so that each stores by itself.
    let body = |value: &str| {
        format!("v_and_b32_e32 v3, 31, v0\nv_lshlrev_b32_e32 v3, 3, v3\n{value}\nglobal_store_dword v3, v4, s[4:5]")
    };
    let same = body("v_mov_b32_e32 v4, v3");
    clean(&same, 1, 128);
    let rule = Some("waves store the same bytes to the same place");
    assert!((0..8).any(|seed| seen_with(&same, 1, 128, seed).findings.iter().any(|f| f.rule == rule)));
    found(&body("v_mov_b32_e32 v4, v0"), 1, 128, Kind::GlobalRace);
}

#[test]
fn values_that_nothing_wrote_are_found_where_they_decide_something() {
    for (body, kind) in [
        ("s_cmp_eq_u32 s40, 0\ns_cbranch_scc1 far\ns_nop 0\nfar:", Kind::Uninitialised),
        ("global_load_dword v2, v30, s[4:5]\ns_waitcnt vmcnt(0)", Kind::Uninitialised),
        ("global_store_dword v1, v30, s[4:5]", Kind::Uninitialised),
        ("v_cmp_eq_u32_e32 vcc, v30, v0\ns_and_saveexec_b64 s[10:11], vcc", Kind::Uninitialised),
        // Through LDS.
        (
            "ds_read_b32 v2, v1 offset:1024\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v2, s[4:5]",
            Kind::Uninitialised,
        ),
        // Through a matrix product: a row that nothing wrote.
        (
            "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 0\ns_nop 1\nv_mfma_f32_16x16x16_f16 v[4:7], v[30:31], v[2:3], 0\ns_nop 10\n\
             global_store_dword v1, v4, s[4:5]",
            Kind::Uninitialised,
        ),
    ] {
        let object = object(Target::Gfx942, body, "");
        let case = Case {
            target: Target::Gfx942,
            object: &object,
            grid: 1,
            block: [64, 1, 1],
            buffers: vec![vec![0; 4096]],
            unwritten: None,
            lds: 4096,
            seed: 3,
        };
        let seen = case.run();
        // A wild address may end the dispatch as well.
        assert!(seen.has(kind), "{body}\n{:#?}", seen.findings);
    }
    // A copy decides nothing, and neither do lanes that are off, nor bits that are masked.
    clean("v_mov_b32_e32 v5, v30\nv_add_f32_e32 v5, v5, v5", 1, 64);
    clean("s_and_b32 s10, s40, 0\ns_cmp_eq_u32 s10, 0\ns_cbranch_scc1 far\ns_nop 0\nfar:", 1, 64);
    clean("v_xor_b32_e32 v5, v5, v5\nglobal_store_dword v1, v5, s[4:5]", 1, 64);
}

#[test]
fn a_dword_is_as_defined_as_what_it_depends_on() {
    // v31 is never written: what of v[10:11] it reaches.
    for (op, low, high) in [
        ("v_mad_u64_u32 v[10:11], s[12:13], v0, 48, v[30:31]", false, true),
        ("v_lshl_add_u64 v[10:11], v[30:31], 1, v[8:9]", false, true),
        ("v_lshlrev_b64 v[10:11], 3, v[30:31]", false, true),
        ("v_lshrrev_b64 v[10:11], 3, v[30:31]", true, true),
        ("v_lshrrev_b64 v[10:11], 3, v[8:9]", false, false),
        ("v_mov_b64_e32 v[10:11], v[30:31]", false, true),
        ("v_pk_mov_b32 v[10:11], v[30:31], v[8:9] op_sel:[1,0]", true, false),
        ("v_pk_add_f32 v[10:11], v[30:31], v[8:9]", false, true),
        ("v_pk_add_f32 v[10:11], v[30:31], v[8:9] op_sel_hi:[0,1]", false, false),
        ("v_pk_fma_f32 v[10:11], v[30:31], v[8:9], v[8:9] op_sel:[1,0,0] op_sel_hi:[0,1,1]", true, false),
        ("v_add_f64 v[10:11], v[30:31], v[8:9]", true, true),
    ] {
        for (register, marked) in [("v10", low), ("v11", high)] {
            let body =
                format!("v_mov_b32_e32 v8, 0\nv_mov_b32_e32 v30, 1.0\n{op}\nglobal_store_dword v1, {register}, s[4:5]");
            assert_eq!(seen(&body).has(Kind::Uninitialised), marked, "{register} of {op}");
        }
    }
}

#[test]
fn output_that_is_read_before_it_is_written_is_found() {
    let body = "global_load_dword v2, v1, s[4:5]\ns_waitcnt vmcnt(0)\nglobal_store_dword v1, v2, s[4:5] offset:1024";
    let object = object(Target::Gfx942, body, "");
    let case = |unwritten| Case {
        target: Target::Gfx942,
        object: &object,
        grid: 1,
        block: [64, 1, 1],
        buffers: vec![vec![0; 4096]],
        unwritten,
        lds: 0,
        seed: 0,
    };
    assert!(case(Some(0)).run().has(Kind::Uninitialised));
    assert!(case(None).run().errors().is_empty());
}

#[test]
fn accesses_beyond_an_allocation_or_lds_are_found_to_the_byte() {
    found("global_load_dword v2, v1, s[4:5] offset:3844\ns_waitcnt vmcnt(0)", 1, 64, Kind::Bounds);
    // The last lane's dword is the first behind the page, and it is that lane's address that is told.
    let beyond = seen("global_load_dword v2, v1, s[4:5] offset:3844\ns_waitcnt vmcnt(0)");
    let f = beyond.findings.iter().find(|f| f.kind == Kind::Bounds).expect("it is found");
    assert_eq!((f.lane, f.address.map(|a| a % 4096)), (Some(63), Some(0)));
    clean("global_load_dword v2, v1, s[4:5] offset:3840\ns_waitcnt vmcnt(0)", 1, 64);
    found("ds_read_b32 v2, v1 offset:3844\ns_waitcnt lgkmcnt(0)", 1, 64, Kind::Bounds);
    let misaligned = seen("v_add_u32_e32 v2, 1, v1\nglobal_load_dword v3, v2, s[4:5]\ns_waitcnt vmcnt(0)");
    assert!(misaligned.findings.iter().any(|f| f.kind == Kind::Alignment && f.severity == Severity::Advice));
}

#[test]
fn waves_that_share_lds_without_a_barrier_race() {
    let body = |between: &str| {
        format!(
            "ds_write_b32 v1, v0\n{between}v_xor_b32_e32 v2, 0x100, v1\nds_read_b32 v3, v2\ns_waitcnt lgkmcnt(0)\n\
             global_store_dword v1, v3, s[4:5]"
        )
    };
    found(&body("s_waitcnt lgkmcnt(0)\n"), 1, 128, Kind::LdsRace);
    clean(&body("s_waitcnt lgkmcnt(0)\ns_barrier\n"), 1, 128);
    // Bytes of one dword are not one place.
    clean("v_mov_b32_e32 v4, 1\nds_write_b8 v0, v4", 1, 128);
    // A write that no wait covers may come after the barrier: shipping code does that, so it is advice.
    let late = seen_with(&body("s_barrier\n"), 1, 128, 0);
    assert!(late.findings.iter().any(|f| f.kind == Kind::BarrierBeforeWait && f.severity == Severity::Advice));
}

#[test]
fn waves_that_write_the_same_value_to_one_place_do_not_race() {
    // The lane within its wave: all waves have the same. Each reads back its own copy before the barrier and after it.
    let lane = "v_and_b32_e32 v3, 63, v0\nv_lshlrev_b32_e32 v2, 2, v3\n";
    let read = "s_waitcnt lgkmcnt(0)\nds_read_b32 v4, v2\ns_waitcnt lgkmcnt(0)\n";
    let store = "global_store_dword v1, v4, s[4:5]";
    clean(&format!("{lane}ds_write_b32 v2, v3\n{read}s_barrier\n{read}{store}"), 1, 192);
    let half = read.replace("ds_read_b32", "ds_read_u16");
    clean(&format!("{lane}ds_write_b16 v2, v3\n{half}{store}"), 1, 128);
    // The work-item differs from wave to wave.
    found(&format!("{lane}ds_write_b32 v2, v0"), 1, 128, Kind::LdsRace);
    // One that has not written it may read what was there before.
    let third =
        "s_mov_b64 s[12:13], exec\nv_cmpx_gt_u32_e32 vcc, 128, v0\nds_write_b32 v2, v3\ns_mov_b64 exec, s[12:13]\n";
    found(&format!("{lane}{third}{read}{store}"), 1, 192, Kind::LdsRace);
    // Nor does it help to have written the same if one of them goes on to write something else.
    let again = "s_waitcnt lgkmcnt(0)\nds_write_b32 v2, v0\n";
    found(&format!("{lane}ds_write_b32 v2, v3\n{again}{read}{store}"), 1, 128, Kind::LdsRace);
}

#[test]
fn lanes_that_write_different_values_to_one_place_are_advice() {
    let different = seen("ds_write_b32 v9, v0");
    assert!(different.findings.iter().any(|f| f.kind == Kind::LdsRace && f.severity == Severity::Advice));
    assert!(seen("ds_write_b32 v9, v9").findings.is_empty());
}

/// Tiles stream through three LDS buffers, each wave loading its half of a tile by LDS-DMA and reading the other's. A
/// tile may be requested into the buffer that was read last only behind a barrier.
#[test]
fn three_buffers_of_lds_reused_across_waves_need_the_request_behind_the_barrier() {
    let body = |behind: bool| {
        let mut b = String::from(
            "s_mov_b32 s8, s4\ns_mov_b32 s9, s5\ns_mov_b32 s10, 4096\ns_mov_b32 s11, 0x20000\n\
             v_readfirstlane_b32 s12, v1\nv_xor_b32_e32 v2, 0x100, v1\ns_nop 4\n",
        );
        let request = |tile: u32| {
            format!(
                "s_add_u32 m0, s12, {}\ns_movk_i32 s13, {}\nbuffer_load_dword v1, s[8:11], s13 offen lds\n",
                tile % 3 * 512,
                tile * 512
            )
        };
        b += &request(0);
        b += &request(1);
        for tile in 0..6u32 {
            if !behind {
                b += &request(tile + 2);
                b += "s_waitcnt vmcnt(2)\ns_barrier\n";
            } else {
                b += "s_waitcnt vmcnt(1)\ns_barrier\n";
                b += &request(tile + 2);
            }
            b += &format!("ds_read_b32 v3, v2 offset:{}\ns_waitcnt lgkmcnt(0)\n", tile % 3 * 512);
        }
        b + "s_waitcnt vmcnt(0)"
    };
    found(&body(false), 1, 128, Kind::LdsRace);
    clean(&body(true), 1, 128);
}

/// What a handshake may leave out.
#[derive(Clone, Copy)]
struct Handshake {
    writeback: &'static str,
    wait: &'static str,
    flag: &'static str,
    poll: &'static str,
    invalidate: &'static str,
}

const SOUND: Handshake = Handshake {
    writeback: "buffer_wbl2 sc1",
    wait: "s_waitcnt vmcnt(0)",
    flag: "sc1",
    poll: "sc1",
    invalidate: "buffer_inv sc1",
};

/// Workgroup 0 stores and raises a flag; workgroup 1, on another die, has the neighbours in its caches, waits for the flag
/// and copies.
fn handshake(h: Handshake) -> String {
    let Handshake { writeback, wait, flag, poll, invalidate } = h;
    format!(
        "v_lshlrev_b32_e32 v1, 3, v0\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 consumer\n\
         v_add_u32_e32 v2, 7, v0\nv_mov_b32_e32 v3, 1\nglobal_store_dword v1, v2, s[4:5]\n{writeback}\n{wait}\n\
         global_store_dword v9, v3, s[4:5] offset:1024 {flag}\ns_endpgm\n\
         consumer:\nglobal_load_dword v4, v1, s[4:5] offset:4\ns_waitcnt vmcnt(0)\n\
         poll:\nglobal_load_dword v5, v9, s[4:5] offset:1024 {poll}\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v5\n\
         s_cmp_eq_u32 s8, 1\ns_cbranch_scc0 poll\n{invalidate}\nglobal_load_dword v6, v1, s[4:5]\ns_waitcnt vmcnt(0)\n\
         global_store_dword v1, v6, s[4:5] offset:2048"
    )
}

#[test]
fn a_release_and_an_acquire_make_data_safe_whatever_caches_do() {
    for seed in 0..24 {
        let seen = seen_with(&handshake(SOUND), 2, 64, seed);
        assert!(seen.errors().is_empty(), "seed {seed}: {:#?}", seen.errors());
        let words = seen.words(0);
        for lane in 0..64 {
            assert_eq!(words[512 + 2 * lane], lane as u32 + 7, "seed {seed}, lane {lane}");
        }
    }
}

#[test]
fn each_part_of_a_handshake_is_missed_where_it_is_missing() {
    for (what, broken, kind) in [
        ("write-back", Handshake { writeback: "", ..SOUND }, Kind::GlobalRace),
        ("wait", Handshake { wait: "", ..SOUND }, Kind::GlobalRace),
        ("scope of the flag", Handshake { flag: "", ..SOUND }, Kind::GlobalRace),
        ("scope of the poll", Handshake { poll: "", ..SOUND }, Kind::GlobalRace),
        ("invalidation", Handshake { invalidate: "", ..SOUND }, Kind::StaleRead),
    ] {
        println!("without {what}");
        found(&handshake(broken), 2, 64, kind);
    }
}

/// Not only is it said to be wrong: it goes wrong.
/// What compilers make of an atomic operation that the hardware lacks: the first guess is loaded as anything is.
#[test]
fn the_first_guess_of_a_compare_and_swap_may_be_a_plain_load() {
    let swap = |guess: &str, expected: &str, before: &str| {
        format!(
            "v_mov_b32_e32 v8, 0\n{guess}s_mov_b64 s[12:13], 0\n{before}again:\nv_add_u32_e32 v6, 1, v7\nv_mov_b32_e32 v3, {expected}\n\
             v_mov_b32_e32 v2, v6\nglobal_atomic_cmpswap v5, v8, v[2:3], s[4:5] sc0\ns_waitcnt vmcnt(0)\n\
             v_cmp_eq_u32_e32 vcc, v5, v7\ns_or_b64 s[12:13], vcc, s[12:13]\nv_mov_b32_e32 v7, v5\ns_andn2_b64 exec, exec, s[12:13]\n\
             s_cbranch_execnz again"
        )
    };
    let vector = "global_load_dword v7, v8, s[4:5]\ns_waitcnt vmcnt(0)\n";
    clean(&swap(vector, "v7", ""), 4, 128);
    let scalar = "s_load_dword s14, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v7, s14\n";
    clean(&swap(scalar, "v7", ""), 4, 128);
    // Unoptimised code keeps it in scratch or AGPRs meanwhile.
    let kept = vector.to_owned() + "v_accvgpr_write_b32 a3, v7\nv_mov_b32_e32 v7, 0\nv_accvgpr_read_b32 v7, a3\n";
    clean(&swap(&kept, "v7", ""), 4, 128);
    // Where it decides something before, or is not what the swap compares with, an old value does harm.
    let decides = "v_cmp_eq_u32_e32 vcc, 77, v7\ns_cbranch_vccnz out\n";
    found(&(swap(vector, "v7", decides) + "\nout:"), 4, 128, Kind::GlobalRace);
    let other = vector.to_owned() + "v_mov_b32_e32 v10, v7\nv_mov_b32_e32 v7, 0\n";
    found(&(swap(&other, "v7", "") + "\nv_mov_b32_e32 v11, v10"), 4, 128, Kind::GlobalRace);
}

#[test]
fn without_an_invalidation_old_data_is_read() {
    let wrong = (0..24).any(|seed| {
        let seen = seen_with(&handshake(Handshake { invalidate: "", ..SOUND }), 2, 64, seed);
        seen.words(0)[512..].iter().step_by(2).take(64).enumerate().any(|(lane, w)| *w != lane as u32 + 7)
    });
    assert!(wrong);
}

/// The data is its own flag; a store of four dwords may arrive in parts.
#[test]
fn a_wide_store_is_seen_in_parts_by_who_looks_at_one_dword() {
    let body = |look: &str| {
        format!(
            "v_lshlrev_b32_e32 v1, 4, v0\nv_mov_b32_e32 v2, 1\nv_mov_b32_e32 v3, 1\nv_mov_b32_e32 v4, 1\n\
             v_mov_b32_e32 v5, 1\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 poll\n\
             global_store_dwordx4 v1, v[2:5], s[4:5] sc1\ns_endpgm\n\
             poll:\nglobal_load_dwordx4 v[10:13], v1, s[4:5] sc1\ns_waitcnt vmcnt(0)\n{look}\n\
             v_cmp_eq_u32_e32 vcc, 0, v14\ns_cbranch_vccnz poll\n\
             global_store_dwordx4 v1, v[10:13], s[4:5] offset:1024 sc1"
        )
    };
    let all = "v_min_u32_e32 v14, v10, v11\nv_min_u32_e32 v15, v12, v13\nv_min_u32_e32 v14, v14, v15";
    let torn = |look: &str| {
        (0..48).any(|seed| {
            let seen = seen_with(&body(look), 2, 64, seed);
            assert!(seen.errors().is_empty(), "relaxed accesses do not race: {:#?}", seen.errors());
            seen.words(0)[256..512].iter().any(|w| *w != 1)
        })
    };
    assert!(!torn(all));
    assert!(torn("v_mov_b32_e32 v14, v10"));
}

/// Three workgroups read the same data and count themselves; a fourth stores to it once it has counted some of them.
#[test]
fn a_store_that_overtakes_one_of_several_readers_is_found() {
    let body = |readers: u32| {
        format!(
            "s_cmp_eq_u32 s2, 3\ns_cbranch_scc1 writer\n\
             global_load_dword v2, v1, s[4:5]\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v3, 1\nv_cmp_eq_u32_e32 vcc, 0, v0\n\
             s_and_saveexec_b64 s[8:9], vcc\nglobal_atomic_add v9, v3, s[4:5] offset:1024\ns_endpgm\n\
             writer:\nglobal_load_dword v5, v9, s[4:5] offset:1024 sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v5\n\
             s_cmp_ge_u32 s8, {readers}\ns_cbranch_scc0 writer\nglobal_store_dword v1, v9, s[4:5]\n\
             global_store_dword v9, v5, s[4:5] offset:2048"
        )
    };
    clean(&body(3), 4, 64);
    // Whoever was not counted when the store came, by what the writer says it had counted, is found.
    for seed in 0..24 {
        for readers in [1, 2] {
            let seen = seen_with(&body(readers), 4, 64, seed);
            let counted = seen.words(0)[512];
            assert_eq!(seen.has(Kind::GlobalRace), counted < 3, "seed {seed}: {counted} of 3 counted");
        }
    }
}

/// Three buffers of LDS that waves fill and read in turn, one barrier a step: what is read in a step may be overwritten
/// two barriers later, not one.
#[test]
fn lds_that_is_overwritten_a_step_too_early_is_found() {
    let body = |buffers: u32| {
        let mut b = String::from("v_xor_b32_e32 v2, 0x100, v1\nv_mov_b32_e32 v3, 7\n");
        for step in 0..6 {
            let at = step % buffers * 512;
            b += &format!(
                "ds_write_b32 v1, v3 offset:{at}\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v4, v2 offset:{at}\n\
                 s_waitcnt lgkmcnt(0)\n"
            );
        }
        b
    };
    clean(&body(3), 1, 128);
    clean(&body(2), 1, 128);
    found(&body(1), 1, 128, Kind::LdsRace);
}

/// A workgroup's waves leave data behind a barrier, and one of them, which waits for its own stores only, releases it all:
/// compilers rely on the L1's order there, so it is advice; without the wait of its own it is an error.
#[test]
fn what_another_wave_releases_rests_on_the_l1() {
    let body = |wait: &str, own: &str| {
        format!(
            "s_cmp_eq_u32 s2, 1\ns_cbranch_scc1 reader\nv_mov_b32_e32 v3, 1\nglobal_store_dword v1, v0, s[4:5]\n{wait}\n\
             s_barrier\nv_cmp_eq_u32_e32 vcc, 0, v0\ns_and_saveexec_b64 s[8:9], vcc\ns_cbranch_execz end\n\
             buffer_wbl2 sc1\n{own}\nglobal_store_dword v9, v3, s[4:5] offset:1024 sc1\ns_branch end\n\
             reader:\nglobal_load_dword v5, v9, s[4:5] offset:1024 sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v5\n\
             s_cmp_eq_u32 s8, 1\ns_cbranch_scc0 reader\nbuffer_inv sc1\nglobal_load_dword v6, v1, s[4:5]\n\
             s_waitcnt vmcnt(0)\nglobal_store_dword v1, v6, s[4:5] offset:2048\nend:"
        )
    };
    let all = "s_waitcnt vmcnt(0)";
    clean(&body("", all), 2, 128);
    let advised = |wait: &str| {
        (0..8).any(|seed| seen_with(&body(wait, all), 2, 128, seed).findings.iter().any(|f| f.kind == Kind::GlobalRace))
    };
    assert!(advised("") && !advised(all));
    found(&body("", ""), 2, 128, Kind::GlobalRace);
}

#[test]
fn waves_that_meet_at_different_barriers_are_told() {
    let body = "v_cmp_gt_u32_e32 vcc, 64, v0\ns_cbranch_vccz other\ns_barrier\ns_endpgm\nother:\ns_barrier";
    let seen = seen_with(body, 1, 128, 0);
    assert!(seen.findings.iter().any(|f| f.kind == Kind::DivergentBarrier), "{:#?}", seen.findings);
}

/// v0 holds all three work-item ids.
#[test]
fn a_work_item_id_taken_with_its_neighbours_bits_leaves_the_buffer() {
    let text = |mask: &str| {
        format!(
            "s_load_dwordx2 s[4:5], s[0:1], 0x0\n{mask}v_lshlrev_b32_e32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n\
             global_store_dword v1, v1, s[4:5]\ns_endpgm"
        )
    };
    let run = |mask: &str| {
        let body = text(mask);
        let directives = ".amdhsa_system_vgpr_workitem_id 1";
        let object = Kernel { body: &body, directives, vgprs: 64, accum_offset: 64, ..Kernel::default() }.object();
        let case = Case {
            target: Target::Gfx942,
            object: &object,
            grid: 1,
            block: [32, 2, 1],
            buffers: vec![vec![0; 128]],
            unwritten: None,
            lds: 0,
            seed: 0,
        };
        case.run()
    };
    assert!(run("").has(Kind::Bounds));
    // Both rows store the same values to the same places.
    assert!(!run("v_and_b32_e32 v0, 0x3ff, v0\n").has(Kind::Bounds));
}

/// Firmware that does not preload arguments starts 256 bytes earlier, where they must be loaded.
#[test]
fn a_kernarg_preload_without_its_fallback_is_found_by_starting_without_it() {
    let text = |load: &str| {
        format!(
            "{load}s_branch entry\n.p2align 8\nentry:\nv_and_b32_e32 v0, 0x3ff, v0\nv_lshlrev_b32_e32 v1, 2, v0\n\
             global_store_dword v1, v0, s[2:3]\ns_endpgm"
        )
    };
    let run = |load: &str, seed: u64| {
        let body = text(load);
        let directives = ".amdhsa_user_sgpr_kernarg_preload_length 2\n.amdhsa_user_sgpr_kernarg_preload_offset 0";
        let object = Kernel { body: &body, directives, vgprs: 64, accum_offset: 64, ..Kernel::default() }.object();
        let case = Case {
            target: Target::Gfx942,
            object: &object,
            grid: 1,
            block: [64, 1, 1],
            buffers: vec![vec![0; 4096]],
            unwritten: None,
            lds: 0,
            seed,
        };
        case.run()
    };
    // Odd seeds start where nothing is preloaded.
    assert!(run("", 0).errors().is_empty());
    assert!(run("", 1).has(Kind::Uninitialised));
    let fallback = "s_load_dwordx2 s[2:3], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n";
    for seed in 0..2 {
        let seen = run(fallback, seed);
        assert!(seen.errors().is_empty(), "seed {seed}: {:#?}", seen.errors());
        assert_eq!(seen.words(0)[63], 63);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let broken = handshake(Handshake { writeback: "", ..SOUND });
    let (a, b) = (seen_with(&broken, 2, 64, 5), seen_with(&broken, 2, 64, 5));
    // Messages name addresses, which are the host's.
    let what = |s: &Seen| -> Vec<_> {
        let of = |f: &Finding| (f.kind, f.workgroup, f.wave, f.lane, f.at.clone(), f.other.clone());
        s.findings.iter().map(of).collect()
    };
    assert_eq!(what(&a), what(&b));
    assert_eq!(a.buffers, b.buffers);
}

#[test]
fn calls_and_returns_know_where_they_go_and_a_breakpoint_without_a_debugger_is_passed() {
    let body = "s_getpc_b64 s[6:7]\n.Lhere:\ns_add_u32 s6, s6, .Lcallee-.Lhere\ns_addc_u32 s7, s7, 0\n\
         s_swappc_b64 s[30:31], s[6:7]\ns_trap 3\nglobal_store_dword v1, v0, s[4:5]\ns_endpgm\n\
         .Lcallee:\nv_add_u32_e32 v0, 1, v0\ns_setpc_b64 s[30:31]";
    clean(body, 1, 64);
}

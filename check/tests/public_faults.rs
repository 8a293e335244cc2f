//! Faults that were published, each as a kernel of our own: the checker finds it, and a twin without it passes.
//!
//! Left to the dynamic half, because addresses or other waves decide: three-buffer reuse of LDS across waves, missing
//! `sc1`, `buffer_wbl2` or `buffer_inv` in a handshake, divergent barriers.

mod support;

use support::{Kernel, assert_clean, assert_error, errors, of, report};
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_check::{Kind, Options, Severity, check};

const NEWER: [Target; 2] = [Target::Gfx942, Target::Gfx950];

/// A matrix instruction, `states` wait states, then a use of its result.
fn after_mfma(mfma: &str, states: u32, then: &str) -> String {
    let mut body = format!("{mfma}\n");
    let mut left = states;
    while left > 0 {
        let n = left.min(16);
        body += &format!("s_nop {}\n", n - 1);
        left -= n;
    }
    body + then + "\ns_endpgm"
}

/// LLVM scanned back 19 states for matrix instructions; gfx950 needs 20 after one of 16 passes.
#[test]
fn the_twentieth_state_after_sixteen_passes_counts_on_gfx950() {
    let mfma = "v_mfma_f32_32x32x4_2b_f16 v[0:31], v[32:33], v[34:35], v[0:31]";
    let store = "global_store_dword v[40:41], v3, off";
    assert_error(Target::Gfx950, &after_mfma(mfma, 19, store), Kind::WaitStates, "1 more wait state");
    assert_clean(Target::Gfx950, &after_mfma(mfma, 20, store));
    assert_clean(Target::Gfx942, &after_mfma(mfma, 19, store));
    assert_error(Target::Gfx942, &after_mfma(mfma, 18, store), Kind::WaitStates, "1 more wait state");
}

/// gfx950 takes one state more than gfx942 after 4, 8 and 16 passes.
#[test]
fn gfx950_needs_eight_twelve_and_twenty_states_after_xdl() {
    for (mfma, states) in [
        ("v_mfma_f32_16x16x32_f16 v[0:3], v[32:35], v[36:39], v[0:3]", 8),
        ("v_mfma_f32_32x32x16_f16 v[0:15], v[32:35], v[36:39], v[0:15]", 12),
        ("v_mfma_f32_32x32x4_2b_f16 v[0:31], v[32:33], v[34:35], v[0:31]", 20),
    ] {
        for then in ["ds_write_b32 v48, v1", "buffer_store_dword v2, off, s[8:11], 0"] {
            assert_error(Target::Gfx950, &after_mfma(mfma, states - 1, then), Kind::WaitStates, "1 more wait state");
            assert_clean(Target::Gfx950, &after_mfma(mfma, states, then));
        }
        // Shipping kernels read results by vector instructions sooner, so that is advice, until it is far too soon.
        let read = "v_add_f32_e32 v48, v1, v48";
        let close = report(Target::Gfx950, &after_mfma(mfma, states - 1, read));
        assert!(errors(&close).is_empty());
        assert_eq!(of(&close, Kind::WaitStates).len(), 1);
        assert_error(Target::Gfx950, &after_mfma(mfma, 0, read), Kind::WaitStates, "more wait state");
        assert!(of(&report(Target::Gfx950, &after_mfma(mfma, states, read)), Kind::WaitStates).is_empty());
    }
}

/// The store reads its data late; LLVM 22 misses the form with an SGPR as offset (llvm-project PR 197267).
#[test]
fn data_of_a_wide_buffer_store_with_sgpr_offset_is_not_overwritten_at_once() {
    let body =
        |nop: &str| format!("buffer_store_dwordx4 v[0:3], v8, s[8:11], s12 offen\n{nop}v_mov_b32_e32 v2, 0\ns_endpgm");
    for target in NEWER {
        assert_error(target, &body(""), Kind::WaitStates, "1 more wait state");
        assert_clean(target, &body("s_nop 0\n"));
    }
    assert_clean(Target::Gfx90a, &body(""));
}

#[test]
fn data_of_a_wide_store_without_sgpr_offset_needs_two_states_on_gfx942() {
    let body = |nop: &str| format!("global_store_dwordx4 v[8:9], v[0:3], off\n{nop}v_mov_b32_e32 v2, 0\ns_endpgm");
    for target in NEWER {
        assert_error(target, &body("s_nop 0\n"), Kind::WaitStates, "1 more wait state");
        assert_clean(target, &body("s_nop 1\n"));
    }
    for target in [Target::Gfx908, Target::Gfx90a] {
        assert_error(target, &body(""), Kind::WaitStates, "1 more wait state");
        assert_clean(target, &body("s_nop 0\n"));
    }
}

/// A nop on one way to a join does nothing for the other.
#[test]
fn a_nop_lost_where_branches_join_is_found_with_its_path() {
    let body = |at_join: &str| {
        format!(
            "v_mov_b32_e32 v2, 0\ns_cbranch_scc1 join\ns_nop 1\njoin:\n{at_join}\
             v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[8:9], v[4:7]\ns_endpgm"
        )
    };
    let target = Target::Gfx942;
    assert_error(target, &body(""), Kind::WaitStates, "1 more wait state");
    assert_clean(target, &body("s_nop 0\n"));
    let found = report(target, &body(""));
    let f = errors(&found)[0];
    let (at, other) = (f.at.as_ref().unwrap(), f.other.as_ref().unwrap());
    assert!(at.text.starts_with("v_mfma") && other.text.starts_with("v_mov_b32"));
    assert_eq!(f.path, [other.pc, at.pc], "the way that skips the nop");
}

#[test]
fn a_loop_carries_a_hazard_from_its_end_to_its_top() {
    let body = |nop: &str| {
        format!(
            "s_nop 7\ntop:\nv_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[8:9], v[4:7]\ns_sub_u32 s4, s4, 1\n\
             s_cmp_lg_u32 s4, 0\nv_mov_b32_e32 v2, 0\n{nop}s_cbranch_scc1 top\ns_endpgm"
        )
    };
    assert_error(Target::Gfx942, &body(""), Kind::WaitStates, "1 more wait state");
    assert_clean(Target::Gfx942, &body("s_nop 0\n"));
}

#[test]
fn v_cmpx_needs_four_states_before_a_matrix_instruction() {
    let body = |states: u32| {
        format!(
            "v_cmpx_eq_u32_e32 vcc, v20, v21\ns_nop {}\n\
             v_mfma_f32_4x4x4_16b_f16 v[4:7], v[2:3], v[8:9], v[4:7]\ns_endpgm",
            states - 1
        )
    };
    for target in NEWER {
        assert_error(target, &body(3), Kind::WaitStates, "1 more wait state");
        assert_clean(target, &body(4));
    }
}

/// `buffer_wbl2` counts in vmcnt, so a wait for one covers the load before it; `buffer_inv` does not.
#[test]
fn buffer_wbl2_counts_in_vmcnt_and_buffer_inv_does_not() {
    let body = |middle: &str| {
        format!("global_load_dword v4, v[2:3], off\n{middle}\ns_waitcnt vmcnt(1)\nv_add_u32_e32 v5, 1, v4\ns_endpgm")
    };
    for target in NEWER {
        assert_clean(target, &body("buffer_wbl2 sc1"));
        assert_error(target, &body("buffer_inv sc1"), Kind::ReadBeforeWait, "vmcnt(0)");
    }
}

/// Metadata that adds the AGPRs to a count that includes them.
#[test]
fn agprs_counted_twice_are_found() {
    let kernel = |count| Kernel {
        vgprs: 96,
        accum_offset: 64,
        body: "v_accvgpr_write_b32 a31, v0\ns_endpgm",
        metadata: if count == 96 { ".vgpr_count: 96\n.agpr_count: 32" } else { ".vgpr_count: 128\n.agpr_count: 32" },
        ..Kernel::default()
    };
    assert!(of(&kernel(96).report(), Kind::Metadata).is_empty());
    let twice = kernel(128).report();
    assert!(twice.failed());
    assert!(of(&twice, Kind::Metadata)[0].message.contains("AGPRs counted twice"));
}

/// No descriptor can say it; text that does is refused, and metadata that implies it is pointed at.
#[test]
fn an_accum_offset_that_is_no_multiple_of_four_is_found() {
    let text = ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 70\n.amdhsa_next_free_sgpr 8\n.amdhsa_accum_offset 66\n\
                .end_amdhsa_kernel\n";
    let refused = assemble(text, Target::Gfx942).unwrap_err();
    assert!(refused.iter().any(|d| d.message.contains("accum_offset")), "{refused:?}");
    let report = Kernel {
        vgprs: 96,
        accum_offset: 68,
        body: "v_accvgpr_write_b32 a7, v0\ns_endpgm",
        metadata: ".vgpr_count: 94\n.agpr_count: 28",
        ..Kernel::default()
    }
    .report();
    assert!(of(&report, Kind::Metadata).iter().any(|f| f.message.contains("no multiple of 4")));
}

#[test]
fn sgprs_beyond_the_allocated_granule_are_found() {
    let kernel = |sgprs, body| Kernel { sgprs, body, ..Kernel::default() };
    // Ten and the six of VCC, FLAT_SCRATCH and XNACK_MASK are one granule of sixteen.
    let beyond = kernel(10, "s_mov_b32 s16, 0\ns_endpgm").report();
    assert!(beyond.failed());
    assert!(of(&beyond, Kind::Registers)[0].message.contains("uses s16, 16 SGPRs are allocated"));
    assert!(of(&kernel(10, "s_mov_b32 s9, 0\ns_endpgm").report(), Kind::Registers).is_empty());
    // VCC lies at the top of the allocation, so s11 would be under it.
    let under = kernel(10, "s_mov_b32 s11, 0\ns_endpgm").report();
    assert_eq!(of(&under, Kind::Registers)[0].severity, Severity::Advice);
}

#[test]
fn lds_beyond_the_part_is_found() {
    for (target, most) in [(Target::Gfx942, 65_536), (Target::Gfx950, 163_840)] {
        let mut object = Kernel { target, ..Kernel::default() }.object();
        let loaded = wavesmith_loader::code_object::CodeObject::parse(&object).unwrap();
        let at = loaded.kernels[0].descriptor_offset;
        for (bytes, wrong) in [(most, false), (most + 1u32, true)] {
            object[at..at + 4].copy_from_slice(&bytes.to_le_bytes());
            let report = check(&object, &Options::default()).unwrap();
            assert_eq!(of(&report, Kind::Lds).len(), usize::from(wrong), "{target} {bytes}");
            assert_eq!(report.failed(), wrong);
        }
    }
}

#[test]
fn work_item_ids_that_are_not_asked_for_are_found() {
    let kernel = |ids| Kernel {
        body: "v_bfe_u32 v1, v0, 10, 10\nv_and_b32_e32 v0, 0x3ff, v0\ns_endpgm",
        directives: if ids == 0 { "" } else { ".amdhsa_system_vgpr_workitem_id 1" },
        ..Kernel::default()
    };
    let missing = kernel(0).report();
    assert!(errors(&missing)[0].message.contains("work-item id Y"));
    assert!(errors(&kernel(1).report()).is_empty());
    // Taking all of v0 for X is wrong once Y is in it.
    let whole = Kernel {
        body: "v_lshlrev_b32_e32 v1, 2, v0\ns_endpgm",
        directives: ".amdhsa_system_vgpr_workitem_id 1",
        ..Kernel::default()
    };
    assert!(of(&whole.report(), Kind::Descriptor)[0].message.contains("all of v0"));
}

/// Firmware that does not preload arguments starts 256 bytes earlier, where they must be loaded.
#[test]
fn a_kernarg_preload_without_its_fallback_is_found() {
    let kernel = |front: &str| {
        let body = format!("{front}\n.p2align 8\ns_add_u32 s4, s2, s3\ns_endpgm");
        Kernel {
            body: &body,
            directives: ".amdhsa_user_sgpr_kernarg_preload_length 2\n.amdhsa_user_sgpr_kernarg_preload_offset 0",
            ..Kernel::default()
        }
        .report()
    };
    let waits = "s_load_dwordx2 s[2:3], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_branch 0x3d\n";
    assert!(
        errors(&kernel(&waits.replace("0x3d", "60"))).is_empty(),
        "{}",
        wavesmith_check::text(&kernel(waits), true)
    );
    let missing = kernel("s_nop 0");
    assert_eq!(errors(&missing)[0].kind, Kind::Uninitialised);
    let unwaited = kernel("s_load_dwordx2 s[2:3], s[0:1], 0x0\ns_nop 0");
    assert_eq!(errors(&unwaited)[0].kind, Kind::ReadBeforeWait);
    // A kernel may also refuse to run on such firmware.
    assert!(errors(&kernel("s_trap 2")).is_empty());
}

/// LLVM puts nothing between a dot product and a matrix instruction that reads it; the guides ask for three states.
#[test]
fn a_dot_product_before_a_matrix_instruction_is_advice() {
    let body = "v_dot2c_f32_f16_e32 v2, v20, v21\nv_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[8:9], v[4:7]\ns_endpgm";
    for target in NEWER {
        let found = report(target, body);
        assert!(errors(&found).is_empty());
        assert_eq!(of(&found, Kind::WaitStates).len(), 1);
    }
}

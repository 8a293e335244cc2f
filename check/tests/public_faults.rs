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

/// hipBLASLt's kernels for gfx90a and gfx942 have nothing but a matrix instruction between the two, which the second waits for.
#[test]
fn a_matrix_instruction_between_is_advice_where_shipping_code_relies_on_the_wait_for_its_pipe() {
    let between = "v_mfma_f32_16x16x4_4b_f16 v[0:15], v[32:33], v[34:35], v[0:15]";
    let reads = "v_mfma_f32_16x16x4_4b_f16 v[16:31], v[40:41], v[34:35], v[16:31]";
    for target in [Target::Gfx90a, Target::Gfx942] {
        let spelled = |mfma: &str| if target == Target::Gfx90a { mfma.replace("4_4b_", "4") } else { mfma.to_owned() };
        let (between, reads) = (spelled(between), spelled(reads));
        let body = |first: &str, middle: &str| format!("{first}v_mov_b32_e32 v41, 0\n{middle}{reads}\ns_endpgm");
        let found = report(target, &body("", &format!("{between}\n")));
        assert!(errors(&found).is_empty(), "{target}\n{}", wavesmith_check::text(&found, true));
        assert_eq!(of(&found, Kind::WaitStates).len(), 1, "{target}");
        for (first, middle, states) in [
            (String::new(), "", "2 more wait states"),
            // One in front of both does not count, nor does anything but a matrix instruction.
            (format!("{between}\n"), "", "2 more wait states"),
            (format!("{between}\n"), "s_nop 0\n", "1 more wait state"),
            (String::new(), "v_mov_b32_e32 v50, 0\n", "1 more wait state"),
        ] {
            let body = body(&first, middle);
            let found = report(target, &body);
            let close = errors(&found);
            assert_eq!(close.len(), 1, "{target}\n{body}");
            assert!(close[0].need.as_deref().is_some_and(|n| n.contains(states)), "{:?}", close[0].need);
        }
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

/// MIOpen's implicit GEMMs turn all lanes on again behind a masked load, two states in front of a product, and hipBLASLt's
/// kernels in front of `v_readfirstlane`.
#[test]
fn lanes_turned_on_again_behind_v_cmpx_make_it_advice() {
    let body = "v_cmpx_eq_u32_e32 vcc, v20, v21\nbuffer_load_dword v30, v31, s[8:11], 0 offen\ns_mov_b64 exec, -1\n\
                v_mfma_f32_4x4x4_16b_f16 v[4:7], v[2:3], v[8:9], v[4:7]\ns_endpgm";
    let first = "v_cmpx_eq_u32_e32 vcc, v20, v21\nv_add_u32_e32 v30, 1, v30\ns_mov_b64 exec, -1\nv_readfirstlane_b32 s4, v31\ns_endpgm";
    for target in NEWER {
        assert!(errors(&report(target, first)).is_empty());
        assert!(report(target, &first.replace("s_mov_b64 exec, -1", "s_nop 0")).failed(), "{target}");
    }
    for target in Target::ALL {
        let body = if target == Target::Gfx908 { body.replace("4x4x4_16b_f16", "4x4x4f16") } else { body.to_owned() };
        let body = if target == Target::Gfx90a { body.replace("4x4x4_16b_f16", "4x4x4f16") } else { body };
        let body = if target == Target::Gfx908 { body.replace("v[4:7]", "a[4:7]") } else { body };
        let found = report(target, &body);
        assert!(errors(&found).is_empty(), "{target} {}", wavesmith_check::text(&found, true));
        assert_eq!(
            of(&found, Kind::WaitStates).iter().filter(|f| f.rule == Some("v_cmpx writes EXEC, MFMA")).count(),
            1
        );
        assert!(report(target, &body.replace("s_mov_b64 exec, -1", "s_nop 0")).failed(), "{target}");
    }
}

/// Guides and LLVM ask for them everywhere; what ships does without on the newer parts alone.
#[test]
fn rules_that_shipping_code_breaks_on_some_parts_are_errors_on_the_others() {
    let cases = [
        ("s_mov_b32 m0, s4\nbuffer_load_dword v9, s[8:11], 0 offen lds\ns_endpgm", [false; 4]),
        ("s_mov_b32 m0, s4\nds_read_addtid_b32 v9\nds_write_b32 v9, v9\ns_waitcnt lgkmcnt(0)\ns_endpgm", [true; 4]),
        (
            "v_mov_b32_e32 v1, 0\nv_mov_b32_dpp v2, v1 row_shr:1 row_mask:0xf bank_mask:0xf\ns_endpgm",
            [true, true, false, false],
        ),
        ("v_readfirstlane_b32 s4, v0\nv_mov_b32_e32 v2, s4\ns_endpgm", [false, false, true, true]),
        ("v_readlane_b32 s4, v0, 1\nv_mov_b32_e32 v2, s4\ns_endpgm", [false; 4]),
    ];
    for (body, wrong) in cases {
        for (target, wrong) in Target::ALL.into_iter().zip(wrong) {
            let found = report(target, body);
            let states = errors(&found).iter().filter(|f| f.kind == Kind::WaitStates).count();
            assert_eq!(states > 0, wrong, "{target} {body}\n{}", wavesmith_check::text(&found, true));
        }
    }
}

/// The other way is longer in blocks, and sooner: it is what counts.
#[test]
fn slow_instructions_on_the_shortest_way_do_not_excuse_another() {
    let body = |slow: &str| {
        let slow = format!("{slow}\n").repeat(4);
        format!(
            "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]\ns_cbranch_scc1 other\n{slow}s_branch join\nother:\n\
             s_cbranch_vccz on\non:\ns_nop 0\njoin:\nv_accvgpr_read_b32 v4, a0\ns_endpgm"
        )
    };
    let severities = |target, slow| {
        let found = report(target, &body(slow));
        let read = of(&found, Kind::WaitStates).into_iter().filter(|f| f.rule == Some("MFMA result read"));
        read.map(|f| f.severity).collect::<Vec<_>>()
    };
    assert_eq!(severities(Target::Gfx90a, "v_mul_lo_u32 v5, v6, v7"), [Severity::Error]);
    assert_eq!(severities(Target::Gfx90a, "v_mov_b32_e32 v5, v6"), [Severity::Error]);
}

/// MIOpen turns all lanes on again and leaves two states; what may leave lanes off does not count.
#[test]
fn lanes_that_are_turned_on_again_shorten_the_states_behind_v_cmpx_if_all_are() {
    let severities = |between: &str| {
        let body = format!(
            "v_cmpx_eq_u32_e32 vcc, v0, v1\n{between}\nv_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]\ns_endpgm"
        );
        let found = report(Target::Gfx942, &body);
        let states = of(&found, Kind::WaitStates).into_iter().filter(|f| f.rule == Some("v_cmpx writes EXEC, MFMA"));
        states.map(|f| f.severity).collect::<Vec<_>>()
    };
    assert_eq!(severities("s_mov_b64 exec, -1\ns_nop 0"), [Severity::Advice]);
    assert_eq!(severities("s_mov_b64 exec, -1"), [Severity::Error]);
    for partly in ["s_cmov_b64 exec, -1", "s_and_b64 exec, exec, s[8:9]", "s_mov_b32 exec_lo, -1", "s_nop 0"] {
        assert_eq!(severities(&format!("{partly}\ns_nop 0")), [Severity::Error], "{partly}");
    }
}

/// hipBLASLt's kernels fill a register by halves, one conversion right behind the other.
#[test]
fn the_other_half_of_a_register_may_be_written_at_once_on_gfx942_and_its_value_not_be_read() {
    let low = "v_cvt_f16_f32_sdwa v2, v0 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD\n";
    let high = "v_cvt_f16_f32_sdwa v2, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD\ns_endpgm";
    for (then, on) in [(high, [false, true]), ("v_add_u32_e32 v3, v2, v2\ns_endpgm", [true, true])] {
        let found = NEWER.map(|t| report(t, &format!("v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v1, 0\n{low}{then}")));
        assert_eq!([0, 1].map(|i| errors(&found[i]).len() == 1), on, "{}", wavesmith_check::text(&found[0], true));
        assert!(found.iter().all(|f| of(f, Kind::WaitStates).len() == 1), "{then}");
    }
}

/// One reason for one nop: the VCC of a division step is no mask beside that.
#[test]
fn v_div_fmas_asks_for_its_states_once() {
    let body = "v_cmp_eq_u32_e32 vcc, v0, v0\nv_div_fmas_f32 v1, v0, v0, v0\ns_endpgm";
    for target in Target::ALL {
        let found = report(target, body);
        assert_eq!(of(&found, Kind::WaitStates).len(), 1, "{target} {}", wavesmith_check::text(&found, true));
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
    // Clang without optimisation has the mask, the offset and the width in SGPRs.
    for body in ["v_and_b32_e64 v1, v0, s4", "v_bfe_u32 v1, v0, s4, s4", "v_lshrrev_b32_e64 v1, s4, v0"] {
        let body = format!("s_movk_i32 s4, 0x3ff\n{body}\ns_endpgm");
        let kernel = Kernel { body: &body, ..whole };
        assert!(of(&kernel.report(), Kind::Descriptor).is_empty(), "{body}");
    }
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

/// Variants of the published faults, as others would write them: body, and a part of the only error.
#[test]
fn variants_of_the_published_faults_are_caught_too() {
    let (a, c, n) = (Target::Gfx90a, Target::Gfx942, Target::Gfx950);
    let nops = |n: u32| format!("{}s_nop {}\n", "s_nop 15\n".repeat((n as usize - 1) / 16), (n - 1) % 16);
    let xdl16 = "v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15]\n";
    let variants: Vec<(Target, String, &str)> = vec![
        // The scan window: 16 passes by an 8-bit operand, results in AGPRs, independent instructions in between.
        (n, format!("{xdl16}{}ds_write_b64 v48, v[2:3]\ns_endpgm", nops(19)), "1 more"),
        (n, format!("v_mfma_f32_32x32x4_2b_bf16 a[0:31], v[32:33], v[34:35], a[0:31]\n{}buffer_store_dword a3, off, s[8:11], 0\ns_endpgm", nops(18)), "2 more"),
        (n, format!("v_mfma_f32_32x32x4_2b_f16 v[0:31], v[32:33], v[34:35], v[0:31]\n{}v_mfma_f32_4x4x4_16b_f16 v[60:63], v[4:5], v[34:35], v[60:63]\ns_endpgm", "v_mov_b32_e32 v50, 0\n".repeat(18)), "2 more"),
        // 8, 12 and 20 states: result read as A, stored as f64 pair, overwritten by a load.
        (n, format!("v_mfma_f32_16x16x32_bf16 v[0:3], v[32:35], v[36:39], v[0:3]\n{}v_mfma_f32_16x16x32_bf16 v[40:43], v[0:3], v[36:39], v[40:43]\ns_endpgm", nops(7)), "1 more"),
        (n, format!("v_mfma_i32_32x32x32_i8 v[0:15], v[32:35], v[36:39], v[0:15]\n{}global_store_dwordx2 v[48:49], v[2:3], off\ns_endpgm", nops(11)), "1 more"),
        (n, format!("{xdl16}{}global_load_dword v5, v[48:49], off\ns_endpgm", nops(19)), "1 more"),
        // Data of wide stores: dwordx3, an atomic that carries four dwords, overwritten by a comparison's other half.
        (c, "buffer_store_dwordx3 v[0:2], v8, s[8:11], s12 offen\nv_pk_mul_f32 v[2:3], v[10:11], v[12:13]\ns_endpgm".into(), "1 more"),
        (n, "buffer_store_dwordx4 v[0:3], off, s[8:11], s12\nv_mov_b64_e32 v[2:3], 0\ns_endpgm".into(), "1 more"),
        (c, "scratch_store_dwordx4 off, v[0:3], off\ns_nop 0\nv_mov_b32_e32 v3, 0\ns_endpgm".into(), "1 more"),
        (a, "global_store_dwordx3 v[8:9], v[0:2], off\nv_mov_b32_e32 v1, 0\ns_endpgm".into(), "1 more"),
        // The nop is on the way that falls through; on the taken one; in one of three ways.
        (c, "v_mov_b32_e32 v2, 0\ns_cbranch_vccz skip\ns_nop 4\nskip:\nv_mfma_f32_4x4x4_16b_f16 v[4:7], v[2:3], v[8:9], v[4:7]\ns_endpgm".into(), "1 more"),
        (n, "s_cbranch_scc0 other\nv_cmpx_eq_u32_e32 vcc, v20, v21\ns_branch join\nother:\nv_cmpx_eq_u32_e32 vcc, v20, v21\ns_nop 5\njoin:\nv_mfma_f32_4x4x4_16b_f16 v[4:7], v[2:3], v[8:9], v[4:7]\ns_endpgm".into(), "3 more"),
        (c, "v_readfirstlane_b32 s12, v4\ns_cbranch_scc0 b\ns_cbranch_scc1 c\ns_nop 4\nb:\ns_nop 3\nc:\nbuffer_load_dword v1, v9, s[8:11], s12 offen\ns_endpgm".into(), "3 more"),
        // v_cmpx in its 64-bit form, before a sparse and a double-precision product.
        (c, "v_cmpx_lt_f32_e64 s[4:5], v20, v21\ns_nop 2\nv_mfma_f64_4x4x4_4b_f64 v[4:5], v[2:3], v[8:9], v[4:5]\ns_endpgm".into(), "1 more"),
        (n, "v_cmpx_class_f32_e32 vcc, v20, v21\nv_smfmac_f32_16x16x32_f16 v[4:7], v[2:3], v[8:11], v12\ns_endpgm".into(), "4 more"),
        // buffer_wbl2 counts: the wait covers it instead of the load.
        (c, "global_load_dwordx2 v[4:5], v[2:3], off\nbuffer_wbl2 sc0 sc1\nbuffer_wbl2 sc1\ns_waitcnt vmcnt(3)\nv_add_u32_e32 v6, 1, v5\ns_endpgm".into(), "vmcnt(2)"),
        (a, "global_load_dword v4, v[2:3], off\nbuffer_wbl2\nbuffer_invl2\ns_waitcnt vmcnt(2)\nv_add_u32_e32 v6, 1, v4\ns_endpgm".into(), "vmcnt(1)"),
    ];
    for (target, body, need) in variants {
        let found = report(target, &body);
        let wrong = errors(&found);
        let asks = wrong.iter().any(|f| f.need.as_deref().unwrap_or_default().contains(need));
        assert!(asks, "{target} {need}\n{body}\n{}", wavesmith_check::text(&found, true));
    }
}

/// Variants in what is declared: directives, metadata, and the part of a message that says what is wrong.
#[test]
fn variants_of_published_faults_in_declarations_are_caught_too() {
    let plain = || Kernel { vgprs: 128, accum_offset: 64, ..Kernel::default() };
    let variants = [
        (
            Kernel {
                body: "v_accvgpr_write_b32 a63, v0\ns_endpgm",
                metadata: ".vgpr_count: 192\n.agpr_count: 64",
                ..plain()
            },
            "counted twice",
        ),
        (
            Kernel {
                body: "v_accvgpr_write_b32 a0, v0\ns_endpgm",
                metadata: ".vgpr_count: 126\n.agpr_count: 61",
                ..plain()
            },
            "no multiple of 4",
        ),
        (Kernel { body: "v_accvgpr_write_b32 a64, v0\ns_endpgm", ..plain() }, "leaves 64"),
        (Kernel { body: "s_mov_b64 s[48:49], 0\ns_endpgm", sgprs: 42, ..plain() }, "48 SGPRs are allocated"),
        (
            Kernel {
                body: "s_load_dwordx16 s[40:55], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_endpgm",
                sgprs: 42,
                ..plain()
            },
            "48 SGPRs are allocated",
        ),
        (
            Kernel { body: "ds_read_b32 v1, v0 offset:65535\ns_waitcnt lgkmcnt(0)\ns_endpgm", ..plain() },
            "beyond the 65536 bytes of the part",
        ),
        (
            Kernel {
                body: "v_lshrrev_b32_e32 v1, 20, v0\ns_endpgm",
                directives: ".amdhsa_system_vgpr_workitem_id 1",
                ..plain()
            },
            "work-item id Z",
        ),
        (Kernel { body: "v_bfe_u32 v1, v0, 20, 10\ns_endpgm", ..plain() }, "work-item id Z"),
        (
            Kernel {
                body: "s_nop 0\n.p2align 8\nv_mov_b32_e32 v1, s3\ns_endpgm",
                directives: ".amdhsa_user_sgpr_kernarg_preload_length 4\n.amdhsa_user_sgpr_kernarg_preload_offset 0",
                ..plain()
            },
            "only preloading fills",
        ),
    ];
    for (kernel, part) in variants {
        let found = kernel.report();
        let told = found.findings.iter().any(|f| f.message.contains(part));
        assert!(told, "{part}\n{}\n{}", kernel.body, wavesmith_check::text(&found, true));
    }
}

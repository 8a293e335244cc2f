//! Registers relative to M0 under the watching engine: what is looked at is the register that is meant, not the one that the
//! text names.

#[path = "support/clang.rs"]
mod clang;
#[path = "watched/run.rs"]
#[allow(dead_code, reason = "each test file uses its part")]
mod run;
mod support;
#[path = "mutation/weakened.rs"]
mod weakened;

use run::{Buffers, Case, Seen};
use support::Kernel;
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Target, decode, print};
use wavesmith_loader::code_object::CodeObject;
use wavesmith_sim::checked::{Kind, Severity};
use weakened::{Weakened, weakened};

/// Four times the lane number in v1, the buffer's address in s[4:5], v20 and v21 written, 1 in s20; then the body, and v22 is
/// stored.
fn seen(body: &str) -> Seen {
    let body = format!(
        "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_and_b32_e32 v0, 0x3ff, v0\nv_lshlrev_b32_e32 v1, 2, v0\n\
         v_mov_b32_e32 v20, 1\nv_mov_b32_e32 v21, 1\ns_mov_b32 s20, 1\nds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\n\
         {body}\ns_nop 4\nglobal_store_dword v1, v22, s[4:5]\ns_endpgm"
    );
    let target = Target::Gfx942;
    let object = Kernel { target, body: &body, vgprs: 72, accum_offset: 64, ..Kernel::default() }.object();
    let buffers = vec![vec![0; 4096]];
    Case { target, object: &object, grid: 1, block: [64, 1, 1], buffers, unwritten: None, lds: 4096, seed: 1 }.run()
}

fn clean(body: &str) {
    let seen = seen(body);
    assert!(seen.findings.is_empty() && seen.fault.is_none(), "{body}\n{:#?} {:?}", seen.findings, seen.fault);
}

fn found(body: &str, kind: Kind, says: &str) {
    let seen = seen(body);
    let errors = seen.errors();
    assert!(errors.iter().any(|f| f.kind == kind && f.message.contains(says)), "{body}\n{:#?}", seen.findings);
    assert!(errors.iter().all(|f| f.kind == kind), "{body}\n{:#?}", seen.findings);
}

const SOURCE: &str = "s_set_gpr_idx_on s20, gpr_idx(SRC0)\nv_mov_b32_e32 v22, v20\ns_set_gpr_idx_off\n";
const DESTINATION: &str = "s_set_gpr_idx_on s20, gpr_idx(DST)\nv_mov_b32_e32 v21, v0\ns_set_gpr_idx_off\n";

#[test]
fn a_wait_is_asked_for_the_register_that_an_index_makes_of_a_source() {
    clean(&format!("ds_read_b32 v20, v1\n{SOURCE}s_waitcnt lgkmcnt(0)"));
    found(&format!("ds_read_b32 v21, v1\n{SOURCE}s_waitcnt lgkmcnt(0)"), Kind::ReadBeforeWait, "reads v21");
    found(
        &format!("global_load_dword v21, v1, s[4:5]\n{SOURCE}s_waitcnt vmcnt(0)"),
        Kind::ReadBeforeWait,
        "`v_mov_b32_e32 v22, v21`",
    );
    clean(&format!("global_load_dword v21, v1, s[4:5]\ns_waitcnt vmcnt(0)\n{SOURCE}"));
}

#[test]
fn a_wait_is_asked_for_the_register_that_an_index_makes_of_a_destination() {
    clean(&format!("ds_read_b32 v21, v1\n{DESTINATION}s_waitcnt lgkmcnt(0)"));
    found(&format!("ds_read_b32 v22, v1\n{DESTINATION}s_waitcnt lgkmcnt(0)"), Kind::WriteBeforeWait, "writes v22");
}

#[test]
fn what_is_undefined_moves_with_the_index() {
    // v19 has not been written, v20 has, and the other way round with v21 and v23.
    let with = |text: &str| format!("s_set_gpr_idx_on s20, gpr_idx(SRC0)\n{text}\ns_set_gpr_idx_off");
    clean(&with("v_mov_b32_e32 v22, v19"));
    found(&with("v_mov_b32_e32 v22, v23"), Kind::Uninitialised, "output");
    found(&with("v_mov_b32_e32 v22, v21").replace("s20", "2"), Kind::Uninitialised, "output");
    // What is written is v22, and v21 stays what it was.
    clean(DESTINATION);
    found(&DESTINATION.replace("DST", "SRC0"), Kind::Uninitialised, "output");
    clean(
        "s_set_gpr_idx_on s20, gpr_idx(DST)\ns_mov_b32 s3, 7\nv_writelane_b32 v20, s3, 3\ns_set_gpr_idx_off\nv_mov_b32_e32 v22, v21",
    );
}

#[test]
fn mode_and_index_may_be_changed_while_it_is_on() {
    clean(
        "s_set_gpr_idx_on s20, gpr_idx(DST)\ns_set_gpr_idx_mode gpr_idx(SRC0)\nv_mov_b32_e32 v22, v19\ns_set_gpr_idx_off",
    );
    clean("s_set_gpr_idx_on s20, gpr_idx(DST)\ns_set_gpr_idx_idx 2\nv_mov_b32_e32 v20, v0\ns_set_gpr_idx_off");
    clean("s_set_gpr_idx_on s20, gpr_idx(SRC0,SRC1,DST)\nv_add_u32_e32 v21, v19, v20\ns_set_gpr_idx_off");
    // M0 has been written since, and with the mode off it means nothing.
    clean(&format!("{DESTINATION}s_mov_b32 m0, 40\nv_mov_b32_e32 v22, v20"));
}

#[test]
fn wait_states_are_counted_from_the_register_that_is_meant() {
    let body = |first: &str| {
        format!(
            "v_mov_b32_e32 v30, 0\nv_mov_b32_e32 v31, 0\nv_mov_b32_e32 v32, 0\ns_set_gpr_idx_on s20, gpr_idx(DST)\ns_nop 2\n\
             {first}\nv_mfma_f32_4x4x4_16b_f16 v[40:43], v[30:31], v[30:31], 0\ns_set_gpr_idx_off\ns_nop 8\nv_mov_b32_e32 v22, v40"
        )
    };
    found(&body("v_mov_b32_e32 v29, 0"), Kind::WaitStates, "VALU writes VGPR, MFMA reads it");
    clean(&body("v_mov_b32_e32 v31, 0"));
}

#[test]
fn an_index_that_nothing_has_written_is_found_where_it_is_used() {
    let body = |index: &str| {
        format!(
            "s_set_gpr_idx_on {index}, gpr_idx(SRC0)\ns_set_gpr_idx_idx {index}\nv_mov_b32_e32 v22, v20\ns_set_gpr_idx_off"
        )
    };
    clean(&body("s20"));
    let errors = seen(&body("s60")).findings;
    assert!(
        errors.iter().any(|f| f.kind == Kind::Uninitialised && f.message.contains("which register")),
        "{errors:#?}"
    );
    // With no operand relative, or no lane on, it decides nothing.
    clean("s_set_gpr_idx_on s60, gpr_idx(SRC1)\nv_mov_b32_e32 v22, v20\ns_set_gpr_idx_off");
    clean(
        "s_mov_b64 s[8:9], exec\ns_mov_b64 exec, 0\ns_set_gpr_idx_on s60, gpr_idx(SRC0)\nv_mov_b32_e32 v22, v20\n\
           s_set_gpr_idx_off\ns_mov_b64 exec, s[8:9]\nv_mov_b32_e32 v22, v20",
    );
}

#[test]
fn scalar_registers_relative_to_m0_are_looked_at_one_by_one() {
    let body = |to: &str, moved: &str| {
        format!(
            "s_mov_b32 s41, 3\ns_mov_b32 m0, 1\ns_nop 0\ns_load_dword {to}, s[4:5], 0x0\n{moved}\ns_waitcnt lgkmcnt(0)\n\
             v_mov_b32_e32 v22, s50"
        )
    };
    clean(&body("s42", "s_movrels_b32 s50, s40"));
    found(&body("s41", "s_movrels_b32 s50, s40"), Kind::ReadBeforeWait, "s41");
    clean(&body("s42", "s_movreld_b32 s49, 5"));
    found(&body("s50", "s_movreld_b32 s49, 5"), Kind::WriteBeforeWait, "s50");
    found(&body("s42", "s_movrels_b32 s50, s41"), Kind::ReadBeforeWait, "s42");
    found("s_mov_b32 m0, 1\ns_nop 0\ns_movrels_b32 s50, s61\nv_mov_b32_e32 v22, s50", Kind::Uninitialised, "output");
    let errors = seen("s_movrels_b32 s50, s20\nv_mov_b32_e32 v22, 0").findings;
    assert!(
        errors.iter().any(|f| f.kind == Kind::Uninitialised && f.message.contains("which register")),
        "{errors:#?}"
    );
    // Its use of M0 asks for a wait state as before.
    found("s_mov_b32 s41, 3\ns_mov_b32 m0, 1\ns_movrels_b32 s50, s40\nv_mov_b32_e32 v22, s50", Kind::WaitStates, "M0");
}

/// Every kernel of clang's passes, and every wait that is taken out of it is missed: none is there for nothing.
#[test]
fn arrays_in_registers_as_clang_indexes_them_pass_and_each_of_their_waits_is_needed() {
    for target in Target::ALL {
        let Some(bytes) = clang::compiled("indexed/arrays.hip", target) else { return };
        let mut buffers = Buffers::new(target);
        // Indices: the sixth is 15, the last one that the first kernel waits for.
        buffers.second = (10..74u32).flat_map(u32::to_le_bytes).collect();
        let object = CodeObject::parse(&bytes).unwrap();
        let (mut indexed, mut waits) = (0, 0);
        for kernel in &object.kernels {
            let run = |bytes: &[u8], seed| buffers.run(bytes, &kernel.name, 1, 64, 5, seed);
            for seed in 0..4 {
                let seen = run(&bytes, seed);
                assert!(
                    seen.findings.is_empty() && seen.fault.is_none(),
                    "{target} {} {:#?}",
                    kernel.name,
                    seen.findings
                );
            }
            let range = object.file_range(kernel.entry_vaddr, kernel.code_size).unwrap();
            let mut at = range.start;
            while at < range.end {
                let dwords = bytes[at..range.end].as_chunks::<4>().0.iter().take(4);
                let dwords: Vec<u32> = dwords.map(|w| u32::from_le_bytes(*w)).collect();
                let inst = decode(&dwords, target).unwrap();
                indexed += usize::from(matches!(inst.row().sem, Sem::Control(Control::SetGprIdxOn)));
                let sites = matches!(inst.row().sem, Sem::Control(Control::Waitcnt)).then(|| weakened(&inst));
                for Weakened { what, words, .. } in sites.into_iter().flatten() {
                    waits += 1;
                    let mut mutant = bytes.clone();
                    for (k, w) in words.iter().enumerate() {
                        mutant[at + 4 * k..at + 4 * k + 4].copy_from_slice(&w.to_le_bytes());
                    }
                    let findings = (0..4).flat_map(|seed| run(&mutant, seed).findings);
                    let mut errors = findings.filter(|f| f.severity == Severity::Error);
                    assert!(
                        errors.any(|f| f.kind == Kind::ReadBeforeWait),
                        "{target} {}: nobody misses {:#x} {} {what}",
                        kernel.name,
                        at - range.start,
                        print::text(&inst)
                    );
                }
                at += inst.bytes();
            }
        }
        assert!(indexed >= 4 && waits >= 40, "{target}: {indexed} indices, {waits} waits");
    }
}

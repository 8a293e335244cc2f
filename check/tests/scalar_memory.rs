//! Scalar memory under the watching engine. Stores, where parts have them, stay in the scalar cache until it is written back;
//! loads are over when a wait says so, whatever has become of vector memory.

#[path = "watched/run.rs"]
#[allow(dead_code, reason = "each test file uses its part")]
mod run;
mod support;

use run::{Case, Seen};
use support::Kernel;
use wavesmith_asm::Target;
use wavesmith_sim::checked::Kind;

/// One workgroup stores a dword by scalar, and a flag; the other polls the flag and reads the dword.
const MESSAGE: &str = "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v1, 2, v0\nv_mov_b32_e32 v9, 0\ns_waitcnt lgkmcnt(0)\n\
     s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 reader\ns_mov_b32 s10, 77\ns_store_dword s10, s[4:5], 0x100\ns_dcache_wb\n\
     s_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v3, 1\nglobal_store_dword v9, v3, s[4:5] offset:1024\ns_endpgm\n\
     reader:\nglobal_load_dword v5, v9, s[4:5] offset:1024 glc\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v5\n\
     s_cmp_eq_u32 s8, 0\ns_cbranch_scc1 reader\nbuffer_wbinvl1_vol\nglobal_load_dword v6, v9, s[4:5] offset:256\n\
     s_waitcnt vmcnt(0)\nglobal_store_dword v1, v6, s[4:5] offset:2048\ns_endpgm";

fn seen(target: Target, body: &str, grid: u32, seed: u64) -> Seen {
    let object = Kernel { target, body, ..Kernel::default() }.object();
    let buffers = vec![vec![0; 4096]];
    Case { target, object: &object, grid, block: [64, 1, 1], buffers, unwritten: None, lds: 0, seed }.run()
}

const TARGETS: [Target; 2] = [Target::Gfx908, Target::Gfx90a];

#[test]
fn a_message_by_scalar_stores_needs_its_write_back_its_wait_and_the_invalidation() {
    for target in TARGETS {
        for seed in 0..16 {
            let seen = seen(target, MESSAGE, 2, seed);
            assert!(seen.findings.is_empty() && seen.fault.is_none(), "{target} {:#?} {:?}", seen.findings, seen.fault);
            assert_eq!(seen.words(0)[512], 77);
        }
        for (part, kind) in [
            ("s_dcache_wb\n", Kind::GlobalRace),
            ("s_dcache_wb\n", Kind::StaleRead),
            ("s_dcache_wb\ns_waitcnt lgkmcnt(0)\n", Kind::GlobalRace),
            ("buffer_wbinvl1_vol\n", Kind::StaleRead),
        ] {
            let weak = MESSAGE.replace(part, "");
            assert!((0..8).any(|seed| seen(target, &weak, 2, seed).has(kind)), "{target} without {part}: no {kind}");
        }
        // The wait in front of the flag, not the one for the arguments.
        let weak = MESSAGE.replace("s_dcache_wb\ns_waitcnt lgkmcnt(0)\n", "s_dcache_wb\n");
        assert!((0..8).any(|seed| seen(target, &weak, 2, seed).has(Kind::GlobalRace)), "{target}");
    }
}

#[test]
fn a_wave_that_ends_with_scalar_stores_in_the_cache_is_found() {
    let body = |back: &str| {
        format!(
            "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_mov_b32 s10, 7\ns_waitcnt lgkmcnt(0)\ns_store_dword s10, s[4:5], 0x40\n\
             s_waitcnt lgkmcnt(0)\n{back}s_load_dword s11, s[4:5], 0x40\ns_waitcnt lgkmcnt(0)\ns_endpgm"
        )
    };
    for target in TARGETS {
        let clean = seen(target, &body("s_dcache_wb\n"), 1, 1);
        assert!(clean.findings.is_empty() && clean.fault.is_none(), "{target} {:#?}", clean.findings);
        assert_eq!(clean.words(0)[16], 7);
        let lost = seen(target, &body(""), 1, 1);
        assert!(
            lost.errors().iter().any(|f| f.need.as_deref() == Some("s_dcache_wb")),
            "{target} {:#?}",
            lost.findings
        );
    }
}

#[test]
fn a_buffer_is_handed_back_once_the_scalar_loads_from_it_are_waited_for() {
    let body = |wait: &str| {
        format!(
            "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v1, 2, v0\nv_mov_b32_e32 v9, 0\ns_waitcnt lgkmcnt(0)\n\
             s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 reader\npoll:\nglobal_load_dword v5, v9, s[4:5] offset:1024 sc1\n\
             s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v5\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc1 poll\n\
             global_store_dword v1, v1, s[4:5] offset:256\ns_endpgm\n\
             reader:\ns_load_dword s20, s[4:5], 0x100\n{wait}v_mov_b32_e32 v3, 1\n\
             global_store_dword v9, v3, s[4:5] offset:1024 sc1\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v6, s20\n\
             global_store_dword v1, v6, s[4:5] offset:2048\ns_endpgm"
        )
    };
    for seed in 0..16 {
        let seen = seen(Target::Gfx942, &body("s_waitcnt lgkmcnt(0)\n"), 2, seed);
        assert!(seen.findings.is_empty() && seen.fault.is_none(), "{:#?} {:?}", seen.findings, seen.fault);
    }
    assert!((0..8).any(|seed| seen(Target::Gfx942, &body(""), 2, seed).has(Kind::GlobalRace)));
}

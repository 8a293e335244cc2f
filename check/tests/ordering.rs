//! Protocols of our own in machine code, for gfx90a, gfx942 and gfx950: as they are, no seed finds anything and no run gives
//! another result; with any one part taken out or weakened, some seed does. What is weak here is weak in one place only, and in
//! four protocols only the outcome tells: no two accesses race.
//!
//! `WAVESMITH_SEEDS=100` runs more seeds of the right ones.

#[path = "watched/run.rs"]
#[allow(dead_code, reason = "each test file uses its part")]
mod run;
mod support;

use run::{Case, Seen};
use std::collections::BTreeSet;
use support::Kernel;
use wavesmith_asm::Target;

/// Seeds that a weak protocol is given to show itself.
const PATIENCE: u64 = 400;

/// Work-item in v0, four and eight times it in v1 and v2, one in v8, zero in v9, the buffer in s[4:5], workgroup in s2.
const PROLOGUE: &str = "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_and_b32_e32 v0, 0x3ff, v0\nv_lshlrev_b32_e32 v1, 2, v0\n\
     v_lshlrev_b32_e32 v2, 3, v0\nv_mov_b32_e32 v8, 1\nv_mov_b32_e32 v9, 0\ns_waitcnt lgkmcnt(0)\n";

/// A protocol. In its text `<name|text>` is a part that may be left out, `<name|text|other>` one that may be another.
/// `LD` and `ST` are the bits of loads and stores at the place where all dies agree, `WB` and `INV` write back and
/// invalidate.
struct Protocol {
    name: &'static str,
    grid: u32,
    block: u16,
    text: String,
    /// What is wrong with the buffer's dwords at the end.
    wrong: fn(&[u32]) -> Option<String>,
}

/// The parts of a text that may be left out.
fn parts(text: &str) -> BTreeSet<&str> {
    text.split('<').skip(1).filter_map(|t| t.split_once('|')).map(|(name, _)| name).collect()
}

/// The text for a target, with one part weak.
fn body(text: &str, target: Target, weak: Option<&str>) -> String {
    let mut out = String::new();
    let mut pieces = text.split('<');
    out += pieces.next().unwrap();
    for piece in pieces {
        let (part, rest) = piece.split_once('>').unwrap();
        let mut fields = part.split('|');
        let (name, right, other) = (fields.next(), fields.next().unwrap(), fields.next().unwrap_or(""));
        out += if name == weak { other } else { right };
        out += rest;
    }
    let (load, store, writeback, invalidate) = match target {
        Target::Gfx908 | Target::Gfx90a => ("glc", "", "", "buffer_wbinvl1_vol"),
        Target::Gfx942 | Target::Gfx950 => ("sc1", "sc1", "buffer_wbl2 sc1", "buffer_inv sc1"),
    };
    let names = [("LD", load), ("ST", store), ("WB", writeback), ("INV", invalidate), ("GO", "s_cbranch_scc0 poll")];
    names.iter().fold(out, |text, (from, to)| text.replace(from, to))
}

/// What goes wrong with a seed, if anything.
fn wrong(p: &Protocol, target: Target, body: &str, seed: u64) -> Option<String> {
    let body = format!("{PROLOGUE}{body}\ns_endpgm");
    let object = Kernel { target, body: &body, vgprs: 32, accum_offset: 32, ..Kernel::default() }.object();
    let (grid, block) = (p.grid, [p.block, 1, 1]);
    let case =
        Case { target, object: &object, grid, block, buffers: vec![vec![0; 8192]], unwritten: None, lds: 4096, seed };
    let seen: Seen = case.run();
    // What is asked for is what the target has.
    let others = match target {
        Target::Gfx908 | Target::Gfx90a => ["sc1", "buffer_inv", "buffer_wbl2"],
        Target::Gfx942 | Target::Gfx950 => ["glc", "buffer_wbinvl1", "buffer_wbinvl1"],
    };
    for need in seen.findings.iter().filter_map(|f| f.need.as_ref()) {
        assert!(!others.iter().any(|o| need.contains(o)), "{target}: {need}");
    }
    if let Some(f) = seen.errors().first() {
        let at = f.at.as_ref().map_or("", |p| &p.text);
        return Some(format!("{}: {at}: {}", f.kind, f.message));
    }
    seen.fault.clone().or_else(|| (p.wrong)(&seen.words(0)))
}

/// A right protocol, and every weak one made of it, on every target.
fn try_out(p: &Protocol) {
    try_on(p, &[Target::Gfx90a, Target::Gfx942, Target::Gfx950]);
}

/// The same on some targets.
fn try_on(p: &Protocol, targets: &[Target]) {
    let seeds = std::env::var("WAVESMITH_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(6);
    for &target in targets {
        let right = body(&p.text, target, None);
        for seed in 0..seeds {
            let found = wrong(p, target, &right, seed);
            assert_eq!(found, None, "{} for {target}, seed {seed}, is right\n{right}", p.name);
        }
        for part in parts(&p.text) {
            let weak = body(&p.text, target, Some(part));
            // The part may be nothing on this target.
            if weak == right {
                continue;
            }
            match (0..PATIENCE).find_map(|seed| Some((seed, wrong(p, target, &weak, seed)?))) {
                Some((seed, how)) => println!("{} for {target} without {part}, seed {seed}: {how}", p.name),
                None => panic!("{} for {target} without {part}: nothing is found\n{weak}", p.name),
            }
        }
    }
}

/// `results` are what the dwords from `at` on must be.
fn differs(words: &[u32], at: usize, results: impl IntoIterator<Item = u32>) -> Option<String> {
    let mut wrong = results.into_iter().enumerate().filter(|(i, v)| words[at + i] != *v);
    wrong.next().map(|(i, v)| format!("dword {}: {} instead of {v}", at + i, words[at + i]))
}

/// Waits for the dword at an offset to be `value` or more.
fn await_flag(offset: u32, value: u32) -> String {
    format!(
        "global_load_dword v5, v9, s[4:5] offset:{offset} LD\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v5\n\
         s_cmp_ge_u32 s8, {value}\n"
    )
}

/// The flag is the first dword of a line that the data share, and the reader has that line in its caches.
#[test]
fn a_flag_in_the_line_of_its_data_publishes_them() {
    let text = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 reader\nv_add_u32_e32 v3, 7, v0\nv_cmp_ne_u32_e32 vcc, 0, v0\n\
        s_and_saveexec_b64 s[10:11], vcc\nglobal_store_dword v2, v3, s[4:5]\ns_mov_b64 exec, s[10:11]\n\
        <writeback|WB>\n<drain|s_waitcnt vmcnt(0)>\nglobal_store_dword v9, v8, s[4:5] <flag scope|ST>\ns_endpgm\n\
        reader:\nglobal_load_dword v4, v2, s[4:5] offset:4\ns_waitcnt vmcnt(0)\npoll:\n\
        global_load_dword v5, v9, s[4:5] <poll scope|LD>\n<wait of the poll|s_waitcnt vmcnt(0)>\n\
        v_readfirstlane_b32 s8, v5\ns_cmp_eq_u32 s8, 1\nGO\n<invalidation|INV>\n\
        global_load_dword v6, v2, s[4:5]\ns_waitcnt vmcnt(0)\nglobal_store_dword v1, v6, s[4:5] offset:2048";
    try_out(&Protocol {
        name: "message",
        grid: 2,
        block: 64,
        text: text.to_owned(),
        wrong: |w| differs(w, 513, (1..64).map(|l| l + 7)),
    });
}

/// Everything at the place where all agree: no write-back, no invalidation.
#[test]
fn data_that_all_dies_agree_on_need_a_wait_and_no_more() {
    let text = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 reader\nv_add_u32_e32 v3, 7, v0\n\
        global_store_dword v2, v3, s[4:5] <data scope|ST>\n<drain|s_waitcnt vmcnt(0)>\n\
        global_store_dword v9, v8, s[4:5] offset:1024 ST\ns_endpgm\n\
        reader:\nglobal_load_dword v4, v2, s[4:5] offset:4\ns_waitcnt vmcnt(0)\npoll:\nAWAIT\nGO\n\
        global_load_dword v6, v2, s[4:5] <scope of the load|LD>\ns_waitcnt vmcnt(0)\n\
        global_store_dword v1, v6, s[4:5] offset:2048";
    try_out(&Protocol {
        name: "agreed",
        grid: 2,
        block: 64,
        text: text.replace("AWAIT", &await_flag(1024, 1)),
        wrong: |w| differs(w, 512, (0..64).map(|l| l + 7)),
    });
}

/// Two waves store, one of them raises the flag behind a barrier: each has waited for what it stored.
#[test]
fn who_leaves_the_flag_to_a_mate_waits_in_front_of_the_barrier() {
    let text = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 reader\nv_add_u32_e32 v3, 7, v0\nglobal_store_dword v2, v3, s[4:5] ST\n\
        <wait|s_waitcnt vmcnt(0)>\n<barrier|s_barrier>\nv_readfirstlane_b32 s6, v0\ns_cmp_lg_u32 s6, 0\n\
        s_cbranch_scc1 end\ns_waitcnt vmcnt(0)\nglobal_store_dword v9, v8, s[4:5] offset:1024 ST\nend:\ns_endpgm\n\
        reader:\npoll:\nAWAIT\nGO\nglobal_load_dword v6, v2, s[4:5] LD\ns_waitcnt vmcnt(0)\n\
        global_store_dword v1, v6, s[4:5] offset:2048";
    let p = Protocol {
        name: "a mate's flag",
        grid: 2,
        block: 128,
        text: text.replace("AWAIT", &await_flag(1024, 1)),
        wrong: |w| differs(w, 512, (0..128).map(|l| l + 7)),
    };
    // Where there is one L2, the order of the L1 is all that compilers rely on.
    try_on(&p, &[Target::Gfx942, Target::Gfx950]);
}

/// Store buffering: each stores its own and looks at the other's; one of them must see the other.
#[test]
fn of_two_that_store_and_look_one_sees_the_other() {
    let mut text = "s_lshl_b32 s6, s2, 8\ns_sub_u32 s7, 0x100, s6\nv_add_u32_e32 v3, s6, v1\n\
        v_add_u32_e32 v4, s7, v1\ns_add_u32 s14, s4, 0x1000\ns_addc_u32 s15, s5, 0\n"
        .to_owned();
    for at in (0..2048).step_by(512) {
        text += &format!(
            "global_store_dword v3, v8, s[4:5] offset:{at} ST\n<wait|s_waitcnt vmcnt(0)>\n\
             global_load_dword v5, v4, s[4:5] offset:{at} LD\ns_waitcnt vmcnt(0)\n\
             global_store_dword v3, v5, s[14:15] offset:{at}\n"
        );
    }
    try_out(&Protocol {
        name: "store buffering",
        grid: 2,
        block: 64,
        text,
        wrong: |w| {
            let mut all = (0..4).flat_map(|round| (0..64).map(move |l| 1024 + 128 * round + l));
            all.find(|i| w[*i] == 0 && w[i + 64] == 0).map(|i| format!("neither sees the other at {i}"))
        },
    });
}

/// Who sees the second of two stores and then looks for the first finds it.
#[test]
fn two_loads_see_two_stores_in_their_order() {
    let mut text =
        "s_add_u32 s14, s4, 0x1000\ns_addc_u32 s15, s5, 0\ns_cmp_eq_u32 s2, 1\ns_cbranch_scc1 reader\n".to_owned();
    for at in (0..4096).step_by(512) {
        text += &format!(
            "global_store_dword v1, v8, s[4:5] offset:{at} ST\n<wait between the stores|s_waitcnt vmcnt(0)>\n\
             global_store_dword v1, v8, s[4:5] offset:{} ST\n",
            at + 256
        );
    }
    text += "s_endpgm\nreader:\n";
    for at in (0..4096).step_by(512) {
        text += &format!(
            "global_load_dword v5, v1, s[4:5] offset:{} LD\n<wait between the loads|s_waitcnt vmcnt(0)>\n\
             global_load_dword v6, v1, s[4:5] offset:{at} LD\ns_waitcnt vmcnt(0)\nv_lshl_or_b32 v7, v6, 1, v5\n\
             global_store_dword v1, v7, s[14:15] offset:{at}\n",
            at + 256
        );
    }
    let wrong = |w: &[u32]| {
        let mut all = (0..8).flat_map(|round| (0..64).map(move |l| 1024 + 128 * round + l));
        all.find(|i| w[*i] == 1).map(|i| format!("the second alone at {i}"))
    };
    let between_loads = "<wait between the loads|s_waitcnt vmcnt(0)>";
    for (text, targets) in [
        (text.clone(), [Target::Gfx942, Target::Gfx950].as_slice()),
        (text.replace(between_loads, "s_waitcnt vmcnt(0)"), &[Target::Gfx90a]),
    ] {
        try_on(&Protocol { name: "two loads", grid: 2, block: 64, text, wrong }, targets);
    }
}

/// Independent reads of independent writes: two readers must not disagree on which store came first.
#[test]
fn two_readers_agree_on_which_of_two_stores_came_first() {
    let mut text = "s_and_b32 s6, s2, 1\ns_lshl_b32 s6, s6, 8\ns_sub_u32 s7, 0x100, s6\nv_add_u32_e32 v3, s6, v1\n\
        v_add_u32_e32 v4, s7, v1\ns_lshl_b32 s8, s2, 8\nv_add_u32_e32 v10, s8, v1\ns_add_u32 s14, s4, 0x1000\n\
        s_addc_u32 s15, s5, 0\ns_cmp_ge_u32 s2, 2\ns_cbranch_scc1 reader\n"
        .to_owned();
    for at in (0..2048).step_by(512) {
        text += &format!("global_store_dword v3, v8, s[4:5] offset:{at} ST\n");
    }
    text += "s_endpgm\nreader:\n";
    for at in (0..2048).step_by(512) {
        text += &format!(
            "global_load_dword v5, v3, s[4:5] offset:{at} <scope|LD>\ns_waitcnt vmcnt(0)\n\
             global_load_dword v6, v4, s[4:5] offset:{at} <scope|LD>\ns_waitcnt vmcnt(0)\nv_lshl_or_b32 v7, v6, 1, v5\n\
             global_store_dword v10, v7, s[14:15] offset:{}\n",
            2 * at - 512,
        );
    }
    try_out(&Protocol {
        name: "independent reads",
        grid: 4,
        block: 64,
        text,
        // The first reader looks at 0 and then at 1, the other the other way round; 1 is "the first only".
        wrong: |w| {
            let mut all = (0..4).flat_map(|round| (0..64).map(move |l| 1024 + 256 * round + l));
            all.find(|i| w[*i] == 1 && w[i + 64] == 1).map(|i| format!("they disagree at {i}"))
        },
    });
}

/// A read-modify-write carries on what the one before it released.
#[test]
fn a_chain_of_additions_releases_what_its_first_released() {
    let text = "s_cmp_eq_u32 s2, 1\ns_cbranch_scc1 second\ns_cmp_eq_u32 s2, 2\ns_cbranch_scc1 reader\n\
        v_add_u32_e32 v3, 7, v0\nglobal_store_dword v2, v3, s[4:5]\n<writeback|WB>\n<drain|s_waitcnt vmcnt(0)>\n\
        s_mov_b64 exec, 1\nglobal_atomic_add v9, v8, s[4:5] offset:1024\ns_endpgm\n\
        second:\ns_mov_b64 exec, 1\nv_mov_b32_e32 v7, 2\n\
        <addition|global_atomic_add v9, v8, s[4:5] offset:1024|global_store_dword v9, v7, s[4:5] offset:1024 ST>\ns_endpgm\n\
        reader:\nglobal_load_dword v4, v2, s[4:5] offset:4\ns_waitcnt vmcnt(0)\npoll:\nAWAIT\nGO\n<invalidation|INV>\n\
        global_load_dword v6, v2, s[4:5]\ns_waitcnt vmcnt(0)\nglobal_store_dword v1, v6, s[4:5] offset:2048";
    try_out(&Protocol {
        name: "release sequence",
        grid: 3,
        block: 64,
        text: text.replace("AWAIT", &await_flag(1024, 2)),
        wrong: |w| differs(w, 512, (0..64).map(|l| l + 7)),
    });
}

/// Two waves load into LDS and read what the other has loaded, twice into the same place.
#[test]
fn loads_into_lds_need_a_wait_and_a_barrier_and_another_before_the_next() {
    let request = "buffer_load_dword v1, s[8:11], OFFSET offen lds\n";
    let text = "v_readfirstlane_b32 s6, v1\ns_mov_b32 m0, s6\ns_mov_b64 s[8:9], s[4:5]\ns_movk_i32 s10, 0x1000\ns_movk_i32 s12, 0x200\n\
        s_mov_b32 s11, 0x20000\nv_xor_b32_e32 v3, 0x100, v1\nv_add_u32_e32 v4, 1, v0\n\
        global_store_dword v1, v4, s[4:5]\ns_waitcnt vmcnt(0)\n"
        .to_owned()
        + &request.replace("OFFSET", "0")
        + "<wait|s_waitcnt vmcnt(0)>\n<barrier|s_barrier>\nds_read_b32 v5, v3\ns_waitcnt lgkmcnt(0)\n<barrier before the next|s_barrier>\n"
        + &request.replace("OFFSET", "s12")
        + "global_store_dword v1, v5, s[4:5] offset:2048\ns_waitcnt vmcnt(0)\ns_barrier\nds_read_b32 v6, v3\n\
           s_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v6, s[4:5] offset:2560";
    try_out(&Protocol {
        name: "LDS-DMA",
        grid: 1,
        block: 128,
        text,
        wrong: |w| differs(w, 512, (0..128).map(|l| (l ^ 64) + 1).chain([0; 128])),
    });
}

/// LDS writes are waited for in front of the barrier, or another wave's reads may overtake them.
#[test]
fn writes_to_lds_are_waited_for_in_front_of_the_barrier() {
    let text = "v_xor_b32_e32 v3, 0x100, v1\nv_add_u32_e32 v4, 1, v0\nds_write_b32 v1, v4\n\
        <wait|s_waitcnt lgkmcnt(0)>\n<barrier|s_barrier>\nds_read_b32 v5, v3\ns_waitcnt lgkmcnt(0)\n\
        global_store_dword v1, v5, s[4:5] offset:2048";
    try_out(&Protocol {
        name: "LDS write",
        grid: 1,
        block: 128,
        text: text.to_owned(),
        wrong: |w| differs(w, 512, (0..128).map(|l| (l ^ 64) + 1)),
    });
}

/// What is read from LDS has arrived before the barrier lets another wave write there.
#[test]
fn reads_of_lds_are_waited_for_in_front_of_the_barrier() {
    let text = "v_xor_b32_e32 v3, 0x100, v1\nv_add_u32_e32 v4, 1, v0\nds_write_b32 v1, v4\ns_waitcnt lgkmcnt(0)\n\
        s_barrier\nds_read_b32 v5, v3\n<wait|s_waitcnt lgkmcnt(0)>\n<barrier|s_barrier>\nds_write_b32 v1, v9\n\
        s_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v5, s[4:5] offset:2048";
    try_out(&Protocol {
        name: "LDS read",
        grid: 1,
        block: 128,
        text: text.to_owned(),
        wrong: |w| differs(w, 512, (0..128).map(|l| (l ^ 64) + 1)),
    });
}

/// A state and its value in one aligned pair of dwords are seen together.
#[test]
fn a_pair_of_dwords_is_one_atomic_store() {
    let text = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 poll\nv_mov_b32_e32 v6, 1\nv_add_u32_e32 v7, 7, v0\n\
        <one store|global_store_dwordx2 v2, v[6:7], s[4:5] ST|global_store_dword v2, v6, s[4:5] ST\n\
        global_store_dword v2, v7, s[4:5] offset:4 ST>\nv_mov_b32_e32 v6, 2\nv_add_u32_e32 v7, 9, v0\n\
        s_waitcnt vmcnt(0)\nglobal_store_dwordx2 v2, v[6:7], s[4:5] ST\ns_endpgm\n\
        poll:\nglobal_load_dwordx2 v[6:7], v2, s[4:5] LD\ns_waitcnt vmcnt(0)\nv_cmp_eq_u32_e32 vcc, 0, v6\n\
        s_cbranch_vccnz poll\nv_lshlrev_b32_e32 v6, 1, v6\nv_sub_u32_e32 v7, v7, v6\n\
        global_store_dword v1, v7, s[4:5] offset:2048";
    try_out(&Protocol {
        name: "pair",
        grid: 2,
        block: 64,
        text: text.to_owned(),
        wrong: |w| differs(w, 512, (0..64).map(|l| l + 5)),
    });
}

/// Four dwords of a lane at once: each tells its own arrival, the last does not tell of the others.
#[test]
fn a_flag_that_is_part_of_a_wide_store_speaks_for_itself_only() {
    let text = "v_lshlrev_b32_e32 v3, 4, v0\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 poll\nv_add_u32_e32 v4, 1, v0\n\
        v_add_u32_e32 v5, 2, v0\nv_add_u32_e32 v6, 3, v0\nv_mov_b32_e32 v7, 1\n\
        global_store_dwordx4 v3, v[4:7], s[4:5] ST\ns_endpgm\npoll:\nglobal_load_dwordx4 v[4:7], v3, s[4:5] LD\n\
        s_waitcnt vmcnt(0)\nv_min_u32_e32 v10, v4, v5\nv_min_u32_e32 v11, v6, v7\n\
        <all four|v_min_u32_e32 v10, v10, v11|v_mov_b32_e32 v10, v7>\nv_cmp_eq_u32_e32 vcc, 0, v10\n\
        s_cbranch_vccnz poll\nglobal_store_dwordx4 v3, v[4:7], s[4:5] offset:2048";
    try_out(&Protocol {
        name: "wide flag",
        grid: 2,
        block: 64,
        text: text.to_owned(),
        wrong: |w| differs(w, 512, (0..64).flat_map(|l| [l + 1, l + 2, l + 3, 1])),
    });
}

/// Two workgroups hand values to each other step after step; a slot that holds zero has not been written. Each sets its slot
/// of the next step back to zero before it publishes this step's.
fn rearmed(generations: u32) -> String {
    let mut text =
        "s_lshl_b32 s6, s2, 8\ns_sub_u32 s7, 0x100, s6\nv_add_u32_e32 v3, s6, v1\nv_add_u32_e32 v4, s7, v1\n\
        v_mov_b32_e32 v10, v0\n"
            .to_owned();
    for step in 0..9 {
        let (at, next) = (512 * (step % generations), 512 * ((step + 1) % generations));
        text += &format!(
            "global_store_dword v3, v9, s[4:5] offset:{next} ST\n<wait|s_waitcnt vmcnt(0)>\nv_add_u32_e32 v5, {}, v10\n\
             global_store_dword v3, v5, s[4:5] offset:{at} ST\n\
             poll{step}:\nglobal_load_dword v6, v4, s[4:5] offset:{at} LD\ns_waitcnt vmcnt(0)\n\
             v_cmp_eq_u32_e32 vcc, 0, v6\ns_cbranch_vccnz poll{step}\nv_lshl_add_u32 v10, v6, 1, v10\n",
            step + 1
        );
    }
    text + "global_store_dword v3, v10, s[4:5] offset:2048"
}

/// What it must come to: each adds twice what the other has published.
fn handed(words: &[u32]) -> Option<String> {
    let result = |lane: u32| {
        let mut both = [lane; 2];
        for step in 0..9 {
            both = [both[0] + 2 * (both[1] + step + 1), both[1] + 2 * (both[0] + step + 1)];
        }
        both[0]
    };
    differs(words, 512, (0..128).map(|i| result(i % 64)))
}

#[test]
fn slots_that_are_set_back_need_a_wait_and_a_third_generation() {
    try_out(&Protocol { name: "re-arming", grid: 2, block: 64, text: rearmed(3), wrong: handed });
    for target in [Target::Gfx90a, Target::Gfx942, Target::Gfx950] {
        let two = Protocol { name: "two generations", grid: 2, block: 64, text: rearmed(2), wrong: handed };
        let text = body(&two.text, target, None);
        assert!((0..PATIENCE).any(|seed| wrong(&two, target, &text, seed).is_some()), "{target}");
    }
}

/// One wave waits for a flag and invalidates, the barrier lets its mate go on.
#[test]
fn one_wave_acquires_for_its_workgroup() {
    let text = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 reader\nv_add_u32_e32 v3, 7, v0\nglobal_store_dword v2, v3, s[4:5]\n\
        <writeback|WB>\n<drain|s_waitcnt vmcnt(0)>\n<meeting|s_barrier>\nv_readfirstlane_b32 s6, v0\ns_cmp_lg_u32 s6, 0\n\
        s_cbranch_scc1 end\nglobal_store_dword v9, v8, s[4:5] offset:1024 ST\nend:\ns_endpgm\n\
        reader:\nglobal_load_dword v4, v2, s[4:5] offset:4\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v0\n\
        s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 mate\npoll:\nAWAIT\nGO\n<invalidation|INV>\n\
        mate:\n<barrier|s_barrier>\nglobal_load_dword v6, v2, s[4:5]\ns_waitcnt vmcnt(0)\n\
        global_store_dword v1, v6, s[4:5] offset:2048";
    try_out(&Protocol {
        name: "for its mates",
        grid: 2,
        block: 128,
        text: text.replace("AWAIT", &await_flag(1024, 1)),
        wrong: |w| differs(w, 512, (0..128).map(|l| l + 7)),
    });
}

/// Workgroups count themselves; the last adds up what all have left, and tells its waves by LDS that it is the last.
#[test]
fn the_last_to_count_itself_finds_what_all_have_left() {
    let text = "s_lshl_b32 s6, s2, 9\nv_add_u32_e32 v3, s6, v1\nv_add_u32_e32 v4, s2, v0\nglobal_store_dword v3, v4, s[4:5]\n\
        s_waitcnt vmcnt(0)\n<barrier before the count|s_barrier>\nv_readfirstlane_b32 s7, v0\ns_cmp_lg_u32 s7, 0\n\
        s_cbranch_scc1 mates\n<writeback|WB>\n<drain|s_waitcnt vmcnt(0)>\ns_mov_b64 exec, 1\n\
        global_atomic_add v5, v9, v8, s[4:5] offset:4092 COUNT\n<wait for the count|s_waitcnt vmcnt(0)>\n<invalidation|INV>\n\
        ds_write_b32 v9, v5\ns_mov_b64 exec, -1\n<wait for LDS|s_waitcnt lgkmcnt(0)>\n\
        mates:\n<barrier behind it|s_barrier>\nds_read_b32 v5, v9\ns_waitcnt lgkmcnt(0)\nv_readfirstlane_b32 s8, v5\n\
        s_cmp_lg_u32 s8, 2\ns_cbranch_scc1 end\nglobal_load_dword v5, v1, s[4:5]\n\
        global_load_dword v6, v1, s[4:5] offset:512\nglobal_load_dword v7, v1, s[4:5] offset:1024\ns_waitcnt vmcnt(0)\n\
        v_add3_u32 v5, v5, v6, v7\nglobal_store_dword v1, v5, s[4:5] offset:2048\nend:";
    for (count, targets) in [("glc", [Target::Gfx90a].as_slice()), ("sc0", &[Target::Gfx942, Target::Gfx950])] {
        // Without a write-back there is nothing left to wait for: each wave has waited in front of the barrier.
        let drain = if count == "glc" { "" } else { "s_waitcnt vmcnt(0)" };
        let p = Protocol {
            name: "last",
            grid: 3,
            block: 128,
            text: text.replace("COUNT", count).replace("<drain|s_waitcnt vmcnt(0)>", &format!("<drain|{drain}>")),
            wrong: |w| differs(w, 512, (0..128).map(|l| 3 * l + 3)),
        };
        try_on(&p, targets);
    }
}

/// A lock by compare-and-swap around data that are loaded and stored as any.
#[test]
fn a_lock_keeps_what_it_protects_together() {
    let text = "s_mov_b64 exec, 1\nv_mov_b32_e32 v6, 1\nv_mov_b32_e32 v7, 0\n\
        global_load_dword v4, v9, s[4:5] offset:4\ns_waitcnt vmcnt(0)\npoll:\n\
        global_atomic_cmpswap v5, v9, v[6:7], s[4:5] offset:1024 COUNT\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v5\n\
        s_cmp_eq_u32 s8, 0\nGO\n<invalidation|INV>\nglobal_load_dword v4, v9, s[4:5]\ns_waitcnt vmcnt(0)\n\
        v_add_u32_e32 v4, 1, v4\nglobal_store_dword v9, v4, s[4:5]\n<writeback|WB>\n<drain|s_waitcnt vmcnt(0)>\n\
        global_store_dword v9, v9, s[4:5] offset:1024 ST";
    for (count, targets) in [("glc", [Target::Gfx90a].as_slice()), ("sc0", &[Target::Gfx942, Target::Gfx950])] {
        let text = text.replace("COUNT", count);
        try_on(&Protocol { name: "lock", grid: 5, block: 64, text, wrong: |w| differs(w, 0, [5]) }, targets);
    }
}

/// Who says that a buffer may be written again has waited for what it read there.
#[test]
fn a_buffer_is_handed_back_once_its_loads_have_returned() {
    let text = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 poll\nv_add_u32_e32 v3, 7, v0\nglobal_store_dword v1, v3, s[4:5] ST\n\
        s_waitcnt vmcnt(0)\nglobal_store_dword v9, v8, s[4:5] offset:1024 ST\nagain:\nBACK\ns_cbranch_scc0 again\n\
        global_store_dword v1, v9, s[4:5] <scope|ST>\ns_endpgm\npoll:\nAWAIT\nGO\n\
        global_load_dword v6, v1, s[4:5] LD\n<wait|s_waitcnt vmcnt(0)>\n\
        global_store_dword v9, v8, s[4:5] offset:1028 ST\ns_waitcnt vmcnt(0)\n\
        global_store_dword v1, v6, s[4:5] offset:2048";
    let text =
        text.replace("<scope|ST>", "ST").replace("AWAIT", &await_flag(1024, 1)).replace("BACK", &await_flag(1028, 1));
    let wrong = |w: &[u32]| differs(w, 512, (0..64).map(|l| l + 7));
    try_out(&Protocol { name: "handed back", grid: 2, block: 64, text, wrong });
}

/// Scalar loads have a cache of their own.
#[test]
fn scalar_loads_of_what_others_stored_need_two_invalidations() {
    let text = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 reader\nv_add_u32_e32 v3, 7, v0\nglobal_store_dword v2, v3, s[4:5]\n\
        <writeback|WB>\n<drain|s_waitcnt vmcnt(0)>\nglobal_store_dword v9, v8, s[4:5] offset:1024 ST\ns_endpgm\n\
        reader:\ns_load_dword s12, s[4:5], 0x4\ns_waitcnt lgkmcnt(0)\npoll:\nAWAIT\nGO\n<vector invalidation|VINV>\n\
        <invalidation|s_dcache_inv>\ns_load_dword s12, s[4:5], 0x0\ns_load_dword s13, s[4:5], 0x8\ns_waitcnt lgkmcnt(0)\n\
        v_mov_b32_e32 v3, s12\nv_mov_b32_e32 v4, s13\n\
        global_store_dword v9, v3, s[4:5] offset:2048\nglobal_store_dword v9, v4, s[4:5] offset:2052";
    let text = text.replace("AWAIT", &await_flag(1024, 1));
    for (l2, targets) in [("", [Target::Gfx90a].as_slice()), ("INV", &[Target::Gfx942, Target::Gfx950])] {
        let text = text.replace("VINV", l2);
        try_on(&Protocol { name: "scalar", grid: 2, block: 64, text, wrong: |w| differs(w, 512, [7, 8]) }, targets);
    }
}

/// Two workgroups write bytes of the same dwords; caches keep them apart, a load and a store of the dword do not.
#[test]
fn bytes_of_one_dword_are_written_by_two() {
    let text = "v_lshlrev_b32_e32 v3, 1, v0\nv_add_u32_e32 v3, s2, v3\nv_add_u32_e32 v4, s2, v0\n\
        <bytes|global_store_byte v3, v4, s[4:5]|global_store_short v3, v4, s[4:5]>";
    try_out(&Protocol {
        name: "bytes",
        grid: 2,
        block: 64,
        text: text.to_owned(),
        wrong: |w| {
            let byte = |i: u32| (i / 2 + i % 2) & 0xff;
            differs(w, 0, (0..32).map(|d| (0..4).fold(0, |v, b| v | byte(4 * d + b) << (8 * b))))
        },
    });
}

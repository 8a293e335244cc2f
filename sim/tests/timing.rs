//! The timing model: facts measured on silicon within their tolerances, the same results as the functional engine, and
//! the same times in every run.

#[path = "microbench/mod.rs"]
mod microbench;

use microbench::{Fact, Program, time};

fn chapter() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/timing.md");
    std::fs::read_to_string(path).expect("docs/timing.md")
}

/// Facts are within their tolerances, and the chapter has them as they come out.
fn hold(facts: &[Fact]) {
    let told = |f: &Fact| format!("{} on {}: {:.2} {}, measured {:?}", f.name, f.sku, f.model, f.unit, f.measured);
    let beyond: Vec<String> = facts.iter().filter(|f| !f.holds()).map(told).collect();
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
    let text = chapter();
    let stale: Vec<String> = facts.iter().map(Fact::to_string).filter(|line| !text.contains(line)).collect();
    assert!(
        stale.is_empty(),
        "docs/timing.md is stale; `cargo run --release -p wavesmith-sim --example microbench` prints:\n{}",
        stale.join("\n")
    );
}

#[test]
fn pipes_take_the_cycles_that_were_measured() {
    hold(&microbench::pipes());
}

#[test]
fn lds_takes_the_cycles_that_were_measured() {
    hold(&microbench::lds());
}

#[test]
fn loads_take_the_cycles_that_pointer_chases_measured() {
    hold(&microbench::latencies());
}

#[test]
fn bandwidth_grows_with_loads_in_flight_as_measured() {
    hold(&microbench::bandwidth());
}

#[test]
fn each_level_of_memory_gives_what_reads_at_several_occupancies_measured() {
    hold(&microbench::levels());
}

#[test]
fn memory_of_peers_and_of_the_host_is_as_far_as_measured() {
    hold(&microbench::others());
}

#[test]
fn a_barrier_by_sentinels_is_as_much_faster_than_a_counter_as_measured() {
    hold(&microbench::synchronisation());
}

#[test]
fn the_same_dispatch_takes_the_same_cycles_in_every_run() {
    let body = "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v0, 4, v0\ns_lshl_b32 s6, s2, 10\nv_add_u32 v0, s6, v0\n\
                s_waitcnt lgkmcnt(0)\nglobal_load_dwordx4 v[4:7], v0, s[4:5]\ns_waitcnt vmcnt(0)\nv_add_u32 v4, v4, v5\n\
                global_store_dwordx4 v0, v[4:7], s[4:5]\n";
    let run = || {
        let p = Program { vgprs: 16, workgroups: 300, ..Program::wave("mi355x", body) };
        let r = time(&p, &[(300 * 1024, &[])]);
        (r.cycles.to_bits(), r.us.to_bits(), r.lives)
    };
    assert_eq!(run(), run());
}

/// One die cannot stand for all of a grid whose workgroups wait for those of other dies.
#[test]
fn workgroups_that_wait_for_others_are_timed_with_them_where_they_do_not_all_fit() {
    // Each but the first waits until the one before it has stored.
    let body = "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_mov_b32 v0, 0\nv_mov_b32 v1, 1\ns_lshl_b32 s6, s2, 2\nv_mov_b32 v2, s6\n\
                s_waitcnt lgkmcnt(0)\ns_cmp_eq_u32 s2, 0\ns_cbranch_scc1 go\nv_add_u32 v3, v2, -4\nlook:\n\
                global_load_dword v4, v3, s[4:5] sc0 sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s7, v4\n\
                s_cmp_eq_u32 s7, 0\ns_cbranch_scc1 look\ngo:\nglobal_store_dword v2, v1, s[4:5] sc0 sc1\ns_waitcnt vmcnt(0)\n";
    let p = Program { vgprs: 16, lds: 65536, workgroups: 120, full: false, ..Program::wave("mi308x", body) };
    let r = time(&p, &[(4096, &[])]);
    assert!(r.sampling.whole() && r.sampling.total == 120);
}

/// Grids for the worst case, as of experts of whose tokens only the device knows the number, end in workgroups that have nothing to do.
#[test]
fn workgroups_without_work_at_a_grid_s_end_cost_no_rounds_of_those_that_work() {
    let body = "s_cmp_ge_u32 s2, 608\ns_cbranch_scc1 out\ns_movk_i32 s3, 4000\nmore:\nv_add_f32 v1, v1, v2\nv_add_f32 v1, v1, v2\n\
                s_sub_u32 s3, s3, 1\ns_cmp_lg_u32 s3, 0\ns_cbranch_scc1 more\nout:\n";
    let us = |workgroups| {
        let p = Program { vgprs: 16, lds: 65536, workgroups, full: false, ..Program::wave("mi300x", body) };
        let r = time(&p, &[]);
        assert!(!r.sampling.whole(), "{workgroups} workgroups are sampled");
        r.us
    };
    let (exact, worst) = (us(608), us(2432));
    assert!((worst / exact - 1.0).abs() < 0.05, "{exact} and {worst} µs");
}

#[test]
fn every_part_times_a_kernel_and_lists_what_nobody_measured() {
    for sku in wavesmith_asm::sku::SKUS {
        let r = time(&Program::wave(sku.name, "v_add_f32 v1, v1, v2\ns_nop 3"), &[]);
        assert!(r.cycles > 0.0 && r.us > 0.0 && r.clock_mhz > 500.0, "{}: {} cycles", sku.name, r.cycles);
        assert!(r.unknown_parameters.contains(&"barrier"), "{}", sku.name);
    }
}

#[test]
fn the_chapter_prints_every_parameter_as_the_table_has_it() {
    let text = chapter();
    let table = wavesmith_sim::timing::parts::markdown();
    let stale: Vec<&str> = table.lines().filter(|l| !text.contains(l)).collect();
    assert!(
        stale.is_empty(),
        "docs/timing.md is stale; `cargo run --release -p wavesmith-sim --example microbench -- --parameters` prints:\n{}",
        stale.join("\n")
    );
}

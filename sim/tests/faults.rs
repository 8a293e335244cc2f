//! How dispatches end that cannot go on: each with a diagnosis that names the place, and the next one runs.

#![allow(clippy::result_large_err)]

mod bare;

use bare::Bare;
use wavesmith_asm::Target;
use wavesmith_asm::build::{Build, Code};
use wavesmith_asm::reg::{VCC, s, v};
use wavesmith_sim::memory::Kind;
use wavesmith_sim::{EngineKind, Fault, FaultKind};

fn code(build: impl FnOnce(&mut Code)) -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    build(&mut c);
    c.s_endpgm(0);
    c.finish().expect("encodes")
}

/// Stores v1 at the buffer's dword `v2 / 4`; s[4:5] gets the buffer first.
fn poll(c: &mut Code, value: i32) {
    c.s_load_dwordx2(s(4), s(0), 0);
    c.v_mov_b32(v(2), 0);
    let start = c.words().len() as i32;
    c.global_load_dword(v::<1>(3), v::<1>(2), s::<2>(4)).sc1();
    c.s_waitcnt(0x0f70);
    c.v_readfirstlane_b32(s(6), v::<1>(3));
    c.s_cmp_lg_u32(s(6), value);
    let here = c.words().len() as i32;
    c.s_cbranch_scc1(start - here - 1);
}

fn run(words: &[u32], groups: u32) -> Result<wavesmith_sim::Stats, Fault> {
    let mut b = Bare::new(Target::Gfx942, words, 0);
    let data = b.buffer(&[0; 64]);
    b.run(groups, 64, &[data.base()])
}

#[test]
fn a_poll_that_nobody_answers_is_a_stall() {
    let f = run(&code(|c| poll(c, 1)), 3).unwrap_err();
    assert_eq!(f.kind, FaultKind::Stall, "{f}");
    assert!(f.pc.is_some() && f.instruction.is_some(), "{f}");
}

#[test]
fn barriers_without_end_and_locks_that_stay_taken_are_stalls() {
    let barriers = code(|c| {
        c.s_barrier();
        c.s_branch(-2);
    });
    let lock = code(|c| {
        c.s_load_dwordx2(s(4), s(0), 0);
        c.s_waitcnt(0);
        c.v_mov_b32(v(1), 0);
        c.v_mov_b32(v(2), 1);
        c.v_mov_b32(v(3), 0);
        let start = c.words().len() as i32;
        // Whoever comes first keeps it.
        c.global_atomic_cmpswap_rtn(v::<1>(4), v::<1>(1), v::<2>(2), s::<2>(4));
        c.s_waitcnt(0);
        c.v_cmp_ne_u32(VCC, 0, v(4));
        let here = c.words().len() as i32;
        c.s_cbranch_vccnz(start - here - 1);
    });
    for (words, groups) in [(barriers, 1), (lock, 3)] {
        let f = run(&words, groups).unwrap_err();
        assert_eq!(f.kind, FaultKind::Stall, "{f}");
    }
}

#[test]
fn a_poll_that_another_workgroup_answers_ends() {
    // Workgroup 0 stores what the others wait for, after a long while.
    let words = code(|c| {
        c.s_load_dwordx2(s(4), s(0), 0);
        c.v_mov_b32(v(2), 0);
        c.s_cmp_lg_u32(s(2), 0);
        let branch = c.s_cbranch_scc1(0).at();
        let _ = branch;
        c.s_mov_b32(s(7), 300_000);
        let start = c.words().len() as i32;
        c.s_sub_u32(s(7), s(7), 1);
        c.s_cmp_lg_u32(s(7), 0);
        let here = c.words().len() as i32;
        c.s_cbranch_scc1(start - here - 1);
        c.v_mov_b32(v(3), 1);
        c.global_store_dword(v::<1>(2), v::<1>(3), s::<2>(4)).sc1();
        c.s_endpgm(0);
    });
    // The branch goes past workgroup 0's part, to the poll that follows it.
    let mut words = words;
    let past = words.len() - 1;
    let at = words.iter().position(|w| *w == 0xbf85_0000).expect("the branch");
    words[at] |= (past - at - 1) as u32;
    words.truncate(past);
    words.extend(code(|c| poll(c, 1)));
    run(&words, 4).expect("ends");
}

#[test]
fn more_workgroups_than_fit_that_wait_for_each_other_are_told_so() {
    // Each adds one to a counter and waits until all have; 64 KiB of LDS leaves room for one a compute unit.
    let total = 310;
    let words = code(|c| {
        c.s_load_dwordx2(s(4), s(0), 0);
        c.v_mov_b32(v(2), 0);
        c.v_mov_b32(v(3), 1);
        c.s_mov_b64(wavesmith_asm::reg::EXEC, 1);
        c.global_atomic_add(v::<1>(2), v::<1>(3), s::<2>(4));
        c.s_waitcnt(0x0f70);
        poll(c, total);
    });
    let mut b = Bare::new(Target::Gfx942, &words, 65536);
    let data = b.buffer(&[0; 64]);
    let f = b.run(total as u32, 64, &[data.base()]).unwrap_err();
    assert_eq!(f.kind, FaultKind::Stall, "{f}");
    assert!(f.message.contains("6 workgroups wait for a place"), "{f}");
    // With room for all of them it ends.
    let data = b.buffer(&[6; 64]);
    b.run(304, 64, &[data.base()]).expect("304 fit");
}

#[test]
fn a_loop_without_end_runs_out_of_its_budget() {
    let words = code(|c| {
        let start = c.words().len() as i32;
        c.s_add_u32(s(6), s(6), 1);
        let here = c.words().len() as i32;
        c.s_branch(start - here - 1);
    });
    let mut b = Bare::new(Target::Gfx942, &words, 0);
    b.config.max_instructions = Some(100_000);
    let f = b.run(1, 64, &[0]).unwrap_err();
    assert_eq!((f.kind, f.wave), (FaultKind::Fuel, Some(0)), "{f}");
    assert!(f.pc.is_some() && f.instruction.is_some(), "{f}");
}

#[test]
fn code_that_a_kernel_writes_while_it_runs_is_a_report_on_every_engine() {
    for engine in [EngineKind::Jit, EngineKind::Interp, EngineKind::Checked] {
        let words = code(|c| {
            c.s_load_dwordx2(s(4), s(0), 0);
            c.v_mov_b32(v(2), 0);
            c.v_mov_b32(v(3), 0xbf80_0001_u32 as i32);
            c.s_waitcnt(0);
            c.global_store_dword(v::<1>(2), v::<1>(3), s::<2>(4)).offset(36);
            c.s_waitcnt(0);
            c.s_nop(0);
        });
        let mut b = Bare::new(Target::Gfx942, &words, 0);
        b.config.engine = engine;
        let at = b.code();
        let f = b.run(1, 64, &[at]).err().unwrap_or_else(|| panic!("{engine:?}: no report"));
        assert_eq!((f.kind, f.address), (FaultKind::Undefined, Some(at + 36)), "{engine:?}: {f}");
        // The next dispatch runs what is there now, which writes the same again.
        b.run(1, 64, &[at]).unwrap_or_else(|f| panic!("{engine:?}: {f}"));
    }
}

#[test]
fn a_misaligned_atomic_faults_in_lds_too() {
    for engine in [EngineKind::Jit, EngineKind::Interp] {
        for (shift, lane) in [(0, 1), (2, 64)] {
            let words = code(|c| {
                c.v_lshlrev_b32(v(2), shift, v::<1>(0));
                c.ds_add_u32(v::<1>(2), v::<1>(0));
            });
            let mut b = Bare::new(Target::Gfx942, &words, 256);
            b.config.engine = engine;
            match b.run(1, 64, &[0]) {
                Ok(_) => assert_eq!(lane, 64),
                Err(f) => assert_eq!((f.kind, f.lane), (FaultKind::Alignment, Some(lane)), "{f}"),
            }
        }
    }
}

#[test]
fn a_bad_address_names_the_lane_and_the_instruction() {
    let words = code(|c| {
        c.s_load_dwordx2(s(4), s(0), 0);
        // Lane 63 reads 252 bytes past the page.
        c.v_lshlrev_b32(v(2), 6, v::<1>(0));
        c.global_load_dword(v::<1>(3), v::<1>(2), s::<2>(4)).offset(64);
    });
    let mut b = Bare::new(Target::Gfx942, &words, 0);
    let data = b.buffer(&[0; 1024]);
    let f = b.run(1, 64, &[data.base()]).unwrap_err();
    assert_eq!((f.kind, f.lane), (FaultKind::Memory, Some(63)), "{f}");
    assert_eq!(f.address, Some(data.base() + 4096), "{f}");
    assert!(f.instruction.as_deref().is_some_and(|i| i.contains("global_load_dword")), "{f}");
    let read: Vec<_> = f.registers.iter().map(|r| (r.name.as_str(), r.lane)).collect();
    assert_eq!(read, [("v2", Some(63)), ("s[4:5]", None)], "{f}");
    assert_eq!(f.registers[0].words, [63 * 64], "{f}");
    assert_eq!(f.registers[1].words, [data.base() as u32, (data.base() >> 32) as u32], "{f}");
    assert!(f.to_string().ends_with(&format!("v2 (lane 63) = 0xfc0, s[4:5] = {:#x}", data.base())), "{f}");
    // The same device goes on.
    b.run(1, 32, &[data.base()]).expect("half the lanes stay inside");
}

#[test]
fn traps_and_words_that_are_no_instruction_end_the_dispatch() {
    let f = run(
        &code(|c| {
            c.s_trap(2);
        }),
        1,
    )
    .unwrap_err();
    assert_eq!(f.kind, FaultKind::Trap, "{f}");
    let mut words = code(|c| {
        c.s_nop(0);
    });
    words[0] = 0xffff_ffff;
    let f = run(&words, 1).unwrap_err();
    assert_eq!(f.kind, FaultKind::Instruction, "{f}");
    let f = run(
        &code(|c| {
            c.v_mov_b32(v(255), 0);
            c.s_setpc_b64(s::<2>(8));
        }),
        1,
    )
    .unwrap_err();
    assert_eq!(f.kind, FaultKind::Fetch, "{f}");
}

#[test]
fn lds_beyond_the_allocation_reads_zero_as_on_hardware() {
    let words = code(|c| {
        c.s_load_dwordx2(s(4), s(0), 0);
        c.v_mov_b32(v(2), 256);
        c.ds_read_b32(v::<1>(3), v::<1>(2));
        c.s_waitcnt(0);
        c.v_mov_b32(v(2), 0);
        c.global_store_dword(v::<1>(2), v::<1>(3), s::<2>(4));
    });
    let mut b = Bare::new(Target::Gfx942, &words, 256);
    let data = b.buffer(&[7; 64]);
    b.run(1, 64, &[data.base()]).expect("runs");
    assert_eq!(Bare::words(&data)[0], 0);
}

#[test]
fn a_poll_is_left_alone_while_another_dispatch_may_still_answer_it() {
    let mut b = Bare::new(Target::Gfx942, &code(|c| poll(c, 1)), 0);
    b.config.patience = std::time::Duration::from_secs(60);
    let data = b.buffer(&[0; 64]);
    let address = data.base();
    let answer = std::thread::spawn(move || {
        // Longer than it takes to see that the poll repeats itself.
        std::thread::sleep(std::time::Duration::from_millis(700));
        // SAFETY: the buffer lives until this thread was joined, and the kernel reads it atomically.
        unsafe { std::sync::atomic::AtomicU32::from_ptr(address as *mut u32) }
            .store(1, std::sync::atomic::Ordering::Release);
    });
    let stats = b.run(1, 64, &[address]);
    answer.join().expect("stores");
    stats.expect("ends");
}

#[test]
fn a_cu_mask_limits_where_and_how_many_workgroups_run() {
    // Each adds one to a counter and waits until three have.
    let words = code(|c| {
        c.s_load_dwordx2(s(4), s(0), 0);
        c.v_mov_b32(v(2), 0);
        c.v_mov_b32(v(3), 1);
        c.s_mov_b64(wavesmith_asm::reg::EXEC, 1);
        c.global_atomic_add(v::<1>(2), v::<1>(3), s::<2>(4));
        c.s_waitcnt(0x0f70);
        poll(c, 3);
    });
    let mut b = Bare::new(Target::Gfx942, &words, 65536);
    let run = |b: &mut Bare| {
        let data = b.buffer(&[0; 64]);
        b.run(3, 64, &[data.base()])
    };
    b.config.cus = Some([3, 70, 303].into());
    assert_eq!(run(&mut b).expect("three fit").resident_workgroups, 3);
    b.config.cus = Some([3, 70, 999].into());
    let f = run(&mut b).unwrap_err();
    assert_eq!(f.kind, FaultKind::Stall, "{f}");
    b.config.cus = Some([].into());
    let f = run(&mut b).unwrap_err();
    assert_eq!(f.kind, FaultKind::Resources, "{f}");
}

#[test]
fn a_fault_gives_the_scratch_of_all_workgroups_back() {
    let mut b = Bare::new(Target::Gfx942, &code(|c| poll(c, 1)), 0);
    b.set_scratch(4096);
    let data = b.buffer(&[0; 64]);
    let f = b.run(5, 64, &[data.base()]).unwrap_err();
    assert_eq!(f.kind, FaultKind::Stall, "{f}");
    // More than a wave can have is refused before anything is allocated.
    b.set_scratch(131_057);
    let f = b.run(5, 64, &[data.base()]).unwrap_err();
    assert_eq!(f.kind, FaultKind::Resources, "{f}");
    assert!(f.message.contains("at most 131056"), "{f}");
    let kept = b.memory.snapshot().allocations().iter().filter(|a| a.kind() == Kind::Scratch).count();
    assert_eq!(kept, 0);
}

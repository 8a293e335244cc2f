//! What is used again (registers of workgroups that have ended, code of dispatches before) is as good as new.

mod bare;

use bare::Bare;
use wavesmith_asm::build::{Build, Code};
use wavesmith_asm::operand::SAddr;
use wavesmith_asm::reg::{a, s, v};
use wavesmith_asm::{Operand, Target};
use wavesmith_sim::EngineKind;

const ENGINES: [EngineKind; 2] = [EngineKind::Jit, EngineKind::Interp];

fn device(words: &[u32], engine: EngineKind) -> Bare {
    let mut b = Bare::new(Target::Gfx942, words, 1024);
    b.config.engine = engine;
    b.config.threads = 1;
    b
}

/// Stores `v[value]` to element workgroup × 64 + lane of the first argument.
fn store(c: &mut Code, value: u16) {
    c.s_load_dwordx2(s(4), s(0), 0);
    c.s_lshl_b32(s(3), s(2), 6);
    c.v_add_lshl_u32(v(1), s(3), v(0), 2);
    c.s_waitcnt(0);
    c.global_store_dword(v::<1>(1), v::<1>(value), s::<2>(4));
}

/// Runs 40 workgroups one after the other and expects `want` of every lane.
fn gives_in_every_workgroup(c: Code, want: u32) {
    let words = c.finish().expect("encodes");
    for engine in ENGINES {
        let mut b = device(&words, engine);
        b.set_scratch(16);
        let out = b.buffer(&[u32::MAX; 64 * 40]);
        b.run(40, 64, &[out.base()]).expect("runs");
        assert_eq!(Bare::words(&out)[..], [want; 64 * 40], "{engine:?}");
    }
}

#[test]
fn registers_that_a_workgroup_left_behind_are_zero_for_the_next() {
    let mut c = Code::new(Target::Gfx942);
    c.v_accvgpr_read_b32(v(9), a(7));
    c.v_add3_u32(v(9), v(9), v(200), v(8));
    store(&mut c, 9);
    for r in [8, 200] {
        c.v_mov_b32(v(r), 0x55);
    }
    c.v_accvgpr_write_b32(a(7), v(8));
    c.s_endpgm(0);
    gives_in_every_workgroup(c, 0);
}

#[test]
fn registers_that_only_code_behind_an_indirect_jump_uses_are_zero_too() {
    let mut c = Code::new(Target::Gfx942);
    c.v_mov_b32(v(6), 3);
    c.s_getpc_b64(s::<2>(10));
    let here = c.words().len() as i32;
    c.s_add_u32(s(10), s(10), 12);
    c.s_addc_u32(s(11), s(11), 0);
    c.s_setpc_b64(s::<2>(10));
    assert_eq!(c.words().len() as i32 - here, 3);
    // What the first part has put in its registers stays.
    c.v_add3_u32(v(9), v(6), v(70), v(100));
    store(&mut c, 9);
    for r in [70, 100] {
        c.v_mov_b32(v(r), 0x55);
    }
    c.s_endpgm(0);
    gives_in_every_workgroup(c, 3);
}

#[test]
fn scratch_that_a_workgroup_left_behind_is_zero_for_the_next() {
    let mut c = Code::new(Target::Gfx942);
    c.scratch_load_dword(v::<1>(9), v::<1>(7), SAddr(Operand::Off));
    c.s_waitcnt(0);
    store(&mut c, 9);
    c.v_mov_b32(v(8), 0x55);
    c.scratch_store_dword(v::<1>(7), v::<1>(8), SAddr(Operand::Off));
    c.s_endpgm(0);
    gives_in_every_workgroup(c, 0);
}

#[test]
fn code_that_has_changed_between_dispatches_runs_as_it_is_now() {
    let with = |value: i32| {
        let mut c = Code::new(Target::Gfx942);
        c.v_mov_b32(v(9), value);
        store(&mut c, 9);
        c.s_endpgm(0);
        c.finish().expect("encodes")
    };
    for engine in ENGINES {
        let mut b = device(&with(1), engine);
        let out = b.buffer(&[0; 64]);
        // There and back: what was made of the first words must not come back with the second's.
        for value in [1, 1, 2, 1, 2] {
            b.write_code(&with(value));
            b.run(1, 64, &[out.base()]).expect("runs");
            assert_eq!(Bare::words(&out), [value as u32; 64], "{engine:?}");
        }
    }
}

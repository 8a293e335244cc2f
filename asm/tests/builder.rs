//! The typed builder against known bytes (llvm-mc 22).

use wavesmith_asm::operand::{Lit, Off};
use wavesmith_asm::reg::{VCC, a, s, v};
use wavesmith_asm::{Build, Code, Target};

fn words(f: impl FnOnce(&mut Code)) -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    f(&mut c);
    c.finish().expect("encodes")
}

#[test]
fn the_shortest_form_is_taken_and_modifiers_lengthen_it() {
    assert_eq!(
        words(|c| {
            c.v_add_f32(v(1), v(2), v(3));
        }),
        [0x0202_0702]
    );
    assert_eq!(
        words(|c| {
            c.v_add_f32(v(1), v(2), s(3));
        }),
        [0xd101_0001, 0x0000_0702]
    );
    assert_eq!(
        words(|c| {
            c.v_add_f32(v(1), v(2), v(3)).neg(0).abs(1).clamp().mul2();
        }),
        [0xd101_8201, 0x2802_0702]
    );
    assert_eq!(
        words(|c| {
            c.v_mov_b32(v(1), v(2)).row_newbcast(3);
        }),
        [0x7e02_02fa, 0xff01_5302]
    );
}

#[test]
fn constants_are_inline_where_the_hardware_has_them() {
    assert_eq!(
        words(|c| {
            c.v_add_f32(v(1), 1.0f32, v(2));
        }),
        [0x0202_04f2]
    );
    assert_eq!(
        words(|c| {
            c.v_add_f16(v(1), 1.5f32, v(2));
        }),
        [0x3e02_04ff, 0x3e00]
    );
    assert_eq!(
        words(|c| {
            c.s_mov_b32(s(0), Lit(1));
        }),
        [0xbe80_00ff, 1]
    );
    assert_eq!(
        words(|c| {
            c.s_mov_b32(s(0), -5);
        }),
        [0xbe80_00c5]
    );
}

#[test]
fn memory_instructions_take_their_modifiers() {
    let w = words(|c| {
        c.global_load_dword(v(1), v::<1>(2), s::<2>(2)).offset(-4096).sc0().nt().sc1();
    });
    assert_eq!(w, [0xde53_9000, 0x0102_0002]);
    let w = words(|c| {
        c.buffer_load_dword(v(1), v::<2>(2), s(4), s(1)).idxen().offen().offset(4095).sc0().nt().sc1();
    });
    assert_eq!(w, [0xe052_ffff, 0x0101_0102]);
    assert_eq!(
        words(|c| {
            c.buffer_load_dword_lds(Off, s(4), s(3));
        }),
        [0xe051_0000, 0x0301_0000]
    );
    assert_eq!(
        words(|c| {
            c.s_load_dword(s(1), s(2), -4);
        }),
        [0xc002_0041, 0x001f_fffc]
    );
    assert_eq!(
        words(|c| {
            c.s_load_dword(s(1), s(2), s(5));
        }),
        [0xc000_0041, 0x0000_0005]
    );
    let w = words(|c| {
        c.global_atomic_add_rtn(v(32), v::<2>(64), v(96), Off);
    });
    assert_eq!(w, [0xdd09_8000, 0x207f_6040]);
}

#[test]
fn matrix_instructions_choose_their_register_files() {
    let w = words(|c| {
        c.v_mfma_f32_32x32x1_2b_f32(v(0), v(1), v(2), v(0)).cbsz(3).abid(2).blgp(7);
    });
    assert_eq!(w, [0xd3c0_1300, 0xe402_0501]);
    let w = words(|c| {
        c.v_mfma_f32_16x16x16_f16(a(0), v(2), a(4), a(0));
    });
    assert_eq!(w, [0xd3cd_8000, 0x1402_0902]);
}

#[test]
fn masks_are_vcc_in_short_forms_and_any_pair_in_long_ones() {
    assert_eq!(
        words(|c| {
            c.v_cmp_lt_f32(VCC, v(1), v(2));
        }),
        [0x7c82_0501]
    );
    assert_eq!(
        words(|c| {
            c.v_cmp_lt_f32(s(2), v(1), v(2));
        }),
        [0xd041_0002, 0x0002_0501]
    );
    assert_eq!(
        words(|c| {
            c.v_cndmask_b32(v(1), v(2), 4, s(2)).neg(0);
        }),
        [0xd100_0001, 0x2009_0902]
    );
}

#[test]
fn what_cannot_be_encoded_is_an_error_not_a_panic() {
    let mut c = Code::new(Target::Gfx942);
    c.v_mfma_f32_16x16x16_f16(v(1), v(2), v(4), v(0));
    assert!(c.finish().is_err());
    let mut c = Code::new(Target::Gfx908);
    c.buffer_wbl2();
    assert!(c.finish().is_err());
}

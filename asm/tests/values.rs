//! Numbers and words whose meaning is easily got wrong, with the bytes that llvm-mc 22 gives them.

use wavesmith_asm::Target;
use wavesmith_asm::lines::assemble;

fn gives(target: Target, pairs: &[(&str, &str)]) {
    for (line, bytes) in pairs {
        assert_eq!(assemble(line, target).as_deref(), Ok(*bytes), "{line}");
    }
}

fn is_wrong(target: Target, lines: &[&str]) {
    for line in lines {
        assert!(assemble(line, target).is_err(), "{line}");
    }
}

#[test]
fn the_smallest_floats_have_the_bits_of_inline_integers() {
    gives(
        Target::Gfx942,
        &[
            ("v_floor_f32 v34, 1.401298464324817e-45", "813e447e"),
            ("v_add_f16_e64 v0, 5.9604644775390625e-8, v1", "00001fd181020200"),
            ("v_pk_add_f16 v0, 5.9604644775390625e-8, v1", "00408fd381020218"),
            ("v_fract_f64 v[0:1], 1.0e-320", "8064007e"),
        ],
    );
}

#[test]
fn floats_that_would_lose_their_value_are_rejected() {
    is_wrong(
        Target::Gfx942,
        &[
            "v_add_f32 v0, 1e-46, v1",
            "v_add_f32 v0, lit(1e40), v1",
            "v_add_f16 v0, lit(1e-10), v1",
            "v_lshrrev_b16 v0, lit(3.4e38), v1",
            "v_dot2c_f32_f16_e32 v0, 6.1e-5, v1",
        ],
    );
}

#[test]
fn literals_of_packed_brain_floats_are_rounded_to_them() {
    gives(
        Target::Gfx950,
        &[
            ("v_dot2c_f32_bf16 v0, 3.14, v1", "ff02002c49400000"),
            ("v_dot2c_f32_bf16 v0, 65504.0, v1", "ff02002c80470000"),
            ("v_dot2c_f32_bf16 v0, 1.0, v1", "f202002c"),
        ],
    );
}

#[test]
fn the_sign_of_a_packed_constant_is_that_of_its_low_half() {
    gives(
        Target::Gfx942,
        &[
            ("v_dot2c_f32_f16 v74, neg(22), v27", "ff36946e16800000"),
            ("v_pk_fmac_f16_e32 v25, neg(0x3784a197), v170", "ff54337897218437"),
        ],
    );
}

#[test]
fn clamp_of_what_is_no_arithmetic_means_sdwa() {
    gives(
        Target::Gfx942,
        &[("v_mov_b32 v55, s27 clamp", "f9026e7e1b368600"), ("v_and_b32 v0, v1, s2 clamp", "f904002601360686")],
    );
    is_wrong(Target::Gfx942, &["v_and_b32 v0, s1, s2 clamp", "v_mov_b32_e64 v0, v1 clamp"]);
}

#[test]
fn between_bars_stands_one_term() {
    gives(Target::Gfx942, &[("v_cmp_ge_f32 vcc, |(1)|, v1", "81028c7c")]);
    is_wrong(
        Target::Gfx942,
        &["v_cmp_ge_f32 vcc, |3*4+1|, v1", "v_add_f32 v0, |abs(v1)|, v2", "v_cmp_ge_f32 |-1.0|, v1"],
    );
}

#[test]
fn immediates_take_the_low_bits_of_a_float_s_pattern() {
    gives(
        Target::Gfx942,
        &[("s_nop 1.0", "000080bf"), ("s_sleep 1e39", "1d4a8ebf"), ("s_setprio -0.15915494", "edfe8fbf")],
    );
    is_wrong(Target::Gfx942, &["s_endpgm 1.0", "s_movk_i32 s0, 1.0"]);
}

#[test]
fn constants_are_read_by_the_type_that_the_instruction_computes_in() {
    gives(
        Target::Gfx908,
        &[
            ("v_ldexp_f16 v245, 0.5, 0x3c00", "f50033d1f0e40100"),
            ("v_fma_mix_f32 v212, 0x3c00, 16, v225 op_sel_hi:[1,1,0]", "d400a0d3f220851f"),
            ("v_sad_u16 v86, v136, 0x3f800000, s0", "5600dbd188e50100"),
        ],
    );
}

#[test]
fn integers_of_float_instructions_extend_their_sign_in_sdwa() {
    gives(
        Target::Gfx942,
        &[
            ("v_cmp_class_f32_sdwa vcc, v0, sext(v1) src0_sel:DWORD src1_sel:DWORD", "f902207c0000060e"),
            ("v_ldexp_f16 v245, v0, sext(v1) dst_sel:DWORD", "f902ea670016060e"),
        ],
    );
}

#[test]
fn m0_selects_a_lane_beside_the_scalar_that_is_written() {
    gives(Target::Gfx942, &[("v_writelane_b32 v155, s63, m0", "9b008ad23ff80000")]);
    is_wrong(Target::Gfx942, &["v_writelane_b32 v155, s63, s64", "v_writelane_b32 v155, m0, s64"]);
}

#[test]
fn operands_come_before_modifiers() {
    is_wrong(Target::Gfx942, &["v_mfma_f32_16x16x32_bf8_bf8 a[0:3], a[10:11], a[18:19] cbsz:5 0"]);
}

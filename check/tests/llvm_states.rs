//! Wait states apart from matrix results, against what LLVM 22's hazard recogniser inserts between the same pairs
//! (`llc-22 -run-pass post-RA-hazard-rec` on machine code of two instructions; the figures are its answers for gfx90a,
//! gfx942 and gfx950). Where the guide asks for more, the row says so.

mod support;

use support::{of, report};
use wavesmith_asm::Target;
use wavesmith_check::Kind;

const TARGETS: [Target; 3] = [Target::Gfx90a, Target::Gfx942, Target::Gfx950];

/// First instruction, second instruction, states by LLVM, and by the guide where it asks for more.
type Row = (&'static str, &'static str, [u32; 3], Option<[u32; 3]>);

const MFMA: &str = "v_mfma_f32_4x4x1f32 v[40:43], v20, v21, v[44:47]";

/// Sixteen passes.
const LONG: &str = "v_mfma_f32_32x32x2_f32 v[40:55], v20, v21, v[40:55]";

const ROWS: &[Row] = &[
    ("v_mov_b32_e32 v20, 0", MFMA, [2, 2, 2], None),
    ("v_exp_f32_e32 v20, v8", MFMA, [2, 2, 2], None),
    ("v_add_u16_sdwa v20, v8, v9 dst_sel:WORD_1 dst_unused:UNUSED_PAD", MFMA, [2, 2, 2], None),
    ("v_add_u16_sdwa v20, v8, v9 dst_sel:WORD_1 dst_unused:UNUSED_PAD", "v_mov_b32_e32 v1, v20", [0, 1, 1], None),
    ("v_exp_f32_e32 v20, v8", "v_mov_b32_e32 v1, v20", [0, 1, 1], None),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", "v_mov_b32_e32 v1, v20", [3, 3, 3], None),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", "v_mov_b32_e32 v20, v1", [3, 3, 3], None),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", "global_store_dword v[30:31], v20, off", [3, 3, 3], None),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", "global_load_dword v20, v[30:31], off", [3, 3, 3], None),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", MFMA, [0, 0, 0], Some([3, 3, 3])),
    ("global_store_dwordx4 v[30:31], v[40:43], off", "v_mov_b32_e32 v41, 0", [1, 2, 2], None),
    ("global_store_dwordx4 v[30:31], v[40:43], off", MFMA, [1, 2, 2], None),
    ("v_mov_b32_e32 v20, 0", "v_mov_b32_dpp v1, v20 row_shr:1 row_mask:0xf bank_mask:0xf", [2, 2, 2], None),
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", MFMA, [4, 4, 4], None),
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", "v_mov_b32_dpp v1, v20 row_shr:1 row_mask:0xf bank_mask:0xf", [5, 5, 5], None),
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", "v_readfirstlane_b32 s4, v8", [0, 4, 4], None),
    ("v_mov_b32_e32 v20, 0", "v_readlane_b32 s4, v20, 0", [0, 1, 1], None),
    ("v_readfirstlane_b32 s4, v8", "v_readlane_b32 s5, v9, s4", [4, 4, 4], None),
    ("v_readfirstlane_b32 s4, v8", "v_add_u32_e32 v1, s4, v9", [0, 2, 2], None),
    ("v_cmp_eq_u32_e32 vcc, v8, v9", "v_cndmask_b32_e32 v1, v8, v9, vcc", [0, 2, 2], None),
    ("v_cmp_eq_u32_e32 vcc, v8, v9", "v_div_fmas_f32 v1, v8, v9, v10", [4, 4, 4], None),
    ("v_readfirstlane_b32 s4, v8", "buffer_load_dword v1, v9, s[8:11], s4 offen", [5, 5, 5], None),
    ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0", "s_getreg_b32 s4, hwreg(HW_REG_MODE)", [2, 2, 2], None),
    ("s_mov_b32 m0, s4", "buffer_load_dword v9, s[8:11], 0 offen lds", [1, 1, 1], None),
    ("s_mov_b32 m0, s4", "s_sendmsg sendmsg(MSG_INTERRUPT)", [1, 1, 1], None),
    ("s_mov_b32 m0, s4", "s_movrels_b32 s5, s6", [1, 1, 1], None),
    ("s_mov_b32 m0, s4", "s_ttracedata", [1, 1, 1], None),
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", "v_writelane_b32 v1, s4, 0", [0, 4, 4], None),
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", "v_readlane_b32 s4, v8, 0", [0, 4, 4], None),
    ("v_readfirstlane_b32 s4, v8", "v_writelane_b32 v1, s4, 0", [0, 2, 2], None),
    ("v_readfirstlane_b32 s4, v8", "global_load_dword v1, v9, s[4:5]", [5, 5, 5], None),
    ("v_readfirstlane_b32 s4, v8", "s_load_dword s6, s[8:9], s4", [0, 0, 0], None),
    ("v_readfirstlane_b32 s4, v8", "s_add_u32 s6, s4, 1", [0, 0, 0], None),
    ("v_cmp_eq_u32_e32 vcc, v8, v9", "v_addc_co_u32_e32 v1, vcc, v8, v9, vcc", [0, 2, 2], None),
    (
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0",
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 1",
        [2, 2, 2],
        None,
    ),
    ("v_dot2c_f32_f16_e32 v41, v8, v9", MFMA, [0, 0, 0], Some([3, 3, 3])),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", "v_dot2c_f32_f16_e32 v21, v20, v9", [3, 3, 3], None),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", "v_dot2c_f32_f16_e32 v20, v8, v9", [0, 0, 0], Some([0, 1, 1])),
    ("v_dot2_f32_f16 v20, v8, v9, v20", "v_dot2_f32_f16 v20, v8, v9, v20", [0, 1, 1], None),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", "ds_write_b32 v2, v20", [3, 3, 3], None),
    ("v_dot2c_f32_f16_e32 v20, v8, v9", "ds_read_b32 v20, v2", [3, 3, 3], None),
    ("v_exp_f32_e32 v20, v8", "v_dot2_f32_f16 v21, v20, v9, v21", [0, 1, 1], None),
    ("v_exp_f32_e32 v20, v8", "v_exp_f32_e32 v21, v20", [0, 0, 0], None),
    ("v_exp_f32_e32 v20, v8", "v_mov_b32_e32 v20, 0", [0, 0, 0], None),
    ("v_exp_f32_e32 v20, v8", "ds_write_b32 v2, v20", [0, 0, 0], None),
    ("buffer_store_dwordx4 v[40:43], v30, s[8:11], 0 offen", "v_mov_b32_e32 v41, 0", [1, 2, 2], None),
    ("buffer_store_dwordx3 v[40:42], v30, s[8:11], 0 offen", "v_mov_b32_e32 v41, 0", [1, 2, 2], None),
    ("buffer_store_dwordx2 v[40:41], v30, s[8:11], 0 offen", "v_mov_b32_e32 v41, 0", [0, 0, 0], None),
    // LLVM 22 leaves the form with an SGPR as offset out (llvm-project PR 197267).
    ("buffer_store_dwordx4 v[40:43], v30, s[8:11], s12 offen", "v_mov_b32_e32 v41, 0", [0, 0, 0], Some([0, 1, 1])),
    ("flat_store_dwordx4 v[30:31], v[40:43]", "v_mov_b32_e32 v41, 0", [1, 2, 2], None),
    ("global_atomic_cmpswap_x2 v[30:31], v[40:43], off", "v_mov_b32_e32 v41, 0", [1, 2, 2], None),
    ("buffer_atomic_cmpswap_x2 v[40:43], v30, s[8:11], 0 offen", "v_mov_b32_e32 v41, 0", [1, 2, 2], None),
    ("buffer_store_format_xyzw v[40:43], v30, s[8:11], 0 offen", "v_mov_b32_e32 v41, 0", [1, 2, 2], None),
    ("scratch_store_dwordx4 v30, v[40:43], off", "v_mov_b32_e32 v41, 0", [1, 2, 2], None),
    ("ds_write_b128 v30, v[40:43]", "v_mov_b32_e32 v41, 0", [0, 0, 0], None),
    ("global_store_dwordx4 v[30:31], v[40:43], off", "global_load_dword v41, v[32:33], off", [0, 0, 0], None),
    // EXEC by a comparison, by a comparison's mask, and by halves.
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", "global_load_dword v1, v[30:31], off", [5, 5, 5], None),
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", "ds_read_b32 v1, v30", [0, 0, 0], None),
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", "v_mov_b32_e32 v1, exec_lo", [0, 2, 2], None),
    ("v_cmpx_eq_u32_e32 vcc, v8, v9", "s_mov_b32 s6, exec_lo", [0, 0, 0], None),
    ("v_cmp_eq_u32_e64 exec, v8, v9", MFMA, [4, 4, 4], None),
    ("v_cmp_eq_u32_e64 exec, v8, v9", "v_readfirstlane_b32 s4, v8", [0, 4, 4], None),
    ("v_cmp_eq_u32_e64 exec, v8, v9", "v_mov_b32_dpp v1, v20 row_shr:1 row_mask:0xf bank_mask:0xf", [5, 5, 5], None),
    ("v_readfirstlane_b32 exec_lo, v8", "v_mov_b32_dpp v1, v20 row_shr:1 row_mask:0xf bank_mask:0xf", [5, 5, 5], None),
    ("v_cmp_eq_u32_e64 vcc, v8, v9", "global_load_dword v1, v9, vcc", [5, 5, 5], None),
    // Every register that DPP reads.
    ("v_mov_b32_e32 v20, 0", "v_add_u32_dpp v1, v20, v9 row_shr:1 row_mask:0xf bank_mask:0xf", [2, 2, 2], None),
    ("v_mov_b32_e32 v20, 0", "v_add_u32_dpp v1, v9, v20 row_shr:1 row_mask:0xf bank_mask:0xf", [2, 2, 2], None),
    ("v_mov_b32_e32 v1, 0", "v_add_u32_dpp v1, v9, v20 row_shr:1 row_mask:0xf bank_mask:0xf", [2, 2, 2], None),
    // Transcendental results, in other precisions and to other kinds of VALU.
    ("v_sqrt_f16_e32 v20, v8", "v_mul_f16_e32 v1, v20, v20", [0, 1, 1], None),
    ("v_rcp_f64_e32 v[20:21], v[8:9]", "v_mul_f64 v[10:11], v[20:21], v[20:21]", [0, 1, 1], None),
    ("v_exp_f32_e32 v20, v8", "v_readfirstlane_b32 s4, v20", [0, 1, 1], None),
    ("v_exp_f32_e32 v20, v8", "v_accvgpr_write_b32 a4, v20", [0, 1, 1], None),
    // Dot products of other forms.
    ("v_dot4c_i32_i8_e32 v20, v8, v9", "v_add_u32_e32 v1, 1, v20", [3, 3, 3], None),
    ("s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 1), s4", "s_rfe_b64 s[2:3]", [1, 1, 1], None),
    ("s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s4", "s_rfe_b64 s[2:3]", [0, 0, 0], None),
    ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0", "s_getreg_b32 s4, hwreg(HW_REG_STATUS)", [0, 0, 0], None),
    ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0", "v_mov_b32_e32 v1, 0", [0, 0, 0], None),
    // LLVM leaves VSKIP alone; the guides want two instructions that are no vector ones.
    ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0", "v_mov_b32_e32 v1, 0", [0, 0, 0], Some([2, 2, 2])),
    ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 32), 0", "ds_read_b32 v1, v2", [0, 0, 0], Some([2, 2, 2])),
    ("s_mov_b32 m0, s4", "s_sendmsghalt sendmsg(MSG_INTERRUPT)", [1, 1, 1], None),
    ("s_mov_b32 m0, s4", "ds_read_addtid_b32 v1", [1, 1, 1], None),
];

/// Pairs of one target alone, with the states that LLVM inserts there.
const LONE: &[(Target, &str, &str, u32)] = &[
    (Target::Gfx950, "v_cmpx_eq_u32_e32 vcc, v8, v9", "v_permlane32_swap_b32_e32 v1, v2", 4),
    (Target::Gfx950, "v_mov_b32_e32 v1, 0", "v_permlane32_swap_b32_e32 v1, v2", 2),
    (Target::Gfx950, "v_mov_b32_e32 v2, 0", "v_permlane16_swap_b32_e32 v1, v2", 2),
    (Target::Gfx950, "v_permlane32_swap_b32_e32 v1, v2", "v_permlane32_swap_b32_e32 v1, v2", 2),
    (Target::Gfx908, "v_accvgpr_write_b32 a0, v8", "v_accvgpr_read_b32 v1, a0", 3),
    (Target::Gfx908, "v_accvgpr_read_b32 v1, a0", "global_store_dword v[30:31], v1, off", 2),
    (Target::Gfx908, "v_mov_b32_e32 v20, 0", "v_mov_b32_dpp v1, v20 row_shr:1 row_mask:0xf bank_mask:0xf", 2),
    (Target::Gfx908, "v_exp_f32_e32 v20, v8", "v_mov_b32_e32 v1, v20", 0),
    (Target::Gfx908, "v_readfirstlane_b32 s4, v8", "v_add_u32_e32 v1, s4, v9", 0),
    (Target::Gfx908, "s_mov_b32 m0, s4", "s_movrels_b32 s5, s6", 1),
    (Target::Gfx908, "s_mov_b32 m0, s4", "v_mov_b32_e32 v1, src_lds_direct", 1),
    (Target::Gfx908, "s_mov_b32 m0, s4", "v_mov_b32_e32 v1, m0", 0),
    (Target::Gfx908, "s_mov_b32 m0, s4", "v_interp_mov_f32_e32 v1, p0, attr0.x", 1),
    (Target::Gfx908, "v_mov_b32_e32 v20, 0", "v_accvgpr_write_b32 a4, v20", 2),
    (Target::Gfx908, "v_exp_f32_e32 v20, v8", "v_accvgpr_write_b32 a4, v20", 2),
    (Target::Gfx908, "v_cmpx_eq_u32_e32 vcc, v8, v9", "v_accvgpr_write_b32 a4, v20", 4),
    (Target::Gfx908, "v_cmpx_eq_u32_e32 vcc, v8, v9", "v_accvgpr_read_b32 v4, a0", 0),
    (Target::Gfx908, "v_accvgpr_read_b32 v4, a0", "ds_write_b32 v1, v4", 2),
    (Target::Gfx908, "v_cmpx_eq_u32_e32 vcc, v8, v9", "global_load_dword v1, v[30:31], off", 5),
    (Target::Gfx908, "v_mov_b32_e32 v20, 0", "v_add_u32_dpp v1, v9, v20 row_shr:1 row_mask:0xf bank_mask:0xf", 2),
    (Target::Gfx942, "s_mov_b32 m0, s4", "global_load_lds_dword v[30:31], off", 1),
    // Conversions into part of a register: only what shifts its result is late, and what is stochastic to fp4.
    (Target::Gfx942, "v_cvt_pk_fp8_f32 v20, v8, v9", "v_mov_b32_e32 v1, v20", 0),
    (Target::Gfx942, "v_cvt_pk_fp8_f32 v20, v8, v9 op_sel:[0,0,1]", "v_mov_b32_e32 v1, v20", 1),
    (Target::Gfx942, "v_cvt_sr_fp8_f32 v20, v8, v9", "v_mov_b32_e32 v1, v20", 0),
    (Target::Gfx942, "v_cvt_sr_fp8_f32 v20, v8, v9 op_sel:[0,0,1,0]", "v_mov_b32_e32 v1, v20", 1),
    (Target::Gfx942, "v_cvt_sr_fp8_f32 v20, v8, v9 op_sel:[0,0,0,1]", "v_mov_b32_e32 v1, v20", 1),
    (Target::Gfx950, "v_cvt_scalef32_pk_fp4_f32 v20, v8, v9, v10", "v_mov_b32_e32 v1, v20", 0),
    (Target::Gfx950, "v_cvt_scalef32_pk_fp4_f32 v20, v8, v9, v10 op_sel:[0,0,1,0]", "v_mov_b32_e32 v1, v20", 1),
    (Target::Gfx950, "v_cvt_scalef32_pk_fp8_f32 v20, v8, v9, v10", "v_mov_b32_e32 v1, v20", 0),
    (Target::Gfx950, "v_cvt_scalef32_pk_fp8_f32 v20, v8, v9, v10 op_sel:[0,0,0,1]", "v_mov_b32_e32 v1, v20", 1),
    (Target::Gfx950, "v_cvt_scalef32_sr_pk_fp4_f32 v20, v[8:9], v10, v11", "v_mov_b32_e32 v1, v20", 1),
    (Target::Gfx950, "v_cvt_scalef32_sr_fp8_f32 v20, v8, v9, v10", "v_mov_b32_e32 v1, v20", 0),
    (Target::Gfx950, "v_cvt_scalef32_sr_fp8_f32 v20, v8, v9, v10 op_sel:[0,0,1,0]", "v_mov_b32_e32 v1, v20", 1),
    // A sparse product reads its indices as it reads A and B, and leaves them alone afterwards.
    (
        Target::Gfx942,
        "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[8:11], v12",
        "v_smfmac_f32_16x16x32_f16 v[24:27], v[20:21], v[8:11], v4",
        7,
    ),
    (
        Target::Gfx950,
        "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[8:11], v12",
        "v_smfmac_f32_16x16x32_f16 v[24:27], v[20:21], v[8:11], v4",
        8,
    ),
    (Target::Gfx942, "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[8:11], v12", "v_mov_b32_e32 v12, 0", 0),
    (Target::Gfx950, "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[8:11], v12", "v_mov_b32_e32 v12, 0", 0),
    (Target::Gfx942, "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[8:11], v12", "v_mov_b32_e32 v4, 0", 7),
    (
        Target::Gfx942,
        "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[8:11], v12",
        "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[8:11], v12",
        0,
    ),
    (Target::Gfx942, "v_mov_b32_e32 v12, 0", "v_smfmac_f32_16x16x32_f16 v[4:7], v[20:21], v[8:11], v12", 2),
    // A result that the next matrix instruction overwrites without having read it, wholly or partly, earlier or later done.
    (
        Target::Gfx90a,
        "v_mfma_f32_32x32x2f32 v[40:55], v20, v21, v[40:55]",
        "v_mfma_f32_4x4x1f32 v[40:43], v20, v21, 0",
        0,
    ),
    (Target::Gfx942, LONG, "v_mfma_f32_4x4x1_16b_f32 v[40:43], v20, v21, 0", 0),
    (Target::Gfx950, LONG, "v_mfma_f32_4x4x1_16b_f32 v[54:57], v20, v21, v[4:7]", 0),
    (
        Target::Gfx942,
        "v_mfma_f32_16x16x8_xf32 v[0:3], v[98:99], v[18:19], v[0:3]",
        "v_mfma_f32_16x16x8_xf32 v[0:3], v[96:97], v[80:81], 0",
        0,
    ),
    (
        Target::Gfx942,
        "v_mfma_f64_16x16x4_f64 v[40:47], v[50:51], v[52:53], v[40:47]",
        "v_mfma_f32_4x4x1_16b_f32 v[40:43], v20, v21, 0",
        0,
    ),
    // Only multiply-add shares the pipe.
    (
        Target::Gfx942,
        "v_mfma_f64_4x4x4_4b_f64 v[40:41], v[50:51], v[52:53], v[40:41]",
        "v_mul_f64 v[10:11], v[12:13], v[12:13]",
        0,
    ),
    (
        Target::Gfx942,
        "v_mfma_f64_4x4x4_4b_f64 v[40:41], v[50:51], v[52:53], v[40:41]",
        "v_fmac_f64_e32 v[10:11], v[12:13], v[12:13]",
        2,
    ),
    (
        Target::Gfx90a,
        "v_mfma_f64_4x4x4f64 v[40:41], v[50:51], v[52:53], v[40:41]",
        "v_fma_f64 v[10:11], v[12:13], v[12:13], v[12:13]",
        2,
    ),
    (
        Target::Gfx942,
        "v_mfma_f64_4x4x4_4b_f64 v[40:41], v[50:51], v[52:53], v[40:41]",
        "v_fma_f64 v[10:11], v[12:13], v[12:13], v[12:13]",
        2,
    ),
    (
        Target::Gfx950,
        "v_mfma_f64_4x4x4_4b_f64 v[40:41], v[50:51], v[52:53], v[40:41]",
        "v_fma_f64 v[10:11], v[12:13], v[12:13], v[12:13]",
        2,
    ),
];

/// The fewest states with which the checker has nothing to say.
fn states(target: Target, first: &str, second: &str) -> u32 {
    let needed = |n: u32| {
        let nop = if n == 0 { String::new() } else { format!("s_nop {}\n", n - 1) };
        let found = report(target, &format!("{first}\n{nop}{second}\ns_endpgm"));
        !of(&found, Kind::WaitStates).is_empty()
    };
    (0..16).find(|n| !needed(*n)).unwrap_or(16)
}

#[test]
fn pairs_need_the_states_that_llvm_inserts_or_the_guide_asks_for() {
    let mut wrong = Vec::new();
    for (first, second, llvm, guide) in ROWS {
        for (i, target) in TARGETS.into_iter().enumerate() {
            let want = guide.map_or(llvm[i], |g| g[i].max(llvm[i]));
            // The instruction's name changed with gfx942.
            let second = match target {
                Target::Gfx90a => (*second).to_owned(),
                _ => second.replace("4x4x1f32", "4x4x1_16b_f32"),
            };
            let ours = states(target, first, &second);
            if ours != want {
                wrong.push(format!("{target}: {first} | {second}: {ours}, not {want}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pairs_of_one_target_need_the_states_that_llvm_inserts() {
    let wrong: Vec<_> = LONE
        .iter()
        .map(|&(target, first, second, want)| (target, first, second, want, states(target, first, second)))
        .filter(|(.., want, ours)| want != ours)
        .map(|(target, first, second, want, ours)| format!("{target}: {first} | {second}: {ours}, not {want}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

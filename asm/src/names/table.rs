//! Mnemonics and their rows.
// Generated from the instruction rows by `cargo run -p wavesmith-asm --bin generate`; do not edit.

pub(super) static NAMES: [&str; 1416] = [
    "s_mov_b32",
    "s_mov_b64",
    "s_cmov_b32",
    "s_cmov_b64",
    "s_not_b32",
    "s_not_b64",
    "s_wqm_b32",
    "s_wqm_b64",
    "s_brev_b32",
    "s_brev_b64",
    "s_bcnt0_i32_b32",
    "s_bcnt0_i32_b64",
    "s_bcnt1_i32_b32",
    "s_bcnt1_i32_b64",
    "s_ff0_i32_b32",
    "s_ff0_i32_b64",
    "s_ff1_i32_b32",
    "s_ff1_i32_b64",
    "s_flbit_i32_b32",
    "s_flbit_i32_b64",
    "s_flbit_i32",
    "s_flbit_i32_i64",
    "s_sext_i32_i8",
    "s_sext_i32_i16",
    "s_bitset0_b32",
    "s_bitset0_b64",
    "s_bitset1_b32",
    "s_bitset1_b64",
    "s_getpc_b64",
    "s_setpc_b64",
    "s_swappc_b64",
    "s_rfe_b64",
    "s_and_saveexec_b64",
    "s_or_saveexec_b64",
    "s_xor_saveexec_b64",
    "s_andn2_saveexec_b64",
    "s_orn2_saveexec_b64",
    "s_nand_saveexec_b64",
    "s_nor_saveexec_b64",
    "s_xnor_saveexec_b64",
    "s_quadmask_b32",
    "s_quadmask_b64",
    "s_movrels_b32",
    "s_movrels_b64",
    "s_movreld_b32",
    "s_movreld_b64",
    "s_cbranch_join",
    "s_abs_i32",
    "s_set_gpr_idx_idx",
    "s_andn1_saveexec_b64",
    "s_orn1_saveexec_b64",
    "s_andn1_wrexec_b64",
    "s_andn2_wrexec_b64",
    "s_bitreplicate_b64_b32",
    "s_add_u32",
    "s_sub_u32",
    "s_add_i32",
    "s_sub_i32",
    "s_addc_u32",
    "s_subb_u32",
    "s_min_i32",
    "s_min_u32",
    "s_max_i32",
    "s_max_u32",
    "s_cselect_b32",
    "s_cselect_b64",
    "s_and_b32",
    "s_and_b64",
    "s_or_b32",
    "s_or_b64",
    "s_xor_b32",
    "s_xor_b64",
    "s_andn2_b32",
    "s_andn2_b64",
    "s_orn2_b32",
    "s_orn2_b64",
    "s_nand_b32",
    "s_nand_b64",
    "s_nor_b32",
    "s_nor_b64",
    "s_xnor_b32",
    "s_xnor_b64",
    "s_lshl_b32",
    "s_lshl_b64",
    "s_lshr_b32",
    "s_lshr_b64",
    "s_ashr_i32",
    "s_ashr_i64",
    "s_bfm_b32",
    "s_bfm_b64",
    "s_mul_i32",
    "s_bfe_u32",
    "s_bfe_i32",
    "s_bfe_u64",
    "s_bfe_i64",
    "s_cbranch_g_fork",
    "s_absdiff_i32",
    "s_rfe_restore_b64",
    "s_mul_hi_u32",
    "s_mul_hi_i32",
    "s_lshl1_add_u32",
    "s_lshl2_add_u32",
    "s_lshl3_add_u32",
    "s_lshl4_add_u32",
    "s_pack_ll_b32_b16",
    "s_pack_lh_b32_b16",
    "s_pack_hh_b32_b16",
    "s_movk_i32",
    "s_cmovk_i32",
    "s_cmpk_eq_i32",
    "s_cmpk_lg_i32",
    "s_cmpk_gt_i32",
    "s_cmpk_ge_i32",
    "s_cmpk_lt_i32",
    "s_cmpk_le_i32",
    "s_cmpk_eq_u32",
    "s_cmpk_lg_u32",
    "s_cmpk_gt_u32",
    "s_cmpk_ge_u32",
    "s_cmpk_lt_u32",
    "s_cmpk_le_u32",
    "s_addk_i32",
    "s_mulk_i32",
    "s_cbranch_i_fork",
    "s_getreg_b32",
    "s_setreg_b32",
    "s_call_b64",
    "s_setreg_imm32_b32",
    "s_cmp_eq_i32",
    "s_cmp_lg_i32",
    "s_cmp_gt_i32",
    "s_cmp_ge_i32",
    "s_cmp_lt_i32",
    "s_cmp_le_i32",
    "s_cmp_eq_u32",
    "s_cmp_lg_u32",
    "s_cmp_gt_u32",
    "s_cmp_ge_u32",
    "s_cmp_lt_u32",
    "s_cmp_le_u32",
    "s_bitcmp0_b32",
    "s_bitcmp1_b32",
    "s_bitcmp0_b64",
    "s_bitcmp1_b64",
    "s_setvskip",
    "s_set_gpr_idx_on",
    "s_cmp_eq_u64",
    "s_cmp_lg_u64",
    "s_nop",
    "s_endpgm",
    "s_branch",
    "s_wakeup",
    "s_cbranch_scc0",
    "s_cbranch_scc1",
    "s_cbranch_vccz",
    "s_cbranch_vccnz",
    "s_cbranch_execz",
    "s_cbranch_execnz",
    "s_barrier",
    "s_setkill",
    "s_waitcnt",
    "s_sethalt",
    "s_sleep",
    "s_setprio",
    "s_sendmsg",
    "s_sendmsghalt",
    "s_trap",
    "s_icache_inv",
    "s_incperflevel",
    "s_decperflevel",
    "s_ttracedata",
    "s_cbranch_cdbgsys",
    "s_cbranch_cdbguser",
    "s_cbranch_cdbgsys_or_user",
    "s_cbranch_cdbgsys_and_user",
    "s_endpgm_saved",
    "s_set_gpr_idx_off",
    "s_set_gpr_idx_mode",
    "s_endpgm_ordered_ps_done",
    "s_load_dword",
    "s_load_dwordx2",
    "s_load_dwordx4",
    "s_load_dwordx8",
    "s_load_dwordx16",
    "s_scratch_load_dword",
    "s_scratch_load_dwordx2",
    "s_scratch_load_dwordx4",
    "s_buffer_load_dword",
    "s_buffer_load_dwordx2",
    "s_buffer_load_dwordx4",
    "s_buffer_load_dwordx8",
    "s_buffer_load_dwordx16",
    "s_store_dword",
    "s_store_dwordx2",
    "s_store_dwordx4",
    "s_scratch_store_dword",
    "s_scratch_store_dwordx2",
    "s_scratch_store_dwordx4",
    "s_buffer_store_dword",
    "s_buffer_store_dwordx2",
    "s_buffer_store_dwordx4",
    "s_dcache_inv",
    "s_dcache_wb",
    "s_dcache_inv_vol",
    "s_dcache_wb_vol",
    "s_memtime",
    "s_memrealtime",
    "s_atc_probe",
    "s_atc_probe_buffer",
    "s_dcache_discard",
    "s_dcache_discard_x2",
    "s_buffer_atomic_swap",
    "s_buffer_atomic_cmpswap",
    "s_buffer_atomic_add",
    "s_buffer_atomic_sub",
    "s_buffer_atomic_smin",
    "s_buffer_atomic_umin",
    "s_buffer_atomic_smax",
    "s_buffer_atomic_umax",
    "s_buffer_atomic_and",
    "s_buffer_atomic_or",
    "s_buffer_atomic_xor",
    "s_buffer_atomic_inc",
    "s_buffer_atomic_dec",
    "s_buffer_atomic_swap_x2",
    "s_buffer_atomic_cmpswap_x2",
    "s_buffer_atomic_add_x2",
    "s_buffer_atomic_sub_x2",
    "s_buffer_atomic_smin_x2",
    "s_buffer_atomic_umin_x2",
    "s_buffer_atomic_smax_x2",
    "s_buffer_atomic_umax_x2",
    "s_buffer_atomic_and_x2",
    "s_buffer_atomic_or_x2",
    "s_buffer_atomic_xor_x2",
    "s_buffer_atomic_inc_x2",
    "s_buffer_atomic_dec_x2",
    "s_atomic_swap",
    "s_atomic_cmpswap",
    "s_atomic_add",
    "s_atomic_sub",
    "s_atomic_smin",
    "s_atomic_umin",
    "s_atomic_smax",
    "s_atomic_umax",
    "s_atomic_and",
    "s_atomic_or",
    "s_atomic_xor",
    "s_atomic_inc",
    "s_atomic_dec",
    "s_atomic_swap_x2",
    "s_atomic_cmpswap_x2",
    "s_atomic_add_x2",
    "s_atomic_sub_x2",
    "s_atomic_smin_x2",
    "s_atomic_umin_x2",
    "s_atomic_smax_x2",
    "s_atomic_umax_x2",
    "s_atomic_and_x2",
    "s_atomic_or_x2",
    "s_atomic_xor_x2",
    "s_atomic_inc_x2",
    "s_atomic_dec_x2",
    "v_nop",
    "v_mov_b32",
    "v_readfirstlane_b32",
    "v_cvt_i32_f64",
    "v_cvt_f64_i32",
    "v_cvt_f32_i32",
    "v_cvt_f32_u32",
    "v_cvt_u32_f32",
    "v_cvt_i32_f32",
    "v_cvt_f16_f32",
    "v_cvt_f32_f16",
    "v_cvt_rpi_i32_f32",
    "v_cvt_flr_i32_f32",
    "v_cvt_off_f32_i4",
    "v_cvt_f32_f64",
    "v_cvt_f64_f32",
    "v_cvt_f32_ubyte0",
    "v_cvt_f32_ubyte1",
    "v_cvt_f32_ubyte2",
    "v_cvt_f32_ubyte3",
    "v_cvt_u32_f64",
    "v_cvt_f64_u32",
    "v_trunc_f64",
    "v_ceil_f64",
    "v_rndne_f64",
    "v_floor_f64",
    "v_fract_f32",
    "v_trunc_f32",
    "v_ceil_f32",
    "v_rndne_f32",
    "v_floor_f32",
    "v_exp_f32",
    "v_log_f32",
    "v_rcp_f32",
    "v_rcp_iflag_f32",
    "v_rsq_f32",
    "v_rcp_f64",
    "v_rsq_f64",
    "v_sqrt_f32",
    "v_sqrt_f64",
    "v_sin_f32",
    "v_cos_f32",
    "v_not_b32",
    "v_bfrev_b32",
    "v_ffbh_u32",
    "v_ffbl_b32",
    "v_ffbh_i32",
    "v_frexp_exp_i32_f64",
    "v_frexp_mant_f64",
    "v_fract_f64",
    "v_frexp_exp_i32_f32",
    "v_frexp_mant_f32",
    "v_clrexcp",
    "v_screen_partition_4se_b32",
    "v_mov_b64",
    "v_cvt_f16_u16",
    "v_cvt_f16_i16",
    "v_cvt_u16_f16",
    "v_cvt_i16_f16",
    "v_rcp_f16",
    "v_sqrt_f16",
    "v_rsq_f16",
    "v_log_f16",
    "v_exp_f16",
    "v_frexp_mant_f16",
    "v_frexp_exp_i16_f16",
    "v_floor_f16",
    "v_ceil_f16",
    "v_trunc_f16",
    "v_rndne_f16",
    "v_fract_f16",
    "v_sin_f16",
    "v_cos_f16",
    "v_exp_legacy_f32",
    "v_log_legacy_f32",
    "v_cvt_norm_i16_f16",
    "v_cvt_norm_u16_f16",
    "v_sat_pk_u8_i16",
    "v_swap_b32",
    "v_accvgpr_mov_b32",
    "v_cvt_f32_fp8",
    "v_cvt_f32_bf8",
    "v_cvt_pk_f32_fp8",
    "v_cvt_pk_f32_bf8",
    "v_prng_b32",
    "v_permlane16_swap_b32",
    "v_permlane32_swap_b32",
    "v_cvt_f32_bf16",
    "v_cndmask_b32",
    "v_add_f32",
    "v_sub_f32",
    "v_subrev_f32",
    "v_mul_legacy_f32",
    "v_fmac_f64",
    "v_mul_f32",
    "v_mul_i32_i24",
    "v_mul_hi_i32_i24",
    "v_mul_u32_u24",
    "v_mul_hi_u32_u24",
    "v_min_f32",
    "v_max_f32",
    "v_min_i32",
    "v_max_i32",
    "v_min_u32",
    "v_max_u32",
    "v_lshrrev_b32",
    "v_ashrrev_i32",
    "v_lshlrev_b32",
    "v_and_b32",
    "v_or_b32",
    "v_xor_b32",
    "v_mac_f32",
    "v_dot2c_f32_bf16",
    "v_add_f16",
    "v_sub_f16",
    "v_subrev_f16",
    "v_mul_f16",
    "v_mac_f16",
    "v_add_u16",
    "v_sub_u16",
    "v_subrev_u16",
    "v_mul_lo_u16",
    "v_lshlrev_b16",
    "v_lshrrev_b16",
    "v_ashrrev_i16",
    "v_max_f16",
    "v_min_f16",
    "v_max_u16",
    "v_max_i16",
    "v_min_u16",
    "v_min_i16",
    "v_ldexp_f16",
    "v_add_u32",
    "v_sub_u32",
    "v_subrev_u32",
    "v_dot2c_f32_f16",
    "v_dot2c_i32_i16",
    "v_dot4c_i32_i8",
    "v_dot8c_i32_i4",
    "v_fmac_f32",
    "v_pk_fmac_f16",
    "v_xnor_b32",
    "v_add_co_u32",
    "v_sub_co_u32",
    "v_subrev_co_u32",
    "v_addc_co_u32",
    "v_subb_co_u32",
    "v_subbrev_co_u32",
    "v_madmk_f32",
    "v_fmamk_f32",
    "v_madak_f32",
    "v_fmaak_f32",
    "v_madmk_f16",
    "v_madak_f16",
    "v_cmp_class_f32",
    "v_cmpx_class_f32",
    "v_cmp_class_f64",
    "v_cmpx_class_f64",
    "v_cmp_class_f16",
    "v_cmpx_class_f16",
    "v_cmp_f_f16",
    "v_cmp_lt_f16",
    "v_cmp_eq_f16",
    "v_cmp_le_f16",
    "v_cmp_gt_f16",
    "v_cmp_lg_f16",
    "v_cmp_ge_f16",
    "v_cmp_o_f16",
    "v_cmp_u_f16",
    "v_cmp_nge_f16",
    "v_cmp_nlg_f16",
    "v_cmp_ngt_f16",
    "v_cmp_nle_f16",
    "v_cmp_neq_f16",
    "v_cmp_nlt_f16",
    "v_cmp_tru_f16",
    "v_cmpx_f_f16",
    "v_cmpx_lt_f16",
    "v_cmpx_eq_f16",
    "v_cmpx_le_f16",
    "v_cmpx_gt_f16",
    "v_cmpx_lg_f16",
    "v_cmpx_ge_f16",
    "v_cmpx_o_f16",
    "v_cmpx_u_f16",
    "v_cmpx_nge_f16",
    "v_cmpx_nlg_f16",
    "v_cmpx_ngt_f16",
    "v_cmpx_nle_f16",
    "v_cmpx_neq_f16",
    "v_cmpx_nlt_f16",
    "v_cmpx_tru_f16",
    "v_cmp_f_f32",
    "v_cmp_lt_f32",
    "v_cmp_eq_f32",
    "v_cmp_le_f32",
    "v_cmp_gt_f32",
    "v_cmp_lg_f32",
    "v_cmp_ge_f32",
    "v_cmp_o_f32",
    "v_cmp_u_f32",
    "v_cmp_nge_f32",
    "v_cmp_nlg_f32",
    "v_cmp_ngt_f32",
    "v_cmp_nle_f32",
    "v_cmp_neq_f32",
    "v_cmp_nlt_f32",
    "v_cmp_tru_f32",
    "v_cmpx_f_f32",
    "v_cmpx_lt_f32",
    "v_cmpx_eq_f32",
    "v_cmpx_le_f32",
    "v_cmpx_gt_f32",
    "v_cmpx_lg_f32",
    "v_cmpx_ge_f32",
    "v_cmpx_o_f32",
    "v_cmpx_u_f32",
    "v_cmpx_nge_f32",
    "v_cmpx_nlg_f32",
    "v_cmpx_ngt_f32",
    "v_cmpx_nle_f32",
    "v_cmpx_neq_f32",
    "v_cmpx_nlt_f32",
    "v_cmpx_tru_f32",
    "v_cmp_f_f64",
    "v_cmp_lt_f64",
    "v_cmp_eq_f64",
    "v_cmp_le_f64",
    "v_cmp_gt_f64",
    "v_cmp_lg_f64",
    "v_cmp_ge_f64",
    "v_cmp_o_f64",
    "v_cmp_u_f64",
    "v_cmp_nge_f64",
    "v_cmp_nlg_f64",
    "v_cmp_ngt_f64",
    "v_cmp_nle_f64",
    "v_cmp_neq_f64",
    "v_cmp_nlt_f64",
    "v_cmp_tru_f64",
    "v_cmpx_f_f64",
    "v_cmpx_lt_f64",
    "v_cmpx_eq_f64",
    "v_cmpx_le_f64",
    "v_cmpx_gt_f64",
    "v_cmpx_lg_f64",
    "v_cmpx_ge_f64",
    "v_cmpx_o_f64",
    "v_cmpx_u_f64",
    "v_cmpx_nge_f64",
    "v_cmpx_nlg_f64",
    "v_cmpx_ngt_f64",
    "v_cmpx_nle_f64",
    "v_cmpx_neq_f64",
    "v_cmpx_nlt_f64",
    "v_cmpx_tru_f64",
    "v_cmp_f_i16",
    "v_cmp_lt_i16",
    "v_cmp_eq_i16",
    "v_cmp_le_i16",
    "v_cmp_gt_i16",
    "v_cmp_ne_i16",
    "v_cmp_ge_i16",
    "v_cmp_t_i16",
    "v_cmp_f_u16",
    "v_cmp_lt_u16",
    "v_cmp_eq_u16",
    "v_cmp_le_u16",
    "v_cmp_gt_u16",
    "v_cmp_ne_u16",
    "v_cmp_ge_u16",
    "v_cmp_t_u16",
    "v_cmpx_f_i16",
    "v_cmpx_lt_i16",
    "v_cmpx_eq_i16",
    "v_cmpx_le_i16",
    "v_cmpx_gt_i16",
    "v_cmpx_ne_i16",
    "v_cmpx_ge_i16",
    "v_cmpx_t_i16",
    "v_cmpx_f_u16",
    "v_cmpx_lt_u16",
    "v_cmpx_eq_u16",
    "v_cmpx_le_u16",
    "v_cmpx_gt_u16",
    "v_cmpx_ne_u16",
    "v_cmpx_ge_u16",
    "v_cmpx_t_u16",
    "v_cmp_f_i32",
    "v_cmp_lt_i32",
    "v_cmp_eq_i32",
    "v_cmp_le_i32",
    "v_cmp_gt_i32",
    "v_cmp_ne_i32",
    "v_cmp_ge_i32",
    "v_cmp_t_i32",
    "v_cmp_f_u32",
    "v_cmp_lt_u32",
    "v_cmp_eq_u32",
    "v_cmp_le_u32",
    "v_cmp_gt_u32",
    "v_cmp_ne_u32",
    "v_cmp_ge_u32",
    "v_cmp_t_u32",
    "v_cmpx_f_i32",
    "v_cmpx_lt_i32",
    "v_cmpx_eq_i32",
    "v_cmpx_le_i32",
    "v_cmpx_gt_i32",
    "v_cmpx_ne_i32",
    "v_cmpx_ge_i32",
    "v_cmpx_t_i32",
    "v_cmpx_f_u32",
    "v_cmpx_lt_u32",
    "v_cmpx_eq_u32",
    "v_cmpx_le_u32",
    "v_cmpx_gt_u32",
    "v_cmpx_ne_u32",
    "v_cmpx_ge_u32",
    "v_cmpx_t_u32",
    "v_cmp_f_i64",
    "v_cmp_lt_i64",
    "v_cmp_eq_i64",
    "v_cmp_le_i64",
    "v_cmp_gt_i64",
    "v_cmp_ne_i64",
    "v_cmp_ge_i64",
    "v_cmp_t_i64",
    "v_cmp_f_u64",
    "v_cmp_lt_u64",
    "v_cmp_eq_u64",
    "v_cmp_le_u64",
    "v_cmp_gt_u64",
    "v_cmp_ne_u64",
    "v_cmp_ge_u64",
    "v_cmp_t_u64",
    "v_cmpx_f_i64",
    "v_cmpx_lt_i64",
    "v_cmpx_eq_i64",
    "v_cmpx_le_i64",
    "v_cmpx_gt_i64",
    "v_cmpx_ne_i64",
    "v_cmpx_ge_i64",
    "v_cmpx_t_i64",
    "v_cmpx_f_u64",
    "v_cmpx_lt_u64",
    "v_cmpx_eq_u64",
    "v_cmpx_le_u64",
    "v_cmpx_gt_u64",
    "v_cmpx_ne_u64",
    "v_cmpx_ge_u64",
    "v_cmpx_t_u64",
    "v_mad_legacy_f32",
    "v_mad_f32",
    "v_mad_i32_i24",
    "v_mad_u32_u24",
    "v_cubeid_f32",
    "v_cubesc_f32",
    "v_cubetc_f32",
    "v_cubema_f32",
    "v_bfe_u32",
    "v_bfe_i32",
    "v_bfi_b32",
    "v_fma_f32",
    "v_fma_f64",
    "v_lerp_u8",
    "v_alignbit_b32",
    "v_alignbyte_b32",
    "v_min3_f32",
    "v_min3_i32",
    "v_min3_u32",
    "v_max3_f32",
    "v_max3_i32",
    "v_max3_u32",
    "v_med3_f32",
    "v_med3_i32",
    "v_med3_u32",
    "v_sad_u8",
    "v_sad_hi_u8",
    "v_sad_u16",
    "v_sad_u32",
    "v_cvt_pk_u8_f32",
    "v_div_fixup_f32",
    "v_div_fixup_f64",
    "v_div_fmas_f32",
    "v_div_fmas_f64",
    "v_msad_u8",
    "v_qsad_pk_u16_u8",
    "v_mqsad_pk_u16_u8",
    "v_mqsad_u32_u8",
    "v_mad_legacy_f16",
    "v_mad_legacy_u16",
    "v_mad_legacy_i16",
    "v_perm_b32",
    "v_fma_legacy_f16",
    "v_div_fixup_legacy_f16",
    "v_cvt_pkaccum_u8_f32",
    "v_mad_u32_u16",
    "v_mad_i32_i16",
    "v_xad_u32",
    "v_min3_f16",
    "v_min3_i16",
    "v_min3_u16",
    "v_max3_f16",
    "v_max3_i16",
    "v_max3_u16",
    "v_med3_f16",
    "v_med3_i16",
    "v_med3_u16",
    "v_lshl_add_u32",
    "v_add_lshl_u32",
    "v_add3_u32",
    "v_lshl_or_b32",
    "v_and_or_b32",
    "v_or3_b32",
    "v_mad_f16",
    "v_mad_u16",
    "v_mad_i16",
    "v_fma_f16",
    "v_div_fixup_f16",
    "v_lshl_add_u64",
    "v_bitop3_b16",
    "v_bitop3_b32",
    "v_cvt_scalef32_pk_fp8_f32",
    "v_cvt_scalef32_pk_bf8_f32",
    "v_cvt_scalef32_sr_fp8_f32",
    "v_cvt_scalef32_sr_bf8_f32",
    "v_cvt_scalef32_pk_f32_fp8",
    "v_cvt_scalef32_pk_f32_bf8",
    "v_cvt_scalef32_f32_fp8",
    "v_cvt_scalef32_f32_bf8",
    "v_cvt_scalef32_pk_fp4_f32",
    "v_cvt_scalef32_sr_pk_fp4_f32",
    "v_cvt_scalef32_pk_f32_fp4",
    "v_cvt_scalef32_pk_fp8_f16",
    "v_cvt_scalef32_pk_bf8_f16",
    "v_cvt_scalef32_sr_fp8_f16",
    "v_cvt_scalef32_sr_bf8_f16",
    "v_cvt_scalef32_pk_fp8_bf16",
    "v_cvt_scalef32_pk_bf8_bf16",
    "v_cvt_scalef32_sr_fp8_bf16",
    "v_cvt_scalef32_sr_bf8_bf16",
    "v_cvt_scalef32_pk_f16_fp8",
    "v_cvt_scalef32_pk_f16_bf8",
    "v_cvt_scalef32_f16_fp8",
    "v_cvt_scalef32_f16_bf8",
    "v_cvt_scalef32_pk_fp4_f16",
    "v_cvt_scalef32_pk_fp4_bf16",
    "v_cvt_scalef32_sr_pk_fp4_f16",
    "v_cvt_scalef32_sr_pk_fp4_bf16",
    "v_cvt_scalef32_pk_f16_fp4",
    "v_cvt_scalef32_pk_bf16_fp4",
    "v_cvt_scalef32_2xpk16_fp6_f32",
    "v_cvt_scalef32_2xpk16_bf6_f32",
    "v_cvt_scalef32_sr_pk32_fp6_f32",
    "v_cvt_scalef32_sr_pk32_bf6_f32",
    "v_cvt_scalef32_pk32_f32_fp6",
    "v_cvt_scalef32_pk32_f32_bf6",
    "v_cvt_scalef32_pk32_fp6_f16",
    "v_cvt_scalef32_pk32_fp6_bf16",
    "v_cvt_scalef32_pk32_bf6_f16",
    "v_cvt_scalef32_pk32_bf6_bf16",
    "v_cvt_scalef32_sr_pk32_fp6_f16",
    "v_cvt_scalef32_sr_pk32_fp6_bf16",
    "v_cvt_scalef32_sr_pk32_bf6_f16",
    "v_cvt_scalef32_sr_pk32_bf6_bf16",
    "v_cvt_scalef32_pk32_f16_fp6",
    "v_cvt_scalef32_pk32_bf16_fp6",
    "v_cvt_scalef32_pk32_f16_bf6",
    "v_cvt_scalef32_pk32_bf16_bf6",
    "v_ashr_pk_i8_i32",
    "v_ashr_pk_u8_i32",
    "v_cvt_pk_f16_f32",
    "v_cvt_pk_bf16_f32",
    "v_cvt_scalef32_pk_bf16_fp8",
    "v_cvt_scalef32_pk_bf16_bf8",
    "v_add_f64",
    "v_mul_f64",
    "v_min_f64",
    "v_max_f64",
    "v_ldexp_f64",
    "v_mul_lo_u32",
    "v_mul_hi_u32",
    "v_mul_hi_i32",
    "v_ldexp_f32",
    "v_readlane_b32",
    "v_writelane_b32",
    "v_bcnt_u32_b32",
    "v_mbcnt_lo_u32_b32",
    "v_mbcnt_hi_u32_b32",
    "v_lshlrev_b64",
    "v_lshrrev_b64",
    "v_ashrrev_i64",
    "v_trig_preop_f64",
    "v_bfm_b32",
    "v_cvt_pknorm_i16_f32",
    "v_cvt_pknorm_u16_f32",
    "v_cvt_pkrtz_f16_f32",
    "v_cvt_pk_u16_u32",
    "v_cvt_pk_i16_i32",
    "v_cvt_pknorm_i16_f16",
    "v_cvt_pknorm_u16_f16",
    "v_add_i32",
    "v_sub_i32",
    "v_add_i16",
    "v_sub_i16",
    "v_pack_b32_f16",
    "v_cvt_pk_fp8_f32",
    "v_cvt_pk_bf8_f32",
    "v_cvt_sr_fp8_f32",
    "v_cvt_sr_bf8_f32",
    "v_cvt_sr_f16_f32",
    "v_cvt_sr_bf16_f32",
    "v_minimum3_f32",
    "v_maximum3_f32",
    "v_div_scale_f32",
    "v_div_scale_f64",
    "v_mad_u64_u32",
    "v_mad_i64_i32",
    "v_pk_mad_i16",
    "v_pk_mul_lo_u16",
    "v_pk_add_i16",
    "v_pk_sub_i16",
    "v_pk_lshlrev_b16",
    "v_pk_lshrrev_b16",
    "v_pk_ashrrev_i16",
    "v_pk_max_i16",
    "v_pk_min_i16",
    "v_pk_mad_u16",
    "v_pk_add_u16",
    "v_pk_sub_u16",
    "v_pk_max_u16",
    "v_pk_min_u16",
    "v_pk_fma_f16",
    "v_pk_add_f16",
    "v_pk_mul_f16",
    "v_pk_min_f16",
    "v_pk_max_f16",
    "v_dot2_f32_bf16",
    "v_pk_minimum3_f16",
    "v_pk_maximum3_f16",
    "v_fma_mix_f32",
    "v_fma_mixlo_f16",
    "v_fma_mixhi_f16",
    "v_dot2_f32_f16",
    "v_dot2_i32_i16",
    "v_dot2_u32_u16",
    "v_dot4_i32_i8",
    "v_dot4_u32_u8",
    "v_dot8_i32_i4",
    "v_dot8_u32_u4",
    "v_pk_fma_f32",
    "v_pk_mul_f32",
    "v_pk_add_f32",
    "v_pk_mov_b32",
    "v_accvgpr_read_b32",
    "v_accvgpr_write_b32",
    "v_mfma_f32_16x16x128_f8f6f4",
    "v_mfma_f32_32x32x64_f8f6f4",
    "v_mfma_f32_16x16x32_bf16",
    "v_mfma_i32_16x16x64_i8",
    "v_mfma_f32_32x32x16_bf16",
    "v_mfma_i32_32x32x32_i8",
    "v_smfmac_f32_16x16x64_bf16",
    "v_smfmac_i32_16x16x128_i8",
    "v_smfmac_f32_16x16x128_bf8_bf8",
    "v_smfmac_f32_16x16x128_bf8_fp8",
    "v_smfmac_f32_16x16x128_fp8_bf8",
    "v_mfma_f32_16x16x8_xf32",
    "v_mfma_f32_32x32x4_xf32",
    "v_mfma_f32_32x32x1f32",
    "v_mfma_f32_32x32x1_2b_f32",
    "v_mfma_f32_16x16x1f32",
    "v_mfma_f32_16x16x1_4b_f32",
    "v_mfma_f32_4x4x1f32",
    "v_mfma_f32_4x4x1_16b_f32",
    "v_smfmac_f32_16x16x128_fp8_fp8",
    "v_mfma_f32_32x32x2f32",
    "v_mfma_f32_32x32x2_f32",
    "v_mfma_f32_16x16x4f32",
    "v_mfma_f32_16x16x4_f32",
    "v_smfmac_f32_32x32x32_bf16",
    "v_smfmac_i32_32x32x64_i8",
    "v_mfma_f32_32x32x4f16",
    "v_mfma_f32_32x32x4_2b_f16",
    "v_mfma_f32_16x16x4f16",
    "v_mfma_f32_16x16x4_4b_f16",
    "v_mfma_f32_4x4x4f16",
    "v_mfma_f32_4x4x4_16b_f16",
    "v_smfmac_f32_32x32x64_bf8_bf8",
    "v_mfma_f32_32x32x8f16",
    "v_mfma_f32_32x32x8_f16",
    "v_mfma_f32_16x16x16f16",
    "v_mfma_f32_16x16x16_f16",
    "v_smfmac_f32_32x32x64_bf8_fp8",
    "v_smfmac_f32_32x32x64_fp8_bf8",
    "v_mfma_i32_32x32x4i8",
    "v_mfma_i32_32x32x4_2b_i8",
    "v_mfma_i32_16x16x4i8",
    "v_mfma_i32_16x16x4_4b_i8",
    "v_mfma_i32_4x4x4i8",
    "v_mfma_i32_4x4x4_16b_i8",
    "v_smfmac_f32_32x32x64_fp8_fp8",
    "v_mfma_i32_32x32x8i8",
    "v_mfma_f32_16x16x32_f16",
    "v_mfma_i32_16x16x16i8",
    "v_mfma_f32_32x32x16_f16",
    "v_mfma_i32_32x32x16_i8",
    "v_mfma_i32_16x16x32_i8",
    "v_smfmac_f32_16x16x64_f16",
    "v_smfmac_f32_32x32x32_f16",
    "v_mfma_f32_32x32x4_2b_bf16",
    "v_mfma_f32_16x16x4_4b_bf16",
    "v_mfma_f32_4x4x4_16b_bf16",
    "v_mfma_f32_32x32x8_bf16",
    "v_mfma_f32_16x16x16_bf16",
    "v_smfmac_f32_16x16x32_f16",
    "v_mfma_f32_32x32x4bf16_1k",
    "v_mfma_f32_16x16x4bf16_1k",
    "v_smfmac_f32_32x32x16_f16",
    "v_mfma_f32_4x4x4bf16_1k",
    "v_mfma_f32_32x32x8bf16_1k",
    "v_smfmac_f32_16x16x32_bf16",
    "v_mfma_f32_16x16x16bf16_1k",
    "v_mfma_f32_32x32x2bf16",
    "v_smfmac_f32_32x32x16_bf16",
    "v_mfma_f32_16x16x2bf16",
    "v_smfmac_i32_16x16x64_i8",
    "v_mfma_f32_4x4x2bf16",
    "v_mfma_f32_32x32x4bf16",
    "v_smfmac_i32_32x32x32_i8",
    "v_mfma_f32_16x16x8bf16",
    "v_mfma_f64_16x16x4f64",
    "v_mfma_f64_16x16x4_f64",
    "v_mfma_f64_4x4x4f64",
    "v_mfma_f64_4x4x4_4b_f64",
    "v_mfma_f32_16x16x32_bf8_bf8",
    "v_mfma_f32_16x16x32_bf8_fp8",
    "v_mfma_f32_16x16x32_fp8_bf8",
    "v_mfma_f32_16x16x32_fp8_fp8",
    "v_mfma_f32_32x32x16_bf8_bf8",
    "v_mfma_f32_32x32x16_bf8_fp8",
    "v_mfma_f32_32x32x16_fp8_bf8",
    "v_mfma_f32_32x32x16_fp8_fp8",
    "v_smfmac_f32_16x16x64_bf8_bf8",
    "v_smfmac_f32_16x16x64_bf8_fp8",
    "v_smfmac_f32_16x16x64_fp8_bf8",
    "v_smfmac_f32_16x16x64_fp8_fp8",
    "v_smfmac_f32_32x32x32_bf8_bf8",
    "v_smfmac_f32_32x32x32_bf8_fp8",
    "v_smfmac_f32_32x32x32_fp8_bf8",
    "v_smfmac_f32_32x32x32_fp8_fp8",
    "v_mfma_scale_f32_16x16x128_f8f6f4",
    "v_mfma_scale_f32_32x32x64_f8f6f4",
    "v_mfma_ld_scale_b32",
    "ds_add_u32",
    "ds_sub_u32",
    "ds_rsub_u32",
    "ds_inc_u32",
    "ds_dec_u32",
    "ds_min_i32",
    "ds_max_i32",
    "ds_min_u32",
    "ds_max_u32",
    "ds_and_b32",
    "ds_or_b32",
    "ds_xor_b32",
    "ds_mskor_b32",
    "ds_write_b32",
    "ds_write2_b32",
    "ds_write2st64_b32",
    "ds_cmpst_b32",
    "ds_cmpst_f32",
    "ds_min_f32",
    "ds_max_f32",
    "ds_nop",
    "ds_add_f32",
    "ds_pk_add_f16",
    "ds_pk_add_bf16",
    "ds_write_addtid_b32",
    "ds_write_b8",
    "ds_write_b16",
    "ds_add_rtn_u32",
    "ds_sub_rtn_u32",
    "ds_rsub_rtn_u32",
    "ds_inc_rtn_u32",
    "ds_dec_rtn_u32",
    "ds_min_rtn_i32",
    "ds_max_rtn_i32",
    "ds_min_rtn_u32",
    "ds_max_rtn_u32",
    "ds_and_rtn_b32",
    "ds_or_rtn_b32",
    "ds_xor_rtn_b32",
    "ds_mskor_rtn_b32",
    "ds_wrxchg_rtn_b32",
    "ds_wrxchg2_rtn_b32",
    "ds_wrxchg2st64_rtn_b32",
    "ds_cmpst_rtn_b32",
    "ds_cmpst_rtn_f32",
    "ds_min_rtn_f32",
    "ds_max_rtn_f32",
    "ds_wrap_rtn_b32",
    "ds_add_rtn_f32",
    "ds_read_b32",
    "ds_read2_b32",
    "ds_read2st64_b32",
    "ds_read_i8",
    "ds_read_u8",
    "ds_read_i16",
    "ds_read_u16",
    "ds_swizzle_b32",
    "ds_permute_b32",
    "ds_bpermute_b32",
    "ds_add_u64",
    "ds_sub_u64",
    "ds_rsub_u64",
    "ds_inc_u64",
    "ds_dec_u64",
    "ds_min_i64",
    "ds_max_i64",
    "ds_min_u64",
    "ds_max_u64",
    "ds_and_b64",
    "ds_or_b64",
    "ds_xor_b64",
    "ds_mskor_b64",
    "ds_write_b64",
    "ds_write2_b64",
    "ds_write2st64_b64",
    "ds_cmpst_b64",
    "ds_cmpst_f64",
    "ds_min_f64",
    "ds_max_f64",
    "ds_write_b8_d16_hi",
    "ds_write_b16_d16_hi",
    "ds_read_u8_d16",
    "ds_read_u8_d16_hi",
    "ds_read_i8_d16",
    "ds_read_i8_d16_hi",
    "ds_read_u16_d16",
    "ds_read_u16_d16_hi",
    "ds_add_f64",
    "ds_add_rtn_u64",
    "ds_sub_rtn_u64",
    "ds_rsub_rtn_u64",
    "ds_inc_rtn_u64",
    "ds_dec_rtn_u64",
    "ds_min_rtn_i64",
    "ds_max_rtn_i64",
    "ds_min_rtn_u64",
    "ds_max_rtn_u64",
    "ds_and_rtn_b64",
    "ds_or_rtn_b64",
    "ds_xor_rtn_b64",
    "ds_mskor_rtn_b64",
    "ds_wrxchg_rtn_b64",
    "ds_wrxchg2_rtn_b64",
    "ds_wrxchg2st64_rtn_b64",
    "ds_cmpst_rtn_b64",
    "ds_cmpst_rtn_f64",
    "ds_min_rtn_f64",
    "ds_max_rtn_f64",
    "ds_read_b64",
    "ds_read2_b64",
    "ds_read2st64_b64",
    "ds_add_rtn_f64",
    "ds_condxchg32_rtn_b64",
    "ds_add_src2_u32",
    "ds_sub_src2_u32",
    "ds_rsub_src2_u32",
    "ds_inc_src2_u32",
    "ds_dec_src2_u32",
    "ds_min_src2_i32",
    "ds_max_src2_i32",
    "ds_min_src2_u32",
    "ds_max_src2_u32",
    "ds_and_src2_b32",
    "ds_or_src2_b32",
    "ds_xor_src2_b32",
    "ds_write_src2_b32",
    "ds_min_src2_f32",
    "ds_max_src2_f32",
    "ds_add_src2_f32",
    "ds_gws_sema_release_all",
    "ds_gws_init",
    "ds_gws_sema_v",
    "ds_gws_sema_br",
    "ds_gws_sema_p",
    "ds_gws_barrier",
    "ds_read_addtid_b32",
    "ds_pk_add_rtn_f16",
    "ds_pk_add_rtn_bf16",
    "ds_consume",
    "ds_append",
    "ds_ordered_count",
    "ds_add_src2_u64",
    "ds_sub_src2_u64",
    "ds_rsub_src2_u64",
    "ds_inc_src2_u64",
    "ds_dec_src2_u64",
    "ds_min_src2_i64",
    "ds_max_src2_i64",
    "ds_min_src2_u64",
    "ds_max_src2_u64",
    "ds_and_src2_b64",
    "ds_or_src2_b64",
    "ds_xor_src2_b64",
    "ds_write_src2_b64",
    "ds_min_src2_f64",
    "ds_max_src2_f64",
    "ds_write_b96",
    "ds_write_b128",
    "ds_read_b64_tr_b4",
    "ds_read_b96_tr_b6",
    "ds_read_b64_tr_b8",
    "ds_read_b64_tr_b16",
    "ds_read_b96",
    "ds_read_b128",
    "buffer_load_format_x",
    "buffer_load_format_xy",
    "buffer_load_format_xyz",
    "buffer_load_format_xyzw",
    "buffer_store_format_x",
    "buffer_store_format_xy",
    "buffer_store_format_xyz",
    "buffer_store_format_xyzw",
    "buffer_load_format_d16_x",
    "buffer_load_format_d16_xy",
    "buffer_load_format_d16_xyz",
    "buffer_load_format_d16_xyzw",
    "buffer_store_format_d16_x",
    "buffer_store_format_d16_xy",
    "buffer_store_format_d16_xyz",
    "buffer_store_format_d16_xyzw",
    "buffer_load_ubyte",
    "buffer_load_sbyte",
    "buffer_load_ushort",
    "buffer_load_sshort",
    "buffer_load_dword",
    "buffer_load_dwordx2",
    "buffer_load_dwordx3",
    "buffer_load_dwordx4",
    "buffer_store_byte",
    "buffer_store_byte_d16_hi",
    "buffer_store_short",
    "buffer_store_short_d16_hi",
    "buffer_store_dword",
    "buffer_store_dwordx2",
    "buffer_store_dwordx3",
    "buffer_store_dwordx4",
    "buffer_load_ubyte_d16",
    "buffer_load_ubyte_d16_hi",
    "buffer_load_sbyte_d16",
    "buffer_load_sbyte_d16_hi",
    "buffer_load_short_d16",
    "buffer_load_short_d16_hi",
    "buffer_load_format_d16_hi_x",
    "buffer_store_format_d16_hi_x",
    "buffer_wbl2",
    "buffer_invl2",
    "buffer_inv",
    "buffer_store_lds_dword",
    "buffer_wbinvl1",
    "buffer_wbinvl1_vol",
    "buffer_atomic_swap",
    "buffer_atomic_cmpswap",
    "buffer_atomic_add",
    "buffer_atomic_sub",
    "buffer_atomic_smin",
    "buffer_atomic_umin",
    "buffer_atomic_smax",
    "buffer_atomic_umax",
    "buffer_atomic_and",
    "buffer_atomic_or",
    "buffer_atomic_xor",
    "buffer_atomic_inc",
    "buffer_atomic_dec",
    "buffer_atomic_add_f32",
    "buffer_atomic_pk_add_f16",
    "buffer_atomic_add_f64",
    "buffer_atomic_min_f64",
    "buffer_atomic_max_f64",
    "buffer_atomic_pk_add_bf16",
    "buffer_atomic_swap_x2",
    "buffer_atomic_cmpswap_x2",
    "buffer_atomic_add_x2",
    "buffer_atomic_sub_x2",
    "buffer_atomic_smin_x2",
    "buffer_atomic_umin_x2",
    "buffer_atomic_smax_x2",
    "buffer_atomic_umax_x2",
    "buffer_atomic_and_x2",
    "buffer_atomic_or_x2",
    "buffer_atomic_xor_x2",
    "buffer_atomic_inc_x2",
    "buffer_atomic_dec_x2",
    "tbuffer_load_format_x",
    "tbuffer_load_format_xy",
    "tbuffer_load_format_xyz",
    "tbuffer_load_format_xyzw",
    "tbuffer_store_format_x",
    "tbuffer_store_format_xy",
    "tbuffer_store_format_xyz",
    "tbuffer_store_format_xyzw",
    "tbuffer_load_format_d16_x",
    "tbuffer_load_format_d16_xy",
    "tbuffer_load_format_d16_xyz",
    "tbuffer_load_format_d16_xyzw",
    "tbuffer_store_format_d16_x",
    "tbuffer_store_format_d16_xy",
    "tbuffer_store_format_d16_xyz",
    "tbuffer_store_format_d16_xyzw",
    "flat_load_ubyte",
    "flat_load_sbyte",
    "flat_load_ushort",
    "flat_load_sshort",
    "flat_load_dword",
    "flat_load_dwordx2",
    "flat_load_dwordx3",
    "flat_load_dwordx4",
    "flat_store_byte",
    "flat_store_byte_d16_hi",
    "flat_store_short",
    "flat_store_short_d16_hi",
    "flat_store_dword",
    "flat_store_dwordx2",
    "flat_store_dwordx3",
    "flat_store_dwordx4",
    "flat_load_ubyte_d16",
    "flat_load_ubyte_d16_hi",
    "flat_load_sbyte_d16",
    "flat_load_sbyte_d16_hi",
    "flat_load_short_d16",
    "flat_load_short_d16_hi",
    "flat_atomic_swap",
    "flat_atomic_cmpswap",
    "flat_atomic_add",
    "flat_atomic_sub",
    "flat_atomic_smin",
    "flat_atomic_umin",
    "flat_atomic_smax",
    "flat_atomic_umax",
    "flat_atomic_and",
    "flat_atomic_or",
    "flat_atomic_xor",
    "flat_atomic_inc",
    "flat_atomic_dec",
    "flat_atomic_add_f32",
    "flat_atomic_pk_add_f16",
    "flat_atomic_add_f64",
    "flat_atomic_min_f64",
    "flat_atomic_max_f64",
    "flat_atomic_pk_add_bf16",
    "flat_atomic_swap_x2",
    "flat_atomic_cmpswap_x2",
    "flat_atomic_add_x2",
    "flat_atomic_sub_x2",
    "flat_atomic_smin_x2",
    "flat_atomic_umin_x2",
    "flat_atomic_smax_x2",
    "flat_atomic_umax_x2",
    "flat_atomic_and_x2",
    "flat_atomic_or_x2",
    "flat_atomic_xor_x2",
    "flat_atomic_inc_x2",
    "flat_atomic_dec_x2",
    "global_load_ubyte",
    "global_load_sbyte",
    "global_load_ushort",
    "global_load_sshort",
    "global_load_dword",
    "global_load_dwordx2",
    "global_load_dwordx3",
    "global_load_dwordx4",
    "global_store_byte",
    "global_store_byte_d16_hi",
    "global_store_short",
    "global_store_short_d16_hi",
    "global_store_dword",
    "global_store_dwordx2",
    "global_store_dwordx3",
    "global_store_dwordx4",
    "global_load_ubyte_d16",
    "global_load_ubyte_d16_hi",
    "global_load_sbyte_d16",
    "global_load_sbyte_d16_hi",
    "global_load_short_d16",
    "global_load_short_d16_hi",
    "global_load_lds_ubyte",
    "global_load_lds_sbyte",
    "global_load_lds_ushort",
    "global_load_lds_sshort",
    "global_load_lds_dword",
    "global_atomic_swap",
    "global_atomic_cmpswap",
    "global_atomic_add",
    "global_atomic_sub",
    "global_atomic_smin",
    "global_atomic_umin",
    "global_atomic_smax",
    "global_atomic_umax",
    "global_atomic_and",
    "global_atomic_or",
    "global_atomic_xor",
    "global_atomic_inc",
    "global_atomic_dec",
    "global_atomic_add_f32",
    "global_atomic_pk_add_f16",
    "global_atomic_add_f64",
    "global_atomic_min_f64",
    "global_atomic_max_f64",
    "global_atomic_pk_add_bf16",
    "global_atomic_swap_x2",
    "global_atomic_cmpswap_x2",
    "global_atomic_add_x2",
    "global_atomic_sub_x2",
    "global_atomic_smin_x2",
    "global_atomic_umin_x2",
    "global_atomic_smax_x2",
    "global_atomic_umax_x2",
    "global_atomic_and_x2",
    "global_atomic_or_x2",
    "global_atomic_xor_x2",
    "global_atomic_inc_x2",
    "global_atomic_dec_x2",
    "global_load_lds_dwordx4",
    "global_load_lds_dwordx3",
    "scratch_load_ubyte",
    "scratch_load_sbyte",
    "scratch_load_ushort",
    "scratch_load_sshort",
    "scratch_load_dword",
    "scratch_load_dwordx2",
    "scratch_load_dwordx3",
    "scratch_load_dwordx4",
    "scratch_store_byte",
    "scratch_store_byte_d16_hi",
    "scratch_store_short",
    "scratch_store_short_d16_hi",
    "scratch_store_dword",
    "scratch_store_dwordx2",
    "scratch_store_dwordx3",
    "scratch_store_dwordx4",
    "scratch_load_ubyte_d16",
    "scratch_load_ubyte_d16_hi",
    "scratch_load_sbyte_d16",
    "scratch_load_sbyte_d16_hi",
    "scratch_load_short_d16",
    "scratch_load_short_d16_hi",
    "scratch_load_lds_ubyte",
    "scratch_load_lds_sbyte",
    "scratch_load_lds_ushort",
    "scratch_load_lds_sshort",
    "scratch_load_lds_dword",
    "exp",
    "v_interp_p1_f32",
    "v_interp_p2_f32",
    "v_interp_mov_f32",
    "v_interp_p1ll_f16",
    "v_interp_p1lv_f16",
    "v_interp_p2_legacy_f16",
    "v_interp_p2_f16",
    "image_load",
    "image_load_mip",
    "image_load_pck",
    "image_load_pck_sgn",
    "image_load_mip_pck",
    "image_load_mip_pck_sgn",
    "image_store",
    "image_store_mip",
    "image_store_pck",
    "image_store_mip_pck",
    "image_get_resinfo",
    "image_atomic_swap",
    "image_atomic_cmpswap",
    "image_atomic_add",
    "image_atomic_sub",
    "image_atomic_smin",
    "image_atomic_umin",
    "image_atomic_smax",
    "image_atomic_umax",
    "image_atomic_and",
    "image_atomic_or",
    "image_atomic_xor",
    "image_atomic_inc",
    "image_atomic_dec",
    "image_sample",
    "image_sample_cl",
    "image_sample_d",
    "image_sample_d_cl",
    "image_sample_l",
    "image_sample_b",
    "image_sample_b_cl",
    "image_sample_lz",
    "image_sample_c",
    "image_sample_c_cl",
    "image_sample_c_d",
    "image_sample_c_d_cl",
    "image_sample_c_l",
    "image_sample_c_b",
    "image_sample_c_b_cl",
    "image_sample_c_lz",
    "image_sample_o",
    "image_sample_cl_o",
    "image_sample_d_o",
    "image_sample_d_cl_o",
    "image_sample_l_o",
    "image_sample_b_o",
    "image_sample_b_cl_o",
    "image_sample_lz_o",
    "image_sample_c_o",
    "image_sample_c_cl_o",
    "image_sample_c_d_o",
    "image_sample_c_d_cl_o",
    "image_sample_c_l_o",
    "image_sample_c_b_o",
    "image_sample_c_b_cl_o",
    "image_sample_c_lz_o",
    "image_gather4",
    "image_gather4_cl",
    "image_gather4h",
    "image_gather4_l",
    "image_gather4_b",
    "image_gather4_b_cl",
    "image_gather4_lz",
    "image_gather4_c",
    "image_gather4_c_cl",
    "image_gather4_c_l",
    "image_gather4_c_b",
    "image_gather4_c_b_cl",
    "image_gather4_c_lz",
    "image_gather4_o",
    "image_gather4_cl_o",
    "image_gather4_l_o",
    "image_gather4_b_o",
    "image_gather4_b_cl_o",
    "image_gather4_lz_o",
    "image_gather4_c_o",
    "image_gather4_c_cl_o",
    "image_gather4_c_l_o",
    "image_gather4_c_b_o",
    "image_gather4_c_b_cl_o",
    "image_gather4_c_lz_o",
    "image_get_lod",
    "image_sample_cd",
    "image_sample_cd_cl",
    "image_sample_c_cd",
    "image_sample_c_cd_cl",
    "image_sample_cd_o",
    "image_sample_cd_cl_o",
    "image_sample_c_cd_o",
    "image_sample_c_cd_cl_o",
];

pub(super) static ROWS: [[u16; 4]; 1416] = [
    [0, 0, 0, 0],
    [1, 1, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
    [4, 4, 4, 4],
    [5, 5, 5, 5],
    [6, 6, 6, 6],
    [7, 7, 7, 7],
    [8, 8, 8, 8],
    [9, 9, 9, 9],
    [10, 10, 10, 10],
    [11, 11, 11, 11],
    [12, 12, 12, 12],
    [13, 13, 13, 13],
    [14, 14, 14, 14],
    [15, 15, 15, 15],
    [16, 16, 16, 16],
    [17, 17, 17, 17],
    [18, 18, 18, 18],
    [19, 19, 19, 19],
    [20, 20, 20, 20],
    [21, 21, 21, 21],
    [22, 22, 22, 22],
    [23, 23, 23, 23],
    [24, 24, 24, 24],
    [25, 25, 25, 25],
    [26, 26, 26, 26],
    [27, 27, 27, 27],
    [28, 28, 28, 28],
    [29, 29, 29, 29],
    [30, 30, 30, 30],
    [31, 31, 31, 31],
    [32, 32, 32, 32],
    [33, 33, 33, 33],
    [34, 34, 34, 34],
    [35, 35, 35, 35],
    [36, 36, 36, 36],
    [37, 37, 37, 37],
    [38, 38, 38, 38],
    [39, 39, 39, 39],
    [40, 40, 40, 40],
    [41, 41, 41, 41],
    [42, 42, 42, 42],
    [43, 43, 43, 43],
    [44, 44, 44, 44],
    [45, 45, 45, 45],
    [46, 46, 46, 46],
    [47, 47, 47, 47],
    [48, 48, 48, 48],
    [49, 49, 49, 49],
    [50, 50, 50, 50],
    [51, 51, 51, 51],
    [52, 52, 52, 52],
    [53, 53, 53, 53],
    [54, 54, 54, 54],
    [55, 55, 55, 55],
    [56, 56, 56, 56],
    [57, 57, 57, 57],
    [58, 58, 58, 58],
    [59, 59, 59, 59],
    [60, 60, 60, 60],
    [61, 61, 61, 61],
    [62, 62, 62, 62],
    [63, 63, 63, 63],
    [64, 64, 64, 64],
    [65, 65, 65, 65],
    [66, 66, 66, 66],
    [67, 67, 67, 67],
    [68, 68, 68, 68],
    [69, 69, 69, 69],
    [70, 70, 70, 70],
    [71, 71, 71, 71],
    [72, 72, 72, 72],
    [73, 73, 73, 73],
    [74, 74, 74, 74],
    [75, 75, 75, 75],
    [76, 76, 76, 76],
    [77, 77, 77, 77],
    [78, 78, 78, 78],
    [79, 79, 79, 79],
    [80, 80, 80, 80],
    [81, 81, 81, 81],
    [82, 82, 82, 82],
    [83, 83, 83, 83],
    [84, 84, 84, 84],
    [85, 85, 85, 85],
    [86, 86, 86, 86],
    [87, 87, 87, 87],
    [88, 88, 88, 88],
    [89, 89, 89, 89],
    [90, 90, 90, 90],
    [91, 91, 91, 91],
    [92, 92, 92, 92],
    [93, 93, 93, 93],
    [94, 94, 94, 94],
    [95, 95, 95, 95],
    [96, 96, 96, 96],
    [97, 97, 97, 97],
    [98, 98, 98, 98],
    [99, 99, 99, 99],
    [100, 100, 100, 100],
    [101, 101, 101, 101],
    [102, 102, 102, 102],
    [103, 103, 103, 103],
    [104, 104, 104, 104],
    [105, 105, 105, 105],
    [106, 106, 106, 106],
    [107, 107, 107, 107],
    [108, 108, 108, 108],
    [109, 109, 109, 109],
    [110, 110, 110, 110],
    [111, 111, 111, 111],
    [112, 112, 112, 112],
    [113, 113, 113, 113],
    [114, 114, 114, 114],
    [115, 115, 115, 115],
    [116, 116, 116, 116],
    [117, 117, 117, 117],
    [118, 118, 118, 118],
    [119, 119, 119, 119],
    [120, 120, 120, 120],
    [121, 121, 121, 121],
    [122, 122, 122, 122],
    [123, 123, 123, 123],
    [124, 124, 124, 124],
    [125, 125, 125, 125],
    [126, 126, 126, 126],
    [127, 127, 127, 127],
    [128, 128, 128, 128],
    [129, 129, 129, 129],
    [130, 130, 130, 130],
    [131, 131, 131, 131],
    [132, 132, 132, 132],
    [133, 133, 133, 133],
    [134, 134, 134, 134],
    [135, 135, 135, 135],
    [136, 136, 136, 136],
    [137, 137, 137, 137],
    [138, 138, 138, 138],
    [139, 139, 139, 139],
    [140, 140, 140, 140],
    [141, 141, 141, 141],
    [142, 142, 142, 142],
    [143, 143, 143, 143],
    [144, 144, 144, 144],
    [145, 145, 145, 145],
    [146, 146, 146, 146],
    [147, 147, 147, 147],
    [148, 148, 148, 148],
    [149, 149, 149, 149],
    [150, 150, 150, 150],
    [151, 151, 151, 151],
    [152, 152, 152, 152],
    [153, 153, 153, 153],
    [154, 154, 154, 154],
    [155, 155, 155, 155],
    [156, 156, 156, 156],
    [157, 157, 157, 157],
    [158, 158, 158, 158],
    [159, 159, 159, 159],
    [160, 160, 160, 160],
    [161, 161, 161, 161],
    [162, 162, 162, 162],
    [163, 163, 163, 163],
    [164, 164, 164, 164],
    [165, 165, 165, 165],
    [166, 166, 166, 166],
    [167, 167, 167, 167],
    [168, 168, 168, 168],
    [169, 169, 169, 169],
    [170, 170, 170, 170],
    [171, 171, 171, 171],
    [172, 172, 172, 172],
    [173, 173, 173, 173],
    [174, 174, 174, 174],
    [175, 175, 175, 175],
    [176, 176, 176, 176],
    [177, 177, 177, 177],
    [178, 178, 178, 178],
    [179, 179, 179, 179],
    [180, 180, 180, 180],
    [181, 181, 181, 181],
    [182, 182, 182, 182],
    [183, 183, 183, 183],
    [184, 184, 184, 184],
    [185, 185, 185, 185],
    [186, 186, 186, 186],
    [187, 187, 187, 187],
    [188, 188, 188, 188],
    [189, 189, 189, 189],
    [190, 190, 190, 190],
    [191, 191, 191, 191],
    [192, 192, 192, 192],
    [193, 193, 193, 193],
    [194, 194, 194, 194],
    [195, 195, 195, 195],
    [196, 196, 196, 196],
    [197, 197, 197, 197],
    [198, 198, 198, 198],
    [199, 199, 199, 199],
    [200, 200, 200, 200],
    [201, 201, 201, 201],
    [202, 202, 202, 202],
    [203, 203, 203, 203],
    [204, 204, 204, 204],
    [205, 205, 205, 205],
    [206, 206, 206, 206],
    [207, 207, 207, 207],
    [208, 208, 208, 208],
    [209, 209, 209, 209],
    [210, 210, 210, 210],
    [211, 211, 211, 211],
    [212, 212, 212, 212],
    [213, 213, 213, 213],
    [214, 214, 214, 214],
    [215, 215, 215, 215],
    [216, 216, 216, 216],
    [217, 217, 217, 217],
    [218, 218, 218, 218],
    [219, 219, 219, 219],
    [220, 220, 220, 220],
    [221, 221, 221, 221],
    [222, 222, 222, 222],
    [223, 223, 223, 223],
    [224, 224, 224, 224],
    [225, 225, 225, 225],
    [226, 226, 226, 226],
    [227, 227, 227, 227],
    [228, 228, 228, 228],
    [229, 229, 229, 229],
    [230, 230, 230, 230],
    [231, 231, 231, 231],
    [232, 232, 232, 232],
    [233, 233, 233, 233],
    [234, 234, 234, 234],
    [235, 235, 235, 235],
    [236, 236, 236, 236],
    [237, 237, 237, 237],
    [238, 238, 238, 238],
    [239, 239, 239, 239],
    [240, 240, 240, 240],
    [241, 241, 241, 241],
    [242, 242, 242, 242],
    [243, 243, 243, 243],
    [244, 244, 244, 244],
    [245, 245, 245, 245],
    [246, 246, 246, 246],
    [247, 247, 247, 247],
    [248, 248, 248, 248],
    [249, 249, 249, 249],
    [250, 250, 250, 250],
    [251, 251, 251, 251],
    [252, 252, 252, 252],
    [253, 253, 253, 253],
    [254, 254, 254, 254],
    [255, 255, 255, 255],
    [256, 256, 256, 256],
    [257, 257, 257, 257],
    [258, 258, 258, 258],
    [259, 259, 259, 259],
    [260, 260, 260, 260],
    [261, 261, 261, 261],
    [262, 262, 262, 262],
    [263, 263, 263, 263],
    [264, 264, 264, 264],
    [265, 265, 265, 265],
    [266, 266, 266, 266],
    [267, 267, 267, 267],
    [268, 268, 268, 268],
    [269, 269, 269, 269],
    [270, 270, 270, 270],
    [271, 271, 271, 271],
    [272, 272, 272, 272],
    [273, 273, 273, 273],
    [274, 274, 274, 274],
    [275, 275, 275, 275],
    [276, 276, 276, 276],
    [277, 277, 277, 277],
    [278, 278, 278, 278],
    [279, 279, 279, 279],
    [280, 280, 280, 280],
    [281, 281, 281, 281],
    [282, 282, 282, 282],
    [283, 283, 283, 283],
    [284, 284, 284, 284],
    [285, 285, 285, 285],
    [286, 286, 286, 286],
    [287, 287, 287, 287],
    [288, 288, 288, 288],
    [289, 289, 289, 289],
    [290, 290, 290, 290],
    [291, 291, 291, 291],
    [292, 292, 292, 292],
    [293, 293, 293, 293],
    [294, 294, 294, 294],
    [295, 295, 295, 295],
    [296, 296, 296, 296],
    [297, 297, 297, 297],
    [298, 298, 298, 298],
    [299, 299, 299, 299],
    [300, 300, 300, 300],
    [301, 301, 301, 301],
    [302, 302, 302, 302],
    [303, 303, 303, 303],
    [304, 304, 304, 304],
    [305, 305, 305, 305],
    [306, 306, 306, 306],
    [307, 307, 307, 307],
    [308, 308, 308, 308],
    [309, 309, 309, 309],
    [310, 310, 310, 310],
    [311, 311, 311, 311],
    [312, 312, 312, 312],
    [313, 313, 313, 313],
    [314, 314, 314, 314],
    [315, 315, 315, 315],
    [316, 316, 316, 316],
    [65535, 65535, 317, 317],
    [318, 318, 318, 318],
    [319, 319, 319, 319],
    [320, 320, 320, 320],
    [321, 321, 321, 321],
    [322, 322, 322, 322],
    [323, 323, 323, 323],
    [324, 324, 324, 324],
    [325, 325, 325, 325],
    [326, 326, 326, 326],
    [327, 327, 327, 327],
    [328, 328, 328, 328],
    [329, 329, 329, 329],
    [330, 330, 330, 330],
    [331, 331, 331, 331],
    [332, 332, 332, 332],
    [333, 333, 333, 333],
    [334, 334, 334, 334],
    [335, 335, 335, 335],
    [336, 336, 336, 336],
    [337, 337, 337, 337],
    [338, 338, 338, 338],
    [339, 339, 339, 339],
    [340, 340, 340, 340],
    [341, 341, 341, 341],
    [65535, 342, 342, 342],
    [65535, 65535, 343, 343],
    [65535, 65535, 344, 344],
    [65535, 65535, 345, 345],
    [65535, 65535, 346, 346],
    [65535, 65535, 65535, 347],
    [65535, 65535, 65535, 348],
    [65535, 65535, 65535, 349],
    [65535, 65535, 65535, 350],
    [351, 351, 351, 351],
    [352, 352, 352, 352],
    [353, 353, 353, 353],
    [354, 354, 354, 354],
    [355, 770, 770, 770],
    [65535, 356, 356, 356],
    [357, 357, 357, 357],
    [358, 358, 358, 358],
    [359, 359, 359, 359],
    [360, 360, 360, 360],
    [361, 361, 361, 361],
    [362, 362, 362, 362],
    [363, 363, 363, 363],
    [364, 364, 364, 364],
    [365, 365, 365, 365],
    [366, 366, 366, 366],
    [367, 367, 367, 367],
    [368, 368, 368, 368],
    [369, 369, 369, 369],
    [370, 370, 370, 370],
    [371, 371, 371, 371],
    [372, 372, 372, 372],
    [373, 373, 373, 373],
    [374, 374, 65535, 65535],
    [65535, 65535, 65535, 375],
    [376, 376, 376, 376],
    [377, 377, 377, 377],
    [378, 378, 378, 378],
    [379, 379, 379, 379],
    [380, 380, 380, 380],
    [381, 381, 381, 381],
    [382, 382, 382, 382],
    [383, 383, 383, 383],
    [384, 384, 384, 384],
    [385, 385, 385, 385],
    [386, 386, 386, 386],
    [387, 387, 387, 387],
    [388, 388, 388, 388],
    [389, 389, 389, 389],
    [390, 390, 390, 390],
    [391, 391, 391, 391],
    [392, 392, 392, 392],
    [393, 393, 393, 393],
    [394, 394, 394, 394],
    [395, 395, 395, 395],
    [396, 396, 396, 396],
    [397, 397, 397, 397],
    [398, 398, 398, 398],
    [399, 399, 399, 399],
    [400, 400, 400, 400],
    [401, 401, 401, 401],
    [402, 402, 402, 402],
    [403, 403, 403, 403],
    [404, 404, 404, 404],
    [405, 405, 405, 405],
    [406, 406, 406, 406],
    [407, 407, 407, 407],
    [408, 408, 408, 408],
    [409, 409, 409, 409],
    [410, 410, 410, 410],
    [411, 411, 65535, 65535],
    [65535, 65535, 412, 412],
    [413, 413, 65535, 65535],
    [65535, 65535, 414, 414],
    [415, 415, 415, 415],
    [416, 416, 416, 416],
    [417, 417, 417, 417],
    [418, 418, 418, 418],
    [419, 419, 419, 419],
    [420, 420, 420, 420],
    [421, 421, 421, 421],
    [422, 422, 422, 422],
    [423, 423, 423, 423],
    [424, 424, 424, 424],
    [425, 425, 425, 425],
    [426, 426, 426, 426],
    [427, 427, 427, 427],
    [428, 428, 428, 428],
    [429, 429, 429, 429],
    [430, 430, 430, 430],
    [431, 431, 431, 431],
    [432, 432, 432, 432],
    [433, 433, 433, 433],
    [434, 434, 434, 434],
    [435, 435, 435, 435],
    [436, 436, 436, 436],
    [437, 437, 437, 437],
    [438, 438, 438, 438],
    [439, 439, 439, 439],
    [440, 440, 440, 440],
    [441, 441, 441, 441],
    [442, 442, 442, 442],
    [443, 443, 443, 443],
    [444, 444, 444, 444],
    [445, 445, 445, 445],
    [446, 446, 446, 446],
    [447, 447, 447, 447],
    [448, 448, 448, 448],
    [449, 449, 449, 449],
    [450, 450, 450, 450],
    [451, 451, 451, 451],
    [452, 452, 452, 452],
    [453, 453, 453, 453],
    [454, 454, 454, 454],
    [455, 455, 455, 455],
    [456, 456, 456, 456],
    [457, 457, 457, 457],
    [458, 458, 458, 458],
    [459, 459, 459, 459],
    [460, 460, 460, 460],
    [461, 461, 461, 461],
    [462, 462, 462, 462],
    [463, 463, 463, 463],
    [464, 464, 464, 464],
    [465, 465, 465, 465],
    [466, 466, 466, 466],
    [467, 467, 467, 467],
    [468, 468, 468, 468],
    [469, 469, 469, 469],
    [470, 470, 470, 470],
    [471, 471, 471, 471],
    [472, 472, 472, 472],
    [473, 473, 473, 473],
    [474, 474, 474, 474],
    [475, 475, 475, 475],
    [476, 476, 476, 476],
    [477, 477, 477, 477],
    [478, 478, 478, 478],
    [479, 479, 479, 479],
    [480, 480, 480, 480],
    [481, 481, 481, 481],
    [482, 482, 482, 482],
    [483, 483, 483, 483],
    [484, 484, 484, 484],
    [485, 485, 485, 485],
    [486, 486, 486, 486],
    [487, 487, 487, 487],
    [488, 488, 488, 488],
    [489, 489, 489, 489],
    [490, 490, 490, 490],
    [491, 491, 491, 491],
    [492, 492, 492, 492],
    [493, 493, 493, 493],
    [494, 494, 494, 494],
    [495, 495, 495, 495],
    [496, 496, 496, 496],
    [497, 497, 497, 497],
    [498, 498, 498, 498],
    [499, 499, 499, 499],
    [500, 500, 500, 500],
    [501, 501, 501, 501],
    [502, 502, 502, 502],
    [503, 503, 503, 503],
    [504, 504, 504, 504],
    [505, 505, 505, 505],
    [506, 506, 506, 506],
    [507, 507, 507, 507],
    [508, 508, 508, 508],
    [509, 509, 509, 509],
    [510, 510, 510, 510],
    [511, 511, 511, 511],
    [512, 512, 512, 512],
    [513, 513, 513, 513],
    [514, 514, 514, 514],
    [515, 515, 515, 515],
    [516, 516, 516, 516],
    [517, 517, 517, 517],
    [518, 518, 518, 518],
    [519, 519, 519, 519],
    [520, 520, 520, 520],
    [521, 521, 521, 521],
    [522, 522, 522, 522],
    [523, 523, 523, 523],
    [524, 524, 524, 524],
    [525, 525, 525, 525],
    [526, 526, 526, 526],
    [527, 527, 527, 527],
    [528, 528, 528, 528],
    [529, 529, 529, 529],
    [530, 530, 530, 530],
    [531, 531, 531, 531],
    [532, 532, 532, 532],
    [533, 533, 533, 533],
    [534, 534, 534, 534],
    [535, 535, 535, 535],
    [536, 536, 536, 536],
    [537, 537, 537, 537],
    [538, 538, 538, 538],
    [539, 539, 539, 539],
    [540, 540, 540, 540],
    [541, 541, 541, 541],
    [542, 542, 542, 542],
    [543, 543, 543, 543],
    [544, 544, 544, 544],
    [545, 545, 545, 545],
    [546, 546, 546, 546],
    [547, 547, 547, 547],
    [548, 548, 548, 548],
    [549, 549, 549, 549],
    [550, 550, 550, 550],
    [551, 551, 551, 551],
    [552, 552, 552, 552],
    [553, 553, 553, 553],
    [554, 554, 554, 554],
    [555, 555, 555, 555],
    [556, 556, 556, 556],
    [557, 557, 557, 557],
    [558, 558, 558, 558],
    [559, 559, 559, 559],
    [560, 560, 560, 560],
    [561, 561, 561, 561],
    [562, 562, 562, 562],
    [563, 563, 563, 563],
    [564, 564, 564, 564],
    [565, 565, 565, 565],
    [566, 566, 566, 566],
    [567, 567, 567, 567],
    [568, 568, 568, 568],
    [569, 569, 569, 569],
    [570, 570, 570, 570],
    [571, 571, 571, 571],
    [572, 572, 572, 572],
    [573, 573, 573, 573],
    [574, 574, 574, 574],
    [575, 575, 575, 575],
    [576, 576, 576, 576],
    [577, 577, 577, 577],
    [578, 578, 578, 578],
    [579, 579, 579, 579],
    [580, 580, 580, 580],
    [581, 581, 581, 581],
    [582, 582, 582, 582],
    [583, 583, 583, 583],
    [584, 584, 584, 584],
    [585, 585, 585, 585],
    [586, 586, 586, 586],
    [587, 587, 587, 587],
    [588, 588, 588, 588],
    [589, 589, 589, 589],
    [590, 590, 590, 590],
    [591, 591, 591, 591],
    [592, 592, 592, 592],
    [593, 593, 593, 593],
    [594, 594, 594, 594],
    [595, 595, 595, 595],
    [596, 596, 596, 596],
    [597, 597, 597, 597],
    [598, 598, 598, 598],
    [599, 599, 599, 599],
    [600, 600, 600, 600],
    [601, 601, 601, 601],
    [602, 602, 602, 602],
    [603, 603, 603, 603],
    [604, 604, 604, 604],
    [605, 605, 605, 605],
    [606, 606, 606, 606],
    [607, 607, 607, 607],
    [608, 608, 608, 608],
    [609, 609, 609, 609],
    [610, 610, 610, 610],
    [611, 611, 611, 611],
    [612, 612, 612, 612],
    [613, 613, 613, 613],
    [614, 614, 614, 614],
    [615, 615, 65535, 65535],
    [616, 616, 65535, 65535],
    [617, 617, 617, 617],
    [618, 618, 618, 618],
    [619, 619, 619, 619],
    [620, 620, 620, 620],
    [621, 621, 621, 621],
    [622, 622, 622, 622],
    [623, 623, 623, 623],
    [624, 624, 624, 624],
    [625, 625, 625, 625],
    [626, 626, 626, 626],
    [627, 627, 627, 627],
    [628, 628, 628, 628],
    [629, 629, 629, 629],
    [630, 630, 630, 630],
    [631, 631, 631, 631],
    [632, 632, 632, 632],
    [633, 633, 633, 633],
    [634, 634, 634, 634],
    [635, 635, 635, 635],
    [636, 636, 636, 636],
    [637, 637, 637, 637],
    [638, 638, 638, 638],
    [639, 639, 639, 639],
    [640, 640, 640, 640],
    [641, 641, 641, 641],
    [642, 642, 642, 642],
    [643, 643, 643, 643],
    [644, 644, 644, 644],
    [645, 645, 645, 645],
    [646, 646, 646, 646],
    [647, 647, 647, 647],
    [648, 648, 648, 648],
    [649, 649, 649, 649],
    [650, 650, 650, 650],
    [651, 651, 651, 651],
    [652, 652, 652, 652],
    [653, 653, 653, 653],
    [654, 654, 654, 654],
    [655, 655, 655, 655],
    [656, 656, 656, 656],
    [657, 657, 657, 657],
    [658, 658, 658, 658],
    [659, 659, 659, 659],
    [660, 660, 660, 660],
    [661, 661, 661, 661],
    [662, 662, 662, 662],
    [663, 663, 663, 663],
    [664, 664, 664, 664],
    [665, 665, 665, 665],
    [666, 666, 666, 666],
    [667, 667, 667, 667],
    [668, 668, 668, 668],
    [669, 669, 669, 669],
    [670, 670, 670, 670],
    [671, 671, 671, 671],
    [672, 672, 672, 672],
    [673, 673, 673, 673],
    [674, 674, 674, 674],
    [675, 675, 675, 675],
    [676, 676, 676, 676],
    [677, 677, 677, 677],
    [678, 678, 678, 678],
    [679, 679, 679, 679],
    [680, 680, 680, 680],
    [681, 681, 681, 681],
    [682, 682, 682, 682],
    [65535, 65535, 683, 683],
    [65535, 65535, 65535, 684],
    [65535, 65535, 65535, 685],
    [65535, 65535, 65535, 686],
    [65535, 65535, 65535, 687],
    [65535, 65535, 65535, 688],
    [65535, 65535, 65535, 689],
    [65535, 65535, 65535, 690],
    [65535, 65535, 65535, 691],
    [65535, 65535, 65535, 692],
    [65535, 65535, 65535, 693],
    [65535, 65535, 65535, 694],
    [65535, 65535, 65535, 695],
    [65535, 65535, 65535, 696],
    [65535, 65535, 65535, 697],
    [65535, 65535, 65535, 698],
    [65535, 65535, 65535, 699],
    [65535, 65535, 65535, 700],
    [65535, 65535, 65535, 701],
    [65535, 65535, 65535, 702],
    [65535, 65535, 65535, 703],
    [65535, 65535, 65535, 704],
    [65535, 65535, 65535, 705],
    [65535, 65535, 65535, 706],
    [65535, 65535, 65535, 707],
    [65535, 65535, 65535, 708],
    [65535, 65535, 65535, 709],
    [65535, 65535, 65535, 710],
    [65535, 65535, 65535, 711],
    [65535, 65535, 65535, 712],
    [65535, 65535, 65535, 713],
    [65535, 65535, 65535, 714],
    [65535, 65535, 65535, 715],
    [65535, 65535, 65535, 716],
    [65535, 65535, 65535, 717],
    [65535, 65535, 65535, 718],
    [65535, 65535, 65535, 719],
    [65535, 65535, 65535, 720],
    [65535, 65535, 65535, 721],
    [65535, 65535, 65535, 722],
    [65535, 65535, 65535, 723],
    [65535, 65535, 65535, 724],
    [65535, 65535, 65535, 725],
    [65535, 65535, 65535, 726],
    [65535, 65535, 65535, 727],
    [65535, 65535, 65535, 728],
    [65535, 65535, 65535, 729],
    [65535, 65535, 65535, 730],
    [65535, 65535, 65535, 731],
    [65535, 65535, 65535, 732],
    [65535, 65535, 65535, 733],
    [65535, 65535, 65535, 734],
    [65535, 65535, 65535, 735],
    [65535, 65535, 65535, 736],
    [65535, 65535, 65535, 737],
    [65535, 65535, 65535, 738],
    [739, 739, 739, 739],
    [740, 740, 740, 740],
    [741, 741, 741, 741],
    [742, 742, 742, 742],
    [743, 743, 743, 743],
    [744, 744, 744, 744],
    [745, 745, 745, 745],
    [746, 746, 746, 746],
    [747, 747, 747, 747],
    [748, 748, 748, 748],
    [749, 749, 749, 749],
    [750, 750, 750, 750],
    [751, 751, 751, 751],
    [752, 752, 752, 752],
    [753, 753, 753, 753],
    [754, 754, 754, 754],
    [755, 755, 755, 755],
    [756, 756, 756, 756],
    [757, 757, 757, 757],
    [758, 758, 758, 758],
    [759, 759, 759, 759],
    [760, 760, 760, 760],
    [761, 761, 761, 761],
    [762, 762, 762, 762],
    [763, 763, 763, 763],
    [764, 764, 764, 764],
    [765, 765, 765, 765],
    [766, 766, 766, 766],
    [767, 767, 767, 767],
    [768, 768, 768, 768],
    [769, 769, 769, 769],
    [65535, 65535, 771, 771],
    [65535, 65535, 772, 772],
    [65535, 65535, 773, 773],
    [65535, 65535, 774, 774],
    [65535, 65535, 65535, 775],
    [65535, 65535, 65535, 776],
    [65535, 65535, 65535, 777],
    [65535, 65535, 65535, 778],
    [779, 779, 779, 779],
    [780, 780, 780, 780],
    [781, 781, 781, 781],
    [782, 782, 782, 782],
    [783, 783, 783, 783],
    [784, 784, 784, 784],
    [785, 785, 785, 785],
    [786, 786, 786, 786],
    [787, 787, 787, 787],
    [788, 788, 788, 788],
    [789, 789, 789, 789],
    [790, 790, 790, 790],
    [791, 791, 791, 791],
    [792, 792, 792, 792],
    [793, 793, 793, 793],
    [794, 794, 794, 794],
    [795, 795, 795, 795],
    [796, 796, 796, 796],
    [797, 797, 797, 797],
    [798, 798, 798, 798],
    [799, 799, 799, 799],
    [800, 800, 800, 800],
    [801, 801, 801, 801],
    [65535, 65535, 65535, 802],
    [65535, 65535, 65535, 803],
    [65535, 65535, 65535, 804],
    [805, 805, 805, 805],
    [806, 806, 806, 806],
    [807, 807, 807, 807],
    [808, 808, 808, 808],
    [809, 809, 809, 809],
    [810, 810, 810, 810],
    [811, 811, 811, 811],
    [812, 812, 812, 812],
    [813, 813, 813, 813],
    [814, 814, 814, 814],
    [65535, 815, 815, 815],
    [65535, 816, 816, 816],
    [65535, 817, 817, 817],
    [65535, 818, 818, 818],
    [819, 819, 819, 819],
    [820, 820, 820, 820],
    [65535, 65535, 65535, 821],
    [65535, 65535, 65535, 822],
    [65535, 65535, 65535, 823],
    [65535, 65535, 65535, 824],
    [65535, 65535, 65535, 825],
    [65535, 65535, 65535, 826],
    [65535, 65535, 65535, 827],
    [65535, 65535, 65535, 828],
    [65535, 65535, 65535, 829],
    [65535, 65535, 65535, 830],
    [65535, 65535, 65535, 831],
    [65535, 65535, 832, 65535],
    [65535, 65535, 833, 65535],
    [834, 835, 65535, 65535],
    [65535, 65535, 836, 836],
    [837, 838, 65535, 65535],
    [65535, 65535, 839, 839],
    [840, 841, 65535, 65535],
    [65535, 65535, 842, 842],
    [65535, 65535, 65535, 843],
    [844, 845, 65535, 65535],
    [65535, 65535, 846, 846],
    [847, 848, 65535, 65535],
    [65535, 65535, 849, 849],
    [65535, 65535, 65535, 850],
    [65535, 65535, 65535, 851],
    [852, 853, 65535, 65535],
    [65535, 65535, 854, 854],
    [855, 856, 65535, 65535],
    [65535, 65535, 857, 857],
    [858, 859, 65535, 65535],
    [65535, 65535, 860, 860],
    [65535, 65535, 65535, 861],
    [862, 863, 65535, 65535],
    [65535, 65535, 864, 864],
    [865, 866, 65535, 65535],
    [65535, 65535, 867, 867],
    [65535, 65535, 65535, 868],
    [65535, 65535, 65535, 869],
    [870, 871, 65535, 65535],
    [65535, 65535, 872, 872],
    [873, 874, 65535, 65535],
    [65535, 65535, 875, 875],
    [876, 877, 65535, 65535],
    [65535, 65535, 878, 878],
    [65535, 65535, 65535, 879],
    [880, 881, 65535, 65535],
    [65535, 65535, 65535, 882],
    [883, 884, 65535, 65535],
    [65535, 65535, 65535, 885],
    [65535, 65535, 886, 886],
    [65535, 65535, 887, 887],
    [65535, 65535, 65535, 888],
    [65535, 65535, 65535, 889],
    [65535, 65535, 890, 890],
    [65535, 65535, 891, 891],
    [65535, 65535, 892, 892],
    [65535, 65535, 893, 893],
    [65535, 65535, 894, 894],
    [65535, 65535, 895, 895],
    [65535, 896, 65535, 65535],
    [65535, 897, 65535, 65535],
    [65535, 65535, 898, 898],
    [65535, 899, 65535, 65535],
    [65535, 900, 65535, 65535],
    [65535, 65535, 901, 901],
    [65535, 902, 65535, 65535],
    [903, 904, 65535, 65535],
    [65535, 65535, 905, 905],
    [906, 907, 65535, 65535],
    [65535, 65535, 908, 908],
    [909, 910, 65535, 65535],
    [911, 912, 65535, 65535],
    [65535, 65535, 913, 913],
    [914, 915, 65535, 65535],
    [65535, 916, 65535, 65535],
    [65535, 65535, 917, 918],
    [65535, 919, 65535, 65535],
    [65535, 65535, 920, 920],
    [65535, 65535, 921, 921],
    [65535, 65535, 922, 922],
    [65535, 65535, 923, 923],
    [65535, 65535, 924, 924],
    [65535, 65535, 925, 925],
    [65535, 65535, 926, 926],
    [65535, 65535, 927, 927],
    [65535, 65535, 928, 928],
    [65535, 65535, 929, 929],
    [65535, 65535, 930, 930],
    [65535, 65535, 931, 931],
    [65535, 65535, 932, 932],
    [65535, 65535, 933, 933],
    [65535, 65535, 934, 934],
    [65535, 65535, 935, 935],
    [65535, 65535, 936, 936],
    [65535, 65535, 65535, 937],
    [65535, 65535, 65535, 938],
    [65535, 65535, 65535, 939],
    [940, 940, 940, 940],
    [941, 941, 941, 941],
    [942, 942, 942, 942],
    [943, 943, 943, 943],
    [944, 944, 944, 944],
    [945, 945, 945, 945],
    [946, 946, 946, 946],
    [947, 947, 947, 947],
    [948, 948, 948, 948],
    [949, 949, 949, 949],
    [950, 950, 950, 950],
    [951, 951, 951, 951],
    [952, 952, 952, 952],
    [953, 953, 953, 953],
    [954, 954, 954, 954],
    [955, 955, 955, 955],
    [956, 956, 956, 956],
    [957, 957, 957, 957],
    [958, 958, 958, 958],
    [959, 959, 959, 959],
    [960, 960, 960, 960],
    [961, 961, 961, 961],
    [65535, 65535, 962, 962],
    [65535, 65535, 963, 963],
    [964, 964, 964, 964],
    [965, 965, 965, 965],
    [966, 966, 966, 966],
    [967, 967, 967, 967],
    [968, 968, 968, 968],
    [969, 969, 969, 969],
    [970, 970, 970, 970],
    [971, 971, 971, 971],
    [972, 972, 972, 972],
    [973, 973, 973, 973],
    [974, 974, 974, 974],
    [975, 975, 975, 975],
    [976, 976, 976, 976],
    [977, 977, 977, 977],
    [978, 978, 978, 978],
    [979, 979, 979, 979],
    [980, 980, 980, 980],
    [981, 981, 981, 981],
    [982, 982, 982, 982],
    [983, 983, 983, 983],
    [984, 984, 984, 984],
    [985, 985, 985, 985],
    [986, 986, 986, 986],
    [987, 987, 987, 987],
    [988, 988, 988, 988],
    [989, 989, 989, 989],
    [990, 990, 990, 990],
    [991, 991, 991, 991],
    [992, 992, 992, 992],
    [993, 993, 993, 993],
    [994, 994, 994, 994],
    [995, 995, 995, 995],
    [996, 996, 996, 996],
    [997, 997, 997, 997],
    [998, 998, 998, 998],
    [999, 999, 999, 999],
    [1000, 1000, 1000, 1000],
    [1001, 1001, 1001, 1001],
    [1002, 1002, 1002, 1002],
    [1003, 1003, 1003, 1003],
    [1004, 1004, 1004, 1004],
    [1005, 1005, 1005, 1005],
    [1006, 1006, 1006, 1006],
    [1007, 1007, 1007, 1007],
    [1008, 1008, 1008, 1008],
    [1009, 1009, 1009, 1009],
    [1010, 1010, 1010, 1010],
    [1011, 1011, 1011, 1011],
    [1012, 1012, 1012, 1012],
    [1013, 1013, 1013, 1013],
    [1014, 1014, 1014, 1014],
    [1015, 1015, 1015, 1015],
    [1016, 1016, 1016, 1016],
    [1017, 1017, 1017, 1017],
    [1018, 1018, 1018, 1018],
    [1019, 1019, 1019, 1019],
    [1020, 1020, 1020, 1020],
    [1021, 1021, 1021, 1021],
    [1022, 1022, 1022, 1022],
    [1023, 1023, 1023, 1023],
    [1024, 1024, 1024, 1024],
    [1025, 1025, 1025, 1025],
    [1026, 1026, 1026, 1026],
    [65535, 1027, 1027, 1027],
    [1028, 1028, 1028, 1028],
    [1029, 1029, 1029, 1029],
    [1030, 1030, 1030, 1030],
    [1031, 1031, 1031, 1031],
    [1032, 1032, 1032, 1032],
    [1033, 1033, 1033, 1033],
    [1034, 1034, 1034, 1034],
    [1035, 1035, 1035, 1035],
    [1036, 1036, 1036, 1036],
    [1037, 1037, 1037, 1037],
    [1038, 1038, 1038, 1038],
    [1039, 1039, 1039, 1039],
    [1040, 1040, 1040, 1040],
    [1041, 1041, 1041, 1041],
    [1042, 1042, 1042, 1042],
    [1043, 1043, 1043, 1043],
    [1044, 1044, 1044, 1044],
    [1045, 1045, 1045, 1045],
    [1046, 1046, 1046, 1046],
    [1047, 1047, 1047, 1047],
    [1048, 1048, 1048, 1048],
    [1049, 1049, 1049, 1049],
    [1050, 1050, 1050, 1050],
    [65535, 1051, 1051, 1051],
    [1052, 1052, 1052, 1052],
    [1053, 65535, 65535, 65535],
    [1054, 65535, 65535, 65535],
    [1055, 65535, 65535, 65535],
    [1056, 65535, 65535, 65535],
    [1057, 65535, 65535, 65535],
    [1058, 65535, 65535, 65535],
    [1059, 65535, 65535, 65535],
    [1060, 65535, 65535, 65535],
    [1061, 65535, 65535, 65535],
    [1062, 65535, 65535, 65535],
    [1063, 65535, 65535, 65535],
    [1064, 65535, 65535, 65535],
    [1065, 65535, 65535, 65535],
    [1066, 65535, 65535, 65535],
    [1067, 65535, 65535, 65535],
    [1068, 65535, 65535, 65535],
    [1069, 1069, 1069, 1069],
    [1070, 1070, 1070, 1070],
    [1071, 1071, 1071, 1071],
    [1072, 1072, 1072, 1072],
    [1073, 1073, 1073, 1073],
    [1074, 1074, 1074, 1074],
    [1075, 1075, 1075, 1075],
    [65535, 65535, 1076, 1076],
    [65535, 65535, 1077, 1077],
    [1078, 1078, 1078, 1078],
    [1079, 1079, 1079, 1079],
    [1080, 65535, 65535, 65535],
    [1081, 65535, 65535, 65535],
    [1082, 65535, 65535, 65535],
    [1083, 65535, 65535, 65535],
    [1084, 65535, 65535, 65535],
    [1085, 65535, 65535, 65535],
    [1086, 65535, 65535, 65535],
    [1087, 65535, 65535, 65535],
    [1088, 65535, 65535, 65535],
    [1089, 65535, 65535, 65535],
    [1090, 65535, 65535, 65535],
    [1091, 65535, 65535, 65535],
    [1092, 65535, 65535, 65535],
    [1093, 65535, 65535, 65535],
    [1094, 65535, 65535, 65535],
    [1095, 65535, 65535, 65535],
    [1096, 1096, 1096, 1096],
    [1097, 1097, 1097, 1097],
    [65535, 65535, 65535, 1098],
    [65535, 65535, 65535, 1099],
    [65535, 65535, 65535, 1100],
    [65535, 65535, 65535, 1101],
    [1102, 1102, 1102, 1102],
    [1103, 1103, 1103, 1103],
    [1104, 1104, 1104, 1104],
    [1105, 1105, 1105, 1105],
    [1106, 1106, 1106, 1106],
    [1107, 1107, 1107, 1107],
    [1108, 1108, 1108, 1108],
    [1109, 1109, 1109, 1109],
    [1110, 1110, 1110, 1110],
    [1111, 1111, 1111, 1111],
    [1112, 1112, 1112, 1112],
    [1113, 1113, 1113, 1113],
    [1114, 1114, 1114, 1114],
    [1115, 1115, 1115, 1115],
    [1116, 1116, 1116, 1116],
    [1117, 1117, 1117, 1117],
    [1118, 1118, 1118, 1118],
    [1119, 1119, 1119, 1119],
    [1120, 1120, 1120, 1120],
    [1121, 1121, 1121, 1121],
    [1122, 1122, 1122, 1122],
    [1123, 1123, 1123, 1123],
    [1124, 1124, 1124, 1124],
    [1125, 1125, 1125, 1125],
    [1126, 1126, 1126, 1126],
    [1127, 1127, 1127, 1127],
    [1128, 1128, 1128, 1128],
    [1129, 1129, 1129, 1129],
    [1130, 1130, 1130, 1130],
    [1131, 1131, 1131, 1131],
    [1132, 1132, 1132, 1132],
    [1133, 1133, 1133, 1133],
    [1134, 1134, 1134, 1134],
    [1135, 1135, 1135, 1135],
    [1136, 1136, 1136, 1136],
    [1137, 1137, 1137, 1137],
    [1138, 1138, 1138, 1138],
    [1139, 1139, 1139, 1139],
    [1140, 1140, 1140, 1140],
    [1141, 1141, 1141, 1141],
    [1142, 1142, 1142, 1142],
    [1143, 1143, 1143, 1143],
    [65535, 1144, 1144, 1144],
    [65535, 1145, 65535, 65535],
    [65535, 65535, 1146, 1146],
    [1147, 1147, 65535, 65535],
    [1148, 1148, 65535, 65535],
    [1149, 1149, 65535, 65535],
    [1150, 1150, 1150, 1150],
    [1151, 1151, 1151, 1151],
    [1152, 1152, 1152, 1152],
    [1153, 1153, 1153, 1153],
    [1154, 1154, 1154, 1154],
    [1155, 1155, 1155, 1155],
    [1156, 1156, 1156, 1156],
    [1157, 1157, 1157, 1157],
    [1158, 1158, 1158, 1158],
    [1159, 1159, 1159, 1159],
    [1160, 1160, 1160, 1160],
    [1161, 1161, 1161, 1161],
    [1162, 1162, 1162, 1162],
    [1163, 1164, 1164, 1164],
    [1165, 1166, 1166, 1166],
    [65535, 1167, 1167, 1167],
    [65535, 1168, 1168, 1168],
    [65535, 1169, 1169, 1169],
    [65535, 65535, 65535, 1170],
    [1171, 1171, 1171, 1171],
    [1172, 1172, 1172, 1172],
    [1173, 1173, 1173, 1173],
    [1174, 1174, 1174, 1174],
    [1175, 1175, 1175, 1175],
    [1176, 1176, 1176, 1176],
    [1177, 1177, 1177, 1177],
    [1178, 1178, 1178, 1178],
    [1179, 1179, 1179, 1179],
    [1180, 1180, 1180, 1180],
    [1181, 1181, 1181, 1181],
    [1182, 1182, 1182, 1182],
    [1183, 1183, 1183, 1183],
    [1184, 1184, 1184, 1184],
    [1185, 1185, 1185, 1185],
    [1186, 1186, 1186, 1186],
    [1187, 1187, 1187, 1187],
    [1188, 1188, 1188, 1188],
    [1189, 1189, 1189, 1189],
    [1190, 1190, 1190, 1190],
    [1191, 1191, 1191, 1191],
    [1192, 1192, 1192, 1192],
    [1193, 1193, 1193, 1193],
    [1194, 1194, 1194, 1194],
    [1195, 1195, 1195, 1195],
    [1196, 1196, 1196, 1196],
    [1197, 1197, 1197, 1197],
    [1198, 1198, 1198, 1198],
    [1199, 1199, 1199, 1199],
    [1200, 1200, 1200, 1200],
    [1201, 1201, 1201, 1201],
    [1202, 1202, 1202, 1202],
    [1203, 1203, 1203, 1203],
    [1204, 1204, 1204, 1204],
    [1205, 1205, 1205, 1205],
    [1206, 1206, 1206, 1206],
    [1207, 1207, 1207, 1207],
    [1208, 1208, 1208, 1208],
    [1209, 1209, 1209, 1209],
    [1210, 1210, 1210, 1210],
    [1211, 1211, 1211, 1211],
    [1212, 1212, 1212, 1212],
    [1213, 1213, 1213, 1213],
    [1214, 1214, 1214, 1214],
    [1215, 1215, 1215, 1215],
    [1216, 1216, 1216, 1216],
    [1217, 1217, 1217, 1217],
    [1218, 1218, 1218, 1218],
    [1219, 1219, 1219, 1219],
    [1220, 1220, 1220, 1220],
    [1221, 1221, 1221, 1221],
    [1222, 1222, 1222, 1222],
    [1223, 1223, 1223, 1223],
    [1224, 1224, 1224, 1224],
    [1225, 1225, 1225, 1225],
    [1226, 1226, 1226, 1226],
    [1227, 1227, 1227, 1227],
    [1228, 1228, 1228, 1228],
    [1229, 1229, 1229, 1229],
    [1230, 1230, 1230, 1230],
    [1231, 1231, 1231, 1231],
    [1232, 1232, 1232, 1232],
    [1233, 1233, 1233, 1233],
    [1234, 1234, 1234, 1234],
    [65535, 65535, 1235, 1235],
    [65535, 65535, 1236, 1236],
    [65535, 1237, 1237, 1237],
    [65535, 1238, 1238, 1238],
    [65535, 1239, 1239, 1239],
    [65535, 65535, 1240, 1240],
    [1241, 1241, 1241, 1241],
    [1242, 1242, 1242, 1242],
    [1243, 1243, 1243, 1243],
    [1244, 1244, 1244, 1244],
    [1245, 1245, 1245, 1245],
    [1246, 1246, 1246, 1246],
    [1247, 1247, 1247, 1247],
    [1248, 1248, 1248, 1248],
    [1249, 1249, 1249, 1249],
    [1250, 1250, 1250, 1250],
    [1251, 1251, 1251, 1251],
    [1252, 1252, 1252, 1252],
    [1253, 1253, 1253, 1253],
    [1254, 1254, 1254, 1254],
    [1255, 1255, 1255, 1255],
    [1256, 1256, 1256, 1256],
    [1257, 1257, 1257, 1257],
    [1258, 1258, 1258, 1258],
    [1259, 1259, 1259, 1259],
    [1260, 1260, 1260, 1260],
    [1261, 1261, 1261, 1261],
    [1262, 1262, 1262, 1262],
    [1263, 1263, 1263, 1263],
    [1264, 1264, 1264, 1264],
    [1265, 1265, 1265, 1265],
    [1266, 1266, 1266, 1266],
    [1267, 1267, 1267, 1267],
    [1268, 1268, 1268, 1268],
    [1269, 1269, 1269, 1269],
    [1270, 1270, 1270, 1270],
    [1271, 1271, 1271, 1271],
    [1272, 1272, 1272, 1272],
    [1273, 1273, 1273, 1273],
    [1274, 1274, 1274, 1274],
    [1275, 1275, 1275, 1275],
    [65535, 65535, 1276, 1276],
    [65535, 65535, 1277, 1277],
    [65535, 65535, 1278, 1278],
    [65535, 65535, 1279, 1279],
    [65535, 65535, 1280, 1280],
    [1281, 1281, 1281, 1281],
    [1282, 1282, 1282, 1282],
    [1283, 1283, 1283, 1283],
    [1284, 1284, 1284, 1284],
    [1285, 1285, 1285, 1285],
    [1286, 1286, 1286, 1286],
    [1287, 1287, 1287, 1287],
    [1288, 1288, 1288, 1288],
    [1289, 1289, 1289, 1289],
    [1290, 1290, 1290, 1290],
    [1291, 1291, 1291, 1291],
    [1292, 1292, 1292, 1292],
    [1293, 1293, 1293, 1293],
    [1294, 1295, 1295, 1295],
    [1296, 1297, 1297, 1297],
    [65535, 1298, 1298, 1298],
    [65535, 1299, 1299, 1299],
    [65535, 1300, 1300, 1300],
    [65535, 65535, 1301, 1301],
    [1302, 1302, 1302, 1302],
    [1303, 1303, 1303, 1303],
    [1304, 1304, 1304, 1304],
    [1305, 1305, 1305, 1305],
    [1306, 1306, 1306, 1306],
    [1307, 1307, 1307, 1307],
    [1308, 1308, 1308, 1308],
    [1309, 1309, 1309, 1309],
    [1310, 1310, 1310, 1310],
    [1311, 1311, 1311, 1311],
    [1312, 1312, 1312, 1312],
    [1313, 1313, 1313, 1313],
    [1314, 1314, 1314, 1314],
    [65535, 65535, 65535, 1315],
    [65535, 65535, 65535, 1316],
    [1317, 1317, 1317, 1317],
    [1318, 1318, 1318, 1318],
    [1319, 1319, 1319, 1319],
    [1320, 1320, 1320, 1320],
    [1321, 1321, 1321, 1321],
    [1322, 1322, 1322, 1322],
    [1323, 1323, 1323, 1323],
    [1324, 1324, 1324, 1324],
    [1325, 1325, 1325, 1325],
    [1326, 1326, 1326, 1326],
    [1327, 1327, 1327, 1327],
    [1328, 1328, 1328, 1328],
    [1329, 1329, 1329, 1329],
    [1330, 1330, 1330, 1330],
    [1331, 1331, 1331, 1331],
    [1332, 1332, 1332, 1332],
    [1333, 1333, 1333, 1333],
    [1334, 1334, 1334, 1334],
    [1335, 1335, 1335, 1335],
    [1336, 1336, 1336, 1336],
    [1337, 1337, 1337, 1337],
    [1338, 1338, 1338, 1338],
    [65535, 65535, 1339, 1339],
    [65535, 65535, 1340, 1340],
    [65535, 65535, 1341, 1341],
    [65535, 65535, 1342, 1342],
    [65535, 65535, 1343, 1343],
    [1344, 65535, 65535, 65535],
    [1345, 65535, 65535, 65535],
    [1346, 65535, 65535, 65535],
    [1347, 65535, 65535, 65535],
    [1348, 65535, 65535, 65535],
    [1349, 65535, 65535, 65535],
    [1350, 65535, 65535, 65535],
    [1351, 65535, 65535, 65535],
    [1352, 1352, 65535, 65535],
    [1353, 1353, 65535, 65535],
    [1354, 1354, 65535, 65535],
    [1355, 1355, 65535, 65535],
    [1356, 1356, 65535, 65535],
    [1357, 1357, 65535, 65535],
    [1358, 1358, 65535, 65535],
    [1359, 1359, 65535, 65535],
    [1360, 1360, 65535, 65535],
    [1361, 1361, 65535, 65535],
    [1362, 1362, 65535, 65535],
    [1363, 1363, 65535, 65535],
    [1364, 1364, 65535, 65535],
    [1365, 1365, 65535, 65535],
    [1366, 1366, 65535, 65535],
    [1367, 1367, 65535, 65535],
    [1368, 1368, 65535, 65535],
    [1369, 1369, 65535, 65535],
    [1370, 1370, 65535, 65535],
    [1371, 1371, 65535, 65535],
    [1372, 1372, 65535, 65535],
    [1373, 1373, 65535, 65535],
    [1374, 1374, 65535, 65535],
    [1375, 1375, 65535, 65535],
    [1376, 1376, 65535, 65535],
    [1377, 65535, 65535, 65535],
    [1378, 65535, 65535, 65535],
    [1379, 65535, 65535, 65535],
    [1380, 65535, 65535, 65535],
    [1381, 65535, 65535, 65535],
    [1382, 65535, 65535, 65535],
    [1383, 65535, 65535, 65535],
    [1384, 65535, 65535, 65535],
    [1385, 65535, 65535, 65535],
    [1386, 65535, 65535, 65535],
    [1387, 65535, 65535, 65535],
    [1388, 65535, 65535, 65535],
    [1389, 65535, 65535, 65535],
    [1390, 65535, 65535, 65535],
    [1391, 65535, 65535, 65535],
    [1392, 65535, 65535, 65535],
    [1393, 65535, 65535, 65535],
    [1394, 65535, 65535, 65535],
    [1395, 65535, 65535, 65535],
    [1396, 65535, 65535, 65535],
    [1397, 65535, 65535, 65535],
    [1398, 65535, 65535, 65535],
    [1399, 65535, 65535, 65535],
    [1400, 65535, 65535, 65535],
    [1401, 65535, 65535, 65535],
    [1402, 65535, 65535, 65535],
    [1403, 65535, 65535, 65535],
    [1404, 65535, 65535, 65535],
    [1405, 65535, 65535, 65535],
    [1406, 65535, 65535, 65535],
    [1407, 65535, 65535, 65535],
    [1408, 65535, 65535, 65535],
    [1409, 65535, 65535, 65535],
    [1410, 65535, 65535, 65535],
    [1411, 65535, 65535, 65535],
    [1412, 65535, 65535, 65535],
    [1413, 65535, 65535, 65535],
    [1414, 65535, 65535, 65535],
    [1415, 65535, 65535, 65535],
    [1416, 65535, 65535, 65535],
    [1417, 65535, 65535, 65535],
    [1418, 65535, 65535, 65535],
    [1419, 65535, 65535, 65535],
    [1420, 65535, 65535, 65535],
    [1421, 65535, 65535, 65535],
    [1422, 65535, 65535, 65535],
    [1423, 65535, 65535, 65535],
    [1424, 65535, 65535, 65535],
    [1425, 65535, 65535, 65535],
    [1426, 65535, 65535, 65535],
    [1427, 65535, 65535, 65535],
    [1428, 65535, 65535, 65535],
    [1429, 65535, 65535, 65535],
    [1430, 65535, 65535, 65535],
    [1431, 65535, 65535, 65535],
    [1432, 65535, 65535, 65535],
    [1433, 65535, 65535, 65535],
    [1434, 65535, 65535, 65535],
    [1435, 65535, 65535, 65535],
    [1436, 65535, 65535, 65535],
    [1437, 65535, 65535, 65535],
    [1438, 65535, 65535, 65535],
    [1439, 65535, 65535, 65535],
    [1440, 65535, 65535, 65535],
    [1441, 65535, 65535, 65535],
];

/// Every mnemonic as a constant.
#[allow(missing_docs)]
pub mod id {
    use crate::names::Mnemonic;
    pub const S_MOV_B32: Mnemonic = Mnemonic(0);
    pub const S_MOV_B64: Mnemonic = Mnemonic(1);
    pub const S_CMOV_B32: Mnemonic = Mnemonic(2);
    pub const S_CMOV_B64: Mnemonic = Mnemonic(3);
    pub const S_NOT_B32: Mnemonic = Mnemonic(4);
    pub const S_NOT_B64: Mnemonic = Mnemonic(5);
    pub const S_WQM_B32: Mnemonic = Mnemonic(6);
    pub const S_WQM_B64: Mnemonic = Mnemonic(7);
    pub const S_BREV_B32: Mnemonic = Mnemonic(8);
    pub const S_BREV_B64: Mnemonic = Mnemonic(9);
    pub const S_BCNT0_I32_B32: Mnemonic = Mnemonic(10);
    pub const S_BCNT0_I32_B64: Mnemonic = Mnemonic(11);
    pub const S_BCNT1_I32_B32: Mnemonic = Mnemonic(12);
    pub const S_BCNT1_I32_B64: Mnemonic = Mnemonic(13);
    pub const S_FF0_I32_B32: Mnemonic = Mnemonic(14);
    pub const S_FF0_I32_B64: Mnemonic = Mnemonic(15);
    pub const S_FF1_I32_B32: Mnemonic = Mnemonic(16);
    pub const S_FF1_I32_B64: Mnemonic = Mnemonic(17);
    pub const S_FLBIT_I32_B32: Mnemonic = Mnemonic(18);
    pub const S_FLBIT_I32_B64: Mnemonic = Mnemonic(19);
    pub const S_FLBIT_I32: Mnemonic = Mnemonic(20);
    pub const S_FLBIT_I32_I64: Mnemonic = Mnemonic(21);
    pub const S_SEXT_I32_I8: Mnemonic = Mnemonic(22);
    pub const S_SEXT_I32_I16: Mnemonic = Mnemonic(23);
    pub const S_BITSET0_B32: Mnemonic = Mnemonic(24);
    pub const S_BITSET0_B64: Mnemonic = Mnemonic(25);
    pub const S_BITSET1_B32: Mnemonic = Mnemonic(26);
    pub const S_BITSET1_B64: Mnemonic = Mnemonic(27);
    pub const S_GETPC_B64: Mnemonic = Mnemonic(28);
    pub const S_SETPC_B64: Mnemonic = Mnemonic(29);
    pub const S_SWAPPC_B64: Mnemonic = Mnemonic(30);
    pub const S_RFE_B64: Mnemonic = Mnemonic(31);
    pub const S_AND_SAVEEXEC_B64: Mnemonic = Mnemonic(32);
    pub const S_OR_SAVEEXEC_B64: Mnemonic = Mnemonic(33);
    pub const S_XOR_SAVEEXEC_B64: Mnemonic = Mnemonic(34);
    pub const S_ANDN2_SAVEEXEC_B64: Mnemonic = Mnemonic(35);
    pub const S_ORN2_SAVEEXEC_B64: Mnemonic = Mnemonic(36);
    pub const S_NAND_SAVEEXEC_B64: Mnemonic = Mnemonic(37);
    pub const S_NOR_SAVEEXEC_B64: Mnemonic = Mnemonic(38);
    pub const S_XNOR_SAVEEXEC_B64: Mnemonic = Mnemonic(39);
    pub const S_QUADMASK_B32: Mnemonic = Mnemonic(40);
    pub const S_QUADMASK_B64: Mnemonic = Mnemonic(41);
    pub const S_MOVRELS_B32: Mnemonic = Mnemonic(42);
    pub const S_MOVRELS_B64: Mnemonic = Mnemonic(43);
    pub const S_MOVRELD_B32: Mnemonic = Mnemonic(44);
    pub const S_MOVRELD_B64: Mnemonic = Mnemonic(45);
    pub const S_CBRANCH_JOIN: Mnemonic = Mnemonic(46);
    pub const S_ABS_I32: Mnemonic = Mnemonic(47);
    pub const S_SET_GPR_IDX_IDX: Mnemonic = Mnemonic(48);
    pub const S_ANDN1_SAVEEXEC_B64: Mnemonic = Mnemonic(49);
    pub const S_ORN1_SAVEEXEC_B64: Mnemonic = Mnemonic(50);
    pub const S_ANDN1_WREXEC_B64: Mnemonic = Mnemonic(51);
    pub const S_ANDN2_WREXEC_B64: Mnemonic = Mnemonic(52);
    pub const S_BITREPLICATE_B64_B32: Mnemonic = Mnemonic(53);
    pub const S_ADD_U32: Mnemonic = Mnemonic(54);
    pub const S_SUB_U32: Mnemonic = Mnemonic(55);
    pub const S_ADD_I32: Mnemonic = Mnemonic(56);
    pub const S_SUB_I32: Mnemonic = Mnemonic(57);
    pub const S_ADDC_U32: Mnemonic = Mnemonic(58);
    pub const S_SUBB_U32: Mnemonic = Mnemonic(59);
    pub const S_MIN_I32: Mnemonic = Mnemonic(60);
    pub const S_MIN_U32: Mnemonic = Mnemonic(61);
    pub const S_MAX_I32: Mnemonic = Mnemonic(62);
    pub const S_MAX_U32: Mnemonic = Mnemonic(63);
    pub const S_CSELECT_B32: Mnemonic = Mnemonic(64);
    pub const S_CSELECT_B64: Mnemonic = Mnemonic(65);
    pub const S_AND_B32: Mnemonic = Mnemonic(66);
    pub const S_AND_B64: Mnemonic = Mnemonic(67);
    pub const S_OR_B32: Mnemonic = Mnemonic(68);
    pub const S_OR_B64: Mnemonic = Mnemonic(69);
    pub const S_XOR_B32: Mnemonic = Mnemonic(70);
    pub const S_XOR_B64: Mnemonic = Mnemonic(71);
    pub const S_ANDN2_B32: Mnemonic = Mnemonic(72);
    pub const S_ANDN2_B64: Mnemonic = Mnemonic(73);
    pub const S_ORN2_B32: Mnemonic = Mnemonic(74);
    pub const S_ORN2_B64: Mnemonic = Mnemonic(75);
    pub const S_NAND_B32: Mnemonic = Mnemonic(76);
    pub const S_NAND_B64: Mnemonic = Mnemonic(77);
    pub const S_NOR_B32: Mnemonic = Mnemonic(78);
    pub const S_NOR_B64: Mnemonic = Mnemonic(79);
    pub const S_XNOR_B32: Mnemonic = Mnemonic(80);
    pub const S_XNOR_B64: Mnemonic = Mnemonic(81);
    pub const S_LSHL_B32: Mnemonic = Mnemonic(82);
    pub const S_LSHL_B64: Mnemonic = Mnemonic(83);
    pub const S_LSHR_B32: Mnemonic = Mnemonic(84);
    pub const S_LSHR_B64: Mnemonic = Mnemonic(85);
    pub const S_ASHR_I32: Mnemonic = Mnemonic(86);
    pub const S_ASHR_I64: Mnemonic = Mnemonic(87);
    pub const S_BFM_B32: Mnemonic = Mnemonic(88);
    pub const S_BFM_B64: Mnemonic = Mnemonic(89);
    pub const S_MUL_I32: Mnemonic = Mnemonic(90);
    pub const S_BFE_U32: Mnemonic = Mnemonic(91);
    pub const S_BFE_I32: Mnemonic = Mnemonic(92);
    pub const S_BFE_U64: Mnemonic = Mnemonic(93);
    pub const S_BFE_I64: Mnemonic = Mnemonic(94);
    pub const S_CBRANCH_G_FORK: Mnemonic = Mnemonic(95);
    pub const S_ABSDIFF_I32: Mnemonic = Mnemonic(96);
    pub const S_RFE_RESTORE_B64: Mnemonic = Mnemonic(97);
    pub const S_MUL_HI_U32: Mnemonic = Mnemonic(98);
    pub const S_MUL_HI_I32: Mnemonic = Mnemonic(99);
    pub const S_LSHL1_ADD_U32: Mnemonic = Mnemonic(100);
    pub const S_LSHL2_ADD_U32: Mnemonic = Mnemonic(101);
    pub const S_LSHL3_ADD_U32: Mnemonic = Mnemonic(102);
    pub const S_LSHL4_ADD_U32: Mnemonic = Mnemonic(103);
    pub const S_PACK_LL_B32_B16: Mnemonic = Mnemonic(104);
    pub const S_PACK_LH_B32_B16: Mnemonic = Mnemonic(105);
    pub const S_PACK_HH_B32_B16: Mnemonic = Mnemonic(106);
    pub const S_MOVK_I32: Mnemonic = Mnemonic(107);
    pub const S_CMOVK_I32: Mnemonic = Mnemonic(108);
    pub const S_CMPK_EQ_I32: Mnemonic = Mnemonic(109);
    pub const S_CMPK_LG_I32: Mnemonic = Mnemonic(110);
    pub const S_CMPK_GT_I32: Mnemonic = Mnemonic(111);
    pub const S_CMPK_GE_I32: Mnemonic = Mnemonic(112);
    pub const S_CMPK_LT_I32: Mnemonic = Mnemonic(113);
    pub const S_CMPK_LE_I32: Mnemonic = Mnemonic(114);
    pub const S_CMPK_EQ_U32: Mnemonic = Mnemonic(115);
    pub const S_CMPK_LG_U32: Mnemonic = Mnemonic(116);
    pub const S_CMPK_GT_U32: Mnemonic = Mnemonic(117);
    pub const S_CMPK_GE_U32: Mnemonic = Mnemonic(118);
    pub const S_CMPK_LT_U32: Mnemonic = Mnemonic(119);
    pub const S_CMPK_LE_U32: Mnemonic = Mnemonic(120);
    pub const S_ADDK_I32: Mnemonic = Mnemonic(121);
    pub const S_MULK_I32: Mnemonic = Mnemonic(122);
    pub const S_CBRANCH_I_FORK: Mnemonic = Mnemonic(123);
    pub const S_GETREG_B32: Mnemonic = Mnemonic(124);
    pub const S_SETREG_B32: Mnemonic = Mnemonic(125);
    pub const S_CALL_B64: Mnemonic = Mnemonic(126);
    pub const S_SETREG_IMM32_B32: Mnemonic = Mnemonic(127);
    pub const S_CMP_EQ_I32: Mnemonic = Mnemonic(128);
    pub const S_CMP_LG_I32: Mnemonic = Mnemonic(129);
    pub const S_CMP_GT_I32: Mnemonic = Mnemonic(130);
    pub const S_CMP_GE_I32: Mnemonic = Mnemonic(131);
    pub const S_CMP_LT_I32: Mnemonic = Mnemonic(132);
    pub const S_CMP_LE_I32: Mnemonic = Mnemonic(133);
    pub const S_CMP_EQ_U32: Mnemonic = Mnemonic(134);
    pub const S_CMP_LG_U32: Mnemonic = Mnemonic(135);
    pub const S_CMP_GT_U32: Mnemonic = Mnemonic(136);
    pub const S_CMP_GE_U32: Mnemonic = Mnemonic(137);
    pub const S_CMP_LT_U32: Mnemonic = Mnemonic(138);
    pub const S_CMP_LE_U32: Mnemonic = Mnemonic(139);
    pub const S_BITCMP0_B32: Mnemonic = Mnemonic(140);
    pub const S_BITCMP1_B32: Mnemonic = Mnemonic(141);
    pub const S_BITCMP0_B64: Mnemonic = Mnemonic(142);
    pub const S_BITCMP1_B64: Mnemonic = Mnemonic(143);
    pub const S_SETVSKIP: Mnemonic = Mnemonic(144);
    pub const S_SET_GPR_IDX_ON: Mnemonic = Mnemonic(145);
    pub const S_CMP_EQ_U64: Mnemonic = Mnemonic(146);
    pub const S_CMP_LG_U64: Mnemonic = Mnemonic(147);
    pub const S_NOP: Mnemonic = Mnemonic(148);
    pub const S_ENDPGM: Mnemonic = Mnemonic(149);
    pub const S_BRANCH: Mnemonic = Mnemonic(150);
    pub const S_WAKEUP: Mnemonic = Mnemonic(151);
    pub const S_CBRANCH_SCC0: Mnemonic = Mnemonic(152);
    pub const S_CBRANCH_SCC1: Mnemonic = Mnemonic(153);
    pub const S_CBRANCH_VCCZ: Mnemonic = Mnemonic(154);
    pub const S_CBRANCH_VCCNZ: Mnemonic = Mnemonic(155);
    pub const S_CBRANCH_EXECZ: Mnemonic = Mnemonic(156);
    pub const S_CBRANCH_EXECNZ: Mnemonic = Mnemonic(157);
    pub const S_BARRIER: Mnemonic = Mnemonic(158);
    pub const S_SETKILL: Mnemonic = Mnemonic(159);
    pub const S_WAITCNT: Mnemonic = Mnemonic(160);
    pub const S_SETHALT: Mnemonic = Mnemonic(161);
    pub const S_SLEEP: Mnemonic = Mnemonic(162);
    pub const S_SETPRIO: Mnemonic = Mnemonic(163);
    pub const S_SENDMSG: Mnemonic = Mnemonic(164);
    pub const S_SENDMSGHALT: Mnemonic = Mnemonic(165);
    pub const S_TRAP: Mnemonic = Mnemonic(166);
    pub const S_ICACHE_INV: Mnemonic = Mnemonic(167);
    pub const S_INCPERFLEVEL: Mnemonic = Mnemonic(168);
    pub const S_DECPERFLEVEL: Mnemonic = Mnemonic(169);
    pub const S_TTRACEDATA: Mnemonic = Mnemonic(170);
    pub const S_CBRANCH_CDBGSYS: Mnemonic = Mnemonic(171);
    pub const S_CBRANCH_CDBGUSER: Mnemonic = Mnemonic(172);
    pub const S_CBRANCH_CDBGSYS_OR_USER: Mnemonic = Mnemonic(173);
    pub const S_CBRANCH_CDBGSYS_AND_USER: Mnemonic = Mnemonic(174);
    pub const S_ENDPGM_SAVED: Mnemonic = Mnemonic(175);
    pub const S_SET_GPR_IDX_OFF: Mnemonic = Mnemonic(176);
    pub const S_SET_GPR_IDX_MODE: Mnemonic = Mnemonic(177);
    pub const S_ENDPGM_ORDERED_PS_DONE: Mnemonic = Mnemonic(178);
    pub const S_LOAD_DWORD: Mnemonic = Mnemonic(179);
    pub const S_LOAD_DWORDX2: Mnemonic = Mnemonic(180);
    pub const S_LOAD_DWORDX4: Mnemonic = Mnemonic(181);
    pub const S_LOAD_DWORDX8: Mnemonic = Mnemonic(182);
    pub const S_LOAD_DWORDX16: Mnemonic = Mnemonic(183);
    pub const S_SCRATCH_LOAD_DWORD: Mnemonic = Mnemonic(184);
    pub const S_SCRATCH_LOAD_DWORDX2: Mnemonic = Mnemonic(185);
    pub const S_SCRATCH_LOAD_DWORDX4: Mnemonic = Mnemonic(186);
    pub const S_BUFFER_LOAD_DWORD: Mnemonic = Mnemonic(187);
    pub const S_BUFFER_LOAD_DWORDX2: Mnemonic = Mnemonic(188);
    pub const S_BUFFER_LOAD_DWORDX4: Mnemonic = Mnemonic(189);
    pub const S_BUFFER_LOAD_DWORDX8: Mnemonic = Mnemonic(190);
    pub const S_BUFFER_LOAD_DWORDX16: Mnemonic = Mnemonic(191);
    pub const S_STORE_DWORD: Mnemonic = Mnemonic(192);
    pub const S_STORE_DWORDX2: Mnemonic = Mnemonic(193);
    pub const S_STORE_DWORDX4: Mnemonic = Mnemonic(194);
    pub const S_SCRATCH_STORE_DWORD: Mnemonic = Mnemonic(195);
    pub const S_SCRATCH_STORE_DWORDX2: Mnemonic = Mnemonic(196);
    pub const S_SCRATCH_STORE_DWORDX4: Mnemonic = Mnemonic(197);
    pub const S_BUFFER_STORE_DWORD: Mnemonic = Mnemonic(198);
    pub const S_BUFFER_STORE_DWORDX2: Mnemonic = Mnemonic(199);
    pub const S_BUFFER_STORE_DWORDX4: Mnemonic = Mnemonic(200);
    pub const S_DCACHE_INV: Mnemonic = Mnemonic(201);
    pub const S_DCACHE_WB: Mnemonic = Mnemonic(202);
    pub const S_DCACHE_INV_VOL: Mnemonic = Mnemonic(203);
    pub const S_DCACHE_WB_VOL: Mnemonic = Mnemonic(204);
    pub const S_MEMTIME: Mnemonic = Mnemonic(205);
    pub const S_MEMREALTIME: Mnemonic = Mnemonic(206);
    pub const S_ATC_PROBE: Mnemonic = Mnemonic(207);
    pub const S_ATC_PROBE_BUFFER: Mnemonic = Mnemonic(208);
    pub const S_DCACHE_DISCARD: Mnemonic = Mnemonic(209);
    pub const S_DCACHE_DISCARD_X2: Mnemonic = Mnemonic(210);
    pub const S_BUFFER_ATOMIC_SWAP: Mnemonic = Mnemonic(211);
    pub const S_BUFFER_ATOMIC_CMPSWAP: Mnemonic = Mnemonic(212);
    pub const S_BUFFER_ATOMIC_ADD: Mnemonic = Mnemonic(213);
    pub const S_BUFFER_ATOMIC_SUB: Mnemonic = Mnemonic(214);
    pub const S_BUFFER_ATOMIC_SMIN: Mnemonic = Mnemonic(215);
    pub const S_BUFFER_ATOMIC_UMIN: Mnemonic = Mnemonic(216);
    pub const S_BUFFER_ATOMIC_SMAX: Mnemonic = Mnemonic(217);
    pub const S_BUFFER_ATOMIC_UMAX: Mnemonic = Mnemonic(218);
    pub const S_BUFFER_ATOMIC_AND: Mnemonic = Mnemonic(219);
    pub const S_BUFFER_ATOMIC_OR: Mnemonic = Mnemonic(220);
    pub const S_BUFFER_ATOMIC_XOR: Mnemonic = Mnemonic(221);
    pub const S_BUFFER_ATOMIC_INC: Mnemonic = Mnemonic(222);
    pub const S_BUFFER_ATOMIC_DEC: Mnemonic = Mnemonic(223);
    pub const S_BUFFER_ATOMIC_SWAP_X2: Mnemonic = Mnemonic(224);
    pub const S_BUFFER_ATOMIC_CMPSWAP_X2: Mnemonic = Mnemonic(225);
    pub const S_BUFFER_ATOMIC_ADD_X2: Mnemonic = Mnemonic(226);
    pub const S_BUFFER_ATOMIC_SUB_X2: Mnemonic = Mnemonic(227);
    pub const S_BUFFER_ATOMIC_SMIN_X2: Mnemonic = Mnemonic(228);
    pub const S_BUFFER_ATOMIC_UMIN_X2: Mnemonic = Mnemonic(229);
    pub const S_BUFFER_ATOMIC_SMAX_X2: Mnemonic = Mnemonic(230);
    pub const S_BUFFER_ATOMIC_UMAX_X2: Mnemonic = Mnemonic(231);
    pub const S_BUFFER_ATOMIC_AND_X2: Mnemonic = Mnemonic(232);
    pub const S_BUFFER_ATOMIC_OR_X2: Mnemonic = Mnemonic(233);
    pub const S_BUFFER_ATOMIC_XOR_X2: Mnemonic = Mnemonic(234);
    pub const S_BUFFER_ATOMIC_INC_X2: Mnemonic = Mnemonic(235);
    pub const S_BUFFER_ATOMIC_DEC_X2: Mnemonic = Mnemonic(236);
    pub const S_ATOMIC_SWAP: Mnemonic = Mnemonic(237);
    pub const S_ATOMIC_CMPSWAP: Mnemonic = Mnemonic(238);
    pub const S_ATOMIC_ADD: Mnemonic = Mnemonic(239);
    pub const S_ATOMIC_SUB: Mnemonic = Mnemonic(240);
    pub const S_ATOMIC_SMIN: Mnemonic = Mnemonic(241);
    pub const S_ATOMIC_UMIN: Mnemonic = Mnemonic(242);
    pub const S_ATOMIC_SMAX: Mnemonic = Mnemonic(243);
    pub const S_ATOMIC_UMAX: Mnemonic = Mnemonic(244);
    pub const S_ATOMIC_AND: Mnemonic = Mnemonic(245);
    pub const S_ATOMIC_OR: Mnemonic = Mnemonic(246);
    pub const S_ATOMIC_XOR: Mnemonic = Mnemonic(247);
    pub const S_ATOMIC_INC: Mnemonic = Mnemonic(248);
    pub const S_ATOMIC_DEC: Mnemonic = Mnemonic(249);
    pub const S_ATOMIC_SWAP_X2: Mnemonic = Mnemonic(250);
    pub const S_ATOMIC_CMPSWAP_X2: Mnemonic = Mnemonic(251);
    pub const S_ATOMIC_ADD_X2: Mnemonic = Mnemonic(252);
    pub const S_ATOMIC_SUB_X2: Mnemonic = Mnemonic(253);
    pub const S_ATOMIC_SMIN_X2: Mnemonic = Mnemonic(254);
    pub const S_ATOMIC_UMIN_X2: Mnemonic = Mnemonic(255);
    pub const S_ATOMIC_SMAX_X2: Mnemonic = Mnemonic(256);
    pub const S_ATOMIC_UMAX_X2: Mnemonic = Mnemonic(257);
    pub const S_ATOMIC_AND_X2: Mnemonic = Mnemonic(258);
    pub const S_ATOMIC_OR_X2: Mnemonic = Mnemonic(259);
    pub const S_ATOMIC_XOR_X2: Mnemonic = Mnemonic(260);
    pub const S_ATOMIC_INC_X2: Mnemonic = Mnemonic(261);
    pub const S_ATOMIC_DEC_X2: Mnemonic = Mnemonic(262);
    pub const V_NOP: Mnemonic = Mnemonic(263);
    pub const V_MOV_B32: Mnemonic = Mnemonic(264);
    pub const V_READFIRSTLANE_B32: Mnemonic = Mnemonic(265);
    pub const V_CVT_I32_F64: Mnemonic = Mnemonic(266);
    pub const V_CVT_F64_I32: Mnemonic = Mnemonic(267);
    pub const V_CVT_F32_I32: Mnemonic = Mnemonic(268);
    pub const V_CVT_F32_U32: Mnemonic = Mnemonic(269);
    pub const V_CVT_U32_F32: Mnemonic = Mnemonic(270);
    pub const V_CVT_I32_F32: Mnemonic = Mnemonic(271);
    pub const V_CVT_F16_F32: Mnemonic = Mnemonic(272);
    pub const V_CVT_F32_F16: Mnemonic = Mnemonic(273);
    pub const V_CVT_RPI_I32_F32: Mnemonic = Mnemonic(274);
    pub const V_CVT_FLR_I32_F32: Mnemonic = Mnemonic(275);
    pub const V_CVT_OFF_F32_I4: Mnemonic = Mnemonic(276);
    pub const V_CVT_F32_F64: Mnemonic = Mnemonic(277);
    pub const V_CVT_F64_F32: Mnemonic = Mnemonic(278);
    pub const V_CVT_F32_UBYTE0: Mnemonic = Mnemonic(279);
    pub const V_CVT_F32_UBYTE1: Mnemonic = Mnemonic(280);
    pub const V_CVT_F32_UBYTE2: Mnemonic = Mnemonic(281);
    pub const V_CVT_F32_UBYTE3: Mnemonic = Mnemonic(282);
    pub const V_CVT_U32_F64: Mnemonic = Mnemonic(283);
    pub const V_CVT_F64_U32: Mnemonic = Mnemonic(284);
    pub const V_TRUNC_F64: Mnemonic = Mnemonic(285);
    pub const V_CEIL_F64: Mnemonic = Mnemonic(286);
    pub const V_RNDNE_F64: Mnemonic = Mnemonic(287);
    pub const V_FLOOR_F64: Mnemonic = Mnemonic(288);
    pub const V_FRACT_F32: Mnemonic = Mnemonic(289);
    pub const V_TRUNC_F32: Mnemonic = Mnemonic(290);
    pub const V_CEIL_F32: Mnemonic = Mnemonic(291);
    pub const V_RNDNE_F32: Mnemonic = Mnemonic(292);
    pub const V_FLOOR_F32: Mnemonic = Mnemonic(293);
    pub const V_EXP_F32: Mnemonic = Mnemonic(294);
    pub const V_LOG_F32: Mnemonic = Mnemonic(295);
    pub const V_RCP_F32: Mnemonic = Mnemonic(296);
    pub const V_RCP_IFLAG_F32: Mnemonic = Mnemonic(297);
    pub const V_RSQ_F32: Mnemonic = Mnemonic(298);
    pub const V_RCP_F64: Mnemonic = Mnemonic(299);
    pub const V_RSQ_F64: Mnemonic = Mnemonic(300);
    pub const V_SQRT_F32: Mnemonic = Mnemonic(301);
    pub const V_SQRT_F64: Mnemonic = Mnemonic(302);
    pub const V_SIN_F32: Mnemonic = Mnemonic(303);
    pub const V_COS_F32: Mnemonic = Mnemonic(304);
    pub const V_NOT_B32: Mnemonic = Mnemonic(305);
    pub const V_BFREV_B32: Mnemonic = Mnemonic(306);
    pub const V_FFBH_U32: Mnemonic = Mnemonic(307);
    pub const V_FFBL_B32: Mnemonic = Mnemonic(308);
    pub const V_FFBH_I32: Mnemonic = Mnemonic(309);
    pub const V_FREXP_EXP_I32_F64: Mnemonic = Mnemonic(310);
    pub const V_FREXP_MANT_F64: Mnemonic = Mnemonic(311);
    pub const V_FRACT_F64: Mnemonic = Mnemonic(312);
    pub const V_FREXP_EXP_I32_F32: Mnemonic = Mnemonic(313);
    pub const V_FREXP_MANT_F32: Mnemonic = Mnemonic(314);
    pub const V_CLREXCP: Mnemonic = Mnemonic(315);
    pub const V_SCREEN_PARTITION_4SE_B32: Mnemonic = Mnemonic(316);
    pub const V_MOV_B64: Mnemonic = Mnemonic(317);
    pub const V_CVT_F16_U16: Mnemonic = Mnemonic(318);
    pub const V_CVT_F16_I16: Mnemonic = Mnemonic(319);
    pub const V_CVT_U16_F16: Mnemonic = Mnemonic(320);
    pub const V_CVT_I16_F16: Mnemonic = Mnemonic(321);
    pub const V_RCP_F16: Mnemonic = Mnemonic(322);
    pub const V_SQRT_F16: Mnemonic = Mnemonic(323);
    pub const V_RSQ_F16: Mnemonic = Mnemonic(324);
    pub const V_LOG_F16: Mnemonic = Mnemonic(325);
    pub const V_EXP_F16: Mnemonic = Mnemonic(326);
    pub const V_FREXP_MANT_F16: Mnemonic = Mnemonic(327);
    pub const V_FREXP_EXP_I16_F16: Mnemonic = Mnemonic(328);
    pub const V_FLOOR_F16: Mnemonic = Mnemonic(329);
    pub const V_CEIL_F16: Mnemonic = Mnemonic(330);
    pub const V_TRUNC_F16: Mnemonic = Mnemonic(331);
    pub const V_RNDNE_F16: Mnemonic = Mnemonic(332);
    pub const V_FRACT_F16: Mnemonic = Mnemonic(333);
    pub const V_SIN_F16: Mnemonic = Mnemonic(334);
    pub const V_COS_F16: Mnemonic = Mnemonic(335);
    pub const V_EXP_LEGACY_F32: Mnemonic = Mnemonic(336);
    pub const V_LOG_LEGACY_F32: Mnemonic = Mnemonic(337);
    pub const V_CVT_NORM_I16_F16: Mnemonic = Mnemonic(338);
    pub const V_CVT_NORM_U16_F16: Mnemonic = Mnemonic(339);
    pub const V_SAT_PK_U8_I16: Mnemonic = Mnemonic(340);
    pub const V_SWAP_B32: Mnemonic = Mnemonic(341);
    pub const V_ACCVGPR_MOV_B32: Mnemonic = Mnemonic(342);
    pub const V_CVT_F32_FP8: Mnemonic = Mnemonic(343);
    pub const V_CVT_F32_BF8: Mnemonic = Mnemonic(344);
    pub const V_CVT_PK_F32_FP8: Mnemonic = Mnemonic(345);
    pub const V_CVT_PK_F32_BF8: Mnemonic = Mnemonic(346);
    pub const V_PRNG_B32: Mnemonic = Mnemonic(347);
    pub const V_PERMLANE16_SWAP_B32: Mnemonic = Mnemonic(348);
    pub const V_PERMLANE32_SWAP_B32: Mnemonic = Mnemonic(349);
    pub const V_CVT_F32_BF16: Mnemonic = Mnemonic(350);
    pub const V_CNDMASK_B32: Mnemonic = Mnemonic(351);
    pub const V_ADD_F32: Mnemonic = Mnemonic(352);
    pub const V_SUB_F32: Mnemonic = Mnemonic(353);
    pub const V_SUBREV_F32: Mnemonic = Mnemonic(354);
    pub const V_MUL_LEGACY_F32: Mnemonic = Mnemonic(355);
    pub const V_FMAC_F64: Mnemonic = Mnemonic(356);
    pub const V_MUL_F32: Mnemonic = Mnemonic(357);
    pub const V_MUL_I32_I24: Mnemonic = Mnemonic(358);
    pub const V_MUL_HI_I32_I24: Mnemonic = Mnemonic(359);
    pub const V_MUL_U32_U24: Mnemonic = Mnemonic(360);
    pub const V_MUL_HI_U32_U24: Mnemonic = Mnemonic(361);
    pub const V_MIN_F32: Mnemonic = Mnemonic(362);
    pub const V_MAX_F32: Mnemonic = Mnemonic(363);
    pub const V_MIN_I32: Mnemonic = Mnemonic(364);
    pub const V_MAX_I32: Mnemonic = Mnemonic(365);
    pub const V_MIN_U32: Mnemonic = Mnemonic(366);
    pub const V_MAX_U32: Mnemonic = Mnemonic(367);
    pub const V_LSHRREV_B32: Mnemonic = Mnemonic(368);
    pub const V_ASHRREV_I32: Mnemonic = Mnemonic(369);
    pub const V_LSHLREV_B32: Mnemonic = Mnemonic(370);
    pub const V_AND_B32: Mnemonic = Mnemonic(371);
    pub const V_OR_B32: Mnemonic = Mnemonic(372);
    pub const V_XOR_B32: Mnemonic = Mnemonic(373);
    pub const V_MAC_F32: Mnemonic = Mnemonic(374);
    pub const V_DOT2C_F32_BF16: Mnemonic = Mnemonic(375);
    pub const V_ADD_F16: Mnemonic = Mnemonic(376);
    pub const V_SUB_F16: Mnemonic = Mnemonic(377);
    pub const V_SUBREV_F16: Mnemonic = Mnemonic(378);
    pub const V_MUL_F16: Mnemonic = Mnemonic(379);
    pub const V_MAC_F16: Mnemonic = Mnemonic(380);
    pub const V_ADD_U16: Mnemonic = Mnemonic(381);
    pub const V_SUB_U16: Mnemonic = Mnemonic(382);
    pub const V_SUBREV_U16: Mnemonic = Mnemonic(383);
    pub const V_MUL_LO_U16: Mnemonic = Mnemonic(384);
    pub const V_LSHLREV_B16: Mnemonic = Mnemonic(385);
    pub const V_LSHRREV_B16: Mnemonic = Mnemonic(386);
    pub const V_ASHRREV_I16: Mnemonic = Mnemonic(387);
    pub const V_MAX_F16: Mnemonic = Mnemonic(388);
    pub const V_MIN_F16: Mnemonic = Mnemonic(389);
    pub const V_MAX_U16: Mnemonic = Mnemonic(390);
    pub const V_MAX_I16: Mnemonic = Mnemonic(391);
    pub const V_MIN_U16: Mnemonic = Mnemonic(392);
    pub const V_MIN_I16: Mnemonic = Mnemonic(393);
    pub const V_LDEXP_F16: Mnemonic = Mnemonic(394);
    pub const V_ADD_U32: Mnemonic = Mnemonic(395);
    pub const V_SUB_U32: Mnemonic = Mnemonic(396);
    pub const V_SUBREV_U32: Mnemonic = Mnemonic(397);
    pub const V_DOT2C_F32_F16: Mnemonic = Mnemonic(398);
    pub const V_DOT2C_I32_I16: Mnemonic = Mnemonic(399);
    pub const V_DOT4C_I32_I8: Mnemonic = Mnemonic(400);
    pub const V_DOT8C_I32_I4: Mnemonic = Mnemonic(401);
    pub const V_FMAC_F32: Mnemonic = Mnemonic(402);
    pub const V_PK_FMAC_F16: Mnemonic = Mnemonic(403);
    pub const V_XNOR_B32: Mnemonic = Mnemonic(404);
    pub const V_ADD_CO_U32: Mnemonic = Mnemonic(405);
    pub const V_SUB_CO_U32: Mnemonic = Mnemonic(406);
    pub const V_SUBREV_CO_U32: Mnemonic = Mnemonic(407);
    pub const V_ADDC_CO_U32: Mnemonic = Mnemonic(408);
    pub const V_SUBB_CO_U32: Mnemonic = Mnemonic(409);
    pub const V_SUBBREV_CO_U32: Mnemonic = Mnemonic(410);
    pub const V_MADMK_F32: Mnemonic = Mnemonic(411);
    pub const V_FMAMK_F32: Mnemonic = Mnemonic(412);
    pub const V_MADAK_F32: Mnemonic = Mnemonic(413);
    pub const V_FMAAK_F32: Mnemonic = Mnemonic(414);
    pub const V_MADMK_F16: Mnemonic = Mnemonic(415);
    pub const V_MADAK_F16: Mnemonic = Mnemonic(416);
    pub const V_CMP_CLASS_F32: Mnemonic = Mnemonic(417);
    pub const V_CMPX_CLASS_F32: Mnemonic = Mnemonic(418);
    pub const V_CMP_CLASS_F64: Mnemonic = Mnemonic(419);
    pub const V_CMPX_CLASS_F64: Mnemonic = Mnemonic(420);
    pub const V_CMP_CLASS_F16: Mnemonic = Mnemonic(421);
    pub const V_CMPX_CLASS_F16: Mnemonic = Mnemonic(422);
    pub const V_CMP_F_F16: Mnemonic = Mnemonic(423);
    pub const V_CMP_LT_F16: Mnemonic = Mnemonic(424);
    pub const V_CMP_EQ_F16: Mnemonic = Mnemonic(425);
    pub const V_CMP_LE_F16: Mnemonic = Mnemonic(426);
    pub const V_CMP_GT_F16: Mnemonic = Mnemonic(427);
    pub const V_CMP_LG_F16: Mnemonic = Mnemonic(428);
    pub const V_CMP_GE_F16: Mnemonic = Mnemonic(429);
    pub const V_CMP_O_F16: Mnemonic = Mnemonic(430);
    pub const V_CMP_U_F16: Mnemonic = Mnemonic(431);
    pub const V_CMP_NGE_F16: Mnemonic = Mnemonic(432);
    pub const V_CMP_NLG_F16: Mnemonic = Mnemonic(433);
    pub const V_CMP_NGT_F16: Mnemonic = Mnemonic(434);
    pub const V_CMP_NLE_F16: Mnemonic = Mnemonic(435);
    pub const V_CMP_NEQ_F16: Mnemonic = Mnemonic(436);
    pub const V_CMP_NLT_F16: Mnemonic = Mnemonic(437);
    pub const V_CMP_TRU_F16: Mnemonic = Mnemonic(438);
    pub const V_CMPX_F_F16: Mnemonic = Mnemonic(439);
    pub const V_CMPX_LT_F16: Mnemonic = Mnemonic(440);
    pub const V_CMPX_EQ_F16: Mnemonic = Mnemonic(441);
    pub const V_CMPX_LE_F16: Mnemonic = Mnemonic(442);
    pub const V_CMPX_GT_F16: Mnemonic = Mnemonic(443);
    pub const V_CMPX_LG_F16: Mnemonic = Mnemonic(444);
    pub const V_CMPX_GE_F16: Mnemonic = Mnemonic(445);
    pub const V_CMPX_O_F16: Mnemonic = Mnemonic(446);
    pub const V_CMPX_U_F16: Mnemonic = Mnemonic(447);
    pub const V_CMPX_NGE_F16: Mnemonic = Mnemonic(448);
    pub const V_CMPX_NLG_F16: Mnemonic = Mnemonic(449);
    pub const V_CMPX_NGT_F16: Mnemonic = Mnemonic(450);
    pub const V_CMPX_NLE_F16: Mnemonic = Mnemonic(451);
    pub const V_CMPX_NEQ_F16: Mnemonic = Mnemonic(452);
    pub const V_CMPX_NLT_F16: Mnemonic = Mnemonic(453);
    pub const V_CMPX_TRU_F16: Mnemonic = Mnemonic(454);
    pub const V_CMP_F_F32: Mnemonic = Mnemonic(455);
    pub const V_CMP_LT_F32: Mnemonic = Mnemonic(456);
    pub const V_CMP_EQ_F32: Mnemonic = Mnemonic(457);
    pub const V_CMP_LE_F32: Mnemonic = Mnemonic(458);
    pub const V_CMP_GT_F32: Mnemonic = Mnemonic(459);
    pub const V_CMP_LG_F32: Mnemonic = Mnemonic(460);
    pub const V_CMP_GE_F32: Mnemonic = Mnemonic(461);
    pub const V_CMP_O_F32: Mnemonic = Mnemonic(462);
    pub const V_CMP_U_F32: Mnemonic = Mnemonic(463);
    pub const V_CMP_NGE_F32: Mnemonic = Mnemonic(464);
    pub const V_CMP_NLG_F32: Mnemonic = Mnemonic(465);
    pub const V_CMP_NGT_F32: Mnemonic = Mnemonic(466);
    pub const V_CMP_NLE_F32: Mnemonic = Mnemonic(467);
    pub const V_CMP_NEQ_F32: Mnemonic = Mnemonic(468);
    pub const V_CMP_NLT_F32: Mnemonic = Mnemonic(469);
    pub const V_CMP_TRU_F32: Mnemonic = Mnemonic(470);
    pub const V_CMPX_F_F32: Mnemonic = Mnemonic(471);
    pub const V_CMPX_LT_F32: Mnemonic = Mnemonic(472);
    pub const V_CMPX_EQ_F32: Mnemonic = Mnemonic(473);
    pub const V_CMPX_LE_F32: Mnemonic = Mnemonic(474);
    pub const V_CMPX_GT_F32: Mnemonic = Mnemonic(475);
    pub const V_CMPX_LG_F32: Mnemonic = Mnemonic(476);
    pub const V_CMPX_GE_F32: Mnemonic = Mnemonic(477);
    pub const V_CMPX_O_F32: Mnemonic = Mnemonic(478);
    pub const V_CMPX_U_F32: Mnemonic = Mnemonic(479);
    pub const V_CMPX_NGE_F32: Mnemonic = Mnemonic(480);
    pub const V_CMPX_NLG_F32: Mnemonic = Mnemonic(481);
    pub const V_CMPX_NGT_F32: Mnemonic = Mnemonic(482);
    pub const V_CMPX_NLE_F32: Mnemonic = Mnemonic(483);
    pub const V_CMPX_NEQ_F32: Mnemonic = Mnemonic(484);
    pub const V_CMPX_NLT_F32: Mnemonic = Mnemonic(485);
    pub const V_CMPX_TRU_F32: Mnemonic = Mnemonic(486);
    pub const V_CMP_F_F64: Mnemonic = Mnemonic(487);
    pub const V_CMP_LT_F64: Mnemonic = Mnemonic(488);
    pub const V_CMP_EQ_F64: Mnemonic = Mnemonic(489);
    pub const V_CMP_LE_F64: Mnemonic = Mnemonic(490);
    pub const V_CMP_GT_F64: Mnemonic = Mnemonic(491);
    pub const V_CMP_LG_F64: Mnemonic = Mnemonic(492);
    pub const V_CMP_GE_F64: Mnemonic = Mnemonic(493);
    pub const V_CMP_O_F64: Mnemonic = Mnemonic(494);
    pub const V_CMP_U_F64: Mnemonic = Mnemonic(495);
    pub const V_CMP_NGE_F64: Mnemonic = Mnemonic(496);
    pub const V_CMP_NLG_F64: Mnemonic = Mnemonic(497);
    pub const V_CMP_NGT_F64: Mnemonic = Mnemonic(498);
    pub const V_CMP_NLE_F64: Mnemonic = Mnemonic(499);
    pub const V_CMP_NEQ_F64: Mnemonic = Mnemonic(500);
    pub const V_CMP_NLT_F64: Mnemonic = Mnemonic(501);
    pub const V_CMP_TRU_F64: Mnemonic = Mnemonic(502);
    pub const V_CMPX_F_F64: Mnemonic = Mnemonic(503);
    pub const V_CMPX_LT_F64: Mnemonic = Mnemonic(504);
    pub const V_CMPX_EQ_F64: Mnemonic = Mnemonic(505);
    pub const V_CMPX_LE_F64: Mnemonic = Mnemonic(506);
    pub const V_CMPX_GT_F64: Mnemonic = Mnemonic(507);
    pub const V_CMPX_LG_F64: Mnemonic = Mnemonic(508);
    pub const V_CMPX_GE_F64: Mnemonic = Mnemonic(509);
    pub const V_CMPX_O_F64: Mnemonic = Mnemonic(510);
    pub const V_CMPX_U_F64: Mnemonic = Mnemonic(511);
    pub const V_CMPX_NGE_F64: Mnemonic = Mnemonic(512);
    pub const V_CMPX_NLG_F64: Mnemonic = Mnemonic(513);
    pub const V_CMPX_NGT_F64: Mnemonic = Mnemonic(514);
    pub const V_CMPX_NLE_F64: Mnemonic = Mnemonic(515);
    pub const V_CMPX_NEQ_F64: Mnemonic = Mnemonic(516);
    pub const V_CMPX_NLT_F64: Mnemonic = Mnemonic(517);
    pub const V_CMPX_TRU_F64: Mnemonic = Mnemonic(518);
    pub const V_CMP_F_I16: Mnemonic = Mnemonic(519);
    pub const V_CMP_LT_I16: Mnemonic = Mnemonic(520);
    pub const V_CMP_EQ_I16: Mnemonic = Mnemonic(521);
    pub const V_CMP_LE_I16: Mnemonic = Mnemonic(522);
    pub const V_CMP_GT_I16: Mnemonic = Mnemonic(523);
    pub const V_CMP_NE_I16: Mnemonic = Mnemonic(524);
    pub const V_CMP_GE_I16: Mnemonic = Mnemonic(525);
    pub const V_CMP_T_I16: Mnemonic = Mnemonic(526);
    pub const V_CMP_F_U16: Mnemonic = Mnemonic(527);
    pub const V_CMP_LT_U16: Mnemonic = Mnemonic(528);
    pub const V_CMP_EQ_U16: Mnemonic = Mnemonic(529);
    pub const V_CMP_LE_U16: Mnemonic = Mnemonic(530);
    pub const V_CMP_GT_U16: Mnemonic = Mnemonic(531);
    pub const V_CMP_NE_U16: Mnemonic = Mnemonic(532);
    pub const V_CMP_GE_U16: Mnemonic = Mnemonic(533);
    pub const V_CMP_T_U16: Mnemonic = Mnemonic(534);
    pub const V_CMPX_F_I16: Mnemonic = Mnemonic(535);
    pub const V_CMPX_LT_I16: Mnemonic = Mnemonic(536);
    pub const V_CMPX_EQ_I16: Mnemonic = Mnemonic(537);
    pub const V_CMPX_LE_I16: Mnemonic = Mnemonic(538);
    pub const V_CMPX_GT_I16: Mnemonic = Mnemonic(539);
    pub const V_CMPX_NE_I16: Mnemonic = Mnemonic(540);
    pub const V_CMPX_GE_I16: Mnemonic = Mnemonic(541);
    pub const V_CMPX_T_I16: Mnemonic = Mnemonic(542);
    pub const V_CMPX_F_U16: Mnemonic = Mnemonic(543);
    pub const V_CMPX_LT_U16: Mnemonic = Mnemonic(544);
    pub const V_CMPX_EQ_U16: Mnemonic = Mnemonic(545);
    pub const V_CMPX_LE_U16: Mnemonic = Mnemonic(546);
    pub const V_CMPX_GT_U16: Mnemonic = Mnemonic(547);
    pub const V_CMPX_NE_U16: Mnemonic = Mnemonic(548);
    pub const V_CMPX_GE_U16: Mnemonic = Mnemonic(549);
    pub const V_CMPX_T_U16: Mnemonic = Mnemonic(550);
    pub const V_CMP_F_I32: Mnemonic = Mnemonic(551);
    pub const V_CMP_LT_I32: Mnemonic = Mnemonic(552);
    pub const V_CMP_EQ_I32: Mnemonic = Mnemonic(553);
    pub const V_CMP_LE_I32: Mnemonic = Mnemonic(554);
    pub const V_CMP_GT_I32: Mnemonic = Mnemonic(555);
    pub const V_CMP_NE_I32: Mnemonic = Mnemonic(556);
    pub const V_CMP_GE_I32: Mnemonic = Mnemonic(557);
    pub const V_CMP_T_I32: Mnemonic = Mnemonic(558);
    pub const V_CMP_F_U32: Mnemonic = Mnemonic(559);
    pub const V_CMP_LT_U32: Mnemonic = Mnemonic(560);
    pub const V_CMP_EQ_U32: Mnemonic = Mnemonic(561);
    pub const V_CMP_LE_U32: Mnemonic = Mnemonic(562);
    pub const V_CMP_GT_U32: Mnemonic = Mnemonic(563);
    pub const V_CMP_NE_U32: Mnemonic = Mnemonic(564);
    pub const V_CMP_GE_U32: Mnemonic = Mnemonic(565);
    pub const V_CMP_T_U32: Mnemonic = Mnemonic(566);
    pub const V_CMPX_F_I32: Mnemonic = Mnemonic(567);
    pub const V_CMPX_LT_I32: Mnemonic = Mnemonic(568);
    pub const V_CMPX_EQ_I32: Mnemonic = Mnemonic(569);
    pub const V_CMPX_LE_I32: Mnemonic = Mnemonic(570);
    pub const V_CMPX_GT_I32: Mnemonic = Mnemonic(571);
    pub const V_CMPX_NE_I32: Mnemonic = Mnemonic(572);
    pub const V_CMPX_GE_I32: Mnemonic = Mnemonic(573);
    pub const V_CMPX_T_I32: Mnemonic = Mnemonic(574);
    pub const V_CMPX_F_U32: Mnemonic = Mnemonic(575);
    pub const V_CMPX_LT_U32: Mnemonic = Mnemonic(576);
    pub const V_CMPX_EQ_U32: Mnemonic = Mnemonic(577);
    pub const V_CMPX_LE_U32: Mnemonic = Mnemonic(578);
    pub const V_CMPX_GT_U32: Mnemonic = Mnemonic(579);
    pub const V_CMPX_NE_U32: Mnemonic = Mnemonic(580);
    pub const V_CMPX_GE_U32: Mnemonic = Mnemonic(581);
    pub const V_CMPX_T_U32: Mnemonic = Mnemonic(582);
    pub const V_CMP_F_I64: Mnemonic = Mnemonic(583);
    pub const V_CMP_LT_I64: Mnemonic = Mnemonic(584);
    pub const V_CMP_EQ_I64: Mnemonic = Mnemonic(585);
    pub const V_CMP_LE_I64: Mnemonic = Mnemonic(586);
    pub const V_CMP_GT_I64: Mnemonic = Mnemonic(587);
    pub const V_CMP_NE_I64: Mnemonic = Mnemonic(588);
    pub const V_CMP_GE_I64: Mnemonic = Mnemonic(589);
    pub const V_CMP_T_I64: Mnemonic = Mnemonic(590);
    pub const V_CMP_F_U64: Mnemonic = Mnemonic(591);
    pub const V_CMP_LT_U64: Mnemonic = Mnemonic(592);
    pub const V_CMP_EQ_U64: Mnemonic = Mnemonic(593);
    pub const V_CMP_LE_U64: Mnemonic = Mnemonic(594);
    pub const V_CMP_GT_U64: Mnemonic = Mnemonic(595);
    pub const V_CMP_NE_U64: Mnemonic = Mnemonic(596);
    pub const V_CMP_GE_U64: Mnemonic = Mnemonic(597);
    pub const V_CMP_T_U64: Mnemonic = Mnemonic(598);
    pub const V_CMPX_F_I64: Mnemonic = Mnemonic(599);
    pub const V_CMPX_LT_I64: Mnemonic = Mnemonic(600);
    pub const V_CMPX_EQ_I64: Mnemonic = Mnemonic(601);
    pub const V_CMPX_LE_I64: Mnemonic = Mnemonic(602);
    pub const V_CMPX_GT_I64: Mnemonic = Mnemonic(603);
    pub const V_CMPX_NE_I64: Mnemonic = Mnemonic(604);
    pub const V_CMPX_GE_I64: Mnemonic = Mnemonic(605);
    pub const V_CMPX_T_I64: Mnemonic = Mnemonic(606);
    pub const V_CMPX_F_U64: Mnemonic = Mnemonic(607);
    pub const V_CMPX_LT_U64: Mnemonic = Mnemonic(608);
    pub const V_CMPX_EQ_U64: Mnemonic = Mnemonic(609);
    pub const V_CMPX_LE_U64: Mnemonic = Mnemonic(610);
    pub const V_CMPX_GT_U64: Mnemonic = Mnemonic(611);
    pub const V_CMPX_NE_U64: Mnemonic = Mnemonic(612);
    pub const V_CMPX_GE_U64: Mnemonic = Mnemonic(613);
    pub const V_CMPX_T_U64: Mnemonic = Mnemonic(614);
    pub const V_MAD_LEGACY_F32: Mnemonic = Mnemonic(615);
    pub const V_MAD_F32: Mnemonic = Mnemonic(616);
    pub const V_MAD_I32_I24: Mnemonic = Mnemonic(617);
    pub const V_MAD_U32_U24: Mnemonic = Mnemonic(618);
    pub const V_CUBEID_F32: Mnemonic = Mnemonic(619);
    pub const V_CUBESC_F32: Mnemonic = Mnemonic(620);
    pub const V_CUBETC_F32: Mnemonic = Mnemonic(621);
    pub const V_CUBEMA_F32: Mnemonic = Mnemonic(622);
    pub const V_BFE_U32: Mnemonic = Mnemonic(623);
    pub const V_BFE_I32: Mnemonic = Mnemonic(624);
    pub const V_BFI_B32: Mnemonic = Mnemonic(625);
    pub const V_FMA_F32: Mnemonic = Mnemonic(626);
    pub const V_FMA_F64: Mnemonic = Mnemonic(627);
    pub const V_LERP_U8: Mnemonic = Mnemonic(628);
    pub const V_ALIGNBIT_B32: Mnemonic = Mnemonic(629);
    pub const V_ALIGNBYTE_B32: Mnemonic = Mnemonic(630);
    pub const V_MIN3_F32: Mnemonic = Mnemonic(631);
    pub const V_MIN3_I32: Mnemonic = Mnemonic(632);
    pub const V_MIN3_U32: Mnemonic = Mnemonic(633);
    pub const V_MAX3_F32: Mnemonic = Mnemonic(634);
    pub const V_MAX3_I32: Mnemonic = Mnemonic(635);
    pub const V_MAX3_U32: Mnemonic = Mnemonic(636);
    pub const V_MED3_F32: Mnemonic = Mnemonic(637);
    pub const V_MED3_I32: Mnemonic = Mnemonic(638);
    pub const V_MED3_U32: Mnemonic = Mnemonic(639);
    pub const V_SAD_U8: Mnemonic = Mnemonic(640);
    pub const V_SAD_HI_U8: Mnemonic = Mnemonic(641);
    pub const V_SAD_U16: Mnemonic = Mnemonic(642);
    pub const V_SAD_U32: Mnemonic = Mnemonic(643);
    pub const V_CVT_PK_U8_F32: Mnemonic = Mnemonic(644);
    pub const V_DIV_FIXUP_F32: Mnemonic = Mnemonic(645);
    pub const V_DIV_FIXUP_F64: Mnemonic = Mnemonic(646);
    pub const V_DIV_FMAS_F32: Mnemonic = Mnemonic(647);
    pub const V_DIV_FMAS_F64: Mnemonic = Mnemonic(648);
    pub const V_MSAD_U8: Mnemonic = Mnemonic(649);
    pub const V_QSAD_PK_U16_U8: Mnemonic = Mnemonic(650);
    pub const V_MQSAD_PK_U16_U8: Mnemonic = Mnemonic(651);
    pub const V_MQSAD_U32_U8: Mnemonic = Mnemonic(652);
    pub const V_MAD_LEGACY_F16: Mnemonic = Mnemonic(653);
    pub const V_MAD_LEGACY_U16: Mnemonic = Mnemonic(654);
    pub const V_MAD_LEGACY_I16: Mnemonic = Mnemonic(655);
    pub const V_PERM_B32: Mnemonic = Mnemonic(656);
    pub const V_FMA_LEGACY_F16: Mnemonic = Mnemonic(657);
    pub const V_DIV_FIXUP_LEGACY_F16: Mnemonic = Mnemonic(658);
    pub const V_CVT_PKACCUM_U8_F32: Mnemonic = Mnemonic(659);
    pub const V_MAD_U32_U16: Mnemonic = Mnemonic(660);
    pub const V_MAD_I32_I16: Mnemonic = Mnemonic(661);
    pub const V_XAD_U32: Mnemonic = Mnemonic(662);
    pub const V_MIN3_F16: Mnemonic = Mnemonic(663);
    pub const V_MIN3_I16: Mnemonic = Mnemonic(664);
    pub const V_MIN3_U16: Mnemonic = Mnemonic(665);
    pub const V_MAX3_F16: Mnemonic = Mnemonic(666);
    pub const V_MAX3_I16: Mnemonic = Mnemonic(667);
    pub const V_MAX3_U16: Mnemonic = Mnemonic(668);
    pub const V_MED3_F16: Mnemonic = Mnemonic(669);
    pub const V_MED3_I16: Mnemonic = Mnemonic(670);
    pub const V_MED3_U16: Mnemonic = Mnemonic(671);
    pub const V_LSHL_ADD_U32: Mnemonic = Mnemonic(672);
    pub const V_ADD_LSHL_U32: Mnemonic = Mnemonic(673);
    pub const V_ADD3_U32: Mnemonic = Mnemonic(674);
    pub const V_LSHL_OR_B32: Mnemonic = Mnemonic(675);
    pub const V_AND_OR_B32: Mnemonic = Mnemonic(676);
    pub const V_OR3_B32: Mnemonic = Mnemonic(677);
    pub const V_MAD_F16: Mnemonic = Mnemonic(678);
    pub const V_MAD_U16: Mnemonic = Mnemonic(679);
    pub const V_MAD_I16: Mnemonic = Mnemonic(680);
    pub const V_FMA_F16: Mnemonic = Mnemonic(681);
    pub const V_DIV_FIXUP_F16: Mnemonic = Mnemonic(682);
    pub const V_LSHL_ADD_U64: Mnemonic = Mnemonic(683);
    pub const V_BITOP3_B16: Mnemonic = Mnemonic(684);
    pub const V_BITOP3_B32: Mnemonic = Mnemonic(685);
    pub const V_CVT_SCALEF32_PK_FP8_F32: Mnemonic = Mnemonic(686);
    pub const V_CVT_SCALEF32_PK_BF8_F32: Mnemonic = Mnemonic(687);
    pub const V_CVT_SCALEF32_SR_FP8_F32: Mnemonic = Mnemonic(688);
    pub const V_CVT_SCALEF32_SR_BF8_F32: Mnemonic = Mnemonic(689);
    pub const V_CVT_SCALEF32_PK_F32_FP8: Mnemonic = Mnemonic(690);
    pub const V_CVT_SCALEF32_PK_F32_BF8: Mnemonic = Mnemonic(691);
    pub const V_CVT_SCALEF32_F32_FP8: Mnemonic = Mnemonic(692);
    pub const V_CVT_SCALEF32_F32_BF8: Mnemonic = Mnemonic(693);
    pub const V_CVT_SCALEF32_PK_FP4_F32: Mnemonic = Mnemonic(694);
    pub const V_CVT_SCALEF32_SR_PK_FP4_F32: Mnemonic = Mnemonic(695);
    pub const V_CVT_SCALEF32_PK_F32_FP4: Mnemonic = Mnemonic(696);
    pub const V_CVT_SCALEF32_PK_FP8_F16: Mnemonic = Mnemonic(697);
    pub const V_CVT_SCALEF32_PK_BF8_F16: Mnemonic = Mnemonic(698);
    pub const V_CVT_SCALEF32_SR_FP8_F16: Mnemonic = Mnemonic(699);
    pub const V_CVT_SCALEF32_SR_BF8_F16: Mnemonic = Mnemonic(700);
    pub const V_CVT_SCALEF32_PK_FP8_BF16: Mnemonic = Mnemonic(701);
    pub const V_CVT_SCALEF32_PK_BF8_BF16: Mnemonic = Mnemonic(702);
    pub const V_CVT_SCALEF32_SR_FP8_BF16: Mnemonic = Mnemonic(703);
    pub const V_CVT_SCALEF32_SR_BF8_BF16: Mnemonic = Mnemonic(704);
    pub const V_CVT_SCALEF32_PK_F16_FP8: Mnemonic = Mnemonic(705);
    pub const V_CVT_SCALEF32_PK_F16_BF8: Mnemonic = Mnemonic(706);
    pub const V_CVT_SCALEF32_F16_FP8: Mnemonic = Mnemonic(707);
    pub const V_CVT_SCALEF32_F16_BF8: Mnemonic = Mnemonic(708);
    pub const V_CVT_SCALEF32_PK_FP4_F16: Mnemonic = Mnemonic(709);
    pub const V_CVT_SCALEF32_PK_FP4_BF16: Mnemonic = Mnemonic(710);
    pub const V_CVT_SCALEF32_SR_PK_FP4_F16: Mnemonic = Mnemonic(711);
    pub const V_CVT_SCALEF32_SR_PK_FP4_BF16: Mnemonic = Mnemonic(712);
    pub const V_CVT_SCALEF32_PK_F16_FP4: Mnemonic = Mnemonic(713);
    pub const V_CVT_SCALEF32_PK_BF16_FP4: Mnemonic = Mnemonic(714);
    pub const V_CVT_SCALEF32_2XPK16_FP6_F32: Mnemonic = Mnemonic(715);
    pub const V_CVT_SCALEF32_2XPK16_BF6_F32: Mnemonic = Mnemonic(716);
    pub const V_CVT_SCALEF32_SR_PK32_FP6_F32: Mnemonic = Mnemonic(717);
    pub const V_CVT_SCALEF32_SR_PK32_BF6_F32: Mnemonic = Mnemonic(718);
    pub const V_CVT_SCALEF32_PK32_F32_FP6: Mnemonic = Mnemonic(719);
    pub const V_CVT_SCALEF32_PK32_F32_BF6: Mnemonic = Mnemonic(720);
    pub const V_CVT_SCALEF32_PK32_FP6_F16: Mnemonic = Mnemonic(721);
    pub const V_CVT_SCALEF32_PK32_FP6_BF16: Mnemonic = Mnemonic(722);
    pub const V_CVT_SCALEF32_PK32_BF6_F16: Mnemonic = Mnemonic(723);
    pub const V_CVT_SCALEF32_PK32_BF6_BF16: Mnemonic = Mnemonic(724);
    pub const V_CVT_SCALEF32_SR_PK32_FP6_F16: Mnemonic = Mnemonic(725);
    pub const V_CVT_SCALEF32_SR_PK32_FP6_BF16: Mnemonic = Mnemonic(726);
    pub const V_CVT_SCALEF32_SR_PK32_BF6_F16: Mnemonic = Mnemonic(727);
    pub const V_CVT_SCALEF32_SR_PK32_BF6_BF16: Mnemonic = Mnemonic(728);
    pub const V_CVT_SCALEF32_PK32_F16_FP6: Mnemonic = Mnemonic(729);
    pub const V_CVT_SCALEF32_PK32_BF16_FP6: Mnemonic = Mnemonic(730);
    pub const V_CVT_SCALEF32_PK32_F16_BF6: Mnemonic = Mnemonic(731);
    pub const V_CVT_SCALEF32_PK32_BF16_BF6: Mnemonic = Mnemonic(732);
    pub const V_ASHR_PK_I8_I32: Mnemonic = Mnemonic(733);
    pub const V_ASHR_PK_U8_I32: Mnemonic = Mnemonic(734);
    pub const V_CVT_PK_F16_F32: Mnemonic = Mnemonic(735);
    pub const V_CVT_PK_BF16_F32: Mnemonic = Mnemonic(736);
    pub const V_CVT_SCALEF32_PK_BF16_FP8: Mnemonic = Mnemonic(737);
    pub const V_CVT_SCALEF32_PK_BF16_BF8: Mnemonic = Mnemonic(738);
    pub const V_ADD_F64: Mnemonic = Mnemonic(739);
    pub const V_MUL_F64: Mnemonic = Mnemonic(740);
    pub const V_MIN_F64: Mnemonic = Mnemonic(741);
    pub const V_MAX_F64: Mnemonic = Mnemonic(742);
    pub const V_LDEXP_F64: Mnemonic = Mnemonic(743);
    pub const V_MUL_LO_U32: Mnemonic = Mnemonic(744);
    pub const V_MUL_HI_U32: Mnemonic = Mnemonic(745);
    pub const V_MUL_HI_I32: Mnemonic = Mnemonic(746);
    pub const V_LDEXP_F32: Mnemonic = Mnemonic(747);
    pub const V_READLANE_B32: Mnemonic = Mnemonic(748);
    pub const V_WRITELANE_B32: Mnemonic = Mnemonic(749);
    pub const V_BCNT_U32_B32: Mnemonic = Mnemonic(750);
    pub const V_MBCNT_LO_U32_B32: Mnemonic = Mnemonic(751);
    pub const V_MBCNT_HI_U32_B32: Mnemonic = Mnemonic(752);
    pub const V_LSHLREV_B64: Mnemonic = Mnemonic(753);
    pub const V_LSHRREV_B64: Mnemonic = Mnemonic(754);
    pub const V_ASHRREV_I64: Mnemonic = Mnemonic(755);
    pub const V_TRIG_PREOP_F64: Mnemonic = Mnemonic(756);
    pub const V_BFM_B32: Mnemonic = Mnemonic(757);
    pub const V_CVT_PKNORM_I16_F32: Mnemonic = Mnemonic(758);
    pub const V_CVT_PKNORM_U16_F32: Mnemonic = Mnemonic(759);
    pub const V_CVT_PKRTZ_F16_F32: Mnemonic = Mnemonic(760);
    pub const V_CVT_PK_U16_U32: Mnemonic = Mnemonic(761);
    pub const V_CVT_PK_I16_I32: Mnemonic = Mnemonic(762);
    pub const V_CVT_PKNORM_I16_F16: Mnemonic = Mnemonic(763);
    pub const V_CVT_PKNORM_U16_F16: Mnemonic = Mnemonic(764);
    pub const V_ADD_I32: Mnemonic = Mnemonic(765);
    pub const V_SUB_I32: Mnemonic = Mnemonic(766);
    pub const V_ADD_I16: Mnemonic = Mnemonic(767);
    pub const V_SUB_I16: Mnemonic = Mnemonic(768);
    pub const V_PACK_B32_F16: Mnemonic = Mnemonic(769);
    pub const V_CVT_PK_FP8_F32: Mnemonic = Mnemonic(770);
    pub const V_CVT_PK_BF8_F32: Mnemonic = Mnemonic(771);
    pub const V_CVT_SR_FP8_F32: Mnemonic = Mnemonic(772);
    pub const V_CVT_SR_BF8_F32: Mnemonic = Mnemonic(773);
    pub const V_CVT_SR_F16_F32: Mnemonic = Mnemonic(774);
    pub const V_CVT_SR_BF16_F32: Mnemonic = Mnemonic(775);
    pub const V_MINIMUM3_F32: Mnemonic = Mnemonic(776);
    pub const V_MAXIMUM3_F32: Mnemonic = Mnemonic(777);
    pub const V_DIV_SCALE_F32: Mnemonic = Mnemonic(778);
    pub const V_DIV_SCALE_F64: Mnemonic = Mnemonic(779);
    pub const V_MAD_U64_U32: Mnemonic = Mnemonic(780);
    pub const V_MAD_I64_I32: Mnemonic = Mnemonic(781);
    pub const V_PK_MAD_I16: Mnemonic = Mnemonic(782);
    pub const V_PK_MUL_LO_U16: Mnemonic = Mnemonic(783);
    pub const V_PK_ADD_I16: Mnemonic = Mnemonic(784);
    pub const V_PK_SUB_I16: Mnemonic = Mnemonic(785);
    pub const V_PK_LSHLREV_B16: Mnemonic = Mnemonic(786);
    pub const V_PK_LSHRREV_B16: Mnemonic = Mnemonic(787);
    pub const V_PK_ASHRREV_I16: Mnemonic = Mnemonic(788);
    pub const V_PK_MAX_I16: Mnemonic = Mnemonic(789);
    pub const V_PK_MIN_I16: Mnemonic = Mnemonic(790);
    pub const V_PK_MAD_U16: Mnemonic = Mnemonic(791);
    pub const V_PK_ADD_U16: Mnemonic = Mnemonic(792);
    pub const V_PK_SUB_U16: Mnemonic = Mnemonic(793);
    pub const V_PK_MAX_U16: Mnemonic = Mnemonic(794);
    pub const V_PK_MIN_U16: Mnemonic = Mnemonic(795);
    pub const V_PK_FMA_F16: Mnemonic = Mnemonic(796);
    pub const V_PK_ADD_F16: Mnemonic = Mnemonic(797);
    pub const V_PK_MUL_F16: Mnemonic = Mnemonic(798);
    pub const V_PK_MIN_F16: Mnemonic = Mnemonic(799);
    pub const V_PK_MAX_F16: Mnemonic = Mnemonic(800);
    pub const V_DOT2_F32_BF16: Mnemonic = Mnemonic(801);
    pub const V_PK_MINIMUM3_F16: Mnemonic = Mnemonic(802);
    pub const V_PK_MAXIMUM3_F16: Mnemonic = Mnemonic(803);
    pub const V_FMA_MIX_F32: Mnemonic = Mnemonic(804);
    pub const V_FMA_MIXLO_F16: Mnemonic = Mnemonic(805);
    pub const V_FMA_MIXHI_F16: Mnemonic = Mnemonic(806);
    pub const V_DOT2_F32_F16: Mnemonic = Mnemonic(807);
    pub const V_DOT2_I32_I16: Mnemonic = Mnemonic(808);
    pub const V_DOT2_U32_U16: Mnemonic = Mnemonic(809);
    pub const V_DOT4_I32_I8: Mnemonic = Mnemonic(810);
    pub const V_DOT4_U32_U8: Mnemonic = Mnemonic(811);
    pub const V_DOT8_I32_I4: Mnemonic = Mnemonic(812);
    pub const V_DOT8_U32_U4: Mnemonic = Mnemonic(813);
    pub const V_PK_FMA_F32: Mnemonic = Mnemonic(814);
    pub const V_PK_MUL_F32: Mnemonic = Mnemonic(815);
    pub const V_PK_ADD_F32: Mnemonic = Mnemonic(816);
    pub const V_PK_MOV_B32: Mnemonic = Mnemonic(817);
    pub const V_ACCVGPR_READ_B32: Mnemonic = Mnemonic(818);
    pub const V_ACCVGPR_WRITE_B32: Mnemonic = Mnemonic(819);
    pub const V_MFMA_F32_16X16X128_F8F6F4: Mnemonic = Mnemonic(820);
    pub const V_MFMA_F32_32X32X64_F8F6F4: Mnemonic = Mnemonic(821);
    pub const V_MFMA_F32_16X16X32_BF16: Mnemonic = Mnemonic(822);
    pub const V_MFMA_I32_16X16X64_I8: Mnemonic = Mnemonic(823);
    pub const V_MFMA_F32_32X32X16_BF16: Mnemonic = Mnemonic(824);
    pub const V_MFMA_I32_32X32X32_I8: Mnemonic = Mnemonic(825);
    pub const V_SMFMAC_F32_16X16X64_BF16: Mnemonic = Mnemonic(826);
    pub const V_SMFMAC_I32_16X16X128_I8: Mnemonic = Mnemonic(827);
    pub const V_SMFMAC_F32_16X16X128_BF8_BF8: Mnemonic = Mnemonic(828);
    pub const V_SMFMAC_F32_16X16X128_BF8_FP8: Mnemonic = Mnemonic(829);
    pub const V_SMFMAC_F32_16X16X128_FP8_BF8: Mnemonic = Mnemonic(830);
    pub const V_MFMA_F32_16X16X8_XF32: Mnemonic = Mnemonic(831);
    pub const V_MFMA_F32_32X32X4_XF32: Mnemonic = Mnemonic(832);
    pub const V_MFMA_F32_32X32X1F32: Mnemonic = Mnemonic(833);
    pub const V_MFMA_F32_32X32X1_2B_F32: Mnemonic = Mnemonic(834);
    pub const V_MFMA_F32_16X16X1F32: Mnemonic = Mnemonic(835);
    pub const V_MFMA_F32_16X16X1_4B_F32: Mnemonic = Mnemonic(836);
    pub const V_MFMA_F32_4X4X1F32: Mnemonic = Mnemonic(837);
    pub const V_MFMA_F32_4X4X1_16B_F32: Mnemonic = Mnemonic(838);
    pub const V_SMFMAC_F32_16X16X128_FP8_FP8: Mnemonic = Mnemonic(839);
    pub const V_MFMA_F32_32X32X2F32: Mnemonic = Mnemonic(840);
    pub const V_MFMA_F32_32X32X2_F32: Mnemonic = Mnemonic(841);
    pub const V_MFMA_F32_16X16X4F32: Mnemonic = Mnemonic(842);
    pub const V_MFMA_F32_16X16X4_F32: Mnemonic = Mnemonic(843);
    pub const V_SMFMAC_F32_32X32X32_BF16: Mnemonic = Mnemonic(844);
    pub const V_SMFMAC_I32_32X32X64_I8: Mnemonic = Mnemonic(845);
    pub const V_MFMA_F32_32X32X4F16: Mnemonic = Mnemonic(846);
    pub const V_MFMA_F32_32X32X4_2B_F16: Mnemonic = Mnemonic(847);
    pub const V_MFMA_F32_16X16X4F16: Mnemonic = Mnemonic(848);
    pub const V_MFMA_F32_16X16X4_4B_F16: Mnemonic = Mnemonic(849);
    pub const V_MFMA_F32_4X4X4F16: Mnemonic = Mnemonic(850);
    pub const V_MFMA_F32_4X4X4_16B_F16: Mnemonic = Mnemonic(851);
    pub const V_SMFMAC_F32_32X32X64_BF8_BF8: Mnemonic = Mnemonic(852);
    pub const V_MFMA_F32_32X32X8F16: Mnemonic = Mnemonic(853);
    pub const V_MFMA_F32_32X32X8_F16: Mnemonic = Mnemonic(854);
    pub const V_MFMA_F32_16X16X16F16: Mnemonic = Mnemonic(855);
    pub const V_MFMA_F32_16X16X16_F16: Mnemonic = Mnemonic(856);
    pub const V_SMFMAC_F32_32X32X64_BF8_FP8: Mnemonic = Mnemonic(857);
    pub const V_SMFMAC_F32_32X32X64_FP8_BF8: Mnemonic = Mnemonic(858);
    pub const V_MFMA_I32_32X32X4I8: Mnemonic = Mnemonic(859);
    pub const V_MFMA_I32_32X32X4_2B_I8: Mnemonic = Mnemonic(860);
    pub const V_MFMA_I32_16X16X4I8: Mnemonic = Mnemonic(861);
    pub const V_MFMA_I32_16X16X4_4B_I8: Mnemonic = Mnemonic(862);
    pub const V_MFMA_I32_4X4X4I8: Mnemonic = Mnemonic(863);
    pub const V_MFMA_I32_4X4X4_16B_I8: Mnemonic = Mnemonic(864);
    pub const V_SMFMAC_F32_32X32X64_FP8_FP8: Mnemonic = Mnemonic(865);
    pub const V_MFMA_I32_32X32X8I8: Mnemonic = Mnemonic(866);
    pub const V_MFMA_F32_16X16X32_F16: Mnemonic = Mnemonic(867);
    pub const V_MFMA_I32_16X16X16I8: Mnemonic = Mnemonic(868);
    pub const V_MFMA_F32_32X32X16_F16: Mnemonic = Mnemonic(869);
    pub const V_MFMA_I32_32X32X16_I8: Mnemonic = Mnemonic(870);
    pub const V_MFMA_I32_16X16X32_I8: Mnemonic = Mnemonic(871);
    pub const V_SMFMAC_F32_16X16X64_F16: Mnemonic = Mnemonic(872);
    pub const V_SMFMAC_F32_32X32X32_F16: Mnemonic = Mnemonic(873);
    pub const V_MFMA_F32_32X32X4_2B_BF16: Mnemonic = Mnemonic(874);
    pub const V_MFMA_F32_16X16X4_4B_BF16: Mnemonic = Mnemonic(875);
    pub const V_MFMA_F32_4X4X4_16B_BF16: Mnemonic = Mnemonic(876);
    pub const V_MFMA_F32_32X32X8_BF16: Mnemonic = Mnemonic(877);
    pub const V_MFMA_F32_16X16X16_BF16: Mnemonic = Mnemonic(878);
    pub const V_SMFMAC_F32_16X16X32_F16: Mnemonic = Mnemonic(879);
    pub const V_MFMA_F32_32X32X4BF16_1K: Mnemonic = Mnemonic(880);
    pub const V_MFMA_F32_16X16X4BF16_1K: Mnemonic = Mnemonic(881);
    pub const V_SMFMAC_F32_32X32X16_F16: Mnemonic = Mnemonic(882);
    pub const V_MFMA_F32_4X4X4BF16_1K: Mnemonic = Mnemonic(883);
    pub const V_MFMA_F32_32X32X8BF16_1K: Mnemonic = Mnemonic(884);
    pub const V_SMFMAC_F32_16X16X32_BF16: Mnemonic = Mnemonic(885);
    pub const V_MFMA_F32_16X16X16BF16_1K: Mnemonic = Mnemonic(886);
    pub const V_MFMA_F32_32X32X2BF16: Mnemonic = Mnemonic(887);
    pub const V_SMFMAC_F32_32X32X16_BF16: Mnemonic = Mnemonic(888);
    pub const V_MFMA_F32_16X16X2BF16: Mnemonic = Mnemonic(889);
    pub const V_SMFMAC_I32_16X16X64_I8: Mnemonic = Mnemonic(890);
    pub const V_MFMA_F32_4X4X2BF16: Mnemonic = Mnemonic(891);
    pub const V_MFMA_F32_32X32X4BF16: Mnemonic = Mnemonic(892);
    pub const V_SMFMAC_I32_32X32X32_I8: Mnemonic = Mnemonic(893);
    pub const V_MFMA_F32_16X16X8BF16: Mnemonic = Mnemonic(894);
    pub const V_MFMA_F64_16X16X4F64: Mnemonic = Mnemonic(895);
    pub const V_MFMA_F64_16X16X4_F64: Mnemonic = Mnemonic(896);
    pub const V_MFMA_F64_4X4X4F64: Mnemonic = Mnemonic(897);
    pub const V_MFMA_F64_4X4X4_4B_F64: Mnemonic = Mnemonic(898);
    pub const V_MFMA_F32_16X16X32_BF8_BF8: Mnemonic = Mnemonic(899);
    pub const V_MFMA_F32_16X16X32_BF8_FP8: Mnemonic = Mnemonic(900);
    pub const V_MFMA_F32_16X16X32_FP8_BF8: Mnemonic = Mnemonic(901);
    pub const V_MFMA_F32_16X16X32_FP8_FP8: Mnemonic = Mnemonic(902);
    pub const V_MFMA_F32_32X32X16_BF8_BF8: Mnemonic = Mnemonic(903);
    pub const V_MFMA_F32_32X32X16_BF8_FP8: Mnemonic = Mnemonic(904);
    pub const V_MFMA_F32_32X32X16_FP8_BF8: Mnemonic = Mnemonic(905);
    pub const V_MFMA_F32_32X32X16_FP8_FP8: Mnemonic = Mnemonic(906);
    pub const V_SMFMAC_F32_16X16X64_BF8_BF8: Mnemonic = Mnemonic(907);
    pub const V_SMFMAC_F32_16X16X64_BF8_FP8: Mnemonic = Mnemonic(908);
    pub const V_SMFMAC_F32_16X16X64_FP8_BF8: Mnemonic = Mnemonic(909);
    pub const V_SMFMAC_F32_16X16X64_FP8_FP8: Mnemonic = Mnemonic(910);
    pub const V_SMFMAC_F32_32X32X32_BF8_BF8: Mnemonic = Mnemonic(911);
    pub const V_SMFMAC_F32_32X32X32_BF8_FP8: Mnemonic = Mnemonic(912);
    pub const V_SMFMAC_F32_32X32X32_FP8_BF8: Mnemonic = Mnemonic(913);
    pub const V_SMFMAC_F32_32X32X32_FP8_FP8: Mnemonic = Mnemonic(914);
    pub const V_MFMA_SCALE_F32_16X16X128_F8F6F4: Mnemonic = Mnemonic(915);
    pub const V_MFMA_SCALE_F32_32X32X64_F8F6F4: Mnemonic = Mnemonic(916);
    pub const V_MFMA_LD_SCALE_B32: Mnemonic = Mnemonic(917);
    pub const DS_ADD_U32: Mnemonic = Mnemonic(918);
    pub const DS_SUB_U32: Mnemonic = Mnemonic(919);
    pub const DS_RSUB_U32: Mnemonic = Mnemonic(920);
    pub const DS_INC_U32: Mnemonic = Mnemonic(921);
    pub const DS_DEC_U32: Mnemonic = Mnemonic(922);
    pub const DS_MIN_I32: Mnemonic = Mnemonic(923);
    pub const DS_MAX_I32: Mnemonic = Mnemonic(924);
    pub const DS_MIN_U32: Mnemonic = Mnemonic(925);
    pub const DS_MAX_U32: Mnemonic = Mnemonic(926);
    pub const DS_AND_B32: Mnemonic = Mnemonic(927);
    pub const DS_OR_B32: Mnemonic = Mnemonic(928);
    pub const DS_XOR_B32: Mnemonic = Mnemonic(929);
    pub const DS_MSKOR_B32: Mnemonic = Mnemonic(930);
    pub const DS_WRITE_B32: Mnemonic = Mnemonic(931);
    pub const DS_WRITE2_B32: Mnemonic = Mnemonic(932);
    pub const DS_WRITE2ST64_B32: Mnemonic = Mnemonic(933);
    pub const DS_CMPST_B32: Mnemonic = Mnemonic(934);
    pub const DS_CMPST_F32: Mnemonic = Mnemonic(935);
    pub const DS_MIN_F32: Mnemonic = Mnemonic(936);
    pub const DS_MAX_F32: Mnemonic = Mnemonic(937);
    pub const DS_NOP: Mnemonic = Mnemonic(938);
    pub const DS_ADD_F32: Mnemonic = Mnemonic(939);
    pub const DS_PK_ADD_F16: Mnemonic = Mnemonic(940);
    pub const DS_PK_ADD_BF16: Mnemonic = Mnemonic(941);
    pub const DS_WRITE_ADDTID_B32: Mnemonic = Mnemonic(942);
    pub const DS_WRITE_B8: Mnemonic = Mnemonic(943);
    pub const DS_WRITE_B16: Mnemonic = Mnemonic(944);
    pub const DS_ADD_RTN_U32: Mnemonic = Mnemonic(945);
    pub const DS_SUB_RTN_U32: Mnemonic = Mnemonic(946);
    pub const DS_RSUB_RTN_U32: Mnemonic = Mnemonic(947);
    pub const DS_INC_RTN_U32: Mnemonic = Mnemonic(948);
    pub const DS_DEC_RTN_U32: Mnemonic = Mnemonic(949);
    pub const DS_MIN_RTN_I32: Mnemonic = Mnemonic(950);
    pub const DS_MAX_RTN_I32: Mnemonic = Mnemonic(951);
    pub const DS_MIN_RTN_U32: Mnemonic = Mnemonic(952);
    pub const DS_MAX_RTN_U32: Mnemonic = Mnemonic(953);
    pub const DS_AND_RTN_B32: Mnemonic = Mnemonic(954);
    pub const DS_OR_RTN_B32: Mnemonic = Mnemonic(955);
    pub const DS_XOR_RTN_B32: Mnemonic = Mnemonic(956);
    pub const DS_MSKOR_RTN_B32: Mnemonic = Mnemonic(957);
    pub const DS_WRXCHG_RTN_B32: Mnemonic = Mnemonic(958);
    pub const DS_WRXCHG2_RTN_B32: Mnemonic = Mnemonic(959);
    pub const DS_WRXCHG2ST64_RTN_B32: Mnemonic = Mnemonic(960);
    pub const DS_CMPST_RTN_B32: Mnemonic = Mnemonic(961);
    pub const DS_CMPST_RTN_F32: Mnemonic = Mnemonic(962);
    pub const DS_MIN_RTN_F32: Mnemonic = Mnemonic(963);
    pub const DS_MAX_RTN_F32: Mnemonic = Mnemonic(964);
    pub const DS_WRAP_RTN_B32: Mnemonic = Mnemonic(965);
    pub const DS_ADD_RTN_F32: Mnemonic = Mnemonic(966);
    pub const DS_READ_B32: Mnemonic = Mnemonic(967);
    pub const DS_READ2_B32: Mnemonic = Mnemonic(968);
    pub const DS_READ2ST64_B32: Mnemonic = Mnemonic(969);
    pub const DS_READ_I8: Mnemonic = Mnemonic(970);
    pub const DS_READ_U8: Mnemonic = Mnemonic(971);
    pub const DS_READ_I16: Mnemonic = Mnemonic(972);
    pub const DS_READ_U16: Mnemonic = Mnemonic(973);
    pub const DS_SWIZZLE_B32: Mnemonic = Mnemonic(974);
    pub const DS_PERMUTE_B32: Mnemonic = Mnemonic(975);
    pub const DS_BPERMUTE_B32: Mnemonic = Mnemonic(976);
    pub const DS_ADD_U64: Mnemonic = Mnemonic(977);
    pub const DS_SUB_U64: Mnemonic = Mnemonic(978);
    pub const DS_RSUB_U64: Mnemonic = Mnemonic(979);
    pub const DS_INC_U64: Mnemonic = Mnemonic(980);
    pub const DS_DEC_U64: Mnemonic = Mnemonic(981);
    pub const DS_MIN_I64: Mnemonic = Mnemonic(982);
    pub const DS_MAX_I64: Mnemonic = Mnemonic(983);
    pub const DS_MIN_U64: Mnemonic = Mnemonic(984);
    pub const DS_MAX_U64: Mnemonic = Mnemonic(985);
    pub const DS_AND_B64: Mnemonic = Mnemonic(986);
    pub const DS_OR_B64: Mnemonic = Mnemonic(987);
    pub const DS_XOR_B64: Mnemonic = Mnemonic(988);
    pub const DS_MSKOR_B64: Mnemonic = Mnemonic(989);
    pub const DS_WRITE_B64: Mnemonic = Mnemonic(990);
    pub const DS_WRITE2_B64: Mnemonic = Mnemonic(991);
    pub const DS_WRITE2ST64_B64: Mnemonic = Mnemonic(992);
    pub const DS_CMPST_B64: Mnemonic = Mnemonic(993);
    pub const DS_CMPST_F64: Mnemonic = Mnemonic(994);
    pub const DS_MIN_F64: Mnemonic = Mnemonic(995);
    pub const DS_MAX_F64: Mnemonic = Mnemonic(996);
    pub const DS_WRITE_B8_D16_HI: Mnemonic = Mnemonic(997);
    pub const DS_WRITE_B16_D16_HI: Mnemonic = Mnemonic(998);
    pub const DS_READ_U8_D16: Mnemonic = Mnemonic(999);
    pub const DS_READ_U8_D16_HI: Mnemonic = Mnemonic(1000);
    pub const DS_READ_I8_D16: Mnemonic = Mnemonic(1001);
    pub const DS_READ_I8_D16_HI: Mnemonic = Mnemonic(1002);
    pub const DS_READ_U16_D16: Mnemonic = Mnemonic(1003);
    pub const DS_READ_U16_D16_HI: Mnemonic = Mnemonic(1004);
    pub const DS_ADD_F64: Mnemonic = Mnemonic(1005);
    pub const DS_ADD_RTN_U64: Mnemonic = Mnemonic(1006);
    pub const DS_SUB_RTN_U64: Mnemonic = Mnemonic(1007);
    pub const DS_RSUB_RTN_U64: Mnemonic = Mnemonic(1008);
    pub const DS_INC_RTN_U64: Mnemonic = Mnemonic(1009);
    pub const DS_DEC_RTN_U64: Mnemonic = Mnemonic(1010);
    pub const DS_MIN_RTN_I64: Mnemonic = Mnemonic(1011);
    pub const DS_MAX_RTN_I64: Mnemonic = Mnemonic(1012);
    pub const DS_MIN_RTN_U64: Mnemonic = Mnemonic(1013);
    pub const DS_MAX_RTN_U64: Mnemonic = Mnemonic(1014);
    pub const DS_AND_RTN_B64: Mnemonic = Mnemonic(1015);
    pub const DS_OR_RTN_B64: Mnemonic = Mnemonic(1016);
    pub const DS_XOR_RTN_B64: Mnemonic = Mnemonic(1017);
    pub const DS_MSKOR_RTN_B64: Mnemonic = Mnemonic(1018);
    pub const DS_WRXCHG_RTN_B64: Mnemonic = Mnemonic(1019);
    pub const DS_WRXCHG2_RTN_B64: Mnemonic = Mnemonic(1020);
    pub const DS_WRXCHG2ST64_RTN_B64: Mnemonic = Mnemonic(1021);
    pub const DS_CMPST_RTN_B64: Mnemonic = Mnemonic(1022);
    pub const DS_CMPST_RTN_F64: Mnemonic = Mnemonic(1023);
    pub const DS_MIN_RTN_F64: Mnemonic = Mnemonic(1024);
    pub const DS_MAX_RTN_F64: Mnemonic = Mnemonic(1025);
    pub const DS_READ_B64: Mnemonic = Mnemonic(1026);
    pub const DS_READ2_B64: Mnemonic = Mnemonic(1027);
    pub const DS_READ2ST64_B64: Mnemonic = Mnemonic(1028);
    pub const DS_ADD_RTN_F64: Mnemonic = Mnemonic(1029);
    pub const DS_CONDXCHG32_RTN_B64: Mnemonic = Mnemonic(1030);
    pub const DS_ADD_SRC2_U32: Mnemonic = Mnemonic(1031);
    pub const DS_SUB_SRC2_U32: Mnemonic = Mnemonic(1032);
    pub const DS_RSUB_SRC2_U32: Mnemonic = Mnemonic(1033);
    pub const DS_INC_SRC2_U32: Mnemonic = Mnemonic(1034);
    pub const DS_DEC_SRC2_U32: Mnemonic = Mnemonic(1035);
    pub const DS_MIN_SRC2_I32: Mnemonic = Mnemonic(1036);
    pub const DS_MAX_SRC2_I32: Mnemonic = Mnemonic(1037);
    pub const DS_MIN_SRC2_U32: Mnemonic = Mnemonic(1038);
    pub const DS_MAX_SRC2_U32: Mnemonic = Mnemonic(1039);
    pub const DS_AND_SRC2_B32: Mnemonic = Mnemonic(1040);
    pub const DS_OR_SRC2_B32: Mnemonic = Mnemonic(1041);
    pub const DS_XOR_SRC2_B32: Mnemonic = Mnemonic(1042);
    pub const DS_WRITE_SRC2_B32: Mnemonic = Mnemonic(1043);
    pub const DS_MIN_SRC2_F32: Mnemonic = Mnemonic(1044);
    pub const DS_MAX_SRC2_F32: Mnemonic = Mnemonic(1045);
    pub const DS_ADD_SRC2_F32: Mnemonic = Mnemonic(1046);
    pub const DS_GWS_SEMA_RELEASE_ALL: Mnemonic = Mnemonic(1047);
    pub const DS_GWS_INIT: Mnemonic = Mnemonic(1048);
    pub const DS_GWS_SEMA_V: Mnemonic = Mnemonic(1049);
    pub const DS_GWS_SEMA_BR: Mnemonic = Mnemonic(1050);
    pub const DS_GWS_SEMA_P: Mnemonic = Mnemonic(1051);
    pub const DS_GWS_BARRIER: Mnemonic = Mnemonic(1052);
    pub const DS_READ_ADDTID_B32: Mnemonic = Mnemonic(1053);
    pub const DS_PK_ADD_RTN_F16: Mnemonic = Mnemonic(1054);
    pub const DS_PK_ADD_RTN_BF16: Mnemonic = Mnemonic(1055);
    pub const DS_CONSUME: Mnemonic = Mnemonic(1056);
    pub const DS_APPEND: Mnemonic = Mnemonic(1057);
    pub const DS_ORDERED_COUNT: Mnemonic = Mnemonic(1058);
    pub const DS_ADD_SRC2_U64: Mnemonic = Mnemonic(1059);
    pub const DS_SUB_SRC2_U64: Mnemonic = Mnemonic(1060);
    pub const DS_RSUB_SRC2_U64: Mnemonic = Mnemonic(1061);
    pub const DS_INC_SRC2_U64: Mnemonic = Mnemonic(1062);
    pub const DS_DEC_SRC2_U64: Mnemonic = Mnemonic(1063);
    pub const DS_MIN_SRC2_I64: Mnemonic = Mnemonic(1064);
    pub const DS_MAX_SRC2_I64: Mnemonic = Mnemonic(1065);
    pub const DS_MIN_SRC2_U64: Mnemonic = Mnemonic(1066);
    pub const DS_MAX_SRC2_U64: Mnemonic = Mnemonic(1067);
    pub const DS_AND_SRC2_B64: Mnemonic = Mnemonic(1068);
    pub const DS_OR_SRC2_B64: Mnemonic = Mnemonic(1069);
    pub const DS_XOR_SRC2_B64: Mnemonic = Mnemonic(1070);
    pub const DS_WRITE_SRC2_B64: Mnemonic = Mnemonic(1071);
    pub const DS_MIN_SRC2_F64: Mnemonic = Mnemonic(1072);
    pub const DS_MAX_SRC2_F64: Mnemonic = Mnemonic(1073);
    pub const DS_WRITE_B96: Mnemonic = Mnemonic(1074);
    pub const DS_WRITE_B128: Mnemonic = Mnemonic(1075);
    pub const DS_READ_B64_TR_B4: Mnemonic = Mnemonic(1076);
    pub const DS_READ_B96_TR_B6: Mnemonic = Mnemonic(1077);
    pub const DS_READ_B64_TR_B8: Mnemonic = Mnemonic(1078);
    pub const DS_READ_B64_TR_B16: Mnemonic = Mnemonic(1079);
    pub const DS_READ_B96: Mnemonic = Mnemonic(1080);
    pub const DS_READ_B128: Mnemonic = Mnemonic(1081);
    pub const BUFFER_LOAD_FORMAT_X: Mnemonic = Mnemonic(1082);
    pub const BUFFER_LOAD_FORMAT_XY: Mnemonic = Mnemonic(1083);
    pub const BUFFER_LOAD_FORMAT_XYZ: Mnemonic = Mnemonic(1084);
    pub const BUFFER_LOAD_FORMAT_XYZW: Mnemonic = Mnemonic(1085);
    pub const BUFFER_STORE_FORMAT_X: Mnemonic = Mnemonic(1086);
    pub const BUFFER_STORE_FORMAT_XY: Mnemonic = Mnemonic(1087);
    pub const BUFFER_STORE_FORMAT_XYZ: Mnemonic = Mnemonic(1088);
    pub const BUFFER_STORE_FORMAT_XYZW: Mnemonic = Mnemonic(1089);
    pub const BUFFER_LOAD_FORMAT_D16_X: Mnemonic = Mnemonic(1090);
    pub const BUFFER_LOAD_FORMAT_D16_XY: Mnemonic = Mnemonic(1091);
    pub const BUFFER_LOAD_FORMAT_D16_XYZ: Mnemonic = Mnemonic(1092);
    pub const BUFFER_LOAD_FORMAT_D16_XYZW: Mnemonic = Mnemonic(1093);
    pub const BUFFER_STORE_FORMAT_D16_X: Mnemonic = Mnemonic(1094);
    pub const BUFFER_STORE_FORMAT_D16_XY: Mnemonic = Mnemonic(1095);
    pub const BUFFER_STORE_FORMAT_D16_XYZ: Mnemonic = Mnemonic(1096);
    pub const BUFFER_STORE_FORMAT_D16_XYZW: Mnemonic = Mnemonic(1097);
    pub const BUFFER_LOAD_UBYTE: Mnemonic = Mnemonic(1098);
    pub const BUFFER_LOAD_SBYTE: Mnemonic = Mnemonic(1099);
    pub const BUFFER_LOAD_USHORT: Mnemonic = Mnemonic(1100);
    pub const BUFFER_LOAD_SSHORT: Mnemonic = Mnemonic(1101);
    pub const BUFFER_LOAD_DWORD: Mnemonic = Mnemonic(1102);
    pub const BUFFER_LOAD_DWORDX2: Mnemonic = Mnemonic(1103);
    pub const BUFFER_LOAD_DWORDX3: Mnemonic = Mnemonic(1104);
    pub const BUFFER_LOAD_DWORDX4: Mnemonic = Mnemonic(1105);
    pub const BUFFER_STORE_BYTE: Mnemonic = Mnemonic(1106);
    pub const BUFFER_STORE_BYTE_D16_HI: Mnemonic = Mnemonic(1107);
    pub const BUFFER_STORE_SHORT: Mnemonic = Mnemonic(1108);
    pub const BUFFER_STORE_SHORT_D16_HI: Mnemonic = Mnemonic(1109);
    pub const BUFFER_STORE_DWORD: Mnemonic = Mnemonic(1110);
    pub const BUFFER_STORE_DWORDX2: Mnemonic = Mnemonic(1111);
    pub const BUFFER_STORE_DWORDX3: Mnemonic = Mnemonic(1112);
    pub const BUFFER_STORE_DWORDX4: Mnemonic = Mnemonic(1113);
    pub const BUFFER_LOAD_UBYTE_D16: Mnemonic = Mnemonic(1114);
    pub const BUFFER_LOAD_UBYTE_D16_HI: Mnemonic = Mnemonic(1115);
    pub const BUFFER_LOAD_SBYTE_D16: Mnemonic = Mnemonic(1116);
    pub const BUFFER_LOAD_SBYTE_D16_HI: Mnemonic = Mnemonic(1117);
    pub const BUFFER_LOAD_SHORT_D16: Mnemonic = Mnemonic(1118);
    pub const BUFFER_LOAD_SHORT_D16_HI: Mnemonic = Mnemonic(1119);
    pub const BUFFER_LOAD_FORMAT_D16_HI_X: Mnemonic = Mnemonic(1120);
    pub const BUFFER_STORE_FORMAT_D16_HI_X: Mnemonic = Mnemonic(1121);
    pub const BUFFER_WBL2: Mnemonic = Mnemonic(1122);
    pub const BUFFER_INVL2: Mnemonic = Mnemonic(1123);
    pub const BUFFER_INV: Mnemonic = Mnemonic(1124);
    pub const BUFFER_STORE_LDS_DWORD: Mnemonic = Mnemonic(1125);
    pub const BUFFER_WBINVL1: Mnemonic = Mnemonic(1126);
    pub const BUFFER_WBINVL1_VOL: Mnemonic = Mnemonic(1127);
    pub const BUFFER_ATOMIC_SWAP: Mnemonic = Mnemonic(1128);
    pub const BUFFER_ATOMIC_CMPSWAP: Mnemonic = Mnemonic(1129);
    pub const BUFFER_ATOMIC_ADD: Mnemonic = Mnemonic(1130);
    pub const BUFFER_ATOMIC_SUB: Mnemonic = Mnemonic(1131);
    pub const BUFFER_ATOMIC_SMIN: Mnemonic = Mnemonic(1132);
    pub const BUFFER_ATOMIC_UMIN: Mnemonic = Mnemonic(1133);
    pub const BUFFER_ATOMIC_SMAX: Mnemonic = Mnemonic(1134);
    pub const BUFFER_ATOMIC_UMAX: Mnemonic = Mnemonic(1135);
    pub const BUFFER_ATOMIC_AND: Mnemonic = Mnemonic(1136);
    pub const BUFFER_ATOMIC_OR: Mnemonic = Mnemonic(1137);
    pub const BUFFER_ATOMIC_XOR: Mnemonic = Mnemonic(1138);
    pub const BUFFER_ATOMIC_INC: Mnemonic = Mnemonic(1139);
    pub const BUFFER_ATOMIC_DEC: Mnemonic = Mnemonic(1140);
    pub const BUFFER_ATOMIC_ADD_F32: Mnemonic = Mnemonic(1141);
    pub const BUFFER_ATOMIC_PK_ADD_F16: Mnemonic = Mnemonic(1142);
    pub const BUFFER_ATOMIC_ADD_F64: Mnemonic = Mnemonic(1143);
    pub const BUFFER_ATOMIC_MIN_F64: Mnemonic = Mnemonic(1144);
    pub const BUFFER_ATOMIC_MAX_F64: Mnemonic = Mnemonic(1145);
    pub const BUFFER_ATOMIC_PK_ADD_BF16: Mnemonic = Mnemonic(1146);
    pub const BUFFER_ATOMIC_SWAP_X2: Mnemonic = Mnemonic(1147);
    pub const BUFFER_ATOMIC_CMPSWAP_X2: Mnemonic = Mnemonic(1148);
    pub const BUFFER_ATOMIC_ADD_X2: Mnemonic = Mnemonic(1149);
    pub const BUFFER_ATOMIC_SUB_X2: Mnemonic = Mnemonic(1150);
    pub const BUFFER_ATOMIC_SMIN_X2: Mnemonic = Mnemonic(1151);
    pub const BUFFER_ATOMIC_UMIN_X2: Mnemonic = Mnemonic(1152);
    pub const BUFFER_ATOMIC_SMAX_X2: Mnemonic = Mnemonic(1153);
    pub const BUFFER_ATOMIC_UMAX_X2: Mnemonic = Mnemonic(1154);
    pub const BUFFER_ATOMIC_AND_X2: Mnemonic = Mnemonic(1155);
    pub const BUFFER_ATOMIC_OR_X2: Mnemonic = Mnemonic(1156);
    pub const BUFFER_ATOMIC_XOR_X2: Mnemonic = Mnemonic(1157);
    pub const BUFFER_ATOMIC_INC_X2: Mnemonic = Mnemonic(1158);
    pub const BUFFER_ATOMIC_DEC_X2: Mnemonic = Mnemonic(1159);
    pub const TBUFFER_LOAD_FORMAT_X: Mnemonic = Mnemonic(1160);
    pub const TBUFFER_LOAD_FORMAT_XY: Mnemonic = Mnemonic(1161);
    pub const TBUFFER_LOAD_FORMAT_XYZ: Mnemonic = Mnemonic(1162);
    pub const TBUFFER_LOAD_FORMAT_XYZW: Mnemonic = Mnemonic(1163);
    pub const TBUFFER_STORE_FORMAT_X: Mnemonic = Mnemonic(1164);
    pub const TBUFFER_STORE_FORMAT_XY: Mnemonic = Mnemonic(1165);
    pub const TBUFFER_STORE_FORMAT_XYZ: Mnemonic = Mnemonic(1166);
    pub const TBUFFER_STORE_FORMAT_XYZW: Mnemonic = Mnemonic(1167);
    pub const TBUFFER_LOAD_FORMAT_D16_X: Mnemonic = Mnemonic(1168);
    pub const TBUFFER_LOAD_FORMAT_D16_XY: Mnemonic = Mnemonic(1169);
    pub const TBUFFER_LOAD_FORMAT_D16_XYZ: Mnemonic = Mnemonic(1170);
    pub const TBUFFER_LOAD_FORMAT_D16_XYZW: Mnemonic = Mnemonic(1171);
    pub const TBUFFER_STORE_FORMAT_D16_X: Mnemonic = Mnemonic(1172);
    pub const TBUFFER_STORE_FORMAT_D16_XY: Mnemonic = Mnemonic(1173);
    pub const TBUFFER_STORE_FORMAT_D16_XYZ: Mnemonic = Mnemonic(1174);
    pub const TBUFFER_STORE_FORMAT_D16_XYZW: Mnemonic = Mnemonic(1175);
    pub const FLAT_LOAD_UBYTE: Mnemonic = Mnemonic(1176);
    pub const FLAT_LOAD_SBYTE: Mnemonic = Mnemonic(1177);
    pub const FLAT_LOAD_USHORT: Mnemonic = Mnemonic(1178);
    pub const FLAT_LOAD_SSHORT: Mnemonic = Mnemonic(1179);
    pub const FLAT_LOAD_DWORD: Mnemonic = Mnemonic(1180);
    pub const FLAT_LOAD_DWORDX2: Mnemonic = Mnemonic(1181);
    pub const FLAT_LOAD_DWORDX3: Mnemonic = Mnemonic(1182);
    pub const FLAT_LOAD_DWORDX4: Mnemonic = Mnemonic(1183);
    pub const FLAT_STORE_BYTE: Mnemonic = Mnemonic(1184);
    pub const FLAT_STORE_BYTE_D16_HI: Mnemonic = Mnemonic(1185);
    pub const FLAT_STORE_SHORT: Mnemonic = Mnemonic(1186);
    pub const FLAT_STORE_SHORT_D16_HI: Mnemonic = Mnemonic(1187);
    pub const FLAT_STORE_DWORD: Mnemonic = Mnemonic(1188);
    pub const FLAT_STORE_DWORDX2: Mnemonic = Mnemonic(1189);
    pub const FLAT_STORE_DWORDX3: Mnemonic = Mnemonic(1190);
    pub const FLAT_STORE_DWORDX4: Mnemonic = Mnemonic(1191);
    pub const FLAT_LOAD_UBYTE_D16: Mnemonic = Mnemonic(1192);
    pub const FLAT_LOAD_UBYTE_D16_HI: Mnemonic = Mnemonic(1193);
    pub const FLAT_LOAD_SBYTE_D16: Mnemonic = Mnemonic(1194);
    pub const FLAT_LOAD_SBYTE_D16_HI: Mnemonic = Mnemonic(1195);
    pub const FLAT_LOAD_SHORT_D16: Mnemonic = Mnemonic(1196);
    pub const FLAT_LOAD_SHORT_D16_HI: Mnemonic = Mnemonic(1197);
    pub const FLAT_ATOMIC_SWAP: Mnemonic = Mnemonic(1198);
    pub const FLAT_ATOMIC_CMPSWAP: Mnemonic = Mnemonic(1199);
    pub const FLAT_ATOMIC_ADD: Mnemonic = Mnemonic(1200);
    pub const FLAT_ATOMIC_SUB: Mnemonic = Mnemonic(1201);
    pub const FLAT_ATOMIC_SMIN: Mnemonic = Mnemonic(1202);
    pub const FLAT_ATOMIC_UMIN: Mnemonic = Mnemonic(1203);
    pub const FLAT_ATOMIC_SMAX: Mnemonic = Mnemonic(1204);
    pub const FLAT_ATOMIC_UMAX: Mnemonic = Mnemonic(1205);
    pub const FLAT_ATOMIC_AND: Mnemonic = Mnemonic(1206);
    pub const FLAT_ATOMIC_OR: Mnemonic = Mnemonic(1207);
    pub const FLAT_ATOMIC_XOR: Mnemonic = Mnemonic(1208);
    pub const FLAT_ATOMIC_INC: Mnemonic = Mnemonic(1209);
    pub const FLAT_ATOMIC_DEC: Mnemonic = Mnemonic(1210);
    pub const FLAT_ATOMIC_ADD_F32: Mnemonic = Mnemonic(1211);
    pub const FLAT_ATOMIC_PK_ADD_F16: Mnemonic = Mnemonic(1212);
    pub const FLAT_ATOMIC_ADD_F64: Mnemonic = Mnemonic(1213);
    pub const FLAT_ATOMIC_MIN_F64: Mnemonic = Mnemonic(1214);
    pub const FLAT_ATOMIC_MAX_F64: Mnemonic = Mnemonic(1215);
    pub const FLAT_ATOMIC_PK_ADD_BF16: Mnemonic = Mnemonic(1216);
    pub const FLAT_ATOMIC_SWAP_X2: Mnemonic = Mnemonic(1217);
    pub const FLAT_ATOMIC_CMPSWAP_X2: Mnemonic = Mnemonic(1218);
    pub const FLAT_ATOMIC_ADD_X2: Mnemonic = Mnemonic(1219);
    pub const FLAT_ATOMIC_SUB_X2: Mnemonic = Mnemonic(1220);
    pub const FLAT_ATOMIC_SMIN_X2: Mnemonic = Mnemonic(1221);
    pub const FLAT_ATOMIC_UMIN_X2: Mnemonic = Mnemonic(1222);
    pub const FLAT_ATOMIC_SMAX_X2: Mnemonic = Mnemonic(1223);
    pub const FLAT_ATOMIC_UMAX_X2: Mnemonic = Mnemonic(1224);
    pub const FLAT_ATOMIC_AND_X2: Mnemonic = Mnemonic(1225);
    pub const FLAT_ATOMIC_OR_X2: Mnemonic = Mnemonic(1226);
    pub const FLAT_ATOMIC_XOR_X2: Mnemonic = Mnemonic(1227);
    pub const FLAT_ATOMIC_INC_X2: Mnemonic = Mnemonic(1228);
    pub const FLAT_ATOMIC_DEC_X2: Mnemonic = Mnemonic(1229);
    pub const GLOBAL_LOAD_UBYTE: Mnemonic = Mnemonic(1230);
    pub const GLOBAL_LOAD_SBYTE: Mnemonic = Mnemonic(1231);
    pub const GLOBAL_LOAD_USHORT: Mnemonic = Mnemonic(1232);
    pub const GLOBAL_LOAD_SSHORT: Mnemonic = Mnemonic(1233);
    pub const GLOBAL_LOAD_DWORD: Mnemonic = Mnemonic(1234);
    pub const GLOBAL_LOAD_DWORDX2: Mnemonic = Mnemonic(1235);
    pub const GLOBAL_LOAD_DWORDX3: Mnemonic = Mnemonic(1236);
    pub const GLOBAL_LOAD_DWORDX4: Mnemonic = Mnemonic(1237);
    pub const GLOBAL_STORE_BYTE: Mnemonic = Mnemonic(1238);
    pub const GLOBAL_STORE_BYTE_D16_HI: Mnemonic = Mnemonic(1239);
    pub const GLOBAL_STORE_SHORT: Mnemonic = Mnemonic(1240);
    pub const GLOBAL_STORE_SHORT_D16_HI: Mnemonic = Mnemonic(1241);
    pub const GLOBAL_STORE_DWORD: Mnemonic = Mnemonic(1242);
    pub const GLOBAL_STORE_DWORDX2: Mnemonic = Mnemonic(1243);
    pub const GLOBAL_STORE_DWORDX3: Mnemonic = Mnemonic(1244);
    pub const GLOBAL_STORE_DWORDX4: Mnemonic = Mnemonic(1245);
    pub const GLOBAL_LOAD_UBYTE_D16: Mnemonic = Mnemonic(1246);
    pub const GLOBAL_LOAD_UBYTE_D16_HI: Mnemonic = Mnemonic(1247);
    pub const GLOBAL_LOAD_SBYTE_D16: Mnemonic = Mnemonic(1248);
    pub const GLOBAL_LOAD_SBYTE_D16_HI: Mnemonic = Mnemonic(1249);
    pub const GLOBAL_LOAD_SHORT_D16: Mnemonic = Mnemonic(1250);
    pub const GLOBAL_LOAD_SHORT_D16_HI: Mnemonic = Mnemonic(1251);
    pub const GLOBAL_LOAD_LDS_UBYTE: Mnemonic = Mnemonic(1252);
    pub const GLOBAL_LOAD_LDS_SBYTE: Mnemonic = Mnemonic(1253);
    pub const GLOBAL_LOAD_LDS_USHORT: Mnemonic = Mnemonic(1254);
    pub const GLOBAL_LOAD_LDS_SSHORT: Mnemonic = Mnemonic(1255);
    pub const GLOBAL_LOAD_LDS_DWORD: Mnemonic = Mnemonic(1256);
    pub const GLOBAL_ATOMIC_SWAP: Mnemonic = Mnemonic(1257);
    pub const GLOBAL_ATOMIC_CMPSWAP: Mnemonic = Mnemonic(1258);
    pub const GLOBAL_ATOMIC_ADD: Mnemonic = Mnemonic(1259);
    pub const GLOBAL_ATOMIC_SUB: Mnemonic = Mnemonic(1260);
    pub const GLOBAL_ATOMIC_SMIN: Mnemonic = Mnemonic(1261);
    pub const GLOBAL_ATOMIC_UMIN: Mnemonic = Mnemonic(1262);
    pub const GLOBAL_ATOMIC_SMAX: Mnemonic = Mnemonic(1263);
    pub const GLOBAL_ATOMIC_UMAX: Mnemonic = Mnemonic(1264);
    pub const GLOBAL_ATOMIC_AND: Mnemonic = Mnemonic(1265);
    pub const GLOBAL_ATOMIC_OR: Mnemonic = Mnemonic(1266);
    pub const GLOBAL_ATOMIC_XOR: Mnemonic = Mnemonic(1267);
    pub const GLOBAL_ATOMIC_INC: Mnemonic = Mnemonic(1268);
    pub const GLOBAL_ATOMIC_DEC: Mnemonic = Mnemonic(1269);
    pub const GLOBAL_ATOMIC_ADD_F32: Mnemonic = Mnemonic(1270);
    pub const GLOBAL_ATOMIC_PK_ADD_F16: Mnemonic = Mnemonic(1271);
    pub const GLOBAL_ATOMIC_ADD_F64: Mnemonic = Mnemonic(1272);
    pub const GLOBAL_ATOMIC_MIN_F64: Mnemonic = Mnemonic(1273);
    pub const GLOBAL_ATOMIC_MAX_F64: Mnemonic = Mnemonic(1274);
    pub const GLOBAL_ATOMIC_PK_ADD_BF16: Mnemonic = Mnemonic(1275);
    pub const GLOBAL_ATOMIC_SWAP_X2: Mnemonic = Mnemonic(1276);
    pub const GLOBAL_ATOMIC_CMPSWAP_X2: Mnemonic = Mnemonic(1277);
    pub const GLOBAL_ATOMIC_ADD_X2: Mnemonic = Mnemonic(1278);
    pub const GLOBAL_ATOMIC_SUB_X2: Mnemonic = Mnemonic(1279);
    pub const GLOBAL_ATOMIC_SMIN_X2: Mnemonic = Mnemonic(1280);
    pub const GLOBAL_ATOMIC_UMIN_X2: Mnemonic = Mnemonic(1281);
    pub const GLOBAL_ATOMIC_SMAX_X2: Mnemonic = Mnemonic(1282);
    pub const GLOBAL_ATOMIC_UMAX_X2: Mnemonic = Mnemonic(1283);
    pub const GLOBAL_ATOMIC_AND_X2: Mnemonic = Mnemonic(1284);
    pub const GLOBAL_ATOMIC_OR_X2: Mnemonic = Mnemonic(1285);
    pub const GLOBAL_ATOMIC_XOR_X2: Mnemonic = Mnemonic(1286);
    pub const GLOBAL_ATOMIC_INC_X2: Mnemonic = Mnemonic(1287);
    pub const GLOBAL_ATOMIC_DEC_X2: Mnemonic = Mnemonic(1288);
    pub const GLOBAL_LOAD_LDS_DWORDX4: Mnemonic = Mnemonic(1289);
    pub const GLOBAL_LOAD_LDS_DWORDX3: Mnemonic = Mnemonic(1290);
    pub const SCRATCH_LOAD_UBYTE: Mnemonic = Mnemonic(1291);
    pub const SCRATCH_LOAD_SBYTE: Mnemonic = Mnemonic(1292);
    pub const SCRATCH_LOAD_USHORT: Mnemonic = Mnemonic(1293);
    pub const SCRATCH_LOAD_SSHORT: Mnemonic = Mnemonic(1294);
    pub const SCRATCH_LOAD_DWORD: Mnemonic = Mnemonic(1295);
    pub const SCRATCH_LOAD_DWORDX2: Mnemonic = Mnemonic(1296);
    pub const SCRATCH_LOAD_DWORDX3: Mnemonic = Mnemonic(1297);
    pub const SCRATCH_LOAD_DWORDX4: Mnemonic = Mnemonic(1298);
    pub const SCRATCH_STORE_BYTE: Mnemonic = Mnemonic(1299);
    pub const SCRATCH_STORE_BYTE_D16_HI: Mnemonic = Mnemonic(1300);
    pub const SCRATCH_STORE_SHORT: Mnemonic = Mnemonic(1301);
    pub const SCRATCH_STORE_SHORT_D16_HI: Mnemonic = Mnemonic(1302);
    pub const SCRATCH_STORE_DWORD: Mnemonic = Mnemonic(1303);
    pub const SCRATCH_STORE_DWORDX2: Mnemonic = Mnemonic(1304);
    pub const SCRATCH_STORE_DWORDX3: Mnemonic = Mnemonic(1305);
    pub const SCRATCH_STORE_DWORDX4: Mnemonic = Mnemonic(1306);
    pub const SCRATCH_LOAD_UBYTE_D16: Mnemonic = Mnemonic(1307);
    pub const SCRATCH_LOAD_UBYTE_D16_HI: Mnemonic = Mnemonic(1308);
    pub const SCRATCH_LOAD_SBYTE_D16: Mnemonic = Mnemonic(1309);
    pub const SCRATCH_LOAD_SBYTE_D16_HI: Mnemonic = Mnemonic(1310);
    pub const SCRATCH_LOAD_SHORT_D16: Mnemonic = Mnemonic(1311);
    pub const SCRATCH_LOAD_SHORT_D16_HI: Mnemonic = Mnemonic(1312);
    pub const SCRATCH_LOAD_LDS_UBYTE: Mnemonic = Mnemonic(1313);
    pub const SCRATCH_LOAD_LDS_SBYTE: Mnemonic = Mnemonic(1314);
    pub const SCRATCH_LOAD_LDS_USHORT: Mnemonic = Mnemonic(1315);
    pub const SCRATCH_LOAD_LDS_SSHORT: Mnemonic = Mnemonic(1316);
    pub const SCRATCH_LOAD_LDS_DWORD: Mnemonic = Mnemonic(1317);
    pub const EXP: Mnemonic = Mnemonic(1318);
    pub const V_INTERP_P1_F32: Mnemonic = Mnemonic(1319);
    pub const V_INTERP_P2_F32: Mnemonic = Mnemonic(1320);
    pub const V_INTERP_MOV_F32: Mnemonic = Mnemonic(1321);
    pub const V_INTERP_P1LL_F16: Mnemonic = Mnemonic(1322);
    pub const V_INTERP_P1LV_F16: Mnemonic = Mnemonic(1323);
    pub const V_INTERP_P2_LEGACY_F16: Mnemonic = Mnemonic(1324);
    pub const V_INTERP_P2_F16: Mnemonic = Mnemonic(1325);
    pub const IMAGE_LOAD: Mnemonic = Mnemonic(1326);
    pub const IMAGE_LOAD_MIP: Mnemonic = Mnemonic(1327);
    pub const IMAGE_LOAD_PCK: Mnemonic = Mnemonic(1328);
    pub const IMAGE_LOAD_PCK_SGN: Mnemonic = Mnemonic(1329);
    pub const IMAGE_LOAD_MIP_PCK: Mnemonic = Mnemonic(1330);
    pub const IMAGE_LOAD_MIP_PCK_SGN: Mnemonic = Mnemonic(1331);
    pub const IMAGE_STORE: Mnemonic = Mnemonic(1332);
    pub const IMAGE_STORE_MIP: Mnemonic = Mnemonic(1333);
    pub const IMAGE_STORE_PCK: Mnemonic = Mnemonic(1334);
    pub const IMAGE_STORE_MIP_PCK: Mnemonic = Mnemonic(1335);
    pub const IMAGE_GET_RESINFO: Mnemonic = Mnemonic(1336);
    pub const IMAGE_ATOMIC_SWAP: Mnemonic = Mnemonic(1337);
    pub const IMAGE_ATOMIC_CMPSWAP: Mnemonic = Mnemonic(1338);
    pub const IMAGE_ATOMIC_ADD: Mnemonic = Mnemonic(1339);
    pub const IMAGE_ATOMIC_SUB: Mnemonic = Mnemonic(1340);
    pub const IMAGE_ATOMIC_SMIN: Mnemonic = Mnemonic(1341);
    pub const IMAGE_ATOMIC_UMIN: Mnemonic = Mnemonic(1342);
    pub const IMAGE_ATOMIC_SMAX: Mnemonic = Mnemonic(1343);
    pub const IMAGE_ATOMIC_UMAX: Mnemonic = Mnemonic(1344);
    pub const IMAGE_ATOMIC_AND: Mnemonic = Mnemonic(1345);
    pub const IMAGE_ATOMIC_OR: Mnemonic = Mnemonic(1346);
    pub const IMAGE_ATOMIC_XOR: Mnemonic = Mnemonic(1347);
    pub const IMAGE_ATOMIC_INC: Mnemonic = Mnemonic(1348);
    pub const IMAGE_ATOMIC_DEC: Mnemonic = Mnemonic(1349);
    pub const IMAGE_SAMPLE: Mnemonic = Mnemonic(1350);
    pub const IMAGE_SAMPLE_CL: Mnemonic = Mnemonic(1351);
    pub const IMAGE_SAMPLE_D: Mnemonic = Mnemonic(1352);
    pub const IMAGE_SAMPLE_D_CL: Mnemonic = Mnemonic(1353);
    pub const IMAGE_SAMPLE_L: Mnemonic = Mnemonic(1354);
    pub const IMAGE_SAMPLE_B: Mnemonic = Mnemonic(1355);
    pub const IMAGE_SAMPLE_B_CL: Mnemonic = Mnemonic(1356);
    pub const IMAGE_SAMPLE_LZ: Mnemonic = Mnemonic(1357);
    pub const IMAGE_SAMPLE_C: Mnemonic = Mnemonic(1358);
    pub const IMAGE_SAMPLE_C_CL: Mnemonic = Mnemonic(1359);
    pub const IMAGE_SAMPLE_C_D: Mnemonic = Mnemonic(1360);
    pub const IMAGE_SAMPLE_C_D_CL: Mnemonic = Mnemonic(1361);
    pub const IMAGE_SAMPLE_C_L: Mnemonic = Mnemonic(1362);
    pub const IMAGE_SAMPLE_C_B: Mnemonic = Mnemonic(1363);
    pub const IMAGE_SAMPLE_C_B_CL: Mnemonic = Mnemonic(1364);
    pub const IMAGE_SAMPLE_C_LZ: Mnemonic = Mnemonic(1365);
    pub const IMAGE_SAMPLE_O: Mnemonic = Mnemonic(1366);
    pub const IMAGE_SAMPLE_CL_O: Mnemonic = Mnemonic(1367);
    pub const IMAGE_SAMPLE_D_O: Mnemonic = Mnemonic(1368);
    pub const IMAGE_SAMPLE_D_CL_O: Mnemonic = Mnemonic(1369);
    pub const IMAGE_SAMPLE_L_O: Mnemonic = Mnemonic(1370);
    pub const IMAGE_SAMPLE_B_O: Mnemonic = Mnemonic(1371);
    pub const IMAGE_SAMPLE_B_CL_O: Mnemonic = Mnemonic(1372);
    pub const IMAGE_SAMPLE_LZ_O: Mnemonic = Mnemonic(1373);
    pub const IMAGE_SAMPLE_C_O: Mnemonic = Mnemonic(1374);
    pub const IMAGE_SAMPLE_C_CL_O: Mnemonic = Mnemonic(1375);
    pub const IMAGE_SAMPLE_C_D_O: Mnemonic = Mnemonic(1376);
    pub const IMAGE_SAMPLE_C_D_CL_O: Mnemonic = Mnemonic(1377);
    pub const IMAGE_SAMPLE_C_L_O: Mnemonic = Mnemonic(1378);
    pub const IMAGE_SAMPLE_C_B_O: Mnemonic = Mnemonic(1379);
    pub const IMAGE_SAMPLE_C_B_CL_O: Mnemonic = Mnemonic(1380);
    pub const IMAGE_SAMPLE_C_LZ_O: Mnemonic = Mnemonic(1381);
    pub const IMAGE_GATHER4: Mnemonic = Mnemonic(1382);
    pub const IMAGE_GATHER4_CL: Mnemonic = Mnemonic(1383);
    pub const IMAGE_GATHER4H: Mnemonic = Mnemonic(1384);
    pub const IMAGE_GATHER4_L: Mnemonic = Mnemonic(1385);
    pub const IMAGE_GATHER4_B: Mnemonic = Mnemonic(1386);
    pub const IMAGE_GATHER4_B_CL: Mnemonic = Mnemonic(1387);
    pub const IMAGE_GATHER4_LZ: Mnemonic = Mnemonic(1388);
    pub const IMAGE_GATHER4_C: Mnemonic = Mnemonic(1389);
    pub const IMAGE_GATHER4_C_CL: Mnemonic = Mnemonic(1390);
    pub const IMAGE_GATHER4_C_L: Mnemonic = Mnemonic(1391);
    pub const IMAGE_GATHER4_C_B: Mnemonic = Mnemonic(1392);
    pub const IMAGE_GATHER4_C_B_CL: Mnemonic = Mnemonic(1393);
    pub const IMAGE_GATHER4_C_LZ: Mnemonic = Mnemonic(1394);
    pub const IMAGE_GATHER4_O: Mnemonic = Mnemonic(1395);
    pub const IMAGE_GATHER4_CL_O: Mnemonic = Mnemonic(1396);
    pub const IMAGE_GATHER4_L_O: Mnemonic = Mnemonic(1397);
    pub const IMAGE_GATHER4_B_O: Mnemonic = Mnemonic(1398);
    pub const IMAGE_GATHER4_B_CL_O: Mnemonic = Mnemonic(1399);
    pub const IMAGE_GATHER4_LZ_O: Mnemonic = Mnemonic(1400);
    pub const IMAGE_GATHER4_C_O: Mnemonic = Mnemonic(1401);
    pub const IMAGE_GATHER4_C_CL_O: Mnemonic = Mnemonic(1402);
    pub const IMAGE_GATHER4_C_L_O: Mnemonic = Mnemonic(1403);
    pub const IMAGE_GATHER4_C_B_O: Mnemonic = Mnemonic(1404);
    pub const IMAGE_GATHER4_C_B_CL_O: Mnemonic = Mnemonic(1405);
    pub const IMAGE_GATHER4_C_LZ_O: Mnemonic = Mnemonic(1406);
    pub const IMAGE_GET_LOD: Mnemonic = Mnemonic(1407);
    pub const IMAGE_SAMPLE_CD: Mnemonic = Mnemonic(1408);
    pub const IMAGE_SAMPLE_CD_CL: Mnemonic = Mnemonic(1409);
    pub const IMAGE_SAMPLE_C_CD: Mnemonic = Mnemonic(1410);
    pub const IMAGE_SAMPLE_C_CD_CL: Mnemonic = Mnemonic(1411);
    pub const IMAGE_SAMPLE_CD_O: Mnemonic = Mnemonic(1412);
    pub const IMAGE_SAMPLE_CD_CL_O: Mnemonic = Mnemonic(1413);
    pub const IMAGE_SAMPLE_C_CD_O: Mnemonic = Mnemonic(1414);
    pub const IMAGE_SAMPLE_C_CD_CL_O: Mnemonic = Mnemonic(1415);
}

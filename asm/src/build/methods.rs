//! One method per mnemonic.
// Generated from the instruction rows by `cargo run -p wavesmith-asm --bin generate`; do not edit.

use super::{Emit, Rec, rec};
use crate::names::id;
use crate::operand::{Operand, SAddr, SOffset, SSrc, Src, VA, VAC, VAddr};
use crate::reg::{A, S, V};

/// Typed methods, one per mnemonic, for everything that records instructions.
#[rustfmt::skip]
#[allow(clippy::too_many_arguments)]
pub trait Build: Emit {
    /// `s_mov_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_mov_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MOV_B32, &[d.into(), a.into().0])
    }
    /// `s_mov_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_mov_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_MOV_B64, &[d.into(), a.into().0])
    }
    /// `s_cmov_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmov_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMOV_B32, &[d.into(), a.into().0])
    }
    /// `s_cmov_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_cmov_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_CMOV_B64, &[d.into(), a.into().0])
    }
    /// `s_not_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_not_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_NOT_B32, &[d.into(), a.into().0])
    }
    /// `s_not_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_not_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_NOT_B64, &[d.into(), a.into().0])
    }
    /// `s_wqm_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_wqm_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_WQM_B32, &[d.into(), a.into().0])
    }
    /// `s_wqm_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_wqm_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_WQM_B64, &[d.into(), a.into().0])
    }
    /// `s_brev_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_brev_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BREV_B32, &[d.into(), a.into().0])
    }
    /// `s_brev_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_brev_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_BREV_B64, &[d.into(), a.into().0])
    }
    /// `s_bcnt0_i32_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_bcnt0_i32_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BCNT0_I32_B32, &[d.into(), a.into().0])
    }
    /// `s_bcnt0_i32_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_bcnt0_i32_b64(&mut self, d: S<1>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_BCNT0_I32_B64, &[d.into(), a.into().0])
    }
    /// `s_bcnt1_i32_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_bcnt1_i32_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BCNT1_I32_B32, &[d.into(), a.into().0])
    }
    /// `s_bcnt1_i32_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_bcnt1_i32_b64(&mut self, d: S<1>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_BCNT1_I32_B64, &[d.into(), a.into().0])
    }
    /// `s_ff0_i32_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_ff0_i32_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_FF0_I32_B32, &[d.into(), a.into().0])
    }
    /// `s_ff0_i32_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_ff0_i32_b64(&mut self, d: S<1>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_FF0_I32_B64, &[d.into(), a.into().0])
    }
    /// `s_ff1_i32_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_ff1_i32_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_FF1_I32_B32, &[d.into(), a.into().0])
    }
    /// `s_ff1_i32_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_ff1_i32_b64(&mut self, d: S<1>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_FF1_I32_B64, &[d.into(), a.into().0])
    }
    /// `s_flbit_i32_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_flbit_i32_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_FLBIT_I32_B32, &[d.into(), a.into().0])
    }
    /// `s_flbit_i32_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_flbit_i32_b64(&mut self, d: S<1>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_FLBIT_I32_B64, &[d.into(), a.into().0])
    }
    /// `s_flbit_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_flbit_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_FLBIT_I32, &[d.into(), a.into().0])
    }
    /// `s_flbit_i32_i64`.
    #[inline(always)]
    #[track_caller]
    fn s_flbit_i32_i64(&mut self, d: S<1>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_FLBIT_I32_I64, &[d.into(), a.into().0])
    }
    /// `s_sext_i32_i8`.
    #[inline(always)]
    #[track_caller]
    fn s_sext_i32_i8(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_SEXT_I32_I8, &[d.into(), a.into().0])
    }
    /// `s_sext_i32_i16`.
    #[inline(always)]
    #[track_caller]
    fn s_sext_i32_i16(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_SEXT_I32_I16, &[d.into(), a.into().0])
    }
    /// `s_bitset0_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_bitset0_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITSET0_B32, &[d.into(), a.into().0])
    }
    /// `s_bitset0_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_bitset0_b64(&mut self, d: S<2>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITSET0_B64, &[d.into(), a.into().0])
    }
    /// `s_bitset1_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_bitset1_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITSET1_B32, &[d.into(), a.into().0])
    }
    /// `s_bitset1_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_bitset1_b64(&mut self, d: S<2>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITSET1_B64, &[d.into(), a.into().0])
    }
    /// `s_getpc_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_getpc_b64(&mut self, d: S<2>) -> Rec<'_, Self> {
        rec(self, id::S_GETPC_B64, &[d.into()])
    }
    /// `s_setpc_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_setpc_b64(&mut self, a: S<2>) -> Rec<'_, Self> {
        rec(self, id::S_SETPC_B64, &[a.into()])
    }
    /// `s_swappc_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_swappc_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_SWAPPC_B64, &[d.into(), a.into().0])
    }
    /// `s_rfe_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_rfe_b64(&mut self, a: S<2>) -> Rec<'_, Self> {
        rec(self, id::S_RFE_B64, &[a.into()])
    }
    /// `s_and_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_and_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_AND_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_or_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_or_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_OR_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_xor_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_xor_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_XOR_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_andn2_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_andn2_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_ANDN2_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_orn2_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_orn2_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_ORN2_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_nand_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_nand_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_NAND_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_nor_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_nor_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_NOR_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_xnor_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_xnor_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_XNOR_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_quadmask_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_quadmask_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_QUADMASK_B32, &[d.into(), a.into().0])
    }
    /// `s_quadmask_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_quadmask_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_QUADMASK_B64, &[d.into(), a.into().0])
    }
    /// `s_movrels_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_movrels_b32(&mut self, d: S<1>, a: S<1>) -> Rec<'_, Self> {
        rec(self, id::S_MOVRELS_B32, &[d.into(), a.into()])
    }
    /// `s_movrels_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_movrels_b64(&mut self, d: S<2>, a: S<2>) -> Rec<'_, Self> {
        rec(self, id::S_MOVRELS_B64, &[d.into(), a.into()])
    }
    /// `s_movreld_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_movreld_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MOVRELD_B32, &[d.into(), a.into().0])
    }
    /// `s_movreld_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_movreld_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_MOVRELD_B64, &[d.into(), a.into().0])
    }
    /// `s_cbranch_join`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_join(&mut self, a: S<1>) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_JOIN, &[a.into()])
    }
    /// `s_abs_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_abs_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ABS_I32, &[d.into(), a.into().0])
    }
    /// `s_set_gpr_idx_idx`.
    #[inline(always)]
    #[track_caller]
    fn s_set_gpr_idx_idx(&mut self, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_SET_GPR_IDX_IDX, &[a.into().0])
    }
    /// `s_andn1_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_andn1_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_ANDN1_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_orn1_saveexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_orn1_saveexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_ORN1_SAVEEXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_andn1_wrexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_andn1_wrexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_ANDN1_WREXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_andn2_wrexec_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_andn2_wrexec_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_ANDN2_WREXEC_B64, &[d.into(), a.into().0])
    }
    /// `s_bitreplicate_b64_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_bitreplicate_b64_b32(&mut self, d: S<2>, a: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITREPLICATE_B64_B32, &[d.into(), a.into().0])
    }
    /// `s_add_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_add_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ADD_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_sub_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_sub_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_SUB_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_add_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_add_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ADD_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_sub_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_sub_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_SUB_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_addc_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_addc_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ADDC_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_subb_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_subb_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_SUBB_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_min_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_min_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MIN_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_min_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_min_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MIN_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_max_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_max_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MAX_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_max_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_max_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MAX_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_cselect_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_cselect_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CSELECT_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_cselect_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_cselect_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_CSELECT_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_and_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_and_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_AND_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_and_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_and_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_AND_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_or_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_or_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_OR_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_or_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_or_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_OR_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_xor_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_xor_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_XOR_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_xor_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_xor_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_XOR_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_andn2_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_andn2_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ANDN2_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_andn2_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_andn2_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_ANDN2_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_orn2_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_orn2_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ORN2_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_orn2_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_orn2_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_ORN2_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_nand_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_nand_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_NAND_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_nand_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_nand_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_NAND_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_nor_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_nor_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_NOR_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_nor_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_nor_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_NOR_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_xnor_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_xnor_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_XNOR_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_xnor_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_xnor_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_XNOR_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_lshl_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_lshl_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_LSHL_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_lshl_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_lshl_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_LSHL_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_lshr_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_lshr_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_LSHR_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_lshr_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_lshr_b64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_LSHR_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_ashr_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_ashr_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ASHR_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_ashr_i64`.
    #[inline(always)]
    #[track_caller]
    fn s_ashr_i64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ASHR_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_bfm_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_bfm_b32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BFM_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_bfm_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_bfm_b64(&mut self, d: S<2>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BFM_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_mul_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_mul_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MUL_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_bfe_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_bfe_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BFE_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_bfe_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_bfe_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BFE_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_bfe_u64`.
    #[inline(always)]
    #[track_caller]
    fn s_bfe_u64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BFE_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_bfe_i64`.
    #[inline(always)]
    #[track_caller]
    fn s_bfe_i64(&mut self, d: S<2>, a: impl Into<SSrc<2>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BFE_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_cbranch_g_fork`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_g_fork(&mut self, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_G_FORK, &[a.into().0, b.into().0])
    }
    /// `s_absdiff_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_absdiff_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_ABSDIFF_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_rfe_restore_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_rfe_restore_b64(&mut self, a: impl Into<SSrc<2>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_RFE_RESTORE_B64, &[a.into().0, b.into().0])
    }
    /// `s_mul_hi_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_mul_hi_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MUL_HI_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_mul_hi_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_mul_hi_i32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_MUL_HI_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_lshl1_add_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_lshl1_add_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_LSHL1_ADD_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_lshl2_add_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_lshl2_add_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_LSHL2_ADD_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_lshl3_add_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_lshl3_add_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_LSHL3_ADD_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_lshl4_add_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_lshl4_add_u32(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_LSHL4_ADD_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_pack_ll_b32_b16`.
    #[inline(always)]
    #[track_caller]
    fn s_pack_ll_b32_b16(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_PACK_LL_B32_B16, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_pack_lh_b32_b16`.
    #[inline(always)]
    #[track_caller]
    fn s_pack_lh_b32_b16(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_PACK_LH_B32_B16, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_pack_hh_b32_b16`.
    #[inline(always)]
    #[track_caller]
    fn s_pack_hh_b32_b16(&mut self, d: S<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_PACK_HH_B32_B16, &[d.into(), a.into().0, b.into().0])
    }
    /// `s_movk_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_movk_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_MOVK_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmovk_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmovk_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMOVK_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_eq_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_eq_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_EQ_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_lg_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_lg_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_LG_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_gt_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_gt_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_GT_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_ge_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_ge_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_GE_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_lt_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_lt_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_LT_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_le_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_le_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_LE_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_eq_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_eq_u32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_EQ_U32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_lg_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_lg_u32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_LG_U32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_gt_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_gt_u32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_GT_U32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_ge_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_ge_u32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_GE_U32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_lt_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_lt_u32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_LT_U32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cmpk_le_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmpk_le_u32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CMPK_LE_U32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_addk_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_addk_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_ADDK_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_mulk_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_mulk_i32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_MULK_I32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_cbranch_i_fork`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_i_fork(&mut self, d: S<2>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_I_FORK, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_getreg_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_getreg_b32(&mut self, d: S<1>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_GETREG_B32, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_setreg_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_setreg_b32(&mut self, imm: i32, d: S<1>) -> Rec<'_, Self> {
        rec(self, id::S_SETREG_B32, &[Operand::Imm(imm), d.into()])
    }
    /// `s_call_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_call_b64(&mut self, d: S<2>, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CALL_B64, &[d.into(), Operand::Imm(imm)])
    }
    /// `s_setreg_imm32_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_setreg_imm32_b32(&mut self, imm: i32, k: impl Into<Operand>) -> Rec<'_, Self> {
        rec(self, id::S_SETREG_IMM32_B32, &[Operand::Imm(imm), k.into()])
    }
    /// `s_cmp_eq_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_eq_i32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_EQ_I32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_lg_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_lg_i32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_LG_I32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_gt_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_gt_i32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_GT_I32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_ge_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_ge_i32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_GE_I32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_lt_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_lt_i32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_LT_I32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_le_i32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_le_i32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_LE_I32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_eq_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_eq_u32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_EQ_U32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_lg_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_lg_u32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_LG_U32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_gt_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_gt_u32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_GT_U32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_ge_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_ge_u32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_GE_U32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_lt_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_lt_u32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_LT_U32, &[a.into().0, b.into().0])
    }
    /// `s_cmp_le_u32`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_le_u32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_LE_U32, &[a.into().0, b.into().0])
    }
    /// `s_bitcmp0_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_bitcmp0_b32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITCMP0_B32, &[a.into().0, b.into().0])
    }
    /// `s_bitcmp1_b32`.
    #[inline(always)]
    #[track_caller]
    fn s_bitcmp1_b32(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITCMP1_B32, &[a.into().0, b.into().0])
    }
    /// `s_bitcmp0_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_bitcmp0_b64(&mut self, a: impl Into<SSrc<2>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITCMP0_B64, &[a.into().0, b.into().0])
    }
    /// `s_bitcmp1_b64`.
    #[inline(always)]
    #[track_caller]
    fn s_bitcmp1_b64(&mut self, a: impl Into<SSrc<2>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_BITCMP1_B64, &[a.into().0, b.into().0])
    }
    /// `s_setvskip`.
    #[inline(always)]
    #[track_caller]
    fn s_setvskip(&mut self, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::S_SETVSKIP, &[a.into().0, b.into().0])
    }
    /// `s_set_gpr_idx_on`.
    #[inline(always)]
    #[track_caller]
    fn s_set_gpr_idx_on(&mut self, a: impl Into<SSrc<1>>, b: i32) -> Rec<'_, Self> {
        rec(self, id::S_SET_GPR_IDX_ON, &[a.into().0, Operand::Imm(b)])
    }
    /// `s_cmp_eq_u64`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_eq_u64(&mut self, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_EQ_U64, &[a.into().0, b.into().0])
    }
    /// `s_cmp_lg_u64`.
    #[inline(always)]
    #[track_caller]
    fn s_cmp_lg_u64(&mut self, a: impl Into<SSrc<2>>, b: impl Into<SSrc<2>>) -> Rec<'_, Self> {
        rec(self, id::S_CMP_LG_U64, &[a.into().0, b.into().0])
    }
    /// `s_nop`.
    #[inline(always)]
    #[track_caller]
    fn s_nop(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_NOP, &[Operand::Imm(imm)])
    }
    /// `s_endpgm`.
    #[inline(always)]
    #[track_caller]
    fn s_endpgm(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_ENDPGM, &[Operand::Imm(imm)])
    }
    /// `s_branch`.
    #[inline(always)]
    #[track_caller]
    fn s_branch(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_BRANCH, &[Operand::Imm(imm)])
    }
    /// `s_wakeup`.
    #[inline(always)]
    #[track_caller]
    fn s_wakeup(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_WAKEUP, &[])
    }
    /// `s_cbranch_scc0`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_scc0(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_SCC0, &[Operand::Imm(imm)])
    }
    /// `s_cbranch_scc1`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_scc1(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_SCC1, &[Operand::Imm(imm)])
    }
    /// `s_cbranch_vccz`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_vccz(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_VCCZ, &[Operand::Imm(imm)])
    }
    /// `s_cbranch_vccnz`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_vccnz(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_VCCNZ, &[Operand::Imm(imm)])
    }
    /// `s_cbranch_execz`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_execz(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_EXECZ, &[Operand::Imm(imm)])
    }
    /// `s_cbranch_execnz`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_execnz(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_EXECNZ, &[Operand::Imm(imm)])
    }
    /// `s_barrier`.
    #[inline(always)]
    #[track_caller]
    fn s_barrier(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_BARRIER, &[])
    }
    /// `s_setkill`.
    #[inline(always)]
    #[track_caller]
    fn s_setkill(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_SETKILL, &[Operand::Imm(imm)])
    }
    /// `s_waitcnt`.
    #[inline(always)]
    #[track_caller]
    fn s_waitcnt(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_WAITCNT, &[Operand::Imm(imm)])
    }
    /// `s_sethalt`.
    #[inline(always)]
    #[track_caller]
    fn s_sethalt(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_SETHALT, &[Operand::Imm(imm)])
    }
    /// `s_sleep`.
    #[inline(always)]
    #[track_caller]
    fn s_sleep(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_SLEEP, &[Operand::Imm(imm)])
    }
    /// `s_setprio`.
    #[inline(always)]
    #[track_caller]
    fn s_setprio(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_SETPRIO, &[Operand::Imm(imm)])
    }
    /// `s_sendmsg`.
    #[inline(always)]
    #[track_caller]
    fn s_sendmsg(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_SENDMSG, &[Operand::Imm(imm)])
    }
    /// `s_sendmsghalt`.
    #[inline(always)]
    #[track_caller]
    fn s_sendmsghalt(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_SENDMSGHALT, &[Operand::Imm(imm)])
    }
    /// `s_trap`.
    #[inline(always)]
    #[track_caller]
    fn s_trap(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_TRAP, &[Operand::Imm(imm)])
    }
    /// `s_icache_inv`.
    #[inline(always)]
    #[track_caller]
    fn s_icache_inv(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_ICACHE_INV, &[])
    }
    /// `s_incperflevel`.
    #[inline(always)]
    #[track_caller]
    fn s_incperflevel(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_INCPERFLEVEL, &[Operand::Imm(imm)])
    }
    /// `s_decperflevel`.
    #[inline(always)]
    #[track_caller]
    fn s_decperflevel(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_DECPERFLEVEL, &[Operand::Imm(imm)])
    }
    /// `s_ttracedata`.
    #[inline(always)]
    #[track_caller]
    fn s_ttracedata(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_TTRACEDATA, &[])
    }
    /// `s_cbranch_cdbgsys`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_cdbgsys(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_CDBGSYS, &[Operand::Imm(imm)])
    }
    /// `s_cbranch_cdbguser`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_cdbguser(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_CDBGUSER, &[Operand::Imm(imm)])
    }
    /// `s_cbranch_cdbgsys_or_user`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_cdbgsys_or_user(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_CDBGSYS_OR_USER, &[Operand::Imm(imm)])
    }
    /// `s_cbranch_cdbgsys_and_user`.
    #[inline(always)]
    #[track_caller]
    fn s_cbranch_cdbgsys_and_user(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_CBRANCH_CDBGSYS_AND_USER, &[Operand::Imm(imm)])
    }
    /// `s_endpgm_saved`.
    #[inline(always)]
    #[track_caller]
    fn s_endpgm_saved(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_ENDPGM_SAVED, &[])
    }
    /// `s_set_gpr_idx_off`.
    #[inline(always)]
    #[track_caller]
    fn s_set_gpr_idx_off(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_SET_GPR_IDX_OFF, &[])
    }
    /// `s_set_gpr_idx_mode`.
    #[inline(always)]
    #[track_caller]
    fn s_set_gpr_idx_mode(&mut self, imm: i32) -> Rec<'_, Self> {
        rec(self, id::S_SET_GPR_IDX_MODE, &[Operand::Imm(imm)])
    }
    /// `s_endpgm_ordered_ps_done`.
    #[inline(always)]
    #[track_caller]
    fn s_endpgm_ordered_ps_done(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_ENDPGM_ORDERED_PS_DONE, &[])
    }
    /// `s_load_dword`.
    #[inline(always)]
    #[track_caller]
    fn s_load_dword(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_LOAD_DWORD, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_load_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn s_load_dwordx2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_LOAD_DWORDX2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_load_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn s_load_dwordx4(&mut self, d: S<4>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_LOAD_DWORDX4, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_load_dwordx8`.
    #[inline(always)]
    #[track_caller]
    fn s_load_dwordx8(&mut self, d: S<8>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_LOAD_DWORDX8, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_load_dwordx16`.
    #[inline(always)]
    #[track_caller]
    fn s_load_dwordx16(&mut self, d: S<16>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_LOAD_DWORDX16, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_scratch_load_dword`.
    #[inline(always)]
    #[track_caller]
    fn s_scratch_load_dword(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_SCRATCH_LOAD_DWORD, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_scratch_load_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn s_scratch_load_dwordx2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_SCRATCH_LOAD_DWORDX2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_scratch_load_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn s_scratch_load_dwordx4(&mut self, d: S<4>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_SCRATCH_LOAD_DWORDX4, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_load_dword`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_load_dword(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_LOAD_DWORD, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_load_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_load_dwordx2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_LOAD_DWORDX2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_load_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_load_dwordx4(&mut self, d: S<4>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_LOAD_DWORDX4, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_load_dwordx8`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_load_dwordx8(&mut self, d: S<8>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_LOAD_DWORDX8, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_load_dwordx16`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_load_dwordx16(&mut self, d: S<16>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_LOAD_DWORDX16, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_store_dword`.
    #[inline(always)]
    #[track_caller]
    fn s_store_dword(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_STORE_DWORD, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_store_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn s_store_dwordx2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_STORE_DWORDX2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_store_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn s_store_dwordx4(&mut self, d: S<4>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_STORE_DWORDX4, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_scratch_store_dword`.
    #[inline(always)]
    #[track_caller]
    fn s_scratch_store_dword(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_SCRATCH_STORE_DWORD, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_scratch_store_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn s_scratch_store_dwordx2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_SCRATCH_STORE_DWORDX2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_scratch_store_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn s_scratch_store_dwordx4(&mut self, d: S<4>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_SCRATCH_STORE_DWORDX4, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_store_dword`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_store_dword(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_STORE_DWORD, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_store_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_store_dwordx2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_STORE_DWORDX2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_store_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_store_dwordx4(&mut self, d: S<4>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_STORE_DWORDX4, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_dcache_inv`.
    #[inline(always)]
    #[track_caller]
    fn s_dcache_inv(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_DCACHE_INV, &[])
    }
    /// `s_dcache_wb`.
    #[inline(always)]
    #[track_caller]
    fn s_dcache_wb(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_DCACHE_WB, &[])
    }
    /// `s_dcache_inv_vol`.
    #[inline(always)]
    #[track_caller]
    fn s_dcache_inv_vol(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_DCACHE_INV_VOL, &[])
    }
    /// `s_dcache_wb_vol`.
    #[inline(always)]
    #[track_caller]
    fn s_dcache_wb_vol(&mut self) -> Rec<'_, Self> {
        rec(self, id::S_DCACHE_WB_VOL, &[])
    }
    /// `s_memtime`.
    #[inline(always)]
    #[track_caller]
    fn s_memtime(&mut self, d: S<2>) -> Rec<'_, Self> {
        rec(self, id::S_MEMTIME, &[d.into()])
    }
    /// `s_memrealtime`.
    #[inline(always)]
    #[track_caller]
    fn s_memrealtime(&mut self, d: S<2>) -> Rec<'_, Self> {
        rec(self, id::S_MEMREALTIME, &[d.into()])
    }
    /// `s_atc_probe`.
    #[inline(always)]
    #[track_caller]
    fn s_atc_probe(&mut self, d: i32, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATC_PROBE, &[Operand::Imm(d), base.into(), offset.into().0])
    }
    /// `s_atc_probe_buffer`.
    #[inline(always)]
    #[track_caller]
    fn s_atc_probe_buffer(&mut self, d: i32, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATC_PROBE_BUFFER, &[Operand::Imm(d), base.into(), offset.into().0])
    }
    /// `s_dcache_discard`.
    #[inline(always)]
    #[track_caller]
    fn s_dcache_discard(&mut self, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_DCACHE_DISCARD, &[base.into(), offset.into().0])
    }
    /// `s_dcache_discard_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_dcache_discard_x2(&mut self, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_DCACHE_DISCARD_X2, &[base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_swap`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_swap(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_SWAP, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_cmpswap`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_cmpswap(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_CMPSWAP, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_add`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_add(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_ADD, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_sub`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_sub(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_SUB, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_smin`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_smin(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_SMIN, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_umin`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_umin(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_UMIN, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_smax`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_smax(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_SMAX, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_umax`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_umax(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_UMAX, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_and`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_and(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_AND, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_or`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_or(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_OR, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_xor`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_xor(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_XOR, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_inc`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_inc(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_INC, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_dec`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_dec(&mut self, d: S<1>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_DEC, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_swap_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_swap_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_SWAP_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_cmpswap_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_cmpswap_x2(&mut self, d: S<4>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_CMPSWAP_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_add_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_add_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_ADD_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_sub_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_sub_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_SUB_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_smin_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_smin_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_SMIN_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_umin_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_umin_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_UMIN_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_smax_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_smax_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_SMAX_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_umax_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_umax_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_UMAX_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_and_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_and_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_AND_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_or_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_or_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_OR_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_xor_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_xor_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_XOR_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_inc_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_inc_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_INC_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_buffer_atomic_dec_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_buffer_atomic_dec_x2(&mut self, d: S<2>, base: S<4>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_BUFFER_ATOMIC_DEC_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_swap`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_swap(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_SWAP, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_cmpswap`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_cmpswap(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_CMPSWAP, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_add`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_add(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_ADD, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_sub`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_sub(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_SUB, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_smin`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_smin(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_SMIN, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_umin`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_umin(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_UMIN, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_smax`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_smax(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_SMAX, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_umax`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_umax(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_UMAX, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_and`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_and(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_AND, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_or`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_or(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_OR, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_xor`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_xor(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_XOR, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_inc`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_inc(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_INC, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_dec`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_dec(&mut self, d: S<1>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_DEC, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_swap_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_swap_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_SWAP_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_cmpswap_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_cmpswap_x2(&mut self, d: S<4>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_CMPSWAP_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_add_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_add_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_ADD_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_sub_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_sub_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_SUB_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_smin_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_smin_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_SMIN_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_umin_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_umin_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_UMIN_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_smax_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_smax_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_SMAX_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_umax_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_umax_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_UMAX_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_and_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_and_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_AND_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_or_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_or_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_OR_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_xor_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_xor_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_XOR_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_inc_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_inc_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_INC_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `s_atomic_dec_x2`.
    #[inline(always)]
    #[track_caller]
    fn s_atomic_dec_x2(&mut self, d: S<2>, base: S<2>, offset: impl Into<SOffset>) -> Rec<'_, Self> {
        rec(self, id::S_ATOMIC_DEC_X2, &[d.into(), base.into(), offset.into().0])
    }
    /// `v_nop`.
    #[inline(always)]
    #[track_caller]
    fn v_nop(&mut self) -> Rec<'_, Self> {
        rec(self, id::V_NOP, &[])
    }
    /// `v_mov_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_mov_b32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MOV_B32, &[d.into(), a.into().0])
    }
    /// `v_readfirstlane_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_readfirstlane_b32(&mut self, d: S<1>, a: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_READFIRSTLANE_B32, &[d.into(), a.into()])
    }
    /// `v_cvt_i32_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_i32_f64(&mut self, d: V<1>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_I32_F64, &[d.into(), a.into().0])
    }
    /// `v_cvt_f64_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f64_i32(&mut self, d: V<2>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F64_I32, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_i32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_I32, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_u32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_U32, &[d.into(), a.into().0])
    }
    /// `v_cvt_u32_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_u32_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_U32_F32, &[d.into(), a.into().0])
    }
    /// `v_cvt_i32_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_i32_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_I32_F32, &[d.into(), a.into().0])
    }
    /// `v_cvt_f16_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f16_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F16_F32, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_F16, &[d.into(), a.into().0])
    }
    /// `v_cvt_rpi_i32_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_rpi_i32_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_RPI_I32_F32, &[d.into(), a.into().0])
    }
    /// `v_cvt_flr_i32_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_flr_i32_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_FLR_I32_F32, &[d.into(), a.into().0])
    }
    /// `v_cvt_off_f32_i4`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_off_f32_i4(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_OFF_F32_I4, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_f64(&mut self, d: V<1>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_F64, &[d.into(), a.into().0])
    }
    /// `v_cvt_f64_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f64_f32(&mut self, d: V<2>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F64_F32, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_ubyte0`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_ubyte0(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_UBYTE0, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_ubyte1`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_ubyte1(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_UBYTE1, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_ubyte2`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_ubyte2(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_UBYTE2, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_ubyte3`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_ubyte3(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_UBYTE3, &[d.into(), a.into().0])
    }
    /// `v_cvt_u32_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_u32_f64(&mut self, d: V<1>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_U32_F64, &[d.into(), a.into().0])
    }
    /// `v_cvt_f64_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f64_u32(&mut self, d: V<2>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F64_U32, &[d.into(), a.into().0])
    }
    /// `v_trunc_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_trunc_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_TRUNC_F64, &[d.into(), a.into().0])
    }
    /// `v_ceil_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_ceil_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CEIL_F64, &[d.into(), a.into().0])
    }
    /// `v_rndne_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_rndne_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_RNDNE_F64, &[d.into(), a.into().0])
    }
    /// `v_floor_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_floor_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_FLOOR_F64, &[d.into(), a.into().0])
    }
    /// `v_fract_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_fract_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FRACT_F32, &[d.into(), a.into().0])
    }
    /// `v_trunc_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_trunc_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_TRUNC_F32, &[d.into(), a.into().0])
    }
    /// `v_ceil_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_ceil_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CEIL_F32, &[d.into(), a.into().0])
    }
    /// `v_rndne_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_rndne_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_RNDNE_F32, &[d.into(), a.into().0])
    }
    /// `v_floor_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_floor_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FLOOR_F32, &[d.into(), a.into().0])
    }
    /// `v_exp_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_exp_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_EXP_F32, &[d.into(), a.into().0])
    }
    /// `v_log_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_log_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LOG_F32, &[d.into(), a.into().0])
    }
    /// `v_rcp_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_rcp_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_RCP_F32, &[d.into(), a.into().0])
    }
    /// `v_rcp_iflag_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_rcp_iflag_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_RCP_IFLAG_F32, &[d.into(), a.into().0])
    }
    /// `v_rsq_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_rsq_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_RSQ_F32, &[d.into(), a.into().0])
    }
    /// `v_rcp_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_rcp_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_RCP_F64, &[d.into(), a.into().0])
    }
    /// `v_rsq_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_rsq_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_RSQ_F64, &[d.into(), a.into().0])
    }
    /// `v_sqrt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_sqrt_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SQRT_F32, &[d.into(), a.into().0])
    }
    /// `v_sqrt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_sqrt_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_SQRT_F64, &[d.into(), a.into().0])
    }
    /// `v_sin_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_sin_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SIN_F32, &[d.into(), a.into().0])
    }
    /// `v_cos_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cos_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_COS_F32, &[d.into(), a.into().0])
    }
    /// `v_not_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_not_b32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_NOT_B32, &[d.into(), a.into().0])
    }
    /// `v_bfrev_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_bfrev_b32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_BFREV_B32, &[d.into(), a.into().0])
    }
    /// `v_ffbh_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_ffbh_u32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FFBH_U32, &[d.into(), a.into().0])
    }
    /// `v_ffbl_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_ffbl_b32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FFBL_B32, &[d.into(), a.into().0])
    }
    /// `v_ffbh_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_ffbh_i32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FFBH_I32, &[d.into(), a.into().0])
    }
    /// `v_frexp_exp_i32_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_frexp_exp_i32_f64(&mut self, d: V<1>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_FREXP_EXP_I32_F64, &[d.into(), a.into().0])
    }
    /// `v_frexp_mant_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_frexp_mant_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_FREXP_MANT_F64, &[d.into(), a.into().0])
    }
    /// `v_fract_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_fract_f64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_FRACT_F64, &[d.into(), a.into().0])
    }
    /// `v_frexp_exp_i32_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_frexp_exp_i32_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FREXP_EXP_I32_F32, &[d.into(), a.into().0])
    }
    /// `v_frexp_mant_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_frexp_mant_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FREXP_MANT_F32, &[d.into(), a.into().0])
    }
    /// `v_clrexcp`.
    #[inline(always)]
    #[track_caller]
    fn v_clrexcp(&mut self) -> Rec<'_, Self> {
        rec(self, id::V_CLREXCP, &[])
    }
    /// `v_screen_partition_4se_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_screen_partition_4se_b32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SCREEN_PARTITION_4SE_B32, &[d.into(), a.into().0])
    }
    /// `v_mov_b64`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mov_b64(&mut self, d: V<2>, a: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MOV_B64, &[d.into(), a.into().0])
    }
    /// `v_cvt_f16_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f16_u16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F16_U16, &[d.into(), a.into().0])
    }
    /// `v_cvt_f16_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f16_i16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F16_I16, &[d.into(), a.into().0])
    }
    /// `v_cvt_u16_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_u16_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_U16_F16, &[d.into(), a.into().0])
    }
    /// `v_cvt_i16_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_i16_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_I16_F16, &[d.into(), a.into().0])
    }
    /// `v_rcp_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_rcp_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_RCP_F16, &[d.into(), a.into().0])
    }
    /// `v_sqrt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_sqrt_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SQRT_F16, &[d.into(), a.into().0])
    }
    /// `v_rsq_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_rsq_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_RSQ_F16, &[d.into(), a.into().0])
    }
    /// `v_log_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_log_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LOG_F16, &[d.into(), a.into().0])
    }
    /// `v_exp_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_exp_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_EXP_F16, &[d.into(), a.into().0])
    }
    /// `v_frexp_mant_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_frexp_mant_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FREXP_MANT_F16, &[d.into(), a.into().0])
    }
    /// `v_frexp_exp_i16_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_frexp_exp_i16_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FREXP_EXP_I16_F16, &[d.into(), a.into().0])
    }
    /// `v_floor_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_floor_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FLOOR_F16, &[d.into(), a.into().0])
    }
    /// `v_ceil_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_ceil_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CEIL_F16, &[d.into(), a.into().0])
    }
    /// `v_trunc_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_trunc_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_TRUNC_F16, &[d.into(), a.into().0])
    }
    /// `v_rndne_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_rndne_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_RNDNE_F16, &[d.into(), a.into().0])
    }
    /// `v_fract_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_fract_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FRACT_F16, &[d.into(), a.into().0])
    }
    /// `v_sin_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_sin_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SIN_F16, &[d.into(), a.into().0])
    }
    /// `v_cos_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cos_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_COS_F16, &[d.into(), a.into().0])
    }
    /// `v_exp_legacy_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_exp_legacy_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_EXP_LEGACY_F32, &[d.into(), a.into().0])
    }
    /// `v_log_legacy_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_log_legacy_f32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LOG_LEGACY_F32, &[d.into(), a.into().0])
    }
    /// `v_cvt_norm_i16_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_norm_i16_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_NORM_I16_F16, &[d.into(), a.into().0])
    }
    /// `v_cvt_norm_u16_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_norm_u16_f16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_NORM_U16_F16, &[d.into(), a.into().0])
    }
    /// `v_sat_pk_u8_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_sat_pk_u8_i16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SAT_PK_U8_I16, &[d.into(), a.into().0])
    }
    /// `v_swap_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_swap_b32(&mut self, d: V<1>, a: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SWAP_B32, &[d.into(), a.into()])
    }
    /// `v_accvgpr_mov_b32`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_accvgpr_mov_b32(&mut self, d: A<1>, a: A<1>) -> Rec<'_, Self> {
        rec(self, id::V_ACCVGPR_MOV_B32, &[d.into(), a.into()])
    }
    /// `v_cvt_f32_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_fp8(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_FP8, &[d.into(), a.into().0])
    }
    /// `v_cvt_f32_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_bf8(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_BF8, &[d.into(), a.into().0])
    }
    /// `v_cvt_pk_f32_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_f32_fp8(&mut self, d: V<2>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_F32_FP8, &[d.into(), a.into().0])
    }
    /// `v_cvt_pk_f32_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_f32_bf8(&mut self, d: V<2>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_F32_BF8, &[d.into(), a.into().0])
    }
    /// `v_prng_b32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_prng_b32(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PRNG_B32, &[d.into(), a.into().0])
    }
    /// `v_permlane16_swap_b32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_permlane16_swap_b32(&mut self, d: V<1>, a: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_PERMLANE16_SWAP_B32, &[d.into(), a.into()])
    }
    /// `v_permlane32_swap_b32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_permlane32_swap_b32(&mut self, d: V<1>, a: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_PERMLANE32_SWAP_B32, &[d.into(), a.into()])
    }
    /// `v_cvt_f32_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_f32_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_F32_BF16, &[d.into(), a.into().0])
    }
    /// `v_cndmask_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_cndmask_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: S<2>) -> Rec<'_, Self> {
        rec(self, id::V_CNDMASK_B32, &[d.into(), a.into().0, b.into().0, c.into()])
    }
    /// `v_add_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_add_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_sub_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_sub_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUB_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_subrev_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_subrev_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUBREV_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_legacy_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_legacy_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_LEGACY_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_fmac_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_fmac_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_FMAC_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_i32_i24`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_i32_i24(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_I32_I24, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_hi_i32_i24`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_hi_i32_i24(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_HI_I32_I24, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_u32_u24`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_u32_u24(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_U32_U24, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_hi_u32_u24`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_hi_u32_u24(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_HI_U32_U24, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_min_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_min_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_max_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_max_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_min_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_min_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_max_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_max_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_min_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_min_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_max_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_max_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_lshrrev_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_lshrrev_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHRREV_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_ashrrev_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_ashrrev_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ASHRREV_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_lshlrev_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_lshlrev_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHLREV_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_and_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_and_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_AND_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_or_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_or_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_OR_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_xor_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_xor_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_XOR_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mac_f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mac_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAC_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_dot2c_f32_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_dot2c_f32_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT2C_F32_BF16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_add_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_add_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_sub_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_sub_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUB_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_subrev_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_subrev_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUBREV_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mac_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_mac_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAC_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_add_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_add_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_sub_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_sub_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUB_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_subrev_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_subrev_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUBREV_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_lo_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_lo_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_LO_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_lshlrev_b16`.
    #[inline(always)]
    #[track_caller]
    fn v_lshlrev_b16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHLREV_B16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_lshrrev_b16`.
    #[inline(always)]
    #[track_caller]
    fn v_lshrrev_b16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHRREV_B16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_ashrrev_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_ashrrev_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ASHRREV_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_max_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_max_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_min_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_min_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_max_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_max_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_max_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_max_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_min_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_min_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_min_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_min_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_ldexp_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_ldexp_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LDEXP_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_add_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_add_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_sub_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_sub_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUB_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_subrev_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_subrev_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUBREV_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_dot2c_f32_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_dot2c_f32_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT2C_F32_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_dot2c_i32_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_dot2c_i32_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT2C_I32_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_dot4c_i32_i8`.
    #[inline(always)]
    #[track_caller]
    fn v_dot4c_i32_i8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT4C_I32_I8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_dot8c_i32_i4`.
    #[inline(always)]
    #[track_caller]
    fn v_dot8c_i32_i4(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT8C_I32_I4, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_fmac_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_fmac_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FMAC_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_fmac_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_fmac_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_FMAC_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_xnor_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_xnor_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_XNOR_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_add_co_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_add_co_u32(&mut self, d: V<1>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_CO_U32, &[d.into(), sd.into(), a.into().0, b.into().0])
    }
    /// `v_sub_co_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_sub_co_u32(&mut self, d: V<1>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUB_CO_U32, &[d.into(), sd.into(), a.into().0, b.into().0])
    }
    /// `v_subrev_co_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_subrev_co_u32(&mut self, d: V<1>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUBREV_CO_U32, &[d.into(), sd.into(), a.into().0, b.into().0])
    }
    /// `v_addc_co_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_addc_co_u32(&mut self, d: V<1>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: S<2>) -> Rec<'_, Self> {
        rec(self, id::V_ADDC_CO_U32, &[d.into(), sd.into(), a.into().0, b.into().0, c.into()])
    }
    /// `v_subb_co_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_subb_co_u32(&mut self, d: V<1>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: S<2>) -> Rec<'_, Self> {
        rec(self, id::V_SUBB_CO_U32, &[d.into(), sd.into(), a.into().0, b.into().0, c.into()])
    }
    /// `v_subbrev_co_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_subbrev_co_u32(&mut self, d: V<1>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: S<2>) -> Rec<'_, Self> {
        rec(self, id::V_SUBBREV_CO_U32, &[d.into(), sd.into(), a.into().0, b.into().0, c.into()])
    }
    /// `v_madmk_f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_madmk_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, k: impl Into<Operand>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MADMK_F32, &[d.into(), a.into().0, k.into(), b.into().0])
    }
    /// `v_fmamk_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_fmamk_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, k: impl Into<Operand>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FMAMK_F32, &[d.into(), a.into().0, k.into(), b.into().0])
    }
    /// `v_madak_f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_madak_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, k: impl Into<Operand>) -> Rec<'_, Self> {
        rec(self, id::V_MADAK_F32, &[d.into(), a.into().0, b.into().0, k.into()])
    }
    /// `v_fmaak_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_fmaak_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, k: impl Into<Operand>) -> Rec<'_, Self> {
        rec(self, id::V_FMAAK_F32, &[d.into(), a.into().0, b.into().0, k.into()])
    }
    /// `v_madmk_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_madmk_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, k: impl Into<Operand>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MADMK_F16, &[d.into(), a.into().0, k.into(), b.into().0])
    }
    /// `v_madak_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_madak_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, k: impl Into<Operand>) -> Rec<'_, Self> {
        rec(self, id::V_MADAK_F16, &[d.into(), a.into().0, b.into().0, k.into()])
    }
    /// `v_cmp_class_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_class_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_CLASS_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_class_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_class_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_CLASS_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_class_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_class_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_CLASS_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_class_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_class_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_CLASS_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_class_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_class_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_CLASS_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_class_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_class_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_CLASS_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lg_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lg_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LG_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_o_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_o_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_O_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_u_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_u_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_U_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nge_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nge_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NGE_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nlg_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nlg_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLG_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ngt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ngt_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NGT_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nle_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nle_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLE_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_neq_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_neq_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NEQ_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nlt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nlt_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLT_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_tru_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_tru_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_TRU_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lg_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lg_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LG_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_o_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_o_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_O_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_u_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_u_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_U_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nge_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nge_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NGE_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nlg_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nlg_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLG_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ngt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ngt_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NGT_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nle_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nle_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLE_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_neq_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_neq_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NEQ_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nlt_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nlt_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLT_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_tru_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_tru_f16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_TRU_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lg_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lg_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LG_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_o_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_o_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_O_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_u_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_u_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_U_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nge_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nge_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NGE_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nlg_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nlg_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLG_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ngt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ngt_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NGT_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nle_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nle_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLE_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_neq_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_neq_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NEQ_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nlt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nlt_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLT_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_tru_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_tru_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_TRU_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lg_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lg_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LG_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_o_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_o_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_O_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_u_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_u_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_U_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nge_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nge_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NGE_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nlg_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nlg_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLG_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ngt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ngt_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NGT_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nle_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nle_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLE_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_neq_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_neq_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NEQ_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nlt_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nlt_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLT_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_tru_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_tru_f32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_TRU_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lg_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lg_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LG_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_o_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_o_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_O_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_u_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_u_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_U_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nge_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nge_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NGE_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nlg_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nlg_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLG_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ngt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ngt_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NGT_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nle_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nle_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLE_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_neq_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_neq_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NEQ_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_nlt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_nlt_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NLT_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_tru_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_tru_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_TRU_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lg_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lg_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LG_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_o_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_o_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_O_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_u_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_u_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_U_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nge_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nge_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NGE_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nlg_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nlg_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLG_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ngt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ngt_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NGT_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nle_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nle_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLE_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_neq_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_neq_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NEQ_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_nlt_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_nlt_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NLT_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_tru_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_tru_f64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_TRU_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ne_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ne_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NE_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_t_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_t_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_T_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ne_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ne_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NE_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_t_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_t_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_T_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ne_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ne_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NE_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_t_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_t_i16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_T_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ne_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ne_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NE_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_t_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_t_u16(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_T_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ne_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ne_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NE_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_t_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_t_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_T_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ne_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ne_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NE_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_t_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_t_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_T_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ne_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ne_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NE_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_t_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_t_i32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_T_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ne_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ne_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NE_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_t_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_t_u32(&mut self, d: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_T_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ne_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ne_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NE_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_t_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_t_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_T_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_f_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_f_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_F_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_lt_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_lt_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LT_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_eq_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_eq_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_EQ_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_le_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_le_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_LE_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_gt_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_gt_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GT_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ne_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ne_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_NE_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_ge_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_ge_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_GE_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmp_t_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmp_t_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMP_T_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ne_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ne_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NE_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_t_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_t_i64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_T_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_f_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_f_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_F_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_lt_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_lt_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LT_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_eq_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_eq_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_EQ_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_le_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_le_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_LE_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_gt_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_gt_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GT_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ne_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ne_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_NE_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_ge_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_ge_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_GE_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cmpx_t_u64`.
    #[inline(always)]
    #[track_caller]
    fn v_cmpx_t_u64(&mut self, d: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_CMPX_T_U64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mad_legacy_f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mad_legacy_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_LEGACY_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mad_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_i32_i24`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_i32_i24(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_I32_I24, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_u32_u24`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_u32_u24(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_U32_U24, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cubeid_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cubeid_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CUBEID_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cubesc_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cubesc_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CUBESC_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cubetc_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cubetc_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CUBETC_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cubema_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cubema_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CUBEMA_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_bfe_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_bfe_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_BFE_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_bfe_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_bfe_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_BFE_I32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_bfi_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_bfi_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_BFI_B32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_fma_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_fma_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FMA_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_fma_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_fma_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_FMA_F64, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_lerp_u8`.
    #[inline(always)]
    #[track_caller]
    fn v_lerp_u8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LERP_U8, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_alignbit_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_alignbit_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ALIGNBIT_B32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_alignbyte_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_alignbyte_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ALIGNBYTE_B32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_min3_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_min3_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN3_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_min3_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_min3_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN3_I32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_min3_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_min3_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN3_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_max3_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_max3_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX3_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_max3_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_max3_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX3_I32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_max3_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_max3_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX3_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_med3_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_med3_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MED3_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_med3_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_med3_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MED3_I32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_med3_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_med3_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MED3_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_sad_u8`.
    #[inline(always)]
    #[track_caller]
    fn v_sad_u8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SAD_U8, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_sad_hi_u8`.
    #[inline(always)]
    #[track_caller]
    fn v_sad_hi_u8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SAD_HI_U8, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_sad_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_sad_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SAD_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_sad_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_sad_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SAD_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_pk_u8_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_u8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_U8_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_div_fixup_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_div_fixup_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DIV_FIXUP_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_div_fixup_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_div_fixup_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_DIV_FIXUP_F64, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_div_fmas_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_div_fmas_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DIV_FMAS_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_div_fmas_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_div_fmas_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_DIV_FMAS_F64, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_msad_u8`.
    #[inline(always)]
    #[track_caller]
    fn v_msad_u8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MSAD_U8, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_qsad_pk_u16_u8`.
    #[inline(always)]
    #[track_caller]
    fn v_qsad_pk_u16_u8(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<1>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_QSAD_PK_U16_U8, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mqsad_pk_u16_u8`.
    #[inline(always)]
    #[track_caller]
    fn v_mqsad_pk_u16_u8(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<1>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MQSAD_PK_U16_U8, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mqsad_u32_u8`.
    #[inline(always)]
    #[track_caller]
    fn v_mqsad_u32_u8(&mut self, d: V<4>, a: impl Into<Src<2>>, b: impl Into<Src<1>>, c: V<4>) -> Rec<'_, Self> {
        rec(self, id::V_MQSAD_U32_U8, &[d.into(), a.into().0, b.into().0, c.into()])
    }
    /// `v_mad_legacy_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_legacy_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_LEGACY_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_legacy_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_legacy_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_LEGACY_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_legacy_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_legacy_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_LEGACY_I16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_perm_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_perm_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PERM_B32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_fma_legacy_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_fma_legacy_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FMA_LEGACY_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_div_fixup_legacy_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_div_fixup_legacy_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DIV_FIXUP_LEGACY_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_pkaccum_u8_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pkaccum_u8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PKACCUM_U8_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mad_u32_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_u32_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_U32_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_i32_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_i32_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_I32_I16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_xad_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_xad_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_XAD_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_min3_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_min3_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN3_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_min3_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_min3_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN3_I16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_min3_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_min3_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN3_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_max3_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_max3_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX3_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_max3_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_max3_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX3_I16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_max3_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_max3_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX3_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_med3_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_med3_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MED3_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_med3_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_med3_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MED3_I16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_med3_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_med3_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MED3_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_lshl_add_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_lshl_add_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHL_ADD_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_add_lshl_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_add_lshl_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_LSHL_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_add3_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_add3_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD3_U32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_lshl_or_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_lshl_or_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHL_OR_B32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_and_or_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_and_or_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_AND_OR_B32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_or3_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_or3_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_OR3_B32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_I16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_fma_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_fma_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FMA_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_div_fixup_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_div_fixup_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DIV_FIXUP_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_lshl_add_u64`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_lshl_add_u64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<1>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHL_ADD_U64, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_bitop3_b16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_bitop3_b16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_BITOP3_B16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_bitop3_b32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_bitop3_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_BITOP3_B32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk_fp8_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_fp8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_FP8_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk_bf8_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_bf8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_BF8_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_fp8_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_fp8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_FP8_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_bf8_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_bf8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_BF8_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk_f32_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_f32_fp8(&mut self, d: V<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_F32_FP8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_f32_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_f32_bf8(&mut self, d: V<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_F32_BF8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_f32_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_f32_fp8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_F32_FP8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_f32_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_f32_bf8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_F32_BF8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_fp4_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_fp4_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_FP4_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_pk_fp4_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk_fp4_f32(&mut self, d: V<1>, a: V<2>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK_FP4_F32, &[d.into(), a.into(), b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk_f32_fp4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_f32_fp4(&mut self, d: V<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_F32_FP4, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_fp8_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_fp8_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_FP8_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_bf8_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_bf8_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_BF8_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_sr_fp8_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_fp8_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_FP8_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_bf8_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_bf8_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_BF8_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk_fp8_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_fp8_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_FP8_BF16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_bf8_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_bf8_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_BF8_BF16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_sr_fp8_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_fp8_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_FP8_BF16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_bf8_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_bf8_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_BF8_BF16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk_f16_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_f16_fp8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_F16_FP8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_f16_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_f16_bf8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_F16_BF8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_f16_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_f16_fp8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_F16_FP8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_f16_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_f16_bf8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_F16_BF8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_fp4_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_fp4_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_FP4_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_fp4_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_fp4_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_FP4_BF16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_sr_pk_fp4_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk_fp4_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK_FP4_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_pk_fp4_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk_fp4_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK_FP4_BF16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk_f16_fp4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_f16_fp4(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_F16_FP4, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_bf16_fp4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_bf16_fp4(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_BF16_FP4, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_2xpk16_fp6_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_2xpk16_fp6_f32(&mut self, d: V<6>, a: V<16>, b: V<16>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_2XPK16_FP6_F32, &[d.into(), a.into(), b.into(), c.into().0])
    }
    /// `v_cvt_scalef32_2xpk16_bf6_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_2xpk16_bf6_f32(&mut self, d: V<6>, a: V<16>, b: V<16>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_2XPK16_BF6_F32, &[d.into(), a.into(), b.into(), c.into().0])
    }
    /// `v_cvt_scalef32_sr_pk32_fp6_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk32_fp6_f32(&mut self, d: V<6>, a: V<32>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK32_FP6_F32, &[d.into(), a.into(), b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_pk32_bf6_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk32_bf6_f32(&mut self, d: V<6>, a: V<32>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK32_BF6_F32, &[d.into(), a.into(), b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk32_f32_fp6`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_f32_fp6(&mut self, d: V<32>, a: V<6>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_F32_FP6, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_pk32_f32_bf6`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_f32_bf6(&mut self, d: V<32>, a: V<6>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_F32_BF6, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_pk32_fp6_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_fp6_f16(&mut self, d: V<6>, a: V<16>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_FP6_F16, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_pk32_fp6_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_fp6_bf16(&mut self, d: V<6>, a: V<16>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_FP6_BF16, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_pk32_bf6_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_bf6_f16(&mut self, d: V<6>, a: V<16>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_BF6_F16, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_pk32_bf6_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_bf6_bf16(&mut self, d: V<6>, a: V<16>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_BF6_BF16, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_sr_pk32_fp6_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk32_fp6_f16(&mut self, d: V<6>, a: V<16>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK32_FP6_F16, &[d.into(), a.into(), b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_pk32_fp6_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk32_fp6_bf16(&mut self, d: V<6>, a: V<16>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK32_FP6_BF16, &[d.into(), a.into(), b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_pk32_bf6_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk32_bf6_f16(&mut self, d: V<6>, a: V<16>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK32_BF6_F16, &[d.into(), a.into(), b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_sr_pk32_bf6_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_sr_pk32_bf6_bf16(&mut self, d: V<6>, a: V<16>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_SR_PK32_BF6_BF16, &[d.into(), a.into(), b.into().0, c.into().0])
    }
    /// `v_cvt_scalef32_pk32_f16_fp6`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_f16_fp6(&mut self, d: V<16>, a: V<6>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_F16_FP6, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_pk32_bf16_fp6`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_bf16_fp6(&mut self, d: V<16>, a: V<6>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_BF16_FP6, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_pk32_f16_bf6`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_f16_bf6(&mut self, d: V<16>, a: V<6>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_F16_BF6, &[d.into(), a.into(), b.into().0])
    }
    /// `v_cvt_scalef32_pk32_bf16_bf6`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk32_bf16_bf6(&mut self, d: V<16>, a: V<6>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK32_BF16_BF6, &[d.into(), a.into(), b.into().0])
    }
    /// `v_ashr_pk_i8_i32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_ashr_pk_i8_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ASHR_PK_I8_I32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_ashr_pk_u8_i32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_ashr_pk_u8_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ASHR_PK_U8_I32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_cvt_pk_f16_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_f16_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_F16_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pk_bf16_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_bf16_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_BF16_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_bf16_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_bf16_fp8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_BF16_FP8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_scalef32_pk_bf16_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_scalef32_pk_bf16_bf8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SCALEF32_PK_BF16_BF8, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_add_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_add_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_min_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_min_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MIN_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_max_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_max_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MAX_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_ldexp_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_ldexp_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LDEXP_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_lo_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_lo_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_LO_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_hi_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_hi_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_HI_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mul_hi_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_mul_hi_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MUL_HI_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_ldexp_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_ldexp_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_LDEXP_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_readlane_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_readlane_b32(&mut self, d: S<1>, a: V<1>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::V_READLANE_B32, &[d.into(), a.into(), b.into().0])
    }
    /// `v_writelane_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_writelane_b32(&mut self, d: V<1>, a: impl Into<SSrc<1>>, b: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::V_WRITELANE_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_bcnt_u32_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_bcnt_u32_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_BCNT_U32_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mbcnt_lo_u32_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_mbcnt_lo_u32_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MBCNT_LO_U32_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_mbcnt_hi_u32_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_mbcnt_hi_u32_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MBCNT_HI_U32_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_lshlrev_b64`.
    #[inline(always)]
    #[track_caller]
    fn v_lshlrev_b64(&mut self, d: V<2>, a: impl Into<Src<1>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHLREV_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_lshrrev_b64`.
    #[inline(always)]
    #[track_caller]
    fn v_lshrrev_b64(&mut self, d: V<2>, a: impl Into<Src<1>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_LSHRREV_B64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_ashrrev_i64`.
    #[inline(always)]
    #[track_caller]
    fn v_ashrrev_i64(&mut self, d: V<2>, a: impl Into<Src<1>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_ASHRREV_I64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_trig_preop_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_trig_preop_f64(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_TRIG_PREOP_F64, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_bfm_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_bfm_b32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_BFM_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pknorm_i16_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pknorm_i16_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PKNORM_I16_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pknorm_u16_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pknorm_u16_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PKNORM_U16_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pkrtz_f16_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pkrtz_f16_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PKRTZ_F16_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pk_u16_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_u16_u32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_U16_U32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pk_i16_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_i16_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_I16_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pknorm_i16_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pknorm_i16_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PKNORM_I16_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pknorm_u16_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pknorm_u16_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PKNORM_U16_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_add_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_add_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_sub_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_sub_i32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUB_I32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_add_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_add_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ADD_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_sub_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_sub_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_SUB_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pack_b32_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_pack_b32_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PACK_B32_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pk_fp8_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_fp8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_FP8_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_pk_bf8_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_pk_bf8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_PK_BF8_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_sr_fp8_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_sr_fp8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SR_FP8_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_sr_bf8_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_sr_bf8_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SR_BF8_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_sr_f16_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_sr_f16_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SR_F16_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_cvt_sr_bf16_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_cvt_sr_bf16_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_CVT_SR_BF16_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_minimum3_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_minimum3_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MINIMUM3_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_maximum3_f32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_maximum3_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MAXIMUM3_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_div_scale_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_div_scale_f32(&mut self, d: V<1>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DIV_SCALE_F32, &[d.into(), sd.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_div_scale_f64`.
    #[inline(always)]
    #[track_caller]
    fn v_div_scale_f64(&mut self, d: V<2>, sd: S<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_DIV_SCALE_F64, &[d.into(), sd.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_u64_u32`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_u64_u32(&mut self, d: V<2>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_U64_U32, &[d.into(), sd.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_mad_i64_i32`.
    #[inline(always)]
    #[track_caller]
    fn v_mad_i64_i32(&mut self, d: V<2>, sd: S<2>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MAD_I64_I32, &[d.into(), sd.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_pk_mad_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_mad_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MAD_I16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_pk_mul_lo_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_mul_lo_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MUL_LO_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_add_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_add_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_ADD_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_sub_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_sub_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_SUB_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_lshlrev_b16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_lshlrev_b16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_LSHLREV_B16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_lshrrev_b16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_lshrrev_b16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_LSHRREV_B16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_ashrrev_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_ashrrev_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_ASHRREV_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_max_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_max_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MAX_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_min_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_min_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MIN_I16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_mad_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_mad_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MAD_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_pk_add_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_add_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_ADD_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_sub_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_sub_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_SUB_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_max_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_max_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MAX_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_min_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_min_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MIN_U16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_fma_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_fma_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_FMA_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_pk_add_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_add_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_ADD_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_mul_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_mul_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MUL_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_min_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_min_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MIN_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_max_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_pk_max_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MAX_F16, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_dot2_f32_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_dot2_f32_bf16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT2_F32_BF16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_pk_minimum3_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_pk_minimum3_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MINIMUM3_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_pk_maximum3_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_pk_maximum3_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MAXIMUM3_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_fma_mix_f32`.
    #[inline(always)]
    #[track_caller]
    fn v_fma_mix_f32(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FMA_MIX_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_fma_mixlo_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_fma_mixlo_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FMA_MIXLO_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_fma_mixhi_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_fma_mixhi_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_FMA_MIXHI_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_dot2_f32_f16`.
    #[inline(always)]
    #[track_caller]
    fn v_dot2_f32_f16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT2_F32_F16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_dot2_i32_i16`.
    #[inline(always)]
    #[track_caller]
    fn v_dot2_i32_i16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT2_I32_I16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_dot2_u32_u16`.
    #[inline(always)]
    #[track_caller]
    fn v_dot2_u32_u16(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT2_U32_U16, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_dot4_i32_i8`.
    #[inline(always)]
    #[track_caller]
    fn v_dot4_i32_i8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT4_I32_I8, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_dot4_u32_u8`.
    #[inline(always)]
    #[track_caller]
    fn v_dot4_u32_u8(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT4_U32_U8, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_dot8_i32_i4`.
    #[inline(always)]
    #[track_caller]
    fn v_dot8_i32_i4(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT8_I32_I4, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_dot8_u32_u4`.
    #[inline(always)]
    #[track_caller]
    fn v_dot8_u32_u4(&mut self, d: V<1>, a: impl Into<Src<1>>, b: impl Into<Src<1>>, c: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_DOT8_U32_U4, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_pk_fma_f32`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_pk_fma_f32(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>, c: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_FMA_F32, &[d.into(), a.into().0, b.into().0, c.into().0])
    }
    /// `v_pk_mul_f32`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_pk_mul_f32(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MUL_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_add_f32`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_pk_add_f32(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_ADD_F32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_pk_mov_b32`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_pk_mov_b32(&mut self, d: V<2>, a: impl Into<Src<2>>, b: impl Into<Src<2>>) -> Rec<'_, Self> {
        rec(self, id::V_PK_MOV_B32, &[d.into(), a.into().0, b.into().0])
    }
    /// `v_accvgpr_read_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_accvgpr_read_b32(&mut self, d: V<1>, a: A<1>) -> Rec<'_, Self> {
        rec(self, id::V_ACCVGPR_READ_B32, &[d.into(), a.into()])
    }
    /// `v_accvgpr_write_b32`.
    #[inline(always)]
    #[track_caller]
    fn v_accvgpr_write_b32(&mut self, d: A<1>, a: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_ACCVGPR_WRITE_B32, &[d.into(), a.into().0])
    }
    /// `v_mfma_f32_16x16x128_f8f6f4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x128_f8f6f4(&mut self, d: impl Into<VA<4>>, a: impl Into<Operand>, b: impl Into<Operand>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X128_F8F6F4, &[d.into().0, a.into(), b.into(), c.into().0])
    }
    /// `v_mfma_f32_32x32x64_f8f6f4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x64_f8f6f4(&mut self, d: impl Into<VA<16>>, a: impl Into<Operand>, b: impl Into<Operand>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X64_F8F6F4, &[d.into().0, a.into(), b.into(), c.into().0])
    }
    /// `v_mfma_f32_16x16x32_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x32_bf16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<4>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X32_BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_16x16x64_i8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_16x16x64_i8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<4>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_16X16X64_I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x16_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x16_bf16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<4>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X16_BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_32x32x32_i8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_32x32x32_i8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<4>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_32X32X32_I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_16x16x64_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x64_bf16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X64_BF16, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_i32_16x16x128_i8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_i32_16x16x128_i8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_I32_16X16X128_I8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_16x16x128_bf8_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x128_bf8_bf8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X128_BF8_BF8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_16x16x128_bf8_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x128_bf8_fp8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X128_BF8_FP8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_16x16x128_fp8_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x128_fp8_bf8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X128_FP8_BF8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_16x16x8_xf32`. gfx942 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x8_xf32(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X8_XF32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x4_xf32`. gfx942 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x4_xf32(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X4_XF32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x1f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x1f32(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X1F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x1_2b_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x1_2b_f32(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X1_2B_F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x1f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x1f32(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X1F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x1_4b_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x1_4b_f32(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X1_4B_F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_4x4x1f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_4x4x1f32(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_4X4X1F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_4x4x1_16b_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_4x4x1_16b_f32(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_4X4X1_16B_F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_16x16x128_fp8_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x128_fp8_fp8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X128_FP8_FP8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_32x32x2f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x2f32(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X2F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x2_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x2_f32(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X2_F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x4f32`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x4f32(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X4F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x4_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x4_f32(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X4_F32, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_32x32x32_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x32_bf16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X32_BF16, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_i32_32x32x64_i8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_i32_32x32x64_i8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_I32_32X32X64_I8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_32x32x4f16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x4f16(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X4F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x4_2b_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x4_2b_f16(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X4_2B_F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x4f16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x4f16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X4F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x4_4b_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x4_4b_f16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X4_4B_F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_4x4x4f16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_4x4x4f16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_4X4X4F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_4x4x4_16b_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_4x4x4_16b_f16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_4X4X4_16B_F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_32x32x64_bf8_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x64_bf8_bf8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X64_BF8_BF8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_32x32x8f16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x8f16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X8F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x8_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x8_f16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X8_F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x16f16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x16f16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X16F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x16_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x16_f16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X16_F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_32x32x64_bf8_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x64_bf8_fp8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X64_BF8_FP8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_32x32x64_fp8_bf8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x64_fp8_bf8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X64_FP8_BF8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_i32_32x32x4i8`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_32x32x4i8(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_32X32X4I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_32x32x4_2b_i8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_32x32x4_2b_i8(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_32X32X4_2B_I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_16x16x4i8`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_16x16x4i8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_16X16X4I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_16x16x4_4b_i8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_16x16x4_4b_i8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_16X16X4_4B_I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_4x4x4i8`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_4x4x4i8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_4X4X4I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_4x4x4_16b_i8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_4x4x4_16b_i8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_4X4X4_16B_I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_32x32x64_fp8_fp8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x64_fp8_fp8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X64_FP8_FP8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_i32_32x32x8i8`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_32x32x8i8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_32X32X8I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x32_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x32_f16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<4>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X32_F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_16x16x16i8`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_16x16x16i8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_16X16X16I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x16_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x16_f16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<4>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X16_F16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_32x32x16_i8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_32x32x16_i8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_32X32X16_I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_i32_16x16x32_i8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_i32_16x16x32_i8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_I32_16X16X32_I8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_16x16x64_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x64_f16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X64_F16, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_32x32x32_f16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x32_f16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<4>>, b: impl Into<VA<8>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X32_F16, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_32x32x4_2b_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x4_2b_bf16(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X4_2B_BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x4_4b_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x4_4b_bf16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X4_4B_BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_4x4x4_16b_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_4x4x4_16b_bf16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_4X4X4_16B_BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x8_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x8_bf16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X8_BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x16_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x16_bf16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X16_BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_16x16x32_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x32_f16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X32_F16, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_32x32x4bf16_1k`. gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x4bf16_1k(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X4BF16_1K, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x4bf16_1k`. gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x4bf16_1k(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X4BF16_1K, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_32x32x16_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x16_f16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X16_F16, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_4x4x4bf16_1k`. gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_4x4x4bf16_1k(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_4X4X4BF16_1K, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x8bf16_1k`. gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x8bf16_1k(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X8BF16_1K, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_16x16x32_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x32_bf16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X32_BF16, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_16x16x16bf16_1k`. gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x16bf16_1k(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X16BF16_1K, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x2bf16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x2bf16(&mut self, d: impl Into<VA<32>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<32>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X2BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_32x32x16_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x16_bf16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X16_BF16, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_16x16x2bf16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x2bf16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X2BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_i32_16x16x64_i8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_i32_16x16x64_i8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_I32_16X16X64_I8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_4x4x2bf16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_4x4x2bf16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_4X4X2BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x4bf16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x4bf16(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X4BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_i32_32x32x32_i8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_i32_32x32x32_i8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_I32_32X32X32_I8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_f32_16x16x8bf16`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x8bf16(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<1>>, b: impl Into<VA<1>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X8BF16, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f64_16x16x4f64`. gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f64_16x16x4f64(&mut self, d: impl Into<VA<8>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<8>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F64_16X16X4F64, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f64_16x16x4_f64`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f64_16x16x4_f64(&mut self, d: impl Into<VA<8>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<8>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F64_16X16X4_F64, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f64_4x4x4f64`. gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f64_4x4x4f64(&mut self, d: impl Into<VA<2>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F64_4X4X4F64, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f64_4x4x4_4b_f64`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f64_4x4x4_4b_f64(&mut self, d: impl Into<VA<2>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<2>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F64_4X4X4_4B_F64, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x32_bf8_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x32_bf8_bf8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X32_BF8_BF8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x32_bf8_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x32_bf8_fp8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X32_BF8_FP8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x32_fp8_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x32_fp8_bf8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X32_FP8_BF8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_16x16x32_fp8_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_16x16x32_fp8_fp8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<4>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_16X16X32_FP8_FP8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x16_bf8_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x16_bf8_bf8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X16_BF8_BF8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x16_bf8_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x16_bf8_fp8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X16_BF8_FP8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x16_fp8_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x16_fp8_bf8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X16_FP8_BF8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_mfma_f32_32x32x16_fp8_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_f32_32x32x16_fp8_fp8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<2>>, c: impl Into<VAC<16>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_F32_32X32X16_FP8_FP8, &[d.into().0, a.into().0, b.into().0, c.into().0])
    }
    /// `v_smfmac_f32_16x16x64_bf8_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x64_bf8_bf8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X64_BF8_BF8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_16x16x64_bf8_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x64_bf8_fp8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X64_BF8_FP8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_16x16x64_fp8_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x64_fp8_bf8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X64_FP8_BF8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_16x16x64_fp8_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_16x16x64_fp8_fp8(&mut self, d: impl Into<VA<4>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_16X16X64_FP8_FP8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_32x32x32_bf8_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x32_bf8_bf8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X32_BF8_BF8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_32x32x32_bf8_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x32_bf8_fp8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X32_BF8_FP8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_32x32x32_fp8_bf8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x32_fp8_bf8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X32_FP8_BF8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_smfmac_f32_32x32x32_fp8_fp8`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_smfmac_f32_32x32x32_fp8_fp8(&mut self, d: impl Into<VA<16>>, a: impl Into<VA<2>>, b: impl Into<VA<4>>, c: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_SMFMAC_F32_32X32X32_FP8_FP8, &[d.into().0, a.into().0, b.into().0, c.into()])
    }
    /// `v_mfma_scale_f32_16x16x128_f8f6f4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_scale_f32_16x16x128_f8f6f4(&mut self, d: impl Into<VA<4>>, a: impl Into<Operand>, b: impl Into<Operand>, c: impl Into<VAC<4>>, scale_a: V<1>, scale_b: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_SCALE_F32_16X16X128_F8F6F4, &[d.into().0, a.into(), b.into(), c.into().0, scale_a.into(), scale_b.into()])
    }
    /// `v_mfma_scale_f32_32x32x64_f8f6f4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_scale_f32_32x32x64_f8f6f4(&mut self, d: impl Into<VA<16>>, a: impl Into<Operand>, b: impl Into<Operand>, c: impl Into<VAC<16>>, scale_a: V<1>, scale_b: V<1>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_SCALE_F32_32X32X64_F8F6F4, &[d.into().0, a.into(), b.into(), c.into().0, scale_a.into(), scale_b.into()])
    }
    /// `v_mfma_ld_scale_b32`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn v_mfma_ld_scale_b32(&mut self, a: impl Into<Src<1>>, b: impl Into<Src<1>>) -> Rec<'_, Self> {
        rec(self, id::V_MFMA_LD_SCALE_B32, &[a.into().0, b.into().0])
    }
    /// `ds_add_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_add_u32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_U32, &[addr.into(), data.into().0])
    }
    /// `ds_sub_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_sub_u32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_SUB_U32, &[addr.into(), data.into().0])
    }
    /// `ds_rsub_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_rsub_u32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_RSUB_U32, &[addr.into(), data.into().0])
    }
    /// `ds_inc_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_inc_u32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_INC_U32, &[addr.into(), data.into().0])
    }
    /// `ds_dec_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_dec_u32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_DEC_U32, &[addr.into(), data.into().0])
    }
    /// `ds_min_i32`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_i32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_I32, &[addr.into(), data.into().0])
    }
    /// `ds_max_i32`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_i32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_I32, &[addr.into(), data.into().0])
    }
    /// `ds_min_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_u32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_U32, &[addr.into(), data.into().0])
    }
    /// `ds_max_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_u32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_U32, &[addr.into(), data.into().0])
    }
    /// `ds_and_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_and_b32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_AND_B32, &[addr.into(), data.into().0])
    }
    /// `ds_or_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_or_b32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_OR_B32, &[addr.into(), data.into().0])
    }
    /// `ds_xor_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_xor_b32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_XOR_B32, &[addr.into(), data.into().0])
    }
    /// `ds_mskor_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_mskor_b32(&mut self, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MSKOR_B32, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_write_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_b32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_B32, &[addr.into(), data.into().0])
    }
    /// `ds_write2_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_write2_b32(&mut self, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE2_B32, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_write2st64_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_write2st64_b32(&mut self, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE2ST64_B32, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_cmpst_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_cmpst_b32(&mut self, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_CMPST_B32, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_cmpst_f32`.
    #[inline(always)]
    #[track_caller]
    fn ds_cmpst_f32(&mut self, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_CMPST_F32, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_min_f32`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_f32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_F32, &[addr.into(), data.into().0])
    }
    /// `ds_max_f32`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_f32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_F32, &[addr.into(), data.into().0])
    }
    /// `ds_nop`.
    #[inline(always)]
    #[track_caller]
    fn ds_nop(&mut self) -> Rec<'_, Self> {
        rec(self, id::DS_NOP, &[])
    }
    /// `ds_add_f32`.
    #[inline(always)]
    #[track_caller]
    fn ds_add_f32(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_F32, &[addr.into(), data.into().0])
    }
    /// `ds_pk_add_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_pk_add_f16(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_PK_ADD_F16, &[addr.into(), data.into().0])
    }
    /// `ds_pk_add_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_pk_add_bf16(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_PK_ADD_BF16, &[addr.into(), data.into().0])
    }
    /// `ds_write_addtid_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_addtid_b32(&mut self, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_ADDTID_B32, &[data.into().0])
    }
    /// `ds_write_b8`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_b8(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_B8, &[addr.into(), data.into().0])
    }
    /// `ds_write_b16`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_b16(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_B16, &[addr.into(), data.into().0])
    }
    /// `ds_add_rtn_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_add_rtn_u32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_RTN_U32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_sub_rtn_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_sub_rtn_u32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_SUB_RTN_U32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_rsub_rtn_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_rsub_rtn_u32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_RSUB_RTN_U32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_inc_rtn_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_inc_rtn_u32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_INC_RTN_U32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_dec_rtn_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_dec_rtn_u32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_DEC_RTN_U32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_min_rtn_i32`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_rtn_i32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_RTN_I32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_max_rtn_i32`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_rtn_i32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_RTN_I32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_min_rtn_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_rtn_u32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_RTN_U32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_max_rtn_u32`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_rtn_u32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_RTN_U32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_and_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_and_rtn_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_AND_RTN_B32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_or_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_or_rtn_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_OR_RTN_B32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_xor_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_xor_rtn_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_XOR_RTN_B32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_mskor_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_mskor_rtn_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MSKOR_RTN_B32, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_wrxchg_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_wrxchg_rtn_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRXCHG_RTN_B32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_wrxchg2_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_wrxchg2_rtn_b32(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRXCHG2_RTN_B32, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_wrxchg2st64_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_wrxchg2st64_rtn_b32(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRXCHG2ST64_RTN_B32, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_cmpst_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_cmpst_rtn_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_CMPST_RTN_B32, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_cmpst_rtn_f32`.
    #[inline(always)]
    #[track_caller]
    fn ds_cmpst_rtn_f32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_CMPST_RTN_F32, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_min_rtn_f32`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_rtn_f32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_RTN_F32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_max_rtn_f32`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_rtn_f32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_RTN_F32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_wrap_rtn_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_wrap_rtn_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>, data1: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRAP_RTN_B32, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_add_rtn_f32`.
    #[inline(always)]
    #[track_caller]
    fn ds_add_rtn_f32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_RTN_F32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_read_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_B32, &[d.into().0, addr.into()])
    }
    /// `ds_read2_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_read2_b32(&mut self, d: impl Into<VA<2>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ2_B32, &[d.into().0, addr.into()])
    }
    /// `ds_read2st64_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_read2st64_b32(&mut self, d: impl Into<VA<2>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ2ST64_B32, &[d.into().0, addr.into()])
    }
    /// `ds_read_i8`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_i8(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_I8, &[d.into().0, addr.into()])
    }
    /// `ds_read_u8`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_u8(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_U8, &[d.into().0, addr.into()])
    }
    /// `ds_read_i16`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_i16(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_I16, &[d.into().0, addr.into()])
    }
    /// `ds_read_u16`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_u16(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_U16, &[d.into().0, addr.into()])
    }
    /// `ds_swizzle_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_swizzle_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_SWIZZLE_B32, &[d.into().0, addr.into()])
    }
    /// `ds_permute_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_permute_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_PERMUTE_B32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_bpermute_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_bpermute_b32(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_BPERMUTE_B32, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_add_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_add_u64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_U64, &[addr.into(), data.into().0])
    }
    /// `ds_sub_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_sub_u64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_SUB_U64, &[addr.into(), data.into().0])
    }
    /// `ds_rsub_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_rsub_u64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_RSUB_U64, &[addr.into(), data.into().0])
    }
    /// `ds_inc_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_inc_u64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_INC_U64, &[addr.into(), data.into().0])
    }
    /// `ds_dec_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_dec_u64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_DEC_U64, &[addr.into(), data.into().0])
    }
    /// `ds_min_i64`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_i64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_I64, &[addr.into(), data.into().0])
    }
    /// `ds_max_i64`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_i64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_I64, &[addr.into(), data.into().0])
    }
    /// `ds_min_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_u64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_U64, &[addr.into(), data.into().0])
    }
    /// `ds_max_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_u64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_U64, &[addr.into(), data.into().0])
    }
    /// `ds_and_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_and_b64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_AND_B64, &[addr.into(), data.into().0])
    }
    /// `ds_or_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_or_b64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_OR_B64, &[addr.into(), data.into().0])
    }
    /// `ds_xor_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_xor_b64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_XOR_B64, &[addr.into(), data.into().0])
    }
    /// `ds_mskor_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_mskor_b64(&mut self, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MSKOR_B64, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_write_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_b64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_B64, &[addr.into(), data.into().0])
    }
    /// `ds_write2_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_write2_b64(&mut self, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE2_B64, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_write2st64_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_write2st64_b64(&mut self, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE2ST64_B64, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_cmpst_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_cmpst_b64(&mut self, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_CMPST_B64, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_cmpst_f64`.
    #[inline(always)]
    #[track_caller]
    fn ds_cmpst_f64(&mut self, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_CMPST_F64, &[addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_min_f64`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_f64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_F64, &[addr.into(), data.into().0])
    }
    /// `ds_max_f64`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_f64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_F64, &[addr.into(), data.into().0])
    }
    /// `ds_write_b8_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_b8_d16_hi(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_B8_D16_HI, &[addr.into(), data.into().0])
    }
    /// `ds_write_b16_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_b16_d16_hi(&mut self, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_B16_D16_HI, &[addr.into(), data.into().0])
    }
    /// `ds_read_u8_d16`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_u8_d16(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_U8_D16, &[d.into().0, addr.into()])
    }
    /// `ds_read_u8_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_u8_d16_hi(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_U8_D16_HI, &[d.into().0, addr.into()])
    }
    /// `ds_read_i8_d16`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_i8_d16(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_I8_D16, &[d.into().0, addr.into()])
    }
    /// `ds_read_i8_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_i8_d16_hi(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_I8_D16_HI, &[d.into().0, addr.into()])
    }
    /// `ds_read_u16_d16`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_u16_d16(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_U16_D16, &[d.into().0, addr.into()])
    }
    /// `ds_read_u16_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_u16_d16_hi(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_U16_D16_HI, &[d.into().0, addr.into()])
    }
    /// `ds_add_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_add_f64(&mut self, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_F64, &[addr.into(), data.into().0])
    }
    /// `ds_add_rtn_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_add_rtn_u64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_RTN_U64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_sub_rtn_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_sub_rtn_u64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_SUB_RTN_U64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_rsub_rtn_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_rsub_rtn_u64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_RSUB_RTN_U64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_inc_rtn_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_inc_rtn_u64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_INC_RTN_U64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_dec_rtn_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_dec_rtn_u64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_DEC_RTN_U64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_min_rtn_i64`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_rtn_i64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_RTN_I64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_max_rtn_i64`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_rtn_i64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_RTN_I64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_min_rtn_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_rtn_u64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_RTN_U64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_max_rtn_u64`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_rtn_u64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_RTN_U64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_and_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_and_rtn_b64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_AND_RTN_B64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_or_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_or_rtn_b64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_OR_RTN_B64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_xor_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_xor_rtn_b64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_XOR_RTN_B64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_mskor_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_mskor_rtn_b64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MSKOR_RTN_B64, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_wrxchg_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_wrxchg_rtn_b64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRXCHG_RTN_B64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_wrxchg2_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_wrxchg2_rtn_b64(&mut self, d: impl Into<VA<4>>, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRXCHG2_RTN_B64, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_wrxchg2st64_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_wrxchg2st64_rtn_b64(&mut self, d: impl Into<VA<4>>, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRXCHG2ST64_RTN_B64, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_cmpst_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_cmpst_rtn_b64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_CMPST_RTN_B64, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_cmpst_rtn_f64`.
    #[inline(always)]
    #[track_caller]
    fn ds_cmpst_rtn_f64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>, data1: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_CMPST_RTN_F64, &[d.into().0, addr.into(), data.into().0, data1.into().0])
    }
    /// `ds_min_rtn_f64`.
    #[inline(always)]
    #[track_caller]
    fn ds_min_rtn_f64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_RTN_F64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_max_rtn_f64`.
    #[inline(always)]
    #[track_caller]
    fn ds_max_rtn_f64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_RTN_F64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_read_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_b64(&mut self, d: impl Into<VA<2>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_B64, &[d.into().0, addr.into()])
    }
    /// `ds_read2_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_read2_b64(&mut self, d: impl Into<VA<4>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ2_B64, &[d.into().0, addr.into()])
    }
    /// `ds_read2st64_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_read2st64_b64(&mut self, d: impl Into<VA<4>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ2ST64_B64, &[d.into().0, addr.into()])
    }
    /// `ds_add_rtn_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_add_rtn_f64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_RTN_F64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_condxchg32_rtn_b64`.
    #[inline(always)]
    #[track_caller]
    fn ds_condxchg32_rtn_b64(&mut self, d: impl Into<VA<2>>, addr: V<1>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::DS_CONDXCHG32_RTN_B64, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_add_src2_u32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_add_src2_u32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_SRC2_U32, &[addr.into()])
    }
    /// `ds_sub_src2_u32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_sub_src2_u32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_SUB_SRC2_U32, &[addr.into()])
    }
    /// `ds_rsub_src2_u32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_rsub_src2_u32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_RSUB_SRC2_U32, &[addr.into()])
    }
    /// `ds_inc_src2_u32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_inc_src2_u32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_INC_SRC2_U32, &[addr.into()])
    }
    /// `ds_dec_src2_u32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_dec_src2_u32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_DEC_SRC2_U32, &[addr.into()])
    }
    /// `ds_min_src2_i32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_min_src2_i32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_SRC2_I32, &[addr.into()])
    }
    /// `ds_max_src2_i32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_max_src2_i32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_SRC2_I32, &[addr.into()])
    }
    /// `ds_min_src2_u32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_min_src2_u32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_SRC2_U32, &[addr.into()])
    }
    /// `ds_max_src2_u32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_max_src2_u32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_SRC2_U32, &[addr.into()])
    }
    /// `ds_and_src2_b32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_and_src2_b32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_AND_SRC2_B32, &[addr.into()])
    }
    /// `ds_or_src2_b32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_or_src2_b32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_OR_SRC2_B32, &[addr.into()])
    }
    /// `ds_xor_src2_b32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_xor_src2_b32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_XOR_SRC2_B32, &[addr.into()])
    }
    /// `ds_write_src2_b32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_write_src2_b32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_SRC2_B32, &[addr.into()])
    }
    /// `ds_min_src2_f32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_min_src2_f32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_SRC2_F32, &[addr.into()])
    }
    /// `ds_max_src2_f32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_max_src2_f32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_SRC2_F32, &[addr.into()])
    }
    /// `ds_add_src2_f32`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_add_src2_f32(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_SRC2_F32, &[addr.into()])
    }
    /// `ds_gws_sema_release_all`.
    #[inline(always)]
    #[track_caller]
    fn ds_gws_sema_release_all(&mut self) -> Rec<'_, Self> {
        rec(self, id::DS_GWS_SEMA_RELEASE_ALL, &[])
    }
    /// `ds_gws_init`.
    #[inline(always)]
    #[track_caller]
    fn ds_gws_init(&mut self, addr: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_GWS_INIT, &[addr.into().0])
    }
    /// `ds_gws_sema_v`.
    #[inline(always)]
    #[track_caller]
    fn ds_gws_sema_v(&mut self) -> Rec<'_, Self> {
        rec(self, id::DS_GWS_SEMA_V, &[])
    }
    /// `ds_gws_sema_br`.
    #[inline(always)]
    #[track_caller]
    fn ds_gws_sema_br(&mut self, addr: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_GWS_SEMA_BR, &[addr.into().0])
    }
    /// `ds_gws_sema_p`.
    #[inline(always)]
    #[track_caller]
    fn ds_gws_sema_p(&mut self) -> Rec<'_, Self> {
        rec(self, id::DS_GWS_SEMA_P, &[])
    }
    /// `ds_gws_barrier`.
    #[inline(always)]
    #[track_caller]
    fn ds_gws_barrier(&mut self, addr: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_GWS_BARRIER, &[addr.into().0])
    }
    /// `ds_read_addtid_b32`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_addtid_b32(&mut self, d: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_ADDTID_B32, &[d.into().0])
    }
    /// `ds_pk_add_rtn_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_pk_add_rtn_f16(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_PK_ADD_RTN_F16, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_pk_add_rtn_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_pk_add_rtn_bf16(&mut self, d: impl Into<VA<1>>, addr: V<1>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_PK_ADD_RTN_BF16, &[d.into().0, addr.into(), data.into().0])
    }
    /// `ds_consume`.
    #[inline(always)]
    #[track_caller]
    fn ds_consume(&mut self, d: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_CONSUME, &[d.into().0])
    }
    /// `ds_append`.
    #[inline(always)]
    #[track_caller]
    fn ds_append(&mut self, d: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::DS_APPEND, &[d.into().0])
    }
    /// `ds_ordered_count`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_ordered_count(&mut self, d: impl Into<VA<1>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_ORDERED_COUNT, &[d.into().0, addr.into()])
    }
    /// `ds_add_src2_u64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_add_src2_u64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_ADD_SRC2_U64, &[addr.into()])
    }
    /// `ds_sub_src2_u64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_sub_src2_u64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_SUB_SRC2_U64, &[addr.into()])
    }
    /// `ds_rsub_src2_u64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_rsub_src2_u64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_RSUB_SRC2_U64, &[addr.into()])
    }
    /// `ds_inc_src2_u64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_inc_src2_u64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_INC_SRC2_U64, &[addr.into()])
    }
    /// `ds_dec_src2_u64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_dec_src2_u64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_DEC_SRC2_U64, &[addr.into()])
    }
    /// `ds_min_src2_i64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_min_src2_i64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_SRC2_I64, &[addr.into()])
    }
    /// `ds_max_src2_i64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_max_src2_i64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_SRC2_I64, &[addr.into()])
    }
    /// `ds_min_src2_u64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_min_src2_u64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_SRC2_U64, &[addr.into()])
    }
    /// `ds_max_src2_u64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_max_src2_u64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_SRC2_U64, &[addr.into()])
    }
    /// `ds_and_src2_b64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_and_src2_b64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_AND_SRC2_B64, &[addr.into()])
    }
    /// `ds_or_src2_b64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_or_src2_b64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_OR_SRC2_B64, &[addr.into()])
    }
    /// `ds_xor_src2_b64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_xor_src2_b64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_XOR_SRC2_B64, &[addr.into()])
    }
    /// `ds_write_src2_b64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_write_src2_b64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_SRC2_B64, &[addr.into()])
    }
    /// `ds_min_src2_f64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_min_src2_f64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MIN_SRC2_F64, &[addr.into()])
    }
    /// `ds_max_src2_f64`. gfx908 only.
    #[inline(always)]
    #[track_caller]
    fn ds_max_src2_f64(&mut self, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_MAX_SRC2_F64, &[addr.into()])
    }
    /// `ds_write_b96`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_b96(&mut self, addr: V<1>, data: impl Into<VA<3>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_B96, &[addr.into(), data.into().0])
    }
    /// `ds_write_b128`.
    #[inline(always)]
    #[track_caller]
    fn ds_write_b128(&mut self, addr: V<1>, data: impl Into<VA<4>>) -> Rec<'_, Self> {
        rec(self, id::DS_WRITE_B128, &[addr.into(), data.into().0])
    }
    /// `ds_read_b64_tr_b4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_read_b64_tr_b4(&mut self, d: impl Into<VA<2>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_B64_TR_B4, &[d.into().0, addr.into()])
    }
    /// `ds_read_b96_tr_b6`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_read_b96_tr_b6(&mut self, d: impl Into<VA<3>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_B96_TR_B6, &[d.into().0, addr.into()])
    }
    /// `ds_read_b64_tr_b8`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_read_b64_tr_b8(&mut self, d: impl Into<VA<2>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_B64_TR_B8, &[d.into().0, addr.into()])
    }
    /// `ds_read_b64_tr_b16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn ds_read_b64_tr_b16(&mut self, d: impl Into<VA<2>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_B64_TR_B16, &[d.into().0, addr.into()])
    }
    /// `ds_read_b96`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_b96(&mut self, d: impl Into<VA<3>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_B96, &[d.into().0, addr.into()])
    }
    /// `ds_read_b128`.
    #[inline(always)]
    #[track_caller]
    fn ds_read_b128(&mut self, d: impl Into<VA<4>>, addr: V<1>) -> Rec<'_, Self> {
        rec(self, id::DS_READ_B128, &[d.into().0, addr.into()])
    }
    /// `buffer_load_format_x`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_format_x`, into LDS at M0.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_x_lds(&mut self, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_X, &[Operand::Off, addr.into().0, rsrc.into(), soffset.into().0]).lds()
    }
    /// `buffer_load_format_xy`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_xy(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_XY, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_format_xyz`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_xyz(&mut self, data: impl Into<VA<3>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_XYZ, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_format_xyzw`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_xyzw(&mut self, data: impl Into<VA<4>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_XYZW, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_x`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_xy`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_xy(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_XY, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_xyz`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_xyz(&mut self, data: impl Into<VA<3>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_XYZ, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_xyzw`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_xyzw(&mut self, data: impl Into<VA<4>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_XYZW, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_format_d16_x`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_d16_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_D16_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_format_d16_xy`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_d16_xy(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_D16_XY, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_format_d16_xyz`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_d16_xyz(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_D16_XYZ, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_format_d16_xyzw`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_d16_xyzw(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_D16_XYZW, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_d16_x`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_d16_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_D16_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_d16_xy`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_d16_xy(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_D16_XY, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_d16_xyz`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_d16_xyz(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_D16_XYZ, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_d16_xyzw`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_d16_xyzw(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_D16_XYZW, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_ubyte`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_ubyte(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_UBYTE, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_ubyte`, into LDS at M0.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_ubyte_lds(&mut self, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_UBYTE, &[Operand::Off, addr.into().0, rsrc.into(), soffset.into().0]).lds()
    }
    /// `buffer_load_sbyte`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_sbyte(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_SBYTE, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_sbyte`, into LDS at M0.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_sbyte_lds(&mut self, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_SBYTE, &[Operand::Off, addr.into().0, rsrc.into(), soffset.into().0]).lds()
    }
    /// `buffer_load_ushort`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_ushort(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_USHORT, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_ushort`, into LDS at M0.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_ushort_lds(&mut self, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_USHORT, &[Operand::Off, addr.into().0, rsrc.into(), soffset.into().0]).lds()
    }
    /// `buffer_load_sshort`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_sshort(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_SSHORT, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_sshort`, into LDS at M0.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_sshort_lds(&mut self, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_SSHORT, &[Operand::Off, addr.into().0, rsrc.into(), soffset.into().0]).lds()
    }
    /// `buffer_load_dword`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_dword(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_DWORD, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_dword`, into LDS at M0.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_dword_lds(&mut self, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_DWORD, &[Operand::Off, addr.into().0, rsrc.into(), soffset.into().0]).lds()
    }
    /// `buffer_load_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_dwordx2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_DWORDX2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_dwordx3`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_dwordx3(&mut self, data: impl Into<VA<3>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_DWORDX3, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_dwordx3`, into LDS at M0.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_dwordx3_lds(&mut self, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_DWORDX3, &[Operand::Off, addr.into().0, rsrc.into(), soffset.into().0]).lds()
    }
    /// `buffer_load_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_dwordx4(&mut self, data: impl Into<VA<4>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_DWORDX4, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_dwordx4`, into LDS at M0.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_dwordx4_lds(&mut self, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_DWORDX4, &[Operand::Off, addr.into().0, rsrc.into(), soffset.into().0]).lds()
    }
    /// `buffer_store_byte`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_byte(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_BYTE, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_byte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_byte_d16_hi(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_BYTE_D16_HI, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_short`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_short(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_SHORT, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_short_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_short_d16_hi(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_SHORT_D16_HI, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_dword`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_dword(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_DWORD, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_dwordx2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_DWORDX2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_dwordx3`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_dwordx3(&mut self, data: impl Into<VA<3>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_DWORDX3, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_dwordx4(&mut self, data: impl Into<VA<4>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_DWORDX4, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_ubyte_d16`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_ubyte_d16(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_UBYTE_D16, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_ubyte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_ubyte_d16_hi(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_UBYTE_D16_HI, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_sbyte_d16`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_sbyte_d16(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_SBYTE_D16, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_sbyte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_sbyte_d16_hi(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_SBYTE_D16_HI, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_short_d16`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_short_d16(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_SHORT_D16, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_short_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_short_d16_hi(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_SHORT_D16_HI, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_load_format_d16_hi_x`.
    #[inline(always)]
    #[track_caller]
    fn buffer_load_format_d16_hi_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_LOAD_FORMAT_D16_HI_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_store_format_d16_hi_x`.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_format_d16_hi_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_FORMAT_D16_HI_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_wbl2`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn buffer_wbl2(&mut self) -> Rec<'_, Self> {
        rec(self, id::BUFFER_WBL2, &[])
    }
    /// `buffer_invl2`. gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn buffer_invl2(&mut self) -> Rec<'_, Self> {
        rec(self, id::BUFFER_INVL2, &[])
    }
    /// `buffer_inv`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn buffer_inv(&mut self) -> Rec<'_, Self> {
        rec(self, id::BUFFER_INV, &[])
    }
    /// `buffer_store_lds_dword`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn buffer_store_lds_dword(&mut self, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_STORE_LDS_DWORD, &[rsrc.into(), soffset.into().0])
    }
    /// `buffer_wbinvl1`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn buffer_wbinvl1(&mut self) -> Rec<'_, Self> {
        rec(self, id::BUFFER_WBINVL1, &[])
    }
    /// `buffer_wbinvl1_vol`. gfx908, gfx90a only.
    #[inline(always)]
    #[track_caller]
    fn buffer_wbinvl1_vol(&mut self) -> Rec<'_, Self> {
        rec(self, id::BUFFER_WBINVL1_VOL, &[])
    }
    /// `buffer_atomic_swap`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_swap(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_SWAP, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_cmpswap`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_cmpswap(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_CMPSWAP, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_add`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_add(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_ADD, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_sub`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_sub(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_SUB, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_smin`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_smin(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_SMIN, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_umin`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_umin(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_UMIN, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_smax`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_smax(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_SMAX, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_umax`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_umax(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_UMAX, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_and`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_and(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_AND, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_or`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_or(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_OR, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_xor`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_xor(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_XOR, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_inc`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_inc(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_INC, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_dec`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_dec(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_DEC, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_add_f32`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_add_f32(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_ADD_F32, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_pk_add_f16`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_pk_add_f16(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_PK_ADD_F16, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_add_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_add_f64(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_ADD_F64, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_min_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_min_f64(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_MIN_F64, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_max_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_max_f64(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_MAX_F64, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_pk_add_bf16`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_pk_add_bf16(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_PK_ADD_BF16, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_swap_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_swap_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_SWAP_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_cmpswap_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_cmpswap_x2(&mut self, data: impl Into<VA<4>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_CMPSWAP_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_add_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_add_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_ADD_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_sub_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_sub_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_SUB_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_smin_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_smin_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_SMIN_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_umin_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_umin_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_UMIN_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_smax_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_smax_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_SMAX_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_umax_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_umax_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_UMAX_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_and_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_and_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_AND_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_or_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_or_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_OR_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_xor_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_xor_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_XOR_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_inc_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_inc_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_INC_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `buffer_atomic_dec_x2`.
    #[inline(always)]
    #[track_caller]
    fn buffer_atomic_dec_x2(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::BUFFER_ATOMIC_DEC_X2, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_load_format_x`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_load_format_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_LOAD_FORMAT_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_load_format_xy`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_load_format_xy(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_LOAD_FORMAT_XY, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_load_format_xyz`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_load_format_xyz(&mut self, data: impl Into<VA<3>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_LOAD_FORMAT_XYZ, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_load_format_xyzw`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_load_format_xyzw(&mut self, data: impl Into<VA<4>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_LOAD_FORMAT_XYZW, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_store_format_x`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_store_format_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_STORE_FORMAT_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_store_format_xy`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_store_format_xy(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_STORE_FORMAT_XY, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_store_format_xyz`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_store_format_xyz(&mut self, data: impl Into<VA<3>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_STORE_FORMAT_XYZ, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_store_format_xyzw`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_store_format_xyzw(&mut self, data: impl Into<VA<4>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_STORE_FORMAT_XYZW, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_load_format_d16_x`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_load_format_d16_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_LOAD_FORMAT_D16_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_load_format_d16_xy`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_load_format_d16_xy(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_LOAD_FORMAT_D16_XY, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_load_format_d16_xyz`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_load_format_d16_xyz(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_LOAD_FORMAT_D16_XYZ, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_load_format_d16_xyzw`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_load_format_d16_xyzw(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_LOAD_FORMAT_D16_XYZW, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_store_format_d16_x`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_store_format_d16_x(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_STORE_FORMAT_D16_X, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_store_format_d16_xy`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_store_format_d16_xy(&mut self, data: impl Into<VA<1>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_STORE_FORMAT_D16_XY, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_store_format_d16_xyz`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_store_format_d16_xyz(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_STORE_FORMAT_D16_XYZ, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `tbuffer_store_format_d16_xyzw`.
    #[inline(always)]
    #[track_caller]
    fn tbuffer_store_format_d16_xyzw(&mut self, data: impl Into<VA<2>>, addr: impl Into<VAddr>, rsrc: S<4>, soffset: impl Into<SSrc<1>>) -> Rec<'_, Self> {
        rec(self, id::TBUFFER_STORE_FORMAT_D16_XYZW, &[data.into().0, addr.into().0, rsrc.into(), soffset.into().0])
    }
    /// `flat_load_ubyte`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_ubyte(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_UBYTE, &[d.into().0, addr.into().0])
    }
    /// `flat_load_sbyte`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_sbyte(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_SBYTE, &[d.into().0, addr.into().0])
    }
    /// `flat_load_ushort`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_ushort(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_USHORT, &[d.into().0, addr.into().0])
    }
    /// `flat_load_sshort`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_sshort(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_SSHORT, &[d.into().0, addr.into().0])
    }
    /// `flat_load_dword`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_dword(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_DWORD, &[d.into().0, addr.into().0])
    }
    /// `flat_load_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_dwordx2(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_DWORDX2, &[d.into().0, addr.into().0])
    }
    /// `flat_load_dwordx3`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_dwordx3(&mut self, d: impl Into<VA<3>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_DWORDX3, &[d.into().0, addr.into().0])
    }
    /// `flat_load_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_dwordx4(&mut self, d: impl Into<VA<4>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_DWORDX4, &[d.into().0, addr.into().0])
    }
    /// `flat_store_byte`.
    #[inline(always)]
    #[track_caller]
    fn flat_store_byte(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_STORE_BYTE, &[addr.into().0, data.into().0])
    }
    /// `flat_store_byte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn flat_store_byte_d16_hi(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_STORE_BYTE_D16_HI, &[addr.into().0, data.into().0])
    }
    /// `flat_store_short`.
    #[inline(always)]
    #[track_caller]
    fn flat_store_short(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_STORE_SHORT, &[addr.into().0, data.into().0])
    }
    /// `flat_store_short_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn flat_store_short_d16_hi(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_STORE_SHORT_D16_HI, &[addr.into().0, data.into().0])
    }
    /// `flat_store_dword`.
    #[inline(always)]
    #[track_caller]
    fn flat_store_dword(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_STORE_DWORD, &[addr.into().0, data.into().0])
    }
    /// `flat_store_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn flat_store_dwordx2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_STORE_DWORDX2, &[addr.into().0, data.into().0])
    }
    /// `flat_store_dwordx3`.
    #[inline(always)]
    #[track_caller]
    fn flat_store_dwordx3(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<3>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_STORE_DWORDX3, &[addr.into().0, data.into().0])
    }
    /// `flat_store_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn flat_store_dwordx4(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<4>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_STORE_DWORDX4, &[addr.into().0, data.into().0])
    }
    /// `flat_load_ubyte_d16`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_ubyte_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_UBYTE_D16, &[d.into().0, addr.into().0])
    }
    /// `flat_load_ubyte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_ubyte_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_UBYTE_D16_HI, &[d.into().0, addr.into().0])
    }
    /// `flat_load_sbyte_d16`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_sbyte_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_SBYTE_D16, &[d.into().0, addr.into().0])
    }
    /// `flat_load_sbyte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_sbyte_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_SBYTE_D16_HI, &[d.into().0, addr.into().0])
    }
    /// `flat_load_short_d16`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_short_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_SHORT_D16, &[d.into().0, addr.into().0])
    }
    /// `flat_load_short_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn flat_load_short_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>) -> Rec<'_, Self> {
        rec(self, id::FLAT_LOAD_SHORT_D16_HI, &[d.into().0, addr.into().0])
    }
    /// `flat_atomic_swap`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_swap(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SWAP, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_swap`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_swap_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SWAP, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_cmpswap`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_cmpswap(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_CMPSWAP, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_cmpswap`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_cmpswap_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_CMPSWAP, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_add`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_add(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_ADD, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_add`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_add_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_ADD, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_sub`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_sub(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SUB, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_sub`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_sub_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SUB, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_smin`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_smin(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SMIN, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_smin`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_smin_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SMIN, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_umin`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_umin(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_UMIN, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_umin`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_umin_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_UMIN, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_smax`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_smax(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SMAX, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_smax`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_smax_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SMAX, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_umax`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_umax(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_UMAX, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_umax`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_umax_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_UMAX, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_and`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_and(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_AND, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_and`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_and_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_AND, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_or`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_or(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_OR, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_or`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_or_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_OR, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_xor`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_xor(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_XOR, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_xor`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_xor_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_XOR, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_inc`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_inc(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_INC, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_inc`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_inc_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_INC, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_dec`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_dec(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_DEC, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_dec`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_dec_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_DEC, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_add_f32`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_add_f32(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_ADD_F32, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_add_f32`, returning the old value. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_add_f32_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_ADD_F32, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_pk_add_f16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_pk_add_f16(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_PK_ADD_F16, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_pk_add_f16`, returning the old value. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_pk_add_f16_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_PK_ADD_F16, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_add_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_add_f64(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_ADD_F64, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_add_f64`, returning the old value. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_add_f64_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_ADD_F64, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_min_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_min_f64(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_MIN_F64, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_min_f64`, returning the old value. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_min_f64_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_MIN_F64, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_max_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_max_f64(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_MAX_F64, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_max_f64`, returning the old value. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_max_f64_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_MAX_F64, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_pk_add_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_pk_add_bf16(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_PK_ADD_BF16, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_pk_add_bf16`, returning the old value. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_pk_add_bf16_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_PK_ADD_BF16, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_swap_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_swap_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SWAP_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_swap_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_swap_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SWAP_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_cmpswap_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_cmpswap_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<4>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_CMPSWAP_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_cmpswap_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_cmpswap_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<4>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_CMPSWAP_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_add_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_add_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_ADD_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_add_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_add_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_ADD_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_sub_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_sub_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SUB_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_sub_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_sub_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SUB_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_smin_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_smin_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SMIN_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_smin_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_smin_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SMIN_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_umin_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_umin_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_UMIN_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_umin_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_umin_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_UMIN_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_smax_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_smax_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SMAX_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_smax_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_smax_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_SMAX_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_umax_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_umax_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_UMAX_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_umax_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_umax_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_UMAX_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_and_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_and_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_AND_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_and_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_and_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_AND_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_or_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_or_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_OR_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_or_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_or_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_OR_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_xor_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_xor_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_XOR_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_xor_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_xor_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_XOR_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_inc_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_inc_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_INC_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_inc_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_inc_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_INC_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `flat_atomic_dec_x2`.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_dec_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_DEC_X2, &[Operand::Off, addr.into().0, data.into().0])
    }
    /// `flat_atomic_dec_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn flat_atomic_dec_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>) -> Rec<'_, Self> {
        rec(self, id::FLAT_ATOMIC_DEC_X2, &[d.into().0, addr.into().0, data.into().0]).sc0()
    }
    /// `global_load_ubyte`.
    #[inline(always)]
    #[track_caller]
    fn global_load_ubyte(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_UBYTE, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_sbyte`.
    #[inline(always)]
    #[track_caller]
    fn global_load_sbyte(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_SBYTE, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_ushort`.
    #[inline(always)]
    #[track_caller]
    fn global_load_ushort(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_USHORT, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_sshort`.
    #[inline(always)]
    #[track_caller]
    fn global_load_sshort(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_SSHORT, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_dword`.
    #[inline(always)]
    #[track_caller]
    fn global_load_dword(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_DWORD, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn global_load_dwordx2(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_DWORDX2, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_dwordx3`.
    #[inline(always)]
    #[track_caller]
    fn global_load_dwordx3(&mut self, d: impl Into<VA<3>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_DWORDX3, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn global_load_dwordx4(&mut self, d: impl Into<VA<4>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_DWORDX4, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_store_byte`.
    #[inline(always)]
    #[track_caller]
    fn global_store_byte(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_STORE_BYTE, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `global_store_byte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn global_store_byte_d16_hi(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_STORE_BYTE_D16_HI, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `global_store_short`.
    #[inline(always)]
    #[track_caller]
    fn global_store_short(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_STORE_SHORT, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `global_store_short_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn global_store_short_d16_hi(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_STORE_SHORT_D16_HI, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `global_store_dword`.
    #[inline(always)]
    #[track_caller]
    fn global_store_dword(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_STORE_DWORD, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `global_store_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn global_store_dwordx2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_STORE_DWORDX2, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `global_store_dwordx3`.
    #[inline(always)]
    #[track_caller]
    fn global_store_dwordx3(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<3>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_STORE_DWORDX3, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `global_store_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn global_store_dwordx4(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<4>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_STORE_DWORDX4, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `global_load_ubyte_d16`.
    #[inline(always)]
    #[track_caller]
    fn global_load_ubyte_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_UBYTE_D16, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_ubyte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn global_load_ubyte_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_UBYTE_D16_HI, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_sbyte_d16`.
    #[inline(always)]
    #[track_caller]
    fn global_load_sbyte_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_SBYTE_D16, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_sbyte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn global_load_sbyte_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_SBYTE_D16_HI, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_short_d16`.
    #[inline(always)]
    #[track_caller]
    fn global_load_short_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_SHORT_D16, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_short_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn global_load_short_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_SHORT_D16_HI, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `global_load_lds_ubyte`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_load_lds_ubyte(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_LDS_UBYTE, &[addr.into().0, base.into().0])
    }
    /// `global_load_lds_sbyte`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_load_lds_sbyte(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_LDS_SBYTE, &[addr.into().0, base.into().0])
    }
    /// `global_load_lds_ushort`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_load_lds_ushort(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_LDS_USHORT, &[addr.into().0, base.into().0])
    }
    /// `global_load_lds_sshort`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_load_lds_sshort(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_LDS_SSHORT, &[addr.into().0, base.into().0])
    }
    /// `global_load_lds_dword`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_load_lds_dword(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_LDS_DWORD, &[addr.into().0, base.into().0])
    }
    /// `global_atomic_swap`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_swap(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SWAP, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_swap`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_swap_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SWAP, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_cmpswap`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_cmpswap(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_CMPSWAP, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_cmpswap`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_cmpswap_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_CMPSWAP, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_add`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_add(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_ADD, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_add`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_add_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_ADD, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_sub`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_sub(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SUB, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_sub`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_sub_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SUB, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_smin`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_smin(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SMIN, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_smin`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_smin_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SMIN, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_umin`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_umin(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_UMIN, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_umin`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_umin_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_UMIN, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_smax`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_smax(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SMAX, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_smax`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_smax_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SMAX, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_umax`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_umax(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_UMAX, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_umax`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_umax_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_UMAX, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_and`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_and(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_AND, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_and`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_and_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_AND, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_or`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_or(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_OR, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_or`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_or_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_OR, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_xor`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_xor(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_XOR, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_xor`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_xor_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_XOR, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_inc`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_inc(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_INC, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_inc`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_inc_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_INC, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_dec`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_dec(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_DEC, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_dec`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_dec_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_DEC, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_add_f32`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_add_f32(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_ADD_F32, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_add_f32`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_add_f32_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_ADD_F32, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_pk_add_f16`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_pk_add_f16(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_PK_ADD_F16, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_pk_add_f16`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_pk_add_f16_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_PK_ADD_F16, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_add_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_add_f64(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_ADD_F64, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_add_f64`, returning the old value. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_add_f64_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_ADD_F64, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_min_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_min_f64(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_MIN_F64, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_min_f64`, returning the old value. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_min_f64_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_MIN_F64, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_max_f64`. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_max_f64(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_MAX_F64, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_max_f64`, returning the old value. gfx90a, gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_max_f64_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_MAX_F64, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_pk_add_bf16`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_pk_add_bf16(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_PK_ADD_BF16, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_pk_add_bf16`, returning the old value. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_pk_add_bf16_rtn(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_PK_ADD_BF16, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_swap_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_swap_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SWAP_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_swap_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_swap_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SWAP_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_cmpswap_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_cmpswap_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<4>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_CMPSWAP_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_cmpswap_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_cmpswap_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<4>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_CMPSWAP_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_add_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_add_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_ADD_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_add_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_add_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_ADD_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_sub_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_sub_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SUB_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_sub_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_sub_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SUB_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_smin_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_smin_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SMIN_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_smin_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_smin_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SMIN_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_umin_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_umin_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_UMIN_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_umin_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_umin_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_UMIN_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_smax_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_smax_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SMAX_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_smax_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_smax_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_SMAX_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_umax_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_umax_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_UMAX_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_umax_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_umax_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_UMAX_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_and_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_and_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_AND_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_and_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_and_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_AND_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_or_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_or_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_OR_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_or_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_or_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_OR_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_xor_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_xor_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_XOR_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_xor_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_xor_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_XOR_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_inc_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_inc_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_INC_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_inc_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_inc_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_INC_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_atomic_dec_x2`.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_dec_x2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_DEC_X2, &[Operand::Off, addr.into().0, data.into().0, base.into().0])
    }
    /// `global_atomic_dec_x2`, returning the old value.
    #[inline(always)]
    #[track_caller]
    fn global_atomic_dec_x2_rtn(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_ATOMIC_DEC_X2, &[d.into().0, addr.into().0, data.into().0, base.into().0]).sc0()
    }
    /// `global_load_lds_dwordx4`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_load_lds_dwordx4(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_LDS_DWORDX4, &[addr.into().0, base.into().0])
    }
    /// `global_load_lds_dwordx3`. gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn global_load_lds_dwordx3(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::GLOBAL_LOAD_LDS_DWORDX3, &[addr.into().0, base.into().0])
    }
    /// `scratch_load_ubyte`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_ubyte(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_UBYTE, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_sbyte`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_sbyte(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_SBYTE, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_ushort`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_ushort(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_USHORT, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_sshort`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_sshort(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_SSHORT, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_dword`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_dword(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_DWORD, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_dwordx2(&mut self, d: impl Into<VA<2>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_DWORDX2, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_dwordx3`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_dwordx3(&mut self, d: impl Into<VA<3>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_DWORDX3, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_dwordx4(&mut self, d: impl Into<VA<4>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_DWORDX4, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_store_byte`.
    #[inline(always)]
    #[track_caller]
    fn scratch_store_byte(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_STORE_BYTE, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `scratch_store_byte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn scratch_store_byte_d16_hi(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_STORE_BYTE_D16_HI, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `scratch_store_short`.
    #[inline(always)]
    #[track_caller]
    fn scratch_store_short(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_STORE_SHORT, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `scratch_store_short_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn scratch_store_short_d16_hi(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_STORE_SHORT_D16_HI, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `scratch_store_dword`.
    #[inline(always)]
    #[track_caller]
    fn scratch_store_dword(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<1>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_STORE_DWORD, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `scratch_store_dwordx2`.
    #[inline(always)]
    #[track_caller]
    fn scratch_store_dwordx2(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<2>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_STORE_DWORDX2, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `scratch_store_dwordx3`.
    #[inline(always)]
    #[track_caller]
    fn scratch_store_dwordx3(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<3>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_STORE_DWORDX3, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `scratch_store_dwordx4`.
    #[inline(always)]
    #[track_caller]
    fn scratch_store_dwordx4(&mut self, addr: impl Into<VAddr>, data: impl Into<VA<4>>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_STORE_DWORDX4, &[addr.into().0, data.into().0, base.into().0])
    }
    /// `scratch_load_ubyte_d16`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_ubyte_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_UBYTE_D16, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_ubyte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_ubyte_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_UBYTE_D16_HI, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_sbyte_d16`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_sbyte_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_SBYTE_D16, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_sbyte_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_sbyte_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_SBYTE_D16_HI, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_short_d16`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_short_d16(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_SHORT_D16, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_short_d16_hi`.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_short_d16_hi(&mut self, d: impl Into<VA<1>>, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_SHORT_D16_HI, &[d.into().0, addr.into().0, base.into().0])
    }
    /// `scratch_load_lds_ubyte`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_lds_ubyte(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_LDS_UBYTE, &[addr.into().0, base.into().0])
    }
    /// `scratch_load_lds_sbyte`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_lds_sbyte(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_LDS_SBYTE, &[addr.into().0, base.into().0])
    }
    /// `scratch_load_lds_ushort`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_lds_ushort(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_LDS_USHORT, &[addr.into().0, base.into().0])
    }
    /// `scratch_load_lds_sshort`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_lds_sshort(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_LDS_SSHORT, &[addr.into().0, base.into().0])
    }
    /// `scratch_load_lds_dword`. gfx942, gfx950 only.
    #[inline(always)]
    #[track_caller]
    fn scratch_load_lds_dword(&mut self, addr: impl Into<VAddr>, base: impl Into<SAddr>) -> Rec<'_, Self> {
        rec(self, id::SCRATCH_LOAD_LDS_DWORD, &[addr.into().0, base.into().0])
    }
}

impl<E: Emit + ?Sized> Build for E {}

//! SOPC: scalar comparisons.

use super::prelude::*;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    op("s_cmp_eq_i32", SOPC, 0x00, ALL, &[a(SS, I32), b(SS, I32)], Sem::ScalarCmp(Cond::Eq, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmp_lg_i32", SOPC, 0x01, ALL, &[a(SS, I32), b(SS, I32)], Sem::ScalarCmp(Cond::Lg, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmp_gt_i32", SOPC, 0x02, ALL, &[a(SS, I32), b(SS, I32)], Sem::ScalarCmp(Cond::Gt, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmp_ge_i32", SOPC, 0x03, ALL, &[a(SS, I32), b(SS, I32)], Sem::ScalarCmp(Cond::Ge, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmp_lt_i32", SOPC, 0x04, ALL, &[a(SS, I32), b(SS, I32)], Sem::ScalarCmp(Cond::Lt, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmp_le_i32", SOPC, 0x05, ALL, &[a(SS, I32), b(SS, I32)], Sem::ScalarCmp(Cond::Le, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmp_eq_u32", SOPC, 0x06, ALL, &[a(SS, U32), b(SS, U32)], Sem::ScalarCmp(Cond::Eq, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmp_lg_u32", SOPC, 0x07, ALL, &[a(SS, U32), b(SS, U32)], Sem::ScalarCmp(Cond::Lg, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmp_gt_u32", SOPC, 0x08, ALL, &[a(SS, U32), b(SS, U32)], Sem::ScalarCmp(Cond::Gt, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmp_ge_u32", SOPC, 0x09, ALL, &[a(SS, U32), b(SS, U32)], Sem::ScalarCmp(Cond::Ge, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmp_lt_u32", SOPC, 0x0a, ALL, &[a(SS, U32), b(SS, U32)], Sem::ScalarCmp(Cond::Lt, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmp_le_u32", SOPC, 0x0b, ALL, &[a(SS, U32), b(SS, U32)], Sem::ScalarCmp(Cond::Le, E::U32), Time::Salu, Hazard::Salu),
    op("s_bitcmp0_b32", SOPC, 0x0c, ALL, &[a(SS, B32), b(SS, B32)], Sem::BitCmp(false, E::B32), Time::Salu, Hazard::Salu),
    op("s_bitcmp1_b32", SOPC, 0x0d, ALL, &[a(SS, B32), b(SS, B32)], Sem::BitCmp(true, E::B32), Time::Salu, Hazard::Salu),
    op("s_bitcmp0_b64", SOPC, 0x0e, ALL, &[a(SS, B64), b(SS, U32)], Sem::BitCmp(false, E::B64), Time::Salu, Hazard::Salu),
    op("s_bitcmp1_b64", SOPC, 0x0f, ALL, &[a(SS, B64), b(SS, U32)], Sem::BitCmp(true, E::B64), Time::Salu, Hazard::Salu),
    op("s_setvskip", SOPC, 0x10, ALL, &[a(SS, B32), b(SS, B32)], Sem::Control(Control::SetVskip), Time::Salu, Hazard::Salu),
    op("s_set_gpr_idx_on", SOPC, 0x11, ALL, &[a(SS, B32), gpr_idx(F::Src1)], Sem::Control(Control::SetGprIdxOn), Time::Salu, Hazard::Salu),
    op("s_cmp_eq_u64", SOPC, 0x12, ALL, &[a(SS, U64), b(SS, U64)], Sem::ScalarCmp(Cond::Eq, E::U64), Time::Salu, Hazard::Salu),
    op("s_cmp_lg_u64", SOPC, 0x13, ALL, &[a(SS, U64), b(SS, U64)], Sem::ScalarCmp(Cond::Lg, E::U64), Time::Salu, Hazard::Salu),
];

//! SOPK: a 16-bit immediate.

use super::prelude::*;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    op("s_movk_i32", SOPK, 0x00, ALL, &[d(S, B32), imm16()], Sem::Salu(SOp::Mov, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmovk_i32", SOPK, 0x01, ALL, &[d(S, B32).rw(), imm16()], Sem::Salu(SOp::Cmov, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmpk_eq_i32", SOPK, 0x02, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Eq, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmpk_lg_i32", SOPK, 0x03, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Lg, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmpk_gt_i32", SOPK, 0x04, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Gt, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmpk_ge_i32", SOPK, 0x05, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Ge, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmpk_lt_i32", SOPK, 0x06, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Lt, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmpk_le_i32", SOPK, 0x07, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Le, E::I32), Time::Salu, Hazard::Salu),
    op("s_cmpk_eq_u32", SOPK, 0x08, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Eq, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmpk_lg_u32", SOPK, 0x09, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Lg, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmpk_gt_u32", SOPK, 0x0a, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Gt, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmpk_ge_u32", SOPK, 0x0b, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Ge, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmpk_lt_u32", SOPK, 0x0c, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Lt, E::U32), Time::Salu, Hazard::Salu),
    op("s_cmpk_le_u32", SOPK, 0x0d, ALL, &[d(S, B32).read(), imm16()], Sem::ScalarCmp(Cond::Le, E::U32), Time::Salu, Hazard::Salu),
    op("s_addk_i32", SOPK, 0x0e, ALL, &[d(S, B32).rw(), imm16()], Sem::Salu(SOp::AddK, E::I32), Time::Salu, Hazard::Salu),
    op("s_mulk_i32", SOPK, 0x0f, ALL, &[d(S, B32).rw(), imm16()], Sem::Salu(SOp::MulK, E::I32), Time::Salu, Hazard::Salu),
    op("s_cbranch_i_fork", SOPK, 0x10, ALL, &[d(S, B64).read(), label()], Sem::Branch(Branch::ForkI), Time::Branch, Hazard::Branch),
    op("s_getreg_b32", SOPK, 0x11, ALL, &[d(S, B32), hwreg()], Sem::GetReg, Time::Salu, Hazard::GetReg),
    op("s_setreg_b32", SOPK, 0x12, ALL, &[hwreg(), d(S, B32).read()], Sem::SetReg, Time::Salu, Hazard::SetReg),
    op("s_call_b64", SOPK, 0x15, ALL, &[d(S, B64), label()], Sem::Branch(Branch::Call), Time::Branch, Hazard::Branch),
    op("s_setreg_imm32_b32", SOPK_LIT, 0x14, ALL, &[hwreg(), k(B32)], Sem::SetReg, Time::Salu, Hazard::SetReg),
];

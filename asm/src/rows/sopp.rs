//! SOPP: program control.

use super::prelude::*;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    op("s_nop", SOPP, 0x00, ALL, &[imm16()], Sem::Control(Control::Nop), Time::Internal, Hazard::None),
    op("s_endpgm", SOPP, 0x01, ALL, &[imm16()], Sem::Control(Control::EndPgm), Time::Branch, Hazard::None),
    op("s_branch", SOPP, 0x02, ALL, &[label()], Sem::Branch(Branch::Always), Time::Branch, Hazard::Branch),
    op("s_wakeup", SOPP, 0x03, ALL, &[], Sem::Control(Control::Wakeup), Time::Internal, Hazard::None),
    op("s_cbranch_scc0", SOPP, 0x04, ALL, &[label()], Sem::Branch(Branch::Scc0), Time::Branch, Hazard::Branch),
    op("s_cbranch_scc1", SOPP, 0x05, ALL, &[label()], Sem::Branch(Branch::Scc1), Time::Branch, Hazard::Branch),
    op("s_cbranch_vccz", SOPP, 0x06, ALL, &[label()], Sem::Branch(Branch::Vccz), Time::Branch, Hazard::Branch),
    op("s_cbranch_vccnz", SOPP, 0x07, ALL, &[label()], Sem::Branch(Branch::Vccnz), Time::Branch, Hazard::Branch),
    op("s_cbranch_execz", SOPP, 0x08, ALL, &[label()], Sem::Branch(Branch::Execz), Time::Branch, Hazard::Branch),
    op("s_cbranch_execnz", SOPP, 0x09, ALL, &[label()], Sem::Branch(Branch::Execnz), Time::Branch, Hazard::Branch),
    op("s_barrier", SOPP, 0x0a, ALL, &[], Sem::Control(Control::Barrier), Time::Internal, Hazard::None),
    op("s_setkill", SOPP, 0x0b, ALL, &[imm16()], Sem::Control(Control::SetKill), Time::Internal, Hazard::None),
    op("s_waitcnt", SOPP, 0x0c, ALL, &[waitcnt()], Sem::Control(Control::Waitcnt), Time::Internal, Hazard::Wait),
    op("s_sethalt", SOPP, 0x0d, ALL, &[imm16()], Sem::Control(Control::SetHalt), Time::Internal, Hazard::None),
    op("s_sleep", SOPP, 0x0e, ALL, &[imm16()], Sem::Control(Control::Sleep), Time::Internal, Hazard::None),
    op("s_setprio", SOPP, 0x0f, ALL, &[imm16()], Sem::Control(Control::SetPrio), Time::Internal, Hazard::None),
    op("s_sendmsg", SOPP, 0x10, ALL, &[msg()], Sem::Control(Control::SendMsg), Time::Branch, Hazard::M0Use),
    op("s_sendmsghalt", SOPP, 0x11, ALL, &[msg()], Sem::Control(Control::SendMsgHalt), Time::Branch, Hazard::M0Use),
    op("s_trap", SOPP, 0x12, ALL, &[imm16()], Sem::Control(Control::Trap), Time::Branch, Hazard::None),
    op("s_icache_inv", SOPP, 0x13, ALL, &[], Sem::Control(Control::IcacheInv), Time::Internal, Hazard::None),
    op("s_incperflevel", SOPP, 0x14, ALL, &[imm16()], Sem::Control(Control::IncPerfLevel), Time::Internal, Hazard::None),
    op("s_decperflevel", SOPP, 0x15, ALL, &[imm16()], Sem::Control(Control::DecPerfLevel), Time::Internal, Hazard::None),
    op("s_ttracedata", SOPP, 0x16, ALL, &[], Sem::Control(Control::TtraceData), Time::Internal, Hazard::M0Use),
    op("s_cbranch_cdbgsys", SOPP, 0x17, ALL, &[label()], Sem::Branch(Branch::Cdbgsys), Time::Branch, Hazard::Branch),
    op("s_cbranch_cdbguser", SOPP, 0x18, ALL, &[label()], Sem::Branch(Branch::Cdbguser), Time::Branch, Hazard::Branch),
    op("s_cbranch_cdbgsys_or_user", SOPP, 0x19, ALL, &[label()], Sem::Branch(Branch::CdbgsysOrUser), Time::Branch, Hazard::Branch),
    op("s_cbranch_cdbgsys_and_user", SOPP, 0x1a, ALL, &[label()], Sem::Branch(Branch::CdbgsysAndUser), Time::Branch, Hazard::Branch),
    op("s_endpgm_saved", SOPP, 0x1b, ALL, &[], Sem::Control(Control::EndPgmSaved), Time::Internal, Hazard::None),
    op("s_set_gpr_idx_off", SOPP, 0x1c, ALL, &[], Sem::Control(Control::SetGprIdxOff), Time::Internal, Hazard::MoveRel),
    op("s_set_gpr_idx_mode", SOPP, 0x1d, ALL, &[gpr_idx(F::Simm16)], Sem::Control(Control::SetGprIdxMode), Time::Internal, Hazard::MoveRel),
    op("s_endpgm_ordered_ps_done", SOPP, 0x1e, ALL, &[], Sem::Control(Control::EndPgmOrderedPsDone), Time::Internal, Hazard::None),
];

//! Exports and interpolation of attributes: what is left of graphics on gfx908. They assemble and disassemble; the engine
//! refuses them.

use super::prelude::*;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    op("exp", EXP, 0x0, GFX908, &[export_target(), export(F::Src0), export(F::Src1), export(F::Src2), export(F::Data0)], Sem::Export, Time::Graphics, Hazard::Graphics),
    op("v_interp_p1_f32", VINTRP, 0x0, GFX908, &[d(V, F32), b(V, F32), attribute()], Sem::Lane(Op::InterpP1, E::F32), Time::Graphics, Hazard::Interp).mods(of("e64 clamp omod neg")).e64(0x270),
    op("v_interp_p2_f32", VINTRP, 0x1, GFX908, &[d(V, F32).rw(), b(V, F32), attribute()], Sem::Lane(Op::InterpP2, E::F32), Time::Graphics, Hazard::Interp).mods(of("e64 clamp omod neg")).e64(0x271),
    op("v_interp_mov_f32", VINTRP, 0x2, GFX908, &[d(V, F32), parameter(), attribute()], Sem::Lane(Op::InterpMov, E::F32), Time::Graphics, Hazard::Interp).mods(of("e64 clamp omod")).e64(0x272),
    op("v_interp_p1ll_f16", VOP3, 0x274, GFX908, &[d(V, F32), b(V, F32), attribute()], Sem::Lane(Op::InterpP1ll, E::F16), Time::Graphics, Hazard::Interp).mods(of("clamp omod neg high")),
    op("v_interp_p1lv_f16", VOP3, 0x275, GFX908, &[d(V, F32), b(V, F32), attribute(), c(V, F16)], Sem::Lane(Op::InterpP1lv, E::F16), Time::Graphics, Hazard::Interp).mods(of("clamp omod neg high")),
    op("v_interp_p2_legacy_f16", VOP3, 0x276, GFX908, &[d(V, F16), b(V, F32), attribute(), c(V, F32)], Sem::Lane(Op::InterpP2, E::F16), Time::Graphics, Hazard::Interp).mods(of("clamp neg high")),
    op("v_interp_p2_f16", VOP3, 0x277, GFX908, &[d(V, F16), b(V, F32), attribute(), c(V, F32)], Sem::Lane(Op::InterpP2, E::F16), Time::Graphics, Hazard::Interp).mods(of("clamp neg high opsel opsel4")),
];

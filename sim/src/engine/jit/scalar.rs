//! Scalar arithmetic, in general-purpose registers: operands are words of the wave's scalar file at `r12`.
//!
//! SCC lies beside the scalar file, at a fixed distance.

use super::Code;
use crate::engine::ir::{S, Segment, Uop};
use crate::engine::salu;
use crate::engine::state::Wave;
use core::mem::offset_of;
use dynasm::dynasm;
use dynasmrt::DynasmApi;
use wavesmith_asm::sem::{Cond, Elem, Logic, SOp};

/// Distance of SCC from the scalar file.
pub const SCC: i32 = offset_of!(Wave, scc) as i32 - offset_of!(Wave, s) as i32;
/// Distance of EXEC from the start of the scalar file.
pub const EXEC: i32 = S::EXEC as i32 * 4;

/// Scalar words that a micro-operation reads (first, how many) and writes.
pub struct Access {
    pub reads: [Option<(u8, u8)>; 3],
    pub writes: Option<(u8, u8)>,
}

fn range(s: S, wide: bool) -> Option<(u8, u8)> {
    (s.0 < 256).then_some((s.0 as u8, if wide { 2 } else { 1 }))
}

/// What a micro-operation touches, if it is one that [`emit`] knows.
pub fn access(u: &Uop) -> Option<Access> {
    Some(match *u {
        Uop::Salu { op, ty, d, a, b } => {
            let wide = ty.bits() == 64;
            let known = match op {
                SOp::Mov | SOp::Cselect | SOp::Not | SOp::Lshl | SOp::Lshr | SOp::Ashr | SOp::Logic(_) => true,
                SOp::Add | SOp::Sub | SOp::Mul | SOp::MulHi | SOp::AddCarry | SOp::SubBorrow => !wide,
                SOp::Min | SOp::Max | SOp::LshlAdd(_) => !wide,
                _ => false,
            };
            if !known {
                return None;
            }
            let (wa, wb) = salu::wide_sources(op, ty);
            Access { reads: [range(a, wa), range(b, wb), None], writes: Some((d, if wide { 2 } else { 1 })) }
        }
        Uop::ScalarCmp { cond, ty, a, b } => {
            let wide = ty.bits() == 64;
            if !matches!(cond, Cond::Eq | Cond::Ne | Cond::Lg | Cond::Lt | Cond::Le | Cond::Gt | Cond::Ge) {
                return None;
            }
            Access { reads: [range(a, wide), range(b, wide), None], writes: None }
        }
        Uop::BitCmp { wide, a, b, .. } => Access { reads: [range(a, wide), range(b, false), None], writes: None },
        Uop::ExecLogic { d, a, .. } => {
            // EXEC is written as well; naming it as the result keeps the operation where it is.
            Access { reads: [range(a, true), Some((d, 2)), None], writes: Some((S::EXEC, 2)) }
        }
        _ => return None,
    })
}

/// Register numbers of dynasm's `Rq` and `Rd`.
const RAX: u8 = 0;
const R10: u8 = 10;
const R11: u8 = 11;

/// A scalar operand to a host register.
pub fn load(c: &mut Code, seg: &Segment, r: u8, s: S, wide: bool) {
    let i = s.0 as usize;
    if i < 256 {
        let at = i as i32 * 4;
        if wide {
            dynasm!(c.ops ; .arch x64 ; mov Rq(r), [r12 + at]);
        } else {
            dynasm!(c.ops ; .arch x64 ; mov Rd(r), [r12 + at]);
        }
        return;
    }
    let low = seg.sconst[i - 256];
    let high = if wide { seg.sconst[i - 255] } else { 0 };
    if high == 0 {
        dynasm!(c.ops ; .arch x64 ; mov Rd(r), low as i32);
    } else {
        let v = u64::from(low) | u64::from(high) << 32;
        dynasm!(c.ops ; .arch x64 ; mov Rq(r), QWORD v as i64);
    }
}

fn store(c: &mut Code, r: u8, d: u8, wide: bool) {
    let at = i32::from(d) * 4;
    if wide {
        dynasm!(c.ops ; .arch x64 ; mov [r12 + at], Rq(r));
    } else {
        dynasm!(c.ops ; .arch x64 ; mov [r12 + at], Rd(r));
    }
}

/// SCC = r10 ≠ 0.
fn scc_not_zero(c: &mut Code, wide: bool) {
    if wide {
        dynasm!(c.ops ; .arch x64 ; test r10, r10 ; setne BYTE [r12 + SCC]);
    } else {
        dynasm!(c.ops ; .arch x64 ; test r10d, r10d ; setne BYTE [r12 + SCC]);
    }
}

/// r10 = r10 ∘ rax.
fn logic(c: &mut Code, l: Logic) {
    match l {
        Logic::And => dynasm!(c.ops ; .arch x64 ; and r10, rax),
        Logic::Or => dynasm!(c.ops ; .arch x64 ; or r10, rax),
        Logic::Xor => dynasm!(c.ops ; .arch x64 ; xor r10, rax),
        Logic::Andn2 => dynasm!(c.ops ; .arch x64 ; not rax ; and r10, rax),
        Logic::Orn2 => dynasm!(c.ops ; .arch x64 ; not rax ; or r10, rax),
        Logic::Nand => dynasm!(c.ops ; .arch x64 ; and r10, rax ; not r10),
        Logic::Nor => dynasm!(c.ops ; .arch x64 ; or r10, rax ; not r10),
        Logic::Xnor => dynasm!(c.ops ; .arch x64 ; xor r10, rax ; not r10),
        Logic::Andn1 => dynasm!(c.ops ; .arch x64 ; not r10 ; and r10, rax),
        Logic::Orn1 => dynasm!(c.ops ; .arch x64 ; not r10 ; or r10, rax),
    }
}

/// Emits a micro-operation of which [`access`] knows.
pub fn emit(c: &mut Code, seg: &Segment, u: &Uop) {
    match *u {
        Uop::Salu { op, ty, d, a, b } => salu_op(c, seg, op, ty, d, a, b),
        Uop::ScalarCmp { cond, ty, a, b } => {
            let wide = ty.bits() == 64;
            load(c, seg, RAX, b, wide);
            load(c, seg, R10, a, wide);
            if wide {
                dynasm!(c.ops ; .arch x64 ; cmp r10, rax);
            } else {
                dynasm!(c.ops ; .arch x64 ; cmp r10d, eax);
            }
            let signed = matches!(ty, Elem::I32 | Elem::I64);
            match (cond, signed) {
                (Cond::Eq, _) => dynasm!(c.ops ; .arch x64 ; sete BYTE [r12 + SCC]),
                (Cond::Lt, true) => dynasm!(c.ops ; .arch x64 ; setl BYTE [r12 + SCC]),
                (Cond::Lt, false) => dynasm!(c.ops ; .arch x64 ; setb BYTE [r12 + SCC]),
                (Cond::Le, true) => dynasm!(c.ops ; .arch x64 ; setle BYTE [r12 + SCC]),
                (Cond::Le, false) => dynasm!(c.ops ; .arch x64 ; setbe BYTE [r12 + SCC]),
                (Cond::Gt, true) => dynasm!(c.ops ; .arch x64 ; setg BYTE [r12 + SCC]),
                (Cond::Gt, false) => dynasm!(c.ops ; .arch x64 ; seta BYTE [r12 + SCC]),
                (Cond::Ge, true) => dynasm!(c.ops ; .arch x64 ; setge BYTE [r12 + SCC]),
                (Cond::Ge, false) => dynasm!(c.ops ; .arch x64 ; setae BYTE [r12 + SCC]),
                _ => dynasm!(c.ops ; .arch x64 ; setne BYTE [r12 + SCC]),
            }
        }
        Uop::BitCmp { set, wide, a, b } => {
            load(c, seg, RAX, b, false);
            load(c, seg, R10, a, wide);
            // The host takes the bit's number modulo the width, as the ISA does.
            if wide {
                dynasm!(c.ops ; .arch x64 ; bt r10, rax);
            } else {
                dynasm!(c.ops ; .arch x64 ; bt r10d, eax);
            }
            if set {
                dynasm!(c.ops ; .arch x64 ; setc BYTE [r12 + SCC]);
            } else {
                dynasm!(c.ops ; .arch x64 ; setnc BYTE [r12 + SCC]);
            }
        }
        Uop::ExecLogic { logic: l, d, a, save } => {
            load(c, seg, R10, a, true);
            dynasm!(c.ops ; .arch x64 ; mov rax, [r12 + EXEC] ; mov r11, rax);
            logic(c, l);
            scc_not_zero(c, true);
            store(c, if save { R11 } else { R10 }, d, true);
            dynasm!(c.ops ; .arch x64 ; mov [r12 + EXEC], r10);
        }
        _ => {}
    }
}

#[allow(clippy::too_many_arguments)]
fn salu_op(c: &mut Code, seg: &Segment, op: SOp, ty: Elem, d: u8, a: S, b: S) {
    let wide = ty.bits() == 64;
    let signed = matches!(ty, Elem::I32 | Elem::I64);
    let (wa, wb) = salu::wide_sources(op, ty);
    load(c, seg, R10, a, wa);
    if !matches!(op, SOp::Mov | SOp::Not) {
        load(c, seg, RAX, b, wb);
    }
    match op {
        SOp::Mov => {}
        SOp::Not => {
            dynasm!(c.ops ; .arch x64 ; not r10);
            scc_not_zero(c, wide);
        }
        SOp::Cselect => {
            dynasm!(c.ops ; .arch x64 ; cmp BYTE [r12 + SCC], 0 ; cmove r10, rax);
        }
        SOp::Logic(l) => {
            logic(c, l);
            scc_not_zero(c, wide);
        }
        SOp::Add | SOp::Sub => {
            if op == SOp::Add {
                dynasm!(c.ops ; .arch x64 ; add r10d, eax);
            } else {
                dynasm!(c.ops ; .arch x64 ; sub r10d, eax);
            }
            if signed {
                dynasm!(c.ops ; .arch x64 ; seto BYTE [r12 + SCC]);
            } else {
                dynasm!(c.ops ; .arch x64 ; setc BYTE [r12 + SCC]);
            }
        }
        SOp::AddCarry | SOp::SubBorrow => {
            // Comparing with 1 sets the carry where SCC is 0: the complement is SCC.
            dynasm!(c.ops ; .arch x64 ; cmp BYTE [r12 + SCC], 1 ; cmc);
            if op == SOp::AddCarry {
                dynasm!(c.ops ; .arch x64 ; adc r10d, eax);
            } else {
                dynasm!(c.ops ; .arch x64 ; sbb r10d, eax);
            }
            dynasm!(c.ops ; .arch x64 ; setc BYTE [r12 + SCC]);
        }
        SOp::Min | SOp::Max => {
            dynasm!(c.ops ; .arch x64 ; cmp r10d, eax);
            // SCC compares the first with the second: a draw is no minimum, and is a maximum.
            match (op == SOp::Min, signed) {
                (true, true) => dynasm!(c.ops ; .arch x64 ; setl BYTE [r12 + SCC] ; cmovge r10d, eax),
                (true, false) => dynasm!(c.ops ; .arch x64 ; setb BYTE [r12 + SCC] ; cmovae r10d, eax),
                (false, true) => dynasm!(c.ops ; .arch x64 ; setge BYTE [r12 + SCC] ; cmovl r10d, eax),
                (false, false) => dynasm!(c.ops ; .arch x64 ; setae BYTE [r12 + SCC] ; cmovb r10d, eax),
            }
        }
        SOp::Mul => dynasm!(c.ops ; .arch x64 ; imul r10d, eax),
        SOp::MulHi if signed => {
            dynasm!(c.ops ; .arch x64 ; movsxd r10, r10d ; movsxd rax, eax ; imul r10, rax ; shr r10, 32);
        }
        // Both are zero-extended: loads of words clear the upper half.
        SOp::MulHi => dynasm!(c.ops ; .arch x64 ; imul r10, rax ; shr r10, 32),
        SOp::LshlAdd(n) => {
            dynasm!(c.ops ; .arch x64
                ; shl r10, n as i8
                ; add r10, rax
                ; mov r11, r10
                ; shr r11, 32
                ; test r11, r11
                ; setne BYTE [r12 + SCC]);
        }
        _ => {
            // The host takes counts modulo the width, as the ISA does.
            match (op, wide) {
                (SOp::Lshl, true) => dynasm!(c.ops ; .arch x64 ; shlx r10, r10, rax),
                (SOp::Lshl, false) => dynasm!(c.ops ; .arch x64 ; shlx r10d, r10d, eax),
                (SOp::Lshr, true) => dynasm!(c.ops ; .arch x64 ; shrx r10, r10, rax),
                (SOp::Lshr, false) => dynasm!(c.ops ; .arch x64 ; shrx r10d, r10d, eax),
                (_, true) => dynasm!(c.ops ; .arch x64 ; sarx r10, r10, rax),
                (_, false) => dynasm!(c.ops ; .arch x64 ; sarx r10d, r10d, eax),
            }
            scc_not_zero(c, wide);
        }
    }
    store(c, R10, d, wide);
}

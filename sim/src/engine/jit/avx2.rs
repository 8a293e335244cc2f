//! A group's steps in AVX2 and FMA: eight lanes a host register, EXEC spread to a register of its own.

use super::code::Code;
use super::group::{Bin, Fixed, Op, Shift, Slow, Src, Test, Traits, Un, fixed, float_predicate};
use super::{Cold, Context, Lanes16, offsets, scalar};
use crate::engine::ir::{Segment, V};
use core::mem::offset_of;
use dynasm::dynasm;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi};
use iced_x86::{Code as X, Instruction, MemoryOperand, Register};
use wavesmith_asm::sem::{Cond, Elem};

/// Host registers 12 to 14 are for single steps, 15 holds EXEC.
pub const TRAITS: Traits = Traits { registers: 12, wide: false };
const T0: u8 = 12;
const T1: u8 = 13;
const T2: u8 = 14;
const EXEC: u8 = 15;

const ONES: i32 = fixed(Fixed::Ones);
const BITS: i32 = fixed(Fixed::Bits);

/// An instruction of a register, maybe another, and an operand wherever it is.
macro_rules! with {
    ($c:ident, $name:ident, [$($r:expr),*], $b:expr) => {
        match $b {
            Src::Reg(r) => dynasm!($c.ops ; .arch x64 ; $name $(Ry($r),)* Ry(r)),
            Src::Mem(v) => {
                let (base, disp) = place(v);
                dynasm!($c.ops ; .arch x64 ; $name $(Ry($r),)* [Rq(base) + rcx + disp])
            }
            Src::Fixed(at) => dynasm!($c.ops ; .arch x64 ; $name $(Ry($r),)* [r13 + at]),
        }
    };
}

/// Base register and displacement of an operand.
fn place(v: V) -> (u8, i32) {
    let (base, disp) = offsets(v);
    // rbx, r15, r14.
    ([3, 15, 14][base], disp)
}

/// A byte of a lane mask, spread over the lanes of a register.
fn spread(c: &mut Code, d: u8, at: i32) {
    dynasm!(c.ops ; .arch x64
        ; vpbroadcastb Ry(d), [r12 + rdx + at]
        ; vpand Ry(d), Ry(d), [r13 + BITS]
        ; vpcmpeqd Ry(d), Ry(d), [r13 + BITS]);
}

/// EXEC of the lanes.
pub fn start(c: &mut Code) {
    spread(c, EXEC, scalar::EXEC);
}

fn bin(c: &mut Code, op: Bin, d: u8, a: u8, b: Src) {
    match op {
        Bin::Add => with!(c, vpaddd, [d, a], b),
        Bin::Sub => with!(c, vpsubd, [d, a], b),
        Bin::And => with!(c, vpand, [d, a], b),
        Bin::Or => with!(c, vpor, [d, a], b),
        Bin::Xor => with!(c, vpxor, [d, a], b),
        Bin::MulLo => with!(c, vpmulld, [d, a], b),
        Bin::MinI => with!(c, vpminsd, [d, a], b),
        Bin::MaxI => with!(c, vpmaxsd, [d, a], b),
        Bin::MinU => with!(c, vpminud, [d, a], b),
        Bin::MaxU => with!(c, vpmaxud, [d, a], b),
        Bin::AddF => with!(c, vaddps, [d, a], b),
        Bin::SubF => with!(c, vsubps, [d, a], b),
        Bin::MulF => with!(c, vmulps, [d, a], b),
        Bin::MinHost => with!(c, vminps, [d, a], b),
        Bin::MaxHost => with!(c, vmaxps, [d, a], b),
        // The host gives the second of two zeros: taking both orders together gives the one that is wanted.
        Bin::MinF => {
            with!(c, vmovups, [T2], b);
            dynasm!(c.ops ; .arch x64
                ; vminps Ry(T0), Ry(a), Ry(T2)
                ; vminps Ry(T1), Ry(T2), Ry(a)
                ; vorps Ry(d), Ry(T0), Ry(T1));
        }
        Bin::MaxF => {
            with!(c, vmovups, [T2], b);
            dynasm!(c.ops ; .arch x64
                ; vmaxps Ry(T0), Ry(a), Ry(T2)
                ; vmaxps Ry(T1), Ry(T2), Ry(a)
                ; vandps Ry(d), Ry(T0), Ry(T1));
        }
    }
}

/// Either operand is a NaN.
const UNORDERED: u32 = 3;

/// T0 = a compared with b. dynasm has the operands of this instruction in another order than the manuals.
fn compare_floats(c: &mut Code, a: u8, b: Src, predicate: u32) {
    let code = X::VEX_Vcmpps_ymm_ymm_ymmm256_imm8;
    let memory = |base: Register, index: Register, disp: i32| {
        MemoryOperand::new(base, index, 1, i64::from(disp), 1, false, Register::None)
    };
    c.put(match b {
        Src::Reg(r) => Instruction::with4(code, y(T0), y(a), y(r), predicate),
        Src::Mem(v) => {
            let (base, disp) = offsets(v);
            let base = [Register::RBX, Register::R15, Register::R14][base];
            Instruction::with4(code, y(T0), y(a), memory(base, Register::RCX, disp), predicate)
        }
        Src::Fixed(at) => Instruction::with4(code, y(T0), y(a), memory(Register::R13, Register::None, at), predicate),
    });
}

fn y(n: u8) -> Register {
    Register::YMM0 + u32::from(n)
}

fn compare(c: &mut Code, cond: Cond, ty: Elem, a: u8, b: Src) {
    if ty == Elem::F32 {
        compare_floats(c, a, b, float_predicate(cond).into());
        return;
    }
    with!(c, vmovups, [T1], b);
    let mut x = a;
    if ty != Elem::I32 && !matches!(cond, Cond::Eq | Cond::Ne | Cond::Lg | Cond::Neq) {
        // Unsigned order is signed order with the top bits inverted.
        const SIGN: i32 = fixed(Fixed::Sign);
        dynasm!(c.ops ; .arch x64 ; vpxor Ry(T0), Ry(a), [r13 + SIGN] ; vpxor Ry(T1), Ry(T1), [r13 + SIGN]);
        x = T0;
    }
    let invert = match cond {
        Cond::Eq => {
            dynasm!(c.ops ; .arch x64 ; vpcmpeqd Ry(T0), Ry(x), Ry(T1));
            false
        }
        Cond::Gt | Cond::Le => {
            dynasm!(c.ops ; .arch x64 ; vpcmpgtd Ry(T0), Ry(x), Ry(T1));
            cond == Cond::Le
        }
        Cond::Lt | Cond::Ge => {
            dynasm!(c.ops ; .arch x64 ; vpcmpgtd Ry(T0), Ry(T1), Ry(x));
            cond == Cond::Ge
        }
        _ => {
            dynasm!(c.ops ; .arch x64 ; vpcmpeqd Ry(T0), Ry(x), Ry(T1));
            true
        }
    };
    if invert {
        dynasm!(c.ops ; .arch x64 ; vpxor Ry(T0), Ry(T0), [r13 + ONES]);
    }
}

/// Emits a step, for a wave whose lanes are all on if `full`. Rare continuations go to `cold`.
pub fn step(c: &mut Code, seg: &Segment, op: &Op, full: bool, cold: &mut Cold) {
    match *op {
        Op::Load { d, m } => with!(c, vmovups, [d], Src::Mem(m)),
        Op::Store { m, s } => {
            let (base, disp) = place(m);
            if m.is_reg() && !full {
                dynasm!(c.ops ; .arch x64
                    ; vmovups Ry(T0), [Rq(base) + rcx + disp]
                    ; vblendvps Ry(T0), Ry(T0), Ry(s), Ry(EXEC)
                    ; vmovups [Rq(base) + rcx + disp], Ry(T0));
            } else {
                dynasm!(c.ops ; .arch x64 ; vmovups [Rq(base) + rcx + disp], Ry(s));
            }
        }
        Op::Copy { d, s } => dynasm!(c.ops ; .arch x64 ; vmovaps Ry(d), Ry(s)),
        Op::Bin { op, d, a, b } => bin(c, op, d, a, b),
        Op::Shift { op, d, value, count } => {
            const LOW5: i32 = fixed(Fixed::Low5);
            dynasm!(c.ops ; .arch x64 ; vpand Ry(T0), Ry(count), [r13 + LOW5]);
            match op {
                Shift::Left => dynasm!(c.ops ; .arch x64 ; vpsllvd Ry(d), Ry(value), Ry(T0)),
                Shift::Right => dynasm!(c.ops ; .arch x64 ; vpsrlvd Ry(d), Ry(value), Ry(T0)),
                Shift::Arithmetic => dynasm!(c.ops ; .arch x64 ; vpsravd Ry(d), Ry(value), Ry(T0)),
            }
        }
        Op::ShiftImm { op, d, a, n } => {
            let n = n as i8;
            match op {
                Shift::Left => dynasm!(c.ops ; .arch x64 ; vpslld Ry(d), Ry(a), n),
                Shift::Right => dynasm!(c.ops ; .arch x64 ; vpsrld Ry(d), Ry(a), n),
                Shift::Arithmetic => dynasm!(c.ops ; .arch x64 ; vpsrad Ry(d), Ry(a), n),
            }
        }
        Op::Fma { d, a, b } => with!(c, vfmadd231ps, [d, a], b),
        Op::Un { op, d, a } => match op {
            Un::I32ToF32 | Un::U32ToF32 => dynasm!(c.ops ; .arch x64 ; vcvtdq2ps Ry(d), Ry(a)),
            Un::F16ToF32 => {
                const LOW16: i32 = fixed(Fixed::Low16);
                // The low halves of eight lanes side by side.
                dynasm!(c.ops ; .arch x64
                    ; vpand Ry(T0), Ry(a), [r13 + LOW16]
                    ; vpackusdw Ry(T0), Ry(T0), Ry(T0)
                    ; vpermq Ry(T0), Ry(T0), 8
                    ; vcvtph2ps Ry(d), Rx(T0));
            }
            Un::F32ToF16 => dynasm!(c.ops ; .arch x64 ; vcvtps2ph Rx(T0), Ry(a), 0 ; vpmovzxwd Ry(d), Rx(T0)),
        },
        Op::Splat { d, s } => {
            let i = s.0 as usize;
            if i < 256 {
                let at = i as i32 * 4;
                dynasm!(c.ops ; .arch x64 ; vpbroadcastd Ry(d), [r12 + at]);
            } else {
                let v = seg.sconst[i - 256] as i32;
                dynasm!(c.ops ; .arch x64 ; mov eax, v ; vmovd Rx(d), eax ; vpbroadcastd Ry(d), Rx(d));
            }
        }
        Op::Select { d, a, b, mask } => {
            spread(c, T0, mask.0 as i32 * 4);
            with!(c, vmovups, [T1], b);
            dynasm!(c.ops ; .arch x64 ; vblendvps Ry(d), Ry(a), Ry(T1), Ry(T0));
        }
        Op::Cmp { cond, ty, d, a, b, exec } => {
            compare(c, cond, ty, a, b);
            let at = i32::from(d) * 4;
            dynasm!(c.ops ; .arch x64
                ; vandps Ry(T0), Ry(T0), Ry(EXEC));
            // dynasm wants both operands of one size.
            c.put(Instruction::with2(X::VEX_Vmovmskps_r32_ymm, Register::EAX, y(T0)));
            dynasm!(c.ops ; .arch x64
                ; mov [r12 + rdx + at], al);
            if exec {
                dynasm!(c.ops ; .arch x64 ; mov [r12 + rdx + scalar::EXEC], al);
            }
        }
        Op::Check { test, ref slow } => {
            let (entry, back) = (c.label(), c.label());
            match test {
                Test::Nan(r) => compare_floats(c, r, Src::Reg(r), UNORDERED),
                Test::Unordered(a, b) => compare_floats(c, a, b, UNORDERED),
                Test::Marked => {}
            }
            dynasm!(c.ops ; .arch x64 ; vtestps Ry(T0), Ry(T0) ; jnz =>entry);
            c.bind(back);
            cold.slow.push((entry, back, slow.as_ref().clone(), super::evex::At::Loop));
        }
        // Groups have these only where rows of sixteen lanes fit a host register.
        Op::Dot2 { .. } | Op::Carry { .. } | Op::Dpp { .. } => {}
    }
}

/// The rare continuation of a check: the operation by its definition.
pub fn slow(c: &mut Code, entry: DynamicLabel, back: DynamicLabel, s: &Slow) {
    const SLOW: i32 = offset_of!(Context, slow) as i32;
    const SAVE: i32 = offset_of!(Context, save) as i32;
    const SIZE: i32 = size_of::<Lanes16>() as i32;
    c.bind(entry);
    // Lanes that are off may hold anything.
    dynasm!(c.ops ; .arch x64 ; vtestps Ry(T0), Ry(EXEC) ; jz =>back);
    for (n, source) in s.sources.iter().enumerate() {
        let Some(source) = source else { continue };
        with!(c, vmovups, [T1], *source);
        let at = SLOW + 256 * (n as i32 + 1);
        dynasm!(c.ops ; .arch x64 ; vmovups [r13 + at], Ry(T1));
    }
    let live = |r: u8| s.live >> r & 1 == 1 && r != s.d;
    for r in (0..TRAITS.registers).filter(|r| live(*r)) {
        let at = SAVE + SIZE * i32::from(r);
        dynasm!(c.ops ; .arch x64 ; vmovups [r13 + at], Ry(r));
    }
    super::call_slow(c, s.op);
    for r in (0..TRAITS.registers).filter(|r| live(*r)) {
        let at = SAVE + SIZE * i32::from(r);
        dynasm!(c.ops ; .arch x64 ; vmovups Ry(r), [r13 + at]);
    }
    start(c);
    dynasm!(c.ops ; .arch x64 ; vmovups Ry(s.d), [r13 + SLOW] ; jmp =>back);
}

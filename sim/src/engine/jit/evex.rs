//! A group's steps in AVX-512: sixteen lanes a host register, EXEC in a mask register.
//!
//! dynasm encodes no AVX-512, so iced does, instruction by instruction, into the same buffer.

use super::code::Code;
use super::group::{Bin, Fixed, Op, Shift, Slow, Src, Test, Traits, Un, fixed, float_predicate};
use super::{Cold, Constant, Context, Lanes16, offsets};
use crate::engine::ir::{DppCtrl, S, Segment, V};
use crate::engine::run::dpp_source;
use core::mem::offset_of;
use dynasm::dynasm;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi};
use iced_x86::{Code as X, Instruction, MemoryOperand, Register};
use wavesmith_asm::sem::{Cond, Elem};

/// Host registers 29 to 31 are for single steps.
pub const TRAITS: Traits = Traits { registers: 29, wide: true };
const T0: u8 = 29;
const T1: u8 = 30;
const T2: u8 = 31;

/// Which lanes the code being written is for.
#[derive(Clone, Copy, Debug)]
pub enum At {
    /// Those that `rcx` (bytes into a register) and `rdx` (bytes into a mask) say.
    Loop,
    /// Sixteen, by number.
    Quarter(u8),
}

fn z(n: u8) -> Register {
    Register::ZMM0 + u32::from(n)
}
fn y(n: u8) -> Register {
    Register::YMM0 + u32::from(n)
}

fn memory(base: Register, index: bool, disp: i32) -> MemoryOperand {
    let index = if index { Register::RCX } else { Register::None };
    MemoryOperand::new(base, index, 1, i64::from(disp), 1, false, Register::None)
}

fn place(v: V, at: At) -> MemoryOperand {
    let (base, disp) = offsets(v);
    let base = [Register::RBX, Register::R15, Register::R14][base];
    match at {
        At::Loop => memory(base, true, disp),
        At::Quarter(k) => memory(base, false, disp + 64 * i32::from(k)),
    }
}

/// A word of a lane mask in the scalar file.
fn mask_word(s: u8, at: At) -> MemoryOperand {
    let disp = i64::from(s) * 4;
    match at {
        At::Loop => MemoryOperand::new(Register::R12, Register::RDX, 1, disp, 1, false, Register::None),
        At::Quarter(k) => {
            MemoryOperand::new(Register::R12, Register::None, 1, disp + 2 * i64::from(k), 1, false, Register::None)
        }
    }
}

/// d = a op b, b wherever it is.
fn three(c: &mut Code, code: X, d: u8, a: u8, b: Src, at: At) {
    c.put(match b {
        Src::Reg(r) => Instruction::with3(code, z(d), z(a), z(r)),
        Src::Mem(v) => Instruction::with3(code, z(d), z(a), place(v, at)),
        Src::Fixed(o) => Instruction::with3(code, z(d), z(a), memory(Register::R13, false, o)),
    });
}

#[allow(clippy::too_many_arguments)]
fn three_imm(c: &mut Code, code: X, d: Register, a: u8, b: Src, imm: u32, at: At, mask: Register) {
    let made = match b {
        Src::Reg(r) => Instruction::with4(code, d, z(a), z(r), imm),
        Src::Mem(v) => Instruction::with4(code, d, z(a), place(v, at), imm),
        Src::Fixed(o) => Instruction::with4(code, d, z(a), memory(Register::R13, false, o), imm),
    };
    c.put(made.map(|mut i| {
        i.set_op_mask(mask);
        i
    }));
}

fn two(c: &mut Code, code: X, d: Register, a: Register) {
    c.put(Instruction::with2(code, d, a));
}

fn load(c: &mut Code, d: u8, m: MemoryOperand) {
    c.put(Instruction::with2(X::EVEX_Vmovups_zmm_k1z_zmmm512, z(d), m));
}

fn store(c: &mut Code, m: MemoryOperand, s: u8, mask: Register) {
    c.put(Instruction::with2(X::EVEX_Vmovups_zmmm512_k1z_zmm, m, z(s)).map(|mut i| {
        i.set_op_mask(mask);
        i
    }));
}

/// EXEC of the lanes into k1.
pub fn start(c: &mut Code, at: At) {
    c.put(Instruction::with2(X::VEX_Kmovw_kr_km16, Register::K1, mask_word(S::EXEC, at)));
}

fn bin(op: Bin) -> (X, Option<u32>) {
    let plain = match op {
        Bin::Add => X::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32,
        Bin::Sub => X::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32,
        Bin::And => X::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32,
        Bin::Or => X::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32,
        Bin::Xor => X::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32,
        Bin::MulLo => X::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32,
        Bin::MinI => X::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32,
        Bin::MaxI => X::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32,
        Bin::MinU => X::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32,
        Bin::MaxU => X::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32,
        Bin::AddF => X::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er,
        Bin::SubF => X::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er,
        Bin::MulF => X::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er,
        Bin::MinHost => X::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae,
        Bin::MaxHost => X::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae,
        // Bits 1:0 say minimum or maximum, bit 2 that the sign is that of the comparison.
        Bin::MinF => return (X::EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae, Some(4)),
        Bin::MaxF => return (X::EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae, Some(5)),
    };
    (plain, None)
}

/// Predicate of a comparison, and its instruction.
fn predicate(cond: Cond, ty: Elem) -> (X, u32) {
    if ty == Elem::F32 {
        return (X::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, float_predicate(cond).into());
    }
    let imm = match cond {
        Cond::Eq => 0,
        Cond::Lt => 1,
        Cond::Le => 2,
        Cond::Ge => 5,
        Cond::Gt => 6,
        _ => 4,
    };
    let signed = ty == Elem::I32;
    (if signed { X::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8 } else { X::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8 }, imm)
}

/// The halves of a register as f32.
fn half(c: &mut Code, d: u8, a: u8, high: bool) {
    let mut from = a;
    if high {
        c.put(Instruction::with3(X::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, z(d), z(a), 16));
        from = d;
    }
    two(c, X::EVEX_Vpmovdw_ymmm256_k1z_zmm, y(d), z(from));
    two(c, X::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae, z(d), y(d));
}

/// Emits a step. Rare continuations go to `cold`.
pub fn step(c: &mut Code, seg: &Segment, op: &Op, at: At, cold: &mut Cold) {
    match *op {
        Op::Load { d, m } => load(c, d, place(m, at)),
        Op::Store { m, s } => store(c, place(m, at), s, if m.is_reg() { Register::K1 } else { Register::None }),
        Op::Copy { d, s } => two(c, X::EVEX_Vmovaps_zmm_k1z_zmmm512, z(d), z(s)),
        Op::Bin { op, d, a, b } => match bin(op) {
            (code, None) => three(c, code, d, a, b, at),
            (code, Some(imm)) => three_imm(c, code, z(d), a, b, imm, at, Register::None),
        },
        Op::Shift { op, d, value, count } => {
            three(c, X::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, T0, count, Src::Fixed(fixed(Fixed::Low5)), at);
            let code = match op {
                Shift::Left => X::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32,
                Shift::Right => X::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32,
                Shift::Arithmetic => X::EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32,
            };
            three(c, code, d, value, Src::Reg(T0), at);
        }
        Op::ShiftImm { op, d, a, n } => {
            let code = match op {
                Shift::Left => X::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8,
                Shift::Right => X::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8,
                Shift::Arithmetic => X::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8,
            };
            c.put(Instruction::with3(code, z(d), z(a), u32::from(n)));
        }
        Op::Fma { d, a, b } => three(c, X::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er, d, a, b, at),
        Op::Un { op, d, a } => match op {
            Un::I32ToF32 => two(c, X::EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er, z(d), z(a)),
            Un::U32ToF32 => two(c, X::EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er, z(d), z(a)),
            Un::F16ToF32 => half(c, d, a, false),
            Un::F32ToF16 => {
                c.put(Instruction::with3(X::EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae, y(T0), z(a), 0));
                two(c, X::EVEX_Vpmovzxwd_zmm_k1z_ymmm256, z(d), y(T0));
            }
        },
        Op::Dot2 { d, a, b } => {
            // NaN and subnormal accumulators and sums are for the definition.
            let classes = |c: &mut Code, k: Register, r: u8| {
                c.put(Instruction::with3(X::EVEX_Vfpclassps_kr_k1_zmmm512b32_imm8, k, z(r), 0xa1));
            };
            classes(c, Register::K5, d);
            for (high, k) in [(false, Register::K6), (true, Register::K7)] {
                half(c, T0, a, high);
                half(c, T1, b, high);
                three(c, X::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er, d, T0, Src::Reg(T1), at);
                classes(c, k, d);
                c.put(Instruction::with3(X::VEX_Korw_kr_kr_kr, Register::K5, Register::K5, k));
            }
        }
        Op::Splat { d, s } => {
            let i = s.0 as usize;
            if i < 256 {
                let m = memory(Register::R12, false, i as i32 * 4);
                c.put(Instruction::with2(X::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, z(d), m));
            } else {
                let v = seg.sconst[i - 256] as i32;
                dynasm!(c.ops ; .arch x64 ; mov eax, v);
                two(c, X::EVEX_Vpbroadcastd_zmm_k1z_r32, z(d), Register::EAX);
            }
        }
        Op::Select { d, a, b, mask } => {
            c.put(Instruction::with2(X::VEX_Kmovw_kr_km16, Register::K5, mask_word(mask.0 as u8, at)));
            let code = X::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32;
            let made = match b {
                Src::Reg(r) => Instruction::with3(code, z(d), z(a), z(r)),
                Src::Mem(v) => Instruction::with3(code, z(d), z(a), place(v, at)),
                Src::Fixed(o) => Instruction::with3(code, z(d), z(a), memory(Register::R13, false, o)),
            };
            c.put(made.map(|mut i| {
                i.set_op_mask(Register::K5);
                i
            }));
        }
        Op::Cmp { cond, ty, d, a, b, exec } => {
            let (code, imm) = predicate(cond, ty);
            three_imm(c, code, Register::K5, a, b, imm, at, Register::K1);
            c.put(Instruction::with2(X::VEX_Kmovw_m16_kr, mask_word(d, at), Register::K5));
            if exec {
                c.put(Instruction::with2(X::VEX_Kmovw_m16_kr, mask_word(S::EXEC, at), Register::K5));
            }
        }
        Op::Carry { sub, d, a, b, cin, sdst } => carry(c, (sub, d, a, b), cin, sdst, at),
        Op::Dpp { d, a, ctrl, valid } => dpp(c, (d, a), ctrl, valid, at, cold),
        Op::Check { test, ref slow } => {
            let code = X::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
            match test {
                Test::Nan(r) => three_imm(c, code, Register::K5, r, Src::Reg(r), 3, at, Register::None),
                Test::Unordered(a, b) => three_imm(c, code, Register::K5, a, b, 3, at, Register::None),
                Test::Marked => {}
            }
            c.put(Instruction::with2(X::VEX_Kortestw_kr_kr, Register::K5, Register::K5));
            let (entry, back) = (c.label(), c.label());
            dynasm!(c.ops ; .arch x64 ; jnz =>entry);
            c.bind(back);
            cold.slow.push((entry, back, slow.as_ref().clone(), at));
        }
    }
}

fn carry(c: &mut Code, (sub, d, a, b): (bool, u8, u8, u8), cin: Option<S>, sdst: u8, at: At) {
    let unsigned = X::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8;
    let (code, back) = if sub {
        (X::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, X::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32)
    } else {
        (X::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, X::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32)
    };
    three(c, code, d, a, Src::Reg(b), at);
    // A sum carries if it is below an operand; a difference borrows if the first operand is below the second.
    let (x, y) = if sub { (a, b) } else { (d, a) };
    three_imm(c, unsigned, Register::K5, x, Src::Reg(y), 1, at, Register::None);
    if let Some(s) = cin {
        c.put(Instruction::with2(X::VEX_Kmovw_kr_km16, Register::K6, mask_word(s.0 as u8, at)));
        if sub {
            // Borrowing from 0 borrows on.
            three_imm(c, unsigned, Register::K7, d, Src::Fixed(fixed(Fixed::Zero)), 0, at, Register::K6);
        }
        // One more or less is minus −1 or plus −1.
        let ones = memory(Register::R13, false, fixed(Fixed::Ones));
        c.put(Instruction::with3(back, z(d), z(d), ones).map(|mut i| {
            i.set_op_mask(Register::K6);
            i
        }));
        if !sub {
            three_imm(c, unsigned, Register::K7, d, Src::Fixed(fixed(Fixed::Zero)), 0, at, Register::K6);
        }
        c.put(Instruction::with3(X::VEX_Korw_kr_kr_kr, Register::K5, Register::K5, Register::K7));
    }
    c.put(Instruction::with3(X::VEX_Kandw_kr_kr_kr, Register::K5, Register::K5, Register::K1));
    c.put(Instruction::with2(X::VEX_Kmovw_m16_kr, mask_word(sdst, at), Register::K5));
}

fn dpp(c: &mut Code, (d, a): (u8, u8), ctrl: DppCtrl, valid: u8, at: At, cold: &mut Cold) {
    // Sixteen indices, then for each row the lanes that may be written and those of them that have a source.
    let mut data = Vec::new();
    let mut reaches = 0u16;
    for lane in 0..16 {
        let from = dpp_source(ctrl.ctrl, lane);
        data.extend_from_slice(&(from.unwrap_or(0) as u32).to_le_bytes());
        reaches |= u16::from(from.is_some()) << lane;
    }
    let banks = (0..16).filter(|l| ctrl.bank_mask >> (l / 4) & 1 == 1).fold(0u16, |m, l| m | 1 << l);
    let rows = |with: u16| (0..4).map(move |r| if ctrl.row_mask >> r & 1 == 1 { banks & with } else { 0 });
    for word in rows(reaches).chain(rows(u16::MAX)) {
        data.extend_from_slice(&word.to_le_bytes());
    }
    let label = c.label();
    cold.constants.push(Constant { label, data });
    dynasm!(c.ops ; .arch x64 ; lea rax, [=>label]);
    let word = |offset: i64| {
        let (index, more) = match at {
            At::Loop => (Register::RDX, 0),
            At::Quarter(k) => (Register::None, 2 * i64::from(k)),
        };
        MemoryOperand::new(Register::RAX, index, 1, offset + more, 1, false, Register::None)
    };
    load(c, T0, memory(Register::RAX, false, 0));
    // Which sources are on.
    two(c, X::EVEX_Vpmovm2d_zmm_kr, z(T1), Register::K1);
    three(c, X::EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32, T1, T0, Src::Reg(T1), at);
    two(c, X::EVEX_Vpmovd2m_kr_zmm, Register::K5, z(T1));
    c.put(Instruction::with2(X::VEX_Kmovw_kr_km16, Register::K6, word(64)));
    c.put(Instruction::with3(X::VEX_Kandw_kr_kr_kr, Register::K5, Register::K5, Register::K6));
    c.put(Instruction::with3(X::EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32, z(d), z(T0), z(a)).map(|mut i| {
        i.set_op_mask(Register::K5);
        i.set_zeroing_masking(true);
        i
    }));
    if ctrl.bound_ctrl {
        c.put(Instruction::with2(X::VEX_Kmovw_kr_km16, Register::K5, word(72)));
    }
    c.put(Instruction::with2(X::VEX_Kmovw_m16_kr, mask_word(valid, at), Register::K5));
}

/// The rare continuation of a check: the operation by its definition.
pub fn slow(c: &mut Code, entry: DynamicLabel, back: DynamicLabel, s: &Slow, at: At) {
    const SLOW: i32 = offset_of!(Context, slow) as i32;
    const SAVE: i32 = offset_of!(Context, save) as i32;
    const SIZE: i32 = size_of::<Lanes16>() as i32;
    let saved = |r: u8| memory(Register::R13, false, SAVE + SIZE * i32::from(r));
    let argument = |n: usize| memory(Register::R13, false, SLOW + 256 * n as i32);
    c.bind(entry);
    // Lanes that are off may hold anything.
    c.put(Instruction::with2(X::VEX_Ktestw_kr_kr, Register::K5, Register::K1));
    dynasm!(c.ops ; .arch x64 ; jz =>back);
    for (n, source) in s.sources.iter().enumerate() {
        let Some(source) = source else { continue };
        let r = match *source {
            Src::Reg(r) => r,
            Src::Mem(v) => {
                load(c, T2, place(v, at));
                T2
            }
            Src::Fixed(o) => {
                load(c, T2, memory(Register::R13, false, o));
                T2
            }
        };
        store(c, argument(n + 1), r, Register::None);
    }
    let live = |r: u8| s.live >> r & 1 == 1 && r != s.d;
    for r in (0..TRAITS.registers).filter(|r| live(*r)) {
        store(c, saved(r), r, Register::None);
    }
    super::call_slow(c, s.op);
    for r in (0..TRAITS.registers).filter(|r| live(*r)) {
        load(c, r, saved(r));
    }
    load(c, s.d, argument(0));
    start(c, at);
    dynasm!(c.ops ; .arch x64 ; jmp =>back);
}

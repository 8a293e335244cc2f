//! Executes one matrix instruction on register data.
//!
//! Operands are first brought into k-major planes, `plane[block][k][row]`, which the layouts make a copy of runs of
//! lanes. Sixteen columns of one row of D are then computed together. Where every operand is finite, CDNA3's
//! truncating sums are done on vectors of integers; any infinity or NaN sends the whole instruction to the scalar
//! definition in `numerics`, as do extreme scales, sparse operands, and the small blocks whose rows are shorter than a
//! vector.

mod general;
pub(super) mod sums;

use super::Mfma;
use super::layout::{Place, blgp_lane, broadcast_block, input, output, run as run_of, scale};
use super::numerics::{Family, Num, ZERO_EXP, canonical, decode, dot, flush_tree, fma_chain, fraction_bits, value};
use crate::config::Numerics;
use crate::engine::lanes::{Level, WAVE};
use general::general;
#[cfg(target_arch = "x86_64")]
use sums::truncate_row_avx512;
use sums::{At, exponents, fma_rows, split_row, tree_row, truncate_row};
use wavesmith_asm::sem::Elem;

/// Most elements that A or B of one instruction has.
pub(super) const MAX: usize = 64 * 64;
/// Most registers of D.
const MAX_D: usize = 32;

/// Planes that a worker keeps between instructions.
#[derive(Debug)]
pub struct Scratch {
    a: Vec<u32>,
    b: Vec<u32>,
    aexp: Vec<i32>,
    bexp: Vec<i32>,
    lanes: Vec<u32>,
    c: Vec<u32>,
    decoded: Option<Box<super::rows::Decoded>>,
    /// A sparse A with its zeros.
    #[cfg(target_arch = "x86_64")]
    dense: Vec<u32>,
    #[cfg(target_arch = "x86_64")]
    planes: super::chain::Planes,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            a: vec![0; MAX],
            b: vec![0; MAX],
            aexp: vec![0; MAX],
            bexp: vec![0; MAX],
            lanes: vec![0; 16 * WAVE],
            c: vec![0; MAX_D * WAVE],
            decoded: None,
            #[cfg(target_arch = "x86_64")]
            dense: vec![0; super::integer::MOST * WAVE],
            #[cfg(target_arch = "x86_64")]
            planes: Default::default(),
        }
    }
}

/// Element bits from registers to a plane; `rows` elements run over lanes, which hold `run` consecutive k at a time.
#[inline(always)]
pub(super) fn gather(plane: &mut [u32], src: &[u32], rows: usize, k: usize, blocks: usize, bits: usize, run: usize) {
    let per_lane = (rows * k * blocks / WAVE).max(1);
    let groups = (k / per_lane).max(1);
    let mask = if bits == 32 { u32::MAX } else { (1 << bits) - 1 };
    for g in 0..WAVE / rows {
        let (block, group) = (g / groups, g % groups);
        if block >= blocks {
            break;
        }
        for item in 0..per_lane {
            let (reg, shift) = (item * bits / 32, item * bits % 32);
            // Almost always there is one run a lane; dividing by it would take longer than the copy.
            let within = if run == per_lane { item } else { item % run + item / run * run * groups };
            let to = (block * k + group * run + within) * rows;
            let from = reg * WAVE + g * rows;
            let (out, low) = (&mut plane[to..to + rows], &src[from..from + rows]);
            if shift + bits > 32 {
                let high = &src[from + WAVE..from + WAVE + rows];
                for r in 0..rows {
                    out[r] = (low[r] >> shift | high[r] << (32 - shift)) & mask;
                }
            } else {
                for r in 0..rows {
                    out[r] = low[r] >> shift & mask;
                }
            }
        }
    }
}

/// Which row arithmetic a plane is prepared for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Truncate { group: usize },
    Split { group: usize },
    Chain,
    Tree { group: usize },
    Integer,
}

/// All rows of all blocks; `d` may be the registers of C.
#[inline(always)]
fn rows_body<const AVX512: bool>(s: &Scratch, m: &Mfma, rows: Rows, c: *const u32, d: *mut u32) {
    let (rm, rn, k) = (m.shape.m as usize, m.shape.n as usize, m.shape.k as usize);
    let groups = WAVE / rn;
    let step = if m.c_constant { 0 } else { WAVE };
    for block in 0..m.shape.blocks as usize {
        let a_block = broadcast_block(m.cbsz, m.abid, block);
        if rows == Rows::Chain {
            for i in (0..rm).step_by(4) {
                let item = 4 * (i / (4 * groups)) + block * (rm / groups);
                let lane = rn * (i / 4 % groups);
                for j in (0..rn).step_by(16) {
                    let mut acc = [[0f32; 16]; 4];
                    for (r, acc) in acc.iter_mut().enumerate() {
                        // SAFETY: the items are below the instruction's D registers and sixteen lanes from
                        // `lane + j` are below 64, by the layout; the caller vouches for that many registers.
                        *acc = unsafe { core::ptr::read(c.add((item + r) * step + lane + j).cast()) };
                    }
                    let (a_at, b_at) = ((a_block * k * rm + i, rm), (block * k * rn + j, rn));
                    fma_rows(&s.a, &s.b, k, a_at, b_at, &mut acc);
                    for (r, acc) in acc.iter().enumerate() {
                        let mut out = [0; 16];
                        for l in 0..16 {
                            out[l] = canonical(acc[l]);
                        }
                        // SAFETY: as above.
                        unsafe { core::ptr::write(d.add((item + r) * WAVE + lane + j).cast::<[u32; 16]>(), out) };
                    }
                }
            }
            continue;
        }
        for i in 0..rm {
            let item = i % 4 + 4 * (i / (4 * groups)) + block * (rm / groups);
            let lane = rn * (i / 4 % groups);
            let mut j = 0;
            while j < rn {
                // SAFETY: the item is below the instruction's D registers and sixteen lanes from `lane + j` are below
                // 64, by the layout; the caller vouches for that many registers.
                let c16 = unsafe { core::ptr::read(c.add(item * step + lane + j).cast::<[u32; 16]>()) };
                let (a_at, b_at) = ((a_block * k * rm + i, rm), (block * k * rn + j, rn));
                let at = At { a: a_at.0, m: rm, b: b_at.0, n: rn };
                let out = match rows {
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: this instance is for hosts that offer it, and the planes were filled for this shape.
                    Rows::Truncate { group } if AVX512 => unsafe { truncate_row_avx512(s, k, group, at, &c16, false) },
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: as above.
                    Rows::Split { group } if AVX512 => unsafe { truncate_row_avx512(s, k, group, at, &c16, true) },
                    Rows::Truncate { group } => truncate_row(s, k, group, at, &c16),
                    Rows::Split { group } => split_row(s, k, group, at, &c16),
                    Rows::Chain => c16,
                    Rows::Tree { group } => tree_row(&s.a, &s.b, (k, group), a_at, b_at, &c16),
                    Rows::Integer => {
                        let mut acc = c16;
                        for kk in 0..k {
                            let x = s.a[a_at.0 + kk * rm] as u8 as i8 as i32;
                            for (l, acc) in acc.iter_mut().enumerate() {
                                let y = s.b[b_at.0 + kk * rn + l] as u8 as i8 as i32;
                                *acc = acc.wrapping_add((x * y) as u32);
                            }
                        }
                        acc
                    }
                };
                // SAFETY: as above.
                unsafe { core::ptr::write(d.add(item * WAVE + lane + j).cast::<[u32; 16]>(), out) };
                j += 16;
            }
        }
    }
}

/// Bits to f32 values in place; with `flush`, subnormals of the format become +0.
#[inline(always)]
fn values(plane: &mut [u32], m: &Mfma, ty: Elem, flush: bool) {
    use crate::engine::lanes::float::{bf16_to_f32, f16_to_f32};
    match ty {
        Elem::F32 => {}
        Elem::Xf32 => plane.iter_mut().for_each(|v| *v &= !0x1fff),
        Elem::F16 => {
            plane.iter_mut().for_each(|v| *v = if flush && *v & 0x7c00 == 0 { 0 } else { f16_to_f32(*v).to_bits() })
        }
        Elem::Bf16 => {
            plane.iter_mut().for_each(|v| *v = if flush && *v & 0x7f80 == 0 { 0 } else { bf16_to_f32(*v).to_bits() })
        }
        _ => plane.iter_mut().for_each(|v| *v = value(*v, ty, m.fp8).to_bits()),
    }
}

/// Scaled exponents beyond this are left to the scalar definition: products, and their units, have to stay in binary32.
const MODERATE: i32 = 48;

/// Codes of small floats to f32 values in place, with the exponents that they have before normalisation, and scaled where
/// there are `scales`: register and byte, by row and 32 consecutive k. `false` where the fast arithmetic does not apply.
#[inline(always)]
fn small(
    plane: &mut [u32],
    exp: &mut [i32],
    ty: Elem,
    fp8: super::Fp8,
    scales: Option<(*const u32, u8)>,
    rows: usize,
) -> bool {
    let f = fraction_bits(ty) as u32;
    let (width, bias) = match (ty, fp8) {
        (Elem::Fp8, super::Fp8::Fnuz) => (8, 8),
        (Elem::Fp8, super::Fp8::Ocp) => (8, 7),
        (Elem::Bf8, super::Fp8::Fnuz) => (8, 16),
        (Elem::Bf8, super::Fp8::Ocp) => (8, 15),
        (Elem::Fp6, _) => (6, 1),
        (Elem::Bf6, _) => (6, 3),
        _ => (4, 1),
    };
    // Codes that are not finite, under a mask: one, or all from there on.
    let (mask, first) = match (ty, fp8) {
        (Elem::Fp8 | Elem::Bf8, super::Fp8::Fnuz) => (0xff, 0x80),
        (Elem::Fp8, super::Fp8::Ocp) => (0x7f, 0x7f),
        (Elem::Bf8, super::Fp8::Ocp) => (0x7c, 0x7c),
        _ => (0, 1),
    };
    let ones = (1u32 << (width - 1 - f)) - 1;
    let unit = f32::from_bits(((1 - bias - f as i32 + 127) << 23) as u32);
    let mut strange = false;
    for (v, out) in plane.iter_mut().zip(exp.iter_mut()) {
        let (code, field, m) = (*v, *v >> f & ones, *v & ((1 << f) - 1));
        strange |= code & mask == first;
        let below = (m as f32 * unit).to_bits();
        let normal = (field as i32 + 127 - bias) as u32;
        *v = code >> (width - 1) << 31 | if field == 0 { below } else { normal << 23 | m << (23 - f) };
        let e = (field as i32).max(1) - bias;
        *out = if field | m == 0 { ZERO_EXP } else { e };
    }
    let Some((scale_of, byte)) = scales else { return !strange };
    let mut most = 0;
    for (kk, (values, exps)) in plane.chunks_exact_mut(rows).zip(exp.chunks_exact_mut(rows)).enumerate() {
        for (r, (v, e)) in values.iter_mut().zip(exps).enumerate() {
            // SAFETY: the caller vouches for a register of scales, and the lane is below 64: 128 of k have four scales
            // for each of 16 rows, 64 two for each of 32.
            let by = (unsafe { *scale_of.add(scale(rows, r, kk)) } >> (8 * u32::from(byte)) & 0xff) as i32;
            strange |= by == 255;
            if *e != ZERO_EXP {
                *e += by - 127;
                most = most.max(e.abs());
                *v = v.wrapping_add(((by - 127) as u32) << 23);
            }
        }
    }
    !strange && most <= MODERATE
}

#[inline(always)]
fn prepare_and_run_body<const AVX512: bool>(
    s: &mut Scratch,
    m: &Mfma,
    numerics: Numerics,
    o: Operands,
    c: *const u32,
) -> bool {
    let (a, b, d) = (o.a, o.b, o.d);
    let (rm, rn, k, blocks) = (m.shape.m as usize, m.shape.n as usize, m.shape.k as usize, m.shape.blocks as usize);
    if rn < 16 || m.index.is_some() || m.shape.d == Elem::F64 || m.blgp != 0 {
        return false;
    }
    let (na, nb) = (rm * k * blocks, rn * k * blocks);
    // SAFETY: the caller vouches for the registers of A and B.
    let (ra, rb) = unsafe {
        (
            core::slice::from_raw_parts(a, m.a_regs as usize * WAVE),
            core::slice::from_raw_parts(b, m.b_regs as usize * WAVE),
        )
    };
    #[cfg(target_arch = "x86_64")]
    if AVX512
        && let (Family::Truncate { group }, Numerics::Exact) = (m.family, numerics)
        && matches!(m.shape.a, Elem::F16 | Elem::Bf16 | Elem::Xf32)
        && m.shape.a == m.shape.b
        && rm >= 16
    {
        // Whether the range is that of binary32.
        let wide = m.shape.a != Elem::F16;
        let smallest = if wide { -126 } else { -14 };
        let xf32 = m.shape.a == Elem::Xf32;
        if xf32 {
            gather(&mut s.a, ra, rm, k, blocks, 32, run_of(&m.shape, rm, m.shape.a));
            gather(&mut s.b, rb, rn, k, blocks, 32, run_of(&m.shape, rn, m.shape.b));
            values(&mut s.a[..na], m, m.shape.a, false);
            values(&mut s.b[..nb], m, m.shape.b, false);
        }
        // SAFETY: this instance is for hosts that offer it; the planes hold the largest operands.
        let ((worst_a, least_a), (worst_b, least_b)) = unsafe {
            if !xf32 {
                super::chain::widen(s.a.as_mut_ptr().cast(), a, rm, k, blocks, m.shape.a);
                super::chain::widen(s.b.as_mut_ptr().cast(), b, rn, k, blocks, m.shape.b);
            }
            (
                super::chain::exponents(&s.a[..na], smallest, ZERO_EXP, &mut s.aexp),
                super::chain::exponents(&s.b[..nb], smallest, ZERO_EXP, &mut s.bexp),
            )
        };
        if worst_a == 128 || worst_b == 128 || !finite_c(m, c) {
            return false;
        }
        // A bf16 or xf32 product may leave the range of f32: above it is an infinity, below it would lose bits.
        if wide && (worst_a + worst_b >= 100 || least_a + least_b < -100) {
            return false;
        }
        rows_body::<AVX512>(s, m, Rows::Truncate { group }, c, d);
        return true;
    }
    gather(&mut s.a, ra, rm, k, blocks, m.shape.a.bits() as usize, run_of(&m.shape, rm, m.shape.a));
    gather(&mut s.b, rb, rn, k, blocks, m.shape.b.bits() as usize, run_of(&m.shape, rn, m.shape.b));
    let rows = match (m.family, numerics) {
        (Family::Integer, _) => Rows::Integer,
        (Family::TruncateSplit { group }, _) => {
            let scales = m.scale.map(|(_, a, _, b)| ((o.scale_a, a), (o.scale_b, b)));
            let tame_a = small(&mut s.a[..na], &mut s.aexp, m.shape.a, m.fp8, scales.map(|s| s.0), rm);
            let tame_b = small(&mut s.b[..nb], &mut s.bexp, m.shape.b, m.fp8, scales.map(|s| s.1), rn);
            if !tame_a || !tame_b || !finite_c(m, c) {
                return false;
            }
            if numerics == Numerics::Fast { Rows::Chain } else { Rows::Split { group } }
        }
        _ if m.scale.is_some() => return false,
        (Family::FmaChain, _)
        | (Family::Truncate { .. } | Family::Exact { .. } | Family::FlushTree { .. }, Numerics::Fast) => {
            values(&mut s.a[..na], m, m.shape.a, false);
            values(&mut s.b[..nb], m, m.shape.b, false);
            Rows::Chain
        }
        (Family::FlushTree { group }, _) => {
            values(&mut s.a[..na], m, m.shape.a, true);
            values(&mut s.b[..nb], m, m.shape.b, true);
            Rows::Tree { group }
        }
        (Family::Truncate { group }, _) if matches!(m.shape.a, Elem::F16 | Elem::Bf16) => {
            let fraction = fraction_bits(m.shape.a) as u32;
            let (worst_a, least_a) = exponents(&s.a[..na], fraction, &mut s.aexp);
            let (worst_b, least_b) = exponents(&s.b[..nb], fraction, &mut s.bexp);
            let ones = if fraction == 10 { 0x1f } else { 0xff };
            if worst_a == ones || worst_b == ones || !finite_c(m, c) {
                return false;
            }
            // A bf16 product may leave the range of f32: above it is an infinity, below it would lose bits.
            if m.shape.a == Elem::Bf16 && (worst_a + worst_b >= 2 * 127 + 100 || least_a + least_b < -100) {
                return false;
            }
            values(&mut s.a[..na], m, m.shape.a, false);
            values(&mut s.b[..nb], m, m.shape.b, false);
            Rows::Truncate { group }
        }
        _ => return false,
    };
    rows_body::<AVX512>(s, m, rows, c, d);
    true
}

/// Whether C is finite, with room so that no partial sum can overflow.
#[inline(always)]
pub(super) fn finite_c(m: &Mfma, c: *const u32) -> bool {
    let n = if m.c_constant { WAVE } else { m.d_regs as usize * WAVE };
    let mut worst = 0;
    for i in 0..n {
        // SAFETY: the caller vouches for the registers of C.
        worst = worst.max(unsafe { *c.add(i) } & 0x7f80_0000);
    }
    worst < 0x7e00_0000
}

/// Operand pointers of a matrix instruction: as many registers as its shape says, C one register if it is constant.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// A.
    pub a: *const u32,
    /// B.
    pub b: *const u32,
    /// C.
    pub c: *const u32,
    /// D.
    pub d: *mut u32,
    /// Sparse indices, or null.
    pub index: *const u32,
    /// Scales of A, or null.
    pub scale_a: *const u32,
    /// Scales of B, or null.
    pub scale_b: *const u32,
}

/// [`prepare_and_run_body`] compiled for what the host offers.
///
/// # Safety
/// As [`run`].
unsafe fn prepare_and_run(
    s: &mut Scratch,
    level: Level,
    m: &Mfma,
    numerics: Numerics,
    o: Operands,
    c: *const u32,
) -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
        unsafe fn avx512(s: &mut Scratch, m: &Mfma, numerics: Numerics, o: Operands, c: *const u32) -> bool {
            prepare_and_run_body::<true>(s, m, numerics, o, c)
        }
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
        unsafe fn avx2(s: &mut Scratch, m: &Mfma, numerics: Numerics, o: Operands, c: *const u32) -> bool {
            prepare_and_run_body::<false>(s, m, numerics, o, c)
        }
        match level {
            // SAFETY: the host offers the level.
            Level::Avx512 => return unsafe { avx512(s, m, numerics, o, c) },
            // SAFETY: the host offers the level.
            Level::Avx2 => return unsafe { avx2(s, m, numerics, o, c) },
            Level::Plain => {}
        }
    }
    let _ = level;
    prepare_and_run_body::<false>(s, m, numerics, o, c)
}

/// Executes a dense instruction as a chain of multiply-adds, or of integers, where that is what it is or may be.
///
/// # Safety
/// As [`run`], and the host offers AVX2.
#[cfg(target_arch = "x86_64")]
unsafe fn dense(s: &mut Scratch, level: Level, m: &Mfma, numerics: Numerics, o: Operands, c: *const u32) -> bool {
    if super::integer::fits(m) {
        if level == Level::Avx512 && super::integer::has_vnni() {
            // SAFETY: passed on.
            unsafe { super::integer::run(m, o, c) };
        } else {
            // SAFETY: passed on.
            unsafe { super::integer::run_avx2(m, o, c) };
        }
        return true;
    }
    if level != Level::Avx512 {
        return false;
    }
    // What is no integer becomes a chain when asked to be fast.
    let chain = m.family == Family::FmaChain || (numerics == Numerics::Fast && m.family != Family::Integer);
    if chain && super::chain::fits(m) {
        // SAFETY: passed on.
        unsafe { super::chain::run(&mut s.planes, m, o, c) };
        return true;
    }
    false
}

/// Executes `m`.
///
/// # Safety
/// `o` addresses the registers that `m` says, and the host offers `level`.
pub unsafe fn run(s: &mut Scratch, level: Level, m: &Mfma, numerics: Numerics, o: Operands) {
    // D may overlap C other than exactly, and A and B are read before D is written in either case.
    let step = if m.c_constant { 0 } else { WAVE };
    let c_regs = if !m.c_constant {
        m.d_regs as usize
    } else if m.shape.d == Elem::F64 {
        2
    } else {
        1
    };
    let mut c = o.c;
    if !core::ptr::eq(o.c, o.d) {
        // SAFETY: C has that many registers, and the copy is as large as the largest D.
        s.c[..c_regs * WAVE].copy_from_slice(unsafe { core::slice::from_raw_parts(o.c, c_regs * WAVE) });
        c = s.c.as_ptr();
    }
    #[cfg(target_arch = "x86_64")]
    if level != Level::Plain {
        // SAFETY: passed on, and the host offers AVX2.
        if unsafe { dense(s, level, m, numerics, o, c) } {
            return;
        }
        if super::sparse::fits(m, numerics) {
            let mut a = core::mem::take(&mut s.dense);
            // SAFETY: as above; the expanded A has the registers that the dense instruction reads.
            let done = unsafe {
                super::sparse::expand(level, m, numerics, o, c, &mut a) && {
                    let o = Operands { a: a.as_ptr(), index: core::ptr::null(), ..o };
                    let m = super::sparse::dense(m);
                    dense(s, level, &m, numerics, o, c) || prepare_and_run(s, level, &m, numerics, o, c)
                }
            };
            s.dense = a;
            if done {
                return;
            }
        }
        let planes = level == Level::Avx512 || numerics == Numerics::Fast;
        // SAFETY: as above.
        if m.shape.a == Elem::Xf32 && planes && unsafe { prepare_and_run(s, level, m, numerics, o, c) } {
            return;
        }
    }
    let by_list = m.index.is_some() || m.shape.d == Elem::F64 || matches!(m.shape.a, Elem::I8 | Elem::Xf32);
    // SAFETY: passed on.
    if by_list && unsafe { super::rows::run(s.decoded.get_or_insert_default(), level, m, numerics, o, c) } {
        return;
    }
    // SAFETY: passed on.
    let done = unsafe { prepare_and_run(s, level, m, numerics, o, c) };
    if done {
        return;
    }
    // SAFETY: C has as many registers as D, or one.
    let c_copy: Vec<u32> = unsafe { core::slice::from_raw_parts(c, c_regs * WAVE) }.to_vec();
    // SAFETY: passed on.
    unsafe { general(s, m, numerics, o, &c_copy, step) }
}

#[cfg(test)]
mod tests;

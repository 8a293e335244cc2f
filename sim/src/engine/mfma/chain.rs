//! Chains of fused multiply-adds, blocked in registers: what f32 matrix instructions are, and all of them when asked
//! to be fast.
//!
//! Sixteen rows by sixteen columns of D are sixteen 512-bit accumulators. Every product's B is one vector and its A a
//! broadcast from memory, so a step of k is sixteen multiply-adds whose loads keep pace with them. f32 operands are
//! read where they lie in the registers, whose layout is k-major already; halves are widened first.

use super::Mfma;
use super::layout::broadcast_block;
use super::numerics::canonical;
use super::tile::Operands;
use crate::engine::lanes::{Lanes, WAVE};
use core::arch::x86_64::*;
use wavesmith_asm::sem::Elem;

/// Registers that a widened operand takes at most: 64 rows by 64 of k.
const PLANE: usize = 64;

/// Widened operands of one instruction.
#[derive(Debug)]
pub struct Planes {
    a: Box<[Lanes; PLANE]>,
    b: Box<[Lanes; PLANE]>,
}

impl Default for Planes {
    fn default() -> Planes {
        Planes { a: Box::new([Lanes::ZERO; PLANE]), b: Box::new([Lanes::ZERO; PLANE]) }
    }
}

/// Whether [`run`] knows the shape.
pub fn fits(m: &Mfma) -> bool {
    let s = &m.shape;
    let known = |t: Elem| matches!(t, Elem::F32 | Elem::Xf32 | Elem::F16 | Elem::Bf16);
    matches!(s.n, 16 | 32)
        && s.m == s.n
        && s.d == Elem::F32
        && s.a == s.b
        && known(s.a)
        && m.index.is_none()
        && m.scale.is_none()
        && m.blgp == 0
        && usize::from(s.m) * usize::from(s.k) * usize::from(s.blocks) <= PLANE * WAVE
}

/// Brings an operand to k-major f32: `plane[block][k][row]`, its rows a multiple of sixteen.
///
/// # Safety
/// `regs` addresses the operand's registers, `plane` as many elements as it has, and the host offers AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
pub unsafe fn widen(plane: *mut f32, regs: *const u32, rows: usize, k: usize, blocks: usize, ty: Elem) {
    let per_lane = (rows * k * blocks / WAVE).max(1);
    let groups = (k / per_lane).max(1);
    for g in 0..(WAVE / rows).min(groups * blocks) {
        let to = (g / groups * k + g % groups * per_lane) * rows;
        for chunk in (0..rows).step_by(16) {
            // SAFETY: for the whole loop, the caller vouches for the operand's registers, and the plane holds every
            // row and k of them.
            unsafe {
                let from = regs.add(g * rows + chunk);
                let out = plane.add(to + chunk);
                match ty {
                    Elem::F16 => {
                        for reg in 0..per_lane / 2 {
                            let v = _mm512_loadu_si512(from.add(reg * WAVE).cast());
                            let low = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(v));
                            let high = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(v, 16)));
                            _mm512_storeu_ps(out.add(2 * reg * rows), low);
                            _mm512_storeu_ps(out.add((2 * reg + 1) * rows), high);
                        }
                        if per_lane == 1 {
                            let v = _mm512_loadu_si512(from.cast());
                            _mm512_storeu_ps(out, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(v)));
                        }
                    }
                    Elem::Bf16 => {
                        let high = _mm512_set1_epi32(0xffff_0000_u32 as i32);
                        for reg in 0..per_lane.div_ceil(2) {
                            let v = _mm512_loadu_si512(from.add(reg * WAVE).cast());
                            _mm512_storeu_si512(out.add(2 * reg * rows).cast(), _mm512_slli_epi32(v, 16));
                            if per_lane > 1 {
                                let v = _mm512_and_si512(v, high);
                                _mm512_storeu_si512(out.add((2 * reg + 1) * rows).cast(), v);
                            }
                        }
                    }
                    _ => {
                        let mask = _mm512_set1_epi32(if ty == Elem::Xf32 { !0x1fff } else { !0 });
                        for reg in 0..per_lane {
                            let v = _mm512_loadu_si512(from.add(reg * WAVE).cast());
                            _mm512_storeu_si512(out.add(reg * rows).cast(), _mm512_and_si512(v, mask));
                        }
                    }
                }
            }
        }
    }
}

/// Exponents of numbers that were widened from halves or bfloat16, as they are before subnormals of that format are
/// normalised, and `zero` for zeros. Gives the largest exponent, 128 if there are infinities or NaNs, and the smallest of
/// what is not zero.
///
/// # Safety
/// The host offers AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
pub unsafe fn exponents(plane: &[u32], least: i32, zero: i32, out: &mut [i32]) -> (i32, i32) {
    let (mut most, mut low) = (_mm512_set1_epi32(i32::MIN), _mm512_set1_epi32(0));
    for (v, out) in plane.chunks_exact(16).zip(out.chunks_exact_mut(16)) {
        // SAFETY: both are sixteen elements long.
        unsafe {
            let v = _mm512_and_si512(_mm512_loadu_si512(v.as_ptr().cast()), _mm512_set1_epi32(0x7fff_ffff));
            let e = _mm512_sub_epi32(_mm512_srli_epi32(v, 23), _mm512_set1_epi32(127));
            let e = _mm512_max_epi32(e, _mm512_set1_epi32(least));
            let numbers = _mm512_test_epi32_mask(v, v);
            low = _mm512_mask_min_epi32(low, numbers, low, e);
            let e = _mm512_mask_mov_epi32(_mm512_set1_epi32(zero), numbers, e);
            most = _mm512_max_epi32(most, e);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), e);
        }
    }
    (_mm512_reduce_max_epi32(most), _mm512_reduce_min_epi32(low))
}

/// Dwords from the first element of a sixteen-row block of D to its row `r`, for instructions of `N` columns.
#[inline(always)]
const fn row<const N: usize>(r: usize) -> usize {
    let groups = WAVE / N;
    (r % 4 + 4 * (r / (4 * groups))) * WAVE + N * (r / 4 % groups)
}

/// Sixteen rows and columns: D = A·B + C.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn block<const N: usize>(a: *const f32, b: *const f32, k: usize, c: *const f32, splat: bool, d: *mut f32) {
    // SAFETY: for the whole body, the caller vouches for `k` rows of both planes and sixteen rows of C and D.
    unsafe {
        let mut acc = [_mm512_setzero_ps(); 16];
        for (r, acc) in acc.iter_mut().enumerate() {
            *acc = _mm512_loadu_ps(if splat { c } else { c.add(row::<N>(r)) });
        }
        for kk in 0..k {
            let y = _mm512_loadu_ps(b.add(kk * N));
            for (r, acc) in acc.iter_mut().enumerate() {
                *acc = _mm512_fmadd_ps(_mm512_set1_ps(*a.add(kk * N + r)), y, *acc);
            }
        }
        let mut odd = 0;
        for r in (0..16).step_by(2) {
            odd |= _mm512_cmp_ps_mask(acc[r], acc[r + 1], _CMP_UNORD_Q);
        }
        if odd != 0 {
            let nan = _mm512_set1_ps(f32::from_bits(canonical(f32::NAN)));
            for acc in &mut acc {
                *acc = _mm512_mask_mov_ps(*acc, _mm512_cmp_ps_mask(*acc, *acc, _CMP_UNORD_Q), nan);
            }
        }
        for (r, acc) in acc.iter().enumerate() {
            _mm512_storeu_ps(d.add(row::<N>(r)), *acc);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
unsafe fn blocks<const N: usize>(m: &Mfma, a: *const f32, b: *const f32, c: *const f32, d: *mut f32) {
    let k = usize::from(m.shape.k);
    let registers = N * N / WAVE;
    for at in 0..usize::from(m.shape.blocks) {
        let a_block = broadcast_block(m.cbsz, m.abid, at);
        for i in (0..N).step_by(16) {
            for j in (0..N).step_by(16) {
                // Sixteen rows on is half of a 32-row block's registers.
                let out = at * registers * WAVE + i / 16 * registers / 2 * WAVE + j;
                // SAFETY: the planes hold `k` rows of every block, and D has `registers` registers a block; C is as
                // large as D or one register.
                unsafe {
                    let c = if m.c_constant { c } else { c.add(out) };
                    block::<N>(a.add(a_block * k * N + i), b.add(at * k * N + j), k, c, m.c_constant, d.add(out));
                }
            }
        }
    }
}

/// Executes an instruction that [`fits`], as a chain of fused multiply-adds in the order of k.
///
/// # Safety
/// As [`super::run`]; the host offers AVX-512, and `c` does not overlap D other than exactly.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
pub unsafe fn run(p: &mut Planes, m: &Mfma, o: Operands, c: *const u32) {
    let (rows, k, blocks_) = (usize::from(m.shape.m), usize::from(m.shape.k), usize::from(m.shape.blocks));
    let d_end = o.d.wrapping_add(usize::from(m.d_regs) * WAVE).cast_const();
    let plane = |regs: *const u32, count: u8, plane: &mut [Lanes; PLANE]| -> *const f32 {
        let end = regs.wrapping_add(usize::from(count) * WAVE);
        let apart = end <= o.d.cast_const() || d_end <= regs;
        if m.shape.a == Elem::F32 && rows * k * blocks_ <= WAVE && apart {
            return regs.cast();
        }
        let to = plane.as_mut_ptr().cast::<f32>();
        // SAFETY: the caller vouches for the registers; `fits` has seen that the plane is large enough.
        unsafe { widen(to, regs, rows, k, blocks_, m.shape.a) };
        to
    };
    let (a, b) = (plane(o.a, m.a_regs, &mut p.a), plane(o.b, m.b_regs, &mut p.b));
    // SAFETY: passed on.
    unsafe {
        if rows == 16 {
            blocks::<16>(m, a, b, c.cast(), o.d.cast());
        } else {
            blocks::<32>(m, a, b, c.cast(), o.d.cast());
        }
    }
}

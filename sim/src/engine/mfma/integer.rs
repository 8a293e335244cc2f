//! Products of signed bytes with AVX-512 VNNI or AVX2, on the registers as they are.
//!
//! A lane's register holds four consecutive k of a row (or column), and that is what `vpdpbusd` multiplies and sums. It
//! takes one factor as unsigned, so A goes in with 128 added to each byte, and 128 times the sums of B's columns are
//! taken off at the end. With AVX2 the even bytes and the odd ones become halves, which `vpmaddwd` multiplies and sums in
//! pairs. Everything wraps in 32 bits as the instruction does.

use super::layout::broadcast_block;
use super::{Family, Mfma, Operands};
use crate::engine::lanes::WAVE;
use core::arch::x86_64::*;

/// Most registers of A, those of an expanded sparse operand.
pub(super) const MOST: usize = 8;

/// Whether an instruction is one of these.
pub fn fits(m: &Mfma) -> bool {
    m.family == Family::Integer
        && m.index.is_none()
        && m.blgp == 0
        && m.shape.m == m.shape.n
        && matches!(m.shape.n, 16 | 32)
        && usize::from(m.a_regs) <= MOST
        && m.a_regs == m.b_regs
}

/// Whether the host has what [`run`] needs beside AVX-512.
pub fn has_vnni() -> bool {
    std::arch::is_x86_feature_detected!("avx512vnni")
}

/// Executes `m`, for which [`fits`] holds.
///
/// # Safety
/// As [`super::run`]; the host offers AVX-512 and [`has_vnni`]; `c` is C, or a copy of it where D overlaps it in part.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub unsafe fn run(m: &Mfma, o: Operands, c: *const u32) {
    let (rows, k, blocks) = (m.shape.n as usize, m.shape.k as usize, m.shape.blocks as usize);
    let (regs, groups) = (usize::from(m.a_regs), k / (4 * usize::from(m.a_regs)));
    let step = if m.c_constant { 0 } else { WAVE };
    let top = _mm512_set1_epi32(0x8080_8080_u32 as i32);
    // D may lie on A or B: both are read before anything is written.
    let mut a = [0u32; MOST * WAVE];
    let mut b_copy = [0u32; MOST * WAVE];
    // SAFETY: for the whole body, registers and lanes are those of the layout, and the caller vouches for the registers.
    unsafe {
        for (i, a) in a[..regs * WAVE].iter_mut().enumerate() {
            *a = *o.a.add(i) ^ 0x8080_8080;
        }
        core::ptr::copy_nonoverlapping(o.b, b_copy.as_mut_ptr(), usize::from(m.b_regs) * WAVE);
        let b_at = b_copy.as_ptr();
        let across = WAVE / rows;
        for block in 0..blocks {
            let a_block = broadcast_block(m.cbsz, m.abid, block);
            for j in (0..rows).step_by(16) {
                let mut b = [_mm512_setzero_si512(); 4 * MOST];
                let mut less = _mm512_setzero_si512();
                for (n, b) in b[..groups * regs].iter_mut().enumerate() {
                    let (g, r) = (n / regs, n % regs);
                    *b = _mm512_loadu_si512(b_at.add(r * WAVE + rows * (g + groups * block) + j).cast());
                    less = _mm512_dpbusd_epi32(less, top, *b);
                }
                for i in (0..rows).step_by(4) {
                    let item = 4 * (i / (4 * across)) + block * (rows / across);
                    let lane = rows * (i / 4 % across) + j;
                    let mut sum = [_mm512_setzero_si512(); 4];
                    for (r, sum) in sum.iter_mut().enumerate() {
                        let from = _mm512_loadu_si512(c.add((item + r) * step + lane).cast());
                        *sum = _mm512_sub_epi32(from, less);
                    }
                    for (n, b) in b[..groups * regs].iter().enumerate() {
                        let (g, reg) = (n / regs, n % regs);
                        let at = reg * WAVE + rows * (g + groups * a_block) + i;
                        for (r, sum) in sum.iter_mut().enumerate() {
                            *sum = _mm512_dpbusd_epi32(*sum, _mm512_set1_epi32(a[at + r] as i32), *b);
                        }
                    }
                    for (r, sum) in sum.iter().enumerate() {
                        _mm512_storeu_si512(o.d.add((item + r) * WAVE + lane).cast(), *sum);
                    }
                }
            }
        }
    }
}

/// [`run`] for hosts without AVX-512.
///
/// # Safety
/// As [`super::run`]; the host offers AVX2; `c` is C, or a copy of it where D overlaps it in part.
#[target_feature(enable = "avx2")]
pub unsafe fn run_avx2(m: &Mfma, o: Operands, c: *const u32) {
    let (rows, k, blocks) = (m.shape.n as usize, m.shape.k as usize, m.shape.blocks as usize);
    let (regs, groups) = (usize::from(m.a_regs), k / (4 * usize::from(m.a_regs)));
    let step = if m.c_constant { 0 } else { WAVE };
    let halves = |w: u32| {
        let byte = |n: u32| u32::from((w >> (8 * n)) as u8 as i8 as i16 as u16);
        (byte(0) | byte(2) << 16, byte(1) | byte(3) << 16)
    };
    // D may lie on A or B: both are read before anything is written.
    let mut a = [(0u32, 0u32); MOST * WAVE];
    let mut b_copy = [(0u32, 0u32); MOST * WAVE];
    let across = WAVE / rows;
    // SAFETY: for the whole body, registers and lanes are those of the layout, and the caller vouches for the registers.
    unsafe {
        for (i, (a, b)) in a.iter_mut().zip(&mut b_copy).enumerate().take(regs * WAVE) {
            (*a, *b) = (halves(*o.a.add(i)), halves(*o.b.add(i)));
        }
        for block in 0..blocks {
            let a_block = broadcast_block(m.cbsz, m.abid, block);
            for j in (0..rows).step_by(8) {
                let mut b = [[_mm256_setzero_si256(); 2]; 4 * MOST];
                for (n, b) in b[..groups * regs].iter_mut().enumerate() {
                    let (g, r) = (n / regs, n % regs);
                    let at = r * WAVE + rows * (g + groups * block) + j;
                    let (mut even, mut odd) = ([0u32; 8], [0u32; 8]);
                    for (l, (e, o)) in b_copy[at..at + 8].iter().enumerate() {
                        (even[l], odd[l]) = (*e, *o);
                    }
                    *b = [_mm256_loadu_si256(even.as_ptr().cast()), _mm256_loadu_si256(odd.as_ptr().cast())];
                }
                for i in (0..rows).step_by(4) {
                    let item = 4 * (i / (4 * across)) + block * (rows / across);
                    let lane = rows * (i / 4 % across) + j;
                    let mut sum = [_mm256_setzero_si256(); 4];
                    for (r, sum) in sum.iter_mut().enumerate() {
                        *sum = _mm256_loadu_si256(c.add((item + r) * step + lane).cast());
                    }
                    for (n, [even, odd]) in b[..groups * regs].iter().enumerate() {
                        let (g, reg) = (n / regs, n % regs);
                        let at = reg * WAVE + rows * (g + groups * a_block) + i;
                        for (r, sum) in sum.iter_mut().enumerate() {
                            let (e, o) = a[at + r];
                            let e = _mm256_madd_epi16(_mm256_set1_epi32(e as i32), *even);
                            let o = _mm256_madd_epi16(_mm256_set1_epi32(o as i32), *odd);
                            *sum = _mm256_add_epi32(*sum, _mm256_add_epi32(e, o));
                        }
                    }
                    for (r, sum) in sum.iter().enumerate() {
                        _mm256_storeu_si256(o.d.add((item + r) * WAVE + lane).cast(), *sum);
                    }
                }
            }
        }
    }
}

//! Hand-written AVX-512 loops for the operations that kernels spend their time in.
//!
//! Each computes all 64 lanes in registers, looks whether any lane needs what the general definition does beyond the
//! host's own instruction (NaN payloads, flushed subnormals), and only then stores; otherwise it leaves the work to
//! the general loop, which therefore remains the definition.

use super::{Kernel, LaneOp, WAVE};
use core::arch::asm;
use core::arch::x86_64::*;

/// The loop for `op`, if there is one of its own.
pub fn kernel(op: LaneOp) -> Option<Kernel> {
    Some(match op {
        LaneOp::AddF32 => add_f32,
        LaneOp::SubF32 => sub_f32,
        LaneOp::MulF32 => mul_f32,
        LaneOp::FmaF32 => fma_f32,
        LaneOp::Dot2F32F16 => dot2_f32_f16,
        LaneOp::CvtF32F16 => cvt_f32_f16,
        _ => return None,
    })
}

/// Classes of `vfpclassps`: quiet NaN, signalling NaN, subnormal.
const NAN: i32 = 0x81;
const NAN_OR_SUBNORMAL: i32 = 0xa1;

macro_rules! plain {
    ($name:ident, $op:ident, |$a:ident, $b:ident, $c:ident| $e:expr) => {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
        #[allow(unused_variables)]
        unsafe fn $name(d: *mut u32, a: *const u32, b: *const u32, c: *const u32) {
            // SAFETY: for the whole body, the caller vouches for whole registers at every pointer.
            unsafe {
                let one = |k: usize| {
                    let $a = _mm512_loadu_ps(a.add(16 * k).cast());
                    let $b = _mm512_loadu_ps(b.add(16 * k).cast());
                    let $c = _mm512_loadu_ps(c.add(16 * k).cast());
                    $e
                };
                let (r0, r1, r2, r3) = (one(0), one(1), one(2), one(3));
                // A comparison of two results finds a NaN in either.
                let odd = _mm512_cmp_ps_mask(r0, r1, _CMP_UNORD_Q) | _mm512_cmp_ps_mask(r2, r3, _CMP_UNORD_Q);
                if odd != 0 {
                    return LaneOp::$op.general(super::Level::Avx512)(d, a, b, c);
                }
                _mm512_storeu_ps(d.cast(), r0);
                _mm512_storeu_ps(d.add(16).cast(), r1);
                _mm512_storeu_ps(d.add(32).cast(), r2);
                _mm512_storeu_ps(d.add(48).cast(), r3);
            }
        }
    };
}
plain!(add_f32, AddF32, |a, b, c| _mm512_add_ps(a, b));
plain!(sub_f32, SubF32, |a, b, c| _mm512_sub_ps(a, b));
plain!(mul_f32, MulF32, |a, b, c| _mm512_mul_ps(a, b));
plain!(fma_f32, FmaF32, |a, b, c| _mm512_fmadd_ps(a, b, c));

/// The low or high halves of sixteen dwords as f32.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
fn halves(v: __m512i, high: bool) -> __m512 {
    let v = if high { _mm512_srli_epi32(v, 16) } else { v };
    _mm512_cvtph_ps(_mm512_cvtepi32_epi16(v))
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
unsafe fn dot2_f32_f16(d: *mut u32, a: *const u32, b: *const u32, c: *const u32) {
    // SAFETY: for the whole body, the caller vouches for whole registers at every pointer.
    unsafe {
        let mut r = [_mm512_setzero_ps(); 4];
        let mut odd = 0;
        for (k, r) in r.iter_mut().enumerate() {
            let x = _mm512_loadu_si512(a.add(16 * k).cast());
            let y = _mm512_loadu_si512(b.add(16 * k).cast());
            let z = _mm512_loadu_ps(c.add(16 * k).cast());
            let s = _mm512_fmadd_ps(halves(x, false), halves(y, false), z);
            *r = _mm512_fmadd_ps(halves(x, true), halves(y, true), s);
            odd |= _mm512_fpclass_ps_mask::<NAN_OR_SUBNORMAL>(z)
                | _mm512_fpclass_ps_mask::<NAN_OR_SUBNORMAL>(s)
                | _mm512_fpclass_ps_mask::<NAN_OR_SUBNORMAL>(*r);
        }
        if odd != 0 {
            return LaneOp::Dot2F32F16.general(super::Level::Avx512)(d, a, b, c);
        }
        for (k, r) in r.iter().enumerate() {
            _mm512_storeu_ps(d.add(16 * k).cast(), *r);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
unsafe fn cvt_f32_f16(d: *mut u32, a: *const u32, b: *const u32, c: *const u32) {
    // SAFETY: for the whole body, the caller vouches for whole registers at every pointer.
    unsafe {
        let mut r = [_mm512_setzero_ps(); 4];
        let mut odd = 0;
        for (k, r) in r.iter_mut().enumerate() {
            *r = halves(_mm512_loadu_si512(a.add(16 * k).cast()), false);
            odd |= _mm512_fpclass_ps_mask::<NAN>(*r);
        }
        if odd != 0 {
            return LaneOp::CvtF32F16.general(super::Level::Avx512)(d, a, b, c);
        }
        for (k, r) in r.iter().enumerate() {
            _mm512_storeu_ps(d.add(16 * k).cast(), *r);
        }
    }
}

/// Sixteen dwords of memory that other threads may be writing. The load is opaque to the compiler, which must not
/// assume that the memory holds still; the processor keeps each aligned dword whole.
///
/// # Safety
/// `p` addresses 64 mapped bytes, and the host offers AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn shared_load(p: *const u8) -> __m512i {
    let v;
    // SAFETY: as the caller vouches.
    unsafe {
        asm!("vmovdqu32 {v}, [{p}]", v = out(zmm_reg) v, p = in(reg) p, options(nostack, preserves_flags, readonly))
    };
    v
}

/// The store counterpart of [`shared_load`].
///
/// # Safety
/// As [`shared_load`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn shared_store(p: *mut u8, v: __m512i) {
    // SAFETY: as the caller vouches.
    unsafe { asm!("vmovdqu32 [{p}], {v}", v = in(zmm_reg) v, p = in(reg) p, options(nostack, preserves_flags)) };
}

/// Which dwords of two vectors become those of the first or second pair of registers: every fourth.
const fn every(n: i32, first: i32) -> [i32; 16] {
    let mut out = [0; 16];
    let mut i = 0;
    while i < 16 {
        // Lanes beyond the dwords that two vectors hold come from the other pair of vectors.
        out[i] = (n * i as i32 + first) % 32;
        i += 1;
    }
    out
}

/// Picks for two interleaved registers.
const OF_TWO: [[i32; 16]; 2] = [every(2, 0), every(2, 1)];
/// Picks for four.
const OF_FOUR: [[i32; 16]; 4] = [every(4, 0), every(4, 1), every(4, 2), every(4, 3)];
/// Picks for three: from the first two of three vectors, then the rest from what that gave and the third.
const OF_THREE: [[[i32; 16]; 2]; 3] = [of_three(0), of_three(1), of_three(2)];

const fn of_three(first: i32) -> [[i32; 16]; 2] {
    let mut out = [[0; 16]; 2];
    let mut i = 0;
    while i < 16 {
        let dword = 3 * i as i32 + first;
        out[0][i] = dword % 32;
        out[1][i] = if dword < 32 { i as i32 } else { dword - 16 };
        i += 1;
    }
    out
}

/// Lane i of one vector and lane i of another, alternating, from the first eight of each; then from the second eight.
const ZIP: [[i32; 16]; 2] = [
    [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23],
    [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31],
];

/// Interleaved dwords of all lanes to `n` registers, for `n` of 1 to 4.
///
/// # Safety
/// `p` addresses `256·n` mapped bytes, `d` addresses `n` registers, and the host offers AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
pub unsafe fn copy_in(d: *mut u32, p: *const u8, n: usize) {
    // SAFETY: for the whole body, as the caller vouches.
    unsafe {
        match n {
            1 => {
                for k in 0..4 {
                    _mm512_storeu_si512(d.add(16 * k).cast(), shared_load(p.add(64 * k)));
                }
            }
            2 => {
                for k in 0..4 {
                    let (x, y) = (shared_load(p.add(128 * k)), shared_load(p.add(128 * k + 64)));
                    for (r, pick) in OF_TWO.iter().enumerate() {
                        let pick = _mm512_loadu_si512(pick.as_ptr().cast());
                        _mm512_storeu_si512(d.add(r * WAVE + 16 * k).cast(), _mm512_permutex2var_epi32(x, pick, y));
                    }
                }
            }
            3 => {
                for k in 0..4 {
                    let from = p.add(192 * k);
                    let z = [shared_load(from), shared_load(from.add(64)), shared_load(from.add(128))];
                    for (r, [pick, rest]) in OF_THREE.iter().enumerate() {
                        let pick = _mm512_loadu_si512(pick.as_ptr().cast());
                        let rest = _mm512_loadu_si512(rest.as_ptr().cast());
                        let v = _mm512_permutex2var_epi32(z[0], pick, z[1]);
                        let v = _mm512_permutex2var_epi32(v, rest, z[2]);
                        _mm512_storeu_si512(d.add(r * WAVE + 16 * k).cast(), v);
                    }
                }
            }
            _ => {
                for k in 0..4 {
                    let from = p.add(256 * k);
                    // Written out: a closure would be compiled without the instruction set.
                    let z = [
                        shared_load(from),
                        shared_load(from.add(64)),
                        shared_load(from.add(128)),
                        shared_load(from.add(192)),
                    ];
                    for (r, pick) in OF_FOUR.iter().enumerate() {
                        let pick = _mm512_loadu_si512(pick.as_ptr().cast());
                        let low = _mm512_permutex2var_epi32(z[0], pick, z[1]);
                        let high = _mm512_permutex2var_epi32(z[2], pick, z[3]);
                        // The first half of the lanes come from the first two vectors.
                        let v = _mm512_mask_blend_epi32(0xff00, low, high);
                        _mm512_storeu_si512(d.add(r * WAVE + 16 * k).cast(), v);
                    }
                }
            }
        }
    }
}

/// The reverse of [`copy_in`], for `n` of 1, 2 and 4.
///
/// # Safety
/// As [`copy_in`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
pub unsafe fn copy_out(p: *mut u8, d: *const u32, n: usize) {
    // SAFETY: for the whole body, as the caller vouches.
    unsafe {
        let load = |r: usize, k: usize| _mm512_loadu_si512(d.add(r * WAVE + 16 * k).cast());
        let (low, high) = (_mm512_loadu_si512(ZIP[0].as_ptr().cast()), _mm512_loadu_si512(ZIP[1].as_ptr().cast()));
        match n {
            1 => {
                for k in 0..4 {
                    shared_store(p.add(64 * k), load(0, k));
                }
            }
            2 => {
                for k in 0..4 {
                    let (x, y) = (load(0, k), load(1, k));
                    shared_store(p.add(128 * k), _mm512_permutex2var_epi32(x, low, y));
                    shared_store(p.add(128 * k + 64), _mm512_permutex2var_epi32(x, high, y));
                }
            }
            _ => {
                // Zip 0 with 2 and 1 with 3, then the results with each other.
                for k in 0..4 {
                    let (x0, x1, x2, x3) = (load(0, k), load(1, k), load(2, k), load(3, k));
                    for (h, pick) in [low, high].into_iter().enumerate() {
                        let even = _mm512_permutex2var_epi32(x0, pick, x2);
                        let odd = _mm512_permutex2var_epi32(x1, pick, x3);
                        shared_store(p.add(256 * k + 128 * h), _mm512_permutex2var_epi32(even, low, odd));
                        shared_store(p.add(256 * k + 128 * h + 64), _mm512_permutex2var_epi32(even, high, odd));
                    }
                }
            }
        }
    }
}

/// Four lanes' sixteen bytes, side by side.
///
/// # Safety
/// Every pointer addresses sixteen mapped bytes, and the host offers AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn shared_load4(p: [*const u8; 4]) -> __m512i {
    let v;
    // SAFETY: as the caller vouches.
    unsafe {
        asm!(
            "vmovdqu {v:x}, [{a}]",
            "vinserti128 {v:y}, {v:y}, [{b}], 1",
            "vinserti32x4 {v:z}, {v:z}, [{c}], 2",
            "vinserti32x4 {v:z}, {v:z}, [{d}], 3",
            v = out(zmm_reg) v,
            a = in(reg) p[0],
            b = in(reg) p[1],
            c = in(reg) p[2],
            d = in(reg) p[3],
            options(nostack, preserves_flags, readonly)
        )
    };
    v
}

/// Rows of four dwords to columns, in each quarter of the vectors.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
fn transpose4(z: [__m512i; 4]) -> [__m512i; 4] {
    let (a, b) = (_mm512_unpacklo_epi32(z[0], z[1]), _mm512_unpackhi_epi32(z[0], z[1]));
    let (c, d) = (_mm512_unpacklo_epi32(z[2], z[3]), _mm512_unpackhi_epi32(z[2], z[3]));
    [_mm512_unpacklo_epi64(a, c), _mm512_unpackhi_epi64(a, c), _mm512_unpacklo_epi64(b, d), _mm512_unpackhi_epi64(b, d)]
}

/// Sixteen bytes of every lane to four registers.
///
/// # Safety
/// `p` and each lane's distance address sixteen mapped bytes, `d` four registers, and the host offers AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
pub unsafe fn gather4(d: *mut u32, p: *const u8, at: &[u32; WAVE]) {
    for k in 0..4 {
        let lane = |i: usize| p.wrapping_add(at[16 * k + i] as usize);
        // SAFETY: as the caller vouches.
        unsafe {
            let z = transpose4([
                shared_load4([lane(0), lane(4), lane(8), lane(12)]),
                shared_load4([lane(1), lane(5), lane(9), lane(13)]),
                shared_load4([lane(2), lane(6), lane(10), lane(14)]),
                shared_load4([lane(3), lane(7), lane(11), lane(15)]),
            ]);
            for (r, v) in z.into_iter().enumerate() {
                _mm512_storeu_si512(d.add(r * WAVE + 16 * k).cast(), v);
            }
        }
    }
}

/// The reverse of [`gather4`], in lane order.
///
/// # Safety
/// As [`gather4`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
pub unsafe fn scatter4(p: *mut u8, at: &[u32; WAVE], d: *const u32) {
    for k in 0..4 {
        let lane = |i: usize| p.wrapping_add(at[16 * k + i] as usize);
        // SAFETY: for the whole block, as the caller vouches.
        unsafe {
            let from = d.add(16 * k);
            let z = transpose4([
                _mm512_loadu_si512(from.cast()),
                _mm512_loadu_si512(from.add(WAVE).cast()),
                _mm512_loadu_si512(from.add(2 * WAVE).cast()),
                _mm512_loadu_si512(from.add(3 * WAVE).cast()),
            ]);
            macro_rules! four {
                ($q:literal) => {
                    for j in 0..4 {
                        asm!(
                            concat!("vextracti32x4 [{p}], {v}, ", $q),
                            p = in(reg) lane(4 * $q + j),
                            v = in(zmm_reg) z[j],
                            options(nostack, preserves_flags)
                        );
                    }
                };
            }
            four!(0);
            four!(1);
            four!(2);
            four!(3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::lanes::{Lanes, Level};

    #[test]
    fn interleaved_copies_put_dword_r_of_lane_i_in_register_r() {
        if Level::detect() != Level::Avx512 {
            eprintln!("SKIPPED: needs AVX-512");
            return;
        }
        for n in [1usize, 2, 3, 4] {
            let memory: Vec<u32> = (0..64 * n as u32).collect();
            let mut regs = vec![Lanes::ZERO; n];
            // SAFETY: both sides are as large as `n` says.
            unsafe { copy_in(regs.as_mut_ptr().cast(), memory.as_ptr().cast(), n) };
            for (r, reg) in regs.iter().enumerate() {
                for (i, v) in reg.0.iter().enumerate() {
                    assert_eq!(*v, (i * n + r) as u32, "n {n} register {r} lane {i}");
                }
            }
            if n == 3 {
                // Stores of three are rare and go lane by lane.
                continue;
            }
            let mut back = vec![0u32; 64 * n];
            // SAFETY: as above.
            unsafe { copy_out(back.as_mut_ptr().cast(), regs.as_ptr().cast(), n) };
            assert_eq!(back, memory, "n {n}");
        }
    }
}

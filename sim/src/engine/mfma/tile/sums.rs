//! Sums of products over sixteen columns of one row, in each of the roundings: CDNA3's aligned and truncated ones, chains
//! of fused multiply-adds, CDNA2's tree. They are apart from what brings the operands into planes because each is a
//! definition of its own, with a vector form beside it where the host has one.

use super::*;

/// Exponents of f16 or bf16 bits, as they are before normalisation. Gives the largest exponent field and the smallest
/// exponent of a number that is not zero.
#[inline(always)]
pub(super) fn exponents(bits: &[u32], fraction: u32, exp: &mut [i32]) -> (u32, i32) {
    let (ones, bias) = if fraction == 10 { (0x1f, 15) } else { (0xff, 127) };
    let (mut worst, mut least) = (0, 0);
    for (b, out) in bits.iter().zip(exp) {
        let e = b >> fraction & ones;
        let zero = b & 0x7fff == 0;
        // A zero's exponent is so low that it is never the largest.
        let x = if e == 0 { 1 - bias } else { e as i32 - bias };
        *out = if zero { ZERO_EXP } else { x };
        least = least.min(if zero { 0 } else { x });
        worst = worst.max(e);
    }
    (worst, least)
}

/// 2^n for −1022 ≤ n ≤ 1023.
#[inline(always)]
pub(super) fn pow2(n: i32) -> f64 {
    f64::from_bits(u64::from((n + 1023) as u32) << 52)
}

/// Where a row's products are: its first A and B in the planes, how far apart the next ones are.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) a: usize,
    pub(super) m: usize,
    pub(super) b: usize,
    pub(super) n: usize,
}

/// The largest exponent of every `step`-th product of a group of sixteen columns, and the sum of these products truncated
/// to units of 2^(that exponent − 24).
///
/// A product of two values is exact in binary32 here (the caller has excluded extremes), so scaling it to that unit and
/// converting to an integer is the truncation toward zero.
#[inline(always)]
pub(super) fn aligned(s: &Scratch, ks: core::ops::Range<usize>, step: usize, at: At) -> ([i32; 16], [i32; 16]) {
    let mut e_dot = [2 * ZERO_EXP; 16];
    for kk in ks.clone().step_by(step) {
        let ae = s.aexp[at.a + kk * at.m];
        let be: &[i32; 16] = s.bexp[at.b + kk * at.n..at.b + kk * at.n + 16].try_into().expect("sixteen columns");
        for l in 0..16 {
            let e = ae + be[l];
            e_dot[l] = if e > e_dot[l] { e } else { e_dot[l] };
        }
    }
    let mut scale = [0f32; 16];
    for l in 0..16 {
        // With nothing but zeros any scale will do.
        let e = e_dot[l].max(-102);
        scale[l] = f32::from_bits(((24 - e + 127) << 23) as u32);
    }
    let mut t = [0i32; 16];
    for kk in ks.step_by(step) {
        let a = f32::from_bits(s.a[at.a + kk * at.m]);
        let b: &[u32; 16] = s.b[at.b + kk * at.n..at.b + kk * at.n + 16].try_into().expect("sixteen columns");
        for l in 0..16 {
            let x = a * f32::from_bits(b[l]) * scale[l];
            // SAFETY: |x| is below 2^26, as the product is below 2^(e_dot + 2).
            t[l] += unsafe { x.to_int_unchecked::<i32>() };
        }
    }
    (e_dot, t)
}

/// Adds sums of products in units of 2^(e_dot − 24) to sixteen accumulators, as `numerics::finish` defines it, in
/// binary64, where sums of at most 42 bits, scalings by powers of two and floors are exact.
#[inline(always)]
pub(super) fn finish_row(acc: &mut [f32; 16], e_dot: &[i32; 16], t: &[i32; 16], drop_tiny_c: bool) {
    let mut e = [0i32; 16];
    let mut tiny = [false; 16];
    for l in 0..16 {
        let be = (acc[l].to_bits() >> 23 & 0xff) as i32;
        let ec = if be == 0 { -126 } else { be - 127 };
        e[l] = if e_dot[l] > ec { e_dot[l] } else { ec };
        tiny[l] = drop_tiny_c && ec < e[l] - 25;
    }
    for l in 0..16 {
        let down = (8 - (e[l] - e_dot[l])).max(-1000);
        let dot = (f64::from(t[l]) * pow2(down)).floor();
        let c = if tiny[l] { 0.0 } else { (f64::from(acc[l]) * pow2(24 - e[l])).floor() * 256.0 };
        let sum = dot + c;
        let leading = (sum.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let drop = (leading - 31).max(-125 - e[l]).max(0);
        let kept = (sum * pow2(-drop)).floor();
        // A zero sum is +0, as its first term is no −0; one that is too small for binary32 keeps its sign.
        acc[l] = (kept * pow2(drop + e[l] - 32)) as f32;
    }
}

/// Sixteen columns of one row in CDNA3's truncating arithmetic; all operands finite.
#[inline(always)]
pub(super) fn truncate_row(s: &Scratch, k: usize, group: usize, at: At, c: &[u32; 16]) -> [u32; 16] {
    let mut acc = c.map(f32::from_bits);
    for k0 in (0..k).step_by(group) {
        let (e_dot, t) = aligned(s, k0..k0 + group, 1, at);
        finish_row(&mut acc, &e_dot, &t, false);
    }
    acc.map(f32::to_bits)
}

/// The same where even and odd k are aligned apart.
#[inline(always)]
pub(super) fn split_row(s: &Scratch, k: usize, group: usize, at: At, c: &[u32; 16]) -> [u32; 16] {
    let mut acc = c.map(f32::from_bits);
    for k0 in (0..k).step_by(group) {
        let (e0, t0) = aligned(s, k0..k0 + group, 2, at);
        let (e1, t1) = aligned(s, k0 + 1..k0 + group, 2, at);
        let (mut e_dot, mut t) = ([0; 16], [0; 16]);
        for l in 0..16 {
            e_dot[l] = e0[l].max(e1[l]);
            t[l] = (t0[l] >> (e_dot[l] - e0[l]).min(31)) + (t1[l] >> (e_dot[l] - e1[l]).min(31));
        }
        finish_row(&mut acc, &e_dot, &t, true);
    }
    acc.map(f32::to_bits)
}

/// [`aligned`] in AVX-512: the same steps, which the compiler does not turn into vectors by itself.
///
/// # Safety
/// The host offers AVX-512 F and DQ; the planes hold the products, as the caller has arranged.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
pub(super) unsafe fn aligned_avx512(
    s: &Scratch,
    ks: core::ops::Range<usize>,
    step: usize,
    at: At,
) -> (core::arch::x86_64::__m512i, core::arch::x86_64::__m512i) {
    use core::arch::x86_64::*;
    debug_assert!(at.a + (ks.end - 1) * at.m < s.a.len() && at.b + (ks.end - 1) * at.n + 16 <= s.b.len());
    // SAFETY: for the whole body, the places are within the planes, as the caller has arranged.
    unsafe {
        let (pa, pae) = (s.a.as_ptr().add(at.a), s.aexp.as_ptr().add(at.a));
        let (pb, pbe) = (s.b.as_ptr().add(at.b), s.bexp.as_ptr().add(at.b));
        let mut e_dot = _mm512_set1_epi32(2 * ZERO_EXP);
        let mut kk = ks.start;
        while kk < ks.end {
            let e =
                _mm512_add_epi32(_mm512_set1_epi32(*pae.add(kk * at.m)), _mm512_loadu_si512(pbe.add(kk * at.n).cast()));
            e_dot = _mm512_max_epi32(e_dot, e);
            kk += step;
        }
        let bits = _mm512_sub_epi32(_mm512_set1_epi32(24 + 127), _mm512_max_epi32(e_dot, _mm512_set1_epi32(-102)));
        let scale = _mm512_castsi512_ps(_mm512_slli_epi32(bits, 23));
        let mut t = _mm512_setzero_si512();
        kk = ks.start;
        while kk < ks.end {
            let a = _mm512_castsi512_ps(_mm512_set1_epi32(*pa.add(kk * at.m) as i32));
            let x = _mm512_mul_ps(_mm512_mul_ps(a, _mm512_loadu_ps(pb.add(kk * at.n).cast())), scale);
            t = _mm512_add_epi32(t, _mm512_cvttps_epi32(x));
            kk += step;
        }
        (e_dot, t)
    }
}

/// [`finish_row`] in AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
pub(in super::super) fn finish_row_avx512(
    acc: core::arch::x86_64::__m512,
    e_dot: core::arch::x86_64::__m512i,
    t: core::arch::x86_64::__m512i,
    drop_tiny_c: bool,
) -> core::arch::x86_64::__m512 {
    use core::arch::x86_64::*;
    /// 2^n of eight exponents.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
    #[inline]
    fn pow2x8(n: __m256i) -> __m512d {
        let biased = _mm512_cvtepi32_epi64(_mm256_add_epi32(n, _mm256_set1_epi32(1023)));
        _mm512_castsi512_pd(_mm512_slli_epi64(biased, 52))
    }
    /// Toward −∞.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
    #[inline]
    fn floor(x: __m512d) -> __m512d {
        _mm512_roundscale_pd(x, 0x09)
    }
    let field = _mm512_and_si512(_mm512_srli_epi32(_mm512_castps_si512(acc), 23), _mm512_set1_epi32(0xff));
    let ec = _mm512_max_epi32(_mm512_sub_epi32(field, _mm512_set1_epi32(127)), _mm512_set1_epi32(-126));
    let e = _mm512_max_epi32(e_dot, ec);
    // A C too small to matter is taken for zero, so that a negative one does not pull the sum down.
    let added = if drop_tiny_c {
        let kept = _mm512_cmpge_epi32_mask(ec, _mm512_sub_epi32(e, _mm512_set1_epi32(25)));
        _mm512_maskz_mov_ps(kept, acc)
    } else {
        acc
    };
    let down =
        _mm512_max_epi32(_mm512_sub_epi32(_mm512_set1_epi32(8), _mm512_sub_epi32(e, e_dot)), _mm512_set1_epi32(-1000));
    let half = |t: __m256i, c: __m256, e: __m256i, down: __m256i| -> __m256 {
        let dot = floor(_mm512_mul_pd(_mm512_cvtepi32_pd(t), pow2x8(down)));
        let c = floor(_mm512_mul_pd(_mm512_cvtps_pd(c), pow2x8(_mm256_sub_epi32(_mm256_set1_epi32(24), e))));
        let sum = _mm512_add_pd(dot, _mm512_mul_pd(c, _mm512_set1_pd(256.0)));
        let field = _mm512_and_si512(_mm512_srli_epi64(_mm512_castpd_si512(sum), 52), _mm512_set1_epi64(0x7ff));
        let leading = _mm256_sub_epi32(_mm512_cvtepi64_epi32(field), _mm256_set1_epi32(1023 + 31));
        let least = _mm256_sub_epi32(_mm256_set1_epi32(-125), e);
        let drop = _mm256_max_epi32(_mm256_max_epi32(leading, least), _mm256_setzero_si256());
        let kept = floor(_mm512_mul_pd(sum, pow2x8(_mm256_sub_epi32(_mm256_setzero_si256(), drop))));
        let unit = _mm256_sub_epi32(_mm256_add_epi32(drop, e), _mm256_set1_epi32(32));
        _mm512_cvtpd_ps(_mm512_mul_pd(kept, pow2x8(unit)))
    };
    let low = half(
        _mm512_castsi512_si256(t),
        _mm512_castps512_ps256(added),
        _mm512_castsi512_si256(e),
        _mm512_castsi512_si256(down),
    );
    let high = half(
        _mm512_extracti32x8_epi32(t, 1),
        _mm512_extractf32x8_ps(added, 1),
        _mm512_extracti32x8_epi32(e, 1),
        _mm512_extracti32x8_epi32(down, 1),
    );
    _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1)
}

/// [`truncate_row`] and, where `split`, [`split_row`] in AVX-512.
///
/// # Safety
/// As [`aligned_avx512`], for `k` products.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
pub(super) unsafe fn truncate_row_avx512(
    s: &Scratch,
    k: usize,
    group: usize,
    at: At,
    c: &[u32; 16],
    split: bool,
) -> [u32; 16] {
    use core::arch::x86_64::*;
    // SAFETY: for the whole body, C is sixteen values, and the caller has arranged for the planes.
    unsafe {
        let mut acc = _mm512_loadu_ps(c.as_ptr().cast());
        let mut k0 = 0;
        while k0 < k {
            let (e_dot, t) = if split {
                let (e0, t0) = aligned_avx512(s, k0..k0 + group, 2, at);
                let (e1, t1) = aligned_avx512(s, k0 + 1..k0 + group, 2, at);
                let e_dot = _mm512_max_epi32(e0, e1);
                // Shifts by more than 31 leave the sign, as they should.
                let t0 = _mm512_srav_epi32(t0, _mm512_sub_epi32(e_dot, e0));
                let t1 = _mm512_srav_epi32(t1, _mm512_sub_epi32(e_dot, e1));
                (e_dot, _mm512_add_epi32(t0, t1))
            } else {
                aligned_avx512(s, k0..k0 + group, 1, at)
            };
            acc = finish_row_avx512(acc, e_dot, t, split);
            k0 += group;
        }
        let mut out = [0u32; 16];
        _mm512_storeu_ps(out.as_mut_ptr().cast(), acc);
        out
    }
}

/// Chains of fused multiply-adds over four rows of sixteen columns: four are enough to hide the latency of one.
#[inline(always)]
pub(super) fn fma_rows(
    a: &[u32],
    b: &[u32],
    k: usize,
    (a_at, m): (usize, usize),
    (b_at, n): (usize, usize),
    acc: &mut [[f32; 16]; 4],
) {
    for kk in 0..k {
        let x: &[u32; 4] = a[a_at + kk * m..a_at + kk * m + 4].try_into().expect("four rows");
        let y: &[u32; 16] = b[b_at + kk * n..b_at + kk * n + 16].try_into().expect("sixteen columns");
        for r in 0..4 {
            let x = f32::from_bits(x[r]);
            for l in 0..16 {
                acc[r][l] = x.mul_add(f32::from_bits(y[l]), acc[r][l]);
            }
        }
    }
}

/// CDNA2's tree over sixteen columns, on values whose subnormals are flushed.
#[inline(always)]
pub(super) fn tree_row(
    a: &[u32],
    b: &[u32],
    (k, group): (usize, usize),
    (a_at, m): (usize, usize),
    (b_at, n): (usize, usize),
    c: &[u32; 16],
) -> [u32; 16] {
    let mut out = [0; 16];
    for l in 0..16 {
        let mut d = f32::from_bits(c[l]);
        if d.is_subnormal() {
            d = 0.0;
        }
        let mut k0 = 0;
        while k0 < k {
            let p = |i: usize| {
                let kk = k0 + i;
                flush(f32::from_bits(a[a_at + kk * m]) * f32::from_bits(b[b_at + kk * n + l]))
            };
            let s = if group == 4 { flush(flush(p(0) + p(1)) + flush(p(2) + p(3))) } else { flush(p(0) + p(1)) };
            d = flush(d + s);
            k0 += group;
        }
        out[l] = canonical(d);
    }
    out
}

#[inline(always)]
pub(super) fn flush(v: f32) -> f32 {
    crate::engine::lanes::float::flush32(v)
}

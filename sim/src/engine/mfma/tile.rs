//! Executes one matrix instruction on register data.
//!
//! Operands are first brought into k-major planes, `plane[block][k][row]`, which the layouts make a copy of runs of
//! lanes. Sixteen columns of one row of D are then computed together. Where every operand is finite, CDNA3's
//! truncating sums are done on vectors of integers; any infinity or NaN sends the whole instruction to the scalar
//! definition in `numerics`, as do extreme scales, sparse operands, and the small blocks whose rows are shorter than a
//! vector.

use super::Mfma;
use super::layout::{Place, blgp_lane, broadcast_block, input, output, run as run_of, scale};
use super::numerics::{Family, Num, ZERO_EXP, canonical, decode, dot, flush_tree, fma_chain, fraction_bits, value};
use crate::config::Numerics;
use crate::engine::lanes::{Level, WAVE};
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

/// Exponents of f16 or bf16 bits, as they are before normalisation. Gives the largest exponent field and the smallest
/// exponent of a number that is not zero.
#[inline(always)]
fn exponents(bits: &[u32], fraction: u32, exp: &mut [i32]) -> (u32, i32) {
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
fn pow2(n: i32) -> f64 {
    f64::from_bits(u64::from((n + 1023) as u32) << 52)
}

/// Where a row's products are: its first A and B in the planes, how far apart the next ones are.
#[derive(Clone, Copy)]
struct At {
    a: usize,
    m: usize,
    b: usize,
    n: usize,
}

/// The largest exponent of every `step`-th product of a group of sixteen columns, and the sum of these products truncated
/// to units of 2^(that exponent − 24).
///
/// A product of two values is exact in binary32 here (the caller has excluded extremes), so scaling it to that unit and
/// converting to an integer is the truncation toward zero.
#[inline(always)]
fn aligned(s: &Scratch, ks: core::ops::Range<usize>, step: usize, at: At) -> ([i32; 16], [i32; 16]) {
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
fn finish_row(acc: &mut [f32; 16], e_dot: &[i32; 16], t: &[i32; 16], drop_tiny_c: bool) {
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
        // A zero sum is +0, which adding +0 makes of the −0 that two zeros may leave.
        acc[l] = (kept * pow2(drop + e[l] - 32)) as f32 + 0.0;
    }
}

/// Sixteen columns of one row in CDNA3's truncating arithmetic; all operands finite.
#[inline(always)]
fn truncate_row(s: &Scratch, k: usize, group: usize, at: At, c: &[u32; 16]) -> [u32; 16] {
    let mut acc = c.map(f32::from_bits);
    for k0 in (0..k).step_by(group) {
        let (e_dot, t) = aligned(s, k0..k0 + group, 1, at);
        finish_row(&mut acc, &e_dot, &t, false);
    }
    acc.map(f32::to_bits)
}

/// The same where even and odd k are aligned apart.
#[inline(always)]
fn split_row(s: &Scratch, k: usize, group: usize, at: At, c: &[u32; 16]) -> [u32; 16] {
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
unsafe fn aligned_avx512(
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
pub(super) fn finish_row_avx512(
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
    // A zero sum is +0.
    _mm512_add_ps(_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1), _mm512_setzero_ps())
}

/// [`truncate_row`] and, where `split`, [`split_row`] in AVX-512.
///
/// # Safety
/// As [`aligned_avx512`], for `k` products.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn truncate_row_avx512(s: &Scratch, k: usize, group: usize, at: At, c: &[u32; 16], split: bool) -> [u32; 16] {
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
fn fma_rows(
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
fn tree_row(
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
fn flush(v: f32) -> f32 {
    crate::engine::lanes::float::flush32(v)
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
        && matches!(m.shape.a, Elem::F16 | Elem::Bf16)
        && m.shape.a == m.shape.b
        && rm >= 16
    {
        let bf16 = m.shape.a == Elem::Bf16;
        let smallest = if bf16 { -126 } else { -14 };
        // SAFETY: this instance is for hosts that offer it; the planes hold the largest operands.
        let ((worst_a, least_a), (worst_b, least_b)) = unsafe {
            super::chain::widen(s.a.as_mut_ptr().cast(), a, rm, k, blocks, m.shape.a);
            super::chain::widen(s.b.as_mut_ptr().cast(), b, rn, k, blocks, m.shape.b);
            (
                super::chain::exponents(&s.a[..na], smallest, ZERO_EXP, &mut s.aexp),
                super::chain::exponents(&s.b[..nb], smallest, ZERO_EXP, &mut s.bexp),
            )
        };
        if worst_a == 128 || worst_b == 128 || !finite_c(m, c) {
            return false;
        }
        // A bf16 product may leave the range of f32: above it is an infinity, below it would lose bits.
        if bf16 && (worst_a + worst_b >= 100 || least_a + least_b < -100) {
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
    {
        // Integers have no faster form; what else there is becomes a chain when asked to be fast.
        let chain = m.family == Family::FmaChain || (numerics == Numerics::Fast && m.family != Family::Integer);
        if level == Level::Avx512 && chain && super::chain::fits(m) {
            // SAFETY: passed on, and the host offers AVX-512.
            unsafe { super::chain::run(&mut s.planes, m, o, c) };
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

/// The scalar definition, for every shape and operand.
///
/// # Safety
/// As [`run`].
unsafe fn general(s: &mut Scratch, m: &Mfma, numerics: Numerics, o: Operands, c: &[u32], step: usize) {
    let sh = &m.shape;
    let (rm, rn, k, blocks) = (sh.m as usize, sh.n as usize, sh.k as usize, sh.blocks as usize);
    // SAFETY: A and B have the registers that `m` says.
    let (ra, rb) = unsafe {
        (
            core::slice::from_raw_parts(o.a, m.a_regs as usize * WAVE),
            core::slice::from_raw_parts(o.b, m.b_regs as usize * WAVE),
        )
    };
    if sh.d == Elem::F64 {
        // SAFETY: passed on.
        return unsafe { general_f64(m, ra, rb, c, step, o.d) };
    }
    let rb = if m.blgp != 0 && !sh.typed_by_fields {
        for reg in 0..m.b_regs as usize {
            for lane in 0..WAVE {
                s.lanes[reg * WAVE + lane] = rb[reg * WAVE + blgp_lane(m.blgp, lane)];
            }
        }
        &s.lanes[..m.b_regs as usize * WAVE]
    } else {
        rb
    };
    let take = |regs: &[u32], p: Place, bits: usize| {
        let (reg, shift) = (p.item * bits / 32, p.item * bits % 32);
        let low = regs.get(reg * WAVE + p.lane).copied().unwrap_or(0) >> shift;
        let high = if shift + bits > 32 {
            regs.get((reg + 1) * WAVE + p.lane).copied().unwrap_or(0) << (32 - shift)
        } else {
            0
        };
        let mask = if bits >= 32 { u32::MAX } else { (1 << bits) - 1 };
        (low | high) & mask
    };
    let (ba, bb) = (sh.a.bits() as usize, sh.b.bits() as usize);
    // SAFETY: where there are indices or scales, they are one register each.
    let index = m.index.map(|_| unsafe { core::slice::from_raw_parts(o.index, WAVE) });
    let mut dense = *sh;
    if sh.sparse {
        dense.k /= 2;
    }
    for block in 0..blocks {
        let a_block = if sh.sparse { block } else { broadcast_block(m.cbsz, m.abid, block) };
        for i in 0..rm {
            // A's row: for sparse operands, half of it with the places of the kept values.
            let mut row = vec![0u32; k];
            let mut present = vec![true; k];
            if let Some(index) = index {
                present.fill(false);
                for kk in 0..k / 2 {
                    let p = input(&dense, rm, sh.a, i, kk, block);
                    let at = kk / 2 * 4 + sparse_place(m, index[p.lane], p.item);
                    row[at] = take(ra, p, ba);
                    present[at] = true;
                }
            } else {
                for (kk, v) in row.iter_mut().enumerate() {
                    *v = take(ra, input(sh, rm, sh.a, i, kk, a_block), ba);
                }
            }
            for j in 0..rn {
                let column: Vec<u32> = (0..k).map(|kk| take(rb, input(sh, rn, sh.b, j, kk, block), bb)).collect();
                let place = output(sh, i, j, block);
                let c = c[place.item * step + place.lane];
                // SAFETY: scales are one register each.
                let scales = m.scale.map(|(_, sa, _, sb)| unsafe {
                    let exp = |regs: *const u32, byte: u8, lane: usize| {
                        (*regs.add(lane) >> (8 * u32::from(byte)) & 0xff) as i32
                    };
                    move |kk: usize| (exp(o.scale_a, sa, scale(rm, i, kk)), exp(o.scale_b, sb, scale(rn, j, kk)))
                });
                let used: Vec<usize> = (0..k).filter(|kk| present[*kk]).collect();
                let pick = |v: &[u32]| -> Vec<u32> { used.iter().map(|kk| v[*kk]).collect() };
                let (a, b) = (pick(&row), pick(&column));
                let r = match (m.family, numerics) {
                    (Family::Integer, _) => a.iter().zip(&b).fold(c, |d, (x, y)| {
                        d.wrapping_add((i32::from(*x as u8 as i8) * i32::from(*y as u8 as i8)) as u32)
                    }),
                    (Family::FlushTree { group }, Numerics::Exact) => {
                        let v = |x: &u32, ty: Elem| {
                            let f = value(*x, ty, m.fp8);
                            let ones = if ty == Elem::F16 { 0x7c00 } else { 0x7f80 };
                            if x & ones == 0 { 0.0 } else { f }
                        };
                        let a: Vec<f32> = a.iter().map(|x| v(x, sh.a)).collect();
                        let b: Vec<f32> = b.iter().map(|x| v(x, sh.b)).collect();
                        flush_tree(group, &a, &b, f32::from_bits(c))
                    }
                    (Family::FmaChain, _) | (_, Numerics::Fast) => {
                        let scaled = |v: f32, e: i32| {
                            if e == 255 {
                                f32::NAN
                            } else {
                                (f64::from(v) * crate::engine::lanes::float::pow2(e - 127)) as f32
                            }
                        };
                        let a: Vec<f32> = a
                            .iter()
                            .enumerate()
                            .map(|(n, x)| {
                                let v = xf(value(*x, sh.a, m.fp8), sh.a);
                                scales.as_ref().map_or(v, |s| scaled(v, s(used[n]).0))
                            })
                            .collect();
                        let b: Vec<f32> = b
                            .iter()
                            .enumerate()
                            .map(|(n, x)| {
                                let v = xf(value(*x, sh.b, m.fp8), sh.b);
                                scales.as_ref().map_or(v, |s| scaled(v, s(used[n]).1))
                            })
                            .collect();
                        fma_chain(&a, &b, f32::from_bits(c))
                    }
                    (family, _) => {
                        let num = |x: &u32, ty: Elem, e: Option<i32>| {
                            let mut n = decode(*x, ty, m.fp8);
                            match e {
                                Some(255) => n.class = 2,
                                Some(e) if n.sig != 0 => n.exp += e - 127,
                                _ => {}
                            }
                            n
                        };
                        let a: Vec<Num> = a
                            .iter()
                            .enumerate()
                            .map(|(n, x)| num(x, sh.a, scales.as_ref().map(|s| s(used[n]).0)))
                            .collect();
                        let b: Vec<Num> = b
                            .iter()
                            .enumerate()
                            .map(|(n, x)| num(x, sh.b, scales.as_ref().map(|s| s(used[n]).1)))
                            .collect();
                        dot(family, &a, &b, f32::from_bits(c), fraction_bits(sh.a) + fraction_bits(sh.b))
                    }
                };
                // SAFETY: the place is within D's registers, by the layout.
                unsafe { *o.d.add(place.item * WAVE + place.lane) = r };
            }
        }
    }
}

fn xf(v: f32, ty: Elem) -> f32 {
    if ty == Elem::Xf32 { f32::from_bits(v.to_bits() & !0x1fff) } else { v }
}

/// Place in its group of four of the `item`-th kept value of a lane: two bits each, from the set that `abid` names.
fn sparse_place(m: &Mfma, index: u32, item: usize) -> usize {
    let values = (m.shape.m as usize * m.shape.k as usize / 2 / 64).max(1);
    let width = 2 * values;
    let sets = (32 / width).max(1);
    let set = if m.cbsz == 0 { m.abid as usize % sets } else { 0 };
    (index >> (set * width % 32 + 2 * item) & 3) as usize
}

/// f64: IEEE chains, with `blgp` as negations of A, B and C.
///
/// # Safety
/// `d` addresses as many registers as the shape says.
unsafe fn general_f64(m: &Mfma, ra: &[u32], rb: &[u32], c: &[u32], step: usize, d: *mut u32) {
    let sh = &m.shape;
    let (rm, rn, k) = (sh.m as usize, sh.n as usize, sh.k as usize);
    let pair = |regs: &[u32], lane: usize, item: usize, step: usize| {
        let at = |r: usize| regs.get(r * step + lane).copied().unwrap_or(0);
        f64::from_bits(u64::from(at(2 * item)) | u64::from(at(2 * item + 1)) << 32)
    };
    let sign = |bit: u8| if m.blgp >> bit & 1 == 1 { -1.0 } else { 1.0 };
    let mut results = Vec::new();
    for block in 0..sh.blocks as usize {
        for i in 0..rm {
            for j in 0..rn {
                let place = output(sh, i, j, block);
                let c = if m.c_constant {
                    f64::from_bits(
                        u64::from(c[place.lane]) | u64::from(c.get(WAVE + place.lane).copied().unwrap_or(0)) << 32,
                    )
                } else {
                    pair(c, place.lane, place.item, step)
                };
                let mut acc = c * sign(2);
                for kk in 0..k {
                    let (pa, pb) = (
                        input(sh, rm, sh.a, i, kk, broadcast_block(m.cbsz, m.abid, block)),
                        input(sh, rn, sh.b, j, kk, block),
                    );
                    let (x, y) = (pair(ra, pa.lane, pa.item, WAVE), pair(rb, pb.lane, pb.item, WAVE));
                    acc = (x * sign(0)).mul_add(y * sign(1), acc);
                }
                let bits = if acc.is_nan() { 0x7fff_ffff_ffff_ffff } else { acc.to_bits() };
                results.push((place, bits));
            }
        }
    }
    for (place, bits) in results {
        // SAFETY: the place is within D's registers, by the layout.
        unsafe {
            *d.add(2 * place.item * WAVE + place.lane) = bits as u32;
            *d.add((2 * place.item + 1) * WAVE + place.lane) = (bits >> 32) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ir::V;
    use crate::engine::mfma::Fp8;
    use wavesmith_asm::Target;
    use wavesmith_asm::sem::Mfma as Shape;

    fn instruction(m: u8, n: u8, k: u8, blocks: u8, ty: Elem, target: Target) -> Mfma {
        let shape = Shape {
            m,
            n,
            k,
            blocks,
            a: ty,
            b: ty,
            d: if ty == Elem::I8 { Elem::I32 } else { Elem::F32 },
            typed_by_fields: false,
            scaled: false,
            sparse: false,
            legacy_bf16: false,
        };
        let regs =
            |rows: u8| (u32::from(rows) * u32::from(k) * u32::from(blocks) / 64 * ty.bits()).div_ceil(32).max(1) as u8;
        Mfma {
            shape,
            family: Family::of(&shape, target).0,
            fp8: Fp8::Fnuz,
            a: V::reg(0),
            b: V::reg(0),
            c: V::reg(0),
            c_constant: false,
            d: V::reg(0),
            cbsz: 0,
            abid: 0,
            blgp: 0,
            index: None,
            scale: None,
            a_regs: regs(m),
            b_regs: regs(n),
            d_regs: (u32::from(m) * u32::from(n) * u32::from(blocks) / 64) as u8,
        }
    }

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 16) as u32
        }

        /// Two 16-bit floats whose exponents lie close together, far apart, or anywhere.
        fn pair(&mut self, ty: Elem, spread: u32) -> u32 {
            let mut half = || {
                let r = self.next();
                let (fraction, middle) = if ty == Elem::F16 { (10, 15) } else { (7, 127) };
                let e = if spread == 0 {
                    r >> 16 & (2 * middle + 1)
                } else {
                    middle - spread + (r >> 16) % (2 * spread + 1)
                };
                let h = (r & 0x8000) | e << fraction | r & ((1 << fraction) - 1);
                if r >> 28 == 0 { r & 0x8000 } else { h & 0xffff }
            };
            half() | half() << 16
        }
    }

    #[test]
    fn vector_tiles_agree_with_the_scalar_definition_bit_for_bit() {
        let shapes = [
            (16, 16, 16, 1, Elem::F16, Target::Gfx942),
            (32, 32, 8, 1, Elem::F16, Target::Gfx942),
            (32, 32, 4, 2, Elem::F16, Target::Gfx942),
            (16, 16, 4, 4, Elem::F16, Target::Gfx942),
            (16, 16, 16, 1, Elem::Bf16, Target::Gfx942),
            (32, 32, 8, 1, Elem::Bf16, Target::Gfx942),
            (16, 16, 16, 1, Elem::F16, Target::Gfx90a),
            (32, 32, 8, 1, Elem::Bf16, Target::Gfx90a),
            (16, 16, 4, 1, Elem::F32, Target::Gfx90a),
            (32, 32, 2, 1, Elem::F32, Target::Gfx942),
            (32, 32, 1, 2, Elem::F32, Target::Gfx942),
            (16, 16, 1, 4, Elem::F32, Target::Gfx942),
            (16, 16, 32, 1, Elem::F16, Target::Gfx950),
            (32, 32, 16, 1, Elem::Bf16, Target::Gfx950),
            (32, 32, 4, 1, Elem::Xf32, Target::Gfx942),
            (16, 16, 32, 1, Elem::I8, Target::Gfx942),
        ];
        let mut r = Random(0x1234_5678_9abc_def1);
        let mut scratch = Scratch::default();
        for (m, n, k, blocks, ty, target) in shapes {
            let inst = instruction(m, n, k, blocks, ty, target);
            for round in 0..120u32 {
                // Every eighth round has special values; the spread of exponents varies.
                let spread = if ty == Elem::Bf16 { [3, 12, 40, 0] } else { [2, 6, 14, 0] }[round as usize % 4];
                let word = |r: &mut Random| match ty {
                    Elem::F16 | Elem::Bf16 => r.pair(ty, spread),
                    Elem::F32 | Elem::Xf32 => (r.next() & 0x807f_ffff) | (100 + r.next() % 50) << 23,
                    _ => r.next(),
                };
                let a: Vec<u32> = (0..inst.a_regs as usize * WAVE).map(|_| word(&mut r)).collect();
                let b: Vec<u32> = (0..inst.b_regs as usize * WAVE).map(|_| word(&mut r)).collect();
                let c: Vec<u32> = (0..inst.d_regs as usize * WAVE)
                    .map(|_| match r.next() % 8 {
                        0 => 0,
                        1 => r.next() & 0x807f_ffff,
                        _ => (r.next() & 0x807f_ffff) | (127 - 30 + r.next() % 60) << 23,
                    })
                    .collect();
                agree(&mut scratch, &inst, [&a, &b, &c], [&[], &[]]);
            }
        }
    }

    /// Compares the tiles at every level with the scalar definition; the scales are empty where there are none.
    fn agree(scratch: &mut Scratch, inst: &Mfma, [a, b, c]: [&[u32]; 3], [scale_a, scale_b]: [&[u32]; 2]) {
        let mut fast = vec![0; c.len()];
        let mut slow = vec![0; c.len()];
        let null = core::ptr::null();
        let o = |d: &mut Vec<u32>| Operands {
            a: a.as_ptr(),
            b: b.as_ptr(),
            c: c.as_ptr(),
            d: d.as_mut_ptr(),
            index: null,
            scale_a: scale_a.as_ptr(),
            scale_b: scale_b.as_ptr(),
        };
        for numerics in [Numerics::Exact, Numerics::Fast] {
            // SAFETY: the operands are as large as the instruction says.
            unsafe { general(scratch, inst, numerics, o(&mut slow), c, WAVE) };
            for level in [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|l| *l <= Level::detect()) {
                // SAFETY: as above.
                unsafe { run(scratch, level, inst, numerics, o(&mut fast)) };
                let wrong = (0..c.len()).find(|i| fast[*i] != slow[*i]);
                let values = wrong.map(|i| (c[i], fast[i], slow[i]));
                assert_eq!(wrong, None, "{:?} {level:?} {numerics:?}: {values:08x?}", inst.shape);
            }
        }
    }

    #[test]
    fn tiles_of_small_floats_agree_with_the_scalar_definition_bit_for_bit() {
        let wide = |m, k, a, b| (m, k, a, b, Target::Gfx950, true);
        let shapes = [
            (16, 32, Elem::Fp8, Elem::Fp8, Target::Gfx942, false),
            (32, 16, Elem::Bf8, Elem::Fp8, Target::Gfx942, false),
            (16, 32, Elem::Fp8, Elem::Bf8, Target::Gfx950, false),
            (32, 16, Elem::Bf8, Elem::Bf8, Target::Gfx950, false),
            wide(16, 128, Elem::Fp8, Elem::Bf8),
            wide(16, 128, Elem::Fp4, Elem::Fp4),
            wide(32, 64, Elem::Fp6, Elem::Bf6),
            wide(32, 64, Elem::Fp4, Elem::Fp8),
        ];
        let mut r = Random(0x0dd0_5eed_1234_5677);
        let mut scratch = Scratch::default();
        for (m, k, a, b, target, wide) in shapes {
            let mut inst = instruction(m, m, k, 1, a, target);
            let regs = |ty: Elem| (u32::from(m) * u32::from(k) / 64 * ty.bits()).div_ceil(32) as u8;
            (inst.shape.b, inst.shape.typed_by_fields, inst.b_regs) = (b, wide, regs(b));
            inst.fp8 = if target == Target::Gfx950 { Fp8::Ocp } else { Fp8::Fnuz };
            for round in 0..48 {
                // Every eighth round may have what is not finite, every fourth extreme scales.
                let mut codes = |ty: Elem, n: u8| -> Vec<u32> {
                    let mut word = || {
                        let mut w = r.next();
                        if ty.bits() == 8 && round % 8 != 0 {
                            for at in (0..32).step_by(8) {
                                if value(w >> at & 0xff, ty, inst.fp8).is_infinite()
                                    || value(w >> at & 0xff, ty, inst.fp8).is_nan()
                                {
                                    w ^= 0x48 << at;
                                }
                            }
                        }
                        w
                    };
                    (0..usize::from(n) * WAVE).map(|_| word()).collect()
                };
                let (va, vb) = (codes(a, inst.a_regs), codes(b, inst.b_regs));
                let c: Vec<u32> = (0..inst.d_regs as usize * WAVE)
                    .map(|_| match r.next() % 8 {
                        0 => 0,
                        1 => r.next() & 0x807f_ffff,
                        _ => (r.next() & 0x807f_ffff) | (127 - 40 + r.next() % 60) << 23,
                    })
                    .collect();
                let mut scales = || -> Vec<u32> {
                    let mut one = || if round % 4 == 3 { r.next() & 255 } else { 127 - 20 + r.next() % 40 };
                    (0..WAVE).map(|_| one() << 8).collect()
                };
                let (sa, sb) = (scales(), scales());
                inst.scale = (wide && round % 3 != 0).then_some((V::reg(0), 1, V::reg(0), 1));
                inst.shape.scaled = inst.scale.is_some();
                agree(&mut scratch, &inst, [&va, &vb, &c], [&sa, &sb]);
            }
        }
    }

    /// An instruction of two types, dense or of two kept values in four.
    fn typed((m, n, k): (u8, u8, u8), (a, b): (Elem, Elem), target: Target, sparse: bool) -> Mfma {
        let mut inst = instruction(m, n, k, 1, a, target);
        inst.shape.b = b;
        inst.shape.sparse = sparse;
        inst.shape.typed_by_fields = matches!((m, k), (16, 128) | (32, 64)) && !sparse;
        inst.fp8 = if target == Target::Gfx950 { Fp8::Ocp } else { Fp8::Fnuz };
        inst.family = Family::of(&inst.shape, target).0;
        let regs = |rows: u8, k: u32, ty: Elem| (u32::from(rows) * k / 64 * ty.bits()).div_ceil(32).max(1) as u8;
        inst.a_regs = regs(m, u32::from(k) / if sparse { 2 } else { 1 }, a);
        inst.b_regs = regs(n, k.into(), b);
        inst.index = sparse.then_some(V::reg(0));
        inst
    }

    #[test]
    fn rows_of_other_types_agree_with_the_scalar_definition_bit_for_bit() {
        use Elem::{Bf6, Bf8, Bf16, F16, Fp4, Fp6, Fp8 as E8, I8, Xf32};
        use Target::{Gfx942, Gfx950};
        let mut all = Vec::new();
        for target in [Gfx942, Gfx950] {
            for types in [(E8, E8), (Bf8, E8), (E8, Bf8), (I8, I8)] {
                all.push(typed((16, 16, 32), types, target, false));
                all.push(typed((32, 32, 16), types, target, false));
                all.push(typed((16, 16, 64), types, target, true));
                all.push(typed((32, 32, 32), types, target, true));
            }
            for ty in [F16, Bf16] {
                all.push(typed((16, 16, 32), (ty, ty), target, true));
                all.push(typed((32, 32, 16), (ty, ty), target, true));
            }
        }
        all.push(typed((16, 16, 8), (Xf32, Xf32), Gfx942, false));
        all.push(typed((32, 32, 4), (Xf32, Xf32), Gfx942, false));
        all.push(typed((16, 16, 128), (Bf8, E8), Gfx950, true));
        for types in [(E8, E8), (Bf8, Fp4), (Fp4, Fp4), (Fp6, Bf6), (E8, Fp6)] {
            for shape in [(16, 16, 128), (32, 32, 64)] {
                let dense = typed(shape, types, Gfx950, false);
                let mut scaled = dense;
                scaled.shape.scaled = true;
                scaled.scale = Some((V::reg(0), 1, V::reg(0), 2));
                all.extend([dense, scaled]);
            }
        }
        let mut r = Random(0x9abc_def1_1234_5678);
        let mut scratch = Scratch::default();
        let mut by_rows = 0;
        for mut inst in all {
            for round in 0..12u32 {
                // Finite operands in most rounds, as any other sends all to the definition.
                let finite = round % 6 != 0;
                let element = |r: &mut Random, ty: Elem| loop {
                    let bits = match ty {
                        F16 | Bf16 => r.pair(ty, 6) & 0xffff,
                        Xf32 => (r.next() & 0x807f_ffff) | (110 + r.next() % 34) << 23,
                        _ => r.next() & ((1 << ty.bits()) - 1),
                    };
                    let bits = if r.next().is_multiple_of(16) { 0 } else { bits };
                    if !finite || ty == I8 || decode(bits, ty, inst.fp8).class == 0 {
                        break bits;
                    }
                };
                let mut registers = |n: u8, ty: Elem| -> Vec<u32> {
                    let mut v = vec![0; usize::from(n) * WAVE];
                    for lane in 0..WAVE {
                        for item in 0..usize::from(n) * 32 / ty.bits() as usize {
                            let (at, bits) = (item * ty.bits() as usize, element(&mut r, ty));
                            v[at / 32 * WAVE + lane] |= bits << (at % 32);
                            if at % 32 + ty.bits() as usize > 32 {
                                v[(at / 32 + 1) * WAVE + lane] |= bits >> (32 - at % 32);
                            }
                        }
                    }
                    v
                };
                let (a, b) = (registers(inst.a_regs, inst.shape.a), registers(inst.b_regs, inst.shape.b));
                let c: Vec<u32> = (0..inst.d_regs as usize * WAVE)
                    .map(|_| match r.next() % 8 {
                        0 => 0,
                        1 => r.next() & 0x807f_ffff,
                        _ => (r.next() & 0x807f_ffff) | (127 - 20 + r.next() % 40) << 23,
                    })
                    .collect();
                // Pairs of different places, but for a round.
                let index: Vec<u32> = (0..WAVE)
                    .map(|_| {
                        (0..8).fold(0, |w, i| {
                            let (x, d) = (r.next() % 4, 1 + r.next() % 3);
                            w | (x | if round == 5 { x } else { x ^ d } << 2) << (4 * i)
                        })
                    })
                    .collect();
                let mut scales = || -> Vec<u32> {
                    let byte = |r: &mut Random| {
                        if round == 7 && r.next().is_multiple_of(64) { 255 } else { 120 + r.next() % 14 }
                    };
                    (0..WAVE).map(|_| (0..4).fold(0, |w, i| w | byte(&mut r) << (8 * i))).collect()
                };
                let (scale_a, scale_b) = (scales(), scales());
                (inst.cbsz, inst.abid) =
                    if inst.shape.sparse { (round as u8 % 2, round as u8 / 2 % 4) } else { (0, 0) };
                let (mut fast, mut slow) = (c.clone(), vec![0; c.len()]);
                let o = |d: &mut Vec<u32>| Operands {
                    a: a.as_ptr(),
                    b: b.as_ptr(),
                    c: c.as_ptr(),
                    d: d.as_mut_ptr(),
                    index: index.as_ptr(),
                    scale_a: scale_a.as_ptr(),
                    scale_b: scale_b.as_ptr(),
                };
                for numerics in [Numerics::Exact, Numerics::Fast] {
                    // SAFETY: the operands are as large as the instruction says.
                    unsafe { general(&mut scratch, &inst, numerics, o(&mut slow), &c, WAVE) };
                    for level in
                        [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|l| *l <= Level::detect())
                    {
                        let mut decoded = super::super::rows::Decoded::default();
                        // SAFETY: as above.
                        let done = unsafe {
                            super::super::rows::run(&mut decoded, level, &inst, numerics, o(&mut fast), c.as_ptr())
                        };
                        by_rows += u32::from(done);
                        let wrong = (0..c.len()).find(|i| done && fast[*i] != slow[*i]);
                        assert_eq!(
                            wrong,
                            None,
                            "{:?} {level:?} {numerics:?} round {round}: {:08x?}",
                            inst.shape,
                            wrong.map(|i| (c[i], fast[i], slow[i]))
                        );
                        assert!(done || !finite || round == 5 || round == 7, "{:?} {level:?} {numerics:?}", inst.shape);
                    }
                }
            }
        }
        assert!(by_rows > 1000, "{by_rows}");
    }

    #[test]
    fn binary64_agrees_with_the_scalar_definition_bit_for_bit() {
        let mut r = Random(0x1357_9bdf_0246_8ace);
        let mut scratch = Scratch::default();
        for (n, blocks) in [(16, 1), (4, 4)] {
            let mut inst = instruction(n, n, 4, blocks, Elem::F64, Target::Gfx942);
            inst.shape.d = Elem::F64;
            (inst.a_regs, inst.b_regs) = (2, 2);
            inst.d_regs = if n == 16 { 8 } else { 2 };
            for round in 0..64u8 {
                inst.blgp = round % 8;
                (inst.cbsz, inst.abid) = if n == 4 { (round / 8 % 3, round / 24) } else { (0, 0) };
                let mut registers = |n: u8| -> Vec<u32> {
                    let mut v: Vec<u32> = (0..usize::from(n) * WAVE).map(|_| r.next()).collect();
                    // High words: exponents near one another, but for a round with anything.
                    for high in v.chunks_exact_mut(WAVE).skip(1).step_by(2).flatten() {
                        if round % 8 != 7 {
                            *high = *high & 0x800f_ffff | (1000 + r.next() % 60) << 20;
                        }
                    }
                    v
                };
                let (a, b, c) = (registers(2), registers(2), registers(inst.d_regs));
                let (mut fast, mut slow) = (vec![0; c.len()], vec![0; c.len()]);
                let o = |d: &mut Vec<u32>| Operands {
                    a: a.as_ptr(),
                    b: b.as_ptr(),
                    c: c.as_ptr(),
                    d: d.as_mut_ptr(),
                    index: core::ptr::null(),
                    scale_a: core::ptr::null(),
                    scale_b: core::ptr::null(),
                };
                // SAFETY: the operands are as large as the instruction says.
                unsafe { general(&mut scratch, &inst, Numerics::Exact, o(&mut slow), &c, WAVE) };
                for level in [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|l| *l <= Level::detect()) {
                    // SAFETY: as above.
                    unsafe { run(&mut scratch, level, &inst, Numerics::Exact, o(&mut fast)) };
                    assert_eq!(fast, slow, "{n} {level:?} round {round}");
                }
            }
        }
    }
}

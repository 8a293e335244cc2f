//! Scalar floating-point building blocks of the lane operations: one lane, one value, no state.
//!
//! Everything here is written in integer and plain IEEE arithmetic so that the result never depends on the host's
//! maths library, on NaN payload habits of the host's units, or on how the compiler orders commutative operands.
//! Functions are `#[inline(always)]` because the callers are vectorised loops compiled for several instruction sets.

/// The quiet NaN that an invalid operation yields (positive, as the VALU makes it; x86 makes a negative one).
pub const NAN32: u32 = 0x7fc0_0000;
/// The binary64 counterpart of [`NAN32`].
pub const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// `v` with the quiet bit set: what a signalling NaN operand becomes in a result.
#[inline(always)]
pub fn quiet32(v: f32) -> f32 {
    f32::from_bits(v.to_bits() | 0x0040_0000)
}

/// See [`quiet32`].
#[inline(always)]
pub fn quiet64(v: f64) -> f64 {
    f64::from_bits(v.to_bits() | 0x0008_0000_0000_0000)
}

/// `r`, or where it is NaN the quieted first NaN operand, or the default NaN.
#[inline(always)]
pub fn nan1(r: f32, a: f32) -> f32 {
    let n = if a.is_nan() { quiet32(a) } else { f32::from_bits(NAN32) };
    if r.is_nan() { n } else { r }
}

/// [`nan1`] of two operands.
#[inline(always)]
pub fn nan2(r: f32, a: f32, b: f32) -> f32 {
    let n = if b.is_nan() { quiet32(b) } else { f32::from_bits(NAN32) };
    let n = if a.is_nan() { quiet32(a) } else { n };
    if r.is_nan() { n } else { r }
}

/// [`nan1`] of three operands.
#[inline(always)]
pub fn nan3(r: f32, a: f32, b: f32, c: f32) -> f32 {
    let n = if c.is_nan() { quiet32(c) } else { f32::from_bits(NAN32) };
    let n = if b.is_nan() { quiet32(b) } else { n };
    let n = if a.is_nan() { quiet32(a) } else { n };
    if r.is_nan() { n } else { r }
}

/// [`nan1`] in binary64.
#[inline(always)]
pub fn nan1d(r: f64, a: f64) -> f64 {
    let n = if a.is_nan() { quiet64(a) } else { f64::from_bits(NAN64) };
    if r.is_nan() { n } else { r }
}

/// [`nan2`] in binary64.
#[inline(always)]
pub fn nan2d(r: f64, a: f64, b: f64) -> f64 {
    let n = if b.is_nan() { quiet64(b) } else { f64::from_bits(NAN64) };
    let n = if a.is_nan() { quiet64(a) } else { n };
    if r.is_nan() { n } else { r }
}

/// [`nan3`] in binary64.
#[inline(always)]
pub fn nan3d(r: f64, a: f64, b: f64, c: f64) -> f64 {
    let n = if c.is_nan() { quiet64(c) } else { f64::from_bits(NAN64) };
    let n = if b.is_nan() { quiet64(b) } else { n };
    let n = if a.is_nan() { quiet64(a) } else { n };
    if r.is_nan() { n } else { r }
}

/// A binary32 subnormal as a zero of its sign.
#[inline(always)]
pub fn flush32(v: f32) -> f32 {
    let b = v.to_bits();
    if b & 0x7f80_0000 == 0 { f32::from_bits(b & 0x8000_0000) } else { v }
}

/// A binary64 subnormal as a zero of its sign.
#[inline(always)]
pub fn flush64(v: f64) -> f64 {
    let b = v.to_bits();
    if b & 0x7ff0_0000_0000_0000 == 0 { f64::from_bits(b & (1 << 63)) } else { v }
}

/// A binary16 subnormal as a zero of its sign; the upper half of the word is left alone.
#[inline(always)]
pub fn flush16(h: u32) -> u32 {
    if h & 0x7c00 == 0 { h & !0x3ff } else { h }
}

/// The value of the binary16 in the low half of `h`, exactly. A NaN keeps its payload and becomes quiet.
#[inline(always)]
pub fn f16_to_f32(h: u32) -> f32 {
    let sign = (h & 0x8000) << 16;
    let magnitude = h & 0x7fff;
    // Shifted into place, the number is 2^112 too small, subnormals included: one exact multiplication corrects it.
    let finite = f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000);
    let special = 0x7f80_0000 | ((magnitude & 0x3ff) << 13) | if magnitude > 0x7c00 { 0x0040_0000 } else { 0 };
    let bits = if magnitude >= 0x7c00 { special } else { finite.to_bits() };
    f32::from_bits(bits | sign)
}

/// `v` rounded to nearest even as a binary16, overflowing to infinity. A NaN keeps the top of its payload, quiet.
#[inline(always)]
pub fn f32_to_f16(v: f32) -> u32 {
    let b = v.to_bits();
    let sign = (b >> 16) & 0x8000;
    let m = b & 0x7fff_ffff;
    let nan = 0x7e00 | ((m >> 13) & 0x3ff);
    // Normal results: add half an ulp less one plus the odd bit, then drop 13 bits; rebias the exponent by 112.
    let normal = m.wrapping_sub(0x3800_0000).wrapping_add(0xfff + ((m >> 13) & 1)) >> 13;
    // Subnormal results: adding 2^-1 aligns the number so that the host's own rounding drops the right bits.
    let sub = (f32::from_bits(m) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let r = if m > 0x7f80_0000 {
        nan
    } else if m >= 0x477f_f000 {
        0x7c00
    } else if m < 0x3880_0000 {
        sub
    } else {
        normal
    };
    r | sign
}

/// `v` rounded toward zero as a binary16: finite overflow stays at the largest number.
#[inline(always)]
pub fn f32_to_f16_rtz(v: f32) -> u32 {
    let b = v.to_bits();
    let sign = (b >> 16) & 0x8000;
    let m = b & 0x7fff_ffff;
    let e = m >> 23;
    let r = if m > 0x7f80_0000 {
        0x7e00 | ((m >> 13) & 0x3ff)
    } else if m == 0x7f80_0000 {
        0x7c00
    } else if e >= 143 {
        0x7bff
    } else if e < 103 {
        0
    } else if e < 113 {
        ((m & 0x7f_ffff) | 0x80_0000) >> (126 - e)
    } else {
        (m - 0x3800_0000) >> 13
    };
    r | sign
}

/// `v` rounded to nearest even as a binary16.
#[inline(always)]
pub fn f64_to_f16(v: f64) -> u32 {
    // Rounding to odd on the way keeps the second rounding correct: 24 bits are more than 11 + 2.
    f32_to_f16(f64_to_f32_odd(v))
}

/// `v` as a binary32, a lost remainder kept as an odd last bit, so that a later rounding to fewer bits is exact.
#[inline(always)]
pub fn f64_to_f32_odd(v: f64) -> f32 {
    let r = v as f32;
    let back = f64::from(r);
    if back == v || v.is_nan() {
        return r;
    }
    let b = r.to_bits();
    if b & 1 == 1 {
        return r;
    }
    // An even neighbour was chosen: step toward the true value, to the odd one (never from infinity past the range).
    let away = back.abs() > v.abs();
    f32::from_bits(if away { b - 1 } else { b + 1 })
}

/// `a·b + c` with one rounding, in binary16.
#[inline(always)]
pub fn f16_fma(a: u32, b: u32, c: u32) -> u32 {
    let (x, y, z) = (f16_to_f32(a), f16_to_f32(b), f16_to_f32(c));
    nan16_3(fma_to_f16(x, y, z), a, b, c)
}

/// `a·b + c` rounded once to binary16, where binary64 holds `a·b` exactly; a NaN is not chosen among the operands.
#[inline(always)]
pub fn fma_to_f16(a: f32, b: f32, c: f32) -> u32 {
    let p = f64::from(a) * f64::from(b);
    let z = f64::from(c);
    let s = p + z;
    // The sum of an exact product and `c` may need more bits than binary64 has: what it lost is kept as an odd last bit.
    let bb = s - p;
    let err = (p - (s - bb)) + (z - bb);
    let bits = s.to_bits();
    let odd = if err == 0.0 || bits & 1 == 1 || !err.is_finite() {
        bits
    } else if (err > 0.0) == (s > 0.0) {
        bits + 1
    } else {
        bits - 1
    };
    f64_to_f16(f64::from_bits(odd))
}

/// `r`, or where it is NaN the quieted first NaN operand, or the default NaN, in binary16.
#[inline(always)]
pub fn nan16_3(r: u32, a: u32, b: u32, c: u32) -> u32 {
    let n = if is_nan16(c) { (c & 0xffff) | 0x200 } else { 0x7e00 };
    let n = if is_nan16(b) { (b & 0xffff) | 0x200 } else { n };
    let n = if is_nan16(a) { (a & 0xffff) | 0x200 } else { n };
    if is_nan16(r) { n } else { r }
}

/// Whether the low half is a binary16 NaN.
#[inline(always)]
pub fn is_nan16(h: u32) -> bool {
    h & 0x7fff > 0x7c00
}

/// Whether the low half is a binary16 infinity.
#[inline(always)]
pub fn is_inf16(h: u32) -> bool {
    h & 0x7fff == 0x7c00
}

/// A binary16 operation on two operands through binary32, whose 24 bits make the double rounding harmless.
#[inline(always)]
pub fn f16_op2(a: u32, b: u32, f: impl Fn(f32, f32) -> f32) -> u32 {
    nan16_3(f32_to_f16(f(f16_to_f32(a), f16_to_f32(b))), a, b, 0)
}

/// A binary16 operation on one operand through binary32.
#[inline(always)]
pub fn f16_op1(a: u32, f: impl Fn(f32) -> f32) -> u32 {
    nan16_3(f32_to_f16(f(f16_to_f32(a))), a, 0, 0)
}

/// `v` rounded to nearest even as a bfloat16.
#[inline(always)]
pub fn f32_to_bf16(v: f32) -> u32 {
    let b = v.to_bits();
    let rounded = b.wrapping_add(0x7fff + ((b >> 16) & 1)) >> 16;
    if b & 0x7fff_ffff > 0x7f80_0000 { (b >> 16) | 0x40 } else { rounded }
}

/// The value of a bfloat16 in the low half.
#[inline(always)]
pub fn bf16_to_f32(h: u32) -> f32 {
    f32::from_bits(h << 16)
}

/// IEEE `minNum`-like minimum as the VALU defines it: a NaN loses to a number, −0 is below +0. With `ieee` a
/// signalling NaN wins instead, quieted.
#[inline(always)]
pub fn min32(a: f32, b: f32, ieee: bool) -> f32 {
    let lt = a < b || (a == b && a.is_sign_negative());
    let r = if lt { a } else { b };
    let r = if b.is_nan() { if a.is_nan() { quiet32(a) } else { a } } else { r };
    let r = if a.is_nan() && !b.is_nan() { b } else { r };
    if ieee {
        if is_snan32(a) {
            return quiet32(a);
        }
        if is_snan32(b) {
            return quiet32(b);
        }
    }
    r
}

/// The maximum counterpart of [`min32`].
#[inline(always)]
pub fn max32(a: f32, b: f32, ieee: bool) -> f32 {
    let gt = a > b || (a == b && b.is_sign_negative());
    let r = if gt { a } else { b };
    let r = if b.is_nan() { if a.is_nan() { quiet32(a) } else { a } } else { r };
    let r = if a.is_nan() && !b.is_nan() { b } else { r };
    if ieee {
        if is_snan32(a) {
            return quiet32(a);
        }
        if is_snan32(b) {
            return quiet32(b);
        }
    }
    r
}

/// [`min32`] in binary64.
#[inline(always)]
pub fn min64(a: f64, b: f64, ieee: bool) -> f64 {
    if ieee && is_snan64(a) {
        return quiet64(a);
    }
    if ieee && is_snan64(b) {
        return quiet64(b);
    }
    if a.is_nan() {
        return if b.is_nan() { quiet64(a) } else { b };
    }
    if b.is_nan() || a < b || (a == b && a.is_sign_negative()) { a } else { b }
}

/// [`max32`] in binary64.
#[inline(always)]
pub fn max64(a: f64, b: f64, ieee: bool) -> f64 {
    if ieee && is_snan64(a) {
        return quiet64(a);
    }
    if ieee && is_snan64(b) {
        return quiet64(b);
    }
    if a.is_nan() {
        return if b.is_nan() { quiet64(a) } else { b };
    }
    if b.is_nan() || a > b || (a == b && b.is_sign_negative()) { a } else { b }
}

/// [`min32`] in binary16.
#[inline(always)]
pub fn min16(a: u32, b: u32, ieee: bool) -> u32 {
    pick16(a, b, ieee, |x, y| x < y || (x == y && x.is_sign_negative()))
}

/// [`max32`] in binary16.
#[inline(always)]
pub fn max16(a: u32, b: u32, ieee: bool) -> u32 {
    pick16(a, b, ieee, |x, y| x > y || (x == y && y.is_sign_negative()))
}

#[inline(always)]
fn pick16(a: u32, b: u32, ieee: bool, first: impl Fn(f32, f32) -> bool) -> u32 {
    let (a, b) = (a & 0xffff, b & 0xffff);
    let snan = |h: u32| is_nan16(h) && h & 0x200 == 0;
    if ieee && snan(a) {
        return a | 0x200;
    }
    if ieee && snan(b) {
        return b | 0x200;
    }
    if is_nan16(a) {
        return if is_nan16(b) { a | 0x200 } else { b };
    }
    if is_nan16(b) || first(f16_to_f32(a), f16_to_f32(b)) { a } else { b }
}

/// Whether `v` is a signalling NaN.
#[inline(always)]
pub fn is_snan32(v: f32) -> bool {
    v.is_nan() && v.to_bits() & 0x0040_0000 == 0
}

/// Whether `v` is a signalling NaN.
#[inline(always)]
pub fn is_snan64(v: f64) -> bool {
    v.is_nan() && v.to_bits() & 0x0008_0000_0000_0000 == 0
}

/// Median of three: the VALU returns `min3` when any operand is NaN.
#[inline(always)]
pub fn med3_32(a: f32, b: f32, c: f32, ieee: bool) -> f32 {
    if a.is_nan() || b.is_nan() || c.is_nan() {
        return min32(min32(a, b, ieee), c, ieee);
    }
    let m = max32(max32(a, b, ieee), c, ieee);
    if m == a {
        max32(b, c, ieee)
    } else if m == b {
        max32(a, c, ieee)
    } else {
        max32(a, b, ieee)
    }
}

/// [`med3_32`] in binary16.
#[inline(always)]
pub fn med3_16(a: u32, b: u32, c: u32, ieee: bool) -> u32 {
    if is_nan16(a) || is_nan16(b) || is_nan16(c) {
        return min16(min16(a, b, ieee), c, ieee);
    }
    let m = f16_to_f32(max16(max16(a, b, ieee), c, ieee));
    if m == f16_to_f32(a) {
        max16(b, c, ieee)
    } else if m == f16_to_f32(b) {
        max16(a, c, ieee)
    } else {
        max16(a, b, ieee)
    }
}

/// 2^n for −1022 ≤ n ≤ 1023.
#[inline(always)]
pub fn pow2(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// `v·2^n`, one rounding, for any `n`: what `v_ldexp_f32` computes.
#[inline(always)]
pub fn ldexp32(v: f32, n: i32) -> f32 {
    // In binary64 the scaled number is exact (24 bits, exponent within ±450), so only the conversion rounds.
    (f64::from(v) * pow2(n.clamp(-400, 400))) as f32
}

/// `v·2^n`, one rounding, for any `n`.
pub fn ldexp64(v: f64, n: i32) -> f64 {
    if v == 0.0 || !v.is_finite() {
        return if v.is_nan() { quiet64(v) } else { v };
    }
    let n = n.clamp(-4200, 4200);
    // Normalise first, so that a subnormal result is reached by one rounding multiplication alone.
    let (m, e) = frexp64(v);
    let e = e + n;
    if e > 1024 {
        return f64::INFINITY.copysign(v);
    }
    if e >= -1021 {
        return m * 2.0 * pow2(e - 1);
    }
    if e < -1080 {
        return 0.0f64.copysign(v);
    }
    (m * pow2(e + 1000)) * pow2(-1000)
}

/// Significand in [0.5, 1) and exponent of a finite number; zero, infinities and NaN have exponent 0.
#[inline(always)]
pub fn frexp64(v: f64) -> (f64, i32) {
    let b = v.to_bits();
    let e = ((b >> 52) & 0x7ff) as i32;
    if e == 0x7ff || v == 0.0 {
        return (v, 0);
    }
    if e == 0 {
        let scaled = v * pow2(64);
        let sb = scaled.to_bits();
        let se = ((sb >> 52) & 0x7ff) as i32;
        return (f64::from_bits((sb & !(0x7ff << 52)) | (1022 << 52)), se - 1022 - 64);
    }
    (f64::from_bits((b & !(0x7ff << 52)) | (1022 << 52)), e - 1022)
}

/// Significand in [0.5, 1) and exponent of a binary32.
#[inline(always)]
pub fn frexp32(v: f32) -> (f32, i32) {
    let (m, e) = frexp64(f64::from(v));
    (m as f32, e)
}

/// Round to integer, ties to even.
#[inline(always)]
pub fn rndne64(v: f64) -> f64 {
    v.round_ties_even()
}

/// 2^x in binary64 with error below 2^-50, for |x| ≤ 1100.
#[inline(always)]
pub fn exp2_core(x: f64) -> f64 {
    let n = x.round_ties_even();
    let r = (x - n) * core::f64::consts::LN_2;
    // e^r for |r| ≤ 0.347 by its Taylor series: the first omitted term is below 2^-53.
    let mut p = 1.0 / 6_227_020_800.0;
    p = p * r + 1.0 / 479_001_600.0;
    p = p * r + 1.0 / 39_916_800.0;
    p = p * r + 1.0 / 3_628_800.0;
    p = p * r + 1.0 / 362_880.0;
    p = p * r + 1.0 / 40_320.0;
    p = p * r + 1.0 / 5_040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    p * pow2((n as i32).clamp(-1022, 1023))
}

/// `v_exp_f32`: 2^x to half an ulp (silicon promises 1); subnormal operands and results are flushed.
#[inline(always)]
pub fn exp2_32(v: f32) -> f32 {
    let x = f64::from(flush32(v)).clamp(-200.0, 200.0);
    let r = exp2_core(x) as f32;
    nan1(flush32(if v.is_nan() { v } else { r }), v)
}

/// log2 of a positive normal binary64 to about 2^-50.
#[inline(always)]
pub fn log2_core(x: f64) -> f64 {
    let b = x.to_bits();
    let e = ((b >> 52) & 0x7ff) as i32 - 1023;
    let m = f64::from_bits((b & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    // Centre the significand on 1, then ln m = 2·atanh((m−1)/(m+1)).
    let big = m > core::f64::consts::SQRT_2;
    let m = if big { m * 0.5 } else { m };
    let e = f64::from(e + i32::from(big));
    let t = (m - 1.0) / (m + 1.0);
    let t2 = t * t;
    let mut p = 1.0 / 21.0;
    p = p * t2 + 1.0 / 19.0;
    p = p * t2 + 1.0 / 17.0;
    p = p * t2 + 1.0 / 15.0;
    p = p * t2 + 1.0 / 13.0;
    p = p * t2 + 1.0 / 11.0;
    p = p * t2 + 1.0 / 9.0;
    p = p * t2 + 1.0 / 7.0;
    p = p * t2 + 1.0 / 5.0;
    p = p * t2 + 1.0 / 3.0;
    p = p * t2 + 1.0;
    e + 2.0 * t * p * core::f64::consts::LOG2_E
}

/// `v_log_f32`: log2 x to half an ulp (silicon promises 1); a subnormal operand counts as zero.
#[inline(always)]
pub fn log2_32(v: f32) -> f32 {
    let f = flush32(v);
    let r = log2_core(f64::from(if f > 0.0 && f < f32::INFINITY { f } else { 1.0 })) as f32;
    let r = if f == 0.0 { f32::NEG_INFINITY } else { r };
    let r = if f == f32::INFINITY { f } else { r };
    nan1(if f < 0.0 || v.is_nan() { f32::NAN } else { r }, v)
}

/// sin 2πx in binary64, for finite x.
#[inline(always)]
pub fn sin_turns(x: f64) -> f64 {
    // Reduce to a quarter turn, exactly, then the Taylor series.
    let t = x - x.floor();
    let t = if t >= 0.5 { t - 1.0 } else { t };
    let t = if t > 0.25 { 0.5 - t } else { t };
    let t = if t < -0.25 { -0.5 - t } else { t };
    let r = t * core::f64::consts::TAU;
    let r2 = r * r;
    let mut p = 1.0 / 51_090_942_171_709_440_000.0;
    p = p * r2 - 1.0 / 121_645_100_408_832_000.0;
    p = p * r2 + 1.0 / 355_687_428_096_000.0;
    p = p * r2 - 1.0 / 1_307_674_368_000.0;
    p = p * r2 + 1.0 / 6_227_020_800.0;
    p = p * r2 - 1.0 / 39_916_800.0;
    p = p * r2 + 1.0 / 362_880.0;
    p = p * r2 - 1.0 / 5_040.0;
    p = p * r2 + 1.0 / 120.0;
    p = p * r2 - 1.0 / 6.0;
    p = p * r2 + 1.0;
    p * r
}

/// `v_sin_f32`: sin of `v` turns; outside ±256 turns the result is 0, as the ISA says.
#[inline(always)]
pub fn sin32(v: f32) -> f32 {
    let x = f64::from(flush32(v));
    let inside = x.abs() <= 256.0;
    let r = sin_turns(if inside { x } else { 0.0 }) as f32;
    nan1(if v.is_nan() || v.is_infinite() { f32::NAN } else { r }, v)
}

/// `v_cos_f32`: cos of `v` turns; outside ±256 turns the result is 1.
#[inline(always)]
pub fn cos32(v: f32) -> f32 {
    let x = f64::from(flush32(v));
    let inside = x.abs() <= 256.0;
    let r = sin_turns(if inside { x } else { 0.0 } + 0.25) as f32;
    nan1(if v.is_nan() || v.is_infinite() { f32::NAN } else { r }, v)
}

/// `v_rcp_f32`: correctly rounded (silicon promises 1 ulp); subnormals are flushed on both sides.
#[inline(always)]
pub fn rcp32(v: f32) -> f32 {
    nan1(flush32(1.0 / flush32(v)), v)
}

/// `v_sqrt_f32`: correctly rounded (silicon promises 1 ulp); a subnormal operand counts as zero.
#[inline(always)]
pub fn sqrt32(v: f32) -> f32 {
    nan1(flush32(v).sqrt(), v)
}

/// `v_rsq_f32`: to half an ulp (silicon promises 1); a subnormal operand counts as zero.
#[inline(always)]
pub fn rsq32(v: f32) -> f32 {
    let f = flush32(v);
    nan1((1.0 / f64::from(f).sqrt()) as f32, v)
}

/// `v_fract_f32`: x − ⌊x⌋, kept below one.
#[inline(always)]
pub fn fract32(v: f32) -> f32 {
    let r = v - v.floor();
    let r = if r >= 1.0 { f32::from_bits(0x3f7f_ffff) } else { r };
    nan1(if v.is_infinite() { f32::NAN } else { r }, v)
}

/// `v_fract_f64`.
#[inline(always)]
pub fn fract64(v: f64) -> f64 {
    let r = v - v.floor();
    let r = if r >= 1.0 { f64::from_bits(0x3fef_ffff_ffff_ffff) } else { r };
    nan1d(if v.is_infinite() { f64::NAN } else { r }, v)
}

/// The ten classes of `v_cmp_class`, as a one-hot mask: sNaN, qNaN, −inf, −normal, −subnormal, −0, +0, +subnormal,
/// +normal, +inf.
#[inline(always)]
pub fn class(sign: bool, exponent_zero: bool, exponent_ones: bool, mantissa_zero: bool, quiet: bool) -> u32 {
    let bit = if exponent_ones {
        if mantissa_zero {
            if sign { 2 } else { 9 }
        } else if quiet {
            1
        } else {
            0
        }
    } else if exponent_zero {
        match (mantissa_zero, sign) {
            (true, true) => 5,
            (true, false) => 6,
            (false, true) => 4,
            (false, false) => 7,
        }
    } else if sign {
        3
    } else {
        8
    };
    1 << bit
}

/// [`class`] of a binary32.
#[inline(always)]
pub fn class32(v: u32) -> u32 {
    class(v >> 31 == 1, v & 0x7f80_0000 == 0, v & 0x7f80_0000 == 0x7f80_0000, v & 0x7f_ffff == 0, v & 0x40_0000 != 0)
}

/// [`class`] of the binary16 in the low half.
#[inline(always)]
pub fn class16(v: u32) -> u32 {
    class(v & 0x8000 != 0, v & 0x7c00 == 0, v & 0x7c00 == 0x7c00, v & 0x3ff == 0, v & 0x200 != 0)
}

/// [`class`] of a binary64.
#[inline(always)]
pub fn class64(v: u64) -> u32 {
    let e = (v >> 52) & 0x7ff;
    let m = v & 0x000f_ffff_ffff_ffff;
    class(v >> 63 == 1, e == 0, e == 0x7ff, m == 0, (m >> 51) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_survives_the_trip_through_f32() {
        for h in 0..=0xffffu32 {
            let back = f32_to_f16(f16_to_f32(h));
            let want = if is_nan16(h) { h | 0x200 } else { h };
            assert_eq!(back, want, "{h:04x}");
        }
    }

    #[test]
    fn f32_to_f16_rounds_to_the_nearest_and_ties_to_even() {
        for h in 0..0x7bffu32 {
            let (lo, hi) = (f64::from(f16_to_f32(h)), f64::from(f16_to_f32(h + 1)));
            let mid = ((lo + hi) / 2.0) as f32;
            assert_eq!(f32_to_f16(mid), h + (h & 1), "tie above {h:04x}");
            assert_eq!(f32_to_f16(f32::from_bits(mid.to_bits() + 1)), h + 1);
            assert_eq!(f32_to_f16(f32::from_bits(mid.to_bits() - 1)), h);
            assert_eq!(f32_to_f16_rtz(f32::from_bits(mid.to_bits() + 1)), h);
        }
        assert_eq!(f32_to_f16(65519.996), 0x7bff);
        assert_eq!(f32_to_f16(65520.0), 0x7c00);
        assert_eq!(f32_to_f16_rtz(1e9), 0x7bff);
    }

    #[test]
    fn transcendental_functions_are_within_half_an_ulp_of_the_host_library() {
        let mut x = 0x1234_5678u32;
        for _ in 0..200_000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let v = f32::from_bits(x);
            if v.is_nan() || !v.is_normal() {
                continue;
            }
            let near = |got: f32, want: f64, f: &str| {
                let w = want as f32;
                if w.is_normal() {
                    let ulps = (i64::from(got.to_bits()) - i64::from(w.to_bits())).abs();
                    assert!(ulps <= 1, "{f}({v:e}) = {got:e}, not {w:e}");
                }
            };
            near(exp2_32(v), f64::from(v).exp2(), "exp2");
            if v > 0.0 {
                near(log2_32(v), f64::from(v).log2(), "log2");
                near(rsq32(v), 1.0 / f64::from(v).sqrt(), "rsq");
            }
            near(rcp32(v), 1.0 / f64::from(v), "rcp");
            let (s, c) = (f64::from(v) * std::f64::consts::TAU).sin_cos();
            if v.abs() <= 256.0 {
                assert!((f64::from(sin32(v)) - s).abs() < 1e-7 && (f64::from(cos32(v)) - c).abs() < 1e-7, "{v:e}");
            }
        }
    }

    #[test]
    fn f16_fma_rounds_once() {
        // 2048·1 + 2^-24: the sum needs 35 bits; a two-step rounding through f32 would see a tie.
        assert_eq!(f16_fma(0x6800, 0x3c00, 0x3c00), 0x6800); // 2049 ties to 2048
        assert_eq!(f16_fma(0x6801, 0x3c00, 0x3c00), 0x6802); // 2050 + 1 ties up to 2052
        assert_eq!(f16_fma(0x1001, 0x1001, 0x0000), f32_to_f16(f16_to_f32(0x1001) * f16_to_f32(0x1001)));
        let (a, b, c) = (0x3c01u32, 0x3c01u32, 0x8001u32);
        let exact = f64::from(f16_to_f32(a)) * f64::from(f16_to_f32(b)) + f64::from(f16_to_f32(c));
        assert_eq!(f16_fma(a, b, c), f64_to_f16(exact));
    }

    #[test]
    fn ldexp_of_a_double_rounds_once_into_the_subnormals() {
        assert_eq!(ldexp64(1.0, -1074), f64::from_bits(1));
        assert_eq!(ldexp64(1.5, -1074), f64::from_bits(2));
        assert_eq!(ldexp64(1.0, -1075), 0.0);
        assert_eq!(ldexp64(1.0, 1024), f64::INFINITY);
        assert_eq!(ldexp64(f64::from_bits(1), 1074), 1.0);
        assert_eq!(ldexp64(3.0, 5), 96.0);
    }
}

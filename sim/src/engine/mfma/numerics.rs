//! Bit-exact arithmetic of one output element, as far as the silicon's is known.
//!
//! The families and constants are those measured on CDNA1, 2 and 3 (published as MMA-Sim; in short: CDNA1 sums
//! exactly and rounds once, CDNA2 adds in a tree of flushed f32, CDNA3 aligns products to the largest and truncates).
//! These functions are the definition; the vectorised tiles in `exec` must agree with them bit for bit.

use wavesmith_asm::Target;
use wavesmith_asm::sem::{Elem, Mfma as Shape};

/// How an instruction's products are summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A chain of fused multiply-adds in k order.
    FmaChain,
    /// Exact sum of a group with C, rounded once (CDNA1).
    Exact {
        /// Products a group.
        group: usize,
    },
    /// Pairwise f32 additions with subnormals flushed (CDNA2).
    FlushTree {
        /// Products a group: 2 or 4.
        group: usize,
    },
    /// Products truncated to 24 bits below the largest exponent of the group (CDNA3).
    Truncate {
        /// Products a group.
        group: usize,
    },
    /// As [`Family::Truncate`], with even and odd k aligned apart (CDNA3 fp8 and bf8).
    TruncateSplit {
        /// Products a group.
        group: usize,
    },
    /// 32-bit integers, wrapping.
    Integer,
}

impl Family {
    /// The family of a shape on a target, and whether it is known to be the silicon's.
    pub fn of(s: &Shape, target: Target) -> (Family, bool) {
        let k = s.k as usize;
        let known = target != Target::Gfx950 && !s.sparse;
        match s.a {
            Elem::I8 | Elem::U8 | Elem::I4 | Elem::U4 => (Family::Integer, true),
            // f32 and f64 are IEEE chains on every generation that was measured; CDNA4's f64 is documented as such.
            Elem::F32 | Elem::F64 => (Family::FmaChain, known || s.a == Elem::F64),
            Elem::Fp8 | Elem::Bf8 | Elem::Fp6 | Elem::Bf6 | Elem::Fp4 => {
                (Family::TruncateSplit { group: 16.min(k) }, known)
            }
            Elem::Xf32 => (Family::Truncate { group: 4.min(k) }, known),
            _ => match target {
                Target::Gfx908 => (Family::Exact { group: if s.a == Elem::F16 { 4 } else { 2 }.min(k) }, known),
                Target::Gfx90a => {
                    let group = if s.legacy_bf16 { 2 } else { 4 };
                    (Family::FlushTree { group: group.min(k) }, known)
                }
                _ => (Family::Truncate { group: 8.min(k) }, known),
            },
        }
    }
}

/// A decoded input: `±significand · 2^(exponent − fraction bits of its format)`, or not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Num {
    /// Signed significand; 0 for zero, infinities and NaN.
    pub sig: i32,
    /// Exponent of the significand's leading place (−999 for zero, so that it never is the largest).
    pub exp: i32,
    /// 0 finite, 1 infinite, 2 NaN.
    pub class: u8,
    /// Negative, also for zeros and infinities.
    pub neg: bool,
}

/// Exponent that stands for zero.
pub const ZERO_EXP: i32 = -999;

/// Which 8-bit encodings a target has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fp8 {
    /// One zero, one NaN, no infinities (CDNA3).
    Fnuz,
    /// OCP (CDNA4).
    Ocp,
}

/// Fraction bits of an input format's significand.
pub const fn fraction_bits(ty: Elem) -> i32 {
    match ty {
        Elem::F16 | Elem::Xf32 => 10,
        Elem::Bf16 => 7,
        Elem::Fp8 | Elem::Fp6 => 3,
        Elem::Bf8 | Elem::Bf6 => 2,
        Elem::Fp4 => 1,
        _ => 23,
    }
}

fn split(bits: u32, fraction: u32, exponent: u32, bias: i32) -> Num {
    let m = bits & ((1 << fraction) - 1);
    let e = (bits >> fraction) & ((1 << exponent) - 1);
    let neg = bits >> (fraction + exponent) & 1 == 1;
    let (sig, exp) = if e == 0 { (m, 1 - bias) } else { (m | 1 << fraction, e as i32 - bias) };
    let exp = if sig == 0 { ZERO_EXP } else { exp };
    Num { sig: if neg { -(sig as i32) } else { sig as i32 }, exp, class: 0, neg }
}

/// Decodes an input element.
pub fn decode(bits: u32, ty: Elem, fp8: Fp8) -> Num {
    let special = |n: Num, ones: bool, zero: bool| {
        if !ones { n } else { Num { sig: 0, exp: ZERO_EXP, class: if zero { 1 } else { 2 }, neg: n.neg } }
    };
    match ty {
        Elem::F16 => special(split(bits, 10, 5, 15), bits & 0x7c00 == 0x7c00, bits & 0x3ff == 0),
        Elem::Bf16 => special(split(bits, 7, 8, 127), bits & 0x7f80 == 0x7f80, bits & 0x7f == 0),
        Elem::Xf32 => {
            let b = bits >> 13;
            special(split(b, 10, 8, 127), bits & 0x7f80_0000 == 0x7f80_0000, bits & 0x7f_ffff == 0)
        }
        Elem::Fp8 => match fp8 {
            Fp8::Fnuz => special(split(bits, 3, 4, 8), bits & 0xff == 0x80, false),
            Fp8::Ocp => special(split(bits, 3, 4, 7), bits & 0x7f == 0x7f, false),
        },
        Elem::Bf8 => match fp8 {
            Fp8::Fnuz => special(split(bits, 2, 5, 16), bits & 0xff == 0x80, false),
            Fp8::Ocp => special(split(bits, 2, 5, 15), bits & 0x7c == 0x7c, bits & 3 == 0),
        },
        Elem::Fp6 => split(bits, 3, 2, 1),
        Elem::Bf6 => split(bits, 2, 3, 3),
        Elem::Fp4 => split(bits, 1, 2, 1),
        _ => {
            let n = split(bits, 23, 8, 127);
            special(n, bits & 0x7f80_0000 == 0x7f80_0000, bits & 0x7f_ffff == 0)
        }
    }
}

/// The value of an input, exactly.
pub fn value(bits: u32, ty: Elem, fp8: Fp8) -> f32 {
    let n = decode(bits, ty, fp8);
    match n.class {
        0 if n.sig == 0 => {
            if n.neg {
                -0.0
            } else {
                0.0
            }
        }
        0 => (f64::from(n.sig) * crate::engine::lanes::float::pow2(n.exp - fraction_bits(ty))) as f32,
        1 if n.neg => f32::NEG_INFINITY,
        1 => f32::INFINITY,
        _ => f32::NAN,
    }
}

/// What a fused sum gives when an operand is not finite; `None` where all are.
fn special(a: &[Num], b: &[Num], c: f32, fb: i32) -> Option<u32> {
    let (mut nan, mut plus, mut minus) = (c.is_nan(), c == f32::INFINITY, c == f32::NEG_INFINITY);
    for (x, y) in a.iter().zip(b) {
        let negative = x.neg != y.neg;
        let zero = |n: &Num| n.class == 0 && n.sig == 0;
        let infinite = if x.class == 2 || y.class == 2 || (x.class == 1 && zero(y)) || (y.class == 1 && zero(x)) {
            nan = true;
            false
        } else if x.class == 1 || y.class == 1 {
            true
        } else {
            // A finite product that no f32 can hold.
            let p = i64::from(x.sig).unsigned_abs() as u128 * i64::from(y.sig).unsigned_abs() as u128;
            p != 0 && 127 - p.leading_zeros() as i32 + x.exp + y.exp - fb >= 128
        };
        plus |= infinite && !negative;
        minus |= infinite && negative;
    }
    match (nan || (plus && minus), plus, minus) {
        (true, ..) => Some(0x7fff_ffff),
        (_, true, _) => Some(0x7f80_0000),
        (_, _, true) => Some(0xff80_0000),
        _ => None,
    }
}

/// Signed significand, exponent of its leading place (at least −126) of a finite f32.
fn split_c(c: f32) -> (i64, i32) {
    let b = c.to_bits();
    let e = ((b >> 23) & 0xff) as i32;
    let m = i64::from(b & 0x7f_ffff);
    let (sig, exp) = if e == 0 { (m, -126) } else { (m | 1 << 23, e - 127) };
    (if b >> 31 == 1 { -sig } else { sig }, exp)
}

/// `v >> n` toward −∞ for any n, negative n shifting left.
fn floor_shift(v: i64, n: i32) -> i64 {
    if n <= 0 { v << (-n).min(40) } else { v >> n.min(63) }
}

/// `v >> n` toward zero.
fn trunc_shift(v: i64, n: i32) -> i64 {
    if n <= 0 {
        v << (-n).min(40)
    } else {
        let m = v.unsigned_abs() >> n.min(63);
        if v < 0 { -(m as i64) } else { m as i64 }
    }
}

/// The last steps of the truncating families: `t` in units of 2^(e_dot − 24), C, and the common exponent.
pub(super) fn finish(t: i64, e_dot: i32, c: f32, drop_tiny_c: bool) -> u32 {
    let (cs, ec) = split_c(c);
    let e = e_dot.max(ec);
    let t = floor_shift(t, e - e_dot - 8);
    let c = if drop_tiny_c && ec < e - 25 { 0 } else { floor_shift(cs, e - ec - 1) << 8 };
    let s = t + c;
    if s == 0 {
        return 0;
    }
    // s is in units of 2^(e − 32): keep 31 fraction bits below its leading one (or below 2^−126), toward −∞.
    let leading = (63 - s.unsigned_abs().leading_zeros() as i32 + e - 32).max(-126);
    let drop = leading - 31 - (e - 32);
    let s = if drop > 0 { (s >> drop) << drop } else { s };
    round(s, e - 32)
}

/// `s · 2^unit` to the nearest f32; `s` has at most 53 significant bits.
fn round(s: i64, unit: i32) -> u32 {
    ((s as f64 * crate::engine::lanes::float::pow2(unit)) as f32).to_bits()
}

/// Largest product exponent and the sum of products truncated to 24 bits below it.
fn align(a: &[Num], b: &[Num], fb: i32) -> (i32, i64) {
    let exp = |x: &Num, y: &Num| if x.sig == 0 || y.sig == 0 { ZERO_EXP } else { x.exp + y.exp };
    let e_dot = a.iter().zip(b).map(|(x, y)| exp(x, y)).max().unwrap_or(ZERO_EXP);
    let t = a.iter().zip(b).map(|(x, y)| {
        let p = i64::from(x.sig) * i64::from(y.sig);
        if p == 0 { 0 } else { trunc_shift(p, e_dot - exp(x, y) + fb - 24) }
    });
    (e_dot, t.sum())
}

/// One output element: C plus the products of `a` and `b`, whose significands have `fb` fraction bits together.
pub fn dot(family: Family, a: &[Num], b: &[Num], c: f32, fb: i32) -> u32 {
    let mut d = c;
    match family {
        Family::Truncate { group } => {
            for (a, b) in a.chunks(group).zip(b.chunks(group)) {
                d = f32::from_bits(special(a, b, d, fb).unwrap_or_else(|| {
                    let (e_dot, t) = align(a, b, fb);
                    finish(t, e_dot, d, false)
                }));
            }
        }
        Family::TruncateSplit { group } => {
            for (a, b) in a.chunks(group).zip(b.chunks(group)) {
                d = f32::from_bits(special(a, b, d, fb).unwrap_or_else(|| {
                    let pick = |v: &[Num], odd: usize| -> Vec<Num> { v.iter().skip(odd).step_by(2).copied().collect() };
                    let (e0, t0) = align(&pick(a, 0), &pick(b, 0), fb);
                    let (e1, t1) = align(&pick(a, 1), &pick(b, 1), fb);
                    let e_dot = e0.max(e1);
                    finish(floor_shift(t0, e_dot - e0) + floor_shift(t1, e_dot - e1), e_dot, d, true)
                }));
            }
        }
        Family::Exact { group } => {
            for (a, b) in a.chunks(group).zip(b.chunks(group)) {
                d = f32::from_bits(special(a, b, d, fb).unwrap_or_else(|| {
                    let mut sum = Wide::default();
                    for (x, y) in a.iter().zip(b) {
                        if x.sig != 0 && y.sig != 0 {
                            sum.add(i64::from(x.sig) * i64::from(y.sig), x.exp + y.exp - fb);
                        }
                    }
                    let (cs, ec) = split_c(d);
                    sum.add(cs, ec - 23);
                    sum.round()
                }));
            }
        }
        Family::FlushTree { .. } | Family::FmaChain | Family::Integer => {
            debug_assert!(false, "these families are computed on values");
        }
    }
    d.to_bits()
}

fn flush(v: f32) -> f32 {
    crate::engine::lanes::float::flush32(v)
}

/// One output element of the CDNA2 tree. Inputs are values; the caller has flushed subnormal inputs to +0.
pub fn flush_tree(group: usize, a: &[f32], b: &[f32], c: f32) -> u32 {
    let mut d = if c.is_subnormal() { 0.0 } else { c };
    for (a, b) in a.chunks(group).zip(b.chunks(group)) {
        let p = |i: usize| if i < a.len() { flush(a[i] * b[i]) } else { 0.0 };
        let s = if group == 4 { flush(flush(p(0) + p(1)) + flush(p(2) + p(3))) } else { flush(p(0) + p(1)) };
        d = flush(d + s);
    }
    canonical(d)
}

/// One output element of an f32 chain.
pub fn fma_chain(a: &[f32], b: &[f32], c: f32) -> u32 {
    canonical(a.iter().zip(b).fold(c, |d, (x, y)| x.mul_add(*y, d)))
}

/// The bits of a result, all NaNs alike: the silicon's payloads are unknown and hosts differ.
pub fn canonical(v: f32) -> u32 {
    if v.is_nan() { 0x7fff_ffff } else { v.to_bits() }
}

/// A fixed-point number wide enough for any sum of bfloat16 products and an f32: bit 0 is 2^−320.
#[derive(Default)]
struct Wide([u64; 11]);

impl Wide {
    const UNIT: i32 = -320;

    fn add(&mut self, v: i64, exponent: i32) {
        let at = (exponent - Wide::UNIT) as usize;
        let (word, bit) = (at / 64, at % 64);
        let wide = i128::from(v) << bit;
        let parts = [wide as u64, (wide >> 64) as u64];
        let sign = if v < 0 { u64::MAX } else { 0 };
        let mut carry = 0u64;
        for i in word..self.0.len() {
            let add = *parts.get(i - word).unwrap_or(&sign);
            let (x, o1) = self.0[i].overflowing_add(add);
            let (x, o2) = x.overflowing_add(carry);
            self.0[i] = x;
            carry = u64::from(o1 | o2);
        }
    }

    /// To the nearest f32, ties to even; zero is +0.
    fn round(mut self) -> u32 {
        let negative = self.0[10] >> 63 == 1;
        if negative {
            let mut carry = true;
            for w in &mut self.0 {
                let (x, o) = (!*w).overflowing_add(u64::from(carry));
                *w = x;
                carry = o;
            }
        }
        let Some(top) = (0..self.0.len()).rev().find(|i| self.0[*i] != 0) else { return 0 };
        let msb = top as i32 * 64 + 63 - self.0[top].leading_zeros() as i32;
        // Keep 40 bits and a sticky one, which is more than enough for one rounding to 24.
        let low = (msb - 40).max(0);
        let mut kept = 0u64;
        for bit in low..=msb {
            kept |= (self.0[bit as usize / 64] >> (bit % 64) & 1) << (bit - low);
        }
        let sticky = (0..low).any(|bit| self.0[bit as usize / 64] >> (bit % 64) & 1 == 1);
        let kept = kept << 1 | u64::from(sticky);
        let v = round(kept as i64, low - 1 + Wide::UNIT);
        v | u32::from(negative) << 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(family: Family, ty: Elem, a: &[u32], b: &[u32], c: u32) -> u32 {
        let c = f32::from_bits(c);
        if let Family::FlushTree { group } = family {
            let v = |x: &u32| {
                let f = value(*x, ty, Fp8::Fnuz);
                let subnormal = match ty {
                    Elem::F16 => x & 0x7c00 == 0,
                    _ => x & 0x7f80 == 0,
                };
                if subnormal { 0.0 } else { f }
            };
            let (a, b): (Vec<f32>, Vec<f32>) = (a.iter().map(v).collect(), b.iter().map(v).collect());
            return flush_tree(group, &a, &b, c);
        }
        let d = |x: &u32| decode(*x, ty, Fp8::Fnuz);
        let (a, b): (Vec<Num>, Vec<Num>) = (a.iter().map(d).collect(), b.iter().map(d).collect());
        dot(family, &a, &b, c, 2 * fraction_bits(ty))
    }

    #[test]
    fn the_check_row_of_the_paper_comes_out_for_every_generation() {
        let (a, b) = ([-8192.0f32, -0.5, -0.25, -0.125], [1024.0f32, 1.0, 1.0, 1.0]);
        let f16 = |v: &f32| crate::engine::lanes::float::f32_to_f16(*v);
        let bf16 = |v: &f32| v.to_bits() >> 16;
        let c = 8_388_608f32.to_bits();
        let (ah, bh): (Vec<u32>, Vec<u32>) = (a.iter().map(f16).collect(), b.iter().map(f16).collect());
        let (ab, bb): (Vec<u32>, Vec<u32>) = (a.iter().map(bf16).collect(), b.iter().map(bf16).collect());
        let f = f32::from_bits;
        assert_eq!(f(run(Family::Exact { group: 4 }, Elem::F16, &ah, &bh, c)), -0.875);
        assert_eq!(f(run(Family::Exact { group: 2 }, Elem::Bf16, &ab, &bb, c)), -0.875);
        assert_eq!(f(run(Family::FlushTree { group: 2 }, Elem::Bf16, &ab, &bb, c)), -0.375);
        assert_eq!(f(run(Family::FlushTree { group: 4 }, Elem::F16, &ah, &bh, c)), 0.0);
        assert_eq!(f(run(Family::Truncate { group: 8 }, Elem::F16, &ah, &bh, c)), -0.5);
        assert_eq!(f(run(Family::Truncate { group: 8 }, Elem::Bf16, &ab, &bb, c)), -0.5);
        // bf8 fnuz: bias 16, two fraction bits; the operands are powers of two.
        let bf8 = |v: &f32| (v.to_bits() >> 31) << 7 | ((((v.to_bits() >> 23) & 0xff) as i32 - 127 + 16) as u32) << 2;
        let (a8, b8): (Vec<u32>, Vec<u32>) = (a.iter().map(bf8).collect(), b.iter().map(bf8).collect());
        assert_eq!(f(run(Family::TruncateSplit { group: 16 }, Elem::Bf8, &a8, &b8, c)), -1.0);
    }

    #[test]
    fn published_vectors_come_out() {
        let mut lines = 0;
        for line in include_str!("vectors.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
            let mut f = line.split_whitespace();
            let name = f.next().unwrap();
            let (family, ty) = match name {
                "cdna1_f16" => (Family::Exact { group: 4 }, Elem::F16),
                "cdna1_bf16" => (Family::Exact { group: 2 }, Elem::Bf16),
                "cdna2_f16" => (Family::FlushTree { group: 4 }, Elem::F16),
                "cdna2_bf16_1k" => (Family::FlushTree { group: 4 }, Elem::Bf16),
                "cdna2_bf16" => (Family::FlushTree { group: 2 }, Elem::Bf16),
                "cdna3_f16" => (Family::Truncate { group: 8 }, Elem::F16),
                "cdna3_f16_K4" => (Family::Truncate { group: 4 }, Elem::F16),
                "cdna3_bf16" => (Family::Truncate { group: 8 }, Elem::Bf16),
                "cdna3_xf32" => (Family::Truncate { group: 4 }, Elem::Xf32),
                "cdna3_fp8" => (Family::TruncateSplit { group: 16 }, Elem::Fp8),
                "cdna3_bf8" => (Family::TruncateSplit { group: 16 }, Elem::Bf8),
                other => panic!("unknown family {other}"),
            };
            let words = |s: &str| -> Vec<u32> { s.split(',').map(|h| u32::from_str_radix(h, 16).unwrap()).collect() };
            let (a, b) = (words(f.next().unwrap()), words(f.next().unwrap()));
            let (c, d) = (words(f.next().unwrap())[0], words(f.next().unwrap())[0]);
            let got = run(family, ty, &a, &b, c);
            let both_nan = f32::from_bits(got).is_nan() && f32::from_bits(d).is_nan();
            assert!(got == d || both_nan, "{line}: got {got:08x}");
            lines += 1;
        }
        assert!(lines > 90, "only {lines} vectors");
    }
}

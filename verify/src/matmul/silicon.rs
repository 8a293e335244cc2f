//! How matrix instructions add, bit for bit, as far as it is known: gfx908, gfx90a and gfx942.
//!
//! Written from the published models of the silicon (MMA-Sim and FTTN), in other terms than the embedded device's, so that
//! the two check each other. Inputs are finite; results beyond the largest f32 are infinite.

use wavesmith_asm::Target;
use wavesmith_asm::sem::Elem;

/// A matrix instruction's way of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adder {
    /// One rounded multiply-add after the other.
    Chain,
    /// Groups are summed exactly, with the sum so far, and rounded once (gfx908).
    Exact {
        /// Products of a group.
        group: usize,
    },
    /// Products and pairs of them are rounded to f32 and flushed, then the sum so far is added (gfx90a).
    Tree {
        /// Products of a group.
        group: usize,
    },
    /// Groups are cut to 24 bits below their largest exponent and summed, the sum so far likewise (gfx942).
    Cut {
        /// Products of a group.
        group: usize,
        /// Even and odd products are summed apart, as for 8-bit floats.
        halves: bool,
    },
}

impl Adder {
    /// The way of an instruction that sums `k` products of a type, if it is known.
    pub fn of(target: Target, input: Elem, k: u32) -> Option<Adder> {
        match (target, input) {
            (Target::Gfx950, _) => None,
            (_, Elem::F32 | Elem::F64) => Some(Adder::Chain),
            (Target::Gfx908, Elem::F16) => Some(Adder::Exact { group: 4 }),
            (Target::Gfx908, Elem::Bf16) => Some(Adder::Exact { group: 2 }),
            (Target::Gfx90a, Elem::F16 | Elem::Bf16) => Some(Adder::Tree { group: 4 }),
            (Target::Gfx942, Elem::F16 | Elem::Bf16) => Some(Adder::Cut { group: k.min(8) as usize, halves: false }),
            (Target::Gfx942, Elem::Xf32) => Some(Adder::Cut { group: 4, halves: false }),
            (Target::Gfx942, Elem::Fp8 | Elem::Bf8) => Some(Adder::Cut { group: 16, halves: true }),
            _ => None,
        }
    }

    /// Adds the products of one instruction to `sum`.
    pub fn add(self, ty: Elem, a: &[f64], b: &[f64], sum: f32) -> f32 {
        let chunks = |group: usize| a.chunks(group).zip(b.chunks(group));
        match self {
            Adder::Chain => a.iter().zip(b).fold(sum, |s, (x, y)| (*x as f32).mul_add(*y as f32, s)),
            Adder::Exact { group } => chunks(group).fold(sum, |s, (a, b)| exact(a, b, s)),
            Adder::Tree { group } => chunks(group).fold(flushed_to_zero(sum), |s, (a, b)| tree(ty, a, b, s)),
            Adder::Cut { group, halves } => chunks(group).fold(sum, |s, (a, b)| cut(ty, a, b, s, halves)),
        }
    }
}

/// The exponent of the smallest normal number of a type.
fn least_exponent(ty: Elem) -> i32 {
    match ty {
        Elem::F16 => -14,
        // FNUZ.
        Elem::Fp8 => -7,
        Elem::Bf8 => -15,
        _ => -126,
    }
}

/// Exponent of a finite number, that of the smallest normal one at least.
fn exponent(x: f64, ty: Elem) -> i32 {
    let e = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    e.max(least_exponent(ty))
}

fn pow2(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// `x · 2^shift`, rounded down.
fn shifted(x: i128, shift: i32) -> i128 {
    if shift >= 0 { x << shift.min(90) } else { x >> (-shift).min(127) }
}

/// [`Adder::Cut`].
fn cut(ty: Elem, a: &[f64], b: &[f64], c: f32, halves: bool) -> f32 {
    const NONE: i32 = -999;
    let exponent_of = |x: f64, y: f64| if x * y == 0.0 { NONE } else { exponent(x, ty) + exponent(y, ty) };
    // Units are 2^(exponent − 24); each product loses what is below, toward zero.
    let part = |from: usize, step: usize| -> (i32, i128) {
        let pairs = || a.iter().zip(b).skip(from).step_by(step);
        let top = pairs().map(|(x, y)| exponent_of(*x, *y)).max().unwrap_or(NONE);
        let cut = |(x, y): (&f64, &f64)| (x * y * pow2(24 - top)).trunc() as i128;
        (top, if top == NONE { 0 } else { pairs().map(cut).sum() })
    };
    let (top, sum) = if halves {
        let ((e0, t0), (e1, t1)) = (part(0, 2), part(1, 2));
        let top = e0.max(e1);
        (top, shifted(t0, e0 - top) + shifted(t1, e1 - top))
    } else {
        part(0, 1)
    };
    let bits = c.to_bits();
    let stored = (bits >> 23 & 0xff) as i32;
    let magnitude = i128::from(bits & 0x7f_ffff | if stored > 0 { 0x80_0000 } else { 0 });
    let (c_exponent, c_units) = (stored.max(1) - 127, if bits >> 31 != 0 { -magnitude } else { magnitude });
    let e = top.max(c_exponent);
    // The sum of products keeps 32 bits below the larger exponent, the sum so far 24, both rounded down.
    let dot = if top == NONE { 0 } else { shifted(sum, top - e + 8) };
    let far = halves && c_exponent < e - 25;
    let before = if far { 0 } else { shifted(c_units, c_exponent - e + 1) << 8 };
    let s = dot + before;
    if s == 0 {
        return 0.0;
    }
    let unit = e - 32;
    let leading = 127 - s.unsigned_abs().leading_zeros() as i32;
    let result_exponent = (leading + unit).max(-126);
    let kept = shifted(s, unit - (result_exponent - 31));
    (kept as f64 * pow2(result_exponent - 31)) as f32
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

fn flushed_to_zero(x: f32) -> f32 {
    if x.is_subnormal() { 0.0 } else { x }
}

/// [`Adder::Tree`] of a group.
fn tree(ty: Elem, a: &[f64], b: &[f64], sum: f32) -> f32 {
    let input = |x: f64| if x != 0.0 && x.abs() < pow2(least_exponent(ty)) { 0.0 } else { x };
    let mut level: Vec<f32> = a.iter().zip(b).map(|(x, y)| flushed((input(*x) * input(*y)) as f32)).collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|p| flushed(p.iter().copied().reduce(|x, y| x + y).unwrap_or(0.0))).collect();
    }
    flushed(sum + level[0])
}

/// [`Adder::Exact`] of a group: a fixed-point number wide enough for every product and f32.
fn exact(a: &[f64], b: &[f64], c: f32) -> f32 {
    /// Weight of the lowest bit: bf16's smallest product is above.
    const LOWEST: i32 = -320;
    const WORDS: usize = 11;
    let mut words = [0u64; WORDS];
    let mut add = |x: f64| {
        if x == 0.0 {
            return;
        }
        let e = ((x.to_bits() >> 52 & 0x7ff) as i32).max(1) - 1075;
        let mantissa = x.to_bits() & ((1 << 52) - 1) | if x.is_subnormal() { 0 } else { 1 << 52 };
        // Trailing zeros go, so that the place of the lowest bit is in range.
        let zeros = mantissa.trailing_zeros();
        let at = (e + zeros as i32 - LOWEST) as usize;
        let wide = u128::from(mantissa >> zeros) << (at % 64);
        let mut carry = false;
        let mut borrow = false;
        for (i, word) in words.iter_mut().enumerate() {
            let part = match i.checked_sub(at / 64) {
                Some(0) => wide as u64,
                Some(1) => (wide >> 64) as u64,
                _ => 0,
            };
            if x > 0.0 {
                let (y, c0) = word.overflowing_add(part);
                let (y, c1) = y.overflowing_add(carry.into());
                *word = y;
                carry = c0 | c1;
            } else {
                let (y, b0) = word.overflowing_sub(part);
                let (y, b1) = y.overflowing_sub(borrow.into());
                *word = y;
                borrow = b0 | b1;
            }
        }
    };
    a.iter().zip(b).for_each(|(x, y)| add(x * y));
    add(c.into());
    let negative = words[WORDS - 1] >> 63 != 0;
    if negative {
        let mut carry = true;
        for w in &mut words {
            let (y, c) = (!*w).overflowing_add(carry.into());
            *w = y;
            carry = c;
        }
    }
    let Some(top) = (0..WORDS * 64).rev().find(|i| words[i / 64] >> (i % 64) & 1 != 0) else { return 0.0 };
    // The bits above half a unit of an f64, and whether anything is below: rounding that to f32 is rounding the sum.
    let low = (top + 1).saturating_sub(52);
    let bit = |i: usize| words[i / 64] >> (i % 64) & 1;
    let kept = (low..=top).rev().fold(0u64, |v, i| v << 1 | bit(i));
    let sticky = (0..low).any(|i| bit(i) != 0);
    let value = (kept << 1 | u64::from(sticky)) as f64 * 2f64.powi(low as i32 + LOWEST - 1);
    (if negative { -value } else { value }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published example that tells the families apart.
    #[test]
    fn one_sum_comes_out_five_ways() {
        let a = [-8192.0, -0.5, -0.25, -0.125];
        let b = [1024.0, 1.0, 1.0, 1.0];
        let c = 8_388_608.0;
        let of = |target, ty: Elem, k| {
            let n = if ty == Elem::Bf8 { 16 } else { 8 };
            let (mut x, mut y) = (a.to_vec(), b.to_vec());
            x.resize(n, 0.0);
            y.resize(n, 0.0);
            Adder::of(target, ty, k).unwrap().add(ty, &x, &y, c)
        };
        assert_eq!(of(Target::Gfx908, Elem::F16, 16), -0.875);
        assert_eq!(of(Target::Gfx908, Elem::Bf16, 8), -0.875);
        assert_eq!(of(Target::Gfx90a, Elem::F16, 16), 0.0);
        assert_eq!(of(Target::Gfx942, Elem::F16, 16), -0.5);
        assert_eq!(of(Target::Gfx942, Elem::Bf8, 32), -1.0);
    }

    #[test]
    fn exact_sums_round_once() {
        // 1 + 2^-24 + 2^-60: above the tie.
        let sum = exact(&[1.0, pow2(-12), pow2(-30)], &[1.0, pow2(-12), pow2(-30)], 0.0);
        assert_eq!(sum, 1.0 + f32::EPSILON);
        assert_eq!(exact(&[1.0, pow2(-12)], &[1.0, pow2(-12)], 0.0), 1.0);
        assert_eq!(exact(&[1.0, -1.0], &[3.0, 3.0], -1.5), -1.5);
        assert_eq!(exact(&[pow2(127)], &[2.0], 0.0), f32::INFINITY);
        assert_eq!(exact(&[0.0], &[1.0], f32::from_bits(3)), f32::from_bits(3));
    }
}

//! Sums of products of any size, exactly, rounded once in any direction.
//!
//! A fixed-point number wide enough for every product of two binary64 numbers: slow, and so plain that it can be
//! trusted. It serves where the host's own rounding does not reach: binary64 in the directed modes.

use super::rounded::Direction;

/// A binary format: fraction bits and exponent bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binary {
    /// Fraction bits.
    pub fraction: u32,
    /// Exponent bits.
    pub exponent: u32,
}

/// binary64.
pub const F64: Binary = Binary { fraction: 52, exponent: 11 };
/// binary32.
pub const F32: Binary = Binary { fraction: 23, exponent: 8 };
/// binary16.
pub const F16: Binary = Binary { fraction: 10, exponent: 5 };
/// bfloat16.
pub const BF16: Binary = Binary { fraction: 7, exponent: 8 };

impl Binary {
    /// Significand and exponent of its lowest place of a finite number.
    pub fn split(self, bits: u64) -> (i128, i32) {
        let (f, e) = (self.fraction, self.exponent);
        let field = (bits >> f) & ((1 << e) - 1);
        let m = i128::from(bits & ((1 << f) - 1));
        let bias = (1i32 << (e - 1)) - 1;
        let (m, at) = if field == 0 { (m, 1 - bias - f as i32) } else { (m | 1 << f, field as i32 - bias - f as i32) };
        (if bits >> (f + e) & 1 == 1 { -m } else { m }, at)
    }

    /// Whether it is neither infinite nor NaN.
    pub fn is_finite(self, bits: u64) -> bool {
        let ones = (1 << self.exponent) - 1;
        (bits >> self.fraction) & ones != ones
    }
}

const WORDS: usize = 72;
/// Exponent of bit 0: the least product of two binary64 numbers is 2^−2148.
const UNIT: i32 = -2200;

/// An exact sum.
#[derive(Clone, Debug)]
pub struct Sum([u64; WORDS]);

impl Default for Sum {
    fn default() -> Sum {
        Sum([0; WORDS])
    }
}

impl Sum {
    /// Adds `v · 2^exponent`.
    pub fn add(&mut self, v: i128, exponent: i32) {
        let at = (exponent - UNIT).clamp(0, (WORDS as i32 - 4) * 64) as usize;
        let (word, bit) = (at / 64, (at % 64) as u32);
        let sign = if v < 0 { u64::MAX } else { 0 };
        let (low, high) = (v as u64, (v >> 64) as u64);
        let parts = if bit == 0 {
            [low, high, sign]
        } else {
            [low << bit, high << bit | low >> (64 - bit), sign << bit | high >> (64 - bit)]
        };
        let mut carry = false;
        for i in word..WORDS {
            let add = *parts.get(i - word).unwrap_or(&sign);
            let (x, o1) = self.0[i].overflowing_add(add);
            let (x, o2) = x.overflowing_add(u64::from(carry));
            self.0[i] = x;
            carry = o1 | o2;
        }
    }

    /// The nearest number (ties to even), or its neighbour on the side that `direction` wants; `None` for zero.
    pub fn round(mut self, to: Binary, direction: Option<Direction>) -> Option<u64> {
        let negative = self.0[WORDS - 1] >> 63 == 1;
        if negative {
            let mut carry = true;
            for w in &mut self.0 {
                let (x, o) = (!*w).overflowing_add(u64::from(carry));
                *w = x;
                carry = o;
            }
        }
        let top = (0..WORDS).rev().find(|i| self.0[*i] != 0)?;
        let leading = top as i32 * 64 + 63 - self.0[top].leading_zeros() as i32;
        let bias = (1i32 << (to.exponent - 1)) - 1;
        // The place of the result's last bit, counted from bit 0 of the sum.
        let exponent = (leading + UNIT).max(1 - bias);
        let last = exponent - to.fraction as i32 - UNIT;
        let bit = |i: i32| i >= 0 && self.0[i as usize / 64] >> (i % 64) & 1 == 1;
        let mut n = 0u64;
        for i in (last.max(0)..=leading).rev() {
            n = n << 1 | u64::from(bit(i));
        }
        let half = bit(last - 1);
        let rest = (0..(last - 1).max(0)).any(bit);
        let away = match direction {
            None => half && (rest || n & 1 == 1),
            Some(Direction::Zero) => false,
            Some(Direction::Up) => !negative && (half || rest),
            Some(Direction::Down) => negative && (half || rest),
        };
        n += u64::from(away);
        // A significand without its leading one has exponent field 0; a carry moves into the field by itself.
        let field = if n >> to.fraction == 0 { 0 } else { (exponent + bias - 1) as u64 };
        let magnitude = (field << to.fraction) + n;
        let infinity = ((1u64 << to.exponent) - 1) << to.fraction;
        let magnitude = if magnitude >= infinity {
            let outward = match direction {
                None => true,
                Some(Direction::Zero) => false,
                Some(Direction::Up) => !negative,
                Some(Direction::Down) => negative,
            };
            if outward { infinity } else { infinity - 1 }
        } else {
            magnitude
        };
        Some(magnitude | u64::from(negative) << (to.fraction + to.exponent))
    }
}

/// `(a · b + c) · 2^n` of finite numbers, rounded once; `None` for zero.
pub fn fused(f: Binary, [a, b, c]: [u64; 3], n: i32, direction: Option<Direction>) -> Option<u64> {
    let ((x, ex), (y, ey), (z, ez)) = (f.split(a), f.split(b), f.split(c));
    let mut s = Sum::default();
    s.add(x * y, ex + ey + n);
    s.add(z, ez + n);
    s.round(f, direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fma(a: u64, b: u64, c: u64, f: Binary) -> Option<u64> {
        fused(f, [a, b, c], 0, None)
    }

    #[test]
    fn to_nearest_it_is_the_hosts_fused_multiply_add() {
        let mut x = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            // Exponents near each other, at the ends of the range, and any.
            match x % 4 {
                0 => x & !(0x7ff << 52) | (1023 + (x >> 20) % 40) << 52,
                1 => x & !(0x7ff << 52) | ((x >> 20) % 60) << 52,
                2 => x & !(0x7ff << 52) | (2046 - (x >> 20) % 60) << 52,
                _ => x & !(1 << 52),
            }
        };
        for _ in 0..20_000 {
            let (a, b, c) = (next(), next(), next());
            if [a, b, c].iter().any(|v| !F64.is_finite(*v)) {
                continue;
            }
            let want = f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c));
            if want != 0.0 {
                assert_eq!(fma(a, b, c, F64), Some(want.to_bits()), "{a:#x} {b:#x} {c:#x}");
            }
        }
        for (a, b, c) in [(1.5f32, 2.5f32, -3.75f32), (1e-38, 1e-7, 0.0), (3e38, 2.0, 1.0), (f32::MAX, 1.0, 1e31)] {
            let want = a.mul_add(b, c);
            let got = fma(a.to_bits().into(), b.to_bits().into(), c.to_bits().into(), F32);
            assert_eq!(got.unwrap_or(0), u64::from(want.to_bits()), "{a} {b} {c}");
        }
    }

    #[test]
    fn directions_bracket_the_exact_value() {
        let third = |d| {
            let mut s = Sum::default();
            s.add(0x5555_5555_5555_5555, -64);
            s.round(F32, d).expect("not zero") as u32
        };
        let down = third(Some(Direction::Down));
        assert_eq!((third(Some(Direction::Zero)), third(Some(Direction::Up))), (down, down + 1));
        assert_eq!(third(None), (1f32 / 3.0).to_bits());
        let mut s = Sum::default();
        s.add(1, 1100);
        assert_eq!(s.clone().round(F64, Some(Direction::Zero)), Some(f64::MAX.to_bits()));
        assert_eq!(s.round(F64, Some(Direction::Up)), Some(f64::INFINITY.to_bits()));
    }
}

//! Binary floating-point numbers as what they are, integers times powers of two, and one rounding at the end: the
//! arithmetic that the model of the rows computes with. Nothing here knows the engine.

use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;

/// A rounding direction, numbered as MODE numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    Nearest,
    Up,
    Down,
    Zero,
}

impl Round {
    pub fn of(bits: u32) -> Round {
        [Round::Nearest, Round::Up, Round::Down, Round::Zero][bits as usize & 3]
    }
}

/// An IEEE binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ieee {
    pub exponent: u32,
    pub fraction: u32,
}

pub const F16: Ieee = Ieee { exponent: 5, fraction: 10 };
pub const BF16: Ieee = Ieee { exponent: 8, fraction: 7 };
pub const F32: Ieee = Ieee { exponent: 8, fraction: 23 };
pub const F64: Ieee = Ieee { exponent: 11, fraction: 52 };

impl Ieee {
    pub fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }
    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }
    pub fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }
    pub fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }
    pub fn nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction - 1)
    }
    pub fn largest(self) -> u64 {
        self.infinity() - 1
    }
    pub fn magnitude(self, bits: u64) -> u64 {
        bits & (self.sign() - 1)
    }
    pub fn is_nan(self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity()
    }
    pub fn is_signalling(self, bits: u64) -> bool {
        self.is_nan(bits) && bits >> (self.fraction - 1) & 1 == 0
    }
    pub fn is_subnormal(self, bits: u64) -> bool {
        let m = self.magnitude(bits);
        m != 0 && m >> self.fraction == 0
    }
    /// The same number, a subnormal one as zero of its sign.
    pub fn flushed(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) { bits & self.sign() } else { bits }
    }
    pub fn number(self, bits: u64) -> Num {
        let negative = bits & self.sign() != 0;
        let m = self.magnitude(bits);
        if m > self.infinity() {
            return Num::Nan;
        }
        if m == self.infinity() {
            return Num::Infinite(negative);
        }
        let (e, f) = ((m >> self.fraction) as i64, m & ((1 << self.fraction) - 1));
        let f = if e == 0 { f } else { f | 1 << self.fraction };
        Num::finite(negative, BigUint::from(f), e.max(1) - self.bias() - i64::from(self.fraction))
    }
    /// The nearest number of this format in a direction; too large a one is infinite, or the largest where the
    /// direction leads there.
    pub fn round(self, n: &Num, how: Round) -> u64 {
        match n {
            Num::Nan => self.nan(),
            Num::Infinite(negative) => self.infinity() | if *negative { self.sign() } else { 0 },
            Num::Finite { negative, m, e } => {
                let sign = if *negative { self.sign() } else { 0 };
                let least = 1 - self.bias() - i64::from(self.fraction);
                let (k, exponent) = to_digits(m, *e, self.fraction, least, |odd, rest| match how {
                    Round::Nearest => rest.is_gt() || rest.is_eq() && odd,
                    Round::Up => !negative,
                    Round::Down => *negative,
                    Round::Zero => false,
                });
                // The bits of consecutive numbers are consecutive.
                let field = (exponent - least).min(1 << self.exponent);
                let bits = if k >> self.fraction == 0 { k } else { ((field as u64) << self.fraction) + k };
                if bits >= self.infinity() {
                    let stays = match how {
                        Round::Nearest => false,
                        Round::Up => *negative,
                        Round::Down => !negative,
                        Round::Zero => true,
                    };
                    return sign | if stays { self.largest() } else { self.infinity() };
                }
                sign | bits
            }
        }
    }
}

/// `m·2^e` to `fraction + 1` binary digits, or fewer where the last place would be below `2^least`: the digits and the
/// exponent of the last. `up` says whether what is cut off (how it compares with a half, the digits being odd) counts.
pub fn to_digits(m: &BigUint, e: i64, fraction: u32, least: i64, up: impl Fn(bool, Ordering) -> bool) -> (u64, i64) {
    let width = m.bits() as i64;
    if width == 0 {
        return (0, least);
    }
    let mut last = (e + width - 1 - i64::from(fraction)).max(least);
    let cut = last - e;
    let mut k = if cut <= 0 { m << (-cut) as usize } else { m >> cut as usize };
    if cut > 0 {
        let rest = m - (&k << cut as usize);
        if rest.bits() != 0 {
            let half = BigUint::from(1u32) << (cut - 1) as usize;
            if up(k.bit(0), rest.cmp(&half)) {
                k += 1u32;
            }
        }
    }
    if k.bits() > u64::from(fraction) + 1 {
        k >>= 1usize;
        last += 1;
    }
    (k.try_into().expect("at most 53 digits"), last)
}

/// A number, or what is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Num {
    Nan,
    Infinite(bool),
    /// `m·2^e` with a sign, which zero has too.
    Finite {
        negative: bool,
        m: BigUint,
        e: i64,
    },
}

impl Num {
    pub fn finite(negative: bool, m: BigUint, e: i64) -> Num {
        Num::Finite { negative, m, e }
    }
    pub fn int(v: i128) -> Num {
        Num::finite(v < 0, BigUint::from(v.unsigned_abs()), 0)
    }
    pub fn zero(negative: bool) -> Num {
        Num::finite(negative, BigUint::ZERO, 0)
    }
    pub fn power(e: i64) -> Num {
        Num::finite(false, BigUint::from(1u32), e)
    }
    pub fn f64(v: f64) -> Num {
        F64.number(v.to_bits())
    }
    pub fn is_zero(&self) -> bool {
        matches!(self, Num::Finite { m, .. } if m.bits() == 0)
    }
    pub fn is_nan(&self) -> bool {
        *self == Num::Nan
    }
    pub fn is_infinite(&self) -> bool {
        matches!(self, Num::Infinite(_))
    }
    pub fn negative(&self) -> bool {
        match self {
            Num::Nan => false,
            Num::Infinite(n) | Num::Finite { negative: n, .. } => *n,
        }
    }
    pub fn signed(self, negative: bool) -> Num {
        match self {
            Num::Nan => Num::Nan,
            Num::Infinite(_) => Num::Infinite(negative),
            Num::Finite { m, e, .. } => Num::Finite { negative, m, e },
        }
    }
    pub fn neg(self) -> Num {
        let n = !self.negative();
        self.signed(n)
    }
    pub fn abs(self) -> Num {
        self.signed(false)
    }
    pub fn scaled(self, by: i64) -> Num {
        match self {
            Num::Finite { negative, m, e } => Num::Finite { negative, m, e: e + by },
            other => other,
        }
    }
    pub fn mul(&self, o: &Num) -> Num {
        let negative = self.negative() != o.negative();
        match (self, o) {
            (Num::Nan, _) | (_, Num::Nan) => Num::Nan,
            (Num::Infinite(_), x) | (x, Num::Infinite(_)) => {
                if x.is_zero() {
                    Num::Nan
                } else {
                    Num::Infinite(negative)
                }
            }
            (Num::Finite { m: a, e: p, .. }, Num::Finite { m: b, e: q, .. }) => Num::finite(negative, a * b, p + q),
        }
    }
    /// The exact sum. One of opposite numbers is zero: positive, but negative where the result is rounded down.
    pub fn add(&self, o: &Num, how: Round) -> Num {
        match (self, o) {
            (Num::Nan, _) | (_, Num::Nan) => Num::Nan,
            (Num::Infinite(a), Num::Infinite(b)) => {
                if a == b {
                    Num::Infinite(*a)
                } else {
                    Num::Nan
                }
            }
            (Num::Infinite(a), _) | (_, Num::Infinite(a)) => Num::Infinite(*a),
            (Num::Finite { negative: s, m: a, e: p }, Num::Finite { negative: t, m: b, e: q }) => {
                let e = *p.min(q);
                let signed = |n: &bool, m: &BigUint, at: i64| {
                    BigInt::from_biguint(if *n { Sign::Minus } else { Sign::Plus }, m << (at - e) as usize)
                };
                let sum = signed(s, a, *p) + signed(t, b, *q);
                let negative = match sum.sign() {
                    Sign::Minus => true,
                    Sign::Plus => false,
                    Sign::NoSign if s == t => *s,
                    Sign::NoSign => how == Round::Down,
                };
                Num::finite(negative, sum.into_parts().1, e)
            }
        }
    }
    pub fn sub(&self, o: &Num, how: Round) -> Num {
        self.add(&o.clone().neg(), how)
    }
    pub fn fma(&self, b: &Num, c: &Num, how: Round) -> Num {
        self.mul(b).add(c, how)
    }
    /// Which is larger, if both are numbers; zeros are equal.
    pub fn compare(&self, o: &Num) -> Option<Ordering> {
        if self.is_nan() || o.is_nan() {
            return None;
        }
        if self == o && self.is_infinite() {
            return Some(Ordering::Equal);
        }
        let difference = self.sub(o, Round::Nearest);
        Some(if difference.is_zero() {
            Ordering::Equal
        } else if difference.negative() {
            Ordering::Less
        } else {
            Ordering::Greater
        })
    }
    /// To a whole number in a direction; ties to even where it is the nearest.
    pub fn whole(&self, how: Round) -> Num {
        let Num::Finite { negative, m, e } = self else { return self.clone() };
        if *e >= 0 {
            return self.clone();
        }
        let cut = (-e) as usize;
        let mut k = m >> cut;
        let rest = m - (&k << cut);
        let half = BigUint::from(1u32) << (cut - 1);
        let up = rest.bits() != 0
            && match how {
                Round::Nearest => rest > half || rest == half && k.bit(0),
                Round::Up => !negative,
                Round::Down => *negative,
                Round::Zero => false,
            };
        if up {
            k += 1u32;
        }
        Num::finite(*negative, k, 0)
    }
    /// The whole number nearest to zero of at most this size; NaN is 0.
    pub fn integer(&self, low: i128, high: i128) -> i128 {
        match self {
            Num::Nan => 0,
            Num::Infinite(true) => low,
            Num::Infinite(false) => high,
            Num::Finite { .. } => {
                let Num::Finite { negative, m, e } = self.whole(Round::Zero) else { unreachable!("finite") };
                let m = if e > 0 { if m.bits() == 0 { m } else { m << e.min(200) as usize } } else { m };
                let v = i128::try_from(m).unwrap_or(i128::MAX);
                (if negative { -v } else { v }).clamp(low, high)
            }
        }
    }
}

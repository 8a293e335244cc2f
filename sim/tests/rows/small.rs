//! Floats of eight, six and four bits: the formats as the OCP documents and AMD's FNUZ variants define them.

use crate::exact::{Num, to_digits};
use num_bigint::BigUint;

/// What the codes at a format's top are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Top {
    /// One NaN, in the place of −0; nothing infinite.
    Fnuz,
    /// All ones are NaN; nothing infinite.
    OneNan,
    /// As IEEE's.
    Ieee,
    /// Numbers only.
    Finite,
}

/// A small format.
#[derive(Clone, Copy, Debug)]
pub struct Small {
    pub exponent: u32,
    pub fraction: u32,
    bias: i64,
    top: Top,
}

impl Small {
    pub fn named(name: &str, fnuz: bool) -> Option<Small> {
        let f = |exponent, fraction, bias, top| Some(Small { exponent, fraction, bias, top });
        match (name, fnuz) {
            ("fp8", false) => f(4, 3, 7, Top::OneNan),
            ("bf8", false) => f(5, 2, 15, Top::Ieee),
            ("fp8", true) => f(4, 3, 8, Top::Fnuz),
            ("bf8", true) => f(5, 2, 16, Top::Fnuz),
            ("fp6", _) => f(2, 3, 1, Top::Finite),
            ("bf6", _) => f(3, 2, 3, Top::Finite),
            ("fp4", _) => f(2, 1, 1, Top::Finite),
            _ => None,
        }
    }

    pub fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    fn sign(self) -> u32 {
        1 << (self.bits() - 1)
    }

    /// The largest finite code.
    fn largest(self) -> u32 {
        let ones = self.sign() - 1;
        match self.top {
            Top::Finite | Top::Fnuz => ones,
            Top::OneNan => ones - 1,
            Top::Ieee => ones - (1 << self.fraction),
        }
    }

    pub fn number(self, code: u32) -> Num {
        let negative = code & self.sign() != 0;
        let m = code & (self.sign() - 1);
        if self.top == Top::Fnuz && code == self.sign() {
            return Num::Nan;
        }
        if m > self.largest() {
            return if self.top == Top::Ieee && m == self.largest() + 1 { Num::Infinite(negative) } else { Num::Nan };
        }
        let (e, f) = (i64::from(m >> self.fraction), m & ((1 << self.fraction) - 1));
        let f = if e == 0 { f } else { f | 1 << self.fraction };
        Num::finite(negative, BigUint::from(f), e.max(1) - self.bias - i64::from(self.fraction))
    }

    /// The code of a number: to nearest even, or up by what the random bits add below the last place. A number too
    /// large is what the format has for that, or the largest where conversions saturate.
    pub fn code(self, n: &Num, random: Option<u32>, saturates: bool) -> u32 {
        let sign = if n.negative() { self.sign() } else { 0 };
        let over = match self.top {
            Top::Fnuz => self.sign(),
            Top::OneNan => (self.sign() - 1) | sign,
            Top::Ieee => (self.largest() + 1) | sign,
            Top::Finite => self.largest() | sign,
        };
        let (m, e) = match n {
            // A NaN has the sign that it came with, which the caller knows; where there is none it is the largest.
            Num::Nan => return if self.top == Top::Fnuz { self.sign() } else { self.sign() - 1 },
            Num::Infinite(_) => return over,
            Num::Finite { m, e, .. } => (m, *e),
        };
        let least = 1 - self.bias - i64::from(self.fraction);
        let (k, last) = match random {
            None => to_digits(m, e, self.fraction, least, |odd, rest| rest.is_gt() || rest.is_eq() && odd),
            Some(r) => {
                // The digits that binary32 has beyond the format's, from the top of the random word.
                let drop = 23 - self.fraction;
                let exact = to_digits(m, e, self.fraction, least, |_, _| false);
                let cut = exact.1 - e;
                let rest = if cut > 0 { m - (BigUint::from(exact.0) << cut as usize) } else { BigUint::ZERO };
                // rest / 2^cut + r / 2^drop ≥ 1
                let add = BigUint::from(r >> (32 - drop));
                let cut = cut.max(0) as usize;
                let up = (rest << drop as usize) + (add << cut) >= BigUint::from(1u32) << (cut + drop as usize);
                let k = exact.0 + u64::from(up);
                if k >> (self.fraction + 1) != 0 { (k >> 1, exact.1 + 1) } else { (k, exact.1) }
            }
        };
        let code = if k >> self.fraction == 0 { k } else { (((last - least) as u64) << self.fraction) + k };
        if code > u64::from(self.largest()) {
            return if saturates { self.largest() | sign } else { over };
        }
        let code = code as u32;
        if code == 0 && self.top == Top::Fnuz { 0 } else { code | sign }
    }
}

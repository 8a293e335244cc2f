//! Conversions from and to 8-, 6- and 4-bit floats, scaled and stochastic ones included, one element at a time.
//!
//! The formats are OCP's on CDNA4 and the FNUZ ones on CDNA3. A result too large for FP8 is NaN (FNUZ, OCP E4M3) or
//! infinity (OCP E5M2), and the largest number for FP6 and FP4, which have neither. Stochastic rounding adds the top
//! bits of the random operand below the last place kept and truncates; the silicon's exact bits are not published.

use super::float::{f16_to_f32, f32_to_bf16, f64_to_f16, pow2};
use crate::engine::mfma::{Fp8, element};
use wavesmith_asm::sem::Elem;

/// A binary format with fewer than sixteen bits.
struct Format {
    mantissa: i32,
    bias: i32,
    largest: f64,
    width: u32,
    overflow: u32,
    nan: u32,
    minus_zero: bool,
}

fn format(ty: Elem, fp8: Fp8) -> Format {
    let f = |mantissa, bias, largest, width, overflow, nan, minus_zero| Format {
        mantissa,
        bias,
        largest,
        width,
        overflow,
        nan,
        minus_zero,
    };
    match (ty, fp8) {
        (Elem::Fp8, Fp8::Fnuz) => f(3, 8, 240.0, 8, 0x80, 0x80, false),
        (Elem::Bf8, Fp8::Fnuz) => f(2, 16, 57344.0, 8, 0x80, 0x80, false),
        (Elem::Fp8, Fp8::Ocp) => f(3, 7, 448.0, 8, 0x7f, 0x7f, true),
        (Elem::Bf8, Fp8::Ocp) => f(2, 15, 57344.0, 8, 0x7c, 0x7f, true),
        (Elem::Fp6, _) => f(3, 1, 7.5, 6, 0x1f, 0x1f, true),
        (Elem::Bf6, _) => f(2, 3, 28.0, 6, 0x1f, 0x1f, true),
        _ => f(1, 1, 6.0, 4, 0x7, 0x7, true),
    }
}

/// Bits of `v` in the small format `ty`, to nearest even, or stochastically with random bits. Where it saturates, a
/// finite number too large becomes the largest.
pub fn encode(v: f64, ty: Elem, fp8: Fp8, random: Option<u32>, saturates: bool) -> u32 {
    match ty {
        Elem::F32 => return (v as f32).to_bits(),
        Elem::F16 => {
            return match random {
                None => f64_to_f16(v),
                Some(r) => f64_to_f16(stochastic(v, 10, -14, r)),
            };
        }
        Elem::Bf16 => {
            return match random {
                None => f32_to_bf16(super::float::f64_to_f32_odd(v)),
                Some(r) => f32_to_bf16(stochastic(v, 7, -126, r) as f32),
            };
        }
        _ => {}
    }
    let f = format(ty, fp8);
    let sign = u32::from(v.is_sign_negative()) << (f.width - 1);
    if v.is_nan() {
        return if f.nan == 1 << (f.width - 1) { f.nan } else { f.nan | sign };
    }
    let a = v.abs();
    let emin = 1 - f.bias;
    let rounded = if a.is_infinite() {
        a
    } else {
        match random {
            None => {
                let q = quantum(a, f.mantissa, emin);
                (a / q).round_ties_even() * q
            }
            Some(r) => stochastic(a, f.mantissa, emin, r),
        }
    };
    let rounded = if saturates && a.is_finite() { rounded.min(f.largest) } else { rounded };
    if rounded > f.largest {
        return if f.overflow == 1 << (f.width - 1) { f.overflow } else { f.overflow | sign };
    }
    if rounded == 0.0 {
        return if f.minus_zero { sign } else { 0 };
    }
    let e = (((rounded.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(emin);
    let m = (rounded / pow2(e - f.mantissa)) as u32;
    // A subnormal has no leading one: its exponent field is 0.
    let field = if m >> f.mantissa == 0 { 0 } else { (e + f.bias) as u32 };
    (field << f.mantissa | m & ((1 << f.mantissa) - 1)) | sign
}

fn quantum(a: f64, mantissa: i32, emin: i32) -> f64 {
    let e = (((a.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(emin);
    pow2((e - mantissa).max(-1022))
}

fn stochastic(v: f64, mantissa: i32, emin: i32, random: u32) -> f64 {
    if !v.is_finite() {
        return v;
    }
    let a = v.abs();
    let q = quantum(a, mantissa, emin);
    let drop = (23 - mantissa) as u32;
    let fraction = f64::from(random >> (32 - drop)) / pow2(drop as i32);
    ((a / q + fraction).floor() * q).copysign(v)
}

/// A binary32 or binary16, a subnormal one as zero of its sign; other types as they are.
fn flushed(bits: u32, ty: Elem) -> u32 {
    match ty {
        Elem::F32 if bits & 0x7f80_0000 == 0 => bits & 0x8000_0000,
        Elem::F16 if bits & 0x7c00 == 0 => bits & 0x8000,
        _ => bits,
    }
}

/// The value of an element.
pub fn decode(bits: u32, ty: Elem, fp8: Fp8) -> f64 {
    match ty {
        Elem::F32 => f64::from(f32::from_bits(bits)),
        Elem::F16 => f64::from(f16_to_f32(bits)),
        Elem::Bf16 => f64::from(f32::from_bits(bits << 16)),
        _ => f64::from(element(bits, ty, fp8)),
    }
}

/// `v_prng_b32`: one step of the hardware's linear-feedback generator.
pub fn prng(v: u32) -> u32 {
    v << 1 ^ if v >> 31 == 1 { 197 } else { 0 }
}

/// One conversion instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convert {
    /// Source type.
    pub from: Elem,
    /// Result type.
    pub to: Elem,
    /// Elements.
    pub n: u8,
    /// Random bits come from the second source.
    pub stochastic: bool,
    /// Elements of the two sources alternate (`2xpk16`), or the second source is the second element.
    pub second: bool,
    /// Scaled by the exponent of the last source.
    pub scaled: bool,
    /// Which 8-bit floats.
    pub fp8: Fp8,
    /// Finite numbers too large become the largest (MODE's FP16_OVFL).
    pub saturates: bool,
    /// Subnormal elements of the source, and of the result, are zero.
    pub flush: [bool; 2],
    /// First bit of the source field within its register.
    pub from_bit: u8,
    /// First bit of the result field within its register.
    pub to_bit: u8,
}

impl Convert {
    /// Converts one lane. `a` and `b` give the source registers' words, `d` the destination's, old and new.
    pub fn lane(&self, a: &dyn Fn(usize) -> u32, b: &dyn Fn(usize) -> u32, scale: u32, d: &mut [u32; 32]) {
        let (fw, tw) = (self.from.bits(), self.to.bits());
        let field = |get: &dyn Fn(usize) -> u32, bit: u32, width: u32| -> u32 {
            let (word, shift) = ((bit / 32) as usize, bit % 32);
            let low = get(word) >> shift;
            let high = if shift + width > 32 { get(word + 1) << (32 - shift) } else { 0 };
            (low | high) & (u64::from(u32::MAX) >> (32 - width)) as u32
        };
        let exponent = (scale >> 23 & 0xff) as i32;
        let mut random = b(0);
        for i in 0..u32::from(self.n) {
            let bits = if self.second {
                let at = i / 2;
                if i % 2 == 0 { field(a, at * fw, fw) } else { field(b, at * fw, fw) }
            } else {
                field(a, u32::from(self.from_bit) + i * fw, fw)
            };
            let bits = if self.flush[0] { flushed(bits, self.from) } else { bits };
            let mut v = decode(bits, self.from, self.fp8);
            if self.scaled {
                // Into a small format the scale divides, out of one it multiplies.
                let narrow = tw < fw;
                v = if exponent == 255 {
                    f64::NAN
                } else {
                    v * pow2(if narrow { 127 - exponent } else { exponent - 127 })
                };
            }
            let out = encode(v, self.to, self.fp8, self.stochastic.then_some(random), self.saturates);
            let out = if self.flush[1] { flushed(out, self.to) } else { out };
            random = prng(random);
            let bit = u32::from(self.to_bit) + i * tw;
            let (word, shift) = ((bit / 32) as usize, bit % 32);
            let mask = u64::from(u32::MAX) >> (32 - tw);
            let clear = mask << shift;
            let put = u64::from(out) << shift;
            d[word] = d[word] & !(clear as u32) | put as u32;
            if shift + tw > 32 {
                d[word + 1] = d[word + 1] & !((clear >> 32) as u32) | (put >> 32) as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_float_survives_decoding_and_encoding() {
        for (ty, bits) in [(Elem::Fp8, 8), (Elem::Bf8, 8), (Elem::Fp6, 6), (Elem::Bf6, 6), (Elem::Fp4, 4)] {
            for fp8 in [Fp8::Fnuz, Fp8::Ocp] {
                for b in 0..1u32 << bits {
                    let v = decode(b, ty, fp8);
                    let back = encode(v, ty, fp8, None, false);
                    if v.is_nan() {
                        assert!(decode(back, ty, fp8).is_nan(), "{ty:?} {fp8:?} {b:#x}");
                    } else {
                        assert_eq!(back, b, "{ty:?} {fp8:?} {v}");
                    }
                }
            }
        }
    }

    #[test]
    fn values_between_two_numbers_go_to_the_nearest() {
        assert_eq!(encode(17.0, Elem::Fp8, Fp8::Ocp, None, false), encode(16.0, Elem::Fp8, Fp8::Ocp, None, false));
        assert_eq!(encode(17.1, Elem::Fp8, Fp8::Ocp, None, false), encode(18.0, Elem::Fp8, Fp8::Ocp, None, false));
        assert_eq!(encode(2.5, Elem::Fp4, Fp8::Ocp, None, false), encode(2.0, Elem::Fp4, Fp8::Ocp, None, false));
        assert_eq!(encode(1e9, Elem::Fp4, Fp8::Ocp, None, false), 7);
        assert_eq!(encode(1e9, Elem::Fp8, Fp8::Fnuz, None, false), 0x80);
        assert_eq!(encode(-1e9, Elem::Bf8, Fp8::Ocp, None, false), 0xfc);
    }

    #[test]
    fn stochastic_rounding_is_unbiased_between_its_neighbours() {
        let v = 1.0 + 0.125 * 0.25;
        let up = (0..4096u32)
            .filter(|i| decode(encode(v, Elem::Fp8, Fp8::Ocp, Some(i << 20), false), Elem::Fp8, Fp8::Ocp) > 1.0)
            .count();
        assert!((1000..1050).contains(&up), "{up} of 4096 rounded up, not a quarter");
    }
}

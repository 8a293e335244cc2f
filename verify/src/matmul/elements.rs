//! Numbers as they lie in memory, as f64: every type's values are exact there.

use half::{bf16, f16};
use wavesmith_asm::sem::Elem;

/// An E4M3 or E5M2 number: FNUZ as gfx942 has it (one more bias, no infinities, −0 is NaN), OCP as gfx950 does.
pub fn f8_to_f64(bits: u8, mantissa: u32, fnuz: bool) -> f64 {
    let sign = if bits & 0x80 != 0 { -1.0 } else { 1.0 };
    let exponent = i32::from((bits & 0x7f) >> mantissa);
    let top = (1 << (7 - mantissa)) - 1;
    if fnuz && bits == 0x80 {
        return f64::NAN;
    }
    if !fnuz && exponent == top {
        let fraction = bits & ((1 << mantissa) - 1);
        if mantissa == 2 {
            return if fraction == 0 { sign * f64::INFINITY } else { f64::NAN };
        }
        if fraction == 7 {
            return f64::NAN;
        }
    }
    small_to_f64(bits.into(), 8, mantissa, i32::from(fnuz))
}

/// A number of `width` bits with so many of fraction, the bias being the usual one and `more`; all values are finite.
fn small_to_f64(bits: u32, width: u32, mantissa: u32, more: i32) -> f64 {
    let sign = if bits >> (width - 1) & 1 != 0 { -1.0 } else { 1.0 };
    let exponent = (bits >> mantissa & ((1 << (width - 1 - mantissa)) - 1)) as i32;
    let fraction = f64::from(bits & ((1 << mantissa) - 1)) / f64::from(1u32 << mantissa);
    let bias = (1 << (width - 2 - mantissa)) - 1 + more;
    if exponent == 0 {
        sign * fraction * 2f64.powi(1 - bias)
    } else {
        sign * (1.0 + fraction) * 2f64.powi(exponent - bias)
    }
}

/// Element `i` of an array of a type; those of less than 8 bits lie side by side, low bits first.
pub fn element(ty: Elem, fnuz: bool, bytes: &[u8], i: usize) -> f64 {
    let word = |n: usize| -> u64 { (0..n).fold(0, |w, k| w | u64::from(bytes[n * i + k]) << (8 * k)) };
    match ty {
        Elem::F16 => f16::from_bits(word(2) as u16).to_f64(),
        Elem::Bf16 => bf16::from_bits(word(2) as u16).to_f64(),
        Elem::F64 => f64::from_bits(word(8)),
        Elem::I8 => f64::from(bytes[i] as i8),
        Elem::I32 => f64::from(word(4) as u32 as i32),
        Elem::Fp8 => f8_to_f64(bytes[i], 3, fnuz),
        Elem::Bf8 => f8_to_f64(bytes[i], 2, fnuz),
        Elem::Fp6 | Elem::Bf6 | Elem::Fp4 => {
            let width = ty.bits() as usize;
            let bit = i * width;
            let low = u32::from(bytes[bit / 8]) | u32::from(bytes.get(bit / 8 + 1).copied().unwrap_or(0)) << 8;
            let mantissa = match ty {
                Elem::Fp6 => 3,
                Elem::Bf6 => 2,
                _ => 1,
            };
            small_to_f64(low >> (bit % 8) & ((1 << width) - 1), width as u32, mantissa, 0)
        }
        _ => f64::from(f32::from_bits(word(4) as u32)),
    }
}

/// An E8M0 scale.
pub fn scale(bits: u8) -> f64 {
    if bits == 0xff { f64::NAN } else { 2f64.powi(i32::from(bits) - 127) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_types_have_the_values_that_their_standard_lists() {
        let fp4: Vec<f64> = (0..8).map(|i| element(Elem::Fp4, false, &[i], 0)).collect();
        assert_eq!(fp4, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(element(Elem::Fp4, false, &[0xf2], 1), -6.0);
        assert_eq!(element(Elem::Fp6, false, &[0x1f], 0), 7.5);
        assert_eq!(element(Elem::Bf6, false, &[0x1f], 0), 28.0);
        assert_eq!(element(Elem::Fp6, false, &[0x01], 0), 0.125);
        assert_eq!(element(Elem::Bf6, false, &[0x01], 0), 0.0625);
        // The second element begins at bit 6.
        assert_eq!(element(Elem::Fp6, false, &[0xc0, 0x07], 1), 7.5);
        assert_eq!((f8_to_f64(0x7e, 3, false), f8_to_f64(0x7f, 3, true)), (448.0, 240.0));
        assert_eq!((scale(127), scale(0), scale(254)), (1.0, 2f64.powi(-127), 2f64.powi(127)));
        assert!(scale(255).is_nan() && f8_to_f64(0x80, 3, true).is_nan() && f8_to_f64(0x7f, 3, false).is_nan());
    }
}

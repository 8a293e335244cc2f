//! Conversions of constants between floating-point formats.

/// f32 bits to f16 bits, to nearest even, overflow to infinity.
pub fn f32_to_f16(bits: u32) -> u16 {
    let sign = ((bits >> 16) & 0x8000) as u16;
    let exp = ((bits >> 23) & 0xff) as i32;
    let man = bits & 0x7f_ffff;
    if exp == 0xff {
        return sign | 0x7c00 | if man != 0 { 0x200 | (man >> 13) as u16 } else { 0 };
    }
    let e = exp - 127 + 15;
    if e >= 31 {
        return sign | 0x7c00;
    }
    let (full, shift) = if e <= 0 {
        if e < -10 {
            return sign;
        }
        (man | 0x80_0000, 14 - e)
    } else {
        (man | (e as u32) << 23, 13)
    };
    let half = 1u32 << (shift - 1);
    let rest = full & ((1 << shift) - 1);
    let mut out = full >> shift;
    if rest > half || (rest == half && out & 1 == 1) {
        out += 1;
    }
    sign | out as u16
}

/// f32 bits to bf16 bits, to nearest even, overflow to infinity.
pub fn f32_to_bf16(bits: u32) -> u16 {
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        return (bits >> 16) as u16 | 0x40;
    }
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_to_nearest_even() {
        for (f, h) in [
            (1.0f32, 0x3c00u16),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65520.0, 0x7c00),
            (5.960_464_5e-8, 1),
            (2.980_232_2e-8, 0),
            (0.1, 0x2e66),
            (6.103_515_6e-5, 0x0400),
        ] {
            assert_eq!(f32_to_f16(f.to_bits()), h, "{f}");
        }
    }

    #[test]
    fn brain_floats_round_to_nearest_even() {
        for (f, h) in [(1.0f32, 0x3f80u16), (3.1, 0x4046), (65504.0, 0x4780), (-1.5, 0xbfc0), (f32::MAX, 0x7f80)] {
            assert_eq!(f32_to_bf16(f.to_bits()), h, "{f}");
        }
        assert_eq!(f32_to_bf16(0x7f80_0001), 0x7fc0);
    }
}

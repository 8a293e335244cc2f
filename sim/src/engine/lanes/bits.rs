//! Scalar integer building blocks of the lane operations.

/// The low 24 bits, sign-extended.
#[inline(always)]
pub fn s24(v: u32) -> i32 {
    ((v << 8) as i32) >> 8
}

/// The low 24 bits.
#[inline(always)]
pub fn u24(v: u32) -> u32 {
    v & 0xff_ffff
}

/// The low 16 bits, sign-extended.
#[inline(always)]
pub fn s16(v: u32) -> i32 {
    v as u16 as i16 as i32
}

/// The low 16 bits.
#[inline(always)]
pub fn u16_(v: u32) -> u32 {
    v & 0xffff
}

/// Two halves from two functions' results.
#[inline(always)]
pub fn pack(lo: u32, hi: u32) -> u32 {
    (lo & 0xffff) | hi << 16
}

/// One operation on both halves of two words.
#[inline(always)]
pub fn pk2(a: u32, b: u32, f: impl Fn(u32, u32) -> u32) -> u32 {
    pack(f(a & 0xffff, b & 0xffff), f(a >> 16, b >> 16))
}

/// One operation on both halves of three words.
#[inline(always)]
pub fn pk3(a: u32, b: u32, c: u32, f: impl Fn(u32, u32, u32) -> u32) -> u32 {
    pack(f(a & 0xffff, b & 0xffff, c & 0xffff), f(a >> 16, b >> 16, c >> 16))
}

/// Bits `offset..offset + width` of `v`, as `v_bfe_u32`.
#[inline(always)]
pub fn bfe_u32(v: u32, offset: u32, width: u32) -> u32 {
    let (o, w) = (offset & 31, width & 31);
    (v >> o) & ((1u32 << w).wrapping_sub(1))
}

/// [`bfe_u32`], sign-extended.
#[inline(always)]
pub fn bfe_i32(v: u32, offset: u32, width: u32) -> u32 {
    let (o, w) = (offset & 31, width & 31);
    // A field that runs off the top takes its sign from the top bit.
    let field = ((v as i32) >> o) as u32 & ((1u32 << w).wrapping_sub(1));
    // An unwritten sign stays unwritten: a width of 0 gives 0.
    let shift = (32 - w) & 31;
    let extended = (((field << shift) as i32) >> shift) as u32;
    if w == 0 { 0 } else { extended }
}

/// `v_perm_b32`: four bytes chosen by `sel` from the eight of `a:b`, `b` being bytes 0 to 3.
#[inline(always)]
pub fn perm(a: u32, b: u32, sel: u32) -> u32 {
    let all = u64::from(a) << 32 | u64::from(b);
    let mut r = 0;
    let mut i = 0;
    while i < 4 {
        let s = (sel >> (8 * i)) & 0xff;
        let byte = if s >= 13 {
            0xff
        } else if s == 12 {
            0
        } else if s >= 8 {
            // Sign of bytes 1, 3, 5, 7.
            let sign = (all >> (16 * (s - 8) + 15)) & 1;
            (sign as u32) * 0xff
        } else {
            (all >> (8 * s)) as u32 & 0xff
        };
        r |= byte << (8 * i);
        i += 1;
    }
    r
}

/// Sum of absolute differences of bytes, plus `c`.
#[inline(always)]
pub fn sad_u8(a: u32, b: u32, c: u32) -> u32 {
    let mut sum = c;
    let mut i = 0;
    while i < 32 {
        sum = sum.wrapping_add(((a >> i) & 0xff).abs_diff((b >> i) & 0xff));
        i += 8;
    }
    sum
}

/// [`sad_u8`] over the bytes of `b` that are not zero.
#[inline(always)]
pub fn msad_u8(a: u32, b: u32, c: u32) -> u32 {
    let mut sum = c;
    let mut i = 0;
    while i < 32 {
        let (x, y) = ((a >> i) & 0xff, (b >> i) & 0xff);
        sum = sum.wrapping_add(if y == 0 { 0 } else { x.abs_diff(y) });
        i += 8;
    }
    sum
}

/// Four 16-bit sums of absolute differences of `b` against a sliding window of `a`.
#[inline(always)]
pub fn qsad(a: u64, b: u32, c: u64, masked: bool, saturates: bool) -> u64 {
    let mut r = 0;
    let mut i = 0;
    while i < 4 {
        let window = (a >> (8 * i)) as u32;
        let acc = (c >> (16 * i)) as u32 & 0xffff;
        let sum = if masked { msad_u8(window, b, acc) } else { sad_u8(window, b, acc) };
        r |= u64::from(if saturates { sum.min(0xffff) } else { sum & 0xffff }) << (16 * i);
        i += 1;
    }
    r
}

/// Unsigned average of bytes, rounded by the low bit of each byte of `c`.
#[inline(always)]
pub fn lerp(a: u32, b: u32, c: u32) -> u32 {
    let mut r = 0;
    let mut i = 0;
    while i < 32 {
        let s = ((a >> i) & 0xff) + ((b >> i) & 0xff) + ((c >> i) & 1);
        r |= ((s >> 1) & 0xff) << i;
        i += 8;
    }
    r
}

/// Position of the first bit unlike the sign, counted from the top; −1 if none.
#[inline(always)]
pub fn ffbh_i32(v: u32) -> u32 {
    let x = v ^ ((v as i32) >> 31) as u32;
    if x == 0 { u32::MAX } else { x.leading_zeros() }
}

/// Products of the signed or unsigned bytes or nibbles of two words, summed onto `c`.
#[inline(always)]
pub fn dot_int(a: u32, b: u32, c: u32, bits: u32, signed_a: bool, signed_b: bool) -> i64 {
    let n = 32 / bits;
    let mut sum = 0i64;
    let mut i = 0;
    while i < n {
        let take = |w: u32, signed: bool| {
            let up = w << (32 - bits * (i + 1));
            if signed { i64::from((up as i32) >> (32 - bits)) } else { i64::from(up >> (32 - bits)) }
        };
        sum += take(a, signed_a) * take(b, signed_b);
        i += 1;
    }
    sum + if signed_a || signed_b { i64::from(c as i32) } else { i64::from(c) }
}

/// `v_bitop3`: the bit of `table` that the bits of the three sources choose.
#[inline(always)]
pub fn bitop3(a: u32, b: u32, c: u32, table: u32) -> u32 {
    let mut r = 0;
    let mut i = 0;
    while i < 8 {
        let pick = |v: u32, on: u32| if on != 0 { v } else { !v };
        let m = pick(a, i & 4) & pick(b, i & 2) & pick(c, i & 1);
        r |= if table >> i & 1 != 0 { m } else { 0 };
        i += 1;
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perm_selects_bytes_signs_and_constants() {
        assert_eq!(perm(0x8877_6655, 0x4433_2211, 0x0704_0300), 0x8855_4411);
        assert_eq!(perm(0x8877_6655, 0x4433_2211, 0x0c0d_0b08), 0x00ff_ff00);
    }

    #[test]
    fn a_bit_field_of_no_width_is_zero() {
        assert_eq!(bfe_i32(u32::MAX, 3, 0), 0);
        assert_eq!(bfe_i32(0x0000_00f0, 4, 4), u32::MAX);
        assert_eq!(bfe_u32(0x0000_00f0, 4, 4), 15);
        assert_eq!(bfe_i32(0x8000_0000, 24, 12), 0xffff_ff80);
    }

    #[test]
    fn bitop3_with_the_table_of_xor_is_xor() {
        assert_eq!(bitop3(0xdead_beef, 0x1234_5678, 0x0f0f_0f0f, 0x96), 0xdead_beef ^ 0x1234_5678 ^ 0x0f0f_0f0f);
        assert_eq!(bitop3(0xff00_ff00, 0xf0f0_f0f0, 0xcccc_cccc, 0x80), 0xff00_ff00 & 0xf0f0_f0f0 & 0xcccc_cccc);
    }

    #[test]
    fn signed_dot_products_of_bytes_and_nibbles() {
        assert_eq!(dot_int(0xff01_0203, 0x0101_0101, 10, 8, true, true), 10 + 3 + 2 + 1 - 1);
        assert_eq!(dot_int(0xff01_0203, 0x0101_0101, 10, 8, false, false), 10 + 3 + 2 + 1 + 255);
        assert_eq!(dot_int(0xffff_ffff, 0x1111_1111, 0, 4, true, true), -8);
    }
}

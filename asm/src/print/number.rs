//! Numbers as text; the standard formatter would be half the cost of a listing.

use super::text::{Short, Text};

/// The numbers 0 to 999: most numbers of a listing are register indices.
static NUMBERS: [Short<3>; 1000] = {
    let mut t = [Short::EMPTY; 1000];
    let mut i = 0;
    while i < 1000 {
        t[i] = Short::EMPTY.number(i as u32);
        i += 1;
    }
    t
};

/// Appends a decimal number.
#[inline]
pub(crate) fn push_u32(out: &mut Text, x: u32) {
    match NUMBERS.get(x as usize) {
        Some(s) => out.push_short(s),
        None => push_large(out, x),
    }
}

fn push_large(out: &mut Text, x: u32) {
    push_u32(out, x / 1000);
    let r = (x % 1000) as usize;
    for d in [r / 100, r / 10 % 10, r % 10] {
        out.push_short(&NUMBERS[d]);
    }
}

#[inline]
pub(crate) fn push_i32(out: &mut Text, x: i32) {
    if x < 0 {
        out.push('-');
    }
    push_u32(out, x.unsigned_abs());
}

/// Appends `0x…` without leading zeros.
#[inline]
pub(crate) fn push_hex(out: &mut Text, x: u32) {
    out.push_str("0x");
    push_hex_plain(out, x);
}

/// Appends hexadecimal digits without prefix or leading zeros.
pub(crate) fn push_hex_plain(out: &mut Text, x: u32) {
    let digits = (32 - x.leading_zeros()).div_ceil(4).max(1);
    for d in (0..digits).rev() {
        out.push(b"0123456789abcdef"[(x >> (4 * d)) as usize & 15] as char);
    }
}

/// Appends `digits` capital hexadecimal digits.
pub(crate) fn push_hex_padded(out: &mut Text, x: u64, digits: u32) {
    for d in (0..digits).rev() {
        out.push(b"0123456789ABCDEF"[(x >> (4 * d)) as usize & 15] as char);
    }
}

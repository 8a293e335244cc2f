//! Integer arithmetic on scalars that takes more than one instruction.

use wavesmith_asm::Build;
use wavesmith_asm::reg::{S, V};
use wavesmith_emitter::KernelBuilder;

/// `d += x · y` in 64 bits, `x` and `y` unsigned 32-bit.
pub(super) fn add_product(b: &mut KernelBuilder, d: S<2>, x: S<1>, y: S<1>) {
    let (low, high): (S<1>, S<1>) = (b.s(), b.s());
    b.s_mul_i32(low, x, y);
    b.s_mul_hi_u32(high, x, y);
    b.s_add_u32(d.at(0), d.at(0), low);
    b.s_addc_u32(d.at(1), d.at(1), high);
}

/// A scalar that holds a number.
pub(super) fn constant(b: &mut KernelBuilder, value: u32) -> S<1> {
    let s: S<1> = b.s();
    b.s_mov_b32(s, value);
    s
}

/// `n / d` and the remainder, unsigned; `d` must not be 0.
///
/// The reciprocal of `d` in f32, scaled to 32 bits and rounded down, is improved once by Newton's rule; the quotient is
/// then at most two short.
pub(super) fn divide(b: &mut KernelBuilder, n: S<1>, d: S<1>) -> (S<1>, S<1>) {
    let (f, x, t): (V<1>, S<1>, S<1>) = (b.v(), b.s(), b.s());
    b.v_cvt_f32_u32(f, d);
    b.v_rcp_iflag_f32(f, f);
    // The largest f32 below 2^32.
    b.v_mul_f32(f, f32::from_bits(0x4f7f_fffe), f);
    b.v_cvt_u32_f32(f, f);
    b.v_readfirstlane_b32(x, f);
    b.s_sub_u32(t, 0, d);
    b.s_mul_i32(t, t, x);
    b.s_mul_hi_u32(t, x, t);
    b.s_add_u32(x, x, t);
    let (q, r): (S<1>, S<1>) = (b.s(), b.s());
    b.s_mul_hi_u32(q, n, x);
    b.s_mul_i32(r, q, d);
    b.s_sub_u32(r, n, r);
    for _ in 0..2 {
        let (less, up): (S<1>, S<1>) = (b.s(), b.s());
        b.s_add_u32(up, q, 1);
        b.s_sub_u32(less, r, d);
        b.s_cmp_ge_u32(r, d);
        b.s_cselect_b32(q, up, q);
        b.s_cselect_b32(r, less, r);
    }
    (q, r)
}

/// `n / d` and the remainder for a number known now.
pub(super) fn divide_by(b: &mut KernelBuilder, n: S<1>, d: u32) -> (S<1>, S<1>) {
    if d.is_power_of_two() {
        let (q, r): (S<1>, S<1>) = (b.s(), b.s());
        b.s_lshr_b32(q, n, d.ilog2());
        b.s_and_b32(r, n, d - 1);
        return (q, r);
    }
    let d = constant(b, d);
    divide(b, n, d)
}

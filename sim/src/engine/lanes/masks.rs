//! Lane operations whose result, or one of whose operands, is a 64-bit mask: comparisons, carries, selection.

use super::float::{class16, class32, class64, f16_to_f32, flush32, is_nan16, quiet32, quiet64};
use super::{Lane, Lanes, Level, WAVE};
use crate::engine::ir::CarryOp;
use wavesmith_asm::sem::{Cond, Elem};

/// Packs the lanes' conditions. The compiler turns the inner loop into a vector compare and a mask move.
#[inline(always)]
fn collect(mut f: impl FnMut(usize) -> bool) -> u64 {
    let mut mask = 0u64;
    let mut k = 0;
    while k < WAVE {
        let mut flags = [0u8; 16];
        for (i, flag) in flags.iter_mut().enumerate() {
            *flag = u8::from(f(k + i));
        }
        let bits = u128::from_le_bytes(flags);
        // Gather the low bit of each byte: a multiplication moves the eight of each half to its top byte.
        let gather = |half: u64| (half.wrapping_mul(0x0102_0408_1020_4080) >> 56) & 0xff;
        mask |= (gather(bits as u64) | gather((bits >> 64) as u64) << 8) << k;
        k += 16;
    }
    mask
}

/// A comparison of 64 lanes.
pub type CmpKernel = unsafe fn(*const u32, *const u32) -> u64;

macro_rules! compare {
    ($t:ty, $cond:expr, $a:ident, $b:ident, |$x:ident, $y:ident| $e:expr) => {
        collect(|i| {
            // SAFETY: the caller of the kernel vouches for both operands.
            let ($x, $y) = unsafe { (<$t as Lane>::load($a, i), <$t as Lane>::load($b, i)) };
            $e
        })
    };
}

macro_rules! int_conditions {
    ($cond:expr, $a:ident, $b:ident, $t:ty, |$v:ident| $conv:expr) => {{
        let conv = |$v: $t| $conv;
        match $cond {
            Cond::Lt => compare!($t, $cond, $a, $b, |x, y| conv(x) < conv(y)),
            Cond::Eq => compare!($t, $cond, $a, $b, |x, y| conv(x) == conv(y)),
            Cond::Le => compare!($t, $cond, $a, $b, |x, y| conv(x) <= conv(y)),
            Cond::Gt => compare!($t, $cond, $a, $b, |x, y| conv(x) > conv(y)),
            Cond::Ne | Cond::Lg | Cond::Neq => compare!($t, $cond, $a, $b, |x, y| conv(x) != conv(y)),
            Cond::Ge => compare!($t, $cond, $a, $b, |x, y| conv(x) >= conv(y)),
            Cond::T => u64::MAX,
            _ => 0,
        }
    }};
}

macro_rules! float_conditions {
    ($cond:expr, $a:ident, $b:ident, $t:ty, |$v:ident| $conv:expr) => {{
        let conv = |$v: $t| $conv;
        match $cond {
            Cond::F => 0,
            Cond::Lt => compare!($t, $cond, $a, $b, |x, y| conv(x) < conv(y)),
            Cond::Eq => compare!($t, $cond, $a, $b, |x, y| conv(x) == conv(y)),
            Cond::Le => compare!($t, $cond, $a, $b, |x, y| conv(x) <= conv(y)),
            Cond::Gt => compare!($t, $cond, $a, $b, |x, y| conv(x) > conv(y)),
            Cond::Lg => compare!($t, $cond, $a, $b, |x, y| conv(x) < conv(y) || conv(x) > conv(y)),
            Cond::Ge => compare!($t, $cond, $a, $b, |x, y| conv(x) >= conv(y)),
            Cond::O => compare!($t, $cond, $a, $b, |x, y| !conv(x).is_nan() && !conv(y).is_nan()),
            Cond::U => compare!($t, $cond, $a, $b, |x, y| conv(x).is_nan() || conv(y).is_nan()),
            Cond::Nge => !compare!($t, $cond, $a, $b, |x, y| conv(x) >= conv(y)),
            Cond::Nlg => !compare!($t, $cond, $a, $b, |x, y| conv(x) < conv(y) || conv(x) > conv(y)),
            Cond::Ngt => !compare!($t, $cond, $a, $b, |x, y| conv(x) > conv(y)),
            Cond::Nle => !compare!($t, $cond, $a, $b, |x, y| conv(x) <= conv(y)),
            Cond::Neq | Cond::Ne => !compare!($t, $cond, $a, $b, |x, y| conv(x) == conv(y)),
            Cond::Nlt => !compare!($t, $cond, $a, $b, |x, y| conv(x) < conv(y)),
            Cond::T => u64::MAX,
        }
    }};
}

#[inline(always)]
fn cmp_body(cond: Cond, ty: Elem, a: *const u32, b: *const u32) -> u64 {
    match ty {
        Elem::U16 | Elem::B16 => int_conditions!(cond, a, b, u32, |v| v & 0xffff),
        Elem::I16 => int_conditions!(cond, a, b, u32, |v| v as u16 as i16),
        Elem::I32 | Elem::I24 => int_conditions!(cond, a, b, i32, |v| v),
        Elem::U64 | Elem::B64 => int_conditions!(cond, a, b, u64, |v| v),
        Elem::I64 => int_conditions!(cond, a, b, i64, |v| v),
        Elem::F16 => float_conditions!(cond, a, b, u32, |v| f16_to_f32(v)),
        Elem::F32 => float_conditions!(cond, a, b, f32, |v| v),
        Elem::F64 => float_conditions!(cond, a, b, f64, |v| v),
        _ => int_conditions!(cond, a, b, u32, |v| v),
    }
}

#[inline(always)]
#[allow(clippy::undocumented_unsafe_blocks, reason = "one comment for the arms")]
fn class_body(ty: Elem, a: *const u32, b: *const u32) -> u64 {
    // SAFETY: for the all three, the caller of the kernel vouches for both operands.
    match ty {
        Elem::F16 => collect(|i| unsafe { class16(u32::load(a, i)) & u32::load(b, i) != 0 }),
        Elem::F64 => collect(|i| unsafe { class64(u64::load(a, i)) & u32::load(b, i) != 0 }),
        _ => collect(|i| unsafe { class32(u32::load(a, i)) & u32::load(b, i) != 0 }),
    }
}

/// Scale of a quotient's operands, so that the Newton steps of a division neither over- nor underflow, and whether
/// the result has to be scaled back (`v_div_scale_f32`; `a` is the operand to scale, `b` the denominator, `c` the
/// numerator).
#[inline(always)]
fn div_scale32(a: f32, b: f32, c: f32) -> (f32, bool) {
    let exponent = |v: f32| ((v.to_bits() >> 23) & 0xff) as i32;
    let denormal = |v: f32| v != 0.0 && exponent(v) == 0;
    let up = |v: f32| v * f32::from_bits((127 + 64) << 23);
    let down = |v: f32| v * f32::from_bits((127 - 64) << 23);
    let same = |x: f32, y: f32| x.to_bits() == y.to_bits();
    if b == 0.0 || c == 0.0 {
        return (f32::NAN, false);
    }
    if exponent(c) - exponent(b) >= 96 {
        // The quotient overflows or nearly so: scale the denominator up.
        return (if same(a, b) { up(a) } else { a }, true);
    }
    if denormal(b) {
        return (up(a), false);
    }
    let reciprocal_denormal = denormal(1.0 / b);
    let quotient_denormal = denormal(flushless_div(c, b));
    if reciprocal_denormal && quotient_denormal {
        // The guides say up, where it would overflow. The reciprocal has to be normal, and the quotient, too large by as
        // much as the denominator is too small, is scaled down in the end.
        return (if same(a, b) { down(a) } else { a }, true);
    }
    if reciprocal_denormal {
        return (down(a), false);
    }
    if quotient_denormal {
        return (if same(a, c) { up(a) } else { a }, true);
    }
    if exponent(c) <= 23 {
        return (up(a), false);
    }
    (a, false)
}

#[inline(always)]
fn flushless_div(n: f32, d: f32) -> f32 {
    n / d
}

#[inline(always)]
fn div_scale64(a: f64, b: f64, c: f64) -> (f64, bool) {
    let exponent = |v: f64| ((v.to_bits() >> 52) & 0x7ff) as i32;
    let denormal = |v: f64| v != 0.0 && exponent(v) == 0;
    let up = |v: f64| v * f64::from_bits((1023 + 128) << 52);
    let down = |v: f64| v * f64::from_bits((1023 - 128) << 52);
    let same = |x: f64, y: f64| x.to_bits() == y.to_bits();
    if b == 0.0 || c == 0.0 {
        return (f64::NAN, false);
    }
    if exponent(c) - exponent(b) >= 768 {
        return (if same(a, b) { up(a) } else { a }, true);
    }
    if denormal(b) {
        return (up(a), false);
    }
    let (reciprocal, quotient) = (denormal(1.0 / b), denormal(c / b));
    if reciprocal && quotient {
        return (if same(a, b) { down(a) } else { a }, true);
    }
    if reciprocal {
        return (down(a), false);
    }
    if quotient {
        return (if same(a, c) { up(a) } else { a }, true);
    }
    if exponent(c) <= 53 {
        return (up(a), false);
    }
    (a, false)
}

/// Operands of a carry operation.
#[derive(Clone, Copy, Debug)]
pub struct CarryArgs {
    /// Destination registers.
    pub d: *mut u32,
    /// Sources.
    pub a: *const u32,
    /// Second source.
    pub b: *const u32,
    /// Third source.
    pub c: *const u32,
    /// Carry in, a bit a lane.
    pub cin: u64,
}

#[inline(always)]
#[allow(clippy::undocumented_unsafe_blocks, reason = "one comment for the arms")]
fn carry_body(op: CarryOp, x: CarryArgs) -> u64 {
    let CarryArgs { d, a, b, c, cin } = x;
    // SAFETY: for the all arms, the caller vouches for the operands, and lanes are below 64.
    match op {
        CarryOp::Add => collect(|i| unsafe {
            let (p, o1) = u32::load(a, i).overflowing_add(u32::load(b, i));
            let (r, o2) = p.overflowing_add((cin >> i) as u32 & 1);
            r.store(d, i);
            o1 | o2
        }),
        CarryOp::Sub => collect(|i| unsafe {
            let (p, o1) = u32::load(a, i).overflowing_sub(u32::load(b, i));
            let (r, o2) = p.overflowing_sub((cin >> i) as u32 & 1);
            r.store(d, i);
            o1 | o2
        }),
        CarryOp::SubRev => collect(|i| unsafe {
            let (p, o1) = u32::load(b, i).overflowing_sub(u32::load(a, i));
            let (r, o2) = p.overflowing_sub((cin >> i) as u32 & 1);
            r.store(d, i);
            o1 | o2
        }),
        CarryOp::MadU64U32 => collect(|i| unsafe {
            let p = u64::from(u32::load(a, i)) * u64::from(u32::load(b, i));
            let (r, o) = p.overflowing_add(u64::load(c, i));
            r.store(d, i);
            o
        }),
        CarryOp::MadSatU64U32 => collect(|i| unsafe {
            let p = u64::from(u32::load(a, i)) * u64::from(u32::load(b, i));
            let (r, o) = p.overflowing_add(u64::load(c, i));
            (if o { u64::MAX } else { r }).store(d, i);
            o
        }),
        // The bit above the 64 of the signed sum.
        CarryOp::MadI64I32 => collect(|i| unsafe {
            let p = i64::from(i32::load(a, i)) * i64::from(i32::load(b, i));
            let (r, o) = p.overflowing_add(i64::load(c, i));
            r.store(d, i);
            (r < 0) != o
        }),
        CarryOp::MadSatI64I32 => collect(|i| unsafe {
            let p = i64::from(i32::load(a, i)) * i64::from(i32::load(b, i));
            let (r, o) = p.overflowing_add(i64::load(c, i));
            p.saturating_add(i64::load(c, i)).store(d, i);
            (r < 0) != o
        }),
        CarryOp::DivScaleF32 => collect(|i| unsafe {
            let (va, vb, vc) = (f32::load(a, i), f32::load(b, i), f32::load(c, i));
            let (r, o) = div_scale32(va, vb, vc);
            (if r.is_nan() { quiet32(f32::from_bits(0x7fc0_0000)) } else { r }).store(d, i);
            o
        }),
        CarryOp::DivScaleF64 => collect(|i| unsafe {
            let (va, vb, vc) = (f64::load(a, i), f64::load(b, i), f64::load(c, i));
            let (r, o) = div_scale64(va, vb, vc);
            (if r.is_nan() { quiet64(f64::from_bits(0x7ff8_0000_0000_0000)) } else { r }).store(d, i);
            o
        }),
    }
}

/// All ones in the lanes of `mask`.
#[inline(always)]
fn expand_body(mask: u64) -> Lanes {
    let mut out = Lanes::ZERO;
    for half in 0..2 {
        let bits = (mask >> (32 * half)) as u32;
        for i in 0..32 {
            out.0[32 * half + i] = (((bits << (31 - i)) as i32) >> 31) as u32;
        }
    }
    out
}

#[inline(always)]
fn blend_body(d: *mut u32, a: *const u32, mask: u64) {
    let m = expand_body(mask);
    for i in 0..WAVE {
        // SAFETY: the caller vouches for both registers.
        unsafe {
            let old = *d.add(i);
            *d.add(i) = (*a.add(i) & m.0[i]) | (old & !m.0[i]);
        }
    }
}

#[inline(always)]
fn select_body(d: *mut u32, a: *const u32, b: *const u32, mask: u64) {
    let m = expand_body(mask);
    for i in 0..WAVE {
        // SAFETY: the caller vouches for the registers.
        unsafe {
            let (x, y) = (*a.add(i), *b.add(i));
            *d.add(i) = (y & m.0[i]) | (x & !m.0[i]);
        }
    }
}

/// Whether all 64 addresses follow one another `stride` apart.
#[inline(always)]
fn contiguous_body(lo: *const u32, hi: *const u32, stride: u32) -> bool {
    // SAFETY: the caller vouches for both registers.
    unsafe {
        let (l0, h0) = (*lo, *hi);
        // A run that crosses 4 GiB is rare enough for the slow way.
        if l0.checked_add(stride * 63).is_none() {
            return false;
        }
        let mut wrong = 0;
        for i in 0..WAVE {
            wrong |= *lo.add(i) ^ (l0 + stride * i as u32);
            wrong |= *hi.add(i) ^ h0;
        }
        wrong == 0
    }
}

/// Whether all 64 offsets follow one another `stride` apart without wrapping.
#[inline(always)]
fn contiguous32_body(lo: *const u32, stride: u32) -> bool {
    // SAFETY: the caller vouches for the register.
    unsafe {
        let l0 = *lo;
        if l0.checked_add(stride * 63).is_none() {
            return false;
        }
        let mut wrong = 0;
        for i in 0..WAVE {
            wrong |= *lo.add(i) ^ (l0 + stride * i as u32);
        }
        wrong == 0
    }
}

/// Copies the lanes of `mask`; those outside it get the smallest of them. Gives the smallest, the largest, and all their
/// bits together.
#[inline(always)]
fn span_body(out: *mut u32, from: *const u32, mask: u64) -> (u32, u32, u32) {
    let m = if mask == u64::MAX { Lanes::splat(u32::MAX) } else { expand_body(mask) };
    let (mut least, mut most, mut bits) = ([u32::MAX; 16], [0; 16], [0; 16]);
    for k in (0..WAVE).step_by(16) {
        for i in 0..16 {
            // SAFETY: the caller vouches for both registers.
            let (v, m) = unsafe { (*from.add(k + i), m.0[k + i]) };
            let (low, high) = (v | !m, v & m);
            least[i] = if low < least[i] { low } else { least[i] };
            most[i] = if high > most[i] { high } else { most[i] };
            bits[i] |= high;
        }
    }
    let least = least.into_iter().fold(u32::MAX, u32::min);
    for i in 0..WAVE {
        // SAFETY: as above.
        unsafe { *out.add(i) = (*from.add(i) & m.0[i]) | (least & !m.0[i]) };
    }
    (least, most.into_iter().fold(0, u32::max), bits.into_iter().fold(0, |a, b| a | b))
}

/// Whether every lane of `mask` is `value`.
#[inline(always)]
fn uniform_body(v: *const u32, value: u32, mask: u64) -> bool {
    let m = if mask == u64::MAX { Lanes::splat(u32::MAX) } else { expand_body(mask) };
    let mut wrong = 0;
    for i in 0..WAVE {
        // SAFETY: the caller vouches for the register.
        wrong |= (unsafe { *v.add(i) } ^ value) & m.0[i];
    }
    wrong == 0
}

macro_rules! versions {
    ($(#[$doc:meta])* $name:ident, $body:ident, ($($p:ident : $t:ty),*) $(-> $r:ty)?) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// Pointers address whole registers as wide as the operation's types, and the host offers `level`.
        #[inline]
        pub unsafe fn $name(level: Level, $($p: $t),*) $(-> $r)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
                unsafe fn avx512($($p: $t),*) $(-> $r)? { $body($($p),*) }
                #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
                unsafe fn avx2($($p: $t),*) $(-> $r)? { $body($($p),*) }
                match level {
                    // SAFETY: the host offers the level.
                    Level::Avx512 => return unsafe { avx512($($p),*) },
                    // SAFETY: the host offers the level.
                    Level::Avx2 => return unsafe { avx2($($p),*) },
                    Level::Plain => {}
                }
            }
            let _ = level;
            $body($($p),*)
        }
    };
}

versions!(
    /// The lanes where the comparison holds.
    cmp, cmp_body, (cond: Cond, ty: Elem, a: *const u32, b: *const u32) -> u64);
versions!(
    /// The lanes whose class is in the mask `b`.
    cmp_class, class_body, (ty: Elem, a: *const u32, b: *const u32) -> u64);
versions!(
    /// A carry operation; gives the carry out of every lane.
    carry, carry_body, (op: CarryOp, args: CarryArgs) -> u64);
versions!(
    /// Lanes of `a` in `mask` replace those of `d`.
    blend, blend_body, (d: *mut u32, a: *const u32, mask: u64));
versions!(
    /// `d` = `mask ? b : a`, lane by lane.
    select, select_body, (d: *mut u32, a: *const u32, b: *const u32, mask: u64));
versions!(
    /// Whether 64-bit addresses are `stride` apart in lane order.
    contiguous, contiguous_body, (lo: *const u32, hi: *const u32, stride: u32) -> bool);
versions!(
    /// Whether 32-bit offsets are `stride` apart in lane order.
    contiguous32, contiguous32_body, (lo: *const u32, stride: u32) -> bool);

versions!(
    /// The lanes of a mask copied, those outside it with the smallest of them; the smallest, the largest, and all bits.
    span, span_body, (out: *mut u32, from: *const u32, mask: u64) -> (u32, u32, u32));
versions!(
    /// Whether every lane of a mask is `value`.
    uniform, uniform_body, (v: *const u32, value: u32, mask: u64) -> bool);

/// Whether a comparison's operands are wide.
pub const fn is_wide(ty: Elem) -> bool {
    matches!(ty, Elem::U64 | Elem::I64 | Elem::B64 | Elem::F64)
}

/// Flushes an operand of a comparison where MODE asks for it; kept here because comparisons have no temporaries.
pub fn flushed(v: u32, ty: Elem) -> u32 {
    match ty {
        Elem::F32 => flush32(f32::from_bits(v)).to_bits(),
        Elem::F16 if !is_nan16(v) => super::float::flush16(v),
        _ => v,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_survives_expansion_and_collection() {
        for mask in [0, u64::MAX, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef] {
            let m = expand_body(mask);
            assert_eq!(collect(|i| m.0[i] != 0), mask);
        }
    }

    #[test]
    fn addition_carries_out_of_every_lane_by_itself() {
        let a = Lanes(core::array::from_fn(|i| if i % 3 == 0 { u32::MAX } else { 5 }));
        let b = Lanes::splat(1);
        let mut d = Lanes::ZERO;
        let args = CarryArgs { d: d.0.as_mut_ptr(), a: a.0.as_ptr(), b: b.0.as_ptr(), c: a.0.as_ptr(), cin: 2 };
        // SAFETY: all pointers address one register, which is what an addition needs.
        let out = unsafe { carry(Level::detect(), CarryOp::Add, args) };
        for i in 0..64 {
            assert_eq!(out >> i & 1 == 1, i % 3 == 0);
            let cin = u32::from(i == 1);
            assert_eq!(d.0[i], a.0[i].wrapping_add(1 + cin));
        }
    }

    #[test]
    fn unordered_comparisons_are_the_complements_of_the_ordered() {
        let a = Lanes(core::array::from_fn(|i| if i % 5 == 0 { 0x7fc0_0000 } else { (i as f32).to_bits() }));
        let b = Lanes::splat(20f32.to_bits());
        let run = |c| {
            // SAFETY: both pointers address one register.
            unsafe { cmp(Level::detect(), c, Elem::F32, a.0.as_ptr(), b.0.as_ptr()) }
        };
        assert_eq!(run(Cond::Lt), !run(Cond::Nlt));
        assert_eq!(run(Cond::Lt).count_ones(), (0..20).filter(|i| i % 5 != 0).count() as u32);
        assert_eq!(run(Cond::O), !run(Cond::U));
        assert_eq!(run(Cond::Lg) | run(Cond::Eq), run(Cond::O));
    }
}

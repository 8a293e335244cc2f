//! Arithmetic in the rounding modes that are not "to nearest", a lane at a time.
//!
//! The host rounds to nearest. Here the result is first had in binary64 with what binary64 lost of it (two sums and
//! products of binary32 or binary16 numbers always come apart exactly so), and the nearest number of the result's type
//! is then moved to its neighbour where the mode wants the other side. Operations on binary64 are done in exact
//! fixed-point numbers ([`super::exact`]).

use super::LaneOp;
use super::exact::{BF16, Binary, F16, F32, F64, Sum, fused};
use super::float::{f16_to_f32, f32_to_f16, f64_to_f16, flush16, flush32, is_nan16};
use super::ops::{fmas_scale32, fmas_scale64};

/// MODE's rounding modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Toward +∞.
    Up,
    /// Toward −∞.
    Down,
    /// Toward zero.
    Zero,
}

impl Direction {
    /// MODE's two bits; `None` for to nearest.
    pub fn of(bits: u32) -> Option<Direction> {
        [None, Some(Direction::Up), Some(Direction::Down), Some(Direction::Zero)][bits as usize & 3]
    }

    /// Whether a nearest result on that side of the exact value (its sign, and whether it is above) has to give way,
    /// and whether upward.
    fn fix(self, below: bool, above: bool, negative: bool) -> Option<bool> {
        match self {
            Direction::Up => below.then_some(true),
            Direction::Down => above.then_some(false),
            Direction::Zero if negative => below.then_some(true),
            Direction::Zero => above.then_some(false),
        }
    }
}

/// `s + err` with |err| no more than half a unit of `s`.
#[derive(Clone, Copy)]
struct Exact {
    s: f64,
    err: f64,
    /// A zero that two terms of opposite signs left.
    cancelled: bool,
}

fn sum(a: f64, b: f64) -> Exact {
    let s = a + b;
    let bb = s - a;
    let err = (a - (s - bb)) + (b - bb);
    let cancelled = s == 0.0 && a.is_sign_negative() != b.is_sign_negative();
    Exact { s, err: if err.is_finite() { err } else { 0.0 }, cancelled }
}

fn to_f32(x: Exact, d: Direction) -> f32 {
    let r = x.s as f32;
    if x.s.is_nan() || x.s.is_infinite() {
        return r;
    }
    if x.s == 0.0 && x.err == 0.0 {
        return r;
    }
    let diff = x.s - f64::from(r);
    let (below, above) = (diff > 0.0 || (diff == 0.0 && x.err > 0.0), diff < 0.0 || (diff == 0.0 && x.err < 0.0));
    match d.fix(below, above, x.s < 0.0) {
        Some(true) => r.next_up(),
        Some(false) => r.next_down(),
        None => r,
    }
}

fn to_f16(x: Exact, d: Direction) -> u32 {
    let r = f64_to_f16(x.s);
    if x.s.is_nan() || x.s.is_infinite() || (x.s == 0.0 && x.err == 0.0) {
        return r;
    }
    let value = f64::from(f16_to_f32(r));
    let diff = x.s - value;
    let (below, above) = (diff > 0.0 || (diff == 0.0 && x.err > 0.0), diff < 0.0 || (diff == 0.0 && x.err < 0.0));
    let step = |up: bool| {
        let negative = r & 0x8000 != 0;
        match (r & 0x7fff, up) {
            (0, true) => 1,
            (0, false) => 0x8001,
            (m, up) => (r & 0x8000) | if up == negative { m - 1 } else { m + 1 },
        }
    };
    d.fix(below, above, x.s < 0.0).map_or(r, step)
}

/// The operations that round, with their operands as binary64; `None` for others.
fn exact(op: LaneOp, a: f64, b: f64, c: f64) -> Option<Exact> {
    Some(match op {
        LaneOp::AddF32 | LaneOp::AddF16 => sum(a, b),
        LaneOp::SubF32 | LaneOp::SubF16 => sum(a, -b),
        LaneOp::SubRevF32 | LaneOp::SubRevF16 => sum(b, -a),
        LaneOp::MulF32 | LaneOp::MulF16 => Exact { s: a * b, err: 0.0, cancelled: false },
        LaneOp::FmaF32 | LaneOp::FmaF16 => sum(a * b, c),
        _ => return None,
    })
}

/// Whether [`lane`] knows the operation.
pub fn rounds(op: LaneOp) -> bool {
    use LaneOp::*;
    exact(op, 0.0, 0.0, 0.0).is_some()
        || matches!(
            op,
            CvtF32I32
                | CvtF32U32
                | CvtF16F32
                | CvtF16U16
                | CvtF16I16
                | CvtF32F64
                | CvtBf16F32
                | FmaMixF16
                | MulLegacyF32
                | CubeMa
        )
        || matches!(op, MadF32 | MadLegacyF32 | MadF16 | MadFlushF16 | PkAddF16 | PkMulF16 | PkFmaF16)
        || matches!(op, AddF64 | MulF64 | FmaF64 | LdexpF32 | LdexpF64 | LdexpF16 | FmasF32 | FmasF64)
        || matches!(op, Mul2F32 | Mul4F32 | Div2F32 | Mul2F64 | Mul4F64 | Div2F64 | Mul2F16 | Mul4F16 | Div2F16)
        || matches!(op, FractF32 | FractF64 | FractF16)
}

/// Whether MODE's field for binary16 and binary64 applies to the operation, and not that for binary32.
pub fn rounds_as_16_64(op: LaneOp) -> bool {
    use LaneOp::*;
    matches!(op, AddF16 | SubF16 | SubRevF16 | MulF16 | FmaF16 | MadF16 | MadFlushF16 | PkAddF16 | PkMulF16)
        || matches!(op, PkFmaF16 | FmaMixF16 | FractF16 | FractF64)
        || matches!(op, CvtF16F32 | CvtF16U16 | CvtF16I16 | LdexpF16 | Mul2F16 | Mul4F16 | Div2F16)
        || matches!(op, AddF64 | MulF64 | FmaF64 | LdexpF64 | FmasF64 | Mul2F64 | Mul4F64 | Div2F64)
}

/// `v · 2^n` of a finite number, rounded; zeros keep their sign.
fn scaled(to: Binary, v: u64, n: i32, d: Direction) -> u64 {
    let (m, e) = to.split(v);
    let mut s = Sum::default();
    s.add(m, e + n.clamp(-2100, 2100));
    // Beyond either end of the range by so much, the side is all that matters.
    s.round(to, Some(d)).unwrap_or(v)
}

/// One operation on binary64, or a scaling: `None` for others.
fn wide(op: LaneOp, d: Direction, nearest: u64, a: u64, b: u64, c: u64) -> Option<u64> {
    use LaneOp::*;
    let n = |v: u64| v as u32 as i32;
    let finite = |f: Binary, x: &[u64]| x.iter().all(|v| f.is_finite(*v));
    Some(match op {
        AddF64 | MulF64 | FmaF64 => {
            let used: &[u64] = if op == FmaF64 { &[a, b, c] } else { &[a, b] };
            if !finite(F64, used) {
                return Some(nearest);
            }
            let ((x, ex), (y, ey), (z, ez)) = (F64.split(a), F64.split(b), F64.split(c));
            let mut s = Sum::default();
            let signs = match op {
                AddF64 => {
                    s.add(x, ex);
                    s.add(y, ey);
                    a ^ b
                }
                MulF64 => {
                    s.add(x * y, ex + ey);
                    0
                }
                _ => {
                    s.add(x * y, ex + ey);
                    s.add(z, ez);
                    a ^ b ^ c
                }
            };
            let cancelled = signs >> 63 == 1 && d == Direction::Down;
            s.round(F64, Some(d)).unwrap_or(if cancelled { 1 << 63 } else { nearest })
        }
        CvtF32F64 if F64.is_finite(a) => {
            let (m, e) = F64.split(a);
            let mut s = Sum::default();
            s.add(m, e);
            s.round(F32, Some(d)).unwrap_or(nearest)
        }
        CvtF32F64 => nearest,
        CvtBf16F32 if F32.is_finite(a) => {
            let (m, e) = F32.split(a);
            let mut s = Sum::default();
            s.add(m, e);
            s.round(BF16, Some(d)).unwrap_or(nearest)
        }
        CvtBf16F32 => nearest,
        LdexpF32 if F32.is_finite(a) => scaled(F32, a, n(b), d),
        LdexpF64 if F64.is_finite(a) => scaled(F64, a, n(b), d),
        LdexpF16 if F16.is_finite(a & 0xffff) => scaled(F16, a & 0xffff, i32::from(b as u16 as i16), d),
        FmasF32 if finite(F32, &[a, b, c]) => fused(F32, [a, b, c], fmas_scale32(c as u32), Some(d)).unwrap_or(nearest),
        FmasF64 if finite(F64, &[a, b, c]) => fused(F64, [a, b, c], fmas_scale64(c), Some(d)).unwrap_or(nearest),
        // Output scaling makes +0 of −0 and of subnormals.
        Mul2F32 | Mul4F32 | Div2F32 if F32.is_finite(a) => {
            let r = scaled(F32, a, output_scale(op), d);
            if r & 0x7f80_0000 == 0 { 0 } else { r }
        }
        Mul2F64 | Mul4F64 | Div2F64 if F64.is_finite(a) => {
            let r = scaled(F64, a, output_scale(op), d);
            if r & 0x7ff0_0000_0000_0000 == 0 { 0 } else { r }
        }
        Mul2F16 | Mul4F16 | Div2F16 if F16.is_finite(a & 0xffff) => {
            let r = scaled(F16, a & 0xffff, output_scale(op), d);
            if r & 0x7c00 == 0 { 0 } else { r }
        }
        FractF32 if F32.is_finite(a) => fract(F32, a, f32::from_bits(a as u32).floor().to_bits().into(), d),
        FractF64 if F64.is_finite(a) => fract(F64, a, f64::from_bits(a).floor().to_bits(), d),
        FractF16 if F16.is_finite(a & 0xffff) => {
            let floor = f32_to_f16(f16_to_f32(a as u32 & 0xffff).floor());
            fract(F16, a & 0xffff, floor.into(), d)
        }
        FractF32 | FractF64 | FractF16 => nearest,
        LdexpF32 | LdexpF64 | LdexpF16 | FmasF32 | FmasF64 => nearest,
        Mul2F32 | Mul4F32 | Div2F32 | Mul2F64 | Mul4F64 | Div2F64 | Mul2F16 | Mul4F16 | Div2F16 => nearest,
        _ => return None,
    })
}

/// A number less its floor, which stays below one.
fn fract(to: Binary, v: u64, floor: u64, d: Direction) -> u64 {
    let ((m, e), (n, f)) = (to.split(v), to.split(floor));
    let mut s = Sum::default();
    s.add(m, e);
    s.add(-n, f);
    // Nothing left is −0 toward −∞.
    let zero = if d == Direction::Down { 1 << (to.fraction + to.exponent) } else { 0 };
    let one = ((1 << (to.exponent - 1)) - 1) << to.fraction;
    s.round(to, Some(d)).map_or(zero, |r| if r == one { one - 1 } else { r })
}

fn output_scale(op: LaneOp) -> i32 {
    match op {
        LaneOp::Mul2F32 | LaneOp::Mul2F64 | LaneOp::Mul2F16 => 1,
        LaneOp::Mul4F32 | LaneOp::Mul4F64 | LaneOp::Mul4F16 => 2,
        _ => -1,
    }
}

/// One lane of an operation of one or two words: the result to nearest, moved as the mode asks.
pub fn lane(op: LaneOp, d: Direction, nearest: u64, a: u64, b: u64, c: u64) -> u64 {
    use LaneOp::*;
    if let Some(r) = wide(op, d, nearest, a, b, c) {
        return r;
    }
    let (a, b, c) = (a as u32, b as u32, c as u32);
    let nearest = nearest as u32;
    // An operation whose result to nearest is worked out here too.
    let of = |op: LaneOp, a: u32, b: u32, c: u32| narrow(op, d, to_nearest(op, a, b, c), a, b, c);
    let flush = |v: u32| flush32(f32::from_bits(v)).to_bits();
    let unfused = |a: u32, b: u32, c: u32| {
        let p = flush(of(MulF32, flush(a), flush(b), 0));
        flush(of(AddF32, p, flush(c), 0))
    };
    let halves =
        |op: LaneOp| of(op, a & 0xffff, b & 0xffff, c & 0xffff) & 0xffff | of(op, a >> 16, b >> 16, c >> 16) << 16;
    u64::from(match op {
        // Zero times anything, NaN too.
        MadLegacyF32 if flush(a) << 1 == 0 || flush(b) << 1 == 0 => flush(of(AddF32, 0, flush(c), 0)),
        // An infinity that overflow alone makes to nearest may be no infinity in this direction.
        MadF32 | MadLegacyF32 if [a, b, c].iter().any(|v| f32::from_bits(*v).is_nan()) => nearest,
        MulLegacyF32 if f32::from_bits(nearest).is_nan() => nearest,
        MadF32 => unfused(a, b, c),
        MulLegacyF32 if f32::from_bits(a) == 0.0 || f32::from_bits(b) == 0.0 => 0,
        MulLegacyF32 => of(MulF32, a, b, 0),
        MadLegacyF32 => unfused(a, b, c),
        MadF16 | MadFlushF16 if [a, b, c].iter().any(|v| is_nan16(*v & 0xffff)) => nearest,
        MadF16 => of(AddF16, of(MulF16, a & 0xffff, b & 0xffff, 0), c & 0xffff, 0),
        MadFlushF16 => {
            let p = flush16(of(MulF16, a & 0xffff, b & 0xffff, 0));
            of(AddF16, p, c & 0xffff, 0)
        }
        PkAddF16 => halves(AddF16),
        PkMulF16 => halves(MulF16),
        PkFmaF16 => halves(FmaF16),
        _ => narrow(op, d, nearest, a, b, c),
    })
}

/// What the lane loop gives in one lane.
fn to_nearest(op: LaneOp, a: u32, b: u32, c: u32) -> u32 {
    let (x, y, z) = (super::Lanes::splat(a), super::Lanes::splat(b), super::Lanes::splat(c));
    let mut r = super::Lanes::ZERO;
    // SAFETY: every pointer addresses one register, which is what these operations on single words take.
    unsafe {
        op.general(super::Level::Plain)(
            (&raw mut r).cast(),
            (&raw const x).cast(),
            (&raw const y).cast(),
            (&raw const z).cast(),
        );
    }
    r.0[0]
}

/// One lane: the result to nearest (which is right where it is exact or not finite by NaN), moved as the mode asks.
fn narrow(op: LaneOp, d: Direction, nearest: u32, a: u32, b: u32, c: u32) -> u32 {
    let half = matches!(op, LaneOp::AddF16 | LaneOp::SubF16 | LaneOp::SubRevF16 | LaneOp::MulF16 | LaneOp::FmaF16);
    let value = |v: u32| if half { f64::from(f16_to_f32(v)) } else { f64::from(f32::from_bits(v)) };
    let one = |s: f64| Exact { s, err: 0.0, cancelled: false };
    match op {
        LaneOp::CvtF32I32 => to_f32(one(f64::from(a as i32)), d).to_bits(),
        LaneOp::CvtF32U32 => to_f32(one(f64::from(a)), d).to_bits(),
        LaneOp::CvtF16F32 if is_nan16(nearest) => nearest,
        LaneOp::CvtF16F32 => to_f16(one(f64::from(f32::from_bits(a))), d),
        LaneOp::CvtF16U16 => to_f16(one(f64::from(a & 0xffff)), d),
        LaneOp::CvtF16I16 => to_f16(one(f64::from(a as u16 as i16)), d),
        LaneOp::CubeMa if f32::from_bits(nearest).is_infinite() && [a, b, c].iter().all(|v| value(*v).is_finite()) => {
            to_f32(one(f64::from(f32::from_bits(nearest).signum()) * 2f64.powi(128)), d).to_bits()
        }
        LaneOp::CubeMa => nearest,
        LaneOp::FmaMixF16 if is_nan16(nearest) => nearest,
        LaneOp::FmaMixF16 => {
            let f = |v: u32| f64::from(f32::from_bits(v));
            let x = sum(f(a) * f(b), f(c));
            let r = to_f16(x, d);
            if r & 0x7fff == 0 { zero(x, d, nearest, r, 0x8000) } else { r }
        }
        _ => match exact(op, value(a), value(b), value(c)) {
            Some(x) if half && !is_nan16(nearest) => {
                let r = to_f16(x, d);
                if r & 0x7fff == 0 { zero(x, d, nearest, r, 0x8000) } else { r }
            }
            Some(x) if !half && !f32::from_bits(nearest).is_nan() => {
                let r = to_f32(x, d).to_bits();
                if r & 0x7fff_ffff == 0 { zero(x, d, nearest, r, 0x8000_0000) } else { r }
            }
            _ => nearest,
        },
    }
}

/// A zero result: of a cancellation it is −0 toward −∞, else as to nearest; of an underflow it keeps its sign.
fn zero(x: Exact, d: Direction, nearest: u32, r: u32, minus: u32) -> u32 {
    if x.s != 0.0 || x.err != 0.0 {
        return r;
    }
    if d == Direction::Down && x.cancelled { minus } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(op: LaneOp, d: Direction, a: f32, b: f32, c: f32) -> f32 {
        let nearest = match op {
            LaneOp::AddF32 => a + b,
            LaneOp::MulF32 => a * b,
            _ => a.mul_add(b, c),
        };
        f32::from_bits(narrow(op, d, nearest.to_bits(), a.to_bits(), b.to_bits(), c.to_bits()))
    }

    #[test]
    fn an_inexact_sum_lies_on_the_side_that_the_mode_wants() {
        let tiny = f32::from_bits(1);
        assert_eq!(f(LaneOp::AddF32, Direction::Up, 1.0, tiny, 0.0), 1f32.next_up());
        assert_eq!(f(LaneOp::AddF32, Direction::Down, 1.0, tiny, 0.0), 1.0);
        assert_eq!(f(LaneOp::AddF32, Direction::Down, 1.0, -tiny, 0.0), 1f32.next_down());
        assert_eq!(f(LaneOp::AddF32, Direction::Zero, -1.0, tiny, 0.0), (-1f32).next_up());
        assert_eq!(f(LaneOp::AddF32, Direction::Up, 1.0, 2.0, 0.0), 3.0);
    }

    #[test]
    fn overflow_stops_at_the_largest_number_where_the_mode_points_inward() {
        assert_eq!(f(LaneOp::MulF32, Direction::Zero, f32::MAX, 2.0, 0.0), f32::MAX);
        assert_eq!(f(LaneOp::MulF32, Direction::Down, f32::MAX, 2.0, 0.0), f32::MAX);
        assert_eq!(f(LaneOp::MulF32, Direction::Up, f32::MAX, 2.0, 0.0), f32::INFINITY);
        assert_eq!(f(LaneOp::MulF32, Direction::Up, -f32::MAX, 2.0, 0.0), -f32::MAX);
    }

    #[test]
    fn a_fused_product_rounds_once_in_every_mode() {
        let a = 1.0 + f32::EPSILON;
        // a·a = 1 + 2ε + ε²: the square of ε decides.
        assert_eq!(f(LaneOp::FmaF32, Direction::Down, a, a, 0.0), 1.0 + 2.0 * f32::EPSILON);
        assert_eq!(f(LaneOp::FmaF32, Direction::Up, a, a, 0.0), 1.0 + 3.0 * f32::EPSILON);
        assert_eq!(narrow(LaneOp::CvtF32U32, Direction::Zero, 0, 0xffff_ffff, 0, 0), 0x4f7f_ffff);
        assert_eq!(narrow(LaneOp::CvtF16F32, Direction::Up, 0x3c00, 0x3f80_0001, 0, 0), 0x3c01);
    }

    #[test]
    fn every_rounding_brackets_the_nearest_and_agrees_with_it_where_the_result_is_exact() {
        let mut x = 0x1234_5678_9abc_def1u64;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        };
        for op in LaneOp::ALL.iter().copied().filter(|op| rounds(*op)) {
            let (dst, src) = op.regs();
            for _ in 0..200 {
                // Ordinary numbers: exponents near each other, whatever the type.
                let mut word = |regs: u8| {
                    let v = next();
                    match regs {
                        2 => v & !(0x7ff << 52) | (1020 + v % 7) << 52,
                        _ if format!("{op:?}").contains("F16")
                            && !matches!(op, LaneOp::CvtF16F32 | LaneOp::FmaMixF16) =>
                        {
                            let half = |h: u64| h & 0x83ff | (13 + h % 5) << 10;
                            half(v & 0xffff) | half(v >> 16 & 0xffff) << 16
                        }
                        _ => (v & 0x807f_ffff) | (125 + v % 5) << 23,
                    }
                };
                let [a, b, c] = src.map(&mut word);
                let b = if format!("{op:?}").starts_with("Ldexp") { b & 7 } else { b };
                let mut regs = [[super::super::Lanes::ZERO; 2]; 4];
                for (r, v) in regs[1..].iter_mut().zip([a, b, c]) {
                    *r = [super::super::Lanes::splat(v as u32), super::super::Lanes::splat((v >> 32) as u32)];
                }
                let [d, ra, rb, rc] = &mut regs;
                // SAFETY: each pointer addresses two registers, the most that an operand spans.
                unsafe {
                    op.general(super::super::Level::Plain)(
                        d.as_mut_ptr().cast(),
                        ra.as_ptr().cast(),
                        rb.as_ptr().cast(),
                        rc.as_ptr().cast(),
                    );
                }
                let nearest = u64::from(d[0].0[0]) | if dst == 2 { u64::from(d[1].0[0]) << 32 } else { 0 };
                let [up, down, zero] =
                    [Direction::Up, Direction::Down, Direction::Zero].map(|m| lane(op, m, nearest, a, b, c));
                // In two unfused steps the first may go the other way, so only one of the bounds is sure.
                if matches!(op, LaneOp::MadF32 | LaneOp::MadLegacyF32 | LaneOp::MadF16 | LaneOp::MadFlushF16) {
                    continue;
                }
                let packed = matches!(op, LaneOp::PkAddF16 | LaneOp::PkMulF16 | LaneOp::PkFmaF16);
                for (shift, mask) in if packed { [(0, 0xffff), (16, 0xffff)] } else { [(0, u64::MAX); 2] } {
                    let [near, up, down, zero] = [nearest, up, down, zero].map(|v| v >> shift & mask);
                    let text = format!("{op:?} {a:#x} {b:#x} {c:#x}: {near:#x} {up:#x} {down:#x} {zero:#x}");
                    assert!(near == up || near == down, "{text}");
                    assert!(zero == up || zero == down, "{text}");
                }
            }
        }
    }

    #[test]
    fn a_zero_left_by_cancellation_is_negative_toward_minus_infinity() {
        let (one, minus) = (1f64.to_bits(), (-1f64).to_bits());
        assert_eq!(lane(LaneOp::AddF64, Direction::Down, 0, one, minus, 0), 1 << 63);
        assert_eq!(lane(LaneOp::AddF64, Direction::Up, 0, one, minus, 0), 0);
        assert_eq!(lane(LaneOp::FmaF64, Direction::Down, 0, one, one, minus), 1 << 63);
        assert_eq!(lane(LaneOp::MulF64, Direction::Up, 0, 1, 1, 0), 1);
        assert_eq!(
            lane(LaneOp::MulF64, Direction::Zero, f64::INFINITY.to_bits(), f64::MAX.to_bits(), 2f64.to_bits(), 0),
            f64::MAX.to_bits()
        );
    }
}

//! Arithmetic in the rounding modes that are not "to nearest", a lane at a time.
//!
//! The host rounds to nearest. Here the result is first had in binary64 with what binary64 lost of it (two sums and
//! products of binary32 or binary16 numbers always come apart exactly so), and the nearest number of the result's type
//! is then moved to its neighbour where the mode wants the other side.

use super::LaneOp;
use super::float::{f16_to_f32, f64_to_f16, is_nan16};

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
    matches!(op, LaneOp::CvtF32I32 | LaneOp::CvtF32U32 | LaneOp::CvtF16F32) || exact(op, 0.0, 0.0, 0.0).is_some()
}

/// One lane: the result to nearest (which is right where it is exact or not finite by NaN), moved as the mode asks.
pub fn lane(op: LaneOp, d: Direction, nearest: u32, a: u32, b: u32, c: u32) -> u32 {
    let half = matches!(op, LaneOp::AddF16 | LaneOp::SubF16 | LaneOp::SubRevF16 | LaneOp::MulF16 | LaneOp::FmaF16);
    let value = |v: u32| if half { f64::from(f16_to_f32(v)) } else { f64::from(f32::from_bits(v)) };
    let one = |s: f64| Exact { s, err: 0.0, cancelled: false };
    match op {
        LaneOp::CvtF32I32 => to_f32(one(f64::from(a as i32)), d).to_bits(),
        LaneOp::CvtF32U32 => to_f32(one(f64::from(a)), d).to_bits(),
        LaneOp::CvtF16F32 if is_nan16(nearest) => nearest,
        LaneOp::CvtF16F32 => to_f16(one(f64::from(f32::from_bits(a))), d),
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
        f32::from_bits(lane(op, d, nearest.to_bits(), a.to_bits(), b.to_bits(), c.to_bits()))
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
        assert_eq!(lane(LaneOp::CvtF32U32, Direction::Zero, 0, 0xffff_ffff, 0, 0), 0x4f7f_ffff);
        assert_eq!(lane(LaneOp::CvtF16F32, Direction::Up, 0x3c00, 0x3f80_0001, 0, 0), 0x3c01);
    }
}

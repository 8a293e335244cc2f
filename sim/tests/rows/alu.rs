//! What each vector instruction gives a lane, by its mnemonic alone: a plain reading of the ISA guides in exact
//! arithmetic, for one lane at a time. Where the guides and LLVM's use of an instruction disagree, LLVM's meaning, as
//! the chapter on the engine lists it. The rows' own classes are not looked at: a row in the wrong class shows here.

use crate::exact::{BF16, F16, F32, F64, Ieee, Num, Round};
use crate::small::Small;
use num_bigint::BigUint;
use std::cmp::Ordering;

/// What the bits of an operand are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    F16,
    Bf16,
    F32,
    F64,
    /// Two binary16 in a register.
    PairF16,
    PairBf16,
    /// Two binary32 in two registers.
    PairF32,
    /// Two integers of 16 bits in a register.
    PairI16,
    I16,
    I32,
    I64,
    /// Bits with a sign that can be changed, as `v_cndmask_b32` has it.
    B32,
    /// Bits of whatever an instruction takes them for.
    Raw,
}

impl Ty {
    /// The format, if it is a single float.
    pub fn ieee(self) -> Option<Ieee> {
        match self {
            Ty::F16 => Some(F16),
            Ty::Bf16 => Some(BF16),
            Ty::F32 => Some(F32),
            Ty::F64 => Some(F64),
            _ => None,
        }
    }
    /// Whether a sign can be changed.
    pub fn signed(self) -> Option<Ieee> {
        if self == Ty::B32 { Some(F32) } else { self.ieee() }
    }
    /// Whether a half of a register can be selected.
    pub fn is_half(self) -> bool {
        matches!(self, Ty::F16 | Ty::I16 | Ty::Bf16)
    }
}

/// One element of a result.
#[derive(Clone, Copy, Debug)]
pub enum Elem {
    /// A float of a format: any NaN equals any other.
    Float(Ieee, u64),
    /// So many bits.
    Bits(u32, u64),
    /// A float of a function that silicon approximates: as good as this, in units of the last place.
    Near(Ieee, u64, u64),
    /// A float whose absolute error is bounded.
    Within(Ieee, f64, f64),
}

impl Elem {
    pub fn width(&self) -> u32 {
        match self {
            Elem::Float(f, _) | Elem::Near(f, ..) | Elem::Within(f, ..) => f.bits(),
            Elem::Bits(n, _) => *n,
        }
    }
}

/// A lane's result.
#[derive(Clone, Debug, Default)]
pub struct Out {
    /// Elements, from bit 0 up.
    pub elems: Vec<Elem>,
    /// The lane's bit of a mask.
    pub mask: Option<bool>,
    /// Bits from which the elements go, if they leave the others of the destination alone.
    pub at: Option<u32>,
}

fn one(e: Elem) -> Option<Out> {
    Some(Out { elems: vec![e], ..Out::default() })
}
fn bits(width: u32, v: u64) -> Option<Out> {
    one(Elem::Bits(width, if width == 64 { v } else { v & ((1 << width) - 1) }))
}
fn test(mask: bool) -> Option<Out> {
    Some(Out { mask: Some(mask), ..Out::default() })
}

/// An instruction with the operands of a lane, and what it runs under.
pub struct Lane<'a> {
    pub name: &'a str,
    /// Registers' words of each source, after selection, sign and flush.
    pub s: [Vec<u32>; 3],
    /// The destination before.
    pub old: Vec<u32>,
    /// The lane's bit of the mask read.
    pub carry: bool,
    pub lane: u32,
    pub mode: u32,
    pub clamp: bool,
    pub op_sel: u32,
    pub op_sel_hi: u32,
    pub neg: u32,
    pub neg_hi: u32,
    /// Abs, negation and output modifier as they stand in the encoding: a truth table.
    pub table: u32,
    pub fnuz: bool,
}

/// The types of an instruction's sources, by its name.
pub fn sources(name: &str) -> [Ty; 3] {
    let words: Vec<&str> = name.split('_').collect();
    let last = words[words.len() - 1];
    let ty = |s: &str| match s {
        "f16" => Ty::F16,
        "bf16" => Ty::Bf16,
        "f32" => Ty::F32,
        "f64" => Ty::F64,
        "i16" | "u16" | "b16" => Ty::I16,
        "i64" | "u64" | "b64" => Ty::I64,
        _ => Ty::I32,
    };
    let t = ty(last);
    let pair = match last {
        "f16" => Ty::PairF16,
        "bf16" => Ty::PairBf16,
        "f32" => Ty::PairF32,
        "i16" | "u16" | "b16" => Ty::PairI16,
        _ => Ty::Raw,
    };
    match name {
        "v_cndmask_b32" => [Ty::B32; 3],
        "v_pk_mov_b32" => [Ty::Raw; 3],
        n if n.starts_with("v_fma_mix") => [Ty::Raw; 3],
        n if n.starts_with("v_pk_") => [pair; 3],
        n if n.starts_with("v_dot") => match last {
            "f16" | "bf16" => [pair, pair, Ty::F32],
            "i16" | "u16" => [Ty::PairI16, Ty::PairI16, Ty::I32],
            _ => [Ty::Raw, Ty::Raw, Ty::I32],
        },
        n if n.starts_with("v_ldexp") => [t, if t == Ty::F16 { Ty::I16 } else { Ty::I32 }, t],
        n if n.contains("_class_") => [t, Ty::I32, Ty::I32],
        "v_lshlrev_b64" | "v_lshrrev_b64" | "v_ashrrev_i64" => [Ty::I32, Ty::I64, Ty::I32],
        "v_lshl_add_u64" => [Ty::I64, Ty::I32, Ty::I64],
        "v_mad_u64_u32" | "v_mad_i64_i32" => [Ty::I32, Ty::I32, Ty::I64],
        "v_mad_u32_u16" | "v_mad_i32_i16" => [Ty::I16, Ty::I16, Ty::I32],
        "v_trig_preop_f64" => [Ty::F64, Ty::I32, Ty::I32],
        "v_qsad_pk_u16_u8" | "v_mqsad_pk_u16_u8" => [Ty::I64, Ty::I32, Ty::I64],
        "v_mqsad_u32_u8" => [Ty::I64, Ty::I32, Ty::Raw],
        "v_cvt_pk_u8_f32" | "v_cvt_pkaccum_u8_f32" => [Ty::F32, Ty::I32, Ty::I32],
        "v_cvt_sr_fp8_f32" | "v_cvt_sr_bf8_f32" | "v_cvt_sr_f16_f32" | "v_cvt_sr_bf16_f32" => {
            [Ty::F32, Ty::I32, Ty::I32]
        }
        n if n.starts_with("v_cvt_scalef32") => [Ty::Raw; 3],
        n if n.ends_with("fp8") || n.ends_with("bf8") => [Ty::Raw; 3],
        "v_sat_pk_u8_i16" => [Ty::Raw; 3],
        n if n.starts_with("v_cvt_f32_ubyte") => [Ty::I32; 3],
        "v_cvt_pk_i16_i32" | "v_cvt_pk_u16_u32" => [Ty::I32; 3],
        _ => [t; 3],
    }
}

/// Whether `clamp` saturates the integers of an instruction.
pub fn saturates(name: &str) -> bool {
    let exact = [
        "v_add_u16",
        "v_sub_u16",
        "v_subrev_u16",
        "v_add_i16",
        "v_sub_i16",
        "v_add_u32",
        "v_sub_u32",
        "v_subrev_u32",
        "v_add_i32",
        "v_sub_i32",
        "v_mad_u16",
        "v_mad_i16",
        "v_mad_legacy_u16",
        "v_mad_legacy_i16",
        "v_mad_u32_u16",
        "v_mad_i32_i16",
        "v_mad_i32_i24",
        "v_mad_u32_u24",
        "v_pk_add_i16",
        "v_pk_sub_i16",
        "v_pk_add_u16",
        "v_pk_sub_u16",
        "v_pk_mad_i16",
        "v_pk_mad_u16",
        "v_sad_u8",
        "v_sad_hi_u8",
        "v_sad_u16",
        "v_sad_u32",
        "v_msad_u8",
        "v_qsad_pk_u16_u8",
        "v_mqsad_pk_u16_u8",
        "v_mqsad_u32_u8",
    ];
    exact.contains(&name) || name.starts_with("v_dot") && !name.contains("f32")
}

fn sext(v: u64, width: u32) -> i64 {
    ((v << (64 - width)) as i64) >> (64 - width)
}

impl Lane<'_> {
    fn w(&self, i: usize) -> u64 {
        u64::from(self.s[i].first().copied().unwrap_or(0))
    }
    fn q(&self, i: usize) -> u64 {
        self.w(i) | u64::from(self.s[i].get(1).copied().unwrap_or(0)) << 32
    }
    fn i(&self, i: usize) -> i64 {
        self.w(i) as u32 as i32 as i64
    }
    /// A source's number in a format.
    fn n(&self, i: usize, f: Ieee) -> Num {
        f.number(self.f(i, f))
    }
    /// A source's bits in a format.
    fn f(&self, i: usize, f: Ieee) -> u64 {
        if f == F64 { self.q(i) } else { self.w(i) & (2 * f.sign() - 1) }
    }
    fn rounding(&self, f: Ieee) -> Round {
        Round::of(if f == F32 { self.mode } else { self.mode >> 2 })
    }
    /// Whether subnormal operands, and results, of a format are zero.
    pub fn flushes(mode: u32, f: Ieee) -> (bool, bool) {
        let at = if f == F32 { 4 } else { 6 };
        if f == BF16 { (false, false) } else { (mode >> at & 1 == 0, mode >> (at + 1) & 1 == 0) }
    }
    fn ieee_mode(&self) -> bool {
        self.mode >> 9 & 1 == 1
    }
    fn caps(&self) -> bool {
        self.mode >> 23 & 1 == 1
    }
    /// A number as the result of arithmetic in a format.
    fn rounded(&self, f: Ieee, n: &Num, infinite: bool) -> Elem {
        let r = f.round(n, self.rounding(f));
        // FP16_OVFL: what overflows is the largest number; what was infinite stays so.
        let r = if f == F16 && self.caps() && f.magnitude(r) == f.infinity() && !infinite {
            r & f.sign() | f.largest()
        } else {
            r
        };
        Elem::Float(f, r)
    }
    /// The smaller or larger of two as MODE has it.
    fn extreme(&self, f: Ieee, a: u64, b: u64, larger: bool) -> u64 {
        if self.ieee_mode() && (f.is_signalling(a) || f.is_signalling(b)) {
            return f.nan();
        }
        match (f.is_nan(a), f.is_nan(b)) {
            (true, true) => return f.nan(),
            (true, false) => return b,
            (false, true) => return a,
            _ => {}
        }
        let less = match f.number(a).compare(&f.number(b)) {
            Some(Ordering::Less) => true,
            Some(Ordering::Greater) => false,
            _ => a & f.sign() != 0,
        };
        if less == larger { b } else { a }
    }

    /// The lane's result, or nothing where this model does not know the instruction.
    pub fn result(&self) -> Option<Out> {
        let name = self.name;
        if name.starts_with("v_cmp") {
            return self.compare();
        }
        if name.starts_with("v_cvt") {
            return self.convert();
        }
        if name.starts_with("v_pk_") {
            return self.packed();
        }
        if name.starts_with("v_dot") {
            return self.dot();
        }
        let (stem, suffix) = name[2..].rsplit_once('_')?;
        let float = match suffix {
            "f16" => Some(F16),
            "f32" => Some(F32),
            "f64" => Some(F64),
            _ => None,
        };
        if let Some(f) = float
            && let Some(out) = self.float(stem, f)
        {
            return Some(out);
        }
        self.integer()
    }

    fn float(&self, stem: &str, f: Ieee) -> Option<Out> {
        let how = self.rounding(f);
        let n = |i| self.n(i, f);
        let read = if stem == "ldexp" { 1 } else { 3 };
        let any = (0..read).filter(|i| !self.s[*i].is_empty()).any(|i| n(i).is_infinite());
        let arith = |r: &Num| one(self.rounded(f, r, any));
        let same = |r: u64| one(Elem::Float(f, r));
        let accumulator = || {
            let v = u64::from(self.old[0]) | u64::from(self.old.get(1).copied().unwrap_or(0)) << 32;
            let v = if f == F64 { v } else { v & (2 * f.sign() - 1) };
            if Self::flushes(self.mode, f).0 { f.flushed(v) } else { v }
        };
        // Two roundings; binary32 without subnormals.
        let twice = |a: Num, b: Num, c: u64, legacy: bool| {
            let clean = |v: Num| if f == F32 { F32.number(F32.flushed(F32.round(&v, how))) } else { v };
            let (a, b, c) = (clean(a), clean(b), clean(f.number(c)));
            let product = if legacy && (a.is_zero() || b.is_zero()) { Num::zero(false) } else { a.mul(&b) };
            let product = f.number(f.round(&product, how));
            // As an addition behind a multiplication would have it.
            let (input, output) = Self::flushes(self.mode, f);
            let product =
                if f == F16 && (input || output) { f.number(f.flushed(f.round(&product, how))) } else { product };
            let product = if f == F32 { clean(product) } else { product };
            let sum = f.round(&product.add(&c, how), how);
            if f == F16 && self.caps() && f.magnitude(sum) == f.infinity() && !any && !c.is_infinite() {
                return same(sum & f.sign() | f.largest());
            }
            same(if f == F32 { F32.flushed(sum) } else { sum })
        };
        match stem {
            "add" => arith(&n(0).add(&n(1), how)),
            "sub" => arith(&n(0).sub(&n(1), how)),
            "subrev" => arith(&n(1).sub(&n(0), how)),
            "mul" => arith(&n(0).mul(&n(1))),
            "mul_legacy" if n(0).is_zero() || n(1).is_zero() => same(0),
            "mul_legacy" => arith(&n(0).mul(&n(1))),
            "min" => same(self.extreme(f, self.f(0, f), self.f(1, f), false)),
            "max" => same(self.extreme(f, self.f(0, f), self.f(1, f), true)),
            "min3" | "max3" => {
                let larger = stem == "max3";
                let t = self.extreme(f, self.f(0, f), self.f(1, f), larger);
                same(self.extreme(f, t, self.f(2, f), larger))
            }
            "med3" => {
                let [a, b, c] = [0, 1, 2].map(|i| self.f(i, f));
                if [a, b, c].iter().any(|v| f.is_nan(*v)) {
                    let t = self.extreme(f, a, b, false);
                    return same(self.extreme(f, t, c, false));
                }
                // The larger of those that are not the largest, by value: of zeros of both signs the first counts.
                let most = [b, c].iter().fold(a, |m, v| self.extreme(f, m, *v, true));
                let is = |v: u64| f.number(v).compare(&f.number(most)) == Some(Ordering::Equal);
                same(if is(a) {
                    self.extreme(f, b, c, true)
                } else if is(b) {
                    self.extreme(f, a, c, true)
                } else {
                    self.extreme(f, a, b, true)
                })
            }
            "minimum3" | "maximum3" => same(self.of_2019(f, [0, 1, 2].map(|i| self.f(i, f)), stem == "maximum3")),
            "fma" => arith(&n(0).fma(&n(1), &n(2), how)),
            "fma_legacy" => arith(&n(0).fma(&n(1), &n(2), how)),
            "fmac" => {
                let c = f.number(accumulator());
                one(self.rounded(f, &n(0).fma(&n(1), &c, how), any || c.is_infinite()))
            }
            "fmamk" => arith(&n(0).fma(&n(1), &n(2), how)),
            "fmaak" => arith(&n(0).fma(&n(1), &n(2), how)),
            "mad" | "madmk" | "madak" => twice(n(0), n(1), self.f(2, f), false),
            "mac" => twice(n(0), n(1), accumulator(), false),
            "mad_legacy" if f == F32 => twice(n(0), n(1), self.f(2, f), true),
            "mad_legacy" => twice(n(0), n(1), self.f(2, f), false),
            "trunc" => arith(&n(0).whole(Round::Zero)),
            "ceil" => arith(&n(0).whole(Round::Up)),
            "floor" => arith(&n(0).whole(Round::Down)),
            "rndne" => arith(&n(0).whole(Round::Nearest)),
            "fract" => {
                let a = n(0);
                let r = f.round(&a.sub(&a.whole(Round::Down), how), how);
                // Below one, whatever the rounding.
                let one_ = (f.bias() as u64) << f.fraction;
                same(if !f.is_nan(r) && f.magnitude(r) >= one_ { one_ - 1 } else { r })
            }
            "ldexp" => {
                let by = if f == F16 { sext(self.w(1), 16) } else { self.i(1) };
                arith(&n(0).scaled(by.clamp(-5000, 5000)))
            }
            "frexp_mant" => match n(0) {
                Num::Finite { negative, m, .. } if m.bits() > 0 => {
                    let e = -(m.bits() as i64);
                    arith(&Num::finite(negative, m, e))
                }
                v => arith(&v),
            },
            "frexp_exp_i32" | "frexp_exp_i16" => {
                let e = match n(0) {
                    Num::Finite { m, e, .. } if m.bits() > 0 => e + m.bits() as i64,
                    _ => 0,
                };
                bits(if f == F16 { 16 } else { 32 }, e as u64)
            }
            "cubeid" | "cubesc" | "cubetc" | "cubema" => self.cube(stem, how),
            "div_fixup" | "div_fixup_legacy" => self.div_fixup(f),
            "trig_preop" => self.trig_preop(),
            "rcp" | "rcp_iflag" | "rsq" | "sqrt" | "exp" | "log" | "exp_legacy" | "log_legacy" | "sin" | "cos" => {
                self.function(stem.trim_end_matches("_legacy").trim_end_matches("_iflag"), f)
            }
            _ => None,
        }
    }

    /// Minimum and maximum of IEEE 754-2019: any NaN wins.
    fn of_2019(&self, f: Ieee, v: [u64; 3], larger: bool) -> u64 {
        if v.iter().any(|x| f.is_nan(*x)) {
            return f.nan();
        }
        let pick = |a: u64, b: u64| {
            let order = f.number(a).compare(&f.number(b)).expect("numbers");
            let less = order.is_lt() || order.is_eq() && a & f.sign() != 0;
            if less == larger { b } else { a }
        };
        pick(pick(v[0], v[1]), v[2])
    }

    fn cube(&self, stem: &str, how: Round) -> Option<Out> {
        let v = [0, 1, 2].map(|i| self.n(i, F32));
        if v.iter().any(Num::is_nan) {
            // Which face a NaN lies on is not said.
            return Some(Out::default());
        }
        let [x, y, z] = v;
        let less = |a: &Num, b: &Num| a.clone().abs().compare(&b.clone().abs()).expect("numbers").is_lt();
        let below = |a: &Num| a.negative() && !a.is_zero();
        let axis = if !less(&z, &x) && !less(&z, &y) {
            2
        } else if !less(&y, &x) {
            1
        } else {
            0
        };
        let r = match (stem, axis) {
            ("cubeid", 2) => Num::int(if below(&z) { 5 } else { 4 }),
            ("cubeid", 1) => Num::int(if below(&y) { 3 } else { 2 }),
            ("cubeid", _) => Num::int(if below(&x) { 1 } else { 0 }),
            ("cubesc", 2) => {
                if below(&z) {
                    x.neg()
                } else {
                    x
                }
            }
            ("cubesc", 1) => x,
            ("cubesc", _) => {
                if below(&x) {
                    z
                } else {
                    z.neg()
                }
            }
            ("cubetc", 1) => {
                if below(&y) {
                    z.neg()
                } else {
                    z
                }
            }
            ("cubetc", _) => y.neg(),
            (_, 2) => z.scaled(1),
            (_, 1) => y.scaled(1),
            _ => x.scaled(1),
        };
        one(Elem::Float(F32, F32.round(&r, how)))
    }

    fn div_fixup(&self, f: Ieee) -> Option<Out> {
        let [q, d, n] = [0, 1, 2].map(|i| self.n(i, f));
        let negative = d.negative() != n.negative();
        let r = if n.is_nan() || d.is_nan() || d.is_zero() && n.is_zero() || d.is_infinite() && n.is_infinite() {
            Num::Nan
        } else if d.is_zero() || n.is_infinite() {
            Num::Infinite(negative)
        } else if d.is_infinite() || n.is_zero() {
            Num::zero(negative)
        } else {
            let exponent = |v: u64| (v >> f.fraction & ((1 << f.exponent) - 1)) as i64;
            let apart = exponent(self.f(2, f)) - exponent(self.f(1, f));
            // What is beyond the format is for the refinement steps to tell, but for these.
            let least = match f.fraction {
                23 => -150,
                52 => -1075,
                _ => i64::MIN,
            };
            if apart < least {
                Num::zero(negative)
            } else if q.is_nan() && f != F16 {
                // A NaN that finite operands led to is an overflow.
                Num::Infinite(negative)
            } else {
                q.signed(negative)
            }
        };
        one(Elem::Float(f, f.round(&r, self.rounding(f))))
    }

    fn trig_preop(&self) -> Option<Out> {
        let exponent = (self.q(0) >> 52 & 0x7ff) as i64;
        let mut shift = (self.w(1) & 31) as i64 * 53;
        if exponent > 1077 {
            shift += exponent - 1077;
        }
        let scale = if exponent >= 1968 { 128 } else { 0 } - 53 - shift;
        // Bits [shift, shift + 53) of the binary expansion of 2/π, of which the guides keep 1201.
        let kept = two_over_pi();
        let field = if shift > 1201 {
            BigUint::ZERO
        } else {
            let up: BigUint = kept << (shift + 53) as usize;
            (up >> 1201usize) & ((BigUint::from(1u32) << 53usize) - 1u32)
        };
        one(Elem::Float(F64, F64.round(&Num::finite(false, field, scale), Round::Nearest)))
    }

    /// Functions that silicon approximates, by the host's in binary64.
    fn function(&self, stem: &str, f: Ieee) -> Option<Out> {
        let bits = self.f(0, f);
        let bits = if f == F32 { F32.flushed(bits) } else { bits };
        let a = match f.number(bits) {
            Num::Nan => return one(Elem::Float(f, f.nan())),
            v => f64::from_bits(F64.round(&v, Round::Nearest)),
        };
        if matches!(stem, "sin" | "cos") {
            if a.abs() <= 256.0 {
                let turns = a.fract() * std::f64::consts::TAU;
                let v = if stem == "sin" { turns.sin() } else { turns.cos() };
                let bound = if f == F16 { 1e-3 } else { 2e-7 };
                return one(Elem::Within(f, v, bound));
            }
            if a.is_infinite() {
                return one(Elem::Float(f, f.nan()));
            }
            return one(Elem::Float(f, if stem == "sin" { 0 } else { (f.bias() as u64) << f.fraction }));
        }
        let v = match stem {
            "rcp" => 1.0 / a,
            "rsq" => 1.0 / a.sqrt(),
            "sqrt" => a.sqrt(),
            "exp" => a.exp2(),
            "log" => a.log2(),
            _ => return None,
        };
        let r = f.round(&Num::f64(v), Round::Nearest);
        let r = if f == F32 { F32.flushed(r) } else { r };
        one(Elem::Near(f, r, 1))
    }

    fn compare(&self) -> Option<Out> {
        let words: Vec<&str> = self.name.split('_').collect();
        let (cond, ty) = (words[2], words[3]);
        let float = match ty {
            "f16" => Some(F16),
            "f32" => Some(F32),
            "f64" => Some(F64),
            _ => None,
        };
        if cond == "class" {
            let f = float?;
            let v = self.f(0, f);
            let negative = v & f.sign() != 0;
            let m = f.magnitude(v);
            let class = if f.is_signalling(v) {
                0
            } else if f.is_nan(v) {
                1
            } else if m == f.infinity() {
                if negative { 2 } else { 9 }
            } else if m >> f.fraction != 0 {
                if negative { 3 } else { 8 }
            } else if m != 0 {
                if negative { 4 } else { 7 }
            } else if negative {
                5
            } else {
                6
            };
            return test(self.w(1) >> class & 1 == 1);
        }
        let order = match float {
            Some(f) => self.n(0, f).compare(&self.n(1, f)),
            None => Some(match ty {
                "i16" => sext(self.w(0), 16).cmp(&sext(self.w(1), 16)),
                "u16" => (self.w(0) as u16).cmp(&(self.w(1) as u16)),
                "i32" => self.i(0).cmp(&self.i(1)),
                "u32" => self.w(0).cmp(&self.w(1)),
                "i64" => (self.q(0) as i64).cmp(&(self.q(1) as i64)),
                "u64" => self.q(0).cmp(&self.q(1)),
                _ => return None,
            }),
        };
        use Ordering::{Equal, Greater, Less};
        let is = |any: &[Ordering]| order.is_some_and(|o| any.contains(&o));
        test(match cond {
            "f" => false,
            "lt" => is(&[Less]),
            "eq" => is(&[Equal]),
            "le" => is(&[Less, Equal]),
            "gt" => is(&[Greater]),
            "lg" => is(&[Less, Greater]),
            "ge" => is(&[Greater, Equal]),
            "o" => order.is_some(),
            "u" => order.is_none(),
            "nge" => !is(&[Greater, Equal]),
            "nlg" => !is(&[Less, Greater]),
            "ngt" => !is(&[Greater]),
            "nle" => !is(&[Less, Equal]),
            "neq" | "ne" => !is(&[Equal]),
            "nlt" => !is(&[Less]),
            "tru" | "t" => true,
            _ => return None,
        })
    }

    fn packed(&self) -> Option<Out> {
        let (stem, suffix) = self.name[5..].rsplit_once('_')?;
        let half = |i: usize, which: usize| {
            let sel = match (stem, which) {
                // VOP2 has no selection.
                ("fmac", which) => 7 * which as u32,
                (_, 0) => self.op_sel,
                _ => self.op_sel_hi,
            };
            (self.w(i) >> (16 * (sel >> i & 1))) & 0xffff
        };
        if self.name == "v_pk_mov_b32" {
            // The low result from the first source, the high one from the second.
            let word = |i: usize| u64::from(self.s[i].get((self.op_sel >> i & 1) as usize).copied().unwrap_or(0));
            return bits(64, word(0) | word(1) << 32);
        }
        if suffix == "f32" {
            let f = F32;
            let elems = (0..2).map(|which| {
                let number = |i: usize| {
                    let sel = (if which == 0 { self.op_sel } else { self.op_sel_hi }) >> i & 1;
                    let v = u64::from(self.s[i].get(sel as usize).copied().unwrap_or(0));
                    let sign = (if which == 0 { self.neg } else { self.neg_hi }) >> i & 1 == 1;
                    let v = if sign { v ^ f.sign() } else { v };
                    f.number(if Self::flushes(self.mode, f).0 { f.flushed(v) } else { v })
                };
                let how = self.rounding(f);
                let r = match stem {
                    "add" => number(0).add(&number(1), how),
                    "mul" => number(0).mul(&number(1)),
                    "fma" => number(0).fma(&number(1), &number(2), how),
                    _ => return None,
                };
                Some(Elem::Float(f, f.round(&r, how)))
            });
            return Some(Out { elems: elems.collect::<Option<_>>()?, ..Out::default() });
        }
        let elems = (0..2).map(|which| {
            if suffix == "f16" {
                let f = F16;
                let clean = |v: u64| if Self::flushes(self.mode, f).0 { f.flushed(v) } else { v };
                let value = |i: usize| {
                    let v = half(i, which);
                    let sign = (if which == 0 { self.neg } else { self.neg_hi }) >> i & 1 == 1;
                    clean(if sign { v ^ f.sign() } else { v })
                };
                let number = |i: usize| f.number(value(i));
                let how = self.rounding(f);
                let r = match stem {
                    "add" => number(0).add(&number(1), how),
                    "mul" => number(0).mul(&number(1)),
                    "fma" => number(0).fma(&number(1), &number(2), how),
                    "fmac" => {
                        let c = f.number(clean(u64::from(self.old[0]) >> (16 * which) & 0xffff));
                        let any = c.is_infinite() || number(0).is_infinite() || number(1).is_infinite();
                        return Some(self.rounded(f, &number(0).fma(&number(1), &c, how), any));
                    }
                    "min" => return Some(Elem::Float(f, self.extreme(f, value(0), value(1), false))),
                    "max" => return Some(Elem::Float(f, self.extreme(f, value(0), value(1), true))),
                    "minimum3" | "maximum3" => {
                        let larger = stem == "maximum3";
                        return Some(Elem::Float(f, self.of_2019(f, [0, 1, 2].map(value), larger)));
                    }
                    _ => return None,
                };
                let any = (0..3).filter(|i| !self.s[*i].is_empty()).any(|i| number(i).is_infinite());
                return Some(self.rounded(f, &r, any));
            }
            let [a, b, c] = [0, 1, 2].map(|i| half(i, which));
            let (x, y, z) = (sext(a, 16), sext(b, 16), sext(c, 16));
            let signed = suffix == "i16";
            let wide = |s: i64, u: i64| {
                let v = if signed { s } else { u };
                if !self.clamp {
                    v
                } else if signed {
                    v.clamp(-32768, 32767)
                } else {
                    v.clamp(0, 65535)
                }
            };
            let (p, q, r) = (a as i64, b as i64, c as i64);
            let v = match stem {
                "mad" => wide(x * y + z, p * q + r),
                "mul_lo" => p * q,
                "add" => wide(x + y, p + q),
                "sub" => wide(x - y, p - q),
                "lshlrev" => q << (a & 15),
                "lshrrev" => q >> (a & 15),
                "ashrrev" => y >> (a & 15),
                "max" => {
                    if signed {
                        x.max(y)
                    } else {
                        p.max(q)
                    }
                }
                "min" => {
                    if signed {
                        x.min(y)
                    } else {
                        p.min(q)
                    }
                }
                _ => return None,
            };
            Some(Elem::Bits(16, v as u64 & 0xffff))
        });
        Some(Out { elems: elems.collect::<Option<_>>()?, ..Out::default() })
    }

    fn dot(&self) -> Option<Out> {
        let (_, suffix) = self.name.rsplit_once('_')?;
        let accumulates = self.name.contains("c_");
        let third = if accumulates { self.old[0] } else { self.s[2][0] };
        if suffix == "f16" || suffix == "bf16" {
            let f = if suffix == "f16" { F16 } else { BF16 };
            let plain = accumulates || suffix == "bf16";
            let value = |i: usize, which: usize| {
                let (lo, hi) = if plain { (0, 7) } else { (self.op_sel, self.op_sel_hi) };
                let sel = (if which == 0 { lo } else { hi }) >> i & 1;
                let v = self.w(i) >> (16 * sel) & 0xffff;
                let sign = (if which == 0 { self.neg } else { self.neg_hi }) >> i & 1 == 1;
                let v = if sign { v ^ f.sign() } else { v };
                // Those of bfloat16 go as those of binary32, whatever MODE says.
                f.number(if f == BF16 || Self::flushes(self.mode, f).0 { f.flushed(v) } else { v })
            };
            let c = u64::from(third) ^ if self.neg >> 2 & 1 == 1 && !accumulates { F32.sign() } else { 0 };
            let mut sum = F32.flushed(c);
            for which in 0..2 {
                let r = value(0, which).fma(&value(1, which), &F32.number(sum), Round::Nearest);
                sum = F32.flushed(F32.round(&r, Round::Nearest));
            }
            return one(Elem::Float(F32, sum));
        }
        let width: u32 = suffix[1..].parse().ok()?;
        let signed = suffix.starts_with('i');
        let mut sum = if signed { i64::from(third as i32) } else { i64::from(third) };
        for k in 0..32 / width {
            let value = |i: usize| {
                let at = if width == 16 {
                    let sel =
                        if accumulates { k } else { (if k == 0 { self.op_sel } else { self.op_sel_hi }) >> i & 1 };
                    16 * sel
                } else {
                    width * k
                };
                let v = self.w(i) >> at & ((1 << width) - 1);
                if signed { sext(v, width) } else { v as i64 }
            };
            sum += value(0) * value(1);
        }
        if self.clamp {
            sum = if signed { sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) } else { sum.min(u32::MAX.into()) };
        }
        bits(32, sum as u64)
    }

    fn convert(&self) -> Option<Out> {
        let name = self.name;
        if name.starts_with("v_cvt_scalef32") {
            return self.scaled();
        }
        let integer = |n: &Num, ty: &str| {
            let (w, r) = match ty {
                "i16" => (16, n.integer(-32768, 32767)),
                "u16" => (16, n.integer(0, 65535)),
                "i32" => (32, n.integer(i32::MIN.into(), i32::MAX.into())),
                _ => (32, n.integer(0, u32::MAX.into())),
            };
            bits(w, r as u64)
        };
        // To a byte: nearest, ties to even.
        let byte = || match self.n(0, F32) {
            Num::Nan => 0,
            v => v.whole(Round::Nearest).integer(0, 255) as u64,
        };
        let normal = |f: Ieee, i: usize, signed: bool| {
            let (most, low) = if signed { (32767, Num::int(-1)) } else { (65535, Num::int(0)) };
            let v = match self.n(i, f) {
                Num::Nan => Num::int(0),
                v if v.compare(&low) == Some(Ordering::Less) => low,
                v if v.compare(&Num::int(1)) == Some(Ordering::Greater) => Num::int(1),
                v => v,
            };
            Elem::Bits(16, v.mul(&Num::int(most)).whole(Round::Nearest).integer(-32768, 65535) as u64 & 0xffff)
        };
        let both = |a: Elem, b: Elem| Some(Out { elems: vec![a, b], ..Out::default() });
        let part = |width: u32, sel: u32, elems: Vec<Elem>| Some(Out { elems, at: Some(width * sel), mask: None });
        match name {
            "v_cvt_rpi_i32_f32" => {
                let half = self.n(0, F32).add(&Num::power(-1), self.rounding(F32));
                let sum = F32.number(F32.round(&half, self.rounding(F32)));
                return integer(&sum.whole(Round::Down), "i32");
            }
            "v_cvt_flr_i32_f32" => return integer(&self.n(0, F32).whole(Round::Down), "i32"),
            "v_cvt_off_f32_i4" => {
                return one(Elem::Float(
                    F32,
                    F32.round(&Num::int(sext(self.w(0), 4).into()).scaled(-4), Round::Nearest),
                ));
            }
            "v_cvt_pk_u8_f32" => {
                let at = 8 * (self.w(1) & 3);
                return bits(32, self.w(2) & !(0xff << at) | byte() << at);
            }
            "v_cvt_pkaccum_u8_f32" => {
                let at = 8 * (self.w(1) & 3);
                return bits(32, u64::from(self.old[0]) & !(0xff << at) | byte() << at);
            }
            "v_cvt_norm_i16_f16" => return one(normal(F16, 0, true)),
            "v_cvt_norm_u16_f16" => return one(normal(F16, 0, false)),
            "v_cvt_pknorm_i16_f16" => return both(normal(F16, 0, true), normal(F16, 1, true)),
            "v_cvt_pknorm_u16_f16" => return both(normal(F16, 0, false), normal(F16, 1, false)),
            "v_cvt_pknorm_i16_f32" => return both(normal(F32, 0, true), normal(F32, 1, true)),
            "v_cvt_pknorm_u16_f32" => return both(normal(F32, 0, false), normal(F32, 1, false)),
            "v_cvt_pkrtz_f16_f32" => {
                let e = |i| Elem::Float(F16, F16.round(&self.n(i, F32), Round::Zero));
                return both(e(0), e(1));
            }
            "v_cvt_pk_f16_f32" => {
                let e = |i| {
                    let n = self.n(i, F32);
                    let r = F16.round(&n, Round::Nearest);
                    let over = self.caps() && F16.magnitude(r) == F16.infinity() && !n.is_infinite();
                    Elem::Float(F16, if over { r & F16.sign() | F16.largest() } else { r })
                };
                return both(e(0), e(1));
            }
            "v_cvt_pk_bf16_f32" => {
                let e = |i| Elem::Float(BF16, BF16.round(&self.n(i, F32), Round::Nearest));
                return both(e(0), e(1));
            }
            "v_cvt_pk_u16_u32" => {
                return both(Elem::Bits(16, self.w(0).min(65535)), Elem::Bits(16, self.w(1).min(65535)));
            }
            "v_cvt_pk_i16_i32" => {
                let e = |i| Elem::Bits(16, self.i(i).clamp(-32768, 32767) as u64 & 0xffff);
                return both(e(0), e(1));
            }
            _ => {}
        }
        if let Some(n) = name.strip_prefix("v_cvt_f32_ubyte") {
            let v = self.w(0) >> (8 * n.parse::<u32>().ok()?) & 0xff;
            return one(Elem::Float(F32, F32.round(&Num::int(v.into()), Round::Nearest)));
        }
        let words: Vec<&str> = name[6..].split('_').collect();
        match words[..] {
            ["pk", to @ ("fp8" | "bf8"), "f32"] => {
                let small = Small::named(to, self.fnuz)?;
                let e = |i| self.small(small, &self.n(i, F32), self.f(i, F32) & F32.sign() != 0, None);
                part(16, self.op_sel >> 3 & 1, vec![e(0), e(1)])
            }
            ["sr", to @ ("fp8" | "bf8"), "f32"] => {
                let small = Small::named(to, self.fnuz)?;
                let e = self.small(small, &self.n(0, F32), self.f(0, F32) & F32.sign() != 0, Some(self.w(1) as u32));
                part(8, self.op_sel >> 2 & 3, vec![e])
            }
            ["sr", to @ ("f16" | "bf16"), "f32"] => {
                let f = if to == "f16" { F16 } else { BF16 };
                part(16, self.op_sel >> 3 & 1, vec![stochastic(f, &self.n(0, F32), self.w(1) as u32)])
            }
            ["f32", from @ ("fp8" | "bf8")] => {
                let small = Small::named(from, self.fnuz)?;
                one(Elem::Float(F32, F32.round(&small.number(self.w(0) as u32 & 0xff), Round::Nearest)))
            }
            ["pk", "f32", from @ ("fp8" | "bf8")] => {
                let small = Small::named(from, self.fnuz)?;
                let e = |k: u32| {
                    let code = (self.w(0) >> (8 * k)) as u32 & 0xff;
                    Elem::Float(F32, F32.round(&small.number(code), Round::Nearest))
                };
                both(e(0), e(1))
            }
            [to, from] => {
                let n = match from {
                    "f16" => self.n(0, F16),
                    "bf16" => self.n(0, BF16),
                    "f32" => self.n(0, F32),
                    "f64" => self.n(0, F64),
                    "i16" => Num::int(sext(self.w(0), 16).into()),
                    "u16" => Num::int((self.w(0) & 0xffff).into()),
                    "i32" => Num::int(self.i(0).into()),
                    "u32" => Num::int(self.w(0).into()),
                    _ => return None,
                };
                match to {
                    "f16" => one(self.rounded(F16, &n, n.is_infinite())),
                    "f32" => one(self.rounded(F32, &n, false)),
                    "f64" => one(self.rounded(F64, &n, false)),
                    _ => integer(&n, to),
                }
            }
            _ => None,
        }
    }

    /// A code of a small format; a NaN keeps the sign it came with where the format has signed ones.
    fn small(&self, to: Small, n: &Num, negative: bool, random: Option<u32>) -> Elem {
        let code = to.code(n, random, self.caps());
        let sign = 1 << (to.bits() - 1);
        let code = if n.is_nan() && negative && code != sign { code | sign } else { code };
        Elem::Bits(to.bits(), code.into())
    }

    fn scaled(&self) -> Option<Out> {
        let words: Vec<&str> = self.name["v_cvt_scalef32_".len()..].split('_').collect();
        let (stochastic_, words) = if words[0] == "sr" { (true, &words[1..]) } else { (false, &words[..]) };
        let (count, to, from) = match words[..] {
            ["2xpk16", to, from] | ["pk32", to, from] => (32u32, to, from),
            ["pk", to, from] => (2, to, from),
            [to, from] => (1, to, from),
            _ => return None,
        };
        let ieee = |s: &str| match s {
            "f16" => Some(F16),
            "bf16" => Some(BF16),
            "f32" => Some(F32),
            _ => None,
        };
        let interleaved = words[0] == "2xpk16" || self.name.starts_with("v_cvt_scalef32_pk_") && from == "f32";
        // The scale is the exponent of the last source: 2^(e − 127), NaN where it is all ones.
        let last = (0..3).rev().find(|i| !self.s[*i].is_empty())?;
        let scale = (self.w(last) >> 23 & 0xff) as i64;
        let field = |words: &[u32], at: u32, width: u32| {
            (0..width).fold(0u64, |v, k| {
                let bit = at + k;
                v | u64::from(words[bit as usize / 32] >> (bit % 32) & 1) << k
            })
        };
        let (small_from, small_to) = (Small::named(from, self.fnuz), Small::named(to, self.fnuz));
        let from_bits = ieee(from).map_or_else(|| small_from.map(Small::bits), |f| Some(f.bits()))?;
        let to_bits = ieee(to).map_or_else(|| small_to.map(Small::bits), |f| Some(f.bits()))?;
        // The part of a register that the codes of a short source stand in.
        let first = if count > 2 {
            0
        } else if small_from.is_some() {
            match from_bits * count {
                16 => 16 * (self.op_sel & 1),
                _ => 8 * (self.op_sel & 3),
            }
        } else if count == 1 && from_bits == 16 {
            16 * (self.op_sel & 1)
        } else {
            0
        };
        let mut random = self.w(1) as u32;
        let mut elems = Vec::new();
        for k in 0..count {
            let v = if interleaved {
                field(&self.s[(k % 2) as usize], from_bits * (k / 2), from_bits)
            } else {
                field(&self.s[0], first + from_bits * k, from_bits)
            };
            let n = match (ieee(from), small_from) {
                (Some(f), _) => f.number(if Self::flushes(self.mode, f).0 { f.flushed(v) } else { v }),
                (_, Some(s)) => s.number(v as u32),
                _ => return None,
            };
            let negative = v >> (from_bits - 1) & 1 == 1;
            let by = if small_to.is_some() { 127 - scale } else { scale - 127 };
            let n = if scale == 255 { Num::Nan } else { n.scaled(by) };
            let r = stochastic_.then_some(random);
            elems.push(match (ieee(to), small_to) {
                (Some(f), _) => Elem::Float(f, f.round(&n, Round::Nearest)),
                (_, Some(s)) => {
                    // A NaN from the scale has no sign of its own.
                    self.small(s, &n, negative && scale != 255, r)
                }
                _ => return None,
            });
            // One step of the generator x³² + x⁷ + x⁶ + x² + 1 for each element.
            random = random << 1 ^ if random >> 31 == 1 { 0b1100_0101 } else { 0 };
        }
        let wide = to_bits * count;
        let at = if count > 2 {
            None
        } else {
            match wide {
                8 => Some(8 * (self.op_sel >> 2 & 3)),
                16 => Some(16 * (self.op_sel >> 3 & 1)),
                _ => None,
            }
        };
        Some(Out { elems, at, mask: None })
    }

    fn integer(&self) -> Option<Out> {
        let name = self.name;
        let [a, b, c] = [0, 1, 2].map(|i| self.w(i));
        let [x, y, z] = [0, 1, 2].map(|i| self.i(i));
        let [h, k, l] = [0, 1, 2].map(|i| sext(self.w(i), 16));
        let [p, q, r] = [a & 0xffff, b & 0xffff, c & 0xffff];
        let word = |v: u64| bits(32, v);
        let s24 = |v: u64| sext(v, 24);
        let clamp_u32 = |v: i128| if self.clamp { v.clamp(0, u32::MAX.into()) as u64 } else { v as u64 };
        let clamp_i32 = |v: i64| if self.clamp { v.clamp(i32::MIN.into(), i32::MAX.into()) as u64 } else { v as u64 };
        let clamp_u16 = |v: i64| if self.clamp { v.clamp(0, 65535) as u64 } else { v as u64 };
        let clamp_i16 = |v: i64| if self.clamp { v.clamp(-32768, 32767) as u64 } else { v as u64 };
        let carried = |wide: i128, borrow: bool| {
            let over = if borrow { wide < 0 } else { wide > i128::from(u32::MAX) };
            let v = if self.clamp && over { if borrow { 0 } else { u32::MAX.into() } } else { wide as u64 };
            Some(Out { mask: Some(over), ..word(v)? })
        };
        let (wa, wb) = (i128::from(a), i128::from(b));
        let cin = i128::from(self.carry);
        let median = |mut v: [i64; 3]| {
            v.sort_unstable();
            v[1] as u64
        };
        let bytes = |v: u64| [v & 0xff, v >> 8 & 0xff, v >> 16 & 0xff, v >> 24 & 0xff];
        let sad = |x: u64, y: u64, masked: bool| -> u64 {
            let each = bytes(x).into_iter().zip(bytes(y));
            each.filter(|(_, r)| !masked || *r != 0).map(|(s, r)| s.abs_diff(r)).sum()
        };
        let clamp_sum = |v: u64, width: u32| {
            let most = (1u64 << width) - 1;
            if self.clamp { v.min(most) } else { v & most }
        };
        match name {
            "v_mov_b32" | "v_accvgpr_mov_b32" | "v_accvgpr_read_b32" | "v_accvgpr_write_b32" => word(a),
            "v_mov_b64" => bits(64, self.q(0)),
            "v_not_b32" => word(!a),
            "v_bfrev_b32" => word((a as u32).reverse_bits().into()),
            "v_ffbh_u32" => word(if a == 0 { u64::MAX } else { (a as u32).leading_zeros().into() }),
            "v_ffbl_b32" => word(if a == 0 { u64::MAX } else { a.trailing_zeros().into() }),
            "v_ffbh_i32" => {
                let v = x as i32;
                let same = (v ^ v >> 31) as u32;
                word(if same == 0 { u64::MAX } else { same.leading_zeros().into() })
            }
            "v_sat_pk_u8_i16" => {
                let sat = |v: i64| v.clamp(0, 255) as u64;
                word(sat(sext(a, 16)) | sat(sext(a >> 16, 16)) << 8)
            }
            "v_prng_b32" => word(a << 1 ^ if a >> 31 & 1 == 1 { 0b1100_0101 } else { 0 }),
            "v_cndmask_b32" => word(if self.carry { b } else { a }),
            "v_mul_i32_i24" => word((s24(a) * s24(b)) as u64),
            "v_mul_hi_i32_i24" => word(((s24(a) * s24(b)) >> 32) as u64),
            "v_mul_u32_u24" => word((a & 0xff_ffff) * (b & 0xff_ffff)),
            "v_mul_hi_u32_u24" => word(((a & 0xff_ffff) * (b & 0xff_ffff)) >> 32),
            "v_min_i32" => word(x.min(y) as u64),
            "v_max_i32" => word(x.max(y) as u64),
            "v_min_u32" => word(a.min(b)),
            "v_max_u32" => word(a.max(b)),
            "v_lshrrev_b32" => word(b >> (a & 31)),
            "v_ashrrev_i32" => word((y >> (a & 31)) as u64),
            "v_lshlrev_b32" => word(b << (a & 31)),
            "v_and_b32" => word(a & b),
            "v_or_b32" => word(a | b),
            "v_xor_b32" => word(a ^ b),
            "v_xnor_b32" => word(!(a ^ b)),
            "v_add_u16" => bits(16, clamp_u16((p + q) as i64)),
            "v_sub_u16" => bits(16, clamp_u16(p as i64 - q as i64)),
            "v_subrev_u16" => bits(16, clamp_u16(q as i64 - p as i64)),
            "v_mul_lo_u16" => bits(16, p * q),
            "v_lshlrev_b16" => bits(16, q << (a & 15)),
            "v_lshrrev_b16" => bits(16, q >> (a & 15)),
            "v_ashrrev_i16" => bits(16, (k >> (a & 15)) as u64),
            "v_max_u16" => bits(16, p.max(q)),
            "v_max_i16" => bits(16, h.max(k) as u64),
            "v_min_u16" => bits(16, p.min(q)),
            "v_min_i16" => bits(16, h.min(k) as u64),
            "v_add_u32" => word(clamp_u32(wa + wb)),
            "v_sub_u32" => word(clamp_u32(wa - wb)),
            "v_subrev_u32" => word(clamp_u32(wb - wa)),
            "v_add_co_u32" => carried(wa + wb, false),
            "v_sub_co_u32" => carried(wa - wb, true),
            "v_subrev_co_u32" => carried(wb - wa, true),
            "v_addc_co_u32" => carried(wa + wb + cin, false),
            "v_subb_co_u32" => carried(wa - wb - cin, true),
            "v_subbrev_co_u32" => carried(wb - wa - cin, true),
            "v_mad_i32_i24" => word(clamp_i32(s24(a) * s24(b) + z)),
            "v_mad_u32_u24" => word(clamp_u32(i128::from((a & 0xff_ffff) * (b & 0xff_ffff) + c))),
            "v_bfe_u32" => word(a >> (b & 31) & ((1 << (c & 31)) - 1)),
            "v_bfe_i32" => {
                let width = (c & 31) as u32;
                word(if width == 0 { 0 } else { sext((x >> (b & 31)) as u64, width) as u64 })
            }
            "v_bfi_b32" => word(a & b | !a & c),
            "v_bfm_b32" => word(((1 << (a & 31)) - 1) << (b & 31)),
            "v_lerp_u8" => {
                let each = bytes(a).into_iter().zip(bytes(b)).zip(bytes(c));
                word(each.enumerate().map(|(i, ((s, t), r))| ((s + t + (r & 1)) >> 1) << (8 * i)).sum())
            }
            "v_alignbit_b32" => word((a << 32 | b) >> (c & 31)),
            "v_alignbyte_b32" => word((a << 32 | b) >> (8 * (c & 3))),
            "v_min3_i32" => word(x.min(y).min(z) as u64),
            "v_min3_u32" => word(a.min(b).min(c)),
            "v_max3_i32" => word(x.max(y).max(z) as u64),
            "v_max3_u32" => word(a.max(b).max(c)),
            "v_med3_i32" => word(median([x, y, z])),
            "v_med3_u32" => word(median([a as i64, b as i64, c as i64])),
            "v_min3_i16" => bits(16, h.min(k).min(l) as u64),
            "v_min3_u16" => bits(16, p.min(q).min(r)),
            "v_max3_i16" => bits(16, h.max(k).max(l) as u64),
            "v_max3_u16" => bits(16, p.max(q).max(r)),
            "v_med3_i16" => bits(16, median([h, k, l])),
            "v_med3_u16" => bits(16, median([p as i64, q as i64, r as i64])),
            "v_sad_u8" => word(clamp_sum(sad(a, b, false) + c, 32)),
            "v_sad_hi_u8" => word(clamp_sum((sad(a, b, false) << 16) + c, 32)),
            "v_sad_u16" => {
                let each = (a & 0xffff).abs_diff(b & 0xffff) + (a >> 16).abs_diff(b >> 16);
                word(clamp_sum(each + c, 32))
            }
            "v_sad_u32" => word(clamp_sum(a.abs_diff(b) + c, 32)),
            "v_msad_u8" => word(clamp_sum(sad(a, b, true) + c, 32)),
            "v_qsad_pk_u16_u8" | "v_mqsad_pk_u16_u8" => {
                let masked = name.contains("mqsad");
                let (s, acc) = (self.q(0), self.q(2));
                let each =
                    |i: u32| clamp_sum(sad(s >> (8 * i), b, masked) + (acc >> (16 * i) & 0xffff), 16) << (16 * i);
                bits(64, (0..4).map(each).sum())
            }
            "v_mqsad_u32_u8" => {
                let s = self.q(0);
                let each =
                    |i: usize| Elem::Bits(32, clamp_sum(sad(s >> (8 * i), b, true) + u64::from(self.s[2][i]), 32));
                Some(Out { elems: (0..4).map(each).collect(), ..Out::default() })
            }
            "v_mad_legacy_u16" | "v_mad_u16" => bits(16, clamp_u16((p * q + r) as i64)),
            "v_mad_legacy_i16" | "v_mad_i16" => bits(16, clamp_i16(h * k + l)),
            "v_add_i16" => bits(16, clamp_i16(h + k)),
            "v_sub_i16" => bits(16, clamp_i16(h - k)),
            "v_add_i32" => word(clamp_i32(x + y)),
            "v_sub_i32" => word(clamp_i32(x - y)),
            "v_mad_u32_u16" => word(clamp_u32(i128::from(p * q) + i128::from(c))),
            "v_mad_i32_i16" => word(clamp_i32(h * k + z)),
            "v_perm_b32" => {
                let all = a << 32 | b;
                let pick = |sel: u64| match sel {
                    13.. => 0xff,
                    12 => 0,
                    8..=11 => {
                        if all >> (16 * (sel - 8) + 15) & 1 == 1 {
                            0xff
                        } else {
                            0
                        }
                    }
                    _ => all >> (8 * sel) & 0xff,
                };
                word(bytes(c).into_iter().enumerate().map(|(i, sel)| pick(sel) << (8 * i)).sum())
            }
            "v_xad_u32" => word((a ^ b) + c),
            "v_lshl_add_u32" => word((a << (b & 31)) + c),
            "v_add_lshl_u32" => word((a + b) << (c & 31)),
            "v_add3_u32" => word(a + b + c),
            "v_lshl_or_b32" => word(a << (b & 31) | c),
            "v_and_or_b32" => word(a & b | c),
            "v_or3_b32" => word(a | b | c),
            // Three bits and up of the shift count are not said to do anything.
            "v_lshl_add_u64" => bits(64, (self.q(0) << (b & 7)).wrapping_add(self.q(2))),
            "v_bitop3_b32" | "v_bitop3_b16" => {
                let width = if name.ends_with('6') { 16 } else { 32 };
                let bit = |i: u32| self.table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1;
                bits(width, (0..width).map(|i| u64::from(bit(i)) << i).sum())
            }
            "v_ashr_pk_i8_i32" | "v_ashr_pk_u8_i32" => {
                let (low, high) = if name.contains("i8") { (-128, 127) } else { (0, 255) };
                let each = |v: i64| Elem::Bits(8, (v >> (c & 31)).clamp(low, high) as u64 & 0xff);
                Some(Out { elems: vec![each(x), each(y)], at: Some(16 * (self.op_sel >> 3 & 1)), mask: None })
            }
            "v_mul_lo_u32" => word(a.wrapping_mul(b)),
            "v_mul_hi_u32" => word((a * b) >> 32),
            "v_mul_hi_i32" => word(((x * y) >> 32) as u64),
            "v_bcnt_u32_b32" => word(u64::from(a.count_ones()) + b),
            "v_mbcnt_lo_u32_b32" => {
                let below = if self.lane >= 32 { u64::from(u32::MAX) } else { (1 << self.lane) - 1 };
                word(u64::from((a & below).count_ones()) + b)
            }
            "v_mbcnt_hi_u32_b32" => {
                let below = if self.lane < 32 { 0 } else { (1 << (self.lane - 32)) - 1 };
                word(u64::from((a & below).count_ones()) + b)
            }
            "v_lshlrev_b64" => bits(64, self.q(1) << (a & 63)),
            "v_lshrrev_b64" => bits(64, self.q(1) >> (a & 63)),
            "v_ashrrev_i64" => bits(64, (self.q(1) as i64 >> (a & 63)) as u64),
            "v_pack_b32_f16" => word(p | q << 16),
            "v_mad_u64_u32" => {
                let wide = u128::from(a) * u128::from(b) + u128::from(self.q(2));
                Some(Out { mask: Some(wide >> 64 != 0), ..bits(64, wide as u64)? })
            }
            "v_mad_i64_i32" => {
                let wide = i128::from(x) * i128::from(y) + i128::from(self.q(2) as i64);
                // Bit 64 of the sum.
                Some(Out { mask: Some(wide >> 64 & 1 == 1), ..bits(64, wide as u64)? })
            }
            "v_fma_mix_f32" | "v_fma_mixlo_f16" | "v_fma_mixhi_f16" => {
                let value = |i: usize| {
                    let (f, v) = if self.op_sel_hi >> i & 1 == 1 {
                        (F16, self.w(i) >> (16 * (self.op_sel >> i & 1)) & 0xffff)
                    } else {
                        (F32, self.w(i))
                    };
                    // The bits of `neg_hi` take the magnitude.
                    let v = if self.neg_hi >> i & 1 == 1 { f.magnitude(v) } else { v };
                    let v = if self.neg >> i & 1 == 1 { v ^ f.sign() } else { v };
                    f.number(if Self::flushes(self.mode, f).0 { f.flushed(v) } else { v })
                };
                let v = [0, 1, 2].map(value);
                let any = v.iter().any(Num::is_infinite);
                let how = self.rounding(if name == "v_fma_mix_f32" { F32 } else { F16 });
                let exact = v[0].fma(&v[1], &v[2], how);
                if name == "v_fma_mix_f32" {
                    return one(Elem::Float(F32, F32.round(&exact, how)));
                }
                let at = if name.contains("lo") { 0 } else { 16 };
                Some(Out { elems: vec![self.rounded(F16, &exact, any)], at: Some(at), mask: None })
            }
            _ => None,
        }
    }
}

/// A number rounded to a format by adding the top bits of a random word below its last place.
fn stochastic(f: Ieee, n: &Num, random: u32) -> Elem {
    let Num::Finite { negative, m, e } = n else { return Elem::Float(f, f.round(n, Round::Nearest)) };
    let least = 1 - f.bias() - i64::from(f.fraction);
    // The unit of the last place, and how much of it the random bits are.
    let last = (e + m.bits() as i64 - 1 - i64::from(f.fraction)).max(least);
    let drop = 23 - f.fraction;
    let add = Num::finite(*negative, BigUint::from(random >> (32 - drop)), last - i64::from(drop));
    let moved = n.add(&add, Round::Nearest);
    // Toward zero to a multiple of that unit, even where the sum has one digit more.
    let truncated = moved.scaled(-last).whole(Round::Zero).scaled(last).signed(*negative);
    Elem::Float(f, f.round(&truncated, Round::Nearest))
}

/// The first 1201 bits of 2/π behind the point, by Machin's formula.
fn two_over_pi() -> BigUint {
    use std::sync::OnceLock;
    static BITS: OnceLock<BigUint> = OnceLock::new();
    BITS.get_or_init(|| {
        let guard = 1400usize;
        let unit = BigUint::from(1u32) << guard;
        // arctan(1/x)·2^guard
        let arctan = |x: u32| {
            let (mut sum, mut term, mut k, mut plus) = (BigUint::ZERO, &unit / x, 1u32, true);
            let mut minus = BigUint::ZERO;
            while term.bits() != 0 {
                *(if plus { &mut sum } else { &mut minus }) += &term / k;
                term /= x * x;
                k += 2;
                plus = !plus;
            }
            sum - minus
        };
        let pi: BigUint = (arctan(5) * 16u32) - (arctan(239) * 4u32);
        // 2/π·2^1201
        ((BigUint::from(2u32) << (guard + 1201)) / pi) & ((BigUint::from(1u32) << 1201usize) - 1u32)
    })
    .clone()
}

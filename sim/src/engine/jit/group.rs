//! Lane arithmetic on host vector registers: which micro-operations form a group, and where their operands live.
//!
//! A group is a run of operations that treat lanes alike. It is executed for the first lanes of all its registers, then
//! for the next ones, so that a wave's register takes one host register and not four, and intermediate results never
//! touch memory. What is decided here is independent of the host's instruction set: a list of [`Op`]s on numbered host
//! registers, which `evex` and `avx2` encode.

use super::Context;
use crate::engine::ir::{CarryOp, DppCtrl, S, Segment, Uop, V};
use crate::engine::lanes::LaneOp;
use core::mem::offset_of;
use std::collections::HashMap;
use wavesmith_asm::sem::{Cond, Elem};

/// An operand that need not be in a host register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Src {
    /// A host register.
    Reg(u8),
    /// The current lanes of a wave's register, a temporary or a constant.
    Mem(V),
    /// A vector of the [`Context`], by offset.
    Fixed(i32),
}

/// Operations of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bin {
    Add,
    Sub,
    And,
    Or,
    Xor,
    MulLo,
    MinI,
    MaxI,
    MinU,
    MaxU,
    AddF,
    SubF,
    MulF,
    /// The smaller number, −0 below +0; what is not a number is checked for apart.
    MinF,
    MaxF,
    /// As the host has it: the second operand where either is a NaN or both are zero.
    MinHost,
    MaxHost,
}

/// Shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    Left,
    Right,
    Arithmetic,
}

/// Operations of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Un {
    I32ToF32,
    U32ToF32,
    /// The low half of each lane.
    F16ToF32,
    F32ToF16,
}

/// What tells lanes that need the definition rather than the host's instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// The register has a NaN.
    Nan(u8),
    /// Either operand is a NaN.
    Unordered(u8, Src),
    /// The operation before has left the answer in the mask register.
    Marked,
}

/// How to do an operation again by its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slow {
    /// The operation.
    pub op: LaneOp,
    /// Its result.
    pub d: u8,
    /// Its sources.
    pub sources: [Option<Src>; 3],
    /// Host registers whose contents are still needed.
    pub live: u32,
}

/// One step on host registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    Load {
        d: u8,
        m: V,
    },
    Store {
        m: V,
        s: u8,
    },
    Copy {
        d: u8,
        s: u8,
    },
    Bin {
        op: Bin,
        d: u8,
        a: u8,
        b: Src,
    },
    /// Counts modulo 32.
    Shift {
        op: Shift,
        d: u8,
        value: u8,
        count: u8,
    },
    ShiftImm {
        op: Shift,
        d: u8,
        a: u8,
        n: u8,
    },
    /// d = a · b + d.
    Fma {
        d: u8,
        a: u8,
        b: Src,
    },
    Un {
        op: Un,
        d: u8,
        a: u8,
    },
    /// d = a₀ · b₀ + d, then a₁ · b₁ more, of halves; marks NaNs and subnormals.
    Dot2 {
        d: u8,
        a: u8,
        b: u8,
    },
    Splat {
        d: u8,
        s: S,
    },
    /// d = mask ? b : a.
    Select {
        d: u8,
        a: u8,
        b: Src,
        mask: S,
    },
    Cmp {
        cond: Cond,
        ty: Elem,
        d: u8,
        a: u8,
        b: Src,
        exec: bool,
    },
    /// d = a ± b ± carry, and the carry out; `a` and `b` as the subtraction has them.
    Carry {
        sub: bool,
        d: u8,
        a: u8,
        b: u8,
        cin: Option<S>,
        sdst: u8,
    },
    /// Lanes moved within rows of sixteen.
    Dpp {
        d: u8,
        a: u8,
        ctrl: DppCtrl,
        valid: u8,
    },
    Check {
        test: Test,
        slow: Box<Slow>,
    },
}

/// What tells the instruction sets apart when groups are formed.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// Host registers for operands.
    pub registers: u8,
    /// Unsigned conversions, carries, and rows of sixteen lanes in one register.
    pub wide: bool,
}

/// Offset of a fixed vector.
pub const fn fixed(name: Fixed) -> i32 {
    (offset_of!(Context, fixed) + 64 * name as usize) as i32
}

/// Vectors that every lane of which is one number, kept in the [`Context`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    Zero,
    Ones,
    Sign,
    Magnitude,
    Low16,
    Low24,
    Low5,
    One,
    /// 1, 2, 4, … 128, twice.
    Bits,
}

impl Fixed {
    /// All of them, in order.
    pub const VALUES: [[u32; 16]; 9] = [
        [0; 16],
        [u32::MAX; 16],
        [0x8000_0000; 16],
        [0x7fff_ffff; 16],
        [0xffff; 16],
        [0xff_ffff; 16],
        [31; 16],
        [0x3f80_0000; 16],
        [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128],
    ];
}

/// The number that every lane of a constant operand is.
fn uniform(seg: &Segment, v: V) -> Option<u32> {
    (v.base() == 2).then(|| seg.vconst[v.index()].0[0])
}

/// Whether a group may have this micro-operation.
pub fn groupable(seg: &Segment, u: &Uop, t: Traits) -> bool {
    match *u {
        Uop::Lane { op, b, c, .. } => match op {
            LaneOp::Mov
            | LaneOp::Mov64
            | LaneOp::Not
            | LaneOp::And
            | LaneOp::Or
            | LaneOp::Xor
            | LaneOp::Xnor
            | LaneOp::Or3
            | LaneOp::AndOr
            | LaneOp::Bfi
            | LaneOp::Select
            | LaneOp::Lshl
            | LaneOp::LshlRev
            | LaneOp::LshrRev
            | LaneOp::AshrRev
            | LaneOp::LshlOr
            | LaneOp::LshlAdd
            | LaneOp::AddLshl
            | LaneOp::Xad
            | LaneOp::AddU32
            | LaneOp::SubU32
            | LaneOp::SubRevU32
            | LaneOp::Add3
            | LaneOp::MulLo
            | LaneOp::MulU24
            | LaneOp::MadU24
            | LaneOp::MinU32
            | LaneOp::MaxU32
            | LaneOp::MinI32
            | LaneOp::MaxI32
            | LaneOp::Min3U32
            | LaneOp::Max3U32
            | LaneOp::Min3I32
            | LaneOp::Max3I32
            | LaneOp::AddF32
            | LaneOp::SubF32
            | LaneOp::SubRevF32
            | LaneOp::MulF32
            | LaneOp::FmaF32
            | LaneOp::MinF32
            | LaneOp::MaxF32
            | LaneOp::MinIeeeF32
            | LaneOp::MaxIeeeF32
            | LaneOp::NegF32
            | LaneOp::AbsF32
            | LaneOp::NegAbsF32
            | LaneOp::ClampF32
            | LaneOp::Hi16
            | LaneOp::Lo16
            | LaneOp::Swap16
            | LaneOp::DupLo16
            | LaneOp::DupHi16
            | LaneOp::Pack16
            | LaneOp::InsertLo16
            | LaneOp::InsertHi16
            | LaneOp::CvtF32I32
            | LaneOp::CvtF32F16
            | LaneOp::CvtF16F32 => true,
            LaneOp::CvtF32U32 | LaneOp::Dot2F32F16 => t.wide,
            LaneOp::BfeU => uniform(seg, b).is_some() && uniform(seg, c).is_some(),
            LaneOp::CvtUByte | LaneOp::ByteU => uniform(seg, b).is_some_and(|n| n & 31 <= 24),
            _ => false,
        },
        Uop::Splat { s, .. } => s.0 < 256 || (s.0 as usize - 256) < seg.sconst.len(),
        Uop::Select { mask, .. } => mask.0 < 256,
        Uop::Cmp { cond, ty, d, .. } => {
            d.is_multiple_of(2)
                && d != S::EXEC
                && match ty {
                    Elem::F32 => !matches!(cond, Cond::F | Cond::T),
                    Elem::I32 | Elem::U32 | Elem::B32 => matches!(
                        cond,
                        Cond::Lt | Cond::Eq | Cond::Le | Cond::Gt | Cond::Ne | Cond::Lg | Cond::Neq | Cond::Ge
                    ),
                    _ => false,
                }
        }
        Uop::Carry { op, sdst, cin, .. } => {
            let no_carry = |at: usize| seg.sconst[at] == 0 && seg.sconst[at + 1] == 0;
            t.wide
                && sdst.is_multiple_of(2)
                && sdst != S::EXEC
                && matches!(op, CarryOp::Add | CarryOp::Sub | CarryOp::SubRev)
                && (cin.0 < 256 || no_carry(cin.0 as usize - 256))
        }
        Uop::Dpp { ctrl, valid, .. } => {
            t.wide
                && valid.is_multiple_of(2)
                && matches!(ctrl.ctrl, 0x000..=0x0ff | 0x101..=0x10f | 0x111..=0x11f | 0x121..=0x12f | 0x140 | 0x141 | 0x150..=0x15f)
        }
        Uop::Blend { mask, .. } => mask.0 < 256,
        _ => false,
    }
}

/// Scalar registers that a group touches: whole words, mask pairs it reads, mask pairs it writes.
#[derive(Debug, Default)]
pub struct Scalars {
    words: Vec<u8>,
    masks: Vec<u8>,
    written: Vec<u8>,
}

impl Scalars {
    fn overlaps(pairs: &[u8], at: u8, n: u8, except: Option<u8>) -> bool {
        pairs.iter().any(|p| Some(*p) != except && *p < at + n && at < *p + 2)
    }

    /// Whether a scalar operation that reads or writes these words must not move before the group.
    pub fn blocks(&self, at: u8, n: u8, write: bool) -> bool {
        Scalars::overlaps(&self.written, at, n, None)
            || (write
                && (Scalars::overlaps(&self.masks, at, n, None)
                    || self.words.iter().any(|w| *w >= at && *w < at + n)
                    || Scalars::overlaps(&[S::EXEC], at, n, None)))
    }

    /// Adds what a micro-operation touches; false, and nothing is added, if the group must end before it.
    pub fn take(&mut self, u: &Uop) -> bool {
        let (mut word, mut mask, mut write) = (None, None, None);
        match *u {
            Uop::Splat { s, .. } if s.0 < 256 => word = Some(s.0 as u8),
            Uop::Select { mask: m, .. } | Uop::Blend { mask: m, .. } => mask = Some(m.0 as u8),
            Uop::Cmp { d, .. } => write = Some(d),
            Uop::Carry { sdst, cin, .. } => {
                write = Some(sdst);
                mask = (cin.0 < 256).then_some(cin.0 as u8);
            }
            Uop::Dpp { valid, .. } => write = Some(valid),
            _ => {}
        }
        // A word is read whole, so nothing of it may have been written lane by lane, or be written so later.
        if word.is_some_and(|w| Scalars::overlaps(&self.written, w, 1, None))
            || mask.is_some_and(|m| Scalars::overlaps(&self.written, m, 2, Some(m)))
            || write.is_some_and(|d| {
                self.words.iter().any(|w| *w == d || *w == d + 1)
                    || Scalars::overlaps(&self.masks, d, 2, Some(d))
                    || Scalars::overlaps(&self.written, d, 2, Some(d))
            })
        {
            return false;
        }
        self.words.extend(word);
        self.masks.extend(mask);
        self.written.extend(write);
        true
    }
}

/// The vector operands that a micro-operation reads.
fn sources(u: &Uop) -> [Option<V>; 4] {
    match *u {
        Uop::Lane { op, a, b, c, .. } => match op {
            LaneOp::Mov64 => [Some(a), Some(a.next(1)), None, None],
            LaneOp::BfeU | LaneOp::CvtUByte | LaneOp::ByteU => [Some(a), None, None, None],
            _ => {
                let (_, [_, rb, rc]) = op.regs();
                [Some(a), (rb > 0).then_some(b), (rc > 0).then_some(c), None]
            }
        },
        Uop::Select { a, b, .. } | Uop::Cmp { a, b, .. } => [Some(a), Some(b), None, None],
        Uop::Carry { a, b, .. } => [Some(a), Some(b), None, None],
        Uop::Dpp { a, .. } => [Some(a), None, None, None],
        // What the mask leaves out stays as it was.
        Uop::Blend { d, a, .. } => [Some(a), Some(d), None, None],
        _ => [None; 4],
    }
}

/// The vector operands that it writes.
fn results(u: &Uop) -> [Option<V>; 2] {
    match *u {
        Uop::Lane { op: LaneOp::Mov64, d, .. } => [Some(d), Some(d.next(1))],
        Uop::Lane { d, .. }
        | Uop::Splat { d, .. }
        | Uop::Select { d, .. }
        | Uop::Carry { d, .. }
        | Uop::Dpp { d, .. }
        | Uop::Blend { d, .. } => [Some(d), None],
        _ => [None; 2],
    }
}

const NEVER: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Slot {
    holds: Option<V>,
    dirty: bool,
    /// Where it is read next.
    next: u32,
    /// In use by the current micro-operation.
    pinned: bool,
}

/// Places a group's operands.
struct Builder<'a> {
    seg: &'a Segment,
    ops: Vec<Op>,
    slots: Vec<Slot>,
    /// Next reads of the current micro-operation's operands after it.
    after: Vec<(V, u32)>,
    /// Whether temporaries are read after the group.
    keep_temps: bool,
}

/// The steps of a group. Temporaries are kept if `keep_temps`: something after the group reads them.
pub fn build(seg: &Segment, uops: &[Uop], t: Traits, keep_temps: bool) -> Vec<Op> {
    // Backwards: where each operand is read next after each micro-operation.
    let mut next: HashMap<V, u32> = HashMap::new();
    let mut after: Vec<Vec<(V, u32)>> = vec![Vec::new(); uops.len()];
    for (i, u) in uops.iter().enumerate().rev() {
        let seen = sources(u).into_iter().flatten().chain(results(u).into_iter().flatten());
        after[i] = seen.map(|v| (v, next.get(&v).copied().unwrap_or(NEVER))).collect();
        for v in results(u).into_iter().flatten() {
            next.remove(&v);
        }
        for v in sources(u).into_iter().flatten() {
            next.insert(v, i as u32);
        }
    }
    let slot = Slot { holds: None, dirty: false, next: NEVER, pinned: false };
    let mut b =
        Builder { seg, ops: Vec::new(), slots: vec![slot; t.registers as usize], after: Vec::new(), keep_temps };
    for (u, after) in uops.iter().zip(after) {
        b.after = after;
        b.one(u);
        for s in &mut b.slots {
            s.pinned = false;
            // Temporaries end with their instruction.
            if s.next == NEVER && (!s.dirty || (!keep_temps && s.holds.is_some_and(|v| !v.is_reg()))) {
                s.holds = None;
                s.dirty = false;
            }
        }
    }
    for i in 0..b.slots.len() {
        b.write_back(i);
    }
    b.ops
}

impl Builder<'_> {
    fn write_back(&mut self, i: usize) {
        let s = self.slots[i];
        if let Some(v) = s.holds
            && s.dirty
            && (v.is_reg() || self.keep_temps || s.next != NEVER)
        {
            self.ops.push(Op::Store { m: v, s: i as u8 });
        }
        self.slots[i].dirty = false;
    }

    fn later(&self, v: V) -> u32 {
        self.after.iter().find(|(w, _)| *w == v).map_or(NEVER, |(_, n)| *n)
    }

    fn held(&self, v: V) -> Option<u8> {
        self.slots.iter().position(|s| s.holds == Some(v)).map(|i| i as u8)
    }

    /// A free host register, pinned.
    fn fresh(&mut self) -> u8 {
        let free = self.slots.iter().position(|s| s.holds.is_none() && !s.pinned);
        let i = free.unwrap_or_else(|| {
            let victim = (0..self.slots.len())
                .filter(|i| !self.slots[*i].pinned)
                .max_by_key(|i| (self.slots[*i].next, !self.slots[*i].dirty))
                .unwrap_or(0);
            self.write_back(victim);
            victim
        });
        self.slots[i] = Slot { holds: None, dirty: false, next: NEVER, pinned: true };
        i as u8
    }

    /// An operand in a host register.
    fn reg(&mut self, v: V) -> u8 {
        let next = self.later(v);
        let i = self.held(v).unwrap_or_else(|| {
            let i = self.fresh();
            self.ops.push(Op::Load { d: i, m: v });
            self.slots[i as usize].holds = Some(v);
            i
        });
        self.slots[i as usize].pinned = true;
        self.slots[i as usize].next = next;
        i
    }

    /// An operand where it is, loaded if it will be needed again.
    fn src(&mut self, v: V) -> Src {
        if self.held(v).is_some() || self.later(v) != NEVER { Src::Reg(self.reg(v)) } else { Src::Mem(v) }
    }

    /// Makes a host register the home of a result.
    fn put(&mut self, v: V, i: u8) {
        if let Some(old) = self.held(v) {
            let s = &mut self.slots[old as usize];
            s.holds = None;
            s.dirty = false;
        }
        let next = self.later(v);
        let s = &mut self.slots[i as usize];
        s.holds = Some(v);
        s.dirty = true;
        s.next = next;
    }

    /// A host register with a copy of an operand, to be changed.
    fn copy(&mut self, v: V) -> u8 {
        let d = if self.held(v).is_some() || self.later(v) != NEVER {
            let s = self.reg(v);
            let d = self.fresh();
            self.ops.push(Op::Copy { d, s });
            return d;
        } else {
            self.fresh()
        };
        self.ops.push(Op::Load { d, m: v });
        d
    }

    fn bin(&mut self, op: Bin, a: u8, b: Src) -> u8 {
        let d = self.fresh();
        self.ops.push(Op::Bin { op, d, a, b });
        d
    }

    fn shift(&mut self, op: Shift, value: V, count: V) -> u8 {
        if let Some(n) = uniform(self.seg, count) {
            let a = self.reg(value);
            return self.shift_imm(op, a, n & 31);
        }
        let (value, count) = (self.reg(value), self.reg(count));
        let d = self.fresh();
        self.ops.push(Op::Shift { op, d, value, count });
        d
    }

    fn shift_imm(&mut self, op: Shift, a: u8, n: u32) -> u8 {
        let d = self.fresh();
        self.ops.push(Op::ShiftImm { op, d, a, n: n as u8 });
        d
    }

    fn check(&mut self, test: Test, op: LaneOp, d: u8, sources: [Option<Src>; 3]) {
        let mut live = 0;
        for (i, s) in self.slots.iter().enumerate() {
            if s.holds.is_some() || s.pinned {
                live |= 1 << i;
            }
        }
        let slow = Box::new(Slow { op, d, sources, live });
        self.ops.push(Op::Check { test, slow });
    }

    fn one(&mut self, u: &Uop) {
        match *u {
            Uop::Lane { op: LaneOp::Mov64, d, a, .. } => {
                let (low, high) = (self.copy(a), self.copy(a.next(1)));
                self.put(d, low);
                self.put(d.next(1), high);
            }
            Uop::Lane { op, d, a, b, c } => {
                let r = self.lane(op, a, b, c);
                self.put(d, r);
            }
            Uop::Splat { d, s } => {
                let r = self.fresh();
                self.ops.push(Op::Splat { d: r, s });
                self.put(d, r);
            }
            Uop::Select { d, a, b, mask } => {
                let (x, y) = (self.reg(a), self.src(b));
                let r = self.fresh();
                self.ops.push(Op::Select { d: r, a: x, b: y, mask });
                self.put(d, r);
            }
            Uop::Blend { d, a, mask } => {
                let (x, y) = (self.reg(d), self.src(a));
                let r = self.fresh();
                self.ops.push(Op::Select { d: r, a: x, b: y, mask });
                self.put(d, r);
            }
            Uop::Cmp { cond, ty, d, a, b, exec } => {
                let (x, y) = (self.reg(a), self.src(b));
                self.ops.push(Op::Cmp { cond, ty, d, a: x, b: y, exec });
            }
            Uop::Carry { op, d, sdst, a, b, cin, .. } => {
                let (x, y) = (self.reg(a), self.reg(b));
                let (x, y) = if op == CarryOp::SubRev { (y, x) } else { (x, y) };
                // A constant carry is no carry.
                let cin = (cin.0 < 256).then_some(cin);
                let r = self.fresh();
                self.ops.push(Op::Carry { sub: op != CarryOp::Add, d: r, a: x, b: y, cin, sdst });
                self.put(d, r);
            }
            Uop::Dpp { d, a, ctrl, valid } => {
                let x = self.reg(a);
                let r = self.fresh();
                self.ops.push(Op::Dpp { d: r, a: x, ctrl, valid });
                self.put(d, r);
            }
            _ => {}
        }
    }

    fn lane(&mut self, op: LaneOp, a: V, b: V, c: V) -> u8 {
        let two = |s: &mut Self, op: Bin, x: V, y: V| {
            let (x, y) = (s.reg(x), s.src(y));
            s.bin(op, x, y)
        };
        let three = |s: &mut Self, one: Bin, other: Bin| {
            let (x, y, z) = (s.reg(a), s.src(b), s.src(c));
            let r = s.bin(one, x, y);
            s.ops.push(Op::Bin { op: other, d: r, a: r, b: z });
            r
        };
        let masked = |s: &mut Self, v: V, mask: Fixed| {
            let x = s.reg(v);
            s.bin(Bin::And, x, Src::Fixed(fixed(mask)))
        };
        let or = |s: &mut Self, r: u8, other: u8| {
            s.ops.push(Op::Bin { op: Bin::Or, d: r, a: r, b: Src::Reg(other) });
            r
        };
        // (x & mask) | (y & !mask), as ((x ^ y) & mask) ^ y.
        let mix = |s: &mut Self, x: V, y: V, mask: Src| {
            let (x, y) = (s.reg(x), s.reg(y));
            let r = s.bin(Bin::Xor, x, Src::Reg(y));
            s.ops.push(Op::Bin { op: Bin::And, d: r, a: r, b: mask });
            s.ops.push(Op::Bin { op: Bin::Xor, d: r, a: r, b: Src::Reg(y) });
            r
        };
        let float = |s: &mut Self, f: Bin, x: V, y: V| {
            let (rx, ry) = (s.reg(x), s.src(y));
            let r = s.bin(f, rx, ry);
            let (sx, sy) = if x == a { (Src::Reg(rx), ry) } else { (ry, Src::Reg(rx)) };
            s.check(Test::Nan(r), op, r, [Some(sx), Some(sy), None]);
            r
        };
        match op {
            LaneOp::Mov => self.copy(a),
            LaneOp::Not => {
                let x = self.reg(a);
                self.bin(Bin::Xor, x, Src::Fixed(fixed(Fixed::Ones)))
            }
            LaneOp::And => two(self, Bin::And, a, b),
            LaneOp::Or => two(self, Bin::Or, a, b),
            LaneOp::Xor => two(self, Bin::Xor, a, b),
            LaneOp::Xnor => {
                let r = two(self, Bin::Xor, a, b);
                self.ops.push(Op::Bin { op: Bin::Xor, d: r, a: r, b: Src::Fixed(fixed(Fixed::Ones)) });
                r
            }
            LaneOp::Or3 => three(self, Bin::Or, Bin::Or),
            LaneOp::AndOr => three(self, Bin::And, Bin::Or),
            LaneOp::Xad => three(self, Bin::Xor, Bin::Add),
            LaneOp::Add3 => three(self, Bin::Add, Bin::Add),
            LaneOp::Min3U32 => three(self, Bin::MinU, Bin::MinU),
            LaneOp::Max3U32 => three(self, Bin::MaxU, Bin::MaxU),
            LaneOp::Min3I32 => three(self, Bin::MinI, Bin::MinI),
            LaneOp::Max3I32 => three(self, Bin::MaxI, Bin::MaxI),
            LaneOp::Bfi => {
                let mask = self.src(a);
                mix(self, b, c, mask)
            }
            LaneOp::Select => {
                let mask = self.src(b);
                mix(self, a, c, mask)
            }
            LaneOp::Lshl => self.shift(Shift::Left, a, b),
            LaneOp::LshlRev => self.shift(Shift::Left, b, a),
            LaneOp::LshrRev => self.shift(Shift::Right, b, a),
            LaneOp::AshrRev => self.shift(Shift::Arithmetic, b, a),
            LaneOp::LshlOr | LaneOp::LshlAdd => {
                let r = self.shift(Shift::Left, a, b);
                let z = self.src(c);
                let op = if op == LaneOp::LshlOr { Bin::Or } else { Bin::Add };
                self.ops.push(Op::Bin { op, d: r, a: r, b: z });
                r
            }
            LaneOp::AddLshl => {
                let r = two(self, Bin::Add, a, b);
                if let Some(n) = uniform(self.seg, c) {
                    return self.shift_imm(Shift::Left, r, n & 31);
                }
                let count = self.reg(c);
                let d = self.fresh();
                self.ops.push(Op::Shift { op: Shift::Left, d, value: r, count });
                d
            }
            LaneOp::AddU32 => two(self, Bin::Add, a, b),
            LaneOp::SubU32 => two(self, Bin::Sub, a, b),
            LaneOp::SubRevU32 => two(self, Bin::Sub, b, a),
            LaneOp::MulLo => two(self, Bin::MulLo, a, b),
            LaneOp::MulU24 | LaneOp::MadU24 => {
                let (x, y) = (masked(self, a, Fixed::Low24), masked(self, b, Fixed::Low24));
                self.ops.push(Op::Bin { op: Bin::MulLo, d: x, a: x, b: Src::Reg(y) });
                if op == LaneOp::MadU24 {
                    let z = self.src(c);
                    self.ops.push(Op::Bin { op: Bin::Add, d: x, a: x, b: z });
                }
                x
            }
            LaneOp::MinU32 => two(self, Bin::MinU, a, b),
            LaneOp::MaxU32 => two(self, Bin::MaxU, a, b),
            LaneOp::MinI32 => two(self, Bin::MinI, a, b),
            LaneOp::MaxI32 => two(self, Bin::MaxI, a, b),
            LaneOp::AddF32 => float(self, Bin::AddF, a, b),
            LaneOp::SubF32 => float(self, Bin::SubF, a, b),
            LaneOp::SubRevF32 => {
                let (rb, ra) = (self.reg(b), self.src(a));
                let r = self.bin(Bin::SubF, rb, ra);
                self.check(Test::Nan(r), op, r, [Some(ra), Some(Src::Reg(rb)), None]);
                r
            }
            LaneOp::MulF32 => float(self, Bin::MulF, a, b),
            LaneOp::FmaF32 => {
                let (x, y) = (self.reg(a), self.src(b));
                let z = self.src(c);
                let d = self.fresh();
                self.ops.push(match z {
                    Src::Reg(s) => Op::Copy { d, s },
                    _ => Op::Load { d, m: c },
                });
                self.ops.push(Op::Fma { d, a: x, b: y });
                self.check(Test::Nan(d), op, d, [Some(Src::Reg(x)), Some(y), Some(z)]);
                d
            }
            LaneOp::MinF32 | LaneOp::MaxF32 | LaneOp::MinIeeeF32 | LaneOp::MaxIeeeF32 => {
                let (x, y) = (self.reg(a), self.src(b));
                let min = matches!(op, LaneOp::MinF32 | LaneOp::MinIeeeF32);
                let r = self.bin(if min { Bin::MinF } else { Bin::MaxF }, x, y);
                self.check(Test::Unordered(x, y), op, r, [Some(Src::Reg(x)), Some(y), None]);
                r
            }
            LaneOp::NegF32 => {
                let x = self.reg(a);
                self.bin(Bin::Xor, x, Src::Fixed(fixed(Fixed::Sign)))
            }
            LaneOp::AbsF32 => masked(self, a, Fixed::Magnitude),
            LaneOp::NegAbsF32 => {
                let x = self.reg(a);
                self.bin(Bin::Or, x, Src::Fixed(fixed(Fixed::Sign)))
            }
            LaneOp::ClampF32 => {
                let x = self.reg(a);
                // NaN and −0 give the second operand, which is +0.
                let r = self.bin(Bin::MaxHost, x, Src::Fixed(fixed(Fixed::Zero)));
                self.ops.push(Op::Bin { op: Bin::MinHost, d: r, a: r, b: Src::Fixed(fixed(Fixed::One)) });
                r
            }
            LaneOp::Lo16 => masked(self, a, Fixed::Low16),
            LaneOp::Hi16 => {
                let x = self.reg(a);
                self.shift_imm(Shift::Right, x, 16)
            }
            LaneOp::Swap16 => {
                let x = self.reg(a);
                let (high, low) = (self.shift_imm(Shift::Left, x, 16), self.shift_imm(Shift::Right, x, 16));
                or(self, high, low)
            }
            LaneOp::DupLo16 => {
                let (low, x) = (masked(self, a, Fixed::Low16), self.reg(a));
                let high = self.shift_imm(Shift::Left, x, 16);
                or(self, high, low)
            }
            LaneOp::DupHi16 => {
                let x = self.reg(a);
                let low = self.shift_imm(Shift::Right, x, 16);
                let high = self.shift_imm(Shift::Left, low, 16);
                or(self, high, low)
            }
            LaneOp::Pack16 => {
                let (low, y) = (masked(self, a, Fixed::Low16), self.reg(b));
                let high = self.shift_imm(Shift::Left, y, 16);
                or(self, high, low)
            }
            LaneOp::InsertLo16 => mix(self, a, b, Src::Fixed(fixed(Fixed::Low16))),
            LaneOp::InsertHi16 => {
                let (low, x) = (masked(self, b, Fixed::Low16), self.reg(a));
                let high = self.shift_imm(Shift::Left, x, 16);
                or(self, high, low)
            }
            LaneOp::BfeU => {
                let (offset, width) = (uniform(self.seg, b).unwrap_or(0) & 31, uniform(self.seg, c).unwrap_or(0) & 31);
                let x = self.reg(a);
                if width == 0 {
                    return self.bin(Bin::And, x, Src::Fixed(fixed(Fixed::Zero)));
                }
                if offset + width >= 32 {
                    return self.shift_imm(Shift::Right, x, offset);
                }
                let r = self.shift_imm(Shift::Left, x, 32 - offset - width);
                self.shift_imm(Shift::Right, r, 32 - width)
            }
            LaneOp::CvtUByte | LaneOp::ByteU => {
                let offset = uniform(self.seg, b).unwrap_or(0) & 31;
                let x = self.reg(a);
                let r = self.shift_imm(Shift::Left, x, 24 - offset);
                let r = self.shift_imm(Shift::Right, r, 24);
                if op == LaneOp::CvtUByte {
                    self.ops.push(Op::Un { op: Un::I32ToF32, d: r, a: r });
                }
                r
            }
            LaneOp::CvtF32F16 | LaneOp::CvtF16F32 => {
                let x = self.reg(a);
                let d = self.fresh();
                // The host quiets NaNs and keeps their payloads just as the definition does.
                let op = if op == LaneOp::CvtF32F16 { Un::F16ToF32 } else { Un::F32ToF16 };
                self.ops.push(Op::Un { op, d, a: x });
                d
            }
            LaneOp::Dot2F32F16 => {
                let (x, y, z) = (self.reg(a), self.reg(b), self.reg(c));
                let d = self.fresh();
                self.ops.push(Op::Copy { d, s: z });
                self.ops.push(Op::Dot2 { d, a: x, b: y });
                let sources = [Some(Src::Reg(x)), Some(Src::Reg(y)), Some(Src::Reg(z))];
                self.check(Test::Marked, op, d, sources);
                d
            }
            LaneOp::CvtF32U32 => {
                let x = self.reg(a);
                let d = self.fresh();
                self.ops.push(Op::Un { op: Un::U32ToF32, d, a: x });
                d
            }
            // Only what `groupable` admits gets here; what is left is the conversion from signed integers.
            _ => {
                let x = self.reg(a);
                let d = self.fresh();
                self.ops.push(Op::Un { op: Un::I32ToF32, d, a: x });
                d
            }
        }
    }
}

/// The host's predicate for a comparison of floats, in either encoding: quiet, and ordered unless negated.
pub fn float_predicate(cond: Cond) -> u8 {
    match cond {
        Cond::Lt => 0x11,
        Cond::Eq => 0x00,
        Cond::Le => 0x12,
        Cond::Gt => 0x1e,
        Cond::Lg => 0x0c,
        Cond::Ge => 0x1d,
        Cond::O => 0x07,
        Cond::U => 0x03,
        Cond::Nge => 0x19,
        Cond::Nlg => 0x08,
        Cond::Ngt => 0x1a,
        Cond::Nle => 0x16,
        Cond::Nlt => 0x15,
        _ => 0x04,
    }
}

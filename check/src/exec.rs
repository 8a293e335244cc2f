//! EXEC where it is zero or partial and that matters.
//!
//! Most instructions only do less when lanes are off. Some do not care: matrix instructions take every lane, whatever EXEC
//! says; `v_readfirstlane` reads lane 0 if none is on; scalar stores happen anyway. And a register that was written with
//! some lanes off holds nothing in those, which shows once lanes look at each other.
//!
//! What is kept is which instruction narrowed EXEC last, whether it may be zero, and which registers have been written
//! only since. Where ways with different answers join, there is no answer: which lanes are on is data, so this is advice, and
//! the dynamic half decides; but for memory accessed where every way has set EXEC to a constant 0, which does nothing.

use crate::dataflow::{Analysis, State};
use crate::graph::Start;
use crate::program::{Exit, Program};
use crate::registers::Registers;
use crate::relative::is_choice;
use wavesmith_asm::effects::{self, Span, Touch};
use wavesmith_asm::reg::code;
use wavesmith_asm::sem::{Branch, Ds, Elem, Logic, Op, SOp, Sem};
use wavesmith_asm::{Field, Form, Inst, Operand, RegClass};

/// What is known of the lanes that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lanes {
    /// As many as the wave started with.
    All,
    /// What this node left.
    Narrowed(u32),
    /// Ways disagree, or it was computed in a way that is not followed.
    Unknown,
}

impl Lanes {
    fn join(self, other: Lanes) -> Lanes {
        if self == other { self } else { Lanes::Unknown }
    }
}

/// EXEC, or a register pair that it was saved in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mask {
    lanes: Lanes,
    /// The node that may have made it zero.
    zero: Option<u32>,
}

impl Mask {
    const ALL: Mask = Mask { lanes: Lanes::All, zero: None };
    const UNKNOWN: Mask = Mask { lanes: Lanes::Unknown, zero: None };

    fn join(&mut self, other: Mask) -> bool {
        let zero = match (self.zero, other.zero) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let joined = Mask { lanes: self.lanes.join(other.lanes), zero };
        std::mem::replace(self, joined) != joined
    }
}

/// What holds at a point.
#[derive(Clone, Debug)]
pub(crate) struct Active {
    exec: Mask,
    /// SGPR pairs that hold a copy of an EXEC, by their first register.
    saved: Vec<(u16, Mask)>,
    /// Scalar registers in which all bits are set.
    ones: u128,
    /// Vector registers that all lanes of the wave may have been written to.
    full: Registers,
    /// Vector registers written only with what this node left of EXEC.
    partial: Vec<(u16, u32)>,
}

impl State for Active {
    fn join(&mut self, other: &Active) -> bool {
        let mut new = self.exec.join(other.exec);
        let before = self.saved.len();
        self.saved.retain_mut(|(s, mask)| match other.saved.iter().find(|(t, _)| t == s) {
            Some((_, theirs)) => {
                new |= mask.join(*theirs);
                true
            }
            None => false,
        });
        new |= self.saved.len() != before || self.ones & !other.ones != 0;
        self.ones &= other.ones;
        new |= self.full.join(&other.full);
        for &(register, by) in &other.partial {
            match self.partial.binary_search_by_key(&register, |p| p.0) {
                Ok(i) if self.partial[i].1 == by => {}
                // Two parts are taken for the two sides of a branch, and so for all lanes.
                Ok(_) => {
                    self.full.insert(Span { first: register, count: 1 });
                    new = true;
                }
                Err(i) => {
                    if !self.full.has(register) {
                        self.partial.insert(i, (register, by));
                        new = true;
                    }
                }
            }
        }
        let full = &self.full;
        self.partial.retain(|(r, _)| !full.has(*r));
        new
    }
}

impl Active {
    fn saved(&self, pair: u16) -> Option<Mask> {
        if self.ones >> pair & 3 == 3 {
            return Some(Mask::ALL);
        }
        self.saved.iter().find(|(s, _)| *s == pair).map(|(_, mask)| *mask)
    }

    fn save(&mut self, pair: u16, mask: Mask) {
        self.forget(pair, 2);
        let at = self.saved.partition_point(|(s, _)| *s < pair);
        self.saved.insert(at, (pair, mask));
    }

    /// Forgets what scalar registers held.
    fn forget(&mut self, first: u16, count: u16) {
        self.saved.retain(|(s, _)| *s >= first + count || s + 2 <= first);
        (first..first + count).take_while(|s| *s < 128).for_each(|s| self.ones &= !(1 << s));
    }

    fn write(&mut self, span: Span, whole: bool) {
        if whole || self.exec.lanes == Lanes::All || self.exec.lanes == Lanes::Unknown {
            self.full.insert(span);
            if !self.partial.is_empty() {
                self.partial.retain(|(r, _)| !(span.first..span.end()).contains(r));
            }
            return;
        }
        let Lanes::Narrowed(by) = self.exec.lanes else { return };
        for r in span.iter().filter(|r| !self.full.has(*r)).collect::<Vec<_>>() {
            match self.partial.binary_search_by_key(&r, |p| p.0) {
                Ok(i) if self.partial[i].1 == by => {}
                Ok(i) => {
                    self.partial.remove(i);
                    self.full.insert(Span { first: r, count: 1 });
                }
                Err(i) => self.partial.insert(i, (r, by)),
            }
        }
    }
}

/// What matters at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// A matrix instruction where EXEC is narrowed.
    Matrix { narrowed: u32 },
    /// `v_readfirstlane` where EXEC may be zero.
    FirstOfNone { narrowed: u32 },
    /// A scalar store or atomic where EXEC may be zero.
    Scalar { narrowed: u32 },
    /// A memory access where no lane is on.
    Idle { narrowed: u32 },
    /// Lanes that nothing has written are read by others.
    Lanes { register: u16, narrowed: u32 },
}

pub(crate) struct Execs<'a> {
    pub program: &'a Program,
    pub initial: Registers,
    /// By [`crate::program::NodeFacts::alike`]: what an instruction may do here.
    kinds: Vec<u8>,
}

const WRITES_EXEC: u8 = 1;
const READS_EXEC_AS_VALUE: u8 = 2;
const WRITES_SCALAR: u8 = 4;
const WRITES_VECTOR: u8 = 8;
/// Leaves a mask in scalar registers that is known, or known to be data.
const MAKES_MASK: u8 = 32;
/// Looks at other lanes than its own, or at all of them, or acts without any.
const ACROSS: u8 = 16;
/// Accesses memory for each lane that is on.
const ACCESSES: u8 = 64;

impl<'a> Execs<'a> {
    /// `None` where nothing of a kernel with these [`crate::whole::examples`] ever turns lanes off.
    pub fn new(program: &'a Program, examples: &[u32], initial: Registers) -> Option<Execs<'a>> {
        let example = |i: &u32| {
            let i = *i as usize;
            (&program.nodes[i].inst, program.facts[i].effects.touches())
        };
        // Pairs that comparisons leave data in, which may be moved to EXEC.
        let mut compared = 0u128;
        for (inst, touches) in examples.iter().map(example) {
            if matches!(inst.row().sem, Sem::Cmp { .. } | Sem::CmpClass { .. }) {
                let pairs = touches.iter().filter(|t| t.write && t.span.is_scalar());
                pairs.for_each(|t| compared |= 1 << (t.span.first - effects::S0));
            }
        }
        let narrows = examples.iter().map(example).any(|(inst, touches)| narrows(inst, touches, compared));
        narrows.then(|| {
            let mut kinds = vec![0; program.facts.distinct()];
            for i in examples {
                let (inst, touches) = example(i);
                kinds[program.facts.alike(*i as usize)] = kind_of(inst, touches);
            }
            Execs { program, initial, kinds }
        })
    }

    /// The lanes that a node leaves on, where they are a constant.
    fn constant(&self, node: u32) -> Option<u64> {
        let inst = &self.program.nodes[node as usize].inst;
        let number = |slot| match inst.slot(slot) {
            Some(Operand::Int(i)) => Some(i64::from(i) as u64),
            Some(Operand::Literal(l)) => Some(u64::from(l)),
            _ => None,
        };
        match inst.row().sem {
            Sem::Salu(SOp::Mov, Elem::B64) => number(Field::Src0),
            Sem::Salu(SOp::Bfm, Elem::B64) => {
                let (width, offset) = (number(Field::Src0)? & 63, number(Field::Src1)? & 63);
                Some(((1u64 << width) - 1) << offset)
            }
            Sem::Salu(SOp::Logic(Logic::And), Elem::B64) => {
                (number(Field::Src0) == Some(0) || number(Field::Src1) == Some(0)).then_some(0)
            }
            Sem::Salu(SOp::Logic(Logic::Xor | Logic::Andn2), Elem::B64) => {
                (inst.slot(Field::Src0) == inst.slot(Field::Src1)).then_some(0)
            }
            _ => None,
        }
    }

    fn narrow(&self, node: usize) -> Mask {
        let node = node as u32;
        match self.constant(node) {
            Some(u64::MAX) => Mask::ALL,
            Some(mask) => Mask { lanes: Lanes::Narrowed(node), zero: (mask == 0).then_some(node) },
            None => Mask { lanes: Lanes::Narrowed(node), zero: Some(node) },
        }
    }

    /// What a node makes of EXEC, and the register pair that it saves the old one in.
    fn step(&self, state: &Active, node: usize) -> (Mask, Option<(u16, Mask)>) {
        let inst = &self.program.nodes[node].inst;
        let pair = |slot| match inst.slot(slot) {
            Some(Operand::Reg(r)) if r.class == RegClass::S => Some(r.index),
            _ => None,
        };
        let value = |slot| match pair(slot) {
            Some(code::EXEC) => Some(state.exec),
            Some(s) => state.saved(s),
            None => None,
        };
        let (dst, a, b) = (pair(Field::Dst), Field::Src0, Field::Src1);
        // All lanes or-ed with anything are all; of other unions it is not known what they make up.
        let or = |x: Option<Mask>, y: Option<Mask>| {
            let all = |m: Option<Mask>| m.is_some_and(|m| m.lanes == Lanes::All);
            if all(x) || all(y) { Mask::ALL } else { Mask::UNKNOWN }
        };
        let sem = inst.row().sem;
        if dst == Some(code::EXEC) {
            let next = match sem {
                Sem::Salu(SOp::Mov, Elem::B64) => match value(a) {
                    Some(mask) => mask,
                    // Constants narrow; a pair that is not followed may hold anything, all lanes too.
                    None if pair(a).is_none() => self.narrow(node),
                    None => Mask::UNKNOWN,
                },
                Sem::Salu(SOp::Logic(Logic::Or), _) => or(value(a), value(b)),
                Sem::Salu(SOp::Logic(Logic::Orn2 | Logic::Orn1), _) => Mask::UNKNOWN,
                Sem::Salu(SOp::Logic(_) | SOp::Bfm | SOp::Cselect, Elem::B64) => self.narrow(node),
                _ => Mask::UNKNOWN,
            };
            return (next, None);
        }
        match sem {
            Sem::SaveExec(op) => {
                let next = match op {
                    Logic::Or => or(Some(state.exec), value(a)),
                    Logic::Orn1 | Logic::Orn2 => Mask::UNKNOWN,
                    _ => self.narrow(node),
                };
                (next, dst.map(|d| (d, state.exec)))
            }
            Sem::WrExec(_) | Sem::Cmp { exec: true, .. } | Sem::CmpClass { exec: true, .. } => {
                (self.narrow(node), None)
            }
            _ => (Mask::UNKNOWN, None),
        }
    }

    /// What of lanes that are not its own an instruction looks at, given what is known of its registers.
    fn across(&self, state: &Active, node: usize, report: &mut dyn FnMut(Doubt)) {
        let n = &self.program.nodes[node];
        let sem = n.inst.row().sem;
        let narrowed = match state.exec.lanes {
            Lanes::Narrowed(by) => Some(by),
            Lanes::All | Lanes::Unknown => None,
        };
        match sem {
            Sem::Mfma(_) => {
                if let Some(narrowed) = narrowed {
                    report(Doubt::Matrix { narrowed });
                    return;
                }
            }
            Sem::Lane(Op::ReadFirstLane, _) => {
                if let Some(narrowed) = state.exec.zero {
                    report(Doubt::FirstOfNone { narrowed });
                    return;
                }
            }
            Sem::ScalarStore { .. } | Sem::ScalarAtomic { .. } => {
                if let Some(narrowed) = state.exec.zero {
                    report(Doubt::Scalar { narrowed });
                }
                return;
            }
            _ => {}
        }
        let all = matches!(sem, Sem::Mfma(_)) || state.exec.lanes == Lanes::All;
        if !all || state.partial.is_empty() {
            return;
        }
        // The lane that is looked at, if it is one that the code names.
        let lane = match (sem, n.inst.slot(Field::Src1)) {
            (Sem::Lane(Op::ReadLane, _), Some(Operand::Int(i))) => Some(i as u32 & 63),
            (Sem::Lane(Op::ReadLane, _), _) => return,
            (Sem::Lane(Op::ReadFirstLane, _), _) => Some(0),
            _ => None,
        };
        for t in self.program.facts[node].effects.touches().iter().filter(|t| t.read && !t.write && t.span.is_vector())
        {
            // Of a DPP move only the first operand comes from elsewhere, of a permutation through LDS only the data.
            let elsewhere = match sem {
                Sem::Ds(_) => t.slot == Field::Data0,
                _ if n.inst.form() == Form::Dpp => t.slot == Field::Src0,
                _ => t.slot != Field::Reserved,
            };
            let part = state.partial.iter().find(|(r, _)| elsewhere && (t.span.first..t.span.end()).contains(r));
            let Some(&(register, by)) = part else { continue };
            let covered = match (lane, self.constant(by)) {
                (Some(lane), Some(mask)) => mask >> lane & 1 != 0,
                // Which lane was on is data; the first lane that is on is what code that elects one leaves.
                (Some(_), None) => true,
                (None, _) => false,
            };
            if !covered {
                report(Doubt::Lanes { register, narrowed: by });
                return;
            }
        }
    }
}

/// Whether an instruction may turn lanes off in a way that is followed here.
fn narrows(inst: &Inst, touches: &[Touch], compared: u128) -> bool {
    if !touches.iter().any(|t| t.write && t.span.overlaps(Span::EXEC)) {
        return false;
    }
    match (inst.row().sem, inst.slot(Field::Src0)) {
        (Sem::Salu(SOp::Mov, _), Some(Operand::Int(-1))) => false,
        (Sem::Salu(SOp::Mov, _), Some(Operand::Reg(r))) if r.class == RegClass::S => compared >> r.index & 1 != 0,
        _ => true,
    }
}

fn kind_of(inst: &Inst, touches: &[Touch]) -> u8 {
    let mut kind = 0;
    for t in touches {
        let exec = t.span.overlaps(Span::EXEC);
        if t.write {
            kind |= if exec { WRITES_EXEC } else { 0 };
            kind |= if t.span.is_scalar() && !exec { WRITES_SCALAR } else { 0 };
            kind |= if t.span.is_vector() { WRITES_VECTOR } else { 0 };
        }
        if t.read && exec && t.slot != Field::Reserved {
            kind |= READS_EXEC_AS_VALUE;
        }
    }
    let accesses = match inst.row().sem {
        Sem::Load { .. } | Sem::Store { .. } | Sem::Atomic { .. } => true,
        Sem::DsLoad2 { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => true,
        Sem::Ds(ds) => matches!(ds, Ds::ReadTr { .. } | Ds::WriteAddtid | Ds::ReadAddtid),
        _ => false,
    };
    kind |= if accesses { ACCESSES } else { 0 };
    let across = match inst.row().sem {
        Sem::Mfma(_) | Sem::ScalarStore { .. } | Sem::ScalarAtomic { .. } => true,
        Sem::Lane(op, _) => {
            matches!(op, Op::ReadLane | Op::ReadFirstLane | Op::Permlane16Swap | Op::Permlane32Swap)
        }
        Sem::Ds(ds) => matches!(ds, Ds::Swizzle | Ds::Permute | Ds::Bpermute),
        _ => false,
    };
    kind |= match inst.row().sem {
        Sem::Cmp { exec: false, .. } | Sem::CmpClass { exec: false, .. } => MAKES_MASK,
        Sem::Salu(SOp::Mov, _) if inst.slot(Field::Src0) == Some(Operand::Int(-1)) => MAKES_MASK,
        _ => 0,
    };
    kind | if across || inst.form() == Form::Dpp { ACROSS } else { 0 }
}

impl Analysis for Execs<'_> {
    type State = Active;
    type Fault = Doubt;

    fn start(&self, start: Start) -> Active {
        let (exec, full) = match start {
            Start::Unknown => (Mask::UNKNOWN, Registers::ALL),
            Start::Entry | Start::Preloaded => (Mask::ALL, self.initial),
        };
        Active { exec, saved: Vec::new(), ones: 0, full, partial: Vec::new() }
    }

    #[inline]
    fn node(&self, state: &mut Active, node: usize, report: &mut dyn FnMut(Doubt)) {
        let kind = self.kinds[self.program.facts.alike(node)];
        let n = &self.program.nodes[node];
        if n.absent {
            return;
        }
        if kind & ACCESSES != 0
            && let Lanes::Narrowed(narrowed) = state.exec.lanes
            && self.constant(narrowed) == Some(0)
        {
            report(Doubt::Idle { narrowed });
        }
        if kind & ACROSS != 0 && (state.exec != Mask::ALL || !state.partial.is_empty()) {
            self.across(state, node, report);
        }
        let known = !state.saved.is_empty() || state.ones != 0;
        if kind & (WRITES_EXEC | READS_EXEC_AS_VALUE | MAKES_MASK) != 0 || kind & WRITES_SCALAR != 0 && known {
            self.scalars(state, node, kind);
        }
        if kind & WRITES_VECTOR != 0 {
            // Matrix instructions and `v_writelane` do not ask EXEC.
            let whole = matches!(n.inst.row().sem, Sem::Mfma(_) | Sem::Lane(Op::WriteLane, _));
            // Which register of several is written is data, so it is not said of any that it has been in part.
            let whole = whole || self.program.facts[node].effects.writes().any(is_choice);
            for t in self.program.facts[node].effects.writes().filter(|t| t.span.is_vector()) {
                state.write(t.span, whole);
            }
        }
    }

    fn along(&self, state: &Active, last: usize, to: u64) -> Option<Active> {
        let n = &self.program.nodes[last];
        let Exit::Either(target) = n.exit else { return None };
        let on = match n.inst.row().sem {
            Sem::Branch(Branch::Execz) => to != target,
            Sem::Branch(Branch::Execnz) => to == target,
            _ => return None,
        };
        if !on || target == n.next_pc() || state.exec.zero.is_none() {
            return None;
        }
        let mut on = state.clone();
        on.exec.zero = None;
        Some(on)
    }
}

impl Execs<'_> {
    fn scalars(&self, state: &mut Active, node: usize, kind: u8) {
        let n = &self.program.nodes[node];
        let moved = match n.inst.row().sem {
            Sem::Salu(SOp::Mov, _) => n.inst.slot(Field::Src0),
            _ => None,
        };
        let copied = match (n.inst.row().sem, moved) {
            (Sem::Salu(_, Elem::B64), Some(Operand::Reg(r))) if r.class == RegClass::S => match r.index {
                code::EXEC => Some(state.exec),
                s => state.saved(s),
            },
            _ => None,
        };
        let (next, saves) = if kind & WRITES_EXEC != 0 {
            self.step(state, node)
        } else {
            let pair = self.program.facts[node].effects.writes().find(|t| t.span.is_scalar() && t.span.count == 2);
            let to = pair.map(|t| t.span.first - effects::S0);
            let computed = match n.inst.row().sem {
                Sem::Cmp { .. } | Sem::CmpClass { .. } => Some(self.narrow(node)),
                _ => copied,
            };
            (state.exec, to.zip(computed))
        };
        let ones = match moved {
            Some(Operand::Int(-1)) => {
                self.program.facts[node].effects.writes().find(|t| t.span.is_scalar()).map(|t| t.span)
            }
            _ => None,
        };
        for t in self.program.facts[node].effects.writes().filter(|t| t.span.is_scalar()) {
            state.forget(t.span.first - effects::S0, t.span.count);
        }
        state.exec = next;
        if let Some((pair, mask)) = saves {
            state.save(pair, mask);
        }
        for r in ones.into_iter().flat_map(Span::iter) {
            state.ones |= 1 << (r - effects::S0);
        }
    }
}

/// Barriers that waves without lanes jump over, with the branch: while the others wait for them, they go on.
pub(crate) fn jumped_barriers(program: &Program, nodes: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for i in nodes {
        let n = &program.nodes[i];
        let (Sem::Branch(Branch::Execz), Exit::Either(target)) = (n.inst.row().sem, n.exit) else { continue };
        let between = program.nodes[i + 1..].iter().take_while(|m| m.pc < target);
        // Code that lies elsewhere is not on the way.
        let straight = between.clone().all(|m| !matches!(m.exit, Exit::End | Exit::Jump(_)));
        if straight && let Some(at) = between.clone().position(|m| m.waits == crate::program::Waiting::Barrier) {
            out.push((i + 1 + at, i));
        }
    }
    out
}

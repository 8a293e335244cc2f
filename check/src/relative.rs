//! Registers that are named relative to M0: the vector operands of instructions between `s_set_gpr_idx_on` and
//! `s_set_gpr_idx_off`, and what `s_movrels` and `s_movreld` move.
//!
//! Where M0 is a constant, the instruction is taken to touch what it then does. Elsewhere it touches what it names, and may
//! touch whatever lies behind that, as far as the code names registers at all: which of them is data. Compilers index
//! arrays so, whose first register is the one that is named; a wait for all of an array that is missing shows at its first.

use crate::dataflow::{Analysis, State, solve};
use crate::graph::{Graph, Start};
use crate::program::Program;
use std::collections::BTreeMap;
use wavesmith_asm::effects::{self, Effects, Span, Touch};
use wavesmith_asm::reg::code;
use wavesmith_asm::sem::{Control, Elem, Logic, SOp, Sem};
use wavesmith_asm::{Field, Inst, Operand, RegClass};

/// Numbers from the first to the second, both included.
type Between = (u32, u32);

const ANY: Between = (0, u32::MAX);
/// What an index of vector registers can be: eight bits.
const ANY_INDEX: Between = (0, 255);

fn hull(a: Between, b: Between) -> Between {
    (a.0.min(b.0), a.1.max(b.1))
}

/// What M0 and MODE may make of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Indexing {
    /// Whether indexing may be on, and whether it is for certain.
    may: bool,
    must: bool,
    /// Operands that M0 names, as `gpr_idx` has them, in the same two ways.
    operands_may: u32,
    operands_must: u32,
    /// M0's low eight bits, and all of it.
    index: Between,
    m0: Between,
}

impl Indexing {
    /// Off, with nothing known of M0.
    const OFF: Indexing =
        Indexing { may: false, must: false, operands_may: 15, operands_must: 0, index: ANY_INDEX, m0: ANY };

    fn select(&mut self, operands: u32) {
        (self.operands_may, self.operands_must) = (operands & 15, operands & 15);
    }

    fn count(&mut self, value: Between) {
        self.index = if value.1 <= 255 {
            value
        } else if value.0 == value.1 {
            (value.0 & 255, value.0 & 255)
        } else {
            ANY_INDEX
        };
        self.m0 = ANY;
    }
}

impl State for Indexing {
    fn join(&mut self, other: &Indexing) -> bool {
        let joined = Indexing {
            may: self.may || other.may,
            must: self.must && other.must,
            operands_may: self.operands_may | other.operands_may,
            operands_must: self.operands_must & other.operands_must,
            index: hull(self.index, other.index),
            m0: hull(self.m0, other.m0),
        };
        std::mem::replace(self, joined) != joined
    }
}

/// A node whose registers M0 may name, with what is known there.
struct Modes<'a> {
    program: &'a Program,
}

impl Analysis for Modes<'_> {
    type State = Indexing;
    type Fault = Indexing;

    fn start(&self, _: Start) -> Indexing {
        Indexing::OFF
    }

    fn node(&self, state: &mut Indexing, node: usize, report: &mut dyn FnMut(Indexing)) {
        let n = &self.program.nodes[node];
        if n.absent {
            return;
        }
        if n.inst.row().sem.is_indexed_by_mode() || is_scalar_move(&n.inst) {
            report(*state);
        }
        match n.inst.row().sem {
            Sem::Control(Control::SetGprIdxOn) => {
                (state.may, state.must) = (true, true);
                state.select(n.inst.get(Field::Src1));
                state.count(self.value(node, n.inst.slot(Field::Src0)));
            }
            Sem::Control(Control::SetGprIdxOff) => (state.may, state.must) = (false, false),
            Sem::Control(Control::SetGprIdxMode) => state.select(n.inst.get(Field::Simm16)),
            Sem::Salu(SOp::SetGprIdxIdx, _) => state.count(self.value(node, n.inst.slot(Field::Src0))),
            _ if self.program.facts[node].effects.writes().any(|t| t.span.overlaps(Span::M0)) => {
                let value = self.written(node, effects::S0 + code::M0);
                state.count(value);
                if value.0 == value.1 {
                    state.select(value.0 >> 12);
                } else if value.1 < 1 << 12 {
                    state.select(0);
                } else {
                    (state.operands_may, state.operands_must) = (15, 0);
                }
                state.m0 = value;
            }
            _ => {}
        }
    }
}

/// How far back in its block a scalar's value is looked for.
const MOST_BACK: usize = 64;

impl Modes<'_> {
    /// What an operand can be in front of a node.
    fn value(&self, node: usize, operand: Option<Operand>) -> Between {
        match operand {
            Some(Operand::Int(i)) => (i as u32, i as u32),
            Some(Operand::Literal(l) | Operand::Float(l)) => (l, l),
            Some(Operand::Imm(i)) => (i as u32, i as u32),
            Some(Operand::Reg(r)) if r.class == RegClass::S => {
                let register = Span { first: effects::S0 + r.index, count: 1 };
                let block = self.program.range(self.program.block_of[node]);
                let writer = (block.start.max(node.saturating_sub(MOST_BACK))..node).rev().find(|i| {
                    let writes = self.program.facts[*i].effects.writes().any(|t| t.span.overlaps(register));
                    writes && !self.program.nodes[*i].absent
                });
                writer.map_or(ANY, |i| self.written(i, register.first))
            }
            _ => ANY,
        }
    }

    /// What a node can write to a scalar register.
    fn written(&self, node: usize, register: u16) -> Between {
        let inst = &self.program.nodes[node].inst;
        let only = matches!(inst.slot(Field::Dst), Some(Operand::Reg(r))
            if r.class == RegClass::S && r.count == 1 && effects::S0 + r.index == register);
        if !only {
            return ANY;
        }
        let (a, b) = (|| self.value(node, inst.slot(Field::Src0)), || self.value(node, inst.slot(Field::Src1)));
        match inst.row().sem {
            Sem::Salu(SOp::Mov, Elem::B32 | Elem::I32 | Elem::U32) => match inst.slot(Field::Src0) {
                None => self.value(node, inst.slot(Field::Simm16)),
                from => self.value(node, from),
            },
            Sem::Salu(SOp::Logic(Logic::And), Elem::B32) => (0, a().1.min(b().1)),
            Sem::Salu(SOp::Min, Elem::U32) => (a().0.min(b().0), a().1.min(b().1)),
            Sem::Salu(SOp::Lshr, Elem::B32 | Elem::U32) => match b() {
                (by, same) if by == same => (a().0 >> (by & 31), a().1 >> (by & 31)),
                _ => (0, a().1),
            },
            Sem::Salu(SOp::Bfe, Elem::U32) => match b() {
                (by, same) if by == same => (0, (1u32 << (by >> 16 & 127).min(31)) - 1),
                _ => ANY,
            },
            Sem::Salu(SOp::Add, Elem::U32 | Elem::I32) => {
                let ((a, to), (b, by)) = (a(), b());
                match to.checked_add(by) {
                    Some(most) => (a + b, most),
                    None => ANY,
                }
            }
            _ => ANY,
        }
    }
}

/// `s_movrels` and `s_movreld`.
fn is_scalar_move(inst: &Inst) -> bool {
    matches!(inst.row().sem, Sem::Salu(SOp::MovrelS | SOp::MovrelD, _))
}

/// What M0 names at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relative {
    /// The registers as written.
    pub named: Vec<Span>,
    /// How many behind them is meant, if that is known.
    pub by: Option<u16>,
}

/// Whether a touch is of registers of which M0 picks some: no operand names them.
#[inline]
pub(crate) fn is_choice(t: &Touch) -> bool {
    t.slot == Field::Reserved && t.span.first < effects::S0 + code::FLAT_SCRATCH
}

/// Rewrites what nodes touch that name registers relative to M0.
pub(crate) fn resolve(program: &mut Program, graphs: &[Graph]) {
    let indexes = |i: usize| {
        let inst = &program.nodes[i].inst;
        matches!(inst.row().sem, Sem::Control(Control::SetGprIdxOn)) || is_scalar_move(inst)
    };
    if !program.facts.examples().any(indexes) {
        return;
    }
    let mut at: BTreeMap<usize, Indexing> = BTreeMap::new();
    for graph in graphs {
        solve(program, graph, &Modes { program }, |_, node, here| {
            at.entry(node).and_modify(|all| _ = all.join(&here)).or_insert(here);
        });
    }
    let ends = ends(program);
    let found = at.into_iter().filter_map(|(node, indexing)| {
        let touches = program.facts[node].effects.touches();
        let (touches, relative) = touched(&program.nodes[node].inst, touches, &indexing, ends)?;
        Some((node, Effects::of_touches(touches), relative))
    });
    let found = found.collect();
    program.relate(found);
}

/// One past the highest VGPR, AGPR and SGPR that an instruction names, by flat number.
fn ends(program: &Program) -> [u16; 3] {
    let mut ends = [effects::V0, effects::A0, effects::S0];
    for i in program.facts.examples() {
        for t in program.facts[i].effects.touches().iter().filter(|t| t.slot != Field::Reserved) {
            if t.span.first < effects::S0 + code::FLAT_SCRATCH {
                let file = usize::from(t.span.first >= effects::A0) + usize::from(t.span.first >= effects::S0);
                ends[file] = ends[file].max(t.span.end());
            }
        }
    }
    ends[2] = ends[2].min(effects::S0 + code::FLAT_SCRATCH);
    ends
}

/// What an instruction touches, given what M0 may be; nothing where that is what it names.
fn touched(inst: &Inst, touches: &[Touch], at: &Indexing, ends: [u16; 3]) -> Option<(Vec<Touch>, Relative)> {
    let scalar = is_scalar_move(inst);
    let (may, must, index) = match inst.row().sem {
        Sem::Salu(SOp::MovrelS, _) => (1, 1, at.m0),
        Sem::Salu(SOp::MovrelD, _) => (8, 8, at.m0),
        _ if !at.may => return None,
        _ => (at.operands_may, if at.must { at.operands_must } else { 0 }, at.index),
    };
    let bit = |t: &Touch| match t.slot {
        Field::Src0 => 1,
        Field::Src1 => 2,
        Field::Src2 => 4,
        Field::Dst => 8,
        _ => 0,
    };
    let picked = |t: &&Touch| bit(t) & may != 0 && (t.span.is_vector() || scalar && t.span.is_scalar());
    if !touches.iter().any(|t| picked(&t)) {
        return None;
    }
    let file = |s: Span| usize::from(s.first >= effects::A0) + usize::from(s.first >= effects::S0);
    let exact = index.0 == index.1 && may == must;
    let fits = |s: Span| u32::from(s.first) + index.0 + u32::from(s.count) <= [256, 512, 614][file(s)];
    let exact = exact && touches.iter().filter(picked).all(|t| fits(t.span));
    // What `s_movrel` implies is all scalar registers: here it is known better.
    let mut out: Vec<Touch> = touches.iter().filter(|t| !(scalar && is_choice(t))).copied().collect();
    let named = touches.iter().filter(picked).map(|t| t.span).collect();
    if exact {
        out.iter_mut().filter(|t| picked(&&**t)).for_each(|t| t.span.first += index.0 as u16);
        return Some((out, Relative { named, by: Some(index.0 as u16) }));
    }
    // Where the index cannot be 0, what is named is not what is meant.
    out.retain(|t| index.0 == 0 || may != must || !picked(&t));
    for t in touches.iter().filter(picked) {
        let first = u32::from(t.span.first) + index.0;
        let end = (u32::from(t.span.end()) + index.1.min(255)).min(ends[file(t.span)].into());
        if first < end {
            let span = Span { first: first as u16, count: (end - first) as u16 };
            out.push(Touch { span, slot: Field::Reserved, ..*t });
        }
    }
    Some((out, Relative { named, by: None }))
}

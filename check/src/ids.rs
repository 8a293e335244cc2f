//! The packed work-item id: v0 holds X, Y and Z in ten bits each (gfx90a and later), and the descriptor says which of
//! them the hardware fills.
//!
//! Two mistakes are silent: reading Y or Z that were not asked for gives 0, and taking the whole of v0 for X once Y is
//! there is wrong from the second row of a workgroup on.

use crate::dataflow::{Analysis, State};
use crate::graph::Start;
use crate::program::Program;
use wavesmith_asm::effects;
use wavesmith_asm::sem::{Logic, Op, Sem};
use wavesmith_asm::{Field, Inst, Operand, RegClass};

/// Whether v0 may still be as the hardware filled it.
#[derive(Clone)]
pub(crate) struct Intact(bool);

impl State for Intact {
    fn join(&mut self, other: &Intact) -> bool {
        let new = other.0 && !self.0;
        self.0 |= other.0;
        new
    }
}

/// A use of v0 that does not fit what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    /// Dimension 1 (Y) or 2 (Z) is taken out, and is always 0.
    Missing(u8),
    /// All 32 bits are used though more than X is in them.
    Whole,
}

pub(crate) struct Ids<'a> {
    pub program: &'a Program,
    /// 0 X, 1 X and Y, 2 all three.
    pub filled: u8,
}

/// What of v0 an instruction uses.
enum Use {
    Dimension(u8),
    Whole,
}

fn use_of(inst: &Inst) -> Use {
    let constant = |slot| match inst.slot(slot) {
        Some(Operand::Int(x)) => Some(x as u32),
        Some(Operand::Literal(x)) => Some(x),
        _ => None,
    };
    let (a, b, c) = (constant(Field::Src0), constant(Field::Src1), constant(Field::Src2));
    // Unoptimised code has masks and counts in registers: what it takes out is not known then.
    match inst.row().sem {
        Sem::Lane(Op::BfeU, _) => match (b, c) {
            (Some(0), Some(10)) | (None, _) | (_, None) => Use::Dimension(0),
            (Some(10), Some(10)) => Use::Dimension(1),
            (Some(20), Some(10)) => Use::Dimension(2),
            _ => Use::Whole,
        },
        Sem::Lane(Op::LshrRev, _) if a == Some(20) => Use::Dimension(2),
        Sem::Lane(Op::LshrRev, _) if a.is_none() => Use::Dimension(0),
        Sem::Lane(Op::Logic(Logic::And), _) if a.or(b).is_none_or(|mask| mask & !0x3ff == 0) => Use::Dimension(0),
        _ => Use::Whole,
    }
}

impl Analysis for Ids<'_> {
    type State = Intact;
    type Fault = Misuse;

    fn start(&self, start: Start) -> Intact {
        Intact(start != Start::Unknown)
    }

    fn idle(&self, state: &Intact, _: bool) -> bool {
        !state.0
    }

    fn node(&self, state: &mut Intact, node: usize, report: &mut dyn FnMut(Misuse)) {
        let n = &self.program.nodes[node];
        if !state.0 || n.absent || self.program.facts[node].coarse().vectors & 1 == 0 {
            return;
        }
        let touches = self.program.facts[node].effects.touches();
        if touches.iter().any(|t| t.read && t.span.first == effects::V0 && t.span.count > 0) {
            // Copies and stores pass the packed id on; only arithmetic shows what it is taken for.
            let moves =
                matches!(n.inst.row().sem, Sem::Lane(Op::Mov | Op::ReadFirstLane | Op::AccWrite | Op::PkMov, _));
            let computes = matches!(n.inst.row().sem, Sem::Lane(..) | Sem::Cmp { .. } | Sem::Cvt(_)) && !moves;
            let source = |slot| {
                let operand = inst_register(&n.inst, slot);
                operand == Some(0)
            };
            let direct = source(Field::Src0) || source(Field::Src1) || source(Field::Src2);
            if computes && direct {
                match use_of(&n.inst) {
                    Use::Dimension(d) if d > self.filled => report(Misuse::Missing(d)),
                    Use::Whole if self.filled > 0 => report(Misuse::Whole),
                    _ => {}
                }
            }
        }
        if touches.iter().any(|t| t.write && t.span.first == effects::V0 && t.span.count > 0) {
            state.0 = false;
        }
    }
}

/// The index of a VGPR operand.
fn inst_register(inst: &Inst, slot: Field) -> Option<u16> {
    match inst.slot(slot) {
        Some(Operand::Reg(r)) if r.class == RegClass::V => Some(r.index),
        _ => None,
    }
}

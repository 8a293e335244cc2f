//! Kernel arguments that are read beyond the segment that descriptor or metadata declare.
//!
//! Followed is the pointer in the register pair that the hardware fills with it; copies and sums are not.

use crate::dataflow::{Analysis, State};
use crate::graph::Start;
use crate::program::Program;
use wavesmith_asm::effects::{self, Span};
use wavesmith_asm::sem::Sem;
use wavesmith_asm::{Field, Operand, RegClass};
use wavesmith_loader::code_object::KernelDescriptor;

/// Whether the pair may still hold the pointer.
#[derive(Clone)]
pub(crate) struct Holds(bool);

impl State for Holds {
    fn join(&mut self, other: &Holds) -> bool {
        let new = other.0 && !self.0;
        self.0 |= other.0;
        new
    }
}

/// The bytes of the segment that a load reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beyond {
    pub from: u64,
    pub to: u64,
}

pub(crate) struct Kernargs<'a> {
    program: &'a Program,
    pair: u16,
    size: u64,
}

impl<'a> Kernargs<'a> {
    /// `None` where no register is given the pointer, or nobody says how large the segment is.
    pub fn new(program: &'a Program, d: &KernelDescriptor, size: u32) -> Option<Kernargs<'a>> {
        let u = &d.user_sgprs;
        let before = 4 * u16::from(u.private_segment_buffer) + 2 * (u16::from(u.dispatch_ptr) + u16::from(u.queue_ptr));
        (u.kernarg_ptr && size > 0).then_some(Kernargs { program, pair: before, size: size.into() })
    }
}

impl Analysis for Kernargs<'_> {
    type State = Holds;
    type Fault = Beyond;

    fn start(&self, start: Start) -> Holds {
        Holds(start != Start::Unknown)
    }

    fn idle(&self, state: &Holds, _: bool) -> bool {
        !state.0
    }

    fn node(&self, state: &mut Holds, node: usize, report: &mut dyn FnMut(Beyond)) {
        let facts = &self.program.facts[node];
        let n = &self.program.nodes[node];
        if !state.0 || n.absent || facts.coarse().scalars >> (self.pair / 2) & 1 == 0 {
            return;
        }
        if let (Sem::ScalarLoad { dwords, .. }, Some(Operand::Reg(base)), Some(Operand::Imm(offset))) =
            (n.inst.row().sem, n.inst.slot(Field::Sbase), n.inst.slot(Field::Offset))
            && (base.class, base.index, base.count) == (RegClass::S, self.pair, 2)
            && let Ok(from) = u64::try_from(offset)
            && from + 4 * u64::from(dwords) > self.size
        {
            report(Beyond { from, to: from + 4 * u64::from(dwords) });
        }
        let pair = Span { first: effects::S0 + self.pair, count: 2 };
        state.0 = !facts.effects.writes().any(|t| t.span.overlaps(pair));
    }
}

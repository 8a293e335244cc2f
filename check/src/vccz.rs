//! Branches on VCCZ behind a write of one half of VCC.
//!
//! On these targets only a write of both halves brings VCCZ up to date (LLVM 22 puts `s_mov_b64 vcc, vcc` in front of such
//! a branch for that reason); `s_mov_b32 vcc_lo, …` or a load of one dword leaves it as it was.

use crate::dataflow::{Analysis, State};
use crate::graph::Start;
use crate::program::Program;
use wavesmith_asm::effects::Span;
use wavesmith_asm::hazard::{Facts, Traits};
use wavesmith_asm::reg::code;
use wavesmith_asm::sem::{Branch, Sem};

/// The node that wrote half of VCC, if VCCZ does not know of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Behind(Option<u32>);

impl State for Behind {
    fn join(&mut self, other: &Behind) -> bool {
        let joined = match (self.0, other.0) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        std::mem::replace(&mut self.0, joined) != joined
    }
}

/// A branch that reads a stale VCCZ, by who left it stale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stale {
    pub by: u32,
}

pub(crate) struct Vccz<'a> {
    program: &'a Program,
}

/// Whether it writes a part of VCC, and whether that is all of it.
fn writes(facts: &Facts) -> Option<bool> {
    if facts.coarse().scalars >> (code::VCC / 2) & 1 == 0 {
        return None;
    }
    let parts = facts.effects.writes().filter(|t| t.span.overlaps(Span::VCC));
    parts.map(|t| t.span.first <= Span::VCC.first && t.span.end() >= Span::VCC.end()).max()
}

impl<'a> Vccz<'a> {
    /// `None` where nothing of a kernel with these [`crate::whole::examples`] ever writes half of VCC.
    pub fn new(program: &'a Program, examples: &[u32]) -> Option<Vccz<'a>> {
        let halves = examples.iter().any(|i| writes(&program.facts[*i as usize]) == Some(false));
        halves.then_some(Vccz { program })
    }
}

impl Analysis for Vccz<'_> {
    type State = Behind;
    type Fault = Stale;

    fn start(&self, _: Start) -> Behind {
        Behind::default()
    }

    fn node(&self, state: &mut Behind, node: usize, report: &mut dyn FnMut(Stale)) {
        let n = &self.program.nodes[node];
        if n.absent {
            return;
        }
        let facts = &self.program.facts[node];
        let branches = matches!(n.inst.row().sem, Sem::Branch(Branch::Vccz | Branch::Vccnz));
        if let (Some(by), true) = (state.0, branches || facts.traits.has(Traits::READS_VCCZ)) {
            report(Stale { by });
            state.0 = None;
        }
        match writes(facts) {
            Some(true) => state.0 = None,
            Some(false) => state.0 = Some(node as u32),
            None => {}
        }
    }
}

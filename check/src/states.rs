//! Wait states between instructions that the hardware does not interlock, over every path.
//!
//! The rules are the assembler's ([`wavesmith_asm::hazard`]), the same that the emitter inserts by; here they are only
//! asked. What is recent at a point is the set of producers with the fewest states that any path puts since them.

use crate::dataflow::{Analysis, State};
use crate::graph::Start;
use crate::program::Program;
use wavesmith_asm::hazard::{Ask, Window};

impl State for Window {
    fn join(&mut self, other: &Window) -> bool {
        self.merge(other)
    }
}

/// A pair that is too close.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooClose {
    pub producer: u32,
    /// States between the two on the worst path.
    pub since: u8,
    pub ask: Ask,
}

pub(crate) struct States<'a> {
    pub program: &'a Program,
}

impl Analysis for States<'_> {
    type State = Window;
    type Fault = TooClose;

    fn start(&self, _: Start) -> Window {
        Window::default()
    }

    fn node(&self, window: &mut Window, node: usize, report: &mut dyn FnMut(TooClose)) {
        if self.program.nodes[node].absent {
            return;
        }
        let facts = &self.program.facts;
        window.each_need(facts, &facts[node], |producer, since, ask| report(TooClose { producer, since, ask }));
        window.issue(node as u32, facts);
    }

    fn settle(&self, window: &mut Window) {
        window.prune();
    }
}

impl States<'_> {
    /// Takes the states since a producer through a node: `None` once there are `enough`.
    pub fn since(&self, since: u8, enough: u8, node: usize) -> Option<u8> {
        let states = if self.program.nodes[node].absent { 0 } else { self.program.facts[node].states() };
        let since = since.saturating_add(states);
        (since < enough).then_some(since)
    }
}

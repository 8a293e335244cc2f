//! What a way through the code takes for granted: the decisions of its branches.
//!
//! Data may never combine two decisions: loops that are unrolled by two end in a tail for each parity, and the branch that
//! picks the tail excludes half of the ways there. So a missing wait on a way of several decisions is the dynamic half's to
//! judge. Not every branch decides, though. A wave in which some lanes go each way takes both, so a branch on EXEC decides
//! nothing where lanes are left on; and the same comparison that goes the same way again, as in the next round of a loop,
//! is one decision.

use crate::program::{Exit, Program};
use std::collections::BTreeSet;
use wavesmith_asm::effects::Span;
use wavesmith_asm::sem::{Branch, Sem};

/// Decisions on a way from which on it is left to the dynamic half whether data ever takes it.
pub(crate) const CORRELATED: usize = 2;

/// A decision: the bits of the instruction that it hangs on, or the branch's address, and whether its condition held.
type Decision = (Vec<u32>, bool);

/// Whether leaving a block for the address `to` decides anything.
pub(crate) fn decides(program: &Program, block: u32, to: u64) -> bool {
    hangs_on(program, block, to).is_some()
}

/// What is decided by leaving a block for the address `to`, if anything.
fn decision(program: &Program, block: u32, to: u64) -> Option<Decision> {
    let (what, holds) = hangs_on(program, block, to)?;
    let mut range = program.range(block);
    let last = &program.nodes[range.end - 1];
    let sets = |i: &usize| program.facts[*i].effects.writes().any(|t| t.span.overlaps(what));
    let on = match range.rfind(sets) {
        Some(i) => program.nodes[i].inst.words().to_vec(),
        None => vec![last.pc as u32],
    };
    Some((on, holds))
}

/// The register that decides whether a block is left for the address `to`, and whether the branch's condition holds then.
fn hangs_on(program: &Program, block: u32, to: u64) -> Option<(Span, bool)> {
    let last = &program.nodes[program.range(block).end - 1];
    let (Exit::Either(target), Sem::Branch(branch)) = (last.exit, last.inst.row().sem) else { return None };
    let jumps = to == target;
    let (what, holds) = match branch {
        Branch::Execz | Branch::Execnz => (Span::EXEC, jumps == (branch == Branch::Execnz)),
        Branch::Vccz | Branch::Vccnz => (Span::VCC, jumps == (branch == Branch::Vccnz)),
        Branch::Scc0 | Branch::Scc1 => (Span::SCC, jumps == (branch == Branch::Scc1)),
        _ => (Span::NONE, jumps),
    };
    (what != Span::EXEC || !holds).then_some((what, holds))
}

/// How many different decisions a way takes, given by the first addresses of its blocks.
pub(crate) fn count(program: &Program, path: &[u64]) -> usize {
    let steps = path.windows(2).filter_map(|step| decision(program, program.block_at(step[0])?, step[1]));
    steps.collect::<BTreeSet<_>>().len()
}

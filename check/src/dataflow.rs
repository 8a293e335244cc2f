//! Forward dataflow over a kernel's graph, written once for all questions.
//!
//! States only grow under [`State::join`], and a block's outcome grows with its entry, so the solution is the least one:
//! what holds at a block's entry holds there on some path, and nothing else does.

use crate::decisions;
use crate::graph::{Graph, Start};
use crate::program::Program;
use std::collections::VecDeque;

/// What may hold at a point of the program.
pub(crate) trait State: Clone {
    /// Takes in what may hold on another path; whether anything is new.
    fn join(&mut self, other: &Self) -> bool;
}

/// A question asked of every path.
pub(crate) trait Analysis {
    type State: State;

    /// What holds where a state begins.
    fn start(&self, start: Start) -> Self::State;

    /// What holds after code of which nothing is known. By the calling convention of LLVM a function begins with a wait
    /// for everything and returns with no result outstanding, so nothing is owed behind a call that is not followed.
    fn after_unknown(&self) -> Self::State {
        self.start(Start::Unknown)
    }

    /// Takes `state` through one node; `report` gets what is wrong there.
    fn node(&self, state: &mut Self::State, node: usize, report: &mut dyn FnMut(Self::Fault));

    /// Whether no instruction changes the state from here on, and none is wrong; `calls` says whether there are any calls.
    fn idle(&self, _state: &Self::State, _calls: bool) -> bool {
        false
    }

    /// What holds on the way from a block's last node to an address, where the branch says more than the state.
    fn along(&self, _state: &Self::State, _last: usize, _to: u64) -> Option<Self::State> {
        None
    }

    /// What a state had no more room for, if anything: what was left out is not judged.
    fn overflowed(&self, _state: &Self::State) -> Option<&'static str> {
        None
    }

    /// Called at the end of a block, to make equal states compare equal.
    fn settle(&self, _state: &mut Self::State) {}

    /// What may be wrong at a node.
    type Fault;
}

/// How often blocks are gone through at most: so many times each, and so many times beyond that all together. Kernels
/// take a handful; graphs that nobody wrote could take as many as they have blocks.
const VISITS_EACH: usize = 8;
const VISITS_BEYOND: usize = 1 << 19;

/// Solves `analysis` over the graph and gives `found` every fault, with the vertex and the node, once all states are
/// known. A vertex is gone through again whenever its entry state grows, so what its last time met is what there is.
pub(crate) fn solve<A: Analysis>(
    program: &Program,
    graph: &Graph,
    analysis: &A,
    mut found: impl FnMut(u32, usize, A::Fault),
) {
    let n = graph.vertices.len();
    let mut entry: Vec<Option<A::State>> = (0..n).map(|_| None).collect();
    let mut dirty = vec![false; n];
    let mut faults: Vec<Vec<(usize, A::Fault)>> = (0..n).map(|_| Vec::new()).collect();
    let reach = |entry: &mut Vec<Option<A::State>>, dirty: &mut Vec<bool>, v: u32, state: &A::State| {
        let slot = &mut entry[v as usize];
        match slot {
            None => {
                *slot = Some(state.clone());
                dirty[v as usize] = true;
                true
            }
            Some(old) => {
                let new = old.join(state);
                dirty[v as usize] |= new;
                new
            }
        }
    };
    let mut left = VISITS_BEYOND + VISITS_EACH * n;
    let (mut again, mut work) = (false, 0);
    for &(v, start) in &graph.entries {
        again |= reach(&mut entry, &mut dirty, v, &analysis.start(start));
    }
    while again {
        again = false;
        for v in 0..n {
            if !std::mem::replace(&mut dirty[v], false) {
                continue;
            }
            if left == 0 {
                let pc = program.nodes[program.range(graph.vertices[v].block).start].pc;
                graph.give_up(pc, "there are too many ways through this kernel to go through all of them");
                continue;
            }
            left -= 1;
            let Some(mut state) = entry[v].clone() else { continue };
            let here = &mut faults[v];
            here.clear();
            work += program.range(graph.vertices[v].block).len();
            if !analysis.idle(&state, program.indirect) {
                for i in program.range(graph.vertices[v].block) {
                    analysis.node(&mut state, i, &mut |fault| here.push((i, fault)));
                }
                analysis.settle(&mut state);
            }
            let last = program.range(graph.vertices[v].block).end - 1;
            for e in &graph.vertices[v].succs {
                let to = program.nodes[program.range(graph.vertices[e.to as usize].block).start].pc;
                let new = if e.opaque {
                    reach(&mut entry, &mut dirty, e.to, &analysis.after_unknown())
                } else if let Some(there) = analysis.along(&state, last, to) {
                    reach(&mut entry, &mut dirty, e.to, &there)
                } else {
                    reach(&mut entry, &mut dirty, e.to, &state)
                };
                again |= new && e.to as usize <= v;
            }
        }
    }
    graph.work(work);
    for (v, state) in entry.iter().enumerate() {
        if let Some(why) = state.as_ref().and_then(|s| analysis.overflowed(s)) {
            graph.give_up(program.nodes[program.range(graph.vertices[v].block).start].pc, why);
            break;
        }
    }
    for (v, here) in faults.into_iter().enumerate() {
        for (i, fault) in here {
            found(v as u32, i, fault);
        }
    }
}

/// How something comes from one place to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By the blocks that begin at these addresses, the one where it starts first; none if both places are in one block.
    By(Vec<u64>),
    /// No single way does it: only what several ways bring together.
    None,
    /// The search was cut off.
    GaveUp,
}

/// Which of several ways a search is to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefer {
    /// The shortest, in blocks.
    Short,
    /// The one with the fewest branches that decide something.
    Undecided,
}

/// Most steps that one search takes.
const MOST_STEPS: usize = 1 << 16;

/// A step of a search: a vertex, the step before, and the value at the vertex's exit; `None` where the goal is reached.
struct Step<T> {
    vertex: u32,
    before: usize,
    value: Option<T>,
}

/// Finds a way along which something that begins at `from` is still alive at node `to` of vertex `at`. `alive` takes a value
/// through a run of nodes, `None` once it has died; the value must only ever grow. Every search takes from `effort`, and is
/// cut off once that is used up.
#[expect(
    clippy::too_many_arguments,
    reason = "a search has a place to search, two ends, and what travels between them"
)]
pub(crate) fn way<T: Clone + PartialOrd>(
    program: &Program,
    graph: &Graph,
    effort: &mut usize,
    prefer: Prefer,
    from: usize,
    (at, to): (u32, usize),
    start: &T,
    alive: impl Fn(T, std::ops::Range<usize>) -> Option<T>,
) -> Way {
    let target = graph.vertices[at as usize].block;
    let home = program.block_of[from];
    if home == target && from < to && alive(start.clone(), from + 1..to).is_some() {
        return Way::By(Vec::new());
    }
    if *effort == 0 {
        return Way::GaveUp;
    }
    *effort = effort.saturating_sub(graph.vertices.len() / 64);
    let mut best: Vec<Option<T>> = vec![None; graph.vertices.len()];
    let mut steps: Vec<Step<T>> = Vec::new();
    // What is to be looked at, what is preferred first.
    let mut next: VecDeque<usize> = VecDeque::new();
    for (v, vertex) in graph.vertices.iter().enumerate() {
        if vertex.block == home
            && let Some(value) = alive(start.clone(), from + 1..program.range(home).end)
        {
            next.push_back(steps.len());
            steps.push(Step { vertex: v as u32, before: usize::MAX, value: Some(value) });
        }
    }
    while let Some(here) = next.pop_front() {
        if steps.len() >= MOST_STEPS || *effort == 0 {
            return Way::GaveUp;
        }
        *effort -= 1;
        let v = steps[here].vertex;
        let block = graph.vertices[v as usize].block;
        let Some(value) = steps[here].value.clone() else {
            let mut path = Vec::new();
            let mut i = here;
            while i != usize::MAX {
                let block = graph.vertices[steps[i].vertex as usize].block;
                path.push(program.nodes[program.range(block).start].pc);
                i = steps[i].before;
            }
            path.reverse();
            return Way::By(path);
        };
        // What is put in front may be better than what was found to lead there before, so what counts is which comes first.
        if prefer == Prefer::Undecided {
            let best = &mut best[v as usize];
            if best.as_ref().is_some_and(|b| *b <= value) {
                continue;
            }
            *best = Some(value.clone());
        }
        for e in graph.vertices[v as usize].succs.iter().filter(|e| !e.opaque) {
            let range = program.range(graph.vertices[e.to as usize].block);
            let mut step = |value: Option<T>| {
                let later = match prefer {
                    Prefer::Short => true,
                    Prefer::Undecided => decisions::decides(program, block, program.nodes[range.start].pc),
                };
                let number = steps.len();
                steps.push(Step { vertex: e.to, before: here, value });
                if later { next.push_back(number) } else { next.push_front(number) }
            };
            if e.to == at && alive(value.clone(), range.start..to).is_some() {
                step(None);
            }
            if prefer == Prefer::Short {
                if best[e.to as usize].as_ref().is_some_and(|b| *b <= value) {
                    continue;
                }
                best[e.to as usize] = Some(value.clone());
            }
            if let Some(value) = alive(value.clone(), range.clone()) {
                step(Some(value));
            }
        }
    }
    Way::None
}

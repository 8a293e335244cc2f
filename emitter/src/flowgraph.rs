//! Basic blocks, and forward dataflow over them.
//!
//! Waits and wait states are the same kind of question asked of different states, so the solver is written once.

/// A run of instructions that is entered only at its first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// First instruction.
    pub first: usize,
    /// One past the last.
    pub end: usize,
    /// Blocks that may come before.
    pub preds: Vec<usize>,
}

/// How control leaves an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// To the next one.
    Next,
    /// To another one, by index; one past the last is the end of the code.
    Jump(usize),
    /// To another one or the next.
    Either(usize),
    /// Nowhere that is known.
    Away,
}

/// Cuts `exits.len()` instructions into blocks.
pub(crate) fn blocks(exits: &[Exit]) -> Vec<Block> {
    let n = exits.len();
    let mut starts = vec![false; n + 1];
    starts[0] = true;
    for (i, e) in exits.iter().enumerate() {
        if let Exit::Jump(t) | Exit::Either(t) = *e {
            starts[t] = true;
        }
        if *e != Exit::Next {
            starts[i + 1] = true;
        }
    }
    let mut out: Vec<Block> = Vec::new();
    let mut block_of = vec![usize::MAX; n + 1];
    for i in 0..n {
        if starts[i] {
            out.push(Block { first: i, end: i + 1, preds: Vec::new() });
        } else if let Some(b) = out.last_mut() {
            b.end = i + 1;
        }
        block_of[i] = out.len() - 1;
    }
    let edges: Vec<(usize, usize)> = out
        .iter()
        .enumerate()
        .flat_map(|(b, block)| {
            let next = (block.end < n).then_some(block.end);
            let to = match exits[block.end - 1] {
                Exit::Next => [next, None],
                Exit::Jump(t) => [Some(t), None],
                Exit::Either(t) => [Some(t), next],
                Exit::Away => [None, None],
            };
            to.into_iter().flatten().filter(|t| *t < n).map(move |t| (b, t)).collect::<Vec<_>>()
        })
        .collect();
    for (from, to) in edges {
        out[block_of[to]].preds.push(from);
    }
    out
}

/// A state at a point of the program.
pub(crate) trait State: Clone + PartialEq {
    /// Takes in what may hold on another path.
    fn join(&mut self, other: &Self);
}

/// Rounds after which entry states only grow, so that the iteration ends.
const PATIENCE: usize = 8;

/// The state at the entry of each block; `None` where no path leads. `through` takes a state from a block's entry to
/// its exit. The entry of the code starts with `start`.
///
/// Entry states are worked out anew in each round, so that what an early, incomplete round assumed leaves no trace.
/// Should the rounds not settle, states are joined to their former selves, which can only go on for so long.
pub(crate) fn solve<S: State>(blocks: &[Block], start: &S, mut through: impl FnMut(usize, S) -> S) -> Vec<Option<S>> {
    let mut entry: Vec<Option<S>> = vec![None; blocks.len()];
    let mut exit: Vec<Option<S>> = vec![None; blocks.len()];
    let mut round = 0;
    loop {
        let mut changed = false;
        for (b, block) in blocks.iter().enumerate() {
            let mut state = (b == 0).then(|| start.clone());
            for from in block.preds.iter().filter_map(|p| exit[*p].as_ref()) {
                match &mut state {
                    Some(s) => s.join(from),
                    None => state = Some(from.clone()),
                }
            }
            if round >= PATIENCE
                && let (Some(s), Some(old)) = (&mut state, &entry[b])
            {
                s.join(old);
            }
            if state != entry[b] {
                entry[b].clone_from(&state);
                exit[b] = state.map(|s| through(b, s));
                changed = true;
            }
        }
        if !changed {
            return entry;
        }
        round += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Debug)]
    struct Set(u32);
    impl State for Set {
        fn join(&mut self, other: &Self) {
            self.0 |= other.0;
        }
    }

    #[test]
    fn what_a_loop_body_does_reaches_its_top() {
        // 0: next, 1: loop top, 2: back to 1 or on, 3: end.
        let exits = [Exit::Next, Exit::Next, Exit::Either(1), Exit::Away];
        let blocks = blocks(&exits);
        assert_eq!(blocks.iter().map(|b| (b.first, b.end)).collect::<Vec<_>>(), [(0, 1), (1, 3), (3, 4)]);
        let entry = solve(&blocks, &Set(0), |b, s| Set(s.0 | 1 << b));
        assert_eq!(entry, [Some(Set(0)), Some(Set(0b011)), Some(Set(0b011))]);
    }

    #[test]
    fn code_that_nothing_leads_to_has_no_state() {
        let exits = [Exit::Away, Exit::Next, Exit::Away];
        let blocks = blocks(&exits);
        let entry = solve(&blocks, &Set(0), |_, s| s);
        assert_eq!(entry, [Some(Set(0)), None]);
    }
}

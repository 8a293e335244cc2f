//! Proof that a workgroup can never go on.
//!
//! A spinning wave is no fault by itself: another wave, the host, or a clock may end its loop. So nothing is said
//! before the whole dispatch has stored nothing and read no clock for millions of instructions. Then
//! the waves' states (registers, flags, place) are sampled. A wave whose state comes back while memory stands still
//! will come back for ever. When that holds for every wave of every resident workgroup, and none of them loads from
//! memory that the host may write, the dispatch is stuck, and that is a fact and not a guess.
//!
//! What this cannot see: a loop that counts its rounds never repeats a state, so it is left to its own limit or to the
//! instruction budget.

use super::state::{Group, Status, Wave};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Instructions without an event after which waves are sampled.
pub const QUIET: u64 = 4_000_000;
/// Turns between samples.
const EVERY: u32 = 48;
/// States of a wave that are remembered.
const REMEMBERED: usize = 64;

/// States of one wave that were met, as hashes.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Of scalar registers, flags and place alone.
    scalar: Vec<u64>,
    /// Of everything.
    whole: Vec<u64>,
}

impl Seen {
    /// Looks at a wave; whether its state was met before.
    ///
    /// Vector registers are a hundred kilobytes, and a loop that computes something usually counts in scalar ones: they
    /// are read only where the rest has come back.
    fn sample(&mut self, w: &Wave) -> bool {
        let scalar = scalars(w);
        if !self.scalar.contains(&scalar) {
            remember(&mut self.scalar, scalar);
            return false;
        }
        let whole = mix(scalar, vectors(w));
        let met = self.whole.contains(&whole);
        remember(&mut self.whole, whole);
        met
    }
}

fn remember(seen: &mut Vec<u64>, state: u64) {
    if seen.len() == REMEMBERED {
        seen.remove(0);
    }
    seen.push(state);
}

/// What is known of a workgroup's waves.
#[derive(Debug, Default)]
pub struct Watch {
    events: u64,
    turns: u32,
    seen: Vec<Seen>,
    repeated: Vec<bool>,
}

impl Watch {
    /// Looks at a workgroup after a turn; whether each of its waves is now known to repeat itself. `events` numbers
    /// the last thing that could have woken it.
    pub fn sample(&mut self, group: &Group, events: u64, may_hear: bool) -> bool {
        if self.events != events || self.seen.len() != group.waves.len() || may_hear {
            *self = Watch {
                events,
                turns: 0,
                seen: vec![Seen::default(); group.waves.len()],
                repeated: vec![false; group.waves.len()],
            };
        }
        self.turns += 1;
        if !self.turns.is_multiple_of(EVERY) {
            return false;
        }
        for (i, w) in group.waves.iter().enumerate() {
            if w.status == Status::Ready && !self.repeated[i] {
                self.repeated[i] = self.seen[i].sample(w);
            }
        }
        // One that waits at a barrier goes on when the others come there: that it waits now is no proof for later.
        self.repeated.iter().zip(&group.waves).all(|(repeated, w)| *repeated || w.status != Status::Ready)
    }
}

/// One step of a multiplicative hash.
fn mix(h: u64, v: u64) -> u64 {
    (h.rotate_left(5) ^ v).wrapping_mul(0x517c_c1b7_2722_0a95)
}

fn scalars(w: &Wave) -> u64 {
    let mut h = mix(u64::from(w.block), std::sync::Arc::as_ptr(&w.segment) as u64);
    h = mix(h, u64::from(w.mode) << 1 | u64::from(w.scc));
    let mut waiting = DefaultHasher::new();
    w.waiting.hash(&mut waiting);
    h = mix(h, waiting.finish());
    // The temporaries above the scalar file do not outlive an instruction.
    for v in w.s[..128].chunks_exact(2) {
        h = mix(h, u64::from(v[0]) | u64::from(v[1]) << 32);
    }
    h
}

fn vectors(w: &Wave) -> u64 {
    // Eight chains, so that one multiplication does not wait for the other.
    let mut h: [u64; 8] = core::array::from_fn(|i| i as u64);
    for r in &w.regs {
        for v in r.0.chunks_exact(16) {
            for (h, v) in h.iter_mut().zip(v.chunks_exact(2)) {
                *h = mix(*h, u64::from(v[0]) | u64::from(v[1]) << 32);
            }
        }
    }
    h.into_iter().fold(0, mix)
}

//! Proof that a workgroup can never go on.
//!
//! A spinning wave is no fault by itself: another wave, the host, or a clock may end its loop. So nothing is said
//! before the whole dispatch has stored nothing, read no clock and met no barrier for millions of instructions. Then
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
/// Turns between samples: sampling reads every register.
const EVERY: u32 = 24;
/// States of a wave that are remembered.
const REMEMBERED: usize = 64;

/// What is known of a workgroup's waves.
#[derive(Debug, Default)]
pub struct Watch {
    events: u64,
    turns: u32,
    seen: Vec<Vec<u64>>,
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
                seen: vec![Vec::new(); group.waves.len()],
                repeated: vec![false; group.waves.len()],
            };
        }
        self.turns += 1;
        if !self.turns.is_multiple_of(EVERY) {
            return false;
        }
        for (i, w) in group.waves.iter().enumerate() {
            if w.status != Status::Ready {
                self.repeated[i] = true;
                continue;
            }
            if self.repeated[i] {
                continue;
            }
            let h = state(w);
            let seen = &mut self.seen[i];
            if seen.contains(&h) {
                self.repeated[i] = true;
            } else {
                if seen.len() == REMEMBERED {
                    seen.remove(0);
                }
                seen.push(h);
            }
        }
        self.repeated.iter().all(|r| *r)
    }
}

fn state(w: &Wave) -> u64 {
    let mut h = DefaultHasher::new();
    h.write_u32(w.block);
    h.write_usize(std::sync::Arc::as_ptr(&w.segment) as usize);
    h.write_u32(w.mode);
    h.write_u8(u8::from(w.scc));
    w.waiting.hash(&mut h);
    // The temporaries above the scalar file do not outlive an instruction.
    for v in &w.s[..128] {
        h.write_u32(*v);
    }
    for r in &w.regs {
        for v in r.0.chunks_exact(2) {
            h.write_u64(u64::from(v[0]) | u64::from(v[1]) << 32);
        }
    }
    h.finish()
}

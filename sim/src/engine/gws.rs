//! Global wave sync: 64 counters a device that waves of all workgroups meet at.
//!
//! A counter serves as a semaphore or as a barrier. It outlives the dispatch that sets it: runtimes initialise one with
//! a kernel of its own before a cooperative launch. A barrier's waves bring the count of the next round, and go when the
//! round's flag has turned over.

use crate::agent::AgentId;
use parking_lot::Mutex;
use std::collections::HashMap;
use wavesmith_asm::sem::Ds;

/// Counters of a device.
const COUNT: usize = 64;

#[derive(Clone, Copy, Debug, Default)]
struct Counter {
    value: u32,
    /// Turned over at every release of a barrier.
    flag: bool,
    /// Waves that wait for the semaphore.
    queued: u32,
}

/// What a wave waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Waiting {
    /// The barrier's flag to be other than this.
    Barrier(bool),
    /// A semaphore above zero.
    Semaphore,
}

/// What an operation did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The wave goes on.
    On,
    /// The wave has begun to wait.
    Begun(Waiting),
    /// It still waits.
    Still,
}

/// The counters of all devices.
#[derive(Debug, Default)]
pub struct Gws(Mutex<HashMap<AgentId, [Counter; COUNT]>>);

impl Gws {
    /// Operates on a counter. `waiting` is what the wave has been waiting for at this instruction.
    pub fn step(&self, agent: AgentId, id: u32, op: Ds, data: u32, waiting: Option<Waiting>) -> Step {
        let mut all = self.0.lock();
        let c = &mut all.entry(agent).or_insert([Counter::default(); COUNT])[id as usize % COUNT];
        match (op, waiting) {
            (Ds::GwsInit, _) => *c = Counter { value: data, flag: c.flag, queued: 0 },
            (Ds::GwsSemaV, _) => c.value = c.value.wrapping_add(1),
            (Ds::GwsSemaBr, _) => c.value = c.value.wrapping_add(data),
            (Ds::GwsSemaReleaseAll, _) => c.value = c.queued,
            (Ds::GwsSemaP, _) if c.value > 0 => {
                c.value -= 1;
                c.queued = c.queued.saturating_sub(u32::from(waiting.is_some()));
            }
            (Ds::GwsSemaP, None) => {
                c.queued += 1;
                return Step::Begun(Waiting::Semaphore);
            }
            (Ds::GwsBarrier, None) if c.value == 0 => {
                c.flag = !c.flag;
                c.value = data;
            }
            (Ds::GwsBarrier, None) => {
                c.value -= 1;
                return Step::Begun(Waiting::Barrier(c.flag));
            }
            (Ds::GwsBarrier, Some(Waiting::Barrier(flag))) if flag != c.flag => {}
            _ => return Step::Still,
        }
        Step::On
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGENT: AgentId = AgentId(3);

    #[test]
    fn a_barrier_lets_all_go_when_the_last_has_come_and_again_the_next_time() {
        let g = Gws::default();
        g.step(AGENT, 5, Ds::GwsInit, 2, None);
        for _ in 0..3 {
            let Step::Begun(a) = g.step(AGENT, 5, Ds::GwsBarrier, 2, None) else {
                panic!("the first of three went on")
            };
            let Step::Begun(b) = g.step(AGENT, 5, Ds::GwsBarrier, 2, None) else {
                panic!("the second of three went on")
            };
            assert_eq!(g.step(AGENT, 5, Ds::GwsBarrier, 2, Some(a)), Step::Still);
            assert_eq!(g.step(AGENT, 5, Ds::GwsBarrier, 2, None), Step::On);
            assert_eq!(g.step(AGENT, 5, Ds::GwsBarrier, 2, Some(a)), Step::On);
            assert_eq!(g.step(AGENT, 5, Ds::GwsBarrier, 2, Some(b)), Step::On);
        }
    }

    #[test]
    fn a_semaphore_lets_as_many_go_as_it_was_raised_by() {
        let g = Gws::default();
        let w = Some(Waiting::Semaphore);
        assert_eq!(g.step(AGENT, 0, Ds::GwsSemaP, 0, None), Step::Begun(Waiting::Semaphore));
        assert_eq!(g.step(AGENT, 0, Ds::GwsSemaP, 0, None), Step::Begun(Waiting::Semaphore));
        g.step(AGENT, 0, Ds::GwsSemaV, 0, None);
        assert_eq!(g.step(AGENT, 0, Ds::GwsSemaP, 0, w), Step::On);
        assert_eq!(g.step(AGENT, 0, Ds::GwsSemaP, 0, w), Step::Still);
        g.step(AGENT, 0, Ds::GwsSemaReleaseAll, 0, None);
        assert_eq!(g.step(AGENT, 0, Ds::GwsSemaP, 0, w), Step::On);
        g.step(AGENT, 0, Ds::GwsSemaBr, 2, None);
        assert_eq!(g.step(AGENT, 0, Ds::GwsSemaP, 0, None), Step::On);
        assert_eq!(g.step(AGENT, 0, Ds::GwsSemaP, 0, None), Step::On);
        assert_eq!(g.step(AGENT, 1, Ds::GwsSemaP, 0, None), Step::Begun(Waiting::Semaphore));
    }
}

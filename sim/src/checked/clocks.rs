//! What each wave knows of the others: vector clocks, kept sparse because most waves never meet.
//!
//! A wave's time is its count of vector memory operations; what a wait covers is complete. Two figures are known of
//! another wave: up to where its operations are complete where all dies agree (`sc1` stores, atomics, loads), and up to
//! where its plain stores have been written back from its die's L2 (`buffer_wbl2`).
//!
//! Scalar stores, which parts before gfx942 have, go to the scalar cache: they are there for others once `s_dcache_wb` has
//! written them back and a wait on `lgkmcnt` has covered that. They have a count of their own, and so have scalar loads, which
//! `lgkmcnt(0)` alone says are over.
//!
//! Waves of a workgroup share a compute unit, whose L1 keeps their operations in the order in which they were issued
//! (AMDGPUUsage, memory models of gfx90a and gfx942; compilers leave `s_waitcnt vmcnt(0)` out in front of a barrier for that
//! reason). So at a barrier they learn of each other what has been issued, waited for or not. Whether that order still
//! holds beyond the compute unit, when one wave releases what another has stored and never waited for, no guide says: such
//! knowledge has figures of its own, and what rests on it alone is advice.

use std::collections::VecDeque;
use std::sync::Arc;

/// What is known of one wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub wave: u32,
    /// Operations complete up to here.
    pub complete: u32,
    /// Plain stores written back up to here.
    pub released: u32,
    /// Operations in the order of the compute unit's L1 up to here.
    pub issued: u32,
    /// Plain stores written back up to here, if that order holds behind the L1.
    pub passed: u32,
    /// Scalar stores written back from the scalar cache up to here, by a count of their own.
    pub scalar: u32,
    /// Scalar loads over up to here, by a count of theirs.
    pub loads: u32,
}

impl Known {
    fn covers(&self, o: &Known) -> bool {
        self.complete >= o.complete
            && self.released >= o.released
            && self.issued >= o.issued
            && self.passed >= o.passed
            && self.scalar >= o.scalar
            && self.loads >= o.loads
    }

    fn join(&mut self, o: &Known) {
        self.complete = self.complete.max(o.complete);
        self.released = self.released.max(o.released);
        self.issued = self.issued.max(o.issued);
        self.passed = self.passed.max(o.passed);
        self.scalar = self.scalar.max(o.scalar);
        self.loads = self.loads.max(o.loads);
    }
}

/// The mark of a scalar store or load in what is otherwise a wave's time.
pub(crate) const SCALAR: u32 = 1 << 31;

/// How many operations that were seen on their own are remembered.
const ALONE: usize = 32;

/// What is known, by wave number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Vc {
    all: Vec<Known>,
    /// Operations (wave, time) whose effect was seen, though not everything before them is complete; the newest ones.
    alone: Vec<(u32, u32)>,
}

impl Vc {
    pub fn of(&self, wave: u32) -> Option<&Known> {
        self.all.binary_search_by_key(&wave, |k| k.wave).ok().map(|i| &self.all[i])
    }

    /// Raises what is known of one wave.
    pub fn raise(&mut self, known: Known) {
        match self.all.binary_search_by_key(&known.wave, |k| k.wave) {
            Ok(i) => self.all[i].join(&known),
            Err(i) => self.all.insert(i, known),
        }
    }

    /// Says what is known of one wave, whatever was known before.
    pub fn set(&mut self, known: Known) {
        match self.all.binary_search_by_key(&known.wave, |k| k.wave) {
            Ok(i) => self.all[i] = known,
            Err(i) => self.all.insert(i, known),
        }
    }

    /// One operation of a wave has been seen: everybody that learns this finds it done. Whether that was new.
    pub fn observe(&mut self, wave: u32, at: u32) -> bool {
        if self.observed(wave, at) {
            return false;
        }
        match self.of(wave).copied() {
            Some(k) if k.complete + 1 == at => self.raise(Known { complete: at, issued: at, ..k }),
            _ => {
                if self.alone.len() >= ALONE {
                    self.alone.remove(0);
                }
                self.alone.push((wave, at));
            }
        }
        true
    }

    /// Whether one operation of a wave is known to be done.
    pub fn observed(&self, wave: u32, at: u32) -> bool {
        self.of(wave).is_some_and(|k| k.complete >= at) || self.alone.contains(&(wave, at))
    }

    /// Takes in what another knows; whether that was anything new.
    pub fn join(&mut self, other: &Vc) -> bool {
        let mut new = false;
        for (wave, at) in &other.alone {
            new |= self.observe(*wave, *at);
        }
        if other.all.iter().all(|o| self.of(o.wave).is_some_and(|k| k.covers(o))) {
            return new;
        }
        let mut out = Vec::with_capacity(self.all.len().max(other.all.len()));
        let (mut a, mut b) = (self.all.iter().peekable(), other.all.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x.wave == y.wave => {
                    let mut both = **x;
                    both.join(y);
                    out.push(both);
                    a.next();
                    b.next();
                }
                (Some(x), Some(y)) if x.wave < y.wave => {
                    out.push(**x);
                    a.next();
                }
                (_, Some(y)) => {
                    out.push(**y);
                    b.next();
                }
                (Some(x), None) => {
                    out.push(**x);
                    a.next();
                }
                (None, None) => break,
            }
        }
        self.all = out;
        true
    }
}

impl Vc {
    /// Takes in what was found with a value; whether that was anything new. `mate` says that a wave of the same workgroup
    /// stored it.
    pub fn learn(&mut self, found: &Sent, mate: bool, messages: &Messages) -> bool {
        let Sent { message, wave, at } = *found;
        let mut new = self.observe(wave, at);
        match messages.get(message) {
            Some(m) => new |= self.join(m),
            None => {
                let all = u32::MAX;
                self.raise(Known {
                    wave,
                    complete: all,
                    released: all,
                    issued: all,
                    passed: all,
                    scalar: all,
                    loads: all,
                });
                new = true;
            }
        }
        if mate && self.of(wave).is_none_or(|k| k.issued < at) {
            self.raise(Known { wave, issued: at, ..Known::default() });
            new = true;
        }
        new
    }
}

/// What is found with a value: the message of the wave that stored it, and the store itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    /// The message, 0 is none.
    pub message: u32,
    /// The store; the wave is 0 where there was none.
    pub wave: u32,
    pub at: u32,
}

/// What waves knew when they wrote where others may look, for those who read it: the newest of them.
pub(crate) struct Messages {
    kept: VecDeque<Arc<Vc>>,
    sent: u32,
    /// Waves that the kept ones speak of.
    size: usize,
}

/// Waves that kept messages speak of at most, 40 MiB. Who reads a message that has been dropped takes everything its
/// sender did as known, so that it accuses nobody.
const SIZE: usize = 2 << 20;

impl Messages {
    pub fn new() -> Messages {
        Messages { kept: VecDeque::new(), sent: 0, size: 0 }
    }

    /// Keeps a message; its number, from 1.
    pub fn send(&mut self, vc: Arc<Vc>) -> u32 {
        self.size += vc.all.len() + 1;
        self.kept.push_back(vc);
        while self.size > SIZE
            && let Some(gone) = self.kept.pop_front()
        {
            self.size -= gone.all.len() + 1;
        }
        self.sent += 1;
        self.sent
    }

    /// A message, if it is still kept.
    pub fn get(&self, number: u32) -> Option<&Arc<Vc>> {
        let first = self.sent + 1 - self.kept.len() as u32;
        self.kept.get(number.checked_sub(first)? as usize)
    }

    /// Whether a message has been dropped.
    pub fn dropped(&self, number: u32) -> bool {
        number != 0 && self.get(number).is_none()
    }
}

//! What each wave knows of the others: vector clocks, kept sparse because most waves never meet.
//!
//! A wave's time is its count of vector memory operations; what a wait covers is complete. Two figures are known of
//! another wave: up to where its operations are complete where all dies agree (`sc1` stores, atomics, loads), and up to
//! where its plain stores have been written back from its die's L2 (`buffer_wbl2`). Waves of a workgroup share a compute
//! unit, so at a barrier they learn both at once.

use std::sync::Arc;

/// What is known of one wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub wave: u32,
    /// Operations complete up to here.
    pub complete: u32,
    /// Plain stores written back up to here.
    pub released: u32,
}

/// What is known, by wave number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Vc(Vec<Known>);

impl Vc {
    pub fn of(&self, wave: u32) -> Option<&Known> {
        self.0.binary_search_by_key(&wave, |k| k.wave).ok().map(|i| &self.0[i])
    }

    /// Raises what is known of one wave.
    pub fn raise(&mut self, wave: u32, complete: u32, released: u32) {
        match self.0.binary_search_by_key(&wave, |k| k.wave) {
            Ok(i) => {
                let k = &mut self.0[i];
                k.complete = k.complete.max(complete);
                k.released = k.released.max(released);
            }
            Err(i) => self.0.insert(i, Known { wave, complete, released }),
        }
    }

    /// Takes in what another knows; whether that was anything new.
    pub fn join(&mut self, other: &Vc) -> bool {
        if other.0.iter().all(|o| self.of(o.wave).is_some_and(|k| k.complete >= o.complete && k.released >= o.released))
        {
            return false;
        }
        let mut out = Vec::with_capacity(self.0.len().max(other.0.len()));
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x.wave == y.wave => {
                    out.push(Known {
                        wave: x.wave,
                        complete: x.complete.max(y.complete),
                        released: x.released.max(y.released),
                    });
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
        self.0 = out;
        true
    }
}

/// What waves knew when they wrote where all agree, for those who read it: a ring, because only the newest matter.
pub(crate) struct Messages {
    ring: Vec<Arc<Vc>>,
    sent: u32,
}

/// Messages that are kept. One that has been dropped counts as read by everybody, so it accuses nobody.
const KEPT: usize = 1 << 14;

impl Messages {
    pub fn new() -> Messages {
        Messages { ring: Vec::new(), sent: 0 }
    }

    /// Keeps a message; its number, from 1.
    pub fn send(&mut self, vc: Arc<Vc>) -> u32 {
        if self.ring.len() < KEPT {
            self.ring.push(vc);
        } else {
            self.ring[self.sent as usize % KEPT] = vc;
        }
        self.sent += 1;
        self.sent
    }

    /// A message, if it is still kept.
    pub fn get(&self, number: u32) -> Option<&Arc<Vc>> {
        let kept = self.sent.saturating_sub(KEPT as u32);
        (number > kept && number <= self.sent).then(|| &self.ring[(number as usize - 1) % KEPT])
    }

    /// Whether a message has been dropped.
    pub fn dropped(&self, number: u32) -> bool {
        number != 0 && number <= self.sent.saturating_sub(KEPT as u32)
    }
}

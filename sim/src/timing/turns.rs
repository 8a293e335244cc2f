//! Who gets something shared, and when: a channel, a port, a slice of a cache.
//!
//! An access reserves its turns when it is issued, all the way down, and some of them lie ahead: a line that waits for
//! a place in L1 asks L2 later than one issued after it elsewhere. First come must be first served by the time at which
//! a request is there, not by the order in which the model learns of it; so the gaps between reservations are kept, and
//! a request that is there in one takes it.

use std::collections::VecDeque;

/// Gaps that are kept: the latest. Where compute units have all in flight that they can, requests lie a few microseconds
/// ahead; with 32 gaps memory then served AITER's experts at less than half of the rate that it had.
const GAPS: usize = 512;

/// The reservations of one thing that serves one request at a time.
#[derive(Clone, Debug)]
pub struct Turns {
    /// When it is free for good.
    free: f64,
    /// Times before that at which it is free, from and until, in order. Most come and go at the end.
    gaps: VecDeque<(f64, f64)>,
    /// The shortest request so far: what is shorter is no gap.
    shortest: f64,
}

impl Default for Turns {
    fn default() -> Turns {
        Turns { free: 0.0, gaps: VecDeque::new(), shortest: f64::INFINITY }
    }
}

impl Turns {
    /// The turn of a request that is there at `t` and takes so long: when it begins.
    pub fn take(&mut self, t: f64, long: f64) -> f64 {
        self.shortest = self.shortest.min(long);
        if t >= self.free {
            if t >= self.free + self.shortest {
                self.keep(self.gaps.len(), (self.free, t));
            }
            self.free = t + long;
            return t;
        }
        for i in self.first(t + long)..self.gaps.len() {
            let (from, until) = self.gaps[i];
            let begin = from.max(t);
            if begin + long > until {
                continue;
            }
            let (before, behind) = ((from, begin), (begin + long, until));
            match (before.1 - before.0 >= self.shortest, behind.1 - behind.0 >= self.shortest) {
                (true, true) => {
                    self.gaps[i] = behind;
                    self.keep(i, before);
                }
                (true, false) => self.gaps[i] = before,
                (false, true) => self.gaps[i] = behind,
                (false, false) => {
                    self.gaps.remove(i);
                }
            }
            return begin;
        }
        let begin = self.free;
        self.free += long;
        begin
    }

    /// The first gap that lasts until some time: looked for from the end, where it mostly is.
    fn first(&self, until: f64) -> usize {
        let count = self.gaps.len();
        let (mut step, mut from) = (4, count);
        while from > 0 && self.gaps[from - 1].1 >= until {
            let to = from;
            from = count.saturating_sub(step);
            step *= 4;
            if from == 0 || self.gaps[from - 1].1 < until {
                return from + (from..to).take_while(|i| self.gaps[*i].1 < until).count();
            }
        }
        from
    }

    /// Puts a gap at a place among the others; the earliest one makes room.
    fn keep(&mut self, at: usize, gap: (f64, f64)) {
        if self.gaps.len() < GAPS {
            self.gaps.insert(at, gap);
        } else if at > 0 {
            self.gaps.pop_front();
            self.gaps.insert(at - 1, gap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_in_order_take_their_turns_one_behind_another() {
        let mut turns = Turns::default();
        assert_eq!([turns.take(10.0, 4.0), turns.take(11.0, 4.0), turns.take(30.0, 4.0)], [10.0, 14.0, 30.0]);
        assert_eq!(turns.take(31.0, 4.0), 34.0);
    }

    #[test]
    fn a_request_that_is_there_before_what_is_reserved_does_not_wait_for_it() {
        let mut turns = Turns::default();
        assert_eq!(turns.take(100.0, 4.0), 100.0);
        assert_eq!([turns.take(20.0, 4.0), turns.take(21.0, 4.0), turns.take(99.0, 4.0)], [20.0, 24.0, 104.0]);
        // What is left of the gap still serves, from behind and from before.
        assert_eq!([turns.take(0.0, 20.0), turns.take(50.0, 50.0)], [0.0, 50.0]);
        assert_eq!(turns.take(0.0, 4.0), 28.0);
    }

    #[test]
    fn no_two_requests_ever_hold_it_at_once() {
        let mut turns = Turns::default();
        let mut held: Vec<(f64, f64)> = Vec::new();
        let mut seed = 9u64;
        for i in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let t = f64::from(i) * 3.0 + (seed >> 40) as f64 % 300.0;
            let long = 1.0 + (seed >> 33) as f64 % 4.0;
            let begin = turns.take(t, long);
            assert!(begin >= t);
            assert!(held.iter().all(|(a, b)| begin >= *b || begin + long <= *a), "{i}: {begin}");
            held.push((begin, begin + long));
        }
    }
}

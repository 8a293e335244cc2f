//! When each SIMD has its next turn: a ring of the cycles just ahead, a bit a SIMD in each.
//!
//! Nearly every turn is a few cycles from now, where a heap would sort as many entries as there are SIMDs again and
//! again. Turns beyond the ring wait in a heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles of the ring; a power of two.
const AHEAD: u64 = 1024;

/// Turns in order of cycle and, within one, of SIMD.
#[derive(Debug)]
pub struct Wheel {
    /// SIMDs of each cycle, a bit each, `words` words a cycle.
    slots: Vec<u64>,
    words: usize,
    /// Cycles of the ring that have any.
    any: [u64; (AHEAD / 64) as usize],
    /// No turn is before it.
    now: u64,
    far: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Wheel {
    /// A wheel for so many SIMDs.
    pub fn new(simds: usize) -> Wheel {
        let words = simds.div_ceil(64);
        Wheel { slots: vec![0; words * AHEAD as usize], words, any: [0; 16], now: 0, far: BinaryHeap::new() }
    }

    /// Notes a turn, not before the last one that was taken.
    pub fn push(&mut self, t: u64, id: u32) {
        if t - self.now >= AHEAD {
            self.far.push(Reverse((t, id)));
            return;
        }
        let slot = (t % AHEAD) as usize;
        self.slots[slot * self.words + id as usize / 64] |= 1 << (id % 64);
        self.any[slot / 64] |= 1 << (slot % 64);
    }

    /// Takes the first turn.
    pub fn pop(&mut self) -> Option<(u64, u32)> {
        let near = self.nearest();
        let far = self.far.peek().map(|Reverse((t, _))| *t);
        let t = match (near, far) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => a.or(b)?,
        };
        self.now = t;
        while self.far.peek().is_some_and(|Reverse((at, _))| *at == t) {
            if let Some(Reverse((at, id))) = self.far.pop() {
                self.push(at, id);
            }
        }
        let slot = (t % AHEAD) as usize;
        let row = &mut self.slots[slot * self.words..(slot + 1) * self.words];
        let word = row.iter().position(|w| *w != 0)?;
        let bit = row[word].trailing_zeros();
        row[word] &= row[word] - 1;
        if row[word..].iter().all(|w| *w == 0) {
            self.any[slot / 64] &= !(1 << (slot % 64));
        }
        Some((t, word as u32 * 64 + bit))
    }

    /// The first cycle of the ring that has a turn.
    fn nearest(&self) -> Option<u64> {
        let at = (self.now % AHEAD) as usize;
        let first = self.any[at / 64] >> (at % 64);
        if first != 0 {
            return Some(self.now + u64::from(first.trailing_zeros()));
        }
        let base = self.now - self.now % 64;
        for k in 1..=self.any.len() {
            let word = self.any[(at / 64 + k) % self.any.len()];
            // Back at the first word, only what lies before now is a round ahead.
            if word != 0 {
                return Some(base + 64 * k as u64 + u64::from(word.trailing_zeros()));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_in_order_of_cycle_and_simd_as_from_a_heap() {
        let (mut wheel, mut heap) = (Wheel::new(200), BinaryHeap::new());
        let mut seed = 1u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let mut now = 0;
        for round in 0..20_000 {
            let far = if round % 50 == 0 { 5000 } else { 90 };
            for _ in 0..random(3) {
                let turn = (now + random(far), random(200) as u32);
                wheel.push(turn.0, turn.1);
                heap.push(Reverse(turn));
            }
            let got = wheel.pop();
            let want = heap.pop().map(|Reverse(turn)| turn);
            // The ring holds a turn once, however often it was noted.
            while want.is_some() && heap.peek().map(|Reverse(turn)| *turn) == want {
                heap.pop();
            }
            assert_eq!(got, want, "turn {round}");
            now = got.map_or(now, |(t, _)| t);
        }
    }
}

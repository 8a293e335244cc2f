//! Sets of registers by flat number, for questions put to every operand of every instruction.

use wavesmith_asm::effects::{self, Coarse, Span};

const WORDS: usize = effects::COUNT.div_ceil(64);

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers(pub [u64; WORDS]);

impl Registers {
    /// Every register.
    pub const ALL: Registers = Registers([u64::MAX; WORDS]);

    /// The words that hold a span, with its bits in each.
    #[inline]
    fn words(span: Span) -> impl Iterator<Item = (usize, u64)> {
        let (first, end) = (usize::from(span.first), usize::from(span.end()));
        let last = end.max(1) - 1;
        (first / 64..end.div_ceil(64)).map(move |w| {
            let low = if w == first / 64 { u64::MAX << (first % 64) } else { u64::MAX };
            let high = if w == last / 64 { u64::MAX >> (63 - last % 64) } else { u64::MAX };
            (w, low & high)
        })
    }

    /// Whether a register of the span is in it.
    #[inline]
    pub fn meets(&self, span: Span) -> bool {
        let (first, end) = (usize::from(span.first), usize::from(span.end()));
        // Nearly every operand lies in one word.
        if first < end && first / 64 == (end - 1) / 64 {
            return self.0[first / 64] & u64::MAX << (first % 64) & u64::MAX >> (63 - (end - 1) % 64) != 0;
        }
        Registers::words(span).any(|(w, bits)| self.0[w] & bits != 0)
    }

    /// Puts the registers of a span in.
    pub fn insert(&mut self, span: Span) {
        Registers::words(span).for_each(|(w, bits)| self.0[w] |= bits);
    }

    /// Takes the registers of a span out.
    pub fn remove(&mut self, span: Span) {
        Registers::words(span).for_each(|(w, bits)| self.0[w] &= !bits);
    }

    /// Whether a register is in it.
    pub fn has(&self, register: u16) -> bool {
        self.0[usize::from(register) / 64] >> (register % 64) & 1 != 0
    }

    /// Takes in another set; whether anything was new.
    pub fn join(&mut self, other: &Registers) -> bool {
        let mut new = 0;
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            new |= theirs & !*mine;
            *mine |= theirs;
        }
        new != 0
    }

    /// Keeps what is in another set too; whether anything went.
    pub fn meet(&mut self, other: &Registers) -> bool {
        let mut gone = 0;
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            gone |= *mine & !theirs;
            *mine &= theirs;
        }
        gone != 0
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    /// What is not in it.
    pub fn complement(&self) -> Registers {
        Registers(self.0.map(|w| !w))
    }

    /// The coarse view of the set.
    pub fn coarse(&self) -> Coarse {
        let (mut vectors, mut scalars) = (0, 0);
        for group in 0..usize::from(effects::S0) / 4 {
            let four = self.0[group / 16] >> (group % 16 * 4) & 15;
            vectors |= u128::from(four != 0) << group;
        }
        for pair in 0..64 {
            let two = self.0[usize::from(effects::S0) / 64 + pair / 32] >> (pair % 32 * 2) & 3;
            scalars |= u64::from(two != 0) << pair;
        }
        Coarse { vectors, scalars }
    }

    /// [`Registers::coarse`] with all bits set but those that the span's own registers may have a part in.
    pub fn coarse_near(&self, span: Span) -> Coarse {
        let Coarse { mut vectors, mut scalars } = Coarse::ALL;
        if span.first < effects::S0 {
            for group in usize::from(span.first) / 4..usize::from(span.end()).div_ceil(4) {
                let four = self.0[group / 16] >> (group % 16 * 4) & 15;
                vectors &= !(u128::from(four == 0) << group);
            }
        } else if span.first < effects::SCC {
            let (first, end) = (usize::from(span.first - effects::S0), usize::from(span.end() - effects::S0));
            for pair in first / 2..end.div_ceil(2) {
                let two = self.0[usize::from(effects::S0) / 64 + pair / 32] >> (pair % 32 * 2) & 3;
                scalars &= !(u64::from(two == 0) << pair);
            }
        }
        Coarse { vectors, scalars }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_go_in_and_out_across_words() {
        for (first, count) in [(0, 1), (60, 8), (63, 1), (64, 128), (600, 16), (641, 1), (5, 0)] {
            let span = Span { first, count };
            let mut set = Registers::default();
            set.insert(span);
            let inside: Vec<u16> = (0..effects::COUNT as u16).filter(|r| set.has(*r)).collect();
            assert_eq!(inside, (first..first + count).collect::<Vec<_>>());
            assert_eq!(set.meets(span), count > 0);
            assert!(!set.complement().meets(span));
            set.remove(span);
            assert_eq!(set, Registers::default());
        }
    }

    #[test]
    fn the_coarse_view_has_a_bit_for_every_register() {
        for r in 0..effects::SCC {
            let mut set = Registers::default();
            set.insert(Span { first: r, count: 1 });
            let span = Span { first: r, count: 1 };
            let (want, Coarse { vectors, scalars }) = (Coarse::of(span), Coarse::ALL);
            assert_eq!(set.coarse(), want, "{r}");
            assert_eq!(set.coarse_near(span), Coarse::ALL);
            set.remove(span);
            let rest = Coarse { vectors: vectors & !want.vectors, scalars: scalars & !want.scalars };
            assert_eq!(set.coarse_near(span), rest);
        }
    }
}

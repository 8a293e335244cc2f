//! The generator behind every choice: seeded, so that a run can be had again.

use wavesmith_asm::properties;

/// The generator of the property tests, with draws that are cheap enough for every instruction.
#[derive(Clone, Debug)]
pub(crate) struct Rng(properties::Rng);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(properties::Rng(seed ^ 0x5851_f42d_4c95_7f2d))
    }

    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `n`, which is not 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        (((self.bits() >> 32) * n as u64) >> 32) as usize
    }

    /// True once in `n` times.
    #[inline]
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

//! A set of registers of one file, by number: a file has no more than 256 that an instruction can name.

/// The registers an instruction can name.
pub(super) const NAMED: u16 = 256;

/// The set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mask([u64; 4]);

impl Mask {
    /// Registers `first..end`; what is past the file is left out.
    pub(super) fn range(first: u16, end: u16) -> Mask {
        let end = end.min(NAMED);
        let mut words = [0; 4];
        for (word, w) in words.iter_mut().zip(0u16..) {
            let (from, to) = (first.max(64 * w), end.min(64 * w + 64));
            if from < to {
                *word = (u64::MAX >> (64 - (to - from))) << (from - 64 * w);
            }
        }
        Mask(words)
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    pub(super) fn add(&mut self, other: &Mask) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }

    pub(super) fn remove(&mut self, other: &Mask) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
    }

    pub(super) fn and(&self, other: &Mask) -> Mask {
        Mask(std::array::from_fn(|w| self.0[w] & other.0[w]))
    }

    pub(super) fn is_within(&self, other: &Mask) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| a & !b == 0)
    }

    /// Those that start a run of `count` members.
    pub(super) fn starts(&self, count: u16) -> Mask {
        let (mut out, mut have) = (*self, 1);
        while have < count {
            let step = have.min(count - have);
            out = out.and(&out.lowered(step));
            have += step;
        }
        out
    }

    /// Every member `by` lower; those below `by` are gone.
    fn lowered(&self, by: u16) -> Mask {
        let (words, bits) = (usize::from(by / 64), by % 64);
        let word = |i: usize| self.0.get(i).copied().unwrap_or_default();
        Mask(std::array::from_fn(|i| {
            let high = if bits == 0 { 0 } else { word(i + words + 1) << (64 - bits) };
            word(i + words) >> bits | high
        }))
    }

    /// Those at multiples of `align`, a power of two up to 64.
    pub(super) fn aligned(&self, align: u16) -> Mask {
        let pattern = (0..64).step_by(align.into()).fold(0u64, |p, i| p | 1 << i);
        Mask(self.0.map(|w| w & pattern))
    }

    /// The members, lowest first.
    pub(super) fn iter(self) -> impl Iterator<Item = u16> {
        (0u16..).zip(self.0).flat_map(|(w, mut word)| {
            std::iter::from_fn(move || {
                let i = word.trailing_zeros() as u16;
                word &= word.wrapping_sub(1);
                (i < 64).then_some(64 * w + i)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(mask: Mask) -> Vec<u16> {
        mask.iter().collect()
    }

    #[test]
    fn a_range_holds_what_lies_in_it_and_runs_start_where_they_fit() {
        for (first, end) in [(0, 1), (0, 64), (63, 65), (1, 255), (128, 256), (200, 256)] {
            let mask = Mask::range(first, end);
            assert_eq!(members(mask), (first..end).collect::<Vec<_>>());
            assert_eq!(mask.count(), u32::from(end - first));
            for count in [1, 2, 3, 16, 63, 64, 65, 130] {
                assert_eq!(members(mask.starts(count)), (first..(end + 1).saturating_sub(count)).collect::<Vec<_>>());
            }
        }
        assert_eq!((Mask::range(5, 5).count(), Mask::range(250, 300)), (0, Mask::range(250, 256)));
        assert_eq!(members(Mask::range(3, 9).aligned(4)), [4, 8]);
    }
}

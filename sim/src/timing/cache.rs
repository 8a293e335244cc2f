//! A set-associative cache of tags: which lines are there, and since when their data is.

/// Ways searched in a set.
const WAYS: usize = 16;

/// Tags with least-recently-used replacement. Data stays in memory: only presence is modelled.
#[derive(Debug, Clone)]
pub struct Cache {
    shift: u32,
    sets: u64,
    /// Line number plus one; 0 is an empty way. The most recently used way comes first.
    tags: Vec<u64>,
    /// When the line's data is there, and whether it was written since.
    state: Vec<(u64, bool)>,
}

/// What a look for a line found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The line is there, or under way until that cycle; whether it is dirty.
    Hit(u64, bool),
    /// It is not; it now has a place.
    Miss,
}

impl Cache {
    /// A cache of so many bytes and lines of so many bytes; a size of zero never hits.
    pub fn new(bytes: u64, line: u64) -> Cache {
        let sets = (bytes / line.max(1) / WAYS as u64).max(u64::from(bytes > 0));
        let lines = sets as usize * WAYS;
        Cache { shift: line.max(1).trailing_zeros(), sets, tags: vec![0; lines], state: vec![(0, false); lines] }
    }

    /// The number of the line that an address lies in.
    pub fn line(&self, address: u64) -> u64 {
        address >> self.shift
    }

    /// Looks for a line, and gives it the place of the least recently used one of its set if it is not there. The
    /// caller then says with [`filled`](Cache::filled) when its data comes.
    pub fn look(&mut self, line: u64) -> Found {
        if self.sets == 0 {
            return Found::Miss;
        }
        // Lines of one stride must not all meet in one set.
        let set = spread(line, self.sets) * WAYS;
        let tags = &mut self.tags[set..set + WAYS];
        let state = &mut self.state[set..set + WAYS];
        let tag = line + 1;
        if tags[0] == tag {
            return Found::Hit(state[0].0, state[0].1);
        }
        match tags.iter().position(|t| *t == tag) {
            Some(at) => {
                tags[..=at].rotate_right(1);
                state[..=at].rotate_right(1);
                Found::Hit(state[0].0, state[0].1)
            }
            None => {
                tags.rotate_right(1);
                state.rotate_right(1);
                tags[0] = tag;
                state[0] = (0, false);
                Found::Miss
            }
        }
    }

    /// Says when the data of the line that was looked for last comes.
    pub fn filled(&mut self, line: u64, at: u64, dirty: bool) {
        if self.sets == 0 {
            return;
        }
        let set = spread(line, self.sets) * WAYS;
        if self.tags[set] == line + 1 {
            self.state[set] = (at, dirty);
        }
    }

    /// Drops a line.
    pub fn drop_line(&mut self, line: u64) {
        if self.sets == 0 {
            return;
        }
        let set = spread(line, self.sets) * WAYS;
        if let Some(at) = self.tags[set..set + WAYS].iter().position(|t| *t == line + 1) {
            self.tags[set + at] = 0;
        }
    }

    /// Lines that were written since they came.
    pub fn dirty(&self) -> usize {
        self.tags.iter().zip(&self.state).filter(|(tag, state)| **tag != 0 && state.1).count()
    }

    /// Drops every line.
    pub fn clear(&mut self) {
        self.tags.fill(0);
    }
}

/// One of so many, by a hash of a number: what interleaving does.
pub fn spread(x: u64, among: u64) -> usize {
    ((u64::from(mix(x) as u32) * among) >> 32) as usize
}

/// Spreads the bits of a number: what interleaving hashes do.
pub fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_fits_stays_and_one_that_does_not_is_evicted_in_order_of_use() {
        let mut c = Cache::new(32 << 10, 128);
        let lines: Vec<u64> = (0..64).collect();
        assert!(lines.iter().all(|l| c.look(*l) == Found::Miss));
        assert!(lines.iter().all(|l| matches!(c.look(*l), Found::Hit(..))));
        for l in 1000..3000 {
            c.look(l);
        }
        assert!(lines.iter().all(|l| c.look(*l) == Found::Miss));
    }

    #[test]
    fn a_line_under_way_says_when_it_comes() {
        let mut c = Cache::new(1 << 20, 128);
        assert_eq!(c.look(7), Found::Miss);
        c.filled(7, 500, false);
        assert_eq!(c.look(7), Found::Hit(500, false));
        c.drop_line(7);
        assert_eq!(c.look(7), Found::Miss);
    }

    #[test]
    fn no_cache_never_hits() {
        let mut c = Cache::new(0, 128);
        assert_eq!(c.look(1), Found::Miss);
        c.filled(1, 5, false);
        assert_eq!(c.look(1), Found::Miss);
    }
}

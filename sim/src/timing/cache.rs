//! A set-associative cache of tags: which lines are there, and since when their data is.

/// Ways searched in a set.
const WAYS: usize = 16;

/// Tags with least-recently-used replacement. Data stays in memory: only presence is modelled.
#[derive(Debug, Clone)]
pub struct Cache {
    shift: u32,
    sets: Vec<Set>,
    /// Looks so far, which dates them.
    looks: u32,
    /// Where the line that was looked for last is.
    last: (usize, usize),
}

/// The lines that share a set.
#[derive(Debug, Clone, Copy)]
struct Set {
    /// Line number plus one; 0 is an empty way. What a part has of memory is far below 2³² lines.
    tags: [u32; WAYS],
    /// When each was last looked for; the least makes place.
    used: [u32; WAYS],
    /// When the line's data is there, twice, and one more if it was written since.
    state: [u64; WAYS],
}

impl Set {
    const EMPTY: Set = Set { tags: [0; WAYS], used: [0; WAYS], state: [0; WAYS] };

    fn way(&self, tag: u32) -> Option<usize> {
        let same = (0..WAYS).fold(0u32, |m, i| m | u32::from(self.tags[i] == tag) << i);
        (same != 0).then(|| same.trailing_zeros() as usize)
    }

    /// The way used longest ago.
    fn oldest(&self) -> usize {
        let least = self.used.iter().fold(u32::MAX, |m, u| m.min(*u));
        self.used.iter().position(|u| *u == least).unwrap_or(0)
    }
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
        Cache { shift: line.max(1).trailing_zeros(), sets: vec![Set::EMPTY; sets as usize], looks: 0, last: (0, 0) }
    }

    /// The number of the line that an address lies in.
    pub fn line(&self, address: u64) -> u64 {
        address >> self.shift
    }

    /// Looks for a line, and gives it the place of the least recently used one of its set if it is not there. The
    /// caller then says with [`filled`](Cache::filled) when its data comes.
    pub fn look(&mut self, line: u64) -> Found {
        if self.sets.is_empty() {
            return Found::Miss;
        }
        if self.looks == u32::MAX {
            self.age();
        }
        self.looks += 1;
        // Lines of one stride must not all meet in one set.
        let at = spread(line, self.sets.len() as u64);
        let set = &mut self.sets[at];
        let tag = line as u32 + 1;
        match set.way(tag) {
            Some(way) => {
                set.used[way] = self.looks;
                self.last = (at, way);
                Found::Hit(set.state[way] >> 1, set.state[way] & 1 != 0)
            }
            None => {
                let way = set.oldest();
                set.tags[way] = tag;
                set.used[way] = self.looks;
                set.state[way] = 0;
                self.last = (at, way);
                Found::Miss
            }
        }
    }

    /// Dates anew what was used when, keeping its order.
    #[cold]
    fn age(&mut self) {
        for set in &mut self.sets {
            let before = set.used;
            for (way, used) in set.used.iter_mut().enumerate() {
                *used = before.iter().filter(|u| **u < before[way]).count() as u32;
            }
        }
        self.looks = WAYS as u32;
    }

    /// Says when the data of the line that was looked for last comes.
    pub fn filled(&mut self, line: u64, at: u64, dirty: bool) {
        if let Some(set) = self.sets.get_mut(self.last.0)
            && set.tags[self.last.1] == line as u32 + 1
        {
            set.state[self.last.1] = at << 1 | u64::from(dirty);
        }
    }

    /// Drops a line.
    pub fn drop_line(&mut self, line: u64) {
        if self.sets.is_empty() {
            return;
        }
        let at = spread(line, self.sets.len() as u64);
        let set = &mut self.sets[at];
        if let Some(way) = set.way(line as u32 + 1) {
            set.tags[way] = 0;
        }
    }

    /// Lines that were written since they came.
    pub fn dirty(&self) -> usize {
        let of =
            |set: &Set| set.tags.iter().zip(&set.state).filter(|(tag, state)| **tag != 0 && *state & 1 != 0).count();
        self.sets.iter().map(of).sum()
    }

    /// Drops every line.
    pub fn clear(&mut self) {
        self.sets.iter_mut().for_each(|set| set.tags = [0; WAYS]);
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
    fn dating_anew_keeps_the_order_of_use() {
        let mut c = Cache::new(16 * 128, 128);
        (0..16).for_each(|l| drop(c.look(l)));
        c.look(0);
        c.looks = u32::MAX;
        assert_eq!(c.look(100), Found::Miss);
        assert!(matches!(c.look(0), Found::Hit(..)));
        assert_eq!(c.look(1), Found::Miss);
    }

    #[test]
    fn no_cache_never_hits() {
        let mut c = Cache::new(0, 128);
        assert_eq!(c.look(1), Found::Miss);
        c.filled(1, 5, false);
        assert_eq!(c.look(1), Found::Miss);
    }
}

//! A set-associative cache of tags: which lines are there, and since when their data is.

/// Ways searched in a set.
const WAYS: usize = 16;

/// Tags with least-recently-used replacement. Data stays in memory: only presence is modelled.
#[derive(Debug, Clone)]
pub struct Cache {
    shift: u32,
    sets: Vec<Set>,
    /// Where the line that was looked for last is.
    last: (usize, usize),
}

/// The lines that share a set. Large caches are larger than the host's, so a look must touch little.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Set {
    /// Line number plus one; 0 is an empty way. What a part has of memory is far below 2³² lines.
    tags: [u32; WAYS],
    /// Ways, four bits each, the one looked for last lowest.
    order: u64,
    /// When the line's data is there, twice, and one more if it was written since.
    state: [u64; WAYS],
}

/// A one in each four bits.
const NIBBLES: u64 = 0x1111_1111_1111_1111;

impl Set {
    const EMPTY: Set = Set { tags: [0; WAYS], order: 0xfedc_ba98_7654_3210, state: [0; WAYS] };

    fn way(&self, tag: u32) -> Option<usize> {
        let same = (0..WAYS).fold(0u32, |m, i| m | u32::from(self.tags[i] == tag) << i);
        (same != 0).then(|| same.trailing_zeros() as usize)
    }

    /// Puts a way before all others.
    fn first(&mut self, way: usize) {
        let differs = self.order ^ (NIBBLES * way as u64);
        // The lowest four bits that are all zero: where the way is.
        let zero = differs.wrapping_sub(NIBBLES) & !differs & (NIBBLES << 3);
        let below = (1u64 << (zero.trailing_zeros() - 3)) - 1;
        let above = !(below << 4 | 15);
        self.order = (self.order & above) | (self.order & below) << 4 | way as u64;
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
        Cache { shift: line.max(1).trailing_zeros(), sets: vec![Set::EMPTY; sets as usize], last: (0, 0) }
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
        // Lines of one stride must not all meet in one set.
        let at = spread(line, self.sets.len() as u64);
        let set = &mut self.sets[at];
        let tag = line as u32 + 1;
        match set.way(tag) {
            Some(way) => {
                set.first(way);
                self.last = (at, way);
                Found::Hit(set.state[way] >> 1, set.state[way] & 1 != 0)
            }
            None => {
                let way = (set.order >> 60) as usize;
                set.first(way);
                set.tags[way] = tag;
                set.state[way] = 0;
                self.last = (at, way);
                Found::Miss
            }
        }
    }

    /// Asks the host's memory for a set that will be looked at soon.
    pub fn ask(&self, line: u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(set) = self.sets.get(spread(line, self.sets.len() as u64)) {
            let tags = set.tags.as_ptr().cast::<i8>();
            // SAFETY: asking in advance touches nothing; the address is that of the set.
            unsafe { core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(tags) };
            // SAFETY: as above, and 64 bytes on is still in the set.
            unsafe { core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(tags.wrapping_add(64)) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = line;
    }

    /// Says when the data of the line that was looked for last comes.
    pub fn filled(&mut self, line: u64, at: u64, dirty: bool) {
        if let Some(set) = self.sets.get_mut(self.last.0)
            && set.tags[self.last.1] == line as u32 + 1
        {
            set.state[self.last.1] = at << 1 | u64::from(dirty);
        }
    }

    /// Says when the data of a line comes, whichever was looked for last.
    pub fn comes(&mut self, line: u64, at: u64) {
        if self.sets.is_empty() {
            return;
        }
        let index = spread(line, self.sets.len() as u64);
        let set = &mut self.sets[index];
        if let Some(way) = set.way(line as u32 + 1) {
            set.state[way] = at << 1;
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

/// The part of a cache's lines that are found again when so many times its size was gone through, always in the same
/// order, since: sets that get no more lines than they have ways keep them all, and others, least recently used first,
/// none. Lines spread over sets by a hash, so that how many a set gets follows Poisson.
pub fn left(load: f64) -> f64 {
    let mean = load * WAYS as f64;
    // Of four times its size nothing is left that counts.
    if !mean.is_finite() || mean > 64.0 {
        return 0.0;
    }
    // The part of lines that share their set with fewer than so many others.
    let mut term = (-mean).exp();
    let mut sum = 0.0;
    for others in 0..WAYS {
        sum += term;
        term *= mean / (others + 1) as f64;
    }
    sum.min(1.0)
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
    fn the_line_used_longest_ago_makes_place() {
        // One set, beside a list of its lines in order of use.
        let mut c = Cache::new(WAYS as u64 * 128, 128);
        let mut known: Vec<u64> = Vec::new();
        let mut seed = 7u64;
        for _ in 0..5000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let line = (seed >> 33) % 24;
            let at = known.iter().position(|l| *l == line);
            assert_eq!(matches!(c.look(line), Found::Hit(..)), at.is_some());
            at.map(|at| known.remove(at));
            known.insert(0, line);
            known.truncate(WAYS);
        }
    }

    #[test]
    fn what_going_through_more_and_more_leaves_is_what_the_cache_itself_keeps() {
        for load in [0.3, 0.6, 0.75, 0.9, 1.0, 1.2] {
            let mut c = Cache::new(8 << 20, 128);
            let lines = (load * (8 << 20) as f64 / 128.0) as u64;
            for l in 0..lines {
                c.look(l);
            }
            let kept = (0..lines).filter(|l| matches!(c.look(*l), Found::Hit(..))).count() as f64 / lines as f64;
            // Neighbouring lines spread somewhat more evenly than by chance.
            assert!((kept - left(load)).abs() < 0.07, "{load}: {kept} {}", left(load));
        }
        assert_eq!(left(f64::INFINITY), 0.0);
    }

    #[test]
    fn no_cache_never_hits() {
        let mut c = Cache::new(0, 128);
        assert_eq!(c.look(1), Found::Miss);
        c.filled(1, 5, false);
        assert_eq!(c.look(1), Found::Miss);
    }
}

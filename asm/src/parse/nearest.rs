//! The name that was probably meant.
//!
//! Wrong names are looked up among a thousand right ones, for every wrong line of a file, so the distance is computed on
//! whole columns at once: bit `i` of a word stands for the `i`-th letter of what was written (Myers 1999, with Hyyrö's
//! boundary for distances between whole words).

/// The most letters of a word that count.
const LETTERS: usize = 64;

/// The candidate nearest to `word` by edit distance, if it is near enough to be a slip.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = word.len().div_ceil(4).clamp(1, 4);
    let pattern = Pattern::new(word.as_bytes());
    let mut best: Option<(usize, &str)> = None;
    for c in candidates {
        if c.len().abs_diff(pattern.len) > limit || pattern.differs_in_more_letters_than(limit, c) {
            continue;
        }
        let d = pattern.distance(c);
        if d <= limit && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, c));
        }
    }
    best.map(|(_, c)| c)
}

/// A word to compare with others.
struct Pattern {
    len: usize,
    /// Which letters there are.
    letters: u64,
    /// Where each byte is.
    places: [u64; 256],
}

/// The letters of a word as a set; some share a bit, so that only differences mean something.
fn letters(word: &[u8]) -> u64 {
    word.iter().fold(0, |set, b| set | 1 << (b & 63))
}

impl Pattern {
    fn new(word: &[u8]) -> Pattern {
        let word = &word[..word.len().min(LETTERS)];
        let mut places = [0; 256];
        for (i, b) in word.iter().enumerate() {
            places[*b as usize] |= 1 << i;
        }
        Pattern { len: word.len(), letters: letters(word), places }
    }

    /// Whether so many letters are only in one of the words that no `limit` edits make one of the other: an edit takes
    /// one letter away at most, and adds one.
    fn differs_in_more_letters_than(&self, limit: usize, other: &str) -> bool {
        let other = letters(other.as_bytes());
        let only = |a: u64, b: u64| (a & !b).count_ones() as usize;
        only(self.letters, other) > limit || only(other, self.letters) > limit
    }

    /// Insertions, deletions and substitutions that make `other` of this word.
    fn distance(&self, other: &str) -> usize {
        if self.len == 0 {
            return other.len();
        }
        let last = 1u64 << (self.len - 1);
        // Where a cell of the column is one more, or one less, than the cell above.
        let (mut more, mut less) = (u64::MAX, 0u64);
        let mut distance = self.len;
        for b in other.bytes() {
            let here = self.places[b as usize];
            let vertical = here | less;
            let diagonal = ((here & more).wrapping_add(more) ^ more) | here;
            let (up, down) = (less | !(diagonal | more), more & diagonal);
            distance += usize::from(up & last != 0);
            distance -= usize::from(down & last != 0);
            // The row above the first counts the letters of `other`.
            let (up, down) = (up << 1 | 1, down << 1);
            more = down | !(vertical | up);
            less = up & vertical;
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Mnemonic;
    use crate::properties::Rng;

    /// The same distance as the textbook has it.
    fn plainly(a: &[u8], b: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let up = row[j + 1];
                row[j + 1] = (diagonal + usize::from(x != y)).min(up + 1).min(row[j] + 1);
                diagonal = up;
            }
        }
        row[b.len()]
    }

    fn mangled(rng: &mut Rng, names: &[&str]) -> String {
        let mut word = names[rng.below(names.len() as u64) as usize].to_owned();
        for _ in 0..rng.below(6) {
            let at = rng.below(word.len() as u64 + 1) as usize;
            match rng.below(3) {
                0 => word.insert(at, (b'a' + rng.below(26) as u8) as char),
                1 if at < word.len() => drop(word.remove(at)),
                _ => word.truncate(word.len() - rng.below(2).min(word.len() as u64) as usize),
            }
        }
        word
    }

    #[test]
    fn distances_are_those_of_the_textbook() {
        let mut rng = Rng(5);
        let names: Vec<&str> = Mnemonic::all().map(Mnemonic::name).collect();
        for _ in 0..20_000 {
            let a = mangled(&mut rng, &names);
            let b = mangled(&mut rng, &names);
            let pattern = Pattern::new(a.as_bytes());
            let d = plainly(a.as_bytes(), b.as_bytes());
            assert_eq!(pattern.distance(&b), d, "{a} {b}");
            assert!(!pattern.differs_in_more_letters_than(d, &b), "{a} {b}");
        }
        assert_eq!(Pattern::new(b"").distance("abc"), 3);
    }

    #[test]
    fn the_nearest_name_is_the_first_of_the_least_distance() {
        let mut rng = Rng(6);
        let names: Vec<&str> = Mnemonic::all().map(Mnemonic::name).collect();
        for _ in 0..200 {
            let word = mangled(&mut rng, &names);
            let limit = word.len().div_ceil(4).clamp(1, 4);
            let least = names.iter().map(|n| plainly(word.as_bytes(), n.as_bytes())).min();
            let expected = least
                .filter(|d| *d <= limit)
                .and_then(|d| names.iter().find(|n| plainly(word.as_bytes(), n.as_bytes()) == d));
            assert_eq!(nearest(&word, names.iter().copied()), expected.copied(), "{word}");
        }
    }
}

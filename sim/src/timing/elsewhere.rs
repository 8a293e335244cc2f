//! What the other dies read and write while one of them is simulated.
//!
//! Dies share the Infinity Cache, the fabric and HBM, and which of a die's lines another one has read first decides how
//! long it waits. Workgroups go round the dies, so that the others begin workgroups of the same code when this one does.
//! They are taken to do the same things at the same times, at places of their own: how far those lie from the places of
//! the simulated workgroup, the first reads of each tell, which its first wave makes before it stores anything. What this
//! die's L2 has, theirs have.

/// A line that a workgroup reads, and the lines of the allocation that it lies in, from and until.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The instruction, so that others' reads can be told to be the same.
    pub pc: u64,
    /// First line of it.
    pub line: u64,
    /// The allocation.
    pub of: (u64, u64),
}

/// Dies of a part at most.
pub const DIES: usize = 8;

/// How far from each line of a workgroup those lie that others touch in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Whether a die has a workgroup in this one's place.
    works: [bool; DIES],
    /// In order of lines.
    stretches: Vec<Stretch>,
}

/// Lines up to the next stretch, or the end of the allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    from: u64,
    until: u64,
    apart: [i64; DIES],
}

impl Elsewhere {
    /// From the first reads of a workgroup and of those in its place on the other dies, `None` where there is none.
    pub fn of(own: &[Read], others: &[Option<Vec<Read>>]) -> Elsewhere {
        let mut works = [false; DIES];
        works.iter_mut().zip(others).for_each(|(works, reads)| *works = reads.is_some());
        let mut stretches: Vec<Stretch> = Vec::new();
        for (i, read) in own.iter().enumerate() {
            let mut apart = [0; DIES];
            let all = others.iter().enumerate().all(|(die, reads)| {
                let Some(reads) = reads else { return true };
                // Where ways part, nothing more can be said.
                let Some(other) = reads.get(i).filter(|r| r.pc == read.pc && r.of == read.of) else { return false };
                apart[die] = other.line as i64 - read.line as i64;
                true
            });
            if all {
                stretches.push(Stretch { from: read.line, until: read.of.1, apart });
            }
        }
        stretches.sort_by_key(|s| s.from);
        // What is read again, or at the same distance, says nothing new.
        stretches
            .dedup_by(|next, kept| next.until == kept.until && (next.apart == kept.apart || next.from == kept.from));
        let mut last = None;
        for s in &mut stretches {
            if last != Some(s.until) {
                last = Some(s.until);
                // Lines before the first that was seen.
                s.from = own.iter().find(|r| r.of.1 == s.until).map_or(s.from, |r| r.of.0);
            }
        }
        Elsewhere { works, stretches }
    }

    /// The line that a die touches when this one touches `line`. In an allocation of which nothing is known, results most
    /// of all, each has lines of its own.
    pub fn line(&self, line: u64, die: usize) -> Option<u64> {
        if !self.works[die] {
            return None;
        }
        let at = self.stretches.partition_point(|s| s.from <= line);
        match at.checked_sub(1).map(|at| self.stretches[at]).filter(|s| line < s.until) {
            Some(s) => line.checked_add_signed(s.apart[die]),
            None => Some(line + ((die as u64) << 27)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two matrices: all dies read the same rows of one, rows of their own of the other, but for a die that reads past its end.
    #[test]
    fn lines_of_others_lie_as_far_apart_as_first_reads_did() {
        let reads = |a: u64, b: [u64; 2]| {
            let (first, second) = ((0, 1000), (1000, 3000));
            let of = |pc, line, of| Read { pc, line, of };
            vec![of(0, 100 + a, first), of(8, 1000 + b[0], second), of(16, 1000 + b[1], second)]
        };
        let e = Elsewhere::of(
            &reads(0, [0, 400]),
            &[None, Some(reads(0, [700, 1100])), Some(reads(16, [1400, 1400])), None],
        );
        assert_eq!([e.line(130, 1), e.line(130, 2), e.line(130, 3)], [Some(130), Some(146), None]);
        assert_eq!(e.line(20, 2), Some(36), "before the first that was seen");
        assert_eq!([e.line(1007, 1), e.line(1007, 2)], [Some(1707), Some(2407)]);
        assert_eq!([e.line(1407, 1), e.line(1407, 2)], [Some(2107), Some(2407)]);
        // Of what nobody was seen to read each has its own.
        assert!(e.line(5000, 1) != e.line(5000, 2) && e.line(5000, 1) != Some(5000));
    }

    #[test]
    fn reads_after_ways_have_parted_are_not_compared() {
        let of = |pc, line| Read { pc, line, of: (0, 1000) };
        let e = Elsewhere::of(&[of(0, 10), of(8, 500)], &[None, Some(vec![of(0, 12), of(16, 700)])]);
        assert_eq!(e.line(501, 1), Some(503));
    }
}

//! LDS of a workgroup: who touched which byte since which barrier, what nothing has written, and what LDS-DMA has on its
//! way.
//!
//! Waves of a workgroup are ordered by barriers, so two of them that touch a byte between the same two barriers race, unless
//! both only read or both are atomic. Few kernels order them otherwise: by a word of LDS that one wave polls and another
//! writes. LDS keeps a wave's operations in order, so who has seen the word knows everything its writer did before. Different
//! waves' operations wait in different queues (AMDGPUUsage, memory models): an access that its wave has not waited for in front
//! of the barrier may be overtaken by what another wave does behind it.

use std::collections::HashMap;

/// What is known of one dword. Epochs count barriers from 1.
#[derive(Clone, Copy, Default)]
pub(crate) struct LdsCell {
    written_in: u32,
    read_in: u32,
    /// By byte: wave that wrote it in that epoch, from 1.
    writers: u32,
    /// By byte: waves that read it in that epoch, a bit each.
    readers: u64,
    /// The instruction that wrote it, and the issue that was.
    writer: u32,
    issue: u32,
    /// Its last read, and the last by a wave other than that one's.
    reading: Reading,
    earlier: Reading,
    /// Bytes that nothing has written.
    pub undefined: u8,
    /// Waves with an LDS-DMA on its way there, a bit each, and the last of them.
    dma: u16,
    sender: u32,
    /// Whether the write was atomic.
    atomic: bool,
    /// The wave that wrote it last, if it was with an instruction that only a wait for LDS covers.
    by: u8,
}

/// A read: the instruction, the issue that it was, and the wave.
#[derive(Clone, Copy, Default)]
struct Reading {
    number: u32,
    at: u32,
    by: u8,
}

/// Beyond all waves of a workgroup.
const NOBODY: u8 = 16;

/// Who touches.
#[derive(Clone, Copy)]
pub(crate) struct Toucher {
    /// Wave of the workgroup.
    pub wave: u8,
    pub number: u32,
    /// Counts issued instructions: lanes of one have the same.
    pub issue: u32,
    pub atomic: bool,
    /// A read that is repeated until its value is right, or a read-modify-write whose value decides a branch.
    pub polls: bool,
}

/// What a touch collides with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collision {
    /// Another wave wrote it since the barrier.
    Written(u32),
    /// Another wave read it since the barrier.
    Read(u32),
    /// Another wave wrote it in front of the barrier and did not wait for that.
    Unsettled(u32),
    /// Another wave read it in front of the barrier and did not wait for that.
    Unread(u32),
    /// An LDS-DMA of this wave or another is on its way there.
    InFlight(u32, bool),
    /// Another wave's LDS-DMA brings, or has brought since the barrier, what this one brings.
    Alike(u32),
    /// Two lanes of one instruction wrote it.
    SameInstruction,
}

/// A workgroup's LDS.
pub(crate) struct Lds {
    pub cells: Vec<LdsCell>,
    /// Barriers passed, plus one.
    pub epoch: u32,
    /// Waves, a bit each, that a poll has just learned from.
    pub learned: u16,
    /// By wave: its first write and its first read that it had not waited for at the last barrier, by the count of issued
    /// instructions.
    open_from: [[u32; 2]; 16],
    words: Option<Box<Words>>,
    /// By dword and byte: waves, a bit each, that have written the same there since the barrier. Whose value stays does not
    /// matter, and each reads back its own. Compilers do so where several waves hold a copy of a value.
    twins: HashMap<u32, [u16; 4]>,
}

/// What waves know of each other by polling words.
#[derive(Default)]
struct Words {
    /// By wave: up to which issue it knows what another did.
    seen: [[u32; 16]; 16],
    /// By dword: when each wave has read it since the last barrier, 0 is never.
    reads: HashMap<u32, [u32; 16]>,
}

impl Words {
    /// Whether a wave knows of everything that the waves of a mask did up to an issue.
    fn known(&self, me: u8, of: u16, upto: impl Fn(usize) -> u32) -> bool {
        (0..16).filter(|w| of >> w & 1 == 1 && *w != usize::from(me)).all(|w| self.seen[usize::from(me)][w] >= upto(w))
    }
}

impl LdsCell {
    /// The last read by another wave than this.
    fn read_by_another(&self, wave: u8) -> Reading {
        if self.reading.by == wave { self.earlier } else { self.reading }
    }

    /// Whether a touch of bytes, whose mask is given, meets what another wave wrote last, where order matters.
    #[cold]
    fn overtakes(&self, mask: u32, t: Toucher) -> bool {
        let by = (u32::from(self.by) + 1) * 0x0101_0101;
        let alike = !(self.writers ^ by);
        let theirs = (0..4).any(|b| mask >> (8 * b) & 0xff != 0 && alike >> (8 * b) & 0xff == 0xff);
        self.by != t.wave && theirs && !(t.atomic && self.atomic)
    }
}

/// By a mask of four: the same with every bit as `width` bits.
const fn spread(width: u32) -> [u64; 16] {
    let mut t = [0; 16];
    let mut m = 0;
    while m < 16 {
        let mut b = 0;
        while b < 4 {
            if m >> b & 1 == 1 {
                t[m] |= ((1 << width) - 1) << (width * b);
            }
            b += 1;
        }
        m += 1;
    }
    t
}

/// Bytes of a dword, as a mask of its bits.
const BITS: [u64; 16] = spread(8);
/// Bytes of a dword, as a mask of their readers: sixteen waves a byte.
const READERS: [u64; 16] = spread(16);

impl Lds {
    pub fn new(bytes: u32) -> Lds {
        let cell = LdsCell { undefined: 15, ..LdsCell::default() };
        Lds {
            cells: vec![cell; bytes.div_ceil(4) as usize],
            epoch: 1,
            learned: 0,
            open_from: [[u32::MAX; 2]; 16],
            words: None,
            twins: HashMap::new(),
        }
    }

    /// All waves have met, each with writes and with reads under way from an issue on.
    pub fn meet(&mut self, open_from: &[[u32; 2]]) {
        self.epoch += 1;
        self.open_from = [[u32::MAX; 2]; 16];
        for (to, from) in self.open_from.iter_mut().zip(open_from) {
            *to = *from;
        }
        // What is under way to a place is still the same as what else is.
        let cells = &self.cells;
        self.twins.retain(|dword, _| cells.get(*dword as usize).is_some_and(|c| c.dma != 0));
        if let Some(words) = &mut self.words {
            words.reads.clear();
        }
    }

    /// A poll has read what `writers` wrote last at an issue.
    #[cold]
    fn learn(&mut self, me: u8, writers: u16, at: u32) {
        let words = self.words.get_or_insert_with(Box::default);
        for w in (0..16).filter(|w| writers >> w & 1 == 1 && *w != usize::from(me)) {
            let theirs = words.seen[w];
            let mine = &mut words.seen[usize::from(me)];
            for (m, t) in mine.iter_mut().zip(theirs) {
                *m = (*m).max(t);
            }
            mine[w] = mine[w].max(at);
            self.learned |= 1 << w;
        }
    }

    /// Whether polled words put a touch behind what it runs into.
    #[cold]
    fn excused(&self, dword: usize, hit: Collision, me: u8, writers: u32, bytes: u8) -> bool {
        let (Some(words), Some(c)) = (&self.words, self.cells.get(dword)) else { return false };
        match hit {
            Collision::Written(_) => words.known(me, waves(writers), |_| c.issue),
            Collision::Read(_) => {
                let readers = (0..4).filter(|b| bytes >> b & 1 == 1).fold(0, |m, b| m | (c.readers >> (16 * b)) as u16);
                let times = words.reads.get(&(dword as u32));
                words.known(me, readers, |w| times.map(|t| t[w]).filter(|t| *t != 0).unwrap_or(c.reading.at))
            }
            Collision::Unsettled(_) => words.known(me, 1 << (c.by & 15), |_| c.issue),
            Collision::Unread(_) => {
                let r = c.read_by_another(me);
                words.known(me, 1 << (r.by & 15), |_| r.at)
            }
            Collision::InFlight(..) | Collision::Alike(_) | Collision::SameInstruction => false,
        }
    }

    /// A read of bytes of a dword.
    #[inline]
    pub fn read(&mut self, dword: usize, bytes: u8, t: Toucher) -> Option<Collision> {
        let epoch = self.epoch;
        let c = self.cells.get_mut(dword)?;
        let mask = BITS[usize::from(bytes & 15)] as u32;
        let me = ((u32::from(t.wave) + 1) * 0x0101_0101) & mask;
        let mut hit = None;
        if c.dma != 0 {
            hit = Some(Collision::InFlight(c.sender, c.dma >> t.wave & 1 == 1));
        } else if c.written_in == epoch {
            let w = c.writers & mask;
            // A byte that nobody wrote in this epoch is 0.
            if w != 0 && w != me && !(t.atomic && c.atomic) && other(w, me) {
                hit = Some(Collision::Written(c.writer));
            }
            if t.polls && w != 0 {
                let (writers, at) = (waves(w), c.issue);
                self.learn(t.wave, writers, at);
                return None;
            }
        } else if c.issue >= self.open_from[usize::from(c.by) & 15][0] && c.overtakes(mask, t) {
            hit = Some(Collision::Unsettled(c.writer));
        }
        if t.polls {
            return hit.filter(|h| !matches!(h, Collision::Written(_) | Collision::Unsettled(_)));
        }
        if c.read_in != epoch {
            c.read_in = epoch;
            c.readers = 0;
        }
        c.readers |= (0x0001_0001_0001_0001 << t.wave) & READERS[usize::from(bytes & 15)];
        if c.reading.by != t.wave {
            c.earlier = c.reading;
        }
        c.reading = Reading { number: t.number, at: t.issue, by: t.wave };
        let (writers, dma) = (c.writers & mask, c.dma);
        if matches!(hit, Some(Collision::Written(_) | Collision::InFlight(_, false)))
            && let Some(twins) = self.twins.get(&(dword as u32))
        {
            // Every byte must be the reader's own value, or nobody's news.
            let own = |(byte, twins): (usize, &u16)| {
                let writer = waves(writers & 0xff << (8 * byte)) | if bytes >> byte & 1 == 1 { dma } else { 0 };
                writer & !(1 << t.wave) == 0 || (writer | 1 << t.wave) & !twins == 0
            };
            hit = hit.filter(|_| !twins.iter().enumerate().all(own));
        }
        if let Some(words) = &mut self.words {
            words.reads.entry(dword as u32).or_default()[usize::from(t.wave) & 15] = t.issue;
        }
        hit.filter(|h| !self.excused(dword, *h, t.wave, writers, bytes))
    }

    /// A write of bytes of a dword; `same` says whether they hold the new value already.
    #[inline]
    pub fn write(&mut self, dword: usize, bytes: u8, t: Toucher, same: impl FnOnce() -> bool) -> Option<Collision> {
        self.put(dword, bytes, t, |hit| matches!(hit, Collision::Written(_)) && same())
    }

    /// A write, or the beginning of one; `same` says of another wave's that it runs into whether it brings the same.
    #[inline]
    fn put(&mut self, dword: usize, bytes: u8, t: Toucher, same: impl FnOnce(Collision) -> bool) -> Option<Collision> {
        let epoch = self.epoch;
        let c = self.cells.get_mut(dword)?;
        let mask = BITS[usize::from(bytes & 15)] as u32;
        let me = ((u32::from(t.wave) + 1) * 0x0101_0101) & mask;
        let mut hit = None;
        let (before, at) = (if c.written_in == epoch { c.writers & mask } else { 0 }, c.issue);
        let (mine, dma) = (0x0001_0001_0001_0001u64 << t.wave, c.dma);
        if c.dma != 0 {
            hit = Some(Collision::InFlight(c.sender, c.dma >> t.wave & 1 == 1));
        } else {
            if c.read_in == epoch && c.readers & READERS[usize::from(bytes & 15)] & !mine != 0 && !t.atomic {
                hit = Some(Collision::Read(c.read_by_another(t.wave).number));
            }
            if c.written_in == epoch {
                let w = c.writers & mask;
                if w != 0 && w != me && !(t.atomic && c.atomic) && other(w, me) {
                    hit = Some(Collision::Written(c.writer));
                } else if w == me && c.issue == t.issue && !t.atomic {
                    hit = Some(Collision::SameInstruction);
                }
            } else if hit.is_none()
                && c.issue >= self.open_from[usize::from(c.by) & 15][0]
                && c.overtakes(mask, t)
                && !t.polls
            {
                hit = Some(Collision::Unsettled(c.writer));
            }
            if hit.is_none() && c.read_in != epoch {
                let r = c.read_by_another(t.wave);
                let theirs = 0x0001_0001_0001_0001 << (r.by & 15);
                if r.by != t.wave
                    && r.at >= self.open_from[usize::from(r.by) & 15][1]
                    && c.readers & READERS[usize::from(bytes & 15)] & theirs != 0
                {
                    hit = Some(Collision::Unread(r.number));
                }
            }
        }
        let mut hit = hit.filter(|h| self.words.is_none() || !self.excused(dword, *h, t.wave, before, bytes));
        if let Some(h @ (Collision::Written(_) | Collision::InFlight(_, false))) = hit
            && same(h)
        {
            hit = None;
            let twins = self.twins.entry(dword as u32).or_default();
            for (byte, twins) in twins.iter_mut().enumerate().filter(|(byte, _)| bytes >> byte & 1 == 1) {
                let writer = waves(before & 0xff << (8 * byte)) | dma;
                // A byte that nobody has written yet has no twin.
                *twins = if writer == 0 { 0 } else { *twins | writer | 1 << t.wave };
            }
        } else if !self.twins.is_empty()
            && hit != Some(Collision::SameInstruction)
            && let Some(twins) = self.twins.get_mut(&(dword as u32))
        {
            // Who writes again before the barrier may write something else.
            twins.iter_mut().enumerate().filter(|(byte, _)| bytes >> byte & 1 == 1).for_each(|(_, twins)| *twins = 0);
        }
        let c = self.cells.get_mut(dword)?;
        if c.written_in != epoch {
            c.written_in = epoch;
            c.writers = 0;
        }
        c.writers = c.writers & !mask | me;
        c.writer = t.number;
        c.issue = t.issue;
        c.atomic = t.atomic;
        c.by = t.wave;
        if t.polls && t.atomic && before & mask != 0 {
            self.learn(t.wave, waves(before & mask), at);
        }
        hit
    }

    /// An LDS-DMA is issued that will write a dword. `same` says whether that will be what other waves have under way there, and
    /// what is there already, if it is given true.
    pub fn send(&mut self, dword: usize, t: Toucher, same: impl FnOnce(bool) -> bool) -> Option<Collision> {
        let mut alike = None;
        let hit = self.put(dword, 15, t, |hit| {
            let landed = matches!(hit, Collision::Written(_));
            let (Collision::Written(other) | Collision::InFlight(other, _)) = hit else { return false };
            alike = same(landed).then_some(Collision::Alike(other));
            alike.is_some()
        });
        if let Some(c) = self.cells.get_mut(dword) {
            c.dma |= 1 << t.wave;
            c.sender = t.number;
        }
        hit.or(alike).filter(|h| *h != Collision::SameInstruction && !matches!(h, Collision::InFlight(_, true)))
    }

    /// It lands: from now on a barrier is all that others need.
    pub fn land(&mut self, dword: usize, wave: u8) {
        let epoch = self.epoch;
        let Some(c) = self.cells.get_mut(dword) else { return };
        c.dma &= !(1 << wave);
        // A wait has covered it.
        c.by = NOBODY;
        c.undefined = 0;
        if c.written_in != epoch {
            c.written_in = epoch;
            c.writers = 0;
        }
        c.writers = (u32::from(wave) + 1) * 0x0101_0101;
    }
}

/// The waves that wrote bytes, a bit each.
fn waves(writers: u32) -> u16 {
    writers.to_le_bytes().iter().filter(|w| **w != 0).fold(0, |m, w| m | 1 << ((w - 1) & 15))
}

/// Whether any byte has a writer other than `me`.
fn other(writers: u32, me: u32) -> bool {
    (0..4).any(|b| {
        let w = writers >> (8 * b) & 0xff;
        w != 0 && w != me >> (8 * b) & 0xff
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_of_the_same_bytes_to_one_place_are_as_good_as_one() {
        let by = |wave| Toucher { wave, number: 7 + u32::from(wave), issue: 1, atomic: false, polls: false };
        for first in [0, 1] {
            let mut lds = Lds::new(4);
            assert_eq!(lds.send(0, by(0), |_| false), None);
            assert_eq!(lds.send(0, by(1), |landed| !landed), Some(Collision::Alike(7)));
            assert_eq!(lds.read(0, 15, by(first)), Some(Collision::InFlight(8, true)), "its own is on its way");
            lds.land(0, first);
            assert_eq!(lds.read(0, 15, by(first)), None, "its own is there, the other brings the same");
            assert!(matches!(lds.read(0, 15, by(2)), Some(Collision::InFlight(_, false))), "not its own");
            lds.meet(&[]);
            assert_eq!(lds.read(0, 15, by(first)), None, "behind a barrier as well");
            assert!(matches!(lds.read(0, 15, by(2)), Some(Collision::InFlight(_, false))), "no wait in front of that");
            lds.land(0, 1 - first);
            assert_eq!(lds.read(0, 15, by(first)), None, "as good as its own");
        }
        // What brings something else is a race, and what has been read may not be overwritten by something else.
        let mut lds = Lds::new(4);
        assert_eq!(lds.send(0, by(0), |_| false), None);
        assert_eq!(lds.send(0, by(1), |_| false), Some(Collision::InFlight(7, false)));
        let mut lds = Lds::new(4);
        assert_eq!(lds.send(0, by(0), |_| false), None);
        lds.land(0, 0);
        assert_eq!(lds.read(0, 15, by(0)), None);
        assert_eq!(lds.send(0, by(1), |landed| !landed), Some(Collision::Written(7)));
    }

    #[test]
    fn what_is_written_over_a_load_under_way_is_not_taken_for_that_load() {
        let by = |number| Toucher { wave: 0, number, issue: number, atomic: false, polls: false };
        let mut lds = Lds::new(4);
        assert_eq!(lds.send(0, by(1), |_| false), None);
        assert_eq!(lds.write(0, 15, by(2), || false), Some(Collision::InFlight(1, true)));
        assert_eq!(lds.read(0, 15, by(3)), Some(Collision::InFlight(1, true)), "and not what has written there since");
    }

    #[test]
    fn a_byte_written_alike_does_not_make_the_rest_of_its_dword_one_s_own() {
        let by = |wave| Toucher { wave, number: 7, issue: u32::from(wave) + 1, atomic: false, polls: false };
        let mut lds = Lds::new(4);
        assert_eq!(lds.write(0, 15, by(0), || false), None);
        assert_eq!(lds.write(0, 1, by(1), || true), None, "the same value");
        assert_eq!(lds.read(0, 1, by(1)), None, "its own");
        assert_eq!(lds.read(0, 1, by(0)), None, "as good as its own");
        assert_eq!(lds.read(0, 1, by(2)), Some(Collision::Written(7)), "not its own");
        assert_eq!(lds.read(0, 15, by(1)), Some(Collision::Written(7)), "three bytes are the other wave's");
        let mut lds = Lds::new(4);
        assert_eq!(lds.write(0, 3, by(0), || false), None);
        assert_eq!(lds.write(0, 1, by(1), || true), None);
        assert_eq!(lds.write(0, 1, by(0), || false), Some(Collision::Written(7)), "something else");
        assert_eq!(lds.read(0, 1, by(1)), Some(Collision::Written(7)), "no twins any more");
    }
}

//! Memory as unkind as the gfx942 model allows (AMDGPUUsage, "Memory Model gfx942").
//!
//! Every die has an L2 that keeps plain stores to itself until they are written back (`buffer_wbl2 sc1`, or chance), and
//! every compute unit an L1. A line that was loaded stays as it was loaded until it is invalidated (`buffer_inv sc1`, or
//! chance), whatever others have stored since. Loads with `sc1` look past both, but for what their own die holds dirty;
//! stores with `sc1` reach the place where all dies agree. A store is performed some time between its issue and the wait
//! that covers it, in pieces of whole dwords (of two
//! where a lane stores two or more), in any order but that of a wave's stores to one address. Within a workgroup
//! the L1 keeps order: its loads see what its waves have stored, and what one wave writes back includes what it knows others to
//! have issued; where there is one L2, so does what it stores.
//!
//! Lines that nobody writes during the dispatch are what memory says they are, so nothing is copied for them: only that a
//! cache has loaded them is remembered, in case somebody writes them later.

use super::clocks::{Sent, Vc};
use super::program::Scope;
use super::rng::Rng;
use super::shadow::{DIES, LINE, Line, Page, Shadow};
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

pub(crate) type Bytes = [u8; LINE as usize];

/// Where an access comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Who {
    /// Compute unit.
    pub cu: u32,
    pub die: usize,
    /// Wave of the dispatch, from 1.
    pub wave: u32,
    /// First wave of its workgroup.
    pub group: u32,
}

#[derive(Clone)]
struct Dirty {
    data: Bytes,
    mask: u128,
}

/// A line that has been written during the dispatch.
struct Hot {
    address: u64,
    /// Before the first write.
    initial: Bytes,
    /// By die, the epoch of the copy in its L2 and the copy.
    l2: [Option<(u32, Box<Bytes>)>; DIES],
    dirty: [Option<Box<Dirty>>; DIES],
}

/// An L1: direct-mapped, so that lines are evicted now and then.
struct L1 {
    epoch: u32,
    entries: Vec<Entry>,
}

#[derive(Clone, Default)]
struct Entry {
    /// Line number plus one.
    tag: u64,
    epoch: u32,
    /// The line as loaded; `None` as it was before anybody wrote it.
    copy: Option<Box<Bytes>>,
}

const ENTRIES: usize = 1024;

impl L1 {
    fn new() -> L1 {
        L1 { epoch: 1, entries: vec![Entry::default(); ENTRIES] }
    }

    /// Where a line goes, by its [`place`](super::shadow::Region::place).
    fn entry(&mut self, place: u64) -> &mut Entry {
        &mut self.entries[(place ^ place >> 10) as usize % ENTRIES]
    }
}

/// A store that has been issued and not yet been performed in full.
struct Pending {
    who: Who,
    /// The wave's count of vector memory operations when it issued.
    at: u32,
    agent: bool,
    /// What is found with its value.
    sent: Sent,
    /// What is left, by address and place in `data`.
    pieces: Vec<(u64, u32, u32)>,
    data: Vec<u8>,
    /// Least address and one past the largest.
    from: u64,
    to: u64,
    /// Bytes that are seen together.
    atom: u64,
    /// How often chance passes it by: some are seen as late as the wait that covers them.
    patience: u32,
    /// A write-back of the die's L2 instead of a store.
    writeback: bool,
}

/// Compute units that are told apart, by number and die.
const UNITS: usize = 1 << 12;

fn unit(cu: u32) -> usize {
    cu as usize % UNITS + if cu >> 31 == 1 { UNITS } else { 0 }
}

/// All caches of the device.
pub(crate) struct Caches {
    pub unkind: bool,
    dies: usize,
    hot: Vec<Hot>,
    /// By compute unit; scalar caches behind the vector ones.
    l1: Vec<Option<Box<L1>>>,
    l2_epoch: [u32; DIES],
    pending: Vec<Pending>,
    dirty: Vec<(u32, u8)>,
}

fn memory(address: u64) -> Bytes {
    let mut out = [0; LINE as usize];
    for (i, b) in out.chunks_exact_mut(4).enumerate() {
        let p = (address + 4 * i as u64) as *const AtomicU32;
        // SAFETY: the line lies in a mapped page, as its region says, and is aligned; others may write it meanwhile,
        // which atomics allow.
        b.copy_from_slice(&unsafe { (*p).load(Relaxed) }.to_le_bytes());
    }
    out
}

fn store(address: u64, data: &[u8]) {
    let mut at = 0;
    while at < data.len() {
        let p = address + at as u64;
        if p.is_multiple_of(4)
            && let Some(word) = data.get(at..at + 4)
        {
            // SAFETY: the caller has checked that the bytes are mapped; aligned, as just seen.
            unsafe {
                (*(p as *const AtomicU32)).store(u32::from_le_bytes([word[0], word[1], word[2], word[3]]), Relaxed)
            };
            at += 4;
        } else {
            // SAFETY: as above; bytes need no alignment.
            unsafe { (*(p as *const AtomicU8)).store(data[at], Relaxed) };
            at += 1;
        }
    }
}

impl Caches {
    pub fn new(dies: usize, unkind: bool) -> Caches {
        Caches {
            unkind,
            dies: dies.min(DIES),
            hot: Vec::new(),
            l1: std::iter::repeat_with(|| None).take(2 * UNITS).collect(),
            l2_epoch: [1; DIES],
            pending: Vec::new(),
            dirty: Vec::new(),
        }
    }

    /// Dies, each with an L2.
    pub fn dies(&self) -> usize {
        self.dies
    }

    /// Remembers that a line nobody has written is loaded.
    #[inline]
    pub fn loads_cold(&mut self, line: &mut Line, address: u64, place: u64, who: Who, scope: Scope, fine: bool) {
        if scope.past_l1 {
            return;
        }
        let number = address / LINE;
        let l1 = self.l1[unit(who.cu)].get_or_insert_with(|| Box::new(L1::new()));
        let epoch = l1.epoch;
        let e = l1.entry(place);
        if e.tag != number + 1 || e.epoch != epoch {
            *e = Entry { tag: number + 1, epoch, copy: None };
        }
        if !fine {
            line.l2[who.die] = self.l2_epoch[who.die];
        }
    }

    /// What a load of a line that has been written gets.
    #[allow(clippy::too_many_arguments)]
    pub fn load_hot(
        &mut self,
        line: &Line,
        address: u64,
        place: u64,
        who: Who,
        scope: Scope,
        fine: bool,
        rng: &mut Rng,
    ) -> Bytes {
        let at = line.hot as usize - 1;
        let coherent = fine || self.dies == 1;
        if scope.past_l1 {
            let mut out = memory(address);
            overlay(&mut out, &self.hot[at].dirty[who.die]);
            return out;
        }
        let number = address / LINE;
        let l1 = self.l1[unit(who.cu)].get_or_insert_with(|| Box::new(L1::new()));
        let epoch = l1.epoch;
        let e = l1.entry(place);
        if e.tag == number + 1 && e.epoch == epoch && !rng.one_in(64) {
            return e.copy.as_deref().copied().unwrap_or(self.hot[at].initial);
        }
        let out = if coherent { memory(address) } else { self.l2_view(at, line, address, who.die, rng) };
        let l1 = self.l1[unit(who.cu)].get_or_insert_with(|| Box::new(L1::new()));
        *l1.entry(place) = Entry { tag: number + 1, epoch, copy: Some(Box::new(out)) };
        out
    }

    fn l2_view(&mut self, at: usize, line: &Line, address: u64, die: usize, rng: &mut Rng) -> Bytes {
        let epoch = self.l2_epoch[die];
        let hot = &mut self.hot[at];
        let kept = match &hot.l2[die] {
            Some((e, copy)) if *e == epoch => Some(**copy),
            Some(_) => None,
            None if line.l2[die] == epoch => Some(hot.initial),
            None => None,
        };
        let base = match kept {
            Some(copy) if !rng.one_in(128) => copy,
            _ => memory(address),
        };
        hot.l2[die] = Some((epoch, Box::new(base)));
        let mut out = base;
        overlay(&mut out, &hot.dirty[die]);
        out
    }

    /// Makes sure that a line is known as written.
    fn heat(&mut self, line: &mut Line, address: u64) -> usize {
        if line.hot == 0 {
            self.hot.push(Hot { address, initial: memory(address), l2: Default::default(), dirty: Default::default() });
            line.hot = self.hot.len() as u32;
        }
        line.hot as usize - 1
    }

    /// Performs a store of bytes within a line.
    #[allow(clippy::too_many_arguments)]
    fn perform(&mut self, line: &mut Line, address: u64, place: u64, data: &[u8], who: Who, agent: bool, fine: bool) {
        let base = address / LINE * LINE;
        let at = self.heat(line, base);
        let offset = (address - base) as usize;
        let number = base / LINE;
        // The compute unit's own L1 is written through.
        let initial = self.hot[at].initial;
        if let Some(l1) = &mut self.l1[unit(who.cu)] {
            let epoch = l1.epoch;
            let e = l1.entry(place);
            if e.tag == number + 1 && e.epoch == epoch {
                e.copy.get_or_insert_with(|| Box::new(initial))[offset..offset + data.len()].copy_from_slice(data);
            }
        }
        let epoch = self.l2_epoch[who.die];
        let cold = line.l2[who.die] == epoch;
        let hot = &mut self.hot[at];
        if hot.l2[who.die].is_none() && cold {
            hot.l2[who.die] = Some((epoch, Box::new(initial)));
        }
        let mask = ((1u128 << (data.len() - 1) << 1).wrapping_sub(1)) << offset;
        if agent || fine || self.dies == 1 {
            store(address, data);
            if let Some((_, copy)) = &mut hot.l2[who.die] {
                copy[offset..offset + data.len()].copy_from_slice(data);
            }
            if let Some(d) = &mut hot.dirty[who.die] {
                d.mask &= !mask;
            }
            return;
        }
        if hot.dirty[who.die].is_none() {
            self.dirty.push((at as u32, who.die as u8));
        }
        let d = hot.dirty[who.die].get_or_insert_with(|| Box::new(Dirty { data: [0; LINE as usize], mask: 0 }));
        d.data[offset..offset + data.len()].copy_from_slice(data);
        d.mask |= mask;
    }

    /// What has been stored to bytes of a line for a die to see: what its L2 keeps dirty, else what memory holds.
    pub fn stored_by_die(&self, line: &Line, address: u64, n: usize, die: usize) -> Vec<u8> {
        let offset = (address % LINE) as usize;
        let mut out = memory(address - offset as u64)[offset..][..n.min(LINE as usize - offset)].to_vec();
        let hot = (line.hot as usize).checked_sub(1).and_then(|at| self.hot.get(at));
        if let Some(dirty) = hot.and_then(|h| h.dirty[die].as_ref()) {
            for (i, byte) in out.iter_mut().enumerate().filter(|(i, _)| dirty.mask >> (offset + i) & 1 == 1) {
                *byte = dirty.data[offset + i];
            }
        }
        out
    }

    /// Issues a store. `data` may lie over several lines.
    #[allow(clippy::too_many_arguments)]
    pub fn issue(
        &mut self,
        shadow: &mut Shadow,
        address: u64,
        data: &[u8],
        who: Who,
        agent: bool,
        sent: Sent,
        at: u32,
        pairs: bool,
        rng: &mut Rng,
    ) {
        // Two aligned dwords of a lane's store are seen together: 64-bit atomic stores are no more than that.
        let atom = if pairs && (address.is_multiple_of(8) || data.len() == 4) { 8 } else { 4u64 };
        // Cut where lines end, and sometimes smaller: what a wave stores at once need not be seen at once.
        let grain = match rng.below(8) {
            0 | 1 => atom,
            2 => 16,
            3 => 64,
            _ => LINE,
        };
        let mut pieces = Vec::new();
        let mut from = 0u64;
        let len = data.len() as u64;
        while from < len {
            let next = ((address + from) / grain + 1) * grain - address;
            let to = next.min(len);
            pieces.push((address + from, (to - from) as u32, from as u32));
            from = to;
        }
        // A lane's store joins those of the other lanes of its instruction.
        if let Some(p) = self.pending.last_mut()
            && p.who.wave == who.wave
            && p.at == at
            && !p.writeback
            && p.agent == agent
            && p.sent == sent
        {
            // Of lanes that write one address the last wins.
            let holds = |(a, n, _): &&(u64, u32, u32)| *a <= address && address + len <= *a + u64::from(*n);
            if let Some((a, _, d)) = p.pieces.iter().find(holds) {
                let d = *d as usize + (address - a) as usize;
                p.data[d..d + data.len()].copy_from_slice(data);
                return;
            }
            let shift = p.data.len() as u32;
            let overlaps = p.pieces.iter().any(|(a, n, _)| *a < address + len && address < a + u64::from(*n));
            if !overlaps {
                // The second dword of a pair.
                if atom == 8
                    && data.len() == 4
                    && address % 8 == 4
                    && let Some((before, 4, _)) = p.pieces.last().copied()
                    && before + 4 == address
                    && let Some((_, n, _)) = p.pieces.last_mut()
                {
                    *n = 8;
                    pieces.clear();
                }
                p.pieces.extend(pieces.into_iter().map(|(a, n, d)| (a, n, d + shift)));
                p.data.extend_from_slice(data);
                p.from = p.from.min(address);
                p.to = p.to.max(address + len);
                return;
            }
        }
        // Of lanes that write one address the last wins, and of waves that share an L1: nothing older may come after.
        self.flush_place(shadow, |p| p.who.group == who.group, address, address + len);
        self.pending.push(Pending {
            who,
            at,
            agent,
            sent,
            pieces,
            data: data.to_vec(),
            from: address,
            to: address + len,
            atom,
            patience: if rng.one_in(4) { 8 << rng.below(6) } else { 0 },
            writeback: false,
        });
    }

    /// Issues a write-back of the die's L2.
    pub fn issue_writeback(&mut self, shadow: &mut Shadow, who: Who, at: u32) {
        // It follows what the wave has stored to the L2.
        self.flush(shadow, |p| p.who.wave == who.wave && !p.agent);
        let none = Vec::new();
        self.pending.push(Pending {
            who,
            at,
            agent: true,
            sent: Sent::default(),
            pieces: Vec::new(),
            data: none,
            from: 0,
            to: 0,
            atom: 4,
            patience: 0,
            writeback: true,
        });
    }

    /// A wave's load or atomic sees the stores of its workgroup.
    pub fn flush_overlap(&mut self, shadow: &mut Shadow, who: Who, from: u64, to: u64) {
        self.flush_place(shadow, |p| p.who.group == who.group, from, to);
    }

    /// Performs the stores of some waves to a place, and what must come before those: each wave's older stores to what
    /// they write. Stores to other places stay under way.
    fn flush_place(&mut self, shadow: &mut Shadow, whose: impl Fn(&Pending) -> bool, from: u64, to: u64) {
        if !self.pending.iter().any(|p| whose(p) && p.from < to && from < p.to) {
            return;
        }
        let mut due = vec![false; self.pending.len()];
        for i in (0..self.pending.len()).rev() {
            let p = &self.pending[i];
            let here = whose(p) && p.from < to && from < p.to;
            let before =
                |(k, q): (usize, &Pending)| due[k] && q.who.wave == p.who.wave && q.from < p.to && p.from < q.to;
            due[i] = here || self.pending.iter().enumerate().skip(i + 1).any(before);
        }
        let mut at = due.into_iter();
        self.flush(shadow, |_| at.next().unwrap_or(false));
    }

    /// Performs what a wave knows its workgroup to have issued.
    pub fn flush_known(&mut self, shadow: &mut Shadow, who: Who, seen: &Vc) {
        if self.pending.iter().any(|p| p.who.group == who.group && p.who.wave != who.wave) {
            self.flush(shadow, |p| {
                p.who.group == who.group
                    && p.who.wave != who.wave
                    && seen.of(p.who.wave).is_some_and(|k| k.issued >= p.at)
            });
        }
    }

    /// Performs everything that a workgroup has issued.
    pub fn flush_group(&mut self, shadow: &mut Shadow, group: u32) {
        if !self.pending.is_empty() {
            self.flush(shadow, |p| p.who.group == group);
        }
    }

    /// Performs what a wave has issued up to a count.
    pub fn complete(&mut self, shadow: &mut Shadow, wave: u32, upto: u32) {
        if !self.pending.is_empty() {
            self.flush(shadow, |p| p.who.wave == wave && p.at <= upto);
        }
    }

    fn flush(&mut self, shadow: &mut Shadow, mut which: impl FnMut(&Pending) -> bool) {
        let mut i = 0;
        while i < self.pending.len() {
            if which(&self.pending[i]) {
                let p = self.pending.remove(i);
                self.finish(shadow, p);
            } else {
                i += 1;
            }
        }
    }

    fn finish(&mut self, shadow: &mut Shadow, p: Pending) {
        if p.writeback {
            self.write_back(p.who.die);
            return;
        }
        for (address, n, at) in &p.pieces {
            let data = &p.data[*at as usize..(*at + *n) as usize];
            self.one(shadow, *address, data, p.who, p.agent, p.sent);
        }
    }

    fn one(&mut self, shadow: &mut Shadow, address: u64, data: &[u8], who: Who, agent: bool, sent: Sent) {
        let Some(region) = shadow.region(address) else { return };
        let (fine, place) = (region.fine(), region.place(address));
        let page = region.page(address);
        // A piece lies within a line.
        let mut line = *page.line(address);
        self.perform(&mut line, address, place, data, who, agent, fine);
        *page.line(address) = line;
        if sent.wave != 0 {
            let (from, to) = (Page::dword(address), Page::dword(address + data.len() as u64 - 1));
            page.messages.get_or_insert_with(Page::sent)[from..=to].fill(sent);
        }
    }

    /// Writes everything dirty in a die's L2 back.
    fn write_back(&mut self, die: usize) {
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.retain(|(at, d)| {
            if usize::from(*d) != die {
                return true;
            }
            self.write_back_line(*at as usize, die);
            false
        });
        self.dirty = dirty;
    }

    fn write_back_line(&mut self, at: usize, die: usize) {
        let hot = &mut self.hot[at];
        let Some(d) = hot.dirty[die].take() else { return };
        for i in 0..LINE as usize {
            if d.mask >> i & 1 == 1 {
                if i % 4 == 0 && d.mask >> i & 15 == 15 {
                    store(hot.address + i as u64, &d.data[i..i + 4]);
                } else if d.mask >> (i / 4 * 4) & 15 != 15 {
                    store(hot.address + i as u64, &d.data[i..i + 1]);
                }
                if let Some((_, copy)) = &mut hot.l2[die] {
                    copy[i] = d.data[i];
                }
            }
        }
    }

    /// Invalidates the L1 of a compute unit and what its die's L2 holds of memory that others write.
    pub fn invalidate(&mut self, who: Who) {
        if let Some(l1) = &mut self.l1[unit(who.cu)] {
            l1.epoch += 1;
        }
        self.l2_epoch[who.die] += 1;
    }

    /// Invalidates a compute unit's scalar cache.
    pub fn invalidate_scalar(&mut self, who: Who) {
        if let Some(l1) = &mut self.l1[unit(who.cu | 1 << 31)] {
            l1.epoch += 1;
        }
    }

    /// Before a read-modify-write where all agree: what the die holds dirty of the line goes first, and no cache of its
    /// own keeps the line.
    pub fn before_atomic(&mut self, shadow: &mut Shadow, address: u64, who: Who) {
        let Some(region) = shadow.region(address) else { return };
        let base = address / LINE * LINE;
        let place = region.place(address);
        let line = region.page(address).line(address);
        let at = self.heat(line, base);
        self.write_back_line(at, who.die);
        self.dirty.retain(|(a, d)| *a as usize != at || usize::from(*d) != who.die);
        // Not "never loaded", which would be what `None` says of a line loaded before it was written.
        self.hot[at].l2[who.die] = Some((0, Box::new([0; LINE as usize])));
        let number = base / LINE;
        if let Some(l1) = &mut self.l1[unit(who.cu)] {
            let e = l1.entry(place);
            if e.tag == number + 1 {
                *e = Entry::default();
            }
        }
    }

    /// Something happens by chance: a piece of a store is performed, a dirty line written back.
    pub fn chance(&mut self, shadow: &mut Shadow, rng: &mut Rng) {
        if !self.pending.is_empty() {
            let i = rng.below(self.pending.len());
            let (wave, from, to) = (self.pending[i].who.wave, self.pending[i].from, self.pending[i].to);
            // In order with the wave's older stores to the same place. What a write-back writes is in the L2 already.
            let held = self.pending[..i].iter().any(|p| p.who.wave == wave && p.from < to && from < p.to);
            let patience = &mut self.pending[i].patience;
            if *patience > 0 {
                *patience -= 1;
            } else if !held {
                self.some(shadow, i, rng);
            }
        }
        if !self.dirty.is_empty() && rng.one_in(32) {
            let i = rng.below(self.dirty.len());
            let (at, die) = self.dirty.swap_remove(i);
            self.write_back_line(at as usize, usize::from(die));
        }
    }

    /// Performs some pieces of a store, or all.
    fn some(&mut self, shadow: &mut Shadow, i: usize, rng: &mut Rng) {
        let mut p = self.pending.remove(i);
        let n = p.pieces.len();
        let way = if n <= 1 { 0 } else { rng.below(4) };
        let kept = rng.below(n.max(1));
        let (step, rest) = if rng.one_in(2) { (2, rng.below(2) as u64) } else { (4, rng.below(4) as u64) };
        let pieces = std::mem::take(&mut p.pieces);
        for (k, piece) in pieces.into_iter().enumerate() {
            let now = match way {
                0 => true,
                // One alone, all but one, or one dword of every lane that stores two or four.
                1 => k == kept,
                2 => k != kept,
                _ => piece.0 / p.atom % step == rest,
            };
            if now {
                let data = &p.data[piece.2 as usize..(piece.2 + piece.1) as usize];
                self.one(shadow, piece.0, data, p.who, p.agent, p.sent);
            } else {
                p.pieces.push(piece);
            }
        }
        if p.writeback {
            self.write_back(p.who.die);
        } else if !p.pieces.is_empty() {
            self.pending.insert(i, p);
        }
    }

    /// The end of the dispatch: everything reaches memory.
    pub fn settle(&mut self, shadow: &mut Shadow) {
        self.flush(shadow, |_| true);
        for die in 0..self.dies {
            self.write_back(die);
        }
    }
}

fn overlay(out: &mut Bytes, dirty: &Option<Box<Dirty>>) {
    let Some(d) = dirty else { return };
    for (i, b) in out.iter_mut().enumerate() {
        if d.mask >> i & 1 == 1 {
            *b = d.data[i];
        }
    }
}

//! What is remembered of device memory: for every dword who touched it last, for every line which caches may hold it.
//!
//! Pages are made when they are first touched, so a kernel pays for the memory it uses.

use super::clocks::Sent;
use crate::memory::{Allocation, Kind, Map};
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of a cache line.
pub(crate) const LINE: u64 = 128;
const PAGE: u64 = 4096;
const DWORDS: usize = (PAGE / 4) as usize;
const LINE_DWORDS: usize = (LINE / 4) as usize;
/// Most dies of a part.
pub(crate) const DIES: usize = 8;

/// Who touched a dword, when, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Wave of the dispatch, from 1; 0 is nobody.
    pub wave: u32,
    /// The wave's count of vector memory operations.
    pub at: u32,
    /// The instruction.
    pub number: u32,
    /// Bytes of the dword.
    pub bytes: u8,
    /// Whether all dies agree on it.
    pub agent: bool,
    /// Whether waves of the workgroup may do it at the same time.
    pub group: bool,
}

/// Where a line may be cached, and who read all of it last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    /// The reader of every dword, unless they are told apart.
    pub read: Stamp,
    /// Whether they are, in [`Page::reads`].
    pub split: bool,
    /// Number of the line among those written during the dispatch, plus one; 0 is none.
    pub hot: u32,
    /// By die: the epoch of its L2 in which it was loaded.
    pub l2: [u32; DIES],
}

pub(crate) struct Page {
    /// By dword, the last writer; made when the page is first written.
    pub writes: Option<Box<[Stamp]>>,
    /// By dword, a reader, of lines that are split.
    reads: Option<Box<[Stamp]>>,
    /// By dword, or behind them by line where it is not split: the other readers, sorted by wave.
    others: Option<Box<[Vec<Stamp>]>>,
    pub lines: [Line; (PAGE / LINE) as usize],
    /// By dword: bytes that nothing has written.
    pub undefined: Option<Box<[u8]>>,
    /// By dword: what is found with its value.
    pub messages: Option<Box<[Sent]>>,
}

/// One allocation.
pub(crate) struct Region {
    pub base: u64,
    /// Bytes asked for.
    pub size: u64,
    pub mapped: u64,
    pub kind: Kind,
    pages: Vec<Option<Box<Page>>>,
    // Tells the allocation from a later one at the same address.
    allocation: Arc<Allocation>,
    unwritten: Vec<(u64, u64)>,
}

impl Region {
    /// The page of an address in the region.
    #[inline]
    pub fn page(&mut self, address: u64) -> &mut Page {
        let at = ((address - self.base) / PAGE) as usize;
        if self.pages[at].is_none() {
            self.make(at);
        }
        match &mut self.pages[at] {
            Some(p) => p,
            None => unreachable!("made above"),
        }
    }

    #[cold]
    fn make(&mut self, at: usize) {
        let start = self.base + at as u64 * PAGE;
        let undefined = self.unwritten.iter().any(|(a, n)| *a < start + PAGE && start < a + n).then(|| {
            (0..DWORDS as u64)
                .map(|i| {
                    let dword = start + 4 * i;
                    (0..4)
                        .filter(|b| self.unwritten.iter().any(|(a, n)| dword + b >= *a && dword + b < a + n))
                        .fold(0, |mask, b| mask | 1 << b)
                })
                .collect()
        });
        self.pages[at] = Some(Box::new(Page {
            writes: None,
            reads: None,
            others: None,
            lines: [Line::default(); (PAGE / LINE) as usize],
            undefined,
            messages: None,
        }));
    }

    /// Where a cache puts a line: by what the same program finds in every process, so that a seed's run can be had again.
    #[inline]
    pub fn place(&self, address: u64) -> u64 {
        address.wrapping_sub(self.base) / LINE + self.mapped / PAGE * 37
    }

    /// Whether caches keep it coherent by themselves, because others than the device's dies write it.
    pub fn fine(&self) -> bool {
        matches!(
            self.kind,
            Kind::HostFine
                | Kind::HostCoarse
                | Kind::DeviceFine
                | Kind::Uncached
                | Kind::Kernarg
                | Kind::Registered
                | Kind::Runtime
        )
    }
}

impl Page {
    /// The index of a dword.
    #[inline]
    pub fn dword(address: u64) -> usize {
        (address % PAGE / 4) as usize
    }
    /// Dwords of a page, each with a stamp.
    pub fn stamps() -> Box<[Stamp]> {
        vec![Stamp::default(); DWORDS].into()
    }

    /// Bytes of a page's dwords, all zero.
    pub fn bytes() -> Box<[u8]> {
        vec![0; DWORDS].into()
    }

    /// What is found with a page's dwords: nothing.
    pub fn sent() -> Box<[Sent]> {
        vec![Sent::default(); DWORDS].into()
    }

    /// Who read a dword: one, and the others.
    #[inline]
    pub fn readers(&self, dword: usize) -> (Stamp, &[Stamp]) {
        let line = dword / LINE_DWORDS;
        let (one, key) = match &self.reads {
            Some(reads) if self.lines[line].split => (reads[dword], dword),
            _ => (self.lines[line].read, DWORDS + line),
        };
        (one, self.others.as_ref().map_or(&[], |o| &o[key]))
    }

    /// A read of a whole line. `before` says whether another reader's read is known to be over: one that is makes room.
    #[inline]
    pub fn read_line(&mut self, line: usize, stamp: Stamp, room: &mut Room, before: impl Fn(&Stamp) -> bool) {
        let l = &mut self.lines[line];
        if l.split {
            for dword in line * LINE_DWORDS..(line + 1) * LINE_DWORDS {
                self.read_dword(dword, stamp, room, &before);
            }
            return;
        }
        // The newest is at hand: who polls reads again and again.
        let old = core::mem::replace(&mut l.read, stamp);
        if old.wave != 0 && old.wave != stamp.wave && !before(&old) {
            add(&mut self.others, DWORDS + line, old, room);
        }
    }

    /// A read of a dword, or of some bytes of it.
    #[inline]
    pub fn read_dword(&mut self, dword: usize, stamp: Stamp, room: &mut Room, before: impl Fn(&Stamp) -> bool) {
        let line = dword / LINE_DWORDS;
        let l = &mut self.lines[line];
        let reads = self.reads.get_or_insert_with(Page::stamps);
        if !l.split {
            l.split = true;
            let first = line * LINE_DWORDS;
            reads[first..first + LINE_DWORDS].fill(l.read);
            let all = self.others.as_mut().map(|o| core::mem::take(&mut o[DWORDS + line])).unwrap_or_default();
            room.0 += all.len();
            for d in first..first + LINE_DWORDS {
                for s in &all {
                    add(&mut self.others, d, *s, room);
                }
            }
        }
        let old = core::mem::replace(&mut reads[dword], stamp);
        if old.wave == 0 || old.wave == stamp.wave && old.bytes & !stamp.bytes == 0 || before(&old) {
            return;
        }
        add(&mut self.others, dword, old, room);
    }

    /// A dword is written in full: who comes later and is ordered with the writer is ordered with those who read it
    /// before, and who is not is told about the writer.
    #[inline]
    pub fn forget_readers(&mut self, dword: usize, room: &mut Room) {
        if !self.lines[dword / LINE_DWORDS].split {
            return;
        }
        if let Some(reads) = &mut self.reads {
            reads[dword] = Stamp::default();
        }
        if let Some(others) = &mut self.others {
            room.0 += others[dword].len();
            others[dword].clear();
        }
    }

    /// The line of an address.
    #[inline]
    pub fn line(&mut self, address: u64) -> &mut Line {
        &mut self.lines[(address % PAGE / LINE) as usize]
    }
}

/// How many more readers may be remembered besides one a dword or line.
pub(crate) struct Room(pub usize);

/// Readers that are remembered at most: 64 MiB of them.
pub(crate) const READERS: usize = 4 << 20;

/// Adds a reader to those of a key. Without room it takes the place of another.
fn add(others: &mut Option<Box<[Vec<Stamp>]>>, key: usize, stamp: Stamp, room: &mut Room) {
    let others = others.get_or_insert_with(|| vec![Vec::new(); DWORDS + DWORDS / LINE_DWORDS].into());
    let all = &mut others[key];
    if room.0 == 0 {
        if !all.is_empty() {
            let place = stamp.at as usize % all.len();
            all[place] = stamp;
            all.sort_unstable_by_key(|s| s.wave);
            all.dedup_by_key(|s| s.wave);
        }
        return;
    }
    match all.binary_search_by_key(&stamp.wave, |s| s.wave) {
        Ok(i) => {
            // Bytes that it read earlier count as read now: a wave's own reads are in order.
            let bytes = all[i].bytes | stamp.bytes;
            all[i] = Stamp { bytes, ..stamp };
        }
        Err(i) => {
            all.insert(i, stamp);
            room.0 -= 1;
        }
    }
}

/// All regions.
#[derive(Default)]
pub(crate) struct Shadow {
    regions: Vec<Region>,
    last: usize,
    pub generation: u64,
    unwritten: Vec<(u64, u64)>,
}

impl Shadow {
    pub fn new(unwritten: Vec<(u64, u64)>) -> Shadow {
        Shadow { unwritten, ..Shadow::default() }
    }

    /// Takes in allocations that have come and gone. They are known by where their bytes are in this process, so that
    /// two addresses of the same memory are one place.
    pub fn refresh(&mut self, map: &Map) {
        let mut old: HashMap<*const Allocation, Region> =
            std::mem::take(&mut self.regions).into_iter().map(|r| (Arc::as_ptr(&r.allocation), r)).collect();
        let mut all: Vec<&Arc<Allocation>> = map.allocations().iter().collect();
        all.sort_by_key(|a| a.host());
        for a in all {
            let (base, size, mapped) = (a.host(), a.size() as u64, a.mapped() as u64);
            if self.regions.last().is_some_and(|r| r.base + r.mapped > base) {
                continue;
            }
            if let Some(region) = old.remove(&Arc::as_ptr(a)) {
                self.regions.push(region);
                continue;
            }
            let mut unwritten: Vec<(u64, u64)> =
                self.unwritten.iter().filter(|(p, _)| *p >= base && *p < base + size).copied().collect();
            if a.kind() == Kind::Scratch {
                unwritten.push((base, size));
            }
            // A page may begin before the allocation's first one where it is not aligned, as registered memory is not.
            let pages = (mapped / PAGE + 2) as usize;
            self.regions.push(Region {
                base: base / PAGE * PAGE,
                size: size + base % PAGE,
                mapped: mapped + base % PAGE,
                kind: a.kind(),
                pages: std::iter::repeat_with(|| None).take(pages).collect(),
                allocation: a.clone(),
                unwritten,
            });
        }
        self.last = 0;
        self.generation = map.generation();
    }

    /// The region that holds an address.
    #[inline]
    pub fn region(&mut self, address: u64) -> Option<&mut Region> {
        let hit = self.regions.get(self.last).is_some_and(|r| address.wrapping_sub(r.base) < r.mapped);
        if !hit {
            let after = self.regions.partition_point(|r| r.base <= address);
            let at = after.checked_sub(1)?;
            if address - self.regions[at].base >= self.regions[at].mapped {
                return None;
            }
            self.last = at;
        }
        self.regions.get_mut(self.last)
    }
}

//! Caches, fabric and memory: when an access is done.
//!
//! Everything that can be busy (an L2 channel, an XCD's fabric port, a slice of the Infinity Cache, a channel of HBM)
//! has its turns reserved. An access walks down the hierarchy when it is issued, takes its turn at each, and so knows at
//! once when it will be done: latency under load, and with it bandwidth by loads in flight, come out of
//! queueing and are nowhere put in. Latencies of HBM and the fabric are nanoseconds: their clocks are not the core's.

use super::address::{PIECE, Place, Touched};
use super::cache::{Cache, Found, mix, spread};
use super::elsewhere::Elsewhere;
use super::parts::Machine;
use super::turns::Turns;
use core::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;
use wavesmith_asm::Sku;

/// How an access is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// `sc1`: device scope, past L1 and L2 where there are several of them.
    pub device: bool,
    /// A store.
    pub store: bool,
    /// An atomic.
    pub atomic: bool,
}

/// One accelerator die.
#[derive(Debug, Clone)]
struct Xcd {
    l2: Cache,
    channels: Vec<Turns>,
    fabric: Turns,
    tlb: Vec<u64>,
}

/// A compute unit's vector memory path.
#[derive(Debug, Clone)]
struct Path {
    l1: Cache,
    /// When address processing is free.
    free: f64,
    /// Starts of the last instructions: as many as wait.
    waiting: Vec<f64>,
    /// When each of the misses in flight is back, as the bits of the time, for each set of L1: a miss takes a line there
    /// when it is asked for, so that no more are under way than a set has lines.
    misses: Vec<BinaryHeap<Reverse<u64>>>,
}

/// Traffic and hits, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Lines looked for in L1, and found.
    pub l1: [u64; 2],
    /// Lines looked for in L2, and found.
    pub l2: [u64; 2],
    /// Lines looked for in the Infinity Cache, and found.
    pub mall: [u64; 2],
    /// Bytes read from HBM.
    pub hbm_read: u64,
    /// Bytes written to HBM.
    pub hbm_written: u64,
    /// Bytes loaded and stored by lanes.
    pub lanes: u64,
    /// Atomics, in lines.
    pub atomics: u64,
    /// Cycles that address processing was busy, all compute units together.
    pub path_busy: f64,
    /// Misses of the second-level TLB.
    pub tlb: u64,
    /// Cycles that misses of L2 waited, together, for lines that other dies had asked for and that were under way: what a
    /// die saves by coming later.
    pub under_way: f64,
}

/// The device's memory system.
#[derive(Debug)]
pub struct Hierarchy {
    m: Machine,
    paths: Vec<Path>,
    scalar: Vec<(Cache, f64)>,
    code: Vec<Cache>,
    xcds: Vec<Xcd>,
    mall: Cache,
    /// What the fabric passes at once, of all dies together.
    ways: Vec<Turns>,
    slices: Vec<Turns>,
    hbm: Vec<Turns>,
    /// When the links to the host and to each peer are free.
    links: Vec<f64>,
    atomics: HashMap<u64, (f64, u32)>,
    cus_per_xcd: u32,
    /// Core cycles of a nanosecond.
    pub ghz: f64,
    /// Device traffic that each simulated access to the fabric stands for.
    pub weight: f64,
    /// Dies that are not simulated and do as the first does, each through a port of its own.
    others: Vec<Turns>,
    /// Where they do it, for the workgroup whose access comes next.
    pub elsewhere: Rc<Elsewhere>,
    /// Part of the lines that launches before this one left in the Infinity Cache.
    pub left: f64,
    /// What was seen.
    pub traffic: Traffic,
    line_shift: u32,
    several: bool,
}

const SLICES: f64 = 128.0;
/// Ways through the fabric: enough that none of them is busy long with a line.
const WAYS: f64 = 32.0;

/// The slice of the Infinity Cache that has a line: neighbours lie in different ones, blocks of them in any order.
fn slice(line: u64, slices: usize) -> usize {
    (line ^ mix(line / slices as u64)) as usize % slices
}

impl Hierarchy {
    /// Cold caches of a part of which `simulated` dies are simulated, and, if `others` are to do as the first does, those.
    pub fn new(sku: &Sku, m: Machine, simulated: u32, others: bool, ghz: f64) -> Hierarchy {
        let simulated = simulated.min(sku.xcds);
        let served = if others { sku.xcds } else { simulated };
        let cus_per_xcd = sku.cus_per_xcd();
        let cus = (simulated * cus_per_xcd) as usize;
        let line = m.l2_line as u64;
        let path = Path {
            l1: Cache::new((m.l1_kib * 1024.0) as u64, 1 << PIECE),
            free: 0.0,
            waiting: Vec::new(),
            misses: vec![BinaryHeap::new(); ((m.l1_kib * 1024.0 / m.l1_line / m.l1_ways) as usize).max(1)],
        };
        let xcd = Xcd {
            l2: Cache::new(u64::from(sku.l2_bytes), line),
            channels: vec![Turns::default(); m.l2_channels as usize],
            fabric: Turns::default(),
            tlb: vec![0; m.tlb_entries as usize],
        };
        // One die of several sees its part of what the Infinity Cache holds.
        let mall = (m.mall_mib * 1048576.0) as u64 * u64::from(served) / u64::from(sku.xcds);
        // And of slices and channels: all of them, each slower, would make it wait longer than all dies wait for all.
        let weight = f64::from(sku.xcds) / f64::from(served);
        let part = |all: f64| vec![Turns::default(); (all / weight).round().max(1.0) as usize];
        Hierarchy {
            paths: vec![path; cus],
            scalar: vec![(Cache::new((m.scalar_kib * 1024.0) as u64, 64), 0.0); cus.div_ceil(2)],
            code: vec![Cache::new((m.icache_kib * 1024.0) as u64, m.icache_line as u64); cus.div_ceil(2)],
            xcds: vec![xcd; simulated as usize],
            mall: Cache::new(mall, line),
            ways: part(WAYS),
            slices: part(SLICES),
            hbm: part(m.hbm_channels),
            links: Vec::new(),
            atomics: HashMap::new(),
            cus_per_xcd,
            ghz,
            weight,
            others: vec![Turns::default(); (served - simulated) as usize],
            elsewhere: Rc::default(),
            left: 0.0,
            traffic: Traffic::default(),
            line_shift: line.trailing_zeros(),
            several: sku.xcds > 1,
            m,
        }
    }

    /// Whether no die but those that are simulated asks for anything.
    pub fn is_alone(&self) -> bool {
        self.others.is_empty()
    }

    /// Bits of an address below a line of L2.
    pub fn line_shift(&self) -> u32 {
        self.line_shift
    }

    /// When a compute unit may issue its next vector memory instruction.
    pub fn may_issue(&self, cu: u32) -> u64 {
        let q = &self.paths[cu as usize].waiting;
        let depth = self.m.vmem_queue as usize;
        if q.len() < depth { 0 } else { q[q.len() - depth] as u64 }
    }

    /// A vector memory access of a compute unit: when its data is there, or when it is known to be done.
    pub fn vector(&mut self, t: u64, cu: u32, touched: &Touched, way: Way) -> u64 {
        let bytes = f64::from(touched.bytes);
        self.traffic.lanes += u64::from(touched.bytes);
        let path = &mut self.paths[cu as usize];
        let start = (t as f64).max(path.free);
        // Sixteen lanes a clock, a line a clock: lanes of another sixteen look for the same line again.
        let busy = self.m.ta_cycles.max(bytes / self.m.l1_bytes).max(f64::from(touched.looks));
        path.free = start + busy;
        self.traffic.path_busy += busy;
        if path.waiting.len() >= self.m.vmem_queue as usize {
            path.waiting.remove(0);
        }
        path.waiting.push(start);
        let mut done = start + self.m.l1_latency;
        if let Some(place) = touched.place {
            return self.remote(start, bytes, place).ceil() as u64;
        }
        let xcd = cu / self.cus_per_xcd;
        for (line, _) in &touched.lines {
            self.xcds[xcd as usize].l2.ask(*line);
            self.mall.ask(*line);
        }
        let mut at = start - 1.0;
        let mut fills = 0;
        for (line, pieces) in &touched.lines {
            at += 1.0;
            let end = if way.atomic {
                let part = touched.bytes as f64 / touched.lines.len().max(1) as f64;
                self.atomic(at, xcd, *line, part)
            } else if way.store {
                let part = touched.bytes as u64 / touched.lines.len().max(1) as u64;
                self.store(at, cu, *line, part, way)
            } else {
                // The lines behind one that waits for a place wait too.
                let (from, end, pieces) = self.load(at, cu, *line, *pieces, way);
                at = from;
                fills += pieces;
                end
            };
            done = done.max(end);
        }
        // What L2 sends goes into L1's memory first, in a cycle that takes from those in which data goes out to lanes.
        let path = &mut self.paths[cu as usize];
        let fills = self.m.l1_fill * f64::from(fills << PIECE) / self.m.l1_line;
        path.free = path.free.max(at) + fills;
        self.traffic.path_busy += fills;
        // A load of one dword a lane is what latencies were measured with; more data takes longer to go out.
        (done + busy - self.m.ta_cycles).ceil() as u64
    }

    /// A read of pieces of a line: when it got its place in L1, when it is there, and how many pieces L2 was asked for.
    fn load(&mut self, t: f64, cu: u32, line: u64, pieces: u8, way: Way) -> (f64, f64, u32) {
        let xcd = cu / self.cus_per_xcd;
        let past = way.device && self.several;
        // A line that atomics are at is read after those that came before.
        let busy = if past && !self.atomics.is_empty() { self.atomics.get(&line).map_or(0.0, |a| a.0) } else { 0.0 };
        let path = &mut self.paths[cu as usize];
        let first_piece = line << (self.line_shift - PIECE);
        let mut from = t;
        // What is there or under way is not asked for again; the rest of a line is, by a request of its own.
        let mut missing = pieces;
        if !way.device {
            self.traffic.l1[0] += 1;
            let mut there = t;
            for piece in (0..2).filter(|p| pieces >> p & 1 != 0) {
                if let Found::Hit(ready, _) = path.l1.look(first_piece + piece) {
                    there = there.max(ready as f64);
                    missing &= !(1 << piece);
                }
            }
            if missing == 0 {
                self.traffic.l1[1] += 1;
                return (t, (t + self.m.l1_latency).max(there), 0);
            }
        }
        // A miss takes its line at once; where all of the set are under way, when the first of them is back.
        let l1_line = line << self.line_shift >> (self.m.l1_line as u64).trailing_zeros();
        let set = spread(l1_line, path.misses.len() as u64);
        // Where lines of L1 are halves of L2's, a request for a whole one takes two.
        let taken = (missing.count_ones() << PIECE).div_ceil(self.m.l1_line as u32) as usize;
        while path.misses[set].len() + taken > self.m.l1_ways as usize
            && let Some(Reverse(first)) = path.misses[set].pop()
        {
            from = from.max(f64::from_bits(first));
        }
        let done = if past {
            let back = self.m.mall_ns.max(self.m.atomic_cross_ns) * self.ghz / 2.0;
            self.with_others(from, xcd, line).max(busy + back)
        } else {
            self.l2(from, xcd, line, f64::from(missing.count_ones() << PIECE))
        };
        let path = &mut self.paths[cu as usize];
        path.misses[set].extend(core::iter::repeat_n(Reverse(done.to_bits()), taken));
        if !way.device {
            for piece in (0..2).filter(|p| missing >> p & 1 != 0) {
                path.l1.comes(first_piece + piece, done as u64);
            }
        }
        (from, done, missing.count_ones())
    }

    /// A read of so many bytes of a line through an XCD's L2: when the data is there.
    fn l2(&mut self, t: f64, xcd: u32, line: u64, bytes: f64) -> f64 {
        let m = &self.m;
        let x = &mut self.xcds[xcd as usize];
        // The way to L2 is about half of its latency.
        let to = m.l2_latency / 2.0;
        let channel = spread(line ^ 0x2545, x.channels.len() as u64);
        let begin = x.channels[channel].take(t + to, bytes / m.l2_channel_bytes);
        let page = line << self.line_shift >> 12;
        let slot = (page % x.tlb.len() as u64) as usize;
        let mut walk = 0.0;
        if x.tlb[slot] != page + 1 {
            x.tlb[slot] = page + 1;
            self.traffic.tlb += 1;
            walk = m.tlb_miss_ns * self.ghz;
        }
        let back = m.l2_latency - to;
        self.traffic.l2[0] += 1;
        match x.l2.look(line) {
            Found::Hit(ready, _) => {
                self.traffic.l2[1] += 1;
                (begin + back).max(ready as f64)
            }
            Found::Miss => {
                let done = self.with_others(begin - to + walk, xcd, line);
                self.xcds[xcd as usize].l2.filled(line, done as u64, false);
                done
            }
        }
    }

    /// A read of a line from the Infinity Cache or HBM by this die, and of others by those that do as it does.
    fn with_others(&mut self, t: f64, xcd: u32, line: u64) -> f64 {
        for i in 0..self.others.len() {
            self.elsewhere.line(line, i + 1).iter().for_each(|line| self.mall.ask(*line));
        }
        // Of dies that ask at once none is always first.
        let before = if self.others.is_empty() { 0 } else { mix(line ^ 0x1d8e) as usize % (self.others.len() + 1) };
        self.of_others(t, line, 0..before);
        let done = self.fabric(t, xcd, line);
        self.of_others(t, line, before..self.others.len());
        done
    }

    /// A read by some of the other dies, each of the line that it has in this one's place.
    fn of_others(&mut self, t: f64, line: u64, which: core::ops::Range<usize>) {
        for i in which {
            if let Some(line) = self.elsewhere.line(line, i + 1) {
                self.fabric(t, i as u32 + 1, line);
            }
        }
    }

    /// A read of a line from the Infinity Cache or HBM, by an access issued at `t`.
    fn fabric(&mut self, t: f64, xcd: u32, line: u64) -> f64 {
        let m = &self.m;
        let simulated = self.xcds.len();
        let port = match self.xcds.get_mut(xcd as usize) {
            Some(x) => &mut x.fabric,
            None => &mut self.others[xcd as usize - simulated],
        };
        let begin = port.take(t, m.l2_line / m.xcd_fabric_bytes);
        if m.mall_mib > 0.0 {
            // XCDs that want the same line come by different ways.
            let way = spread(line ^ u64::from(xcd) << 40, self.ways.len() as u64);
            let long = m.l2_line / m.fabric_gbps * self.ways.len() as f64 * self.ghz * self.weight;
            let begin = self.ways[way].take(begin, long);
            let slice = slice(line, self.slices.len());
            let service = m.l2_line / m.mall_gbps * self.slices.len() as f64 * self.ghz * self.weight;
            // About half of the latency is the way there.
            let half = m.mall_ns * self.ghz / 2.0;
            let turn = self.slices[slice].take(begin + half, service);
            self.traffic.mall[0] += 1;
            if let Found::Hit(ready, _) = self.mall.look(line) {
                self.traffic.mall[1] += 1;
                let there = turn + service + half;
                if (xcd as usize) < self.xcds.len() {
                    self.traffic.under_way += (ready as f64 - there).max(0.0);
                }
                return there.max(ready as f64);
            }
            let left = self.left > 0.0 && (mix(line ^ 0x2c1b_3c6d) % 4096) as f64 <= 4096.0 * self.left;
            if left {
                self.traffic.mall[1] += 1;
                let done = turn + service + half;
                self.mall.filled(line, done as u64, false);
                return done;
            }
            let done = self.memory(turn - half, line);
            self.mall.filled(line, done as u64, false);
            return done;
        }
        self.memory(begin, line)
    }

    /// A read of a line from HBM, by an access issued at `t`.
    fn memory(&mut self, t: f64, line: u64) -> f64 {
        let m = &self.m;
        self.traffic.hbm_read += m.l2_line as u64;
        let latency = m.hbm_ns * self.ghz;
        let turn = self.channel(t + latency / 2.0, line, m.l2_line);
        turn + latency / 2.0
    }

    /// The turn of some bytes at their channel of HBM, from when they are there: when they are through.
    fn channel(&mut self, t: f64, line: u64, bytes: f64) -> f64 {
        let m = &self.m;
        let chunk = line << self.line_shift >> (m.hbm_chunk as u64).trailing_zeros();
        let channel = spread(chunk ^ 0x9e37, self.hbm.len() as u64);
        let service = bytes / m.hbm_gbps * self.hbm.len() as f64 * self.ghz * self.weight;
        self.hbm[channel].take(t, service) + service
    }

    fn store(&mut self, t: f64, cu: u32, line: u64, bytes: u64, way: Way) -> f64 {
        let xcd = cu / self.cus_per_xcd;
        let first_piece = line << (self.line_shift - PIECE);
        for piece in first_piece..first_piece + (1 << (self.line_shift - PIECE)) {
            self.paths[cu as usize].l1.drop_line(piece);
        }
        let m = &self.m;
        let x = &mut self.xcds[xcd as usize];
        let to = m.l2_latency / 2.0;
        let channel = spread(line ^ 0x2545, x.channels.len() as u64);
        // Writes go in halves of what reads do.
        let begin = x.channels[channel].take(t + to, bytes as f64 / (m.l2_channel_bytes / 2.0));
        let back = m.l2_latency - to;
        let written = match x.l2.look(line) {
            Found::Hit(_, dirty) => dirty,
            Found::Miss => false,
        };
        x.l2.filled(line, begin as u64, true);
        if way.device && self.several {
            x.l2.drop_line(line);
            self.traffic.hbm_written += bytes;
            for i in 0..self.others.len() {
                if let Some(line) = self.elsewhere.line(line, i + 1) {
                    self.store_past(begin, line, bytes);
                }
            }
            return self.store_past(begin, line, bytes);
        }
        if !written {
            // The line goes to memory once, whenever L2 lets it go; the channel's time is taken now.
            self.traffic.hbm_written += m.l2_line as u64;
            let bytes = m.l2_line;
            self.channel(begin, line, bytes);
            for i in 0..self.others.len() {
                if let Some(line) = self.elsewhere.line(line, i + 1) {
                    self.traffic.hbm_written += bytes as u64;
                    self.channel(begin, line, bytes);
                }
            }
        }
        begin + back
    }

    /// A store of some bytes past L2, which is there at `t`: when it is done.
    fn store_past(&mut self, t: f64, line: u64, bytes: u64) -> f64 {
        let m = &self.m;
        let half = m.mall_ns * self.ghz / 2.0;
        let slice = slice(line, self.slices.len());
        let slices = self.slices.len() as f64;
        let service = bytes as f64 / m.mall_gbps.max(1.0) * slices * self.ghz * self.weight;
        let turn = self.slices[slice].take(t + half, service);
        self.mall.look(line);
        self.mall.filled(line, turn as u64, true);
        turn + service + half
    }

    /// Atomics of some bytes in a line. Those of one instruction on a line go together, dword after dword through the
    /// channel of L2, and take their turn at the line once.
    fn atomic(&mut self, t: f64, xcd: u32, line: u64, bytes: f64) -> f64 {
        self.traffic.atomics += 1;
        let m = &self.m;
        let x = &mut self.xcds[xcd as usize];
        let channel = spread(line ^ 0x2545, x.channels.len() as u64);
        let through = bytes / m.atomic_bytes;
        let t = x.channels[channel].take(t, through) + through;
        let (free, owner) = self.atomics.get(&line).copied().unwrap_or((0.0, xcd));
        let latency = if owner == xcd { m.atomic_ns } else { m.atomic_cross_ns };
        let apart = m.atomic_line_ns;
        let turn = (t + latency * self.ghz / 2.0).max(free);
        self.atomics.insert(line, (turn + apart * self.ghz, xcd));
        turn + latency * self.ghz / 2.0
    }

    fn remote(&mut self, t: f64, bytes: f64, place: Place) -> f64 {
        let m = &self.m;
        // A peer has a link of its own.
        let (latency, link) = match place {
            Place::Peer(owner) => (m.peer_ns, 1 + owner),
            _ => (m.host_ns, 0),
        };
        if self.links.len() <= link {
            self.links.resize(link + 1, 0.0);
        }
        let begin = t.max(self.links[link]);
        self.links[link] = begin + bytes / m.peer_gbps * self.ghz;
        begin + latency * self.ghz + bytes / m.peer_gbps * self.ghz
    }

    /// A scalar load of so many lines of 64 bytes.
    pub fn scalar(&mut self, t: u64, cu: u32, first: u64, lines: u64) -> u64 {
        let xcd = cu / self.cus_per_xcd;
        let pair = cu as usize / 2;
        let start = (t as f64).max(self.scalar[pair].1);
        self.scalar[pair].1 = start + self.m.scalar_cycles * lines as f64;
        let mut done = start + self.m.scalar_latency;
        for line in first..first + lines {
            match self.scalar[pair].0.look(line) {
                Found::Hit(ready, _) => done = done.max(ready as f64),
                Found::Miss => {
                    let end = self.l2(start, xcd, line << PIECE >> self.line_shift, 64.0);
                    self.scalar[pair].0.filled(line, end as u64, false);
                    done = done.max(end);
                }
            }
        }
        done.ceil() as u64
    }

    /// A scalar load past the scalar cache, or a scalar atomic, of a line of 64 bytes: what waves of other dies signal with.
    pub fn scalar_past(&mut self, t: u64, cu: u32, line: u64, atomic: bool) -> u64 {
        let xcd = cu / self.cus_per_xcd;
        let pair = cu as usize / 2;
        let start = (t as f64).max(self.scalar[pair].1);
        self.scalar[pair].1 = start + self.m.scalar_cycles;
        let line = line << 6 >> self.line_shift;
        let done = if atomic {
            self.atomic(start, xcd, line, 4.0)
        } else if self.several {
            let busy = self.atomics.get(&line).map_or(0.0, |a| a.0);
            let back = self.m.mall_ns.max(self.m.atomic_cross_ns) * self.ghz / 2.0;
            self.fabric(start, xcd, line).max(busy + back)
        } else {
            self.l2(start, xcd, line, 64.0)
        };
        done.ceil() as u64
    }

    /// An instruction fetch: when its line is there. Lines ahead are fetched too. Code is what every launch leaves in
    /// L2, so that a miss takes as long as a hit there.
    pub fn fetch(&mut self, t: u64, cu: u32, address: u64) -> u64 {
        let cache = &mut self.code[cu as usize / 2];
        let line = cache.line(address);
        let end = (t as f64 + self.m.l2_latency).ceil() as u64;
        let mut ready = t;
        for this in line..=line + self.m.icache_ahead as u64 {
            let at = match cache.look(this) {
                Found::Hit(at, _) => at,
                Found::Miss => {
                    cache.filled(this, end, false);
                    end
                }
            };
            if this == line {
                ready = at;
            }
        }
        ready.max(t)
    }

    /// Cycles that the end of a dispatch takes to write the L2 of a die back, the one with most to write: other dies
    /// and the host see a kernel's results when it has ended.
    pub fn write_back(&self) -> f64 {
        if !self.several {
            return 0.0;
        }
        let lines = self.xcds.iter().map(|x| x.l2.dirty()).max().unwrap_or(0);
        lines as f64 * self.m.l2_line / self.m.xcd_write_bytes
    }

    /// `buffer_inv` or `buffer_wbl2`: when it is done.
    pub fn maintain(&mut self, t: u64, cu: u32, write_back: bool) -> u64 {
        let ns = if write_back { self.m.writeback_ns } else { self.m.invalidate_ns };
        if !write_back {
            self.paths[cu as usize].l1.clear();
        }
        (t as f64 + ns * self.ghz).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Way = Way { device: false, store: false, atomic: false };

    fn hierarchy() -> Option<(Machine, Hierarchy)> {
        let sku = Sku::named("mi300x").ok()?;
        let m = Machine::of(sku);
        Some((m, Hierarchy::new(sku, m, sku.xcds, false, 2.1)))
    }

    fn pieces(from: u64, count: u64, pieces: u8) -> Touched {
        let bytes = count as u32 * pieces.count_ones() * 64;
        let lines = (from..from + count).map(|l| (l, pieces)).collect();
        Touched { lines, looks: count as u32, bytes, each: 16, lanes: 64, place: None }
    }

    fn lines(from: u64, count: u64) -> Touched {
        pieces(from, count, 3)
    }

    #[test]
    fn halves_of_lines_are_requests_of_their_own() {
        let (_, mut h) = hierarchy().expect("a part of the table");
        // Both halves together, one after the other, and the same again, which is there.
        h.vector(0, 0, &lines(0, 8), PLAIN);
        assert_eq!(h.traffic.l2[0], 8);
        h.vector(0, 0, &pieces(100, 8, 1), PLAIN);
        h.vector(0, 0, &pieces(100, 8, 2), PLAIN);
        assert_eq!((h.traffic.l2, h.traffic.l1), ([24, 8], [24, 0]), "the second half is in L2, or under way to it");
        h.vector(0, 0, &lines(100, 8), PLAIN);
        assert_eq!((h.traffic.l2[0], h.traffic.l1), (24, [32, 8]));
        // Of a line of which half is there, half is asked for.
        h.vector(0, 0, &pieces(200, 8, 1), PLAIN);
        h.vector(0, 0, &lines(200, 8), PLAIN);
        assert_eq!(h.traffic.l2, [40, 16]);
        // As many requests are under way as L1 has lines, so that lines in halves take twice as long.
        let last = |h: &mut Hierarchy, cu: u32, masks: &[u8]| {
            (0..64)
                .flat_map(|i| masks.iter().map(move |m| (i, *m)))
                .fold(0, |_, (i, m)| h.vector(10_000, cu, &pieces(100_000 * u64::from(cu) + 8 * i, 8, m), PLAIN))
                - 10_000
        };
        let whole = last(&mut h, 40, &[3]);
        let halves = last(&mut h, 80, &[1, 2]);
        assert!(halves > whole + whole / 2, "{halves} cycles in halves, {whole} in lines");
    }

    #[test]
    fn a_compute_unit_has_no_more_lines_in_flight_than_its_cache_has() {
        let (m, mut h) = hierarchy().expect("a part of the table");
        // Loads of 8 lines, all asked for at once: a load takes 16 cycles of the path if nothing else holds it up.
        let done: Vec<u64> = (0..96).map(|i| h.vector(0, 0, &lines(8 * i, 8), PLAIN)).collect();
        let apart = |a: usize, b: usize| done[b] - done[a];
        assert!(apart(0, 15) < 15 * 16 + 150, "half of the cache is asked for without a wait: {}", apart(0, 15));
        let latency = (m.hbm_ns * h.ghz) as u64;
        // Three times as many lines as there are: the last third waits for the second, and that for the first.
        assert!(done[95] > 3 * latency, "{} of {latency}", done[95]);
        // Another compute unit has places of its own.
        assert!(h.vector(0, 40, &lines(100_000, 8), PLAIN) < 2 * latency);
    }

    #[test]
    fn lines_in_flight_are_lines_of_l1() {
        // MI210's L1 has as many lines as MI300X's, of half the size: of L2's lines half as many are under way.
        let last = |name: &str| {
            let sku = Sku::named(name).expect("a part of the table");
            let mut h = Hierarchy::new(sku, Machine::of(sku), sku.xcds, false, 1.0);
            // A line of L2 each, which takes the path no longer on one part than on the other.
            let one = |i: u64| Touched { bytes: 4, lanes: 1, ..lines(i, 1) };
            (0..256).map(|i| h.vector(0, 0, &one(i), PLAIN)).collect::<Vec<u64>>()
        };
        let [small, large] = ["mi210", "mi300x"].map(last);
        let jump = |done: &[u64]| done.windows(2).map(|w| w[1].saturating_sub(w[0])).max().unwrap_or(0);
        // The 256th is asked for when the first is back on one, in its turn on the other.
        assert!(small[255] > 2 * small[0] && jump(&large) < large[0] / 2, "{} {}", small[255], small[0]);
    }

    #[test]
    fn polls_past_the_scalar_cache_go_to_memory_every_time() {
        let (m, mut h) = hierarchy().expect("a part of the table");
        let first = h.scalar(0, 0, 64, 1);
        let again = h.scalar(first, 0, 64, 1) - first;
        let past = h.scalar_past(2 * first, 0, 64, false) - 2 * first;
        assert_eq!(again, m.scalar_latency as u64);
        assert!(past as f64 > m.mall_ns * h.ghz * 0.9, "{past} cycles");
        // Atomics on a line take turns.
        let turns: Vec<u64> = (0..3).map(|cu| h.scalar_past(100_000, 40 * cu, 64, true)).collect();
        assert!(turns.windows(2).all(|w| w[1] > w[0]), "{turns:?}");
    }
}

//! What the watching engine sees of memory: the engine's accesses come through here while it executes one instruction.

use super::caches::{Caches, Who};
use super::clocks::{Known, Messages, Sent, Vc};
use super::finding::{Finding, Kind, Place, Severity};
use super::flight::Flight;
use super::lds::{Collision, Lds, Toucher};
use super::program::{Program, Scope};
use super::rng::Rng;
use super::shadow::{LINE, Page, READERS, Room, Shadow, Stamp};
use super::undefined::{Taint, Undefined};
use crate::dispatch::Dispatch;
use crate::engine::ir::Segment;
use crate::engine::lanes::{Lanes, WAVE};
use crate::engine::schedule::Shared;
use crate::memory::Kind as MemoryKind;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use wavesmith_asm::hazard::Window;
use wavesmith_asm::print;

/// A load that has issued and is carried out later.
pub(crate) struct Late {
    pub number: u32,
    pub at: u32,
    pub segment: Arc<Segment>,
    pub mem: u32,
    pub exec: u64,
    pub vectors: Vec<(u16, Box<Lanes>)>,
    pub scalars: Vec<(u8, u32)>,
    /// What the wave knew when it issued, and what its caches had been told.
    pub known: (Arc<Vc>, Arc<Vc>),
}

/// What is remembered of a wave.
pub(crate) struct WaveWatch {
    pub flight: Flight,
    pub window: Window,
    /// Issue slots so far, with those in which the matrix pipe was busy for the wave.
    pub clock: u64,
    pub pipe: u64,
    /// When matrix instructions issued, by number; the newest are enough.
    pub matrix: Vec<(u32, u64)>,
    pub undefined: Undefined,
    pub late: Vec<Late>,
    pub blocks: Option<(usize, Rc<[u32]>)>,
    /// What it knows of others.
    pub seen: Arc<Vc>,
    /// Its own operations that are complete, and its plain stores that are written back.
    pub complete: u32,
    pub released: u32,
    /// What was found by loads that no wait has covered yet.
    inbox: Vec<(u32, Sent)>,
    joined: Sent,
    /// The message that says what it knows now.
    message: Option<u32>,
    /// A write-back that no wait has covered yet: when it issued, and what the wave knew then.
    pub writeback: Option<(u32, Arc<Vc>)>,
    /// Instructions of the dispatch until it goes on.
    pub asleep: u64,
    pub barriers: u32,
    pub barrier_at: u32,
}

impl WaveWatch {
    pub fn new(undefined: Undefined) -> WaveWatch {
        WaveWatch {
            flight: Flight::default(),
            window: Window::default(),
            clock: 0,
            pipe: 0,
            matrix: Vec::new(),
            undefined,
            late: Vec::new(),
            blocks: None,
            seen: Arc::default(),
            complete: 0,
            released: 0,
            inbox: Vec::new(),
            joined: Sent::default(),
            message: None,
            writeback: None,
            asleep: 0,
            barriers: 0,
            barrier_at: super::program::NONE,
        }
    }

    /// Operations up to `upto` are complete.
    pub fn completed(&mut self, wave: u32, mates: std::ops::Range<u32>, upto: u32, messages: &Messages) {
        if upto > self.complete {
            self.complete = upto;
            self.message = None;
        }
        if self.writeback.as_ref().is_some_and(|(at, _)| *at <= upto)
            && let Some((at, then)) = self.writeback.take()
        {
            self.released = self.released.max(at);
            self.message = None;
            let seen = Arc::make_mut(&mut self.seen);
            for mate in mates.clone().filter(|m| *m != wave) {
                if let Some(k) = then.of(mate).copied() {
                    seen.raise(Known { released: k.complete, passed: k.issued, ..k });
                }
            }
        }
        let mut i = 0;
        while i < self.inbox.len() {
            if self.inbox[i].0 <= upto {
                let (_, sent) = self.inbox.swap_remove(i);
                if Arc::make_mut(&mut self.seen).learn(&sent, mates.contains(&sent.wave), messages) {
                    self.message = None;
                }
            } else {
                i += 1;
            }
        }
    }
}

/// What is remembered of a workgroup.
pub(crate) struct GroupWatch {
    pub id: [u32; 3],
    /// Number of its first wave in the dispatch, from 1.
    pub first: u32,
    pub cu: u32,
    pub die: usize,
    pub lds: Lds,
    pub waves: Vec<WaveWatch>,
    /// What was known when the compute unit's caches were last invalidated, for vector and for scalar loads.
    pub fresh: Arc<Vc>,
    pub fresh_scalar: Arc<Vc>,
}

impl GroupWatch {
    pub fn mates(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.waves.len() as u32
    }

    /// All waves have met: what one knew all know, what was complete is, and what was issued is in order.
    pub fn meet(&mut self) {
        let mut all = Vc::default();
        for (i, w) in self.waves.iter().enumerate() {
            all.join(&w.seen);
            all.raise(Known {
                wave: self.first + i as u32,
                complete: w.complete,
                released: w.released,
                issued: w.flight.issued,
                passed: w.released,
            });
        }
        let all = Arc::new(all);
        for w in &mut self.waves {
            w.seen = all.clone();
            w.message = None;
            w.barriers += 1;
        }
        self.lds.meet();
    }
}

/// The access that is being executed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    pub number: u32,
    pub wave: u32,
    /// The wave's count of vector memory operations.
    pub at: u32,
    pub scope: Scope,
    pub issue: u32,
    pub taint: Taint,
    /// Whether loads into LDS are landing.
    pub landing: bool,
    pub scalar: bool,
    /// By dword, lanes that got something undefined.
    pub loaded: [u64; 4],
    /// Lane and dword of the last access.
    pub cursor: (u32, u32),
    /// Whether it has written memory that outlives the dispatch. The address decides: before gfx942 compilers spill
    /// registers, written or not, to scratch through a buffer descriptor.
    pub outlives: bool,
}

impl Context {
    /// The mark that the access leaves.
    fn stamp(&self, bytes: u8) -> Stamp {
        let Scope { agent, group, .. } = self.scope;
        Stamp { wave: self.wave, at: self.at, number: self.number, bytes, agent, group }
    }
}

/// Everything that is remembered, and the access at hand.
pub struct Watch {
    pub(crate) program: Program,
    pub(crate) shadow: Shadow,
    pub(crate) caches: Caches,
    pub(crate) messages: Messages,
    pub(crate) rng: Rng,
    /// For a load that is carried out late: what was known when it issued.
    pub(crate) then: Option<(Arc<Vc>, Arc<Vc>)>,
    room: Room,
    /// The wave and time of the store that others' stores were performed for.
    cleared: (u32, u32),
    /// The workgroup that executes.
    pub(crate) group: Option<Box<GroupWatch>>,
    pub(crate) ctx: Context,
    /// What others find with the value of the store at hand.
    sent: Option<Sent>,
    reported: HashSet<(u32, Kind, usize, Severity)>,
    staging: Box<[u64; 128]>,
    sink: super::Sink,
    kernel: String,
    code: Option<crate::code::Code>,
    lds_bytes: u32,
}

/// What an access to memory runs into.
#[derive(Clone, Copy)]
struct Hit {
    kind: Kind,
    stamp: Stamp,
    write: bool,
    lane: u32,
    address: u64,
    read_of: bool,
    order: Order,
}

/// Keeps the worse of what an access runs into, the first of its kind.
fn worst(hit: &mut Option<Hit>, new: Hit) {
    if hit.is_none_or(|h| h.order == Order::ByL1 && new.order == Order::No) {
        *hit = Some(new);
    }
}

/// Whether one operation comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Yes,
    /// If the order of a compute unit's L1 holds behind it.
    ByL1,
    No,
}

impl Order {
    fn of(yes: bool, by_l1: bool) -> Order {
        match (yes, by_l1) {
            (true, _) => Order::Yes,
            (_, true) => Order::ByL1,
            _ => Order::No,
        }
    }
}

/// Whether the store that `s` says is known to be over, and where to.
#[inline]
fn known(vc: &Vc, mates: &Range<u32>, s: &Stamp, scalar: bool) -> Order {
    let k = vc.of(s.wave).copied().unwrap_or_default();
    if mates.contains(&s.wave) {
        // The scalar cache is another way to memory.
        let done = k.complete >= s.at || vc.observed(s.wave, s.at);
        return Order::of(done || !scalar && k.issued >= s.at, scalar && k.issued >= s.at);
    }
    if s.agent {
        return Order::of(k.complete >= s.at || vc.observed(s.wave, s.at), k.issued >= s.at);
    }
    Order::of(k.complete >= s.at && k.released >= s.at, k.issued >= s.at && k.passed >= s.at)
}

/// Whether the load that `s` says is known to be over.
#[inline]
fn over(vc: &Vc, mates: &Range<u32>, s: &Stamp) -> Order {
    let k = vc.of(s.wave).copied().unwrap_or_default();
    Order::of(k.complete >= s.at || mates.contains(&s.wave) && k.issued >= s.at, k.issued >= s.at)
}

impl Watch {
    pub(crate) fn new(shared: &Shared<'_>) -> Watch {
        let options = &shared.config.checked;
        let dispatch: &Dispatch = shared.dispatch;
        Watch {
            program: Program::new(),
            shadow: Shadow::new(options.unwritten.clone()),
            caches: Caches::new(dispatch.sku.xcds as usize, options.unkind),
            messages: Messages::new(),
            rng: Rng::new(options.seed),
            then: None,
            room: Room(READERS),
            cleared: (0, 0),
            sent: None,
            group: None,
            ctx: Context::default(),
            reported: HashSet::new(),
            staging: Box::new([0; 128]),
            sink: options.sink.clone(),
            kernel: dispatch.kernel.clone(),
            code: dispatch.code.clone(),
            lds_bytes: dispatch.group_bytes,
        }
    }

    /// The place of an instruction.
    pub(crate) fn place(&self, number: u32) -> Option<Place> {
        let info = self.program.infos.get(number as usize)?;
        let code = self.code.as_ref().filter(|c| c.contains(info.pc));
        Some(Place {
            pc: code.map_or(info.pc, |c| c.vaddr(info.pc)),
            symbol: code.and_then(|c| c.symbolize(info.pc)).unwrap_or_default(),
            text: print::text(&info.inst),
        })
    }

    /// The text of an instruction.
    pub(crate) fn text(&self, number: u32) -> String {
        self.program.infos.get(number as usize).map_or_else(String::new, |i| print::text(&i.inst))
    }

    /// Makes a finding about the instruction at hand, unless it is known.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn report(
        &mut self,
        severity: Severity,
        kind: Kind,
        rule: Option<&'static str>,
        number: u32,
        other: Option<u32>,
        lane: Option<u32>,
        text: impl FnOnce(&Watch) -> (Option<String>, String),
    ) {
        if !self.reported.insert((number, kind, rule.map_or(0, |r| r.as_ptr() as usize), severity)) {
            return;
        }
        let (need, message) = text(self);
        let (workgroup, first) = self.group.as_ref().map_or(([0; 3], 1), |g| (g.id, g.first));
        self.sink.add(Finding {
            severity,
            kind,
            rule,
            kernel: self.kernel.clone(),
            workgroup,
            wave: self.ctx.wave.saturating_sub(first),
            lane,
            at: self.place(number),
            other: other.and_then(|n| self.place(n)),
            need,
            message,
        });
    }

    pub(crate) fn begin(&mut self, context: Context) {
        self.ctx = context;
        self.ctx.cursor = (u32::MAX, 0);
        self.then = None;
    }

    fn who(&self) -> Who {
        let (cu, die) = self.group.as_ref().map_or((0, 0), |g| (g.cu, g.die));
        // The scalar cache is a cache of its own.
        let group = self.group.as_ref().map_or(0, |g| g.first);
        Who { cu: if self.ctx.scalar { cu | 1 << 31 } else { cu }, die, wave: self.ctx.wave, group }
    }

    /// Which dword of the lane's data this access is: accesses of a lane come in order.
    fn next_dword(&mut self, lane: u32) -> usize {
        if self.ctx.cursor.0 == lane {
            self.ctx.cursor.1 += 1;
        } else {
            self.ctx.cursor = (lane, 0);
        }
        (self.ctx.cursor.1 as usize).min(3)
    }

    fn bounds(&mut self, address: u64, size: u64, lane: u32, write: bool) {
        let Some(r) = self.shadow.region(address) else { return };
        let (base, end) = (r.base, r.base + r.size);
        if address + size > end {
            let what = if write { "stores" } else { "loads" };
            let number = self.ctx.number;
            // The lane whose bytes are beyond, where lanes lie one after another.
            let lane =
                if size > 16 { ((end.saturating_sub(address)) / (size / WAVE as u64).max(1)) as u32 } else { lane };
            self.report(Severity::Error, Kind::Bounds, None, number, None, Some(lane), |_| {
                let text = format!(
                    "{what} {size} bytes at {address:#x}, past the end of the {} bytes allocated at {base:#x}",
                    end - base
                );
                (None, text)
            });
        }
        if !address.is_multiple_of(4) && size >= 4 {
            let number = self.ctx.number;
            self.report(Severity::Advice, Kind::Alignment, None, number, None, Some(lane), |_| {
                (None, format!("accesses dwords at {address:#x}, which is no multiple of 4: slow, and refused where unaligned access is off"))
            });
        }
    }

    /// Looks at the dwords of an access. `dwords` of a lane's data follow each other, lane after lane.
    fn track(&mut self, address: u64, size: u64, write: bool, first_lane: u32, first_dword: usize, dwords: usize) {
        let Some(group) = self.group.as_deref() else { return };
        let ctx = self.ctx;
        let me = ctx.wave;
        let Some(wave) = group.waves.get((me - group.first) as usize) else { return };
        let mates = group.mates();
        let (seen, fresh) = match &self.then {
            Some((seen, fresh)) => (seen, fresh),
            None => (&wave.seen, if ctx.scalar { &group.fresh_scalar } else { &group.fresh }),
        };
        let mut hit: Option<Hit> = None;
        let mut inbox: Vec<Sent> = Vec::new();
        // Whether a plain load is one that others of the workgroup may store to meanwhile.
        let mut polls: Option<bool> = None;
        let mut last_message = wave.joined;
        // What was asked last is mostly asked again.
        let mut memo: Option<(Stamp, Order)> = None;
        let mut asked: Option<(Stamp, Order)> = None;
        // The last line whose readers were all in order.
        let mut quiet: Option<u64> = None;
        let sent = self.sent.filter(|_| write && (ctx.scope.atomic || !self.caches.unkind));
        let room = &mut self.room;
        let mut at = address;
        let end = address + size;
        let region = self.shadow.region(address);
        self.ctx.outlives |= write && region.as_ref().is_none_or(|r| r.kind != MemoryKind::Scratch);
        let Some(region) = region else { return };
        if region.kind == MemoryKind::Scratch {
            return self.track_private(address, size, write, first_lane, first_dword);
        }
        let (mut lane, mut k) = (first_lane, first_dword);
        while at < end {
            let page = region.page(at);
            let page_end = (at / 4096 + 1) * 4096;
            while at < end.min(page_end) {
                // Whole lines that nobody has written, which most of what a kernel loads is.
                if !write
                    && at.is_multiple_of(LINE)
                    && end - at >= LINE
                    && page.writes.is_none()
                    && page.undefined.is_none()
                {
                    let stamp = ctx.stamp(15);
                    let line = (at % 4096 / LINE) as usize;
                    page.read_line(line, stamp, room, |r| over(seen, &mates, r) == Order::Yes);
                    at += LINE;
                    let dwords_on = (LINE / 4) as usize + k;
                    lane += (dwords_on / dwords.max(1)) as u32;
                    k = dwords_on % dwords.max(1);
                    continue;
                }
                let dword = Page::dword(at);
                let from = at % 4;
                let n = (4 - from).min(end - at);
                let bytes = (((1u32 << n) - 1) << from) as u8;
                let stamp = ctx.stamp(bytes);
                let w = page.writes.as_ref().map_or(Stamp::default(), |w| w[dword]);
                if w.wave != 0 && w.wave != me && w.bytes & bytes != 0 {
                    let both = if mates.contains(&w.wave) {
                        w.group
                            && (ctx.scope.group
                                || !write
                                    && *polls
                                        .get_or_insert_with(|| !ctx.scope.group && self.program.decides(ctx.number)))
                    } else {
                        w.agent && ctx.scope.agent
                    };
                    if both {
                        if !write || ctx.scope.atomic {
                            let found = page.messages.as_ref().map_or(Sent::default(), |m| m[dword]);
                            if found.wave != 0 && found.wave != me && found != last_message {
                                inbox.push(found);
                                last_message = found;
                            }
                        }
                    } else {
                        let order = match memo {
                            Some((s, order)) if s.wave == w.wave && s.at == w.at => order,
                            _ => {
                                let order = known(seen, &mates, &w, ctx.scalar);
                                memo = Some((w, order));
                                order
                            }
                        };
                        let mut is = |kind, order| {
                            let new = Hit { kind, stamp: w, write, lane, address: at, read_of: false, order };
                            worst(&mut hit, new);
                        };
                        if order != Order::Yes {
                            is(Kind::GlobalRace, order);
                        }
                        if order != Order::No
                            && !write
                            && !ctx.scope.past_l1
                            && (ctx.scalar || !mates.contains(&w.wave))
                            && known(fresh, &mates, &w, ctx.scalar) == Order::No
                        {
                            is(Kind::StaleRead, Order::No);
                        }
                    }
                }
                if write {
                    let line = at / LINE;
                    if quiet != Some(line) {
                        let split = page.line(at).split;
                        let (one, others) = page.readers(dword);
                        let mut all_in_order = true;
                        for r in core::iter::once(&one).chain(others) {
                            if r.wave == 0 || r.wave == me || r.bytes & bytes == 0 {
                                continue;
                            }
                            let both = if mates.contains(&r.wave) {
                                r.group && ctx.scope.group
                            } else {
                                r.agent && ctx.scope.agent
                            };
                            if both {
                                continue;
                            }
                            let order = match asked {
                                Some((s, order)) if s.wave == r.wave && s.at == r.at => order,
                                _ => {
                                    let order = over(seen, &mates, r);
                                    asked = Some((*r, order));
                                    order
                                }
                            };
                            if order == Order::Yes {
                                continue;
                            }
                            // A plain load that is polled, where no bit tells it from others.
                            if mates.contains(&r.wave) && ctx.scope.group && self.program.decides(r.number) {
                                continue;
                            }
                            all_in_order = false;
                            let kind = Kind::GlobalRace;
                            worst(&mut hit, Hit { kind, stamp: *r, write, lane, address: at, read_of: true, order });
                        }
                        if all_in_order && !split {
                            quiet = Some(line);
                        }
                    }
                    if bytes == 15 && !ctx.scope.agent {
                        page.forget_readers(dword, room);
                    }
                    page.writes.get_or_insert_with(Page::stamps)[dword] = stamp;
                    if let Some(sent) = sent {
                        page.messages.get_or_insert_with(Page::sent)[dword] = sent;
                    }
                } else if !ctx.scope.atomic {
                    page.read_dword(dword, stamp, room, |r| over(seen, &mates, r) == Order::Yes);
                }
                if lane < WAVE as u32 {
                    if write {
                        let marked = ctx.taint.data[k] >> lane & 1 == 1;
                        if marked || page.undefined.is_some() {
                            let all = page.undefined.get_or_insert_with(Page::bytes);
                            all[dword] = if marked { all[dword] | bytes } else { all[dword] & !bytes };
                        }
                    } else if let Some(all) = &page.undefined
                        && all[dword] & bytes != 0
                    {
                        self.ctx.loaded[k] |= 1 << lane;
                    }
                }
                let ctx_dwords = dwords.max(1);
                at += n;
                if at.is_multiple_of(4) {
                    k += 1;
                    if k >= ctx_dwords {
                        k = 0;
                        lane += 1;
                    }
                    k = k.min(3);
                }
            }
        }
        if !inbox.is_empty() {
            let (me_index, at) = ((me - group.first) as usize, self.ctx.at);
            if let Some(group) = self.group.as_deref_mut() {
                let wave = &mut group.waves[me_index];
                for found in inbox {
                    if wave.inbox.len() < 4096 {
                        wave.inbox.push((at, found));
                    }
                    wave.joined = found;
                }
            }
        }
        if let Some(h) = hit {
            self.race(h);
        }
    }

    fn track_private(&mut self, address: u64, size: u64, write: bool, lane: u32, k: usize) {
        let Some(region) = self.shadow.region(address) else { return };
        for a in address..address + size {
            let page = region.page(a);
            let dword = Page::dword(a);
            let bit = 1u8 << (a % 4);
            let k = (k + ((a - address) / 4) as usize).min(3);
            if let Some(all) = &mut page.undefined
                && lane < WAVE as u32
            {
                if write {
                    let marked = self.ctx.taint.data[k] >> lane & 1 == 1;
                    all[dword] = if marked { all[dword] | bit } else { all[dword] & !bit };
                } else if all[dword] & bit != 0 {
                    self.ctx.loaded[k] |= 1 << lane;
                }
            }
        }
    }

    fn race(&mut self, h: Hit) {
        let number = self.ctx.number;
        let other = h.stamp.number;
        let same_group = self.group.as_ref().is_some_and(|g| g.mates().contains(&h.stamp.wave));
        let waves = self.group.as_ref().map_or(1, |g| g.waves.len() as u32).max(1);
        let (their_group, their_wave) = ((h.stamp.wave - 1) / waves, (h.stamp.wave - 1) % waves);
        let dies = self.ctx.scope.agent || h.stamp.agent;
        let severity = if h.order == Order::ByL1 { Severity::Advice } else { Severity::Error };
        self.report(severity, h.kind, None, number, Some(other), Some(h.lane), |w| {
            let who = if same_group {
                format!("wave {their_wave} of the same workgroup")
            } else {
                format!("wave {their_wave} of workgroup number {their_group}")
            };
            let verb = if h.read_of { "loads" } else { "stores" };
            if h.order == Order::ByL1 {
                let text = w.text(other);
                let message = format!(
                    "{mine} {:#x}, which {who} {verb} with `{text}` and does not wait for: another of its waves goes on to release it, so the order of its compute unit's L1 is all there is",
                    h.address,
                    mine = if h.write { "stores to" } else { "loads from" },
                );
                return (Some("s_waitcnt vmcnt(0) in front of the other workgroup's s_barrier".to_owned()), message);
            }
            let mine = if h.write { "stores to" } else { "loads from" };
            let text = w.text(other);
            match h.kind {
                Kind::StaleRead => (
                    Some("s_waitcnt vmcnt(0), then buffer_inv sc1, before the load; or sc1 on the load".to_owned()),
                    format!(
                        "{mine} {:#x}, which {who} {verb} with `{text}`: ordered, but caches may still hold what was there before",
                        h.address
                    ),
                ),
                _ => {
                    let need = if same_group {
                        "s_waitcnt vmcnt(0) and s_barrier between".to_owned()
                    } else if dies && !h.read_of {
                        "sc1 on both, or a release and an acquire between".to_owned()
                    } else {
                        "a release (buffer_wbl2 sc1, s_waitcnt, store or atomic with sc1) and an acquire (load with sc1, s_waitcnt, buffer_inv sc1) between".to_owned()
                    };
                    (Some(need), format!("{mine} {:#x}, which {who} {verb} with `{text}`, and nothing orders the two", h.address))
                }
            }
        });
    }

    /// Makes the message that stores of the wave at hand carry, if others may look at them meanwhile.
    fn prepare_message(&mut self) {
        self.sent = None;
        if !self.ctx.scope.group {
            return;
        }
        let who = self.who();
        let (wave, at) = (self.ctx.wave, self.ctx.at);
        let Some(group) = self.group.as_deref_mut() else { return };
        let w = &mut group.waves[(wave - group.first) as usize];
        if self.cleared != (wave, at) {
            self.cleared = (wave, at);
            // What it lets others know of is there before it.
            self.caches.flush_known(&mut self.shadow, who, &w.seen);
        }
        if w.message.is_none_or(|n| self.messages.dropped(n)) {
            let (complete, released) = (w.complete, w.released);
            let me = Known { wave, complete, released, issued: complete, passed: released };
            Arc::make_mut(&mut w.seen).raise(me);
            // Of itself it can only vouch for what it has waited for.
            let mut all = w.seen.clone();
            if all.of(wave) != Some(&me) {
                Arc::make_mut(&mut all).set(me);
            }
            w.message = Some(self.messages.send(all));
        }
        self.sent = w.message.map(|message| Sent { message, wave, at });
    }

    /// A read-modify-write continues what the writers before it released: who reads its value learns from all of them.
    fn pass_on(&mut self, address: u64) {
        let Some(page) = self.shadow.region(address).map(|r| r.page(address)) else { return };
        let before = page.messages.as_ref().map_or(0, |m| m[Page::dword(address)].message);
        let Some(group) = self.group.as_deref() else { return };
        let Some(w) = group.waves.get((self.ctx.wave - group.first) as usize) else { return };
        let Some(found) = self.messages.get(before) else { return };
        let own = w.message.and_then(|n| self.messages.get(n)).unwrap_or(&w.seen);
        let mut all = Vc::clone(own);
        if all.join(found) {
            let message = self.messages.send(Arc::new(all));
            self.sent = self.sent.map(|s| Sent { message, ..s });
        }
    }

    /// An access of all lanes to consecutive dwords. Gives the place to load from, or to store to until
    /// [`stored`](Watch::stored).
    pub(crate) fn range(&mut self, address: u64, size: u64, write: bool) -> *mut u8 {
        self.bounds(address, size, 0, write);
        let dwords = (size / (4 * WAVE as u64)) as usize;
        if write {
            self.prepare_message();
        } else {
            self.see_stores(address, size);
        }
        self.track(address, size, write, 0, 0, dwords);
        let private = self.shadow.region(address).is_none_or(|r| r.kind == MemoryKind::Scratch);
        if !self.caches.unkind || private {
            return address as *mut u8;
        }
        if !write && !self.stage(address, size) {
            return address as *mut u8;
        }
        self.staging.as_mut_ptr().cast()
    }

    /// A load sees what its workgroup has stored.
    fn see_stores(&mut self, address: u64, size: u64) {
        if self.caches.unkind {
            let who = self.who();
            self.caches.flush_overlap(&mut self.shadow, who, address, address + size);
        }
    }

    /// Puts what a load gets into the staging buffer; false if it is what memory holds.
    fn stage(&mut self, address: u64, size: u64) -> bool {
        let (who, scope) = (self.who(), self.ctx.scope);
        let Some(region) = self.shadow.region(address) else { return false };
        let fine = region.fine();
        let mut any = false;
        let mut line = address / LINE * LINE;
        while line < address + size {
            let place = region.place(line);
            let l = region.page(line.max(address)).line(line.max(address));
            if l.hot != 0 {
                any = true;
            } else {
                self.caches.loads_cold(l, line, place, who, scope, fine);
            }
            line += LINE;
        }
        if !any {
            return false;
        }
        let mut line = address / LINE * LINE;
        while line < address + size {
            let (from, to) = (line.max(address), (line + LINE).min(address + size));
            let place = region.place(line);
            let l = *region.page(from).line(from);
            let out: *mut u8 = self.staging.as_mut_ptr().cast();
            let at = (from - address) as usize;
            let n = (to - from) as usize;
            if l.hot == 0 {
                // SAFETY: the range is mapped, as the engine has checked, and at most as long as the buffer.
                unsafe { copy(from, out.add(at), n) };
            } else {
                let bytes = self.caches.load_hot(&l, line, place, who, scope, fine, &mut self.rng);
                let offset = (from - line) as usize;
                // SAFETY: within the buffer, as accesses of a wave are at most 1024 bytes.
                unsafe { core::slice::from_raw_parts_mut(out.add(at), n) }.copy_from_slice(&bytes[offset..offset + n]);
            }
            line += LINE;
        }
        true
    }

    /// The data of a store to a range is in the staging buffer.
    pub(crate) fn stored(&mut self, address: u64, size: u64) {
        let private = self.shadow.region(address).is_none_or(|r| r.kind == MemoryKind::Scratch);
        if !self.caches.unkind || private {
            return;
        }
        // SAFETY: `range` gave the buffer for this many bytes, at most 1024.
        let data = unsafe { core::slice::from_raw_parts(self.staging.as_ptr().cast::<u8>(), size as usize) };
        let who = self.who();
        let (agent, sent) = (self.ctx.scope.agent, self.sent.unwrap_or_default());
        self.caches.issue(&mut self.shadow, address, data, who, agent, sent, self.ctx.at, &mut self.rng);
    }

    /// A lane's load of up to four bytes.
    pub(crate) fn read(&mut self, address: u64, size: u32, lane: u32) -> u32 {
        let k = self.next_dword(lane);
        self.bounds(address, size.into(), lane, false);
        self.see_stores(address, size.into());
        self.track(address, size.into(), false, lane, k, 4);
        let private = self.shadow.region(address).is_none_or(|r| r.kind == MemoryKind::Scratch);
        let mut out = [0u8; 4];
        if self.caches.unkind && !private && self.stage(address, size.into()) {
            // SAFETY: the staging buffer is longer.
            let staged = unsafe { core::slice::from_raw_parts(self.staging.as_ptr().cast::<u8>(), size as usize) };
            out[..size as usize].copy_from_slice(staged);
        } else {
            // SAFETY: the engine has checked the bytes.
            unsafe { copy(address, out.as_mut_ptr(), size as usize) };
        }
        u32::from_le_bytes(out)
    }

    /// A lane's store of up to four bytes.
    pub(crate) fn write(&mut self, address: u64, size: u32, lane: u32, v: u32) {
        let k = self.next_dword(lane);
        self.bounds(address, size.into(), lane, true);
        self.prepare_message();
        self.track(address, size.into(), true, lane, k, 4);
        let private = self.shadow.region(address).is_none_or(|r| r.kind == MemoryKind::Scratch);
        let data = &v.to_le_bytes()[..size as usize];
        if self.caches.unkind && !private {
            let who = self.who();
            let (agent, sent) = (self.ctx.scope.agent, self.sent.unwrap_or_default());
            self.caches.issue(&mut self.shadow, address, data, who, agent, sent, self.ctx.at, &mut self.rng);
        } else {
            for (i, b) in data.iter().enumerate() {
                // SAFETY: the engine has checked the bytes.
                unsafe {
                    (*((address + i as u64) as *const core::sync::atomic::AtomicU8)).store(*b, Relaxed);
                }
            }
        }
    }

    /// A lane's read-modify-write.
    pub(crate) fn atomic(&mut self, address: u64, words: u32, lane: u32, f: impl Fn(u64) -> u64) -> u64 {
        let size = u64::from(4 * words);
        self.bounds(address, size, lane, true);
        self.prepare_message();
        self.pass_on(address);
        // Reads and writes: the message of the last writer comes in, its own goes out.
        self.track(address, size, false, lane, 0, 4);
        self.track(address, size, true, lane, 0, 4);
        if self.caches.unkind {
            let who = self.who();
            self.caches.flush_overlap(&mut self.shadow, who, address, address + size);
            self.caches.before_atomic(&mut self.shadow, address, who);
        }
        if words == 2 {
            // SAFETY: mapped and aligned, as the engine has checked.
            let cell = unsafe { &*(address as *const AtomicU64) };
            let mut old = cell.load(Relaxed);
            while let Err(seen) = cell.compare_exchange(old, f(old), core::sync::atomic::Ordering::SeqCst, Relaxed) {
                old = seen;
            }
            return old;
        }
        // SAFETY: mapped and aligned, as the engine has checked.
        let cell = unsafe { &*(address as *const AtomicU32) };
        let mut old = cell.load(Relaxed);
        while let Err(seen) =
            cell.compare_exchange(old, f(old.into()) as u32, core::sync::atomic::Ordering::SeqCst, Relaxed)
        {
            old = seen;
        }
        old.into()
    }

    /// A byte of a lane's scratch.
    pub(crate) fn private(&mut self, address: u64, lane: u32, byte: u32, write: bool) {
        let _ = byte;
        let k = if byte == 0 { self.next_dword(lane) } else { (self.ctx.cursor.1 as usize).min(3) };
        self.track_private(address, 1, write, lane, k);
    }

    fn toucher(&mut self) -> Toucher {
        let polls = self.program.decides(self.ctx.number);
        let first = self.group.as_ref().map_or(1, |g| g.first);
        Toucher {
            wave: (self.ctx.wave - first) as u8,
            number: self.ctx.number,
            issue: self.ctx.issue,
            atomic: self.ctx.scope.atomic,
            polls,
        }
    }

    /// The wave has polled words of LDS: it knows what their writers knew, and what they had issued.
    fn learn_by_lds(&mut self) {
        let Some(group) = self.group.as_deref_mut() else { return };
        let learned = core::mem::take(&mut group.lds.learned);
        let me = (self.ctx.wave - group.first) as usize;
        for i in (0..group.waves.len()).filter(|i| learned >> i & 1 == 1 && *i != me) {
            let (theirs, issued) = (group.waves[i].seen.clone(), group.waves[i].flight.issued);
            let wave = group.first + i as u32;
            let w = &mut group.waves[me];
            let seen = Arc::make_mut(&mut w.seen);
            let new = seen.join(&theirs);
            if new || seen.of(wave).is_none_or(|k| k.issued < issued) {
                seen.raise(Known { wave, issued, ..Known::default() });
                w.message = None;
            }
        }
    }

    /// LDS accesses of whole dwords by all lanes, in bounds; whether lanes write the same place. `same` says of a lane's
    /// dword whether LDS holds the value to be written already.
    pub(crate) fn lds_fast(
        &mut self,
        addresses: &[u32],
        offset: u32,
        n: usize,
        write: bool,
        same: impl Fn(usize, usize) -> bool,
    ) -> bool {
        let t = self.toucher();
        let Some(group) = self.group.as_deref_mut() else { return false };
        let mut hit = None;
        let mut again = false;
        for (lane, a) in addresses.iter().enumerate() {
            let base = ((a + offset) / 4) as usize;
            for k in 0..n {
                let c = if write {
                    group.lds.write(base + k, 15, t, || same(lane, k))
                } else {
                    group.lds.read(base + k, 15, t)
                };
                again |= c == Some(Collision::SameInstruction);
                if let Some(c) = c
                    && c != Collision::SameInstruction
                {
                    hit.get_or_insert((c, lane as u32, (base + k) as u32 * 4));
                }
                let k4 = k.min(3);
                if let Some(cell) = group.lds.cells.get_mut(base + k) {
                    if write {
                        cell.undefined = if self.ctx.taint.data[k4] >> lane & 1 == 1 { 15 } else { 0 };
                    } else if cell.undefined != 0 {
                        self.ctx.loaded[k4] |= 1 << lane;
                    }
                }
            }
        }
        if group.lds.learned != 0 {
            self.learn_by_lds();
        }
        if let Some((c, lane, at)) = hit {
            self.collide(c, lane, at, write);
        }
        again
    }

    /// A lane's LDS access of up to four bytes; whether the same instruction has written them already. `same` says of a
    /// byte whether LDS holds the value to be written already.
    pub(crate) fn lds(&mut self, at: u32, size: u32, lane: u32, write: bool, same: impl Fn(u32) -> bool) -> bool {
        let k = self.next_dword(lane);
        if u64::from(at) + u64::from(size) > u64::from(self.lds_bytes) {
            let (number, bytes) = (self.ctx.number, self.lds_bytes);
            self.report(Severity::Error, Kind::Bounds, None, number, None, Some(lane), |_| {
                let what = if write { "writes" } else { "reads" };
                (None, format!("{what} LDS at {at:#x}, beyond the {bytes} bytes of the workgroup"))
            });
        }
        let t = self.toucher();
        let Some(group) = self.group.as_deref_mut() else { return false };
        let mut again = false;
        let mut hit = None;
        let mut a = at;
        let end = at.saturating_add(size);
        while a < end {
            let n = (4 - a % 4).min(end - a);
            let bytes = (((1u32 << n) - 1) << (a % 4)) as u8;
            let dword = (a / 4) as usize;
            if self.ctx.landing {
                group.lds.land(dword, t.wave);
            } else {
                let hits = if write {
                    group.lds.write(dword, bytes, t, || (a..a + n).all(&same))
                } else {
                    group.lds.read(dword, bytes, t)
                };
                match hits {
                    Some(Collision::SameInstruction) => again = true,
                    Some(c) => _ = hit.get_or_insert((c, lane, a)),
                    None => {}
                }
                if let Some(cell) = group.lds.cells.get_mut(dword) {
                    if write {
                        let marked = self.ctx.taint.data[k] >> lane & 1 == 1;
                        cell.undefined = if marked { cell.undefined | bytes } else { cell.undefined & !bytes };
                    } else if cell.undefined & bytes != 0 {
                        self.ctx.loaded[k] |= 1 << lane;
                    }
                }
            }
            a += n;
        }
        if group.lds.learned != 0 {
            self.learn_by_lds();
        }
        if let Some((c, lane, at)) = hit {
            self.collide(c, lane, at, write);
        }
        again
    }

    /// Lanes of one instruction have written different values to the same bytes.
    pub(crate) fn lds_differs(&mut self, at: u32, lane: u32) {
        let number = self.ctx.number;
        self.report(Severity::Advice, Kind::LdsRace, None, number, None, Some(lane), |_| {
            (None, format!("two lanes write different values to LDS at {at:#x}: which one stays is not said"))
        });
    }

    /// An LDS-DMA of some dwords is issued.
    pub(crate) fn lds_dma(&mut self, at: u32, dwords: u32, lane: u32) {
        if u64::from(at) + u64::from(4 * dwords) > u64::from(self.lds_bytes) {
            let (number, bytes) = (self.ctx.number, self.lds_bytes);
            self.report(Severity::Error, Kind::Bounds, None, number, None, Some(lane), |_| {
                (None, format!("loads into LDS at {at:#x}, beyond the {bytes} bytes of the workgroup"))
            });
        }
        let t = self.toucher();
        let Some(group) = self.group.as_deref_mut() else { return };
        let mut hit = None;
        for d in 0..dwords {
            if let Some(c) = group.lds.send((at / 4 + d) as usize, t) {
                hit.get_or_insert((c, lane, at + 4 * d));
            }
        }
        if let Some((c, lane, at)) = hit {
            self.collide(c, lane, at, true);
        }
    }

    fn collide(&mut self, c: Collision, lane: u32, at: u32, write: bool) {
        let number = self.ctx.number;
        let mine = if write { "writes" } else { "reads" };
        let (other, kind, need, text) = match c {
            Collision::Written(o) => {
                (o, Kind::LdsRace, "s_waitcnt lgkmcnt(0) and s_barrier between", "which another wave has written with")
            }
            Collision::Read(o) => (o, Kind::LdsRace, "s_barrier between", "which another wave has read with"),
            Collision::InFlight(o, true) => {
                (o, Kind::ReadBeforeWait, "s_waitcnt vmcnt before it", "which this wave has a load on its way to with")
            }
            Collision::InFlight(o, false) => (
                o,
                Kind::LdsRace,
                "s_waitcnt vmcnt in the other wave and s_barrier between",
                "which another wave has a load on its way to with",
            ),
            Collision::SameInstruction => return,
        };
        let kind = if write && kind == Kind::ReadBeforeWait { Kind::WriteBeforeWait } else { kind };
        self.report(Severity::Error, kind, None, number, Some(other), Some(lane), |w| {
            let since = if kind == Kind::LdsRace { " since the last barrier" } else { "" };
            (Some(need.to_owned()), format!("{mine} LDS at {at:#x}, {text} `{}`{since}", w.text(other)))
        });
    }
}

/// Copies device memory, dword by dword where it is aligned.
///
/// # Safety
/// Both are valid for `n` bytes.
unsafe fn copy(from: u64, to: *mut u8, n: usize) {
    let mut i = 0;
    while i < n {
        let p = from + i as u64;
        // SAFETY: as the caller vouches; others may write the memory meanwhile, which atomics allow.
        unsafe {
            if p.is_multiple_of(4) && n - i >= 4 {
                let v = (*(p as *const AtomicU32)).load(Relaxed);
                to.add(i).cast::<u32>().write_unaligned(v);
                i += 4;
            } else {
                *to.add(i) = (*(p as *const core::sync::atomic::AtomicU8)).load(Relaxed);
                i += 1;
            }
        }
    }
}

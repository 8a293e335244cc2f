//! What the watching engine remembers of waves, workgroups and the instruction at hand, and how it tells what it found.
//!
//! The engine's accesses come through here while it executes one instruction: `memory` and `local` (LDS) look at them, `races`
//! says whom they run into.

mod local;
mod memory;
mod races;

use super::caches::{Caches, Who};
use super::clocks::{Known, Messages, SCALAR, Sent, Vc};
use super::finding::{Finding, Kind, Place, Severity};
use super::flight::Flight;
use super::lds::{Lds, Toucher};
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
    /// Least address and one past the largest, if that was easy to say.
    pub reach: Option<(u64, u64)>,
    /// What the wave knew when it issued, and what its caches had been told.
    pub known: (Arc<Vc>, Arc<Vc>),
}

/// A matrix instruction: its number, and the wave's clocks when it issued.
#[derive(Clone, Copy)]
pub(crate) struct Matrix {
    pub number: u32,
    pub clock: u64,
    pub slow: u64,
}

/// What is remembered of a wave.
pub(crate) struct WaveWatch {
    pub flight: Flight,
    pub window: Window,
    /// Issue slots so far, with those in which the matrix pipe was busy for the wave.
    pub clock: u64,
    pub pipe: u64,
    /// Slots beyond the first in which slow vector instructions kept the vector ALU busy.
    pub slow: u64,
    /// The clock when all lanes were last turned on or off at once.
    pub lanes_set: Option<u64>,
    /// Matrix instructions that have issued; the newest are enough.
    pub matrix: Vec<Matrix>,
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
    /// Scalar stores issued, those that a write-back under way covers, and those that are written back.
    pub scalar_stores: u32,
    pub scalar_back: u32,
    pub scalar_complete: u32,
    /// Scalar loads issued, and those that are over.
    pub scalar_loads: u32,
    pub loads_complete: u32,
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
            slow: 0,
            lanes_set: None,
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
            scalar_stores: 0,
            scalar_back: 0,
            scalar_complete: 0,
            scalar_loads: 0,
            loads_complete: 0,
            asleep: 0,
            barriers: 0,
            barrier_at: super::program::NONE,
        }
    }

    /// A wait covers all scalar loads, and the write-back of scalar stores that is under way; whether there was one.
    pub fn scalar_done(&mut self) -> bool {
        let new = self.scalar_back > self.scalar_complete;
        if new || self.scalar_loads > self.loads_complete {
            self.scalar_complete = self.scalar_back;
            self.loads_complete = self.scalar_loads;
            self.message = None;
        }
        new
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
                scalar: w.scalar_complete,
                // Compilers do not wait for them in front of a barrier.
                loads: w.scalar_loads,
            });
        }
        let all = Arc::new(all);
        for w in &mut self.waves {
            w.seen = all.clone();
            w.message = None;
            w.barriers += 1;
        }
        let open: Vec<[u32; 2]> = self.waves.iter().map(|w| w.flight.lds_open_from()).collect();
        self.lds.meet(&open);
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
    /// Which of the wave's scalar stores, or loads, it is, from 1; 0 is none.
    pub scalar_count: u32,
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
        let at = if self.scalar_count > 0 { SCALAR | self.scalar_count } else { self.at };
        Stamp { wave: self.wave, at, number: self.number, bytes, agent, group }
    }
}

/// What a finding is about.
#[derive(Clone, Copy, Default)]
pub(crate) struct At {
    /// The instruction, and the other one where there are two.
    pub number: u32,
    pub other: Option<u32>,
    pub lane: Option<u32>,
    /// In memory or LDS.
    pub address: Option<u64>,
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
    arguments: Option<Arguments>,
}

/// Where the kernel's arguments are in this process.
#[derive(Clone, Copy)]
struct Arguments {
    base: u64,
    size: u64,
}

impl Arguments {
    /// Those of a dispatch, and what follows them in their allocation.
    fn of(shared: &Shared<'_>) -> Option<(Arguments, u64)> {
        let size = shared.config.checked.arguments?;
        let map = shared.memory.snapshot();
        let a = map.find(shared.dispatch.kernarg_va)?;
        let base = a.host() + (shared.dispatch.kernarg_va - a.base());
        Some((Arguments { base, size }, (a.host() + a.size() as u64).saturating_sub(base + size)))
    }
}

impl Watch {
    pub(crate) fn new(shared: &Shared<'_>) -> Watch {
        let options = &shared.config.checked;
        let dispatch: &Dispatch = shared.dispatch;
        let mut unwritten = options.unwritten.clone();
        let arguments = Arguments::of(shared).map(|(a, behind)| {
            unwritten.push((a.base + a.size, behind));
            a
        });
        Watch {
            program: Program::new(),
            shadow: Shadow::new(unwritten),
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
            arguments,
        }
    }

    /// The place of an instruction.
    pub(crate) fn place(&self, number: u32) -> Option<Place> {
        let info = self.program.infos.get(number as usize)?;
        let code = self.code.as_ref().filter(|c| c.contains(info.pc));
        Some(Place {
            pc: code.map_or(info.pc, |c| c.vaddr(info.pc)),
            symbol: code.and_then(|c| c.symbolize(info.pc)).unwrap_or_default(),
            text: self.text(number),
        })
    }

    /// The text of an instruction.
    pub(crate) fn text(&self, number: u32) -> String {
        let written = self.program.infos.get(number as usize).and_then(|i| self.program.infos.get(i.base as usize));
        written.map_or_else(String::new, |i| print::text(&i.inst))
    }

    /// What registers relative to M0 make of an instruction, to be put behind a message.
    fn named(&self, number: u32) -> Option<String> {
        let info = self.program.infos.get(number as usize).filter(|i| i.base != number)?;
        Some(format!("; with M0 as it is, `{}` is `{}`", self.text(number), print::text(&info.inst)))
    }

    /// Makes a finding about the instruction at hand, unless it is known.
    pub(crate) fn report(
        &mut self,
        severity: Severity,
        kind: Kind,
        rule: Option<&'static str>,
        at: At,
        text: impl FnOnce(&Watch) -> (Option<String>, String),
    ) {
        let At { number, other, lane, address } = at;
        let written = self.program.infos.get(number as usize).map_or(number, |i| i.base);
        if !self.reported.insert((written, kind, rule.map_or(0, |r| r.as_ptr() as usize), severity)) {
            return;
        }
        let (need, mut message) = text(self);
        message.extend([Some(number), other].into_iter().flatten().filter_map(|n| self.named(n)));
        let (workgroup, first) = self.group.as_ref().map_or(([0; 3], 1), |g| (g.id, g.first));
        self.sink.add(Finding {
            severity,
            kind,
            rule,
            kernel: self.kernel.clone(),
            workgroup,
            wave: self.ctx.wave.saturating_sub(first),
            lane: lane.filter(|_| !self.ctx.scalar),
            address,
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
}

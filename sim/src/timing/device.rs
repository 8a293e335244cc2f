//! The device: workgroups on compute units, waves on SIMDs, and which of them issues when.
//!
//! A SIMD has an issue slot every four cycles. In a slot each of its waves may issue one instruction, and each pipe
//! takes one: higher `s_setprio` first, then the oldest wave. An instruction is executed by the interpreter at the
//! moment it is issued, so programs that poll, or whose paths depend on who was first, behave as their timing says.
//! When a wave may issue next is known as soon as it has issued, but for barriers and for pipes that others use; so the
//! model goes from event to event and spends nothing on cycles in which nothing happens.

mod first_reads;

use super::address::{self, Canonical, Touched};
use super::elsewhere::{DIES, Elsewhere};
use super::hierarchy::{Hierarchy, Way};
use super::instruction::{self, Cache, Code, Instruction, Operands, Pipe, Vector};
use super::lds::{self, Lds};
use super::parts::Machine;
use super::profile::{Cause, Event, Line, Pipes};
use super::wheel::Wheel;
use crate::dispatch::Dispatch;
use crate::engine::ir::{Access, MemOp, Segment};
use crate::engine::run::Stepped;
use crate::engine::state::{Group, Status};
use crate::engine::stepper::Stepper;
use crate::fault::{Fault, FaultKind};
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use wavesmith_asm::counters::Raises;
use wavesmith_asm::effects::Span;
use wavesmith_asm::sem::{Control, Ds, Space};

/// Cycles without a store, an end or a new workgroup after which waves are taken to wait for each other in vain.
const STALL: u64 = 400_000_000;

/// How much of a dispatch is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Dies, counted from the first.
    pub xcds: u32,
    /// Workgroups of each.
    pub workgroups: u64,
    /// Of each, how many are left out before the first.
    pub from: u64,
}

/// One workgroup's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Its number.
    pub number: u64,
    /// Compute unit.
    pub cu: u32,
    /// First cycle.
    pub start: u64,
    /// Last cycle.
    pub end: u64,
    /// Waves.
    pub waves: u32,
    /// Instructions that had been issued when it ended, by all that were simulated.
    pub issued: u64,
}

struct Wave {
    group: u32,
    index: u32,
    code: Rc<Code>,
    origin: u32,
    /// First cycle at which it may issue, as far as is known.
    ready: u64,
    /// Cycle from which it would have issued, had nothing been in its way.
    since: u64,
    cause: Cause,
    priority: u8,
    vm: VecDeque<u64>,
    lgkm: VecDeque<(u64, bool)>,
    /// Matrix results under way: registers, when accumulation may go on, when anybody may read.
    matrix: Vec<(Span, u64, u64)>,
    /// Scalar results of vector instructions under way.
    scalars: Vec<(Span, u64)>,
    line: u64,
    debt: u32,
    waits: bool,
}

struct Resident {
    group: Box<Group>,
    number: u64,
    start: u64,
    waves: Vec<u32>,
    running: u32,
    at_barrier: u32,
    /// What workgroups of other dies do meanwhile.
    elsewhere: Rc<Elsewhere>,
}

#[derive(Default)]
struct Simd {
    /// Waves, oldest first.
    waves: Vec<u32>,
    next: u64,
    valu_free: u64,
    matrix_free: u64,
    /// The wave whose matrix instruction is, or was last, under way.
    matrix_wave: u32,
    /// Whether the VALU may work beside the matrix instruction under way.
    shares: bool,
    /// Highest priority that a wave has asked for.
    priority: u8,
}

/// How the addresses of an LDS instruction lay to each other when it was last issued, with EXEC, and what came of it.
type Pattern = (Box<[u32; 64]>, u64, lds::Cost);

/// The running model.
pub struct Device<'a, 's> {
    dispatch: &'a Dispatch,
    stepper: &'a mut Stepper<'s>,
    m: Machine,
    /// Caches and memory.
    pub memory: Hierarchy,
    canonical: Canonical,
    touched: Touched,
    /// Room to sort what a wave waits for.
    times: Vec<(u64, bool)>,
    codes: HashMap<usize, Rc<Code>>,
    /// By place in the code.
    pub lines: Vec<Line>,
    waves: Vec<Wave>,
    spare_waves: Vec<u32>,
    residents: Vec<Option<Resident>>,
    spare_residents: Vec<u32>,
    simds: Vec<Simd>,
    lds: Vec<Lds>,
    patterns: Vec<Option<Pattern>>,
    turns: Wheel,
    /// Whether workgroups may wait for each other.
    pub polls: bool,
    /// How much is simulated.
    pub extent: Extent,
    /// How many workgroups, once the first has ended and it is known how many instructions each takes.
    pub grows: Option<Box<dyn Fn(u64) -> u64>>,
    started: Vec<u64>,
    dispatch_free: Vec<u64>,
    /// Ended workgroups.
    pub lives: Vec<Life>,
    /// Work of the pipes.
    pub pipes: Pipes,
    /// Instructions issued.
    pub issued: u64,
    /// Timeline.
    pub events: Vec<Event>,
    trace: usize,
    last_event: u64,
    /// Cycle of the newest issue.
    pub now: u64,
    clock: Clock,
    entry: u64,
    total: u64,
    limit: Option<u64>,
    /// Whether other dies do as the one that is simulated.
    others: bool,
    /// A workgroup of theirs, of which the first reads are looked at, and up to how many instructions.
    other: Option<Box<Group>>,
    looked_at: usize,
    /// Where to say how many instructions were issued so far.
    pub progress: Option<&'a AtomicU64>,
}

/// The core clock under the power that matrix instructions draw.
#[derive(Clone, Debug)]
pub struct Clock {
    fixed: bool,
    peak: f64,
    slope: f64,
    dense: [f64; 4],
    wide: f64,
    next: u64,
    /// Clock now, in GHz.
    pub ghz: f64,
    nanoseconds: f64,
    until: u64,
}

/// Cycles between two looks at the clock.
const CLOCK_STEP: u64 = 4096;
/// Part of the cycles in which the matrix pipes work in the dense kernels whose throttled clocks were measured.
const DENSE: f64 = 0.9;

impl Clock {
    /// The clock of a part: fixed if asked for, else by load.
    pub fn new(m: &Machine, peak_mhz: f64, fixed_mhz: Option<f64>) -> Clock {
        Clock {
            fixed: fixed_mhz.is_some(),
            peak: peak_mhz / 1e3,
            slope: m.clock_slope,
            dense: [m.dense_f16_mhz, m.dense_bf16_mhz, m.dense_8bit_mhz, m.dense_4bit_mhz].map(|f| f / 1e3),
            wide: m.wide_clock,
            next: CLOCK_STEP,
            ghz: fixed_mhz.unwrap_or(peak_mhz) / 1e3,
            nanoseconds: 0.0,
            until: 0,
        }
    }

    /// The clock that a load settles at. The measured clock is that of a dense kernel; with fewer matrix instructions it
    /// rises as `clock_slope` says.
    pub fn settled(&self, pipes: &Pipes, cycles: f64) -> f64 {
        let busy: u64 = pipes.by_operands.iter().sum();
        if self.fixed || busy == 0 || cycles <= 0.0 {
            return if self.fixed { self.ghz } else { self.peak };
        }
        let dense: f64 =
            pipes.by_operands.iter().zip(self.dense).map(|(b, f)| *b as f64 * f).sum::<f64>() / busy as f64;
        let dense = dense * (1.0 - (1.0 - self.wide) * pipes.wide as f64 / busy as f64);
        let load = (busy as f64 / cycles / DENSE).max(1e-6);
        (dense * load.powf(-self.slope)).min(self.peak)
    }

    fn pass(&mut self, t: u64) {
        self.nanoseconds += (t - self.until) as f64 / self.ghz;
        self.until = t;
    }
}

impl<'a, 's> Device<'a, 's> {
    /// A device with nothing on it yet.
    pub fn new(
        dispatch: &'a Dispatch,
        stepper: &'a mut Stepper<'s>,
        m: Machine,
        extent: Extent,
        clock: Clock,
        trace: usize,
        limit: Option<u64>,
    ) -> Device<'a, 's> {
        let sku = dispatch.sku;
        let cus = (extent.xcds * sku.cus_per_xcd()) as usize;
        let xcds = extent.xcds as usize;
        // A workgroup alone has nobody beside it.
        let others = extent.xcds < sku.xcds && extent.workgroups > 1 && sku.xcds as usize <= DIES;
        Device {
            memory: Hierarchy::new(sku, m, extent.xcds, others, clock.ghz),
            canonical: Canonical::default(),
            touched: Touched::default(),
            times: Vec::new(),
            codes: HashMap::new(),
            lines: Vec::new(),
            waves: Vec::new(),
            spare_waves: Vec::new(),
            residents: Vec::new(),
            spare_residents: Vec::new(),
            simds: (0..4 * cus)
                .map(|_| Simd { next: u64::MAX, shares: true, matrix_wave: u32::MAX, ..Simd::default() })
                .collect(),
            lds: vec![Lds::default(); cus],
            patterns: Vec::new(),
            turns: Wheel::new(4 * cus),
            polls: false,
            extent,
            grows: None,
            started: vec![0; xcds],
            dispatch_free: vec![0; xcds],
            lives: Vec::new(),
            pipes: Pipes::default(),
            issued: 0,
            events: Vec::new(),
            trace,
            last_event: 0,
            now: 0,
            clock,
            // Places in the code relative to its page: caches must not depend on where the host mapped it.
            entry: dispatch.entry_va & !4095,
            total: dispatch.workgroups().iter().map(|n| u64::from(*n)).product(),
            limit,
            others,
            other: None,
            looked_at: first_reads::FIRST_READS,
            progress: None,
            dispatch,
            stepper,
            m,
        }
    }

    /// Runs what is to be simulated to its end.
    ///
    /// # Errors
    /// A fault of the kernel, or that it makes no progress.
    pub fn run(&mut self) -> Result<(), Fault> {
        let cus = self.dispatch.sku.cus_per_xcd();
        for xcd in 0..self.extent.xcds {
            for _ in 0..self.stepper.per_cu {
                for cu in 0..cus {
                    self.start_workgroup(xcd, xcd * cus + cu, 0)?;
                }
            }
        }
        while let Some((t, id)) = self.turns.pop() {
            if self.simds[id as usize].next != t {
                continue;
            }
            if t >= self.clock.next {
                self.tick(t);
                if self.nobody_goes_on() {
                    return Err(self.stalled());
                }
            }
            self.now = t;
            self.slot(id, t)?;
            let simd = &mut self.simds[id as usize];
            let ready = simd.waves.iter().map(|w| self.waves[*w as usize].ready).min().unwrap_or(u64::MAX);
            simd.next = aligned(ready.max(t + 4), id);
            if simd.next != u64::MAX {
                self.turns.push(simd.next, id);
            }
            if t > self.last_event + STALL {
                return Err(self.stalled());
            }
            if self.limit.is_some_and(|l| self.issued > l) {
                let text =
                    format!("the model has issued {} wave-instructions, more than the limit set for it", self.issued);
                return Err(Fault::new(FaultKind::Fuel, self.dispatch.kernel.clone(), text));
            }
        }
        if self.residents.iter().any(Option::is_some) {
            return Err(self.stalled());
        }
        self.clock.pass(self.end());
        Ok(())
    }

    /// Cycle at which the last workgroup ended.
    pub fn end(&self) -> u64 {
        self.lives.iter().map(|l| l.end).max().unwrap_or(0)
    }

    /// Average clock, in GHz.
    pub fn average_ghz(&self) -> f64 {
        if self.clock.nanoseconds > 0.0 { self.clock.until as f64 / self.clock.nanoseconds } else { self.clock.ghz }
    }

    /// The clock that the whole load settles at, in GHz, over so many cycles of SIMDs.
    pub fn settled_ghz(&self, cycles: f64) -> f64 {
        self.clock.settled(&self.pipes, cycles)
    }

    /// Cycles that LDS banks were busy, and those of conflicts.
    pub fn lds_cycles(&self) -> (f64, f64) {
        self.lds.iter().fold((0.0, 0.0), |(b, c), l| (b + l.busy, c + l.conflicts))
    }

    /// Whether all waves wait at barriers or for global wave sync, some for the latter: they look for it again and again,
    /// which would pass for work.
    fn nobody_goes_on(&self) -> bool {
        let mut waves = self.residents.iter().flatten().flat_map(|r| {
            let of = |w: &u32| (&r.group.waves[self.waves[*w as usize].index as usize], self.waves[*w as usize].waits);
            r.waves.iter().map(of).filter(|(wave, _)| wave.status != Status::Done)
        });
        let mut any = false;
        waves.all(|(wave, at_barrier)| {
            any |= wave.waiting.is_some();
            at_barrier || wave.waiting.is_some()
        }) && any
    }

    fn stalled(&self) -> Fault {
        let resident = self.residents.iter().flatten().count();
        let (who, what) = if self.nobody_goes_on() {
            (
                "every wave",
                "waits for global wave sync (ds_gws_sema_p, ds_gws_barrier) or a barrier, and nobody is left to signal",
            )
        } else {
            ("no wave", "stores or ends any more: they wait for each other")
        };
        let text = format!(
            "{who} of the {resident} resident workgroups {what}{}",
            if self.extent.xcds < self.dispatch.sku.xcds || self.total > self.lives.len() as u64 + resident as u64 {
                ", or for workgroups that are not simulated: time all of it with --full"
            } else {
                ""
            }
        );
        Fault::new(FaultKind::Stall, self.dispatch.kernel.clone(), text)
    }

    fn tick(&mut self, t: u64) {
        if let Some(progress) = self.progress {
            progress.store(self.issued, Ordering::Relaxed);
        }
        self.clock.pass(t);
        self.clock.next = t + CLOCK_STEP;
        // Only SIMDs that have work draw the power of it.
        let cycles = t as f64 * self.simds.len() as f64;
        let settled = self.clock.settled(&self.pipes, cycles);
        if !self.clock.fixed {
            self.clock.ghz += (settled - self.clock.ghz) / 2.0;
        }
        self.memory.ghz = self.clock.ghz;
    }

    /// Starts the die's next workgroup on a compute unit, if there is one.
    fn start_workgroup(&mut self, xcd: u32, cu: u32, t: u64) -> Result<(), Fault> {
        let i = self.started[xcd as usize];
        let number = u64::from(xcd) + (self.extent.from + i) * u64::from(self.dispatch.sku.xcds);
        if i >= self.extent.workgroups || number >= self.total {
            return Ok(());
        }
        self.started[xcd as usize] += 1;
        let elsewhere = self.elsewhere(number, cu);
        let mut group = self.stepper.group(number, cu)?;
        group.xcc = xcd;
        let n = group.waves.len() as u32;
        let each = self.m.dispatch_workgroup.max(self.m.dispatch_wave * f64::from(n)).round() as u64;
        let sent = t.max(self.dispatch_free[xcd as usize]) + each;
        self.dispatch_free[xcd as usize] = sent;
        // What it takes to the first ones of a dispatch is part of the time before it.
        let start = if t > 0 { sent + self.m.workgroup_turn as u64 } else { sent };
        let slot = self.spare_residents.pop().unwrap_or_else(|| {
            self.residents.push(None);
            self.residents.len() as u32 - 1
        });
        let mut waves = Vec::new();
        for index in 0..n {
            let code = self.code(&group.waves[index as usize].segment);
            let origin = code.first.first().copied().unwrap_or(0);
            let wave = Wave {
                group: slot,
                index,
                code,
                origin,
                ready: start,
                since: start,
                cause: Cause::Fetch,
                priority: 0,
                vm: VecDeque::new(),
                lgkm: VecDeque::new(),
                matrix: Vec::new(),
                scalars: Vec::new(),
                line: u64::MAX,
                debt: 0,
                waits: false,
            };
            let w = match self.spare_waves.pop() {
                Some(w) => {
                    self.waves[w as usize] = wave;
                    w
                }
                None => {
                    self.waves.push(wave);
                    self.waves.len() as u32 - 1
                }
            };
            // The SIMD with the fewest waves; of those, wave i goes to SIMD i mod 4.
            let base = 4 * cu as usize;
            let simd = (0..4)
                .map(|k| base + (index as usize + k) % 4)
                .min_by_key(|s| self.simds[*s].waves.len())
                .unwrap_or(base);
            self.simds[simd].waves.push(w);
            waves.push(w);
            self.prepare(w, cu, start, start, Cause::Fetch);
            self.wake(simd as u32, self.waves[w as usize].ready);
        }
        self.residents[slot as usize] =
            Some(Resident { group, number, start, waves, running: n, at_barrier: 0, elsewhere });
        self.last_event = self.last_event.max(start);
        Ok(())
    }

    fn wake(&mut self, id: u32, ready: u64) {
        let at = aligned(ready, id);
        let simd = &mut self.simds[id as usize];
        if at < simd.next {
            simd.next = at;
            self.turns.push(at, id);
        }
    }

    fn code(&mut self, segment: &Arc<Segment>) -> Rc<Code> {
        let key = Arc::as_ptr(segment) as usize;
        if let Some(code) = self.codes.get(&key) {
            return code.clone();
        }
        let code = Rc::new(Code::of(segment.clone(), &self.m, self.lines.len()));
        self.lines.extend(segment.origins.iter().map(|o| Line {
            pc: o.pc,
            inst: o.inst,
            issues: 0,
            busy: 0,
            stalls: [0; Cause::COUNT],
        }));
        self.stepper.unverified |= segment.unverified_rounding;
        self.codes.insert(key, code.clone());
        code
    }

    /// One issue slot of a SIMD.
    fn slot(&mut self, id: u32, t: u64) -> Result<(), Fault> {
        let mut used = 0u8;
        let top = self.simds[id as usize].priority;
        for priority in (0..=top).rev() {
            let mut k = 0;
            while k < self.simds[id as usize].waves.len() {
                let w = self.simds[id as usize].waves[k];
                let wave = &self.waves[w as usize];
                if wave.ready > t || top > 0 && wave.priority != priority {
                    k += 1;
                    continue;
                }
                let code = wave.code.clone();
                let i = &code.instructions[wave.origin as usize];
                let bit = 1u8 << i.pipe as u8;
                if i.pipe != Pipe::Buffer && used & bit != 0 {
                    k += 1;
                    continue;
                }
                if let Some((until, cause)) = self.blocked(id, w, i, t) {
                    let wave = &mut self.waves[w as usize];
                    wave.ready = until;
                    wave.cause = cause;
                    k += 1;
                    continue;
                }
                used |= bit;
                let ended = self.issue(id, w, &code, t)?;
                if !ended {
                    k += 1;
                }
            }
        }
        Ok(())
    }

    /// Whether a pipe or queue is not free for an instruction, until when, and which.
    fn blocked(&self, id: u32, w: u32, i: &Instruction, t: u64) -> Option<(u64, Cause)> {
        let simd = &self.simds[id as usize];
        let (until, cause) = match i.pipe {
            Pipe::Vector => {
                let (mut until, mut cause) = (simd.valu_free, Cause::VectorBusy);
                let beside = match i.vector {
                    Vector::Matrix { .. } => simd.matrix_free,
                    // Another wave's costs its own cycles only: about 5 an instruction were seen.
                    Vector::Packed if simd.matrix_wave == w => simd.matrix_free + self.m.pk_after_mfma as u64,
                    Vector::Packed => simd.matrix_free,
                    Vector::Plain(_) if !simd.shares => simd.matrix_free,
                    Vector::Plain(_) => 0,
                };
                if beside > until {
                    (until, cause) = (beside, Cause::MatrixBusy);
                }
                (until, cause)
            }
            Pipe::Memory => {
                let wave = &self.waves[w as usize];
                // Six bits count what is outstanding.
                let full = if wave.vm.len() >= 64 { wave.vm[wave.vm.len() - 64] } else { 0 };
                (self.memory.may_issue(id / 4).max(full), Cause::MemoryQueue)
            }
            Pipe::Lds => {
                let wave = &self.waves[w as usize];
                let full = if wave.lgkm.len() >= 16 { wave.lgkm[wave.lgkm.len() - 16].0 } else { 0 };
                (self.lds[id as usize / 4].may_issue(id as usize % 4, &self.m).max(full), Cause::LdsQueue)
            }
            _ => return None,
        };
        (until > t).then_some((until, cause))
    }

    /// Issues a wave's next instruction. True if that ended the wave.
    fn issue(&mut self, id: u32, w: u32, code: &Rc<Code>, t: u64) -> Result<bool, Fault> {
        let cu = id / 4;
        let (slot, index, origin) = {
            let wave = &self.waves[w as usize];
            (wave.group as usize, wave.index as usize, wave.origin)
        };
        let i = &code.instructions[origin as usize];
        let Some(mut resident) = self.residents[slot].take() else { return Ok(true) };
        let mut next = t + 4;
        let mut cause = Cause::Arbitration;
        let mut busy = 4u32;
        if self.others && (i.memory.is_some() && i.pipe == Pipe::Memory || i.scalar_memory.is_some()) {
            self.memory.elsewhere.clone_from(&resident.elsewhere);
        }
        match i.pipe {
            Pipe::Vector => busy = self.vector(id, w, i, t, resident.group.waves[index].exec()),
            Pipe::Memory => {
                if let Some(done) = self.vector_memory(w, cu, code, i, t, &resident.group, index) {
                    (next, cause) = (done, Cause::CacheControl);
                }
            }
            Pipe::Lds => self.lds_access(id, w, code, i, origin, t, &resident.group, index),
            Pipe::Scalar => {
                if i.raises == Raises::Scalar {
                    self.scalar_memory(w, cu, code, i, t, &resident.group, index);
                }
            }
            Pipe::Branch | Pipe::Buffer => {
                if i.raises == Raises::Message {
                    self.waves[w as usize].lgkm.push_back((t + 4, true));
                }
            }
        }
        // What ended by now no longer counts.
        let wave = &mut self.waves[w as usize];
        while wave.vm.front().is_some_and(|d| *d <= t) {
            wave.vm.pop_front();
        }
        while wave.lgkm.front().is_some_and(|d| d.0 <= t) {
            wave.lgkm.pop_front();
        }
        let stepped = self.stepper.step(&mut resident.group, index, &code.segment, origin, 1_000_000 + t)?;
        self.count(code, i, origin, w, t, busy, (&resident, id));
        match i.control {
            Some(Control::Nop) => {
                next = t + 4 * (u64::from(i.imm & 15) + 1);
                cause = Cause::Asked;
            }
            Some(Control::SetPrio) => {
                self.waves[w as usize].priority = (i.imm & 3) as u8;
                let simd = &mut self.simds[id as usize];
                simd.priority = simd.waves.iter().map(|w| self.waves[*w as usize].priority).max().unwrap_or(0);
            }
            _ => {}
        }
        if let Some(conditional) = i.branch {
            let taken = !conditional || !matches!(stepped, Stepped::Block(b) if follows(code, origin, b));
            next = t + if taken { self.m.branch_taken } else { self.m.branch_not_taken } as u64;
            cause = Cause::Branch;
        }
        let wave = &mut self.waves[w as usize];
        let mut ended = false;
        match stepped {
            Stepped::On => wave.origin += 1,
            Stepped::Block(b) => wave.origin = code.first[b as usize],
            Stepped::Segment => {
                let segment = resident.group.waves[index].segment.clone();
                let other = self.code(&segment);
                let wave = &mut self.waves[w as usize];
                wave.origin = other.first.first().copied().unwrap_or(0);
                wave.code = other;
            }
            Stepped::Sleep(b) => {
                wave.origin = code.first[b as usize];
                next = t + 4 + 64 * u64::from(i.imm & 127);
                cause = Cause::Asked;
            }
            Stepped::Barrier(b) => {
                wave.origin = code.first[b as usize];
                wave.waits = true;
                wave.ready = u64::MAX;
                wave.since = t + 4;
                resident.at_barrier += 1;
            }
            Stepped::End => {
                ended = true;
                resident.running -= 1;
            }
        }
        let opens = resident.at_barrier > 0 && resident.at_barrier == resident.running;
        let over = resident.running == 0;
        if ended {
            self.simds[id as usize].waves.retain(|x| *x != w);
            self.last_event = t;
        } else if !self.waves[w as usize].waits {
            self.prepare(w, cu, next, t + 4, cause);
        }
        if opens {
            resident.at_barrier = 0;
            let lone = resident.waves.len() == 1;
            let go = t + if lone { 4 } else { 4 + self.m.barrier as u64 };
            for &x in &resident.waves {
                let wave = &mut self.waves[x as usize];
                if !wave.waits {
                    continue;
                }
                wave.waits = false;
                resident.group.waves[wave.index as usize].status = Status::Ready;
                let since = wave.since;
                self.prepare(x, cu, go, since, Cause::Barrier);
            }
            for s in 4 * cu..4 * cu + 4 {
                let ready = self.simds[s as usize].waves.iter().map(|x| self.waves[*x as usize].ready).min();
                if s != id
                    && let Some(ready) = ready
                {
                    self.wake(s, ready.max(t));
                }
            }
        }
        if over {
            self.spare_waves.extend(&resident.waves);
            self.lives.push(Life {
                number: resident.number,
                cu,
                start: resident.start,
                end: t + 4,
                waves: resident.waves.len() as u32,
                issued: self.issued,
            });
            self.spare_residents.push(slot as u32);
            drop(resident);
            if let Some(grows) = self.grows.take() {
                let begun = 1 + self.residents.iter().flatten().count() as u64;
                self.extent.workgroups = grows(self.issued / begun).max(self.extent.workgroups);
            }
            self.start_workgroup(cu / self.dispatch.sku.cus_per_xcd(), cu, t + 4)?;
        } else {
            self.residents[slot] = Some(resident);
        }
        Ok(ended)
    }

    /// Works out when a wave may issue what comes next, not before `from`; it waits since `since`.
    fn prepare(&mut self, w: u32, cu: u32, from: u64, since: u64, why: Cause) {
        let wave = &mut self.waves[w as usize];
        let code = wave.code.clone();
        let i = &code.instructions[wave.origin as usize];
        let (mut ready, mut cause) = (from, why);
        let mut until = |t: u64, c: Cause| {
            if t > ready {
                (ready, cause) = (t, c);
            }
        };
        let place = i.pc.wrapping_sub(self.entry);
        let line = place / self.m.icache_line as u64;
        if line != wave.line {
            wave.line = line;
            until(self.memory.fetch(from, cu, place), Cause::Fetch);
        }
        if i.bytes == 4 {
            // Half of what the instruction buffer gets in a slot: what is left over makes up for what was short.
            wave.debt = wave.debt.saturating_sub(1);
        } else if i.bytes == 8 && place % 8 == 4 {
            wave.debt += self.m.misaligned_fetch as u32;
            if wave.debt >= 4 {
                wave.debt -= 4;
                until(from + 4, Cause::Fetch);
            }
        }
        if i.control == Some(Control::Waitcnt) {
            let wait = instruction::wait(i);
            let n = wave.vm.len();
            if n > wait.vm as usize && wait.vm < 63 {
                until(wave.vm[n - 1 - wait.vm as usize], Cause::VectorMemory);
            }
            let n = wave.lgkm.len();
            if n > wait.lgkm as usize && wait.lgkm < 15 {
                let last = if wait.lgkm == 0 {
                    wave.lgkm.iter().max().copied()
                } else {
                    self.times.clear();
                    self.times.extend(wave.lgkm.iter());
                    self.times.sort_unstable();
                    self.times.get(n - 1 - wait.lgkm as usize).copied()
                };
                if let Some((t, scalar)) = last {
                    until(t, if scalar { Cause::ScalarMemory } else { Cause::LdsData });
                }
            }
        }
        if i.control == Some(Control::EndPgm) {
            // A wave ends with everything it asked for done: the hardware waits as `s_waitcnt 0` would.
            if let Some(last) = wave.vm.back() {
                until(*last, Cause::VectorMemory);
            }
            if let Some((last, _)) = wave.lgkm.iter().max() {
                until(*last, Cause::LdsData);
            }
        }
        if !wave.matrix.is_empty() {
            wave.matrix.retain(|r| r.2 > from);
            for (span, accumulate, read) in &wave.matrix {
                let mut touched = i.touched[..i.touches as usize].iter().filter(|s| s.overlaps(*span)).peekable();
                if touched.peek().is_none() {
                    continue;
                }
                let chained =
                    i.accumulator == *span && touched.all(|s| *s == *span) && matches!(i.vector, Vector::Matrix { .. });
                until(if chained { *accumulate } else { *read }, Cause::MatrixResult);
            }
        }
        if i.scalar_consumer && !wave.scalars.is_empty() {
            wave.scalars.retain(|r| r.1 > from);
            for (span, t) in &wave.scalars {
                if i.touched[..i.touches as usize].iter().any(|s| s.overlaps(*span)) {
                    until(*t, Cause::ScalarResult);
                }
            }
        }
        wave.ready = ready;
        wave.cause = cause;
        wave.since = since;
    }

    fn vector(&mut self, id: u32, w: u32, i: &Instruction, t: u64, exec: u64) -> u32 {
        let simd = &mut self.simds[id as usize];
        let busy = match i.vector {
            Vector::Plain(cycles) => {
                simd.valu_free = t + u64::from(cycles);
                self.pipes.valu += u64::from(cycles);
                u32::from(cycles)
            }
            Vector::Packed => {
                simd.valu_free = t + 4;
                self.pipes.valu += 4;
                4
            }
            Vector::Matrix { passes, shares, latency } => {
                let cycles = 4 * u64::from(passes);
                simd.valu_free = t + 4;
                simd.matrix_free = t + cycles;
                simd.matrix_wave = w;
                simd.shares = shares;
                self.pipes.valu += 4;
                self.pipes.matrix += cycles;
                let class = match i.operands {
                    Operands::Half => 0,
                    Operands::Brain => 1,
                    Operands::Eight => 2,
                    Operands::Four => 3,
                };
                self.pipes.by_operands[class] += cycles;
                self.pipes.wide += if i.wide { cycles } else { 0 };
                // Two passes are too few to hide the way back: two wait states even to the same accumulator.
                let accumulate = t + if passes <= 2 { cycles + 4 } else { cycles };
                let wave = &mut self.waves[w as usize];
                wave.matrix.push((i.destination, accumulate, t + u64::from(latency)));
                self.pipes.matrix_flops += f64::from(i.flops);
                cycles as u32
            }
        };
        let lanes = if matches!(i.vector, Vector::Matrix { .. }) { 64 } else { exec.count_ones() };
        self.pipes.flops += f64::from(i.flops) * f64::from(lanes) / 64.0;
        if i.scalar_result.count > 0 {
            let wave = &mut self.waves[w as usize];
            wave.scalars.retain(|r| r.1 > t);
            wave.scalars.push((i.scalar_result, t + self.m.scalar_from_vector as u64));
        }
        busy
    }

    /// A vector memory instruction. Cache control gives when the wave may go on.
    #[allow(clippy::too_many_arguments)]
    fn vector_memory(
        &mut self,
        w: u32,
        cu: u32,
        code: &Code,
        i: &Instruction,
        t: u64,
        group: &Group,
        index: usize,
    ) -> Option<u64> {
        if let Some(cache) = i.cache {
            let done = self.memory.maintain(t, cu, cache == Cache::WriteBack);
            if i.raises == Raises::Vm {
                self.push_vm(w, done);
                return None;
            }
            return Some(done);
        }
        let op = &code.segment.mems[i.memory? as usize];
        let shift = self.memory.line_shift();
        let wave = &group.waves[index];
        address::touched(op, wave, shift, &mut self.canonical, self.stepper.view(), &mut self.touched);
        let way = Way {
            device: op.sc1,
            store: matches!(op.access, Access::Store(_) | Access::StoreLds),
            atomic: matches!(op.access, Access::Atomic { .. }),
        };
        if way.store || way.atomic {
            self.last_event = t;
        }
        let done = if self.touched.lanes == 0 { t + 4 } else { self.memory.vector(t, cu, &self.touched, way) };
        if matches!(op.access, Access::LoadLds(_)) {
            self.lds[cu as usize].fill(t, self.touched.bytes);
        }
        self.push_vm(w, done);
        if i.raises == Raises::Flat {
            self.waves[w as usize].lgkm.push_back((done, false));
        }
        None
    }

    fn push_vm(&mut self, w: u32, done: u64) {
        let vm = &mut self.waves[w as usize].vm;
        // The counter drops in order.
        vm.push_back(vm.back().copied().unwrap_or(0).max(done));
    }

    #[allow(clippy::too_many_arguments)]
    fn lds_access(
        &mut self,
        id: u32,
        w: u32,
        code: &Code,
        i: &Instruction,
        origin: u32,
        t: u64,
        group: &Group,
        index: usize,
    ) {
        let Some(op) = i.memory.map(|m| &code.segment.mems[m as usize]) else {
            self.waves[w as usize].lgkm.push_back((t + 4, false));
            return;
        };
        let wave = &group.waves[index];
        let done = if let Access::Ds(Ds::Swizzle | Ds::Permute | Ds::Bpermute) = op.access {
            let shape = lds::Shape { dwords: 1, write: false, both: false };
            let cost = lds::Cost { total: 2, conflicts: 0, banks: 2 };
            let done = self.lds[id as usize / 4].access(t, id as usize % 4, shape, 1, cost, &self.m);
            done.max(t + self.m.lds_permute as u64)
        } else {
            let place = code.base + origin as usize;
            let (shape, dwords) = shape(op);
            let array = self.pattern(place, op, wave, shape);
            self.lds[id as usize / 4].access(t, id as usize % 4, shape, dwords, array, &self.m)
        };
        let lgkm = &mut self.waves[w as usize].lgkm;
        let last = lgkm.iter().rev().find(|d| !d.1).map_or(0, |d| d.0);
        lgkm.push_back((done.max(last), false));
    }

    /// Bank cycles of an access. Loops repeat the same pattern of addresses, moved as a whole, which changes nothing.
    fn pattern(&mut self, place: usize, op: &MemOp, wave: &crate::engine::state::Wave, shape: lds::Shape) -> lds::Cost {
        let target = self.dispatch.sku.target;
        let mut at = address::lds(op, wave);
        let exec = wave.exec();
        let first = at[0] & !3;
        at.iter_mut().for_each(|a| *a = a.wrapping_sub(first));
        if self.patterns.len() <= place {
            self.patterns.resize(place + 1, None);
        }
        if let Some((known, e, cycles)) = &self.patterns[place]
            && *e == exec
            && **known == at
        {
            return *cycles;
        }
        let aligned: [u32; 64] = core::array::from_fn(|i| at[i].wrapping_add(1 << 20));
        let mut cost = lds::cycles(target, shape, &aligned, exec);
        if matches!(op.access, Access::Load2(_) | Access::Store2(_) | Access::Exchange2(_)) {
            cost = cost.times(2);
        }
        self.patterns[place] = Some((Box::new(at), exec, cost));
        cost
    }

    #[allow(clippy::too_many_arguments)]
    fn scalar_memory(&mut self, w: u32, cu: u32, code: &Code, i: &Instruction, t: u64, group: &Group, index: usize) {
        let mut done = t + self.m.scalar_latency as u64;
        let mut counts = 1;
        if let Some(op) = i.scalar_memory.map(|s| &code.segment.smems[s as usize]) {
            let wave = &group.waves[index];
            if let Some((first, lines)) = address::scalar(op, wave, 6, &mut self.canonical, self.stepper.view()) {
                done = match op.atomic {
                    Some(_) => self.memory.scalar_past(t, cu, first, true),
                    None if i.fresh => self.memory.scalar_past(t, cu, first, false),
                    None => self.memory.scalar(t, cu, first, lines),
                };
            }
            counts = if op.dwords > 1 { 2 } else { 1 };
        }
        for _ in 0..counts {
            self.waves[w as usize].lgkm.push_back((done, true));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn count(
        &mut self,
        code: &Code,
        i: &Instruction,
        origin: u32,
        w: u32,
        t: u64,
        busy: u32,
        (resident, id): (&Resident, u32),
    ) {
        self.issued += 1;
        self.pipes.issued[i.pipe as usize] += 1;
        let place = code.base + origin as usize;
        let wave = &self.waves[w as usize];
        let waited = t.saturating_sub(wave.since);
        let line = &mut self.lines[place];
        line.issues += 1;
        line.busy += u64::from(busy);
        if waited > 0 {
            line.stalls[wave.cause as usize] += waited;
        }
        if self.events.len() < self.trace {
            self.events.push(Event {
                cu: id / 4,
                simd: id % 4,
                workgroup: resident.number,
                wave: wave.index,
                at: t,
                busy,
                waited: waited.min(u64::from(u32::MAX)) as u32,
                cause: wave.cause,
                line: place as u32,
            });
        }
    }
}

/// The first slot of a SIMD at or after a cycle.
fn aligned(t: u64, id: u32) -> u64 {
    if t == u64::MAX {
        return t;
    }
    let phase = u64::from(id % 4);
    t + (phase + 4 - t % 4) % 4
}

/// Whether code may wait for other workgroups: loops that look at memory past the caches, device-scope loads, returning
/// atomics or sleeps.
pub fn polls(segment: &Segment) -> bool {
    use crate::engine::ir::Uop;
    segment.blocks.iter().any(|b| b.polls)
        || segment.uops.iter().any(|u| matches!(u, Uop::Sleep { .. }))
        || segment.mems.iter().filter(|m| m.space != Space::Lds).any(|m| match m.access {
            Access::Load(_) => m.sc1,
            Access::Atomic { ret, .. } => ret,
            _ => false,
        })
}

/// Whether a block begins right behind an instruction.
fn follows(code: &Code, origin: u32, block: u32) -> bool {
    let i = &code.instructions[origin as usize];
    code.first
        .get(block as usize)
        .is_some_and(|f| code.instructions.get(*f as usize).is_some_and(|j| j.pc == i.pc + u64::from(i.bytes)))
}

/// What an LDS access is to the banks, and the dwords a lane moves in all.
fn shape(op: &MemOp) -> (lds::Shape, u32) {
    let plain = |dwords: u32, write: bool| lds::Shape { dwords, write, both: false };
    match op.access {
        Access::Load2(n) => (plain(u32::from(n), false), 2 * u32::from(n)),
        Access::Store2(n) => (plain(u32::from(n), true), 2 * u32::from(n)),
        Access::Exchange2(n) => (lds::Shape { both: true, ..plain(u32::from(n), true) }, 4 * u32::from(n)),
        Access::Atomic { .. } | Access::Src2 { .. } => {
            let n = address::width(op) / 4;
            (lds::Shape { both: true, ..plain(n, true) }, 2 * n)
        }
        Access::Store(_) => {
            let n = address::width(op).div_ceil(4);
            (plain(n, true), n)
        }
        _ => {
            let n = address::width(op).div_ceil(4);
            (plain(n, false), n)
        }
    }
}

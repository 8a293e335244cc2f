//! Workgroups over worker threads.
//!
//! As many workgroups as the part holds are resident; the rest wait for one to end. Resident workgroups go round a
//! queue: a thread takes the first, gives each of its waves a share of a few dozen instructions, again and again until
//! one of them waits for others or a few thousand are done, and puts it back. So a workgroup is on one thread at a time
//! and every wave gets its turn. That is what spinning kernels need: a producer is never starved by those who poll for
//! it, and those are passed over while nothing happens. New ones come before those that had a turn, so all that are
//! resident have begun before any goes on.
//!
//! Clocks count issued wave-instructions of the dispatch.

use super::ir::Segment;
use super::kept::{Key, Source};
use super::lanes::Level;
use super::lower::{self, Layout, Mode};
use super::run::{Pause, Trouble, Worker};
use super::start;
use super::state::{Group, Status};
use crate::config::Config;
use crate::dispatch::Dispatch;
use crate::fault::{Fault, FaultKind, Stats};
use crate::memory::{Memory, View};
use parking_lot::{Condvar, Mutex, RwLock};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{
    AtomicBool, AtomicI64, AtomicU64,
    Ordering::{Relaxed, SeqCst},
};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Instructions that a wave gets before the next one's turn. Shipping kernels rely on waves of a workgroup advancing
/// together closer than their barriers say, so the share is small.
const SHARE: u64 = 48;

/// The same for the only wave of a workgroup.
const LONE_SHARE: u64 = 16 * SHARE;

/// How long a thread of a stuck dispatch that may still be released from outside sleeps between turns.
const NAP: Duration = Duration::from_micros(200);

/// Turns in a row that a workgroup gets while it does not wait for others. A workgroup's registers and LDS are some
/// hundred kilobytes: going round all that are resident after every share would fetch them from memory each time.
const ROUNDS: u32 = 64;

/// The same for the first turn of one whose kernel adds to memory atomically. Workgroups start together on silicon and
/// advance together, and shipping kernels rely on that: each clears its part of what all of them add to.
const FIRST_ROUNDS: u32 = 8;

/// Times that a workgroup which only waits is passed over while nothing happens that could wake it. Small, because the
/// host may store what it waits for, of which nothing is heard.
const PATIENCE: u32 = 8;
/// The same while another thread has a workgroup in hand, whose next store is heard of.
const LONG_PATIENCE: u32 = 128;

/// How long a thread waits before it looks again at workgroups that all wait for another thread's.
const PAUSE: Duration = Duration::from_micros(20);

/// How long a dispatch keeps to one thread: about what starting another and waiting for its end costs.
const ALONE: Duration = Duration::from_micros(30);

/// Dispatches of the process that do something: they may store to memory that a quiet one polls.
pub(crate) static ACTIVE: AtomicI64 = AtomicI64::new(0);

/// Counts what may have released a polling dispatch from outside: dispatches that begin or end, copies.
static OUTSIDE: AtomicU64 = AtomicU64::new(0);

/// Dispatches that run, by their priority.
static RUNNING: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

/// Memory was written, not by a dispatch, that one may be polling.
pub fn disturbed() {
    OUTSIDE.fetch_add(1, SeqCst);
}

/// Code, and the words it was made of.
type Made = (Arc<Segment>, Arc<Source>);

/// What all threads of a dispatch share.
pub struct Shared<'m> {
    pub(crate) dispatch: &'m Dispatch,
    pub(crate) memory: &'m Memory,
    pub(crate) config: &'m Config,
    pub(super) level: Level,
    pub(crate) layout: Layout,
    pub(super) scratch_bytes: u32,
    /// Workgroups in each dimension.
    pub(super) counts: [u32; 3],
    pub(super) clocks_per_tick: u64,
    segments: RwLock<HashMap<(u64, Mode), Made>>,
    /// Where every wave begins.
    pub(super) entry: OnceLock<Arc<Segment>>,
    /// Whether its code adds to memory.
    adds: OnceLock<bool>,
    issued: AtomicU64,
    unverified: AtomicBool,
    /// Counts what may wake a poller: stores, ends, clocks that were read.
    events: AtomicU64,
    /// Instructions issued when the last of them was.
    event_at: AtomicU64,
    /// Whether nothing has happened for long, so that this dispatch does not count as active.
    quiet: AtomicBool,
    stop: AtomicBool,
    queue: Mutex<Queue>,
    wake: Condvar,
}

struct Queue {
    resident: VecDeque<Box<Group>>,
    /// Workgroups that threads have in hand.
    in_hand: u32,
    /// Of each of these, the turns that it has had.
    turns: Vec<u32>,
    /// Number of the next workgroup to start.
    next: u64,
    total: u64,
    capacity: u32,
    free_cus: VecDeque<u32>,
    fault: Option<Fault>,
    /// Workgroups known to be stuck, and since which event.
    stuck: (u64, u32),
    /// Since when all of them are.
    all_stuck: Option<Instant>,
    waves: u64,
    most_resident: u32,
    /// Workgroups that have ended, for the next ones.
    #[allow(clippy::vec_box, reason = "they move from hand to hand as they are")]
    spare: Vec<Box<Group>>,
}

/// Cores of the host. Asking reads files of the kernel's, which takes longer than a small dispatch: once is enough.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, |n| n.get()))
}

impl<'m> Shared<'m> {
    /// Prepares a dispatch.
    ///
    /// # Errors
    /// A [`Fault`] that says what the part cannot give.
    pub fn new(dispatch: &'m Dispatch, memory: &'m Memory, config: &'m Config) -> Result<Shared<'m>, Fault> {
        let plan = start::plan(dispatch)?;
        let total = dispatch.workgroups().iter().map(|n| u64::from(*n)).product();
        let cus = match &config.cus {
            Some(cus) => cus.iter().copied().filter(|cu| *cu < dispatch.sku.cus).collect(),
            None => Vec::from_iter(0..dispatch.sku.cus),
        };
        let capacity = plan.per_cu * cus.len() as u32;
        if capacity == 0 {
            let text = "the queue's CU mask leaves no compute unit".to_owned();
            return Err(Fault::new(FaultKind::Resources, dispatch.kernel.clone(), text));
        }
        let free_cus = (0..plan.per_cu).flat_map(|_| cus.iter().copied()).collect();
        Ok(Shared {
            dispatch,
            memory,
            config,
            level: config.level.map_or_else(Level::detect, |l| l.min(Level::detect())),
            layout: plan.layout,
            scratch_bytes: plan.scratch_bytes,
            counts: dispatch.workgroups(),
            clocks_per_tick: u64::from(dispatch.sku.clock_mhz / 100).max(1),
            segments: RwLock::new(HashMap::new()),
            entry: OnceLock::new(),
            adds: OnceLock::new(),
            issued: AtomicU64::new(0),
            unverified: AtomicBool::new(false),
            events: AtomicU64::new(0),
            event_at: AtomicU64::new(0),
            quiet: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            queue: Mutex::new(Queue {
                resident: VecDeque::new(),
                in_hand: 0,
                turns: Vec::new(),
                next: 0,
                total,
                capacity,
                free_cus,
                fault: None,
                stuck: (0, 0),
                all_stuck: None,
                waves: 0,
                most_resident: 0,
                spare: Vec::new(),
            }),
            wake: Condvar::new(),
        })
    }

    /// The clock of a thread that has not reported `pending` instructions yet.
    #[inline]
    pub(super) fn clock(&self, pending: u64) -> u64 {
        // Not zero at the start: programs take 0 for "no time yet".
        1_000_000 + self.issued.load(Relaxed) + pending
    }

    /// Workgroups of the dispatch, and how many of them the part holds.
    pub(crate) fn size(&self) -> (u64, u32) {
        let q = self.queue.lock();
        (q.total, q.capacity)
    }

    /// Whether code was lowered whose rounding is not known to be the silicon's.
    pub(crate) fn unverified(&self) -> bool {
        self.unverified.load(Relaxed)
    }

    /// Code at an address, lowered for a MODE.
    pub(crate) fn segment(&self, pc: u64, mode: Mode, view: &mut View<'_>) -> Result<Arc<Segment>, Trouble> {
        if let Some((s, _)) = self.segments.read().get(&(pc, mode)) {
            return Ok(s.clone());
        }
        let key = Key { pc, mode, layout: self.layout, engine: self.config.engine, level: self.level };
        if let Some(kept) = self.memory.kept.find(&key, view) {
            self.unverified.fetch_or(kept.0.unverified_rounding, Relaxed);
            return Ok(self.segments.write().entry((pc, mode)).or_insert(kept).0.clone());
        }
        let mut source = Source::default();
        let mut fetch = |at: u64| {
            let mut words = [0; 4];
            let mut have = 0;
            while have < 4 && at.is_multiple_of(4) {
                let Ok(p) = view.resolve(at + 4 * have as u64, 4) else { break };
                // SAFETY: the address is mapped and aligned; code is not written while it runs, and if it is, a
                // relaxed atomic read is still sound.
                words[have] = unsafe { (*p.cast::<core::sync::atomic::AtomicU32>()).load(Relaxed) };
                have += 1;
            }
            source.note(at, &words[..have], have == 4);
            (words, have)
        };
        #[allow(unused_mut)]
        let mut made = match self.config.engine {
            // Everything is looked at between instructions, so each is a block.
            crate::EngineKind::Checked => lower::segment_of_blocks(self.layout, mode, pc, &mut fetch, 1),
            _ => lower::segment(self.layout, mode, pc, &mut fetch),
        };
        #[cfg(all(target_arch = "x86_64", unix))]
        if self.config.engine == crate::EngineKind::Jit {
            made.native = super::jit::compile(&made, self.level);
        }
        let (made, source) = (Arc::new(made), Arc::new(source));
        if self.config.engine != crate::EngineKind::Checked {
            self.memory.kept.keep(key, &made, source.clone());
        }
        self.unverified.fetch_or(made.unverified_rounding, Relaxed);
        Ok(self.segments.write().entry((pc, mode)).or_insert((made, source)).0.clone())
    }

    /// Runs the dispatch on this and other threads.
    ///
    /// # Errors
    /// The first [`Fault`].
    pub fn run(&self) -> Result<Stats, Fault> {
        let rank = usize::from(self.config.priority).min(RUNNING.len() - 1);
        RUNNING[rank].fetch_add(1, Relaxed);
        ACTIVE.fetch_add(1, SeqCst);
        OUTSIDE.fetch_add(1, SeqCst);
        let result = self.run_threads();
        // In this order: who finds nobody active finds that something has changed, too.
        OUTSIDE.fetch_add(1, SeqCst);
        if !self.quiet.load(Relaxed) {
            ACTIVE.fetch_sub(1, SeqCst);
        }
        RUNNING[rank].fetch_sub(1, Relaxed);
        result
    }

    /// Whether a dispatch of a higher priority runs.
    fn is_outranked(&self) -> bool {
        RUNNING.iter().skip(usize::from(self.config.priority) + 1).any(|n| n.load(Relaxed) > 0)
    }

    fn run_threads(&self) -> Result<Stats, Fault> {
        let wanted = if self.config.threads == 0 { cores() } else { self.config.threads };
        let threads = {
            let q = self.queue.lock();
            wanted.min(q.total.min(u64::from(q.capacity)).max(1) as usize)
        };
        std::thread::scope(|scope| {
            let (begin, mut held_back) = (Instant::now(), threads - 1);
            self.work(&mut || {
                if held_back > 0 && begin.elapsed() > ALONE {
                    for _ in 0..core::mem::take(&mut held_back) {
                        scope.spawn(|| self.work(&mut || {}));
                    }
                }
            });
        });
        let mut q = self.queue.lock();
        // After a fault workgroups are left that never ended.
        let (resident, spare) = (core::mem::take(&mut q.resident), core::mem::take(&mut q.spare));
        for scratch in resident.into_iter().chain(spare).filter_map(|group| group.scratch) {
            let _ = self.memory.free(scratch.base());
        }
        if let Some(fault) = q.fault.take() {
            return Err(fault);
        }
        if let Some(fault) = self.changed_code() {
            return Err(fault);
        }
        Ok(Stats {
            wave_instructions: self.issued.load(Relaxed),
            waves: q.waves,
            resident_workgroups: q.most_resident,
            unverified_rounding: self.unverified.load(Relaxed),
        })
    }

    /// A fault if code that has run is not what was there at first. Compiled code does not see it change, and hardware
    /// may or may not, as its caches have it: asked once, at the end, so that stores cost nothing.
    pub(crate) fn changed_code(&self) -> Option<Fault> {
        let mut view = self.memory.view(self.dispatch.agent);
        let segments = self.segments.read();
        let (at, now) = segments.values().filter_map(|(_, source)| source.changed(&mut view)).min()?;
        let text = format!(
            "the code at {at:#x} was written while the kernel ran and is {now:#010x} now: whether a wave runs the old or the new is not defined"
        );
        let mut fault = Fault::new(FaultKind::Undefined, self.dispatch.kernel.clone(), text);
        fault.address = Some(at);
        fault.symbol = self.dispatch.code.as_ref().and_then(|c| c.symbolize(at));
        Some(fault)
    }

    fn fail(&self, fault: Fault) {
        let mut q = self.queue.lock();
        q.fault.get_or_insert(fault);
        self.stop.store(true, Relaxed);
        self.wake.notify_all();
    }

    /// The next workgroup to run: a new one while there is room, else the first in the queue. The one that was in hand
    /// goes back.
    fn take(&self, worker: &mut Worker<'_>, back: Option<Box<Group>>) -> Option<Box<Group>> {
        let mut q = self.queue.lock();
        if let Some(group) = back {
            self.put(&mut q, group);
        }
        loop {
            if self.stop.load(Relaxed) {
                return None;
            }
            let resident = q.resident.len() as u32 + q.in_hand;
            if q.next < q.total && resident < q.capacity {
                let number = q.next;
                q.next += 1;
                q.in_hand += 1;
                q.turns.push(0);
                q.most_resident = q.most_resident.max(resident + 1);
                let cu = q.free_cus.pop_front().unwrap_or(0);
                let spare = q.spare.pop();
                drop(q);
                // No event: nobody waits for a workgroup but for what it stores.
                return match start::group(self, &mut worker.view, number, cu, spare) {
                    Ok(group) => {
                        worker.waves += group.waves.len() as u64;
                        Some(group)
                    }
                    Err(fault) => {
                        self.fail(fault);
                        None
                    }
                };
            }
            let events = self.events.load(Relaxed);
            let mut passed = 0;
            while let Some(mut group) = q.resident.pop_front() {
                // Where workgroups add to memory, none goes round again while another thread has one back in hand.
                if self.adds() && q.turns.iter().any(|turns| *turns < group.turns) {
                    q.resident.push_front(group);
                    self.wake.wait_for(&mut q, PAUSE);
                    if self.stop.load(Relaxed) {
                        break;
                    }
                    continue;
                }
                let patience = if q.in_hand > 0 { LONG_PATIENCE } else { PATIENCE };
                if let Some((since, times)) = &mut group.parked
                    && *since == events
                    && *times < patience
                {
                    *times += 1;
                    q.resident.push_back(group);
                    passed += 1;
                    // All wait, and another thread has one in hand that may wake them.
                    if passed >= q.resident.len() && q.in_hand > 0 {
                        self.wake.wait_for(&mut q, PAUSE);
                        passed = 0;
                        if self.stop.load(Relaxed) || self.events.load(Relaxed) != events {
                            break;
                        }
                    }
                    continue;
                }
                q.in_hand += 1;
                q.turns.push(group.turns);
                return Some(group);
            }
            if !q.resident.is_empty() {
                continue;
            }
            if q.in_hand == 0 && q.next >= q.total {
                self.wake.notify_all();
                return None;
            }
            self.wake.wait(&mut q);
        }
    }

    /// Whether the kernel's code adds to memory. Asked once a workgroup has begun.
    fn adds(&self) -> bool {
        self.entry.get().is_some_and(|entry| *self.adds.get_or_init(|| entry.adds_to_memory()))
    }

    /// Puts a workgroup back, or frees its place.
    fn put(&self, q: &mut Queue, mut group: Box<Group>) {
        q.in_hand -= 1;
        if let Some(at) = q.turns.iter().position(|turns| *turns == group.turns) {
            q.turns.swap_remove(at);
        }
        group.turns += 1;
        if group.is_done() {
            q.free_cus.push_back(group.cu);
            q.spare.push(group);
            self.wake.notify_all();
        } else {
            q.resident.push_back(group);
            self.wake.notify_one();
        }
    }

    /// Runs workgroups until none is left. `after_turn` is called after each turn of one.
    fn work(&self, after_turn: &mut dyn FnMut()) {
        let mut worker = Worker::new(self);
        let mut back = None;
        while let Some(mut group) = self.take(&mut worker, back.take()) {
            let rounds = if group.turns == 0 && self.adds() { FIRST_ROUNDS } else { ROUNDS };
            let rounds = if group.waves.len() == 1 { rounds / 8 } else { rounds };
            for _ in 0..rounds {
                worker.polled = false;
                let events = self.events.load(Relaxed);
                let result = self.turn(&mut worker, &mut group);
                after_turn();
                let issued = self.issued.fetch_add(worker.pending, Relaxed) + worker.pending;
                worker.pending = 0;
                if let Err(fault) = result {
                    self.fail(fault);
                } else if self.config.max_instructions.is_some_and(|m| issued > m) {
                    let text =
                        format!("the dispatch has issued {issued} wave-instructions, more than the limit set for it");
                    let wave = group.waves.iter().position(|w| w.status != Status::Done);
                    let uop = wave.and_then(|w| self.begins(&group, w));
                    self.fail(self.blame(&group, wave, uop, Trouble::new(FaultKind::Fuel, text)));
                } else if self.config.stop.requested() {
                    let text = "the dispatch was ended because its queue is being destroyed".to_owned();
                    self.fail(Fault::new(FaultKind::Fuel, self.dispatch.kernel.clone(), text));
                }
                // A turn with a poll and no store or the like in it: nothing more will come of the next.
                let idle = worker.polled && !worker.stored && !worker.clocked;
                group.parked = idle.then_some((events, 0));
                if worker.polled || self.stop.load(Relaxed) || group.is_done() {
                    break;
                }
            }
            if group.is_done() {
                start::release(self, &mut group);
            }
            if self.is_outranked() {
                self.put(&mut self.queue.lock(), group);
                std::thread::yield_now();
            } else {
                back = Some(group);
            }
        }
        self.queue.lock().waves += worker.waves;
    }

    /// One turn of a workgroup: every wave that can gets its share.
    fn turn(&self, worker: &mut Worker<'_>, group: &mut Group) -> Result<(), Fault> {
        worker.stored = false;
        worker.clocked = false;
        let mut woke = false;
        let share = if group.waves.len() == 1 { LONE_SHARE } else { SHARE };
        for i in 0..group.waves.len() {
            if group.waves[i].status != Status::Ready {
                continue;
            }
            match worker.run(group, i, share) {
                Ok(Pause::End) => woke = true,
                Ok(_) => {}
                Err((trouble, uop)) => return Err(self.blame(group, Some(i), Some(uop), trouble)),
            }
            if self.stop.load(Relaxed) {
                return Ok(());
            }
        }
        // A barrier opens when every wave that has not ended waits at it.
        if group.waves.iter().all(|w| w.status != Status::Ready) {
            for w in &mut group.waves {
                // No event: what its waves do then is told by their states, and nobody else waits for it.
                if w.status == Status::Barrier {
                    w.status = Status::Ready;
                    w.vm_at_barrier = w.vm_issued;
                }
            }
        }
        if woke || worker.stored || worker.clocked {
            self.event();
        }
        let quiet = self.issued.load(Relaxed).saturating_sub(self.event_at.load(Relaxed));
        // Watching makes instructions many times as dear.
        let watched = self.config.engine == crate::EngineKind::Checked;
        if quiet > super::stall::QUIET / if watched { 16 } else { 1 } {
            self.look_for_stall(worker, group)?;
        } else {
            worker.watching = false;
        }
        Ok(())
    }

    /// Something happened that may wake a poller.
    fn event(&self) {
        self.events.fetch_add(1, Relaxed);
        self.event_at.store(self.issued.load(Relaxed), Relaxed);
        if self.quiet.load(Relaxed) && self.quiet.swap(false, Relaxed) {
            ACTIVE.fetch_add(1, Relaxed);
        }
    }

    fn look_for_stall(&self, worker: &mut Worker<'_>, group: &mut Group) -> Result<(), Fault> {
        if !self.quiet.swap(true, Relaxed) {
            ACTIVE.fetch_sub(1, Relaxed);
        }
        let outside = OUTSIDE.load(SeqCst);
        let events = self.events.load(Relaxed) + outside;
        let heard = !worker.watching || worker.may_hear;
        worker.watching = true;
        worker.may_hear = false;
        let mut watch = core::mem::take(&mut group.watch);
        let stuck = watch.sample(group, events, heard);
        group.watch = watch;
        if !stuck {
            return Ok(());
        }
        let mut q = self.queue.lock();
        if q.stuck.0 != events {
            q.stuck = (events, 0);
            q.all_stuck = None;
        }
        if group.stuck_since != Some(events) {
            group.stuck_since = Some(events);
            q.stuck.1 += 1;
        }
        let resident = q.resident.len() as u32 + q.in_hand;
        // Another dispatch that is busy may store to what this one polls; one that ended a moment ago may have done so
        // after these waves looked last.
        if q.stuck.1 < resident || ACTIVE.load(SeqCst) > 0 || OUTSIDE.load(SeqCst) != outside {
            return Ok(());
        }
        if q.all_stuck.get_or_insert_with(Instant::now).elapsed() < self.config.patience {
            drop(q);
            // Whoever submits the dispatch that releases this one needs the core.
            std::thread::sleep(NAP);
            return Ok(());
        }
        let waiting = q.total - q.next;
        drop(q);
        let mut text = format!(
            "no wave of the {resident} resident workgroups can make progress: each repeats itself, and nobody is left who stores, reads a clock or ends"
        );
        if waiting > 0 {
            text += &format!(
                "; {waiting} workgroups wait for a place, and {} holds {resident} of this kernel at once: a kernel whose workgroups wait for each other must not have more",
                self.dispatch.sku.product
            );
        }
        let wave = group.waves.iter().position(|w| w.status == Status::Ready).unwrap_or(0);
        let uop = self.begins(group, wave);
        Err(self.blame(group, Some(wave), uop, Trouble::new(FaultKind::Stall, text)))
    }

    /// The micro-operation that a wave goes on with.
    fn begins(&self, group: &Group, wave: usize) -> Option<u32> {
        let w = &group.waves[wave];
        w.segment.blocks.get(w.block as usize).map(|b| b.start)
    }

    /// A fault with its place filled in.
    pub(crate) fn blame(&self, group: &Group, wave: Option<usize>, uop: Option<u32>, t: Trouble) -> Fault {
        let mut f = Fault::new(t.kind, self.dispatch.kernel.clone(), t.message);
        f.workgroup = Some(group.id);
        f.wave = wave.map(|w| w as u32);
        f.lane = t.lane;
        f.address = t.address;
        if let (Some(w), Some(uop)) = (wave, uop)
            && let Some(origin) = group.waves[w].segment.origin(uop)
        {
            f.locate(self.dispatch.code.as_deref(), origin.pc);
            f.instruction = origin.inst.map(|i| wavesmith_asm::print::text(&i));
            if let Some(i) = &origin.inst {
                f.registers = super::reads::registers(&group.waves[w], &self.layout, i, t.lane);
            }
        }
        f
    }
}

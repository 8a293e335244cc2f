//! The stepping loop: which wave goes on, and what is asked around each of its instructions.

use super::finding::{Finding, Kind, Severity};
use super::flight::{Met, What};
use super::lds::Lds;
use super::program::{NONE, Step};
use super::relative::M0;
use super::rng::Rng;
use super::undefined::{Taint, Undefined, Use, is_output};
use super::watch::{At, Context, GroupWatch, Late, Matrix, Watch, WaveWatch};
use crate::engine::ir::{Address, MemOp, S, Uop, V};
use crate::engine::run::{Pause, Trouble, Worker};
use crate::engine::schedule::{ACTIVE, Shared, disturbed};
use crate::engine::state::{Bases, Group, Status, Wave};
use crate::engine::{stall, start};
use crate::fault::{Fault, FaultKind, Stats};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use wavesmith_asm::counters::{Raises, VMCNT_MAX};
use wavesmith_asm::effects::{self, Span};
use wavesmith_asm::hazard::{Ask, sets_all_lanes};
use wavesmith_asm::sem::{Control, Sem, Space};

/// Executes a dispatch, watched.
///
/// # Errors
/// The first fault; it is also among the findings.
pub(crate) fn run(shared: &Shared<'_>) -> Result<Stats, Fault> {
    ACTIVE.fetch_add(1, Relaxed);
    disturbed();
    let mut stepping = Stepping::new(shared);
    let result = stepping.all();
    if let Some(w) = &mut stepping.worker.watch {
        let Watch { caches, shadow, .. } = &mut **w;
        caches.settle(shadow);
    }
    disturbed();
    ACTIVE.fetch_sub(1, Relaxed);
    if let Err(f) = &result
        && f.kind != FaultKind::Check
    {
        shared.config.checked.sink.add(Finding {
            severity: Severity::Error,
            kind: match f.kind {
                FaultKind::Memory => Kind::Bounds,
                FaultKind::Alignment => Kind::Alignment,
                _ => Kind::Fault,
            },
            rule: None,
            kernel: f.kernel.clone(),
            workgroup: f.workgroup.unwrap_or_default(),
            wave: f.wave.unwrap_or_default(),
            lane: f.lane,
            address: f.address,
            at: f.pc.map(|pc| super::Place {
                pc: shared.dispatch.code.as_ref().filter(|c| c.contains(pc)).map_or(pc, |c| c.vaddr(pc)),
                symbol: f.symbol.clone().unwrap_or_default(),
                text: f.instruction.clone().unwrap_or_default(),
            }),
            other: None,
            need: None,
            message: f.message.clone(),
        });
    }
    result
}

struct Resident {
    group: Box<Group>,
    /// Away while the workgroup executes.
    watch: Option<Box<GroupWatch>>,
}

struct Stepping<'m> {
    shared: &'m Shared<'m>,
    worker: Worker<'m>,
    residents: Vec<Resident>,
    rng: Rng,
    next: u64,
    waves: u64,
    most: u32,
    issue: u32,
    events: u64,
    event_at: u64,
    settled: bool,
    stuck: (u64, u64),
}

/// A wait-state rule that is not kept.
struct Close {
    producer: u32,
    since: u8,
    slots: u64,
    ask: Ask,
}

impl<'m> Stepping<'m> {
    fn new(shared: &'m Shared<'m>) -> Stepping<'m> {
        let mut worker = Worker::new(shared);
        worker.watch = Some(Box::new(Watch::new(shared)));
        Stepping {
            shared,
            worker,
            residents: Vec::new(),
            rng: Rng::new(shared.config.checked.seed.wrapping_mul(0x9e37_79b9) ^ 0x1234_5678),
            next: 0,
            waves: 0,
            most: 0,
            issue: 0,
            events: 0,
            event_at: 0,
            settled: false,
            stuck: (0, 0),
        }
    }

    fn all(&mut self) -> Result<Stats, Fault> {
        let (total, capacity) = self.shared.size();
        let all: Vec<u32> = (0..self.shared.dispatch.sku.cus).collect();
        let cus = self.shared.config.cus.as_deref().filter(|c| !c.is_empty()).unwrap_or(&all);
        let mut free: VecDeque<u32> = (0..capacity as usize).map(|i| cus[i % cus.len()]).collect();
        let unkind = self.shared.config.checked.unkind;
        let mut turn = 0;
        loop {
            while self.next < total && (self.residents.len() as u32) < capacity {
                let cu = free.pop_front().unwrap_or(0);
                self.admit(cu)?;
            }
            if self.residents.is_empty() {
                break;
            }
            self.refresh();
            let Some((r, i)) = self.choose(&mut turn, unkind) else { continue };
            let burst = if unkind { [2, 8, 32, 96][self.rng.below(4)] } else { 48 };
            let (done, cut) = self.burst(r, i, burst)?;
            let long = unkind && self.rng.one_in(256);
            if long || cut && self.rng.one_in(8) {
                let pause = self.rng.below(if long { 20_000 } else { 400 }) as u64;
                if let Some(w) = self.residents[r].watch.as_mut().and_then(|w| w.waves.get_mut(i)) {
                    w.asleep = self.worker.pending + pause;
                }
            }
            if let Some(w) = &mut self.worker.watch {
                let Watch { caches, shadow, rng, .. } = &mut **w;
                let times = if cut { self.rng.below(2) } else { 1 + done / 24 };
                for _ in 0..times {
                    caches.chance(shadow, rng);
                }
            }
            if self.residents[r].group.waves.iter().all(|w| w.status == Status::Done) {
                let gone = self.residents.swap_remove(r);
                free.push_back(gone.group.cu);
                if let Some(scratch) = gone.group.scratch {
                    let _ = self.shared.memory.free(scratch.base());
                }
                self.event();
            }
            self.limits(r)?;
        }
        Ok(Stats {
            wave_instructions: self.worker.pending,
            waves: self.waves,
            resident_workgroups: self.most,
            unverified_rounding: self.shared.unverified(),
        })
    }

    fn admit(&mut self, cu: u32) -> Result<(), Fault> {
        let mut group = start::group(self.shared, &mut self.worker.view, self.next, cu, None)?;
        self.next += 1;
        let first = self.waves as u32 + 1;
        self.waves += group.waves.len() as u64;
        let d = self.shared.dispatch;
        // Firmware that does not preload arguments starts a kernel 256 bytes earlier, with nothing in the registers.
        let preloads = d.descriptor.preload_length;
        let fallback = self.shared.config.checked.unkind && preloads > 0 && self.shared.config.checked.seed % 2 == 1;
        if fallback {
            for w in &mut group.waves {
                let entry = self.shared.segment(d.entry_va, w.lower_mode(), &mut self.worker.view);
                w.segment = entry.map_err(|t| Fault::new(t.kind, d.kernel.clone(), t.message))?;
            }
        }
        let ids = d.descriptor.rsrc2.workitem_ids;
        let mut waves = Vec::new();
        for w in &mut group.waves {
            let mut undefined = Undefined::start(w, &self.shared.layout, ids);
            if fallback {
                let end = u16::from(d.descriptor.rsrc2.user_sgpr_count).min(102);
                let first = end.saturating_sub(u16::from(preloads));
                undefined.forget(Span { first: effects::S0 + first, count: end - first });
            }
            if self.shared.config.checked.unkind {
                undefined.fill(w, || self.rng.bits());
            }
            waves.push(WaveWatch::new(undefined));
        }
        if self.shared.config.checked.unkind {
            group.lds.iter_mut().for_each(|w| *w = self.rng.bits() as u32);
        }
        let watch = GroupWatch {
            id: group.id,
            first,
            cu: group.cu * 8 + group.xcc,
            die: group.xcc as usize,
            lds: Lds::new(d.group_bytes),
            waves,
            fresh: Default::default(),
            fresh_scalar: Default::default(),
        };
        self.residents.push(Resident { group, watch: Some(Box::new(watch)) });
        self.most = self.most.max(self.residents.len() as u32);
        self.event();
        Ok(())
    }

    fn refresh(&mut self) {
        if let Some(w) = &mut self.worker.watch
            && w.shadow.generation != self.shared.memory.generation()
        {
            w.shadow.refresh(&self.shared.memory.snapshot());
        }
    }

    fn event(&mut self) {
        self.events += 1;
        self.event_at = self.worker.pending;
        self.settled = false;
    }

    /// The wave that goes on: by chance, or in turn.
    fn choose(&mut self, turn: &mut usize, unkind: bool) -> Option<(usize, usize)> {
        let now = self.worker.pending;
        let ready = |r: &Resident, i: usize| {
            r.group.waves[i].status == Status::Ready && r.watch.as_ref().is_some_and(|w| w.waves[i].asleep <= now)
        };
        if unkind {
            for _ in 0..8 {
                let r = self.rng.below(self.residents.len());
                let n = self.residents[r].group.waves.len();
                let i = self.rng.below(n);
                if ready(&self.residents[r], i) {
                    return Some((r, i));
                }
            }
        }
        // In turn, from where the last turn ended.
        let places: usize = self.residents.iter().map(|r| r.group.waves.len()).sum();
        let mut soonest: Option<(u64, usize, usize)> = None;
        let mut at = 0;
        let mut first = None;
        let mut later = None;
        for (r, res) in self.residents.iter().enumerate() {
            for i in 0..res.group.waves.len() {
                if ready(res, i) {
                    first.get_or_insert((r, i, at));
                    if at >= *turn {
                        later.get_or_insert((r, i, at));
                    }
                } else if res.group.waves[i].status == Status::Ready {
                    let asleep = res.watch.as_ref().map_or(0, |w| w.waves[i].asleep);
                    if soonest.is_none_or(|(s, ..)| asleep < s) {
                        soonest = Some((asleep, r, i));
                    }
                }
                at += 1;
            }
        }
        if let Some((r, i, at)) = later.or(first) {
            *turn = (at + 1) % places.max(1);
            return Some((r, i));
        }
        // Nobody is awake: the first to wake goes on.
        let (_, r, i) = soonest?;
        if let Some(w) = &mut self.residents[r].watch {
            w.waves[i].asleep = 0;
        }
        Some((r, i))
    }

    fn limits(&mut self, r: usize) -> Result<(), Fault> {
        let issued = self.worker.pending;
        if self.worker.stored || self.worker.clocked {
            self.worker.stored = false;
            self.worker.clocked = false;
            self.event();
        }
        let fault = |kind, text: String| Fault::new(kind, self.shared.dispatch.kernel.clone(), text);
        if self.shared.config.max_instructions.is_some_and(|m| issued > m) {
            let text = format!("the dispatch has issued {issued} wave-instructions, more than the limit set for it");
            return Err(fault(FaultKind::Fuel, text));
        }
        let options = &self.shared.config.checked;
        if options.until_error && options.sink.failed() {
            return Err(fault(FaultKind::Check, "the dispatch was ended at the first error that was found".to_owned()));
        }
        if self.shared.config.stop.requested() {
            let text = "the dispatch was ended because its queue is being destroyed".to_owned();
            return Err(fault(FaultKind::Fuel, text));
        }
        if issued - self.event_at < stall::QUIET {
            self.worker.watching = false;
            return Ok(());
        }
        if !self.settled
            && let Some(w) = &mut self.worker.watch
        {
            // Whatever was on its way has arrived by now.
            let Watch { caches, shadow, .. } = &mut **w;
            caches.settle(shadow);
            self.settled = true;
        }
        let heard = !self.worker.watching || self.worker.may_hear;
        self.worker.watching = true;
        self.worker.may_hear = false;
        let n = self.residents.len() as u64;
        let events = self.events;
        if self.stuck.0 != events {
            self.stuck = (events, 0);
        }
        let Some(res) = self.residents.get_mut(r) else { return Ok(()) };
        let mut watch = core::mem::take(&mut res.group.watch);
        let stuck = watch.sample(&res.group, events, heard);
        res.group.watch = watch;
        if stuck && res.group.stuck_since != Some(events) {
            res.group.stuck_since = Some(events);
            self.stuck.1 += 1;
        }
        if self.stuck.1 < n || ACTIVE.load(Relaxed) > 1 {
            return Ok(());
        }
        let res = &self.residents[r];
        let wave = res.group.waves.iter().position(|w| w.status == Status::Ready).unwrap_or(0);
        let w = &res.group.waves[wave];
        let uop = w.segment.blocks.get(w.block as usize).map(|b| b.start);
        let text = format!(
            "no wave of the {n} resident workgroups can make progress: each repeats itself, and nobody is left who stores, reads a clock or ends"
        );
        Err(self.shared.blame(&res.group, Some(wave), uop, Trouble::new(FaultKind::Stall, text)))
    }

    /// Some instructions of one wave: how many, and whether it was cut short where waves communicate, since what goes
    /// wrong there goes wrong between two instructions.
    fn burst(&mut self, r: usize, i: usize, burst: usize) -> Result<(usize, bool), Fault> {
        let mut watch = self.residents[r].watch.take();
        if let Some(w) = &mut self.worker.watch {
            w.group = watch.take();
        }
        let unkind = self.shared.config.checked.unkind;
        let mut result = Ok(());
        let (mut done, mut cut) = (0, false);
        while done < burst {
            done += 1;
            match self.step(r, i) {
                Ok(Pause::Share) => {
                    if unkind && self.worker.watch.as_ref().is_some_and(|w| w.ctx.scope.group) && self.rng.one_in(4) {
                        cut = true;
                        break;
                    }
                }
                Ok(pause) => {
                    if pause == Pause::Sleep
                        && let Some(g) = self.worker.watch.as_mut().and_then(|w| w.group.as_mut())
                    {
                        g.waves[i].asleep = self.worker.pending + 48;
                    }
                    if pause == Pause::Barrier || pause == Pause::End {
                        result = self.meet(r);
                    }
                    break;
                }
                Err(f) => {
                    result = Err(f);
                    break;
                }
            }
        }
        self.residents[r].watch = self.worker.watch.as_mut().and_then(|w| w.group.take());
        result.map(|()| (done, cut))
    }

    /// Opens the barrier if every wave that has not ended waits at it.
    fn meet(&mut self, r: usize) -> Result<(), Fault> {
        let group = &mut self.residents[r].group;
        let waiting = group.waves.iter().filter(|w| w.status == Status::Barrier).count();
        if waiting == 0 || group.waves.iter().any(|w| w.status == Status::Ready) {
            self.event();
            return Ok(());
        }
        let ended = group.waves.len() - waiting;
        // What was issued in front of the barrier reaches the compute unit's L1 before what comes behind it.
        for i in 0..group.waves.len() {
            while let Some(g) = self.worker.watch.as_mut().and_then(|w| w.group.as_mut())
                && !g.waves[i].late.is_empty()
            {
                let late = g.waves[i].late.remove(0);
                self.carry_out(r, i, late)?;
            }
        }
        let group = &mut self.residents[r].group;
        let Some(watch) = &mut self.worker.watch else { return Ok(()) };
        let Watch { caches, shadow, group: at_hand, .. } = &mut **watch;
        // Where all share one L2, that is where everybody looks. Where not, only a write-back vouches for its order.
        if let Some(g) = at_hand
            && caches.dies() == 1
        {
            caches.flush_group(shadow, g.first);
        }
        let mut places = Vec::new();
        if let Some(g) = &mut watch.group {
            for (w, ww) in group.waves.iter().zip(&g.waves) {
                if w.status == Status::Barrier && !places.contains(&ww.barrier_at) {
                    places.push(ww.barrier_at);
                }
            }
            g.meet();
        }
        for w in &mut group.waves {
            if w.status == Status::Barrier {
                w.status = Status::Ready;
            }
        }
        if let [first, second, ..] = places[..] {
            watch.report(
                Severity::Advice,
                Kind::DivergentBarrier,
                None,
                At { number: second, other: Some(first), ..At::default() },
                |_| (None, "waves of one workgroup meet at different barriers: each counts as the other's".to_owned()),
            );
        }
        if ended > 0
            && let Some(first) = places.first()
        {
            watch.report(
                Severity::Advice,
                Kind::DivergentBarrier,
                None,
                At { number: *first, ..At::default() },
                |_| {
                    (
                        None,
                        format!("{ended} of the workgroup's waves have ended and no longer take part in this barrier"),
                    )
                },
            );
        }
        self.event();
        Ok(())
    }

    /// One instruction, or the load that it makes way for.
    fn step(&mut self, r: usize, i: usize) -> Result<Pause, Fault> {
        let Some(n) = self.locate(r, i) else { return self.execute(r, i) };
        self.make_way(r, i, n)?;
        let unkind = self.shared.config.checked.unkind;
        self.issue = self.issue.wrapping_add(1);
        let group = &mut self.residents[r].group;
        let Some(watch) = self.worker.watch.as_deref_mut() else { return self.execute(r, i) };
        let mut met: Vec<Met> = Vec::new();
        let mut close: Vec<Close> = Vec::new();
        let Watch { program, group: at_hand, caches, shadow, messages, .. } = watch;
        let Some(g) = at_hand.as_deref_mut() else { return self.execute(r, i) };
        let (wave, mates) = (g.first + i as u32, g.mates());
        let scope = program.scope(n);
        let issued = program.issued_as(n);
        let (info, facts) = (&program.infos[n as usize], &program.facts[n as usize]);
        let who = super::caches::Who { cu: g.cu, die: g.die, wave, group: g.first };
        let ww = &mut g.waves[i];
        if ww.flight.meets(&facts.effects) {
            met = ww.flight.touch(n, &facts.effects, &program.infos, ww.clock);
        }
        let (clock, pipe, slow, matrix) = (ww.clock, ww.pipe, ww.slow, &ww.matrix);
        let lanes_set = ww.lanes_set;
        ww.window.each_need(&program.facts, &program.facts[issued as usize], |producer, since, mut ask| {
            let issued = matrix.iter().rev().find(|m| m.number == producer);
            let mut slots = issued.map_or(0, |m| clock - m.clock).max(since.into());
            if ask.shipping_counts_slow_instructions(info.inst.target()) {
                slots += issued.map_or(0, |m| slow - m.slow);
            }
            let between = matrix.last().is_some_and(|m| clock - m.clock < since.into());
            if between && ask.shipping_waits_for_pipe(info.inst.target()) {
                slots += pipe.saturating_sub(clock);
            }
            if let Some(enough) = ask.shipping_with_lanes_on_again()
                && lanes_set.is_some_and(|at| clock - at < since.into())
            {
                ask.shipping = enough;
            }
            close.push(Close { producer, since, slots, ask });
        });
        let exec = group.waves[i].exec();
        let (taint, found) = ww.undefined.judge(info, &facts.effects, &group.waves[i]);
        if let Some((_, span, _)) = found {
            ww.undefined.forgive(span);
        }
        let step = info.step;
        match step {
            Step::Wait(w) => {
                ww.flight.wait(w, &program.infos);
                if w.vm < VMCNT_MAX {
                    let upto = ww.flight.issued.saturating_sub(w.vm.into());
                    caches.complete(shadow, wave, upto);
                    ww.completed(wave, mates, upto, messages);
                }
                if w.lgkm == 0 && ww.scalar_done() {
                    caches.complete(shadow, wave, ww.flight.issued);
                }
            }
            Step::Barrier => {
                met.extend(ww.flight.barrier(ww.clock));
                ww.barrier_at = n;
            }
            Step::Invalidate => {
                let seen = ww.seen.clone();
                Arc::make_mut(&mut g.fresh).join(&seen);
                caches.invalidate(who);
            }
            Step::ScalarInvalidate => {
                let seen = ww.seen.clone();
                Arc::make_mut(&mut g.fresh_scalar).join(&seen);
                caches.invalidate_scalar(who);
            }
            Step::ScalarWriteback => ww.scalar_back = ww.scalar_stores,
            Step::Plain | Step::Memory | Step::Writeback => {}
        }
        let ww = &mut g.waves[i];
        ww.flight.issue(n, &program.infos, ww.clock, self.issue);
        ww.window.issue(issued, &program.facts);
        ww.clock += u64::from(facts.states());
        ww.slow += u64::from(info.slow);
        if sets_all_lanes(&info.inst) {
            ww.lanes_set = Some(ww.clock);
        }
        if let Some((_, passes)) = facts.matrix {
            ww.clock = ww.clock.max(ww.pipe);
            ww.pipe = ww.clock + u64::from(passes);
            ww.matrix.retain(|m| m.number != n);
            if ww.matrix.len() >= 16 {
                ww.matrix.remove(0);
            }
            ww.matrix.push(Matrix { number: n, clock: ww.clock, slow: ww.slow });
        }
        let at = ww.flight.issued;
        let scalar_count = match info.inst.row().sem {
            Sem::ScalarStore { .. } => {
                ww.scalar_stores += 1;
                ww.scalar_stores
            }
            Sem::ScalarLoad { .. } => {
                ww.scalar_loads += 1;
                ww.scalar_loads
            }
            _ => 0,
        };
        let lost = matches!(info.inst.row().sem, Sem::Control(Control::EndPgm)) && ww.scalar_back < ww.scalar_stores;
        if step == Step::Writeback {
            ww.writeback = Some((at, ww.seen.clone()));
            if unkind {
                caches.flush_known(shadow, who, &ww.seen);
                caches.issue_writeback(shadow, who, at);
            }
        }
        let late = unkind && info.may_be_late && exec != 0 && self.rng.one_in(if scope.past_l1 { 2 } else { 8 });
        let scalar = info.raises == Raises::Scalar;
        let context = Context {
            number: n,
            wave,
            at,
            scope,
            issue: self.issue,
            taint,
            landing: matches!(step, Step::Wait(_)) || matches!(info.inst.row().sem, Sem::Control(Control::EndPgm)),
            scalar,
            scalar_count,
            ..Context::default()
        };
        watch.begin(context);
        for m in met {
            tell_met(watch, n, &m);
        }
        for c in close {
            tell_close(watch, n, &c);
        }
        if lost {
            tell_lost(watch, n);
        }
        if let Some((what, span, lanes)) = found {
            tell_undefined(watch, n, what, span, lanes);
        }
        if late && self.defer(r, i, n, at, exec) {
            return Ok(Pause::Share);
        }
        let pause = self.execute(r, i)?;
        if let Some(watch) = self.worker.watch.as_deref_mut() {
            if watch.ctx.outlives && taint.data.iter().any(|d| *d != 0) {
                tell_output(watch, n, &taint);
            }
            let loaded = watch.ctx.loaded;
            let lanes = loaded.iter().fold(0, |a, b| a | b);
            if lanes != 0 && watch.ctx.outlives && watch.program.infos[n as usize].modifies {
                tell_undefined(watch, n, Use::Memory, Span::NONE, lanes);
            }
            let Watch { program, group: Some(g), .. } = watch else { return Ok(pause) };
            let (info, facts) = (&program.infos[n as usize], &program.facts[n as usize]);
            g.waves[i].undefined.settle(info, &facts.effects, &taint, exec, &loaded);
        }
        Ok(pause)
    }

    /// The number of the instruction that a wave is at, with the registers that it means.
    fn locate(&mut self, r: usize, i: usize) -> Option<u32> {
        let w = &self.residents[r].group.waves[i];
        let watch = self.worker.watch.as_deref_mut()?;
        let Watch { program, group, .. } = watch;
        let ww = group.as_deref_mut()?.waves.get_mut(i)?;
        let key = Arc::as_ptr(&w.segment) as usize;
        if ww.blocks.as_ref().is_none_or(|(k, _)| *k != key) {
            ww.blocks = Some((key, program.blocks(&w.segment)));
        }
        let (_, blocks) = ww.blocks.as_ref()?;
        let number = blocks.get(w.block as usize).copied().filter(|n| *n != NONE)?;
        Some(program.as_executed(number, w.mode, w.s[M0]))
    }

    fn execute(&mut self, r: usize, i: usize) -> Result<Pause, Fault> {
        let group = &mut self.residents[r].group;
        match self.worker.run(group, i, 1) {
            Ok(p) => Ok(p),
            Err((trouble, uop)) => Err(self.shared.blame(group, Some(i), Some(uop), trouble)),
        }
    }

    /// Carries out the late loads that the next instruction cannot overtake.
    fn make_way(&mut self, r: usize, i: usize, n: u32) -> Result<(), Fault> {
        let due: Vec<usize> = {
            let Some(watch) = self.worker.watch.as_deref() else { return Ok(()) };
            let Some(ww) = watch.group.as_ref().and_then(|g| g.waves.get(i)) else { return Ok(()) };
            if ww.late.is_empty() {
                return Ok(());
            }
            let info = &watch.program.infos[n as usize];
            let effects = &watch.program.facts[n as usize].effects;
            let all = matches!(
                info.inst.row().sem,
                Sem::Control(Control::EndPgm | Control::EndPgmSaved | Control::EndPgmOrderedPsDone)
            );
            // A store may be seen before a load that issued before it, but not by that load.
            let w = &self.residents[r].group.waves[i];
            let place = simple(w).and_then(|(mem, _)| reach(w, &w.segment.mems[mem as usize], w.exec()));
            let patient = self.rng.one_in(2);
            let overtaken = |l: &Late| {
                let apart = |(a, b): (u64, u64)| place.is_some_and(|(c, d)| b <= c || d <= a);
                info.stores && !(patient && l.reach.is_some_and(apart))
            };
            let covered = match info.step {
                Step::Wait(w) if w.vm < VMCNT_MAX => ww.flight.issued.saturating_sub(w.vm.into()),
                _ => 0,
            };
            let touched = |l: &Late| {
                let owes = &watch.program.infos[l.number as usize].owes;
                effects.touches().iter().any(|t| owes.iter().any(|o| o.overlaps(t.span)))
            };
            let by_chance = self.rng.below(64);
            let late = ww.late.iter().enumerate();
            late.filter(|(k, l)| all || overtaken(l) || l.at <= covered || touched(l) || *k == by_chance)
                .map(|(k, _)| k)
                .collect()
        };
        for (gone, k) in due.into_iter().enumerate() {
            let late = match self.worker.watch.as_deref_mut().and_then(|w| w.group.as_deref_mut()) {
                Some(g) => g.waves[i].late.remove(k - gone),
                None => return Ok(()),
            };
            self.carry_out(r, i, late)?;
        }
        Ok(())
    }

    /// Puts a load off; false if it is not as simple as that.
    fn defer(&mut self, r: usize, i: usize, n: u32, at: u32, exec: u64) -> bool {
        let w = &mut self.residents[r].group.waves[i];
        let Some((mem, next)) = simple(w) else { return false };
        let op = w.segment.mems[mem as usize];
        let (vectors, scalars) = operands(&op);
        let Some(g) = self.worker.watch.as_deref().and_then(|w| w.group.as_deref()) else { return false };
        let known = (g.waves[i].seen.clone(), g.fresh.clone());
        let late = Late {
            known,
            number: n,
            at,
            segment: w.segment.clone(),
            mem,
            exec,
            vectors: vectors.into_iter().map(|v| (v.index() as u16, Box::new(w.regs[v.index()]))).collect(),
            scalars: scalars.into_iter().map(|s| (s, w.s[usize::from(s)])).collect(),
            reach: reach(w, &op, exec),
        };
        w.block = next;
        w.vm_issued += 1;
        self.worker.pending += 1;
        if let Some(g) = self.worker.watch.as_deref_mut().and_then(|w| w.group.as_deref_mut()) {
            g.waves[i].late.push(late);
        }
        true
    }

    /// Carries a late load out with the operands it was issued with.
    fn carry_out(&mut self, r: usize, i: usize, late: Late) -> Result<(), Fault> {
        let group = &mut self.residents[r].group;
        let op = late.segment.mems[late.mem as usize];
        let agpr_base = self.shared.layout.agpr_base;
        let wave = {
            let Some(watch) = self.worker.watch.as_deref_mut() else { return Ok(()) };
            let wave = watch.group.as_ref().map_or(1, |g| g.first) + i as u32;
            let scope = watch.program.scope(late.number);
            let context =
                Context { number: late.number, wave, at: late.at, scope, issue: self.issue, ..Context::default() };
            watch.begin(context);
            watch.then = Some(late.known.clone());
            wave
        };
        let w = &mut group.waves[i];
        let segment = core::mem::replace(&mut w.segment, late.segment.clone());
        let exec = w.exec();
        w.set_pair(S::EXEC, late.exec);
        let mut kept_vectors = Vec::with_capacity(late.vectors.len());
        for (at, value) in late.vectors {
            kept_vectors.push((at, core::mem::replace(&mut w.regs[usize::from(at)], *value)));
        }
        let mut kept_scalars = Vec::with_capacity(late.scalars.len());
        for (at, value) in late.scalars {
            kept_scalars.push((at, core::mem::replace(&mut w.s[usize::from(at)], value)));
        }
        let bases = Bases([
            w.regs.as_mut_ptr().cast(),
            self.worker.temps.as_mut_ptr().cast(),
            // Constants are never a destination.
            late.segment.vconst.as_ptr().cast_mut().cast(),
        ]);
        // SAFETY: the operation was lowered for this wave's registers and this segment, whose bases these are.
        let done = unsafe { self.worker.memory(group, i, &op, bases) };
        let w = &mut group.waves[i];
        w.vm_issued -= 1;
        w.segment = segment;
        w.set_pair(S::EXEC, exec);
        for (at, value) in kept_scalars.into_iter().rev() {
            w.s[usize::from(at)] = value;
        }
        let Some(watch) = self.worker.watch.as_deref_mut() else { return Ok(()) };
        let loaded = watch.ctx.loaded;
        let Watch { program, group: Some(g), .. } = watch else { return Ok(()) };
        let (info, facts) = (&program.infos[late.number as usize], &program.facts[late.number as usize]);
        let written = |at: u16| {
            info.owes.iter().flat_map(|s| s.iter()).any(|f| {
                let physical = if f < effects::A0 { f } else { agpr_base + f - effects::A0 };
                physical == at
            })
        };
        for (at, value) in kept_vectors.into_iter().rev() {
            if !written(at) {
                w.regs[usize::from(at)] = value;
            }
        }
        g.waves[i].undefined.settle(info, &facts.effects, &Taint::default(), late.exec, &loaded);
        let _ = wave;
        if let Err(trouble) = done {
            let mut f = self.shared.blame(group, Some(i), None, trouble);
            f.locate(self.shared.dispatch.code.as_deref(), info.pc);
            f.instruction = Some(wavesmith_asm::print::text(&info.inst));
            return Err(f);
        }
        Ok(())
    }
}

/// The access that a wave is at and what follows it, if that is all there is to its instruction.
fn simple(w: &Wave) -> Option<(u32, u32)> {
    let block = w.segment.blocks[w.block as usize];
    match w.segment.uops[block.start as usize..block.end as usize] {
        [Uop::Mem(mem), Uop::Next { next }] => Some((mem, next)),
        _ => None,
    }
}

/// Between which addresses an access lies, if that is easy to say: generously, by lanes' least and largest.
fn reach(w: &Wave, op: &MemOp, exec: u64) -> Option<(u64, u64)> {
    let lanes = |v: V| (0..64).filter(move |l| exec >> l & 1 == 1).map(move |l| w.regs[v.index()].0[l]);
    let base = match op.address {
        _ if op.space != Space::Global => return None,
        Address::Base(s, v) if v.is_reg() => {
            let all = lanes(v).map(|o| w.s64(s).wrapping_add(u64::from(o)));
            all.clone().min().zip(all.max())
        }
        Address::Wide(v) if v.is_reg() => {
            let all = lanes(v).zip(lanes(v.next(1))).map(|(low, high)| u64::from(low) | u64::from(high) << 32);
            all.clone().min().zip(all.max())
        }
        _ => None,
    };
    let offset = op.offset as i64 as u64;
    base.map(|(least, most)| (least.wrapping_add(offset), most.wrapping_add(offset).wrapping_add(16)))
}

/// The registers that an access takes its address from.
fn operands(op: &MemOp) -> (Vec<V>, Vec<u8>) {
    let mut scalars = vec![S::M0];
    let mut vectors = Vec::new();
    let mut scalar = |s: S, n: u32| scalars.extend((0..n).map(|k| s.0 + k).filter(|i| *i < 256).map(|i| i as u8));
    match op.address {
        Address::Wide(v) => vectors.extend([v, v.next(1)]),
        Address::Base(s, v) => {
            scalar(s, 2);
            vectors.push(v);
        }
        Address::Lds(v) => vectors.push(v),
        Address::LdsM0 => {}
        Address::Scratch(v, s) => {
            vectors.extend(v);
            if let Some(s) = s {
                scalar(s, 1);
            }
            scalar(S::reg(102), 2);
        }
        Address::Buffer { resource, soffset, index, offset } => {
            scalar(resource, 4);
            scalar(soffset, 1);
            vectors.extend(index);
            vectors.extend(offset);
        }
    }
    vectors.retain(|v| v.is_reg());
    (vectors, scalars)
}

fn tell_met(watch: &mut Watch, n: u32, m: &Met) {
    let producer = &watch.program.infos[m.producer as usize];
    let raises = producer.raises;
    let late = m.what != What::Barrier && m.slots >= raises.patience().into();
    let same = m.what == What::Write && producer.inst.words() == watch.program.infos[n as usize].inst.words();
    let (kind, severity) = match m.what {
        What::Read => (Kind::ReadBeforeWait, if late { Severity::Advice } else { Severity::Error }),
        What::Write => (Kind::WriteBeforeWait, if late || same { Severity::Advice } else { Severity::Error }),
        What::StoreData => (Kind::StoreDataBeforeWait, Severity::Advice),
        What::Barrier => (Kind::BarrierBeforeWait, Severity::Advice),
    };
    let m = *m;
    let at = At { number: n, other: Some(m.producer), ..At::default() };
    watch.report(severity, kind, None, at, |w| {
        let (by, registers) = (w.text(m.producer), m.span.to_string());
        let mut message = match m.what {
            What::Read => format!("reads {registers} before `{by}` has delivered it"),
            What::Write => format!("writes {registers}, which `{by}` is still to write"),
            What::StoreData => format!("writes {registers}, which `{by}` may still have to read"),
            What::Barrier => format!("lets other waves go on before the LDS write of `{by}` has happened"),
        };
        if late {
            message += &format!("; no wait covers it, only the {} issue slots in between", m.slots);
        }
        (Some(m.wait.to_string()), message)
    });
}

fn tell_close(watch: &mut Watch, n: u32, c: &Close) {
    let below_guide = c.since < c.ask.isa;
    let want = if below_guide { c.ask.isa } else { c.ask.strictest() };
    let missing = want - c.since;
    let error = below_guide && c.slots < u64::from(c.ask.shipping);
    let severity = if error { Severity::Error } else { Severity::Advice };
    let at = At { number: n, other: Some(c.producer), ..At::default() };
    watch.report(severity, Kind::WaitStates, Some(c.ask.rule), at, |w| {
        let plural = |n: u8| if n == 1 { "" } else { "s" };
        let need = format!("s_nop {} before it ({missing} more wait state{})", missing - 1, plural(missing));
        let message = format!(
            "{}: {} wait state{} since `{}`, {want} needed (guide {}, LLVM {}, shipping code {})",
            c.ask.rule,
            c.since,
            plural(c.since),
            w.text(c.producer),
            c.ask.isa,
            c.ask.llvm,
            c.ask.shipping,
        );
        (Some(need), message)
    });
}

fn tell_undefined(watch: &mut Watch, n: u32, what: Use, span: Span, lanes: u64) {
    let lane = (lanes != 0).then(|| lanes.trailing_zeros());
    watch.report(Severity::Error, Kind::Uninitialised, None, At { number: n, lane, ..At::default() }, |_| {
        let decides = match what {
            Use::Address => "an address",
            Use::Branch => "a branch",
            Use::Exec => "EXEC",
            Use::Register => "which register is meant",
            Use::Output => "an output",
            Use::Memory => {
                return (None, "changes memory that nothing has written, and leaves it undefined".to_owned());
            }
        };
        (None, format!("{span} comes from something that nothing has written, and decides {decides}"))
    });
}

fn tell_lost(watch: &mut Watch, n: u32) {
    watch.report(Severity::Error, Kind::StaleRead, None, At { number: n, ..At::default() }, |_| {
        let text = "the wave ends with scalar stores that nothing has written back from the scalar cache: whoever reads what they stored may find what was there before";
        (Some("s_dcache_wb".to_owned()), text.to_owned())
    });
}

fn tell_output(watch: &mut Watch, n: u32, taint: &Taint) {
    let info = &watch.program.infos[n as usize];
    if !is_output(info) {
        return;
    }
    let lanes = taint.data.iter().fold(0, |a, b| a | b);
    let span = watch.program.facts[n as usize]
        .effects
        .reads()
        .find(|t| t.slot == wavesmith_asm::Field::Data0)
        .map_or(Span::NONE, |t| t.span);
    tell_undefined(watch, n, Use::Output, span, lanes);
}

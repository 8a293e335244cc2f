//! Where `s_waitcnt` must stand: a forward dataflow over the kernel's blocks.
//!
//! The state is, for every register, how many later operations have been issued on the counter that announces its
//! arrival: its age. Waiting for `vmcnt(age)` is then the least wait that makes the register safe. At a join the
//! smaller age wins, because waiting until that few are outstanding is right on both paths. A loop is iterated until
//! its entry state no longer changes. Two pseudo-registers stand for LDS filled by LDS-DMA and LDS written by LDS
//! instructions, which barriers and LDS reads must wait for; two more for what the caches owe to other units: a
//! write-back, which no store may overtake that tells of what was written, and a load of what others have written, which
//! must have returned before the caches are emptied for those that follow. Exports (gfx908) read their data late, in no order;
//! what reads or owes for `lgkmcnt` as well (GDS) is waited for there.

use wavesmith_asm::counters::{EXPCNT_MAX, LGKMCNT_MAX, Raises, VMCNT_MAX, WaitCnt};
use wavesmith_asm::effects::{self, Effects};
use wavesmith_asm::sem::{Branch, Control, Sem};
use wavesmith_asm::{Inst, counters};

/// LDS with data on its way from memory.
const LDS_FILL: usize = effects::COUNT;
/// LDS with accesses of LDS instructions on their way.
const LDS_ACCESS: usize = effects::COUNT + 1;
/// A write-back of the caches under way.
const WRITE_BACK: usize = effects::COUNT + 2;
/// A load under way that looks past the first cache, as only those do that wait for others; or an atomic's result.
const ACQUIRED: usize = effects::COUNT + 3;
const SLOTS: usize = effects::COUNT + 4;

/// One counter's pending registers. A score is the serial number of the operation that will write the register; it is
/// pending while it is above `done`.
#[derive(Clone, PartialEq, Eq)]
struct Line {
    score: Box<[u32; SLOTS]>,
    issued: u32,
    done: u32,
    /// Something outstanding is in order with nothing, so only zero is a meaningful wait.
    unordered: bool,
    /// The counter's maximum, where it saturates.
    max: u8,
}

impl Line {
    fn new(max: u8) -> Line {
        Line { score: Box::new([0; SLOTS]), issued: 0, done: 0, unordered: false, max }
    }

    /// The count to wait for until `slot` is safe, if it is pending.
    fn age(&self, slot: usize) -> Option<u8> {
        let score = self.score[slot];
        if score <= self.done {
            return None;
        }
        if self.unordered {
            return Some(0);
        }
        // A counter at its maximum holds up the next operation, so what has that many younger ones is done.
        let age = self.issued - score;
        (age < u32::from(self.max)).then_some(age as u8)
    }

    fn issue(&mut self, unordered: bool) {
        self.issued += 1;
        self.unordered |= unordered;
    }

    fn mark(&mut self, slot: usize) {
        self.score[slot] = self.issued;
    }

    fn wait(&mut self, count: u8) {
        if count >= self.max {
            return;
        }
        if count == 0 {
            self.done = self.issued;
            self.unordered = false;
        } else if !self.unordered {
            self.done = self.done.max(self.issued.saturating_sub(u32::from(count)));
        }
    }

    /// Takes in another path's pending registers.
    fn merge(&mut self, other: &Line) {
        let (mine, theirs) = (self.issued - self.done, other.issued - other.done);
        let pending = mine.max(theirs);
        for slot in 0..SLOTS {
            let age = |l: &Line| (l.score[slot] > l.done).then(|| l.issued - l.score[slot]);
            let youngest = match (age(self), age(other)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            self.score[slot] = youngest.map_or(0, |a| pending - a);
        }
        self.issued = pending;
        self.done = 0;
        self.unordered |= other.unordered;
    }

    /// Independent of how many operations came before, so that equal states compare equal.
    fn normalise(&mut self) {
        let done = self.done;
        let mut oldest = self.issued;
        for s in self.score.iter_mut() {
            if *s <= done {
                *s = 0;
            } else {
                oldest = oldest.min(*s);
            }
        }
        if self.issued == done {
            self.issued = 0;
            self.done = 0;
            return;
        }
        // Operations older than every pending register still count as outstanding, but waiting for them is never
        // asked for; forgetting them keeps ages bounded in loops that never wait.
        let base = oldest - 1;
        for s in self.score.iter_mut().filter(|s| **s > 0) {
            *s -= base;
        }
        self.issued -= base;
        self.done = 0;
        let cap = u32::from(self.max) + 1;
        if self.issued > cap {
            let excess = self.issued - cap;
            for s in self.score.iter_mut().filter(|s| **s > 0) {
                *s = s.saturating_sub(excess).max(1);
            }
            self.issued = cap;
        }
    }
}

/// What is outstanding at one point of the program.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pending {
    vm: Line,
    lgkm: Line,
    /// Registers whose old values exports have yet to read, once there was one.
    exp: Option<Line>,
    /// Whether LDS filled by LDS-DMA is the author's business.
    ignores_fills: bool,
}

impl Pending {
    pub(crate) fn none(ignores_fills: bool) -> Pending {
        Pending { vm: Line::new(VMCNT_MAX), lgkm: Line::new(LGKMCNT_MAX), exp: None, ignores_fills }
    }

    /// The least wait that makes `inst` safe.
    pub(crate) fn required(&self, inst: &Inst, effects: &Effects) -> WaitCnt {
        let mut wait = WaitCnt::NONE;
        if !self.anything() {
            return wait;
        }
        let sem = inst.row().sem;
        if let Sem::Branch(Branch::SetPc | Branch::SwapPc | Branch::Call | Branch::Rfe | Branch::RfeRestore) = sem {
            // Nothing is known of the code that follows.
            return self.everything();
        }
        let raised = counters::raises(inst);
        for t in effects.touches() {
            for slot in t.span.iter().map(usize::from) {
                if let Some(age) = self.vm.age(slot) {
                    // Vector memory returns in order: a later load may overwrite what an earlier one still owes.
                    let in_order = t.write && raised == Raises::Vm && !self.vm.unordered && t.slot != READ_TOO;
                    if !in_order || reads_by_value(inst, t) {
                        wait.vm = wait.vm.min(age);
                    }
                }
                if let Some(age) = self.lgkm.age(slot) {
                    wait.lgkm = wait.lgkm.min(age);
                }
            }
            if let Some(exp) = self.exp.as_ref().filter(|_| t.write) {
                let ages = t.span.iter().filter_map(|slot| exp.age(slot.into()));
                wait.exp = ages.fold(wait.exp, u8::min);
            }
        }
        let lds = |wait: &mut WaitCnt| {
            if let Some(age) = self.vm.age(LDS_FILL) {
                wait.vm = wait.vm.min(age);
            }
        };
        match sem {
            Sem::Control(Control::Barrier) => {
                // Other waves read after the barrier what this one wrote before it, and overwrite what it read. The LDS has
                // several queues, and does not keep the order of different waves.
                lds(&mut wait);
                if let Some(age) = self.lgkm.age(LDS_ACCESS) {
                    wait.lgkm = wait.lgkm.min(age);
                }
            }
            Sem::CacheInvalidate { .. } => wait.vm = wait.vm.min(self.vm.age(ACQUIRED).unwrap_or(VMCNT_MAX)),
            Sem::Store { .. } | Sem::Atomic { .. } if matches!(raised, Raises::Vm | Raises::Flat) => {
                wait.vm = wait.vm.min(self.vm.age(WRITE_BACK).unwrap_or(VMCNT_MAX));
            }
            _ if matches!(raised, Raises::Lds) => lds(&mut wait),
            _ => {}
        }
        wait
    }

    /// Takes into account that counters fell to those of `wait`.
    pub(crate) fn wait(&mut self, wait: WaitCnt) {
        self.vm.wait(wait.vm);
        self.lgkm.wait(wait.lgkm);
        self.exp.iter_mut().for_each(|exp| exp.wait(wait.exp));
    }

    /// Takes into account that `inst` issues.
    pub(crate) fn issue(&mut self, inst: &Inst, effects: &Effects) {
        let written = || effects.writes().filter(|t| t.slot != READ_TOO).flat_map(|t| t.span.iter()).map(usize::from);
        match counters::raises(inst) {
            Raises::Export => {
                let exp = self.exp.get_or_insert_with(|| Line::new(EXPCNT_MAX));
                exp.issue(true);
                let data = effects.reads().filter(|t| t.span.is_vector()).flat_map(|t| t.span.iter());
                data.for_each(|s| exp.mark(usize::from(s)));
            }
            Raises::Nothing => {
                if let Sem::Control(Control::Waitcnt) = inst.row().sem {
                    self.wait(WaitCnt::decode(inst.get(wavesmith_asm::Field::Simm16) as u16));
                }
            }
            Raises::Vm => {
                self.vm.issue(false);
                written().for_each(|s| self.vm.mark(s));
                self.mark_fences(inst, written().next().is_some());
            }
            Raises::VmToLds => {
                self.vm.issue(false);
                if !self.ignores_fills {
                    self.vm.mark(LDS_FILL);
                }
            }
            Raises::Lds => {
                self.lgkm.issue(false);
                written().for_each(|s| self.lgkm.mark(s));
                if accesses_lds(inst) {
                    self.lgkm.mark(LDS_ACCESS);
                }
            }
            Raises::Scalar => {
                self.lgkm.issue(true);
                written().for_each(|s| self.lgkm.mark(s));
                if let Sem::ScalarStore { .. } | Sem::ScalarAtomic { .. } = inst.row().sem {
                    // Their data is read late: overwriting it must wait.
                    let data = effects.reads().filter(|t| t.slot == wavesmith_asm::Field::Dst);
                    data.flat_map(|t| t.span.iter()).for_each(|s| self.lgkm.mark(usize::from(s)));
                }
            }
            Raises::Message => self.lgkm.issue(true),
            Raises::Gds => {
                self.lgkm.issue(true);
                // Data is read late.
                effects.touches().iter().flat_map(|t| t.span.iter()).for_each(|s| self.lgkm.mark(usize::from(s)));
            }
            Raises::Flat => {
                self.vm.issue(true);
                self.lgkm.issue(true);
                for s in written() {
                    self.vm.mark(s);
                    self.lgkm.mark(s);
                }
                self.lgkm.mark(LDS_ACCESS);
                self.mark_fences(inst, written().next().is_some());
            }
        }
    }

    /// Takes in what an operation on vector memory means for what other units see.
    fn mark_fences(&mut self, inst: &Inst, returns: bool) {
        use wavesmith_asm::Field;
        match inst.row().sem {
            Sem::CacheWriteback => self.vm.mark(WRITE_BACK),
            Sem::Load { .. } if inst.get(Field::Sc0) | inst.get(Field::Sc1) != 0 => self.vm.mark(ACQUIRED),
            Sem::Atomic { .. } if returns => self.vm.mark(ACQUIRED),
            _ => {}
        }
    }

    /// Takes in what may be outstanding on another path.
    pub(crate) fn merge(&mut self, other: &Pending) {
        self.vm.merge(&other.vm);
        self.lgkm.merge(&other.lgkm);
        match (&mut self.exp, &other.exp) {
            (Some(mine), Some(theirs)) => mine.merge(theirs),
            (mine @ None, Some(theirs)) => *mine = Some(theirs.clone()),
            (_, None) => {}
        }
    }

    pub(crate) fn normalise(&mut self) {
        self.vm.normalise();
        self.lgkm.normalise();
        self.exp.iter_mut().for_each(Line::normalise);
        // As if there had never been one, where none is left.
        self.exp.take_if(|exp| exp.issued == exp.done);
    }

    fn anything(&self) -> bool {
        let outstanding = |l: &Line| l.issued > l.done;
        outstanding(&self.vm) || outstanding(&self.lgkm) || self.exp.as_ref().is_some_and(outstanding)
    }

    fn everything(&self) -> WaitCnt {
        let zero = |l: &Line, none| if l.issued > l.done { 0 } else { none };
        let exp = self.exp.as_ref().map_or(EXPCNT_MAX, |exp| zero(exp, EXPCNT_MAX));
        WaitCnt { vm: zero(&self.vm, VMCNT_MAX), lgkm: zero(&self.lgkm, LGKMCNT_MAX), exp }
    }
}

const READ_TOO: wavesmith_asm::Field = wavesmith_asm::Field::Reserved;

/// Whether a touched register's old value is needed at issue, rather than merged into when the data arrives.
fn reads_by_value(inst: &Inst, touch: &effects::Touch) -> bool {
    // A load into one half keeps the other, but does so on arrival, in order.
    touch.read && !matches!(inst.row().sem, Sem::Load { .. })
}

/// Whether an LDS instruction reads or writes LDS: what only moves values between lanes does neither.
fn accesses_lds(inst: &Inst) -> bool {
    use wavesmith_asm::sem::Ds;
    !matches!(inst.row().sem, Sem::Ds(Ds::Swizzle | Ds::Permute | Ds::Bpermute))
}

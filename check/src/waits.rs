//! Registers that a memory operation still owes a value, or still has to read, at each point of the program.
//!
//! The state is the set of operations that may be outstanding, each with its age: the fewest operations that any path
//! has issued after it on the same counter and in order with it. A wait for `n` covers what is at least `n` old. That
//! is exact for counters with several kinds of operations too: if `lgkmcnt` is at most `n`, an LDS operation with `n`
//! younger LDS operations is done, whatever scalar loads are about. Scalar loads return in any order, so only zero covers
//! them; FLAT is in order with nothing and on two counters.
//!
//! Store data needs no wait: on these targets it is read when the store issues, and what remains is the wait state of
//! wide stores. Scalar stores and GDS read late. M0 of an LDS-DMA is read at issue.
//!
//! LDS filled by LDS-DMA is judged as far as one wave's own way tells: a read of LDS is too early where nothing that came
//! before it on some way has put anything there, but for LDS-DMA of which all is still on its way ([`Fills`]). Beyond that,
//! which bytes are meant is the dynamic half's question, because double buffers keep fills in flight on purpose.

use crate::dataflow::{Analysis, State};
use crate::graph::Start;
use crate::program::{Node, Program, Waiting};
use crate::registers::Registers;
use crate::relative::is_choice;
use std::ops::Range;
use wavesmith_asm::counters::{EXP, EXPCNT_MAX, LGKM, LGKMCNT_MAX, Order, Raises, VM, VMCNT_MAX, WaitCnt};
use wavesmith_asm::effects::{Coarse, Span, Touch};
use wavesmith_asm::sem::{Ds, Sem};
use wavesmith_asm::{Field, Inst};

/// An operation that may be outstanding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The node that issued it.
    pub node: u32,
    /// Younger operations on its counter that are in order with it; of FLAT, those of vector memory, up to [`VMCNT_MAX`].
    age: u8,
    /// Counters that have not yet covered it.
    open: u8,
    /// With what it is in order.
    order: Order,
    /// Whether no register is to be written or read: it matters to others, at a barrier.
    silent: bool,
    /// When it was issued, by the state's clock.
    born: Clock,
}

/// Least time along any path, in issue slots of the wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Clock {
    /// Slots in which the wave issued something.
    slots: i32,
    /// Slots that the matrix pipe was busy for the wave.
    pipe: i32,
}

impl Clock {
    /// Time since `born`, cut off where nothing can be outstanding for its sake any more.
    fn since(self, born: Clock) -> Clock {
        Clock { slots: (self.slots - born.slots).min(LONG), pipe: (self.pipe - born.pipe).min(LONG) }
    }

    /// The time that was `span` ago.
    fn before(self, span: Clock) -> Clock {
        Clock { slots: self.slots - span.slots, pipe: self.pipe - span.pipe }
    }
}

/// Operations that are kept where ways join, and beside how many LDS writes are kept. One way has 63 on `vmcnt` and 15
/// on `lgkmcnt` at most.
const MOST_EVENTS: usize = 1024;
const MOST_SILENT: usize = 512;

/// Longer than any latency that matters, in slots.
const LONG: i32 = 1000;

/// What may be outstanding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    clock: Clock,
    /// By node number.
    events: Vec<Event>,
    /// Registers that events are about; more bits than needed are harmless.
    busy: Registers,
    /// The same, coarsely.
    coarse: Coarse,
    /// Whether there was no room for some of what is outstanding.
    full: bool,
    /// The youngest write-back of a cache, and the youngest load through one, that may be outstanding.
    writeback: Youngest,
    load: Youngest,
    /// The youngest operation on `vmcnt` that may be outstanding, of any kind.
    vm: Youngest,
    /// Whether another was when the write-back was issued.
    beside: bool,
    fills: Fills,
}

/// What has been put into LDS on ways on which none of it has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fills {
    /// Whether a way comes here on which nothing has been put there.
    none: bool,
    /// Whether a way comes here on which something is there, or may be.
    some: bool,
    /// The oldest LDS-DMA of a way on which only LDS-DMA has put anything there, and this may be outstanding. Of several ways
    /// the one with the fewest younger operations.
    oldest: Youngest,
}

impl Fills {
    /// Where a kernel begins.
    const NONE: Fills = Fills { none: true, some: false, oldest: Youngest::GONE };
    /// Behind something that has put data there, on every way.
    const SOME: Fills = Fills { none: false, some: true, oldest: Youngest::GONE };

    /// Lets time pass for the oldest: once it is there, something is.
    fn arrive(&mut self, pass: impl FnOnce(&mut Youngest)) {
        if self.oldest.is_outstanding() {
            pass(&mut self.oldest);
            self.some |= !self.oldest.is_outstanding();
        }
    }
}

impl Default for Fills {
    fn default() -> Fills {
        Fills::SOME
    }
}

/// The youngest operation of a kind that may be outstanding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Youngest {
    node: u32,
    /// Younger operations on `vmcnt`; at its maximum there is none outstanding.
    age: u8,
}

impl Default for Youngest {
    fn default() -> Youngest {
        Youngest::GONE
    }
}

impl Youngest {
    /// None is outstanding.
    const GONE: Youngest = Youngest { node: 0, age: VMCNT_MAX };

    fn join(&mut self, other: Youngest) -> bool {
        let younger = other.age < self.age;
        if younger {
            *self = other;
        }
        younger
    }

    fn is_outstanding(self) -> bool {
        self.age < VMCNT_MAX
    }

    fn wait(&mut self, vm: u8) {
        if vm <= self.age {
            *self = Youngest::GONE;
        }
    }

    fn pass(&mut self) {
        *self = if self.age + 1 < VMCNT_MAX { Youngest { age: self.age + 1, ..*self } } else { Youngest::GONE };
    }
}

impl State for Pending {
    fn join(&mut self, other: &Pending) -> bool {
        let mut new = false;
        // Both lists are by node number. Most joins find every operation of theirs among mine.
        let (mut at, mut missing) = (0, 0);
        for e in &other.events {
            at += self.events[at..].iter().take_while(|m| m.node < e.node).count();
            match self.events.get_mut(at) {
                Some(mine) if mine.node == e.node => {
                    let (a, b) = (self.clock.since(mine.born), other.clock.since(e.born));
                    let least = Clock { slots: a.slots.min(b.slots), pipe: a.pipe.min(b.pipe) };
                    new |= e.age < mine.age || mine.open | e.open != mine.open || least != a;
                    mine.age = mine.age.min(e.age);
                    mine.open |= e.open;
                    mine.born = self.clock.before(least);
                }
                _ => missing += 1,
            }
        }
        if missing > 0 {
            let mut kept = self.events.len();
            let mine = std::mem::replace(&mut self.events, Vec::with_capacity(kept + missing));
            let mut mine = mine.into_iter().peekable();
            for e in &other.events {
                while let Some(m) = mine.next_if(|m| m.node < e.node) {
                    self.events.push(m);
                }
                if mine.peek().is_some_and(|m| m.node == e.node) {
                    continue;
                }
                // Ways that skip each other's waits pile up what is outstanding; no program that means it needs more.
                if kept >= if e.silent { MOST_SILENT } else { MOST_EVENTS } {
                    new |= !std::mem::replace(&mut self.full, true);
                    continue;
                }
                kept += 1;
                new = true;
                self.events.push(Event { born: self.clock.before(other.clock.since(e.born)), ..*e });
            }
            self.events.extend(mine);
        }
        new |= other.full && !self.full;
        self.full |= other.full;
        self.busy.join(&other.busy);
        self.coarse = self.coarse.or(other.coarse);
        new |= self.writeback.join(other.writeback);
        new |= self.load.join(other.load);
        new |= self.vm.join(other.vm);
        new |= other.beside && !self.beside;
        self.beside |= other.beside;
        new |= other.fills.none && !self.fills.none || other.fills.some && !self.fills.some;
        self.fills.none |= other.fills.none;
        self.fills.some |= other.fills.some;
        new |= self.fills.oldest.join(other.fills.oldest);
        new
    }
}

/// What is wrong at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub what: What,
    /// The operation that is outstanding.
    pub producer: u32,
    /// The registers in question.
    pub span: Span,
    /// The least wait that would cover it.
    pub wait: WaitCnt,
    /// Issue slots that have passed at least.
    pub slots: u32,
    /// Whether M0 picks one of several registers, of which this is one.
    pub choice: bool,
    /// Whether it went through FLAT, its part in LDS is waited for, and so many are younger that the counter of vector memory
    /// has been full since: what LLVM takes for done.
    pub full: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Read,
    Write,
    StoreData,
    Barrier,
    /// An LDS read that may not have happened when other waves go on, and write there.
    BarrierRead,
    /// A store or atomic behind a write-back that may not have happened.
    Published,
    /// The same where nothing else was outstanding when the write-back was issued.
    PublishedAlone,
    /// An invalidation behind a load that may not have returned.
    Invalidated,
    /// A read of LDS into which nothing has come yet.
    Unfilled,
}

pub(crate) struct Waits<'a> {
    pub program: &'a Program,
    operations: &'a Operations,
    /// Whether there is any LDS-DMA.
    fills: bool,
    /// Whether anything else writes LDS, so that behind a barrier another wave may have.
    others_fill: bool,
}

/// What the operations of a program owe and read late.
pub(crate) struct Operations {
    /// By [`crate::program::NodeFacts::alike`].
    alike: Vec<Operation>,
    /// The registers of all of them.
    spans: Vec<Span>,
}

/// What is outstanding of a memory operation: a run of [`Operations::spans`], first those that it will write, then those that it
/// reads late.
#[derive(Clone, Copy, Default)]
struct Operation {
    first: u32,
    owes: u8,
    late: u8,
    /// Whether it writes LDS, which is waited for at barriers.
    writes_lds: bool,
    /// All of them.
    coarse: Coarse,
}

/// What an instruction does to the contents of LDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// Nothing, as far as can be told.
    Leaves,
    Reads,
    Writes,
}

impl Contents {
    /// What an instruction does that raises a counter. FLAT may go anywhere, so it counts as a write where it may be one.
    pub fn of(inst: &Inst, raises: Raises) -> Contents {
        match (raises, inst.row().sem) {
            (Raises::Flat, Sem::Load { .. }) => Contents::Leaves,
            (Raises::Flat, _) => Contents::Writes,
            (Raises::Lds, Sem::Store { .. } | Sem::Atomic { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. }) => {
                Contents::Writes
            }
            (Raises::Lds, Sem::Ds(Ds::Append | Ds::Consume | Ds::WriteAddtid)) => Contents::Writes,
            // What only moves values between lanes does neither.
            (Raises::Lds, Sem::Ds(Ds::Swizzle | Ds::Permute | Ds::Bpermute)) => Contents::Leaves,
            (Raises::Lds, _) => Contents::Reads,
            _ => Contents::Leaves,
        }
    }
}

impl Operations {
    pub fn of(program: &Program) -> Operations {
        let (mut alike, mut spans) = (vec![Operation::default(); program.facts.distinct()], Vec::new());
        for (i, operation) in program.facts.examples().zip(&mut alike) {
            let n = &program.nodes[i];
            if n.raises == Raises::Nothing {
                continue;
            }
            let contents = Contents::of(&n.inst, n.raises);
            let touches = program.facts[i].effects.touches();
            let first = spans.len();
            spans.extend(touches.iter().filter(|t| t.write && t.slot != Field::Reserved).map(|t| t.span));
            let owes = spans.len() - first;
            spans.extend(touches.iter().filter(|t| is_read_late(n, t)).map(|t| t.span));
            let late = spans.len() - first - owes;
            *operation = Operation {
                first: first as u32,
                owes: owes as u8,
                late: late as u8,
                writes_lds: n.raises == Raises::Lds && contents == Contents::Writes,
                coarse: spans[first..].iter().fold(Coarse::NONE, |all, s| all.or(Coarse::of(*s))),
            };
        }
        Operations { alike, spans }
    }
}

impl<'a> Waits<'a> {
    /// Of a kernel with these [`crate::whole::examples`].
    pub fn new(program: &'a Program, operations: &'a Operations, examples: &[u32]) -> Waits<'a> {
        let any = |what: fn(&Node) -> bool| examples.iter().any(|i| what(&program.nodes[*i as usize]));
        let fills = any(|n| n.raises == Raises::VmToLds);
        let others_fill = fills && any(|n| Contents::of(&n.inst, n.raises) == Contents::Writes);
        Waits { program, operations, fills, others_fill }
    }
}

/// Whether an operation reads the registers only after it has issued.
fn is_read_late(n: &Node, t: &Touch) -> bool {
    let scalar = || matches!(n.inst.row().sem, Sem::ScalarStore { .. } | Sem::ScalarAtomic { .. });
    let late = n.raises == Raises::Gds || n.raises == Raises::Export;
    t.read && (late && t.span.is_vector() || t.slot == Field::Dst && scalar())
}

impl Waits<'_> {
    fn contents(&self, node: u32) -> Contents {
        let n = &self.program.nodes[node as usize];
        Contents::of(&n.inst, n.raises)
    }

    fn raises(&self, node: u32) -> Raises {
        self.program.nodes[node as usize].raises
    }

    #[inline]
    fn operation(&self, node: u32) -> &Operation {
        &self.operations.alike[self.program.facts.alike(node as usize)]
    }

    /// The registers that an operation will write, and those that it reads late.
    #[inline]
    fn spans(&self, node: u32) -> (&[Span], &[Span]) {
        let o = self.operation(node);
        let first = o.first as usize;
        self.operations.spans[first..first + usize::from(o.owes) + usize::from(o.late)].split_at(o.owes.into())
    }

    fn wait(&self, state: &mut Pending, wait: WaitCnt) {
        let before = state.events.len();
        let (vm, lgkm, exp) = (wait.vm < VMCNT_MAX, wait.lgkm < LGKMCNT_MAX, wait.exp < EXPCNT_MAX);
        if !(vm || lgkm || exp) {
            return;
        }
        state.events.retain_mut(|e| {
            let in_order = e.order != Order::None;
            let covers = |n: u8| if in_order { e.age >= n } else { n == 0 };
            if vm && e.open & VM != 0 && covers(wait.vm) {
                e.open &= !VM;
            }
            if lgkm && e.open & LGKM != 0 && covers(wait.lgkm) {
                e.open &= !LGKM;
            }
            if exp && e.open & EXP != 0 && covers(wait.exp) {
                e.open &= !EXP;
                // Data has been read once `expcnt` says so; a result is announced by `lgkmcnt`.
            }
            e.open != 0
        });
        if state.events.len() != before {
            state.busy = Registers::default();
            state.coarse = Coarse::NONE;
            for i in 0..state.events.len() {
                self.occupy(state, state.events[i].node);
            }
        }
    }

    /// Marks the registers that an operation is about.
    fn occupy(&self, state: &mut Pending, node: u32) {
        let Pending { busy, coarse, .. } = state;
        let (owes, late) = self.spans(node);
        owes.iter().chain(late).for_each(|s| busy.insert(*s));
        *coarse = coarse.or(self.operation(node).coarse);
    }

    /// The wait that covers an event.
    fn needed(&self, e: &Event) -> WaitCnt {
        let n = if e.order == Order::None { 0 } else { e.age };
        WaitCnt::covering(e.open, n)
    }

    /// Whether a FLAT operation is one that LLVM takes for done: waited for in LDS, and the counter of memory full since.
    fn full(&self, e: &Event) -> bool {
        self.raises(e.node) == Raises::Flat && e.open == VM && e.age >= VMCNT_MAX
    }

    /// Slots between the issue of `e` and the node: a matrix instruction also waits for those before it.
    fn slots(&self, state: &Pending, e: &Event, node: usize) -> u32 {
        let c = state.clock.since(e.born);
        let pipe = if self.program.facts[node].matrix.is_some() { c.pipe } else { 0 };
        c.slots.max(pipe).max(0) as u32
    }

    /// The registers of `span` that an operation is about.
    fn shared(&self, e: &Event, span: Span) -> Span {
        let (owes, late) = self.spans(e.node);
        let common = owes.iter().chain(late).find(|s| s.overlaps(span)).map(|s| {
            let first = s.first.max(span.first);
            Span { first, count: s.end().min(span.end()) - first }
        });
        common.unwrap_or(span)
    }

    /// The fault that touching `t` by `node` is, given that `e` is outstanding.
    fn meets(&self, e: &Event, node: usize, t: &Touch) -> Option<What> {
        let n = &self.program.nodes[node];
        let (owes, late) = self.spans(e.node);
        if t.write && late.iter().any(|l| l.overlaps(t.span)) {
            return Some(What::StoreData);
        }
        if e.open & (VM | LGKM) == 0 || !owes.iter().any(|o| o.overlaps(t.span)) {
            return None;
        }
        // A younger operation of the same order arrives later: it may overwrite, also in part.
        let loads = matches!(
            n.inst.row().sem,
            Sem::Load { .. } | Sem::DsLoad2 { .. } | Sem::Atomic { .. } | Sem::DsXchg2 { .. } | Sem::Ds(_)
        );
        let mine = n.raises.order();
        let same = mine != Order::None && mine == e.order;
        if t.write && same && t.slot != Field::Reserved && (!t.read || loads && is_result(n, t)) {
            return None;
        }
        Some(if t.read { What::Read } else { What::Write })
    }
}

/// Whether the touched registers are the result of a load, into which it merges, rather than an input.
fn is_result(n: &Node, t: &Touch) -> bool {
    match n.inst.row().sem {
        Sem::Load { .. } | Sem::DsLoad2 { .. } | Sem::Ds(_) => t.write,
        // A returning atomic of the buffer formats reads its data from where the result goes.
        _ => !t.read,
    }
}

impl Analysis for Waits<'_> {
    type State = Pending;
    type Fault = Fault;

    fn start(&self, start: Start) -> Pending {
        // A function that anybody may call finds in LDS what its caller has put there.
        let fills = if self.fills && start != Start::Unknown { Fills::NONE } else { Fills::SOME };
        Pending { fills, ..Pending::default() }
    }

    fn overflowed(&self, state: &Pending) -> Option<&'static str> {
        state.full.then_some("more operations are outstanding than are kept where ways join, and some are left out")
    }

    #[inline]
    fn node(&self, state: &mut Pending, node: usize, report: &mut dyn FnMut(Fault)) {
        let n = &self.program.nodes[node];
        if n.absent {
            return;
        }
        let facts = &self.program.facts[node];
        if n.waits == Waiting::Invalidate && state.load.is_outstanding() {
            self.fence(state, What::Invalidated, report);
        }
        if let Waiting::Count(simm) = n.waits {
            let vm = WaitCnt::decode(simm).vm;
            state.load.wait(vm);
            state.writeback.wait(vm);
            state.vm.wait(vm);
            state.fills.arrive(|oldest| oldest.wait(vm));
        }
        if !state.events.is_empty() {
            if facts.coarse().meets(state.coarse) {
                self.touch(state, node, report);
            }
            match n.waits {
                Waiting::No | Waiting::Invalidate => {}
                Waiting::Count(simm) => self.wait(state, WaitCnt::decode(simm)),
                Waiting::Barrier => self.barrier(state, node, report),
            }
        }
        state.clock.slots += i32::from(facts.states());
        if let Some((_, passes)) = facts.matrix {
            state.clock.pipe = state.clock.pipe.max(state.clock.slots) + i32::from(passes) - 1;
        }
        if n.waits == Waiting::Barrier && self.others_fill {
            state.fills = Fills::SOME;
        }
        if n.raises != Raises::Nothing {
            if n.raises.counters() & VM != 0 {
                self.order(state, node, report);
            }
            if state.fills != Fills::SOME {
                self.fill(state, node, report);
            }
            self.issue(state, node);
        }
    }
}

impl Waits<'_> {
    /// Asks of every register that the node touches whether something outstanding is about it.
    fn touch(&self, state: &mut Pending, node: usize, report: &mut dyn FnMut(Fault)) {
        let touches = self.program.facts[node].effects.touches();
        if !touches.iter().any(|t| state.busy.meets(t.span)) {
            return;
        }
        // What is read and written is read too early: the read is what the value is wrong for.
        let (reads, writes) = (touches.iter().filter(|t| t.read), touches.iter().filter(|t| !t.read));
        for t in reads.chain(writes) {
            if !state.busy.meets(t.span) {
                continue;
            }
            // What has been reported is taken as waited for, so that one missing wait is one finding.
            let mut i = 0;
            while i < state.events.len() {
                let e = state.events[i];
                match self.meets(&e, node, t) {
                    Some(what) => {
                        let choice = is_choice(t);
                        report(Fault {
                            what,
                            producer: e.node,
                            span: if choice { self.shared(&e, t.span) } else { t.span },
                            wait: self.needed(&e),
                            slots: self.slots(state, &e, node),
                            choice,
                            full: self.full(&e),
                        });
                        // What may not be meant is still to be waited for.
                        if choice {
                            i += 1;
                        } else {
                            state.events.remove(i);
                        }
                    }
                    None => i += 1,
                }
            }
        }
    }

    /// LDS accesses that may not have happened when other waves go on: the LDS has several queues, and does not keep the
    /// order of what different waves have put into them.
    fn barrier(&self, state: &mut Pending, node: usize, report: &mut dyn FnMut(Fault)) {
        let mut i = 0;
        while i < state.events.len() {
            let e = state.events[i];
            if self.raises(e.node) == Raises::Lds && self.contents(e.node) != Contents::Leaves {
                report(Fault {
                    what: if self.contents(e.node) == Contents::Writes { What::Barrier } else { What::BarrierRead },
                    producer: e.node,
                    span: Span::NONE,
                    wait: self.needed(&e),
                    slots: self.slots(state, &e, node),
                    choice: false,
                    full: false,
                });
                // What owes a register is still to be waited for.
                if e.silent {
                    state.events.remove(i);
                    continue;
                }
            }
            i += 1;
        }
    }

    /// What the memory model asks of a vector memory operation beside the registers: a store that tells others to look
    /// must come after the write-back in front of it, which counts like a store.
    fn order(&self, state: &mut Pending, node: usize, report: &mut dyn FnMut(Fault)) {
        let inst = &self.program.nodes[node].inst;
        let sem = inst.row().sem;
        let stores = matches!(sem, Sem::Store { .. } | Sem::Atomic { .. });
        if stores && state.writeback.is_outstanding() {
            self.fence(state, if state.beside { What::Published } else { What::PublishedAlone }, report);
        }
        state.writeback.pass();
        state.load.pass();
        state.fills.arrive(Youngest::pass);
        let youngest = Youngest { node: node as u32, age: 0 };
        match sem {
            Sem::CacheWriteback => {
                state.writeback = youngest;
                state.beside = state.vm.is_outstanding();
            }
            // Loads that look past the first cache: only those can tell what others have written.
            Sem::Load { .. } if inst.get(Field::Sc0) | inst.get(Field::Sc1) != 0 => state.load = youngest,
            Sem::Atomic { .. } if self.operation(node as u32).owes > 0 => state.load = youngest,
            _ => {}
        }
        state.vm = youngest;
    }

    /// What has been put into LDS, and whether any of it can be there when it is read.
    fn fill(&self, state: &mut Pending, node: usize, report: &mut dyn FnMut(Fault)) {
        let n = &self.program.nodes[node];
        let fills = &mut state.fills;
        if n.raises == Raises::VmToLds {
            // Where another way has put something there before, it is data that this is the first.
            let first = !fills.some && !fills.oldest.is_outstanding();
            if std::mem::replace(&mut fills.none, false) {
                if first {
                    fills.oldest = Youngest { node: node as u32, age: 0 };
                } else {
                    fills.some = true;
                }
            }
            return;
        }
        match Contents::of(&n.inst, n.raises) {
            Contents::Leaves => {}
            Contents::Writes => *fills = Fills::SOME,
            Contents::Reads if fills.oldest.is_outstanding() => {
                let Youngest { node: producer, age } = fills.oldest;
                let wait = WaitCnt { vm: age, ..WaitCnt::NONE };
                report(Fault {
                    what: What::Unfilled,
                    producer,
                    span: Span::NONE,
                    wait,
                    slots: 0,
                    choice: false,
                    full: false,
                });
                fills.arrive(|oldest| *oldest = Youngest::GONE);
            }
            Contents::Reads => {}
        }
    }

    /// Reports what may be overtaken, and takes it as waited for.
    fn fence(&self, state: &mut Pending, what: What, report: &mut dyn FnMut(Fault)) {
        let first = if what == What::Invalidated { &mut state.load } else { &mut state.writeback };
        let wait = WaitCnt { vm: first.age.min(VMCNT_MAX - 1), ..WaitCnt::NONE };
        report(Fault { what, producer: first.node, span: Span::NONE, wait, slots: 0, choice: false, full: false });
        first.age = VMCNT_MAX;
    }

    /// Takes in a memory operation.
    fn issue(&self, state: &mut Pending, node: usize) {
        let n = &self.program.nodes[node];
        let open = n.raises.counters();
        let mine = n.raises.order();
        if mine == Order::Vector || n.raises == Raises::Flat {
            for e in state.events.iter_mut().filter(|e| self.raises(e.node) == Raises::Flat) {
                e.age = (e.age + 1).min(VMCNT_MAX);
            }
        }
        if mine != Order::None {
            // A counter at its maximum holds up the next operation, so what has that many younger ones is done.
            let max = if mine == Order::Vector { VMCNT_MAX } else { LGKMCNT_MAX };
            state.events.retain_mut(|e| {
                let ages = e.order == mine;
                e.age += u8::from(ages);
                !ages || e.age < max
            });
        }
        let number = node as u32;
        let operation = self.operation(number);
        let silent = operation.owes == 0 && operation.late == 0;
        if silent && !operation.writes_lds {
            return;
        }
        // A pipe that has long been idle was not busy for as long as that.
        let born = Clock { pipe: state.clock.pipe.max(state.clock.slots), ..state.clock };
        let event = Event { node: number, age: 0, open, order: mine, silent, born };
        match state.events.binary_search_by_key(&number, |e| e.node) {
            Ok(i) => state.events[i] = event,
            Err(i) => state.events.insert(i, event),
        }
        self.occupy(state, number);
    }
}

impl Waits<'_> {
    /// What takes one outstanding operation through a run of nodes on its own: `None` once a wait covers it, else its new
    /// age and the counters that have covered it.
    pub fn alive(&self, producer: u32) -> impl Fn((u8, u8), Range<usize>) -> Option<(u8, u8)> {
        let raises = self.raises(producer);
        let (mine, counters) = (raises.order(), raises.counters());
        let max = if mine == Order::Vector { VMCNT_MAX } else { LGKMCNT_MAX };
        move |(mut age, mut closed), nodes| {
            for node in self.program.counting(nodes) {
                let n = &self.program.nodes[node];
                if n.absent {
                    continue;
                }
                if node as u32 == producer {
                    return None;
                }
                if let Waiting::Count(simm) = n.waits {
                    let w = WaitCnt::decode(simm);
                    let covers = |n: u8, max: u8| n < max && if mine == Order::None { n == 0 } else { age >= n };
                    closed |= if covers(w.vm, VMCNT_MAX) { VM } else { 0 };
                    closed |= if covers(w.lgkm, LGKMCNT_MAX) { LGKM } else { 0 };
                    closed |= if covers(w.exp, EXPCNT_MAX) { EXP } else { 0 };
                    if counters & !closed == 0 {
                        return None;
                    }
                }
                age += u8::from(mine != Order::None && n.raises.order() == mine);
                if age >= max {
                    return None;
                }
            }
            Some((age, closed))
        }
    }
}

//! Results in flight: which registers a memory operation still owes a value, on the path that was taken.
//!
//! The rules are the static checker's (`wavesmith_check`), without its "may": every operation has one age.

use super::program::Info;
use wavesmith_asm::Field;
use wavesmith_asm::counters::{EXP, EXPCNT_MAX, LGKM, LGKMCNT_MAX, Order, Raises, VM, VMCNT_MAX, WaitCnt};
use wavesmith_asm::effects::{self, Effects, Span, Touch};
use wavesmith_asm::sem::Sem;

/// An operation that is outstanding.
#[derive(Clone, Copy, Debug)]
struct Op {
    /// Its instruction.
    number: u32,
    /// How many operations of its order had been issued with it.
    at: u32,
    open: u8,
    order: Order,
    born: u64,
    /// The dispatch's count of issued instructions.
    issue: u32,
    lds_write: bool,
    lds_read: bool,
    /// A flat store, which may have gone to LDS.
    flat_store: bool,
}

/// What a touch of a register in flight is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Read,
    Write,
    StoreData,
    Barrier,
}

/// A finding in the making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub what: What,
    pub producer: u32,
    pub span: Span,
    pub wait: WaitCnt,
    pub slots: u64,
}

const WORDS: usize = effects::COUNT.div_ceil(64);

/// A wave's operations in flight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flight {
    ops: Vec<Op>,
    busy: [u64; WORDS],
    /// Operations on `vmcnt` issued.
    pub issued: u32,
    vm: u32,
    lds: u32,
}

fn any(busy: &[u64; WORDS], span: Span) -> bool {
    let (first, last) = (usize::from(span.first), usize::from(span.end()) - 1);
    let (a, b) = (first / 64, last / 64);
    let (low, high) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
    if a == b {
        return busy[a] & low & high != 0;
    }
    busy[a] & low != 0 || busy[b] & high != 0 || busy[a + 1..b].iter().any(|w| *w != 0)
}

fn mark(busy: &mut [u64; WORDS], spans: &[Span]) {
    for r in spans.iter().flat_map(|s| s.iter()) {
        busy[usize::from(r) / 64] |= 1 << (r % 64);
    }
}

impl Flight {
    /// Whether anything the instruction touches is in flight: quick.
    #[inline]
    pub fn meets(&self, effects: &Effects) -> bool {
        !self.ops.is_empty() && effects.touches().iter().any(|t| any(&self.busy, t.span))
    }

    /// Everything that instruction `number` touches too early. What is reported is taken as waited for.
    pub fn touch(&mut self, number: u32, effects: &Effects, infos: &[Info], clock: u64) -> Vec<Met> {
        let mut out = Vec::new();
        // What is read and written is told as read: a value that is wrong says more than an order that is.
        for t in effects.reads().chain(effects.touches().iter().filter(|t| !t.read)) {
            if !any(&self.busy, t.span) {
                continue;
            }
            let mut i = 0;
            while i < self.ops.len() {
                let op = self.ops[i];
                match Flight::meeting(&op, number, t, infos) {
                    Some(what) => {
                        out.push(Met {
                            what,
                            producer: op.number,
                            span: t.span,
                            wait: self.needed(&op),
                            slots: clock - op.born,
                        });
                        self.ops.remove(i);
                    }
                    None => i += 1,
                }
            }
        }
        if !out.is_empty() {
            self.remark(infos);
        }
        out
    }

    fn meeting(op: &Op, number: u32, t: &Touch, infos: &[Info]) -> Option<What> {
        let (producer, n) = (&infos[op.number as usize], &infos[number as usize]);
        if t.write && producer.late.iter().any(|l| l.overlaps(t.span)) {
            return Some(What::StoreData);
        }
        if op.open & (VM | LGKM) == 0 || !producer.owes.iter().any(|o| o.overlaps(t.span)) {
            return None;
        }
        let sem = n.inst.row().sem;
        let loads = matches!(
            sem,
            Sem::Load { .. } | Sem::DsLoad2 { .. } | Sem::Atomic { .. } | Sem::DsXchg2 { .. } | Sem::Ds(_)
        );
        let result = match sem {
            Sem::Load { .. } | Sem::DsLoad2 { .. } | Sem::Ds(_) => t.write,
            _ => !t.read,
        };
        let mine = n.raises.order();
        let same = mine != Order::None && mine == op.order;
        if t.write && same && t.slot != Field::Reserved && (!t.read || loads && result) {
            // A younger operation of the same order arrives later: it may overwrite.
            return None;
        }
        Some(if t.read { What::Read } else { What::Write })
    }

    fn age(&self, op: &Op) -> u32 {
        match op.order {
            Order::Vector => self.vm - op.at,
            Order::Lds => self.lds - op.at,
            Order::None => 0,
        }
    }

    /// The wait that covers an operation.
    fn needed(&self, op: &Op) -> WaitCnt {
        let n = self.age(op).min(255) as u8;
        WaitCnt::covering(op.open, n)
    }

    /// LDS writes that are still on their way at a barrier.
    pub fn barrier(&self, clock: u64) -> Option<Met> {
        self.ops.iter().find(|o| o.lds_write && o.open & LGKM != 0).map(|op| Met {
            what: What::Barrier,
            producer: op.number,
            span: Span::NONE,
            wait: self.needed(op),
            slots: clock - op.born,
        })
    }

    /// The first LDS write and the first LDS read that no wait has covered, by the dispatch's count of issued instructions.
    pub fn lds_open_from(&self) -> [u32; 2] {
        let first = |which: fn(&Op) -> bool| {
            let open = self.ops.iter().filter(|o| which(o) && o.open & LGKM != 0);
            open.map(|o| o.issue).min().unwrap_or(u32::MAX)
        };
        [first(|o| o.lds_write || o.flat_store), first(|o| o.lds_read)]
    }

    /// A wait.
    pub fn wait(&mut self, w: WaitCnt, infos: &[Info]) {
        let (vm, lgkm, exp) = (w.vm < VMCNT_MAX, w.lgkm < LGKMCNT_MAX, w.exp < EXPCNT_MAX);
        let (vm_now, lds_now) = (self.vm, self.lds);
        let before = self.ops.len();
        self.ops.retain_mut(|op| {
            let age = match op.order {
                Order::Vector => vm_now - op.at,
                Order::Lds => lds_now - op.at,
                Order::None => 0,
            };
            let covers = |n: u8| if op.order == Order::None { n == 0 } else { age >= u32::from(n) };
            if vm && op.open & VM != 0 && covers(w.vm) {
                op.open &= !VM;
            }
            if lgkm && op.open & LGKM != 0 && covers(w.lgkm) {
                op.open &= !LGKM;
            }
            if exp && op.open & EXP != 0 && covers(w.exp) {
                op.open &= !EXP;
            }
            op.open != 0
        });
        if self.ops.len() != before {
            self.remark(infos);
        }
    }

    fn remark(&mut self, infos: &[Info]) {
        self.busy = [0; WORDS];
        for op in &self.ops {
            let info = &infos[op.number as usize];
            mark(&mut self.busy, &info.owes);
            mark(&mut self.busy, &info.late);
        }
    }

    /// An instruction issues, the `issue`th of the dispatch.
    pub fn issue(&mut self, number: u32, infos: &[Info], clock: u64, issue: u32) {
        let info = &infos[number as usize];
        let open = info.raises.counters();
        if open == 0 {
            return;
        }
        let order = info.raises.order();
        if open & VM != 0 {
            self.issued += 1;
        }
        if order == Order::Vector {
            self.vm += 1;
        }
        if order == Order::Lds {
            self.lds += 1;
        }
        // A counter at its maximum holds up the next operation, so what has that many younger ones is done.
        let (vm, lds) = (self.vm, self.lds);
        let before = self.ops.len();
        self.ops.retain(|op| match op.order {
            Order::Vector => vm - op.at < u32::from(VMCNT_MAX),
            Order::Lds => lds - op.at < u32::from(LGKMCNT_MAX),
            Order::None => true,
        });
        if self.ops.len() != before {
            self.remark(infos);
        }
        let flat = info.raises == Raises::Flat;
        // Of flat stores, which owe nothing, the first that no wait covers is enough.
        let flat_store = flat && info.stores && !self.ops.iter().any(|o| o.flat_store && o.open & LGKM != 0);
        if info.owes.is_empty() && info.late.is_empty() && !info.writes_lds && !flat_store {
            return;
        }
        let at = if order == Order::Lds { self.lds } else { self.vm };
        let lds_read = (order == Order::Lds || flat) && !info.owes.is_empty();
        self.ops.push(Op {
            number,
            at,
            open,
            order,
            born: clock,
            issue,
            lds_write: info.writes_lds,
            lds_read,
            flat_store,
        });
        mark(&mut self.busy, &info.owes);
        mark(&mut self.busy, &info.late);
    }
}

//! Wait states as findings: what the guide asks for is an error where shipping code keeps to it as well.
//!
//! Shipping code relies on true time where the guides count instructions, so its column is compared with slots: those in
//! which a matrix instruction waits for its pipe, and on some parts those that a slow vector instruction takes. Of several
//! ways the quickest counts.

use crate::dataflow::{Prefer, Way};
use crate::finding::{Finding, Kind, Severity};
use crate::graph::Graph;
use crate::program::Program;
use crate::sink::Sink;
use crate::states::{States, TooClose};
use crate::whole::{blocks_of, existing_way};
use std::cmp::Ordering;
use std::ops::Range;
use wavesmith_asm::hazard::sets_all_lanes;

/// What shipping code keeps to behind an instruction.
struct Shipping<'a> {
    program: &'a Program,
    /// Slots that it leaves.
    slots: u32,
    /// Slots that it leaves where all lanes are turned on again in between, if that makes a difference.
    on_again: Option<u32>,
    /// Whether the second instruction waits for the matrix pipe.
    last: bool,
    /// Whether a vector instruction counts for as long as it keeps the vector ALU busy.
    slow: bool,
}

/// Issue slots since an instruction, counting that a matrix instruction waits until the one before it has left the pipe. The
/// rules count such a wait as one state; shipping code relies on its true length.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slots {
    clock: u32,
    /// When the matrix pipe is free.
    pipe: u32,
    /// Whether all lanes have been turned on again.
    on_again: bool,
}

impl PartialOrd for Slots {
    fn partial_cmp(&self, other: &Slots) -> Option<Ordering> {
        let each = [self.clock.cmp(&other.clock), self.pipe.cmp(&other.pipe), self.on_again.cmp(&other.on_again)];
        let has = |o: Ordering| each.contains(&o);
        match (has(Ordering::Less), has(Ordering::Greater)) {
            (true, true) => None,
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => Some(Ordering::Equal),
        }
    }
}

impl Shipping<'_> {
    /// Right behind a node.
    fn behind(&self, node: usize) -> Slots {
        let pipe = self.program.facts[node].matrix.map_or(0, |(_, passes)| u32::from(passes));
        Slots { clock: 0, pipe, on_again: false }
    }

    /// Behind one more node.
    fn issue(&self, mut s: Slots, node: usize) -> Slots {
        let (n, f) = (&self.program.nodes[node], &self.program.facts[node]);
        if n.absent {
            return s;
        }
        let busy = if self.slow { n.inst.row().time.vector_slots() } else { 0 };
        s.clock += u32::from(f.states().max(busy));
        if let Some((_, passes)) = f.matrix {
            s.clock = s.clock.max(s.pipe);
            s.pipe = s.clock + u32::from(passes);
        }
        s.on_again |= sets_all_lanes(&n.inst);
        s
    }

    /// The slots that count.
    fn since(&self, s: Slots) -> u32 {
        if self.last { s.clock.max(s.pipe) } else { s.clock }
    }

    /// Whether it is sooner than shipping code dares.
    fn too_soon(&self, s: Slots) -> bool {
        self.since(s) < self.on_again.filter(|_| s.on_again).unwrap_or(self.slots)
    }
}

/// The nodes between two on a way, or straight on if that is empty.
fn nodes_between(program: &Program, from: usize, path: &[u64], to: usize) -> impl Iterator<Item = usize> {
    let (first, last) = match path {
        [] => (from + 1..to, 0..0),
        _ => (from + 1..program.range(program.block_of[from]).end, program.range(program.block_of[to]).start..to),
    };
    let inner = path.get(1..path.len().saturating_sub(1)).unwrap_or(&[]);
    let inner = inner.iter().filter_map(|pc| program.block_at(*pc)).flat_map(|b| program.range(b));
    first.chain(inner).chain(last)
}

/// Tells of a pair that is too close.
pub(crate) fn states_finding(sink: &mut Sink, graph: &Graph, states: &States, v: u32, i: usize, f: TooClose) {
    let program = sink.program;
    let producer = f.producer as usize;
    let ask = f.ask;
    if !sink.first(Kind::WaitStates, i, producer, ask.rule.as_ptr() as usize) {
        return;
    }
    let below_guide = f.since < ask.isa;
    let want = if below_guide { ask.isa } else { ask.strictest() };
    let missing = want - f.since;
    let since = |since, nodes: Range<usize>| nodes.into_iter().try_fold(since, |since, n| states.since(since, want, n));
    let Some((way, unsure)) = existing_way(sink, graph, Prefer::Short, producer, (v, i), &0, since) else { return };
    let mut path = blocks_of(graph, program.nodes[i].pc, way);
    // Shipping code counts the slots in which a matrix instruction waits for the pipe.
    let waits_for_pipe = ask.shipping_waits_for_pipe(program.target);
    let by_slots = waits_for_pipe || program.facts[producer].matrix.is_some();
    // Shipping code turns all lanes on again by the scalar ALU in between, and leaves two states.
    let on_again = ask.shipping_with_lanes_on_again().map(u32::from);
    let shipping = Shipping {
        program,
        slots: ask.shipping.into(),
        on_again,
        last: waits_for_pipe,
        slow: ask.shipping_counts_slow_instructions(program.target),
    };
    let between = |path: &[u64]| {
        nodes_between(program, producer, path, i).fold(shipping.behind(producer), |s, n| shipping.issue(s, n))
    };
    let mut there = between(&path);
    // The shortest way need not be the quickest.
    if below_guide && (by_slots || on_again.is_some()) && !shipping.too_soon(there) {
        let sooner = |s: Slots, nodes: Range<usize>| {
            nodes.into_iter().try_fold(s, |s, n| Some(shipping.issue(s, n)).filter(|s| shipping.too_soon(*s)))
        };
        let start = shipping.behind(producer);
        if let Some((Way::By(other), false)) =
            existing_way(sink, graph, Prefer::Short, producer, (v, i), &start, sooner)
        {
            (there, path) = (between(&other), other);
        }
    }
    let slots = if by_slots { shipping.since(there).max(f.since.into()) } else { f.since.into() };
    let superseded = there.on_again && on_again.is_some_and(|enough| slots >= enough);
    let is_choice = |n: u32| program.relative.get(&n).is_some_and(|r| r.by.is_none());
    let choice = is_choice(i as u32) || is_choice(f.producer);
    let error = below_guide && slots < ask.shipping.into() && !superseded && !choice && !unsure;
    // Put together by hand: some kernels have thousands of these, and formatting took longer than finding them.
    let mut message = String::with_capacity(224);
    let states = |m: &mut String, n: u8| {
        push_number(m, n.into());
        m.push_str(if n == 1 { " wait state" } else { " wait states" });
    };
    message.push_str(ask.rule);
    message.push_str(": ");
    states(&mut message, f.since);
    message.push_str(" since `");
    sink.push_text(&mut message, producer);
    message.push_str("`, ");
    push_number(&mut message, want.into());
    message.push_str(" needed (guide ");
    push_number(&mut message, ask.isa.into());
    message.push_str(", LLVM ");
    push_number(&mut message, ask.llvm.into());
    message.push_str(", shipping code ");
    push_number(&mut message, ask.shipping.into());
    if ask.shipping == ask.isa && slots > f.since.into() {
        message.push_str(" of the slots in which the pipe is busy, here ");
        push_number(&mut message, slots);
    }
    message.push(')');
    if superseded {
        message.push_str("; all lanes are turned on again in between, as in shipping code");
    }
    if choice {
        message.push_str("; registers are indexed by M0 here, so whether they are the same is data");
    }
    let mut need = String::with_capacity(48);
    need.push_str("s_nop ");
    push_number(&mut need, (missing - 1).into());
    need.push_str(" before it (");
    push_number(&mut need, missing.into());
    need.push_str(if missing == 1 { " more wait state)" } else { " more wait states)" });
    let severity = if error { Severity::Error } else { Severity::Advice };
    let (rule, other) = (Some(ask.rule), Some(sink.place(producer)));
    let finding = sink.finding(severity, Kind::WaitStates, i, message);
    sink.push(Finding { rule, other, path, need: Some(need), ..finding });
}

/// Adds a number in decimal.
fn push_number(out: &mut String, n: u32) {
    if n >= 10 {
        push_number(out, n / 10);
    }
    out.push(char::from(b'0' + (n % 10) as u8));
}

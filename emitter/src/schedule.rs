//! Order: instructions recorded in one order and issued in another.
//!
//! A [`Stream`] is straight-line code taken out of a builder. Streams are put back as they are, woven by a pattern
//! ("per 4 MFMA one LDS read and one load"), or list-scheduled by latency. Both ways respect every dependence, through
//! registers and through memory: a pattern that would break one is an error naming both lines, never a wrong kernel.
//! Waits and wait states come afterwards, so an order is all that a schedule is.

use crate::alloc;
use crate::builder::{Entry, KernelBuilder, Node};
use crate::error::EmitError;
use std::panic::Location;
use wavesmith_asm::sem::{Control, Sem, Space};
use wavesmith_asm::{Inst, Time};

/// Straight-line code, taken out of a builder.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    nodes: Vec<Node>,
}

impl Stream {
    /// How many instructions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// This stream followed by `other`.
    pub fn then(mut self, other: Stream) -> Stream {
        self.nodes.extend(other.nodes);
        self
    }

    /// Cut into `n` streams of nearly equal length, in order.
    pub fn split(self, n: usize) -> Vec<Stream> {
        let (len, n) = (self.nodes.len(), n.max(1));
        let mut rest = self.nodes.into_iter();
        (0..n).map(|i| Stream { nodes: rest.by_ref().take(len * (i + 1) / n - len * i / n).collect() }).collect()
    }
}

/// A stream that is being woven in.
struct Queue {
    nodes: std::vec::IntoIter<Node>,
    /// Instructions of the lead for each of this.
    every: usize,
    /// A memory instruction whose address has been worked out.
    held: Option<Node>,
}

impl Queue {
    fn new(stream: Stream, every: usize) -> Queue {
        Queue { nodes: stream.nodes.into_iter(), every: every.max(1), held: None }
    }

    /// Gives what comes now: scalar instructions that work out an address together, and what they are for one instruction of
    /// the lead later, so that the lead fills the wait states in between.
    fn issue(&mut self, due: bool, mut put: impl FnMut(Node)) {
        if let Some(held) = self.held.take() {
            put(held);
        }
        if !due {
            return;
        }
        let scalars = self.nodes.as_slice().iter().take_while(|n| n.inst.row().time == Time::Salu).count();
        let next = self.nodes.as_slice().get(scalars);
        if scalars > 0 && next.is_some_and(|n| memory(&n.inst, false) != Memory::None) {
            self.nodes.by_ref().take(scalars).for_each(put);
            self.held = self.nodes.next();
        } else {
            self.nodes.next().into_iter().for_each(put);
        }
    }
}

/// What an instruction does to the world beyond registers, as far as order matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    None,
    /// Reads or writes global memory, LDS, or both.
    Access {
        global: bool,
        lds: bool,
        write: bool,
    },
    /// Nothing may cross it.
    Fence,
}

fn memory(inst: &Inst, own_lds_fills: bool) -> Memory {
    let row = inst.row();
    let by = |space: Space, write: bool| Memory::Access {
        global: space != Space::Lds,
        lds: matches!(space, Space::Lds | Space::Flat),
        write,
    };
    match row.sem {
        Sem::Load { space, .. } => {
            if inst.loads_lds() {
                // Fills that the author waits for go where nothing reads until then.
                Memory::Access { global: true, lds: !own_lds_fills, write: !own_lds_fills }
            } else {
                by(space, false)
            }
        }
        Sem::Store { space, .. } | Sem::Atomic { space, .. } => by(space, true),
        Sem::DsLoad2 { .. } => by(Space::Lds, false),
        Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => by(Space::Lds, true),
        Sem::Ds(ds) => match ds {
            wavesmith_asm::sem::Ds::Swizzle | wavesmith_asm::sem::Ds::Permute | wavesmith_asm::sem::Ds::Bpermute => {
                Memory::None
            }
            wavesmith_asm::sem::Ds::ReadTr { .. } | wavesmith_asm::sem::Ds::ReadAddtid => by(Space::Lds, false),
            _ => Memory::Fence,
        },
        Sem::ScalarLoad { .. } => by(Space::Global, false),
        Sem::Control(Control::Nop | Control::VNop) => Memory::None,
        Sem::Branch(_)
        | Sem::Control(_)
        | Sem::GetReg
        | Sem::SetReg
        | Sem::MemTime { .. }
        | Sem::ScalarStore { .. }
        | Sem::ScalarAtomic { .. }
        | Sem::ScalarCache { .. }
        | Sem::AtcProbe { .. }
        | Sem::DcacheDiscard { .. }
        | Sem::CacheWriteback
        | Sem::CacheInvalidate { .. }
        | Sem::StoreLds
        | Sem::Export
        | Sem::Image => Memory::Fence,
        _ => Memory::None,
    }
}

/// Cycles from issue until a dependent may issue: the low end of what is measured, for ordering only.
fn latency(inst: &Inst) -> u32 {
    match inst.row().time {
        Time::Valu(_) | Time::Packed => 4,
        Time::Trans => 16,
        Time::F64 => 8,
        Time::Xdl(p) | Time::Sgemm(p) | Time::Dgemm(p) => 4 * u32::from(p) + 16,
        Time::XdlF8f6f4(p) => 8 * u32::from(p) + 16,
        Time::Salu | Time::Branch | Time::Internal => 4,
        Time::Smem => 100,
        Time::Vmem(_) => 500,
        Time::Lds(_) => 64,
        Time::Graphics => 100,
    }
}

/// Cycles that an instruction keeps the pipe that it goes to.
fn issue(inst: &Inst) -> u32 {
    match inst.row().time {
        Time::Trans => 16,
        Time::Xdl(p) | Time::Sgemm(p) | Time::Dgemm(p) => 4 * u32::from(p),
        Time::XdlF8f6f4(p) => 8 * u32::from(p),
        _ => 4,
    }
}

/// Whether it goes to the matrix pipe, beside which the wave issues to others.
fn is_matrix(inst: &Inst) -> bool {
    matches!(inst.row().time, Time::Xdl(_) | Time::Sgemm(_) | Time::Dgemm(_) | Time::XdlF8f6f4(_))
}

/// Cycles from one instruction of a wave to the next, at least.
const SLOT: u32 = 4;

impl KernelBuilder {
    /// Takes out what `body` records, to be put back in another order. It must be straight-line code.
    ///
    /// # Errors
    /// What `body` returns. Labels and branches inside are an error that [`KernelBuilder::finish`] returns.
    #[track_caller]
    pub fn capture<E>(&mut self, body: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<Stream, E> {
        let start = self.entries.len();
        body(self)?;
        let mut nodes = Vec::with_capacity(self.entries.len() - start);
        for entry in self.entries.drain(start..) {
            match entry {
                Entry::Inst(node) if !matches!(node.inst.row().sem, Sem::Branch(_)) => nodes.push(node),
                Entry::Comment(_) => {}
                Entry::Inst(_) | Entry::Bind(_) => self.errors.push(EmitError::Encode {
                    message: "captured code must be straight: it has a label or a branch".into(),
                    at: Location::caller(),
                }),
            }
        }
        Ok(Stream { nodes })
    }

    /// Puts a stream back as it is.
    pub fn play(&mut self, stream: Stream) {
        self.entries.extend(stream.nodes.into_iter().map(Entry::Inst));
    }

    /// Puts `lead` back with the others woven in: each comes with how many instructions of the lead go before each of
    /// its own. Scalar instructions that work out where a memory instruction goes count with it. What is left when the lead
    /// ends follows.
    ///
    /// Dependences between the streams must allow it; where the pattern would turn one round, that is an error which
    /// [`KernelBuilder::finish`] returns, naming both lines. Program order is the lead's, then the others' in the order
    /// given.
    pub fn weave(&mut self, lead: Stream, others: Vec<(Stream, usize)>) {
        // (stream, node), in issue order; stream 0 is the lead.
        let mut order: Vec<(usize, Node)> = Vec::new();
        let mut queues: Vec<Queue> = others.into_iter().map(|(s, every)| Queue::new(s, every)).collect();
        for (n, node) in lead.nodes.into_iter().enumerate() {
            order.push((0, node));
            for (i, queue) in queues.iter_mut().enumerate() {
                let due = (n + 1).is_multiple_of(queue.every);
                queue.issue(due, |node| order.push((i + 1, node)));
            }
        }
        for (i, queue) in queues.into_iter().enumerate() {
            order.extend(queue.held.into_iter().chain(queue.nodes).map(|node| (i + 1, node)));
        }
        // Program order is that of the streams; `order` is the order of issue.
        let mut program: Vec<usize> = (0..order.len()).collect();
        program.sort_by_key(|i| order[*i].0);
        let slots = alloc::Slots::new(&self.values);
        let mut wrong: Option<(usize, usize)> = None;
        self.dependences(&slots, program.iter().map(|i| &order[*i].1), |from, to, _| {
            let (from, to) = (program[from], program[to]);
            if from > to && wrong.is_none() {
                wrong = Some((from, to));
            }
        });
        if let Some((early, late)) = wrong.map(|(from, to)| (order[from].1.at, order[to].1.at)) {
            let message = format!("weaving would move this before line {}, on which it depends", early.line());
            self.errors.push(EmitError::Encode { message, at: late });
        }
        self.entries.extend(order.into_iter().map(|(_, n)| Entry::Inst(n)));
    }

    /// Puts a stream back in an order that hides latency: of what may issue, the instruction with the longest chain of
    /// dependents goes first, and nothing that still waits goes while something else is ready.
    pub fn list_schedule(&mut self, stream: Stream) {
        let nodes = stream.nodes;
        let n = nodes.len();
        let slots = alloc::Slots::new(&self.values);
        let mut after: Vec<Vec<(usize, u32)>> = vec![Vec::new(); n];
        let mut missing = vec![0u32; n];
        self.dependences(&slots, nodes.iter(), |from, to, distance| {
            after[from].push((to, distance));
            missing[to] += 1;
        });
        let mut height = vec![0u32; n];
        for i in (0..n).rev() {
            let longest = after[i].iter().map(|&(j, d)| d + height[j]).max().unwrap_or(0);
            height[i] = longest.max(issue(&nodes[i].inst));
        }
        let mut ready_at = vec![0u32; n];
        let mut ready: Vec<usize> = (0..n).filter(|i| missing[*i] == 0).collect();
        // When the wave may issue again, and when the matrix pipe takes another.
        let (mut now, mut pipe) = (0, 0);
        while !ready.is_empty() {
            // Ties go to program order, which keeps registers short-lived.
            let start = |i: usize| ready_at[i].max(now).max(if is_matrix(&nodes[i].inst) { pipe } else { 0 });
            let key = |i: &usize| (start(*i), std::cmp::Reverse(height[*i]), *i);
            let at = (0..ready.len()).min_by_key(|k| key(&ready[*k])).unwrap_or(0);
            let i = ready[at];
            let start = start(i);
            ready.swap_remove(at);
            if is_matrix(&nodes[i].inst) {
                (now, pipe) = (start + SLOT, start + issue(&nodes[i].inst));
            } else {
                now = start + issue(&nodes[i].inst);
            }
            for &(j, d) in &after[i] {
                ready_at[j] = ready_at[j].max(start + d.max(SLOT));
                missing[j] -= 1;
                if missing[j] == 0 {
                    ready.push(j);
                }
            }
            self.entries.push(Entry::Inst(nodes[i]));
        }
    }

    /// Tells `edge` of every dependence between instructions in program order, or of a chain of others that amounts to
    /// it: the earlier one, the later one, and the cycles between them.
    fn dependences<'n>(
        &self,
        slots: &alloc::Slots,
        nodes: impl Iterator<Item = &'n Node>,
        mut edge: impl FnMut(usize, usize, u32),
    ) {
        const NOBODY: u32 = u32::MAX;
        let total = slots.total() as usize;
        // By slot: who wrote it last, and a list of who has read it since.
        let mut writer = vec![NOBODY; total];
        let mut readers = vec![NOBODY; total];
        let mut list: Vec<(u32, u32)> = Vec::new();
        let mut latencies: Vec<u32> = Vec::new();
        let mut order = MemoryOrder::default();
        let mut uses = Vec::new();
        for (i, node) in nodes.enumerate() {
            uses.clear();
            alloc::append_uses(self, slots, node, &mut uses);
            for u in &uses {
                // The registers of a run mostly have the same writer: one edge is enough.
                let mut told = NOBODY;
                for slot in u.slots() {
                    let before = writer[slot];
                    if before != NOBODY && before != told {
                        told = before;
                        edge(before as usize, i, if u.read { latencies[before as usize] } else { 1 });
                    }
                    let mut next = if u.write { readers[slot] } else { NOBODY };
                    while next != NOBODY {
                        let (reader, rest) = list[next as usize];
                        edge(reader as usize, i, 1);
                        next = rest;
                    }
                }
            }
            for u in &uses {
                for slot in u.slots() {
                    if u.write {
                        writer[slot] = i as u32;
                        readers[slot] = NOBODY;
                    } else if writer[slot] != i as u32 {
                        list.push((i as u32, readers[slot]));
                        readers[slot] = list.len() as u32 - 1;
                    }
                }
            }
            latencies.push(latency(&node.inst));
            order.add(i, memory(&node.inst, self.own_lds_fills), |from| edge(from, i, 1));
        }
    }
}

/// What memory demands of the order, so far.
#[derive(Default)]
struct MemoryOrder {
    fence: Option<usize>,
    /// Everything since the fence.
    since: Vec<usize>,
    /// The last write, and the reads since, of global memory and of LDS.
    spaces: [(Option<usize>, Vec<usize>); 2],
}

impl MemoryOrder {
    fn add(&mut self, i: usize, memory: Memory, mut edge: impl FnMut(usize)) {
        self.fence.into_iter().for_each(&mut edge);
        match memory {
            Memory::Fence => {
                self.since.drain(..).for_each(&mut edge);
                *self = MemoryOrder { fence: Some(i), ..MemoryOrder::default() };
                return;
            }
            Memory::None => {}
            Memory::Access { global, lds, write } => {
                for ((last, reads), _) in self.spaces.iter_mut().zip([global, lds]).filter(|(_, used)| *used) {
                    last.iter().copied().for_each(&mut edge);
                    if write {
                        reads.drain(..).for_each(&mut edge);
                        *last = Some(i);
                    } else {
                        reads.push(i);
                    }
                }
            }
        }
        self.since.push(i);
    }
}

//! Virtual registers to physical ones.
//!
//! Liveness is worked out register by register over the blocks, backwards. Each value then has the segments of the
//! program during which its registers matter, holes included, and `place` finds a run that is free during all of them. Physical registers that the code names take part as what they are:
//! occupied while live, free otherwise. Nothing is spilled: what does not fit is an error with the pressure profile.
//!
//! A vector write under a narrowed EXEC leaves the other lanes as they were, so it does not end the old value if there
//! may be one. Where EXEC is narrow is worked out too: it is, from any write of EXEC on, until a mask that was saved
//! while it was wide, or −1, is put back.

mod mask;
mod place;
mod pressure;

use crate::builder::{FIRST_VIRTUAL, KernelBuilder, Node, Value, is_virtual};
use crate::error::EmitError;
use crate::flowgraph::{self, Block, State};
use place::Wish;
use pressure::pressure;
use wavesmith_asm::effects::{self, A0, Effects, S0, V0, keeps_part_of_destination};
use wavesmith_asm::reg::{Reg, RegClass};
use wavesmith_asm::sem::{SOp, Sem};
use wavesmith_asm::{Access, Field, Operand};

/// Points of the program: instruction `i` reads at `2 i` and writes at `2 i + 1`. Segments exclude their end.
type Segment = (u32, u32);

/// One touched run of slots.
pub(crate) struct Use {
    first: u32,
    count: u32,
    pub read: bool,
    pub write: bool,
    /// Written before the sources are read for the last time.
    early: bool,
}

impl Use {
    /// The slots of the run.
    pub(crate) fn slots(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Slots: the flat physical numbers, then every virtual register by value.
pub(crate) struct Slots {
    /// First slot of each value.
    of_value: Vec<u32>,
    /// Value of each virtual index, by class.
    value_of: [Vec<u32>; 3],
    total: u32,
}

impl Slots {
    pub(crate) fn new(values: &[Value]) -> Slots {
        let mut total = effects::COUNT as u32;
        let mut of_value = Vec::with_capacity(values.len());
        let mut value_of: [Vec<u32>; 3] = Default::default();
        for (i, v) in values.iter().enumerate() {
            of_value.push(total);
            total += u32::from(v.count);
            value_of[v.class as usize].extend(std::iter::repeat_n(i as u32, v.count.into()));
        }
        Slots { of_value, value_of, total }
    }

    /// How many there are.
    pub(crate) fn total(&self) -> u32 {
        self.total
    }

    /// The value a virtual register belongs to.
    fn value(&self, r: Reg) -> usize {
        self.value_of[r.class as usize][usize::from(r.index - FIRST_VIRTUAL)] as usize
    }

    fn first(&self, values: &[Value], r: Reg) -> u32 {
        let v = self.value(r);
        self.of_value[v] + u32::from(r.index - values[v].first)
    }
}

/// A set of slots.
#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn new(n: u32) -> Set {
        Set(vec![0; (n as usize).div_ceil(64)])
    }
    fn has(&self, i: u32) -> bool {
        self.0[i as usize / 64] >> (i % 64) & 1 != 0
    }
    fn add(&mut self, i: u32) {
        self.0[i as usize / 64] |= 1 << (i % 64);
    }
    fn remove(&mut self, i: u32) {
        self.0[i as usize / 64] &= !(1 << (i % 64));
    }
    /// Adds all of `other`; whether that changed anything.
    fn union(&mut self, other: &Set) -> bool {
        let mut changed = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }
}

/// Gives every virtual register of `nodes` a place and encodes the instructions anew.
pub(crate) fn allocate(b: &mut KernelBuilder, nodes: &mut [Node], blocks: &[Block]) -> Result<(), EmitError> {
    if b.virtuals.is_empty() {
        return Ok(());
    }
    let slots = Slots::new(&b.values);
    let mut uses = Uses::default();
    for node in nodes.iter() {
        append_uses(b, &slots, node, &mut uses.all);
        uses.ends.push(uses.all.len() as u32);
    }
    keep_masked_lanes(b, &slots, nodes, &mut uses, blocks);
    let live_out = liveness(&uses, blocks, slots.total);
    let segments = segments(&uses, blocks, &live_out, slots.total);
    let places = place(b, nodes, &slots, &segments)?;
    for node in nodes.iter_mut() {
        let Some(v) = b.virtuals.get(node.virt as usize) else { continue };
        for (i, operand) in v.operands().iter().enumerate() {
            let Operand::Reg(r) = *operand else { continue };
            if !is_virtual(r) {
                continue;
            }
            let value = slots.value(r);
            let place = Reg { index: places[value] + (r.index - b.values[value].first), ..r };
            node.inst.set_register(i, place).map_err(|e| EmitError::Encode { message: e.to_string(), at: node.at })?;
        }
    }
    Ok(())
}

/// The uses of all instructions, in one piece.
#[derive(Default)]
struct Uses {
    all: Vec<Use>,
    ends: Vec<u32>,
}

impl Uses {
    fn range(&self, i: usize) -> std::ops::Range<usize> {
        let start = i.checked_sub(1).map_or(0, |p| self.ends[p]);
        start as usize..self.ends[i] as usize
    }

    fn of(&self, i: usize) -> &[Use] {
        &self.all[self.range(i)]
    }

    fn of_mut(&mut self, i: usize) -> &mut [Use] {
        let range = self.range(i);
        &mut self.all[range]
    }
}

pub(crate) fn append_uses(b: &KernelBuilder, slots: &Slots, node: &Node, out: &mut Vec<Use>) {
    let row = node.inst.row();
    // A matrix result may not share registers with what is still being read; a scalar load may be replayed.
    let early = matches!(row.sem, Sem::Mfma(_) | Sem::ScalarLoad { .. });
    let mut physical = |first: u16, count: u16, read: bool, write: bool| {
        out.push(Use { first: first.into(), count: count.into(), read, write, early: early && write });
    };
    let Some(v) = b.virtuals.get(node.virt as usize) else {
        for t in Effects::of(&node.inst).touches() {
            physical(t.span.first, t.span.end() - t.span.first, t.read, t.write);
        }
        return;
    };
    for (i, (opd, operand)) in row.operands.iter().zip(v.operands()).enumerate() {
        let Operand::Reg(r) = *operand else { continue };
        if node.inst.operand(i).is_none() {
            continue;
        }
        let write = opd.access != Access::R;
        let read = opd.access != Access::W || write && keeps_part_of_destination(&node.inst);
        if is_virtual(r) {
            let first = slots.first(&b.values, r);
            out.push(Use { first, count: r.count.into(), read, write, early: early && write });
        } else {
            let span = effects::Span::of(r);
            out.push(Use {
                first: span.first.into(),
                count: (span.end() - span.first).into(),
                read,
                write,
                early: early && write,
            });
        }
    }
    // What the instruction implies, beyond its operands: the stand-ins would be wrong for those.
    for t in Effects::of(&node.inst).touches().iter().filter(|t| t.slot == Field::Reserved) {
        let (first, count) = (t.span.first.into(), (t.span.end() - t.span.first).into());
        out.push(Use { first, count, read: t.read, write: t.write, early: false });
    }
}

/// What is known of EXEC and of what registers hold, on the way to a point.
#[derive(Clone, PartialEq, Eq)]
struct Masks {
    /// EXEC is what it was at the start, or all ones.
    wide: bool,
    /// Slots of the first register of a pair that holds a wide mask.
    holders: Vec<u32>,
    /// Slots that may have been written.
    written: Set,
}

impl State for Masks {
    fn join(&mut self, other: &Self) {
        self.wide &= other.wide;
        self.holders.retain(|h| other.holders.contains(h));
        self.written.union(&other.written);
    }
}

/// Makes vector writes under a narrow EXEC reads as well, where the register may hold something.
fn keep_masked_lanes(b: &KernelBuilder, slots: &Slots, nodes: &[Node], uses: &mut Uses, blocks: &[Block]) {
    let exec = u32::from(effects::Span::EXEC.first);
    let writes_exec = |us: &[Use]| us.iter().any(|u| u.write && u.first <= exec && exec < u.first + u.count);
    if !writes_exec(&uses.all) {
        return;
    }
    let pair = |uses: &[Use], read: bool| {
        let fits = |u: &&Use| u.count == 2 && u.first != exec && if read { u.read } else { u.write };
        uses.iter().find(fits).map(|u| u.first)
    };
    let step = |state: &mut Masks, i: usize, uses: &[Use]| {
        let was_wide = state.wide;
        let sets_exec = writes_exec(uses);
        let reads_exec_as_number =
            matches!(nodes[i].inst.row().sem, Sem::Salu(SOp::Mov, _)) && uses.iter().any(|u| u.read && u.first == exec);
        if sets_exec {
            state.wide = match nodes[i].inst.row().sem {
                Sem::Salu(SOp::Mov, _) => {
                    nodes[i].inst.slot(Field::Src0) == Some(Operand::Int(-1))
                        || pair(uses, true).is_some_and(|p| state.holders.contains(&p))
                }
                _ => false,
            };
        }
        for u in uses.iter().filter(|u| u.write) {
            state.holders.retain(|h| h + 1 < u.first || *h >= u.first + u.count);
            (u.first..u.first + u.count).for_each(|s| state.written.add(s));
        }
        let saves = matches!(nodes[i].inst.row().sem, Sem::SaveExec(_)) || reads_exec_as_number;
        if saves && was_wide {
            state.holders.extend(pair(uses, false));
        }
    };
    let start = Masks { wide: true, holders: Vec::new(), written: Set::new(slots.total) };
    let entry = {
        let uses = &*uses;
        flowgraph::solve(blocks, &start, |k, mut state| {
            (blocks[k].first..blocks[k].end).for_each(|i| step(&mut state, i, uses.of(i)));
            state
        })
    };
    let is_vector = |slot: u32| {
        let physical = slot < u32::from(S0);
        physical
            || slot >= effects::COUNT as u32 && {
                let v = slots.of_value.partition_point(|first| *first <= slot) - 1;
                b.values[v].class != RegClass::S
            }
    };
    for (block, state) in blocks.iter().zip(entry) {
        let Some(mut state) = state else { continue };
        for i in block.first..block.end {
            let us = uses.of_mut(i);
            let narrow = !state.wide;
            let before = narrow.then(|| state.written.clone());
            step(&mut state, i, us);
            if let Some(written) = before {
                for u in us.iter_mut().filter(|u| u.write && is_vector(u.first)) {
                    u.read |= (u.first..u.first + u.count).any(|s| written.has(s));
                }
            }
        }
    }
}

/// What is live at the end of each block.
fn liveness(uses: &Uses, blocks: &[Block], total: u32) -> Vec<Set> {
    let through = |block: &Block, live: &Set| {
        let mut live = live.clone();
        for i in (block.first..block.end).rev() {
            for u in uses.of(i).iter().filter(|u| u.write && !u.read) {
                (u.first..u.first + u.count).for_each(|s| live.remove(s));
            }
            for u in uses.of(i).iter().filter(|u| u.read) {
                (u.first..u.first + u.count).for_each(|s| live.add(s));
            }
        }
        live
    };
    let mut out = vec![Set::new(total); blocks.len()];
    let mut work: Vec<usize> = (0..blocks.len()).collect();
    let mut queued = vec![true; blocks.len()];
    while let Some(i) = work.pop() {
        queued[i] = false;
        let live_in = through(&blocks[i], &out[i]);
        for &p in &blocks[i].preds {
            if out[p].union(&live_in) && !queued[p] {
                queued[p] = true;
                work.push(p);
            }
        }
    }
    out
}

/// The segments of every slot, in order.
fn segments(uses: &Uses, blocks: &[Block], live_out: &[Set], total: u32) -> Vec<Vec<Segment>> {
    let mut out: Vec<Vec<Segment>> = vec![Vec::new(); total as usize];
    // The end of the segment that is open, going backwards; 0 is none.
    let mut open = vec![0u32; total as usize];
    for (block, live) in blocks.iter().zip(live_out).rev() {
        let (start, end) = (2 * block.first as u32, 2 * block.end as u32);
        for s in 0..total {
            if live.has(s) {
                open[s as usize] = end;
            }
        }
        for i in (block.first..block.end).rev() {
            let at = 2 * i as u32;
            for u in uses.of(i).iter().filter(|u| u.write && !u.read) {
                let from = if u.early { at } else { at + 1 };
                for s in u.first..u.first + u.count {
                    let to = std::mem::take(&mut open[s as usize]).max(at + 2);
                    out[s as usize].push((from, to));
                }
            }
            for u in uses.of(i).iter().filter(|u| u.read) {
                for s in u.first..u.first + u.count {
                    let o = &mut open[s as usize];
                    // What is written as well stays taken past the instruction.
                    *o = (*o).max(if u.write { at + 2 } else { at + 1 });
                }
            }
        }
        for s in 0..total as usize {
            let to = std::mem::take(&mut open[s]);
            if to > start {
                out[s].push((start, to));
            }
        }
    }
    for s in &mut out {
        normalise(s);
    }
    out
}

/// Sorts segments and joins those that touch.
fn normalise(segments: &mut Vec<Segment>) {
    segments.sort_unstable();
    let mut n = 0;
    for i in 1..segments.len() {
        if segments[i].0 <= segments[n].1 {
            segments[n].1 = segments[n].1.max(segments[i].1);
        } else {
            n += 1;
            segments[n] = segments[i];
        }
    }
    segments.truncate(n + 1);
}

/// Adds segments that overlap none of those there.
fn add(to: &mut Vec<Segment>, mine: &[Segment]) {
    if let (Some(last), Some(first)) = (to.last(), mine.first())
        && last.1 > first.0
    {
        to.extend(mine);
        to.sort_unstable();
        return;
    }
    to.extend(mine);
}

fn overlap(a: &[Segment], b: &[Segment]) -> bool {
    let (mut i, mut j) = (0, 0);
    // Skip what ends before the other starts: long-lived registers collect many segments.
    if let Some(first) = a.first() {
        j = b.partition_point(|s| s.1 <= first.0);
    }
    while i < a.len() && j < b.len() {
        if a[i].1 <= b[j].0 {
            i += 1;
        } else if b[j].1 <= a[i].0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}

/// First physical register of each value.
fn place(
    b: &mut KernelBuilder,
    nodes: &[Node],
    slots: &Slots,
    segments: &[Vec<Segment>],
) -> Result<Vec<u16>, EmitError> {
    let mut places = vec![0u16; b.values.len()];
    for (class, base) in [(RegClass::V, V0), (RegClass::A, A0), (RegClass::S, S0)] {
        let limit = b.in_use(class).1;
        let values: Vec<usize> = (0..b.values.len()).filter(|v| b.values[*v].class == class).collect();
        let wish = |&v: &usize| {
            let count = u16::from(b.values[v].count);
            let align = match class {
                RegClass::V | RegClass::A => 1 + u16::from(count > 1 && b.target.unified_vgprs()),
                RegClass::S | RegClass::Src => {
                    if count > 2 {
                        4
                    } else {
                        count
                    }
                }
            };
            let first = slots.of_value[v] as usize;
            let mut all: Vec<Segment> = segments[first..first + usize::from(count)].iter().flatten().copied().collect();
            normalise(&mut all);
            Wish { count, align, segments: all }
        };
        let wishes: Vec<Wish> = values.iter().map(wish).collect();
        let file = &segments[usize::from(base)..usize::from(base + limit)];
        let fit =
            place::fit(&wishes, file).map_err(|unfit| pressure(b, nodes, class, &values, &wishes, file, unfit))?;
        values.iter().zip(fit).for_each(|(v, first)| places[*v] = first);
    }
    Ok(places)
}

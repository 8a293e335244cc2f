//! The code of an object, decoded where control can reach it.
//!
//! Discovery follows control from the entries instead of sweeping the section: what follows an unconditional branch may
//! be data or padding, and code that is not reached is not judged. Instructions end up sorted by address, so that a
//! block is a range of them.

use crate::Edit;
use crate::relative::Relative;
use std::collections::BTreeMap;
use wavesmith_asm::counters::{self, Raises};
use wavesmith_asm::effects::Effects;
use wavesmith_asm::hazard::Facts;
use wavesmith_asm::sem::{Branch, Control, Sem};
use wavesmith_asm::{DecodeError, Field, Inst, Target, decode};
use wavesmith_loader::code_object::CodeObject;

/// The bytes of an executable segment.
pub(crate) struct Text {
    /// Address of the first word.
    pub base: u64,
    pub words: Vec<u32>,
    /// Node number by word, [`NONE`] where nothing was decoded.
    at: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Text {
    pub fn end(&self) -> u64 {
        self.base + self.words.len() as u64 * 4
    }

    fn word(&self, pc: u64) -> Option<usize> {
        (pc >= self.base && pc < self.end() && pc.is_multiple_of(4)).then(|| (pc - self.base) as usize / 4)
    }
}

/// How control leaves an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// To the next instruction.
    Next,
    /// To an address.
    Jump(u64),
    /// To an address or the next instruction.
    Either(u64),
    /// The wave ends, or leaves for a trap handler.
    End,
    /// To an address, with the return address in a register pair.
    Call { target: u64, link: u16 },
    /// To the address in a register pair; with a return address in another if it is a call.
    Register { target: u16, link: Option<u16> },
    /// A conditional fork: both ways, in an order that is not known.
    Fork(Option<u64>),
}

/// Whether an instruction waits for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    No,
    /// For counters, as `s_waitcnt` encodes them.
    Count(u16),
    /// For the other waves of the workgroup.
    Barrier,
    /// For nothing, and that may be wrong: it drops what caches hold.
    Invalidate,
}

impl Waiting {
    fn of(inst: &Inst) -> Waiting {
        match inst.row().sem {
            Sem::Control(Control::Waitcnt) => Waiting::Count(inst.get(Field::Simm16) as u16),
            Sem::Control(Control::Barrier) => Waiting::Barrier,
            Sem::CacheInvalidate { .. } => Waiting::Invalidate,
            _ => Waiting::No,
        }
    }
}

/// A reached instruction.
pub(crate) struct Node {
    pub pc: u64,
    pub inst: Inst,
    pub exit: Exit,
    pub raises: Raises,
    pub waits: Waiting,
    /// Which of the distinct instructions it is.
    alike: u32,
    /// Treated as absent: an edit took it out.
    pub absent: bool,
}

/// What follows from an instruction's bits alone.
#[derive(Clone, Copy)]
struct Decoded {
    inst: Inst,
    raises: Raises,
    waits: Waiting,
    /// Whether control goes on to the next instruction, and nowhere else.
    straight: bool,
}

/// Instructions that have been decoded, so that their like need not be.
struct Decoder {
    target: Target,
    distinct: Vec<Decoded>,
    /// By a hash of the bits, the last distinct instruction that had it; [`NONE`] where none had.
    slots: Vec<u32>,
}

/// Most slots of the table in which instructions look for their like. A slot that is taken by another is taken over.
const ALIKE: usize = 1 << 13;

impl Decoder {
    fn new(target: Target, words: usize) -> Decoder {
        let slots = (words / 2).clamp(16, ALIKE).next_power_of_two();
        Decoder { target, distinct: Vec::with_capacity(slots / 2), slots: vec![NONE; slots] }
    }

    /// The number of the instruction that `words` begin with among the distinct ones.
    fn decode(&mut self, words: &[u32]) -> Result<u32, DecodeError> {
        // Instructions of one dword and of two have their places by those; the rest, which is rare, is decoded each time.
        let mask = self.slots.len() - 1;
        let place = |n: usize| match *words {
            [a, ..] if n == 1 => Some(hash(a.into()) & mask),
            [a, b, ..] if n == 2 => Some(hash(u64::from(a) << 32 | u64::from(b)) & mask),
            _ => None,
        };
        // The formats of which most have two dwords begin with two ones.
        let likely = if words.first().is_some_and(|w| w >> 30 == 3) { 2 } else { 1 };
        for n in [likely, 3 - likely] {
            let Some(slot) = place(n).map(|p| self.slots[p]) else { continue };
            let Some(known) = self.distinct.get(slot as usize) else { continue };
            let same = match *known.inst.words() {
                [a] => n == 1 && a == words[0],
                [a, b] => n == 2 && a == words[0] && b == words[1],
                _ => false,
            };
            if same {
                return Ok(slot);
            }
        }
        let inst = decode(words, self.target)?;
        let number = self.add(inst);
        if let Some(p) = place(inst.dwords()) {
            self.slots[p] = number;
        }
        Ok(number)
    }

    /// The number of what stands in the place of the instruction that `words` begin with, if it is one of the same length.
    fn decode_edited(&mut self, words: &[u32], with: &[u32]) -> Result<u32, DecodeError> {
        let inst = decode(words, self.target)?;
        let other = if with.len() == inst.dwords() { decode(with, self.target).ok() } else { None };
        Ok(self.add(other.filter(|o| o.dwords() == inst.dwords()).unwrap_or(inst)))
    }

    /// Takes in an instruction as unlike any other.
    fn add(&mut self, inst: Inst) -> u32 {
        // Where it goes does not matter to whether it goes on.
        let straight = exit_of(&inst, 0) == Exit::Next;
        self.distinct.push(Decoded { inst, raises: counters::raises(&inst), waits: Waiting::of(&inst), straight });
        self.distinct.len() as u32 - 1
    }
}

fn hash(bits: u64) -> usize {
    ((bits ^ bits >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

/// The facts of every node. Unrolled code repeats itself: instructions of the same bits share their facts, which saves
/// working them out and keeps what the analyses go through small.
#[derive(Default)]
pub(crate) struct NodeFacts {
    distinct: Vec<Facts>,
    by_node: Vec<u32>,
    /// A node for each of the distinct ones.
    examples: Vec<u32>,
}

impl NodeFacts {
    /// The facts of nodes in their final order.
    fn of(nodes: &[Node], distinct: &[Decoded]) -> NodeFacts {
        let by_node: Vec<u32> = nodes.iter().map(|n| n.alike).collect();
        let mut examples = vec![NONE; distinct.len()];
        for (i, d) in by_node.iter().enumerate().rev() {
            examples[*d as usize] = i as u32;
        }
        let distinct = distinct.iter().map(|d| Facts::of(&d.inst)).collect();
        NodeFacts { distinct, by_node, examples }
    }

    /// How many differ.
    pub fn distinct(&self) -> usize {
        self.distinct.len()
    }

    /// A node for each of the distinct ones, in order.
    pub fn examples(&self) -> impl Iterator<Item = usize> {
        self.examples.iter().map(|n| *n as usize)
    }

    /// Gives a node facts of its own.
    fn replace(&mut self, node: usize, facts: Facts) {
        self.by_node[node] = self.distinct.len() as u32;
        self.distinct.push(facts);
        self.examples.push(node as u32);
    }

    /// Which of the distinct ones a node's are.
    #[inline]
    pub fn alike(&self, node: usize) -> usize {
        self.by_node[node] as usize
    }
}

impl std::ops::Index<usize> for NodeFacts {
    type Output = Facts;

    #[inline]
    fn index(&self, node: usize) -> &Facts {
        &self.distinct[self.by_node[node] as usize]
    }
}

impl Node {
    pub fn next_pc(&self) -> u64 {
        self.pc + self.inst.bytes() as u64
    }
}

/// An address that control reaches and that is no instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broken {
    pub pc: u64,
    /// Who leads there; the address itself for entries.
    pub from: u64,
    pub why: Why,
}

/// Why an address cannot be executed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why {
    /// Outside of every executable segment.
    Outside,
    /// Not a multiple of four.
    Unaligned,
    Undecodable(DecodeError),
}

/// A straight run of nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub first: u32,
    pub end: u32,
}

pub(crate) struct Program {
    pub target: Target,
    pub texts: Vec<Text>,
    pub nodes: Vec<Node>,
    pub facts: NodeFacts,
    pub blocks: Vec<Block>,
    /// Block that starts at a node, or contains it.
    pub block_of: Vec<u32>,
    pub broken: Vec<Broken>,
    /// Whether any exit goes through a register or is a call.
    pub indirect: bool,
    /// What M0 names, by the number of the node.
    pub relative: BTreeMap<u32, Relative>,
    /// Nodes that raise a counter or wait for something, in order: all that an outstanding operation meets on its way.
    counting: Vec<u32>,
    /// How many of those lie in front of each block.
    counting_before: Vec<u32>,
}

impl Program {
    /// Decodes everything that control reaches from `roots` by direct flow; calls are assumed to return.
    pub fn new(object: &CodeObject, bytes: &[u8], roots: &[u64], edits: &BTreeMap<u64, Edit>) -> Program {
        let texts = object
            .segments
            .iter()
            .filter(|s| s.executable)
            .map(|s| {
                let raw = bytes.get(s.file.clone()).unwrap_or(&[]);
                let words: Vec<u32> = raw.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
                Text { base: s.vaddr, at: vec![NONE; words.len()], words }
            })
            .collect();
        let mut p = Program {
            target: object.target,
            texts,
            nodes: Vec::new(),
            facts: NodeFacts::default(),
            blocks: Vec::new(),
            block_of: Vec::new(),
            broken: Vec::new(),
            indirect: false,
            relative: BTreeMap::new(),
            counting: Vec::new(),
            counting_before: Vec::new(),
        };
        p.discover(roots, edits);
        p
    }

    fn discover(&mut self, roots: &[u64], edits: &BTreeMap<u64, Edit>) {
        let mut work: Vec<(u64, u64)> = roots.iter().rev().map(|r| (*r, *r)).collect();
        let mut leaders: Vec<u64> = roots.to_vec();
        let mut decoder = Decoder::new(self.target, self.texts.iter().map(|t| t.words.len()).sum());
        let mut found = 0;
        while let Some((mut pc, from)) = work.pop() {
            let mut from = from;
            loop {
                let Some((text, word)) = self.locate(pc) else {
                    let why = if pc.is_multiple_of(4) { Why::Outside } else { Why::Unaligned };
                    self.broken.push(Broken { pc, from, why });
                    break;
                };
                let text = &mut self.texts[text];
                if text.at[word] != NONE {
                    break;
                }
                let edit = if edits.is_empty() { None } else { edits.get(&pc) };
                let decoded = match edit {
                    Some(Edit::Replace(with)) => decoder.decode_edited(&text.words[word..], with),
                    _ => decoder.decode(&text.words[word..]),
                };
                let alike = match decoded {
                    Ok(alike) => alike,
                    Err(e) => {
                        self.broken.push(Broken { pc, from, why: Why::Undecodable(e) });
                        break;
                    }
                };
                // Which it is like until all are found and can be numbered by address.
                text.at[word] = alike;
                found += 1;
                let decoded = &decoder.distinct[alike as usize];
                let next = pc + decoded.inst.bytes() as u64;
                if decoded.straight || matches!(edit, Some(Edit::Remove)) {
                    from = pc;
                    pc = next;
                    continue;
                }
                match exit_of(&decoded.inst, pc) {
                    Exit::Next => {
                        from = pc;
                        pc = next;
                        continue;
                    }
                    Exit::Jump(t) => {
                        leaders.push(t);
                        work.push((t, pc));
                    }
                    Exit::Either(t) => {
                        leaders.push(t);
                        leaders.push(next);
                        work.push((t, pc));
                        from = pc;
                        pc = next;
                        continue;
                    }
                    Exit::Call { target, .. } => {
                        self.indirect = true;
                        leaders.push(target);
                        leaders.push(next);
                        work.push((target, pc));
                        work.push((next, pc));
                    }
                    Exit::Register { link, .. } => {
                        self.indirect = true;
                        if link.is_some() {
                            leaders.push(next);
                            work.push((next, pc));
                        }
                    }
                    Exit::Fork(t) => {
                        leaders.extend(t);
                        leaders.push(next);
                        work.extend(t.map(|t| (t, pc)));
                        work.push((next, pc));
                    }
                    Exit::End => {}
                }
                break;
            }
        }
        self.number(&decoder, found, edits);
        self.facts = NodeFacts::of(&self.nodes, &decoder.distinct);
        self.cut(&leaders);
        let counts = |n: &Node| n.raises != Raises::Nothing || n.waits != Waiting::No;
        self.counting = (0..).zip(&self.nodes).filter(|(_, n)| counts(n)).map(|(i, _)| i).collect();
        let mut counted = 0;
        for b in &self.blocks {
            self.counting_before.push(counted as u32);
            counted += self.counting[counted..].iter().take_while(|n| **n < b.end).count();
        }
    }

    /// Makes nodes of the instructions found, in order of address.
    fn number(&mut self, decoder: &Decoder, found: usize, edits: &BTreeMap<u64, Edit>) {
        let Program { texts, nodes, .. } = self;
        nodes.reserve_exact(found);
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|t| texts[*t].base);
        for text in order {
            let text = &mut texts[text];
            for (at, pc) in text.at.iter_mut().zip((text.base..).step_by(4)).filter(|(at, _)| **at != NONE) {
                let alike = *at;
                let Decoded { inst, raises, waits, straight } = decoder.distinct[alike as usize];
                let absent = !edits.is_empty() && matches!(edits.get(&pc), Some(Edit::Remove));
                let exit = if absent || straight { Exit::Next } else { exit_of(&inst, pc) };
                *at = nodes.len() as u32;
                nodes.push(Node { pc, inst, exit, raises, waits, alike, absent });
            }
        }
        // Only segments that lie over each other, which no linker makes, are still out of order.
        if !nodes.is_sorted_by_key(|n| n.pc) {
            nodes.sort_by_key(|n| n.pc);
            for (i, n) in nodes.iter().enumerate() {
                if let Some((t, w)) = locate(texts, n.pc) {
                    texts[t].at[w] = i as u32;
                }
            }
        }
    }

    fn cut(&mut self, leaders: &[u64]) {
        let mut starts = vec![false; self.nodes.len()];
        for l in leaders {
            if let Some(n) = self.node_at(*l) {
                starts[n as usize] = true;
            }
        }
        for (pair, start) in self.nodes.windows(2).zip(starts.iter_mut().skip(1)) {
            *start |= pair[0].exit != Exit::Next || pair[0].next_pc() != pair[1].pc;
        }
        self.block_of.reserve(starts.len());
        for (i, start) in starts.into_iter().enumerate() {
            let i = i as u32;
            match self.blocks.last_mut() {
                Some(b) if !start => b.end = i + 1,
                _ => self.blocks.push(Block { first: i, end: i + 1 }),
            }
            self.block_of.push(self.blocks.len() as u32 - 1);
        }
    }

    fn locate(&self, pc: u64) -> Option<(usize, usize)> {
        locate(&self.texts, pc)
    }

    /// Takes what nodes touch from elsewhere than from their bits.
    pub fn relate(&mut self, nodes: Vec<(usize, Effects, Relative)>) {
        for (node, effects, relative) in nodes {
            self.facts.replace(node, Facts::with(&self.nodes[node].inst, effects));
            self.relative.insert(node as u32, relative);
        }
        // Those that stand for others must still be like them.
        for (i, d) in self.facts.by_node.iter().enumerate().rev() {
            self.facts.examples[*d as usize] = i as u32;
        }
    }

    /// The node at an address.
    pub fn node_at(&self, pc: u64) -> Option<u32> {
        let (t, w) = self.locate(pc)?;
        let n = self.texts[t].at[w];
        (n != NONE).then_some(n)
    }

    /// The block that starts at an address.
    pub fn block_at(&self, pc: u64) -> Option<u32> {
        let n = self.node_at(pc)?;
        let b = self.block_of[n as usize];
        (self.blocks[b as usize].first == n).then_some(b)
    }

    /// Those of a run of nodes of one block that raise a counter or wait for something.
    pub fn counting(&self, nodes: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
        let before = self.block_of.get(nodes.start).map_or(0, |b| self.counting_before[*b as usize] as usize);
        let here = &self.counting[before..];
        let skipped = here.iter().take_while(|n| (**n as usize) < nodes.start).count();
        here[skipped..].iter().map(|n| *n as usize).take_while(move |n| *n < nodes.end)
    }

    /// The nodes of a block.
    pub fn range(&self, block: u32) -> std::ops::Range<usize> {
        let b = self.blocks[block as usize];
        b.first as usize..b.end as usize
    }
}

fn locate(texts: &[Text], pc: u64) -> Option<(usize, usize)> {
    texts.iter().enumerate().find_map(|(i, t)| Some((i, t.word(pc)?)))
}

/// Trap number from which no wave comes back.
const ABORT: u32 = 2;

fn exit_of(inst: &Inst, pc: u64) -> Exit {
    let relative = || {
        let words = i64::from(inst.get_signed(Field::Simm16));
        pc.wrapping_add(4).wrapping_add_signed(words * 4)
    };
    let pair = |slot| inst.get(slot) as u16;
    match inst.row().sem {
        Sem::Branch(b) => match b {
            Branch::Always => Exit::Jump(relative()),
            Branch::Scc0
            | Branch::Scc1
            | Branch::Vccz
            | Branch::Vccnz
            | Branch::Execz
            | Branch::Execnz
            | Branch::Cdbgsys
            | Branch::Cdbguser
            | Branch::CdbgsysOrUser
            | Branch::CdbgsysAndUser => Exit::Either(relative()),
            Branch::GetPc => Exit::Next,
            Branch::SetPc => Exit::Register { target: pair(Field::Src0), link: None },
            Branch::SwapPc => Exit::Register { target: pair(Field::Src0), link: Some(pair(Field::Dst)) },
            Branch::Call => Exit::Call { target: relative(), link: pair(Field::Dst) },
            Branch::Rfe | Branch::RfeRestore => Exit::End,
            Branch::ForkG | Branch::Join => Exit::Fork(None),
            Branch::ForkI => Exit::Fork(Some(relative())),
        },
        Sem::Control(Control::EndPgm | Control::EndPgmSaved | Control::EndPgmOrderedPsDone) => Exit::End,
        // The runtime's trap handler ends the wave (AMDGPUUsage, "Trap Handler ABI"): `llvm.trap`.
        Sem::Control(Control::Trap) if inst.get(Field::Simm16) & 0xff == ABORT => Exit::End,
        _ => Exit::Next,
    }
}

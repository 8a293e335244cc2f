//! What the detectors need to know of each instruction, worked out once.

use super::relative::{self, Relative};
use crate::engine::ir::Segment;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use wavesmith_asm::counters::{Raises, WaitCnt, raises};
use wavesmith_asm::disassemble::{branch_target, ends_flow};
use wavesmith_asm::effects::Span;
use wavesmith_asm::hazard::Facts;
use wavesmith_asm::inst::Inst;
use wavesmith_asm::sem::{Atomic, Branch, Control, Ds, Op, SOp, Sem, Space};
use wavesmith_asm::{Field, Target};

/// How many instructions on a poll's branch may be.
const FAR: usize = 48;

/// How many instructions are looked at for a way from a poll's branch back to the poll.
const ROUND: usize = 512;

/// And the compare-and-swap that a value is meant for: unoptimised code takes its time.
const FURTHER: usize = 160;

/// No instruction: a place that only faults.
pub(crate) const NONE: u32 = u32::MAX;

/// How memory is to be accessed, by the instruction's bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// A load that finds nothing in L1.
    pub past_l1: bool,
    /// An access at the place where all dies agree.
    pub agent: bool,
    /// An access that other waves of the workgroup may make at the same time.
    pub group: bool,
    /// A read-modify-write.
    pub atomic: bool,
}

/// What the stepping loop has to do about an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Plain,
    Wait(WaitCnt),
    Barrier,
    /// Touches memory or LDS.
    Memory,
    Writeback,
    /// Of the scalar cache.
    ScalarWriteback,
    Invalidate,
    ScalarInvalidate,
}

/// One instruction.
pub(crate) struct Info {
    pub pc: u64,
    /// With the registers that it means where they are relative to M0.
    pub inst: Inst,
    pub relative: Relative,
    /// The number of the instruction as its text has it: another where registers are relative to M0.
    pub base: u32,
    pub raises: Raises,
    /// Registers that it will write late.
    pub owes: Box<[Span]>,
    /// Registers that it reads late.
    pub late: Box<[Span]>,
    pub step: Step,
    pub scope: Scope,
    /// Whether it writes LDS from registers.
    pub writes_lds: bool,
    /// Whether it may be carried out later than it issues: a plain vector load into registers.
    pub may_be_late: bool,
    /// Whether it stores to memory (not LDS).
    pub stores: bool,
    /// Whether a lane's data are two dwords or more.
    pub pairs: bool,
    /// A read-modify-write whose result depends on what was there.
    pub modifies: bool,
    /// Issue slots beyond the first in which it keeps the vector ALU busy.
    pub slow: u8,
}

/// Every instruction that has been met, and the number of the one in each block of each segment.
pub(crate) struct Program {
    pub infos: Vec<Info>,
    /// By the same numbers.
    pub facts: Vec<Facts>,
    by_pc: HashMap<u64, u32>,
    segments: HashMap<usize, Rc<[u32]>>,
    /// Numbers of instructions as they execute with registers relative to M0, by that of the text and what of M0 decides.
    named: HashMap<(u32, u32), u32>,
    /// By the same numbers: whether the value loaded decides a branch, once somebody has asked.
    decisions: Vec<Option<bool>>,
    /// By the same numbers: whether it is loaded again and again until it does, likewise.
    polls: Vec<Option<bool>>,
    /// By the same numbers: whether the value loaded is a first guess for a compare-and-swap, likewise.
    guesses: Vec<Option<bool>>,
    // Keeps the addresses that `segments` is indexed by from being used again.
    held: Vec<Arc<Segment>>,
}

impl Program {
    pub fn new() -> Program {
        Program {
            infos: Vec::new(),
            facts: Vec::new(),
            by_pc: HashMap::new(),
            segments: HashMap::new(),
            named: HashMap::new(),
            decisions: Vec::new(),
            polls: Vec::new(),
            guesses: Vec::new(),
            held: Vec::new(),
        }
    }

    /// Instruction numbers by block.
    pub fn blocks(&mut self, segment: &Arc<Segment>) -> Rc<[u32]> {
        let key = Arc::as_ptr(segment) as usize;
        if let Some(known) = self.segments.get(&key) {
            return known.clone();
        }
        let numbers: Rc<[u32]> = segment
            .blocks
            .iter()
            .map(|b| {
                let Some(origin) = segment.origin(b.start) else { return NONE };
                let Some(inst) = origin.inst else { return NONE };
                if let Some(n) = self.by_pc.get(&origin.pc) {
                    return *n;
                }
                let n = self.infos.len() as u32;
                let facts = Facts::of(&inst);
                self.infos.push(Info::of(origin.pc, inst, &facts, n, Relative::of(&inst)));
                self.facts.push(facts);
                self.by_pc.insert(origin.pc, n);
                n
            })
            .collect();
        self.held.push(segment.clone());
        self.segments.insert(key, numbers.clone());
        numbers
    }

    /// The number of an instruction as it executes: with the registers that it means where they are relative to M0.
    #[inline]
    pub fn as_executed(&mut self, number: u32, mode: u32, m0: u32) -> u32 {
        match self.infos[number as usize].relative.key(mode, m0) {
            Some(key) => self.naming(number, key),
            None => number,
        }
    }

    #[cold]
    fn naming(&mut self, number: u32, key: u32) -> u32 {
        if let Some(known) = self.named.get(&(number, key)) {
            return *known;
        }
        let Info { pc, inst, relative, .. } = self.infos[number as usize];
        let Some(inst) = relative::named(&inst, relative, key) else { return number };
        let n = self.infos.len() as u32;
        let facts = Facts::of(&inst);
        self.infos.push(Info::of(pc, inst, &facts, number, relative));
        self.facts.push(facts);
        self.named.insert((number, key), n);
        n
    }

    /// The number that wait states know an instruction by. `s_movrel` uses M0, as the move of registers that it comes to does
    /// not.
    #[inline]
    pub fn issued_as(&self, number: u32) -> u32 {
        let info = &self.infos[number as usize];
        if info.relative == Relative::Scalar { info.base } else { number }
    }

    /// Whether what a read-modify-write finds decides a branch on the way straight on from it.
    #[inline]
    pub fn decides(&mut self, number: u32) -> bool {
        match self.decisions.get(number as usize) {
            Some(Some(known)) => *known,
            _ => {
                let answer = self.branch_on(number).is_some();
                remember(&mut self.decisions, number, answer);
                answer
            }
        }
    }

    /// Whether an instruction polls: what it loads decides a branch on the way straight on from it, and from there a way
    /// leads back to it that passes no barrier and steps to no other address. A load that the hardware cannot tell
    /// from a plain one is taken for an atomic by that; a flag that is looked at once, behind a barrier, is not.
    #[inline]
    pub fn polls(&mut self, number: u32) -> bool {
        match self.polls.get(number as usize) {
            Some(Some(known)) => *known,
            _ => {
                let answer = self.branch_on(number).is_some_and(|branch| self.returns(number, branch));
                remember(&mut self.polls, number, answer);
                answer
            }
        }
    }

    /// Whether a way leads from a branch back to a load that would load the same again.
    #[cold]
    fn returns(&self, load: u32, branch: u32) -> bool {
        let of = |n: u32| (&self.infos[n as usize], &self.facts[n as usize]);
        let (info, facts) = of(load);
        let home = info.pc;
        // What is implied, as EXEC and M0, changes in every loop that lanes leave one by one.
        let address: Vec<Span> = facts.effects.reads().filter(|t| t.slot != Field::Reserved).map(|t| t.span).collect();
        let touches = |span: Span| address.iter().any(|a| a.overlaps(span));
        let mut seen = HashSet::new();
        let mut open = vec![of(branch).0.pc];
        while let Some(pc) = open.pop() {
            if pc == home {
                return true;
            }
            let Some(n) = self.by_pc.get(&pc) else { continue };
            if seen.len() >= ROUND || !seen.insert(pc) {
                continue;
            }
            let (info, facts) = of(*n);
            // Reloaded or set anew it may be the same address; stepped on from what it was it is another.
            let steps = facts.effects.writes().any(|t| t.slot != Field::Reserved && touches(t.span))
                && facts.effects.reads().any(|t| t.slot != Field::Reserved && touches(t.span));
            if info.step == Step::Barrier || steps {
                continue;
            }
            if let Some(to) = branch_target(&info.inst, pc) {
                open.push(to as u64);
            }
            if !ends_flow(&info.inst) {
                open.push(pc + 4 * info.inst.dwords() as u64);
            }
        }
        false
    }

    /// How an instruction accesses memory. A plain load of what a compare-and-swap then expects to find is as good as an
    /// atomic one: if the value is old, the swap fails and says what is there. Compilers make such loops of every atomic
    /// operation that the hardware lacks.
    #[inline]
    pub fn scope(&mut self, number: u32) -> Scope {
        let scope = self.infos[number as usize].scope;
        let plain = !scope.agent && matches!(self.infos[number as usize].step, Step::Memory);
        if plain && self.guesses(number) {
            return Scope { past_l1: true, agent: true, group: true, ..scope };
        }
        scope
    }

    #[inline]
    fn guesses(&mut self, number: u32) -> bool {
        match self.guesses.get(number as usize) {
            Some(Some(known)) => *known,
            _ => {
                let answer = self.reaches_compare(number);
                remember(&mut self.guesses, number, answer);
                answer
            }
        }
    }

    /// Whether copies of what an instruction loads are all that a compare-and-swap on the way straight on compares with,
    /// before any branch depends on it.
    #[cold]
    fn reaches_compare(&self, number: u32) -> bool {
        let Some(info) = self.infos.get(number as usize) else { return false };
        if !matches!(info.inst.row().sem, Sem::Load { .. } | Sem::ScalarLoad { .. }) {
            return false;
        }
        let mut copies: Vec<Span> =
            info.owes.iter().flat_map(|s| s.iter()).map(|first| Span { first, count: 1 }).collect();
        let mut derived = copies.clone();
        // Where unoptimised code has put copies meanwhile.
        let mut spilled = Vec::new();
        let mut pc = info.pc + 4 * info.inst.dwords() as u64;
        for _ in 0..FURTHER {
            let Some(n) = self.by_pc.get(&pc) else { return false };
            let (info, facts) = (&self.infos[*n as usize], &self.facts[*n as usize]);
            let touches = |of: &[Span], span: Span| of.iter().any(|f| f.overlaps(span));
            let derives = facts.effects.reads().any(|t| touches(&derived, t.span));
            match info.inst.row().sem {
                Sem::Branch(Branch::Always) | Sem::Control(Control::EndPgm) => return false,
                Sem::Branch(_) if derives => return false,
                // The new value, then the one to compare with.
                Sem::Atomic { op: Atomic::CmpSwap, .. } => {
                    let data = facts.effects.reads().find(|t| t.slot == Field::Data0).map(|t| t.span);
                    let Some(data) = data else { return false };
                    let half = data.count / 2;
                    let expected = Span { first: data.first + half, count: half };
                    return expected.iter().all(|r| touches(&copies, Span { first: r, count: 1 }));
                }
                Sem::Store { space: Space::Scratch | Space::Buffer, .. } => {
                    let data = facts.effects.reads().find(|t| t.slot == Field::Data0).map(|t| t.span);
                    spilled.retain(|at| *at != stack_slot(info, facts));
                    if data.is_some_and(|d| d.iter().all(|r| touches(&copies, Span { first: r, count: 1 }))) {
                        spilled.push(stack_slot(info, facts));
                    }
                }
                // Written to other memory or LDS it is out of sight.
                Sem::Store { .. } | Sem::StoreLds | Sem::DsStore2 { .. } if derives => return false,
                _ => {}
            }
            let copy = match info.inst.row().sem {
                Sem::Lane(Op::Mov | Op::AccRead | Op::AccWrite | Op::AccMov, _) | Sem::Salu(SOp::Mov, _) => {
                    let whole = |s: Span| s.iter().all(|r| touches(&copies, Span { first: r, count: 1 }));
                    facts.effects.reads().any(|t| t.slot == Field::Src0 && whole(t.span))
                }
                Sem::Load { space: Space::Scratch | Space::Buffer, .. } => spilled.contains(&stack_slot(info, facts)),
                _ => false,
            };
            for t in facts.effects.writes() {
                if copy {
                    copies.push(t.span);
                } else {
                    copies.retain(|c| !c.overlaps(t.span));
                }
                if derives || copy {
                    derived.push(t.span);
                }
            }
            pc += 4 * info.inst.dwords() as u64;
        }
        false
    }

    /// The branch on the way straight on from a load that depends on what it loads.
    #[cold]
    fn branch_on(&self, number: u32) -> Option<u32> {
        let info = self.infos.get(number as usize)?;
        let mut from: Vec<Span> = info.owes.to_vec();
        let mut pc = info.pc + 4 * info.inst.dwords() as u64;
        for _ in 0..FAR {
            let n = self.by_pc.get(&pc)?;
            let (info, facts) = (&self.infos[*n as usize], &self.facts[*n as usize]);
            let tainted = facts.effects.reads().any(|t| from.iter().any(|f| f.overlaps(t.span)));
            match info.inst.row().sem {
                Sem::Branch(_) if tainted => return Some(*n),
                Sem::Branch(Branch::Always) | Sem::Control(Control::EndPgm) => return None,
                _ => {}
            }
            if tainted {
                from.extend(facts.effects.writes().map(|t| t.span));
            }
            pc += 4 * info.inst.dwords() as u64;
        }
        None
    }
}

/// An address as an instruction says it: the same words mean the same place while the registers stay.
fn stack_slot(info: &Info, facts: &Facts) -> ([Span; 4], u32) {
    let of = |slot| facts.effects.reads().find(|t| t.slot == slot).map_or(Span::NONE, |t| t.span);
    let registers = [Field::Vaddr, Field::Saddr, Field::Srsrc, Field::Soffset].map(of);
    (registers, info.inst.get(Field::Offset))
}

fn remember(answers: &mut Vec<Option<bool>>, number: u32, answer: bool) {
    let place = number as usize;
    answers.resize(answers.len().max(place + 1), None);
    answers[place] = Some(answer);
}

impl Info {
    fn of(pc: u64, inst: Inst, facts: &Facts, base: u32, relative: Relative) -> Info {
        let sem = inst.row().sem;
        let raises = raises(&inst);
        let scalar = matches!(sem, Sem::ScalarStore { .. } | Sem::ScalarAtomic { .. });
        let reads_late = raises == Raises::Gds || raises == Raises::Export;
        let owes = if raises == Raises::Nothing {
            Box::default()
        } else {
            facts.effects.writes().filter(|t| t.slot != Field::Reserved).map(|t| t.span).collect()
        };
        let late = facts
            .effects
            .reads()
            .filter(|t| reads_late && t.span.is_vector() || scalar && t.slot == Field::Dst)
            .map(|t| t.span)
            .collect();
        let (sc0, sc1) = (inst.get(Field::Sc0) != 0, inst.get(Field::Sc1) != 0);
        let atomic = matches!(sem, Sem::Atomic { .. } | Sem::ScalarAtomic { .. });
        // Before gfx942 there is one L2, where everybody agrees; `glc` looks past L1.
        let dies = matches!(inst.target(), Target::Gfx942 | Target::Gfx950);
        // A scalar store stays in the scalar cache, whatever its bits.
        let load = matches!(sem, Sem::Load { .. } | Sem::ScalarStore { .. });
        let sc0 = sc0 && !matches!(sem, Sem::ScalarStore { .. });
        let scope = Scope {
            past_l1: atomic || if dies { sc1 } else { sc0 },
            agent: atomic || if dies { sc1 } else { sc0 || !load },
            group: atomic || sc0 || sc1 || !dies && !load,
            atomic,
        };
        let in_memory = |s: Space| s != Space::Lds;
        let step = match sem {
            Sem::Control(Control::Waitcnt) => Step::Wait(WaitCnt::decode(inst.get(Field::Simm16) as u16)),
            Sem::Control(Control::Barrier) => Step::Barrier,
            // Without `sc1` it does nothing on dies with an L2 each.
            Sem::CacheWriteback if !dies || sc1 => Step::Writeback,
            // Scopes within the device's dies do nothing to caches that the compute unit shares, and gfx90a's other
            // instruction leaves L1 alone.
            Sem::CacheInvalidate { l2, .. } if if dies { sc1 } else { !l2 } => Step::Invalidate,
            Sem::ScalarCache { writeback: false, .. } => Step::ScalarInvalidate,
            Sem::ScalarCache { writeback: true, .. } => Step::ScalarWriteback,
            Sem::Load { .. }
            | Sem::Store { .. }
            | Sem::Atomic { .. }
            | Sem::StoreLds
            | Sem::DsLoad2 { .. }
            | Sem::DsStore2 { .. }
            | Sem::DsXchg2 { .. }
            | Sem::Ds(_)
            | Sem::ScalarLoad { .. }
            | Sem::ScalarStore { .. }
            | Sem::ScalarAtomic { .. } => Step::Memory,
            _ => Step::Plain,
        };
        let writes_lds = raises == Raises::Lds
            && match sem {
                Sem::Store { .. } | Sem::Atomic { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => true,
                Sem::Ds(ds) => matches!(ds, Ds::Append | Ds::Consume | Ds::WriteAddtid),
                _ => false,
            };
        let may_be_late = raises == Raises::Vm && matches!(sem, Sem::Load { space, .. } if in_memory(space));
        let stores = matches!(sem, Sem::Store { space, .. } | Sem::Atomic { space, .. } if in_memory(space))
            || matches!(sem, Sem::StoreLds);
        let pairs = facts.effects.reads().any(|t| t.slot == Field::Data0 && t.span.count >= 2);
        let modifies = matches!(sem, Sem::Atomic { op, .. } if op != Atomic::Swap);
        let slow = inst.row().time.vector_slots().saturating_sub(1);
        Info {
            pc,
            inst,
            relative,
            base,
            raises,
            owes,
            late,
            step,
            scope,
            writes_lds,
            may_be_late,
            stores,
            pairs,
            modifies,
            slow,
        }
    }
}

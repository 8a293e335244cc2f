//! Wait counters as the queues they count, gone through instruction by instruction along every way there is: code of its
//! own, that shares neither the checker's states nor its joins, to hold the checker to.
//!
//! [`Prover`] shows that a mutant of a wait or nop is harmless. It follows every operation of the changed kernel along every
//! way from where it is issued, with its place in its queue, until it is done on each; states are never joined, so what it
//! has seen is all that any path brings about. Operations do not depend on each other but for their places, which the ways
//! tell, so one at a time is enough. [`is_outstanding_along`] replays one way that a finding names, with whole queues.

#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::{BTreeSet, HashMap, HashSet};
use wavesmith_asm::counters::{LGKMCNT_MAX, Raises, VMCNT_MAX, WaitCnt, raises};
use wavesmith_asm::effects::Effects;
use wavesmith_asm::sem::{Branch, Control, Ds, SOp, Sem};
use wavesmith_asm::{Field, Inst, decode};
use wavesmith_loader::code_object::CodeObject;

/// What is done to one instruction.
#[derive(Clone, Debug)]
pub enum Change {
    Gone,
    Instead(Inst),
}

/// Operations that are outstanding, by address: of one order, oldest first; scalar ones, which have none, in any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Queues {
    vector: Vec<u64>,
    lds: Vec<u64>,
    scalar: Vec<u64>,
    /// FLAT: with what may have covered it so far, `vmcnt` and `lgkmcnt`.
    flat: Vec<(u64, bool, bool)>,
}

/// A kernel's code, decoded as it is come to.
pub struct Code<'a> {
    object: &'a CodeObject,
    bytes: &'a [u8],
    known: HashMap<u64, Step>,
    change: Option<(u64, Change)>,
}

#[derive(Clone)]
struct Step {
    inst: Inst,
    effects: Effects,
    raises: Raises,
    gone: bool,
}

impl Step {
    /// Whether it brings something from memory into registers and does nothing else.
    fn is_plain_load(&self) -> bool {
        let loads = matches!(
            self.inst.row().sem,
            Sem::Load { .. } | Sem::DsLoad2 { .. } | Sem::Ds(Ds::ReadTr { .. }) | Sem::ScalarLoad { .. }
        );
        loads && self.raises != Raises::VmToLds
    }
}

/// How a doubt begins that is about what a load brings into LDS: which bytes are meant is data.
pub const FILLS_LDS: &str = "filling LDS: ";

/// Most states that following one operation may take.
const MOST: usize = 400_000;

impl<'a> Code<'a> {
    pub fn new(object: &'a CodeObject, bytes: &'a [u8], change: Option<(u64, Change)>) -> Code<'a> {
        Code { object, bytes, known: HashMap::new(), change }
    }

    fn at(&mut self, pc: u64) -> Result<Step, String> {
        if let Some(step) = self.known.get(&pc) {
            return Ok(step.clone());
        }
        let range = self.object.file_range(pc, 4).ok_or_else(|| format!("{pc:#x} is outside of the code"))?;
        let rest = &self.bytes[range.start..self.bytes.len().min(range.start + 12)];
        let words: Vec<u32> = rest.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let mut inst = decode(&words, self.object.target).map_err(|e| format!("{pc:#x}: {e}"))?;
        let mut gone = false;
        match &self.change {
            Some((at, Change::Gone)) if *at == pc => gone = true,
            Some((at, Change::Instead(other))) if *at == pc => inst = *other,
            _ => {}
        }
        let step = Step { inst, effects: Effects::of(&inst), raises: raises(&inst), gone };
        self.known.insert(pc, step.clone());
        Ok(step)
    }

    /// Whether waves may write, before they come to another barrier than the one at `pc`, where a load of this kind reads.
    fn writes_before_a_barrier(&mut self, pc: u64, load: Raises) -> Result<bool, String> {
        let mut seen = HashSet::new();
        let mut left = next(pc, &self.at(pc)?.inst)?;
        while let Some(pc) = left.pop() {
            if !seen.insert(pc) {
                continue;
            }
            let step = self.at(pc)?;
            let writes = match (load, step.raises) {
                (Raises::Lds, Raises::Lds | Raises::VmToLds | Raises::Flat | Raises::Gds) => !step.is_plain_load(),
                (Raises::Lds, _) => false,
                (_, Raises::Lds | Raises::Nothing) => false,
                _ => !step.is_plain_load() && step.raises != Raises::VmToLds,
            };
            if writes {
                return Ok(true);
            }
            if !matches!(step.inst.row().sem, Sem::Control(Control::Barrier)) {
                left.extend(next(pc, &step.inst)?);
            }
        }
        Ok(false)
    }
}

/// Where control goes from an instruction.
fn next(pc: u64, inst: &Inst) -> Result<Vec<u64>, String> {
    let behind = pc + inst.bytes() as u64;
    let there = (pc + 4).wrapping_add_signed(i64::from(inst.get_signed(Field::Simm16)) * 4);
    Ok(match inst.row().sem {
        Sem::Branch(Branch::Always) => vec![there],
        Sem::Branch(Branch::Scc0 | Branch::Scc1 | Branch::Vccz | Branch::Vccnz | Branch::Execz | Branch::Execnz) => {
            vec![behind, there]
        }
        Sem::Branch(Branch::GetPc) => vec![behind],
        Sem::Branch(_) => return Err(format!("{pc:#x} branches by a register")),
        Sem::Control(Control::EndPgm) => Vec::new(),
        Sem::Control(Control::SetGprIdxOn) | Sem::Salu(SOp::MovrelS | SOp::MovrelD, _) => {
            return Err(format!("{pc:#x} has M0 name registers"));
        }
        Sem::Control(Control::Trap) if inst.get(Field::Simm16) & 0xff == 2 => Vec::new(),
        _ => vec![behind],
    })
}

/// What a wait for at most `n` leaves of a queue: the `n` youngest.
fn leave(queue: &mut Vec<u64>, n: usize) {
    queue.drain(..queue.len().saturating_sub(n));
}

impl Queues {
    fn wait(&mut self, w: WaitCnt) {
        if w.vm < VMCNT_MAX {
            leave(&mut self.vector, w.vm.into());
        }
        if w.lgkm < LGKMCNT_MAX {
            leave(&mut self.lds, w.lgkm.into());
        }
        if w.lgkm == 0 {
            self.scalar.clear();
        }
        self.flat.iter_mut().for_each(|(_, vm, lgkm)| {
            *vm |= w.vm == 0;
            *lgkm |= w.lgkm == 0;
        });
        self.flat.retain(|(_, vm, lgkm)| !(*vm && *lgkm));
    }

    fn holds(&self, pc: u64) -> bool {
        self.vector.iter().chain(&self.lds).chain(&self.scalar).any(|o| *o == pc) || self.flat.iter().any(|f| f.0 == pc)
    }

    fn issue(&mut self, pc: u64, raises: Raises) {
        match raises {
            Raises::Nothing | Raises::Export => {}
            Raises::Vm | Raises::VmToLds => {
                // A counter at its maximum holds up the next operation.
                leave(&mut self.vector, usize::from(VMCNT_MAX) - 1);
                self.vector.push(pc);
            }
            Raises::Lds => {
                leave(&mut self.lds, usize::from(LGKMCNT_MAX) - 1);
                self.lds.push(pc);
            }
            Raises::Scalar | Raises::Message | Raises::Gds => {
                self.scalar.retain(|o| *o != pc);
                self.scalar.push(pc);
            }
            Raises::Flat => {
                self.flat.retain(|f| f.0 != pc);
                self.flat.push((pc, false, false));
            }
        }
    }
}

fn stores(sem: Sem) -> bool {
    matches!(sem, Sem::Store { .. } | Sem::Atomic { .. })
}

/// Whether an instruction lets others see what was done before it.
fn shows(sem: Sem) -> bool {
    matches!(
        sem,
        Sem::Control(Control::Barrier | Control::SendMsg | Control::SendMsgHalt)
            | Sem::Store { .. }
            | Sem::Atomic { .. }
            | Sem::StoreLds
            | Sem::DsStore2 { .. }
            | Sem::DsXchg2 { .. }
            | Sem::Ds(_)
            | Sem::ScalarStore { .. }
            | Sem::ScalarAtomic { .. }
            | Sem::CacheWriteback
            | Sem::CacheInvalidate { .. }
    )
}

/// Where operations wait in one line, each behind those issued before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Vector,
    Lds,
    /// In none: scalar operations, until `lgkmcnt` is 0.
    Scalar,
    /// FLAT, until both counters have been 0.
    Flat,
}

fn line(raises: Raises) -> Option<Line> {
    match raises {
        Raises::Nothing | Raises::Export => None,
        Raises::Vm | Raises::VmToLds => Some(Line::Vector),
        Raises::Lds => Some(Line::Lds),
        Raises::Scalar | Raises::Message | Raises::Gds => Some(Line::Scalar),
        Raises::Flat => Some(Line::Flat),
    }
}

/// An operation on its way: how many are in line behind it, which counters have been 0 since (FLAT), and whether the
/// unchanged kernel would have waited for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Way {
    behind: u8,
    vm: bool,
    lgkm: bool,
    late: bool,
}

impl Way {
    /// Whether it is done behind a wait.
    fn wait(&mut self, line: Line, w: WaitCnt) -> bool {
        self.vm |= w.vm == 0;
        self.lgkm |= w.lgkm == 0;
        match line {
            Line::Vector => w.vm < VMCNT_MAX && self.behind >= w.vm,
            Line::Lds => w.lgkm < LGKMCNT_MAX && self.behind >= w.lgkm,
            Line::Scalar => w.lgkm == 0,
            Line::Flat => self.vm && self.lgkm,
        }
    }

    /// Whether it is done because another is issued behind it: a counter at its maximum holds that up.
    fn pass(&mut self, line: Line, issued: Option<Line>) -> bool {
        let max = match line {
            Line::Vector => VMCNT_MAX,
            Line::Lds => LGKMCNT_MAX,
            Line::Scalar | Line::Flat => return false,
        };
        self.behind += u8::from(issued == Some(line));
        self.behind >= max
    }
}

/// What is known of a kernel as it is, to prove things of its mutants.
pub struct Prover<'a> {
    object: &'a CodeObject,
    bytes: &'a [u8],
    /// What is reached, with the operations that may be outstanding there.
    reached: Result<HashMap<u64, BTreeSet<u64>>, String>,
}

impl<'a> Prover<'a> {
    /// Follows the kernel as it is.
    pub fn new(object: &'a CodeObject, bytes: &'a [u8], entries: &[u64]) -> Prover<'a> {
        let known = || {
            let mut code = Code::new(object, bytes, None);
            let mut reached: HashMap<u64, BTreeSet<u64>> = HashMap::new();
            let mut left = entries.to_vec();
            while let Some(pc) = left.pop() {
                if reached.insert(pc, BTreeSet::new()).is_none() {
                    let inst = code.at(pc)?.inst;
                    left.extend(next(pc, &inst)?.into_iter().filter(|pc| !reached.contains_key(pc)));
                }
            }
            for by in reached.keys().copied().collect::<Vec<_>>() {
                follow(&mut code, by, None, |_, pc, _, _| {
                    if let Some(at) = reached.get_mut(&pc) {
                        at.insert(by);
                    }
                    Ok(())
                })?;
            }
            Ok(reached)
        };
        Prover { object, bytes, reached: known() }
    }

    /// Proves that the kernel with one wait or nop changed does what it did: nothing touches a register that is still owed,
    /// and what the unchanged instruction would have waited for is waited for again before anything shows it to other
    /// waves. How many states that took; or where the proof fails.
    pub fn proof(&self, at: u64, was: &Inst, change: &Change) -> Result<usize, String> {
        let reached = self.reached.as_ref().map_err(Clone::clone)?;
        let Some(owed) = reached.get(&at) else { return Ok(0) };
        let Sem::Control(Control::Waitcnt) = was.row().sem else {
            return Err(format!("{at:#x} is reached, and what it keeps apart is not shown to be far enough apart"));
        };
        let before = WaitCnt::decode(was.get(Field::Simm16) as u16);
        let mut code = Code::new(self.object, self.bytes, Some((at, change.clone())));
        let mut states = 0;
        for by in owed {
            states += follow(&mut code, *by, Some((at, before)), judge)?;
        }
        Ok(states)
    }
}

/// Follows what `by` issues along every way until it is done. `look` is shown every instruction that is come to while it is
/// outstanding. `before` is a wait that was changed, and where: what it would have waited for is late from there on.
fn follow(
    code: &mut Code,
    by: u64,
    before: Option<(u64, WaitCnt)>,
    mut look: impl FnMut(&mut Code, u64, &Step, (u64, Way)) -> Result<(), String>,
) -> Result<usize, String> {
    let first = code.at(by)?;
    let Some(mine) = line(first.raises) else { return Ok(0) };
    let mut seen: HashSet<(u64, Way)> = HashSet::new();
    let mut left: Vec<(u64, Way)> = next(by, &first.inst)?.into_iter().map(|pc| (pc, Way::default())).collect();
    while let Some((pc, mut way)) = left.pop() {
        if !seen.insert((pc, way)) {
            continue;
        }
        if seen.len() > MOST {
            return Err("too many states".to_owned());
        }
        let step = code.at(pc)?;
        if !step.gone {
            look(code, pc, &step, (by, way))?;
        }
        let was = before.filter(|(at, _)| *at == pc);
        let late = was.is_some_and(|(_, w)| way.clone().wait(mine, w));
        if !step.gone {
            if let Sem::Control(Control::Waitcnt) = step.inst.row().sem
                && way.wait(mine, WaitCnt::decode(step.inst.get(Field::Simm16) as u16))
            {
                continue;
            }
            // The same scalar operation again stands for both.
            if way.pass(mine, line(step.raises)) || pc == by && mine == Line::Scalar {
                continue;
            }
        }
        way.late |= late;
        left.extend(next(pc, &step.inst)?.into_iter().map(|to| (to, way)));
    }
    Ok(seen.len())
}

/// What is wrong with an instruction while an operation is outstanding that the unchanged kernel would have waited for. What it
/// would not have waited for is outstanding here in both.
fn judge(code: &mut Code, pc: u64, step: &Step, (by, way): (u64, Way)) -> Result<(), String> {
    let owner = code.at(by)?;
    let sem = step.inst.row().sem;
    if !way.late {
        return Ok(());
    }
    let fills = owner.raises == Raises::VmToLds;
    // What lands in LDS is read there, and what vectors have stored, through a cache that does not know of it.
    let read = fills && step.raises == Raises::Lds || stores(owner.inst.row().sem) && step.raises == Raises::Scalar;
    let barrier = matches!(sem, Sem::Control(Control::Barrier));
    // Waves that this one lets go on get as far as the next barrier.
    let kept = barrier && owner.is_plain_load() && !code.writes_before_a_barrier(pc, owner.raises)?;
    if (shows(sem) || read) && !kept {
        let what = if fills { FILLS_LDS } else { "" };
        return Err(format!("{what}{pc:#x} shows what {by:#x} may not have done"));
    }
    let owed = owner.effects.writes().filter(|t| t.slot != Field::Reserved);
    for result in owed {
        for t in step.effects.touches() {
            // A younger load of the same order comes in later.
            let ordered = step.raises != Raises::Scalar && line(step.raises) == line(owner.raises);
            let overwrites = t.write && ordered && matches!(sem, Sem::Load { .. } | Sem::DsLoad2 { .. });
            if result.span.overlaps(t.span) && !overwrites {
                return Err(format!("{pc:#x} touches what {by:#x} owes"));
            }
        }
    }
    Ok(())
}

/// Whether what `from` issued is still outstanding at `to`, along the blocks that begin at `path`, or straight on if that
/// is empty.
pub fn is_outstanding_along(
    object: &CodeObject,
    bytes: &[u8],
    path: &[u64],
    from: u64,
    to: u64,
) -> Result<bool, String> {
    let mut code = Code::new(object, bytes, None);
    let mut queues = Queues::default();
    let mut blocks = path.iter().copied().skip(1).peekable();
    let mut pc = from;
    let mut begun = false;
    loop {
        let step = code.at(pc)?;
        if begun && pc == to && blocks.peek().is_none() {
            return Ok(queues.holds(from));
        }
        if begun && pc == from {
            return Err(format!("{pc:#x} is come to again"));
        }
        begun = true;
        if let Sem::Control(Control::Waitcnt) = step.inst.row().sem {
            queues.wait(WaitCnt::decode(step.inst.get(Field::Simm16) as u16));
        }
        queues.issue(pc, step.raises);
        let ways = next(pc, &step.inst)?;
        pc = match (ways.as_slice(), blocks.peek()) {
            (ways, Some(block)) if ways.contains(block) => {
                let block = *block;
                blocks.next();
                block
            }
            ([only], _) => *only,
            (ways, want) => return Err(format!("{pc:#x} leads to {ways:x?}, not to {want:x?}")),
        };
    }
}

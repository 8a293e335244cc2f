//! Wait counters as the queues they count, gone through instruction by instruction along every way there is: code of its
//! own, that shares neither the checker's states nor its joins, to hold the checker to.
//!
//! [`proof`] shows that a mutant of a wait or nop is harmless. It follows the changed kernel from every entry, keeps what is
//! outstanding as explicit queues, and never merges two of them, so what it has seen is every state that any path brings
//! about. [`is_outstanding_along`] replays one way that a finding names.

#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::{HashMap, HashSet};
use wavesmith_asm::counters::{LGKMCNT_MAX, Raises, VMCNT_MAX, WaitCnt, raises};
use wavesmith_asm::effects::{Effects, Span};
use wavesmith_asm::sem::{Branch, Control, Ds, Sem};
use wavesmith_asm::{Field, Inst, decode};
use wavesmith_loader::code_object::CodeObject;

/// What is done to one instruction.
#[derive(Clone, Debug)]
pub enum Change {
    Gone,
    Instead(Inst),
}

/// An operation that is outstanding: who issued it, and whether the unchanged kernel would have waited for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Owed {
    by: u64,
    late: bool,
}

/// Operations of one order, oldest first; scalar ones, which have none, in order of address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Queues {
    vector: Vec<Owed>,
    lds: Vec<Owed>,
    scalar: Vec<Owed>,
    /// FLAT: with what may have covered it so far, `vmcnt` and `lgkmcnt`.
    flat: Vec<(Owed, bool, bool)>,
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

/// Most states that a proof may take.
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

    /// What an outstanding operation will write.
    fn results(&mut self, by: u64) -> Vec<Span> {
        let writes = |s: &Step| -> Vec<Span> {
            s.effects.writes().filter(|t| t.slot != Field::Reserved).map(|t| t.span).collect()
        };
        self.known.get(&by).map(writes).unwrap_or_default()
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
        Sem::Control(Control::Trap) if inst.get(Field::Simm16) & 0xff == 2 => Vec::new(),
        _ => vec![behind],
    })
}

/// What a wait for at most `n` leaves of a queue: the `n` youngest.
fn leave(queue: &mut Vec<Owed>, n: usize) -> Vec<Owed> {
    let done = queue.len().saturating_sub(n);
    queue.drain(..done).collect()
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

    fn all(&self) -> impl Iterator<Item = &Owed> {
        self.vector.iter().chain(&self.lds).chain(&self.scalar).chain(self.flat.iter().map(|f| &f.0))
    }

    /// Marks as late what `kept` does not hold.
    fn mark_late(&mut self, kept: &Queues) {
        let held: HashSet<u64> = kept.all().map(|o| o.by).collect();
        let mark = |o: &mut Owed| o.late |= !held.contains(&o.by);
        self.vector.iter_mut().chain(&mut self.lds).chain(&mut self.scalar).for_each(mark);
        self.flat.iter_mut().for_each(|f| f.0.late |= !held.contains(&f.0.by));
    }

    fn issue(&mut self, pc: u64, raises: Raises) {
        let owed = Owed { by: pc, late: false };
        match raises {
            Raises::Nothing | Raises::Export => {}
            Raises::Vm | Raises::VmToLds => {
                // A counter at its maximum holds up the next operation.
                leave(&mut self.vector, usize::from(VMCNT_MAX) - 1);
                self.vector.push(owed);
            }
            Raises::Lds => {
                leave(&mut self.lds, usize::from(LGKMCNT_MAX) - 1);
                self.lds.push(owed);
            }
            Raises::Scalar | Raises::Message | Raises::Gds => {
                self.scalar.retain(|o| o.by != pc);
                self.scalar.push(owed);
                self.scalar.sort_by_key(|o| o.by);
            }
            Raises::Flat => {
                self.flat.retain(|f| f.0.by != pc);
                self.flat.push((owed, false, false));
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

/// Proves that a kernel with one wait or nop changed does what it did: nothing touches a register that is still owed, and
/// what the unchanged instruction would have waited for is waited for again before anything shows it to other waves. How
/// many states that took; or where the proof fails.
pub fn proof(
    object: &CodeObject,
    bytes: &[u8],
    entries: &[u64],
    at: u64,
    was: &Inst,
    change: &Change,
) -> Result<usize, String> {
    let mut code = Code::new(object, bytes, Some((at, change.clone())));
    let before = match was.row().sem {
        Sem::Control(Control::Waitcnt) => Some(WaitCnt::decode(was.get(Field::Simm16) as u16)),
        _ => None,
    };
    let mut seen: HashSet<(u64, Queues)> = HashSet::new();
    let mut left: Vec<(u64, Queues)> = entries.iter().map(|e| (*e, Queues::default())).collect();
    while let Some((pc, mut queues)) = left.pop() {
        let step = code.at(pc)?;
        if pc == at && before.is_none() {
            return Err(format!("{pc:#x} is reached, and what it keeps apart is not shown to be far enough apart"));
        }
        if !step.gone {
            let sem = step.inst.row().sem;
            for late in queues.all().filter(|o| o.late) {
                let owner = code.at(late.by)?;
                let fills = owner.raises == Raises::VmToLds;
                // What lands in LDS is read there, and what vectors have stored, through a cache that does not know of it.
                let read = fills && step.raises == Raises::Lds
                    || stores(owner.inst.row().sem) && step.raises == Raises::Scalar;
                let barrier = matches!(sem, Sem::Control(Control::Barrier));
                // Waves that this one lets go on get as far as the next barrier.
                let kept = barrier && owner.is_plain_load() && !code.writes_before_a_barrier(pc, owner.raises)?;
                if (shows(sem) || read) && !kept {
                    let what = if fills { FILLS_LDS } else { "" };
                    return Err(format!("{what}{pc:#x} shows what {:#x} may not have done", late.by));
                }
            }
            for t in step.effects.touches() {
                let owed = queues.all().copied().collect::<Vec<_>>();
                for o in owed {
                    let meets = code.results(o.by).iter().any(|r| r.overlaps(t.span));
                    // A younger load of the same order comes in later.
                    let queue = match step.raises {
                        Raises::Vm | Raises::VmToLds => &queues.vector,
                        Raises::Lds => &queues.lds,
                        _ => &queues.scalar,
                    };
                    let ordered = step.raises != Raises::Scalar && queue.iter().any(|q| q.by == o.by);
                    let overwrites = t.write && ordered && matches!(sem, Sem::Load { .. } | Sem::DsLoad2 { .. });
                    if meets && !overwrites {
                        return Err(format!("{pc:#x} touches what {:#x} owes", o.by));
                    }
                }
            }
            if let Sem::Control(Control::Waitcnt) = step.inst.row().sem {
                queues.wait(WaitCnt::decode(step.inst.get(Field::Simm16) as u16));
            }
            queues.issue(pc, step.raises);
        }
        if let Some(w) = before.filter(|_| pc == at) {
            let mut kept = queues.clone();
            kept.wait(w);
            queues.mark_late(&kept);
        }
        for to in next(pc, &step.inst)? {
            let joins = to != pc + step.inst.bytes() as u64 || matches!(step.inst.row().sem, Sem::Branch(_));
            if !joins || seen.insert((to, queues.clone())) {
                left.push((to, queues.clone()));
            }
        }
        if seen.len() > MOST {
            return Err("too many states".to_owned());
        }
    }
    Ok(seen.len())
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
            return Ok(queues.all().any(|o| o.by == from));
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

//! From machine code to micro-operations.
//!
//! Code is followed from an entry through every direct branch, cut into basic blocks and lowered once. What depends on
//! the MODE register (denormals, IEEE, clamp of NaN) is decided here, so a segment belongs to one [`Mode`]; code that
//! changes MODE ends its block and the wave goes on in a segment lowered for the new one. What the hardware leaves
//! undefined, or the engine does not execute, becomes a fault that is raised only if the wave gets there.

mod convert;
mod late;
mod matrix;
mod memory;
mod operand;
mod scalar;
mod valu;

use super::ir::{Block, Origin, S, Segment, Touched, Uop, V};
use super::lanes::Lanes;
use crate::FaultKind;
use core::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use wavesmith_asm::inst::{Inst, decode};
use wavesmith_asm::sem::{Branch, Control, Ds, Sem, Space};
use wavesmith_asm::{Field, Target};

/// The part of the MODE register that lowering depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mode {
    /// Bits 0 to 9 of MODE: rounding, denormals, DX10_CLAMP, IEEE; bit 10: loads into LDS are on their way; bit 25 is
    /// FP16_OVFL and bit 26 VSKIP; and bits that index VGPRs relative to M0.
    pub bits: u32,
}

impl Mode {
    /// Bits of MODE that matter here: round 0-3, denorm 4-7, dx10 8, ieee 9, gpr_idx_en 27.
    const MASK: u32 = 0x3ff | 1 << 27;

    /// The part of a MODE register that matters, with M0's index mode where indexing is on.
    pub fn of(mode: u32, m0: u32) -> Mode {
        let index = if mode >> 27 & 1 == 1 { (m0 >> 12 & 15) << 28 } else { 0 };
        Mode { bits: mode & Mode::MASK | (mode >> 23 & 1) << 25 | (mode >> 28 & 1) << 26 | index }
    }

    /// The same, in a wave whose loads into LDS have not all landed.
    pub fn landing(self, on_their_way: bool) -> Mode {
        Mode { bits: self.bits | u32::from(on_their_way) << 10 }
    }

    /// Loads into LDS, issued by code before this, have yet to land at the waits in this.
    fn lands(self) -> bool {
        self.bits >> 10 & 1 == 1
    }

    /// Rounding of f32 is not to nearest.
    pub fn rounds_32(self) -> u32 {
        self.bits & 3
    }
    /// Rounding of f16 and f64.
    pub fn rounds_16_64(self) -> u32 {
        self.bits >> 2 & 3
    }
    /// f32 operands are flushed.
    pub fn flush_in_32(self) -> bool {
        self.bits >> 4 & 1 == 0
    }
    /// f32 results are flushed.
    pub fn flush_out_32(self) -> bool {
        self.bits >> 5 & 1 == 0
    }
    /// f16 and f64 operands are flushed.
    pub fn flush_in_16_64(self) -> bool {
        self.bits >> 6 & 1 == 0
    }
    /// f16 and f64 results are flushed.
    pub fn flush_out_16_64(self) -> bool {
        self.bits >> 7 & 1 == 0
    }
    /// Clamp turns NaN into 0.
    pub fn dx10_clamp(self) -> bool {
        self.bits >> 8 & 1 == 1
    }
    /// IEEE mode.
    pub fn ieee(self) -> bool {
        self.bits >> 9 & 1 == 1
    }
    /// Finite operands give the largest binary16 (or small float) where they would overflow.
    pub fn caps_16(self) -> bool {
        self.bits >> 25 & 1 == 1
    }
    /// Vector instructions are skipped.
    pub fn skips(self) -> bool {
        self.bits >> 26 & 1 == 1
    }
    /// VGPR indexing: sources 0 to 2 and the destination, as bits; 0 where it is off.
    pub fn gpr_index(self) -> u32 {
        if self.bits >> 27 & 1 == 1 { self.bits >> 28 } else { 0 }
    }
}

/// What a kernel's registers and addresses look like to the lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Instruction set.
    pub target: Target,
    /// VGPRs allocated.
    pub vgprs: u16,
    /// Where AGPRs start in the wave's file.
    pub agpr_base: u16,
    /// AGPRs allocated.
    pub agprs: u16,
    /// Registers of the wave's file.
    pub registers: u16,
    /// Upper half of addresses in the LDS aperture.
    pub shared_aperture: u32,
    /// Upper half of addresses in the private aperture.
    pub private_aperture: u32,
}

/// Why an instruction cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub FaultKind, pub String);

impl Refusal {
    /// What hardware leaves undefined, or what CDNA or HSA does not have.
    fn undefined(what: impl Into<String>) -> Refusal {
        Refusal(FaultKind::Undefined, what.into())
    }

    fn unsupported(what: impl Into<String>) -> Refusal {
        Refusal(FaultKind::Instruction, format!("not executed yet: {}", what.into()))
    }
}

pub(super) type Result<T> = core::result::Result<T, Refusal>;

/// Bytes of code: up to four dwords from an address, as many as there are.
pub type Fetch<'a> = dyn FnMut(u64) -> ([u32; 4], usize) + 'a;

pub(super) struct Lower {
    layout: Layout,
    mode: Mode,
    seg: Segment,
    touched: Cell<Touched>,
    vconst: HashMap<u32, u16>,
    vconst_pairs: HashMap<u64, u16>,
    sconst: HashMap<u64, u32>,
    below: [Option<u16>; 2],
    /// Whether waits have loads into LDS to land: this code's own, or those of code that went on here at a change of MODE,
    /// a call or a return.
    loads_lds: bool,
    temp: u16,
    /// Operands of the instruction in hand are not flushed, whatever MODE says.
    keep_subnormals: bool,
    stemp: u8,
    pc: u64,
    next_pc: u64,
}

/// Whether an instruction ends its block, and where the flow goes.
enum Flow {
    /// To the next instruction, same block.
    On,
    /// To the next instruction, in a block of its own.
    Cut,
    /// To a target, and on if it is conditional.
    To(u64, bool),
    /// Elsewhere.
    Stop,
}

fn flow(inst: &Inst, pc: u64) -> Flow {
    let target = || {
        let offset = i64::from(inst.get(Field::Simm16) as u16 as i16) * 4 + 4;
        pc.wrapping_add(offset as u64)
    };
    match inst.row().sem {
        Sem::Branch(b) => match b {
            Branch::Always => Flow::To(target(), false),
            Branch::Scc0 | Branch::Scc1 | Branch::Vccz | Branch::Vccnz | Branch::Execz | Branch::Execnz => {
                Flow::To(target(), true)
            }
            Branch::Cdbgsys | Branch::Cdbguser | Branch::CdbgsysOrUser | Branch::CdbgsysAndUser => Flow::On,
            Branch::GetPc => Flow::On,
            Branch::Call => Flow::To(target(), true),
            Branch::SwapPc => Flow::Cut,
            // Where these go, the wave finds out.
            _ => Flow::Stop,
        },
        Sem::Control(c) => match c {
            Control::EndPgm | Control::EndPgmSaved | Control::EndPgmOrderedPsDone => Flow::Stop,
            Control::Barrier | Control::Sleep | Control::SetHalt => Flow::Cut,
            Control::SetGprIdxOn | Control::SetGprIdxOff | Control::SetGprIdxMode | Control::SetVskip => Flow::Cut,
            Control::Trap if is_breakpoint(inst) => Flow::On,
            Control::Trap | Control::SendMsgHalt => Flow::Stop,
            Control::SetKill if inst.get(Field::Simm16) & 1 == 1 => Flow::Stop,
            _ => Flow::On,
        },
        Sem::SetReg => Flow::Cut,
        Sem::Ds(d) if waits(d) => Flow::Cut,
        _ => Flow::On,
    }
}

/// Whether a trap asks for the debugger: with none there, the runtime's trap handler returns at once (AMDGPUUsage, trap
/// handler ABI).
fn is_breakpoint(inst: &Inst) -> bool {
    inst.get(Field::Simm16) & 0xff == 3
}

/// Whether an instruction may wait for other waves: it is tried again from the start of its block.
fn waits(d: Ds) -> bool {
    matches!(d, Ds::GwsBarrier | Ds::GwsSemaP)
}

/// What a wave did with LDS since it last met the others, in straight code.
///
/// The waves of a workgroup run beside each other on silicon. When a wait for LDS is over, the others have written or
/// read there what they had to as well, barrier or not, and shipping kernels rely on that: they read what others wrote,
/// or write over what others read, right after such a wait. So the others get their turn there.
#[derive(Clone, Copy, Debug, Default)]
struct Lds {
    /// It has read, and no wait has covered that.
    read: bool,
    /// It has written, and no wait has covered that.
    wrote: bool,
    /// The last instruction was a wait that covered writes.
    covered: bool,
    /// Behind the wait that covered its reads.
    waited: Option<u64>,
}

impl Lds {
    /// Takes in the next instruction, and says before which one the others should have their turn.
    fn turn_before(&mut self, inst: &Inst, next: u64) -> Option<u64> {
        if meets(inst) {
            *self = Lds::default();
            return None;
        }
        let here = next.wrapping_sub(inst.bytes() as u64);
        if self.covered {
            *self = Lds::default();
            return Some(here);
        }
        if writes_lds(inst) {
            self.wrote = true;
            return self.waited.take();
        }
        if matches!(inst.row().sem, Sem::Control(Control::Waitcnt)) && inst.get(Field::Simm16) >> 8 & 15 < 15 {
            self.covered = self.wrote;
            if self.read {
                self.waited = Some(next);
            }
            (self.read, self.wrote) = (false, false);
        }
        self.read |= reads_lds(inst);
        None
    }
}

/// Whether a wave waits for the others at an instruction.
fn meets(inst: &Inst) -> bool {
    matches!(inst.row().sem, Sem::Control(Control::Barrier))
}

/// Vector memory instructions that a wait leaves outstanding, if it is one for them.
fn lands(inst: &Inst) -> Option<u8> {
    let imm = inst.get(Field::Simm16) as u16;
    let left = (imm & 15 | imm >> 14 << 4) as u8;
    (matches!(inst.row().sem, Sem::Control(Control::Waitcnt)) && left < 63).then_some(left)
}

/// Whether an instruction writes LDS.
fn writes_lds(inst: &Inst) -> bool {
    matches!(
        inst.row().sem,
        Sem::Store { space: Space::Lds, .. }
            | Sem::Atomic { space: Space::Lds, .. }
            | Sem::DsStore2 { .. }
            | Sem::DsXchg2 { .. }
            | Sem::Ds(Ds::WriteAddtid)
    )
}

/// Whether an instruction reads LDS.
fn reads_lds(inst: &Inst) -> bool {
    matches!(
        inst.row().sem,
        Sem::Load { space: Space::Lds, .. } | Sem::DsLoad2 { .. } | Sem::Ds(Ds::ReadTr { .. } | Ds::ReadAddtid)
    )
}

/// Whether an instruction goes to the vector units, which VSKIP keeps it from.
fn is_vector(inst: &Inst) -> bool {
    use wavesmith_asm::Format::*;
    !matches!(inst.row().format, SOP1 | SOP2 | SOPK | SOPK_LIT | SOPC | SOPP | SMEM)
}

/// Instructions of the longest block: waves change over between blocks.
const LONGEST: u32 = 48;

/// Instructions by which a block may be longer, so that what is read from LDS and a use of it stay together.
const NEAR: u32 = 24;

/// Instructions of a loop that may be taken for one that only waits.
const SHORT_LOOP: u32 = 24;

/// Lowers everything reachable from `entry`.
pub fn segment(layout: Layout, mode: Mode, entry: u64, fetch: &mut Fetch<'_>) -> Segment {
    segment_of_blocks(layout, mode, entry, fetch, LONGEST)
}

/// As [`segment`], with blocks of at most `longest` instructions.
pub fn segment_of_blocks(layout: Layout, mode: Mode, entry: u64, fetch: &mut Fetch<'_>, longest: u32) -> Segment {
    let mut code: BTreeMap<u64, core::result::Result<Inst, (FaultKind, String)>> = BTreeMap::new();
    let mut leaders: BTreeMap<u64, u32> = BTreeMap::from([(entry, 0)]);
    let mut order = vec![entry];
    let mut turns = HashSet::new();
    let (mut returns, mut carried) = (Vec::new(), HashMap::new());
    let mut at = 0;
    while at < order.len() {
        let mut pc = order[at];
        at += 1;
        // What precedes the entry is not known: reads of LDS may.
        let mut lds = carried.remove(&pc).unwrap_or(Lds { read: pc == entry, ..Lds::default() });
        let mut lead = |pc: u64, order: &mut Vec<u64>| {
            leaders.entry(pc).or_insert_with(|| {
                order.push(pc);
                order.len() as u32 - 1
            });
        };
        let (mut run, mut since_read) = (0, NEAR);
        loop {
            run += 1;
            since_read += 1;
            let together = longest > 1 && since_read < NEAR && run <= longest + NEAR;
            if run > longest && !together && !code.contains_key(&pc) {
                lead(pc, &mut order);
                carried.insert(pc, lds);
                break;
            }
            if code.contains_key(&pc) {
                // Reached by falling through into code already seen: that place starts a block of its own.
                if pc != order[at - 1] {
                    lead(pc, &mut order);
                }
                break;
            }
            let (words, have) = fetch(pc);
            let inst = if pc % 4 != 0 {
                Err((FaultKind::Fetch, format!("instruction address {pc:#x} is not a multiple of four")))
            } else if have == 0 {
                Err((FaultKind::Fetch, format!("no memory that may be executed at {pc:#x}")))
            } else {
                decode(&words[..have], layout.target).map_err(|e| (FaultKind::Instruction, e.to_string()))
            };
            let Ok(i) = inst else {
                code.insert(pc, inst);
                break;
            };
            if matches!(i.row().sem, Sem::Ds(d) if waits(d)) && pc != order[at - 1] {
                lead(pc, &mut order);
                break;
            }
            if reads_lds(&i) {
                since_read = 0;
            }
            let next = pc.wrapping_add(i.bytes() as u64);
            if let Some(turn) = lds.turn_before(&i, next) {
                turns.insert(turn);
                lead(turn, &mut order);
                if turn == pc && pc != order[at - 1] {
                    break;
                }
            }
            code.insert(pc, Ok(i));
            match flow(&i, pc) {
                Flow::On => pc = next,
                Flow::Cut => {
                    lead(next, &mut order);
                    carried.insert(next, lds);
                    break;
                }
                Flow::To(target, conditional) => {
                    lead(target, &mut order);
                    if conditional {
                        lead(next, &mut order);
                        carried.insert(next, lds);
                    }
                    returns.extend(lds.waited.map(|turn| (turn, target)));
                    break;
                }
                Flow::Stop => break,
            }
        }
    }
    // Loops whose next round begins by writing what this one has read.
    for (turn, target) in returns {
        let mut ahead = code.range(target..).map_while(|(_, i)| i.as_ref().ok()).take(SHORT_LOOP as usize);
        if ahead.find(|i| writes_lds(i) || meets(i)).is_some_and(writes_lds) {
            turns.insert(turn);
            leaders.entry(turn).or_insert_with(|| {
                order.push(turn);
                order.len() as u32 - 1
            });
        }
    }
    let loads_lds = mode.lands() || code.values().flatten().any(Inst::loads_lds);
    if loads_lds {
        // Waits that may land loads stand alone: the others have their turn before one does.
        let waits = code.iter().filter_map(|(pc, i)| i.as_ref().ok().filter(|i| lands(i).is_some()).map(|i| (*pc, i)));
        for pc in waits.flat_map(|(pc, i)| [pc, pc.wrapping_add(i.bytes() as u64)]) {
            leaders.entry(pc).or_insert_with(|| {
                order.push(pc);
                order.len() as u32 - 1
            });
        }
    }
    let mut lower = Lower {
        layout,
        mode,
        seg: Segment::default(),
        // Work-item ids come in up to three.
        touched: Cell::new(Touched { vgprs: layout.vgprs.min(3), agprs: (layout.agpr_base, layout.agpr_base) }),
        vconst: HashMap::new(),
        vconst_pairs: HashMap::new(),
        sconst: HashMap::new(),
        below: [None; 2],
        loads_lds,
        temp: 0,
        keep_subnormals: false,
        stemp: S::TEMP,
        pc: 0,
        next_pc: 0,
    };
    for entry in order {
        lower.block(entry, &code, &leaders, &turns);
    }
    lower.seg.touched = lower.touched.get();
    lower.seg
}

impl Lower {
    fn block(
        &mut self,
        entry: u64,
        code: &BTreeMap<u64, core::result::Result<Inst, (FaultKind, String)>>,
        leaders: &BTreeMap<u64, u32>,
        turns: &HashSet<u64>,
    ) {
        let start = self.seg.uops.len() as u32;
        let (mut instructions, mut stores, mut atomics, mut clock) = (0, false, false, false);
        let (mut looks, mut polls) = (false, false);
        let mut pc = entry;
        let places = self.places(entry, code, leaders);
        let mut late: Vec<(usize, u64, Inst)> = Vec::new();
        loop {
            let at = instructions as usize;
            if pc != entry
                && let Some(next) = leaders.get(&pc)
            {
                let next = *next;
                self.push(if turns.contains(&pc) { Uop::Turn { next } } else { Uop::Next { next } });
                break;
            }
            instructions += 1;
            if let (Some(place), Some(Ok(inst))) = (places.get(at).filter(|p| **p > at), code.get(&pc)) {
                late.push((*place, pc, *inst));
                pc = pc.wrapping_add(inst.bytes() as u64);
                continue;
            }
            self.seg.origins.push(Origin {
                uop: self.seg.uops.len() as u32,
                pc,
                inst: code.get(&pc).and_then(|i| i.as_ref().ok()).copied(),
            });
            let inst = match code.get(&pc) {
                Some(Ok(inst)) => *inst,
                Some(Err((kind, message))) => {
                    self.fault(*kind, message.clone());
                    break;
                }
                None => {
                    self.fault(FaultKind::Fetch, format!("no instruction at {pc:#x}"));
                    break;
                }
            };
            self.pc = pc;
            self.next_pc = pc.wrapping_add(inst.bytes() as u64);
            self.temp = 0;
            self.stemp = S::TEMP;
            stores |= matches!(
                inst.row().sem,
                Sem::Store { .. }
                    | Sem::ScalarStore { .. }
                    | Sem::DsStore2 { .. }
                    | Sem::DsXchg2 { .. }
                    | Sem::Ds(
                        Ds::Append
                            | Ds::Consume
                            | Ds::WriteAddtid
                            | Ds::GwsInit
                            | Ds::GwsSemaV
                            | Ds::GwsSemaBr
                            | Ds::GwsSemaReleaseAll
                    )
                    | Sem::StoreLds
            ) || (self.loads_lds && inst.loads_lds());
            // Whether these change anything is known when they have run.
            atomics |= matches!(inst.row().sem, Sem::Atomic { .. } | Sem::ScalarAtomic { .. });
            clock |= matches!(inst.row().sem, Sem::MemTime { .. });
            // Loads past the caches, returning atomics and clocks: what loops that wait look at.
            let old = matches!(self.layout.target, Target::Gfx908 | Target::Gfx90a);
            looks |= match inst.row().sem {
                Sem::Load { .. } => inst.get(Field::Sc1) != 0 || (old && inst.get(Field::Sc0) != 0),
                Sem::Atomic { .. } | Sem::ScalarAtomic { .. } => inst.get(Field::Sc0) != 0,
                Sem::ScalarLoad { .. } => inst.get(Field::Sc0) != 0,
                _ => false,
            };
            if let Flow::To(target, _) = flow(&inst, pc) {
                // A longer loop, or one that stores, has work of its own to do.
                polls = (looks || clock) && !stores && !atomics && instructions <= SHORT_LOOP && target <= pc;
            }
            let before = self.seg.uops.len();
            let ends = !matches!(flow(&inst, pc), Flow::On);
            if let Err(Refusal(kind, message)) = self.inst(&inst, leaders) {
                self.seg.uops.truncate(before);
                self.fault(kind, message);
                break;
            }
            if ends {
                break;
            }
            pc = self.next_pc;
            for (_, behind, inst) in late.extract_if(.., |(place, ..)| *place == at) {
                self.seg.origins.push(Origin { uop: self.seg.uops.len() as u32, pc: behind, inst: Some(inst) });
                (self.pc, self.next_pc) = (behind, behind.wrapping_add(inst.bytes() as u64));
                (self.temp, self.stemp) = (0, S::TEMP);
                let before = self.seg.uops.len();
                if let Err(Refusal(kind, message)) = self.inst(&inst, leaders) {
                    self.seg.uops.truncate(before);
                    self.fault(kind, message);
                }
            }
        }
        let end = self.seg.uops.len() as u32;
        self.seg.blocks.push(Block { start, end, instructions, pc: entry, stores, clock, polls });
    }

    /// Where the instructions of a block are executed: see [`late`].
    fn places(
        &self,
        entry: u64,
        code: &BTreeMap<u64, core::result::Result<Inst, (FaultKind, String)>>,
        leaders: &BTreeMap<u64, u32>,
    ) -> Vec<usize> {
        let mut run = Vec::new();
        let mut pc = entry;
        while let Some(Ok(inst)) = code.get(&pc)
            && (pc == entry || !leaders.contains_key(&pc))
            && matches!(flow(inst, pc), Flow::On)
        {
            run.push(*inst);
            pc = pc.wrapping_add(inst.bytes() as u64);
        }
        // Indexed operands are not what the instruction names.
        if self.mode.gpr_index() != 0 { Vec::new() } else { late::places(&run, self.layout.target) }
    }

    fn push(&mut self, uop: Uop) {
        self.seg.uops.push(uop);
    }

    fn fault(&mut self, kind: FaultKind, message: String) {
        let at = self.seg.faults.len() as u32;
        self.seg.faults.push((kind, message));
        self.push(Uop::Fault(at));
    }

    /// A fresh vector temporary of `n` registers.
    fn temps(&mut self, n: u16) -> Result<V> {
        let at = self.temp;
        self.temp += n;
        if self.temp as usize > V::TEMPS {
            return Err(Refusal::unsupported("an instruction with so many operands"));
        }
        Ok(V::temp(at))
    }

    /// A fresh scalar temporary of `n` words.
    fn stemps(&mut self, n: u8) -> u8 {
        let at = self.stemp;
        // An instruction needs at most a few pairs; the file has room for sixteen.
        self.stemp = (self.stemp + n).min(S::FILE as u8 - 2);
        at
    }

    /// A vector constant.
    fn konst(&mut self, v: u32) -> Result<V> {
        if let Some(i) = self.vconst.get(&v) {
            return Ok(V::konst(*i));
        }
        let at = self.add_consts(&[Lanes::splat(v)])?;
        self.vconst.insert(v, at);
        Ok(V::konst(at))
    }

    /// A 64-bit vector constant.
    fn konst64(&mut self, v: u64) -> Result<V> {
        if let Some(i) = self.vconst_pairs.get(&v) {
            return Ok(V::konst(*i));
        }
        let at = self.add_consts(&[Lanes::splat(v as u32), Lanes::splat((v >> 32) as u32)])?;
        self.vconst_pairs.insert(v, at);
        Ok(V::konst(at))
    }

    fn add_consts(&mut self, lanes: &[Lanes]) -> Result<u16> {
        let at = self.seg.vconst.len();
        if at + lanes.len() >= 1 << V::INDEX_BITS {
            return Err(Refusal::unsupported("a kernel with more than 16,000 different constants"));
        }
        self.seg.vconst.extend_from_slice(lanes);
        Ok(at as u16)
    }

    /// A scalar constant of one or two words.
    fn skonst(&mut self, v: u64) -> S {
        let at = *self.sconst.entry(v).or_insert_with(|| {
            self.seg.sconst.extend_from_slice(&[v as u32, (v >> 32) as u32]);
            self.seg.sconst.len() as u32 - 2
        });
        S::konst(at)
    }

    fn inst(&mut self, inst: &Inst, leaders: &BTreeMap<u64, u32>) -> Result<()> {
        if self.mode.skips() && is_vector(inst) {
            if !matches!(flow(inst, self.pc), Flow::On) {
                self.push(Uop::Next { next: leaders.get(&self.next_pc).copied().unwrap_or(0) });
            }
            return Ok(());
        }
        match inst.row().sem {
            Sem::Salu(..)
            | Sem::ScalarCmp(..)
            | Sem::BitCmp(..)
            | Sem::SaveExec(_)
            | Sem::WrExec(_)
            | Sem::GetReg
            | Sem::SetReg => self.scalar(inst),
            Sem::Branch(b) => self.branch(inst, b, leaders),
            Sem::Control(c) => self.control(inst, c, leaders),
            Sem::ScalarLoad { .. } | Sem::ScalarStore { .. } | Sem::ScalarAtomic { .. } => self.scalar_memory(inst),
            Sem::MemTime { real } => {
                let d = self.sdst(inst, Field::Dst, 2)?;
                self.push(Uop::Time { d, real });
                Ok(())
            }
            Sem::ScalarCache { .. } | Sem::AtcProbe { .. } | Sem::DcacheDiscard { .. } => Ok(()),
            Sem::CacheWriteback | Sem::CacheInvalidate { .. } => Ok(()),
            Sem::Lane(op, ty) => self.lane(inst, op, ty),
            Sem::Packed(op, ty) => self.packed(inst, op, ty),
            Sem::Cvt(c) => self.convert(inst, c),
            Sem::Cmp { cond, ty, exec } => self.compare(inst, Some(cond), ty, exec),
            Sem::CmpClass { ty, exec } => self.compare(inst, None, ty, exec),
            Sem::Dot { from, to, n, acc } => self.dot(inst, from, to, n, acc),
            Sem::Mfma(m) => self.matrix(inst, m),
            Sem::Load { .. } | Sem::Store { .. } | Sem::Atomic { .. } | Sem::StoreLds => self.vector_memory(inst),
            Sem::Ds(
                d
                @ (Ds::GwsInit | Ds::GwsSemaV | Ds::GwsSemaBr | Ds::GwsSemaP | Ds::GwsSemaReleaseAll | Ds::GwsBarrier),
            ) => self.gws(inst, d, leaders),
            Sem::DsLoad2 { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } | Sem::Ds(_) => self.lds(inst),
            Sem::Export => Err(Refusal::undefined("exports belong to graphics; a compute kernel has no target")),
            Sem::Image => Err(Refusal::undefined("CDNA has no image units")),
            Sem::LdScale => {
                Err(Refusal::undefined("a scale load without the matrix instruction that must follow it at once"))
            }
        }
    }

    fn branch(&mut self, inst: &Inst, b: Branch, leaders: &BTreeMap<u64, u32>) -> Result<()> {
        let block = |pc: u64| leaders.get(&pc).copied().unwrap_or(0);
        let target = self.pc.wrapping_add((i64::from(inst.get(Field::Simm16) as u16 as i16) * 4 + 4) as u64);
        match b {
            Branch::Always => self.push(Uop::Next { next: block(target) }),
            Branch::Scc0 | Branch::Scc1 | Branch::Vccz | Branch::Vccnz | Branch::Execz | Branch::Execnz => {
                self.push(Uop::Branch { cond: b, taken: block(target), next: block(self.next_pc) });
            }
            // The debugger's conditions are never set.
            Branch::Cdbgsys | Branch::Cdbguser | Branch::CdbgsysOrUser | Branch::CdbgsysAndUser => {}
            Branch::GetPc => {
                let d = self.sdst(inst, Field::Dst, 2)?;
                let a = self.skonst(self.next_pc);
                self.push(Uop::Salu {
                    op: wavesmith_asm::sem::SOp::Mov,
                    ty: wavesmith_asm::sem::Elem::B64,
                    d,
                    a,
                    b: a,
                });
            }
            Branch::SetPc => {
                let a = self.ssrc(inst, Field::Src0)?;
                self.push(Uop::Jump { a });
            }
            Branch::SwapPc | Branch::Call => {
                let d = self.sdst(inst, Field::Dst, 2)?;
                let next = self.skonst(self.next_pc);
                let mov = |d, a| Uop::Salu {
                    op: wavesmith_asm::sem::SOp::Mov,
                    ty: wavesmith_asm::sem::Elem::B64,
                    d,
                    a,
                    b: a,
                };
                if b == Branch::Call {
                    self.push(mov(d, next));
                    self.push(Uop::Next { next: block(target) });
                } else {
                    let a = self.ssrc(inst, Field::Src0)?;
                    let t = self.stemps(2);
                    self.push(mov(t, a));
                    self.push(mov(d, next));
                    self.push(Uop::Jump { a: S::reg(t) });
                }
            }
            Branch::Rfe | Branch::RfeRestore => {
                return Err(Refusal::undefined("a return from a trap handler outside of one"));
            }
            Branch::ForkG | Branch::ForkI => {
                let (mask, target) = if b == Branch::ForkG {
                    (self.ssrc(inst, Field::Src0)?, self.ssrc(inst, Field::Src1)?)
                } else {
                    (S::reg(self.sdst(inst, Field::Dst, 2)?), self.skonst(target))
                };
                let next = self.skonst(self.next_pc);
                self.push(Uop::Fork { mask, target, next });
            }
            Branch::Join => {
                let a = self.ssrc(inst, Field::Src0)?;
                let next = self.skonst(self.next_pc);
                self.push(Uop::Join { a, next });
            }
        }
        Ok(())
    }

    fn control(&mut self, inst: &Inst, c: Control, leaders: &BTreeMap<u64, u32>) -> Result<()> {
        let imm = inst.get(Field::Simm16) as u16;
        let next = leaders.get(&self.next_pc).copied().unwrap_or(0);
        match c {
            Control::EndPgm | Control::EndPgmSaved | Control::EndPgmOrderedPsDone => self.push(Uop::End),
            Control::Barrier => self.push(Uop::Barrier { next }),
            Control::Sleep => self.push(Uop::Sleep { next, imm }),
            Control::SetHalt if imm & 1 == 1 => {
                return Err(Refusal(
                    FaultKind::Trap,
                    "the wave halts itself (`s_sethalt 1`) and nobody can resume it".into(),
                ));
            }
            Control::SetHalt => self.push(Uop::Next { next }),
            Control::Trap if is_breakpoint(inst) => {}
            Control::Trap => {
                return Err(Refusal(
                    FaultKind::Trap,
                    format!(
                        "`s_trap {imm}`{}",
                        match imm & 0xff {
                            2 => ": the program ended itself (llvm.trap, an assertion or unreachable code)",
                            _ => " is a trap that no runtime handles",
                        }
                    ),
                ));
            }
            Control::SendMsgHalt => {
                return Err(Refusal(
                    FaultKind::Trap,
                    "the wave sends a message and halts; nobody can resume it".into(),
                ));
            }
            Control::SetKill if imm & 1 == 1 => {
                return Err(Refusal(
                    FaultKind::Trap,
                    "the wave asks to be killed (`s_setkill 1`), which no runtime does".into(),
                ));
            }
            Control::SetGprIdxOn | Control::SetGprIdxOff | Control::SetGprIdxMode => {
                let a = if c == Control::SetGprIdxOn { self.ssrc(inst, Field::Src0)? } else { S::reg(0) };
                let imm = if c == Control::SetGprIdxOn { inst.get(Field::Src1) as u16 } else { imm };
                self.push(Uop::Misc { control: c, imm, a });
                self.push(Uop::Relook { pc: self.next_pc });
            }
            Control::SetVskip => {
                let (a, b) = (self.ssrc(inst, Field::Src0)?, self.ssrc(inst, Field::Src1)?);
                self.push(Uop::SetVskip { a, b });
                self.push(Uop::Relook { pc: self.next_pc });
            }
            Control::Waitcnt => {
                if self.loads_lds
                    && let Some(left) = lands(inst)
                {
                    self.push(Uop::Land { left, next });
                }
            }
            Control::SendMsg => {
                // Interrupts and the like go to a host that has no use for them here.
            }
            Control::Nop
            | Control::Wakeup
            | Control::SetKill
            | Control::SetPrio
            | Control::IcacheInv
            | Control::IncPerfLevel
            | Control::DecPerfLevel
            | Control::TtraceData
            | Control::VNop
            | Control::DsNop
            | Control::ClrExcp => {}
        }
        Ok(())
    }
}

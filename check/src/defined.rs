//! Registers that are read before anything has written them.
//!
//! Two sets are kept: registers that some path has not written, and registers that no path has. A masked write counts as
//! a write, and so does a write of part of a register: what EXEC leaves out is data, not structure. Reads that only carry
//! an old value along (the lanes a DPP move leaves, `v_writelane`, halves) are not reads here, since compilers start such
//! chains from nothing. The same register twice in an exclusive or or a subtraction is a way to write zero.

use crate::dataflow::{Analysis, State};
use crate::graph::Start;
use crate::program::{Exit, Program};
use crate::registers::Registers;
use crate::relative::is_choice;
use wavesmith_asm::effects::{self, Coarse, Span, Touch};
use wavesmith_asm::hazard::Facts;
use wavesmith_asm::reg::code;
use wavesmith_asm::row::Access;
use wavesmith_asm::sem::{Logic, Op, SOp, Sem};
use wavesmith_asm::{Field, Inst, Operand, Target};
use wavesmith_loader::code_object::KernelDescriptor;

/// Registers by whether they have been written.
#[derive(Clone)]
pub(crate) struct Written {
    /// Not written on some path.
    maybe_not: Registers,
    /// Not written on any path.
    never: Registers,
    /// [`Written::maybe_not`] coarsely; more bits than needed are harmless.
    coarse: Coarse,
}

impl State for Written {
    fn join(&mut self, other: &Written) -> bool {
        let more = self.maybe_not.join(&other.maybe_not);
        let fewer = self.never.meet(&other.never);
        self.coarse = self.coarse.or(other.coarse);
        more || fewer
    }
}

impl Written {
    fn new(maybe_not: Registers, never: Registers) -> Written {
        Written { maybe_not, never, coarse: maybe_not.coarse() }
    }

    /// Takes registers as written.
    fn write(&mut self, span: Span) {
        self.maybe_not.remove(span);
        self.never.remove(span);
        self.coarse = self.coarse.and(self.maybe_not.coarse_near(span));
    }

    /// Whether an instruction touches a register that may be unwritten: quick, and never wrongly no.
    fn concerns(&self, facts: &Facts) -> bool {
        facts.coarse().meets(self.coarse) || self.maybe_not.has(effects::SCC) || self.maybe_not.has(effects::MODE)
    }
}

/// A register read that may be unwritten.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unwritten {
    pub register: u16,
    /// Whether no path at all writes it.
    pub never: bool,
}

pub(crate) struct Defined<'a> {
    program: &'a Program,
    /// Registers that the hardware fills, without preloaded arguments.
    initial: Registers,
    /// Registers that preloading fills.
    preloaded: Registers,
    /// Registers that some instruction reads: whether others have been written is nobody's concern.
    read: Registers,
}

fn set(s: &mut Registers, first: u16, count: u16) {
    s.insert(Span { first, count });
}

/// The registers that hold something when a wave starts, without and with preloaded kernel arguments (AMDGPUUsage,
/// "Initial Kernel Execution State").
pub(crate) fn initial(d: &KernelDescriptor, target: Target) -> (Registers, Registers) {
    let mut s = Registers::default();
    let user = u16::from(d.rsrc2.user_sgpr_count);
    let preload = u16::from(d.preload_length).min(user);
    let plain = user - preload;
    set(&mut s, effects::S0, plain.min(104));
    let system = u16::from(d.rsrc2.workgroup_id_x)
        + u16::from(d.rsrc2.workgroup_id_y)
        + u16::from(d.rsrc2.workgroup_id_z)
        + u16::from(d.rsrc2.workgroup_info);
    // The scratch wave offset exists where FLAT_SCRATCH is not architected.
    let offset = u16::from(d.rsrc2.private_segment && matches!(target, Target::Gfx908 | Target::Gfx90a));
    set(&mut s, effects::S0 + user.min(64), system + offset);
    let ids = if target.unified_vgprs() { 1 } else { u16::from(d.rsrc2.workitem_ids.min(2)) + 1 };
    set(&mut s, effects::V0, ids);
    // EXEC, trap temporaries, XNACK_MASK, MODE always; M0 matters only to instructions that have a rule of their own.
    set(&mut s, effects::S0 + code::EXEC, 2);
    set(&mut s, effects::S0 + code::TTMP0, 16);
    set(&mut s, effects::S0 + code::XNACK_MASK, 2);
    set(&mut s, effects::MODE, 1);
    if matches!(target, Target::Gfx942 | Target::Gfx950) {
        set(&mut s, effects::S0 + code::FLAT_SCRATCH, 2);
    }
    let mut p = s;
    set(&mut p, effects::S0 + plain.min(64), preload);
    (s, p)
}

impl<'a> Defined<'a> {
    /// Of a kernel with these [`crate::whole::examples`].
    pub fn new(program: &'a Program, examples: &[u32], initial: Registers, preloaded: Registers) -> Defined<'a> {
        let mut read = Registers::default();
        for i in examples {
            program.facts[*i as usize].effects.reads().for_each(|t| read.insert(t.span));
        }
        Defined { program, initial, preloaded, read }
    }

    /// Whether a register holds something at the second entry only because arguments were preloaded.
    pub fn filled_by_preloading(&self, register: u16) -> bool {
        self.preloaded.has(register) && !self.initial.has(register)
    }

    fn reads<'t>(&'t self, node: usize, touches: &'t [Touch]) -> impl Iterator<Item = Span> + 't {
        let inst = &self.program.nodes[node].inst;
        // Where M0 picks one of several, it is data whether it picks one that is written.
        let choice = self.program.relative.get(&(node as u32)).filter(|r| r.by.is_none());
        let row = inst.row();
        let zeroing = zeroes(inst);
        let m0_matters =
            matches!(row.sem, Sem::Salu(SOp::MovrelS | SOp::MovrelD, _) | Sem::StoreLds) || inst.loads_lds();
        touches.iter().filter(move |t| t.read && !zeroing && !is_choice(t)).filter_map(move |t| {
            if choice.is_some_and(|r| r.named.contains(&t.span)) {
                return None;
            }
            if t.slot == Field::Reserved {
                let implied_range = t.span.count > 4;
                let m0 = t.span == Span::M0 && !m0_matters;
                let scratch = t.span.first == effects::S0 + code::FLAT_SCRATCH;
                return (!implied_range && !m0 && !scratch).then_some(t.span);
            }
            if t.write {
                // The row says read-and-write where the value matters; elsewhere an old value is only carried along.
                let matters = row.operand(t.slot).is_some_and(|o| o.access == Access::RW)
                    && !matches!(row.sem, Sem::Load { .. } | Sem::Lane(Op::WriteLane, _))
                    && !matches!(row.sem, Sem::Cvt(_));
                return matters.then_some(t.span);
            }
            Some(t.span)
        })
    }
}

/// Whether the instruction's result does not depend on what it reads.
fn zeroes(inst: &Inst) -> bool {
    let same = |a: Field, b: Field| match (inst.slot(a), inst.slot(b)) {
        (Some(Operand::Reg(a)), Some(Operand::Reg(b))) => a == b,
        _ => false,
    };
    match inst.row().sem {
        Sem::Salu(SOp::Logic(Logic::Xor) | SOp::Sub, _) | Sem::Lane(Op::Logic(Logic::Xor) | Op::Sub, _) => {
            same(Field::Src0, Field::Src1)
        }
        _ => false,
    }
}

impl Analysis for Defined<'_> {
    type State = Written;
    type Fault = Unwritten;

    fn start(&self, start: Start) -> Written {
        let written = match start {
            Start::Entry => self.initial,
            Start::Preloaded => self.preloaded,
            Start::Unknown => Registers::ALL,
        };
        // What only preloading fills, no instruction has written.
        let by_code = if start == Start::Preloaded { self.initial } else { written };
        let unwritten = |mut by: Registers| {
            by = by.complement();
            by.meet(&self.read);
            by
        };
        Written::new(unwritten(written), unwritten(by_code))
    }

    fn idle(&self, state: &Written, calls: bool) -> bool {
        !calls && state.maybe_not.is_empty()
    }

    fn node(&self, state: &mut Written, node: usize, report: &mut dyn FnMut(Unwritten)) {
        let n = &self.program.nodes[node];
        if n.absent {
            return;
        }
        let call = matches!(n.exit, Exit::Call { .. } | Exit::Register { link: Some(_), .. });
        if !call && !state.concerns(&self.program.facts[node]) {
            return;
        }
        let touches = self.program.facts[node].effects.touches();
        if touches.iter().any(|t| t.read && state.maybe_not.meets(t.span)) {
            for r in self.reads(node, touches).flat_map(Span::iter) {
                if state.maybe_not.has(r) {
                    report(Unwritten { register: r, never: state.never.has(r) });
                    state.write(Span { first: r, count: 1 });
                }
            }
        }
        for t in touches.iter().filter(|t| t.write) {
            if state.maybe_not.meets(t.span) {
                state.write(t.span);
            }
        }
        if call {
            // A callee saves registers that its caller may never have written.
            *state = self.start(Start::Unknown);
        }
    }
}

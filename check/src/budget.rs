//! Registers, LDS and scratch that the code uses, against what the descriptor allocates; register tuples against the
//! alignment that the target demands.
//!
//! Sources: LLVM's `AMDGPUBaseInfo` (extra SGPRs for VCC, FLAT_SCRATCH and XNACK_MASK; even alignment of VGPR tuples from
//! gfx90a on) and AMDGPUUsage.

use crate::finding::{Kind, Severity};
use crate::graph::Graph;
use crate::program::Program;
use crate::registers::Registers;
use crate::relative::is_choice;
use crate::sink::Sink;
use crate::waits::Contents;
use crate::whole::reached;
use wavesmith_asm::counters::Raises;
use wavesmith_asm::effects::{self, Touch};
use wavesmith_asm::reg::code;
use wavesmith_asm::sem::{Ds, Elem, Mem, Op, Sem, Space};
use wavesmith_asm::{Field, Form, Format, Inst, Operand, RegClass, Target};
use wavesmith_loader::code_object::{Kernel, ValueKind};

/// The most that any instruction touches, with the instruction.
#[derive(Clone, Copy, Default)]
struct Most {
    /// One past the highest.
    end: u32,
    node: usize,
}

impl Most {
    fn see(&mut self, end: u32, node: usize) {
        if end > self.end {
            *self = Most { end, node };
        }
    }
}

pub(crate) fn check(sink: &mut Sink, k: &Kernel, graph: &Graph, examples: &[u32]) {
    let program = sink.program;
    let target = program.target;
    let (mut v, mut a, mut s) = (Most::default(), Most::default(), Most::default());
    let (mut lds, mut scratch) = (Most::default(), Most::default());
    let (mut vcc, mut scratch_register) = (false, None);
    let (mut lds_read, mut lds_written) = (None, false);
    // What is not followed may write registers too.
    let addresses = if graph.notes.is_empty() { Addresses::of(program, examples) } else { Addresses::default() };
    let mut misaligned = false;
    // What an instruction touches follows from its bits, so its like adds nothing, except one more misaligned tuple.
    for i in examples.iter().map(|i| *i as usize) {
        let n = &program.nodes[i];
        // What M0 may pick is not counted: a program that keeps to its arrays does not pick it.
        for t in program.facts[i].effects.touches().iter().filter(|t| !is_choice(t)) {
            let end = u32::from(t.span.end());
            misaligned |= needs_alignment(target, t).is_some();
            if t.span.first < effects::A0 {
                v.see(end, i);
            } else if t.span.first < effects::S0 {
                a.see(end - u32::from(effects::A0), i);
            } else if t.span.first < effects::SCC && t.span.count <= 16 {
                match t.span.first - effects::S0 {
                    first if first < code::FLAT_SCRATCH => s.see(end - u32::from(effects::S0), i),
                    code::FLAT_SCRATCH..code::XNACK_MASK if t.slot != Field::Reserved => {
                        scratch_register.get_or_insert(i);
                    }
                    code::VCC..code::TTMP0 => vcc = true,
                    _ => {}
                }
            }
        }
        // What follows is about memory.
        if n.raises == Raises::Nothing {
            continue;
        }
        let contents = Contents::of(&n.inst, n.raises);
        if let Some(bytes) = lds_end(&n.inst) {
            // Tensile reads beyond the part on purpose, since that gives 0; a write there is lost.
            let address = if contents == Contents::Writes { addresses.known(&n.inst) } else { 0 };
            lds.see(bytes.saturating_add(address), i);
        }
        match contents {
            Contents::Leaves => lds_written |= n.raises == Raises::VmToLds,
            Contents::Writes => lds_written = true,
            Contents::Reads => lds_read = lds_read.or(Some(i)),
        }
        if let Some(bytes) = scratch_end(&n.inst) {
            scratch.see(bytes, i);
        }
    }
    if misaligned {
        reached(program, graph).for_each(|i| alignment(sink, i));
    }
    vector(sink, k, graph, v, a);
    scalar(sink, k, s, vcc, scratch_register);
    lds_beyond(sink, k, lds);
    // Where a call is not followed, its function may write.
    if let Some(node) = lds_read.filter(|_| !lds_written && graph.notes.is_empty())
        && sink.first(Kind::Uninitialised, node, node, 1)
    {
        let message = "reads LDS, which nothing in the kernel writes: it holds what an earlier kernel left there";
        sink.at(Severity::Advice, Kind::Uninitialised, node, message.to_owned());
    }
    let declared = k.descriptor.private_segment_size;
    if scratch.end > declared && !k.descriptor.dynamic_stack {
        let message =
            format!("addresses scratch byte {}, beyond the {declared} bytes that are declared", scratch.end - 1);
        sink.at(Severity::Error, Kind::Scratch, scratch.node, message);
    }
}

/// LDS beyond what is declared, given the highest byte that is surely addressed.
fn lds_beyond(sink: &mut Sink, k: &Kernel, lds: Most) {
    let part = sink.program.target.max_lds();
    let declared = k.descriptor.group_segment_size;
    let there = declared.saturating_add(sink.dynamic_lds.unwrap_or(0));
    if lds.end > part {
        let message = format!("addresses LDS byte {}, beyond the {part} bytes of the part", lds.end - 1);
        sink.at(Severity::Error, Kind::Lds, lds.node, message);
    } else if lds.end > there {
        let (severity, why) = match sink.dynamic_lds {
            Some(0) => (Severity::Error, "the launch adds none".to_owned()),
            Some(n) => (Severity::Error, format!("the launch adds {n}")),
            None if may_have_dynamic_lds(k) => (Severity::Advice, "the launch must add dynamic LDS".to_owned()),
            None => (Severity::Error, "nothing says that the launch adds dynamic LDS".to_owned()),
        };
        let message = format!("addresses LDS byte {} or beyond, {declared} bytes are declared: {why}", lds.end - 1);
        sink.at(severity, Kind::Lds, lds.node, message);
    }
}

/// Whether a launch may have to add LDS, which no field declares.
///
/// LLVM lists the hidden argument of its size where a kernel uses any, if it lists hidden arguments at all (code object 5,
/// where block counts are among them). A compiler's kernel without hidden arguments may use some beside what it declares;
/// one without declared LDS, like all of Triton's, has no other.
fn may_have_dynamic_lds(k: &Kernel) -> bool {
    let Some(m) = &k.metadata else { return true };
    let lists = |kind: &ValueKind| m.args.iter().any(|a| a.value_kind == *kind);
    if lists(&ValueKind::HiddenBlockCountX) {
        return lists(&ValueKind::HiddenDynamicLdsSize);
    }
    let compiled = m.language.is_some() || m.uses_dynamic_stack.is_some();
    compiled || k.descriptor.group_segment_size == 0
}

/// Vector registers that every instruction that writes them sets to one and the same constant.
#[derive(Default)]
struct Addresses(Vec<(u16, u32)>);

impl Addresses {
    fn of(program: &Program, examples: &[u32]) -> Addresses {
        let examples = || examples.iter().map(|i| *i as usize);
        let example = |i: usize| (&program.nodes[i].inst, &program.facts[i].effects);
        let mut fixed: Vec<(u16, u32)> = Vec::new();
        let constant = |inst: &Inst| {
            let moves = matches!(inst.row().sem, Sem::Lane(Op::Mov, Elem::B32));
            if !moves || matches!(inst.form(), Form::Dpp | Form::Sdwa) {
                return None;
            }
            match inst.slot(Field::Src0) {
                Some(Operand::Int(i)) => Some(i as u32),
                Some(Operand::Literal(l)) => Some(l),
                _ => None,
            }
        };
        let mut read: Vec<u16> = examples().filter_map(|i| address(&program.nodes[i].inst)).collect();
        read.sort_unstable();
        read.dedup();
        if read.is_empty() {
            return Addresses(fixed);
        }
        for (inst, effects) in examples().map(example) {
            let Some(value) = constant(inst) else { continue };
            let to = effects.writes().find(|t| t.span.is_vector()).map(|t| t.span.first);
            // Work-item ids are in the first three from the start.
            if let Some(r) = to.filter(|r| *r > 2 && read.contains(r) && !fixed.contains(&(*r, value))) {
                fixed.push((r, value));
            }
        }
        let alone = |r: u16| fixed.iter().filter(|f| f.0 == r).count() == 1;
        let mut kept: Vec<(u16, u32)> = fixed.iter().copied().filter(|f| alone(f.0)).collect();
        if !kept.is_empty() {
            for (inst, effects) in examples().map(example).filter(|(inst, _)| constant(inst).is_none()) {
                // A load into LDS writes none, whatever its operand says.
                let writes =
                    |r: u16| !inst.loads_lds() && effects.writes().any(|t| (t.span.first..t.span.end()).contains(&r));
                kept.retain(|(r, _)| !writes(*r));
            }
        }
        Addresses(kept)
    }

    /// The constant in the address register of an LDS access, 0 where it is not known.
    fn known(&self, inst: &Inst) -> u32 {
        let register = if self.0.is_empty() { None } else { address(inst) };
        self.0.iter().find(|f| Some(f.0) == register).map_or(0, |f| f.1)
    }
}

/// The vector register that an LDS access takes its address from.
fn address(inst: &Inst) -> Option<u16> {
    let Some(Operand::Reg(r)) = (inst.row().format == Format::DS).then(|| inst.slot(Field::Vaddr)).flatten() else {
        return None;
    };
    (r.class == RegClass::V).then_some(effects::V0 + r.index)
}

fn vector(sink: &mut Sink, k: &Kernel, graph: &Graph, v: Most, a: Most) {
    let target = sink.program.target;
    let allocated = k.descriptor.vgprs(target);
    let Some(offset) = k.descriptor.accum_offset(target) else {
        // gfx908: two files of the same allocation.
        for (most, class) in [(v, "VGPR"), (a, "AGPR")] {
            if most.end > allocated {
                let message = format!("uses {class} {}, {allocated} are allocated", most.end - 1);
                sink.at(Severity::Error, Kind::Registers, most.node, message);
            }
        }
        return;
    };
    if v.end > allocated {
        let message = format!("uses v{}, {allocated} registers are allocated", v.end - 1);
        sink.at(Severity::Error, Kind::Registers, v.node, message);
    } else if v.end > offset {
        // The one file that both share, by what touches it.
        let mut used = Registers::default();
        let touches = reached(sink.program, graph).flat_map(|i| sink.program.facts[i].effects.touches());
        touches.filter(|t| !is_choice(t)).for_each(|t| used.insert(t.span));
        let shared = (offset..v.end).find(|r| {
            let agpr = u32::from(effects::A0) + r - offset;
            used.has(*r as u16) && agpr < effects::S0.into() && used.has(agpr as u16)
        });
        match shared {
            Some(r) => {
                let message = format!("uses both v{r} and a{}, which are one: AGPRs begin at {offset}", r - offset);
                sink.at(Severity::Error, Kind::Registers, v.node, message);
            }
            None => {
                let message = format!("uses v{}, where AGPRs begin at {offset}; no AGPR there is used", v.end - 1);
                sink.at(Severity::Advice, Kind::Registers, v.node, message);
            }
        }
    }
    if a.end > 0 && offset + a.end > allocated {
        let message = format!(
            "uses a{}: {allocated} registers are allocated and AGPRs begin at {offset}, which leaves {}",
            a.end - 1,
            allocated.saturating_sub(offset)
        );
        sink.at(Severity::Error, Kind::Registers, a.node, message);
    }
}

fn scalar(sink: &mut Sink, k: &Kernel, s: Most, vcc: bool, scratch_register: Option<usize>) {
    let target = sink.program.target;
    let allocated = k.descriptor.sgprs();
    if s.end > allocated {
        let message = format!("uses s{}, {allocated} SGPRs are allocated", s.end - 1);
        sink.at(Severity::Error, Kind::Registers, s.node, message);
        return;
    }
    // VCC and the like lie at the top of the allocation.
    let architected = matches!(target, Target::Gfx942 | Target::Gfx950);
    let extra = if architected || scratch_register.is_some() {
        6
    } else if vcc {
        2
    } else {
        0
    };
    if s.end + extra > allocated {
        let message = format!(
            "uses s{}: with the {extra} SGPRs for VCC, FLAT_SCRATCH and XNACK_MASK that is more than the {allocated} allocated",
            s.end - 1
        );
        sink.at(Severity::Advice, Kind::Registers, s.node, message);
    }
}

/// One past the highest LDS byte that the instruction surely addresses: its address register is unsigned, so the offset
/// is the least.
fn lds_end(inst: &Inst) -> Option<u32> {
    if inst.row().format != Format::DS || inst.get(Field::Gds) != 0 {
        return None;
    }
    let dwords = |slot| inst.row().operand(slot).map_or(1, |o| u32::from(inst.width(o)));
    let two = |dwords: u8, st64: bool| {
        let unit = u32::from(dwords) * 4 * if st64 { 64 } else { 1 };
        let bytes = u32::from(dwords) * 4;
        inst.get(Field::Offset0).max(inst.get(Field::Offset1)) * unit + bytes
    };
    let size = |mem: Mem| match mem {
        Mem::U8 | Mem::I8 | Mem::U8D16(_) | Mem::I8D16(_) => 1,
        Mem::U16 | Mem::I16 | Mem::B16D16(_) | Mem::FormatD16Hi => 2,
        Mem::Dwords(n) => 4 * u32::from(n),
        Mem::Format(n) => 4 * u32::from(n),
        Mem::FormatD16(n) => 2 * u32::from(n),
    };
    let offset = inst.get(Field::Offset);
    Some(match inst.row().sem {
        Sem::Load { mem, .. } | Sem::Store { mem, .. } => offset + size(mem),
        Sem::Atomic { .. } => offset + 4 * dwords(Field::Data0).min(2),
        Sem::DsLoad2 { dwords, st64 } | Sem::DsStore2 { dwords, st64 } | Sem::DsXchg2 { dwords, st64 } => {
            two(dwords, st64)
        }
        Sem::Ds(Ds::ReadTr { .. }) => offset + 8,
        _ => return None,
    })
}

/// One past the highest scratch byte of an access without a register in its address.
fn scratch_end(inst: &Inst) -> Option<u32> {
    let (space, bytes) = match inst.row().sem {
        Sem::Load { space, mem, .. } | Sem::Store { space, mem } => (
            space,
            match mem {
                Mem::Dwords(n) => 4 * u32::from(n),
                _ => 1,
            },
        ),
        _ => return None,
    };
    let off = |slot| matches!(inst.slot(slot), None | Some(Operand::Off));
    if space != Space::Scratch || !off(Field::Vaddr) || !off(Field::Saddr) {
        return None;
    }
    u32::try_from(inst.get_signed(Field::Offset)).ok().map(|o| o + bytes)
}

/// What the touched tuple must start at a multiple of, with the name of its file.
fn needs_alignment(target: Target, t: &Touch) -> Option<(u16, &'static str)> {
    if t.span.count < 2 || t.slot == Field::Reserved {
        return None;
    }
    // Each file starts at a multiple of 4 in the flat numbering. Buffer resources and scalar bases are encoded in units,
    // so they cannot be misaligned.
    let (need, class) = match t.span.first {
        first if first < effects::S0 && !target.unified_vgprs() => return None,
        first if first < effects::S0 => (2, if first < effects::A0 { "VGPR" } else { "AGPR" }),
        first if first < effects::SCC => (if t.span.count >= 4 { 4 } else { 2 }, "SGPR"),
        _ => return None,
    };
    (!t.span.first.is_multiple_of(need)).then_some((need, class))
}

fn alignment(sink: &mut Sink, node: usize) {
    let program = sink.program;
    let mut wrong: Vec<String> = Vec::new();
    for t in program.facts[node].effects.touches() {
        if let Some((need, class)) = needs_alignment(program.target, t) {
            let what = format!("{class} tuple {} must start at a multiple of {need}", t.span);
            // What is accumulated on is both read and written.
            if !wrong.contains(&what) {
                wrong.push(what);
            }
        }
    }
    if !wrong.is_empty() && sink.first(Kind::Alignment, node, node, 0) {
        sink.at(Severity::Error, Kind::Alignment, node, wrong.join("; "));
    }
}

//! From recorded entries to a kernel: waits, wait states, addresses, register counts.
//!
//! Waits come first, because an `s_waitcnt` is itself a wait state; addresses come last, because both insert.

use crate::alloc;
use crate::builder::{Entry, GlobalPart, KernelBuilder, Label, Node};
use crate::descriptor::{KernelDescriptor, RegisterUse};
use crate::error::EmitError;
use crate::flowgraph::{self, Exit, State};
use crate::kernel::Kernel;
use crate::listing::{Line, Listing, Remark};
use crate::metadata::KernelMetadata;
use crate::object::{RelocKind, Relocation};
use crate::waits::Pending;
use std::panic::Location;
use wavesmith_asm::counters::WaitCnt;
use wavesmith_asm::effects::{A0, Effects, S0, SCC};
use wavesmith_asm::hazard::{Facts, Need, Window};
use wavesmith_asm::reg::code;
use wavesmith_asm::sem::{Branch, Control, Sem};
use wavesmith_asm::{Field, Inst, Operand, Target, build, names};

/// Most states of one `s_nop`.
const NOP_STATES: u8 = 16;

impl State for Pending {
    fn join(&mut self, other: &Self) {
        self.merge(other);
    }
}

impl State for Window {
    fn join(&mut self, other: &Self) {
        self.merge(other);
    }
}

/// What goes before one instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    wait: Option<WaitCnt>,
    nops: Option<Need>,
}

/// An instruction in its final place.
struct Final {
    inst: Inst,
    source: Option<&'static Location<'static>>,
    remark: Option<Remark>,
    target: Option<Label>,
    global: Option<GlobalPart>,
}

pub(crate) fn finish(builder: KernelBuilder) -> Result<Kernel, EmitError> {
    let mut b = builder;
    if !b.errors.is_empty() {
        return Err(b.errors.swap_remove(0));
    }
    let mut nodes: Vec<Node> = b
        .entries
        .iter()
        .filter_map(|e| match e {
            Entry::Inst(n) => Some(*n),
            _ => None,
        })
        .collect();
    let place = label_places(&b);
    let exits = exits(&b, &nodes, &place)?;
    if exits.last().is_none_or(|e| matches!(e, Exit::Next | Exit::Either(_))) {
        return Err(EmitError::FallsOff(b.name));
    }
    let blocks = flowgraph::blocks(&exits);
    alloc::allocate(&mut b, &mut nodes, &blocks)?;
    let facts: Vec<Facts> = nodes.iter().map(|n| Facts::of(&n.inst)).collect();
    let mut before = vec![Before::default(); nodes.len()];
    insert_waits(&nodes, &facts, &blocks, &mut before);
    insert_nops(&nodes, &facts, &blocks, &mut before);

    let helper = Helper::new(b.target)?;
    let mut code: Vec<Final> = Vec::with_capacity(nodes.len() + nodes.len() / 4);
    let mut listed: Vec<Listed> = Vec::with_capacity(b.entries.len());
    let mut comments = Vec::new();
    let mut next = 0;
    for entry in &b.entries {
        match entry {
            Entry::Bind(l) => listed.push(Listed::Label(*l)),
            Entry::Comment(text) => {
                comments.push(text.clone());
                listed.push(Listed::Comment(comments.len() as u32 - 1));
            }
            Entry::Inst(_) => {
                let (node, why) = (&nodes[next], before[next]);
                next += 1;
                if let Some(wait) = why.wait {
                    listed.push(Listed::Code(code.len()));
                    code.push(helper.wait(wait));
                }
                if let Some(need) = why.nops {
                    let remark = Remark { why: need.why, cause: Some(nodes[need.producer as usize].at) };
                    let mut left = need.states;
                    while left > 0 {
                        let states = left.min(NOP_STATES);
                        listed.push(Listed::Code(code.len()));
                        code.push(helper.nop(states, remark));
                        left -= states;
                    }
                }
                listed.push(Listed::Code(code.len()));
                code.push(Final {
                    inst: node.inst,
                    source: Some(node.at),
                    remark: None,
                    target: node.target,
                    global: node.global,
                });
            }
        }
    }
    let offsets = resolve(&b, &mut code, &listed)?;
    let listing = list(&b, &code, &listed, &offsets, comments);
    let bytes: Vec<u8> = code.iter().flat_map(|f| f.inst.words()).flat_map(|w| w.to_le_bytes()).collect();
    let relocations = relocations(&b, &code, &offsets);
    Ok(package(b, bytes, &facts, listing, relocations))
}

/// What the listing shows, in order.
enum Listed {
    Label(Label),
    Comment(u32),
    Code(usize),
}

/// The instruction index each label stands before.
fn label_places(b: &KernelBuilder) -> Vec<usize> {
    let mut place = vec![0; b.labels.len()];
    let mut index = 0;
    for entry in &b.entries {
        match entry {
            Entry::Inst(_) => index += 1,
            Entry::Bind(l) => place[l.0 as usize] = index,
            Entry::Comment(_) => {}
        }
    }
    place
}

fn exits(b: &KernelBuilder, nodes: &[Node], place: &[usize]) -> Result<Vec<Exit>, EmitError> {
    let exit = |node: &Node| -> Result<Exit, EmitError> {
        let target = || -> Result<usize, EmitError> {
            let Some(label) = node.target else {
                let message = format!("{} with a plain offset: branches go to labels", node.inst.name());
                return Err(EmitError::Encode { message, at: node.at });
            };
            let info = &b.labels[label.0 as usize];
            if !info.bound {
                return Err(EmitError::UnboundLabel { name: info.name.clone(), at: node.at });
            }
            Ok(place[label.0 as usize])
        };
        Ok(match node.inst.row().sem {
            Sem::Branch(branch) => match branch {
                Branch::Always => Exit::Jump(target()?),
                Branch::Scc0
                | Branch::Scc1
                | Branch::Vccz
                | Branch::Vccnz
                | Branch::Execz
                | Branch::Execnz
                | Branch::Cdbgsys
                | Branch::Cdbguser
                | Branch::CdbgsysOrUser
                | Branch::CdbgsysAndUser
                | Branch::ForkI => Exit::Either(target()?),
                Branch::SetPc | Branch::Rfe | Branch::RfeRestore | Branch::Join => Exit::Away,
                // A call comes back with nothing outstanding that was outstanding here.
                Branch::GetPc | Branch::SwapPc | Branch::Call | Branch::ForkG => Exit::Next,
            },
            Sem::Control(Control::EndPgm | Control::EndPgmSaved | Control::EndPgmOrderedPsDone) => Exit::Away,
            _ => Exit::Next,
        })
    };
    nodes.iter().map(exit).collect()
}

fn insert_waits(nodes: &[Node], facts: &[Facts], blocks: &[flowgraph::Block], before: &mut [Before]) {
    let step = |state: &mut Pending, i: usize| -> Option<WaitCnt> {
        let (node, effects): (&Node, &Effects) = (&nodes[i], &facts[i].effects);
        let wait = state.required(&node.inst, effects);
        let insert = (!node.manual && wait != WaitCnt::NONE).then_some(wait);
        if let Some(w) = insert {
            state.wait(w);
        }
        state.issue(&node.inst, effects);
        insert
    };
    // The last time a block is gone through is with its final entry state.
    flowgraph::solve(blocks, &Pending::none(), |b, mut state| {
        for (i, before) in before.iter_mut().enumerate().take(blocks[b].end).skip(blocks[b].first) {
            before.wait = step(&mut state, i);
        }
        state.normalise();
        state
    });
}

fn insert_nops(nodes: &[Node], facts: &[Facts], blocks: &[flowgraph::Block], before: &mut [Before]) {
    let waits: Vec<bool> = before.iter().map(|b| b.wait.is_some()).collect();
    let step = |window: &mut Window, i: usize| -> Option<Need> {
        if waits[i] {
            window.pass(1);
        }
        let need = if nodes[i].manual { None } else { window.needs(facts, &facts[i]) };
        if let Some(n) = need {
            window.pass(n.states);
        }
        window.issue(i as u32, facts);
        need
    };
    flowgraph::solve(blocks, &Window::default(), |b, mut window| {
        for (i, before) in before.iter_mut().enumerate().take(blocks[b].end).skip(blocks[b].first) {
            before.nops = step(&mut window, i);
        }
        window
    });
}

/// The two instructions that are inserted, encoded once.
struct Helper {
    wait: Inst,
    nop: Inst,
}

impl Helper {
    fn new(target: Target) -> Result<Helper, EmitError> {
        let encode = |name: &str| {
            let m = names::lookup(name).ok_or_else(|| format!("no row for {name}"));
            m.and_then(|m| build::encode_shortest(m, &[Operand::Imm(0)], target).map_err(|e| e.to_string()))
                .map_err(|message| EmitError::Encode { message, at: Location::caller() })
        };
        Ok(Helper { wait: encode("s_waitcnt")?, nop: encode("s_nop")? })
    }

    fn wait(&self, wait: WaitCnt) -> Final {
        let mut inst = self.wait;
        inst.set(Field::Simm16, wait.encode().into());
        Final { inst, source: None, remark: Some(Remark { why: "inserted", cause: None }), target: None, global: None }
    }

    fn nop(&self, states: u8, remark: Remark) -> Final {
        let mut inst = self.nop;
        inst.set(Field::Simm16, u32::from(states) - 1);
        Final { inst, source: None, remark: Some(remark), target: None, global: None }
    }
}

/// Gives every instruction its offset and every branch its distance.
fn resolve(b: &KernelBuilder, code: &mut [Final], listed: &[Listed]) -> Result<Vec<u32>, EmitError> {
    let mut offsets = Vec::with_capacity(code.len());
    let mut at = 0u32;
    for f in code.iter() {
        offsets.push(at);
        at += f.inst.bytes() as u32;
    }
    let mut label_at = vec![0u32; b.labels.len()];
    let mut here = 0;
    for l in listed {
        match l {
            Listed::Label(label) => label_at[label.0 as usize] = here,
            Listed::Code(i) => here = offsets[*i] + code[*i].inst.bytes() as u32,
            Listed::Comment(_) => {}
        }
    }
    for (f, offset) in code.iter_mut().zip(&offsets) {
        let (Some(label), Some(source)) = (f.target, f.source) else { continue };
        let words = (i64::from(label_at[label.0 as usize]) - i64::from(*offset) - 4) / 4;
        let Ok(simm) = i16::try_from(words) else {
            let name = b.labels[label.0 as usize].name.clone();
            return Err(EmitError::BranchOutOfReach { name, words, at: source });
        };
        f.inst.set(Field::Simm16, u32::from(simm as u16));
    }
    Ok(offsets)
}

fn list(b: &KernelBuilder, code: &[Final], listed: &[Listed], offsets: &[u32], comments: Vec<String>) -> Listing {
    let lines = listed
        .iter()
        .map(|l| match l {
            Listed::Comment(i) => Line::Comment(*i),
            Listed::Label(label) => Line::Label(label.0),
            Listed::Code(i) => {
                let f = &code[*i];
                Line::Instruction {
                    offset: offsets[*i],
                    inst: f.inst,
                    target: f.target.map(|l| l.0),
                    source: f.source,
                    remark: f.remark,
                }
            }
        })
        .collect();
    Listing { lines, labels: b.labels.iter().map(|l| l.name.clone()).collect(), comments }
}

/// The registers that the code touches or the hardware fills.
fn registers(b: &KernelBuilder, facts: &[Facts]) -> RegisterUse {
    let mut use_ = RegisterUse {
        sgprs: b.abi.initial_sgprs().into(),
        vgprs: b.abi.initial_vgprs(b.target.unified_vgprs()).into(),
        ..RegisterUse::default()
    };
    for t in facts.iter().flat_map(|f| f.effects.touches()) {
        let end = u32::from(t.span.end());
        if t.span.first < A0 {
            use_.vgprs = use_.vgprs.max(end);
        } else if t.span.first < S0 {
            use_.agprs = use_.agprs.max(end - u32::from(A0));
        } else if t.span.first < SCC {
            match t.span.first - S0 {
                code::FLAT_SCRATCH..code::XNACK_MASK => use_.flat_scratch = true,
                code::VCC..code::TTMP0 => use_.vcc = true,
                first if first < code::FLAT_SCRATCH => use_.sgprs = use_.sgprs.max(end - u32::from(S0)),
                _ => {}
            }
        }
    }
    use_
}

/// Where the link step writes the distances to globals. They count from the program counter that was read, however
/// much was put in between.
fn relocations(b: &KernelBuilder, code: &[Final], offsets: &[u32]) -> Vec<Relocation> {
    let mut counter = vec![0i64; b.globals.len()];
    let mut out = Vec::new();
    for (f, offset) in code.iter().zip(offsets) {
        let (kind, id) = match f.global {
            None => continue,
            Some(GlobalPart::Counter(id)) => {
                counter[id as usize] = i64::from(*offset) + f.inst.bytes() as i64;
                continue;
            }
            Some(GlobalPart::Low(id)) => (RelocKind::Rel32Lo, id),
            Some(GlobalPart::High(id)) => (RelocKind::Rel32Hi, id),
        };
        // The literal follows the instruction's own dword.
        let place = u64::from(*offset) + 4;
        let addend = place as i64 - counter[id as usize];
        out.push(Relocation { offset: place, kind, symbol: b.globals[id as usize].clone(), addend });
    }
    out
}

fn package(b: KernelBuilder, code: Vec<u8>, facts: &[Facts], listing: Listing, relocations: Vec<Relocation>) -> Kernel {
    let registers = registers(&b, facts);
    let descriptor = KernelDescriptor {
        group_segment_fixed_size: b.lds_peak,
        private_segment_fixed_size: 0,
        kernarg_size: b.kernargs.size(),
        registers,
        user_sgprs: b.abi.user,
        system: b.abi.system,
        mode: b.abi.mode,
        uses_dynamic_stack: false,
        tg_split: false,
    };
    let metadata = KernelMetadata {
        name: b.name.clone(),
        args: b.kernargs.arguments().to_vec(),
        kernarg_segment_size: b.kernargs.size(),
        kernarg_segment_align: b.kernargs.align(),
        group_segment_fixed_size: b.lds_peak,
        private_segment_fixed_size: 0,
        sgpr_count: registers.total_sgprs(b.target, crate::Feature::Any),
        vgpr_count: registers.total_vgprs(b.target),
        agpr_count: registers.agprs,
        max_flat_workgroup_size: b.max_workgroup_size,
        reqd_workgroup_size: b.reqd_workgroup_size,
        uses_dynamic_stack: false,
    };
    Kernel { name: b.name, target: b.target, code, descriptor, metadata, relocations, listing }
}

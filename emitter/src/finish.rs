//! From recorded entries to a kernel: waits, wait states, addresses, register counts.
//!
//! Waits come first, because an `s_waitcnt` is itself a wait state; addresses come last, because both insert.

mod layout;

use crate::alloc;
use crate::builder::{Entry, KernelBuilder, Node};
use crate::descriptor::{KernelDescriptor, RegisterUse};
use crate::error::EmitError;
use crate::flowgraph::{self, Exit, State};
use crate::kernel::Kernel;
use crate::metadata::KernelMetadata;
use crate::waits::Pending;
use wavesmith_asm::Field;
use wavesmith_asm::counters::WaitCnt;
use wavesmith_asm::effects::{A0, Effects, S0, SCC, Touch};
use wavesmith_asm::hazard::{Facts, Need, Window};
use wavesmith_asm::reg::code;
use wavesmith_asm::sem::{Branch, Control, Sem};

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
pub(super) struct Before {
    pub wait: Option<WaitCnt>,
    pub nops: Option<Need>,
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
    // What the author orders and waits for by hand needs none of the passes.
    let facts: Vec<Facts> =
        if nodes.iter().all(|n| n.manual) { Vec::new() } else { nodes.iter().map(|n| Facts::of(&n.inst)).collect() };
    let mut before = vec![Before::default(); if facts.is_empty() { 0 } else { nodes.len() }];
    if !facts.is_empty() {
        insert_waits(&nodes, &facts, &blocks, b.own_lds_fills, &mut before);
        join_waits(&mut nodes, &blocks, &mut before);
        insert_nops(&nodes, &facts, &blocks, &mut before);
    }
    let registers = registers(&b, &nodes, &facts);
    let code = layout::lay_out(&b, &nodes, &before, registers)?;
    package(b, code, registers)
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

fn insert_waits(
    nodes: &[Node],
    facts: &[Facts],
    blocks: &[flowgraph::Block],
    ignores_fills: bool,
    before: &mut [Before],
) {
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
    flowgraph::solve(blocks, &Pending::none(ignores_fills), |b, mut state| {
        for (i, before) in before.iter_mut().enumerate().take(blocks[b].end).skip(blocks[b].first) {
            before.wait = step(&mut state, i);
        }
        state.normalise();
        state
    });
}

/// Makes what is inserted right behind an author's own wait part of that: one instruction waits for both.
fn join_waits(nodes: &mut [Node], blocks: &[flowgraph::Block], before: &mut [Before]) {
    for i in blocks.iter().flat_map(|b| b.first + 1..b.end) {
        let own = &mut nodes[i - 1];
        if let Some(wait) = before[i].wait
            && !own.manual
            && matches!(own.inst.row().sem, Sem::Control(Control::Waitcnt))
        {
            let both = wait.and(WaitCnt::decode(own.inst.get(Field::Simm16) as u16));
            own.inst.set(Field::Simm16, both.encode().into());
            before[i].wait = None;
        }
    }
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

/// The registers that the code touches or the hardware fills.
fn registers(b: &KernelBuilder, nodes: &[Node], facts: &[Facts]) -> RegisterUse {
    let mut use_ = RegisterUse {
        sgprs: b.abi.initial_sgprs().into(),
        vgprs: b.abi.initial_vgprs(b.target.unified_vgprs()).into(),
        ..RegisterUse::default()
    };
    if facts.is_empty() {
        nodes.iter().for_each(|n| Effects::of(&n.inst).touches().iter().for_each(|t| see(&mut use_, t)));
    } else {
        facts.iter().flat_map(|f| f.effects.touches()).for_each(|t| see(&mut use_, t));
    }
    use_
}

fn see(use_: &mut RegisterUse, t: &Touch) {
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

fn package(b: KernelBuilder, code: layout::Code, registers: RegisterUse) -> Result<Kernel, EmitError> {
    let mut registers = registers;
    registers.sgprs = registers.sgprs.max(code.sgprs);
    // The wave's offset comes only to kernels that have scratch.
    let scratch = if b.abi.user.flat_scratch_init { b.scratch.max(4) } else { b.scratch };
    let descriptor = KernelDescriptor {
        group_segment_fixed_size: b.lds_peak,
        private_segment_fixed_size: scratch,
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
        private_segment_fixed_size: scratch,
        sgpr_count: registers.total_sgprs(b.target, crate::Feature::Any),
        vgpr_count: registers.total_vgprs(b.target),
        agpr_count: registers.agprs,
        max_flat_workgroup_size: b.max_workgroup_size,
        reqd_workgroup_size: b.reqd_workgroup_size,
        uses_dynamic_stack: false,
        refusals: code.refusals,
    };
    let kernel = Kernel {
        name: b.name,
        target: b.target,
        code: code.bytes,
        descriptor,
        metadata,
        relocations: code.relocations,
        listing: code.listing,
    };
    if let (Some(size), Some(row)) = (b.reqd_workgroup_size, kernel.report().rows.first())
        && row.occupancy.workgroups_per_cu == 0
    {
        return Err(EmitError::DoesNotFit {
            name: kernel.name,
            waves: size.iter().product::<u32>().div_ceil(64),
            budget: row.occupancy.limit.name(),
            vgprs: registers.vgprs,
            agprs: registers.agprs,
            lds: b.lds_peak,
        });
    }
    Ok(kernel)
}

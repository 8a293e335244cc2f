//! From instructions with what goes before each to bytes: addresses, branch distances, the listing.
//!
//! A branch reaches 32,767 words. One that has to go further becomes a jump through a pair of SGPRs that nothing else uses,
//! with SCC kept in a third; as that moves what comes after, laying out is repeated until every branch reaches.

use super::Before;
use crate::builder::{Entry, GlobalPart, KernelBuilder, Label, Node, Refusal};
use crate::descriptor::RegisterUse;
use crate::error::EmitError;
use crate::listing::{Line, Listing, Remark};
use crate::object::{RelocKind, Relocation};
use std::panic::Location;
use wavesmith_asm::counters::WaitCnt;
use wavesmith_asm::reg::S;
use wavesmith_asm::sem::{Branch, Sem};
use wavesmith_asm::{Field, Inst, Operand, Target, build, names};

/// Most states of one `s_nop`.
const NOP_STATES: u8 = 16;
/// SGPRs that can be numbered.
const SGPRS: u32 = 102;

/// What laying out gives.
pub(super) struct Code {
    pub bytes: Vec<u8>,
    pub listing: Listing,
    pub relocations: Vec<Relocation>,
    pub refusals: Vec<Refusal>,
    /// SGPRs that long branches take, counted from 0.
    pub sgprs: u32,
}

/// A branch that is to get its distance.
struct Jump {
    /// Its line; of a long one the line of `s_getpc_b64`.
    line: usize,
    node: usize,
    label: Label,
    long: bool,
}

pub(super) fn lay_out(
    b: &KernelBuilder,
    nodes: &[Node],
    before: &[Before],
    registers: RegisterUse,
) -> Result<Code, EmitError> {
    let helper = Helper::new(b.target)?;
    let mut far = Vec::new();
    loop {
        match attempt(b, nodes, before, registers, &helper, &far)? {
            Ok(code) => return Ok(code),
            Err(more) => far.extend(more),
        }
    }
}

/// Lays out with the branches `far` long ones; or says which others have to be.
fn attempt(
    b: &KernelBuilder,
    nodes: &[Node],
    before: &[Before],
    registers: RegisterUse,
    helper: &Helper,
    far: &[usize],
) -> Result<Result<Code, Vec<usize>>, EmitError> {
    let mut lines: Vec<Line> = Vec::with_capacity(nodes.len() + nodes.len() / 4);
    let mut label_at = vec![0u32; b.labels.len()];
    let mut jumps: Vec<Jump> = Vec::new();
    let mut relocations = Relocations { counters: vec![0; b.globals.len()], list: Vec::new() };
    let mut comments = Vec::new();
    // A pair and one more, above all that the code uses.
    let spare = registers.sgprs.next_multiple_of(2);
    let (mut at, mut next) = (0u32, 0);
    let put = |lines: &mut Vec<Line>, at: &mut u32, inst: Inst, target, source, remark| {
        lines.push(Line::Instruction { offset: *at, inst, target, source, remark });
        *at += inst.bytes() as u32;
    };
    for entry in &b.entries {
        match entry {
            Entry::Bind(l) => {
                label_at[l.0 as usize] = at;
                lines.push(Line::Label(l.0));
            }
            Entry::Comment(text) => {
                lines.push(Line::Comment(comments.len() as u32));
                comments.push(text.clone());
            }
            Entry::Inst(_) => {
                let node = &nodes[next];
                let why = before.get(next).copied().unwrap_or_default();
                if let Some(wait) = why.wait {
                    let remark = Remark { why: "inserted", cause: None };
                    put(&mut lines, &mut at, helper.wait(wait), None, None, Some(remark));
                }
                if let Some(need) = why.nops {
                    let remark = Remark { why: need.why, cause: Some(nodes[need.producer as usize].at) };
                    let mut left = need.states;
                    while left > 0 {
                        let states = left.min(NOP_STATES);
                        put(&mut lines, &mut at, helper.nop(states), None, None, Some(remark));
                        left -= states;
                    }
                }
                match node.target {
                    Some(label) if far.contains(&next) => {
                        if spare + 3 > SGPRS {
                            let name = b.labels[label.0 as usize].name.clone();
                            return Err(EmitError::BranchOutOfReach { name, at: node.at });
                        }
                        let remark = Some(Remark { why: "long branch", cause: None });
                        let jump = helper.long_branch(node, spare as u16)?;
                        for (inst, is_counter) in jump {
                            if is_counter {
                                jumps.push(Jump { line: lines.len(), node: next, label, long: true });
                            }
                            put(&mut lines, &mut at, inst, None, Some(node.at), remark);
                        }
                    }
                    target => {
                        if let Some(label) = target {
                            jumps.push(Jump { line: lines.len(), node: next, label, long: false });
                        }
                        relocations.see(b, node, at);
                        put(&mut lines, &mut at, node.inst, target.map(|l| l.0), Some(node.at), None);
                    }
                }
                next += 1;
            }
        }
    }
    let mut more = Vec::new();
    for jump in &jumps {
        let Some(Line::Instruction { offset, inst, .. }) = lines.get_mut(jump.line) else { continue };
        // Distances count from the next instruction, here and for `s_getpc_b64`.
        let from = *offset + inst.bytes() as u32;
        let distance = i64::from(label_at[jump.label.0 as usize]) - i64::from(from);
        if jump.long {
            for (part, line) in [(distance as u32, jump.line + 1), ((distance >> 32) as u32, jump.line + 2)] {
                if let Some(Line::Instruction { inst, .. }) = lines.get_mut(line) {
                    let sum = inst.operand(0).unwrap_or(Operand::Off);
                    *inst = encode(b.target, inst.name(), &[sum, sum, Operand::Literal(part)])?;
                }
            }
        } else if let Ok(simm) = i16::try_from(distance / 4) {
            inst.set(Field::Simm16, u32::from(simm as u16));
        } else {
            more.push(jump.node);
        }
    }
    if !more.is_empty() {
        return Ok(Err(more));
    }
    let mut bytes = Vec::with_capacity(at as usize);
    for line in &lines {
        if let Line::Instruction { inst, .. } = line {
            inst.words().iter().for_each(|w| bytes.extend_from_slice(&w.to_le_bytes()));
        }
    }
    let labels = b.labels.iter().map(|l| l.name.clone()).collect();
    let sgprs = if far.is_empty() { 0 } else { spare + 3 };
    let refusals = b.refusals_at(|label| label_at[label.0 as usize]);
    let listing = Listing { lines, labels, comments };
    Ok(Ok(Code { bytes, listing, relocations: relocations.list, refusals, sgprs }))
}

/// Where the link step writes the distances to globals. They count from the program counter that was read, however
/// much was put in between.
struct Relocations {
    counters: Vec<i64>,
    list: Vec<Relocation>,
}

impl Relocations {
    fn see(&mut self, b: &KernelBuilder, node: &Node, offset: u32) {
        let (kind, id) = match node.global {
            None => return,
            Some(GlobalPart::Counter(id)) => {
                self.counters[id as usize] = i64::from(offset) + node.inst.bytes() as i64;
                return;
            }
            Some(GlobalPart::Low(id)) => (RelocKind::Rel32Lo, id),
            Some(GlobalPart::High(id)) => (RelocKind::Rel32Hi, id),
        };
        // The literal follows the instruction's own dword.
        let place = u64::from(offset) + 4;
        let addend = place as i64 - self.counters[id as usize];
        self.list.push(Relocation { offset: place, kind, symbol: b.globals[id as usize].clone(), addend });
    }
}

/// The instructions that are inserted, encoded once.
struct Helper {
    target: Target,
    wait: Inst,
    nop: Inst,
}

fn encode(target: Target, name: &str, operands: &[Operand]) -> Result<Inst, EmitError> {
    let m = names::lookup(name).ok_or_else(|| format!("no row for {name}"));
    m.and_then(|m| build::encode_shortest(m, operands, target).map_err(|e| e.to_string()))
        .map_err(|message| EmitError::Encode { message, at: Location::caller() })
}

impl Helper {
    fn new(target: Target) -> Result<Helper, EmitError> {
        let zero = [Operand::Imm(0)];
        Ok(Helper { target, wait: encode(target, "s_waitcnt", &zero)?, nop: encode(target, "s_nop", &zero)? })
    }

    fn wait(&self, wait: WaitCnt) -> Inst {
        let mut inst = self.wait;
        inst.set(Field::Simm16, wait.encode().into());
        inst
    }

    fn nop(&self, states: u8) -> Inst {
        let mut inst = self.nop;
        inst.set(Field::Simm16, u32::from(states) - 1);
        inst
    }

    /// A branch to anywhere: over it if the condition does not hold, then through a pair of SGPRs. The flag says which
    /// instruction reads the program counter; the two after it take the distance.
    fn long_branch(&self, node: &Node, spare: u16) -> Result<Vec<(Inst, bool)>, EmitError> {
        let (pair, low, high, scc): (S<2>, S<1>, S<1>, S<1>) = (S(spare), S(spare), S(spare + 1), S(spare + 2));
        let one = |name: &str, operands: &[Operand]| encode(self.target, name, operands);
        let jump = [
            (one("s_cselect_b32", &[scc.into(), Operand::Int(1), Operand::Int(0)])?, false),
            (one("s_getpc_b64", &[pair.into()])?, true),
            (one("s_add_u32", &[low.into(), low.into(), Operand::Literal(0)])?, false),
            (one("s_addc_u32", &[high.into(), high.into(), Operand::Literal(0)])?, false),
            (one("s_cmp_lg_u32", &[scc.into(), Operand::Int(0)])?, false),
            (one("s_setpc_b64", &[pair.into()])?, false),
        ];
        let Sem::Branch(branch) = node.inst.row().sem else { return Ok(jump.into()) };
        let opposite = match branch {
            Branch::Scc0 => "s_cbranch_scc1",
            Branch::Scc1 => "s_cbranch_scc0",
            Branch::Vccz => "s_cbranch_vccnz",
            Branch::Vccnz => "s_cbranch_vccz",
            Branch::Execz => "s_cbranch_execnz",
            Branch::Execnz => "s_cbranch_execz",
            _ => return Ok(jump.into()),
        };
        let words = jump.iter().map(|(inst, _)| inst.bytes() as i32 / 4).sum();
        let mut all = vec![(one(opposite, &[Operand::Imm(words)])?, false)];
        all.extend(jump);
        Ok(all)
    }
}

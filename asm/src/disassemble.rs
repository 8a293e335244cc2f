//! Code to text that assembles back to the same bytes.
//!
//! Branch targets inside the code become labels. Instructions whose bits text cannot say, and bytes that are no
//! instruction, are shown as data with what they would be beside them.

use crate::imm;
use crate::inst::{DecodeError, Inst, decode};
use crate::print::{self, push_hex};
use crate::row::Class;
use crate::sem::{Branch, Control, Sem};
use crate::target::Target;
use std::collections::BTreeMap;

/// What a listing shows besides the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Address and bytes of each instruction, as a comment.
    pub addresses: bool,
}

/// The byte offset that a branch at `offset` goes to, if the instruction is a direct branch.
pub fn branch_target(inst: &Inst, offset: u64) -> Option<i64> {
    let row = inst.row();
    let Sem::Branch(b) = row.sem else { return None };
    if matches!(b, Branch::GetPc | Branch::SetPc | Branch::SwapPc) {
        return None;
    }
    let label = row.operands.iter().find(|o| o.class == Class::Label)?;
    Some(offset as i64 + 4 + i64::from(inst.get(label.slot) as u16 as i16) * 4)
}

/// Whether control never continues after the instruction.
pub fn ends_flow(inst: &Inst) -> bool {
    matches!(
        inst.row().sem,
        Sem::Control(Control::EndPgm | Control::EndPgmSaved | Control::EndPgmOrderedPsDone)
            | Sem::Branch(Branch::Always | Branch::SetPc | Branch::Rfe)
    )
}

/// Disassembles `code`, which starts at address 0 of its section. `symbols` name offsets; branch targets without a
/// name get one of their own.
pub fn disassemble(code: &[u8], target: Target, symbols: &BTreeMap<u64, Vec<String>>, options: Options) -> String {
    let words: Vec<u32> = code.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    let mut starts = vec![false; words.len() + 1];
    let mut targets = vec![false; words.len() + 1];
    let mut decoded = Vec::with_capacity(words.len() * 2 / 3);
    let mut at = 0;
    while at < words.len() {
        starts[at] = true;
        let inst = decode(&words[at..], target);
        decoded.push(inst);
        match inst {
            Ok(inst) => {
                if let Some(t) = branch_target(&inst, at as u64 * 4)
                    && let Ok(t) = usize::try_from(t)
                    && t / 4 <= words.len()
                {
                    targets[t / 4] = true;
                }
                at += inst.dwords();
            }
            Err(_) => at += 1,
        }
    }
    starts[words.len()] = true;
    let named = |at: usize| symbols.get(&(at as u64 * 4)).and_then(|n| n.first());
    let mut out = String::with_capacity(words.len() * 24);
    let mut at = 0;
    let mut decoded = decoded.into_iter();
    loop {
        if let Some(names) = if symbols.is_empty() { None } else { symbols.get(&(at as u64 * 4)) } {
            for n in names {
                push_name(&mut out, n);
                out.push_str(":\n");
            }
        } else if targets[at] && starts[at] {
            push_label(&mut out, at);
            out.push_str(":\n");
        }
        if at >= words.len() {
            break;
        }
        out.push('\t');
        match decoded.next().unwrap_or(Err(DecodeError::Unknown { word: words[at], target })) {
            Ok(inst) => {
                let to = branch_target(&inst, at as u64 * 4)
                    .and_then(|t| usize::try_from(t).ok())
                    .map(|t| t / 4)
                    .filter(|t| *t <= words.len() && starts[*t] && (targets[*t] || named(*t).is_some()));
                match to {
                    Some(to) if inst.is_canonical() => push_branch(&mut out, &inst, to, named(to)),
                    _ => crate::lines::push_exact(&mut out, &inst),
                }
                if options.addresses {
                    push_address(&mut out, at, inst.words());
                }
                at += inst.dwords();
            }
            Err(_) => {
                out.push_str(".long ");
                push_hex(&mut out, words[at]);
                if options.addresses {
                    push_address(&mut out, at, &words[at..=at]);
                }
                at += 1;
            }
        }
        out.push('\n');
    }
    let rest = &code[words.len() * 4..];
    if !rest.is_empty() {
        out.push_str("\t.byte ");
        for (i, b) in rest.iter().enumerate() {
            if i != 0 {
                out.push_str(", ");
            }
            push_hex(&mut out, *b as u32);
        }
        out.push('\n');
    }
    out
}

fn push_label(out: &mut String, at: usize) {
    out.push_str("L_");
    imm::push_hex_plain(out, at as u32 * 4);
}

fn push_name(out: &mut String, name: &str) {
    let plain = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'));
    if plain {
        out.push_str(name);
    } else {
        out.push('"');
        out.push_str(&name.replace('"', "_"));
        out.push('"');
    }
}

/// The instruction with its target by name instead of the distance, which is always the last operand.
fn push_branch(out: &mut String, inst: &Inst, to: usize, name: Option<&String>) {
    print::push(out, inst);
    let cut = out.rfind(' ').map_or(out.len(), |i| i + 1);
    out.truncate(cut);
    match name {
        Some(n) => push_name(out, n),
        None => push_label(out, to),
    }
}

fn push_address(out: &mut String, at: usize, words: &[u32]) {
    out.push_str(" // ");
    let hex = format!("{:012X}:", at * 4);
    out.push_str(&hex);
    for w in words {
        out.push_str(&format!(" {w:08X}"));
    }
}

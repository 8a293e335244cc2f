//! The listing of one section's code: the loop that all disassembly shares.

use super::{Notes, branch_target, push_name};
use crate::inst::{DecodeError, Inst, decode};
use crate::print::{self, Text, push_hex, push_u32};
use crate::target::Target;

/// Words of these repeated so often are told as one `.fill`: padding after the code would fill pages.
const LONG_RUN: usize = 16;
/// `s_nop 0` and `s_code_end`, which pad code, and zero.
const PADDING: [u32; 3] = [0xbf80_0000, 0xbf9f_0000, 0];

/// Code, decoded: where instructions start, and which of them are branched to.
pub(super) struct Code<'a> {
    bytes: &'a [u8],
    pub(super) words: Vec<u32>,
    starts: Vec<bool>,
    targets: Vec<bool>,
    pub(super) decoded: Vec<Result<Inst, DecodeError>>,
}

impl<'a> Code<'a> {
    /// Decodes `bytes`. No instruction reaches over the start of another symbol, by byte offset in ascending order.
    pub(super) fn new(bytes: &'a [u8], target: Target, symbols: impl Iterator<Item = u64>) -> Code<'a> {
        let words: Vec<u32> = bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        let mut starts = vec![false; words.len() + 1];
        let mut targets = vec![false; words.len() + 1];
        let mut decoded = Vec::with_capacity(words.len() * 2 / 3);
        let mut symbols = symbols.map(|s| (s / 4) as usize).peekable();
        let mut at = 0;
        while at < words.len() {
            starts[at] = true;
            while symbols.peek().is_some_and(|s| *s <= at) {
                symbols.next();
            }
            let end = symbols.peek().map_or(words.len(), |s| (*s).min(words.len()));
            let inst = decode(&words[at..end], target);
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
        Code { bytes, words, starts, targets, decoded }
    }

    /// Appends the listing.
    pub(super) fn push(&self, out: &mut Text, notes: &impl Notes) {
        let words = &self.words;
        out.reserve(words.len() * 24);
        let mut at = 0;
        let mut decoded = self.decoded.iter().enumerate();
        loop {
            if !notes.before(out, at) && self.targets[at] && self.starts[at] {
                self.push_target(out, at, notes);
                out.push_str(":\n");
            }
            if at >= words.len() {
                break;
            }
            let run = self.padding(at, notes);
            if run >= LONG_RUN {
                out.push_str("\t.fill ");
                push_u32(out, run as u32);
                out.push_str(", 4, ");
                push_hex(out, words[at]);
                if notes.addresses() {
                    notes.push_address(out, at, &words[at..=at]);
                }
                out.push('\n');
                // One word each: padding decodes to instructions of one dword, or to none.
                decoded.nth(run - 1);
                at += run;
                continue;
            }
            out.push('\t');
            let Some((index, inst)) = decoded.next() else { break };
            match inst {
                Ok(inst) => {
                    let to = branch_target(inst, at as u64 * 4)
                        .and_then(|t| usize::try_from(t).ok())
                        .map(|t| t / 4)
                        .filter(|t| *t <= words.len() && self.starts[*t]);
                    match to {
                        Some(to) if inst.is_canonical() => self.push_branch(out, inst, to, notes),
                        _ => match notes.literal(index, inst) {
                            Some(text) => push_symbolic(out, inst, &text),
                            None => crate::lines::push_exact(out, inst),
                        },
                    }
                    if notes.addresses() {
                        notes.push_address(out, at, inst.words());
                    }
                    notes.after(out, at);
                    at += inst.dwords();
                }
                Err(_) => {
                    out.push_str(".long ");
                    push_hex(out, words[at]);
                    if notes.addresses() {
                        notes.push_address(out, at, &words[at..=at]);
                    }
                    at += 1;
                }
            }
            out.push('\n');
        }
        let rest = &self.bytes[words.len() * 4..];
        if !rest.is_empty() {
            out.push_str("\t.byte ");
            for (i, b) in rest.iter().enumerate() {
                if i != 0 {
                    out.push_str(", ");
                }
                push_hex(out, u32::from(*b));
            }
            out.push('\n');
        }
    }

    /// How many equal padding words stand here, up to the next place that has a name.
    fn padding(&self, at: usize, notes: &impl Notes) -> usize {
        let word = self.words[at];
        if !PADDING.contains(&word) {
            return 0;
        }
        let mut n = 1;
        while let Some(&next) = self.words.get(at + n)
            && next == word
            && self.starts[at + n]
            && !self.targets[at + n]
            && !notes.named(at + n)
        {
            n += 1;
        }
        n
    }

    /// The name of a place that is branched to.
    fn push_target(&self, out: &mut Text, at: usize, notes: &impl Notes) {
        match notes.name(at) {
            Some(name) => push_name(out, name),
            None => {
                notes.push_label(out, at);
            }
        }
    }

    /// The instruction with its target by name instead of the distance, which is always the last operand.
    fn push_branch(&self, out: &mut Text, inst: &Inst, to: usize, notes: &impl Notes) {
        print::push_text(out, inst);
        out.cut_last_word();
        self.push_target(out, to, notes);
    }

    /// Whether an instruction starts at this byte offset, or the code ends there.
    pub(super) fn starts_at(&self, offset: u64) -> bool {
        let word = usize::try_from(offset / 4).unwrap_or(usize::MAX);
        offset.is_multiple_of(4) && self.starts.get(word).is_some_and(|s| *s)
    }
}

/// The instruction with an expression in the place of its literal, which is always the last operand.
fn push_symbolic(out: &mut Text, inst: &Inst, literal: &str) {
    print::push_text(out, inst);
    out.cut_last_word();
    out.push_str(literal);
}

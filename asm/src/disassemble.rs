//! Code to text that assembles back to the same bytes.
//!
//! Branch targets inside the code become labels. Instructions whose bits text cannot say, and bytes that are no
//! instruction, are shown as data with what they would be beside them. [`object`] adds what a whole file has besides
//! its code: symbols, kernel descriptors, data and metadata.

mod addresses;
mod code;
mod data;
pub mod object;

use crate::inst::Inst;
use crate::print::{Text, push_hex_padded, push_hex_plain};
use crate::row::Class;
use crate::sem::{Branch, Control, Sem};
use crate::target::Target;
use code::Code;
use std::collections::BTreeMap;

/// What a listing shows besides the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Address and bytes of each instruction, as a comment.
    pub addresses: bool,
}

/// The byte offset that a branch at `offset` goes to, if the instruction is a direct branch.
#[inline]
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
    let mut out = Text::default();
    Code::new(code, target, symbols.keys().copied()).push(&mut out, &Plain { symbols, options });
    out.into_string()
}

/// What a listing says of places besides the instructions there, which are dwords from the section's start.
trait Notes {
    /// Writes what comes before the instruction; whether a name for branches was among it.
    fn before(&self, out: &mut Text, at: usize) -> bool;
    /// The name that branches to this place use.
    fn name(&self, at: usize) -> Option<&str>;
    /// Whether anything at all is said of the place.
    fn named(&self, at: usize) -> bool;
    /// Writes the name that the listing makes up for the place.
    fn push_label(&self, out: &mut Text, at: usize);
    /// An expression for the literal of the instruction, which has this number.
    fn literal(&self, _index: usize, _inst: &Inst) -> Option<String> {
        None
    }
    /// Writes what comes after the instruction, on its line.
    fn after(&self, _out: &mut Text, _at: usize) {}
    /// Whether addresses and bytes are shown.
    fn addresses(&self) -> bool;
    /// Writes them.
    fn push_address(&self, out: &mut Text, at: usize, words: &[u32]) {
        push_address(out, at as u64 * 4, words);
    }
}

/// Names of offsets, and nothing else.
struct Plain<'a> {
    symbols: &'a BTreeMap<u64, Vec<String>>,
    options: Options,
}

impl Notes for Plain<'_> {
    #[inline]
    fn before(&self, out: &mut Text, at: usize) -> bool {
        if self.symbols.is_empty() {
            return false;
        }
        let Some(names) = self.symbols.get(&(at as u64 * 4)) else { return false };
        for n in names {
            push_name(out, n);
            out.push_str(":\n");
        }
        !names.is_empty()
    }

    fn name(&self, at: usize) -> Option<&str> {
        self.symbols.get(&(at as u64 * 4)).and_then(|n| n.first()).map(String::as_str)
    }

    #[inline]
    fn named(&self, at: usize) -> bool {
        !self.symbols.is_empty() && self.symbols.contains_key(&(at as u64 * 4))
    }

    #[inline]
    fn push_label(&self, out: &mut Text, at: usize) {
        out.push_str(".L_");
        push_hex_plain(out, at as u32 * 4);
    }

    #[inline]
    fn addresses(&self) -> bool {
        self.options.addresses
    }
}

/// A symbol's name, in quotes where it could be read as something else.
fn push_name(out: &mut Text, name: &str) {
    let plain = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name != "."
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'))
        && !crate::parse::is_reserved_word(name);
    if plain {
        return out.push_str(name);
    }
    out.push('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn push_address(out: &mut Text, address: u64, words: &[u32]) {
    out.push_str(" // ");
    push_hex_padded(out, address, 12.max((64 - address.leading_zeros()).div_ceil(4)));
    out.push(':');
    for w in words {
        out.push(' ');
        push_hex_padded(out, u64::from(*w), 8);
    }
}

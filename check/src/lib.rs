//! The static checker: what is wrong with a finished code object, without running it.
//!
//! Raw assembly fails silently: a missing `s_waitcnt` or `s_nop` gives a wrong number once in a thousand runs. [`check`]
//! decodes what control can reach from each kernel's entries, and asks of every path which registers are still owed by
//! memory (`waits`), which instructions are too close (`states`), what is read before it is written (`defined`), which
//! branches read a stale VCCZ (`vccz`), and whether registers, LDS, scratch, descriptor and metadata agree (`budget`, `declared`).
//!
//! A finding is an error where a guide or a measurement demands what is missing and shipping code keeps to it too;
//! where authorities disagree, or the outcome depends on data, it is advice. What was not followed is a note.
#![forbid(unsafe_code)]

mod budget;
mod comparisons;
mod constants;
mod dataflow;
mod decisions;
mod declared;
mod defined;
mod exec;
mod finding;
mod graph;
mod ids;
mod kernargs;
mod merge;
mod program;
mod registers;
mod relative;
mod sarif;
mod shipping;
mod sink;
mod source;
mod states;
mod structure;
mod text;
mod vccz;
mod waits;
mod whole;

pub use finding::{Also, Finding, Kind, Note, Place, Report, Severity, Source};
pub use sarif::sarif;
pub use text::{errors, json, text};
pub use whole::{arguments_beyond, check_object, tally};

use std::collections::BTreeMap;
use wavesmith_loader::code_object::{CodeObject, CodeObjectError, Symbol, SymbolKind};

/// What to check, and how strictly.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Advice becomes an error.
    pub strict: bool,
    /// Instructions to take as absent or different, by address: what would the checker say then?
    pub edits: BTreeMap<u64, Edit>,
    /// Bytes of LDS that the launch adds to what the kernel declares, where that is known: what lies beyond is an error.
    pub dynamic_lds: Option<u32>,
    /// Source lines by address, where the caller knows them; else the object's own line table is asked.
    pub lines: BTreeMap<u64, Source>,
}

/// A change to one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Take it as absent: it does nothing and takes no issue slot.
    Remove,
    /// Take these dwords in its place; ignored unless they are one instruction of the same length.
    Replace(Vec<u32>),
}

/// Why a file cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// It is no code object.
    #[error(transparent)]
    CodeObject(#[from] CodeObjectError),
}

/// Checks a code object.
///
/// # Errors
/// [`CheckError`] where the bytes are no code object.
pub fn check(bytes: &[u8], options: &Options) -> Result<Report, CheckError> {
    let object = CodeObject::parse(bytes)?;
    Ok(check_object(&object, bytes, options))
}

/// Source lines by the address at which each begins, where the object has DWARF line tables.
pub fn source_lines(bytes: &[u8]) -> BTreeMap<u64, Source> {
    source::lines(bytes)
}

/// The functions that an object defines.
pub(crate) fn functions(object: &CodeObject) -> impl Iterator<Item = &Symbol> {
    object.symbols.iter().filter(|s| s.kind == SymbolKind::Function && s.defined)
}

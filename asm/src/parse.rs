//! Text to instructions.
//!
//! An instruction line is read into operands and modifiers without deciding what they mean; then the row's operands
//! say what each may be, and the first encoding that takes them all wins, shortest first, as LLVM chooses. What the
//! hardware or LLVM forbids beyond that is in [`rules`](self).

mod cursor;
mod error;
mod expr;
mod lower;
mod modifier;
mod nearest;
mod number;
mod operand;
mod rules;
mod special;
mod string;
mod usual;

pub use cursor::Cursor;
pub use error::ParseError;
pub use expr::{BinOp, Expr, ExprError, Symbols, UnOp, Value, evaluate};
pub(crate) use nearest::nearest;
pub(crate) use rules::violation;

pub(crate) use expr::expression;
pub(crate) use operand::is_reserved_word;
pub(crate) use special::{absolute, swizzle_is_exact};
pub(crate) use string::string;

use crate::format::Form;
use crate::inst::Inst;
use crate::names::{self, Mnemonic};
use crate::target::Target;

/// What an unresolved expression of an instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixupKind {
    /// Branch distance in dwords from the next instruction, in the low half of the first dword.
    Branch,
    /// The literal dword, at this dword of the instruction.
    Literal(u8),
}

/// An expression to put into an instruction once symbols are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixup {
    /// Where it goes.
    pub kind: FixupKind,
    /// What goes there.
    pub expr: Expr,
    /// Bytes of the line that it was.
    pub span: (usize, usize),
}

/// An instruction from text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The instruction; fields that `fixups` will set are 0.
    pub inst: Inst,
    /// What remains to be resolved.
    pub fixups: Vec<Fixup>,
    /// What is accepted because LLVM accepts it, and is hardly meant.
    pub warning: Option<ParseError>,
}

/// No symbols at all.
#[derive(Debug)]
pub struct NoSymbols;

impl Symbols for NoSymbols {
    fn lookup(&self, _: &str) -> Option<Value> {
        None
    }
}

/// Reads one instruction, without comment or label.
///
/// # Errors
/// [`ParseError`] points at the part of the line that is wrong and says what would be accepted.
pub fn parse_instruction(line: &str, target: Target, symbols: &dyn Symbols) -> Result<Parsed, ParseError> {
    let mut c = Cursor::new(line);
    c.skip_space();
    let start = c.pos();
    let Some(word) = c.mnemonic() else {
        return Err(ParseError::new((start, line.len()), "expected an instruction"));
    };
    let span = (start, c.pos());
    parse_operands(&mut c, word, span, target, symbols)
}

/// The forms that a mnemonic's suffix allows, and the mnemonic without it.
fn split_suffix(word: &str) -> (&str, Option<Form>) {
    for (suffix, form) in [("_e32", Form::Base), ("_e64", Form::E64), ("_sdwa", Form::Sdwa), ("_dpp", Form::Dpp)] {
        if let Some(base) = word.strip_suffix(suffix) {
            return (base, Some(form));
        }
    }
    (word, None)
}

/// Reads operands and modifiers of `word`, which stands at `span`, from the cursor to the end.
pub(crate) fn parse_operands(
    c: &mut Cursor<'_>,
    word: &str,
    span: (usize, usize),
    target: Target,
    symbols: &dyn Symbols,
) -> Result<Parsed, ParseError> {
    if let Some(inst) = usual::read(word, c.rest(), target) {
        c.seek(c.text().len());
        return Ok(Parsed { inst, fixups: Vec::new(), warning: None });
    }
    parse_carefully(c, word, span, target, symbols)
}

/// The same for lines of any kind.
fn parse_carefully(
    c: &mut Cursor<'_>,
    word: &str,
    span: (usize, usize),
    target: Target,
    symbols: &dyn Symbols,
) -> Result<Parsed, ParseError> {
    // No mnemonic ends like a suffix, so what is before one is the name.
    let (name, forced) = split_suffix(word);
    let mut found = names::lookup(name);
    if found.is_none_or(|m| m.row(target).is_none())
        && let Some(m) = names::alias(name, target)
    {
        found = Some(m);
    }
    // Mnemonics are read without regard to case, and nearly always written in lower case.
    if found.is_none() && word.bytes().any(|b| b.is_ascii_uppercase()) {
        return parse_carefully(c, &word.to_ascii_lowercase(), span, target, symbols);
    }
    let Some(mnemonic) = found else {
        return Err(unknown_mnemonic(name, span, target));
    };
    let Some(row) = mnemonic.row(target) else {
        let on: Vec<&str> = Target::ALL.into_iter().filter(|t| mnemonic.row(*t).is_some()).map(Target::name).collect();
        return Err(ParseError::new(span, format!("instruction not supported on {target}"))
            .help(format!("`{name}` exists on {}", on.join(", "))));
    };
    let line = operand::read(c, row.row(), target, symbols)?;
    lower::choose(row, forced, &line, span, target)
}

fn unknown_mnemonic(name: &str, span: (usize, usize), target: Target) -> ParseError {
    // Something this long is no slip, and no message.
    let shown: String = name.chars().take(60).chain((name.len() > 60).then_some('…')).collect();
    let e = ParseError::new(span, format!("unknown instruction `{shown}`"));
    match nearest(name, Mnemonic::all().filter(|m| m.row(target).is_some()).map(Mnemonic::name)) {
        Some(near) => e.help(format!("did you mean `{near}`?")),
        None => e,
    }
}

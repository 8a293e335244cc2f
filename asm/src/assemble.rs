//! Whole files of assembly: sections, symbols, kernel descriptors, metadata.
//!
//! One pass puts bytes into sections, because no instruction here changes its size; expressions that name later
//! symbols are kept as fixups and resolved at the end. All errors of a file are collected. The result is relocatable:
//! laying it out as a loadable ELF is the packer's work.

mod conditional;
mod data;
mod diagnostic;
mod directive;
mod kernel;
pub mod metadata;
mod schema;
mod source;
mod symbols;

pub use diagnostic::Diagnostic;
pub(crate) use kernel::directives;
pub use metadata::Meta;
pub(crate) use schema::is_valid;
pub use symbols::{Binding, Symbol, SymbolKind, Visibility};

use crate::parse::{BinOp, Cursor, Expr, ExprError, FixupKind, ParseError, evaluate};
use crate::target::Target;
use conditional::Conditions;
use kernel::OpenKernel;
use source::{Origin, Source};
use std::borrow::Cow;
use std::collections::HashMap;
use symbols::Table;

/// How many dwords or bytes one file may make, so that a hostile `.fill` ends in an error.
const MOST_BYTES: usize = 1 << 30;

/// A section of the assembled file.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its name, such as `.text`.
    pub name: String,
    /// Its bytes; empty for a section without contents.
    pub data: Vec<u8>,
    /// Size in bytes; more than `data` only without contents.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Occupies memory.
    pub alloc: bool,
    /// Writable.
    pub write: bool,
    /// Executable.
    pub exec: bool,
    /// Without contents (`@nobits`).
    pub nobits: bool,
    /// Is a note (`@note`).
    pub note: bool,
    /// What the linker must fill in.
    pub relocations: Vec<Relocation>,
}

/// How a relocation's value is computed and stored; names and meanings of `R_AMDGPU_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RelocationKind {
    Abs32Lo,
    Abs32Hi,
    Abs32,
    Abs64,
    Rel32,
    Rel64,
    Rel32Lo,
    Rel32Hi,
    GotPcRel,
    GotPcRel32Lo,
    GotPcRel32Hi,
    /// Branch distance in dwords.
    Rel16,
}

/// A place that the linker fills in: symbol + addend, minus the place for the relative kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Byte offset in the section.
    pub offset: u64,
    /// How.
    pub kind: RelocationKind,
    /// Name of the symbol; of the section, where the symbol is private to the file (`.L`).
    pub symbol: String,
    /// Added to the symbol's address.
    pub addend: i64,
}

/// An assembled file.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The target; `.amdgcn_target` in the file must agree.
    pub target: Target,
    /// The target id of `.amdgcn_target`, such as `amdgcn-amd-amdhsa--gfx942:xnack-`.
    pub target_id: Option<String>,
    /// Code object version, 5 where the file says nothing... 6 is LLVM 22's default.
    pub code_object_version: u32,
    /// Sections in order of first use.
    pub sections: Vec<Section>,
    /// Symbols in order of first mention.
    pub symbols: Vec<Symbol>,
    /// Names of the kernels, each with a descriptor `NAME.kd` in `.rodata`.
    pub kernels: Vec<String>,
    /// `.amdgpu_metadata`, if the file has it.
    pub metadata: Option<Meta>,
    /// Where each instruction comes from, in order of the file.
    pub lines: Vec<Line>,
    /// What is accepted because LLVM accepts it, and is hardly meant.
    pub warnings: Vec<Diagnostic>,
}

/// The line of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Index of its section.
    pub section: u32,
    /// Byte offset in the section.
    pub offset: u64,
    /// Line of the file, from 1: of the invocation, where a macro made the instruction.
    pub line: u32,
}

/// What a fixup writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Write {
    /// A little-endian number of so many bytes.
    Data(u8),
    Branch,
    Literal,
}

#[derive(Clone, Debug)]
struct Pending<'a> {
    section: usize,
    offset: u64,
    write: Write,
    expr: Expr,
    origin: Origin<'a>,
    span: (usize, usize),
}

/// The state of one assembly.
struct Assembler<'a> {
    target: Target,
    target_id: Option<String>,
    version: u32,
    source: Source<'a>,
    conditions: Conditions,
    sections: Vec<Section>,
    by_name: HashMap<String, usize>,
    current: usize,
    previous: usize,
    stack: Vec<usize>,
    symbols: Table,
    pending: Vec<Pending<'a>>,
    kernels: Vec<OpenKernel<'a>>,
    metadata: Option<Meta>,
    lines: Vec<Line>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    bytes: usize,
}

/// No file reports more errors than this.
const MOST_ERRORS: usize = 200;

/// Assembles a file.
///
/// # Errors
/// Every error of the file, in order; [`Diagnostic::render`] shows one with its line.
pub fn assemble(text: &str, target: Target) -> Result<Assembled, Vec<Diagnostic>> {
    let mut a = Assembler {
        target,
        target_id: None,
        version: 6,
        source: Source::new(text),
        conditions: Conditions::default(),
        sections: Vec::new(),
        by_name: HashMap::new(),
        current: 0,
        previous: 0,
        stack: Vec::new(),
        symbols: Table::default(),
        pending: Vec::new(),
        kernels: Vec::new(),
        metadata: None,
        lines: Vec::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
        bytes: 0,
    };
    a.current = a.section(".text");
    a.previous = a.current;
    a.run();
    a.finish()
}

impl<'a> Assembler<'a> {
    fn run(&mut self) {
        while self.errors.len() < MOST_ERRORS {
            let (line, origin) = match self.source.next() {
                Some(Ok(x)) => x,
                Some(Err((e, origin))) => {
                    self.report(e, &origin);
                    break;
                }
                None => break,
            };
            if let Err(e) = self.line(&line, &origin) {
                self.report(e, &origin);
            }
        }
        if self.source.in_comment() {
            let origin = self.source.end();
            self.report(ParseError::new((0, 0), "unterminated comment"), &origin);
        }
        if let Some(open) = self.conditions.unclosed() {
            let e = ParseError::new((0, 0), format!("unmatched .if opened on line {}", open + 1));
            let origin = self.source.end();
            self.report(e, &origin);
        }
    }

    fn report(&mut self, e: ParseError, origin: &Origin<'a>) {
        self.errors.push(Diagnostic::new(e, origin));
    }

    /// One line: labels, then a directive, an assignment, a macro or an instruction.
    fn line(&mut self, line: &str, origin: &Origin<'a>) -> Result<(), ParseError> {
        let mut c = Cursor::new(line);
        loop {
            if c.at_end() {
                return Ok(());
            }
            let start = c.pos();
            if c.peek() == b'#' {
                return Ok(());
            }
            if c.peek().is_ascii_digit() {
                while c.peek().is_ascii_digit() {
                    c.bump();
                }
                let number = c.since(start).to_owned();
                if !c.eat(b':') {
                    c.seek(start);
                    return Err(c.error("unexpected token at start of statement"));
                }
                if self.conditions.active() {
                    let name = self.symbols.next_local(&number);
                    self.label(&name, (start, c.pos()))?;
                }
                continue;
            }
            let quoted = c.peek() == b'"';
            let word: Cow<'_, str> =
                if quoted { quoted_name(&mut c)?.into() } else { c.word().unwrap_or_default().into() };
            if word.is_empty() {
                return Err(c.foreign().unwrap_or_else(|| c.error("unexpected token at start of statement")));
            }
            // What looks like one word may be two, or end in a blank that is none.
            if let Some(e) = c.foreign() {
                return Err(e);
            }
            let after = c.pos();
            c.skip_space();
            if c.peek() == b':' && c.peek_at(1) != b':' {
                c.bump();
                if self.conditions.active() {
                    self.label(&word, (start, after))?;
                }
                continue;
            }
            let directive = word.starts_with('.');
            if directive && self.conditional(&word, &mut c, (start, after), origin)? {
                return Ok(());
            }
            if !self.conditions.active() {
                return Ok(());
            }
            if c.peek() == b'=' && c.peek_at(1) != b'=' {
                c.bump();
                return self.assign(&word, &mut c, (start, after));
            }
            c.seek(after);
            if self.source.has_macro(&word) {
                return self.source.expand(&word, &mut c, origin, (start, after));
            }
            if directive {
                return self.directive(&word, &mut c, (start, after), origin);
            }
            return self.instruction(&word, &mut c, (start, after), origin);
        }
    }

    fn instruction(
        &mut self,
        word: &str,
        c: &mut Cursor<'_>,
        span: (usize, usize),
        origin: &Origin<'a>,
    ) -> Result<(), ParseError> {
        let view = symbols::View {
            table: &self.symbols,
            section: self.current as u32,
            offset: self.sections[self.current].size as i64,
        };
        let parsed = crate::parse::parse_operands(c, word, span, self.target, &view)?;
        if let Some(w) = parsed.warning
            && self.warnings.len() < MOST_ERRORS
        {
            self.warnings.push(Diagnostic::warning(w, origin));
        }
        let base = self.sections[self.current].size;
        let line = origin.through.as_ref().and_then(|t| t.last()).map_or(origin.line, |(_, line)| *line);
        self.lines.push(Line { section: self.current as u32, offset: base, line: line as u32 + 1 });
        for f in parsed.fixups {
            let (write, at) = match f.kind {
                FixupKind::Branch => (Write::Branch, 0),
                FixupKind::Literal(n) => (Write::Literal, n as u64 * 4),
            };
            let expr = self.symbols.localize(f.expr);
            let resolved = self.branch_now(&expr, write, base);
            let mut inst = parsed.inst;
            if let Some(distance) = resolved {
                inst.words[0] = inst.words[0] & 0xffff_0000 | distance as u16 as u32;
                return self.emit_words(inst.words());
            }
            self.symbols.mention_all(&expr);
            self.pending.push(Pending {
                section: self.current,
                offset: base + at,
                write,
                expr,
                origin: origin.clone(),
                span: f.span,
            });
        }
        self.emit_words(parsed.inst.words())
    }

    /// The distance of a branch to a label already seen in this section.
    fn branch_now(&self, expr: &Expr, write: Write, base: u64) -> Option<i16> {
        let (Write::Branch, Expr::Symbol(name, None)) = (write, expr) else { return None };
        let (section, offset) = self.symbols.place(name)?;
        if section as usize != self.current {
            return None;
        }
        let distance = offset - (base as i64 + 4);
        i16::try_from(distance >> 2).ok().filter(|_| distance & 3 == 0)
    }

    fn emit_words(&mut self, words: &[u32]) -> Result<(), ParseError> {
        let mut bytes = [0u8; 16];
        for (i, w) in words.iter().enumerate().take(4) {
            bytes[i * 4..i * 4 + 4].copy_from_slice(&w.to_le_bytes());
        }
        let s = &mut self.sections[self.current];
        s.align = s.align.max(4);
        self.emit(&bytes[..words.len() * 4])
    }

    fn emit(&mut self, bytes: &[u8]) -> Result<(), ParseError> {
        self.bytes += bytes.len();
        if self.bytes > MOST_BYTES {
            return Err(ParseError::new((0, 0), "the output grows beyond 1 GiB"));
        }
        let s = &mut self.sections[self.current];
        if s.nobits {
            if bytes.iter().any(|b| *b != 0) {
                return Err(ParseError::new((0, 0), format!("section `{}` has no contents", s.name)));
            }
        } else {
            s.data.extend_from_slice(bytes);
        }
        s.size += bytes.len() as u64;
        Ok(())
    }

    fn label(&mut self, name: &str, span: (usize, usize)) -> Result<(), ParseError> {
        let (section, offset) = (self.current as u32, self.sections[self.current].size);
        self.symbols.define_label(name, section, offset).map_err(|e| ParseError::new(span, e))
    }

    fn here(&self) -> symbols::View<'_> {
        symbols::View {
            table: &self.symbols,
            section: self.current as u32,
            offset: self.sections[self.current].size as i64,
        }
    }

    fn assign(&mut self, name: &str, c: &mut Cursor<'_>, span: (usize, usize)) -> Result<(), ParseError> {
        let e = crate::parse::expression(c)?;
        self.end_of_statement(c)?;
        let e = self.symbols.localize(e);
        if name == "." {
            return self.org(&e, span);
        }
        let value = match evaluate(&e, &self.here()) {
            Ok(v) => Ok(v),
            Err(ExprError::Undefined(_) | ExprError::NotAbsolute) => Err(e),
            Err(other) => return Err(ParseError::new(span, other.to_string())),
        };
        self.symbols.assign(name, value).map_err(|m| ParseError::new(span, m))
    }

    fn end_of_statement(&self, c: &mut Cursor<'_>) -> Result<(), ParseError> {
        if c.at_end() { Ok(()) } else { Err(c.error("expected newline")) }
    }

    /// Moves the location counter.
    fn org(&mut self, e: &Expr, span: (usize, usize)) -> Result<(), ParseError> {
        let v = evaluate(e, &self.here()).map_err(|e| ParseError::new(span, e.to_string()))?;
        let at = self.sections[self.current].size as i64;
        if v.section.is_some_and(|s| s as usize != self.current) || v.number < at {
            return Err(ParseError::new(span, "the location counter cannot move backwards or to another section"));
        }
        self.fill((v.number - at) as u64, 0).map_err(|e| ParseError { span, ..e })
    }

    fn fill(&mut self, count: u64, byte: u8) -> Result<(), ParseError> {
        if count > (MOST_BYTES - self.bytes) as u64 {
            return Err(ParseError::new((0, 0), "the output grows beyond 1 GiB"));
        }
        self.emit(&vec![byte; count as usize])
    }

    /// The number of the section of that name, made with the attributes that the name implies.
    fn section(&mut self, name: &str) -> usize {
        if let Some(&i) = self.by_name.get(name) {
            return i;
        }
        let begins = |p: &str| name == p || name.starts_with(&format!("{p}."));
        let mut s = Section { name: name.to_owned(), align: 1, ..Section::default() };
        if begins(".text") {
            (s.alloc, s.exec, s.align) = (true, true, 4);
        } else if begins(".data") {
            (s.alloc, s.write) = (true, true);
        } else if begins(".bss") {
            (s.alloc, s.write, s.nobits) = (true, true, true);
        } else if begins(".rodata") {
            s.alloc = true;
        } else if begins(".note") {
            s.note = true;
        }
        self.sections.push(s);
        let i = self.sections.len() - 1;
        self.by_name.insert(name.to_owned(), i);
        i
    }

    fn finish(mut self) -> Result<Assembled, Vec<Diagnostic>> {
        self.emit_descriptors();
        for p in std::mem::take(&mut self.pending) {
            if self.errors.len() >= MOST_ERRORS {
                break;
            }
            if let Some(e) = self.undefined(&p) {
                self.report(e, &p.origin);
            } else if let Err(message) = self.resolve(&p) {
                let e = ParseError::new(p.span, message);
                self.report(e, &p.origin);
            }
        }
        if !self.errors.is_empty() {
            // What only the end shows stands with its line.
            self.errors.sort_by_key(|e| e.line);
            return Err(self.errors);
        }
        let symbols = self.symbols.finish(self.sections.len());
        Ok(Assembled {
            target: self.target,
            target_id: self.target_id,
            code_object_version: self.version,
            sections: self.sections,
            symbols,
            kernels: self.kernels.into_iter().map(|k| k.name).collect(),
            metadata: self.metadata,
            lines: self.lines,
            warnings: self.warnings,
        })
    }

    /// A label that is nowhere, where no other file can have it: branches stay in their section, and private names in
    /// their file.
    fn undefined(&self, p: &Pending<'a>) -> Option<ParseError> {
        let mut names = Vec::new();
        symbols::collect(&p.expr, &mut names);
        let missing = |n: &&&str| !self.symbols.is_defined(n) && (p.write == Write::Branch || symbols::is_private(n));
        let name = *names.iter().find(missing)?;
        // Local labels are numbered behind a mark.
        let (shown, local) = name.split_once('\u{1}').map_or((name, false), |(n, _)| (n, true));
        let e = ParseError::new(p.span, format!("undefined label `{shown}`"));
        Some(match crate::parse::nearest(name, self.symbols.defined_names()) {
            Some(n) if !local => e.help(format!("did you mean `{n}`?")),
            _ => e,
        })
    }

    fn resolve(&mut self, p: &Pending<'a>) -> Result<(), String> {
        let variant = variant_of(&p.expr);
        let view = symbols::View { table: &self.symbols, section: p.section as u32, offset: p.offset as i64 };
        let value = match &variant {
            Some(_) => None,
            None => match evaluate(&p.expr, &view) {
                Ok(v) => Some(v),
                Err(ExprError::Undefined(_) | ExprError::NotAbsolute) => None,
                Err(e) => return Err(e.to_string()),
            },
        };
        let number = match value {
            Some(v) if v.section.is_none() && p.write != Write::Branch => v.number,
            Some(v) if p.write == Write::Branch && v.section.is_none_or(|s| s as usize == p.section) => {
                let distance = if v.section.is_some() { v.number - (p.offset as i64 + 4) } else { v.number * 4 };
                if distance & 3 != 0 {
                    return Err("branch target is not aligned to a dword".into());
                }
                distance >> 2
            }
            _ => return self.relocate(p, variant),
        };
        let n = match p.write {
            Write::Data(n) => n,
            Write::Literal => 4,
            Write::Branch => {
                if i16::try_from(number).is_err() {
                    return Err("branch size exceeds simm16".into());
                }
                2
            }
        };
        if p.write == Write::Literal && i32::try_from(number).is_err() && u32::try_from(number).is_err() {
            return Err("value does not fit 32 bits".into());
        }
        if let Write::Data(n) = p.write {
            let bits = n as u32 * 8;
            let fits = bits >= 64 || number >= -(1i64 << (bits - 1)) && number < 1i64 << bits;
            if !fits {
                return Err("value evaluated as out of range".into());
            }
        }
        let at = p.offset as usize;
        let bytes = number.to_le_bytes();
        self.sections[p.section].data[at..at + n as usize].copy_from_slice(&bytes[..n as usize]);
        Ok(())
    }

    /// Leaves a value to the linker: symbol plus constant, or the difference to the place itself.
    fn relocate(&mut self, p: &Pending<'a>, variant: Option<String>) -> Result<(), String> {
        let (symbol, addend, relative) = self.linear(&p.expr, p, 0)?;
        use RelocationKind as K;
        let kind = match (p.write, variant.as_deref(), relative) {
            (Write::Literal, Some("rel32@lo" | "rel32"), _) => K::Rel32Lo,
            (Write::Literal, Some("rel32@hi"), _) => K::Rel32Hi,
            (Write::Literal, Some("gotpcrel32@lo"), _) => K::GotPcRel32Lo,
            (Write::Literal, Some("gotpcrel32@hi"), _) => K::GotPcRel32Hi,
            (Write::Literal, Some("gotpcrel"), _) => K::GotPcRel,
            (Write::Literal, Some("abs32@lo"), _) => K::Abs32Lo,
            (Write::Literal, Some("abs32@hi"), _) => K::Abs32Hi,
            (Write::Literal, None, false) | (Write::Data(4), None, false) => K::Abs32,
            (Write::Literal, None, true) | (Write::Data(4), None, true) => K::Rel32,
            (Write::Data(8), None, false) => K::Abs64,
            (Write::Data(8), None, true) => K::Rel64,
            (Write::Data(4), Some("rel32" | "rel32@lo"), _) => K::Rel32,
            (Write::Branch, None, _) => K::Rel16,
            (_, Some(v), _) => return Err(format!("relocation `@{v}` is not known here")),
            _ => return Err("expression cannot be expressed as a relocation".into()),
        };
        let addend = if kind == K::Rel16 { addend - 4 } else { addend };
        let (symbol, addend) = match self.symbols.place(&symbol) {
            // Private names end here: the linker knows the section.
            Some((section, at)) if symbols::is_private(&symbol) => {
                (self.sections[section as usize].name.clone(), addend + at)
            }
            _ => {
                self.symbols.mention(&symbol);
                (symbol, addend)
            }
        };
        self.sections[p.section].relocations.push(Relocation { offset: p.offset, kind, symbol, addend });
        Ok(())
    }

    /// `symbol + constant`, or `symbol − place + constant` (the third is whether).
    fn linear(&self, e: &Expr, p: &Pending<'a>, depth: usize) -> Result<(String, i64, bool), String> {
        let bad = || "expression cannot be expressed as a relocation".to_owned();
        if depth > 300 {
            return Err(bad());
        }
        let view = symbols::View { table: &self.symbols, section: p.section as u32, offset: p.offset as i64 };
        match e {
            Expr::Symbol(name, _) => match self.symbols.definition(name) {
                Some(inner) if !matches!(inner, Expr::Symbol(n, _) if n == name) => self.linear(inner, p, depth + 1),
                _ => Ok((name.clone(), 0, false)),
            },
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                if let Ok(v) = evaluate(b, &view) {
                    let (s, k, rel) = self.linear(a, p, depth + 1)?;
                    return match v.section {
                        None => Ok((
                            s,
                            if *op == BinOp::Add { k.wrapping_add(v.number) } else { k.wrapping_sub(v.number) },
                            rel,
                        )),
                        // A label of this section minus the place is a constant.
                        Some(sec) if *op == BinOp::Sub && sec as usize == p.section && !rel => {
                            Ok((s, k.wrapping_add(p.offset as i64 - v.number), true))
                        }
                        _ => Err(bad()),
                    };
                }
                if *op == BinOp::Add
                    && let Ok(v) = evaluate(a, &view)
                    && v.section.is_none()
                {
                    let (s, k, rel) = self.linear(b, p, depth + 1)?;
                    return Ok((s, k.wrapping_add(v.number), rel));
                }
                Err(bad())
            }
            _ => match evaluate(e, &view) {
                Err(err @ ExprError::Undefined(_)) => Err(err.to_string()),
                _ => Err(bad()),
            },
        }
    }
}

fn variant_of(e: &Expr) -> Option<String> {
    match e {
        Expr::Symbol(_, v) => v.clone(),
        Expr::Unary(_, x) => variant_of(x),
        Expr::Binary(_, a, b) => variant_of(a).or_else(|| variant_of(b)),
        Expr::Call(_, args) => args.iter().find_map(variant_of),
        _ => None,
    }
}

/// A symbol's name in quotes.
fn quoted_name(c: &mut Cursor<'_>) -> Result<String, ParseError> {
    Ok(String::from_utf8_lossy(&crate::parse::string(c)?).into_owned())
}

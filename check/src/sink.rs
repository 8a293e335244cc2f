//! Where findings go: each once, with the text, symbol and source line of its places.

use crate::comparisons::Comparisons;
use crate::finding::{Finding, Kind, Place, Report, Severity, Source};
use crate::program::Program;
use crate::waits::Operations;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use wavesmith_asm::effects::Span;
use wavesmith_asm::print;
use wavesmith_loader::code_object::CodeObject;

/// Where findings go.
pub(crate) struct Sink<'a> {
    pub object: &'a CodeObject,
    pub program: &'a Program,
    pub comparisons: Comparisons<'a>,
    pub operations: &'a Operations,
    /// Source lines by the address at which each begins.
    lines: &'a BTreeMap<u64, Source>,
    /// The kernel that is being checked.
    pub kernel: &'a str,
    pub report: Report,
    /// Whether code can be looked at more than once: several kernels, or functions with several callers.
    repeats: bool,
    /// Steps that searches for ways may still take.
    pub effort: usize,
    /// Texts of instructions, by [`crate::program::NodeFacts::alike`].
    texts: RefCell<Vec<String>>,
    /// Pairs already reported, from another kernel or another chain of calls.
    seen: HashSet<(Kind, usize, usize, usize)>,
    /// LDS that the launch adds, where it is known.
    pub dynamic_lds: Option<u32>,
}

impl<'a> Sink<'a> {
    pub fn new(
        object: &'a CodeObject,
        program: &'a Program,
        operations: &'a Operations,
        lines: &'a BTreeMap<u64, Source>,
        effort: usize,
        dynamic_lds: Option<u32>,
    ) -> Sink<'a> {
        Sink {
            object,
            program,
            comparisons: Comparisons::new(program),
            operations,
            lines,
            kernel: "",
            report: Report {
                kernels: object.kernels.len(),
                instructions: program.nodes.len(),
                target: Some(program.target),
                ..Report::default()
            },
            repeats: object.kernels.len() > 1 || program.indirect,
            effort,
            texts: RefCell::new(vec![String::new(); program.facts.distinct()]),
            seen: HashSet::new(),
            dynamic_lds,
        }
    }

    /// Whether this is the first time that a finding of this identity comes up.
    pub fn first(&mut self, kind: Kind, node: usize, other: usize, rule: usize) -> bool {
        !self.repeats || self.seen.insert((kind, node, other, rule))
    }

    /// What is to be said of registers that an instruction does not name itself, but M0 picks.
    pub fn indexed(&self, node: usize, span: Span) -> String {
        let Some(relative) = self.program.relative.get(&(node as u32)) else { return String::new() };
        match relative.by {
            Some(by) => {
                let meant = |s: &&Span| Span { first: s.first + by, ..**s }.overlaps(span);
                let named = relative.named.iter().find(meant);
                let meant = |s: &Span| Span { first: s.first + by, ..*s };
                named.map_or(String::new(), |s| format!("; {s} indexed by M0 is {}", meant(s)))
            }
            None if relative.named.iter().any(|s| s.overlaps(span)) => {
                format!("; {span} is indexed by M0, of which nothing is known here: this is where the index is 0")
            }
            None => {
                let named: Vec<String> = relative.named.iter().map(Span::to_string).collect();
                format!("; {} indexed by M0 may be {span}: the index is data", named.join(", "))
            }
        }
    }

    /// Adds a finding of the current kernel.
    pub fn push(&mut self, mut f: Finding) {
        f.kernel = self.kernel.to_owned();
        self.report.findings.push(f);
    }

    /// A finding about one instruction.
    pub fn finding(&self, severity: Severity, kind: Kind, node: usize, message: String) -> Finding {
        Finding { at: Some(self.place(node)), ..Sink::nowhere(severity, kind, message) }
    }

    /// A finding without a place.
    pub fn nowhere(severity: Severity, kind: Kind, message: String) -> Finding {
        Finding {
            severity,
            kind,
            rule: None,
            kernel: String::new(),
            at: None,
            other: None,
            also: Vec::new(),
            path: Vec::new(),
            need: None,
            message,
        }
    }

    /// Adds a finding about one instruction.
    pub fn at(&mut self, severity: Severity, kind: Kind, node: usize, message: String) {
        self.push(self.finding(severity, kind, node, message));
    }

    /// Adds a finding about two instructions.
    pub fn pair(&mut self, severity: Severity, kind: Kind, node: usize, other: usize, message: String) {
        let other = Some(self.place(other));
        self.push(Finding { other, ..self.finding(severity, kind, node, message) });
    }

    /// Adds a finding about the kernel as declared.
    pub fn declared(&mut self, severity: Severity, kind: Kind, message: String) {
        self.push(Sink::nowhere(severity, kind, message));
    }

    /// The text of a node's instruction. Findings repeat themselves, and copying is cheaper than printing.
    pub fn text(&self, node: usize) -> String {
        let mut text = String::new();
        self.push_text(&mut text, node);
        text
    }

    /// Adds the text of a node's instruction.
    pub fn push_text(&self, out: &mut String, node: usize) {
        let mut texts = self.texts.borrow_mut();
        let text = &mut texts[self.program.facts.alike(node)];
        if text.is_empty() {
            *text = print::text(&self.program.nodes[node].inst);
        }
        out.push_str(text);
    }

    /// The place of a node.
    pub fn place(&self, node: usize) -> Place {
        self.place_of(self.program.nodes[node].pc, self.text(node))
    }

    /// The place of an address with its text.
    pub fn place_of(&self, pc: u64, text: String) -> Place {
        let symbol = match self.object.symbolize(pc) {
            Some((name, 0)) => name.to_owned(),
            Some((name, offset)) => {
                let mut symbol = String::with_capacity(name.len() + 19);
                symbol.push_str(name);
                symbol.push_str("+0x");
                let digits = (64 - offset.leading_zeros()).div_ceil(4);
                symbol.extend((0..digits).rev().filter_map(|d| char::from_digit((offset >> (4 * d)) as u32 & 15, 16)));
                symbol
            }
            None => String::new(),
        };
        let source =
            if self.lines.is_empty() { None } else { self.lines.range(..=pc).next_back().map(|(_, s)| s.clone()) };
        Place { pc, symbol, text, source }
    }
}

//! The listing: machine code beside the text, comments and Rust source lines it came from.

use core::fmt;
use std::panic::Location;
use wavesmith_asm::{Inst, print};

/// Why the emitter put an instruction in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The reason.
    pub why: &'static str,
    /// The line that emitted the instruction which asks for it.
    pub cause: Option<&'static Location<'static>>,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match self.cause {
            Some(at) => write!(f, ", from line {}", at.line()),
            None => Ok(()),
        }
    }
}

/// One line of a listing.
#[derive(Clone, Copy, Debug)]
pub enum Line {
    /// An instruction.
    Instruction {
        /// Byte offset from the kernel's entry.
        offset: u32,
        /// The instruction.
        inst: Inst,
        /// Where a branch goes, by index into [`Listing::labels`].
        target: Option<u32>,
        /// The Rust call that emitted it; `None` for what the emitter put in by itself.
        source: Option<&'static Location<'static>>,
        /// Why the emitter put it in.
        remark: Option<Remark>,
    },
    /// A label, by index into [`Listing::labels`].
    Label(u32),
    /// A comment of the author, by index into [`Listing::comments`].
    Comment(u32),
}

/// The lines of one kernel. Text is made only when it is asked for: emitting would spend most of its time on it.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// In address order.
    pub lines: Vec<Line>,
    /// Label names.
    pub labels: Vec<String>,
    /// Comments.
    pub comments: Vec<String>,
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            match *line {
                Line::Comment(i) => writeln!(f, "{:36}; {}", "", self.comments[i as usize])?,
                Line::Label(i) => writeln!(f, "{}:", self.label(i))?,
                Line::Instruction { offset, inst, target, source, remark } => {
                    let hex: Vec<String> = inst.words().iter().map(|w| format!("{w:08x}")).collect();
                    let text = self.text(&inst, target);
                    write!(f, "{offset:06x}  {:<26}  {text}", hex.join(" "))?;
                    let note = match (source, remark) {
                        (Some(l), Some(r)) => format!("{}:{} {r}", l.file(), l.line()),
                        (Some(l), None) => format!("{}:{}", l.file(), l.line()),
                        (None, Some(r)) => r.to_string(),
                        (None, None) => String::new(),
                    };
                    if note.is_empty() {
                        writeln!(f)?;
                    } else {
                        let column = 56usize.saturating_sub(text.len()).max(1);
                        writeln!(f, "{:column$}; {note}", "")?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Listing {
    /// The text of each instruction, labels by name.
    pub fn texts(&self) -> Vec<String> {
        let text = |l: &Line| match *l {
            Line::Instruction { inst, target, .. } => Some(self.text(&inst, target)),
            _ => None,
        };
        self.lines.iter().filter_map(text).collect()
    }

    /// The Rust source line that emitted the instruction at byte `offset`, if a call of the author's did.
    pub fn source_at(&self, offset: u32) -> Option<&'static Location<'static>> {
        self.lines.iter().find_map(|l| match *l {
            Line::Instruction { offset: at, inst, source, .. } if (at..at + inst.bytes() as u32).contains(&offset) => {
                source
            }
            _ => None,
        })
    }

    fn text(&self, inst: &Inst, target: Option<u32>) -> String {
        match target {
            Some(i) => format!("{} {}", inst.name(), self.label(i)),
            None => print::text(inst),
        }
    }

    /// A label's name, made unique by its number.
    fn label(&self, i: u32) -> String {
        format!("{}_{i}", self.labels[i as usize])
    }
}

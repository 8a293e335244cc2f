//! The listing: machine code beside the text, comments and Rust source lines it came from.

use core::fmt;
use std::panic::Location;

/// One line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// An instruction.
    Instruction {
        /// Byte offset from the kernel's entry.
        offset: u32,
        /// Its words.
        words: Vec<u32>,
        /// LLVM syntax.
        text: String,
        /// The Rust call that emitted it; `None` for what the emitter put in by itself.
        source: Option<&'static Location<'static>>,
        /// A remark of the emitter: why a wait or a nop is here.
        remark: Option<String>,
    },
    /// A label.
    Label {
        /// Byte offset from the kernel's entry.
        offset: u32,
        /// Its name.
        name: String,
    },
    /// A comment of the author.
    Comment(String),
}

/// The lines of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// In address order.
    pub lines: Vec<Line>,
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            match line {
                Line::Comment(text) => writeln!(f, "                                    ; {text}")?,
                Line::Label { name, .. } => writeln!(f, "{name}:")?,
                Line::Instruction { offset, words, text, source, remark } => {
                    let hex: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
                    write!(f, "{offset:06x}  {:<26}  {text}", hex.join(" "))?;
                    let note = match (source, remark) {
                        (Some(l), Some(r)) => format!("{}:{} {r}", l.file(), l.line()),
                        (Some(l), None) => format!("{}:{}", l.file(), l.line()),
                        (None, Some(r)) => r.clone(),
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
    /// The Rust source line that emitted the instruction at byte `offset`, if a call of the author's did.
    pub fn source_at(&self, offset: u32) -> Option<&'static Location<'static>> {
        self.lines.iter().find_map(|l| match l {
            Line::Instruction { offset: at, words, source, .. }
                if (*at..*at + 4 * words.len() as u32).contains(&offset) =>
            {
                *source
            }
            _ => None,
        })
    }
}

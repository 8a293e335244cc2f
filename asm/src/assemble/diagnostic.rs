//! An error or a warning of a file, with the line it is in.

use super::source::Origin;
use crate::parse::ParseError;
use std::fmt::Write;

/// One error or warning of an assembly file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the file is assembled all the same.
    pub warning: bool,
    /// Line of the file, from 1.
    pub line: usize,
    /// Column, from 1, in characters of the shown text.
    pub column: usize,
    /// The line, or the line that a macro made of it.
    pub text: String,
    /// Bytes of `text` that the message is about.
    pub span: (usize, usize),
    /// What is wrong.
    pub message: String,
    /// What would be accepted.
    pub help: Option<String>,
    /// Macros that the line came through, innermost first: name and line of the invocation.
    pub through: Vec<(String, usize)>,
}

impl Diagnostic {
    pub(super) fn new(e: ParseError, origin: &Origin<'_>) -> Diagnostic {
        let text = origin.text.to_string();
        let at = e.span.0.min(text.len());
        let column = text.get(..at).map_or(at, |s| s.chars().count()) + 1;
        Diagnostic {
            warning: false,
            line: origin.line + 1,
            column,
            span: e.span,
            message: e.message,
            help: e.help,
            through: origin.through.iter().flat_map(|t| t.iter()).map(|(n, l)| (n.clone(), l + 1)).collect(),
            text,
        }
    }

    pub(super) fn warning(w: ParseError, origin: &Origin<'_>) -> Diagnostic {
        Diagnostic { warning: true, ..Diagnostic::new(w, origin) }
    }

    /// The diagnostic as text for people: place, line shown, part pointed at.
    pub fn render(&self, file: &str) -> String {
        let mut s = String::new();
        let number = self.line.to_string();
        let pad = " ".repeat(number.len());
        let _ = writeln!(s, "{}: {}", if self.warning { "warning" } else { "error" }, self.message);
        let _ = writeln!(s, "{pad}--> {file}:{}:{}", self.line, self.column);
        let _ = writeln!(s, "{pad} |");
        let (shown, before, width) = self.window();
        let _ = writeln!(s, "{number} | {shown}");
        let _ = writeln!(s, "{pad} | {}{}", " ".repeat(before), "^".repeat(width));
        if let Some(h) = &self.help {
            let _ = writeln!(s, "{pad} = help: {h}");
        }
        let folded = self.through.len().saturating_sub(SHOWN_EXPANSIONS + 1);
        for (i, (name, line)) in self.through.iter().enumerate() {
            if folded > 1 && i == SHOWN_EXPANSIONS {
                let _ = writeln!(s, "{pad} = … {folded} more expansions");
            }
            // The innermost tell what is wrong, the last where it began.
            if folded <= 1 || !(SHOWN_EXPANSIONS..SHOWN_EXPANSIONS + folded).contains(&i) {
                let _ = writeln!(s, "{pad} = in the expansion of `{name}` on line {line}");
            }
        }
        s
    }

    /// The line, or of a very long one the part around what is wrong; the characters before that, and its width.
    fn window(&self) -> (String, usize, usize) {
        let (start, end) = (self.span.0.min(self.text.len()), self.span.1.min(self.text.len()));
        let width = self.text.get(start..end).map_or(1, |w| w.chars().take(WIDEST).count()).max(1);
        let before = self.column - 1;
        let skipped = if before + width > WIDEST { before.saturating_sub(WIDEST / 4) } else { 0 };
        let mut rest = self.text.chars().skip(skipped);
        let mut shown: String = rest.by_ref().take(WIDEST).map(|c| if c == '\t' { ' ' } else { c }).collect();
        if rest.next().is_some() {
            shown.push('…');
        }
        let dots = if skipped > 0 { "…" } else { "" };
        (format!("{dots}{shown}"), before - skipped + dots.chars().count(), width)
    }
}

/// Expansions that are shown besides the outermost.
const SHOWN_EXPANSIONS: usize = 3;

/// Characters of a line that are shown.
const WIDEST: usize = 160;

//! What is wrong with a line, where, and what would be right.

use std::fmt;

/// An error in a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Bytes of the line that the message is about.
    pub span: (usize, usize),
    /// What is wrong.
    pub message: String,
    /// What would be accepted.
    pub help: Option<String>,
}

impl ParseError {
    /// An error at `span`.
    pub fn new(span: (usize, usize), message: impl Into<String>) -> ParseError {
        ParseError { span, message: message.into(), help: None }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> ParseError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(h) = &self.help {
            write!(f, " ({h})")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseError {}

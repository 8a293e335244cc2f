//! `.if` and its relatives.

use super::Assembler;
use super::source::Origin;
use crate::parse::{Cursor, ParseError, absolute};

/// The open conditions.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    open: Vec<Condition>,
}

#[derive(Debug)]
struct Condition {
    /// Lines are assembled now.
    active: bool,
    /// A branch has been taken, or the whole is inside an inactive one.
    done: bool,
    otherwise: bool,
    line: usize,
}

impl Conditions {
    pub(super) fn active(&self) -> bool {
        self.open.last().is_none_or(|c| c.active)
    }

    pub(super) fn unclosed(&self) -> Option<usize> {
        self.open.last().map(|c| c.line)
    }
}

/// No file nests conditions deeper.
const DEPTH: usize = 500;

impl<'a> Assembler<'a> {
    /// Handles a conditional directive; whether it was one.
    pub(super) fn conditional(
        &mut self,
        word: &str,
        c: &mut Cursor<'_>,
        span: (usize, usize),
        origin: &Origin<'a>,
    ) -> Result<bool, ParseError> {
        match word {
            ".else" | ".elseif" => {
                let outer =
                    self.conditions.open.len() < 2 || self.conditions.open[self.conditions.open.len() - 2].active;
                let Some(top) = self.conditions.open.last() else {
                    return Err(ParseError::new(
                        span,
                        format!("encountered a {word} that doesn't follow an .if or an .elseif"),
                    ));
                };
                if top.otherwise {
                    return Err(ParseError::new(span, format!("{word} after .else")));
                }
                let free = outer && !top.done;
                let truth = free && (word == ".else" || absolute(c, &self.here())? != 0);
                if let Some(top) = self.conditions.open.last_mut() {
                    top.active = truth;
                    top.done |= truth;
                    top.otherwise = word == ".else";
                }
                Ok(true)
            }
            ".endif" => {
                if self.conditions.open.pop().is_none() {
                    return Err(ParseError::new(span, "encountered a .endif that doesn't follow an .if or .else"));
                }
                Ok(true)
            }
            ".if" | ".ifdef" | ".ifndef" | ".ifnotdef" | ".ifb" | ".ifnb" | ".ifc" | ".ifnc" | ".ifeqs" | ".ifnes"
            | ".ifeq" | ".ifne" | ".ifgt" | ".ifge" | ".iflt" | ".ifle" => {
                if self.conditions.open.len() >= DEPTH {
                    return Err(ParseError::new(span, "conditions are nested too deeply"));
                }
                let outer = self.conditions.active();
                // The condition is opened even if it is wrong, so that its .endif does not confuse more.
                let truth = if outer { self.truth(word, c) } else { Ok(false) };
                let active = outer && *truth.as_ref().unwrap_or(&false);
                self.conditions.open.push(Condition {
                    active,
                    done: active || !outer,
                    otherwise: false,
                    line: origin.line,
                });
                truth.map(|_| true)
            }
            _ => Ok(false),
        }
    }

    fn truth(&self, word: &str, c: &mut Cursor<'_>) -> Result<bool, ParseError> {
        c.skip_space();
        Ok(match word {
            ".ifdef" | ".ifndef" | ".ifnotdef" => {
                let Some(name) = c.word() else { return Err(c.error("expected a symbol")) };
                self.symbols.is_defined(name) == (word == ".ifdef")
            }
            ".ifb" | ".ifnb" => c.rest().trim().is_empty() == (word == ".ifb"),
            ".ifc" | ".ifnc" => {
                let (a, b) =
                    c.rest().split_once(',').ok_or_else(|| c.error("expected two strings with a comma between"))?;
                let bare = |s: &str| s.trim().trim_matches('"').to_owned();
                (bare(a) == bare(b)) == (word == ".ifc")
            }
            ".ifeqs" | ".ifnes" => {
                let (a, b) =
                    c.rest().split_once(',').ok_or_else(|| c.error("expected two strings with a comma between"))?;
                (a.trim() == b.trim()) == (word == ".ifeqs")
            }
            _ => {
                let v = absolute(c, &self.here())?;
                match word {
                    ".ifeq" => v == 0,
                    ".ifgt" => v > 0,
                    ".ifge" => v >= 0,
                    ".iflt" => v < 0,
                    ".ifle" => v <= 0,
                    _ => v != 0,
                }
            }
        })
    }
}

//! Mnemonics: one per name, with the row that each target has for it.

mod table;

pub use table::id;

use crate::rows::{NONE, RowId};
use crate::target::Target;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A mnemonic without encoding suffix; the rows behind it may differ between targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mnemonic(pub u16);

impl Mnemonic {
    /// How many mnemonics there are.
    pub const COUNT: usize = table::NAMES.len();

    /// The name.
    pub fn name(self) -> &'static str {
        table::NAMES[self.0 as usize]
    }

    /// The row that `target` has for it.
    #[inline(always)]
    pub fn row(self, target: Target) -> Option<RowId> {
        match table::ROWS[self.0 as usize][target as usize] {
            NONE => None,
            n => Some(RowId(n)),
        }
    }

    /// Every mnemonic, in the order of the rows.
    pub fn all() -> impl Iterator<Item = Mnemonic> {
        (0..Mnemonic::COUNT as u16).map(Mnemonic)
    }
}

static BY_NAME: LazyLock<HashMap<&'static str, Mnemonic>> =
    LazyLock::new(|| Mnemonic::all().map(|m| (m.name(), m)).collect());

/// The mnemonic of that name.
pub fn lookup(name: &str) -> Option<Mnemonic> {
    BY_NAME.get(name).copied()
}

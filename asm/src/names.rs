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

/// The spelling that older targets and compilers use for a matrix instruction: `v_mfma_f32_32x32x1_2b_f32` was
/// `v_mfma_f32_32x32x1f32`.
fn old_spelling(name: &str) -> Option<String> {
    let rest = name.strip_prefix("v_mfma_")?;
    let (head, ty) = rest.rsplit_once('_')?;
    if !matches!(ty, "f16" | "f32" | "f64" | "bf16" | "i8" | "xf32") {
        return None;
    }
    let head = match head.rsplit_once('_') {
        Some((shape, blocks))
            if blocks.ends_with('b') && blocks[..blocks.len() - 1].bytes().all(|b| b.is_ascii_digit()) =>
        {
            shape
        }
        _ => head,
    };
    Some(format!("v_mfma_{head}{ty}"))
}

static ALIASES: LazyLock<HashMap<String, Vec<Mnemonic>>> = LazyLock::new(|| {
    let mut map: HashMap<String, Vec<Mnemonic>> = HashMap::new();
    for m in Mnemonic::all() {
        if let Some(old) = old_spelling(m.name()) {
            if m.name().ends_with("bf16") {
                map.entry(format!("{old}_1k")).or_default().push(m);
            }
            map.entry(old).or_default().push(m);
        }
    }
    map.entry("v_mul_lo_i32".to_owned()).or_default().extend(lookup("v_mul_lo_u32"));
    map
});

/// The mnemonic that `target` knows under another name.
pub fn alias(name: &str, target: Target) -> Option<Mnemonic> {
    ALIASES.get(name)?.iter().copied().find(|m| m.row(target).is_some())
}

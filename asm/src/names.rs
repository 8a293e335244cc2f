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

/// Open-addressed table of mnemonics by name; looking one up is part of every line that is assembled.
static BY_NAME: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut table = vec![NONE; SLOTS];
    for m in Mnemonic::all() {
        let mut at = slot(m.name());
        while table[at] != NONE {
            at = (at + 1) & (SLOTS - 1);
        }
        table[at] = m.0;
    }
    table
});

const SLOTS: usize = 8192;

#[inline]
fn slot(name: &str) -> usize {
    // Eight bytes at a time: names are short and not hostile, and the table is fixed.
    let mut h = name.len() as u64;
    let mut chunks = name.as_bytes().chunks_exact(8);
    let mut mix = |x: u64| h = (h.rotate_left(23) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for c in &mut chunks {
        mix(u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]));
    }
    mix(chunks.remainder().iter().fold(0, |x, b| x << 8 | u64::from(*b)));
    (h >> 40) as usize & (SLOTS - 1)
}

/// The mnemonic of that name.
pub fn lookup(name: &str) -> Option<Mnemonic> {
    let mut at = slot(name);
    loop {
        match BY_NAME[at] {
            NONE => return None,
            n if table::NAMES[n as usize] == name => return Some(Mnemonic(n)),
            _ => at = (at + 1) & (SLOTS - 1),
        }
    }
}

/// The spelling that older targets and compilers use for a matrix instruction: `v_mfma_f32_32x32x1_2b_f32` was
/// `v_mfma_f32_32x32x1f32`.
fn old_spelling(name: &str) -> Option<String> {
    // Sparse ones have no blocks, and two types where these are bytes of floating point.
    if let Some(rest) = name.strip_prefix("v_smfmac_") {
        let (result, rest) = rest.split_once('_')?;
        let (shape, types) = rest.split_once('_')?;
        return Some(format!("v_smfmac_{result}_{shape}{}", types.replace('_', "")));
    }
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
            if m.name().starts_with("v_mfma_") && m.name().ends_with("bf16") {
                map.entry(format!("{old}_1k")).or_default().push(m);
            }
            map.entry(old).or_default().push(m);
        }
    }
    map.entry("v_mul_lo_i32".to_owned()).or_default().extend(lookup("v_mul_lo_u32"));
    for moved in ["v_accvgpr_read", "v_accvgpr_write"] {
        map.entry(moved.to_owned()).or_default().extend(lookup(&format!("{moved}_b32")));
    }
    map
});

/// The mnemonic that `target` knows under another name.
pub fn alias(name: &str, target: Target) -> Option<Mnemonic> {
    ALIASES.get(name)?.iter().copied().find(|m| m.row(target).is_some())
}

//! Dynamic relocations (AMDGPUUsage, "Relocation Records"): what a loader must patch once it knows the load base.

use super::CodeObjectError;
use super::elf::{Elf, u64_at};

const RELA: usize = 24;

/// How a relocation is computed; S is the symbol's address, A the addend, P the place, B the load base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelocationKind {
    /// Low half of S + A.
    Abs32Lo,
    /// High half of S + A.
    Abs32Hi,
    /// S + A, 64 bits.
    Abs64,
    /// S + A − P, 32 bits.
    Rel32,
    /// S + A − P, 64 bits.
    Rel64,
    /// S + A, 32 bits.
    Abs32,
    /// Low half of S + A − P.
    Rel32Lo,
    /// High half of S + A − P.
    Rel32Hi,
    /// B + A, 64 bits.
    Relative64,
}

impl RelocationKind {
    /// The kind of an `R_AMDGPU_*` number that a linked object may carry.
    pub const fn from_elf(number: u32) -> Option<RelocationKind> {
        Some(match number {
            1 => RelocationKind::Abs32Lo,
            2 => RelocationKind::Abs32Hi,
            3 => RelocationKind::Abs64,
            4 => RelocationKind::Rel32,
            5 => RelocationKind::Rel64,
            6 => RelocationKind::Abs32,
            10 => RelocationKind::Rel32Lo,
            11 => RelocationKind::Rel32Hi,
            13 => RelocationKind::Relative64,
            _ => return None,
        })
    }

    /// Bytes it patches.
    pub const fn size(self) -> u64 {
        match self {
            RelocationKind::Abs64 | RelocationKind::Rel64 | RelocationKind::Relative64 => 8,
            _ => 4,
        }
    }

    /// The value to store: `symbol` is S, `place` P, `base` B, as absolute addresses. Values wider than
    /// [`size`](Self::size) are cut.
    pub const fn value(self, symbol: u64, addend: i64, place: u64, base: u64) -> u64 {
        let absolute = symbol.wrapping_add_signed(addend);
        match self {
            RelocationKind::Abs64 => absolute,
            RelocationKind::Abs32 | RelocationKind::Abs32Lo => absolute & 0xffff_ffff,
            RelocationKind::Abs32Hi => absolute >> 32,
            RelocationKind::Rel64 => absolute.wrapping_sub(place),
            RelocationKind::Rel32 | RelocationKind::Rel32Lo => absolute.wrapping_sub(place) & 0xffff_ffff,
            RelocationKind::Rel32Hi => absolute.wrapping_sub(place) >> 32,
            RelocationKind::Relative64 => base.wrapping_add_signed(addend),
        }
    }
}

/// A dynamic relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Address of the place, relative to the load base.
    pub vaddr: u64,
    /// How to compute it.
    pub kind: RelocationKind,
    /// Index of the symbol in [`CodeObject::symbols`](super::CodeObject::symbols); 0 is none.
    pub symbol: usize,
    /// Addend.
    pub addend: i64,
}

pub(super) fn read(bytes: &[u8], elf: &Elf, symbols: usize) -> Result<Vec<Relocation>, CodeObjectError> {
    let mut out = Vec::new();
    for (i, raw) in bytes[elf.rela.clone()].chunks_exact(RELA).enumerate() {
        let at = (elf.rela.start + i * RELA) as u64;
        let (vaddr, info, addend) = (u64_at(raw, 0), u64_at(raw, 8), u64_at(raw, 16) as i64);
        let number = info as u32;
        if number == 0 {
            continue;
        }
        let kind = RelocationKind::from_elf(number).ok_or(CodeObjectError::Unexpected {
            what: "relocation type",
            offset: at + 8,
            found: number.into(),
            want: "a dynamic relocation is R_AMDGPU_RELATIVE64 (13), ABS64 (3), or one of 1, 2, 4, 5, 6, 10, 11",
        })?;
        let symbol = (info >> 32) as usize;
        if symbol != 0 && symbol >= symbols {
            return Err(CodeObjectError::Unexpected {
                what: "relocation symbol",
                offset: at + 12,
                found: symbol as u64,
                want: "it must index the dynamic symbol table",
            });
        }
        let fits = elf
            .segments
            .iter()
            .any(|s| vaddr >= s.vaddr && vaddr.checked_add(kind.size()).is_some_and(|end| end <= s.vaddr + s.size));
        if !fits {
            return Err(CodeObjectError::Unexpected {
                what: "relocation offset",
                offset: at,
                found: vaddr,
                want: "it must lie in a loadable segment",
            });
        }
        out.push(Relocation { vaddr, kind, symbol, addend });
    }
    Ok(out)
}

//! Relocations: which exist on AMDGPU, and what each writes (AMDGPUUsage, "Relocation Records").

/// How a symbol's address is written where a relocation points. `S` is the symbol's address, `A` the addend, `P` the
/// place, `G` the address of the symbol's GOT entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelocKind {
    /// Low 32 bits of `S + A`.
    Abs32Lo,
    /// High 32 bits of `S + A`.
    Abs32Hi,
    /// `S + A`, 64 bits.
    Abs64,
    /// `S + A`, which must fit 32 bits.
    Abs32,
    /// `S + A − P`, which must fit 32 bits.
    Rel32,
    /// `S + A − P`, 64 bits.
    Rel64,
    /// Low 32 bits of `S + A − P`.
    Rel32Lo,
    /// High 32 bits of `S + A − P`.
    Rel32Hi,
    /// `(S + A − P − 4) / 4` in the 16 bits of a branch.
    Rel16,
    /// `G + A − P`, which must fit 32 bits.
    GotPcRel,
    /// Low 32 bits of `G + A − P`.
    GotPcRel32Lo,
    /// High 32 bits of `G + A − P`.
    GotPcRel32Hi,
}

impl RelocKind {
    /// Bytes written.
    pub const fn width(self) -> usize {
        match self {
            RelocKind::Abs64 | RelocKind::Rel64 => 8,
            RelocKind::Rel16 => 2,
            _ => 4,
        }
    }

    /// Whether it goes through the global offset table.
    pub const fn needs_got(self) -> bool {
        matches!(self, RelocKind::GotPcRel | RelocKind::GotPcRel32Lo | RelocKind::GotPcRel32Hi)
    }

    /// Whether the value depends on where the object is loaded.
    pub const fn is_absolute(self) -> bool {
        matches!(self, RelocKind::Abs32Lo | RelocKind::Abs32Hi | RelocKind::Abs64 | RelocKind::Abs32)
    }

    /// The value's bytes, or `None` where it does not fit. `target` is `S + A` or `G + A`.
    pub(crate) fn value(self, target: u64, place: u64) -> Option<u64> {
        let rel = target.wrapping_sub(place);
        let fits32 = |v: u64| i32::try_from(v as i64).ok().map(|_| v);
        match self {
            RelocKind::Abs32Lo => Some(target & 0xffff_ffff),
            RelocKind::Abs32Hi => Some(target >> 32),
            RelocKind::Abs64 => Some(target),
            RelocKind::Abs32 => u32::try_from(target).ok().map(u64::from),
            RelocKind::Rel32 | RelocKind::GotPcRel => fits32(rel),
            RelocKind::Rel64 => Some(rel),
            RelocKind::Rel32Lo | RelocKind::GotPcRel32Lo => Some(rel & 0xffff_ffff),
            RelocKind::Rel32Hi | RelocKind::GotPcRel32Hi => Some(rel >> 32),
            RelocKind::Rel16 => {
                let bytes = rel.wrapping_sub(4) as i64;
                (bytes % 4 == 0).then(|| i16::try_from(bytes / 4).ok()).flatten().map(|v| u64::from(v as u16))
            }
        }
    }
}

/// A place in a section that receives a symbol's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Byte offset in the section (or in the kernel's code, for a kernel's own relocations).
    pub offset: u64,
    /// What is written.
    pub kind: RelocKind,
    /// The symbol.
    pub symbol: String,
    /// Added to its address.
    pub addend: i64,
}

impl Relocation {
    /// The first byte after what is written.
    pub(crate) fn end(&self) -> u64 {
        self.offset.saturating_add(self.kind.width() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_counts_words_from_the_next_instruction() {
        assert_eq!(RelocKind::Rel16.value(0x1010, 0x1000), Some(3));
        assert_eq!(RelocKind::Rel16.value(0x1000, 0x1000), Some(0xffff));
        assert_eq!(RelocKind::Rel16.value(0x1002, 0x1000), None);
        assert_eq!(RelocKind::Rel16.value(0x1004 + 4 * 32767, 0x1000), Some(32767));
        assert_eq!(RelocKind::Rel16.value(0x1004 + 4 * 32768, 0x1000), None);
    }

    #[test]
    fn halves_of_a_pc_relative_address_make_it_whole() {
        let (target, place) = (0x1000u64, 0x1_0000_2000u64);
        let lo = RelocKind::Rel32Lo.value(target, place).unwrap();
        let hi = RelocKind::Rel32Hi.value(target, place).unwrap();
        assert_eq!((lo | hi << 32).wrapping_add(place), target);
        assert_eq!(RelocKind::Rel32.value(target, place), None);
    }
}

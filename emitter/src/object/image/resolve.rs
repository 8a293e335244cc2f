//! Relocations: which the link step finishes, which it leaves to the loader.

use super::layout::{Layout, Placed};
use super::{Image, Place, SectionKind};
use crate::object::{LinkError, RelocKind, Relocation};
use object::elf;
use object::write::elf::Rel;
use std::collections::HashMap;

const R_ABS64: u32 = 3;
const R_RELATIVE64: u32 = 13;

/// What relocating gives.
pub(super) struct Resolved {
    /// Contents of the sections that were changed.
    pub contents: HashMap<usize, Vec<u8>>,
    /// What the loader must do, relative entries first.
    pub rela: Vec<Rel>,
    /// How many of them are relative.
    pub relative: usize,
    /// Address of each symbol; 0 for undefined ones.
    pub addresses: Vec<u64>,
}

impl Image {
    /// Finishes what can be finished now that addresses are known.
    pub(super) fn resolve(
        &self,
        l: &Layout,
        by_name: &HashMap<&str, usize>,
        got: &[usize],
    ) -> Result<Resolved, LinkError> {
        let dynsym_of: HashMap<usize, u32> = l.dynamic.iter().zip(1u32..).map(|(s, i)| (*s, i)).collect();
        let section_of: HashMap<usize, &Placed> = l.placed.iter().map(|p| (p.section, p)).collect();
        let address = |i: usize| match self.symbols[i].place {
            Place::Section(s, offset) => section_of[&s].addr + offset,
            Place::Absolute(v) => v,
            Place::Undefined => 0,
        };
        let got_addr: HashMap<usize, u64> =
            got.iter().zip(0u64..).map(|(s, n)| (*s, l.got_at + l.relro_bias + 8 * n)).collect();
        let mut contents: HashMap<usize, Vec<u8>> = HashMap::new();
        let mut rela: Vec<Rel> = Vec::new();
        let dynamic_entry = |symbol: usize, at: u64, addend: i64| {
            if self.symbols[symbol].place == Place::Undefined {
                Rel { r_offset: at, r_sym: dynsym_of[&symbol], r_type: elf::RelocationType(R_ABS64), r_addend: addend }
            } else {
                let value = address(symbol).wrapping_add_signed(addend);
                Rel { r_offset: at, r_sym: 0, r_type: elf::RelocationType(R_RELATIVE64), r_addend: value as i64 }
            }
        };
        for p in &l.placed {
            let section = &self.sections[p.section];
            if section.relocations.is_empty() {
                continue;
            }
            let mut data = section.data.clone();
            for r in &section.relocations {
                let symbol = by_name[r.symbol.as_str()];
                let place = p.addr + r.offset;
                if self.is_dynamic(section, r, symbol) {
                    rela.push(dynamic_entry(symbol, place, r.addend));
                    continue;
                }
                let base = if r.kind.needs_got() { got_addr[&symbol] } else { address(symbol) };
                let value = r.kind.value(base.wrapping_add_signed(r.addend), place).ok_or_else(|| {
                    LinkError::OutOfReach { symbol: r.symbol.clone(), section: section.name.clone(), offset: r.offset }
                })?;
                let (at, width) = (r.offset as usize, r.kind.width());
                data[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
            }
            contents.insert(p.section, data);
        }
        for s in got {
            rela.push(dynamic_entry(*s, got_addr[s], 0));
        }
        // Relative entries first, so that their count may be given; all in the order that LLVM's linker gives them.
        rela.sort_by_key(|r| (r.r_type.0 != R_RELATIVE64, r.r_sym, r.r_offset));
        let relative = rela.iter().filter(|r| r.r_type.0 == R_RELATIVE64).count();
        let addresses = (0..self.symbols.len()).map(address).collect();
        Ok(Resolved { contents, rela, relative, addresses })
    }

    /// Symbols that need an entry in the global offset table, in order of first use.
    pub(super) fn got_entries(&self, by_name: &HashMap<&str, usize>) -> Result<Vec<usize>, LinkError> {
        let mut got = Vec::new();
        for (section, r) in self.sections.iter().flat_map(|s| s.relocations.iter().map(move |r| (s, r))) {
            let Some(&symbol) = by_name.get(r.symbol.as_str()) else {
                return Err(LinkError::UnknownSymbol {
                    symbol: r.symbol.clone(),
                    section: section.name.clone(),
                    offset: r.offset,
                });
            };
            if r.end() > section.data.len() as u64 {
                return Err(LinkError::OutsideSection { section: section.name.clone(), offset: r.offset });
            }
            if r.kind.needs_got() && !got.contains(&symbol) {
                got.push(symbol);
            }
        }
        Ok(got)
    }

    /// Whether the loader must finish the relocation: a 64-bit address in loaded data.
    fn is_dynamic(&self, section: &super::Section, r: &Relocation, symbol: usize) -> bool {
        section.kind != SectionKind::Debug
            && r.kind == RelocKind::Abs64
            && !matches!(self.symbols[symbol].place, Place::Absolute(_))
    }

    pub(super) fn count_dynamic_relocations(&self, by_name: &HashMap<&str, usize>) -> Result<usize, LinkError> {
        let mut count = 0;
        for section in &self.sections {
            for r in &section.relocations {
                let symbol = by_name[r.symbol.as_str()];
                let place = self.symbols[symbol].place;
                let error = |what| LinkError::Unsupported {
                    symbol: r.symbol.clone(),
                    section: section.name.clone(),
                    offset: r.offset,
                    what,
                };
                if self.is_dynamic(section, r, symbol) {
                    if !matches!(section.kind, SectionKind::Data | SectionKind::Relro) {
                        return Err(error("an address known only at load time in a read-only section"));
                    }
                    count += 1;
                } else if section.kind != SectionKind::Debug && r.kind.is_absolute() && place_moves(place) {
                    return Err(error("a 32-bit absolute address in a position-independent object"));
                } else if place == Place::Undefined && !r.kind.needs_got() {
                    return Err(error("a pc-relative reference to a symbol that is defined nowhere"));
                }
            }
        }
        Ok(count)
    }
}

fn place_moves(place: Place) -> bool {
    !matches!(place, Place::Absolute(_))
}

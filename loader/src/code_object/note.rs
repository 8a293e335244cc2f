//! Finds the metadata notes: vendor `AMDGPU`, type `NT_AMDGPU_METADATA`.

use super::CodeObjectError;
use super::elf::{Elf, slice};
use goblin::elf::section_header::SHT_NOTE;
use std::ops::Range;

const NT_AMDGPU_METADATA: u32 = 32;

/// The file ranges of the notes' contents: one of each object that a linker put together, as hipBLASLt's and rocBLAS's
/// libraries are. Note sections, which some writers leave out of the segments, count where no segment has any.
pub(super) fn all(bytes: &[u8], elf: &Elf) -> Result<Vec<Range<usize>>, CodeObjectError> {
    let mut found = Vec::new();
    for range in &elf.notes {
        search(bytes, range.clone(), &mut found)?;
    }
    if !found.is_empty() {
        return Ok(found);
    }
    for section in elf.sections.iter().filter(|s| s.sh_type == SHT_NOTE) {
        search(bytes, slice(bytes, "note section", section.sh_offset, section.sh_size)?, &mut found)?;
    }
    Ok(found)
}

fn search(bytes: &[u8], range: Range<usize>, found: &mut Vec<Range<usize>>) -> Result<(), CodeObjectError> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
    let mut at = range.start;
    while at + 12 <= range.end {
        let (name_size, size, kind) = (word(at), word(at + 4), word(at + 8));
        let name = at as u64 + 12;
        let contents = name + u64::from(name_size).next_multiple_of(4);
        let end = contents + u64::from(size);
        if end > range.end as u64 {
            return Err(CodeObjectError::OutOfBounds {
                what: "note",
                offset: at as u64,
                size: end - at as u64,
                file: range.end as u64,
            });
        }
        let vendor = &bytes[name as usize..(name + u64::from(name_size)) as usize];
        if kind == NT_AMDGPU_METADATA && vendor.strip_suffix(&[0]).unwrap_or(vendor) == b"AMDGPU" {
            // Segments of a hostile file may all name the same bytes: what is read stays within the file's size.
            let before: usize = found.iter().map(|f: &Range<usize>| f.len()).sum();
            if before + size as usize <= bytes.len() {
                found.push(contents as usize..end as usize);
            }
        }
        at = end.next_multiple_of(4) as usize;
    }
    // What is left is padding; anything else is a note that is cut off.
    let rest = bytes.get(at..range.end).unwrap_or_default();
    if at == range.start && !rest.is_empty() || rest.iter().any(|b| *b != 0) {
        return Err(CodeObjectError::OutOfBounds {
            what: "the header of a note",
            offset: at as u64,
            size: 12,
            file: range.end as u64,
        });
    }
    Ok(())
}

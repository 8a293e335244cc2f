//! Source lines from the object's DWARF line tables, where it has them.
//!
//! A table that cannot be read is no reason not to check the code: what is readable is used, the rest is left out.

use crate::finding::Source;
use gimli::{EndianSlice, LittleEndian};
use goblin::elf::Elf;
use std::collections::BTreeMap;

/// Lines by the address at which each begins; the end of a sequence is not marked, because code is contiguous.
pub(crate) fn lines(bytes: &[u8]) -> BTreeMap<u64, Source> {
    let mut out = BTreeMap::new();
    // Most objects have no table, and then nothing else needs to be read.
    if let Some(elf) = Elf::parse(bytes).ok().filter(|e| section(e, bytes, ".debug_line").is_some()) {
        let _ = read(&elf, bytes, &mut out);
    }
    out
}

fn section<'a>(elf: &Elf<'_>, bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let header = elf.section_headers.iter().find(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(name))?;
    bytes.get(header.file_range()?)
}

fn read(elf: &Elf<'_>, bytes: &[u8], out: &mut BTreeMap<u64, Source>) -> gimli::Result<()> {
    let load = |id: gimli::SectionId| -> Result<EndianSlice<'_, LittleEndian>, gimli::Error> {
        Ok(EndianSlice::new(section(elf, bytes, id.name()).unwrap_or(&[]), LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(load)?;
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let Some(program) = unit.line_program.clone() else { continue };
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            if row.end_sequence() {
                continue;
            }
            let Some(line) = row.line() else { continue };
            let Some(file) = row.file(header) else { continue };
            let mut name = String::new();
            if let Some(directory) = file.directory(header) {
                name = dwarf.attr_string(&unit, directory)?.to_string_lossy().into_owned();
            }
            let base = dwarf.attr_string(&unit, file.path_name())?.to_string_lossy().into_owned();
            let file = if name.is_empty() || base.starts_with('/') { base } else { format!("{name}/{base}") };
            out.insert(row.address(), Source { file, line: u32::try_from(line.get()).unwrap_or(u32::MAX) });
        }
    }
    Ok(())
}

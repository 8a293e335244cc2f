//! DWARF line tables: which Rust line emitted the instruction at each address.
//!
//! One unit holds all kernels; a debugger or `llvm-objdump -l` then shows the generator's source. What the emitter put
//! in by itself belongs to the line of the instruction it precedes.

use super::image::{Section, SectionKind};
use super::{LinkError, RelocKind, Relocation};
use crate::kernel::Kernel;
use crate::listing::Line;
use gimli::write::{
    Address, AttributeValue, DwarfUnit, EndianVec, FileId, LineProgram, LineString, Range, RangeList, Sections, Writer,
};
use gimli::{Encoding, Format, LineEncoding, LittleEndian};

/// Section bytes and the places that receive kernel addresses.
#[derive(Clone)]
struct Buffer {
    bytes: EndianVec<LittleEndian>,
    /// Offset, kernel, addend.
    addresses: Vec<(usize, usize, i64)>,
}

impl Writer for Buffer {
    type Endian = LittleEndian;

    fn endian(&self) -> LittleEndian {
        LittleEndian
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    fn write(&mut self, bytes: &[u8]) -> gimli::write::Result<()> {
        self.bytes.write(bytes)
    }

    fn write_at(&mut self, offset: usize, bytes: &[u8]) -> gimli::write::Result<()> {
        self.bytes.write_at(offset, bytes)
    }

    fn write_address(&mut self, address: Address, size: u8) -> gimli::write::Result<()> {
        match address {
            Address::Constant(value) => self.write_udata(value, size),
            Address::Symbol { symbol, addend } => {
                self.addresses.push((self.len(), symbol, addend));
                self.write_udata(0, size)
            }
        }
    }
}

/// The debug sections for `kernels`; none if no instruction has a source line.
pub(super) fn sections(kernels: &[Kernel]) -> Result<Vec<Section>, LinkError> {
    let known = |l: &Line| matches!(l, Line::Instruction { source: Some(_), .. });
    let Some(first) = kernels.iter().find(|k| k.listing.lines.iter().any(known)) else {
        return Ok(Vec::new());
    };
    let failed = |e: gimli::write::Error| LinkError::TooLarge(format!("line table: {e}"));
    // Version 4 is what every reader of these objects knows.
    let encoding = Encoding { format: Format::Dwarf32, version: 4, address_size: 8 };
    let name = |s: &str| LineString::String(s.as_bytes().to_vec());
    let mut unit = DwarfUnit::new(encoding);
    // Paths are the compiler's: relative to the root of the generator's workspace.
    let line_encoding = LineEncoding { minimum_instruction_length: 4, ..LineEncoding::default() };
    let mut program = LineProgram::new(encoding, line_encoding, name("."), None, name(&first.name), None);
    let dir = program.default_directory();
    let mut ranges = Vec::new();
    // Neighbouring instructions mostly come from one file, whose name is one and the same string.
    let mut last: Option<(*const u8, FileId)> = None;
    for (symbol, kernel) in kernels.iter().enumerate() {
        let begin = Address::Symbol { symbol, addend: 0 };
        let length = kernel.code.len() as u64;
        ranges.push(Range::StartLength { begin, length });
        program.begin_sequence(Some(begin));
        let mut pending = None;
        for line in &kernel.listing.lines {
            let Line::Instruction { offset, source, .. } = line else { continue };
            let start = *pending.get_or_insert(*offset);
            let Some(at) = source else { continue };
            pending = None;
            let file = match last {
                Some((text, file)) if std::ptr::eq(text, at.file().as_ptr()) => file,
                _ => program.add_file(name(at.file()), dir, None),
            };
            last = Some((at.file().as_ptr(), file));
            let row = program.row();
            row.address_offset = u64::from(start);
            row.file = file;
            row.line = u64::from(at.line());
            row.column = u64::from(at.column());
            program.generate_row();
        }
        program.end_sequence(length);
        let root = unit.unit.root();
        let die = unit.unit.add(root, gimli::DW_TAG_subprogram);
        let die = unit.unit.get_mut(die);
        die.set(gimli::DW_AT_name, AttributeValue::String(kernel.name.as_bytes().to_vec()));
        die.set(gimli::DW_AT_low_pc, AttributeValue::Address(begin));
        die.set(gimli::DW_AT_high_pc, AttributeValue::Udata(length));
    }
    unit.unit.line_program = program;
    let ranges = unit.unit.ranges.add(RangeList(ranges));
    let root = unit.unit.root();
    let root = unit.unit.get_mut(root);
    root.set(gimli::DW_AT_producer, AttributeValue::String(b"wavesmith".to_vec()));
    root.set(gimli::DW_AT_name, AttributeValue::String(first.name.as_bytes().to_vec()));
    root.set(gimli::DW_AT_comp_dir, AttributeValue::String(b".".to_vec()));
    root.set(gimli::DW_AT_language, AttributeValue::Language(gimli::DW_LANG_Rust));
    root.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
    root.set(gimli::DW_AT_low_pc, AttributeValue::Address(Address::Constant(0)));

    let mut out = Sections::new(Buffer { bytes: EndianVec::new(LittleEndian), addresses: Vec::new() });
    unit.write(&mut out).map_err(failed)?;
    let mut sections = Vec::new();
    out.for_each(|id, buffer| -> Result<(), LinkError> {
        if buffer.len() > 0 {
            let mut section = Section::new(id.name(), SectionKind::Debug, 1, buffer.bytes.slice().to_vec());
            section.relocations = buffer
                .addresses
                .iter()
                .map(|&(offset, kernel, addend)| Relocation {
                    offset: offset as u64,
                    kind: RelocKind::Abs64,
                    symbol: kernels[kernel].name.clone(),
                    addend,
                })
                .collect();
            sections.push(section);
        }
        Ok(())
    })?;
    Ok(sections)
}

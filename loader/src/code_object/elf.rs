//! The ELF container: identity, segments, sections and the dynamic table, each bounds-checked before it is used.

use super::{AbiVersion, CodeObjectError, Features, MAX_SPAN, Segment, foreign};
use goblin::container::{Container, Ctx, Endian};
use goblin::elf::dynamic::{DT_NULL, DT_RELA, DT_RELASZ};
use goblin::elf::header::{ELFCLASS64, ELFDATA2LSB, ELFMAG, ET_DYN};
use goblin::elf::program_header::{PF_W, PF_X, PT_DYNAMIC, PT_LOAD, PT_NOTE, ProgramHeader};
use goblin::elf::section_header::SectionHeader;
use std::ops::Range;
use wavesmith_asm::Target;

/// `e_machine` of AMD GPUs.
const EM_AMDGPU: u16 = 224;
/// `EI_OSABI` of the HSA runtime.
const ELFOSABI_AMDGPU_HSA: u8 = 64;
const EHDR: usize = 64;
const PHDR: u64 = 56;
const SHDR: u64 = 64;
const DYN: usize = 16;

/// The checked container.
pub(super) struct Elf {
    pub target: Target,
    pub abi: AbiVersion,
    pub features: Features,
    pub segments: Vec<Segment>,
    /// File ranges of `PT_NOTE` segments.
    pub notes: Vec<Range<usize>>,
    pub sections: Vec<SectionHeader>,
    /// File range of the dynamic relocations (`DT_RELA`, `DT_RELASZ`), empty without.
    pub rela: Range<usize>,
}

/// A range of the file, checked.
pub(super) fn slice(bytes: &[u8], what: &'static str, offset: u64, size: u64) -> Result<Range<usize>, CodeObjectError> {
    match offset.checked_add(size) {
        Some(end) if end <= bytes.len() as u64 => Ok(offset as usize..end as usize),
        _ => Err(CodeObjectError::OutOfBounds { what, offset, size, file: bytes.len() as u64 }),
    }
}

/// A little-endian word at an offset known to be inside.
pub(super) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    bytes.get(offset..offset + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// The file range of `size` bytes at an address.
pub(super) fn file_range(segments: &[Segment], vaddr: u64, size: u64) -> Option<Range<usize>> {
    let end = vaddr.checked_add(size)?;
    let segment = segments.iter().find(|s| s.vaddr <= vaddr && end <= s.vaddr.saturating_add(s.file.len() as u64))?;
    let start = segment.file.start + (vaddr - segment.vaddr) as usize;
    Some(start..start + size as usize)
}

impl Elf {
    pub fn read(bytes: &[u8]) -> Result<Elf, CodeObjectError> {
        let unexpected = |what, offset, found, want| Err(CodeObjectError::Unexpected { what, offset, found, want });
        slice(bytes, "ELF header", 0, EHDR as u64)?;
        if &bytes[..4] != ELFMAG {
            let found = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            return unexpected("ELF magic", 0, found.into(), "a code object starts with 7f 45 4c 46");
        }
        if bytes[4] != ELFCLASS64 {
            return unexpected("EI_CLASS", 4, bytes[4].into(), "code objects are 64-bit (2)");
        }
        if bytes[5] != ELFDATA2LSB {
            return unexpected("EI_DATA", 5, bytes[5].into(), "code objects are little-endian (1)");
        }
        let header = goblin::elf::Elf::parse_header(bytes).map_err(|e| CodeObjectError::Elf(e.to_string()))?;
        if header.e_machine != EM_AMDGPU {
            return unexpected("e_machine", 18, header.e_machine.into(), "AMD GPU code is EM_AMDGPU (0xe0)");
        }
        if header.e_ident[7] != ELFOSABI_AMDGPU_HSA {
            return unexpected(
                "EI_OSABI",
                7,
                header.e_ident[7].into(),
                "HSA code objects have ELFOSABI_AMDGPU_HSA (0x40)",
            );
        }
        if header.e_type != ET_DYN {
            return unexpected(
                "e_type",
                16,
                header.e_type.into(),
                "a linked code object is a shared object (ET_DYN, 3); link it with ld.lld -shared",
            );
        }
        let Some(abi) = AbiVersion::from_elf(header.e_ident[8]) else {
            return unexpected("EI_ABIVERSION", 8, header.e_ident[8].into(), "known are 1 to 4 (code object v3 to v6)");
        };
        let mach = header.e_flags & 0xff;
        if let Some(name) = foreign::name(mach) {
            return Err(CodeObjectError::ForeignTarget { name, e_flags: header.e_flags });
        }
        let Some(target) = Target::from_elf_mach(mach) else {
            return unexpected(
                "e_flags",
                48,
                header.e_flags.into(),
                "its low byte names no known target: 0x30 gfx908, 0x3f gfx90a, 0x4c gfx942, 0x4f gfx950",
            );
        };
        let features = Features::from_elf(abi, header.e_flags);

        let ctx = Ctx::new(Container::Big, Endian::Little);
        let count = u64::from(header.e_phnum);
        if count != 0 && u64::from(header.e_phentsize) != PHDR {
            return unexpected("e_phentsize", 54, header.e_phentsize.into(), "a program header has 56 bytes");
        }
        slice(bytes, "program headers", header.e_phoff, count * PHDR)?;
        let headers = ProgramHeader::parse(bytes, header.e_phoff as usize, count as usize, ctx)
            .map_err(|e| CodeObjectError::Elf(e.to_string()))?;
        let mut segments = Vec::new();
        let mut notes = Vec::new();
        let mut dynamic = 0..0;
        for (i, p) in headers.iter().enumerate() {
            let at = header.e_phoff + i as u64 * PHDR;
            match p.p_type {
                PT_LOAD => {
                    let file = slice(bytes, "PT_LOAD segment", p.p_offset, p.p_filesz)?;
                    if p.p_filesz > p.p_memsz {
                        return unexpected(
                            "p_filesz",
                            at + 32,
                            p.p_filesz,
                            "a segment's bytes must fit into its p_memsz",
                        );
                    }
                    if p.p_vaddr > MAX_SPAN || p.p_memsz > MAX_SPAN - p.p_vaddr {
                        return unexpected("p_memsz", at + 40, p.p_memsz, "segments must end below 2^40");
                    }
                    if p.p_align > 1 && !p.p_align.is_power_of_two() {
                        return unexpected("p_align", at + 48, p.p_align, "an alignment is a power of two");
                    }
                    segments.push(Segment {
                        file,
                        vaddr: p.p_vaddr,
                        size: p.p_memsz,
                        align: p.p_align.max(1),
                        writable: p.p_flags & PF_W != 0,
                        executable: p.p_flags & PF_X != 0,
                    });
                }
                PT_NOTE => notes.push(slice(bytes, "PT_NOTE segment", p.p_offset, p.p_filesz)?),
                PT_DYNAMIC => dynamic = slice(bytes, "PT_DYNAMIC segment", p.p_offset, p.p_filesz)?,
                _ => {}
            }
        }

        let count = u64::from(header.e_shnum);
        if count != 0 && u64::from(header.e_shentsize) != SHDR {
            return unexpected("e_shentsize", 58, header.e_shentsize.into(), "a section header has 64 bytes");
        }
        slice(bytes, "section headers", header.e_shoff, count * SHDR)?;
        let sections = if count == 0 {
            Vec::new()
        } else {
            SectionHeader::parse(bytes, header.e_shoff as usize, count as usize, ctx)
                .map_err(|e| CodeObjectError::Elf(e.to_string()))?
        };

        let (mut rela, mut rela_size) = (None, 0);
        for entry in bytes[dynamic.clone()].chunks_exact(DYN) {
            match (u64_at(entry, 0), u64_at(entry, 8)) {
                (DT_NULL, _) => break,
                (DT_RELA, v) => rela = Some(v),
                (DT_RELASZ, v) => rela_size = v,
                _ => {}
            }
        }
        let rela = match rela {
            Some(vaddr) if rela_size != 0 => match file_range(&segments, vaddr, rela_size) {
                Some(range) => range,
                None => {
                    return unexpected(
                        "DT_RELA",
                        dynamic.start as u64,
                        vaddr,
                        "relocations must lie in a segment's file part",
                    );
                }
            },
            _ => 0..0,
        };
        Ok(Elf { target, abi, features, segments, notes, sections, rela })
    }

    pub fn file_range(&self, vaddr: u64, size: u64) -> Option<Range<usize>> {
        file_range(&self.segments, vaddr, size)
    }
}

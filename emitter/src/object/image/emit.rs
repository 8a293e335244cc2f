//! The bytes, in the order that the layout reserved them.

use super::layout::{Layout, Placed};
use super::resolve::Resolved;
use super::{Image, PAGE, Place, Scope, SectionKind, SymbolKind, too_large};
use crate::object::LinkError;
use object::elf;
use object::write::StringId;
use object::write::elf::{FileHeader, ProgramHeader, SectionHeader, Sym, SymbolIndex, Writer};

/// The hash table's bloom shift, as LLVM's linker chooses it.
const BLOOM_SHIFT: u32 = 26;
const ELFOSABI_AMDGPU_HSA: u8 = 64;
const R: u32 = 4;
const W: u32 = 2;
const X: u32 = 1;
const ALLOC: u64 = 2;
const WRITE: u64 = 1;
const EXEC: u64 = 4;
const STB_LOCAL: u8 = 0;
const STB_GLOBAL: u8 = 1;
const STT_NOTYPE: u8 = 0;
const STT_OBJECT: u8 = 1;
const STT_FUNC: u8 = 2;
const STV_DEFAULT: u8 = 0;
const STV_HIDDEN: u8 = 2;
const STV_PROTECTED: u8 = 3;
const SHN_ABS: u16 = 0xfff1;

impl Image {
    /// File header, program headers, note.
    pub(super) fn write_headers(&self, w: &mut Writer<'_>, l: &Layout) -> Result<(), LinkError> {
        w.write_file_header(&FileHeader {
            os_abi: elf::OsAbi(ELFOSABI_AMDGPU_HSA),
            abi_version: self.version.abi(),
            e_type: elf::ET_DYN,
            e_machine: elf::EM_AMDGPU,
            e_entry: 0,
            e_flags: elf::FileFlags(self.target.elf_mach() | self.features.e_flags()),
        })
        .map_err(too_large)?;
        w.write_align_program_headers();
        let phdrs = 8 + u64::from(l.has_data) - u64::from(self.note.is_empty());
        let mut segment = |kind, flags: u32, offset: u64, addr: u64, filesz: u64, memsz: u64, align: u64| {
            w.write_program_header(&ProgramHeader {
                p_type: kind,
                p_flags: elf::ProgramFlags(flags),
                p_offset: offset,
                p_vaddr: addr,
                p_paddr: addr,
                p_filesz: filesz,
                p_memsz: memsz,
                p_align: align,
            });
        };
        let dynamic_size = 16 * l.dynamic_num as u64;
        let relro = (l.relro_at, l.relro_at + l.relro_bias, l.relro_end - l.relro_at);
        let relro_memsz = l.relro_addr_end - relro.1;
        segment(elf::PT_PHDR, R, 64, 64, 56 * phdrs, 56 * phdrs, 8);
        segment(elf::PT_LOAD, R, 0, 0, l.r_end, l.r_end, PAGE);
        segment(elf::PT_LOAD, R | X, l.rx_at, l.rx_at + l.rx_bias, l.rx_end - l.rx_at, l.rx_end - l.rx_at, PAGE);
        segment(elf::PT_LOAD, R | W, relro.0, relro.1, relro.2, relro_memsz, PAGE);
        if l.has_data {
            let start = l.data_at + l.data_bias;
            segment(elf::PT_LOAD, R | W, l.data_at, start, l.data_end - l.data_at, l.bss_addr - start, PAGE);
        }
        segment(elf::PT_DYNAMIC, R | W, l.dynamic_at, l.dynamic_at + l.relro_bias, dynamic_size, dynamic_size, 8);
        segment(elf::PT_GNU_RELRO, R, relro.0, relro.1, relro.2, relro_memsz, 1);
        segment(elf::PT_GNU_STACK, R | W, 0, 0, 0, 0, 0);
        if !l.note_bytes.is_empty() {
            let size = l.note_bytes.len() as u64;
            segment(elf::PT_NOTE, R, l.note_at, l.note_at, size, size, 4);
            w.write_align(4);
            w.write(&l.note_bytes);
        }
        Ok(())
    }

    /// Dynamic tables and the contents of sections.
    pub(super) fn write_contents(
        &self,
        w: &mut Writer<'_>,
        l: &Layout,
        r: &Resolved,
        got_count: usize,
    ) -> Result<(), LinkError> {
        w.write_null_dynamic_symbol();
        for (i, name) in l.dynamic.iter().zip(&l.dynamic_names) {
            w.write_dynamic_symbol(&self.sym(l, r, *i, *name));
        }
        w.write_gnu_hash(
            l.undefined.len() as u32 + 1,
            BLOOM_SHIFT,
            l.bloom_words,
            l.buckets,
            l.defined.len() as u32,
            |n| elf::gnu_hash(self.symbols[l.defined[n as usize]].name.as_bytes()),
        );
        w.write_hash(l.dynsym_count, l.dynsym_count, |n| {
            let i = n.checked_sub(1)?;
            Some(elf::hash(self.symbols[l.dynamic[i as usize]].name.as_bytes()))
        });
        w.write(&l.dynstr);
        if !r.rela.is_empty() {
            w.write_align_relocation();
            for entry in &r.rela {
                w.write_relocation(true, entry);
            }
        }
        let write_kind = |w: &mut Writer<'_>, kind| {
            for p in l.placed.iter().filter(|p| self.sections[p.section].kind == kind) {
                w.pad_until(p.offset);
                w.write(r.contents.get(&p.section).unwrap_or(&self.sections[p.section].data));
            }
        };
        write_kind(w, SectionKind::Rodata);
        write_kind(w, SectionKind::Text);
        write_kind(w, SectionKind::Relro);
        w.write_align_dynamic();
        let addr_of = |w: &mut Writer<'_>, tag, value| w.write_dynamic(tag, value).map_err(too_large);
        if !r.rela.is_empty() {
            addr_of(w, elf::DT_RELA, l.rela_at)?;
            addr_of(w, elf::DT_RELASZ, 24 * r.rela.len() as u64)?;
            addr_of(w, elf::DT_RELAENT, 24)?;
            addr_of(w, elf::DT_RELACOUNT, r.relative as u64)?;
        }
        addr_of(w, elf::DT_SYMTAB, l.dynsym_at)?;
        addr_of(w, elf::DT_SYMENT, 24)?;
        addr_of(w, elf::DT_STRTAB, l.dynstr_at)?;
        let dynstr_len = l.dynstr.len() as u64;
        addr_of(w, elf::DT_STRSZ, dynstr_len)?;
        addr_of(w, elf::DT_GNU_HASH, l.gnu_at)?;
        addr_of(w, elf::DT_HASH, l.hash_at)?;
        addr_of(w, elf::DT_NULL, 0)?;
        w.pad_until(l.got_at);
        w.write(&vec![0; 8 * got_count]);
        write_kind(w, SectionKind::Data);
        write_kind(w, SectionKind::Debug);
        Ok(())
    }

    /// A symbol table entry.
    fn sym(&self, l: &Layout, r: &Resolved, i: usize, name: u32) -> Sym {
        let s = &self.symbols[i];
        let kind = match s.kind {
            SymbolKind::Function => STT_FUNC,
            SymbolKind::Object => STT_OBJECT,
            SymbolKind::None => STT_NOTYPE,
        };
        let (bind, other) = match s.scope {
            Scope::Local => (STB_LOCAL, STV_DEFAULT),
            Scope::Protected => (STB_GLOBAL, STV_PROTECTED),
            Scope::Global => (STB_GLOBAL, STV_DEFAULT),
        };
        let (section, shndx) = match s.place {
            Place::Section(sec, _) => (l.placed.iter().find(|p| p.section == sec).map(|p| p.index.0), 0),
            Place::Absolute(_) => (None, SHN_ABS),
            Place::Undefined => (None, 0),
        };
        Sym {
            section,
            st_name: name,
            st_info: elf::SymbolInfo(bind << 4 | kind),
            st_other: elf::SymbolOther(other),
            st_shndx: elf::SymbolSection(shndx),
            st_value: r.addresses[i],
            st_size: s.size,
        }
    }

    /// The static symbol table and its strings.
    pub(super) fn write_symbols(&self, w: &mut Writer<'_>, l: &Layout, r: &Resolved) {
        w.write_null_symbol();
        let name = w.string_offset(Some(l.dynamic_symbol_name));
        w.write_symbol(&Sym {
            section: Some(l.dynamic_index.0),
            st_name: name,
            st_info: elf::SymbolInfo(STB_LOCAL << 4),
            st_other: elf::SymbolOther(STV_HIDDEN),
            st_shndx: elf::SymbolSection(0),
            st_value: l.dynamic_at + l.relro_bias,
            st_size: 0,
        });
        for (i, name) in l.locals.iter().zip(&l.local_names).chain(l.globals.iter().zip(&l.global_names)) {
            let offset = w.string_offset(Some(*name));
            let _: SymbolIndex = w.write_symbol(&self.sym(l, r, *i, offset));
        }
        w.write_shstrtab();
        w.write_strtab();
    }

    /// Section headers.
    pub(super) fn write_section_headers(&self, w: &mut Writer<'_>, l: &Layout, r: &Resolved, got_count: usize) {
        w.write_null_section_header();
        if !l.note_bytes.is_empty() {
            let sh_name = w.section_name_offset(Some(l.note_name));
            w.write_section_header(&SectionHeader {
                sh_name,
                sh_type: elf::SHT_NOTE,
                sh_flags: elf::SectionFlags(ALLOC),
                sh_addr: l.note_at,
                sh_offset: l.note_at,
                sh_size: l.note_bytes.len() as u64,
                sh_link: 0,
                sh_info: 0,
                sh_addralign: 4,
                sh_entsize: 0,
            });
        }
        w.write_dynsym_section_header(l.dynsym_at, 1);
        w.write_gnu_hash_section_header(l.gnu_at);
        w.write_hash_section_header(l.hash_at);
        let sh_name = w.section_name_offset(Some(l.dynstr_name));
        w.write_section_header(&SectionHeader {
            sh_name,
            sh_type: elf::SHT_STRTAB,
            sh_flags: elf::SectionFlags(ALLOC),
            sh_addr: l.dynstr_at,
            sh_offset: l.dynstr_at,
            sh_size: l.dynstr.len() as u64,
            sh_link: 0,
            sh_info: 0,
            sh_addralign: 1,
            sh_entsize: 0,
        });
        if !r.rela.is_empty() {
            let sh_name = w.section_name_offset(Some(l.rela_name));
            let dynsym_index = w.dynsym_index().0;
            w.write_section_header(&SectionHeader {
                sh_name,
                sh_type: elf::SHT_RELA,
                sh_flags: elf::SectionFlags(ALLOC),
                sh_addr: l.rela_at,
                sh_offset: l.rela_at,
                sh_size: 24 * r.rela.len() as u64,
                sh_link: dynsym_index,
                sh_info: 0,
                sh_addralign: 8,
                sh_entsize: 24,
            });
        }
        let header = |w: &mut Writer<'_>, p: &Placed| {
            let s = &self.sections[p.section];
            let (kind, flags) = match s.kind {
                SectionKind::Rodata => (elf::SHT_PROGBITS, ALLOC),
                SectionKind::Text => (elf::SHT_PROGBITS, ALLOC | EXEC),
                SectionKind::Data | SectionKind::Relro => (elf::SHT_PROGBITS, ALLOC | WRITE),
                SectionKind::Bss => (elf::SHT_NOBITS, ALLOC | WRITE),
                SectionKind::Debug => (elf::SHT_PROGBITS, 0),
            };
            let sh_name = w.section_name_offset(Some(p.name));
            w.write_section_header(&SectionHeader {
                sh_name,
                sh_type: kind,
                sh_flags: elf::SectionFlags(flags),
                sh_addr: p.addr,
                sh_offset: p.offset,
                sh_size: s.size,
                sh_link: 0,
                sh_info: 0,
                sh_addralign: s.align.max(1),
                sh_entsize: 0,
            });
        };
        let loaded_first =
            |kind: &SectionKind| matches!(kind, SectionKind::Rodata | SectionKind::Text | SectionKind::Relro);
        for p in l.placed.iter().filter(|p| loaded_first(&self.sections[p.section].kind)) {
            header(w, p);
        }
        w.write_dynamic_section_header(l.dynamic_at + l.relro_bias);
        let mut relro_header = |name: StringId, kind, offset: u64, addr: u64, size: u64, align: u64| {
            let sh_name = w.section_name_offset(Some(name));
            w.write_section_header(&SectionHeader {
                sh_name,
                sh_type: kind,
                sh_flags: elf::SectionFlags(ALLOC | WRITE),
                sh_addr: addr,
                sh_offset: offset,
                sh_size: size,
                sh_link: 0,
                sh_info: 0,
                sh_addralign: align,
                sh_entsize: 0,
            });
        };
        if got_count > 0 {
            relro_header(l.got_name, elf::SHT_PROGBITS, l.got_at, l.got_at + l.relro_bias, 8 * got_count as u64, 8);
        }
        let padding_addr = l.relro_end + l.relro_bias;
        relro_header(l.padding_name, elf::SHT_NOBITS, l.relro_end, padding_addr, l.relro_addr_end - padding_addr, 1);
        for p in l.placed.iter().filter(|p| !loaded_first(&self.sections[p.section].kind)) {
            header(w, p);
        }
        w.write_symtab_section_header(2 + l.locals.len() as u32);
        w.write_shstrtab_section_header();
        w.write_strtab_section_header();
    }
}

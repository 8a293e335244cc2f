//! The link step: sections, symbols and relocations become a loadable ELF.
//!
//! Both kernels built here and assembled text end as an [`Image`], so there is one layout. It is the layout LLVM's
//! linker gives a code object: a read-only segment with everything the loader looks at, an executable one, one that is
//! read-only after relocation, and one for writable globals; each starts on a page of its own in memory but follows
//! the one before it without a gap in the file.

use super::reloc::Relocation;
use super::{Features, LinkError, ObjectVersion};
use object::Endianness;
use object::elf;
use object::write::StringId;
use object::write::elf::{FileHeader, ProgramHeader, Rel, SectionHeader, SectionIndex, Sym, SymbolIndex, Writer};
use std::collections::HashMap;
use wavesmith_asm::Target;

/// Loadable segments start on a page of this size.
const PAGE: u64 = 0x1000;
/// The hash table's bloom shift, as LLVM's linker chooses it.
const BLOOM_SHIFT: u32 = 26;

/// Where a section's bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Read-only data.
    Rodata,
    /// Code.
    Text,
    /// Writable data.
    Data,
    /// Zeroed writable memory: only its size matters.
    Bss,
    /// Not loaded: debug information.
    Debug,
}

/// A section of the image.
#[derive(Clone, Debug)]
pub struct Section {
    /// Name, with its dot.
    pub name: String,
    /// Where it goes.
    pub kind: SectionKind,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Contents; empty for [`SectionKind::Bss`].
    pub data: Vec<u8>,
    /// Size in memory; `data.len()` but for [`SectionKind::Bss`].
    pub size: u64,
    /// Places that receive addresses.
    pub relocations: Vec<Relocation>,
}

impl Section {
    /// A section with contents.
    pub fn new(name: &str, kind: SectionKind, align: u64, data: Vec<u8>) -> Self {
        Section { name: name.to_owned(), kind, align, size: data.len() as u64, data, relocations: Vec::new() }
    }
}

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// Code.
    Function,
    /// Data.
    Object,
    /// Neither is known.
    None,
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// This image alone.
    Local,
    /// Everyone, through the dynamic symbol table; never pre-empted.
    Protected,
    /// Everyone, through the dynamic symbol table; may be pre-empted.
    Global,
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// At a byte offset of a section, by index.
    Section(usize, u64),
    /// A constant.
    Absolute(u64),
    /// In another object.
    Undefined,
}

/// A symbol of the image.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Name.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// Bytes it covers.
    pub size: u64,
    /// What it names.
    pub kind: SymbolKind,
    /// Who sees it.
    pub scope: Scope,
}

/// Everything a code object holds, before it has addresses.
#[derive(Clone, Debug)]
pub struct Image {
    /// Instruction set.
    pub target: Target,
    /// Code-object version.
    pub version: ObjectVersion,
    /// XNACK and SRAMECC requirements.
    pub features: Features,
    /// The metadata note's msgpack; empty leaves the note out.
    pub note: Vec<u8>,
    /// Sections; those of a kind keep their order.
    pub sections: Vec<Section>,
    /// Symbols.
    pub symbols: Vec<Symbol>,
}

/// A section that has its place.
struct Placed {
    section: usize,
    index: SectionIndex,
    name: StringId,
    offset: u64,
    addr: u64,
}

impl Image {
    /// The ELF file.
    ///
    /// # Errors
    /// [`LinkError`] names the symbol or section that cannot be linked.
    pub fn write(&self) -> Result<Vec<u8>, LinkError> {
        let mut by_name: HashMap<&str, usize> = HashMap::new();
        for (i, s) in self.symbols.iter().enumerate() {
            if let Place::Section(section, offset) = s.place {
                let Some(sec) = self.sections.get(section) else {
                    return Err(LinkError::NoSuchSection { symbol: s.name.clone(), index: section });
                };
                if offset > sec.size {
                    return Err(LinkError::SymbolOutside { symbol: s.name.clone(), section: sec.name.clone(), offset });
                }
            }
            if by_name.insert(&s.name, i).is_some() {
                return Err(LinkError::DuplicateSymbol(s.name.clone()));
            }
        }
        let got = self.got_entries(&by_name)?;
        let dynamic_relocations = self.count_dynamic_relocations(&by_name)? + got.len();

        // Dynamic symbols: undefined ones first, then the exported ones ordered by GNU hash bucket.
        let exported = |s: &&usize| self.symbols[**s].scope != Scope::Local;
        let all: Vec<usize> = (0..self.symbols.len()).collect();
        let undefined: Vec<usize> =
            all.iter().filter(|i| self.symbols[**i].place == Place::Undefined).copied().collect();
        let mut defined: Vec<usize> =
            all.iter().filter(|i| self.symbols[**i].place != Place::Undefined).filter(exported).copied().collect();
        let buckets = (defined.len() as u32 / 4).max(1);
        let gnu = |i: &usize| elf::gnu_hash(self.symbols[*i].name.as_bytes());
        defined.sort_by_key(|i| gnu(i) % buckets);
        let dynamic: Vec<usize> = undefined.iter().chain(&defined).copied().collect();
        let dynsym_of: HashMap<usize, u32> = dynamic.iter().zip(1u32..).map(|(s, i)| (*s, i)).collect();

        let has_data = self.sections.iter().any(|s| matches!(s.kind, SectionKind::Data | SectionKind::Bss));
        let mut buffer = Vec::new();
        let mut w = Writer::new(Endianness::Little, true, &mut buffer);
        w.reserve_file_header();
        w.reserve_program_headers(8 + u32::from(has_data) - u32::from(self.note.is_empty()));
        w.reserve_null_section_index();

        // Segment R.
        let note_bytes = if self.note.is_empty() { Vec::new() } else { note_section(&self.note) };
        let note_name = w.add_section_name(b".note");
        let note_at = if note_bytes.is_empty() {
            0
        } else {
            w.reserve_section_index();
            w.reserve(note_bytes.len() as u64, 4)
        };
        w.reserve_null_dynamic_symbol_index();
        let dynamic_names: Vec<StringId> =
            dynamic.iter().map(|i| w.add_dynamic_string(self.symbols[*i].name.as_bytes())).collect();
        for _ in &dynamic {
            w.reserve_dynamic_symbol_index();
        }
        let dynsym_count = dynamic.len() as u32 + 1;
        w.reserve_dynsym_section_index();
        let dynsym_at = w.reserve_dynsym();
        w.reserve_gnu_hash_section_index();
        let gnu_at = w.reserve_gnu_hash(1, buckets, defined.len() as u32);
        w.reserve_hash_section_index();
        let hash_at = w.reserve_hash(dynsym_count, dynsym_count);
        w.reserve_dynstr_section_index();
        let dynstr_at = w.reserve_dynstr().map_err(too_large)?;
        let rela_name = w.add_section_name(b".rela.dyn");
        let rela_at = if dynamic_relocations > 0 {
            w.reserve_section_index();
            w.reserve_relocations(dynamic_relocations, true)
        } else {
            0
        };
        let mut placed: Vec<Placed> = Vec::new();
        let mut bias = 0;
        self.place(&mut w, SectionKind::Rodata, bias, &mut placed);
        let r_end = w.reserved_len();

        // Segment RX.
        let text_align = self.align_of(SectionKind::Text);
        w.reserve(0, text_align);
        bias = next_bias(bias, text_align);
        let rx_at = w.reserved_len();
        self.place(&mut w, SectionKind::Text, bias, &mut placed);
        let rx_end = w.reserved_len();
        let rx_bias = bias;

        // Segment RW, read-only after relocation.
        w.reserve(0, 8);
        bias = next_bias(bias, 8);
        let relro_bias = bias;
        let dynamic_index = w.reserve_dynamic_section_index();
        let dynamic_num = 7 + if dynamic_relocations > 0 { 4 } else { 0 };
        let dynamic_at = w.reserve_dynamic(dynamic_num);
        let got_name = w.add_section_name(b".got");
        let got_at = w.reserve(8 * got.len() as u64, 8);
        if !got.is_empty() {
            w.reserve_section_index();
        }
        let relro_end = w.reserved_len();
        let padding_name = w.add_section_name(b".relro_padding");
        w.reserve_section_index();
        let relro_addr_end = (relro_end + relro_bias).next_multiple_of(PAGE);

        // Segment RW.
        let data_align = self.align_of(SectionKind::Data).max(self.align_of(SectionKind::Bss));
        if has_data {
            w.reserve(0, data_align);
        }
        let data_at = w.reserved_len();
        // The data must not share a page with what becomes read-only.
        let data_bias = next_bias(relro_bias, data_align);
        self.place(&mut w, SectionKind::Data, data_bias, &mut placed);
        let data_end = w.reserved_len();
        let mut bss_addr = data_end + data_bias;
        for (section, s) in self.sections.iter().enumerate().filter(|(_, s)| s.kind == SectionKind::Bss) {
            let name = w.add_section_name(s.name.as_bytes());
            bss_addr = bss_addr.next_multiple_of(s.align.max(1));
            let index = w.reserve_section_index();
            placed.push(Placed { section, index, name, offset: data_end, addr: bss_addr });
            bss_addr = bss_addr.checked_add(s.size).ok_or_else(|| LinkError::TooLarge("bss".into()))?;
        }

        // Not loaded.
        for (section, s) in self.sections.iter().enumerate().filter(|(_, s)| s.kind == SectionKind::Debug) {
            let name = w.add_section_name(s.name.as_bytes());
            let index = w.reserve_section_index();
            let offset = w.reserve(s.data.len() as u64, s.align.max(1));
            placed.push(Placed { section, index, name, offset, addr: 0 });
        }
        let locals: Vec<usize> = all.iter().filter(|i| self.symbols[**i].scope == Scope::Local).copied().collect();
        let globals: Vec<usize> = all.iter().filter(exported).copied().collect();
        let dynamic_symbol_name = w.add_string(b"_DYNAMIC");
        let local_names: Vec<StringId> =
            locals.iter().map(|i| w.add_string(self.symbols[*i].name.as_bytes())).collect();
        let global_names: Vec<StringId> =
            globals.iter().map(|i| w.add_string(self.symbols[*i].name.as_bytes())).collect();
        w.reserve_null_symbol_index();
        for _ in 0..1 + locals.len() + globals.len() {
            w.reserve_symbol_index(None);
        }
        w.reserve_symtab_section_index();
        w.reserve_symtab();
        w.reserve_shstrtab_section_index();
        w.reserve_strtab_section_index();
        w.reserve_shstrtab().map_err(too_large)?;
        w.reserve_strtab().map_err(too_large)?;
        w.reserve_section_headers();

        // Addresses are known: resolve.
        let section_of: HashMap<usize, &Placed> = placed.iter().map(|p| (p.section, p)).collect();
        let address = |i: usize| match self.symbols[i].place {
            Place::Section(s, offset) => section_of[&s].addr + offset,
            Place::Absolute(v) => v,
            Place::Undefined => 0,
        };
        let got_addr: HashMap<usize, u64> =
            got.iter().zip(0u64..).map(|(s, n)| (*s, got_at + relro_bias + 8 * n)).collect();
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
        for p in &placed {
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
        for s in &got {
            rela.push(dynamic_entry(*s, got_addr[s], 0));
        }
        // Relative entries first, so that their count may be given.
        rela.sort_by_key(|r| r.r_type.0 != R_RELATIVE64);
        let relative = rela.iter().filter(|r| r.r_type.0 == R_RELATIVE64).count();

        // Write, in the order reserved.
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
        let phdrs = 8 + u64::from(has_data) - u64::from(self.note.is_empty());
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
        let dynamic_size = 16 * dynamic_num as u64;
        let relro = (dynamic_at, dynamic_at + relro_bias, relro_end - dynamic_at);
        let relro_memsz = relro_addr_end - relro.1;
        segment(elf::PT_PHDR, R, 64, 64, 56 * phdrs, 56 * phdrs, 8);
        segment(elf::PT_LOAD, R, 0, 0, r_end, r_end, PAGE);
        segment(elf::PT_LOAD, R | X, rx_at, rx_at + rx_bias, rx_end - rx_at, rx_end - rx_at, PAGE);
        segment(elf::PT_LOAD, R | W, relro.0, relro.1, relro.2, relro_memsz, PAGE);
        if has_data {
            let start = data_at + data_bias;
            segment(elf::PT_LOAD, R | W, data_at, start, data_end - data_at, bss_addr - start, PAGE);
        }
        segment(elf::PT_DYNAMIC, R | W, dynamic_at, dynamic_at + relro_bias, dynamic_size, dynamic_size, 8);
        segment(elf::PT_GNU_RELRO, R, relro.0, relro.1, relro.2, relro_memsz, 1);
        segment(elf::PT_GNU_STACK, R | W, 0, 0, 0, 0, 0);
        if !note_bytes.is_empty() {
            let size = note_bytes.len() as u64;
            segment(elf::PT_NOTE, R, note_at, note_at, size, size, 4);
            w.write_align(4);
            w.write(&note_bytes);
        }
        w.write_null_dynamic_symbol();
        let sym = |i: usize, name: u32| {
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
                Place::Section(sec, _) => (Some(section_of[&sec].index.0), 0),
                Place::Absolute(_) => (None, SHN_ABS),
                Place::Undefined => (None, 0),
            };
            Sym {
                section,
                st_name: name,
                st_info: elf::SymbolInfo(bind << 4 | kind),
                st_other: elf::SymbolOther(other),
                st_shndx: elf::SymbolSection(shndx),
                st_value: address(i),
                st_size: s.size,
            }
        };
        for (i, name) in dynamic.iter().zip(&dynamic_names) {
            let offset = w.dynamic_string_offset(Some(*name));
            w.write_dynamic_symbol(&sym(*i, offset));
        }
        w.write_gnu_hash(undefined.len() as u32 + 1, BLOOM_SHIFT, 1, buckets, defined.len() as u32, |n| {
            gnu(&defined[n as usize])
        });
        w.write_hash(dynsym_count, dynsym_count, |n| {
            let i = n.checked_sub(1)?;
            Some(elf::hash(self.symbols[dynamic[i as usize]].name.as_bytes()))
        });
        w.write_dynstr();
        if dynamic_relocations > 0 {
            w.write_align_relocation();
            for r in &rela {
                w.write_relocation(true, r);
            }
        }
        let write_kind = |w: &mut Writer<'_>, kind| {
            for p in placed.iter().filter(|p| self.sections[p.section].kind == kind) {
                w.pad_until(p.offset);
                w.write(contents.get(&p.section).unwrap_or(&self.sections[p.section].data));
            }
        };
        write_kind(&mut w, SectionKind::Rodata);
        write_kind(&mut w, SectionKind::Text);
        w.write_align_dynamic();
        let addr_of = |w: &mut Writer<'_>, tag, value| w.write_dynamic(tag, value).map_err(too_large);
        addr_of(&mut w, elf::DT_SYMTAB, dynsym_at)?;
        addr_of(&mut w, elf::DT_SYMENT, 24)?;
        addr_of(&mut w, elf::DT_STRTAB, dynstr_at)?;
        let dynstr_len = u64::from(w.dynstr_len());
        addr_of(&mut w, elf::DT_STRSZ, dynstr_len)?;
        addr_of(&mut w, elf::DT_GNU_HASH, gnu_at)?;
        addr_of(&mut w, elf::DT_HASH, hash_at)?;
        if dynamic_relocations > 0 {
            addr_of(&mut w, elf::DT_RELA, rela_at)?;
            addr_of(&mut w, elf::DT_RELASZ, 24 * dynamic_relocations as u64)?;
            addr_of(&mut w, elf::DT_RELAENT, 24)?;
            addr_of(&mut w, elf::DT_RELACOUNT, relative as u64)?;
        }
        addr_of(&mut w, elf::DT_NULL, 0)?;
        w.pad_until(got_at);
        w.write(&vec![0; 8 * got.len()]);
        write_kind(&mut w, SectionKind::Data);
        write_kind(&mut w, SectionKind::Debug);

        w.write_null_symbol();
        let name = w.string_offset(Some(dynamic_symbol_name));
        w.write_symbol(&Sym {
            section: Some(dynamic_index.0),
            st_name: name,
            st_info: elf::SymbolInfo(STB_LOCAL << 4),
            st_other: elf::SymbolOther(STV_HIDDEN),
            st_shndx: elf::SymbolSection(0),
            st_value: dynamic_at + relro_bias,
            st_size: 0,
        });
        for (i, name) in locals.iter().zip(&local_names).chain(globals.iter().zip(&global_names)) {
            let offset = w.string_offset(Some(*name));
            let _: SymbolIndex = w.write_symbol(&sym(*i, offset));
        }
        w.write_shstrtab();
        w.write_strtab();

        w.write_null_section_header();
        if !note_bytes.is_empty() {
            let sh_name = w.section_name_offset(Some(note_name));
            w.write_section_header(&SectionHeader {
                sh_name,
                sh_type: elf::SHT_NOTE,
                sh_flags: elf::SectionFlags(ALLOC),
                sh_addr: note_at,
                sh_offset: note_at,
                sh_size: note_bytes.len() as u64,
                sh_link: 0,
                sh_info: 0,
                sh_addralign: 4,
                sh_entsize: 0,
            });
        }
        w.write_dynsym_section_header(dynsym_at, 1);
        w.write_gnu_hash_section_header(gnu_at);
        w.write_hash_section_header(hash_at);
        w.write_dynstr_section_header(dynstr_at);
        if dynamic_relocations > 0 {
            let sh_name = w.section_name_offset(Some(rela_name));
            let dynsym_index = w.dynsym_index().0;
            w.write_section_header(&SectionHeader {
                sh_name,
                sh_type: elf::SHT_RELA,
                sh_flags: elf::SectionFlags(ALLOC),
                sh_addr: rela_at,
                sh_offset: rela_at,
                sh_size: 24 * dynamic_relocations as u64,
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
                SectionKind::Data => (elf::SHT_PROGBITS, ALLOC | WRITE),
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
        let loaded_first = |kind: &SectionKind| matches!(kind, SectionKind::Rodata | SectionKind::Text);
        for p in placed.iter().filter(|p| loaded_first(&self.sections[p.section].kind)) {
            header(&mut w, p);
        }
        w.write_dynamic_section_header(dynamic_at + relro_bias);
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
        if !got.is_empty() {
            relro_header(got_name, elf::SHT_PROGBITS, got_at, got_at + relro_bias, 8 * got.len() as u64, 8);
        }
        let padding_addr = relro_end + relro_bias;
        relro_header(padding_name, elf::SHT_NOBITS, relro_end, padding_addr, relro_addr_end - padding_addr, 1);
        for p in placed.iter().filter(|p| !loaded_first(&self.sections[p.section].kind)) {
            header(&mut w, p);
        }
        w.write_symtab_section_header(2 + locals.len() as u32);
        w.write_shstrtab_section_header();
        w.write_strtab_section_header();
        drop(w);
        Ok(buffer)
    }

    /// Reserves the sections of one kind, which a segment starts or continues.
    fn place<'a>(&'a self, w: &mut Writer<'a>, kind: SectionKind, bias: u64, placed: &mut Vec<Placed>) {
        for (section, s) in self.sections.iter().enumerate().filter(|(_, s)| s.kind == kind) {
            let name = w.add_section_name(s.name.as_bytes());
            let index = w.reserve_section_index();
            w.reserve(0, s.align.max(1));
            let offset = w.reserve(s.data.len() as u64, 1);
            placed.push(Placed { section, index, name, offset, addr: offset + bias });
        }
    }

    fn align_of(&self, kind: SectionKind) -> u64 {
        self.sections.iter().filter(|s| s.kind == kind).map(|s| s.align).max().unwrap_or(1).max(1)
    }

    /// Symbols that need an entry in the global offset table, in order of first use.
    fn got_entries(&self, by_name: &HashMap<&str, usize>) -> Result<Vec<usize>, LinkError> {
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
    fn is_dynamic(&self, section: &Section, r: &Relocation, symbol: usize) -> bool {
        section.kind != SectionKind::Debug
            && r.kind == super::RelocKind::Abs64
            && !matches!(self.symbols[symbol].place, Place::Absolute(_))
    }

    fn count_dynamic_relocations(&self, by_name: &HashMap<&str, usize>) -> Result<usize, LinkError> {
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
                    if !matches!(section.kind, SectionKind::Data) {
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

/// The distance from file offset to address of a segment that follows one ending at file offset `end`: a new page in
/// memory, the same offset within it.
fn next_bias(bias: u64, align: u64) -> u64 {
    bias + PAGE.max(align)
}

fn too_large(e: object::write::Error) -> LinkError {
    LinkError::TooLarge(e.to_string())
}

/// The note section: owner, type, payload, each padded to four bytes.
fn note_section(payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(payload.len() + 24);
    out.extend(7u32.to_le_bytes());
    out.extend((payload.len() as u32).to_le_bytes());
    out.extend(NT_AMDGPU_METADATA.to_le_bytes());
    out.extend(b"AMDGPU\0\0");
    out.extend(payload);
    out.resize(out.len().next_multiple_of(4), 0);
    out
}

const NT_AMDGPU_METADATA: u32 = 32;
const ELFOSABI_AMDGPU_HSA: u8 = 64;
const R_ABS64: u32 = 3;
const R_RELATIVE64: u32 = 13;
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

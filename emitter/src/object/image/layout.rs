//! Where everything goes: file offsets and addresses of headers, tables and sections.

use super::{Image, PAGE, Place, Scope, SectionKind, too_large};
use crate::object::LinkError;
use object::elf;
use object::write::StringId;
use object::write::elf::{SectionIndex, Writer};

/// A section that has its place.
pub(super) struct Placed {
    pub section: usize,
    pub index: SectionIndex,
    pub name: StringId,
    pub offset: u64,
    pub addr: u64,
}

/// The layout of one file. Fields that end in `_at` and `_end` are file offsets.
pub(super) struct Layout {
    /// Buckets of the GNU hash table.
    pub buckets: u32,
    /// Words of its Bloom filter.
    pub bloom_words: u32,
    /// Dynamic symbols that are defined elsewhere.
    pub undefined: Vec<usize>,
    /// Exported symbols in the order of the GNU hash table.
    pub defined: Vec<usize>,
    /// Both, in the order of the dynamic symbol table.
    pub dynamic: Vec<usize>,
    /// Whether there is a writable segment of data.
    pub has_data: bool,
    /// The note section.
    pub note_bytes: Vec<u8>,
    pub note_name: StringId,
    pub note_at: u64,
    /// The dynamic string table: names in the order of the symbols, as LLVM's linker puts them.
    pub dynstr: Vec<u8>,
    pub dynstr_name: StringId,
    /// Where each dynamic symbol's name begins in it.
    pub dynamic_names: Vec<u32>,
    pub dynsym_count: u32,
    pub dynsym_at: u64,
    pub gnu_at: u64,
    pub hash_at: u64,
    pub dynstr_at: u64,
    pub rela_name: StringId,
    pub rela_at: u64,
    /// Sections in the order of the section headers.
    pub placed: Vec<Placed>,
    pub r_end: u64,
    pub rx_at: u64,
    pub rx_end: u64,
    /// From file offset to address in the executable segment.
    pub rx_bias: u64,
    pub relro_at: u64,
    /// The same where memory becomes read-only.
    pub relro_bias: u64,
    pub dynamic_index: SectionIndex,
    /// Entries of the dynamic section.
    pub dynamic_num: usize,
    pub dynamic_at: u64,
    pub got_name: StringId,
    pub got_at: u64,
    pub relro_end: u64,
    pub padding_name: StringId,
    pub relro_addr_end: u64,
    pub data_at: u64,
    pub data_end: u64,
    /// The same for data.
    pub data_bias: u64,
    /// First address after the zeroed memory.
    pub bss_addr: u64,
    /// Symbols of this image alone.
    pub locals: Vec<usize>,
    /// Symbols that others see.
    pub globals: Vec<usize>,
    pub dynamic_symbol_name: StringId,
    pub local_names: Vec<StringId>,
    pub global_names: Vec<StringId>,
}

impl Image {
    /// Lays the file out and reserves its parts in the writer, in the order in which they are then written.
    pub(super) fn layout<'a>(
        &'a self,
        w: &mut Writer<'a>,
        got_count: usize,
        dynamic_relocations: usize,
    ) -> Result<Layout, LinkError> {
        // Dynamic symbols: undefined ones first, then the exported ones ordered by GNU hash bucket.
        let exported = |s: &&usize| self.symbols[**s].scope != Scope::Local;
        let all: Vec<usize> = (0..self.symbols.len()).collect();
        let undefined: Vec<usize> =
            all.iter().filter(|i| self.symbols[**i].place == Place::Undefined).copied().collect();
        let mut defined: Vec<usize> =
            all.iter().filter(|i| self.symbols[**i].place != Place::Undefined).filter(exported).copied().collect();
        let buckets = (defined.len() as u32 / 4).max(1);
        let bloom_words = (defined.len() as u32 * 12 / 64 + 1).next_power_of_two();
        let gnu = |i: &usize| elf::gnu_hash(self.symbols[*i].name.as_bytes());
        defined.sort_by_key(|i| gnu(i) % buckets);
        let dynamic: Vec<usize> = undefined.iter().chain(&defined).copied().collect();

        let has_data = self.sections.iter().any(|s| matches!(s.kind, SectionKind::Data | SectionKind::Bss));
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
        let mut dynstr = vec![0];
        let mut name_at = vec![0u32; self.symbols.len()];
        for i in all.iter().filter(|i| dynamic.contains(i)) {
            name_at[*i] = u32::try_from(dynstr.len()).map_err(|_| LinkError::TooLarge("names".into()))?;
            dynstr.extend(self.symbols[*i].name.as_bytes());
            dynstr.push(0);
        }
        let dynamic_names: Vec<u32> = dynamic.iter().map(|i| name_at[*i]).collect();
        for _ in &dynamic {
            w.reserve_dynamic_symbol_index();
        }
        let dynsym_count = dynamic.len() as u32 + 1;
        w.reserve_dynsym_section_index();
        let dynsym_at = w.reserve_dynsym();
        w.reserve_gnu_hash_section_index();
        let gnu_at = w.reserve_gnu_hash(bloom_words, buckets, defined.len() as u32);
        w.reserve_hash_section_index();
        let hash_at = w.reserve_hash(dynsym_count, dynsym_count);
        w.reserve_dynstr_section_index();
        let dynstr_name = w.add_section_name(b".dynstr");
        let dynstr_at = w.reserve(dynstr.len() as u64, 1);
        let rela_name = w.add_section_name(b".rela.dyn");
        let rela_at = if dynamic_relocations > 0 {
            w.reserve_section_index();
            w.reserve_relocations(dynamic_relocations, true)
        } else {
            0
        };
        let mut placed: Vec<Placed> = Vec::new();
        self.place(w, SectionKind::Rodata, 0, &mut placed);
        let r_end = w.reserved_len();

        // Segment RX.
        let (rx_at, rx_bias) =
            next_segment(w, 0, self.first_align(&[SectionKind::Text], 1), self.align_of(SectionKind::Text));
        self.place(w, SectionKind::Text, rx_bias, &mut placed);
        let rx_end = w.reserved_len();

        // Segment RW, read-only after relocation.
        let (relro_at, relro_bias) =
            next_segment(w, rx_bias, self.first_align(&[SectionKind::Relro], 8), self.align_of(SectionKind::Relro));
        self.place(w, SectionKind::Relro, relro_bias, &mut placed);
        w.reserve(0, 8);
        let dynamic_index = w.reserve_dynamic_section_index();
        let dynamic_num = 7 + if dynamic_relocations > 0 { 4 } else { 0 };
        let dynamic_at = w.reserve_dynamic(dynamic_num);
        let got_name = w.add_section_name(b".got");
        let got_at = w.reserve(8 * got_count as u64, 8);
        if got_count > 0 {
            w.reserve_section_index();
        }
        let relro_end = w.reserved_len();
        let padding_name = w.add_section_name(b".relro_padding");
        w.reserve_section_index();
        let relro_addr_end = (relro_end + relro_bias).next_multiple_of(PAGE);

        // Segment RW. The data must not share a page with what becomes read-only.
        let data_align = self.align_of(SectionKind::Data).max(self.align_of(SectionKind::Bss));
        let (data_at, data_bias) = if has_data {
            next_segment(w, relro_bias, self.first_align(&[SectionKind::Data, SectionKind::Bss], 1), data_align)
        } else {
            (w.reserved_len(), relro_bias)
        };
        self.place(w, SectionKind::Data, data_bias, &mut placed);
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
        Ok(Layout {
            buckets,
            bloom_words,
            undefined,
            defined,
            dynamic,
            has_data,
            note_bytes,
            note_name,
            note_at,
            dynstr,
            dynstr_name,
            dynamic_names,
            dynsym_count,
            dynsym_at,
            gnu_at,
            hash_at,
            dynstr_at,
            rela_name,
            rela_at,
            placed,
            r_end,
            rx_at,
            rx_end,
            rx_bias,
            relro_at,
            relro_bias,
            dynamic_index,
            dynamic_num,
            dynamic_at,
            got_name,
            got_at,
            relro_end,
            padding_name,
            relro_addr_end,
            data_at,
            data_end,
            data_bias,
            bss_addr,
            locals,
            globals,
            dynamic_symbol_name,
            local_names,
            global_names,
        })
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

    /// The alignment of the first section of these kinds, in their order.
    fn first_align(&self, kinds: &[SectionKind], otherwise: u64) -> u64 {
        let mut of_kinds = kinds.iter().flat_map(|kind| self.sections.iter().filter(move |s| s.kind == *kind));
        of_kinds.next().map_or(otherwise, |s| s.align.max(1))
    }

    fn align_of(&self, kind: SectionKind) -> u64 {
        self.sections.iter().filter(|s| s.kind == kind).map(|s| s.align).max().unwrap_or(1).max(1)
    }
}

/// Where a segment begins in the file that follows one whose addresses are `bias` above its offsets, and its own bias: on a
/// page of its own in memory, without a gap in the file but for alignment. Nothing is skipped where a page just ends.
/// It begins where its first section does; what comes later in it may be aligned to more.
fn next_segment(w: &mut Writer<'_>, bias: u64, first: u64, most: u64) -> (u64, u64) {
    let end = w.reserved_len();
    let addr = end + bias;
    let addr = (if addr.is_multiple_of(PAGE) { addr } else { addr + PAGE }).next_multiple_of(first);
    // Offset and address are the same within a page, or within what is aligned to more.
    let page = PAGE.max(most);
    let at = end + (addr % page + page - end % page) % page;
    w.reserve_until(at);
    (at, addr - at)
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

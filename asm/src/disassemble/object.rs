//! A whole code object as an assembly file.
//!
//! The listing assembles and links to the same content: code, kernel descriptors, data, symbols and metadata. What the
//! linker makes by itself (dynamic tables, hash tables) is left out; addresses that data and code hold are told by
//! name, so that they stay right wherever the linker puts things. Descriptors that no directive can express are told
//! as data.

use super::addresses::{Distance, distances};
use super::code::Code;
use super::data::{Data, push_sum};
use super::{Notes, Options, push_address, push_name};
use crate::assemble::{Binding, Meta, Section, Symbol, SymbolKind, Visibility, directives, is_valid, metadata};
use crate::inst::Inst;
use crate::print::{Text, push_u32};
use crate::target::Target;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// A section and the address that the linker gave it.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Address relative to the load base.
    pub address: u64,
    /// The section. Its relocations are what the loader fills in; one without a symbol adds the load base to the
    /// address that its addend is.
    pub section: Section,
}

/// A code object as its sections, symbols and metadata.
#[derive(Clone, Debug)]
pub struct Object {
    /// Instruction set.
    pub target: Target,
    /// The target id, such as `amdgcn-amd-amdhsa--gfx942:xnack-`.
    pub target_id: String,
    /// Code object version.
    pub code_object_version: u32,
    /// Sections that the file itself brings, in order of their addresses; `.got` where there is one.
    pub sections: Vec<Placed>,
    /// Symbols; `section` counts in `sections`.
    pub symbols: Vec<Symbol>,
    /// The metadata note.
    pub metadata: Option<Meta>,
}

/// What else a listing says of an instruction.
#[derive(Clone, Debug, Default)]
pub struct Remark {
    /// Lines of their own before it.
    pub before: Vec<String>,
    /// At the end of its line.
    pub after: String,
}

/// Where the linker keeps addresses that code loads.
const GOT: &str = ".got";
const KD: usize = 64;

/// The file as text. `remarks` are comments by the address of the instruction.
pub fn text(object: &Object, options: Options, remarks: &BTreeMap<u64, Remark>) -> String {
    let mut file = File::new(object, options, remarks);
    let mut out = Text::default();
    let _ = writeln!(out, "\t.amdgcn_target \"{}\"", object.target_id);
    if object.code_object_version < 4 {
        let _ = writeln!(out, "\t// Code object version {}: read as 4.", object.code_object_version);
    }
    let _ = writeln!(out, "\t.amdhsa_code_object_version {}", object.code_object_version.max(4));
    file.absolute_symbols(&mut out);
    for i in 0..object.sections.len() {
        file.section(&mut out, i);
    }
    if let Some(meta) = &object.metadata {
        let text = metadata::text(meta);
        out.push_str(if is_valid(&text) { "\t.amdgpu_metadata\n" } else { "\t.amdgpu_metadata unchecked\n" });
        out.push_str(&text);
        out.push_str("\t.end_amdgpu_metadata\n");
    }
    out.into_string()
}

/// What the listing of a file knows.
struct File<'a> {
    object: &'a Object,
    options: Options,
    remarks: &'a BTreeMap<u64, Remark>,
    /// Symbols that are told, of each section by offset.
    symbols: Vec<BTreeMap<u64, Vec<&'a Symbol>>>,
    /// Offsets of each section that need a name of their own.
    labels: Vec<HashSet<u64>>,
    /// Decoded code of each executable section.
    code: HashMap<usize, Code<'a>>,
    /// Expressions for literals, of each section by the number of the instruction.
    literals: HashMap<usize, HashMap<usize, String>>,
    /// Whether the global offset table is made again by the expressions that use it.
    got_is_remade: bool,
    /// Descriptors, and their sections, that are seen as symbols are by default, by their kernel's name.
    exported: HashMap<&'a str, (usize, &'a Symbol)>,
    prefix: String,
}

impl<'a> File<'a> {
    fn new(object: &'a Object, options: Options, remarks: &'a BTreeMap<u64, Remark>) -> File<'a> {
        let mut symbols: Vec<BTreeMap<u64, Vec<&Symbol>>> = vec![BTreeMap::new(); object.sections.len()];
        let mut told: HashSet<&str> = HashSet::new();
        for s in object.symbols.iter().filter(|s| s.defined && !s.name.is_empty()) {
            let Some(of) = s.section.and_then(|i| symbols.get_mut(i as usize)) else { continue };
            // Of local symbols that share a name, the file can define one.
            if told.insert(&s.name) {
                of.entry(s.value).or_default().push(s);
            }
        }
        let mut prefix = ".L_".to_owned();
        while object.symbols.iter().any(|s| s.name.starts_with(&prefix)) {
            prefix.push('_');
        }
        let labels = vec![HashSet::new(); object.sections.len()];
        let exported = object
            .symbols
            .iter()
            .filter(|s| s.defined && s.visibility == Visibility::Default)
            .filter_map(|s| Some((s.name.strip_suffix(".kd")?, (s.section? as usize, s))));
        let exported = exported.collect();
        let mut file = File {
            object,
            options,
            remarks,
            symbols,
            labels,
            code: HashMap::new(),
            literals: HashMap::new(),
            got_is_remade: true,
            exported,
            prefix,
        };
        for (i, placed) in object.sections.iter().enumerate().filter(|(_, p)| p.section.exec) {
            let barriers =
                file.symbols[i].keys().copied().chain(file.entries(i)).collect::<std::collections::BTreeSet<_>>();
            file.code.insert(i, Code::new(&placed.section.data, object.target, barriers.into_iter()));
        }
        file.find_addresses();
        // Data may refer to a place in a section that is told before it, which then needs its name there.
        for i in (0..object.sections.len()).filter(|i| !object.sections[*i].section.exec) {
            if object.sections[i].section.name != GOT || !file.got_is_remade {
                file.references(i);
            }
        }
        file
    }

    /// Kernel entries in a section, by the descriptors that lead there.
    fn entries(&self, section: usize) -> Vec<u64> {
        let placed = &self.object.sections[section];
        self.object
            .symbols
            .iter()
            .filter_map(|s| self.descriptor(s))
            .filter_map(|(_, entry)| self.place(entry))
            .filter(|(i, offset)| *i == section && *offset < placed.section.size)
            .map(|(_, offset)| offset)
            .collect()
    }

    /// The bytes of the descriptor that a symbol names, and the address of the entry.
    fn descriptor(&self, s: &Symbol) -> Option<(&'a [u8; KD], u64)> {
        if !s.name.ends_with(".kd") || s.kind != SymbolKind::Object || !s.defined {
            return None;
        }
        let placed = self.object.sections.get(s.section? as usize)?;
        let at = usize::try_from(s.value).ok()?;
        let raw: &[u8; KD] = placed.section.data.get(at..)?.first_chunk()?;
        let entry = u64::from_le_bytes(*raw[16..].first_chunk()?);
        Some((raw, placed.address.wrapping_add(s.value).wrapping_add(entry)))
    }

    /// Section and offset of an address; its end counts where no other section begins there.
    fn place(&self, address: u64) -> Option<(usize, u64)> {
        let of = |end: u64| {
            self.object
                .sections
                .iter()
                .position(|p| (p.address..p.address.saturating_add(p.section.size + end)).contains(&address))
        };
        let i = of(0).or_else(|| of(1))?;
        Some((i, address - self.object.sections[i].address))
    }

    /// `name+offset` for an address, giving the place a label where it has no symbol.
    fn expression(&mut self, address: u64) -> Option<(String, i64)> {
        let (i, offset) = self.place(address)?;
        if let Some(s) = self.symbols[i].get(&offset).and_then(|s| s.first()) {
            return Some((s.name.clone(), 0));
        }
        // Places inside an instruction or a descriptor are told from the section's start.
        let whole = self.code.get(&i).is_none_or(|c| c.starts_at(offset)) && !self.inside_descriptor(i, offset);
        let (base, rest) = if whole { (offset, 0) } else { (0, offset as i64) };
        if base == 0 && self.symbols[i].contains_key(&0) {
            return Some((self.symbols[i][&0][0].name.clone(), rest));
        }
        self.labels[i].insert(base);
        Some((self.label(i, base), rest))
    }

    fn inside_descriptor(&self, section: usize, offset: u64) -> bool {
        self.symbols[section]
            .range(offset.saturating_sub(KD as u64 - 1)..=offset)
            .any(|(at, s)| *at < offset && s.iter().any(|s| self.descriptor(s).is_some()))
    }

    /// The made-up name of a place.
    fn label(&self, section: usize, offset: u64) -> String {
        // Code has the plain numbers; most files have one section of it.
        let first = self.object.sections.iter().position(|p| p.section.exec);
        if first == Some(section) {
            return format!("{}{offset:x}", self.prefix);
        }
        format!("{}{section}_{offset:x}", self.prefix)
    }

    /// Names what code computes from its program counter and what the loader fills in.
    fn find_addresses(&mut self) {
        let mut sections: Vec<usize> = self.code.keys().copied().collect();
        sections.sort_unstable();
        for i in sections {
            let found = distances(&self.code[&i].decoded);
            for d in found {
                if let Some((low, high)) = self.halves(i, &d) {
                    let of = self.literals.entry(i).or_default();
                    of.insert(d.low.0, low);
                    of.insert(d.high.0, high);
                }
            }
        }
    }

    /// The two expressions of a distance, where it leaves its section.
    fn halves(&mut self, section: usize, d: &Distance) -> Option<(String, String)> {
        let base = self.object.sections[section].address;
        let address = base.wrapping_add_signed(d.target);
        let (to, offset) = self.place(address)?;
        if to == section {
            return None;
        }
        let (name, rest, how) = if self.object.sections[to].section.name == GOT {
            match self.got_symbol(to, offset) {
                Some(name) => (name, 0, "gotpcrel32"),
                None => {
                    self.got_is_remade = false;
                    let (name, rest) = self.expression(address)?;
                    (name, rest, "rel32")
                }
            }
        } else {
            let (name, rest) = self.expression(address)?;
            (name, rest, "rel32")
        };
        let say = |half: &str, literal: u64| {
            let mut s = Text::default();
            push_name(&mut s, &name);
            // The variant belongs to the name.
            s.push('@');
            s.push_str(how);
            s.push('@');
            s.push_str(half);
            let addend = rest + (literal as i64 - d.from as i64);
            if addend != 0 {
                s.push_str(if addend < 0 { "-" } else { "+" });
                s.push_str(&addend.unsigned_abs().to_string());
            }
            s.into_string()
        };
        // A name in quotes cannot carry a variant.
        let quoted = {
            let mut s = Text::default();
            push_name(&mut s, &name);
            s.into_string().starts_with('"')
        };
        if quoted {
            return None;
        }
        Some((say("lo", d.low.1), say("hi", d.high.1)))
    }

    /// The symbol whose address an entry of the global offset table holds.
    fn got_symbol(&self, got: usize, offset: u64) -> Option<String> {
        let r = self.object.sections[got].section.relocations.iter().find(|r| r.offset == offset)?;
        if !r.symbol.is_empty() {
            return (r.addend == 0).then(|| r.symbol.clone());
        }
        let (i, offset) = self.place(r.addend as u64)?;
        self.symbols[i].get(&offset)?.first().map(|s| s.name.clone())
    }

    fn absolute_symbols(&self, out: &mut Text) {
        for s in self.object.symbols.iter().filter(|s| s.defined && s.section.is_none() && !s.name.is_empty()) {
            push_binding(out, s, s.visibility);
            out.push_str("\t.set ");
            push_name(out, &s.name);
            let _ = writeln!(out, ", {:#x}", s.value);
        }
    }

    fn section(&mut self, out: &mut Text, i: usize) {
        let s = &self.object.sections[i].section;
        if s.name == GOT && self.got_is_remade {
            return;
        }
        if s.size == 0 && self.symbols[i].is_empty() && self.labels[i].is_empty() {
            return;
        }
        match s.name.as_str() {
            ".text" | ".data" | ".bss" => {
                let _ = writeln!(out, "\t{}", s.name);
            }
            _ => {
                let flags = [(s.alloc, 'a'), (s.write, 'w'), (s.exec, 'x')];
                let flags: String = flags.iter().filter(|f| f.0).map(|f| f.1).collect();
                out.push_str("\t.section ");
                push_section_name(out, &s.name);
                let _ = writeln!(out, ",\"{flags}\",@{}", if s.nobits { "nobits" } else { "progbits" });
            }
        }
        if s.align > 1 {
            out.push_str("\t.p2align ");
            push_u32(out, s.align.trailing_zeros());
            out.push('\n');
        }
        if s.exec {
            let empty = HashMap::new();
            if let Some(code) = self.code.get(&i) {
                let notes = CodeNotes {
                    file: self,
                    section: i,
                    literals: self.literals.get(&i).unwrap_or(&empty),
                    noted: self.noted(i, code.words.len()),
                };
                code.push(out, &notes);
            }
        } else {
            self.data(out, i);
        }
        self.odd_symbols(out, i);
    }

    /// The places in a section of code that the listing says something of, dword by dword up to its end.
    fn noted(&self, section: usize, dwords: usize) -> Vec<bool> {
        let mut noted = vec![false; dwords + 1];
        let base = self.object.sections[section].address;
        let remarks = self.remarks.range(base..).map_while(|(a, _)| a.checked_sub(base));
        let offsets = self.symbols[section].keys().chain(&self.labels[section]).copied().chain(remarks);
        for offset in offsets.filter(|o| o.is_multiple_of(4)) {
            if let Some(n) = noted.get_mut(usize::try_from(offset / 4).unwrap_or(usize::MAX)) {
                *n = true;
            }
        }
        noted
    }

    /// Symbols inside of an instruction, or beyond the end: told by their distance from the start.
    fn odd_symbols(&self, out: &mut Text, i: usize) {
        let Some(code) = self.code.get(&i) else { return };
        for (offset, symbols) in &self.symbols[i] {
            if code.starts_at(*offset) {
                continue;
            }
            for s in symbols {
                push_binding(out, s, self.visibility(s));
                push_kind(out, s);
                out.push_str("\t.set ");
                push_name(out, &s.name);
                out.push_str(", ");
                let end = code.words.len() as u64 * 4;
                let _ = writeln!(out, ". {} {}", if *offset < end { '-' } else { '+' }, end.abs_diff(*offset));
            }
        }
    }

    /// What the quads of a section of data refer to, by offset.
    fn references(&mut self, i: usize) -> BTreeMap<u64, String> {
        let s = &self.object.sections[i].section;
        let mut quads: BTreeMap<u64, String> = BTreeMap::new();
        for r in &s.relocations {
            let mut text = Text::default();
            if r.symbol.is_empty() {
                let Some((name, rest)) = self.expression(r.addend as u64) else { continue };
                push_sum(&mut text, &name, rest);
            } else {
                push_sum(&mut text, &r.symbol, r.addend);
            }
            quads.insert(r.offset, text.into_string());
        }
        // Descriptors as data hold the distance to their kernel.
        let raw: Vec<(u64, u64, String)> = self.symbols[i]
            .iter()
            .flat_map(|(at, s)| s.iter().map(move |s| (*at, *s)))
            .filter(|(_, s)| self.block(i, s).is_none())
            .filter_map(|(at, s)| Some((at, self.descriptor(s)?.1, s.name.clone())))
            .collect();
        for (at, entry, name) in raw {
            let Some((to, _)) = self.place(entry) else { continue };
            if to == i {
                continue;
            }
            let Some((kernel, rest)) = self.expression(entry) else { continue };
            let mut text = Text::default();
            push_sum(&mut text, &kernel, rest);
            text.push('-');
            push_name(&mut text, &name);
            quads.insert(at + 16, text.into_string());
        }
        quads
    }

    fn data(&mut self, out: &mut Text, i: usize) {
        let s = &self.object.sections[i].section;
        let quads = self.references(i);
        let mut cuts: Vec<u64> = self.symbols[i].keys().chain(&self.labels[i]).copied().collect();
        cuts.extend([0, s.size]);
        cuts.sort_unstable();
        cuts.dedup();
        let data = Data { bytes: &s.data, quads: &quads };
        let mut told = 0;
        for (k, &at) in cuts.iter().enumerate() {
            let end = cuts.get(k + 1).copied().unwrap_or(s.size).min(s.size);
            if at > s.size || at < told {
                continue;
            }
            if let Some(block) = self.symbols[i].get(&at).and_then(|s| s.iter().find_map(|s| self.block(i, s))) {
                out.push_str(&block);
                told = at + KD as u64;
                if told < end {
                    data.push(out, told as usize..end as usize);
                }
                continue;
            }
            if self.labels[i].contains(&at) {
                out.push_str(&self.label(i, at));
                out.push_str(":\n");
            }
            for s in self.symbols[i].get(&at).into_iter().flatten() {
                if self.descriptor(s).is_some() {
                    out.push_str("\t// A kernel descriptor that directives cannot express.\n");
                }
                self.push_symbol(out, s);
            }
            if at >= end {
                continue;
            }
            if s.nobits {
                out.push_str("\t.zero ");
                let _ = writeln!(out, "{}", end - at);
            } else {
                data.push(out, at as usize..end as usize);
            }
        }
    }

    /// The `.amdhsa_kernel` block of a descriptor; `None` where it would not give the same bytes at the same place.
    fn block(&self, section: usize, s: &Symbol) -> Option<String> {
        let (raw, entry) = self.descriptor(s)?;
        let placed = &self.object.sections[section];
        if placed.section.name != ".rodata" || !s.value.is_multiple_of(KD as u64) || s.size != KD as u64 {
            return None;
        }
        // Nothing else may be named inside of it.
        if self.symbols[section].range(s.value..s.value + KD as u64).flat_map(|(_, s)| s).count() != 1
            || self.labels[section].iter().any(|l| (s.value..s.value + KD as u64).contains(l))
        {
            return None;
        }
        let name = s.name.strip_suffix(".kd")?;
        let (to, offset) = self.place(entry)?;
        let kernel = self.symbols[to].get(&offset)?.iter().find(|k| k.name == name)?;
        // The assembler copies both from the kernel, then protects one that nobody did.
        let protected_since = (kernel.visibility, s.visibility) == (Visibility::Protected, Visibility::Default);
        if kernel.binding != s.binding || (kernel.visibility != s.visibility && !protected_since) {
            return None;
        }
        let fields = directives(raw, self.object.target)?;
        let mut out = Text::default();
        out.push_str("\t.amdhsa_kernel ");
        push_name(&mut out, name);
        out.push('\n');
        for (field, value) in fields {
            let _ = writeln!(out, "\t\t{field} {value}");
        }
        out.push_str("\t.end_amdhsa_kernel\n");
        Some(out.into_string())
    }

    /// What the file says of who sees a symbol: nothing of a kernel that the assembler protects by itself, after its
    /// descriptor was made to be seen as it was.
    fn visibility(&self, s: &Symbol) -> Visibility {
        let since = s.visibility == Visibility::Protected
            && self.exported.get(s.name.as_str()).is_some_and(|(i, kd)| self.block(*i, kd).is_some());
        if since { Visibility::Default } else { s.visibility }
    }

    fn push_symbol(&self, out: &mut Text, s: &Symbol) {
        push_binding(out, s, self.visibility(s));
        push_kind(out, s);
        push_name(out, &s.name);
        out.push_str(":\n");
    }
}

fn push_binding(out: &mut Text, s: &Symbol, visibility: Visibility) {
    let mut say = |directive: &str| {
        out.push_str(directive);
        push_name(out, &s.name);
        out.push('\n');
    };
    match s.binding {
        Binding::Local => return,
        Binding::Global => say("\t.globl "),
        Binding::Weak => say("\t.weak "),
    }
    match visibility {
        Visibility::Default => {}
        Visibility::Internal => say("\t.internal "),
        Visibility::Hidden => say("\t.hidden "),
        Visibility::Protected => say("\t.protected "),
    }
}

fn push_kind(out: &mut Text, s: &Symbol) {
    let kind = match s.kind {
        SymbolKind::Function => "@function",
        SymbolKind::Object => "@object",
        SymbolKind::None | SymbolKind::Lds => "",
    };
    if !kind.is_empty() {
        out.push_str("\t.type ");
        push_name(out, &s.name);
        let _ = writeln!(out, ",{kind}");
    }
    if s.size != 0 {
        out.push_str("\t.size ");
        push_name(out, &s.name);
        let _ = writeln!(out, ", {}", s.size);
    }
}

fn push_section_name(out: &mut Text, name: &str) {
    if name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-')) && !name.is_empty() {
        out.push_str(name);
    } else {
        out.push('"');
        out.push_str(&name.replace(['"', '\\'], "_"));
        out.push('"');
    }
}

/// What a file's listing says around the code of one section.
struct CodeNotes<'a> {
    file: &'a File<'a>,
    section: usize,
    literals: &'a HashMap<usize, String>,
    /// Whether there is anything to look up, by dword: nearly everywhere there is not.
    noted: Vec<bool>,
}

impl CodeNotes<'_> {
    fn symbols(&self, at: usize) -> &[&Symbol] {
        self.file.symbols[self.section].get(&(at as u64 * 4)).map_or(&[], Vec::as_slice)
    }

    fn remark(&self, at: usize) -> Option<&Remark> {
        if self.file.remarks.is_empty() {
            return None;
        }
        self.file.remarks.get(&(self.file.object.sections[self.section].address + at as u64 * 4))
    }

    fn push_before(&self, out: &mut Text, at: usize) -> bool {
        let symbols = self.symbols(at);
        for s in symbols {
            self.file.push_symbol(out, s);
        }
        let label = symbols.is_empty() && self.file.labels[self.section].contains(&(at as u64 * 4));
        if label {
            self.push_label(out, at);
            out.push_str(":\n");
        }
        if let Some(remark) = self.remark(at) {
            for line in &remark.before {
                out.push_str("\t// ");
                out.push_str(line);
                out.push('\n');
            }
        }
        label || !symbols.is_empty()
    }
}

impl Notes for CodeNotes<'_> {
    #[inline]
    fn before(&self, out: &mut Text, at: usize) -> bool {
        self.noted[at] && self.push_before(out, at)
    }

    fn name(&self, at: usize) -> Option<&str> {
        self.symbols(at).first().map(|s| s.name.as_str())
    }

    #[inline]
    fn named(&self, at: usize) -> bool {
        self.noted[at]
    }

    fn push_label(&self, out: &mut Text, at: usize) {
        out.push_str(&self.file.label(self.section, at as u64 * 4));
    }

    #[inline]
    fn literal(&self, index: usize, inst: &Inst) -> Option<String> {
        if self.literals.is_empty() {
            return None;
        }
        inst.literal().and_then(|_| self.literals.get(&index).cloned())
    }

    #[inline]
    fn after(&self, out: &mut Text, at: usize) {
        if self.noted[at]
            && let Some(remark) = self.remark(at).filter(|r| !r.after.is_empty())
        {
            out.push_str(" // ");
            out.push_str(&remark.after);
        }
    }

    fn addresses(&self) -> bool {
        self.file.options.addresses
    }

    fn push_address(&self, out: &mut Text, at: usize, words: &[u32]) {
        push_address(out, self.file.object.sections[self.section].address + at as u64 * 4, words);
    }
}

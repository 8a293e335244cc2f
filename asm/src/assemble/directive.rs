//! Directives.

use super::source::Origin;
use super::symbols::{Binding, SymbolKind, Visibility};
use super::{Assembler, kernel, metadata, schema};
use crate::parse::{Cursor, ParseError, absolute, nearest};
use crate::target::Target;

/// What is accepted and means nothing here: debug lines, unwinding, compiler bookkeeping.
const IGNORED: [&str; 12] = [
    ".ident",
    ".file",
    ".loc",
    ".addrsig",
    ".addrsig_sym",
    ".altmacro",
    ".noaltmacro",
    ".amdgpu_hsa_kernel",
    ".cv_file",
    ".cv_loc",
    ".print",
    ".symver",
];

/// Directives by name, for suggestions.
const KNOWN: [&str; 60] = [
    ".text",
    ".data",
    ".bss",
    ".section",
    ".pushsection",
    ".popsection",
    ".previous",
    ".globl",
    ".global",
    ".weak",
    ".local",
    ".hidden",
    ".protected",
    ".internal",
    ".type",
    ".size",
    ".set",
    ".equ",
    ".equiv",
    ".p2align",
    ".balign",
    ".align",
    ".byte",
    ".short",
    ".half",
    ".2byte",
    ".long",
    ".int",
    ".4byte",
    ".word",
    ".quad",
    ".sleb128",
    ".uleb128",
    ".8byte",
    ".float",
    ".double",
    ".ascii",
    ".asciz",
    ".string",
    ".zero",
    ".skip",
    ".space",
    ".fill",
    ".org",
    ".macro",
    ".rept",
    ".irp",
    ".irpc",
    ".purgem",
    ".exitm",
    ".if",
    ".ifdef",
    ".error",
    ".amdgcn_target",
    ".amdhsa_code_object_version",
    ".amdhsa_kernel",
    ".amdgpu_metadata",
    ".amdgpu_lds",
    ".comm",
    ".end",
];

impl<'a> Assembler<'a> {
    pub(super) fn directive(
        &mut self,
        word: &str,
        c: &mut Cursor<'_>,
        span: (usize, usize),
        origin: &Origin<'a>,
    ) -> Result<(), ParseError> {
        match word {
            ".text" | ".data" | ".bss" | ".rodata" => {
                let s = self.section(word);
                self.switch(s);
                self.end_of_statement(c)
            }
            ".section" => self.section_directive(c, false),
            ".pushsection" => self.section_directive(c, true),
            ".popsection" => match self.stack.pop() {
                Some(s) => {
                    self.switch(s);
                    Ok(())
                }
                None => Err(ParseError::new(span, ".popsection without .pushsection")),
            },
            ".previous" => {
                let p = self.previous;
                self.switch(p);
                Ok(())
            }
            ".globl" | ".global" | ".weak" | ".local" | ".hidden" | ".protected" | ".internal" => self.names(word, c),
            ".type" => self.symbol_type(c),
            ".size" => {
                let name = self.symbol_name(c)?;
                c.expect(b',')?;
                let e = crate::parse::expression(c)?;
                let e = self.symbols.localize(e);
                let here = (self.current as u32, self.sections[self.current].size as i64);
                self.symbols.size(&name, e, here);
                self.end_of_statement(c)
            }
            ".set" | ".equ" | ".equiv" => {
                let name = self.symbol_name(c)?;
                c.expect(b',')?;
                if word == ".equiv" && self.symbols.is_defined(&name) {
                    return Err(ParseError::new(span, format!("symbol `{name}` is already defined")));
                }
                self.assign(&name, c, span)
            }
            ".p2align" => self.align(true, 1, c, span),
            ".p2alignw" => self.align(true, 2, c, span),
            ".p2alignl" => self.align(true, 4, c, span),
            ".balign" | ".align" => self.align(false, 1, c, span),
            ".balignw" => self.align(false, 2, c, span),
            ".balignl" => self.align(false, 4, c, span),
            ".byte" => self.numbers(1, c, origin),
            ".short" | ".half" | ".2byte" | ".hword" => self.numbers(2, c, origin),
            ".long" | ".int" | ".4byte" | ".word" => self.numbers(4, c, origin),
            ".quad" | ".8byte" => self.numbers(8, c, origin),
            ".uleb128" => self.leb128(false, c),
            ".sleb128" => self.leb128(true, c),
            ".float" | ".single" => self.floats(false, c),
            ".double" => self.floats(true, c),
            ".ascii" => self.strings(false, c),
            ".asciz" | ".string" => self.strings(true, c),
            ".zero" | ".skip" | ".space" => self.space(c, span),
            ".fill" => self.fill_values(c, span),
            ".org" => {
                let e = crate::parse::expression(c)?;
                let e = self.symbols.localize(e);
                // A plain number is an offset in the section.
                let e = match e {
                    crate::parse::Expr::Int(n) => {
                        let at = self.sections[self.current].size as i64;
                        if n < at {
                            return Err(ParseError::new(span, "the location counter cannot move backwards"));
                        }
                        return self.fill((n - at) as u64, 0).map_err(|e| ParseError { span, ..e });
                    }
                    e => e,
                };
                self.org(&e, span)
            }
            ".macro" => self.source.define(c, origin, span),
            ".rept" | ".rep" => {
                let n = absolute(c, &self.here())?;
                self.source.repeat(n, origin, span)
            }
            ".irp" => self.source.for_each(c, false, origin, span),
            ".irpc" => self.source.for_each(c, true, origin, span),
            ".endm" | ".endmacro" | ".endr" => Err(ParseError::new(span, format!("{word} without its beginning"))),
            ".purgem" => {
                let name = c.word().unwrap_or("");
                if self.source.purge(name) {
                    Ok(())
                } else {
                    Err(ParseError::new(span, format!("macro `{name}` is not defined")))
                }
            }
            ".exitm" => {
                if self.source.exit_macro() {
                    Ok(())
                } else {
                    Err(ParseError::new(span, ".exitm outside of a macro"))
                }
            }
            ".error" | ".err" => {
                let text =
                    if c.at_end() { b"directive invoked in source file".to_vec() } else { crate::parse::string(c)? };
                Err(ParseError::new(span, format!("{word}: {}", String::from_utf8_lossy(&text))))
            }
            ".warning" => Ok(()),
            ".end" => {
                while let Some(Ok(_)) = self.source.next() {}
                Ok(())
            }
            ".comm" | ".lcomm" => self.common(word == ".lcomm", c, span),
            ".amdgcn_target" => self.target_directive(c, span),
            ".amdhsa_code_object_version" => {
                let at = c.pos();
                let v = absolute(c, &self.here())?;
                if !(4..=6).contains(&v) {
                    return Err(ParseError::new((at, c.pos()), format!("code object version {v} is not supported"))
                        .help("4, 5 or 6"));
                }
                self.version = v as u32;
                Ok(())
            }
            ".amdhsa_kernel" => kernel::read(self, c, span, origin),
            ".amdgpu_metadata" => {
                // The listing says so of metadata that LLVM would refuse.
                let checked = c.peek_word() != Some("unchecked");
                self.read_metadata(span, checked)
            }
            ".amdgpu_lds" => self.lds(c, span),
            ".include" | ".incbin" => {
                Err(ParseError::new(span, format!("{word} needs files, and only this text is read"))
                    .help("put the contents into this file"))
            }
            _ if IGNORED.contains(&word) || word.starts_with(".cfi_") => Ok(()),
            _ => {
                let e = ParseError::new(span, format!("unknown directive `{word}`"));
                Err(match nearest(word, KNOWN.into_iter()) {
                    Some(n) => e.help(format!("did you mean `{n}`?")),
                    None => e,
                })
            }
        }
    }

    fn read_metadata(&mut self, span: (usize, usize), checked: bool) -> Result<(), ParseError> {
        let mut lines = Vec::new();
        loop {
            match self.source.next() {
                Some(Ok((line, _))) if line.trim() == ".end_amdgpu_metadata" => break,
                Some(Ok(line)) => lines.push(line),
                _ => return Err(ParseError::new(span, "no matching `.end_amdgpu_metadata`")),
            }
        }
        let text: Vec<&str> = lines.iter().map(|(l, _)| &**l).collect();
        let (meta, wrongs) = match metadata::placed(&text) {
            Ok(placed) => {
                let wrongs = if checked { schema::wrongs(&placed) } else { Vec::new() };
                (Some(placed.meta), wrongs)
            }
            Err(wrong) => (None, vec![wrong]),
        };
        for (n, message) in wrongs {
            let e = |text: &str| {
                let blank = text.len() - text.trim_start().len();
                ParseError::new((blank, text.trim_end().len()), format!("invalid metadata: {message}"))
            };
            match lines.get(n) {
                Some((line, origin)) => self.report(e(line), origin),
                None => return Err(ParseError::new(span, format!("invalid metadata: {message}"))),
            }
        }
        self.metadata = meta;
        Ok(())
    }

    pub(super) fn switch(&mut self, section: usize) {
        if section != self.current {
            self.previous = self.current;
            self.current = section;
        }
    }

    fn section_directive(&mut self, c: &mut Cursor<'_>, push: bool) -> Result<(), ParseError> {
        c.skip_space();
        let start = c.pos();
        let name = if c.peek() == b'"' {
            String::from_utf8_lossy(&crate::parse::string(c)?).into_owned()
        } else {
            while !matches!(c.peek(), b',' | b' ' | b'\t' | 0) {
                c.bump();
            }
            c.since(start).to_owned()
        };
        if name.is_empty() {
            return Err(c.error("expected a section name"));
        }
        let fresh = !self.by_name.contains_key(&name);
        let s = self.section(&name);
        if c.eat(b',') {
            c.skip_space();
            if c.peek() == b'"' {
                let at = c.pos();
                let flags = crate::parse::string(c)?;
                let section = &mut self.sections[s];
                if fresh {
                    (section.alloc, section.write, section.exec) = (false, false, false);
                }
                for f in flags {
                    match f {
                        b'a' => section.alloc = true,
                        b'w' => section.write = true,
                        b'x' => section.exec = true,
                        b'M' | b'S' | b'G' | b'o' | b'T' | b'e' | b'?' | b'R' => {}
                        _ => {
                            return Err(ParseError::new((at, c.pos()), format!("unknown flag `{}`", f as char))
                                .help("a, w, x, M, S, G"));
                        }
                    }
                }
            }
            if c.eat(b',') {
                c.skip_space();
                if matches!(c.peek(), b'@' | b'%') {
                    c.bump();
                    match c.word() {
                        Some("nobits") => self.sections[s].nobits = true,
                        Some("note") => self.sections[s].note = true,
                        Some("progbits" | "unwind" | "init_array" | "fini_array") => {}
                        _ => return Err(c.error("unknown section type").help("@progbits, @nobits or @note")),
                    }
                }
                // An entry size or group may follow; neither changes the bytes.
                while c.eat(b',') {
                    while !matches!(c.peek(), b',' | 0) {
                        c.bump();
                    }
                }
            }
        }
        self.end_of_statement(c)?;
        if push {
            self.stack.push(self.current);
        }
        self.switch(s);
        Ok(())
    }

    pub(super) fn symbol_name(&mut self, c: &mut Cursor<'_>) -> Result<String, ParseError> {
        c.skip_space();
        if c.peek() == b'"' {
            return Ok(String::from_utf8_lossy(&crate::parse::string(c)?).into_owned());
        }
        let at = c.pos();
        match c.word() {
            // `@` belongs to the type that follows, not to the name.
            Some(w) => match w.split_once('@') {
                Some((name, _)) => {
                    c.seek(at + name.len());
                    Ok(name.to_owned())
                }
                None => Ok(w.to_owned()),
            },
            None => Err(c.error("expected a symbol name")),
        }
    }

    fn names(&mut self, word: &str, c: &mut Cursor<'_>) -> Result<(), ParseError> {
        loop {
            let name = self.symbol_name(c)?;
            match word {
                ".globl" | ".global" => self.symbols.binding(&name, Binding::Global),
                ".weak" => self.symbols.binding(&name, Binding::Weak),
                ".local" => self.symbols.binding(&name, Binding::Local),
                ".hidden" => self.symbols.visibility(&name, Visibility::Hidden),
                ".protected" => self.symbols.visibility(&name, Visibility::Protected),
                _ => self.symbols.visibility(&name, Visibility::Internal),
            }
            if !c.eat(b',') {
                break;
            }
        }
        self.end_of_statement(c)
    }

    fn symbol_type(&mut self, c: &mut Cursor<'_>) -> Result<(), ParseError> {
        let name = self.symbol_name(c)?;
        c.eat(b',');
        c.skip_space();
        if matches!(c.peek(), b'@' | b'%' | b'#') {
            c.bump();
        }
        let kind = if c.peek() == b'"' {
            String::from_utf8_lossy(&crate::parse::string(c)?).into_owned()
        } else {
            c.word().unwrap_or("").to_owned()
        };
        let kind = match kind.as_str() {
            "function" | "STT_FUNC" | "amdgpu_hsa_kernel" | "STT_AMDGPU_HSA_KERNEL" => SymbolKind::Function,
            "object" | "STT_OBJECT" | "common" | "STT_COMMON" => SymbolKind::Object,
            "notype" | "STT_NOTYPE" => SymbolKind::None,
            _ => return Err(c.error("unsupported symbol type").help("@function, @object or @notype")),
        };
        self.symbols.kind(&name, kind);
        self.end_of_statement(c)
    }

    fn target_directive(&mut self, c: &mut Cursor<'_>, span: (usize, usize)) -> Result<(), ParseError> {
        let at = c.pos();
        let id = String::from_utf8_lossy(&crate::parse::string(c)?).into_owned();
        let span_id = (at, c.pos());
        // Triples vary between producers; the processor is what counts.
        let processor = id.split(':').next().and_then(|t| t.rsplit('-').next()).unwrap_or("");
        let named: Target =
            processor.parse().map_err(|e: crate::target::UnknownTarget| ParseError::new(span_id, e.to_string()))?;
        if named != self.target {
            return Err(ParseError::new(span, format!("target id {id} does not match the target {}", self.target)));
        }
        self.target_id = Some(id);
        self.end_of_statement(c)
    }

    fn common(&mut self, local: bool, c: &mut Cursor<'_>, span: (usize, usize)) -> Result<(), ParseError> {
        let name = self.symbol_name(c)?;
        c.expect(b',')?;
        let size = absolute(c, &self.here())?;
        let align = if c.eat(b',') { absolute(c, &self.here())? } else { 1 };
        self.end_of_statement(c)?;
        if size < 0 || align <= 0 || !(align as u64).is_power_of_two() || size as usize > super::MOST_BYTES {
            return Err(ParseError::new(span, "invalid size or alignment"));
        }
        let bss = self.section(".bss");
        let s = &mut self.sections[bss];
        s.align = s.align.max(align as u64);
        s.size = s.size.next_multiple_of(align as u64);
        let at = s.size;
        s.size += size as u64;
        self.symbols.define_label(&name, bss as u32, at).map_err(|e| ParseError::new(span, e))?;
        self.symbols.kind(&name, SymbolKind::Object);
        if !local {
            self.symbols.binding(&name, Binding::Global);
        }
        Ok(())
    }

    /// `.amdgpu_lds NAME, SIZE, ALIGN`.
    fn lds(&mut self, c: &mut Cursor<'_>, span: (usize, usize)) -> Result<(), ParseError> {
        let name = self.symbol_name(c)?;
        c.expect(b',')?;
        let size = absolute(c, &self.here())?;
        let align = if c.eat(b',') { absolute(c, &self.here())? } else { 4 };
        self.end_of_statement(c)?;
        if !(0..=i64::from(self.target.max_lds())).contains(&size) {
            return Err(
                ParseError::new(span, "size is too large").help(format!("at most {} bytes", self.target.max_lds()))
            );
        }
        if align <= 0 || !(align as u64).is_power_of_two() {
            return Err(ParseError::new(span, "alignment must be a power of two"));
        }
        self.symbols.binding(&name, Binding::Global);
        self.symbols.kind(&name, SymbolKind::Lds);
        self.symbols.size(&name, crate::parse::Expr::Int(size), (0, 0));
        Ok(())
    }
}

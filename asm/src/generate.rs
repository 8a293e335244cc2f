//! Prints the files that are generated from the rows: the mnemonic table and the builder's methods.
//!
//! They are committed; a test compares them with what this module prints now.

use crate::format::{Field, Form, Format};
use crate::row::{Class, Opd, Row};
use crate::rows::{self, NONE};
use crate::sem::Sem;
use crate::target::Target;
use std::fmt::Write;

const HEADER: &str =
    "// Generated from the instruction rows by `cargo run -p wavesmith-asm --bin generate`; do not edit.\n";

/// Generated files: path from the crate's root, and content.
pub fn files() -> Vec<(String, String)> {
    let mut files =
        vec![("src/names/table.rs".to_owned(), names_table()), ("src/build/methods.rs".to_owned(), methods())];
    files.push(("../docs/isa/README.md".to_owned(), index()));
    for (family, rows) in rows::FAMILIES {
        files.push((format!("../docs/isa/{family}.md"), page(family, rows)));
    }
    files
}

/// The reference's first page.
fn index() -> String {
    let mut s = String::from(
        "# Instruction reference\n\n<!-- Generated from the instruction rows by `cargo run -p wavesmith-asm --bin generate`; do not edit. -->\n\n\
         One page per format, a table per target. In the tables `a`, `b`, `c` are the sources in assembly order after the\n\
         destination `d`; `v[2]` is a run of two VGPRs, `const` an inline constant or, in 32-bit encodings, a literal.\n\
         Cycles are those of the pipe that one wave-instruction holds; the wait-state class is the one that\n\
         `asm/src/hazard.rs` has rules for.\n\n| page | gfx908 | gfx90a | gfx942 | gfx950 |\n|---|---|---|---|---|\n",
    );
    for (family, rows) in rows::FAMILIES {
        let count = |t: Target| rows.iter().filter(|r| r.targets.has(t)).count();
        let [a, b, c, d] = Target::ALL.map(count);
        writeln!(s, "| [{family}]({family}.md) | {a} | {b} | {c} | {d} |").ok();
    }
    s
}

/// A format's page: where its bits are, then what each target has.
fn page(family: &str, rows: &'static [Row]) -> String {
    let mut s = format!("# {}\n\n<!-- {} -->\n", family.to_uppercase(), HEADER.trim_start_matches("// ").trim_end());
    let mut formats: Vec<crate::format::Format> = Vec::new();
    for r in rows {
        if !formats.contains(&r.format) {
            formats.push(r.format);
        }
    }
    for f in &formats {
        for form in [Form::Base, Form::E64, Form::Sdwa, Form::Dpp] {
            let used = form == Form::Base
                || f.is_short() && rows.iter().any(|r| r.format == *f && r.mods.has(form_mods(form)));
            if used {
                bit_table(&mut s, *f, form);
            }
        }
    }
    for t in Target::ALL {
        let here: Vec<&Row> = rows.iter().filter(|r| r.targets.has(t)).collect();
        if here.is_empty() {
            continue;
        }
        write!(s, "\n## {t}\n\n| instruction | operands | opcode | encodings | what it does | wait-state class | cycles |\n|---|---|---|---|---|---|---|\n").ok();
        for r in here {
            let operands: Vec<String> = r.operands.iter().map(crate::describe::operand).collect();
            let mut forms = vec![format!("{:?}", r.format)];
            for (form, name) in [(Form::E64, "e64"), (Form::Sdwa, "sdwa"), (Form::Dpp, "dpp")] {
                if r.format.is_short() && r.has_form(form, t) {
                    forms.push(name.to_owned());
                }
            }
            writeln!(
                s,
                "| `{}` | {} | {:#x} | {} | {} | {:?} | {} |",
                r.name,
                operands.join(", ").replace('|', "\\|"),
                r.opcode,
                forms.join(", "),
                crate::describe::meaning(r).replace('|', "\\|"),
                r.hazard,
                crate::describe::cost(r.time),
            )
            .ok();
        }
    }
    s
}

fn form_mods(form: Form) -> crate::row::Mods {
    match form {
        Form::Base => crate::row::Mods::NONE,
        Form::E64 => crate::row::Mods::E64,
        Form::Sdwa => crate::row::Mods::SDWA,
        Form::Dpp => crate::row::Mods::DPP,
    }
}

fn bit_table(s: &mut String, format: crate::format::Format, form: Form) {
    let layout = format.layout(form);
    let name = match form {
        Form::Base => format!("{format:?}"),
        f => format!("{format:?}, {} form", format!("{f:?}").to_uppercase()),
    };
    write!(
        s,
        "\n{name}: {} bits, fixed `{:#010x}` under `{:#010x}`.\n\n| field | bits |\n|---|---|\n",
        layout.dwords as u32 * 32,
        layout.base[0],
        layout.base_mask[0]
    )
    .ok();
    let range = |pos: u8, width: u8| if width == 1 { pos.to_string() } else { format!("{}:{pos}", pos + width - 1) };
    if layout.opcode.exists() {
        writeln!(s, "| opcode | {} |", range(layout.opcode.pos, layout.opcode.width)).ok();
    }
    let mut fields: Vec<(Field, crate::format::Bits)> =
        Field::ALL.into_iter().map(|f| (f, layout.field(f))).filter(|(_, b)| b.exists()).collect();
    fields.sort_by_key(|(_, b)| b.pos);
    for (f, b) in fields {
        let high = if b.hi_width > 0 { format!(", then {}", range(b.hi_pos, b.hi_width)) } else { String::new() };
        writeln!(s, "| {f:?} | {}{high} |", range(b.pos, b.width)).ok();
    }
}

/// Mnemonics in order of first appearance with each target's row.
fn mnemonics() -> Vec<(&'static str, [u16; 4])> {
    let mut order: Vec<(&'static str, [u16; 4])> = Vec::new();
    let mut at = std::collections::HashMap::new();
    for (i, row) in rows::all().iter().enumerate() {
        let n = *at.entry(row.name).or_insert_with(|| {
            order.push((row.name, [NONE; 4]));
            order.len() - 1
        });
        for t in row.targets.iter() {
            order[n].1[t as usize] = i as u16;
        }
    }
    order
}

fn names_table() -> String {
    let m = mnemonics();
    let mut s = format!("//! Mnemonics and their rows.\n{HEADER}\n");
    writeln!(s, "pub(super) static NAMES: [&str; {}] = [", m.len()).ok();
    for (name, _) in &m {
        writeln!(s, "    {name:?},").ok();
    }
    s.push_str("];\n\n");
    writeln!(s, "pub(super) static ROWS: [[u16; 4]; {}] = [", m.len()).ok();
    for (_, r) in &m {
        writeln!(s, "    [{}, {}, {}, {}],", r[0], r[1], r[2], r[3]).ok();
    }
    s.push_str("];\n\n/// Every mnemonic as a constant.\n#[allow(missing_docs)]\npub mod id {\n    use crate::names::Mnemonic;\n");
    for (i, (name, _)) in m.iter().enumerate() {
        writeln!(s, "    pub const {}: Mnemonic = Mnemonic({i});", name.to_uppercase()).ok();
    }
    s.push_str("}\n");
    s
}

/// The parameter type of an operand in a builder method, and how it becomes an operand.
fn parameter(row: &Row, o: &Opd) -> (String, &'static str) {
    let n = o.ty.dwords();
    let typed_by_fields = matches!(row.sem, Sem::Mfma(m) if m.typed_by_fields);
    match o.class {
        Class::AV if typed_by_fields && matches!(o.slot, Field::Src0 | Field::Src1) => {
            ("impl Into<Operand>".into(), ".into()")
        }
        Class::V if o.slot == Field::Src1 && row.format.is_short() => (format!("impl Into<Src<{n}>>"), ".into().0"),
        Class::V => (format!("V<{n}>"), ".into()"),
        Class::A => (format!("A<{n}>"), ".into()"),
        Class::AV => (format!("impl Into<VA<{n}>>"), ".into().0"),
        Class::AVC => (format!("impl Into<VAC<{n}>>"), ".into().0"),
        Class::VS | Class::VI => (format!("impl Into<Src<{n}>>"), ".into().0"),
        Class::S => (format!("S<{n}>"), ".into()"),
        Class::SS | Class::SN => (format!("impl Into<SSrc<{n}>>"), ".into().0"),
        Class::M => ("S<2>".into(), ".into()"),
        Class::VAddr => ("impl Into<VAddr>".into(), ".into().0"),
        Class::SAddr => ("impl Into<SAddr>".into(), ".into().0"),
        Class::SOff => ("impl Into<SOffset>".into(), ".into().0"),
        Class::K => ("impl Into<Operand>".into(), ".into()"),
        Class::Imm | Class::Label | Class::HwReg | Class::Msg | Class::WaitCnt | Class::GprIdx => {
            ("i32".into(), "|imm")
        }
        Class::ExpTgt | Class::Param | Class::Attr => ("i32".into(), "|imm"),
        Class::ExpSrc => ("V<1>".into(), ".into()"),
    }
}

fn parameter_name(o: &Opd) -> &'static str {
    match o.slot {
        Field::Dst => "d",
        Field::Sdst => "sd",
        Field::Src0 => "a",
        Field::Src1 => "b",
        Field::Src2 => "c",
        Field::Literal => "k",
        Field::Vaddr => "addr",
        Field::Saddr => "base",
        Field::Data0 => "data",
        Field::Data1 => "data1",
        Field::Sbase => "base",
        Field::Offset => "offset",
        Field::Soffset => "soffset",
        Field::Srsrc => "rsrc",
        Field::Ssamp => "samp",
        Field::ScaleSrc0 => "scale_a",
        Field::ScaleSrc1 => "scale_b",
        _ => "imm",
    }
}

/// The row whose operands a builder method takes: that of the newest target.
fn representative(rows_of: &[u16; 4]) -> &'static Row {
    let best = [Target::Gfx942, Target::Gfx950, Target::Gfx90a, Target::Gfx908]
        .into_iter()
        .map(|t| rows_of[t as usize])
        .find(|&r| r != NONE)
        .unwrap_or(0);
    &rows::all()[best as usize]
}

fn method(s: &mut String, name: &str, row: &Row, suffix: &str, absent: Option<Field>, then: &str) {
    let targets: Vec<_> =
        rows::all().iter().filter(|r| r.name == name).flat_map(|r| r.targets.iter()).map(Target::name).collect();
    let mut sorted = targets.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let on = if sorted.len() == 4 { String::new() } else { format!(" {} only.", sorted.join(", ")) };
    let what = match suffix {
        "_rtn" => ", returning the old value",
        "_lds" => ", into LDS at M0",
        _ => "",
    };
    let mut params = String::new();
    let mut args = String::new();
    for o in row.operands {
        if Some(o.slot) == absent {
            args.push_str("Operand::Off, ");
            continue;
        }
        let (ty, conv) = parameter(row, o);
        let p = parameter_name(o);
        write!(params, ", {p}: {ty}").ok();
        if conv == "|imm" {
            write!(args, "Operand::Imm({p}), ").ok();
        } else {
            write!(args, "{p}{conv}, ").ok();
        }
    }
    let args = args.trim_end_matches(", ");
    writeln!(s, "    /// `{name}`{what}.{on}\n    #[inline(always)]\n    #[track_caller]").ok();
    writeln!(s, "    fn {name}{suffix}(&mut self{params}) -> Rec<'_, Self> {{").ok();
    let upper = name.to_uppercase();
    writeln!(s, "        rec(self, id::{upper}, &[{args}]){then}\n    }}").ok();
}

fn methods() -> String {
    let mut s = format!("//! One method per mnemonic.\n{HEADER}\n");
    s.push_str("use super::{Emit, Rec, rec};\nuse crate::names::id;\nuse crate::operand::{Operand, SAddr, SOffset, SSrc, Src, VA, VAC, VAddr};\nuse crate::reg::{A, S, V};\n\n");
    s.push_str("/// Typed methods, one per mnemonic, for everything that records instructions.\n#[rustfmt::skip]\n#[allow(clippy::too_many_arguments)]\npub trait Build: Emit {\n");
    for (name, rows_of) in mnemonics() {
        let row = representative(&rows_of);
        // Kernels that compute have no use for them.
        if matches!(row.format, Format::EXP | Format::MIMG | Format::VINTRP) || row.mods.has(crate::row::Mods::HIGH) {
            continue;
        }
        let returns = matches!(row.sem, Sem::Atomic { ret: false, .. }) && row.operand(Field::Dst).is_some();
        if returns {
            method(&mut s, name, row, "", Some(Field::Dst), "");
            method(&mut s, name, row, "_rtn", None, ".sc0()");
        } else {
            method(&mut s, name, row, "", None, "");
        }
        if row.mods.has(crate::row::Mods::LDS) && row.format == Format::MUBUF {
            method(&mut s, name, row, "_lds", Some(Field::Data0), ".lds()");
        }
    }
    s.push_str("}\n\nimpl<E: Emit + ?Sized> Build for E {}\n");
    s
}

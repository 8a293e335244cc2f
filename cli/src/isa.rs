//! `wavesmith isa`: an instruction's page, and what the engine does not execute yet.

use crate::outcome::{Outcome, print_line};
use anyhow::bail;
use wavesmith_asm::names::{self, Mnemonic};
use wavesmith_asm::{Access, Field, Form, Row, RowId, Target, describe};
use wavesmith_sim::engine::coverage;

/// Arguments of `wavesmith isa`.
#[derive(clap::Args)]
pub struct Args {
    /// The instruction, with or without its encoding suffix.
    #[arg(value_name = "NAME", required_unless_present = "coverage")]
    name: Option<String>,
    /// List the encodings that the engine does not execute yet.
    #[arg(long, conflicts_with = "name")]
    coverage: bool,
    /// Only this instruction set: gfx908, gfx90a, gfx942 or gfx950 [default: all four].
    #[arg(long, value_name = "TARGET")]
    target: Option<Target>,
}

/// Encoding suffixes of mnemonics.
const SUFFIXES: [(&str, Form); 4] =
    [("_e32", Form::Base), ("_e64", Form::E64), ("_sdwa", Form::Sdwa), ("_dpp", Form::Dpp)];

/// Prints the page, or the list.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let targets: Vec<Target> = args.target.map_or(Target::ALL.to_vec(), |t| vec![t]);
    match &args.name {
        Some(name) => page(name, &targets)?,
        None => targets.iter().for_each(|&t| gaps(t)),
    }
    Ok(Outcome::Ok)
}

fn gaps(target: Target) {
    let c = coverage(target);
    print_line(&format!("{target}: {} of {} encodings are not executed", c.gaps.len(), c.tried));
    for gap in c.gaps {
        print_line(&format!("  {} {:?}: {}", gap.name, gap.form, gap.reason));
    }
    print_line(&format!(
        "{target}: {} encodings have no defined effect in a compute kernel and end in a report",
        c.reported.len()
    ));
    for gap in c.reported {
        print_line(&format!("  {} {:?}: {}", gap.name, gap.form, gap.reason));
    }
}

fn page(name: &str, targets: &[Target]) -> anyhow::Result<()> {
    let lower = name.to_ascii_lowercase();
    let suffix = SUFFIXES.iter().find_map(|(s, form)| Some((lower.strip_suffix(s)?, *form)));
    let (plain, form) = suffix.map_or((lower.as_str(), None), |(plain, form)| (plain, Some(form)));
    let rows: Vec<(Target, RowId)> = targets
        .iter()
        .filter_map(|&t| {
            let mnemonic = names::lookup(plain).filter(|m| m.row(t).is_some()).or_else(|| names::alias(plain, t));
            Some((t, mnemonic?.row(t)?))
        })
        .collect();
    let of = targets.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if rows.is_empty() {
        bail!("no instruction `{name}` on {of}; {}", similar(plain));
    }
    if let Some(form) = form
        && !rows.iter().any(|(t, id)| id.row().has_form(form, *t))
    {
        bail!("`{plain}` has no {} encoding on {of}; `wavesmith isa {plain}` lists those that it has", form_name(form));
    }
    let mut told: Vec<RowId> = Vec::new();
    for &(_, id) in &rows {
        if told.contains(&id) {
            continue;
        }
        told.push(id);
        let having: Vec<String> = rows.iter().filter(|(_, r)| *r == id).map(|(t, _)| t.to_string()).collect();
        print_row(id, &having, rows.iter().filter(|(_, r)| *r == id).map(|(t, _)| *t).collect(), form);
    }
    Ok(())
}

fn print_row(id: RowId, having: &[String], targets: Vec<Target>, form: Option<Form>) {
    let row = id.row();
    let operands: Vec<String> = row.operands.iter().map(describe::operand).collect();
    print_line(format!("{} {}", row.name, operands.join(", ")).trim_end());
    print_line(&format!("  targets     {}", having.join(", ")));
    print_line(&format!("  encoding    {:?}, opcode {:#x}", row.format, row.opcode));
    let forms: Vec<&str> = SUFFIXES
        .into_iter()
        .filter(|(_, form)| targets.iter().any(|&t| row.has_form(*form, t)))
        .map(|(_, form)| form_name(form))
        .collect();
    print_line(&format!("  forms       {}", forms.join(", ")));
    if let Some(form) = form {
        print_encoding(row, form);
    }
    for (operand, accepted) in row.operands.iter().zip(&operands) {
        print_line(&format!(
            "  operand     {:<10} {:<24} {} × {}, {}",
            format!("{:?}", operand.slot).to_lowercase(),
            accepted,
            operand.ty.count,
            format!("{:?}", operand.ty.elem).to_lowercase(),
            match operand.access {
                Access::R => "read",
                Access::W => "written",
                Access::RW => "read and written",
            }
        ));
    }
    print_line(&format!("  does        {}", describe::meaning(row)));
    print_line(&format!("  costs       {}", describe::cost(row.time)));
    print_line(&format!("  wait states {}", describe::hazard(row.hazard)));
}

fn form_name(form: Form) -> &'static str {
    match form {
        Form::Base => "own",
        Form::E64 => "_e64",
        Form::Sdwa => "_sdwa",
        Form::Dpp => "_dpp",
    }
}

/// Where one encoding keeps its bits.
fn print_encoding(row: &Row, form: Form) {
    let layout = row.format.layout(form);
    let opcode = if form == Form::E64 { row.opcode64 } else { row.opcode };
    print_line(&format!(
        "  {:<11} {} bits, fixed {:#010x} under {:#010x}, opcode {opcode:#x}",
        form_name(form),
        u32::from(layout.dwords) * 32,
        layout.base[0],
        layout.base_mask[0],
    ));
    let mut fields: Vec<_> = Field::ALL.into_iter().map(|f| (f, layout.field(f))).filter(|(_, b)| b.exists()).collect();
    fields.sort_by_key(|(_, b)| b.pos);
    for (field, bits) in fields {
        let range =
            |pos: u8, width: u8| if width == 1 { pos.to_string() } else { format!("{}:{pos}", pos + width - 1) };
        let high = if bits.hi_width == 0 { String::new() } else { format!(", {}", range(bits.hi_pos, bits.hi_width)) };
        print_line(&format!("    {:<12} {}{high}", format!("{field:?}").to_lowercase(), range(bits.pos, bits.width)));
    }
}

/// Names that somebody may have meant: those that contain the word, else the one with the fewest letters to change.
fn similar(name: &str) -> String {
    const MOST: usize = 8;
    let all = || Mnemonic::all().map(Mnemonic::name);
    let mut containing: Vec<&str> = all().filter(|known| known.contains(name)).collect();
    if name.len() >= 3 && !containing.is_empty() {
        containing.sort_by_key(|known| known.len());
        let more = containing.len().saturating_sub(MOST);
        containing.truncate(MOST);
        let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
        return format!("names with it: {}{rest}", containing.join(", "));
    }
    match all().min_by_key(|known| strsim::damerau_levenshtein(name, known)) {
        Some(near) => format!("the nearest name is `{near}`"),
        None => String::new(),
    }
}

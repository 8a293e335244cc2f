//! `wavesmith isa`: an instruction's page, and what the engine does not execute yet.

use crate::outcome::{Outcome, print_line};
use anyhow::bail;
use wavesmith_asm::names::{self, Mnemonic};
use wavesmith_asm::{Form, RowId, Target, describe};
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
const SUFFIXES: [&str; 4] = ["_e32", "_e64", "_sdwa", "_dpp"];

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
    let plain = SUFFIXES.iter().find_map(|s| lower.strip_suffix(s)).unwrap_or(&lower);
    let rows: Vec<(Target, RowId)> = targets
        .iter()
        .filter_map(|&t| {
            let mnemonic = names::lookup(plain).filter(|m| m.row(t).is_some()).or_else(|| names::alias(plain, t));
            Some((t, mnemonic?.row(t)?))
        })
        .collect();
    if rows.is_empty() {
        let near = nearest(plain);
        let of = targets.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        bail!(
            "no instruction `{name}` on {of}{}",
            near.map_or(String::new(), |n| format!("; the nearest name is `{n}`"))
        );
    }
    let mut told: Vec<RowId> = Vec::new();
    for &(_, id) in &rows {
        if told.contains(&id) {
            continue;
        }
        told.push(id);
        let having: Vec<String> = rows.iter().filter(|(_, r)| *r == id).map(|(t, _)| t.to_string()).collect();
        print_row(id, &having, rows.iter().filter(|(_, r)| *r == id).map(|(t, _)| *t).collect());
    }
    Ok(())
}

fn print_row(id: RowId, having: &[String], targets: Vec<Target>) {
    let row = id.row();
    let operands: Vec<String> = row.operands.iter().map(describe::operand).collect();
    print_line(format!("{} {}", row.name, operands.join(", ")).trim_end());
    print_line(&format!("  targets     {}", having.join(", ")));
    print_line(&format!("  encoding    {:?}, opcode {:#x}", row.format, row.opcode));
    let forms: Vec<&str> = [(Form::Base, "own"), (Form::E64, "_e64"), (Form::Sdwa, "_sdwa"), (Form::Dpp, "_dpp")]
        .into_iter()
        .filter(|(form, _)| targets.iter().any(|&t| row.has_form(*form, t)))
        .map(|(_, name)| name)
        .collect();
    print_line(&format!("  forms       {}", forms.join(", ")));
    for (operand, accepted) in row.operands.iter().zip(&operands) {
        print_line(&format!(
            "  operand     {:<10} {:<24} {} × {:?}, {:?}",
            format!("{:?}", operand.slot).to_lowercase(),
            accepted,
            operand.ty.count,
            operand.ty.elem,
            operand.access
        ));
    }
    print_line(&format!("  does        {:?}", row.sem));
    print_line(&format!("  costs       {:?}", row.time));
    print_line(&format!("  wait states {:?}", row.hazard));
}

/// The mnemonic with the fewest letters to change.
fn nearest(name: &str) -> Option<&'static str> {
    Mnemonic::all().map(Mnemonic::name).min_by_key(|known| strsim::damerau_levenshtein(name, known))
}

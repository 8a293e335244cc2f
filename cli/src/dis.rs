//! `wavesmith dis`: code to text.

use crate::lines;
use crate::objects;
use crate::outcome::{Outcome, print_line};
use crate::which::Which;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::PathBuf;
use wavesmith_asm::Target;
use wavesmith_asm::disassemble::Options;
use wavesmith_asm::disassemble::object::text;
use wavesmith_loader::code_object::listing;

/// Arguments of `wavesmith dis`.
#[derive(clap::Args)]
pub struct Args {
    /// The code object (.co, .hsaco), or an offload bundle or host program that holds one.
    #[arg(value_name = "FILE.co", required_unless_present = "lines")]
    file: Option<PathBuf>,
    /// Show address and bytes of each instruction as a comment.
    #[arg(long)]
    addresses: bool,
    /// Disassemble stdin line by line instead: an instruction's bytes in hex in, its text or `error: …` out. A wrong line is
    /// a result, so the exit status is 0 all the same; it is 2 where stdin or stdout fails.
    #[arg(long, conflicts_with = "file")]
    lines: bool,
    /// Instruction set of the lines: gfx908, gfx90a, gfx942 or gfx950 [default: gfx942]; or which code object of a bundle:
    /// also gfx942:xnack+, or its number.
    #[arg(long, value_name = "TARGET")]
    target: Option<Which>,
}

/// Disassembles.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let Some(file) = &args.file else {
        lines::disassemble(args.target.as_ref().map_or(Ok(Target::Gfx942), Which::of_text)?)?;
        return Ok(Outcome::Ok);
    };
    let bytes = objects::single(file, args.target.as_ref())?;
    let object = listing(&bytes).with_context(|| file.display().to_string())?;
    print_line(text(&object, Options { addresses: args.addresses }, &BTreeMap::new()).trim_end());
    Ok(Outcome::Ok)
}

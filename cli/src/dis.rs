//! `wavesmith dis`: code to text.

use crate::files;
use crate::lines;
use crate::outcome::{Outcome, print_line};
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::PathBuf;
use wavesmith_asm::Target;
use wavesmith_asm::disassemble::{Options, disassemble};
use wavesmith_loader::code_object::{CodeObject, SymbolKind};

/// Arguments of `wavesmith dis`.
#[derive(clap::Args)]
pub struct Args {
    /// The code object (.co, .hsaco).
    #[arg(value_name = "FILE.co", required_unless_present = "lines")]
    file: Option<PathBuf>,
    /// Show address and bytes of each instruction as a comment.
    #[arg(long)]
    addresses: bool,
    /// Disassemble stdin line by line instead: an instruction's bytes in hex in, its text or `error: …` out.
    #[arg(long, conflicts_with = "file")]
    lines: bool,
    /// Instruction set of the lines: gfx908, gfx90a, gfx942 or gfx950.
    #[arg(long, value_name = "TARGET", default_value = "gfx942")]
    target: Target,
}

/// Disassembles.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let Some(file) = &args.file else {
        lines::disassemble(args.target)?;
        return Ok(Outcome::Ok);
    };
    let bytes = files::code(file)?;
    let object = CodeObject::parse(&bytes).with_context(|| file.display().to_string())?;
    print_line(&format!(".amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n.text", object.target));
    for segment in object.segments.iter().filter(|s| s.executable) {
        let addresses = segment.addresses();
        let mut names: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for symbol in object.symbols.iter().filter(|s| s.defined && s.kind == SymbolKind::Function) {
            if addresses.contains(&symbol.value) {
                let at = names.entry(symbol.value - addresses.start).or_default();
                if !at.contains(&symbol.name) {
                    at.push(symbol.name.clone());
                }
            }
        }
        let code = &bytes[segment.file.clone()];
        print_line(disassemble(code, object.target, &names, Options { addresses: args.addresses }).trim_end());
    }
    Ok(Outcome::Ok)
}

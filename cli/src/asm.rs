//! `wavesmith asm`: text to code.

use crate::files;
use crate::lines;
use crate::outcome::Outcome;
use anyhow::Context;
use std::path::{Path, PathBuf};
use wavesmith_asm::Target;
use wavesmith_asm::assemble::{Assembled, assemble};
use wavesmith_emitter::link::link;

/// Arguments of `wavesmith asm`.
#[derive(clap::Args)]
pub struct Args {
    /// The text, as llvm-mc takes it: instructions, directives, macros, `.amdhsa_kernel`, metadata.
    #[arg(value_name = "FILE.s", required_unless_present = "lines", requires = "output")]
    file: Option<PathBuf>,
    /// Where the code object goes: linked, ready to load.
    #[arg(short, long, value_name = "OUT.co")]
    output: Option<PathBuf>,
    /// Assemble stdin line by line instead: an instruction a line in, its bytes in hex or `error: …` out. A wrong line is a
    /// result, so the exit status is 0 all the same; it is 2 where stdin or stdout fails.
    #[arg(long, conflicts_with_all = ["file", "output"])]
    lines: bool,
    /// Instruction set: gfx908, gfx90a, gfx942 or gfx950 [default: the file's .amdgcn_target, or gfx942]
    #[arg(long, value_name = "TARGET")]
    target: Option<Target>,
}

/// Assembles.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let (Some(file), Some(output)) = (&args.file, &args.output) else {
        lines::assemble(args.target.unwrap_or(Target::Gfx942))?;
        return Ok(Outcome::Ok);
    };
    let object = object(file, args.target)?;
    std::fs::write(output, object).with_context(|| format!("cannot write {}", output.display()))?;
    Ok(Outcome::Ok)
}

/// The code object of an assembly file.
///
/// # Errors
/// As [`assembled`], and where a symbol is missing.
pub fn object(file: &Path, target: Option<Target>) -> anyhow::Result<Vec<u8>> {
    link(&assembled(file, target)?).with_context(|| file.display().to_string())
}

/// An assembly file, assembled.
///
/// # Errors
/// All errors of the file in one text, each with its place, the line and what would be accepted.
pub fn assembled(file: &Path, target: Option<Target>) -> anyhow::Result<Assembled> {
    let text = files::text(file)?;
    let target = target.or_else(|| named_target(&text)).unwrap_or(Target::Gfx942);
    let name = file.display().to_string();
    let assembled = assemble(&text, target).map_err(|errors| {
        let shown: String = errors.iter().map(|e| e.render(&name)).collect();
        let plural = if errors.len() == 1 { "" } else { "s" };
        anyhow::anyhow!("{name} has {} error{plural}\n{}", errors.len(), shown.trim_end())
    })?;
    for w in &assembled.warnings {
        eprint!("{}", w.render(&name));
    }
    Ok(assembled)
}

/// The target that the file itself names: as llvm-mc's `-mcpu` must be right for a file, the file can say what is right.
fn named_target(text: &str) -> Option<Target> {
    let line = text.lines().map(str::trim).find(|l| l.starts_with(".amdgcn_target"))?;
    line.split('"').nth(1)?.parse().ok()
}

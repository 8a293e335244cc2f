//! `wavesmith asm`: text to code.

use crate::files;
use crate::lines;
use crate::outcome::Outcome;
use anyhow::Context;
use std::path::{Path, PathBuf};
use wavesmith_asm::Target;
use wavesmith_asm::assemble::{Assembled, assemble};
use wavesmith_emitter::link::link;
use wavesmith_emitter::object::LinkError;

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
    files::apart(&[("the text", Some(file)), ("--output", Some(output))])?;
    let object = object(file, args.target)?;
    std::fs::write(output, object).with_context(|| format!("cannot write {}", output.display()))?;
    Ok(Outcome::Ok)
}

/// The code object of an assembly file.
///
/// # Errors
/// As [`assembled`], and where a symbol is missing.
pub fn object(file: &Path, target: Option<Target>) -> anyhow::Result<Vec<u8>> {
    let assembled = assembled(file, target)?;
    link(&assembled).map_err(|e| {
        let name = file.display();
        match line_of(&e, &assembled) {
            Some(line) => anyhow::anyhow!("{name}:{line}: {e}"),
            None => anyhow::anyhow!("{name}: {e}"),
        }
    })
}

/// The line of the instruction that cannot be linked.
fn line_of(e: &LinkError, file: &Assembled) -> Option<u32> {
    let (LinkError::UnknownSymbol { section, offset, .. }
    | LinkError::OutOfReach { section, offset, .. }
    | LinkError::Unsupported { section, offset, .. }) = e
    else {
        return None;
    };
    // Where sections were merged, the offset is not the file's.
    let mut merged =
        file.sections.iter().enumerate().filter(|(_, s)| s.size != 0 && s.name.starts_with(section.as_str()));
    let (index, _) = merged.next().filter(|_| merged.next().is_none())?;
    let before = file.lines.iter().filter(|l| l.section as usize == index && l.offset <= *offset);
    // A literal is behind its instruction's first dword.
    before.max_by_key(|l| l.offset).filter(|l| offset - l.offset < 16).map(|l| l.line)
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

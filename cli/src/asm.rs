//! `wavesmith asm`: text to code.

use crate::lines;
use crate::outcome::Outcome;
use wavesmith_asm::Target;

/// Arguments of `wavesmith asm`.
#[derive(clap::Args)]
pub struct Args {
    /// Assemble stdin line by line: an instruction a line in, its bytes in hex or `error: …` out.
    #[arg(long, required = true)]
    lines: bool,
    /// Instruction set: gfx908, gfx90a, gfx942 or gfx950.
    #[arg(long, value_name = "TARGET", default_value = "gfx942")]
    target: Target,
}

/// Assembles.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    debug_assert!(args.lines, "clap requires it");
    lines::assemble(args.target)?;
    Ok(Outcome::Ok)
}

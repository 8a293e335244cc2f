//! `wavesmith dis`: code to text.

use crate::lines;
use crate::outcome::Outcome;
use wavesmith_asm::Target;

/// Arguments of `wavesmith dis`.
#[derive(clap::Args)]
pub struct Args {
    /// Disassemble stdin line by line: an instruction's bytes in hex in, its text or `error: …` out.
    #[arg(long, required = true)]
    lines: bool,
    /// Instruction set: gfx908, gfx90a, gfx942 or gfx950.
    #[arg(long, value_name = "TARGET", default_value = "gfx942")]
    target: Target,
}

/// Disassembles.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    debug_assert!(args.lines, "clap requires it");
    lines::disassemble(args.target)?;
    Ok(Outcome::Ok)
}

//! `wavesmith check`: waits, wait states, registers and declarations of a finished code object.

use crate::outcome::{Outcome, print_line};
use anyhow::Context;
use std::path::PathBuf;
use wavesmith_check::{Options, check};

/// Arguments of `wavesmith check`.
#[derive(clap::Args)]
pub struct Args {
    /// The code object (.co, .hsaco).
    file: PathBuf,
    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
    /// Write the findings as SARIF 2.1.0 to this file.
    #[arg(long, value_name = "OUT")]
    sarif: Option<PathBuf>,
    /// Take advice as errors.
    #[arg(long)]
    strict: bool,
    /// Print errors only.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
}

/// Checks a file and prints the findings.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let bytes = std::fs::read(&args.file).with_context(|| format!("cannot read {}", args.file.display()))?;
    let options = Options { strict: args.strict, ..Options::default() };
    let report = check(&bytes, &options).with_context(|| args.file.display().to_string())?;
    if args.json {
        print_line(&wavesmith_check::json(&report).to_string());
    } else {
        print_line(wavesmith_check::text(&report, !args.quiet).trim_end());
    }
    let failed = report.failed();
    if let Some(out) = &args.sarif {
        let log = wavesmith_check::sarif(&[(args.file.display().to_string(), report)]);
        std::fs::write(out, format!("{log:#}\n")).with_context(|| format!("cannot write {}", out.display()))?;
    }
    Ok(if failed { Outcome::Failed } else { Outcome::Ok })
}

//! The `wavesmith` command: thin subcommands over the library crates.
//!
//! stdout carries results and nothing else; progress and diagnostics go to stderr. Exit status: 0 success, 1 a check or
//! verification failed, 2 bad input or usage.
#![forbid(unsafe_code)]

mod asm;
mod check;
mod device;
mod dis;
mod files;
mod r#gen;
mod hsa;
mod info;
mod isa;
mod launch;
mod lines;
mod objects;
mod outcome;
mod run;
mod skus;
mod time;
mod tune;
mod verify;
mod watching;
mod which;

use clap::{Parser, Subcommand};
use outcome::Outcome;
use std::process::ExitCode;

/// AMD CDNA kernels below the compiler, with an embedded device to run them on.
#[derive(Parser)]
#[command(name = "wavesmith", version, max_term_width = 120, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Assemble text as llvm-mc takes it.
    Asm(asm::Args),
    /// Disassemble to text that `asm` takes back to the same bytes.
    Dis(dis::Args),
    /// Check a code object's waits, wait states, registers and declarations; exit status 1 on errors, not on advice.
    Check(check::Args),
    /// Generate a kernel for a part.
    Gen(r#gen::Args),
    /// Install the drop-in HSA runtime library, on which programs of others run without a GPU.
    Hsa(hsa::Args),
    /// Show a code object's kernels: arguments, registers, LDS, scratch, and occupancy on each part.
    Info(info::Args),
    /// Run a kernel of a code object with arguments from the command line and NumPy files.
    Launch(Box<launch::Args>),
    /// Show an instruction: encoding, operands, cost, wait-state class; or what the engine does not execute yet.
    Isa(isa::Args),
    /// Decode a prompt with the monokernel and verify the result.
    Run(Box<run::Args>),
    /// List the parts wavesmith knows, with the figures that kernels are regenerated for.
    Skus(skus::Args),
    /// Time a kernel on a model of a part: cycles, what bounds it, where waves wait.
    Time(Box<time::Args>),
    /// Search a generated kernel's parameters on the timing model.
    Tune(tune::Args),
    /// Run random cases of generated kernels on the embedded device and compare them with their CPU references.
    Verify(verify::Args),
}

fn main() -> ExitCode {
    wavesmith_console::end_quietly_at_closed_pipes();
    let outcome = match Cli::parse().command {
        Command::Asm(args) => asm::run(&args),
        Command::Dis(args) => dis::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Gen(args) => r#gen::run(&args),
        Command::Hsa(args) => hsa::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Launch(args) => launch::run(&args),
        Command::Isa(args) => isa::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Skus(args) => skus::run(&args),
        Command::Time(args) => time::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Verify(args) => verify::run(&args),
    };
    match outcome {
        Ok(Outcome::Ok) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(error) => {
            eprintln!("wavesmith: {}", message(&error));
            ExitCode::from(2)
        }
    }
}

/// The error and its causes on one line; causes that an error already told in its own text are not told again.
fn message(error: &anyhow::Error) -> String {
    let mut out = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !out.contains(&cause) {
            out.push_str(": ");
            out.push_str(&cause);
        }
    }
    out
}

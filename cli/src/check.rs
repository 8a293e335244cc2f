//! `wavesmith check`: waits, wait states, registers and declarations of a finished code object.

use crate::asm;
use crate::files;
use crate::objects;
use crate::outcome::{Outcome, print, print_line};
use crate::which::Which;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wavesmith_asm::Target;
use wavesmith_check::{Options, Source, check};
use wavesmith_emitter::link::link;
use wavesmith_loader::code_object::CodeObject;

/// Arguments of `wavesmith check`.
#[derive(clap::Args)]
pub struct Args {
    /// The code object (.co, .hsaco), an offload bundle or host program that holds one, or text that `asm` takes (.s).
    file: PathBuf,
    /// Instruction set of a .s file [default: the file's .amdgcn_target, or gfx942], or which code object of a bundle:
    /// gfx942, gfx942:xnack+, or its number
    #[arg(long, value_name = "TARGET")]
    target: Option<Which>,
    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
    /// Write the findings as SARIF 2.1.0 to this file.
    #[arg(long, value_name = "OUT")]
    sarif: Option<PathBuf>,
    /// Take advice as errors.
    #[arg(long)]
    strict: bool,
    /// LDS that the launch adds to what the kernel declares; what lies beyond is then an error.
    #[arg(long, value_name = "BYTES")]
    dynamic_lds: Option<u32>,
    /// Print errors only: nothing where there are none.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
}

/// Checks a file and prints the findings.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    files::apart(&[("the file", Some(&args.file)), ("--sarif", args.sarif.as_deref())])?;
    let (bytes, lines) = if args.file.extension().is_some_and(|e| e.eq_ignore_ascii_case("s")) {
        assembled(&args.file, args.target.as_ref().map(Which::of_text).transpose()?)?
    } else {
        (objects::single(&args.file, args.target.as_ref())?, BTreeMap::new())
    };
    let options = Options { strict: args.strict, dynamic_lds: args.dynamic_lds, lines, ..Options::default() };
    let report = check(&bytes, &options).with_context(|| args.file.display().to_string())?;
    if args.json {
        print_line(&wavesmith_check::json(&report).to_string());
    } else if args.quiet {
        print(&wavesmith_check::errors(&report));
    } else {
        print_line(wavesmith_check::text(&report, true).trim_end());
    }
    // A kernel whose descriptor was forgotten must not read as a clean one.
    if report.kernels == 0 {
        eprintln!(
            "note: {} holds no kernel, so nothing was checked: a kernel has a descriptor, which .amdhsa_kernel makes",
            args.file.display()
        );
    }
    if args.quiet {
        for n in report.notes.iter().filter(|n| n.message.starts_with("gave up")) {
            eprintln!("note: kernel {} at {:#x}: {}", n.kernel, n.pc, n.message);
        }
    }
    let failed = report.failed();
    if let Some(out) = &args.sarif {
        let log = wavesmith_check::sarif(&[(args.file.display().to_string(), report)]);
        std::fs::write(out, format!("{log:#}\n")).with_context(|| format!("cannot write {}", out.display()))?;
    }
    Ok(if failed { Outcome::Failed } else { Outcome::Ok })
}

/// The code object of an assembly file, and the line of every instruction by its address.
fn assembled(file: &Path, target: Option<Target>) -> anyhow::Result<(Vec<u8>, BTreeMap<u64, Source>)> {
    let assembled = asm::assembled(file, target)?;
    let bytes = link(&assembled).with_context(|| file.display().to_string())?;
    let object = CodeObject::parse(&bytes).with_context(|| file.display().to_string())?;
    // A section's address follows from any symbol in it.
    let mut base: BTreeMap<u32, u64> = BTreeMap::new();
    for s in assembled.symbols.iter().filter(|s| s.defined) {
        let linked = object.symbols.iter().find(|l| l.defined && l.name == s.name);
        if let (Some(section), Some(linked)) = (s.section, linked) {
            base.entry(section).or_insert(linked.value.wrapping_sub(s.value));
        }
    }
    let name = file.display().to_string();
    let lines = assembled.lines.iter().filter_map(|l| {
        let address = base.get(&l.section)?.wrapping_add(l.offset);
        Some((address, Source { file: name.clone(), line: l.line }))
    });
    Ok((bytes, lines.collect()))
}

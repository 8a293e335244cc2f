//! `wavesmith gen`: generates a kernel of the catalog.

use crate::files;
use crate::outcome::{Outcome, print_line};
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::PathBuf;
use wavesmith_asm::Sku;
use wavesmith_asm::disassemble::Options;
use wavesmith_asm::disassemble::object::{Remark, text};
use wavesmith_emitter::Kernel;
use wavesmith_emitter::listing::Line;
use wavesmith_emitter::metadata::ValueKind;
use wavesmith_kernels::catalog;
use wavesmith_loader::code_object::listing;

/// Arguments of `wavesmith gen`.
#[derive(clap::Args)]
pub struct Args {
    /// The kernel; without one, kernels and parameters are listed.
    #[arg(value_name = "KERNEL", requires = "output")]
    kernel: Option<String>,
    /// A parameter of the kernel; may be given several times.
    #[arg(long = "param", value_name = "K=V", value_parser = parameter, requires = "kernel")]
    parameters: Vec<(String, String)>,
    /// The part to generate for (see `wavesmith skus`).
    #[arg(long, value_name = "SKU", default_value = "mi300x")]
    sku: String,
    /// Where the code object goes.
    #[arg(short, long, value_name = "OUT.co", requires = "kernel")]
    output: Option<PathBuf>,
    /// Where the assembly file goes, which `wavesmith asm` takes back to the same loaded bytes: instructions with addresses,
    /// and as comments the author's remarks and the lines that emitted them.
    #[arg(long, value_name = "OUT.s", requires = "kernel")]
    asm: Option<PathBuf>,
}

/// A parameter as the command line gives it.
pub fn parameter(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("it must be K=V, such as tile_m=128")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// Generates, or lists what can be.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let (Some(name), Some(output)) = (&args.kernel, &args.output) else {
        catalog::describe().iter().for_each(|line| print_line(line));
        return Ok(Outcome::Ok);
    };
    let asm = args.asm.as_deref();
    files::apart(&[("--output", Some(output)), ("--asm", asm)])?;
    let sku = Sku::named(&args.sku)?;
    let made = catalog::generate(name, &args.parameters, sku)?;
    std::fs::write(output, &made.object).with_context(|| format!("cannot write {}", output.display()))?;
    if let Some(file) = &args.asm {
        std::fs::write(file, source(&made.object, &made.kernel)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    eprint!("{}{}", made.kernel.report(), arguments(&made.kernel));
    Ok(Outcome::Ok)
}

/// The kernel's arguments in the order in which `wavesmith launch` takes them: name, bytes and offset.
fn arguments(kernel: &Kernel) -> String {
    const WIDTH: usize = 110;
    let arguments = &kernel.metadata.args;
    let mut out = format!("  {} arguments, {} bytes:", arguments.len(), kernel.metadata.kernarg_segment_size);
    let mut line = out.len();
    for (i, a) in arguments.iter().enumerate() {
        let kind = if a.kind == ValueKind::GlobalBuffer { "pointer".to_owned() } else { format!("{} bytes", a.size) };
        let comma = if i + 1 < arguments.len() { "," } else { "" };
        let text = format!(" {} {kind} @{}{comma}", a.name, a.offset);
        if line + text.len() > WIDTH {
            out.push_str("\n   ");
            line = 3;
        }
        line += text.len();
        out.push_str(&text);
    }
    out.push('\n');
    out
}

/// The object as assembly, with what its listing says of each instruction beside it.
fn source(object: &[u8], kernel: &Kernel) -> anyhow::Result<String> {
    let file = listing(object)?;
    let entry = file
        .symbols
        .iter()
        .find(|s| s.name == kernel.name)
        .and_then(|s| Some(file.sections.get(s.section? as usize)?.address + s.value));
    let mut remarks: BTreeMap<u64, Remark> = BTreeMap::new();
    let mut before = Vec::new();
    for line in &kernel.listing.lines {
        match *line {
            Line::Comment(i) => before.extend(kernel.listing.comments.get(i as usize).cloned()),
            Line::Label(i) => before.extend(kernel.listing.labels.get(i as usize).map(|l| format!("{l}:"))),
            Line::Instruction { offset, source, remark, .. } => {
                let at = source.map(|l| format!("{}:{}", l.file(), l.line()));
                let after = [at, remark.map(|r| r.to_string())].into_iter().flatten().collect::<Vec<_>>().join(" ");
                let address = entry.unwrap_or_default() + u64::from(offset);
                remarks.insert(address, Remark { before: std::mem::take(&mut before), after });
            }
        }
    }
    // A comment ends with its line.
    for text in remarks.values_mut().flat_map(|r| r.before.iter_mut().chain([&mut r.after])) {
        *text = text.replace('\n', " ");
    }
    Ok(text(&file, Options { addresses: true }, &remarks))
}

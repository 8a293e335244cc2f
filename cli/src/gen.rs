//! `wavesmith gen`: generates a kernel of the catalog.

use crate::outcome::{Outcome, print_line};
use anyhow::Context;
use std::path::PathBuf;
use wavesmith_asm::Sku;
use wavesmith_kernels::catalog;

/// Arguments of `wavesmith gen`.
#[derive(clap::Args)]
pub struct Args {
    /// The kernel; without one, kernels and parameters are listed.
    #[arg(value_name = "KERNEL", requires = "output")]
    kernel: Option<String>,
    /// A parameter of the kernel; may be given several times.
    #[arg(long = "param", value_name = "K=V", value_parser = parameter)]
    parameters: Vec<(String, String)>,
    /// The part to generate for (see `wavesmith skus`).
    #[arg(long, value_name = "SKU", default_value = "mi300x")]
    sku: String,
    /// Where the code object goes.
    #[arg(short, long, value_name = "OUT.co")]
    output: Option<PathBuf>,
    /// Where the listing goes: instructions with addresses, comments and the lines that emitted them.
    #[arg(long, value_name = "OUT.s")]
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
    let sku = Sku::named(&args.sku)?;
    let made = catalog::generate(name, &args.parameters, sku)?;
    std::fs::write(output, &made.object).with_context(|| format!("cannot write {}", output.display()))?;
    if let Some(listing) = &args.asm {
        std::fs::write(listing, made.kernel.listing.to_string())
            .with_context(|| format!("cannot write {}", listing.display()))?;
    }
    eprintln!("{}: {} bytes of code for {} ({})", made.kernel.name, made.kernel.code.len(), sku.product, sku.target);
    Ok(Outcome::Ok)
}

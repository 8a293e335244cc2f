//! `wavesmith hsa`: the embedded device as a stand-in for ROCm's runtime library.

use crate::outcome::{Outcome, print_line};
use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `wavesmith hsa`.
#[derive(clap::Args)]
pub struct Args {
    /// Put the drop-in libhsa-runtime64.so.1 into this folder, which is made if need be. Programs linked with the real
    /// one use it with LD_LIBRARY_PATH=DIR; WAVESMITH_SKU=mi300x,... picks the agents.
    #[arg(long, value_name = "DIR", required = true)]
    install: PathBuf,
    /// The library to install [default: the one built with this command]
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

/// The name programs ask the dynamic linker for.
const RUNTIME: &str = "libhsa-runtime64.so.1";
/// The name `-lhsa-runtime64` looks for.
const LINK: &str = "libhsa-runtime64.so";
/// The library for programs that look for the driver by themselves.
const SHIM: &str = "libwavesmith-driver-shim.so";
/// What Cargo calls the library.
const BUILT: &str = "libwavesmith_sim.so";

/// Installs.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if wavesmith_sim::DRIVER_SHIM.is_empty() {
        bail!("the drop-in runtime is for Linux on x86-64, which this is not");
    }
    let library = match &args.library {
        Some(file) => file.clone(),
        None => built()?,
    };
    let folder = &args.install;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let bytes = fs::read(&library).with_context(|| format!("cannot read {}", library.display()))?;
    place(&folder.join(RUNTIME), &bytes)?;
    place(&folder.join(SHIM), wavesmith_sim::DRIVER_SHIM)?;
    link(&folder.join(LINK))?;
    for name in [RUNTIME, LINK, SHIM] {
        print_line(&folder.join(name).display().to_string());
    }
    let full = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    eprintln!("use it with: LD_LIBRARY_PATH={} WAVESMITH_SKU=mi300x PROGRAM", full.display());
    eprintln!("for rocminfo, which looks for the driver first, also: LD_PRELOAD={}", full.join(SHIM).display());
    Ok(Outcome::Ok)
}

/// The library that Cargo built along with this program.
fn built() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("where is this program?")?;
    let folder = program.parent().unwrap_or(Path::new("."));
    // As a dependency it is only in `deps`; next to the program there may be an older one, from when it was asked for.
    let places = [folder.join("deps").join(BUILT), folder.join(BUILT), folder.join(RUNTIME)];
    match places.iter().find(|p| p.is_file()) {
        Some(found) => Ok(found.clone()),
        None => bail!(
            "{BUILT} is not where Cargo puts it ({}): build it with `cargo build --release -p wavesmith-sim` and give it with --library",
            places.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
        ),
    }
}

/// Writes a file in one step: a program that has the old one mapped keeps it.
fn place(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = path.with_extension(format!("part{}", std::process::id()));
    fs::write(&part, bytes).with_context(|| format!("cannot write {}", part.display()))?;
    fs::rename(&part, path).with_context(|| format!("cannot write {}", path.display()))
}

/// Links the unversioned name to the versioned one.
fn link(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot replace {}", path.display()));
        }
        _ => {}
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(RUNTIME, path).with_context(|| format!("cannot link {}", path.display()))?;
    Ok(())
}

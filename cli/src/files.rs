//! Input files, read whole and never without bound: a command that is given a device or somebody's disk image says so
//! and does not fill the memory first.

use anyhow::{Context, bail};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use wavesmith_loader::bundle;

/// Bytes of the largest file with device code that is read. Host libraries that hold it come near a gigabyte.
const MOST_CODE: u64 = 2 << 30;
/// Bytes of the largest text.
const MOST_TEXT: u64 = 256 << 20;
/// As many bytes as it takes to see what a file is.
const HEAD: u64 = 64;

/// A file that is or holds code objects. One that begins like nothing of the kind is not read further.
pub fn code(path: &Path) -> anyhow::Result<Vec<u8>> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    let failed = || format!("cannot read {}", path.display());
    (&file).take(HEAD).read_to_end(&mut bytes).with_context(failed)?;
    bundle::recognise(&bytes).with_context(|| path.display().to_string())?;
    rest(&file, bytes, path, MOST_CODE)
}

/// A file of text.
pub fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = rest(&open(path)?, Vec::new(), path, MOST_TEXT)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => bail!(
            "{} is no text: the byte at offset {:#x} is not UTF-8",
            path.display(),
            error.utf8_error().valid_up_to()
        ),
    }
}

/// Refuses two outputs to one file, or one over an input: each comes with what the command line calls it. What is no file,
/// such as a pipe, takes any number.
pub fn apart(named: &[(&str, Option<&Path>)]) -> anyhow::Result<()> {
    let mut seen: Vec<(PathBuf, &str)> = Vec::new();
    for (name, path) in named.iter().filter_map(|(name, path)| Some((*name, (*path)?))) {
        if path.metadata().is_ok_and(|m| !m.is_file()) {
            continue;
        }
        let folder = path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
        let beside = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
        let file = path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned());
        if let Some((_, other)) = seen.iter().find(|(known, _)| *known == file) {
            bail!("{other} and {name} are one file: {}", path.display());
        }
        seen.push((file, name));
    }
    Ok(())
}

fn open(path: &Path) -> anyhow::Result<File> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        bail!("{} is a folder", path.display());
    }
    Ok(file)
}

/// Reads on to the end.
fn rest(mut file: &File, mut bytes: Vec<u8>, path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let too_large = || format!("{} has more than {} MiB, which no input of this kind has", path.display(), most >> 20);
    // What has a size can be refused before it is read; devices and pipes say 0.
    if file.metadata().is_ok_and(|m| m.len() > most) {
        bail!(too_large());
    }
    let left = most + 1 - bytes.len() as u64;
    file.by_ref().take(left).read_to_end(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
    if bytes.len() as u64 > most {
        bail!(too_large());
    }
    Ok(bytes)
}

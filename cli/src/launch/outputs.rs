//! Whether the files that a launch is to save can be written, asked before it runs: a run may take minutes, and what it
//! computed is lost where saving fails.

use super::spec::{Spec, Value};
use anyhow::{Context, bail};
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Refuses outputs that cannot be created, and two to one file: those of arguments, and others.
pub fn check(specs: &[Spec], others: &[Option<&Path>]) -> anyhow::Result<()> {
    let mut seen: Vec<(PathBuf, &Path)> = Vec::new();
    let saved = specs.iter().filter_map(|spec| match &spec.value {
        Value::Out { path, .. } | Value::InOut { to: path, .. } => Some(path.as_path()),
        _ => None,
    });
    for path in saved.chain(others.iter().copied().flatten()) {
        let Some(file) = writable(path)? else { continue };
        if let Some((_, other)) = seen.iter().find(|(known, _)| *known == file) {
            bail!("two outputs go to one file: {} and {}", other.display(), path.display());
        }
        seen.push((file, path));
    }
    Ok(())
}

/// The file's name without links, if it can be written; `None` for a device or a pipe, which takes any number of
/// outputs and may not even be opened without consequence.
fn writable(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let failed = || format!("cannot save to {}", path.display());
    match path.metadata() {
        Ok(found) if found.is_dir() => bail!("cannot save to {}: it is a folder", path.display()),
        Ok(found) if !found.is_file() => Ok(None),
        Ok(_) => {
            OpenOptions::new().append(true).open(path).with_context(failed)?;
            Ok(Some(path.canonicalize().with_context(failed)?))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let folder = path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
            if !folder.is_dir() {
                bail!("cannot save to {}: there is no folder {}", path.display(), folder.display());
            }
            let name = path.file_name().unwrap_or(OsStr::new(""));
            // A link to a file that does not exist yet is left alone: only saving may create that file.
            if path.symlink_metadata().is_err() {
                OpenOptions::new().write(true).create_new(true).open(path).with_context(failed)?;
                std::fs::remove_file(path).with_context(failed)?;
            }
            Ok(Some(folder.canonicalize().with_context(failed)?.join(name)))
        }
        Err(error) => Err(anyhow::Error::new(error).context(failed())),
    }
}

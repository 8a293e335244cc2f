//! The code objects of a file, which may be a bundle of several, and which of them runs on which part.

use crate::files;
use anyhow::{Context, bail};
use std::path::Path;
use wavesmith_asm::sku::SKUS;
use wavesmith_asm::{Sku, Target};
use wavesmith_loader::bundle;
use wavesmith_loader::code_object::{CodeObject, CodeObjectError};

/// A code object of a file.
pub struct Chosen {
    /// Its id in the bundle; empty for a file that is a code object itself.
    pub id: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What they hold.
    pub object: CodeObject,
}

/// The part whose kernels are meant when nobody says which: the largest of its target that most people have.
const USUAL: [&str; 4] = ["mi300x", "mi355x", "mi250x", "mi100"];

/// The code objects of a file: itself, or those of the bundle that it is.
pub fn read(path: &Path) -> anyhow::Result<Vec<Chosen>> {
    let bytes = files::code(path)?;
    let entries = bundle::open(&bytes).with_context(|| path.display().to_string())?;
    if entries.is_empty() {
        bail!("{}: the bundle holds no device code", path.display());
    }
    let mut chosen = Vec::new();
    let mut foreign = None;
    for entry in entries {
        let said = || match entry.id.as_str() {
            "" => path.display().to_string(),
            id => format!("{}, entry {id}", path.display()),
        };
        match CodeObject::parse(&entry.bytes) {
            Ok(object) => chosen.push(Chosen { id: entry.id, bytes: entry.bytes, object }),
            // Fat binaries are built for many GPUs; the ones that are not ours are no reason to refuse ours.
            Err(error @ CodeObjectError::ForeignTarget { .. }) => foreign = Some((error, said())),
            Err(error) => return Err(error).with_context(said),
        }
    }
    match foreign {
        Some((error, said)) if chosen.is_empty() => Err(error).context(said),
        _ => Ok(chosen),
    }
}

/// The one code object of a file: itself, the only one of a bundle, or a bundle's one of `target`.
pub fn single(path: &Path, target: Option<Target>) -> anyhow::Result<Vec<u8>> {
    let bytes = files::code(path)?;
    let mut entries = bundle::open(&bytes).with_context(|| path.display().to_string())?;
    if let [entry] = entries.as_mut_slice() {
        // What cannot be read is told by whoever reads it next.
        if let (Some(wanted), Ok(object)) = (target, CodeObject::parse(&entry.bytes))
            && object.target != wanted
        {
            bail!("{} is code for {}, not {wanted}", path.display(), object.target);
        }
        return Ok(std::mem::take(&mut entry.bytes));
    }
    let mut objects = read(path)?;
    let targets: Vec<_> = objects.iter().map(|o| o.object.target).collect();
    let meant = |t: &Target| target.is_none_or(|wanted| wanted == *t);
    match targets.iter().filter(|t| meant(t)).count() {
        1 => {
            let index = targets.iter().position(meant).unwrap_or_default();
            Ok(objects.swap_remove(index).bytes)
        }
        n => {
            let held = targets.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ");
            let advice = if n == 0 { "choose one of them with --target" } else { "say which with --target" };
            let more = if target.is_some() && n > 1 { "take it apart with clang-offload-bundler" } else { advice };
            bail!("{} holds code for {held}: {more}", path.display())
        }
    }
}

/// The part that is meant where `--sku` is not given: of the objects' targets the first in the list of usual ones.
pub fn usual_sku(objects: &[Chosen]) -> &'static str {
    let fits = |sku: &Sku| objects.iter().any(|o| o.object.target == sku.target);
    let usual = USUAL.iter().filter_map(|name| SKUS.iter().find(|s| s.name == *name));
    usual.chain(SKUS).find(|s| fits(s)).map_or(USUAL[0], |s| s.name)
}

/// The object for a part.
pub fn for_sku(objects: Vec<Chosen>, sku: &Sku, path: &Path) -> anyhow::Result<Chosen> {
    let targets: Vec<_> = objects.iter().map(|o| o.object.target.name()).collect();
    match objects.into_iter().find(|o| o.object.target == sku.target) {
        Some(chosen) => Ok(chosen),
        None => {
            let parts: Vec<_> = SKUS.iter().filter(|s| targets.contains(&s.target.name())).map(|s| s.name).collect();
            bail!(
                "{} holds code for {}, but {} is {}: choose --sku {}",
                path.display(),
                targets.join(", "),
                sku.name,
                sku.target,
                parts.join(" or ")
            )
        }
    }
}

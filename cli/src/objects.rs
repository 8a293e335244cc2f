//! The code objects of a file, which may be a bundle of several, and which of them runs on which part.

use crate::files;
use crate::which::{Which, list};
use anyhow::{Context, bail};
use std::path::Path;
use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;
use wavesmith_loader::bundle;
use wavesmith_loader::code_object::{CodeObject, CodeObjectError, Feature};

/// A code object of a file.
pub struct Chosen {
    /// Its number in the file, from 1.
    pub number: usize,
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
            Ok(object) => {
                let number = chosen.len() + 1;
                chosen.push(Chosen { number, id: entry.id, bytes: entry.bytes, object });
            }
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

/// The code objects of a file that are meant.
pub fn meant(path: &Path, which: Option<&Which>) -> anyhow::Result<Vec<Chosen>> {
    let mut objects = read(path)?;
    if let Some(which) = which {
        let there = list(objects.iter());
        objects.retain(|o| which.fits(o.number, &o.object));
        if objects.is_empty() {
            bail!("{} has no code object {which}; it holds{there}", path.display());
        }
    }
    Ok(objects)
}

/// The one code object of a file: itself, the only one of a bundle, or the one that is meant.
pub fn single(path: &Path, which: Option<&Which>) -> anyhow::Result<Vec<u8>> {
    let bytes = files::code(path)?;
    let mut entries = bundle::open(&bytes).with_context(|| path.display().to_string())?;
    if let [entry] = entries.as_mut_slice() {
        // What cannot be read is told by whoever reads it next.
        if let (Some(which), Ok(object)) = (which, CodeObject::parse(&entry.bytes))
            && !which.fits(1, &object)
        {
            bail!("{} is code for {}, not {which}", path.display(), object.target);
        }
        return Ok(std::mem::take(&mut entry.bytes));
    }
    let objects = meant(path, which)?;
    Ok(one_of(objects, path, "--target gfx942, gfx942:xnack+ or a number")?.bytes)
}

/// The only one of several, where they are not the same to the byte.
fn one_of(mut objects: Vec<Chosen>, path: &Path, with: &str) -> anyhow::Result<Chosen> {
    let alike = objects.windows(2).all(|pair| pair[0].bytes == pair[1].bytes);
    if objects.is_empty() || !alike {
        let targets: Vec<_> = objects.iter().map(|o| o.object.target.name()).collect();
        let held = targets.join(", ");
        bail!("{} holds code for {held}: say which with {with}{}", path.display(), list(objects.iter()));
    }
    Ok(objects.swap_remove(0))
}

/// The part that is meant where `--sku` is not given: of the objects' targets the first in the list of usual ones.
pub fn usual_sku(objects: &[Chosen]) -> &'static str {
    let fits = |sku: &Sku| objects.iter().any(|o| o.object.target == sku.target);
    let usual = USUAL.iter().filter_map(|name| SKUS.iter().find(|s| s.name == *name));
    usual.chain(SKUS).find(|s| fits(s)).map_or(USUAL[0], |s| s.name)
}

/// The object for a part: of its target, with the kernel if that is named, for the modes that the part is in unless it is told
/// otherwise (XNACK off, SRAM-ECC on).
pub fn for_sku(objects: Vec<Chosen>, sku: &Sku, kernel: Option<&str>, path: &Path) -> anyhow::Result<Chosen> {
    let targets: Vec<_> = objects.iter().map(|o| o.object.target.name()).collect();
    let mut left: Vec<Chosen> = objects.into_iter().filter(|o| o.object.target == sku.target).collect();
    if left.is_empty() {
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
    let named = |o: &Chosen| kernel.is_none_or(|name| o.object.kernels.iter().any(|k| k.name == name));
    let usual = |o: &Chosen| o.object.features.xnack != Feature::On && o.object.features.sramecc != Feature::Off;
    for wanted in [&named as &dyn Fn(&Chosen) -> bool, &usual] {
        if left.iter().any(wanted) {
            left.retain(wanted);
        }
    }
    one_of(left, path, "--kernel NAME, or --target gfx942:xnack+ or a number")
}

//! Which code object of a file is meant: `--target gfx942`, `--target gfx942:xnack+`, or its number where nothing else
//! tells several apart.

use crate::objects::Chosen;
use anyhow::bail;
use std::fmt;
use std::str::FromStr;
use wavesmith_asm::Target;
use wavesmith_loader::code_object::{CodeObject, Feature};

/// What `--target` says.
#[derive(Clone, Debug)]
pub enum Which {
    /// The file's code object of this number, from 1.
    Number(usize),
    /// Those of a target; of these, where a mode is named, those compiled for or against it.
    Of {
        /// The target.
        target: Target,
        /// XNACK on or off.
        xnack: Option<Feature>,
        /// SRAM-ECC on or off.
        sramecc: Option<Feature>,
    },
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        if let Ok(number) = text.parse::<usize>() {
            return if number > 0 { Ok(Which::Number(number)) } else { Err("code objects are numbered from 1".into()) };
        }
        let target = text.parse().map_err(|e: <Target as FromStr>::Err| e.to_string())?;
        let (mut xnack, mut sramecc) = (None, None);
        for mode in text.split(':').skip(1) {
            let (which, says) = match mode {
                "xnack+" => (&mut xnack, Feature::On),
                "xnack-" => (&mut xnack, Feature::Off),
                "sramecc+" => (&mut sramecc, Feature::On),
                "sramecc-" => (&mut sramecc, Feature::Off),
                _ => return Err(format!("`{mode}` is no mode: xnack+, xnack-, sramecc+ and sramecc- are")),
            };
            if which.replace(says).is_some() {
                return Err(format!("`{mode}` comes after another word on the same mode"));
            }
        }
        Ok(Which::Of { target, xnack, sramecc })
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Which::Number(number) => write!(f, "{number}"),
            Which::Of { target, xnack, sramecc } => {
                write!(f, "{target}")?;
                modes(f, *sramecc, *xnack)
            }
        }
    }
}

/// Modes as a target's id spells them.
fn modes(f: &mut impl fmt::Write, sramecc: Option<Feature>, xnack: Option<Feature>) -> fmt::Result {
    for (name, mode) in [("sramecc", sramecc), ("xnack", xnack)] {
        match mode {
            Some(Feature::On) => write!(f, ":{name}+")?,
            Some(Feature::Off) => write!(f, ":{name}-")?,
            Some(Feature::Any | Feature::Unsupported) | None => {}
        }
    }
    Ok(())
}

impl Which {
    /// Whether the code object of a number, from 1, is meant.
    pub fn fits(&self, number: usize, object: &CodeObject) -> bool {
        match self {
            Which::Number(n) => *n == number,
            Which::Of { target, xnack, sramecc } => {
                let of = &object.features;
                *target == object.target
                    && xnack.is_none_or(|m| m == of.xnack)
                    && sramecc.is_none_or(|m| m == of.sramecc)
            }
        }
    }

    /// The instruction set of text, which has no code objects to choose from.
    ///
    /// # Errors
    /// Where something else than a target was named.
    pub fn of_text(&self) -> anyhow::Result<Target> {
        match self {
            Which::Of { target, xnack: None, sramecc: None } => Ok(*target),
            _ => bail!(
                "--target {self} chooses one of a file's code objects: text takes gfx908, gfx90a, gfx942 or gfx950"
            ),
        }
    }
}

/// How a message lists kernels of a code object at most.
const MOST_NAMES: usize = 3;

/// A line for each code object, with the number that chooses it.
pub fn list<'a>(objects: impl Iterator<Item = &'a Chosen>) -> String {
    let line = |o: &Chosen| {
        let mut text = format!("\n  {}: {}", o.number, o.object.target);
        // A `String` takes whatever is written to it.
        let _ = modes(&mut text, Some(o.object.features.sramecc), Some(o.object.features.xnack));
        let names: Vec<&str> = o.object.kernels.iter().take(MOST_NAMES).map(|k| k.name.as_str()).collect();
        let more = if o.object.kernels.len() > MOST_NAMES { ", …" } else { "" };
        text + &if names.is_empty() {
            " without kernels".to_owned()
        } else {
            format!(" with {}{more}", names.join(", "))
        }
    };
    objects.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_named_once_and_the_words_are_those_of_target_ids() {
        for text in ["gfx942", "gfx90a:sramecc+:xnack-", "3"] {
            assert_eq!(text.parse::<Which>().map(|w| w.to_string()), Ok(text.to_owned()));
        }
        for text in ["gfx942:xnack+:xnack-", "gfx942:xnack-:xnack-", "gfx942:xnack", "0", "gfx9999"] {
            assert!(text.parse::<Which>().is_err(), "{text}");
        }
    }
}

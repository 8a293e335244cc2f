//! `wavesmith tune`: searches a kernel's parameters on the timing model.
//!
//! Results are remembered per part, kernel and parameters, beside a digest of the code that was timed: what has not
//! changed is not timed again, and a generator or a model that has changed is.

use crate::outcome::{Outcome, print_line};
use crate::time::subject;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use wavesmith_asm::Sku;
use wavesmith_kernels::catalog;
use wavesmith_sim::timing::Options;
use wavesmith_sim::timing::parts::ROWS;

/// Arguments of `wavesmith tune`.
#[derive(clap::Args)]
pub struct Args {
    /// The kernel (see `wavesmith gen`).
    #[arg(value_name = "KERNEL")]
    kernel: String,
    /// A parameter with the values to try, K=a,b,c; a value with a comma in it is written in square brackets.
    #[arg(long = "param", value_name = "K=a,b,c", value_parser = crate::r#gen::parameter)]
    parameters: Vec<(String, String)>,
    /// The part (see `wavesmith skus`).
    #[arg(long, value_name = "SKU", default_value = "mi300x")]
    sku: String,
    /// How many of the best are shown.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    best: u64,
    /// Where results are remembered [default: wavesmith/tune.json in the user's cache folder]
    #[arg(long, value_name = "FILE.json")]
    cache: Option<PathBuf>,
    /// End stdout with one JSON object on one line.
    #[arg(long)]
    json: bool,
}

/// A remembered result.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Known {
    digest: u64,
    cycles: f64,
    us: f64,
    bound_by: String,
}

/// Searches, tells the best.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let sku = Sku::named(&args.sku)?;
    let choices: Vec<(String, Vec<String>)> =
        args.parameters.iter().map(|(k, v)| Ok((k.clone(), values(v)?))).collect::<anyhow::Result<_>>()?;
    let combinations = product(&choices);
    let mut path = args.cache.clone().or_else(default_cache);
    let cache = match &path {
        Some(path) => read(path)?,
        None => BTreeMap::new(),
    };
    let mut new = BTreeMap::new();
    let bar = ProgressBar::new(combinations.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} ({eta} left)") {
        bar.set_style(style);
    }
    // Where no bar is drawn, in a file, a line tells of each that was timed.
    let plain = bar.is_hidden();
    let all = combinations.len();
    let mut results: Vec<(Vec<(String, String)>, Known)> = Vec::new();
    let (mut refused, mut remembered) = (Vec::new(), 0);
    for parameters in combinations {
        let shown = shown(&parameters);
        bar.set_message(shown.clone());
        let made = match catalog::generate(&args.kernel, &parameters, sku) {
            Ok(made) => made,
            Err(error @ (catalog::CatalogError::Kernel(_) | catalog::CatalogError::Parameter { .. })) => bail!(error),
            Err(error) => {
                refused.push((shown, error.to_string()));
                bar.inc(1);
                continue;
            }
        };
        let key = format!("{} {} {shown}", sku.name, args.kernel);
        let digest = digest(&made.object);
        let known = match cache.get(&key).filter(|k| k.digest == digest) {
            Some(known) => {
                remembered += 1;
                known.clone()
            }
            None => {
                let Some(timed) = subject::generated(&args.kernel, made, sku, &options(), (None, None))? else {
                    refused.push((shown, "the kernel faulted".to_owned()));
                    bar.inc(1);
                    continue;
                };
                let r = &timed.report;
                let us = timed.us();
                let known = Known { digest, cycles: r.cycles, us, bound_by: r.bound_by.clone() };
                new.insert(key, known.clone());
                if plain {
                    eprintln!("{} of {all}: {:.2} µs  {shown}", results.len() + refused.len() + 1, known.us);
                }
                // At once: a long search may be cut short.
                if let Some(at) = &path
                    && let Err(error) = remember(at, &new)
                {
                    bar.suspend(|| eprintln!("wavesmith: {error:#}: results are not remembered"));
                    path = None;
                }
                known
            }
        };
        results.push((parameters, known));
        bar.inc(1);
    }
    bar.finish_and_clear();
    results.sort_by(|a, b| a.1.us.total_cmp(&b.1.us));
    for (parameters, reason) in &refused {
        eprintln!("not possible: {parameters}: {reason}");
    }
    let Some((best, first)) = results.first() else {
        bail!("no combination of these values gives a kernel");
    };
    if args.json {
        let listed: Vec<_> = results
            .iter()
            .map(|(p, k)| json!({"parameters": shown(p), "us": k.us, "cycles": k.cycles, "bound_by": k.bound_by}))
            .collect();
        print_line(
            &json!({"sku": sku.name, "kernel": args.kernel, "best": shown(best), "us": first.us, "results": listed,
                "remembered": remembered})
            .to_string(),
        );
        return Ok(Outcome::Ok);
    }
    print_line(&format!(
        "{} on {}: {} timed, {remembered} remembered, {} not possible",
        args.kernel,
        sku.product,
        results.len() - remembered,
        refused.len()
    ));
    for (parameters, known) in results.iter().take(usize::try_from(args.best).unwrap_or(usize::MAX)) {
        print_line(&format!("  {:>10.2} µs  {}  ({})", known.us, shown(parameters), known.bound_by));
    }
    Ok(Outcome::Ok)
}

fn options() -> Options {
    Options { skip_matrix: true, ..Options::default() }
}

fn shown(parameters: &[(String, String)]) -> String {
    parameters.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(" ")
}

/// The values of a list; those in brackets hold commas.
fn values(text: &str) -> anyhow::Result<Vec<String>> {
    let (mut out, mut inside) = (vec![String::new()], false);
    for c in text.chars() {
        match c {
            '[' if !inside => inside = true,
            ']' if inside => inside = false,
            '[' | ']' => bail!("{text}: a bracket inside brackets, or one that closes none"),
            ',' if !inside => out.push(String::new()),
            c => {
                if let Some(last) = out.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    if inside {
        bail!("{text}: a bracket is never closed; a value with a comma is written as in plain,[interleave:2,4]");
    }
    Ok(out)
}

/// Every choice of one value a parameter.
fn product(choices: &[(String, Vec<String>)]) -> Vec<Vec<(String, String)>> {
    choices.iter().fold(vec![Vec::new()], |so_far, (name, values)| {
        so_far
            .iter()
            .flat_map(|chosen| {
                values.iter().map(move |v| {
                    let mut chosen = chosen.clone();
                    chosen.push((name.clone(), v.clone()));
                    chosen
                })
            })
            .collect()
    })
}

/// What a result depends on: the code, and every number of the model.
fn digest(object: &[u8]) -> u64 {
    let mut h = DefaultHasher::new();
    object.hash(&mut h);
    env!("CARGO_PKG_VERSION").hash(&mut h);
    for row in ROWS {
        row.name.hash(&mut h);
        row.values.iter().for_each(|v| v.to_bits().hash(&mut h));
    }
    h.finish()
}

fn default_cache() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    Some(folder.join("wavesmith").join("tune.json"))
}

/// What is remembered; nothing if there is no such file, or one that an older version wrote.
///
/// A file that is something else is refused, not written over.
fn read(path: &Path) -> anyhow::Result<BTreeMap<String, Known>> {
    let Ok(about) = std::fs::metadata(path) else { return Ok(BTreeMap::new()) };
    if !about.is_file() {
        bail!("{} is no file that results can be remembered in", path.display());
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let entries: serde_json::Map<String, serde_json::Value> = match serde_json::from_slice(&bytes) {
        Ok(entries) => entries,
        Err(_) if bytes.is_empty() => return Ok(BTreeMap::new()),
        Err(_) => {
            bail!("{} holds something else than results of `wavesmith tune`: name another --cache", path.display())
        }
    };
    let known = |v| serde_json::from_value::<Known>(v).ok().filter(|k| k.us > 0.0 && k.cycles > 0.0);
    Ok(entries.into_iter().filter_map(|(key, v)| Some((key, known(v)?))).collect())
}

/// Adds to what is remembered, beside what others have added meanwhile.
fn remember(path: &Path, new: &BTreeMap<String, Known>) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(cannot)?;
    }
    let mut all = read(path)?;
    all.extend(new.iter().map(|(k, v)| (k.clone(), v.clone())));
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    std::fs::write(&beside, serde_json::to_vec_pretty(&all)?).with_context(cannot)?;
    std::fs::rename(&beside, path).with_context(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_a_comma_is_written_in_brackets() {
        assert_eq!(values("64,128").unwrap(), ["64", "128"]);
        assert_eq!(values("plain,[interleave:2,4]").unwrap(), ["plain", "interleave:2,4"]);
    }

    #[test]
    fn brackets_that_do_not_match_are_refused() {
        for text in ["[rotate:3,3", "rotate:3,3]", "plain,[interleave:2,4],[", "[[plain]]", "]["] {
            assert!(values(text).is_err_and(|e| e.to_string().starts_with(text)), "{text}");
        }
    }

    #[test]
    fn every_combination_is_tried_once() {
        let choices = [("a".to_owned(), values("1,2").unwrap()), ("b".to_owned(), values("x,y,z").unwrap())];
        let all = product(&choices);
        assert_eq!(all.len(), 6);
        assert_eq!(shown(&all[5]), "a=2 b=z");
        assert_eq!(product(&[]).len(), 1);
    }
}

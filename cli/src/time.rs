//! `wavesmith time`: how long a kernel takes on a model of a part, and why.

mod annotate;
mod diff;
mod html;
mod listing;
mod monokernel;
mod progress;
pub(crate) mod subject;
mod text;
mod trace;

use crate::files;
use crate::launch::{given::Given, outputs, spec::Spec, three};
use crate::outcome::{Outcome, print_line};
use crate::which::Which;
use anyhow::{Context, bail};
use serde_json::{Value, json};
use std::path::PathBuf;
use wavesmith_sim::timing::{Options, Report};

/// Arguments of `wavesmith time`.
#[derive(clap::Args)]
pub struct Args {
    /// The code object (.co, .hsaco), an offload bundle, a host program that holds one, or a kernel of `wavesmith gen`.
    subject: PathBuf,
    /// The kernel; may be left out where the file has only one.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Workgroups in each dimension: X, X,Y or X,Y,Z. Generated kernels know theirs.
    #[arg(long, value_name = "X,Y,Z", value_parser = three::<u32>)]
    grid: Option<[u32; 3]>,
    #[command(flatten)]
    given: Given,
    /// A parameter of a generated kernel; may be given several times.
    #[arg(long = "param", value_name = "K=V", value_parser = crate::r#gen::parameter)]
    parameters: Vec<(String, String)>,
    /// The part (see `wavesmith skus`) [default: the usual one of the file's target]
    #[arg(long, value_name = "SKU")]
    sku: Option<String>,
    /// Which code object of a bundle: gfx942, gfx942:xnack+, or its number [default: the one for the part, with the kernel]
    #[arg(long, value_name = "TARGET")]
    target: Option<Which>,
    /// A fixed core clock [default: it follows the load, as measured]
    #[arg(long, value_name = "MHZ", value_parser = clap::value_parser!(u32).range(100..=10_000))]
    clock: Option<u32>,
    /// As a benchmark that goes through N copies of the arrays, a launch each, and begins again: what of them fits is
    /// still in the Infinity Cache, 1 being the same arrays each time [default: caches are cold]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    copies: Option<u64>,
    /// Simulate every workgroup; large grids are sampled otherwise. Arrays are saved only then.
    #[arg(long)]
    full: bool,
    /// Show the hottest code: issue cycles, stall cycles and their cause beside each instruction.
    #[arg(long)]
    annotate: bool,
    /// Write a timeline for Perfetto: a track for each wave and each pipe.
    #[arg(long, value_name = "OUT.json")]
    trace: Option<PathBuf>,
    /// Instructions that timeline and page hold at most, the first that are issued; each is an event on its wave's track,
    /// one on its pipe's, and one for what it waited.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    trace_events: usize,
    /// Write a self-contained page: timeline, roofline, occupancy, waits, the costliest instructions.
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,
    /// Time another code object with the same arguments and show both side by side; of a generated kernel, the same one
    /// with a parameter changed, such as schedule=rotate:3,3 (may then be given several times). With --json the object has
    /// both as `a` and `b`.
    #[arg(long, value_name = "OTHER.co|K=V")]
    diff: Vec<String>,
    /// Wave-instructions after which the model gives up.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_instructions: Option<u64>,
    /// End stdout with one JSON object on one line.
    #[arg(long)]
    json: bool,
}

/// Times, tells.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let saves = args.given.args.iter().any(Spec::saves);
    let options = Options {
        full: args.full,
        whole_up_to: None,
        clock_mhz: args.clock.map(f64::from),
        // What is saved must be right; nobody sees what is not.
        skip_matrix: !(args.full && saves),
        trace: if args.trace.is_some() || args.html.is_some() { args.trace_events } else { 0 },
        reused_after: None,
    };
    outputs::check(&args.given.args, &[args.trace.as_deref(), args.html.as_deref()])?;
    let other = Other::of(args)?;
    let subject = Some(args.subject.as_path()).filter(|s| !subject::is_generated(s));
    files::apart(&[("the file", subject), ("--trace", args.trace.as_deref()), ("--html", args.html.as_deref())])?;
    let Some(timed) = subject::time(args, &args.subject, &[], &options)? else { return Ok(Outcome::Failed) };
    let report = &timed.report;
    if saves && !report.sampling.whole() {
        eprintln!("wavesmith: the grid was sampled, so arrays are not saved: time all of it with --full");
    }
    if report.sampling.whole() && options.skip_matrix && saves {
        eprintln!("wavesmith: arrays are saved with --full only: without it the model leaves matrix products out");
    }
    let other = match other {
        None => None,
        Some(other) => {
            let Some(timed) = subject::time(args, &other.subject, &other.changes, &options)? else {
                return Ok(Outcome::Failed);
            };
            Some((other.name, timed.report))
        }
    };
    let own = name(&args.subject);
    let own = (own.as_str(), report);
    let other = other.as_ref().map(|(name, report)| (name.as_str(), report));
    let sides: Vec<_> = [Some(own), other].into_iter().flatten().collect();
    if let Some(path) = &args.trace {
        let file = std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        trace::write(&sides, std::io::BufWriter::new(file))
            .with_context(|| format!("cannot write {}", path.display()))?;
        for (name, report) in &sides {
            let (shown, all) = (report.events.len() as u64, report.wave_instructions);
            let first = if shown < all { format!("the first {shown} of {all}") } else { format!("all {all}") };
            let more = if shown < all { "; --trace-events N for more" } else { "" };
            let of = if sides.len() > 1 { format!(" of {name}") } else { String::new() };
            eprintln!("{}: {first} wave-instructions{of}, for ui.perfetto.dev{more}", path.display());
        }
    }
    if let Some(path) = &args.html {
        std::fs::write(path, html::page(own, other)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(other) = other {
        if args.json {
            print_line(&json!({ "a": summary(own.1), "b": summary(other.1) }).to_string());
        } else {
            diff::print(own, other);
            if args.annotate {
                for (name, report) in [own, other] {
                    print_line(&format!("\n{name}"));
                    annotate::print(report);
                }
            }
        }
        return Ok(Outcome::Ok);
    }
    if args.json {
        let mut all = summary(report);
        if let (Some(step), Value::Object(all)) = (&timed.step, &mut all)
            && let Value::Object(more) = step.summary()
        {
            all.extend(more);
        }
        print_line(&all.to_string());
        return Ok(Outcome::Ok);
    }
    text::print(report);
    if let Some(step) = &timed.step {
        step.print();
    }
    if args.annotate {
        annotate::print(report);
    }
    Ok(Outcome::Ok)
}

/// What `--diff` names.
struct Other {
    subject: PathBuf,
    changes: Vec<(String, String)>,
    name: String,
}

impl Other {
    fn of(args: &Args) -> anyhow::Result<Option<Other>> {
        let changes: Vec<_> = args.diff.iter().filter_map(|d| crate::r#gen::parameter(d).ok()).collect();
        Ok(match &args.diff[..] {
            [] => None,
            several if subject::is_generated(&args.subject) && changes.len() == several.len() => {
                Some(Other { subject: args.subject.clone(), changes, name: several.join(" ") })
            }
            [path] => {
                let subject = PathBuf::from(path);
                if !subject.exists() && !subject::is_generated(&subject) {
                    bail!(
                        "--diff {path}: there is no such file, and no kernel of that name is generated; a parameter of a \
                         generated kernel is changed with --diff K=V"
                    );
                }
                Some(Other { name: name(&subject), subject, changes: Vec::new() })
            }
            _ => bail!("--diff takes one code object, or parameters K=V where a generated kernel is timed"),
        })
    }
}

/// What a file is called in a table.
fn name(path: &std::path::Path) -> String {
    path.file_stem().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

/// A report as JSON.
pub fn summary(r: &Report) -> Value {
    let stalls: serde_json::Map<String, Value> =
        r.stalls.iter().map(|(cause, part)| (cause.name().to_owned(), json!(part))).collect();
    json!({
        "kernel": r.kernel, "sku": r.sku.name,
        "cycles": r.cycles.round() as u64, "us": r.us, "clock_mhz": r.clock_mhz.round() as u64,
        "launch_us": r.launch_us, "bound_by": r.bound_by,
        "tflops": r.tflops(), "hbm_gbps": r.hbm_gbps(), "lane_gbps": r.lane_gbps(),
        "utilisation": {
            "valu": r.utilisation.valu, "mfma": r.utilisation.matrix, "scalar": r.utilisation.scalar,
            "lds": r.utilisation.lds, "vector_memory": r.utilisation.vector_memory,
            "mall": r.utilisation.mall, "hbm": r.utilisation.hbm,
        },
        "stalls": stalls, "issuing": r.issuing, "occupancy": r.occupancy, "lds_conflicts": r.lds_conflicts,
        "sampled": !r.sampling.whole(), "workgroups": r.sampling.total,
        "workgroups_simulated": r.sampling.workgroups, "error_percent": r.sampling.error_percent,
        "wave_instructions": r.wave_instructions, "left_in_infinity_cache": r.left,
        "unknown_parameters": r.unknown_parameters,
    })
}

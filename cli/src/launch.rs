//! `wavesmith launch`: run any kernel of any code object, with arguments from the command line and from NumPy files.

pub(crate) mod arguments;
mod array;
pub(crate) mod given;
pub(crate) mod outputs;
pub(crate) mod services;
pub(crate) mod spec;

use crate::device::{self, Device, Engine, Opened};
use crate::objects::{self, Chosen};
use crate::outcome::{Outcome, print_line};
use crate::watching::Watching;
use crate::which::Which;
use anyhow::{Context, bail};
use given::Given;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wavesmith_loader::code_object::Kernel;
use wavesmith_loader::kernarg::host_services;
use wavesmith_loader::{Geometry, Launch, RuntimeError};
use wavesmith_sim::Numerics;

/// Arguments of `wavesmith launch`.
#[derive(clap::Args)]
pub struct Args {
    /// The code object (.co, .hsaco), an offload bundle, or a host program that holds one.
    file: PathBuf,
    /// The kernel; may be left out where the file has only one.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Workgroups in each dimension: X, X,Y or X,Y,Z.
    #[arg(long, value_name = "X,Y,Z", value_parser = three::<u32>)]
    grid: [u32; 3],
    #[command(flatten)]
    given: Given,
    /// The part to run on (see `wavesmith skus`) [default: the GPU's, or the usual one of the file's target]
    #[arg(long, value_name = "SKU")]
    sku: Option<String>,
    /// Which code object of a bundle: gfx942, gfx942:xnack+, or its number [default: the one for the part, with the kernel]
    #[arg(long, value_name = "TARGET")]
    target: Option<Which>,
    /// Where to run.
    #[arg(long, value_enum, default_value = "auto")]
    device: Device,
    /// How the embedded device executes.
    #[arg(long, value_enum, default_value = "jit")]
    engine: Engine,
    #[command(flatten)]
    watching: crate::watching::Args,
    /// How the embedded device's matrix instructions round.
    #[arg(long, value_enum, default_value = "exact")]
    numerics: NumericsArg,
    /// Launch that often; each time starts from the same memory. The time told is the median.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Wave-instructions after which the embedded device gives up.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_instructions: Option<u64>,
    /// End stdout with one JSON object on one line.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum NumericsArg {
    /// Bit for bit as the silicon, where that is known.
    Exact,
    /// Host fused multiply-adds.
    Fast,
}

/// One to three numbers of 1 or more; dimensions left out are 1.
pub(crate) fn three<T: std::str::FromStr + Copy + PartialEq + From<u8>>(text: &str) -> Result<[T; 3], String> {
    let mut out = [T::from(1); 3];
    let parts: Vec<_> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("at most three numbers, X,Y,Z".to_owned());
    }
    for (slot, part) in out.iter_mut().zip(parts) {
        let number = part.trim().parse().ok().filter(|n| *n != T::from(0));
        *slot = number.ok_or_else(|| format!("`{part}` is no number from 1 to {}", largest::<T>()))?;
    }
    Ok(out)
}

/// The largest number of an unsigned type.
fn largest<T>() -> u64 {
    u64::MAX >> (64 - 8 * size_of::<T>())
}

/// Launches, saves what the kernel wrote, tells how long it took.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    outputs::check(&args.given.args, &[])?;
    let objects = objects::meant(&args.file, args.target.as_ref())?;
    let opened = open_device(args, &objects)?;
    let chosen = objects::for_sku(objects, opened.sku, args.kernel.as_deref(), &args.file)?;
    let kernel = find_kernel(&chosen.object.kernels, args.kernel.as_deref(), &args.file)?;
    let geometry = geometry(kernel, args.grid, args.given.block)?;

    let executable = opened.agent.load(&chosen.bytes).map_err(|error| match wavesmith_sim::last_error() {
        Some(reason) if opened.embedded => anyhow::Error::new(error).context(reason),
        _ => error.into(),
    })?;
    let loaded = executable.kernel(&kernel.name)?;
    let queue = opened.agent.queue(64)?;
    let mut watching = Watching::new(args.engine, &args.watching, &chosen.bytes)?;
    if watching.on && !opened.embedded {
        bail!("`--engine checked` is the embedded device's: add `--device embedded`");
    }
    let configure = |watching: &Watching, seed: u64| {
        let numerics = match args.numerics {
            NumericsArg::Exact => Numerics::Exact,
            NumericsArg::Fast => Numerics::Fast,
        };
        device::configure(&queue, args.engine, numerics, args.max_instructions, watching.options(seed))
    };
    if opened.embedded {
        configure(&watching, watching.first())?;
    }

    let arguments = args.given.arguments(kernel, &loaded, &opened.agent, opened.sku.target)?;
    let mut kernargs = arguments.kernargs.clone();
    kernargs.fill_hidden(kernel, &geometry, arguments.dynamic_lds(), &queue)?;
    if opened.embedded {
        services::place(&mut kernargs, kernel)?;
    }
    let launch = Launch { kernel: &loaded, geometry, dynamic_lds: arguments.dynamic_lds(), kernargs: kernargs.bytes() };

    // What is behind the arguments is somebody's, so nothing stops a kernel from reading it. Who watches sees which of these
    // loads are made.
    let given = kernargs.bytes().len();
    let loads = if watching.on {
        Vec::new()
    } else {
        wavesmith_check::arguments_beyond(&chosen.object, &chosen.bytes, kernel, given as u32)
    };
    let beyond: Vec<String> = loads
        .into_iter()
        .map(|(pc, bytes)| {
            format!(
                "kernel `{0}` reads bytes {1} to {2} of its arguments at {0}+{3:#x}, and the launch gives it {given}: see --kernarg-size",
                kernel.name, bytes.start, bytes.end, pc.wrapping_sub(kernel.entry_vaddr)
            )
        })
        .collect();
    beyond.iter().for_each(|line| eprintln!("wavesmith: {line}"));

    watching.unwritten = arguments.unwritten();
    watching.given = Some(given as u64);
    watching.arrays = arguments.places();
    let mut seconds = Vec::new();
    let mut seed = watching.first();
    let rounds: Vec<u64> = if watching.on { watching.seeds().collect() } else { vec![seed; args.repeat as usize] };
    let mut watched = 0;
    for round in rounds {
        seed = round;
        if watching.on {
            configure(&watching, seed)?;
        }
        arguments.fill_memory()?;
        let started = Instant::now();
        let pending = queue.launch(&launch)?;
        match pending.wait(Duration::MAX) {
            Ok(()) => seconds.push(pending.times()?.duration.as_secs_f64()),
            Err(error @ RuntimeError::QueueFault { .. }) => {
                watching.tell(args.json, seed);
                failed(args, kernel, &queue, &error, &watching, seed);
                return Ok(Outcome::Failed);
            }
            Err(error) => return Err(error.into()),
        }
        if watching.on {
            let instructions = wavesmith_sim::last_stats(queue.raw()).map_or(0, |s| s.wave_instructions);
            watched += instructions;
            watching.passed(seed, instructions, started.elapsed());
            if !watching.goes_on(watched) {
                break;
            }
        }
    }
    arguments.save()?;
    let stats = wavesmith_sim::last_stats(queue.raw());
    let unverified = stats.is_some_and(|s| s.unverified_rounding);
    if unverified {
        eprintln!(
            "not bit-verified: the kernel ran matrix instructions whose rounding on {} is not known",
            opened.sku.product
        );
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[seconds.len() / 2];
    let instructions = stats.map(|s| s.wave_instructions);
    let outcome = if watching.failed() || !beyond.is_empty() { Outcome::Failed } else { Outcome::Ok };
    if args.json {
        let mut object = json!({
            "kernel": kernel.name, "sku": opened.sku.name,
            "device": if opened.embedded { "embedded" } else { "hsa" },
            "seconds_of": if opened.embedded { "host" } else { "gpu" },
            "seconds": median, "seconds_min": seconds[0], "seconds_max": seconds[seconds.len() - 1],
            "repeat": args.repeat, "wave_instructions": instructions,
            "bit_verified": stats.map(|_| !unverified),
        });
        if !beyond.is_empty() {
            object["arguments_beyond"] = json!(beyond);
        }
        watching.add_to(&mut object, seed);
        print_line(&object.to_string());
        return Ok(outcome);
    }
    let counted = instructions.map_or_else(String::new, |n| format!(", {n} wave-instructions"));
    let times = if args.repeat == 1 { String::new() } else { format!(" (median of {})", args.repeat) };
    // Nobody may take the embedded device's time for the GPU's.
    let whose = if opened.embedded { " of this host's time" } else { " of GPU time" };
    print_line(&format!("{} on {}: {}{whose}{times}{counted}", kernel.name, opened.sku.name, time_text(median)));
    watching.tell(false, seed);
    Ok(outcome)
}

/// Starts a device that runs one of the objects: the one asked for, else the first GPU, else one of the usual kind.
fn open_device(args: &Args, objects: &[Chosen]) -> anyhow::Result<Opened> {
    let usual = objects::usual_sku(objects);
    let opened = device::open(args.device, args.sku.as_deref(), usual)?;
    if args.sku.is_some() || objects.iter().any(|o| o.object.target == opened.sku.target) {
        return Ok(opened);
    }
    // Of several GPUs a later one may fit.
    device::open(args.device, Some(usual), usual)
}

fn time_text(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.3} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}

/// Tells all that is known of a kernel that faulted.
fn failed(
    args: &Args,
    kernel: &Kernel,
    queue: &wavesmith_loader::Queue,
    error: &RuntimeError,
    watching: &Watching,
    seed: u64,
) {
    let fault = wavesmith_sim::last_fault(queue.raw());
    let explained = fault.as_ref().and_then(|f| services::explain(f, kernel));
    match (error, &fault) {
        // What the device knows is more than what the status lets one guess.
        (RuntimeError::QueueFault { status, .. }, Some(_)) => eprintln!("wavesmith: the queue stopped with {status}"),
        _ => eprintln!("wavesmith: {error}"),
    }
    for line in fault.iter().map(ToString::to_string).chain(explained.clone()) {
        eprintln!("{line}");
    }
    if fault.is_none() && !host_services(kernel).is_empty() {
        let names: Vec<_> = host_services(kernel).iter().map(|k| k.name()).collect();
        eprintln!("the kernel may use services of the host that wavesmith does not support: {}", names.join(", "));
    }
    if args.json {
        let text = fault.map_or_else(|| error.to_string(), |f| f.to_string());
        let mut object = json!({ "kernel": kernel.name, "fault": text, "explanation": explained });
        watching.add_to(&mut object, seed);
        print_line(&object.to_string());
    }
}

/// The kernel of that name, or the only one.
pub(crate) fn find_kernel<'a>(kernels: &'a [Kernel], name: Option<&str>, file: &Path) -> anyhow::Result<&'a Kernel> {
    let names = || kernels.iter().map(|k| k.name.as_str()).collect::<Vec<_>>().join(", ");
    match (name, kernels) {
        (_, []) => bail!("{} holds no kernels", file.display()),
        (None, [only]) => Ok(only),
        (None, _) => bail!("which kernel? {} has {}: choose one with --kernel", file.display(), names()),
        (Some(name), _) => {
            let plain = name.strip_suffix(".kd").unwrap_or(name);
            let found = kernels.iter().find(|k| k.name == plain);
            found.with_context(|| format!("{} has no kernel `{name}`; it has {}", file.display(), names()))
        }
    }
}

/// What is launched: workgroups of the size asked for, or of that the kernel was compiled for.
pub(crate) fn geometry(kernel: &Kernel, grid: [u32; 3], block: Option<[u16; 3]>) -> anyhow::Result<Geometry> {
    let metadata = kernel.metadata.as_ref();
    let required = metadata.and_then(|m| m.reqd_workgroup_size);
    let most = metadata.and_then(|m| m.max_flat_workgroup_size).unwrap_or(1024).min(1024);
    let block = match (block, required) {
        (Some(block), Some(required)) if block.map(u32::from) != required => {
            let [x, y, z] = required;
            bail!("kernel `{}` was compiled for workgroups of {x},{y},{z} only: leave --block out", kernel.name)
        }
        (Some(block), _) => block,
        (None, Some(required)) => {
            let [x, y, z] = required.map(u16::try_from);
            match (x, y, z) {
                (Ok(x), Ok(y), Ok(z)) if x > 0 && y > 0 && z > 0 => [x, y, z],
                _ => bail!("the file gives kernel `{}` an impossible workgroup size of {required:?}", kernel.name),
            }
        }
        (None, None) => bail!(
            "kernel `{}` does not say its workgroup size: give it with --block, at most {most} work-items",
            kernel.name
        ),
    };
    let items: u64 = block.iter().map(|b| u64::from(*b)).product();
    if items > u64::from(most) {
        bail!("--block is {items} work-items, kernel `{}` takes at most {most} in a workgroup", kernel.name);
    }
    Geometry::of_workgroups(grid, block)
        .context("--grid times --block has 2^32 work-items or more in a dimension, a packet holds fewer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_left_out_are_one_and_nothing_is_zero() {
        assert_eq!(three::<u32>("7"), Ok([7, 1, 1]));
        assert_eq!(three::<u32>("7,8"), Ok([7, 8, 1]));
        assert_eq!(three::<u16>("7, 8, 9"), Ok([7, 8, 9]));
        assert!(three::<u16>("65536").is_err_and(|e| e.contains("1 to 65535")));
        for wrong in ["", "0", "1,0", "1,2,3,4", "x", "-1", "1;2"] {
            assert!(three::<u32>(wrong).is_err(), "{wrong}");
        }
    }
}

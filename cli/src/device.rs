//! Which device a command runs on: the machine's GPU through the real HSA runtime, or the embedded one.

use anyhow::bail;
use wavesmith_asm::Sku;
use wavesmith_loader::{Agent, Queue, Runtime, RuntimeError};
use wavesmith_sim::{Config, EngineKind, Numerics};

/// `--device`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Device {
    /// A GPU that the HSA runtime offers, else the embedded device.
    Auto,
    /// The embedded device.
    Embedded,
    /// A GPU through libhsa-runtime64.so.1.
    Hsa,
}

/// `--engine`: how the embedded device executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// Compiled to host code where the host allows.
    Jit,
    /// The interpreter, which is the reference.
    Interp,
    /// The interpreter with everything watched: waits, wait states, races, bounds, undefined values, unkind memory.
    Checked,
}

impl Engine {
    /// The device's name for it.
    pub fn kind(self) -> EngineKind {
        match self {
            Engine::Jit => EngineKind::Jit,
            Engine::Interp => EngineKind::Interp,
            Engine::Checked => EngineKind::Checked,
        }
    }
}

/// A started runtime with the agent a command runs on.
pub struct Opened {
    /// The agent.
    pub agent: Agent,
    /// The part that code is generated for: the one asked for, or what the GPU is.
    pub sku: &'static Sku,
    /// Whether the agent is the embedded device.
    pub embedded: bool,
    // Shuts HSA down when it goes.
    _runtime: Runtime,
}

/// Starts the device that `--device` and `--sku` ask for.
///
/// # Errors
/// No such part; no GPU where one is demanded; a GPU of another target than the part demanded.
pub fn open(device: Device, sku: Option<&str>, default_sku: &str) -> anyhow::Result<Opened> {
    let wanted = sku.map(Sku::named).transpose()?;
    if device != Device::Embedded {
        match open_gpu(wanted) {
            Ok(opened) => return Ok(opened),
            Err(error) if device == Device::Hsa => return Err(error),
            // `auto` promises a device, not a GPU: why there is none is told by `--device hsa`.
            Err(_) => {}
        }
    }
    let sku = match wanted {
        Some(sku) => sku,
        None => Sku::named(default_sku)?,
    };
    let runtime = Runtime::start(wavesmith_sim::table(&[sku]))?;
    let Some(agent) = runtime.gpu_agents().first().cloned() else {
        bail!("the embedded device shows no agent for {}", sku.name);
    };
    Ok(Opened { agent, sku, embedded: true, _runtime: runtime })
}

fn open_gpu(wanted: Option<&'static Sku>) -> anyhow::Result<Opened> {
    let runtime = Runtime::open_system()?;
    let known: Vec<(Agent, &'static Sku)> =
        runtime.gpu_agents().iter().filter_map(|a| a.sku().map(|sku| (a.clone(), sku))).collect();
    let fits = |sku: &Sku| wanted.is_none_or(|w| w.target == sku.target);
    let Some((agent, sku)) = known.iter().find(|(_, sku)| fits(sku)).cloned() else {
        let found: Vec<String> =
            runtime.gpu_agents().iter().map(|a| format!("{} ({})", a.product(), a.isa())).collect();
        match wanted {
            Some(w) => bail!(
                "no GPU here runs code for {} ({}): found {}; choose another --sku or `--device embedded`",
                w.name,
                w.target,
                found.join(", ")
            ),
            None => bail!(
                "no GPU here is one of gfx908, gfx90a, gfx942, gfx950: found {}; use `--device embedded`",
                found.join(", ")
            ),
        }
    };
    Ok(Opened { agent, sku: wanted.unwrap_or(sku), embedded: false, _runtime: runtime })
}

/// Sets how the embedded device executes what goes to a queue.
pub fn configure(
    queue: &Queue,
    engine: Engine,
    numerics: Numerics,
    max_instructions: Option<u64>,
    checked: wavesmith_sim::checked::Options,
) -> anyhow::Result<()> {
    let config = Config { engine: engine.kind(), numerics, max_instructions, checked, ..Config::default() };
    wavesmith_sim::configure(queue.raw(), &config)
        .map_err(|status| anyhow::anyhow!("the embedded device's queue is gone: {status}"))
}

/// What the embedded device says of the fault that stopped a queue; nothing on a GPU.
pub fn fault_text(queue: &Queue) -> Option<String> {
    wavesmith_sim::last_fault(queue.raw()).map(|fault| fault.to_string())
}

/// Tells why a queue stopped. What the embedded device knows is more than what the runtime's status lets one guess.
pub fn tell_fault(queue: &Queue, error: &RuntimeError) {
    match (error, fault_text(queue)) {
        (RuntimeError::QueueFault { status, .. }, Some(fault)) => {
            eprintln!("wavesmith: the queue stopped with {status}\n{fault}");
        }
        (_, Some(fault)) => eprintln!("wavesmith: {error}\n{fault}"),
        (_, None) => eprintln!("wavesmith: {error}"),
    }
}

//! What is timed: a kernel of a file with arguments from the command line, or a generated kernel with its own.

use super::Args;
use super::monokernel::{self, Step};
use super::progress::Progress;
use crate::device::{self, Device};
use crate::launch::{self, services};
use crate::objects;
use anyhow::{Context, bail};
use std::path::Path;
use std::sync::Arc;
use wavesmith_asm::Sku;
use wavesmith_kernels::catalog::{self, Generated};
use wavesmith_kernels::gemm::GemmBuffers;
use wavesmith_kernels::rows::RowKernel;
use wavesmith_loader::{Agent, Buffer, Executable, Geometry, Launch, MemoryKind, Queue, RuntimeError};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, Numerics};

/// A kernel that was timed.
pub struct Timed {
    /// What the model says.
    pub report: Report,
    /// A monokernel's token.
    pub step: Option<Step>,
}

impl Timed {
    /// Microseconds that count: of a token, or of the dispatch.
    pub fn us(&self) -> f64 {
        self.step.as_ref().map_or(self.report.us, |s| s.us)
    }
}

/// Whether the subject is a kernel of `wavesmith gen`: a file of that name goes first.
pub fn is_generated(subject: &Path) -> bool {
    !subject.exists() && catalog::names().contains(&subject.to_string_lossy().as_ref())
}

/// Times what the command line names, or another file in its place; a generated kernel with `changes` to its parameters.
/// `None` if the kernel faulted, which has been told.
pub fn time(
    args: &Args,
    subject: &Path,
    changes: &[(String, String)],
    options: &Options,
) -> anyhow::Result<Option<Timed>> {
    let name = subject.to_string_lossy();
    if is_generated(subject) {
        let given = &args.given;
        let launches = args.grid.is_some() || given.block.is_some() || !given.args.is_empty();
        if launches || given.kernarg_size.is_some() || given.dynamic_lds != 0 || args.kernel.is_some() {
            bail!(
                "a generated kernel brings its launch with it: --kernel, --grid, --block, --arg, --kernarg-size and \
                 --dynamic-lds are for files; its shape is said by --param"
            );
        }
        let sku = Sku::named(args.sku.as_deref().unwrap_or("mi300x"))?;
        // The last of several values counts.
        let made = catalog::generate(&name, &[&args.parameters, changes].concat(), sku)?;
        return generated(&name, made, sku, options, (args.copies, args.max_instructions));
    }
    if !args.parameters.is_empty() {
        let is = if subject.exists() { "a file" } else { "none of them" };
        bail!("--param is for generated kernels ({}), {name} is {is}", catalog::names().join(", "));
    }
    file(args, subject, options)
}

/// Times a kernel of a file.
fn file(args: &Args, subject: &Path, options: &Options) -> anyhow::Result<Option<Timed>> {
    let objects = objects::meant(subject, args.target.as_ref())?;
    let opened = device::open(Device::Embedded, args.sku.as_deref(), objects::usual_sku(&objects))?;
    let chosen = objects::for_sku(objects, opened.sku, args.kernel.as_deref(), subject)?;
    let kernel = launch::find_kernel(&chosen.object.kernels, args.kernel.as_deref(), subject)?;
    let grid = args.grid.context("how many workgroups? give them with --grid X,Y,Z")?;
    let geometry = launch::geometry(kernel, grid, args.given.block)?;
    let executable = load(&opened.agent, &chosen.bytes)?;
    let loaded = executable.kernel(&kernel.name)?;
    let arguments = args.given.arguments(kernel, &loaded, &opened.agent, opened.sku.target)?;
    let limits = (args.copies, args.max_instructions);
    let (queue, request) = queue(&opened.agent, options, limits, arguments.array_bytes())?;
    let mut kernargs = arguments.kernargs.clone();
    kernargs.fill_hidden(kernel, &geometry, arguments.dynamic_lds(), &queue)?;
    services::place(&mut kernargs, kernel)?;
    arguments.fill_memory()?;
    let launch = Launch { kernel: &loaded, geometry, dynamic_lds: arguments.dynamic_lds(), kernargs: kernargs.bytes() };
    let Some(report) = wait(&queue, &launch, &request)? else { return Ok(None) };
    if report.sampling.whole() && !options.skip_matrix {
        arguments.save()?;
    }
    Ok(Some(Timed { report, step: None }))
}

/// Times a kernel of the catalog on zeros: times do not depend on values.
pub fn generated(
    name: &str,
    made: Generated,
    sku: &'static Sku,
    options: &Options,
    (copies, limit): Limits,
) -> anyhow::Result<Option<Timed>> {
    if let Some(kernel) = &made.monokernel {
        if copies.is_some() {
            bail!("--copies is for kernels that a benchmark repeats: a monokernel goes through its weights by itself");
        }
        let step = monokernel::time(kernel, sku, options)?;
        return Ok(step.map(|step| Timed { report: step.report.clone(), step: Some(step) }));
    }
    if let Some(rows) = &made.rows {
        return row_kernel(rows, &made.object, sku, options, (copies, limit));
    }
    let Some((gemm, problem)) = &made.gemm else { bail!("`{name}` does not say how it is launched") };
    let opened = device::open(Device::Embedded, Some(sku.name), sku.name)?;
    let executable = load(&opened.agent, &made.object)?;
    let loaded = executable.kernel(wavesmith_kernels::gemm::KERNEL)?;
    let mut kept: Vec<Buffer> = Vec::new();
    let buffers = GemmBuffers::made_by(gemm, problem, |bytes| {
        let buffer = zeros(&opened.agent, bytes)?;
        let address = buffer.address();
        kept.push(buffer);
        anyhow::Ok(address)
    })?;
    let kernargs = gemm.kernargs(problem, &buffers);
    // A benchmark's copies have no counters of their own.
    let bytes = kept.iter().rev().skip(1).map(|buffer| buffer.size() as u64).sum();
    let (queue, request) = queue(&opened.agent, options, (copies, limit), bytes)?;
    let items = gemm.workgroup_size() as u16;
    let geometry = Geometry::of_workgroups([gemm.grid(problem).workgroups, 1, 1], [items, 1, 1])
        .context("the problem has too many workgroups")?;
    let launch = Launch { kernel: &loaded, geometry, dynamic_lds: 0, kernargs: &kernargs };
    Ok(wait(&queue, &launch, &request)?.map(|report| Timed { report, step: None }))
}

/// Times a kernel that works on rows.
fn row_kernel(
    rows: &RowKernel,
    object: &[u8],
    sku: &'static Sku,
    options: &Options,
    limits: Limits,
) -> anyhow::Result<Option<Timed>> {
    let opened = device::open(Device::Embedded, Some(sku.name), sku.name)?;
    let executable = load(&opened.agent, object)?;
    let loaded = executable.kernel(rows.name())?;
    let inputs = rows.inputs().into_iter().map(|n| zeros(&opened.agent, n)).collect::<anyhow::Result<Vec<_>>>()?;
    let output = zeros(&opened.agent, rows.output())?;
    let bytes = inputs.iter().chain([&output]).map(|buffer| buffer.size() as u64).sum();
    let (queue, request) = queue(&opened.agent, options, limits, bytes)?;
    let addresses: Vec<u64> = inputs.iter().map(|i| i.address()).collect();
    let kernargs = rows.kernargs(&addresses, output.address());
    let [workgroups, items] = rows.geometry();
    let geometry = Geometry::of_workgroups(workgroups, items.map(|n| n as u16)).context("too many workgroups")?;
    let launch = Launch { kernel: &loaded, geometry, dynamic_lds: 0, kernargs: &kernargs };
    Ok(wait(&queue, &launch, &request)?.map(|report| Timed { report, step: None }))
}

/// Device memory of that many bytes, at least one.
fn zeros(agent: &Agent, bytes: u64) -> anyhow::Result<Buffer> {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).max(1);
    agent.allocate(MemoryKind::Device, bytes).with_context(|| format!("{bytes} bytes"))
}

fn load(agent: &Agent, bytes: &[u8]) -> anyhow::Result<Executable> {
    agent.load(bytes).map_err(|error| match wavesmith_sim::last_error() {
        Some(reason) => anyhow::Error::new(error).context(reason),
        None => error.into(),
    })
}

/// Copies of the arrays that launches go through, and wave-instructions after which the model gives up.
pub type Limits = (Option<u64>, Option<u64>);

/// A queue whose dispatches are timed, of a kernel whose arrays take so many bytes.
fn queue(
    agent: &Agent,
    options: &Options,
    (copies, limit): Limits,
    bytes: u64,
) -> anyhow::Result<(Queue, Arc<Request>)> {
    let queue = agent.queue(64)?;
    let reused_after = copies.map(|n| n.saturating_mul(bytes));
    let request = queue_config(&queue, &Options { reused_after, ..options.clone() }, limit)?;
    Ok((queue, request))
}

/// Has the dispatches of a queue timed.
pub fn queue_config(queue: &Queue, options: &Options, limit: Option<u64>) -> anyhow::Result<Arc<Request>> {
    let request = Arc::new(Request::new(options.clone()));
    let config = Config {
        numerics: Numerics::Exact,
        max_instructions: limit,
        timing: Some(request.clone()),
        ..Config::default()
    };
    wavesmith_sim::configure(queue.raw(), &config)
        .map_err(|status| anyhow::anyhow!("the embedded device's queue is gone: {status}"))?;
    Ok(request)
}

fn wait(queue: &Queue, launch: &Launch<'_>, request: &Request) -> anyhow::Result<Option<Report>> {
    let pending = queue.launch(launch)?;
    let mut progress = Progress::new();
    loop {
        match pending.wait(progress.next()) {
            Ok(()) => break,
            Err(RuntimeError::Timeout { .. }) => progress.tell(request.issued()),
            Err(error @ RuntimeError::QueueFault { .. }) => {
                progress.end();
                device::tell_fault(queue, &error);
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    progress.end();
    request.take().pop().map(Some).context("the dispatch ended without a report")
}

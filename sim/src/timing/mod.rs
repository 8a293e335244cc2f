//! The timing model: executes a dispatch and says how long it takes on a part, and why.
//!
//! `device` issues instructions as the hardware would, each executed by the interpreter when it is issued; `hierarchy`
//! and `lds` say when memory answers; `instruction` what each place of the code asks for; `parts` holds every number
//! with its source. [`run`] decides how much of a grid is simulated and makes the [`Report`].
//!
//! Nothing here depends on the host: one thread, virtual time, addresses renumbered in order of first touch.

mod address;
mod cache;
mod device;
mod elsewhere;
mod hierarchy;
mod instruction;
mod lds;
pub mod parts;
mod profile;
mod report;
mod turns;
mod wheel;

pub use device::Life;
pub use hierarchy::Traffic;
pub use profile::{Cause, Event, Line, Pipes};
pub use report::{Report, Sampling, Utilisation};

use crate::config::Config;
use crate::dispatch::Dispatch;
use crate::engine::stepper;
use crate::fault::{Fault, FaultKind, Stats};
use crate::memory::Memory;
use core::sync::atomic::{AtomicU64, Ordering};
use device::{Clock, Device, Extent};
use parking_lot::Mutex;
use parts::Machine;

/// What is asked of the model.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Simulates every workgroup; else large grids are sampled.
    pub full: bool,
    /// Wave-instructions up to which a grid is simulated whole without being asked; else some millions. What is sampled of
    /// larger ones is in proportion.
    pub whole_up_to: Option<u64>,
    /// A fixed core clock in MHz; else the clock follows the load.
    pub clock_mhz: Option<f64>,
    /// Leaves matrix products out: they are most of the work, and no time depends on their values.
    pub skip_matrix: bool,
    /// Events to keep for a timeline.
    pub trace: usize,
    /// Bytes that launches before this one went through since they touched its own: a benchmark that takes copies of
    /// its arrays in turn touches all of them, one that uses the same ones only those. What of them fits is still in
    /// the Infinity Cache. `None` begins with cold caches.
    pub reused_after: Option<u64>,
}

/// A request to time the dispatches of a queue; reports gather in it.
#[derive(Debug, Default)]
pub struct Request {
    /// What is asked.
    pub options: Options,
    reports: Mutex<Vec<Report>>,
    issued: AtomicU64,
}

impl Request {
    /// A request.
    pub fn new(options: Options) -> Request {
        Request { options, reports: Mutex::new(Vec::new()), issued: AtomicU64::new(0) }
    }

    /// The reports of dispatches that have ended, in order; they are then forgotten.
    pub fn take(&self) -> Vec<Report> {
        core::mem::take(&mut self.reports.lock())
    }

    /// Wave-instructions that the model has issued so far in what it simulates now: for progress. It grows now and then.
    pub fn issued(&self) -> u64 {
        self.issued.load(Ordering::Relaxed)
    }
}

/// Waves up to which a whole grid is simulated without being asked.
const SMALL: u64 = 128;
/// Wave-instructions up to which it is, by what its first workgroup took: a matter of seconds.
const WHOLE: u64 = 8_000_000;

/// Rounds of resident workgroups up to which the whole grid of a kernel that polls is simulated, within its budget: parts of
/// a product that wait for each other are so many at most.
const ROUNDS: u64 = 4;

/// A workgroup of the first die alone.
const fn alone(from: u64) -> Extent {
    Extent { xcds: 1, workgroups: 1, from }
}

/// Executes and times a dispatch.
///
/// # Errors
/// The kernel's first [`Fault`].
pub fn run(dispatch: &Dispatch, memory: &Memory, config: &Config, request: &Request) -> Result<Stats, Fault> {
    let options = &request.options;
    let sku = dispatch.sku;
    let m = Machine::of(sku);
    let most = options.whole_up_to.unwrap_or(WHOLE);
    // Wave-instructions of a sample.
    let some_of_it = most * 3 / 8;
    stepper::with(dispatch, memory, config, |stepper| {
        stepper.skip_matrix(options.skip_matrix);
        let total: u64 = dispatch.workgroups().iter().map(|n| u64::from(*n)).product();
        let polls = device::polls(&stepper.group(0, 0)?.waves[0].segment);
        let per_xcd = u64::from(stepper.per_cu * sku.cus_per_xcd());
        let resident = per_xcd * u64::from(sku.xcds);
        let waves = total * u64::from(dispatch.waves_per_workgroup());
        // The first die has as many as any.
        let share = total.div_ceil(u64::from(sku.xcds));
        let all = Extent { xcds: sku.xcds, workgroups: share, from: 0 };
        let must = options.full || waves <= SMALL || polls && total <= resident;
        let clock = Clock::new(&m, m.peak_mhz, options.clock_mhz);
        let left = options.reused_after.map_or(0.0, |bytes| cache::left(bytes as f64 / (m.mall_mib * 1048576.0)));
        let within = |budget: Option<u64>| match (config.max_instructions, budget) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        // How long workgroups are, the first tells, alone; those of a kernel that polls may wait for others.
        let mut each = None;
        if !must && !polls {
            let limit = within(Some(most / per_xcd));
            let mut device = Device::new(dispatch, stepper, m, alone(0), clock.clone(), 0, limit);
            device.memory.left = left;
            device.progress = Some(&request.issued);
            match device.run() {
                Err(fault) if fault.kind == FaultKind::Fuel && limit != config.max_instructions => {}
                // Beginning a wave costs as much as a few dozen instructions.
                other => each = other.map(|()| Some(device.issued + 32 * u64::from(dispatch.waves_per_workgroup())))?,
            }
        }
        // Grids are as large as the worst case needs where nobody knows how much there is to do, as of experts: the last
        // workgroups end as soon as they see that nothing is left. What the die has of those is no round of its own.
        let mut busy = share;
        if !must && !polls && each.is_none_or(|each| each * total > most) {
            let few = each.unwrap_or(most / per_xcd) / 64;
            let mut idle = |i: u64| {
                let mut device = Device::new(dispatch, stepper, m, alone(i), clock.clone(), 0, within(Some(few)));
                few >= 64 && device.run().is_ok()
            };
            if share > 1 && idle(share - 1) {
                // From the last that works, as far as is known, to the first that does not.
                let mut works = 0;
                busy = share - 1;
                while busy - works > 1 {
                    let middle = works + (busy - works) / 2;
                    if idle(middle) {
                        busy = middle;
                    } else {
                        works = middle;
                    }
                }
                // Those of a grid whose work merely varies are not all idle from there on.
                if !(1..=8).all(|k| idle(busy + (share - 1 - busy) * k / 8)) {
                    busy = share;
                }
            }
        }
        let share = busy;
        // Rounds of as many as are resident, at least two where that leaves no rest, and what is left over after whole
        // rounds, which ends a grid.
        let rest = share % per_xcd;
        let least = if rest == 0 { 2 } else { 1 };
        let sample = move |each: Option<u64>| {
            let rounds = each.map_or(least, |each| {
                let round = (each * per_xcd).max(1);
                // Three show one that neither begins nor ends the sample.
                (some_of_it / round).max(if 3 * round <= 2 * some_of_it { 3 } else { least })
            });
            if share <= 2 * per_xcd { share } else { share.min(rounds * per_xcd + rest) }
        };
        let some = Extent { xcds: 1, workgroups: sample(each), from: 0 };
        let plans: &[(Extent, Option<u64>)] = if must {
            &[(all, None)]
        } else if polls && total <= ROUNDS * resident {
            // Who waits for a workgroup of another die would wait for ever where one die stands for all.
            &[(all, Some(4 * most)), (some, None)]
        } else if each.is_some_and(|each| each * share * u64::from(sku.xcds) <= most) {
            // Short kernels are done before it would be worth while to sample them.
            &[(all, Some(most + most / 2)), (some, None)]
        } else {
            &[(some, None)]
        };
        for (extent, budget) in plans {
            let limit = within(*budget);
            let mut device = Device::new(dispatch, stepper, m, *extent, clock.clone(), options.trace, limit);
            device.memory.left = left;
            device.progress = Some(&request.issued);
            device.polls = polls;
            if each.is_none() && *extent == some {
                // How long they are, the first that ends tells.
                device.grows = Some(Box::new(move |each| sample(Some(each))));
            }
            match device.run() {
                Err(fault) if fault.kind == FaultKind::Fuel && budget.is_some() && limit != config.max_instructions => {
                    continue;
                }
                other => other?,
            }
            let whole = *extent == all;
            let skipped = share.saturating_sub(device.extent.workgroups);
            let report = report::make(dispatch, &m, &device, whole, skipped, per_xcd);
            let stats = Stats {
                wave_instructions: device.issued,
                waves: device.lives.iter().map(|l| u64::from(l.waves)).sum(),
                resident_workgroups: resident.min(total) as u32,
                unverified_rounding: stepper.unverified,
            };
            request.reports.lock().push(report);
            return Ok(stats);
        }
        Err(Fault::new(FaultKind::Fuel, dispatch.kernel.clone(), "nothing of the grid was simulated"))
    })
}

//! What a timed dispatch is told as.

use super::device::{Device, Life};
use super::hierarchy::Traffic;
use super::parts::{self, Machine};
use super::profile::{Cause, Event, Line, Pipes};
use crate::dispatch::Dispatch;
use wavesmith_asm::Sku;

/// How much of a grid was simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Dies that were simulated.
    pub xcds: u32,
    /// Workgroups that were simulated.
    pub workgroups: u64,
    /// Of so many.
    pub total: u64,
    /// Whole rounds of resident workgroups whose time was taken from the simulated ones.
    pub skipped_rounds: f64,
    /// How far off the extrapolation may be, in percent; 0 where everything was simulated.
    pub error_percent: f64,
}

impl Sampling {
    /// Whether everything was simulated.
    pub fn whole(&self) -> bool {
        self.workgroups == self.total
    }
}

/// How busy things were, as fractions of what they can do, while workgroups ran.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Utilisation {
    /// VALU issue of all SIMDs of the part.
    pub valu: f64,
    /// Matrix pipes.
    pub matrix: f64,
    /// Scalar issue.
    pub scalar: f64,
    /// LDS banks.
    pub lds: f64,
    /// Vector memory paths to the compute units.
    pub vector_memory: f64,
    /// Infinity Cache bandwidth.
    pub mall: f64,
    /// HBM bandwidth that can be reached.
    pub hbm: f64,
}

/// A timed dispatch.
#[derive(Clone, Debug)]
pub struct Report {
    /// Kernel.
    pub kernel: String,
    /// Part.
    pub sku: &'static Sku,
    /// Core cycles from the start of the dispatch to its end, as a profiler sees them.
    pub cycles: f64,
    /// The same in microseconds.
    pub us: f64,
    /// Average core clock.
    pub clock_mhz: f64,
    /// What a launch and its clean-up take on top, back to back.
    pub launch_us: f64,
    /// What bounds it.
    pub bound_by: String,
    /// Parameters of the part that nobody has measured.
    pub unknown_parameters: Vec<&'static str>,
    /// How much was simulated.
    pub sampling: Sampling,
    /// Floating-point (or integer matrix) operations of the whole grid.
    pub flops: f64,
    /// Of them, in matrix instructions.
    pub matrix_flops: f64,
    /// Bytes to and from HBM, of the whole grid.
    pub hbm_bytes: f64,
    /// Bytes that lanes load and store, of the whole grid.
    pub lane_bytes: f64,
    /// Wave-instructions that were simulated.
    pub wave_instructions: u64,
    /// How busy things were.
    pub utilisation: Utilisation,
    /// Part of the waves' cycles spent waiting, by cause, and issuing last.
    pub stalls: Vec<(Cause, f64)>,
    /// Part of the waves' cycles spent issuing.
    pub issuing: f64,
    /// Resident waves a SIMD while workgroups ran, on average over the SIMDs that had any.
    pub occupancy: f64,
    /// LDS bank conflict cycles of bank cycles.
    pub lds_conflicts: f64,
    /// Part of what the kernel reads that launches before it left in the Infinity Cache.
    pub left: f64,
    /// Caches and memory.
    pub traffic: Traffic,
    /// Pipes.
    pub pipes: Pipes,
    /// Every instruction that ran.
    pub lines: Vec<Line>,
    /// Timeline.
    pub events: Vec<Event>,
    /// Workgroups.
    pub lives: Vec<Life>,
    /// Cycles before the first wave.
    pub start_cycles: f64,
}

impl Report {
    /// Operations a second, in units of 10¹².
    pub fn tflops(&self) -> f64 {
        self.flops / self.us / 1e6
    }

    /// HBM traffic in GB/s.
    pub fn hbm_gbps(&self) -> f64 {
        self.hbm_bytes / self.us / 1e3
    }

    /// Bytes of lanes in GB/s.
    pub fn lane_gbps(&self) -> f64 {
        self.lane_bytes / self.us / 1e3
    }
}

/// Makes the report of a device that has run.
pub(super) fn make(
    dispatch: &Dispatch,
    m: &Machine,
    device: &Device<'_, '_>,
    whole: bool,
    skipped: u64,
    per_xcd: u64,
) -> Report {
    let sku = dispatch.sku;
    let total: u64 = dispatch.workgroups().iter().map(|n| u64::from(*n)).product();
    let simulated = device.lives.len() as u64;
    let xcds = if whole { sku.xcds } else { 1 };
    let ran = device.end().max(1) as f64;

    let mut ends: Vec<(u64, u64)> = device.lives.iter().map(|l| (l.end, l.issued)).collect();
    ends.sort_unstable();
    let rounds = skipped as f64 / per_xcd as f64;
    // When as many as fill the die had ended, and how many rounds' instructions had been issued by then: beside the last
    // of a round the next has begun, which must not count as time of the one.
    let of_round = device.issued as f64 / simulated.max(1) as f64 * per_xcd as f64;
    let at = |i: u64| {
        let (end, issued) = ends.get((i as usize).saturating_sub(1)).copied().unwrap_or((0, 0));
        (end as f64, issued as f64 / of_round.max(1.0))
    };
    // A round in the steady state, if as many were simulated: from when the first have ended, which began together and
    // cold, to when the last begin, behind which places stay empty. Else one of the first two, as it is.
    let whole_rounds = simulated / per_xcd;
    let full_until = simulated.saturating_sub(per_xcd);
    let steady = full_until >= per_xcd + per_xcd / 2;
    let round = if skipped == 0 {
        0.0
    } else {
        let (from, to) = if steady {
            (at(per_xcd), at(full_until))
        } else if whole_rounds >= 2 {
            (at(per_xcd), at(whole_rounds * per_xcd))
        } else {
            ((0.0, 0.0), at(per_xcd.min(simulated)))
        };
        (to.0 - from.0) / (to.1 - from.1).max(1e-9)
    };
    let spread = {
        let lengths: Vec<f64> = device.lives.iter().map(|l| (l.end - l.start) as f64).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        let variance = lengths.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / lengths.len().max(1) as f64;
        if mean > 0.0 { variance.sqrt() / mean } else { 0.0 }
    };
    let work = ran + rounds * round;
    let error_percent = if whole && skipped == 0 {
        0.0
    } else {
        let extrapolated = if steady { 0.03 } else { 0.05 } * rounds * round / work;
        100.0 * (0.01 + spread / (simulated.max(1) as f64).sqrt() + in_step(device, whole) + extrapolated)
    };

    // The clock that this load settles at when it goes on: the last, partial round counts once, not for each that was
    // simulated.
    let simds = f64::from(4 * xcds * sku.cus_per_xcd());
    let weight = (simulated + skipped) as f64 / simulated.max(1) as f64;
    let ghz = device.settled_ghz(work * simds / weight);
    let (start, end) = (m.start_ns * ghz, m.end_ns * ghz + device.memory.write_back());
    let cycles = work + start + end;
    let us = cycles / ghz / 1e3;
    let scale = total as f64 / simulated.max(1) as f64;
    // Memory has served other dies, too, where they did as the one that was simulated.
    let served = f64::from(sku.xcds) / f64::from(xcds) / device.memory.weight;

    let pipes = device.pipes;
    let traffic = device.memory.traffic;
    let (lds_busy, lds_conflicts) = device.lds_cycles();
    let ns = ran / device.average_ghz();
    let hbm_bytes = (traffic.hbm_read + traffic.hbm_written) as f64 * device.memory.weight;
    let utilisation = Utilisation {
        valu: pipes.valu as f64 * weight / work / simds,
        matrix: pipes.matrix as f64 * weight / work / simds,
        scalar: 4.0 * pipes.issued[1] as f64 / ran / simds,
        lds: lds_busy * weight / work / (simds / 4.0),
        vector_memory: traffic.path_busy * weight / work / (simds / 4.0),
        mall: if m.mall_mib > 0.0 {
            traffic.mall[0] as f64 * device.memory.weight * m.l2_line / ns / m.mall_gbps
        } else {
            0.0
        },
        hbm: hbm_bytes / ns / m.hbm_gbps,
    };

    let mut by_cause = [0u64; Cause::COUNT];
    let mut busy = 0;
    for line in &device.lines {
        busy += 4 * line.issues;
        line.stalls.iter().zip(&mut by_cause).for_each(|(s, all)| *all += s);
    }
    let all = (busy + by_cause.iter().sum::<u64>()).max(1) as f64;
    let mut stalls: Vec<(Cause, f64)> =
        Cause::ALL.iter().map(|c| (*c, by_cause[*c as usize] as f64 / all)).filter(|s| s.1 > 0.0).collect();
    stalls.sort_by(|a, b| b.1.total_cmp(&a.1));
    let wave_cycles: f64 = device.lives.iter().map(|l| (l.end - l.start) as f64 * f64::from(l.waves)).sum();
    let mut cus: Vec<u32> = device.lives.iter().map(|l| l.cu).collect();
    cus.sort_unstable();
    cus.dedup();
    let occupancy = wave_cycles / ran / (4.0 * cus.len().max(1) as f64);

    Report {
        kernel: dispatch.kernel.clone(),
        sku,
        cycles,
        us,
        clock_mhz: ghz * 1e3,
        launch_us: m.launch_us,
        bound_by: bound_by(&utilisation, &stalls, (start + end) / cycles),
        unknown_parameters: parts::unknown(sku),
        sampling: Sampling { xcds, workgroups: simulated, total, skipped_rounds: rounds, error_percent },
        flops: pipes.flops * scale,
        matrix_flops: pipes.matrix_flops * scale,
        hbm_bytes: (traffic.hbm_read + traffic.hbm_written) as f64 * scale / served,
        lane_bytes: traffic.lanes as f64 * scale,
        wave_instructions: device.issued,
        utilisation,
        stalls,
        issuing: busy as f64 / all,
        occupancy,
        lds_conflicts: if lds_busy > 0.0 { lds_conflicts / lds_busy } else { 0.0 },
        left: device.memory.left,
        traffic,
        pipes,
        lines: device.lines.clone(),
        events: device.events.clone(),
        lives: device.lives.clone(),
        start_cycles: start,
    }
}

/// How far off the time may be for what the other dies are taken to do: to ask for the lines that all of them read when
/// this one does. A die that comes later saves the time for which such a line is still under way. By that much each wait
/// for memory may be shorter, and the waits at barriers that it causes, at most all of it: dies that drift apart and meet
/// again gain about half. Of a sum whose parts are on several dies nobody here is the last, who puts them together: a
/// fifth of short products was seen to be that.
fn in_step(device: &Device<'_, '_>, whole: bool) -> f64 {
    if whole || device.memory.is_alone() {
        return 0.0;
    }
    let (mut all, mut memory, mut barriers, mut waits) = (0, 0, 0, 0);
    for line in &device.lines {
        let of_memory = line.stalls[Cause::VectorMemory as usize];
        all += 4 * line.issues + line.stalls.iter().sum::<u64>();
        memory += of_memory;
        barriers += line.stalls[Cause::Barrier as usize];
        waits += if of_memory > 0 { line.issues } else { 0 };
    }
    let traffic = &device.memory.traffic;
    let saved = traffic.under_way / (traffic.l2[0] - traffic.l2[1]).max(1) as f64;
    let part = (saved * waits as f64 / memory.max(1) as f64).min(1.0);
    let others = if device.polls { 0.1 } else { 0.0 };
    others + 0.5 * part * (memory + barriers) as f64 / all.max(1) as f64
}

/// What holds it back: whatever is nearly always busy; else what waves mostly wait for.
fn bound_by(u: &Utilisation, stalls: &[(Cause, f64)], around: f64) -> String {
    let busiest = [
        (u.matrix, "MFMA pipe"),
        (u.valu, "VALU"),
        (u.lds, "LDS bandwidth"),
        (u.vector_memory, "vector memory path of the compute unit"),
        (u.hbm, "HBM bandwidth"),
        (u.mall, "Infinity Cache bandwidth"),
    ]
    .into_iter()
    .max_by(|a, b| a.0.total_cmp(&b.0));
    if around > 0.5 {
        return "launch".to_owned();
    }
    match (busiest, stalls.first()) {
        (Some((u, name)), _) if u > 0.6 => name.to_owned(),
        (_, Some((cause, _))) => format!("latency: {}", cause.name()),
        (Some((_, name)), None) => name.to_owned(),
        (None, None) => "issue".to_owned(),
    }
}

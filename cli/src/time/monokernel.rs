//! The monokernel: microseconds a token, how much of the HBM limit that is, and where the time goes, stage by stage.
//!
//! Two decodes of the same prompt are timed, of one token and of two: the first is the prefill, which ends with a token,
//! and the difference is a decode step. Weights are made up, of the shape that the parameters name: times do not depend
//! on them.

use super::subject::queue_config;
use crate::device::{self, Device};
use crate::outcome::print_line;
use anyhow::Context;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wavesmith_asm::Sku;
use wavesmith_emitter::listing::{Line as Listed, Listing};
use wavesmith_kernels::monokernel::Monokernel;
use wavesmith_model::{Sampling, Weights};
use wavesmith_runner::{Decoder, Request as Decode, RunError};
use wavesmith_sim::timing::parts::Machine;
use wavesmith_sim::timing::{Options, Report};

/// Longest a wave waits for another before it gives up, by the device's clock.
const WATCHDOG: std::time::Duration = std::time::Duration::from_secs(1);

/// A decode that was timed.
pub struct Step {
    /// The whole dispatch that decodes two tokens.
    pub report: Report,
    /// Microseconds of a token.
    pub us: f64,
    /// Bytes that a token takes from HBM.
    pub hbm_bytes: f64,
    /// Part of the waves' time in each stage of a token.
    pub stages: Vec<(String, f64)>,
    /// Microseconds of the dispatch up to the first token: start, prefill, head and draw.
    pub first_us: f64,
    /// Part of the waves' time in each stage of that.
    pub first_stages: Vec<(String, f64)>,
}

/// Tokens of the prompt: as many as a prefill step takes.
const PROMPT: usize = wavesmith_kernels::monokernel::plan::TOKENS;

/// Times a decode. `None` if the kernel faulted, which has been told.
pub fn time(kernel: &Monokernel, sku: &'static Sku, options: &Options) -> anyhow::Result<Option<Step>> {
    let opened = device::open(Device::Embedded, Some(sku.name), sku.name)?;
    let weights = Weights::synthetic(&kernel.plan.config, 1).context("the model's shape")?;
    let decoder = Decoder::new(&opened.agent, kernel, &weights)?;
    let options = Options { full: true, skip_matrix: false, ..options.clone() };
    let request = queue_config(decoder.queue(), &options, None)?;
    let decode = |tokens: usize| -> anyhow::Result<Option<Report>> {
        let wanted = Decode {
            prompt: vec![1; PROMPT],
            max_tokens: tokens,
            // Nothing ends the sequence early.
            eos: u32::MAX,
            sampling: Sampling::GREEDY,
            watchdog: WATCHDOG,
            record: false,
        };
        match decoder.decode(&wanted, |_| {}) {
            Ok(_) => request.take().pop().map(Some).context("the dispatch ended without a report"),
            Err(error @ (RunError::Runtime(_) | RunError::GaveUp { .. } | RunError::Short { .. })) => {
                match &error {
                    RunError::Runtime(error) => device::tell_fault(decoder.queue(), error),
                    error => eprintln!("wavesmith: {error}"),
                }
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    };
    let (Some(one), Some(two)) = (decode(1)?, decode(2)?) else { return Ok(None) };
    let listing = &kernel.kernel.listing;
    Ok(Some(Step {
        us: two.us - one.us,
        hbm_bytes: two.hbm_bytes - one.hbm_bytes,
        stages: stages(&[(&two, 1), (&one, -1)], listing),
        first_us: one.us,
        first_stages: stages(&[(&one, 1)], listing),
        report: two,
    }))
}

/// Labels at which something begins that no comment announces.
const SECTIONS: [(&str, &str); 4] = [
    ("stage_done", "between stages"),
    ("attention_job", "attention"),
    ("attention_done", "between stages"),
    ("tail", "the draw"),
];

/// The part of the waves' time that each commented stretch of the code takes in the sum of some reports, each with a sign.
fn stages(reports: &[(&Report, i128)], listing: &Listing) -> Vec<(String, f64)> {
    let mut starts: BTreeMap<u64, &str> = BTreeMap::new();
    let mut comment = None;
    for line in &listing.lines {
        match line {
            Listed::Comment(i) => comment = listing.comments.get(*i as usize).map(String::as_str),
            Listed::Instruction { offset, .. } => {
                if let Some(text) = comment.take() {
                    starts.insert(u64::from(*offset), text);
                }
            }
            Listed::Label(i) => {
                let label = listing.labels.get(*i as usize).map_or("", String::as_str);
                let section = SECTIONS.iter().find(|(prefix, _)| label.starts_with(prefix));
                comment = section.map(|(_, name)| *name).or(comment);
            }
        }
    }
    let entry = |r: &Report| r.lines.iter().map(|l| l.pc).min().unwrap_or(0);
    let mut cost: BTreeMap<u64, i128> = BTreeMap::new();
    for (report, sign) in reports {
        for line in &report.lines {
            *cost.entry(line.pc - entry(report)).or_default() += sign * i128::from(4 * line.issues + line.stalled());
        }
    }
    let all: i128 = cost.values().sum();
    let mut by_stage: Vec<(String, i128)> = Vec::new();
    for (offset, cycles) in cost {
        let name = starts.range(..=offset).next_back().map_or("start", |(_, name)| *name);
        match by_stage.iter_mut().find(|(n, _)| n == name) {
            Some((_, c)) => *c += cycles,
            None => by_stage.push((name.to_owned(), cycles)),
        }
    }
    by_stage.into_iter().filter(|s| s.1 > 0).map(|(n, c)| (n, c as f64 / all.max(1) as f64)).collect()
}

impl Step {
    /// Microseconds that the bytes of a token would take at the bandwidth that can be reached.
    pub fn limit_us(&self) -> f64 {
        self.hbm_bytes / Machine::of(self.report.sku).hbm_gbps / 1e3
    }

    /// As JSON, beside the report's own.
    pub fn summary(&self) -> Value {
        let named = |stages: &[(String, f64)], us: f64| -> serde_json::Map<String, Value> {
            stages.iter().map(|(name, part)| (name.clone(), json!(part * us))).collect()
        };
        json!({ "us_per_token": self.us, "hbm_bytes_per_token": self.hbm_bytes,
            "hbm_limit_us": self.limit_us(), "hbm_limit_share": self.limit_us() / self.us,
            "stages_us": named(&self.stages, self.us),
            "prompt_tokens": PROMPT, "first_token_us": self.first_us,
            "first_stages_us": named(&self.first_stages, self.first_us) })
    }

    /// Prints it.
    pub fn print(&self) {
        let table = |stages: &[(String, f64)], us: f64| {
            for (name, part) in stages.iter().filter(|s| s.1 >= 0.001) {
                print_line(&format!("    {:>8.2} µs  {:>5.1} %  {name}", part * us, 100.0 * part));
            }
        };
        print_line(&format!(
            "  {:.1} µs to the first token, with the prefill of a prompt of {PROMPT}; of the waves' time",
            self.first_us
        ));
        table(&self.first_stages, self.first_us);
        print_line(&format!(
            "  {:.1} µs a token from then on, {:.0} tokens a second; {:.1} MB from HBM, {:.1} % of its limit of {:.1} µs",
            self.us,
            1e6 / self.us,
            self.hbm_bytes / 1e6,
            100.0 * self.limit_us() / self.us,
            self.limit_us()
        ));
        table(&self.stages, self.us);
    }
}

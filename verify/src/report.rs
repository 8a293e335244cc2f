//! Whether a decode was right: the kernel's tokens, logits and residuals against the CPU reference forced along the
//! kernel's tokens.
//!
//! Forcing keeps the comparison meaningful after a permitted difference: each step is judged on the text the kernel
//! really had before it. A step is right when
//! - no logit is off by more than [`LOGIT_BOUND`];
//! - the token is what the definition of [`wavesmith_model::sampling`] makes of the kernel's own logits, but for the
//!   last bits of the device's `exp2`;
//! - a greedy token is the reference's too, or its logit lies within [`LOGIT_BOUND`] of the reference's largest; a
//!   drawn token is the reference's too, or a boundary lies within the logit error measured at that step.
//!
//! And the sequence must stop where it should: at the first end-of-sequence token or at the limit. Nothing is left out
//! of a comparison: counts of what was compared are part of the report, and a NaN counts as an infinite difference.

use crate::llama::{Pass, Reference, ReferenceError, Wanted};
use serde::Serialize;
use std::fmt;
use std::ops::Range;
use wavesmith_model::sampling::{argmax, may_draw};
use wavesmith_model::{Sampling, Weights};

/// Largest difference of any logit, and the gap under which a greedy token may differ.
pub const LOGIT_BOUND: f32 = 0.1;

/// Positions the reference is fed at a time.
const PART: usize = 256;

/// What a kernel did, as read back from the device.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// The prompt's tokens, at least one.
    pub prompt: &'a [u32],
    /// The tokens the kernel published, in order.
    pub generated: &'a [u32],
    /// How they were chosen.
    pub sampling: Sampling,
    /// Most tokens it was allowed to publish.
    pub limit: usize,
    /// The token that ends the sequence, if the kernel tests for one.
    pub eos: Option<u32>,
    /// The logits each token was chosen from, `[generated][vocab]`.
    pub logits: &'a [f32],
    /// The residual after each layer, `[position][layer][d_model]`, for consecutive positions; may be empty if the
    /// kernel was built without that output.
    pub residuals: &'a [f32],
    /// The position of the first of `residuals`; 0 is the first prompt token.
    pub first_residual: usize,
}

/// What was read back cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObservedError {
    /// No prompt.
    #[error("the prompt is empty: there must be at least one token")]
    NoPrompt,
    /// A buffer of the wrong size.
    #[error("{what}: {found} values were read back, {want} are needed")]
    Size {
        /// Which buffer.
        what: &'static str,
        /// Its length.
        found: usize,
        /// What it must be.
        want: String,
    },
    /// Tokens that the reference cannot be fed.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
}

/// How a token compares with the reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Both chose the same.
    Same,
    /// They differ, and the logit error can explain it.
    WithinError,
    /// They differ by more than the logit error explains.
    Wrong,
    /// The kernel's token is not what its own logits give.
    NotItsOwn,
}

/// One generated token.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TokenReport {
    /// 0 for the first generated token.
    pub step: usize,
    /// The kernel's token.
    pub kernel: u32,
    /// The reference's token on the same text, with the same random number.
    pub reference: u32,
    /// How far the reference's largest logit is above its second.
    pub gap: f32,
    /// Largest difference of a logit; infinite where one is NaN.
    pub logit_diff: f32,
    /// The token of that logit.
    pub logit_diff_at: u32,
    /// What follows from this.
    pub choice: Choice,
}

impl TokenReport {
    /// Whether the step is right.
    pub fn passed(&self) -> bool {
        self.logit_diff <= LOGIT_BOUND && matches!(self.choice, Choice::Same | Choice::WithinError)
    }
}

/// One layer, over all positions read back.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerReport {
    /// 0 for the first layer.
    pub layer: usize,
    /// Largest difference of a residual element; infinite where one is NaN.
    pub residual_diff: f32,
    /// The position of that element.
    pub position: usize,
    /// Its index in the residual.
    pub element: usize,
    /// Largest magnitude of the reference's residual in this layer, to judge the difference by.
    pub magnitude: f32,
}

/// Where the sequence ended wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopError {
    /// Tokens follow the end-of-sequence token of this step.
    AfterEos(usize),
    /// It ended after this many tokens with neither an end-of-sequence token nor the limit reached.
    TooEarly(usize),
    /// More tokens than the limit.
    TooMany(usize),
}

/// The verdict and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Whether everything below is within bounds.
    pub passed: bool,
    /// Per generated token.
    pub tokens: Vec<TokenReport>,
    /// Per layer; empty when no residuals were read back.
    pub layers: Vec<LayerReport>,
    /// Where the sequence ended wrongly, if it did.
    pub stop: Option<StopError>,
    /// Largest logit difference of all steps.
    pub logit_diff: f32,
    /// Logits compared.
    pub logits_compared: usize,
    /// Residual elements compared.
    pub residuals_compared: usize,
}

impl Report {
    /// One line for each thing that is wrong.
    pub fn failures(&self) -> Vec<String> {
        let mut out = Vec::new();
        for t in self.tokens.iter().filter(|t| !t.passed()) {
            let TokenReport { step, kernel, reference, gap, logit_diff, logit_diff_at, .. } = t;
            if *logit_diff > LOGIT_BOUND {
                out.push(format!(
                    "step {step}: the logit of token {logit_diff_at} differs by {logit_diff}, allowed are {LOGIT_BOUND}"
                ));
            }
            match t.choice {
                Choice::Same | Choice::WithinError => {}
                Choice::Wrong => out.push(format!(
                    "step {step}: the kernel chose token {kernel}, the reference {reference} with a top-1 gap of {gap}"
                )),
                Choice::NotItsOwn => {
                    out.push(format!("step {step}: the kernel chose token {kernel}, which its own logits do not give"));
                }
            }
        }
        match self.stop {
            Some(StopError::AfterEos(step)) => {
                out.push(format!("tokens follow the end-of-sequence token of step {step}"))
            }
            Some(StopError::TooEarly(n)) => {
                out.push(format!(
                    "the sequence ended after {n} tokens, without an end-of-sequence token or the limit reached"
                ));
            }
            Some(StopError::TooMany(n)) => out.push(format!("{n} tokens are more than the limit")),
            None => {}
        }
        out
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let same = self.tokens.iter().filter(|t| t.choice == Choice::Same).count();
        write!(
            f,
            "{}: {same} of {} tokens equal, largest logit difference {:.5} over {} logits",
            if self.passed { "verified" } else { "NOT verified" },
            self.tokens.len(),
            self.logit_diff,
            self.logits_compared
        )?;
        let relative = |l: &LayerReport| l.residual_diff / l.magnitude.max(f32::MIN_POSITIVE);
        match self.layers.iter().max_by(|a, b| relative(a).total_cmp(&relative(b))) {
            Some(l) => write!(
                f,
                ", residual off by at most {:.2} % of its largest element (layer {}: {:.2e} of {:.1}) over {} elements",
                100.0 * relative(l),
                l.layer,
                l.residual_diff,
                l.magnitude,
                self.residuals_compared
            ),
            None => write!(f, ", residuals not read back"),
        }
    }
}

/// Compares a decode with the reference.
///
/// # Errors
/// [`ObservedError`] if what was read back has the wrong size or names tokens that do not exist. A wrong result is no
/// error: it is a [`Report`] that did not pass.
pub fn verify_decode(weights: &Weights, seen: &Observed) -> Result<Report, ObservedError> {
    let c = &weights.config;
    let last = seen.prompt.len().checked_sub(1).ok_or(ObservedError::NoPrompt)?;
    let want = seen.generated.len() * c.vocab;
    if seen.logits.len() != want {
        let want = format!("{want} ({} tokens of {} logits)", seen.generated.len(), c.vocab);
        return Err(ObservedError::Size { what: "logits", found: seen.logits.len(), want });
    }
    // The last token is chosen, never fed.
    let fed = seen.generated.len().saturating_sub(1);
    let tokens: Vec<u32> = seen.prompt.iter().chain(&seen.generated[..fed]).copied().collect();
    let row = c.layers * c.d_model;
    let rows = seen.residuals.len() / row;
    let fits = seen.first_residual.checked_add(rows).is_some_and(|end| end <= tokens.len());
    if !seen.residuals.len().is_multiple_of(row) || (rows > 0 && !fits) {
        let room = tokens.len().saturating_sub(seen.first_residual);
        let want = format!("a multiple of {row} up to {room} positions");
        return Err(ObservedError::Size { what: "residuals", found: seen.residuals.len(), want });
    }
    if let Some(&token) = seen.generated.last().filter(|&&t| t as usize >= c.vocab) {
        return Err(ReferenceError::Token { token, position: tokens.len(), vocab: c.vocab }.into());
    }
    let mut judge = Judge::new(seen, c.layers, c.d_model, c.vocab);
    let mut reference = Reference::new(weights);
    // In parts, so that the reference's results for a long sequence need not all be in memory.
    for (part, chunk) in tokens.chunks(PART).enumerate() {
        let first = part * PART;
        let here = |r: Range<usize>| r.start.saturating_sub(first)..r.end.saturating_sub(first).min(chunk.len());
        let wanted = Wanted {
            logits: here(last..last + seen.generated.len()),
            residuals: here(seen.first_residual..seen.first_residual.saturating_add(rows)),
        };
        judge.take(&reference.feed(chunk, wanted)?);
    }
    let Judge { tokens, layers, vectors, .. } = judge;
    let stop = stop_error(seen);
    Ok(Report {
        passed: stop.is_none() && tokens.iter().all(TokenReport::passed),
        logit_diff: tokens.iter().fold(0.0, |m, t| m.max(t.logit_diff)),
        logits_compared: tokens.len() * c.vocab,
        residuals_compared: vectors * c.d_model,
        tokens,
        layers,
        stop,
    })
}

/// The absolute difference; infinite if either is NaN.
fn difference(a: f32, b: f32) -> f32 {
    // Equal infinities would give NaN, and are no agreement either.
    let d = (a - b).abs();
    if d.is_nan() { f32::INFINITY } else { d }
}

fn compare_token(sampling: &Sampling, step: usize, reference: &[f32], kernel: &[f32], token: u32) -> TokenReport {
    let (mut logit_diff, mut logit_diff_at) = (0.0, 0);
    for (i, (&r, &k)) in (0u32..).zip(reference.iter().zip(kernel)) {
        let d = difference(r, k);
        if d > logit_diff {
            (logit_diff, logit_diff_at) = (d, i);
        }
    }
    let (top, second) = reference.iter().fold((f32::NEG_INFINITY, f32::NEG_INFINITY), |(top, second), &l| {
        if l > top { (l, top) } else { (top, second.max(l)) }
    });
    let draw = step as u32;
    let reference_token = sampling.choose(reference, draw).unwrap_or_default();
    let own =
        if sampling.is_greedy() { argmax(kernel) == Some(token) } else { may_draw(sampling, kernel, draw, token, 0.0) };
    let excused = if sampling.is_greedy() {
        top - reference[token as usize] < LOGIT_BOUND
    } else {
        may_draw(sampling, reference, draw, token, logit_diff)
    };
    let choice = match (own, token == reference_token, excused) {
        (false, _, _) => Choice::NotItsOwn,
        (true, true, _) => Choice::Same,
        (true, false, true) => Choice::WithinError,
        (true, false, false) => Choice::Wrong,
    };
    TokenReport {
        step,
        kernel: token,
        reference: reference_token,
        gap: top - second,
        logit_diff,
        logit_diff_at,
        choice,
    }
}

/// Compares the reference's results with the kernel's as they come.
struct Judge<'a> {
    seen: Observed<'a>,
    layer_count: usize,
    d: usize,
    vocab: usize,
    tokens: Vec<TokenReport>,
    layers: Vec<LayerReport>,
    /// Residual vectors compared.
    vectors: usize,
}

impl<'a> Judge<'a> {
    fn new(seen: &Observed<'a>, layer_count: usize, d: usize, vocab: usize) -> Self {
        let layer = |layer| LayerReport {
            layer,
            residual_diff: 0.0,
            position: seen.first_residual,
            element: 0,
            magnitude: 0.0,
        };
        let layers = if seen.residuals.is_empty() { Vec::new() } else { (0..layer_count).map(layer).collect() };
        Self { seen: *seen, layer_count, d, vocab, tokens: Vec::new(), layers, vectors: 0 }
    }

    fn take(&mut self, pass: &Pass) {
        for reference in pass.logits.chunks_exact(self.vocab) {
            let step = self.tokens.len();
            let kernel = &self.seen.logits[step * self.vocab..(step + 1) * self.vocab];
            self.tokens.push(compare_token(&self.seen.sampling, step, reference, kernel, self.seen.generated[step]));
        }
        for reference in pass.residuals.chunks_exact(self.d) {
            let at = self.vectors;
            self.vectors += 1;
            let kernel = &self.seen.residuals[at * self.d..(at + 1) * self.d];
            let report = &mut self.layers[at % self.layer_count];
            for (element, (&r, &k)) in reference.iter().zip(kernel).enumerate() {
                report.magnitude = report.magnitude.max(r.abs());
                let diff = difference(r, k);
                if diff > report.residual_diff {
                    report.residual_diff = diff;
                    report.position = self.seen.first_residual + at / self.layer_count;
                    report.element = element;
                }
            }
        }
    }
}

fn stop_error(seen: &Observed) -> Option<StopError> {
    let n = seen.generated.len();
    let end = seen.eos.and_then(|eos| seen.generated.iter().position(|&t| t == eos));
    match end {
        _ if n > seen.limit => Some(StopError::TooMany(n)),
        Some(step) if step + 1 < n => Some(StopError::AfterEos(step)),
        None if n < seen.limit => Some(StopError::TooEarly(n)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavesmith_model::synthetic::SMALL;

    /// A decode by the reference itself, which must verify, and then with one thing changed.
    struct Decode {
        weights: Weights,
        prompt: Vec<u32>,
        generated: Vec<u32>,
        logits: Vec<f32>,
        residuals: Vec<f32>,
        sampling: Sampling,
    }

    fn decode(sampling: Sampling, n: usize) -> Decode {
        let weights = Weights::synthetic(&SMALL, 5).unwrap();
        let prompt = vec![10, 20, 30];
        let mut reference = Reference::new(&weights);
        let mut pass = reference.feed(&prompt, Wanted { logits: 2..3, residuals: 0..3 }).unwrap();
        let (mut generated, mut logits, mut residuals) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..n {
            let token = sampling.choose(&pass.logits, step as u32).unwrap();
            logits.extend(&pass.logits);
            residuals.extend(&pass.residuals);
            generated.push(token);
            pass = reference.feed(&[token], Wanted { logits: 0..1, residuals: 0..1 }).unwrap();
        }
        Decode { weights, prompt, generated, logits, residuals, sampling }
    }

    impl Decode {
        fn observed(&self) -> Observed<'_> {
            Observed {
                prompt: &self.prompt,
                generated: &self.generated,
                sampling: self.sampling,
                limit: self.generated.len(),
                eos: None,
                logits: &self.logits,
                residuals: &self.residuals,
                first_residual: 0,
            }
        }

        fn report(&self) -> Report {
            verify_decode(&self.weights, &self.observed()).unwrap()
        }
    }

    #[test]
    fn a_correct_decode_passes_and_everything_was_compared() {
        for sampling in [Sampling::GREEDY, Sampling::new(0.8, 40, 0.9, 7).unwrap()] {
            let d = decode(sampling, 6);
            let r = d.report();
            assert!(r.passed && r.failures().is_empty(), "{r}");
            assert_eq!((r.logit_diff, r.logits_compared, r.residuals_compared), (0.0, 6 * 512, 8 * 4 * 192));
            assert!(r.tokens.iter().all(|t| t.choice == Choice::Same));
            assert!(r.layers.iter().all(|l| l.residual_diff == 0.0 && l.magnitude > 0.0));
        }
    }

    #[test]
    fn a_logit_off_by_more_than_the_bound_fails_even_if_the_token_is_right() {
        let mut d = decode(Sampling::GREEDY, 4);
        // The smallest logit, so that the choice is not touched.
        let row = &d.logits[512..1024];
        let low = (0..512).min_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap();
        d.logits[512 + low] += 0.09;
        assert!(d.report().passed);
        d.logits[512 + low] += 0.02;
        let r = d.report();
        assert!(!r.passed);
        assert_eq!(r.failures().len(), 1);
        assert!(r.failures()[0].starts_with(&format!("step 1: the logit of token {low} differs by 0.1")));
        d.logits[512 + low] = f32::NAN;
        let r = d.report();
        assert!(!r.passed && r.tokens[1].logit_diff.is_infinite());
    }

    #[test]
    fn a_wrong_greedy_token_fails_and_one_within_the_gap_does_not() {
        let mut d = decode(Sampling::GREEDY, 1);
        let own = d.generated[0] as usize;
        let mut order: Vec<usize> = (0..512).collect();
        order.sort_by(|&a, &b| d.logits[b].total_cmp(&d.logits[a]));
        assert_eq!(order[0], own);
        d.generated[0] = order[1] as u32;
        assert_eq!(d.report().tokens[0].choice, Choice::NotItsOwn);
        // The kernel's logits say so too, but the reference's gap is wide.
        d.logits[order[1]] = d.logits[own] + 0.01;
        let r = d.report();
        assert!(r.tokens[0].gap > LOGIT_BOUND && r.tokens[0].choice == Choice::Wrong && !r.passed);
        // A reference whose two best are all but equal excuses it.
        let mut reference = vec![0.0f32; 8];
        reference[3] = 5.0;
        reference[6] = 4.95;
        let mut kernel = reference.clone();
        kernel[6] = 5.01;
        let t = compare_token(&Sampling::GREEDY, 0, &reference, &kernel, 6);
        assert!(t.choice == Choice::WithinError && t.passed() && t.reference == 3);
    }

    #[test]
    fn a_drawn_token_must_be_the_references_but_at_a_boundary() {
        let s = Sampling::new(1.0, 8, 1.0, 21).unwrap();
        let reference = [2.0f32, 1.0, 0.5, -1.0];
        let mut kernel = reference;
        kernel[0] += 0.05;
        let (mut same, mut excused) = (0, 0);
        for step in 0..3000 {
            let token = s.choose(&kernel, step).unwrap();
            let t = compare_token(&s, step as usize, &reference, &kernel, token);
            assert!(t.passed(), "{t:?}");
            match t.choice {
                Choice::Same => same += 1,
                _ => excused += 1,
            }
            let other = (token + 2) % 4;
            let t = compare_token(&s, step as usize, &reference, &kernel, other);
            assert!(!t.passed(), "{t:?}");
        }
        assert!(same > 2900 && excused > 5, "{same} {excused}");
    }

    #[test]
    fn a_residual_difference_is_located() {
        let mut d = decode(Sampling::GREEDY, 3);
        let row = 4 * 192;
        d.residuals.drain(..row);
        d.residuals[2 * row + 192 + 17] += 0.5;
        let seen = Observed { first_residual: 1, ..d.observed() };
        let r = verify_decode(&d.weights, &seen).unwrap();
        let l = &r.layers[1];
        assert!((l.residual_diff - 0.5).abs() < 1e-3);
        assert_eq!((l.position, l.element), (3, 17));
        assert!(r.layers.iter().all(|l| l.layer == 1 || l.residual_diff == 0.0));
    }

    #[test]
    fn a_sequence_must_end_where_it_should() {
        let d = decode(Sampling::GREEDY, 3);
        let stop = |limit, eos| verify_decode(&d.weights, &Observed { limit, eos, ..d.observed() }).unwrap().stop;
        let g = &d.generated;
        assert!(!g[..2].contains(&g[2]), "the last token must be new for this test: {g:?}");
        assert_eq!(stop(3, None), None);
        assert_eq!(stop(9, Some(g[2])), None);
        assert_eq!(stop(3, Some(g[2])), None);
        assert_eq!(stop(9, None), Some(StopError::TooEarly(3)));
        assert_eq!(stop(9, Some(g[0])), Some(StopError::AfterEos(0)));
        assert_eq!(stop(2, None), Some(StopError::TooMany(3)));
        assert!(!verify_decode(&d.weights, &Observed { limit: 9, ..d.observed() }).unwrap().passed);
    }

    #[test]
    fn a_sequence_longer_than_a_part_is_compared_whole() {
        let weights = Weights::synthetic(&SMALL, 5).unwrap();
        let prompt: Vec<u32> = (0..PART as u32 + 10).map(|i| i * 31 % 512).collect();
        let generated: Vec<u32> = (0..PART as u32).map(|i| i * 17 % 512).collect();
        let tokens = [&prompt[..], &generated[..PART - 1]].concat();
        let n = tokens.len();
        let wanted = Wanted { logits: prompt.len() - 1..n, residuals: 250..n };
        let mut pass = Reference::new(&weights).feed(&tokens, wanted).unwrap();
        // The tokens are not the greedy ones, which every step must notice.
        pass.residuals[(n - 1 - 250) * 4 * 192] += 1.0;
        let seen = Observed {
            prompt: &prompt,
            generated: &generated,
            sampling: Sampling::GREEDY,
            limit: PART,
            eos: None,
            logits: &pass.logits,
            residuals: &pass.residuals,
            first_residual: 250,
        };
        let r = verify_decode(&weights, &seen).unwrap();
        assert_eq!((r.logits_compared, r.residuals_compared), (PART * 512, (n - 250) * 4 * 192));
        assert_eq!(r.logit_diff, 0.0);
        assert!(r.tokens.iter().filter(|t| t.choice == Choice::NotItsOwn).count() > 200);
        assert_eq!((r.layers[0].position, r.layers[0].element), (n - 1, 0));
        assert_eq!(r.layers[1].residual_diff, 0.0);
    }

    #[test]
    fn buffers_of_the_wrong_size_are_refused() {
        let d = decode(Sampling::GREEDY, 2);
        let say = |o: &Observed| verify_decode(&d.weights, o).unwrap_err().to_string();
        assert!(say(&Observed { logits: &d.logits[1..], ..d.observed() }).contains("1023 values were read back, 1024"));
        assert!(say(&Observed { residuals: &d.residuals[1..], ..d.observed() }).contains("a multiple of 768"));
        assert!(say(&Observed { first_residual: 3, ..d.observed() }).contains("up to 1 positions"));
        assert!(say(&Observed { prompt: &[], ..d.observed() }).contains("empty"));
        let ghost = [d.generated[0], 600];
        assert!(say(&Observed { generated: &ghost, ..d.observed() }).contains("token 600 at position 4"));
    }
}

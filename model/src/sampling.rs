//! What "the next token" means, exactly, so that kernel, reference and verifier can agree on it bit for bit.
//!
//! Greedy: the largest logit, the lowest index on ties.
//!
//! Sampled, all in f32 and in this order:
//! 1. `z_i = l_i * (1/T)`, the reciprocal taken once on the host.
//! 2. The candidates are the `top_k` largest `z`, by (`z` descending, index ascending).
//! 3. `w_i = exp2((z_i - z_0) * log2(e))`, `z_0` being the largest.
//! 4. `c_i = c_{i-1} + w_i`, one after the other.
//! 5. Kept are the candidates up to and including the first with `c_i >= top_p * c_last`.
//! 6. `u` is [`uniform`] of (seed, step); the first kept candidate with `c_i > u * c_kept` is
//!    drawn, `c_kept` being the sum at the last kept one.
//!
//! `top_k` is at most 64 so that a single wave can hold the candidates, one a lane. Comparisons come in one direction
//! only and nothing is normalised: no division, hence no rounding that two implementations could do differently. What
//! may differ is the last bit of `exp2`, and the logits themselves; [`may_draw`] says what such an error can excuse.

use crate::philox::uniform;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Most candidates a draw considers: the lanes of a wave.
pub const MAX_TOP_K: u32 = 64;

/// How tokens are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    temperature: f32,
    top_k: u32,
    top_p: f32,
    seed: u64,
}

/// A sampling option out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SamplingError {
    /// Negative, infinite or NaN, or so small that its reciprocal is infinite.
    #[error("temperature {0} cannot be used: it must be 0 (greedy) or between 1e-3 and 1e3")]
    Temperature(f32),
    /// Outside 1..=64.
    #[error("top-k {0} cannot be used: it must be between 1 and 64")]
    TopK(u32),
    /// Outside (0, 1].
    #[error("top-p {0} cannot be used: it must be above 0 and at most 1")]
    TopP(f32),
}

impl Default for Sampling {
    fn default() -> Self {
        Self::GREEDY
    }
}

impl Sampling {
    /// Always the largest logit.
    pub const GREEDY: Sampling = Sampling { temperature: 0.0, top_k: 40, top_p: 1.0, seed: 0 };

    /// Draws at `temperature` (0 means greedy) from the `top_k` best tokens, cut to the `top_p` share of their mass.
    ///
    /// # Errors
    /// [`SamplingError`] says which option is out of range and what the range is.
    pub fn new(temperature: f32, top_k: u32, top_p: f32, seed: u64) -> Result<Self, SamplingError> {
        if temperature != 0.0 && !(1e-3..=1e3).contains(&temperature) {
            return Err(SamplingError::Temperature(temperature));
        }
        if !(1..=MAX_TOP_K).contains(&top_k) {
            return Err(SamplingError::TopK(top_k));
        }
        if !(top_p > 0.0 && top_p <= 1.0) {
            return Err(SamplingError::TopP(top_p));
        }
        Ok(Self { temperature, top_k, top_p, seed })
    }

    /// Whether the largest logit is taken.
    pub fn is_greedy(&self) -> bool {
        self.temperature == 0.0
    }

    /// The factor on logits, as the kernel gets it; 1 when greedy.
    pub fn inv_temperature(&self) -> f32 {
        if self.is_greedy() { 1.0 } else { 1.0 / self.temperature }
    }

    /// Temperature, 0 when greedy.
    pub fn temperature(&self) -> f32 {
        self.temperature
    }

    /// Most candidates.
    pub fn top_k(&self) -> u32 {
        self.top_k
    }

    /// Share of the candidates' mass that is kept.
    pub fn top_p(&self) -> f32 {
        self.top_p
    }

    /// Key of the generator.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The token chosen at `step` (0 for the first generated token) from `logits`, by the module's definition.
    /// `None` when there are no logits.
    pub fn choose(&self, logits: &[f32], step: u32) -> Option<u32> {
        if self.is_greedy() {
            argmax(logits)
        } else {
            draw(&self.candidates(logits), self.top_p, uniform(self.seed, step))
        }
    }

    /// Steps 1 to 4: the candidates in order with their weights and running sums.
    pub fn candidates(&self, logits: &[f32]) -> Vec<Candidate> {
        let inv = self.inv_temperature();
        let mut order: Vec<(f32, u32)> = logits.iter().zip(0u32..).map(|(&l, i)| (l * inv, i)).collect();
        let k = (self.top_k as usize).min(order.len());
        let by_rank = |a: &(f32, u32), b: &(f32, u32)| rank(a.0, b.0).then(a.1.cmp(&b.1));
        if k < order.len() {
            order.select_nth_unstable_by(k, by_rank);
            order.truncate(k);
        }
        order.sort_unstable_by(by_rank);
        let best = order.first().map_or(0.0, |c| c.0);
        let mut sum = 0.0f32;
        order
            .into_iter()
            .map(|(z, token)| {
                let weight = ((z - best) * std::f32::consts::LOG2_E).exp2();
                sum += weight;
                Candidate { token, z, weight, sum }
            })
            .collect()
    }
}

/// One of the `top_k` tokens of a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Its id.
    pub token: u32,
    /// Its logit over the temperature.
    pub z: f32,
    /// Its unnormalised probability; the best candidate has 1.
    pub weight: f32,
    /// Weights up to and including this one.
    pub sum: f32,
}

/// Larger first; a NaN, which no correct kernel produces, ranks last.
fn rank(a: f32, b: f32) -> Ordering {
    b.partial_cmp(&a).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The index of the largest logit, the lowest on ties. `None` when there are no logits.
pub fn argmax(logits: &[f32]) -> Option<u32> {
    let best = |a: (u32, f32), b: (u32, f32)| if rank(a.1, b.1).is_gt() { b } else { a };
    (0u32..).zip(logits.iter().copied()).reduce(best).map(|b| b.0)
}

/// Steps 5 and 6.
fn draw(candidates: &[Candidate], top_p: f32, u: f32) -> Option<u32> {
    let total = candidates.last()?.sum;
    let last = candidates.iter().position(|c| c.sum >= top_p * total).unwrap_or(candidates.len() - 1);
    let kept = &candidates[..=last];
    // u < 1 and c_kept > 0 keep u * c_kept below c_kept even after rounding, so the search always succeeds on finite
    // logits; the fallback serves NaN.
    let limit = u * kept[last].sum;
    Some(kept.iter().find(|c| c.sum > limit).unwrap_or(&kept[last]).token)
}

/// Relative error in a weight that implementations of `exp2` may add: a few ulps of f32, and the running sums' own.
const EXP_ERROR: f64 = 1e-5;

/// Whether `token` could be the choice at `step` if each logit were off by at most `error`.
///
/// For greedy choices that is: its logit lies within twice the error of the largest. For draws it encloses the share
/// of kept mass that sorts before the token: tokens more than twice the error above it surely do, those more than
/// twice the error below surely do not, each weight may grow or shrink by `exp(error / T)`, and membership in top-k
/// and top-p is taken both ways wherever the error leaves it open. The enclosure never refuses a draw that some such
/// logits produce; it may accept one that none do, by no more than the error's own order.
pub fn may_draw(sampling: &Sampling, logits: &[f32], step: u32, token: u32, error: f32) -> bool {
    let Some(&own) = logits.get(token as usize) else { return false };
    let error = f64::from(error.max(0.0));
    if sampling.is_greedy() {
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        return f64::from(own) >= f64::from(top) - 2.0 * error;
    }
    Enclosure::new(sampling, logits, error).allows(token, f64::from(uniform(sampling.seed, step)))
}

/// What the candidates of a draw may be under an error; see [`may_draw`].
struct Enclosure {
    /// Tokens that may be among the top k, by `z` descending: (token, z, weight).
    possible: Vec<(u32, f64, f64)>,
    /// Running sums of the weights of `possible`, starting at 0.
    sums: Vec<f64>,
    /// Tokens surely among the top k: this many from the front.
    sure: usize,
    /// Twice the error in `z`: how far apart two tokens must be to keep their order.
    apart: f64,
    /// Largest factor on a weight, and the inverse of the smallest.
    swell: f64,
    top_p: f64,
}

impl Enclosure {
    fn new(sampling: &Sampling, logits: &[f32], error: f64) -> Self {
        let inv = f64::from(sampling.inv_temperature());
        let z: Vec<f64> = logits.iter().map(|&l| f64::from(l * sampling.inv_temperature())).collect();
        let mut order: Vec<(u32, f64)> = (0u32..).zip(z.iter().copied()).filter(|c| !c.1.is_nan()).collect();
        order.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let delta = error * inv;
        // Rounding l * (1/T) moves each z by half an ulp at most.
        let scale = order.iter().fold(0.0f64, |m, c| m.max(c.1.abs()));
        let apart = 2.0 * delta + scale * f64::from(f32::EPSILON);
        let k = sampling.top_k as usize;
        // A token may be in the top k unless k others surely beat it, and surely is unless k others may beat it.
        let floor = order.get(k - 1).map_or(f64::NEG_INFINITY, |c| c.1 - apart);
        let ceiling = order.get(k).map_or(f64::NEG_INFINITY, |c| c.1 + apart);
        let sure = order.iter().take(k).take_while(|c| c.1 > ceiling || order.len() <= k).count();
        let best = order.first().map_or(0.0, |c| c.1);
        let possible: Vec<_> =
            order.into_iter().take_while(|c| c.1 >= floor).map(|(t, z)| (t, z, (z - best).exp())).collect();
        let sums = std::iter::once(0.0)
            .chain(possible.iter().scan(0.0, |s, c| {
                *s += c.2;
                Some(*s)
            }))
            .collect();
        let swell = delta.exp() * (1.0 + EXP_ERROR);
        Self { possible, sums, sure, apart, swell, top_p: f64::from(sampling.top_p) }
    }

    /// How many of `possible` surely sort before `z`.
    fn surely_before(&self, z: f64) -> usize {
        self.possible.partition_point(|c| c.1 > z + self.apart)
    }

    /// How many of `possible` may sort before or at `z`.
    fn maybe_before(&self, z: f64) -> usize {
        self.possible.partition_point(|c| c.1 >= z - self.apart)
    }

    /// `part / (part + rest)` where `part` is scaled by `f` and `rest` by `1/f`.
    fn share(part: f64, rest: f64, f: f64) -> f64 {
        let (part, rest) = (part * f, rest.max(0.0) / f);
        if part + rest == 0.0 { 0.0 } else { part / (part + rest) }
    }

    /// Whether top-p may keep a token at `z`: the least share before it is under `top_p`.
    fn may_keep(&self, z: f64) -> bool {
        let before = self.sums[self.surely_before(z)];
        let all = self.sums[self.possible.len()];
        Self::share(before, all - before, 1.0 / self.swell) < self.top_p
    }

    /// Whether top-p surely keeps a token at `z`: the largest share before it is under `top_p`.
    fn must_keep(&self, z: f64, weight: f64) -> bool {
        let before = self.sums[self.maybe_before(z)] - weight;
        let rest = self.sums[self.sure.max(self.maybe_before(z))] - before;
        Self::share(before, rest, self.swell) < self.top_p
    }

    fn allows(&self, token: u32, u: f64) -> bool {
        let Some(&(_, z, weight)) = self.possible.iter().find(|c| c.0 == token) else { return false };
        if !self.may_keep(z) {
            return false;
        }
        // Both predicates fall with z, so the kept sets are prefixes of `possible`.
        let most = self.possible.partition_point(|c| self.may_keep(c.1));
        let least = self.possible[..self.sure].partition_point(|c| self.must_keep(c.1, c.2));
        let surely = self.surely_before(z);
        let maybe = self.maybe_before(z).min(most.max(surely));
        let before = self.sums[surely];
        let low = Self::share(before, self.sums[most.max(surely)] - before, 1.0 / self.swell);
        let through = self.sums[maybe.max(surely)].max(before + weight);
        let high = Self::share(through, self.sums[least] - through, self.swell);
        low <= u && u <= high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sampled(temperature: f32, top_k: u32, top_p: f32, seed: u64) -> Sampling {
        Sampling::new(temperature, top_k, top_p, seed).unwrap()
    }

    #[test]
    fn greedy_takes_the_lowest_index_of_equal_logits() {
        assert_eq!(argmax(&[1.0, 3.0, 3.0, 2.0]), Some(1));
        assert_eq!(argmax(&[f32::NAN, -5.0, f32::NAN]), Some(1));
        assert_eq!(argmax(&[-0.0, 0.0]), Some(0));
        assert_eq!(argmax(&[]), None);
    }

    #[test]
    fn options_out_of_range_are_refused_and_the_range_is_named() {
        assert!(Sampling::new(-1.0, 40, 1.0, 0).unwrap_err().to_string().contains("0 (greedy)"));
        assert!(Sampling::new(f32::NAN, 40, 1.0, 0).is_err());
        assert!(Sampling::new(1.0, 0, 1.0, 0).unwrap_err().to_string().contains("between 1 and 64"));
        assert!(Sampling::new(1.0, 65, 1.0, 0).is_err());
        assert!(Sampling::new(1.0, 64, 1.0, 0).is_ok());
        assert!(Sampling::new(1.0, 40, 0.0, 0).unwrap_err().to_string().contains("at most 1"));
        assert!(Sampling::new(1.0, 40, 1.01, 0).is_err());
        assert!(Sampling::new(0.0, 40, 1.0, 7).unwrap().is_greedy());
    }

    #[test]
    fn draws_follow_the_softmax() {
        let logits = [2.0f32, 1.0, 0.0, -1.0];
        let mass: Vec<f64> = logits.iter().map(|&l| f64::from(l).exp()).collect();
        let total: f64 = mass.iter().sum();
        let mut seen = [0u32; 4];
        let s = sampled(1.0, 64, 1.0, 42);
        for step in 0..20_000 {
            seen[s.choose(&logits, step).unwrap() as usize] += 1;
        }
        for (n, m) in seen.iter().zip(&mass) {
            // Four standard deviations of a binomial are below 0.0142 here.
            assert!((f64::from(*n) / 20_000.0 - m / total).abs() < 0.0142, "{seen:?}");
        }
    }

    #[test]
    fn top_p_keeps_the_smallest_prefix_that_reaches_it() {
        // Shares 0.5, 0.25, 0.125, 0.125 exactly, since the weights are powers of two.
        let ln2 = std::f32::consts::LN_2;
        let logits = [0.0, -ln2, -2.0 * ln2, -2.0 * ln2];
        let drawn = |p: f32| {
            let s = sampled(1.0, 64, p, 9);
            let mut seen: Vec<u32> = (0..2000).filter_map(|step| s.choose(&logits, step)).collect();
            seen.sort_unstable();
            seen.dedup();
            seen
        };
        assert_eq!(drawn(0.4), [0]);
        assert_eq!(drawn(0.7), [0, 1]);
        assert_eq!(drawn(0.8), [0, 1, 2]);
        assert_eq!(drawn(1.0), [0, 1, 2, 3]);
    }

    #[test]
    fn another_token_is_excused_only_when_the_draw_is_near_a_boundary() {
        // Two candidates, one boundary; the third token is beaten by both beyond any error.
        let logits = [0.5f32, 0.0, -30.0];
        let s = sampled(1.0, 2, 1.0, 3);
        let edge = 0.5f64.exp() / (1.0 + 0.5f64.exp());
        let (mut near, mut far) = (0, 0);
        for step in 0..2000 {
            let other = 1 - s.choose(&logits, step).unwrap();
            let distance = (f64::from(uniform(3, step)) - edge).abs();
            // The boundary moves by error * 2 * edge * (1 - edge), about 0.0047, when both weights are off by 0.01.
            if distance > 0.005 {
                far += 1;
                assert!(!may_draw(&s, &logits, step, other, 0.01), "step {step}");
            } else if distance < 0.0045 {
                near += 1;
                assert!(may_draw(&s, &logits, step, other, 0.01), "step {step}");
            }
            assert!(!may_draw(&s, &logits, step, 2, 0.01));
            assert!(!may_draw(&s, &logits, step, 3, 0.01));
        }
        assert!(near > 5 && far > 1900, "{near} {far}");
    }

    #[test]
    fn a_greedy_choice_is_excused_only_within_the_error() {
        let logits = [1.0f32, 0.95, 0.5];
        assert!(may_draw(&Sampling::GREEDY, &logits, 0, 1, 0.03));
        assert!(!may_draw(&Sampling::GREEDY, &logits, 0, 1, 0.02));
        assert!(!may_draw(&Sampling::GREEDY, &logits, 0, 2, 0.03));
    }

    fn logits() -> impl Strategy<Value = Vec<f32>> {
        prop::collection::vec(prop_oneof![-8.0f32..8.0, (-4i8..4).prop_map(|v| f32::from(v) * 0.5)], 1..200)
    }

    fn options() -> impl Strategy<Value = Sampling> {
        (0.1f32..4.0, 1u32..=64, 0.05f32..=1.0, any::<u64>()).prop_map(|(t, k, p, s)| sampled(t, k, p, s))
    }

    proptest! {
        #[test]
        fn candidates_are_the_best_in_order_and_sums_grow(logits in logits(), s in options()) {
            let c = s.candidates(&logits);
            prop_assert_eq!(c.len(), logits.len().min(s.top_k() as usize));
            for pair in c.windows(2) {
                prop_assert!(pair[0].z > pair[1].z || (pair[0].z == pair[1].z && pair[0].token < pair[1].token));
                prop_assert!(pair[0].sum <= pair[1].sum);
            }
            let worst = c[c.len() - 1];
            for (&l, token) in logits.iter().zip(0u32..) {
                let z = l * s.inv_temperature();
                let inside = c.iter().any(|c| c.token == token);
                prop_assert!(inside || z < worst.z || (z == worst.z && token > worst.token));
            }
        }

        #[test]
        fn one_candidate_is_the_greedy_choice(logits in logits(), seed: u64, step: u32) {
            prop_assert_eq!(sampled(0.7, 1, 1.0, seed).choose(&logits, step), argmax(&logits));
        }

        #[test]
        fn the_draw_itself_is_always_allowed(logits in logits(), s in options(), step: u32) {
            let token = s.choose(&logits, step).unwrap();
            prop_assert!(may_draw(&s, &logits, step, token, 0.0));
        }

        #[test]
        fn whatever_logits_within_the_error_draw_is_allowed(
            (logits, noise) in logits().prop_flat_map(|l| {
                let n = l.len();
                (Just(l), prop::collection::vec(-1.0f32..=1.0, n))
            }),
            error in 0.0f32..0.5,
            s in options(),
            step: u32,
        ) {
            let moved: Vec<f32> = logits.iter().zip(&noise).map(|(l, n)| l + n * error).collect();
            let token = s.choose(&moved, step).unwrap();
            // The sum l + n * error is itself rounded.
            prop_assert!(may_draw(&s, &logits, step, token, error + 1e-6));
        }

        #[test]
        fn with_no_error_at_most_the_neighbours_of_a_boundary_are_allowed(s in options(), step: u32) {
            // Distinct, well separated logits: at zero error the enclosure must pin the draw down, unless u lies within
            // rounding of a boundary or top-p's cut does, either of which is rare but possible.
            let logits: Vec<f32> = (0..100).map(|i| 5.0 - i as f32 * 0.07).collect();
            let allowed = (0..100).filter(|&t| may_draw(&s, &logits, step, t, 0.0)).count();
            prop_assert!((1..=2).contains(&allowed), "{}", allowed);
        }
    }
}

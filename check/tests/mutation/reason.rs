//! Why what the static half says of a mutant is advice: one wording for all tests and programs that count mutants.

use wavesmith_check::{Finding, Kind};

/// The finding's kind with the reason, which its rule or its message tells.
pub fn why_advice(f: &Finding) -> String {
    let why = match f.rule {
        Some(rule) => rule,
        None if f.message.contains("issue slots in between") => "only time covers it, as in shipping code",
        None if f.message.contains("decisions") => "the data may exclude the way",
        None if f.message.contains("takes longer than LDS") => "the load that overwrites it comes later",
        None if f.kind == Kind::BarrierBeforeWait => "the barrier may guard something else",
        None if f.kind == Kind::FenceBeforeWait => "what other waves see, which the dynamic half decides",
        None => "by its kind",
    };
    format!("{}: {why}", f.kind)
}

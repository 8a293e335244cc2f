//! How much a finding weighs: one scale for the static checker and the watching engine, so that their reports can be read
//! as one.

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing: authorities disagree, the outcome depends on data that is not known, or it works as long as time is
    /// kind.
    Advice,
    /// Wrong.
    Error,
}

impl Severity {
    /// The name that reports print.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Advice => "advice",
            Severity::Error => "error",
        }
    }
}

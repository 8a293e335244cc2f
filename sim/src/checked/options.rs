//! What the watching engine is told.

use super::finding::Sink;

/// Options of [`EngineKind::Checked`](crate::EngineKind::Checked).
#[derive(Clone, Debug)]
pub struct Options {
    /// Decides everything that is left to chance: the same seed gives the same run.
    pub seed: u64,
    /// Whether to be as unkind as the hardware may be: waves delayed at random, loads returned late, stores seen late and
    /// out of order, stale lines kept in caches. Without it waves take turns and memory is what it seems.
    pub unkind: bool,
    /// Whether the dispatch ends at the first error. Without it, it goes on as long as it can.
    pub until_error: bool,
    /// Device memory (address, bytes) whose contents mean nothing before the kernel writes them.
    pub unwritten: Vec<(u64, u64)>,
    /// Bytes of kernel arguments that launches give, where the host says so. What lies behind them in memory may be read
    /// along, as compilers do, and means nothing.
    pub arguments: Option<u64>,
    /// Where findings go.
    pub sink: Sink,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            unkind: true,
            until_error: false,
            unwritten: Vec::new(),
            arguments: None,
            sink: Sink::default(),
        }
    }
}

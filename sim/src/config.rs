//! How a dispatch is to be executed; set per queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Which engine executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EngineKind {
    /// Compiled where the host allows, interpreted elsewhere.
    #[default]
    Jit,
    /// The interpreter: the reference.
    Interp,
    /// The interpreter with everything watched ([`crate::checked`]).
    Checked,
}

/// How matrix instructions round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Numerics {
    /// Bit for bit as the silicon, where that is known.
    #[default]
    Exact,
    /// Host fused multiply-adds.
    Fast,
}

/// A request to end a dispatch early, because its queue is being destroyed. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks.
    pub fn request(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it was asked for: engines look now and then and end with a fault.
    #[inline]
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How to execute.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Which engine.
    pub engine: EngineKind,
    /// How matrix instructions round.
    pub numerics: Numerics,
    /// The widest instruction set of the host that may be used; `None` is what it offers. Results are the same.
    pub level: Option<crate::engine::lanes::Level>,
    /// Host threads; 0 is one a core.
    pub threads: usize,
    /// Wave-instructions after which a dispatch ends with [`FaultKind::Fuel`](crate::FaultKind::Fuel).
    pub max_instructions: Option<u64>,
    /// Ends a running dispatch.
    pub stop: Stop,
    /// How long, on the host's clock, a dispatch that only another one could release is left alone before it ends with
    /// [`FaultKind::Stall`](crate::FaultKind::Stall). Zero where nobody will submit another one.
    pub patience: Duration,
    /// Compute units that workgroups may be placed on; `None` is all of the part.
    pub cus: Option<Arc<[u32]>>,
    /// Rank among dispatches that run at once: while one of a higher rank runs, the others give way.
    pub priority: u8,
    /// Times dispatches while they execute.
    pub timing: Option<Arc<crate::timing::Request>>,
    /// What the watching engine is told, and where its findings go.
    pub checked: crate::checked::Options,
}

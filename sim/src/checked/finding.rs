//! What the watching engine reports, and where reports go.

use parking_lot::Mutex;
use std::sync::Arc;
pub use wavesmith_asm::Severity;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)*) => {
        /// What is wrong. Where the static checker has the same kind, it has the same name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $variant,)*
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant),*];

            /// The stable name that machine-readable reports use.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Kind::$variant => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// A register is read while a memory operation still owes it its value.
    ReadBeforeWait = "read-before-wait";
    /// A register is written while an older memory operation is still to write it.
    WriteBeforeWait = "write-before-wait";
    /// A register is written while a memory operation that reads late may not have read it.
    StoreDataBeforeWait = "store-data-before-wait";
    /// LDS written and not waited for at a barrier.
    BarrierBeforeWait = "barrier-before-wait";
    /// Two instructions that the hardware does not interlock are too close.
    WaitStates = "wait-states";
    /// A value that nothing has written decides an address, a branch, EXEC or an output.
    Uninitialised = "uninitialised";
    /// An access beyond an allocation, LDS or scratch.
    Bounds = "out-of-bounds";
    /// An address that is no multiple of its element.
    Alignment = "alignment";
    /// Waves of a workgroup touch the same LDS bytes without a barrier between.
    LdsRace = "lds-race";
    /// Waves touch the same memory without synchronisation between.
    GlobalRace = "global-race";
    /// A load that is ordered after a store may still find an older value in a cache.
    StaleRead = "stale-read";
    /// Waves of a workgroup meet at different barriers, or some have ended.
    DivergentBarrier = "divergent-barrier";
    /// The dispatch ended in a fault.
    Fault = "fault";
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// An instruction that a finding mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Address relative to the load base, as `wavesmith dis` prints it; the device's address outside of the object.
    pub pc: u64,
    /// Function and offset; empty where no symbol covers it.
    pub symbol: String,
    /// The instruction in LLVM's syntax.
    pub text: String,
}

/// One finding: the first time that this happened at this instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong.
    pub kind: Kind,
    /// The wait-state rule, for [`Kind::WaitStates`].
    pub rule: Option<&'static str>,
    /// The kernel.
    pub kernel: String,
    /// Workgroup id.
    pub workgroup: [u32; 3],
    /// Wave in the workgroup.
    pub wave: u32,
    /// Lane, where one is to blame.
    pub lane: Option<u32>,
    /// The address in memory or, where the instruction accesses LDS, in LDS.
    pub address: Option<u64>,
    /// Where.
    pub at: Option<Place>,
    /// The other instruction, if two are involved.
    pub other: Option<Place>,
    /// What is missing: `s_nop 6`, `s_waitcnt vmcnt(2)`.
    pub need: Option<String>,
    /// The whole as a sentence.
    pub message: String,
}

/// Where findings are collected. Clones share it, so who configures a queue keeps one and reads it after the dispatch.
#[derive(Clone, Debug, Default)]
pub struct Sink(Arc<Mutex<Vec<Finding>>>);

impl Sink {
    /// Everything found so far, errors first, then by address.
    pub fn findings(&self) -> Vec<Finding> {
        let mut all = self.0.lock().clone();
        all.sort_by_key(|f| (std::cmp::Reverse(f.severity), f.at.as_ref().map(|p| p.pc), f.kind));
        all
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.0.lock().clear();
    }

    /// Whether an error was found.
    pub fn failed(&self) -> bool {
        self.0.lock().iter().any(|f| f.severity == Severity::Error)
    }

    /// Adds a finding, unless the same kind is known of the same instruction (and rule) with at least that weight.
    pub(crate) fn add(&self, f: Finding) {
        let mut all = self.0.lock();
        let pc = f.at.as_ref().map(|p| p.pc);
        let same = |g: &Finding| {
            g.kind == f.kind && g.rule == f.rule && g.kernel == f.kernel && g.at.as_ref().map(|p| p.pc) == pc
        };
        match all.iter_mut().find(|g| same(g)) {
            Some(known) if known.severity < f.severity => *known = f,
            Some(_) => {}
            None => all.push(f),
        }
    }
}

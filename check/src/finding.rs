//! What the checker reports: one finding, its kind and its weight.

use std::fmt;
pub use wavesmith_asm::Severity;
use wavesmith_asm::Target;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $help:literal;)*) => {
        /// What is wrong.
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

            /// One sentence on what the kind means.
            pub const fn help(self) -> &'static str {
                match self {
                    $(Kind::$variant => $help,)*
                }
            }
        }
    };
}

kinds! {
    /// Read before the counter says it has arrived.
    ReadBeforeWait = "read-before-wait", "A register is read while a memory operation still owes it its value.";
    /// Overwritten while a memory operation is still to write it.
    WriteBeforeWait = "write-before-wait", "A register is written while an older memory operation is still to write it.";
    /// Overwritten while a memory operation is still to read it.
    StoreDataBeforeWait = "store-data-before-wait", "A register is written while a memory operation that reads late may not have read it.";
    /// LDS written and not waited for at a barrier.
    BarrierBeforeWait = "barrier-before-wait", "Other waves may get past the barrier before this wave's LDS access in front of it has happened.";
    /// A write-back or a load that the memory model wants done first.
    FenceBeforeWait = "fence-before-wait", "A store or an invalidation may overtake what the memory model wants done before it.";
    /// Too few wait states.
    WaitStates = "wait-states", "Two instructions that the hardware does not interlock are too close.";
    /// A branch on VCCZ behind a write of half of VCC.
    StaleVccz = "stale-vccz", "A branch reads VCCZ, which writes of half of VCC do not update on these targets.";
    /// Read, never written.
    Uninitialised = "uninitialised", "A register is read that nothing has written on some path from the kernel's entry, or LDS that nothing in the kernel writes.";
    /// More registers than declared.
    Registers = "registers", "The code uses registers beyond what the descriptor allocates.";
    /// LDS beyond what is declared or beyond the part.
    Lds = "lds", "LDS is used beyond what the descriptor declares, or declared beyond what the part has.";
    /// Scratch beyond what is declared.
    Scratch = "scratch", "Scratch is used beyond what the descriptor declares.";
    /// EXEC matters and may be partial or zero.
    Exec = "exec", "The instruction ignores EXEC, or depends on it being non-zero, where EXEC may be partial or zero.";
    /// A register tuple that the encoding forbids.
    Alignment = "alignment", "A register tuple starts where the hardware does not allow it to start.";
    /// Control flow that leaves the code.
    ControlFlow = "control-flow", "Control leaves the code, or enters the middle of an instruction.";
    /// Bits that are no instruction.
    Encoding = "encoding", "Reached bits are no instruction of the target.";
    /// Prefetch padding.
    Padding = "padding", "The instruction prefetcher may read past what is mapped after the code.";
    /// Descriptor.
    Descriptor = "descriptor", "The kernel descriptor is inconsistent or beyond the part.";
    /// Metadata against descriptor or code.
    Metadata = "metadata", "Metadata, descriptor and code disagree.";
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An instruction that a finding mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Address relative to the load base.
    pub pc: u64,
    /// Function and offset, `name+0x10`; empty where no symbol covers it.
    pub symbol: String,
    /// The instruction in LLVM's syntax.
    pub text: String,
    /// Source line, where it is known.
    pub source: Option<Source>,
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// Another access that a missing wait leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Also {
    /// Where.
    pub at: Place,
    /// The operation that is outstanding there.
    pub other: Place,
    /// First instructions of the blocks from the one to the other.
    pub path: Vec<u64>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong.
    pub kind: Kind,
    /// The wait-state rule, for [`Kind::WaitStates`].
    pub rule: Option<&'static str>,
    /// The kernel on whose paths it was found; empty for the object as a whole.
    pub kernel: String,
    /// Where; `None` for what the descriptor or the metadata says.
    pub at: Option<Place>,
    /// The other instruction, if two are involved.
    pub other: Option<Place>,
    /// What else the same missing wait leaves open: one wait before `at` would cover these too.
    pub also: Vec<Also>,
    /// First instructions of the blocks from the other instruction to this one.
    pub path: Vec<u64>,
    /// What is missing: `s_nop 6 more`, `s_waitcnt vmcnt(2)`.
    pub need: Option<String>,
    /// The whole as a sentence.
    pub message: String,
}

/// Something that was not followed or judged, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The kernel.
    pub kernel: String,
    /// Address relative to the load base.
    pub pc: u64,
    /// What and why.
    pub message: String,
}

/// The outcome of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Findings: errors first, each group by address.
    pub findings: Vec<Finding>,
    /// What was not followed.
    pub notes: Vec<Note>,
    /// Kernels checked.
    pub kernels: usize,
    /// Instructions reached, each counted once.
    pub instructions: usize,
    /// Instructions gone through: each counted as often as a question was asked of it or of a way through it.
    pub work: usize,
    /// What the code is for.
    pub target: Option<Target>,
}

impl Finding {
    /// Accesses that it is about.
    pub fn sites(&self) -> usize {
        1 + self.also.len()
    }
}

impl Report {
    /// Whether an error is among the findings.
    pub fn failed(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    /// How many findings have this weight.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|f| f.severity == severity).count()
    }
}

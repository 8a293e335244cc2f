//! What is counted while the model runs: where waves waited, what each pipe did, and a timeline.

use wavesmith_asm::inst::Inst;

/// Why a wave did not issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// It did not wait, or another wave of the SIMD went first.
    Arbitration,
    /// `s_waitcnt vmcnt`.
    VectorMemory,
    /// `s_waitcnt lgkmcnt` for LDS.
    LdsData,
    /// `s_waitcnt lgkmcnt` for scalar memory.
    ScalarMemory,
    /// `s_barrier`.
    Barrier,
    /// The result of a matrix instruction.
    MatrixResult,
    /// The matrix pipe.
    MatrixBusy,
    /// The vector ALU.
    VectorBusy,
    /// A scalar that a vector instruction writes.
    ScalarResult,
    /// The queue before LDS.
    LdsQueue,
    /// The queue before vector memory, or as many outstanding as counters hold.
    MemoryQueue,
    /// Instructions that are not there yet.
    Fetch,
    /// `s_sleep` and `s_nop`.
    Asked,
    /// A branch.
    Branch,
    /// Cache maintenance.
    CacheControl,
}

impl Cause {
    /// How many there are.
    pub const COUNT: usize = 15;
    /// All of them.
    pub const ALL: [Cause; Cause::COUNT] = [
        Cause::Arbitration,
        Cause::VectorMemory,
        Cause::LdsData,
        Cause::ScalarMemory,
        Cause::Barrier,
        Cause::MatrixResult,
        Cause::MatrixBusy,
        Cause::VectorBusy,
        Cause::ScalarResult,
        Cause::LdsQueue,
        Cause::MemoryQueue,
        Cause::Fetch,
        Cause::Asked,
        Cause::Branch,
        Cause::CacheControl,
    ];

    /// The words that reports print.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Arbitration => "issue arbitration",
            Cause::VectorMemory => "vmcnt",
            Cause::LdsData => "lgkmcnt (LDS)",
            Cause::ScalarMemory => "lgkmcnt (scalar memory)",
            Cause::Barrier => "barrier",
            Cause::MatrixResult => "MFMA result",
            Cause::MatrixBusy => "MFMA pipe",
            Cause::VectorBusy => "VALU pipe",
            Cause::ScalarResult => "VALU to scalar",
            Cause::LdsQueue => "LDS queue",
            Cause::MemoryQueue => "vector memory queue",
            Cause::Fetch => "instruction fetch",
            Cause::Asked => "s_nop and s_sleep",
            Cause::Branch => "branch",
            Cause::CacheControl => "cache write-back and invalidation",
        }
    }
}

/// One instruction of the code, over all waves.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Address.
    pub pc: u64,
    /// The instruction.
    pub inst: Option<Inst>,
    /// Times it was issued.
    pub issues: u64,
    /// Cycles that waves spent issuing it.
    pub busy: u64,
    /// Cycles that waves waited before it, by cause.
    pub stalls: [u64; Cause::COUNT],
}

impl Line {
    /// Cycles waited in all.
    pub fn stalled(&self) -> u64 {
        self.stalls.iter().sum()
    }

    /// What it waited for longest.
    pub fn main_cause(&self) -> Option<Cause> {
        let at = (0..Cause::COUNT).max_by_key(|i| (self.stalls[*i], Cause::COUNT - i))?;
        (self.stalls[at] > 0).then(|| Cause::ALL[at])
    }
}

/// Something a wave did, for the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Compute unit, SIMD, wave slot.
    pub cu: u32,
    /// SIMD of the compute unit.
    pub simd: u32,
    /// Workgroup number.
    pub workgroup: u64,
    /// Wave of the workgroup.
    pub wave: u32,
    /// Cycle at which it was issued.
    pub at: u64,
    /// Cycles that its pipe is busy.
    pub busy: u32,
    /// Cycles that the wave waited before it.
    pub waited: u32,
    /// What for.
    pub cause: Cause,
    /// Index of the instruction among the profile's lines.
    pub line: u32,
}

/// Work of each pipe, in cycles over all SIMDs or compute units that were simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pipes {
    /// Vector ALU issue.
    pub valu: u64,
    /// Matrix pipe.
    pub matrix: u64,
    /// Instructions issued to each pipe: vector, scalar, memory, LDS, branch, none.
    pub issued: [u64; 6],
    /// Floating-point (or integer matrix) operations.
    pub flops: f64,
    /// Of them, in matrix instructions.
    pub matrix_flops: f64,
    /// Matrix cycles pulling towards the clocks of f16, bf16, 8 bits, 4 bits.
    pub by_operands: [u64; 4],
    /// Matrix cycles of instructions of 32 by 32.
    pub wide: u64,
}

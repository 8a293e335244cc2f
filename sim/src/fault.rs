//! How a dispatch ends badly: what happened, and where in the grid and the code.

use crate::code::LoadedCode;
use std::fmt;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A load, store or atomic touched memory that is not the kernel's.
    Memory,
    /// A misaligned address where the hardware needs an aligned one.
    Alignment,
    /// Bytes that are no instruction of the target, or one the engine cannot execute.
    Instruction,
    /// An effect that hardware leaves undefined, or an instruction that a compute kernel has no use for: reported, since
    /// any result would be a guess.
    Undefined,
    /// Instructions were fetched from where there is no code.
    Fetch,
    /// `s_trap`, or an exception the descriptor enables.
    Trap,
    /// No wave can make progress, or the dispatch needs more resident workgroups than the part holds.
    Stall,
    /// The instruction budget ended.
    Fuel,
    /// The packet or descriptor asks for what the part cannot give.
    Resources,
    /// The packet is malformed.
    Packet,
    /// The watching engine found a hazard, a race or an uninitialised read.
    Check,
}

/// A dispatch that ended badly. Fields are filled in as far as they are known and apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// One sentence on what happened.
    pub message: String,
    /// The kernel.
    pub kernel: String,
    /// Workgroup id.
    pub workgroup: Option<[u32; 3]>,
    /// Wave in the workgroup.
    pub wave: Option<u32>,
    /// Lane.
    pub lane: Option<u32>,
    /// Device address of the instruction.
    pub pc: Option<u64>,
    /// The pc as `symbol+offset`.
    pub symbol: Option<String>,
    /// The instruction in LLVM syntax.
    pub instruction: Option<String>,
    /// The address it touched.
    pub address: Option<u64>,
    /// What the registers held that it read.
    pub registers: Vec<RegisterRead>,
}

/// A register, or a run of them, that an instruction read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterRead {
    /// Its name in LLVM syntax.
    pub name: String,
    /// Its dwords, lowest register first.
    pub words: Vec<u32>,
    /// The lane they are from, for vector registers.
    pub lane: Option<u32>,
}

impl fmt::Display for RegisterRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if let Some(lane) = self.lane {
            write!(f, " (lane {lane})")?;
        }
        write!(f, " = 0x")?;
        // As one number, its highest dword first.
        for (i, word) in self.words.iter().rev().enumerate() {
            if i == 0 { write!(f, "{word:x}")? } else { write!(f, "{word:08x}")? }
        }
        Ok(())
    }
}

impl Fault {
    /// A fault without a place; fill in what is known.
    pub fn new(kind: FaultKind, kernel: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault {
            kind,
            message: message.into(),
            kernel: kernel.into(),
            workgroup: None,
            wave: None,
            lane: None,
            pc: None,
            symbol: None,
            instruction: None,
            address: None,
            registers: Vec::new(),
        }
    }

    /// Fills in where in the code it happened; and of a program that ended itself, what it says was wrong.
    pub(crate) fn locate(&mut self, code: Option<&LoadedCode>, pc: u64) {
        self.pc = Some(pc);
        let Some(code) = code else { return };
        self.symbol = code.symbolize(pc);
        if let Some(refusal) = code.refusal(pc).filter(|_| self.kind == FaultKind::Trap) {
            self.message = format!("the kernel was not generated for these arguments: {refusal}");
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}`", self.kernel)?;
        if let Some([x, y, z]) = self.workgroup {
            write!(f, ", workgroup ({x}, {y}, {z})")?;
        }
        if let Some(wave) = self.wave {
            write!(f, ", wave {wave}")?;
        }
        if let Some(lane) = self.lane {
            write!(f, ", lane {lane}")?;
        }
        if let Some(pc) = self.pc {
            write!(f, ", pc {pc:#x}")?;
            if let Some(symbol) = &self.symbol {
                write!(f, " ({symbol})")?;
            }
        }
        if let Some(instruction) = &self.instruction {
            write!(f, ", `{instruction}`")?;
        }
        if let Some(address) = self.address {
            write!(f, ", address {address:#x}")?;
        }
        write!(f, ": {}", self.message)?;
        for (i, r) in self.registers.iter().enumerate() {
            write!(f, "{}{r}", if i == 0 { "; it read " } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// What a dispatch that ended well took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Instructions issued, each counted once a wave.
    pub wave_instructions: u64,
    /// Waves launched.
    pub waves: u64,
    /// Most workgroups resident at once.
    pub resident_workgroups: u32,
    /// Whether an instruction ran whose rounding is not known to be the silicon's.
    pub unverified_rounding: bool,
}

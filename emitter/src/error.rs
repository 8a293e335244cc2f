//! What can go wrong while a kernel is built. Each says where in the generator's source.

use crate::object::LinkError;
use core::fmt;
use std::panic::Location;
use wavesmith_asm::reg::RegClass;

/// A register file, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File(pub RegClass);

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            RegClass::V => "VGPR",
            RegClass::A => "AGPR",
            RegClass::S | RegClass::Src => "SGPR",
        })
    }
}

/// A run of registers that is taken, and by which line of the generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// First register.
    pub first: u16,
    /// Registers.
    pub count: u16,
    /// Where it was allocated.
    pub at: &'static Location<'static>,
}

/// Why a kernel cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmitError {
    /// No run of that width is left.
    #[error("{at}: no {count} consecutive {file}s (aligned to {align}) are left below the limit of {limit}; live are\n{}", show_live(.live))]
    OutOfRegisters {
        /// The file.
        file: File,
        /// Registers asked for.
        count: u16,
        /// Alignment asked for.
        align: u16,
        /// Registers the kernel may use.
        limit: u16,
        /// What is taken, by index.
        live: Vec<Live>,
        /// The asking line.
        at: &'static Location<'static>,
    },
    /// Virtual registers do not fit.
    #[error(
        "{at}: {count} {file}s allocated at {value} find no place below the limit of {limit}{}; {pressure} are wanted here:\n{}\n\
         {file}s wanted along the program, where most:\n{}",
        if *.proved { "" } else { ", though no proof was found that none exists" },
        show_values(.live),
        show_profile(.profile)
    )]
    Pressure {
        /// The file.
        file: File,
        /// Registers of the value that found no place.
        count: u16,
        /// Where that value was made.
        value: &'static Location<'static>,
        /// Registers the kernel may use.
        limit: u16,
        /// Registers wanted at the tightest point of the program or, if all would do there, of the value's life.
        pressure: u16,
        /// What is live there, with what found no place.
        live: Vec<Live>,
        /// The instruction there.
        at: &'static Location<'static>,
        /// The most registers that an instruction of each line of the generator meets, by first appearance.
        profile: Vec<Peak>,
        /// Whether it is certain that no arrangement of the values fits; otherwise none was found in reasonable time.
        proved: bool,
    },
    /// A register was pinned that is taken.
    #[error("{at}: {file} {first}..{} is taken by {}", .first + .count, .holder.at)]
    Taken {
        /// The file.
        file: File,
        /// First register asked for.
        first: u16,
        /// Registers asked for.
        count: u16,
        /// Who has it.
        holder: Live,
        /// The asking line.
        at: &'static Location<'static>,
    },
    /// A register was freed that was not allocated as such.
    #[error("{at}: {file} {first}..{} was not allocated as one run", .first + .count)]
    NotAllocated {
        /// The file.
        file: File,
        /// First register.
        first: u16,
        /// Registers.
        count: u16,
        /// The freeing line.
        at: &'static Location<'static>,
    },
    /// LDS is exhausted.
    #[error("{at}: {asked} bytes of LDS at {offset} exceed the {limit} bytes of {target}")]
    OutOfLds {
        /// Bytes asked for.
        asked: u32,
        /// Bytes in use.
        offset: u32,
        /// Bytes there are.
        limit: u32,
        /// The target.
        target: wavesmith_asm::Target,
        /// The asking line.
        at: &'static Location<'static>,
    },
    /// A label is used but never bound.
    #[error("{at}: label `{name}` is never bound")]
    UnboundLabel {
        /// Its name.
        name: String,
        /// The branch.
        at: &'static Location<'static>,
    },
    /// A label is bound twice.
    #[error("{at}: label `{name}` is already bound")]
    LabelBoundTwice {
        /// Its name.
        name: String,
        /// The second binding.
        at: &'static Location<'static>,
    },
    /// A branch does not reach.
    #[error(
        "{at}: the branch to `{name}` spans more than the 32767 instruction words of a short branch, and no three SGPRs are \
         left for a long one"
    )]
    BranchOutOfReach {
        /// The label.
        name: String,
        /// The branch.
        at: &'static Location<'static>,
    },
    /// No compute unit can hold a workgroup.
    #[error(
        "`{name}` fits no compute unit: a workgroup of {waves} waves with {vgprs} VGPRs and {agprs} AGPRs each and {lds} \
         bytes of LDS exceeds the {budget}"
    )]
    DoesNotFit {
        /// The kernel.
        name: String,
        /// Waves of a workgroup.
        waves: u32,
        /// What is exceeded.
        budget: &'static str,
        /// Architectural VGPRs of a wave.
        vgprs: u32,
        /// AGPRs of a wave.
        agprs: u32,
        /// LDS bytes.
        lds: u32,
    },
    /// An instruction cannot be encoded.
    #[error("{at}: {message}")]
    Encode {
        /// What is wrong with it.
        message: String,
        /// The emitting line.
        at: &'static Location<'static>,
    },
    /// Execution can run past the last instruction.
    #[error("the kernel `{0}` does not end: its last instruction must be s_endpgm or a branch")]
    FallsOff(String),
    /// The code object cannot be linked.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// Registers wanted at a line of the generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The line.
    pub at: &'static Location<'static>,
    /// Registers.
    pub wanted: u16,
}

/// Lines of a message's profile.
const PROFILE_LINES: usize = 12;

/// Values by the line that made them, those with most registers first.
fn show_values(live: &[Live]) -> String {
    let mut lines: Vec<(&'static Location<'static>, usize, u16)> = Vec::new();
    for l in live {
        match lines.iter_mut().find(|(at, ..)| *at == l.at) {
            Some((_, values, registers)) => (*values, *registers) = (*values + 1, *registers + l.count),
            None => lines.push((l.at, 1, l.count)),
        }
    }
    lines.sort_by_key(|(_, _, registers)| std::cmp::Reverse(*registers));
    let show = |(at, values, registers): &(_, usize, u16)| {
        let plural = if *values == 1 { "" } else { "s" };
        format!("  {registers:>4} in {values} value{plural} made at {at}")
    };
    lines.iter().map(show).collect::<Vec<_>>().join("\n")
}

/// The highest peaks, in program order.
fn show_profile(profile: &[Peak]) -> String {
    let mut highest: Vec<usize> = (0..profile.len()).collect();
    highest.sort_by_key(|i| std::cmp::Reverse(profile[*i].wanted));
    highest.truncate(PROFILE_LINES);
    highest.sort_unstable();
    let show = |i: &usize| format!("  {:>4} at {}", profile[*i].wanted, profile[*i].at);
    highest.iter().map(show).collect::<Vec<_>>().join("\n")
}

fn show_live(live: &[Live]) -> String {
    let line = |l: &Live| format!("  {}..{} from {}", l.first, l.first + l.count, l.at);
    live.iter().map(line).collect::<Vec<_>>().join("\n")
}

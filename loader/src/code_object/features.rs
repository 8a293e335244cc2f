//! ABI version and the two mode bits of `e_flags` (AMDGPUUsage, "ELF Header").

use std::fmt;

/// Code object version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AbiVersion {
    /// Version 3, `EI_ABIVERSION` 1.
    V3,
    /// Version 4, `EI_ABIVERSION` 2.
    V4,
    /// Version 5, `EI_ABIVERSION` 3.
    V5,
    /// Version 6, `EI_ABIVERSION` 4.
    V6,
}

impl AbiVersion {
    /// The version of an `EI_ABIVERSION` byte.
    pub const fn from_elf(byte: u8) -> Option<AbiVersion> {
        match byte {
            1 => Some(AbiVersion::V3),
            2 => Some(AbiVersion::V4),
            3 => Some(AbiVersion::V5),
            4 => Some(AbiVersion::V6),
            _ => None,
        }
    }

    /// The number in its name: 3, 4, 5 or 6.
    pub const fn number(self) -> u32 {
        match self {
            AbiVersion::V3 => 3,
            AbiVersion::V4 => 4,
            AbiVersion::V5 => 5,
            AbiVersion::V6 => 6,
        }
    }
}

impl fmt::Display for AbiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.number())
    }
}

/// A mode that code may be compiled for, against or regardless of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// The target has no such mode.
    Unsupported,
    /// Runs in either mode.
    Any,
    /// Runs only with the mode off.
    Off,
    /// Runs only with the mode on.
    On,
}

impl Feature {
    const fn of_bits(bits: u32) -> Feature {
        match bits & 3 {
            0 => Feature::Unsupported,
            1 => Feature::Any,
            2 => Feature::Off,
            _ => Feature::On,
        }
    }
}

/// XNACK (retry of page faults) and SRAM-ECC modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Features {
    /// Retry of page faults.
    pub xnack: Feature,
    /// ECC of the on-chip memories, which changes what d16 loads do to the other half.
    pub sramecc: Feature,
}

impl Features {
    /// The modes in an ELF header's `e_flags`.
    pub const fn from_elf(abi: AbiVersion, e_flags: u32) -> Features {
        if matches!(abi, AbiVersion::V3) {
            // Version 3 has one bit each: on, or off where the target knows the mode at all.
            return Features {
                xnack: if e_flags & 0x100 != 0 { Feature::On } else { Feature::Off },
                sramecc: if e_flags & 0x200 != 0 { Feature::On } else { Feature::Off },
            };
        }
        Features { xnack: Feature::of_bits(e_flags >> 8), sramecc: Feature::of_bits(e_flags >> 10) }
    }
}

impl fmt::Display for Features {
    /// As a target id carries them: `:sramecc+:xnack-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, feature) in [("sramecc", self.sramecc), ("xnack", self.xnack)] {
            match feature {
                Feature::On => write!(f, ":{name}+")?,
                Feature::Off => write!(f, ":{name}-")?,
                Feature::Any | Feature::Unsupported => {}
            }
        }
        Ok(())
    }
}

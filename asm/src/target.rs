//! The four instruction-set targets and sets of them.

use core::fmt;
use core::str::FromStr;

/// A CDNA instruction set, named as LLVM names the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// CDNA1: MI100.
    Gfx908,
    /// CDNA2: MI210, MI250X.
    Gfx90a,
    /// CDNA3: MI300A, MI300X, MI308X, MI325X.
    Gfx942,
    /// CDNA4: MI350X, MI355X.
    Gfx950,
}

impl Target {
    /// Every target, oldest first.
    pub const ALL: [Target; 4] = [Target::Gfx908, Target::Gfx90a, Target::Gfx942, Target::Gfx950];

    /// The processor name: `gfx942`.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Gfx908 => "gfx908",
            Target::Gfx90a => "gfx90a",
            Target::Gfx942 => "gfx942",
            Target::Gfx950 => "gfx950",
        }
    }

    /// The `EF_AMDGPU_MACH` value in the low byte of an ELF's `e_flags` (AMDGPUUsage, "ELF Header").
    pub const fn elf_mach(self) -> u32 {
        match self {
            Target::Gfx908 => 0x30,
            Target::Gfx90a => 0x3f,
            Target::Gfx942 => 0x4c,
            Target::Gfx950 => 0x4f,
        }
    }

    /// The target of an `e_flags` low byte, if it is one of ours.
    pub fn from_elf_mach(mach: u32) -> Option<Target> {
        Target::ALL.into_iter().find(|t| t.elf_mach() == mach)
    }

    /// Whether VGPRs and AGPRs share one file of 512 (gfx90a and later).
    #[inline]
    pub const fn unified_vgprs(self) -> bool {
        !matches!(self, Target::Gfx908)
    }

    /// VGPR allocation granule in registers (LLVM `getVGPRAllocGranule`).
    pub const fn vgpr_granule(self) -> u32 {
        if self.unified_vgprs() { 8 } else { 4 }
    }

    /// Largest LDS allocation of one workgroup in bytes.
    pub const fn max_lds(self) -> u32 {
        if matches!(self, Target::Gfx950) { 163_840 } else { 65_536 }
    }

    /// LDS allocation granule in bytes (LLVM `getLdsDwGranularity`).
    pub const fn lds_granule(self) -> u32 {
        if matches!(self, Target::Gfx950) { 1280 } else { 512 }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A processor name that is none of the four targets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown target `{0}`: wavesmith knows gfx908, gfx90a, gfx942 and gfx950")]
pub struct UnknownTarget(pub String);

impl FromStr for Target {
    type Err = UnknownTarget;

    /// Accepts `gfx942`, and a target id as found in code objects and assembly, such as
    /// `amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-` or `amdgpu9.42-amd-amdhsa-unknown-gfx942`.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let id = s.split(':').next().unwrap_or(s);
        let processor = id.rsplit('-').next().unwrap_or(id);
        Target::ALL.into_iter().find(|t| t.name() == processor).ok_or_else(|| UnknownTarget(s.to_owned()))
    }
}

/// A set of targets: which of the four have an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Targets(u8);

impl Targets {
    /// No target.
    pub const NONE: Targets = Targets(0);
    /// gfx908 alone.
    pub const GFX908: Targets = Targets(1);
    /// gfx90a alone.
    pub const GFX90A: Targets = Targets(2);
    /// gfx942 alone.
    pub const GFX942: Targets = Targets(4);
    /// gfx950 alone.
    pub const GFX950: Targets = Targets(8);
    /// All four.
    pub const ALL: Targets = Targets(15);
    /// gfx90a and later.
    pub const GFX90A_UP: Targets = Targets(14);
    /// gfx942 and later.
    pub const GFX942_UP: Targets = Targets(12);

    /// Whether `target` is in the set.
    #[inline]
    pub const fn has(self, target: Target) -> bool {
        self.0 & (1 << target as u8) != 0
    }

    /// The set with the members of both.
    pub const fn or(self, other: Targets) -> Targets {
        Targets(self.0 | other.0)
    }

    /// The members, oldest first.
    pub fn iter(self) -> impl Iterator<Item = Target> {
        Target::ALL.into_iter().filter(move |t| self.has(*t))
    }
}

impl fmt::Debug for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Target::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_from_names_and_from_target_ids() {
        let ids = ["gfx942", "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-", "amdgpu9.42-amd-amdhsa-unknown-gfx942"];
        for id in ids {
            assert_eq!(id.parse(), Ok(Target::Gfx942), "{id}");
        }
        for wrong in ["", "gfx1100", "gfx94", "amdgcn-amd-amdhsa--gfx906:xnack-"] {
            assert_eq!(wrong.parse::<Target>(), Err(UnknownTarget(wrong.to_owned())));
        }
    }
}

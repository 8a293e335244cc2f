//! The 64-byte kernel descriptor the command processor reads to start a wave.
//!
//! Fields are given as what they mean (register counts, enabled inputs, float modes); granules, biases and bit
//! positions are this module's business, because an odd granule or a missing AGPR shows up as corrupt registers on
//! silicon and nowhere else. Layout and formulas: AMDGPUUsage, "Code Object V3 Kernel Descriptor"; extra SGPRs as LLVM
//! counts them for gfx9.

use wavesmith_asm::Target;

/// An XNACK or SRAMECC setting: what the code requires of the device's mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Feature {
    /// Runs in either mode ("any" in `e_flags`).
    #[default]
    Any,
    /// Only with the mode off.
    Off,
    /// Only with the mode on.
    On,
}

/// Rounding of float results, as `MODE` encodes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Round {
    /// To nearest, ties to even.
    #[default]
    NearestEven = 0,
    /// Towards +∞.
    PlusInfinity = 1,
    /// Towards −∞.
    MinusInfinity = 2,
    /// Towards zero.
    Zero = 3,
}

/// What happens to denormals, as `MODE` encodes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Denormals {
    /// Flushed in sources and results.
    FlushBoth = 0,
    /// Flushed in results.
    FlushResult = 1,
    /// Flushed in sources.
    FlushSource = 2,
    /// Kept.
    #[default]
    Keep = 3,
}

/// The `MODE` register a wave starts with. The default is what clang gives a HIP kernel: denormals kept, rounding to
/// nearest, `DX10_CLAMP` and `IEEE` set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatMode {
    /// Rounding of f32 results.
    pub round_32: Round,
    /// Rounding of f16 and f64 results.
    pub round_16_64: Round,
    /// Denormals in f32.
    pub denorm_32: Denormals,
    /// Denormals in f16 and f64.
    pub denorm_16_64: Denormals,
    /// Clamping turns NaN into 0.
    pub dx10_clamp: bool,
    /// Signalling NaNs are quieted by min, max and friends.
    pub ieee: bool,
    /// Overflowing f16 results become the largest f16 instead of ∞.
    pub fp16_overflow: bool,
}

impl Default for FloatMode {
    fn default() -> Self {
        FloatMode {
            round_32: Round::NearestEven,
            round_16_64: Round::NearestEven,
            denorm_32: Denormals::Keep,
            denorm_16_64: Denormals::Keep,
            dx10_clamp: true,
            ieee: true,
            fp16_overflow: false,
        }
    }
}

/// The inputs that arrive in user SGPRs, in the order the hardware places them, from s0 up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UserSgprs {
    /// Four SGPRs: the buffer resource of scratch (not on gfx942 and later, which have architected flat scratch).
    pub private_segment_buffer: bool,
    /// Two: the address of the dispatch packet.
    pub dispatch_ptr: bool,
    /// Two: the address of the queue.
    pub queue_ptr: bool,
    /// Two: the address of the kernel arguments.
    pub kernarg_segment_ptr: bool,
    /// Two: the dispatch id.
    pub dispatch_id: bool,
    /// Two: the flat-scratch base (not on gfx942 and later).
    pub flat_scratch_init: bool,
    /// One: scratch bytes of a work-item.
    pub private_segment_size: bool,
    /// Dwords of kernel arguments the hardware preloads after the others (gfx90a and later).
    pub kernarg_preload_length: u8,
    /// The first preloaded dword of the kernel arguments.
    pub kernarg_preload_offset: u16,
}

impl UserSgprs {
    /// How many SGPRs the enabled inputs take; the workgroup ids follow them.
    pub const fn count(&self) -> u32 {
        4 * self.private_segment_buffer as u32
            + 2 * (self.dispatch_ptr as u32
                + self.queue_ptr as u32
                + self.kernarg_segment_ptr as u32
                + self.dispatch_id as u32
                + self.flat_scratch_init as u32)
            + self.private_segment_size as u32
            + self.kernarg_preload_length as u32
    }
}

/// The system SGPRs and VGPRs a wave starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SystemRegisters {
    /// Workgroup id x, y, z, each in the next SGPR after the user SGPRs if enabled.
    pub workgroup_id: [bool; 3],
    /// The workgroup-info SGPR.
    pub workgroup_info: bool,
    /// Highest work-item id dimension given: 0 is x alone, 2 is x, y and z. gfx908 puts them in v0, v1, v2; later
    /// targets pack them in v0 at bits 0, 10 and 20.
    pub workitem_id_dims: u8,
}

impl Default for SystemRegisters {
    fn default() -> Self {
        SystemRegisters { workgroup_id: [true, false, false], workgroup_info: false, workitem_id_dims: 0 }
    }
}

/// The registers a kernel touches, as highest index plus one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RegisterUse {
    /// Numbered SGPRs (`s0`…), without VCC and its neighbours.
    pub sgprs: u32,
    /// VGPRs.
    pub vgprs: u32,
    /// AGPRs.
    pub agprs: u32,
    /// Whether VCC is touched.
    pub vcc: bool,
    /// Whether FLAT_SCRATCH is touched (gfx908 and gfx90a).
    pub flat_scratch: bool,
}

impl RegisterUse {
    /// SGPRs allocated for a wave of `target`: the numbered ones and the reserved ones above them. LLVM's count for
    /// gfx9: 2 for VCC, 4 once XNACK may be on, 6 with FLAT_SCRATCH or where flat scratch is architected.
    pub fn total_sgprs(&self, target: Target, xnack: Feature) -> u32 {
        let architected_flat_scratch = matches!(target, Target::Gfx942 | Target::Gfx950);
        let extra = if self.flat_scratch || architected_flat_scratch {
            6
        } else if xnack != Feature::Off {
            4
        } else if self.vcc {
            2
        } else {
            0
        };
        self.sgprs + extra
    }

    /// Where AGPRs start in the unified file of gfx90a and later: the VGPR count rounded up to 4, at least 4.
    pub fn accum_offset(&self) -> u32 {
        self.vgprs.max(1).next_multiple_of(4)
    }

    /// VGPRs allocated for a wave of `target`: on gfx908 the larger of the two files' counts, later both in one file.
    pub fn total_vgprs(&self, target: Target) -> u32 {
        if !target.unified_vgprs() {
            self.vgprs.max(self.agprs)
        } else if self.agprs == 0 {
            self.vgprs
        } else {
            self.accum_offset() + self.agprs
        }
    }
}

/// Everything a kernel descriptor says, in plain terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KernelDescriptor {
    /// Static LDS bytes.
    pub group_segment_fixed_size: u32,
    /// Scratch bytes of a work-item.
    pub private_segment_fixed_size: u32,
    /// Kernel-argument bytes.
    pub kernarg_size: u32,
    /// Registers touched.
    pub registers: RegisterUse,
    /// User SGPRs.
    pub user_sgprs: UserSgprs,
    /// System registers.
    pub system: SystemRegisters,
    /// Float mode.
    pub mode: FloatMode,
    /// Scratch may grow at run time.
    pub uses_dynamic_stack: bool,
    /// Threadgroup split mode (gfx90a and later): waves of a workgroup may sit on different CUs.
    pub tg_split: bool,
}

impl KernelDescriptor {
    /// The 64 bytes, with the code at `entry_offset` bytes from the descriptor's own address.
    pub fn to_bytes(&self, target: Target, xnack: Feature, entry_offset: i64) -> [u8; 64] {
        let mut out = [0u8; 64];
        let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &self.group_segment_fixed_size.to_le_bytes());
        put(4, &self.private_segment_fixed_size.to_le_bytes());
        put(8, &self.kernarg_size.to_le_bytes());
        put(16, &entry_offset.to_le_bytes());
        put(44, &self.rsrc3(target).to_le_bytes());
        put(48, &self.rsrc1(target, xnack).to_le_bytes());
        put(52, &self.rsrc2().to_le_bytes());
        put(56, &self.properties().to_le_bytes());
        let preload = u16::from(self.user_sgprs.kernarg_preload_length & 0x7f)
            | (self.user_sgprs.kernarg_preload_offset & 0x1ff) << 7;
        put(58, &preload.to_le_bytes());
        out
    }

    /// `COMPUTE_PGM_RSRC1`: register granules and float mode.
    pub fn rsrc1(&self, target: Target, xnack: Feature) -> u32 {
        let vgpr_blocks = self.registers.total_vgprs(target).max(1).div_ceil(target.vgpr_granule()) - 1;
        // gfx9 allocates 16 at a time but counts in blocks of 8.
        let sgpr_blocks = 2 * (self.registers.total_sgprs(target, xnack).max(1).div_ceil(16) - 1);
        vgpr_blocks
            | sgpr_blocks << 6
            | (self.mode.round_32 as u32) << 12
            | (self.mode.round_16_64 as u32) << 14
            | (self.mode.denorm_32 as u32) << 16
            | (self.mode.denorm_16_64 as u32) << 18
            | u32::from(self.mode.dx10_clamp) << 21
            | u32::from(self.mode.ieee) << 23
            | u32::from(self.mode.fp16_overflow) << 26
    }

    /// `COMPUTE_PGM_RSRC2`: what the wave starts with.
    pub fn rsrc2(&self) -> u32 {
        let [x, y, z] = self.system.workgroup_id.map(u32::from);
        u32::from(self.private_segment_fixed_size > 0 || self.uses_dynamic_stack)
            | self.user_sgprs.count() << 1
            | x << 7
            | y << 8
            | z << 9
            | u32::from(self.system.workgroup_info) << 10
            | u32::from(self.system.workitem_id_dims & 3) << 11
    }

    /// `COMPUTE_PGM_RSRC3`: the unified file's split (gfx90a and later).
    pub fn rsrc3(&self, target: Target) -> u32 {
        if !target.unified_vgprs() {
            return 0;
        }
        (self.registers.accum_offset() / 4 - 1) | u32::from(self.tg_split) << 16
    }

    /// `KERNEL_CODE_PROPERTIES`: the enabled user SGPRs.
    pub fn properties(&self) -> u16 {
        let u = &self.user_sgprs;
        u16::from(u.private_segment_buffer)
            | u16::from(u.dispatch_ptr) << 1
            | u16::from(u.queue_ptr) << 2
            | u16::from(u.kernarg_segment_ptr) << 3
            | u16::from(u.dispatch_id) << 4
            | u16::from(u.flat_scratch_init) << 5
            | u16::from(u.private_segment_size) << 6
            | u16::from(self.uses_dynamic_stack) << 11
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `llvm-mc` and clang give a vadd of 8 VGPRs and 8 SGPRs on gfx942 (`rsrc1` 0x00af0040).
    #[test]
    fn a_small_gfx942_kernel_has_the_words_clang_gives_it() {
        let d = KernelDescriptor {
            registers: RegisterUse { sgprs: 8, vgprs: 8, agprs: 0, vcc: true, flat_scratch: false },
            user_sgprs: UserSgprs { kernarg_segment_ptr: true, ..UserSgprs::default() },
            ..KernelDescriptor::default()
        };
        assert_eq!(d.rsrc1(Target::Gfx942, Feature::Any), 0x00af_0000);
        assert_eq!(d.rsrc2(), 0x84);
        assert_eq!(d.rsrc3(Target::Gfx942), 1);
        assert_eq!(d.properties(), 8);
    }

    #[test]
    fn agprs_follow_vgprs_in_the_unified_file_and_stand_apart_on_gfx908() {
        let r = RegisterUse { vgprs: 129, agprs: 64, ..RegisterUse::default() };
        assert_eq!(r.accum_offset(), 132);
        assert_eq!(r.total_vgprs(Target::Gfx90a), 196);
        assert_eq!(r.total_vgprs(Target::Gfx908), 129);
        let d = KernelDescriptor { registers: r, ..KernelDescriptor::default() };
        assert_eq!(d.rsrc1(Target::Gfx90a, Feature::Any) & 0x3f, 24);
        assert_eq!(d.rsrc1(Target::Gfx908, Feature::Any) & 0x3f, 32);
        assert_eq!(d.rsrc3(Target::Gfx90a) & 0x3f, 32);
        assert_eq!(d.rsrc3(Target::Gfx908), 0);
    }

    #[test]
    fn reserved_sgprs_depend_on_target_xnack_and_vcc() {
        let r = |vcc, flat_scratch| RegisterUse { sgprs: 10, vcc, flat_scratch, ..RegisterUse::default() };
        assert_eq!(r(false, false).total_sgprs(Target::Gfx90a, Feature::Off), 10);
        assert_eq!(r(true, false).total_sgprs(Target::Gfx90a, Feature::Off), 12);
        assert_eq!(r(true, false).total_sgprs(Target::Gfx90a, Feature::Any), 14);
        assert_eq!(r(true, true).total_sgprs(Target::Gfx908, Feature::Off), 16);
        assert_eq!(r(false, false).total_sgprs(Target::Gfx950, Feature::Off), 16);
    }
}

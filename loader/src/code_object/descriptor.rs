//! The 64-byte kernel descriptor (AMDGPUUsage, "Kernel Descriptor"), every field decoded.

use wavesmith_asm::Target;

fn bits(word: u32, low: u32, count: u32) -> u32 {
    (word >> low) & ((1 << count) - 1)
}

fn bit(word: u32, at: u32) -> bool {
    word >> at & 1 != 0
}

/// A kernel descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelDescriptor {
    /// Bytes of static LDS of a workgroup.
    pub group_segment_size: u32,
    /// Bytes of scratch of a work-item.
    pub private_segment_size: u32,
    /// Bytes of the kernarg segment; 0 in some hand-written kernels that do have one.
    pub kernarg_size: u32,
    /// Bytes from the descriptor to the first instruction.
    pub entry_offset: i64,
    /// `COMPUTE_PGM_RSRC3`.
    pub rsrc3: Rsrc3,
    /// `COMPUTE_PGM_RSRC1`.
    pub rsrc1: Rsrc1,
    /// `COMPUTE_PGM_RSRC2`.
    pub rsrc2: Rsrc2,
    /// Which user SGPRs are set up, from the kernel code properties.
    pub user_sgprs: UserSgprs,
    /// Waves of 32 lanes (never on CDNA).
    pub wave32: bool,
    /// The stack size is not known statically.
    pub dynamic_stack: bool,
    /// SGPRs to preload from the kernarg segment, in dwords.
    pub preload_length: u8,
    /// First kernarg dword to preload.
    pub preload_offset: u16,
    /// Whether every reserved bit is 0, as it must be.
    pub reserved_is_zero: bool,
}

/// `COMPUTE_PGM_RSRC1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rsrc1 {
    /// VGPRs in granules, less one.
    pub granulated_vgprs: u8,
    /// SGPRs in granules.
    pub granulated_sgprs: u8,
    /// Wave priority.
    pub priority: u8,
    /// Rounding of f32: 0 nearest even, 1 up, 2 down, 3 to zero.
    pub round_32: u8,
    /// Rounding of f16 and f64.
    pub round_16_64: u8,
    /// Denormals of f32: bit 0 keeps inputs, bit 1 keeps outputs.
    pub denorm_32: u8,
    /// Denormals of f16 and f64.
    pub denorm_16_64: u8,
    /// Privileged mode (must be 0).
    pub privileged: bool,
    /// Clamp NaN to 0.
    pub dx10_clamp: bool,
    /// Debug mode (must be 0).
    pub debug: bool,
    /// IEEE mode: quiet signalling NaNs.
    pub ieee: bool,
    /// One workgroup a CU (must be 0).
    pub bulky: bool,
    /// `CDBG_USER` (must be 0).
    pub cdbg_user: bool,
    /// f16 overflow clamps to the largest finite value.
    pub fp16_overflow: bool,
    /// The word.
    pub raw: u32,
}

/// `COMPUTE_PGM_RSRC2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rsrc2 {
    /// Scratch is set up (the wave offset SGPR, where the target has one).
    pub private_segment: bool,
    /// User SGPRs, preloaded ones included.
    pub user_sgpr_count: u8,
    /// Trap handler present.
    pub trap_handler: bool,
    /// SGPR with the workgroup id in X.
    pub workgroup_id_x: bool,
    /// SGPR with the workgroup id in Y.
    pub workgroup_id_y: bool,
    /// SGPR with the workgroup id in Z.
    pub workgroup_id_z: bool,
    /// SGPR with the workgroup info.
    pub workgroup_info: bool,
    /// Work-item ids: 0 X, 1 XY, 2 XYZ.
    pub workitem_ids: u8,
    /// Exception: address watch.
    pub exception_address_watch: bool,
    /// Exception: memory violation.
    pub exception_memory: bool,
    /// LDS in granules; the packet's size is what counts.
    pub granulated_lds: u16,
    /// IEEE exceptions: bit 0 invalid, 1 denormal, 2 division by zero, 3 overflow, 4 underflow, 5 inexact, 6 integer
    /// division by zero.
    pub exceptions: u8,
    /// The word.
    pub raw: u32,
}

/// `COMPUTE_PGM_RSRC3`; all zero on gfx908.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rsrc3 {
    /// First AGPR in the unified file, as (offset / 4) − 1.
    pub granulated_accum_offset: u8,
    /// Waves of a workgroup may run on different CUs.
    pub tg_split: bool,
    /// The word.
    pub raw: u32,
}

/// Which user SGPRs are set up, in the order in which they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct UserSgprs {
    /// Four SGPRs: buffer resource of scratch.
    pub private_segment_buffer: bool,
    /// Two SGPRs: address of the AQL packet.
    pub dispatch_ptr: bool,
    /// Two SGPRs: address of the `amd_queue_t`.
    pub queue_ptr: bool,
    /// Two SGPRs: address of the kernarg segment.
    pub kernarg_ptr: bool,
    /// Two SGPRs: number of the dispatch.
    pub dispatch_id: bool,
    /// Two SGPRs: flat scratch.
    pub flat_scratch_init: bool,
    /// One SGPR: bytes of scratch of a work-item.
    pub private_segment_size: bool,
}

impl UserSgprs {
    /// SGPRs they take, without preloaded kernargs.
    pub const fn count(&self) -> u32 {
        4 * self.private_segment_buffer as u32
            + 2 * (self.dispatch_ptr as u32
                + self.queue_ptr as u32
                + self.kernarg_ptr as u32
                + self.dispatch_id as u32
                + self.flat_scratch_init as u32)
            + self.private_segment_size as u32
    }
}

impl KernelDescriptor {
    /// Bytes of a descriptor.
    pub const SIZE: usize = 64;

    /// Decodes a descriptor; every bit pattern decodes.
    pub fn decode(raw: &[u8; KernelDescriptor::SIZE]) -> KernelDescriptor {
        let word = |at: usize| u32::from_le_bytes([raw[at], raw[at + 1], raw[at + 2], raw[at + 3]]);
        let (rsrc3, rsrc1, rsrc2, tail) = (word(44), word(48), word(52), word(56));
        let (properties, preload) = (tail & 0xffff, tail >> 16);
        let zero = |range: core::ops::Range<usize>| raw[range].iter().all(|b| *b == 0);
        KernelDescriptor {
            group_segment_size: word(0),
            private_segment_size: word(4),
            kernarg_size: word(8),
            entry_offset: (u64::from(word(16)) | u64::from(word(20)) << 32) as i64,
            rsrc3: Rsrc3 { granulated_accum_offset: bits(rsrc3, 0, 6) as u8, tg_split: bit(rsrc3, 16), raw: rsrc3 },
            rsrc1: Rsrc1 {
                granulated_vgprs: bits(rsrc1, 0, 6) as u8,
                granulated_sgprs: bits(rsrc1, 6, 4) as u8,
                priority: bits(rsrc1, 10, 2) as u8,
                round_32: bits(rsrc1, 12, 2) as u8,
                round_16_64: bits(rsrc1, 14, 2) as u8,
                denorm_32: bits(rsrc1, 16, 2) as u8,
                denorm_16_64: bits(rsrc1, 18, 2) as u8,
                privileged: bit(rsrc1, 20),
                dx10_clamp: bit(rsrc1, 21),
                debug: bit(rsrc1, 22),
                ieee: bit(rsrc1, 23),
                bulky: bit(rsrc1, 24),
                cdbg_user: bit(rsrc1, 25),
                fp16_overflow: bit(rsrc1, 26),
                raw: rsrc1,
            },
            rsrc2: Rsrc2 {
                private_segment: bit(rsrc2, 0),
                user_sgpr_count: bits(rsrc2, 1, 5) as u8,
                trap_handler: bit(rsrc2, 6),
                workgroup_id_x: bit(rsrc2, 7),
                workgroup_id_y: bit(rsrc2, 8),
                workgroup_id_z: bit(rsrc2, 9),
                workgroup_info: bit(rsrc2, 10),
                workitem_ids: bits(rsrc2, 11, 2) as u8,
                exception_address_watch: bit(rsrc2, 13),
                exception_memory: bit(rsrc2, 14),
                granulated_lds: bits(rsrc2, 15, 9) as u16,
                exceptions: bits(rsrc2, 24, 7) as u8,
                raw: rsrc2,
            },
            user_sgprs: UserSgprs {
                private_segment_buffer: bit(properties, 0),
                dispatch_ptr: bit(properties, 1),
                queue_ptr: bit(properties, 2),
                kernarg_ptr: bit(properties, 3),
                dispatch_id: bit(properties, 4),
                flat_scratch_init: bit(properties, 5),
                private_segment_size: bit(properties, 6),
            },
            wave32: bit(properties, 10),
            dynamic_stack: bit(properties, 11),
            preload_length: bits(preload, 0, 7) as u8,
            preload_offset: bits(preload, 7, 9) as u16,
            reserved_is_zero: zero(12..16)
                && zero(24..44)
                && zero(60..64)
                && rsrc1 & 0xf800_0000 == 0
                && rsrc2 & 0x8000_0000 == 0
                && rsrc3 & 0xfffe_ffc0 == 0
                && properties & 0xf380 == 0,
        }
    }

    /// VGPRs allocated to a wave, AGPRs included where the target shares one file.
    pub fn vgprs(&self, target: Target) -> u32 {
        (u32::from(self.rsrc1.granulated_vgprs) + 1) * target.vgpr_granule()
    }

    /// SGPRs allocated to a wave, VCC and the like included: 16 at a time, of which the field counts halves.
    pub fn sgprs(&self) -> u32 {
        (u32::from(self.rsrc1.granulated_sgprs) / 2 + 1) * 16
    }

    /// First AGPR in the unified file; `None` where the target has a separate AGPR file.
    pub fn accum_offset(&self, target: Target) -> Option<u32> {
        target.unified_vgprs().then(|| (u32::from(self.rsrc3.granulated_accum_offset) + 1) * 4)
    }
}

//! Buffer resources: what tells a buffer instruction where memory begins and ends.

use super::KernelBuilder;
use wavesmith_asm::Build;
use wavesmith_asm::operand::SSrc;
use wavesmith_asm::reg::S;

/// Data format of a raw buffer: 32 bits.
const FORMAT: u32 = 0x0002_7000;

impl KernelBuilder {
    /// The resource of `bytes` of memory from `base` on, for raw accesses (`offen`): what is loaded from beyond is zero, what is
    /// stored there is dropped.
    #[track_caller]
    pub fn buffer_resource(&mut self, base: S<2>, bytes: impl Into<SSrc<1>>) -> S<4> {
        let resource: S<4> = self.s();
        self.s_mov_b64(resource.sub::<2>(0), base);
        // Bits 16 and up of the second dword are not the address's.
        self.s_and_b32(resource.at(1), resource.at(1), 0xffff);
        self.s_mov_b32(resource.at(2), bytes);
        self.s_mov_b32(resource.at(3), FORMAT);
        resource
    }
}

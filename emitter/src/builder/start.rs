//! What a kernel does before its author's first instruction: scratch, and arguments that come in registers.

use super::KernelBuilder;
use crate::error::EmitError;
use crate::kernarg::Arg;
use std::panic::Location;
use wavesmith_asm::reg::{FLAT_SCRATCH, S};
use wavesmith_asm::{Operand, Target};

/// Bytes that firmware which preloads arguments skips: there older firmware finds the loads that do the same.
const PRELOAD_PROLOGUE: usize = 256;

impl KernelBuilder {
    /// Records the beginning that the ABI asks for.
    #[track_caller]
    pub(super) fn begin(&mut self) {
        if let Some(first) = self.abi.preload_at() {
            if self.target == Target::Gfx908 {
                self.fail("gfx908 preloads no kernel arguments".into());
            }
            let n = u16::from(self.abi.user.kernarg_preload_length);
            let base = self.kernarg_ptr();
            let body = self.label("preloaded");
            self.manual(|b| {
                let mut bytes = 0;
                let mut put = |b: &mut KernelBuilder, name: &str, operands: &[Operand], size: usize| {
                    b.emit_by_name(name, operands);
                    bytes += size;
                };
                for i in 0..n {
                    let offset = Operand::Int(4 * i32::from(i));
                    put(b, "s_load_dword", &[S::<1>(first + i).into(), base.into(), offset], 8);
                }
                put(b, "s_waitcnt", &[Operand::Imm(0)], 4);
                b.branch(body);
                bytes += 4;
                while bytes < PRELOAD_PROLOGUE {
                    b.emit_by_name("s_nop", &[Operand::Imm(0)]);
                    bytes += 4;
                }
            });
            self.bind(body);
        }
        if let (Some(init), Some(wave)) = (self.abi.flat_scratch_init_at(), self.abi.scratch_offset_at()) {
            let (low, high) = (FLAT_SCRATCH.at(0), FLAT_SCRATCH.at(1));
            self.emit_by_name("s_add_u32", &[low.into(), S::<1>(init).into(), S::<1>(wave).into()]);
            self.emit_by_name("s_addc_u32", &[high.into(), S::<1>(init + 1).into(), Operand::Int(0)]);
        }
    }

    /// The SGPR from which an argument of `dwords` lies preloaded.
    pub(super) fn preloaded(&self, arg: Arg, dwords: u16) -> Option<u16> {
        let first = self.abi.preload_at()?;
        let at = (arg.offset / 4) as u16;
        (at + dwords <= u16::from(self.abi.user.kernarg_preload_length)).then_some(first + at)
    }

    /// `bytes` of scratch for each lane at a multiple of `align` (a power of two): the offset that `scratch_load_*` and
    /// `scratch_store_*` take. The [`Abi`](super::Abi) must ask for it.
    ///
    /// # Errors
    /// [`EmitError::Encode`] where it does not.
    #[track_caller]
    pub fn scratch(&mut self, bytes: u32, align: u32) -> Result<u32, EmitError> {
        if !self.has_scratch {
            let message = "the ABI of this kernel has no scratch: ask for it with Abi::scratch".into();
            return Err(EmitError::Encode { message, at: Location::caller() });
        }
        let offset = self.scratch.next_multiple_of(align.max(1));
        self.scratch = offset.saturating_add(bytes);
        Ok(offset)
    }
}

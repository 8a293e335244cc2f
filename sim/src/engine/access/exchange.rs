//! LDS instructions that move data between lanes.

use super::{Place, Result};
use crate::engine::ir::{Address, MemOp};
use crate::engine::lanes::WAVE;
use crate::engine::run::{Trouble, Worker};
use crate::engine::state::{Bases, Group};
use crate::fault::FaultKind;
use wavesmith_asm::sem::Ds;

/// Source lane of `ds_swizzle_b32`. Every pattern stays within 32 lanes.
fn swizzle(pattern: u32, lane: usize) -> usize {
    let (half, i) = (lane & 32, lane as u32 & 31);
    let mask = pattern & 31;
    let from = match pattern {
        // For Fourier transforms: the bits outside the mask reversed.
        0xe000.. => (i.reverse_bits() >> 27) >> mask.count_ones() | i & mask,
        // Rotation of the bits outside the mask.
        0xc000.. => {
            let by = pattern >> 5 & 31;
            let by = if pattern >> 10 & 1 == 1 { by.wrapping_neg() } else { by };
            i & mask | i.wrapping_add(by) & !mask & 31
        }
        // Quads.
        0x8000.. => i & !3 | pattern >> (2 * (i & 3)) & 3,
        // And, or, xor.
        _ => (i & mask | pattern >> 5 & 31) ^ pattern >> 10 & 31,
    };
    half | from as usize
}

impl Worker<'_> {
    /// LDS instructions that move data between lanes, and the rest.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    pub(super) unsafe fn ds(&mut self, group: &mut Group, wave: usize, op: &MemOp, d: Ds, bases: Bases) -> Result<()> {
        let exec = group.waves[wave].exec();
        // SAFETY: for the whole body, operands were lowered for this wave.
        unsafe {
            let reg = |v: crate::engine::ir::V| -> [u32; WAVE] { core::ptr::read(bases.at(v).cast()) };
            let mut out = [0u32; WAVE];
            match d {
                Ds::Bpermute => {
                    let Address::Lds(v) = op.address else { return Ok(()) };
                    let (address, data) = (reg(v), reg(op.data));
                    for (i, out) in out.iter_mut().enumerate() {
                        let from = (address[i].wrapping_add(op.offset as u32) / 4 % 64) as usize;
                        *out = if exec >> from & 1 == 1 { data[from] } else { 0 };
                    }
                }
                Ds::Permute => {
                    let Address::Lds(v) = op.address else { return Ok(()) };
                    let (address, data) = (reg(v), reg(op.data));
                    for i in 0..WAVE {
                        if exec >> i & 1 == 1 {
                            out[(address[i].wrapping_add(op.offset as u32) / 4 % 64) as usize] = data[i];
                        }
                    }
                }
                Ds::Swizzle => {
                    let Address::Lds(v) = op.address else { return Ok(()) };
                    let data = reg(v);
                    let pattern = op.offset as u32;
                    for (i, out) in out.iter_mut().enumerate() {
                        let from = swizzle(pattern, i);
                        *out = if exec >> from & 1 == 1 { data[from] } else { 0 };
                    }
                }
                Ds::Append | Ds::Consume => {
                    let at = (self.lds_m0(&group.waves[wave])).wrapping_add(op.offset as u32) & !3;
                    let old = self.read(group, Place::Lds(at), 0, 4, 0)?;
                    let n = exec.count_ones();
                    let new = if d == Ds::Append { old.wrapping_add(n) } else { old.wrapping_sub(n) };
                    self.write(group, Place::Lds(at), 0, 4, 0, new)?;
                    // Both give what was there before.
                    out = [old; WAVE];
                }
                Ds::ReadTr { bits } => return self.read_transposed(group, op, bits, bases, exec),
                _ => return Err(Trouble::new(FaultKind::Instruction, format!("not executed yet: {d:?}"))),
            }
            let dst = bases.at(op.dst);
            for (i, v) in out.iter().enumerate() {
                if exec >> i & 1 == 1 {
                    *dst.add(i) = *v;
                }
            }
        }
        Ok(())
    }

    /// `ds_read_b64_tr_*`: sixteen lanes read a block of rows and each gets a column of it.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    unsafe fn read_transposed(
        &mut self,
        group: &mut Group,
        op: &MemOp,
        bits: u8,
        bases: Bases,
        exec: u64,
    ) -> Result<()> {
        let Address::Lds(v) = op.address else { return Ok(()) };
        let dwords = if bits == 6 { 3 } else { 2 };
        // SAFETY: operands were lowered for this wave.
        let addresses: [u32; WAVE] = unsafe { core::ptr::read(bases.at(v).cast()) };
        let mut raw = [[0u32; 3]; WAVE];
        for (lane, words) in raw.iter_mut().enumerate() {
            for (k, w) in words.iter_mut().enumerate().take(dwords) {
                let at = addresses[lane].wrapping_add(op.offset as u32);
                *w = self.read(group, Place::Lds(at), 4 * k as u32, 4, lane as u32)?;
            }
        }
        let width = u32::from(bits);
        let per_lane = 32 * dwords as u32 / width;
        let take = |lane: usize, item: u32| -> u32 {
            let bit = item * width;
            let (word, shift) = ((bit / 32) as usize, bit % 32);
            let low = raw[lane][word] >> shift;
            let high = if shift + width > 32 { raw[lane][word + 1] << (32 - shift) } else { 0 };
            (low | high) & ((1u32 << width) - 1)
        };
        for lane in 0..WAVE {
            if exec >> lane & 1 == 0 {
                continue;
            }
            let (block, column) = (lane / 16 * 16, lane as u32 % 16);
            // A row of the block is sixteen elements: it lies in consecutive lanes of the group.
            let lanes_a_row = 16 / per_lane.min(16);
            let mut out = [0u32; 3];
            for item in 0..per_lane {
                let (source, index) = if per_lane <= 16 {
                    (item * lanes_a_row + column / per_lane, column % per_lane)
                } else {
                    (item, column)
                };
                let v = if per_lane <= 16 || source < 16 { take(block + (source % 16) as usize, index) } else { 0 };
                let bit = item * width;
                let (word, shift) = ((bit / 32) as usize, bit % 32);
                out[word] |= v << shift;
                if shift + width > 32 {
                    out[word + 1] |= v >> (32 - shift);
                }
            }
            for (k, w) in out.iter().enumerate().take(dwords) {
                // SAFETY: destination registers are the wave's.
                unsafe { *bases.at(op.dst.next(k as u16)).add(lane) = *w };
            }
        }
        Ok(())
    }
}

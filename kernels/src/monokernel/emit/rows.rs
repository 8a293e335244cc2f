//! Rows of activations: how a wave loads them, rounds them to f16 and puts them into LDS.

use super::Gen;
use crate::monokernel::plan::Spread;
use wavesmith_asm::build::Build;
use wavesmith_asm::reg::{S, V};

/// Cache treatment of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cache {
    /// As usual.
    Plain,
    /// Coherent across the device.
    Device,
    /// Coherent in the workgroup.
    Group,
}

/// The registers of a spread row that starts at `first`.
pub(super) fn registers(spread: Spread, first: V<1>) -> Vec<V<1>> {
    (0..spread.loads)
        .flat_map(|i| (0..spread.width).map(move |j| V(first.0 + (i * spread.stride() + j) as u16)))
        .collect()
}

impl Gen<'_> {
    /// Loads `width` dwords a lane.
    pub fn load(&mut self, width: usize, d: V<1>, lane_offset: V<1>, base: S<2>, offset: i32, cache: Cache) {
        let k = &mut self.k;
        let h = match width {
            1 => k.global_load_dword(d, lane_offset, base),
            2 => k.global_load_dwordx2(V::<2>(d.0), lane_offset, base),
            3 => k.global_load_dwordx3(V::<3>(d.0), lane_offset, base),
            _ => k.global_load_dwordx4(V::<4>(d.0), lane_offset, base),
        }
        .offset(offset);
        match cache {
            Cache::Plain => {}
            Cache::Device => _ = h.sc1(),
            Cache::Group => _ = h.sc0(),
        }
    }

    /// Stores `width` dwords a lane; `device` makes the store visible across the device.
    pub fn store(&mut self, width: usize, lane_offset: V<1>, s: V<1>, base: S<2>, offset: i32, device: bool) {
        let k = &mut self.k;
        let h = match width {
            1 => k.global_store_dword(lane_offset, s, base),
            2 => k.global_store_dwordx2(lane_offset, V::<2>(s.0), base),
            3 => k.global_store_dwordx3(lane_offset, V::<3>(s.0), base),
            _ => k.global_store_dwordx4(lane_offset, V::<4>(s.0), base),
        }
        .offset(offset);
        if device {
            h.sc1();
        }
    }

    /// What must be added to a row's base so that all its loads' offsets fit 13 signed bits.
    pub fn bias(spread: Spread) -> i32 {
        if spread.loads * spread.width * 256 > 4096 { 4096 } else { 0 }
    }

    /// Loads a row. `lane_offset` is lane × width × 4; `base` already has the row's bias.
    pub fn load_row(&mut self, spread: Spread, first: V<1>, lane_offset: V<1>, base: S<2>, cache: Cache) {
        for i in 0..spread.loads {
            let d = V(first.0 + (i * spread.stride()) as u16);
            let offset = (i * spread.width * 256) as i32 - Self::bias(spread);
            self.load(spread.width, d, lane_offset, base, offset, cache);
        }
    }

    /// Stores a row, as [`load_row`](Self::load_row) loads it.
    pub fn store_row(&mut self, spread: Spread, first: V<1>, lane_offset: V<1>, base: S<2>) {
        for i in 0..spread.loads {
            let s = V(first.0 + (i * spread.stride()) as u16);
            let offset = (i * spread.width * 256) as i32 - Self::bias(spread);
            self.store(spread.width, lane_offset, s, base, offset, false);
        }
    }

    /// Rounds a row to f16 and writes it to LDS at `address`, which is the row's start plus lane × width × 2, plus the
    /// constant `offset`. The registers are consumed.
    pub fn write_f16(&mut self, spread: Spread, first: V<1>, address: V<1>, offset: usize) {
        let regs = registers(spread, first);
        for &r in &regs {
            self.k.v_cvt_f16_f32(r, r);
        }
        for (i, lane) in regs.chunks(spread.width).enumerate() {
            let at = (offset + i * spread.width * 128) as i32;
            match *lane {
                [a, b] => {
                    self.k.v_pack_b32_f16(a, a, b);
                    self.k.ds_write_b32(address, a).offset(at);
                }
                [a, b, c, d] => {
                    self.k.v_pack_b32_f16(a, a, b);
                    self.k.v_pack_b32_f16(b, c, d);
                    self.k.ds_write_b64(address, V::<2>(a.0)).offset(at);
                }
                // One or three halves: their lane's address is not a multiple of four.
                _ => {
                    for (j, &r) in lane.iter().enumerate() {
                        self.k.ds_write_b16(address, r).offset(at + 2 * j as i32);
                    }
                }
            }
        }
    }
}

//! One operand's way from memory straight into LDS, without registers.
//!
//! `buffer_load … lds` writes the lanes' data side by side from M0 on: LDS is linear in the lanes, so the swizzle is in
//! the addresses that lanes load from. A lane's address stays as it is; the stage is the scalar offset. What lies beyond
//! K is loaded from beyond the buffer, which gives zero.

use super::arith::{add_product, constant};
use super::loader::Tile;
use super::params::GemmParams;
use super::plan::{SCALE_ROWS, Scales, Side};
use wavesmith_asm::Build;
use wavesmith_asm::reg::{M0, S, V, VCC};
use wavesmith_emitter::KernelBuilder;

/// Bytes that a buffer claims: more than any tile spans, and so few that an offset of as many, which is beyond, does not
/// wrap for the last dword of a load.
const RECORDS: u32 = 0xffff_0000;
/// Data format of the resource: 32 bits, as raw loads want it.
const FORMAT: u32 = 0x0002_7000;

/// What one lane loads.
struct Load {
    row: V<1>,
    /// Byte in the row, and first k in the stage.
    byte: V<1>,
    k: V<1>,
    offset: V<1>,
    /// LDS bytes from the wave's first.
    lds: u32,
}

/// Loads of one operand, or of its scales.
pub(super) struct Direct {
    loads: Vec<Load>,
    resource: S<4>,
    stage: S<1>,
    /// Whether `stage` is this one's to move on.
    leads: bool,
    /// Bytes of memory from one stage to the next.
    step: u32,
    /// Bytes a lane loads.
    pub width: u32,
    /// Rows of the matrix that one row here stands for, and products of a byte of it: 1 but for scales.
    rows: u32,
    /// Products that a row's byte, times eight, stands for.
    bits: u32,
}

impl Direct {
    /// Loads of an operand.
    pub(super) fn operand(
        b: &mut KernelBuilder,
        p: &GemmParams,
        side: &Side,
        width: u32,
        stage_k: u32,
        tid: V<1>,
    ) -> Direct {
        let tile = side.tile;
        let all = p.threads() * width;
        let loads = (0..tile.bytes() / all).map(|j| {
            let [row, byte] = tile.linear(b, tid, j * all, width);
            let k: V<1> = b.v();
            match side.bits {
                4 => b.v_lshlrev_b32(k, 1, byte),
                bits => b.v_lshrrev_b32(k, (bits / 8).ilog2(), byte),
            };
            let row = side.matrix_row(b, p.mfma, row);
            Load { row, byte, k, offset: b.v(), lds: tile.offset + j * all }
        });
        let loads = loads.collect();
        let step = stage_k * side.bits / 8;
        Direct { loads, resource: b.s(), stage: b.s(), leads: true, step, width, rows: 1, bits: side.bits }
    }

    /// Loads of an operand's scales: a row is a block of 64 rows, with a dword a lane for each matrix instruction.
    pub(super) fn scales(
        b: &mut KernelBuilder,
        p: &GemmParams,
        scales: &Scales,
        steps: u32,
        op_k: u32,
        tid: V<1>,
    ) -> Direct {
        let (width, row_bytes) = (4, steps * 256);
        let all = p.threads() * width;
        let loads = (0..(scales.blocks * row_bytes).div_ceil(all)).map(|j| {
            let (at, row, byte, k): (V<1>, V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v(), b.v());
            b.v_lshlrev_b32(at, 2, tid);
            b.v_add_u32(at, j * all, at);
            b.v_lshrrev_b32(row, row_bytes.ilog2(), at);
            b.v_and_b32(byte, row_bytes - 1, at);
            b.v_lshrrev_b32(k, 8, byte);
            b.v_lshlrev_b32(k, op_k.ilog2(), k);
            Load { row, byte, k, offset: b.v(), lds: scales.offset + j * all }
        });
        let loads = loads.collect();
        Direct { loads, resource: b.s(), stage: b.s(), leads: true, step: row_bytes, width, rows: SCALE_ROWS, bits: 16 }
    }

    /// Begins a tile.
    pub(super) fn seek(&self, b: &mut KernelBuilder, t: &Tile) {
        let base: S<2> = self.resource.sub(0);
        let (first, last, bytes): (S<1>, S<1>, S<1>) = (b.s(), b.s(), b.s());
        b.s_mov_b64(base, t.base);
        b.s_lshr_b32(first, t.first, self.rows.ilog2());
        b.s_sub_u32(last, t.limit, 1);
        b.s_lshr_b32(last, last, self.rows.ilog2());
        b.s_sub_u32(last, last, first);
        add_product(b, base, first, t.pitch);
        b.s_lshr_b32(bytes, t.k, 3);
        let per_eight = constant(b, self.bits);
        add_product(b, base, bytes, per_eight);
        b.s_and_b32(base.at(1), base.at(1), 0xffff);
        b.s_mov_b32(self.resource.at(2), RECORDS);
        b.s_mov_b32(self.resource.at(3), FORMAT);
        b.s_mov_b32(self.stage, 0);
        for load in &self.loads {
            let row: V<1> = b.v();
            // Rows beyond the matrix repeat its last one: what they give is never stored.
            b.v_min_u32(row, last, load.row);
            b.v_mul_lo_u32(row, row, t.pitch);
            b.v_add_u32(load.offset, load.byte, row);
        }
    }

    /// Goes along with another that takes the same steps.
    pub(super) fn follow(&mut self, other: &Direct) {
        if other.leads && other.step == self.step {
            (self.stage, self.leads) = (other.stage, false);
        }
    }

    /// Moves on to the next stage.
    pub(super) fn advance(&self, b: &mut KernelBuilder) {
        if self.leads {
            b.s_add_u32(self.stage, self.stage, self.step);
        }
    }

    /// Loads a whole stage to LDS from `to` on, which is the wave's place.
    pub(super) fn load(&self, b: &mut KernelBuilder, to: S<1>) {
        for load in &self.loads {
            self.one(b, to, load.lds, load.offset);
        }
    }

    /// Loads a stage of which `left` products remain, perhaps none: what lies beyond is zero.
    pub(super) fn load_rest(&self, b: &mut KernelBuilder, to: S<1>, left: S<1>) {
        let beyond: V<1> = b.v();
        b.v_mov_b32(beyond, RECORDS);
        for load in &self.loads {
            let offset: V<1> = b.v();
            b.v_cmp_gt_i32(VCC, left, load.k);
            b.v_cndmask_b32(offset, beyond, load.offset, VCC);
            self.one(b, to, load.lds, offset);
        }
    }

    fn one(&self, b: &mut KernelBuilder, to: S<1>, lds: u32, offset: V<1>) {
        b.s_add_u32(M0, to, lds);
        if self.width == 16 {
            b.buffer_load_dwordx4_lds(offset, self.resource, self.stage).offen();
        } else {
            b.buffer_load_dword_lds(offset, self.resource, self.stage).offen();
        }
    }

    /// Loads of a stage.
    pub(super) fn count(&self) -> usize {
        self.loads.len()
    }
}

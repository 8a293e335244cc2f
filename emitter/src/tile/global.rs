//! A matrix in memory, of which tiles are loaded and stored.
//!
//! It is reached through a buffer resource, so the hardware minds the end of memory: what lies below the last row is
//! loaded as zero and not stored. What lies to the right of the last column is told it lies there. Nothing is asked of
//! a kernel at the edges.

use super::packed::{PIECE, PackedTile};
use super::register::{Layout, RegTile, pack};
use super::shared::SharedTile;
use crate::builder::KernelBuilder;
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{M0, S, V, VCC};
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Field, Operand, Target, names};

/// An offset that lies beyond every buffer, and so few bytes from the end of 32 bits that what is added to it wraps nowhere.
const BEYOND: u32 = 0xffff_0000;

/// A matrix in memory, row by row.
#[derive(Clone, Copy, Debug)]
pub struct GlobalTile {
    resource: S<4>,
    /// Bytes from one row to the next.
    pitch: S<1>,
    columns: S<1>,
    elem: Elem,
}

impl GlobalTile {
    /// A matrix of `rows` × `columns` at an address, its rows `pitch` bytes apart: whole dwords, together less than 4 GB.
    #[track_caller]
    pub fn new(b: &mut KernelBuilder, base: S<2>, elem: Elem, [rows, columns]: [S<1>; 2], pitch: S<1>) -> GlobalTile {
        let bytes: S<1> = b.s();
        b.s_mul_i32(bytes, rows, pitch);
        let resource = b.buffer_resource(base, bytes);
        GlobalTile { resource, pitch, columns, elem }
    }

    /// The byte offset of a column's element in its row.
    fn bytes(&self, columns: u32) -> u32 {
        columns * self.elem.bits() / 8
    }

    /// Loads an operand from the row and column `first` on: as wide as a lane's runs are, whose columns must be all inside or
    /// all outside.
    #[track_caller]
    pub fn load(&self, b: &mut KernelBuilder, to: &RegTile, first: [S<1>; 2]) {
        let Layout::Rows { run, .. } = to.layout else {
            return b.fail("results are not loaded: load an operand".into());
        };
        let bytes = self.bytes(run);
        let name = match bytes {
            4 => "buffer_load_dword",
            8 => "buffer_load_dwordx2",
            16 => "buffer_load_dwordx4",
            _ => return b.fail(format!("a lane's run has {bytes} bytes: 4, 8 and 16 are loaded")),
        };
        let Some(mnemonic) = names::lookup(name) else { return };
        let (row, group) = lanes(b, to.op.m);
        b.v_add_u32(row, first[0], row);
        for (r, down, across) in to.runs() {
            let column: V<1> = b.v();
            b.v_lshlrev_b32(column, run.ilog2(), group);
            b.v_add_u32(column, first[1], column);
            b.v_add_u32(column, across * run * to.op.groups(), column);
            let offset = self.offset(b, row, down * to.op.m, column);
            let at = b.record(mnemonic, &[r.into(), offset.into(), self.resource.into(), Operand::Int(0)]);
            b.set_field(at, Field::Offen, 1);
        }
    }

    /// Loads an operand whose rows are this matrix's columns, so that K runs down: element by element, of 16 bits each.
    #[track_caller]
    pub fn load_transposed(&self, b: &mut KernelBuilder, to: &RegTile, first: [S<1>; 2]) {
        let Layout::Rows { run, .. } = to.layout else {
            return b.fail("results are not loaded: load an operand".into());
        };
        if self.elem.bits() != 16 {
            return b.fail(format!("{:?} is not loaded across: elements of 16 bits are", self.elem));
        }
        let (column, group) = lanes(b, to.op.m);
        b.v_add_u32(column, first[1], column);
        // A load of a half writes its register whole, so upper halves come apart and join once all are on their way.
        let mut uppers: Vec<(V<1>, V<1>)> = Vec::new();
        for (r, down, across) in to.runs() {
            let (row, at): (V<1>, V<1>) = (b.v(), b.v());
            b.v_lshlrev_b32(row, run.ilog2(), group);
            b.v_add_u32(row, first[0], row);
            b.v_add_u32(at, down * to.op.m, column);
            let mut offset = self.offset(b, row, across * run * to.op.groups(), at);
            for i in 0..run {
                let dst: V<1> = V(r.index + i as u16 / 2);
                if i % 2 == 0 {
                    b.buffer_load_ushort(dst, offset, self.resource, 0).offen();
                } else {
                    let upper: V<1> = b.v();
                    b.buffer_load_ushort(upper, offset, self.resource, 0).offen();
                    uppers.push((dst, upper));
                }
                if i + 1 < run {
                    let next: V<1> = b.v();
                    b.v_add_u32(next, self.pitch, offset);
                    // From beyond a row there is no way back to it.
                    b.v_max_u32(next, next, offset);
                    offset = next;
                }
            }
        }
        for (whole, upper) in uppers {
            b.v_lshl_or_b32(whole, upper, 16, whole);
        }
    }

    /// Stores a result of f32 from the row and column `first` on, rounded to the matrix's type.
    #[track_caller]
    pub fn store(&self, b: &mut KernelBuilder, from: &RegTile, first: [S<1>; 2]) {
        let (row, column) = (from.lane_row(b), from.lane_column(b));
        b.v_add_u32(row, first[0], row);
        b.v_add_u32(column, first[1], column);
        from.for_each(b, |b, x, down, across| {
            let at: V<1> = b.v();
            b.v_add_u32(at, across * from.op.n, column);
            let offset = self.offset(b, row, down, at);
            self.store_one(b, x, offset);
        });
    }

    /// Stores a result transposed: its columns become rows.
    #[track_caller]
    pub fn store_transposed(&self, b: &mut KernelBuilder, from: &RegTile, first: [S<1>; 2]) {
        let (row, column) = (from.lane_column(b), from.lane_row(b));
        b.v_add_u32(row, first[0], row);
        b.v_add_u32(column, first[1], column);
        from.for_each(b, |b, x, down, across| {
            let at: V<1> = b.v();
            b.v_add_u32(at, down, column);
            let offset = self.offset(b, row, across * from.op.n, at);
            self.store_one(b, x, offset);
        });
    }

    /// Loads a tile straight into LDS, from the row `first` and the byte `byte` of each row on: `width` bytes a lane (4, or 16
    /// on gfx950), by `threads` work-items of which `tid` is the number and `wave` the wave's, whose loads must fill the
    /// tile in whole rounds. What lies beyond the last column is loaded all the same. For 12 bytes see
    /// [`GlobalTile::load_packed`]. LDS is there once all waves have waited for their loads and met at a barrier, which
    /// the emitter sees to unless [`KernelBuilder::own_lds_fills`] is asked for.
    #[track_caller]
    pub fn load_shared(
        &self,
        b: &mut KernelBuilder,
        to: &SharedTile,
        [first, byte]: [S<1>; 2],
        width: u32,
        [threads, tid, wave]: [Operand; 3],
    ) {
        let (Operand::Int(threads), Operand::Reg(tid), Operand::Reg(wave)) = (threads, tid, wave) else {
            return b.fail("load_shared takes a number of work-items, a VGPR and an SGPR".into());
        };
        let (tid, wave): (V<1>, S<1>) = (V(tid.index), S(wave.index));
        if !(width == 4 || width == 16 && b.target() == Target::Gfx950) {
            return b.fail(format!("{} loads no {width} bytes a lane straight into LDS", b.target()));
        }
        let all = threads as u32 * width;
        if all == 0 || !to.bytes().is_multiple_of(all) {
            return b.fail(format!(
                "{threads} work-items of {width} bytes do not fill {} bytes in whole rounds",
                to.bytes()
            ));
        }
        let m0: S<1> = b.s();
        b.s_lshl_b32(m0, wave, (64 * width).ilog2());
        for j in 0..to.bytes() / all {
            let [row, inside] = to.linear(b, tid, j * all, width);
            b.v_add_u32(row, first, row);
            b.v_mul_lo_u32(row, row, self.pitch);
            b.v_add_u32(row, inside, row);
            b.s_add_u32(M0, m0, to.offset + j * all);
            if width == 16 {
                b.buffer_load_dwordx4_lds(row, self.resource, byte).offen();
            } else {
                b.buffer_load_dword_lds(row, self.resource, byte).offen();
            }
        }
    }

    /// Loads a tile of 6-bit elements straight into LDS, 12 bytes a lane, as [`GlobalTile::load_shared`] does others. The rows of
    /// the matrix are packed: four elements in three bytes.
    #[track_caller]
    pub fn load_packed(
        &self,
        b: &mut KernelBuilder,
        to: &PackedTile,
        [first, byte]: [S<1>; 2],
        [threads, tid, wave]: [Operand; 3],
    ) {
        let (Operand::Int(threads), Operand::Reg(tid), Operand::Reg(wave)) = (threads, tid, wave) else {
            return b.fail("load_packed takes a number of work-items, a VGPR and an SGPR".into());
        };
        let (tid, wave, threads): (V<1>, S<1>, u32) = (V(tid.index), S(wave.index), threads as u32);
        if threads == 0 || !to.bytes().is_multiple_of(threads * PIECE) {
            return b.fail(format!(
                "{threads} work-items of {PIECE} bytes do not fill {} bytes in whole rounds",
                to.bytes()
            ));
        }
        let m0: S<1> = b.s();
        b.s_mul_i32(m0, wave, 64 * PIECE);
        for j in 0..to.bytes() / (threads * PIECE) {
            let [row, inside] = to.linear(b, tid, j * threads);
            b.v_add_u32(row, first, row);
            b.v_mul_lo_u32(row, row, self.pitch);
            b.v_add_u32(row, inside, row);
            b.s_add_u32(M0, m0, to.offset + j * threads * PIECE);
            b.buffer_load_dwordx3_lds(row, self.resource, byte).offen();
        }
    }

    /// The byte offset of an element; beyond the buffer where the column is beyond the last.
    #[track_caller]
    fn offset(&self, b: &mut KernelBuilder, row: V<1>, down: u32, column: V<1>) -> V<1> {
        let (offset, beyond, size): (V<1>, V<1>, u32) = (b.v(), b.v(), self.elem.bits() / 8);
        b.v_add_u32(offset, down, row);
        b.v_mul_lo_u32(offset, offset, self.pitch);
        b.v_lshl_add_u32(offset, column, size.ilog2(), offset);
        b.v_mov_b32(beyond, BEYOND);
        b.v_cmp_gt_u32(VCC, self.columns, column);
        b.v_cndmask_b32(offset, beyond, offset, VCC);
        offset
    }

    #[track_caller]
    fn store_one(&self, b: &mut KernelBuilder, x: V<1>, offset: V<1>) {
        match self.elem {
            Elem::F16 | Elem::Bf16 => {
                let (low, high): (V<1>, V<1>) = (b.v(), b.v());
                b.v_mov_b32(low, x);
                b.v_mov_b32(high, 0);
                let rounded = pack(b, self.elem, low, high);
                b.buffer_store_short(rounded, offset, self.resource, 0).offen();
            }
            elem if elem.bits() == 32 => _ = b.buffer_store_dword(x, offset, self.resource, 0).offen(),
            elem => b.fail(format!("results are not stored as {elem:?}")),
        }
    }
}

/// A lane's row in a block of `m`, and its group.
#[track_caller]
pub(super) fn lanes(b: &mut KernelBuilder, m: u32) -> (V<1>, V<1>) {
    let (row, group, lane): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.lane_id());
    b.v_and_b32(row, m - 1, lane);
    b.v_lshrrev_b32(group, m.ilog2(), lane);
    (row, group)
}

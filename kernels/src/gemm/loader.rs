//! One operand's way from memory through registers to LDS: which work-item loads what, and where it puts it.
//!
//! LDS rows run along K whatever memory does. Where memory rows run along K as well, a work-item loads whole chunks,
//! in pieces as wide as the matrix's rows allow. Where they run across K, neighbouring work-items take neighbouring rows
//! of the tile, so that each load of one element apiece is one run of memory, and a chunk gathers its elements one k at
//! a time. Elements of 6 bits come as blocks of 32 in 24 bytes, and take two chunks of which the second is half empty.

use super::arith::{add_product, constant};
use super::params::GemmParams;
use super::plan::{CHUNK, Side};
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{EXEC, Reg, RegClass, S, V, VCC};
use wavesmith_asm::{Build, Field, Mnemonic, names};
use wavesmith_emitter::KernelBuilder;

/// Where an operand's tile begins: what changes from one tile of C to the next.
pub(super) struct Tile {
    /// The matrix.
    pub base: S<2>,
    /// Bytes from one stored row to the next.
    pub pitch: S<1>,
    /// First row of the tile, and rows of the matrix.
    pub first: S<1>,
    pub limit: S<1>,
    /// First product.
    pub k: S<1>,
}

/// A chunk of one work-item, or the two of a block of 6-bit elements.
struct Item {
    row: V<1>,
    /// Its first k in the stage.
    k: V<1>,
    address: V<1>,
    data: Reg,
    /// Where loads are of parts of a dword, what belongs above the first part of each, part by part: a load of a part
    /// writes its register whole, so the parts come apart and are put together before they go to LDS. Bytes take so many
    /// registers that items take turns with two sets of them.
    upper: Vec<Reg>,
    /// LDS address of each chunk with its offset.
    lds: Vec<(V<1>, u32)>,
}

/// One load of an item.
#[derive(Clone, Copy)]
struct Piece {
    /// Byte in the item.
    at: u32,
    bytes: u32,
}

pub(super) struct Loader {
    side: Side,
    items: Vec<Item>,
    pieces: Vec<Piece>,
    pointer: S<2>,
    /// Bytes from one stage to the next.
    step: S<2>,
    /// Byte offset of each k of a chunk, where memory rows run across K.
    across: Vec<S<1>>,
    /// LDS addresses, each once.
    addresses: Vec<V<1>>,
}

/// The LDS chunk of chunk `chunk` of memory, where LDS has the two chunks of a lane `groups` apart: the lowest bit of the
/// number goes above the group's.
fn turned(b: &mut KernelBuilder, chunk: V<1>, groups: u32) -> V<1> {
    let (x, group): (V<1>, V<1>) = (b.v(), b.v());
    b.v_bfe_u32(group, chunk, 1, groups.ilog2());
    b.v_and_b32(x, 1, chunk);
    b.v_lshl_or_b32(group, x, groups.ilog2(), group);
    b.v_and_b32(x, -(2 * groups as i32), chunk);
    b.v_or_b32(x, group, x);
    x
}

/// Makes whole dwords of an item's parts.
fn together(b: &mut KernelBuilder, item: &Item) {
    for i in 0..4 {
        let whole: V<1> = V(item.data.index + i);
        let above = |n: usize| V::<1>(item.upper[n].index + i);
        match item.upper.len() {
            0 => {}
            1 => _ = b.v_lshl_or_b32(whole, above(0), 16, whole),
            _ => {
                b.v_lshl_or_b32(whole, above(0), 8, whole);
                b.v_lshl_or_b32(above(1), above(2), 8, above(1));
                b.v_lshl_or_b32(whole, above(1), 16, whole);
            }
        }
    }
}

impl Loader {
    pub(super) fn new(b: &mut KernelBuilder, p: &GemmParams, side: &Side, groups: u32, tid: V<1>) -> Loader {
        let tile = side.tile;
        let chunks = if side.padded() { 2 } else { 1 };
        let per_row = tile.chunks() / chunks;
        let elements = chunks * side.chunk_elements();
        let pieces = match (side.padded(), side.along) {
            (true, _) => vec![Piece { at: 0, bytes: 16 }, Piece { at: 16, bytes: 8 }],
            (_, along) => {
                let bytes = if along { p.load_bytes } else { side.bits / 8 };
                (0..CHUNK / bytes).map(|i| Piece { at: i * bytes, bytes }).collect()
            }
        };
        let across = if side.along { Vec::new() } else { (0..elements).map(|_| b.s()).collect() };
        let mut loader = Loader {
            side: *side,
            items: Vec::new(),
            pieces,
            pointer: b.s(),
            step: b.s(),
            across,
            addresses: Vec::new(),
        };
        let row_step = p.threads() / per_row;
        for j in 0..tile.rows * per_row / p.threads() {
            let (row, unit): (V<1>, V<1>) = (b.v(), b.v());
            let whole_rows = side.along && !side.padded();
            if whole_rows {
                b.v_and_b32(unit, per_row - 1, tid);
                b.v_lshrrev_b32(row, per_row.ilog2(), tid);
                if j > 0 {
                    b.v_add_u32(row, j * row_step, row);
                }
            } else {
                let index: V<1> = b.v();
                b.v_add_u32(index, j * p.threads(), tid);
                let index_row: V<1> = b.v();
                b.v_and_b32(index_row, tile.rows - 1, index);
                let spread = tile.spread_rows(b, index_row);
                b.v_mov_b32(row, spread);
                b.v_lshrrev_b32(unit, tile.rows.ilog2(), index);
            }
            let lds = match loader.items.first() {
                Some(first) if whole_rows && tile.repeats(row_step) => {
                    first.lds.iter().map(|(address, _)| (*address, j * row_step * tile.row_bytes)).collect()
                }
                _ => loader.lds_addresses(b, row, unit, chunks, groups),
            };
            let k: V<1> = b.v();
            b.v_lshlrev_b32(k, elements.ilog2(), unit);
            let data = b.run(RegClass::V, 4 * chunks as u8);
            if side.padded() {
                // The half chunk that is stored along is read along, and ignored.
                b.v_mov_b32(V(data.index + 6), 0);
                b.v_mov_b32(V(data.index + 7), 0);
            }
            let upper = match loader.items.get((j as usize).wrapping_sub(2)) {
                Some(earlier) if loader.single_bytes() => earlier.upper.clone(),
                _ => {
                    let bytes = loader.pieces.iter().map(|p| p.bytes).min().unwrap_or(4);
                    (1..4u32.div_ceil(bytes)).map(|_| b.run(RegClass::V, 4)).collect()
                }
            };
            let row = side.matrix_row(b, p.mfma, row);
            loader.items.push(Item { row, k, address: b.v(), data, upper, lds });
        }
        loader
    }

    fn lds_addresses(
        &mut self,
        b: &mut KernelBuilder,
        row: V<1>,
        unit: V<1>,
        chunks: u32,
        groups: u32,
    ) -> Vec<(V<1>, u32)> {
        let mut out = Vec::new();
        for h in 0..chunks {
            let mut chunk = unit;
            if chunks > 1 {
                chunk = b.v();
                b.v_lshl_or_b32(chunk, unit, 1, h);
                chunk = turned(b, chunk, groups);
            }
            let address = self.side.tile.address(b, row, chunk);
            self.addresses.push(address);
            out.push((address, 0));
        }
        out
    }

    /// Begins a tile.
    pub(super) fn seek(&self, b: &mut KernelBuilder, t: &Tile, stage_k: u32) {
        let bits = self.side.bits;
        b.s_mov_b64(self.pointer, t.base);
        let last: S<1> = b.s();
        b.s_sub_u32(last, t.limit, t.first);
        b.s_sub_u32(last, last, 1);
        if self.side.along {
            add_product(b, self.pointer, t.first, t.pitch);
            let bytes: S<1> = b.s();
            b.s_lshr_b32(bytes, t.k, 3);
            let per_eight = constant(b, bits);
            // Stages begin at multiples of eight elements.
            add_product(b, self.pointer, bytes, per_eight);
            b.s_mov_b32(self.step.at(0), stage_k * bits / 8);
            b.s_mov_b32(self.step.at(1), 0);
        } else {
            let size = constant(b, bits / 8);
            add_product(b, self.pointer, t.first, size);
            add_product(b, self.pointer, t.k, t.pitch);
            b.s_mul_i32(self.step.at(0), t.pitch, stage_k);
            b.s_mul_hi_u32(self.step.at(1), t.pitch, stage_k);
            for (k, offset) in self.across.iter().enumerate() {
                b.s_mul_i32(*offset, t.pitch, k as u32);
            }
        }
        for item in &self.items {
            let (row, address): (V<1>, V<1>) = (b.v(), item.address);
            // Rows beyond the matrix repeat its last one: what they give is never stored.
            b.v_min_u32(row, last, item.row);
            if self.side.along {
                let bytes: V<1> = b.v();
                b.v_mul_lo_u32(address, row, t.pitch);
                if self.side.padded() {
                    b.v_lshrrev_b32(bytes, 3, item.k);
                    b.v_mul_u32_u24(bytes, bits, bytes);
                } else {
                    // Parts of 4 bits fill whole chunks, of 32 elements.
                    b.v_lshlrev_b32(bytes, bits.ilog2(), item.k);
                    b.v_lshrrev_b32(bytes, 3, bytes);
                }
                b.v_add_u32(address, bytes, address);
            } else {
                b.v_mul_lo_u32(address, item.k, t.pitch);
                b.v_lshl_add_u32(address, row, (bits / 8).ilog2(), address);
            }
        }
    }

    /// Moves on to the next stage.
    pub(super) fn advance(&self, b: &mut KernelBuilder) {
        b.s_add_u32(self.pointer.at(0), self.pointer.at(0), self.step.at(0));
        b.s_addc_u32(self.pointer.at(1), self.pointer.at(1), self.step.at(1));
    }

    fn single_bytes(&self) -> bool {
        self.pieces.iter().any(|p| p.bytes == 1)
    }

    /// Loads a whole stage.
    pub(super) fn load(&self, b: &mut KernelBuilder) {
        self.load_items(b, |b, item| {
            for (i, piece) in self.pieces.iter().enumerate() {
                self.piece(b, item, i, *piece);
            }
        });
    }

    /// Loads a stage of which `left` products remain, perhaps none: what lies beyond is zero.
    pub(super) fn load_rest(&self, b: &mut KernelBuilder, left: S<1>) {
        let (saved, before): (S<2>, S<1>) = (b.s(), b.s());
        self.load_items(b, |b, item| {
            for r in [item.data].iter().chain(&item.upper) {
                for i in 0..r.count {
                    b.v_mov_b32(V(r.index + u16::from(i)), 0);
                }
            }
            for (i, piece) in self.pieces.iter().enumerate() {
                b.s_sub_u32(before, left, piece.at * 8 / self.side.bits);
                b.v_cmp_gt_i32(VCC, before, item.k);
                b.s_and_saveexec_b64(saved, VCC);
                self.piece(b, item, i, *piece);
                b.s_mov_b64(EXEC, saved);
            }
        });
    }

    /// Loads every item, and where they take turns with registers, puts each together once the next is on its way.
    fn load_items(&self, b: &mut KernelBuilder, load: impl Fn(&mut KernelBuilder, &Item)) {
        let turns = self.single_bytes();
        for (j, item) in self.items.iter().enumerate() {
            load(b, item);
            if turns && j > 0 {
                together(b, &self.items[j - 1]);
            }
        }
        if let Some(last) = self.items.last().filter(|_| turns) {
            together(b, last);
        }
    }

    fn piece(&self, b: &mut KernelBuilder, item: &Item, i: usize, piece: Piece) {
        let at = (piece.at / 4) as u16;
        let reg = |count| Reg { index: item.data.index + at, count, ..item.data };
        let part = |count: usize| match (piece.at / piece.bytes) as usize % count {
            0 => reg(1),
            n => Reg { index: item.upper[n - 1].index + at, count: 1, ..item.data },
        };
        let (name, dst) = match piece.bytes {
            16 => ("global_load_dwordx4", reg(4)),
            8 => ("global_load_dwordx2", reg(2)),
            4 => ("global_load_dword", reg(1)),
            2 => ("global_load_ushort", part(2)),
            _ => ("global_load_ubyte", part(4)),
        };
        let mnemonic: Option<Mnemonic> = names::lookup(name);
        let Some(mnemonic) = mnemonic else { return };
        if self.across.is_empty() {
            let n = b.record(mnemonic, &[dst.into(), item.address.into(), self.pointer.into()]);
            b.set_field(n, Field::Offset, piece.at);
        } else {
            let address: V<1> = b.v();
            b.v_add_u32(address, self.across[i], item.address);
            b.record(mnemonic, &[dst.into(), address.into(), self.pointer.into()]);
        }
    }

    /// Writes what was loaded to LDS.
    pub(super) fn store(&self, b: &mut KernelBuilder) {
        for item in &self.items {
            if !self.single_bytes() {
                together(b, item);
            }
            for (h, (address, offset)) in item.lds.iter().enumerate() {
                let data: V<4> = V(item.data.index + 4 * h as u16);
                b.ds_write_b128(*address, data).offset(*offset as i32);
            }
        }
    }

    /// The LDS addresses, to be moved from one stage to the next.
    pub(super) fn addresses(&self) -> &[V<1>] {
        &self.addresses
    }
}

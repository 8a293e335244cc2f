//! A tile of 6-bit elements in LDS, packed as in memory, filled 12 bytes a lane.
//!
//! A lane of a matrix instruction holds 32 elements along K, which are a block of 24 bytes: no power of two, so the chunks of a
//! [`SharedTile`](super::SharedTile) would leave a quarter of the LDS empty, and loads of 16 bytes would cut blocks apart. Here
//! a row has four blocks side by side for each 128 along K, and `buffer_load_dwordx3 … lds` brings half a block a lane. Operands
//! are read 8 bytes a lane, three times; 24 of the 96 bytes that lie between rows repeat every eighth row in the 64 banks, so
//! block `g` of row `r` is kept at `g XOR x`, `x` being bits 3 and 4 of the row, the lower one first. The tests prove reads of
//! both shapes of matrix instruction free of conflicts.

use super::global::lanes;
use super::register::RegTile;
use crate::builder::KernelBuilder;
use wavesmith_asm::reg::V;
use wavesmith_asm::{Build, Target};

/// Bytes that a lane loads.
pub const PIECE: u32 = 12;
/// Bytes of a row for each 128 along K.
const ROW: u32 = 96;
/// Blocks of them.
const BLOCKS: u32 = 4;
/// Bytes of a block.
const BLOCK: u32 = ROW / BLOCKS;

/// A tile of `rows` rows of 6-bit elements, 128 along K at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedTile {
    /// Rows: a power of two.
    pub rows: u32,
    /// How many times 128 elements a row has.
    pub steps: u32,
    /// Byte offset in LDS.
    pub offset: u32,
}

impl PackedTile {
    /// A tile of `rows` × `columns` elements at `offset`. `None` unless rows are a power of two of at least 16, columns a
    /// multiple of 128, and the target one that loads 12 bytes straight into LDS and multiplies such elements: gfx950.
    pub fn new(target: Target, rows: u32, columns: u32, offset: u32) -> Option<PackedTile> {
        let fits = rows.is_power_of_two() && rows >= 16 && columns > 0 && columns.is_multiple_of(128);
        (fits && target == Target::Gfx950).then_some(PackedTile { rows, steps: columns / 128, offset })
    }

    /// Bytes of the tile.
    pub const fn bytes(&self) -> u32 {
        self.rows * self.steps * ROW
    }

    /// What a row's block numbers are XORed with.
    pub const fn swizzle(row: u32) -> u32 {
        (row >> 3 & 1) << 1 | row >> 4 & 1
    }

    /// Byte offset, from the tile's own, of a block of a row: blocks count along the whole row.
    pub const fn at(&self, row: u32, block: u32) -> u32 {
        let place = (block % BLOCKS) ^ Self::swizzle(row);
        (block / BLOCKS * self.rows + row) * ROW + place * BLOCK
    }

    /// Instructions for what a row's block numbers are XORed with, by lane.
    #[track_caller]
    fn swizzled(&self, b: &mut KernelBuilder, row: V<1>) -> V<1> {
        let (x, high): (V<1>, V<1>) = (b.v(), b.v());
        b.v_bfe_u32(high, row, 3, 1);
        b.v_bfe_u32(x, row, 4, 1);
        b.v_lshl_or_b32(x, high, 1, x);
        x
    }

    /// Instructions for what a lane loads straight into LDS, `base` pieces into the tile: the row, and the byte in it.
    #[track_caller]
    pub(super) fn linear(&self, b: &mut KernelBuilder, tid: V<1>, base: u32) -> [V<1>; 2] {
        let (at, row, piece, byte): (V<1>, V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v(), b.v());
        b.v_add_u32(at, base, tid);
        b.v_bfe_u32(row, at, 3, self.rows.ilog2());
        b.v_and_b32(piece, 7, at);
        let x = self.swizzled(b, row);
        b.v_lshlrev_b32(x, 1, x);
        b.v_xor_b32(piece, piece, x);
        b.v_lshrrev_b32(at, 3 + self.rows.ilog2(), at);
        b.v_mul_u32_u24(byte, ROW, at);
        b.v_mul_u32_u24(piece, PIECE, piece);
        b.v_add_u32(byte, byte, piece);
        [row, byte]
    }

    /// Loads an operand of 6-bit elements whose lanes hold a block of a row, from `first_row` and `first_block` on.
    #[track_caller]
    pub fn load(&self, b: &mut KernelBuilder, to: &RegTile, first_row: u32, first_block: u32) {
        let (row, group) = lanes(b, to.op.m);
        for (r, down, across) in to.runs() {
            if u32::from(r.count) * 4 != BLOCK {
                let message =
                    format!("a lane's run has {} bytes: packed tiles are read in blocks of {BLOCK}", 4 * r.count);
                return b.fail(message);
            }
            let (from, block, step, address): (V<1>, V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v(), b.v());
            b.v_add_u32(from, first_row + down * to.op.m, row);
            b.v_add_u32(block, first_block + across * to.op.groups(), group);
            b.v_lshrrev_b32(step, BLOCKS.ilog2(), block);
            b.v_lshl_add_u32(address, step, self.rows.ilog2(), from);
            b.v_mul_u32_u24(address, ROW, address);
            let place = self.swizzled(b, from);
            b.v_xor_b32(place, place, block);
            b.v_and_b32(place, BLOCKS - 1, place);
            b.v_mul_u32_u24(place, BLOCK, place);
            b.v_add_u32(address, address, place);
            for i in 0..3 {
                let part: V<2> = V(r.index + 2 * i);
                b.ds_read_b64(part, address).offset((self.offset + 8 * u32::from(i)) as i32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{LdsAccess, conflicts};

    #[test]
    fn no_block_lies_where_another_does() {
        let t = PackedTile::new(Target::Gfx950, 64, 256, 0).unwrap();
        let mut seen = vec![false; (t.bytes() / BLOCK) as usize];
        for (row, block) in (0..64).flat_map(|row| (0..8).map(move |block| (row, block))) {
            assert!(t.at(row, block).is_multiple_of(BLOCK));
            assert!(!std::mem::replace(&mut seen[(t.at(row, block) / BLOCK) as usize], true), "{row} {block}");
        }
    }

    #[test]
    fn operands_of_both_shapes_are_read_without_conflicts_and_unswizzled_they_would_collide() {
        let t = PackedTile::new(Target::Gfx950, 128, 256, 0).unwrap();
        for m in [16, 32] {
            let mut plain = 0;
            for (first, step, part) in
                (0..128 / m).flat_map(|f| (0..8 * m / 64).flat_map(move |s| (0..3).map(move |p| (f * m, s, p))))
            {
                let block = |l: u32| 64 / m * step + l / m;
                let read = |l: u32| Some(t.at(first + l % m, block(l)) + 8 * part);
                assert_eq!(conflicts(Target::Gfx950, LdsAccess::Read8, read), 0, "{m} {first} {step} {part}");
                let unswizzled = |l: u32| Some((first + l % m) * ROW + block(l) % BLOCKS * BLOCK + 8 * part);
                plain += conflicts(Target::Gfx950, LdsAccess::Read8, unswizzled);
            }
            assert!(plain > 0, "{m}");
        }
    }

    #[test]
    fn there_is_none_where_the_target_or_the_size_is_another() {
        assert_eq!(PackedTile::new(Target::Gfx942, 64, 128, 0), None);
        assert_eq!(PackedTile::new(Target::Gfx950, 48, 128, 0), None);
        assert_eq!(PackedTile::new(Target::Gfx950, 64, 96, 0), None);
    }
}

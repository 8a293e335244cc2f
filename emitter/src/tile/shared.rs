//! A tile in LDS, row by row, its 16-byte chunks permuted within each row so that no access collides.
//!
//! Matrix operands are read a chunk a lane: lanes of one group read the same chunk of consecutive rows. Unpermuted, all
//! of them would lie in the same banks. Chunk `c` of row `r` is therefore kept at `c XOR (r / rows_per_line)`, a line
//! being what all banks hold together; gfx950's four-chunk rows need one twist more, because its phases pair rows the
//! plain form sends to the same place. The tests prove every access of every shape free of conflicts on every target.

use super::global::lanes;
use super::register::{RegTile, pack};
use crate::builder::KernelBuilder;
use wavesmith_asm::reg::V;
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Target};

/// Bytes of the unit that is permuted.
pub const CHUNK: u32 = 16;

/// A tile of `rows` rows of `row_bytes` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedTile {
    /// Rows.
    pub rows: u32,
    /// Bytes of a row: a power of two, at least two chunks.
    pub row_bytes: u32,
    /// Byte offset in LDS.
    pub offset: u32,
    /// log2 of the rows that one line of the banks holds.
    shift: u32,
    /// Whether bit 0 of the swizzle is added to bit 1.
    twist: bool,
}

impl SharedTile {
    /// A tile at `offset`. `None` unless a row is a power of two of at least 32 bytes.
    pub fn new(target: Target, rows: u32, row_bytes: u32, offset: u32) -> Option<SharedTile> {
        let line: u32 = if target == Target::Gfx950 { 256 } else { 128 };
        let shift = (line / row_bytes.max(1)).max(1).ilog2();
        let twist = target == Target::Gfx950 && row_bytes == 4 * CHUNK;
        let fits = row_bytes.is_power_of_two() && row_bytes >= 2 * CHUNK;
        fits.then_some(SharedTile { rows, row_bytes, offset, shift, twist })
    }

    /// Bytes of the tile.
    pub const fn bytes(&self) -> u32 {
        self.rows * self.row_bytes
    }

    /// Chunks of a row.
    pub const fn chunks(&self) -> u32 {
        self.row_bytes / CHUNK
    }

    /// What a row's chunk numbers are XORed with: bits `shift` and up of the row, as many as chunks need.
    pub const fn swizzle(&self, row: u32) -> u32 {
        let x = (row >> self.shift) & (self.chunks() - 1);
        if self.twist { x ^ ((x & 1) << 1) } else { x }
    }

    /// Byte offset, from the tile's own, of a chunk of a row.
    pub const fn at(&self, row: u32, chunk: u32) -> u32 {
        row * self.row_bytes + (chunk ^ self.swizzle(row)) * CHUNK
    }

    /// log2 of the rows that the 32 banks of a write hold together.
    const fn write_shift(&self) -> u32 {
        if self.row_bytes >= 128 { 0 } else { (128 / self.row_bytes).ilog2() }
    }

    /// The row that lane `i` should take where lanes write the same chunk of 64 rows: lanes of one phase then meet in no
    /// bank. Reads may see more banks than writes (gfx950), and the swizzle is made for reads.
    pub const fn spread(&self, i: u32) -> u32 {
        let (low, shift) = (self.write_shift(), self.shift);
        if shift == low {
            return i;
        }
        // Bits `low` to 2 go up by one, bit 3 takes the place that they leave.
        (i & !0xf) | (i & ((1 << low) - 1)) | ((i >> low) & ((8 >> low) - 1)) << (low + 1) | (i >> 3 & 1) << low
    }

    /// Instructions for [`SharedTile::spread`].
    #[track_caller]
    pub fn spread_rows(&self, b: &mut KernelBuilder, index: V<1>) -> V<1> {
        let low = self.write_shift();
        if self.shift == low {
            return index;
        }
        let (up, down, kept): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
        b.v_bfe_u32(up, index, low, 3 - low);
        b.v_bfe_u32(down, index, 3, 1);
        b.v_lshl_or_b32(up, up, 1, down);
        b.v_and_b32(kept, -16 + (1 << low) - 1, index);
        b.v_lshl_or_b32(up, up, low, kept);
        up
    }

    /// Instructions for the place of a chunk in its row, by lane; also the chunk at a place.
    #[track_caller]
    pub fn place(&self, b: &mut KernelBuilder, row: V<1>, chunk: V<1>) -> V<1> {
        let x: V<1> = b.v();
        b.v_bfe_u32(x, row, self.shift, self.chunks().ilog2());
        if self.twist {
            let low: V<1> = b.v();
            b.v_and_b32(low, 1, x);
            b.v_lshlrev_b32(low, 1, low);
            b.v_xor_b32(x, x, low);
        }
        b.v_xor_b32(x, x, chunk);
        x
    }

    /// Instructions for what a lane loads straight into LDS, `base` bytes into the tile and `width` bytes a lane: the row,
    /// and the byte in it. LDS is linear in the lanes, so the swizzle is in what they load.
    #[track_caller]
    pub fn linear(&self, b: &mut KernelBuilder, tid: V<1>, base: u32, width: u32) -> [V<1>; 2] {
        let (at, row, place, byte): (V<1>, V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v(), b.v());
        b.v_lshlrev_b32(at, width.ilog2(), tid);
        b.v_add_u32(at, base, at);
        b.v_lshrrev_b32(row, self.row_bytes.ilog2(), at);
        b.v_bfe_u32(place, at, CHUNK.ilog2(), self.chunks().ilog2());
        let chunk = self.place(b, row, place);
        b.v_and_b32(byte, CHUNK - 1, at);
        b.v_lshl_or_b32(byte, chunk, CHUNK.ilog2(), byte);
        [row, byte]
    }

    /// Instructions for the LDS address of a chunk of a row, by lane: [`SharedTile::at`] and the tile's own offset.
    #[track_caller]
    pub fn address(&self, b: &mut KernelBuilder, row: V<1>, chunk: V<1>) -> V<1> {
        let address: V<1> = b.v();
        let x = self.place(b, row, chunk);
        b.v_lshlrev_b32(x, CHUNK.ilog2(), x);
        b.v_lshl_add_u32(address, row, self.row_bytes.ilog2(), x);
        if self.offset > 0 {
            b.v_add_u32(address, self.offset, address);
        }
        address
    }

    /// Stores a result of f32 as f16 or bf16, transposed: its columns become rows of this tile, which run along its rows. Other
    /// waves may read it after a barrier, this one at once.
    #[track_caller]
    pub fn store(&self, b: &mut KernelBuilder, from: &RegTile, elem: Elem, first_row: u32) {
        if !matches!(elem, Elem::F16 | Elem::Bf16) {
            return b.fail(format!("{elem:?} is not stored to a shared tile: f16 and bf16 are"));
        }
        let (row, column) = (from.lane_column(b), from.lane_row(b));
        let mut four: Vec<V<1>> = Vec::new();
        from.for_each(b, |b, x, down, across| {
            let kept: V<1> = b.v();
            b.v_mov_b32(kept, x);
            four.push(kept);
            let [w, x, y, z] = four[..] else { return };
            four.clear();
            let [low, high] = [pack(b, elem, w, x), pack(b, elem, y, z)];
            // Four rows of the result from `down − 3` on, two bytes each, are half a chunk.
            let (to, byte, chunk): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
            b.v_add_u32(to, first_row + across * from.op.n, row);
            b.v_add_u32(byte, down - 3, column);
            b.v_lshlrev_b32(byte, 1, byte);
            b.v_lshrrev_b32(chunk, CHUNK.ilog2(), byte);
            let address = self.address(b, to, chunk);
            b.v_and_b32(byte, CHUNK - 1, byte);
            b.v_add_u32(address, byte, address);
            let data: V<2> = b.v();
            b.v_mov_b32(data.at(0), low);
            b.v_mov_b32(data.at(1), high);
            b.ds_write_b64(address, data);
        });
    }

    /// Loads an operand whose lanes hold whole chunks of a row side by side, from `first_row` and `first_chunk` on.
    #[track_caller]
    pub fn load(&self, b: &mut KernelBuilder, to: &RegTile, first_row: u32, first_chunk: u32) {
        let (row, group) = lanes(b, to.op.m);
        for (r, down, across) in to.runs() {
            if r.count != 4 {
                let message = format!("a lane's run has {} bytes: shared tiles are read in chunks of 16", 4 * r.count);
                return b.fail(message);
            }
            let (from, chunk): (V<1>, V<1>) = (b.v(), b.v());
            b.v_add_u32(from, first_row + down * to.op.m, row);
            b.v_add_u32(chunk, first_chunk + across * to.op.groups(), group);
            let address = self.address(b, from, chunk);
            let data: V<4> = V(r.index);
            b.ds_read_b128(data, address);
        }
    }

    /// Whether the swizzle of rows `step` apart is the same, so that one lane address serves them all with immediate
    /// offsets.
    pub const fn repeats(&self, step: u32) -> bool {
        (step >> self.shift).is_multiple_of(self.chunks()) && step.is_multiple_of(1 << self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{LdsAccess, conflicts};

    #[test]
    fn no_chunk_lies_where_another_does() {
        for target in Target::ALL {
            for row_bytes in [32, 64, 128, 256] {
                let t = SharedTile::new(target, 64, row_bytes, 0).unwrap();
                let mut seen = vec![false; (t.bytes() / CHUNK) as usize];
                for row in 0..t.rows {
                    for chunk in 0..t.chunks() {
                        assert!(!std::mem::replace(&mut seen[(t.at(row, chunk) / CHUNK) as usize], true));
                    }
                }
            }
        }
    }

    #[test]
    fn matrix_operands_are_read_and_staged_without_conflicts() {
        for target in Target::ALL {
            for row_bytes in [64, 128, 256] {
                let t = SharedTile::new(target, 128, row_bytes, 0).unwrap();
                for m in [16, 32] {
                    let groups = 64 / m;
                    assert!(t.repeats(m), "{target} {row_bytes} {m}");
                    for step in 0..t.chunks() / groups {
                        let read = |l: u32| Some(t.at(l % m, groups * step + l / m));
                        assert_eq!(conflicts(target, LdsAccess::Read16, read), 0, "{target} {row_bytes} {m} {step}");
                    }
                }
                let along = |l: u32| Some(t.at(l / t.chunks(), l % t.chunks()));
                assert_eq!(conflicts(target, LdsAccess::Write16, along), 0, "{target} {row_bytes}");
                let across = |l: u32| Some(t.at(t.spread(l), 0));
                assert_eq!(conflicts(target, LdsAccess::Write16, across), 0, "{target} {row_bytes}");
            }
        }
    }

    #[test]
    fn spreading_is_a_permutation() {
        for target in Target::ALL {
            for row_bytes in [64, 128, 256] {
                let t = SharedTile::new(target, 128, row_bytes, 0).unwrap();
                let mut rows: Vec<u32> = (0..128).map(|i| t.spread(i)).collect();
                rows.sort_unstable();
                assert_eq!(rows, (0..128).collect::<Vec<_>>(), "{target} {row_bytes}");
            }
        }
    }

    #[test]
    fn without_the_swizzle_they_would_collide() {
        let read = |l: u32| Some((l % 16) * 64 + l / 16 * 16);
        assert!(conflicts(Target::Gfx942, LdsAccess::Read16, read) > 0);
    }
}

//! One operand's way from memory to LDS: which work-item loads what, and where it puts it.
//!
//! LDS rows run along K whatever memory does. Where memory rows run along K as well, a work-item loads whole chunks,
//! in pieces as wide as the matrix's rows allow. Where they run across K, neighbouring work-items take neighbouring rows
//! of the tile, so that each load of one element apiece is one run of memory, and a chunk gathers its elements one k at
//! a time.

use wavesmith_asm::reg::{EXEC, Reg, RegClass, S, V, VCC};
use wavesmith_asm::{Build, Field, Operand};
use wavesmith_emitter::tile::SharedTile;
use wavesmith_emitter::{EmitError, KernelBuilder};

/// Bytes of a chunk.
const CHUNK: u32 = 16;

/// What a loader is made for.
pub(super) struct Source {
    pub tile: SharedTile,
    /// Whether memory rows run along K.
    pub along: bool,
    /// Bytes of an element.
    pub element: u32,
    /// Bytes of a load where memory rows run along K.
    pub load_bytes: u32,
    pub threads: u32,
    pub tid: V<1>,
    /// The matrix.
    pub base: S<2>,
    /// Bytes from one stored row to the next.
    pub pitch: S<1>,
    /// First row of the tile, and rows of the matrix.
    pub first: S<1>,
    pub limit: S<1>,
}

/// A chunk of one work-item.
struct Chunk {
    address: V<1>,
    /// Its first k in the stage.
    k: V<1>,
    data: Reg,
    /// Odd bytes, where loads are of single bytes.
    odd: Option<Reg>,
    lds: V<1>,
    lds_offset: u32,
}

pub(super) struct Loader {
    chunks: Vec<Chunk>,
    pointer: S<2>,
    /// Bytes from one stage to the next.
    step: S<2>,
    /// Bytes of a load.
    width: u32,
    element: u32,
    /// Byte offset of each k of a chunk, where memory rows run across K.
    across: Vec<S<1>>,
    /// LDS addresses, each once.
    addresses: Vec<V<1>>,
}

/// The LDS address of a chunk of a row.
pub(super) fn lds_address(b: &mut KernelBuilder, tile: &SharedTile, row: V<1>, chunk: V<1>) -> V<1> {
    let (x, address): (V<1>, V<1>) = (b.v(), b.v());
    b.v_bfe_u32(x, row, tile.swizzle_shift(), tile.chunks().ilog2());
    if tile.is_twisted() {
        let low: V<1> = b.v();
        b.v_and_b32(low, 1, x);
        b.v_lshlrev_b32(low, 1, low);
        b.v_xor_b32(x, x, low);
    }
    b.v_xor_b32(x, x, chunk);
    b.v_lshlrev_b32(x, 4, x);
    b.v_lshl_add_u32(address, row, tile.row_bytes.ilog2(), x);
    if tile.offset > 0 {
        b.v_add_u32(address, tile.offset, address);
    }
    address
}

/// `d += a · b` in 64 bits, `a` and `b` unsigned 32-bit.
pub(super) fn add_product(b: &mut KernelBuilder, d: S<2>, x: S<1>, y: S<1>) {
    let (low, high): (S<1>, S<1>) = (b.s(), b.s());
    b.s_mul_i32(low, x, y);
    b.s_mul_hi_u32(high, x, y);
    b.s_add_u32(d.at(0), d.at(0), low);
    b.s_addc_u32(d.at(1), d.at(1), high);
}

impl Loader {
    pub(super) fn new(b: &mut KernelBuilder, s: &Source) -> Loader {
        let per_row = s.tile.chunks();
        let per_item = s.tile.rows * per_row / s.threads;
        let pointer: S<2> = b.s();
        b.s_mov_b64(pointer, s.base);
        let (last, step): (S<1>, S<2>) = (b.s(), b.s());
        b.s_sub_u32(last, s.limit, s.first);
        b.s_sub_u32(last, last, 1);
        let k_step = s.tile.row_bytes / s.element;
        let mut across = Vec::new();
        if s.along {
            add_product(b, pointer, s.first, s.pitch);
            b.s_mov_b32(step.at(0), s.tile.row_bytes);
            b.s_mov_b32(step.at(1), 0);
        } else {
            let size: S<1> = b.s();
            b.s_mov_b32(size, s.element);
            add_product(b, pointer, s.first, size);
            b.s_mul_i32(step.at(0), s.pitch, k_step);
            b.s_mul_hi_u32(step.at(1), s.pitch, k_step);
            for k in 0..CHUNK / s.element {
                let offset = b.s();
                b.s_mul_i32(offset, s.pitch, k);
                across.push(offset);
            }
        }
        let mut loader = Loader {
            chunks: Vec::new(),
            pointer,
            step,
            width: if s.along { s.load_bytes } else { s.element },
            element: s.element,
            across,
            addresses: Vec::new(),
        };
        for j in 0..per_item {
            let (row, chunk): (V<1>, V<1>) = (b.v(), b.v());
            let row_step = s.threads / per_row;
            if s.along {
                b.v_and_b32(chunk, per_row - 1, s.tid);
                b.v_lshrrev_b32(row, per_row.ilog2(), s.tid);
                if j > 0 {
                    b.v_add_u32(row, j * row_step, row);
                }
            } else {
                let index: V<1> = b.v();
                b.v_add_u32(index, j * s.threads, s.tid);
                b.v_and_b32(row, s.tile.rows - 1, index);
                b.v_lshrrev_b32(chunk, s.tile.rows.ilog2(), index);
            }
            let (lds, lds_offset) = match loader.addresses.first() {
                Some(first) if s.along && s.tile.repeats(row_step) => (*first, j * row_step * s.tile.row_bytes),
                _ => {
                    let address = lds_address(b, &s.tile, row, chunk);
                    loader.addresses.push(address);
                    (address, 0)
                }
            };
            let (address, k): (V<1>, V<1>) = (b.v(), b.v());
            b.v_lshlrev_b32(k, (CHUNK / s.element).ilog2(), chunk);
            // Rows beyond the matrix repeat its last one: what they give is never stored.
            b.v_min_u32(row, last, row);
            if s.along {
                b.v_mul_lo_u32(address, row, s.pitch);
                b.v_lshl_add_u32(address, chunk, CHUNK.ilog2(), address);
            } else {
                b.v_mul_lo_u32(address, k, s.pitch);
                b.v_lshl_add_u32(address, row, s.element.ilog2(), address);
            }
            let data = b.run(RegClass::V, 4);
            let odd = (loader.width == 1).then(|| b.run(RegClass::V, 4));
            loader.chunks.push(Chunk { address, k, data, odd, lds, lds_offset });
        }
        loader
    }

    /// Moves on to the next stage.
    pub(super) fn advance(&self, b: &mut KernelBuilder) {
        b.s_add_u32(self.pointer.at(0), self.pointer.at(0), self.step.at(0));
        b.s_addc_u32(self.pointer.at(1), self.pointer.at(1), self.step.at(1));
    }

    /// Loads a whole stage.
    pub(super) fn load(&self, b: &mut KernelBuilder) {
        for chunk in &self.chunks {
            for piece in 0..CHUNK / self.width {
                self.piece(b, chunk, piece);
            }
        }
    }

    /// Loads the last, partial stage, of which `left` products remain: what lies beyond is zero.
    pub(super) fn load_rest(&self, b: &mut KernelBuilder, left: S<1>) {
        for r in self.chunks.iter().flat_map(|c| [Some(c.data), c.odd]).flatten() {
            for i in 0..4 {
                b.v_mov_b32(V(r.index + i), 0);
            }
        }
        let (saved, before): (S<2>, S<1>) = (b.s(), b.s());
        for chunk in &self.chunks {
            for piece in 0..CHUNK / self.width {
                b.s_sub_u32(before, left, piece * self.width / self.element);
                b.v_cmp_gt_i32(VCC, before, chunk.k);
                b.s_and_saveexec_b64(saved, VCC);
                self.piece(b, chunk, piece);
                b.s_mov_b64(EXEC, saved);
            }
        }
    }

    fn piece(&self, b: &mut KernelBuilder, chunk: &Chunk, piece: u32) {
        let at = (piece * self.width / 4) as u16;
        let reg = |count| Reg { index: chunk.data.index + at, count, ..chunk.data };
        let (name, dst) = match (self.width, piece % 4, chunk.odd) {
            (16, ..) => ("global_load_dwordx4", reg(4)),
            (8, ..) => ("global_load_dwordx2", reg(2)),
            (4, ..) => ("global_load_dword", reg(1)),
            (2, 0 | 2, _) => ("global_load_short_d16", reg(1)),
            (2, ..) => ("global_load_short_d16_hi", reg(1)),
            (_, 0, _) => ("global_load_ubyte_d16", reg(1)),
            (_, 2, _) => ("global_load_ubyte_d16_hi", reg(1)),
            (_, 1, Some(odd)) => ("global_load_ubyte_d16", Reg { index: odd.index + at, count: 1, ..odd }),
            (_, _, Some(odd)) => ("global_load_ubyte_d16_hi", Reg { index: odd.index + at, count: 1, ..odd }),
            (_, _, None) => ("global_load_ubyte_d16", reg(1)),
        };
        if self.across.is_empty() {
            let n = b.emit_by_name(name, &[dst.into(), chunk.address.into(), self.pointer.into()]);
            b.set_field(n, Field::Offset, piece * self.width);
        } else {
            let address: V<1> = b.v();
            b.v_add_u32(address, self.across[piece as usize], chunk.address);
            b.emit_by_name(name, &[dst.into(), address.into(), self.pointer.into()]);
        }
    }

    /// Writes what was loaded to LDS.
    pub(super) fn store(&self, b: &mut KernelBuilder) -> Result<(), EmitError> {
        for chunk in &self.chunks {
            if let Some(odd) = chunk.odd {
                for i in 0..4 {
                    let even: V<1> = V(chunk.data.index + i);
                    b.v_lshl_or_b32(even, V::<1>(odd.index + i), 8, even);
                }
            }
            let data: V<4> = V(chunk.data.index);
            b.ds_write_b128(chunk.lds, data).offset(chunk.lds_offset as i32);
        }
        Ok(())
    }

    /// The LDS addresses, to be moved from one stage to the other.
    pub(super) fn addresses(&self) -> &[V<1>] {
        &self.addresses
    }
}

/// An operand of an instruction recorded by name.
pub(super) fn op(r: impl Into<Operand>) -> Operand {
    r.into()
}

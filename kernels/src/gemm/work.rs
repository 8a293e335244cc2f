//! Which part of the work is a workgroup's: tiles of C, and stages of K in them.
//!
//! Everything is numbered in a row: tiles, batches one after the other, and stages of K within them. Workgroups are first
//! renumbered so that neighbours share an XCD's L2, then each takes its share; tiles are walked in groups of rows, so
//! that what neighbours read of A and B is in the caches.

use super::args::GemmArgs;
use super::arith::{constant, divide, divide_by};
use super::{GemmParams, Order};
use wavesmith_asm::Build;
use wavesmith_asm::reg::S;
use wavesmith_emitter::{Dim, KernelBuilder, Label, When};

/// A workgroup's share, and where in it the workgroup is.
pub(super) struct Work {
    /// The workgroup's number after renumbering.
    pub number: S<1>,
    /// The tile in hand.
    pub tile: S<1>,
    /// Its first stage of K and the one after its last; `None` for whole tiles.
    pub stages: Option<[S<1>; 2]>,
    /// Stages of a tile.
    pub per_tile: S<1>,
    /// What every workgroup gets, and how many get one more.
    pub share: [S<1>; 2],
    /// Where the workgroup is in its share, and the end of it.
    range: Option<[S<1>; 2]>,
}

/// A tile's place.
pub(super) struct Place {
    /// Number in the batch.
    pub batch: S<1>,
    /// First row and column.
    pub first: [S<1>; 2],
}

impl Work {
    /// The first part of the share.
    pub(super) fn begin(b: &mut KernelBuilder, p: &GemmParams, xcds: u32, args: &GemmArgs, whole: S<1>) -> Work {
        let number = renumbered(b, p, xcds, whole);
        let (tile, per_tile): (S<1>, S<1>) = (b.s(), b.s());
        let share: [S<1>; 2] = [b.s(), b.s()];
        let mut work = Work { number, tile, stages: None, per_tile, share, range: None };
        if p.is_shared() {
            b.load_arg(per_tile, args.per_tile);
            work.stages = Some([b.s(), b.s()]);
        }
        if p.is_shared() || p.order != Order::Tiles {
            b.load_arg(share[0], args.share);
            b.load_arg(share[1], args.longer);
        }
        match p.order {
            Order::Tiles if p.split_k == 1 => _ = b.s_mov_b32(tile, number),
            Order::Tiles => {
                let (t, part) = divide_by(b, number, p.split_k);
                b.s_mov_b32(tile, t);
                if let Some(stages) = work.stages {
                    work.share_of(b, part, stages);
                }
            }
            Order::Persistent | Order::StreamK => {
                let range = [b.s(), b.s()];
                work.share_of(b, number, range);
                work.range = Some(range);
            }
        }
        work
    }

    /// Start and end of the share of workgroup (or part) `n`.
    fn share_of(&self, b: &mut KernelBuilder, n: S<1>, [start, end]: [S<1>; 2]) {
        let [share, longer] = self.share;
        self.start_of(b, n, start);
        b.s_add_u32(end, start, share);
        b.s_cmp_lt_u32(n, longer);
        // SCC is the one more that the first of them have.
        b.s_addc_u32(end, end, 0);
    }

    /// Start of the share of workgroup `n`.
    pub(super) fn start_of(&self, b: &mut KernelBuilder, n: S<1>, start: S<1>) {
        let [share, longer] = self.share;
        let before: S<1> = b.s();
        b.s_min_u32(before, n, longer);
        b.s_mul_i32(start, n, share);
        b.s_add_u32(start, start, before);
    }

    /// The tile that the workgroup is at, where it has several.
    pub(super) fn arrive(&self, b: &mut KernelBuilder) {
        match (self.range, self.stages) {
            (Some([at, end]), Some([from, to])) => {
                let (t, first) = divide(b, at, self.per_tile);
                b.s_mov_b32(self.tile, t);
                b.s_mov_b32(from, first);
                b.s_sub_u32(to, end, at);
                b.s_add_u32(to, to, first);
                b.s_min_u32(to, to, self.per_tile);
            }
            (Some([at, _]), None) => _ = b.s_mov_b32(self.tile, at),
            (None, _) => {}
        }
    }

    /// Goes on to the next part of the share, if there is one.
    pub(super) fn next(&self, b: &mut KernelBuilder, top: Label) {
        let Some([at, end]) = self.range else { return };
        match self.stages {
            Some([from, to]) => {
                let done: S<1> = b.s();
                b.s_sub_u32(done, to, from);
                b.s_add_u32(at, at, done);
            }
            None => _ = b.s_add_u32(at, at, 1),
        }
        b.s_cmp_lt_u32(at, end);
        b.branch_if(When::Scc1, top);
    }

    /// Where the tile lies, of so many along M and N.
    pub(super) fn place(&self, b: &mut KernelBuilder, p: &GemmParams, [tiles_m, tiles_n]: [S<1>; 2]) -> Place {
        let all: S<1> = b.s();
        b.s_mul_i32(all, tiles_m, tiles_n);
        let (batch, rest) = divide(b, self.tile, all);
        let (row, column) = if p.group_m == 1 {
            divide(b, rest, tiles_n)
        } else {
            let (width, first, rows): (S<1>, S<1>, S<1>) = (b.s(), b.s(), b.s());
            b.s_mul_i32(width, tiles_n, p.group_m);
            let (group, within) = divide(b, rest, width);
            b.s_mul_i32(first, group, p.group_m);
            // The last group may be lower.
            b.s_sub_u32(rows, tiles_m, first);
            b.s_min_u32(rows, rows, p.group_m);
            let (column, down) = divide(b, within, rows);
            b.s_add_u32(first, first, down);
            (first, column)
        };
        let first: [S<1>; 2] = [b.s(), b.s()];
        b.s_lshl_b32(first[0], row, p.tile_m.ilog2());
        b.s_lshl_b32(first[1], column, p.tile_n.ilog2());
        Place { batch, first }
    }

    /// First product and number of products of the part in hand.
    pub(super) fn products(&self, b: &mut KernelBuilder, k: S<1>, stage_k: u32) -> [S<1>; 2] {
        let (first, left): (S<1>, S<1>) = (b.s(), b.s());
        match self.stages {
            None => {
                b.s_mov_b32(first, 0);
                b.s_mov_b32(left, k);
            }
            Some([from, to]) => {
                b.s_mul_i32(first, from, stage_k);
                b.s_mul_i32(left, to, stage_k);
                b.s_min_u32(left, left, k);
                b.s_sub_u32(left, left, first);
                // Parts beyond K have nothing to do.
                b.s_cselect_b32(left, 0, left);
            }
        }
        [first, left]
    }
}

/// The workgroup's number: the hardware deals workgroups to XCDs in turn, so runs of [`GemmParams::xcd_chunk`] are put
/// together again. What does not fill a round of all XCDs, from number `whole` on, stays as it is.
fn renumbered(b: &mut KernelBuilder, p: &GemmParams, xcds: u32, whole: S<1>) -> S<1> {
    let id = b.workgroup_id(Dim::X);
    let number: S<1> = b.s();
    b.s_mov_b32(number, id);
    if p.xcd_chunk == 0 || xcds < 2 {
        return number;
    }
    let round = xcds * p.xcd_chunk;
    let chunk_first: S<1> = b.s();
    let (local, xcd) = divide_by(b, id, xcds);
    let (chunk, within) = divide_by(b, local, p.xcd_chunk);
    b.s_mul_i32(chunk_first, chunk, round);
    b.s_mul_i32(xcd, xcd, p.xcd_chunk);
    b.s_add_u32(chunk_first, chunk_first, xcd);
    b.s_add_u32(chunk_first, chunk_first, within);
    b.s_cmp_lt_u32(id, whole);
    b.s_cselect_b32(number, chunk_first, number);
    number
}

/// The workgroup whose share holds stage `i`, with [`Order::StreamK`].
pub(super) fn owner(b: &mut KernelBuilder, work: &Work, i: S<1>) -> S<1> {
    let [share, longer] = work.share;
    let (bigger, border, rest, n): (S<1>, S<1>, S<1>, S<1>) = (b.s(), b.s(), b.s(), b.s());
    b.s_add_u32(bigger, share, 1);
    b.s_mul_i32(border, longer, bigger);
    // Beyond the border the shares are one shorter.
    let (early, _) = divide(b, i, bigger);
    b.s_sub_u32(rest, i, border);
    let (late, _) = divide(b, rest, share);
    b.s_add_u32(late, late, longer);
    b.s_cmp_lt_u32(i, border);
    b.s_cselect_b32(n, early, late);
    n
}

/// The number of contributors to a tile, and the first.
pub(super) fn contributors(b: &mut KernelBuilder, p: &GemmParams, work: &Work) -> [S<1>; 2] {
    let (first, count): (S<1>, S<1>) = (b.s(), b.s());
    if p.order == Order::StreamK {
        let (start, last): (S<1>, S<1>) = (b.s(), b.s());
        b.s_mul_i32(start, work.tile, work.per_tile);
        let head = owner(b, work, start);
        b.s_add_u32(last, start, work.per_tile);
        b.s_sub_u32(last, last, 1);
        let tail = owner(b, work, last);
        b.s_mov_b32(first, head);
        b.s_sub_u32(count, tail, head);
        b.s_add_u32(count, count, 1);
    } else {
        let parts = constant(b, p.split_k);
        b.s_mul_i32(first, work.tile, parts);
        b.s_mov_b32(count, parts);
    }
    [first, count]
}

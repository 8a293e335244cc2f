//! A tile in registers, spread over the lanes of a wave as matrix instructions want it.
//!
//! There are two layouts. An operand's rows are in lanes: lane `l` holds row `l mod m` and, with the lanes `m` apart, runs along
//! K. A result's columns are in lanes: lane `l` holds column `l mod n` and runs of four rows. A result is therefore nearly the
//! operand of a next product, transposed: [`RegTile::to_operand`] converts it, which on most targets is a matter of rounding
//! and on gfx950 of two swaps of half registers.
//!
//! What is done element by element or across the tile is a closure or a [`Reduce`]; on gfx908, where results are in AGPRs,
//! elements are brought to a VGPR and back.

use super::lanes::Reduce;
use super::matrix::MatrixOp;
use crate::builder::KernelBuilder;
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{A, Reg, RegClass, S, V, VCC};
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Operand, Target};

/// How a tile's elements lie over lanes and registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Operand A (0) or B (1): rows in lanes, `run` consecutive columns a lane.
    Rows {
        /// Which operand.
        side: usize,
        /// Columns that a lane holds side by side: what one instruction takes, or a multiple of it.
        run: u32,
    },
    /// A result: columns in lanes, rows in registers.
    Columns,
}

/// A tile in registers.
#[derive(Clone, Debug)]
pub struct RegTile {
    /// The matrix instruction that it is made for.
    pub op: MatrixOp,
    /// Where its elements are.
    pub layout: Layout,
    /// Blocks of one matrix instruction, down and across.
    pub blocks: [u32; 2],
    registers: Vec<Reg>,
}

impl RegTile {
    /// An operand of `rows` × `columns` (along K), of which a lane holds `run` columns side by side.
    ///
    /// # Panics
    /// Where rows are no multiple of the instruction's, or columns of what the lanes hold together.
    #[track_caller]
    pub fn operand(b: &mut KernelBuilder, op: &MatrixOp, side: usize, [rows, columns]: [u32; 2], run: u32) -> RegTile {
        assert!(run.is_multiple_of(op.per_lane()), "a lane holds multiples of {} columns", op.per_lane());
        assert!(
            rows.is_multiple_of(op.m) && columns.is_multiple_of(run * op.groups()),
            "{rows} × {columns}: rows must be a multiple of {}, columns of {}",
            op.m,
            run * op.groups()
        );
        let blocks = [rows / op.m, columns / op.k];
        // The blocks that share a run lie side by side, so that a run can be loaded at once.
        let parts = run / op.per_lane();
        let count = op.input_registers(side);
        let runs: Vec<Reg> =
            (0..blocks[0] * blocks[1] / parts).map(|_| b.run(RegClass::V, count * parts as u8)).collect();
        let part = |r: &Reg, i: u32| Reg { index: r.index + i as u16 * u16::from(count), count, ..*r };
        let registers = runs.iter().flat_map(|r| (0..parts).map(move |i| part(r, i))).collect();
        RegTile { op: *op, layout: Layout::Rows { side, run }, blocks, registers }
    }

    /// A result of `rows` × `columns`.
    ///
    /// # Panics
    /// Where they are no multiples of the instruction's.
    #[track_caller]
    pub fn result(b: &mut KernelBuilder, op: &MatrixOp, [rows, columns]: [u32; 2]) -> RegTile {
        assert!(
            rows.is_multiple_of(op.m) && columns.is_multiple_of(op.n),
            "{rows} × {columns}: both must be multiples of {}",
            op.m
        );
        let class = if op.agpr_only { RegClass::A } else { RegClass::V };
        let blocks = [rows / op.m, columns / op.n];
        let registers = (0..blocks[0] * blocks[1]).map(|_| b.run(class, op.output_registers())).collect();
        RegTile { op: *op, layout: Layout::Columns, blocks, registers }
    }

    /// The registers of a block.
    pub fn block(&self, down: u32, across: u32) -> Reg {
        self.registers[(down * self.blocks[1] + across) as usize]
    }

    /// The runs of an operand: registers, block down, and first column as a multiple of what all lanes' runs hold.
    pub(super) fn runs(&self) -> impl Iterator<Item = (Reg, u32, u32)> + '_ {
        let parts = match self.layout {
            Layout::Rows { run, .. } => run / self.op.per_lane(),
            Layout::Columns => 1,
        };
        let across = self.blocks[1] / parts;
        self.registers.chunks(parts as usize).enumerate().map(move |(i, r)| {
            let i = i as u32;
            (Reg { count: r[0].count * parts as u8, ..r[0] }, i / across, i % across)
        })
    }

    /// Makes every element zero.
    #[track_caller]
    pub fn clear(&self, b: &mut KernelBuilder) {
        for r in &self.registers {
            for i in 0..u16::from(r.count) {
                if r.class == RegClass::A {
                    b.v_accvgpr_write_b32(A::<1>(r.index + i), 0);
                } else {
                    b.v_mov_b32(V::<1>(r.index + i), 0);
                }
            }
        }
    }

    /// Adds the product of two operands: `self += a · bᵀ`, K running along the rows of both.
    #[track_caller]
    pub fn multiply_add(&self, b: &mut KernelBuilder, a: &RegTile, c: &RegTile) {
        let run = |t: &RegTile| match t.layout {
            Layout::Rows { run, .. } => run,
            Layout::Columns => 0,
        };
        if run(a) == 0 || run(a) != run(c) || a.blocks[1] != c.blocks[1] || self.blocks != [a.blocks[0], c.blocks[0]] {
            let shape = |t: &RegTile| format!("{:?} of {:?} blocks", t.layout, t.blocks);
            let [d, a, c] = [self, a, c].map(shape);
            return b
                .fail(format!("{d} is not the product of {a} and {c}: K must be as long and lie in the same runs"));
        }
        for k in 0..a.blocks[1] {
            for x in 0..self.blocks[0] {
                for y in 0..self.blocks[1] {
                    self.op.multiply(b, self.block(x, y), [a.block(x, k), c.block(y, k)], None);
                }
            }
        }
    }

    /// The row of an element of a result in lanes of group 0; other lanes are [`RegTile::lane_row`] further down.
    fn row(&self, down: u32, element: u32) -> u32 {
        down * self.op.m + self.op.output_row(element)
    }

    /// The row that a lane's elements of a result are further down.
    #[track_caller]
    pub fn lane_row(&self, b: &mut KernelBuilder) -> V<1> {
        let lane = b.lane_id();
        b.v_lshrrev_b32(lane, self.op.n.ilog2(), lane);
        b.v_lshlrev_b32(lane, self.op.group_rows().ilog2(), lane);
        lane
    }

    /// The lane's column in a block of a result, or its row in one of an operand.
    #[track_caller]
    pub fn lane_column(&self, b: &mut KernelBuilder) -> V<1> {
        let lane = b.lane_id();
        b.v_and_b32(lane, self.op.n - 1, lane);
        lane
    }

    /// Runs `f` for every element of a result of 32-bit elements: the register, the row in lanes of group 0, and the block
    /// column. What `f` leaves in the register is the new element.
    #[track_caller]
    pub fn map_at(&self, b: &mut KernelBuilder, mut f: impl FnMut(&mut KernelBuilder, V<1>, u32, u32)) {
        self.each(b, true, &mut f);
    }

    /// Runs `f` for every element of a result, as [`RegTile::map_at`] does, with nothing said of where it is.
    #[track_caller]
    pub fn map(&self, b: &mut KernelBuilder, mut f: impl FnMut(&mut KernelBuilder, V<1>)) {
        self.each(b, true, &mut |b, x, _, _| f(b, x));
    }

    /// Runs `f` for every element of a result with the value of its column: a register for each block across.
    #[track_caller]
    pub fn map_columns(
        &self,
        b: &mut KernelBuilder,
        values: &[V<1>],
        mut f: impl FnMut(&mut KernelBuilder, V<1>, V<1>),
    ) {
        self.each(b, true, &mut |b, x, _, across| f(b, x, values[across as usize]));
    }

    /// Runs `f` for every element of a result with the value of its row, as [`RegTile::reduce_rows`] gives them.
    #[track_caller]
    pub fn map_rows(&self, b: &mut KernelBuilder, values: &[V<1>], mut f: impl FnMut(&mut KernelBuilder, V<1>, V<1>)) {
        let (outputs, m) = (self.op.outputs(), self.op.m);
        let index: Vec<u32> = (0..outputs).map(|e| self.op.output_row(e)).collect();
        self.each(b, true, &mut |b, x, row, _| {
            let element = index.iter().position(|r| *r == row % m).unwrap_or_default();
            f(b, x, values[(row / m * outputs) as usize + element]);
        });
    }

    /// Runs `f` for every element without changing the tile.
    #[track_caller]
    pub fn for_each(&self, b: &mut KernelBuilder, mut f: impl FnMut(&mut KernelBuilder, V<1>, u32, u32)) {
        self.each(b, false, &mut f);
    }

    #[track_caller]
    fn each(&self, b: &mut KernelBuilder, keep: bool, f: &mut dyn FnMut(&mut KernelBuilder, V<1>, u32, u32)) {
        if self.layout != Layout::Columns || self.op.output_width() != 1 {
            return b.fail("only results of 32-bit elements are gone through one by one".into());
        }
        for (i, r) in self.registers.iter().enumerate() {
            let (down, across) = (i as u32 / self.blocks[1], i as u32 % self.blocks[1]);
            for e in 0..self.op.outputs() {
                let row = self.row(down, e);
                let index = r.index + e as u16;
                if r.class == RegClass::V {
                    f(b, V(index), row, across);
                    continue;
                }
                let x: V<1> = b.v();
                b.v_accvgpr_read_b32(x, A::<1>(index));
                f(b, x, row, across);
                if keep {
                    b.v_accvgpr_write_b32(A::<1>(index), x);
                }
            }
        }
    }

    /// Reduces every column of a result of f32: a register for each block across, in which all lanes of a column agree.
    #[track_caller]
    pub fn reduce_columns(&self, b: &mut KernelBuilder, op: Reduce) -> Vec<V<1>> {
        let mut out: Vec<Option<V<1>>> = vec![None; self.blocks[1] as usize];
        self.for_each(b, |b, x, _, across| combine(b, op, &mut out[across as usize], x));
        let out: Vec<V<1>> = out.into_iter().flatten().collect();
        out.iter().for_each(|x| b.reduce_lanes(*x, op, self.op.n, 64));
        out
    }

    /// Reduces every row of a result of f32: a register for each row that a lane has, in which all lanes of a row agree.
    #[track_caller]
    pub fn reduce_rows(&self, b: &mut KernelBuilder, op: Reduce) -> Vec<V<1>> {
        let (outputs, m) = (self.op.outputs(), self.op.m);
        let index: Vec<u32> = (0..outputs).map(|e| self.op.output_row(e)).collect();
        let mut out: Vec<Option<V<1>>> = vec![None; (self.blocks[0] * outputs) as usize];
        self.for_each(b, |b, x, row, _| {
            let element = index.iter().position(|r| *r == row % m).unwrap_or_default();
            combine(b, op, &mut out[(row / m * outputs) as usize + element], x);
        });
        let out: Vec<V<1>> = out.into_iter().flatten().collect();
        out.iter().for_each(|x| b.reduce_lanes(*x, op, 1, self.op.n));
        out
    }

    /// A result of f32 as an operand of the same instruction, rounded to f16 or bf16 and transposed: the result's columns
    /// become rows, its rows run along K. Lanes must hold four columns side by side, or eight on gfx950; others go
    /// through LDS ([`SharedTile::store`](super::SharedTile::store) and back).
    #[track_caller]
    pub fn to_operand(&self, b: &mut KernelBuilder, side: usize) -> RegTile {
        let op = self.op;
        let rows_across = [self.blocks[1] * op.n, self.blocks[0] * op.m];
        let operand = RegTile::operand(b, &op, side, rows_across, op.per_lane());
        let elem = op.inputs[side];
        let swaps = op.per_lane() == 8 && b.target() == Target::Gfx950;
        if self.layout != Layout::Columns || !matches!(elem, Elem::F16 | Elem::Bf16) || !(op.per_lane() == 4 || swaps) {
            b.fail(format!("a {:?} of {elem:?} is not converted in registers: go through LDS", self.layout));
            return operand;
        }
        // Runs of four rows as two registers each, by column of blocks.
        let mut packed: Vec<Vec<[V<1>; 2]>> = vec![Vec::new(); self.blocks[1] as usize];
        let mut four: Vec<V<1>> = Vec::new();
        self.for_each(b, |b, x, _, across| {
            let kept: V<1> = b.v();
            b.v_mov_b32(kept, x);
            four.push(kept);
            if let [w, x, y, z] = four[..] {
                packed[across as usize].push([pack(b, elem, w, x), pack(b, elem, y, z)]);
                four.clear();
            }
        });
        for (column, runs) in packed.iter().enumerate() {
            for k in 0..operand.blocks[1] {
                let to = operand.block(column as u32, k);
                let put = |b: &mut KernelBuilder, i: u16, x: V<1>| _ = b.v_mov_b32(V::<1>(to.index + i), x);
                if !swaps {
                    (0..2).for_each(|j| put(b, j, runs[k as usize][usize::from(j)]));
                    continue;
                }
                for j in 0..2 {
                    let [low, high] = [2 * k as usize, 2 * k as usize + 1].map(|run| runs[run][usize::from(j)]);
                    b.v_permlane32_swap_b32(low, high);
                    if op.m == 16 {
                        b.v_permlane16_swap_b32(low, high);
                    }
                    put(b, j, low);
                    put(b, j + 2, high);
                }
            }
        }
        operand
    }
}

#[track_caller]
fn combine(b: &mut KernelBuilder, op: Reduce, to: &mut Option<V<1>>, x: V<1>) {
    match to {
        Some(to) => op.combine(b, *to, *to, x),
        None => {
            let first: V<1> = b.v();
            b.v_mov_b32(first, x);
            *to = Some(first);
        }
    }
}

/// Two f32 as one register of f16 or bf16, rounded to nearest even; `low` and `high` are used up.
#[track_caller]
pub(super) fn pack(b: &mut KernelBuilder, elem: Elem, low: V<1>, high: V<1>) -> V<1> {
    let out: V<1> = b.v();
    match elem {
        Elem::F16 => {
            b.v_cvt_f16_f32(low, low);
            b.v_cvt_f16_f32(high, high);
            b.v_pack_b32_f16(out, low, high);
        }
        _ if b.target() == Target::Gfx950 => _ = b.v_cvt_pk_bf16_f32(out, low, high),
        _ => {
            let half: S<1> = b.s();
            b.s_movk_i32(half, 0x7fff);
            for x in [low, high] {
                // Half of the last place, less one, plus its lowest bit; NaNs stay quiet NaNs.
                let (rounded, quiet): (V<1>, V<1>) = (b.v(), b.v());
                b.v_bfe_u32(rounded, x, 16, 1);
                b.v_add3_u32(rounded, x, rounded, half);
                b.v_or_b32(quiet, 0x0040_0000, x);
                b.v_cmp_u_f32(VCC, x, x);
                b.emit_by_name("v_cndmask_b32", &[x.into(), rounded.into(), quiet.into(), Operand::Reg(VCC.reg())]);
            }
            b.v_lshrrev_b32(low, 16, low);
            b.v_and_b32(high, 0xffff_0000u32 as i32, high);
            b.v_or_b32(out, low, high);
        }
    }
    out
}

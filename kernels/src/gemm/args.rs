//! A GEMM's kernel arguments, and how a problem fills them.

use super::plan::{SCALE_ROWS, SCALE_TILES};
use super::{Dtype, Gemm, GemmParams, MX_BLOCK, Order};
use wavesmith_emitter::kernarg::{Arg, Kernargs};

/// Where the arguments lie.
#[derive(Clone, Copy, Debug)]
pub struct GemmArgs {
    /// A's address.
    pub a: Arg,
    /// B's address.
    pub b: Arg,
    /// C's address.
    pub c: Arg,
    /// The bias vector's address.
    pub bias: Arg,
    /// Addresses of the scales of A and B.
    pub scales: [Arg; 2],
    /// Where workgroups leave sums for each other.
    pub workspace: Arg,
    /// A counter for each tile, zero between launches.
    pub counters: Arg,
    /// Bytes from one matrix of the batch to the next, of A, B and C.
    pub strides: [Arg; 3],
    /// Bytes from one batch's scales to the next, of A and B.
    pub scale_strides: [Arg; 2],
    /// Bytes of scales from one block of 64 rows to the next.
    pub scale_pitch: Arg,
    /// Rows of C.
    pub m: Arg,
    /// Columns of C.
    pub n: Arg,
    /// Products of each element.
    pub k: Arg,
    /// Elements from one stored row to the next, of A, B and C.
    pub ld: [Arg; 3],
    /// Tiles along M and N.
    pub tiles: [Arg; 2],
    /// Stages of K in a tile.
    pub per_tile: Arg,
    /// Tiles or stages that every workgroup (or part of a tile) gets.
    pub share: Arg,
    /// How many get one more.
    pub longer: Arg,
    /// Workgroups in whole rounds over the XCDs.
    pub whole_rounds: Arg,
    /// Factor of the products: f64 for f64, i32 for i8, else f32.
    pub alpha: Arg,
    /// Factor of what C holds.
    pub beta: Arg,
}

impl GemmArgs {
    /// Lays them out.
    pub fn new(k: &mut Kernargs, dtype: Dtype) -> GemmArgs {
        let scalar = if dtype == Dtype::F64 { 8 } else { 4 };
        GemmArgs {
            a: k.pointer("a"),
            b: k.pointer("b"),
            c: k.pointer("c"),
            bias: k.pointer("bias"),
            scales: [k.pointer("scales_a"), k.pointer("scales_b")],
            workspace: k.pointer("workspace"),
            counters: k.pointer("counters"),
            strides: [k.u64("stride_a"), k.u64("stride_b"), k.u64("stride_c")],
            scale_strides: [k.u64("scale_stride_a"), k.u64("scale_stride_b")],
            scale_pitch: k.u32("scale_pitch"),
            m: k.u32("m"),
            n: k.u32("n"),
            k: k.u32("k"),
            ld: [k.u32("lda"), k.u32("ldb"), k.u32("ldc")],
            tiles: [k.u32("tiles_m"), k.u32("tiles_n")],
            per_tile: k.u32("per_tile"),
            share: k.u32("share"),
            longer: k.u32("longer"),
            whole_rounds: k.u32("whole_rounds"),
            alpha: k.value("alpha", scalar, scalar),
            beta: k.value("beta", scalar, scalar),
        }
    }
}

/// A multiplication to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GemmProblem {
    /// Rows of C.
    pub m: u32,
    /// Columns of C.
    pub n: u32,
    /// Products of each element.
    pub k: u32,
    /// Matrices.
    pub batch: u32,
    /// Elements from one stored row of A to the next.
    pub lda: u32,
    /// The same for B.
    pub ldb: u32,
    /// The same for C.
    pub ldc: u32,
    /// Factor of the products. Of integers it is an i32 like their sums, without what it has behind the point; all that is
    /// done with them is modulo 2^32.
    pub alpha: f64,
    /// Factor of what C holds, of the same type. With 0, C may hold anything.
    pub beta: f64,
    /// Bytes from one matrix of the batch to the next, of A, B and C; 0 is the same matrix every time, and `None` one after
    /// the other.
    pub strides: [Option<u64>; 3],
}

/// Device addresses of a GEMM's buffers; 0 for what it does not use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GemmBuffers {
    /// A, B and C.
    pub matrices: [u64; 3],
    /// The bias vector.
    pub bias: u64,
    /// Scales of A and B, as [`GemmProblem::pack_scales`] lays them out.
    pub scales: [u64; 2],
    /// [`Grid::workspace`] bytes, not initialised.
    pub workspace: u64,
    /// [`Grid::counters`] dwords of zero; the kernel leaves them zero.
    pub counters: u64,
}

impl GemmBuffers {
    /// All buffers of a launch, made by `make`, which takes bytes and gives an address: the counters, which must be zero,
    /// last.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn made_by<E>(
        gemm: &Gemm,
        problem: &GemmProblem,
        mut make: impl FnMut(u64) -> Result<u64, E>,
    ) -> Result<GemmBuffers, E> {
        let [a, b, c] = problem.sizes(&gemm.params);
        let grid = gemm.grid(problem);
        Ok(GemmBuffers {
            matrices: [make(a)?, make(b)?, make(c)?],
            bias: make(8 * u64::from(problem.n))?,
            scales: [make(problem.scale_bytes(problem.m))?, make(problem.scale_bytes(problem.n))?],
            workspace: make(grid.workspace)?,
            counters: make(4 * u64::from(grid.counters))?,
        })
    }
}

/// A launch: how many workgroups, and what they need besides the matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Workgroups, in a row.
    pub workgroups: u32,
    /// Bytes of workspace.
    pub workspace: u64,
    /// Dwords of counters.
    pub counters: u32,
    /// Tiles along M and N.
    pub tiles: [u32; 2],
    /// Stages of K in a tile.
    pub per_tile: u32,
    /// What every workgroup (or part of a tile) gets.
    pub share: u32,
    /// How many get one more.
    pub longer: u32,
}

impl Grid {
    /// The launch of a kernel whose stages hold `stage_k` products, on a part with `cus` compute units.
    pub(super) fn new(p: &GemmParams, stage_k: u32, cus: u32, problem: &GemmProblem) -> Grid {
        let tiles = [problem.m.div_ceil(p.tile_m), problem.n.div_ceil(p.tile_n)];
        let all = tiles[0] * tiles[1] * problem.batch;
        // Without products a tile still has a stage, so that somebody writes it.
        let per_tile = problem.k.div_ceil(stage_k).max(1);
        let held = if p.workgroups == 0 { cus } else { p.workgroups };
        let (workgroups, units, sharers) = match p.order {
            Order::Tiles => (all * p.split_k, per_tile, p.split_k),
            Order::Persistent => (held.min(all), all, held.min(all)),
            Order::StreamK => {
                let n = held.min(all * per_tile);
                (n, all * per_tile, n)
            }
        };
        let slots = match (p.is_shared(), p.order) {
            (false, _) => 0,
            (true, Order::StreamK) => 2 * u64::from(workgroups),
            (true, _) => workgroups.into(),
        };
        Grid {
            workgroups,
            workspace: slots * u64::from(p.tile_m * p.tile_n * p.dtype.sum().bits() / 8),
            counters: if p.is_shared() { all } else { 0 },
            tiles,
            per_tile,
            share: units / sharers.max(1),
            longer: units % sharers.max(1),
        }
    }
}

impl GemmProblem {
    /// One product of densely stored `[m, n, k]`, with `[trans_a, trans_b]` as in the parameters, alpha 1 and beta 0.
    pub const fn dense([m, n, k]: [u32; 3], [trans_a, trans_b]: [bool; 2]) -> GemmProblem {
        let lda = if trans_a { m } else { k };
        let ldb = if trans_b { k } else { n };
        GemmProblem { m, n, k, batch: 1, lda, ldb, ldc: n, alpha: 1.0, beta: 0.0, strides: [None; 3] }
    }

    /// The bytes of the kernel-argument segment.
    pub(super) fn kernargs(&self, p: &GemmParams, xcds: u32, grid: &Grid, buffers: &GemmBuffers) -> Vec<u8> {
        let mut layout = Kernargs::new();
        let args = GemmArgs::new(&mut layout, p.dtype);
        let mut out = vec![0; layout.size() as usize];
        let mut put = |arg: Arg, bytes: &[u8]| {
            let at = arg.offset as usize;
            out[at..at + bytes.len()].copy_from_slice(bytes);
        };
        let strides = [0, 1, 2].map(|i| self.stride(p, i));
        let scale_sizes = [self.m, self.n].map(|rows| self.scale_bytes(rows));
        let longs = [args.a, args.b, args.c]
            .into_iter()
            .zip(buffers.matrices)
            .chain(args.scales.into_iter().zip(buffers.scales))
            .chain(args.strides.into_iter().zip(strides))
            .chain(args.scale_strides.into_iter().zip(scale_sizes))
            .chain([(args.bias, buffers.bias), (args.workspace, buffers.workspace), (args.counters, buffers.counters)]);
        for (arg, value) in longs {
            put(arg, &value.to_le_bytes());
        }
        let round = xcds * p.xcd_chunk.max(1);
        let words = [
            (args.m, self.m),
            (args.n, self.n),
            (args.k, self.k),
            (args.scale_pitch, self.k.div_ceil(SCALE_K) * SCALE_BYTES),
            (args.tiles[0], grid.tiles[0]),
            (args.tiles[1], grid.tiles[1]),
            (args.per_tile, grid.per_tile),
            (args.share, grid.share),
            (args.longer, grid.longer),
            (args.whole_rounds, grid.workgroups / round * round),
        ];
        let lds = args.ld.into_iter().zip([self.lda, self.ldb, self.ldc]);
        for (arg, word) in words.into_iter().chain(lds) {
            put(arg, &word.to_le_bytes());
        }
        for (arg, value) in [(args.alpha, self.alpha), (args.beta, self.beta)] {
            match p.dtype {
                Dtype::F64 => put(arg, &value.to_le_bytes()),
                Dtype::I8 => put(arg, &(value as i32).to_le_bytes()),
                _ => put(arg, &(value as f32).to_le_bytes()),
            }
        }
        out
    }

    /// Bytes of one matrix A, B and C.
    pub fn sizes(&self, p: &GemmParams) -> [u64; 3] {
        let stored = |rows: u32, ld: u32, bits: u32| u64::from(rows) * u64::from(ld) * u64::from(bits) / 8;
        [
            stored(if p.trans_a { self.k } else { self.m }, self.lda, p.dtype.input_bits(0)),
            stored(if p.trans_b { self.n } else { self.k }, self.ldb, p.dtype.input_bits(1)),
            stored(self.m, self.ldc, p.output().bits()),
        ]
    }

    /// Bytes from one matrix A, B or C of the batch to the next.
    pub fn stride(&self, p: &GemmParams, matrix: usize) -> u64 {
        self.strides[matrix].unwrap_or(self.sizes(p)[matrix])
    }

    /// Bytes that all matrices A, B or C of the batch take.
    pub fn stored(&self, p: &GemmParams, matrix: usize) -> u64 {
        self.stride(p, matrix) * u64::from(self.batch.saturating_sub(1)) + self.sizes(p)[matrix]
    }

    /// Bytes of the packed scales of one matrix of that many rows.
    pub fn scale_bytes(&self, rows: u32) -> u64 {
        u64::from(rows.div_ceil(SCALE_ROWS)) * u64::from(self.k.div_ceil(SCALE_K)) * u64::from(SCALE_BYTES)
    }

    /// Lays the E8M0 scales of A (0), `[m][k / 32]`, or B (1), `[n][k / 32]`, out as the kernel reads them: for each 64 rows and
    /// each 128 along K a dword a lane, whose four bytes are of four rows and of block `l / 16` in lane `l`. Of A, byte `t` is of
    /// row `16 t + l % 16`; of B, of row `4 (l % 16) + t`, so that a lane has four columns of C side by side. What lies beyond
    /// the matrix is 1.
    pub fn pack_scales(&self, side: usize, scales: &[u8]) -> Vec<u8> {
        let rows = [self.m, self.n][side];
        let blocks_k = self.k / MX_BLOCK;
        let steps = self.k.div_ceil(SCALE_K);
        let mut out = Vec::with_capacity(self.scale_bytes(rows) as usize);
        for block in 0..rows.div_ceil(SCALE_ROWS) {
            for (step, lane) in (0..steps).flat_map(|step| (0..64).map(move |lane| (step, lane))) {
                for byte in 0..SCALE_TILES {
                    let within = if side == 0 { 16 * byte + lane % 16 } else { SCALE_TILES * (lane % 16) + byte };
                    let (row, k) = (block * SCALE_ROWS + within, step * 4 + lane / 16);
                    let inside = row < rows && k < blocks_k;
                    let at = (row * blocks_k + k) as usize;
                    out.push(if inside { scales.get(at).copied().unwrap_or(ONE) } else { ONE });
                }
            }
        }
        out
    }
}

/// Products that one dword of scales a lane serves.
const SCALE_K: u32 = 128;
/// Bytes of a dword for every lane.
const SCALE_BYTES: u32 = 256;
/// E8M0's 1.
const ONE: u8 = 127;

//! What follows from parameters and target: the matrix instruction, and how each operand travels.

use super::{GemmError, GemmParams, Order, Schedule};
use wavesmith_asm::reg::V;
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Target};
use wavesmith_emitter::KernelBuilder;
use wavesmith_emitter::tile::{MatrixOp, SharedTile};

/// Bytes of a chunk, the unit of the swizzle.
pub(super) const CHUNK: u32 = 16;

/// Rows that one dword of scales a lane serves, a byte for each of four tiles of 16.
pub(super) const SCALE_ROWS: u32 = 64;
/// Matrix tiles that one dword of scales serves.
pub(super) const SCALE_TILES: u32 = 4;

/// One operand's way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Its tile in the first stage.
    pub tile: SharedTile,
    /// Whether memory rows run along K.
    pub along: bool,
    /// Bits of an element in memory.
    pub bits: u32,
    /// Chunks that a lane reads for one matrix instruction, or for several: 1 or 2. The second of two lies as many chunks
    /// on as there are groups of lanes: eight-bit operands of the widest instructions are two runs, each of consecutive k.
    pub chunks: u32,
    /// Bytes a lane loads straight into LDS.
    pub direct: Option<u32>,
    /// Consecutive rows of the matrix that lie a matrix tile apart in LDS. A lane then has as many consecutive columns of C in
    /// tiles side by side, and stores them at once.
    pub together: u32,
    /// Scales in the first stage: byte offset, and bytes that a direct load of the whole workgroup covers.
    pub scales: Option<Scales>,
}

/// Scales in LDS: for each 64 rows and each matrix instruction along K, a dword a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scales {
    pub offset: u32,
    /// Blocks of 64 rows.
    pub blocks: u32,
}

impl Side {
    /// Elements of a chunk: those of 6 bits take 8 in LDS.
    pub const fn chunk_elements(&self) -> u32 {
        if self.bits == 6 { CHUNK } else { CHUNK * 8 / self.bits }
    }

    /// Whether elements take more room in LDS than in memory. A lane's 32 of them are one run of k: the two chunks that
    /// they take in LDS are put where the reads of two runs find them.
    pub const fn padded(&self) -> bool {
        self.bits == 6
    }

    /// Instructions for the row of the matrix that a row of LDS holds: the number of the matrix tile goes below the lane's.
    pub fn matrix_row(&self, b: &mut KernelBuilder, mfma: u32, row: V<1>) -> V<1> {
        if self.together == 1 {
            return row;
        }
        let (lane, tile, out): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
        let (m, t) = (mfma.ilog2(), self.together.ilog2());
        b.v_and_b32(lane, mfma - 1, row);
        b.v_bfe_u32(tile, row, m, t);
        b.v_lshl_or_b32(lane, lane, t, tile);
        b.v_and_b32(out, -1 << (m + t), row);
        b.v_or_b32(out, lane, out);
        out
    }

    /// The column of C that lane 0 has in matrix tile `n`, from the wave's first.
    pub const fn column(&self, mfma: u32, n: u32) -> u32 {
        n / self.together * self.together * mfma + n % self.together
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub op: MatrixOp,
    pub sides: [Side; 2],
    /// Reads of each operand in a stage.
    pub steps: u32,
    /// Elements along K in a stage.
    pub stage_k: u32,
    /// Matrix tiles of a wave along M and N.
    pub per_wave: [u32; 2],
    /// Bytes of a stage.
    pub stage: u32,
    /// Whether A has a slot more than the others, so that it is sent for earlier.
    pub early_a: bool,
    /// Where all stages end, and LDS for other things begins.
    pub lds: u32,
}

/// Bytes that a row of a stage may have.
const STAGE_BYTES: [u32; 3] = [64, 128, 256];

fn bad<T>(name: &'static str, value: impl ToString, accepted: impl Into<String>) -> Result<T, GemmError> {
    Err(GemmError::Parameter { name, value: value.to_string(), accepted: accepted.into() })
}

impl GemmParams {
    pub(super) fn plan(&self, target: Target) -> Result<Plan, GemmError> {
        self.check_numbers()?;
        let scaled = self.dtype.is_scaled();
        let inputs = self.dtype.inputs();
        let lds_bits = inputs.map(|e| if e.bits() == 6 { 8 } else { e.bits() });
        let widest = lds_bits[0].max(lds_bits[1]);
        let stage_k = self.stage_bytes * 8 / widest;
        let with = |mfma, stage_bytes: u32| {
            MatrixOp::find(target, inputs, self.dtype.sum(), mfma, scaled, stage_bytes * 8 / widest)
        };
        // What keeps a target's instruction from being used comes before that there were none.
        let suits_scales = self.mfma == 16 && !self.trans_a && self.trans_b && self.direct;
        if scaled && !suits_scales && STAGE_BYTES.iter().any(|bytes| with(16, *bytes).is_some()) {
            return bad(
                "dtype",
                self.dtype.name(),
                "microscaling formats take mfma=16, trans_a=false, trans_b=true and direct=true",
            );
        }
        let op = match with(self.mfma, self.stage_bytes) {
            Some(op) => op,
            None => match STAGE_BYTES.iter().find(|bytes| with(self.mfma, **bytes).is_some()) {
                Some(least) => return bad("stage_bytes", self.stage_bytes, format!("at least {least}")),
                None => return Err(GemmError::NoInstruction { target, dtype: self.dtype, mfma: self.mfma }),
            },
        };
        if self.extras.activation.takes_exponential() && op.output != wavesmith_asm::sem::Elem::F32 {
            return bad("activation", self.extras.activation, "none or relu for f64 and i8");
        }
        let waves = [self.waves_m, self.waves_n];
        let tiles = [("tile_m", self.tile_m), ("tile_n", self.tile_n)];
        let mut offset = 0;
        let mut side = |i: usize| -> Result<Side, GemmError> {
            let (name, rows) = tiles[i];
            let row_bytes = stage_k * lds_bits[i] / 8;
            let least = waves[i] * if scaled { SCALE_ROWS } else { self.mfma };
            if !rows.is_power_of_two() || rows < least || rows > 256 {
                return bad(name, rows, format!("a power of two from {least} to 256"));
            }
            let along = if i == 0 { !self.trans_a } else { self.trans_b };
            let bits = inputs[i].bits();
            let direct = match (self.direct && along && bits != 6, target, self.load_bytes) {
                (true, Target::Gfx950, 16) => Some(16),
                (true, _, 4..) => Some(4),
                _ => None,
            };
            let chunks = (op.per_lane() * lds_bits[i] / 8).div_ceil(CHUNK);
            let piece = direct.unwrap_or(CHUNK * if bits == 6 { 2 } else { 1 });
            if rows * row_bytes < self.threads() * piece {
                let accepted =
                    format!("at least {}, so that every work-item loads", self.threads() * piece / row_bytes);
                return bad(name, rows, accepted);
            }
            let Some(tile) = SharedTile::new(target, rows, row_bytes, offset) else {
                return bad("stage_bytes", self.stage_bytes, "64, 128 or 256");
            };
            offset += tile.bytes();
            Ok(Side { tile, along, bits, chunks, direct, together: 1, scales: None })
        };
        let mut sides = [side(0)?, side(1)?];
        // A read of a lane covers one matrix instruction or several; both operands agree on that.
        let step_k = sides.iter().map(|s| s.chunks * s.chunk_elements() * op.groups()).max().unwrap_or(1);
        for s in &mut sides {
            s.chunks = step_k / (s.chunk_elements() * op.groups());
        }
        let steps = stage_k / step_k;
        if steps == 0 {
            let accepted = format!("at least {}", self.stage_bytes * step_k / stage_k);
            return bad("stage_bytes", self.stage_bytes, accepted);
        }
        if scaled {
            for s in &mut sides {
                let blocks = s.tile.rows / SCALE_ROWS;
                s.scales = Some(Scales { offset, blocks });
                // A direct load is the whole workgroup's; what the last one has too much goes to waste.
                offset += (blocks * steps * 256).next_multiple_of(self.threads() * 4);
            }
        }
        let (stage, limit) = (offset, target.max_lds());
        let (stages, extra) = (self.stages * stage, if self.is_shared() { LDS_EXTRA } else { 0 });
        if stages + extra > limit {
            return Err(GemmError::Lds { stages: self.stages, stage, limit, target });
        }
        // A's tile is the first of a stage, so one more of it may follow the last stage.
        let one_more = stages + sides[0].tile.bytes();
        let straight = sides.iter().all(|s| s.direct.is_some());
        let early_a = self.early_a && self.schedule.is_rotated() && straight && steps > 1 && one_more + extra <= limit;
        let lds = if early_a { one_more } else { stages };
        if self.stages > 2 && sides.iter().any(|s| s.direct.is_none()) {
            return bad("stages", self.stages, "2, unless both matrices are loaded straight into LDS");
        }
        let per_wave = [0, 1].map(|i| tiles[i].1 / waves[i] / self.mfma);
        // Rows that run across K are loaded side by side, and what C holds is added one by one.
        if scaled {
            // As their scales are packed.
            sides[1].together = SCALE_TILES;
        } else if sides[1].along && !self.extras.beta && op.output == Elem::F32 {
            sides[1].together = per_wave[1].min(CHUNK / self.output_bytes());
        }
        Ok(Plan { op, sides, steps, stage_k, per_wave, stage, early_a, lds })
    }

    /// What does not depend on the target.
    fn check_numbers(&self) -> Result<(), GemmError> {
        if !matches!(self.mfma, 16 | 32) {
            return bad("mfma", self.mfma, "16 or 32");
        }
        if !STAGE_BYTES.contains(&self.stage_bytes) {
            return bad("stage_bytes", self.stage_bytes, "64, 128 or 256");
        }
        if !(2..=8).contains(&self.stages) {
            return bad("stages", self.stages, "2 to 8");
        }
        if !(self.waves_m.is_power_of_two() && self.waves_n.is_power_of_two() && self.threads() <= 1024) {
            return bad(
                "waves_m",
                self.waves_m,
                "waves_m and waves_n must be powers of two with a product of at most 16",
            );
        }
        let least = (self.dtype.input_bits(0).max(self.dtype.input_bits(1)) / 8).max(1);
        if !(self.load_bytes.is_power_of_two() && (least..=16).contains(&self.load_bytes)) {
            return bad("load_bytes", self.load_bytes, format!("a power of two from {least} to 16"));
        }
        if let Some(output) = self.output
            && !(self.dtype.sum() == Elem::F32 && matches!(output, Elem::F16 | Elem::Bf16 | Elem::F32))
        {
            let accepted = if self.dtype.sum() == Elem::F32 { "f16, bf16 or f32" } else { "the type's own alone" };
            return bad("output", super::elem(output), accepted);
        }
        if self.schedule == Schedule::PingPong && self.waves_m * self.waves_n != 8 {
            return bad("schedule", "pingpong", "eight waves, such as waves_m=2 and waves_n=4");
        }
        if self.split_k == 0 || self.split_k > 1 && self.order != Order::Tiles {
            return bad("split_k", self.split_k, "1 or more, and 1 unless order=tiles");
        }
        if self.xcd_chunk != 0 && !self.xcd_chunk.is_power_of_two() {
            return bad("xcd_chunk", self.xcd_chunk, "0 or a power of two");
        }
        if self.group_m == 0 {
            return bad("group_m", self.group_m, "1 or more");
        }
        Ok(())
    }
}

/// LDS beyond the stages: what one wave tells the others.
pub(super) const LDS_EXTRA: u32 = 16;

impl Plan {
    /// Bytes of LDS.
    pub(super) fn lds_bytes(&self, p: &GemmParams) -> u32 {
        self.lds + if p.is_shared() { LDS_EXTRA } else { 0 }
    }

    /// Matrix instructions along K that one step of operands holds.
    pub(super) fn parts(&self) -> u16 {
        let side = &self.sides[0];
        (side.chunks * side.chunk_elements() * self.op.groups() / self.op.k) as u16
    }
}

//! What a GEMM can be asked for, and whether a target can do it.

use wavesmith_asm::Target;
use wavesmith_asm::sem::Elem;
use wavesmith_emitter::EmitError;
use wavesmith_emitter::object::LinkError;
use wavesmith_emitter::tile::{MatrixOp, SharedTile};

/// Types of inputs, accumulator and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dtype {
    /// f16 inputs, f32 sums, f16 result.
    F16,
    /// f16 inputs, f32 result.
    F16F32,
    /// bf16 inputs, f32 sums, bf16 result.
    Bf16,
    /// f32 throughout.
    F32,
    /// f32 inputs rounded to xf32, f32 result (gfx942).
    Xf32,
    /// f64 throughout (gfx90a and later).
    F64,
    /// 8-bit integers, 32-bit sums and result.
    I8,
    /// E4M3 inputs (the FNUZ kind on gfx942, OCP on gfx950), f32 result.
    Fp8,
    /// E5M2 inputs, f32 result.
    Bf8,
}

impl Dtype {
    /// Every one.
    pub const ALL: [Dtype; 9] = [
        Dtype::F16,
        Dtype::F16F32,
        Dtype::Bf16,
        Dtype::F32,
        Dtype::Xf32,
        Dtype::F64,
        Dtype::I8,
        Dtype::Fp8,
        Dtype::Bf8,
    ];

    /// The name that parameters use.
    pub const fn name(self) -> &'static str {
        match self {
            Dtype::F16 => "f16",
            Dtype::F16F32 => "f16f32",
            Dtype::Bf16 => "bf16",
            Dtype::F32 => "f32",
            Dtype::Xf32 => "xf32",
            Dtype::F64 => "f64",
            Dtype::I8 => "i8",
            Dtype::Fp8 => "fp8",
            Dtype::Bf8 => "bf8",
        }
    }

    /// Type of an element of A and B.
    pub const fn input(self) -> Elem {
        match self {
            Dtype::F16 | Dtype::F16F32 => Elem::F16,
            Dtype::Bf16 => Elem::Bf16,
            Dtype::F32 => Elem::F32,
            Dtype::Xf32 => Elem::Xf32,
            Dtype::F64 => Elem::F64,
            Dtype::I8 => Elem::I8,
            Dtype::Fp8 => Elem::Fp8,
            Dtype::Bf8 => Elem::Bf8,
        }
    }

    /// Type of a sum.
    pub const fn sum(self) -> Elem {
        match self {
            Dtype::F64 => Elem::F64,
            Dtype::I8 => Elem::I32,
            _ => Elem::F32,
        }
    }

    /// Type of an element of C.
    pub const fn output(self) -> Elem {
        match self {
            Dtype::F16 => Elem::F16,
            Dtype::Bf16 => Elem::Bf16,
            other => other.sum(),
        }
    }

    /// Bytes of an element of A and B.
    pub const fn input_bytes(self) -> u32 {
        self.input().bits() / 8
    }

    /// Bytes of an element of C.
    pub const fn output_bytes(self) -> u32 {
        self.output().bits() / 8
    }
}

impl std::str::FromStr for Dtype {
    type Err = GemmError;

    fn from_str(s: &str) -> Result<Self, GemmError> {
        Dtype::ALL.into_iter().find(|d| d.name() == s).ok_or_else(|| GemmError::UnknownDtype(s.to_owned()))
    }
}

/// What becomes of a result before it is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Activation {
    /// Nothing.
    #[default]
    None,
    /// Negative ones become zero.
    Relu,
}

/// What is added to and done with the products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extras {
    /// Adds `beta` times what C holds.
    pub beta: bool,
    /// Adds a vector along N.
    pub bias: bool,
    /// Applied last.
    pub activation: Activation,
}

/// The order in which the hot loop issues what may go in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// As written: loads of the next tile, then LDS reads and products, chunk by chunk.
    Plain,
    /// LDS reads for the next products and loads of the next tile between the products.
    Interleave {
        /// Products before each LDS read.
        mfma_per_read: usize,
        /// Products before each load (and its addressing).
        mfma_per_load: usize,
    },
    /// Everything after the barrier by latency.
    List,
}

/// A GEMM's parameters. All of them are powers of two where they count something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GemmParams {
    /// Types.
    pub dtype: Dtype,
    /// A is stored K × M instead of M × K.
    pub trans_a: bool,
    /// B is stored N × K instead of K × N.
    pub trans_b: bool,
    /// Rows of C a workgroup computes.
    pub tile_m: u32,
    /// Columns of C a workgroup computes.
    pub tile_n: u32,
    /// Bytes of K that a stage holds, 64 to 256.
    pub stage_bytes: u32,
    /// Waves along M.
    pub waves_m: u32,
    /// Waves along N.
    pub waves_n: u32,
    /// Size of the matrix instruction: 16 or 32.
    pub mfma: u32,
    /// Bytes of the loads from a matrix whose rows run along K; rows and leading dimension must be multiples of it.
    pub load_bytes: u32,
    /// What surrounds the product.
    pub extras: Extras,
    /// Order of the hot loop.
    pub schedule: Schedule,
}

/// Why a GEMM cannot be generated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GemmError {
    /// No such type.
    #[error("unknown type `{0}`: known are {known}", known = Dtype::ALL.map(Dtype::name).join(", "))]
    UnknownDtype(String),
    /// The target has no matrix instruction for it.
    #[error("{target} has no {mfma}x{mfma} matrix instruction for {}", .dtype.name())]
    NoInstruction {
        /// The target.
        target: Target,
        /// The types.
        dtype: Dtype,
        /// The size asked for.
        mfma: u32,
    },
    /// A parameter is out of range.
    #[error("{name} = {value}: {accepted}")]
    Parameter {
        /// Its name.
        name: &'static str,
        /// What was given.
        value: u32,
        /// What would do.
        accepted: String,
    },
    /// The stages exceed LDS.
    #[error("two stages of {stage} bytes exceed the {limit} bytes of LDS of {target}")]
    Lds {
        /// Bytes of a stage.
        stage: u32,
        /// Bytes there are.
        limit: u32,
        /// The target.
        target: Target,
    },
    /// The kernel does not fit the registers, or cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The object cannot be linked.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// What follows from parameters and target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub op: MatrixOp,
    /// Tiles of A and B in the first stage.
    pub a: SharedTile,
    pub b: SharedTile,
    /// Matrix tiles of a wave along M and N.
    pub per_wave: [u32; 2],
    /// Bytes of a stage.
    pub stage: u32,
}

impl GemmParams {
    /// Sensible parameters for a shape: tiles as large as the shape deserves, loads as wide as its rows allow.
    pub fn suited(dtype: Dtype, trans_a: bool, trans_b: bool, problem: &super::GemmProblem) -> GemmParams {
        let es = dtype.input_bytes();
        let along = |runs_along_k: bool, ld: u32| if runs_along_k { (problem.k * es) | (ld * es) } else { 0 };
        let bits = along(!trans_a, problem.lda) | along(trans_b, problem.ldb) | 16;
        let side = |x: u32| if x > 64 { 128 } else { 64 };
        GemmParams {
            dtype,
            trans_a,
            trans_b,
            tile_m: side(problem.m),
            tile_n: side(problem.n),
            stage_bytes: 64,
            waves_m: 2,
            waves_n: 2,
            mfma: 16,
            load_bytes: 1 << bits.trailing_zeros(),
            extras: Extras { beta: problem.beta != 0.0, ..Extras::default() },
            schedule: Schedule::Interleave { mfma_per_read: 2, mfma_per_load: 4 },
        }
    }

    /// Work-items of a workgroup.
    pub const fn threads(&self) -> u32 {
        64 * self.waves_m * self.waves_n
    }

    pub(super) fn plan(&self, target: Target) -> Result<Plan, GemmError> {
        let bad =
            |name, value, accepted: &str| Err(GemmError::Parameter { name, value, accepted: accepted.to_owned() });
        if !matches!(self.mfma, 16 | 32) {
            return bad("mfma", self.mfma, "16 or 32");
        }
        let found = MatrixOp::find(target, self.dtype.input(), self.dtype.sum(), self.mfma);
        let op = found.ok_or(GemmError::NoInstruction { target, dtype: self.dtype, mfma: self.mfma })?;
        if !matches!(self.stage_bytes, 64 | 128 | 256) {
            return bad("stage_bytes", self.stage_bytes, "64, 128 or 256");
        }
        if !(self.waves_m.is_power_of_two() && self.waves_n.is_power_of_two() && self.threads() <= 1024) {
            return bad(
                "waves_m",
                self.waves_m,
                "waves_m and waves_n must be powers of two with a product of at most 16",
            );
        }
        let es = self.dtype.input_bytes();
        if !(self.load_bytes.is_power_of_two() && (es..=16).contains(&self.load_bytes)) {
            return bad("load_bytes", self.load_bytes, "a power of two from the element's size to 16");
        }
        let chunks = self.stage_bytes / 16;
        for (name, tile, waves) in [("tile_m", self.tile_m, self.waves_m), ("tile_n", self.tile_n, self.waves_n)] {
            if !tile.is_power_of_two() || tile < waves * self.mfma || tile > 256 {
                let accepted = format!("a power of two from {} to 256", waves * self.mfma);
                return Err(GemmError::Parameter { name, value: tile, accepted });
            }
            if tile * chunks < self.threads() {
                let accepted =
                    format!("at least {}, so that every work-item has something to load", self.threads() / chunks);
                return Err(GemmError::Parameter { name, value: tile, accepted });
            }
        }
        let tile = |rows, offset| {
            SharedTile::new(target, rows, self.stage_bytes, offset).ok_or(GemmError::Parameter {
                name: "stage_bytes",
                value: self.stage_bytes,
                accepted: "64, 128 or 256".into(),
            })
        };
        let a = tile(self.tile_m, 0)?;
        let b = tile(self.tile_n, a.bytes())?;
        let stage = a.bytes() + b.bytes();
        // Immediate offsets of LDS reads reach 64 KiB.
        let limit = target.max_lds().min(65_536);
        if 2 * stage > limit {
            return Err(GemmError::Lds { stage, limit, target });
        }
        let per_wave = [self.tile_m / self.waves_m / self.mfma, self.tile_n / self.waves_n / self.mfma];
        Ok(Plan { op, a, b, per_wave, stage })
    }
}

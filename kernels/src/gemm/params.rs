//! What a GEMM can be asked for, and what suits a part and a shape.

use super::Dtype;
use super::GemmProblem;
use wavesmith_asm::sku::Sku;
use wavesmith_asm::{Target, sem::Elem};
use wavesmith_emitter::EmitError;
use wavesmith_emitter::object::LinkError;

/// What becomes of a result before it is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Activation {
    /// Nothing.
    #[default]
    None,
    /// Negative ones become zero.
    Relu,
    /// `x · σ(1.702 x)` is not meant: the one with tanh, `x · σ(2 √(2/π) (x + 0.044715 x³))`. Not for f64 and i8.
    Gelu,
    /// `x · σ(x)`. Not for f64 and i8.
    Silu,
    /// `σ(x) = 1 / (1 + e^−x)`. Not for f64 and i8.
    Sigmoid,
}

impl Activation {
    /// Whether it takes an exponential, which only f32 has.
    pub const fn takes_exponential(self) -> bool {
        matches!(self, Activation::Gelu | Activation::Silu | Activation::Sigmoid)
    }
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
    /// As written: loads of the next tile, then LDS reads and products, step by step.
    Plain,
    /// LDS reads for the next products and loads of the next tile between the products: with four waves, each SIMD has
    /// one that keeps its matrix pipe busy.
    Interleave {
        /// Products before each LDS read.
        mfma_per_read: usize,
        /// Products before each load (and its addressing).
        mfma_per_load: usize,
    },
    /// Like [`Schedule::Interleave`], a step ahead: the first operands of a stage are read in the last step of the one
    /// before, where loads are sent into the LDS that is free by then, so that no product waits for LDS.
    Rotate {
        /// Products before each LDS read.
        mfma_per_read: usize,
        /// Products before each load (and its addressing).
        mfma_per_load: usize,
    },
    /// Everything after the barrier by latency.
    List,
    /// Two waves a SIMD take turns, a barrier apart: one reads LDS and loads while the other multiplies at raised
    /// priority. Takes eight waves.
    PingPong,
}

/// How the tiles of C, and the sums along K, are dealt out to workgroups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// A workgroup for each tile, or for each part of one with [`GemmParams::split_k`].
    #[default]
    Tiles,
    /// As many workgroups as the part holds, each with its share of the tiles, one after the other.
    Persistent,
    /// As many workgroups as the part holds, each with the same number of stages of K, whichever tiles they belong to;
    /// tiles that several share are summed by the last to arrive.
    StreamK,
}

/// A GEMM's parameters. Tiles and waves are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GemmParams {
    /// Types.
    pub dtype: Dtype,
    /// Type of C and of what is added to it: f16, bf16 or f32 where sums are f32; `None` is the type's own.
    pub output: Option<Elem>,
    /// A is stored K × M instead of M × K.
    pub trans_a: bool,
    /// B is stored N × K instead of K × N.
    pub trans_b: bool,
    /// Rows of C a workgroup computes at a time.
    pub tile_m: u32,
    /// Columns of C a workgroup computes at a time.
    pub tile_n: u32,
    /// Bytes of LDS that a row of a stage takes, 64 to 256; of A or B, whichever has the wider type.
    pub stage_bytes: u32,
    /// Stages in LDS, 2 to 8; more than two need direct loads of both matrices.
    pub stages: u32,
    /// With [`Schedule::Rotate`]: A is sent for a step before the rest of its stage, where LDS has room for another of its tiles,
    /// both matrices are loaded straight and a stage has several steps. Loads are then spread over the stage.
    pub early_a: bool,
    /// Waves along M.
    pub waves_m: u32,
    /// Waves along N.
    pub waves_n: u32,
    /// Size of the matrix instruction: 16 or 32.
    pub mfma: u32,
    /// Bytes of the loads from a matrix whose rows run along K. K must come in whole numbers of it, which the kernel checks;
    /// dwords and more are loaded from whole dwords.
    pub load_bytes: u32,
    /// Whether matrices whose rows run along K are loaded straight into LDS: 4 bytes a lane, or 16 on gfx950.
    pub direct: bool,
    /// What surrounds the product.
    pub extras: Extras,
    /// Order of the hot loop.
    pub schedule: Schedule,
    /// Order of the tiles.
    pub order: Order,
    /// Parts that each tile's K is cut into, with [`Order::Tiles`]; summed in order by the last to arrive.
    pub split_k: u32,
    /// Workgroups with [`Order::Persistent`] and [`Order::StreamK`]; 0 is one for each compute unit.
    pub workgroups: u32,
    /// Consecutive workgroups that are kept on one XCD, a power of two; 0 leaves them as the hardware deals them.
    pub xcd_chunk: u32,
    /// Rows of tiles that are walked together, column by column, so that they share what is in the caches.
    pub group_m: u32,
}

/// Why a GEMM cannot be generated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GemmError {
    /// No such type.
    #[error(
        "unknown type `{0}`: known are {known}, and mixed pairs such as mxfp8fp4",
        known = Dtype::ALL[..14].iter().map(|d| d.name()).collect::<Vec<_>>().join(", ")
    )]
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
        value: String,
        /// What would do.
        accepted: String,
    },
    /// The stages exceed LDS.
    #[error("{stages} stages of {stage} bytes exceed the {limit} bytes of LDS of {target}")]
    Lds {
        /// Stages.
        stages: u32,
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

impl GemmParams {
    /// Sensible parameters for a part and a shape: tiles as large as the shape deserves, loads as wide as its rows
    /// allow, straight into LDS where the part does that 16 bytes at a time.
    pub fn suited(dtype: Dtype, trans_a: bool, trans_b: bool, problem: &GemmProblem, sku: &Sku) -> GemmParams {
        let gfx950 = sku.target == Target::Gfx950;
        let row = |side: usize, along: bool, ld: u32| {
            let bits = dtype.input_bits(side);
            if along && bits != 6 { (problem.k * bits / 8) | (ld * bits / 8) } else { 0 }
        };
        let bytes = row(0, !trans_a, problem.lda) | row(1, trans_b, problem.ldb) | 16;
        let load_bytes = 1 << bytes.trailing_zeros();
        let direct = dtype.is_scaled() || gfx950 && load_bytes == 16 && (!trans_a || trans_b);
        // Scales come for 64 rows of a wave at a time.
        let scaled = dtype.is_scaled();
        // Large tiles pay where there is one for every compute unit and both matrices come straight: so measured on MI355X.
        let large_tiles = u64::from(problem.m / 256) * u64::from(problem.n / 256) * u64::from(problem.batch);
        let fits_large =
            matches!(dtype, Dtype::F16 | Dtype::F16F32 | Dtype::Bf16 | Dtype::Mx(super::Mx::Fp4, super::Mx::Fp4));
        let straight = gfx950 && load_bytes == 16 && !trans_a && trans_b;
        let large = straight && fits_large && large_tiles >= u64::from(sku.cus);
        // Rows of 128 bytes are lines of the caches, and two steps a stage keep loads and products apart.
        let rotated = large || straight && dtype.input_bits(0) == 16;
        let side = |x: u32| match x {
            _ if large => 256,
            65.. => 128,
            _ => 64,
        };
        let (tile_m, tile_n) = (side(problem.m), side(problem.n));
        let waves = |tile: u32| if scaled && !large { tile / 64 } else { 2 };
        let stage_bytes = match dtype.inputs() {
            _ if rotated => 128,
            [Elem::Fp4, Elem::Fp4] => 128,
            // Chunks gathered byte by byte take so many registers that a short stage is all that fits.
            [a, b] if gfx950 && !trans_a && trans_b && (a.bits() < 16 || b.bits() < 16) => 128,
            _ => 64,
        };
        GemmParams {
            dtype,
            output: None,
            trans_a,
            trans_b,
            tile_m,
            tile_n,
            stage_bytes,
            stages: 2,
            early_a: large,
            waves_m: waves(tile_m),
            waves_n: waves(tile_n),
            mfma: 16,
            load_bytes,
            direct,
            extras: Extras { beta: problem.beta != 0.0, ..Extras::default() },
            schedule: match gfx950 {
                // Scales are loads and reads more.
                true if rotated && scaled => Schedule::Rotate { mfma_per_read: 2, mfma_per_load: 4 },
                true if rotated => Schedule::Rotate { mfma_per_read: 3, mfma_per_load: 3 },
                true => Schedule::Interleave { mfma_per_read: 2, mfma_per_load: 4 },
                // Stages are short: loads that are spread over one come too late.
                false => Schedule::Plain,
            },
            order: Order::Tiles,
            split_k: 1,
            workgroups: 0,
            xcd_chunk: if sku.xcds > 1 { 16 } else { 0 },
            group_m: 4,
        }
    }

    /// Type of an element of C.
    pub fn output(&self) -> Elem {
        self.output.unwrap_or(self.dtype.output())
    }

    /// Bytes of an element of C.
    pub fn output_bytes(&self) -> u32 {
        self.output().bits() / 8
    }

    /// Work-items of a workgroup.
    pub const fn threads(&self) -> u32 {
        64 * self.waves_m * self.waves_n
    }

    /// Whether results may have to be put together from several workgroups'.
    pub fn is_shared(&self) -> bool {
        self.split_k > 1 || self.order == Order::StreamK
    }
}

//! What a caller may choose about a monokernel, and why a choice may not fit.

use wavesmith_asm::Sku;
use wavesmith_model::{ConfigError, sampling::MAX_TOP_K};

/// How stages are joined across workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Sync {
    /// The data is the flag: consumers poll buffers pre-filled with a NaN that no producer stores.
    #[default]
    Sentinel,
    /// An atomic counter with release and acquire fences at every stage, for comparison.
    Counter,
}

/// Element type of the key and value cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum KvType {
    /// Half precision: `v_mfma_f32_16x16x16_f16` in attention.
    #[default]
    F16,
    /// Single precision: `v_mfma_f32_16x16x4_f32` in attention.
    F32,
}

impl KvType {
    /// Bytes of an element.
    pub const fn bytes(self) -> usize {
        match self {
            KvType::F16 => 2,
            KvType::F32 => 4,
        }
    }

    /// Elements in the 16 bytes that a lane loads at once.
    pub const fn per_load(self) -> usize {
        16 / self.bytes()
    }
}

/// Choices that shape the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// Workgroups of the dispatch; one to a compute unit, so at most the part's compute units.
    pub workgroups: u32,
    /// Waves a workgroup, or `None` for the number that pads the model's widths least.
    pub waves: Option<u32>,
    /// Positions the KV cache holds: prompt and generated tokens together.
    pub context: u32,
    /// Element type of the KV cache.
    pub kv: KvType,
    /// How stages are joined.
    pub sync: Sync,
    /// Generations the exchange buffers rotate through; at least 3, see the module's proof.
    pub generations: u32,
    /// Candidates of a draw, at most 64; 1 builds the greedy kernel.
    pub top_k: u32,
    /// Failed polls before a wave starts to sleep between polls.
    pub spins: u32,
}

/// Workgroups for the embedded device: one to a die, the fewest that use them all. Every workgroup keeps the residual and
/// normalises it on its own, which a GPU does beside its neighbours and a host does after them.
pub const fn embedded_workgroups(sku: &Sku) -> u32 {
    sku.xcds
}

/// Workgroups for a GPU: one to a compute unit, since only all of them together saturate the memory.
pub const fn device_workgroups(sku: &Sku) -> u32 {
    sku.cus
}

impl Params {
    /// Greedy decoding over `workgroups` workgroups with room for `context` positions, everything else by default.
    pub const fn new(workgroups: u32, context: u32) -> Self {
        Self {
            workgroups,
            waves: None,
            context,
            kv: KvType::F16,
            sync: Sync::Sentinel,
            generations: 3,
            top_k: 1,
            spins: 0,
        }
    }
}

/// Why no monokernel can be made of a model, a part and a set of parameters.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The model's shape is impossible in itself.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The part lacks an instruction the kernel is made of.
    #[error(
        "the monokernel needs the sc0/sc1 coherence bits and v_mfma of gfx942 or gfx950, {sku} is {target}: choose mi300a, mi300x, mi308x, mi325x, mi350x or mi355x"
    )]
    Target {
        /// The part.
        sku: &'static str,
        /// Its instruction set.
        target: String,
    },
    /// A width that tiles of 16 rows and chunks of 32 columns do not divide.
    #[error("{what} is {value}: it must be a multiple of {of}{limit}")]
    Width {
        /// The width.
        what: &'static str,
        /// Its value.
        value: usize,
        /// What would divide it.
        of: usize,
        /// A limit that also holds, in words, or nothing.
        limit: &'static str,
    },
    /// More query heads share a KV head than a matrix tile has columns.
    #[error("{group} query heads share a KV head: at most 16 fit the columns of an MFMA tile")]
    Group {
        /// Query heads a KV head.
        group: usize,
    },
    /// A parameter outside its range.
    #[error("{what} is {value}: it must be {low}..={high}")]
    Range {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: u64,
        /// Least accepted.
        low: u64,
        /// Most accepted.
        high: u64,
    },
    /// Local memory does not hold what one workgroup needs.
    #[error(
        "a workgroup of {waves} waves needs {need} bytes of LDS for this model, the kernel can use {have}: {hint} would fit"
    )]
    Lds {
        /// Waves a workgroup.
        waves: u32,
        /// Bytes needed.
        need: usize,
        /// Bytes there are within the kernel's reach.
        have: usize,
        /// What would fit.
        hint: String,
    },
    /// The activations of one wave do not fit its registers.
    #[error(
        "with {waves} waves a wave multiplies {chunks} chunks of 32 columns and keeps them in registers, which hold {most}: {hint}"
    )]
    Registers {
        /// Waves a workgroup.
        waves: u32,
        /// Chunks a wave.
        chunks: usize,
        /// Chunks that fit.
        most: usize,
        /// What would fit.
        hint: String,
    },
    /// A buffer that 32-bit offsets do not reach across.
    #[error("{what} takes {bytes} bytes: it must stay under 4 GiB, which more workgroups or a shorter context may do")]
    TooLarge {
        /// The buffer.
        what: &'static str,
        /// Its size.
        bytes: usize,
    },
    /// The emitter refused the generated code.
    #[error("the generated kernel cannot be assembled: {0}")]
    Emit(String),
}

/// Refuses `value` outside `low..=high`.
pub(crate) fn in_range(what: &'static str, value: u32, low: u32, high: u32) -> Result<(), Error> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(Error::Range { what, value: value.into(), low: low.into(), high: high.into() })
}

impl Params {
    /// Checks the parameters that do not depend on the model, for a part with that many compute units.
    ///
    /// # Errors
    /// [`Error::Range`] names the first parameter that is out of its range.
    pub fn validate(&self, cus: u32) -> Result<(), Error> {
        in_range("the number of workgroups", self.workgroups, 1, cus)?;
        in_range("the number of positions", self.context, 1, 1 << 20)?;
        in_range("the number of generations", self.generations, 3, 16)?;
        in_range("top-k", self.top_k, 1, MAX_TOP_K)?;
        in_range("the number of spins before sleeping", self.spins, 0, 1 << 16)?;
        if let Some(waves) = self.waves {
            in_range("the number of waves", waves, 1, 8)?;
        }
        Ok(())
    }
}

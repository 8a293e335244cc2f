//! The static plan: which workgroup computes which rows of which matrix, and how each wave walks through its weights.
//!
//! Every matrix is cut into tiles of [`TILE`] rows, and each workgroup takes a contiguous run of them, runs differing by
//! one tile at most. Inside a workgroup the columns are cut into chunks of [`CHUNK`], and each wave takes the same
//! number of contiguous chunks of every tile; columns past the matrix are zero weights. So a wave's work on a stage is
//! `tiles × chunks` blocks of one kibibyte, in the order it reads them, and its activations, one slice of the input
//! vector, stay in registers over all tiles.
//!
//! Attention is cut by KV head, not by query head: the query heads of a group are columns of one matrix tile, so the
//! head's cache is read once and only by the workgroup that wrote it, and needs no coherence beyond a compute unit.

use super::exchange::Exchange;
use super::params::{Error, KvType, Params, in_range};
use wavesmith_asm::{Sku, Target};
use wavesmith_model::LlamaConfig;

/// Rows of a tile.
pub const TILE: usize = 16;
/// Columns of a chunk of f16 weights: 16 rows by 32 columns are 64 lanes by 16 bytes.
pub const CHUNK: usize = 32;
/// Bytes of a block: one tile by one chunk.
pub const BLOCK: usize = 1024;
/// Tokens a prefill step takes: the columns of an MFMA tile.
pub const TOKENS: usize = 16;
/// Positions an attention step takes.
pub const POSITIONS: usize = 32;
/// Most chunks of activations a wave keeps in registers.
pub const MAX_CHUNKS: usize = 24;
/// Most blocks a wave has in flight.
const MAX_SLOTS: usize = 16;

/// A matrix product of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Queries, keys and values of all heads.
    Qkv,
    /// Attention output.
    Out,
    /// Gate and value of the feed-forward layer, interleaved.
    GateUp,
    /// Feed-forward output.
    Down,
    /// LM head.
    Head,
}

impl Stage {
    /// In the order a token meets them.
    pub const ALL: [Stage; 5] = [Stage::Qkv, Stage::Out, Stage::GateUp, Stage::Down, Stage::Head];
    /// Those repeated in every layer.
    pub const LAYER: [Stage; 4] = [Stage::Qkv, Stage::Out, Stage::GateUp, Stage::Down];
}

/// One matrix product, cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of the matrix, before padding to tiles.
    pub rows: usize,
    /// Columns of the matrix, before padding to chunks.
    pub cols: usize,
    /// Tiles.
    pub tiles: usize,
    /// Chunks of a tile that each wave multiplies.
    pub chunks: usize,
    /// Blocks a wave has in flight: a divisor of `chunks`, so that a block's register is known when code is made.
    pub slots: usize,
}

/// How `n` values are loaded by 64 lanes: `loads` loads of `width` dwords a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Loads.
    pub loads: usize,
    /// Dwords a lane and load, 1 to 4.
    pub width: usize,
}

impl Spread {
    /// The fewest loads that cover `n` values, then the fewest registers.
    pub fn over(n: usize) -> Self {
        let of = |width: usize| Spread { loads: n.div_ceil(64 * width), width };
        (1..=4).map(of).min_by_key(|s| (s.loads, s.width)).expect("the range is not empty")
    }

    /// Values covered, at least `n`.
    pub const fn padded(self) -> usize {
        self.loads * self.width * 64
    }

    /// Registers from one load's first to the next: tuples start at even registers on gfx90a and later.
    pub const fn stride(self) -> usize {
        if self.width == 3 { 4 } else { self.width }
    }

    /// Registers a lane needs.
    pub const fn regs(self) -> usize {
        self.loads * self.stride()
    }
}

/// A workgroup's share of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// First tile.
    pub first: usize,
    /// Tiles.
    pub count: usize,
}

/// Everything about a monokernel that is decided before an instruction is made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The model.
    pub config: LlamaConfig,
    /// The part.
    pub sku: &'static Sku,
    /// The caller's choices.
    pub params: Params,
    /// Waves a workgroup.
    pub waves: usize,
    /// The stages by [`Stage`] order.
    pub shapes: [Shape; 5],
    /// How one residual row is spread over the lanes of a wave.
    pub row: Spread,
    /// Tiles between two barriers of a prefill stage; a decode stage takes four times as many.
    pub batch: usize,
    /// The exchange buffers.
    pub exchange: Exchange,
    /// The LDS map.
    pub lds: Lds,
}

/// Byte offsets into a workgroup's LDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lds {
    /// Normalised activations in f16: a row a token, `x_stride` bytes apart.
    pub x: usize,
    /// Bytes from one token's activations to the next: a multiple of 16, and 16 more than a multiple of 128 where that
    /// is possible, so that 16 tokens read at once fall into different banks.
    pub x_stride: usize,
    /// A wave's slice of the input vector in decode, `slice_stride` bytes a wave.
    pub slice: usize,
    /// Bytes of a wave's slice.
    pub slice_stride: usize,
    /// Partial sums of two batches; attention merges here too.
    pub partial: usize,
    /// Bytes of one of the two.
    pub partial_stride: usize,
    /// Rotated queries of the attention job: a row a column, `q_stride` bytes apart; 16 columns a pass.
    pub query: usize,
    /// Bytes from one column's query to the next.
    pub q_stride: usize,
    /// Candidates and scratch of the tail.
    pub tail: usize,
    /// One dword: nonzero once a wave of the workgroup gave up.
    pub abort: usize,
    /// One dword: the token that wave 0 received.
    pub token: usize,
    /// Bytes in all.
    pub bytes: usize,
}

/// LDS that the kernel can address: it reaches its areas by 16-bit offsets from addresses near 0, whatever more the part
/// has.
const LDS_REACH: usize = 1 << 16;

impl Plan {
    /// Decides everything for one model on one part.
    ///
    /// # Errors
    /// [`Error`] says which dimension or parameter does not fit, and what would.
    pub fn new(config: &LlamaConfig, sku: &'static Sku, params: &Params) -> Result<Plan, Error> {
        config.validate()?;
        if !matches!(sku.target, Target::Gfx942 | Target::Gfx950) {
            return Err(Error::Target { sku: sku.name, target: sku.target.to_string() });
        }
        params.validate(sku.cus)?;
        let c = config;
        let width = |what, value: usize, of: usize, limit| {
            if value.is_multiple_of(of) { Ok(()) } else { Err(Error::Width { what, value, of, limit }) }
        };
        width("the model width", c.d_model, 32, "")?;
        width("the feed-forward width", c.ffn, 32, "")?;
        width("the head width", c.head_dim, 32, " and at most 128")?;
        if c.head_dim > 128 {
            return Err(Error::Width { what: "the head width", value: c.head_dim, of: 32, limit: " and at most 128" });
        }
        if c.group() > TOKENS {
            return Err(Error::Group { group: c.group() });
        }
        in_range("the vocabulary", u32::try_from(c.vocab).unwrap_or(u32::MAX), 1, 1 << 24)?;
        in_range("the number of layers", u32::try_from(c.layers).unwrap_or(u32::MAX), 1, 1 << 12)?;
        match params.waves {
            Some(waves) => Self::with_waves(c, sku, params, waves as usize),
            None => Self::best(c, sku, params),
        }
    }

    /// The plan whose wave count pads the columns least; 4, 6 and 3 waves keep a compute unit busiest, so ties go
    /// to them in this order. If none fits, the one that lacks least LDS tells why, else the first.
    fn best(c: &LlamaConfig, sku: &'static Sku, params: &Params) -> Result<Plan, Error> {
        let mut best: Option<(usize, Plan)> = None;
        let mut error = None;
        for waves in [4, 3, 6, 2, 8, 5, 7, 1] {
            match Self::with_waves(c, sku, params, waves) {
                Ok(plan) => {
                    let blocks = plan.blocks_per_token();
                    if best.as_ref().is_none_or(|b| blocks < b.0) {
                        best = Some((blocks, plan));
                    }
                }
                Err(Error::Lds { waves, need, have, .. }) => {
                    let nearer = match &error {
                        None | Some(Error::Registers { .. }) => true,
                        Some(Error::Lds { need: least, .. }) => need < *least,
                        Some(_) => false,
                    };
                    if nearer {
                        error = Some(Error::Lds { waves, need, have, hint: "a smaller model width".to_owned() });
                    }
                }
                Err(e) => _ = error.get_or_insert(e),
            }
        }
        match best {
            Some((_, plan)) => Ok(plan),
            None => Err(error.expect("either a plan or an error came of every wave count")),
        }
    }

    fn with_waves(c: &LlamaConfig, sku: &'static Sku, params: &Params, waves: usize) -> Result<Plan, Error> {
        let shape = |rows: usize, cols: usize| {
            let (chunks, slots) = pipeline(cols.div_ceil(CHUNK).div_ceil(waves));
            Shape { rows, cols, tiles: rows.div_ceil(TILE), chunks, slots }
        };
        let shapes = [
            shape(c.q_width() + 2 * c.kv_width(), c.d_model),
            shape(c.d_model, c.q_width()),
            shape(2 * c.ffn, c.d_model),
            shape(c.d_model, c.ffn),
            shape(c.vocab, c.d_model),
        ];
        let most = shapes.iter().map(|s| s.chunks).max().expect("there are stages");
        if most > MAX_CHUNKS {
            let columns = shapes.iter().map(|s| s.cols).max().expect("there are stages");
            let need = columns.div_ceil(CHUNK * MAX_CHUNKS);
            let hint = if need <= 8 {
                format!("{need} waves would fit")
            } else {
                format!("at most {} columns fit in 8 waves", 8 * CHUNK * MAX_CHUNKS)
            };
            return Err(Error::Registers { waves: waves as u32, chunks: most, most: MAX_CHUNKS, hint });
        }
        let row = Spread::over(c.d_model);
        if row.regs() > 32 {
            return Err(Error::Width {
                what: "the model width",
                value: c.d_model,
                of: 32,
                limit: " and at most 2048, which is what the residual's registers hold",
            });
        }
        let have = LDS_REACH;
        let mut fitted = None;
        let mut need = usize::MAX;
        for batch in (1..=waves.min(4)).rev() {
            let lds = Lds::of(c, params, waves, &shapes, row, batch);
            need = need.min(lds.bytes);
            if lds.bytes <= have {
                fitted = Some((batch, lds));
                break;
            }
        }
        let Some((batch, lds)) = fitted else {
            let hint = if waves > 1 { "fewer waves or a smaller model width" } else { "a smaller model width" };
            return Err(Error::Lds { waves: waves as u32, need, have, hint: hint.to_owned() });
        };
        let exchange = Exchange::of(c, params, waves, &shapes, row);
        let plan = Plan { config: *c, sku, params: *params, waves, shapes, row, batch, exchange, lds };
        plan.check_offsets()?;
        Ok(plan)
    }

    /// The kernel multiplies these sizes as 32-bit factors and keeps offsets into them in 32 bits.
    fn check_offsets(&self) -> Result<(), Error> {
        let own = self.extent(self.params.workgroups as usize - 1);
        for (what, bytes) in [
            ("a generation of the exchange buffers", self.exchange.generation),
            ("a workgroup's weights of one layer", own.layer + MAX_CHUNKS * BLOCK),
            ("a workgroup's share of the LM head", own.end - own.head + MAX_CHUNKS * BLOCK),
            ("the KV cache of one head", self.config.layers * 2 * self.kv_side_bytes()),
            ("a workgroup's scratch", self.scratch_per_workgroup()),
        ] {
            if u32::try_from(bytes + 4096).is_err() {
                return Err(Error::TooLarge { what, bytes });
            }
        }
        Ok(())
    }

    /// The cut of one stage.
    pub const fn shape(&self, stage: Stage) -> &Shape {
        &self.shapes[stage as usize]
    }

    /// The tiles of a stage that a workgroup computes.
    pub const fn share(&self, stage: Stage, workgroup: usize) -> Share {
        let (tiles, w) = (self.shapes[stage as usize].tiles, self.params.workgroups as usize);
        let first = workgroup * tiles / w;
        Share { first, count: (workgroup + 1) * tiles / w - first }
    }

    /// The KV heads whose attention a workgroup computes, as (first, count). They are spread as evenly as heads go.
    pub const fn jobs(&self, workgroup: usize) -> (usize, usize) {
        let (heads, w) = (self.config.kv_heads, self.params.workgroups as usize);
        let first = (workgroup * heads).div_ceil(w);
        (first, ((workgroup + 1) * heads).div_ceil(w) - first)
    }

    /// How a wave's slice of a stage's input is loaded in decode.
    pub fn slice(&self, stage: Stage) -> Spread {
        Spread::over(self.shapes[stage as usize].chunks * CHUNK)
    }

    /// Blocks of weights that all waves together read for one token.
    pub fn blocks_per_token(&self) -> usize {
        let of = |s: Stage| self.shape(s).tiles * self.shape(s).chunks * self.waves;
        Stage::LAYER.iter().map(|&s| of(s)).sum::<usize>() * self.config.layers + of(Stage::Head)
    }

    /// Positions of the KV cache, rounded up to whole attention steps.
    pub const fn positions(&self) -> usize {
        (self.params.context as usize).next_multiple_of(POSITIONS)
    }

    /// Bytes of the keys (and of the values) of one attention step of one head.
    pub const fn kv_step_bytes(&self) -> usize {
        POSITIONS * self.config.head_dim * self.params.kv.bytes()
    }

    /// Bytes of one head's keys (and of its values) in one layer.
    pub const fn kv_side_bytes(&self) -> usize {
        self.positions() / POSITIONS * self.kv_step_bytes()
    }

    /// Bytes of the KV cache: `[kv head][layer][keys, values][step]`. It must start out as zeros, since values past the
    /// last position are multiplied by zero and must therefore be numbers.
    pub const fn kv_bytes(&self) -> usize {
        self.config.kv_heads * self.config.layers * 2 * self.kv_side_bytes()
    }

    /// Threads of a workgroup.
    pub const fn threads(&self) -> u32 {
        self.waves as u32 * 64
    }

    /// Logits a workgroup computes at most, padded rows included.
    pub const fn logits_per_workgroup(&self) -> usize {
        self.shapes[Stage::Head as usize].tiles.div_ceil(self.params.workgroups as usize) * TILE
    }

    /// Bytes of scratch a workgroup needs in device memory: the residual rows of a prefill step, then the scaled logits
    /// a draw selects from.
    pub const fn scratch_per_workgroup(&self) -> usize {
        self.scratch_logits() + if self.params.top_k > 1 { self.logits_per_workgroup() * 4 } else { 0 }
    }

    /// Where the logits start in a workgroup's scratch.
    pub const fn scratch_logits(&self) -> usize {
        TOKENS * self.row.padded() * 4
    }
}

/// Chunks a wave multiplies and blocks it keeps in flight, for at least `chunks` chunks: a prime number of chunks has no
/// useful divisor, so one or two of padding may buy a deeper pipeline.
fn pipeline(chunks: usize) -> (usize, usize) {
    let divisor = |n: usize| (1..=n.min(MAX_SLOTS)).rev().find(|&s| n.is_multiple_of(s)).unwrap_or(1);
    (chunks..chunks + 3)
        .map(|n| (n, divisor(n)))
        .find(|&(n, slots)| slots == n || slots >= 8)
        .unwrap_or((chunks, divisor(chunks)))
}

impl Lds {
    fn of(c: &LlamaConfig, params: &Params, waves: usize, shapes: &[Shape; 5], row: Spread, batch: usize) -> Lds {
        let mut end = 0usize;
        let mut take = |bytes: usize| {
            let at = end;
            end = (end + bytes).next_multiple_of(128);
            at
        };
        // A row holds what norms write (the padded row) and what products read (all waves' chunks).
        let read = shapes[Stage::Qkv as usize].chunks * waves * CHUNK;
        let x_stride = (2 * read.max(row.padded())).next_multiple_of(128) + 16;
        let x = take(TOKENS * x_stride);
        let slice_of = |s: Stage| Spread::over(shapes[s as usize].chunks * CHUNK).padded() * 2;
        let slice_stride = slice_of(Stage::Out).max(slice_of(Stage::Down));
        let slice = take(waves * slice_stride);
        // Attention merges (per wave: one accumulator a head-dim tile, maxima, sums) in the same place.
        let merge = waves * (c.head_dim / TILE + 1) * BLOCK;
        let partial_stride = batch * waves * BLOCK;
        let partial = take((2 * partial_stride).max(merge));
        let q_stride = c.head_dim * params.kv.bytes() + 16;
        let query = take(c.group() * TOKENS * q_stride);
        let tail = take(waves * 16);
        let abort = take(8);
        Lds {
            x,
            x_stride,
            slice,
            slice_stride,
            partial,
            partial_stride,
            query,
            q_stride,
            tail,
            abort,
            token: abort + 4,
            bytes: end,
        }
    }
}

impl KvType {
    /// Depth that one load of 16 rows by 16 bytes a lane covers: dims of a key block, positions of a value block.
    pub const fn depth(self) -> usize {
        4 * self.per_load()
    }
}

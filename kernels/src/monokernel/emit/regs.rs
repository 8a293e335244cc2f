//! The register map.
//!
//! Registers are numbered by hand rather than allocated, because most of them live as long as the kernel and the rest
//! are areas that successive stages share: while a wave multiplies, area `u` holds its slice of the input; while it
//! normalises or computes attention, the input is not needed yet and `u` holds what those need. Weights in flight
//! (`w`) and the residual survive both.

use super::super::params::{Error, KvType};
use super::super::plan::{Plan, Stage};
use super::super::tables::column;
use wavesmith_asm::reg::{S, V};

/// First scalar register of the workgroup's table row: aligned for 16-dword loads.
const TABLE: u16 = 8;
/// Scalar temporaries, at even numbers where pairs are taken.
const TEMPS: u16 = 12;

/// Every register the kernel uses.
pub(in super::super) struct Regs {
    /// Address of the kernel arguments.
    pub args: S<2>,
    /// Workgroup number.
    pub wg: S<1>,
    /// Wave number in the workgroup.
    pub wave: S<1>,
    /// Position of the step's first token.
    pub pos: S<1>,
    /// Step number.
    pub step: S<1>,
    /// Tokens generated so far.
    pub out: S<1>,
    /// The token that the last step produced.
    pub token: S<1>,
    /// Tokens of this step.
    pub ntok: S<1>,
    /// Generation of this step.
    pub gen_index: S<1>,
    /// Current layer.
    pub layer: S<1>,
    /// Exchange buffers of this generation.
    pub xgen: S<2>,
    /// Exchange buffers of this layer.
    pub xlayer: S<2>,
    /// The workgroup's weights of this layer.
    pub wlayer: S<2>,
    /// The workgroup's weights of layer 0.
    pub wbase: S<2>,
    /// Where the stage's weights start, plus 4096.
    pub wptr: S<2>,
    /// Norm weights of this layer.
    pub norms: S<2>,
    /// KV cache of this layer of head 0.
    pub kv: S<2>,
    /// The workgroup's scratch.
    pub scratch: S<2>,
    /// Rotary table.
    pub rope: S<2>,
    /// Residual dump, 0 unless this workgroup writes it.
    pub residuals: S<2>,
    /// Prompt length.
    pub prompt_len: S<1>,
    /// Watchdog limit.
    pub watchdog: S<1>,
    /// Failed polls in a row.
    pub misses: S<1>,
    /// Clock at the first failed poll.
    pub since: S<2>,
    /// Which of the two partial-sum buffers is written: its offset.
    pub flip: S<1>,
    /// Tiles left in the stage.
    pub tiles: S<1>,
    /// Tiles left in the batch.
    pub batch: S<1>,
    /// Tiles in the batch.
    pub batch_tiles: S<1>,
    /// First tile of the batch.
    pub tile: S<1>,
    /// LDS address of the wave's input slice.
    pub slice: S<1>,
    /// LDS offset of the token whose logits are wanted.
    pub last_row: S<1>,
    /// Target of the next counter barrier.
    pub epoch: S<1>,
    /// Loop counters.
    pub i: S<1>,
    /// Loop counters.
    pub j: S<1>,
    temps: u16,

    /// Lane number.
    pub lane: V<1>,
    /// Zero.
    pub zero: V<1>,
    /// Lane × 4.
    pub lane4: V<1>,
    /// Lane × 16.
    pub lane16: V<1>,
    /// Lane % 16: a token in prefill, a row in decode.
    pub tok: V<1>,
    /// Lane / 16 × 16.
    pub group16: V<1>,
    /// (Wave × 64 + lane) × 4.
    pub tid4: V<1>,
    /// Byte offset of the lane's part of a residual row.
    pub row: V<1>,
    /// LDS address from which activations are read in decode.
    pub x_decode: V<1>,
    /// The same in prefill.
    pub x_prefill: V<1>,
    /// LDS address from which the wave's slice is read.
    pub slice_read: V<1>,
    /// LDS address of partial sums: written in decode.
    pub put_decode: V<1>,
    /// Written in prefill.
    pub put_prefill: V<1>,
    /// Read in decode.
    pub sum_decode: V<1>,
    /// Read in prefill.
    pub sum_prefill: V<1>,
    /// Tile of the batch whose row this lane sums in decode.
    pub sum_tile: V<1>,
    /// Byte offset of the lane's hidden activation in a decode batch.
    pub hidden: V<1>,
    /// Running address of partial sums.
    pub put: V<1>,
    /// Running offset of the weight stream.
    pub stream: V<1>,
    /// Best logit so far and its token.
    pub best: V<1>,
    /// Its token.
    pub best_token: V<1>,
    vtemps: u16,
    /// Accumulator of a tile.
    pub acc: V<4>,
    resid: u16,
    t: u16,
    u: u16,
    w: u16,
}

/// Vector temporaries.
const VTEMPS: u16 = 8;

impl Regs {
    pub fn new(plan: &Plan) -> Result<Regs, Error> {
        let mut s = TABLE + 24;
        let mut one = || {
            s += 1;
            S::<1>(s - 1)
        };
        let (wg, wave, pos, step, out, token, ntok, gen_index) =
            (one(), one(), one(), one(), one(), one(), one(), one());
        let (layer, prompt_len, watchdog, misses) = (one(), one(), one(), one());
        let (flip, tiles, batch, batch_tiles) = (one(), one(), one(), one());
        let (tile, slice, last_row, epoch, i, j) = (one(), one(), one(), one(), one(), one());
        s = s.next_multiple_of(2);
        let mut two = || {
            s += 2;
            S::<2>(s - 2)
        };
        let (xgen, xlayer, wlayer, wbase, wptr, norms) = (two(), two(), two(), two(), two(), two());
        let (kv, scratch, rope, residuals, since) = (two(), two(), two(), two(), two());
        let temps = s.next_multiple_of(4);
        debug_assert!(temps + TEMPS <= 100);

        let mut v = 1;
        let mut vector = || {
            v += 1;
            V::<1>(v - 1)
        };
        let (lane, zero, lane4, lane16, tok, group16) = (vector(), vector(), vector(), vector(), vector(), vector());
        let (tid4, row, x_decode, x_prefill, slice_read) = (vector(), vector(), vector(), vector(), vector());
        let (put_decode, put_prefill, sum_decode, sum_prefill) = (vector(), vector(), vector(), vector());
        let (sum_tile, hidden, put, stream, best, best_token) =
            (vector(), vector(), vector(), vector(), vector(), vector());
        let mut area = |n: usize| {
            let at = v.next_multiple_of(2);
            v = at + n as u16;
            at
        };
        let chunks = plan.shapes.iter().map(|s| s.chunks).max().unwrap_or(1);
        let slots = plan.shapes.iter().map(|s| s.slots).max().unwrap_or(1);
        let vtemps = area(usize::from(VTEMPS));
        let acc = V::<4>(area(4));
        let resid = area(plan.row.regs());
        let t = area((4 * plan.waves).max(16));
        let slices = plan.slice(Stage::Out).regs().max(plan.slice(Stage::Down).regs());
        let u = area((4 * chunks).max(2 * plan.row.regs()).max(slices).max(AttentionRegs::count(plan)));
        let w = area(4 * slots);
        let vgprs = v;
        if vgprs > 256 {
            return Err(Error::Registers {
                waves: plan.waves as u32,
                chunks,
                most: chunks.saturating_sub(usize::from(vgprs - 256).div_ceil(4)),
                hint: "more waves would fit".to_owned(),
            });
        }
        Ok(Regs {
            args: S(0),
            wg,
            wave,
            pos,
            step,
            out,
            token,
            ntok,
            gen_index,
            layer,
            xgen,
            xlayer,
            wlayer,
            wbase,
            wptr,
            norms,
            kv,
            scratch,
            rope,
            residuals,
            prompt_len,
            watchdog,
            misses,
            since,
            flip,
            tiles,
            batch,
            batch_tiles,
            tile,
            slice,
            last_row,
            epoch,
            i,
            j,
            temps,
            lane,
            zero,
            lane4,
            lane16,
            tok,
            group16,
            tid4,
            row,
            x_decode,
            x_prefill,
            slice_read,
            put_decode,
            put_prefill,
            sum_decode,
            sum_prefill,
            sum_tile,
            hidden,
            put,
            stream,
            best,
            best_token,
            vtemps,
            acc,
            resid,
            t,
            u,
            w,
        })
    }

    /// A field of the workgroup's table row.
    pub fn column(&self, c: u16) -> S<1> {
        S(TABLE + c)
    }

    /// A 64-bit field of the workgroup's table row.
    pub fn column2(&self, c: u16) -> S<2> {
        S(TABLE + c)
    }

    /// First 16 fields, as one tuple.
    pub fn table_low(&self) -> S<8> {
        S(TABLE)
    }

    /// Fields 8 to 23, as one tuple.
    pub fn table_high(&self) -> S<16> {
        S(TABLE + 8)
    }

    /// First tile of a stage.
    pub fn first(&self, s: Stage) -> S<1> {
        self.column(column::STAGE + 3 * s as u16)
    }

    /// Tiles of a stage.
    pub fn count(&self, s: Stage) -> S<1> {
        self.column(column::STAGE + 3 * s as u16 + 1)
    }

    /// Byte offset of the wave's weights of a stage in a layer, plus 4096.
    pub fn offset(&self, s: Stage) -> S<1> {
        self.column(column::STAGE + 3 * s as u16 + 2)
    }

    /// A scalar temporary.
    pub fn s(&self, i: u16) -> S<1> {
        debug_assert!(i < TEMPS);
        S(self.temps + i)
    }

    /// A pair of scalar temporaries, `i` even.
    pub fn s2(&self, i: u16) -> S<2> {
        debug_assert!(i.is_multiple_of(2) && i + 1 < TEMPS);
        S(self.temps + i)
    }

    /// A vector temporary.
    pub fn v(&self, i: u16) -> V<1> {
        debug_assert!(i < VTEMPS);
        V(self.vtemps + i)
    }

    /// A pair of vector temporaries, `i` even.
    pub fn v2(&self, i: u16) -> V<2> {
        debug_assert!(i.is_multiple_of(2) && i + 1 < VTEMPS);
        V(self.vtemps + i)
    }

    /// Register `i` of the residual.
    pub fn resid(&self, i: usize) -> V<1> {
        V(self.resid + i as u16)
    }

    /// Registers from `i` of the temporary area.
    pub fn t<const N: usize>(&self, i: usize) -> V<N> {
        V(self.t + i as u16)
    }

    /// Registers from `i` of the input area.
    pub fn u<const N: usize>(&self, i: usize) -> V<N> {
        V(self.u + i as u16)
    }

    /// Weights of slot `i`.
    pub fn w(&self, i: usize) -> V<4> {
        V(self.w + 4 * i as u16)
    }

    /// Half `h` of the weights of slot `i`.
    pub fn w_half(&self, i: usize, h: u16) -> V<2> {
        V(self.w + 4 * i as u16 + 2 * h)
    }
}

/// Where attention keeps things in area `u`, as indices into it.
#[derive(Clone, Copy)]
pub(super) struct AttentionRegs {
    /// Blocks of a key tile: its dims over what a load covers.
    pub depth: usize,
    /// Tiles of dims of the result.
    pub tiles: usize,
    /// Rotated queries, 4 a key block.
    pub q: usize,
    /// Keys: two tiles of `depth` blocks.
    pub k: usize,
    /// Values: as many blocks; the keys' own registers where both would be too many.
    pub v: usize,
    /// Scores of 32 positions.
    pub s: usize,
    /// Result, 4 a tile.
    pub o: usize,
    /// Probabilities as operands.
    pub p: usize,
    /// Running maximum, sum, and six temporaries.
    pub m: usize,
    end: usize,
}

impl AttentionRegs {
    pub fn new(plan: &Plan) -> Self {
        let hd = plan.config.head_dim;
        let depth = hd / plan.params.kv.depth();
        let tiles = hd / 16;
        let (q, mut end) = (0, 4 * depth);
        let mut take = |n: usize| {
            let at = end;
            end += n;
            at
        };
        let k = take(8 * depth);
        // Keys are dead once the scores exist; sharing costs the overlap of loads with the softmax.
        let v = if depth > 4 { k } else { take(8 * depth) };
        let s = take(8);
        let o = take(4 * tiles);
        let p = if plan.params.kv == KvType::F16 { take(4) } else { s };
        let m = take(8);
        // The merge reads all waves' tiles from `k` on.
        let end = end.max(k + 4 * plan.waves);
        AttentionRegs { depth, tiles, q, k, v, s, o, p, m, end }
    }

    fn count(plan: &Plan) -> usize {
        Self::new(plan).end
    }
}

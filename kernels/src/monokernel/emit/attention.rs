//! Attention of one KV head: a workgroup rotates the head's queries and keys, appends keys and values to its cache, and
//! computes softmax(QKᵀ)V for all query heads of the group, with MFMA in both modes.
//!
//! The columns of an MFMA tile are query heads in decode and tokens in prefill, where the heads take turns. Waves take
//! 32 positions at a time, with a running maximum and sum of their own, and merge at the end. Scores come out of the
//! first product just where the second wants its B operand, since values are stored with their positions permuted to
//! match: no transposition is needed.
//!
//! Keys of a head: tiles of 16 positions, each as blocks of one kibibyte like the weights'. Values: blocks of 16 dims by
//! 32 positions (16 in f32), transposed; lane group `g` of a block holds positions `4g..4g+4` and, in f16, `16+4g..`.

use super::regs::AttentionRegs;
use super::{Gen, Mode, Site};
use crate::monokernel::exchange::Slot;
use crate::monokernel::params::KvType;
use crate::monokernel::plan::{BLOCK, POSITIONS, TILE, TOKENS};
use wavesmith_asm::build::Build;
use wavesmith_asm::reg::{EXEC, S, V, VCC};
use wavesmith_emitter::When;

/// Score of a position that may not be seen; finite, so that differences of two are not NaN.
const HIDDEN: f32 = -1e30;

impl Gen<'_> {
    /// The attention stage: the workgroup's KV heads one after the other.
    pub fn attention(&mut self, mode: Mode) {
        let (job, kv, end) = (self.r.i, self.r.s2(8), self.r.s(0));
        let (next, done) = (self.k.label("attention_job"), self.k.label("attention_done"));
        let (first, count) = (
            self.r.column(crate::monokernel::tables::column::JOB),
            self.r.column(crate::monokernel::tables::column::JOBS),
        );
        self.k.s_cmp_eq_u32(count, 0);
        self.k.branch_if(When::Scc1, done);
        self.k.s_mov_b32(job, first);
        self.k.bind(next);
        self.k.s_mov_b64(kv, self.r.kv);
        let head_bytes = (self.p.config.layers * 2 * self.p.kv_side_bytes()) as u32;
        let t = self.r.s2(0);
        self.mad64(kv, job, head_bytes, t);
        self.attention_rows(mode, kv);
        match mode {
            Mode::Decode => self.attention_pass(mode, kv),
            Mode::Prefill => {
                let pass = self.r.j;
                let next_pass = self.k.label("attention_pass");
                self.k.s_mov_b32(pass, 0);
                self.k.bind(next_pass);
                self.attention_pass(mode, kv);
                self.k.s_add_u32(pass, pass, 1);
                self.k.s_cmp_lt_u32(pass, self.p.config.group() as i32);
                self.k.branch_if(When::Scc1, next_pass);
            }
        }
        self.k.s_add_u32(job, job, 1);
        self.k.s_add_u32(end, first, count);
        self.k.s_cmp_lt_u32(job, end);
        self.k.branch_if(When::Scc1, next);
        self.k.bind(done);
    }

    /// Takes in the step's rows of this head: per token the group's queries, the key and the value, shared out over the
    /// waves. A lane has a rotary pair.
    fn attention_rows(&mut self, mode: Mode, kv: S<2>) {
        let c = self.p.config;
        let (hd, group) = (c.head_dim, c.group());
        let es = self.p.params.kv.bytes();
        let half = self.p.params.kv == KvType::F16;
        let (kind, t) = (self.r.tiles, self.r.batch);
        let (index, other, base, position) = (self.r.s(0), self.r.s(1), self.r.s2(4), self.r.s(10));
        let (pair, turn, tmp) = (self.r.v2(2), self.r.v2(4), self.r.v(6));
        let (lane8, place) = (self.r.v(0), self.r.v(1));

        let (next, take, done) = (self.k.label("row"), self.k.label("take_row"), self.k.label("rows_done"));
        let (value, key, stored) = (self.k.label("value"), self.k.label("key"), self.k.label("row_stored"));
        self.first_lanes(hd / 2);
        self.k.v_lshlrev_b32(lane8, 3, self.r.lane);
        self.k.s_mov_b32(kind, self.r.wave);
        self.k.s_mov_b32(t, 0);
        self.k.bind(next);
        self.k.s_cmp_ge_u32(t, self.r.ntok);
        self.k.branch_if(When::Scc1, done);
        self.k.s_cmp_lt_u32(kind, group as i32 + 2);
        self.k.branch_if(When::Scc1, take);
        self.k.s_sub_u32(kind, kind, group as i32 + 2);
        self.k.s_add_u32(t, t, 1);
        self.k.branch(next);

        self.k.bind(take);
        self.k.s_mul_i32(index, self.r.i, group as i32);
        self.k.s_add_u32(index, index, kind);
        self.k.s_add_u32(other, self.r.i, c.heads as i32);
        self.k.s_cmp_eq_u32(kind, group as i32);
        self.k.s_cselect_b32(index, other, index);
        self.k.s_add_u32(other, other, c.kv_heads as i32);
        self.k.s_cmp_eq_u32(kind, group as i32 + 1);
        self.k.s_cselect_b32(index, other, index);
        self.k.s_mul_i32(index, index, (hd * 4) as i32);
        self.k.s_mul_i32(other, t, self.p.exchange.stride[Slot::Qkv as usize] as i32);
        self.k.s_add_u32(index, index, other);
        self.add64(base, self.r.xlayer, self.p.exchange.offset[Slot::Qkv as usize] as u32);
        self.add64r(base, base, index);
        self.k.s_add_u32(position, self.r.pos, t);
        let rope = self.r.s2(6);
        self.k.s_mov_b64(rope, self.r.rope);
        let product = self.r.s2(0);
        self.mad64(rope, position, (hd * 4) as u32, product);
        self.k.global_load_dwordx2(turn, lane8, rope);
        self.poll(Site::Qkv, &[pair.at(0), pair.at(1)], |g, cache| g.load(2, pair.at(0), lane8, base, 0, cache));

        self.k.s_cmp_eq_u32(kind, group as i32 + 1);
        self.k.branch_if(When::Scc1, value);
        let (x, y, cos, sin) = (pair.at(0), pair.at(1), turn.at(0), turn.at(1));
        self.k.v_mul_f32(tmp, y, sin);
        self.k.v_mul_f32(y, y, cos);
        self.k.v_fmac_f32(y, x, sin);
        self.k.v_fma_f32(x, x, cos, tmp).neg(2);
        self.k.s_cmp_eq_u32(kind, group as i32);
        self.k.branch_if(When::Scc1, key);

        // A query: scaled so that the softmax can use base 2, then to its column.
        let scale = std::f32::consts::LOG2_E / (hd as f32).sqrt();
        self.k.v_mul_f32(x, scale, x);
        self.k.v_mul_f32(y, scale, y);
        let column = self.r.s(0);
        match mode {
            Mode::Decode => self.k.s_mul_i32(column, kind, self.p.lds.q_stride as i32),
            Mode::Prefill => {
                self.k.s_lshl_b32(column, kind, 4);
                self.k.s_add_u32(column, column, t);
                self.k.s_mul_i32(column, column, self.p.lds.q_stride as i32)
            }
        };
        self.k.v_mul_u32_u24(place, 2 * es as i32, self.r.lane);
        self.k.v_add_u32(place, column, place);
        if half {
            self.round_pair(x, x, y);
            self.k.ds_write_b32(place, x).offset(self.p.lds.query as i32);
        } else {
            self.k.ds_write_b64(place, pair).offset(self.p.lds.query as i32);
        }
        self.k.branch(stored);

        // A key: 16 positions a tile; the lane's pair lies in one 16-byte piece.
        self.k.bind(key);
        let offset = self.r.s(0);
        self.k.s_lshr_b32(offset, position, 4);
        self.k.s_mul_i32(offset, offset, (TILE * hd * es) as i32);
        self.k.s_and_b32(self.r.s(1), position, 15);
        self.k.s_lshl_b32(self.r.s(1), self.r.s(1), 4);
        self.k.s_add_u32(offset, offset, self.r.s(1));
        self.add64r(base, kv, offset);
        let pieces = if half { 2 } else { 1 };
        self.k.v_lshrrev_b32(place, pieces, self.r.lane);
        self.k.v_lshlrev_b32(place, 8, place);
        self.k.v_and_b32(tmp, (1 << pieces) - 1, self.r.lane);
        self.k.v_lshlrev_b32(tmp, if half { 2 } else { 3 }, tmp);
        self.k.v_add_u32(place, place, tmp);
        if half {
            self.round_pair(x, x, y);
            self.k.global_store_dword(place, x, base);
        } else {
            self.k.global_store_dwordx2(place, pair, base);
        }
        self.k.branch(stored);

        // A value: its dims are rows, so the pair lies 16 bytes apart.
        self.k.bind(value);
        let depth = self.p.params.kv.depth();
        let (offset, o) = (self.r.s(0), self.r.s(1));
        self.k.s_lshr_b32(offset, position, depth.trailing_zeros() as i32);
        self.k.s_mul_i32(offset, offset, (hd * depth * es) as i32);
        self.k.s_lshr_b32(o, position, 2);
        self.k.s_and_b32(o, o, 3);
        self.k.s_lshl_b32(o, o, 8);
        self.k.s_add_u32(offset, offset, o);
        self.k.s_and_b32(o, position, 3);
        self.k.s_lshl_b32(o, o, es.trailing_zeros() as i32);
        self.k.s_add_u32(offset, offset, o);
        if half {
            self.k.s_lshr_b32(o, position, 4);
            self.k.s_and_b32(o, o, 1);
            self.k.s_lshl_b32(o, o, 3);
            self.k.s_add_u32(offset, offset, o);
        }
        self.add64(base, kv, self.p.kv_side_bytes() as u32);
        self.add64r(base, base, offset);
        self.k.v_lshrrev_b32(place, 3, self.r.lane);
        self.k.v_lshlrev_b32(place, 10, place);
        self.k.v_and_b32(tmp, 7, self.r.lane);
        self.k.v_lshlrev_b32(tmp, 5, tmp);
        self.k.v_add_u32(place, place, tmp);
        if half {
            self.k.v_cvt_f16_f32(pair.at(0), pair.at(0));
            self.k.v_cvt_f16_f32(pair.at(1), pair.at(1));
            self.k.global_store_short(place, pair.at(0), base);
            self.k.global_store_short(place, pair.at(1), base).offset(16);
        } else {
            self.k.global_store_dword(place, pair.at(0), base);
            self.k.global_store_dword(place, pair.at(1), base).offset(16);
        }

        self.k.bind(stored);
        self.k.s_add_u32(kind, kind, self.p.waves as i32);
        self.k.branch(next);
        self.k.bind(done);
        self.all_lanes();
        // Only this workgroup reads the cache. Its waves share the compute unit's L1, which keeps their order, so neither
        // the stores need a wait here, nor the loads `sc0`; weights stay under way.
        self.barrier();
    }

    /// `d` = both as f16; clobbers its sources.
    fn round_pair(&mut self, d: V<1>, a: V<1>, b: V<1>) {
        self.k.v_cvt_f16_f32(a, a);
        self.k.v_cvt_f16_f32(b, b);
        self.k.v_pack_b32_f16(d, a, b);
    }

    /// Loads consecutive blocks; `base` is 4096 past the first and moves on.
    fn load_blocks(&mut self, first: usize, n: usize, base: S<2>) {
        for i in 0..n {
            if i > 0 && i % 8 == 0 {
                self.add64(base, base, 8 * BLOCK as u32);
            }
            let (d, lane) = (self.r.u::<4>(first + 4 * i), self.r.lane16);
            self.k.global_load_dwordx4(d, lane, base).offset(((i % 8) * BLOCK) as i32 - 4096);
        }
    }

    /// Combines all lanes of a column: `d = op(d, d of the other lane groups)`.
    fn across_groups(&mut self, d: V<1>, op: impl Fn(&mut Self, V<1>, V<1>)) {
        let (address, other) = (self.r.v(0), self.r.v(1));
        for distance in [64, 128] {
            self.k.v_xor_b32(address, distance, self.r.lane4);
            self.k.ds_bpermute_b32(other, address, d);
            op(self, d, other);
        }
    }

    /// Attention of 16 columns against the positions so far.
    fn attention_pass(&mut self, mode: Mode, kv: S<2>) {
        let a = AttentionRegs::new(self.p);
        let half = self.p.params.kv == KvType::F16;
        let (m, s, rel, mx, alpha) = (
            self.r.u::<1>(a.m),
            self.r.u::<1>(a.m + 1),
            self.r.u::<1>(a.m + 2),
            self.r.u::<1>(a.m + 3),
            self.r.u::<1>(a.m + 4),
        );
        let (block, blocks) = (self.r.tile, self.r.batch_tiles);
        let (kbase, vbase) = (self.r.s2(4), self.r.s2(6));

        // Queries, and an empty sum.
        let address = self.r.v(0);
        self.k.v_mul_u32_u24(address, self.p.lds.q_stride as i32, self.r.tok);
        self.k.v_add_u32(address, address, self.r.group16);
        if mode == Mode::Prefill {
            let t = self.r.s(0);
            self.k.s_mul_i32(t, self.r.j, (TOKENS * self.p.lds.q_stride) as i32);
            self.k.v_add_u32(address, t, address);
        }
        for c in 0..a.depth {
            self.k.ds_read_b128(self.r.u::<4>(a.q + 4 * c), address).offset((self.p.lds.query + 64 * c) as i32);
        }
        let unseen = self.r.u::<1>(a.m + 5);
        self.k.v_mov_b32(unseen, HIDDEN);
        self.k.v_mov_b32(m, HIDDEN);
        self.k.v_mov_b32(s, 0);
        for i in 0..4 * a.tiles {
            self.k.v_mov_b32(self.r.u::<1>(a.o + i), 0);
        }
        // How far the column's own position lies past the lane's first position of the block.
        let t = self.r.s(0);
        self.k.v_lshrrev_b32(rel, 2, self.r.group16);
        self.k.s_mul_i32(t, self.r.wave, POSITIONS as i32);
        self.k.s_sub_u32(t, self.r.pos, t);
        self.k.v_sub_u32(rel, t, rel);
        if mode == Mode::Prefill {
            self.k.v_add_u32(rel, rel, self.r.tok);
        }
        self.k.s_mov_b32(block, self.r.wave);
        self.k.s_add_u32(blocks, self.r.pos, self.r.ntok);
        self.k.s_add_u32(blocks, blocks, POSITIONS as i32 - 1);
        self.k.s_lshr_b32(blocks, blocks, POSITIONS.trailing_zeros() as i32);

        let (next, done) = (self.k.label("positions"), self.k.label("positions_done"));
        self.k.bind(next);
        self.k.s_cmp_ge_u32(block, blocks);
        self.k.branch_if(When::Scc1, done);
        self.add64(kbase, kv, 4096);
        let t = self.r.s2(0);
        self.mad64(kbase, block, self.p.kv_step_bytes() as u32, t);
        self.add64(vbase, kbase, self.p.kv_side_bytes() as u32);
        self.load_blocks(a.k, 2 * a.depth, kbase);
        if a.v != a.k {
            self.load_blocks(a.v, 2 * a.depth, vbase);
        }
        for tile in 0..2 {
            let d = self.r.u::<4>(a.s + 4 * tile);
            for c in 0..a.depth {
                let (key, query) = (a.k + 4 * (tile * a.depth + c), a.q + 4 * c);
                self.accumulate(d, key, query, 0, c == 0);
            }
        }
        if a.v == a.k {
            self.load_blocks(a.v, 2 * a.depth, vbase);
        }
        for i in 0..8usize {
            let score = self.r.u::<1>(a.s + i);
            self.k.v_cmp_ge_i32(VCC, rel, (i / 4 * TILE + i % 4) as i32);
            self.k.v_cndmask_b32(score, unseen, score, VCC);
        }
        let score = |g: &Self, i: usize| g.r.u::<1>(a.s + i);
        self.k.v_max3_f32(mx, score(self, 0), score(self, 1), score(self, 2));
        self.k.v_max3_f32(mx, mx, score(self, 3), score(self, 4));
        self.k.v_max3_f32(mx, mx, score(self, 5), score(self, 6));
        self.k.v_max_f32(mx, mx, score(self, 7));
        self.across_groups(mx, |g, d, o| _ = g.k.v_max_f32(d, d, o));
        self.k.v_max_f32(mx, m, mx);
        self.k.v_sub_f32(alpha, m, mx);
        self.k.v_exp_f32(alpha, alpha);
        self.k.v_mov_b32(m, mx);
        self.k.v_mul_f32(s, s, alpha);
        for i in 0..8 {
            let p = score(self, i);
            self.k.v_sub_f32(p, p, m);
            self.k.v_exp_f32(p, p);
            self.k.v_add_f32(s, s, p);
        }
        for i in 0..4 * a.tiles {
            let o = self.r.u::<1>(a.o + i);
            self.k.v_mul_f32(o, o, alpha);
        }
        if half {
            for i in 0..4 {
                let (x, y) = (score(self, 2 * i), score(self, 2 * i + 1));
                self.round_pair(self.r.u::<1>(a.p + i), x, y);
            }
        }
        for tile in 0..a.tiles {
            let d = self.r.u::<4>(a.o + 4 * tile);
            if half {
                self.accumulate(d, a.v + 4 * tile, a.p, 0, false);
            } else {
                for sixteen in 0..2 {
                    self.accumulate(d, a.v + 4 * (sixteen * a.tiles + tile), a.p, 4 * sixteen, false);
                }
            }
        }
        self.k.v_subrev_u32(rel, (POSITIONS * self.p.waves) as i32, rel);
        self.k.s_add_u32(block, block, self.p.waves as i32);
        self.k.branch(next);
        self.k.bind(done);

        self.across_groups(s, |g, d, o| _ = g.k.v_add_f32(d, d, o));
        self.merge(mode, a, m, s);
    }

    /// `d += A·B` over one block of A at `u[x]` and B at `u[y + skip]`: 64 bytes of depth, in either element type.
    fn accumulate(&mut self, d: V<4>, x: usize, y: usize, skip: usize, fresh: bool) {
        match self.p.params.kv {
            KvType::F16 => {
                for h in 0..2 {
                    let (x, y) = (self.r.u::<2>(x + 2 * h), self.r.u::<2>(y + skip + 2 * h));
                    if fresh && h == 0 {
                        self.k.v_mfma_f32_16x16x16_f16(d, x, y, 0);
                    } else {
                        self.k.v_mfma_f32_16x16x16_f16(d, x, y, d);
                    }
                }
            }
            KvType::F32 => {
                for i in 0..4 {
                    let (x, y) = (self.r.u::<1>(x + i), self.r.u::<1>(y + skip + i));
                    if fresh && i == 0 {
                        self.k.v_mfma_f32_16x16x4_f32(d, x, y, 0);
                    } else {
                        self.k.v_mfma_f32_16x16x4_f32(d, x, y, d);
                    }
                }
            }
        }
    }

    /// Joins the waves' results in LDS and publishes them: each wave takes every `waves`-th tile of 16 dims.
    fn merge(&mut self, mode: Mode, a: AttentionRegs, m: V<1>, s: V<1>) {
        let c = self.p.config;
        let waves = self.p.waves;
        let part = (a.tiles + 1) * BLOCK;
        let base = self.p.lds.partial;
        let (address, small) = (self.r.v(0), self.r.v(1));
        let t = self.r.s(0);
        self.k.s_mul_i32(t, self.r.wave, part as i32);
        self.k.v_add_u32(address, t, self.r.lane16);
        self.k.v_add_u32(small, t, self.r.lane4);
        for tile in 0..a.tiles {
            self.k.ds_write_b128(address, self.r.u::<4>(a.o + 4 * tile)).offset((base + tile * BLOCK) as i32);
        }
        self.k.ds_write_b32(small, m).offset((base + a.tiles * BLOCK) as i32);
        self.k.ds_write_b32(small, s).offset((base + a.tiles * BLOCK + 256) as i32);
        self.barrier();

        let dims = self.r.tile;
        let (next, done) = (self.k.label("merge"), self.k.label("merged"));
        self.k.s_mov_b32(dims, self.r.wave);
        self.k.bind(next);
        self.k.s_cmp_ge_u32(dims, a.tiles as i32);
        self.k.branch_if(When::Scc1, done);
        self.k.s_lshl_b32(t, dims, BLOCK.trailing_zeros() as i32);
        self.k.v_add_u32(address, t, self.r.lane16);
        for w in 0..waves {
            let at = base + w * part + a.tiles * BLOCK;
            self.k.ds_read_b32(self.r.t::<1>(w), self.r.lane4).offset(at as i32);
            self.k.ds_read_b32(self.r.t::<1>(waves + w), self.r.lane4).offset((at + 256) as i32);
            self.k.ds_read_b128(self.r.u::<4>(a.k + 4 * w), address).offset((base + w * part) as i32);
        }
        let (top, sum) = (self.r.v(2), self.r.v(3));
        self.k.v_mov_b32(top, self.r.t::<1>(0));
        for w in 1..waves {
            self.k.v_max_f32(top, top, self.r.t::<1>(w));
        }
        let acc = self.r.acc;
        for w in 0..waves {
            let (e, part) = (self.r.t::<1>(w), self.r.u::<4>(a.k + 4 * w));
            self.k.v_sub_f32(e, e, top);
            self.k.v_exp_f32(e, e);
            if w == 0 {
                self.k.v_mul_f32(sum, e, self.r.t::<1>(waves));
                for i in 0..4 {
                    self.k.v_mul_f32(acc.at(i), e, part.at(i));
                }
            } else {
                self.k.v_fmac_f32(sum, e, self.r.t::<1>(waves + w));
                for i in 0..4 {
                    self.k.v_fmac_f32(acc.at(i), e, part.at(i));
                }
            }
        }
        self.k.v_rcp_f32(sum, sum);
        for i in 0..4 {
            self.k.v_mul_f32(acc.at(i), sum, acc.at(i));
            self.canonical(acc.at(i));
        }
        // Lane: column `tok`, four dims from `group16 / 4` of the tile.
        let (out, place) = (self.r.s2(4), self.r.v(4));
        let head = self.r.s(2);
        self.add64(out, self.r.xlayer, self.p.exchange.offset[Slot::Attention as usize] as u32);
        self.k.s_mul_i32(head, self.r.i, c.group() as i32);
        let stride = match mode {
            Mode::Decode => c.head_dim * 4,
            Mode::Prefill => {
                self.k.s_add_u32(head, head, self.r.j);
                self.p.exchange.stride[Slot::Attention as usize]
            }
        };
        self.k.s_mul_i32(head, head, (c.head_dim * 4) as i32);
        self.add64r(out, out, head);
        self.k.s_lshl_b32(head, dims, 6);
        self.add64r(out, out, head);
        self.k.v_mul_u32_u24(place, stride as i32, self.r.tok);
        self.k.v_add_u32(place, place, self.r.group16);
        if mode == Mode::Decode {
            self.k.v_cmp_gt_u32(VCC, c.group() as i32, self.r.tok);
            self.k.s_mov_b64(EXEC, VCC);
        }
        self.store(4, place, acc.at(0), out, 0, self.sentinel());
        if mode == Mode::Decode {
            self.all_lanes();
        }
        self.k.s_add_u32(dims, dims, waves as i32);
        self.k.branch(next);
        self.k.bind(done);
        // The place of the merge is where partial sums go next, and the queries' that of the next head's.
        self.barrier();
    }
}

//! Matrix products: the stream of weights, the partial sums and what becomes of them.
//!
//! A wave multiplies its chunks of a tile from registers that are refilled as soon as they are used, so `slots` blocks
//! are always in flight. The last tile of a stage refills nothing; right behind it the first blocks of the next stage
//! are requested, which are then under way while partial sums are joined and while the wave waits for its next input.
//!
//! Partial sums of a batch of tiles go to LDS, a barrier, then every wave adds up its share of rows in a fixed order:
//! lane groups pairwise, then waves by number. The order does not depend on the number of workgroups, so neither do
//! the logits.

use super::rows::registers;
use super::{Gen, Mode, Site};
use crate::monokernel::exchange::Slot;
use crate::monokernel::plan::{BLOCK, CHUNK, Stage};
use wavesmith_asm::build::Build;
use wavesmith_asm::reg::{EXEC, S, V, VCC};
use wavesmith_emitter::When;

/// Bytes between two base addresses of the weight stream: offsets −4096 to 3072 reach eight blocks.
const WINDOW: usize = 8 * BLOCK;

impl Gen<'_> {
    /// Requests the first blocks of a stage of the current layer (of the LM head: of the model).
    pub fn prefetch(&mut self, stage: Stage) {
        let ptr = self.r.wptr;
        match stage {
            Stage::Head => {
                self.add64r(ptr, self.r.column2(crate::monokernel::tables::column::HEAD), self.r.offset(stage))
            }
            _ => self.add64r(ptr, self.r.wlayer, self.r.offset(stage)),
        }
        self.k.v_mov_b32(self.r.stream, self.r.lane16);
        let slots = self.p.shape(stage).slots;
        let mut at = 0;
        for slot in 0..slots {
            self.load_block(slot, &mut at);
        }
        self.end_stream(at);
    }

    /// Requests the next block of the stream into a slot; `at` counts the bytes since `stream` was last moved.
    fn load_block(&mut self, slot: usize, at: &mut usize) {
        if *at == WINDOW {
            self.end_stream(WINDOW);
            *at = 0;
        }
        let (w, stream, ptr) = (self.r.w(slot), self.r.stream, self.r.wptr);
        self.k.global_load_dwordx4(w, stream, ptr).offset(*at as i32 - 4096).nt();
        *at += BLOCK;
    }

    /// Moves the lanes' offsets behind the blocks requested: one instruction, where moving the scalar base takes two.
    fn end_stream(&mut self, at: usize) {
        self.k.v_add_u32(self.r.stream, at as i32, self.r.stream);
    }

    /// What is prefetched once a stage's last tile is multiplied.
    fn prefetch_after(&mut self, stage: Stage) {
        match stage {
            Stage::Qkv => self.prefetch(Stage::Out),
            Stage::Out => self.prefetch(Stage::GateUp),
            Stage::GateUp => self.prefetch(Stage::Down),
            Stage::Down => {
                let (head, done) = (self.k.label("head_next"), self.k.label("prefetched"));
                let next = self.r.s(0);
                self.add64r(self.r.wlayer, self.r.wlayer, self.r.column(crate::monokernel::tables::column::LAYER));
                self.k.s_add_u32(next, self.r.layer, 1);
                self.k.s_cmp_eq_u32(next, self.p.config.layers as i32);
                self.k.branch_if(When::Scc1, head);
                self.prefetch(Stage::Qkv);
                self.k.branch(done);
                self.k.bind(head);
                self.prefetch(Stage::Head);
                self.k.bind(done);
            }
            // The next step's first layer; also after the last step, where nobody waits for it.
            Stage::Head => self.prefetch_first(),
        }
    }

    /// The stages that may be prefetched then.
    const fn after(stage: Stage) -> &'static [Stage] {
        match stage {
            Stage::Qkv => &[Stage::Out],
            Stage::Out => &[Stage::GateUp],
            Stage::GateUp => &[Stage::Down],
            Stage::Down => &[Stage::Qkv, Stage::Head],
            Stage::Head => &[Stage::Qkv],
        }
    }

    /// Requests the first blocks of layer 0.
    pub fn prefetch_first(&mut self) {
        let (layer, base) = (self.r.wlayer, self.r.wbase);
        self.k.s_mov_b64(layer, base);
        self.prefetch(Stage::Qkv);
    }

    /// One matrix product, from the wave's input to what the stage publishes.
    pub fn product(&mut self, mode: Mode, stage: Stage) {
        let name = format!("{stage:?} {mode:?}");
        self.k.comment(&name);
        let (none, end) = (self.k.label("no_tiles"), self.k.label("stage_done"));
        let (tiles, tile, batch, nb) = (self.r.tiles, self.r.tile, self.r.batch, self.r.batch_tiles);
        self.k.s_mov_b32(tiles, self.r.count(stage));
        self.k.s_cmp_eq_u32(tiles, 0);
        self.k.branch_if(When::Scc1, none);
        self.k.s_mov_b32(tile, self.r.first(stage));
        self.input(mode, stage);

        let next_batch = self.k.label("batch");
        self.k.bind(next_batch);
        let most = if mode == Mode::Decode { 4 * self.p.batch } else { self.p.batch };
        self.k.s_min_u32(nb, tiles, most as i32);
        self.k.s_sub_u32(tiles, tiles, nb);
        let flip = self.r.flip;
        self.k.s_xor_b32(flip, flip, self.flip_constant());
        let put = if mode == Mode::Decode { self.r.put_decode } else { self.r.put_prefill };
        self.k.v_add_u32(self.r.put, flip, put);

        // All tiles but the stage's last refill what they use. Subtracting past zero borrows, which is the loop's end.
        let (next_tile, only_last, summed) = (self.k.label("tile"), self.k.label("last_tile"), self.k.label("summed"));
        self.k.s_cmp_eq_u32(tiles, 0);
        self.k.s_subb_u32(batch, nb, 0);
        self.k.s_sub_u32(batch, batch, 1);
        self.k.branch_if(When::Scc1, only_last);
        self.k.bind(next_tile);
        self.multiply(mode, stage, true);
        self.put_partial(mode);
        self.k.s_sub_u32(batch, batch, 1);
        self.k.branch_if(When::Scc0, next_tile);
        self.k.bind(only_last);
        self.k.s_cmp_lg_u32(tiles, 0);
        self.k.branch_if(When::Scc1, summed);
        self.multiply(mode, stage, false);
        self.prefetch_after(stage);
        self.put_partial(mode);
        // Where the next stage has fewer blocks in flight, its prefetch must not meet the way back to another batch: nobody who
        // counts what is in flight could tell the two apart, and tiles would wait for blocks that they do not need yet.
        let apart = Self::after(stage).iter().any(|next| self.p.shape(*next).slots < self.p.shape(stage).slots);
        if apart {
            self.barrier_unchecked();
            self.finalise(mode, stage);
            self.k.branch(end);
        }
        self.k.bind(summed);
        self.barrier_unchecked();
        self.finalise(mode, stage);
        self.k.s_add_u32(tile, tile, nb);
        if apart {
            self.k.branch(next_batch);
        } else {
            self.k.s_cmp_lg_u32(tiles, 0);
            self.k.branch_if(When::Scc1, next_batch);
            self.k.branch(end);
        }
        self.k.bind(none);
        self.prefetch_after(stage);
        self.k.bind(end);
    }

    /// The two partial-sum buffers lie side by side; which is written alternates.
    fn flip_constant(&self) -> i32 {
        self.p.lds.partial_stride as i32
    }

    /// One tile: this wave's chunks of 16 rows against its slice of the input, into `acc`.
    fn multiply(&mut self, mode: Mode, stage: Stage, refill: bool) {
        let shape = *self.p.shape(stage);
        let (chunks, slots) = (shape.chunks, shape.slots);
        // Waiting for a few blocks at once saves instructions and costs little depth.
        let group = if slots >= 4 { 2 } else { 1 };
        let mut at = 0;
        for first in (0..chunks).step_by(group) {
            let n = group.min(chunks - first);
            let in_flight = if refill { slots } else { slots.min(chunks - first) };
            self.k.wait_vm((in_flight - n) as u8);
            for c in first..first + n {
                self.multiply_chunk(mode, c, slots);
            }
            for c in first..first + n {
                if refill || c + slots < chunks {
                    self.load_block(c % slots, &mut at);
                }
            }
        }
        if at > 0 {
            self.end_stream(at);
        }
        if mode == Mode::Decode {
            self.k.v_add_f32(self.r.acc.at(0), self.r.acc.at(0), self.r.acc.at(1));
        }
    }

    fn multiply_chunk(&mut self, mode: Mode, c: usize, slots: usize) {
        let acc = self.r.acc;
        let slot = c % slots;
        match mode {
            Mode::Decode => {
                // Two chains, because a dot product whose result feeds the next one's sum costs a wait state.
                for i in 0..4u16 {
                    let sum = acc.at(i % 2);
                    let (w, x) = (self.r.w(slot).at(i), self.r.u::<1>(4 * c + usize::from(i)));
                    if c == 0 && i < 2 {
                        self.k.v_dot2_f32_f16(sum, w, x, 0);
                    } else {
                        self.k.v_dot2_f32_f16(sum, w, x, sum);
                    }
                }
            }
            Mode::Prefill => {
                for h in 0..2u16 {
                    let (w, x) = (self.r.w_half(slot, h), self.r.u::<2>(4 * c + 2 * usize::from(h)));
                    if c == 0 && h == 0 {
                        self.k.v_mfma_f32_16x16x16_f16(acc, w, x, 0);
                    } else {
                        self.k.v_mfma_f32_16x16x16_f16(acc, w, x, acc);
                    }
                }
            }
        }
    }

    /// Writes this wave's partial sums of a tile to LDS.
    fn put_partial(&mut self, mode: Mode) {
        let (put, acc) = (self.r.put, self.r.acc);
        let bytes = match mode {
            Mode::Decode => {
                self.k.ds_write_b32(put, acc.at(0));
                256
            }
            Mode::Prefill => {
                self.k.ds_write_b128(put, acc);
                BLOCK
            }
        };
        self.k.v_add_u32(put, (bytes * self.p.waves) as i32, put);
    }

    /// Fills the wave's input registers: its slice of the input vector, or of 16 of them.
    fn input(&mut self, mode: Mode, stage: Stage) {
        let chunks = self.p.shape(stage).chunks;
        let slot = match stage {
            Stage::Out => Some((Slot::Attention, Site::Attention)),
            Stage::Down => Some((Slot::Hidden, Site::Hidden)),
            _ => None,
        };
        let address = match (mode, slot) {
            (Mode::Prefill, Some((slot, site))) => return self.input_columns(stage, slot, site),
            (Mode::Decode, Some((slot, site))) => {
                self.input_slice(stage, slot, site);
                self.r.slice_read
            }
            (Mode::Decode, None) if stage == Stage::Head => {
                self.k.v_add_u32(self.r.v(0), self.r.last_row, self.r.x_decode);
                self.r.v(0)
            }
            (Mode::Decode, None) => self.r.x_decode,
            (Mode::Prefill, None) => self.r.x_prefill,
        };
        for c in 0..chunks {
            self.k.ds_read_b128(self.r.u::<4>(4 * c), address).offset((c * CHUNK * 2) as i32);
        }
        if slot.is_none() {
            // Written by other waves, before the barrier that precedes these stages.
            self.leave_if_aborted();
        }
        // Waited for here, so that the loop over tiles need not wait again and again.
        self.k.wait_lgkm(0);
    }

    /// Address of the wave's slice of a slot, plus `bias`.
    fn slice_base(&mut self, stage: Stage, slot: Slot, bias: i32) -> S<2> {
        let (base, t) = (self.r.s2(4), self.r.s(0));
        let bytes = self.p.shape(stage).chunks * CHUNK * 4;
        self.add64(base, self.r.xlayer, self.p.exchange.offset[slot as usize] as u32 + bias as u32);
        self.k.s_mul_i32(t, self.r.wave, bytes as i32);
        self.add64r(base, base, t);
        base
    }

    /// Decode: awaits the wave's slice, rounds it to f16 and puts it into the wave's own part of LDS. Only this wave
    /// reads it back, so no barrier is needed.
    fn input_slice(&mut self, stage: Stage, slot: Slot, site: Site) {
        let spread = self.p.slice(stage);
        let first = self.r.u::<1>(0);
        let base = self.slice_base(stage, slot, Self::bias(spread));
        let offset = self.r.v(0);
        self.k.v_mul_u32_u24(offset, (spread.width * 4) as i32, self.r.lane);
        let regs = registers(spread, first);
        self.poll(site, &regs, |g, cache| g.load_row(spread, first, offset, base, cache));
        self.k.v_lshrrev_b32(offset, 1, offset);
        self.k.v_add_u32(offset, self.r.slice, offset);
        self.write_f16(spread, first, offset, 0);
    }

    /// Prefill: awaits the wave's slice of all 16 tokens right where MFMA wants it: lane `l` holds token `l % 16` and
    /// the eight columns of a chunk from `8 * (l / 16)`.
    fn input_columns(&mut self, stage: Stage, slot: Slot, site: Site) {
        let chunks = self.p.shape(stage).chunks;
        let base = self.slice_base(stage, slot, 0);
        let offset = self.r.v(0);
        self.k.v_mul_u32_u24(offset, self.p.exchange.stride[slot as usize] as i32, self.r.tok);
        self.k.v_add_u32(offset, offset, self.r.group16);
        self.k.v_add_u32(offset, offset, self.r.group16);
        let step = 2;
        for first in (0..chunks).step_by(step) {
            let n = step.min(chunks - first);
            let regs: Vec<V<1>> = (0..8 * n).map(|i| self.r.t::<1>(i)).collect();
            self.poll(site, &regs, |g, cache| {
                for c in 0..n {
                    for half in 0..2 {
                        let d = g.r.t::<1>(8 * c + 4 * half);
                        let at = ((first + c) * CHUNK * 4 + 16 * half) as i32;
                        g.load(4, d, offset, base, at, cache);
                    }
                }
            });
            for (i, pair) in regs.chunks(2).enumerate() {
                self.k.v_cvt_f16_f32(pair[0], pair[0]);
                self.k.v_cvt_f16_f32(pair[1], pair[1]);
                self.k.v_pack_b32_f16(self.r.u::<1>(4 * first + i), pair[0], pair[1]);
            }
        }
    }

    /// Adds up the partial sums of a batch and hands the rows on. Waves without rows publish nothing, so they may look at
    /// the flag of the next barrier instead of this one's.
    fn finalise(&mut self, mode: Mode, stage: Stage) {
        let skip = self.k.label("no_rows");
        let (nb, t) = (self.r.batch_tiles, self.r.s(0));
        match mode {
            Mode::Decode => {
                self.k.s_lshl_b32(t, self.r.wave, 2);
                self.k.s_cmp_ge_u32(t, nb);
            }
            Mode::Prefill => _ = self.k.s_cmp_ge_u32(self.r.wave, nb),
        }
        self.k.branch_if(When::Scc1, skip);
        match mode {
            Mode::Decode => self.finalise_rows(stage),
            Mode::Prefill => self.finalise_tile(stage),
        }
        self.k.bind(skip);
    }

    /// Decode: a lane a row, 64 rows a wave.
    fn finalise_rows(&mut self, stage: Stage) {
        let waves = self.p.waves;
        let (address, sum) = (self.r.v(0), self.r.v(1));
        self.k.v_cmp_gt_u32(VCC, self.r.batch_tiles, self.r.sum_tile);
        self.k.s_mov_b64(EXEC, VCC);
        self.k.v_add_u32(address, self.r.flip, self.r.sum_decode);
        for w in 0..waves {
            self.k.ds_read_b128(self.r.t::<4>(4 * w), address).offset((256 * w) as i32);
        }
        self.leave_if_aborted();
        for w in 0..waves {
            let part = self.r.t::<4>(4 * w);
            self.k.v_add_f32(part.at(0), part.at(0), part.at(1));
            self.k.v_add_f32(part.at(2), part.at(2), part.at(3));
            if w == 0 {
                self.k.v_add_f32(sum, part.at(0), part.at(2));
            } else {
                self.k.v_add_f32(part.at(0), part.at(0), part.at(2));
                self.k.v_add_f32(sum, sum, part.at(0));
            }
        }
        match stage {
            Stage::Head => self.take_logits(sum),
            Stage::GateUp => {
                // Gate and value are two rows apart: the even pair of lanes fetches the value.
                let up = self.r.v(2);
                self.k.v_mov_b32(up, sum).quad_perm([2, 3, 0, 1]);
                self.swiglu(sum, sum, up);
                self.k.s_mov_b32(self.r.s(0), 0x3333_3333);
                self.k.s_mov_b32(self.r.s(1), 0x3333_3333);
                self.k.s_and_b64(EXEC, EXEC, self.r.s2(0));
                let base = self.slot_base(Slot::Hidden, 5);
                self.canonical(sum);
                self.store(1, self.r.hidden, sum, base, 0, self.sentinel());
            }
            _ => {
                let base = self.slot_base(Self::result(stage), 6);
                self.canonical(sum);
                self.store(1, self.r.tid4, sum, base, 0, self.sentinel());
            }
        }
        self.all_lanes();
    }

    /// Prefill: a tile a wave; a lane has four rows of one token.
    fn finalise_tile(&mut self, stage: Stage) {
        let waves = self.p.waves;
        let address = self.r.v(0);
        self.k.v_add_u32(address, self.r.flip, self.r.sum_prefill);
        for w in 0..waves {
            self.k.ds_read_b128(self.r.t::<4>(4 * w), address).offset((BLOCK * w) as i32);
        }
        self.leave_if_aborted();
        let sum = self.r.t::<4>(0);
        for w in 1..waves {
            for i in 0..4 {
                self.k.v_add_f32(sum.at(i), sum.at(i), self.r.t::<4>(4 * w).at(i));
            }
        }
        let offset = self.r.v(0);
        let slot = Self::result(stage);
        self.k.v_mul_u32_u24(offset, self.p.exchange.stride[slot as usize] as i32, self.r.tok);
        // The wave's tile of the batch, 16 rows of 4 bytes a tile, half of that for hidden activations.
        let shift = if stage == Stage::GateUp { 5 } else { 6 };
        let t = self.r.s(0);
        self.k.s_lshl_b32(t, self.r.wave, shift);
        self.k.v_add_u32(offset, t, offset);
        let base = self.slot_base(slot, shift);
        if stage == Stage::GateUp {
            let half = self.r.v(1);
            self.swiglu(sum.at(0), sum.at(0), sum.at(2));
            self.swiglu(sum.at(1), sum.at(1), sum.at(3));
            self.canonical(sum.at(0));
            self.canonical(sum.at(1));
            self.k.v_lshrrev_b32(half, 1, self.r.group16);
            self.k.v_add_u32(offset, offset, half);
            self.store(2, offset, sum.at(0), base, 0, self.sentinel());
        } else {
            for i in 0..4 {
                self.canonical(sum.at(i));
            }
            self.k.v_add_u32(offset, offset, self.r.group16);
            self.store(4, offset, sum.at(0), base, 0, self.sentinel());
        }
    }

    /// Where a stage's rows are published.
    fn result(stage: Stage) -> Slot {
        match stage {
            Stage::Qkv => Slot::Qkv,
            Stage::Out => Slot::Out,
            Stage::GateUp => Slot::Hidden,
            Stage::Down | Stage::Head => Slot::Down,
        }
    }

    /// Address of the batch's first row in a slot: `1 << shift` bytes a tile.
    fn slot_base(&mut self, slot: Slot, shift: i32) -> S<2> {
        let (base, t) = (self.r.s2(4), self.r.s(2));
        self.add64(base, self.r.xlayer, self.p.exchange.offset[slot as usize] as u32);
        self.k.s_lshl_b32(t, self.r.tile, shift);
        self.add64r(base, base, t);
        base
    }

    /// `d = gate · sigmoid(gate) · up`. Clobbers temporaries 3 and 4.
    fn swiglu(&mut self, d: V<1>, gate: V<1>, up: V<1>) {
        let (e, g) = (self.r.v(3), self.r.v(4));
        self.k.v_mul_f32(e, -std::f32::consts::LOG2_E, gate);
        self.k.v_exp_f32(e, e);
        self.k.v_add_f32(e, 1.0, e);
        self.k.v_rcp_f32(e, e);
        self.k.v_mul_f32(g, gate, e);
        self.k.v_mul_f32(d, g, up);
    }
}

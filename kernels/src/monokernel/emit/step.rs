//! The kernel's frame: set-up, the loop over steps, the layers of a step, and re-arming.

use super::norm::Delta;
use super::{Gen, Mode, Site};
use crate::monokernel::exchange::{SENTINEL, Slot};
use crate::monokernel::kernargs::{Kernargs, at};
use crate::monokernel::params::Error;
use crate::monokernel::plan::{BLOCK, Stage, TILE, TOKENS};
use crate::monokernel::tables::{TABLE_DWORDS, column};
use wavesmith_asm::build::Build;
use wavesmith_asm::reg::{EXEC, V, VCC};
use wavesmith_emitter::When;
use wavesmith_emitter::{Dim, EmitError, Kernel};

impl Gen<'_> {
    /// The whole kernel.
    pub fn kernel(&mut self) {
        self.set_up();
        let (step, decode, tail) = (self.k.label("step"), self.k.label("decode"), self.k.label("layers_done"));
        self.k.bind(step);
        self.rearm();
        self.begin_step();
        let (pos, prompt_len, ntok, last) = (self.r.pos, self.r.prompt_len, self.r.ntok, self.r.last_row);
        self.k.s_mov_b32(ntok, 1);
        self.k.s_mov_b32(last, 0);
        self.k.s_cmp_ge_u32(pos, prompt_len);
        self.k.branch_if(When::Scc1, decode);
        self.k.s_sub_u32(ntok, prompt_len, pos);
        self.k.s_min_u32(ntok, ntok, TOKENS as i32);
        self.layers(Mode::Prefill);
        self.k.s_sub_u32(last, ntok, 1);
        self.k.s_mul_i32(last, last, self.p.lds.x_stride as i32);
        self.k.branch(tail);
        self.k.bind(decode);
        self.layers(Mode::Decode);
        self.k.bind(tail);
        self.tail();
        let (index, number) = (self.r.gen_index, self.r.step);
        self.k.s_add_u32(pos, pos, ntok);
        self.k.s_add_u32(number, number, 1);
        self.k.s_add_u32(index, index, 1);
        self.k.s_cmp_eq_u32(index, self.p.params.generations as i32);
        self.k.s_cselect_b32(index, 0, index);
        self.k.branch(step);
        self.k.bind(self.exit);
        // Weights may be under way for a step that never comes: the end itself waits for all counters.
        self.k.end();
        self.give_up();
    }

    /// Constants, the workgroup's shares, and zeros in LDS.
    fn set_up(&mut self) {
        let lds = self.p.lds;
        let waves = self.p.waves;
        let tid = V::<1>(0);
        let (t, base) = (self.r.v(0), self.r.s2(4));
        self.k.s_mov_b32(self.r.wg, self.k.workgroup_id(Dim::X));
        // Before anything else, as it takes longest.
        self.arg2(base, at::table);
        self.k.v_and_b32(self.r.lane, 63, tid);
        self.k.v_lshrrev_b32(t, 6, tid);
        self.k.v_readfirstlane_b32(self.r.wave, t);
        let row = self.r.s(0);
        self.k.s_lshl_b32(row, self.r.wg, (TABLE_DWORDS * 4).trailing_zeros() as i32);
        self.add64r(base, base, row);
        let (low, high) = (self.r.table_low(), self.r.table_high());
        self.k.s_load_dwordx8(low, base, 0);
        self.k.s_load_dwordx16(high, base, 32);

        for zero in [self.r.zero, self.r.best, self.r.best_token] {
            self.k.v_mov_b32(zero, 0);
        }
        // Which stages follow each other is in the table, so to whoever reads the code a layer may add to a residual, or
        // multiply weights, that nothing has loaded. Zeros make every path read what was written, in the shadow of the
        // loads above.
        for i in 0..self.p.row.regs() {
            self.k.v_mov_b32(self.r.resid(i), 0);
        }
        for slot in 0..self.p.shapes.iter().map(|s| s.slots).max().unwrap_or(1) {
            let w = self.r.w(slot);
            for i in 0..4 {
                self.k.v_mov_b32(w.at(i), 0);
            }
        }
        self.k.v_lshlrev_b32(self.r.lane4, 2, self.r.lane);
        self.k.v_lshlrev_b32(self.r.lane16, 4, self.r.lane);
        self.k.v_and_b32(self.r.tok, 15, self.r.lane);
        let group16 = self.r.group16;
        self.k.v_and_b32(group16, 48, self.r.lane);
        self.k.v_lshlrev_b32(self.r.tid4, 2, tid);
        self.k.v_mul_u32_u24(self.r.row, (self.p.row.width * 4) as i32, self.r.lane);

        // LDS addresses: activations, the wave's slice, partial sums.
        let s = self.r.s(0);
        let x_bytes = self.p.shape(Stage::Qkv).chunks * 64;
        self.k.s_mul_i32(s, self.r.wave, x_bytes as i32);
        self.k.s_add_u32(s, s, lds.x as i32);
        self.k.v_add_u32(self.r.x_decode, s, group16);
        self.k.v_mul_u32_u24(t, lds.x_stride as i32, self.r.tok);
        self.k.v_add_u32(self.r.x_prefill, t, self.r.x_decode);
        self.k.s_mul_i32(s, self.r.wave, lds.slice_stride as i32);
        self.k.s_add_u32(self.r.slice, s, lds.slice as i32);
        self.k.v_add_u32(self.r.slice_read, self.r.slice, group16);
        // Written in decode: 16 bytes a row, 4 bytes a lane group, 256 bytes a wave.
        self.k.v_lshrrev_b32(t, 2, group16);
        self.k.v_lshlrev_b32(self.r.put, 4, self.r.tok);
        self.k.v_add_u32(t, t, self.r.put);
        self.k.s_lshl_b32(s, self.r.wave, 8);
        self.k.s_add_u32(s, s, lds.partial as i32);
        self.k.v_add_u32(self.r.put_decode, s, t);
        // Written in prefill: 16 bytes a lane, a kibibyte a wave.
        self.k.s_lshl_b32(s, self.r.wave, BLOCK.trailing_zeros() as i32);
        self.k.s_add_u32(s, s, lds.partial as i32);
        self.k.v_add_u32(self.r.put_prefill, s, self.r.lane16);
        // Read in decode: wave w sums tiles 4w to 4w + 3 of a batch, 16 lanes a tile.
        let sum_tile = self.r.sum_tile;
        self.k.v_lshrrev_b32(sum_tile, 4, self.r.lane);
        self.k.s_lshl_b32(s, self.r.wave, 2);
        self.k.v_add_u32(sum_tile, s, sum_tile);
        self.k.v_mul_u32_u24(t, (256 * waves) as i32, sum_tile);
        self.k.v_add_u32(t, t, self.r.put);
        self.k.v_add_u32(self.r.sum_decode, lds.partial as i32, t);
        // Read in prefill: wave w sums tile w.
        self.k.s_mul_i32(s, self.r.wave, (BLOCK * waves) as i32);
        self.k.s_add_u32(s, s, lds.partial as i32);
        self.k.v_add_u32(self.r.sum_prefill, s, self.r.lane16);
        // Hidden activation of row `tok` of tile `sum_tile`: 8 a tile, two of every four rows.
        let hidden = self.r.hidden;
        self.k.v_lshrrev_b32(hidden, 2, self.r.tok);
        self.k.v_lshlrev_b32(hidden, 1, hidden);
        self.k.v_and_b32(t, 1, self.r.tok);
        self.k.v_add_u32(hidden, hidden, t);
        self.k.v_lshlrev_b32(t, 3, sum_tile);
        self.k.v_add_u32(hidden, hidden, t);
        self.k.v_lshlrev_b32(hidden, 2, hidden);

        // Addresses that do not change, and per-wave starts of the weight streams.
        let (weights, scratch) = (self.r.s2(6), self.r.scratch);
        self.arg2(weights, at::weights);
        self.arg2(scratch, at::scratch);
        self.arg2(self.r.rope, at::rope);
        self.arg2(self.r.residuals, at::residuals);
        self.arg(self.r.prompt_len, at::prompt_len);
        self.arg(self.r.watchdog, at::watchdog);
        self.k.wait_lgkm(0);
        let product = self.r.s2(0);
        self.mad64(scratch, self.r.wg, self.p.scratch_per_workgroup() as u32, product);
        let (wbase, base_column, head) = (self.r.wbase, self.r.column2(column::BASE), self.r.column2(column::HEAD));
        for (d, a) in [(wbase, base_column), (head, head)] {
            self.k.s_add_u32(d.at(0), weights.at(0), a.at(0));
            self.k.s_addc_u32(d.at(1), weights.at(1), a.at(1));
        }
        for stage in Stage::ALL {
            let offset = self.r.offset(stage);
            self.k.s_mul_i32(s, self.r.wave, self.r.count(stage));
            self.k.s_mul_i32(s, s, (self.p.shape(stage).chunks * BLOCK) as i32);
            self.k.s_add_u32(offset, offset, s);
            self.k.s_add_u32(offset, offset, 4096);
        }
        // Residuals are the same everywhere: workgroup 0 dumps them.
        let residuals = self.r.residuals;
        self.k.s_cmp_eq_u32(self.r.wg, 0);
        self.k.s_cselect_b64(residuals, residuals, 0);
        for zero in [
            self.r.pos,
            self.r.step,
            self.r.out,
            self.r.token,
            self.r.gen_index,
            self.r.layer,
            self.r.flip,
            self.r.epoch,
            self.r.misses,
            self.r.since.at(0),
            self.r.since.at(1),
        ] {
            self.k.s_mov_b32(zero, 0);
        }
        self.prefetch_first();

        let quad = self.r.t::<4>(0);
        for i in 0..4 {
            self.k.v_mov_b32(quad.at(i), 0);
        }
        self.k.v_lshlrev_b32(t, 4, tid);
        let stride = 1024 * waves;
        for at in (0..lds.bytes).step_by(stride) {
            if at + stride > lds.bytes {
                self.k.v_cmp_gt_u32(VCC, (lds.bytes - at) as i32, t);
                self.k.s_mov_b64(EXEC, VCC);
            }
            self.k.ds_write_b128(t, quad).offset(at as i32);
        }
        self.all_lanes();
        self.barrier();
    }

    /// Points everything at layer 0 of this step's generation.
    fn begin_step(&mut self) {
        let (xgen, xlayer, layer) = (self.r.xgen, self.r.xlayer, self.r.layer);
        let t = self.r.s2(0);
        self.arg2(xgen, at::exchange);
        self.arg2(self.r.norms, at::norms);
        self.arg2(self.r.kv, at::kv);
        self.k.wait_lgkm(0);
        self.mad64(xgen, self.r.gen_index, self.p.exchange.generation as u32, t);
        self.k.s_mov_b64(xlayer, xgen);
        self.k.s_mov_b32(layer, 0);
    }

    /// The stages of all layers, then the final norm.
    fn layers(&mut self, mode: Mode) {
        let next = self.k.label("layer");
        self.embed(mode);
        self.k.bind(next);
        self.norm(mode, Delta::Previous);
        self.barrier_unchecked();
        self.product(mode, Stage::Qkv);
        self.join(Site::Qkv);
        self.attention(mode);
        self.join(Site::Attention);
        self.product(mode, Stage::Out);
        self.join(Site::Out);
        self.norm(mode, Delta::Attention);
        self.barrier_unchecked();
        self.product(mode, Stage::GateUp);
        self.join(Site::Hidden);
        self.product(mode, Stage::Down);
        self.join(Site::Down);
        let (layer, xlayer, norms, kv) = (self.r.layer, self.r.xlayer, self.r.norms, self.r.kv);
        self.add64(xlayer, xlayer, self.p.exchange.layer as u32);
        self.add64(norms, norms, (2 * self.p.row.padded() * 4) as u32);
        self.add64(kv, kv, 2 * self.p.kv_side_bytes() as u32);
        self.k.s_add_u32(layer, layer, 1);
        self.k.s_cmp_lt_u32(layer, self.p.config.layers as i32);
        self.k.branch_if(When::Scc1, next);
        self.norm(mode, Delta::Last);
        self.barrier_unchecked();
    }

    /// Puts the sentinel back into this workgroup's own slots of the next step's generation; see the module's proof.
    fn rearm(&mut self) {
        if !self.sentinel() {
            return;
        }
        let x = self.p.exchange;
        let generations = self.p.params.generations as i32;
        let (done, used, fewer) = (self.k.label("armed"), self.r.tiles, self.k.label("decoded"));
        let (rows, index) = (self.r.batch, self.r.s(2));
        // The generation was last used `generations - 1` steps ago: not at all, by a prefill, or by a decode.
        self.k.s_sub_u32(used, self.r.step, generations - 1);
        self.k.s_cmp_lt_i32(used, 0);
        self.k.branch_if(When::Scc1, done);
        self.k.s_lshl_b32(used, used, TOKENS.trailing_zeros() as i32);
        self.k.s_mov_b32(rows, 1);
        self.k.s_cmp_ge_u32(used, self.r.prompt_len);
        self.k.branch_if(When::Scc1, fewer);
        self.k.s_mov_b32(rows, TOKENS as i32);
        self.k.bind(fewer);
        self.k.s_add_u32(index, self.r.gen_index, 1);
        self.k.s_cmp_eq_u32(index, generations);
        self.k.s_cselect_b32(index, 0, index);
        let (next, product) = (self.r.s2(8), self.r.s2(0));
        self.arg2(next, at::exchange);
        self.k.wait_lgkm(0);
        self.mad64(next, index, x.generation as u32, product);
        let sentinel = self.r.t::<4>(0);
        for i in 0..4 {
            self.k.v_mov_b32(sentinel.at(i), SENTINEL as i32);
        }

        let layer = self.r.i;
        let (another, layers_done) = (self.k.label("arm_layer"), self.k.label("layers_armed"));
        self.k.s_mov_b32(layer, self.r.wave);
        self.k.bind(another);
        self.k.s_cmp_ge_u32(layer, self.p.config.layers as i32);
        self.k.branch_if(When::Scc1, layers_done);
        for slot in Slot::ALL {
            self.rearm_slot(slot);
        }
        self.k.s_add_u32(layer, layer, self.p.waves as i32);
        self.k.branch(another);
        self.k.bind(layers_done);

        // Wave 0: the candidates; of workgroup 0 also the token.
        self.k.s_cmp_lg_u32(self.r.wave, 0);
        self.k.branch_if(When::Scc1, done);
        let (base, t, place) = (self.r.s2(4), self.r.s(0), self.r.v(0));
        self.add64(base, next, x.candidates as u32);
        self.k.s_mul_i32(t, self.r.wg, x.candidates_stride as i32);
        self.add64r(base, base, t);
        self.k.v_lshlrev_b32(place, 3, self.r.lane);
        self.first_lanes(self.p.params.top_k as usize);
        self.store(2, place, sentinel.at(0), base, 0, true);
        let others = self.k.label("not_workgroup_0");
        self.k.s_cmp_lg_u32(self.r.wg, 0);
        self.k.branch_if(When::Scc1, others);
        self.add64(base, next, x.token as u32);
        self.first_lanes(1);
        self.store(1, self.r.zero, sentinel.at(0), base, 0, true);
        self.k.bind(others);
        self.all_lanes();
        self.k.bind(done);
    }

    /// The workgroup's part of a slot's rows of layer `i`.
    fn rearm_slot(&mut self, slot: Slot) {
        let x = self.p.exchange;
        let (base, bytes, start, product) = (self.r.s2(4), self.r.s(10), self.r.s(11), self.r.s2(0));
        let (row, place, next) = (self.r.j, self.r.v(0), self.r.s2(8));
        let (next_row, next_piece, row_done, done) =
            (self.k.label("arm_row"), self.k.label("arm_piece"), self.k.label("row_armed"), self.k.label("slot_armed"));
        let (first, count, unit) = match slot {
            Slot::Attention => (
                self.r.column(column::JOB),
                self.r.column(column::JOBS),
                self.p.config.group() * self.p.config.head_dim * 4,
            ),
            Slot::Qkv => (self.r.first(Stage::Qkv), self.r.count(Stage::Qkv), TILE * 4),
            Slot::Out => (self.r.first(Stage::Out), self.r.count(Stage::Out), TILE * 4),
            Slot::Hidden => (self.r.first(Stage::GateUp), self.r.count(Stage::GateUp), TILE * 2),
            Slot::Down => (self.r.first(Stage::Down), self.r.count(Stage::Down), TILE * 4),
        };
        self.k.s_mul_i32(bytes, count, unit as i32);
        self.k.s_cmp_eq_u32(bytes, 0);
        self.k.branch_if(When::Scc1, done);
        self.k.s_mul_i32(start, first, unit as i32);
        self.add64(base, next, x.offset[slot as usize] as u32);
        self.add64r(base, base, start);
        self.mad64(base, self.r.i, x.layer as u32, product);
        self.k.s_mov_b32(row, self.r.batch);
        self.k.bind(next_row);
        self.k.v_mov_b32(place, self.r.lane16);
        self.k.bind(next_piece);
        self.k.v_cmp_gt_u32(VCC, bytes, place);
        self.k.s_mov_b64(EXEC, VCC);
        self.k.branch_if(When::Execz, row_done);
        self.store(4, place, self.r.t::<1>(0), base, 0, true);
        self.k.v_add_u32(place, 1024, place);
        self.k.branch(next_piece);
        self.k.bind(row_done);
        self.all_lanes();
        self.add64(base, base, x.stride[slot as usize] as u32);
        self.k.s_sub_u32(row, row, 1);
        self.k.s_cmp_lg_u32(row, 0);
        self.k.branch_if(When::Scc1, next_row);
        self.k.bind(done);
    }

    /// Closes the builder.
    pub fn finish(self) -> Result<Kernel, Error> {
        let mut k = self.k;
        let refused = |e: EmitError| Error::Emit(e.to_string());
        k.lds(self.p.lds.bytes as u32, 16).map_err(refused)?;
        k.workgroup_size([self.p.threads(), 1, 1]);
        for f in Kernargs::FIELDS {
            let arg = if f.pointer { k.kernargs().pointer(f.name) } else { k.kernargs().u32(f.name) };
            debug_assert_eq!((arg.offset, arg.size), (f.offset, f.bytes));
        }
        k.finish().map_err(refused)
    }
}

//! From logits to the next token: candidates of every workgroup, workgroup 0's choice, and its way back.
//!
//! A candidate is a 64-bit key that sorts as the definition of sampling wants: above, the scaled logit's bits made
//! monotone; below, [`LAST`] minus the token, so that of equal logits the lower token is the larger key. Neither half is ever
//! the sentinel. Key 0 means "none".

use super::rows::Cache;
use super::{Gen, Site};
use crate::monokernel::kernargs::at;
use crate::monokernel::plan::{Stage, TILE};
use wavesmith_asm::build::Build;
use wavesmith_asm::reg::{EXEC, M0, S, V, VCC};
use wavesmith_emitter::When;

/// From which tokens are subtracted in a key.
const LAST: i32 = i32::MAX;

/// Offset of the token counter on the counter's line, under [`Sync::Counter`](crate::monokernel::Sync::Counter).
const TOKEN_COUNTER: u32 = 64;

impl Gen<'_> {
    /// Whether this step's last token is the prompt's last or later: branches to `no` if not.
    fn unless_head(&mut self, no: wavesmith_emitter::Label) {
        let t = self.r.s(0);
        self.k.s_add_u32(t, self.r.pos, self.r.ntok);
        self.k.s_cmp_lt_u32(t, self.r.prompt_len);
        self.k.branch_if(When::Scc1, no);
    }

    /// Everything after the last layer: logits, the draw, and the token's way to the host and to all workgroups.
    pub fn tail(&mut self) {
        let (no_head, joined) = (self.k.label("no_head"), self.k.label("tail"));
        let greedy = self.p.params.top_k == 1;
        self.unless_head(no_head);
        self.k.v_mov_b32(self.r.best, f32::NEG_INFINITY);
        self.k.v_mov_b32(self.r.best_token, 0);
        self.product(super::Mode::Decode, Stage::Head);
        self.k.branch(joined);
        self.k.bind(no_head);
        self.prefetch_first();
        self.k.bind(joined);

        // What this wave re-armed is there before the workgroup joins the exchange: it has awaited its input since, and
        // loads and stores are done in order. What it has stored since is for its own workgroup, whose cache keeps order.
        let key = self.r.v2(2);
        if greedy {
            self.order(key.at(1), self.r.best);
            self.k.v_sub_u32(key.at(0), LAST, self.r.best_token);
            self.wave_max(key);
            let (lo, hi, place) = (self.r.s(0), self.r.s(1), self.r.v(0));
            self.k.v_readlane_b32(lo, key.at(0), 63);
            self.k.v_readlane_b32(hi, key.at(1), 63);
            self.k.v_mov_b32(key.at(0), lo);
            self.k.v_mov_b32(key.at(1), hi);
            self.k.s_lshl_b32(lo, self.r.wave, 4);
            self.k.v_mov_b32(place, lo);
            self.k.ds_write_b64(place, key).offset(self.p.lds.tail as i32);
        }
        self.barrier();
        let received = self.k.label("received");
        let epoch = self.r.epoch;
        if !self.sentinel() {
            self.k.s_add_u32(epoch, epoch, self.p.params.workgroups as i32);
        }
        self.k.s_cmp_lg_u32(self.r.wave, 0);
        self.k.branch_if(When::Scc1, received);
        self.publish_candidates(greedy);
        self.choose(greedy);
        self.receive();
        self.k.bind(received);
        self.take_token();
    }

    /// The rows of a batch of the LM head: dumped, scaled, and kept if best (greedy) or all (a draw). One row a lane, with
    /// lanes of absent tiles off.
    pub fn take_logits(&mut self, logit: V<1>) {
        let (id, z, t, base) = (self.r.v(2), self.r.v(3), self.r.s2(0), self.r.s2(4));
        let (scale, vocab) = (self.r.s(2), self.p.config.vocab);
        self.k.v_lshrrev_b32(id, 2, self.r.tid4);
        self.k.s_lshl_b32(t.at(0), self.r.tile, TILE.trailing_zeros() as i32);
        self.k.v_add_u32(id, t.at(0), id);
        self.arg(scale, at::inv_temperature);
        self.arg2(base, at::logits);
        self.k.v_cmp_gt_u32(VCC, vocab as i32, id);
        self.k.v_mul_f32(z, scale, logit);
        if self.p.params.top_k > 1 {
            // Rows that pad the vocabulary lose against every token.
            let least = self.r.v(5);
            self.k.v_mov_b32(least, f32::NEG_INFINITY);
            self.k.v_cndmask_b32(z, least, z, VCC);
            let keep = self.r.s2(6);
            self.k.s_sub_u32(t.at(0), self.r.tile, self.r.first(Stage::Head));
            self.k.s_lshl_b32(t.at(0), t.at(0), 6);
            self.add64(keep, self.r.scratch, self.p.scratch_logits() as u32);
            self.add64r(keep, keep, t.at(0));
            self.store(1, self.r.tid4, z, keep, 0, false);
        }
        self.k.s_and_b64(EXEC, EXEC, VCC);
        let off = self.k.label("no_logits");
        self.k.s_cmp_eq_u64(base, 0);
        self.k.branch_if(When::Scc1, off);
        self.mad64(base, self.r.out, vocab as u32 * 4, t);
        let place = self.r.v(4);
        self.k.v_lshlrev_b32(place, 2, id);
        self.store(1, place, logit, base, 0, false);
        self.k.bind(off);
        if self.p.params.top_k == 1 {
            // Rows come in ascending order to each lane, so a later equal logit must not replace an earlier one.
            self.k.v_cmp_gt_f32(VCC, z, self.r.best);
            self.k.s_and_b64(EXEC, EXEC, VCC);
            self.k.v_mov_b32(self.r.best, z);
            self.k.v_mov_b32(self.r.best_token, id);
        }
    }

    /// `d` = a key's upper half from a float: monotone as an unsigned integer, zeros of both signs equal. Clobbers
    /// temporary 7.
    fn order(&mut self, d: V<1>, x: V<1>) {
        let t = self.r.v(7);
        self.k.v_add_f32(d, 0, x);
        self.k.v_ashrrev_i32(t, 31, d);
        self.k.v_or_b32(t, i32::MIN, t);
        self.k.v_xor_b32(d, t, d);
        // A NaN of all ones would come out as the sentinel.
        self.k.v_min_u32(d, -2, d);
    }

    /// Leaves the largest key of all lanes in lane 63. Clobbers temporaries 4 and 5.
    fn wave_max(&mut self, key: V<2>) {
        let other = self.r.v2(4);
        for step in 0..6 {
            for half in 0..2 {
                let (d, s) = (other.at(half), key.at(half));
                let mov = self.k.v_mov_b32(d, s);
                match step {
                    0 => mov.row_ror(8),
                    1 => mov.row_ror(4),
                    2 => mov.row_ror(2),
                    3 => mov.row_ror(1),
                    // Lanes of rows that are masked off keep an earlier partner's key, which cannot win wrongly.
                    4 => mov.row_bcast15().row_mask(0xA),
                    _ => mov.row_bcast31().row_mask(0xC),
                };
            }
            self.larger(key, other);
        }
    }

    /// `key = max(key, other)`, 64 bits.
    fn larger(&mut self, key: V<2>, other: V<2>) {
        self.k.v_cmp_gt_u64(VCC, other, key);
        self.k.v_cndmask_b32(key.at(0), key.at(0), other.at(0), VCC);
        self.k.v_cndmask_b32(key.at(1), key.at(1), other.at(1), VCC);
    }

    /// Address of the first workgroup's candidates.
    fn candidates(&mut self) -> S<2> {
        let base = self.r.s2(4);
        self.add64(base, self.r.xgen, self.p.exchange.candidates as u32);
        base
    }

    /// Wave 0: stores the workgroup's candidates, best first; key 0 in a step that computes no logits.
    fn publish_candidates(&mut self, greedy: bool) {
        let (key, place) = (self.r.v2(2), self.r.v(0));
        let picked = self.r.t::<2>(0);
        let (none, ready) = (self.k.label("no_candidates"), self.k.label("candidates"));
        self.unless_head(none);
        if greedy {
            // The other waves' best keys, a lane each; the rest of the lanes repeat wave 0's.
            self.k.v_cmp_gt_u32(VCC, self.p.waves as i32, self.r.lane);
            self.k.v_cndmask_b32(place, self.r.zero, self.r.lane16, VCC);
            self.k.ds_read_b64(key, place).offset(self.p.lds.tail as i32);
            self.wave_max(key);
            let (lo, hi) = (self.r.s(0), self.r.s(1));
            self.k.v_readlane_b32(lo, key.at(0), 63);
            self.k.v_readlane_b32(hi, key.at(1), 63);
            self.k.v_mov_b32(picked.at(0), lo);
            self.k.v_mov_b32(picked.at(1), hi);
        } else {
            self.select();
        }
        self.k.branch(ready);
        self.k.bind(none);
        self.k.v_mov_b32(picked.at(0), 0);
        self.k.v_mov_b32(picked.at(1), 0);
        self.k.bind(ready);
        let (base, t) = (self.candidates(), self.r.s(0));
        self.k.s_mul_i32(t, self.r.wg, self.p.exchange.candidates_stride as i32);
        self.add64r(base, base, t);
        self.first_lanes(self.p.params.top_k as usize);
        self.k.v_lshlrev_b32(place, 3, self.r.lane);
        self.store(2, place, picked.at(0), base, 0, self.sentinel());
        self.all_lanes();
        if !self.sentinel() {
            self.arrive(0);
        }
    }

    /// Wave 0: the workgroup's `top_k` largest keys into the lanes of `t[0..2]`, by that many passes over its scaled
    /// logits, each looking for the largest key below the one before.
    fn select(&mut self) {
        let picked = self.r.t::<2>(0);
        let (best, key, z) = (self.r.v2(2), self.r.t::<2>(4), self.r.v(0));
        let (below, base, rows) = (self.r.s2(8), self.r.s2(4), self.r.s(6));
        let (n, at) = (self.r.i, self.r.j);
        let (mask, t) = (self.r.s2(0), self.r.s(2));
        self.k.v_mov_b32(picked.at(0), 0);
        self.k.v_mov_b32(picked.at(1), 0);
        self.k.s_mov_b64(below, -1);
        self.k.s_mov_b32(n, 0);
        let (pass, scan, end) = (self.k.label("select"), self.k.label("scan"), self.k.label("scanned"));
        self.k.bind(pass);
        self.k.v_mov_b32(best.at(0), 0);
        self.k.v_mov_b32(best.at(1), 0);
        self.add64(base, self.r.scratch, self.p.scratch_logits() as u32);
        self.k.s_lshl_b32(rows, self.r.count(Stage::Head), 4);
        self.k.s_lshl_b32(t, self.r.first(Stage::Head), 4);
        self.k.s_sub_u32(t, LAST, t);
        self.k.v_sub_u32(key.at(0), t, self.r.lane);
        self.k.s_mov_b32(at, 0);
        self.k.bind(scan);
        self.k.s_cmp_ge_u32(at, rows);
        self.k.branch_if(When::Scc1, end);
        // The last vector may be a part of one: lanes past the end stay out.
        self.k.s_sub_u32(t, rows, at);
        self.k.v_cmp_gt_u32(VCC, t, self.r.lane);
        self.k.s_mov_b64(EXEC, VCC);
        self.load(1, z, self.r.lane4, base, 0, Cache::Group);
        self.order(key.at(1), z);
        self.k.v_cmp_gt_u64(VCC, below, key);
        self.k.s_mov_b64(mask, VCC);
        self.k.v_cmp_gt_u64(VCC, key, best);
        self.k.s_and_b64(VCC, mask, VCC);
        self.k.v_cndmask_b32(best.at(0), best.at(0), key.at(0), VCC);
        self.k.v_cndmask_b32(best.at(1), best.at(1), key.at(1), VCC);
        self.all_lanes();
        self.k.v_subrev_u32(key.at(0), 64, key.at(0));
        self.add64(base, base, 256);
        self.k.s_add_u32(at, at, 64);
        self.k.branch(scan);
        self.k.bind(end);
        self.wave_max(best);
        self.pick(best, below, n, picked);
        self.k.s_add_u32(n, n, 1);
        self.k.s_cmp_lt_u32(n, self.p.params.top_k as i32);
        self.k.branch_if(When::Scc1, pass);
    }

    /// `below` = the key of lane 63, which also goes to lane `n` of `picked`.
    fn pick(&mut self, best: V<2>, below: S<2>, n: S<1>, picked: V<2>) {
        for half in 0..2 {
            self.k.v_readlane_b32(below.at(half), best.at(half), 63);
        }
        // Two different scalar registers are one too many; M0 does not count.
        self.k.s_mov_b32(M0, n);
        for half in 0..2 {
            self.k.v_writelane_b32(picked.at(half), below.at(half), M0);
        }
    }

    /// Wave 0 of workgroup 0: gathers all candidates, chooses, and publishes.
    fn choose(&mut self, greedy: bool) {
        let (end, dummy, publish) = (self.k.label("chosen"), self.k.label("no_choice"), self.k.label("publish"));
        let token = self.r.s(3);
        self.k.s_cmp_lg_u32(self.r.wg, 0);
        self.k.branch_if(When::Scc1, end);
        if !self.sentinel() {
            let epoch = self.r.epoch;
            self.await_count(Site::Candidates, 0, epoch);
        }
        let lists = (self.p.params.workgroups as usize).div_ceil(64);
        self.heads(lists);
        self.unless_head(dummy);
        if greedy {
            let best = self.r.u::<2>(0);
            for i in 1..lists {
                self.larger(best, self.r.u::<2>(4 * i));
            }
            self.wave_max(best);
            self.k.v_readlane_b32(token, best.at(0), 63);
            self.k.s_sub_u32(token, LAST, token);
        } else {
            self.merge_lists(lists);
            self.draw(token);
        }
        // To the host: one dword, all the way to its memory.
        let (tokens, t, zero, value) = (self.r.s2(4), self.r.s(0), self.r.zero, self.r.v(1));
        self.arg2(tokens, at::tokens);
        self.k.s_lshl_b32(t, self.r.out, 2);
        self.add64r(tokens, tokens, t);
        self.k.v_mov_b32(value, token);
        self.first_lanes(1);
        self.k.global_store_dword(zero, value, tokens).sc0().sc1();
        self.all_lanes();
        self.k.branch(publish);
        self.k.bind(dummy);
        self.k.s_mov_b32(token, 0);
        self.k.bind(publish);
        let slot = self.r.s2(4);
        self.add64(slot, self.r.xgen, self.p.exchange.token as u32);
        self.k.v_mov_b32(value, token);
        self.first_lanes(1);
        self.store(1, zero, value, slot, 0, self.sentinel());
        self.all_lanes();
        if !self.sentinel() {
            self.arrive(TOKEN_COUNTER);
        }
        self.k.bind(end);
    }

    /// Awaits the best key of every workgroup. Lane `l` keeps those of workgroups `l`, `l + 64`, … : for the `i`-th,
    /// `u[4i..4i+2]` is its current key, `u[4i+2]` that key's offset, `u[4i+3]` the end of its list.
    fn heads(&mut self, lists: usize) {
        let base = self.candidates();
        let stride = self.p.exchange.candidates_stride;
        for i in 0..lists {
            let (key, place, end) = (self.r.u::<2>(4 * i), self.r.u::<1>(4 * i + 2), self.r.u::<1>(4 * i + 3));
            let left = self.p.params.workgroups as usize - 64 * i;
            self.k.v_mov_b32(key.at(0), 0);
            self.k.v_mov_b32(key.at(1), 0);
            self.k.v_mov_b32(end, stride as i32);
            self.k.v_mul_u32_u24(place, end, self.r.lane);
            if i > 0 {
                self.k.v_add_u32(place, (64 * i * stride) as i32, place);
            }
            self.k.v_add_u32(end, (self.p.params.top_k * 8) as i32, place);
            self.first_lanes(left);
            self.poll(Site::Candidates, &[key.at(0), key.at(1)], |g, cache| {
                g.load(2, key.at(0), place, base, 0, cache)
            });
            self.all_lanes();
        }
    }

    /// Merges the workgroups' sorted lists into the lanes of `t[0..2]`: take the largest head, advance its list.
    fn merge_lists(&mut self, lists: usize) {
        let picked = self.r.t::<2>(0);
        let (best, below, n) = (self.r.v2(2), self.r.s2(8), self.r.i);
        let (next, done) = (self.k.label("merge_lists"), self.k.label("lists_merged"));
        let base = self.candidates();
        self.k.v_mov_b32(picked.at(0), 0);
        self.k.v_mov_b32(picked.at(1), 0);
        self.k.s_mov_b32(n, 0);
        self.k.bind(next);
        self.k.v_mov_b32(best.at(0), self.r.u::<1>(0));
        self.k.v_mov_b32(best.at(1), self.r.u::<1>(1));
        for i in 1..lists {
            self.larger(best, self.r.u::<2>(4 * i));
        }
        self.wave_max(best);
        self.pick(best, below, n, picked);
        // Nothing is left: the vocabulary has fewer tokens than candidates were asked for.
        self.k.s_cmp_eq_u64(below, 0);
        self.k.branch_if(When::Scc1, done);
        for i in 0..lists {
            let (key, place, end) = (self.r.u::<2>(4 * i), self.r.u::<1>(4 * i + 2), self.r.u::<1>(4 * i + 3));
            let other = self.k.label("other_list");
            self.k.v_cmp_eq_u64(VCC, below, key);
            self.k.s_mov_b64(EXEC, VCC);
            self.k.branch_if(When::Execz, other);
            self.k.v_mov_b32(key.at(0), 0);
            self.k.v_mov_b32(key.at(1), 0);
            self.k.v_add_u32(place, 8, place);
            self.k.v_cmp_lt_u32(VCC, place, end);
            self.k.s_and_b64(EXEC, EXEC, VCC);
            self.k.branch_if(When::Execz, other);
            self.poll(Site::Candidates, &[key.at(0), key.at(1)], |g, cache| {
                g.load(2, key.at(0), place, base, 0, cache)
            });
            self.k.bind(other);
            self.all_lanes();
        }
        self.k.s_add_u32(n, n, 1);
        self.k.s_cmp_lt_u32(n, self.p.params.top_k as i32);
        self.k.branch_if(When::Scc1, next);
        self.k.bind(done);
    }

    /// The draw, from the sorted keys in the lanes of `t[0..2]`: steps 3 to 6 of the model crate's definition.
    fn draw(&mut self, token: S<1>) {
        let k = self.p.params.top_k as i32;
        let picked = self.r.t::<2>(0);
        let (z, sum, tmp) = (self.r.v(2), self.r.v(3), self.r.v(4));
        let (first, last, top_p) = (self.r.s(0), self.r.s(1), self.r.s(2));
        let (mask, n) = (self.r.s2(4), self.r.i);
        // The scaled logit back from its monotone form.
        self.k.v_ashrrev_i32(tmp, 31, picked.at(1));
        self.k.v_not_b32(tmp, tmp);
        self.k.v_or_b32(tmp, i32::MIN, tmp);
        self.k.v_xor_b32(z, tmp, picked.at(1));
        self.k.v_readlane_b32(first, z, 0);
        self.k.v_subrev_f32(z, first, z);
        self.k.v_mul_f32(z, std::f32::consts::LOG2_E, z);
        self.k.v_exp_f32(z, z);
        // Where there is no candidate there is no weight: its key unfolds to a NaN.
        self.k.v_cmp_ne_u32(VCC, 0, picked.at(1));
        self.k.v_cndmask_b32(z, self.r.zero, z, VCC);
        // Running sums one after the other, as the definition wants: lane `i` takes part in the first `i + 1` additions.
        self.k.v_mov_b32(sum, 0);
        self.k.s_mov_b32(n, 0);
        let next = self.k.label("running_sum");
        self.k.bind(next);
        self.k.v_readlane_b32(first, z, n);
        self.k.s_lshl_b64(EXEC, -1, n);
        self.k.v_add_f32(sum, first, sum);
        self.all_lanes();
        self.k.s_add_u32(n, n, 1);
        self.k.s_cmp_lt_u32(n, k);
        self.k.branch_if(When::Scc1, next);

        self.arg(top_p, at::top_p);
        self.k.v_readlane_b32(first, sum, k - 1);
        self.k.v_mov_b32(tmp, first);
        self.k.v_mul_f32(tmp, top_p, tmp);
        self.k.v_cmp_ge_f32(VCC, sum, tmp);
        self.k.s_mov_b64(mask, VCC);
        self.k.s_ff1_i32_b64(last, mask);
        self.k.s_min_u32(last, last, k - 1);
        self.k.v_readlane_b32(first, sum, last);
        self.k.v_mov_b32(tmp, first);
        // `philox` leaves its result in temporary 0 and spares temporary 1.
        self.philox();
        let u = self.r.v(5);
        self.k.s_lshr_b32(first, first, 8);
        self.k.v_cvt_f32_u32(u, first);
        self.k.v_mul_f32(u, f32::from_bits(0x3380_0000), u);
        self.k.v_mul_f32(tmp, u, tmp);
        self.k.v_cmp_gt_f32(VCC, sum, tmp);
        self.k.s_mov_b64(mask, VCC);
        self.k.s_ff1_i32_b64(first, mask);
        self.k.s_min_u32(first, first, last);
        self.k.v_readlane_b32(token, picked.at(0), first);
        self.k.s_sub_u32(token, LAST, token);
    }

    /// Philox4x32-10 of (seed, number of tokens so far): the first word into temporary 0.
    fn philox(&mut self) {
        let x: [S<1>; 4] = [self.r.s(0), self.r.s(4), self.r.s(5), self.r.s(6)];
        let (key0, key1) = (self.r.s(8), self.r.s(9));
        let (hi0, hi1, n) = (self.r.s(10), self.r.s(11), self.r.i);
        let (m0, m1) = (0xD251_1F53u32 as i32, 0xCD9E_8D57u32 as i32);
        self.arg2(self.r.s2(8), at::seed_low);
        self.k.s_mov_b32(x[0], self.r.out);
        for word in &x[1..] {
            self.k.s_mov_b32(*word, 0);
        }
        self.k.s_mov_b32(n, 0);
        let round = self.k.label("philox");
        self.k.bind(round);
        self.k.s_mul_hi_u32(hi0, x[0], m0);
        self.k.s_mul_hi_u32(hi1, x[2], m1);
        self.k.s_xor_b32(hi1, hi1, x[1]);
        self.k.s_xor_b32(hi0, hi0, x[3]);
        self.k.s_mul_i32(x[1], x[2], m1);
        self.k.s_mul_i32(x[3], x[0], m0);
        self.k.s_xor_b32(x[0], hi1, key0);
        self.k.s_xor_b32(x[2], hi0, key1);
        self.k.s_add_u32(key0, key0, 0x9E37_79B9u32 as i32);
        self.k.s_add_u32(key1, key1, 0xBB67_AE85u32 as i32);
        self.k.s_add_u32(n, n, 1);
        self.k.s_cmp_lt_u32(n, 10);
        self.k.branch_if(When::Scc1, round);
    }

    /// Wave 0: awaits the token and leaves it in LDS for its workgroup.
    fn receive(&mut self) {
        let (slot, token, zero) = (self.r.s2(4), self.r.v(1), self.r.zero);
        if !self.sentinel() {
            let steps = self.r.s(3);
            self.k.s_add_u32(steps, self.r.step, 1);
            self.await_count(Site::Token, TOKEN_COUNTER, steps);
        }
        self.add64(slot, self.r.xgen, self.p.exchange.token as u32);
        self.poll(Site::Token, &[token], |g, cache| g.load(1, token, zero, slot, 0, cache));
        self.k.ds_write_b32(zero, token).offset(self.p.lds.token as i32);
    }

    /// All waves: the token from LDS, and whether it was the last.
    fn take_token(&mut self) {
        let (t, zero, token) = (self.r.v(1), self.r.zero, self.r.token);
        self.barrier();
        self.k.ds_read_b32(t, zero).offset(self.p.lds.token as i32);
        self.k.v_readfirstlane_b32(token, t);
        let (more, eos) = (self.k.label("prompt_left"), self.r.s2(2));
        self.unless_head(more);
        self.arg2(eos, at::max_tokens);
        let out = self.r.out;
        self.k.s_add_u32(out, out, 1);
        self.k.s_cmp_ge_u32(out, eos.at(0));
        self.k.branch_if(When::Scc1, self.exit);
        self.k.s_cmp_eq_u32(token, eos.at(1));
        self.k.branch_if(When::Scc1, self.exit);
        self.k.bind(more);
    }
}

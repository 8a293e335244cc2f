//! The residual: each workgroup's own copy, what is added to it, and its RMSNorm.
//!
//! Every workgroup adds the same deltas in the same order and normalises redundantly, which costs less than exchanging
//! the result. In decode wave 0 keeps the one row in registers; in prefill the waves take the 16 rows in turn and keep
//! them in the workgroup's scratch, where only the wave that wrote a row reads it.

use super::rows::{Cache, registers};
use super::{Gen, Mode, Site};
use crate::monokernel::exchange::Slot;
use crate::monokernel::kernargs::at;
use crate::monokernel::plan::TOKENS;
use wavesmith_asm::build::Build;
use wavesmith_asm::reg::{S, V};
use wavesmith_emitter::When;

/// What is added to the residual before it is normalised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Delta {
    /// The previous layer's feed-forward output; nothing in layer 0.
    Previous,
    /// The last layer's feed-forward output.
    Last,
    /// This layer's attention output.
    Attention,
}

impl Gen<'_> {
    /// Runs `row` for each token that this wave owns: in decode token 0 on wave 0, in prefill every `waves`-th. The
    /// token's number is in loop counter `i`.
    fn own_tokens(&mut self, mode: Mode, row: impl FnOnce(&mut Self)) {
        let i = self.r.i;
        match mode {
            Mode::Decode => {
                let skip = self.k.label("not_wave_0");
                self.k.s_cmp_lg_u32(self.r.wave, 0);
                self.k.branch_if(When::Scc1, skip);
                row(self);
                self.k.bind(skip);
            }
            Mode::Prefill => {
                let (next, end) = (self.k.label("next_token"), self.k.label("tokens_done"));
                self.k.s_mov_b32(i, self.r.wave);
                self.k.bind(next);
                self.k.s_cmp_ge_u32(i, TOKENS as i32);
                self.k.branch_if(When::Scc1, end);
                row(self);
                self.k.s_add_u32(i, i, self.p.waves as i32);
                self.k.branch(next);
                self.k.bind(end);
            }
        }
    }

    /// Address of the row of token `i` in the scratch, with the row's bias.
    fn scratch_row(&mut self) -> S<2> {
        let base = self.r.s2(6);
        let t = self.r.s(8);
        let bytes = self.p.row.padded() * 4;
        self.k.s_mul_i32(t, self.r.i, bytes as i32);
        self.add64r(base, self.r.scratch, t);
        self.add64(base, base, Self::bias(self.p.row) as u32);
        base
    }

    /// Starts the residual: the embeddings of the step's tokens. Tokens past the end of a prefill step repeat the last
    /// one: their columns are computed like the others and never used.
    pub fn embed(&mut self, mode: Mode) {
        let row = self.p.row;
        let resid = registers(row, self.r.resid(0));
        self.own_tokens(mode, |g| {
            let (token, base) = (g.r.s(0), g.r.s2(2));
            if mode == Mode::Prefill {
                let (prompt, last) = (g.r.s2(4), g.r.s(1));
                g.arg2(prompt, at::prompt);
                g.k.s_sub_u32(last, g.r.ntok, 1);
                g.k.s_min_u32(last, last, g.r.i);
                g.k.s_add_u32(last, last, g.r.pos);
                g.k.s_lshl_b32(last, last, 2);
                g.add64r(prompt, prompt, last);
                g.k.s_load_dword(token, prompt, 0);
            } else {
                g.k.s_mov_b32(token, g.r.token);
            }
            g.arg2(base, at::embedding);
            let t = g.r.s2(4);
            g.mad64(base, token, row.padded() as u32 * 2, t);
            let offset = g.r.v(0);
            g.k.v_lshrrev_b32(offset, 1, g.r.row);
            for i in 0..row.loads {
                for j in 0..row.width {
                    let d = resid[i * row.width + j];
                    g.k.global_load_ushort(d, offset, base).offset((i * row.width * 128 + 2 * j) as i32);
                }
            }
            for &r in &resid {
                g.k.v_cvt_f32_f16(r, r);
            }
            if mode == Mode::Prefill {
                let base = g.scratch_row();
                g.store_row(row, g.r.resid(0), g.r.row, base);
            }
        });
    }

    /// Adds `delta` to the residual and writes the normalised rows, rounded to f16, to LDS.
    pub fn norm(&mut self, mode: Mode, delta: Delta) {
        self.own_tokens(mode, |g| g.norm_row(mode, delta));
    }

    fn norm_row(&mut self, mode: Mode, delta: Delta) {
        let row = self.p.row;
        let x = self.p.exchange;
        let (gamma, incoming) = (self.r.u::<1>(0), self.r.u::<1>(row.regs()));
        let resid = registers(row, self.r.resid(0));
        let scratch = if mode == Mode::Prefill {
            let base = self.scratch_row();
            self.load_row(row, self.r.resid(0), self.r.row, base, Cache::Plain);
            Some(base)
        } else {
            None
        };
        // The weights of the norm are on their way while the delta is awaited.
        let weights = self.r.s2(2);
        let skip = if delta == Delta::Attention { row.padded() as u32 * 4 } else { 0 };
        self.add64(weights, self.r.norms, skip + Self::bias(row) as u32);
        self.load_row(row, gamma, self.r.row, weights, Cache::Plain);

        let added = self.k.label("nothing_to_add");
        if delta == Delta::Previous {
            self.k.s_cmp_eq_u32(self.r.layer, 0);
            self.k.branch_if(When::Scc1, added);
        }
        let (slot, site) = match delta {
            Delta::Attention => (Slot::Out, Site::Out),
            _ => (Slot::Down, Site::Down),
        };
        let base = self.r.s2(4);
        let back = if delta == Delta::Attention { 0 } else { x.layer as i64 };
        self.add64i(base, self.r.xlayer, x.offset[slot as usize] as i64 - back + i64::from(Self::bias(row)));
        if mode == Mode::Prefill {
            let t = self.r.s(8);
            self.k.s_mul_i32(t, self.r.i, x.stride[slot as usize] as i32);
            self.add64r(base, base, t);
        }
        let deltas = registers(row, incoming);
        self.poll(site, &deltas, |g, cache| g.load_row(row, incoming, g.r.row, base, cache));
        for (&r, &d) in resid.iter().zip(&deltas) {
            self.k.v_add_f32(r, r, d);
        }
        if let Some(base) = scratch {
            self.store_row(row, self.r.resid(0), self.r.row, base);
        }
        if delta != Delta::Attention {
            self.dump_residual(mode);
        }
        self.k.bind(added);

        let inverse = self.inverse_rms(&resid);
        let gammas = registers(row, gamma);
        for (&r, &w) in resid.iter().zip(&gammas) {
            // The product with the weight is formed in the weight's register, which area `u` no longer needs.
            self.k.v_mul_f32(w, r, w);
            self.k.v_mul_f32(w, inverse, w);
        }
        let address = self.r.v(0);
        self.k.v_lshrrev_b32(address, 1, self.r.row);
        if mode == Mode::Prefill {
            let t = self.r.s(0);
            self.k.s_mul_i32(t, self.r.i, self.p.lds.x_stride as i32);
            self.k.v_add_u32(address, t, address);
        }
        self.write_f16(row, gamma, address, self.p.lds.x);
    }

    /// One over the root of the mean square of a row plus epsilon, the same in all lanes.
    fn inverse_rms(&mut self, resid: &[V<1>]) -> V<1> {
        let (sum, total) = (self.r.v(1), self.r.s(0));
        self.k.v_mul_f32(sum, resid[0], resid[0]);
        for &r in &resid[1..] {
            self.k.v_fmac_f32(sum, r, r);
        }
        self.k.v_add_f32(sum, sum, sum).row_ror(8);
        self.k.v_add_f32(sum, sum, sum).row_ror(4);
        self.k.v_add_f32(sum, sum, sum).row_ror(2);
        self.k.v_add_f32(sum, sum, sum).row_ror(1);
        self.k.v_add_f32(sum, sum, sum).row_bcast15().row_mask(0xA);
        self.k.v_add_f32(sum, sum, sum).row_bcast31().row_mask(0xC);
        self.k.v_readlane_b32(total, sum, 63);
        let c = self.p.config;
        self.k.v_mov_b32(sum, total);
        self.k.v_mul_f32(sum, 1.0 / c.d_model as f32, sum);
        self.k.v_add_f32(sum, c.rms_eps, sum);
        self.k.v_rsq_f32(sum, sum);
        sum
    }

    /// Writes the residual after the layer before `layer` to the dump, if there is one.
    fn dump_residual(&mut self, mode: Mode) {
        let row = self.p.row;
        let (off, base, t) = (self.k.label("no_dump"), self.r.s2(4), self.r.s2(0));
        self.k.s_cmp_eq_u64(self.r.residuals, 0);
        self.k.branch_if(When::Scc1, off);
        let index = self.r.s(8);
        if mode == Mode::Prefill {
            self.k.s_cmp_ge_u32(self.r.i, self.r.ntok);
            self.k.branch_if(When::Scc1, off);
            self.k.s_add_u32(index, self.r.pos, self.r.i);
        } else {
            self.k.s_mov_b32(index, self.r.pos);
        }
        self.k.s_mul_i32(index, index, self.p.config.layers as i32);
        self.k.s_add_u32(index, index, self.r.layer);
        self.k.s_sub_u32(index, index, 1);
        self.add64(base, self.r.residuals, Self::bias(row) as u32);
        self.mad64(base, index, row.padded() as u32 * 4, t);
        self.store_row(row, self.r.resid(0), self.r.row, base);
        self.k.bind(off);
    }
}

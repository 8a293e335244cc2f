//! Waiting: for values that tell their own arrival, or for a counter.

use super::rows::Cache;
use super::{Gen, Site};
use crate::monokernel::kernargs::at;
use wavesmith_asm::build::Build;
use wavesmith_asm::reg::{V, VCC};
use wavesmith_emitter::When;

impl Gen<'_> {
    /// Loads until no lane holds a sentinel. `load` emits the loads with the treatment that it is given; `regs` are the
    /// dwords loaded, each of which is looked at: a store of several dwords may arrive in parts. Under [`Sync::Counter`] the
    /// data is known to be there, caches hold nothing older, and one plain load is all.
    ///
    /// [`Sync::Counter`]: crate::monokernel::Sync::Counter
    pub fn poll(&mut self, site: Site, regs: &[V<1>], load: impl Fn(&mut Self, Cache)) {
        if !self.sentinel() {
            load(self, Cache::Plain);
            return;
        }
        let misses = self.r.misses;
        self.k.s_mov_b32(misses, 0);
        let (again, done) = (self.k.label("poll"), self.k.label("arrived"));
        self.k.bind(again);
        load(self, Cache::Device);
        // The sentinel is the largest unsigned dword, so the largest of all dwords tells whether one is left.
        let largest = match *regs {
            [] => return,
            [one] => one,
            [a, b, ref rest @ ..] => {
                let t = self.r.v(7);
                match rest.split_first() {
                    None => _ = self.k.v_max_u32(t, a, b),
                    Some((&c, rest)) => {
                        self.k.v_max3_u32(t, a, b, c);
                        for pair in rest.chunks(2) {
                            match *pair {
                                [d, e] => _ = self.k.v_max3_u32(t, t, d, e),
                                [d] => _ = self.k.v_max_u32(t, t, d),
                                _ => unreachable!("chunks of two"),
                            }
                        }
                    }
                }
                t
            }
        };
        self.k.v_cmp_eq_u32(VCC, -1, largest);
        self.k.branch_if(When::Vccz, done);
        self.missed(site);
        self.k.branch(again);
        self.k.bind(done);
    }

    /// What a wave does between polls: sleep a little once it has failed often enough, and give up when its clock says
    /// so. The clock is read only here, so a poll that succeeds at once costs nothing.
    fn missed(&mut self, site: Site) {
        let (misses, since, now) = (self.r.misses, self.r.since, self.r.s2(0));
        let spins = self.p.params.spins;
        self.k.s_add_u32(misses, misses, 1);
        if spins == 0 {
            self.k.s_sleep(1);
        } else {
            let awake = self.k.label("awake");
            self.k.s_cmp_le_u32(misses, spins as i32);
            self.k.branch_if(When::Scc1, awake);
            self.k.s_sleep(1);
            self.k.bind(awake);
        }
        self.k.s_memrealtime(now);
        self.k.wait_lgkm(0);
        self.k.s_cmp_eq_u32(misses, 1);
        self.k.s_cselect_b64(since, now, since);
        self.k.s_sub_u32(now.at(0), now.at(0), since.at(0));
        self.k.s_subb_u32(now.at(1), now.at(1), since.at(1));
        self.k.s_lshr_b64(now, now, 8);
        let late = self.r.s(2);
        self.k.s_movk_i32(late, site as i32);
        self.k.s_cmp_gt_u32(now.at(0), self.r.watchdog);
        self.k.branch_if(When::Scc1, self.expired);
    }

    /// Under [`Sync::Counter`](crate::monokernel::Sync::Counter): joins all workgroups at the end of a stage.
    ///
    /// Release: each wave's stores are in the cache (wait, barrier), the cache writes back, then the arrival counts.
    /// Acquire: the count is complete, wave 0 drops everything cached, and the barrier lets the other waves of its compute
    /// unit go on.
    pub fn join(&mut self, site: Site) {
        if self.sentinel() {
            return;
        }
        let epoch = self.r.epoch;
        self.k.s_add_u32(epoch, epoch, self.p.params.workgroups as i32);
        self.drain();
        self.barrier();
        let others = self.k.label("joined");
        self.k.s_cmp_lg_u32(self.r.wave, 0);
        self.k.branch_if(When::Scc1, others);
        self.arrive(0);
        self.await_count(site, 0, epoch);
        self.k.bind(others);
        self.barrier();
    }

    /// Adds one to the counter at `offset` of the counter line, after everything written by this workgroup. The write-back
    /// finds what this wave has stored before it without a wait: its cache keeps their order.
    pub fn arrive(&mut self, offset: u32) {
        let (counter, one, zero) = (self.r.s2(4), self.r.v(1), self.r.zero);
        self.arg2(counter, at::counter);
        self.k.buffer_wbl2().sc1();
        self.drain();
        self.k.v_mov_b32(one, 1);
        self.first_lanes(1);
        self.k.global_atomic_add(zero, one, counter).offset(offset as i32);
        self.all_lanes();
    }

    /// Polls the counter at `offset` until it has reached `target`, and drops what the compute unit's caches hold.
    pub fn await_count(&mut self, site: Site, offset: u32, target: wavesmith_asm::reg::S<1>) {
        let (counter, seen, zero) = (self.r.s2(4), self.r.v(1), self.r.zero);
        let (misses, count) = (self.r.misses, self.r.s(6));
        self.arg2(counter, at::counter);
        self.k.s_mov_b32(misses, 0);
        let (again, done) = (self.k.label("count"), self.k.label("counted"));
        self.k.bind(again);
        self.k.global_load_dword(seen, zero, counter).offset(offset as i32).sc1();
        self.k.v_readfirstlane_b32(count, seen);
        self.k.s_cmp_ge_u32(count, target);
        self.k.branch_if(When::Scc1, done);
        self.missed(site);
        self.k.branch(again);
        self.k.bind(done);
        self.k.buffer_inv().sc1();
    }

    /// Where a wave ends whose watchdog expired: it tells the host where it waited, tells its workgroup, and leaves.
    ///
    /// Expects the site in temporary 2. A wave that has ended no longer counts at barriers, so the others go on to
    /// theirs and read the flag there.
    pub fn give_up(&mut self) {
        let (status, record) = (self.r.s2(4), self.r.t::<4>(0));
        let (site, zero) = (self.r.s(2), self.r.zero);
        self.k.bind(self.expired);
        self.all_lanes();
        self.arg2(status, at::status);
        let offset = self.r.s(0);
        self.k.s_lshl_b32(offset, self.r.wg, 4);
        self.add64r(status, status, offset);
        self.k.v_mov_b32(record.at(0), site);
        self.k.v_mov_b32(record.at(1), self.r.layer);
        self.k.v_mov_b32(record.at(2), self.r.step);
        self.k.v_mov_b32(record.at(3), self.r.wave);
        self.first_lanes(1);
        self.k.global_store_dwordx4(zero, record, status).sc0().sc1();
        self.k.ds_write_b32(zero, record.at(0)).offset(self.p.lds.abort as i32);
        // The end waits for both, and then the barrier no longer waits for this wave.
        self.k.end();
    }
}

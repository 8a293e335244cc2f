//! Tiles that several workgroups share: each leaves its sums in the workspace, and the last to arrive adds them up.
//!
//! Nobody waits for anybody, so workgroups need not be resident together, and the sums are added in the order of K
//! whoever comes last: results do not depend on timing. A workgroup releases its sums to the device before it counts
//! itself, and acquires the others' after (gfx942 and gfx950 write the L2 back, for XCDs do not share it).

use super::args::GemmArgs;
use super::arith::{add_product, constant};
use super::emit::Wave;
use super::plan::Plan;
use super::stages::Stages;
use super::work::{Work, contributors};
use super::{GemmParams, Order};
use wavesmith_asm::reg::{A, EXEC, Reg, RegClass, S, V};
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Target};
use wavesmith_emitter::{EmitError, KernelBuilder, Label, When};

/// What sharing a tile is about.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub plan: &'a Plan,
    pub args: &'a GemmArgs,
    pub work: &'a Work,
    pub wave: &'a Wave,
    /// Where workgroups go that are done with the tile.
    pub skip: Label,
}

/// Leaves the sums of a shared tile and goes to `skip`, unless this workgroup is the last of it: then all sums are in
/// the registers.
pub(super) fn share(
    b: &mut KernelBuilder,
    p: &GemmParams,
    shared: &Shared<'_>,
    stages: &Stages<'_>,
) -> Result<(), EmitError> {
    let Shared { plan, args, work, wave, skip } = *shared;
    let Some([from, to]) = work.stages else { return Ok(()) };
    let whole = b.label("whole");
    if p.order == Order::StreamK {
        let part: S<1> = b.s();
        b.s_sub_u32(part, to, from);
        b.s_cmp_eq_u32(part, work.per_tile);
        b.branch_if(When::Scc1, whole);
    }
    let quads: Vec<Reg> = stages.results.iter().flatten().flat_map(|r| quads(*r)).collect();
    let tile_bytes = p.tile_m * p.tile_n * p.dtype.sum().bits() / 8;
    let lane: V<1> = b.v();
    b.v_lshlrev_b32(lane, 4, wave.tid);
    let slot = slot(b, p, work, work.number);
    let at = slot_address(b, args, slot, tile_bytes);
    let step = constant(b, p.threads() * 16);
    for r in &quads {
        let data = in_vgprs(b, *r);
        b.global_store_dwordx4(lane, data, at);
        b.s_add_u32(at.at(0), at.at(0), step);
        b.s_addc_u32(at.at(1), at.at(1), 0);
    }
    let [first, count] = contributors(b, p, work);
    let before = count_arrival(b, plan, args, work, wave)?;
    let last: S<1> = b.s();
    b.s_sub_u32(last, count, 1);
    b.s_cmp_lg_u32(before, last);
    b.branch_if(When::Scc1, skip);
    acquire(b);
    reset(b, args, work, wave)?;
    stages.clear(b);
    let (n, end): (S<1>, S<1>) = (b.s(), b.s());
    b.s_mov_b32(n, first);
    b.s_add_u32(end, first, count);
    b.do_while(When::Scc1, |b| -> Result<(), EmitError> {
        let slot = self::slot(b, p, work, n);
        let at = slot_address(b, args, slot, tile_bytes);
        for group in quads.chunks(4) {
            let loaded: Vec<V<4>> = group
                .iter()
                .map(|_| {
                    let data: V<4> = b.v();
                    b.global_load_dwordx4(data, lane, at);
                    b.s_add_u32(at.at(0), at.at(0), step);
                    b.s_addc_u32(at.at(1), at.at(1), 0);
                    data
                })
                .collect();
            for (r, data) in group.iter().zip(loaded) {
                add(b, p.dtype.sum(), *r, data);
            }
        }
        b.s_add_u32(n, n, 1);
        b.s_cmp_lt_u32(n, end);
        Ok(())
    })?;
    b.bind(whole);
    Ok(())
}

/// The slot of the sums that workgroup `n` has of the tile in hand.
fn slot(b: &mut KernelBuilder, p: &GemmParams, work: &Work, n: S<1>) -> S<1> {
    let slot: S<1> = b.s();
    b.s_mov_b32(slot, n);
    if p.order == Order::StreamK {
        // A workgroup may share the first tile that it works on and the last.
        let (start, tile): (S<1>, S<1>) = (b.s(), b.s());
        work.start_of(b, n, start);
        b.s_mul_i32(tile, work.tile, work.per_tile);
        b.s_lshl_b32(slot, slot, 1);
        b.s_cmp_lt_u32(start, tile);
        b.s_addc_u32(slot, slot, 0);
    }
    slot
}

fn slot_address(b: &mut KernelBuilder, args: &GemmArgs, slot: S<1>, bytes: u32) -> S<2> {
    let at: S<2> = b.s();
    b.load_arg(at, args.workspace);
    let bytes = constant(b, bytes);
    add_product(b, at, slot, bytes);
    at
}

/// Counts this workgroup in once its sums can be seen by all, and says how many came before.
fn count_arrival(
    b: &mut KernelBuilder,
    plan: &Plan,
    args: &GemmArgs,
    work: &Work,
    wave: &Wave,
) -> Result<S<1>, EmitError> {
    let (zero, word, seen): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
    b.v_mov_b32(zero, 0);
    b.v_mov_b32(word, plan.lds);
    if release_writes_back(b) {
        b.buffer_wbl2().sc1();
    }
    b.wait_vm(0);
    b.s_barrier();
    b.s_cmp_eq_u32(wave.number, 0);
    b.if_(When::Scc1, |b| -> Result<(), EmitError> {
        let counter = counter(b, args, work);
        let (old, one): (V<1>, V<1>) = (b.v(), b.v());
        b.v_mov_b32(one, 1);
        b.s_mov_b64(EXEC, 1);
        b.global_atomic_add_rtn(old, zero, one, counter);
        b.ds_write_b32(word, old);
        b.s_mov_b64(EXEC, -1);
        Ok(())
    })?;
    b.s_barrier();
    b.ds_read_b32(seen, word);
    let before: S<1> = b.s();
    b.v_readfirstlane_b32(before, seen);
    Ok(before)
}

/// Leaves the counter as it was before anybody came.
fn reset(b: &mut KernelBuilder, args: &GemmArgs, work: &Work, wave: &Wave) -> Result<(), EmitError> {
    b.s_cmp_eq_u32(wave.number, 0);
    b.if_(When::Scc1, |b| -> Result<(), EmitError> {
        let zero: V<1> = b.v();
        let counter = counter(b, args, work);
        b.v_mov_b32(zero, 0);
        b.s_mov_b64(EXEC, 1);
        b.global_store_dword(zero, zero, counter);
        b.s_mov_b64(EXEC, -1);
        Ok(())
    })
}

/// The address of the tile's counter.
fn counter(b: &mut KernelBuilder, args: &GemmArgs, work: &Work) -> S<2> {
    let counter: S<2> = b.s();
    let four = constant(b, 4);
    b.load_arg(counter, args.counters);
    add_product(b, counter, work.tile, four);
    counter
}

fn release_writes_back(b: &KernelBuilder) -> bool {
    use wavesmith_asm::build::Emit;
    matches!(b.target(), Target::Gfx942 | Target::Gfx950)
}

/// Drops what the caches hold of others' sums.
fn acquire(b: &mut KernelBuilder) {
    if release_writes_back(b) {
        b.buffer_inv().sc1();
    } else {
        b.buffer_wbinvl1_vol();
    }
}

/// A result in runs of four registers.
fn quads(r: Reg) -> impl Iterator<Item = Reg> {
    (0..u16::from(r.count) / 4).map(move |i| Reg { index: r.index + 4 * i, count: 4, ..r })
}

fn in_vgprs(b: &mut KernelBuilder, r: Reg) -> V<4> {
    if r.class == RegClass::V {
        return V(r.index);
    }
    let data: V<4> = b.v();
    for i in 0..4 {
        b.v_accvgpr_read_b32(data.at(i), A::<1>(r.index + i));
    }
    data
}

/// `r += data`.
fn add(b: &mut KernelBuilder, ty: Elem, r: Reg, data: V<4>) {
    let sum = in_vgprs(b, r);
    match ty {
        Elem::F64 => {
            for i in [0, 2] {
                let (d, x): (V<2>, V<2>) = (sum.sub(i), data.sub(i));
                b.v_add_f64(d, d, x);
            }
        }
        Elem::I32 => (0..4).for_each(|i| _ = b.v_add_u32(sum.at(i), data.at(i), sum.at(i))),
        _ => (0..4).for_each(|i| _ = b.v_add_f32(sum.at(i), data.at(i), sum.at(i))),
    }
    if r.class == RegClass::A {
        (0..4).for_each(|i| _ = b.v_accvgpr_write_b32(A::<1>(r.index + i), sum.at(i)));
    }
}

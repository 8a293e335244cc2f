//! The kernel's body: a workgroup's tiles, one after the other.

use super::args::GemmArgs;
use super::arith::add_product;
use super::loader::Tile;
use super::plan::Plan;
use super::stages::Stages;
use super::work::{Place, Work};
use super::{GemmError, GemmParams, KERNEL, epilogue, guard, hot, partial};
use wavesmith_asm::reg::{S, V};
use wavesmith_asm::{Build, Sku};
use wavesmith_emitter::kernarg::Arg;
use wavesmith_emitter::{Abi, Dim, Kernargs, Kernel, KernelBuilder, When};

pub(super) fn emit(p: &GemmParams, plan: &Plan, sku: &Sku) -> Result<(Kernel, Kernargs), GemmError> {
    let mut b = KernelBuilder::with_abi(KERNEL, sku.target, Abi::default().workgroup_ids(Dim::X));
    b.workgroup_size([p.threads(), 1, 1]);
    b.own_lds_fills();
    let args = GemmArgs::new(b.kernargs(), p.dtype);
    b.lds(plan.lds_bytes(p), 128)?;

    let done = b.label("done");
    guard::emit(&mut b, p, plan, sku.xcds, &args, done);
    let tid: V<1> = b.v();
    b.v_and_b32(tid, 0x3ff, b.workitem_id());
    let [m, n, k]: [S<1>; 3] = [b.s(), b.s(), b.s()];
    for (dst, arg) in [(m, args.m), (n, args.n), (k, args.k)] {
        b.load_arg(dst, arg);
    }
    let wave = Wave::new(&mut b, tid, p);
    let mut stages = Stages::new(&mut b, p, plan, &wave, tid);
    let work = Work::begin(&mut b, p, sku.xcds, &args);

    let (top, skip) = (b.here("tile"), b.label("next"));
    work.arrive(&mut b);
    let place = work.place(&mut b, p, &args);
    let [first_k, left] = work.products(&mut b, k, plan.stage_k);
    stages.left = left;
    let summed = b.label("summed");
    stages.clear(&mut b);
    b.s_cmp_eq_u32(left, 0);
    b.branch_if(When::Scc1, summed);
    let tiles = [0, 1].map(|i| operand(&mut b, &args, p, &place, i, [m, n][i], first_k));
    let scales = [0, 1].map(|i| p.dtype.is_scaled().then(|| scale(&mut b, &args, &place, i, [m, n][i], first_k)));
    stages.begin(&mut b, &tiles, &scales);
    hot::run(&mut b, &stages, wave.number)?;
    b.bind(summed);
    partial::share(&mut b, p, &partial::Shared { plan, args: &args, work: &work, wave: &wave, skip }, &stages)?;
    let c = base(&mut b, args.c, args.strides[2], place.batch);
    let pitch = pitch(&mut b, args.ld[2], p.output().bits());
    epilogue::emit(
        &mut b,
        &epilogue::Epilogue {
            params: p,
            plan,
            args: &args,
            results: &stages.results,
            c,
            pitch,
            first: place.first,
            limit: [m, n],
            wave: &wave,
        },
    );
    b.bind(skip);
    work.next(&mut b, top);
    b.bind(done);
    b.end();
    let layout = b.kernargs().clone();
    Ok((b.finish()?, layout))
}

/// The address of the matrix of a place in the batch.
fn base(b: &mut KernelBuilder, pointer: Arg, stride: Arg, batch: S<1>) -> S<2> {
    let (base, step, high): (S<2>, S<2>, S<1>) = (b.s(), b.s(), b.s());
    b.load_arg(base, pointer);
    b.load_arg(step, stride);
    add_product(b, base, step.at(0), batch);
    b.s_mul_i32(high, step.at(1), batch);
    b.s_add_u32(base.at(1), base.at(1), high);
    base
}

/// Bytes between stored rows of elements of that many bits.
fn pitch(b: &mut KernelBuilder, ld: Arg, bits: u32) -> S<1> {
    let pitch: S<1> = b.s();
    b.load_arg(pitch, ld);
    match bits {
        8 => {}
        4 | 6 => {
            // Rows are whole blocks of scales, so this is exact.
            b.s_mul_i32(pitch, pitch, bits);
            b.s_lshr_b32(pitch, pitch, 3);
        }
        _ => _ = b.s_lshl_b32(pitch, pitch, (bits / 8).ilog2()),
    }
    pitch
}

fn operand(
    b: &mut KernelBuilder,
    args: &GemmArgs,
    p: &GemmParams,
    place: &Place,
    i: usize,
    limit: S<1>,
    k: S<1>,
) -> Tile {
    let base = base(b, [args.a, args.b][i], args.strides[i], place.batch);
    let pitch = pitch(b, args.ld[i], p.dtype.input_bits(i));
    Tile { base, pitch, first: place.first[i], limit, k }
}

fn scale(b: &mut KernelBuilder, args: &GemmArgs, place: &Place, i: usize, limit: S<1>, k: S<1>) -> Tile {
    let base = base(b, args.scales[i], args.scale_strides[i], place.batch);
    let pitch: S<1> = b.s();
    b.load_arg(pitch, args.scale_pitch);
    Tile { base, pitch, first: place.first[i], limit, k }
}

/// A wave's place in the tile.
pub(super) struct Wave {
    /// The wave's number, and the work-item's.
    pub number: S<1>,
    pub tid: V<1>,
    /// First row and column of the wave in the workgroup's tile.
    pub first: [S<1>; 2],
    /// The lane's row (or column) in a matrix operand, and its group.
    pub index: V<1>,
    pub group: V<1>,
}

impl Wave {
    fn new(b: &mut KernelBuilder, tid: V<1>, p: &GemmParams) -> Wave {
        let (number, wm, wn): (S<1>, S<1>, S<1>) = (b.s(), b.s(), b.s());
        let (lane, index, group): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
        b.v_lshrrev_b32(lane, 6, tid);
        b.v_readfirstlane_b32(number, lane);
        b.s_lshr_b32(wm, number, p.waves_n.ilog2());
        b.s_and_b32(wn, number, p.waves_n - 1);
        b.s_lshl_b32(wm, wm, (p.tile_m / p.waves_m).ilog2());
        b.s_lshl_b32(wn, wn, (p.tile_n / p.waves_n).ilog2());
        b.v_and_b32(lane, 63, tid);
        b.v_and_b32(index, p.mfma - 1, lane);
        b.v_lshrrev_b32(group, p.mfma.ilog2(), lane);
        Wave { number, tid, first: [wm, wn], index, group }
    }
}

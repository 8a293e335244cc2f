//! The kernel's body: a workgroup's tiles, one after the other.

use super::args::GemmArgs;
use super::arith::add_product;
use super::loader::Tile;
use super::plan::Plan;
use super::stages::Stages;
use super::work::{Place, Work};
use super::{GemmError, GemmParams, KERNEL, Order, epilogue, guard, hot, partial};
use wavesmith_asm::reg::{S, V};
use wavesmith_asm::{Build, Sku};
use wavesmith_emitter::kernarg::Arg;
use wavesmith_emitter::{Abi, Dim, Kernargs, Kernel, KernelBuilder};

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
    let tiles = [0, 1].map(|i: usize| {
        let tiles: S<1> = b.s();
        b.load_arg(tiles, args.tiles[i]);
        tiles
    });
    let whole: S<1> = b.s();
    b.load_arg(whole, args.whole_rounds);
    let wave = Wave::new(&mut b, tid, p);
    let mut stages = Stages::new(&mut b, p, plan, &wave, tid);
    // What does not go on to another tile sends for its own first.
    let aims_late = p.order == Order::Tiles;
    if !aims_late {
        stages.aim(&mut b, &wave, tid);
    }
    let work = Work::begin(&mut b, p, sku.xcds, &args, whole);

    let (top, skip) = (b.here("tile"), b.label("next"));
    work.arrive(&mut b);
    let sources = [0, 1].map(|i| Source::operand(&mut b, &args, i));
    let scales = [0, 1].map(|i| p.dtype.is_scaled().then(|| Source::scales(&mut b, &args, i)));
    let place = work.place(&mut b, p, tiles);
    let [first_k, left] = work.products(&mut b, k, plan.stage_k);
    stages.left = left;
    let limits = [m, n];
    let tiles = [0, 1].map(|i| sources[i].tile(&mut b, p.dtype.input_bits(i), &place, i, limits[i], first_k));
    // The pitch of scales is in bytes.
    let scales = [0, 1].map(|i| scales[i].as_ref().map(|s| s.tile(&mut b, 8, &place, i, limits[i], first_k)));
    // A part without products goes through a stage of zeros.
    stages.begin(&mut b, &tiles, &scales);
    stages.clear(&mut b);
    if aims_late {
        stages.aim(&mut b, &wave, tid);
    }
    hot::run(&mut b, &stages, wave.number)?;
    partial::share(&mut b, p, &partial::Shared { plan, args: &args, work: &work, wave: &wave, skip }, &stages)?;
    let c = Source::result(&mut b, &args);
    c.go_to(&mut b, p.output().bits(), place.batch);
    let partly = epilogue::emit(
        &mut b,
        &epilogue::Epilogue {
            params: p,
            plan,
            args: &args,
            results: &stages.results,
            c: c.base,
            pitch: c.pitch,
            first: place.first,
            limit: [m, n],
            wave: &wave,
        },
    );
    b.bind(skip);
    work.next(&mut b, top);
    b.bind(done);
    b.end();
    partly.emit(&mut b);
    let layout = b.kernargs().clone();
    Ok((b.finish()?, layout))
}

/// Where a matrix, or its scales, lies: what is loaded of it at once, so that one wait is for all.
struct Source {
    base: S<2>,
    stride: S<2>,
    /// Elements between stored rows, and once the tile is known, bytes.
    pitch: S<1>,
}

impl Source {
    fn load(b: &mut KernelBuilder, base: Arg, stride: Arg, pitch: Arg) -> Source {
        let source = Source { base: b.s(), stride: b.s(), pitch: b.s() };
        b.load_arg(source.base, base);
        b.load_arg(source.stride, stride);
        b.load_arg(source.pitch, pitch);
        source
    }

    fn operand(b: &mut KernelBuilder, args: &GemmArgs, i: usize) -> Source {
        Source::load(b, [args.a, args.b][i], args.strides[i], args.ld[i])
    }

    fn scales(b: &mut KernelBuilder, args: &GemmArgs, i: usize) -> Source {
        Source::load(b, args.scales[i], args.scale_strides[i], args.scale_pitch)
    }

    fn result(b: &mut KernelBuilder, args: &GemmArgs) -> Source {
        Source::load(b, args.c, args.strides[2], args.ld[2])
    }

    /// Goes to the matrix of a place in the batch, of elements of that many bits.
    fn go_to(&self, b: &mut KernelBuilder, bits: u32, batch: S<1>) {
        let high: S<1> = b.s();
        add_product(b, self.base, self.stride.at(0), batch);
        b.s_mul_i32(high, self.stride.at(1), batch);
        b.s_add_u32(self.base.at(1), self.base.at(1), high);
        match bits {
            8 => {}
            4 | 6 => {
                // Rows are whole dwords, so this is exact.
                b.s_mul_i32(self.pitch, self.pitch, bits);
                b.s_lshr_b32(self.pitch, self.pitch, 3);
            }
            _ => _ = b.s_lshl_b32(self.pitch, self.pitch, (bits / 8).ilog2()),
        }
    }

    fn tile(&self, b: &mut KernelBuilder, bits: u32, place: &Place, i: usize, limit: S<1>, k: S<1>) -> Tile {
        self.go_to(b, bits, place.batch);
        Tile { base: self.base, pitch: self.pitch, first: place.first[i], limit, k }
    }
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

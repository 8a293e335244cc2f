//! The kernel's body.

use super::args::GemmArgs;
use super::loader::{Loader, Source, add_product, lds_address, op};
use super::params::{GemmError, GemmParams, Plan, Schedule};
use super::{KERNEL, epilogue};
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{Reg, RegClass, S, V};
use wavesmith_asm::{Build, Operand, Target};
use wavesmith_emitter::{Abi, Dim, EmitError, Kernargs, Kernel, KernelBuilder, When};

/// Results above which they are kept in AGPRs, so that the VGPRs stay free for operands.
const MANY_RESULTS: u32 = 96;

/// What comes after a stage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Another whole stage.
    Whole,
    /// The partial stage.
    Rest,
    /// Nothing.
    Nothing,
}

/// Registers of the hot loop.
struct Loop {
    a: Loader,
    b: Loader,
    /// LDS addresses of a wave's operands by chunk step, of A and B.
    read: [Vec<V<1>>; 2],
    /// Operand registers of A and B, by buffer and matrix tile.
    operands: Vec<[Vec<V<4>>; 2]>,
    results: Vec<Vec<Reg>>,
    /// Products left, those of the stage in LDS or on its way included.
    left: S<1>,
    /// From this stage's LDS to the other's.
    delta: S<1>,
}

pub(super) fn emit(p: &GemmParams, plan: &Plan, target: Target) -> Result<(Kernel, Kernargs), GemmError> {
    let mut b = KernelBuilder::with_abi(KERNEL, target, Abi::default().workgroup_ids(Dim::Z));
    b.workgroup_size([p.threads(), 1, 1]);
    let args = GemmArgs::new(b.kernargs(), p.dtype);
    b.lds(2 * plan.stage, 128)?;

    let tid: V<1> = b.v();
    b.v_and_b32(tid, 0x3ff, b.workitem_id());
    let [m, n, k]: [S<1>; 3] = [b.s(), b.s(), b.s()];
    for (dst, arg) in [(m, args.m), (n, args.n), (k, args.k)] {
        b.load_arg(dst, arg);
    }
    let bases = bases(&mut b, &args);
    let (first_m, first_n): (S<1>, S<1>) = (b.s(), b.s());
    b.s_lshl_b32(first_m, b.workgroup_id(Dim::Y), p.tile_m.ilog2());
    b.s_lshl_b32(first_n, b.workgroup_id(Dim::X), p.tile_n.ilog2());
    let [pitch_a, pitch_b, pitch_c] = pitches(&mut b, &args, p);
    let wave = wave(&mut b, tid, p);
    let mut code = hot_loop(&mut b, p, plan, &wave, k, |tile, along, i| Source {
        tile,
        along,
        element: p.dtype.input_bytes(),
        load_bytes: p.load_bytes,
        threads: p.threads(),
        tid,
        base: bases[i],
        pitch: [pitch_a, pitch_b][i],
        first: [first_m, first_n][i],
        limit: [m, n][i],
    });

    let done = b.label("products_done");
    b.s_cmp_eq_u32(code.left, 0);
    b.branch_if(When::Scc1, done);
    run(&mut b, p, plan, &mut code)?;
    b.bind(done);
    epilogue::emit(
        &mut b,
        &epilogue::Epilogue {
            params: p,
            plan,
            args: &args,
            results: &code.results,
            c: bases[2],
            pitch: pitch_c,
            first: [first_m, first_n],
            limit: [m, n],
            wave: &wave,
        },
    );
    b.end();
    let layout = b.kernargs().clone();
    Ok((b.finish()?, layout))
}

/// A, B and C of this workgroup's place in the batch.
fn bases(b: &mut KernelBuilder, args: &GemmArgs) -> [S<2>; 3] {
    let mut of = |pointer, stride| {
        let (base, step): (S<2>, S<2>) = (b.s(), b.s());
        b.load_arg(base, pointer);
        b.load_arg(step, stride);
        let z = b.workgroup_id(Dim::Z);
        add_product(b, base, step.at(0), z);
        let high: S<1> = b.s();
        b.s_mul_i32(high, step.at(1), z);
        b.s_add_u32(base.at(1), base.at(1), high);
        base
    };
    let [sa, sb, sc] = args.strides;
    [of(args.a, sa), of(args.b, sb), of(args.c, sc)]
}

/// Bytes between stored rows of A, B and C.
fn pitches(b: &mut KernelBuilder, args: &GemmArgs, p: &GemmParams) -> [S<1>; 3] {
    let sizes = [p.dtype.input_bytes(), p.dtype.input_bytes(), p.dtype.output_bytes()];
    std::array::from_fn(|i| {
        let pitch: S<1> = b.s();
        b.load_arg(pitch, args.ld[i]);
        if sizes[i] > 1 {
            b.s_lshl_b32(pitch, pitch, sizes[i].ilog2());
        }
        pitch
    })
}

/// A wave's place in the tile.
pub(super) struct Wave {
    /// First row and column of the wave in the workgroup's tile.
    pub first: [S<1>; 2],
    /// The lane's row (or column) in a matrix operand, and its group.
    pub index: V<1>,
    pub group: V<1>,
}

fn wave(b: &mut KernelBuilder, tid: V<1>, p: &GemmParams) -> Wave {
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
    Wave { first: [wm, wn], index, group }
}

fn hot_loop(
    b: &mut KernelBuilder,
    p: &GemmParams,
    plan: &Plan,
    wave: &Wave,
    k: S<1>,
    source: impl Fn(wavesmith_emitter::tile::SharedTile, bool, usize) -> Source,
) -> Loop {
    let loader_a = Loader::new(b, &source(plan.a, !p.trans_a, 0));
    let loader_b = Loader::new(b, &source(plan.b, p.trans_b, 1));
    let steps = plan.a.chunks() / plan.op.groups();
    let mut read = [Vec::new(), Vec::new()];
    for (i, tile) in [plan.a, plan.b].iter().enumerate() {
        let row: V<1> = b.v();
        b.v_add_u32(row, wave.first[i], wave.index);
        for step in 0..steps {
            let chunk: V<1> = b.v();
            b.v_add_u32(chunk, step * plan.op.groups(), wave.group);
            read[i].push(lds_address(b, tile, row, chunk));
        }
    }
    let buffers = if steps > 1 && p.schedule != Schedule::Plain { 2 } else { 1 };
    let mut operand_row = |count: u32| (0..count).map(|_| b.v()).collect::<Vec<V<4>>>();
    let operands = (0..buffers).map(|_| [operand_row(plan.per_wave[0]), operand_row(plan.per_wave[1])]).collect();
    let registers = plan.op.output_registers();
    let count = plan.per_wave[0] * plan.per_wave[1] * u32::from(registers);
    let class = if plan.op.agpr_only || count > MANY_RESULTS { RegClass::A } else { RegClass::V };
    let results: Vec<Vec<Reg>> =
        (0..plan.per_wave[0]).map(|_| (0..plan.per_wave[1]).map(|_| b.run(class, registers)).collect()).collect();
    for r in results.iter().flatten() {
        for i in 0..u16::from(r.count) {
            let one = Reg { index: r.index + i, count: 1, ..*r };
            let name = if class == RegClass::A { "v_accvgpr_write_b32" } else { "v_mov_b32" };
            b.emit_by_name(name, &[op(one), Operand::Int(0)]);
        }
    }
    let (left, delta): (S<1>, S<1>) = (b.s(), b.s());
    b.s_mov_b32(left, k);
    b.s_mov_b32(delta, plan.stage);
    Loop { a: loader_a, b: loader_b, read, operands, results, left, delta }
}

/// All stages.
fn run(b: &mut KernelBuilder, p: &GemmParams, plan: &Plan, code: &mut Loop) -> Result<(), EmitError> {
    let stage_k = p.stage_bytes / p.dtype.input_bytes();
    b.s_cmp_ge_u32(code.left, stage_k);
    b.if_else(
        When::Scc1,
        |b| -> Result<(), EmitError> {
            code.a.load(b);
            code.b.load(b);
            Ok(())
        },
        |b| {
            code.a.load_rest(b, code.left);
            code.b.load_rest(b, code.left);
            Ok(())
        },
    )?;
    // While a whole stage follows the one in hand, the body is straight-line code.
    let rest = b.label("rest");
    b.s_cmp_lt_u32(code.left, 2 * stage_k);
    b.branch_if(When::Scc1, rest);
    b.do_while(When::Scc1, |b| -> Result<(), EmitError> {
        stage(b, p, plan, code, Next::Whole)?;
        b.s_sub_u32(code.left, code.left, stage_k);
        b.s_cmp_ge_u32(code.left, 2 * stage_k);
        Ok(())
    })?;
    b.bind(rest);
    b.s_cmp_gt_u32(code.left, stage_k);
    b.if_(When::Scc1, |b| -> Result<(), EmitError> {
        b.s_sub_u32(code.left, code.left, stage_k);
        stage(b, p, plan, code, Next::Rest)
    })?;
    stage(b, p, plan, code, Next::Nothing)
}

/// One stage: into LDS what was loaded, on its way what comes next, multiplied what is in LDS.
fn stage(b: &mut KernelBuilder, p: &GemmParams, plan: &Plan, code: &Loop, next: Next) -> Result<(), EmitError> {
    code.a.store(b)?;
    code.b.store(b)?;
    b.s_barrier();
    let loads = b.capture(|b| -> Result<(), EmitError> {
        if next != Next::Nothing {
            code.a.advance(b);
            code.b.advance(b);
        }
        match next {
            Next::Whole => {
                code.a.load(b);
                code.b.load(b);
            }
            Next::Rest => {
                code.a.load_rest(b, code.left);
                code.b.load_rest(b, code.left);
            }
            Next::Nothing => {}
        }
        Ok(())
    })?;
    let steps = code.read[0].len();
    let mut reads = Vec::new();
    let mut products = Vec::new();
    for step in 0..steps {
        let buffer = &code.operands[step % code.operands.len()];
        reads.push(b.capture(|b| -> Result<(), EmitError> {
            for (registers, addresses) in buffer.iter().zip(&code.read) {
                for (i, r) in registers.iter().enumerate() {
                    let offset = i as u32 * p.mfma * p.stage_bytes;
                    b.ds_read_b128(*r, addresses[step]).offset(offset as i32);
                }
            }
            Ok(())
        })?);
        products.push(b.capture(|b| multiply(b, plan, buffer, &code.results))?);
    }
    // Masked loads move EXEC, under which nothing else may run.
    let schedule = if next == Next::Rest { Schedule::Plain } else { p.schedule };
    match schedule {
        Schedule::Plain => {
            b.play(loads);
            for (read, product) in reads.into_iter().zip(products) {
                b.play(read);
                b.play(product);
            }
        }
        Schedule::Interleave { mfma_per_read, mfma_per_load } => {
            let mut reads = reads.into_iter();
            let mut loads = loads.split(steps).into_iter();
            b.play(reads.next().unwrap_or_default());
            for product in products {
                let beside = vec![
                    (reads.next().unwrap_or_default(), mfma_per_read),
                    (loads.next().unwrap_or_default(), mfma_per_load),
                ];
                b.weave(product, beside);
            }
        }
        Schedule::List => {
            let all = reads.into_iter().zip(products).fold(loads, |all, (r, m)| all.then(r).then(m));
            b.list_schedule(all);
        }
    }
    if next != Next::Nothing {
        for address in code.a.addresses().iter().chain(code.b.addresses()).chain(code.read.iter().flatten()) {
            b.v_add_u32(*address, code.delta, *address);
        }
        b.s_sub_u32(code.delta, 0, code.delta);
    }
    Ok(())
}

/// The products of one chunk step.
fn multiply(
    b: &mut KernelBuilder,
    plan: &Plan,
    [a, bs]: &[Vec<V<4>>; 2],
    results: &[Vec<Reg>],
) -> Result<(), EmitError> {
    let width = u16::from(plan.op.input_registers());
    for part in 0..4 / width {
        for (x, row) in a.iter().zip(results) {
            for (y, result) in bs.iter().zip(row) {
                let side = |r: &V<4>| op(plan.op.input_reg(Reg::v(r.0 + part * width, 4)));
                b.record(plan.op.mnemonic, &[op(*result), side(x), side(y), op(*result)]);
            }
        }
    }
    Ok(())
}

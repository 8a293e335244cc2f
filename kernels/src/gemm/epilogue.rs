//! From sums to C: factors, bias, activation, rounding, bounds.
//!
//! Where a lane has several columns side by side they are stored at once (`runs`), else one by one.

use super::args::GemmArgs;
use super::arith::add_product;
use super::emit::Wave;
use super::plan::Plan;
use super::runs::{Partly, Runs};
use super::{Activation, Dtype, GemmParams};
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{A, EXEC, Reg, RegClass, S, V, VCC};
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Operand, Target};
use wavesmith_emitter::KernelBuilder;

pub(super) struct Epilogue<'a> {
    pub params: &'a GemmParams,
    pub plan: &'a Plan,
    pub args: &'a GemmArgs,
    pub results: &'a [Vec<Reg>],
    pub c: S<2>,
    /// Bytes between rows of C.
    pub pitch: S<1>,
    pub first: [S<1>; 2],
    pub limit: [S<1>; 2],
    pub wave: &'a Wave,
}

/// Registers for one result, reused by all: they are written under a narrow EXEC, so in a loop over tiles each set lives
/// all around it.
struct Temporaries {
    sum: V<2>,
    old: V<2>,
    other: [V<1>; 2],
}

/// Scalars of the epilogue.
pub(super) struct Scalars {
    pub alpha: S<2>,
    beta: S<2>,
    /// All ones unless beta is 0: then what C holds is no number to multiply with.
    adds_old: S<2>,
    /// 0x7fff, for rounding to bf16.
    pub half: S<1>,
    sets: [Temporaries; 4],
}

/// Stores a tile. What is stored only in part stands apart, behind the end of the program.
pub(super) fn emit(b: &mut KernelBuilder, e: &Epilogue<'_>) -> Partly {
    let mut partly = Partly::default();
    let p = e.params;
    let wide = p.dtype == Dtype::F64;
    let sets = [(); 4].map(|()| Temporaries { sum: b.v(), old: b.v(), other: [b.v(), b.v()] });
    let scalars = Scalars { alpha: b.s(), beta: b.s(), adds_old: b.s(), half: b.s(), sets };
    for (dst, arg) in [(scalars.alpha, e.args.alpha), (scalars.beta, e.args.beta)] {
        if wide {
            b.load_arg(dst, arg);
        } else {
            b.load_arg(dst.at(0), arg);
        }
    }
    if p.extras.beta && p.dtype != Dtype::I8 {
        if wide {
            b.v_cmp_neq_f64(scalars.adds_old, scalars.beta, 0);
        } else {
            b.v_cmp_neq_f32(scalars.adds_old, scalars.beta.at(0), 0);
        }
    }
    b.s_movk_i32(scalars.half, 0x7fff);
    let size = p.output_bytes();
    let (row, column, base): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
    b.v_mov_b32(row, e.wave.first[0]);
    b.v_lshl_add_u32(row, e.wave.group, e.plan.op.group_rows().ilog2(), row);
    let side = &e.plan.sides[1];
    b.v_mov_b32(column, e.wave.first[1]);
    b.v_lshl_add_u32(column, e.wave.index, side.together.ilog2(), column);
    b.v_mul_lo_u32(base, row, e.pitch);
    b.v_lshl_add_u32(base, column, size.ilog2(), base);
    let (pointer, bytes): (S<2>, S<1>) = (b.s(), b.s());
    b.s_mov_b64(pointer, e.c);
    add_product(b, pointer, e.first[0], e.pitch);
    b.s_mov_b32(bytes, size);
    add_product(b, pointer, e.first[1], bytes);
    let left: [S<1>; 2] = [b.s(), b.s()];
    for (left, (limit, first)) in left.iter().zip(e.limit.into_iter().zip(e.first)) {
        b.s_sub_u32(*left, limit, first);
    }
    let bound: S<1> = b.s();
    let columns: Vec<S<2>> = (0..e.plan.per_wave[1])
        .map(|tn| {
            let mask = b.s();
            b.s_sub_u32(bound, left[1], side.column(p.mfma, tn));
            b.v_cmp_gt_i32(mask, bound, column);
            mask
        })
        .collect();
    let bias = p.extras.bias.then(|| load_bias(b, e, column, &columns));
    let rows: S<2> = b.s();
    let runs = (side.together > 1 && !p.extras.beta).then(|| Runs {
        masks: Runs::masks(b, e, column, &columns, left[1]),
        columns: &columns,
        bias: bias.as_deref(),
    });
    for tm in 0..e.plan.per_wave[0] {
        for i in 0..e.plan.op.outputs() {
            let down = tm * p.mfma + e.plan.op.output_row(i);
            let (offset, address): (S<1>, V<1>) = (b.s(), b.v());
            b.s_sub_u32(bound, left[0], down);
            b.v_cmp_gt_i32(rows, bound, row);
            b.s_mul_i32(offset, e.pitch, down);
            b.v_add_u32(address, offset, base);
            if let Some(runs) = &runs {
                let at = Place { address, pointer, offset: 0 };
                partly.0.extend(runs.store(b, e, &scalars, [tm, i], rows, &at));
                continue;
            }
            for tn in 0..e.plan.per_wave[1] {
                b.s_and_b64(EXEC, rows, columns[tn as usize]);
                let sum = e.results[tm as usize][tn as usize];
                let width = u16::from(e.plan.op.output_width());
                let part = Reg { index: sum.index + i as u16 * width, count: width as u8, ..sum };
                let at = Place { address, pointer, offset: (side.column(p.mfma, tn) * size) as i32 };
                let set = &scalars.sets[(i + tn) as usize % 4];
                store(b, p, &scalars, set, part, bias.as_ref().map(|v| v[tn as usize]), &at);
            }
            b.s_mov_b64(EXEC, -1);
        }
    }
    partly
}

/// The bias of each of a lane's columns; the mask keeps loads inside the vector.
fn load_bias(b: &mut KernelBuilder, e: &Epilogue<'_>, column: V<1>, columns: &[S<2>]) -> Vec<V<2>> {
    let size: u32 = if e.params.dtype == Dtype::F64 { 8 } else { 4 };
    let (vector, bytes, address): (S<2>, S<1>, V<1>) = (b.s(), b.s(), b.v());
    b.load_arg(vector, e.args.bias);
    b.s_mov_b32(bytes, size);
    add_product(b, vector, e.first[1], bytes);
    b.v_lshlrev_b32(address, size.ilog2(), column);
    let load = |b: &mut KernelBuilder, (tn, mask): (usize, &S<2>)| {
        // One register is enough for an f32.
        let value: V<2> = match size {
            8 => b.v(),
            _ => V(b.v::<1>().0),
        };
        // Runs are worked out in all lanes, and a value that only some lanes get would have to keep what the others held
        // through the next tile's products.
        b.v_mov_b32(value.at(0), 0);
        if size == 8 {
            b.v_mov_b32(value.at(1), 0);
        }
        b.s_mov_b64(EXEC, *mask);
        let offset = (e.plan.sides[1].column(e.params.mfma, tn as u32) * size) as i32;
        if size == 8 {
            b.global_load_dwordx2(value, address, vector).offset(offset);
        } else {
            b.global_load_dword(value.at(0), address, vector).offset(offset);
        }
        b.s_mov_b64(EXEC, -1);
        value
    };
    columns.iter().enumerate().map(|x| load(b, x)).collect()
}

/// The f32 rounded to bf16, which is its upper half: to nearest, ties to even, by half of the last place, less one, plus its
/// lowest bit. NaNs stay quiet NaNs.
pub(super) fn round_to_bf16(b: &mut KernelBuilder, s: &Scalars, x: V<1>, [rounded, quiet]: [V<1>; 2]) -> V<1> {
    b.v_bfe_u32(rounded, x, 16, 1);
    b.v_add3_u32(rounded, x, rounded, s.half);
    b.v_or_b32(quiet, 0x0040_0000, x);
    b.v_cmp_u_f32(VCC, x, x);
    b.emit_by_name("v_cndmask_b32", &[rounded.into(), rounded.into(), quiet.into(), Operand::Reg(VCC.reg())]);
    rounded
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub address: V<1>,
    pub pointer: S<2>,
    pub offset: i32,
}

/// A sum as VGPRs.
pub(super) fn sum_of<const N: usize>(b: &mut KernelBuilder, value: V<N>, r: Reg) -> V<N> {
    for i in 0..N as u16 {
        if r.class == RegClass::A {
            b.v_accvgpr_read_b32(value.at(i), A::<1>(r.index + i));
        } else {
            b.v_mov_b32(value.at(i), V::<1>(r.index + i));
        }
    }
    value
}

fn store(
    b: &mut KernelBuilder,
    p: &GemmParams,
    s: &Scalars,
    t: &Temporaries,
    part: Reg,
    bias: Option<V<2>>,
    at: &Place,
) {
    let relu = p.extras.activation == Activation::Relu;
    match p.dtype {
        Dtype::F64 => {
            let x: V<2> = sum_of(b, t.sum, part);
            b.v_mul_f64(x, s.alpha, x);
            if p.extras.beta {
                let old = t.old;
                b.global_load_dwordx2(old, at.address, at.pointer).offset(at.offset);
                for half in [old.at(0), old.at(1)] {
                    b.v_cndmask_b32(half, 0, half, s.adds_old);
                }
                b.v_fma_f64(x, s.beta, old, x);
            }
            if let Some(bias) = bias {
                b.v_add_f64(x, x, bias);
            }
            if relu {
                b.v_max_f64(x, x, 0);
            }
            b.global_store_dwordx2(at.address, x, at.pointer).offset(at.offset);
        }
        Dtype::I8 => {
            let x: V<1> = sum_of(b, t.sum.at(0), part);
            b.v_mul_lo_u32(x, s.alpha.at(0), x);
            if p.extras.beta {
                // Zero times anything is zero: integers need no mask.
                let old = t.old.at(0);
                b.global_load_dword(old, at.address, at.pointer).offset(at.offset);
                b.v_mul_lo_u32(old, s.beta.at(0), old);
                b.v_add_u32(x, old, x);
            }
            if let Some(bias) = bias {
                b.v_add_u32(x, bias.at(0), x);
            }
            if relu {
                b.v_max_i32(x, 0, x);
            }
            b.global_store_dword(at.address, x, at.pointer).offset(at.offset);
        }
        _ => {
            let x: V<1> = sum_of(b, t.sum.at(0), part);
            b.v_mul_f32(x, s.alpha.at(0), x);
            if p.extras.beta {
                let old = load_old(b, p.output(), t.old.at(0), at);
                b.v_cndmask_b32(old, 0, old, s.adds_old);
                b.v_fma_f32(x, s.beta.at(0), old, x);
            }
            if let Some(bias) = bias {
                b.v_add_f32(x, bias.at(0), x);
            }
            activate(b, p.extras.activation, t.other[0], x);
            store_float(b, p.output(), s, t, x, at);
        }
    }
}

/// The activation of an f32.
pub(super) fn activate(b: &mut KernelBuilder, activation: Activation, y: V<1>, x: V<1>) {
    /// log2(e), and the coefficients of [`Activation::Gelu`]'s argument.
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    const LINEAR: f32 = 1.595_769_2;
    const CUBIC: f32 = 0.071_354_82;
    match activation {
        Activation::None => {}
        Activation::Relu => _ = b.v_max_f32(x, 0, x),
        Activation::Silu | Activation::Sigmoid | Activation::Gelu => {
            if activation == Activation::Gelu {
                b.v_mul_f32(y, x, x);
                b.v_mul_f32(y, CUBIC, y);
                b.v_add_f32(y, LINEAR, y);
                b.v_mul_f32(y, x, y);
                b.v_mul_f32(y, -LOG2_E, y);
            } else {
                b.v_mul_f32(y, -LOG2_E, x);
            }
            b.v_exp_f32(y, y);
            b.v_add_f32(y, 1.0, y);
            b.v_rcp_f32(y, y);
            if activation == Activation::Sigmoid {
                b.v_mov_b32(x, y);
            } else {
                b.v_mul_f32(x, x, y);
            }
        }
    }
}

/// What C holds, as f32.
fn load_old(b: &mut KernelBuilder, elem: Elem, old: V<1>, at: &Place) -> V<1> {
    match elem {
        Elem::F16 => {
            b.global_load_ushort(old, at.address, at.pointer).offset(at.offset);
            b.v_cvt_f32_f16(old, old);
        }
        Elem::Bf16 => {
            b.global_load_ushort(old, at.address, at.pointer).offset(at.offset);
            b.v_lshlrev_b32(old, 16, old);
        }
        _ => {
            b.global_load_dword(old, at.address, at.pointer).offset(at.offset);
        }
    }
    old
}

fn store_float(b: &mut KernelBuilder, elem: Elem, s: &Scalars, t: &Temporaries, x: V<1>, at: &Place) {
    match elem {
        Elem::F16 => {
            b.v_cvt_f16_f32(x, x);
            b.global_store_short(at.address, x, at.pointer).offset(at.offset);
        }
        Elem::Bf16 if b.target() == Target::Gfx950 => {
            b.v_cvt_pk_bf16_f32(x, x, x);
            b.global_store_short(at.address, x, at.pointer).offset(at.offset);
        }
        Elem::Bf16 => {
            let rounded = round_to_bf16(b, s, x, t.other);
            b.global_store_short_d16_hi(at.address, rounded, at.pointer).offset(at.offset);
        }
        _ => {
            b.global_store_dword(at.address, x, at.pointer).offset(at.offset);
        }
    }
}

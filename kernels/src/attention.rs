//! Attention, forwards: `O = softmax(scale · Q · Kᵀ) · V` head by head, without ever storing the scores.
//!
//! A wave takes 16 queries and goes through the keys 32 at a time. Scores are computed transposed, `K · Qᵀ`: a lane then has
//! scores of one query only, so that their maximum and sum are found in its own registers but for two exchanges with the
//! lanes 16 and 32 away, and the probabilities are nearly in place as the second operand of `Vᵀ · Pᵀ`. What was summed
//! below a smaller maximum is scaled down as larger ones turn up.
//!
//! - Arguments: [`AttentionArgs`]; Q, K, V and O are `[head][row][head_dim]`. Launch: [`AttentionParams::grid`].
//! - LDS: none. Registers: those of Q, of 32 keys and values, and of the output.
//! - Targets: all; bf16 from gfx90a on.
//! - Reference: attention in f64, within a bound that follows from the roundings (`verify/tests/rows.rs`).

use crate::gemm::elem;
use std::f32::consts::LOG2_E;
use wavesmith_asm::reg::{S, V, VCC};
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Sku};
use wavesmith_emitter::kernarg::{Arg, Pointer};
use wavesmith_emitter::tile::{GlobalTile, MatrixOp, Reduce, RegTile};
use wavesmith_emitter::{Abi, Dim, EmitError, Kernargs, Kernel, KernelBuilder, When};

/// The kernel's name in its code object.
pub const KERNEL: &str = "attention";

/// Queries of a wave, keys it takes at a time, and waves of a workgroup.
const QUERIES: u32 = 16;
const KEYS: u32 = 32;
const WAVES: u32 = 4;
/// Elements of a row that a lane loads at once: 16 bytes.
const RUN: u32 = 8;
/// Bits of a number of rows: of the longest, 256 bytes, as many are 2 GB.
const ROW_BITS: u32 = 23;

/// An attention's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Kernargs)]
#[kernargs(places = AttentionPlaces)]
pub struct AttentionArgs {
    /// Queries.
    pub q: Pointer,
    /// Keys.
    pub k: Pointer,
    /// Values.
    pub v: Pointer,
    /// Where the output goes.
    pub o: Pointer,
    /// Queries of a head.
    pub queries: u32,
    /// Keys and values of a head; with `causal`, query `i` sees keys up to `i`.
    pub keys: u32,
    /// Factor of the scores, mostly `1 / √head_dim`.
    pub scale: f32,
}

/// An attention's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttentionParams {
    /// Elements of a row: 32, 64, 96 or 128.
    pub head_dim: u32,
    /// Whether queries see only the keys up to their own number.
    pub causal: bool,
    /// f16 or bf16: the type of everything in memory. Sums are f32.
    pub elem: Elem,
}

/// Why there is no such attention.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AttentionError {
    /// A parameter is out of range.
    #[error("{name} = {value}: accepted are {accepted}")]
    Parameter {
        /// Its name.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        accepted: &'static str,
    },
    /// It cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

impl AttentionParams {
    /// Workgroups along x and y.
    pub fn grid(&self, queries: u32, heads: u32) -> [u32; 3] {
        [queries.div_ceil(QUERIES * WAVES), heads, 1]
    }

    /// Work-items of a workgroup.
    pub const fn workgroup_size(&self) -> u32 {
        64 * WAVES
    }
}

/// Generates the kernel for a part.
///
/// # Errors
/// [`AttentionError`] says which parameter does not fit and what would.
pub fn attention(p: &AttentionParams, sku: &Sku) -> Result<Kernel, AttentionError> {
    if !matches!(p.head_dim, 32 | 64 | 96 | 128) {
        let value = p.head_dim.to_string();
        return Err(AttentionError::Parameter { name: "head_dim", value, accepted: "32, 64, 96 and 128" });
    }
    let op = MatrixOp::find(sku.target, [p.elem; 2], Elem::F32, QUERIES, false, KEYS)
        .filter(|op| matches!(p.elem, Elem::F16 | Elem::Bf16) && op.per_lane() >= 4)
        .ok_or_else(|| AttentionError::Parameter {
            name: "dtype",
            value: elem(p.elem),
            accepted: "f16, and bf16 from gfx90a on",
        })?;
    let mut b = KernelBuilder::with_abi(KERNEL, sku.target, Abi::default().workgroup_ids(Dim::Y));
    b.workgroup_size([64 * WAVES, 1, 1]);
    let at = AttentionArgs::places(b.kernargs());
    let [queries, keys, scale, first]: [S<1>; 4] = [b.s(), b.s(), b.s(), b.s()];
    for (dst, argument) in [(queries, at.queries), (keys, at.keys), (scale, at.scale)] {
        b.load_arg(dst, argument);
    }
    let (rows, wrong): (S<1>, S<1>) = (b.s(), b.s());
    b.s_max_u32(rows, queries, keys);
    b.s_lshr_b32(wrong, rows, ROW_BITS);
    let message = format!("queries and keys must be below 2^{ROW_BITS}: a head's rows are less than 2 GB");
    b.refuse_unless_zero(vec![(wrong, message)]);
    let factor: V<1> = b.v();
    b.v_mov_b32(factor, LOG2_E);
    b.v_mul_f32(factor, scale, factor);

    b.comment("first = (workgroup * 4 + wave) * 16");
    let (wave, of_group): (V<1>, S<1>) = (b.v(), b.s());
    b.v_bfe_u32(wave, b.workitem_id(), 6, 4);
    b.v_readfirstlane_b32(first, wave);
    b.s_lshl_b32(of_group, b.workgroup_id(Dim::X), WAVES.ilog2());
    b.s_add_u32(first, first, of_group);
    b.s_lshl_b32(first, first, QUERIES.ilog2());
    let end = b.label("done");
    b.s_cmp_ge_u32(first, queries);
    b.branch_if(When::Scc1, end);

    let [q, k, v, out] = [(at.q, queries), (at.k, keys), (at.v, keys), (at.o, queries)]
        .map(|(argument, rows)| head(&mut b, p, argument, rows));
    let zero: S<1> = b.s();
    b.s_mov_b32(zero, 0);
    let query = RegTile::operand(&mut b, &op, 1, [QUERIES, p.head_dim], RUN);
    q.load(&mut b, &query, [first, zero]);
    let output = RegTile::result(&mut b, &op, [p.head_dim, QUERIES]);
    output.clear(&mut b);
    let [largest, sum]: [V<1>; 2] = [b.v(), b.v()];
    b.v_mov_b32(largest, f32::MIN);
    b.v_mov_b32(sum, 0);

    b.comment("the first key that none of these queries sees");
    let (seen, key): (S<1>, S<1>) = (b.s(), b.s());
    b.s_mov_b32(seen, keys);
    if p.causal {
        b.s_add_u32(seen, first, QUERIES);
        b.s_min_u32(seen, seen, keys);
    }
    b.s_mov_b32(key, 0);
    let scored = b.label("scored");
    b.s_cmp_eq_u32(seen, 0);
    b.branch_if(When::Scc1, scored);
    b.do_while(When::Scc1, |b| -> Result<(), EmitError> {
        let some_keys = RegTile::operand(b, &op, 0, [KEYS, p.head_dim], RUN);
        let values = RegTile::operand(b, &op, 0, [p.head_dim, KEYS], op.per_lane());
        k.load(b, &some_keys, [key, zero]);
        v.load_transposed(b, &values, [key, zero]);
        let scores = RegTile::result(b, &op, [KEYS, QUERIES]);
        scores.clear(b);
        scores.multiply_add(b, &some_keys, &query);

        b.comment("scores in powers of two; what a query does not see is as low as can be");
        let (limit, lowest): (V<1>, V<1>) = (visible(b, p, &scores, first, key, keys), b.v());
        b.v_mov_b32(lowest, f32::MIN);
        scores.map_at(b, |b, x, row, _| {
            b.v_mul_f32(x, factor, x);
            b.v_cmp_lt_i32(VCC, row as i32, limit);
            b.v_cndmask_b32(x, lowest, x, VCC);
        });
        let top = scores.reduce_columns(b, Reduce::Max)[0];
        b.v_max_f32(top, top, largest);
        scores.map(b, |b, x| {
            b.v_sub_f32(x, x, top);
            b.v_exp_f32(x, x);
        });
        let less: V<1> = b.v();
        b.v_sub_f32(less, largest, top);
        b.v_exp_f32(less, less);
        b.v_mov_b32(largest, top);
        let added = scores.reduce_columns(b, Reduce::Sum)[0];
        b.v_fma_f32(sum, sum, less, added);
        output.map_columns(b, &[less], |b, x, less| _ = b.v_mul_f32(x, x, less));
        let probabilities = scores.to_operand(b, 1);
        output.multiply_add(b, &values, &probabilities);
        b.s_add_u32(key, key, KEYS);
        b.s_cmp_lt_u32(key, seen);
        Ok(())
    })?;
    b.bind(scored);
    b.v_rcp_f32(sum, sum);
    output.map_columns(&mut b, &[sum], |b, x, share| _ = b.v_mul_f32(x, x, share));
    out.store_transposed(&mut b, &output, [first, zero]);
    b.bind(end);
    b.end();
    Ok(b.finish()?)
}

/// A head's rows of one of the matrices.
fn head(b: &mut KernelBuilder, p: &AttentionParams, argument: Arg, rows: S<1>) -> GlobalTile {
    let (base, columns, pitch): (S<2>, S<1>, S<1>) = (b.s(), b.s(), b.s());
    let [bytes, low, high]: [S<1>; 3] = [b.s(), b.s(), b.s()];
    let head = b.workgroup_id(Dim::Y);
    b.load_arg(base, argument);
    b.s_mov_b32(columns, p.head_dim);
    b.s_mov_b32(pitch, 2 * p.head_dim);
    b.s_mul_i32(bytes, rows, pitch);
    b.s_mul_i32(low, bytes, head);
    b.s_mul_hi_u32(high, bytes, head);
    b.s_add_u32(base.at(0), base.at(0), low);
    b.s_addc_u32(base.at(1), base.at(1), high);
    GlobalTile::new(b, base, p.elem, [rows, columns], pitch)
}

/// How many rows of the scores (keys), counted from a lane's first, its query sees.
fn visible(b: &mut KernelBuilder, p: &AttentionParams, scores: &RegTile, first: S<1>, key: S<1>, keys: S<1>) -> V<1> {
    let limit: V<1> = b.v();
    b.v_mov_b32(limit, keys);
    if p.causal {
        let query = scores.lane_column(b);
        b.v_add_u32(query, first, query);
        b.v_add_u32(query, 1, query);
        b.v_min_u32(limit, limit, query);
    }
    let row = scores.lane_row(b);
    b.v_add_u32(row, key, row);
    b.v_sub_u32(limit, limit, row);
    limit
}

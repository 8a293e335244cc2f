//! Softmax over the rows of a matrix: `y[i][j] = exp(x[i][j]) / Σ exp(x[i][..])`, in f32.
//!
//! A wave takes a row, whatever its length. It goes through it twice: once to find the largest element and the sum of what
//! lies below it, kept up to date lane by lane and put together at the end; once to write. Reads beyond the row are told
//! by the lane's column, writes there are the buffer resource's business.
//!
//! - Arguments: [`SoftmaxArgs`]. Launch: four rows a workgroup of 256 work-items.
//! - LDS: none. Registers: a few.
//! - Reference: the sum in f64, within a bound that follows from the instructions' errors (`verify/tests/rows.rs`).

use std::f32::consts::LOG2_E;
use wavesmith_asm::Build;
use wavesmith_asm::Sku;
use wavesmith_asm::reg::{S, V, VCC};
use wavesmith_emitter::kernarg::Pointer;
use wavesmith_emitter::tile::Reduce;
use wavesmith_emitter::{Abi, Dim, EmitError, Kernargs, Kernel, KernelBuilder, When};

/// The kernel's name in its code object.
pub const KERNEL: &str = "softmax";

/// Rows of a workgroup, a wave for each.
pub const ROWS: u32 = 4;
/// Bits of a number of columns.
const COLUMN_BITS: u32 = 29;

/// A softmax's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Kernargs)]
#[kernargs(places = SoftmaxPlaces)]
pub struct SoftmaxArgs {
    /// The rows, side by side.
    pub x: Pointer,
    /// Where the results go; may be `x`.
    pub y: Pointer,
    /// Rows.
    pub rows: u32,
    /// Elements of a row.
    pub columns: u32,
}

/// Generates the kernel for a part.
///
/// # Errors
/// [`EmitError`] where it cannot be emitted.
pub fn softmax(sku: &Sku) -> Result<Kernel, EmitError> {
    let mut b = KernelBuilder::with_abi(KERNEL, sku.target, Abi::default().workgroup_ids(Dim::X));
    b.workgroup_size([64 * ROWS, 1, 1]);
    let at = SoftmaxArgs::places(b.kernargs());
    let [rows, columns, row, pitch]: [S<1>; 4] = [b.s(), b.s(), b.s(), b.s()];
    b.load_arg(rows, at.rows);
    b.load_arg(columns, at.columns);

    let wrong: S<1> = b.s();
    b.s_lshr_b32(wrong, columns, COLUMN_BITS);
    b.refuse_unless_zero(vec![(wrong, format!("columns must be below 2^{COLUMN_BITS}: a row is less than 2 GB"))]);

    b.comment("row = workgroup * 4 + wave");
    let (wave, lane): (V<1>, V<1>) = (b.v(), b.lane_id());
    b.v_bfe_u32(wave, b.workitem_id(), 6, 4);
    b.v_readfirstlane_b32(row, wave);
    let first: S<1> = b.s();
    b.s_lshl_b32(first, b.workgroup_id(Dim::X), ROWS.ilog2());
    b.s_add_u32(row, row, first);
    b.s_lshl_b32(pitch, columns, 2);
    let end = b.label("done");
    b.s_cmp_ge_u32(row, rows);
    b.branch_if(When::Scc1, end);
    b.s_cmp_eq_u32(columns, 0);
    b.branch_if(When::Scc1, end);

    let [from, to] = [at.x, at.y].map(|argument| {
        let (base, low, high): (S<2>, S<1>, S<1>) = (b.s(), b.s(), b.s());
        b.load_arg(base, argument);
        b.s_mul_i32(low, row, pitch);
        b.s_mul_hi_u32(high, row, pitch);
        b.s_add_u32(base.at(0), base.at(0), low);
        b.s_addc_u32(base.at(1), base.at(1), high);
        b.buffer_resource(base, pitch)
    });
    let [largest, sum]: [V<1>; 2] = [b.v(), b.v()];
    // The lowest number instead of −∞, so that differences are numbers.
    b.v_mov_b32(largest, f32::MIN);
    b.v_mov_b32(sum, 0);
    each(&mut b, lane, columns, |b, column| {
        let (x, new, kept, added): (V<1>, V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v(), b.v());
        load(b, x, column, columns, from);
        b.v_max_f32(new, largest, x);
        power(b, kept, largest, new);
        power(b, added, x, new);
        b.v_cndmask_b32(added, 0, added, VCC);
        b.v_fma_f32(sum, sum, kept, added);
        b.v_mov_b32(largest, new);
    })?;

    b.comment("the lanes' sums, each below its own largest element, are put below the row's");
    let mine: V<1> = b.v();
    b.v_mov_b32(mine, largest);
    b.reduce_lanes(largest, Reduce::Max, 1, 64);
    let share: V<1> = b.v();
    power(&mut b, share, mine, largest);
    b.v_mul_f32(sum, sum, share);
    b.reduce_lanes(sum, Reduce::Sum, 1, 64);
    b.v_rcp_f32(sum, sum);
    each(&mut b, lane, columns, |b, column| {
        let (x, offset): (V<1>, V<1>) = (b.v(), b.v());
        load(b, x, column, columns, from);
        power(b, x, x, largest);
        b.v_mul_f32(x, x, sum);
        b.v_lshlrev_b32(offset, 2, column);
        b.buffer_store_dword(x, offset, to, 0).offen();
    })?;
    b.bind(end);
    b.end();
    b.finish()
}

/// Runs `body` for every 64 columns of the row with the lane's own.
fn each(
    b: &mut KernelBuilder,
    lane: V<1>,
    columns: S<1>,
    body: impl FnOnce(&mut KernelBuilder, V<1>),
) -> Result<(), EmitError> {
    let (rounds, column): (S<1>, V<1>) = (b.s(), b.v());
    b.s_add_u32(rounds, columns, 63);
    b.s_lshr_b32(rounds, rounds, 6);
    b.v_mov_b32(column, lane);
    b.count_down(rounds, |b| {
        body(b, column);
        b.v_add_u32(column, 64, column);
        Ok(())
    })
}

/// An element of the row, the lowest number beyond it; VCC says who has one.
fn load(b: &mut KernelBuilder, x: V<1>, column: V<1>, columns: S<1>, from: S<4>) {
    let (offset, lowest): (V<1>, V<1>) = (b.v(), b.v());
    b.v_lshlrev_b32(offset, 2, column);
    b.buffer_load_dword(x, offset, from, 0).offen();
    b.v_mov_b32(lowest, f32::MIN);
    b.v_cmp_gt_u32(VCC, columns, column);
    b.v_cndmask_b32(x, lowest, x, VCC);
}

/// `d = exp(x − y)`.
fn power(b: &mut KernelBuilder, d: V<1>, x: V<1>, y: V<1>) {
    b.v_sub_f32(d, x, y);
    b.v_mul_f32(d, LOG2_E, d);
    b.v_exp_f32(d, d);
}

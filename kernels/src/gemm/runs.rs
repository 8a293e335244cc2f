//! Rows of C as a lane has them: several columns side by side, up to 16 bytes, stored at once.
//!
//! Lanes of which only some columns lie inside C, and all of them where rows do not begin at whole dwords, store column by
//! column. Mostly there are none; what does it stands behind the end of the program, where nobody runs into it.

use super::epilogue::{Epilogue, Place, Scalars, activate, round_to_bf16, sum_of};
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{EXEC, Reg, RegClass, S, V};
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Target};
use wavesmith_emitter::{KernelBuilder, Label, When};

/// Columns that are stored at once.
pub(super) struct Runs<'a> {
    /// By run: the lanes all of whose columns lie inside, and those that have others that do.
    pub masks: Vec<[S<2>; 2]>,
    pub columns: &'a [S<2>],
    pub bias: Option<&'a [V<2>]>,
}

impl Runs<'_> {
    pub(super) fn masks(
        b: &mut KernelBuilder,
        e: &Epilogue<'_>,
        column: V<1>,
        columns: &[S<2>],
        left: S<1>,
    ) -> Vec<[S<2>; 2]> {
        let (side, mfma) = (&e.plan.sides[1], e.params.mfma);
        let (bound, aligned): (S<1>, S<2>) = (b.s(), b.s());
        b.s_or_b32(bound, e.c.at(0), e.pitch);
        b.s_and_b32(bound, bound, 3);
        b.s_cselect_b64(aligned, 0, -1);
        let mask = |b: &mut KernelBuilder, first: usize| {
            let masks: [S<2>; 2] = [b.s(), b.s()];
            b.s_sub_u32(bound, left, side.column(mfma, first as u32) + side.together - 1);
            b.v_cmp_gt_i32(masks[0], bound, column);
            b.s_and_b64(masks[0], masks[0], aligned);
            b.s_andn2_b64(masks[1], columns[first], masks[0]);
            masks
        };
        (0..columns.len()).step_by(side.together as usize).map(|first| mask(b, first)).collect()
    }

    /// Stores a row of results, to the columns that `at` is the first of; and says what is stored of it only in part.
    pub(super) fn store(
        &self,
        b: &mut KernelBuilder,
        e: &Epilogue<'_>,
        s: &Scalars,
        [tm, i]: [u32; 2],
        rows: S<2>,
        at: &Place,
    ) -> Vec<Part> {
        let mut partly = Vec::new();
        let (p, side, elem) = (e.params, &e.plan.sides[1], e.params.output());
        let size = p.output_bytes();
        let part: S<2> = b.s();
        for (run, masks) in self.masks.iter().enumerate() {
            let tiles = run as u32 * side.together..(run as u32 + 1) * side.together;
            let data = b.run(RegClass::V, (side.together * size / 4) as u8);
            for tn in tiles.clone() {
                let sum = e.results[tm as usize][tn as usize];
                let n = tn % side.together;
                let (to, high) = (V(data.index + (n * size / 4) as u16), n * size % 4 != 0);
                // The lower of two halves begins where it ends.
                let x: V<1> = if high { b.v() } else { to };
                sum_of(b, x, Reg { index: sum.index + i as u16, count: 1, ..sum });
                b.v_mul_f32(x, s.alpha.at(0), x);
                if let Some(bias) = self.bias {
                    b.v_add_f32(x, bias[tn as usize].at(0), x);
                }
                let other: V<1> = b.v();
                activate(b, p.extras.activation, other, x);
                place(b, elem, s, to, x, high);
            }
            let offset = (side.column(p.mfma, tiles.start) * size) as i32;
            b.s_and_b64(EXEC, rows, masks[0]);
            match data.count {
                4 => b.global_store_dwordx4(at.address, V::<4>(data.index), at.pointer).offset(offset),
                2 => b.global_store_dwordx2(at.address, V::<2>(data.index), at.pointer).offset(offset),
                _ => b.global_store_dword(at.address, V::<1>(data.index), at.pointer).offset(offset),
            };
            let (enter, back) = (b.label("partly"), b.label("stored"));
            b.s_and_b64(part, rows, masks[1]);
            b.branch_if(When::Scc1, enter);
            b.bind(back);
            b.s_mov_b64(EXEC, -1);
            let at = Place { offset, ..*at };
            let columns = self.columns[tiles.start as usize..tiles.end as usize].to_vec();
            partly.push(Part { enter, back, size, data, lanes: part, columns, at });
        }
        partly
    }
}

/// What is stored only in part, run by run.
#[derive(Default)]
pub(super) struct Partly(pub Vec<Part>);

/// A run of which some lanes store some columns.
pub(super) struct Part {
    /// Where one comes from the run and goes back to it.
    enter: Label,
    back: Label,
    /// Bytes of an element.
    size: u32,
    data: Reg,
    lanes: S<2>,
    /// By column, the lanes that have it.
    columns: Vec<S<2>>,
    at: Place,
}

impl Partly {
    /// Emits it, where nothing runs into it.
    pub(super) fn emit(self, b: &mut KernelBuilder) {
        for part in self.0 {
            b.bind(part.enter);
            for (n, column) in (0..).zip(&part.columns) {
                let bytes = n * part.size;
                let x: V<1> = V(part.data.index + (bytes / 4) as u16);
                let (address, pointer, offset) = (part.at.address, part.at.pointer, part.at.offset + bytes as i32);
                b.s_and_b64(EXEC, part.lanes, *column);
                match (part.size, n % 2) {
                    (2, 0) => b.global_store_short(address, x, pointer).offset(offset),
                    (2, _) => b.global_store_short_d16_hi(address, x, pointer).offset(offset),
                    _ => b.global_store_dword(address, x, pointer).offset(offset),
                };
            }
            b.branch(part.back);
        }
    }
}

/// Puts an f32, rounded to an element of C, into a register of those to be stored; `high` is the upper half, which comes after
/// the lower one. What is no upper half is in that register as it is.
fn place(b: &mut KernelBuilder, elem: Elem, s: &Scalars, to: V<1>, x: V<1>, high: bool) {
    match elem {
        Elem::F16 if high => {
            b.v_cvt_f16_f32(x, x);
            b.v_pack_b32_f16(to, to, x);
        }
        Elem::F16 => _ = b.v_cvt_f16_f32(to, x),
        // The lower half is still the f32 that it was.
        Elem::Bf16 if b.target() == Target::Gfx950 && high => _ = b.v_cvt_pk_bf16_f32(to, to, x),
        Elem::Bf16 if b.target() != Target::Gfx950 => {
            let other = [b.v(), b.v()];
            let rounded = round_to_bf16(b, s, x, other);
            if high {
                b.v_and_b32(rounded, 0xffff_0000u32 as i32, rounded);
                b.v_or_b32(to, to, rounded);
            } else {
                b.v_lshrrev_b32(to, 16, rounded);
            }
        }
        // It is there already.
        _ => {}
    }
}

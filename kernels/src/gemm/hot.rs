//! The hot loop: stages of K, one after the other.
//!
//! Whole stages run in a loop of straight-line code; the last ones, where what is loaded lies beyond K in part or
//! altogether, run in another with masked loads. Here stands what a stage is made of; the order is the schedule's.

use super::order::Parts;
use super::stages::{Half, Operands, Stages};
use wavesmith_asm::Build;
use wavesmith_asm::reg::{Reg, S, V};
use wavesmith_emitter::{EmitError, KernelBuilder, When};

/// All stages of a tile.
pub(super) fn run(b: &mut KernelBuilder, s: &Stages<'_>, wave: S<1>) -> Result<(), EmitError> {
    let stage_k = s.plan.stage_k;
    let whole = (s.ahead() + s.unroll()) * stage_k;
    let rest = b.label("rest");
    s.enter(b, wave)?;
    b.s_cmp_lt_u32(s.left, whole);
    b.branch_if(When::Scc1, rest);
    b.do_while(When::Scc1, |b| -> Result<(), EmitError> {
        (0..s.unroll()).try_for_each(|turn| stage(b, s, turn, true))?;
        b.s_cmp_ge_u32(s.left, whole);
        Ok(())
    })?;
    b.bind(rest);
    b.do_while(When::Scc1, |b| -> Result<(), EmitError> {
        (0..s.unroll()).try_for_each(|turn| stage(b, s, turn, false))?;
        b.s_cmp_gt_i32(s.left, 0);
        Ok(())
    })?;
    s.leave(b, wave)
}

/// One stage: waits for it, sends for another, reads it and multiplies.
fn stage(b: &mut KernelBuilder, s: &Stages<'_>, turn: u32, whole: bool) -> Result<(), EmitError> {
    let mut loads = |half: Half| {
        b.capture(|b| -> Result<(), EmitError> {
            let rest: Option<S<1>> = (!whole).then(|| b.s());
            if let Some(rest) = rest {
                b.s_sub_u32(rest, s.left, s.ahead() * s.plan.stage_k);
            }
            s.load_half(b, half, rest);
            if half == Half::Late && s.p.schedule.is_rotated() {
                s.next_turn(b);
            }
            Ok(())
        })
    };
    let (early, loads) = (loads(Half::Early)?, loads(Half::Late)?);
    let (mut reads, mut products) = (Vec::new(), Vec::new());
    for step in 0..s.plan.steps {
        let [from, to] = s.operands(turn, step);
        reads.push(b.capture(|b| read(b, s, to, step))?);
        products.push(b.capture(|b| multiply(b, s, from))?);
    }
    s.issue(b, Parts { early, loads, reads, products }, whole)?;
    b.s_sub_u32(s.left, s.left, s.plan.stage_k);
    Ok(())
}

/// Reads the operands of one step from LDS.
pub(super) fn read(b: &mut KernelBuilder, s: &Stages<'_>, to: &Operands, step: u32) -> Result<(), EmitError> {
    for (i, side) in s.plan.sides.iter().enumerate() {
        for (block, r) in to.scales[i].iter().enumerate() {
            if let Some(address) = s.scale_read[i] {
                b.ds_read_b32(*r, address).offset(256 * (block as u32 * s.plan.steps + step) as i32);
            }
        }
        for (tile, r) in to.matrices[i].iter().enumerate() {
            for h in 0..side.chunks {
                let address = s.read[i][(step * side.chunks + h) as usize];
                let part: V<4> = V(r.index + 4 * h as u16);
                b.ds_read_b128(part, address).offset((tile as u32 * s.p.mfma * side.tile.row_bytes) as i32);
            }
        }
    }
    Ok(())
}

/// The products of one step.
fn multiply(b: &mut KernelBuilder, s: &Stages<'_>, from: &Operands) -> Result<(), EmitError> {
    let op = &s.plan.op;
    let part = |r: &Reg, side: usize, n: u16| {
        let count = op.input_registers(side);
        Reg { index: r.index + n * u16::from(count), count, ..*r }
    };
    for n in 0..s.plan.parts() {
        for (x, (a, row)) in from.matrices[0].iter().zip(&s.results).enumerate() {
            for (y, (c, result)) in from.matrices[1].iter().zip(row).enumerate() {
                let scale = |side: usize, tile: usize| (from.scales[side][tile / 4], tile as u32 % 4);
                let scales = op.scaled.then(|| [scale(0, x), scale(1, y)]);
                op.multiply(b, *result, [part(a, 0, n), part(c, 1, n)], scales);
            }
        }
    }
    Ok(())
}

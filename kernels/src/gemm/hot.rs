//! The hot loop: stages of K, one after the other.
//!
//! Whole stages run in a loop of straight-line code; the last ones, where what is loaded lies beyond K in part or
//! altogether, run in another with masked loads. The order within a stage is the schedule's.

use super::Schedule;
use super::stages::{Operands, Stages};
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{Reg, S, V};
use wavesmith_asm::{Build, Field, Operand};
use wavesmith_emitter::{EmitError, KernelBuilder, When};

/// All stages of a tile.
pub(super) fn run(b: &mut KernelBuilder, s: &Stages<'_>, wave: S<1>) -> Result<(), EmitError> {
    let stage_k = s.plan.stage_k;
    let whole = (s.ahead() + 1) * stage_k;
    let rest = b.label("rest");
    let turns = s.p.schedule == Schedule::PingPong;
    if turns {
        s.arrive(b);
        b.s_barrier();
        // The second half of the waves is a barrier behind the first.
        b.s_cmp_ge_u32(wave, s.p.threads() / 128);
        b.if_(When::Scc1, |b| -> Result<(), EmitError> {
            b.s_barrier();
            Ok(())
        })?;
    }
    b.s_cmp_lt_u32(s.left, whole);
    b.branch_if(When::Scc1, rest);
    b.do_while(When::Scc1, |b| -> Result<(), EmitError> {
        stage(b, s, true)?;
        b.s_sub_u32(s.left, s.left, stage_k);
        b.s_cmp_ge_u32(s.left, whole);
        Ok(())
    })?;
    b.bind(rest);
    b.do_while(When::Scc1, |b| -> Result<(), EmitError> {
        stage(b, s, false)?;
        b.s_sub_u32(s.left, s.left, stage_k);
        b.s_cmp_gt_i32(s.left, 0);
        Ok(())
    })?;
    if turns {
        s.turn_store(b);
        b.s_cmp_lt_u32(wave, s.p.threads() / 128);
        b.if_(When::Scc1, |b| -> Result<(), EmitError> {
            b.s_barrier();
            Ok(())
        })?;
    }
    Ok(())
}

/// One stage: waits for it, sends for another, reads it and multiplies.
fn stage(b: &mut KernelBuilder, s: &Stages<'_>, whole: bool) -> Result<(), EmitError> {
    let steps = s.plan.steps as usize;
    let turns = s.p.schedule == Schedule::PingPong;
    if !turns {
        s.arrive(b);
        b.s_barrier();
    }
    let loads = b.capture(|b| -> Result<(), EmitError> {
        let rest: Option<S<1>> = (!whole).then(|| b.s());
        if let Some(rest) = rest {
            b.s_sub_u32(rest, s.left, s.ahead() * s.plan.stage_k);
        }
        s.load(b, rest);
        Ok(())
    })?;
    let (mut reads, mut products) = (Vec::new(), Vec::new());
    for step in 0..steps {
        let operands = &s.operands[step % s.operands.len()];
        reads.push(b.capture(|b| read(b, s, operands, step as u32))?);
        products.push(b.capture(|b| multiply(b, s, operands))?);
    }
    // Masked loads move EXEC, under which nothing else may run.
    let schedule = if whole || turns { s.p.schedule } else { Schedule::Plain };
    match schedule {
        Schedule::Plain => {
            b.play(loads);
            for (read, product) in reads.into_iter().zip(products) {
                b.play(read);
                b.play(product);
            }
        }
        Schedule::Interleave { mfma_per_read, mfma_per_load } => {
            let (mut reads, mut loads) = (reads.into_iter(), loads.split(steps).into_iter());
            b.play(reads.next().unwrap_or_default());
            for (step, product) in products.into_iter().enumerate() {
                if step > 0 {
                    // What was read beside the products before is there by now: one wait does for all of it.
                    b.wait_lgkm(0);
                }
                let beside = [(reads.next(), mfma_per_read), (loads.next(), mfma_per_load)];
                b.weave(product, beside.map(|(stream, every)| (stream.unwrap_or_default(), every)).into());
            }
        }
        Schedule::List => {
            let all = reads.into_iter().zip(products).fold(loads, |all, (r, m)| all.then(r).then(m));
            b.list_schedule(all);
        }
        Schedule::PingPong => {
            let parts = if whole { loads.split(steps) } else { vec![loads] };
            let mut loads = parts.into_iter();
            for (step, (read, product)) in reads.into_iter().zip(products).enumerate() {
                b.play(read);
                b.play(loads.next().unwrap_or_default());
                if step + 1 == steps {
                    s.arrive(b);
                }
                b.wait_lgkm(0);
                b.s_barrier();
                b.s_setprio(1);
                b.play(product);
                b.s_setprio(0);
                b.s_barrier();
            }
        }
    }
    s.turn_read(b);
    Ok(())
}

/// Reads the operands of one step from LDS.
fn read(b: &mut KernelBuilder, s: &Stages<'_>, to: &Operands, step: u32) -> Result<(), EmitError> {
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
                let mut operands = vec![(*result).into(), part(a, 0, n).into(), part(c, 1, n).into(), (*result).into()];
                if op.scaled {
                    operands.extend([from.scales[0][x / 4], from.scales[1][y / 4]].map(Operand::from));
                }
                let at = b.record(op.mnemonic, &operands);
                if let Some([a, c]) = op.formats {
                    b.set_field(at, Field::Cbsz, a.into());
                    b.set_field(at, Field::Blgp, c.into());
                }
                if op.scaled {
                    // Which byte of the scales: bit 0 for each side, then bit 1.
                    b.set_field(at, Field::ScaleOpSel, (x & 1 | (y & 1) << 1) as u32);
                    b.set_field(at, Field::ScaleOpSelHi, (x >> 1 & 1 | (y >> 1 & 1) << 1) as u32);
                }
            }
        }
    }
    Ok(())
}

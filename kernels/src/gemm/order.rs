//! What each schedule makes of a stage: the order in which its loads, LDS reads and products are issued, and where waves
//! wait for each other. Nothing else of the kernel knows which schedule it has.
//!
//! All but `rotate` begin a stage by waiting for it. `rotate` has read the first operands of a stage before that stage
//! begins: in its last step it waits for the next stage, whose loads have had the longest time to arrive, and reads from it
//! beside the products; by then nobody needs the LDS of the stage in hand any more, and loads fill it anew. Where A has a tile
//! of LDS more, its loads go in the first step, which spreads them over the stage. As operands are
//! read into one set of registers while those of the other are multiplied, a loop goes through an even number of steps.

use super::hot;
use super::stages::{Operands, Stages};
use super::{Order, Schedule};
use wavesmith_asm::Build;
use wavesmith_asm::reg::S;
use wavesmith_emitter::{EmitError, KernelBuilder, Stream, When};

/// What a stage is made of: loads of a later one, and those of it that may go before, where there are such; LDS reads and
/// products, step by step.
pub(super) struct Parts {
    pub early: Stream,
    pub loads: Stream,
    pub reads: Vec<Stream>,
    pub products: Vec<Stream>,
}

impl Schedule {
    /// Whether LDS reads go beside products that do not need them, so that operands take two sets of registers.
    pub(super) const fn is_overlapped(self) -> bool {
        matches!(self, Schedule::Interleave { .. } | Schedule::List | Schedule::Rotate { .. })
    }

    /// Whether the first operands of a stage are read in the stage before.
    pub(super) const fn is_rotated(self) -> bool {
        matches!(self, Schedule::Rotate { .. })
    }
}

impl Stages<'_> {
    /// How many stages after the one in hand its loads are for.
    pub(super) fn ahead(&self) -> u32 {
        self.p.stages - 1 + u32::from(self.p.schedule.is_rotated())
    }

    /// Stages of one round of the loop.
    pub(super) fn unroll(&self) -> u32 {
        if self.p.schedule.is_rotated() { 1 + self.plan.steps % 2 } else { 1 }
    }

    /// The operands that a step of a stage multiplies, and those that LDS reads of that step's number fill: rotated, the first
    /// reads of a stage are for the next one.
    pub(super) fn operands(&self, turn: u32, step: u32) -> [&Operands; 2] {
        let next = u32::from(step == 0 && self.p.schedule.is_rotated());
        [turn, turn + next].map(|turn| &self.sets[(turn * self.plan.steps + step) as usize % self.sets.len()])
    }

    /// What comes before the first stage.
    pub(super) fn enter(&self, b: &mut KernelBuilder, wave: S<1>) -> Result<(), EmitError> {
        match self.p.schedule {
            Schedule::Rotate { .. } => {
                self.arrive(b, false);
                let rest: S<1> = b.s();
                b.s_sub_u32(rest, self.left, (self.ahead() - 1) * self.plan.stage_k);
                self.load(b, Some(rest));
                b.s_barrier();
                hot::read(b, self, &self.sets[0], 0)
            }
            Schedule::PingPong => {
                self.arrive(b, false);
                b.s_barrier();
                // The second half of the waves is a barrier behind the first.
                b.s_cmp_ge_u32(wave, self.p.threads() / 128);
                b.if_(When::Scc1, one_barrier)
            }
            _ => Ok(()),
        }
    }

    /// What comes after the last stage.
    pub(super) fn leave(&self, b: &mut KernelBuilder, wave: S<1>) -> Result<(), EmitError> {
        match self.p.schedule {
            Schedule::Rotate { .. } if self.p.order != Order::Tiles => {
                // The next tile's loads go where others may still read what they read in vain.
                b.wait_lgkm(0);
                b.s_barrier();
                // One stage more was stored than is read: the next tile begins where it lies.
                self.turn_store(b);
                self.next_tile(b);
                Ok(())
            }
            Schedule::PingPong => {
                self.turn_store(b);
                b.s_cmp_lt_u32(wave, self.p.threads() / 128);
                b.if_(When::Scc1, one_barrier)
            }
            _ => Ok(()),
        }
    }

    /// Puts a stage in order. Where it is not whole, loads are masked: they may move EXEC, under which nothing else runs.
    pub(super) fn issue(&self, b: &mut KernelBuilder, parts: Parts, whole: bool) -> Result<(), EmitError> {
        match self.p.schedule {
            Schedule::PingPong => self.take_turns(b, parts, whole),
            Schedule::Rotate { mfma_per_read, mfma_per_load } => {
                return self.rotate(b, parts, whole.then_some([mfma_per_read, mfma_per_load]));
            }
            schedule => {
                self.arrive(b, false);
                b.s_barrier();
                match schedule {
                    Schedule::Interleave { mfma_per_read, mfma_per_load } if whole => {
                        self.interleave(b, parts, [mfma_per_read, mfma_per_load]);
                    }
                    Schedule::List if whole => {
                        let steps = parts.reads.into_iter().zip(parts.products);
                        b.list_schedule(steps.fold(parts.loads, |all, (read, product)| all.then(read).then(product)));
                    }
                    _ => {
                        b.play(parts.loads);
                        for (read, product) in parts.reads.into_iter().zip(parts.products) {
                            b.play(read);
                            b.play(product);
                        }
                    }
                }
                self.turn_read(b);
            }
        }
        Ok(())
    }

    fn interleave(&self, b: &mut KernelBuilder, parts: Parts, every: [usize; 2]) {
        let (mut reads, mut loads) = (parts.reads.into_iter(), parts.loads.split(self.plan.steps as usize).into_iter());
        b.play(reads.next().unwrap_or_default());
        for (step, product) in parts.products.into_iter().enumerate() {
            if step > 0 {
                // What was read beside the products before is there by now: one wait does for all of it.
                b.wait_lgkm(0);
            }
            let beside = [reads.next(), loads.next()].map(Option::unwrap_or_default);
            b.weave(product, beside.into_iter().zip(every).collect());
        }
    }

    /// `every` says how many products go before each LDS read and each load; without it nothing is woven.
    fn rotate(&self, b: &mut KernelBuilder, parts: Parts, every: Option<[usize; 2]>) -> Result<(), EmitError> {
        let mut loads = [Some(parts.early), Some(parts.loads)];
        let last = parts.products.len() - 1;
        // Each step reads for the next one, the last for the first of the next stage, to which addresses turn before.
        let mut reads = parts.reads;
        self.take_turn(b);
        let turn = b.capture(|b| -> Result<(), EmitError> {
            self.turn(b);
            Ok(())
        })?;
        let first = std::mem::take(&mut reads[0]);
        reads[0] = turn.then(first);
        reads.rotate_left(1);
        for (step, (product, read)) in parts.products.into_iter().zip(reads).enumerate() {
            b.wait_lgkm(0);
            // What goes early goes into LDS that was free before this stage began.
            let load = loads[usize::from(step == last)].take().unwrap_or_default();
            if step == last {
                self.arrive(b, true);
                b.s_barrier();
            }
            match every {
                Some([per_read, per_load]) => b.weave(product, vec![(read, per_read), (load, per_load)]),
                None => [load, read, product].into_iter().for_each(|stream| b.play(stream)),
            }
        }
        Ok(())
    }

    fn take_turns(&self, b: &mut KernelBuilder, parts: Parts, whole: bool) {
        let steps = self.plan.steps as usize;
        let mut loads = if whole { parts.loads.split(steps) } else { vec![parts.loads] }.into_iter();
        for (step, (read, product)) in parts.reads.into_iter().zip(parts.products).enumerate() {
            b.play(read);
            b.play(loads.next().unwrap_or_default());
            if step + 1 == steps {
                self.arrive(b, false);
            }
            b.wait_lgkm(0);
            b.s_barrier();
            b.s_setprio(1);
            b.play(product);
            b.s_setprio(0);
            b.s_barrier();
        }
        self.turn_read(b);
    }
}

fn one_barrier(b: &mut KernelBuilder) -> Result<(), EmitError> {
    b.s_barrier();
    Ok(())
}

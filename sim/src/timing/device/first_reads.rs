//! The first reads of workgroups, of this die and of those in their places on others: what tells how far apart they work.
//!
//! A workgroup's first wave is executed as far as it goes without doing anything that others would see, and without time.

use super::Device;
use crate::engine::ir::Access;
use crate::engine::run::Stepped;
use crate::engine::state::Status;
use crate::timing::address;
use crate::timing::elsewhere::{Elsewhere, Read};
use crate::timing::instruction::Pipe;
use std::rc::Rc;
use wavesmith_asm::sem::Space;

/// Instructions of a wave among which its first reads are looked for, at most: accumulators are often cleared before.
pub(super) const FIRST_READS: usize = 1500;

impl Device<'_, '_> {
    /// What workgroups of other dies do while one of this die does its work, by what they read first.
    pub(super) fn elsewhere(&mut self, number: u64, cu: u32) -> Rc<Elsewhere> {
        if !self.others {
            return Rc::default();
        }
        let (own, needed) = self.first_reads(number, cu, 0);
        // All of them are taken to be alike in how far on their first reads are.
        self.looked_at = self.looked_at.min(needed);
        let dies = self.dispatch.sku.xcds;
        let mut in_its_place = |die: u32| {
            let number = number + u64::from(die);
            (die > 0 && number < self.total).then(|| self.first_reads(number, cu, die).0)
        };
        let others: Vec<Option<Vec<Read>>> = (0..dies).map(&mut in_its_place).collect();
        Rc::new(Elsewhere::of(&own, &others))
    }

    /// The first reads of a workgroup's first wave, and after how many instructions no more of them are worth looking for.
    /// It goes no further than it can without doing anything that others would see.
    fn first_reads(&mut self, number: u64, cu: u32, die: u32) -> (Vec<Read>, usize) {
        let mut reads: Vec<Read> = Vec::new();
        let mut needed = 0;
        let Ok(mut group) = self.stepper.again(number, cu, self.other.take()) else { return (reads, 0) };
        group.xcc = die;
        let shift = self.memory.line_shift();
        let mut origin = 0;
        let mut code = self.code(&group.waves[0].segment.clone());
        for count in 0..self.looked_at {
            let i = &code.instructions[origin as usize];
            let mut line = None;
            if let Some(op) = i.memory.map(|m| &code.segment.mems[m as usize])
                && op.space != Space::Lds
            {
                if !matches!(op.access, Access::Load(_) | Access::LoadLds(_)) {
                    break;
                }
                let wave = &group.waves[0];
                address::touched(op, wave, shift, &mut self.canonical, self.stepper.view(), &mut self.touched);
                let first = self.touched.lines.iter().map(|l| l.0).min();
                line = first.filter(|_| self.touched.place.is_none());
            } else if let Some(op) = i.scalar_memory.map(|m| &code.segment.smems[m as usize]) {
                if op.atomic.is_some() {
                    break;
                }
                let wave = &group.waves[0];
                line = address::scalar(op, wave, shift, &mut self.canonical, self.stepper.view()).map(|found| found.0);
            } else if i.pipe == Pipe::Lds && i.memory.is_none() {
                break;
            }
            if let Some(line) = line {
                let of = self.canonical.lines(line, shift);
                if reads.iter().all(|r| r.of != of) {
                    needed = count + 1;
                }
                reads.push(Read { pc: i.pc, line, of });
            }
            let segment = code.segment.clone();
            match self.stepper.step(&mut group, 0, &segment, origin, 1_000_000) {
                Ok(Stepped::On) => origin += 1,
                Ok(Stepped::Block(b)) => origin = code.first[b as usize],
                Ok(Stepped::Barrier(b)) => {
                    group.waves[0].status = Status::Ready;
                    origin = code.first[b as usize];
                }
                Ok(Stepped::Segment) => {
                    code = self.code(&group.waves[0].segment.clone());
                    origin = code.first.first().copied().unwrap_or(0);
                }
                Ok(Stepped::Sleep(_) | Stepped::End) | Err(_) => break,
            }
        }
        self.other = Some(group);
        // Rows at a matrix's end may lie otherwise than the first.
        (reads, 2 * needed)
    }
}

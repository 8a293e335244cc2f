//! Waves driven instruction by instruction by somebody else's order: what a model of time needs of the engine.
//!
//! The scheduler of `schedule` decides nothing here: the driver makes workgroups when it wants them, asks what a wave
//! is about to execute, and has it executed. State and meaning are the interpreter's own.

use super::ir::Segment;
use super::run::{Stepped, Worker};
use super::schedule::Shared;
use super::start;
use super::state::Group;
use crate::config::{Config, EngineKind};
use crate::dispatch::Dispatch;
use crate::fault::Fault;
use crate::memory::{Memory, View};
use std::sync::Arc;

/// Drives waves of one dispatch on the calling thread.
pub(crate) struct Stepper<'s> {
    shared: &'s Shared<'s>,
    worker: Worker<'s>,
    /// Workgroups that a compute unit holds.
    pub per_cu: u32,
    /// Whether an instruction was lowered whose rounding is not known to be the silicon's.
    pub unverified: bool,
}

/// Prepares a dispatch and hands a stepper to `drive`.
///
/// # Errors
/// A [`Fault`] that says what the part cannot give, or the driver's.
pub(crate) fn with<R>(
    dispatch: &Dispatch,
    memory: &Memory,
    config: &Config,
    drive: impl FnOnce(&mut Stepper<'_>) -> Result<R, Fault>,
) -> Result<R, Fault> {
    // Compiled runs span instructions; a driver wants them one by one.
    let config = Config { engine: EngineKind::Interp, ..config.clone() };
    let plan = start::plan(dispatch)?;
    let shared = Shared::new(dispatch, memory, &config)?;
    let mut stepper = Stepper { shared: &shared, worker: Worker::new(&shared), per_cu: plan.per_cu, unverified: false };
    drive(&mut stepper)
}

impl<'s> Stepper<'s> {
    /// Makes workgroup `number`, to run on compute unit `cu`.
    ///
    /// # Errors
    /// A [`Fault`] where its first registers or code cannot be had.
    pub fn group(&mut self, number: u64, cu: u32) -> Result<Box<Group>, Fault> {
        self.again(number, cu, None)
    }

    /// The same, in the place of a workgroup that is no longer needed.
    ///
    /// # Errors
    /// As [`group`](Stepper::group).
    pub fn again(&mut self, number: u64, cu: u32, spare: Option<Box<Group>>) -> Result<Box<Group>, Fault> {
        start::group(self.shared, &mut self.worker.view, number, cu, spare)
    }

    /// Executes instruction `origin` of the wave's segment at a time.
    ///
    /// # Errors
    /// A [`Fault`] with its place.
    pub fn step(
        &mut self,
        group: &mut Group,
        wave: usize,
        segment: &Arc<Segment>,
        origin: u32,
        now: u64,
    ) -> Result<Stepped, Fault> {
        self.worker.now = Some(now);
        let (from, to) = range(segment, origin);
        match self.worker.one(group, wave, segment, from, to) {
            Ok(stepped) => Ok(stepped),
            Err((trouble, uop)) => Err(self.shared.blame(group, Some(wave), Some(uop), trouble)),
        }
    }

    /// Whether matrix products are left out from now on: timing does not depend on what they give, and they are most
    /// of the work.
    pub fn skip_matrix(&mut self, skip: bool) {
        self.worker.skip_matrix = skip;
    }

    /// The driver's window on memory.
    pub fn view(&mut self) -> &mut View<'s> {
        &mut self.worker.view
    }
}

/// The micro-operations of an instruction: from its own first to the next instruction's, or to the end of all.
fn range(segment: &Segment, origin: u32) -> (u32, u32) {
    let at = origin as usize;
    let end = segment.origins.get(at + 1).map_or(segment.uops.len() as u32, |o| o.uop);
    (segment.origins[at].uop, end)
}

/// The first instruction of each block.
pub(crate) fn first_origins(segment: &Segment) -> Vec<u32> {
    segment.blocks.iter().map(|b| segment.origins.partition_point(|o| o.uop < b.start) as u32).collect()
}

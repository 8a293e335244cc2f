//! Rings of stages in LDS: which slot is filled next, and how far it is from the slot that is read to the next one.
//!
//! All operands go around in one ring, but for one that may be sent for earlier than the others: A, where LDS has room for
//! one more of its tiles than there are stages. Slots of both rings are a stage apart.

use wavesmith_asm::Build;
use wavesmith_asm::reg::{S, V};
use wavesmith_emitter::KernelBuilder;

/// One ring.
pub(super) struct Ring {
    slots: u32,
    /// Bytes from one slot to the next.
    stage: u32,
    /// The slot that direct loads fill.
    fill: S<1>,
    /// By bytes a lane: where a wave's lanes begin in what the workgroup loads, and that in the slot.
    lanes: Vec<(u32, S<1>, S<1>)>,
    /// From the stage that is read to the next; the same of the turn after that.
    delta: S<1>,
    next: S<1>,
    /// Where the stage that is read begins, and the way from the last to the first, where there are more than two.
    slot: S<1>,
    back: S<1>,
}

impl Ring {
    /// A ring for direct loads of so many bytes a lane.
    pub(super) fn new(b: &mut KernelBuilder, stage: u32, slots: u32, widths: &[u32], wave: S<1>) -> Ring {
        let mut widths = widths.to_vec();
        widths.sort_unstable();
        widths.dedup();
        let lanes: Vec<_> = widths.into_iter().map(|w| (w, b.s(), b.s())).collect();
        let [fill, delta, next, slot, back] = [(); 5].map(|()| b.s());
        b.s_mov_b32(fill, (slots - 1) * stage);
        for (width, lanes, _) in &lanes {
            b.s_lshl_b32(*lanes, wave, (64 * width).ilog2());
        }
        b.s_mov_b32(next, stage.wrapping_neg());
        if slots > 2 {
            b.s_mov_b32(slot, 0);
            b.s_mov_b32(back, stage.wrapping_sub(slots * stage));
        }
        Ring { slots, stage, fill, lanes, delta, next, slot, back }
    }

    /// Where a wave's direct loads of so many bytes a lane begin.
    pub(super) fn place(&self, width: u32) -> S<1> {
        self.lanes.iter().find(|(w, ..)| *w == width).map_or(self.fill, |(_, _, at)| *at)
    }

    /// Turns to the next slot that direct loads fill.
    pub(super) fn next_fill(&self, b: &mut KernelBuilder) {
        if self.lanes.is_empty() {
            return;
        }
        let fill = self.fill;
        if self.slots == 2 {
            b.s_sub_u32(fill, self.stage, fill);
        } else {
            b.s_add_u32(fill, fill, self.stage);
            b.s_cmp_eq_u32(fill, self.slots * self.stage);
            b.s_cselect_b32(fill, 0, fill);
        }
        for (_, lanes, at) in &self.lanes {
            b.s_add_u32(*at, fill, *lanes);
        }
    }

    /// Works out how far the next turn goes.
    pub(super) fn next_turn(&self, b: &mut KernelBuilder) {
        if self.slots == 2 {
            b.s_sub_u32(self.next, 0, self.next);
        } else {
            b.s_add_u32(self.slot, self.slot, self.stage);
            b.s_cmp_eq_u32(self.slot, self.slots * self.stage);
            b.s_cselect_b32(self.slot, 0, self.slot);
            b.s_cselect_b32(self.next, self.back, self.stage);
        }
    }

    /// Makes what was worked out last the turn to take.
    pub(super) fn take_turn(&self, b: &mut KernelBuilder) {
        b.s_mov_b32(self.delta, self.next);
    }

    /// Turns addresses of reads by it.
    pub(super) fn turn<'v>(&self, b: &mut KernelBuilder, addresses: impl IntoIterator<Item = &'v V<1>>) {
        for address in addresses {
            b.v_add_u32(*address, self.delta, *address);
        }
    }
}

//! The ring of stages in LDS, what fills it, and the registers that are filled from it.

use super::GemmParams;
use super::direct::Direct;
use super::emit::Wave;
use super::loader::{Loader, Tile};
use super::plan::{Plan, SCALE_ROWS};
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{Reg, RegClass, S, V};
use wavesmith_asm::{Build, Operand, names};
use wavesmith_emitter::KernelBuilder;

/// Results above which they are kept in AGPRs, so that the VGPRs stay free for operands.
const MANY_RESULTS: u32 = 48;

/// Operands of the products of one step.
pub(super) struct Operands {
    /// Of A and B, by matrix tile.
    pub matrices: [Vec<Reg>; 2],
    /// Scales of A and B, by block of 64 rows.
    pub scales: [Vec<V<1>>; 2],
}

/// Where direct loads put what they load.
struct Fill {
    slot: S<1>,
    /// By bytes a lane: where a wave's lanes begin in what the workgroup loads, and that in the slot.
    lanes: Vec<(u32, S<1>, S<1>)>,
}

/// Registers of the hot loop.
pub(super) struct Stages<'a> {
    pub p: &'a GemmParams,
    pub plan: &'a Plan,
    loaders: Vec<(usize, Loader)>,
    /// With the side that they serve.
    directs: Vec<(usize, Direct)>,
    fill: Fill,
    /// LDS addresses of a wave's operands, of A and B, by step and chunk.
    pub read: [Vec<V<1>>; 2],
    pub scale_read: [Option<V<1>>; 2],
    /// Operands of a step; two sets where one is read while the other is multiplied.
    pub sets: Vec<Operands>,
    pub results: Vec<Vec<Reg>>,
    /// Products left, those of the stage in hand included.
    pub left: S<1>,
    /// From the stage that is read to the next; the same of the turn after that; and from the one that is stored to.
    pub delta: S<1>,
    pub next: S<1>,
    store_delta: S<1>,
    /// Where the stage that is read begins, and the way from the last to the first, where there are more than two.
    slot: S<1>,
    back: S<1>,
}

impl<'a> Stages<'a> {
    pub(super) fn new(b: &mut KernelBuilder, p: &'a GemmParams, plan: &'a Plan, wave: &Wave, tid: V<1>) -> Stages<'a> {
        let groups = plan.op.groups();
        let (mut loaders, mut directs) = (Vec::new(), Vec::new());
        for (i, side) in plan.sides.iter().enumerate() {
            match side.direct {
                Some(width) => {
                    directs.push((i, Direct::operand(b, p, side, width, plan.stage_k, tid)));
                }
                None => loaders.push((i, Loader::new(b, p, side, groups, tid))),
            }
        }
        for (i, side) in plan.sides.iter().enumerate() {
            if let Some(scales) = &side.scales {
                directs.push((i, Direct::scales(b, p, scales, plan.steps, plan.op.k, tid)));
            }
        }
        for i in 1..directs.len() {
            let (before, after) = directs.split_at_mut(i);
            before.iter().for_each(|(_, other)| after[0].1.follow(other));
        }
        let mut widths: Vec<u32> = directs.iter().map(|(_, d)| d.width).collect();
        widths.sort_unstable();
        widths.dedup();
        let fill = Fill { slot: b.s(), lanes: widths.into_iter().map(|w| (w, b.s(), b.s())).collect() };
        b.s_mov_b32(fill.slot, (p.stages - 1) * plan.stage);
        for (width, lanes, _) in &fill.lanes {
            b.s_lshl_b32(*lanes, wave.number, (64 * width).ilog2());
        }
        let mut read = [Vec::new(), Vec::new()];
        let mut scale_read = [None, None];
        for (i, side) in plan.sides.iter().enumerate() {
            let row: V<1> = b.v();
            b.v_add_u32(row, wave.first[i], wave.index);
            for chunk in 0..plan.steps * side.chunks {
                let c: V<1> = b.v();
                b.v_add_u32(c, chunk * groups, wave.group);
                read[i].push(side.tile.address(b, row, c));
            }
            if let Some(scales) = &side.scales {
                let (block, address): (S<1>, V<1>) = (b.s(), b.v());
                b.s_lshr_b32(block, wave.first[i], SCALE_ROWS.ilog2());
                b.s_mul_i32(block, block, plan.steps * 256);
                b.v_and_b32(address, 63, tid);
                b.v_lshlrev_b32(address, 2, address);
                b.v_add_u32(address, block, address);
                b.v_add_u32(address, scales.offset, address);
                scale_read[i] = Some(address);
            }
        }
        let buffers = if plan.steps > 1 && p.schedule.is_overlapped() || p.schedule.is_rotated() { 2 } else { 1 };
        let sets = (0..buffers)
            .map(|_| Operands {
                matrices: [0, 1].map(|i: usize| {
                    let registers = 4 * plan.sides[i].chunks as u8;
                    (0..plan.per_wave[i]).map(|_| b.run(RegClass::V, registers)).collect()
                }),
                scales: [0, 1].map(|i: usize| {
                    let blocks = plan.sides[i].scales.map_or(0, |_| plan.per_wave[i] * p.mfma / SCALE_ROWS);
                    (0..blocks).map(|_| b.v()).collect()
                }),
            })
            .collect();
        let registers = plan.op.output_registers();
        let count = plan.per_wave[0] * plan.per_wave[1] * u32::from(registers);
        let class = if plan.op.agpr_only || count > MANY_RESULTS { RegClass::A } else { RegClass::V };
        let results =
            (0..plan.per_wave[0]).map(|_| (0..plan.per_wave[1]).map(|_| b.run(class, registers)).collect()).collect();
        let [left, delta, next, store_delta, slot, back] = [(); 6].map(|()| b.s());
        b.s_mov_b32(next, plan.stage.wrapping_neg());
        if !loaders.is_empty() {
            b.s_mov_b32(store_delta, plan.stage);
        }
        if p.stages > 2 {
            b.s_mov_b32(slot, 0);
            b.s_mov_b32(back, plan.stage.wrapping_sub(plan.lds));
        }
        let stages = Stages {
            p,
            plan,
            loaders,
            directs,
            fill,
            read,
            scale_read,
            sets,
            results,
            left,
            delta,
            next,
            store_delta,
            slot,
            back,
        };
        if p.schedule.is_rotated() {
            stages.next_fill(b);
            stages.next_turn(b);
        }
        stages
    }

    /// Begins a tile whose operands (and scales) start at `tiles` (and `scales`): sends for its first stages.
    pub(super) fn begin(&self, b: &mut KernelBuilder, tiles: &[Tile; 2], scales: &[Option<Tile>; 2]) {
        for (i, loader) in &self.loaders {
            loader.seek(b, &tiles[*i], self.plan.stage_k);
        }
        for (n, (i, direct)) in self.directs.iter().enumerate() {
            let is_scales = n + self.loaders.len() >= 2;
            match (&scales[*i], is_scales) {
                (Some(t), true) => direct.seek(b, t),
                _ => direct.seek(b, &tiles[*i]),
            }
        }
        if !self.p.schedule.is_rotated() {
            // What was sent for beyond the tile before goes where this one begins. (Rotated, nothing was.)
            self.next_fill(b);
        }
        let rest: S<1> = b.s();
        for ahead in 0..self.p.stages - 1 {
            b.s_sub_u32(rest, self.left, ahead * self.plan.stage_k);
            self.load_rest(b, rest);
        }
    }

    /// Makes the results zero.
    pub(super) fn clear(&self, b: &mut KernelBuilder) {
        for r in self.results.iter().flatten() {
            let name = if r.class == RegClass::A { "v_accvgpr_write_b32" } else { "v_mov_b32" };
            let Some(mnemonic) = names::lookup(name) else { continue };
            for i in 0..u16::from(r.count) {
                let one = Reg { index: r.index + i, count: 1, ..*r };
                b.record(mnemonic, &[one.into(), Operand::Int(0)]);
            }
        }
    }

    /// Loads the next stage; `left` says how much of K remains where it may not be whole.
    pub(super) fn load(&self, b: &mut KernelBuilder, rest: Option<S<1>>) {
        match rest {
            None => {
                self.directs.iter().for_each(|(_, d)| d.load(b, self.place(d.width)));
                self.loaders.iter().for_each(|(_, l)| l.load(b));
                self.advance(b);
            }
            Some(left) => self.load_rest(b, left),
        }
    }

    fn load_rest(&self, b: &mut KernelBuilder, left: S<1>) {
        self.directs.iter().for_each(|(_, d)| d.load_rest(b, self.place(d.width), left));
        self.loaders.iter().for_each(|(_, l)| l.load_rest(b, left));
        self.advance(b);
    }

    fn advance(&self, b: &mut KernelBuilder) {
        self.directs.iter().for_each(|(_, d)| d.advance(b));
        self.loaders.iter().for_each(|(_, l)| l.advance(b));
        self.next_fill(b);
    }

    fn place(&self, width: u32) -> S<1> {
        self.fill.lanes.iter().find(|(w, ..)| *w == width).map_or(self.fill.slot, |(_, _, at)| *at)
    }

    /// Turns to the next stage that direct loads fill.
    fn next_fill(&self, b: &mut KernelBuilder) {
        if self.directs.is_empty() {
            return;
        }
        let slot = self.fill.slot;
        if self.p.stages == 2 {
            b.s_sub_u32(slot, self.plan.stage, slot);
        } else {
            b.s_add_u32(slot, slot, self.plan.stage);
            b.s_cmp_eq_u32(slot, self.plan.lds);
            b.s_cselect_b32(slot, 0, slot);
        }
        for (_, lanes, at) in &self.fill.lanes {
            b.s_add_u32(*at, slot, *lanes);
        }
    }

    /// Sees to it that the oldest stage on its way is in LDS, as far as this wave loaded it.
    pub(super) fn arrive(&self, b: &mut KernelBuilder) {
        for (_, loader) in &self.loaders {
            loader.store(b);
        }
        self.turn_store(b);
        if !self.directs.is_empty() {
            let fills: usize = self.directs.iter().map(|(_, d)| d.count()).sum();
            b.wait_vm((fills as u32 * (self.p.stages - 2)).min(62) as u8);
        }
    }

    /// Turns to the next stage that is stored to.
    pub(super) fn turn_store(&self, b: &mut KernelBuilder) {
        if self.loaders.is_empty() {
            return;
        }
        for address in self.loaders.iter().flat_map(|(_, l)| l.addresses()) {
            b.v_add_u32(*address, self.store_delta, *address);
        }
        b.s_sub_u32(self.store_delta, 0, self.store_delta);
    }

    /// Turns to the next stage that is read.
    pub(super) fn turn_read(&self, b: &mut KernelBuilder) {
        self.next_turn(b);
        b.s_mov_b32(self.delta, self.next);
        self.turn(b);
    }

    /// Works out how far the next turn goes.
    pub(super) fn next_turn(&self, b: &mut KernelBuilder) {
        if self.p.stages == 2 {
            b.s_sub_u32(self.next, 0, self.next);
        } else {
            b.s_add_u32(self.slot, self.slot, self.plan.stage);
            b.s_cmp_eq_u32(self.slot, self.plan.lds);
            b.s_cselect_b32(self.slot, 0, self.slot);
            b.s_cselect_b32(self.next, self.back, self.plan.stage);
        }
    }

    /// Turns by what [`Stages::next_turn`] worked out and `delta` has.
    pub(super) fn turn(&self, b: &mut KernelBuilder) {
        for address in self.read.iter().flatten().chain(self.scale_read.iter().flatten()) {
            b.v_add_u32(*address, self.delta, *address);
        }
    }
}

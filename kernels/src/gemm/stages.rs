//! The ring of stages in LDS, what fills it, and the registers that are filled from it.

use super::GemmParams;
use super::direct::Direct;
use super::emit::Wave;
use super::loader::{Loader, Tile};
use super::plan::{Plan, SCALE_ROWS};
use super::ring::Ring;
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

/// Which of a stage's loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// Those of A, where it has a ring of its own.
    Early,
    /// All others.
    Late,
}

/// Registers of the hot loop.
pub(super) struct Stages<'a> {
    pub p: &'a GemmParams,
    pub plan: &'a Plan,
    loaders: Vec<(usize, Loader)>,
    /// With the side that they serve; where A has a ring of its own, its loads come first.
    directs: Vec<(usize, Direct)>,
    /// The ring of all operands, and A's own.
    ring: Ring,
    early: Option<Ring>,
    /// LDS addresses of a wave's operands, of A and B, by step and chunk.
    pub read: [Vec<V<1>>; 2],
    pub scale_read: [Option<V<1>>; 2],
    /// Operands of a step; two sets where one is read while the other is multiplied.
    pub sets: Vec<Operands>,
    pub results: Vec<Vec<Reg>>,
    /// Products left, those of the stage in hand included.
    pub left: S<1>,
    /// From the stage that is stored to to the next.
    store_delta: S<1>,
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
        // A's loads come first of all.
        let (own, shared) = directs.split_at(usize::from(plan.early_a));
        let widths = |directs: &[(usize, Direct)]| directs.iter().map(|(_, d)| d.width).collect::<Vec<_>>();
        let ring = Ring::new(b, plan.stage, p.stages, &widths(shared), wave.number);
        let early = plan.early_a.then(|| Ring::new(b, plan.stage, p.stages + 1, &widths(own), wave.number));
        let read = [0, 1].map(|i: usize| (0..plan.steps * plan.sides[i].chunks).map(|_| b.v()).collect());
        let scale_read = [0, 1].map(|i: usize| plan.sides[i].scales.map(|_| b.v()));
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
        let [left, store_delta]: [S<1>; 2] = [b.s(), b.s()];
        if !loaders.is_empty() {
            b.s_mov_b32(store_delta, plan.stage);
        }
        let stages =
            Stages { p, plan, loaders, directs, ring, early, read, scale_read, sets, results, left, store_delta };
        if p.schedule.is_rotated() {
            stages.rings().for_each(|r| r.next_fill(b));
            stages.next_turn(b);
        }
        stages
    }

    /// Works out where a wave reads its operands. Nothing that is sent for depends on it.
    pub(super) fn aim(&self, b: &mut KernelBuilder, wave: &Wave, tid: V<1>) {
        let (plan, groups) = (self.plan, self.plan.op.groups());
        for (i, side) in plan.sides.iter().enumerate() {
            let row: V<1> = b.v();
            b.v_add_u32(row, wave.first[i], wave.index);
            for (chunk, to) in (0..).zip(&self.read[i]) {
                let c: V<1> = b.v();
                b.v_add_u32(c, chunk * groups, wave.group);
                let address = side.tile.address(b, row, c);
                b.v_mov_b32(*to, address);
            }
            if let (Some(scales), Some(address)) = (&side.scales, self.scale_read[i]) {
                let block: S<1> = b.s();
                b.s_lshr_b32(block, wave.first[i], SCALE_ROWS.ilog2());
                b.s_mul_i32(block, block, plan.steps * 256);
                b.v_and_b32(address, 63, tid);
                b.v_lshlrev_b32(address, 2, address);
                b.v_add_u32(address, block, address);
                b.v_add_u32(address, scales.offset, address);
            }
        }
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
            self.rings().for_each(|r| r.next_fill(b));
        }
        let rest: S<1> = b.s();
        for ahead in 0..self.p.stages - 1 {
            b.s_sub_u32(rest, self.left, ahead * self.plan.stage_k);
            self.load(b, Some(rest));
        }
    }

    fn rings(&self) -> impl Iterator<Item = &Ring> {
        self.early.iter().chain([&self.ring])
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

    /// Loads the next stage; `rest` says how much of K remains where it may not be whole.
    pub(super) fn load(&self, b: &mut KernelBuilder, rest: Option<S<1>>) {
        [Half::Early, Half::Late].into_iter().for_each(|half| self.load_half(b, half, rest));
    }

    /// Loads half of the next stage, early first.
    pub(super) fn load_half(&self, b: &mut KernelBuilder, half: Half, rest: Option<S<1>>) {
        let (own, shared) = self.directs.split_at(usize::from(self.early.is_some()));
        let (directs, ring) = match (half, &self.early) {
            (Half::Early, Some(ring)) => (own, ring),
            (Half::Early, None) => return,
            (Half::Late, _) => (shared, &self.ring),
        };
        for (_, d) in directs {
            match rest {
                None => d.load(b, ring.place(d.width)),
                Some(left) => d.load_rest(b, ring.place(d.width), left),
            }
        }
        ring.next_fill(b);
        if half == Half::Early {
            return;
        }
        for (_, l) in &self.loaders {
            match rest {
                None => l.load(b),
                Some(left) => l.load_rest(b, left),
            }
            l.advance(b);
        }
        self.directs.iter().for_each(|(_, d)| d.advance(b));
    }

    /// Sees to it that the oldest stage on its way is in LDS, as far as this wave loaded it. `early` says that A's loads for the
    /// stage after have been sent already.
    pub(super) fn arrive(&self, b: &mut KernelBuilder, early: bool) {
        for (_, loader) in &self.loaders {
            loader.store(b);
        }
        self.turn_store(b);
        if !self.directs.is_empty() {
            let count = |directs: &[(usize, Direct)]| directs.iter().map(|(_, d)| d.count()).sum::<usize>() as u32;
            let own = if early && self.early.is_some() { count(&self.directs[..1]) } else { 0 };
            b.wait_vm((count(&self.directs) * (self.p.stages - 2) + own).min(62) as u8);
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
        self.take_turn(b);
        self.turn(b);
    }

    /// Works out how far the next turn goes.
    pub(super) fn next_turn(&self, b: &mut KernelBuilder) {
        self.rings().for_each(|r| r.next_turn(b));
    }

    /// Makes what was worked out last the turn to take.
    pub(super) fn take_turn(&self, b: &mut KernelBuilder) {
        self.rings().for_each(|r| r.take_turn(b));
    }

    /// Takes the turn.
    pub(super) fn turn(&self, b: &mut KernelBuilder) {
        let [a, c] = &self.read;
        self.early.as_ref().unwrap_or(&self.ring).turn(b, a);
        self.ring.turn(b, c.iter().chain(self.scale_read.iter().flatten()));
    }

    /// Lets A's own ring begin the next tile where the others do: it is a slot ahead of them.
    pub(super) fn next_tile(&self, b: &mut KernelBuilder) {
        self.early.iter().for_each(|r| r.next_fill(b));
    }
}

//! The interpreter: executes a wave's blocks until it waits, ends, or has had its share.

use super::gws;
use super::ir::{DppCtrl, S, Segment, Uop, V};
use super::lanes::{Kernel, LaneOp, Lanes, Level, WAVE, masks, rounded};
use super::mfma;
use super::salu;
use super::schedule::Shared;
use super::state::{Bases, Group, Status, Wave};
use crate::fault::FaultKind;
use crate::memory::View;
use std::sync::OnceLock;
use wavesmith_asm::sem::{Branch, Control, SOp};

/// What went wrong in an instruction, before it is known where it was.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// Kind.
    pub kind: FaultKind,
    /// What happened.
    pub message: String,
    /// Lane, where one is to blame.
    pub lane: Option<u32>,
    /// Address, where one is.
    pub address: Option<u64>,
}

impl Trouble {
    /// A fault of the whole wave.
    pub fn new(kind: FaultKind, message: String) -> Trouble {
        Trouble { kind, message, lane: None, address: None }
    }
}

/// Why a wave stopped for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// It has had its share.
    Share,
    /// It gives way.
    Sleep,
    /// It waits for its workgroup.
    Barrier,
    /// It has ended.
    End,
}

/// One thread's tools.
pub struct Worker<'m> {
    pub(super) shared: &'m Shared<'m>,
    pub(crate) view: View<'m>,
    pub(super) level: Level,
    pub(super) kernels: &'static [Kernel],
    pub(crate) temps: Box<[Lanes; V::TEMPS]>,
    masked: Box<[Lanes; 2]>,
    /// Made when the first matrix instruction comes.
    matrix: Option<Box<mfma::Scratch>>,
    pub(super) strides: super::access::Strides,
    /// What compiled code works on, while none runs.
    #[cfg(all(target_arch = "x86_64", unix))]
    context: Option<Box<super::jit::Context>>,
    /// Instructions executed and not yet reported.
    pub(crate) pending: u64,
    /// Waves that it has started.
    pub(super) waves: u64,
    /// Clock when `pending` was last reported.
    clock: u64,
    /// Whether something was stored since this was last cleared.
    pub(crate) stored: bool,
    /// Whether a clock was read since this was last cleared.
    pub(crate) clocked: bool,
    /// Whether a loop that waits for others was met since this was last cleared.
    pub(crate) polled: bool,
    /// Whether to notice loads from memory that the host may write.
    pub(crate) watching: bool,
    /// Whether there was one since this was last cleared.
    pub(crate) may_hear: bool,
    /// Room for data on its way to LDS, used again.
    pub(super) spare: Vec<Vec<u32>>,
    /// What the watching engine sees of memory.
    pub(crate) watch: Option<Box<crate::checked::Watch>>,
    /// What clocks read, where a model of time drives the waves; else they count instructions.
    pub(super) now: Option<u64>,
    /// Leaves matrix products out: their destinations keep what they hold.
    pub(super) skip_matrix: bool,
}

/// Where a wave that is driven instruction by instruction goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// To the next instruction in place.
    On,
    /// To the beginning of a block of its segment.
    Block(u32),
    /// To block 0 of another segment, which the wave now has.
    Segment,
    /// It sleeps, and goes on at a block.
    Sleep(u32),
    /// It waits for its workgroup, and goes on at a block.
    Barrier(u32),
    /// It has ended.
    End,
}

/// The lane operations of a level, by number.
fn kernels(level: Level) -> &'static [Kernel] {
    static TABLES: [OnceLock<Vec<Kernel>>; 3] = [const { OnceLock::new() }; 3];
    TABLES[level as usize].get_or_init(|| LaneOp::ALL.iter().map(|op| op.kernel(level)).collect())
}

impl<'m> Worker<'m> {
    /// Tools for one thread of a dispatch.
    pub fn new(shared: &'m Shared<'m>) -> Worker<'m> {
        let level = shared.level;
        Worker {
            shared,
            view: shared.memory.view(shared.dispatch.agent),
            level,
            kernels: kernels(level),
            temps: Box::new([Lanes::ZERO; V::TEMPS]),
            masked: Box::new([Lanes::ZERO; 2]),
            matrix: None,
            strides: Default::default(),
            #[cfg(all(target_arch = "x86_64", unix))]
            context: None,
            pending: 0,
            waves: 0,
            clock: 0,
            stored: false,
            clocked: false,
            polled: false,
            watching: false,
            may_hear: false,
            spare: Vec::new(),
            now: None,
            skip_matrix: false,
            watch: None,
        }
    }

    /// Executes the micro-operations of one instruction, those from `at` up to `end`. On trouble, says which it was.
    pub(super) fn one(
        &mut self,
        group: &mut Group,
        wave: usize,
        segment: &Segment,
        mut at: u32,
        end: u32,
    ) -> Result<Stepped, (Trouble, u32)> {
        let bases = Bases([
            group.waves[wave].regs.as_mut_ptr().cast(),
            self.temps.as_mut_ptr().cast(),
            segment.vconst.as_ptr().cast_mut().cast(),
        ]);
        while at < end {
            // SAFETY: the bases are those of this wave and of the segment that the micro-operation belongs to.
            let done = unsafe { self.step(group, wave, segment, &segment.uops[at as usize], bases) };
            match done {
                Ok(None) => at += 1,
                Ok(Some(Flow::Block(next))) => return Ok(Stepped::Block(next)),
                // What may have to wait is alone at the start of its block.
                Ok(Some(Flow::Again)) => {
                    let block = segment.blocks.iter().position(|b| b.start == at);
                    return Ok(Stepped::Sleep(block.unwrap_or(0) as u32));
                }
                Ok(Some(Flow::Pause(Pause::Sleep, next))) => return Ok(Stepped::Sleep(next)),
                Ok(Some(Flow::Pause(Pause::Share, next))) => return Ok(Stepped::Block(next)),
                Ok(Some(Flow::Pause(Pause::Barrier, next))) => return Ok(Stepped::Barrier(next)),
                Ok(Some(Flow::Pause(Pause::End, _))) => return Ok(Stepped::End),
                Ok(Some(Flow::Address(address))) => {
                    let w = &mut group.waves[wave];
                    w.segment = self.shared.segment(address, w.lower_mode(), &mut self.view).map_err(|t| (t, at))?;
                    w.own_registers();
                    w.block = 0;
                    return Ok(Stepped::Segment);
                }
                Err(t) => return Err((t, at)),
            }
        }
        Ok(Stepped::On)
    }

    /// Runs a wave for about `share` instructions. On trouble, says which micro-operation it was.
    pub fn run(&mut self, group: &mut Group, wave: usize, share: u64) -> Result<Pause, (Trouble, u32)> {
        let mut left = share as i64;
        loop {
            let segment: *const Segment = &*group.waves[wave].segment;
            // SAFETY: the dispatch keeps every segment until it ends, and counting references costs as much as a dozen
            // instructions where two threads do it.
            let segment = unsafe { &*segment };
            let bases = Bases([
                group.waves[wave].regs.as_mut_ptr().cast(),
                self.temps.as_mut_ptr().cast(),
                // Constants are never a destination, so nothing writes through this.
                segment.vconst.as_ptr().cast_mut().cast(),
            ]);
            #[cfg(all(target_arch = "x86_64", unix))]
            let result = match &segment.native {
                Some(native) => self.run_native(group, wave, (segment, native, bases), &mut left),
                None => self.run_segment(group, wave, (segment, bases), &mut left),
            };
            #[cfg(not(all(target_arch = "x86_64", unix)))]
            let result = self.run_segment(group, wave, (segment, bases), &mut left);
            match result {
                Ok(Step::Pause(p)) => return Ok(p),
                Ok(Step::Relook) => {}
                Err(e) => return Err(e),
            }
        }
    }

    fn run_segment(
        &mut self,
        group: &mut Group,
        wave: usize,
        (segment, bases): (&Segment, Bases),
        left: &mut i64,
    ) -> Result<Step, (Trouble, u32)> {
        let mut at = group.waves[wave].block;
        loop {
            let block = segment.blocks[at as usize];
            if *left <= 0 {
                group.waves[wave].block = at;
                return Ok(Step::Pause(Pause::Share));
            }
            let n = u64::from(block.instructions);
            *left -= n as i64;
            self.pending += n;
            self.stored |= block.stores;
            self.clocked |= block.clock;
            if block.polls {
                // One look is enough for a turn.
                self.polled = true;
                *left = (*left).min(0);
            }
            let mut pc = block.start;
            let flow = loop {
                let uop = &segment.uops[pc as usize];
                // SAFETY: the bases are those of this wave and of the segment that the micro-operation belongs to.
                let done = unsafe { self.step(group, wave, segment, uop, bases) };
                match done {
                    Ok(None) => pc += 1,
                    Ok(Some(flow)) => break flow,
                    Err(t) => return Err((t, pc)),
                }
            };
            match self.follow(group, wave, flow, (at, pc))? {
                Ok(next) => at = next,
                Err(step) => return Ok(step),
            }
        }
    }

    /// The compiled counterpart of [`run_segment`](Self::run_segment).
    #[cfg(all(target_arch = "x86_64", unix))]
    fn run_native(
        &mut self,
        group: &mut Group,
        wave: usize,
        (segment, native, bases): (&Segment, &super::jit::Native, Bases),
        left: &mut i64,
    ) -> Result<Step, (Trouble, u32)> {
        let mut at = group.waves[wave].block;
        let mut context = core::mem::take(&mut self.context).unwrap_or_default();
        let result = loop {
            // SAFETY: the code is the segment's, whose operands were checked against the wave's registers.
            let why =
                unsafe { native.run(&mut context, &raw mut *self, &raw mut *group, wave, (segment, bases), at, left) };
            let (uop, block) = match why {
                super::jit::Left::Share(block) => {
                    group.waves[wave].block = block;
                    break Ok(Step::Pause(Pause::Share));
                }
                super::jit::Left::Trouble => match context.trouble() {
                    Some(trouble) => break Err(trouble),
                    None => break Ok(Step::Relook),
                },
                super::jit::Left::Uop(uop, block) => (uop, block),
            };
            // What ends most waves is not worth a way through all that there is.
            if matches!(segment.uops[uop as usize], Uop::End) {
                group.waves[wave].in_flight.clear();
                group.waves[wave].status = Status::Done;
                break Ok(Step::Pause(Pause::End));
            }
            // SAFETY: the bases are those of this wave and of the segment that the micro-operation belongs to.
            match unsafe { self.step_out_of_line(group, wave, segment, &segment.uops[uop as usize], bases) } {
                Ok(Some(flow)) => match self.follow(group, wave, flow, (block, uop)) {
                    Ok(Ok(next)) => at = next,
                    Ok(Err(step)) => break Ok(step),
                    Err(e) => break Err(e),
                },
                // Code is left in the middle of a block for nothing but its end.
                Ok(None) => break Ok(Step::Relook),
                Err(t) => break Err((t, uop)),
            }
        };
        self.context = Some(context);
        result
    }

    /// Where a wave goes after block `at`: another block, or out.
    fn follow(
        &mut self,
        group: &mut Group,
        wave: usize,
        flow: Flow,
        (at, pc): (u32, u32),
    ) -> Result<Result<u32, Step>, (Trouble, u32)> {
        let w = &mut group.waves[wave];
        match flow {
            Flow::Block(next) => Ok(Ok(next)),
            Flow::Again => {
                w.block = at;
                Ok(Err(Step::Pause(Pause::Sleep)))
            }
            Flow::Pause(p, next) => {
                w.block = next;
                Ok(Err(Step::Pause(p)))
            }
            Flow::Address(address) => match self.shared.segment(address, w.lower_mode(), &mut self.view) {
                Ok(s) => {
                    w.segment = s;
                    w.own_registers();
                    w.block = 0;
                    Ok(Err(Step::Relook))
                }
                Err(t) => Err((t, pc)),
            },
        }
    }

    /// [`step`](Self::step), once more in the program: for compiled code, which calls it.
    ///
    /// # Safety
    /// As [`step`](Self::step).
    #[cfg(all(target_arch = "x86_64", unix))]
    #[inline(never)]
    pub(super) unsafe fn step_out_of_line(
        &mut self,
        group: &mut Group,
        wave: usize,
        segment: &Segment,
        uop: &Uop,
        bases: Bases,
    ) -> Result<Option<Flow>, Trouble> {
        // SAFETY: passed on.
        unsafe { self.step(group, wave, segment, uop, bases) }
    }

    /// # Safety
    /// `bases` are those of the wave and the segment.
    #[inline(always)]
    unsafe fn step(
        &mut self,
        group: &mut Group,
        wave: usize,
        segment: &Segment,
        uop: &Uop,
        bases: Bases,
    ) -> Result<Option<Flow>, Trouble> {
        let w = &mut group.waves[wave];
        // SAFETY: for the whole body, operands were lowered for this wave and segment, so that every register they name
        // exists; the kernels are those of a level that the host offers.
        unsafe {
            match *uop {
                Uop::Lane { op, d, a, b, c } => {
                    let kernel = self.kernels[op as usize];
                    let (pa, pb, pc) = (bases.at(a), bases.at(b), bases.at(c));
                    let exec = w.exec();
                    if exec == u64::MAX || !d.is_reg() {
                        kernel(bases.at(d), pa, pb, pc);
                    } else if exec != 0 {
                        let t = self.masked.as_mut_ptr().cast::<u32>();
                        kernel(t, pa, pb, pc);
                        for r in 0..u16::from(op.regs().0) {
                            masks::blend(self.level, bases.at(d.next(r)), t.add(r as usize * WAVE), exec);
                        }
                    }
                }
                Uop::Rounded { op, mode, d, a, b, c } => {
                    let exec = if d.is_reg() { w.exec() } else { u64::MAX };
                    let t = self.masked.as_mut_ptr().cast::<u32>();
                    let (words, sources) = op.regs();
                    self.kernels[op as usize](t, bases.at(a), bases.at(b), bases.at(c));
                    if let Some(direction) = rounded::Direction::of(u32::from(mode)) {
                        let get = |p: *const u32, words: u8, i: usize| {
                            let high = if words == 2 { u64::from(*p.add(i + WAVE)) << 32 } else { 0 };
                            if words == 0 { 0 } else { u64::from(*p.add(i)) | high }
                        };
                        for i in 0..WAVE {
                            let x = get(bases.at(a), sources[0], i);
                            let y = get(bases.at(b), sources[1], i);
                            let z = get(bases.at(c), sources[2], i);
                            let r = rounded::lane(op, direction, get(t, words, i), x, y, z);
                            *t.add(i) = r as u32;
                            if words == 2 {
                                *t.add(i + WAVE) = (r >> 32) as u32;
                            }
                        }
                    }
                    for r in 0..u16::from(words) {
                        masks::blend(self.level, bases.at(d.next(r)), t.add(r as usize * WAVE), exec);
                    }
                }
                Uop::Splat { d, s } => {
                    let v = w.s32(s);
                    core::slice::from_raw_parts_mut(bases.at(d), WAVE).fill(v);
                }
                Uop::Salu { op, ty, d, a, b } => {
                    let (wa, wb) = salu::wide_sources(op, ty);
                    let va = if wa { w.s64(a) } else { u64::from(w.s32(a)) };
                    let vb = if wb { w.s64(b) } else { u64::from(w.s32(b)) };
                    if matches!(op, SOp::MovrelS | SOp::MovrelD) {
                        return self.movrel(w, op, ty.bits() == 64, d, a).map(|()| None);
                    }
                    let out = salu::salu(op, ty, va, vb, w.pair(d), &mut w.scc);
                    match out.words {
                        1 => w.s[d as usize] = out.value as u32,
                        2 => w.set_pair(d, out.value),
                        _ => {}
                    }
                }
                Uop::ScalarCmp { cond, ty, a, b } => {
                    let wide = ty.bits() == 64;
                    let get = |s| if wide { w.s64(s) } else { u64::from(w.s32(s)) };
                    w.scc = salu::compare(cond, ty, get(a), get(b));
                }
                Uop::BitCmp { set, wide, a, b } => {
                    let v = if wide { w.s64(a) } else { u64::from(w.s32(a)) };
                    let bit = w.s32(b) & if wide { 63 } else { 31 };
                    w.scc = (v >> bit & 1 == 1) == set;
                }
                Uop::ExecLogic { logic, d, a, save } => {
                    let (old, a) = (w.exec(), w.s64(a));
                    let new = salu::logic(logic, a, old);
                    w.set_pair(d, if save { old } else { new });
                    w.set_pair(S::EXEC, new);
                    w.scc = new != 0;
                }
                Uop::GetReg { d, spec } => {
                    let v = self.hardware_register(group, wave, spec & 63);
                    let (offset, size) = (spec >> 6 & 31, spec >> 11 & 31);
                    let mask = (u64::from(u32::MAX) >> (31 - size)) as u32;
                    group.waves[wave].s[d as usize] = v >> offset & mask;
                }
                Uop::SetReg { spec, a } => {
                    let v = w.s32(a);
                    let (offset, size) = (spec >> 6 & 31, spec >> 11 & 31);
                    let mask = ((u64::from(u32::MAX) >> (31 - size)) as u32) << offset;
                    match spec & 63 {
                        1 => w.mode = w.mode & !mask | v << offset & mask,
                        3 => w.trapsts = w.trapsts & !mask | v << offset & mask,
                        // The others are read-only for a program, or without effect here.
                        _ => {}
                    }
                }
                Uop::Smem(i) => {
                    let op = segment.smems[i as usize];
                    self.scalar_memory(w, &op)?;
                }
                Uop::Time { d, real } => {
                    let now = self.now.unwrap_or_else(|| self.shared.clock(self.pending));
                    // Never backwards on one thread, whatever the others have reported.
                    self.clock = self.clock.max(now);
                    let ticks = if real { self.clock / self.shared.clocks_per_tick } else { self.clock };
                    w.set_pair(d, ticks);
                }
                Uop::ScalarFlag { d, which } => {
                    let v = match which {
                        251 => w.pair(S::VCC) == 0,
                        252 => w.exec() == 0,
                        _ => w.scc,
                    };
                    w.set_pair(d, u64::from(v));
                }
                Uop::Carry { op, d, sdst, a, b, c, cin } => {
                    let exec = w.exec();
                    let cin = w.s64(cin);
                    let t = self.masked.as_mut_ptr().cast::<u32>();
                    let args = masks::CarryArgs { d: t, a: bases.at(a), b: bases.at(b), c: bases.at(c), cin };
                    let out = masks::carry(self.level, op, args);
                    let regs = match op {
                        super::ir::CarryOp::MadU64U32
                        | super::ir::CarryOp::MadI64I32
                        | super::ir::CarryOp::MadSatU64U32
                        | super::ir::CarryOp::MadSatI64I32
                        | super::ir::CarryOp::DivScaleF64 => 2,
                        _ => 1,
                    };
                    let mask = if d.is_reg() { exec } else { u64::MAX };
                    for r in 0..regs {
                        masks::blend(self.level, bases.at(d.next(r)), t.add(r as usize * WAVE), mask);
                    }
                    w.set_pair(sdst, out & exec);
                }
                Uop::Cmp { cond, ty, d, a, b, exec } => {
                    let out = masks::cmp(self.level, cond, ty, bases.at(a), bases.at(b)) & w.exec();
                    w.set_pair(d, out);
                    if exec {
                        w.set_pair(S::EXEC, out);
                    }
                }
                Uop::CmpClass { ty, d, a, b, exec } => {
                    let out = masks::cmp_class(self.level, ty, bases.at(a), bases.at(b)) & w.exec();
                    w.set_pair(d, out);
                    if exec {
                        w.set_pair(S::EXEC, out);
                    }
                }
                Uop::Select { d, a, b, mask } => {
                    let (mask, exec) = (w.s64(mask), w.exec());
                    if exec == u64::MAX || !d.is_reg() {
                        masks::select(self.level, bases.at(d), bases.at(a), bases.at(b), mask);
                    } else if exec != 0 {
                        let t = self.masked.as_mut_ptr().cast::<u32>();
                        masks::select(self.level, t, bases.at(a), bases.at(b), mask);
                        masks::blend(self.level, bases.at(d), t, exec);
                    }
                }
                Uop::Dpp { d, a, ctrl, valid } => {
                    let src: [u32; WAVE] = core::ptr::read(bases.at(a).cast());
                    let exec = w.exec();
                    let (out, lanes) = dpp(&src, ctrl, exec);
                    core::ptr::write(bases.at(d).cast(), out);
                    w.set_pair(valid, lanes);
                }
                Uop::Blend { d, a, mask } => {
                    let mask = w.s64(mask) & w.exec();
                    masks::blend(self.level, bases.at(d), bases.at(a), mask);
                }
                Uop::ReadLane { d, a, lane } => {
                    let lane = w.s32(lane) as usize % WAVE;
                    w.s[d as usize] = *bases.at(a).add(lane);
                }
                Uop::ReadFirst { d, a } => {
                    let exec = w.exec();
                    let lane = if exec == 0 { 0 } else { exec.trailing_zeros() as usize };
                    w.s[d as usize] = *bases.at(a).add(lane);
                }
                Uop::WriteLane { d, a, lane } => {
                    let lane = w.s32(lane) as usize % WAVE;
                    *bases.at(d).add(lane) = w.s32(a);
                }
                Uop::IndexRead { d, base, limit } => {
                    let from = self.indexed(w, base, limit)?;
                    core::ptr::copy_nonoverlapping(bases.at(from).cast_const(), bases.at(d), WAVE);
                }
                Uop::IndexWrite { base, a, masked, limit } => {
                    let to = self.indexed(w, base, limit)?;
                    let mask = if masked { w.exec() } else { u64::MAX };
                    masks::blend(self.level, bases.at(to), bases.at(a), mask);
                }
                Uop::Swap { a, b } => {
                    let exec = w.exec();
                    let (pa, pb) = (bases.at(a), bases.at(b));
                    for i in 0..WAVE {
                        if exec >> i & 1 == 1 {
                            core::ptr::swap(pa.add(i), pb.add(i));
                        }
                    }
                }
                Uop::PermlaneSwap { a, b, row } => {
                    // Odd rows of the first register change places with even rows of the second.
                    let (pa, pb, row) = (bases.at(a), bases.at(b), row as usize);
                    let exec = w.exec();
                    for i in (0..WAVE).filter(|i| i / row % 2 == 1) {
                        if exec >> i & 1 == 1 && exec >> (i - row) & 1 == 1 {
                            core::ptr::swap(pa.add(i), pb.add(i - row));
                        }
                    }
                }
                Uop::Mfma(_) if self.skip_matrix => {}
                Uop::Mfma(i) => self.matrix(&segment.mfmas[i as usize], bases),
                Uop::Convert { op, d, a, b, scale } => {
                    let op = segment.converts[op as usize];
                    let exec = if d.is_reg() { w.exec() } else { u64::MAX };
                    let words = (u32::from(op.to_bit) + u32::from(op.n) * op.to.bits()).div_ceil(32) as usize;
                    for i in (0..WAVE).filter(|i| exec >> i & 1 == 1) {
                        let (pa, pb, pd) = (bases.at(a).add(i), bases.at(b).add(i), bases.at(d).add(i));
                        let mut out = [0; 32];
                        for (k, o) in out.iter_mut().enumerate().take(words) {
                            *o = *pd.add(k * WAVE);
                        }
                        op.lane(&|k| *pa.add(k * WAVE), &|k| *pb.add(k * WAVE), *bases.at(scale).add(i), &mut out);
                        for (k, o) in out.iter().enumerate().take(words) {
                            *pd.add(k * WAVE) = *o;
                        }
                    }
                }
                Uop::Mem(i) => {
                    self.memory(group, wave, &segment.mems[i as usize], bases)?;
                }
                Uop::Misc { control, imm, a } => {
                    let v = w.s32(a);
                    let m0 = &mut w.s[S::M0 as usize];
                    match control {
                        Control::SetGprIdxOn => {
                            w.mode |= 1 << 27;
                            *m0 = *m0 & 0xffff_0f00 | v & 0xff | u32::from(imm & 15) << 12;
                        }
                        Control::SetGprIdxMode => *m0 = *m0 & 0xffff_0fff | u32::from(imm & 15) << 12,
                        Control::SetGprIdxOff => w.mode &= !(1 << 27),
                        _ => {}
                    }
                }
                Uop::Branch { cond, taken, next } => {
                    let go = match cond {
                        Branch::Scc0 => !w.scc,
                        Branch::Scc1 => w.scc,
                        Branch::Vccz => w.pair(S::VCC) == 0,
                        Branch::Vccnz => w.pair(S::VCC) != 0,
                        Branch::Execz => w.exec() == 0,
                        Branch::Execnz => w.exec() != 0,
                        _ => true,
                    };
                    return Ok(Some(Flow::Block(if go { taken } else { next })));
                }
                Uop::Next { next } => return Ok(Some(Flow::Block(next))),
                Uop::Jump { a } => return Ok(Some(Flow::Address(w.s64(a)))),
                Uop::Fork { mask, target, next } => {
                    let (exec, mask) = (w.exec(), w.s64(mask));
                    let (target, next) = (w.s64(target), w.s64(next));
                    let (pass, fail) = (mask & exec, !mask & exec);
                    if pass == exec || fail == exec {
                        return Ok(Some(Flow::Address(if pass == exec { target } else { next })));
                    }
                    let fall = fail.count_ones() < pass.count_ones();
                    let (now, later) = if fall { (fail, pass) } else { (pass, fail) };
                    let (go, saved) = if fall { (next, target) } else { (target, next) };
                    let level = w.mode >> 29;
                    w.set_pair(S::EXEC, now);
                    w.set_pair(4 * level as u8, later);
                    w.set_pair(4 * level as u8 + 2, saved);
                    w.mode = w.mode & !(7 << 29) | (level + 1) << 29;
                    return Ok(Some(Flow::Address(go)));
                }
                Uop::Join { a, next } => {
                    let level = w.mode >> 29;
                    if w.s32(a) == level {
                        return Ok(Some(Flow::Address(w.s64(next))));
                    }
                    let level = level.wrapping_sub(1) & 7;
                    w.mode = w.mode & !(7 << 29) | level << 29;
                    let (exec, pc) = (w.pair(4 * level as u8), w.pair(4 * level as u8 + 2));
                    w.set_pair(S::EXEC, exec);
                    return Ok(Some(Flow::Address(pc)));
                }
                Uop::SetVskip { a, b } => {
                    let bit = w.s32(a) >> (w.s32(b) & 31) & 1;
                    w.mode = w.mode & !(1 << 28) | bit << 28;
                }
                Uop::Gws { op, offset, data, next, ends } => {
                    let exec = w.exec();
                    let lane = if exec == 0 { 0 } else { exec.trailing_zeros() as usize };
                    let value = *bases.at(data).add(lane);
                    let id = (w.s[S::M0 as usize] >> 16 & 63) + u32::from(offset & 63);
                    let agent = self.shared.dispatch.agent;
                    let step = self.shared.memory.gws.step(agent, id, op, value, w.waiting);
                    match step {
                        gws::Step::On => w.waiting = None,
                        gws::Step::Begun(what) => w.waiting = Some(what),
                        gws::Step::Still => return Ok(Some(Flow::Again)),
                    }
                    // Others may go on now: that is as good as a store.
                    self.stored = true;
                    if step != gws::Step::On {
                        return Ok(Some(Flow::Again));
                    }
                    if ends {
                        return Ok(Some(Flow::Block(next)));
                    }
                }
                Uop::Relook { pc } => return Ok(Some(Flow::Address(pc))),
                Uop::Land { left, next } => {
                    let covered = w.vm_issued.saturating_sub(u64::from(left));
                    let lands = w.in_flight.front().is_some_and(|f| f.number <= covered);
                    // Data takes longer to come than the waves of a workgroup are apart. One instruction, looked at twice.
                    if lands && !w.gave_way && self.goes_on_alone() {
                        w.gave_way = true;
                        self.pending = self.pending.saturating_sub(1);
                        return Ok(Some(Flow::Again));
                    }
                    w.gave_way = false;
                    if covered > w.vm_at_barrier && self.goes_on_alone() {
                        self.land_of_others(group, wave)?;
                    }
                    if lands {
                        self.land(group, wave, covered)?;
                    }
                    return Ok(Some(Flow::Block(next)));
                }
                Uop::End => {
                    // What it has never waited for came long ago, to what the program wrote over since.
                    if self.goes_on_alone() {
                        w.in_flight.clear();
                    } else {
                        self.land(group, wave, u64::MAX)?;
                    }
                    group.waves[wave].status = Status::Done;
                    return Ok(Some(Flow::Pause(Pause::End, 0)));
                }
                Uop::Barrier { next } => {
                    w.status = Status::Barrier;
                    return Ok(Some(Flow::Pause(Pause::Barrier, next)));
                }
                Uop::Turn { next } => return Ok(Some(Flow::Pause(Pause::Share, next))),
                Uop::Sleep { next, .. } => {
                    self.polled = true;
                    return Ok(Some(Flow::Pause(Pause::Sleep, next)));
                }
                Uop::Fault(i) => {
                    let (kind, message) = &segment.faults[i as usize];
                    return Err(Trouble::new(*kind, message.clone()));
                }
            }
        }
        Ok(None)
    }

    /// Whether waves are run in shares, and nobody drives them instruction by instruction.
    fn goes_on_alone(&self) -> bool {
        self.watch.is_none() && self.now.is_none()
    }

    /// Executes a matrix instruction.
    ///
    /// # Safety
    /// `bases` are those of the wave and the segment that `m` was lowered for.
    pub(super) unsafe fn matrix(&mut self, m: &mfma::Mfma, bases: Bases) {
        let null = core::ptr::null();
        // SAFETY: as the caller vouches; the level is one that the host offers.
        unsafe {
            let o = mfma::Operands {
                a: bases.at(m.a),
                b: bases.at(m.b),
                c: bases.at(m.c),
                d: bases.at(m.d),
                index: m.index.map_or(null, |v| bases.at(v)),
                scale_a: m.scale.map_or(null, |s| bases.at(s.0)),
                scale_b: m.scale.map_or(null, |s| bases.at(s.2)),
            };
            mfma::run(self.matrix.get_or_insert_default(), self.level, m, self.shared.config.numerics, o);
        }
    }

    /// The register that an index relative to M0 names.
    fn indexed(&self, w: &Wave, base: u16, limit: u16) -> Result<V, Trouble> {
        let m0 = w.s[S::M0 as usize] & 0xff;
        let at = u32::from(base) + m0;
        if at >= u32::from(limit) {
            let l = &self.shared.layout;
            let accumulation = limit != l.vgprs;
            let (name, first, count) = if accumulation { ("a", l.agpr_base, l.agprs) } else { ("v", 0, l.vgprs) };
            let (from, to) = (base - first, at - u32::from(first));
            let text = format!("{name}{from} indexed by M0 is {name}{to}, beyond the {count} registers of the kernel");
            return Err(Trouble::new(FaultKind::Resources, text));
        }
        Ok(V::reg(at as u16))
    }

    fn movrel(&mut self, w: &mut Wave, op: SOp, wide: bool, d: u8, a: S) -> Result<(), Trouble> {
        let m0 = w.s[S::M0 as usize];
        let words = if wide { 2 } else { 1 };
        let index = |base: u32| {
            base.checked_add(m0).filter(|i| i + words <= 102).ok_or_else(|| {
                Trouble::new(
                    FaultKind::Instruction,
                    format!("a relative move by M0 = {m0:#x} leaves the scalar registers"),
                )
            })
        };
        if op == SOp::MovrelS {
            let from = index(a.0)? as u8;
            let v = w.pair(from);
            if wide { w.set_pair(d, v) } else { w.s[d as usize] = v as u32 }
        } else {
            let to = index(u32::from(d))? as u8;
            if wide {
                let v = w.s64(a);
                w.set_pair(to, v);
            } else {
                w.s[to as usize] = w.s32(a);
            }
        }
        Ok(())
    }

    /// A hardware register as `s_getreg_b32` numbers them.
    fn hardware_register(&self, group: &Group, wave: usize, id: u16) -> u32 {
        let w = &group.waves[wave];
        match id {
            1 => w.mode,
            2 => {
                let (execz, vccz) = (u32::from(w.exec() == 0), u32::from(w.pair(S::VCC) == 0));
                u32::from(w.scc) | execz << 9 | vccz << 10 | u32::from(group.waves.len() > 1) << 11 | 1 << 16
            }
            3 => w.trapsts,
            4 => {
                // Wave slot, SIMD, CU within its shader array, shader engine: enough to tell places apart.
                let cu = group.cu / self.shared.dispatch.sku.xcds;
                ((w.index / 4) & 15) | ((w.index & 3) << 4) | ((cu & 15) << 8) | (((cu >> 4) & 7) << 13)
            }
            // Registers in units of allocation, less one; CDNA1 counts its VGPRs alone, and has as many AGPRs.
            5 => {
                let l = &self.shared.layout;
                let units = |n: u16, unit: u16| u32::from(n.div_ceil(unit)).saturating_sub(1) & 63;
                match l.target {
                    wavesmith_asm::Target::Gfx908 => units(l.vgprs, 4) << 8,
                    _ => units(l.registers, 8) << 6 | units(l.agpr_base, 4) << 12,
                }
            }
            // What was allocated, in 64 dwords.
            6 => {
                let granule = self.shared.dispatch.sku.target.lds_granule();
                (group.lds_bytes.next_multiple_of(granule) / 256) << 12 & 0x1f_f000
            }
            15 => ((crate::aperture::PRIVATE_BASE >> 48) | (crate::aperture::SHARED_BASE >> 48) << 16) as u32,
            20 => group.xcc,
            _ => 0,
        }
    }
}

enum Step {
    Pause(Pause),
    Relook,
}

pub(super) enum Flow {
    Block(u32),
    /// The same block again, later.
    Again,
    Pause(Pause, u32),
    Address(u64),
}

/// Lanes moved by DPP, and which lanes an instruction may write with them.
pub(crate) fn dpp(src: &[u32; WAVE], c: DppCtrl, exec: u64) -> ([u32; WAVE], u64) {
    let mut out = [0; WAVE];
    let mut lanes = 0u64;
    for (i, out) in out.iter_mut().enumerate() {
        let (row, bank) = (i / 16, i % 16 / 4);
        if c.row_mask >> row & 1 == 0 || c.bank_mask >> bank & 1 == 0 {
            continue;
        }
        let from = dpp_source(c.ctrl, i).filter(|f| exec >> f & 1 == 1);
        match from {
            Some(f) => {
                *out = src[f];
                lanes |= 1 << i;
            }
            // An invalid source is 0 with bound_ctrl; without, the lane is not written.
            None if c.bound_ctrl => lanes |= 1 << i,
            None => {}
        }
    }
    (out, lanes)
}

/// The lane that lane `i` reads, if there is one.
pub(super) fn dpp_source(ctrl: u16, i: usize) -> Option<usize> {
    let (row, in_row) = (i & !15, i & 15);
    let n = (ctrl & 15) as usize;
    match ctrl {
        0x000..=0x0ff => Some((i & !3) | ((ctrl >> (2 * (i & 3))) as usize & 3)),
        0x101..=0x10f => (in_row + n < 16).then(|| i + n),
        0x111..=0x11f => (in_row >= n).then(|| i - n),
        0x121..=0x12f => Some(row | ((in_row + 16 - n) % 16)),
        0x130 => (i + 1 < WAVE).then(|| i + 1),
        0x134 => Some((i + 1) % WAVE),
        0x138 => i.checked_sub(1),
        0x13c => Some((i + WAVE - 1) % WAVE),
        0x140 => Some(row | (15 - in_row)),
        0x141 => Some(i & !7 | (7 - (i & 7))),
        // The last lane of the row before, for all rows but the first.
        0x142 => (row > 0).then(|| row - 1),
        // Lane 31, for the upper half.
        0x143 => (i >= 32).then_some(31),
        0x150..=0x15f => Some(row | n),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(ctrl: u16) -> ([u32; WAVE], u64) {
        let src = core::array::from_fn(|i| i as u32);
        dpp(&src, DppCtrl { ctrl, row_mask: 15, bank_mask: 15, bound_ctrl: false }, u64::MAX)
    }

    #[test]
    fn row_shifts_leave_lanes_without_a_source_alone() {
        let (out, lanes) = moved(0x111);
        assert_eq!(lanes, 0xfffe_fffe_fffe_fffe);
        assert_eq!(out[17], 16);
        let (out, lanes) = moved(0x101);
        assert_eq!(lanes, 0x7fff_7fff_7fff_7fff);
        assert_eq!(out[16], 17);
    }

    #[test]
    fn broadcasts_of_a_row_reach_the_next_and_those_of_31_the_upper_half() {
        let (out, lanes) = moved(0x142);
        assert_eq!((out[16], out[47], lanes), (15, 31, 0xffff_ffff_ffff_0000));
        let (out, lanes) = moved(0x143);
        assert_eq!((out[32], out[63], lanes), (31, 31, 0xffff_ffff_0000_0000));
    }

    #[test]
    fn quads_mirrors_and_rotations_permute_within_their_rows() {
        assert_eq!(moved(0b00_01_10_11).0[4..8], [7, 6, 5, 4]);
        assert_eq!(moved(0x140).0[16], 31);
        assert_eq!(moved(0x141).0[8], 15);
        assert_eq!(moved(0x121).0[0], 15);
        assert_eq!(moved(0x121).0[5], 4);
    }
}

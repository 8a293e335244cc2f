//! Compiles a segment's blocks to host code.
//!
//! Runs of lane arithmetic become groups (`group`), whose intermediate results stay in host registers; scalar
//! arithmetic, branches and the accounting of instructions are inline (`scalar`, and here); everything else is a call
//! into the interpreter's own step. Control stays in compiled code from block to block, until the wave has had its
//! share, waits, ends or faults. Vector code comes in AVX-512 (`evex`) and AVX2 (`avx2`); other hosts interpret.
//!
//! Where the host's instruction is not the definition bit for bit (NaN payloads), the result is looked at before it is
//! used, and the definition is called for the lanes at hand if need be. So compiled code never has to be left half-way,
//! and both engines give the same bits.
//!
//! In compiled code: `r13` the context, `rbx` the wave's registers (32 on, so that displacements stay short), `r15`
//! temporaries, `r14` constants, `r12` the scalar file; `rcx` and `rdx` where in a register and in a mask a group is.

#![allow(clippy::useless_conversion, reason = "dynasm converts every register number, whatever its type")]

mod avx2;
mod code;
mod direct;
mod evex;
mod group;
mod scalar;

use super::ir::{Access, Address, MemOp, S, Segment, Uop, V};
use super::lanes::{Kernel, LaneOp, Lanes, Level};
use super::run::{Trouble, Worker};
use super::state::{Bases, Group, Wave};
use code::Code;
use core::mem::offset_of;
use dynasm::dynasm;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi};
use group::{Fixed, Slow};
use wavesmith_asm::sem::{Branch, Space};

/// Sixteen lanes, or eight and room.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Lanes16([u32; 16]);

/// What compiled code works on. Its layout is known to the code.
#[derive(Debug)]
#[repr(C)]
pub struct Context {
    fixed: [Lanes16; Fixed::VALUES.len()],
    /// Result and sources of an operation done by its definition.
    slow: [Lanes; 4],
    /// Host registers meanwhile.
    save: [Lanes16; 32],
    /// Instructions left of the share.
    left: i64,
    /// Instructions of the share that a loop which waits for others has given up.
    given_up: i64,
    /// Counters of a group while its code is left.
    counters: [u64; 2],
    regs: *mut u32,
    temps: *mut u32,
    consts: *mut u32,
    scalars: *mut u32,
    step: usize,
    memory: usize,
    matrix: usize,
    define: usize,
    kernels: *const Kernel,
    worker: *mut core::ffi::c_void,
    group: *mut Group,
    wave: usize,
    segment: *const Segment,
    bases: Bases,
    /// Instructions pending and left when the code was entered.
    at_entry: (u64, i64),
    /// Block to go on at after a share.
    block: u32,
    stored: bool,
    clocked: bool,
    polled: bool,
    trouble: Option<(Trouble, u32)>,
}

impl Default for Context {
    fn default() -> Context {
        let null = core::ptr::null_mut();
        Context {
            fixed: Fixed::VALUES.map(Lanes16),
            slow: [Lanes::ZERO; 4],
            save: [Lanes16([0; 16]); 32],
            left: 0,
            given_up: 0,
            counters: [0; 2],
            regs: null,
            temps: null,
            consts: null,
            scalars: null,
            step: step_from_code as *const () as usize,
            memory: memory_from_code as *const () as usize,
            matrix: matrix_from_code as *const () as usize,
            define: define_from_code as *const () as usize,
            kernels: core::ptr::null(),
            worker: core::ptr::null_mut(),
            group: core::ptr::null_mut(),
            wave: 0,
            segment: core::ptr::null(),
            bases: Bases([null; 3]),
            at_entry: (0, 0),
            block: 0,
            stored: false,
            clocked: false,
            polled: false,
            trouble: None,
        }
    }
}

impl Context {
    /// What went wrong, and in which micro-operation.
    pub fn trouble(&mut self) -> Option<(Trouble, u32)> {
        self.trouble.take()
    }

    /// Instructions executed and not yet reported.
    fn issued(&self) -> u64 {
        self.at_entry.0 + (self.at_entry.1 - self.left - self.given_up) as u64
    }
}

/// Registers by which `rbx` is ahead of the first.
const BIAS: i32 = 32;

/// The share is used up.
const SHARE: u32 = u32::MAX;
/// A micro-operation failed.
const TROUBLE: u32 = u32::MAX - 1;

/// Why compiled code was left.
#[derive(Clone, Copy, Debug)]
pub enum Left {
    /// The share is used up; the wave goes on at that block.
    Share(u32),
    /// This micro-operation, which ends its block, is the interpreter's. The block is given for those that may come again.
    Uop(u32, u32),
    /// One failed: the context says which, and how.
    Trouble,
}

/// Code of a segment.
#[derive(Debug)]
pub struct Native {
    code: memmap2::Mmap,
    /// Where each block begins.
    entries: Vec<u32>,
}

impl Native {
    /// Bytes of code.
    pub fn size(&self) -> usize {
        self.code.len()
    }

    /// Runs from the start of a block. `left` and the worker's counters are kept up.
    ///
    /// # Safety
    /// The code is that of `segment`, which the wave runs, and `bases` are theirs.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub unsafe fn run(
        &self,
        context: &mut Context,
        worker: *mut Worker<'_>,
        group: *mut Group,
        wave: usize,
        (segment, bases): (&Segment, Bases),
        block: u32,
        left: &mut i64,
    ) -> Left {
        // SAFETY: the caller vouches for group, wave and worker, which nobody else uses meanwhile; `enter` begins the
        // code and takes a place in it.
        unsafe {
            let w = &mut (&mut (*group).waves)[wave];
            context.left = *left;
            context.given_up = 0;
            context.at_entry = ((*worker).pending, *left);
            context.regs = bases.0[0].wrapping_add((BIAS * 64) as usize);
            context.temps = bases.0[1];
            context.consts = bases.0[2];
            // From the whole wave, because SCC is reached from there too.
            let wave_at: *mut Wave = w;
            context.scalars = wave_at.cast::<u8>().add(offset_of!(Wave, s)).cast();
            context.kernels = (*worker).kernels.as_ptr();
            context.worker = worker.cast();
            context.group = group;
            context.wave = wave;
            context.segment = segment;
            context.bases = bases;
            let enter: unsafe extern "sysv64" fn(*mut Context, *const u8) -> u32 =
                core::mem::transmute(self.code.as_ptr());
            let at = self.code.as_ptr().add(self.entries[block as usize] as usize);
            let code = enter(context, at);
            *left = context.left;
            (*worker).pending = context.issued();
            (*worker).stored |= core::mem::take(&mut context.stored);
            (*worker).clocked |= core::mem::take(&mut context.clocked);
            (*worker).polled |= core::mem::take(&mut context.polled);
            match code {
                SHARE => Left::Share(context.block),
                TROUBLE => Left::Trouble,
                uop => Left::Uop(uop, context.block),
            }
        }
    }
}

/// The interpreter's step, for compiled code. Not zero if it failed.
///
/// # Safety
/// Called by compiled code with its context.
unsafe extern "sysv64" fn step_from_code(context: *mut Context, uop: u32) -> u32 {
    // SAFETY: `Native::run` has put valid pointers there, which nothing else uses while the code runs.
    unsafe {
        let c = &mut *context;
        let worker = &mut *c.worker.cast::<Worker<'_>>();
        worker.pending = c.issued();
        let segment = &*c.segment;
        match worker.step_out_of_line(&mut *c.group, c.wave, segment, &segment.uops[uop as usize], c.bases) {
            Ok(_) => 0,
            Err(t) => {
                c.trouble = Some((t, uop));
                1
            }
        }
    }
}

/// A vector memory access that has been counted, for compiled code. Not zero if it failed.
///
/// # Safety
/// As [`step_from_code`].
unsafe extern "sysv64" fn memory_from_code(context: *mut Context, uop: u32) -> u32 {
    // SAFETY: as there.
    unsafe {
        let c = &mut *context;
        let worker = &mut *c.worker.cast::<Worker<'_>>();
        let segment = &*c.segment;
        let Uop::Mem(i) = segment.uops[uop as usize] else { return 0 };
        match worker.counted(&mut *c.group, c.wave, &segment.mems[i as usize], c.bases) {
            Ok(()) => 0,
            Err(t) => {
                c.trouble = Some((t, uop));
                1
            }
        }
    }
}

/// A matrix instruction, for compiled code.
///
/// # Safety
/// As [`step_from_code`].
unsafe extern "sysv64" fn matrix_from_code(context: *mut Context, at: u32) {
    // SAFETY: as there.
    unsafe {
        let c = &mut *context;
        let worker = &mut *c.worker.cast::<Worker<'_>>();
        worker.matrix(&(&(*c.segment).mfmas)[at as usize], c.bases);
    }
}

/// An operation on the context's `slow` registers by its definition.
///
/// # Safety
/// As [`step_from_code`].
unsafe extern "sysv64" fn define_from_code(context: *mut Context, op: u32) {
    // SAFETY: as there; the kernels are those of a level that the host offers, and each argument is a whole register.
    unsafe {
        let c = &mut *context;
        let at = c.slow.as_mut_ptr().cast::<u32>();
        let kernel = *c.kernels.add(op as usize);
        kernel(at, at.add(64), at.add(128), at.add(192));
    }
}

/// Data that code refers to.
pub struct Constant {
    label: DynamicLabel,
    data: Vec<u8>,
}

/// What is written after the code proper.
#[derive(Default)]
pub struct Cold {
    constants: Vec<Constant>,
    /// Accesses that do not go the direct way: where that begins, and where it goes on.
    accesses: Vec<(DynamicLabel, DynamicLabel, u32)>,
    slow: Vec<(DynamicLabel, DynamicLabel, Slow, evex::At)>,
}

/// Which base an operand has, and its distance from the register that points there.
fn offsets(v: V) -> (usize, i32) {
    let at = v.index() as i32 * 256;
    (v.base(), if v.is_reg() { at - BIAS * 256 } else { at })
}

/// Calls the definition of an operation whose sources are in the context.
fn call_slow(c: &mut Code, op: LaneOp) {
    const COUNTERS: i32 = offset_of!(Context, counters) as i32;
    const DEFINE: i32 = offset_of!(Context, define) as i32;
    dynasm!(c.ops ; .arch x64
        ; mov [r13 + COUNTERS], rcx
        ; mov [r13 + COUNTERS + 8], rdx
        ; vzeroupper
        ; mov rdi, r13
        ; mov esi, op as i32
        ; call QWORD [r13 + DEFINE]
        ; mov rcx, [r13 + COUNTERS]
        ; mov rdx, [r13 + COUNTERS + 8]);
}

/// Groups of so few steps are written out for each quarter of a wave; a loop would cost more than they do.
const UNROLLED: usize = 10;

/// Numbers of the host's registers for arguments.
const RCX: u8 = 1;
const RDX: u8 = 2;
const R8: u8 = 8;

struct Compiler<'a> {
    seg: &'a Segment,
    level: Level,
    wide: bool,
    code: Code,
    cold: Cold,
    blocks: Vec<DynamicLabel>,
    exit: DynamicLabel,
    trouble: DynamicLabel,
    /// The block being compiled.
    at: usize,
    /// Whether an instruction begins at each micro-operation.
    starts: Vec<bool>,
    pending: Vec<Uop>,
    scalars: group::Scalars,
}

/// Compiles a segment. `None` where the level has no code, or the host refuses executable memory.
pub fn compile(seg: &Segment, level: Level) -> Option<Native> {
    let wide = match level {
        Level::Avx512 => true,
        Level::Avx2 => false,
        Level::Plain => return None,
    };
    // Code goes on in the middle of a block after nothing that may have to wait.
    if seg.uops.iter().any(|u| matches!(u, Uop::Gws { ends: false, .. })) {
        return None;
    }
    // Nothing to compute: executable pages, which every core must hear of, would cost more than they save.
    if seg.uops.iter().all(|u| matches!(u, Uop::End | Uop::Next { .. })) {
        return None;
    }
    let mut code = Code::new();
    let mut starts = vec![false; seg.uops.len() + 1];
    for o in &seg.origins {
        starts[o.uop as usize] = true;
    }
    let (exit, trouble) = (code.label(), code.label());
    let blocks = seg.blocks.iter().map(|_| code.label()).collect();
    let mut c = Compiler {
        seg,
        level,
        wide,
        code,
        cold: Cold::default(),
        blocks,
        exit,
        trouble,
        at: 0,
        starts,
        pending: Vec::new(),
        scalars: group::Scalars::default(),
    };
    c.frame();
    let mut entries = Vec::with_capacity(seg.blocks.len());
    for i in 0..seg.blocks.len() {
        entries.push(c.code.ops.offset().0 as u32);
        c.block(i);
    }
    c.finish_cold();
    let bytes = c.code.finish()?;
    let mut pages = memmap2::MmapMut::map_anon(bytes.len()).ok()?;
    pages.copy_from_slice(&bytes);
    Some(Native { code: pages.make_exec().ok()?, entries })
}

impl Compiler<'_> {
    /// Entry and exits.
    fn frame(&mut self) {
        const REGS: i32 = offset_of!(Context, regs) as i32;
        const TEMPS: i32 = offset_of!(Context, temps) as i32;
        const CONSTS: i32 = offset_of!(Context, consts) as i32;
        const SCALARS: i32 = offset_of!(Context, scalars) as i32;
        let (exit, trouble) = (self.exit, self.trouble);
        dynasm!(self.code.ops ; .arch x64
            ; push rbx
            ; push rbp
            ; push r12
            ; push r13
            ; push r14
            ; push r15
            ; sub rsp, 8
            ; mov r13, rdi
            ; mov rbx, [r13 + REGS]
            ; mov r15, [r13 + TEMPS]
            ; mov r14, [r13 + CONSTS]
            ; mov r12, [r13 + SCALARS]
            ; jmp rsi
            ; =>trouble
            ; mov eax, TROUBLE as i32
            ; =>exit
            ; vzeroupper
            ; add rsp, 8
            ; pop r15
            ; pop r14
            ; pop r13
            ; pop r12
            ; pop rbp
            ; pop rbx
            ; ret);
    }

    fn block(&mut self, i: usize) {
        const LEFT: i32 = offset_of!(Context, left) as i32;
        const BLOCK: i32 = offset_of!(Context, block) as i32;
        const STORED: i32 = offset_of!(Context, stored) as i32;
        const CLOCKED: i32 = offset_of!(Context, clocked) as i32;
        const POLLED: i32 = offset_of!(Context, polled) as i32;
        const GIVEN_UP: i32 = offset_of!(Context, given_up) as i32;
        let block = self.seg.blocks[i];
        self.at = i;
        self.code.bind(self.blocks[i]);
        let go = self.code.label();
        let exit = self.exit;
        dynasm!(self.code.ops ; .arch x64
            ; mov rax, [r13 + LEFT]
            ; test rax, rax
            ; jg =>go
            ; mov DWORD [r13 + BLOCK], i as i32
            ; mov eax, SHARE as i32
            ; jmp =>exit
            ; =>go
            ; sub rax, block.instructions as i32);
        if block.polls {
            // One look is enough for a turn.
            let out = self.code.label();
            dynasm!(self.code.ops ; .arch x64
                ; mov BYTE [r13 + POLLED], 1
                ; test rax, rax
                ; jle =>out
                ; add [r13 + GIVEN_UP], rax
                ; xor eax, eax
                ; =>out);
        }
        dynasm!(self.code.ops ; .arch x64 ; mov [r13 + LEFT], rax);
        if block.stores {
            dynasm!(self.code.ops ; .arch x64 ; mov BYTE [r13 + STORED], 1);
        }
        if block.clock {
            dynasm!(self.code.ops ; .arch x64 ; mov BYTE [r13 + CLOCKED], 1);
        }
        for at in block.start..block.end {
            self.uop(at);
        }
        self.flush(false);
    }

    fn uop(&mut self, at: u32) {
        let u = self.seg.uops[at as usize];
        let keep = !self.starts[at as usize];
        let traits = if self.wide { evex::TRAITS } else { avx2::TRAITS };
        if group::groupable(self.seg, &u, traits) {
            if !self.scalars.take(&u) {
                self.flush(keep);
                self.scalars.take(&u);
            }
            self.pending.push(u);
            if matches!(u, Uop::Cmp { exec: true, .. }) {
                self.flush(!self.starts[at as usize + 1]);
            }
            return;
        }
        if let Some(access) = scalar::access(&u) {
            // Scalar arithmetic that the group does not depend on goes before it.
            let blocked = access.reads.iter().flatten().any(|(s, n)| self.scalars.blocks(*s, *n, false))
                || access.writes.is_some_and(|(s, n)| self.scalars.blocks(s, n, true));
            if blocked {
                self.flush(keep);
            }
            scalar::emit(&mut self.code, self.seg, &u);
            return;
        }
        self.flush(keep);
        let exit = self.exit;
        match u {
            Uop::Branch { cond, taken, next } => self.branch(cond, taken, next),
            Uop::Next { next } => self.go(next),
            Uop::Jump { .. }
            | Uop::End
            | Uop::Barrier { .. }
            | Uop::Sleep { .. }
            | Uop::Turn { .. }
            | Uop::Relook { .. }
            | Uop::Fork { .. }
            | Uop::Join { .. }
            | Uop::Gws { .. }
            | Uop::Land { .. }
            | Uop::Fault(_) => {
                if matches!(u, Uop::Gws { .. } | Uop::Land { .. }) {
                    const BLOCK: i32 = offset_of!(Context, block) as i32;
                    dynasm!(self.code.ops ; .arch x64 ; mov DWORD [r13 + BLOCK], self.at as i32);
                }
                dynasm!(self.code.ops ; .arch x64 ; mov eax, at as i32 ; jmp =>exit);
            }
            Uop::ReadFirst { d, a } => {
                let (base, disp) = self.scalar_place(a);
                let to = i32::from(d) * 4;
                // The first lane where none is on: the host says 64 then.
                dynasm!(self.code.ops ; .arch x64
                    ; xor ecx, ecx
                    ; tzcnt rax, [r12 + scalar::EXEC]
                    ; cmovc eax, ecx
                    ; mov eax, [Rq(base) + rax * 4 + disp]
                    ; mov [r12 + to], eax);
            }
            Uop::ReadLane { d, a, lane } if lane.0 < 256 => {
                let (base, disp) = self.scalar_place(a);
                let (from, to) = (lane.0 as i32 * 4, i32::from(d) * 4);
                dynasm!(self.code.ops ; .arch x64
                    ; mov eax, [r12 + from]
                    ; and eax, 63
                    ; mov eax, [Rq(base) + rax * 4 + disp]
                    ; mov [r12 + to], eax);
            }
            Uop::Mfma(i) => {
                const MATRIX: i32 = offset_of!(Context, matrix) as i32;
                dynasm!(self.code.ops ; .arch x64
                    ; vzeroupper
                    ; mov rdi, r13
                    ; mov esi, i as i32
                    ; call QWORD [r13 + MATRIX]);
            }
            Uop::Mem(i) => self.access(i, at),
            Uop::Smem(i) => self.scalar_access(i, at),
            _ => self.step(at),
        }
    }

    /// Has a function of the context do what stands at `at`; leaves the segment where it says so.
    fn ask(&mut self, function: usize, at: u32) {
        let trouble = self.trouble;
        dynasm!(self.code.ops ; .arch x64
            ; vzeroupper
            ; mov rdi, r13
            ; mov esi, at as i32
            ; call QWORD [r13 + function as i32]
            ; test eax, eax
            ; jnz =>trouble);
    }

    /// The interpreter's step.
    fn step(&mut self, at: u32) {
        self.ask(offset_of!(Context, step), at);
    }

    /// A vector memory access.
    fn access(&mut self, mem: u32, at: u32) {
        const VM_ISSUED: i32 = offset_of!(Wave, vm_issued) as i32 - offset_of!(Wave, s) as i32;
        let op = self.seg.mems[mem as usize];
        if op.space != Space::Lds {
            dynasm!(self.code.ops ; .arch x64 ; inc QWORD [r12 + VM_ISSUED]);
        }
        let (slow, back) = (self.code.label(), self.code.label());
        if !self.direct(&op, at, slow) {
            self.code.bind(slow);
            self.indirect(at);
            return;
        }
        self.code.bind(back);
        self.cold.accesses.push((slow, back, at));
    }

    /// An access that is not direct.
    fn indirect(&mut self, at: u32) {
        self.ask(offset_of!(Context, memory), at);
    }

    /// The usual access: all lanes, consecutive addresses. False where the operation is of another kind; goes to `slow`
    /// where it turns out to be when it runs.
    fn direct(&mut self, op: &MemOp, at: u32, slow: DynamicLabel) -> bool {
        let Some(function) = direct::transfer(op, self.level) else { return false };
        let (address, data) = match (op.address, op.access) {
            (Address::Wide(v) | Address::Base(_, v), Access::Store(_)) => (v, op.data),
            (Address::Wide(v) | Address::Base(_, v), _) => (v, op.dst),
            (Address::Buffer { offset: Some(v), .. }, Access::Store(_)) => (v, op.data),
            (Address::Buffer { offset: Some(v), .. }, _) => (v, op.dst),
            _ => return false,
        };
        let ((from, from_disp), (to, to_disp)) = (self.scalar_place(address), self.scalar_place(data));
        dynasm!(self.code.ops ; .arch x64 ; cmp QWORD [r12 + scalar::EXEC], BYTE -1 ; jne =>slow);
        match op.address {
            Address::Base(s, _) => scalar::load(&mut self.code, self.seg, RCX, s, true),
            Address::Buffer { resource, soffset, .. } => {
                let resource = resource.0 as i32 * 4;
                dynasm!(self.code.ops ; .arch x64 ; lea rcx, [r12 + resource]);
                scalar::load(&mut self.code, self.seg, R8, soffset, false);
            }
            _ => {}
        }
        dynasm!(self.code.ops ; .arch x64
            ; vzeroupper
            ; mov rdi, r13
            ; lea rsi, [Rq(from) + from_disp]
            ; lea rdx, [Rq(to) + to_disp]
            ; mov r9, QWORD direct::packed(op, at) as i64
            ; mov rax, QWORD function as usize as i64
            ; call rax
            ; test eax, eax
            ; jnz =>slow);
        true
    }

    /// A scalar memory access.
    fn scalar_access(&mut self, smem: u32, at: u32) {
        let op = self.seg.smems[smem as usize];
        if op.store
            || op.atomic.is_some()
            || op.buffer
            || op.soffset.is_some()
            || usize::from(op.data) + usize::from(op.dwords) > S::FILE
        {
            return self.step(at);
        }
        let done = self.code.label();
        let to = i32::from(op.data) * 4;
        scalar::load(&mut self.code, self.seg, RDX, op.base, true);
        dynasm!(self.code.ops ; .arch x64
            ; vzeroupper
            ; mov rdi, r13
            ; lea rsi, [r12 + to]
            ; mov rcx, op.offset
            ; mov r8d, i32::from(op.dwords)
            ; mov rax, QWORD direct::scalar_load as *const () as usize as i64
            ; call rax
            ; test eax, eax
            ; jz =>done);
        self.step(at);
        self.code.bind(done);
    }

    /// Base register and displacement of a vector operand's first lane.
    fn scalar_place(&self, v: V) -> (u8, i32) {
        let (base, disp) = offsets(v);
        ([3, 15, 14][base], disp)
    }

    fn go(&mut self, block: u32) {
        let to = self.blocks[block as usize];
        dynasm!(self.code.ops ; .arch x64 ; jmp =>to);
    }

    fn branch(&mut self, cond: Branch, taken: u32, next: u32) {
        let to = self.blocks[taken as usize];
        const VCC: i32 = S::VCC as i32 * 4;
        const EXEC: i32 = scalar::EXEC;
        const SCC: i32 = scalar::SCC;
        match cond {
            Branch::Scc0 | Branch::Scc1 => dynasm!(self.code.ops ; .arch x64 ; cmp BYTE [r12 + SCC], 0),
            Branch::Vccz | Branch::Vccnz => dynasm!(self.code.ops ; .arch x64 ; cmp QWORD [r12 + VCC], 0),
            _ => dynasm!(self.code.ops ; .arch x64 ; cmp QWORD [r12 + EXEC], 0),
        }
        match cond {
            Branch::Scc0 | Branch::Vccz | Branch::Execz => dynasm!(self.code.ops ; .arch x64 ; je =>to),
            Branch::Scc1 | Branch::Vccnz | Branch::Execnz => dynasm!(self.code.ops ; .arch x64 ; jne =>to),
            _ => dynasm!(self.code.ops ; .arch x64 ; jmp =>to),
        }
        self.go(next);
    }

    /// Writes the group that has been gathered.
    fn flush(&mut self, keep_temps: bool) {
        self.scalars = group::Scalars::default();
        let uops = core::mem::take(&mut self.pending);
        if uops.is_empty() {
            return;
        }
        let (c, cold) = (&mut self.code, &mut self.cold);
        if !self.wide {
            let steps = group::build(self.seg, &uops, avx2::TRAITS, keep_temps);
            let mut lanes = |c: &mut code::Code, full: bool| {
                let top = c.label();
                dynasm!(c.ops ; .arch x64 ; xor ecx, ecx ; xor edx, edx ; =>top);
                avx2::start(c);
                for step in &steps {
                    avx2::step(c, self.seg, step, full, cold);
                }
                dynasm!(c.ops ; .arch x64 ; add ecx, 32 ; inc edx ; cmp edx, 8 ; jne =>top);
            };
            // Most waves have all their lanes on, and storing some of a register's costs a load and a blend each.
            let stores = steps.iter().filter(|s| matches!(s, group::Op::Store { m, .. } if m.is_reg())).count();
            let changes = steps.iter().any(|s| matches!(s, group::Op::Cmp { exec: true, .. }));
            if stores == 0 || changes {
                lanes(c, false);
                return;
            }
            let (some, end) = (c.label(), c.label());
            dynasm!(c.ops ; .arch x64 ; cmp QWORD [r12 + scalar::EXEC], BYTE -1 ; jne =>some);
            lanes(c, true);
            dynasm!(c.ops ; .arch x64 ; jmp =>end ; =>some);
            lanes(c, false);
            c.bind(end);
            return;
        }
        let steps = group::build(self.seg, &uops, evex::TRAITS, keep_temps);
        if steps.len() <= UNROLLED {
            for quarter in 0..4 {
                let at = evex::At::Quarter(quarter);
                evex::start(c, at);
                for step in &steps {
                    evex::step(c, self.seg, step, at, cold);
                }
            }
            return;
        }
        let top = c.label();
        dynasm!(c.ops ; .arch x64 ; xor ecx, ecx ; xor edx, edx ; =>top);
        evex::start(c, evex::At::Loop);
        for step in &steps {
            evex::step(c, self.seg, step, evex::At::Loop, cold);
        }
        dynasm!(c.ops ; .arch x64 ; add ecx, 64 ; add edx, 2 ; cmp edx, 8 ; jne =>top);
    }

    fn finish_cold(&mut self) {
        let mut cold = core::mem::take(&mut self.cold);
        for (slow, back, at) in core::mem::take(&mut cold.accesses) {
            self.code.bind(slow);
            self.indirect(at);
            dynasm!(self.code.ops ; .arch x64 ; jmp =>back);
        }
        for (entry, back, slow, at) in &cold.slow {
            if self.wide {
                evex::slow(&mut self.code, *entry, *back, slow, *at);
            } else {
                avx2::slow(&mut self.code, *entry, *back, slow);
            }
        }
        for constant in cold.constants {
            self.code.ops.align(64, 0);
            self.code.bind(constant.label);
            self.code.ops.extend(&constant.data);
        }
    }
}

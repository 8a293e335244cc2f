//! [`KernelBuilder`]: what a kernel generator writes into.
//!
//! Instructions arrive through the typed methods of [`wavesmith_asm::Build`]; control flow, registers, LDS, arguments
//! and waits are here. Nothing is decided before [`KernelBuilder::finish`]: until then the kernel is a list of
//! instructions, labels and comments, each with the line of the generator that put it there. Errors that an
//! instruction method meets are kept and returned by `finish`, so that generators need no `?` on every line.

mod abi;
mod buffer;
mod flow;
mod pool;
mod refuse;
mod start;

pub use abi::Abi;
pub use flow::{Label, When};
pub use refuse::Refusal;

use crate::error::EmitError;
use crate::finish;
use crate::kernarg::{Arg, Kernargs};
use crate::kernel::Kernel;
use crate::metadata::Dim;
use pool::Pool;
use std::panic::Location;
use wavesmith_asm::build::{Emit, encode_shortest};
use wavesmith_asm::counters::WaitCnt;
use wavesmith_asm::reg::{A, Reg, RegClass, S, V};
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Field, Form, Inst, Mnemonic, Operand, Target, names};

/// SGPRs a wave may number (gfx9).
const MAX_SGPRS: u16 = 102;
/// VGPRs, and AGPRs, an instruction may number.
const MAX_VECTOR: u16 = 256;

/// One recorded instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub inst: Inst,
    pub at: &'static Location<'static>,
    /// Where a branch goes.
    pub target: Option<Label>,
    /// The author takes care of waits and wait states.
    pub manual: bool,
    /// Its entry in the builder's `virtuals`, or [`PHYSICAL`].
    pub virt: u32,
    /// Its part in working out a global's address.
    pub global: Option<GlobalPart>,
}

/// The instructions that work out a global's address, each with its number in the builder's `globals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GlobalPart {
    /// Reads the program counter that the others count from.
    Counter(u32),
    /// Adds the low half of the distance.
    Low(u32),
    /// Adds the high half.
    High(u32),
}

/// A node whose registers are all physical.
pub(crate) const PHYSICAL: u32 = u32::MAX;

/// An instruction's operands where some are virtual. The instruction itself is encoded with stand-ins; only registers are
/// left to be filled in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Virtual {
    operands: [Operand; MAX_OPERANDS],
    count: u8,
}

/// Most operands of a row.
const MAX_OPERANDS: usize = 8;

impl Virtual {
    pub(crate) fn operands(&self) -> &[Operand] {
        &self.operands[..self.count.into()]
    }
}

/// A virtual register or run of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub class: RegClass,
    /// Virtual index of its first register.
    pub first: u16,
    pub count: u8,
    pub at: &'static Location<'static>,
}

/// The first virtual index of each file: physical ones are below.
pub(crate) const FIRST_VIRTUAL: u16 = 256;

/// Whether the register is virtual.
pub(crate) fn is_virtual(r: Reg) -> bool {
    r.class != RegClass::Src && r.index >= FIRST_VIRTUAL
}

/// One entry of the kernel under construction.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Inst(Node),
    Bind(Label),
    Comment(String),
}

/// A label's name and whether it has a place.
#[derive(Clone, Debug)]
pub(crate) struct LabelInfo {
    pub name: String,
    pub bound: bool,
}

/// A run of LDS bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lds {
    /// Byte offset from the workgroup's LDS.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// Builds one kernel.
#[derive(Debug)]
pub struct KernelBuilder {
    pub(crate) name: String,
    pub(crate) target: Target,
    pub(crate) abi: Abi,
    pub(crate) entries: Vec<Entry>,
    pub(crate) labels: Vec<LabelInfo>,
    pub(crate) errors: Vec<EmitError>,
    pub(crate) kernargs: Kernargs,
    pub(crate) lds_peak: u32,
    pub(crate) max_workgroup_size: u32,
    pub(crate) reqd_workgroup_size: Option<[u32; 3]>,
    pub(crate) virtuals: Vec<Virtual>,
    pub(crate) values: Vec<Value>,
    /// Symbols whose addresses are worked out, one for each time.
    pub(crate) globals: Vec<String>,
    /// Places where the program ends itself, with what was wrong.
    refusals: Vec<(Label, String)>,
    next_virtual: [u16; 3],
    lds_used: u32,
    sgprs: Pool,
    vgprs: Pool,
    agprs: Pool,
    manual: u32,
    /// The author waits for LDS that memory fills.
    pub(crate) own_lds_fills: bool,
    /// Bytes of scratch a lane.
    pub(crate) scratch: u32,
    has_scratch: bool,
}

impl KernelBuilder {
    /// A kernel with the default [`Abi`].
    #[track_caller]
    pub fn new(name: impl Into<String>, target: Target) -> Self {
        KernelBuilder::with_abi(name, target, Abi::default())
    }

    /// A kernel that starts with the inputs `abi` asks for. Their registers are taken; free them when done.
    #[track_caller]
    pub fn with_abi(name: impl Into<String>, target: Target, abi: Abi) -> Self {
        let at = Location::caller();
        let has_scratch = abi.user.flat_scratch_init;
        let mut abi = abi;
        // Later targets find scratch by themselves.
        abi.user.flat_scratch_init &= !matches!(target, Target::Gfx942 | Target::Gfx950);
        let mut b = KernelBuilder {
            name: name.into(),
            target,
            abi,
            entries: Vec::new(),
            labels: Vec::new(),
            errors: Vec::new(),
            kernargs: Kernargs::new(),
            lds_peak: 0,
            max_workgroup_size: 1024,
            reqd_workgroup_size: None,
            virtuals: Vec::new(),
            values: Vec::new(),
            globals: Vec::new(),
            refusals: Vec::new(),
            next_virtual: [FIRST_VIRTUAL; 3],
            lds_used: 0,
            sgprs: Pool::new(RegClass::S, MAX_SGPRS),
            vgprs: Pool::new(RegClass::V, MAX_VECTOR),
            agprs: Pool::new(RegClass::A, MAX_VECTOR),
            manual: 0,
            own_lds_fills: false,
            scratch: 0,
            has_scratch,
        };
        // Each input is a run of its own, so that each can be freed by its handle.
        let mut inputs = vec![];
        inputs.extend(abi.dispatch_ptr_at().map(|at| (at, 2)));
        inputs.extend(abi.kernarg_ptr_at().map(|at| (at, 2)));
        inputs.extend([Dim::X, Dim::Y, Dim::Z].into_iter().filter_map(|d| abi.workgroup_id_at(d)).map(|at| (at, 1)));
        for (first, count) in inputs {
            b.sgprs.pin(first, count, at).unwrap_or_else(|e| b.errors.push(e));
        }
        for i in 0..abi.initial_sgprs() {
            // What has no handle here is held one by one.
            let _ = b.sgprs.pin(i, 1, at);
        }
        for i in 0..abi.initial_vgprs(target.unified_vgprs()) {
            b.vgprs.pin(i, 1, at).unwrap_or_else(|e| b.errors.push(e));
        }
        b.begin();
        b
    }

    /// The exact workgroup size the code is written for.
    pub fn workgroup_size(&mut self, size: [u32; 3]) {
        self.max_workgroup_size = size.iter().product();
        self.reqd_workgroup_size = Some(size);
    }

    /// The kernel's arguments.
    pub fn kernargs(&mut self) -> &mut Kernargs {
        &mut self.kernargs
    }

    /// The kernel-argument pointer; the [`Abi`] must ask for it.
    #[track_caller]
    pub fn kernarg_ptr(&self) -> S<2> {
        S(self.abi.kernarg_ptr_at().expect("the ABI of this kernel has no kernel-argument pointer"))
    }

    /// The dispatch packet's address; the [`Abi`] must ask for it.
    #[track_caller]
    pub fn dispatch_ptr(&self) -> S<2> {
        S(self.abi.dispatch_ptr_at().expect("the ABI of this kernel has no dispatch pointer"))
    }

    /// A workgroup id; the [`Abi`] must ask for it.
    #[track_caller]
    pub fn workgroup_id(&self, dim: Dim) -> S<1> {
        S(self.abi.workgroup_id_at(dim).expect("the ABI of this kernel has no workgroup id in that dimension"))
    }

    /// The work-item id: x alone in the low 10 bits, y and z above them on gfx90a and later where the [`Abi`] asks for
    /// them; `v1` and `v2` on gfx908.
    pub fn workitem_id(&self) -> V<1> {
        V(0)
    }

    /// Loads an argument into as many SGPRs as `dst` has, from its first dword on.
    #[track_caller]
    pub fn load_arg<const N: usize>(&mut self, dst: S<N>, arg: Arg) {
        if let Some(first) = self.preloaded(arg, N as u16) {
            for i in 0..N as u16 {
                self.emit_by_name("s_mov_b32", &[dst.at(i).into(), S::<1>(first + i).into()]);
            }
            return;
        }
        let base = self.kernarg_ptr();
        self.load_scalar(dst, base, arg.offset as i32);
    }

    /// Loads `N` dwords (1, 2, 4, 8 or 16) from a scalar address.
    #[track_caller]
    pub fn load_scalar<const N: usize>(&mut self, dst: S<N>, base: S<2>, offset: i32) {
        let name = match N {
            1 => "s_load_dword",
            2 => "s_load_dwordx2",
            4 => "s_load_dwordx4",
            8 => "s_load_dwordx8",
            16 => "s_load_dwordx16",
            _ => return self.fail(format!("there is no scalar load of {N} dwords: 1, 2, 4, 8 and 16 exist")),
        };
        self.emit_by_name(name, &[dst.into(), base.into(), Operand::Int(offset)]);
    }

    /// The address of a device global, or of any other symbol of the code object, relative to the code: no relocation
    /// is left to the loader.
    #[track_caller]
    pub fn address_of(&mut self, dst: S<2>, symbol: impl Into<String>) {
        let id = self.globals.len() as u32;
        self.globals.push(symbol.into());
        let (low, high) = (dst.at(0), dst.at(1));
        let part = |b: &mut Self, name: &str, operands: &[Operand], part: GlobalPart| {
            let at = b.emit_by_name(name, operands);
            if let Some(Entry::Inst(node)) = b.entries.get_mut(at) {
                node.global = Some(part);
            }
        };
        part(self, "s_getpc_b64", &[dst.into()], GlobalPart::Counter(id));
        part(self, "s_add_u32", &[low.into(), low.into(), Operand::Literal(0)], GlobalPart::Low(id));
        part(self, "s_addc_u32", &[high.into(), high.into(), Operand::Literal(0)], GlobalPart::High(id));
    }

    /// `N` free SGPRs: pairs even, longer runs at a multiple of four.
    ///
    /// # Errors
    /// [`EmitError::OutOfRegisters`] says what is live.
    #[track_caller]
    pub fn sgpr<const N: usize>(&mut self) -> Result<S<N>, EmitError> {
        let align = match N {
            1 => 1,
            2 => 2,
            _ => 4,
        };
        self.sgprs.take(N as u16, align, Location::caller()).map(S)
    }

    /// `N` free VGPRs; runs are even-aligned where the target demands it.
    ///
    /// # Errors
    /// [`EmitError::OutOfRegisters`] says what is live.
    #[track_caller]
    pub fn vgpr<const N: usize>(&mut self) -> Result<V<N>, EmitError> {
        let align = self.vector_align(N);
        self.vgprs.take(N as u16, align, Location::caller()).map(V)
    }

    /// `N` free AGPRs; runs are even-aligned where the target demands it.
    ///
    /// # Errors
    /// [`EmitError::OutOfRegisters`] says what is live.
    #[track_caller]
    pub fn agpr<const N: usize>(&mut self) -> Result<A<N>, EmitError> {
        let align = self.vector_align(N);
        self.agprs.take(N as u16, align, Location::caller()).map(A)
    }

    /// A run of `N` virtual VGPRs: [`KernelBuilder::finish`] finds them a place that nothing else needs while they are
    /// live.
    #[track_caller]
    pub fn v<const N: usize>(&mut self) -> V<N> {
        V(self.value(RegClass::V, N))
    }

    /// A run of `N` virtual AGPRs.
    #[track_caller]
    pub fn a<const N: usize>(&mut self) -> A<N> {
        A(self.value(RegClass::A, N))
    }

    /// A run of `N` virtual SGPRs.
    #[track_caller]
    pub fn s<const N: usize>(&mut self) -> S<N> {
        S(self.value(RegClass::S, N))
    }

    /// A run of `count` virtual registers of a file, where the count is known only to the generator.
    #[track_caller]
    pub fn run(&mut self, class: RegClass, count: u8) -> Reg {
        Reg { class, index: self.value(class, count.into()), count }
    }

    #[track_caller]
    fn value(&mut self, class: RegClass, count: usize) -> u16 {
        let next = &mut self.next_virtual[class as usize];
        let first = *next;
        let at = Location::caller();
        match first.checked_add(count as u16) {
            Some(end) => {
                *next = end;
                self.values.push(Value { class, first, count: count as u8, at });
            }
            None => self.errors.push(EmitError::Encode { message: "too many virtual registers".into(), at }),
        }
        first
    }

    fn vector_align(&self, n: usize) -> u16 {
        if n > 1 && self.target.unified_vgprs() { 2 } else { 1 }
    }

    fn pool(&mut self, class: RegClass) -> &mut Pool {
        match class {
            RegClass::V => &mut self.vgprs,
            RegClass::A => &mut self.agprs,
            RegClass::S | RegClass::Src => &mut self.sgprs,
        }
    }

    /// Takes exactly these registers.
    ///
    /// # Errors
    /// [`EmitError::Taken`] says by whom.
    #[track_caller]
    pub fn pin(&mut self, reg: impl Into<Reg>) -> Result<(), EmitError> {
        let r = reg.into();
        self.pool(r.class).pin(r.index, r.count.into(), Location::caller())
    }

    /// Gives registers back. Giving back what was not allocated is an error that [`KernelBuilder::finish`] returns.
    #[track_caller]
    pub fn free(&mut self, reg: impl Into<Reg>) {
        let r = reg.into();
        let at = Location::caller();
        if let Err(e) = self.pool(r.class).free(r.index, r.count.into(), at) {
            self.errors.push(e);
        }
    }

    /// Runs `body` and gives back every register and LDS byte that it allocated.
    ///
    /// # Errors
    /// What `body` returns.
    pub fn scope<T, E>(&mut self, body: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        let before = (self.sgprs.clone(), self.vgprs.clone(), self.agprs.clone(), self.lds_used);
        let result = body(self);
        self.sgprs.restore(&before.0);
        self.vgprs.restore(&before.1);
        self.agprs.restore(&before.2);
        self.lds_used = before.3;
        result
    }

    /// Keeps the allocator below `n` registers of a file, for an occupancy to be reached.
    pub fn limit(&mut self, class: RegClass, n: u16) {
        let most = if class == RegClass::S { MAX_SGPRS } else { MAX_VECTOR };
        self.pool(class).set_limit(n.min(most));
    }

    /// Registers of a file that are taken now, and the most it may take.
    pub fn in_use(&mut self, class: RegClass) -> (u16, u16) {
        let pool = self.pool(class);
        (pool.in_use(), pool.limit())
    }

    /// A line per live run of a file, with the generator's line that took it.
    pub fn live(&mut self, class: RegClass) -> Vec<crate::error::Live> {
        self.pool(class).live().to_vec()
    }

    /// `bytes` of LDS at a multiple of `align` (a power of two).
    ///
    /// # Errors
    /// [`EmitError::OutOfLds`] where the workgroup's limit is exceeded.
    #[track_caller]
    pub fn lds(&mut self, bytes: u32, align: u32) -> Result<Lds, EmitError> {
        let offset = self.lds_used.next_multiple_of(align.max(1));
        let limit = self.target.max_lds();
        match offset.checked_add(bytes).filter(|end| *end <= limit) {
            Some(end) => {
                self.lds_used = end;
                self.lds_peak = self.lds_peak.max(end);
                Ok(Lds { offset, size: bytes })
            }
            None => {
                Err(EmitError::OutOfLds { asked: bytes, offset, limit, target: self.target, at: Location::caller() })
            }
        }
    }

    /// Puts a comment into the listing.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.entries.push(Entry::Comment(text.into()));
    }

    /// Runs `body` with the order and the waits its own: nothing is inserted before instructions that it records, and
    /// what its waits cover is taken into account afterwards.
    pub fn manual<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.manual += 1;
        let result = body(self);
        self.manual -= 1;
        result
    }

    /// Leaves waiting for loads into LDS to the author, who knows which stage of a ring a load fills and which is read:
    /// without this every LDS access and barrier waits for all such loads before it. Their order with LDS accesses is the
    /// author's as well.
    pub fn own_lds_fills(&mut self) {
        self.own_lds_fills = true;
    }

    /// Records an `s_waitcnt`. Waits that data dependencies need are inserted anyway; this is for order that memory
    /// itself must keep. Right behind another wait it becomes part of that.
    #[track_caller]
    pub fn wait(&mut self, wait: WaitCnt) {
        let manual = self.manual > 0;
        if let Some(Entry::Inst(node)) = self.entries.last()
            && node.manual == manual
            && matches!(node.inst.row().sem, Sem::Control(Control::Waitcnt))
        {
            let both = wait.and(WaitCnt::decode(node.inst.get(Field::Simm16) as u16));
            self.modify(self.entries.len() - 1, Field::Simm16, both.encode().into());
            return;
        }
        self.emit_by_name("s_waitcnt", &[Operand::Imm(i32::from(wait.encode()))]);
    }

    /// Waits until at most `n` vector memory operations are outstanding.
    #[track_caller]
    pub fn wait_vm(&mut self, n: u8) {
        self.wait(WaitCnt { vm: n, ..WaitCnt::NONE });
    }

    /// Waits until at most `n` LDS or scalar memory operations are outstanding.
    #[track_caller]
    pub fn wait_lgkm(&mut self, n: u8) {
        self.wait(WaitCnt { lgkm: n, ..WaitCnt::NONE });
    }

    /// Ends the wave.
    #[track_caller]
    pub fn end(&mut self) {
        self.emit_by_name("s_endpgm", &[Operand::Imm(0)]);
    }

    /// Records an instruction by its mnemonic without encoding suffix, operands in the row's order, and says where it
    /// is, for [`KernelBuilder::set_field`].
    #[track_caller]
    pub fn emit_by_name(&mut self, name: &str, operands: &[Operand]) -> usize {
        match names::lookup(name) {
            Some(m) => self.record(m, operands),
            None => {
                self.fail(format!("there is no instruction `{name}`"));
                self.entries.len()
            }
        }
    }

    /// Sets a modifier of a recorded instruction.
    pub fn set_field(&mut self, at: usize, field: Field, value: u32) {
        self.modify(at, field, value);
    }

    /// Records a finished instruction.
    #[track_caller]
    pub fn push(&mut self, inst: Inst) -> usize {
        self.push_node(inst, None)
    }

    #[track_caller]
    fn push_node(&mut self, inst: Inst, target: Option<Label>) -> usize {
        self.push_as(inst, target, PHYSICAL)
    }

    #[inline]
    #[track_caller]
    fn push_as(&mut self, inst: Inst, target: Option<Label>, virt: u32) -> usize {
        let manual = self.manual > 0;
        self.entries.push(Entry::Inst(Node { inst, at: Location::caller(), target, manual, virt, global: None }));
        self.entries.len() - 1
    }

    /// Keeps an error with the caller's line for [`KernelBuilder::finish`].
    #[track_caller]
    pub(crate) fn fail(&mut self, message: String) {
        self.errors.push(EmitError::Encode { message, at: Location::caller() });
    }

    /// Works out waits, wait states, addresses and register counts.
    ///
    /// # Errors
    /// The first thing that went wrong while recording, or what cannot be laid out.
    pub fn finish(self) -> Result<Kernel, EmitError> {
        finish::finish(self)
    }
}

impl Emit for KernelBuilder {
    fn target(&self) -> Target {
        self.target
    }

    #[inline]
    #[track_caller]
    fn record(&mut self, mnemonic: Mnemonic, operands: &[Operand]) -> usize {
        if operands.iter().any(|o| o.reg().is_some_and(is_virtual)) {
            return self.record_virtual(mnemonic, operands);
        }
        match encode_shortest(mnemonic, operands, self.target) {
            Ok(inst) => self.push(inst),
            Err(e) => {
                self.fail(e.to_string());
                self.entries.len()
            }
        }
    }

    fn modify(&mut self, at: usize, field: Field, value: u32) {
        self.change(at, |inst| inst.modify(field, value));
    }

    fn force_form(&mut self, at: usize, form: Form) {
        self.change(at, |inst| {
            *inst = inst.with_form(form)?;
            Ok(())
        });
    }
}

impl KernelBuilder {
    /// Records an instruction with virtual registers. Register 0 stands in for each, so that the form is chosen now.
    #[track_caller]
    fn record_virtual(&mut self, mnemonic: Mnemonic, operands: &[Operand]) -> usize {
        let mut kept = [Operand::Off; MAX_OPERANDS];
        let count = operands.len().min(MAX_OPERANDS);
        kept[..count].copy_from_slice(&operands[..count]);
        let mut physical = kept;
        for o in &mut physical[..count] {
            if let Operand::Reg(r) = o
                && is_virtual(*r)
            {
                r.index = 0;
            }
        }
        match encode_shortest(mnemonic, &physical[..count], self.target) {
            Ok(inst) => {
                let virt = self.virtuals.len() as u32;
                self.virtuals.push(Virtual { operands: kept, count: count as u8 });
                self.push_as(inst, None, virt)
            }
            Err(e) => {
                self.fail(e.to_string());
                self.entries.len()
            }
        }
    }

    fn change(&mut self, at: usize, change: impl FnOnce(&mut Inst) -> Result<(), wavesmith_asm::EncodeError>) {
        // An instruction that failed to encode has no entry; its error is already kept.
        let Some(Entry::Inst(node)) = self.entries.get_mut(at) else { return };
        if let Err(e) = change(&mut node.inst) {
            self.errors.push(EmitError::Encode { message: e.to_string(), at: node.at });
        }
    }
}

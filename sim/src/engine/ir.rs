//! The micro-operations that an instruction is lowered to, and the program made of them.
//!
//! There are few kinds and each does one thing. What instructions have in plenty (negation, clamp, halves, SDWA, DPP,
//! scalar operands in vector places) becomes operations on temporaries before and after the one that computes, so the
//! interpreter and the JIT compile the same short list and cannot disagree on modifiers.

use super::lanes::LaneOp;
use super::mfma::Mfma;
use wavesmith_asm::Inst;
use wavesmith_asm::sem::{Atomic, Branch, Cond, Control, Ds, Elem, Mem, SOp, Space};

/// A 64-lane operand: a wave's register, a temporary of the worker, or a constant of the program, by base and index.
/// A 64-bit operand is two consecutive ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct V(pub u16);

impl V {
    /// Bits of the index below the base selector.
    pub const INDEX_BITS: u32 = 14;
    const MASK: u16 = (1 << V::INDEX_BITS) - 1;
    /// Temporaries a worker has.
    pub const TEMPS: usize = 48;

    /// Register `i` of the wave's allocation, AGPRs after VGPRs.
    pub const fn reg(i: u16) -> V {
        V(i & V::MASK)
    }
    /// Temporary `i`.
    pub const fn temp(i: u16) -> V {
        V(1 << V::INDEX_BITS | i)
    }
    /// Constant `i`.
    pub const fn konst(i: u16) -> V {
        V(2 << V::INDEX_BITS | i)
    }
    /// The register after it.
    pub const fn next(self, n: u16) -> V {
        V(self.0 + n)
    }
    /// Which base: 0 registers, 1 temporaries, 2 constants.
    pub const fn base(self) -> usize {
        (self.0 >> V::INDEX_BITS) as usize
    }
    /// Index from the base.
    pub const fn index(self) -> usize {
        (self.0 & V::MASK) as usize
    }
    /// Whether it is a register of the wave, whose lanes outside EXEC must be kept.
    pub const fn is_reg(self) -> bool {
        self.0 >> V::INDEX_BITS == 0
    }
}

/// A scalar operand: below 256 the scalar file by operand encoding (temporaries from [`S::TEMP`] on), else a constant
/// of the program. A 64-bit operand is two consecutive ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct S(pub u32);

impl S {
    /// First scalar temporary.
    pub const TEMP: u8 = 128;
    /// Size of the scalar file with temporaries.
    pub const FILE: usize = 160;
    /// Low half of VCC.
    pub const VCC: u8 = 106;
    /// M0.
    pub const M0: u8 = 124;
    /// Low half of EXEC.
    pub const EXEC: u8 = 126;

    /// A scalar register by operand encoding.
    pub const fn reg(i: u8) -> S {
        S(i as u32)
    }
    /// Constant `i` of the program.
    pub const fn konst(i: u32) -> S {
        S(256 + i)
    }
}

/// Lane operations that read and write a lane mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CarryOp {
    /// d = a + b + carry in.
    Add,
    /// d = a − b − borrow in.
    Sub,
    /// d = b − a − borrow in.
    SubRev,
    /// 64-bit d = a × b + c, unsigned factors.
    MadU64U32,
    /// Signed factors.
    MadI64I32,
    /// With saturation.
    MadSatU64U32,
    /// With saturation.
    MadSatI64I32,
    DivScaleF32,
    DivScaleF64,
}

/// How lanes of a register are gathered by DPP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DppCtrl {
    /// The nine control bits.
    pub ctrl: u16,
    /// Rows of 16 that are written.
    pub row_mask: u8,
    /// Banks of 4 in each row that are written.
    pub bank_mask: u8,
    /// An invalid source reads 0 instead of disabling the lane.
    pub bound_ctrl: bool,
}

/// What a memory micro-operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Memory to register.
    Load(Mem),
    /// Register to memory.
    Store(Mem),
    /// Read-modify-write.
    Atomic {
        /// Operation.
        op: Atomic,
        /// Element.
        ty: Elem,
        /// Whether the old value is wanted.
        ret: bool,
    },
    /// An LDS operation whose second operand is in LDS too.
    Src2 {
        /// Operation.
        op: Atomic,
        /// Element.
        ty: Elem,
    },
    /// Two reads of 1 or 2 dwords at two offsets (in elements).
    Load2(u8),
    /// Two writes.
    Store2(u8),
    /// Two exchanges.
    Exchange2(u8),
    /// LDS instructions that are none of these.
    Ds(Ds),
    /// Memory to LDS at M0.
    LoadLds(Mem),
    /// A dword from LDS at M0 to memory.
    StoreLds,
}

/// Where the lane's address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// A 64-bit address a lane in two registers.
    Wide(V),
    /// A scalar 64-bit base plus a 32-bit offset a lane.
    Base(S, V),
    /// A 32-bit LDS byte address a lane.
    Lds(V),
    /// LDS at M0, `4 × lane` apart.
    LdsM0,
    /// Scratch: an optional offset a lane, an optional scalar offset.
    Scratch(Option<V>, Option<S>),
    /// Through a buffer resource in four SGPRs.
    Buffer {
        /// First of the four.
        resource: S,
        /// Scalar offset.
        soffset: S,
        /// Index a lane.
        index: Option<V>,
        /// Byte offset a lane.
        offset: Option<V>,
    },
}

/// A vector memory or LDS access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemOp {
    /// What.
    pub access: Access,
    /// Which space.
    pub space: Space,
    /// Where.
    pub address: Address,
    /// Immediate offset in bytes (of the first element, for two-address forms).
    pub offset: i32,
    /// Second immediate offset, in bytes.
    pub offset1: i32,
    /// Data to store, or first operand of an atomic.
    pub data: V,
    /// Second data operand.
    pub data1: V,
    /// Destination.
    pub dst: V,
    /// `sc0`/`glc`.
    pub sc0: bool,
    /// `sc1`.
    pub sc1: bool,
    /// `nt`/`slc`.
    pub nt: bool,
    /// MTBUF's own format (data, number).
    pub format: Option<(u8, u8)>,
}

/// A scalar memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmemOp {
    /// Dwords.
    pub dwords: u8,
    /// First SGPR of the result, or of the data.
    pub data: u8,
    /// Base address or resource.
    pub base: S,
    /// Through a buffer resource.
    pub buffer: bool,
    /// Immediate offset.
    pub offset: i32,
    /// Scalar offset.
    pub soffset: Option<S>,
    /// Bytes that one of the scalar offset stands for.
    pub scale: u8,
    /// A store.
    pub store: bool,
    /// An atomic.
    pub atomic: Option<(Atomic, Elem, bool)>,
}

/// One micro-operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Uop {
    /// Scalar arithmetic; SCC as the operation says.
    Salu {
        op: SOp,
        ty: Elem,
        d: u8,
        a: S,
        b: S,
    },
    /// SCC = a cond b.
    ScalarCmp {
        cond: Cond,
        ty: Elem,
        a: S,
        b: S,
    },
    /// SCC = (bit b of a) == set.
    BitCmp {
        set: bool,
        wide: bool,
        a: S,
        b: S,
    },
    /// `save`: d = EXEC, then EXEC = a ∘ EXEC; otherwise d = the new EXEC.
    ExecLogic {
        logic: wavesmith_asm::sem::Logic,
        d: u8,
        a: S,
        save: bool,
    },
    GetReg {
        d: u8,
        spec: u16,
    },
    SetReg {
        spec: u16,
        a: S,
    },
    Smem(u32),
    /// d = counter.
    Time {
        d: u8,
        real: bool,
    },
    /// d = SCC, VCCZ or EXECZ, for the operand encodings 253, 251, 252.
    ScalarFlag {
        d: u8,
        which: u8,
    },
    /// One operation on all lanes; registers keep their lanes outside EXEC.
    Lane {
        op: LaneOp,
        d: V,
        a: V,
        b: V,
        c: V,
    },
    /// A lane operation in a rounding mode other than to nearest, given as MODE has it.
    Rounded {
        op: LaneOp,
        mode: u8,
        d: V,
        a: V,
        b: V,
        c: V,
    },
    /// d = s in every lane of a temporary.
    Splat {
        d: V,
        s: S,
    },
    Carry {
        op: CarryOp,
        d: V,
        sdst: u8,
        a: V,
        b: V,
        c: V,
        cin: S,
    },
    Cmp {
        cond: Cond,
        ty: Elem,
        d: u8,
        a: V,
        b: V,
        exec: bool,
    },
    CmpClass {
        ty: Elem,
        d: u8,
        a: V,
        b: V,
        exec: bool,
    },
    /// d = mask ? b : a.
    Select {
        d: V,
        a: V,
        b: V,
        mask: S,
    },
    /// A temporary d = a, lanes moved; the scalar temporary `valid` gets the lanes to be written.
    Dpp {
        d: V,
        a: V,
        ctrl: DppCtrl,
        valid: u8,
    },
    /// Lanes of a that EXEC and the mask have go to d.
    Blend {
        d: V,
        a: V,
        mask: S,
    },
    ReadLane {
        d: u8,
        a: V,
        lane: S,
    },
    ReadFirst {
        d: u8,
        a: V,
    },
    WriteLane {
        d: V,
        a: S,
        lane: S,
    },
    /// A temporary d = register `base` + `M0[7:0]` of the wave's file.
    IndexRead {
        d: V,
        base: u16,
        /// First register of the file that is not of its kind.
        limit: u16,
    },
    /// Register `base` + `M0[7:0]` = a, in lanes of EXEC if masked.
    IndexWrite {
        base: u16,
        a: V,
        masked: bool,
        /// As in reading.
        limit: u16,
    },
    /// Exchange whole registers in lanes of EXEC.
    Swap {
        a: V,
        b: V,
    },
    /// Exchange rows (16 lanes) or halves (32) between two registers.
    PermlaneSwap {
        a: V,
        b: V,
        row: u8,
    },
    Mfma(u32),
    /// A conversion from or to small floats: sources, scale, destination, and which conversion.
    Convert {
        op: u32,
        d: V,
        a: V,
        b: V,
        scale: V,
    },
    Mem(u32),
    /// Global wave sync: an operation on the resource that M0 and the offset name, with `data` of the first lane that is
    /// on; then on at block `next`, or again from the start of this block until the wait is over.
    Gws {
        op: Ds,
        offset: u16,
        data: V,
        next: u32,
        /// Whether the block ends here.
        ends: bool,
    },
    /// Other state changes that end no block.
    Misc {
        control: Control,
        imm: u16,
        a: S,
    },
    // What follows ends a block.
    /// Go to block `taken` if the condition holds, else to `next`.
    Branch {
        cond: Branch,
        taken: u32,
        next: u32,
    },
    /// Lanes of the mask go to `target`, the others on at `next`: the larger part now, the other when the wave joins.
    Fork {
        mask: S,
        target: S,
        next: S,
    },
    /// On at `next`, or back to the part that a fork left, if the fork stack is higher than `a`.
    Join {
        a: S,
        next: S,
    },
    /// VSKIP = bit `b` of `a`.
    SetVskip {
        a: S,
        b: S,
    },
    /// Go to the address in a.
    Jump {
        a: S,
    },
    /// The wave ends.
    End,
    /// Wait for the workgroup, then go on at block `next`.
    Barrier {
        next: u32,
    },
    /// Give way, then go on at block `next`.
    Sleep {
        next: u32,
        imm: u16,
    },
    /// Let the other waves of the workgroup have their turn, then go on at block `next`.
    Turn {
        next: u32,
    },
    /// Let the other waves of the workgroup have their turn if the wait covers loads into LDS, then land these and go on
    /// at block `next`.
    Land {
        left: u8,
        next: u32,
    },
    /// Go on at block `next`.
    Next {
        next: u32,
    },
    /// MODE has changed: look for code lowered for it at the address.
    Relook {
        pc: u64,
    },
    /// A fault that this place always raises.
    Fault(u32),
}

/// Straight-line micro-operations.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// First micro-operation.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Instructions in it.
    pub instructions: u32,
    /// Address of its first instruction.
    pub pc: u64,
    /// Whether it stores, or changes other waves' view in any other way; atomics say it when they have.
    pub stores: bool,
    /// Whether it reads a clock.
    pub clock: bool,
    /// Whether it looks for what others may have stored, and goes back to look again.
    pub polls: bool,
}

/// An instruction's place in a program: for fault reports.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// First micro-operation.
    pub uop: u32,
    /// Address.
    pub pc: u64,
    /// The instruction.
    pub inst: Option<Inst>,
}

/// Registers that code may read or write, as places in the wave's file: VGPRs from the first, AGPRs from theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// One past the last VGPR.
    pub vgprs: u16,
    /// First AGPR, and one past the last.
    pub agprs: (u16, u16),
}

impl Touched {
    /// Adds those up to a place.
    pub fn add(&mut self, accumulation: bool, end: u16) {
        let last = if accumulation { &mut self.agprs.1 } else { &mut self.vgprs };
        *last = end.max(*last);
    }

    /// Whether a place is among them.
    pub fn has(&self, at: usize) -> bool {
        at < usize::from(self.vgprs) || (usize::from(self.agprs.0)..usize::from(self.agprs.1)).contains(&at)
    }

    /// Whether all of another's are.
    pub fn covers(&self, other: &Touched) -> bool {
        // One file: names of VGPRs may reach into the AGPRs.
        let upto = |end: u16| end <= self.vgprs;
        let agprs = other.agprs.0 == other.agprs.1
            || upto(other.agprs.1)
            || (self.agprs.0 <= other.agprs.0 && other.agprs.1 <= self.agprs.1);
        upto(other.vgprs) && agprs
    }
}

/// Code lowered from one entry: every block that can be reached from it without an indirect jump.
#[derive(Debug, Default)]
pub struct Segment {
    /// Blocks; the entry is block 0.
    pub blocks: Vec<Block>,
    /// All micro-operations.
    pub uops: Vec<Uop>,
    /// Instructions by micro-operation.
    pub origins: Vec<Origin>,
    /// Vector constants.
    pub vconst: Vec<super::lanes::Lanes>,
    /// Scalar constants.
    pub sconst: Vec<u32>,
    /// Memory operations.
    pub mems: Vec<MemOp>,
    /// Scalar memory operations.
    pub smems: Vec<SmemOp>,
    /// Conversions of small floats.
    pub converts: Vec<super::lanes::lowp::Convert>,
    /// Matrix operations.
    pub mfmas: Vec<Mfma>,
    /// Messages of [`Uop::Fault`].
    pub faults: Vec<(crate::FaultKind, String)>,
    /// Its code.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub native: Option<super::jit::Native>,
    /// Registers it may touch.
    pub touched: Touched,
    /// Whether some result's rounding is not known to be the silicon's.
    pub unverified_rounding: bool,
}

impl Segment {
    /// The instruction that a micro-operation belongs to.
    pub fn origin(&self, uop: u32) -> Option<&Origin> {
        let after = self.origins.partition_point(|o| o.uop <= uop);
        self.origins.get(after.checked_sub(1)?)
    }

    /// Whether it changes memory atomically without asking what was there: sums that workgroups make together.
    pub fn adds_to_memory(&self) -> bool {
        let adds = |m: &MemOp| matches!(m.access, Access::Atomic { ret: false, .. }) && m.space != Space::Lds;
        self.mems.iter().any(adds) || self.smems.iter().any(|m| matches!(m.atomic, Some((_, _, false))))
    }
}

//! Wait states: how many issue slots must lie between two instructions that the hardware does not interlock.
//!
//! [`RULES`] is the table; each rule keeps what the ISA guides, LLVM and shipping hand-written kernels observe, because
//! the three disagree. What ships is AITER for gfx942 and gfx950, MIOpen's implicit GEMMs for gfx908, gfx90a and gfx942, hipBLASLt's GEMMs for
//! gfx90a and gfx942, and rocBLAS's for gfx908 and gfx90a; where none has a case, the guide stands. Inserting takes the strictest of guide and LLVM; a checker grades by column. Matrix
//! instructions depend on pass counts and on how operands overlap, so their rules are formulas in [`mfma_states`].
//! [`each_ask`] puts both together: whatever a pair of instructions asks for, with all three columns.
//!
//! A wait state is one issue slot of the wave: any instruction in between counts one, `s_nop k` counts k + 1. Figures:
//! LLVM 22's post-RA hazard recogniser and the guides' tables of required software waits.

mod kind;

use crate::class::Time;
use crate::effects::{Coarse, Effects, Span, Touch};
use crate::format::{Field, Form, Format};
use crate::inst::Inst;
use crate::operand::Operand;
use crate::row::Class;
use crate::sem::{Branch, Control, Elem, Op, SOp, Sem};
use crate::target::Target;
use core::ops::Index;
use kind::Kind;

/// A set of things an instruction is to the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traits(u32);

macro_rules! traits {
    ($($(#[$m:meta])* $name:ident = $bit:literal;)*) => {
        impl Traits {
            $($(#[$m])* pub const $name: Traits = Traits(1 << $bit);)*
        }
    };
}
traits! {
    /// Vector ALU, matrix instructions apart.
    VALU = 0;
    /// Transcendental.
    TRANS = 1;
    /// Not transcendental (so that a rule can ask for it).
    PLAIN = 2;
    /// Dot product.
    DOT = 3;
    /// Matrix instruction of any kind.
    MFMA = 4;
    /// Has DPP.
    DPP = 5;
    /// `v_readlane`, `v_readfirstlane`.
    READLANE = 6;
    /// `v_readlane`, `v_writelane`: selects a lane by a scalar.
    LANE_SELECT = 7;
    /// `v_writelane`.
    WRITELANE = 8;
    /// `v_div_fmas`.
    DIV_FMAS = 9;
    /// `v_permlane16_swap`, `v_permlane32_swap`.
    PERMLANE_SWAP = 10;
    /// Writes EXEC, or half of it, from the vector ALU: `v_cmpx`, and any other whose scalar result goes there.
    CMPX = 11;
    /// Vector memory, FLAT and scratch included.
    VMEM = 12;
    /// LDS.
    LDS = 13;
    /// Stores more than 64 bits a lane, without an SGPR as offset.
    WIDE_STORE = 14;
    /// Scalar ALU.
    SALU = 15;
    /// Depends on M0, LDS-DMA apart: `s_movrel`, messages, LDS add-TID forms, `src_lds_direct`, interpolation.
    M0_USE = 16;
    /// `s_setreg`.
    SETREG = 17;
    /// `s_getreg`.
    GETREG = 18;
    /// Shifts its result into part of a register: SDWA destination selection, `op_sel` of a high half or an upper byte.
    PARTIAL = 19;
    /// f64 multiply-add, which shares the pipe of f64 matrix instructions.
    F64 = 20;
    /// f64 matrix instruction.
    DGEMM = 21;
    /// `v_accvgpr_read`.
    ACC_READ = 22;
    /// `v_accvgpr_write`.
    ACC_WRITE = 23;
    /// Stores more than 64 bits a lane through a buffer, with an SGPR as offset.
    WIDE_STORE_SOFFSET = 24;
    /// Reads VCCZ as a source operand.
    READS_VCCZ = 25;
    /// Reads EXECZ as a source operand.
    READS_EXECZ = 26;
    /// Sparse matrix instruction: its third source holds indices, and its result is also what it accumulates on.
    SPARSE = 27;
    /// `s_rfe`.
    RFE = 28;
    /// `s_setreg` of MODE's VSKIP bit.
    SETS_VSKIP = 29;
    /// LDS-DMA, which takes its address in LDS from M0.
    LDS_DMA = 30;
}

/// How many traits there are.
const TRAITS: usize = 31;

impl Traits {
    /// None.
    pub const NONE: Traits = Traits(0);
    /// Either's.
    #[inline]
    pub const fn or(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
    /// Whether all of `other` hold.
    #[inline]
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Which registers must meet for a rule to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// None: the pair itself is the hazard.
    Always,
    /// A vector register written, then read.
    VectorRead,
    /// A vector register written, then read other than to keep part of it.
    VectorSource,
    /// A vector register written, then written in part, which keeps the rest.
    VectorKept,
    /// A vector register written, then read as DPP's source.
    DppSource,
    /// A vector register written, then read by DPP otherwise: as second source, or to keep lanes of it.
    DppOther,
    /// A vector register written, then read as the first or second source.
    SourceAB,
    /// A vector register written, then read as the third source.
    SourceC,
    /// A vector register written, then written again.
    VectorWrite,
    /// A scalar register written, then read as a constant.
    ScalarConstant,
    /// A scalar register written, then read as a lane mask or carry.
    ScalarMask,
    /// A scalar register written, then read as the lane selector.
    LaneSelector,
    /// A scalar register written, then read for an address.
    ScalarAddress,
    /// VCC written, then read unsaid.
    Vcc,
    /// EXEC written, then read as an operand.
    Exec,
    /// M0.
    M0,
    /// A vector register being stored, then written.
    StoreData,
    /// The same hardware register.
    HardwareRegister,
    /// The first instruction sets TRAPSTS.
    TrapStatus,
    /// A vector register written, then read with an f64 matrix instruction between.
    VectorReadAcrossDgemm,
}

/// The authority a count comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The ISA guides.
    Isa,
    /// LLVM 22.
    Llvm,
    /// What shipping hand-written kernels keep to.
    Shipping,
}

/// One rule of the table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What endangers what.
    pub name: &'static str,
    /// What the first instruction is.
    pub producer: Traits,
    /// What the second one is.
    pub consumer: Traits,
    /// Registers that must meet.
    pub link: Link,
    /// Whether it applies only to two instructions of the same row (`Some(true)`) or of different ones.
    pub same_row: Option<bool>,
    /// States by target, oldest first, by the guides.
    pub isa: [u8; 4],
    /// By LLVM.
    pub llvm: [u8; 4],
    /// By shipping kernels.
    pub shipping: [u8; 4],
}

const fn rule(name: &'static str, producer: Traits, consumer: Traits, link: Link, states: [u8; 4]) -> Rule {
    Rule { name, producer, consumer, link, same_row: None, isa: states, llvm: states, shipping: states }
}

impl Rule {
    const fn isa(mut self, states: [u8; 4]) -> Rule {
        self.isa = states;
        self
    }
    const fn llvm(mut self, states: [u8; 4]) -> Rule {
        self.llvm = states;
        self
    }
    const fn shipping(mut self, states: [u8; 4]) -> Rule {
        self.shipping = states;
        self
    }
    const fn same_row(mut self, same: bool) -> Rule {
        self.same_row = Some(same);
        self
    }

    /// States that one authority asks for.
    pub const fn states(&self, column: Column, target: Target) -> u8 {
        let by = match column {
            Column::Isa => &self.isa,
            Column::Llvm => &self.llvm,
            Column::Shipping => &self.shipping,
        };
        by[target as usize]
    }

    /// What inserting keeps to: the larger of guide and LLVM.
    pub const fn strictest(&self, target: Target) -> u8 {
        let (a, b) = (self.isa[target as usize], self.llvm[target as usize]);
        if a > b { a } else { b }
    }
}

type T = Traits;

const VALU_TO_MFMA: &str = "VALU writes VGPR, MFMA reads it";

/// The rules that need no pass count. States by target: gfx908, gfx90a, gfx942, gfx950.
#[rustfmt::skip]
pub static RULES: [Rule; 55] = [
    rule(VALU_TO_MFMA, T::VALU, T::MFMA, Link::VectorRead, [2, 2, 2, 2]).shipping([2, 2, 2, 1]),
    rule("VALU writes VGPR, DPP reads it", T::VALU, T::DPP, Link::DppSource, [2, 2, 2, 2]).shipping([2, 2, 0, 0]),
    rule("VALU writes VGPR, DPP reads it beside its source", T::VALU, T::DPP, Link::DppOther, [2, 2, 2, 2]).isa([0, 0, 0, 0]).shipping([0, 0, 0, 0]),
    rule("v_cmpx writes EXEC, MFMA", T::CMPX, T::MFMA, Link::Always, [4, 4, 4, 4]),
    rule("v_cmpx writes EXEC, DPP", T::CMPX, T::DPP, Link::Always, [5, 5, 5, 5]),
    rule("v_cmpx writes EXEC, v_readlane", T::CMPX, T::READLANE, Link::Always, [0, 0, 4, 4]),
    rule("v_cmpx writes EXEC, v_writelane", T::CMPX, T::WRITELANE, Link::Always, [0, 0, 4, 4]),
    rule("v_cmpx writes EXEC, v_permlane swap", T::CMPX, T::PERMLANE_SWAP, Link::Always, [0, 0, 0, 4]),
    rule("VALU writes EXEC, VMEM", T::CMPX, T::VMEM, Link::Always, [5, 5, 5, 5]).isa([0, 0, 0, 0]).shipping([0, 0, 0, 0]),
    rule("VALU writes EXEC, VALU reads it as constant", T::CMPX, T::VALU, Link::Exec, [0, 0, 2, 2]).isa([0, 0, 0, 0]).shipping([0, 0, 0, 0]),
    rule("VALU writes EXEC, v_accvgpr_write", T::CMPX, T::ACC_WRITE, Link::Always, [4, 0, 0, 0]).isa([0, 0, 0, 0]),
    rule("VALU writes VGPR, v_readlane reads it", T::VALU, T::READLANE, Link::VectorRead, [0, 0, 1, 1]),
    rule("VALU writes VGPR, v_permlane swap reads it", T::VALU, T::PERMLANE_SWAP, Link::VectorRead, [0, 0, 0, 2]).shipping([0, 0, 0, 1]),
    rule("transcendental result, VALU reads it", T::TRANS, T::VALU.or(T::PLAIN), Link::VectorRead, [0, 0, 1, 1]),
    rule("partly written register, VALU reads it", T::PARTIAL, T::VALU, Link::VectorSource, [0, 0, 1, 1]),
    rule("partly written register, its other part written", T::PARTIAL, T::PARTIAL, Link::VectorKept, [0, 0, 1, 1]).shipping([0, 0, 0, 1]),
    rule("partly written register, MFMA reads it", T::PARTIAL, T::MFMA, Link::VectorRead, [0, 0, 1, 1]),
    rule("VALU writes SGPR, lane select", T::VALU, T::LANE_SELECT, Link::LaneSelector, [4, 4, 4, 4]),
    rule("VALU writes SGPR, VALU reads it as constant", T::VALU, T::VALU, Link::ScalarConstant, [0, 0, 2, 2]),
    rule("v_readlane writes SGPR, VALU reads it as constant", T::LANE_SELECT, T::VALU, Link::ScalarConstant, [0, 0, 2, 2]).shipping([0, 0, 0, 0]),
    rule("VALU writes SGPR, VALU reads it as mask", T::VALU, T::VALU, Link::ScalarMask, [0, 0, 2, 2]).isa([0, 0, 0, 0]).shipping([0, 0, 0, 0]),
    rule("VALU writes VCC, v_div_fmas", T::VALU, T::DIV_FMAS, Link::Vcc, [4, 4, 4, 4]),
    rule("VALU writes SGPR, VMEM reads it", T::VALU, T::VMEM, Link::ScalarAddress, [5, 5, 5, 5]),
    rule("SALU writes M0, M0 used", T::SALU, T::M0_USE, Link::M0, [1, 1, 1, 1]),
    rule("SALU writes M0, LDS-DMA uses it", T::SALU, T::LDS_DMA, Link::M0, [1, 1, 1, 1]).shipping([0, 0, 0, 0]),
    rule("wide store data, VALU overwrites it", T::WIDE_STORE, T::VALU, Link::StoreData, [1, 1, 2, 2]),
    rule("wide store data, MFMA overwrites it", T::WIDE_STORE, T::MFMA, Link::StoreData, [1, 1, 2, 2]),
    rule("wide store with SGPR offset, VALU overwrites its data", T::WIDE_STORE_SOFFSET, T::VALU, Link::StoreData, [0, 0, 1, 1]).llvm([0, 0, 0, 0]),
    rule("wide store with SGPR offset, MFMA overwrites its data", T::WIDE_STORE_SOFFSET, T::MFMA, Link::StoreData, [0, 0, 1, 1]).llvm([0, 0, 0, 0]),
    rule("VALU writes VCC, VCCZ read as a source", T::VALU, T::READS_VCCZ, Link::Vcc, [5, 5, 5, 5]).llvm([0, 0, 0, 0]),
    rule("v_cmpx writes EXEC, EXECZ read as a source", T::CMPX, T::READS_EXECZ, Link::Always, [5, 5, 5, 5]).llvm([0, 0, 0, 0]),
    rule("dot product, MFMA overwrites it", T::DOT, T::MFMA, Link::VectorWrite, [0, 3, 3, 3]).llvm([0, 0, 0, 0]).shipping([0, 0, 0, 0]),
    rule("s_setreg, s_getreg of the same register", T::SETREG, T::GETREG, Link::HardwareRegister, [2, 2, 2, 2]),
    rule("s_setreg, s_setreg of the same register", T::SETREG, T::SETREG, Link::HardwareRegister, [2, 2, 2, 2]).isa([0, 0, 0, 0]),
    rule("s_setreg of TRAPSTS, s_rfe", T::SETREG, T::RFE, Link::TrapStatus, [1, 1, 1, 1]),
    rule("s_setreg of MODE.VSKIP, VALU", T::SETS_VSKIP, T::VALU, Link::Always, [2, 2, 2, 2]).llvm([0, 0, 0, 0]),
    rule("s_setreg of MODE.VSKIP, MFMA", T::SETS_VSKIP, T::MFMA, Link::Always, [2, 2, 2, 2]).llvm([0, 0, 0, 0]),
    rule("s_setreg of MODE.VSKIP, VMEM", T::SETS_VSKIP, T::VMEM, Link::Always, [2, 2, 2, 2]).llvm([0, 0, 0, 0]),
    rule("s_setreg of MODE.VSKIP, LDS", T::SETS_VSKIP, T::LDS, Link::Always, [2, 2, 2, 2]).llvm([0, 0, 0, 0]),
    rule("dot product, other VALU reads it", T::DOT, T::VALU, Link::VectorRead, [0, 3, 3, 3]).same_row(false),
    rule("dot product, other VALU overwrites it", T::DOT, T::VALU, Link::VectorWrite, [0, 3, 3, 3]).same_row(false),
    rule("dot product, the same reads it as factor", T::DOT, T::DOT, Link::SourceAB, [0, 3, 3, 3]).same_row(true),
    rule("dot product, the same accumulates on it", T::DOT, T::DOT, Link::SourceC, [0, 0, 1, 1]).same_row(true).isa([0, 0, 0, 0]),
    rule("dot product, MFMA reads it", T::DOT, T::MFMA, Link::VectorRead, [0, 3, 3, 3]).llvm([0, 0, 0, 0]).shipping([0, 0, 0, 0]),
    rule("dot product, VMEM reads it", T::DOT, T::VMEM, Link::VectorRead, [0, 3, 3, 3]),
    rule("dot product, VMEM overwrites it", T::DOT, T::VMEM, Link::VectorWrite, [0, 3, 3, 3]),
    rule("dot product, LDS reads it", T::DOT, T::LDS, Link::VectorRead, [0, 3, 3, 3]),
    rule("dot product, LDS overwrites it", T::DOT, T::LDS, Link::VectorWrite, [0, 3, 3, 3]),
    rule("f64 MFMA, f64 VALU on the same pipe", T::DGEMM, T::F64, Link::Always, [0, 2, 2, 2]),
    rule("VALU, f64 MFMA, VMEM reads the VALU result", T::VALU, T::VMEM, Link::VectorReadAcrossDgemm, [0, 2, 0, 0]),
    rule("VALU, f64 MFMA, LDS reads the VALU result", T::VALU, T::LDS, Link::VectorReadAcrossDgemm, [0, 2, 0, 0]),
    rule("v_accvgpr_read, VMEM reads it", T::ACC_READ, T::VMEM, Link::VectorRead, [2, 0, 0, 0]),
    rule("v_accvgpr_read, LDS reads it", T::ACC_READ, T::LDS, Link::VectorRead, [2, 0, 0, 0]).shipping([0, 0, 0, 0]),
    rule("VALU writes VGPR, v_accvgpr_write reads it", T::VALU, T::ACC_WRITE, Link::VectorRead, [2, 0, 0, 0]).isa([0, 0, 0, 0]),
    rule("v_accvgpr_write, v_accvgpr_read", T::ACC_WRITE, T::ACC_READ, Link::VectorRead, [3, 0, 0, 0]),
];

/// By target and trait: rules whose first instruction has it, and rules whose second has it. Few traits hold at once,
/// so an instruction's rules are a few words or-ed together.
struct RuleIndex {
    produces: [[u64; TRAITS]; 4],
    consumes: [[u64; TRAITS]; 4],
    /// Rules whose second instruction needs more traits than the one they are listed under.
    compound: u64,
    /// Rules that do not ask for a register in common.
    unconditional: u64,
    /// Rules whose first instruction must write a scalar, and those where it must write a vector register.
    scalar_result: u64,
    vector_result: u64,
    /// Rules whose first instruction must write M0.
    m0_result: u64,
    /// By target and number of states: rules that ask for so many.
    asking: [[u64; MOST_STATES + 1]; 4],
}

/// The most states that a rule asks for.
const MOST_STATES: usize = 5;

static INDEX: RuleIndex = {
    let mut x = RuleIndex {
        produces: [[0; TRAITS]; 4],
        consumes: [[0; TRAITS]; 4],
        compound: 0,
        unconditional: 0,
        scalar_result: 0,
        vector_result: 0,
        m0_result: 0,
        asking: [[0; MOST_STATES + 1]; 4],
    };
    let mut i = 0;
    while i < RULES.len() {
        let r = &RULES[i];
        assert!(r.producer.0.is_power_of_two(), "a rule's first instruction is named by one trait");
        let (producer, consumer) = (r.producer.0.trailing_zeros() as usize, r.consumer.0.trailing_zeros() as usize);
        if !r.consumer.0.is_power_of_two() {
            x.compound |= 1 << i;
        }
        if matches!(r.link, Link::Always | Link::HardwareRegister | Link::TrapStatus | Link::M0) {
            x.unconditional |= 1 << i;
        }
        match r.link {
            Link::ScalarConstant
            | Link::ScalarMask
            | Link::LaneSelector
            | Link::ScalarAddress
            | Link::Vcc
            | Link::Exec => {
                x.scalar_result |= 1 << i;
            }
            Link::VectorRead
            | Link::VectorSource
            | Link::VectorKept
            | Link::DppSource
            | Link::DppOther
            | Link::SourceAB
            | Link::SourceC
            | Link::VectorWrite
            | Link::VectorReadAcrossDgemm => x.vector_result |= 1 << i,
            Link::M0 => x.m0_result |= 1 << i,
            Link::Always | Link::StoreData | Link::HardwareRegister | Link::TrapStatus => {}
        }
        let mut t = 0;
        while t < 4 {
            let states = r.strictest(Target::ALL[t]);
            x.asking[t][states as usize] |= 1 << i;
            if states > 0 {
                x.produces[t][producer] |= 1 << i;
                x.consumes[t][consumer] |= 1 << i;
            }
            t += 1;
        }
        i += 1;
    }
    x
};

/// The kinds of matrix instruction that the rules tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    /// Half precision, integers, fp8, xf32…
    Xdl,
    /// f32 inputs.
    Sgemm,
    /// f64.
    Dgemm,
}

/// What the rules need to know of one instruction, worked out once. What decides that two instructions have nothing to do
/// with each other, which is nearly always so, comes first and within one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Facts {
    /// Touched registers: a pair without a common bit shares none.
    coarse: Coarse,
    /// Rules whose first, and whose second instruction this may be.
    produces: u64,
    consumes: u64,
    /// What it is.
    pub traits: Traits,
    row: u16,
    hwreg: u16,
    /// Wait states after which nothing can be endangered any more.
    reach: u8,
    /// Wait states that it is itself to those around it.
    states: u8,
    /// Matrix kind and passes.
    pub matrix: Option<(Matrix, u8)>,
    target: Target,
    lane_select: bool,
    /// The touched registers that it may endanger.
    endangered: Coarse,
    /// What it touches.
    pub effects: Effects,
}

impl Facts {
    /// The facts of `inst`.
    pub fn of(inst: &Inst) -> Facts {
        Facts::with(inst, Effects::of(inst))
    }

    /// The facts of `inst` where it touches something else than its bits alone say, as under VGPR indexing.
    pub fn with(inst: &Inst, effects: Effects) -> Facts {
        let target = inst.target();
        let (mut coarse, mut endangered) = (Coarse::NONE, Coarse::NONE);
        let (mut writes_vector, mut writes_scalar, mut writes_m0) = (false, false, false);
        let mut special = false;
        let matrix = matrix_of(inst);
        for t in effects.touches() {
            special |= is_special(t);
            writes_vector |= t.write && t.span.is_vector();
            writes_scalar |= t.write && t.span.is_scalar();
            writes_m0 |= t.write && t.span.overlaps(Span::M0);
            let bits = Coarse::of(t.span);
            coarse = coarse.or(bits);
            // What a store still reads, and what a matrix instruction accumulates on, must not be written; else only
            // results matter.
            if t.write || t.slot == Field::Data0 || t.slot == Field::Src2 && matrix.is_some() {
                endangered = endangered.or(bits);
            }
        }
        let Kind { traits, mut produces, consumes, .. } = Kind::of(inst, &effects, special);
        if !writes_vector {
            produces &= !INDEX.vector_result;
        }
        if !writes_scalar {
            produces &= !INDEX.scalar_result;
        }
        if !writes_m0 {
            produces &= !INDEX.m0_result;
        }
        let asking = INDEX.asking[target as usize];
        let mut reach = asking.iter().rposition(|rules| rules & produces != 0).unwrap_or(0) as u8;
        if let Some((kind, passes)) = matrix {
            reach = reach.max(if kind == Matrix::Dgemm { 19 } else { passes + 4 });
        }
        if target == Target::Gfx908 && traits.has(Traits::ACC_WRITE) {
            reach = reach.max(3);
        }
        let states = match inst.row().sem {
            Sem::Control(Control::Nop) => (inst.get(Field::Simm16) & 15) as u8 + 1,
            _ => 1,
        };
        Facts {
            traits,
            effects,
            matrix,
            target,
            row: inst.row_id().0,
            hwreg: (inst.get(Field::Simm16) & 63) as u16,
            lane_select: traits.has(Traits::LANE_SELECT),
            produces,
            consumes,
            coarse,
            endangered,
            reach,
            states,
        }
    }

    /// Whether `self` before `c` may ask for anything at all: quick, and never wrongly no.
    #[inline]
    pub fn may_ask(&self, c: &Facts) -> bool {
        Danger::of(self).may_ask(c)
    }

    /// Touched registers, coarsely.
    #[inline]
    pub const fn coarse(&self) -> Coarse {
        self.coarse
    }

    /// Wait states that it is itself to those around it: one, or more for `s_nop`.
    #[inline]
    pub const fn states(&self) -> u8 {
        self.states
    }

    /// Wait states after which it endangers nothing any more.
    #[inline]
    pub const fn reach(&self) -> u8 {
        self.reach
    }
}

/// Whether what is touched may make the instruction something else to the rules: VCC and M0 read, EXEC read or written as
/// an operand, or written at all.
fn is_special(t: &Touch) -> bool {
    let named = t.read && t.slot != Field::Reserved && matches!(t.span, Span::VCC | Span::EXEC | Span::M0);
    named || t.write && t.span.overlaps(Span::EXEC)
}

fn traits_of(inst: &Inst, effects: &Effects) -> Traits {
    let row = inst.row();
    let mut t = Traits::NONE;
    // VCCZ and EXECZ count as VCC and EXEC among the effects: only then is it worth a look at the operands.
    if effects.reads().any(|t| t.slot != Field::Reserved && matches!(t.span, Span::VCC | Span::EXEC)) {
        for (_, value) in inst.operands() {
            if let crate::Operand::Reg(crate::Reg { class: crate::RegClass::Src, index, .. }) = value {
                match index {
                    crate::reg::code::VCCZ => t = t.or(Traits::READS_VCCZ),
                    crate::reg::code::EXECZ => t = t.or(Traits::READS_EXECZ),
                    _ => {}
                }
            }
        }
    }
    let mut add = |x: Traits| t = t.or(x);
    // The only source that stands for M0 without being it.
    if effects.reads().any(|t| t.span == Span::M0 && t.slot != Field::Reserved) {
        let direct = |(_, value)| matches!(value, crate::Operand::Reg(r) if r.class == crate::RegClass::Src);
        if inst.operands().any(direct) {
            add(Traits::M0_USE);
        }
    }
    match row.sem {
        Sem::Lane(..) | Sem::Packed(..) | Sem::Cvt(_) | Sem::Cmp { .. } | Sem::CmpClass { .. } | Sem::Dot { .. } => {
            add(Traits::VALU);
            add(if row.time == Time::Trans { Traits::TRANS } else { Traits::PLAIN });
            if matches!(row.sem, Sem::Lane(Op::Fma | Op::Fmac, Elem::F64)) {
                add(Traits::F64);
            }
            if effects.writes().any(|t| t.span.overlaps(Span::EXEC)) {
                add(Traits::CMPX);
            }
            if inst.form() == Form::Dpp {
                add(Traits::DPP);
            }
            let partial = match inst.form() {
                Form::Sdwa => inst.has(Field::DstSel) && inst.get(Field::DstSel) != 6,
                Form::E64 | Form::Base => {
                    let moved = inst.get(Field::OpSel);
                    matches!(row.format, Format::VOP3 | Format::VOP1 | Format::VOP2) && moved & 8 != 0
                        || writes_small_part(row.sem) && moved & 0b1100 != 0
                        || is_stochastic_fp4(row.sem)
                }
                Form::Dpp => false,
            };
            if partial {
                add(Traits::PARTIAL);
            }
        }
        _ => {}
    }
    match row.sem {
        Sem::Lane(op, _) => match op {
            Op::ReadLane => add(Traits::READLANE.or(Traits::LANE_SELECT)),
            Op::ReadFirstLane => add(Traits::READLANE),
            Op::WriteLane => add(Traits::WRITELANE.or(Traits::LANE_SELECT)),
            Op::DivFmas => add(Traits::DIV_FMAS),
            Op::Permlane16Swap | Op::Permlane32Swap => add(Traits::PERMLANE_SWAP),
            Op::AccRead => add(Traits::ACC_READ),
            Op::AccWrite => add(Traits::ACC_WRITE),
            Op::InterpP1 | Op::InterpP2 | Op::InterpMov | Op::InterpP1ll | Op::InterpP1lv => add(Traits::M0_USE),
            _ => {}
        },
        Sem::Dot { .. } => add(Traits::DOT),
        Sem::Mfma(m) => {
            add(Traits::MFMA);
            if m.sparse {
                add(Traits::SPARSE);
            }
            if matches!(matrix_of(inst), Some((Matrix::Dgemm, _))) {
                add(Traits::DGEMM);
            }
        }
        Sem::Salu(op, _) => {
            add(Traits::SALU);
            if matches!(op, SOp::MovrelS | SOp::MovrelD) {
                add(Traits::M0_USE);
            }
        }
        Sem::SaveExec(_) | Sem::WrExec(_) => add(Traits::SALU),
        Sem::Control(Control::SendMsg | Control::SendMsgHalt | Control::TtraceData) => add(Traits::M0_USE),
        Sem::SetReg => {
            add(Traits::SETREG);
            if sets_vskip(inst) {
                add(Traits::SETS_VSKIP);
            }
        }
        Sem::Branch(Branch::Rfe | Branch::RfeRestore) => add(Traits::RFE),
        Sem::GetReg => add(Traits::GETREG.or(Traits::SALU)),
        Sem::Load { .. } | Sem::Store { .. } | Sem::Atomic { .. } => {
            let lds = row.format == Format::DS;
            add(if lds { Traits::LDS } else { Traits::VMEM });
            if !lds && inst.loads_lds() {
                add(Traits::LDS_DMA);
            }
            let stored = row.operand(Field::Data0).map_or(0, |o| inst.width(o));
            if !lds && !matches!(row.sem, Sem::Load { .. }) && stored > 2 {
                let sgpr = matches!(inst.slot(Field::Soffset), Some(crate::Operand::Reg(_)))
                    && matches!(row.format, Format::MUBUF | Format::MTBUF);
                add(if sgpr { Traits::WIDE_STORE_SOFFSET } else { Traits::WIDE_STORE });
            }
        }
        Sem::DsLoad2 { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => add(Traits::LDS),
        Sem::Ds(_) => {
            add(Traits::LDS);
            if effects.reads().any(|t| t.span == Span::M0) {
                add(Traits::M0_USE);
            }
        }
        Sem::StoreLds => add(Traits::VMEM.or(Traits::M0_USE)),
        Sem::Image | Sem::Export => add(Traits::VMEM),
        _ => {}
    }
    t
}

/// Conversions that fill part of a dword, chosen by the upper bits of `op_sel`.
fn writes_small_part(sem: Sem) -> bool {
    use crate::sem::Cvt;
    match sem {
        Sem::Cvt(Cvt::Plain { to, .. } | Cvt::Pack { to, .. }) => matches!(to, Elem::Fp8 | Elem::Bf8),
        Sem::Cvt(Cvt::Scaled { to, n, .. }) => to.bits() * u32::from(n) < 32,
        _ => false,
    }
}

/// Those of them whose result LLVM holds to be late wherever it goes.
fn is_stochastic_fp4(sem: Sem) -> bool {
    use crate::sem::{Cvt, Round};
    matches!(sem, Sem::Cvt(Cvt::Scaled { to: Elem::Fp4, n: 2, round: Round::Stochastic, .. }))
}

/// The number of MODE, and of TRAPSTS, among the hardware registers; VSKIP is bit 28 of MODE.
const HWREG_MODE: u32 = 1;
const HWREG_TRAPSTS: u16 = 3;
const VSKIP: u32 = 28;

fn sets_vskip(inst: &Inst) -> bool {
    let simm = inst.get(Field::Simm16);
    let (id, offset, size) = (simm & 63, simm >> 6 & 31, (simm >> 11 & 31) + 1);
    id == HWREG_MODE && (offset..offset + size).contains(&VSKIP)
}

fn matrix_of(inst: &Inst) -> Option<(Matrix, u8)> {
    match inst.row().time {
        Time::Xdl(p) => Some((Matrix::Xdl, p)),
        Time::XdlF8f6f4(p) => {
            // An 8-bit operand, by `cbsz` or `blgp`, takes twice the passes.
            let wide = inst.get(Field::Cbsz) <= 1 || inst.get(Field::Blgp) <= 1;
            Some((Matrix::Xdl, if wide { 2 * p } else { p }))
        }
        Time::Sgemm(p) => Some((Matrix::Sgemm, p)),
        Time::Dgemm(p) => Some((Matrix::Dgemm, p)),
        _ => None,
    }
}

fn vector_writes(f: &Facts) -> impl Iterator<Item = Span> + '_ {
    f.effects.writes().map(|t| t.span).filter(|s| s.is_vector())
}

fn vector_reads(f: &Facts) -> impl Iterator<Item = &Touch> {
    f.effects.reads().filter(|t| t.span.is_vector())
}

fn scalar_writes(f: &Facts) -> impl Iterator<Item = Span> + '_ {
    // EXEC written by a comparison has rules of its own.
    f.effects.writes().map(|t| t.span).filter(|s| s.is_scalar() && *s != Span::EXEC)
}

fn meets(link: Link, p: &Facts, c: &Facts, dgemm_between: bool) -> bool {
    let read_where =
        |pick: fn(&Touch) -> bool| vector_writes(p).any(|w| vector_reads(c).any(|t| pick(t) && t.span.overlaps(w)));
    let scalar_where = |pick: &dyn Fn(&Touch) -> bool| {
        scalar_writes(p).any(|w| c.effects.reads().any(|t| pick(t) && t.span.overlaps(w)))
    };
    match link {
        Link::Always => true,
        // On gfx908, AGPRs written by `v_accvgpr_write` have a rule of their own.
        Link::VectorRead if p.target == Target::Gfx908 && c.matrix.is_some() => {
            read_where(|t| t.span.first < crate::effects::A0)
        }
        Link::VectorRead => read_where(|_| true),
        Link::VectorSource if c.traits.has(Traits::PARTIAL) => read_where(|t| !t.write),
        Link::VectorSource => read_where(|_| true),
        Link::VectorKept => read_where(|t| t.write),
        Link::DppSource => read_where(|t| t.slot == Field::Src0),
        Link::DppOther => read_where(|t| t.slot != Field::Src0),
        Link::SourceAB => read_where(|t| matches!(t.slot, Field::Src0 | Field::Src1)),
        Link::SourceC => read_where(|t| matches!(t.slot, Field::Src2 | Field::Dst)),
        Link::VectorWrite => vector_writes(p).any(|w| vector_writes(c).any(|x| x.overlaps(w))),
        // The lane selector and the VCC of `v_div_fmas` have rules of their own, which ask for more.
        Link::ScalarConstant => {
            let own = |t: &Touch| {
                c.lane_select && t.slot == Field::Src1 || c.traits.has(Traits::DIV_FMAS) && t.slot == Field::Reserved
            };
            scalar_where(&|t| is_source(t.slot) && !own(t) && !is_mask(c, t))
        }
        Link::ScalarMask => scalar_where(&|t| is_source(t.slot) && is_mask(c, t)),
        Link::LaneSelector => scalar_where(&|t| t.slot == Field::Src1),
        // M0 of an LDS-DMA, which is not written out, is part of the address too.
        Link::ScalarAddress => scalar_where(&|t| {
            matches!(t.slot, Field::Saddr | Field::Srsrc | Field::Soffset | Field::Ssamp | Field::Sbase)
                || t.slot == Field::Reserved && t.span == Span::M0
        }),
        Link::Exec => {
            p.effects.writes().any(|w| w.span.overlaps(Span::EXEC))
                && c.effects.reads().any(|t| t.slot != Field::Reserved && t.span.overlaps(Span::EXEC))
        }
        Link::Vcc => scalar_writes(p).any(|w| w.overlaps(Span::VCC)),
        Link::M0 => p.effects.writes().any(|t| t.span.overlaps(Span::M0)),
        Link::StoreData => {
            p.effects.reads().filter(|t| t.slot == Field::Data0).any(|t| vector_writes(c).any(|w| w.overlaps(t.span)))
        }
        Link::HardwareRegister => p.hwreg == c.hwreg,
        Link::TrapStatus => p.hwreg == HWREG_TRAPSTS,
        Link::VectorReadAcrossDgemm => dgemm_between && read_where(|_| true),
    }
}

fn is_source(slot: Field) -> bool {
    matches!(slot, Field::Src0 | Field::Src1 | Field::Src2 | Field::Reserved | Field::Sdst)
}

/// Whether the touch is a lane mask or a carry rather than a number.
fn is_mask(c: &Facts, t: &Touch) -> bool {
    let row = crate::rows::RowId(c.row).row();
    t.span.count == 2 && row.operand(t.slot).is_some_and(|o| o.class == Class::M)
}

/// Wait states that a matrix instruction's result or sources ask for before `c`, with the reason.
pub fn mfma_states(p: &Facts, c: &Facts) -> (u8, &'static str) {
    let Some((kind, passes)) = p.matrix else { return (0, "") };
    let mut worst = (0, "");
    let mut ask = |states: u8, why: &'static str| {
        if states > worst.0 {
            worst = (states, why);
        }
    };
    let Some(d) = p.effects.writes().map(|t| t.span).find(|s| s.is_vector()) else { return worst };
    // The third source of a sparse one is its indices; it accumulates on its result, which counts as overwritten.
    let third = p.effects.reads().find(|t| t.slot == Field::Src2 && !p.traits.has(Traits::SPARSE));
    let src_c = third.map_or(Span::NONE, |t| t.span);
    let valu = c.traits.has(Traits::VALU);
    let memory = c.traits.has(Traits::VMEM) || c.traits.has(Traits::LDS);
    if !valu && !memory && c.matrix.is_none() {
        return worst;
    }
    if !c.effects.touches().iter().any(|t| t.span.overlaps(d) || t.span.overlaps(src_c)) {
        return worst;
    }
    if p.target == Target::Gfx908 {
        return gfx908_states(passes, d, src_c, c);
    }
    let r = Reach::of(p.target, kind, passes);
    let reads_d = |f: &dyn Fn(&Touch) -> bool| c.effects.reads().any(|t| f(t) && t.span.overlaps(d));
    if let Some((consumer, _)) = c.matrix {
        let accumulator = if c.traits.has(Traits::SPARSE) { Field::Dst } else { Field::Src2 };
        if reads_d(&|t| t.slot != accumulator) {
            ask(r.source_ab, "MFMA result read as A or B");
        }
        if let Some(t) = c.effects.reads().find(|t| t.slot == accumulator && t.span.overlaps(d)) {
            let exact = t.span == d && (kind == Matrix::Dgemm) == (consumer == Matrix::Dgemm);
            let same_dgemm = kind != Matrix::Dgemm || p.row == c.row;
            if exact && same_dgemm {
                ask(r.exact, "MFMA result accumulated on");
            } else {
                ask(r.overlapped(consumer), "MFMA result partly accumulated on");
            }
        }
        // One that only overwrites the result asks for nothing: the pipe takes matrix instructions in order, and so do
        // their results leave it. LLVM inserts nothing there, and its kernels rely on it.
        return worst;
    }
    if reads_d(&|_| true) {
        if memory {
            ask(r.stored, "MFMA result stored");
        } else {
            ask(r.read, "MFMA result read");
        }
    }
    if c.effects.writes().any(|t| t.span.overlaps(d)) {
        ask(r.overwritten, "MFMA result overwritten");
    }
    if valu && c.effects.writes().any(|t| t.span.overlaps(src_c)) {
        ask(r.source_c_war, "MFMA accumulator input overwritten");
    }
    worst
}

/// States by use of one producer's result.
struct Reach {
    read: u8,
    overwritten: u8,
    stored: u8,
    source_ab: u8,
    exact: u8,
    by_xdl: u8,
    by_sgemm: u8,
    by_dgemm: u8,
    source_c_war: u8,
}

impl Reach {
    fn overlapped(&self, consumer: Matrix) -> u8 {
        match consumer {
            Matrix::Xdl => self.by_xdl,
            Matrix::Sgemm => self.by_sgemm,
            Matrix::Dgemm => self.by_dgemm,
        }
    }

    /// gfx90a and later; `p` is the producer's pass count.
    fn of(target: Target, kind: Matrix, p: u8) -> Reach {
        let short = if p == 2 { 2 } else { 0 };
        let all = |n| Reach {
            read: n,
            overwritten: n,
            stored: n,
            source_ab: n,
            exact: 0,
            by_xdl: 0,
            by_sgemm: 0,
            by_dgemm: 0,
            source_c_war: 0,
        };
        match (target, kind) {
            (Target::Gfx950, Matrix::Dgemm) if p > 4 => {
                Reach { overwritten: 11, stored: 18, by_sgemm: 17, by_dgemm: 17, ..all(19) }
            }
            (_, Matrix::Dgemm) if p > 4 => {
                Reach { stored: 18, by_sgemm: if target == Target::Gfx90a { 0 } else { 9 }, by_dgemm: 9, ..all(11) }
            }
            (_, Matrix::Dgemm) => Reach {
                stored: 9,
                exact: 4,
                by_sgemm: if target == Target::Gfx90a { 0 } else { 4 },
                by_dgemm: 4,
                ..all(6)
            },
            (Target::Gfx90a | Target::Gfx908, _) => {
                Reach { by_xdl: p, by_sgemm: p, by_dgemm: p + 1, source_c_war: p - 1, ..all(p + 3) }
            }
            (_, Matrix::Sgemm) => Reach { exact: short, by_sgemm: p, by_dgemm: p, ..all(p + 2) },
            (Target::Gfx942, Matrix::Xdl) => Reach {
                exact: short,
                by_xdl: p + 1,
                by_sgemm: p + 1,
                by_dgemm: p + 1,
                source_c_war: p - 1,
                ..all(p + 3)
            },
            (Target::Gfx950, Matrix::Xdl) => {
                let long = u8::from(p > 2);
                Reach {
                    exact: short,
                    by_xdl: p + 2,
                    by_sgemm: p + 1 + long,
                    by_dgemm: p + 1 + long,
                    source_c_war: p - 1,
                    ..all(p + 3 + long)
                }
            }
        }
    }
}

/// gfx908, whose results and accumulators are AGPRs that only matrix instructions and `v_accvgpr_*` touch.
fn gfx908_states(passes: u8, d: Span, src_c: Span, c: &Facts) -> (u8, &'static str) {
    let mut worst = (0, "");
    let mut ask = |states: u8, why: &'static str| {
        if states > worst.0 {
            worst = (states, why);
        }
    };
    if c.matrix.is_some() {
        for t in c.effects.reads().filter(|t| t.span.overlaps(d)) {
            match t.slot {
                Field::Src2 if t.span == d => {}
                Field::Src2 => ask(2, "MFMA result partly accumulated on"),
                _ => ask(4, "MFMA result read as A or B"),
            }
        }
    } else if c.traits.has(Traits::ACC_READ) && c.effects.reads().any(|t| t.span.overlaps(d)) {
        ask(passes + 2, "MFMA result read");
    } else if c.traits.has(Traits::ACC_WRITE) {
        if c.effects.writes().any(|t| t.span.overlaps(d)) {
            ask(passes - 1, "MFMA result overwritten");
        }
        if c.effects.writes().any(|t| t.span.overlaps(src_c)) {
            ask(passes.saturating_sub(3), "MFMA accumulator input overwritten");
        }
    }
    worst
}

/// `v_accvgpr_write` into a matrix instruction on gfx908.
fn acc_write_states(p: &Facts, c: &Facts) -> u8 {
    if p.target != Target::Gfx908 || !p.traits.has(Traits::ACC_WRITE) || c.matrix.is_none() {
        return 0;
    }
    let mut worst = 0;
    for w in vector_writes(p) {
        for t in vector_reads(c).filter(|t| t.span.overlaps(w)) {
            worst = worst.max(if t.slot == Field::Src2 { 1 } else { 3 });
        }
    }
    worst
}

/// What a pair of instructions asks for, by each authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// What endangers what.
    pub rule: &'static str,
    /// States by the guides.
    pub isa: u8,
    /// By LLVM.
    pub llvm: u8,
    /// By shipping kernels.
    pub shipping: u8,
}

impl Ask {
    /// The larger of guide and LLVM: what inserting keeps to.
    pub const fn strictest(&self) -> u8 {
        if self.isa > self.llvm { self.isa } else { self.llvm }
    }

    /// Whether shipping code counts the slots in which the second instruction waits for the matrix pipe, where a matrix
    /// instruction stands between the two. A matrix instruction does not issue before the one in front of it has left the pipe,
    /// so what the vector ALU has written is there by then: hipBLASLt puts nothing else between the two on gfx90a, in 1,246
    /// places, and on gfx942 in 42, and rocBLAS on gfx908, in some 2,000. Guides and LLVM count an instruction in between as one
    /// state, whatever it is.
    pub fn shipping_waits_for_pipe(&self, target: Target) -> bool {
        self.rule == VALU_TO_MFMA && matches!(target, Target::Gfx908 | Target::Gfx90a | Target::Gfx942)
    }

    /// Whether shipping code counts the slots in which a slow vector instruction keeps the vector ALU busy. rocBLAS reads the
    /// result of a matrix instruction of 16 passes on gfx90a behind 17 or 18 instructions, four of them `v_mul_lo_u32`, which
    /// takes four slots.
    pub fn shipping_counts_slow_instructions(&self, target: Target) -> bool {
        self.rule == "MFMA result read" && target == Target::Gfx90a
    }

    /// What shipping code keeps to where all lanes are turned on again in between ([`sets_all_lanes`]), if that makes a
    /// difference: MIOpen and hipBLASLt leave two states behind `v_cmpx` then.
    pub fn shipping_with_lanes_on_again(&self) -> Option<u8> {
        matches!(self.rule, "v_cmpx writes EXEC, MFMA" | "v_cmpx writes EXEC, v_readlane").then_some(2)
    }
}

/// Whether it gives EXEC a value for all lanes, whatever it was: what a condition or some lanes decide does not.
pub fn sets_all_lanes(inst: &Inst) -> bool {
    matches!(inst.row().sem, Sem::Salu(SOp::Mov, Elem::B64))
        && matches!(inst.slot(Field::Dst), Some(Operand::Reg(r)) if Span::of(r) == Span::EXEC)
}

/// Calls `f` with everything that `p` before `c` asks for. `dgemm_between` says whether an f64 matrix instruction issues
/// between them.
pub fn each_ask(p: &Facts, c: &Facts, dgemm_between: bool, f: impl FnMut(Ask)) {
    if p.may_ask(c) {
        ask_each(p, c, dgemm_between, f);
    }
}

/// The same where it is known that `p` may ask.
fn ask_each(p: &Facts, c: &Facts, dgemm_between: bool, mut f: impl FnMut(Ask)) {
    let mut rules = p.produces & c.consumes;
    while rules != 0 {
        let rule = &RULES[rules.trailing_zeros() as usize];
        rules &= rules - 1;
        let row_fits = rule.same_row.is_none_or(|same| same == (p.row == c.row));
        // Dot products have a rule of their own before matrix instructions, and LLVM leaves them out of the general one;
        // `v_readlane` has one for what it is seen to be used for sooner.
        let general = rule.producer == Traits::VALU;
        let has_own = general && p.traits.has(Traits::DOT) && c.traits.has(Traits::MFMA)
            || general && p.traits.has(Traits::LANE_SELECT) && rule.link == Link::ScalarConstant;
        if row_fits && !has_own && meets(rule.link, p, c, dgemm_between) {
            let by = |column| rule.states(column, c.target);
            f(Ask { rule: rule.name, isa: by(Column::Isa), llvm: by(Column::Llvm), shipping: by(Column::Shipping) });
        }
    }
    // The formulas follow tables on which guides and LLVM agree.
    let mut formula = |states, rule, shipping| {
        if states > 0 {
            f(Ask { rule, isa: states, llvm: states, shipping });
        }
    };
    if let Some((kind, passes)) = p.matrix {
        let (states, why) = mfma_states(p, c);
        if states > 0 {
            formula(states, why, shipping_mfma_states(p.target, kind, passes, c, why, states));
        }
    } else if p.traits.has(Traits::ACC_WRITE) {
        let states = acc_write_states(p, c);
        formula(states, "v_accvgpr_write read by MFMA", states);
    }
}

/// What shipping kernels keep to after a matrix instruction: the least that AITER's kernels put before a vector
/// instruction that reads or overwrites its result, by passes. They count the slots in which a matrix instruction waits
/// for the pipe, and so does this figure. Every other use they leave to the guide.
fn shipping_mfma_states(target: Target, kind: Matrix, passes: u8, c: &Facts, why: &str, states: u8) -> u8 {
    if kind != Matrix::Xdl || !c.traits.has(Traits::VALU) {
        return states;
    }
    let seen = match (target, passes, why) {
        (Target::Gfx942 | Target::Gfx950, 4, "MFMA result read") => 2,
        (Target::Gfx942 | Target::Gfx950, 8, "MFMA result read") => 4,
        (Target::Gfx950, 16, "MFMA result read") => 13,
        (Target::Gfx942, 4, "MFMA result overwritten") => 6,
        (Target::Gfx950, 4, "MFMA result overwritten") => 7,
        _ => states,
    };
    seen.min(states)
}

/// Wait states that must lie between `p` and `c`, and why. `dgemm_between` says whether an f64 matrix instruction
/// issues between them.
pub fn states_between(p: &Facts, c: &Facts, dgemm_between: bool) -> (u8, &'static str) {
    let mut worst = (0, "");
    each_ask(p, c, dgemm_between, |ask| {
        if ask.strictest() > worst.0 {
            worst = (ask.strictest(), ask.rule);
        }
    });
    worst
}

/// A need for wait states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// States still missing.
    pub states: u8,
    /// Why.
    pub why: &'static str,
    /// Which earlier instruction asks, by the number it was issued with.
    pub producer: u32,
}

/// An instruction whose result may still endanger the next one.
#[derive(Clone, Copy, Debug)]
struct Recent {
    /// The number it was issued with.
    number: u32,
    /// When it was issued, by the window's clock.
    born: u32,
    /// What it endangers.
    danger: Danger,
    /// Wait states after which it endangers nothing any more.
    reach: u8,
    dgemm: bool,
}

/// Whom an instruction, or one of several, may endanger: enough to say quickly that it is not the next one.
#[derive(Clone, Copy, Debug, Default)]
struct Danger {
    /// Rules, by bit.
    rules: u64,
    /// Registers.
    registers: Coarse,
    /// Whether formulas apply beside the rules.
    formula: bool,
}

impl Danger {
    #[inline]
    const fn of(p: &Facts) -> Danger {
        let formula = p.matrix.is_some() || p.traits.has(Traits::ACC_WRITE);
        Danger { rules: p.produces, registers: p.endangered, formula }
    }

    #[inline]
    const fn or(self, other: Danger) -> Danger {
        Danger {
            rules: self.rules | other.rules,
            registers: self.registers.or(other.registers),
            formula: self.formula || other.formula,
        }
    }

    /// Whether `c` may be endangered: never wrongly no.
    #[inline]
    const fn may_ask(&self, c: &Facts) -> bool {
        let rules = self.rules & c.consumes;
        rules & INDEX.unconditional != 0
            || (rules & !INDEX.scalar_result != 0 || self.formula) && self.registers.vectors & c.coarse.vectors != 0
            || rules & INDEX.scalar_result != 0 && self.registers.scalars & c.coarse.scalars != 0
    }
}

/// The instructions whose results may still endanger the next one, with the states that lie between.
///
/// What has passed is kept as one clock rather than an age for each, and what has expired stays in the list until it
/// grows: most instructions find nothing to do.
#[derive(Clone, Debug, Default)]
pub struct Window {
    clock: u32,
    /// Oldest first.
    recent: Vec<Recent>,
    /// All of the recent ones together.
    danger: Danger,
    /// At least the highest number of a recent one: what is issued beyond it is not among them yet.
    highest: u32,
    /// Entries from which on expired ones are dropped again; [`CROWDED`] at least.
    crowd: usize,
}

impl PartialEq for Window {
    /// Whether the same instructions endanger what follows, for as long.
    fn eq(&self, other: &Window) -> bool {
        let live = |w: &Window| {
            let each = w.recent.iter().map(|r| (r.number, w.since(r), r.reach));
            each.filter(|(_, since, reach)| since < reach).collect::<Vec<_>>()
        };
        live(self) == live(other)
    }
}

impl Eq for Window {}

/// Entries below which expired ones are let be.
const CROWDED: usize = 12;

impl Window {
    #[inline]
    fn since(&self, r: &Recent) -> u8 {
        u8::try_from(self.clock.wrapping_sub(r.born)).unwrap_or(u8::MAX)
    }

    /// The most wait states that `next` still needs, over everything recent. `facts` is indexed by the numbers given
    /// to [`Window::issue`].
    pub fn needs(&self, facts: &(impl Index<usize, Output = Facts> + ?Sized), next: &Facts) -> Option<Need> {
        let mut worst: Option<Need> = None;
        self.each_need(facts, next, |producer, since, ask| {
            let missing = ask.strictest() - since;
            if missing > worst.map_or(0, |w| w.states) {
                worst = Some(Need { states: missing, why: ask.rule, producer });
            }
        });
        worst
    }

    /// Calls `f` with everything that `next` is still short of: the earlier instruction, the states since, and what the
    /// pair asks for.
    #[inline]
    pub fn each_need(
        &self,
        facts: &(impl Index<usize, Output = Facts> + ?Sized),
        next: &Facts,
        mut f: impl FnMut(u32, u8, Ask),
    ) {
        if !self.danger.may_ask(next) {
            return;
        }
        let mut dgemm_since = false;
        for r in self.recent.iter().rev() {
            let since = self.since(r);
            if since >= r.reach {
                continue;
            }
            if r.danger.may_ask(next) {
                ask_each(&facts[r.number as usize], next, dgemm_since, |ask| {
                    if ask.strictest() > since {
                        f(r.number, since, ask);
                    }
                });
            }
            dgemm_since |= r.dgemm;
        }
    }

    /// Records that instruction `number` issues now.
    pub fn issue(&mut self, number: u32, facts: &(impl Index<usize, Output = Facts> + ?Sized)) {
        let f = &facts[number as usize];
        self.pass(f.states);
        if f.reach > 0 {
            if self.recent.len() >= self.crowd.max(CROWDED) {
                self.prune();
                // Where nearly all live on, looking again at the next one would find as little.
                self.crowd = 2 * self.recent.len();
            }
            if number <= self.highest
                && let Some(i) = self.recent.iter().position(|r| r.number == number)
            {
                self.recent.remove(i);
            }
            self.highest = self.highest.max(number);
            let danger = Danger::of(f);
            let dgemm = f.traits.has(Traits::DGEMM);
            self.recent.push(Recent { number, born: self.clock, danger, reach: f.reach, dgemm });
            self.danger = self.danger.or(danger);
        }
    }

    /// Records that `states` wait states pass.
    #[inline]
    pub fn pass(&mut self, states: u8) {
        self.clock = self.clock.wrapping_add(states.into());
    }

    /// Drops what endangers nothing any more.
    pub fn prune(&mut self) {
        let clock = self.clock;
        self.recent.retain(|r| clock.wrapping_sub(r.born) < r.reach.into());
        self.danger = self.recent.iter().fold(Danger::default(), |all, r| all.or(r.danger));
        self.highest = self.recent.iter().map(|r| r.number).max().unwrap_or(0);
    }

    /// Takes in what may be recent on another path; whether anything changed.
    pub fn merge(&mut self, other: &Window) -> bool {
        let mut changed = false;
        for theirs in &other.recent {
            let since = other.since(theirs);
            if since >= theirs.reach {
                continue;
            }
            let born = self.clock.wrapping_sub(since.into());
            match self.recent.iter_mut().find(|mine| mine.number == theirs.number) {
                Some(mine) if self.clock.wrapping_sub(mine.born) <= since.into() => {}
                Some(mine) => {
                    mine.born = born;
                    changed = true;
                }
                None => {
                    self.recent.push(Recent { born, ..*theirs });
                    self.danger = self.danger.or(theirs.danger);
                    self.highest = self.highest.max(theirs.number);
                    changed = true;
                }
            }
        }
        if changed {
            // Oldest first, so that "between" keeps its meaning.
            let clock = self.clock;
            self.recent.sort_by_key(|r| (core::cmp::Reverse(clock.wrapping_sub(r.born)), r.number));
        }
        changed
    }
}

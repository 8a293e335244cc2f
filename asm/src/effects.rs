//! Which registers an instruction reads and writes, the unsaid ones included.
//!
//! Registers of all files have one flat number here, so that a set of them is an array index and overlap is interval
//! arithmetic. Waits, wait states, register counts and scheduling all ask this one question; keeping the answer apart
//! from each of them keeps them agreeing.

mod plan;

use crate::encoding::{Kind, Place};
use crate::format::{Field, Form, Format};
use crate::inst::Inst;
use crate::operand::Operand;
use crate::reg::{Reg, RegClass, code};
use crate::sem::{Branch, Control, Ds, Mem, Op, SOp, Sem, Space};
use crate::target::Target;
use plan::{Keeps, Plan};
use std::fmt;

/// Flat number of `v0`.
pub const V0: u16 = 0;
/// Flat number of `a0`.
pub const A0: u16 = 256;
/// Flat number of scalar operand encoding 0 (`s0`); VCC, M0 and EXEC follow at their encodings.
pub const S0: u16 = 512;
/// SCC.
pub const SCC: u16 = 640;
/// MODE and the other hardware registers.
pub const MODE: u16 = 641;
/// How many flat numbers there are.
pub const COUNT: usize = 642;

/// A run of registers by flat number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first.
    pub first: u16,
    /// How many; 0 is no register.
    pub count: u16,
}

impl Span {
    /// No register.
    pub const NONE: Span = Span { first: 0, count: 0 };
    /// VCC.
    pub const VCC: Span = Span { first: S0 + code::VCC, count: 2 };
    /// EXEC.
    pub const EXEC: Span = Span { first: S0 + code::EXEC, count: 2 };
    /// M0.
    pub const M0: Span = Span { first: S0 + code::M0, count: 1 };
    /// SCC.
    pub const SCC: Span = Span { first: SCC, count: 1 };
    /// MODE.
    pub const MODE: Span = Span { first: MODE, count: 1 };

    /// The registers of an operand; none for the constant-like sources.
    #[inline]
    pub const fn of(r: Reg) -> Span {
        let count = r.count as u16;
        match r.class {
            RegClass::V => Span { first: V0 + (r.index & 255), count },
            RegClass::A => Span { first: A0 + (r.index & 255), count },
            RegClass::S => Span { first: S0 + (r.index & 127), count },
            RegClass::Src => match r.index {
                code::VCCZ => Span::VCC,
                code::EXECZ => Span::EXEC,
                code::SCC => Span::SCC,
                code::LDS_DIRECT => Span::M0,
                _ => Span::NONE,
            },
        }
    }

    /// The first flat number after it, cut at the end of its file.
    #[inline]
    pub const fn end(self) -> u16 {
        let file_end = if self.first < A0 {
            A0
        } else if self.first < S0 {
            S0
        } else if self.first < SCC {
            SCC
        } else {
            COUNT as u16
        };
        let end = self.first + self.count;
        if end > file_end { file_end } else { end }
    }

    /// Whether the two share a register.
    #[inline]
    pub const fn overlaps(self, other: Span) -> bool {
        self.count > 0 && other.count > 0 && self.first < other.end() && other.first < self.end()
    }

    /// Whether these are VGPRs or AGPRs.
    #[inline]
    pub const fn is_vector(self) -> bool {
        self.count > 0 && self.first < S0
    }

    /// Whether these are scalar registers.
    #[inline]
    pub const fn is_scalar(self) -> bool {
        self.count > 0 && self.first >= S0 && self.first < SCC
    }

    /// The flat numbers.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        self.first..self.end()
    }
}

/// A coarse view of a set of registers: one bit for four vector registers, and one for two scalar ones. Sets without a
/// common bit share no register; SCC and MODE have no bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coarse {
    /// VGPRs and AGPRs, by fours.
    pub vectors: u128,
    /// Scalar registers, by pairs.
    pub scalars: u64,
}

impl Coarse {
    /// No register.
    pub const NONE: Coarse = Coarse { vectors: 0, scalars: 0 };
    /// All registers.
    pub const ALL: Coarse = Coarse { vectors: u128::MAX, scalars: u64::MAX };

    /// The bits of a span.
    #[inline]
    pub const fn of(span: Span) -> Coarse {
        if span.count == 0 || span.first >= SCC {
            return Coarse::NONE;
        }
        let (first, last) = (span.first, span.end() - 1);
        if first < S0 {
            let (first, last) = (first >> 2, last >> 2);
            // Nearly always within one half, where shifting is cheaper.
            let vectors = if first >> 6 == last >> 6 {
                let half = (u64::MAX << (first & 63)) & (u64::MAX >> (63 - (last & 63)));
                (half as u128) << (first & 64)
            } else {
                (u128::MAX << first) & (u128::MAX >> (127 - last))
            };
            Coarse { vectors, scalars: 0 }
        } else {
            let scalars = (u64::MAX << ((first - S0) >> 1)) & (u64::MAX >> (63 - ((last - S0) >> 1)));
            Coarse { vectors: 0, scalars }
        }
    }

    /// Whether the two have a bit in common.
    #[inline]
    pub const fn meets(self, other: Coarse) -> bool {
        self.vectors & other.vectors != 0 || self.scalars & other.scalars != 0
    }

    /// The bits of either.
    #[inline]
    pub const fn or(self, other: Coarse) -> Coarse {
        Coarse { vectors: self.vectors | other.vectors, scalars: self.scalars | other.scalars }
    }

    /// The bits of both.
    #[inline]
    pub const fn and(self, other: Coarse) -> Coarse {
        Coarse { vectors: self.vectors & other.vectors, scalars: self.scalars & other.scalars }
    }
}

/// As the syntax names them.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.write_str("nothing");
        }
        let (class, first) = match self.first {
            r if r < A0 => ('v', r),
            r if r < S0 => ('a', r - A0),
            SCC => return f.write_str("scc"),
            MODE => return f.write_str("mode"),
            r => {
                let special = match (r - S0, self.count) {
                    (code::VCC, 2) => "vcc",
                    (code::VCC, _) => "vcc_lo",
                    (107, _) => "vcc_hi",
                    (code::EXEC, 2) => "exec",
                    (code::EXEC, _) => "exec_lo",
                    (127, _) => "exec_hi",
                    (code::M0, _) => "m0",
                    (code::FLAT_SCRATCH, 2) => "flat_scratch",
                    (code::XNACK_MASK, 2) => "xnack_mask",
                    _ => "",
                };
                if !special.is_empty() {
                    return f.write_str(special);
                }
                ('s', r - S0)
            }
        };
        match self.count {
            1 => write!(f, "{class}{first}"),
            n => write!(f, "{class}[{first}:{}]", first + n - 1),
        }
    }
}

/// One run of registers that an instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    /// The registers.
    pub span: Span,
    /// Read.
    pub read: bool,
    /// Written.
    pub write: bool,
    /// The operand's slot; [`Field::Reserved`] if no operand says so.
    pub slot: Field,
}

/// Everything an instruction touches, in operand order, then what it implies.
#[derive(Clone, Copy, Debug)]
pub struct Effects {
    list: [Touch; Effects::MAX],
    len: u8,
}

impl Effects {
    const MAX: usize = 14;
    const NOTHING: Touch = Touch { span: Span::NONE, read: false, write: false, slot: Field::Reserved };

    /// The touched runs.
    #[inline]
    pub fn touches(&self) -> &[Touch] {
        &self.list[..self.len as usize]
    }

    /// The runs that are read.
    #[inline]
    pub fn reads(&self) -> impl Iterator<Item = &Touch> {
        self.touches().iter().filter(|t| t.read)
    }

    /// The runs that are written.
    #[inline]
    pub fn writes(&self) -> impl Iterator<Item = &Touch> {
        self.touches().iter().filter(|t| t.write)
    }

    #[inline]
    fn push(&mut self, span: Span, read: bool, write: bool, slot: Field) {
        // The array holds the most operands a row has and all that can be implied beside them.
        if span.count > 0 && usize::from(self.len) < Effects::MAX {
            self.list[self.len as usize] = Touch { span, read, write, slot };
            self.len += 1;
        }
    }

    fn reads_too(&mut self, span: Span) {
        self.push(span, true, false, Field::Reserved);
    }

    fn writes_too(&mut self, span: Span) {
        self.push(span, false, true, Field::Reserved);
    }

    /// Given touches, as far as there is room: who knows more than an instruction's bits say may say it so.
    pub fn of_touches(touches: impl IntoIterator<Item = Touch>) -> Effects {
        let mut e = Effects { list: [Effects::NOTHING; Effects::MAX], len: 0 };
        touches.into_iter().for_each(|t| e.push(t.span, t.read, t.write, t.slot));
        e
    }

    /// What `inst` touches.
    pub fn of(inst: &Inst) -> Effects {
        let plan = Plan::of(inst);
        let mut e = Effects { list: [Effects::NOTHING; Effects::MAX], len: 0 };
        for p in &plan.registers {
            let span = register(inst, &p.place);
            // An atomic without `sc0` returns nothing, so its data is only read.
            let write = p.write && (!p.returned_if_asked || inst.get(Field::Sc0) != 0);
            // Lanes or halves that an instruction leaves alone keep what was there.
            let keeps = match plan.keeps {
                Keeps::Never => false,
                Keeps::Always => p.data,
                Keeps::Asks => p.data && write && keeps_part_of_destination(inst),
            };
            e.push(span, p.read || write && keeps, write, p.place.opd.slot);
        }
        if plan.may_load_lds && inst.loads_lds() {
            let row = inst.row();
            e.imply(inst, row.sem, row.format);
        } else {
            plan.implied.iter().for_each(|t| e.push(t.span, t.read, t.write, t.slot));
        }
        e
    }

    fn imply(&mut self, inst: &Inst, sem: Sem, format: Format) {
        const ALL_SGPRS: Span = Span { first: S0, count: 102 };
        match sem {
            Sem::Salu(op, _) => match op {
                SOp::Cmov | SOp::Cselect => self.reads_too(Span::SCC),
                SOp::AddCarry | SOp::SubBorrow => self.push(Span::SCC, true, true, Field::Reserved),
                SOp::Mov
                | SOp::Mul
                | SOp::MulHi
                | SOp::MulK
                | SOp::Bfm
                | SOp::Brev
                | SOp::Ff0
                | SOp::Ff1
                | SOp::Flbit
                | SOp::FlbitSigned
                | SOp::SextI8
                | SOp::SextI16
                | SOp::Bitset0
                | SOp::Bitset1
                | SOp::Bitreplicate
                | SOp::PackLL
                | SOp::PackLH
                | SOp::PackHH => {}
                SOp::MovrelS => {
                    self.reads_too(Span::M0);
                    self.reads_too(ALL_SGPRS);
                }
                SOp::MovrelD => {
                    self.reads_too(Span::M0);
                    self.writes_too(ALL_SGPRS);
                }
                SOp::SetGprIdxIdx => self.push(Span::M0, true, true, Field::Reserved),
                _ => self.writes_too(Span::SCC),
            },
            Sem::ScalarCmp(..) | Sem::BitCmp(..) => self.writes_too(Span::SCC),
            Sem::SaveExec(_) | Sem::WrExec(_) => {
                self.push(Span::EXEC, true, true, Field::Reserved);
                self.writes_too(Span::SCC);
            }
            Sem::Branch(b) => match b {
                Branch::Scc0 | Branch::Scc1 => self.reads_too(Span::SCC),
                Branch::Vccz | Branch::Vccnz => self.reads_too(Span::VCC),
                Branch::Execz | Branch::Execnz => self.reads_too(Span::EXEC),
                Branch::ForkG | Branch::ForkI | Branch::Join => self.push(Span::EXEC, true, true, Field::Reserved),
                _ => {}
            },
            Sem::Control(c) => match c {
                Control::SendMsg | Control::SendMsgHalt | Control::TtraceData => self.reads_too(Span::M0),
                Control::SetGprIdxOn | Control::SetGprIdxMode => {
                    self.push(Span::M0, true, true, Field::Reserved);
                    self.writes_too(Span::MODE);
                }
                Control::SetGprIdxOff | Control::SetVskip => self.writes_too(Span::MODE),
                _ => {}
            },
            Sem::GetReg => self.reads_too(Span::MODE),
            Sem::SetReg => self.writes_too(Span::MODE),
            Sem::Lane(op, _) => {
                match op {
                    Op::DivFmas => self.reads_too(Span::VCC),
                    Op::MovRelS | Op::MovRelD | Op::MovRelSD => self.reads_too(Span::M0),
                    _ => {}
                }
                self.reads_too(Span::EXEC);
            }
            Sem::Cmp { exec, .. } | Sem::CmpClass { exec, .. } => {
                self.push(Span::EXEC, true, exec, Field::Reserved);
            }
            Sem::Packed(..) | Sem::Cvt(_) | Sem::Dot { .. } | Sem::Mfma(_) => self.reads_too(Span::EXEC),
            Sem::Load { space, .. } => {
                self.reads_too(Span::EXEC);
                if inst.loads_lds() {
                    self.reads_too(Span::M0);
                }
                self.memory(inst, space, format);
            }
            Sem::Store { space, .. } | Sem::Atomic { space, .. } => {
                self.reads_too(Span::EXEC);
                self.memory(inst, space, format);
            }
            Sem::DsLoad2 { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => self.reads_too(Span::EXEC),
            Sem::Ds(ds) => {
                self.reads_too(Span::EXEC);
                if !matches!(ds, Ds::Swizzle | Ds::Permute | Ds::Bpermute | Ds::ReadTr { .. }) {
                    self.reads_too(Span::M0);
                }
            }
            Sem::StoreLds => {
                self.reads_too(Span::EXEC);
                self.reads_too(Span::M0);
            }
            Sem::Export | Sem::Image => self.reads_too(Span::EXEC),
            Sem::ScalarLoad { .. }
            | Sem::ScalarStore { .. }
            | Sem::ScalarAtomic { .. }
            | Sem::ScalarCache { .. }
            | Sem::MemTime { .. }
            | Sem::AtcProbe { .. }
            | Sem::DcacheDiscard { .. }
            | Sem::CacheWriteback
            | Sem::CacheInvalidate { .. }
            | Sem::LdScale => {}
        }
    }

    /// Flat and scratch addresses go through FLAT_SCRATCH where it is not architected.
    fn memory(&mut self, inst: &Inst, space: Space, format: Format) {
        let register = matches!(inst.target(), Target::Gfx908 | Target::Gfx90a);
        if register && (matches!(space, Space::Flat) || format == Format::SCRATCH) {
            self.reads_too(Span { first: S0 + code::FLAT_SCRATCH, count: 2 });
        }
    }
}

/// The registers of an operand; none where it is something else.
#[inline]
fn register(inst: &Inst, place: &Place) -> Span {
    let n = u16::from(place.dwords);
    let value = place.bits.get(&inst.words) as u16;
    match place.kind {
        Kind::Vector => Span { first: V0 + (value & 255), count: n },
        Kind::Source if value >= 256 => Span { first: V0 + (value & 255), count: n },
        Kind::Source if value < 128 => Span { first: S0 + value, count: n },
        Kind::Scalar(run) => Span { first: S0 + ((value * u16::from(run)) & 127), count: n },
        _ => match inst.read_place(place) {
            Some(Operand::Reg(reg)) => Span::of(reg),
            _ => Span::NONE,
        },
    }
}

/// Whether lanes or halves of the destination may survive, or it is an accumulator, so that its old value counts as
/// read.
pub fn keeps_part_of_destination(inst: &Inst) -> bool {
    if keeps_whatever_the_bits(inst.row().sem) {
        return true;
    }
    match inst.form() {
        Form::Dpp => {
            inst.get(Field::RowMask) != 15 || inst.get(Field::BankMask) != 15 || inst.get(Field::BoundCtrl) == 0
        }
        Form::Sdwa => inst.get(Field::DstSel) != 6 && inst.get(Field::DstUnused) == 2,
        Form::Base | Form::E64 => {
            matches!(inst.row().sem, Sem::Lane(Op::WriteLane, _))
                || matches!(inst.row().format, Format::VOP3) && inst.get(Field::OpSel) & 8 != 0
        }
    }
}

/// Accumulators, and half loads: the other half stays on parts without SRAM-ECC; with it, it is cleared.
fn keeps_whatever_the_bits(sem: Sem) -> bool {
    matches!(
        sem,
        Sem::Dot { acc: true, .. }
            | Sem::Load { mem: Mem::U8D16(_) | Mem::I8D16(_) | Mem::B16D16(_) | Mem::FormatD16Hi, .. }
    )
}

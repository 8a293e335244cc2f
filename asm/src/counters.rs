//! The wait counters: which an instruction raises, and what `s_waitcnt` holds.
//!
//! Facts: the ISA guides' chapter on data dependencies. VMEM returns in order on one counter, loads and stores alike;
//! LDS returns in order; scalar memory returns in any order, so only zero is a useful wait for it; FLAT raises both
//! counters and is in order with neither.

use crate::inst::Inst;
use crate::sem::{Control, Ds, Sem, Space};
use std::fmt;

/// Largest count that `vmcnt` holds.
pub const VMCNT_MAX: u8 = 63;
/// Largest count that `lgkmcnt` holds.
pub const LGKMCNT_MAX: u8 = 15;
/// Largest count that `expcnt` holds.
pub const EXPCNT_MAX: u8 = 7;

/// The counts of one `s_waitcnt`: execution continues once no counter is above its own. The maximum waits for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitCnt {
    /// Vector memory.
    pub vm: u8,
    /// Exports and GDS.
    pub exp: u8,
    /// LDS, GDS, scalar memory, messages.
    pub lgkm: u8,
}

impl WaitCnt {
    /// Waits for nothing.
    pub const NONE: WaitCnt = WaitCnt { vm: VMCNT_MAX, exp: EXPCNT_MAX, lgkm: LGKMCNT_MAX };
    /// Waits for everything.
    pub const ALL: WaitCnt = WaitCnt { vm: 0, exp: 0, lgkm: 0 };

    /// The 16 bits of `s_waitcnt`: `vmcnt` is split over bits 3:0 and 15:14, `expcnt` is bits 6:4, `lgkmcnt` 11:8.
    /// Counts above a counter's maximum wait for nothing.
    pub const fn encode(self) -> u16 {
        const fn at_most(x: u8, max: u8) -> u16 {
            if x > max { max as u16 } else { x as u16 }
        }
        let vm = at_most(self.vm, VMCNT_MAX);
        (vm & 15) | (vm >> 4) << 14 | at_most(self.exp, EXPCNT_MAX) << 4 | at_most(self.lgkm, LGKMCNT_MAX) << 8
    }

    /// What 16 bits of `s_waitcnt` say.
    #[inline]
    pub const fn decode(bits: u16) -> WaitCnt {
        WaitCnt { vm: (bits & 15 | (bits >> 14) << 4) as u8, exp: (bits >> 4 & 7) as u8, lgkm: (bits >> 8 & 15) as u8 }
    }

    /// The wait that covers an operation on a set of counters, [`VM`], [`LGKM`] and [`EXP`], with `younger` behind it that
    /// return in order with it. What waits for `lgkmcnt` as well needs no wait for `expcnt`.
    pub fn covering(counters: u8, younger: u8) -> WaitCnt {
        WaitCnt {
            vm: if counters & VM != 0 { younger.min(VMCNT_MAX - 1) } else { VMCNT_MAX },
            lgkm: if counters & LGKM != 0 { younger.min(LGKMCNT_MAX - 1) } else { LGKMCNT_MAX },
            exp: if counters & (EXP | LGKM) == EXP { 0 } else { EXPCNT_MAX },
        }
    }

    /// Waits for what either waits for.
    pub fn and(self, other: WaitCnt) -> WaitCnt {
        WaitCnt { vm: self.vm.min(other.vm), exp: self.exp.min(other.exp), lgkm: self.lgkm.min(other.lgkm) }
    }
}

/// As LLVM prints it, without the counters that it does not wait for.
impl fmt::Display for WaitCnt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("s_waitcnt")?;
        let counters =
            [("vmcnt", self.vm, VMCNT_MAX), ("expcnt", self.exp, EXPCNT_MAX), ("lgkmcnt", self.lgkm, LGKMCNT_MAX)];
        counters.iter().filter(|(_, n, max)| n < max).try_for_each(|(name, n, _)| write!(f, " {name}({n})"))
    }
}

/// How an instruction raises the wait counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Raises {
    /// Not at all.
    Nothing,
    /// `vmcnt`, in order.
    Vm,
    /// `vmcnt`, in order; the data goes to LDS.
    VmToLds,
    /// `lgkmcnt`, in order with other LDS instructions.
    Lds,
    /// `lgkmcnt`, out of order.
    Scalar,
    /// `lgkmcnt`, in order with nothing: messages.
    Message,
    /// `vmcnt` and `lgkmcnt`, in order with nothing.
    Flat,
    /// `lgkmcnt` and `expcnt`: GDS reads its data late.
    Gds,
    /// `expcnt`.
    Export,
}

/// The bit of `vmcnt` in a set of counters.
pub const VM: u8 = 1;
/// The bit of `lgkmcnt` in a set of counters.
pub const LGKM: u8 = 2;
/// The bit of `expcnt` in a set of counters.
pub const EXP: u8 = 4;

/// With which operations an operation returns in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// With vector memory.
    Vector,
    /// With LDS.
    Lds,
    /// With none.
    None,
}

impl Raises {
    /// With which operations it returns in order.
    #[inline]
    pub const fn order(self) -> Order {
        match self {
            Raises::Vm | Raises::VmToLds => Order::Vector,
            Raises::Lds => Order::Lds,
            Raises::Nothing | Raises::Scalar | Raises::Message | Raises::Flat | Raises::Gds | Raises::Export => {
                Order::None
            }
        }
    }

    /// The counters that it raises, a set of [`VM`], [`LGKM`] and [`EXP`].
    #[inline]
    pub const fn counters(self) -> u8 {
        match self {
            Raises::Nothing => 0,
            Raises::Vm | Raises::VmToLds => VM,
            Raises::Lds | Raises::Scalar | Raises::Message => LGKM,
            Raises::Flat => VM | LGKM,
            Raises::Gds => LGKM | EXP,
            Raises::Export => EXP,
        }
    }

    /// Issue slots (of at least 4 cycles) after which shipping code is seen to use a result that no wait covers. The
    /// guides know no such time: it is luck that has not run out, so it is advice and not nothing. Figures: AITER's
    /// kernels, where uncovered uses come in two groups, a few on the heels of the operation, and thousands this far
    /// behind it or further (docs/findings.md).
    pub const fn patience(self) -> u32 {
        match self {
            Raises::Lds | Raises::Gds => 64,
            Raises::Scalar | Raises::Message => 192,
            _ => 256,
        }
    }
}

/// How `inst` raises the wait counters.
pub fn raises(inst: &Inst) -> Raises {
    let by_space = |space: Space| match space {
        Space::Flat => Raises::Flat,
        Space::Global | Space::Scratch | Space::Buffer => Raises::Vm,
        Space::Lds if inst.get(crate::format::Field::Gds) != 0 => Raises::Gds,
        Space::Lds => Raises::Lds,
    };
    match inst.row().sem {
        Sem::Load { .. } if inst.loads_lds() => Raises::VmToLds,
        Sem::Load { space, .. } | Sem::Store { space, .. } | Sem::Atomic { space, .. } => by_space(space),
        Sem::DsLoad2 { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => by_space(Space::Lds),
        Sem::Ds(ds) => match ds {
            Ds::GwsInit | Ds::GwsSemaV | Ds::GwsSemaBr | Ds::GwsSemaP | Ds::GwsSemaReleaseAll | Ds::GwsBarrier => {
                Raises::Gds
            }
            Ds::OrderedCount => Raises::Gds,
            _ => by_space(Space::Lds),
        },
        Sem::ScalarLoad { .. }
        | Sem::ScalarStore { .. }
        | Sem::ScalarAtomic { .. }
        | Sem::ScalarCache { .. }
        | Sem::MemTime { .. }
        | Sem::AtcProbe { .. }
        | Sem::DcacheDiscard { .. } => Raises::Scalar,
        Sem::Control(Control::SendMsg | Control::SendMsgHalt) => Raises::Message,
        // Invalidations raise no counter: what matters is the order in which they are issued.
        Sem::CacheWriteback | Sem::StoreLds => Raises::Vm,
        Sem::Image => Raises::Vm,
        Sem::Export => Raises::Export,
        _ => Raises::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `llvm-mc`: `s_waitcnt vmcnt(0)` is bf8c0f70, `lgkmcnt(0)` bf8cc07f, `vmcnt(63) expcnt(7) lgkmcnt(15)` bf8ccf7f.
    #[test]
    fn counts_encode_as_llvm_encodes_them() {
        assert_eq!(WaitCnt { vm: 0, ..WaitCnt::NONE }.encode(), 0x0f70);
        assert_eq!(WaitCnt { lgkm: 0, ..WaitCnt::NONE }.encode(), 0xc07f);
        assert_eq!(WaitCnt::NONE.encode(), 0xcf7f);
    }

    #[test]
    fn a_wait_says_what_it_waits_for() {
        assert_eq!(WaitCnt { vm: 2, lgkm: 0, ..WaitCnt::NONE }.to_string(), "s_waitcnt vmcnt(2) lgkmcnt(0)");
    }

    #[test]
    fn every_count_survives_the_encoding() {
        for vm in 0..=VMCNT_MAX {
            for exp in 0..=EXPCNT_MAX {
                for lgkm in 0..=LGKMCNT_MAX {
                    let w = WaitCnt { vm, exp, lgkm };
                    assert_eq!(WaitCnt::decode(w.encode()), w);
                }
            }
        }
    }
}

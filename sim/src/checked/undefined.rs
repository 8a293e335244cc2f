//! Values that nothing has written: which lanes of which registers hold one, and where one decides something.
//!
//! As in other tools of this kind a copy of such a value is no fault: the mark goes along, through arithmetic, LDS and
//! memory, and a finding is made where the value decides an address, a branch, EXEC, or what is stored to memory that
//! outlives the dispatch. Lanes are the grain of vector registers, bits that of scalar ones, because masks are made of
//! bits; a write of half a register counts as a write of all of it, so a mark may be lost there and none is invented.

use super::program::Info;
use super::relative::{M0, Relative};
use crate::engine::ir::DppCtrl;
use crate::engine::lanes::WAVE;
use crate::engine::lower::Layout;
use crate::engine::mfma;
use crate::engine::run::dpp;
use crate::engine::state::Wave;
use wavesmith_asm::Operand;
use wavesmith_asm::effects::{self, Effects, Span, Touch};
use wavesmith_asm::row::Class;
use wavesmith_asm::sem::{Control, Ds, Elem, Logic, Op, SOp, Sem, Space};
use wavesmith_asm::{Field, Form, RegClass, Target};

/// What an undefined value decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Address,
    Branch,
    Exec,
    /// A register by its number relative to M0.
    Register,
    Output,
    /// What was in memory before a read-modify-write.
    Memory,
}

/// What of an instruction's sources is undefined.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taint {
    /// Lanes of the result.
    pub lanes: u64,
    /// The same by dword of a result of two, where one is known and the other is not.
    halves: Option<[u64; 2]>,
    /// Bits of a scalar result.
    bits: u64,
    /// By dword, lanes of the data to store.
    pub data: [u64; 4],
    /// Lanes that DPP or a lane write touches, where not those of EXEC.
    written: Option<u64>,
    /// SCC's new state.
    scc: bool,
}

/// A wave's registers.
pub(crate) struct Undefined {
    /// By register of the wave's file, lanes.
    v: Vec<u64>,
    /// By operand encoding, bits.
    s: [u32; 128],
    scc: bool,
    agpr_base: u16,
}

impl Undefined {
    /// What a wave starts with.
    pub fn start(w: &Wave, layout: &Layout, ids: u8) -> Undefined {
        let mut v = vec![u64::MAX; usize::from(layout.registers)];
        let filled = if layout.target == Target::Gfx908 { usize::from(ids) + 1 } else { 1 };
        v.iter_mut().take(filled).for_each(|r| *r = 0);
        let mut s = [u32::MAX; 128];
        s[..usize::from(w.initial_sgprs)].fill(0);
        let architected = matches!(layout.target, Target::Gfx942 | Target::Gfx950);
        if architected {
            s[102..104].fill(0);
        }
        // XNACK_MASK, trap temporaries and what lies between are the system's; EXEC is set.
        s[104..106].fill(0);
        s[108..124].fill(0);
        s[125..128].fill(0);
        Undefined { v, s, scc: true, agpr_base: layout.agpr_base }
    }

    /// Fills the undefined registers of a wave: they hold anything, and zero would be too kind.
    pub fn fill(&self, w: &mut Wave, mut next: impl FnMut() -> u64) {
        for (r, mask) in w.regs.iter_mut().zip(&self.v) {
            if *mask != 0 {
                r.0.iter_mut().for_each(|x| *x = next() as u32);
            }
        }
        for (x, mask) in w.s[..102].iter_mut().zip(&self.s) {
            if *mask != 0 {
                *x = next() as u32;
            }
        }
        for i in [106, 107, 124] {
            w.s[i] = next() as u32;
        }
        w.scc = next() & 1 == 1;
    }

    #[inline]
    fn index(&self, flat: u16) -> usize {
        if flat < effects::A0 { flat.into() } else { (self.agpr_base + flat - effects::A0).into() }
    }

    #[inline]
    fn vector(&self, span: Span) -> u64 {
        span.iter().fold(0, |m, r| m | self.v.get(self.index(r)).copied().unwrap_or(0))
    }

    fn scalar(&self, span: Span) -> u64 {
        match span.first {
            effects::SCC => u64::from(self.scc),
            f if (effects::S0..effects::SCC).contains(&f) => {
                let at = usize::from(f - effects::S0);
                let word = |i: usize| self.s.get(at + i).copied().unwrap_or(0);
                match span.count {
                    1 => word(0).into(),
                    2 => u64::from(word(0)) | u64::from(word(1)) << 32,
                    n => u64::from((0..usize::from(n)).any(|i| word(i) != 0)),
                }
            }
            _ => 0,
        }
    }

    #[inline]
    fn any(&self, span: Span) -> u64 {
        if span.is_vector() { self.vector(span) } else { self.scalar(span) }
    }

    /// Takes scalar registers as never written.
    pub fn forget(&mut self, span: Span) {
        for r in span.iter() {
            if let Some(m) = self.s.get_mut(usize::from(r.wrapping_sub(effects::S0))) {
                *m = u32::MAX;
            }
        }
    }

    /// Takes registers as written, after what they decided has been reported.
    pub fn forgive(&mut self, span: Span) {
        for r in span.iter() {
            match r {
                r if r < effects::S0 => {
                    let i = self.index(r);
                    if let Some(m) = self.v.get_mut(i) {
                        *m = 0;
                    }
                }
                effects::SCC => self.scc = false,
                r => {
                    if let Some(m) = self.s.get_mut(usize::from(r - effects::S0)) {
                        *m = 0;
                    }
                }
            }
        }
    }

    /// Looks at an instruction before it executes: what of its sources is undefined, and what that decides.
    pub fn judge(&self, info: &Info, effects: &Effects, w: &Wave) -> (Taint, Option<(Use, Span, u64)>) {
        let mut t = Taint::default();
        let mut found = None;
        let row = info.inst.row();
        let exec = w.exec();
        if self.s[M0] & info.relative.decisive(&info.inst, w.mode, w.s[M0]) != 0
            && (exec != 0 || info.relative == Relative::Scalar)
        {
            found = Some((Use::Register, Span::M0, 0));
        }
        match row.sem {
            Sem::Branch(_) => {
                for r in effects.reads() {
                    let bits = self.any(r.span);
                    if bits != 0 && r.span != Span::EXEC {
                        found = Some((Use::Branch, r.span, 0));
                    }
                }
            }
            Sem::Load { .. }
            | Sem::Store { .. }
            | Sem::Atomic { .. }
            | Sem::StoreLds
            | Sem::DsLoad2 { .. }
            | Sem::DsStore2 { .. }
            | Sem::DsXchg2 { .. } => {
                if exec == 0 {
                    return (t, None);
                }
                let mut at = 0;
                for r in effects.reads() {
                    match r.slot {
                        Field::Vaddr => {
                            let lanes = self.vector(r.span) & exec;
                            if lanes != 0 {
                                found = Some((Use::Address, r.span, lanes));
                            }
                        }
                        Field::Saddr | Field::Srsrc | Field::Soffset if self.scalar(r.span) != 0 => {
                            found = Some((Use::Address, r.span, exec));
                        }
                        Field::Reserved if r.span == Span::M0 && self.scalar(r.span) != 0 => {
                            found = Some((Use::Address, r.span, exec));
                        }
                        Field::Data0 | Field::Data1 if !matches!(row.sem, Sem::Load { .. }) => {
                            for reg in r.span.iter() {
                                if at < 4 {
                                    t.data[at] = self.vector(Span { first: reg, count: 1 }) & exec;
                                    at += 1;
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            Sem::ScalarLoad { .. } | Sem::ScalarStore { .. } | Sem::ScalarAtomic { .. } => {
                for r in effects.reads() {
                    if matches!(r.slot, Field::Sbase | Field::Soffset) && self.scalar(r.span) != 0 {
                        found = Some((Use::Address, r.span, 0));
                    }
                }
            }
            Sem::Ds(ds) => {
                let data: u64 = effects
                    .reads()
                    .filter(|r| r.slot == Field::Data0)
                    .map(|r| self.vector(r.span))
                    .fold(0, |a, b| a | b);
                let address: u64 = effects
                    .reads()
                    .filter(|r| r.slot == Field::Vaddr)
                    .map(|r| self.vector(r.span))
                    .fold(0, |a, b| a | b);
                match ds {
                    Ds::Bpermute => {
                        t.lanes = address & exec;
                        if data & exec != 0
                            && let Some(r) = effects.reads().find(|r| r.slot == Field::Vaddr)
                            && let Some(regs) = w.regs.get(self.index(r.span.first))
                        {
                            let offset = info.inst.get(Field::Offset);
                            for (lane, a) in regs.0.iter().enumerate() {
                                let from = a.wrapping_add(offset) / 4 % 64;
                                t.lanes |= (data & exec) >> from << lane & 1 << lane;
                            }
                        }
                    }
                    Ds::Permute | Ds::Swizzle => {
                        if (data | address) & exec != 0 {
                            t.lanes = u64::MAX;
                        }
                    }
                    _ => {
                        if address & exec != 0
                            && let Some(r) = effects.reads().find(|r| r.slot == Field::Vaddr)
                        {
                            found = Some((Use::Address, r.span, address & exec));
                        }
                        t.data[0] = data & exec;
                    }
                }
            }
            Sem::Salu(op, _) => self.salu(op, effects, w, info, &mut t),
            Sem::SaveExec(_) | Sem::WrExec(_) => {
                for r in effects.reads().filter(|r| r.slot != Field::Reserved) {
                    if self.scalar(r.span) != 0 {
                        found = Some((Use::Exec, r.span, 0));
                    }
                }
            }
            Sem::ScalarCmp(..) | Sem::BitCmp(..) => {
                t.scc = effects.reads().any(|r| self.any(r.span) != 0);
            }
            Sem::Lane(op, _) => {
                self.lane(op, info, effects, w, &mut t);
            }
            Sem::Mfma(_) => self.matrix(info, effects, &mut t),
            Sem::Cmp { exec: to_exec, .. } | Sem::CmpClass { exec: to_exec, .. } => {
                self.sources(info, effects, &mut t);
                if to_exec && t.lanes & exec != 0 {
                    let span = effects.reads().find(|r| r.slot != Field::Reserved).map_or(Span::EXEC, |r| r.span);
                    found = Some((Use::Exec, span, t.lanes & exec));
                }
            }
            Sem::Packed(..) | Sem::Cvt(_) | Sem::Dot { .. } => {
                self.sources(info, effects, &mut t);
                self.moved(info, effects, w, &mut t);
                if t.lanes != 0 && matches!(row.sem, Sem::Packed(..)) {
                    t.halves = self.halves(info, effects);
                }
            }
            _ => {}
        }
        if found.is_none()
            && matches!(row.sem, Sem::Salu(..))
            && t.bits != 0
            && let Some(r) = effects.writes().find(|r| r.span.is_scalar() && r.span.overlaps(Span::EXEC))
        {
            found = Some((Use::Exec, r.span, 0));
        }
        (t, found)
    }

    /// Lanes in which any source is undefined.
    fn sources(&self, info: &Info, effects: &Effects, t: &mut Taint) {
        let row = info.inst.row();
        let accumulates =
            matches!(row.sem, Sem::Dot { acc: true, .. }) || matches!(row.sem, Sem::Lane(Op::Mac | Op::Fmac, _));
        for r in effects.reads() {
            if r.span.is_vector() {
                // A destination that is partly kept is no source.
                if r.write && !accumulates && matches!(r.slot, Field::Dst) {
                    continue;
                }
                t.lanes |= self.vector(r.span);
            } else if r.slot == Field::Reserved {
                if r.span == Span::VCC {
                    t.lanes |= self.scalar(r.span);
                }
            } else {
                let bits = self.scalar(r.span);
                if bits != 0 {
                    let mask = r.span.count == 2 && row.operand(r.slot).is_some_and(|o| o.class == Class::M);
                    t.lanes |= if mask { bits } else { u64::MAX };
                }
            }
        }
    }

    /// DPP: the first source's marks move with its lanes.
    fn moved(&self, info: &Info, effects: &Effects, w: &Wave, t: &mut Taint) {
        if info.inst.form() != Form::Dpp {
            return;
        }
        let Some(src) = effects.reads().find(|r| r.slot == Field::Src0 && r.span.is_vector()) else { return };
        let marks = self.vector(src.span);
        let dst = effects.writes().filter(|r| r.span.is_vector()).fold(0, |m, r| m | self.vector(r.span));
        if marks | dst == 0 {
            return;
        }
        let ctrl = DppCtrl {
            ctrl: info.inst.get(Field::DppCtrl) as u16,
            row_mask: info.inst.get(Field::RowMask) as u8,
            bank_mask: info.inst.get(Field::BankMask) as u8,
            bound_ctrl: info.inst.get(Field::BoundCtrl) != 0,
        };
        let lanes: [u32; WAVE] = core::array::from_fn(|i| (marks >> i & 1) as u32);
        let (out, written) = dpp(&lanes, ctrl, w.exec());
        let others = effects
            .reads()
            .filter(|r| r.span.is_vector() && !matches!(r.slot, Field::Src0 | Field::Dst))
            .fold(0, |m, r| m | self.vector(r.span));
        t.lanes = others | out.iter().enumerate().fold(0, |m, (i, v)| m | u64::from(*v & 1) << i);
        t.written = Some(written & w.exec());
    }

    fn lane(&self, op: Op, info: &Info, effects: &Effects, w: &Wave, t: &mut Taint) {
        let selected = || {
            let lane = match info.inst.slot(Field::Src1) {
                Some(Operand::Int(n)) => n as u32,
                Some(Operand::Reg(r)) if r.class == RegClass::S => w.s[usize::from(r.index & 127)],
                _ => 0,
            };
            lane as usize % WAVE
        };
        let src0 = || effects.reads().find(|r| r.slot == Field::Src0).map_or(0, |r| self.any(r.span));
        match op {
            Op::ReadLane => t.bits = if src0() >> selected() & 1 == 1 { u64::MAX } else { 0 },
            Op::ReadFirstLane => {
                let exec = w.exec();
                let lane = if exec == 0 { 0 } else { exec.trailing_zeros() };
                t.bits = if src0() >> lane & 1 == 1 { u64::MAX } else { 0 };
            }
            Op::WriteLane => {
                t.lanes = if src0() != 0 { u64::MAX } else { 0 };
                t.written = Some(1 << selected());
            }
            Op::Permlane16Swap | Op::Permlane32Swap => {
                self.sources(info, effects, t);
                if t.lanes != 0 {
                    t.lanes = u64::MAX;
                }
            }
            // Anything xor itself is zero; compilers clear registers so.
            Op::Logic(Logic::Xor) | Op::Sub if same_sources(effects) => {}
            _ => {
                self.sources(info, effects, t);
                self.moved(info, effects, w, t);
                if t.lanes != 0 {
                    t.halves = self.halves(info, effects);
                }
            }
        }
    }

    /// Lanes of each dword of a result of two whose dwords do not both depend on all sources.
    ///
    /// Compilers count on it: the upper dword of an addend may be anything where the sum's upper one is dropped.
    fn halves(&self, info: &Info, effects: &Effects) -> Option<[u64; 2]> {
        let inst = info.inst;
        if inst.form() == Form::Dpp {
            return None;
        }
        let dword = |slot: Field, upper: bool| -> u64 {
            let Some(r) = effects.reads().find(|r| r.slot == slot) else { return 0 };
            if r.span.is_vector() {
                let first = r.span.first + u16::from(upper && r.span.count == 2);
                return self.vector(Span { first, count: 1 });
            }
            let bits = self.scalar(r.span);
            let bits = if r.span.count == 2 { bits >> (32 * u32::from(upper)) & 0xffff_ffff } else { bits };
            if bits != 0 { u64::MAX } else { 0 }
        };
        let (a, b, c) = (Field::Src0, Field::Src1, Field::Src2);
        let both = |slot| dword(slot, false) | dword(slot, true);
        match inst.row().sem {
            Sem::Lane(Op::Mov, ty) if ty.bits() == 64 => Some([dword(a, false), dword(a, true)]),
            // Carries go up, from the least significant bit.
            Sem::Lane(Op::LshlAdd, ty) if ty.bits() == 64 => {
                let low = dword(a, false) | dword(b, false) | dword(c, false);
                Some([low, low | dword(a, true) | dword(c, true)])
            }
            Sem::Lane(Op::MadWide, Elem::U32 | Elem::I32) => {
                let low = dword(a, false) | dword(b, false) | dword(c, false);
                Some([low, low | dword(c, true)])
            }
            Sem::Lane(Op::LshlRev, ty) if ty.bits() == 64 => {
                let low = dword(a, false) | dword(b, false);
                Some([low, low | dword(b, true)])
            }
            Sem::Lane(Op::LshrRev | Op::AshrRev, ty) if ty.bits() == 64 => {
                let high = dword(a, false) | dword(b, true);
                Some([high | both(b), high])
            }
            Sem::Lane(Op::PkMov, _) => {
                let from = inst.get(Field::OpSel);
                Some([dword(a, from & 1 == 1), dword(b, from & 2 != 0)])
            }
            Sem::Packed(_, Elem::F32) => {
                let pick = |from: u32| {
                    [a, b, c].iter().enumerate().fold(0, |m, (i, slot)| m | dword(*slot, from >> i & 1 == 1))
                };
                Some([pick(inst.get(Field::OpSel)), pick(inst.get(Field::OpSelHi))])
            }
            _ => None,
        }
    }

    fn salu(&self, op: SOp, effects: &Effects, w: &Wave, info: &Info, t: &mut Taint) {
        let read = |slot: Field| effects.reads().find(|r| r.slot == slot);
        let (a, b) = (read(Field::Src0), read(Field::Src1));
        let undefined = |r: Option<&Touch>| r.map_or(0, |r| self.scalar(r.span));
        let value = |r: Option<&Touch>, slot: Field| match r {
            Some(r) if r.span.is_scalar() && r.span.first >= effects::S0 => {
                let at = usize::from(r.span.first - effects::S0).min(126);
                if r.span.count > 1 { w.pair(at as u8) } else { w.s[at].into() }
            }
            _ => match info.inst.slot(slot) {
                Some(Operand::Int(n)) => i64::from(n) as u64,
                Some(Operand::Literal(n)) => n.into(),
                // Whatever else it is, no bit of it is known to be zero or one.
                _ => u64::MAX ^ 0x5555,
            },
        };
        let (ua, ub) = (undefined(a), undefined(b));
        match op {
            SOp::MovrelS | SOp::MovrelD => {}
            SOp::Mov | SOp::Not => t.bits = ua,
            SOp::SetGprIdxIdx => t.bits = u64::from(self.s[M0] & !0xff) | ua & 0xff,
            SOp::Logic(Logic::Xor) if a.is_some() && a.map(|r| r.span) == b.map(|r| r.span) => {}
            SOp::Logic(l @ (Logic::And | Logic::Or | Logic::Andn2 | Logic::Orn2)) => {
                let (va, vb) = (value(a, Field::Src0), value(b, Field::Src1));
                let vb = if matches!(l, Logic::Andn2 | Logic::Orn2) { !vb } else { vb };
                let (zero_a, zero_b) = match l {
                    Logic::And | Logic::Andn2 => (!va, !vb),
                    _ => (va, vb),
                };
                t.bits = (ua | ub) & !(zero_a & !ua) & !(zero_b & !ub);
            }
            // Whatever it is, a product with zero is zero.
            SOp::Mul if ua == 0 && value(a, Field::Src0) == 0 || ub == 0 && value(b, Field::Src1) == 0 => {}
            SOp::Logic(_) => t.bits = ua | ub,
            SOp::Cselect => {
                t.bits = if self.scc {
                    u64::MAX
                } else if w.scc {
                    ua
                } else {
                    ub
                }
            }
            _ => {
                let any = effects.reads().any(|r| self.any(r.span) != 0);
                t.bits = if any { u64::MAX } else { 0 };
            }
        }
        t.scc = t.bits != 0;
    }

    fn matrix(&self, info: &Info, effects: &Effects, t: &mut Taint) {
        let side = |slot: Field| effects.reads().find(|r| r.slot == slot).map_or(0, |r| self.vector(r.span));
        let (a, b) = (side(Field::Src0), side(Field::Src1));
        let scales = side(Field::ScaleSrc0) | side(Field::ScaleSrc1);
        let _ = info;
        t.data = [a, b, u64::from(scales != 0), 0];
    }

    /// Marks the results of an instruction that has executed with `exec`. `loaded` is what memory said, by dword, or by bit of
    /// the first for the dwords of a scalar load.
    pub fn settle(&mut self, info: &Info, effects: &Effects, t: &Taint, exec: u64, loaded: &[u64; 4]) {
        let sem = info.inst.row().sem;
        match sem {
            Sem::Mfma(shape) => return self.settle_matrix(info, effects, t, &shape),
            // What a branch writes is where the program is, which is always known.
            Sem::Branch(_) => return effects.writes().for_each(|w| self.forgive(w.span)),
            Sem::Control(Control::SetGprIdxOn) => {
                let from = effects.reads().find(|r| r.slot == Field::Src0).map_or(0, |r| self.scalar(r.span) as u32);
                self.s[M0] = self.s[M0] & !0xf0ff | from & 0xff;
                return;
            }
            Sem::Control(Control::SetGprIdxMode) => {
                self.s[M0] &= !0xf000;
                return;
            }
            Sem::Control(_) => return,
            _ => {}
        }
        let memory = matches!(sem, Sem::Load { .. } | Sem::Atomic { .. } | Sem::DsLoad2 { .. } | Sem::DsXchg2 { .. })
            || matches!(sem, Sem::Ds(ds) if !matches!(ds, Ds::Bpermute | Ds::Permute | Ds::Swizzle));
        let salu = matches!(
            sem,
            Sem::Salu(..) | Sem::Lane(Op::ReadLane | Op::ReadFirstLane, _) | Sem::ScalarCmp(..) | Sem::BitCmp(..)
        );
        let written = t.written.unwrap_or(exec);
        for w in effects.writes() {
            if let Sem::ScalarLoad { .. } = sem
                && w.span.is_scalar()
            {
                let at = usize::from(w.span.first - effects::S0);
                for (k, m) in self.s.iter_mut().skip(at).take(w.span.count.into()).enumerate() {
                    *m = if loaded[0] >> k & 1 == 1 { u32::MAX } else { 0 };
                }
            } else if w.span.is_vector() {
                for (k, r) in w.span.iter().enumerate() {
                    let lanes = match t.halves {
                        _ if memory => loaded[k.min(3)],
                        Some(halves) => halves[k.min(1)],
                        None => t.lanes,
                    };
                    let i = self.index(r);
                    if let Some(m) = self.v.get_mut(i) {
                        *m = *m & !written | lanes & written;
                    }
                }
            } else if w.span == Span::SCC {
                self.scc = t.scc;
            } else if w.span.is_scalar() && !w.span.overlaps(Span::EXEC) {
                let bits = match sem {
                    _ if salu => t.bits,
                    Sem::SaveExec(_) | Sem::WrExec(_) => 0,
                    _ => t.lanes & exec,
                };
                let at = usize::from(w.span.first - effects::S0);
                for k in 0..usize::from(w.span.count) {
                    if let Some(m) = self.s.get_mut(at + k) {
                        *m = (bits >> (32 * (k & 1))) as u32;
                    }
                }
            }
        }
    }

    fn settle_matrix(&mut self, info: &Info, effects: &Effects, t: &Taint, shape: &wavesmith_asm::sem::Mfma) {
        let Some(d) = effects.writes().find(|w| w.span.is_vector()).map(|w| w.span) else { return };
        let c = effects.reads().find(|r| r.slot == Field::Src2 && r.span.is_vector() && !shape.sparse).map(|r| r.span);
        let [a, b, scales, _] = t.data;
        // C element by element; a sparse instruction accumulates in place.
        let old: Vec<u64> = d
            .iter()
            .enumerate()
            .map(|(k, r)| {
                let from = match c {
                    Some(c) => c.first + k as u16,
                    None if shape.sparse => r,
                    None => return 0,
                };
                self.v.get(self.index(from)).copied().unwrap_or(0)
            })
            .collect();
        let mut marks = old;
        if a | b != 0 || scales != 0 {
            let broadcast = info.inst.get(Field::Cbsz) != 0 || info.inst.get(Field::Blgp) != 0;
            if scales != 0 || shape.d == Elem::F64 || shape.sparse || broadcast && !shape.typed_by_fields {
                marks.iter_mut().for_each(|m| *m = u64::MAX);
            } else {
                let fold = |lanes: u64, n: u8| {
                    (0..WAVE).filter(|l| lanes >> l & 1 == 1).fold(0u64, |m, l| m | 1 << (l % usize::from(n)))
                };
                let (rows, columns) = (fold(a, shape.m), fold(b, shape.n));
                for block in 0..usize::from(shape.blocks) {
                    for i in 0..usize::from(shape.m) {
                        for j in 0..usize::from(shape.n) {
                            if rows >> i & 1 == 1 || columns >> j & 1 == 1 {
                                let place = mfma::output(shape, i, j, block);
                                if let Some(m) = marks.get_mut(place.item) {
                                    *m |= 1 << place.lane;
                                }
                            }
                        }
                    }
                }
            }
        }
        for (r, m) in d.iter().zip(marks) {
            let i = self.index(r);
            if let Some(slot) = self.v.get_mut(i) {
                *slot = m;
            }
        }
    }
}

fn same_sources(effects: &Effects) -> bool {
    let find = |slot: Field| effects.reads().find(|r| r.slot == slot).map(|r| r.span);
    find(Field::Src0).is_some() && find(Field::Src0) == find(Field::Src1)
}

/// Whether a store outlives the dispatch, so that an undefined value in it is an output.
pub(crate) fn is_output(info: &Info) -> bool {
    match info.inst.row().sem {
        Sem::Store { space, .. } | Sem::Atomic { space, .. } => !matches!(space, Space::Lds | Space::Scratch),
        Sem::ScalarStore { .. } | Sem::ScalarAtomic { .. } => true,
        _ => false,
    }
}

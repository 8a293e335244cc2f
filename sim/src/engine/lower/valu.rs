//! Vector ALU instructions: modifiers as operations of their own around the one that computes.

use super::{Lower, Refusal, Result};
use crate::engine::ir::{CarryOp, DppCtrl, S, Uop, V};
use crate::engine::lanes::rounded::{rounds, rounds_as_16_64};
use crate::engine::lanes::{LaneOp as L, Lanes};
use wavesmith_asm::inst::Inst;
use wavesmith_asm::row::{Mods, Opd};
use wavesmith_asm::sem::{Cond, Elem, Logic, Op};
use wavesmith_asm::{Field, Form, Format, Operand, RegClass, Sem};

const SOURCES: [Field; 3] = [Field::Src0, Field::Src1, Field::Src2];

/// Where a result goes and what has to happen to it on the way.
pub(super) struct Dest {
    /// Where to compute: the register itself, or a temporary.
    pub at: V,
    real: V,
    /// First register in the wave's file and the first beyond its kind, where M0 is added to it; `real` is then a copy.
    indexed: Option<(u16, u16)>,
    regs: u16,
    post: bool,
    elem: Elem,
    count: u8,
}

/// Whether bits of a type are a float of that width.
fn width(opd: &Opd) -> u32 {
    opd.ty.elem.bits()
}

impl Lower {
    pub(super) fn op1(&mut self, op: L, d: V, a: V) {
        self.push(Uop::Lane { op, d, a, b: a, c: a });
    }
    pub(super) fn op2(&mut self, op: L, d: V, a: V, b: V) {
        self.push(Uop::Lane { op, d, a, b, c: a });
    }
    /// An operation that may round as MODE says, or overflow as it says in binary16.
    pub(super) fn op3(&mut self, op: L, d: V, a: V, b: V, c: V) -> Result<()> {
        let as_16 = rounds_as_16_64(op);
        let mode = if as_16 { self.mode.rounds_16_64() } else { self.mode.rounds_32() } as u8;
        let (infinite, cap) = match op {
            L::PkAddF16 | L::PkMulF16 | L::PkFmaF16 => (L::PkAnyInfF16, L::PkCapF16),
            L::CvtF16F32 | L::FmaMixF16 => (L::AnyInfF32, L::CapF16),
            _ => (L::AnyInfF16, L::CapF16),
        };
        let caps = self.mode.caps_16() && overflows_16(op);
        let to = if caps { self.temps(1)? } else { d };
        if mode != 0 && rounds(op) {
            self.push(Uop::Rounded { op, mode, d: to, a, b, c });
        } else {
            self.push(Uop::Lane { op, d: to, a, b, c });
        }
        if caps {
            let n = op.regs().1.iter().filter(|r| **r > 0).count();
            let (b, c) = (if n > 1 && op != L::LdexpF16 { b } else { a }, if n > 2 { c } else { a });
            let t = self.temps(1)?;
            self.push(Uop::Lane { op: infinite, d: t, a, b, c });
            self.op2(cap, d, to, t);
        }
        Ok(())
    }
    fn t1(&mut self, op: L, a: V) -> Result<V> {
        let t = self.temps(u16::from(op.regs().0))?;
        self.op1(op, t, a);
        Ok(t)
    }
    fn t2(&mut self, op: L, a: V, b: V) -> Result<V> {
        let t = self.temps(u16::from(op.regs().0))?;
        self.op2(op, t, a, b);
        Ok(t)
    }

    fn t3(&mut self, op: L, a: V, b: V, c: V) -> Result<V> {
        let t = self.temps(u16::from(op.regs().0))?;
        self.op3(op, t, a, b, c)?;
        Ok(t)
    }

    /// A bitwise function of three sources by its truth table, as a sum of products.
    fn bitop3(&mut self, inst: &Inst, table: u8, d: V) -> Result<()> {
        let mut s = [V::reg(0); 3];
        for (i, out) in s.iter_mut().enumerate() {
            let opd = *inst.row().operand(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            let op = inst.slot(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            // The bits that are modifiers elsewhere hold the table here.
            let v = self.operand(i, op, &opd)?;
            let high = width(&opd) == 16 && inst.get(Field::OpSel) >> i & 1 == 1;
            *out = if high { self.t1(L::Hi16, v)? } else { v };
        }
        let [a, b, c] = s;
        let t = match table {
            0x96 => {
                let t = self.t2(L::Xor, a, b)?;
                self.t2(L::Xor, t, c)?
            }
            0xfe => self.t3(L::Or3, a, b, c)?,
            0xca => self.t3(L::Bfi, a, b, c)?,
            _ => {
                let n = [self.t1(L::Not, a)?, self.t1(L::Not, b)?, self.t1(L::Not, c)?];
                let mut sum = self.konst(0)?;
                for i in (0..8).filter(|i| table >> i & 1 == 1) {
                    let pick = |bit: u8, k: usize| if i & bit != 0 { s[k] } else { n[k] };
                    let t = self.t2(L::And, pick(4, 0), pick(2, 1))?;
                    let t = self.t2(L::And, t, pick(1, 2))?;
                    sum = self.t2(L::Or, sum, t)?;
                }
                sum
            }
        };
        self.op1(if inst.row().operand(Field::Dst).is_some_and(|o| width(o) == 16) { L::Lo16 } else { L::Mov }, d, t);
        Ok(())
    }

    /// Source `i` with everything that the encoding does to it.
    pub(super) fn source(&mut self, inst: &Inst, i: usize) -> Result<V> {
        let slot = SOURCES[i];
        let opd = *inst.row().operand(slot).ok_or_else(|| Refusal::unsupported(inst.name()))?;
        self.source_as(inst, i, &opd)
    }

    /// Source `i` before modifiers, relative to M0 where MODE says so.
    fn operand(&mut self, i: usize, op: Operand, opd: &Opd) -> Result<V> {
        match op {
            Operand::Reg(r) if self.mode.gpr_index() >> i & 1 == 1 && matches!(r.class, RegClass::V | RegClass::A) => {
                self.indexed_copy(r, u16::from(opd.ty.dwords().max(1)))
            }
            _ => self.vector_operand(op, opd),
        }
    }

    pub(super) fn source_as(&mut self, inst: &Inst, i: usize, opd: &Opd) -> Result<V> {
        let op = inst.slot(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
        let mut v = self.operand(i, op, opd)?;
        let regs = u16::from(opd.ty.dwords().max(1));
        let (mut neg, mut abs) = (false, false);
        match inst.form() {
            Form::Sdwa if i < 2 => {
                let (sel, sext, n, a) = if i == 0 {
                    (Field::Src0Sel, Field::Sext0, Field::Neg0, Field::Abs0)
                } else {
                    (Field::Src1Sel, Field::Sext1, Field::Neg1, Field::Abs1)
                };
                (neg, abs) = (inst.get(n) != 0, inst.get(a) != 0);
                let (sel, sext) = (inst.get(sel), inst.get(sext) != 0);
                if sel < 4 {
                    let shift = self.konst(8 * sel)?;
                    v = self.t2(if sext { L::ByteI } else { L::ByteU }, v, shift)?;
                } else if sel < 6 {
                    if sext {
                        let shift = self.konst(16 * (sel - 4))?;
                        v = self.t2(L::WordI, v, shift)?;
                    } else {
                        v = self.t1(if sel == 4 { L::Lo16 } else { L::Hi16 }, v)?;
                    }
                }
            }
            Form::Dpp if i < 2 => {
                (neg, abs) = if i == 0 {
                    (inst.get(Field::Neg0) != 0, inst.get(Field::Abs0) != 0)
                } else {
                    (inst.get(Field::Neg1) != 0, inst.get(Field::Abs1) != 0)
                };
                if i == 0 {
                    let ctrl = DppCtrl {
                        ctrl: inst.get(Field::DppCtrl) as u16,
                        row_mask: inst.get(Field::RowMask) as u8,
                        bank_mask: inst.get(Field::BankMask) as u8,
                        bound_ctrl: inst.get(Field::BoundCtrl) != 0,
                    };
                    let t = self.temps(regs)?;
                    let valid = Lower::DPP_VALID;
                    for r in 0..regs {
                        self.push(Uop::Dpp { d: t.next(r), a: v.next(r), ctrl, valid });
                    }
                    v = t;
                }
            }
            Form::Base | Form::E64 if self.is_vop3(inst) => {
                neg = inst.get(Field::Neg) >> i & 1 == 1;
                abs = inst.get(Field::Abs) >> i & 1 == 1;
                if width(opd) == 16 && opd.ty.count == 1 && inst.get(Field::OpSel) >> i & 1 == 1 {
                    v = self.t1(L::Hi16, v)?;
                }
            }
            _ => {}
        }
        if neg || abs {
            let op = match (width(opd) * u32::from(opd.ty.count), neg, abs) {
                (16, true, true) => L::NegAbsF16,
                (16, true, false) => L::NegF16,
                (16, ..) => L::AbsF16,
                (64, true, true) => L::NegAbsF64,
                (64, true, false) => L::NegF64,
                (64, ..) => L::AbsF64,
                (_, true, true) => L::NegAbsF32,
                (_, true, false) => L::NegF32,
                _ => L::AbsF32,
            };
            v = self.t1(op, v)?;
        }
        self.flush_source(v, opd)
    }

    /// Flushes a subnormal operand where MODE asks for it.
    pub(super) fn flush_source(&mut self, v: V, opd: &Opd) -> Result<V> {
        if self.keep_subnormals {
            return Ok(v);
        }
        match (opd.ty.elem, opd.ty.count) {
            (Elem::F32, 1) if self.mode.flush_in_32() => self.t1(L::FlushF32, v),
            (Elem::F64, 1) if self.mode.flush_in_16_64() => self.t1(L::FlushF64, v),
            (Elem::F16, 1) if self.mode.flush_in_16_64() => self.t1(L::FlushF16, v),
            (Elem::F16, 2) if self.mode.flush_in_16_64() => self.t1(L::PkFlushF16, v),
            _ => Ok(v),
        }
    }

    /// The scalar temporary that holds the lanes a DPP instruction writes.
    const DPP_VALID: u8 = S::FILE as u8 - 4;

    fn is_vop3(&self, inst: &Inst) -> bool {
        inst.form() == Form::E64 || matches!(inst.row().format, Format::VOP3 | Format::VOP3B)
    }

    /// Prepares the destination.
    pub(super) fn dest(&mut self, inst: &Inst) -> Result<Dest> {
        let opd = *inst.row().operand(Field::Dst).ok_or_else(|| Refusal::unsupported(inst.name()))?;
        let Some(Operand::Reg(r)) = inst.slot(Field::Dst) else {
            return Err(Refusal::unsupported(format!("the destination of {}", inst.name())));
        };
        let mut real = self.vreg(r)?;
        let regs = u16::from(opd.ty.dwords().max(1));
        let mut indexed = None;
        if self.mode.gpr_index() >> 3 & 1 == 1 && matches!(r.class, RegClass::V | RegClass::A) {
            indexed = Some((real.index() as u16, self.limit(r.class)));
            real = self.indexed_copy(r, regs)?;
        }
        let (elem, count) = (opd.ty.elem, opd.ty.count);
        let float_post =
            elem.is_float() && (inst.get(Field::Clamp) != 0 || inst.get(Field::Omod) != 0 || self.flushes_out(elem));
        let half = elem.bits() == 16 && count == 1 && (self.preserves_high(inst) || self.opsel_dst(inst));
        let post = float_post || half || indexed.is_some() || matches!(inst.form(), Form::Dpp | Form::Sdwa);
        let at = if post { self.temps(regs)? } else { real };
        Ok(Dest { at, real, indexed, regs, post, elem, count })
    }

    /// First register that is beyond those of a kind.
    fn limit(&self, class: RegClass) -> u16 {
        let limit = if class == RegClass::A { self.layout.agpr_base + self.layout.agprs } else { self.layout.vgprs };
        // Whoever asks indexes registers by M0, and may reach any of them.
        let mut touched = self.touched.get();
        touched.add(class == RegClass::A, limit);
        self.touched.set(touched);
        limit
    }

    /// Registers whose number M0 is added to, copied to temporaries.
    fn indexed_copy(&mut self, r: wavesmith_asm::Reg, regs: u16) -> Result<V> {
        let (first, limit) = (self.vreg(r)?, self.limit(r.class));
        let t = self.temps(regs)?;
        for i in 0..regs {
            self.push(Uop::IndexRead { d: t.next(i), base: first.index() as u16 + i, limit });
        }
        Ok(t)
    }

    pub(super) fn flushes_in(&self, elem: Elem) -> bool {
        match elem {
            Elem::F32 => self.mode.flush_in_32(),
            Elem::F16 | Elem::F64 => self.mode.flush_in_16_64(),
            _ => false,
        }
    }

    pub(super) fn flushes_out(&self, elem: Elem) -> bool {
        match elem {
            Elem::F32 => self.mode.flush_out_32(),
            Elem::F16 | Elem::F64 => self.mode.flush_out_16_64(),
            _ => false,
        }
    }

    fn opsel_dst(&self, inst: &Inst) -> bool {
        self.is_vop3(inst) && inst.get(Field::OpSel) >> 3 & 1 == 1
    }

    /// 16-bit instructions of GFX8 clear the upper half, and so do those kept for their sake; those new in GFX9 keep it.
    fn preserves_high(&self, inst: &Inst) -> bool {
        let row = inst.row();
        match row.format {
            Format::VOP3 => !matches!(row.sem, Sem::Lane(Op::PackB32F16, _)) && !row.name.contains("legacy"),
            _ => false,
        }
    }

    /// Brings the result from `d.at` to its register.
    pub(super) fn finish(&mut self, inst: &Inst, d: Dest) -> Result<()> {
        if !d.post {
            return Ok(());
        }
        let mut v = d.at;
        if d.elem.is_float() {
            let pick = |f32: L, f64: L, f16: L| match d.elem {
                Elem::F64 => Some(f64),
                Elem::F16 if d.count == 1 => Some(f16),
                Elem::F32 if d.count == 1 => Some(f32),
                _ => None,
            };
            // Output scaling is neither IEEE's nor does it know subnormals: where either is asked for, it is ignored.
            let scales = !self.mode.ieee() && self.flushes_out(d.elem);
            let omod = match inst.get(Field::Omod) {
                _ if !scales => None,
                1 => pick(L::Mul2F32, L::Mul2F64, L::Mul2F16),
                2 => pick(L::Mul4F32, L::Mul4F64, L::Mul4F16),
                3 => pick(L::Div2F32, L::Div2F64, L::Div2F16),
                _ => None,
            };
            let each = [L::Mov, L::Mul2F32, L::Mul4F32, L::Div2F32][inst.get(Field::Omod) as usize & 3];
            if let Some(op) = omod {
                v = self.t3(op, v, v, v)?;
            } else if scales && d.elem == Elem::F32 && each != L::Mov {
                let t = self.temps(d.regs)?;
                for r in 0..d.regs {
                    self.op3(each, t.next(r), v.next(r), v.next(r), v.next(r))?;
                }
                v = t;
            }
            if inst.get(Field::Clamp) != 0 {
                let (pair, single, op) = if self.mode.dx10_clamp() {
                    (L::PkClampF16, L::ClampF32, pick(L::ClampF32, L::ClampF64, L::ClampF16))
                } else {
                    let op = pick(L::ClampKeepNanF32, L::ClampKeepNanF64, L::ClampKeepNanF16);
                    (L::PkClampKeepNanF16, L::ClampKeepNanF32, op)
                };
                let op = if d.elem == Elem::F16 && d.count == 2 { Some(pair) } else { op };
                match op {
                    Some(op) => v = self.t1(op, v)?,
                    None if d.elem == Elem::F32 => {
                        let t = self.temps(d.regs)?;
                        for r in 0..d.regs {
                            self.op1(single, t.next(r), v.next(r));
                        }
                        v = t;
                    }
                    None => {}
                }
            }
            if self.flushes_out(d.elem) {
                let op = if d.elem == Elem::F16 && d.count == 2 {
                    Some(L::PkFlushF16)
                } else {
                    pick(L::FlushF32, L::FlushF64, L::FlushF16)
                };
                match op {
                    Some(op) => v = self.t1(op, v)?,
                    None if d.elem == Elem::F32 => {
                        let t = self.temps(d.regs)?;
                        for r in 0..d.regs {
                            self.op1(L::FlushF32, t.next(r), v.next(r));
                        }
                        v = t;
                    }
                    None => {}
                }
            }
        }
        if d.elem.bits() == 16 && d.count == 1 {
            if self.opsel_dst(inst) {
                v = self.t2(L::InsertHi16, v, d.real)?;
            } else if self.preserves_high(inst) {
                v = self.t2(L::InsertLo16, v, d.real)?;
            }
        }
        if inst.form() == Form::Sdwa
            && inst.row().operand(Field::Dst).is_some()
            && !inst.row().mods.has(Mods::NO_DST_SEL)
        {
            v = self.sdwa_result(inst, v, d.real)?;
        }
        if inst.form() == Form::Dpp {
            for r in 0..d.regs {
                self.push(Uop::Blend { d: d.real.next(r), a: v.next(r), mask: S::reg(Lower::DPP_VALID) });
            }
            v = d.real;
        } else if d.indexed.is_none() {
            for r in 0..d.regs {
                self.op1(L::Mov, d.real.next(r), v.next(r));
            }
        }
        if let Some((base, limit)) = d.indexed {
            for r in 0..d.regs {
                self.push(Uop::IndexWrite { base: base + r, a: v.next(r), masked: true, limit });
            }
        }
        Ok(())
    }

    fn sdwa_result(&mut self, inst: &Inst, v: V, old: V) -> Result<V> {
        let (sel, unused) = (inst.get(Field::DstSel), inst.get(Field::DstUnused));
        if sel >= 6 {
            return Ok(v);
        }
        let (shift, ones) = if sel < 4 { (8 * sel, 0xffu32) } else { (16 * (sel - 4), 0xffff) };
        let field = self.konst(ones << shift)?;
        let by = self.konst(shift)?;
        let moved = self.t2(L::LshlRev, by, v)?;
        let t = self.temps(1)?;
        match unused {
            2 => self.op3(L::Select, t, moved, field, old)?,
            1 => {
                // Sign extension above the field, zeros below.
                let by = self.konst(32 - shift - ones.count_ones())?;
                let up = self.t2(L::LshlRev, by, moved)?;
                let down = self.t2(L::AshrRev, by, up)?;
                let keep = self.konst(u32::MAX << shift)?;
                self.op2(L::And, t, down, keep);
            }
            _ => self.op2(L::And, t, moved, field),
        }
        Ok(t)
    }

    pub(super) fn lane(&mut self, inst: &Inst, op: Op, ty: Elem) -> Result<()> {
        match op {
            Op::ReadLane => {
                let a = self.plain(inst, Field::Src0)?;
                let lane = self.ssrc(inst, Field::Src1)?;
                let d = self.sdst(inst, Field::Dst, 1)?;
                self.push(Uop::ReadLane { d, a, lane });
                return Ok(());
            }
            Op::ReadFirstLane => {
                let d = self.sdst(inst, Field::Dst, 1)?;
                match inst.slot(Field::Src0) {
                    Some(Operand::Reg(r)) if matches!(r.class, RegClass::V | RegClass::A) => {
                        let a = self.vreg(r)?;
                        self.push(Uop::ReadFirst { d, a });
                    }
                    _ => {
                        let a = self.ssrc(inst, Field::Src0)?;
                        self.push(Uop::Salu { op: wavesmith_asm::sem::SOp::Mov, ty: Elem::B32, d, a, b: a });
                    }
                }
                return Ok(());
            }
            Op::WriteLane => {
                let (a, lane) = (self.ssrc(inst, Field::Src0)?, self.ssrc(inst, Field::Src1)?);
                let d = self.plain(inst, Field::Dst)?;
                if self.mode.gpr_index() >> 3 & 1 == 1 {
                    let Some(Operand::Reg(r)) = inst.slot(Field::Dst) else {
                        return Err(Refusal::unsupported(inst.name()));
                    };
                    let (base, limit) = (d.index() as u16, self.limit(r.class));
                    let t = self.indexed_copy(r, 1)?;
                    self.push(Uop::WriteLane { d: t, a, lane });
                    self.push(Uop::IndexWrite { base, a: t, masked: false, limit });
                } else {
                    self.push(Uop::WriteLane { d, a, lane });
                }
                return Ok(());
            }
            Op::Swap | Op::Permlane16Swap | Op::Permlane32Swap => {
                let (a, b) = (self.plain(inst, Field::Dst)?, self.plain(inst, Field::Src0)?);
                self.push(match op {
                    Op::Swap => Uop::Swap { a, b },
                    Op::Permlane16Swap => Uop::PermlaneSwap { a, b, row: 16 },
                    _ => Uop::PermlaneSwap { a, b, row: 32 },
                });
                return Ok(());
            }
            Op::InterpP1 | Op::InterpP2 | Op::InterpMov | Op::InterpP1ll | Op::InterpP1lv => {
                return Err(Refusal::undefined("attributes to interpolate belong to graphics; CDNA has none"));
            }
            Op::ScreenPartition4se => {
                return Err(Refusal::undefined("the guides of CDNA do not say what v_screen_partition_4se_b32 gives"));
            }
            Op::PkMov => return self.pk_mov(inst),
            Op::FmaMix | Op::FmaMixLo | Op::FmaMixHi => return self.fma_mix(inst, op),
            Op::AddCo | Op::SubCo | Op::SubRevCo | Op::AddcCo | Op::SubbCo | Op::SubbRevCo | Op::DivScale => {
                return self.carry(inst, op, ty);
            }
            Op::MadWide if ty.bits() == 32 => return self.carry(inst, op, ty),
            _ => {}
        }
        let d = self.dest(inst)?;
        match op {
            Op::Mov | Op::AccRead | Op::AccWrite | Op::AccMov => {
                let a = self.source(inst, 0)?;
                self.op1(if d.regs == 2 { L::Mov64 } else { L::Mov }, d.at, a);
            }
            Op::Cndmask => {
                let (a, b) = (self.source(inst, 0)?, self.source(inst, 1)?);
                let mask = self.ssrc(inst, Field::Src2)?;
                self.push(Uop::Select { d: d.at, a, b, mask });
            }
            Op::Fmac | Op::Mac => {
                let (a, b) = (self.source(inst, 0)?, self.source(inst, 1)?);
                let opd = *inst.row().operand(Field::Dst).ok_or_else(|| Refusal::unsupported(inst.name()))?;
                let mut c = self.flush_source(d.real, &opd)?;
                if self.is_vop3(inst) && inst.get(Field::Neg) >> 2 & 1 == 1 {
                    c = self.t1(
                        match ty {
                            Elem::F64 => L::NegF64,
                            Elem::F16 => L::NegF16,
                            _ => L::NegF32,
                        },
                        c,
                    )?;
                }
                let l = self.multiply_add(op == Op::Fmac, ty)?;
                self.op3(l, d.at, a, b, c)?;
            }
            Op::FmaMk | Op::FmaAk | Op::MadMk | Op::MadAk => {
                let (a, b) = (self.source(inst, 0)?, self.source(inst, 1)?);
                let mut k = self.konst(inst.literal().unwrap_or(0))?;
                if let Some(opd) = inst.row().operand(Field::Literal) {
                    k = self.flush_source(k, opd)?;
                }
                let l = self.multiply_add(matches!(op, Op::FmaMk | Op::FmaAk), ty)?;
                if matches!(op, Op::FmaMk | Op::MadMk) {
                    self.op3(l, d.at, a, k, b)?;
                } else {
                    self.op3(l, d.at, a, b, k)?;
                }
            }
            Op::Bitop3 => {
                let table = (inst.get(Field::Omod) << 6 | inst.get(Field::Abs) << 3 | inst.get(Field::Neg)) as u8;
                self.bitop3(inst, table, d.at)?;
            }
            Op::Mqsad => {
                // Four sums, each against the window one byte further.
                let (a, b, c) = (self.source(inst, 0)?, self.source(inst, 1)?, self.source(inst, 2)?);
                let t = self.temps(4)?;
                for i in 0..4u16 {
                    let by = self.konst(8 * u32::from(i))?;
                    let window = self.t3(L::AlignBit, a.next(1), a, by)?;
                    let clamp = inst.get(Field::Clamp) != 0;
                    let l = if clamp { L::MsadSatU8 } else { L::MsadU8 };
                    self.op3(l, t.next(i), window, b, c.next(i))?;
                }
                for i in 0..4 {
                    self.op1(L::Mov, d.at.next(i), t.next(i));
                }
            }
            Op::AshrPk => {
                let (a, b, c) = (self.source(inst, 0)?, self.source(inst, 1)?, self.source(inst, 2)?);
                let t = self.t3(if ty == Elem::I8 { L::AshrPkI8 } else { L::AshrPkU8 }, a, b, c)?;
                let l = if self.opsel_dst(inst) { L::InsertHi16 } else { L::InsertLo16 };
                let merged = self.t2(l, t, d.real)?;
                self.op1(L::Mov, d.at, merged);
            }
            Op::MbcntLo | Op::MbcntHi => {
                let (a, b) = (self.source(inst, 0)?, self.source(inst, 1)?);
                let below = self.lanes_below(op == Op::MbcntHi)?;
                let t = self.t2(L::And, a, below)?;
                self.op2(L::Bcnt, d.at, t, b);
            }
            Op::DivFmas => {
                let (a, b, c) = (self.source(inst, 0)?, self.source(inst, 1)?, self.source(inst, 2)?);
                let t = self.temps(d.regs)?;
                self.op3(if ty == Elem::F64 { L::FmaF64 } else { L::FmaF32 }, t, a, b, c)?;
                let scaled = self.t3(if ty == Elem::F64 { L::FmasF64 } else { L::FmasF32 }, a, b, c)?;
                for r in 0..d.regs {
                    self.push(Uop::Select { d: d.at.next(r), a: t.next(r), b: scaled.next(r), mask: S::reg(S::VCC) });
                }
            }
            _ => {
                let n = SOURCES.iter().filter(|s| inst.row().operand(**s).is_some()).count();
                let a = self.source(inst, 0)?;
                let b = if n > 1 { self.source(inst, 1)? } else { a };
                let c = if n > 2 { self.source(inst, 2)? } else { a };
                let clamp = inst.get(Field::Clamp) != 0;
                let unfused = matches!(op, Op::Mad | Op::MadLegacy) && ty == Elem::F16;
                let special = unfused.then(|| self.multiply_add(false, ty)).transpose()?;
                let l = special
                    .or_else(|| simple(op, ty, self.mode.ieee(), clamp))
                    .ok_or_else(|| Refusal::unsupported(format!("{} ({op:?} {ty:?})", inst.name())))?;
                self.op3(l, d.at, a, b, c)?;
            }
        }
        self.finish(inst, d)
    }

    /// A vector register operand without modifiers.
    fn plain(&mut self, inst: &Inst, slot: Field) -> Result<V> {
        match inst.slot(slot) {
            Some(Operand::Reg(r)) => self.vreg(r),
            _ => Err(Refusal::unsupported(format!("an operand of {}", inst.name()))),
        }
    }

    /// In each lane the bits of the lanes below it, of the low or the high half of the wave.
    fn lanes_below(&mut self, high: bool) -> Result<V> {
        if let Some(at) = self.below[usize::from(high)] {
            return Ok(V::konst(at));
        }
        let lanes = Lanes(core::array::from_fn(|i| {
            let below = (1u64 << i) - 1;
            if high { (below >> 32) as u32 } else { below as u32 }
        }));
        let at = self.add_consts(&[lanes])?;
        self.below[usize::from(high)] = Some(at);
        Ok(V::konst(at))
    }

    fn carry(&mut self, inst: &Inst, op: Op, ty: Elem) -> Result<()> {
        let d = self.dest(inst)?;
        let sdst = self.sdst(inst, Field::Sdst, 2)?;
        let (a, b) = (self.source(inst, 0)?, self.source(inst, 1)?);
        let mut cin = self.skonst(0);
        let mut c = a;
        let carry = match op {
            Op::AddCo | Op::AddcCo => CarryOp::Add,
            Op::SubCo | Op::SubbCo => CarryOp::Sub,
            Op::SubRevCo | Op::SubbRevCo => CarryOp::SubRev,
            Op::MadWide => {
                c = self.source(inst, 2)?;
                match (ty, inst.get(Field::Clamp) != 0) {
                    (Elem::U32, false) => CarryOp::MadU64U32,
                    (Elem::U32, true) => CarryOp::MadSatU64U32,
                    (_, false) => CarryOp::MadI64I32,
                    (_, true) => CarryOp::MadSatI64I32,
                }
            }
            _ => {
                c = self.source(inst, 2)?;
                if ty == Elem::F64 { CarryOp::DivScaleF64 } else { CarryOp::DivScaleF32 }
            }
        };
        if matches!(op, Op::AddcCo | Op::SubbCo | Op::SubbRevCo) {
            cin = self.ssrc(inst, Field::Src2)?;
        }
        self.push(Uop::Carry { op: carry, d: d.at, sdst, a, b, c, cin });
        if inst.get(Field::Clamp) != 0 && matches!(carry, CarryOp::Add | CarryOp::Sub | CarryOp::SubRev) {
            // Unsigned saturation: where it carried, the result is the bound.
            let bound = self.konst(if carry == CarryOp::Add { u32::MAX } else { 0 })?;
            self.push(Uop::Select { d: d.at, a: d.at, b: bound, mask: S::reg(sdst) });
        }
        self.finish(inst, d)
    }

    pub(super) fn compare(&mut self, inst: &Inst, cond: Option<Cond>, ty: Elem, exec: bool) -> Result<()> {
        let d = self.sdst(inst, Field::Dst, 2)?;
        // A class is that of the operand as it is: subnormals are one of them.
        self.keep_subnormals = cond.is_none();
        let sources = self.source(inst, 0).and_then(|a| Ok((a, self.source(inst, 1)?)));
        self.keep_subnormals = false;
        let (a, b) = sources?;
        self.push(match cond {
            Some(cond) => Uop::Cmp { cond, ty, d, a, b, exec },
            None => Uop::CmpClass { ty, d, a, b, exec },
        });
        Ok(())
    }

    /// A source of a packed instruction: halves chosen by op_sel, signs by neg_lo and neg_hi.
    fn packed_source(&mut self, inst: &Inst, i: usize, halves: bool) -> Result<V> {
        let slot = SOURCES[i];
        let opd = *inst.row().operand(slot).ok_or_else(|| Refusal::unsupported(inst.name()))?;
        let op = inst.slot(slot).ok_or_else(|| Refusal::unsupported(inst.name()))?;
        if inst.row().format != Format::VOP3P {
            return self.source(inst, i);
        }
        let mut v = self.operand(i, op, &opd)?;
        if halves {
            let (lo, hi) = (inst.get(Field::OpSel) >> i & 1, inst.get(Field::OpSelHi) >> i & 1);
            v = match (lo, hi) {
                (0, 1) => v,
                (1, 0) => self.t1(L::Swap16, v)?,
                (0, _) => self.t1(L::DupLo16, v)?,
                _ => self.t1(L::DupHi16, v)?,
            };
        }
        if opd.ty.elem.is_float() {
            let (lo, hi) = (inst.get(Field::Neg) >> i & 1, inst.get(Field::NegHi) >> i & 1);
            let flip = if halves { lo << 15 | hi << 31 } else { lo << 31 };
            if flip != 0 {
                let k = self.konst(flip)?;
                v = self.t2(L::Xor, v, k)?;
            }
        }
        self.flush_source(v, &opd)
    }

    pub(super) fn packed(&mut self, inst: &Inst, op: Op, ty: Elem) -> Result<()> {
        if ty == Elem::F32 {
            return self.packed_f32(inst, op);
        }
        let d = self.dest(inst)?;
        let n = SOURCES.iter().filter(|s| inst.row().operand(**s).is_some()).count();
        let a = self.packed_source(inst, 0, true)?;
        let b = if n > 1 { self.packed_source(inst, 1, true)? } else { a };
        let c = if op == Op::Fmac {
            let opd = *inst.row().operand(Field::Dst).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            self.flush_source(d.real, &opd)?
        } else if n > 2 {
            self.packed_source(inst, 2, true)?
        } else {
            a
        };
        let clamp = inst.get(Field::Clamp) != 0;
        let l = match (op, ty, clamp) {
            (Op::Add, Elem::F16, _) => L::PkAddF16,
            (Op::Mul, Elem::F16, _) => L::PkMulF16,
            (Op::Fma | Op::Fmac, Elem::F16, _) => L::PkFmaF16,
            (Op::Min, Elem::F16, _) if self.mode.ieee() => L::PkMinIeeeF16,
            (Op::Max, Elem::F16, _) if self.mode.ieee() => L::PkMaxIeeeF16,
            (Op::Min, Elem::F16, _) => L::PkMinF16,
            (Op::Max, Elem::F16, _) => L::PkMaxF16,
            (Op::Minimum3, Elem::F16, _) => L::PkMinimum3F16,
            (Op::Maximum3, Elem::F16, _) => L::PkMaximum3F16,
            (Op::Add, Elem::U16, true) => L::PkAddSatU16,
            (Op::Add, Elem::I16, true) => L::PkAddSatI16,
            (Op::Add, ..) => L::PkAddU16,
            (Op::Sub, Elem::U16, true) => L::PkSubSatU16,
            (Op::Sub, Elem::I16, true) => L::PkSubSatI16,
            (Op::Sub, ..) => L::PkSubU16,
            (Op::Mul | Op::MulLo, ..) => L::PkMulLo16,
            (Op::Mad, Elem::U16, true) => L::PkMadSatU16,
            (Op::Mad, Elem::I16, true) => L::PkMadSatI16,
            (Op::Mad, ..) => L::PkMad16,
            (Op::LshlRev, ..) => L::PkLshlRev16,
            (Op::LshrRev, ..) => L::PkLshrRev16,
            (Op::AshrRev, ..) => L::PkAshrRev16,
            (Op::Min, Elem::U16, _) => L::PkMinU16,
            (Op::Max, Elem::U16, _) => L::PkMaxU16,
            (Op::Min, ..) => L::PkMinI16,
            (Op::Max, ..) => L::PkMaxI16,
            _ => return Err(Refusal::unsupported(format!("{} ({op:?} {ty:?})", inst.name()))),
        };
        self.op3(l, d.at, a, b, c)?;
        self.finish(inst, d)
    }

    /// Two f32 operations on register pairs.
    fn packed_f32(&mut self, inst: &Inst, op: Op) -> Result<()> {
        let l = match op {
            Op::Add => L::AddF32,
            Op::Mul => L::MulF32,
            Op::Fma => L::FmaF32,
            Op::Min => L::MinF32,
            Op::Max => L::MaxF32,
            _ => return Err(Refusal::unsupported(format!("{} ({op:?} F32)", inst.name()))),
        };
        let mut d = self.dest(inst)?;
        let n = SOURCES.iter().filter(|s| inst.row().operand(**s).is_some()).count();
        let mut halves = [[V::reg(0); 3]; 2];
        for i in 0..n {
            let opd = *inst.row().operand(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            let op = inst.slot(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            let v = self.operand(i, op, &opd)?;
            for (h, sel, neg) in [(0, Field::OpSel, Field::Neg), (1, Field::OpSelHi, Field::NegHi)] {
                let mut x = v.next((inst.get(sel) >> i & 1) as u16);
                if inst.get(neg) >> i & 1 == 1 {
                    x = self.t1(L::NegF32, x)?;
                }
                if self.mode.flush_in_32() {
                    x = self.t1(L::FlushF32, x)?;
                }
                halves[h][i] = x;
            }
        }
        // The first half must not be written where the second still reads.
        let clash = !d.post && halves[1][..n].contains(&d.real);
        if clash {
            d.at = self.temps(2)?;
            d.post = true;
        }
        for (h, x) in halves.into_iter().enumerate() {
            let (b, c) = (if n > 1 { x[1] } else { x[0] }, if n > 2 { x[2] } else { x[0] });
            self.op3(l, d.at.next(h as u16), x[0], b, c)?;
        }
        self.finish(inst, d)
    }

    fn pk_mov(&mut self, inst: &Inst) -> Result<()> {
        let mut d = self.dest(inst)?;
        let mut halves = [V::reg(0); 2];
        for (i, half) in halves.iter_mut().enumerate() {
            let opd = *inst.row().operand(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            let op = inst.slot(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            let v = self.operand(i, op, &opd)?;
            *half = v.next((inst.get(Field::OpSel) >> i & 1) as u16);
        }
        if halves[1] == d.real {
            d.at = self.temps(2)?;
            d.post = true;
        }
        self.op1(L::Mov, d.at, halves[0]);
        self.op1(L::Mov, d.at.next(1), halves[1]);
        self.finish(inst, d)
    }

    fn fma_mix(&mut self, inst: &Inst, op: Op) -> Result<()> {
        let mut s = [V::reg(0); 3];
        for (i, out) in s.iter_mut().enumerate() {
            let mut opd = *inst.row().operand(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            let o = inst.slot(SOURCES[i]).ok_or_else(|| Refusal::unsupported(inst.name()))?;
            let half = inst.get(Field::OpSelHi) >> i & 1 == 1;
            opd.ty.elem = if half { Elem::F16 } else { Elem::F32 };
            opd.ty.count = 1;
            let mut v = self.operand(i, o, &opd)?;
            if half {
                if inst.get(Field::OpSel) >> i & 1 == 1 {
                    v = self.t1(L::Hi16, v)?;
                }
                if self.mode.flush_in_16_64() {
                    v = self.t1(L::FlushF16, v)?;
                }
                v = self.t1(L::CvtF32F16, v)?;
            } else if self.mode.flush_in_32() {
                v = self.t1(L::FlushF32, v)?;
            }
            // In mixed instructions the upper negation bits mean magnitude.
            match (inst.get(Field::Neg) >> i & 1, inst.get(Field::NegHi) >> i & 1) {
                (1, 1) => v = self.t1(L::NegAbsF32, v)?,
                (1, _) => v = self.t1(L::NegF32, v)?,
                (_, 1) => v = self.t1(L::AbsF32, v)?,
                _ => {}
            }
            *out = v;
        }
        if op == Op::FmaMix {
            let d = self.dest(inst)?;
            self.op3(L::FmaF32, d.at, s[0], s[1], s[2])?;
            return self.finish(inst, d);
        }
        let real = self.plain(inst, Field::Dst)?;
        let t = self.temps(1)?;
        self.op3(L::FmaMixF16, t, s[0], s[1], s[2])?;
        let clamp = if self.mode.dx10_clamp() { L::ClampF16 } else { L::ClampKeepNanF16 };
        let t = if inst.get(Field::Clamp) != 0 { self.t1(clamp, t)? } else { t };
        let t = if self.mode.flush_out_16_64() { self.t1(L::FlushF16, t)? } else { t };
        let r = self.t2(if op == Op::FmaMixLo { L::InsertLo16 } else { L::InsertHi16 }, t, real)?;
        self.op1(L::Mov, real, r);
        Ok(())
    }

    pub(super) fn dot(&mut self, inst: &Inst, from: Elem, to: Elem, n: u8, acc: bool) -> Result<()> {
        let halves = from.bits() == 16;
        let d = self.dest(inst)?;
        let (a, b) = (self.packed_source(inst, 0, halves)?, self.packed_source(inst, 1, halves)?);
        let c = if acc { d.real } else { self.packed_source(inst, 2, false)? };
        let clamp = inst.get(Field::Clamp) != 0;
        let _ = to;
        let l = match (from, n, clamp) {
            (Elem::F16, 2, _) => L::Dot2F32F16,
            (Elem::Bf16, 2, _) => L::Dot2F32Bf16,
            (Elem::I16, 2, false) => L::Dot2I16,
            (Elem::I16, 2, true) => L::Dot2SatI16,
            (Elem::U16, 2, false) => L::Dot2U16,
            (Elem::U16, 2, true) => L::Dot2SatU16,
            (Elem::I8, 4, false) => L::Dot4I8,
            (Elem::I8, 4, true) => L::Dot4SatI8,
            (Elem::U8, 4, false) => L::Dot4U8,
            (Elem::U8, 4, true) => L::Dot4SatU8,
            (Elem::I4, 8, false) => L::Dot8I4,
            (Elem::I4, 8, true) => L::Dot8SatI4,
            (Elem::U4, 8, false) => L::Dot8U4,
            (Elem::U4, 8, true) => L::Dot8SatU4,
            _ => return Err(Refusal::unsupported(format!("{} (dot product of {from:?})", inst.name()))),
        };
        if from.is_float() {
            self.seg.unverified_rounding = true;
        }
        self.op3(l, d.at, a, b, c)?;
        self.finish(inst, d)
    }
}

/// Operations in binary16 whose finite operands may give an infinity.
fn overflows_16(op: L) -> bool {
    use L::*;
    matches!(op, AddF16 | SubF16 | SubRevF16 | MulF16 | FmaF16 | LdexpF16 | CvtF16F32 | FmaMixF16)
        || matches!(op, MadF16 | MadFlushF16 | CvtF16U16 | PkAddF16 | PkMulF16 | PkFmaF16 | Mul2F16 | Mul4F16)
}

impl Lower {
    fn multiply_add(&self, fused: bool, ty: Elem) -> Result<L> {
        multiply_add(fused, ty, self.mode.flush_out_16_64() || self.mode.flush_in_16_64())
    }
}

/// Unfused, binary32 knows no subnormals, and binary16 those that MODE lets it.
fn multiply_add(fused: bool, ty: Elem, flushes_16: bool) -> Result<L> {
    Ok(match (fused, ty) {
        (true, Elem::F64) => L::FmaF64,
        (true, Elem::F16) => L::FmaF16,
        (true, _) => L::FmaF32,
        (false, Elem::F16) if flushes_16 => L::MadFlushF16,
        (false, Elem::F16) => L::MadF16,
        (false, Elem::F32) => L::MadF32,
        (false, _) => return Err(Refusal::unsupported("an unfused multiply-add of this type")),
    })
}

/// The lane operation of an instruction that is no more than that.
fn simple(op: Op, ty: Elem, ieee: bool, clamp: bool) -> Option<L> {
    use Elem::*;
    Some(match (op, ty) {
        (Op::Add, F32) => L::AddF32,
        (Op::Add, F64) => L::AddF64,
        (Op::Add, F16) => L::AddF16,
        (Op::Add, U16) if clamp => L::AddSatU16,
        (Op::Add, I16) if clamp => L::AddSatI16,
        (Op::Add, U16 | I16 | B16) => L::AddU16,
        (Op::Add, I32) if clamp => L::AddSatI32,
        (Op::Add, U32) if clamp => L::AddSatU32,
        (Op::Add, U32 | I32 | B32) => L::AddU32,
        (Op::Sub, F32) => L::SubF32,
        (Op::Sub, F16) => L::SubF16,
        (Op::Sub, U16) if clamp => L::SubSatU16,
        (Op::Sub, I16) if clamp => L::SubSatI16,
        (Op::Sub, U16 | I16 | B16) => L::SubU16,
        (Op::Sub, I32) if clamp => L::SubSatI32,
        (Op::Sub, U32) if clamp => L::SubSatU32,
        (Op::Sub, U32 | I32 | B32) => L::SubU32,
        (Op::SubRev, F32) => L::SubRevF32,
        (Op::SubRev, F16) => L::SubRevF16,
        (Op::SubRev, U16) if clamp => L::SubRevSatU16,
        (Op::SubRev, U16 | I16) => L::SubRevU16,
        (Op::SubRev, U32) if clamp => L::SubRevSatU32,
        (Op::SubRev, U32 | I32) => L::SubRevU32,
        (Op::Mul, F32) => L::MulF32,
        (Op::Mul, F64) => L::MulF64,
        (Op::Mul, F16) => L::MulF16,
        (Op::Mul, U24) => L::MulU24,
        (Op::Mul, I24) => L::MulI24,
        (Op::MulLegacy, F32) => L::MulLegacyF32,
        (Op::MulHi, U24) => L::MulHiU24,
        (Op::MulHi, I24) => L::MulHiI24,
        (Op::MulHi, U32) => L::MulHiU32,
        (Op::MulHi, I32) => L::MulHiI32,
        (Op::Mul | Op::MulLo, U16 | I16) => L::MulLo16,
        (Op::Mul | Op::MulLo, U32 | I32) => L::MulLo,
        (Op::Min, F32) => {
            if ieee {
                L::MinIeeeF32
            } else {
                L::MinF32
            }
        }
        (Op::Max, F32) => {
            if ieee {
                L::MaxIeeeF32
            } else {
                L::MaxF32
            }
        }
        (Op::Min, F64) => {
            if ieee {
                L::MinIeeeF64
            } else {
                L::MinF64
            }
        }
        (Op::Max, F64) => {
            if ieee {
                L::MaxIeeeF64
            } else {
                L::MaxF64
            }
        }
        (Op::Min, F16) => {
            if ieee {
                L::MinIeeeF16
            } else {
                L::MinF16
            }
        }
        (Op::Max, F16) => {
            if ieee {
                L::MaxIeeeF16
            } else {
                L::MaxF16
            }
        }
        (Op::Min, I32) => L::MinI32,
        (Op::Max, I32) => L::MaxI32,
        (Op::Min, U32) => L::MinU32,
        (Op::Max, U32) => L::MaxU32,
        (Op::Min, I16) => L::MinI16,
        (Op::Max, I16) => L::MaxI16,
        (Op::Min, U16) => L::MinU16,
        (Op::Max, U16) => L::MaxU16,
        (Op::Min3, F32) if ieee => L::Min3IeeeF32,
        (Op::Min3, F32) => L::Min3F32,
        (Op::Max3, F32) if ieee => L::Max3IeeeF32,
        (Op::Max3, F32) => L::Max3F32,
        (Op::Med3, F32) if ieee => L::Med3IeeeF32,
        (Op::Med3, F32) => L::Med3F32,
        (Op::Min3, I32) => L::Min3I32,
        (Op::Max3, I32) => L::Max3I32,
        (Op::Med3, I32) => L::Med3I32,
        (Op::Min3, U32) => L::Min3U32,
        (Op::Max3, U32) => L::Max3U32,
        (Op::Med3, U32) => L::Med3U32,
        (Op::Min3, F16) if ieee => L::Min3IeeeF16,
        (Op::Min3, F16) => L::Min3F16,
        (Op::Max3, F16) if ieee => L::Max3IeeeF16,
        (Op::Max3, F16) => L::Max3F16,
        (Op::Med3, F16) if ieee => L::Med3IeeeF16,
        (Op::Med3, F16) => L::Med3F16,
        (Op::Min3, I16) => L::Min3I16,
        (Op::Max3, I16) => L::Max3I16,
        (Op::Med3, I16) => L::Med3I16,
        (Op::Min3, U16) => L::Min3U16,
        (Op::Max3, U16) => L::Max3U16,
        (Op::Med3, U16) => L::Med3U16,
        (Op::Minimum3, F32) => L::Minimum3F32,
        (Op::Maximum3, F32) => L::Maximum3F32,
        (Op::Minimum3, F16) => L::Minimum3F16,
        (Op::Maximum3, F16) => L::Maximum3F16,
        (Op::Lshl, _) => L::Lshl,
        (Op::LshlRev, B64 | U64 | I64) => L::LshlRev64,
        (Op::LshrRev, B64 | U64 | I64) => L::LshrRev64,
        (Op::AshrRev, B64 | U64 | I64) => L::AshrRev64,
        (Op::LshlRev, B16 | U16 | I16) => L::LshlRev16,
        (Op::LshrRev, B16 | U16 | I16) => L::LshrRev16,
        (Op::AshrRev, B16 | U16 | I16) => L::AshrRev16,
        (Op::LshlRev, _) => L::LshlRev,
        (Op::LshrRev, _) => L::LshrRev,
        (Op::AshrRev, _) => L::AshrRev,
        (Op::Logic(Logic::And), _) => L::And,
        (Op::Logic(Logic::Or), _) => L::Or,
        (Op::Logic(Logic::Xor), _) => L::Xor,
        (Op::Logic(Logic::Xnor), _) => L::Xnor,
        (Op::Not, _) => L::Not,
        (Op::Bfrev, _) => L::Bfrev,
        (Op::FfbhU, _) => L::FfbhU,
        (Op::FfbhI, _) => L::FfbhI,
        (Op::Ffbl, _) => L::Ffbl,
        (Op::Mad, F32) => L::MadF32,
        (Op::Mad, U16) if clamp => L::MadSatU16,
        (Op::Mad, I16) if clamp => L::MadSatI16,
        (Op::Mad, U16 | I16) => L::Mad16,
        (Op::MadWide, U16) if clamp => L::MadSatU32U16,
        (Op::MadWide, I16) if clamp => L::MadSatI32I16,
        (Op::MadWide, U16) => L::MadU32U16,
        (Op::MadWide, I16) => L::MadI32I16,
        (Op::Prng, _) => L::Prng,
        (Op::Mad | Op::Mad24, U24) if clamp => L::MadSatU24,
        (Op::Mad | Op::Mad24, I24) if clamp => L::MadSatI24,
        (Op::Mad | Op::Mad24, U24) => L::MadU24,
        (Op::Mad | Op::Mad24, I24) => L::MadI24,
        (Op::MadLegacy, F32) => L::MadLegacyF32,
        (Op::MadLegacy, U16) if clamp => L::MadSatU16,
        (Op::MadLegacy, I16) if clamp => L::MadSatI16,
        (Op::MadLegacy, U16 | I16) => L::Mad16,
        (Op::Fma, F32) => L::FmaF32,
        (Op::Fma, F64) => L::FmaF64,
        (Op::Fma, F16) => L::FmaF16,
        (Op::Ldexp, F32) => L::LdexpF32,
        (Op::Ldexp, F64) => L::LdexpF64,
        (Op::Ldexp, F16) => L::LdexpF16,
        (Op::Trunc, F32) => L::TruncF32,
        (Op::Trunc, F64) => L::TruncF64,
        (Op::Trunc, F16) => L::TruncF16,
        (Op::Ceil, F32) => L::CeilF32,
        (Op::Ceil, F64) => L::CeilF64,
        (Op::Ceil, F16) => L::CeilF16,
        (Op::Rndne, F32) => L::RndneF32,
        (Op::Rndne, F64) => L::RndneF64,
        (Op::Rndne, F16) => L::RndneF16,
        (Op::Floor, F32) => L::FloorF32,
        (Op::Floor, F64) => L::FloorF64,
        (Op::Floor, F16) => L::FloorF16,
        (Op::Fract, F32) => L::FractF32,
        (Op::Fract, F64) => L::FractF64,
        (Op::Fract, F16) => L::FractF16,
        (Op::Exp | Op::ExpLegacy, F32) => L::ExpF32,
        (Op::Exp, F16) => L::ExpF16,
        (Op::Log | Op::LogLegacy, F32) => L::LogF32,
        (Op::Log, F16) => L::LogF16,
        (Op::Rcp | Op::RcpIflag, F32) => L::RcpF32,
        (Op::Rcp, F64) => L::RcpF64,
        (Op::Rcp, F16) => L::RcpF16,
        (Op::Rsq, F32) => L::RsqF32,
        (Op::Rsq, F64) => L::RsqF64,
        (Op::Rsq, F16) => L::RsqF16,
        (Op::Sqrt, F32) => L::SqrtF32,
        (Op::Sqrt, F64) => L::SqrtF64,
        (Op::Sqrt, F16) => L::SqrtF16,
        (Op::Sin, F32) => L::SinF32,
        (Op::Cos, F32) => L::CosF32,
        (Op::Sin, F16) => L::SinF16,
        (Op::Cos, F16) => L::CosF16,
        (Op::FrexpExp, F32) => L::FrexpExpF32,
        (Op::FrexpExp, F64) => L::FrexpExpF64,
        (Op::FrexpExp, F16) => L::FrexpExpF16,
        (Op::FrexpMant, F32) => L::FrexpMantF32,
        (Op::FrexpMant, F64) => L::FrexpMantF64,
        (Op::FrexpMant, F16) => L::FrexpMantF16,
        (Op::BfeU, _) => L::BfeU,
        (Op::BfeI, _) => L::BfeI,
        (Op::Bfi, _) => L::Bfi,
        (Op::Bfm, _) => L::Bfm,
        (Op::LshlOr, _) => L::LshlOr,
        (Op::LshlAdd, B64 | U64 | I64) => L::LshlAdd64,
        (Op::LshlAdd, _) => L::LshlAdd,
        (Op::AddLshl, _) => L::AddLshl,
        (Op::Add3, _) => L::Add3,
        (Op::Or3, _) => L::Or3,
        (Op::AndOr | Op::And3Or, _) => L::AndOr,
        (Op::Xad, _) => L::Xad,
        (Op::AlignBit, _) => L::AlignBit,
        (Op::AlignByte, _) => L::AlignByte,
        (Op::Perm, _) => L::Perm,
        (Op::BcntAdd, _) => L::Bcnt,
        (Op::CubeId, _) => L::CubeId,
        (Op::CubeSc, _) => L::CubeSc,
        (Op::CubeTc, _) => L::CubeTc,
        (Op::CubeMa, _) => L::CubeMa,
        (Op::Lerp, _) => L::Lerp,
        (Op::Sad, U8) if clamp => L::SadSatU8,
        (Op::Sad, U16) if clamp => L::SadSatU16,
        (Op::Sad, U32) if clamp => L::SadSatU32,
        (Op::SadHi, _) if clamp => L::SadHiSatU8,
        (Op::Msad, _) if clamp => L::MsadSatU8,
        (Op::QsadPk, _) if clamp => L::QsadPkSat,
        (Op::MqsadPk, _) if clamp => L::MqsadPkSat,
        (Op::Sad, U8) => L::SadU8,
        (Op::Sad, U16) => L::SadU16,
        (Op::Sad, U32) => L::SadU32,
        (Op::SadHi, _) => L::SadHiU8,
        (Op::Msad, _) => L::MsadU8,
        (Op::QsadPk, _) => L::QsadPk,
        (Op::MqsadPk, _) => L::MqsadPk,
        (Op::DivFixup, F32) => L::DivFixupF32,
        (Op::DivFixup, F64) => L::DivFixupF64,
        (Op::DivFixup | Op::DivFixupLegacy, F16) => L::DivFixupF16,
        (Op::TrigPreop, _) => L::TrigPreopF64,
        (Op::SatPkU8I16, _) => L::SatPkU8I16,
        (Op::PackB32F16, _) => L::Pack16,
        _ => return None,
    })
}

//! The one encoder: a row, a form and operands to bits.

use crate::format::{Field, Form, Format};
use crate::inst::Inst;
use crate::operand::{Operand, inline_float, inline_int};
use crate::reg::{Reg, RegClass, code};
use crate::row::{Class, Mods, Opd};
use crate::rows::RowId;
use crate::sem::{Elem, Op, Sem};
use crate::target::Target;
use std::sync::LazyLock;

/// Why operands do not make an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The target lacks the instruction or the form.
    #[error("{name} has no {form:?} form on {target}")]
    NoForm {
        /// Mnemonic.
        name: &'static str,
        /// Form asked for.
        form: Form,
        /// Target asked for.
        target: Target,
    },
    /// Too few or too many operands.
    #[error("{name} takes {expected} operands, {got} given")]
    Count {
        /// Mnemonic.
        name: &'static str,
        /// Operands of the row.
        expected: usize,
        /// Operands given.
        got: usize,
    },
    /// An operand that cannot go there.
    #[error("operand {index} of {name} cannot be {operand:?}")]
    Operand {
        /// Mnemonic.
        name: &'static str,
        /// Which operand, from 0.
        index: usize,
        /// What was given.
        operand: Operand,
    },
    /// A constant that needs a literal where the encoding has none.
    #[error("operand {index} of {name} needs a literal, which this encoding does not have")]
    NoLiteral {
        /// Mnemonic.
        name: &'static str,
        /// Which operand, from 0.
        index: usize,
    },
    /// Two different literals.
    #[error("{name} would need two different literals")]
    TwoLiterals {
        /// Mnemonic.
        name: &'static str,
    },
    /// A register tuple that must start at an even register (gfx90a and later) or aligned SGPR.
    #[error("operand {index} of {name}: register tuple is not aligned")]
    Unaligned {
        /// Mnemonic.
        name: &'static str,
        /// Which operand, from 0.
        index: usize,
    },
    /// Value too large for its field.
    #[error("{value} does not fit the {field:?} field of {name}")]
    Range {
        /// Mnemonic.
        name: &'static str,
        /// The field.
        field: Field,
        /// The value given.
        value: i64,
    },
    /// More scalar values than the constant bus carries.
    #[error("{name} reads more than one scalar value over the constant bus")]
    ConstantBus {
        /// Mnemonic.
        name: &'static str,
    },
}

/// Encodes `row` in `form`. Operands are given in row order; modifiers take their defaults and are set afterwards
/// with [`Inst::set`].
///
/// # Errors
/// [`EncodeError`] says which operand does not fit and why.
#[inline]
pub fn encode(id: RowId, form: Form, operands: &[Operand], target: Target) -> Result<Inst, EncodeError> {
    let row = id.row();
    if !row.has_form(form, target) {
        return Err(EncodeError::NoForm { name: row.name, form, target });
    }
    if operands.len() != row.operands.len() {
        return Err(EncodeError::Count { name: row.name, expected: row.operands.len(), got: operands.len() });
    }
    let mut inst = blank(id, form, target);
    let layout = row.format.layout(form);
    let pairs = target.unified_vgprs();
    for (i, (opd, &value)) in row.operands.iter().zip(operands).enumerate() {
        let bits = layout.field(opd.slot);
        // The plain cases, which are nearly all, at once; `write` knows them too, and all others.
        let plain = match (value, opd.class) {
            (Operand::Reg(Reg { class: RegClass::V, index, count }), Class::V | Class::VS | Class::AV | Class::AVC)
                if u32::from(index) + u32::from(count) <= 256 && (count == 1 || index & 1 == 0 || !pairs) =>
            {
                Some(u32::from(index) | if bits.width == 9 { 256 } else { 0 })
            }
            (Operand::Reg(Reg { class: RegClass::S, index, count: 1 }), Class::S | Class::SS | Class::SN)
                if index < 102 && !matches!(opd.slot, Field::Sbase | Field::Srsrc | Field::Ssamp) =>
            {
                Some(u32::from(index))
            }
            (Operand::Int(x @ 0..=64), Class::SS | Class::SN) => Some(128 + x as u32),
            _ => None,
        };
        match plain {
            Some(v) => bits.set(&mut inst.words, v),
            None => inst.write(i, opd, value)?,
        }
    }
    Ok(inst)
}

/// The instruction with all operands zero and all modifiers at their defaults.
#[inline]
pub(crate) fn blank(id: RowId, form: Form, target: Target) -> Inst {
    // Computed once: most of the work of encoding would be to do it again.
    static BLANKS: LazyLock<Vec<([u32; 4], u8)>> = LazyLock::new(|| {
        let forms = [Form::Base, Form::E64, Form::Sdwa, Form::Dpp];
        let rows = (0..crate::rows::COUNT as u16).map(RowId);
        rows.flat_map(|id| forms.map(|form| (id, form)))
            .map(|(id, form)| {
                let inst = make_blank(id, form, Target::Gfx942);
                (inst.words, inst.len)
            })
            .collect()
    });
    let (words, len) = BLANKS[id.0 as usize * 4 + form as usize];
    Inst { words, row: id, len, form, target }
}

/// Makes [`blank`], which is the same on every target.
fn make_blank(id: RowId, form: Form, target: Target) -> Inst {
    let row = id.row();
    let layout = row.format.layout(form);
    let mut inst = Inst { words: layout.base, row: id, len: layout.dwords, form, target };
    let opcode = if matches!(form, Form::E64) { row.opcode64 } else { row.opcode };
    layout.opcode.set(&mut inst.words, opcode as u32);
    match row.format {
        Format::VOP3P => inst.set(Field::OpSelHi, if row.packed_by_default() { 7 } else { 0 }),
        Format::GLOBAL | Format::SCRATCH => inst.set(Field::Saddr, 0x7f),
        Format::MTBUF => inst.set(Field::Dfmt, 1),
        _ => {}
    }
    match form {
        Form::Sdwa if row.operands.is_empty() => {}
        Form::Sdwa => {
            inst.set(Field::DstSel, 6);
            inst.set(
                Field::DstUnused,
                if row.format == Format::VOPC || row.mods.has(Mods::NO_DST_SEL) { 0 } else { 2 },
            );
            inst.set(Field::Src0Sel, 6);
            if row.operand(Field::Src1).is_some() {
                inst.set(Field::Src1Sel, 6);
            }
        }
        Form::Dpp => {
            inst.set(Field::RowMask, 15);
            inst.set(Field::BankMask, 15);
        }
        _ => {}
    }
    inst
}

impl crate::row::Row {
    /// Whether `op_sel_hi` is all ones when nothing is said.
    #[inline]
    pub(crate) fn packed_by_default(&self) -> bool {
        self.format == Format::VOP3P && !matches!(self.sem, Sem::Lane(Op::FmaMix | Op::FmaMixLo | Op::FmaMixHi, _))
    }
}

/// Whether the scalar file has that run: tuples stay inside one named register or the SGPRs.
#[inline]
fn scalar_run_exists(index: u16, count: u16) -> bool {
    let end = index + count;
    match index {
        0..=101 => end <= 102,
        102..=107 => end <= 108 && (count == 1 || count == 2 && index & 1 == 0),
        108..=123 => end <= 124,
        124 => count == 1,
        126 | 127 => end <= 128,
        _ => false,
    }
}

/// The f16 bits of the inline constants 240 to 248.
const INLINE_F16: [u32; 9] = [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];
/// The bf16 bits of the inline constants 240 to 248.
const INLINE_BF16: [u32; 9] = [0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22];

fn among(table: &[u32; 9], x: u32) -> Option<u16> {
    table.iter().position(|&t| t == x).map(|i| 240 + i as u16)
}

/// The inline encoding whose value in an operand of type `elem` is the integer `x`, if there is one.
#[inline]
fn inline_bits(x: i32, elem: Elem) -> Option<u16> {
    if let Some(e) = inline_int(x) {
        return Some(e);
    }
    match elem {
        Elem::F16 => among(&INLINE_F16, x as u32),
        Elem::Bf16 => among(&INLINE_BF16, x as u32),
        e if e.bits() == 32 || e.bits() < 16 => inline_float(x as u32),
        _ => None,
    }
}

/// Whether the assembler would encode the number `x` inline, so that a literal of that value must be marked.
pub(crate) fn would_be_inline(x: u32, elem: Elem, half: bool) -> bool {
    let low = if half { x & 0xffff } else { x };
    let signed = if half { low as u16 as i16 as i32 } else { low as i32 };
    if half && x > 0xffff {
        return false;
    }
    // The dword of a 64-bit integer is its lower half, with zeros above.
    if matches!(elem, Elem::B64 | Elem::U64 | Elem::I64) {
        return x <= 64;
    }
    if elem == Elem::F64 {
        let whole = f64::from_bits(u64::from(x) << 32);
        let single = whole as f32;
        return inline_int(x as i32).is_some()
            || f64::from(single) == whole && inline_float(single.to_bits()).is_some();
    }
    // Halves are read by their pattern: 0xffff is -1.
    let pattern = half && elem.is_float() && inline_int(signed).is_some();
    pattern
        || inline_int(low as i32).is_some()
        || inline_bits(if elem.is_float() { low as i32 } else { signed }, elem).is_some()
}

/// What a constant becomes in an operand of type `elem`: an inline encoding or a literal dword.
#[inline]
fn constant(value: Operand, elem: Elem) -> Result<u16, u32> {
    match value {
        Operand::Int(x) => inline_bits(x, elem).ok_or(x as u32),
        Operand::Float(bits) => match inline_float(bits) {
            Some(e) => Ok(e),
            None if bits == 0 => Ok(128),
            None => Err(match elem {
                Elem::F64 => (f64::from(f32::from_bits(bits)).to_bits() >> 32) as u32,
                Elem::F16 => crate::float::f32_to_f16(bits) as u32,
                _ => bits,
            }),
        },
        Operand::Literal(x) => Err(x),
        _ => Err(0),
    }
}

impl Inst {
    /// Whether an operand that is a VGPR in the short form may be scalar in this one.
    #[inline]
    fn widened(&self, opd: &Opd) -> bool {
        opd.slot == Field::Src1 && self.row().format.is_short() && matches!(self.form, Form::E64 | Form::Sdwa)
    }

    #[inline]
    pub(crate) fn write(&mut self, index: usize, opd: &Opd, value: Operand) -> Result<(), EncodeError> {
        let row = self.row();
        let bad = EncodeError::Operand { name: row.name, index, operand: value };
        let bits = self.layout().field(opd.slot);
        match value {
            Operand::Reg(r) => self.write_reg(index, opd, r),
            Operand::Int(_) | Operand::Float(_) | Operand::Literal(_) => {
                let allowed = match opd.class {
                    Class::VS | Class::SS | Class::SN | Class::AVC | Class::VI => true,
                    Class::V => self.widened(opd),
                    Class::K => {
                        let dword = match value {
                            Operand::Int(x) | Operand::Imm(x) => x as u32,
                            Operand::Float(f) if opd.ty.elem == Elem::F16 => crate::float::f32_to_f16(f) as u32,
                            Operand::Float(f) | Operand::Literal(f) => f,
                            _ => return Err(bad),
                        };
                        return self.write_literal(dword);
                    }
                    Class::Imm | Class::Label | Class::HwReg | Class::Msg | Class::WaitCnt | Class::GprIdx => {
                        if let Operand::Int(x) = value {
                            return self.write(index, opd, Operand::Imm(x));
                        }
                        false
                    }
                    Class::SOff => {
                        if let Operand::Int(x) = value {
                            return self.write(index, opd, Operand::Imm(x));
                        }
                        false
                    }
                    _ => false,
                };
                if !allowed || self.form == Form::Dpp {
                    return Err(bad);
                }
                match constant(value, opd.ty.elem) {
                    Ok(enc) => {
                        self.set_source(opd.slot, enc);
                        Ok(())
                    }
                    Err(lit) => {
                        let scalar = matches!(row.format, Format::SOP1 | Format::SOP2 | Format::SOPC);
                        let short = (scalar || row.format.is_short() && row.format != Format::VOP2_LIT)
                            && self.form == Form::Base;
                        // With a literal of its own the instruction has one for its source too, if they are the same.
                        let shared = row.format == Format::VOP2_LIT && opd.class == Class::VS;
                        if shared {
                            bits.set(&mut self.words, code::LITERAL as u32);
                            self.layout().field(Field::Literal).set(&mut self.words, lit);
                            return Ok(());
                        }
                        if !short || !matches!(opd.class, Class::SS | Class::VS) {
                            return Err(EncodeError::NoLiteral { name: row.name, index });
                        }
                        bits.set(&mut self.words, code::LITERAL as u32);
                        self.write_literal(lit)
                    }
                }
            }
            Operand::Imm(x) => match opd.class {
                Class::SOff => {
                    self.set(Field::ImmOffset, 1);
                    if !(-(1 << 20)..1 << 20).contains(&x) {
                        return Err(EncodeError::Range { name: row.name, field: Field::Offset, value: x as i64 });
                    }
                    self.set(Field::Offset, x as u32);
                    Ok(())
                }
                Class::Attr => {
                    self.set(Field::Attr, x as u32 >> 2);
                    self.set(Field::AttrChan, x as u32 & 3);
                    Ok(())
                }
                class if class.is_number() => {
                    let max = bits.max() as i64;
                    let signed = bits.width == 16;
                    if x as i64 > max || (x as i64) < if signed { -(1 << 15) } else { 0 } {
                        return Err(EncodeError::Range { name: row.name, field: opd.slot, value: x as i64 });
                    }
                    bits.set(&mut self.words, x as u32);
                    Ok(())
                }
                _ => Err(bad),
            },
            Operand::Off => match opd.class {
                Class::VAddr => Ok(()),
                Class::SAddr => {
                    bits.set(&mut self.words, 0x7f);
                    Ok(())
                }
                Class::ExpSrc => Ok(()),
                // Absent operands: the data of a load into LDS, the result of an atomic without return.
                Class::V | Class::AV if opd.slot == Field::Dst || opd.slot == Field::Data0 => Ok(()),
                _ => Err(bad),
            },
            Operand::Invalid(x) => {
                bits.set(&mut self.words, x as u32);
                Ok(())
            }
        }
    }

    /// A source of an export and the bit that enables its channel; compressed, the first and third are both registers.
    fn write_export(&mut self, slot: Field, index: u16) {
        let compressed = self.get(Field::ExpCompr) != 0;
        let (field, enable) = match (slot, compressed) {
            (Field::Src0, false) => (Field::Src0, 1),
            (Field::Src1, false) => (Field::Src1, 2),
            (Field::Src2, false) => (Field::Src2, 4),
            (_, false) => (Field::Data0, 8),
            (Field::Src0, true) => (Field::Src0, 3),
            (Field::Src2, true) => (Field::Src1, 12),
            // The second and fourth are shown only.
            (_, true) => return,
        };
        self.set(field, u32::from(index));
        self.set(Field::ExpEnable, self.get(Field::ExpEnable) | enable);
    }

    #[inline]
    fn write_literal(&mut self, dword: u32) -> Result<(), EncodeError> {
        let layout = self.layout();
        let lit = layout.field(Field::Literal);
        if lit.exists() {
            let shared = self.row().format == Format::VOP2_LIT && self.get(Field::Src0) == code::LITERAL as u32;
            if shared && lit.get(&self.words) != dword {
                return Err(EncodeError::TwoLiterals { name: self.row().name });
            }
            lit.set(&mut self.words, dword);
            return Ok(());
        }
        let at = layout.dwords;
        if self.len > at && self.words[at as usize & 3] != dword {
            return Err(EncodeError::TwoLiterals { name: self.row().name });
        }
        self.words[at as usize & 3] = dword;
        self.len = at + 1;
        Ok(())
    }

    /// Puts a source encoding below 256 (scalar or inline) where it goes in this form.
    #[inline]
    fn set_source(&mut self, slot: Field, enc: u16) {
        self.set(slot, enc as u32);
        if self.form == Form::Sdwa {
            match slot {
                Field::Src0 => self.set(Field::Src0Scalar, 1),
                Field::Src1 => self.set(Field::Src1Scalar, 1),
                _ => {}
            }
        }
    }

    /// Puts another register into operand `index`, which has a register of the same file: what an allocator does to an
    /// instruction that is encoded already.
    ///
    /// # Errors
    /// [`EncodeError`] where the operand cannot be that register.
    #[inline]
    pub fn set_register(&mut self, index: usize, r: Reg) -> Result<(), EncodeError> {
        let row = self.row();
        match row.operands.get(index) {
            Some(opd) => self.write_reg(index, opd, r),
            None => Err(EncodeError::Count { name: row.name, expected: row.operands.len(), got: index + 1 }),
        }
    }

    #[inline]
    fn write_reg(&mut self, index: usize, opd: &Opd, r: Reg) -> Result<(), EncodeError> {
        let row = self.row();
        let bad = EncodeError::Operand { name: row.name, index, operand: Operand::Reg(r) };
        let bits = self.layout().field(opd.slot);
        let scalar = matches!(r.class, RegClass::S | RegClass::Src);
        if scalar && self.form == Form::Dpp && matches!(opd.slot, Field::Src0 | Field::Src1) {
            return Err(bad);
        }
        match r.class {
            RegClass::V => {
                match opd.class {
                    Class::V | Class::VS | Class::VI | Class::AV | Class::AVC => {}
                    Class::ExpSrc if r.count == 1 => {
                        self.write_export(opd.slot, r.index);
                        return Ok(());
                    }
                    Class::VAddr => {
                        if r.index as u32 + r.count as u32 > 256 {
                            return Err(bad);
                        }
                        if row.format == Format::SCRATCH && self.target >= Target::Gfx942 {
                            self.set(Field::Sve, 1);
                        }
                        bits.set(&mut self.words, r.index as u32);
                        return Ok(());
                    }
                    _ => return Err(bad),
                }
                if r.index as u32 + r.count as u32 > 256 {
                    return Err(bad);
                }
                if self.target.unified_vgprs() && r.count > 1 && r.index & 1 != 0 && opd.class != Class::VAddr {
                    return Err(EncodeError::Unaligned { name: row.name, index });
                }
                bits.set(&mut self.words, if bits.width == 9 { 256 + r.index as u32 } else { r.index as u32 });
            }
            RegClass::A => {
                let flag = match opd.class {
                    Class::A => None,
                    Class::AV | Class::AVC => Some(match opd.slot {
                        Field::Src0 => Field::AccA,
                        Field::Src1 => Field::AccB,
                        _ => Field::Acc,
                    }),
                    _ => return Err(bad),
                };
                if r.index as u32 + r.count as u32 > 256
                    || (flag.is_some() && !self.target.unified_vgprs() && row.format != Format::MAI)
                {
                    return Err(bad);
                }
                if self.target.unified_vgprs() && r.count > 1 && r.index & 1 != 0 {
                    return Err(EncodeError::Unaligned { name: row.name, index });
                }
                match flag {
                    Some(f) => self.set(f, 1),
                    // accvgpr_read has its source in AGPRs by the flag of source 0.
                    None if opd.slot == Field::Src0 && row.format == Format::MAI => self.set(Field::AccA, 1),
                    None => {}
                }
                bits.set(&mut self.words, if bits.width == 9 { 256 + r.index as u32 } else { r.index as u32 });
            }
            RegClass::S => {
                let align = if r.count >= 4 { 4 } else { r.count.max(1) as u16 };
                if !scalar_run_exists(r.index, r.count.max(1) as u16) {
                    return Err(bad);
                }
                if align == 2 && r.index & 1 != 0 || align == 4 && r.index & 3 != 0 {
                    return Err(EncodeError::Unaligned { name: row.name, index });
                }
                match opd.class {
                    // Scalar memory does not write M0 and EXEC.
                    Class::S if row.format == Format::SMEM && opd.slot == Field::Dst && r.index >= code::M0 => {
                        return Err(bad);
                    }
                    Class::S | Class::SS | Class::SN | Class::VS | Class::VI => match opd.slot {
                        Field::Sbase => self.set(Field::Sbase, r.index as u32 / 2),
                        Field::Srsrc | Field::Ssamp => self.set(opd.slot, r.index as u32 / 4),
                        _ => self.set_source(opd.slot, r.index),
                    },
                    Class::V if self.widened(opd) => self.set_source(opd.slot, r.index),
                    Class::SAddr if r.count == 2 && r.index == code::EXEC => return Err(bad),
                    Class::SAddr if r.count == 1 && r.index == code::EXEC + 1 => return Err(bad),
                    Class::SAddr => bits.set(&mut self.words, r.index as u32),
                    Class::SOff if self.get(Field::SoffsetEn) != 0 => self.set(Field::Soffset, r.index as u32),
                    Class::SOff => self.set(Field::Offset, r.index as u32),
                    Class::M => match self.form {
                        Form::Sdwa if opd.slot == Field::Dst => {
                            if r != Reg::VCC {
                                self.set(Field::SdstOn, 1);
                                self.set(Field::Sdst, r.index as u32);
                            }
                        }
                        Form::Base | Form::Dpp | Form::Sdwa if row.format.is_short() => {
                            if r != Reg::VCC {
                                return Err(bad);
                            }
                        }
                        _ => bits.set(&mut self.words, r.index as u32),
                    },
                    _ => return Err(bad),
                }
            }
            RegClass::Src => match opd.class {
                // A lane mask may be any 64-bit source of the long encodings.
                Class::M if bits.width == 9 && r.index != code::LDS_DIRECT => self.set_source(opd.slot, r.index),
                Class::V
                    if r.index == code::LDS_DIRECT
                        && self.target == Target::Gfx908
                        && matches!(row.sem, Sem::Lane(Op::ReadLane | Op::ReadFirstLane, _)) =>
                {
                    self.set_source(opd.slot, r.index)
                }
                Class::S if bits.width == 8 && opd.ty.dwords() == 1 && (code::VCCZ..=code::SCC).contains(&r.index) => {
                    self.set_source(opd.slot, r.index)
                }
                Class::VS | Class::SS | Class::SN | Class::VI => self.set_source(opd.slot, r.index),
                // As constants are: they are no registers of a bank.
                Class::AVC if r.index != code::LDS_DIRECT => self.set_source(opd.slot, r.index),
                Class::V if self.widened(opd) => self.set_source(opd.slot, r.index),
                _ => return Err(bad),
            },
        }
        Ok(())
    }
}

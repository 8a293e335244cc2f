//! A decoded instruction: its raw bits and what they are.
//!
//! The bits are the instruction, so nothing is ever lost; operands and modifiers are read from them on demand through
//! the layout of the row's format.

use crate::encoding::{Encoding, Kind, Place};
use crate::format::{Bits, Field, Form, Format, Layout};
use crate::operand::{Operand, from_src9};
use crate::reg::{Reg, code};
use crate::row::{Class, Mods, Opd, Row};
use crate::rows::{NONE, RowId, table};
use crate::sem::{Elem, Sem};
use crate::target::Target;

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Inst {
    pub(crate) words: [u32; 4],
    pub(crate) row: RowId,
    pub(crate) len: u8,
    pub(crate) form: Form,
    pub(crate) target: Target,
}

/// Why bits are no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No instruction of the target begins so.
    #[error("{word:#010x} begins no {target} instruction")]
    Unknown {
        /// The first dword.
        word: u32,
        /// The target.
        target: Target,
    },
    /// The instruction is longer than what is left.
    #[error("{word:#010x} begins an instruction of {needed} dwords, of which {have} are left")]
    Truncated {
        /// The first dword.
        word: u32,
        /// Dwords it needs.
        needed: u8,
        /// Dwords there are.
        have: u8,
    },
}

/// Format by the top nine bits of the first dword; `None` where no format is.
static CLASS: [Option<Format>; 512] = {
    let mut t = [None; 512];
    let mut i = 0;
    while i < 512 {
        t[i] = if i < 256 {
            match i >> 2 {
                0b111111 => Some(Format::VOP1),
                0b111110 => Some(Format::VOPC),
                _ => Some(Format::VOP2),
            }
        } else if i >> 7 == 0b10 {
            match i {
                0b1_0111_1101 => Some(Format::SOP1),
                0b1_0111_1110 => Some(Format::SOPC),
                0b1_0111_1111 => Some(Format::SOPP),
                _ => {
                    if i >> 5 == 0b1011 {
                        Some(Format::SOPK)
                    } else {
                        Some(Format::SOP2)
                    }
                }
            }
        } else {
            match i >> 3 {
                0b110000 => Some(Format::SMEM),
                0b110001 => Some(Format::EXP),
                0b110100 => Some(if i & 7 == 7 { Format::VOP3P } else { Format::VOP3 }),
                0b110101 => Some(Format::VINTRP),
                0b110110 => Some(Format::DS),
                0b110111 => Some(Format::FLAT),
                0b111000 => Some(Format::MUBUF),
                0b111010 => Some(Format::MTBUF),
                0b111100 => Some(Format::MIMG),
                _ => None,
            }
        };
        i += 1;
    }
    t
};

/// First dword's upper half of `v_mfma_ld_scale_b32`, which opens a 128-bit scaled MFMA.
const LD_SCALE: u32 = 0xd3ac;

/// Decodes the instruction at the start of `words`.
///
/// # Errors
/// [`DecodeError`] where the bits are no instruction of `target`, or the instruction is cut off.
#[inline]
pub fn decode(words: &[u32], target: Target) -> Result<Inst, DecodeError> {
    let Some(&w0) = words.first() else {
        return Err(DecodeError::Truncated { word: 0, needed: 1, have: 0 });
    };
    let unknown = DecodeError::Unknown { word: w0, target };
    let t = table(target);
    let Some(format) = CLASS[(w0 >> 23) as usize] else { return Err(unknown) };
    let (row, mut form) = match format {
        Format::VOP2 => (t.get(Format::VOP2, (w0 >> 25) & 63), Form::Base),
        Format::VOP1 => (t.get(Format::VOP1, (w0 >> 9) & 255), Form::Base),
        Format::VOPC => (t.get(Format::VOPC, (w0 >> 17) & 255), Form::Base),
        Format::SOP2 => (t.get(Format::SOP2, (w0 >> 23) & 127), Form::Base),
        Format::SOPK => (t.get(Format::SOPK, (w0 >> 23) & 31), Form::Base),
        Format::SOP1 => (t.get(Format::SOP1, (w0 >> 8) & 255), Form::Base),
        Format::SOPC => (t.get(Format::SOPC, (w0 >> 16) & 127), Form::Base),
        Format::SOPP => (t.get(Format::SOPP, (w0 >> 16) & 127), Form::Base),
        Format::SMEM => (t.get(Format::SMEM, (w0 >> 18) & 255), Form::Base),
        Format::VOP3 => {
            let row = t.get(Format::VOP3, (w0 >> 16) & 1023);
            let short = |f: Format| f.is_short() || f == Format::VINTRP;
            let form = if row != NONE && short(RowId(row).row().format) { Form::E64 } else { Form::Base };
            (row, form)
        }
        Format::VOP3P => {
            if w0 >> 16 == LD_SCALE && words.len() >= 4 && words[2] >> 23 == 0b1_1010_0111 && words[2] >> 11 & 15 == 1 {
                let row = t.get(Format::MAI_SCALE, (words[2] >> 16) & 127);
                if row != NONE { (row, Form::Base) } else { (t.get(Format::VOP3P, (w0 >> 16) & 127), Form::Base) }
            } else {
                (t.get(Format::VOP3P, (w0 >> 16) & 127), Form::Base)
            }
        }
        Format::VINTRP => (t.get(Format::VINTRP, (w0 >> 16) & 3), Form::Base),
        Format::DS => (t.get(Format::DS, (w0 >> 17) & 255), Form::Base),
        Format::MUBUF => (t.get(Format::MUBUF, (w0 >> 18) & 127), Form::Base),
        Format::MTBUF => (t.get(Format::MTBUF, (w0 >> 15) & 15), Form::Base),
        Format::FLAT => {
            let format = match (w0 >> 14) & 3 {
                0 => Format::FLAT,
                1 => Format::SCRATCH,
                2 => Format::GLOBAL,
                _ => return Err(unknown),
            };
            (t.get(format, (w0 >> 18) & 127), Form::Base)
        }
        Format::EXP => (t.get(Format::EXP, 0), Form::Base),
        Format::MIMG => (t.get(Format::MIMG, (w0 >> 18) & 127), Form::Base),
        _ => return Err(unknown),
    };
    if row == NONE {
        return Err(unknown);
    }
    let id = RowId(row);
    let r = id.row();
    if form == Form::Base && r.format.is_short() {
        match w0 & 0x1ff {
            249 => form = Form::Sdwa,
            250 => form = Form::Dpp,
            _ => {}
        }
        if !r.has_form(form, target) {
            return Err(unknown);
        }
    }
    let mut len = r.format.layout(form).dwords;
    let literal = match r.format {
        Format::SOP1 => w0 & 0xff == 255 && r.takes_literal(Field::Src0),
        Format::SOP2 | Format::SOPC => {
            (w0 & 0xff == 255 && r.takes_literal(Field::Src0))
                || ((w0 >> 8) & 0xff == 255 && r.takes_literal(Field::Src1))
        }
        Format::VOP1 | Format::VOP2 | Format::VOP2B | Format::VOPC => form == Form::Base && w0 & 0x1ff == 255,
        _ => false,
    };
    len += literal as u8;
    if len as usize > words.len() {
        return Err(DecodeError::Truncated { word: w0, needed: len, have: words.len() as u8 });
    }
    let mut bits = [w0, 0, 0, 0];
    if len >= 2 {
        bits[1] = words[1];
        if len == 4 {
            bits[2] = words[2];
            bits[3] = words[3];
        }
    }
    Ok(Inst { words: bits, row: id, len, form, target })
}

impl Format {
    /// Whether the format is 32 bits with 64-bit, SDWA and DPP relatives.
    #[inline(always)]
    pub const fn is_short(self) -> bool {
        matches!(self, Format::VOP1 | Format::VOP2 | Format::VOP2B | Format::VOPC | Format::VOP2_LIT)
    }
}

impl Row {
    /// Whether the operand in `slot` may be a literal in this row's own encoding.
    #[inline]
    pub fn takes_literal(&self, slot: Field) -> bool {
        self.operands.iter().any(|o| o.slot == slot && matches!(o.class, Class::SS | Class::VS))
    }
}

impl Inst {
    /// The instruction's row number.
    pub const fn row_id(&self) -> RowId {
        self.row
    }

    /// The instruction's row.
    #[inline(always)]
    pub fn row(&self) -> &'static Row {
        self.row.row()
    }

    /// The mnemonic without encoding suffix.
    pub fn name(&self) -> &'static str {
        self.row().name
    }

    /// Which encoding of the row this is.
    #[inline(always)]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The target it was decoded or encoded for.
    #[inline(always)]
    pub const fn target(&self) -> Target {
        self.target
    }

    /// Length in dwords, literal included.
    #[inline(always)]
    pub const fn dwords(&self) -> usize {
        self.len as usize
    }

    /// Length in bytes.
    #[inline(always)]
    pub const fn bytes(&self) -> usize {
        self.len as usize * 4
    }

    /// The bits.
    #[inline(always)]
    pub fn words(&self) -> &[u32] {
        &self.words[..self.len as usize]
    }

    /// The bit map of this encoding.
    #[inline(always)]
    pub fn layout(&self) -> &'static Layout {
        self.row().format.layout(self.form)
    }

    /// A field's value; 0 where the encoding has no such field.
    #[inline(always)]
    pub fn get(&self, field: Field) -> u32 {
        self.layout().field(field).get(&self.words)
    }

    /// Sets a field. Bits of `value` that do not fit, and fields that the encoding lacks, are ignored.
    #[inline(always)]
    pub fn set(&mut self, field: Field, value: u32) {
        self.layout().field(field).set(&mut self.words, value);
    }

    /// Whether this encoding has `field`.
    #[inline]
    pub fn has(&self, field: Field) -> bool {
        self.layout().field(field).exists()
    }

    /// A signed field: `Offset` of GLOBAL and SCRATCH (13 bits) and of SMEM (21 bits), `Simm16`.
    pub fn get_signed(&self, field: Field) -> i32 {
        let b = self.layout().field(field);
        let w = b.width + b.hi_width;
        if w == 0 {
            return 0;
        }
        let up = 32 - w as u32;
        ((b.get(&self.words) << up) as i32) >> up
    }

    /// The literal dword, if the instruction has one.
    #[inline]
    pub fn literal(&self) -> Option<u32> {
        let l = self.layout();
        let lit = l.field(Field::Literal);
        if lit.exists() {
            Some(lit.get(&self.words))
        } else if self.len > l.dwords {
            Some(self.words[l.dwords as usize & 3])
        } else {
            None
        }
    }

    /// Operand `i` in the order of the row's operands. Operands that the instruction's bits leave out (the result of
    /// an atomic without `sc0`, the data of a load into LDS) are [`Operand::Off`] only where the text says `off`, and
    /// else `None`.
    #[inline]
    pub fn operand(&self, i: usize) -> Option<Operand> {
        let row = self.row();
        let opd = row.operands.get(i)?;
        self.read(row, opd)
    }

    /// The operand encoded in `slot`.
    pub fn slot(&self, slot: Field) -> Option<Operand> {
        let row = self.row();
        let opd = row.operands.iter().find(|o| o.slot == slot)?;
        self.read(row, opd)
    }

    /// All operands present, with their row entries, in assembly order.
    pub fn operands(&self) -> impl Iterator<Item = (&'static Opd, Operand)> + '_ {
        let row = self.row();
        row.operands.iter().filter_map(move |o| Some((o, self.read(row, o)?)))
    }

    /// What the instruction shares with others of its encoding.
    #[inline]
    pub(crate) fn encoding(&self) -> &'static Encoding {
        Encoding::of(self.row, self.form, self.target)
    }

    /// Every operand at once, `None` where the bits leave one out or the row has no more.
    pub(crate) fn read_all(&self) -> [Option<Operand>; 8] {
        self.read_places(self.encoding())
    }

    /// The same, with the encoding at hand.
    #[inline]
    pub(crate) fn read_places(&self, encoding: &Encoding) -> [Option<Operand>; 8] {
        let mut out = [None; 8];
        for (slot, place) in out.iter_mut().zip(&encoding.places) {
            *slot = self.read_place(place);
        }
        out
    }

    /// The operand at a place of this encoding.
    #[inline]
    pub(crate) fn read_place(&self, place: &Place) -> Option<Operand> {
        let value = place.bits.get(&self.words);
        let (index, n) = (value as u16, place.dwords);
        let set = |bit: Bits| bit.get(&self.words) != 0;
        Some(Operand::Reg(match place.kind {
            Kind::Vector => Reg::v(index, n),
            Kind::Accumulator => Reg::a(index, n),
            Kind::Either(file) => {
                if set(file) {
                    Reg::a(index, n)
                } else {
                    Reg::v(index, n)
                }
            }
            Kind::EitherCode(file) | Kind::EitherSource(file) if value >= 256 => {
                if set(file) {
                    Reg::a(index - 256, n)
                } else {
                    Reg::v(index - 256, n)
                }
            }
            Kind::Source | Kind::EitherSource(_) if value != 255 => return Some(from_src9(value, n, 0)),
            Kind::Scalar(run) => Reg::s(index * u16::from(run), n),
            Kind::Vcc => Reg::VCC,
            _ => return self.read(self.row(), place.opd),
        }))
    }

    /// How many registers the operand takes in this instruction.
    #[inline]
    pub fn width(&self, opd: &Opd) -> u8 {
        let d = opd.ty.dwords();
        match self.row().sem {
            Sem::Mfma(m) if m.typed_by_fields => {
                let code = match opd.slot {
                    Field::Src0 => self.get(Field::Cbsz),
                    Field::Src1 => self.get(Field::Blgp),
                    _ => return d,
                };
                match code {
                    2 | 3 => 6,
                    4 => 4,
                    _ => 8,
                }
            }
            Sem::Image => self.image_width(opd),
            Sem::Load { .. } | Sem::Store { .. } | Sem::Atomic { .. } if self.tfe() && opd.slot == Field::Data0 => {
                d + 1
            }
            _ => d,
        }
    }

    /// Registers of an image instruction's operand: data as `dmask` says, coordinates as few as the bits allow.
    fn image_width(&self, opd: &Opd) -> u8 {
        let row = self.row();
        match opd.slot {
            Field::Data0 => {
                let channels =
                    if row.mods.has(Mods::GATHER) { 4 } else { self.get(Field::Dmask).count_ones().max(1) as u8 };
                let packed = row.mods.has(Mods::D16) && self.get(Field::D16) != 0;
                let status = self.target == Target::Gfx908 && self.get(Field::Tfe) != 0;
                (if packed { channels.div_ceil(2) } else { channels }) + u8::from(status)
            }
            Field::Vaddr => row.mods.least_coords(),
            _ => opd.ty.dwords(),
        }
    }

    /// Texture fail enable: gfx908 buffer instructions return a status dword more.
    pub fn tfe(&self) -> bool {
        crate::canonical::has_tfe(self.row(), self.target) && self.get(Field::Tfe) != 0
    }

    /// Whether the accumulation bit `field` is set and means AGPRs.
    #[inline(always)]
    fn acc(&self, field: Field) -> bool {
        (self.target.unified_vgprs() || matches!(self.row().format, Format::MAI)) && self.get(field) != 0
    }

    #[inline]
    fn read(&self, row: &'static Row, opd: &Opd) -> Option<Operand> {
        let bits = self.layout().field(opd.slot);
        let value = bits.get(&self.words);
        let n = self.width(opd);
        Some(match opd.class {
            Class::V | Class::VS | Class::VI | Class::AV | Class::AVC | Class::A => {
                self.read_vector(row, opd, bits, value, n)?
            }
            Class::S => match opd.slot {
                Field::Sbase => Operand::Reg(Reg::s(value as u16 * 2, n)),
                Field::Srsrc | Field::Ssamp => Operand::Reg(Reg::s(value as u16 * 4, n)),
                _ if bits.width == 8 || bits.width == 9 => self.scalar(opd, value, n),
                _ => Operand::Reg(Reg::s(value as u16, n)),
            },
            Class::SS | Class::SN => self.scalar(opd, value, n),
            Class::M => match self.form {
                Form::Base if row.format.is_short() => Operand::Reg(Reg::VCC),
                Form::Dpp => Operand::Reg(Reg::VCC),
                Form::Sdwa => {
                    if self.get(Field::SdstOn) != 0 && opd.slot == Field::Dst {
                        Operand::Reg(Reg::s(self.get(Field::Sdst) as u16, n))
                    } else {
                        Operand::Reg(Reg::VCC)
                    }
                }
                _ => match from_src9(value, n, 0) {
                    Operand::Literal(_) => Operand::Invalid(255),
                    x => x,
                },
            },
            Class::K => Operand::Literal(self.literal().unwrap_or(0)),
            Class::Imm | Class::Label => Operand::Imm(match bits.width {
                16 if matches!(row.format, Format::SOPP | Format::SOPK) => value as u16 as i16 as i32,
                _ => value as i32,
            }),
            Class::HwReg | Class::Msg | Class::WaitCnt | Class::GprIdx | Class::ExpTgt | Class::Param => {
                Operand::Imm(value as i32)
            }
            Class::Attr => Operand::Imm((self.get(Field::Attr) << 2 | self.get(Field::AttrChan)) as i32),
            Class::ExpSrc => self.read_export(opd.slot),
            Class::VAddr => self.read_vaddr(row, value),
            Class::SAddr => {
                if value == 0x7f {
                    Operand::Off
                } else {
                    Operand::Reg(Reg::s(value as u16, if row.format == Format::SCRATCH { 1 } else { 2 }))
                }
            }
            Class::SOff => self.read_smem_offset(),
        })
    }

    fn read_vaddr(&self, row: &Row, value: u32) -> Operand {
        let v = |n| Operand::Reg(Reg::v(value as u16, n));
        match row.format {
            Format::GLOBAL => v(if self.get(Field::Saddr) == 0x7f { 2 } else { 1 }),
            Format::SCRATCH => {
                let used = if matches!(self.target, Target::Gfx942 | Target::Gfx950) {
                    self.get(Field::Sve) != 0
                } else {
                    self.get(Field::Saddr) == 0x7f
                };
                if used { v(1) } else { Operand::Off }
            }
            Format::MUBUF | Format::MTBUF => match self.get(Field::Offen) + self.get(Field::Idxen) {
                0 => Operand::Off,
                n => v(n as u8),
            },
            _ => v(2),
        }
    }

    /// A source of an export, `off` where its channel is not enabled. Compressed ones are two registers, shown twice.
    fn read_export(&self, slot: Field) -> Operand {
        let (channel, plain, compressed) = match slot {
            Field::Src0 => (0, Field::Src0, Field::Src0),
            Field::Src1 => (1, Field::Src1, Field::Src0),
            Field::Src2 => (2, Field::Src2, Field::Src1),
            _ => (3, Field::Data0, Field::Src1),
        };
        if self.get(Field::ExpEnable) >> channel & 1 == 0 {
            return Operand::Off;
        }
        let field = if self.get(Field::ExpCompr) != 0 { compressed } else { plain };
        Operand::Reg(Reg::v(self.get(field) as u16, 1))
    }

    fn read_smem_offset(&self) -> Operand {
        if self.get(Field::ImmOffset) != 0 {
            if self.get(Field::SoffsetEn) != 0 {
                return Operand::Reg(Reg::s(self.get(Field::Soffset) as u16, 1));
            }
            return Operand::Imm(self.get_signed(Field::Offset));
        }
        if self.get(Field::SoffsetEn) != 0 {
            return Operand::Reg(Reg::s(self.get(Field::Soffset) as u16, 1));
        }
        Operand::Reg(Reg::s(self.get(Field::Offset) as u16 & 0x7f, 1))
    }

    /// Whether this is a load whose data go to LDS instead of registers: by its name, or by a bit.
    #[inline]
    pub fn loads_lds(&self) -> bool {
        match self.row().sem {
            Sem::Load { lds: true, .. } => true,
            Sem::Load { .. } => self.get(Field::Lds) != 0 && crate::canonical::has_lds(self.row(), self.target),
            _ => false,
        }
    }

    #[inline]
    fn scalar(&self, opd: &Opd, value: u32, n: u8) -> Operand {
        match value {
            255 if opd.class == Class::SS && self.len > self.layout().dwords => {
                Operand::Literal(self.words[self.layout().dwords as usize & 3])
            }
            255 => Operand::Invalid(255),
            _ => from_src9(value, n, 0),
        }
    }

    #[inline]
    fn read_vector(&self, row: &Row, opd: &Opd, bits: Bits, value: u32, n: u8) -> Option<Operand> {
        match (opd.slot, row.format) {
            // The result of an atomic exists only if it is asked for.
            (Field::Dst, Format::FLAT | Format::GLOBAL | Format::SCRATCH)
                if matches!(row.sem, Sem::Atomic { .. }) && self.get(Field::Sc0) == 0 =>
            {
                return None;
            }
            (Field::Data0, Format::MUBUF) | (Field::Dst, Format::GLOBAL | Format::SCRATCH) if self.loads_lds() => {
                return None;
            }
            _ => {}
        }
        let acc = match opd.class {
            Class::A => true,
            Class::AV | Class::AVC => {
                let field = match (opd.slot, row.format) {
                    (Field::Src0, _) => Field::AccA,
                    (Field::Src1, _) => Field::AccB,
                    _ => Field::Acc,
                };
                self.acc(field)
            }
            _ => false,
        };
        if opd.class == Class::AVC {
            return Some(self.acc_source(value, n, acc));
        }
        if matches!(opd.class, Class::AV | Class::A) && bits.width == 9 && value < 256 {
            return Some(Operand::Invalid(value as u16));
        }
        if acc {
            return Some(Operand::Reg(Reg::a(value as u16 & 255, n)));
        }
        if bits.width != 9 {
            if self.form == Form::Sdwa {
                let scalar = match opd.slot {
                    Field::Src0 => self.get(Field::Src0Scalar),
                    Field::Src1 => self.get(Field::Src1Scalar),
                    _ => 0,
                };
                if scalar != 0 {
                    return Some(match from_src9(value, n, 0) {
                        Operand::Literal(_) => Operand::Invalid(255),
                        x => x,
                    });
                }
            }
            return Some(Operand::Reg(Reg::v(value as u16, n)));
        }
        Some(match value {
            255 if self.len > self.layout().dwords || row.format == Format::VOP2_LIT => {
                Operand::Literal(self.literal().unwrap_or(0))
            }
            255 => Operand::Invalid(255),
            _ => from_src9(value, n, 0),
        })
    }

    fn acc_source(&self, value: u32, n: u8, acc: bool) -> Operand {
        match from_src9(value, n, 0) {
            Operand::Reg(Reg { class: crate::reg::RegClass::V, index, count }) if acc => {
                Operand::Reg(Reg::a(index, count))
            }
            Operand::Literal(_) => Operand::Invalid(code::LITERAL),
            x => x,
        }
    }
}

impl core::fmt::Debug for Inst {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} [", crate::print::text(self))?;
        for (i, w) in self.words().iter().enumerate() {
            write!(f, "{}{w:08x}", if i == 0 { "" } else { " " })?;
        }
        f.write_str("]")
    }
}

/// Whether an element is 64-bit in one register pair: literals then fill the high or the low half.
pub(crate) const fn is_64(e: Elem) -> bool {
    matches!(e, Elem::B64 | Elem::U64 | Elem::I64 | Elem::F64)
}

//! The typed builder: a method per mnemonic over anything that records instructions.
//!
//! [`Emit`] is what a recorder implements: it gets a mnemonic, operands (whose registers may be virtual) and then
//! modifiers, one at a time. [`Code`] is the recorder that goes straight to bits.

mod methods;

pub use methods::Build;

use crate::encode::{EncodeError, encode};
use crate::format::{Field, Form};
use crate::inst::Inst;
use crate::names::Mnemonic;
use crate::operand::Operand;
use crate::target::Target;

/// Something that records instructions.
pub trait Emit {
    /// The target that instructions are recorded for.
    fn target(&self) -> Target;

    /// Records an instruction in the shortest form that takes its operands, and says where it is. Operands are those
    /// of the row, in order; [`Operand::Off`] stands for absent ones. Errors are kept until the recorder is finished.
    #[track_caller]
    fn record(&mut self, mnemonic: Mnemonic, operands: &[Operand]) -> usize;

    /// Sets a modifier of the instruction at `at`, changing its form if the present one lacks the field. The values of
    /// `Neg`, `NegHi` and `Abs` are or-ed to what is there; other fields are replaced.
    fn modify(&mut self, at: usize, field: Field, value: u32);

    /// Asks for the form of the instruction at `at`.
    fn force_form(&mut self, at: usize, form: Form);
}

/// A recorded instruction, on which modifiers chain.
#[derive(Debug)]
pub struct Rec<'a, E: Emit + ?Sized> {
    emit: &'a mut E,
    at: usize,
}

#[inline(always)]
#[track_caller]
fn rec<'a, E: Emit + ?Sized>(emit: &'a mut E, mnemonic: Mnemonic, operands: &[Operand]) -> Rec<'a, E> {
    let at = emit.record(mnemonic, operands);
    Rec { emit, at }
}

macro_rules! flags {
    ($($(#[$m:meta])* $name:ident = $field:ident : $value:expr;)*) => {$(
        $(#[$m])*
        #[inline(always)]
        pub fn $name(self) -> Self {
            self.set(Field::$field, $value)
        }
    )*};
}

macro_rules! values {
    ($($(#[$m:meta])* $name:ident = $field:ident;)*) => {$(
        $(#[$m])*
        #[inline(always)]
        pub fn $name(self, value: u32) -> Self {
            self.set(Field::$field, value)
        }
    )*};
}

impl<E: Emit + ?Sized> Rec<'_, E> {
    /// Where the recorder keeps the instruction.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Sets any field.
    #[inline(always)]
    pub fn set(self, field: Field, value: u32) -> Self {
        self.emit.modify(self.at, field, value);
        self
    }

    /// The 64-bit form.
    pub fn e64(self) -> Self {
        self.emit.force_form(self.at, Form::E64);
        self
    }

    /// Negates source `i`.
    pub fn neg(self, i: u32) -> Self {
        self.set(Field::Neg, 1 << i)
    }

    /// Takes the magnitude of source `i`.
    pub fn abs(self, i: u32) -> Self {
        self.set(Field::Abs, 1 << i)
    }

    /// Negates the low half of source `i` (VOP3P).
    pub fn neg_lo(self, i: u32) -> Self {
        self.set(Field::Neg, 1 << i)
    }

    /// Negates the high half of source `i` (VOP3P).
    pub fn neg_hi(self, i: u32) -> Self {
        self.set(Field::NegHi, 1 << i)
    }

    /// Byte offset of a memory instruction; negative where the format allows.
    pub fn offset(self, bytes: i32) -> Self {
        self.set(Field::Offset, bytes as u32)
    }

    flags! {
        /// Clamps the result (`clamp`).
        clamp = Clamp : 1;
        /// Doubles the result (`mul:2`).
        mul2 = Omod : 1;
        /// Quadruples the result (`mul:4`).
        mul4 = Omod : 2;
        /// Halves the result (`div:2`).
        div2 = Omod : 3;
        /// `sc0`, `glc` before gfx942.
        sc0 = Sc0 : 1;
        /// `sc1`, `scc` on gfx90a.
        sc1 = Sc1 : 1;
        /// `nt`, `slc` before gfx942.
        nt = Nt : 1;
        /// Load into LDS.
        lds = Lds : 1;
        /// Buffer offset from a VGPR.
        offen = Offen : 1;
        /// Buffer index from a VGPR.
        idxen = Idxen : 1;
        /// Address GDS.
        gds = Gds : 1;
        /// DPP: lanes out of bounds read 0.
        bound_ctrl = BoundCtrl : 1;
        /// DPP: mirror each row of 16.
        row_mirror = DppCtrl : 0x140;
        /// DPP: mirror each half row of 8.
        row_half_mirror = DppCtrl : 0x141;
        /// DPP: lane 15 of each row to the next row.
        row_bcast15 = DppCtrl : 0x142;
        /// DPP: lane 31 to rows 2 and 3.
        row_bcast31 = DppCtrl : 0x143;
        /// DPP: wave shifted left by one lane.
        wave_shl1 = DppCtrl : 0x130;
        /// DPP: wave rotated left by one lane.
        wave_rol1 = DppCtrl : 0x134;
        /// DPP: wave shifted right by one lane.
        wave_shr1 = DppCtrl : 0x138;
        /// DPP: wave rotated right by one lane.
        wave_ror1 = DppCtrl : 0x13c;
    }
    values! {
        /// `op_sel`, a bit per source, the destination last.
        op_sel = OpSel;
        /// `op_sel_hi`, a bit per source.
        op_sel_hi = OpSelHi;
        /// First offset of a two-address DS instruction.
        offset0 = Offset0;
        /// Second offset of a two-address DS instruction.
        offset1 = Offset1;
        /// MFMA: broadcast size of A, or its format.
        cbsz = Cbsz;
        /// MFMA: block of A to broadcast.
        abid = Abid;
        /// MFMA: lane group pattern of B, or its format.
        blgp = Blgp;
        /// DPP: rows that are written.
        row_mask = RowMask;
        /// DPP: banks that are written.
        bank_mask = BankMask;
        /// SDWA: part of the destination.
        dst_sel = DstSel;
        /// SDWA: what becomes of the rest of the destination.
        dst_unused = DstUnused;
        /// SDWA: part of source 0.
        src0_sel = Src0Sel;
        /// SDWA: part of source 1.
        src1_sel = Src1Sel;
        /// Buffer data format (MTBUF).
        dfmt = Dfmt;
        /// Buffer number format (MTBUF).
        nfmt = Nfmt;
    }

    /// DPP: permutation within each four lanes.
    pub fn quad_perm(self, p: [u32; 4]) -> Self {
        self.set(Field::DppCtrl, p[0] & 3 | (p[1] & 3) << 2 | (p[2] & 3) << 4 | (p[3] & 3) << 6)
    }
    /// DPP: rows of 16 shifted left by 1 to 15 lanes.
    pub fn row_shl(self, n: u32) -> Self {
        self.set(Field::DppCtrl, 0x100 | n & 15)
    }
    /// DPP: rows of 16 shifted right by 1 to 15 lanes.
    pub fn row_shr(self, n: u32) -> Self {
        self.set(Field::DppCtrl, 0x110 | n & 15)
    }
    /// DPP: rows of 16 rotated right by 1 to 15 lanes.
    pub fn row_ror(self, n: u32) -> Self {
        self.set(Field::DppCtrl, 0x120 | n & 15)
    }
    /// DPP: lane `n` of each row to the whole row (gfx90a and later).
    pub fn row_newbcast(self, n: u32) -> Self {
        self.set(Field::DppCtrl, 0x150 | n & 15)
    }
}

/// Which form an instruction must take so that it has `field`, if it is short and lacks it.
pub fn form_for(field: Field) -> Form {
    match field {
        Field::DppCtrl | Field::RowMask | Field::BankMask | Field::BoundCtrl | Field::FetchInactive => Form::Dpp,
        Field::DstSel | Field::DstUnused | Field::Src0Sel | Field::Src1Sel | Field::Sext0 | Field::Sext1 => Form::Sdwa,
        _ => Form::E64,
    }
}

impl Inst {
    /// The same operation with the same operands in another form.
    ///
    /// # Errors
    /// [`EncodeError`] where the form does not exist or cannot hold the operands.
    pub fn with_form(&self, form: Form) -> Result<Inst, EncodeError> {
        if form == self.form {
            return Ok(*self);
        }
        let mut ops = [Operand::Off; 8];
        let row = self.row();
        for (i, slot) in ops.iter_mut().enumerate().take(row.operands.len()) {
            *slot = self.operand(i).unwrap_or(Operand::Off);
        }
        let mut out = encode(self.row, form, &ops[..row.operands.len()], self.target)?;
        for f in [Field::Clamp, Field::Omod] {
            out.set(f, self.get(f));
        }
        Ok(out)
    }

    /// Sets a modifier, changing the form if the present one lacks it. `Neg`, `NegHi` and `Abs` are or-ed.
    ///
    /// # Errors
    /// [`EncodeError`] where no form of the instruction has the field, or the value is too large for it.
    #[inline]
    pub fn modify(&mut self, field: Field, value: u32) -> Result<(), EncodeError> {
        if !self.has(field) {
            // SDWA and DPP keep negation and magnitude per source.
            if matches!(self.form, Form::Sdwa | Form::Dpp) && matches!(field, Field::Neg | Field::Abs) {
                for (bit, neg, abs) in [(1, Field::Neg0, Field::Abs0), (2, Field::Neg1, Field::Abs1)] {
                    if value & bit != 0 {
                        self.set(if field == Field::Neg { neg } else { abs }, 1);
                    }
                }
                return Ok(());
            }
            *self = self.with_form(form_for(field))?;
        }
        let bits = self.layout().field(field);
        if !bits.exists() {
            return Err(EncodeError::Range { name: self.name(), field, value: value as i64 });
        }
        let value = match field {
            Field::Neg | Field::NegHi | Field::Abs => value | bits.get(&self.words),
            _ => value,
        };
        let fits = match field {
            // Signed offsets arrive sign-extended.
            Field::Offset => {
                let w = bits.width as u32;
                let signed = matches!(
                    self.row().format,
                    crate::format::Format::GLOBAL | crate::format::Format::SCRATCH | crate::format::Format::SMEM
                );
                if signed {
                    let v = value as i32;
                    v >= -(1 << (w - 1)) && v < 1 << (w - 1)
                } else if self.row().format == crate::format::Format::FLAT {
                    value < 1 << 12
                } else {
                    value <= bits.max()
                }
            }
            _ => value <= bits.max(),
        };
        if !fits {
            return Err(EncodeError::Range { name: self.name(), field, value: value as i32 as i64 });
        }
        bits.set(&mut self.words, value);
        Ok(())
    }
}

/// Encodes in the shortest form that takes the operands.
///
/// # Errors
/// The error of the longest form tried.
#[inline]
pub fn encode_shortest(mnemonic: Mnemonic, operands: &[Operand], target: Target) -> Result<Inst, EncodeError> {
    let Some(id) = mnemonic.row(target) else {
        return Err(EncodeError::NoForm { name: mnemonic.name(), form: Form::Base, target });
    };
    match encode(id, Form::Base, operands, target) {
        Err(e) if id.row().format.is_short() => encode(id, Form::E64, operands, target).map_err(|e64| match e64 {
            EncodeError::NoForm { .. } => e,
            other => other,
        }),
        r => r,
    }
}

/// Records instructions straight into dwords.
#[derive(Debug)]
pub struct Code {
    target: Target,
    words: Vec<u32>,
    /// The last instruction is kept decoded so that modifiers can change it; it is already in `words`.
    last: Option<(usize, Inst)>,
    error: Option<EncodeError>,
}

impl Code {
    /// An empty recording for `target`.
    pub fn new(target: Target) -> Code {
        Code { target, words: Vec::new(), last: None, error: None }
    }

    /// Reserves room for `dwords` more.
    pub fn reserve(&mut self, dwords: usize) {
        self.words.reserve(dwords);
    }

    /// The dwords so far.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The code.
    ///
    /// # Errors
    /// The first instruction that could not be encoded.
    pub fn finish(self) -> Result<Vec<u32>, EncodeError> {
        match self.error {
            None => Ok(self.words),
            Some(e) => Err(e),
        }
    }

    fn fail(&mut self, e: EncodeError) {
        self.error.get_or_insert(e);
    }

    fn replace(&mut self, at: usize, change: impl FnOnce(&mut Inst) -> Result<(), EncodeError>) {
        let Some((start, mut inst)) = self.last else { return };
        if start != at {
            return;
        }
        match change(&mut inst) {
            Ok(()) => {
                self.words.truncate(start);
                self.words.extend_from_slice(inst.words());
                self.last = Some((start, inst));
            }
            Err(e) => self.fail(e),
        }
    }
}

impl Emit for Code {
    fn target(&self) -> Target {
        self.target
    }

    #[inline(always)]
    fn record(&mut self, mnemonic: Mnemonic, operands: &[Operand]) -> usize {
        let at = self.words.len();
        match encode_shortest(mnemonic, operands, self.target) {
            Ok(inst) => {
                self.words.extend_from_slice(inst.words());
                self.last = Some((at, inst));
            }
            Err(e) => self.fail(e),
        }
        at
    }

    fn modify(&mut self, at: usize, field: Field, value: u32) {
        self.replace(at, |inst| inst.modify(field, value));
    }

    fn force_form(&mut self, at: usize, form: Form) {
        self.replace(at, |inst| {
            *inst = inst.with_form(form)?;
            Ok(())
        });
    }
}

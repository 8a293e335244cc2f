//! The usual instructions as rows of ready texts.
//!
//! Nearly every instruction of a program is a mnemonic, a few registers or small constants, and modifiers of a few bits.
//! What each of these bit fields can say is rendered once, by the printer that knows everything, and printing is then
//! copying: a branch on what an operand is would be mispredicted about as often as not. Whatever a table does not hold
//! is left to the other printer, and so are instructions that text cannot say.

use super::modifier::push_modifiers;
use super::number::{push_i32, push_u32};
use super::operand::{push_literal, push_value};
use super::text::{Short, Text};
use crate::encoding::{Encoding, Kind, Place, accumulation_bit, differing};
use crate::format::{Bits, Field, Form, Format};
use crate::inst::Inst;
use crate::operand::Operand;
use crate::reg::RegClass;
use crate::row::{Class, Mods, Opd, Row, Ty};
use crate::sem::{Op, Sem};
use crate::target::Target;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// How the usual instructions of an encoding are printed.
#[derive(Debug)]
pub(crate) struct Quick {
    columns: Box<[Column]>,
    offset: Option<Offset>,
    tail: Box<[Tail]>,
    /// The bits that must be as in an instruction without modifiers.
    fixed: [u32; 4],
    /// How many scalar values no rule forbids.
    scalars: u8,
    /// Whether rules ask more of the operands.
    ruled: bool,
}

/// An operand's texts, by its bits.
#[derive(Debug)]
struct Column {
    value: Slice,
    /// Bits elsewhere that choose among texts of the same value.
    beside: [Slice; 2],
    texts: Arc<[Cell]>,
    negative: Slice,
    magnitude: Slice,
    before: &'static [Short<4>; 4],
}

/// The text of an operand; empty where another printer must look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cell {
    text: Short<14>,
    /// 1 for what travels over the constant bus, and [`CONSTANT`] besides for what a minus does not go before.
    traits: u8,
}

const CONSTANT: u8 = 0x40;
const LITERAL: u8 = 0x80;

/// A modifier's texts, by its bits.
#[derive(Debug)]
struct Tail {
    fields: [Slice; 3],
    texts: Arc<[Option<Short<23>>]>,
}

/// An offset, which is any number.
#[derive(Debug)]
struct Offset {
    bits: Slice,
    /// How far the sign is from the top.
    signed: Option<u32>,
    /// How many of the tails come first.
    after: usize,
}

/// Some bits of an instruction, as a part of an index.
#[derive(Clone, Copy, Debug)]
struct Slice {
    word: u8,
    shift: u8,
    /// Whether only all ones count: 1 is added, and `down` leaves what is carried.
    carry: u8,
    down: u8,
    up: u8,
    mask: u32,
}

impl Slice {
    const NONE: Slice = Slice { word: 0, shift: 0, carry: 0, down: 0, up: 0, mask: 0 };

    fn of(bits: Bits) -> Slice {
        if !bits.exists() {
            return Slice::NONE;
        }
        let mask = Bits { hi_width: 0, ..bits }.max();
        Slice { word: bits.pos >> 5 & 3, shift: bits.pos & 31, mask, ..Slice::NONE }
    }

    /// One bit of a field.
    fn bit(bits: Bits, i: u8) -> Slice {
        if i < bits.width { Slice::of(Bits { pos: bits.pos + i, width: 1, ..Bits::NONE }) } else { Slice::NONE }
    }

    /// One bit: whether the field is all ones.
    fn all(bits: Bits) -> Slice {
        Slice { carry: 1, down: bits.width, ..Slice::of(bits) }
    }

    fn at(self, up: u8) -> Slice {
        Slice { up, ..self }
    }

    #[inline(always)]
    fn get(self, words: &[u32; 4]) -> u32 {
        let x = words[self.word as usize & 3] >> self.shift & self.mask;
        (x + u32::from(self.carry)) >> self.down << self.up
    }
}

static FIRST: [Short<4>; 4] =
    [Short::EMPTY.and(" "), Short::EMPTY.and(" -"), Short::EMPTY.and(" |"), Short::EMPTY.and(" -|")];
static NEXT: [Short<4>; 4] =
    [Short::EMPTY.and(", "), Short::EMPTY.and(", -"), Short::EMPTY.and(", |"), Short::EMPTY.and(", -|")];
static AFTER: [Short<1>; 4] = [Short::EMPTY, Short::EMPTY, Short::EMPTY.and("|"), Short::EMPTY.and("|")];

/// Appends the instruction if it is a usual one that text can say; else leaves the text as it was.
#[inline]
pub(super) fn push(out: &mut Text, inst: &Inst, encoding: &Encoding) -> bool {
    let Some(quick) = &encoding.quick else { return false };
    if differing(&inst.words, &encoding.blank, &quick.fixed) != 0 {
        return false;
    }
    let start = out.len();
    if quick.push(out, inst, encoding) {
        return true;
    }
    out.truncate(start);
    false
}

impl Quick {
    #[inline]
    fn push(&self, out: &mut Text, inst: &Inst, encoding: &Encoding) -> bool {
        let words = &inst.words;
        out.push_name(&encoding.name);
        let mut scalars = 0;
        for (i, c) in self.columns.iter().enumerate() {
            let index = c.value.get(words) | c.beside[0].get(words) | c.beside[1].get(words);
            let sign = (c.negative.get(words) | c.magnitude.get(words)) as usize & 3;
            let Some(cell) = c.texts.get(index as usize) else { return false };
            scalars += cell.traits & 1;
            out.push_short(&c.before[sign]);
            out.push_short(&cell.text);
            out.push_short(&AFTER[sign]);
            if cell.text.is_empty() || cell.traits & CONSTANT != 0 && sign != 0 {
                if cell.traits & LITERAL == 0 || sign != 0 || encoding.half {
                    return false;
                }
                let Some(literal) = inst.literal() else { return false };
                push_literal(out, literal, encoding.places[i].opd);
            }
        }
        if scalars > self.scalars {
            return false;
        }
        let (first, rest) = self.tail.split_at(self.offset.as_ref().map_or(0, |o| o.after));
        if !push_tail(out, words, first) {
            return false;
        }
        if let Some(o) = &self.offset {
            o.push(out, words);
        }
        push_tail(out, words, rest)
            && (!self.ruled || crate::parse::violation(inst, &inst.read_places(encoding)).is_none())
    }

    /// How to print what is usual in the encoding of `inst`, which has no operands and modifiers; `None` where nothing is.
    pub(crate) fn new(inst: &Inst, places: &[Place], modifiers: u128) -> Option<Quick> {
        let row = inst.row();
        if !is_usual(inst, row) {
            return None;
        }
        let columns =
            places.iter().enumerate().map(|(i, p)| Column::new(inst, p, i == 0)).collect::<Option<Box<[Column]>>>()?;
        let has = |f: Field| modifiers >> f as u8 & 1 != 0;
        let groups = groups(inst).iter().map(|g| g.iter().copied().filter(|f| has(*f)).collect::<Vec<Field>>());
        let groups: Vec<Vec<Field>> = groups.collect();
        let offset = has(Field::Offset).then(|| Offset::new(inst));
        let mut free = [0; 4];
        let mut said = |field: Field| inst.layout().field(field).set(&mut free, u32::MAX);
        for place in places {
            said(place.opd.slot);
            beside(inst, place).into_iter().flatten().for_each(|b| said(b.field));
        }
        groups.iter().flatten().copied().for_each(&mut said);
        offset.iter().for_each(|_| said(Field::Offset));
        // Of the bits for signs and magnitudes, those of operands that have them.
        for slice in columns.iter().flat_map(|c| [c.negative, c.magnitude]) {
            free[slice.word as usize & 3] |= slice.mask << slice.shift;
        }
        let mut fixed = [0; 4];
        for (i, f) in fixed.iter_mut().enumerate().take(inst.layout().dwords as usize) {
            *f = !free[i];
        }
        let scalar = matches!(row.format, Format::SOP1 | Format::SOP2 | Format::SOPC);
        Some(Quick {
            columns,
            offset,
            tail: groups.iter().map(|g| Tail::new(inst, g)).collect(),
            fixed,
            scalars: if scalar { u8::MAX } else { 1 },
            ruled: matches!(row.sem, Sem::Mfma(_)),
        })
    }
}

#[inline]
fn push_tail(out: &mut Text, words: &[u32; 4], tail: &[Tail]) -> bool {
    for t in tail {
        let index = t.fields[0].get(words) | t.fields[1].get(words) | t.fields[2].get(words);
        let Some(Some(text)) = t.texts.get(index as usize) else { return false };
        out.push_short(text);
    }
    true
}

/// Whether instructions of an encoding are printed from tables: not those whose operands count on each other, and not
/// those that are asked for more than their fields can say.
fn is_usual(inst: &Inst, row: &Row) -> bool {
    let form = matches!(inst.form(), Form::Base | Form::E64);
    let format = matches!(
        row.format,
        Format::SOP1
            | Format::SOP2
            | Format::SOPC
            | Format::VOP3
            | Format::VOP3B
            | Format::VOP3P
            | Format::MAI
            | Format::DS
            | Format::FLAT
            | Format::GLOBAL
            | Format::SCRATCH
            | Format::MUBUF
    ) || row.format.is_short() && row.format != Format::VOP2_LIT;
    let odd = Mods::BITOP3.or(Mods::HIGH).or(Mods::SWAP_CTRL).or(Mods::GDS_ONLY);
    let lanes = matches!(
        row.sem,
        Sem::Lane(
            Op::ReadLane
                | Op::ReadFirstLane
                | Op::WriteLane
                | Op::AccWrite
                | Op::DivFmas
                | Op::FmaMix
                | Op::FmaMixLo
                | Op::FmaMixHi,
            _
        )
    );
    let memory = matches!(row.sem, Sem::StoreLds | Sem::CacheWriteback | Sem::CacheInvalidate { .. } | Sem::Ds(_))
        || row.format == Format::SCRATCH && inst.target() < Target::Gfx942
        || crate::canonical::has_tfe(row, inst.target());
    form && format
        && row.mods.0 & odd.0 == 0
        && !lanes
        && !memory
        && inst.fields_are_valid()
        && files_agree(inst, row)
        && super::modifiers_are_silent(inst)
}

/// Whether result and data of a memory instruction or matrix instruction are always in one register file.
fn files_agree(inst: &Inst, row: &Row) -> bool {
    let relevant = |o: &&Opd| match row.format {
        Format::MAI => matches!(o.slot, Field::Dst | Field::Src2),
        Format::DS | Format::FLAT | Format::GLOBAL | Format::SCRATCH | Format::MUBUF => {
            matches!(o.slot, Field::Dst | Field::Data0 | Field::Data1)
        }
        _ => false,
    };
    let either = |o: &Opd| matches!(o.class, Class::AV | Class::AVC) && inst.has(accumulation_bit(o.slot));
    let mut operands = row.operands.iter().filter(relevant).map(either);
    match operands.next() {
        Some(first) => operands.all(|e| e == first),
        None => true,
    }
}

/// Whether an operand has bits for its sign and magnitude.
fn takes_sign(inst: &Inst, row: &Row, opd: &Opd) -> bool {
    let wide = matches!(row.format, Format::VOP3 | Format::VOP3B) || inst.form() == Form::E64;
    wide && row.mods.has(Mods::NEG) && opd.takes_sign()
}

impl Column {
    fn new(inst: &Inst, place: &Place, first: bool) -> Option<Column> {
        let row = inst.row();
        let (opd, bits) = (place.opd, place.bits);
        if bits.width > 9 || bits.hi_width != 0 {
            return None;
        }
        let beside = beside(inst, place)?;
        let mut slices = [Slice::NONE; 2];
        for (up, (slice, b)) in (bits.width..).zip(slices.iter_mut().zip(beside)) {
            let place = inst.layout().field(b.field);
            *slice = if b.all { Slice::all(place) } else { Slice::of(place) }.at(up);
        }
        let i = match opd.slot {
            Field::Src0 => Some(0),
            Field::Src1 => Some(1),
            Field::Src2 => Some(2),
            _ => None,
        };
        let sign = |f: Field| match i {
            Some(i) if takes_sign(inst, row, opd) => Slice::bit(inst.layout().field(f), i),
            _ => Slice::NONE,
        };
        Some(Column {
            value: Slice::of(bits),
            beside: slices,
            texts: cells(inst, place, beside),
            negative: sign(Field::Neg),
            magnitude: sign(Field::Abs).at(1),
            before: if first { &FIRST } else { &NEXT },
        })
    }
}

/// A field that chooses among texts of an operand: one bit, or whether it is all ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Beside {
    field: Field,
    all: bool,
}

/// The fields that an operand's text depends on besides its own; `None` where these are too many.
fn beside(inst: &Inst, place: &Place) -> Option<&'static [Beside]> {
    const ACC: Beside = Beside { field: Field::Acc, all: false };
    const ACC_A: Beside = Beside { field: Field::AccA, all: false };
    const ACC_B: Beside = Beside { field: Field::AccB, all: false };
    const OFFEN: Beside = Beside { field: Field::Offen, all: false };
    const IDXEN: Beside = Beside { field: Field::Idxen, all: false };
    const NO_BASE: Beside = Beside { field: Field::Saddr, all: true };
    let (opd, format) = (place.opd, inst.row().format);
    Some(match place.kind {
        Kind::Vector | Kind::Source | Kind::Scalar(_) | Kind::Vcc | Kind::Accumulator => &[],
        Kind::Either(file) | Kind::EitherCode(file) | Kind::EitherSource(file) if !file.exists() => &[],
        Kind::Either(_) | Kind::EitherCode(_) | Kind::EitherSource(_) => match accumulation_bit(opd.slot) {
            Field::AccA => &[ACC_A],
            Field::AccB => &[ACC_B],
            _ => &[ACC],
        },
        Kind::Other => match (format, opd.class) {
            // The data of a load that does not go to LDS.
            (Format::MUBUF | Format::GLOBAL, Class::AV)
                if inst.target().unified_vgprs() && matches!(inst.row().sem, Sem::Load { .. }) =>
            {
                &[ACC]
            }
            (Format::MUBUF, Class::VAddr) => &[OFFEN, IDXEN],
            (Format::GLOBAL, Class::VAddr) => &[NO_BASE],
            (Format::GLOBAL, Class::SAddr) | (Format::FLAT, Class::VAddr) => &[],
            _ => return None,
        },
    })
}

/// All that the texts of an operand depend on.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: Kind,
    beside: &'static [Beside],
    class: Class,
    ty: Ty,
    bits: Bits,
    source: bool,
    format: Format,
    form: Form,
    target: Target,
}

/// Texts that operands of different encodings share: few, so that they stay in the caches.
static CELLS: LazyLock<Mutex<Cells>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Cells {
    by_key: HashMap<Key, Arc<[Cell]>>,
    all: HashSet<Arc<[Cell]>>,
}

fn cells(inst: &Inst, place: &Place, beside: &'static [Beside]) -> Arc<[Cell]> {
    let opd = place.opd;
    let key = Key {
        kind: place.kind,
        beside,
        class: opd.class,
        ty: opd.ty,
        bits: place.bits,
        source: matches!(opd.slot, Field::Src0 | Field::Src1 | Field::Src2),
        format: inst.row().format,
        form: inst.form(),
        target: inst.target(),
    };
    let mut cells = CELLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = cells.by_key.get(&key) {
        return found.clone();
    }
    let width = place.bits.width as usize + beside.len();
    let made = (0..1u32 << width).map(|index| Cell::new(inst, place, beside, index)).collect();
    let shared = shared(&mut cells.all, made);
    cells.by_key.insert(key, shared.clone());
    shared
}

/// The one copy of equal tables.
fn shared<T: Eq + Hash>(all: &mut HashSet<Arc<[T]>>, made: Vec<T>) -> Arc<[T]> {
    if let Some(found) = all.get(&*made) {
        return found.clone();
    }
    let made: Arc<[T]> = made.into();
    all.insert(made.clone());
    made
}

impl Cell {
    const OTHER: Cell = Cell { text: Short::EMPTY, traits: 0 };

    /// The text of an operand, in an instruction that has nothing else.
    fn new(blank: &Inst, place: &Place, beside: &[Beside], index: u32) -> Cell {
        let (opd, width) = (place.opd, place.bits.width);
        let mut inst = *blank;
        for (i, b) in beside.iter().enumerate() {
            let one = index >> (usize::from(width) + i) & 1 != 0;
            inst.set(b.field, if one { u32::MAX } else { 0 });
        }
        let value = index & place.bits.max();
        inst.set(opd.slot, value);
        let row = inst.row();
        let scalar = matches!(opd.slot, Field::Src0 | Field::Src1 | Field::Src2) as u8;
        // The short encodings have a literal after them.
        let literal = value == 255
            && matches!(opd.class, Class::SS | Class::VS)
            && inst.form() == Form::Base
            && (row.format.is_short() || matches!(row.format, Format::SOP1 | Format::SOP2 | Format::SOPC));
        if literal {
            return Cell { traits: LITERAL | scalar, ..Cell::OTHER };
        }
        let Some((i, operand)) =
            row.operands.iter().position(|o| o.slot == opd.slot).and_then(|i| Some((i, inst.operand(i)?)))
        else {
            return Cell::OTHER;
        };
        let traits = match operand {
            Operand::Reg(r) if r.class == RegClass::S => scalar,
            // Addresses in pairs are aligned like other tuples, though encoding them does not say so.
            Operand::Reg(r) if r.class == RegClass::V && opd.class == Class::VAddr => {
                if r.count > 1 && r.index & 1 != 0 {
                    return Cell::OTHER;
                }
                0
            }
            Operand::Reg(r) if matches!(r.class, RegClass::V | RegClass::A) => 0,
            Operand::Int(_) | Operand::Float(_) => CONSTANT,
            Operand::Off => 0,
            _ => return Cell::OTHER,
        };
        if !inst.operand_encodes_again(i, opd, operand) {
            return Cell::OTHER;
        }
        let mut text = Text::default();
        push_value(&mut text, &inst, opd, operand);
        match Short::of(&text.into_string()) {
            Some(text) => Cell { text, traits },
            None => Cell::OTHER,
        }
    }
}

/// The modifiers of a format in the order of their texts, those that are told by one table together.
fn groups(inst: &Inst) -> &'static [&'static [Field]] {
    use Field as F;
    match inst.row().format {
        _ if inst.form() == Form::E64 => &[&[F::OpSel], &[F::Clamp, F::Omod]],
        Format::VOP3 | Format::VOP3B => &[&[F::OpSel], &[F::Clamp, F::Omod]],
        Format::VOP3P => &[&[F::OpSel], &[F::OpSelHi], &[F::Neg], &[F::NegHi], &[F::Clamp]],
        Format::MAI => &[&[F::Cbsz], &[F::Abid], &[F::Blgp]],
        Format::DS => &[&[F::Offset0], &[F::Offset1], &[F::Gds]],
        Format::FLAT | Format::GLOBAL => &[&[F::Sc0, F::Nt, F::Sc1]],
        Format::MUBUF => &[&[F::Idxen, F::Offen], &[F::Sc0, F::Nt, F::Sc1]],
        _ => &[],
    }
}

impl Offset {
    fn new(inst: &Inst) -> Offset {
        let bits = inst.layout().field(Field::Offset);
        let format = inst.row().format;
        Offset {
            bits: Slice::of(bits),
            signed: (format == Format::GLOBAL).then_some(32 - u32::from(bits.width)),
            after: usize::from(format == Format::MUBUF),
        }
    }

    #[inline]
    fn push(&self, out: &mut Text, words: &[u32; 4]) {
        let x = self.bits.get(words);
        if x == 0 {
            return;
        }
        out.push_str(" offset:");
        match self.signed {
            Some(up) => push_i32(out, ((x << up) as i32) >> up),
            None => push_u32(out, x),
        }
    }
}

impl Tail {
    /// The texts of modifiers that stand together.
    fn new(inst: &Inst, group: &[Field]) -> Tail {
        type Texts = HashSet<Arc<[Option<Short<23>>]>>;
        static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);
        let mut fields = [Slice::NONE; 3];
        let mut parts = fields.iter_mut();
        let mut width = 0;
        for &field in group {
            let bits = inst.layout().field(field);
            let high = Bits { pos: bits.hi_pos, width: bits.hi_width, ..Bits::NONE };
            for part in [bits, high].into_iter().filter(|b| b.exists()) {
                if let Some(slice) = parts.next() {
                    *slice = Slice::of(part).at(width);
                }
                width += part.width;
            }
        }
        let made = (0..1u32 << width).map(|index| {
            let mut inst = *inst;
            let mut rest = index;
            for &field in group {
                let bits = inst.layout().field(field);
                inst.set(field, rest & bits.max());
                rest >>= bits.width + bits.hi_width;
            }
            let mut text = Text::default();
            push_modifiers(&mut text, &inst);
            if inst.fields_are_valid() { Short::of(&text.into_string()) } else { None }
        });
        let made = made.collect();
        Tail { fields, texts: shared(&mut TEXTS.lock().unwrap_or_else(PoisonError::into_inner), made) }
    }
}

#[cfg(test)]
mod tests {
    use crate::inst::decode;
    use crate::print::Text;
    use crate::properties::{Rng, encodings, random_instruction};
    use crate::target::Target;

    #[test]
    fn tables_say_what_the_other_printer_says_or_nothing() {
        let mut rng = Rng(7);
        let (mut quick, mut canonical) = (0, 0);
        for target in Target::ALL {
            for (id, form) in encodings(target) {
                for round in 0..24 {
                    let Some(mut inst) = random_instruction(&mut rng, id, form, target) else { break };
                    // Some with bits that mean nothing, or something forbidden.
                    if round % 3 == 0 {
                        for _ in 0..1 + rng.below(3) {
                            inst.words[rng.below(inst.dwords() as u64) as usize] ^= 1 << rng.below(32);
                        }
                        match decode(inst.words(), target) {
                            Ok(other) => inst = other,
                            Err(_) => continue,
                        }
                    }
                    let encoding = inst.encoding();
                    let operands = inst.read_all();
                    let sayable = inst.is_canonical_with(encoding, &operands);
                    canonical += usize::from(sayable);
                    let mut ours = Text::default();
                    if super::push(&mut ours, &inst, encoding) {
                        quick += 1;
                        let mut theirs = Text::default();
                        crate::print::push_with(&mut theirs, &inst, encoding, &operands);
                        let theirs = theirs.into_string();
                        assert!(sayable, "{target}: {theirs} {:x?}", inst.words());
                        assert_eq!(ours.into_string(), theirs, "{target}: {:x?}", inst.words());
                    } else {
                        assert_eq!(ours.len(), 0, "what is not said leaves nothing behind");
                    }
                }
            }
        }
        assert!(quick > canonical / 2, "tables serve most instructions: {quick} of {canonical}");
    }
}

//! Random encodings of a row, run through the engine with known registers, and what every register must hold then.

use crate::alu::{self, Elem, Lane, Out, Ty};
use crate::bare::Bare;
use crate::exact::{F16, F32, F64, Ieee, Num};
use std::collections::BTreeMap;
use wavesmith_asm::build::{Build, Code};
use wavesmith_asm::operand::Lit;
use wavesmith_asm::reg::{EXEC, EXEC_HI, EXEC_LO, VCC, VCC_HI, VCC_LO, s, v};
use wavesmith_asm::row::Mods;
use wavesmith_asm::rows::RowId;
use wavesmith_asm::{Class, Field, Form, Format, Target, decode};
use wavesmith_sim::EngineKind;

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as u32
    }
    pub fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
    pub fn wide(&mut self) -> u64 {
        u64::from(self.next()) << 32 | u64::from(self.next())
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// A float with an exponent that meets others, or one from the edges of its format.
    fn float(&mut self, f: Ieee) -> u64 {
        let sign = if self.one_in(2) { f.sign() } else { 0 };
        let fraction = self.wide() & ((1 << f.fraction) - 1);
        let fraction = match self.below(4) {
            0 => 0,
            1 => fraction & !((1 << (f.fraction / 2)) - 1),
            _ => fraction,
        };
        let top = (1u64 << f.exponent) - 1;
        let e = match self.below(16) {
            0 => 0,
            1 => top,
            2 => 1,
            3 => top - 1,
            4 => self.wide() % (top + 1),
            5..=8 => f.bias() as u64,
            _ => (f.bias() as u64 + 8 - u64::from(self.below(17))).min(top),
        };
        let whole = sign | e << f.fraction;
        match self.below(12) {
            0 => whole,
            1 => sign | f.infinity() | u64::from(self.below(2)),
            2 => sign,
            _ => whole | fraction,
        }
    }

    /// Words of an operand of a type.
    pub fn words(&mut self, ty: Ty, n: usize) -> Vec<u32> {
        if self.one_in(16) {
            return (0..n).map(|_| self.pick(&[0, 1, u32::MAX, 0x8000_0000, 0x7fff_ffff])).collect();
        }
        let pair = |v: u64| vec![v as u32, (v >> 32) as u32];
        match ty {
            Ty::F64 => pair(self.float(F64)),
            Ty::I64 if !self.one_in(3) => pair(self.wide()),
            Ty::PairF32 => (0..n).map(|_| self.float(F32) as u32).collect(),
            Ty::F32 | Ty::B32 => vec![self.float(F32) as u32; 1],
            Ty::F16 | Ty::PairF16 => vec![self.float(F16) as u32 | (self.float(F16) as u32) << 16],
            Ty::Bf16 | Ty::PairBf16 => {
                vec![(self.float(F32) >> 16) as u32 | (self.float(F32) as u32) & 0xffff_0000]
            }
            _ => (0..n)
                .map(|_| match self.below(6) {
                    0 => self.below(70),
                    1 => self.float(F32) as u32,
                    2 => self.float(F16) as u32 | (self.float(F16) as u32) << 16,
                    _ => self.next(),
                })
                .collect(),
        }
    }
}

/// A source of the instruction.
#[derive(Clone, Debug)]
enum Source {
    None,
    Vector(u16, usize),
    Scalar(u16, usize),
    /// The same words in every lane.
    Constant(Vec<u32>),
}

/// One instruction, encoded, with what is known of its bits.
pub struct Case {
    pub id: RowId,
    pub form: Form,
    pub target: Target,
    words: Vec<u32>,
    pub text: String,
    types: [Ty; 3],
    sources: [Source; 3],
    /// Destination registers: vector or scalar, first, count.
    dst: Option<(u16, usize)>,
    /// The mask written, as the first SGPR of a pair; 106 is VCC.
    mask_out: Option<u16>,
    mask_in: Option<u16>,
    neg: u32,
    abs: u32,
    neg_hi: u32,
    op_sel: u32,
    op_sel_hi: u32,
    clamp: bool,
    omod: u32,
    table: u32,
    sel: [u32; 2],
    sext: [bool; 2],
    dst_sel: u32,
    dst_unused: u32,
    dpp: (u32, u32, u32, bool),
}

const VECTORS: u16 = 8;
const SCALARS: u16 = 8;

/// A float constant by its encoding, 240 to 248.
fn float_constant(code: u32, f: Ieee) -> u64 {
    let turn = [(F16, 0x3118), (F32, 0x3e22_f983), (F64, 0x3fc4_5f30_6dc9_c882u64)];
    if code == 248 {
        return turn.iter().find(|t| t.0 == f).expect("a format").1;
    }
    let v = [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0][code as usize - 240];
    f.round(&Num::f64(v), crate::exact::Round::Nearest)
}

/// The words of a constant source.
fn constant(code: u32, ty: Ty, n: usize) -> Option<Vec<u32>> {
    let integer = match code {
        128..=192 => code as i64 - 128,
        193..=208 => 192 - code as i64,
        240..=248 => {
            let f = match ty {
                Ty::F64 | Ty::I64 => F64,
                // Integers of 16 bits too: what LLVM counts on.
                Ty::F32 | Ty::I32 | Ty::B32 | Ty::I16 | Ty::PairI16 => F32,
                Ty::F16 | Ty::PairF16 => F16,
                _ => return None,
            };
            let v = float_constant(code, f);
            return Some(if f == F64 { vec![v as u32, (v >> 32) as u32] } else { vec![v as u32] });
        }
        _ => return None,
    };
    match (ty, n) {
        (Ty::PairF32, _) => None,
        (_, 1) => Some(vec![integer as u32]),
        (Ty::F64 | Ty::I64, 2) => Some(vec![integer as u32, (integer >> 32) as u32]),
        _ => None,
    }
}

impl Case {
    /// A random encoding of a form of a row.
    pub fn random(r: &mut Random, id: RowId, form: Form, target: Target) -> Option<Case> {
        let row = id.row();
        if !row.has_form(form, target) {
            return None;
        }
        let layout = row.format.layout(form);
        let mut words = layout.base;
        layout.opcode.set(&mut words, u32::from(if form == Form::E64 { row.opcode64 } else { row.opcode }));
        let types = alu::sources(row.name);
        let mut c = Case {
            id,
            form,
            target,
            words: Vec::new(),
            text: String::new(),
            types,
            sources: [Source::None, Source::None, Source::None],
            dst: None,
            mask_out: None,
            mask_in: None,
            neg: 0,
            abs: 0,
            neg_hi: 0,
            op_sel: 0,
            op_sel_hi: 0,
            clamp: false,
            omod: 0,
            table: 0,
            sel: [6, 6],
            sext: [false; 2],
            dst_sel: 6,
            dst_unused: 0,
            dpp: (0, 15, 15, false),
        };
        // Wide operands apart, so that they do not overlap; narrow ones anywhere, on top of each other too.
        let mut next = VECTORS;
        let mut vector = |r: &mut Random, n: usize| {
            if n > 2 {
                let at = next;
                next += n as u16;
                return at;
            }
            120 + 2 * r.below(4) as u16
        };
        let mut scalar_used = false;
        let mut literal = None;
        let is_vop3 = form == Form::E64 || matches!(row.format, Format::VOP3 | Format::VOP3B | Format::VOP3P);
        for o in row.operands {
            let place = layout.field(o.slot);
            let n = usize::from(o.ty.dwords().max(1));
            let index = match o.slot {
                Field::Src0 => 0,
                Field::Src1 => 1,
                Field::Src2 => 2,
                _ => 3,
            };
            match (o.slot, o.class) {
                (Field::Dst | Field::Sdst, Class::M) => {
                    let at = match (form, place.exists()) {
                        (Form::Sdwa, _) if layout.field(Field::SdstOn).exists() => {
                            let at = r.pick(&[106, 20, 30]);
                            layout.field(Field::SdstOn).set(&mut words, u32::from(at != 106));
                            layout.field(Field::Sdst).set(&mut words, if at == 106 { 0 } else { u32::from(at) });
                            at
                        }
                        (_, true) => {
                            let at = r.pick(&[106, 20, 30]);
                            place.set(&mut words, u32::from(at));
                            at
                        }
                        _ => 106,
                    };
                    c.mask_out = Some(at);
                }
                (_, Class::M) => {
                    let at = if place.exists() && is_vop3 {
                        let at = r.pick(&[106, 24, 34]);
                        place.set(&mut words, u32::from(at));
                        at
                    } else {
                        106
                    };
                    c.mask_in = Some(at);
                }
                (Field::Dst, Class::V) => {
                    let at = vector(r, n);
                    place.set(&mut words, u32::from(at));
                    c.dst = Some((at, n));
                }
                (Field::Literal, Class::K) => {
                    let w = r.words(types[0], 1)[0];
                    place.set(&mut words, w);
                    // The literal is a factor (`mk`) or the sum's other part (`ak`).
                    let at = if row.name.contains("mk") { 1 } else { 2 };
                    c.sources[at] = Source::Constant(vec![w]);
                }
                (_, Class::V | Class::VS) if index < 3 => {
                    // `mk` counts its second vector source third.
                    let at = if row.name.contains("mk_") && index == 1 { 2 } else { index };
                    let constant_too =
                        place.width == 9 && o.class == Class::VS || index > 0 && is_vop3 && o.class != Class::AV;
                    let choice = if constant_too && n <= 2 { r.below(8) } else { 7 };
                    let short = matches!(form, Form::Base) && row.format.is_short() && row.format != Format::VOP2_LIT;
                    match choice {
                        0 if !scalar_used && types[index] != Ty::PairF32 => {
                            scalar_used = true;
                            let at_ = SCALARS + 2 * r.below(14) as u16;
                            place.set(&mut words, at_.into());
                            c.sources[at] = Source::Scalar(at_, n);
                        }
                        1 => {
                            let code = if r.one_in(2) { 240 + r.below(9) } else { 128 + r.below(81) };
                            match constant(code, types[index], n) {
                                Some(w) => {
                                    place.set(&mut words, code);
                                    c.sources[at] = Source::Constant(w);
                                }
                                None => {
                                    let v = vector(r, n);
                                    place.set(&mut words, 256 + u32::from(v));
                                    c.sources[at] = Source::Vector(v, n);
                                }
                            }
                        }
                        2 if short && place.width == 9 && !matches!(types[index], Ty::PairF32 | Ty::Raw) => {
                            let w = r.words(types[index], n);
                            let w = if types[index] == Ty::F64 { vec![0, w[1]] } else { w };
                            place.set(&mut words, 255);
                            literal = Some(*w.last().expect("a word"));
                            if types[index] == Ty::I64 {
                                return None;
                            }
                            c.sources[at] = Source::Constant(w);
                        }
                        _ => {
                            let v = vector(r, n);
                            place.set(&mut words, u32::from(v) + if place.width == 9 { 256 } else { 0 });
                            c.sources[at] = Source::Vector(v, n);
                        }
                    }
                }
                _ => return None,
            }
        }
        c.modifiers(r, &mut words, is_vop3);
        let dwords = usize::from(layout.dwords);
        if let Some(l) = literal {
            words[dwords] = l;
        }
        let inst = decode(&words, target).ok()?;
        if inst.row_id() != id || inst.form() != form {
            return None;
        }
        c.text = wavesmith_asm::print::text(&inst);
        c.words = inst.words().to_vec();
        Some(c)
    }

    fn modifiers(&mut self, r: &mut Random, words: &mut [u32; 4], is_vop3: bool) {
        let row = self.id.row();
        let layout = row.format.layout(self.form);
        let has = |m: Mods| row.mods.has(m);
        let mut set = |f: Field, v: u32| layout.field(f).set(words, v);
        let float_out = {
            let d = row.operand(Field::Dst).map(|o| o.ty.elem);
            d.is_some_and(|e| e.is_float() && e.bits() >= 16 && e != wavesmith_asm::sem::Elem::Bf16)
        };
        let clamps =
            |r: &mut Random| r.one_in(3) && (float_out || alu::saturates(row.name) || row.name.contains("_co_"));
        let n_src = (0..3).filter(|i| !matches!(self.sources[*i], Source::None)).count();
        let signs = |types: &[Ty; 3]| (0..3).filter(|i| types[*i].signed().is_some()).fold(0, |m, i| m | 1 << i);
        if has(Mods::BITOP3) {
            self.table = r.next() & 0xff;
            // The table's lowest bits stand in negation, the next in magnitude, the highest in the output modifier.
            set(Field::Neg, self.table & 7);
            set(Field::Abs, self.table >> 3 & 7);
            set(Field::Omod, self.table >> 6);
        }
        let some = !r.one_in(3);
        match self.form {
            Form::Sdwa => {
                for i in 0..2 {
                    if matches!(self.sources[i], Source::None) {
                        continue;
                    }
                    // Pairs of eight bits are selected by words.
                    self.sel[i] = if row.name.contains("pk_f32") { 4 + r.below(3) } else { r.below(7) };
                    set([Field::Src0Sel, Field::Src1Sel][i], self.sel[i]);
                    if some && has(Mods::NEG) && self.types[i].signed().is_some() {
                        self.neg |= r.below(2) << i;
                        self.abs |= r.below(2) << i;
                    } else if some && (has(Mods::SEXT) || has(Mods::NEG)) && matches!(self.types[i], Ty::I16 | Ty::I32)
                    {
                        self.sext[i] = r.one_in(2);
                        set([Field::Sext0, Field::Sext1][i], self.sext[i].into());
                    }
                    set([Field::Neg0, Field::Neg1][i], self.neg >> i & 1);
                    set([Field::Abs0, Field::Abs1][i], self.abs >> i & 1);
                }
                if row.operand(Field::Dst).is_some_and(|o| o.class == Class::V) && !has(Mods::NO_DST_SEL) {
                    self.dst_sel = r.below(7);
                    self.dst_unused = r.below(3);
                    set(Field::DstSel, self.dst_sel);
                    set(Field::DstUnused, self.dst_unused);
                } else if layout.field(Field::DstSel).exists() {
                    set(Field::DstSel, 6);
                }
                if some && has(Mods::SDWA_CLAMP) && clamps(r) {
                    self.clamp = true;
                    set(Field::Clamp, 1);
                }
                if some && has(Mods::SDWA_OMOD) && float_out {
                    self.omod = r.below(4);
                    set(Field::Omod, self.omod);
                }
                return;
            }
            Form::Dpp => {
                let broadcast = if self.target == Target::Gfx908 { 0 } else { r.below(2) };
                let wide = has(Mods::DPP64) && matches!(self.types[0], Ty::F64 | Ty::I64)
                    || row.operands.iter().any(|o| o.ty.dwords() > 1);
                let ctrl = match r.below(8) {
                    _ if wide => 0x150 + r.below(16),
                    0 | 1 => r.below(256),
                    2 => 0x101 + r.below(15),
                    3 => 0x111 + r.below(15),
                    4 => 0x121 + r.below(15),
                    5 if broadcast == 1 => 0x150 + r.below(16),
                    6 => r.pick(&[0x130, 0x134, 0x138, 0x13c]),
                    _ => r.pick(&[0x140, 0x141, 0x142, 0x143]),
                };
                self.dpp = (
                    ctrl,
                    if r.one_in(2) { 15 } else { r.below(16) },
                    if r.one_in(2) { 15 } else { r.below(16) },
                    r.one_in(2),
                );
                set(Field::DppCtrl, ctrl);
                set(Field::RowMask, self.dpp.1);
                set(Field::BankMask, self.dpp.2);
                set(Field::BoundCtrl, self.dpp.3.into());
                for i in 0..2 {
                    if some
                        && has(Mods::NEG)
                        && self.types[i].signed().is_some()
                        && !matches!(self.sources[i], Source::None)
                    {
                        self.neg |= r.below(2) << i;
                        self.abs |= r.below(2) << i;
                        set([Field::Neg0, Field::Neg1][i], self.neg >> i & 1);
                        set([Field::Abs0, Field::Abs1][i], self.abs >> i & 1);
                    }
                }
                return;
            }
            _ => {}
        }
        if row.format == Format::VOP3P {
            let sources = (1 << n_src) - 1;
            self.op_sel_hi = 7 & sources;
            if has(Mods::OPSEL) && some {
                self.op_sel = r.below(8) & sources;
                // A constant stands in the lower half; which the other is, is not the same for every type.
                if has(Mods::OPSELHI) {
                    self.op_sel_hi = r.below(8) & sources;
                }
            }
            for (i, s) in self.sources.iter().enumerate() {
                if matches!(s, Source::Constant(_)) && !row.name.starts_with("v_dot") && self.types[i] != Ty::Raw {
                    self.op_sel &= !(1 << i);
                    self.op_sel_hi &= !(1 << i);
                }
            }
            let floats = row.name.ends_with("f16") && !row.name.starts_with("v_cvt") || row.name.ends_with("f32");
            if some && floats && (has(Mods::NEGLOHI) || has(Mods::NEG)) && !row.name.contains("bf16") {
                self.neg = r.below(8) & sources;
                self.neg_hi = r.below(8) & sources;
                if row.name.starts_with("v_dot") {
                    self.neg &= 3;
                    self.neg_hi &= 3;
                }
            }
            set(Field::OpSel, self.op_sel);
            set(Field::OpSelHi, self.op_sel_hi);
            set(Field::Neg, self.neg);
            set(Field::NegHi, self.neg_hi);
        } else if is_vop3 {
            if some && has(Mods::NEG) {
                let mask = signs(&self.types) & ((1 << n_src) - 1);
                let scaled = row.name.starts_with("v_cvt_scalef32") || row.name.starts_with("v_pk_");
                let mask = if scaled { 0 } else { mask };
                self.neg = r.below(8) & mask;
                self.abs = r.below(8) & mask;
                set(Field::Neg, self.neg);
                set(Field::Abs, self.abs);
            }
            if has(Mods::OPSEL) && some {
                let halves =
                    (0..n_src).filter(|i| self.types[*i].is_half() && !matches!(self.sources[*i], Source::Constant(_)));
                let mut m = halves.fold(0, |m, i| m | 1 << i);
                if row.name.starts_with("v_cvt_") && !row.name.contains("pknorm") {
                    m = 15;
                } else if row.operand(Field::Dst).is_some_and(|o| o.ty.elem.bits() == 16 && o.ty.count == 1)
                    || row.name.starts_with("v_ashr_pk")
                {
                    m |= 8;
                }
                self.op_sel = r.next() & 15 & m;
                set(Field::OpSel, self.op_sel);
            }
            if some && has(Mods::OMOD) && float_out && !row.name.starts_with("v_pk_") {
                self.omod = r.below(4);
                set(Field::Omod, self.omod);
            }
        }
        if (is_vop3 || row.format == Format::VOP3P) && some && has(Mods::CLAMP) && clamps(r) {
            self.clamp = true;
            set(Field::Clamp, 1);
        }
    }

    /// The vector registers that the instruction names, with the type that their contents should have.
    fn registers(&self) -> BTreeMap<u16, Ty> {
        let mut all = BTreeMap::new();
        for (source, ty) in self.sources.iter().zip(self.types) {
            if let Source::Vector(at, n) = source {
                (0..*n as u16).for_each(|k| _ = all.insert(at + k, ty));
            }
        }
        if let Some((at, n)) = self.dst {
            (0..n as u16).for_each(|k| _ = all.entry(at + k).or_insert(self.types[0]));
        }
        all
    }

    /// Runs the instruction and compares what it left with the model: nothing, or what differs. `None` where the model
    /// does not know the instruction.
    pub fn differs(&self, r: &mut Random, mode: u32, engine: EngineKind) -> Option<Option<String>> {
        let registers = self.registers();
        let exec = match r.below(3) {
            0 => u64::MAX,
            1 => r.wide(),
            _ => r.wide() | r.wide(),
        };
        // Values of each register by lane.
        let mut before: BTreeMap<u16, Vec<u32>> = registers.keys().map(|at| (*at, vec![0; 64])).collect();
        for lane in 0..64 {
            for (at, ty) in &registers {
                let n = match ty {
                    Ty::F64 | Ty::I64 => 2,
                    _ => 1,
                };
                if n == 2 && at % 2 == 1 {
                    continue;
                }
                let words = r.words(*ty, n);
                for (k, w) in words.iter().enumerate() {
                    if let Some(row) = before.get_mut(&(at + k as u16)) {
                        row[lane] = *w;
                    }
                }
            }
        }
        let scalars: Vec<u32> = {
            let mut all = Vec::new();
            while all.len() < 32 {
                // Pairs, as 64-bit sources read them.
                let ty = r.pick(&[self.types[0], self.types[1], Ty::I64]);
                let w = r.words(ty, 2);
                all.push(w[0]);
                all.push(*w.last().expect("a word"));
            }
            all
        };
        let vcc = r.wide();
        let mut input: Vec<u32> = before.values().flatten().copied().collect();
        input.extend(&scalars);
        input.extend([vcc as u32, (vcc >> 32) as u32]);
        input.resize(input.len().next_multiple_of(64) + 64, 0);
        let used: Vec<u16> = registers.keys().copied().collect();
        let (masks, words) = kernel(self.target, &used, &self.words, exec, mode);
        let mut b = Bare::new(self.target, &words, 0);
        b.config.engine = engine;
        b.config.threads = 1;
        let (data, out) = (b.buffer(&input), b.buffer(&vec![0; (used.len() + masks) * 64]));
        if let Err(f) = b.run(1, 64, &[data.base(), out.base()]) {
            return Some(Some(format!("{}: {}", self.text, f.message)));
        }
        let got = Bare::words(&out);
        let after = |at: u16, lane: usize| got[used.iter().position(|u| *u == at).expect("named") * 64 + lane];
        let word = |k: usize| got[(used.len() + k) * 64];
        let scalar_before = |at: u16, k: u16| match at + k {
            106 => vcc as u32,
            107 => (vcc >> 32) as u32,
            at => scalars[usize::from(at - SCALARS)],
        };
        let scalar_after = |at: u16| {
            let k = match at {
                106 => 0,
                20 => 2,
                _ => 4,
            };
            u64::from(word(k)) | u64::from(word(k + 1)) << 32
        };
        let mut mask = 0u64;
        let mut known_mask = u64::MAX;
        for lane in 0..64usize {
            let active = exec >> lane & 1 == 1;
            let old: Vec<u32> = match self.dst {
                Some((at, n)) => (0..n as u16).map(|k| before[&(at + k)][lane]).collect(),
                None => Vec::new(),
            };
            let mut want: Option<Out> = None;
            let mut enabled = active;
            if active {
                let (from, valid) = self.source_lane(lane, exec);
                enabled = valid.is_some();
                let lane_of = |i: usize| if i == 0 && self.form == Form::Dpp { from } else { lane };
                if enabled {
                    let mut s: [Vec<u32>; 3] = Default::default();
                    for (i, source) in self.sources.iter().enumerate() {
                        let zero = i == 0 && valid == Some(false);
                        let raw: Vec<u32> = match source {
                            Source::None => continue,
                            Source::Vector(_, n) if zero => vec![0; *n],
                            Source::Vector(at, n) => (0..*n as u16).map(|k| before[&(at + k)][lane_of(i)]).collect(),
                            Source::Scalar(at, n) => (0..*n as u16).map(|k| scalar_before(*at, k)).collect(),
                            Source::Constant(w) => w.clone(),
                        };
                        s[i] = self.operand(i, raw, mode);
                    }
                    let carry = self.mask_in.is_some_and(|at| {
                        let m = u64::from(scalar_before(at, 0)) | u64::from(scalar_before(at, 1)) << 32;
                        m >> lane & 1 == 1
                    });
                    let l = Lane {
                        name: self.id.row().name,
                        s,
                        old: old.clone(),
                        carry,
                        lane: lane as u32,
                        mode,
                        clamp: self.clamp,
                        op_sel: self.op_sel,
                        op_sel_hi: self.op_sel_hi,
                        neg: self.neg,
                        neg_hi: self.neg_hi,
                        table: self.table,
                        fnuz: self.target == Target::Gfx942,
                    };
                    want = Some(l.result()?);
                }
            }
            if let Some(out) = &want {
                if let Some(bit) = out.mask {
                    mask |= u64::from(bit) << lane;
                }
            } else if active && self.mask_out.is_some() {
                // What a lane that DPP leaves out does to its bit of the mask is not said.
                known_mask &= !(1 << lane);
            }
            let Some((at, n)) = self.dst else { continue };
            let have: Vec<u32> = (0..n as u16).map(|k| after(at + k, lane)).collect();
            let mut must = old.clone();
            if enabled && let Some(out) = want {
                let Some(()) = self.place(&out, mode, &mut must, &have) else { continue };
            }
            if have != must {
                let operands: Vec<String> = self
                    .sources
                    .iter()
                    .map(|s| match s {
                        Source::Vector(at, n) => {
                            let words = (0..(*n as u16).min(4)).map(|k| format!("{:08x}", before[&(at + k)][lane]));
                            words.collect::<Vec<_>>().join(" ")
                        }
                        Source::Scalar(at, n) => {
                            let words = (0..*n as u16).map(|k| format!("{:08x}", scalar_before(*at, k)));
                            words.collect::<Vec<_>>().join(" ")
                        }
                        Source::Constant(w) => format!("{w:08x?}"),
                        Source::None => String::new(),
                    })
                    .collect();
                return Some(Some(format!(
                    "{} {}: lane {lane} of EXEC {exec:#x}, MODE {mode:#x}: operands {operands:?}, before {old:08x?}: {have:08x?} where {must:08x?} is right",
                    self.target, self.text
                )));
            }
        }
        if let Some(at) = self.mask_out {
            let have = scalar_after(at);
            if (have ^ mask) & known_mask != 0 {
                return Some(Some(format!(
                    "{} {}: mask {have:#x} where {mask:#x} is right, EXEC {exec:#x}, MODE {mode:#x}",
                    self.target, self.text
                )));
            }
            if self.id.row().name.starts_with("v_cmpx") {
                let have = u64::from(word(6)) | u64::from(word(7)) << 32;
                if have != mask {
                    return Some(Some(format!(
                        "{} {}: EXEC {have:#x} where {mask:#x} is right",
                        self.target, self.text
                    )));
                }
            }
        }
        Some(None)
    }

    /// The lane that DPP reads, and whether it is valid: `None` leaves the lane out, `false` reads 0.
    fn source_lane(&self, lane: usize, exec: u64) -> (usize, Option<bool>) {
        if self.form != Form::Dpp {
            return (lane, Some(true));
        }
        let (ctrl, rows, banks, bound) = self.dpp;
        let (row, in_row) = (lane / 16, lane % 16);
        if rows >> row & 1 == 0 || banks >> (in_row / 4) & 1 == 0 {
            return (lane, None);
        }
        let n = (ctrl & 15) as usize;
        let from: Option<usize> = match ctrl {
            0..=0xff => Some(lane & !3 | (ctrl >> (2 * (lane & 3)) & 3) as usize),
            0x101..=0x10f => (in_row + n < 16).then(|| lane + n),
            0x111..=0x11f => (in_row >= n).then(|| lane - n),
            0x121..=0x12f => Some(row * 16 + (in_row + 16 - n) % 16),
            0x130 => (lane < 63).then(|| lane + 1),
            0x134 => Some((lane + 1) % 64),
            0x138 => (lane > 0).then(|| lane - 1),
            0x13c => Some((lane + 63) % 64),
            0x140 => Some(row * 16 + 15 - in_row),
            0x141 => Some(lane & !7 | (7 - (lane & 7))),
            0x142 => (row > 0).then(|| row * 16 - 1),
            0x143 => (lane >= 32).then_some(31),
            _ => Some(row * 16 + n),
        };
        match from {
            Some(f) if exec >> f & 1 == 1 => (f, Some(true)),
            _ => (lane, bound.then_some(false)),
        }
    }

    /// An operand's words after selection, sign and flush.
    fn operand(&self, i: usize, mut words: Vec<u32>, mode: u32) -> Vec<u32> {
        let ty = self.types[i];
        if self.form == Form::Sdwa && i < 2 {
            let (sel, extend) = (self.sel[i], self.sext[i]);
            let w = words[0];
            words[0] = match sel {
                0..=3 => {
                    let b = w >> (8 * sel) & 0xff;
                    if extend { b as i8 as u32 } else { b }
                }
                4 | 5 => {
                    let h = w >> (16 * (sel - 4)) & 0xffff;
                    if extend { h as i16 as u32 } else { h }
                }
                _ => w,
            };
        }
        let vop3 = self.form == Form::E64 || matches!(self.id.row().format, Format::VOP3 | Format::VOP3B);
        if vop3 && ty.is_half() && self.op_sel >> i & 1 == 1 {
            words[0] >>= 16;
        }
        if let Some(f) = ty.signed() {
            let top = words.len().min(f.bits().div_ceil(32) as usize) - 1;
            let sign = if f.bits() == 16 { 0x8000 } else { 0x8000_0000 };
            if self.id.row().format != Format::VOP3P {
                if self.abs >> i & 1 == 1 {
                    words[top] &= !sign;
                }
                if self.neg >> i & 1 == 1 {
                    words[top] ^= sign;
                }
            }
        }
        if let Some(f) = ty.ieee()
            && !self.id.row().name.contains("_class_")
            && Lane::flushes(mode, f).0
        {
            let v = u64::from(words[0]) | u64::from(words.get(1).copied().unwrap_or(0)) << 32;
            let m = if f == F64 { u64::MAX } else { 2 * f.sign() - 1 };
            let v = v & !m | f.flushed(v & m);
            words[0] = v as u32;
            if f == F64 {
                words[1] = (v >> 32) as u32;
            }
        }
        words
    }

    /// Puts a result in its place in `must`. What may be anything (a NaN's bits, an approximation's last place) is
    /// taken from `have` where that is acceptable. Nothing where it cannot be told.
    fn place(&self, out: &Out, mode: u32, must: &mut [u32], have: &[u32]) -> Option<()> {
        let row = self.id.row();
        if out.elems.is_empty() {
            return None;
        }
        let width: u32 = out.elems.iter().map(Elem::width).sum();
        let base = Format::VOP3 == row.format;
        let half = out.elems.len() == 1 && width == 16 && out.at.is_none();
        let keeps_high = half && base && !row.name.contains("legacy");
        let mut at = out.at.unwrap_or(if half && self.op_sel >> 3 & 1 == 1 { 16 } else { 0 });
        let whole = !(keeps_high || out.at.is_some() || half && at == 16);
        let sdwa = self.form == Form::Sdwa && self.dst_sel < 6;
        let before = must[0];
        if whole {
            must.iter_mut().for_each(|w| *w = 0);
        }
        let mut value = 0u64;
        for e in &out.elems {
            let bits = match e {
                Elem::Bits(_, v) => *v,
                Elem::Float(..) | Elem::Near(..) | Elem::Within(..) => {
                    let there = if sdwa {
                        None
                    } else {
                        let m = if e.width() == 64 { u64::MAX } else { (1 << e.width()) - 1 };
                        let low = u64::from(have[at as usize / 32]);
                        let wide = low | u64::from(have.get(at as usize / 32 + 1).copied().unwrap_or(0)) << 32;
                        Some(wide >> (at % 32) & m)
                    };
                    self.float_bits(e, mode, there)?
                }
            };
            if sdwa {
                value = bits;
                continue;
            }
            for k in 0..e.width() {
                let (w, b) = ((at + k) as usize / 32, (at + k) % 32);
                must[w] = must[w] & !(1 << b) | ((bits >> k & 1) as u32) << b;
            }
            at += e.width();
        }
        if sdwa {
            if out.elems.len() > 1 {
                let mut at = 0;
                value = 0;
                for e in &out.elems {
                    let bits = match e {
                        Elem::Bits(_, v) => *v,
                        _ => self.float_bits(e, mode, None)?,
                    };
                    value |= bits << at;
                    at += e.width();
                }
            }
            let (shift, ones) =
                if self.dst_sel < 4 { (8 * self.dst_sel, 0xffu64) } else { (16 * (self.dst_sel - 4), 0xffff) };
            let field = (value & ones) << shift;
            must[0] = match self.dst_unused {
                0 => field as u32,
                1 => {
                    let up = 64 - shift - ones.count_ones();
                    let extended = ((field << up) as i64 >> up) as u32;
                    extended & u32::MAX << shift
                }
                _ => before & !((ones << shift) as u32) | field as u32,
            };
        }
        Some(())
    }

    /// The bits that a float of the result must have.
    fn float_bits(&self, e: &Elem, mode: u32, there: Option<u64>) -> Option<u64> {
        let (f, v) = match *e {
            Elem::Float(f, v) | Elem::Near(f, v, _) => (f, v),
            Elem::Within(f, v, _) => (f, f.round(&Num::f64(v), crate::exact::Round::Nearest)),
            Elem::Bits(..) => unreachable!("bits"),
        };
        let (_, flush) = Lane::flushes(mode, f);
        let packed = self.id.row().name.starts_with("v_cvt_pk") && f == F16;
        let scales = mode >> 9 & 1 == 0 && flush && self.omod != 0 && f != crate::exact::BF16 && !packed;
        let how = crate::exact::Round::of(if f == F32 { mode } else { mode >> 2 });
        let mut v = v;
        if scales {
            let by = [0, 1, 2, -1][self.omod as usize];
            let n = f.number(v);
            let r = f.round(&n.clone().scaled(by), how);
            let over = f == F16 && mode >> 23 & 1 == 1 && f.magnitude(r) == f.infinity() && !n.is_infinite();
            v = if over { r & f.sign() | f.largest() } else { r };
            // −0 and subnormals become +0.
            v = if f.magnitude(v) >> f.fraction == 0 { 0 } else { v };
        }
        if self.clamp {
            let one = (f.bias() as u64) << f.fraction;
            v = if f.is_nan(v) {
                if mode >> 8 & 1 == 1 { 0 } else { v }
            } else if v & f.sign() != 0 {
                0
            } else {
                v.min(one)
            };
        }
        if flush {
            v = f.flushed(v);
        }
        let Some(there) = there else {
            return if f.is_nan(v) || !matches!(e, Elem::Float(..)) { None } else { Some(v) };
        };
        if f.is_nan(v) && f.is_nan(there) {
            return Some(there);
        }
        // Where it is only near, scaling and clamping move it with what it is near to.
        let close = match *e {
            Elem::Near(_, _, ulp) => v.abs_diff(there) <= ulp,
            Elem::Within(_, _, bound) => {
                let value = |b: u64| f64::from_bits(F64.round(&f.number(b), crate::exact::Round::Nearest));
                (value(v) - value(there)).abs() <= bound * 4.0
            }
            _ => false,
        };
        Some(if close { there } else { v })
    }
}

/// A kernel that loads its registers, executes the words and stores the registers; and how many rows of masks follow.
fn kernel(target: Target, used: &[u16], body: &[u32], exec: u64, mode: u32) -> (usize, Vec<u32>) {
    let mut c = Code::new(target);
    c.s_load_dwordx2(s(4), s(0), 0);
    c.s_load_dwordx2(s(6), s(0), 8);
    c.s_waitcnt(0);
    let rows = used.len() as i32;
    for i in 0..4 {
        c.s_load_dwordx8(s::<8>(SCALARS + 8 * i as u16), s::<2>(4), rows * 256 + 32 * i);
    }
    c.s_load_dwordx2(VCC, s::<2>(4), rows * 256 + 128);
    c.v_lshlrev_b32(v(1), 2, v(0));
    for (i, at) in used.iter().enumerate() {
        c.v_add_u32(v(2), i as u32 * 256, v::<1>(1));
        c.global_load_dword(v::<1>(*at), v::<1>(2), s::<2>(4));
    }
    c.s_waitcnt(0);
    // The ten bits of MODE from the rounding on, hwreg(HW_REG_MODE, 0, 10), and FP16_OVFL.
    c.s_setreg_imm32_b32(1 | 9 << 11, Lit(mode));
    c.s_setreg_imm32_b32(1 | 23 << 6, Lit(mode >> 23 & 1));
    c.s_mov_b32(EXEC_LO, Lit(exec as u32));
    c.s_mov_b32(EXEC_HI, Lit((exec >> 32) as u32));
    let mut words = c.finish().expect("encodes");
    words.extend_from_slice(body);
    let mut c = Code::new(target);
    c.s_mov_b64(s(4), EXEC);
    c.s_mov_b64(EXEC, -1);
    for (i, at) in used.iter().enumerate() {
        c.v_add_u32(v(2), i as u32 * 256, v::<1>(1));
        c.global_store_dword(v::<1>(2), v::<1>(*at), s::<2>(6));
    }
    let masks = 8;
    for i in 0..masks {
        c.v_add_u32(v(2), (used.len() as u32 + i) * 256, v::<1>(1));
        match i {
            0 => c.v_mov_b32(v(3), VCC_LO),
            1 => c.v_mov_b32(v(3), VCC_HI),
            2 | 3 => c.v_mov_b32(v(3), s::<1>(20 + i as u16 - 2)),
            4 | 5 => c.v_mov_b32(v(3), s::<1>(30 + i as u16 - 4)),
            _ => c.v_mov_b32(v(3), s::<1>(4 + i as u16 - 6)),
        };
        c.global_store_dword(v::<1>(2), v::<1>(3), s::<2>(6));
    }
    c.s_endpgm(0);
    words.extend(c.finish().expect("encodes"));
    (masks as usize, words)
}

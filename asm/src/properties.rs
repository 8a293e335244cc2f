//! Properties that must hold for all inputs, as functions that tests call with seeds and fuzzers call without end.
//!
//! Each panics when its property fails, which is what a test harness and a fuzzer both look for; nothing else in this
//! crate calls them.

use crate::canonical::modifiers;
use crate::encode::blank;
use crate::format::{Field, Form, Format};
use crate::inst::{Inst, decode};
use crate::lines;
use crate::operand::Operand;
use crate::parse::{NoSymbols, parse_instruction};
use crate::print;
use crate::reg::{Reg, RegClass};
use crate::row::Class;
use crate::rows::RowId;
use crate::target::Target;

/// A small seeded generator: SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(pub u64);

impl Rng {
    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }
}

/// Every form of every row that `target` has.
pub fn encodings(target: Target) -> impl Iterator<Item = (RowId, Form)> {
    (0..crate::rows::COUNT as u16).map(RowId).flat_map(move |id| {
        [Form::Base, Form::E64, Form::Sdwa, Form::Dpp]
            .into_iter()
            .filter(move |f| id.row().has_form(*f, target) && (*f == Form::Base || id.row().format.is_short()))
            .map(move |f| (id, f))
    })
}

/// A random instruction of that row and form that LLVM accepts, if chance finds one.
pub fn random_instruction(rng: &mut Rng, id: RowId, form: Form, target: Target) -> Option<Inst> {
    let row = id.row();
    'again: for _ in 0..400 {
        let mut inst = blank(id, form, target);
        let plain = rng.below(3) == 0;
        modifiers(row, form, target, |field| {
            let bits = inst.layout().field(field);
            let keep = plain || rng.below(3) != 0;
            let value = rng.bits() as u32 & bits.max();
            if matches!(field, Field::DppCtrl) {
                let known =
                    [rng.below(256) as u32, 0x101, 0x11f, 0x128, 0x130, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x155];
                let any = known[rng.below(known.len() as u64) as usize];
                let wide = row.mods.has(crate::row::Mods::DPP64)
                    || row.operands.iter().any(|o| o.ty.elem.bits() == 64 && o.class != Class::M);
                inst.set(field, if wide && target.unified_vgprs() { 0x150 | any & 15 } else { any });
            } else if !(keep || row.format == Format::SMEM && field == Field::ImmOffset) {
                inst.set(field, value);
            }
        });
        if row.mods.has(crate::row::Mods::GDS_ONLY) {
            inst.set(Field::Gds, 1);
        }
        if row.format == Format::SMEM && row.operand(Field::Offset).is_some() {
            // Either an immediate, perhaps with an SGPR beside it, or an SGPR alone.
            let imm = rng.below(3) != 0;
            inst.set(Field::ImmOffset, imm as u32);
            inst.set(Field::SoffsetEn, (imm && rng.below(4) == 0) as u32);
            inst.set(Field::Offset, if imm { rng.bits() as u32 & 0xfffff } else { 0 });
        }
        if matches!(row.format, Format::SCRATCH) && target < Target::Gfx942 && rng.below(2) == 0 {
            inst.set(Field::Saddr, 2 * rng.below(50) as u32);
        }
        for (i, opd) in row.operands.iter().enumerate() {
            let n = inst.width(opd);
            let vgpr = |rng: &mut Rng| {
                let v = rng.below(257 - n as u64) as u16;
                if target.unified_vgprs() && n > 1 { v & !1 } else { v }
            };
            let sgpr = |rng: &mut Rng| {
                let align = match n {
                    1 => 1,
                    2 => 2,
                    _ => 4,
                };
                (rng.below(103 - n.min(100) as u64) as u16 / align * align, n)
            };
            let value = match opd.class {
                Class::V | Class::VI => Operand::Reg(Reg::v(vgpr(rng), n)),
                Class::A => Operand::Reg(Reg::a(vgpr(rng), n)),
                Class::AV | Class::AVC => {
                    let file =
                        if target.unified_vgprs() || matches!(row.format, Format::MAI) { rng.below(2) } else { 0 };
                    Operand::Reg(if file == 0 { Reg::v(vgpr(rng), n) } else { Reg::a(vgpr(rng), n) })
                }
                Class::VS | Class::SS | Class::SN => match rng.below(6) {
                    0 => Operand::Int(rng.below(81) as i32 - 16),
                    1 => Operand::Float(crate::operand::INLINE_FLOATS[rng.below(9) as usize]),
                    2 if form == Form::Base => {
                        Operand::Literal(rng.bits() as u32 & if rng.below(2) == 0 { 0xffff } else { u32::MAX })
                    }
                    3 if opd.class == Class::VS => {
                        let (s, n) = sgpr(rng);
                        Operand::Reg(Reg::s(s, n))
                    }
                    _ if opd.class == Class::VS => Operand::Reg(Reg::v(vgpr(rng), n)),
                    _ => {
                        let (s, n) = sgpr(rng);
                        Operand::Reg(Reg::s(s, n))
                    }
                },
                Class::S => {
                    let (s, n) = sgpr(rng);
                    Operand::Reg(Reg::s(s, n))
                }
                Class::M => {
                    Operand::Reg(if rng.below(2) == 0 { Reg::VCC } else { Reg::s(2 * rng.below(50) as u16, 2) })
                }
                Class::K => {
                    Operand::Literal(rng.bits() as u32 & if opd.ty.elem.bits() == 16 { 0xffff } else { u32::MAX })
                }
                Class::Imm | Class::Label | Class::HwReg => {
                    let max = inst.layout().field(opd.slot).max() as u64;
                    Operand::Imm(rng.below(max.min(0x7fff) + 1) as i32)
                }
                Class::Msg => Operand::Imm(1),
                Class::WaitCnt => Operand::Imm((rng.bits() & 0xcf7f) as u16 as i16 as i32),
                Class::GprIdx => Operand::Imm(rng.below(16) as i32),
                Class::VAddr => match row.format {
                    Format::MUBUF | Format::MTBUF => match inst.get(Field::Offen) + inst.get(Field::Idxen) {
                        0 => Operand::Off,
                        w => Operand::Reg(Reg::v(rng.below(128) as u16 * 2, w as u8)),
                    },
                    Format::SCRATCH if rng.below(2) == 0 => Operand::Off,
                    Format::SCRATCH => Operand::Reg(Reg::v(rng.below(256) as u16, 1)),
                    _ => Operand::Reg(Reg::v(rng.below(128) as u16 * 2, 2)),
                },
                Class::SAddr
                    if row.format == Format::SCRATCH && target < Target::Gfx942 && inst.get(Field::Saddr) != 0x7f =>
                {
                    continue;
                }
                Class::SAddr if rng.below(2) == 0 => Operand::Off,
                Class::SAddr => {
                    Operand::Reg(Reg::s(2 * rng.below(50) as u16, if row.format == Format::SCRATCH { 1 } else { 2 }))
                }
                Class::SOff if inst.get(Field::ImmOffset) != 0 && inst.get(Field::SoffsetEn) == 0 => continue,
                Class::SOff => Operand::Reg(Reg::s(rng.below(102) as u16, 1)),
                Class::ExpTgt => Operand::Imm([0, 7, 8, 9, 12, 15, 32, 63][rng.below(8) as usize]),
                Class::ExpSrc if rng.below(4) == 0 => Operand::Off,
                // Compressed registers are shown twice, and so they are given.
                Class::ExpSrc if inst.get(Field::ExpCompr) != 0 => Operand::Reg(Reg::v(7, 1)),
                Class::ExpSrc => Operand::Reg(Reg::v(vgpr(rng), 1)),
                Class::Attr => Operand::Imm(rng.below(33 * 4) as i32),
                Class::Param => Operand::Imm(rng.below(3) as i32),
            };
            if inst.operand(i).is_none() {
                continue;
            }
            if inst.write(i, opd, value).is_err() {
                continue 'again;
            }
        }
        if inst.is_canonical() {
            return Some(inst);
        }
    }
    None
}

/// Any words decode to an instruction that fits in them, or to an error; its text is finite and its operands readable.
///
/// # Panics
/// If the property fails.
pub fn decoding_any_words_never_panics(words: &[u32], target: Target) {
    match decode(words, target) {
        Ok(inst) => {
            assert!(inst.dwords() <= words.len() && inst.words() == &words[..inst.dwords()], "bits are kept");
            assert!(print::text(&inst).len() < 400);
            assert!(inst.operands().count() <= inst.row().operands.len());
        }
        Err(e) => assert!(!e.to_string().is_empty()),
    }
}

/// What decoding understood, printed and read again, is the same bytes.
///
/// # Panics
/// If the property fails.
pub fn printing_then_parsing_is_the_identity(words: &[u32], target: Target) {
    let Ok(inst) = decode(words, target) else { return };
    let text = lines::exact(&inst);
    let back = lines::assemble(&text, target);
    let bytes: String = inst.words().iter().flat_map(|w| w.to_le_bytes()).map(|b| format!("{b:02x}")).collect();
    assert_eq!(back.as_deref(), Ok(bytes.as_str()), "{target}: {text}");
}

/// Any text parses or gives an error that points into it.
///
/// # Panics
/// If the property fails.
pub fn parsing_any_text_never_panics(text: &str, target: Target) {
    for line in text.lines().take(64) {
        match parse_instruction(line, target, &NoSymbols) {
            Ok(p) => assert!(p.inst.dwords() <= 4),
            Err(e) => assert!(e.span.0 <= line.len() && e.span.1 <= line.len() + 1, "{e:?} in {line:?}"),
        }
    }
    if let Err(errors) = crate::assemble::assemble(text, target) {
        for e in errors {
            assert!(!e.render("fuzz").is_empty());
        }
    }
}

/// Whether a register of that class appears in the operand; a helper for tests.
pub fn is_register_of(value: Operand, class: RegClass) -> bool {
    matches!(value, Operand::Reg(r) if r.class == class)
}

//! Registers relative to M0: which ones an instruction touches with the index that it executes with.
//!
//! Between `s_set_gpr_idx_on` and `s_set_gpr_idx_off`, and in `s_movrel`, the register that is meant depends on data. Here the
//! index is known, so an instruction is looked at as the one that names the registers themselves: waits, wait states and
//! undefined values then need to know nothing of indices.

use crate::engine::ir::S;
use wavesmith_asm::inst::{Inst, decode};
use wavesmith_asm::sem::{SOp, Sem};
use wavesmith_asm::{Field, Operand, RegClass};

/// What M0 is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relative {
    /// Nothing.
    No,
    /// Vector registers, while MODE says so.
    Vector,
    /// A scalar register.
    Scalar,
}

/// By bit of M0's index mode, from bit 12 on.
const SLOTS: [Field; 4] = [Field::Src0, Field::Src1, Field::Src2, Field::Dst];
/// MODE's bit that makes vector registers relative.
const ENABLED: u32 = 27;
/// One past the last scalar register that `s_movrel` reaches.
const SGPRS: u32 = 102;

impl Relative {
    /// What M0 is, or may be, added to in an instruction.
    pub fn of(inst: &Inst) -> Relative {
        match inst.row().sem {
            sem if sem.is_indexed_by_mode() => Relative::Vector,
            Sem::Salu(SOp::MovrelS | SOp::MovrelD, _) => Relative::Scalar,
            _ => Relative::No,
        }
    }

    /// What of MODE and M0 decides which registers are meant; `None` where they are those that the text names.
    #[inline]
    pub fn key(self, mode: u32, m0: u32) -> Option<u32> {
        match self {
            Relative::No => None,
            Relative::Vector => (mode >> ENABLED & 1 == 1 && m0 & 0xf000 != 0 && m0 & 0xff != 0).then_some(m0 & 0xf0ff),
            Relative::Scalar => Some(m0),
        }
    }

    /// Bits of M0 that decide which registers are meant.
    pub fn decisive(self, inst: &Inst, mode: u32, m0: u32) -> u32 {
        match self {
            Relative::No => 0,
            Relative::Scalar => u32::MAX,
            Relative::Vector if mode >> ENABLED & 1 == 0 => 0,
            Relative::Vector => 0xf000 | if slots(inst, m0).next().is_some() { 0xff } else { 0 },
        }
    }
}

/// The operands that M0's index mode makes relative, with their registers.
fn slots(inst: &Inst, m0: u32) -> impl Iterator<Item = (Field, wavesmith_asm::Reg)> + '_ {
    let on = SLOTS.iter().enumerate().filter(move |(i, _)| m0 >> (12 + i) & 1 == 1);
    on.filter_map(|(_, slot)| match inst.slot(*slot) {
        Some(Operand::Reg(r)) if matches!(r.class, RegClass::V | RegClass::A) => Some((*slot, r)),
        _ => None,
    })
}

/// The instruction that names the registers which this one means with such a [key](Relative::key). `None` where there are no
/// such registers: the engine faults.
pub(crate) fn named(inst: &Inst, relative: Relative, key: u32) -> Option<Inst> {
    match relative {
        Relative::No => None,
        Relative::Vector => {
            let (index, mut out) = (key & 0xff, *inst);
            for (slot, r) in slots(inst, key) {
                if u32::from(r.index) + u32::from(r.count.max(1)) + index > 256 {
                    return None;
                }
                out.set(slot, inst.get(slot) + index);
            }
            Some(out)
        }
        Relative::Scalar => {
            let Sem::Salu(op, ty) = inst.row().sem else { return None };
            let words = if ty.bits() == 64 { 2 } else { 1 };
            let slot = if op == SOp::MovrelS { Field::Src0 } else { Field::Dst };
            let first = inst.get(slot).checked_add(key).filter(|first| first + words <= SGPRS)?;
            let mut out = *inst;
            out.set(slot, first);
            let mut words = out.words().to_vec();
            // SOP1's opcode: `s_mov_b32`, and the one behind it for 64 bits.
            words[0] = words[0] & !0xff00 | (ty.bits() / 64) << 8;
            decode(&words, inst.target()).ok()
        }
    }
}

/// M0's number among the scalar operands.
pub(crate) const M0: usize = S::M0 as usize;

#[cfg(test)]
mod tests {
    use super::*;
    use wavesmith_asm::parse::{NoSymbols, parse_instruction};
    use wavesmith_asm::{Target, print};

    fn inst(text: &str) -> Inst {
        parse_instruction(text, Target::Gfx942, &NoSymbols).expect(text).inst
    }

    #[test]
    fn an_index_moves_the_operands_that_the_mode_names_and_no_others() {
        let named = |text: &str, mode: u32, index: u32| {
            let inst = inst(text);
            let relative = Relative::of(&inst);
            named(&inst, relative, mode << 12 | index).map(|i| print::text(&i))
        };
        let is = |text: &str, mode, index, want: Option<&str>| {
            assert_eq!(named(text, mode, index), want.map(str::to_owned), "{text} {mode} {index}");
        };
        is("v_mov_b32_e32 v22, v20", 1, 3, Some("v_mov_b32_e32 v22, v23"));
        is("v_mov_b32_e32 v22, v20", 8, 3, Some("v_mov_b32_e32 v25, v20"));
        is("v_mov_b32_e32 v22, s20", 1, 3, Some("v_mov_b32_e32 v22, s20"));
        is("v_add_u32_e32 v1, v2, v3", 15, 1, Some("v_add_u32_e32 v2, v3, v4"));
        is("v_fma_f32 v1, v2, v3, v4", 4, 251, Some("v_fma_f32 v1, v2, v3, v255"));
        is("v_fma_f32 v1, v2, v3, v4", 4, 252, None);
        is("v_fma_f64 v[2:3], v[4:5], v[6:7], v[8:9]", 3, 10, Some("v_fma_f64 v[2:3], v[14:15], v[16:17], v[8:9]"));
        is(
            "v_add_u32_sdwa v1, v2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
            2,
            5,
            Some("v_add_u32_sdwa v1, v2, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD"),
        );
        is("v_writelane_b32 v5, s1, 3", 8, 2, Some("v_writelane_b32 v7, s1, 3"));
        is("s_movrels_b32 s1, s4", 0, 6, Some("s_mov_b32 s1, s10"));
        is("s_movrels_b64 s[2:3], s[4:5]", 0, 6, Some("s_mov_b64 s[2:3], s[10:11]"));
        is("s_movreld_b32 s4, 0x12345678", 0, 97, Some("s_mov_b32 s101, 0x12345678"));
        is("s_movreld_b32 s4, s1", 0, 98, None);
        is("s_movreld_b64 s[4:5], s[0:1]", 0, 97, None);
    }
}

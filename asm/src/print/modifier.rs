//! Modifiers as LLVM writes them, in its order.

use super::number::{push_hex, push_i32, push_u32};
use super::text::Text;
use crate::format::{Field, Form, Format};
use crate::imm;
use crate::inst::Inst;
use crate::row::Mods;
use crate::sem::{Elem, Sem};
use crate::target::Target;

fn push_bits(out: &mut Text, name: &str, value: u32, n: usize) {
    out.push_str(name);
    for i in 0..n {
        out.push(if i == 0 { '[' } else { ',' });
        out.push(if value >> i & 1 != 0 { '1' } else { '0' });
    }
    out.push(']');
}

fn push_value(out: &mut Text, name: &str, value: u32) {
    if value != 0 {
        out.push_str(name);
        push_u32(out, value);
    }
}

fn push_flag(out: &mut Text, inst: &Inst, field: Field, name: &str) {
    if inst.get(field) != 0 {
        out.push_str(name);
    }
}

fn push_clamp_omod(out: &mut Text, inst: &Inst) {
    push_flag(out, inst, Field::Clamp, " clamp");
    out.push_str(match inst.get(Field::Omod) {
        1 => " mul:2",
        2 => " mul:4",
        3 => " div:2",
        _ => "",
    });
}

fn push_cache(out: &mut Text, inst: &Inst) {
    let new = matches!(inst.target(), Target::Gfx942 | Target::Gfx950);
    push_flag(out, inst, Field::Sc0, if new && inst.row().format != Format::SMEM { " sc0" } else { " glc" });
    push_flag(out, inst, Field::Nt, if new { " nt" } else { " slc" });
    if inst.target() != Target::Gfx908 {
        push_flag(out, inst, Field::Sc1, if new { " sc1" } else { " scc" });
    }
}

const SELECTS: [&str; 8] = ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "INVALID"];

fn sources(inst: &Inst) -> usize {
    inst.row().operands.iter().filter(|o| matches!(o.slot, Field::Src0 | Field::Src1 | Field::Src2)).count()
}

/// Appends the modifiers.
pub(super) fn push_modifiers(out: &mut Text, inst: &Inst) {
    let row = inst.row();
    match inst.form() {
        Form::Sdwa => return push_sdwa(out, inst),
        Form::Dpp => return push_dpp(out, inst),
        _ => {}
    }
    match row.format {
        Format::VOP3 | Format::VOP3B => push_vop3(out, inst),
        _ if inst.form() == Form::E64 => push_vop3(out, inst),
        Format::VOP3P => push_vop3p(out, inst),
        Format::MAI => {
            push_value(out, " cbsz:", inst.get(Field::Cbsz));
            push_value(out, " abid:", inst.get(Field::Abid));
            let blgp = inst.get(Field::Blgp);
            if blgp != 0 {
                let f64 = matches!(row.sem, Sem::Mfma(m) if m.a == Elem::F64);
                if f64 && matches!(inst.target(), Target::Gfx942 | Target::Gfx950) {
                    push_bits(out, " neg:", blgp, 3);
                } else {
                    push_value(out, " blgp:", blgp);
                }
            }
        }
        Format::MAI_SCALE => {
            let (lo, hi) = (inst.get(Field::ScaleOpSel), inst.get(Field::ScaleOpSelHi));
            if lo != 0 {
                push_bits(out, " op_sel:", lo, 3);
            }
            push_bits(out, " op_sel_hi:", hi, 3);
            push_value(out, " cbsz:", inst.get(Field::Cbsz));
            push_value(out, " blgp:", inst.get(Field::Blgp));
        }
        Format::DS => {
            match row.sem {
                Sem::DsLoad2 { .. } | Sem::DsStore2 { .. } | Sem::DsXchg2 { .. } => {
                    push_value(out, " offset0:", inst.get(Field::Offset0));
                    push_value(out, " offset1:", inst.get(Field::Offset1));
                }
                Sem::Ds(crate::sem::Ds::Swizzle) => imm::push_swizzle(out, inst.get(Field::Offset)),
                _ => push_value(out, " offset:", inst.get(Field::Offset)),
            }
            if inst.target() == Target::Gfx908 || row.mods.has(Mods::GDS_ONLY) {
                push_flag(out, inst, Field::Gds, " gds");
            }
        }
        Format::MUBUF if matches!(row.sem, Sem::CacheWriteback | Sem::CacheInvalidate { .. }) => {
            if matches!(inst.target(), Target::Gfx942 | Target::Gfx950) {
                push_cache(out, inst);
            }
        }
        Format::MUBUF | Format::MTBUF => {
            if row.format == Format::MTBUF {
                imm::push_format(out, inst.get(Field::Dfmt), inst.get(Field::Nfmt));
            }
            push_flag(out, inst, Field::Idxen, " idxen");
            push_flag(out, inst, Field::Offen, " offen");
            push_value(out, " offset:", inst.get(Field::Offset));
            // The store from LDS says where it stores from before how.
            let first = matches!(row.sem, Sem::StoreLds);
            if first {
                push_flag(out, inst, Field::Lds, " lds");
            }
            push_cache(out, inst);
            if crate::canonical::has_tfe(row, inst.target()) {
                push_flag(out, inst, Field::Tfe, " tfe");
            }
            if !first {
                push_flag(out, inst, Field::Lds, " lds");
            }
        }
        Format::FLAT | Format::GLOBAL | Format::SCRATCH => {
            let offset = if row.format == Format::FLAT {
                (inst.get(Field::Offset) & 0xfff) as i32
            } else {
                inst.get_signed(Field::Offset)
            };
            if offset != 0 {
                out.push_str(" offset:");
                push_i32(out, offset);
            }
            push_cache(out, inst);
            if crate::canonical::has_lds(row, inst.target()) {
                push_flag(out, inst, Field::Lds, " lds");
            }
        }
        Format::EXP => {
            push_flag(out, inst, Field::ExpDone, " done");
            push_flag(out, inst, Field::ExpCompr, " compr");
            push_flag(out, inst, Field::ExpVm, " vm");
        }
        Format::MIMG => {
            let dmask = inst.get(Field::Dmask);
            if dmask != 0 {
                out.push_str(" dmask:");
                push_hex(out, dmask);
            }
            push_flag(out, inst, Field::Unorm, " unorm");
            push_cache(out, inst);
            push_flag(out, inst, Field::A16, " a16");
            if inst.target() == Target::Gfx908 {
                push_flag(out, inst, Field::Tfe, " tfe");
            }
            push_flag(out, inst, Field::Lwe, " lwe");
            push_flag(out, inst, Field::Da, " da");
            if row.mods.has(Mods::D16) {
                push_flag(out, inst, Field::D16, " d16");
            }
        }
        Format::SMEM => {
            if row.operand(Field::Offset).is_some()
                && inst.get(Field::ImmOffset) != 0
                && inst.get(Field::SoffsetEn) != 0
            {
                out.push_str(" offset:");
                push_imm_offset(out, inst.get_signed(Field::Offset));
            }
            if row.mods.has(Mods::GLC) {
                push_flag(out, inst, Field::Sc0, " glc");
            }
        }
        _ => {}
    }
}

fn push_imm_offset(out: &mut Text, x: i32) {
    if x < 0 {
        out.push('-');
    }
    push_hex(out, x.unsigned_abs());
}

fn push_vop3(out: &mut Text, inst: &Inst) {
    if inst.row().mods.has(Mods::BITOP3) {
        let table = inst.bitop3();
        if table != 0 {
            out.push_str(" bitop3:");
            push_hex(out, table);
        }
    }
    if inst.row().mods.has(Mods::HIGH) {
        push_flag(out, inst, Field::High, " high");
    }
    if inst.row().mods.has(Mods::OPSEL) {
        let v = inst.get(Field::OpSel);
        if v != 0 {
            // The destination's bit is the fourth, printed after the sources there are.
            let n = inst.row().op_sel_sources();
            let shown = v & ((1 << n) - 1) | (v >> 3 & 1) << n;
            push_bits(out, " op_sel:", shown, n + 1);
        }
    }
    if inst.row().mods.has(Mods::SWAP_CTRL) {
        push_flag(out, inst, Field::BoundCtrl, " bound_ctrl:1");
        push_flag(out, inst, Field::FetchInactive, " fi:1");
    }
    if !inst.row().mods.has(Mods::BITOP3) {
        push_clamp_omod(out, inst);
    }
}

fn push_vop3p(out: &mut Text, inst: &Inst) {
    let row = inst.row();
    let n = sources(inst);
    let all = (1u32 << n) - 1;
    let (sel, hi) = (inst.get(Field::OpSel) & all, inst.get(Field::OpSelHi) & all);
    if row.mods.has(Mods::OPSEL) && sel != 0 {
        push_bits(out, " op_sel:", sel, n);
    }
    let default = if row.packed_by_default() { all } else { 0 };
    if row.mods.has(Mods::OPSELHI) && hi != default {
        push_bits(out, " op_sel_hi:", hi, n);
    }
    if row.mods.has(Mods::NEGLOHI) {
        let (lo, nhi) = (inst.get(Field::Neg) & all, inst.get(Field::NegHi) & all);
        if lo != 0 {
            push_bits(out, " neg_lo:", lo, n);
        }
        if nhi != 0 {
            push_bits(out, " neg_hi:", nhi, n);
        }
    }
    if row.mods.has(Mods::CLAMP) {
        push_flag(out, inst, Field::Clamp, " clamp");
    }
}

fn push_sdwa(out: &mut Text, inst: &Inst) {
    push_clamp_omod(out, inst);
    if inst.row().format != Format::VOPC && !inst.row().operands.is_empty() && !inst.row().mods.has(Mods::NO_DST_SEL) {
        out.push_str(" dst_sel:");
        out.push_str(SELECTS[inst.get(Field::DstSel) as usize & 7]);
        out.push_str(" dst_unused:");
        out.push_str(
            ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "INVALID"][inst.get(Field::DstUnused) as usize & 3],
        );
    }
    if sources(inst) >= 1 {
        out.push_str(" src0_sel:");
        out.push_str(SELECTS[inst.get(Field::Src0Sel) as usize & 7]);
    }
    if inst.row().operand(Field::Src1).is_some() {
        out.push_str(" src1_sel:");
        out.push_str(SELECTS[inst.get(Field::Src1Sel) as usize & 7]);
    }
}

fn push_dpp(out: &mut Text, inst: &Inst) {
    imm::push_dpp_ctrl(out, inst.get(Field::DppCtrl));
    out.push_str(" row_mask:");
    push_hex(out, inst.get(Field::RowMask));
    out.push_str(" bank_mask:");
    push_hex(out, inst.get(Field::BankMask));
    if inst.get(Field::BoundCtrl) != 0 {
        out.push_str(" bound_ctrl:1");
    }
}

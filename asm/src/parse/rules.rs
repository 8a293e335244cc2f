//! What LLVM and the hardware forbid beyond the shape of operands.

use crate::format::{Field, Form, Format};
use crate::inst::Inst;
use crate::operand::Operand;
use crate::reg::{Reg, RegClass, code};
use crate::row::{Class, Mods};
use crate::sem::{Op, Sem};
use crate::target::Target;

/// A broken rule.
#[derive(Debug)]
pub(crate) struct Violation {
    /// The row's operand that breaks it, if it is one.
    pub(crate) operand: Option<usize>,
    pub(crate) message: &'static str,
    pub(crate) help: Option<&'static str>,
}

fn broken(operand: Option<usize>, message: &'static str) -> Option<Violation> {
    Some(Violation { operand, message, help: None })
}

/// An instruction's operands, read once.
type Operands = [Option<Operand>; 8];

/// The first rule that a well-formed instruction breaks.
pub(crate) fn violation(inst: &Inst, operands: &Operands) -> Option<Violation> {
    let row = inst.row();
    let unified = inst.target().unified_vgprs();
    match row.format {
        Format::SOP1 | Format::SOP2 | Format::SOPC => {
            let reads_lds = |o: &Option<Operand>| {
                matches!(o, Some(Operand::Reg(Reg { class: RegClass::Src, index: code::LDS_DIRECT, .. })))
            };
            return match operands.iter().position(reads_lds) {
                Some(i) => broken(Some(i), "lds_direct is not a scalar source"),
                None => None,
            };
        }
        Format::SOPK | Format::SOPK_LIT | Format::SOPP | Format::SMEM => return None,
        Format::DS | Format::FLAT | Format::GLOBAL | Format::SCRATCH | Format::MUBUF | Format::MTBUF => {
            if unified && let Some(v) = accumulators_agree(inst, operands).or_else(|| address_alignment(inst, operands))
            {
                return Some(v);
            }
            if row.format == Format::FLAT || row.format == Format::GLOBAL {
                return None;
            }
        }
        Format::MAI | Format::MAI_SCALE if unified => {
            if let Some(v) = accumulators_agree(inst, operands) {
                return Some(v);
            }
        }
        _ => {}
    }
    let scalar = operands
        .iter()
        .any(|o| matches!(o, Some(Operand::Literal(_) | Operand::Reg(Reg { class: RegClass::S | RegClass::Src, .. }))));
    let bus = if scalar { constant_bus(inst, operands).or_else(|| lds_direct(inst, operands)) } else { None };
    bus.or_else(|| match inst.row().sem {
        Sem::Mfma(m) => matrix(inst, m.sparse),
        // Neither instruction writes M0.
        Sem::Lane(Op::ReadLane | Op::ReadFirstLane, _) if inst.slot(Field::Dst) == Some(Operand::Reg(Reg::M0)) => {
            broken(Some(0), "m0 cannot be written by this instruction")
        }
        Sem::Lane(Op::AccWrite, _) if inst.target() == Target::Gfx908 => match inst.slot(Field::Src0) {
            Some(Operand::Reg(r)) if r.class != RegClass::V => {
                broken(Some(1), "source operand must be either a VGPR or an inline constant")
            }
            _ => None,
        },
        Sem::Image => image(inst),
        Sem::StoreLds if inst.get(Field::Lds) == 0 => broken(None, "lds modifier is required"),
        _ => None,
    })
    .or_else(|| if inst.form() == Form::Dpp { dpp(inst) } else { None })
    .or_else(|| {
        let both = inst.get(Field::Lds) != 0
            && crate::canonical::has_tfe(inst.row(), inst.target())
            && inst.get(Field::Tfe) != 0;
        if both { broken(None, "tfe and lds exclude each other") } else { None }
    })
    .or_else(|| {
        let gds = inst.row().mods.has(Mods::GDS_ONLY) && inst.get(Field::Gds) == 0;
        if gds { broken(None, "gds modifier is required") } else { None }
    })
}

/// At most one scalar value, literals included, reaches the vector ALU.
fn constant_bus(inst: &Inst, operands: &Operands) -> Option<Violation> {
    let row = inst.row();
    let long = matches!(row.format, Format::VOP3 | Format::VOP3B | Format::VOP3P | Format::MAI);
    let vector = long || row.format.is_short();
    if !vector {
        return None;
    }
    let mut used: [Option<Reg>; 4] = [None; 4];
    let (mut n, mut last) = (0, None);
    if row.format == Format::VOP2_LIT {
        n = 1;
    }
    let mut literal = row.format == Format::VOP2_LIT;
    for (i, (opd, value)) in inst.row().operands.iter().zip(operands).enumerate() {
        let Some(value) = *value else { continue };
        if !matches!(opd.slot, Field::Src0 | Field::Src1 | Field::Src2) {
            continue;
        }
        let before = n;
        match value {
            Operand::Reg(r) if matches!(r.class, RegClass::S | RegClass::Src) => {
                if r.index == code::LDS_DIRECT && r.class == RegClass::Src {
                    continue;
                }
                // M0 selects a lane beside the scalar that is written.
                if r == Reg::M0 && opd.slot == Field::Src1 && matches!(row.sem, Sem::Lane(Op::WriteLane, _)) {
                    continue;
                }
                // A value of its own is the same whatever the width that reads it.
                let r = if r.class == RegClass::Src { Reg::src(r.index, 1) } else { r };
                if !used.contains(&Some(r)) {
                    used[n.min(3)] = Some(r);
                    n += 1;
                }
            }
            Operand::Literal(_) if !literal => {
                literal = true;
                n += 1;
            }
            _ => {}
        }
        last = if n > before { Some(i) } else { last };
    }
    if matches!(row.sem, Sem::Lane(Op::DivFmas, _)) && !used.contains(&Some(Reg::VCC)) {
        n += 1;
    }
    // Lane selects are read elsewhere.
    if matches!(row.sem, Sem::Lane(Op::ReadLane, _)) {
        return None;
    }
    if n > 1 {
        return Some(Violation {
            operand: last,
            message: "invalid operand (violates constant bus restrictions)",
            help: Some("at most one scalar register or literal per vector instruction"),
        });
    }
    None
}

fn lds_direct(inst: &Inst, operands: &Operands) -> Option<Violation> {
    let row = inst.row();
    for (i, opd) in row.operands.iter().enumerate() {
        let Some(Operand::Reg(r)) = operands[i] else { continue };
        if r.class != RegClass::Src || r.index != code::LDS_DIRECT {
            continue;
        }
        let no = |what| broken(Some(i), what);
        if inst.target() != Target::Gfx908 {
            return no("lds_direct is not supported on this GPU");
        }
        if opd.slot != Field::Src0 || opd.ty.dwords() != 1 {
            return no("lds_direct may be used as a 32-bit src0 only");
        }
        // Operands in reverse order; bits in reverse order are none.
        let reversed = row.name.contains("rev_") && !row.name.starts_with("v_bfrev");
        if inst.form() == Form::Sdwa || reversed || matches!(row.sem, Sem::Lane(Op::WriteLane, _)) {
            return no("lds_direct cannot be used with this instruction");
        }
    }
    None
}

/// Result and data of a memory instruction are in the same register file.
fn accumulators_agree(inst: &Inst, operands: &Operands) -> Option<Violation> {
    let row = inst.row();
    let mut class = None;
    for (opd, value) in inst.row().operands.iter().zip(operands) {
        let Some(value) = *value else { continue };
        let relevant = match row.format {
            Format::DS | Format::FLAT | Format::GLOBAL | Format::SCRATCH => {
                matches!(opd.slot, Field::Dst | Field::Data0 | Field::Data1)
            }
            Format::MAI | Format::MAI_SCALE => matches!(opd.slot, Field::Dst | Field::Src2) && opd.class != Class::V,
            _ => false,
        };
        let Operand::Reg(r) = value else { continue };
        if !relevant || !matches!(r.class, RegClass::V | RegClass::A) {
            continue;
        }
        match class {
            None => class = Some(r.class),
            Some(c) if c != r.class => {
                return broken(None, "invalid register class: data and dst should be all VGPR or AGPR");
            }
            _ => {}
        }
    }
    None
}

/// Vector addresses of two registers are aligned like every other tuple, GWS data too.
fn address_alignment(inst: &Inst, operands: &Operands) -> Option<Violation> {
    let gws = inst.row().mods.has(Mods::GDS_ONLY) && inst.row().name.starts_with("ds_gws");
    for (i, opd) in inst.row().operands.iter().enumerate() {
        let Some(Operand::Reg(r)) = operands[i] else { continue };
        if !matches!(r.class, RegClass::V | RegClass::A) || r.index & 1 == 0 {
            continue;
        }
        if opd.class == Class::VAddr && r.count > 1 {
            return broken(Some(i), "invalid register class: vgpr tuples must be 64 bit aligned");
        }
        if gws {
            return broken(Some(i), "vgpr must be even aligned");
        }
    }
    None
}

/// Gathers take one channel, atomics one, two or all.
fn image(inst: &Inst) -> Option<Violation> {
    let (mods, dmask) = (inst.row().mods, inst.get(Field::Dmask));
    if mods.has(Mods::GATHER) && dmask.count_ones() != 1 {
        return broken(None, "invalid image_gather dmask: only one bit must be set");
    }
    let status = inst.target() == Target::Gfx908 && inst.get(Field::Tfe) != 0;
    if mods.has(Mods::GATHER) && status && inst.get(Field::D16) != 0 {
        return broken(None, "a gather of halves has no status");
    }
    // A comparison brings two values an element, the other atomics one; an element is a dword or two.
    let values = inst.row().operand(Field::Data0).map_or(1, |o| o.ty.count);
    let allowed = if values == 2 { [3, 15] } else { [1, 3] };
    if mods.has(Mods::IMAGE_ATOMIC) && !allowed.contains(&dmask) {
        return broken(None, "invalid atomic image dmask");
    }
    None
}

fn overlap(a: Reg, b: Reg) -> bool {
    a.class == b.class && a.index < b.index + b.count as u16 && b.index < a.index + a.count as u16
}

/// A wide accumulator input is the destination, or does not touch it.
fn matrix(inst: &Inst, sparse: bool) -> Option<Violation> {
    if sparse {
        return None;
    }
    let (Some(Operand::Reg(d)), Some(Operand::Reg(c))) = (inst.slot(Field::Dst), inst.slot(Field::Src2)) else {
        return None;
    };
    if d.count > 4 && d != c && overlap(d, c) {
        return broken(Some(3), "source 2 operand must not partially overlap with dst");
    }
    None
}

fn dpp(inst: &Inst) -> Option<Violation> {
    let ctrl = inst.get(Field::DppCtrl);
    let newbcast = (0x150..=0x15f).contains(&ctrl);
    if newbcast && !inst.target().unified_vgprs() {
        return broken(None, "row_newbcast is not supported on this GPU");
    }
    let wide =
        inst.operands().any(|(o, _)| matches!(o.slot, Field::Dst | Field::Src0 | Field::Src1) && o.ty.dwords() == 2);
    if wide && !newbcast && inst.target().unified_vgprs() {
        return broken(None, "DP ALU dpp only supports row_newbcast");
    }
    None
}

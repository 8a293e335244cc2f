//! Which instructions the engine does not execute yet, found by lowering every encoding of every row.

use super::ir::Uop;
use super::lower::{self, Layout, Mode};
use crate::FaultKind;
use wavesmith_asm::rows::{self, RowId};
use wavesmith_asm::{Form, Format, Target, decode};

/// An encoding that ends a kernel with a fault saying that it is not executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Mnemonic.
    pub name: &'static str,
    /// Which of its encodings.
    pub form: Form,
    /// Why.
    pub reason: String,
}

/// How much of a target's instruction set the engine executes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Encodings that it was asked for.
    pub tried: usize,
    /// Those that it does not execute.
    pub gaps: Vec<Gap>,
    /// Those that hardware does not execute in a compute kernel either, or whose effect is not defined: a report.
    pub reported: Vec<Gap>,
}

/// Lowers every encoding of a target.
pub fn coverage(target: Target) -> Coverage {
    let layout = Layout {
        target,
        vgprs: 256,
        agpr_base: 256,
        agprs: 256,
        registers: 512,
        shared_aperture: 1,
        private_aperture: 2,
    };
    let mut out = Coverage::default();
    for (i, row) in rows::all().iter().enumerate() {
        for form in [Form::Base, Form::E64, Form::Sdwa, Form::Dpp] {
            if !row.has_form(form, target) {
                continue;
            }
            let Some(words) = plainest(RowId(i as u16), form, target) else { continue };
            out.tried += 1;
            let mut fetch = |at: u64| if at == 0 { (words, 4) } else { ([0xbf81_0000, 0, 0, 0], 4) };
            let mode = Mode::of(0x3f0, 0);
            let segment = lower::segment(layout, mode, 0, &mut fetch);
            let first = segment.blocks[0];
            let fault = segment.uops[first.start as usize..first.end as usize].iter().find_map(|u| match u {
                Uop::Fault(f) => Some(&segment.faults[*f as usize]),
                _ => None,
            });
            if let Some((kind @ (FaultKind::Instruction | FaultKind::Undefined), reason)) = fault {
                let list = if *kind == FaultKind::Undefined { &mut out.reported } else { &mut out.gaps };
                list.push(Gap { name: row.name, form, reason: reason.clone() });
            }
        }
    }
    out
}

/// The encoding with every field zero, but for what would be an address that is not there.
fn plainest(id: RowId, form: Form, target: Target) -> Option<[u32; 4]> {
    let row = id.row();
    let layout = row.format.layout(form);
    let mut words = layout.base;
    let opcode = if form == Form::E64 { row.opcode64 } else { row.opcode };
    layout.opcode.set(&mut words, u32::from(opcode));
    // Sources are v0: register 256 in nine bits, 0 in eight. Scalar bases are `off` where there is a vector address.
    for field in [
        wavesmith_asm::Field::Src0,
        wavesmith_asm::Field::Src1,
        wavesmith_asm::Field::Src2,
        wavesmith_asm::Field::ScaleSrc0,
        wavesmith_asm::Field::ScaleSrc1,
    ] {
        let bits = layout.field(field);
        let vector = row.operand(field).is_some_and(|o| {
            use wavesmith_asm::Class::*;
            matches!(o.class, V | A | AV | AVC | VS | VI)
        });
        if bits.width == 9 && vector {
            bits.set(&mut words, 256);
        }
    }
    if matches!(row.format, Format::GLOBAL | Format::FLAT) {
        layout.field(wavesmith_asm::Field::Saddr).set(&mut words, 0x7f);
    }
    let inst = decode(&words, target).ok()?;
    (inst.row_id() == id && inst.form() == form).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_executed_or_says_what_hardware_lacks() {
        for target in Target::ALL {
            let c = coverage(target);
            assert!(c.tried > 1500, "{target}: only {} encodings", c.tried);
            assert_eq!(c.gaps, [], "{target}");
        }
    }
}

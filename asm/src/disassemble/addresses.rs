//! Addresses that code computes from its program counter.
//!
//! Compilers reach data and far functions by `s_getpc_b64` and the two halves of a distance added to it. The distance
//! holds only while sections keep their places, so a listing says it as an expression of what is there.

use crate::encode::encode;
use crate::inst::{DecodeError, Inst};
use crate::operand::Operand;
use crate::reg::{Reg, RegClass};
use crate::rows::find;
use crate::sem::{Branch, Sem};

/// A distance from the program counter in two literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Distance {
    /// Number of the instruction with the low half, and the byte offset of its literal.
    pub(super) low: (usize, u64),
    /// The same of the high half.
    pub(super) high: (usize, u64),
    /// Byte offset of what it leads to, from the section's start.
    pub(super) target: i64,
    /// Byte offset that the distance counts from.
    pub(super) from: u64,
}

/// How many instructions may stand between the program counter and its use.
const NEAR: usize = 8;

/// Every such distance of decoded code.
pub(super) fn distances(decoded: &[Result<Inst, DecodeError>]) -> Vec<Distance> {
    let mut out = Vec::new();
    let mut offsets = Vec::new();
    let mut at = 0u64;
    for inst in decoded {
        offsets.push(at);
        at += inst.as_ref().map_or(4, |i| i.bytes() as u64);
    }
    for (i, inst) in decoded.iter().enumerate() {
        let Ok(inst) = inst else { continue };
        if !matches!(inst.row().sem, Sem::Branch(Branch::GetPc)) {
            continue;
        }
        let Some(Operand::Reg(pc)) = inst.operand(0) else { continue };
        let from = offsets[i] + 4;
        let near = (i + 1)..decoded.len().min(i + 1 + NEAR);
        let find = |name: &str, index: u16| {
            near.clone().find_map(|k| {
                let inst = decoded[k].as_ref().ok()?;
                let literal = (inst.name() == name).then(|| added_to_itself(inst, index)).flatten()?;
                Some((k, literal))
            })
        };
        let (Some((low, lo)), Some((high, hi))) = (find("s_add_u32", pc.index), find("s_addc_u32", pc.index + 1))
        else {
            continue;
        };
        if high < low {
            continue;
        }
        let distance = (u64::from(hi) << 32 | u64::from(lo)) as i64;
        out.push(Distance {
            low: (low, offsets[low] + 4),
            high: (high, offsets[high] + 4),
            target: (from as i64).wrapping_add(distance),
            from,
        });
    }
    out
}

/// The literal that is added to the scalar register `index`, if the instruction does that and its text says all of it.
fn added_to_itself(inst: &Inst, index: u16) -> Option<u32> {
    let register = Operand::Reg(Reg { class: RegClass::S, index, count: 1 });
    let literal = inst.literal()?;
    let operands = [register, register, Operand::Literal(literal)];
    let again = encode(find(inst.name(), inst.target())?, inst.form(), &operands, inst.target()).ok()?;
    (again.words() == inst.words()).then_some(literal)
}

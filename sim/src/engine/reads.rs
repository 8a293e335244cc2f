//! What the registers held that an instruction reads: the part of a diagnosis that says why.

use super::lower::Layout;
use super::state::Wave;
use crate::fault::RegisterRead;
use wavesmith_asm::inst::Inst;
use wavesmith_asm::row::Access;
use wavesmith_asm::{Operand, RegClass};

/// The registers that `inst` reads, in operand order, as the wave holds them. Vector registers are shown for `lane`, or
/// the first lane that is on.
pub fn registers(w: &Wave, layout: &Layout, inst: &Inst, lane: Option<u32>) -> Vec<RegisterRead> {
    let exec = w.exec();
    let first = if exec == 0 { 0 } else { exec.trailing_zeros() };
    let lane = lane.unwrap_or(first).min(63);
    let mut out: Vec<RegisterRead> = Vec::new();
    for operand in inst.row().operands {
        let Some(Operand::Reg(mut r)) = inst.slot(operand.slot) else { continue };
        if operand.access == Access::W {
            continue;
        }
        r.count = r.count.max(1);
        let indices = usize::from(r.index)..usize::from(r.index) + usize::from(r.count);
        let (words, lane): (Option<Vec<u32>>, _) = match r.class {
            RegClass::S => (indices.map(|i| w.s.get(i).copied()).collect(), None),
            RegClass::V | RegClass::A => {
                let base = if r.class == RegClass::A { usize::from(layout.agpr_base) } else { 0 };
                let read = |i: usize| w.lane(base + i, lane);
                (indices.map(read).collect(), Some(lane))
            }
            RegClass::Src => continue,
        };
        let Some(words) = words else { continue };
        let name = format!("{r:?}");
        if out.iter().all(|o| o.name != name) {
            out.push(RegisterRead { name, words, lane });
        }
    }
    out
}

//! An instruction as reports show it: its text, and where it branches to.

use wavesmith_asm::format::Field;
use wavesmith_asm::print::text;
use wavesmith_asm::sem::{Branch, Sem};
use wavesmith_sim::timing::Line;

/// A line's text. Branches tell their target as the offset that other lines have, since nobody counts dwords.
pub fn instruction(line: &Line, base: u64) -> String {
    let Some(inst) = &line.inst else { return "?".to_owned() };
    match inst.row().sem {
        Sem::Branch(b) if !matches!(b, Branch::GetPc | Branch::SetPc | Branch::SwapPc) => {
            let distance = 4 * i64::from(inst.get(Field::Simm16) as u16 as i16) + 4;
            let to = line.pc.wrapping_add_signed(distance).wrapping_sub(base) as i64;
            let sign = if to < 0 { '-' } else { '+' };
            format!("{}  → {sign}{:#x}", text(inst), to.unsigned_abs())
        }
        _ => text(inst),
    }
}

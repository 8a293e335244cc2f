//! Reads of LDS that an instruction is too early for.
//!
//! Data of an LDS read takes some fifty cycles, and the engine has it at once. A program that uses the destination
//! sooner, without a wait, gets what the register held before on silicon, always: shipping matrix kernels request the
//! next operand into registers that the next product still reads, and are right. Such a read is executed behind that
//! use. Where the data may have come, waits are missing or not, it has: this is about uses that no LDS is fast enough
//! for, so costs are counted low and the latency is that of an idle LDS.

use super::{Sem, reads_lds};
use wavesmith_asm::effects::{Effects, Span};
use wavesmith_asm::sem::Control;
use wavesmith_asm::{Field, Inst, Target, Time};

/// Cycles from a read's turn in the LDS to its data, of a dword a lane with nobody else there.
const LATENCY: u32 = 48;

/// A read that is under way.
struct Read {
    at: usize,
    to: Span,
    from: Vec<Span>,
    ready: u32,
    /// Whether it may still be executed later. One that may not stays in line: waits count it.
    moves: bool,
}

/// For every instruction of a straight run the one that it is to be executed after: itself, or for some reads a later
/// one.
pub(super) fn places(run: &[Inst], target: Target) -> Vec<usize> {
    let mut places: Vec<usize> = (0..run.len()).collect();
    if !run.iter().any(reads_lds) {
        return places;
    }
    let (mut now, mut port, mut matrix) = (0u32, 0u32, 0u32);
    let mut under_way: Vec<Read> = Vec::new();
    for (at, inst) in run.iter().enumerate() {
        let effects = Effects::of(inst);
        if let Sem::Control(Control::Waitcnt) = inst.row().sem {
            let left = (inst.get(Field::Simm16) >> 8 & 15) as usize;
            under_way.drain(..under_way.len().saturating_sub(left));
        }
        // Nothing that touches LDS or memory, changes who takes part or takes the registers for something else is passed.
        let reads = reads_lds(inst);
        if !reads
            && !matches!(
                inst.row().time,
                Time::Valu(_) | Time::Trans | Time::Packed | Time::F64 | Time::Salu | Time::Internal
            )
            && passes(inst).is_none()
        {
            under_way.clear();
        }
        // A load of a half does not look at the register it goes to, though it counts as a read elsewhere: it comes
        // behind what an older one brings there.
        let loads = matches!(inst.row().sem, Sem::Load { .. });
        let uses = |to: Span| effects.reads().any(|t| !(loads && t.write) && t.span.overlaps(to));
        for read in under_way.iter().filter(|r| r.moves) {
            if now < read.ready && uses(read.to) {
                places[read.at] = at;
            }
        }
        for read in &mut under_way {
            let taken = |t: Span| t.overlaps(read.to) || read.from.iter().any(|f| f.overlaps(t));
            read.moves &= !effects.writes().any(|t| taken(t.span));
        }
        if let Some(passes) = passes(inst) {
            now = now.max(matrix);
            matrix = now + 4 * passes;
        }
        if reads && let Some(to) = effects.writes().map(|t| t.span).find(|s| s.is_vector()) {
            let wide = if target == Target::Gfx950 { 2 } else { 4 };
            port = port.max(now) + u32::from(to.count) * wide;
            let from = effects.reads().map(|t| t.span).chain([Span::EXEC, Span::M0, Span::MODE]).collect();
            under_way.push(Read { at, to, from, ready: port + LATENCY, moves: true });
        }
        now += match inst.row().time {
            Time::Valu(cycles) => u32::from(cycles),
            Time::Trans if target != Target::Gfx950 => 16,
            Time::Trans | Time::F64 => 8,
            _ => 4,
        };
    }
    places
}

/// Passes of a matrix instruction.
fn passes(inst: &Inst) -> Option<u32> {
    match inst.row().time {
        Time::Xdl(p) | Time::Sgemm(p) | Time::Dgemm(p) => Some(u32::from(p)),
        Time::XdlF8f6f4(p) => {
            let wide = inst.get(Field::Cbsz) <= 1 || inst.get(Field::Blgp) <= 1;
            Some(u32::from(p) * if wide { 2 } else { 1 })
        }
        _ => None,
    }
}

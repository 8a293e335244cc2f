//! The lines that a vector memory instruction touches, from the addresses its lanes really have.

use crate::engine::access::{Resource, atomic_words, bytes};
use crate::engine::ir::{Access, Address, MemOp, S, SmemOp, V};
use crate::engine::state::Wave;
use crate::memory::View;
use wavesmith_asm::sem::Space;

/// Device addresses made independent of where the host mapped the memory: allocations follow each other in the order
/// in which the kernel first touches them, so that banks and channels are the same in every run.
#[derive(Debug, Default)]
pub struct Canonical {
    known: Vec<Known>,
    last: usize,
    next: u64,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    base: u64,
    end: u64,
    at: u64,
    place: Place,
}

/// Whose memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The device's own.
    Local,
    /// Another device's, by its number.
    Peer(usize),
    /// The host's.
    Host,
}

impl Canonical {
    /// The canonical address of a device address, and whose memory it is; `None` where nothing is mapped.
    pub fn of(&mut self, address: u64, view: &mut View<'_>) -> Option<(u64, Place)> {
        self.find(address, view).map(|k| (address - k.base + k.at, k.place))
    }

    /// The lines of the allocation that a canonical line lies in, from and until.
    pub fn lines(&self, line: u64, shift: u32) -> (u64, u64) {
        let of = |k: &Known| (k.at >> shift, (k.at + k.end - k.base).div_ceil(1 << shift));
        self.known.iter().map(of).find(|(from, until)| (*from..*until).contains(&line)).unwrap_or((line, line + 1))
    }

    fn find(&mut self, address: u64, view: &mut View<'_>) -> Option<Known> {
        let fits = |k: &Known| address >= k.base && address < k.end;
        if let Some(k) = self.known.get(self.last).filter(|k| fits(k)) {
            return Some(*k);
        }
        if let Some(i) = self.known.iter().position(fits) {
            self.last = i;
            return Some(self.known[i]);
        }
        let a = view.allocation(address)?;
        // Page offsets are kept; every allocation begins at a fragment of 2 MiB, as drivers place large ones.
        let at = self.next + a.base() % 4096;
        self.next = (at + a.mapped() as u64).next_multiple_of(2 << 20);
        use crate::memory::Kind;
        let place = match (a.kind(), a.owner()) {
            (Kind::HostFine | Kind::HostCoarse | Kind::Registered, _) => Place::Host,
            (_, Some(owner)) if owner != view.agent() => Place::Peer(owner.0),
            _ => Place::Local,
        };
        let known = Known { base: a.base(), end: a.base() + a.mapped() as u64, at, place };
        self.known.push(known);
        self.last = self.known.len() - 1;
        Some(known)
    }
}

/// Bits of an address in a piece of a line: L1 keeps and asks for 64 bytes.
pub const PIECE: u32 = 6;

/// What an access touches.
#[derive(Debug, Default)]
pub struct Touched {
    /// Canonical line numbers, each once, and which of a line's pieces of 64 bytes are asked for, a bit each.
    pub lines: Vec<(u64, u8)>,
    /// Lines that each sixteen lanes touch, together: those of one clock share a look, and no others.
    pub looks: u32,
    /// Bytes that lanes move in all.
    pub bytes: u32,
    /// Bytes a lane.
    pub each: u32,
    /// Lanes that take part.
    pub lanes: u32,
    /// Whether the memory is not the device's.
    pub place: Option<Place>,
}

fn lanes(w: &Wave, v: V) -> Option<&[u32; 64]> {
    v.is_reg().then(|| w.regs.get(v.index()).map(|l| &l.0)).flatten()
}

/// Bytes a lane moves.
pub fn width(op: &MemOp) -> u32 {
    match op.access {
        Access::Load(m) | Access::Store(m) | Access::LoadLds(m) => bytes(m),
        Access::Atomic { op, ty, .. } | Access::Src2 { op, ty } => 4 * atomic_words(op, ty),
        Access::Load2(n) | Access::Store2(n) | Access::Exchange2(n) => 8 * u32::from(n),
        Access::Ds(_) => 8,
        Access::StoreLds => 4,
    }
}

/// Gathers the lines of an access to memory into `out`. Accesses to LDS and scratch through flat addresses have none.
pub fn touched(op: &MemOp, w: &Wave, shift: u32, canonical: &mut Canonical, view: &mut View<'_>, out: &mut Touched) {
    out.lines.clear();
    out.looks = 0;
    out.place = None;
    let exec = w.exec();
    out.each = width(op);
    out.lanes = exec.count_ones();
    out.bytes = out.each * out.lanes;
    if exec == 0 {
        return;
    }
    let size = u64::from(out.each);
    match op.address {
        Address::Wide(v) => {
            let (Some(lo), Some(hi)) = (lanes(w, v), lanes(w, v.next(1))) else { return };
            gather(exec, size, shift, canonical, view, out, |i| {
                let a = u64::from(lo[i]) | u64::from(hi[i]) << 32;
                let a = a.wrapping_add(op.offset as i64 as u64);
                (op.space != Space::Flat || a >> 32 < crate::aperture::SHARED_BASE >> 32).then_some(a)
            });
        }
        Address::Base(s, v) => {
            let Some(offsets) = lanes(w, v) else { return };
            let base = w.s64(s).wrapping_add(op.offset as i64 as u64);
            gather(exec, size, shift, canonical, view, out, |i| Some(base.wrapping_add(u64::from(offsets[i]))));
        }
        Address::Buffer { resource, soffset, index, offset } => {
            let r = Resource::read(w, resource);
            let so = w.s32(soffset);
            let zero = [0u32; 64];
            let indexed = index.is_some();
            let (Some(index), Some(offset)) =
                (index.map_or(Some(&zero), |v| lanes(w, v)), offset.map_or(Some(&zero), |v| lanes(w, v)))
            else {
                return;
            };
            gather(exec, size, shift, canonical, view, out, |i| {
                let o = u64::from(offset[i]) + u64::from(op.offset as u32);
                r.address(indexed.then_some(index[i]), o, so, i as u32, size as u32)
            });
        }
        Address::Scratch(..) => {
            // Dwords of lanes alternate: each dword of the access is 256 consecutive bytes of the wave's scratch.
            let base = w.pair(102);
            if let Some((a, _)) = canonical.of(base.wrapping_add(op.offset as i64 as u64 & !3), view) {
                let mut last = None;
                (0..u64::from(out.each.div_ceil(4)) * 256)
                    .step_by(64)
                    .for_each(|k| note(a + k, size, shift, &mut last, out));
                out.looks = out.lines.len() as u32;
            }
        }
        Address::Lds(_) | Address::LdsM0 => return,
    }
    if out.lines.len() > 8 {
        out.lines.sort_unstable();
        out.lines.dedup_by(|same, kept| {
            let double = same.0 == kept.0;
            if double {
                kept.1 |= same.1;
            }
            double
        });
    }
}

/// Gathers the lines of lanes one by one.
#[inline(always)]
fn gather(
    exec: u64,
    size: u64,
    shift: u32,
    canonical: &mut Canonical,
    view: &mut View<'_>,
    out: &mut Touched,
    address: impl Fn(usize) -> Option<u64>,
) {
    // Lanes are nearly always in one allocation, and often in the line of the lane before.
    let mut known = Known { base: 0, end: 0, at: 0, place: Place::Local };
    let mut last = None;
    let mut quarter = Quarter::default();
    let mut rest = exec;
    while rest != 0 {
        let i = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let Some(a) = address(i) else { continue };
        if i / 16 != quarter.number {
            out.looks += quarter.lines as u32;
            quarter = Quarter { number: i / 16, ..Quarter::default() };
        }
        if a < known.base || a >= known.end {
            let Some(of) = canonical.find(a, view) else { continue };
            known = of;
        }
        if known.place != Place::Local {
            out.place = Some(known.place);
        }
        let a = a - known.base + known.at;
        quarter.note(a >> shift);
        if (a + size - 1) >> shift != a >> shift {
            quarter.note((a + size - 1) >> shift);
        }
        note(a, size, shift, &mut last, out);
    }
    out.looks += quarter.lines as u32;
}

/// The lines of sixteen lanes, at most two each.
#[derive(Default)]
struct Quarter {
    number: usize,
    seen: [u64; 32],
    lines: usize,
}

impl Quarter {
    #[inline(always)]
    fn note(&mut self, line: u64) {
        if self.lines > 0 && self.seen[self.lines - 1] == line || self.seen[..self.lines].contains(&line) {
            return;
        }
        self.seen[self.lines] = line;
        self.lines += 1;
    }
}

/// Adds the lines of an access of a lane, of which `last` is the one noted before, and where it is.
#[inline(always)]
fn note(address: u64, size: u64, shift: u32, last: &mut Option<(u64, usize)>, out: &mut Touched) {
    let end = address + size - 1;
    for line in address >> shift..=end >> shift {
        // A line has two pieces at most, so that its first and last byte name all of them.
        let piece = |a: u64| 1u8 << (a >> PIECE & ((1 << (shift - PIECE)) - 1));
        let pieces = piece(address.max(line << shift)) | piece(end.min(((line + 1) << shift) - 1));
        if let Some((before, at)) = *last
            && before == line
        {
            out.lines[at].1 |= pieces;
            continue;
        }
        let near = out.lines.len().saturating_sub(8);
        let at = match out.lines[near..].iter().position(|l| l.0 == line) {
            Some(i) => {
                out.lines[near + i].1 |= pieces;
                near + i
            }
            None => {
                out.lines.push((line, pieces));
                out.lines.len() - 1
            }
        };
        *last = Some((line, at));
    }
}

/// The lines of a scalar access: first and how many.
pub fn scalar(op: &SmemOp, w: &Wave, shift: u32, canonical: &mut Canonical, view: &mut View<'_>) -> Option<(u64, u64)> {
    let base = w.s64(op.base);
    let offset = (op.offset as i64 as u64).wrapping_add(op.soffset.map_or(0, |s: S| u64::from(w.s32(s))));
    let address = (base & 0x0000_ffff_ffff_ffff).wrapping_add(offset) & !3;
    let (a, _) = canonical.of(address, view)?;
    let last = a + 4 * u64::from(op.dwords.max(1)) - 1;
    Some((a >> shift, (last >> shift) - (a >> shift) + 1))
}

/// LDS byte addresses of the lanes, immediate offset left out.
pub fn lds(op: &MemOp, w: &Wave) -> [u32; 64] {
    match op.address {
        Address::Lds(v) => lanes(w, v).copied().unwrap_or([0; 64]),
        _ => core::array::from_fn(|i| 4 * i as u32),
    }
}

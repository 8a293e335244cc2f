//! Accesses to LDS.

use super::*;
use crate::checked::lds::Collision;
use wavesmith_asm::counters::Raises;

/// Two waves that load the same bytes to the same place of LDS: whichever comes last, what is there is right.
const SAME_BYTES: &str = "waves load the same bytes to the same place";

impl Watch {
    fn toucher(&mut self) -> Toucher {
        let (number, atomic) = (self.ctx.number, self.ctx.scope.atomic);
        let polls = if atomic { self.program.decides(number) } else { self.program.polls(number) };
        let first = self.group.as_ref().map_or(1, |g| g.first);
        Toucher {
            wave: (self.ctx.wave - first) as u8,
            number: self.ctx.number,
            issue: self.ctx.issue,
            atomic: self.ctx.scope.atomic,
            polls,
        }
    }

    /// The wave has polled words of LDS: it knows what their writers knew, and what they had issued.
    fn learn_by_lds(&mut self) {
        let Some(group) = self.group.as_deref_mut() else { return };
        let learned = core::mem::take(&mut group.lds.learned);
        let me = (self.ctx.wave - group.first) as usize;
        for i in (0..group.waves.len()).filter(|i| learned >> i & 1 == 1 && *i != me) {
            let (theirs, issued) = (group.waves[i].seen.clone(), group.waves[i].flight.issued);
            let wave = group.first + i as u32;
            let w = &mut group.waves[me];
            let seen = Arc::make_mut(&mut w.seen);
            let new = seen.join(&theirs);
            if new || seen.of(wave).is_none_or(|k| k.issued < issued) {
                seen.raise(Known { wave, issued, ..Known::default() });
                w.message = None;
            }
        }
    }

    /// LDS accesses of whole dwords by all lanes, in bounds; whether lanes write the same place. `same` says of a lane's
    /// dword whether LDS holds the value to be written already.
    pub(crate) fn lds_fast(
        &mut self,
        addresses: &[u32],
        offset: u32,
        n: usize,
        write: bool,
        same: impl Fn(usize, usize) -> bool,
    ) -> bool {
        let t = self.toucher();
        let Some(group) = self.group.as_deref_mut() else { return false };
        let mut hit = None;
        let mut again = false;
        for (lane, a) in addresses.iter().enumerate() {
            let base = ((a + offset) / 4) as usize;
            for k in 0..n {
                let c = if write {
                    group.lds.write(base + k, 15, t, || same(lane, k))
                } else {
                    group.lds.read(base + k, 15, t)
                };
                again |= c == Some(Collision::SameInstruction);
                if let Some(c) = c
                    && c != Collision::SameInstruction
                {
                    hit.get_or_insert((c, lane as u32, (base + k) as u32 * 4));
                }
                let k4 = k.min(3);
                if let Some(cell) = group.lds.cells.get_mut(base + k) {
                    if write {
                        cell.undefined = if self.ctx.taint.data[k4] >> lane & 1 == 1 { 15 } else { 0 };
                    } else if cell.undefined != 0 {
                        self.ctx.loaded[k4] |= 1 << lane;
                    }
                }
            }
        }
        if group.lds.learned != 0 {
            self.learn_by_lds();
        }
        if let Some((c, lane, at)) = hit {
            self.collide(c, lane, at, write);
        }
        again
    }

    /// Tells of an access that does not end within the workgroup's LDS.
    fn beyond_lds(&mut self, at: u32, size: u32, lane: u32, does: &str) {
        let (number, bytes) = (self.ctx.number, self.lds_bytes);
        if u64::from(at) + u64::from(size) > u64::from(bytes) {
            self.report(
                Severity::Error,
                Kind::Bounds,
                None,
                At { number, lane: Some(lane), address: Some(at.into()), ..At::default() },
                |_| (None, format!("{does} at {at:#x}, beyond the {bytes} bytes of the workgroup")),
            );
        }
    }

    /// A lane's LDS access of up to four bytes; whether the same instruction has written them already. `same` says of a
    /// byte whether LDS holds the value to be written already.
    pub(crate) fn lds(&mut self, at: u32, size: u32, lane: u32, write: bool, same: impl Fn(u32) -> bool) -> bool {
        let k = self.next_dword(lane);
        self.beyond_lds(at, size, lane, if write { "writes LDS" } else { "reads LDS" });
        let t = self.toucher();
        let modifies = t.atomic && self.program.infos[t.number as usize].modifies;
        let Some(group) = self.group.as_deref_mut() else { return false };
        let mut again = false;
        let mut hit = None;
        let mut a = at;
        let end = at.saturating_add(size);
        while a < end {
            let n = (4 - a % 4).min(end - a);
            let bytes = (((1u32 << n) - 1) << (a % 4)) as u8;
            let dword = (a / 4) as usize;
            if self.ctx.landing {
                group.lds.land(dword, t.wave);
            } else {
                let hits = if write {
                    group.lds.write(dword, bytes, t, || (a..a + n).all(&same))
                } else {
                    group.lds.read(dword, bytes, t)
                };
                match hits {
                    Some(Collision::SameInstruction) => again = true,
                    Some(c) => _ = hit.get_or_insert((c, lane, a)),
                    None => {}
                }
                if let Some(cell) = group.lds.cells.get_mut(dword) {
                    if write {
                        let marked = self.ctx.taint.data[k] >> lane & 1 == 1;
                        let kept = if modifies { cell.undefined } else { cell.undefined & !bytes };
                        cell.undefined = if marked { kept | bytes } else { kept };
                    } else if cell.undefined & bytes != 0 {
                        self.ctx.loaded[k] |= 1 << lane;
                    }
                }
            }
            a += n;
        }
        if group.lds.learned != 0 {
            self.learn_by_lds();
        }
        if let Some((c, lane, at)) = hit {
            self.collide(c, lane, at, write);
        }
        again
    }

    /// Lanes of one instruction have written different values to the same bytes.
    pub(crate) fn lds_differs(&mut self, at: u32, lane: u32) {
        let number = self.ctx.number;
        self.report(
            Severity::Advice,
            Kind::LdsRace,
            None,
            At { number, lane: Some(lane), address: Some(at.into()), ..At::default() },
            |_| (None, format!("two lanes write different values to LDS at {at:#x}: which one stays is not said")),
        );
    }

    /// An LDS-DMA of some dwords is issued. `same` says of a dword whether what other waves have under way to its place is what
    /// this one brings, and what is in LDS too, if that is asked.
    pub(crate) fn lds_dma(&mut self, at: u32, dwords: u32, lane: u32, same: impl Fn(u32, bool) -> bool) {
        self.beyond_lds(at, 4 * dwords, lane, "loads into LDS");
        let t = self.toucher();
        let Some(group) = self.group.as_deref_mut() else { return };
        let mut hit = None;
        for d in 0..dwords {
            if let Some(c) = group.lds.send((at / 4 + d) as usize, t, |landed| same(d, landed)) {
                hit.get_or_insert((c, lane, at + 4 * d));
            }
        }
        if let Some((c, lane, at)) = hit {
            self.collide(c, lane, at, true);
        }
    }

    fn collide(&mut self, c: Collision, lane: u32, at: u32, write: bool) {
        let number = self.ctx.number;
        let mine = if write { "writes" } else { "reads" };
        let (other, kind, need, text) = match c {
            Collision::Written(o) => {
                (o, Kind::LdsRace, "s_waitcnt lgkmcnt(0) and s_barrier between", "which another wave has written with")
            }
            Collision::Read(o) => (o, Kind::LdsRace, "s_barrier between", "which another wave has read with"),
            Collision::InFlight(o, true) => {
                (o, Kind::ReadBeforeWait, "s_waitcnt vmcnt before it", "which this wave has a load on its way to with")
            }
            Collision::InFlight(o, false) => (
                o,
                Kind::LdsRace,
                "s_waitcnt vmcnt in the other wave and s_barrier between",
                "which another wave has a load on its way to with",
            ),
            Collision::Unsettled(o) => (
                o,
                Kind::LdsRace,
                "s_waitcnt lgkmcnt(0) in front of the other wave's s_barrier",
                "which another wave has written and not waited for with",
            ),
            Collision::Unread(o) => (
                o,
                Kind::LdsRace,
                "s_waitcnt lgkmcnt(0) in front of the other wave's s_barrier",
                "which another wave has read and not waited for with",
            ),
            Collision::Alike(o) => {
                let place = At { number, other: Some(o), lane: Some(lane), address: Some(at.into()) };
                self.report(Severity::Advice, Kind::LdsRace, Some(SAME_BYTES), place, |w| {
                    let other = w.text(o);
                    let text = format!(
                        "loads into LDS at {at:#x} the same bytes as another wave since the last barrier with `{other}`"
                    );
                    (None, text)
                });
                return;
            }
            Collision::SameInstruction => return,
        };
        let kind = if write && kind == Kind::ReadBeforeWait { Kind::WriteBeforeWait } else { kind };
        let place = At { number, other: Some(other), lane: Some(lane), address: Some(at.into()) };
        // As where a load overwrites a register that an LDS read still owes: the read has its data on the way already.
        let slower = matches!(c, Collision::Unread(_)) && self.program.infos[number as usize].raises == Raises::VmToLds;
        let severity = if slower { Severity::Advice } else { Severity::Error };
        self.report(severity, kind, None, place, |w| {
            let since = match c {
                Collision::Unsettled(_) | Collision::Unread(_) => " in front of the last barrier",
                _ if kind == Kind::LdsRace => " since the last barrier",
                _ => "",
            };
            let slower =
                if slower { "; what overwrites it comes from memory, which takes longer than LDS" } else { "" };
            (Some(need.to_owned()), format!("{mine} LDS at {at:#x}, {text} `{}`{since}{slower}", w.text(other)))
        });
    }
}

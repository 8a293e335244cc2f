//! What an access to memory runs into, and how that is told.

use super::*;
use crate::checked::clocks::SCALAR;
use wavesmith_asm::Target;

/// What an access to memory runs into.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub kind: Kind,
    pub stamp: Stamp,
    pub write: bool,
    pub lane: u32,
    pub address: u64,
    pub read_of: bool,
    pub order: Order,
}

impl Hit {
    /// Whether nothing orders it and another's store.
    pub fn is_store_after_store(&self) -> bool {
        self.kind == Kind::GlobalRace && self.write && !self.read_of && self.order == Order::No
    }
}

/// Waves of a workgroup that store the same bytes to the same place: whichever comes last, what is there is right.
const SAME_BYTES: &str = "waves store the same bytes to the same place";

/// Keeps the worse of what an access runs into, the first of its kind.
pub(super) fn worst(hit: &mut Option<Hit>, new: Hit) {
    if hit.is_none_or(|h| h.order == Order::ByL1 && new.order == Order::No) {
        *hit = Some(new);
    }
}

/// Whether one operation comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Yes,
    /// If the order of a compute unit's L1 holds behind it.
    ByL1,
    No,
}

impl Order {
    pub fn of(yes: bool, by_l1: bool) -> Order {
        match (yes, by_l1) {
            (true, _) => Order::Yes,
            (_, true) => Order::ByL1,
            _ => Order::No,
        }
    }
}

/// Whether the store that `s` says is known to be over, and where to.
#[inline]
pub(super) fn known(vc: &Vc, mates: &Range<u32>, s: &Stamp, scalar: bool) -> Order {
    let k = vc.of(s.wave).copied().unwrap_or_default();
    if s.at & SCALAR != 0 {
        // Scalar loads of the workgroup look into the same cache.
        return Order::of(k.scalar >= s.at & !SCALAR || scalar && mates.contains(&s.wave), false);
    }
    if mates.contains(&s.wave) {
        // The scalar cache is another way to memory.
        let done = k.complete >= s.at || vc.observed(s.wave, s.at);
        return Order::of(done || !scalar && k.issued >= s.at, scalar && k.issued >= s.at);
    }
    if s.agent {
        return Order::of(k.complete >= s.at || vc.observed(s.wave, s.at), k.issued >= s.at);
    }
    Order::of(k.complete >= s.at && k.released >= s.at, k.issued >= s.at && k.passed >= s.at)
}

/// Whether the load that `s` says is known to be over.
#[inline]
pub(super) fn over(vc: &Vc, mates: &Range<u32>, s: &Stamp) -> Order {
    let k = vc.of(s.wave).copied().unwrap_or_default();
    if s.at & SCALAR != 0 {
        return Order::of(k.loads >= s.at & !SCALAR, false);
    }
    Order::of(k.complete >= s.at || mates.contains(&s.wave) && k.issued >= s.at, k.issued >= s.at)
}

impl Watch {
    /// Tells of a store that another wave of the workgroup has made as well.
    pub(super) fn same_bytes(&mut self, h: Hit) {
        let other = h.stamp.number;
        let at = At { number: self.ctx.number, other: Some(other), lane: Some(h.lane), address: Some(h.address) };
        self.report(Severity::Advice, h.kind, Some(SAME_BYTES), at, |w| {
            let text = format!(
                "stores to {:#x} the same bytes as another wave of the workgroup with `{}`, and nothing orders the two",
                h.address,
                w.text(other)
            );
            (None, text)
        });
    }

    pub(super) fn race(&mut self, h: Hit) {
        let number = self.ctx.number;
        let other = h.stamp.number;
        let same_group = self.group.as_ref().is_some_and(|g| g.mates().contains(&h.stamp.wave));
        let waves = self.group.as_ref().map_or(1, |g| g.waves.len() as u32).max(1);
        let (their_group, their_wave) = ((h.stamp.wave - 1) / waves, (h.stamp.wave - 1) % waves);
        let dies = self.ctx.scope.agent || h.stamp.agent;
        let scalar = self.ctx.scalar;
        // Before gfx942 there is one L2, which `glc` looks at, and `buffer_wbinvl1` drops what L1 keeps.
        let scoped = self
            .program
            .infos
            .get(number as usize)
            .is_none_or(|i| matches!(i.inst.target(), Target::Gfx942 | Target::Gfx950));
        let severity = if h.order == Order::ByL1 { Severity::Advice } else { Severity::Error };
        let at = At { number, other: Some(other), lane: Some(h.lane), address: Some(h.address) };
        self.report(severity, h.kind, None, at, |w| {
            let who = if same_group {
                format!("wave {their_wave} of the same workgroup")
            } else {
                format!("wave {their_wave} of workgroup number {their_group}")
            };
            let verb = if h.read_of { "loads" } else { "stores" };
            if h.order == Order::ByL1 {
                let text = w.text(other);
                let message = format!(
                    "{mine} {:#x}, which {who} {verb} with `{text}` and does not wait for: another of its waves goes on to release it, so the order of its compute unit's L1 is all there is",
                    h.address,
                    mine = if h.write { "stores to" } else { "loads from" },
                );
                return (Some("s_waitcnt vmcnt(0) in front of the other workgroup's s_barrier".to_owned()), message);
            }
            let mine = if h.write { "stores to" } else { "loads from" };
            let text = w.text(other);
            if h.stamp.at & SCALAR != 0 && !h.read_of {
                let message = format!(
                    "{mine} {:#x}, which {who} {verb} with `{text}`, and nothing writes that back from the scalar cache first",
                    h.address
                );
                return (Some("s_dcache_wb and s_waitcnt lgkmcnt(0) in front of what the other wave tells this one with".to_owned()), message);
            }
            match h.kind {
                Kind::StaleRead if scalar => (
                    Some(if scoped {
                        "s_waitcnt, buffer_inv sc1 where each die has an L2, and s_dcache_inv before the load".to_owned()
                    } else {
                        "s_waitcnt and s_dcache_inv before the load".to_owned()
                    }),
                    format!(
                        "{mine} {:#x}, which {who} {verb} with `{text}`: ordered, but the scalar cache or what is behind it may still hold what was there before",
                        h.address
                    ),
                ),
                Kind::StaleRead => (
                    Some(if scoped {
                        "s_waitcnt vmcnt(0), then buffer_inv sc1, before the load; or sc1 on the load".to_owned()
                    } else {
                        "s_waitcnt vmcnt(0), then buffer_wbinvl1, before the load; or glc on the load".to_owned()
                    }),
                    format!(
                        "{mine} {:#x}, which {who} {verb} with `{text}`: ordered, but caches may still hold what was there before",
                        h.address
                    ),
                ),
                _ => {
                    let need = if same_group {
                        "s_waitcnt vmcnt(0) and s_barrier between".to_owned()
                    } else if !scoped {
                        "a release (s_waitcnt vmcnt(0), then a store or atomic) and an acquire (load with glc or atomic, s_waitcnt, buffer_wbinvl1) between".to_owned()
                    } else if dies && !h.read_of {
                        "sc1 on both, or a release and an acquire between".to_owned()
                    } else {
                        "a release (buffer_wbl2 sc1, s_waitcnt, store or atomic with sc1) and an acquire (load with sc1, s_waitcnt, buffer_inv sc1) between".to_owned()
                    };
                    (Some(need), format!("{mine} {:#x}, which {who} {verb} with `{text}`, and nothing orders the two", h.address))
                }
            }
        });
    }
}

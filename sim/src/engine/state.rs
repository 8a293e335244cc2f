//! What a wave and a workgroup are made of while they run.

use super::ir::{S, Segment, Touched, V};
use super::lanes::Lanes;
use super::lower::Mode;
use std::collections::VecDeque;
use std::sync::Arc;

/// Where a wave stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Can go on.
    Ready,
    /// Waits for the workgroup.
    Barrier,
    /// Has ended.
    Done,
}

/// A load into LDS whose data has not landed yet.
///
/// It lands at the wait that covers it, as late as the program allows: on silicon the data takes hundreds of cycles,
/// and shipping kernels read the old contents meanwhile, in the waves beside the one that loads too. But what was asked
/// for before a barrier does not come later than what was asked for behind it: a wave that has waited for the latter
/// finds the former in LDS, and shipping kernels rely on that too.
#[derive(Debug)]
pub struct InFlight {
    /// Number of the instruction among the wave's vector memory instructions.
    pub number: u64,
    /// What it brings.
    pub data: Landing,
    /// The lowest and the highest of the addresses.
    span: (u32, u32),
}

/// What a load into LDS brings, and where to.
#[derive(Debug)]
pub enum Landing {
    /// Each dword with its LDS byte address.
    Words(Vec<(u32, u32)>),
    /// Dwords one after another from an LDS byte address: what a wave brings whose lanes are all on.
    Run(u32, Vec<u32>),
}

impl InFlight {
    /// Data that instruction `number` has asked for.
    pub fn new(number: u64, data: Landing) -> InFlight {
        let span = match &data {
            Landing::Words(words) => {
                words.iter().fold((u32::MAX, 0), |(low, high), (at, _)| (low.min(*at), high.max(*at)))
            }
            Landing::Run(at, words) => (*at, at.saturating_add(4 * (words.len() as u32).saturating_sub(1))),
        };
        InFlight { number, data, span }
    }

    /// What it brings to an LDS byte address: what its last lane there brings.
    pub fn brings(&self, address: u32) -> Option<u32> {
        if !(self.span.0..=self.span.1).contains(&address) {
            return None;
        }
        match &self.data {
            Landing::Words(words) => words.iter().rev().find(|(at, _)| *at == address).map(|(_, v)| *v),
            Landing::Run(at, words) => words.get((address - at) as usize / 4).copied(),
        }
    }

    /// Whether it goes to a place that the other goes to, or into gaps between those.
    pub fn overlaps(&self, other: &InFlight) -> bool {
        self.span.0 <= other.span.1 && other.span.0 <= self.span.1
    }
}

/// Zeroes registers, with the host's widest stores: `fill` is compiled to the narrowest.
fn clear(regs: &mut [Lanes]) {
    // SAFETY: any bits are lanes.
    unsafe { core::ptr::write_bytes(regs.as_mut_ptr(), 0, regs.len()) };
}

/// One wave: registers and place.
#[derive(Debug)]
pub struct Wave {
    /// VGPRs, then AGPRs.
    pub regs: Vec<Lanes>,
    /// Registers that are the wave's own: the others may hold what an earlier wave left there.
    pub own: Touched,
    /// Scalar file by operand encoding, temporaries above 128.
    pub s: [u32; S::FILE],
    /// Scalar condition code.
    pub scc: bool,
    /// MODE.
    pub mode: u32,
    /// TRAPSTS, kept only to be read back.
    pub trapsts: u32,
    /// Code it runs.
    pub segment: Arc<Segment>,
    /// Block it goes on at.
    pub block: u32,
    /// Status.
    pub status: Status,
    /// Number in the workgroup.
    pub index: u32,
    /// First byte of its scratch; 0 if it has none.
    pub scratch: u64,
    /// What it waits for at the global wave sync.
    pub waiting: Option<super::gws::Waiting>,
    /// Vector memory instructions issued.
    pub vm_issued: u64,
    /// Of these, before the barrier that it passed last.
    pub vm_at_barrier: u64,
    /// Loads into LDS that no wait has covered yet, oldest first.
    pub in_flight: VecDeque<InFlight>,
    /// Whether the others have had their turn before a wait that lands some of them.
    pub gave_way: bool,
    /// SGPRs that the dispatch has filled; the others hold anything.
    pub initial_sgprs: u8,
}

impl Wave {
    /// Clears the registers that the wave's code may touch and that are not its own yet.
    ///
    /// A register file that is used again is up to 128 KB, of which a short kernel touches a few.
    pub fn own_registers(&mut self) {
        let wanted = self.segment.touched;
        if self.own.covers(&wanted) {
            return;
        }
        if self.own == Touched::default() {
            clear(&mut self.regs[..usize::from(wanted.vgprs)]);
            clear(&mut self.regs[usize::from(wanted.agprs.0)..usize::from(wanted.agprs.1)]);
            self.own = wanted;
            return;
        }
        for (i, r) in self.regs.iter_mut().enumerate() {
            if !self.own.has(i) {
                *r = Lanes::ZERO;
            }
        }
        self.own = Touched { vgprs: self.regs.len() as u16, agprs: (0, 0) };
    }

    /// What a lane of a register holds, or `None` beyond the file.
    pub fn lane(&self, at: usize, lane: u32) -> Option<u32> {
        let value = self.regs.get(at)?.0[lane as usize];
        Some(if self.own.has(at) { value } else { 0 })
    }

    /// EXEC.
    #[inline(always)]
    pub fn exec(&self) -> u64 {
        self.pair(S::EXEC)
    }

    /// Two scalar registers.
    #[inline(always)]
    pub fn pair(&self, at: u8) -> u64 {
        let at = at as usize;
        u64::from(self.s[at]) | u64::from(self.s[at + 1]) << 32
    }

    /// Sets two scalar registers.
    #[inline(always)]
    pub fn set_pair(&mut self, at: u8, v: u64) {
        let at = at as usize;
        self.s[at] = v as u32;
        self.s[at + 1] = (v >> 32) as u32;
    }

    /// A scalar operand.
    #[inline(always)]
    pub fn s32(&self, s: S) -> u32 {
        let i = s.0 as usize;
        if i < 256 { self.s[i & 255] } else { self.segment.sconst[i - 256] }
    }

    /// A scalar operand of two words.
    #[inline(always)]
    pub fn s64(&self, s: S) -> u64 {
        let i = s.0 as usize;
        if i < 256 {
            self.pair(i as u8)
        } else {
            u64::from(self.segment.sconst[i - 256]) | u64::from(self.segment.sconst[i - 255]) << 32
        }
    }

    /// MODE as lowering sees it.
    pub fn lower_mode(&self) -> Mode {
        Mode::of(self.mode, self.s[S::M0 as usize]).landing(!self.in_flight.is_empty())
    }
}

/// One workgroup in flight.
#[derive(Debug)]
pub struct Group {
    /// Its id.
    pub id: [u32; 3],
    /// Its waves.
    pub waves: Vec<Wave>,
    /// LDS, with a guard so that wide accesses stay in the allocation.
    pub lds: Vec<u32>,
    /// LDS bytes that may be accessed.
    pub lds_bytes: u32,
    /// Compute unit it runs on.
    pub cu: u32,
    /// Die it runs on.
    pub xcc: u32,
    /// The turns that it has had.
    pub turns: u32,
    /// The event since which it has only waited for others, and turns it has been passed over since.
    pub parked: Option<(u64, u32)>,
    /// Whether it is stuck, as far as has been seen.
    pub watch: super::stall::Watch,
    /// The event since which it is known to be stuck.
    pub stuck_since: Option<u64>,
    /// Holds its scratch.
    pub scratch: Option<Arc<crate::memory::Allocation>>,
}

impl Group {
    /// Whether every wave has ended.
    pub fn is_done(&self) -> bool {
        self.waves.iter().all(|w| w.status == Status::Done)
    }

    /// A workgroup without waves or LDS, where an access needs one and touches none.
    pub fn empty() -> Group {
        Group {
            id: [0; 3],
            waves: Vec::new(),
            lds: Vec::new(),
            lds_bytes: 0,
            cu: 0,
            xcc: 0,
            turns: 0,
            parked: None,
            watch: Default::default(),
            stuck_since: None,
            scratch: None,
        }
    }
}

/// Pointers to the three places that a vector operand can be in.
#[derive(Clone, Copy, Debug)]
pub struct Bases(pub [*mut u32; 3]);

impl Bases {
    /// The operand's first lane.
    ///
    /// # Safety
    /// The bases are those of the wave and segment that the operand was lowered for.
    #[inline(always)]
    pub unsafe fn at(&self, v: V) -> *mut u32 {
        // SAFETY: lowering checked the index against the allocation, and the selector is below three.
        unsafe { self.0.get_unchecked(v.base()).add(v.index() * super::lanes::WAVE) }
    }
}

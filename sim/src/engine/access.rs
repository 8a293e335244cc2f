//! Vector memory, scalar memory and LDS accesses.
//!
//! Memory is shared with the host and with other worker threads while a kernel runs, so every access to it is made of
//! relaxed atomic dwords (bytes where an address is not aligned): a wide store may be seen torn between dwords, never
//! within one. Global atomics are the host's. LDS belongs to one workgroup, which one thread runs at a time, so plain
//! accesses do. A run of lanes at consecutive addresses, the usual case, is checked once and copied.

mod atomic;
mod exchange;
mod resource;
mod scalar;
mod strides;
mod words;

pub(crate) use atomic::atomic_words;
pub(crate) use resource::Resource;
pub(super) use strides::Strides;
pub(super) use words::{
    copy_in_plain, copy_out_plain, half, load_dword, load_half, load8, store_dword, store_half, store8,
};

use super::ir::{Access, Address, MemOp, S};
use super::lanes::{WAVE, masks};
use super::run::{Trouble, Worker};
use super::state::{Bases, Group, InFlight, Landing, Wave};
use super::typed::is_typed;
use crate::aperture::{PRIVATE_BASE, SHARED_BASE};
use crate::fault::FaultKind;
use wavesmith_asm::sem::{Atomic, Mem, Space};
use words::{copy_in, copy_out};

type Result<T> = core::result::Result<T, Trouble>;

/// Where one lane's bytes are.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In host memory, one after another.
    Linear(*mut u8),
    /// In LDS, at that byte.
    Lds(u32),
    /// In scratch: base of the wave's, offset of the lane's.
    Scratch(u64, u32),
    /// Out of a buffer's bounds: loads give 0, stores do nothing.
    Nowhere,
}

/// Bytes that a lane moves.
pub(crate) fn bytes(m: Mem) -> u32 {
    match m {
        Mem::U8 | Mem::I8 | Mem::U8D16(_) | Mem::I8D16(_) => 1,
        Mem::U16 | Mem::I16 | Mem::B16D16(_) => 2,
        Mem::Dwords(n) => 4 * u32::from(n),
        Mem::Format(n) => 4 * u32::from(n),
        Mem::FormatD16(n) => 2 * u32::from(n),
        Mem::FormatD16Hi => 2,
    }
}

impl Worker<'_> {
    /// The host pointer of an access to global memory.
    #[inline(always)]
    fn resolve(&mut self, address: u64, size: u32, lane: u32) -> Result<*mut u8> {
        if self.watching {
            self.notice(address);
        }
        match self.view.resolve(address, size as usize) {
            Ok(p) => Ok(p),
            Err(e) => Err(Trouble {
                kind: FaultKind::Memory,
                message: e.to_string(),
                lane: Some(lane),
                address: Some(address),
            }),
        }
    }

    /// Remembers that memory was touched which somebody outside the dispatch may write.
    #[cold]
    pub(super) fn notice(&mut self, address: u64) {
        use crate::memory::Kind;
        self.may_hear |= self.view.allocation(address).is_none_or(|a| {
            matches!(
                a.kind(),
                Kind::HostFine
                    | Kind::HostCoarse
                    | Kind::DeviceFine
                    | Kind::Uncached
                    | Kind::Registered
                    | Kind::Runtime
            )
        });
    }

    /// Executes a vector memory or LDS operation.
    ///
    /// # Safety
    /// `bases` are those of `wave`, for which `op` was lowered.
    pub(crate) unsafe fn memory(&mut self, group: &mut Group, wave: usize, op: &MemOp, bases: Bases) -> Result<()> {
        if op.space != Space::Lds {
            group.waves[wave].vm_issued += 1;
        }
        // SAFETY: passed on.
        unsafe { self.counted(group, wave, op, bases) }
    }

    /// [`memory`](Worker::memory) of an instruction that has been counted.
    ///
    /// # Safety
    /// As there.
    pub(super) unsafe fn counted(&mut self, group: &mut Group, wave: usize, op: &MemOp, bases: Bases) -> Result<()> {
        let exec = group.waves[wave].exec();
        if exec == 0 {
            return Ok(());
        }
        if let Access::Ds(d) = op.access {
            // SAFETY: passed on.
            return unsafe { self.ds(group, wave, op, d, bases) };
        }
        if is_typed(op.access) {
            // SAFETY: passed on.
            return unsafe { self.typed(group, wave, op, bases, exec) };
        }
        if exec == u64::MAX && op.space != Space::Lds {
            // SAFETY: passed on.
            if unsafe { self.contiguous(group, wave, op, bases)? } {
                return Ok(());
            }
        }
        // SAFETY: passed on, for both.
        let done = unsafe {
            match self.watch {
                // What watches wants to see every lane, or LDS all at once.
                Some(_) => op.space == Space::Lds && exec == u64::MAX && self.lds_fast(group, op, bases),
                None => self.scattered(group, wave, op, bases, exec)?,
            }
        };
        if done {
            return Ok(());
        }
        // SAFETY: passed on.
        unsafe { self.lanes(group, wave, op, bases, exec) }
    }

    /// All lanes at consecutive addresses, whole dwords: one check and a copy. False if it is not so.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    unsafe fn contiguous(&mut self, group: &Group, wave: usize, op: &MemOp, bases: Bases) -> Result<bool> {
        let (n, store) = match op.access {
            Access::Load(Mem::Dwords(n)) => (u32::from(n), false),
            Access::Store(Mem::Dwords(n)) => (u32::from(n), true),
            _ => return Ok(false),
        };
        let w = &group.waves[wave];
        // SAFETY: for the block, operands were lowered for this wave.
        let start = unsafe {
            match op.address {
                Address::Wide(v) => {
                    let (lo, hi) = (bases.at(v), bases.at(v.next(1)));
                    // Apertures are far above host memory.
                    if *hi >= (SHARED_BASE >> 32) as u32 || !masks::contiguous(self.level, lo, hi, 4 * n) {
                        return Ok(false);
                    }
                    (u64::from(*lo) | u64::from(*hi) << 32).wrapping_add(op.offset as i64 as u64)
                }
                Address::Base(s, v) => {
                    let lo = bases.at(v);
                    if !masks::contiguous32(self.level, lo, 4 * n) {
                        return Ok(false);
                    }
                    w.s64(s).wrapping_add(u64::from(*lo)).wrapping_add(op.offset as i64 as u64)
                }
                Address::Buffer { resource, soffset, index: None, offset: Some(v) } => {
                    let lo = bases.at(v);
                    if !masks::contiguous32(self.level, lo, 4 * n) {
                        return Ok(false);
                    }
                    match Resource::read(w, resource).run(*lo, op.offset as u32, w.s32(soffset), 4 * n) {
                        Some(a) => a,
                        None => return Ok(false),
                    }
                }
                _ => return Ok(false),
            }
        };
        if start % 4 != 0 {
            return Ok(false);
        }
        if self.watching {
            self.notice(start);
        }
        let size = 256 * n;
        let Ok(p) = self.view.resolve(start, size as usize) else {
            // The slow way finds the first lane that is wrong.
            return Ok(false);
        };
        self.strides.access((core::ptr::from_ref(op) as usize / size_of::<MemOp>(), wave), start, size);
        // SAFETY: the whole range is mapped and aligned to dwords, and the registers are the wave's.
        unsafe {
            let host = p as u64;
            let p = match &mut self.watch {
                Some(w) => w.range(host, u64::from(size), store),
                None => p,
            };
            if store {
                let d = bases.at(op.data);
                copy_out(self.level, p, d, n as usize);
                if let Some(w) = &mut self.watch {
                    w.stored(host, u64::from(size));
                }
            } else {
                let d = bases.at(op.dst);
                copy_in(self.level, d, p, n as usize);
            }
        }
        Ok(true)
    }

    /// LDS accesses of whole dwords with all lanes on and in bounds.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    unsafe fn lds_fast(&mut self, group: &mut Group, op: &MemOp, bases: Bases) -> bool {
        let Address::Lds(v) = op.address else { return false };
        let (n, store) = match op.access {
            Access::Load(Mem::Dwords(n)) => (usize::from(n), false),
            Access::Store(Mem::Dwords(n)) => (usize::from(n), true),
            _ => return false,
        };
        // SAFETY: the operand was lowered for this wave.
        let addresses = unsafe { core::slice::from_raw_parts(bases.at(v), WAVE) };
        let (mut worst, mut low) = (0, 0);
        for a in addresses {
            worst = worst.max(*a);
            low |= *a;
        }
        let offset = op.offset as u32;
        if (low | offset) & 3 != 0 || u64::from(worst) + u64::from(offset) + 4 * n as u64 > u64::from(group.lds_bytes) {
            return false;
        }
        let base = (offset / 4) as usize;
        let lds = &group.lds;
        let again = self.watch.as_mut().is_some_and(|w| {
            let same = |lane: usize, k: usize| {
                // SAFETY: who watches asks of stores alone, whose data registers are the wave's.
                let new = unsafe { *bases.at(op.data.next(k as u16)).add(lane) };
                lds[(addresses[lane] / 4) as usize + base + k] == new
            };
            w.lds_fast(addresses, offset, n, store, same)
        });
        if store {
            for r in 0..n {
                // SAFETY: data registers are the wave's.
                let data = unsafe { core::slice::from_raw_parts(bases.at(op.data.next(r as u16)), WAVE) };
                for (a, d) in addresses.iter().zip(data) {
                    group.lds[(*a / 4) as usize + base + r] = *d;
                }
                if again {
                    let differs = |(a, d): (&u32, &u32)| group.lds[(*a / 4) as usize + base + r] != *d;
                    if let Some(lane) = addresses.iter().zip(data).position(differs)
                        && let Some(w) = &mut self.watch
                    {
                        w.lds_differs(addresses[lane] + offset, lane as u32);
                    }
                }
            }
        } else {
            // Addresses may be the destination: read them all before any is overwritten.
            let at: [u32; WAVE] = core::array::from_fn(|i| addresses[i] / 4);
            for r in 0..n {
                // SAFETY: destination registers are the wave's.
                let dst = unsafe { bases.at(op.dst.next(r as u16)) };
                for (i, a) in at.iter().enumerate() {
                    let v = group.lds[*a as usize + base + r];
                    // SAFETY: a lane of that register.
                    unsafe { *dst.add(i) = v };
                }
            }
        }
        true
    }

    /// Where a lane's bytes are.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    pub(super) unsafe fn place(
        &mut self,
        w: &Wave,
        op: &MemOp,
        bases: Bases,
        lane: u32,
        size: u32,
        resource: Option<&Resource>,
    ) -> Result<Place> {
        // SAFETY: operands were lowered for this wave, lanes are below 64.
        let at = |v: super::ir::V| unsafe { *bases.at(v).add(lane as usize) };
        let address = match op.address {
            Address::Wide(v) => {
                let a = u64::from(at(v)) | u64::from(at(v.next(1))) << 32;
                let a = a.wrapping_add(op.offset as i64 as u64);
                if op.space == Space::Flat {
                    if a >> 32 == SHARED_BASE >> 32 {
                        return Ok(Place::Lds(a as u32));
                    }
                    if a >> 32 == PRIVATE_BASE >> 32 {
                        return Ok(Place::Scratch(w.scratch, a as u32));
                    }
                }
                a
            }
            Address::Base(s, v) => w.s64(s).wrapping_add(u64::from(at(v))).wrapping_add(op.offset as i64 as u64),
            Address::Lds(v) => return Ok(Place::Lds(at(v).wrapping_add(op.offset as u32))),
            Address::LdsM0 => {
                let m0 = self.lds_m0(w);
                return Ok(Place::Lds(m0.wrapping_add(op.offset as u32).wrapping_add(4 * lane)));
            }
            Address::Scratch(v, s) => {
                let offset = v.map_or(0, at).wrapping_add(s.map_or(0, |s| w.s32(s))).wrapping_add(op.offset as u32);
                // FLAT_SCRATCH says where the wave's scratch is.
                return Ok(Place::Scratch(w.pair(102), offset));
            }
            Address::Buffer { soffset, index, offset, .. } => {
                let Some(r) = resource else { return Ok(Place::Nowhere) };
                let offset = u64::from(offset.map_or(0, at)) + u64::from(op.offset as u32);
                match r.address(index.map(at), offset, w.s32(soffset), lane, size) {
                    Some(a) => a,
                    None => return Ok(Place::Nowhere),
                }
            }
        };
        Ok(Place::Linear(self.resolve(address, size, lane)?))
    }

    /// One dword (or part of it) at `place`, `k` bytes on.
    pub(super) fn read(&mut self, group: &Group, place: Place, k: u32, size: u32, lane: u32) -> Result<u32> {
        Ok(match place {
            Place::Nowhere => 0,
            Place::Linear(p) => {
                let p = p.wrapping_add(k as usize);
                if let Some(w) = &mut self.watch {
                    return Ok(w.read(p as u64, size, lane));
                }
                match size {
                    1 => u32::from(load8(p)),
                    2 => load_half(p),
                    _ => load_dword(p),
                }
            }
            Place::Lds(a) => {
                if let Some(w) = &mut self.watch {
                    w.lds(a.wrapping_add(k), size, lane, false, |_| false);
                }
                let mut v = 0;
                for i in 0..size {
                    let at = a.wrapping_add(k).wrapping_add(i);
                    // Reads beyond the allocation give 0, as the hardware's do.
                    let byte =
                        if at < group.lds_bytes { group.lds[(at / 4) as usize] >> (8 * (at % 4)) & 0xff } else { 0 };
                    v |= byte << (8 * i);
                }
                v
            }
            Place::Scratch(base, offset) => {
                let mut v = 0;
                for i in 0..size {
                    let p = self.scratch(base, offset.wrapping_add(k + i), lane)?;
                    if let Some(w) = &mut self.watch {
                        w.private(p as u64, lane, i, false);
                    }
                    v |= u32::from(load8(p)) << (8 * i);
                }
                v
            }
        })
    }

    pub(super) fn write(
        &mut self,
        group: &mut Group,
        place: Place,
        k: u32,
        size: u32,
        lane: u32,
        v: u32,
    ) -> Result<()> {
        match place {
            Place::Nowhere => {}
            Place::Linear(p) => {
                let p = p.wrapping_add(k as usize);
                if let Some(w) = &mut self.watch {
                    w.write(p as u64, size, lane, v);
                    return Ok(());
                }
                match size {
                    1 => store8(p, v as u8),
                    2 => store_half(p, v),
                    _ => store_dword(p, v),
                }
            }
            Place::Lds(a) => {
                let lds = &group.lds;
                let same = |at: u32| {
                    let shift = 8 * at.wrapping_sub(a.wrapping_add(k));
                    lds.get((at / 4) as usize).is_some_and(|w| w >> (8 * (at % 4)) & 0xff == v >> shift & 0xff)
                };
                let again = self.watch.as_mut().is_some_and(|w| w.lds(a.wrapping_add(k), size, lane, true, same));
                for i in 0..size {
                    let at = a.wrapping_add(k).wrapping_add(i);
                    if at < group.lds_bytes {
                        let word = &mut group.lds[(at / 4) as usize];
                        let shift = 8 * (at % 4);
                        if again
                            && (*word >> shift ^ v >> (8 * i)) & 0xff != 0
                            && let Some(w) = &mut self.watch
                        {
                            w.lds_differs(at, lane);
                        }
                        *word = *word & !(0xff << shift) | (v >> (8 * i) & 0xff) << shift;
                    }
                }
            }
            Place::Scratch(base, offset) => {
                for i in 0..size {
                    let p = self.scratch(base, offset.wrapping_add(k + i), lane)?;
                    if let Some(w) = &mut self.watch {
                        w.private(p as u64, lane, i, true);
                    }
                    store8(p, (v >> (8 * i)) as u8);
                }
            }
        }
        Ok(())
    }

    /// A byte of a lane's scratch, whose dwords alternate with the other lanes'.
    fn scratch(&mut self, base: u64, offset: u32, lane: u32) -> Result<*mut u8> {
        if base == 0 || offset >= self.shared.scratch_bytes {
            return Err(Trouble {
                kind: FaultKind::Memory,
                message: format!(
                    "offset {offset:#x} is beyond the {} bytes of scratch that the dispatch gives each work-item",
                    self.shared.scratch_bytes
                ),
                lane: Some(lane),
                address: None,
            });
        }
        let at = base + u64::from(offset / 4) * 256 + u64::from(lane) * 4 + u64::from(offset % 4);
        self.resolve(at, 1, lane)
    }

    /// Lane by lane, in lane order.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    unsafe fn lanes(&mut self, group: &mut Group, wave: usize, op: &MemOp, bases: Bases, exec: u64) -> Result<()> {
        let resource = match op.address {
            Address::Buffer { resource, .. } => Some(Resource::read(&group.waves[wave], resource)),
            _ => None,
        };
        // Addresses and data may be overwritten by the destination: lanes are independent, and within a lane all is
        // read before anything is written.
        let mut landing = Vec::new();
        let mut rest = exec;
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let i = lane as usize;
            // SAFETY: for the whole loop, operands were lowered for this wave.
            unsafe {
                match op.access {
                    Access::Load(m) => {
                        let total = bytes(m);
                        // Dwords of a buffer are bounds-checked one by one.
                        let each = if resource.is_some() { total.min(4) } else { total };
                        let mut words = [0u32; 4];
                        let mut first = Place::Nowhere;
                        for k in 0..total.div_ceil(4) {
                            if resource.is_some() || k == 0 {
                                let shifted = MemOp { offset: op.offset.wrapping_add(4 * k as i32), ..*op };
                                let place = self.place(
                                    &group.waves[wave],
                                    if k == 0 { op } else { &shifted },
                                    bases,
                                    lane,
                                    each,
                                    resource.as_ref(),
                                )?;
                                first = place;
                            }
                            let at = if resource.is_some() { 0 } else { 4 * k };
                            words[k as usize] = self.read(group, first, at, total.min(4), lane)?;
                        }
                        let dst = bases.at(op.dst).add(i);
                        let v = words[0];
                        match m {
                            Mem::I8 => *dst = v as u8 as i8 as i32 as u32,
                            Mem::I16 => *dst = v as u16 as i16 as i32 as u32,
                            Mem::U8D16(hi) | Mem::B16D16(hi) => *dst = half(v & 0xffff, hi),
                            Mem::I8D16(hi) => *dst = half(v as u8 as i8 as i16 as u16 as u32, hi),
                            Mem::Dwords(n) => {
                                for (k, w) in words.iter().enumerate().take(n as usize) {
                                    *dst.add(k * WAVE) = *w;
                                }
                            }
                            _ => *dst = v,
                        }
                    }
                    Access::Store(m) => {
                        let total = bytes(m);
                        let mut data = [0u32; 4];
                        for (k, d) in data.iter_mut().enumerate().take(total.div_ceil(4) as usize) {
                            *d = *bases.at(op.data.next(k as u16)).add(i);
                        }
                        if matches!(m, Mem::U8D16(true) | Mem::B16D16(true)) {
                            data[0] >>= 16;
                        }
                        let each = if resource.is_some() { total.min(4) } else { total };
                        let mut first = Place::Nowhere;
                        for k in 0..total.div_ceil(4) {
                            if resource.is_some() || k == 0 {
                                let shifted = MemOp { offset: op.offset.wrapping_add(4 * k as i32), ..*op };
                                first = self.place(
                                    &group.waves[wave],
                                    if k == 0 { op } else { &shifted },
                                    bases,
                                    lane,
                                    each,
                                    resource.as_ref(),
                                )?;
                            }
                            let at = if resource.is_some() { 0 } else { 4 * k };
                            self.write(group, first, at, total.min(4), lane, data[k as usize])?;
                        }
                    }
                    Access::LoadLds(m) => {
                        let total = bytes(m);
                        let mut words = [0u32; 4];
                        for k in 0..total.div_ceil(4) {
                            // As for registers: dwords of a buffer are bounds-checked one by one.
                            let part = MemOp { offset: op.offset.wrapping_add(4 * k as i32), ..*op };
                            let size = total.min(4);
                            let place = self.place(&group.waves[wave], &part, bases, lane, size, resource.as_ref())?;
                            words[k as usize] = self.read(group, place, 0, size, lane)?;
                        }
                        match m {
                            Mem::I8 => words[0] = words[0] as u8 as i8 as i32 as u32,
                            Mem::I16 => words[0] = words[0] as u16 as i16 as i32 as u32,
                            _ => {}
                        }
                        let m0 = self.lds_m0(&group.waves[wave]);
                        let n = total.div_ceil(4);
                        let to = m0.wrapping_add(op.offset as u32).wrapping_add(4 * n * lane);
                        if let Some(w) = &mut self.watch {
                            let others = group.waves.iter().enumerate().filter(|(w, _)| *w != wave);
                            let under_way = others.flat_map(|(_, w)| &w.in_flight);
                            w.lds_dma(to, n, lane, |k, landed| {
                                let (at, new) = (to.wrapping_add(4 * k), words[k as usize]);
                                let mut others = under_way.clone().filter_map(|f| f.brings(at));
                                others.all(|v| v == new) && (!landed || group.lds.get(at as usize / 4) == Some(&new))
                            });
                        }
                        landing.extend((0..n).map(|k| (to.wrapping_add(4 * k), words[k as usize])));
                    }
                    Access::StoreLds => {
                        let m0 = self.lds_m0(&group.waves[wave]);
                        let from = Place::Lds(m0.wrapping_add(op.offset as u32).wrapping_add(4 * lane));
                        let v = self.read(group, from, 0, 4, lane)?;
                        let place = self.place(&group.waves[wave], op, bases, lane, 4, resource.as_ref())?;
                        self.write(group, place, 0, 4, lane, v)?;
                    }
                    Access::Atomic { op: a, ty, ret } => {
                        let words = atomic_words(a, ty);
                        let load = |v: super::ir::V| {
                            let lo = u64::from(*bases.at(v).add(i));
                            if words == 2 { lo | u64::from(*bases.at(v.next(1)).add(i)) << 32 } else { lo }
                        };
                        let data = load(op.data);
                        let data1 = match (op.space, a) {
                            // The value to compare with follows the new one.
                            (Space::Lds, _) => load(op.data1),
                            (_, Atomic::CmpSwap) => load(op.data.next(words as u16)),
                            _ => 0,
                        };
                        let place = self.place(&group.waves[wave], op, bases, lane, 4 * words, resource.as_ref())?;
                        let flush = self.flush(group.waves[wave].mode, place, a, ty);
                        let old = self.atomic(group, place, (a, ty, flush), words, lane, data, data1)?;
                        if ret {
                            let dst = bases.at(op.dst).add(i);
                            *dst = old as u32;
                            if words == 2 {
                                *dst.add(WAVE) = (old >> 32) as u32;
                            }
                        }
                    }
                    Access::Src2 { op: a, ty } => {
                        let Address::Lds(v) = op.address else { continue };
                        let address = *bases.at(v).add(i);
                        // Dwords from the first operand to the second: the immediate's fifteen bits, signed, or the
                        // top of the address itself.
                        let imm = op.offset as u32;
                        let apart =
                            if imm >> 15 & 1 == 1 { (address as i32) >> 17 } else { ((imm << 17) as i32) >> 17 };
                        let words = atomic_words(a, ty);
                        let base = address & 0x1_ffff;
                        let second = Place::Lds(base.wrapping_add((4 * apart) as u32));
                        let mut data = 0;
                        for k in 0..words {
                            data |= u64::from(self.read(group, second, 4 * k, 4, lane)?) << (32 * k);
                        }
                        let flush = self.flush(group.waves[wave].mode, Place::Lds(base), a, ty);
                        self.atomic(group, Place::Lds(base), (a, ty, flush), words, lane, data, 0)?;
                    }
                    Access::Load2(n) | Access::Exchange2(n) => {
                        let n = u32::from(n);
                        let exchange = matches!(op.access, Access::Exchange2(_));
                        let Place::Lds(a) =
                            self.place(&group.waves[wave], &MemOp { offset: 0, ..*op }, bases, lane, 4, None)?
                        else {
                            continue;
                        };
                        let mut out = [0u32; 4];
                        for (h, offset) in [op.offset, op.offset1].into_iter().enumerate() {
                            let place = Place::Lds(a.wrapping_add(offset as u32));
                            for k in 0..n {
                                out[h * n as usize + k as usize] = self.read(group, place, 4 * k, 4, lane)?;
                                if exchange {
                                    let data = if h == 0 { op.data } else { op.data1 };
                                    let v = *bases.at(data.next(k as u16)).add(i);
                                    self.write(group, place, 4 * k, 4, lane, v)?;
                                }
                            }
                        }
                        for (k, v) in out.iter().enumerate().take(2 * n as usize) {
                            *bases.at(op.dst.next(k as u16)).add(i) = *v;
                        }
                    }
                    Access::Store2(n) => {
                        let Place::Lds(a) =
                            self.place(&group.waves[wave], &MemOp { offset: 0, ..*op }, bases, lane, 4, None)?
                        else {
                            continue;
                        };
                        for (offset, data) in [(op.offset, op.data), (op.offset1, op.data1)] {
                            for k in 0..u32::from(n) {
                                let v = *bases.at(data.next(k as u16)).add(i);
                                self.write(group, Place::Lds(a.wrapping_add(offset as u32)), 4 * k, 4, lane, v)?;
                            }
                        }
                    }
                    Access::Ds(_) => {}
                }
            }
        }
        self.landing(group, wave, Landing::Words(landing));
        Ok(())
    }

    /// Remembers data on its way to LDS.
    pub(super) fn landing(&mut self, group: &mut Group, wave: usize, data: Landing) {
        if !matches!(&data, Landing::Words(words) if words.is_empty()) {
            let w = &mut group.waves[wave];
            w.in_flight.push_back(InFlight::new(w.vm_issued, data));
        }
    }

    /// Lands the wave's loads into LDS up to the vector memory instruction of number `covered`.
    pub(super) fn land(&mut self, group: &mut Group, wave: usize, covered: u64) -> Result<()> {
        while group.waves[wave].in_flight.front().is_some_and(|f| f.number <= covered) {
            let Some(f) = group.waves[wave].in_flight.pop_front() else { break };
            // Where waves load to the same place at once, data comes as it was asked for: shipping kernels load more
            // than they need, beyond the end of a row, and rely on what is loaded later to be there in the end.
            if self.watch.is_none() {
                for other in (0..group.waves.len()).filter(|w| *w != wave) {
                    let mut at = 0;
                    while let Some(g) = group.waves[other].in_flight.get(at).filter(|g| g.number < f.number) {
                        if g.overlaps(&f)
                            && let Some(g) = group.waves[other].in_flight.remove(at)
                        {
                            self.arrive(group, g)?;
                        } else {
                            at += 1;
                        }
                    }
                }
            }
            self.arrive(group, f)?;
        }
        Ok(())
    }

    /// Lands what the other waves asked for before the barrier behind which this one has asked for what it waits for.
    pub(super) fn land_of_others(&mut self, group: &mut Group, wave: usize) -> Result<()> {
        for other in (0..group.waves.len()).filter(|w| *w != wave) {
            let before = group.waves[other].vm_at_barrier;
            self.land(group, other, before)?;
        }
        Ok(())
    }

    /// Puts data into LDS.
    fn arrive(&mut self, group: &mut Group, f: InFlight) -> Result<()> {
        match f.data {
            Landing::Words(words) => {
                for (at, v) in words {
                    self.arrive_word(group, at, v)?;
                }
            }
            Landing::Run(at, words) => {
                let end = at.saturating_add(4 * words.len() as u32);
                if at.is_multiple_of(4) && end <= group.lds_bytes {
                    group.lds[(at / 4) as usize..(end / 4) as usize].copy_from_slice(&words);
                } else {
                    for (k, v) in words.iter().enumerate() {
                        self.arrive_word(group, at.wrapping_add(4 * k as u32), *v)?;
                    }
                }
                self.spare.push(words);
            }
        }
        Ok(())
    }

    fn arrive_word(&mut self, group: &mut Group, at: u32, v: u32) -> Result<()> {
        // Whole dwords inside the allocation, which is what there is but for faults. Who watches sees each.
        if self.watch.is_none() && at.is_multiple_of(4) && at.saturating_add(4) <= group.lds_bytes {
            group.lds[(at / 4) as usize] = v;
            return Ok(());
        }
        self.write(group, Place::Lds(at), 0, 4, 0, v)
    }

    /// The LDS base in M0: sixteen bits, and eighteen where LDS is larger than they reach.
    pub(super) fn lds_m0(&self, w: &Wave) -> u32 {
        let bits = if self.shared.layout.target == wavesmith_asm::Target::Gfx950 { 0x3_ffff } else { 0xffff };
        w.s[S::M0 as usize] & bits
    }
}

//! Accesses of lanes at addresses of their own: checked together, then moved without a look back.
//!
//! Lanes of a wave read rows of a matrix, columns of LDS, elements of a gather: seldom one run of bytes, nearly always
//! one allocation. The span of their addresses is checked once, and what is left is a load and a store a lane. What
//! does not fit (several allocations, misaligned dwords, swizzled buffers, scratch) goes lane by lane in `access`, which
//! also finds the lane to blame.

use super::access::{Resource, bytes, half, load_dword, load_half, load8, store_dword, store_half, store8};
use super::ir::{Access, Address, MemOp};
use super::lanes::{Lanes, Level, WAVE, masks};
use super::run::{Trouble, Worker};
use super::state::{Bases, Group, Landing};
use crate::aperture::{PRIVATE_BASE, SHARED_BASE};
use wavesmith_asm::sem::{Mem, Space};

/// Where lanes access: a host pointer, and each lane's distance from it. Lanes that are off have the distance of one
/// that is on, so that reading for them harms nobody.
struct Spots {
    at: *mut u8,
    lanes: [u32; WAVE],
}

impl Worker<'_> {
    /// Loads and stores whose lanes all touch one allocation, or LDS within its bounds. False, and nothing is done, if it
    /// is not so.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    pub(super) unsafe fn scattered(
        &mut self,
        group: &mut Group,
        wave: usize,
        op: &MemOp,
        bases: Bases,
        exec: u64,
    ) -> Result<bool, Trouble> {
        let size = match op.access {
            Access::Load(m) | Access::Store(m) | Access::LoadLds(m)
                if !matches!(m, Mem::Format(_) | Mem::FormatD16(_) | Mem::FormatD16Hi) =>
            {
                bytes(m)
            }
            Access::Load2(n) | Access::Store2(n) => 4 * u32::from(n),
            _ => return Ok(false),
        };
        // SAFETY: for the whole body, operands were lowered for this wave, `spots` gives places for `size` bytes a lane,
        // and registers are whole.
        unsafe {
            match op.access {
                Access::Load(Mem::Dwords(n)) => {
                    let Some(spots) = self.spots(group, wave, op, op.offset, bases, exec, size) else {
                        return Ok(false);
                    };
                    load(self.level, &spots, bases.at(op.dst), usize::from(n), exec);
                }
                Access::Store(Mem::Dwords(n)) => {
                    let Some(spots) = self.spots(group, wave, op, op.offset, bases, exec, size) else {
                        return Ok(false);
                    };
                    store(self.level, &spots, bases.at(op.data), usize::from(n), exec);
                }
                Access::Load2(n) => {
                    let first = self.spots(group, wave, op, op.offset, bases, exec, size);
                    let second = self.spots(group, wave, op, op.offset1, bases, exec, size);
                    let (Some(first), Some(second)) = (first, second) else { return Ok(false) };
                    load(self.level, &first, bases.at(op.dst), usize::from(n), exec);
                    load(self.level, &second, bases.at(op.dst.next(u16::from(n))), usize::from(n), exec);
                }
                Access::Store2(n) => {
                    let first = self.spots(group, wave, op, op.offset, bases, exec, size);
                    let second = self.spots(group, wave, op, op.offset1, bases, exec, size);
                    let (Some(first), Some(second)) = (first, second) else { return Ok(false) };
                    // Where a lane's second place is another's first, lane by lane gives another order.
                    if op.space == Space::Lds && overlap(&first, &second, size) {
                        return Ok(false);
                    }
                    store(self.level, &first, bases.at(op.data), usize::from(n), exec);
                    store(self.level, &second, bases.at(op.data1), usize::from(n), exec);
                }
                Access::Load(m) => {
                    let Some(spots) = self.spots(group, wave, op, op.offset, bases, exec, size) else {
                        return Ok(false);
                    };
                    let dst = bases.at(op.dst);
                    for i in lanes_of(exec) {
                        let p = spots.at.wrapping_add(spots.lanes[i] as usize);
                        let v = if size == 1 { u32::from(load8(p)) } else { load_half(p) };
                        *dst.add(i) = match m {
                            Mem::I8 => v as u8 as i8 as i32 as u32,
                            Mem::I16 => v as u16 as i16 as i32 as u32,
                            Mem::U8D16(hi) | Mem::B16D16(hi) => half(v & 0xffff, hi),
                            Mem::I8D16(hi) => half(v as u8 as i8 as i16 as u16 as u32, hi),
                            _ => v,
                        };
                    }
                }
                Access::Store(m) => {
                    let Some(spots) = self.spots(group, wave, op, op.offset, bases, exec, size) else {
                        return Ok(false);
                    };
                    let data = bases.at(op.data);
                    let shift = if matches!(m, Mem::U8D16(true) | Mem::B16D16(true)) { 16 } else { 0 };
                    for i in lanes_of(exec) {
                        let p = spots.at.wrapping_add(spots.lanes[i] as usize);
                        let v = *data.add(i) >> shift;
                        if size == 1 { store8(p, v as u8) } else { store_half(p, v) }
                    }
                }
                Access::LoadLds(Mem::Dwords(n)) if exec == u64::MAX => {
                    let Some(spots) = self.spots(group, wave, op, op.offset, bases, exec, size) else {
                        return Ok(false);
                    };
                    let to = self.lds_m0(&group.waves[wave]).wrapping_add(op.offset as u32);
                    let mut words = self.spare.pop().unwrap_or_default();
                    words.clear();
                    for i in 0..WAVE {
                        let p = spots.at.wrapping_add(spots.lanes[i] as usize);
                        words.extend((0..usize::from(n)).map(|k| load_dword(p.wrapping_add(4 * k))));
                    }
                    self.landing(group, wave, Landing::Run(to, words));
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Where the lanes that are on access `size` bytes each.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    #[allow(clippy::too_many_arguments)]
    unsafe fn spots(
        &mut self,
        group: &mut Group,
        wave: usize,
        op: &MemOp,
        offset: i32,
        bases: Bases,
        exec: u64,
        size: u32,
    ) -> Option<Spots> {
        let w = &group.waves[wave];
        let mut lanes = [0u32; WAVE];
        let first = exec.trailing_zeros() as usize;
        // SAFETY: for the whole block, operands were lowered for this wave, so that they are whole registers.
        let (base, span) = unsafe {
            match op.address {
                Address::Wide(v) => {
                    let high = bases.at(v.next(1));
                    let top = *high.add(first);
                    let aperture = top == (SHARED_BASE >> 32) as u32 || top == (PRIVATE_BASE >> 32) as u32;
                    if (op.space == Space::Flat && aperture) || !masks::uniform(self.level, high, top, exec) {
                        return None;
                    }
                    let span = masks::span(self.level, lanes.as_mut_ptr(), bases.at(v), exec);
                    ((u64::from(top) << 32).wrapping_add(offset as i64 as u64), span)
                }
                Address::Base(s, v) => {
                    let span = masks::span(self.level, lanes.as_mut_ptr(), bases.at(v), exec);
                    (w.s64(s).wrapping_add(offset as i64 as u64), span)
                }
                Address::Lds(v) => {
                    let span = masks::span(self.level, lanes.as_mut_ptr(), bases.at(v), exec);
                    if u64::from(span.1) + u64::from(offset as u32) + u64::from(size) > u64::from(group.lds_bytes) {
                        return None;
                    }
                    let at = group.lds.as_mut_ptr().cast::<u8>().wrapping_add(offset as u32 as usize);
                    return (aligned(span.2 | offset as u32, size)).then_some(Spots { at, lanes });
                }
                Address::Buffer { resource, soffset, index, offset: v } => {
                    let r = Resource::read(w, resource);
                    if (r.swizzle && r.stride != 0) || r.add_tid {
                        return None;
                    }
                    let soffset = w.s32(soffset);
                    let mut places = [0u32; WAVE];
                    for i in lanes_of(exec) {
                        let o = u64::from(v.map_or(0, |v| *bases.at(v).add(i))) + u64::from(offset as u32);
                        let x = index.map(|v| *bases.at(v).add(i));
                        // In bounds as a whole, so that dwords need no look of their own.
                        r.address(x, o, soffset, i as u32, size)?;
                        let at = u64::from(x.unwrap_or(0)) * u64::from(r.stride) + o;
                        places[i] = u32::try_from(at).ok()?;
                    }
                    let span = masks::span(self.level, lanes.as_mut_ptr(), places.as_ptr(), exec);
                    (r.base.wrapping_add(u64::from(soffset)), span)
                }
                _ => return None,
            }
        };
        let (least, most, bits) = span;
        if !aligned(base as u32 | bits, size) {
            return None;
        }
        let start = base.wrapping_add(u64::from(least));
        if self.watching {
            self.notice(start);
        }
        let p = self.view.resolve(start, (most - least) as usize + size as usize).ok()?;
        Some(Spots { at: p.wrapping_sub(least as usize), lanes })
    }
}

/// Whether addresses with these low bits suit elements of this size.
fn aligned(bits: u32, size: u32) -> bool {
    bits & (size.min(4) - 1) == 0
}

/// Lanes that are on, in order.
fn lanes_of(exec: u64) -> impl Iterator<Item = usize> {
    let mut rest = exec;
    core::iter::from_fn(move || {
        let i = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (i < WAVE).then_some(i)
    })
}

/// Whether any lane's second place may be another lane's first.
fn overlap(first: &Spots, second: &Spots, size: u32) -> bool {
    let range = |s: &Spots| {
        let (mut least, mut most) = (u32::MAX, 0);
        for l in &s.lanes {
            least = least.min(*l);
            most = most.max(*l);
        }
        (s.at as usize + least as usize, s.at as usize + most as usize + size as usize)
    };
    let (a, b) = (range(first), range(second));
    if a.1 <= b.0 || b.1 <= a.0 {
        return false;
    }
    // The usual pattern of two columns of a tile: every place is apart from every other.
    let mut places: Vec<usize> = Vec::with_capacity(2 * WAVE);
    places.extend(first.lanes.iter().map(|l| first.at as usize + *l as usize));
    places.extend(second.lanes.iter().map(|l| second.at as usize + *l as usize));
    places.sort_unstable();
    places.windows(2).any(|w| w[1] - w[0] < size as usize)
}

/// Dwords of every lane to `n` registers.
///
/// # Safety
/// Every place has `4·n` mapped bytes, aligned to dwords; `d` addresses `n` registers; the host offers `level`.
unsafe fn load(level: Level, s: &Spots, d: *mut u32, n: usize, exec: u64) {
    let mut held = [Lanes::ZERO; 4];
    let to = if exec == u64::MAX { d } else { held.as_mut_ptr().cast() };
    // SAFETY: for the whole body, as the caller vouches; a wave's four temporaries are as large as the largest access.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        let done = n == 4 && level == Level::Avx512;
        #[cfg(not(target_arch = "x86_64"))]
        let done = false;
        if done {
            #[cfg(target_arch = "x86_64")]
            super::lanes::avx512::gather4(to, s.at, &s.lanes);
        } else {
            match n {
                1 => load_n::<1>(to, s),
                2 => load_n::<2>(to, s),
                3 => load_n::<3>(to, s),
                _ => load_n::<4>(to, s),
            }
        }
        if exec != u64::MAX {
            for r in 0..n {
                masks::blend(level, d.add(r * WAVE), to.add(r * WAVE), exec);
            }
        }
    }
}

/// # Safety
/// As [`load`].
#[inline(always)]
unsafe fn load_n<const N: usize>(d: *mut u32, s: &Spots) {
    for (i, at) in s.lanes.iter().enumerate() {
        let p = s.at.wrapping_add(*at as usize);
        for r in 0..N {
            let v = load_dword(p.wrapping_add(4 * r));
            // SAFETY: as the caller vouches.
            unsafe { *d.add(r * WAVE + i) = v };
        }
    }
}

/// The reverse of [`load`], in lane order.
///
/// # Safety
/// As [`load`].
unsafe fn store(level: Level, s: &Spots, d: *const u32, n: usize, exec: u64) {
    // SAFETY: for the whole body, as the caller vouches.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if n == 4 && level == Level::Avx512 && exec == u64::MAX {
            return super::lanes::avx512::scatter4(s.at, &s.lanes, d);
        }
        let _ = level;
        for i in lanes_of(exec) {
            let p = s.at.wrapping_add(s.lanes[i] as usize);
            for r in 0..n {
                store_dword(p.wrapping_add(4 * r), *d.add(r * WAVE + i));
            }
        }
    }
}

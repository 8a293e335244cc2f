//! Vector memory, scalar memory and LDS accesses.
//!
//! Memory is shared with the host and with other worker threads while a kernel runs, so every access to it is made of
//! relaxed atomic dwords (bytes where an address is not aligned): a wide store may be seen torn between dwords, never
//! within one. Global atomics are the host's. LDS belongs to one workgroup, which one thread runs at a time, so plain
//! accesses do. A run of lanes at consecutive addresses, the usual case, is checked once and copied.

use super::ir::{Access, Address, MemOp, S, SmemOp};
use super::lanes::float::{bf16_to_f32, f16_op2, f32_to_bf16, flush16, flush32, flush64};
use super::lanes::{Level, WAVE, masks};
use super::run::{Trouble, Worker};
use super::state::{Bases, Group, InFlight, Wave};
use super::typed::is_typed;
use crate::aperture::{PRIVATE_BASE, SHARED_BASE};
use crate::fault::FaultKind;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use wavesmith_asm::sem::{Atomic, Ds, Elem, Mem, Space};

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

#[inline(always)]
pub(super) fn load8(p: *const u8) -> u8 {
    // SAFETY: the caller has checked that the byte is mapped; atomics of bytes need no alignment.
    unsafe { (*p.cast::<AtomicU8>()).load(Relaxed) }
}

#[inline(always)]
pub(super) fn load_dword(p: *const u8) -> u32 {
    if (p as usize).is_multiple_of(4) {
        // SAFETY: mapped, as the caller has checked, and aligned.
        unsafe { (*p.cast::<AtomicU32>()).load(Relaxed) }
    } else {
        // SAFETY: the caller has checked all four bytes.
        u32::from_le_bytes(core::array::from_fn(|i| load8(unsafe { p.add(i) })))
    }
}

#[inline(always)]
pub(super) fn store_dword(p: *mut u8, v: u32) {
    if (p as usize).is_multiple_of(4) {
        // SAFETY: mapped, as the caller has checked, and aligned.
        unsafe { (*p.cast::<AtomicU32>()).store(v, Relaxed) }
    } else {
        for (i, b) in v.to_le_bytes().into_iter().enumerate() {
            store8(p.wrapping_add(i), b);
        }
    }
}

#[inline(always)]
pub(super) fn store8(p: *mut u8, v: u8) {
    // SAFETY: the caller has checked that the byte is mapped.
    unsafe { (*p.cast::<AtomicU8>()).store(v, Relaxed) }
}

#[inline(always)]
pub(super) fn load_half(p: *const u8) -> u32 {
    if (p as usize).is_multiple_of(2) {
        // SAFETY: mapped, as the caller has checked, and aligned.
        u32::from(unsafe { (*p.cast::<AtomicU16>()).load(Relaxed) })
    } else {
        u32::from(load8(p)) | u32::from(load8(p.wrapping_add(1))) << 8
    }
}

#[inline(always)]
pub(super) fn store_half(p: *mut u8, v: u32) {
    if (p as usize).is_multiple_of(2) {
        // SAFETY: mapped, as the caller has checked, and aligned.
        unsafe { (*p.cast::<AtomicU16>()).store(v as u16, Relaxed) }
    } else {
        store8(p, v as u8);
        store8(p.wrapping_add(1), (v >> 8) as u8);
    }
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

/// A buffer resource descriptor, decoded.
pub(crate) struct Resource {
    pub(crate) base: u64,
    pub(crate) stride: u32,
    pub(crate) records: u32,
    pub(super) swizzle: bool,
    index_stride: u32,
    /// The lane is added to the index.
    pub(super) add_tid: bool,
    /// Data format.
    pub(super) data_format: u8,
    /// Number format.
    pub(super) number_format: u8,
    /// Which channel a component is loaded from: 0 and 1 are constants, 4 to 7 channels.
    pub(super) select: [u8; 4],
}

impl Resource {
    pub(crate) fn read(w: &Wave, at: S) -> Resource {
        Resource::of(core::array::from_fn(|i| w.s32(S(at.0 + i as u32))))
    }

    /// The words taken apart.
    #[inline(always)]
    pub(super) fn of([w0, w1, w2, w3]: [u32; 4]) -> Resource {
        let add_tid = w3 >> 23 & 1 == 1;
        let mut stride = w1 >> 16 & 0x3fff;
        if add_tid {
            // With the lane added to the index, the data format's bits extend the stride.
            stride |= (w3 >> 15 & 15) << 14;
        }
        Resource {
            base: u64::from(w0) | u64::from(w1 & 0xffff) << 32,
            stride,
            records: w2,
            swizzle: w1 >> 31 == 1,
            index_stride: 8 << (w3 >> 21 & 3),
            add_tid,
            data_format: (w3 >> 15 & 15) as u8,
            number_format: (w3 >> 12 & 7) as u8,
            select: core::array::from_fn(|i| (w3 >> (3 * i) & 7) as u8),
        }
    }

    /// The first address of all lanes that follow one another `step` bytes apart, `first` being the first one's offset
    /// and `immediate` the instruction's. `None` where they do not, or not all are in bounds.
    #[inline(always)]
    pub(super) fn run(&self, first: u32, immediate: u32, soffset: u32, step: u32) -> Option<u64> {
        if self.swizzle || self.add_tid {
            return None;
        }
        let first = first.wrapping_add(immediate);
        let last = first.checked_add(step * 63)?;
        self.address(None, last, soffset, 63, step)?;
        self.address(None, first, soffset, 0, step)
    }

    /// The address of a lane, or `None` out of bounds. `offset` is the sum of the lane's and the immediate one.
    ///
    /// With an index in the instruction and a stride in the resource, records are counted in strides; otherwise in
    /// bytes, against what is added to the base.
    pub(crate) fn address(&self, index: Option<u32>, offset: u32, soffset: u32, lane: u32, bytes: u32) -> Option<u64> {
        let structured = index.is_some() && self.stride != 0;
        let index = index.unwrap_or(0).wrapping_add(if self.add_tid { lane } else { 0 });
        let at = if self.stride != 0 && self.swizzle {
            const ELEMENT: u32 = 4;
            let (msb, lsb) = (index / self.index_stride, index % self.index_stride);
            let (omsb, olsb) = (offset / ELEMENT, offset % ELEMENT);
            (u64::from(msb) * u64::from(self.stride) + u64::from(omsb) * u64::from(ELEMENT))
                * u64::from(self.index_stride)
                + u64::from(lsb * ELEMENT)
                + u64::from(olsb)
        } else {
            u64::from(index) * u64::from(self.stride) + u64::from(offset)
        };
        let inside = if structured {
            index < self.records
        } else {
            at + u64::from(bytes) <= u64::from(self.records).saturating_sub(u64::from(soffset))
        };
        inside.then(|| self.base.wrapping_add(u64::from(soffset)).wrapping_add(at))
    }
}

/// Whether an atomic on floats flushes subnormal operands and results.
#[derive(Clone, Copy, Default)]
struct Flush {
    operands: bool,
    result: bool,
}

impl Flush {
    /// A float's bits, or those of a zero of its sign where it is subnormal.
    fn of(on: bool, op: Atomic, ty: Elem, v: u64) -> u64 {
        if !on {
            return v;
        }
        match (op, ty) {
            (Atomic::PkAdd, Elem::F16) => {
                u64::from(flush16(v as u32 & 0xffff)) | u64::from(flush16((v >> 16) as u32 & 0xffff)) << 16
            }
            (Atomic::FAdd | Atomic::FMin | Atomic::FMax, Elem::F64) => flush64(f64::from_bits(v)).to_bits(),
            (Atomic::FAdd | Atomic::FMin | Atomic::FMax, _) => u64::from(flush32(f32::from_bits(v as u32)).to_bits()),
            _ => v,
        }
    }
}

/// What an atomic leaves in memory.
fn combine_flushed(op: Atomic, ty: Elem, flush: Flush, old: u64, data: u64, data1: u64) -> u64 {
    let (o, d) = (Flush::of(flush.operands, op, ty, old), Flush::of(flush.operands, op, ty, data));
    Flush::of(flush.result, op, ty, combine(op, ty, o, d, data1))
}

/// [`combine_flushed`] without flushing.
fn combine(op: Atomic, ty: Elem, old: u64, data: u64, data1: u64) -> u64 {
    let wide = ty.bits() == 64;
    let mask = if wide { u64::MAX } else { 0xffff_ffff };
    let (old, data, data1) = (old & mask, data & mask, data1 & mask);
    let f32_op =
        |f: fn(f32, f32) -> f32| u64::from(f(f32::from_bits(old as u32), f32::from_bits(data as u32)).to_bits());
    let f64_op = |f: fn(f64, f64) -> f64| f(f64::from_bits(old), f64::from_bits(data)).to_bits();
    let r = match op {
        Atomic::Swap => data,
        // Buffer and flat order: the new value, then the one to compare with.
        Atomic::CmpSwap => {
            if old == data1 {
                data
            } else {
                old
            }
        }
        Atomic::CmpStore => {
            let equal = match ty {
                Elem::F32 => f32::from_bits(old as u32) == f32::from_bits(data as u32),
                Elem::F64 => f64::from_bits(old) == f64::from_bits(data),
                _ => old == data,
            };
            if equal { data1 } else { old }
        }
        Atomic::Add => old.wrapping_add(data),
        Atomic::Sub => old.wrapping_sub(data),
        Atomic::RSub => data.wrapping_sub(old),
        Atomic::Min | Atomic::Max => {
            let less = match ty {
                Elem::I32 => (data as u32 as i32) < old as u32 as i32,
                Elem::I64 => (data as i64) < old as i64,
                _ => data < old,
            };
            if less == (op == Atomic::Min) { data } else { old }
        }
        Atomic::Logic(l) => super::salu::logic(l, old, data),
        Atomic::Inc => {
            if old >= data {
                0
            } else {
                old + 1
            }
        }
        Atomic::Dec => {
            if old == 0 || old > data {
                data
            } else {
                old - 1
            }
        }
        Atomic::MskOr => (old & !data) | data1,
        Atomic::Wrap => {
            if old >= data {
                old.wrapping_sub(data)
            } else {
                old.wrapping_add(data1)
            }
        }
        Atomic::CondXchg => {
            let half = |shift: u32| {
                let (o, d) = ((old >> shift) as u32, (data >> shift) as u32);
                u64::from(if d >> 31 == 1 { d & 0x7fff_ffff } else { o }) << shift
            };
            half(0) | half(32)
        }
        Atomic::FAdd if wide => f64_op(|a, b| super::lanes::float::nan2d(a + b, a, b)),
        Atomic::FAdd => f32_op(|a, b| super::lanes::float::nan2(a + b, a, b)),
        Atomic::FMin if wide => f64_op(|a, b| super::lanes::float::min64(a, b, false)),
        Atomic::FMin => f32_op(|a, b| super::lanes::float::min32(a, b, false)),
        Atomic::FMax if wide => f64_op(|a, b| super::lanes::float::max64(a, b, false)),
        Atomic::FMax => f32_op(|a, b| super::lanes::float::max32(a, b, false)),
        Atomic::PkAdd => {
            let half = |shift: u32| {
                let (a, b) = ((old >> shift) as u32 & 0xffff, (data >> shift) as u32 & 0xffff);
                let s = if ty == Elem::Bf16 {
                    f32_to_bf16(bf16_to_f32(a) + bf16_to_f32(b))
                } else {
                    f16_op2(a, b, |x, y| x + y)
                };
                u64::from(s & 0xffff) << shift
            };
            half(0) | half(16)
        }
    };
    r & mask
}

/// Bits of an atomic's operand in memory.
pub(crate) fn atomic_words(op: Atomic, ty: Elem) -> u32 {
    if op == Atomic::PkAdd { 1 } else { ty.bits().div_ceil(32) }
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
        let again = self.watch.as_mut().is_some_and(|w| w.lds_fast(addresses, offset, n, store));
        let base = (offset / 4) as usize;
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
                let offset = offset.map_or(0, at).wrapping_add(op.offset as u32);
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
                    w.lds(a.wrapping_add(k), size, lane, false);
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
                let again = self.watch.as_mut().is_some_and(|w| w.lds(a.wrapping_add(k), size, lane, true));
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
                            Mem::U8D16(hi) | Mem::B16D16(hi) => *dst = half(*dst, v & 0xffff, hi),
                            Mem::I8D16(hi) => *dst = half(*dst, v as u8 as i8 as i16 as u16 as u32, hi),
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
                            w.lds_dma(to, n, lane);
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
        self.landing(group, wave, landing);
        Ok(())
    }

    /// Remembers data on its way to LDS.
    pub(super) fn landing(&mut self, group: &mut Group, wave: usize, words: Vec<(u32, u32)>) {
        if !words.is_empty() {
            let w = &mut group.waves[wave];
            w.in_flight.push_back(InFlight { number: w.vm_issued, words });
        }
    }

    /// LDS follows MODE. Memory keeps subnormals, but for sums of binary32 on CDNA1 and 2, which lose them.
    fn flush(&self, mode: u32, place: Place, op: Atomic, ty: Elem) -> Flush {
        use wavesmith_asm::Target;
        if matches!(place, Place::Lds(_)) {
            let kept = mode >> if ty == Elem::F32 { 4 } else { 6 };
            return Flush { operands: kept & 1 == 0, result: kept & 2 == 0 };
        }
        let old = matches!(self.shared.layout.target, Target::Gfx908 | Target::Gfx90a);
        let flushes = old && op == Atomic::FAdd && ty == Elem::F32;
        Flush { operands: flushes, result: flushes }
    }

    #[allow(clippy::too_many_arguments)]
    fn atomic(
        &mut self,
        group: &mut Group,
        place: Place,
        (op, ty, flush): (Atomic, Elem, Flush),
        words: u32,
        lane: u32,
        data: u64,
        data1: u64,
    ) -> Result<u64> {
        match place {
            Place::Linear(p) => {
                if !(p as usize).is_multiple_of(4 * words as usize) {
                    return Err(Trouble {
                        kind: FaultKind::Alignment,
                        message: format!(
                            "an atomic of {} bytes at an address that is not a multiple of them",
                            4 * words
                        ),
                        lane: Some(lane),
                        address: Some(p as u64),
                    });
                }
                if let Some(w) = &mut self.watch {
                    return Ok(w.atomic(p as u64, words, lane, |old| combine_flushed(op, ty, flush, old, data, data1)));
                }
                if words == 2 {
                    // SAFETY: mapped and aligned to eight bytes.
                    let cell = unsafe { &*p.cast::<AtomicU64>() };
                    let mut old = cell.load(Relaxed);
                    while let Err(seen) = cell.compare_exchange_weak(
                        old,
                        combine_flushed(op, ty, flush, old, data, data1),
                        core::sync::atomic::Ordering::SeqCst,
                        Relaxed,
                    ) {
                        old = seen;
                    }
                    return Ok(old);
                }
                // SAFETY: mapped and aligned to four bytes.
                let cell = unsafe { &*p.cast::<AtomicU32>() };
                let mut old = cell.load(Relaxed);
                loop {
                    let new = combine_flushed(op, ty, flush, u64::from(old), data, data1) as u32;
                    match cell.compare_exchange_weak(old, new, core::sync::atomic::Ordering::SeqCst, Relaxed) {
                        Ok(_) => return Ok(u64::from(old)),
                        Err(seen) => old = seen,
                    }
                }
            }
            _ => {
                let mut old = 0;
                for k in 0..words {
                    old |= u64::from(self.read(group, place, 4 * k, 4, lane)?) << (32 * k);
                }
                let new = combine_flushed(op, ty, flush, old, data, data1);
                for k in 0..words {
                    self.write(group, place, 4 * k, 4, lane, (new >> (32 * k)) as u32)?;
                }
                Ok(old)
            }
        }
    }

    /// LDS instructions that move data between lanes, and the rest.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    unsafe fn ds(&mut self, group: &mut Group, wave: usize, op: &MemOp, d: Ds, bases: Bases) -> Result<()> {
        let exec = group.waves[wave].exec();
        // SAFETY: for the whole body, operands were lowered for this wave.
        unsafe {
            let reg = |v: super::ir::V| -> [u32; WAVE] { core::ptr::read(bases.at(v).cast()) };
            let mut out = [0u32; WAVE];
            match d {
                Ds::Bpermute => {
                    let Address::Lds(v) = op.address else { return Ok(()) };
                    let (address, data) = (reg(v), reg(op.data));
                    for (i, out) in out.iter_mut().enumerate() {
                        let from = (address[i].wrapping_add(op.offset as u32) / 4 % 64) as usize;
                        *out = if exec >> from & 1 == 1 { data[from] } else { 0 };
                    }
                }
                Ds::Permute => {
                    let Address::Lds(v) = op.address else { return Ok(()) };
                    let (address, data) = (reg(v), reg(op.data));
                    for i in 0..WAVE {
                        if exec >> i & 1 == 1 {
                            out[(address[i].wrapping_add(op.offset as u32) / 4 % 64) as usize] = data[i];
                        }
                    }
                }
                Ds::Swizzle => {
                    let Address::Lds(v) = op.address else { return Ok(()) };
                    let data = reg(v);
                    let pattern = op.offset as u32;
                    for (i, out) in out.iter_mut().enumerate() {
                        let from = swizzle(pattern, i);
                        *out = if exec >> from & 1 == 1 { data[from] } else { 0 };
                    }
                }
                Ds::Append | Ds::Consume => {
                    let at = (self.lds_m0(&group.waves[wave])).wrapping_add(op.offset as u32) & !3;
                    let old = self.read(group, Place::Lds(at), 0, 4, 0)?;
                    let n = exec.count_ones();
                    let new = if d == Ds::Append { old.wrapping_add(n) } else { old.wrapping_sub(n) };
                    self.write(group, Place::Lds(at), 0, 4, 0, new)?;
                    out = [if d == Ds::Append { old } else { new }; WAVE];
                }
                Ds::ReadTr { bits } => return self.read_transposed(group, op, bits, bases, exec),
                _ => return Err(Trouble::new(FaultKind::Instruction, format!("not executed yet: {d:?}"))),
            }
            let dst = bases.at(op.dst);
            for (i, v) in out.iter().enumerate() {
                if exec >> i & 1 == 1 {
                    *dst.add(i) = *v;
                }
            }
        }
        Ok(())
    }

    /// `ds_read_b64_tr_*`: sixteen lanes read a block of rows and each gets a column of it.
    ///
    /// # Safety
    /// As [`Worker::memory`].
    unsafe fn read_transposed(
        &mut self,
        group: &mut Group,
        op: &MemOp,
        bits: u8,
        bases: Bases,
        exec: u64,
    ) -> Result<()> {
        let Address::Lds(v) = op.address else { return Ok(()) };
        let dwords = if bits == 6 { 3 } else { 2 };
        // SAFETY: operands were lowered for this wave.
        let addresses: [u32; WAVE] = unsafe { core::ptr::read(bases.at(v).cast()) };
        let mut raw = [[0u32; 3]; WAVE];
        for (lane, words) in raw.iter_mut().enumerate() {
            for (k, w) in words.iter_mut().enumerate().take(dwords) {
                let at = addresses[lane].wrapping_add(op.offset as u32);
                *w = self.read(group, Place::Lds(at), 4 * k as u32, 4, lane as u32)?;
            }
        }
        let width = u32::from(bits);
        let per_lane = 32 * dwords as u32 / width;
        let take = |lane: usize, item: u32| -> u32 {
            let bit = item * width;
            let (word, shift) = ((bit / 32) as usize, bit % 32);
            let low = raw[lane][word] >> shift;
            let high = if shift + width > 32 { raw[lane][word + 1] << (32 - shift) } else { 0 };
            (low | high) & ((1u32 << width) - 1)
        };
        for lane in 0..WAVE {
            if exec >> lane & 1 == 0 {
                continue;
            }
            let (block, column) = (lane / 16 * 16, lane as u32 % 16);
            // A row of the block is sixteen elements: it lies in consecutive lanes of the group.
            let lanes_a_row = 16 / per_lane.min(16);
            let mut out = [0u32; 3];
            for item in 0..per_lane {
                let (source, index) = if per_lane <= 16 {
                    (item * lanes_a_row + column / per_lane, column % per_lane)
                } else {
                    (item, column)
                };
                let v = if per_lane <= 16 || source < 16 { take(block + (source % 16) as usize, index) } else { 0 };
                let bit = item * width;
                let (word, shift) = ((bit / 32) as usize, bit % 32);
                out[word] |= v << shift;
                if shift + width > 32 {
                    out[word + 1] |= v >> (32 - shift);
                }
            }
            for (k, w) in out.iter().enumerate().take(dwords) {
                // SAFETY: destination registers are the wave's.
                unsafe { *bases.at(op.dst.next(k as u16)).add(lane) = *w };
            }
        }
        Ok(())
    }

    /// Lands the loads into LDS that a wait for at most `left` outstanding instructions covers.
    pub(super) fn land(&mut self, group: &mut Group, wave: usize, left: u64) -> Result<()> {
        let covered = group.waves[wave].vm_issued.saturating_sub(left);
        while group.waves[wave].in_flight.front().is_some_and(|f| f.number <= covered) {
            let Some(f) = group.waves[wave].in_flight.pop_front() else { break };
            for (at, v) in f.words {
                // Whole dwords inside the allocation, which is what there is but for faults. Who watches sees each.
                if self.watch.is_none() && at.is_multiple_of(4) && at.saturating_add(4) <= group.lds_bytes {
                    group.lds[(at / 4) as usize] = v;
                    continue;
                }
                self.write(group, Place::Lds(at), 0, 4, 0, v)?;
            }
        }
        Ok(())
    }

    /// The LDS base in M0: sixteen bits, and eighteen where LDS is larger than they reach.
    pub(super) fn lds_m0(&self, w: &Wave) -> u32 {
        let bits = if self.shared.layout.target == wavesmith_asm::Target::Gfx950 { 0x3_ffff } else { 0xffff };
        w.s[S::M0 as usize] & bits
    }

    fn load_scalar(&mut self, p: *const u8) -> u32 {
        match &mut self.watch {
            Some(w) => w.read(p as u64, 4, 0),
            None => load_dword(p),
        }
    }

    fn store_scalar(&mut self, p: *mut u8, v: u32) {
        match &mut self.watch {
            Some(w) => w.write(p as u64, 4, 0, v),
            None => store_dword(p, v),
        }
    }

    /// Executes a scalar memory operation.
    pub(super) fn scalar_memory(&mut self, w: &mut Wave, op: &SmemOp) -> Result<()> {
        let base = w.s64(op.base);
        let offset =
            (op.offset as i64 as u64).wrapping_add(op.soffset.map_or(0, |s| u64::from(w.s32(s)) * u64::from(op.scale)));
        let (base, limit) = if op.buffer {
            let r = Resource::read(w, op.base);
            let limit = if r.stride == 0 { u64::from(r.records) } else { u64::from(r.records) * u64::from(r.stride) };
            (r.base, Some(limit))
        } else {
            (base & 0x0000_ffff_ffff_ffff, None)
        };
        let address = base.wrapping_add(offset) & !3;
        let inside = |k: u64| limit.is_none_or(|l| (offset & !3) + 4 * k + 4 <= l);
        if let Some((a, ty, ret)) = op.atomic {
            let words = atomic_words(a, ty);
            if !inside(u64::from(words) - 1) {
                return Ok(());
            }
            let p = self.resolve(address, 4 * words, 0)?;
            let get = |at: u8| if words == 2 { w.pair(at) } else { u64::from(w.s[at as usize]) };
            let (data, data1) = (get(op.data), if a == Atomic::CmpSwap { get(op.data + words as u8) } else { 0 });
            let mut nothing = Group::empty();
            let old = self.atomic(&mut nothing, Place::Linear(p), (a, ty, Flush::default()), words, 0, data, data1)?;
            if ret {
                w.s[op.data as usize] = old as u32;
                if words == 2 {
                    w.s[op.data as usize + 1] = (old >> 32) as u32;
                }
            }
            return Ok(());
        }
        let n = u64::from(op.dwords);
        if inside(n - 1) {
            let p = self.resolve(address, 4 * op.dwords as u32, 0)?;
            for k in 0..n as usize {
                let p = p.wrapping_add(4 * k);
                if op.store {
                    self.store_scalar(p, w.s[op.data as usize + k]);
                } else {
                    w.s[op.data as usize + k] = self.load_scalar(p);
                }
            }
            return Ok(());
        }
        for k in 0..n {
            let v = if inside(k) {
                let p = self.resolve(address + 4 * k, 4, 0)?;
                if op.store {
                    self.store_scalar(p, w.s[op.data as usize + k as usize]);
                    continue;
                }
                self.load_scalar(p)
            } else {
                0
            };
            if !op.store {
                w.s[op.data as usize + k as usize] = v;
            }
        }
        Ok(())
    }
}

/// A half of a word replaced.
pub(super) fn half(old: u32, v: u32, high: bool) -> u32 {
    if high { old & 0xffff | v << 16 } else { old & 0xffff_0000 | v }
}

/// Source lane of `ds_swizzle_b32`. Every pattern stays within 32 lanes.
fn swizzle(pattern: u32, lane: usize) -> usize {
    let (half, i) = (lane & 32, lane as u32 & 31);
    let mask = pattern & 31;
    let from = match pattern {
        // For Fourier transforms: the bits outside the mask reversed.
        0xe000.. => (i.reverse_bits() >> 27) >> mask.count_ones() | i & mask,
        // Rotation of the bits outside the mask.
        0xc000.. => {
            let by = pattern >> 5 & 31;
            let by = if pattern >> 10 & 1 == 1 { by.wrapping_neg() } else { by };
            i & mask | i.wrapping_add(by) & !mask & 31
        }
        // Quads.
        0x8000.. => i & !3 | pattern >> (2 * (i & 3)) & 3,
        // And, or, xor.
        _ => (i & mask | pattern >> 5 & 31) ^ pattern >> 10 & 31,
    };
    half | from as usize
}

/// Where loads and stores have last been, to ask memory for what they will want next.
///
/// A loop's accesses are a fixed distance apart. The host sees such a stream only within a page, and a wave's next piece
/// usually lies in another.
pub struct Strides([(usize, u64); Strides::SLOTS]);

impl Default for Strides {
    fn default() -> Strides {
        Strides([(0, 0); Strides::SLOTS])
    }
}

impl Strides {
    const SLOTS: usize = 64;
    /// Strides beyond this are no stream.
    const FAR: u64 = 1 << 20;

    /// Notes an access of `size` bytes by an instruction of a wave, and asks for the next.
    #[inline(always)]
    pub(super) fn access(&mut self, (op, wave): (usize, usize), at: u64, size: u32) {
        let key = op.wrapping_mul(64).wrapping_add(wave);
        let slot = &mut self.0[op.wrapping_add(wave * 17) % Strides::SLOTS];
        let stride = at.wrapping_sub(slot.1);
        let same = slot.0 == key;
        *slot = (key, at);
        if !same || stride == 0 || (stride as i64).unsigned_abs() > Strides::FAR {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        for line in (0..u64::from(size)).step_by(64) {
            let next = at.wrapping_add(stride).wrapping_add(line) as *const i8;
            // SAFETY: asking in advance for an address that is not there does nothing.
            unsafe { core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(next) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = size;
    }
}

/// Interleaved dwords from memory to registers: lane by lane `n` dwords.
///
/// # Safety
/// `p` addresses `64·n` mapped dwords, aligned; `d` addresses `n` registers.
unsafe fn copy_in(level: Level, d: *mut u32, p: *const u8, n: usize) {
    #[cfg(target_arch = "x86_64")]
    if level == Level::Avx512 {
        // SAFETY: passed on, and the host offers AVX-512.
        return unsafe { super::lanes::avx512::copy_in(d, p, n) };
    }
    let _ = level;
    // SAFETY: passed on.
    unsafe { copy_in_plain(d, p, n) };
}

/// [`copy_in`] without vectors.
///
/// # Safety
/// As there.
pub(super) unsafe fn copy_in_plain(d: *mut u32, p: *const u8, n: usize) {
    // SAFETY: for the whole body, as the caller vouches.
    unsafe {
        if n.is_multiple_of(2) && (p as usize).is_multiple_of(8) {
            let p = p.cast::<AtomicU64>();
            for i in 0..WAVE {
                for k in 0..n / 2 {
                    let v = (*p.add(i * n / 2 + k)).load(Relaxed);
                    *d.add(2 * k * WAVE + i) = v as u32;
                    *d.add((2 * k + 1) * WAVE + i) = (v >> 32) as u32;
                }
            }
            return;
        }
        let p = p.cast::<AtomicU32>();
        for i in 0..WAVE {
            for k in 0..n {
                *d.add(k * WAVE + i) = (*p.add(i * n + k)).load(Relaxed);
            }
        }
    }
}

/// The reverse of [`copy_in`].
///
/// # Safety
/// As [`copy_in`].
unsafe fn copy_out(level: Level, p: *mut u8, d: *const u32, n: usize) {
    #[cfg(target_arch = "x86_64")]
    if level == Level::Avx512 && n != 3 {
        // SAFETY: passed on, and the host offers AVX-512.
        return unsafe { super::lanes::avx512::copy_out(p, d, n) };
    }
    let _ = level;
    // SAFETY: passed on.
    unsafe { copy_out_plain(p, d, n) };
}

/// [`copy_out`] without vectors.
///
/// # Safety
/// As there.
pub(super) unsafe fn copy_out_plain(p: *mut u8, d: *const u32, n: usize) {
    // SAFETY: for the whole body, as the caller vouches.
    unsafe {
        let p = p.cast::<AtomicU32>();
        for i in 0..WAVE {
            for k in 0..n {
                (*p.add(i * n + k)).store(*d.add(k * WAVE + i), Relaxed);
            }
        }
    }
}

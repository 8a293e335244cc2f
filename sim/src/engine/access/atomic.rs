//! Read-modify-write: what each operation leaves in memory, and the loop that puts it there.

use super::Place;
use super::Result;
use crate::engine::lanes::float::{bf16_to_f32, f16_op2, f32_to_bf16, flush16, flush32, flush64};
use crate::engine::run::{Trouble, Worker};
use crate::engine::state::Group;
use crate::fault::FaultKind;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use wavesmith_asm::sem::{Atomic, Elem};

/// Whether an atomic on floats flushes subnormal operands and results.
#[derive(Clone, Copy, Default)]
pub(super) struct Flush {
    pub(super) operands: bool,
    pub(super) result: bool,
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
        Atomic::Logic(l) => crate::engine::salu::logic(l, old, data),
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
        Atomic::FAdd if wide => f64_op(|a, b| crate::engine::lanes::float::nan2d(a + b, a, b)),
        Atomic::FAdd => f32_op(|a, b| crate::engine::lanes::float::nan2(a + b, a, b)),
        Atomic::FMin if wide => f64_op(|a, b| crate::engine::lanes::float::min64(a, b, false)),
        Atomic::FMin => f32_op(|a, b| crate::engine::lanes::float::min32(a, b, false)),
        Atomic::FMax if wide => f64_op(|a, b| crate::engine::lanes::float::max64(a, b, false)),
        Atomic::FMax => f32_op(|a, b| crate::engine::lanes::float::max32(a, b, false)),
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
    /// LDS follows MODE. Memory keeps subnormals, but for sums of binary32 on CDNA1 and 2, which lose them.
    pub(super) fn flush(&self, mode: u32, place: Place, op: Atomic, ty: Elem) -> Flush {
        use wavesmith_asm::Target;
        if matches!(place, Place::Lds(_)) {
            let kept = mode >> if ty == Elem::F32 { 4 } else { 6 };
            return Flush { operands: kept & 1 == 0, result: kept & 2 == 0 };
        }
        let old = matches!(self.shared.layout.target, Target::Gfx908 | Target::Gfx90a);
        let flushes = old && op == Atomic::FAdd && ty == Elem::F32;
        Flush { operands: flushes, result: flushes }
    }

    /// One lane's atomic: the value before. One that leaves memory as it was, a lock that is not free say, wakes nobody.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn atomic(
        &mut self,
        group: &mut Group,
        place: Place,
        how: (Atomic, Elem, Flush),
        words: u32,
        lane: u32,
        data: u64,
        data1: u64,
    ) -> Result<u64> {
        let old = self.exchanged(group, place, how, words, lane, data, data1)?;
        self.stored |= combine_flushed(how.0, how.1, how.2, old, data, data1) != old;
        Ok(old)
    }

    #[allow(clippy::too_many_arguments)]
    fn exchanged(
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
                if let Place::Lds(at) = place
                    && !at.is_multiple_of(4 * words)
                    && at < group.lds_bytes
                {
                    return Err(Trouble {
                        kind: FaultKind::Alignment,
                        message: format!(
                            "an atomic of {} bytes at {at:#x} in LDS, which is not a multiple of them",
                            4 * words
                        ),
                        lane: Some(lane),
                        address: None,
                    });
                }
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
}

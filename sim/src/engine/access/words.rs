//! Words of memory that others may touch meanwhile, one by one and lane by lane.

use crate::engine::lanes::{Level, WAVE};
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

#[inline(always)]
pub(in crate::engine) fn load8(p: *const u8) -> u8 {
    // SAFETY: the caller has checked that the byte is mapped; atomics of bytes need no alignment.
    unsafe { (*p.cast::<AtomicU8>()).load(Relaxed) }
}

#[inline(always)]
pub(in crate::engine) fn load_dword(p: *const u8) -> u32 {
    if (p as usize).is_multiple_of(4) {
        // SAFETY: mapped, as the caller has checked, and aligned.
        unsafe { (*p.cast::<AtomicU32>()).load(Relaxed) }
    } else {
        // SAFETY: the caller has checked all four bytes.
        u32::from_le_bytes(core::array::from_fn(|i| load8(unsafe { p.add(i) })))
    }
}

#[inline(always)]
pub(in crate::engine) fn store_dword(p: *mut u8, v: u32) {
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
pub(in crate::engine) fn store8(p: *mut u8, v: u8) {
    // SAFETY: the caller has checked that the byte is mapped.
    unsafe { (*p.cast::<AtomicU8>()).store(v, Relaxed) }
}

#[inline(always)]
pub(in crate::engine) fn load_half(p: *const u8) -> u32 {
    if (p as usize).is_multiple_of(2) {
        // SAFETY: mapped, as the caller has checked, and aligned.
        u32::from(unsafe { (*p.cast::<AtomicU16>()).load(Relaxed) })
    } else {
        u32::from(load8(p)) | u32::from(load8(p.wrapping_add(1))) << 8
    }
}

#[inline(always)]
pub(in crate::engine) fn store_half(p: *mut u8, v: u32) {
    if (p as usize).is_multiple_of(2) {
        // SAFETY: mapped, as the caller has checked, and aligned.
        unsafe { (*p.cast::<AtomicU16>()).store(v as u16, Relaxed) }
    } else {
        store8(p, v as u8);
        store8(p.wrapping_add(1), (v >> 8) as u8);
    }
}

/// What a D16 load leaves in its register: the other half is 0. AMD's pseudocode keeps it, but the parts run with
/// SRAM-ECC, where a register is only written whole: LLVM compiles for that (`GCNSubtarget::d16PreservesUnusedBits`), and
/// hipBLASLt's GEMMs count on the zeros, combining `ds_read_u16` and `ds_read_u16_d16_hi` with `v_or_b32`.
pub(in crate::engine) fn half(v: u32, high: bool) -> u32 {
    if high { v << 16 } else { v }
}

/// Interleaved dwords from memory to registers: lane by lane `n` dwords.
///
/// # Safety
/// `p` addresses `64·n` mapped dwords, aligned; `d` addresses `n` registers.
#[inline]
pub(super) unsafe fn copy_in(level: Level, d: *mut u32, p: *const u8, n: usize) {
    #[cfg(target_arch = "x86_64")]
    if level == Level::Avx512 {
        // SAFETY: passed on, and the host offers AVX-512.
        return unsafe { crate::engine::lanes::avx512::copy_in(d, p, n) };
    }
    let _ = level;
    // SAFETY: passed on.
    unsafe { copy_in_plain(d, p, n) };
}

/// [`copy_in`] without vectors.
///
/// # Safety
/// As there.
pub(in crate::engine) unsafe fn copy_in_plain(d: *mut u32, p: *const u8, n: usize) {
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
#[inline]
pub(super) unsafe fn copy_out(level: Level, p: *mut u8, d: *const u32, n: usize) {
    #[cfg(target_arch = "x86_64")]
    if level == Level::Avx512 && n != 3 {
        // SAFETY: passed on, and the host offers AVX-512.
        return unsafe { crate::engine::lanes::avx512::copy_out(p, d, n) };
    }
    let _ = level;
    // SAFETY: passed on.
    unsafe { copy_out_plain(p, d, n) };
}

/// [`copy_out`] without vectors.
///
/// # Safety
/// As there.
pub(in crate::engine) unsafe fn copy_out_plain(p: *mut u8, d: *const u32, n: usize) {
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

//! Loads and stores that compiled code asks for without a look at the instruction: whole dwords of all lanes at
//! consecutive addresses, and scalar loads.
//!
//! That is what most kernels do most of the time, and a short kernel does little else. Compiled code knows where
//! address and data are and which function serves the access; the function finds out whether lanes follow one another
//! and whether the memory was met lately. If not, nothing has been done, and the access goes the way of all others, which
//! also finds the lane that is wrong.

use super::Context;
use crate::aperture::SHARED_BASE;
use crate::engine::access::Resource;
use crate::engine::ir::{Access, Address, MemOp};
use crate::engine::lanes::{Level, WAVE};
use crate::engine::run::Worker;
use core::arch::x86_64::*;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use wavesmith_asm::sem::{Mem, Space};

/// Moves the data of all lanes; zero if it did. Arguments: first register of the addresses, first of the data, the base
/// of all addresses (or where the resource is in the scalar file), the scalar offset, and [`packed`] numbers.
pub type Transfer = unsafe extern "sysv64" fn(*mut Context, *const u32, *mut u32, u64, u64, u64) -> u32;

/// The instruction's offset, and a number that tells it from others.
pub fn packed(op: &MemOp, at: u32) -> u64 {
    u64::from(op.offset as u32) | u64::from(at) << 32
}

const WIDE: u8 = 0;
const BASE: u8 = 1;
const BUFFER: u8 = 2;

/// The function that serves an access, if there is one.
pub fn transfer(op: &MemOp, level: Level) -> Option<Transfer> {
    let (n, store) = match op.access {
        Access::Load(Mem::Dwords(n)) => (n, false),
        Access::Store(Mem::Dwords(n)) => (n, true),
        _ => return None,
    };
    let kind = match op.address {
        Address::Wide(_) => WIDE,
        Address::Base(..) => BASE,
        Address::Buffer { index: None, offset: Some(_), .. } => BUFFER,
        _ => return None,
    };
    if op.space == Space::Lds {
        return None;
    }
    macro_rules! pick {
        ($module:ident, $(($n:literal, $store:literal, $kind:ident)),*) => {
            match (n, store, kind) {
                $(($n, $store, $kind) => Some($module::transfer::<$n, $store, $kind> as Transfer),)*
                _ => None,
            }
        };
    }
    macro_rules! all {
        ($module:ident) => {
            pick!(
                $module,
                (1, false, WIDE),
                (1, false, BASE),
                (1, false, BUFFER),
                (2, false, WIDE),
                (2, false, BASE),
                (2, false, BUFFER),
                (3, false, WIDE),
                (3, false, BASE),
                (3, false, BUFFER),
                (4, false, WIDE),
                (4, false, BASE),
                (4, false, BUFFER),
                (1, true, WIDE),
                (1, true, BASE),
                (1, true, BUFFER),
                (2, true, WIDE),
                (2, true, BASE),
                (2, true, BUFFER),
                (3, true, WIDE),
                (3, true, BASE),
                (3, true, BUFFER),
                (4, true, WIDE),
                (4, true, BASE),
                (4, true, BUFFER)
            )
        };
    }
    match level {
        Level::Avx512 => all!(avx512),
        Level::Avx2 => all!(avx2),
        Level::Plain => None,
    }
}

/// 0, 1, … 15.
static COUNT: [i32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The same for each instruction set, because functions are compiled for one.
macro_rules! transfers {
    ($module:ident, $features:literal, $follow:path, $same:path, $load:path, $store:path) => {
        mod $module {
            use super::*;

            /// See [`Transfer`](super::Transfer).
            ///
            /// # Safety
            /// Called by compiled code with its context, all lanes on, addresses and data registers of its wave.
            #[target_feature(enable = $features)]
            pub unsafe extern "sysv64" fn transfer<const N: usize, const STORE: bool, const KIND: u8>(
                context: *mut Context,
                lanes: *const u32,
                data: *mut u32,
                base: u64,
                soffset: u64,
                packed: u64,
            ) -> u32 {
                // SAFETY: `Native::run` has put valid pointers in the context, which nothing else uses while the code
                // runs; registers are whole.
                unsafe {
                    let worker = &mut *(*context).worker.cast::<Worker<'_>>();
                    let (step, size) = (4 * N as u32, 256 * N as u64);
                    let first = *lanes;
                    // A run that crosses 4 GiB is rare enough for the slow way.
                    if worker.watching || first.checked_add(63 * step).is_none() || !$follow(lanes, first, step) {
                        return 1;
                    }
                    let offset = packed as u32;
                    let start = match KIND {
                        WIDE => {
                            let high = *lanes.add(WAVE);
                            // Apertures are far above host memory.
                            if high >= (SHARED_BASE >> 32) as u32 || !$same(lanes.add(WAVE), high) {
                                return 1;
                            }
                            (u64::from(first) | u64::from(high) << 32).wrapping_add(offset as i32 as i64 as u64)
                        }
                        BASE => base.wrapping_add(u64::from(first)).wrapping_add(offset as i32 as i64 as u64),
                        _ => {
                            let words = &*(base as *const [u32; 4]);
                            match Resource::of(*words).run(first, offset, soffset as u32, step) {
                                Some(a) => a,
                                None => return 1,
                            }
                        }
                    };
                    if start % 4 != 0 || !worker.view.is_near(start, size) {
                        return 1;
                    }
                    worker.strides.access(((packed >> 32) as usize, (*context).wave), start, size as u32);
                    if STORE {
                        $store(start as *mut u8, data, N);
                    } else {
                        $load(data, start as *const u8, N);
                    }
                    0
                }
            }
        }
    };
}

transfers!(
    avx512,
    "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt",
    follow_512,
    same_512,
    crate::engine::lanes::avx512::copy_in,
    copy_out_512
);
transfers!(avx2, "avx2,fma,f16c,bmi1,bmi2,lzcnt", follow_256, same_256, copy_in_256, copy_out_256);

/// Whether each lane is `step` above the one before.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn follow_512(lanes: *const u32, first: u32, step: u32) -> bool {
    // SAFETY: the caller vouches for the register.
    unsafe {
        let steps = _mm512_mullo_epi32(_mm512_loadu_si512(COUNT.as_ptr().cast()), _mm512_set1_epi32(step as i32));
        let mut want = _mm512_add_epi32(_mm512_set1_epi32(first as i32), steps);
        let mut wrong = 0;
        for k in 0..4 {
            wrong |= _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(lanes.add(16 * k).cast()), want);
            want = _mm512_add_epi32(want, _mm512_set1_epi32(16 * step as i32));
        }
        wrong == 0
    }
}

/// Whether every lane is `value`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn same_512(lanes: *const u32, value: u32) -> bool {
    // SAFETY: the caller vouches for the register.
    unsafe {
        let want = _mm512_set1_epi32(value as i32);
        let mut wrong = 0;
        for k in 0..4 {
            wrong |= _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(lanes.add(16 * k).cast()), want);
        }
        wrong == 0
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn copy_out_512(p: *mut u8, d: *const u32, n: usize) {
    // SAFETY: passed on.
    unsafe {
        if n == 3 {
            crate::engine::access::copy_out_plain(p, d, n);
        } else {
            crate::engine::lanes::avx512::copy_out(p, d, n);
        }
    }
}

/// As [`follow_512`].
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn follow_256(lanes: *const u32, first: u32, step: u32) -> bool {
    // SAFETY: the caller vouches for the register.
    unsafe {
        let steps = _mm256_mullo_epi32(_mm256_loadu_si256(COUNT.as_ptr().cast()), _mm256_set1_epi32(step as i32));
        let mut want = _mm256_add_epi32(_mm256_set1_epi32(first as i32), steps);
        let mut right = _mm256_set1_epi32(-1);
        for k in 0..8 {
            let equal = _mm256_cmpeq_epi32(_mm256_loadu_si256(lanes.add(8 * k).cast()), want);
            right = _mm256_and_si256(right, equal);
            want = _mm256_add_epi32(want, _mm256_set1_epi32(8 * step as i32));
        }
        _mm256_movemask_epi8(right) == -1
    }
}

/// As [`same_512`].
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn same_256(lanes: *const u32, value: u32) -> bool {
    // SAFETY: the caller vouches for the register.
    unsafe {
        let want = _mm256_set1_epi32(value as i32);
        let mut right = _mm256_set1_epi32(-1);
        for k in 0..8 {
            let equal = _mm256_cmpeq_epi32(_mm256_loadu_si256(lanes.add(8 * k).cast()), want);
            right = _mm256_and_si256(right, equal);
        }
        _mm256_movemask_epi8(right) == -1
    }
}

/// Eight dwords of memory that other threads may be writing, as `shared_load` of the AVX-512 operations.
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn load_8(p: *const u8) -> __m256i {
    let v;
    // SAFETY: the caller vouches for 32 mapped bytes; the load is opaque to the compiler.
    unsafe {
        core::arch::asm!("vmovdqu {v}, [{p}]", v = out(ymm_reg) v, p = in(reg) p, options(nostack, preserves_flags, readonly));
    }
    v
}

/// The reverse of [`load_8`].
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn store_8(p: *mut u8, v: __m256i) {
    // SAFETY: as there.
    unsafe {
        core::arch::asm!("vmovdqu [{p}], {v}", v = in(ymm_reg) v, p = in(reg) p, options(nostack, preserves_flags));
    }
}

/// Four rows of two quadruples to columns, and back: each half of the vectors by itself.
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
fn transpose(r: [__m256i; 4]) -> [__m256i; 4] {
    let (a, b) = (_mm256_unpacklo_epi32(r[0], r[1]), _mm256_unpackhi_epi32(r[0], r[1]));
    let (c, d) = (_mm256_unpacklo_epi32(r[2], r[3]), _mm256_unpackhi_epi32(r[2], r[3]));
    [_mm256_unpacklo_epi64(a, c), _mm256_unpackhi_epi64(a, c), _mm256_unpacklo_epi64(b, d), _mm256_unpackhi_epi64(b, d)]
}

/// Lane by lane `n` dwords of memory to `n` registers.
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn copy_in_256(d: *mut u32, p: *const u8, n: usize) {
    // SAFETY: for the whole body, the caller vouches for 256·n mapped bytes and for the registers.
    unsafe {
        let put = |r: usize, k: usize, v: __m256i| _mm256_storeu_si256(d.add(r * WAVE + 8 * k).cast(), v);
        match n {
            1 => {
                for k in 0..8 {
                    put(0, k, load_8(p.add(32 * k)));
                }
            }
            2 => {
                for k in 0..8 {
                    let (x, y) = (load_8(p.add(64 * k)), load_8(p.add(64 * k + 32)));
                    // Lanes 0 1 | 2 3 and 4 5 | 6 7, to 0 1 4 5 | 2 3 6 7 of one register, and that in order.
                    let (x, y) = (_mm256_castsi256_ps(x), _mm256_castsi256_ps(y));
                    let low = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(x, y));
                    let high = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(x, y));
                    put(0, k, _mm256_permute4x64_epi64::<0b11_01_10_00>(low));
                    put(1, k, _mm256_permute4x64_epi64::<0b11_01_10_00>(high));
                }
            }
            4 => {
                for k in 0..8 {
                    let row = |i: usize| load_8(p.add(128 * k + 32 * i));
                    let rows = [row(0), row(1), row(2), row(3)];
                    // Lanes i and i + 4 in one vector each.
                    let pair = |x: usize, half: bool| {
                        let (x, y) = (rows[x], rows[x + 2]);
                        if half {
                            _mm256_permute2x128_si256::<0x31>(x, y)
                        } else {
                            _mm256_permute2x128_si256::<0x20>(x, y)
                        }
                    };
                    let columns = transpose([pair(0, false), pair(0, true), pair(1, false), pair(1, true)]);
                    for (r, v) in columns.into_iter().enumerate() {
                        put(r, k, v);
                    }
                }
            }
            _ => crate::engine::access::copy_in_plain(d, p, n),
        }
    }
}

/// The reverse of [`copy_in_256`].
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn copy_out_256(p: *mut u8, d: *const u32, n: usize) {
    // SAFETY: as there.
    unsafe {
        let get = |r: usize, k: usize| _mm256_loadu_si256(d.add(r * WAVE + 8 * k).cast());
        match n {
            1 => {
                for k in 0..8 {
                    store_8(p.add(32 * k), get(0, k));
                }
            }
            2 => {
                for k in 0..8 {
                    let (x, y) = (get(0, k), get(1, k));
                    let (low, high) = (_mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y));
                    store_8(p.add(64 * k), _mm256_permute2x128_si256::<0x20>(low, high));
                    store_8(p.add(64 * k + 32), _mm256_permute2x128_si256::<0x31>(low, high));
                }
            }
            4 => {
                for k in 0..8 {
                    let rows = transpose([get(0, k), get(1, k), get(2, k), get(3, k)]);
                    for (half, (x, y)) in [(0, 1), (2, 3)].into_iter().enumerate() {
                        let (x, y) = (rows[x], rows[y]);
                        store_8(p.add(128 * k + 32 * half), _mm256_permute2x128_si256::<0x20>(x, y));
                        store_8(p.add(128 * k + 64 + 32 * half), _mm256_permute2x128_si256::<0x31>(x, y));
                    }
                }
            }
            _ => crate::engine::access::copy_out_plain(p, d, n),
        }
    }
}

/// Scalar loads of `n` dwords to the scalar file; zero if it was done.
///
/// # Safety
/// Called by compiled code with its context; `d` has room for the dwords.
pub unsafe extern "sysv64" fn scalar_load(context: *mut Context, d: *mut u32, base: u64, offset: u64, n: u64) -> u32 {
    // SAFETY: as the caller vouches; the memory is mapped, and the address a multiple of four.
    unsafe {
        let worker = &mut *(*context).worker.cast::<Worker<'_>>();
        let address = (base & 0x0000_ffff_ffff_ffff).wrapping_add(offset) & !3;
        if worker.watching || !worker.view.is_near(address, 4 * n) {
            return 1;
        }
        let p = address as *const AtomicU32;
        for i in 0..n as usize {
            *d.add(i) = (*p.add(i)).load(Relaxed);
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::lanes::Lanes;

    #[test]
    fn lanes_of_several_dwords_go_to_their_registers_and_back_on_hosts_without_avx_512() {
        if !is_x86_feature_detected!("avx2") || !is_x86_feature_detected!("f16c") {
            return;
        }
        for n in 1..=4usize {
            let memory: Vec<u32> = (0..64 * n as u32).collect();
            let mut regs = vec![Lanes::ZERO; n];
            // SAFETY: the host has AVX2, and memory and registers have the lanes' dwords.
            unsafe { copy_in_256(regs.as_mut_ptr().cast(), memory.as_ptr().cast(), n) };
            for (r, reg) in regs.iter().enumerate() {
                for (i, v) in reg.0.iter().enumerate() {
                    assert_eq!(*v, (i * n + r) as u32, "n {n} register {r} lane {i}");
                }
            }
            let mut back = vec![0u32; 64 * n];
            // SAFETY: as above.
            unsafe { copy_out_256(back.as_mut_ptr().cast(), regs.as_ptr().cast(), n) };
            assert_eq!(back, memory, "n {n}");
        }
    }
}

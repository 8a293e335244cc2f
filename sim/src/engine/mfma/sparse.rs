//! Sparse matrix instructions as dense ones: A with zeros in the places that its indices leave out.
//!
//! A lane holds half of what it would hold of a dense A, in the same order, so each register becomes two. Zeros change no
//! integer sum and no truncating sum, whose groups have twice as many places then. A chain of multiply-adds they may
//! change where B is not finite or a sum is −0, and such operands are left to the list of values.

use super::{Family, Mfma, Operands};
use crate::config::Numerics;
use crate::engine::lanes::{Level, WAVE};
use wavesmith_asm::sem::Elem;

/// Whether an instruction can be made dense.
pub fn fits(m: &Mfma, numerics: Numerics) -> bool {
    let half = matches!(m.shape.a, Elem::F16 | Elem::Bf16) && m.shape.a == m.shape.b;
    let sum = match (m.family, numerics) {
        (Family::Integer, _) => true,
        (Family::Truncate { .. }, _) => half,
        (_, Numerics::Fast) => half,
        _ => false,
    };
    // Where B is two runs of k a lane, values of A would have to be summed in another order: integers may be.
    let order = m.family == Family::Integer || usize::from(m.b_regs) < super::integer::MOST;
    m.index.is_some() && sum && order && m.shape.blocks == 1 && usize::from(m.a_regs) * 2 <= super::integer::MOST
}

/// The instruction on A as [`expand`] makes it.
pub fn dense(m: &Mfma) -> Mfma {
    let mut dense = *m;
    dense.shape.sparse = false;
    dense.index = None;
    // The fields choose the set of indices.
    (dense.cbsz, dense.abid) = (0, 0);
    dense.a_regs *= 2;
    if let Family::Truncate { group } = m.family {
        dense.family = Family::Truncate { group: 2 * group };
    }
    dense
}

/// Writes the dense A; false where indices name one place twice, or a chain of multiply-adds would see the zeros.
///
/// # Safety
/// As [`super::run`].
pub unsafe fn expand(level: Level, m: &Mfma, numerics: Numerics, o: Operands, c: *const u32, out: &mut [u32]) -> bool {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn avx512(m: &Mfma, numerics: Numerics, o: Operands, c: *const u32, out: &mut [u32]) -> bool {
        // SAFETY: passed on.
        unsafe { expand_body(m, numerics, o, c, out) }
    }
    #[target_feature(enable = "avx2")]
    unsafe fn avx2(m: &Mfma, numerics: Numerics, o: Operands, c: *const u32, out: &mut [u32]) -> bool {
        // SAFETY: passed on.
        unsafe { expand_body(m, numerics, o, c, out) }
    }
    match level {
        // SAFETY: the host offers the level.
        Level::Avx512 => unsafe { avx512(m, numerics, o, c, out) },
        // SAFETY: as above.
        Level::Avx2 => unsafe { avx2(m, numerics, o, c, out) },
        Level::Plain => false,
    }
}

/// # Safety
/// As [`expand`].
#[inline(always)]
unsafe fn expand_body(m: &Mfma, numerics: Numerics, o: Operands, c: *const u32, out: &mut [u32]) -> bool {
    let regs = usize::from(m.a_regs);
    let bytes = m.shape.a.bits() == 8;
    // Two bits of index for each value that a lane holds.
    let width = 2 * regs * if bytes { 4 } else { 2 };
    let set = if m.cbsz == 0 { usize::from(m.abid) % (32 / width).max(1) } else { 0 };
    let mut twice = 0u64;
    // SAFETY: for the whole body, the caller vouches for the registers.
    unsafe {
        let registers = |p: *const u32, n: u8| core::slice::from_raw_parts(p, usize::from(n) * WAVE);
        let (a, index) = (registers(o.a, m.a_regs), registers(o.index, 1));
        for (r, (word, to)) in a.chunks_exact(WAVE).zip(out.chunks_exact_mut(2 * WAVE)).enumerate() {
            let shift = (set * width + r * if bytes { 8 } else { 4 }) as u32 % 32;
            let (low, high) = to.split_at_mut(WAVE);
            for l in 0..WAVE {
                let (w, at) = (u64::from(word[l]), u64::from(index[l] >> shift));
                let place = |n: u32| at >> (2 * n) & 3;
                let four = if bytes {
                    let group = |n: u32| {
                        (w >> (16 * n) & 0xff) << (8 * place(2 * n))
                            | (w >> (16 * n + 8) & 0xff) << (8 * place(2 * n + 1))
                    };
                    twice |= u64::from(place(0) == place(1)) | u64::from(place(2) == place(3));
                    group(0) | group(1) << 32
                } else {
                    twice |= u64::from(place(0) == place(1));
                    (w & 0xffff) << (16 * place(0)) | (w >> 16) << (16 * place(1))
                };
                (low[l], high[l]) = (four as u32, (four >> 32) as u32);
            }
        }
        if twice != 0 {
            return false;
        }
        if usize::from(m.b_regs) == super::integer::MOST {
            two_runs(out, usize::from(m.shape.m));
        }
        if m.family == Family::Integer || numerics == Numerics::Exact {
            return true;
        }
        // Exponents of both halves of every word: the largest of B, and the smallest of what is not zero.
        let ones = if m.shape.a == Elem::F16 { 0x7c00u32 } else { 0x7f80 };
        let range = |words: &[u32]| {
            let (mut most, mut least) = (0u32, u32::MAX);
            for w in words {
                for h in [w & 0xffff, w >> 16] {
                    let e = h & ones;
                    most = most.max(e);
                    least = least.min(if h & 0x7fff == 0 { u32::MAX } else { e });
                }
            }
            (most, least)
        };
        let ((_, least_a), (most_b, least_b)) = (range(a), range(registers(o.b, m.b_regs)));
        // A product of bfloat16 may vanish and leave −0.
        let vanishes = m.shape.a == Elem::Bf16 && least_a.saturating_add(least_b) < (154 << 7);
        let n = if m.c_constant { 1 } else { m.d_regs };
        most_b != ones && !vanishes && registers(c, n).iter().all(|c| *c != 1 << 31)
    }
}

/// Moves the k of an operand with 32 bytes a lane from one run to two of sixteen bytes, as B of the widest shapes has them.
fn two_runs(out: &mut [u32], rows: usize) {
    let groups = WAVE / rows;
    let one = out.to_vec();
    for (to, half) in (0..groups).flat_map(|g| [(g, 0), (g, 1)]) {
        // Sixteen bytes of the row, counted from its first.
        let piece = half * groups + to;
        let (from, part) = (piece / 2, piece % 2);
        for r in 0..4 {
            let (d, s) = ((4 * half + r) * WAVE + rows * to, (4 * part + r) * WAVE + rows * from);
            out[d..d + rows].copy_from_slice(&one[s..s + rows]);
        }
    }
}

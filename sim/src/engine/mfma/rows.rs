//! Matrix instructions whose rows are lists of products: sparse ones, xf32, integers, binary64. It knows all types, but
//! dense ones of a byte or less are faster in `tile`.
//!
//! Operands are decoded once an instruction, those of a byte or less by table; then D is made row by row, sixteen columns
//! together. A sparse row names the k of its values, so every row walks a list, which for dense operands is all k in
//! order. The truncating sums of CDNA3 are done on 32-bit integers: a product's significand has no more bits than leave
//! room for its alignment to 24 bits below the largest. Sums of integers are below 2^24 and so exact in binary32. What is
//! not finite, or might become so, is left to the scalar definition.

use super::Mfma;
use super::layout::{broadcast_block, run as run_of};
use super::numerics::{Family, Fp8, ZERO_EXP, canonical, decode, finish, fraction_bits, value};
use super::tile::{MAX, Operands, gather};
use crate::config::Numerics;
use crate::engine::lanes::float::pow2;
use crate::engine::lanes::{Level, WAVE};
use std::sync::OnceLock;
use wavesmith_asm::sem::Elem;

/// Exponents of products from which on a sum might leave the range of f32.
const LARGE: i32 = 100;

/// Decoded operands of one instruction: `[block][k][row]`.
#[derive(Debug)]
pub struct Decoded {
    /// Encodings.
    raw: Vec<u32>,
    /// Significands, or the bits of values.
    a: Vec<i32>,
    a_exp: Vec<i32>,
    /// The k that a value of A belongs to.
    place: Vec<u16>,
    b: Vec<i32>,
    b_exp: Vec<i32>,
}

impl Default for Decoded {
    fn default() -> Decoded {
        let plane = || vec![0; MAX];
        Decoded { raw: vec![0; MAX], a: plane(), a_exp: plane(), place: vec![0; MAX], b: plane(), b_exp: plane() }
    }
}

/// What the encodings of a type of at most a byte mean.
struct Table {
    value: [f32; 256],
    significand: [i32; 256],
    exponent: [i32; 256],
    finite: [bool; 256],
}

impl Table {
    fn of(ty: Elem, fp8: Fp8) -> Option<&'static Table> {
        static TABLES: [OnceLock<Box<Table>>; 7] = [const { OnceLock::new() }; 7];
        let at = match (ty, fp8) {
            (Elem::Fp8, Fp8::Fnuz) => 0,
            (Elem::Fp8, Fp8::Ocp) => 1,
            (Elem::Bf8, Fp8::Fnuz) => 2,
            (Elem::Bf8, Fp8::Ocp) => 3,
            (Elem::Fp6, _) => 4,
            (Elem::Bf6, _) => 5,
            (Elem::Fp4, _) => 6,
            _ => return None,
        };
        Some(TABLES[at].get_or_init(|| {
            let mut t =
                Table { value: [0.0; 256], significand: [0; 256], exponent: [ZERO_EXP; 256], finite: [true; 256] };
            for bits in 0..1usize << ty.bits() {
                let n = decode(bits as u32, ty, fp8);
                t.value[bits] = value(bits as u32, ty, fp8);
                (t.significand[bits], t.exponent[bits], t.finite[bits]) = (n.sig, n.exp, n.class == 0);
            }
            Box::new(t)
        }))
    }
}

/// How rows are summed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    Chain,
    Integer,
    Aligned { group: usize, split: bool },
}

impl Sum {
    fn of(m: &Mfma, numerics: Numerics) -> Option<Sum> {
        Some(match (m.family, numerics) {
            (Family::Integer, _) => Sum::Integer,
            (Family::FmaChain, _) | (_, Numerics::Fast) => Sum::Chain,
            (Family::Truncate { group }, _) => Sum::Aligned { group, split: false },
            (Family::TruncateSplit { group }, _) => Sum::Aligned { group, split: true },
            _ => return None,
        })
    }
}

/// Encodings to values, or to significands and exponents. Gives the largest exponent; `None` if something is not finite.
#[inline(always)]
fn decoded(raw: &[u32], (ty, fp8): (Elem, Fp8), sum: Sum, out: &mut [i32], exp: &mut [i32]) -> Option<i32> {
    let exact = matches!(sum, Sum::Aligned { .. });
    let mut most = ZERO_EXP;
    if sum == Sum::Integer {
        for (r, o) in raw.iter().zip(out) {
            *o = f32::from(*r as u8 as i8).to_bits() as i32;
        }
        return Some(0);
    }
    if let Some(t) = Table::of(ty, fp8) {
        if !exact {
            for (r, o) in raw.iter().zip(out) {
                *o = t.value[(*r & 255) as usize].to_bits() as i32;
            }
            return Some(0);
        }
        let mut finite = true;
        for ((r, o), e) in raw.iter().zip(out).zip(exp) {
            let at = (*r & 255) as usize;
            (*o, *e) = (t.significand[at], t.exponent[at]);
            finite &= t.finite[at];
            most = most.max(*e);
        }
        return finite.then_some(most);
    }
    if !exact {
        for (r, o) in raw.iter().zip(out) {
            let v = value(*r, ty, fp8).to_bits();
            *o = (if ty == Elem::Xf32 { v & !0x1fff } else { v }) as i32;
        }
        return Some(0);
    }
    let mut class = 0;
    for ((r, o), e) in raw.iter().zip(out).zip(exp) {
        let n = decode(*r, ty, fp8);
        (*o, *e) = (n.sig, n.exp);
        class |= n.class;
        most = most.max(n.exp);
    }
    (class == 0).then_some(most)
}

/// Scales of 32 consecutive k each, on decoded operands. Gives the largest exponent afterwards; `None` if a scale is NaN
/// and that is not for values to show.
///
/// # Safety
/// `scales` addresses a register.
#[inline(always)]
unsafe fn scaled(
    (scales, byte): (*const u32, u8),
    (rows, k): (usize, usize),
    sum: Sum,
    out: &mut [i32],
    exp: &mut [i32],
) -> Option<i32> {
    let mut most = ZERO_EXP;
    for kk in 0..k {
        for r in 0..rows {
            // SAFETY: a lane of the register.
            let e = unsafe { *scales.add(r + rows * (kk / 32)) } >> (8 * u32::from(byte)) & 0xff;
            let at = kk * rows + r;
            if sum == Sum::Chain {
                let v = f64::from(f32::from_bits(out[at] as u32));
                let v = if e == 255 { f32::NAN } else { (v * pow2(e as i32 - 127)) as f32 };
                out[at] = v.to_bits() as i32;
            } else if e == 255 {
                return None;
            } else if out[at] != 0 {
                exp[at] += e as i32 - 127;
                most = most.max(exp[at]);
            }
        }
    }
    Some(most)
}

/// Which k the kept values of a sparse A belong to, in order; false where an index names the same place twice.
///
/// # Safety
/// `index` addresses a register.
#[inline(always)]
unsafe fn sparse_places(s: &mut Decoded, m: &Mfma, index: *const u32, (rows, k): (usize, usize)) -> bool {
    let per_lane = (rows * k / WAVE).max(1);
    let width = 2 * per_lane;
    let sets = (32 / width).max(1);
    let set = if m.cbsz == 0 { m.abid as usize % sets } else { 0 };
    let shift = (set * width % 32) as u32;
    for g in 0..(k / per_lane).max(1) {
        for item in (0..per_lane).step_by(2) {
            let kk = g * per_lane + item;
            for r in 0..rows {
                // SAFETY: lanes are below 64, as rows times groups are.
                let bits = unsafe { *index.add(g * rows + r) } >> shift >> (2 * item);
                let (first, second) = (bits & 3, bits >> 2 & 3);
                if first == second {
                    return false;
                }
                let (x, y) = (kk * rows + r, (kk + 1) * rows + r);
                if first > second {
                    s.a.swap(x, y);
                    s.a_exp.swap(x, y);
                }
                s.place[x] = (kk / 2 * 4) as u16 + first.min(second) as u16;
                s.place[y] = (kk / 2 * 4) as u16 + first.max(second) as u16;
            }
        }
    }
    true
}

/// Sixteen columns of a row, aligned and truncated; see [`finish`].
#[inline(always)]
fn aligned_row(p: &RowPlaces<'_>, (group, split): (usize, bool), shift: u32, c: &[u32; 16]) -> [u32; 16] {
    let mut acc = *c;
    for from in (0..p.count).step_by(group) {
        let to = (from + group).min(p.count);
        let (mut e, mut t) = ([[ZERO_EXP; 16]; 2], [[0i32; 16]; 2]);
        for half in 0..if split { 2 } else { 1 } {
            let step = if split { 2 } else { 1 };
            for n in (from + half..to).step_by(step) {
                let (sig, exp, b) = p.at(n);
                for (l, most) in e[half].iter_mut().enumerate() {
                    let x = if sig == 0 || b.0[l] == 0 { ZERO_EXP } else { exp + b.1[l] };
                    *most = if x > *most { x } else { *most };
                }
            }
            for n in (from + half..to).step_by(step) {
                let (sig, exp, b) = p.at(n);
                for l in 0..16 {
                    let product = sig * b.0[l];
                    let down = (e[half][l] - exp - b.1[l]).clamp(0, 31);
                    let size = ((product.unsigned_abs() << shift) >> down) as i32;
                    t[half][l] += if product < 0 { -size } else { size };
                }
            }
        }
        for l in 0..16 {
            let most = e[0][l].max(e[1][l]);
            let sum = if split {
                (t[0][l] >> (most - e[0][l]).min(31)) + (t[1][l] >> (most - e[1][l]).min(31))
            } else {
                t[0][l]
            };
            acc[l] = finish(i64::from(sum), most, f32::from_bits(acc[l]), split);
        }
    }
    acc
}

/// [`aligned_row`] in AVX-512.
///
/// # Safety
/// The host offers AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn aligned_row_avx512(p: &RowPlaces<'_>, (group, split): (usize, bool), shift: u32, c: &[u32; 16]) -> [u32; 16] {
    use core::arch::x86_64::*;
    // SAFETY: for the whole body, rows of B are sixteen elements long, which `at` has checked.
    unsafe {
        let mut acc = _mm512_loadu_ps(c.as_ptr().cast());
        let shift = _mm_cvtsi32_si128(shift as i32);
        let step = if split { 2 } else { 1 };
        for from in (0..p.count).step_by(group) {
            let to = (from + group).min(p.count);
            let zero = _mm512_set1_epi32(ZERO_EXP);
            let (mut e, mut t) = ([zero; 2], [_mm512_setzero_si512(); 2]);
            for half in 0..step {
                let part = |n: usize| {
                    let (sig, exp, b) = p.at(n);
                    let product = _mm512_mullo_epi32(_mm512_set1_epi32(sig), _mm512_loadu_si512(b.0.as_ptr().cast()));
                    let x = _mm512_add_epi32(_mm512_set1_epi32(exp), _mm512_loadu_si512(b.1.as_ptr().cast()));
                    (product, x)
                };
                for n in (from + half..to).step_by(step) {
                    let (product, x) = part(n);
                    let some = _mm512_test_epi32_mask(product, product);
                    e[half] = _mm512_mask_max_epi32(e[half], some, e[half], x);
                }
                for n in (from + half..to).step_by(step) {
                    let (product, x) = part(n);
                    // What is 32 places down is gone; so is a zero, wherever it is.
                    let down = _mm512_sub_epi32(e[half], x);
                    let size = _mm512_srlv_epi32(_mm512_sll_epi32(_mm512_abs_epi32(product), shift), down);
                    let negative = _mm512_movepi32_mask(product);
                    let size = _mm512_mask_sub_epi32(size, negative, _mm512_setzero_si512(), size);
                    t[half] = _mm512_add_epi32(t[half], size);
                }
            }
            let most = _mm512_max_epi32(e[0], e[1]);
            let sum = if split {
                let down = |i: usize| _mm512_srav_epi32(t[i], _mm512_sub_epi32(most, e[i]));
                _mm512_add_epi32(down(0), down(1))
            } else {
                t[0]
            };
            acc = super::tile::sums::finish_row_avx512(acc, most, sum, split);
        }
        let mut out = [0u32; 16];
        _mm512_storeu_ps(out.as_mut_ptr().cast(), acc);
        out
    }
}

/// A row of A and sixteen columns of B.
struct RowPlaces<'a> {
    s: &'a Decoded,
    /// Where the row begins in the planes of A, and its elements' distance.
    a: (usize, usize),
    /// Where the columns begin, and the distance of rows.
    b: (usize, usize),
    /// Values of the row.
    count: usize,
    sparse: bool,
}

impl RowPlaces<'_> {
    /// The `n`-th value of the row with its exponent, and what it meets in B.
    #[inline(always)]
    fn at(&self, n: usize) -> (i32, i32, (&[i32; 16], &[i32; 16])) {
        let at = self.a.0 + n * self.a.1;
        let k = if self.sparse { usize::from(self.s.place[at]) } else { n };
        let b = self.b.0 + k * self.b.1;
        let b16 = |v: &'_ [i32]| -> *const [i32; 16] { v[b..b + 16].as_ptr().cast() };
        // SAFETY: the slices are sixteen elements long.
        let columns = unsafe { (&*b16(&self.s.b), &*b16(&self.s.b_exp)) };
        (self.s.a[at], self.s.a_exp[at], columns)
    }
}

/// Four rows as chains of fused multiply-adds.
#[inline(always)]
fn chain_rows(p: &RowPlaces<'_>, acc: &mut [[f32; 16]; 4]) {
    for n in 0..p.count {
        for (r, acc) in acc.iter_mut().enumerate() {
            let at = p.a.0 + n * p.a.1 + r;
            let k = if p.sparse { usize::from(p.s.place[at]) } else { n };
            let b = p.b.0 + k * p.b.1;
            let x = f32::from_bits(p.s.a[at] as u32);
            let y: &[i32; 16] = p.s.b[b..b + 16].try_into().expect("sixteen columns");
            for l in 0..16 {
                acc[l] = x.mul_add(f32::from_bits(y[l] as u32), acc[l]);
            }
        }
    }
}

#[inline(always)]
fn run_body<const AVX512: bool>(s: &mut Decoded, m: &Mfma, numerics: Numerics, o: Operands, c: *const u32) -> bool {
    let sh = &m.shape;
    let (rm, rn, k, blocks) = (sh.m as usize, sh.n as usize, sh.k as usize, sh.blocks as usize);
    if rn < 16 || sh.d == Elem::F64 || (m.blgp != 0 && !sh.typed_by_fields) {
        return false;
    }
    let Some(sum) = Sum::of(m, numerics) else { return false };
    let mut dense = *sh;
    if sh.sparse {
        dense.k /= 2;
    }
    let (ka, na, nb) = (dense.k as usize, rm * dense.k as usize * blocks, rn * k * blocks);
    // SAFETY: the caller vouches for the registers of A, B, indices and scales.
    let most = unsafe {
        let registers = |p: *const u32, n: u8| core::slice::from_raw_parts(p, usize::from(n) * WAVE);
        let (a, b) = (registers(o.a, m.a_regs), registers(o.b, m.b_regs));
        gather(&mut s.raw, a, rm, ka, blocks, sh.a.bits() as usize, run_of(&dense, rm, sh.a));
        let a = decoded(&s.raw[..na], (sh.a, m.fp8), sum, &mut s.a, &mut s.a_exp);
        gather(&mut s.raw, b, rn, k, blocks, sh.b.bits() as usize, run_of(sh, rn, sh.b));
        let b = decoded(&s.raw[..nb], (sh.b, m.fp8), sum, &mut s.b, &mut s.b_exp);
        let (Some(mut a), Some(mut b)) = (a, b) else { return false };
        if let Some((_, byte_a, _, byte_b)) = m.scale {
            if sh.sparse || blocks != 1 {
                return false;
            }
            let more = (
                scaled((o.scale_a, byte_a), (rm, k), sum, &mut s.a, &mut s.a_exp),
                scaled((o.scale_b, byte_b), (rn, k), sum, &mut s.b, &mut s.b_exp),
            );
            let (Some(x), Some(y)) = more else { return false };
            (a, b) = (x, y);
        }
        if m.index.is_some() && (blocks != 1 || !sparse_places(s, m, o.index, (rm, ka))) {
            return false;
        }
        a + b
    };
    if matches!(sum, Sum::Aligned { .. }) && (most >= LARGE || !super::tile::finite_c(m, c)) {
        return false;
    }
    let groups = WAVE / rn;
    let step = if m.c_constant { 0 } else { WAVE };
    let shift = (24 - fraction_bits(sh.a) - fraction_bits(sh.b)) as u32;
    for block in 0..blocks {
        let a_block = if sh.sparse { block } else { broadcast_block(m.cbsz, m.abid, block) };
        for i in (0..rm).step_by(4) {
            let item = 4 * (i / (4 * groups)) + block * (rm / groups);
            let lane = rn * (i / 4 % groups);
            for j in (0..rn).step_by(16) {
                let mut p = RowPlaces {
                    s,
                    a: (a_block * ka * rm + i, rm),
                    b: (block * k * rn + j, rn),
                    count: ka,
                    sparse: m.index.is_some(),
                };
                // SAFETY: for both, items are below the instruction's D registers and sixteen lanes from `lane + j` are
                // below 64, by the layout; the caller vouches for that many registers.
                let read =
                    |r: usize| unsafe { core::ptr::read(c.add((item + r) * step + lane + j).cast::<[u32; 16]>()) };
                // SAFETY: as above.
                let write = |r: usize, v: [u32; 16]| unsafe {
                    core::ptr::write(o.d.add((item + r) * WAVE + lane + j).cast::<[u32; 16]>(), v);
                };
                if let Sum::Aligned { group, split } = sum {
                    for r in 0..4 {
                        p.a.0 = a_block * ka * rm + i + r;
                        let c = read(r);
                        #[cfg(target_arch = "x86_64")]
                        if AVX512 {
                            // SAFETY: this instance is for hosts that offer it.
                            write(r, unsafe { aligned_row_avx512(&p, (group, split), shift, &c) });
                            continue;
                        }
                        write(r, aligned_row(&p, (group, split), shift, &c));
                    }
                    continue;
                }
                let mut acc = [[0f32; 16]; 4];
                if sum == Sum::Chain {
                    acc = core::array::from_fn(|r| read(r).map(f32::from_bits));
                }
                chain_rows(&p, &mut acc);
                for (r, acc) in acc.iter().enumerate() {
                    let c = read(r);
                    let mut out = [0; 16];
                    for l in 0..16 {
                        out[l] =
                            if sum == Sum::Chain { canonical(acc[l]) } else { c[l].wrapping_add(acc[l] as i32 as u32) };
                    }
                    write(r, out);
                }
            }
        }
    }
    true
}

/// IEEE chains of binary64, with `blgp` as negations of A, B and C.
#[inline(always)]
fn run_f64_body(m: &Mfma, o: Operands, c: *const u32) -> bool {
    let sh = &m.shape;
    if sh.d != Elem::F64 || (sh.m, sh.n, sh.k) != (sh.n, sh.m, 4) || usize::from(sh.m) * usize::from(sh.blocks) != 16 {
        return false;
    }
    let (rows, blocks) = (usize::from(sh.n), usize::from(sh.blocks));
    let sign = |bit: u8| if m.blgp >> bit & 1 == 1 { -1.0 } else { 1.0 };
    // SAFETY: for the whole body, the caller vouches for two registers of A, of B and of a constant C, and otherwise for
    // as many of C and D as the shape has.
    unsafe {
        let get = |p: *const u32, item: usize, lane: usize| {
            f64::from_bits(
                u64::from(*p.add(2 * item * WAVE + lane)) | u64::from(*p.add((2 * item + 1) * WAVE + lane)) << 32,
            )
        };
        // One element a lane: rows run over lanes, then blocks, then k.
        let (mut a, mut b) = ([0f64; WAVE], [0f64; WAVE]);
        for lane in 0..WAVE {
            a[lane] = get(o.a, 0, lane) * sign(0);
            b[lane] = get(o.b, 0, lane) * sign(1);
        }
        for item in 0..rows / blocks / 4 + usize::from(blocks > 1) {
            for quarter in 0..4 {
                // Sixteen results lie side by side: a row of one block, or a row of each of four.
                let mut acc = [0f64; 16];
                for (l, acc) in acc.iter_mut().enumerate() {
                    *acc = get(c, if m.c_constant { 0 } else { item }, 16 * quarter + l) * sign(2);
                }
                let row = if blocks == 1 { 4 * item + quarter } else { quarter };
                for k in 0..4 {
                    let y: &[f64; 16] = b[16 * k..16 * k + 16].try_into().expect("sixteen columns");
                    let mut x = [0f64; 16];
                    for (l, x) in x.iter_mut().enumerate() {
                        let block = if blocks == 1 { 0 } else { broadcast_block(m.cbsz, m.abid, l / 4) };
                        *x = a[(row + rows * (block + blocks * k)) % WAVE];
                    }
                    for l in 0..16 {
                        acc[l] = x[l].mul_add(y[l], acc[l]);
                    }
                }
                for (l, acc) in acc.iter().enumerate() {
                    let bits = if acc.is_nan() { 0x7fff_ffff_ffff_ffff } else { acc.to_bits() };
                    let lane = 16 * quarter + l;
                    *o.d.add(2 * item * WAVE + lane) = bits as u32;
                    *o.d.add((2 * item + 1) * WAVE + lane) = (bits >> 32) as u32;
                }
            }
        }
    }
    true
}

/// Executes `m`, if it is one of these and its operands allow; else nothing is done.
///
/// # Safety
/// As [`super::run`], and `c` does not overlap D other than exactly.
pub unsafe fn run(s: &mut Decoded, level: Level, m: &Mfma, numerics: Numerics, o: Operands, c: *const u32) -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
        unsafe fn avx512(s: &mut Decoded, m: &Mfma, numerics: Numerics, o: Operands, c: *const u32) -> bool {
            run_f64_body(m, o, c) || run_body::<true>(s, m, numerics, o, c)
        }
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
        unsafe fn avx2(s: &mut Decoded, m: &Mfma, numerics: Numerics, o: Operands, c: *const u32) -> bool {
            run_f64_body(m, o, c) || run_body::<false>(s, m, numerics, o, c)
        }
        match level {
            // SAFETY: the host offers the level.
            Level::Avx512 => return unsafe { avx512(s, m, numerics, o, c) },
            // SAFETY: the host offers the level.
            Level::Avx2 => return unsafe { avx2(s, m, numerics, o, c) },
            Level::Plain => {}
        }
    }
    let _ = level;
    run_f64_body(m, o, c) || run_body::<false>(s, m, numerics, o, c)
}

//! The lane operations, one line each: name, operand types, result type, and the scalar expression that defines it.
//!
//! `a`, `b` and `c` are sources in instruction order. 16-bit operations read the low half of their sources and give a
//! zero-extended result; the lowering selects and inserts halves. Negation, magnitude, clamp and output scaling are
//! operations of their own, so that no definition has to know modifiers.

use super::bits::*;
use super::exact::{F32, F64, fused};
use super::float::*;
use super::{Lane, WAVE};

/// A lane loop: destination, then three sources. Sources that an operation does not have are not read.
pub type Kernel = unsafe fn(*mut u32, *const u32, *const u32, *const u32);

/// Applies `f` lane by lane.
///
/// # Safety
/// Every pointer addresses as many consecutive 64-lane registers as its type spans. The destination may overlap the
/// sources by whole registers: lanes are independent, and sixteen lanes are read before any of them is written.
#[inline(always)]
unsafe fn map<A: Lane, B: Lane, C: Lane, D: Lane>(
    d: *mut u32,
    a: *const u32,
    b: *const u32,
    c: *const u32,
    f: impl Fn(A, B, C) -> D,
) {
    let mut k = 0;
    while k < WAVE {
        let mut r = [D::ZERO; 16];
        for (i, r) in r.iter_mut().enumerate() {
            // SAFETY: `k + i` is below 64, and the caller vouches for the registers.
            *r = unsafe { f(A::load(a, k + i), B::load(b, k + i), C::load(c, k + i)) };
        }
        for (i, r) in r.iter().enumerate() {
            // SAFETY: as above.
            unsafe { r.store(d, k + i) };
        }
        k += 16;
    }
}

macro_rules! lane_ops {
    ($($(#[$m:meta])* $name:ident ($($p:ident : $t:ty),*) -> $r:ty = $e:expr;)*) => {
        /// An operation on 64 lanes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        #[repr(u16)]
        pub enum LaneOp { $($(#[$m])* $name),* }

        impl LaneOp {
            /// Every operation.
            pub const ALL: &'static [LaneOp] = &[$(LaneOp::$name),*];

            /// Registers that the destination spans, then those of each source (0 where there is none).
            pub const fn regs(self) -> (u8, [u8; 3]) {
                match self { $(LaneOp::$name => {
                    let s = [$(<$t as Lane>::REGS),*];
                    let mut out = [0; 3];
                    let mut i = 0;
                    while i < s.len() { out[i] = s[i]; i += 1; }
                    (<$r as Lane>::REGS, out)
                }),* }
            }

            /// The loop for `level`, which the host must offer.
            pub fn kernel(self, level: super::Level) -> Kernel {
                #[cfg(target_arch = "x86_64")]
                if level == super::Level::Avx512
                    && let Some(k) = super::avx512::kernel(self)
                {
                    return k;
                }
                self.general(level)
            }

            /// The definition compiled for `level`.
            pub fn general(self, level: super::Level) -> Kernel {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    super::Level::Avx512 => AVX512[self as usize],
                    #[cfg(target_arch = "x86_64")]
                    super::Level::Avx2 => AVX2[self as usize],
                    _ => PLAIN[self as usize],
                }
            }
        }

        mod body {
            use super::*;
            $(#[allow(non_snake_case, unused_variables)]
            #[inline(always)]
            pub(super) unsafe fn $name(d: *mut u32, a: *const u32, b: *const u32, c: *const u32) {
                lane_ops!(@call d a b c [$($p : $t),*] $r, $e)
            })*
        }
        lane_ops!(@level PLAIN, plain, (), $($name)*);
        #[cfg(target_arch = "x86_64")]
        lane_ops!(@level AVX2, avx2, (target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")), $($name)*);
        #[cfg(target_arch = "x86_64")]
        lane_ops!(@level AVX512, avx512, (target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt")), $($name)*);
    };
    (@call $d:ident $a:ident $b:ident $c:ident [$p:ident : $t:ty] $r:ty, $e:expr) => {
        // SAFETY: passed on from the caller; the unused sources are given the first.
        unsafe { map($d, $a, $a, $a, #[inline(always)] |$p: $t, _: $t, _: $t| -> $r { $e }) }
    };
    (@call $d:ident $a:ident $b:ident $c:ident [$p:ident : $t:ty, $q:ident : $u:ty] $r:ty, $e:expr) => {
        // SAFETY: passed on from the caller; the unused source is given the first.
        unsafe { map($d, $a, $b, $a, #[inline(always)] |$p: $t, $q: $u, _: $t| -> $r { $e }) }
    };
    (@call $d:ident $a:ident $b:ident $c:ident [$p:ident : $t:ty, $q:ident : $u:ty, $s:ident : $v:ty] $r:ty, $e:expr) => {
        // SAFETY: passed on from the caller.
        unsafe { map($d, $a, $b, $c, #[inline(always)] |$p: $t, $q: $u, $s: $v| -> $r { $e }) }
    };
    (@level $table:ident, $module:ident, (), $($name:ident)*) => {
        static $table: [Kernel; LaneOp::ALL.len()] = [$($module::$name),*];
        mod $module {
            $(#[allow(non_snake_case)]
            pub(super) unsafe fn $name(d: *mut u32, a: *const u32, b: *const u32, c: *const u32) {
                // SAFETY: passed on from the caller.
                unsafe { super::body::$name(d, a, b, c) }
            })*
        }
    };
    (@level $table:ident, $module:ident, ($attr:meta), $($name:ident)*) => {
        static $table: [Kernel; LaneOp::ALL.len()] = [$($module::$name),*];
        mod $module {
            $(#[allow(non_snake_case)]
            #[$attr]
            pub(super) unsafe fn $name(d: *mut u32, a: *const u32, b: *const u32, c: *const u32) {
                // SAFETY: passed on from the caller.
                unsafe { super::body::$name(d, a, b, c) }
            })*
        }
    };
}

lane_ops! {
    // Moves and bits.
    Mov(a: u32) -> u32 = a;
    Mov64(a: u64) -> u64 = a;
    Not(a: u32) -> u32 = !a;
    And(a: u32, b: u32) -> u32 = a & b;
    Or(a: u32, b: u32) -> u32 = a | b;
    Xor(a: u32, b: u32) -> u32 = a ^ b;
    Xnor(a: u32, b: u32) -> u32 = !(a ^ b);
    Or3(a: u32, b: u32, c: u32) -> u32 = a | b | c;
    AndOr(a: u32, b: u32, c: u32) -> u32 = (a & b) | c;
    Bfi(a: u32, b: u32, c: u32) -> u32 = (a & b) | (!a & c);
    BfeU(a: u32, b: u32, c: u32) -> u32 = bfe_u32(a, b, c);
    BfeI(a: u32, b: u32, c: u32) -> u32 = bfe_i32(a, b, c);
    Bfm(a: u32, b: u32) -> u32 = (1u32 << (a & 31)).wrapping_sub(1) << (b & 31);
    Bfrev(a: u32) -> u32 = a.reverse_bits();
    FfbhU(a: u32) -> u32 = if a == 0 { u32::MAX } else { a.leading_zeros() };
    FfbhI(a: u32) -> u32 = ffbh_i32(a);
    Ffbl(a: u32) -> u32 = if a == 0 { u32::MAX } else { a.trailing_zeros() };
    Bcnt(a: u32, b: u32) -> u32 = a.count_ones().wrapping_add(b);
    Perm(a: u32, b: u32, c: u32) -> u32 = perm(a, b, c);
    AlignBit(a: u32, b: u32, c: u32) -> u32 = ((u64::from(a) << 32 | u64::from(b)) >> (c & 31)) as u32;
    AlignByte(a: u32, b: u32, c: u32) -> u32 = ((u64::from(a) << 32 | u64::from(b)) >> (8 * (c & 3))) as u32;
    // Shifts; the Rev forms shift the second source.
    Lshl(a: u32, b: u32) -> u32 = a << (b & 31);
    LshlRev(a: u32, b: u32) -> u32 = b << (a & 31);
    LshrRev(a: u32, b: u32) -> u32 = b >> (a & 31);
    AshrRev(a: u32, b: i32) -> i32 = b >> (a & 31);
    LshlRev16(a: u32, b: u32) -> u32 = (b << (a & 15)) & 0xffff;
    LshrRev16(a: u32, b: u32) -> u32 = (b & 0xffff) >> (a & 15);
    AshrRev16(a: u32, b: u32) -> u32 = u16_((s16(b) >> (a & 15)) as u32);
    LshlRev64(a: u32, b: u64) -> u64 = b << (a & 63);
    LshrRev64(a: u32, b: u64) -> u64 = b >> (a & 63);
    AshrRev64(a: u32, b: i64) -> i64 = b >> (a & 63);
    LshlOr(a: u32, b: u32, c: u32) -> u32 = (a << (b & 31)) | c;
    LshlAdd(a: u32, b: u32, c: u32) -> u32 = (a << (b & 31)).wrapping_add(c);
    LshlAdd64(a: u64, b: u32, c: u64) -> u64 = (a << (b & 7)).wrapping_add(c);
    AddLshl(a: u32, b: u32, c: u32) -> u32 = a.wrapping_add(b) << (c & 31);
    Xad(a: u32, b: u32, c: u32) -> u32 = (a ^ b).wrapping_add(c);
    // Integer arithmetic.
    AddU32(a: u32, b: u32) -> u32 = a.wrapping_add(b);
    SubU32(a: u32, b: u32) -> u32 = a.wrapping_sub(b);
    SubRevU32(a: u32, b: u32) -> u32 = b.wrapping_sub(a);
    Add3(a: u32, b: u32, c: u32) -> u32 = a.wrapping_add(b).wrapping_add(c);
    AddSatU32(a: u32, b: u32) -> u32 = a.saturating_add(b);
    SubSatU32(a: u32, b: u32) -> u32 = a.saturating_sub(b);
    SubRevSatU32(a: u32, b: u32) -> u32 = b.saturating_sub(a);
    AddSatI32(a: i32, b: i32) -> i32 = a.saturating_add(b);
    SubSatI32(a: i32, b: i32) -> i32 = a.saturating_sub(b);
    MulLo(a: u32, b: u32) -> u32 = a.wrapping_mul(b);
    MulHiU32(a: u32, b: u32) -> u32 = ((u64::from(a) * u64::from(b)) >> 32) as u32;
    MulHiI32(a: i32, b: i32) -> i32 = ((i64::from(a) * i64::from(b)) >> 32) as i32;
    MulU24(a: u32, b: u32) -> u32 = u24(a).wrapping_mul(u24(b));
    MulI24(a: u32, b: u32) -> u32 = s24(a).wrapping_mul(s24(b)) as u32;
    MulHiU24(a: u32, b: u32) -> u32 = ((u64::from(u24(a)) * u64::from(u24(b))) >> 32) as u32;
    MulHiI24(a: u32, b: u32) -> u32 = ((i64::from(s24(a)) * i64::from(s24(b))) >> 32) as u32;
    MadU24(a: u32, b: u32, c: u32) -> u32 = u24(a).wrapping_mul(u24(b)).wrapping_add(c);
    MadI24(a: u32, b: u32, c: u32) -> u32 = (s24(a).wrapping_mul(s24(b)) as u32).wrapping_add(c);
    MadU32U16(a: u32, b: u32, c: u32) -> u32 = (u16_(a) * u16_(b)).wrapping_add(c);
    MadI32I16(a: u32, b: u32, c: u32) -> u32 = ((s16(a) * s16(b)) as u32).wrapping_add(c);
    MinU32(a: u32, b: u32) -> u32 = a.min(b);
    MaxU32(a: u32, b: u32) -> u32 = a.max(b);
    MinI32(a: i32, b: i32) -> i32 = a.min(b);
    MaxI32(a: i32, b: i32) -> i32 = a.max(b);
    Min3U32(a: u32, b: u32, c: u32) -> u32 = a.min(b).min(c);
    Max3U32(a: u32, b: u32, c: u32) -> u32 = a.max(b).max(c);
    Med3U32(a: u32, b: u32, c: u32) -> u32 = a.min(b).max(a.max(b).min(c));
    Min3I32(a: i32, b: i32, c: i32) -> i32 = a.min(b).min(c);
    Max3I32(a: i32, b: i32, c: i32) -> i32 = a.max(b).max(c);
    Med3I32(a: i32, b: i32, c: i32) -> i32 = a.min(b).max(a.max(b).min(c));
    SadU8(a: u32, b: u32, c: u32) -> u32 = sad_u8(a, b, c);
    SadHiU8(a: u32, b: u32, c: u32) -> u32 = (sad_u8(a, b, 0) << 16).wrapping_add(c);
    SadU16(a: u32, b: u32, c: u32) -> u32 = u16_(a).abs_diff(u16_(b)).wrapping_add((a >> 16).abs_diff(b >> 16)).wrapping_add(c);
    SadU32(a: u32, b: u32, c: u32) -> u32 = a.abs_diff(b).wrapping_add(c);
    MsadU8(a: u32, b: u32, c: u32) -> u32 = msad_u8(a, b, c);
    QsadPk(a: u64, b: u32, c: u64) -> u64 = qsad(a, b, c, false, false);
    MqsadPk(a: u64, b: u32, c: u64) -> u64 = qsad(a, b, c, true, false);
    // With clamp, sums saturate.
    SadSatU8(a: u32, b: u32, c: u32) -> u32 = sad_u8(a, b, 0).saturating_add(c);
    SadHiSatU8(a: u32, b: u32, c: u32) -> u32 = (sad_u8(a, b, 0) << 16).saturating_add(c);
    SadSatU16(a: u32, b: u32, c: u32) -> u32 = (u16_(a).abs_diff(u16_(b)) + (a >> 16).abs_diff(b >> 16)).saturating_add(c);
    SadSatU32(a: u32, b: u32, c: u32) -> u32 = a.abs_diff(b).saturating_add(c);
    MsadSatU8(a: u32, b: u32, c: u32) -> u32 = msad_u8(a, b, 0).saturating_add(c);
    QsadPkSat(a: u64, b: u32, c: u64) -> u64 = qsad(a, b, c, false, true);
    MqsadPkSat(a: u64, b: u32, c: u64) -> u64 = qsad(a, b, c, true, true);
    MadSatU24(a: u32, b: u32, c: u32) -> u32 = (u64::from(u24(a)) * u64::from(u24(b)) + u64::from(c)).min(u64::from(u32::MAX)) as u32;
    MadSatI24(a: u32, b: u32, c: i32) -> u32 = (i64::from(s24(a)) * i64::from(s24(b)) + i64::from(c)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32;
    MadSatU32U16(a: u32, b: u32, c: u32) -> u32 = (u16_(a) * u16_(b)).saturating_add(c);
    MadSatI32I16(a: u32, b: u32, c: i32) -> i32 = (s16(a) * s16(b)).saturating_add(c);
    AshrPkI8(a: i32, b: i32, c: u32) -> u32 = ((a >> (c & 31)).clamp(-128, 127) as u32 & 0xff) | ((b >> (c & 31)).clamp(-128, 127) as u32 & 0xff) << 8;
    AshrPkU8(a: i32, b: i32, c: u32) -> u32 = ((a >> (c & 31)).clamp(0, 255) as u32) | ((b >> (c & 31)).clamp(0, 255) as u32) << 8;
    Prng(a: u32) -> u32 = crate::engine::lanes::lowp::prng(a);
    Lerp(a: u32, b: u32, c: u32) -> u32 = lerp(a, b, c);
    // 16-bit integers.
    AddU16(a: u32, b: u32) -> u32 = u16_(a.wrapping_add(b));
    SubU16(a: u32, b: u32) -> u32 = u16_(a.wrapping_sub(b));
    SubRevU16(a: u32, b: u32) -> u32 = u16_(b.wrapping_sub(a));
    AddSatU16(a: u32, b: u32) -> u32 = (u16_(a) + u16_(b)).min(0xffff);
    SubSatU16(a: u32, b: u32) -> u32 = u16_(a).saturating_sub(u16_(b));
    SubRevSatU16(a: u32, b: u32) -> u32 = u16_(b).saturating_sub(u16_(a));
    AddSatI16(a: u32, b: u32) -> u32 = u16_((s16(a) + s16(b)).clamp(-32768, 32767) as u32);
    SubSatI16(a: u32, b: u32) -> u32 = u16_((s16(a) - s16(b)).clamp(-32768, 32767) as u32);
    MulLo16(a: u32, b: u32) -> u32 = u16_(u16_(a) * u16_(b));
    Mad16(a: u32, b: u32, c: u32) -> u32 = u16_((u16_(a) * u16_(b)).wrapping_add(c));
    MadSatU16(a: u32, b: u32, c: u32) -> u32 = (u64::from(u16_(a)) * u64::from(u16_(b)) + u64::from(u16_(c))).min(0xffff) as u32;
    MadSatI16(a: u32, b: u32, c: u32) -> u32 = u16_((i64::from(s16(a)) * i64::from(s16(b)) + i64::from(s16(c))).clamp(-32768, 32767) as u32);
    MinU16(a: u32, b: u32) -> u32 = u16_(a).min(u16_(b));
    MaxU16(a: u32, b: u32) -> u32 = u16_(a).max(u16_(b));
    MinI16(a: u32, b: u32) -> u32 = u16_(s16(a).min(s16(b)) as u32);
    MaxI16(a: u32, b: u32) -> u32 = u16_(s16(a).max(s16(b)) as u32);
    Min3U16(a: u32, b: u32, c: u32) -> u32 = u16_(a).min(u16_(b)).min(u16_(c));
    Max3U16(a: u32, b: u32, c: u32) -> u32 = u16_(a).max(u16_(b)).max(u16_(c));
    Med3U16(a: u32, b: u32, c: u32) -> u32 = { let (a, b, c) = (u16_(a), u16_(b), u16_(c)); a.min(b).max(a.max(b).min(c)) };
    Min3I16(a: u32, b: u32, c: u32) -> u32 = u16_(s16(a).min(s16(b)).min(s16(c)) as u32);
    Max3I16(a: u32, b: u32, c: u32) -> u32 = u16_(s16(a).max(s16(b)).max(s16(c)) as u32);
    Med3I16(a: u32, b: u32, c: u32) -> u32 = { let (a, b, c) = (s16(a), s16(b), s16(c)); u16_(a.min(b).max(a.max(b).min(c)) as u32) };
    // Packed 16-bit integers.
    PkAddU16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| x.wrapping_add(y));
    PkSubU16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| x.wrapping_sub(y));
    PkAddSatU16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| (x + y).min(0xffff));
    PkSubSatU16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| x.saturating_sub(y));
    PkAddSatI16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| (s16(x) + s16(y)).clamp(-32768, 32767) as u32);
    PkSubSatI16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| (s16(x) - s16(y)).clamp(-32768, 32767) as u32);
    PkMulLo16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| x.wrapping_mul(y));
    PkMad16(a: u32, b: u32, c: u32) -> u32 = pk3(a, b, c, |x, y, z| x.wrapping_mul(y).wrapping_add(z));
    PkMadSatU16(a: u32, b: u32, c: u32) -> u32 = pk3(a, b, c, |x, y, z| (u64::from(x) * u64::from(y) + u64::from(z)).min(0xffff) as u32);
    PkMadSatI16(a: u32, b: u32, c: u32) -> u32 = pk3(a, b, c, |x, y, z| (i64::from(s16(x)) * i64::from(s16(y)) + i64::from(s16(z))).clamp(-32768, 32767) as u32);
    PkLshlRev16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| y << (x & 15));
    PkLshrRev16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| y >> (x & 15));
    PkAshrRev16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| (s16(y) >> (x & 15)) as u32);
    PkMinU16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| x.min(y));
    PkMaxU16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| x.max(y));
    PkMinI16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| s16(x).min(s16(y)) as u32);
    PkMaxI16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| s16(x).max(s16(y)) as u32);
    SatPkU8I16(a: u32) -> u32 = (s16(a).clamp(0, 255) as u32) | (s16(a >> 16).clamp(0, 255) as u32) << 8;
    // f32.
    AddF32(a: f32, b: f32) -> f32 = nan2(a + b, a, b);
    SubF32(a: f32, b: f32) -> f32 = nan2(a - b, a, b);
    SubRevF32(a: f32, b: f32) -> f32 = nan2(b - a, a, b);
    MulF32(a: f32, b: f32) -> f32 = nan2(a * b, a, b);
    MulLegacyF32(a: f32, b: f32) -> f32 = if a == 0.0 || b == 0.0 { 0.0 } else { nan2(a * b, a, b) };
    FmaF32(a: f32, b: f32, c: f32) -> f32 = nan3(a.mul_add(b, c), a, b, c);
    MadF32(a: f32, b: f32, c: f32) -> f32 = { let p = flush32(flush32(a) * flush32(b)); nan3(flush32(p + flush32(c)), a, b, c) };
    MadLegacyF32(a: f32, b: f32, c: f32) -> f32 = {
        let p = if flush32(a) == 0.0 || flush32(b) == 0.0 { 0.0 } else { flush32(flush32(a) * flush32(b)) };
        nan3(flush32(p + flush32(c)), a, b, c)
    };
    MinF32(a: f32, b: f32) -> f32 = min32(a, b, false);
    MaxF32(a: f32, b: f32) -> f32 = max32(a, b, false);
    MinIeeeF32(a: f32, b: f32) -> f32 = min32(a, b, true);
    MaxIeeeF32(a: f32, b: f32) -> f32 = max32(a, b, true);
    Min3F32(a: f32, b: f32, c: f32) -> f32 = min32(min32(a, b, false), c, false);
    Min3IeeeF32(a: f32, b: f32, c: f32) -> f32 = min32(min32(a, b, true), c, true);
    Max3F32(a: f32, b: f32, c: f32) -> f32 = max32(max32(a, b, false), c, false);
    Max3IeeeF32(a: f32, b: f32, c: f32) -> f32 = max32(max32(a, b, true), c, true);
    Med3F32(a: f32, b: f32, c: f32) -> f32 = med3_32(a, b, c, false);
    Med3IeeeF32(a: f32, b: f32, c: f32) -> f32 = med3_32(a, b, c, true);
    Minimum3F32(a: f32, b: f32, c: f32) -> f32 = if a.is_nan() || b.is_nan() || c.is_nan() { nan3(f32::NAN, a, b, c) } else { min32(min32(a, b, false), c, false) };
    Maximum3F32(a: f32, b: f32, c: f32) -> f32 = if a.is_nan() || b.is_nan() || c.is_nan() { nan3(f32::NAN, a, b, c) } else { max32(max32(a, b, false), c, false) };
    TruncF32(a: f32) -> f32 = nan1(a.trunc(), a);
    CeilF32(a: f32) -> f32 = nan1(a.ceil(), a);
    FloorF32(a: f32) -> f32 = nan1(a.floor(), a);
    RndneF32(a: f32) -> f32 = nan1(a.round_ties_even(), a);
    FractF32(a: f32) -> f32 = fract32(a);
    ExpF32(a: f32) -> f32 = exp2_32(a);
    LogF32(a: f32) -> f32 = log2_32(a);
    RcpF32(a: f32) -> f32 = rcp32(a);
    RsqF32(a: f32) -> f32 = rsq32(a);
    SqrtF32(a: f32) -> f32 = sqrt32(a);
    SinF32(a: f32) -> f32 = sin32(a);
    CosF32(a: f32) -> f32 = cos32(a);
    FrexpExpF32(a: f32) -> i32 = if a.is_finite() { frexp32(a).1 } else { 0 };
    FrexpMantF32(a: f32) -> f32 = nan1(frexp32(a).0, a);
    LdexpF32(a: f32, b: i32) -> f32 = nan1(ldexp32(a, b), a);
    CubeId(a: f32, b: f32, c: f32) -> f32 = cube(a, b, c).0;
    CubeSc(a: f32, b: f32, c: f32) -> f32 = cube(a, b, c).1;
    CubeTc(a: f32, b: f32, c: f32) -> f32 = cube(a, b, c).2;
    CubeMa(a: f32, b: f32, c: f32) -> f32 = cube(a, b, c).3;
    DivFixupF32(a: f32, b: f32, c: f32) -> f32 = div_fixup32(a, b, c);
    // Modifiers on f32.
    NegF32(a: u32) -> u32 = a ^ 0x8000_0000;
    AbsF32(a: u32) -> u32 = a & 0x7fff_ffff;
    NegAbsF32(a: u32) -> u32 = a | 0x8000_0000;
    FlushF32(a: f32) -> f32 = flush32(a);
    ClampF32(a: f32) -> f32 = if a > 0.0 { if a > 1.0 { 1.0 } else { a } } else { 0.0 };
    ClampKeepNanF32(a: f32) -> f32 = if a > 1.0 { 1.0 } else if a > 0.0 || a.is_nan() { a } else { 0.0 };
    Mul2F32(a: f32) -> f32 = nan1(flush32(a * 2.0), a) + 0.0;
    Mul4F32(a: f32) -> f32 = nan1(flush32(a * 4.0), a) + 0.0;
    Div2F32(a: f32) -> f32 = nan1(flush32(a * 0.5), a) + 0.0;
    // f64.
    AddF64(a: f64, b: f64) -> f64 = nan2d(a + b, a, b);
    MulF64(a: f64, b: f64) -> f64 = nan2d(a * b, a, b);
    FmaF64(a: f64, b: f64, c: f64) -> f64 = nan3d(a.mul_add(b, c), a, b, c);
    MinF64(a: f64, b: f64) -> f64 = min64(a, b, false);
    MaxF64(a: f64, b: f64) -> f64 = max64(a, b, false);
    MinIeeeF64(a: f64, b: f64) -> f64 = min64(a, b, true);
    MaxIeeeF64(a: f64, b: f64) -> f64 = max64(a, b, true);
    TruncF64(a: f64) -> f64 = nan1d(a.trunc(), a);
    CeilF64(a: f64) -> f64 = nan1d(a.ceil(), a);
    FloorF64(a: f64) -> f64 = nan1d(a.floor(), a);
    RndneF64(a: f64) -> f64 = nan1d(a.round_ties_even(), a);
    FractF64(a: f64) -> f64 = fract64(a);
    RcpF64(a: f64) -> f64 = nan1d(1.0 / a, a);
    RsqF64(a: f64) -> f64 = nan1d(1.0 / a.sqrt(), a);
    SqrtF64(a: f64) -> f64 = nan1d(a.sqrt(), a);
    FrexpExpF64(a: f64) -> i32 = if a.is_finite() { frexp64(a).1 } else { 0 };
    FrexpMantF64(a: f64) -> f64 = nan1d(frexp64(a).0, a);
    LdexpF64(a: f64, b: i32) -> f64 = ldexp64(a, b);
    DivFixupF64(a: f64, b: f64, c: f64) -> f64 = div_fixup64(a, b, c);
    TrigPreopF64(a: f64, b: u32) -> f64 = trig_preop(a, b);
    NegF64(a: u64) -> u64 = a ^ (1 << 63);
    AbsF64(a: u64) -> u64 = a & !(1 << 63);
    NegAbsF64(a: u64) -> u64 = a | 1 << 63;
    FlushF64(a: f64) -> f64 = flush64(a);
    ClampF64(a: f64) -> f64 = if a > 0.0 { if a > 1.0 { 1.0 } else { a } } else { 0.0 };
    ClampKeepNanF64(a: f64) -> f64 = if a > 1.0 { 1.0 } else if a > 0.0 || a.is_nan() { a } else { 0.0 };
    Mul2F64(a: f64) -> f64 = nan1d(flush64(a * 2.0), a) + 0.0;
    Mul4F64(a: f64) -> f64 = nan1d(flush64(a * 4.0), a) + 0.0;
    Div2F64(a: f64) -> f64 = nan1d(flush64(a * 0.5), a) + 0.0;
    // f16.
    AddF16(a: u32, b: u32) -> u32 = f16_op2(a, b, |x, y| x + y);
    SubF16(a: u32, b: u32) -> u32 = f16_op2(a, b, |x, y| x - y);
    SubRevF16(a: u32, b: u32) -> u32 = f16_op2(a, b, |x, y| y - x);
    MulF16(a: u32, b: u32) -> u32 = f16_op2(a, b, |x, y| x * y);
    FmaF16(a: u32, b: u32, c: u32) -> u32 = f16_fma(a, b, c);
    MadF16(a: u32, b: u32, c: u32) -> u32 = { let p = f16_op2(a, b, |x, y| x * y); nan16_3(f16_op2(p, c, |x, y| x + y), a, b, c) };
    // The product's rounding alone flushes here: MODE does it to operands and to the result around.
    MadFlushF16(a: u32, b: u32, c: u32) -> u32 = { let p = flush16(f16_op2(a, b, |x, y| x * y)); nan16_3(f16_op2(p, c, |x, y| x + y), a, b, c) };
    MinF16(a: u32, b: u32) -> u32 = min16(a, b, false);
    MaxF16(a: u32, b: u32) -> u32 = max16(a, b, false);
    MinIeeeF16(a: u32, b: u32) -> u32 = min16(a, b, true);
    MaxIeeeF16(a: u32, b: u32) -> u32 = max16(a, b, true);
    Min3F16(a: u32, b: u32, c: u32) -> u32 = min16(min16(a, b, false), c, false);
    Min3IeeeF16(a: u32, b: u32, c: u32) -> u32 = min16(min16(a, b, true), c, true);
    Max3F16(a: u32, b: u32, c: u32) -> u32 = max16(max16(a, b, false), c, false);
    Max3IeeeF16(a: u32, b: u32, c: u32) -> u32 = max16(max16(a, b, true), c, true);
    Med3F16(a: u32, b: u32, c: u32) -> u32 = med3_16(a, b, c, false);
    Med3IeeeF16(a: u32, b: u32, c: u32) -> u32 = med3_16(a, b, c, true);
    Minimum3F16(a: u32, b: u32, c: u32) -> u32 = if is_nan16(a) || is_nan16(b) || is_nan16(c) { nan16_3(0x7e00, a, b, c) } else { min16(min16(a, b, false), c, false) };
    Maximum3F16(a: u32, b: u32, c: u32) -> u32 = if is_nan16(a) || is_nan16(b) || is_nan16(c) { nan16_3(0x7e00, a, b, c) } else { max16(max16(a, b, false), c, false) };
    TruncF16(a: u32) -> u32 = f16_op1(a, |x| x.trunc());
    CeilF16(a: u32) -> u32 = f16_op1(a, |x| x.ceil());
    FloorF16(a: u32) -> u32 = f16_op1(a, |x| x.floor());
    RndneF16(a: u32) -> u32 = f16_op1(a, |x| x.round_ties_even());
    FractF16(a: u32) -> u32 = { let r = f16_op1(a, |x| if x.is_infinite() { f32::NAN } else { x - x.floor() }); if r == 0x3c00 { 0x3bff } else { r } };
    ExpF16(a: u32) -> u32 = nan16_3(f64_to_f16(exp2_core(f64::from(f16_to_f32(a)).clamp(-200.0, 200.0))), a, 0, 0);
    LogF16(a: u32) -> u32 = f16_op1(a, log2_32);
    RcpF16(a: u32) -> u32 = f16_op1(a, |x| 1.0 / x);
    RsqF16(a: u32) -> u32 = nan16_3(f64_to_f16(1.0 / f64::from(f16_to_f32(a)).sqrt()), a, 0, 0);
    SqrtF16(a: u32) -> u32 = f16_op1(a, |x| x.sqrt());
    SinF16(a: u32) -> u32 = f16_op1(a, sin32);
    CosF16(a: u32) -> u32 = f16_op1(a, cos32);
    FrexpExpF16(a: u32) -> u32 = { let x = f16_to_f32(a); if x.is_finite() { u16_(frexp32(x).1 as u32) } else { 0 } };
    FrexpMantF16(a: u32) -> u32 = f16_op1(a, |x| frexp32(x).0);
    LdexpF16(a: u32, b: u32) -> u32 = f16_op1(a, |x| (f64::from(x) * pow2(s16(b).clamp(-200, 200))) as f32);
    DivFixupF16(a: u32, b: u32, c: u32) -> u32 = div_fixup16(a, b, c);
    NegF16(a: u32) -> u32 = a ^ 0x8000;
    AbsF16(a: u32) -> u32 = a & !0x8000;
    NegAbsF16(a: u32) -> u32 = a | 0x8000;
    FlushF16(a: u32) -> u32 = flush16(a);
    ClampF16(a: u32) -> u32 = { let x = f16_to_f32(a); if x > 0.0 { if x > 1.0 { 0x3c00 } else { u16_(a) } } else { 0 } };
    ClampKeepNanF16(a: u32) -> u32 = { let x = f16_to_f32(a); if x > 1.0 { 0x3c00 } else if x > 0.0 || x.is_nan() { u16_(a) } else { 0 } };
    Mul2F16(a: u32) -> u32 = scaled16(a, 2.0);
    Mul4F16(a: u32) -> u32 = scaled16(a, 4.0);
    Div2F16(a: u32) -> u32 = scaled16(a, 0.5);
    // Packed f16.
    PkAddF16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| f16_op2(x, y, |x, y| x + y));
    PkMulF16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| f16_op2(x, y, |x, y| x * y));
    PkFmaF16(a: u32, b: u32, c: u32) -> u32 = pk3(a, b, c, f16_fma);
    PkMinF16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| min16(x, y, false));
    PkMaxF16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| max16(x, y, false));
    PkMinIeeeF16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| min16(x, y, true));
    PkMaxIeeeF16(a: u32, b: u32) -> u32 = pk2(a, b, |x, y| max16(x, y, true));
    PkMinimum3F16(a: u32, b: u32, c: u32) -> u32 = pk3(a, b, c, |a, b, c| if is_nan16(a) || is_nan16(b) || is_nan16(c) { nan16_3(0x7e00, a, b, c) } else { min16(min16(a, b, false), c, false) });
    PkMaximum3F16(a: u32, b: u32, c: u32) -> u32 = pk3(a, b, c, |a, b, c| if is_nan16(a) || is_nan16(b) || is_nan16(c) { nan16_3(0x7e00, a, b, c) } else { max16(max16(a, b, false), c, false) });
    PkClampF16(a: u32) -> u32 = { let f = |a: u32| { let x = f16_to_f32(a); if x > 0.0 { if x > 1.0 { 0x3c00 } else { a } } else { 0 } }; pack(f(a & 0xffff), f(a >> 16)) };
    PkClampKeepNanF16(a: u32) -> u32 = { let f = |a: u32| { let x = f16_to_f32(a); if x > 1.0 { 0x3c00 } else if x > 0.0 || x.is_nan() { a } else { 0 } }; pack(f(a & 0xffff), f(a >> 16)) };
    // MODE's FP16_OVFL: an infinity that no operand brought becomes the largest number.
    AnyInfF16(a: u32, b: u32, c: u32) -> u32 = if is_inf16(a) || is_inf16(b) || is_inf16(c) { u32::MAX } else { 0 };
    AnyInfF32(a: f32, b: f32, c: f32) -> u32 = if a.is_infinite() || b.is_infinite() || c.is_infinite() { u32::MAX } else { 0 };
    PkAnyInfF16(a: u32, b: u32, c: u32) -> u32 = pk3(a, b, c, |a, b, c| if is_inf16(a) || is_inf16(b) || is_inf16(c) { 0xffff } else { 0 });
    CapF16(a: u32, b: u32) -> u32 = if is_inf16(a) && b == 0 { a - 1 } else { a };
    PkCapF16(a: u32, b: u32) -> u32 = pk2(a, b, |a, b| if is_inf16(a) && b == 0 { a - 1 } else { a });
    PkFlushF16(a: u32) -> u32 = pack(flush16(a & 0xffff), flush16(a >> 16));
    // Halves: what op_sel and SDWA select and insert.
    Hi16(a: u32) -> u32 = a >> 16;
    Swap16(a: u32) -> u32 = a.rotate_left(16);
    DupLo16(a: u32) -> u32 = (a & 0xffff) * 0x1_0001;
    DupHi16(a: u32) -> u32 = (a >> 16) * 0x1_0001;
    Lo16(a: u32) -> u32 = a & 0xffff;
    Pack16(a: u32, b: u32) -> u32 = pack(a, b);
    InsertLo16(a: u32, b: u32) -> u32 = (a & 0xffff) | (b & 0xffff_0000);
    InsertHi16(a: u32, b: u32) -> u32 = a << 16 | (b & 0xffff);
    ByteU(a: u32, b: u32) -> u32 = (a >> (b & 31)) & 0xff;
    ByteI(a: u32, b: u32) -> i32 = ((a >> (b & 31)) as u8 as i8).into();
    WordI(a: u32, b: u32) -> i32 = s16(a >> (b & 31));
    /// `c` with the bits of the mask `b` replaced by those of `a`.
    Select(a: u32, b: u32, c: u32) -> u32 = (a & b) | (c & !b);
    // Conversions.
    CvtF32I32(a: i32) -> f32 = a as f32;
    CvtF32U32(a: u32) -> f32 = a as f32;
    CvtI32F32(a: f32) -> i32 = a as i32;
    CvtU32F32(a: f32) -> u32 = a as u32;
    CvtRpiI32F32(a: f32) -> i32 = (a + 0.5).floor() as i32;
    CvtFlrI32F32(a: f32) -> i32 = a.floor() as i32;
    CvtF16F32(a: f32) -> u32 = f32_to_f16(a);
    CvtF16F32Rtz(a: f32) -> u32 = f32_to_f16_rtz(a);
    CvtF32F16(a: u32) -> f32 = f16_to_f32(a);
    CvtF32Bf16(a: u32) -> f32 = bf16_to_f32(a);
    CvtBf16F32(a: f32) -> u32 = f32_to_bf16(a);
    CvtF64F32(a: f32) -> f64 = nan_widen(a);
    CvtF32F64(a: f64) -> f32 = nan_narrow(a);
    CvtF64I32(a: i32) -> f64 = f64::from(a);
    CvtF64U32(a: u32) -> f64 = f64::from(a);
    CvtI32F64(a: f64) -> i32 = a as i32;
    CvtU32F64(a: f64) -> u32 = a as u32;
    CvtF16U16(a: u32) -> u32 = f32_to_f16(u16_(a) as f32);
    CvtF16I16(a: u32) -> u32 = f32_to_f16(s16(a) as f32);
    CvtU16F16(a: u32) -> u32 = u32::from(f16_to_f32(a) as u16);
    CvtI16F16(a: u32) -> u32 = u16_((f16_to_f32(a) as i16) as u32);
    CvtOffF32I4(a: u32) -> f32 = (((a << 28) as i32) >> 28) as f32 * 0.0625;
    CvtUByte(a: u32, b: u32) -> f32 = ((a >> (b & 31)) & 0xff) as f32;
    CvtPkU8F32(a: f32, b: u32, c: u32) -> u32 = { let s = 8 * (b & 3); (c & !(0xff << s)) | u32::from(a.round_ties_even() as u8) << s };
    CvtPkRtzF16F32(a: f32, b: f32) -> u32 = pack(f32_to_f16_rtz(a), f32_to_f16_rtz(b));
    CvtPkF16F32(a: f32, b: f32) -> u32 = pack(f32_to_f16(a), f32_to_f16(b));
    CvtPkBf16F32(a: f32, b: f32) -> u32 = pack(f32_to_bf16(a), f32_to_bf16(b));
    CvtPkU16U32(a: u32, b: u32) -> u32 = pack(a.min(0xffff), b.min(0xffff));
    CvtPkI16I32(a: i32, b: i32) -> u32 = pack(a.clamp(-32768, 32767) as u32, b.clamp(-32768, 32767) as u32);
    CvtPkNormI16F32(a: f32, b: f32) -> u32 = pack(snorm16(a), snorm16(b));
    CvtPkNormU16F32(a: f32, b: f32) -> u32 = pack(unorm16(a), unorm16(b));
    CvtPkNormI16F16(a: u32, b: u32) -> u32 = pack(snorm16(f16_to_f32(a)), snorm16(f16_to_f32(b)));
    CvtPkNormU16F16(a: u32, b: u32) -> u32 = pack(unorm16(f16_to_f32(a)), unorm16(f16_to_f32(b)));
    CvtNormI16F16(a: u32) -> u32 = u16_(snorm16(f16_to_f32(a)));
    CvtNormU16F16(a: u32) -> u32 = unorm16(f16_to_f32(a));
    // Dot products (two fused steps in order for f16: see the module on numerics; denormals flushed).
    Dot2F32F16(a: u32, b: u32, c: f32) -> f32 = dot2_f32_f16(a, b, c);
    Dot2F32Bf16(a: u32, b: u32, c: f32) -> f32 = dot2_f32_bf16(a, b, c);
    Dot2I16(a: u32, b: u32, c: u32) -> u32 = ((s16(a) * s16(b)) as u32).wrapping_add((s16(a >> 16).wrapping_mul(s16(b >> 16))) as u32).wrapping_add(c);
    Dot2U16(a: u32, b: u32, c: u32) -> u32 = (u16_(a) * u16_(b)).wrapping_add((a >> 16).wrapping_mul(b >> 16)).wrapping_add(c);
    Dot4I8(a: u32, b: u32, c: u32) -> u32 = dot_int(a, b, c, 8, true, true) as u32;
    Dot4U8(a: u32, b: u32, c: u32) -> u32 = dot_int(a, b, c, 8, false, false) as u32;
    Dot8I4(a: u32, b: u32, c: u32) -> u32 = dot_int(a, b, c, 4, true, true) as u32;
    Dot8U4(a: u32, b: u32, c: u32) -> u32 = dot_int(a, b, c, 4, false, false) as u32;
    Dot2SatI16(a: u32, b: u32, c: u32) -> u32 = (i64::from(s16(a)) * i64::from(s16(b)) + i64::from(s16(a >> 16)) * i64::from(s16(b >> 16)) + i64::from(c as i32)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32;
    Dot2SatU16(a: u32, b: u32, c: u32) -> u32 = (u64::from(u16_(a)) * u64::from(u16_(b)) + u64::from(a >> 16) * u64::from(b >> 16) + u64::from(c)).min(u64::from(u32::MAX)) as u32;
    Dot4SatI8(a: u32, b: u32, c: u32) -> u32 = dot_int(a, b, c, 8, true, true).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32;
    Dot4SatU8(a: u32, b: u32, c: u32) -> u32 = dot_int(a, b, c, 8, false, false).clamp(0, i64::from(u32::MAX)) as u32;
    Dot8SatI4(a: u32, b: u32, c: u32) -> u32 = dot_int(a, b, c, 4, true, true).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32;
    Dot8SatU4(a: u32, b: u32, c: u32) -> u32 = dot_int(a, b, c, 4, false, false).clamp(0, i64::from(u32::MAX)) as u32;
    /// `v_div_fmas` where VCC is set: scaled up or down by the exponent of the quotient's estimate, and rounded once.
    FmasF32(a: f32, b: f32, c: f32) -> f32 = fmas32(a, b, c);
    FmasF64(a: f64, b: f64, c: f64) -> f64 = fmas64(a, b, c);
    /// Fused multiply-add of values already widened to f32, rounded to f16 once.
    FmaMixF16(a: f32, b: f32, c: f32) -> u32 = fma_mix16(a, b, c);
}

/// Two products of halves added to `c`, each step fused.
#[inline(always)]
fn dot2_f32_f16(a: u32, b: u32, c: f32) -> f32 {
    let (al, ah) = (f16_to_f32(a & 0xffff), f16_to_f32(a >> 16));
    let (bl, bh) = (f16_to_f32(b & 0xffff), f16_to_f32(b >> 16));
    let s = flush32(al.mul_add(bl, flush32(c)));
    let r = flush32(ah.mul_add(bh, s));
    nan3(r, if al.is_nan() { al } else { ah }, if bl.is_nan() { bl } else { bh }, c)
}

/// The bfloat16 counterpart of [`dot2_f32_f16`].
#[inline(always)]
fn dot2_f32_bf16(a: u32, b: u32, c: f32) -> f32 {
    let (al, ah) = (flush32(bf16_to_f32(a & 0xffff)), flush32(bf16_to_f32(a >> 16)));
    let (bl, bh) = (flush32(bf16_to_f32(b & 0xffff)), flush32(bf16_to_f32(b >> 16)));
    let s = flush32(al.mul_add(bl, flush32(c)));
    let r = flush32(ah.mul_add(bh, s));
    nan3(r, if al.is_nan() { al } else { ah }, if bl.is_nan() { bl } else { bh }, c)
}

#[inline(always)]
fn fma_mix16(a: f32, b: f32, c: f32) -> u32 {
    let r = fma_to_f16(a, b, c);
    let n = nan3(f32::NAN, a, b, c);
    if is_nan16(r) { f32_to_f16(n) } else { r }
}

#[inline(always)]
fn nan_widen(a: f32) -> f64 {
    let b = a.to_bits();
    let nan = u64::from(b >> 31) << 63 | NAN64 | u64::from(b & 0x7f_ffff) << 29;
    if a.is_nan() { f64::from_bits(nan) } else { f64::from(a) }
}

#[inline(always)]
fn nan_narrow(a: f64) -> f32 {
    let b = a.to_bits();
    let nan = ((b >> 32) as u32 & 0x8000_0000) | NAN32 | ((b >> 29) as u32 & 0x7f_ffff);
    if a.is_nan() { f32::from_bits(nan) } else { a as f32 }
}

#[inline(always)]
fn snorm16(a: f32) -> u32 {
    // In binary64 the product is exact: one rounding.
    (f64::from(a.clamp(-1.0, 1.0)) * 32767.0).round_ties_even() as i16 as u16 as u32
}

#[inline(always)]
fn unorm16(a: f32) -> u32 {
    u32::from((f64::from(a.clamp(0.0, 1.0)) * 65535.0).round_ties_even() as u16)
}

/// Cube-map face, coordinates and twice the major axis.
#[inline(always)]
fn cube(x: f32, y: f32, z: f32) -> (f32, f32, f32, f32) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    if az >= ax && az >= ay {
        let neg = z < 0.0;
        (if neg { 5.0 } else { 4.0 }, if neg { -x } else { x }, -y, z * 2.0)
    } else if ay >= ax {
        let neg = y < 0.0;
        (if neg { 3.0 } else { 2.0 }, x, if neg { -z } else { z }, y * 2.0)
    } else {
        let neg = x < 0.0;
        (if neg { 1.0 } else { 0.0 }, if neg { z } else { -z }, -y, x * 2.0)
    }
}

/// The power of two that `v_div_fmas_f32` scales by, from the bits of its third operand.
pub(super) fn fmas_scale32(c: u32) -> i32 {
    if c >> 23 & 0xff > 127 { 64 } else { -64 }
}

/// The same for binary64.
pub(super) fn fmas_scale64(c: u64) -> i32 {
    if c >> 52 & 0x7ff > 1023 { 128 } else { -128 }
}

#[inline(always)]
fn fmas32(a: f32, b: f32, c: f32) -> f32 {
    let n = fmas_scale32(c.to_bits());
    let r = nan3(a.mul_add(b, c) * f32::from_bits(((127 + n) as u32) << 23), a, b, c);
    // A subnormal has lost bits twice.
    if r.abs() < 2.0 * f32::MIN_POSITIVE { fmas_tiny32(r, a, b, c, n) } else { r }
}

#[inline(always)]
fn fmas64(a: f64, b: f64, c: f64) -> f64 {
    let n = fmas_scale64(c.to_bits());
    let r = nan3d(a.mul_add(b, c) * f64::from_bits(((1023 + n) as u64) << 52), a, b, c);
    if r.abs() < 2.0 * f64::MIN_POSITIVE { fmas_tiny64(r, a, b, c, n) } else { r }
}

#[cold]
fn fmas_tiny32(r: f32, a: f32, b: f32, c: f32, n: i32) -> f32 {
    let bits = |v: f32| u64::from(v.to_bits());
    fused(F32, [bits(a), bits(b), bits(c)], n, None).map_or(r, |r| f32::from_bits(r as u32))
}

#[cold]
fn fmas_tiny64(r: f64, a: f64, b: f64, c: f64, n: i32) -> f64 {
    fused(F64, [a.to_bits(), b.to_bits(), c.to_bits()], n, None).map_or(r, f64::from_bits)
}

/// `v_div_fixup_f32`: the quotient `q` of `n / d`, with the special cases put right.
///
/// The guides do not say what becomes of a NaN that finite operands led to. The refinement that compilers emit subtracts
/// infinities where a quotient overflows although its denominator was scaled (1e27 over a subnormal), and their division
/// is known to be right there, so such a NaN stands for an overflow.
#[inline(always)]
fn div_fixup32(q: f32, d: f32, n: f32) -> f32 {
    let sign = (d.to_bits() ^ n.to_bits()) & 0x8000_0000;
    let signed = |v: f32| f32::from_bits(v.to_bits() & 0x7fff_ffff | sign);
    let exponent = |v: f32| ((v.to_bits() >> 23) & 0xff) as i32;
    if n.is_nan() {
        quiet32(n)
    } else if d.is_nan() {
        quiet32(d)
    } else if (d == 0.0 && n == 0.0) || (d.is_infinite() && n.is_infinite()) {
        f32::from_bits(0xffc0_0000)
    } else if d == 0.0 || n.is_infinite() {
        signed(f32::INFINITY)
    } else if n == 0.0 || d.is_infinite() || exponent(n) - exponent(d) < -150 {
        signed(0.0)
    } else if q.is_nan() {
        signed(f32::INFINITY)
    } else {
        signed(q)
    }
}

#[inline(always)]
fn div_fixup64(q: f64, d: f64, n: f64) -> f64 {
    let sign = (d.to_bits() ^ n.to_bits()) & (1 << 63);
    let signed = |v: f64| f64::from_bits(v.to_bits() & !(1 << 63) | sign);
    let exponent = |v: f64| ((v.to_bits() >> 52) & 0x7ff) as i32;
    if n.is_nan() {
        quiet64(n)
    } else if d.is_nan() {
        quiet64(d)
    } else if (d == 0.0 && n == 0.0) || (d.is_infinite() && n.is_infinite()) {
        f64::from_bits(0xfff8_0000_0000_0000)
    } else if d == 0.0 || n.is_infinite() {
        signed(f64::INFINITY)
    } else if n == 0.0 || d.is_infinite() || exponent(n) - exponent(d) < -1075 {
        signed(0.0)
    } else if q.is_nan() {
        signed(f64::INFINITY)
    } else {
        signed(q)
    }
}

#[inline(always)]
fn div_fixup16(q: u32, d: u32, n: u32) -> u32 {
    let sign = (d ^ n) & 0x8000;
    let (fd, fnn) = (f16_to_f32(d), f16_to_f32(n));
    if is_nan16(n) {
        u16_(n) | 0x200
    } else if is_nan16(d) {
        u16_(d) | 0x200
    } else if (fd == 0.0 && fnn == 0.0) || (fd.is_infinite() && fnn.is_infinite()) {
        0xfe00
    } else if fd == 0.0 || fnn.is_infinite() {
        0x7c00 | sign
    } else if fnn == 0.0 || fd.is_infinite() {
        sign
    } else {
        (q & 0x7fff) | sign
    }
}

/// How many bits of 2/π the guides give `v_trig_preop_f64`; further ones are 0.
const TRIG_BITS: i64 = 1201;

/// Fraction bits of 2/π, most significant first: what `v_trig_preop_f64` reads 53 bits at a time.
const TWO_OVER_PI: [u64; 19] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// Output scaling of binary16, which makes +0 of −0 and of subnormals.
#[inline(always)]
fn scaled16(a: u32, by: f32) -> u32 {
    let r = f16_op1(a, |x| x * by);
    if r & 0x7c00 == 0 { 0 } else { r }
}

/// The `b`-th 53-bit piece of 2/π for the exponent of `a`, scaled to its place.
#[inline(always)]
fn trig_preop(a: f64, b: u32) -> f64 {
    let e = ((a.to_bits() >> 52) & 0x7ff) as i64;
    let mut shift = i64::from(b & 31) * 53;
    if e > 1077 {
        shift += e - 1077;
    }
    let mut bits = 0u64;
    for i in 0..53 {
        let at = shift + i;
        let bit = if (0..TRIG_BITS).contains(&at) { TWO_OVER_PI[(at / 64) as usize] >> (63 - at % 64) & 1 } else { 0 };
        bits = bits << 1 | bit;
    }
    let scale = (-53 - shift) as i32 + if e >= 1968 { 128 } else { 0 };
    ldexp64(bits as f64, scale)
}

#[cfg(test)]
mod tests {
    use super::super::{Lanes, Level};
    use super::*;

    fn levels() -> Vec<Level> {
        [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|l| *l <= Level::detect()).collect()
    }

    /// Bit patterns that matter to some operation, mixed with pseudo-random ones.
    fn operands(seed: u32) -> [Lanes; 2] {
        const EDGES: [u32; 24] = [
            0,
            1,
            0x8000_0000,
            0x7fff_ffff,
            0xffff_ffff,
            0x3f80_0000,
            0xbf80_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x7f80_0001,
            0xffc1_2345,
            0x0000_ffff,
            0xffff_0000,
            0x3c00_3c00,
            0x7c00_fc00,
            0x7e01_7c01,
            0x0001_8001,
            0x0080_0000,
            0x007f_ffff,
            0x8000_0001,
            0x4b00_0000,
            0xcf00_0000,
            0x3eff_ffff,
        ];
        let mut x = seed | 1;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            if x.is_multiple_of(3) { EDGES[(x >> 8) as usize % EDGES.len()] } else { x }
        };
        [Lanes(core::array::from_fn(|_| next())), Lanes(core::array::from_fn(|_| next()))]
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for op in LaneOp::ALL {
            for seed in 1..60u32 {
                let (a, b, c) = (operands(seed), operands(seed * 77 + 5), operands(seed * 1313 + 11));
                let mut results = Vec::new();
                for level in levels() {
                    let mut d = [Lanes::ZERO; 2];
                    // SAFETY: every pointer addresses two registers, the most that an operand spans.
                    unsafe {
                        op.kernel(level)(
                            d.as_mut_ptr().cast(),
                            a.as_ptr().cast(),
                            b.as_ptr().cast(),
                            c.as_ptr().cast(),
                        );
                    }
                    results.push(d);
                }
                assert!(results.windows(2).all(|w| w[0] == w[1]), "{op:?} differs between instruction sets");
            }
        }
    }

    #[test]
    fn a_destination_may_be_a_source() {
        let [x, y] = operands(9);
        let mut regs = [x, y, x];
        let want: Vec<u32> = x.0.iter().zip(&y.0).map(|(a, b)| a.wrapping_add(*b)).collect();
        let p = regs.as_mut_ptr().cast::<u32>();
        // SAFETY: `p` addresses three registers.
        unsafe { LaneOp::AddU32.kernel(Level::detect())(p, p, p.add(64), p) };
        assert_eq!(regs[0].0.to_vec(), want);
    }
}

//! Sixty-four-lane operations: what one vector instruction does to whole registers.
//!
//! An operation is one scalar Rust expression (`ops.rs`). The macro there turns it into a loop over 64 lanes, compiled
//! three times (AVX-512, AVX2 with FMA, plain) and chosen once at run time, so the definition that is tested is the
//! definition that runs. Registers are `[register][lane]`, 256-byte aligned, so a loop is four 512-bit operations.

#[cfg(target_arch = "x86_64")]
pub mod avx512;
pub mod bits;
pub mod exact;
pub mod float;
pub mod lowp;
pub mod masks;
pub mod ops;
pub mod rounded;

use std::sync::OnceLock;

pub use ops::{Kernel, LaneOp};

/// Lanes of a wave: CDNA has wave64 only.
pub const WAVE: usize = 64;

/// One 32-bit value a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(256))]
pub struct Lanes(pub [u32; WAVE]);

impl Lanes {
    /// All lanes zero.
    pub const ZERO: Lanes = Lanes([0; WAVE]);

    /// The same value in every lane.
    pub const fn splat(v: u32) -> Lanes {
        Lanes([v; WAVE])
    }
}

/// The widest instruction set the lane loops may use on this host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Whatever the compiler targets by default.
    Plain,
    /// AVX2, FMA and F16C.
    Avx2,
    /// AVX-512 F, BW, DQ and VL, besides AVX2.
    Avx512,
}

impl Level {
    /// What this host offers, or less where the environment variable `WAVESMITH_SIMD` says `avx2` or `plain`: results
    /// are the same, and tests run every level on one host.
    pub fn detect() -> Level {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            let most = match std::env::var("WAVESMITH_SIMD").as_deref() {
                Ok("plain") => Level::Plain,
                Ok("avx2") => Level::Avx2,
                _ => Level::Avx512,
            };
            most.min(Level::of_host())
        })
    }

    fn of_host() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("fma") && has!("f16c") && has!("bmi1") && has!("bmi2") && has!("lzcnt");
            if avx2 && has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                return Level::Avx512;
            }
            if avx2 {
                return Level::Avx2;
            }
        }
        Level::Plain
    }
}

/// A lane's operand or result: one register or a pair.
pub trait Lane: Copy {
    /// Registers it spans.
    const REGS: u8;
    /// All bits clear.
    const ZERO: Self;
    /// Lane `i` of the register(s) at `p`.
    ///
    /// # Safety
    /// `p` points to `REGS` consecutive readable [`Lanes`], and `i < 64`.
    unsafe fn load(p: *const u32, i: usize) -> Self;
    /// Writes lane `i`.
    ///
    /// # Safety
    /// `p` points to `REGS` consecutive writable [`Lanes`], and `i < 64`.
    unsafe fn store(self, p: *mut u32, i: usize);
}

macro_rules! lane32 {
    ($t:ty, $from:expr, $to:expr) => {
        impl Lane for $t {
            const REGS: u8 = 1;
            const ZERO: Self = 0 as $t;
            #[inline(always)]
            unsafe fn load(p: *const u32, i: usize) -> Self {
                // SAFETY: the caller vouches for 64 readable lanes at `p`.
                $from(unsafe { *p.add(i) })
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut u32, i: usize) {
                // SAFETY: the caller vouches for 64 writable lanes at `p`.
                unsafe { *p.add(i) = $to(self) }
            }
        }
    };
}
lane32!(u32, |v: u32| v, |v: u32| v);
lane32!(i32, |v: u32| v as i32, |v: i32| v as u32);
lane32!(f32, f32::from_bits, |v: f32| v.to_bits());

macro_rules! lane64 {
    ($t:ty, $from:expr, $to:expr) => {
        impl Lane for $t {
            const REGS: u8 = 2;
            const ZERO: Self = 0 as $t;
            #[inline(always)]
            unsafe fn load(p: *const u32, i: usize) -> Self {
                // SAFETY: the caller vouches for 128 readable lanes at `p`.
                let (lo, hi) = unsafe { (*p.add(i), *p.add(i + WAVE)) };
                $from(u64::from(lo) | u64::from(hi) << 32)
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut u32, i: usize) {
                let v: u64 = $to(self);
                // SAFETY: the caller vouches for 128 writable lanes at `p`.
                unsafe {
                    *p.add(i) = v as u32;
                    *p.add(i + WAVE) = (v >> 32) as u32;
                }
            }
        }
    };
}
lane64!(u64, |v: u64| v, |v: u64| v);
lane64!(i64, |v: u64| v as i64, |v: i64| v as u64);
lane64!(f64, f64::from_bits, |v: f64| v.to_bits());

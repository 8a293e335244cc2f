//! What the engine is measured against: the host itself, doing the least that the same work needs.

/// Plain code for a loop of 32 `v_fma_f32`: 96 registers of 64 lanes in memory, and nothing kept from one instruction to
/// the next.
pub struct Registers {
    regs: Vec<Lanes>,
}

#[derive(Clone, Copy)]
#[repr(C, align(256))]
struct Lanes([f32; 64]);

/// Whether the engine is held to AVX2, and so its peers.
fn narrow() -> bool {
    std::env::var_os("WAVESMITH_SIMD").is_some()
}

/// Rounds of the loop a run does.
const ROUNDS: u64 = 20_000;

impl Registers {
    /// Registers with numbers that stay small.
    pub fn new() -> Registers {
        Registers { regs: vec![Lanes([1.0; 64]); 104] }
    }

    /// Runs the loop; gives how many wave-instructions that was.
    pub fn run(&mut self) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512f") && !narrow() {
                // SAFETY: the host offers it.
                unsafe { self.avx512() };
                return 32 * ROUNDS;
            }
            if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                // SAFETY: the host offers it.
                unsafe { self.avx2() };
                return 32 * ROUNDS;
            }
        }
        self.plain();
        32 * ROUNDS
    }

    #[inline(always)]
    fn body(&mut self) {
        for _ in 0..ROUNDS {
            for i in 0..32 {
                let (a, b) = (self.regs[40 + i], self.regs[72 + i]);
                for (d, (a, b)) in self.regs[8 + i].0.iter_mut().zip(a.0.iter().zip(&b.0)) {
                    *d = a.mul_add(*b, *d);
                }
                // The next instruction finds its operands in memory.
                std::hint::black_box(self.regs.as_mut_ptr());
            }
        }
    }

    fn plain(&mut self) {
        self.body();
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn avx2(&mut self) {
        self.body();
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx2,fma")]
    fn avx512(&mut self) {
        use core::arch::x86_64::*;
        let p = self.regs.as_mut_ptr().cast::<f32>();
        for _ in 0..ROUNDS {
            for i in 0..32 {
                // SAFETY: registers up to 104 exist, of 64 lanes each. The empty assembly says that memory may have
                // changed, so that nothing is kept in host registers.
                unsafe {
                    let (d, a, b) = (p.add((8 + i) * 64), p.add((40 + i) * 64), p.add((72 + i) * 64));
                    for k in (0..64).step_by(16) {
                        let r = _mm512_fmadd_ps(
                            _mm512_load_ps(a.add(k)),
                            _mm512_load_ps(b.add(k)),
                            _mm512_load_ps(d.add(k)),
                        );
                        _mm512_store_ps(d.add(k), r);
                    }
                    core::arch::asm!("/* {0} */", in(reg) p, options(nostack, preserves_flags));
                }
            }
        }
    }
}

/// Independent multiply-adds in registers, as many as the host can do; gives how many floating-point operations.
pub fn fma_peak() -> u64 {
    const STEPS: u64 = 2_000_000;
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::*;
        #[target_feature(enable = "avx512f")]
        fn avx512() {
            let (x, y) = (std::hint::black_box(_mm512_set1_ps(0.5)), std::hint::black_box(_mm512_set1_ps(1.0)));
            let mut acc = [x; 12];
            for _ in 0..STEPS {
                for a in &mut acc {
                    *a = _mm512_fmadd_ps(*a, x, y);
                }
            }
            std::hint::black_box(acc);
        }
        #[target_feature(enable = "avx2,fma")]
        fn avx2() {
            let (x, y) = (std::hint::black_box(_mm256_set1_ps(0.5)), std::hint::black_box(_mm256_set1_ps(1.0)));
            let mut acc = [x; 12];
            for _ in 0..STEPS {
                for a in &mut acc {
                    *a = _mm256_fmadd_ps(*a, x, y);
                }
            }
            std::hint::black_box(acc);
        }
        if std::arch::is_x86_feature_detected!("avx512f") && !narrow() {
            // SAFETY: the host offers it.
            unsafe { avx512() };
            return STEPS * 12 * 32;
        }
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            // SAFETY: the host offers it.
            unsafe { avx2() };
            return STEPS * 12 * 16;
        }
    }
    let (x, y) = (std::hint::black_box(0.5f32), std::hint::black_box(1.0f32));
    let mut acc = [x; 12];
    for _ in 0..STEPS {
        for a in &mut acc {
            *a = a.mul_add(x, y);
        }
    }
    std::hint::black_box(acc);
    STEPS * 12 * 2
}

/// A copy of an array.
pub struct Copy {
    from: Vec<u32>,
    to: Vec<u32>,
}

impl Copy {
    /// Arrays of this many dwords, their pages touched.
    pub fn new(n: usize) -> Copy {
        Copy { from: vec![1; n], to: vec![2; n] }
    }

    /// Copies; gives the bytes read and written.
    pub fn run(&mut self) -> usize {
        self.to.copy_from_slice(&self.from);
        std::hint::black_box(&mut self.to);
        8 * self.to.len()
    }
}

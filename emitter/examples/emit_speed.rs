//! How fast kernels are emitted: `cargo run --release -p wavesmith-emitter --example emit_speed`.
//!
//! Three ways: registers pinned with order and waits given (`manual`), registers pinned with waits and wait states worked
//! out, and virtual registers on top. A kernel has 2,000 instructions, about what a GEMM has; the best of many rounds counts,
//! so that a busy machine shows less.

use std::time::{Duration, Instant};
use wavesmith_asm::reg::{A, S, V};
use wavesmith_asm::{Build, Target};
use wavesmith_emitter::KernelBuilder;

const GROUPS: u16 = 250;
const ROUNDS: u32 = 400;

/// Eight instructions of a GEMM's kind.
fn group(b: &mut KernelBuilder, i: u16, base: u16) {
    let x = V::<4>(base + 4 * (i % 4));
    let y = V::<4>(base + 16 + 4 * (i % 4));
    b.global_load_dwordx4(x, V::<1>(0), S::<2>(0)).offset(16);
    b.ds_read_b128(y, V::<1>(1)).offset(64);
    b.v_mfma_f32_32x32x8_f16(A::<16>(0), V::<2>(base + 32), V::<2>(base + 34), A::<16>(0));
    b.v_mfma_f32_32x32x8_f16(A::<16>(16), V::<2>(base + 36), V::<2>(base + 38), A::<16>(16));
    b.v_add_f32(V::<1>(base + 40), V::<1>(base + 41), V::<1>(base + 42));
    b.s_add_u32(S::<1>(8), S::<1>(8), 16);
    b.v_fma_f32(V::<1>(base + 40), V::<1>(base + 41), V::<1>(base + 42), V::<1>(base + 40));
    b.v_lshlrev_b32(V::<1>(base + 43), 2, V::<1>(base + 40));
}

fn best(mut once: impl FnMut() -> Duration) -> f64 {
    let least = (0..ROUNDS).map(|_| once()).min().unwrap_or_default();
    f64::from(GROUPS) * 8.0 / least.as_secs_f64() / 1e6
}

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    let recorded = best(|| {
        let start = Instant::now();
        let mut b = KernelBuilder::new("speed", Target::Gfx942);
        (0..GROUPS).for_each(|i| group(&mut b, i, 16));
        start.elapsed()
    });
    let finished = |manual: bool, virtuals: bool| {
        best(|| {
            let start = Instant::now();
            let mut b = KernelBuilder::new("speed", Target::Gfx942);
            if manual {
                b.manual(|b| {
                    (0..GROUPS).for_each(|i| group(b, i, 16));
                    b.end();
                });
            } else {
                let base = if virtuals { b.v::<44>().0 } else { 16 };
                (0..GROUPS).for_each(|i| group(&mut b, i, base));
                b.end();
            }
            b.finish().expect("the code is valid");
            start.elapsed()
        })
    };
    println!("recording alone                          {recorded:6.2} M instructions/s");
    println!("pinned, order and waits given            {:6.2} M instructions/s", finished(true, false));
    println!("pinned, waits and wait states worked out {:6.2} M instructions/s", finished(false, false));
    println!("virtual registers, all on                {:6.2} M instructions/s", finished(false, true));
}

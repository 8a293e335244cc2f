//! How fast kernels are emitted: `cargo run --release -p wavesmith-emitter --example emit_speed`.

use std::time::Instant;
use wavesmith_asm::reg::{A, S, V};
use wavesmith_asm::{Build, Target};
use wavesmith_emitter::KernelBuilder;

fn main() {
    let rounds = 20_000;
    let start = Instant::now();
    let mut b = KernelBuilder::new("speed", Target::Gfx942);
    for i in 0..rounds {
        let x = V::<4>(16 + 4 * (i % 4));
        b.global_load_dwordx4(x, V::<1>(0), S::<2>(0)).offset(16);
        b.ds_read_b128(V::<4>(40 + 4 * (i % 4)), V::<1>(1)).offset(64);
        b.v_mfma_f32_32x32x8_f16(A::<16>(0), V::<2>(20), V::<2>(44), A::<16>(0));
        b.v_mfma_f32_32x32x8_f16(A::<16>(16), V::<2>(22), V::<2>(46), A::<16>(16));
        b.v_add_f32(V::<1>(60), V::<1>(61), V::<1>(62));
        b.s_add_u32(S::<1>(8), S::<1>(8), 16);
        b.v_fma_f32(V::<1>(60), V::<1>(61), V::<1>(62), V::<1>(60));
        b.v_lshlrev_b32(V::<1>(63), 2, V::<1>(60));
    }
    b.end();
    let recorded = start.elapsed();
    let k = b.finish().expect("the code is valid");
    let total = start.elapsed();
    let n = f64::from(rounds) * 8.0;
    println!(
        "{} instructions: recorded at {:.1} M/s, finished at {:.2} M/s ({} bytes)",
        n,
        n / recorded.as_secs_f64() / 1e6,
        n / total.as_secs_f64() / 1e6,
        k.code.len()
    );
}

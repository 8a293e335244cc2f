//! What the engine does a second on one core: vector arithmetic, matrix instructions, streaming loads.

#[path = "../tests/bare/mod.rs"]
mod bare;

use bare::Bare;
use wavesmith_asm::Target;
use wavesmith_asm::build::{Build, Code};
use wavesmith_asm::reg::{a, s, v};
use wavesmith_sim::{EngineKind, Numerics};

/// Time that this thread had a processor, where the system tells (other processes then do not count), else real time.
struct Timer(std::time::Instant, Option<f64>);

fn on_cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

impl Timer {
    fn start() -> Timer {
        Timer(std::time::Instant::now(), on_cpu())
    }
    fn seconds(&self) -> f64 {
        match (self.1, on_cpu()) {
            (Some(a), Some(b)) => b - a,
            _ => self.0.elapsed().as_secs_f64(),
        }
    }
}

fn looped(body: impl Fn(&mut Code), rounds: i32) -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    c.s_load_dwordx2(s(4), s(0), 0);
    c.v_lshlrev_b32(v(1), 4, v(0));
    c.s_mov_b32(s(3), rounds);
    let start = c.words().len() as i32;
    body(&mut c);
    c.s_sub_u32(s(3), s(3), 1);
    c.s_cmp_lg_u32(s(3), 0);
    let here = c.words().len() as i32;
    c.s_cbranch_scc1(start - here - 1);
    c.s_endpgm(0);
    c.finish().expect("encodes")
}

fn measure(name: &str, words: &[u32], flops: f64, engine: EngineKind, numerics: Numerics) {
    let mut b = Bare::new(Target::Gfx942, words, 65536);
    b.config.threads = 1;
    b.config.engine = engine;
    b.config.numerics = numerics;
    let data = b.buffer(&vec![0x3c003c00; 1 << 20]);
    let mut best = f64::MAX;
    let mut n = 0;
    for _ in 0..3 {
        let t = Timer::start();
        n = b
            .run(std::env::var("G").map_or(4, |g| g.parse().unwrap()), 64, &[data.base()])
            .expect("runs")
            .wave_instructions;
        best = best.min(t.seconds());
    }
    println!(
        "{name:28} {engine:?} {numerics:?}: {:8.1} M wave-instructions/s, {:7.1} GFLOP/s",
        n as f64 / best / 1e6,
        flops * n as f64 / best / 1e9
    );
}

fn main() {
    let fma = looped(
        |c| {
            for i in 0..32 {
                c.v_fma_f32(v(8 + i), v(40 + i), v(72 + i), v(8 + i));
            }
        },
        600_000,
    );
    let ints = looped(
        |c| {
            for i in 0..32 {
                c.v_add_u32(v(8 + i), v(40 + i), v(8 + i));
            }
        },
        600_000,
    );
    let decode = looped(
        |c| {
            for i in 0..8 {
                c.global_load_dwordx4(v::<4>(8 + 4 * i), v::<1>(1), s::<2>(4)).nt();
                for k in 0..4 {
                    c.v_dot2_f32_f16(v(60 + k), v(8 + 4 * i + k), v(100 + k), v(60 + k));
                }
            }
        },
        200_000,
    );
    let mfma = looped(
        |c| {
            for i in 0..8 {
                c.v_mfma_f32_16x16x16_f16(v::<4>(8 + 4 * i), v::<2>(60), v::<2>(64), v::<4>(8 + 4 * i));
            }
        },
        20_000,
    );
    let mfma32 = looped(
        |c| {
            for i in 0..4 {
                c.v_mfma_f32_32x32x8_f16(a::<16>(16 * i), v::<2>(60), v::<2>(64), a::<16>(16 * i));
            }
        },
        20_000,
    );
    let engines = std::env::args().nth(1).map_or(vec![EngineKind::Interp, EngineKind::Jit], |e| {
        vec![if e == "jit" { EngineKind::Jit } else { EngineKind::Interp }]
    });
    for e in engines {
        measure("v_fma_f32", &fma, 128.0, e, Numerics::Exact);
        measure("v_add_u32", &ints, 0.0, e, Numerics::Exact);
        measure("dwordx4 nt + 4 dot2", &decode, 0.0, e, Numerics::Exact);
        for n in [Numerics::Exact, Numerics::Fast] {
            measure("v_mfma_f32_16x16x16_f16", &mfma, 8192.0, e, n);
            measure("v_mfma_f32_32x32x8_f16", &mfma32, 16384.0, e, n);
        }
    }
}

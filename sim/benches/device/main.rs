//! What the engine does a second, beside what bounds it, in one run: `cargo bench -p wavesmith-sim`.
//!
//! Each group has the engine and its peer: plain code that keeps every VGPR in memory, the host's own multiply-adds, a
//! copy of memory. After divan's tables comes one with the ratios, each from the best of interleaved runs in processor
//! time, so that other work on the host strikes both sides alike. `--ratios` alone prints only that.

#[path = "../../tests/bare/mod.rs"]
mod bare;

mod kernels;
mod peers;

use bare::Bare;
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use std::time::{Duration, Instant};
use wavesmith_asm::Target;
use wavesmith_kernels::gemm::Dtype;
use wavesmith_sim::{Config, EngineKind, Numerics};

fn device(words: &[u32], engine: EngineKind, numerics: Numerics) -> Bare {
    let mut b = Bare::new(Target::Gfx942, words, 65536);
    b.config.threads = 1;
    b.config.engine = engine;
    b.config.numerics = numerics;
    b
}

/// A kernel that is run over and over, on one core.
struct Loop {
    bare: Bare,
    data: std::sync::Arc<wavesmith_sim::memory::Allocation>,
}

impl Loop {
    fn new(words: &[u32], engine: EngineKind, numerics: Numerics) -> Loop {
        let bare = device(words, engine, numerics);
        // Halves of 1.0, and small enough not to overflow in sums.
        let data = bare.buffer(&vec![0x3c00_3c00; 1 << 16]);
        Loop { bare, data }
    }

    /// Wave-instructions of one run.
    fn run(&mut self) -> u64 {
        self.bare.run(1, 64, &[self.data.base()]).expect("runs").wave_instructions
    }
}

/// Adds two arrays of this many dwords into a third.
struct Vadd {
    bare: Bare,
    arrays: [std::sync::Arc<wavesmith_sim::memory::Allocation>; 3],
    dwords: usize,
    wide: bool,
}

/// Dwords of an array: larger than caches.
const ARRAY: usize = 16 << 20;

impl Vadd {
    fn new(wide: bool) -> Vadd {
        Vadd::of(ARRAY, wide)
    }

    fn of(dwords: usize, wide: bool) -> Vadd {
        let words = if wide { kernels::vadd_wide() } else { kernels::vadd() };
        // Sixteen registers, as a compiler would ask for.
        let mut bare = Bare::with_granules(Target::Gfx942, &words, 0, 2);
        bare.config.threads = 1;
        let arrays = core::array::from_fn(|_| bare.buffer(&vec![0x3f80_0000; dwords]));
        Vadd { bare, arrays, dwords, wide }
    }

    fn run(&mut self) {
        let groups =
            if self.wide { self.dwords / (4 * 256 * kernels::WIDE_ROUNDS as usize) } else { self.dwords / 256 };
        self.bare.run(groups as u32, 256, &self.arrays.each_ref().map(|a| a.base())).expect("runs");
    }
}

#[divan::bench_group(max_time = 0.5, sample_count = 20)]
mod valu {
    use super::*;

    #[divan::bench]
    fn plain_code_with_registers_in_memory(b: Bencher<'_, '_>) {
        let mut peer = peers::Registers::new();
        b.counter(ItemsCount::new(peer.run())).bench_local(|| peer.run());
    }

    #[divan::bench(args = [EngineKind::Jit, EngineKind::Interp])]
    fn fma(b: Bencher<'_, '_>, engine: EngineKind) {
        let mut l = Loop::new(&kernels::fma(100_000), engine, Numerics::Exact);
        b.counter(ItemsCount::new(l.run())).bench_local(|| l.run());
    }

    #[divan::bench(args = [EngineKind::Jit, EngineKind::Interp])]
    fn add(b: Bencher<'_, '_>, engine: EngineKind) {
        let mut l = Loop::new(&kernels::add(100_000), engine, Numerics::Exact);
        b.counter(ItemsCount::new(l.run())).bench_local(|| l.run());
    }

    #[divan::bench(args = [EngineKind::Jit, EngineKind::Interp])]
    fn dependent_chain(b: Bencher<'_, '_>, engine: EngineKind) {
        let mut l = Loop::new(&kernels::chain(100_000), engine, Numerics::Exact);
        b.counter(ItemsCount::new(l.run())).bench_local(|| l.run());
    }
}

/// Floating-point operations are the items.
#[divan::bench_group(max_time = 0.5, sample_count = 10)]
mod mfma {
    use super::*;

    #[divan::bench]
    fn host_peak(b: Bencher<'_, '_>) {
        b.counter(ItemsCount::new(peers::fma_peak())).bench_local(peers::fma_peak);
    }

    #[divan::bench(args = [Numerics::Fast, Numerics::Exact])]
    fn f16_16x16x16(b: Bencher<'_, '_>, numerics: Numerics) {
        let mut l = Loop::new(&kernels::mfma16(2_000), EngineKind::Jit, numerics);
        l.run();
        b.counter(ItemsCount::new(kernels::MFMA16_FLOPS * 2_000)).bench_local(|| l.run());
    }

    #[divan::bench(args = [Numerics::Fast, Numerics::Exact])]
    fn f16_32x32x8(b: Bencher<'_, '_>, numerics: Numerics) {
        let mut l = Loop::new(&kernels::mfma32(2_000), EngineKind::Jit, numerics);
        l.run();
        b.counter(ItemsCount::new(kernels::MFMA32_FLOPS * 2_000)).bench_local(|| l.run());
    }
}

#[divan::bench_group(max_time = 1, sample_count = 10)]
mod memory {
    use super::*;

    #[divan::bench]
    fn memcpy(b: Bencher<'_, '_>) {
        let mut copy = peers::Copy::new(ARRAY);
        b.counter(BytesCount::new(copy.run())).bench_local(|| copy.run());
    }

    #[divan::bench(args = [false, true])]
    fn vadd(b: Bencher<'_, '_>, wide: bool) {
        let mut v = Vadd::new(wide);
        b.counter(BytesCount::new(12 * ARRAY)).bench_local(|| v.run());
    }
}

/// A product of two f32 matrices by the generated kernel, on every core. Items are floating-point operations.
#[divan::bench(max_time = 3, sample_count = 3, args = [1024, 2048])]
fn sgemm(b: Bencher<'_, '_>, n: u32) {
    let gemm = kernels::Sgemm::new(n);
    b.counter(ItemsCount::new(2 * u64::from(n).pow(3))).bench_local(|| gemm.run());
}

/// A dispatch of one wave over 30 KB of code, compiled for it: each time for code at another address.
#[divan::bench(max_time = 1, sample_count = 20, args = [EngineKind::Jit, EngineKind::Interp])]
fn start_of_30_kb(b: Bencher<'_, '_>, engine: EngineKind) {
    let words = kernels::long(30_000);
    b.with_inputs(|| Loop::new(&words, engine, Numerics::Exact)).bench_local_refs(|l| l.run());
}

/// A dispatch of one workgroup of [`kernels::vadd`] whose code was compiled before.
#[divan::bench(max_time = 1, sample_count = 20)]
fn launch_again(b: Bencher<'_, '_>) {
    let mut v = Vadd::of(256, false);
    v.run();
    b.bench_local(|| v.run());
}

/// Time that this thread has had a processor, where the system tells; else real time. Other work on the host then counts
/// for little.
fn now() -> f64 {
    #[cfg(unix)]
    {
        let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the structure is the caller's own.
        if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut t) } == 0 {
            return t.tv_sec as f64 + t.tv_nsec as f64 / 1e9;
        }
    }
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Time that all threads have had processors.
fn now_everywhere() -> f64 {
    #[cfg(unix)]
    {
        let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the structure is the caller's own.
        if unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) } == 0 {
            return t.tv_sec as f64 + t.tv_nsec as f64 / 1e9;
        }
    }
    now()
}

/// The best of both sides, run in turns: seconds of processor time.
fn versus(rounds: usize, mut ours: impl FnMut(), mut peer: impl FnMut()) -> (f64, f64) {
    let mut times = (f64::MAX, f64::MAX);
    let timed = |f: &mut dyn FnMut()| {
        let begin = now();
        f();
        now() - begin
    };
    for _ in 0..rounds {
        times.0 = times.0.min(timed(&mut ours));
        times.1 = times.1.min(timed(&mut peer));
    }
    times
}

/// Resident memory of the process in bytes, where the system tells.
fn resident() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<f64>().ok()? * 4096.0)
}

/// What a dispatch takes of the host besides its waves' registers and its workgroups' LDS, in bytes; those two; waves.
fn footprint() -> Option<(f64, f64, u32)> {
    let mut b = device(&kernels::add(2_000), EngineKind::Jit, Numerics::Exact);
    b.config.threads = 0;
    let (before, groups) = (resident(), 600);
    // Looked at while the dispatch runs: its registers are gone when it ends.
    let done = std::sync::atomic::AtomicBool::new(false);
    let most = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = 0f64;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                most = most.max(resident().unwrap_or(0.0));
                std::thread::sleep(Duration::from_millis(1));
            }
            most
        });
        let resident_groups = b.run(groups, 64, &[0]).expect("runs").resident_workgroups;
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        (watch.join().unwrap_or(0.0), resident_groups)
    });
    let own = f64::from(most.1) * (512.0 * 64.0 * 4.0 + 65536.0);
    before.map(|before| (most.0 - before - own, own, most.1))
}

fn summary() {
    // First, while nothing that was freed can be used again.
    let footprint = footprint();
    println!("\n{:34} {:>24} {:>30} {:>8}   asked for", "", "engine", "beside it", "ratio");
    let line = |name: &str, ours: String, peer: String, ratio: String, asked: &str| {
        println!("{name:34} {ours:>24} {peer:>30} {ratio:>8}   {asked}");
    };
    let percent = |r: f64| format!("{:.0} %", 100.0 * r);

    let mut peer = peers::Registers::new();
    let per_run = peer.run() as f64;
    for (name, words) in [
        ("v_fma_f32, 32 accumulators", kernels::fma(20_000)),
        ("v_add_u32, 32 accumulators", kernels::add(20_000)),
        ("v_fma_f32, chains on 8 registers", kernels::chain(20_000)),
    ] {
        let mut l = Loop::new(&words, EngineKind::Jit, Numerics::Exact);
        let n = l.run() as f64;
        let (ours, theirs) = versus(60, || _ = l.run(), || _ = peer.run());
        let (ours, theirs) = (n / ours / 1e6, per_run / theirs / 1e6);
        line(
            name,
            format!("{ours:.0} M wave-instr/s"),
            format!("{theirs:.0} M/s, registers in memory"),
            percent(ours / theirs),
            "60 %",
        );
    }
    for (name, words, flops) in [
        ("f16 MFMA 16x16x16", kernels::mfma16(10_000), kernels::MFMA16_FLOPS * 10_000),
        ("f16 MFMA 32x32x8", kernels::mfma32(10_000), kernels::MFMA32_FLOPS * 10_000),
    ] {
        for (numerics, asked) in [(Numerics::Fast, "100 GFLOP/s"), (Numerics::Exact, "10 GFLOP/s")] {
            let mut l = Loop::new(&words, EngineKind::Jit, numerics);
            let (ours, theirs) = versus(6, || _ = l.run(), || _ = peers::fma_peak());
            let (ours, theirs) = (flops as f64 / ours / 1e9, peers::fma_peak() as f64 / theirs / 1e9);
            line(
                &format!("{name}, {numerics:?}").to_lowercase(),
                format!("{ours:.0} GFLOP/s"),
                format!("{theirs:.0} GFLOP/s, host FMA"),
                percent(ours / theirs),
                asked,
            );
        }
    }
    for (name, words, flops) in kernels::mfma_of_other_types(2_000) {
        let rate = |numerics| {
            let mut l = Loop::new(&words, EngineKind::Jit, numerics);
            let (ours, theirs) = versus(4, || _ = l.run(), || _ = peers::fma_peak());
            (flops as f64 * 2_000.0 / ours / 1e9, peers::fma_peak() as f64 / theirs / 1e9)
        };
        let ((fast, peak), (exact, _)) = (rate(Numerics::Fast), rate(Numerics::Exact));
        line(
            name,
            format!("{fast:.1} fast, {exact:.1} exact"),
            format!("{peak:.0} GFLOP/s, host FMA"),
            percent(fast / peak),
            "",
        );
    }
    let mut copy = peers::Copy::new(ARRAY);
    for (name, wide) in [("vadd, a dword an item", false), ("vadd, 16 bytes an item, looping", true)] {
        let mut v = Vadd::new(wide);
        let (ours, theirs) = versus(6, || v.run(), || _ = copy.run());
        let (ours, theirs) = (12.0 * ARRAY as f64 / ours / 1e9, copy.run() as f64 / theirs / 1e9);
        line(name, format!("{ours:.1} GB/s"), format!("{theirs:.1} GB/s, memcpy"), percent(ours / theirs), "25 %");
    }
    let gemm = kernels::Sgemm::new(2048);
    gemm.run();
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get()) as f64;
    let (mut wall, mut busy) = (f64::MAX, f64::MAX);
    for _ in 0..3 {
        let (begin, processors) = (Instant::now(), now_everywhere());
        gemm.run();
        wall = wall.min(begin.elapsed().as_secs_f64());
        busy = busy.min((now_everywhere() - processors) / cores);
    }
    line(
        &format!("SGEMM 2048, {cores} cores"),
        format!("{wall:.3} s"),
        format!("{busy:.3} s of each core"),
        format!("{:.0} %", 100.0 * busy / wall),
        "0.6 s",
    );
    let product = kernels::Sgemm::of("mi355x", Dtype::Bf16, 1024);
    let n = product.time() as f64;
    let config = Config { threads: 1, ..Config::default() };
    let (mut timed, mut run) = (f64::MAX, f64::MAX);
    for _ in 0..4 {
        let begin = now_everywhere();
        product.time();
        timed = timed.min(now_everywhere() - begin);
        let begin = now_everywhere();
        product.run_with(&config);
        run = run.min(now_everywhere() - begin);
    }
    line(
        "timing model, bf16 GEMM 1024",
        format!("{:.2} M wave-instr/s", n / timed / 1e6),
        format!("{:.2} M/s, the JIT with products", n / run / 1e6),
        percent(run / timed),
        "2 M/s",
    );
    let words = kernels::long(30_000);
    // Each on a device of its own, which has met none of the code.
    let fresh = |engine| Vec::from_iter((0..8).map(|_| Loop::new(&words, engine, Numerics::Exact)));
    let (mut jit, mut interp) = (fresh(EngineKind::Jit), fresh(EngineKind::Interp));
    let (with, without) = versus(8, || _ = jit.pop().map(|mut l| l.run()), || _ = interp.pop().map(|mut l| l.run()));
    line(
        "start of a 30 KB kernel",
        format!("{:.2} ms", with * 1e3),
        format!("{:.2} ms interpreted", without * 1e3),
        String::new(),
        "20 ms",
    );
    const LAUNCHES: u32 = 200;
    let mut first = Vec::from_iter((0..8).map(|_| Vadd::of(256, false)));
    let mut again = Vadd::of(256, false);
    again.run();
    let (ours, theirs) = versus(8, || (0..LAUNCHES).for_each(|_| again.run()), || _ = first.pop().map(|mut v| v.run()));
    line(
        "launch of a small kernel again",
        format!("{:.1} us", ours / f64::from(LAUNCHES) * 1e6),
        format!("{:.1} us the first time", theirs * 1e6),
        String::new(),
        "10 us",
    );
    if let Some((more, own, waves)) = footprint {
        line(
            "memory beyond registers and LDS",
            format!("{:.1} MB", more / 1e6),
            format!("{:.0} MB of those, {waves} waves", own / 1e6),
            String::new(),
            "64 MB",
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if args != ["--ratios"] {
        divan::main();
    }
    // Listing and filtering are divan's; the ratios belong to a whole run.
    if args.is_empty() || args == ["--ratios"] {
        summary();
    }
}

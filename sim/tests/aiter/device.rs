//! What the tests of all families need: the device, arrays on it and off it, random numbers, small floats.

use super::watched;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use wavesmith_asm::Sku;
pub use wavesmith_asm::Target;
use wavesmith_loader::code_object::CodeObject;
use wavesmith_loader::{Agent, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::{last_fault, last_stats};

pub use super::placed::Placed;
pub use wavesmith_loader::Buffer;

pub const TARGETS: [Target; 2] = [Target::Gfx942, Target::Gfx950];

pub fn corpus() -> Option<PathBuf> {
    let found = std::env::var_os("WAVESMITH_CORPUS").map(PathBuf::from).filter(|p| p.join("gfx942").is_dir());
    if found.is_none() {
        eprintln!("SKIPPED: needs AITER's code objects in the folder that WAVESMITH_CORPUS names");
    }
    found
}

/// What came of the kernels of a test.
#[derive(Default)]
struct Kernels {
    /// The one that ran last, with its errors under the watching engine by kind.
    last: (String, BTreeMap<&'static str, usize>),
    /// Those that are wrong, and how.
    wrong: Vec<String>,
}

thread_local! {
    static KERNELS: RefCell<Kernels> = RefCell::default();
}

/// Held by a test while it runs its kernels; `None`, told loudly, without the corpus.
pub struct Judged(());

pub fn judged() -> Option<Judged> {
    KERNELS.take();
    corpus().map(|_| Judged(()))
}

impl Drop for Judged {
    fn drop(&mut self) {
        let wrong = KERNELS.take().wrong;
        assert!(
            wrong.is_empty() || std::thread::panicking(),
            "{} kernels are wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
}

/// Runs a kernel and compares what it gives. Where errors are only counted (`WAVESMITH_COUNT`), one that is wrong does not hide
/// those behind it: they are told together when the test ends.
pub fn going_on(kernel: impl FnOnce()) {
    if std::env::var_os("WAVESMITH_COUNT").is_none() {
        return kernel();
    }
    let results = catch_unwind(AssertUnwindSafe(kernel));
    KERNELS.with_borrow_mut(|k| {
        let (file, kinds) = core::mem::take(&mut k.last);
        let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        let results = match results {
            Ok(()) => "right",
            Err(_) => "wrong",
        };
        if results == "wrong" || !kinds.is_empty() {
            k.wrong.push(format!("{file}: results {results}; errors: {}", kinds.join(", ")));
        }
    });
}

/// A part of the target.
pub struct Device {
    agent: Agent,
    pub target: Target,
}

impl Device {
    pub fn new(target: Target) -> Device {
        let sku = Sku::named(if target == Target::Gfx950 { "mi355x" } else { "mi300x" }).expect("known part");
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).expect("starts");
        Device { agent: runtime.gpu_agents()[0].clone(), target }
    }

    pub fn bytes(&self, v: &[u8]) -> Buffer {
        self.agent.upload(MemoryKind::Device, v).expect("uploads")
    }

    pub fn f32s(&self, v: &[f32]) -> Buffer {
        self.bytes(&v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())
    }

    pub fn bf16s(&self, v: &[f32]) -> Buffer {
        self.bytes(&v.iter().flat_map(|x| ((x.to_bits() >> 16) as u16).to_le_bytes()).collect::<Vec<_>>())
    }

    pub fn words(&self, v: &[u32]) -> Buffer {
        self.bytes(&v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())
    }

    /// Runs the only kernel of `folder/file.co`.
    pub fn run_named(&self, folder: &str, file: &str, workgroups: [u32; 3], items: u16, args: Placed) {
        let file = format!("{folder}/{file}.co");
        let path = corpus().expect("asked before").join(self.target.name()).join(&file);
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let object = CodeObject::parse(&bytes).expect("a code object");
        self.run(&file, &object.kernels[0].name, workgroups, items, args);
    }

    pub fn run(&self, file: &str, kernel: &str, workgroups: [u32; 3], items: u16, args: Placed) {
        let path = corpus().expect("asked before").join(self.target.name()).join(file);
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let executable = self.agent.load(&bytes).expect("loads");
        let handle = executable.kernel(kernel).expect("kernel");
        let queue = self.agent.queue(64).expect("queue");
        let watched = watched::Watched::here(module_path!(), &queue, args.0.len());
        let geometry = Geometry::of_workgroups(workgroups, [items, 1, 1]).expect("geometry");
        let started = Instant::now();
        let launch = Launch { kernel: &handle, geometry, dynamic_lds: 0, kernargs: &args.0 };
        KERNELS.with_borrow_mut(|k| k.last = (format!("{} {file}", self.target), BTreeMap::new()));
        let pending = queue.launch(&launch).expect("launches");
        if let Err(e) = pending.wait(Duration::from_secs(300)) {
            panic!("{file}: {e}: {:?}", last_fault(queue.raw()).map(|f| f.to_string()));
        }
        KERNELS.with_borrow_mut(|k| k.last.1 = watched.errors());
        watched.judge(file);
        let n = last_stats(queue.raw()).map_or(0, |s| s.wave_instructions);
        eprintln!("{} {file}: {n} wave-instructions in {:.2?}", self.target, started.elapsed());
    }
}

pub fn f32s(b: &Buffer) -> Vec<f32> {
    b.to_vec().expect("reads").chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

pub fn bf16s(b: &Buffer) -> Vec<f32> {
    let raw = b.to_vec().expect("reads");
    raw.chunks_exact(2).map(|h| f32::from_bits(u32::from(u16::from_le_bytes([h[0], h[1]])) << 16)).collect()
}

/// A generator of numbers, by its seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
    pub fn unit(&mut self) -> f32 {
        (self.next() % 4001) as f32 / 2000.0 - 1.0
    }
    pub fn units(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.unit()).collect()
    }
    /// The numbers below `n` in any order.
    pub fn any_order(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        (1..n).for_each(|i| order.swap(i, (self.next() % (i as u64 + 1)) as usize));
        order
    }
    /// Values that bf16 holds exactly.
    pub fn bf16s(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| f32::from_bits(self.unit().to_bits() & 0xffff_0000)).collect()
    }
}

pub fn to_bf16_trunc(v: f32) -> f32 {
    f32::from_bits(v.to_bits() & 0xffff_0000)
}

/// `B.reshape(N/16, 16, K/32, 2, 16).transpose(0, 2, 3, 1, 4)`.
pub fn preshuffle(b: &[u8], n: usize, k: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(b.len());
    for n0 in 0..n / 16 {
        for k0 in 0..k / 32 {
            for half in 0..2 {
                for row in 0..16 {
                    let at = (n0 * 16 + row) * k + k0 * 32 + half * 16;
                    out.extend_from_slice(&b[at..at + 16]);
                }
            }
        }
    }
    out
}

/// An 8-bit float of that target.
pub fn fp8(bits: u8, target: Target) -> f32 {
    let bias = if target == Target::Gfx950 { 7 } else { 8 };
    let (e, m) = (i32::from(bits >> 3 & 15), f32::from(bits & 7));
    let v = if e == 0 { m / 8.0 * 2f32.powi(1 - bias) } else { (1.0 + m / 8.0) * 2f32.powi(e - bias) };
    if bits >> 7 == 1 { -v } else { v }
}

/// A type of eight bits.
#[derive(Clone, Copy, PartialEq)]
pub enum Eight {
    Float,
    Integer,
}

/// What the codes of a type stand for; not a number where they stand for none.
pub fn eight_values(eight: Eight, target: Target) -> [f32; 256] {
    core::array::from_fn(|i| match (eight, target) {
        (Eight::Integer, _) => f32::from(i as u8 as i8),
        (_, Target::Gfx950) if i & 0x7f == 0x7f => f32::NAN,
        (_, Target::Gfx942) if i == 0x80 => f32::NAN,
        _ => fp8(i as u8, target),
    })
}

/// The nearest code.
pub fn nearest(values: &[f32; 256], x: f32) -> u8 {
    let distance = |i: usize| if values[i].is_nan() { f32::INFINITY } else { (values[i] - x).abs() };
    (0..256).min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or(0) as u8
}

/// Rows quantised by their largest magnitude: codes, scales and the values they stand for.
pub fn quantised(v: &[f32], row: usize, eight: Eight, target: Target) -> (Vec<u8>, Vec<f32>, Vec<f64>) {
    let table = eight_values(eight, target);
    let most = table.iter().fold(0f32, |m, x| if x.is_nan() { m } else { m.max(x.abs()) }).min(448.0);
    let most = if eight == Eight::Integer { 127.0 } else { most };
    let (mut codes, mut scales, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for row in v.chunks_exact(row) {
        let scale = row.iter().fold(0f32, |m, x| m.max(x.abs())) / most;
        for x in row {
            let code = nearest(&table, x / scale);
            codes.push(code);
            values.push(f64::from(table[usize::from(code)]) * f64::from(scale));
        }
        scales.push(scale);
    }
    (codes, scales, values)
}

/// Weights by softmax, and the logarithm of their sum before.
pub fn softmax(logits: &[f64]) -> (Vec<f64>, f64) {
    let top = logits.iter().copied().fold(f64::MIN, f64::max);
    let sum: f64 = logits.iter().map(|l| (l - top).exp()).sum();
    (logits.iter().map(|l| (l - top).exp() / sum).collect(), top + sum.ln())
}

/// The value of an FP4 code.
pub fn fp4(code: u8) -> f64 {
    let v = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0][usize::from(code & 7)];
    if code & 8 != 0 { -v } else { v }
}

/// Scales of `rows` rows as the kernels want them: rows in pairs of sixteen, columns in two fours.
pub fn shuffle_scales(s: &[u8], rows: usize, columns: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len());
    for r in 0..rows / 32 {
        for c in 0..columns / 8 {
            for (k, row) in (0..4).flat_map(|k| (0..16).map(move |row| (k, row))) {
                for (half, pair) in (0..2).flat_map(|half| (0..2).map(move |pair| (half, pair))) {
                    out.push(s[(r * 32 + pair * 16 + row) * columns + c * 8 + half * 4 + k]);
                }
            }
        }
    }
    out
}

/// The nearest code of MXFP4 and its scale for blocks of thirty-two: codes, scales and the values they stand for.
pub fn mxfp4(v: &[f32]) -> (Vec<u8>, Vec<u8>, Vec<f64>) {
    let (mut codes, mut scales, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for block in v.chunks_exact(32) {
        let most = block.iter().fold(0f32, |m, x| m.max(x.abs()));
        let exponent = (most / 6.0).log2().ceil() as i32;
        for x in block {
            let y = f64::from(*x) / 2f64.powi(exponent);
            let code = (0..16u8).filter(|c| c & 8 == 0 || y < 0.0).min_by(|a, b| {
                let far = |c: u8| (fp4(c) - y).abs();
                far(*a).total_cmp(&far(*b))
            });
            let code = code.unwrap_or(0);
            codes.push(code);
            values.push(fp4(code) * 2f64.powi(exponent));
        }
        scales.push((127 + exponent) as u8);
    }
    (codes, scales, values)
}

/// Codes of four bits, two to a byte.
pub fn pairs(codes: &[u8]) -> Vec<u8> {
    codes.chunks_exact(2).map(|p| p[0] | p[1] << 4).collect()
}

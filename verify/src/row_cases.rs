//! Random softmaxes and attentions, generated, run on the embedded device and compared with f64: what `wavesmith verify`
//! and the property tests share. Bounds follow from the roundings on the way.

use crate::matmul::{MatmulReport, Mismatch};
use crate::matmul_cases::{CaseError, Numbers, finished, watching};
use half::{bf16, f16};
use wavesmith_asm::Sku;
use wavesmith_asm::sem::Elem;
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_kernels::attention::{AttentionError, AttentionParams};
use wavesmith_kernels::rows::RowKernel;
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::Config;
use wavesmith_sim::checked::{Finding, Severity};

/// Unit roundoff of f32.
const UNIT: f64 = 1.0 / (1 << 24) as f64;
/// Mismatches that are listed.
const LISTED: usize = 8;

/// A launch of one of these kernels on a part.
#[derive(Clone, Copy, Debug)]
pub struct RowCase {
    /// The part.
    pub sku: &'static Sku,
    /// What is launched.
    pub kernel: RowKernel,
    /// Where the numbers come from.
    pub seed: u64,
}

impl RowCase {
    /// A softmax of any shape.
    pub fn softmax(sku: &'static Sku, seed: u64) -> RowCase {
        let mut r = Numbers(seed);
        let columns = 1 + if r.below(4) == 0 { r.below(5000) } else { r.below(300) };
        RowCase { sku, kernel: RowKernel::Softmax { rows: 1 + r.below(40), columns }, seed }
    }

    /// An attention of any shape and type that the part has.
    pub fn attention(sku: &'static Sku, seed: u64) -> RowCase {
        let mut r = Numbers(seed);
        loop {
            let elem = [Elem::F16, Elem::Bf16][r.below(2) as usize];
            let params = AttentionParams { head_dim: 32 * (1 + r.below(4)), causal: r.below(2) == 0, elem };
            let [queries, keys] = [(); 2].map(|()| 1 + if r.below(4) == 0 { r.below(400) } else { r.below(100) });
            let kernel = RowKernel::Attention { params, heads: 1 + r.below(3), queries, keys };
            // A type that the part lacks is drawn again; a kernel that cannot be emitted is a case, which fails.
            if !matches!(kernel.generate(sku), Err(AttentionError::Parameter { .. })) {
                return RowCase { sku, kernel, seed };
            }
        }
    }

    /// Runs under the watching engine; the errors it found come with the comparison.
    ///
    /// # Errors
    /// [`CaseError`] where there is nothing to compare.
    pub fn watch(&self) -> Result<(MatmulReport, Vec<Finding>), CaseError> {
        let (config, sink) = watching(self.seed);
        let report = self.run(&config)?;
        Ok((report, sink.findings().into_iter().filter(|f| f.severity == Severity::Error).collect()))
    }

    /// Runs as `config` says and compares.
    ///
    /// # Errors
    /// [`CaseError`] where there is nothing to compare.
    pub fn run(&self, config: &Config) -> Result<MatmulReport, CaseError> {
        let kernel = &self.kernel;
        let object =
            pack(&[kernel.generate(self.sku)?], &PackOptions::default()).map_err(|e| CaseError::Emit(e.into()))?;
        let mut numbers = Numbers(self.seed);
        let inputs: Vec<Vec<u8>> = kernel.inputs().into_iter().map(|bytes| self.numbers(&mut numbers, bytes)).collect();
        let runtime = Runtime::start(wavesmith_sim::table(&[self.sku]))?;
        let agent = &runtime.gpu_agents()[0];
        let buffers =
            inputs.iter().map(|bytes| agent.upload(MemoryKind::Device, bytes)).collect::<Result<Vec<_>, _>>()?;
        // What is not written stays NaN.
        let output = agent.upload(MemoryKind::Device, &vec![0xff; kernel.output() as usize])?;
        let addresses: Vec<u64> = buffers.iter().map(|b| b.address()).collect();
        let kernargs = kernel.kernargs(&addresses, output.address());
        let loaded = agent.load(&object)?.kernel(kernel.name())?;
        let queue = agent.queue(64)?;
        wavesmith_sim::configure(queue.raw(), config).map_err(|_| CaseError::NoQueue)?;
        let [workgroups, items] = kernel.geometry();
        let workgroup = items.map(|n| n as u16);
        let grid = [0, 1, 2].map(|i| workgroups[i] * items[i]);
        let launch =
            Launch { kernel: &loaded, geometry: Geometry { grid, workgroup }, dynamic_lds: 0, kernargs: &kernargs };
        finished(&queue, &launch)?;
        let mut comparison = Comparison::default();
        let got = self.values(&output.to_vec()?);
        let inputs: Vec<Vec<f64>> = inputs.iter().map(|bytes| self.values(bytes)).collect();
        match (*kernel, &inputs[..]) {
            (RowKernel::Softmax { columns, .. }, [x]) => comparison.softmax(columns as usize, x, &got),
            (RowKernel::Attention { params, heads, queries, keys }, [q, k, v]) => {
                let scale = f64::from(kernel.scale());
                let attention = Attention { params, sides: [heads, queries, keys], scale, q, k, v };
                comparison.attention(&attention, &got);
            }
            _ => {}
        }
        Ok(comparison.0)
    }

    /// The type of what lies in memory.
    fn elem(&self) -> Elem {
        match self.kernel {
            RowKernel::Softmax { .. } => Elem::F32,
            RowKernel::Attention { params, .. } => params.elem,
        }
    }

    /// Numbers from −20 to 20 for a softmax, from −2 to 2 for an attention.
    fn numbers(&self, r: &mut Numbers, bytes: u64) -> Vec<u8> {
        let mut number = |largest: f32| ((r.bits() >> 7) as f32 / (1 << 23) as f32 - 1.0) * largest;
        match self.elem() {
            Elem::F16 => (0..bytes / 2).flat_map(|_| f16::from_f32(number(2.0)).to_le_bytes()).collect(),
            Elem::Bf16 => (0..bytes / 2).flat_map(|_| bf16::from_f32(number(2.0)).to_le_bytes()).collect(),
            _ => (0..bytes / 4).flat_map(|_| number(20.0).to_le_bytes()).collect(),
        }
    }

    fn values(&self, bytes: &[u8]) -> Vec<f64> {
        let pairs = || bytes.as_chunks::<2>().0.iter();
        match self.elem() {
            Elem::F16 => pairs().map(|x| f16::from_le_bytes(*x).to_f64()).collect(),
            Elem::Bf16 => pairs().map(|x| bf16::from_le_bytes(*x).to_f64()).collect(),
            _ => bytes.as_chunks::<4>().0.iter().map(|x| f32::from_le_bytes(*x).into()).collect(),
        }
    }
}

/// An attention and its inputs.
struct Attention<'a> {
    params: AttentionParams,
    /// Heads, queries and keys.
    sides: [u32; 3],
    scale: f64,
    q: &'a [f64],
    k: &'a [f64],
    v: &'a [f64],
}

/// A comparison under way.
struct Comparison(MatmulReport);

impl Default for Comparison {
    fn default() -> Comparison {
        Comparison(MatmulReport { compared: 0, exact: 0, worst: 0.0, mismatches: Vec::new() })
    }
}

impl Comparison {
    /// Compares an element with what it should be.
    fn element(&mut self, at: [usize; 3], got: f64, expected: f64, bound: f64) {
        let report = &mut self.0;
        report.compared += 1;
        let off = (got - expected).abs();
        report.worst = if off.is_nan() { f64::INFINITY } else { report.worst.max(off / bound) };
        // NaN is beyond every bound.
        if (off.is_nan() || off > bound) && report.mismatches.len() < LISTED {
            report.mismatches.push(Mismatch { at: at.map(|i| i as u32), got, expected, bound });
        }
    }

    fn softmax(&mut self, columns: usize, x: &[f64], got: &[f64]) {
        for (i, (row, got)) in x.chunks(columns).zip(got.chunks(columns)).enumerate() {
            let top = row.iter().copied().fold(f64::MIN, f64::max);
            let sum: f64 = row.iter().map(|x| (x - top).exp()).sum();
            // An exponential's argument has three roundings, each of at most its own size, which is 40 · log2(e) here; lanes'
            // sums have one each round and six more across, and are scaled twice; the instructions themselves err by a unit
            // or two.
            let relative = UNIT * (2.0 * 3.0 * 58.0 + columns as f64 / 64.0 * (3.0 * 58.0 + 4.0) + 20.0);
            for (j, (x, y)) in row.iter().zip(got).enumerate() {
                let want = (x - top).exp() / sum;
                self.element([0, i, j], *y, want, relative * want + f64::from(f32::MIN_POSITIVE));
            }
        }
    }

    fn attention(&mut self, a: &Attention<'_>, got: &[f64]) {
        let [heads, queries, keys] = a.sides.map(|n| n as usize);
        let d = a.params.head_dim as usize;
        let row = |m: &'_ [f64], rows: usize, head: usize, row: usize| -> Vec<f64> {
            m[(head * rows + row) * d..][..d].to_vec()
        };
        let unit = if a.params.elem == Elem::F16 { 2f64.powi(-11) } else { 2f64.powi(-8) };
        for (head, i) in (0..heads).flat_map(|head| (0..queries).map(move |i| (head, i))) {
            let query = row(a.q, queries, head, i);
            let seen = if a.params.causal { keys.min(i + 1) } else { keys };
            let (mut scores, mut off) = (Vec::new(), 0f64);
            for j in 0..seen {
                let products = query.iter().zip(row(a.k, keys, head, j)).map(|(x, y)| x * y).collect::<Vec<_>>();
                let size: f64 = products.iter().map(|x| x.abs()).sum();
                scores.push(products.iter().sum::<f64>() * a.scale);
                // As for the GEMM: a sum of K products in any order, then two factors.
                off = off.max(a.scale * size * UNIT * (2.0 * (d as f64 + 1.0) + 4.0));
            }
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let power: Vec<f64> = scores.iter().map(|s| (s - top).exp()).collect();
            let sum: f64 = power.iter().sum();
            // Each probability: its score and the maximum are off; it is rounded to the type, and not below its least.
            let relative = (2.0 * off).exp_m1() + unit + 60.0 * UNIT;
            let values: Vec<Vec<f64>> = (0..seen).map(|j| row(a.v, keys, head, j)).collect();
            for c in 0..d {
                let weighted =
                    |f: fn(f64) -> f64| power.iter().zip(&values).map(|(p, v)| p * f(v[c])).sum::<f64>() / sum;
                let (want, size) = (weighted(|v| v), weighted(f64::abs));
                let least = values.iter().map(|v| v[c].abs()).sum::<f64>() * 2f64.powi(-25);
                let bound = size * (2.0 * relative + 4.0 * UNIT * seen as f64) + least;
                let bound = bound + unit * (want.abs() + bound);
                self.element([head, i, c], got[(head * queries + i) * d + c], want, bound);
            }
        }
    }
}

//! Random GEMMs, generated, run on the embedded device and compared: what `wavesmith verify gemm` and the property
//! tests share. A case is its seed; a failing one can be run again by it.

use crate::matmul::{MatmulReport, Operands, verify_matmul};
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_kernels::gemm::{
    Activation, Dtype, Extras, Gemm, GemmError, GemmParams, GemmProblem, KERNEL, Schedule, gemm,
};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime, RuntimeError};

/// A dispatch that takes longer than this is taken for stuck.
const PATIENCE: Duration = Duration::from_secs(120);

/// Why a case has no report.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The kernel could not be generated.
    #[error(transparent)]
    Gemm(#[from] GemmError),
    /// It could not be run.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// It wrote between the rows of C.
    #[error("element {0} of C's storage lies outside the result and was written")]
    Outside(usize),
}

/// A generator of numbers, so that a case is its seed.
#[derive(Clone, Copy, Debug)]
pub struct Numbers(pub u64);

impl Numbers {
    /// 31 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: u64) -> u32 {
        (self.bits() % n) as u32
    }

    /// From −2 to 2 and away from zero, so that no type has to flush it.
    fn float(&mut self) -> f32 {
        let x = self.below(4096) as f32 / 2048.0 + 2f32.powi(-6);
        if self.below(2) == 0 { x } else { -x }
    }

    /// An element of A or B.
    fn element(&mut self, dtype: Dtype, out: &mut Vec<u8>) {
        match dtype {
            Dtype::F16 | Dtype::F16F32 => out.extend(half::f16::from_f32(self.float()).to_le_bytes()),
            Dtype::Bf16 => out.extend(half::bf16::from_f32(self.float()).to_le_bytes()),
            Dtype::F32 | Dtype::Xf32 => out.extend(self.float().to_le_bytes()),
            Dtype::F64 => out.extend(f64::from(self.float()).to_le_bytes()),
            Dtype::I8 => out.push(self.bits() as u8),
            // Exponents in the middle, where both kinds of 8-bit floats are finite.
            Dtype::Fp8 => out.push((self.below(0x30) + 0x18) as u8 | (self.bits() as u8 & 0x80)),
            Dtype::Bf8 => out.push((self.below(0x18) + 0x2c) as u8 | (self.bits() as u8 & 0x80)),
        }
    }

    /// An element of C.
    fn result(&mut self, dtype: Dtype, out: &mut Vec<u8>) {
        match dtype {
            Dtype::I8 => out.extend((self.below(2000) as i32 - 1000).to_le_bytes()),
            Dtype::F16 | Dtype::Bf16 | Dtype::F64 => self.element(dtype, out),
            _ => out.extend(self.float().to_le_bytes()),
        }
    }
}

/// A multiplication on a part.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The part.
    pub sku: &'static Sku,
    /// How the kernel is generated.
    pub params: GemmParams,
    /// What it multiplies.
    pub problem: GemmProblem,
    /// Where the numbers come from.
    pub seed: u64,
}

/// A problem with leading dimensions that fit the transpositions, `extra` elements longer than they need be.
pub fn fitted(mut p: GemmProblem, trans: [bool; 2], extra: [u32; 3]) -> GemmProblem {
    p.lda = if trans[0] { p.m } else { p.k } + extra[0];
    p.ldb = if trans[1] { p.k } else { p.n } + extra[1];
    p.ldc = p.n + extra[2];
    p
}

impl Case {
    /// A case that the part has a kernel for: any type, shape, transposition, schedule and surroundings.
    pub fn random(sku: &'static Sku, seed: u64) -> Case {
        let mut r = Numbers(seed);
        loop {
            let dtype = Dtype::ALL[r.below(Dtype::ALL.len() as u64) as usize];
            let trans = [r.below(2) == 0, r.below(2) == 0];
            let (m, n, k) = (1 + r.below(200), 1 + r.below(200), 1 + r.below(300));
            let (alpha, beta) = ([1.0, -0.5][r.below(2) as usize], [0.0, 2.0][r.below(2) as usize]);
            let batch = 1 + r.below(2);
            let p = GemmProblem { m, n, k, batch, lda: 0, ldb: 0, ldc: 0, alpha, beta };
            let problem = fitted(p, trans, [r.below(4), r.below(4), r.below(4)]);
            let schedule = match r.below(3) {
                0 => Schedule::Plain,
                1 => Schedule::Interleave {
                    mfma_per_read: 1 + r.below(4) as usize,
                    mfma_per_load: 1 + r.below(4) as usize,
                },
                _ => Schedule::List,
            };
            let suited = GemmParams::suited(dtype, trans[0], trans[1], &problem);
            let activation = if r.below(2) == 0 { Activation::Relu } else { Activation::None };
            let params = GemmParams {
                mfma: if r.below(2) == 0 { 32 } else { 16 },
                stage_bytes: 64 << r.below(2),
                extras: Extras { bias: r.below(2) == 0, activation, ..suited.extras },
                schedule,
                ..suited
            };
            if gemm(&params, sku).is_ok() {
                return Case { sku, params, problem, seed };
            }
        }
    }

    /// Generates, runs and compares.
    ///
    /// # Errors
    /// [`CaseError`] where there is nothing to compare.
    pub fn run(&self) -> Result<MatmulReport, CaseError> {
        self.run_with(&gemm(&self.params, self.sku)?)
    }

    /// Runs a kernel that is already generated.
    ///
    /// # Errors
    /// [`CaseError`] where there is nothing to compare.
    pub fn run_with(&self, made: &Gemm) -> Result<MatmulReport, CaseError> {
        let p = &self.problem;
        let (dtype, trans) = (self.params.dtype, [self.params.trans_a, self.params.trans_b]);
        let sizes = p.sizes(dtype, trans);
        let mut numbers = Numbers(self.seed);
        let mut fill = |bytes: u64, size: u32, f: fn(&mut Numbers, Dtype, &mut Vec<u8>)| {
            let mut out = Vec::new();
            (0..bytes / u64::from(size)).for_each(|_| f(&mut numbers, dtype, &mut out));
            out
        };
        let batch = u64::from(p.batch);
        let a = fill(sizes[0] * batch, dtype.input_bytes(), Numbers::element);
        let b = fill(sizes[1] * batch, dtype.input_bytes(), Numbers::element);
        let c = fill(sizes[2] * batch, dtype.output_bytes(), Numbers::result);
        let mut bias = Vec::new();
        for _ in 0..p.n {
            match dtype {
                Dtype::I8 => numbers.result(dtype, &mut bias),
                Dtype::F64 => numbers.element(dtype, &mut bias),
                _ => numbers.element(Dtype::F32, &mut bias),
            }
        }
        let runtime = Runtime::start(wavesmith_sim::table(&[self.sku]))?;
        let agent = &runtime.gpu_agents()[0];
        // An empty matrix still needs an address.
        let upload = |bytes: &[u8]| agent.upload(MemoryKind::Device, if bytes.is_empty() { &[0; 4] } else { bytes });
        let buffers = [upload(&a)?, upload(&b)?, upload(&c)?, upload(&bias)?];
        let kernargs = p.kernargs(dtype, trans, [0, 1, 2, 3].map(|i: usize| buffers[i].address()));
        let kernel = agent.load(&made.object)?.kernel(KERNEL)?;
        let queue = agent.queue(64)?;
        let workgroup = [made.workgroup_size() as u16, 1, 1];
        let workgroups = made.workgroups(p.m, p.n, p.batch);
        let grid = [workgroups[0] * u32::from(workgroup[0]), workgroups[1], workgroups[2]];
        let geometry = Geometry { grid, workgroup };
        queue.launch(&Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs })?.wait(PATIENCE)?;
        let got = buffers[2].to_vec()?;
        let (ld, size) = (p.ldc as usize, dtype.output_bytes() as usize);
        let elements = got.chunks(size).zip(c.chunks(size)).enumerate();
        if let Some((i, _)) = elements.into_iter().find(|(i, (new, old))| i % ld >= p.n as usize && new != old) {
            return Err(CaseError::Outside(i));
        }
        let operands = Operands { a: &a, b: &b, c: &c, bias: &bias };
        Ok(verify_matmul(dtype, self.sku.target, trans, self.params.extras, p, operands, &got))
    }
}

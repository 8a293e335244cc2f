//! Random GEMMs, generated, run on the embedded device and compared: what `wavesmith verify gemm` and the property
//! tests share. A case is its seed; a failing one can be run again by it.

mod edges;

pub use edges::edges;

use crate::matmul::{MatmulReport, Operands, verify_matmul};
use std::sync::Arc;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_asm::sem::Elem;
use wavesmith_emitter::EmitError;
use wavesmith_kernels::attention::AttentionError;
use wavesmith_kernels::gemm::{
    Activation, Dtype, Extras, Gemm, GemmBuffers, GemmError, GemmParams, GemmProblem, KERNEL, MX_BLOCK, Order,
    Schedule, gemm,
};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Queue, Runtime, RuntimeError};
use wavesmith_sim::checked::{self, Finding, Severity, Sink};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, EngineKind, Fault};

/// A dispatch that takes longer than this is taken for stuck.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Products of a random case, of one matrix of its batch: what the device has time for.
const PRODUCTS: u64 = 30_000_000;

/// Why a case has no report.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The kernel could not be generated.
    #[error(transparent)]
    Gemm(#[from] GemmError),
    /// The attention could not be generated.
    #[error(transparent)]
    Attention(#[from] AttentionError),
    /// The kernel could not be packed.
    #[error(transparent)]
    Emit(EmitError),
    /// It could not be run.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The device ended it.
    #[error("{0}")]
    Fault(Box<Fault>),
    /// It wrote between the rows of C.
    #[error("element {0} of C's storage lies outside the result and was written")]
    Outside(usize),
    /// It left a counter that the next launch would start from.
    #[error("the counter of tile {0} is not zero after the launch")]
    Counter(usize),
    /// The queue is not the embedded device's.
    #[error("the queue takes no configuration")]
    NoQueue,
    /// Nothing was timed.
    #[error("the device gave no times")]
    Untimed,
}

/// The watching engine with `seed` for what is left to chance there, and where its findings go.
pub(crate) fn watching(seed: u64) -> (Config, Sink) {
    let sink = Sink::default();
    let checked = checked::Options { seed, sink: sink.clone(), ..checked::Options::default() };
    (Config { engine: EngineKind::Checked, checked, ..Config::default() }, sink)
}

/// Runs a launch to its end.
pub(crate) fn finished(queue: &Queue, launch: &Launch<'_>) -> Result<(), CaseError> {
    queue.launch(launch)?.wait(PATIENCE).map_err(|error| match wavesmith_sim::last_fault(queue.raw()) {
        // What the device knows is more than what the runtime's status lets one guess.
        Some(fault) => CaseError::Fault(Box::new(fault)),
        None => error.into(),
    })
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

    pub(crate) fn below(&mut self, n: u64) -> u32 {
        (self.bits() % n) as u32
    }

    /// From −2 to 2 and away from zero, so that no type has to flush it.
    fn float(&mut self) -> f32 {
        let x = self.below(4096) as f32 / 2048.0 + 2f32.powi(-6);
        if self.below(2) == 0 { x } else { -x }
    }

    /// `count` elements of a type, side by side.
    fn elements(&mut self, ty: Elem, count: u64) -> Vec<u8> {
        let mut out = Vec::new();
        for _ in 0..(count * u64::from(ty.bits())).div_ceil(u64::from(ty.bits().max(8))) {
            match ty {
                Elem::F16 => out.extend(half::f16::from_f32(self.float()).to_le_bytes()),
                Elem::Bf16 => out.extend(half::bf16::from_f32(self.float()).to_le_bytes()),
                Elem::F64 => out.extend(f64::from(self.float()).to_le_bytes()),
                Elem::I32 => out.extend((self.below(2000) as i32 - 1000).to_le_bytes()),
                // Exponents in the middle, where both kinds of 8-bit floats are finite.
                Elem::Fp8 => out.push((self.below(0x30) + 0x18) as u8 | (self.bits() as u8 & 0x80)),
                Elem::Bf8 => out.push((self.below(0x18) + 0x2c) as u8 | (self.bits() as u8 & 0x80)),
                // All bits are numbers.
                Elem::I8 | Elem::Fp6 | Elem::Bf6 | Elem::Fp4 => out.push(self.bits() as u8),
                _ => out.extend(self.float().to_le_bytes()),
            }
        }
        out
    }

    /// E8M0 scales around 1, some of them far from it.
    fn scales(&mut self, count: u64) -> Vec<u8> {
        let one = |r: &mut Self| if r.below(16) == 0 { 97 + r.below(60) } else { 124 + r.below(7) } as u8;
        (0..count).map(|_| one(self)).collect()
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
    /// C holds NaN before, instead of numbers.
    pub unset_c: bool,
}

/// A problem with leading dimensions that fit the transpositions, `extra` elements longer than they need be.
pub fn fitted(mut p: GemmProblem, trans: [bool; 2], extra: [u32; 3]) -> GemmProblem {
    p.lda = if trans[0] { p.m } else { p.k } + extra[0];
    p.ldb = if trans[1] { p.k } else { p.n } + extra[1];
    p.ldc = p.n + extra[2];
    p
}

impl Case {
    /// A case that the part has a kernel for: any type, shape, transposition, schedule, order and surroundings.
    pub fn random(sku: &'static Sku, seed: u64) -> Case {
        let mut r = Numbers(seed);
        loop {
            let case = Case::any(sku, seed, &mut r);
            match gemm(&case.params, sku) {
                // What the part or the parameters rule out is drawn again; a kernel that cannot be emitted is a case, which fails.
                Err(GemmError::NoInstruction { .. } | GemmError::Parameter { .. } | GemmError::Lds { .. }) => {}
                Err(GemmError::Emit(EmitError::Pressure { .. } | EmitError::DoesNotFit { .. })) => {}
                Ok(_) | Err(_) => return case,
            }
        }
    }

    fn any(sku: &'static Sku, seed: u64, r: &mut Numbers) -> Case {
        let dtype = Dtype::ALL[r.below(Dtype::ALL.len() as u64) as usize];
        let scaled = dtype.is_scaled();
        let trans = if scaled { [false, true] } else { [r.below(2) == 0, r.below(2) == 0] };
        // Tiles of every size, and sides that hold none, end beside one, or span several.
        let [tile_m, tile_n] = [(); 2].map(|()| [0, 0, 64, 128, 256][r.below(5) as usize]);
        let side = |r: &mut Numbers, tile: u32| match r.below(4) {
            0 => 1 + r.below(1000),
            1 => (tile.max(64) * (1 + r.below(3)) + r.below(3) - 1).min(1000),
            _ => 1 + r.below(200),
        };
        let (m, n, mut k) = (side(r, tile_m), side(r, tile_n), side(r, 0));
        let batch = 1 + r.below(2);
        let most = PRODUCTS / (u64::from(m) * u64::from(n));
        if u64::from(k) > most {
            k = 1 + r.below(most);
        }
        if scaled {
            k = k.next_multiple_of(MX_BLOCK);
        }
        // Those of integers are integers, and large ones wrap around.
        let alphas = if dtype == Dtype::I8 { [1.0, -3.0, 70001.0] } else { [1.0, -0.5, 0.75] };
        let betas = if dtype == Dtype::I8 { [0.0, 1.0, 2.0, -70001.0] } else { [0.0, 1.0, 2.0, -1.5] };
        let (alpha, beta) = (alphas[r.below(3) as usize], betas[r.below(4) as usize]);
        let p = GemmProblem { m, n, k, batch, lda: 0, ldb: 0, ldc: 0, alpha, beta, strides: [None; 3] };
        let more = |r: &mut Numbers| if scaled { MX_BLOCK * r.below(2) } else { r.below(4) };
        let problem = fitted(p, trans, [more(r), more(r), r.below(4)]);
        let [mfma_per_read, mfma_per_load] = [1 + r.below(4) as usize, 1 + r.below(4) as usize];
        let schedule = match r.below(6) {
            0 => Schedule::Plain,
            1 => Schedule::List,
            2 => Schedule::PingPong,
            3 | 4 => Schedule::Rotate { mfma_per_read, mfma_per_load },
            _ => Schedule::Interleave { mfma_per_read, mfma_per_load },
        };
        let suited = GemmParams::suited(dtype, trans[0], trans[1], &problem, sku);
        let or = |tile, suited| if tile == 0 { suited } else { tile };
        let (tile_m, tile_n) = (or(tile_m, suited.tile_m), or(tile_n, suited.tile_n));
        let order = [Order::Tiles, Order::Tiles, Order::Persistent, Order::StreamK][r.below(4) as usize];
        let [waves_m, waves_n] = match schedule {
            Schedule::PingPong if tile_m == 128 => [4, 2],
            Schedule::PingPong => [2, 4],
            // Scales come for 64 rows of a wave at a time.
            _ if scaled => [tile_m / 64, tile_n / 64],
            _ => [suited.waves_m, suited.waves_n],
        };
        let sums_in_f32 = dtype.sum() == Elem::F32;
        let output = [None, None, Some(Elem::F16), Some(Elem::Bf16), Some(Elem::F32)][r.below(5) as usize];
        let activation = Activation::ALL[r.below(Activation::ALL.len() as u64) as usize].1;
        let params = GemmParams {
            tile_m,
            tile_n,
            output: output.filter(|_| sums_in_f32),
            mfma: if r.below(3) == 0 { 32 } else { 16 },
            stage_bytes: [suited.stage_bytes, 64, 128, 256][r.below(4) as usize],
            stages: [2, 2, 3, 4][r.below(4) as usize],
            early_a: r.below(2) == 0,
            direct: scaled || r.below(2) == 0,
            waves_m,
            waves_n,
            extras: Extras { bias: r.below(2) == 0, activation, ..suited.extras },
            schedule,
            order,
            split_k: if order == Order::Tiles { [1, 1, 2, 3][r.below(4) as usize] } else { 1 },
            workgroups: if r.below(2) == 0 { 0 } else { 1 + r.below(7) },
            xcd_chunk: [suited.xcd_chunk, 0, 1, 2][r.below(4) as usize],
            group_m: 1 + r.below(4),
            ..suited
        };
        Case { sku, params, problem, seed, unset_c: false }
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
        self.dispatch(made, &Config::default())
    }

    /// Runs a kernel under the watching engine, with `seed` deciding what is left to chance there; the errors it found
    /// come with the comparison.
    ///
    /// # Errors
    /// [`CaseError`] where there is nothing to compare.
    pub fn watch(&self, made: &Gemm, seed: u64) -> Result<(MatmulReport, Vec<Finding>), CaseError> {
        let (config, sink) = watching(seed);
        let report = self.dispatch(made, &config)?;
        Ok((report, sink.findings().into_iter().filter(|f| f.severity == Severity::Error).collect()))
    }

    /// Times a kernel on the case.
    ///
    /// # Errors
    /// [`CaseError`] where it does not run.
    pub fn time(&self, options: Options) -> Result<Report, CaseError> {
        let request = Arc::new(Request::new(options));
        self.dispatch(&gemm(&self.params, self.sku)?, &Config { timing: Some(request.clone()), ..Config::default() })?;
        request.take().pop().ok_or(CaseError::Untimed)
    }

    /// Runs a kernel as `config` says.
    ///
    /// # Errors
    /// [`CaseError`] where there is nothing to compare.
    pub fn dispatch(&self, made: &Gemm, config: &Config) -> Result<MatmulReport, CaseError> {
        let p = &self.problem;
        let dtype = self.params.dtype;
        let mut numbers = Numbers(self.seed);
        let batch = u64::from(p.batch);
        let inputs = [0, 1].map(|i: usize| {
            let count = p.stored(&self.params, i) * 8 / u64::from(dtype.input_bits(i));
            numbers.elements(dtype.inputs()[i], count)
        });
        let stored = p.stored(&self.params, 2);
        let mut c = numbers.elements(self.params.output(), stored / u64::from(self.params.output_bytes()));
        if self.unset_c {
            c.fill(0xff);
        }
        let bias = numbers.elements(dtype.sum(), p.n.into());
        let rows = [p.m, p.n];
        let blocks = if dtype.is_scaled() { u64::from(p.k / MX_BLOCK) } else { 0 };
        let scales = rows.map(|rows| numbers.scales(batch * u64::from(rows) * blocks));
        let packed = [0, 1].map(|i: usize| -> Vec<u8> {
            let one = (u64::from(rows[i]) * blocks).max(1) as usize;
            scales[i].chunks(one).flat_map(|s| p.pack_scales(i, s)).collect()
        });
        let runtime = Runtime::start(wavesmith_sim::table(&[self.sku]))?;
        let agent = &runtime.gpu_agents()[0];
        // An empty matrix still needs an address.
        let upload = |bytes: &[u8]| agent.upload(MemoryKind::Device, if bytes.is_empty() { &[0; 4] } else { bytes });
        let grid = made.grid(p);
        let matrices = [upload(&inputs[0])?, upload(&inputs[1])?, upload(&c)?];
        let others = [upload(&packed[0])?, upload(&packed[1])?, upload(&bias)?];
        // What the kernel reads before it writes there would be NaN.
        let workspace = upload(&vec![0xff; grid.workspace as usize])?;
        let counters = upload(&vec![0; 4 * grid.counters as usize])?;
        let kernargs = made.kernargs(
            p,
            &GemmBuffers {
                matrices: [0, 1, 2].map(|i: usize| matrices[i].address()),
                bias: others[2].address(),
                scales: [others[0].address(), others[1].address()],
                workspace: workspace.address(),
                counters: counters.address(),
            },
        );
        let kernel = agent.load(&made.object)?.kernel(KERNEL)?;
        let queue = agent.queue(64)?;
        wavesmith_sim::configure(queue.raw(), config).map_err(|_| CaseError::NoQueue)?;
        let workgroup = [made.workgroup_size() as u16, 1, 1];
        let geometry = Geometry { grid: [grid.workgroups * made.workgroup_size(), 1, 1], workgroup };
        finished(&queue, &Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs })?;
        let got = matrices[2].to_vec()?;
        let size = self.params.output_bytes() as usize;
        let stride = p.stride(&self.params, 2) as usize / size;
        let inside = |i: usize| {
            let (row, column) = (i % stride / p.ldc as usize, i % stride % p.ldc as usize);
            row < p.m as usize && column < p.n as usize
        };
        let mut elements = got.chunks(size).zip(c.chunks(size)).enumerate();
        if let Some((i, _)) = elements.find(|(i, (new, old))| new != old && !inside(*i)) {
            return Err(CaseError::Outside(i));
        }
        if let Some(i) = counters.to_vec()?.chunks(4).position(|c| c != [0; 4]) {
            return Err(CaseError::Counter(i));
        }
        let operands =
            Operands { inputs: [&inputs[0], &inputs[1]], scales: [&scales[0], &scales[1]], c: &c, bias: &bias };
        Ok(verify_matmul(made, p, &operands, &got))
    }
}

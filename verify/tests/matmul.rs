//! Generated GEMMs on the embedded device against the reference: every type, target, transposition and schedule, over
//! random shapes with their edges.

use proptest::prelude::*;
use std::time::Duration;
use wavesmith_asm::{Sku, Target};
use wavesmith_kernels::gemm::{
    Activation, Dtype, Extras, Gemm, GemmError, GemmParams, GemmProblem, KERNEL, Schedule, gemm,
};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};
use wavesmith_verify::matmul::{MatmulReport, Operands, verify_matmul};

const SKUS: [&str; 4] = ["mi100", "mi210", "mi300x", "mi355x"];

/// A small generator of numbers, so that a case is its seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    /// From −2 to 2 and away from zero, so that no type has to flush it.
    fn float(&mut self) -> f32 {
        let x = (self.next() % 4096) as f32 / 2048.0 + 2f32.powi(-6);
        if self.next().is_multiple_of(2) { x } else { -x }
    }

    fn element(&mut self, dtype: Dtype, out: &mut Vec<u8>) {
        match dtype {
            Dtype::F16 | Dtype::F16F32 => out.extend(half::f16::from_f32(self.float()).to_le_bytes()),
            Dtype::Bf16 => out.extend(half::bf16::from_f32(self.float()).to_le_bytes()),
            Dtype::F32 | Dtype::Xf32 => out.extend(self.float().to_le_bytes()),
            Dtype::F64 => out.extend(f64::from(self.float()).to_le_bytes()),
            Dtype::I8 => out.push(self.next() as u8),
            // Exponents in the middle, where both kinds are finite.
            Dtype::Fp8 => out.push((self.next() % 0x30 + 0x18) as u8 | (self.next() as u8 & 0x80)),
            Dtype::Bf8 => out.push((self.next() % 0x18 + 0x2c) as u8 | (self.next() as u8 & 0x80)),
        }
    }

    fn result(&mut self, dtype: Dtype, out: &mut Vec<u8>) {
        match dtype {
            Dtype::I8 => out.extend(((self.next() % 2000) as i32 - 1000).to_le_bytes()),
            Dtype::F16 | Dtype::Bf16 | Dtype::F64 => self.element(dtype, out),
            _ => out.extend(self.float().to_le_bytes()),
        }
    }
}

/// Runs one problem on the embedded device and compares.
fn check(sku: &'static Sku, made: &Gemm, p: &GemmProblem, seed: u64) -> MatmulReport {
    let (dtype, trans) = (made.params.dtype, [made.params.trans_a, made.params.trans_b]);
    let sizes = p.sizes(dtype, trans);
    let mut numbers = Numbers(seed);
    let mut fill = |bytes: u64, size: u32, f: fn(&mut Numbers, Dtype, &mut Vec<u8>)| {
        let mut out = Vec::new();
        (0..bytes / u64::from(size)).for_each(|_| f(&mut numbers, dtype, &mut out));
        out
    };
    let batch = u64::from(p.batch);
    let a = fill(sizes[0] * batch, dtype.input_bytes(), Numbers::element);
    let b = fill(sizes[1] * batch, dtype.input_bytes(), Numbers::element);
    let c = fill(sizes[2] * batch, dtype.output_bytes(), Numbers::result);
    let bias_size = if dtype == Dtype::F64 { 8 } else { 4 };
    let mut bias = Vec::new();
    for _ in 0..p.n {
        match dtype {
            Dtype::I8 => numbers.result(dtype, &mut bias),
            Dtype::F64 => numbers.element(dtype, &mut bias),
            _ => numbers.element(Dtype::F32, &mut bias),
        }
    }
    assert_eq!(bias.len(), p.n as usize * bias_size);

    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).unwrap();
    let agent = &runtime.gpu_agents()[0];
    let upload =
        |bytes: &[u8]| agent.upload(MemoryKind::Device, if bytes.is_empty() { &[0; 4] } else { bytes }).unwrap();
    let buffers = [upload(&a), upload(&b), upload(&c), upload(&bias)];
    let kernargs = p.kernargs(dtype, trans, [0, 1, 2, 3].map(|i: usize| buffers[i].address()));
    let kernel = agent.load(&made.object).unwrap().kernel(KERNEL).unwrap();
    let queue = agent.queue(64).unwrap();
    let workgroup = [made.workgroup_size() as u16, 1, 1];
    let geometry = Geometry::of_workgroups(made.workgroups(p.m, p.n, p.batch), workgroup).unwrap();
    let pending = queue.launch(&Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs }).unwrap();
    if let Err(e) = pending.wait(Duration::from_secs(60)) {
        panic!("{e}\n{:?}", wavesmith_sim::last_fault(queue.raw()));
    }
    let got = buffers[2].to_vec().unwrap();
    // What lies between the rows of C is nobody's to write.
    let (ld, size) = (p.ldc as usize, dtype.output_bytes() as usize);
    for (i, (new, old)) in got.chunks(size).zip(c.chunks(size)).enumerate() {
        assert!(i % ld < p.n as usize || new == old, "element {i} lies outside C");
    }
    let operands = Operands { a: &a, b: &b, c: &c, bias: &bias };
    verify_matmul(dtype, sku.target, trans, made.params.extras, p, operands, &got)
}

fn problem(m: u32, n: u32, k: u32) -> GemmProblem {
    GemmProblem { m, n, k, batch: 1, lda: k, ldb: n, ldc: n, alpha: 1.0, beta: 0.0 }
}

/// A problem with leading dimensions that fit the transpositions.
fn fitted(mut p: GemmProblem, trans: [bool; 2], extra: [u32; 3]) -> GemmProblem {
    p.lda = if trans[0] { p.m } else { p.k } + extra[0];
    p.ldb = if trans[1] { p.k } else { p.n } + extra[1];
    p.ldc = p.n + extra[2];
    p
}

fn small(dtype: Dtype, trans: [bool; 2], p: &GemmProblem) -> GemmParams {
    GemmParams { tile_m: 64, tile_n: 64, ..GemmParams::suited(dtype, trans[0], trans[1], p) }
}

#[test]
fn every_type_multiplies_on_every_target_that_has_it() {
    let mut done = 0;
    for name in SKUS {
        let sku = Sku::named(name).unwrap();
        for dtype in Dtype::ALL {
            let p = fitted(problem(70, 66, 100), [false, true], [0; 3]);
            let made = match gemm(&small(dtype, [false, true], &p), sku) {
                Ok(made) => made,
                Err(GemmError::NoInstruction { .. }) => continue,
                Err(e) => panic!("{name} {dtype:?}: {e}"),
            };
            let report = check(sku, &made, &p, 7);
            assert_eq!(report.compared, 70 * 66);
            assert!(report.mismatches.is_empty(), "{name} {dtype:?}: {report:?}");
            done += 1;
        }
    }
    assert!(done >= 26, "only {done} combinations exist");
}

#[test]
fn every_transposition_and_schedule_gives_the_same_product() {
    let sku = Sku::named("mi300x").unwrap();
    for trans in [[false, false], [false, true], [true, false], [true, true]] {
        let p = fitted(problem(65, 130, 97), trans, [3, 0, 5]);
        let mut results = Vec::new();
        for schedule in [Schedule::Plain, Schedule::Interleave { mfma_per_read: 1, mfma_per_load: 2 }, Schedule::List] {
            let params = GemmParams { schedule, stage_bytes: 128, ..small(Dtype::F16F32, trans, &p) };
            let made = gemm(&params, sku).unwrap();
            let report = check(sku, &made, &p, 3);
            assert!(report.mismatches.is_empty(), "{trans:?} {schedule:?}: {report:?}");
            results.push(report.worst.to_bits());
        }
        // The order of issue is not the order of addition: results are the same bits.
        assert!(results.iter().all(|r| *r == results[0]));
    }
}

#[test]
fn factors_bias_activation_and_batches_are_applied() {
    for (name, dtype) in [("mi300x", Dtype::F16), ("mi300x", Dtype::Bf16), ("mi210", Dtype::F64), ("mi355x", Dtype::I8)]
    {
        let sku = Sku::named(name).unwrap();
        let mut p = fitted(problem(33, 70, 50), [false, false], [2, 1, 3]);
        (p.batch, p.alpha, p.beta) = (3, 0.75, -1.5);
        let extras = Extras { beta: true, bias: true, activation: Activation::Relu };
        let params = GemmParams { extras, ..small(dtype, [false, false], &p) };
        let report = check(sku, &gemm(&params, sku).unwrap(), &p, 11);
        assert!(report.mismatches.is_empty(), "{name} {dtype:?}: {report:?}");
    }
}

#[test]
fn no_products_leave_only_the_rest() {
    let sku = Sku::named("mi300x").unwrap();
    let mut p = fitted(problem(20, 20, 0), [false, true], [8, 8, 0]);
    p.beta = 2.0;
    let params = small(Dtype::F32, [false, true], &p);
    let report = check(sku, &gemm(&params, sku).unwrap(), &p, 1);
    assert!(report.mismatches.is_empty(), "{report:?}");
}

#[test]
fn all_parts_have_a_kernel_and_what_does_not_fit_is_named() {
    for sku in wavesmith_asm::sku::SKUS {
        let p = problem(4096, 4096, 4096);
        let params = GemmParams::suited(Dtype::F16, false, true, &p);
        assert!(gemm(&params, sku).is_ok(), "{}", sku.name);
    }
    let params = GemmParams::suited(Dtype::F16, false, true, &problem(64, 64, 64));
    let mi100 = Sku::named("mi100").unwrap();
    assert!(matches!(
        gemm(&GemmParams { dtype: Dtype::F64, ..params }, mi100),
        Err(GemmError::NoInstruction { target: Target::Gfx908, .. })
    ));
    assert!(matches!(
        gemm(&GemmParams { tile_m: 48, ..params }, mi100),
        Err(GemmError::Parameter { name: "tile_m", .. })
    ));
    let large = GemmParams { tile_m: 256, tile_n: 256, stage_bytes: 256, ..params };
    assert!(matches!(gemm(&large, mi100), Err(GemmError::Lds { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_shapes_agree_with_the_reference(
        (m, n, k) in (1u32..150, 1u32..150, 1u32..200),
        extra in [0u32..4, 0u32..4, 0u32..4],
        trans in any::<[bool; 2]>(),
        dtype in 0..Dtype::ALL.len(),
        sku in 0..SKUS.len(),
        wide in any::<bool>(),
        stage in 0u32..2,
        seed in any::<u64>(),
    ) {
        let (dtype, sku) = (Dtype::ALL[dtype], Sku::named(SKUS[sku]).unwrap());
        let p = fitted(problem(m, n, k), trans, extra);
        let params = GemmParams { mfma: if wide { 32 } else { 16 }, stage_bytes: 64 << stage, ..small(dtype, trans, &p) };
        match gemm(&params, sku) {
            Ok(made) => {
                let report = check(sku, &made, &p, seed);
                prop_assert!(report.mismatches.is_empty(), "{:?}: {:?}", params, report);
                prop_assert_eq!(report.compared, u64::from(m) * u64::from(n));
            }
            Err(GemmError::NoInstruction { .. }) => {}
            Err(e) => prop_assert!(false, "{}", e),
        }
    }
}

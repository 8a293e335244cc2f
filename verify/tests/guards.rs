//! What a generated kernel takes for granted of its arguments is checked when it runs: a launch that it is not for ends with a
//! reason, and every other one gives the right results.

use proptest::prelude::*;
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Sku, Target};
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_kernels::attention::AttentionParams;
use wavesmith_kernels::gemm::{Dtype, Gemm, GemmBuffers, GemmParams, GemmProblem, KERNEL, Mx, Order, gemm};
use wavesmith_kernels::rows::RowKernel;
use wavesmith_loader::{Geometry, Launch, Runtime};
use wavesmith_sim::{Config, EngineKind, FaultKind};
use wavesmith_verify::matmul_cases::{Case, CaseError, fitted};

const SKUS: [&str; 4] = ["mi100", "mi210", "mi300x", "mi355x"];
const DTYPES: [Dtype; 6] = [Dtype::F16, Dtype::F32, Dtype::I8, Dtype::Fp8, Dtype::F64, Dtype::Mx(Mx::Fp6, Mx::Fp4)];
const ENGINES: [EngineKind; 3] = [EngineKind::Jit, EngineKind::Interp, EngineKind::Checked];

/// Bytes that a kernel loads at a time from the matrix of a side, where its rows run along K.
fn piece(params: &GemmParams, side: usize, target: Target) -> u32 {
    match (params.direct, params.load_bytes) {
        _ if params.dtype.input_bits(side) == 6 => 24,
        (true, 16) if target == Target::Gfx950 => 16,
        (true, 4..) => 4,
        (_, bytes) => bytes,
    }
}

/// Whether a kernel is for a problem: pieces of rows are all inside K or all outside, and lie at whole dwords.
fn suits(params: &GemmParams, p: &GemmProblem, target: Target) -> bool {
    let along = [!params.trans_a, params.trans_b];
    (0..2).filter(|side| along[*side]).all(|side| {
        let (bits, piece) = (params.dtype.input_bits(side), piece(params, side, target));
        let (ld, stride) = ([p.lda, p.ldb][side], p.stride(params, side));
        let dword = piece.min(4).max(bits / 8);
        (p.k * bits).is_multiple_of(8 * piece)
            && (ld * bits).is_multiple_of(8 * dword)
            && stride.is_multiple_of(dword.into())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_kernel_gives_right_results_or_says_what_it_is_not_for(
        sku in 0..SKUS.len(),
        dtype in 0..DTYPES.len(),
        trans in any::<[bool; 2]>(),
        [m, n, k] in [1..70u32, 1..70, 1..140],
        more in [0..9u32, 0..9, 0..5],
        gaps in [0..2u64, 0..9, 0..9],
        (load_bytes, direct) in (0..5u32, any::<bool>()),
    ) {
        let sku = Sku::named(SKUS[sku]).unwrap();
        let dtype = DTYPES[dtype];
        let scaled = dtype.is_scaled();
        let trans = if scaled { [false, true] } else { trans };
        let k = if scaled { k.next_multiple_of(32) } else { k };
        // 4 and 6 bits fill bytes.
        let more = if scaled { [more[0] * 4, more[1] * 2, more[2]] } else { more };
        let p = GemmProblem { m, n, k, batch: 2, lda: 0, ldb: 0, ldc: 0, alpha: 1.0, beta: 0.0, strides: [None; 3] };
        let mut p = fitted(p, trans, more);
        let suited = GemmParams::suited(dtype, trans[0], trans[1], &p, sku);
        let least = dtype.input_bits(0).max(dtype.input_bits(1)).div_ceil(8).next_power_of_two();
        let params = GemmParams { load_bytes: (1 << load_bytes).max(least), direct: scaled || direct, ..suited };
        if gaps[0] == 1 {
            let element = u64::from(dtype.input_bits(0).div_ceil(8));
            p.strides = [0, 1, 2].map(|i| (i < 2).then(|| p.sizes(&params)[i].next_multiple_of(element) + element * gaps[i + 1 - i / 2]));
        }
        let Ok(made) = gemm(&params, sku) else { return Ok(()) };
        let case = Case { sku, params, problem: p, seed: u64::from(k), unset_c: false };
        match (case.run_with(&made), suits(&params, &p, sku.target)) {
            (Ok(report), true) => prop_assert!(report.mismatches.is_empty(), "{} {:?}: {:?}", params, p, report),
            (Err(CaseError::Fault(fault)), false) => {
                prop_assert_eq!(fault.kind, FaultKind::Trap);
                let said = ["k must be", "stride_a must be", "stride_b must be"].iter().any(|s| fault.message.contains(s));
                prop_assert!(said, "{}", fault.message);
            }
            (other, suits) => prop_assert!(false, "{} {:?}: {:?}, suits: {}", params, p, other, suits),
        }
    }
}

/// Launches a workgroup, and gives what the device says of its end.
fn refusal(sku: &'static Sku, object: &[u8], name: &str, items: u32, kernargs: &[u8], engine: EngineKind) -> String {
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).unwrap();
    let agent = &runtime.gpu_agents()[0];
    let kernel = agent.load(object).unwrap().kernel(name).unwrap();
    let queue = agent.queue(64).unwrap();
    wavesmith_sim::configure(queue.raw(), &Config { engine, ..Config::default() }).unwrap();
    let geometry = Geometry { grid: [items, 1, 1], workgroup: [items as u16, 1, 1] };
    let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs };
    match queue.launch(&launch).unwrap().wait(std::time::Duration::from_secs(60)) {
        Ok(()) => String::new(),
        Err(_) => wavesmith_sim::last_fault(queue.raw()).unwrap().to_string(),
    }
}

/// What a GEMM says of a problem whose arguments are filled in for other parameters.
fn gemm_refusal(made: &Gemm, as_if: &GemmParams, p: &GemmProblem, engine: EngineKind) -> String {
    let other = Gemm { params: *as_if, ..made.clone() };
    let kernargs = other.kernargs(p, &GemmBuffers::default());
    refusal(made.sku, &made.object, KERNEL, made.workgroup_size(), &kernargs, engine)
}

#[test]
fn every_refusal_of_a_gemm_names_the_argument_under_every_engine() {
    let sku = Sku::named("mi355x").unwrap();
    let p = GemmProblem::dense([300, 300, 256], [false, true]);
    let suited = GemmParams::suited(Dtype::Bf16, false, true, &p, sku);
    let split = GemmParams { split_k: 3, ..suited };
    for engine in ENGINES {
        let says = |params: &GemmParams, as_if: &GemmParams, p: GemmProblem, what: &str| {
            let made = gemm(params, sku).unwrap();
            let fault = gemm_refusal(&made, as_if, &p, engine);
            assert!(
                fault.contains("was not generated for these arguments") && fault.contains(what),
                "{what}: {fault:?}"
            );
        };
        says(&suited, &suited, GemmProblem { k: 250, ..p }, "k must be a multiple of 8");
        says(&suited, &suited, GemmProblem { lda: 257, ..p }, "lda of 2 elements");
        says(
            &suited,
            &suited,
            GemmProblem { strides: [None, Some(6), None], ..p },
            "stride_b must be multiples of 4 bytes",
        );
        says(&suited, &suited, GemmProblem { ldc: 1 << 29, ..p }, "ldc below 2^");
        says(&suited, &suited, GemmProblem { ldb: 1 << 24, ..p }, "ldb below 2^");
        says(&suited, &suited, GemmProblem { k: 1 << 27, ..p }, "k must be below 2^27");
        says(&suited, &GemmParams { tile_m: 64, ..suited }, p, "tiles_m must be ⌈m / 128⌉");
        says(&suited, &GemmParams { tile_n: 256, ..suited }, p, "tiles_n ⌈n / 128⌉");
        says(&split, &GemmParams { split_k: 2, ..split }, p, "share ⌊per_tile / 3⌋");
    }
}

#[test]
fn launches_of_nothing_do_nothing() {
    let sku = Sku::named("mi300x").unwrap();
    let p = GemmProblem::dense([64, 64, 64], [false, true]);
    let params = GemmParams::suited(Dtype::F16, false, true, &p, sku);
    for order in [Order::Tiles, Order::Persistent, Order::StreamK] {
        let params = GemmParams { order, ..params };
        let made = gemm(&params, sku).unwrap();
        for empty in [GemmProblem { m: 0, ..p }, GemmProblem { n: 0, ..p }] {
            // There is nothing behind any of the addresses.
            assert_eq!(gemm_refusal(&made, &params, &empty, EngineKind::Jit), "");
        }
    }
}

#[test]
fn rows_that_offsets_cannot_reach_are_refused() {
    let sku = Sku::named("mi300x").unwrap();
    let attention = AttentionParams { head_dim: 64, causal: false, elem: Elem::F16 };
    let kernels = [
        (RowKernel::Softmax { rows: 1, columns: 1 << 29 }, "columns must be below 2^29"),
        (
            RowKernel::Attention { params: attention, heads: 1, queries: 1 << 23, keys: 1 },
            "queries and keys must be below",
        ),
        (
            RowKernel::Attention { params: attention, heads: 1, queries: 1, keys: 1 << 23 },
            "queries and keys must be below",
        ),
    ];
    for (kernel, what) in kernels {
        let object = pack(&[kernel.generate(sku).unwrap()], &PackOptions::default()).unwrap();
        let kernargs = kernel.kernargs(&[], 0);
        let [_, items] = kernel.geometry();
        for engine in ENGINES {
            let fault = refusal(sku, &object, kernel.name(), items[0], &kernargs, engine);
            assert!(fault.contains(what), "{fault:?}");
        }
    }
}

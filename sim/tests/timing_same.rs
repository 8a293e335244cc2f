//! What timing must not depend on, and what it must leave behind: the same times whatever the host offers, the same memory
//! as the functional engine leaves.

use std::sync::Arc;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_kernels::gemm::{Dtype, GemmBuffers, GemmParams, GemmProblem, KERNEL, Order, gemm};
use wavesmith_loader::{Buffer, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::engine::lanes::Level;
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, EngineKind};

/// A product with ragged edges, its parts summed through memory if `split`: what C holds then, and the report if timed.
fn product(sku: &str, dtype: Dtype, split: bool, config: &Config) -> (Vec<u8>, Option<Report>) {
    let sku = Sku::named(sku).expect("known part");
    let [m, n, k] = [200, 152, 320];
    let problem = GemmProblem::dense([m, n, k], [false, true]);
    let mut params = GemmParams::suited(dtype, false, true, &problem, sku);
    if split {
        (params.order, params.split_k) = (Order::Tiles, 3);
    }
    let gemm = gemm(&params, sku).expect("generates");
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).expect("starts");
    let agent = runtime.gpu_agents()[0].clone();
    let executable = agent.load(&gemm.object).expect("loads");
    let kernel = executable.kernel(KERNEL).expect("kernel");
    let grid = gemm.grid(&problem);
    let small: Vec<u8> = (0..2 * m * k).flat_map(|i| (0x3c00 + (i * 7 % 61) as u16).to_le_bytes()).collect();
    let upload = |bytes: &[u8]| agent.upload(MemoryKind::Device, bytes).expect("uploads");
    let zeroed = |bytes: u64| upload(&vec![0; (bytes as usize).max(64)]);
    let [a, b]: [Buffer; 2] = [upload(&small), upload(&small)];
    let (c, workspace, counters) =
        (zeroed(4 * u64::from(m * n)), zeroed(grid.workspace), zeroed(4 * u64::from(grid.counters)));
    let buffers = GemmBuffers {
        matrices: [a.address(), b.address(), c.address()],
        workspace: workspace.address(),
        counters: counters.address(),
        ..GemmBuffers::default()
    };
    let kernargs = gemm.kernargs(&problem, &buffers);
    let queue = agent.queue(64).expect("queue");
    wavesmith_sim::configure(queue.raw(), config).expect("configures");
    let geometry =
        Geometry::of_workgroups([grid.workgroups, 1, 1], [gemm.workgroup_size() as u16, 1, 1]).expect("geometry");
    let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs };
    queue.launch(&launch).expect("launches").wait(Duration::from_secs(100)).expect("ends");
    let mut out = vec![0; 4 * (m * n) as usize];
    c.read(0, &mut out).expect("reads");
    (out, config.timing.as_ref().and_then(|t| t.take().pop()))
}

fn timed(full: bool) -> Config {
    let options = Options { full, skip_matrix: !full, ..Options::default() };
    Config { timing: Some(Arc::new(Request::new(options))), ..Config::default() }
}

const CASES: [(&str, Dtype, bool); 4] = [
    ("mi300x", Dtype::Bf16, false),
    ("mi300x", Dtype::F16, true),
    ("mi355x", Dtype::Bf16, false),
    ("mi210", Dtype::F16, false),
];

#[test]
fn products_leave_the_same_bits_in_memory_timed_or_not() {
    for (sku, dtype, split) in CASES {
        let (plain, none) = product(sku, dtype, split, &Config::default());
        let config = timed(true);
        let (full, report) = product(sku, dtype, split, &config);
        assert!(config.timing.is_some_and(|t| t.issued() > 0), "{sku}: no progress was told");
        assert!(none.is_none() && report.is_some_and(|r| r.sampling.whole()));
        assert!(plain.iter().any(|b| *b != 0), "{sku}: something is computed");
        assert!(plain == full, "{sku} {dtype:?} split {split}: memory differs");
    }
}

#[test]
fn times_depend_neither_on_threads_nor_on_the_host_nor_on_the_run() {
    let told = |config: Config, (sku, dtype, split): (&str, Dtype, bool)| {
        let mut report = product(sku, dtype, split, &config).1.expect("a report");
        // The code's addresses are the host's: what counts is where in the code.
        let entry = report.lines.iter().map(|l| l.pc).min().unwrap_or(0);
        report.lines.iter_mut().for_each(|l| l.pc -= entry);
        format!("{report:?}")
    };
    for case in CASES {
        let first = told(timed(false), case);
        let configs = [
            timed(false),
            Config { threads: 1, ..timed(false) },
            Config { threads: 7, ..timed(false) },
            Config { level: Some(Level::Plain), ..timed(false) },
            Config { engine: EngineKind::Interp, ..timed(false) },
        ];
        for (i, config) in configs.into_iter().enumerate() {
            let again = told(config, case);
            assert!(first == again, "{case:?}, way {i}: the report differs");
        }
    }
}

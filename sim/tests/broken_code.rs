//! Kernels whose code or descriptor was damaged: the device executes them to an end or a fault, and neither itself nor
//! the process comes to harm.

#[path = "../../loader/tests/corpus/mod.rs"]
mod corpus;

use proptest::prelude::*;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;
use wavesmith_loader::code_object::{CodeObject, KernelDescriptor};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::{Config, FaultKind, configure, last_fault};

/// Objects of other compilers, with where the descriptor and the code of a kernel are.
struct Seed {
    bytes: Vec<u8>,
    kernel: String,
    sku: &'static Sku,
    descriptor: usize,
    code: std::ops::Range<usize>,
}

fn seeds() -> Vec<Seed> {
    let mut all = Vec::new();
    let folder = corpus::shared("clang");
    for path in folder.iter().flat_map(|f| std::fs::read_dir(f).into_iter().flatten().flatten()).map(|e| e.path()) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok(object) = CodeObject::parse(&bytes) else { continue };
        let Some(sku) = SKUS.iter().find(|s| s.target == object.target) else { continue };
        for kernel in &object.kernels {
            let descriptor = object.file_range(kernel.descriptor_vaddr, KernelDescriptor::SIZE as u64);
            let code = object.file_range(kernel.entry_vaddr, kernel.code_size);
            if let (Some(descriptor), Some(code)) = (descriptor, code) {
                let (kernel, descriptor) = (kernel.name.clone(), descriptor.start);
                all.push(Seed { bytes: bytes.clone(), kernel, sku, descriptor, code });
            }
        }
    }
    all.sort_by(|a, b| (a.sku.name, &a.kernel, &a.bytes).cmp(&(b.sku.name, &b.kernel, &b.bytes)));
    all
}

/// Runs a kernel on arguments that are all addresses of one buffer.
fn run(seed: &Seed, bytes: &[u8]) -> Result<(), TestCaseError> {
    let runtime = Runtime::start(wavesmith_sim::table(&[seed.sku])).expect("starts");
    let agent = &runtime.gpu_agents()[0];
    // What the loader refuses was not to be run.
    let Ok(executable) = agent.load(bytes) else { return Ok(()) };
    let Ok(kernel) = executable.kernel(&seed.kernel) else { return Ok(()) };
    let buffer = agent.upload(MemoryKind::Device, &[1; 1 << 16]).expect("uploads");
    let kernargs: Vec<u8> = (0..64).flat_map(|_| buffer.address().to_le_bytes()).collect();
    let queue = agent.queue(64).expect("queue");
    configure(queue.raw(), &Config { max_instructions: Some(20_000), ..Config::default() }).expect("configures");
    let geometry = Geometry { grid: [128, 1, 1], workgroup: [128, 1, 1] };
    let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs };
    let Ok(pending) = queue.launch(&launch) else { return Ok(()) };
    if pending.wait(Duration::from_secs(60)).is_err() {
        let fault = last_fault(queue.raw()).expect("a fault");
        prop_assert!(!fault.message.contains("defect of wavesmith"), "{}: {fault}", seed.kernel);
        prop_assert!(fault.kind != FaultKind::Check, "{fault}");
    }
    Ok(())
}

proptest! {
    // 256, or as many as PROPTEST_CASES says.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_kernels_end_or_fault(
        pick in any::<prop::sample::Index>(),
        code in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        descriptor in prop::option::of((0_usize..KernelDescriptor::SIZE, any::<u8>())),
    ) {
        thread_local!(static SEEDS: Vec<Seed> = seeds());
        SEEDS.with(|seeds| {
            if seeds.is_empty() {
                return Ok(());
            }
            let seed = pick.get(seeds);
            let mut bytes = seed.bytes.clone();
            for (at, value) in code {
                bytes[seed.code.start + at.index(seed.code.len())] = value;
            }
            if let Some((at, value)) = descriptor {
                bytes[seed.descriptor + at] = value;
            }
            run(seed, &bytes)
        })?;
    }
}

//! The embedded device's HSA side through the loader's safe runtime, with an engine that does what the kernel
//! arguments say instead of executing instructions.

// The engine trait returns the fault itself: once a dispatch, its size costs nothing.
#![allow(clippy::result_large_err)]

#[path = "../../loader/tests/corpus/mod.rs"]
mod corpus;
#[path = "../../loader/tests/minimal/mod.rs"]
mod minimal;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use wavesmith_asm::sku::SKUS;
use wavesmith_asm::{Sku, Target};
use wavesmith_loader::code_object::CodeObject;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::{Agent, Buffer, Geometry, Kernel, Launch, MemoryKind, Pending, Queue, Runtime, RuntimeError};
use wavesmith_sim::hsa::table_with_engine;
use wavesmith_sim::{Config, Dispatch, Fault, FaultKind, Memory, Stats, last_fault};

const LONG: Duration = Duration::from_secs(20);

/// Store `value` at `address`.
const STORE: u64 = 0;
/// Poll until the dword at `address` is `value`, then store `value + 1` there.
const AWAIT: u64 = 1;
/// Panic.
const PANIC: u64 = 2;
/// Multiply the dword at `address` by 3 and add `value`: order matters.
const MIX: u64 = 3;

/// Kernel arguments: what to do, where, with what.
fn engine(dispatch: &Dispatch, memory: &Memory, config: &Config) -> Result<Stats, Fault> {
    let mut view = memory.view(dispatch.agent);
    let fault = |address, e: wavesmith_sim::memory::BadAccess| Fault {
        address: Some(address),
        workgroup: Some([0; 3]),
        ..Fault::new(FaultKind::Memory, dispatch.kernel.clone(), e.to_string())
    };
    let args = view.resolve(dispatch.kernarg_va, 24).map_err(|e| fault(dispatch.kernarg_va, e))?;
    // SAFETY: resolved.
    let [what, address, value] = unsafe { args.cast::<[u64; 3]>().read() };
    if what == PANIC {
        panic!("asked to");
    }
    let pointer = view.resolve(address, 4).map_err(|e| fault(address, e))?;
    // SAFETY: resolved, and the tests pass aligned addresses.
    let cell = unsafe { AtomicU32::from_ptr(pointer.cast()) };
    match what {
        STORE => cell.store(value as u32, Ordering::Release),
        MIX => {
            let old = cell.load(Ordering::Acquire);
            cell.store(old.wrapping_mul(3).wrapping_add(value as u32), Ordering::Release);
        }
        _ => {
            while cell.load(Ordering::Acquire) != value as u32 {
                if config.stop.requested() {
                    return Err(Fault::new(FaultKind::Stall, dispatch.kernel.clone(), "stopped"));
                }
                std::thread::yield_now();
            }
            cell.store(value as u32 + 1, Ordering::Release);
        }
    }
    Ok(Stats { wave_instructions: 7, ..Stats::default() })
}

fn runtime(names: &[&str]) -> Runtime {
    let skus: Vec<&'static Sku> = names.iter().map(|n| Sku::named(n).expect("known SKU")).collect();
    Runtime::start(table_with_engine(&skus, engine)).expect("the embedded device starts")
}

struct Device {
    agent: Agent,
    queue: Queue,
    kernel: Kernel,
}

impl Device {
    fn of(agent: &Agent) -> Device {
        let kernel = agent.load(&minimal::object()).expect("loads").kernel("k").expect("kernel");
        Device { agent: agent.clone(), queue: agent.queue(64).expect("queue"), kernel }
    }

    fn new() -> Device {
        Device::of(&runtime(&["mi300x"]).gpu_agents()[0])
    }

    fn launch(&self, what: u64, address: u64, value: u64) -> Pending {
        let kernargs: Vec<u8> = [what, address, value].into_iter().flat_map(u64::to_le_bytes).collect();
        let geometry = Geometry { grid: [64, 1, 1], workgroup: [64, 1, 1] };
        let launch = Launch { kernel: &self.kernel, geometry, dynamic_lds: 0, kernargs: &kernargs };
        self.queue.launch(&launch).expect("launches")
    }

    fn host(&self) -> Buffer {
        self.agent.allocate(MemoryKind::Host, 64).expect("allocates")
    }
}

#[test]
fn every_sku_is_recognised_from_what_its_agent_says() {
    for sku in SKUS {
        let runtime = runtime(&[sku.name]);
        let [agent] = runtime.gpu_agents() else { panic!("one agent") };
        assert_eq!(agent.sku().map(|s| s.name), Some(sku.name));
        assert_eq!((agent.compute_units(), agent.xccs()), (sku.cus, Some(sku.xcds)));
        assert_eq!(agent.isa(), format!("amdgcn-amd-amdhsa--{}:sramecc+:xnack-", sku.target));
        assert_eq!((agent.name(), agent.product()), (sku.target.name(), sku.product));
    }
}

#[test]
fn a_kernel_has_the_sizes_of_its_descriptor() {
    let device = Device::new();
    let k = &device.kernel;
    assert_eq!((k.kernarg_size(), k.group_size(), k.private_size()), (24, 1024, 16));
}

#[test]
fn an_unknown_kernel_is_answered_with_the_known_ones() {
    let agent = Device::new().agent;
    let error = agent.load(&minimal::object()).expect("loads").kernel("nope").expect_err("must fail");
    assert_eq!(error, RuntimeError::UnknownKernel { name: "nope".to_owned(), kernels: vec!["k".to_owned()] });
}

#[test]
fn packets_of_a_queue_run_in_order_past_the_end_of_the_ring() {
    let device = Device::new();
    let buffer = device.agent.upload(MemoryKind::Device, &1_u32.to_le_bytes()).expect("uploads");
    let mut want = 1_u32;
    let mut last = None;
    for i in 0..500_u32 {
        last = Some(device.launch(MIX, buffer.address(), i.into()));
        want = want.wrapping_mul(3).wrapping_add(i);
    }
    last.expect("launched").wait(LONG).expect("ends");
    let mut bytes = [0; 4];
    buffer.read(0, &mut bytes).expect("reads");
    assert_eq!(u32::from_le_bytes(bytes), want);
}

#[test]
fn a_finished_dispatch_has_times_and_statistics() {
    let device = Device::new();
    let buffer = device.host();
    let pending = device.launch(STORE, buffer.address(), 5);
    pending.wait(LONG).expect("ends");
    assert!(pending.is_done().expect("no fault"));
    assert!(pending.times().expect("times").duration < LONG);
    assert_eq!(wavesmith_sim::last_stats(device.queue.raw()).map(|s| s.wave_instructions), Some(7));
    assert_eq!(buffer.load_u32(0), Ok(5));
}

#[test]
fn host_and_kernel_talk_through_fine_grained_memory_while_the_kernel_runs() {
    let device = Device::new();
    let buffer = device.host();
    let pending = device.launch(AWAIT, buffer.address(), 41);
    assert!(matches!(pending.wait(Duration::from_millis(20)), Err(RuntimeError::Timeout { .. })));
    assert!(!pending.is_done().expect("no fault"));
    buffer.store_u32(0, 41).expect("stores");
    let begin = Instant::now();
    while buffer.load_u32(0) != Ok(42) {
        assert!(begin.elapsed() < LONG, "the kernel does not answer");
        std::thread::yield_now();
    }
    pending.wait(LONG).expect("ends");
}

#[test]
fn queues_run_beside_each_other() {
    let waiter = Device::new();
    let teller = Device::of(&waiter.agent);
    let buffer = waiter.host();
    let waiting = waiter.launch(AWAIT, buffer.address(), 9);
    teller.launch(STORE, buffer.address(), 9).wait(LONG).expect("ends");
    waiting.wait(LONG).expect("ends");
    assert_eq!(buffer.load_u32(0), Ok(10));
}

#[test]
fn a_bad_address_stops_the_queue_with_a_status_and_the_whole_story() {
    let device = Device::new();
    let pending = device.launch(STORE, 0x10, 0);
    let error = pending.wait(LONG).expect_err("must fail");
    assert_eq!(error, RuntimeError::QueueFault { kernel: "k".to_owned(), status: Status::MEMORY_FAULT });
    let fault = last_fault(device.queue.raw()).expect("a fault");
    assert_eq!((fault.kind, fault.address), (FaultKind::Memory, Some(0x10)));
    assert_eq!(fault.to_string(), "kernel `k`, workgroup (0, 0, 0), address 0x10: nothing is mapped at 0x10");
    // The queue is dead, the agent is not.
    assert_eq!(device.queue.error(), Some(Status::MEMORY_FAULT));
    let fresh = Device::of(&device.agent);
    let buffer = fresh.host();
    fresh.launch(STORE, buffer.address(), 3).wait(LONG).expect("ends");
}

#[test]
fn an_overrun_names_the_allocation_it_left() {
    let device = Device::new();
    let buffer = device.agent.allocate(MemoryKind::Device, 4096).expect("allocates");
    device.launch(STORE, buffer.address() + 4096, 0).wait(LONG).expect_err("must fail");
    let text = last_fault(device.queue.raw()).expect("a fault").to_string();
    assert!(text.contains(&format!("4096 bytes at {:#x}", buffer.address())), "{text}");
}

#[test]
fn a_peer_needs_access_before_it_may_touch_memory() {
    let runtime = runtime(&["mi300x", "mi300x"]);
    let [first, second] = runtime.gpu_agents() else { panic!("two agents") };
    assert_ne!(first.handle(), second.handle());
    let buffer = first.allocate(MemoryKind::Device, 64).expect("allocates");
    let stranger = Device::of(second);
    stranger.launch(STORE, buffer.address(), 1).wait(LONG).expect_err("must fail");
    let text = last_fault(stranger.queue.raw()).expect("a fault").to_string();
    assert!(text.contains("hsa_amd_agents_allow_access"), "{text}");
    buffer.allow(&[first, second]).expect("allows");
    Device::of(second).launch(STORE, buffer.address(), 1).wait(LONG).expect("ends");
    Device::of(first).launch(STORE, buffer.address(), 2).wait(LONG).expect("ends");
}

#[test]
fn a_workgroup_that_does_not_fit_is_refused_with_its_size() {
    let device = Device::new();
    let geometry = Geometry { grid: [2048, 2, 1], workgroup: [1024, 2, 1] };
    let launch = Launch { kernel: &device.kernel, geometry, dynamic_lds: 0, kernargs: &[] };
    let error = device.queue.launch(&launch).expect("submits").wait(LONG).expect_err("must fail");
    assert!(matches!(error, RuntimeError::QueueFault { status: Status::OUT_OF_RESOURCES, .. }), "{error}");
    let text = last_fault(device.queue.raw()).expect("a fault").to_string();
    assert!(text.contains("2048 work-items"), "{text}");
}

#[test]
fn too_much_lds_is_refused_with_the_part_s_limit() {
    let device = Device::new();
    let geometry = Geometry { grid: [64, 1, 1], workgroup: [64, 1, 1] };
    let launch = Launch { kernel: &device.kernel, geometry, dynamic_lds: 65536, kernargs: &[] };
    device.queue.launch(&launch).expect("submits").wait(LONG).expect_err("must fail");
    let text = last_fault(device.queue.raw()).expect("a fault").to_string();
    assert!(text.contains("65536 on mi300x"), "{text}");
}

#[test]
fn an_engine_that_panics_ends_the_dispatch_and_not_the_process() {
    let device = Device::new();
    device.launch(PANIC, 0, 0).wait(LONG).expect_err("must fail");
    let text = last_fault(device.queue.raw()).expect("a fault").to_string();
    assert!(text.contains("asked to"), "{text}");
}

#[test]
fn a_queue_that_is_dropped_ends_its_kernel() {
    let device = Device::new();
    let buffer = device.host();
    let pending = device.launch(AWAIT, buffer.address(), 1);
    let begin = Instant::now();
    drop(pending);
    drop(device);
    assert!(begin.elapsed() < LONG);
}

#[test]
fn a_barrier_holds_later_packets_until_its_signal_is_zero() {
    let runtime = runtime(&["mi300x"]);
    let device = Device::of(&runtime.gpu_agents()[0]);
    let (buffer, signal) = (device.host(), runtime.signal(1).expect("signal"));
    device.queue.barrier(&[&signal]).expect("submits");
    let pending = device.launch(STORE, buffer.address(), 8);
    assert!(pending.wait(Duration::from_millis(20)).is_err());
    assert_eq!(buffer.load_u32(0), Ok(0));
    signal.store(0);
    pending.wait(LONG).expect("ends");
    assert_eq!(buffer.load_u32(0), Ok(8));
}

#[test]
fn code_for_another_target_is_refused_with_both_names() {
    let runtime = runtime(&["mi355x"]);
    let error = runtime.gpu_agents()[0].load(&minimal::object()).expect_err("must fail");
    assert!(matches!(error, RuntimeError::Call { status: Status::INCOMPATIBLE_ARGUMENTS, .. }), "{error}");
    let text = wavesmith_sim::last_error().expect("a text");
    assert!(text.contains("gfx942") && text.contains("gfx950"), "{text}");
}

#[test]
fn what_is_no_code_object_is_refused_with_offset_and_value() {
    let agent = Device::new().agent;
    let error = agent.load(b"not an ELF file, and long enough to hold a header: 0123456789abcdef").expect_err("fails");
    assert!(matches!(error, RuntimeError::Call { status: Status::INVALID_CODE_OBJECT, .. }), "{error}");
    assert!(wavesmith_sim::last_error().expect("a text").contains("ELF magic"));
}

#[test]
fn device_memory_takes_copies_and_fills_within_its_bounds_only() {
    let agent = Device::new().agent;
    let buffer = agent.upload(MemoryKind::Device, &[1, 2, 3, 4, 5, 6, 7, 8]).expect("uploads");
    buffer.fill(4, 0xdead_beef, 1).expect("fills");
    assert_eq!(buffer.to_vec(), Ok(vec![1, 2, 3, 4, 0xef, 0xbe, 0xad, 0xde]));
    let outside = RuntimeError::OutOfBuffer { offset: 6, size: 4, buffer: 8 };
    assert_eq!(buffer.write(6, &[0; 4]), Err(outside));
    assert!(matches!(buffer.load_u32(0), Err(RuntimeError::NotAtomic { .. })));
    assert!(agent.allocate(MemoryKind::Device, 1 << 45).is_err());
    assert!(agent.allocate(MemoryKind::Device, 0).is_err());
}

#[test]
fn a_large_allocation_costs_no_memory_until_it_is_touched() {
    let agent = Device::new().agent;
    let buffer = agent.allocate(MemoryKind::Device, 100 << 30).expect("allocates");
    buffer.write((100 << 30) - 4, &[1, 2, 3, 4]).expect("writes");
}

#[test]
fn every_object_of_the_corpora_loads_on_a_part_of_its_target_and_no_other() {
    for path in corpus::objects() {
        let bytes = std::fs::read(&path).expect("reads");
        let object = CodeObject::parse(&bytes).expect("parses");
        for target in Target::ALL {
            let sku = SKUS.iter().find(|s| s.target == target).expect("a part");
            let runtime = runtime(&[sku.name]);
            let loaded = runtime.gpu_agents()[0].load(&bytes);
            assert_eq!(loaded.is_ok(), target == object.target, "{}: {loaded:?}", path.display());
            for kernel in &object.kernels {
                if let Ok(executable) = &loaded {
                    let k = executable.kernel(&kernel.name).expect("kernel");
                    assert_eq!(k.kernarg_size(), kernel.kernarg_size());
                    assert_eq!(k.object() % 64, 0);
                }
            }
        }
    }
}

//! The C functions themselves: packets written by hand, signals, background copies, many agents. What the safe runtime
//! cannot be made to do is here.

// The engine returns the fault itself: once a dispatch, its size costs nothing.
#![allow(clippy::result_large_err)]

#[path = "../../loader/tests/minimal/mod.rs"]
mod minimal;

use std::ffi::c_void;
use std::ptr::null;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use wavesmith_asm::Sku;
use wavesmith_loader::hsa::abi::{AgentHandle, HsaQueue, SignalHandle};
use wavesmith_loader::hsa::packet::{BarrierPacket, BarrierValuePacket, KernelDispatchPacket, amd, kind};
use wavesmith_loader::hsa::{Functions, Status, info};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Queue, Runtime, Signal};
use wavesmith_sim::hsa::table_with_engine;
use wavesmith_sim::{Config, Dispatch, Fault, FaultKind, Memory, Stats, last_fault};

const LONG: Duration = Duration::from_secs(20);

fn idle(_: &Dispatch, _: &Memory, _: &Config) -> Result<Stats, Fault> {
    Ok(Stats::default())
}

fn runtime(parts: usize) -> Runtime {
    let sku = Sku::named("mi300x").expect("known SKU");
    Runtime::start(table_with_engine(&vec![sku; parts], idle)).expect("starts")
}

/// Writes a packet's words and rings the bell, as a C program does.
fn submit<P>(runtime: &Runtime, queue: *mut HsaQueue, packet: &P) {
    assert_eq!(size_of::<P>(), 64);
    let f = runtime.table().functions();
    // SAFETY: the queue lives, the slot is in its ring and reserved, and the packet has 64 bytes.
    unsafe {
        let index = (f.hsa_queue_add_write_index_screlease)(queue, 1);
        let words = std::mem::transmute_copy::<P, [u32; 16]>(packet);
        let slot = (*queue).base_address.cast::<u32>().add((index % u64::from((*queue).size)) as usize * 16);
        for (i, word) in words.iter().enumerate().skip(1) {
            slot.add(i).write_volatile(*word);
        }
        AtomicU32::from_ptr(slot).store(words[0], Ordering::Release);
        (f.hsa_signal_store_screlease)((*queue).doorbell_signal, index as i64);
    }
}

fn queue(runtime: &Runtime) -> Queue {
    runtime.gpu_agents()[0].queue(64).expect("queue")
}

fn fault_of(runtime: &Runtime, packet: &KernelDispatchPacket) -> Fault {
    let queue = queue(runtime);
    submit(runtime, queue.raw(), packet);
    let begin = Instant::now();
    while queue.error().is_none() {
        assert!(begin.elapsed() < LONG, "no fault");
        std::thread::yield_now();
    }
    last_fault(queue.raw()).expect("a fault")
}

fn good_packet(runtime: &Runtime) -> (KernelDispatchPacket, wavesmith_loader::Kernel) {
    let kernel = runtime.gpu_agents()[0].load(&minimal::object()).expect("loads").kernel("k").expect("kernel");
    let packet = KernelDispatchPacket {
        header: kind::KERNEL_DISPATCH,
        setup: 1,
        workgroup_size_x: 64,
        workgroup_size_y: 1,
        workgroup_size_z: 1,
        grid_size_x: 64,
        grid_size_y: 1,
        grid_size_z: 1,
        private_segment_size: 16,
        group_segment_size: 1024,
        kernel_object: kernel.object(),
        ..KernelDispatchPacket::default()
    };
    (packet, kernel)
}

#[test]
fn a_malformed_dispatch_packet_is_refused_with_the_field_that_is_wrong() {
    let runtime = runtime(1);
    let (good, _kernel) = good_packet(&runtime);
    let cases: [(KernelDispatchPacket, FaultKind, &str); 9] = [
        (KernelDispatchPacket { setup: 0, ..good }, FaultKind::Packet, "0 dimensions"),
        (KernelDispatchPacket { grid_size_y: 2, ..good }, FaultKind::Packet, "must be 1"),
        (KernelDispatchPacket { grid_size_x: 0, ..good }, FaultKind::Packet, "no work-items"),
        (KernelDispatchPacket { workgroup_size_x: 1025, ..good }, FaultKind::Resources, "1025 work-items"),
        (KernelDispatchPacket { group_segment_size: 1023, ..good }, FaultKind::Packet, "LDS"),
        (KernelDispatchPacket { private_segment_size: 15, ..good }, FaultKind::Packet, "scratch"),
        (KernelDispatchPacket { kernel_object: 0x1040, ..good }, FaultKind::Memory, "cannot be read"),
        (KernelDispatchPacket { kernel_object: good.kernel_object + 4, ..good }, FaultKind::Packet, "64 bytes"),
        (KernelDispatchPacket { header: kind::AGENT_DISPATCH, ..good }, FaultKind::Packet, "agent-dispatch"),
    ];
    for (packet, kind, text) in cases {
        let fault = fault_of(&runtime, &packet);
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(fault.message.contains(text), "{fault}");
    }
}

#[test]
fn a_packet_is_not_looked_at_before_its_bell_rings() {
    let runtime = runtime(1);
    let (mut packet, _kernel) = good_packet(&runtime);
    let signal = runtime.signal(1).expect("signal");
    packet.completion_signal = signal.handle();
    let queue = queue(&runtime);
    let f = runtime.table().functions();
    // SAFETY: as in `submit`, without the bell.
    unsafe {
        (f.hsa_queue_add_write_index_screlease)(queue.raw(), 1);
        (*queue.raw()).base_address.cast::<KernelDispatchPacket>().write_volatile(packet);
    }
    assert!(!signal.wait_below(1, Duration::from_millis(20)));
    // SAFETY: the queue lives.
    unsafe { (f.hsa_signal_store_screlease)((*queue.raw()).doorbell_signal, 0) };
    assert!(signal.wait_below(1, LONG));
}

#[test]
fn bells_may_ring_out_of_order() {
    let runtime = runtime(1);
    let (mut packet, _kernel) = good_packet(&runtime);
    let signal = runtime.signal(2).expect("signal");
    packet.completion_signal = signal.handle();
    let queue = queue(&runtime);
    let f = runtime.table().functions();
    // SAFETY: as in `submit`, with both bells after both packets.
    unsafe {
        (f.hsa_queue_add_write_index_screlease)(queue.raw(), 2);
        let ring = (*queue.raw()).base_address.cast::<KernelDispatchPacket>();
        ring.add(1).write_volatile(packet);
        (f.hsa_signal_store_screlease)((*queue.raw()).doorbell_signal, 1);
        std::thread::sleep(Duration::from_millis(2));
        ring.write_volatile(packet);
        (f.hsa_signal_store_screlease)((*queue.raw()).doorbell_signal, 0);
    }
    assert!(signal.wait_below(1, LONG));
}

#[test]
fn a_barrier_or_goes_on_with_the_first_signal_and_a_barrier_and_with_the_last() {
    for (which, needed) in [(kind::BARRIER_OR, 1), (kind::BARRIER_AND, 2)] {
        let runtime = runtime(1);
        let queue = queue(&runtime);
        let signals: [Signal; 2] = [(); 2].map(|()| runtime.signal(1).expect("signal"));
        let done = runtime.signal(1).expect("signal");
        let mut packet = BarrierPacket { header: which, completion_signal: done.handle(), ..BarrierPacket::default() };
        packet.dep_signal[1] = signals[0].handle();
        packet.dep_signal[4] = signals[1].handle();
        submit(&runtime, queue.raw(), &packet);
        for signal in signals.iter().rev().take(needed) {
            assert!(!done.wait_below(1, Duration::from_millis(10)));
            signal.store(0);
        }
        assert!(done.wait_below(1, LONG));
    }
}

/// The barrier bit of a header.
const BARRIER: u16 = 1 << 8;

/// Kernels whose private segment is 16 + n wait until the count in their kernarg memory is n, then add one to it.
fn in_turn(dispatch: &Dispatch, _: &Memory, config: &Config) -> Result<Stats, Fault> {
    // SAFETY: the test passes a counter that outlives the queue.
    let count = unsafe { &*(dispatch.kernarg_va as *const AtomicU64) };
    let turn = u64::from(dispatch.private_bytes - 16);
    while count.load(Ordering::Acquire) != turn {
        if config.stop.requested() {
            return Err(Fault::new(FaultKind::Fuel, "in_turn", "stopped"));
        }
        std::thread::yield_now();
    }
    count.fetch_add(1, Ordering::AcqRel);
    Ok(Stats::default())
}

fn in_turn_runtime() -> Runtime {
    Runtime::start(table_with_engine(&[Sku::named("mi300x").expect("known SKU")], in_turn)).expect("starts")
}

#[test]
fn a_packet_without_the_barrier_bit_does_not_wait_for_those_before_it() {
    let runtime = in_turn_runtime();
    let queue = queue(&runtime);
    let (good, _kernel) = good_packet(&runtime);
    for round in 0..20 {
        let count = AtomicU64::new(0);
        let done: Vec<Signal> = (0..4).map(|_| runtime.signal(1).expect("signal")).collect();
        // Each waits for the one after it.
        for (i, signal) in done.iter().enumerate() {
            let packet = KernelDispatchPacket {
                private_segment_size: 16 + 3 - i as u32,
                kernarg_address: &raw const count as u64,
                completion_signal: signal.handle(),
                ..good
            };
            submit(&runtime, queue.raw(), &packet);
            if round % 2 == 1 {
                // So that the thread which would lead is at work already.
                std::thread::sleep(Duration::from_micros(200));
            }
        }
        assert!(done.iter().all(|s| s.wait_below(1, LONG)), "round {round}: {count:?}");
    }
    assert_eq!(queue.error(), None);
}

#[test]
fn a_packet_with_the_barrier_bit_waits_for_all_before_it_and_read_index_for_the_oldest() {
    let runtime = in_turn_runtime();
    let queue = queue(&runtime);
    let (good, _kernel) = good_packet(&runtime);
    let count = AtomicU64::new(1);
    let kernel = |turn: u32, header: u16, signal: &Signal| KernelDispatchPacket {
        header,
        private_segment_size: 16 + turn,
        kernarg_address: &raw const count as u64,
        completion_signal: signal.handle(),
        ..good
    };
    let [held, free, last] = [(); 3].map(|()| runtime.signal(1).expect("signal"));
    submit(&runtime, queue.raw(), &kernel(0, kind::KERNEL_DISPATCH, &held));
    submit(&runtime, queue.raw(), &kernel(1, kind::KERNEL_DISPATCH, &free));
    submit(&runtime, queue.raw(), &kernel(2, kind::KERNEL_DISPATCH | BARRIER, &last));
    assert!(free.wait_below(1, LONG));
    assert!(!last.wait_below(1, Duration::from_millis(20)));
    // SAFETY: the queue lives.
    let read = || unsafe { (runtime.table().functions().hsa_queue_load_read_index_scacquire)(queue.raw()) };
    assert_eq!(read(), 0);
    count.store(0, Ordering::Release);
    assert!(held.wait_below(1, LONG));
    assert!(!last.wait_below(1, Duration::from_millis(20)));
    count.store(2, Ordering::Release);
    assert!(last.wait_below(1, LONG));
    let begin = Instant::now();
    while read() != 3 {
        assert!(begin.elapsed() < LONG);
    }
}

#[test]
fn a_queue_with_kernels_beside_each_other_can_be_destroyed() {
    let runtime = in_turn_runtime();
    let (good, _kernel) = good_packet(&runtime);
    let count = AtomicU64::new(9);
    for _ in 0..20 {
        let queue = queue(&runtime);
        for _ in 0..3 {
            let packet = KernelDispatchPacket { kernarg_address: &raw const count as u64, ..good };
            submit(&runtime, queue.raw(), &packet);
        }
        drop(queue);
    }
    assert_eq!(count.load(Ordering::Relaxed), 9);
}

#[test]
fn a_barrier_value_packet_waits_for_the_bits_it_names() {
    let runtime = runtime(1);
    let queue = queue(&runtime);
    // Condition, and values that do not meet and meet it under mask 0xf0 against 0x20.
    for (condition, misses, hits) in [(0, 0x30, 0x2f), (1, 0x21, 0x10), (2, 0x2f, 0x1f), (3, 0x0f, 0x35)] {
        let (signal, done) = (runtime.signal(misses).expect("signal"), runtime.signal(1).expect("signal"));
        let packet = BarrierValuePacket {
            header: kind::VENDOR_SPECIFIC,
            amd_format: amd::BARRIER_VALUE,
            signal: signal.handle(),
            value: 0x20,
            mask: 0xf0,
            condition,
            completion_signal: done.handle(),
            ..BarrierValuePacket::default()
        };
        submit(&runtime, queue.raw(), &packet);
        assert!(!done.wait_below(1, Duration::from_millis(10)), "condition {condition}");
        signal.store(hits);
        assert!(done.wait_below(1, LONG), "condition {condition}");
        // No signal is no wait.
        done.store(1);
        submit(&runtime, queue.raw(), &BarrierValuePacket { signal: SignalHandle::default(), ..packet });
        assert!(done.wait_below(1, LONG));
    }
    assert_eq!(queue.error(), None);
}

#[test]
fn vendor_packets_that_are_not_executed_are_refused_by_name() {
    let runtime = runtime(1);
    let value = |packet: BarrierValuePacket| {
        let queue = queue(&runtime);
        submit(&runtime, queue.raw(), &packet);
        let begin = Instant::now();
        while queue.error().is_none() {
            assert!(begin.elapsed() < LONG, "no fault");
        }
        last_fault(queue.raw()).expect("a fault").message
    };
    let packet = BarrierValuePacket { header: kind::VENDOR_SPECIFIC, ..BarrierValuePacket::default() };
    let pm4 = value(BarrierValuePacket { amd_format: amd::PM4_INDIRECT, ..packet });
    assert!(pm4.contains("PM4") && pm4.contains("barrier-value (2)"), "{pm4}");
    let other = value(BarrierValuePacket { amd_format: 9, ..packet });
    assert!(other.contains("format 9"), "{other}");
    let condition = value(BarrierValuePacket { amd_format: amd::BARRIER_VALUE, condition: 7, ..packet });
    assert!(condition.contains("condition 7"), "{condition}");
}

fn copy(
    f: &Functions,
    agent: AgentHandle,
    to: u64,
    from: u64,
    size: usize,
    after: &[SignalHandle],
    done: &Signal,
) -> Status {
    let list = if after.is_empty() { null() } else { after.as_ptr() };
    // SAFETY: live agent and signals; the addresses are checked by the function or are the test's own.
    unsafe {
        (f.hsa_amd_memory_async_copy)(
            to as *mut c_void,
            agent,
            from as *const c_void,
            agent,
            size,
            after.len() as u32,
            list,
            done.handle(),
        )
    }
}

#[test]
fn a_background_copy_waits_for_its_signals_and_announces_its_end() {
    let runtime = runtime(1);
    let (agent, f) = (&runtime.gpu_agents()[0], runtime.table().functions());
    let from = agent.upload(MemoryKind::Host, b"abcdefgh").expect("uploads");
    let to = agent.allocate(MemoryKind::Device, 8).expect("allocates");
    let (before, done) = (runtime.signal(1).expect("signal"), runtime.signal(1).expect("signal"));
    let status = copy(f, agent.handle(), to.address(), from.address(), 8, &[before.handle()], &done);
    assert_eq!(status, Status::SUCCESS);
    assert!(!done.wait_below(1, Duration::from_millis(10)));
    assert_eq!(to.to_vec(), Ok(vec![0; 8]));
    before.store(0);
    assert!(done.wait_below(1, LONG));
    assert_eq!(to.to_vec(), Ok(b"abcdefgh".to_vec()));
    let outside = copy(f, agent.handle(), to.address() + 4090, from.address(), 8, &[], &done);
    assert_eq!(outside, Status::INVALID_ARGUMENT);
}

#[test]
fn stale_and_foreign_handles_are_errors_and_not_crashes() {
    let runtime = runtime(1);
    let f = *runtime.table().functions();
    let signal = runtime.signal(1).expect("signal");
    let stale = signal.handle();
    drop(signal);
    let mut name = [0_u8; 64];
    // SAFETY: every function checks its handle first.
    unsafe {
        assert_eq!((f.hsa_signal_destroy)(stale), Status::INVALID_SIGNAL);
        assert_eq!((f.hsa_signal_destroy)(SignalHandle { handle: 0x1000 }), Status::INVALID_SIGNAL);
        assert_eq!((f.hsa_signal_load_scacquire)(SignalHandle { handle: 3 }), 0);
        assert_eq!((f.hsa_queue_destroy)(0x1234_5678 as *mut HsaQueue), Status::INVALID_QUEUE);
        let bogus = AgentHandle { handle: 42 };
        let status = (f.hsa_agent_get_info)(bogus, info::agent::NAME, name.as_mut_ptr().cast());
        assert_eq!(status, Status::INVALID_AGENT);
        assert_eq!((f.hsa_amd_memory_pool_free)(0x1000 as *mut c_void), Status::INVALID_ALLOCATION);
        assert_eq!((f.hsa_amd_memory_pool_free)(std::ptr::null_mut()), Status::SUCCESS);
        assert_eq!((f.hsa_executable_freeze)(Default::default(), null()), Status::INVALID_EXECUTABLE);
        assert_eq!((f.hsa_iterate_agents)(None, std::ptr::null_mut()), Status::INVALID_ARGUMENT);
    }
}

#[test]
fn eight_parts_in_one_process_each_run_their_own_queue() {
    let runtime = runtime(8);
    assert_eq!(runtime.gpu_agents().len(), 8);
    let geometry = Geometry { grid: [64, 1, 1], workgroup: [64, 1, 1] };
    let work: Vec<_> = runtime
        .gpu_agents()
        .iter()
        .map(|agent| {
            let kernel = agent.load(&minimal::object()).expect("loads").kernel("k").expect("kernel");
            let queue = agent.queue(64).expect("queue");
            let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &[] };
            let pending = queue.launch(&launch).expect("launches");
            (queue, pending)
        })
        .collect();
    for (queue, pending) in &work {
        pending.wait(LONG).expect("ends");
        assert_eq!(queue.error(), None);
    }
}

#[test]
fn many_threads_share_a_queue() {
    let runtime = runtime(1);
    let kernel = runtime.gpu_agents()[0].load(&minimal::object()).expect("loads").kernel("k").expect("kernel");
    let queue = queue(&runtime);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let geometry = Geometry { grid: [64, 1, 1], workgroup: [64, 1, 1] };
                let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &[] };
                let pending: Vec<_> = (0..200).map(|_| queue.launch(&launch).expect("launches")).collect();
                pending.iter().for_each(|p| p.wait(LONG).expect("ends"));
            });
        }
    });
    assert_eq!(wavesmith_sim::last_stats(queue.raw()), Some(Stats::default()));
}

#[test]
fn the_runtime_counts_its_users() {
    // A set of parts of its own: other tests' users do not count here.
    let sku = Sku::named("mi210").expect("known SKU");
    let f = *table_with_engine(&[sku, sku, sku], idle).functions();
    unsafe extern "C" fn stop(_: AgentHandle, _: *mut c_void) -> Status {
        Status::INFO_BREAK
    }
    // SAFETY: the functions take these arguments in any state.
    unsafe {
        assert_eq!((f.hsa_shut_down)(), Status::NOT_INITIALIZED);
        assert_eq!((f.hsa_iterate_agents)(Some(stop), std::ptr::null_mut()), Status::NOT_INITIALIZED);
        assert_eq!((f.hsa_init)(), Status::SUCCESS);
        assert_eq!((f.hsa_init)(), Status::SUCCESS);
        assert_eq!((f.hsa_shut_down)(), Status::SUCCESS);
        assert_eq!((f.hsa_iterate_agents)(Some(stop), std::ptr::null_mut()), Status::INFO_BREAK);
        assert_eq!((f.hsa_shut_down)(), Status::SUCCESS);
        assert_eq!((f.hsa_shut_down)(), Status::NOT_INITIALIZED);
    }
}

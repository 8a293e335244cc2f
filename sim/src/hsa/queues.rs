//! Queues: a ring of packets in device-visible memory and threads that take them in order.
//!
//! The doorbell decides, as on the hardware: a packet that was written but not rung for is not looked at. Packets begin
//! in order. One without the barrier bit does not wait for those before it to end, so that a kernel may wait for what a
//! later one of its queue stores; queues run beside each other. A packet stays in its slot until its kernel and all
//! before it have ended, since the kernel may read it. A fault stops the queue: the callback is told a status,
//! [`last_fault`] keeps the whole story, and the packet's completion signal stays as it is.
//!
//! Which thread looks at the next packet is in `lead`: whoever takes a kernel runs it itself, and others only wake
//! when there is a packet to be taken meanwhile. Launching one kernel after the other costs no change of threads.

use super::Engine;
use super::agents::{AgentKind, AgentState, QUEUE_MAX, QUEUE_MIN};
use super::events;
use super::lead::{Lead, Next};
use super::process::{PROCESS, put, status, ticks};
use super::signals::{self, Cell};
use crate::aperture;
use crate::config::{Config, Stop};
use crate::dispatch::Dispatch;
use crate::fault::{Fault, FaultKind, Stats};
use crate::memory::{Allocation, Kind};
use parking_lot::{Condvar, Mutex};
use std::ffi::c_void;
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU16, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use wavesmith_asm::Sku;
use wavesmith_loader::code_object::KernelDescriptor;
use wavesmith_loader::hsa::abi::{AgentHandle, AmdQueue, HsaQueue, ProfilingTime, QueueCallback, SignalHandle};
use wavesmith_loader::hsa::packet::{BarrierPacket, BarrierValuePacket, KernelDispatchPacket, amd, has_barrier, kind};
use wavesmith_loader::hsa::{Status, info};

/// How long a queue's thread looks at its doorbell before it sleeps.
const SPIN: Duration = Duration::from_micros(30);
/// How long a kernel that only another dispatch could release is left alone, before it counts as stuck: the host may
/// still be about to submit that one.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of a packet.
const PACKET: usize = 64;
/// Where the ring begins in the queue's memory.
const RING: usize = 4096;

/// A queue.
pub(super) struct QueueState {
    address: u64,
    size: u32,
    id: u64,
    agent: Arc<AgentState>,
    sku: &'static Sku,
    engine: Engine,
    doorbell: Cell,
    inactive: Cell,
    callback: Callback,
    /// One past the last packet rung for.
    rung: AtomicI64,
    stopped: AtomicBool,
    sleeping: AtomicBool,
    lock: Mutex<()>,
    wake: Condvar,
    stop: Stop,
    config: Mutex<Config>,
    outcome: Mutex<Outcome>,
    lead: Lead,
    /// Its threads, until it is destroyed.
    threads: Mutex<Vec<JoinHandle<()>>>,
    destroyed: AtomicBool,
    /// Compute units that its kernels may run on; `None` is all.
    cus: Mutex<Option<Arc<[u32]>>>,
    /// `hsa_amd_queue_priority_t`.
    priority: AtomicU8,
}

#[derive(Default)]
struct Outcome {
    fault: Option<Fault>,
    stats: Option<Stats>,
}

/// The error callback with its data.
struct Callback(QueueCallback, *mut c_void);

// SAFETY: HSA calls back from threads of the runtime's choosing; the caller passed data fit for that.
unsafe impl Send for Callback {}
// SAFETY: as above.
unsafe impl Sync for Callback {}

impl QueueState {
    pub fn agent(&self) -> AgentHandle {
        AgentState::handle_of(self.agent.id)
    }

    pub fn id(&self) -> u64 {
        self.id
    }

    fn field(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: the queue's memory lives as long as its state, and the field is aligned.
        unsafe { AtomicU64::from_ptr((self.address + offset as u64) as *mut u64) }
    }

    fn read_index(&self) -> &AtomicU64 {
        self.field(offset_of!(AmdQueue, read_dispatch_id))
    }

    fn write_index(&self) -> &AtomicU64 {
        self.field(offset_of!(AmdQueue, write_dispatch_id))
    }

    fn packet_address(&self, index: u64) -> u64 {
        self.address + RING as u64 + index % u64::from(self.size) * PACKET as u64
    }

    fn header(&self, index: u64) -> &AtomicU16 {
        // SAFETY: the packet is in the queue's memory, and the header is aligned.
        unsafe { AtomicU16::from_ptr(self.packet_address(index) as *mut u16) }
    }

    fn stopping(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    fn wake(&self) {
        if self.sleeping.load(Ordering::SeqCst) {
            drop(self.lock.lock());
            self.wake.notify_all();
        }
    }

    /// Whether the packet at an index has been written and rung for.
    fn ready(&self, index: u64) -> bool {
        self.rung.load(Ordering::SeqCst) > index as i64
            && self.header(index).load(Ordering::Acquire) & 0xff != kind::INVALID
    }

    /// What the packet at an index waits for before it is taken.
    fn next(&self, index: u64) -> Next {
        match self.ready(index) {
            false => Next::Nothing,
            true if has_barrier(self.header(index).load(Ordering::Acquire)) => Next::AfterAll,
            true => Next::Now,
        }
    }

    /// The compute units that kernels of the queue may run on; `None` is all.
    pub fn cus(&self) -> Option<Arc<[u32]>> {
        self.cus.lock().clone()
    }

    pub fn set_cus(&self, cus: Option<Arc<[u32]>>) {
        *self.cus.lock() = cus;
    }

    pub fn set_priority(&self, priority: u8) {
        self.priority.store(priority, Ordering::Relaxed);
    }

    pub fn sku(&self) -> &'static Sku {
        self.sku
    }
}

/// The state of a queue that an agent serves.
pub(super) fn state(queue: *const HsaQueue) -> Result<Arc<QueueState>, Status> {
    PROCESS.queues.read().get(&(queue as u64)).cloned().ok_or(Status::INVALID_QUEUE)
}

/// Sets how a queue executes from its next packet on. Its stop request stays its own.
///
/// # Errors
/// [`Status::INVALID_QUEUE`] where it is no queue of the embedded device.
pub fn configure(queue: *const HsaQueue, config: &Config) -> Result<(), Status> {
    let state = state(queue)?;
    let stop = state.stop.clone();
    *state.config.lock() = Config { stop, ..config.clone() };
    Ok(())
}

/// The fault that stopped a queue; a queue that was destroyed has none.
pub fn last_fault(queue: *const HsaQueue) -> Option<Fault> {
    state(queue).ok()?.outcome.lock().fault.clone()
}

/// What the queue's last kernel that ended well took.
pub fn last_stats(queue: *const HsaQueue) -> Option<Stats> {
    state(queue).ok()?.outcome.lock().stats
}

/// A doorbell was stored to.
pub(super) fn ring(queue: u64, value: i64) {
    let Some(state) = PROCESS.queues.read().get(&queue).cloned() else { return };
    // Producers may ring out of order: the furthest one counts.
    state.rung.fetch_max(value.saturating_add(1), Ordering::SeqCst);
    state.wake();
    // With everyone at work, somebody else is needed for a packet that does not wait for them.
    if state.lead.is_vacant() {
        call_for_help(&state);
    }
}

/// Sees to it that a packet which may begin now finds a thread, while those of the queue are at work.
fn call_for_help(state: &Arc<QueueState>) {
    state.lead.call(
        |index| state.next(index),
        |number| {
            // A queue being destroyed is collecting its threads.
            !state.stopping() && spawn(state, number)
        },
    );
}

fn spawn(state: &Arc<QueueState>, number: u32) -> bool {
    let worker = state.clone();
    let name = format!("hsa-queue-{}-{number}", state.id);
    match std::thread::Builder::new().name(name).spawn(move || process(&worker)) {
        Ok(thread) => {
            state.threads.lock().push(thread);
            true
        }
        Err(_) => false,
    }
}

pub(super) unsafe extern "C" fn queue_create(
    agent: AgentHandle,
    size: u32,
    queue_type: u32,
    callback: QueueCallback,
    data: *mut c_void,
    _private_size: u32,
    _group_size: u32,
    queue: *mut *mut HsaQueue,
) -> Status {
    status((|| {
        let agent = AgentState::of(agent)?;
        if queue.is_null() || !size.is_power_of_two() || queue_type > info::queue_type::COOPERATIVE {
            return Err(Status::INVALID_ARGUMENT);
        }
        let AgentKind::Gpu { sku, engine } = agent.kind else { return Err(Status::INVALID_QUEUE_CREATION) };
        if !(QUEUE_MIN..=QUEUE_MAX).contains(&size) {
            return Err(Status::INVALID_ARGUMENT);
        }
        let state = create(agent, sku, engine, size, queue_type, Callback(callback, data))?;
        // SAFETY: the caller passes a valid out pointer.
        unsafe { queue.write(state.address as *mut HsaQueue) };
        Ok(())
    })())
}

fn create(
    agent: Arc<AgentState>,
    sku: &'static Sku,
    engine: Engine,
    size: u32,
    queue_type: u32,
    callback: Callback,
) -> Result<Arc<QueueState>, Status> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let memory: Arc<Allocation> = PROCESS
        .memory
        .allocate(RING + size as usize * PACKET, Kind::Runtime, Some(agent.id))
        .map_err(|_| Status::OUT_OF_RESOURCES)?;
    let address = memory.base();
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let (doorbell, inactive) = (Cell::doorbell(address)?, Cell::user(0)?);
    let zeroed = |n: usize| address + n as u64;
    // SAFETY: the memory is new, page-aligned, zeroed and large enough for the structure.
    unsafe {
        let queue = zeroed(0) as *mut AmdQueue;
        (*queue).hsa_queue = HsaQueue {
            kind: queue_type,
            // Kernel dispatch.
            features: 1,
            base_address: zeroed(RING) as *mut c_void,
            doorbell_signal: doorbell.handle(),
            size,
            reserved1: 0,
            id,
        };
        (*queue).group_segment_aperture_base_hi = (aperture::SHARED_BASE >> 32) as u32;
        (*queue).private_segment_aperture_base_hi = (aperture::PRIVATE_BASE >> 32) as u32;
        (*queue).max_cu_id = sku.cus - 1;
        (*queue).max_wave_id = 4 * sku.waves_per_simd - 1;
        (*queue).read_dispatch_id_field_base_byte_offset = offset_of!(AmdQueue, read_dispatch_id) as u32;
        // 64-bit pointers, and times on.
        (*queue).queue_properties = 1 << 1 | 1 << 3;
        (*queue).queue_inactive_signal = inactive.handle();
    }
    let stop = Stop::default();
    let state = Arc::new(QueueState {
        address,
        size,
        id,
        agent,
        sku,
        engine,
        doorbell,
        inactive,
        callback,
        rung: AtomicI64::new(0),
        stopped: AtomicBool::new(false),
        sleeping: AtomicBool::new(false),
        lock: Mutex::default(),
        wake: Condvar::new(),
        config: Mutex::new(Config { stop: stop.clone(), patience: PATIENCE, ..Config::default() }),
        stop,
        outcome: Mutex::default(),
        lead: Lead::default(),
        threads: Mutex::default(),
        destroyed: AtomicBool::new(false),
        cus: Mutex::default(),
        priority: AtomicU8::new(info::priority::NORMAL),
    });
    for index in 0..u64::from(size) {
        state.header(index).store(kind::INVALID, Ordering::Relaxed);
    }
    PROCESS.queues.write().insert(address, state.clone());
    if !state.lead.first(|number| spawn(&state, number)) {
        release(&state);
        return Err(Status::OUT_OF_RESOURCES);
    }
    Ok(state)
}

fn release(state: &QueueState) {
    PROCESS.queues.write().remove(&state.address);
    state.doorbell.destroy();
    state.inactive.destroy();
    // It was allocated with the queue and is freed with it, once.
    let _ = PROCESS.memory.free(state.address);
}

pub(super) unsafe extern "C" fn queue_destroy(queue: *mut HsaQueue) -> Status {
    status((|| {
        let state = state(queue)?;
        if state.destroyed.swap(true, Ordering::AcqRel) {
            return Err(Status::INVALID_QUEUE);
        }
        halt(&state);
        // Nobody adds to them any more. From the queue's own callback this thread is one of them, and ends after it.
        let threads = std::mem::take(&mut *state.threads.lock());
        for thread in threads {
            if thread.thread().id() != std::thread::current().id() {
                // A panic of the thread was reported as a fault already.
                let _ = thread.join();
            }
        }
        release(&state);
        Ok(())
    })())
}

/// Ends what the queue does, without a fault.
fn halt(state: &QueueState) {
    state.stopped.store(true, Ordering::SeqCst);
    state.stop.request();
    drop(state.lock.lock());
    state.wake.notify_all();
    state.lead.end();
}

pub(super) unsafe extern "C" fn queue_inactivate(queue: *mut HsaQueue) -> Status {
    status(state(queue).map(|s| halt(&s)))
}

pub(super) unsafe extern "C" fn add_write_index(queue: *const HsaQueue, count: u64) -> u64 {
    state(queue).map_or(0, |s| s.write_index().fetch_add(count, Ordering::AcqRel))
}

pub(super) unsafe extern "C" fn load_read_index(queue: *const HsaQueue) -> u64 {
    state(queue).map_or(0, |s| s.read_index().load(Ordering::Acquire))
}

pub(super) unsafe extern "C" fn set_profiler_enabled(queue: *mut HsaQueue, _enable: i32) -> Status {
    // Times are always taken: they cost nothing here.
    status(state(queue).map(drop))
}

pub(super) unsafe extern "C" fn get_dispatch_time(
    agent: AgentHandle,
    signal: SignalHandle,
    time: *mut ProfilingTime,
) -> Status {
    status((|| {
        AgentState::of(agent)?;
        let (start, end) = Cell::of(signal)?.read_times();
        if end == 0 {
            // No kernel with this signal has ended.
            return Err(Status::ERROR);
        }
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(time.cast(), ProfilingTime { start, end }) }
    })())
}

/// Why a queue stops.
enum Halt {
    Stopping,
    Fault(Fault),
}

/// A thread of the queue: takes packets whenever nobody else does.
fn process(state: &Arc<QueueState>) {
    let mut leads = false;
    loop {
        if !leads && !state.lead.take(|| state.stopping()) {
            return;
        }
        let index = state.lead.next();
        if !await_packet(state, index) {
            return;
        }
        let header = state.header(index).load(Ordering::Acquire);
        if has_barrier(header) && !state.lead.await_all(|| state.stopping()) {
            return;
        }
        // Later packets wait for one that waits for signals, so the lead is kept to its end.
        let is_kernel = header & 0xff == kind::KERNEL_DISPATCH;
        state.lead.begin(!is_kernel);
        if is_kernel && state.next(index + 1) == Next::Now {
            call_for_help(state);
        }
        match packet(state, index, header) {
            Ok((signal, start)) => {
                // The lead first: who is woken by the signal and submits the next packet need not look for a thread.
                leads = !is_kernel || state.lead.resume();
                complete(signal, start);
                state.lead.ended(index, |done| {
                    state.header(done).store(kind::INVALID, Ordering::Relaxed);
                    state.read_index().store(done + 1, Ordering::Release);
                });
            }
            Err(Halt::Stopping) => return,
            Err(Halt::Fault(fault)) => {
                // Being destroyed is the cause of such an end, not a fault of the kernel's; so is the first fault of
                // several kernels.
                if !state.stopped.swap(true, Ordering::SeqCst) {
                    report(state, fault);
                }
                return;
            }
        }
    }
}

/// Waits for the packet at an index to be written and rung for; false when the queue is stopping.
fn await_packet(state: &QueueState, index: u64) -> bool {
    let begin = Instant::now();
    loop {
        if state.stopping() {
            return false;
        }
        if state.ready(index) {
            return true;
        }
        let waited = begin.elapsed();
        if waited < SPIN {
            signals::pause(waited);
            continue;
        }
        let mut guard = state.lock.lock();
        state.sleeping.store(true, Ordering::SeqCst);
        if !state.ready(index) && !state.stopping() {
            // A packet may be written after a later one's bell: look again in a while even without a bell.
            let rung_past = state.rung.load(Ordering::SeqCst) > index as i64;
            let nap = if rung_past { Duration::from_micros(50) } else { Duration::from_millis(100) };
            state.wake.wait_for(&mut guard, nap);
        }
        state.sleeping.store(false, Ordering::SeqCst);
    }
}

fn report(state: &QueueState, fault: Fault) {
    let code = status_of(fault.kind);
    *state.agent.last_fault.lock() = Some(fault.clone());
    state.outcome.lock().fault = Some(fault.clone());
    // Kernels that run beside it end too.
    halt(state);
    state.inactive.store(1);
    // A C program cannot ask for more than the status, which its callback often answers by ending the process.
    if state.callback.0.is_none() || PROCESS.tells_faults.load(Ordering::Relaxed) {
        eprintln!("hsa queue {}: {code}: {fault}", state.id);
    }
    events::tell(&state.agent, &fault);
    if let Some(callback) = state.callback.0 {
        // SAFETY: the creator of the queue passed the callback with its data.
        unsafe { callback(code, state.address as *mut HsaQueue, state.callback.1) };
    }
}

/// What the callback is told.
fn status_of(kind: FaultKind) -> Status {
    match kind {
        FaultKind::Memory | FaultKind::Alignment => Status::MEMORY_FAULT,
        FaultKind::Instruction | FaultKind::Undefined | FaultKind::Fetch => Status::ILLEGAL_INSTRUCTION,
        FaultKind::Resources => Status::OUT_OF_RESOURCES,
        FaultKind::Packet => Status::INVALID_PACKET_FORMAT,
        _ => Status::EXCEPTION,
    }
}

/// What tells the end of a packet, and when it began.
type Completion = (SignalHandle, u64);

/// Executes a packet.
fn packet(state: &QueueState, index: u64, header: u16) -> Result<Completion, Halt> {
    let address = state.packet_address(index);
    let start = ticks();
    match header & 0xff {
        kind::KERNEL_DISPATCH => {
            // SAFETY: the packet is in the queue's memory; the header's acquire made the rest visible.
            let packet = unsafe { (address as *const KernelDispatchPacket).read_volatile() };
            dispatch(state, &packet, address, index)?;
            Ok((packet.completion_signal, start))
        }
        which @ (kind::BARRIER_AND | kind::BARRIER_OR) => {
            // SAFETY: as above.
            let packet = unsafe { (address as *const BarrierPacket).read_volatile() };
            let signals: Vec<_> = packet.dep_signal.into_iter().filter(|s| s.handle != 0).collect();
            if which == kind::BARRIER_AND {
                signals.iter().for_each(|s| signals::wait_zero(*s, || state.stopping()));
            } else {
                signals::wait_any_zero(&signals, || state.stopping());
            }
            waited(state, packet.completion_signal, start)
        }
        kind::VENDOR_SPECIFIC => {
            // SAFETY: as above.
            let packet = unsafe { (address as *const BarrierValuePacket).read_volatile() };
            if packet.amd_format != amd::BARRIER_VALUE {
                let what = match packet.amd_format {
                    amd::PM4_INDIRECT => "commands of the command processor (PM4), as profilers send them,",
                    _ => "a vendor-specific packet of unknown format",
                };
                let text = format!(
                    "packet {index} of the queue has {what} (format {}), which the embedded device does not take: of AMD's packets it executes barrier-value ({})",
                    packet.amd_format,
                    amd::BARRIER_VALUE
                );
                return Err(Halt::Fault(Fault::new(FaultKind::Packet, "?", text)));
            }
            if packet.condition > info::condition::GTE {
                let text = format!(
                    "packet {index} of the queue is a barrier-value packet with condition {}: EQ (0), NE (1), LT (2) and GTE (3) are possible",
                    packet.condition
                );
                return Err(Halt::Fault(Fault::new(FaultKind::Packet, "?", text)));
            }
            let met = |value: i64| signals::meets(packet.condition, value & packet.mask, packet.value);
            signals::wait_until(packet.signal, met, || state.stopping());
            waited(state, packet.completion_signal, start)
        }
        other => {
            let what = match other {
                kind::AGENT_DISPATCH => "an agent-dispatch packet, which a GPU agent does not take",
                _ => "a packet of unknown kind",
            };
            let text = format!(
                "packet {index} of the queue is {what} (header {header:#06x}): kernel-dispatch, barrier-AND, barrier-OR and AMD's barrier-value are executed"
            );
            Err(Halt::Fault(Fault::new(FaultKind::Packet, "?", text)))
        }
    }
}

/// The end of a packet that waited for signals.
fn waited(state: &QueueState, signal: SignalHandle, start: u64) -> Result<Completion, Halt> {
    if state.stopping() {
        return Err(Halt::Stopping);
    }
    Ok((signal, start))
}

fn complete(signal: SignalHandle, start: u64) {
    if let Ok(cell) = Cell::of(signal) {
        cell.set_times(start, ticks());
        cell.subtract(1);
    }
}

fn dispatch(state: &QueueState, packet: &KernelDispatchPacket, packet_va: u64, index: u64) -> Result<(), Halt> {
    let dispatch = prepare(state, packet, packet_va, index).map_err(Halt::Fault)?;
    let config =
        Config { cus: state.cus(), priority: state.priority.load(Ordering::Relaxed), ..state.config.lock().clone() };
    let run = catch_unwind(AssertUnwindSafe(|| (state.engine)(&dispatch, &PROCESS.memory, &config)));
    match run {
        Ok(Ok(stats)) => {
            state.outcome.lock().stats = Some(stats);
            Ok(())
        }
        Ok(Err(fault)) => Err(Halt::Fault(fault)),
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown");
            let text = format!("the engine failed, which is a defect of wavesmith and not of the kernel: {text}");
            Err(Halt::Fault(Fault::new(FaultKind::Instruction, dispatch.kernel, text)))
        }
    }
}

/// Checks a packet and gathers what the engine needs.
fn prepare(state: &QueueState, packet: &KernelDispatchPacket, packet_va: u64, index: u64) -> Result<Dispatch, Fault> {
    let descriptor_va = packet.kernel_object;
    let code = PROCESS.code_at(descriptor_va);
    let name = code
        .as_ref()
        .and_then(|c| c.kernel_at(descriptor_va))
        .map_or_else(|| format!("kernel@{descriptor_va:#x}"), |k| k.name.clone());
    let malformed = |text: String| Fault::new(FaultKind::Packet, name.clone(), text);
    let dimensions = u32::from(packet.setup & 3);
    let workgroup = [packet.workgroup_size_x, packet.workgroup_size_y, packet.workgroup_size_z].map(u32::from);
    let grid = [packet.grid_size_x, packet.grid_size_y, packet.grid_size_z];
    if dimensions == 0 {
        return Err(malformed("the packet's setup has 0 dimensions, 1 to 3 are possible".to_owned()));
    }
    let unused = dimensions as usize..3;
    if unused.clone().any(|i| workgroup[i] != 1 || grid[i] != 1) {
        return Err(malformed(format!(
            "the packet has {dimensions} dimensions, so the others of grid {grid:?} and workgroup {workgroup:?} must be 1"
        )));
    }
    if grid.contains(&0) || workgroup.contains(&0) {
        return Err(malformed(format!("grid {grid:?} or workgroup {workgroup:?} has no work-items")));
    }
    // At most 2^48: no overflow.
    let items = workgroup.iter().map(|w| u64::from(*w)).product::<u64>();
    if items > 1024 {
        let text = format!("a workgroup of {items} work-items, the hardware holds 1024");
        return Err(Fault::new(FaultKind::Resources, name, text));
    }
    let lds = state.sku.target.max_lds();
    if packet.group_segment_size > lds {
        let text =
            format!("{} bytes of LDS, a workgroup has at most {lds} on {}", packet.group_segment_size, state.sku.name);
        return Err(Fault::new(FaultKind::Resources, name, text));
    }
    if !descriptor_va.is_multiple_of(64) {
        return Err(malformed(format!("the kernel object {descriptor_va:#x} is not aligned to 64 bytes")));
    }
    let mut view = PROCESS.memory.view(state.agent.id);
    let raw = view.resolve(descriptor_va, KernelDescriptor::SIZE).map_err(|e| Fault {
        address: Some(descriptor_va),
        ..Fault::new(FaultKind::Memory, name.clone(), format!("the kernel object cannot be read: {e}"))
    })?;
    // SAFETY: the view resolved the whole descriptor, and its map keeps the memory.
    let raw = unsafe { raw.cast::<[u8; KernelDescriptor::SIZE]>().read() };
    let descriptor = KernelDescriptor::decode(&raw);
    if packet.group_segment_size < descriptor.group_segment_size {
        return Err(malformed(format!(
            "the packet gives {} bytes of LDS, the kernel itself uses {}",
            packet.group_segment_size, descriptor.group_segment_size
        )));
    }
    if packet.private_segment_size < descriptor.private_segment_size {
        return Err(malformed(format!(
            "the packet gives {} bytes of scratch a work-item, the kernel itself uses {}",
            packet.private_segment_size, descriptor.private_segment_size
        )));
    }
    Ok(Dispatch {
        sku: state.sku,
        agent: state.agent.id,
        kernel: name,
        code,
        descriptor,
        descriptor_va,
        entry_va: descriptor_va.wrapping_add_signed(descriptor.entry_offset),
        grid,
        workgroup,
        dimensions,
        kernarg_va: packet.kernarg_address,
        group_bytes: packet.group_segment_size,
        private_bytes: packet.private_segment_size,
        packet_va,
        queue_va: state.address,
        dispatch_id: index,
    })
}

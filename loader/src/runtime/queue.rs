//! Queues: packets into the ring, and what comes back.

use super::error::check;
use super::{Agent, Buffer, Kernel, MemoryKind, RuntimeError, Shared, Signal};
use crate::hsa::abi::{AmdQueue, HsaQueue, ProfilingTime, SignalHandle};
use crate::hsa::packet::{BarrierPacket, FenceScope, KernelDispatchPacket, header, kind};
use crate::hsa::{Status, info};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks at the error state while waiting: what a fault costs at most before it is seen.
const SLICE: Duration = Duration::from_millis(5);

/// A queue; clones share it.
#[derive(Clone, Debug)]
pub struct Queue {
    ring: Arc<Ring>,
}

#[derive(Debug)]
struct Ring {
    shared: Arc<Shared>,
    agent: Agent,
    queue: NonNull<HsaQueue>,
    errors: Box<Errors>,
    /// Arguments and signals of dispatches that ended, to be used again: making them costs more than a packet.
    spare: Mutex<Vec<Held>>,
    /// What unfinished dispatches use, kept until the queue is gone.
    abandoned: Mutex<Vec<(Kernel, Held)>>,
}

/// What a dispatch needs until it has ended: its kernarg segment and its completion signal.
type Held = (Buffer, Signal);

/// Bytes of a kernarg segment that is kept for later dispatches.
const SPARE_SIZE: usize = 4096;
/// Segments that are kept.
const SPARES: usize = 64;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is locked is lists that are whole between any two statements.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

// SAFETY: the queue's functions and ring may be used from any thread (type MULTI); the pointer is stable.
unsafe impl Send for Ring {}
// SAFETY: as above.
unsafe impl Sync for Ring {}

/// What the error callback leaves.
#[derive(Debug, Default)]
struct Errors {
    status: AtomicU32,
}

unsafe extern "C" fn on_error(status: Status, _queue: *mut HsaQueue, data: *mut c_void) {
    // SAFETY: the data is the queue's `Errors`, which lives until after the queue is destroyed.
    let errors = unsafe { &*data.cast::<Errors>() };
    // The first error is the cause.
    let _ = errors.status.compare_exchange(0, status.0, Ordering::AcqRel, Ordering::Acquire);
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: created once, destroyed once; afterwards no packet runs and no callback comes.
        let _ = unsafe { (self.shared.functions().hsa_queue_destroy)(self.queue.as_ptr()) };
    }
}

/// How many work-items, and in which workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Grid in work-items.
    pub grid: [u32; 3],
    /// Workgroup in work-items.
    pub workgroup: [u16; 3],
}

impl Geometry {
    /// A grid of whole workgroups; `None` where the grid has more than 2³² work-items in a dimension.
    pub fn of_workgroups(workgroups: [u32; 3], workgroup: [u16; 3]) -> Option<Geometry> {
        let mut grid = [0; 3];
        for i in 0..3 {
            grid[i] = workgroups[i].checked_mul(workgroup[i].into())?;
        }
        Some(Geometry { grid, workgroup })
    }

    /// Dimensions in use: the last one with more than one work-item.
    pub fn dimensions(&self) -> u16 {
        (1..3).rev().find(|i| self.grid[*i] > 1 || self.workgroup[*i] > 1).map_or(1, |i| i as u16 + 1)
    }
}

/// A kernel launch.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// Which kernel.
    pub kernel: &'a Kernel,
    /// How many of it.
    pub geometry: Geometry,
    /// Bytes of LDS beyond the kernel's own.
    pub dynamic_lds: u32,
    /// The kernarg segment; zeros are added up to the kernel's size.
    pub kernargs: &'a [u8],
}

/// When a dispatch ran, by the device's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// From start to end.
    pub duration: Duration,
}

/// A dispatch on its way.
#[derive(Debug)]
pub struct Pending {
    ring: Arc<Ring>,
    // Its code must stay loaded while it runs.
    kernel: Kernel,
    held: Option<Held>,
}

impl Queue {
    pub(super) fn create(shared: &Arc<Shared>, agent: &Agent, size: u32) -> Result<Queue, RuntimeError> {
        let functions = shared.functions();
        let errors = Box::<Errors>::default();
        let mut queue = std::ptr::null_mut();
        // SAFETY: the callback's data is boxed and outlives the queue; private and group sizes are left to the runtime.
        let status = unsafe {
            (functions.hsa_queue_create)(
                agent.handle(),
                size,
                info::queue_type::MULTI,
                Some(on_error),
                std::ptr::from_ref(errors.as_ref()).cast_mut().cast(),
                u32::MAX,
                u32::MAX,
                &raw mut queue,
            )
        };
        check("hsa_queue_create", status)?;
        let queue = NonNull::new(queue)
            .ok_or(RuntimeError::Call { function: "hsa_queue_create", status: Status::INVALID_QUEUE_CREATION })?;
        let ring = Ring {
            shared: shared.clone(),
            agent: agent.clone(),
            queue,
            errors,
            spare: Mutex::default(),
            abandoned: Mutex::default(),
        };
        // SAFETY: the queue lives. Without times only `Pending::times` fails, so a refusal is no error here.
        let _ = unsafe { (functions.hsa_amd_profiling_set_profiler_enabled)(queue.as_ptr(), 1) };
        Ok(Queue { ring: Arc::new(ring) })
    }

    /// The queue's C structure: the key for the embedded device's own functions.
    pub fn raw(&self) -> *mut HsaQueue {
        self.ring.queue.as_ptr()
    }

    /// High halves of the flat addresses of LDS and scratch, as the queue tells kernels.
    pub fn apertures(&self) -> [u32; 2] {
        let queue = self.raw().cast::<AmdQueue>();
        // SAFETY: the runtime's queues are `amd_queue_t`s, whose first member is the public structure; these fields do
        // not change after creation.
        unsafe { [(*queue).group_segment_aperture_base_hi, (*queue).private_segment_aperture_base_hi] }
    }

    /// What the queue's error callback was told first, if it was.
    pub fn error(&self) -> Option<Status> {
        self.ring.error()
    }

    /// Launches a kernel. Packets run in order. The kernel may touch buffers until [`Pending`] says it has ended: keep
    /// them until then.
    ///
    /// # Errors
    /// [`RuntimeError::BadLaunch`], [`RuntimeError::QueueFault`] where the queue is dead, or what the runtime returned.
    pub fn launch(&self, launch: &Launch) -> Result<Pending, RuntimeError> {
        let kernel = launch.kernel;
        let bad = |reason: String| RuntimeError::BadLaunch { kernel: kernel.name().to_owned(), reason };
        let Geometry { grid, workgroup } = launch.geometry;
        if grid.contains(&0) || workgroup.contains(&0) {
            return Err(bad(format!("a grid of {grid:?} work-items in workgroups of {workgroup:?} is empty")));
        }
        let group_size = kernel.group_size().checked_add(launch.dynamic_lds);
        let group_size = group_size.ok_or_else(|| bad("the LDS size overflows".to_owned()))?;
        let size = launch.kernargs.len().max(kernel.kernarg_size() as usize).max(16);
        let (kernargs, signal) = self.ring.hold(size)?;
        let mut bytes = vec![0; size];
        bytes[..launch.kernargs.len()].copy_from_slice(launch.kernargs);
        kernargs.write(0, &bytes)?;
        let packet = KernelDispatchPacket {
            header: header(kind::KERNEL_DISPATCH, true, FenceScope::System, FenceScope::System),
            setup: launch.geometry.dimensions(),
            workgroup_size_x: workgroup[0],
            workgroup_size_y: workgroup[1],
            workgroup_size_z: workgroup[2],
            reserved0: 0,
            grid_size_x: grid[0],
            grid_size_y: grid[1],
            grid_size_z: grid[2],
            private_segment_size: kernel.private_size(),
            group_segment_size: group_size,
            kernel_object: kernel.object(),
            kernarg_address: kernargs.address(),
            reserved2: 0,
            completion_signal: signal.handle(),
        };
        let pending = Pending { ring: self.ring.clone(), kernel: kernel.clone(), held: Some((kernargs, signal)) };
        self.ring.submit(&packet, kernel.name())?;
        Ok(pending)
    }

    /// A barrier-AND packet: later packets wait until all these signals are 0. At most five.
    ///
    /// # Errors
    /// [`RuntimeError::BadLaunch`] for more than five, [`RuntimeError::QueueFault`] where the queue is dead.
    pub fn barrier(&self, signals: &[&Signal]) -> Result<(), RuntimeError> {
        const NAME: &str = "barrier-AND";
        if signals.len() > 5 {
            let reason = format!("{} signals, a packet holds at most 5", signals.len());
            return Err(RuntimeError::BadLaunch { kernel: NAME.to_owned(), reason });
        }
        let mut packet = BarrierPacket {
            header: header(kind::BARRIER_AND, true, FenceScope::System, FenceScope::System),
            ..BarrierPacket::default()
        };
        for (slot, signal) in packet.dep_signal.iter_mut().zip(signals) {
            *slot = signal.handle();
        }
        self.ring.submit(&packet, NAME)
    }
}

/// A packet: 64 bytes, header first.
trait Packet {
    fn words(&self) -> [u32; 16];
}

impl Packet for KernelDispatchPacket {
    fn words(&self) -> [u32; 16] {
        // SAFETY: 64 bytes without padding, every bit pattern of which is a value of the words.
        unsafe { std::mem::transmute_copy(self) }
    }
}

impl Packet for BarrierPacket {
    fn words(&self) -> [u32; 16] {
        // SAFETY: 64 bytes without padding, every bit pattern of which is a value of the words.
        unsafe { std::mem::transmute_copy(self) }
    }
}

const _: () = assert!(size_of::<KernelDispatchPacket>() == 64 && size_of::<BarrierPacket>() == 64);

impl Ring {
    fn error(&self) -> Option<Status> {
        match self.errors.status.load(Ordering::Acquire) {
            0 => None,
            status => Some(Status(status)),
        }
    }

    /// A kernarg segment of at least that size and a signal that is 1.
    fn hold(&self, size: usize) -> Result<Held, RuntimeError> {
        if size <= SPARE_SIZE
            && let Some((kernargs, signal)) = lock(&self.spare).pop()
        {
            signal.store(1);
            return Ok((kernargs, signal));
        }
        let kernargs = self.agent.allocate(MemoryKind::Kernarg, size.max(SPARE_SIZE))?;
        Ok((kernargs, Signal::create(&self.shared, 1)?))
    }

    fn alive(&self, kernel: &str) -> Result<(), RuntimeError> {
        match self.error() {
            Some(status) => Err(RuntimeError::QueueFault { kernel: kernel.to_owned(), status }),
            None => Ok(()),
        }
    }

    fn submit(&self, packet: &impl Packet, kernel: &str) -> Result<(), RuntimeError> {
        self.alive(kernel)?;
        let functions = self.shared.functions();
        let queue = self.queue.as_ptr();
        // SAFETY: the queue lives; these fields do not change after creation.
        let (base, size, doorbell): (*mut c_void, u32, SignalHandle) =
            unsafe { ((*queue).base_address, (*queue).size, (*queue).doorbell_signal) };
        // SAFETY: the queue lives.
        let index = unsafe { (functions.hsa_queue_add_write_index_screlease)(queue, 1) };
        let begin = Instant::now();
        // SAFETY: the queue lives.
        while index - unsafe { (functions.hsa_queue_load_read_index_scacquire)(queue) } >= u64::from(size) {
            // The slot is reserved: giving up leaves a hole, which only a dead queue may have.
            self.alive(kernel)?;
            if begin.elapsed() < Duration::from_micros(50) { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        let slot = base.cast::<u32>().wrapping_add((index % u64::from(size)) as usize * 16);
        let words = packet.words();
        for (i, word) in words.iter().enumerate().skip(1) {
            // SAFETY: the slot is in the ring, and this thread reserved it.
            unsafe { slot.add(i).write_volatile(*word) };
        }
        // The header makes the packet the device's: last, and after everything else is visible.
        // SAFETY: as above; the device reads this dword atomically.
        unsafe { AtomicU32::from_ptr(slot) }.store(words[0], Ordering::Release);
        // SAFETY: the doorbell lives as long as the queue.
        unsafe { (functions.hsa_signal_store_screlease)(doorbell, index as i64) };
        Ok(())
    }
}

impl Pending {
    /// Whether the kernel has ended.
    ///
    /// # Errors
    /// [`RuntimeError::QueueFault`] where the queue died.
    pub fn is_done(&self) -> Result<bool, RuntimeError> {
        let done = self.signal().is_none_or(|s| s.load() < 1);
        if !done {
            self.ring.alive(self.kernel.name())?;
        }
        Ok(done)
    }

    /// Waits until the kernel has ended.
    ///
    /// # Errors
    /// [`RuntimeError::Timeout`], after which it may be waited for again, and [`RuntimeError::QueueFault`].
    pub fn wait(&self, timeout: Duration) -> Result<(), RuntimeError> {
        let begin = Instant::now();
        loop {
            let left = timeout.saturating_sub(begin.elapsed());
            if self.signal().is_none_or(|s| s.wait_below(1, left.min(SLICE))) {
                return Ok(());
            }
            self.ring.alive(self.kernel.name())?;
            if left.is_zero() {
                return Err(RuntimeError::Timeout { kernel: self.kernel.name().to_owned(), after: timeout });
            }
        }
    }

    /// When it ran, after it has ended.
    ///
    /// # Errors
    /// What the runtime returned; [`Status::ERROR`] while it still runs.
    pub fn times(&self) -> Result<Times, RuntimeError> {
        if !self.is_done()? {
            return Err(RuntimeError::Call { function: "hsa_amd_profiling_get_dispatch_time", status: Status::ERROR });
        }
        let mut time = ProfilingTime::default();
        let signal = self.signal().map_or(SignalHandle::default(), Signal::handle);
        // SAFETY: the agent and signal live, and the out pointer is valid.
        let status = unsafe {
            (self.ring.shared.functions().hsa_amd_profiling_get_dispatch_time)(
                self.ring.agent.handle(),
                signal,
                &raw mut time,
            )
        };
        check("hsa_amd_profiling_get_dispatch_time", status)?;
        let ticks = u128::from(time.end.saturating_sub(time.start));
        let nanos = ticks * 1_000_000_000 / u128::from(self.ring.shared.frequency);
        Ok(Times { duration: Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)) })
    }

    /// The kernel's name.
    pub fn kernel(&self) -> &str {
        self.kernel.name()
    }

    fn signal(&self) -> Option<&Signal> {
        self.held.as_ref().map(|(_, signal)| signal)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let Some((kernargs, signal)) = self.held.take() else { return };
        // A kernel that still runs reads its arguments and signals its end: both must stay.
        if signal.load() >= 1 {
            lock(&self.ring.abandoned).push((self.kernel.clone(), (kernargs, signal)));
            return;
        }
        let mut spare = lock(&self.ring.spare);
        if kernargs.size() == SPARE_SIZE && spare.len() < SPARES {
            spare.push((kernargs, signal));
        }
    }
}

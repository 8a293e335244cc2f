//! Signals: `amd_signal_t` cells in device-visible memory, and threads that wait for them.
//!
//! A handle is the cell's address, as in the real runtime, since device code works on the cell. Cells come from slabs
//! that are never given back, so that a late decrement of a destroyed signal touches no one else's memory. A waiter
//! spins a little (a dispatch may take microseconds), then sleeps on one of a few condition variables; kernels change
//! cells without telling anyone, so no sleep is longer than a millisecond.

use super::process::{PROCESS, status};
use super::queues;
use crate::memory::Kind;
use parking_lot::{Condvar, Mutex, RwLock};
use std::mem::offset_of;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering, fence};
use std::time::{Duration, Instant};
use wavesmith_loader::hsa::abi::{AgentHandle, AmdSignal, SignalHandle, SignalValue};
use wavesmith_loader::hsa::{Status, info};

const SLAB: usize = 64 << 10;
const SPIN: Duration = Duration::from_micros(30);
/// How long of that without giving way.
const ALONE: Duration = Duration::from_micros(2);
const SLEEP: Duration = Duration::from_millis(1);

const USER: i64 = 1;
const DOORBELL: i64 = -1;

struct Pool {
    slabs: RwLock<Vec<u64>>,
    free: Mutex<Vec<u64>>,
}

static POOL: Pool = Pool { slabs: RwLock::new(Vec::new()), free: Mutex::new(Vec::new()) };

struct Bucket {
    waiters: AtomicU32,
    lock: Mutex<()>,
    changed: Condvar,
}

static BUCKETS: [Bucket; 32] =
    [const { Bucket { waiters: AtomicU32::new(0), lock: Mutex::new(()), changed: Condvar::new() } }; 32];

/// Where those sleep who wait for any of several signals.
static ANY: Bucket = Bucket { waiters: AtomicU32::new(0), lock: Mutex::new(()), changed: Condvar::new() };

fn bucket(address: u64) -> &'static Bucket {
    &BUCKETS[(address / size_of::<AmdSignal>() as u64) as usize % BUCKETS.len()]
}

/// A live signal.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    address: u64,
}

impl Cell {
    /// The cell of a handle, if it is one of ours and not destroyed.
    pub fn of(handle: SignalHandle) -> Result<Cell, Status> {
        let address = handle.handle;
        let inside = |slab: &u64| address.wrapping_sub(*slab) < SLAB as u64;
        if !address.is_multiple_of(size_of::<AmdSignal>() as u64) || !POOL.slabs.read().iter().any(inside) {
            return Err(Status::INVALID_SIGNAL);
        }
        let cell = Cell { address };
        if cell.kind().load(Ordering::Acquire) == 0 { Err(Status::INVALID_SIGNAL) } else { Ok(cell) }
    }

    fn create(kind: i64, value: SignalValue) -> Result<Cell, Status> {
        let mut free = POOL.free.lock();
        if free.is_empty() {
            let slab = PROCESS.memory.allocate(SLAB, Kind::Runtime, None).map_err(|_| Status::OUT_OF_RESOURCES)?;
            slab.allow_all();
            POOL.slabs.write().push(slab.base());
            let cells = (0..SLAB).step_by(size_of::<AmdSignal>());
            free.extend(cells.rev().map(|offset| slab.base() + offset as u64));
        }
        let cell = Cell { address: free.pop().ok_or(Status::OUT_OF_RESOURCES)? };
        drop(free);
        cell.set_times(0, 0);
        cell.queue().store(0, Ordering::Relaxed);
        cell.value().store(value, Ordering::Relaxed);
        cell.kind().store(kind, Ordering::Release);
        Ok(cell)
    }

    /// A signal for anyone.
    pub fn user(value: SignalValue) -> Result<Cell, Status> {
        Cell::create(USER, value)
    }

    /// A doorbell of the queue at that address.
    pub fn doorbell(queue: u64) -> Result<Cell, Status> {
        let cell = Cell::create(DOORBELL, -1)?;
        cell.queue().store(queue, Ordering::Release);
        Ok(cell)
    }

    pub fn handle(self) -> SignalHandle {
        SignalHandle { handle: self.address }
    }

    fn word(self, offset: usize) -> *mut u64 {
        (self.address + offset as u64) as *mut u64
    }

    fn kind(self) -> &'static AtomicI64 {
        // SAFETY: the cell is in a slab, which is never unmapped, and the field is aligned.
        unsafe { AtomicI64::from_ptr(self.word(offset_of!(AmdSignal, kind)).cast()) }
    }

    pub fn value(self) -> &'static AtomicI64 {
        // SAFETY: as above.
        unsafe { AtomicI64::from_ptr(self.word(offset_of!(AmdSignal, value)).cast()) }
    }

    fn queue(self) -> &'static AtomicU64 {
        // SAFETY: as above.
        unsafe { AtomicU64::from_ptr(self.word(offset_of!(AmdSignal, queue_ptr))) }
    }

    fn times(self) -> [&'static AtomicU64; 2] {
        // SAFETY: as above, for both fields.
        [offset_of!(AmdSignal, start_ts), offset_of!(AmdSignal, end_ts)]
            .map(|offset| unsafe { AtomicU64::from_ptr(self.word(offset)) })
    }

    pub fn set_times(self, start: u64, end: u64) {
        let [s, e] = self.times();
        s.store(start, Ordering::Relaxed);
        e.store(end, Ordering::Relaxed);
    }

    pub fn read_times(self) -> (u64, u64) {
        let [s, e] = self.times();
        (s.load(Ordering::Relaxed), e.load(Ordering::Relaxed))
    }

    /// Wakes whoever waits, or the queue whose doorbell it is.
    fn announce(self) {
        if self.kind().load(Ordering::Relaxed) == DOORBELL {
            queues::ring(self.queue().load(Ordering::Acquire), self.value().load(Ordering::Acquire));
            return;
        }
        // Against the waiter's own fence: either it sees the new value or we see it waiting.
        fence(Ordering::SeqCst);
        for bucket in [bucket(self.address), &ANY] {
            if bucket.waiters.load(Ordering::Relaxed) > 0 {
                drop(bucket.lock.lock());
                bucket.changed.notify_all();
            }
        }
    }

    /// Changes the value and wakes whoever it concerns; returns what it was.
    pub fn update(self, change: impl Fn(&AtomicI64) -> SignalValue) -> SignalValue {
        let before = change(self.value());
        self.announce();
        before
    }

    pub fn store(self, value: SignalValue) {
        self.value().store(value, Ordering::Release);
        self.announce();
    }

    pub fn subtract(self, value: SignalValue) {
        self.value().fetch_sub(value, Ordering::AcqRel);
        self.announce();
    }

    /// Gives the cell back.
    pub fn destroy(self) {
        self.kind().store(0, Ordering::Release);
        POOL.free.lock().push(self.address);
    }

    /// Waits until `done` holds for the value, or `timeout`, or `give_up`; returns the value seen last.
    fn wait(
        self,
        done: impl Fn(SignalValue) -> bool,
        timeout: Duration,
        spin: Duration,
        give_up: impl Fn() -> bool,
    ) -> SignalValue {
        let begin = Instant::now();
        loop {
            let seen = self.value().load(Ordering::Acquire);
            let waited = begin.elapsed();
            if done(seen) || waited >= timeout || give_up() {
                return seen;
            }
            if waited < spin {
                pause(waited);
                continue;
            }
            let bucket = bucket(self.address);
            bucket.waiters.fetch_add(1, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            {
                let mut guard = bucket.lock.lock();
                if !done(self.value().load(Ordering::Acquire)) {
                    bucket.changed.wait_for(&mut guard, SLEEP.min(timeout.saturating_sub(waited)));
                }
            }
            bucket.waiters.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// One round of spinning, after having waited that long: on a busy host the other side may need this very core.
pub(super) fn pause(waited: Duration) {
    if waited < ALONE {
        std::hint::spin_loop();
    } else {
        std::thread::yield_now();
    }
}

/// Waits until a signal is 0: a packet's or copy's dependency. No signal, or a destroyed one, is no wait.
pub(super) fn wait_zero(signal: SignalHandle, give_up: impl Fn() -> bool) {
    wait_until(signal, |v| v == 0, give_up);
}

/// Waits until a signal's value is as wanted. No signal, or a destroyed one, is no wait.
pub(super) fn wait_until(signal: SignalHandle, met: impl Fn(SignalValue) -> bool, give_up: impl Fn() -> bool) {
    if let Ok(cell) = Cell::of(signal) {
        cell.wait(met, Duration::MAX, SPIN, give_up);
    }
}

/// Waits until one of the signals is 0.
pub(super) fn wait_any_zero(signals: &[SignalHandle], give_up: impl Fn() -> bool) {
    let cells: Vec<_> = signals.iter().filter_map(|s| Cell::of(*s).ok()).collect();
    if !cells.is_empty() {
        wait_any(|| cells.iter().find(|c| c.value().load(Ordering::Acquire) == 0), Duration::MAX, give_up);
    }
}

/// Waits until `ready` finds something, which it may take away with it, or `timeout`, or `give_up`.
pub(super) fn wait_any<T>(ready: impl Fn() -> Option<T>, timeout: Duration, give_up: impl Fn() -> bool) -> Option<T> {
    let begin = Instant::now();
    loop {
        if let Some(found) = ready() {
            return Some(found);
        }
        let waited = begin.elapsed();
        if waited >= timeout || give_up() {
            return None;
        }
        if waited < SPIN {
            pause(waited);
            continue;
        }
        ANY.waiters.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let found = {
            let mut guard = ANY.lock.lock();
            let found = ready();
            if found.is_none() {
                ANY.changed.wait_for(&mut guard, SLEEP.min(timeout.saturating_sub(waited)));
            }
            found
        };
        ANY.waiters.fetch_sub(1, Ordering::Relaxed);
        // What is found is taken, and would be lost if it were looked for again.
        if found.is_some() {
            return found;
        }
    }
}

/// Wakes those who wait for any of several things, to look again.
pub(super) fn wake_any() {
    drop(ANY.lock.lock());
    ANY.changed.notify_all();
}

/// Whether a value meets a condition (`hsa_signal_condition_t`).
pub(super) fn meets(condition: u32, value: SignalValue, compare: SignalValue) -> bool {
    use info::condition as c;
    match condition {
        c::EQ => value == compare,
        c::NE => value != compare,
        c::LT => value < compare,
        c::GTE => value >= compare,
        // None of the headers': waiting for it would never end.
        _ => true,
    }
}

pub(super) unsafe extern "C" fn signal_create(
    initial: SignalValue,
    consumers: u32,
    agents: *const AgentHandle,
    signal: *mut SignalHandle,
) -> Status {
    status((|| {
        PROCESS.started()?;
        if signal.is_null() || (consumers != 0 && agents.is_null()) {
            return Err(Status::INVALID_ARGUMENT);
        }
        let cell = Cell::user(initial)?;
        // SAFETY: the caller passes a valid out pointer.
        unsafe { signal.write(cell.handle()) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn signal_destroy(signal: SignalHandle) -> Status {
    status(Cell::of(signal).map(Cell::destroy))
}

pub(super) unsafe extern "C" fn signal_load(signal: SignalHandle) -> SignalValue {
    Cell::of(signal).map_or(0, |c| c.value().load(Ordering::Acquire))
}

pub(super) unsafe extern "C" fn signal_store(signal: SignalHandle, value: SignalValue) {
    if let Ok(cell) = Cell::of(signal) {
        cell.store(value);
    }
}

pub(super) unsafe extern "C" fn signal_wait(
    signal: SignalHandle,
    condition: u32,
    compare: SignalValue,
    timeout: u64,
    state: u32,
) -> SignalValue {
    let Ok(cell) = Cell::of(signal) else { return 0 };
    let done = |v: SignalValue| meets(condition, v, compare);
    let spin = if state == info::wait::ACTIVE { SPIN * 10 } else { SPIN };
    cell.wait(done, Duration::from_nanos(timeout), spin, || false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell as Once;

    /// As a callback's task is, which nobody runs if it is lost: HIP then waits for its command for ever.
    #[test]
    fn what_is_found_on_the_way_to_sleep_is_returned() {
        let taken = Once::new(false);
        let found = wait_any(
            || (ANY.lock.is_locked() && !taken.replace(true)).then_some(7),
            Duration::from_millis(100),
            || false,
        );
        assert_eq!(found, Some(7));
    }
}

//! Copies and fills. Host and device share addresses, but for locked memory, so a copy is a copy; what can be checked is
//! that it stays within the allocations it starts in.

use super::agents::AgentState;
use super::process::{PROCESS, put, status, ticks};
use super::signals;
use crate::engine::disturbed;
use std::ffi::c_void;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::{AgentHandle, Dim3, ProfilingTime, SignalHandle};

/// Where the bytes of a range are in this process. One that starts in an allocation must stay in it, or in those that
/// were mapped one behind the other; others are the host's own business.
fn place(address: *const c_void, size: usize) -> Result<usize, Status> {
    let address = address as u64;
    let map = PROCESS.memory.snapshot();
    match map.find(address) {
        Some(a) if size as u64 > a.mapped() as u64 - (address - a.base()) => {
            let end = address.checked_add(size as u64).ok_or(Status::INVALID_ARGUMENT)?;
            let mut at = a.base() + a.mapped() as u64;
            while a.base() == a.host() && at < end {
                let next = map.find(at).filter(|n| n.base() == at && n.host() == at);
                at += next.ok_or(Status::INVALID_ARGUMENT)?.mapped() as u64;
            }
            if at < end { Err(Status::INVALID_ARGUMENT) } else { Ok(address as usize) }
        }
        Some(a) => Ok((a.host() + (address - a.base())) as usize),
        None if address == 0 => Err(Status::INVALID_ARGUMENT),
        None => Ok(address as usize),
    }
}

pub(super) unsafe extern "C" fn memory_copy(to: *mut c_void, from: *const c_void, size: usize) -> Status {
    status((|| {
        if size == 0 {
            return Ok(());
        }
        let (to, from) = (place(to, size)?, place(from, size)?);
        // SAFETY: the caller passes memory of that size, and device memory was checked.
        unsafe { std::ptr::copy(from as *const u8, to as *mut u8, size) };
        disturbed();
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn memory_fill(pointer: *mut c_void, value: u32, count: usize) -> Status {
    status((|| {
        let size = count.checked_mul(4).ok_or(Status::INVALID_ARGUMENT)?;
        if !(pointer as usize).is_multiple_of(4) {
            return Err(Status::INVALID_ARGUMENT);
        }
        if count == 0 {
            return Ok(());
        }
        let pointer = place(pointer, size)? as *mut std::mem::MaybeUninit<u32>;
        // SAFETY: the caller passes memory of that size, aligned as checked: an alias has the same place in its page.
        unsafe { std::slice::from_raw_parts_mut(pointer, count) }.fill(std::mem::MaybeUninit::new(value));
        disturbed();
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn memory_async_copy(
    to: *mut c_void,
    to_agent: AgentHandle,
    from: *const c_void,
    from_agent: AgentHandle,
    size: usize,
    dependencies: u32,
    signals: *const SignalHandle,
    completion: SignalHandle,
) -> Status {
    status((|| {
        AgentState::of(to_agent)?;
        AgentState::of(from_agent)?;
        let (to, from) = if size == 0 { (to as usize, from as usize) } else { (place(to, size)?, place(from, size)?) };
        // SAFETY: the caller passes that many signals.
        let signals = unsafe { Signals::of(dependencies, signals, completion) }?;
        // SAFETY: the caller keeps both ranges until the completion signal, and device memory was checked.
        signals.run(move || unsafe { std::ptr::copy(from as *const u8, to as *mut u8, size) })
    })())
}

/// The copy engines that an agent has beside its compute units: one for each direction of the host's link. Here each
/// copy has a thread of its own, so all are always free and none is better than another.
const ENGINES: u32 = 0b11;

/// The engines for copies between two agents. A copy within one is a kernel's work.
fn engines(to_agent: AgentHandle, from_agent: AgentHandle, mask: *mut u32) -> Result<(), Status> {
    let (to, from) = (AgentState::of(to_agent)?, AgentState::of(from_agent)?);
    if to.id == from.id {
        return Err(Status::INVALID_AGENT);
    }
    // SAFETY: the caller passes null or a valid out pointer.
    unsafe { put(mask.cast(), ENGINES) }
}

pub(super) unsafe extern "C" fn engine_status(
    to_agent: AgentHandle,
    from_agent: AgentHandle,
    mask: *mut u32,
) -> Status {
    status(engines(to_agent, from_agent, mask))
}

/// `hsa_amd_memory_async_copy_on_engine`: an engine is asked for by its one bit.
pub(super) unsafe extern "C" fn memory_async_copy_on_engine(
    to: *mut c_void,
    to_agent: AgentHandle,
    from: *const c_void,
    from_agent: AgentHandle,
    size: usize,
    dependencies: u32,
    signals: *const SignalHandle,
    completion: SignalHandle,
    engine: u32,
    _force_engine: bool,
) -> Status {
    // The parts have up to 16.
    if !engine.is_power_of_two() || engine > 1 << 15 {
        return Status::INVALID_ARGUMENT;
    }
    // SAFETY: the caller passes what the plain function takes.
    unsafe { memory_async_copy(to, to_agent, from, from_agent, size, dependencies, signals, completion) }
}

/// What a copy waits for, and what tells its end.
struct Signals {
    waits: Vec<SignalHandle>,
    completion: SignalHandle,
}

impl Signals {
    /// # Safety
    /// The pointer must be null or valid for that many reads.
    unsafe fn of(count: u32, signals: *const SignalHandle, completion: SignalHandle) -> Result<Signals, Status> {
        if (count == 0) != signals.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let waits = if count == 0 {
            Vec::new()
        } else {
            // SAFETY: the caller vouches for the list.
            unsafe { std::slice::from_raw_parts(signals, count as usize) }.to_vec()
        };
        for signal in waits.iter().chain([&completion]) {
            signals::Cell::of(*signal)?;
        }
        Ok(Signals { waits, completion })
    }

    /// Copies once the signals are 0, on a thread of its own: copies do not wait for each other.
    fn run(self, copy: impl FnOnce() + Send + 'static) -> Result<(), Status> {
        let work = move || {
            for signal in self.waits {
                signals::wait_zero(signal, || false);
            }
            let start = ticks();
            copy();
            // A kernel may be waiting for what was copied.
            disturbed();
            if let Ok(cell) = signals::Cell::of(self.completion) {
                cell.set_times(start, ticks());
                cell.subtract(1);
            }
        };
        let thread = std::thread::Builder::new().name("hsa-copy".to_owned()).spawn(work);
        thread.map(drop).map_err(|_| Status::OUT_OF_RESOURCES)
    }
}

/// `hsa_pitched_ptr_t`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct PitchedPointer {
    base: *mut c_void,
    pitch: usize,
    slice: usize,
}

impl PitchedPointer {
    /// Address of the first byte of a row, and how far rows and slices are apart.
    fn rows(&self, offset: Dim3, range: Dim3) -> Result<Rows, Status> {
        let row = |y: u32, z: u32| {
            let z = (z as usize).checked_mul(self.slice)?;
            let y = (y as usize).checked_mul(self.pitch)?;
            z.checked_add(y)?.checked_add(offset.x as usize)
        };
        let first = row(offset.y, offset.z).ok_or(Status::INVALID_ARGUMENT)?;
        let (y, z) = (offset.y.checked_add(range.y - 1), offset.z.checked_add(range.z - 1));
        let last = y.zip(z).and_then(|(y, z)| row(y, z)).ok_or(Status::INVALID_ARGUMENT)?;
        let start = self.base.wrapping_byte_add(first);
        let size = (last - first).checked_add(range.x as usize).ok_or(Status::INVALID_ARGUMENT)?;
        Ok(Rows { start: place(start, size)?, pitch: self.pitch, slice: self.slice })
    }
}

#[derive(Clone, Copy)]
struct Rows {
    start: usize,
    pitch: usize,
    slice: usize,
}

pub(super) unsafe extern "C" fn memory_async_copy_rect(
    to: *const PitchedPointer,
    to_offset: *const Dim3,
    from: *const PitchedPointer,
    from_offset: *const Dim3,
    range: *const Dim3,
    agent: AgentHandle,
    direction: u32,
    dependencies: u32,
    signals: *const SignalHandle,
    completion: SignalHandle,
) -> Status {
    status((|| {
        AgentState::of(agent)?;
        let pointers_are_null =
            to.is_null() || to_offset.is_null() || from.is_null() || from_offset.is_null() || range.is_null();
        // Host and device to each other and themselves.
        if pointers_are_null || direction > 3 {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes valid structures.
        let (to, to_offset, from, from_offset, range) =
            unsafe { (to.read(), to_offset.read(), from.read(), from_offset.read(), range.read()) };
        // SAFETY: the caller passes that many signals.
        let signals = unsafe { Signals::of(dependencies, signals, completion) }?;
        if range.x == 0 || range.y == 0 || range.z == 0 {
            return signals.run(|| {});
        }
        let (to, from) = (to.rows(to_offset, range)?, from.rows(from_offset, range)?);
        signals.run(move || {
            for (z, y) in (0..range.z as usize).flat_map(|z| (0..range.y as usize).map(move |y| (z, y))) {
                let at = |rows: Rows| rows.start + z * rows.slice + y * rows.pitch;
                // SAFETY: as for a plain copy; every row lies in the ranges that were checked.
                unsafe { std::ptr::copy(at(from) as *const u8, at(to) as *mut u8, range.x as usize) };
            }
        })
    })())
}

/// Times of copies are always taken: they cost nothing here.
pub(super) unsafe extern "C" fn profiling_enable(_enable: bool) -> Status {
    status(PROCESS.started())
}

pub(super) unsafe extern "C" fn copy_time(signal: SignalHandle, time: *mut ProfilingTime) -> Status {
    status((|| {
        let (start, end) = signals::Cell::of(signal)?.read_times();
        if end == 0 {
            // No copy with this signal has ended.
            return Err(Status::ERROR);
        }
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(time.cast(), ProfilingTime { start, end }) }
    })())
}

/// The device's clock is the system's.
pub(super) unsafe extern "C" fn convert_tick(agent: AgentHandle, tick: u64, out: *mut u64) -> Status {
    status(AgentState::of(agent).and_then(|_| {
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(out.cast(), tick) }
    }))
}

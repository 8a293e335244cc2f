//! Copies and fills. Host and device share addresses, so a copy is a copy; what can be checked is that it stays within
//! the allocations it starts in.

use super::agents::AgentState;
use super::process::{PROCESS, status, ticks};
use super::signals;
use std::ffi::c_void;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::{AgentHandle, SignalHandle};

/// An address that starts in an allocation must stay in it; others are the host's own business.
fn fits(address: *const c_void, size: usize) -> Result<(), Status> {
    let address = address as u64;
    match PROCESS.memory.snapshot().find(address) {
        Some(a) if size as u64 > a.mapped() as u64 - (address - a.base()) => Err(Status::INVALID_ARGUMENT),
        _ if address == 0 => Err(Status::INVALID_ARGUMENT),
        _ => Ok(()),
    }
}

pub(super) unsafe extern "C" fn memory_copy(to: *mut c_void, from: *const c_void, size: usize) -> Status {
    status((|| {
        if size == 0 {
            return Ok(());
        }
        fits(to, size)?;
        fits(from, size)?;
        // SAFETY: the caller passes memory of that size, and device memory was checked.
        unsafe { std::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), size) };
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
        fits(pointer, size)?;
        // SAFETY: the caller passes memory of that size, aligned as checked.
        unsafe { std::slice::from_raw_parts_mut(pointer.cast::<std::mem::MaybeUninit<u32>>(), count) }
            .fill(std::mem::MaybeUninit::new(value));
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
        if (dependencies == 0) != signals.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        if size != 0 {
            fits(to, size)?;
            fits(from, size)?;
        }
        let waits = if dependencies == 0 {
            Vec::new()
        } else {
            // SAFETY: the caller passes that many signals.
            unsafe { std::slice::from_raw_parts(signals, dependencies as usize) }.to_vec()
        };
        for signal in waits.iter().chain([&completion]) {
            signals::Cell::of(*signal)?;
        }
        let (to, from) = (to as usize, from as usize);
        let copy = move || {
            for signal in waits {
                signals::wait_zero(signal, || false);
            }
            let start = ticks();
            // SAFETY: the caller keeps both ranges until the completion signal, and device memory was checked.
            unsafe { std::ptr::copy(from as *const u8, to as *mut u8, size) };
            if let Ok(cell) = signals::Cell::of(completion) {
                cell.set_times(start, ticks());
                cell.subtract(1);
            }
        };
        std::thread::Builder::new().name("hsa-copy".to_owned()).spawn(copy).map_err(|_| Status::OUT_OF_RESOURCES)?;
        Ok(())
    })())
}

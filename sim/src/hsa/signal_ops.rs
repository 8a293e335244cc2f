//! The rest of the signal functions of `hsa.h`: read-modify-write in every memory order, groups, waits for any of
//! several. One function serves all orders of an operation: it has the strongest, which every weaker one allows.

use super::process::{Handles, PROCESS, status};
use super::signals::{self, Cell, meets};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::{AgentHandle, SignalHandle, SignalValue};

static GROUPS: LazyLock<Handles<Vec<SignalHandle>>> = LazyLock::new(|| Handles::new(0x56));

/// A signal's value is changed; a stale handle is nobody's, and there is no status to tell it by.
fn update(signal: SignalHandle, change: impl Fn(&AtomicI64) -> SignalValue) -> SignalValue {
    Cell::of(signal).map_or(0, |cell| cell.update(change))
}

pub(super) unsafe extern "C" fn exchange(signal: SignalHandle, value: SignalValue) -> SignalValue {
    update(signal, |v| v.swap(value, Ordering::AcqRel))
}

pub(super) unsafe extern "C" fn cas(signal: SignalHandle, expected: SignalValue, value: SignalValue) -> SignalValue {
    update(signal, |v| {
        v.compare_exchange(expected, value, Ordering::AcqRel, Ordering::Acquire).unwrap_or_else(|found| found)
    })
}

pub(super) unsafe extern "C" fn add(signal: SignalHandle, value: SignalValue) {
    update(signal, |v| v.fetch_add(value, Ordering::AcqRel));
}

pub(super) unsafe extern "C" fn subtract(signal: SignalHandle, value: SignalValue) {
    update(signal, |v| v.fetch_sub(value, Ordering::AcqRel));
}

pub(super) unsafe extern "C" fn and(signal: SignalHandle, value: SignalValue) {
    update(signal, |v| v.fetch_and(value, Ordering::AcqRel));
}

pub(super) unsafe extern "C" fn or(signal: SignalHandle, value: SignalValue) {
    update(signal, |v| v.fetch_or(value, Ordering::AcqRel));
}

pub(super) unsafe extern "C" fn xor(signal: SignalHandle, value: SignalValue) {
    update(signal, |v| v.fetch_xor(value, Ordering::AcqRel));
}

/// Stores without waking anyone, as the headers have it: who waits sees the value when it looks next.
pub(super) unsafe extern "C" fn silent_store(signal: SignalHandle, value: SignalValue) {
    if let Ok(cell) = Cell::of(signal) {
        cell.value().store(value, Ordering::Release);
    }
}

/// `hsa_amd_signal_create`: the attributes tell who will wait, which changes nothing here.
pub(super) unsafe extern "C" fn create_with_attributes(
    initial: SignalValue,
    consumers: u32,
    agents: *const AgentHandle,
    _attributes: u64,
    signal: *mut SignalHandle,
) -> Status {
    // SAFETY: the caller passes what the plain function takes.
    unsafe { signals::signal_create(initial, consumers, agents, signal) }
}

pub(super) unsafe extern "C" fn value_pointer(signal: SignalHandle, pointer: *mut *mut SignalValue) -> Status {
    status(Cell::of(signal).and_then(|cell| {
        if pointer.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes a valid out pointer.
        unsafe { pointer.write(cell.value().as_ptr()) };
        Ok(())
    }))
}

/// A list that the caller passes as pointer and length.
///
/// # Safety
/// The pointer must be null or valid for that many reads.
unsafe fn list<T: Copy>(pointer: *const T, count: u32) -> Result<Vec<T>, Status> {
    if pointer.is_null() || count == 0 {
        return Err(Status::INVALID_ARGUMENT);
    }
    // SAFETY: the caller vouches for the list.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count as usize) }.to_vec())
}

pub(super) unsafe extern "C" fn group_create(
    count: u32,
    signals: *const SignalHandle,
    consumers: u32,
    agents: *const AgentHandle,
    group: *mut u64,
) -> Status {
    status((|| {
        PROCESS.started()?;
        if group.is_null() || (consumers != 0 && agents.is_null()) {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes that many signals.
        let signals = unsafe { list(signals, count) }?;
        for signal in &signals {
            Cell::of(*signal)?;
        }
        // SAFETY: the caller passes a valid out pointer.
        unsafe { group.write(GROUPS.insert(signals)) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn group_destroy(group: u64) -> Status {
    status(GROUPS.remove(group).map(drop).ok_or(Status::INVALID_SIGNAL_GROUP))
}

/// Index and value of the first signal that meets its condition.
fn first(cells: &[Cell], conditions: &[u32], values: &[SignalValue]) -> Option<(usize, SignalValue)> {
    let seen = cells.iter().map(|c| c.value().load(Ordering::Acquire)).enumerate();
    seen.into_iter().find(|(i, v)| meets(conditions[*i], *v, values[*i]))
}

pub(super) unsafe extern "C" fn group_wait_any(
    group: u64,
    conditions: *const u32,
    values: *const SignalValue,
    _state: u32,
    signal: *mut SignalHandle,
    value: *mut SignalValue,
) -> Status {
    status((|| {
        let signals = GROUPS.get(group).ok_or(Status::INVALID_SIGNAL_GROUP)?;
        if signal.is_null() || value.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let count = signals.len() as u32;
        // SAFETY: the caller passes as many of each as the group has signals.
        let (conditions, values) = unsafe { (list(conditions, count)?, list(values, count)?) };
        let cells = signals.iter().map(|s| Cell::of(*s)).collect::<Result<Vec<_>, _>>()?;
        let found = signals::wait_any(|| first(&cells, &conditions, &values), Duration::MAX, || false);
        let (index, seen) = found.ok_or(Status::ERROR)?;
        // SAFETY: the caller passes valid out pointers.
        unsafe {
            signal.write(signals[index]);
            value.write(seen);
        }
        Ok(())
    })())
}

/// `hsa_amd_signal_wait_all`: 0, or `u32::MAX` after the timeout. A signal that is none counts as 0 and as having met
/// its condition, as the real runtime has it.
pub(super) unsafe extern "C" fn wait_all(
    count: u32,
    signals: *const SignalHandle,
    conditions: *const u32,
    values: *const SignalValue,
    timeout: u64,
    _state: u32,
    satisfying: *mut SignalValue,
) -> u32 {
    // SAFETY: the caller passes that many of each.
    let lists = unsafe { (list(signals, count), list(conditions, count), list(values, count)) };
    let (Ok(signals), Ok(conditions), Ok(values)) = lists else { return u32::MAX };
    let cells: Vec<_> = signals.iter().map(|s| Cell::of(*s).ok()).collect();
    let all = || {
        let seen = cells.iter().zip(&conditions).zip(&values).map(|((cell, condition), value)| match cell {
            Some(cell) => Some(cell.value().load(Ordering::Acquire)).filter(|v| meets(*condition, *v, *value)),
            None => Some(0),
        });
        seen.collect::<Option<Vec<_>>>()
    };
    let Some(seen) = signals::wait_any(all, Duration::from_nanos(timeout), || false) else { return u32::MAX };
    if !satisfying.is_null() {
        // SAFETY: the caller passes null or room for as many values as signals.
        unsafe { std::slice::from_raw_parts_mut(satisfying, seen.len()) }.copy_from_slice(&seen);
    }
    0
}

/// `hsa_amd_signal_wait_any`: the index of the signal, or `u32::MAX` after the timeout.
pub(super) unsafe extern "C" fn wait_any(
    count: u32,
    signals: *const SignalHandle,
    conditions: *const u32,
    values: *const SignalValue,
    timeout: u64,
    _state: u32,
    satisfying: *mut SignalValue,
) -> u32 {
    let lists = || {
        // SAFETY: the caller passes that many of each.
        let (signals, conditions, values) =
            unsafe { (list(signals, count)?, list(conditions, count)?, list(values, count)?) };
        let cells = signals.iter().map(|s| Cell::of(*s)).collect::<Result<Vec<_>, _>>()?;
        Ok::<_, Status>((cells, conditions, values))
    };
    let Ok((cells, conditions, values)) = lists() else { return u32::MAX };
    let found = signals::wait_any(|| first(&cells, &conditions, &values), Duration::from_nanos(timeout), || false);
    let Some((index, seen)) = found else { return u32::MAX };
    if !satisfying.is_null() {
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { satisfying.write(seen) };
    }
    index as u32
}

//! The rest of the queue functions: indices in every memory order, queues that software serves, CU masks, priorities.
//! As with signals, one function serves all orders.

use super::process::{PROCESS, put, status};
use super::queues;
use super::signals::Cell;
use crate::memory::Kind;
use parking_lot::RwLock;
use std::collections::HashMap;
use std::ffi::c_void;
use std::mem::{MaybeUninit, offset_of};
use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use wavesmith_loader::hsa::abi::{AmdQueue, HsaQueue, RegionHandle, SignalHandle};
use wavesmith_loader::hsa::{Status, info};

/// Queues that the application serves, by address; nothing here looks at their packets.
static SOFT: LazyLock<RwLock<HashMap<u64, ()>>> = LazyLock::new(RwLock::default);

/// Where a software queue's ring begins in its memory.
const RING: usize = 4096;
const PACKET: usize = 64;

fn is_queue(address: u64) -> bool {
    PROCESS.queues.read().contains_key(&address) || SOFT.read().contains_key(&address)
}

/// An index of a queue; `None` for what is no queue of ours.
fn index(queue: *const HsaQueue, offset: usize) -> Option<&'static AtomicU64> {
    let address = queue as u64;
    // SAFETY: the queue lives, its memory starts with an `amd_queue_t`, and the field is aligned. The caller must not
    // destroy a queue that it uses, so the reference does not outlive it.
    is_queue(address).then(|| unsafe { AtomicU64::from_ptr((address + offset as u64) as *mut u64) })
}

fn write_index(queue: *const HsaQueue) -> Option<&'static AtomicU64> {
    index(queue, offset_of!(AmdQueue, write_dispatch_id))
}

fn read_index(queue: *const HsaQueue) -> Option<&'static AtomicU64> {
    index(queue, offset_of!(AmdQueue, read_dispatch_id))
}

pub(super) unsafe extern "C" fn load_write_index(queue: *const HsaQueue) -> u64 {
    write_index(queue).map_or(0, |i| i.load(Ordering::Acquire))
}

pub(super) unsafe extern "C" fn load_read_index(queue: *const HsaQueue) -> u64 {
    read_index(queue).map_or(0, |i| i.load(Ordering::Acquire))
}

pub(super) unsafe extern "C" fn store_write_index(queue: *const HsaQueue, value: u64) {
    if let Some(i) = write_index(queue) {
        i.store(value, Ordering::Release);
    }
}

/// Only software queues: the reading of the others is the device's.
pub(super) unsafe extern "C" fn store_read_index(queue: *const HsaQueue, value: u64) {
    if SOFT.read().contains_key(&(queue as u64))
        && let Some(i) = read_index(queue)
    {
        i.store(value, Ordering::Release);
    }
}

pub(super) unsafe extern "C" fn cas_write_index(queue: *const HsaQueue, expected: u64, value: u64) -> u64 {
    write_index(queue).map_or(0, |i| {
        i.compare_exchange(expected, value, Ordering::AcqRel, Ordering::Acquire).unwrap_or_else(|found| found)
    })
}

pub(super) unsafe extern "C" fn add_write_index(queue: *const HsaQueue, value: u64) -> u64 {
    write_index(queue).map_or(0, |i| i.fetch_add(value, Ordering::AcqRel))
}

pub(super) unsafe extern "C" fn soft_queue_create(
    region: RegionHandle,
    size: u32,
    queue_type: u32,
    features: u32,
    doorbell: SignalHandle,
    queue: *mut *mut HsaQueue,
) -> Status {
    status((|| {
        PROCESS.started()?;
        if queue.is_null() || !size.is_power_of_two() || size > 1 << 20 || queue_type > 2 || features == 0 {
            return Err(Status::INVALID_ARGUMENT);
        }
        super::regions::check(region)?;
        Cell::of(doorbell)?;
        let memory = PROCESS
            .memory
            .allocate(RING + size as usize * PACKET, Kind::Runtime, None)
            .map_err(|_| Status::OUT_OF_RESOURCES)?;
        memory.allow_all();
        let address = memory.base();
        // SAFETY: the memory is new, page-aligned, zeroed and large enough for the structure.
        unsafe {
            (*(address as *mut AmdQueue)).hsa_queue = HsaQueue {
                kind: queue_type,
                features,
                base_address: (address + RING as u64) as *mut c_void,
                doorbell_signal: doorbell,
                size,
                reserved1: 0,
                id: address,
            };
        }
        for slot in 0..u64::from(size) {
            // A free slot, by the packet's kind.
            // SAFETY: the slot is in the memory just allocated.
            unsafe { ((address + RING as u64 + slot * PACKET as u64) as *mut u16).write(1) };
        }
        SOFT.write().insert(address, ());
        // SAFETY: the caller passes a valid out pointer.
        unsafe { queue.write(address as *mut HsaQueue) };
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn queue_destroy(queue: *mut HsaQueue) -> Status {
    if SOFT.write().remove(&(queue as u64)).is_some() {
        return status(PROCESS.memory.free(queue as u64).map_err(|_| Status::INVALID_QUEUE));
    }
    // SAFETY: the caller passes a queue.
    unsafe { queues::queue_destroy(queue) }
}

pub(super) unsafe extern "C" fn queue_inactivate(queue: *mut HsaQueue) -> Status {
    if SOFT.read().contains_key(&(queue as u64)) {
        return Status::SUCCESS;
    }
    // SAFETY: the caller passes a queue.
    unsafe { queues::queue_inactivate(queue) }
}

/// Kernels of a queue give way to running ones of queues with a higher priority.
pub(super) unsafe extern "C" fn set_priority(queue: *mut HsaQueue, priority: u32) -> Status {
    status(queues::state(queue).and_then(|state| {
        let priority = u8::try_from(priority).ok().filter(|p| *p <= info::priority::HIGH);
        state.set_priority(priority.ok_or(Status::INVALID_ARGUMENT)?);
        Ok(())
    }))
}

/// `hsa_amd_queue_get_info`: the queue's agent (0), or the number of its doorbell (1), which is the queue's own here.
pub(super) unsafe extern "C" fn queue_get_info(queue: *const HsaQueue, attribute: u32, value: *mut c_void) -> Status {
    status(queues::state(queue).and_then(|state| {
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match attribute {
                0 => put(value, state.agent()),
                1 => put(value, state.id()),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    }))
}

/// From the next packet on, workgroups only go to compute units whose bits are set, which also limits how many are
/// resident. Bits past the last unit are ignored.
pub(super) unsafe extern "C" fn set_cu_mask(queue: *const HsaQueue, bits: u32, mask: *const u32) -> Status {
    status((|| {
        let state = queues::state(queue)?;
        if bits == 0 {
            state.set_cus(None);
            return Ok(());
        }
        if !bits.is_multiple_of(32) || mask.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes that many bits.
        let words = unsafe { std::slice::from_raw_parts(mask, bits as usize / 32) };
        let set = |cu: &u32| words.get(*cu as usize / 32).is_some_and(|word| word >> (cu % 32) & 1 == 1);
        let cus: Arc<[u32]> = (0..state.sku().cus).filter(set).collect();
        if cus.is_empty() {
            // Nothing could ever run.
            return Err(Status::INVALID_ARGUMENT);
        }
        state.set_cus(Some(cus));
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn get_cu_mask(queue: *const HsaQueue, bits: u32, mask: *mut u32) -> Status {
    status((|| {
        let state = queues::state(queue)?;
        if bits == 0 || !bits.is_multiple_of(32) || mask.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes room for that many bits.
        let words = unsafe { std::slice::from_raw_parts_mut(mask.cast::<MaybeUninit<u32>>(), bits as usize / 32) };
        words.fill(MaybeUninit::new(0));
        let all: Arc<[u32]> = (0..state.sku().cus).collect();
        for cu in state.cus().unwrap_or(all).iter() {
            if let Some(word) = words.get_mut(*cu as usize / 32) {
                // SAFETY: every word was written above.
                *word = MaybeUninit::new(unsafe { word.assume_init() } | 1 << (cu % 32));
            }
        }
        Ok(())
    })())
}

//! The process's devices: memory, agents, loaded code, and tables of handles.

use super::agents::AgentState;
use super::queues::QueueState;
use crate::AgentId;
use crate::code::Code;
use crate::memory::{MAX_AGENTS, Memory};
use parking_lot::RwLock;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;
use wavesmith_loader::hsa::Status;

pub(super) static PROCESS: LazyLock<Process> = LazyLock::new(Process::default);

/// Everything the functions share.
#[derive(Default)]
pub(super) struct Process {
    pub memory: Memory,
    pub agents: RwLock<Vec<Arc<AgentState>>>,
    /// By address of the `amd_queue_t`.
    pub queues: RwLock<HashMap<u64, Arc<QueueState>>>,
    pub code: RwLock<Vec<Code>>,
    /// Users of all tables together.
    pub users: AtomicU32,
    /// Whether faults are told on stderr even where a queue has a callback.
    pub tells_faults: AtomicBool,
}

impl Process {
    /// Adds an agent, unless there are too many.
    pub fn add_agent(&self, make: impl FnOnce(AgentId) -> AgentState) -> Option<AgentId> {
        let mut agents = self.agents.write();
        let id = AgentId(agents.len());
        if id.0 >= MAX_AGENTS {
            return None;
        }
        agents.push(Arc::new(make(id)));
        Some(id)
    }

    pub fn started(&self) -> Result<(), Status> {
        if self.users.load(Ordering::Acquire) == 0 { Err(Status::NOT_INITIALIZED) } else { Ok(()) }
    }

    /// The code object that holds an address.
    pub fn code_at(&self, va: u64) -> Option<Code> {
        self.code.read().iter().find(|c| c.contains(va)).cloned()
    }
}

/// Handles of one kind: numbers that are never used again, so a stale one is an error and not somebody else's.
pub(super) struct Handles<T> {
    tag: u64,
    next: AtomicU64,
    live: RwLock<HashMap<u64, Arc<T>>>,
}

impl<T> Handles<T> {
    pub fn new(tag: u8) -> Handles<T> {
        Handles { tag: u64::from(tag) << 56, next: AtomicU64::new(1), live: RwLock::default() }
    }

    pub fn insert(&self, value: T) -> u64 {
        let handle = self.tag | self.next.fetch_add(1, Ordering::Relaxed);
        self.live.write().insert(handle, Arc::new(value));
        handle
    }

    pub fn get(&self, handle: u64) -> Option<Arc<T>> {
        self.live.read().get(&handle).cloned()
    }

    /// Everything live, by handle.
    pub fn all(&self) -> Vec<(u64, Arc<T>)> {
        let mut all: Vec<_> = self.live.read().iter().map(|(handle, value)| (*handle, value.clone())).collect();
        all.sort_by_key(|(handle, _)| *handle);
        all
    }

    pub fn remove(&self, handle: u64) -> Option<Arc<T>> {
        self.live.write().remove(&handle)
    }
}

/// The system clock in ticks of a nanosecond.
pub(super) fn ticks() -> u64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    // One, so that a time of 0 always means "never".
    1 + u64::try_from(BEGIN.elapsed().as_nanos()).unwrap_or(u64::MAX - 1)
}

/// Turns a result into what C sees.
pub(super) fn status(result: Result<(), Status>) -> Status {
    result.err().unwrap_or(Status::SUCCESS)
}

/// Stores an attribute.
///
/// # Safety
/// `to` must be null or valid for a write of `T`.
pub(super) unsafe fn put<T>(to: *mut c_void, value: T) -> Result<(), Status> {
    if to.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    // SAFETY: the caller vouches for the pointer; C callers align as they like.
    unsafe { to.cast::<T>().write_unaligned(value) };
    Ok(())
}

/// Stores a text in an array of `size` bytes, cut and NUL-padded.
///
/// # Safety
/// `to` must be null or valid for a write of `size` bytes.
pub(super) unsafe fn put_text(to: *mut c_void, size: usize, text: &str) -> Result<(), Status> {
    if to.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    let n = text.len().min(size - 1);
    // SAFETY: the caller vouches for `size` bytes, and `n` is less.
    unsafe {
        std::ptr::write_bytes(to.cast::<u8>(), 0, size);
        std::ptr::copy_nonoverlapping(text.as_ptr(), to.cast(), n);
    }
    Ok(())
}

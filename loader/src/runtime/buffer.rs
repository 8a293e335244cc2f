//! Buffers: memory of a pool that an agent may access.

use super::error::check;
use super::{Agent, RuntimeError, Shared};
use std::ffi::c_void;
use std::ptr::{NonNull, null};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Where memory is and who keeps it coherent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// Device memory, coarse-grained: what kernels work on.
    Device,
    /// Device memory, fine-grained.
    DeviceFine,
    /// Host memory, fine-grained: the host may poll it while a kernel runs.
    Host,
    /// Host memory for kernel arguments.
    Kernarg,
}

impl MemoryKind {
    const fn name(self) -> &'static str {
        match self {
            MemoryKind::Device => "device",
            MemoryKind::DeviceFine => "fine-grained device",
            MemoryKind::Host => "host",
            MemoryKind::Kernarg => "kernarg",
        }
    }

    const fn host_addressable(self) -> bool {
        matches!(self, MemoryKind::Host | MemoryKind::Kernarg)
    }
}

/// An allocation; clones share it, and the last one frees it.
#[derive(Clone, Debug)]
pub struct Buffer {
    allocation: Arc<Allocation>,
}

#[derive(Debug)]
struct Allocation {
    shared: Arc<Shared>,
    pointer: NonNull<c_void>,
    size: usize,
    kind: MemoryKind,
}

// SAFETY: the pointer is an address of memory that any thread may use; all access goes through copies and atomics.
unsafe impl Send for Allocation {}
// SAFETY: as above.
unsafe impl Sync for Allocation {}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the pool and is freed once. A failure has nobody to report to.
        let _ = unsafe { (self.shared.functions().hsa_amd_memory_pool_free)(self.pointer.as_ptr()) };
    }
}

impl Buffer {
    pub(super) fn allocate(
        shared: &Arc<Shared>,
        agent: &Agent,
        kind: MemoryKind,
        size: usize,
    ) -> Result<Buffer, RuntimeError> {
        let functions = shared.functions();
        let pool = agent.pool(kind)?;
        let mut pointer = std::ptr::null_mut();
        // SAFETY: the pool is the runtime's own and the out pointer is valid.
        let status = unsafe { (functions.hsa_amd_memory_pool_allocate)(pool, size, 0, &raw mut pointer) };
        check("hsa_amd_memory_pool_allocate", status)?;
        let pointer = NonNull::new(pointer).ok_or(RuntimeError::Call {
            function: "hsa_amd_memory_pool_allocate",
            status: crate::hsa::Status::OUT_OF_RESOURCES,
        })?;
        let buffer = Buffer { allocation: Arc::new(Allocation { shared: shared.clone(), pointer, size, kind }) };
        if kind.host_addressable() {
            let handle = agent.handle();
            // SAFETY: one agent, no flags, and a pointer that was just allocated.
            let status =
                unsafe { (functions.hsa_amd_agents_allow_access)(1, &raw const handle, null(), pointer.as_ptr()) };
            check("hsa_amd_agents_allow_access", status)?;
        }
        Ok(buffer)
    }

    /// Its device address: what a kernel argument holds.
    pub fn address(&self) -> u64 {
        self.allocation.pointer.as_ptr() as u64
    }

    /// Its bytes.
    pub fn size(&self) -> usize {
        self.allocation.size
    }

    /// What memory it is.
    pub fn kind(&self) -> MemoryKind {
        self.allocation.kind
    }

    /// Lets these agents access it (and its own agent still): peer access.
    ///
    /// # Errors
    /// What the runtime returned.
    pub fn allow(&self, agents: &[&Agent]) -> Result<(), RuntimeError> {
        let handles: Vec<_> = agents.iter().map(|a| a.handle()).collect();
        let functions = self.allocation.shared.functions();
        // SAFETY: the list has that many agents and the pointer is an allocation's.
        let status = unsafe {
            (functions.hsa_amd_agents_allow_access)(
                handles.len() as u32,
                handles.as_ptr(),
                null(),
                self.allocation.pointer.as_ptr(),
            )
        };
        check("hsa_amd_agents_allow_access", status)
    }

    fn at(&self, offset: usize, size: usize) -> Result<*mut c_void, RuntimeError> {
        match offset.checked_add(size) {
            Some(end) if end <= self.allocation.size => {
                Ok((self.allocation.pointer.as_ptr() as *mut u8).wrapping_add(offset).cast())
            }
            _ => Err(RuntimeError::OutOfBuffer { offset, size, buffer: self.allocation.size }),
        }
    }

    /// Copies bytes in.
    ///
    /// # Errors
    /// [`RuntimeError::OutOfBuffer`], or what the runtime returned.
    pub fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), RuntimeError> {
        let to = self.at(offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the target is inside the buffer, the source is a slice, and they cannot overlap.
        let status =
            unsafe { (self.allocation.shared.functions().hsa_memory_copy)(to, bytes.as_ptr().cast(), bytes.len()) };
        check("hsa_memory_copy", status)
    }

    /// Copies bytes out.
    ///
    /// # Errors
    /// [`RuntimeError::OutOfBuffer`], or what the runtime returned.
    pub fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), RuntimeError> {
        let from = self.at(offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the source is inside the buffer, the target is a slice, and they cannot overlap.
        let status = unsafe {
            (self.allocation.shared.functions().hsa_memory_copy)(bytes.as_mut_ptr().cast(), from, bytes.len())
        };
        check("hsa_memory_copy", status)
    }

    /// Copies everything out.
    ///
    /// # Errors
    /// What the runtime returned.
    pub fn to_vec(&self) -> Result<Vec<u8>, RuntimeError> {
        let mut bytes = vec![0; self.allocation.size];
        self.read(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Fills `count` dwords from a byte offset on.
    ///
    /// # Errors
    /// [`RuntimeError::OutOfBuffer`], [`RuntimeError::NotAtomic`] for an offset that is no dword's, or what the
    /// runtime returned.
    pub fn fill(&self, offset: usize, value: u32, count: usize) -> Result<(), RuntimeError> {
        let to = self.at(offset, count.saturating_mul(4))?;
        if !offset.is_multiple_of(4) {
            return Err(self.not_atomic(offset, 4));
        }
        // SAFETY: that many dwords from the target on are inside the buffer, and aligned.
        let status = unsafe { (self.allocation.shared.functions().hsa_amd_memory_fill)(to, value, count) };
        check("hsa_amd_memory_fill", status)
    }

    fn not_atomic(&self, offset: usize, align: usize) -> RuntimeError {
        RuntimeError::NotAtomic { offset, kind: self.allocation.kind.name(), align }
    }

    fn atomic_at(&self, offset: usize, size: usize) -> Result<*mut c_void, RuntimeError> {
        let pointer = self.at(offset, size)?;
        if !self.allocation.kind.host_addressable() || !offset.is_multiple_of(size) {
            return Err(self.not_atomic(offset, size));
        }
        Ok(pointer)
    }

    /// Reads a dword of a host buffer with acquire order, while a kernel may be writing it.
    ///
    /// # Errors
    /// [`RuntimeError::NotAtomic`] and [`RuntimeError::OutOfBuffer`].
    pub fn load_u32(&self, offset: usize) -> Result<u32, RuntimeError> {
        let pointer = self.atomic_at(offset, 4)?;
        // SAFETY: the dword is inside the buffer, aligned (pools align to pages), and only accessed atomically while
        // kernels run.
        Ok(unsafe { AtomicU32::from_ptr(pointer.cast()) }.load(Ordering::Acquire))
    }

    /// Writes a dword of a host buffer with release order, while a kernel may be reading it.
    ///
    /// # Errors
    /// [`RuntimeError::NotAtomic`] and [`RuntimeError::OutOfBuffer`].
    pub fn store_u32(&self, offset: usize, value: u32) -> Result<(), RuntimeError> {
        let pointer = self.atomic_at(offset, 4)?;
        // SAFETY: as in `load_u32`.
        unsafe { AtomicU32::from_ptr(pointer.cast()) }.store(value, Ordering::Release);
        Ok(())
    }

    /// Reads a quadword of a host buffer with acquire order, while a kernel may be writing it.
    ///
    /// # Errors
    /// [`RuntimeError::NotAtomic`] and [`RuntimeError::OutOfBuffer`].
    pub fn load_u64(&self, offset: usize) -> Result<u64, RuntimeError> {
        let pointer = self.atomic_at(offset, 8)?;
        // SAFETY: as in `load_u32`, for eight bytes.
        Ok(unsafe { AtomicU64::from_ptr(pointer.cast()) }.load(Ordering::Acquire))
    }
}

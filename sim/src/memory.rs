//! Device memory: what is mapped where, and who may touch it.
//!
//! Device and host share one address space: a GPU virtual address is the host address, but for [aliases](Memory::alias)
//! of host memory. Every allocation has its own
//! anonymous mapping (pages are only committed when touched, so a 100 GiB pool costs nothing) with an unmapped-to-the-
//! device guard page behind it, so that a kernel that runs past the end meets no neighbour.
//!
//! Lookups must not lock: engines ask on every access. The map is an immutable sorted [`Map`] behind an `Arc`;
//! allocating or freeing publishes a new one and bumps a generation counter. A [`View`] holds one `Map` and the last
//! hit, and looks at the counter (one relaxed load) on each call. An allocation freed while an engine still holds an
//! older map stays mapped until that map is dropped: a late access is stale, never a crash of the host process.
//!
//! What this does not model: page sizes above 4 KiB, XNACK retry, demand paging.

#[cfg(target_os = "linux")]
pub mod ranges;

use crate::agent::AgentId;
use memmap2::{MmapMut, MmapOptions};
use parking_lot::RwLock;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a page: what allocations are rounded up to, and so what the hardware lets a kernel touch.
pub const PAGE: usize = 4096;
/// From this size on the host is asked for huge pages.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;
/// Agents that one process may have, over all its devices.
pub const MAX_AGENTS: usize = 256;

/// What an allocation is for; decides what caches may do with it and how a fault names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Device memory, coarse-grained: coherent at kernel boundaries.
    Coarse,
    /// Device memory, fine-grained.
    DeviceFine,
    /// Device memory that no cache keeps: coherent at system scope while a kernel runs.
    Uncached,
    /// Host memory, fine-grained: host and device see each other's stores while a kernel runs.
    HostFine,
    /// Host memory, coarse-grained.
    HostCoarse,
    /// Host memory for kernel arguments.
    Kernarg,
    /// A loaded code object.
    Code,
    /// Queue structures, packets and signals.
    Runtime,
    /// Scratch, made by the engine.
    Scratch,
    /// Host memory that the caller owns and registered.
    Registered,
}

/// An allocation: its bytes, and the agents that may access it.
#[derive(Debug)]
pub struct Allocation {
    base: u64,
    host: u64,
    size: usize,
    mapped: usize,
    kind: Kind,
    owner: Option<AgentId>,
    access: [AtomicU64; MAX_AGENTS / 64],
    // Held for its drop. `None` for registered memory, which the caller owns.
    _mapping: Option<MmapMut>,
    // Likewise: the address range of an alias, or of another process's memory.
    _reserved: Option<Reserved>,
    // Likewise: its place in a range that the caller reserved.
    #[cfg(target_os = "linux")]
    window: Option<ranges::Window>,
    /// The file that holds its bytes, once another process may map them.
    #[cfg(target_os = "linux")]
    shared: std::sync::OnceLock<std::os::fd::OwnedFd>,
}

/// Addresses that nothing else gets: the host faults on them.
#[derive(Debug)]
struct Reserved {
    base: u64,
    size: usize,
}

impl Reserved {
    #[cfg(unix)]
    fn new(size: usize) -> Option<Reserved> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping touches nothing that exists.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
        (base != libc::MAP_FAILED).then_some(Reserved { base: base as u64, size })
    }

    #[cfg(not(unix))]
    fn new(_size: usize) -> Option<Reserved> {
        None
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        #[cfg(unix)]
        // SAFETY: the range was mapped in `new` and is unmapped once; nothing was ever stored there.
        unsafe {
            libc::munmap(self.base as *mut libc::c_void, self.size);
        }
    }
}

impl Allocation {
    /// First address.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Where its bytes are in this process: `base`, but for an [alias](Memory::alias).
    pub fn host(&self) -> u64 {
        self.host
    }

    /// Bytes asked for.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Bytes the device may touch without a fault: `size` rounded up to pages.
    pub fn mapped(&self) -> usize {
        self.mapped
    }

    /// What it is for.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The agent whose memory it is; `None` is the host's.
    pub fn owner(&self) -> Option<AgentId> {
        self.owner
    }

    /// Whether an agent may access it.
    pub fn allows(&self, agent: AgentId) -> bool {
        self.access[agent.0 / 64].load(Ordering::Relaxed) >> (agent.0 % 64) & 1 != 0
    }

    /// Lets an agent access it.
    pub fn allow(&self, agent: AgentId) {
        self.access[agent.0 / 64].fetch_or(1 << (agent.0 % 64), Ordering::Release);
    }

    /// Takes an agent's access away. [`Memory::touch`] makes engines notice.
    pub fn disallow(&self, agent: AgentId) {
        self.access[agent.0 / 64].fetch_and(!(1 << (agent.0 % 64)), Ordering::Release);
    }

    /// Lets every agent access it.
    pub fn allow_all(&self) {
        for word in &self.access {
            word.store(u64::MAX, Ordering::Release);
        }
    }

    /// Takes every agent's access but the owner's away. [`Memory::touch`] makes engines notice.
    pub fn disallow_all(&self) {
        for (i, word) in self.access.iter().enumerate() {
            let keep = self.owner.filter(|o| o.0 / 64 == i).map_or(0, |o| 1 << (o.0 % 64));
            word.store(keep, Ordering::Release);
        }
    }
}

/// The allocations at one moment, sorted by address.
#[derive(Debug, Default)]
pub struct Map {
    generation: u64,
    // Bases apart from the rest: a binary search touches nothing else.
    bases: Vec<u64>,
    allocations: Vec<Arc<Allocation>>,
}

impl Map {
    /// Which publication of the map this is.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The allocation whose mapped pages hold that address.
    pub fn find(&self, address: u64) -> Option<&Arc<Allocation>> {
        let found = self.nearest_below(address)?;
        (address - found.base < found.mapped as u64).then_some(found)
    }

    /// The last allocation that starts at or below that address, whether or not it reaches it.
    pub fn nearest_below(&self, address: u64) -> Option<&Arc<Allocation>> {
        let after = self.bases.partition_point(|b| *b <= address);
        self.allocations.get(after.checked_sub(1)?)
    }

    /// Every allocation, by address.
    pub fn allocations(&self) -> &[Arc<Allocation>] {
        &self.allocations
    }
}

/// Why memory cannot be had or given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// Zero bytes, or more than an address space holds.
    #[error("an allocation of {0} bytes is not possible")]
    BadSize(usize),
    /// The host has no more.
    #[error("the host could not map {0} bytes")]
    OutOfMemory(usize),
    /// No allocation starts there.
    #[error("no allocation starts at {0:#x}")]
    NotAllocated(u64),
    /// Registered memory overlaps an allocation.
    #[error("the {size} bytes at {base:#x} overlap memory that is already mapped")]
    Overlaps {
        /// Where it starts.
        base: u64,
        /// Its bytes.
        size: usize,
    },
}

/// Why an access is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAccess {
    /// Nothing is mapped there; the nearest allocation below is told, as an overrun is the usual cause.
    #[error("nothing is mapped at {address:#x}{}", near(*.below))]
    Unmapped {
        /// First address of the access.
        address: u64,
        /// Base and size of the nearest allocation below.
        below: Option<(u64, usize)>,
    },
    /// The access starts in an allocation and runs past its end.
    #[error("{size} bytes at {address:#x} run past the end of the {allocation} bytes allocated at {base:#x}")]
    PastEnd {
        /// First address of the access.
        address: u64,
        /// Its bytes.
        size: usize,
        /// Base of the allocation.
        base: u64,
        /// Its bytes.
        allocation: usize,
    },
    /// The agent has not been given access.
    #[error("agent {agent} may not access the {kind:?} memory at {address:#x}: it was never given access (hsa_amd_agents_allow_access)", agent = .agent.0)]
    NotAllowed {
        /// First address of the access.
        address: u64,
        /// The agent.
        agent: AgentId,
        /// What memory it is.
        kind: Kind,
    },
}

fn near(below: Option<(u64, usize)>) -> String {
    below.map_or_else(String::new, |(base, size)| {
        format!(" (the nearest allocation below is {size} bytes at {base:#x})")
    })
}

/// All memory of the process's embedded devices.
#[derive(Debug, Default)]
pub struct Memory {
    map: RwLock<Arc<Map>>,
    generation: AtomicU64,
    /// Counters that waves of all workgroups meet at; they outlive dispatches as memory does.
    pub(crate) gws: crate::engine::gws::Gws,
    /// What was made of code.
    pub(crate) kept: crate::engine::kept::Kept,
}

impl Memory {
    /// Memory without allocations.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Allocates zeroed memory, page-aligned. The owner, if any, may access it at once; others are let in with
    /// [`Allocation::allow`].
    ///
    /// # Errors
    /// [`MemoryError::BadSize`] and [`MemoryError::OutOfMemory`].
    pub fn allocate(&self, size: usize, kind: Kind, owner: Option<AgentId>) -> Result<Arc<Allocation>, MemoryError> {
        let mapped = size.checked_next_multiple_of(PAGE).filter(|m| *m > 0 && *m < 1 << 46);
        let mapped = mapped.ok_or(MemoryError::BadSize(size))?;
        let mut mapping = MmapOptions::new()
            .len(mapped + PAGE)
            .no_reserve_swap()
            .map_anon()
            .map_err(|_| MemoryError::OutOfMemory(size))?;
        // Kernels stream through weights: fewer TLB misses. Small mappings beside each other look like a large one to the
        // host, and would be given 2 MiB to clear at the first touch. A host that does not care for the advice loses
        // nothing.
        #[cfg(target_os = "linux")]
        let _ = mapping.advise(match mapped {
            HUGE_PAGE.. => memmap2::Advice::HugePage,
            _ => memmap2::Advice::NoHugePage,
        });
        let base = mapping.as_mut_ptr() as u64;
        let allocation = Arc::new(Allocation {
            base,
            host: base,
            size,
            mapped,
            kind,
            owner,
            access: Default::default(),
            _mapping: Some(mapping),
            _reserved: None,
            #[cfg(target_os = "linux")]
            window: None,
            #[cfg(target_os = "linux")]
            shared: Default::default(),
        });
        if let Some(owner) = owner {
            allocation.allow(owner);
        }
        self.insert(allocation.clone());
        Ok(allocation)
    }

    /// Maps memory that the caller owns.
    ///
    /// # Errors
    /// [`MemoryError::BadSize`], and [`MemoryError::Overlaps`] where part of it is mapped already.
    ///
    /// # Safety
    /// The memory must stay valid for reads and writes until it is [freed](Memory::free) and no dispatch that could
    /// touch it runs any more.
    pub unsafe fn register(&self, base: NonNull<u8>, size: usize) -> Result<Arc<Allocation>, MemoryError> {
        if size == 0 || size >= 1 << 46 {
            return Err(MemoryError::BadSize(size));
        }
        let base = base.as_ptr() as u64;
        let overlaps =
            self.snapshot().nearest_below(base + size as u64 - 1).is_some_and(|a| a.base + a.mapped as u64 > base);
        if overlaps {
            return Err(MemoryError::Overlaps { base, size });
        }
        let allocation = Arc::new(Allocation {
            base,
            host: base,
            size,
            // No rounding: what lies behind is the caller's, not ours to give away.
            mapped: size,
            kind: Kind::Registered,
            owner: None,
            access: Default::default(),
            _mapping: None,
            _reserved: None,
            #[cfg(target_os = "linux")]
            window: None,
            #[cfg(target_os = "linux")]
            shared: Default::default(),
        });
        self.insert(allocation.clone());
        Ok(allocation)
    }

    /// Gives memory of the host a second address, on which only the device finds it: where a GPU sees locked memory is
    /// not where the host does, and callers tell the two apart by that. It is [freed](Memory::free) like any other.
    ///
    /// # Errors
    /// [`MemoryError::BadSize`] and [`MemoryError::OutOfMemory`].
    ///
    /// # Safety
    /// As for [`register`](Memory::register).
    pub unsafe fn alias(&self, host: NonNull<u8>, size: usize) -> Result<Arc<Allocation>, MemoryError> {
        if size == 0 || size >= 1 << 46 {
            return Err(MemoryError::BadSize(size));
        }
        let host = host.as_ptr() as u64;
        // The same place in its page, as mappings of pages have it.
        let within = (host % PAGE as u64) as usize;
        let reserved = Reserved::new((within + size).next_multiple_of(PAGE)).ok_or(MemoryError::OutOfMemory(size))?;
        let allocation = Arc::new(Allocation {
            base: reserved.base + within as u64,
            host,
            size,
            mapped: size,
            kind: Kind::Registered,
            owner: None,
            access: Default::default(),
            _mapping: None,
            _reserved: Some(reserved),
            #[cfg(target_os = "linux")]
            window: None,
            #[cfg(target_os = "linux")]
            shared: Default::default(),
        });
        self.insert(allocation.clone());
        Ok(allocation)
    }

    /// Moves an allocation's bytes to a file without a name, which other processes can [map](Memory::attach), and gives
    /// its descriptor. Doing it again gives the same one. What is stored there meanwhile may be lost: nobody hands over
    /// memory that is being written.
    ///
    /// # Errors
    /// [`MemoryError::NotAllocated`], also for memory that is not this device's own, and [`MemoryError::OutOfMemory`].
    #[cfg(target_os = "linux")]
    pub fn share(&self, base: u64) -> Result<std::os::fd::RawFd, MemoryError> {
        use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
        let map = self.snapshot();
        let own = |a: &&Arc<Allocation>| a.base == base && a._mapping.is_some();
        let allocation = map.find(base).filter(own).ok_or(MemoryError::NotAllocated(base))?;
        // Under the lock of the map, so that two callers do not both move it.
        let _held = self.map.write();
        if let Some(fd) = allocation.shared.get() {
            return Ok(fd.as_raw_fd());
        }
        let failed = MemoryError::OutOfMemory(allocation.size);
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"wavesmith".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(failed);
        }
        // SAFETY: the descriptor is new and nobody else's.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        let file = std::fs::File::from(fd);
        file.set_len(allocation.mapped as u64).map_err(|_| failed)?;
        for offset in (0..allocation.mapped).step_by(PAGE) {
            // SAFETY: the allocation is mapped; the caller says that nobody writes to it.
            let page = unsafe { std::slice::from_raw_parts((base + offset as u64) as *const u8, PAGE) };
            // Pages of zeros stay without memory, as they may have been.
            if page.iter().any(|b| *b != 0) {
                std::os::unix::fs::FileExt::write_all_at(&file, page, offset as u64).map_err(|_| failed)?;
            }
        }
        let fd = OwnedFd::from(file);
        // SAFETY: replaces the pages of the allocation's own mapping, which its drop unmaps, by equal ones.
        unsafe { map_shared(base, allocation.mapped, fd.as_raw_fd()) }.ok_or(failed)?;
        Ok(allocation.shared.get_or_init(|| fd).as_raw_fd())
    }

    /// Maps memory that another process [shares](Memory::share).
    ///
    /// # Errors
    /// [`MemoryError::BadSize`] and [`MemoryError::OutOfMemory`].
    #[cfg(target_os = "linux")]
    pub fn attach(&self, file: &std::fs::File, size: usize) -> Result<Arc<Allocation>, MemoryError> {
        use std::os::fd::AsRawFd;
        let mapped = size.checked_next_multiple_of(PAGE).filter(|m| *m > 0 && *m < 1 << 46);
        let mapped = mapped.ok_or(MemoryError::BadSize(size))?;
        // Access past the end of the file would end the process.
        if file.metadata().map_or(0, |m| m.len()) < mapped as u64 {
            return Err(MemoryError::BadSize(size));
        }
        let reserved = Reserved::new(mapped + PAGE).ok_or(MemoryError::OutOfMemory(size))?;
        // SAFETY: replaces pages that were just reserved and that nobody else knows.
        unsafe { map_shared(reserved.base, mapped, file.as_raw_fd()) }.ok_or(MemoryError::OutOfMemory(size))?;
        let allocation = Arc::new(Allocation {
            base: reserved.base,
            host: reserved.base,
            size,
            mapped,
            kind: Kind::Coarse,
            owner: None,
            access: Default::default(),
            _mapping: None,
            _reserved: Some(reserved),
            window: None,
            shared: Default::default(),
        });
        self.insert(allocation.clone());
        Ok(allocation)
    }

    /// Gives an allocation back. Its pages stay until no engine holds a map that has it.
    ///
    /// # Errors
    /// [`MemoryError::NotAllocated`] where no allocation starts at that address.
    pub fn free(&self, base: u64) -> Result<(), MemoryError> {
        let mut map = self.map.write();
        let at = map.bases.binary_search(&base).map_err(|_| MemoryError::NotAllocated(base))?;
        let (mut bases, mut allocations) = (map.bases.clone(), map.allocations.clone());
        bases.remove(at);
        let gone = allocations.remove(at);
        self.publish(&mut map, bases, allocations);
        drop(map);
        if gone.kind == Kind::Code {
            self.kept.forget(gone.base, gone.mapped as u64);
        }
        Ok(())
    }

    /// Publishes the map anew, so that views look at access rights again.
    pub fn touch(&self) {
        let mut map = self.map.write();
        let (bases, allocations) = (map.bases.clone(), map.allocations.clone());
        self.publish(&mut map, bases, allocations);
    }

    /// The map as it is now.
    pub fn snapshot(&self) -> Arc<Map> {
        self.map.read().clone()
    }

    /// Number of the newest map.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// A view for one agent, to be kept by one engine thread.
    pub fn view(&self, agent: AgentId) -> View<'_> {
        View { memory: self, map: self.snapshot(), agent, hits: [Hit::NONE; 4], last: 0 }
    }

    fn insert(&self, allocation: Arc<Allocation>) {
        let mut map = self.map.write();
        let at = map.bases.partition_point(|b| *b <= allocation.base);
        let (mut bases, mut allocations) = (map.bases.clone(), map.allocations.clone());
        bases.insert(at, allocation.base);
        allocations.insert(at, allocation);
        self.publish(&mut map, bases, allocations);
    }

    fn publish(&self, map: &mut Arc<Map>, bases: Vec<u64>, allocations: Vec<Arc<Allocation>>) {
        let generation = map.generation + 1;
        *map = Arc::new(Map { generation, bases, allocations });
        self.generation.store(generation, Ordering::Release);
    }
}

/// Maps a file at an address, in place of what is mapped there.
///
/// # Safety
/// The pages must be the caller's, and nothing may rely on what they hold.
#[cfg(target_os = "linux")]
unsafe fn map_shared(base: u64, size: usize, fd: std::os::fd::RawFd) -> Option<()> {
    let flags = libc::MAP_SHARED | libc::MAP_FIXED;
    // SAFETY: passed on.
    let at = unsafe { libc::mmap(base as *mut libc::c_void, size, libc::PROT_READ | libc::PROT_WRITE, flags, fd, 0) };
    (at != libc::MAP_FAILED).then_some(())
}

/// One engine thread's window on memory: checks an access and gives the host pointer.
#[derive(Debug)]
pub struct View<'m> {
    memory: &'m Memory,
    map: Arc<Map>,
    agent: AgentId,
    /// The last few allocations: a kernel goes round its operands.
    hits: [Hit; 4],
    /// The newest of them.
    last: usize,
}

/// A range that the view's agent may access. Only ever valid for the view's current map.
#[derive(Clone, Copy, Debug)]
struct Hit {
    base: u64,
    mapped: u64,
}

impl Hit {
    /// A range without bytes.
    const NONE: Hit = Hit { base: 0, mapped: 0 };
}

impl View<'_> {
    /// The agent whose rights count.
    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// The host pointer of an access of `size` bytes, if all of it is mapped for this agent. Pages count, not bytes:
    /// like the hardware, it allows the rest of the last page. [`resolve_exact`](View::resolve_exact) does not.
    ///
    /// The pointer stays valid until the next call on this view, which may drop an older map.
    ///
    /// # Errors
    /// [`BadAccess`] says why not.
    #[inline]
    pub fn resolve(&mut self, address: u64, size: usize) -> Result<*mut u8, BadAccess> {
        if self.memory.generation.load(Ordering::Relaxed) == self.map.generation {
            for hit in &self.hits {
                let offset = address.wrapping_sub(hit.base);
                if offset < hit.mapped && size as u64 <= hit.mapped - offset {
                    return Ok(address as *mut u8);
                }
            }
        }
        self.resolve_slow(address, size)
    }

    /// Whether all of an access is in memory that was met lately, so that its address is the host's too: what
    /// [`resolve`](View::resolve) looks at first.
    #[inline(always)]
    pub(crate) fn is_near(&self, address: u64, size: u64) -> bool {
        self.memory.generation.load(Ordering::Relaxed) == self.map.generation
            && self.hits.iter().any(|hit| {
                let offset = address.wrapping_sub(hit.base);
                offset < hit.mapped && size <= hit.mapped - offset
            })
    }

    /// As [`resolve`](View::resolve), but to the byte of what was allocated.
    ///
    /// # Errors
    /// [`BadAccess`] says why not.
    pub fn resolve_exact(&mut self, address: u64, size: usize) -> Result<*mut u8, BadAccess> {
        let pointer = self.resolve(address, size)?;
        match self.map.find(address) {
            Some(a) if address - a.base + size as u64 > a.size as u64 => {
                Err(BadAccess::PastEnd { address, size, base: a.base, allocation: a.size })
            }
            _ => Ok(pointer),
        }
    }

    /// The allocation that holds an address, in the newest map.
    pub fn allocation(&mut self, address: u64) -> Option<Arc<Allocation>> {
        self.refresh();
        self.map.find(address).cloned()
    }

    fn refresh(&mut self) {
        if self.memory.generation() != self.map.generation {
            self.map = self.memory.snapshot();
            self.hits = [Hit::NONE; 4];
        }
    }

    #[cold]
    fn resolve_slow(&mut self, address: u64, size: usize) -> Result<*mut u8, BadAccess> {
        self.refresh();
        let Some(found) = self.map.find(address) else {
            let below = self.map.nearest_below(address).map(|a| (a.base, a.size));
            return Err(BadAccess::Unmapped { address, below });
        };
        if !found.allows(self.agent) {
            return Err(BadAccess::NotAllowed { address, agent: self.agent, kind: found.kind });
        }
        if size as u64 > found.mapped as u64 - (address - found.base) {
            return Err(BadAccess::PastEnd { address, size, base: found.base, allocation: found.size });
        }
        if found.host != found.base {
            // Not remembered, so that a remembered range never needs a translation: aliases are rare.
            return Ok((found.host + (address - found.base)) as *mut u8);
        }
        let hit = Hit { base: found.base, mapped: found.mapped as u64 };
        self.last = (self.last + 1) % self.hits.len();
        self.hits[self.last] = hit;
        Ok(address as *mut u8)
    }
}

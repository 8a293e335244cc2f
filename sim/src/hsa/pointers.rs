//! What is known of an address: locked host memory, user data, callbacks at its end, and `hsa_amd_pointer_info`.

use super::agents::AgentState;
use super::memory::flags;
use super::process::{PROCESS, status};
use crate::AgentId;
use crate::memory::{Allocation, Kind, MemoryError};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::{Arc, LazyLock};
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::{AgentHandle, PoolHandle};

/// Callback of `hsa_amd_register_deallocation_callback`.
pub(super) type Deallocation = Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>;

/// How often each locked range was locked, by its first address.
static LOCKS: LazyLock<Mutex<HashMap<u64, u32>>> = LazyLock::new(Mutex::default);
/// The device's address of each locked range, by the range's first address.
static ALIASES: LazyLock<Mutex<HashMap<u64, u64>>> = LazyLock::new(Mutex::default);
/// User data of allocations.
static USER_DATA: LazyLock<Mutex<HashMap<u64, u64>>> = LazyLock::new(Mutex::default);
/// Whom to tell that an allocation ends: allocation, function, its data.
static AT_END: Mutex<Vec<(u64, unsafe extern "C" fn(*mut c_void, *mut c_void), u64)>> = Mutex::new(Vec::new());

/// `hsa_amd_pointer_info_t` of the 5.2 headers, with what newer ones append.
#[repr(C)]
struct PointerInfo {
    size: u32,
    kind: u32,
    agent_base: u64,
    host_base: u64,
    bytes: usize,
    user_data: u64,
    owner: AgentHandle,
    global_flags: u32,
}

/// `hsa_amd_pointer_type_t`.
mod kind {
    pub const UNKNOWN: u32 = 0;
    pub const HSA: u32 = 1;
    pub const LOCKED: u32 = 2;
}

/// Lets agents access host memory that the caller owns, under its own address and, for who asks for an alias, another
/// one, which is returned. Locking it again counts.
///
/// # Safety
/// The memory must stay valid until it is unlocked as often as it was locked.
unsafe fn lock(pointer: *mut c_void, size: usize, agents: Option<&[AgentId]>, alias: bool) -> Result<u64, Status> {
    let base = NonNull::new(pointer.cast::<u8>()).ok_or(Status::INVALID_ARGUMENT)?;
    let address = pointer as u64;
    let refused = |e| match e {
        MemoryError::BadSize(_) => Status::INVALID_ARGUMENT,
        // Part of it is locked already, as another range.
        _ => Status::OUT_OF_RESOURCES,
    };
    let mut locks = LOCKS.lock();
    let known = PROCESS.memory.snapshot().find(address).cloned();
    let allocation = match known {
        Some(a) if size as u64 <= a.mapped() as u64 - (address - a.base()) => a,
        // SAFETY: the caller vouches for the memory.
        _ => unsafe { PROCESS.memory.register(base, size) }.map_err(refused)?,
    };
    let mut opened = vec![allocation.clone()];
    let mut seen = address;
    // Memory that HSA allocated has one address.
    if alias && allocation.kind() == Kind::Registered {
        let mut aliases = ALIASES.lock();
        let named = aliases.get(&allocation.base()).and_then(|a| PROCESS.memory.snapshot().find(*a).cloned());
        let named = match (named, NonNull::new(allocation.base() as *mut u8)) {
            (Some(named), _) => named,
            // SAFETY: the memory is registered already, and the alias goes before it does.
            (None, Some(host)) => unsafe { PROCESS.memory.alias(host, allocation.size()) }.map_err(refused)?,
            (None, None) => return Err(Status::INVALID_ARGUMENT),
        };
        aliases.insert(allocation.base(), named.base());
        seen = named.base() + (address - allocation.base());
        opened.push(named);
    }
    for allocation in opened {
        match agents {
            Some(agents) => agents.iter().for_each(|a| allocation.allow(*a)),
            None => allocation.allow_all(),
        }
    }
    PROCESS.memory.touch();
    *locks.entry(address).or_insert(0) += 1;
    Ok(seen)
}

fn unlock(pointer: *mut c_void) -> Result<(), Status> {
    let mut locks = LOCKS.lock();
    let count = locks.get_mut(&(pointer as u64)).ok_or(Status::INVALID_ARGUMENT)?;
    *count -= 1;
    if *count == 0 {
        locks.remove(&(pointer as u64));
        let map = PROCESS.memory.snapshot();
        if map.find(pointer as u64).is_some_and(|a| a.base() == pointer as u64 && a.kind() == Kind::Registered) {
            // It was found just now; who else unlocks it has taken the last count already.
            if let Some(alias) = ALIASES.lock().remove(&(pointer as u64)) {
                let _ = PROCESS.memory.free(alias);
            }
            let _ = PROCESS.memory.free(pointer as u64);
        }
    }
    Ok(())
}

pub(super) unsafe extern "C" fn register(pointer: *mut c_void, size: usize) -> Status {
    status(PROCESS.started().and_then(|()| {
        // SAFETY: the headers make the caller keep the memory until it deregisters it.
        unsafe { lock(pointer, size, None, false) }.map(drop)
    }))
}

/// As the headers have it, memory that is not registered is no error.
pub(super) unsafe extern "C" fn deregister(pointer: *mut c_void, _size: usize) -> Status {
    let _ = unlock(pointer);
    Status::SUCCESS
}

fn lock_for(
    pointer: *mut c_void,
    size: usize,
    agents: *const AgentHandle,
    count: i32,
    agent_pointer: *mut *mut c_void,
) -> Result<(), Status> {
    PROCESS.started()?;
    if agent_pointer.is_null() || size == 0 || (count > 0) == agents.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    let ids: Option<Vec<AgentId>> = match count {
        ..=0 => None,
        // SAFETY: the caller passes that many agents.
        n => Some(unsafe { std::slice::from_raw_parts(agents, n as usize) })
            .map(|list| list.iter().map(|a| AgentState::of(*a).map(|a| a.id)).collect::<Result<_, _>>())
            .transpose()?,
    };
    // SAFETY: the headers make the caller keep the memory until it unlocks it.
    let seen = unsafe { lock(pointer, size, ids.as_deref(), true) }?;
    // SAFETY: checked above.
    unsafe { agent_pointer.write(seen as *mut c_void) };
    Ok(())
}

pub(super) unsafe extern "C" fn memory_lock(
    pointer: *mut c_void,
    size: usize,
    agents: *const AgentHandle,
    count: i32,
    agent_pointer: *mut *mut c_void,
) -> Status {
    status(lock_for(pointer, size, agents, count, agent_pointer))
}

pub(super) unsafe extern "C" fn memory_lock_to_pool(
    pointer: *mut c_void,
    size: usize,
    agents: *const AgentHandle,
    count: i32,
    pool: PoolHandle,
    _flags: u32,
    agent_pointer: *mut *mut c_void,
) -> Status {
    status(super::memory::pool(pool).and_then(|_| lock_for(pointer, size, agents, count, agent_pointer)))
}

pub(super) unsafe extern "C" fn memory_unlock(pointer: *mut c_void) -> Status {
    status(unlock(pointer))
}

/// The host's agent: whose memory everything is that has no other owner.
fn host() -> Option<AgentHandle> {
    let agents = PROCESS.agents.read();
    agents.iter().find(|a| a.sku().is_none()).map(|a| AgentState::handle_of(a.id))
}

pub(super) unsafe extern "C" fn pointer_info(
    pointer: *const c_void,
    out: *mut c_void,
    allocate: Option<unsafe extern "C" fn(usize) -> *mut c_void>,
    count: *mut u32,
    accessible: *mut *mut AgentHandle,
) -> Status {
    status((|| {
        PROCESS.started()?;
        if pointer.is_null() || out.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the structure begins with the size that the caller has room for.
        let room = unsafe { out.cast::<u32>().read_unaligned() } as usize;
        if room == 0 {
            return Err(Status::INVALID_ARGUMENT);
        }
        let found = PROCESS.memory.snapshot().find(pointer as u64).cloned();
        let found = found.filter(|a| a.kind() != Kind::Scratch);
        let described = described(found.as_deref());
        let size = size_of::<PointerInfo>().min(room);
        // SAFETY: the caller has room for `size` bytes; those of our structure are initialised but for its tail.
        unsafe {
            std::ptr::copy_nonoverlapping((&raw const described).cast::<u8>(), out.cast::<u8>(), size);
            out.cast::<u32>().write_unaligned(size as u32);
        }
        if let (Some(allocate), false, false) = (allocate, count.is_null(), accessible.is_null()) {
            let agents = PROCESS.agents.read();
            let allowed = |a: &&Arc<AgentState>| match &found {
                Some(allocation) => a.sku().is_none() || allocation.allows(a.id),
                None => false,
            };
            let handles: Vec<_> = agents.iter().filter(allowed).map(|a| AgentState::handle_of(a.id)).collect();
            // SAFETY: the caller passes an allocator and valid out pointers.
            unsafe {
                let list = allocate(size_of_val(&handles[..])).cast::<AgentHandle>();
                if list.is_null() {
                    return Err(Status::OUT_OF_RESOURCES);
                }
                std::ptr::copy_nonoverlapping(handles.as_ptr(), list, handles.len());
                count.write(handles.len() as u32);
                accessible.write(list);
            }
        }
        Ok(())
    })())
}

fn described(allocation: Option<&Allocation>) -> PointerInfo {
    let Some(a) = allocation else {
        let owner = AgentHandle::default();
        let (kind, agent_base, host_base, bytes) = (kind::UNKNOWN, 0, 0, 0);
        return PointerInfo { size: 0, kind, agent_base, host_base, bytes, user_data: 0, owner, global_flags: 0 };
    };
    PointerInfo {
        size: 0,
        kind: if a.kind() == Kind::Registered { kind::LOCKED } else { kind::HSA },
        // The device's address, whichever of the two was asked for.
        agent_base: ALIASES.lock().get(&a.base()).copied().unwrap_or(a.base()),
        host_base: a.host(),
        bytes: a.size(),
        user_data: USER_DATA.lock().get(&a.host()).copied().unwrap_or(0),
        owner: a.owner().map(AgentState::handle_of).or_else(host).unwrap_or_default(),
        global_flags: flags(a.kind()),
    }
}

pub(super) unsafe extern "C" fn set_user_data(pointer: *const c_void, data: *mut c_void) -> Status {
    status((|| {
        let map = PROCESS.memory.snapshot();
        let allocation = map.find(pointer as u64).ok_or(Status::INVALID_ARGUMENT)?;
        USER_DATA.lock().insert(allocation.host(), data as u64);
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn register_deallocation(
    pointer: *mut c_void,
    callback: Deallocation,
    data: *mut c_void,
) -> Status {
    status((|| {
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        let map = PROCESS.memory.snapshot();
        let allocation = map.find(pointer as u64).ok_or(Status::INVALID_ALLOCATION)?;
        AT_END.lock().push((allocation.base(), callback, data as u64));
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn deregister_deallocation(pointer: *mut c_void, callback: Deallocation) -> Status {
    status((|| {
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        let map = PROCESS.memory.snapshot();
        let base = map.find(pointer as u64).ok_or(Status::INVALID_ARGUMENT)?.base();
        let mut list = AT_END.lock();
        let at = list.iter().position(|(b, c, _)| *b == base && std::ptr::fn_addr_eq(*c, callback));
        list.remove(at.ok_or(Status::INVALID_ARGUMENT)?);
        Ok(())
    })())
}

/// An allocation is about to be freed: those who asked are told, and what was kept of it goes.
pub(super) fn forget(base: u64) {
    USER_DATA.lock().remove(&base);
    let told: Vec<_> = {
        let mut list = AT_END.lock();
        let (told, kept) = list.drain(..).partition(|(b, ..)| *b == base);
        *list = kept;
        told
    };
    for (base, callback, data) in told {
        // SAFETY: the callback was registered with its data.
        unsafe { callback(base as *mut c_void, data as *mut c_void) };
    }
}

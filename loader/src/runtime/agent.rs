//! Agents: what they are, which SKU that makes them, and which memory pools they have.

use super::error::check;
use super::{Buffer, Executable, MemoryKind, Queue, RuntimeError, Shared};
use crate::hsa::abi::{AgentHandle, IsaHandle, PoolHandle};
use crate::hsa::{Functions, Status, info};
use std::ffi::c_void;
use std::sync::Arc;
use wavesmith_asm::sku::SKUS;
use wavesmith_asm::{Sku, Target};

/// A GPU agent.
#[derive(Clone, Debug)]
pub struct Agent {
    shared: Arc<Shared>,
    gpu: Arc<Gpu>,
}

/// What was asked of the agent at start.
#[derive(Debug)]
pub(super) struct Gpu {
    handle: AgentHandle,
    name: String,
    isa: String,
    product: String,
    compute_units: u32,
    xccs: Option<u32>,
    queue_max_size: u32,
    sku: Option<&'static Sku>,
    coarse: Option<PoolHandle>,
    fine: Option<PoolHandle>,
}

/// Pools of the host's memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HostPools {
    pub fine: Option<PoolHandle>,
    pub coarse: Option<PoolHandle>,
    pub kernarg: Option<PoolHandle>,
}

pub(super) struct Found {
    pub gpus: Vec<Gpu>,
    pub host: HostPools,
}

/// The SKU nearest to an agent: same target, then the smallest difference in XCDs and CUs (partitioned devices show
/// fewer), then the product's name, as some parts differ in memory only.
pub fn nearest_sku(target: Target, compute_units: u32, xccs: Option<u32>, product: &str) -> Option<&'static Sku> {
    let product = product.to_ascii_lowercase();
    SKUS.iter().filter(|s| s.target == target).min_by_key(|s| {
        let xcds = xccs.map_or(0, |x| s.xcds.abs_diff(x));
        (xcds, s.cus.abs_diff(compute_units), !product.contains(s.name))
    })
}

impl Agent {
    pub(super) fn new(shared: Arc<Shared>, gpu: Gpu) -> Agent {
        Agent { shared, gpu: Arc::new(gpu) }
    }

    /// Its handle.
    pub fn handle(&self) -> AgentHandle {
        self.gpu.handle
    }

    /// Its processor: `gfx942`.
    pub fn name(&self) -> &str {
        &self.gpu.name
    }

    /// Its ISA: `amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-`.
    pub fn isa(&self) -> &str {
        &self.gpu.isa
    }

    /// Its marketing name; empty where the runtime gives none.
    pub fn product(&self) -> &str {
        &self.gpu.product
    }

    /// Its compute units.
    pub fn compute_units(&self) -> u32 {
        self.gpu.compute_units
    }

    /// Its accelerator dies; `None` where the runtime is too old to say.
    pub fn xccs(&self) -> Option<u32> {
        self.gpu.xccs
    }

    /// The nearest SKU, or `None` where the target is none of ours.
    pub fn sku(&self) -> Option<&'static Sku> {
        self.gpu.sku
    }

    /// Allocates memory that this agent may access.
    ///
    /// # Errors
    /// [`RuntimeError::NoPool`], or what the runtime returned.
    pub fn allocate(&self, kind: MemoryKind, size: usize) -> Result<Buffer, RuntimeError> {
        Buffer::allocate(&self.shared, self, kind, size)
    }

    /// Allocates and copies.
    ///
    /// # Errors
    /// As [`allocate`](Agent::allocate) and [`Buffer::write`].
    pub fn upload(&self, kind: MemoryKind, bytes: &[u8]) -> Result<Buffer, RuntimeError> {
        let buffer = self.allocate(kind, bytes.len().max(1))?;
        buffer.write(0, bytes)?;
        Ok(buffer)
    }

    /// Loads a code object.
    ///
    /// # Errors
    /// What the runtime returned.
    pub fn load(&self, code_object: &[u8]) -> Result<Executable, RuntimeError> {
        Executable::load(&self.shared, self, code_object)
    }

    /// Makes a queue of at least that many packets.
    ///
    /// # Errors
    /// What the runtime returned.
    pub fn queue(&self, packets: u32) -> Result<Queue, RuntimeError> {
        Queue::create(&self.shared, self, packets.max(64).next_power_of_two().min(self.gpu.queue_max_size))
    }

    pub(super) fn pool(&self, kind: MemoryKind) -> Result<PoolHandle, RuntimeError> {
        let host = &self.shared.host;
        let (pool, name) = match kind {
            MemoryKind::Device => (self.gpu.coarse, "coarse-grained device"),
            MemoryKind::DeviceFine => (self.gpu.fine, "fine-grained device"),
            MemoryKind::Host => (host.fine, "fine-grained host"),
            MemoryKind::Kernarg => (host.kernarg.or(host.fine), "kernarg"),
        };
        pool.ok_or(RuntimeError::NoPool(name))
    }
}

/// Reads an attribute.
///
/// # Safety
/// `T` must be the type of the attribute's value.
unsafe fn get<T>(functions: &Functions, agent: AgentHandle, attribute: u32, value: &mut T) -> Status {
    // SAFETY: the value is writable and of the attribute's type.
    unsafe { (functions.hsa_agent_get_info)(agent, attribute, std::ptr::from_mut(value).cast()) }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Collects handles from an iteration.
unsafe extern "C" fn collect<T: Copy>(handle: T, data: *mut c_void) -> Status {
    // SAFETY: every iteration here passes a `Vec<T>` of its own that outlives the call.
    let list = unsafe { &mut *data.cast::<Vec<T>>() };
    list.push(handle);
    Status::SUCCESS
}

pub(super) fn discover(functions: &Functions) -> Result<Found, RuntimeError> {
    let mut handles: Vec<AgentHandle> = Vec::new();
    // SAFETY: the callback gets the list it expects.
    let status = unsafe { (functions.hsa_iterate_agents)(Some(collect::<AgentHandle>), (&raw mut handles).cast()) };
    check("hsa_iterate_agents", status)?;
    let mut found = Found { gpus: Vec::new(), host: HostPools::default() };
    for handle in handles {
        let mut kind = u32::MAX;
        // SAFETY: the attribute's value is an `hsa_device_type_t`, an `int`-sized enum.
        check("hsa_agent_get_info", unsafe { get(functions, handle, info::agent::DEVICE, &mut kind) })?;
        match kind {
            info::device::GPU => found.gpus.push(gpu(functions, handle)?),
            info::device::CPU => host_pools(functions, handle, &mut found.host)?,
            _ => {}
        }
    }
    Ok(found)
}

fn gpu(functions: &Functions, handle: AgentHandle) -> Result<Gpu, RuntimeError> {
    let mut name = [0_u8; 64];
    let mut product = [0_u8; 64];
    let (mut compute_units, mut xccs, mut queue_max_size) = (0_u32, 0_u32, 0_u32);
    // SAFETY: names are `char[64]`.
    check("hsa_agent_get_info", unsafe { get(functions, handle, info::agent::NAME, &mut name) })?;
    // SAFETY: as above. An old runtime may not have it, and the name then stays empty.
    let _ = unsafe { get(functions, handle, info::agent::AMD_PRODUCT_NAME, &mut product) };
    // SAFETY: the attribute's value is a `uint32_t`.
    let status = unsafe { get(functions, handle, info::agent::AMD_COMPUTE_UNIT_COUNT, &mut compute_units) };
    check("hsa_agent_get_info", status)?;
    // SAFETY: the attribute's value is a `uint32_t`.
    let xcc_status = unsafe { get(functions, handle, info::agent::AMD_NUM_XCC, &mut xccs) };
    // SAFETY: the attribute's value is a `uint32_t`.
    let status = unsafe { get(functions, handle, info::agent::QUEUE_MAX_SIZE, &mut queue_max_size) };
    check("hsa_agent_get_info", status)?;
    let (name, product) = (text(&name), text(&product));
    let xccs = (xcc_status.is_ok() && xccs != 0).then_some(xccs);
    let isa = isa_name(functions, handle)?;
    let target = isa.parse::<Target>().or_else(|_| name.parse()).ok();
    let mut fine = None;
    let mut coarse = None;
    for (pool, flags) in pools(functions, handle)? {
        if flags & info::pool_flag::COARSE_GRAINED != 0 {
            coarse.get_or_insert(pool);
        } else if flags & (info::pool_flag::FINE_GRAINED | info::pool_flag::EXTENDED_SCOPE_FINE_GRAINED) != 0 {
            fine.get_or_insert(pool);
        }
    }
    Ok(Gpu {
        handle,
        sku: target.and_then(|t| nearest_sku(t, compute_units, xccs, &product)),
        name,
        isa,
        product,
        compute_units,
        xccs,
        queue_max_size: queue_max_size.max(64),
        coarse,
        fine,
    })
}

fn isa_name(functions: &Functions, agent: AgentHandle) -> Result<String, RuntimeError> {
    let mut isas: Vec<IsaHandle> = Vec::new();
    // SAFETY: the callback gets the list it expects.
    let status =
        unsafe { (functions.hsa_agent_iterate_isas)(agent, Some(collect::<IsaHandle>), (&raw mut isas).cast()) };
    check("hsa_agent_iterate_isas", status)?;
    let Some(isa) = isas.first() else { return Ok(String::new()) };
    let mut length = 0_u32;
    // SAFETY: the attribute's value is a `uint32_t`.
    let status =
        unsafe { (functions.hsa_isa_get_info_alt)(*isa, info::isa::NAME_LENGTH, (&raw mut length).cast::<c_void>()) };
    check("hsa_isa_get_info_alt", status)?;
    let mut name = vec![0_u8; length as usize + 1];
    // SAFETY: the buffer has the length the runtime gave, and one more for a NUL it may or may not count.
    let status = unsafe { (functions.hsa_isa_get_info_alt)(*isa, info::isa::NAME, name.as_mut_ptr().cast()) };
    check("hsa_isa_get_info_alt", status)?;
    Ok(text(&name))
}

/// Global pools that allow allocation, with their flags.
fn pools(functions: &Functions, agent: AgentHandle) -> Result<Vec<(PoolHandle, u32)>, RuntimeError> {
    let mut handles: Vec<PoolHandle> = Vec::new();
    // SAFETY: the callback gets the list it expects.
    let status = unsafe {
        (functions.hsa_amd_agent_iterate_memory_pools)(agent, Some(collect::<PoolHandle>), (&raw mut handles).cast())
    };
    check("hsa_amd_agent_iterate_memory_pools", status)?;
    let mut out = Vec::new();
    for pool in handles {
        let (mut segment, mut flags, mut allowed) = (0_u32, 0_u32, false);
        // SAFETY: the attribute's value is an `int`-sized enum.
        let status =
            unsafe { (functions.hsa_amd_memory_pool_get_info)(pool, info::pool::SEGMENT, (&raw mut segment).cast()) };
        check("hsa_amd_memory_pool_get_info", status)?;
        if segment != info::segment::GLOBAL {
            continue;
        }
        // SAFETY: the attribute's value is a `uint32_t`.
        let status = unsafe {
            (functions.hsa_amd_memory_pool_get_info)(pool, info::pool::GLOBAL_FLAGS, (&raw mut flags).cast())
        };
        check("hsa_amd_memory_pool_get_info", status)?;
        // SAFETY: the attribute's value is a `bool`.
        let status = unsafe {
            (functions.hsa_amd_memory_pool_get_info)(pool, info::pool::RUNTIME_ALLOC_ALLOWED, (&raw mut allowed).cast())
        };
        check("hsa_amd_memory_pool_get_info", status)?;
        if allowed {
            out.push((pool, flags));
        }
    }
    Ok(out)
}

fn host_pools(functions: &Functions, agent: AgentHandle, host: &mut HostPools) -> Result<(), RuntimeError> {
    for (pool, flags) in pools(functions, agent)? {
        if flags & info::pool_flag::KERNARG_INIT != 0 {
            host.kernarg.get_or_insert(pool);
        }
        if flags & info::pool_flag::FINE_GRAINED != 0 {
            // The kernarg pool is fine-grained too: prefer one that is not it, but take it where it is all there is.
            if flags & info::pool_flag::KERNARG_INIT == 0 || host.fine.is_none() {
                host.fine = host.fine.filter(|p| Some(*p) != host.kernarg).or(Some(pool));
            }
        } else if flags & info::pool_flag::COARSE_GRAINED != 0 {
            host.coarse.get_or_insert(pool);
        }
    }
    Ok(())
}

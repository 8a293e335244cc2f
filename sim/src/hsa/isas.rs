//! The rest of what can be asked of agents and ISAs: caches, wavefronts, exceptions, rounding, names.

use super::agents::{self, AgentState};
use super::process::{PROCESS, put, put_text, status};
use std::ffi::{c_char, c_void};
use wavesmith_asm::{Sku, Target};
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::{AgentHandle, IsaHandle};

/// Tags of the handles, whose low bits are the agent's number and, of caches, the level.
const WAVEFRONT: u64 = 0x3a << 56;
const CACHE: u64 = 0xca << 56;

/// Callback with each handle of an iteration.
pub(super) type HandleCallback = Option<unsafe extern "C" fn(u64, *mut c_void) -> Status>;

/// No exception is a break or a detect policy: what traps ends the dispatch with a fault.
pub(super) unsafe extern "C" fn agent_exception_policies(agent: AgentHandle, profile: u32, mask: *mut u16) -> Status {
    status((|| {
        AgentState::of(agent)?;
        if profile > 1 {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(mask.cast(), 0_u16) }
    })())
}

pub(super) unsafe extern "C" fn isa_exception_policies(isa: IsaHandle, profile: u32, mask: *mut u16) -> Status {
    status((|| {
        agents::sku_of(isa)?;
        if profile > 1 {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(mask.cast(), 0_u16) }
    })())
}

/// Fused operations round once, in every type and flush mode.
pub(super) unsafe extern "C" fn isa_round_method(isa: IsaHandle, fp_type: u32, flush: u32, method: *mut u32) -> Status {
    status((|| {
        agents::sku_of(isa)?;
        if ![1, 2, 4].contains(&fp_type) || ![1, 2].contains(&flush) {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes null or a valid out pointer. Single rounding.
        unsafe { put(method.cast(), 1_u32) }
    })())
}

/// Sizes of an agent's caches from the first level on: a CU's, an XCD's L2, the MALL.
fn caches(sku: &Sku) -> Vec<u32> {
    let first = match sku.target {
        Target::Gfx942 | Target::Gfx950 => 32 << 10,
        _ => 16 << 10,
    };
    [first, sku.l2_bytes, sku.mall_bytes].into_iter().filter(|bytes| *bytes > 0).collect()
}

pub(super) unsafe extern "C" fn iterate_caches(
    agent: AgentHandle,
    callback: HandleCallback,
    data: *mut c_void,
) -> Status {
    status((|| {
        let agent = AgentState::of(agent)?;
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        let count = agent.sku().map_or(0, |sku| caches(sku).len()) as u64;
        for level in 0..count {
            // SAFETY: the caller passes a callback that takes its own data.
            let answer = unsafe { callback(CACHE | (agent.id.0 as u64) << 8 | level, data) };
            if !answer.is_ok() {
                return Err(answer);
            }
        }
        Ok(())
    })())
}

pub(super) unsafe extern "C" fn cache_get_info(cache: u64, which: u32, value: *mut c_void) -> Status {
    status((|| {
        let bits = cache ^ CACHE;
        let agent = usize::try_from(bits >> 8).map_err(|_| Status::INVALID_CACHE)?;
        let level = (bits & 0xff) as usize;
        let sku = PROCESS.agents.read().get(agent).and_then(|a| a.sku()).ok_or(Status::INVALID_CACHE)?;
        let size = *caches(sku).get(level).ok_or(Status::INVALID_CACHE)?;
        let name = format!("{} L{}", sku.name, level + 1);
        // SAFETY: the caller passes room for the attribute's value, whose type the headers give.
        unsafe {
            match which {
                0 => put(value, name.len() as u32),
                1 => put_text(value, name.len() + 1, &name),
                2 => put(value, level as u8 + 1),
                3 => put(value, size),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })())
}

pub(super) unsafe extern "C" fn iterate_wavefronts(
    isa: IsaHandle,
    callback: HandleCallback,
    data: *mut c_void,
) -> Status {
    status((|| {
        agents::sku_of(isa)?;
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        // SAFETY: the caller passes a callback that takes its own data.
        match unsafe { callback(WAVEFRONT | 64, data) } {
            Status::SUCCESS => Ok(()),
            other => Err(other),
        }
    })())
}

pub(super) unsafe extern "C" fn wavefront_get_info(wavefront: u64, which: u32, value: *mut c_void) -> Status {
    status((|| {
        if wavefront != WAVEFRONT | 64 {
            return Err(Status::INVALID_WAVEFRONT);
        }
        // SAFETY: the caller passes room for the attribute's value.
        if which == 0 { unsafe { put(value, 64_u32) } } else { Err(Status::INVALID_ARGUMENT) }
    })())
}

/// The ISA of that name, with or without feature modes, of an agent there is.
pub(super) unsafe extern "C" fn isa_from_name(text: *const c_char, isa: *mut IsaHandle) -> Status {
    status((|| {
        PROCESS.started()?;
        // SAFETY: the caller passes a C string.
        let text = unsafe { super::code::name(text) }.map_err(|_| Status::INVALID_ARGUMENT)?;
        let processor = text.strip_prefix("amdgcn-amd-amdhsa--").ok_or(Status::INVALID_ISA_NAME)?;
        let mut parts = processor.split(':');
        let target: Target = parts.next().and_then(|p| p.parse().ok()).ok_or(Status::INVALID_ISA_NAME)?;
        // The modes that the agents run in.
        if parts.any(|mode| !matches!(mode, "sramecc+" | "xnack-")) {
            return Err(Status::INVALID_ISA_NAME);
        }
        let found = agents::isa_of(target).ok_or(Status::INVALID_ISA_NAME)?;
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(isa.cast(), found) }
    })())
}

/// Code for a target runs on agents of that target.
pub(super) unsafe extern "C" fn isa_compatible(code: IsaHandle, agent: IsaHandle, result: *mut bool) -> Status {
    status((|| {
        let same = agents::sku_of(code)?.target == agents::sku_of(agent)?.target;
        // SAFETY: the caller passes null or a valid out pointer.
        unsafe { put(result.cast(), same) }
    })())
}

/// The older `hsa_isa_get_info`, with an index of call conventions, of which there is one.
pub(super) unsafe extern "C" fn isa_get_info(isa: IsaHandle, which: u32, index: u32, value: *mut c_void) -> Status {
    if index != 0 {
        return Status::INVALID_INDEX;
    }
    // SAFETY: the caller passes what the newer function takes.
    unsafe { agents::isa_get_info_alt(isa, which, value) }
}

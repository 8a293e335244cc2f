//! System events: functions that are told when an agent touches memory it must not, beside the queue's own callback.
//! The HIP runtime (7 on) registers one at start and does not start without.

use super::agents::AgentState;
use super::process::{PROCESS, status};
use crate::fault::{Fault, FaultKind};
use parking_lot::Mutex;
use std::ffi::c_void;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::AgentHandle;

/// `hsa_amd_event_t` with the member that a memory fault has.
#[repr(C)]
pub(super) struct MemoryFaultEvent {
    /// `HSA_AMD_GPU_MEMORY_FAULT_EVENT` is 0, the only one that happens here.
    kind: u32,
    agent: AgentHandle,
    address: u64,
    /// `hsa_amd_memory_fault_reason_t`.
    reasons: u32,
}

/// No page is there for the agent.
const PAGE_NOT_PRESENT: u32 = 1;

type Handler = unsafe extern "C" fn(*const MemoryFaultEvent, *mut c_void) -> Status;

#[derive(Clone, Copy)]
struct Registered(Handler, *mut c_void);

// SAFETY: the headers say that handlers are called from a thread of the runtime; the caller passed data fit for that.
unsafe impl Send for Registered {}

static HANDLERS: Mutex<Vec<Registered>> = Mutex::new(Vec::new());

pub(super) unsafe extern "C" fn register(handler: Option<Handler>, data: *mut c_void) -> Status {
    status((|| {
        PROCESS.started()?;
        HANDLERS.lock().push(Registered(handler.ok_or(Status::INVALID_ARGUMENT)?, data));
        Ok(())
    })())
}

/// The runtime was shut down by its last user: nobody is told any more, and another may register.
pub(super) fn forget() {
    HANDLERS.lock().clear();
}

/// Tells the handlers of a fault, where it is one of memory.
pub(super) fn tell(agent: &AgentState, fault: &Fault) {
    if fault.kind != FaultKind::Memory {
        return;
    }
    let event = MemoryFaultEvent {
        kind: 0,
        agent: AgentState::handle_of(agent.id),
        address: fault.address.unwrap_or_default(),
        reasons: PAGE_NOT_PRESENT,
    };
    // A handler may register another.
    let handlers = HANDLERS.lock().clone();
    for Registered(handler, data) in handlers {
        // SAFETY: whoever registered the handler passed it with its data.
        unsafe { handler(&event, data) };
    }
}

//! Sets of parts: which agents a table shows.
//!
//! Three functions of the interface take no handle, so a table for other parts needs other functions. They are made
//! at compile time, one instance per slot; asking for the same parts again gives the same slot and so the same agents.
//! Past the last slot a table's `hsa_init` answers `HSA_STATUS_ERROR_OUT_OF_RESOURCES`.

use super::Engine;
use super::agents::AgentState;
use super::process::{PROCESS, status};
use super::table::functions;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use wavesmith_asm::Sku;
use wavesmith_loader::hsa::abi::{AgentCallback, AgentHandle};
use wavesmith_loader::hsa::{HsaTable, Status};

const SLOTS: usize = 64;

/// A set of parts.
struct Slot {
    skus: Vec<&'static Sku>,
    engine: Engine,
    agents: Vec<AgentHandle>,
    users: AtomicU32,
}

static TAKEN: Mutex<Vec<Slot>> = Mutex::new(Vec::new());

pub(super) type Init = unsafe extern "C" fn() -> Status;
pub(super) type Iterate = unsafe extern "C" fn(AgentCallback, *mut c_void) -> Status;

/// The three functions of a slot.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub init: Init,
    pub shut_down: Init,
    pub iterate_agents: Iterate,
}

unsafe extern "C" fn init<const SLOT: usize>() -> Status {
    let slots = TAKEN.lock();
    let Some(slot) = slots.get(SLOT) else { return Status::OUT_OF_RESOURCES };
    // The headers promise an error before the count wraps.
    if slot.users.load(Ordering::Relaxed) >= i32::MAX as u32 {
        return Status::REFCOUNT_OVERFLOW;
    }
    slot.users.fetch_add(1, Ordering::AcqRel);
    PROCESS.users.fetch_add(1, Ordering::AcqRel);
    Status::SUCCESS
}

unsafe extern "C" fn shut_down<const SLOT: usize>() -> Status {
    let slots = TAKEN.lock();
    let Some(slot) = slots.get(SLOT).filter(|s| s.users.load(Ordering::Acquire) > 0) else {
        return Status::NOT_INITIALIZED;
    };
    slot.users.fetch_sub(1, Ordering::AcqRel);
    if PROCESS.users.fetch_sub(1, Ordering::AcqRel) == 1 {
        super::events::forget();
    }
    Status::SUCCESS
}

unsafe extern "C" fn iterate_agents<const SLOT: usize>(callback: AgentCallback, data: *mut c_void) -> Status {
    let Some(callback) = callback else { return Status::INVALID_ARGUMENT };
    let agents = {
        let slots = TAKEN.lock();
        match slots.get(SLOT).filter(|s| s.users.load(Ordering::Acquire) > 0) {
            Some(slot) => slot.agents.clone(),
            None => return Status::NOT_INITIALIZED,
        }
    };
    for agent in agents {
        // SAFETY: the caller passes a callback that takes its own data.
        let answer = unsafe { callback(agent, data) };
        if !answer.is_ok() {
            return answer;
        }
    }
    Status::SUCCESS
}

macro_rules! entries {
    ($($slot:literal)*) => {
        [$(Entry { init: init::<$slot>, shut_down: shut_down::<$slot>, iterate_agents: iterate_agents::<$slot> },)*]
    };
}

#[rustfmt::skip]
static ENTRIES: [Entry; SLOTS + 1] = entries!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
);

/// The functions of an embedded device with one CPU agent and these GPU agents, executed by `engine`.
pub(super) fn entry(skus: &[&'static Sku], engine: Engine) -> Entry {
    let mut slots = TAKEN.lock();
    let same = |s: &Slot| s.skus == skus && std::ptr::fn_addr_eq(s.engine, engine);
    let number = slots.iter().position(same).unwrap_or_else(|| {
        if slots.len() < SLOTS {
            let cpu = PROCESS.add_agent(AgentState::cpu);
            let gpus = skus
                .iter()
                .enumerate()
                .map(|(i, sku)| PROCESS.add_agent(|id| AgentState::gpu(id, sku, i as u32 + 1, engine)));
            let agents: Option<Vec<_>> = std::iter::once(cpu).chain(gpus).collect();
            if let Some(agents) = agents {
                let agents = agents.into_iter().map(AgentState::handle_of).collect();
                slots.push(Slot { skus: skus.to_vec(), engine, agents, users: AtomicU32::new(0) });
                return slots.len() - 1;
            }
        }
        // Never taken: its `hsa_init` refuses.
        SLOTS
    });
    ENTRIES[number]
}

/// The table of an embedded device with one CPU agent and these GPU agents, executed by `engine`.
pub fn table_with_engine(skus: &[&'static Sku], engine: Engine) -> HsaTable {
    let names: Vec<_> = skus.iter().map(|s| s.name).collect();
    HsaTable::from_functions(&format!("the embedded device ({})", names.join(", ")), functions(entry(skus, engine)))
}

/// `hsa_status_string`.
pub(super) unsafe extern "C" fn status_string(code: Status, text: *mut *const std::ffi::c_char) -> Status {
    status((|| {
        let name = code.c_name().ok_or(Status::INVALID_ARGUMENT)?;
        if text.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller passes a valid out pointer.
        unsafe { text.write(name.as_ptr()) };
        Ok(())
    })())
}

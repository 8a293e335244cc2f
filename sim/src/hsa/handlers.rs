//! Callbacks: functions to be called once a signal meets a condition, and functions to be called soon. One thread calls
//! them all, as in the real runtime, so a callback that blocks holds the others up.

use super::process::{PROCESS, status};
use super::signals::{self, Cell, meets};
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::Once;
use std::sync::atomic::Ordering;
use std::time::Duration;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::{SignalHandle, SignalValue};

/// `hsa_amd_signal_handler`: true keeps it waiting for the signal's next time.
pub(super) type Handler = Option<unsafe extern "C" fn(SignalValue, *mut c_void) -> bool>;
/// Argument of `hsa_amd_async_function`.
pub(super) type Function = Option<unsafe extern "C" fn(*mut c_void)>;

#[derive(Clone, Copy)]
enum Task {
    OnSignal {
        cell: Cell,
        condition: u32,
        compare: SignalValue,
        handler: unsafe extern "C" fn(SignalValue, *mut c_void) -> bool,
    },
    Now(unsafe extern "C" fn(*mut c_void)),
}

#[derive(Clone, Copy)]
struct Waiting {
    task: Task,
    argument: *mut c_void,
}

// SAFETY: the headers say that callbacks come from a thread of the runtime; the caller passed data fit for that.
unsafe impl Send for Waiting {}

static WAITING: Mutex<Vec<Waiting>> = Mutex::new(Vec::new());

/// Takes the first task that is due off the list.
fn due() -> Option<(Waiting, SignalValue)> {
    let mut waiting = WAITING.lock();
    let found = waiting.iter().enumerate().find_map(|(i, w)| match w.task {
        Task::Now(_) => Some((i, 0)),
        Task::OnSignal { cell, condition, compare, .. } => {
            let value = cell.value().load(Ordering::Acquire);
            meets(condition, value, compare).then_some((i, value))
        }
    });
    found.map(|(i, value)| (waiting.remove(i), value))
}

fn run() {
    loop {
        let Some((waiting, value)) = signals::wait_any(due, Duration::MAX, || false) else { continue };
        match waiting.task {
            // SAFETY: the caller passed the function with its argument.
            Task::Now(function) => unsafe { function(waiting.argument) },
            Task::OnSignal { handler, .. } => {
                // SAFETY: as above.
                if unsafe { handler(value, waiting.argument) } {
                    WAITING.lock().push(waiting);
                }
            }
        }
    }
}

fn add(waiting: Waiting) -> Result<(), Status> {
    static STARTED: Once = Once::new();
    PROCESS.started()?;
    WAITING.lock().push(waiting);
    let mut spawned = Ok(());
    STARTED.call_once(|| {
        let thread = std::thread::Builder::new().name("hsa-callbacks".to_owned()).spawn(run);
        spawned = thread.map(drop).map_err(|_| Status::OUT_OF_RESOURCES);
    });
    signals::wake_any();
    spawned
}

pub(super) unsafe extern "C" fn signal_async_handler(
    signal: SignalHandle,
    condition: u32,
    compare: SignalValue,
    handler: Handler,
    argument: *mut c_void,
) -> Status {
    status((|| {
        let handler = handler.ok_or(Status::INVALID_ARGUMENT)?;
        let cell = Cell::of(signal)?;
        add(Waiting { task: Task::OnSignal { cell, condition, compare, handler }, argument })
    })())
}

pub(super) unsafe extern "C" fn async_function(function: Function, argument: *mut c_void) -> Status {
    status((|| {
        let function = function.ok_or(Status::INVALID_ARGUMENT)?;
        add(Waiting { task: Task::Now(function), argument })
    })())
}

//! Signals: a 64-bit value that device and host count down and wait for.

use super::error::check;
use super::{Runtime, RuntimeError, Shared};
use crate::hsa::abi::{SignalHandle, SignalValue};
use crate::hsa::info;
use std::ptr::null;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A signal.
#[derive(Debug)]
pub struct Signal {
    shared: Arc<Shared>,
    handle: SignalHandle,
}

impl Drop for Signal {
    fn drop(&mut self) {
        // SAFETY: created once, destroyed once. A failure has nobody to report to.
        let _ = unsafe { (self.shared.functions().hsa_signal_destroy)(self.handle) };
    }
}

impl Runtime {
    /// Makes a signal.
    ///
    /// # Errors
    /// What the runtime returned.
    pub fn signal(&self, initial: SignalValue) -> Result<Signal, RuntimeError> {
        Signal::create(&self.shared, initial)
    }
}

impl Signal {
    pub(super) fn create(shared: &Arc<Shared>, initial: SignalValue) -> Result<Signal, RuntimeError> {
        let mut handle = SignalHandle::default();
        // SAFETY: no consumers named, so any; a valid out pointer.
        let status = unsafe { (shared.functions().hsa_signal_create)(initial, 0, null(), &raw mut handle) };
        check("hsa_signal_create", status)?;
        Ok(Signal { shared: shared.clone(), handle })
    }

    /// Its handle: what a packet holds.
    pub fn handle(&self) -> SignalHandle {
        self.handle
    }

    /// Its value, with acquire order.
    pub fn load(&self) -> SignalValue {
        // SAFETY: the signal lives.
        unsafe { (self.shared.functions().hsa_signal_load_scacquire)(self.handle) }
    }

    /// Sets it, with release order.
    pub fn store(&self, value: SignalValue) {
        // SAFETY: the signal lives.
        unsafe { (self.shared.functions().hsa_signal_store_screlease)(self.handle, value) }
    }

    /// Waits until it is below `value`; tells whether it is, as the wait may end early or in time.
    pub fn wait_below(&self, value: SignalValue, timeout: Duration) -> bool {
        let end = Instant::now().checked_add(timeout);
        loop {
            let left = end.map_or(Duration::MAX, |e| e.saturating_duration_since(Instant::now()));
            let ticks = left.as_nanos().saturating_mul(u128::from(self.shared.frequency)) / 1_000_000_000;
            // SAFETY: the signal lives.
            let seen = unsafe {
                (self.shared.functions().hsa_signal_wait_scacquire)(
                    self.handle,
                    info::condition::LT,
                    value,
                    u64::try_from(ticks).unwrap_or(u64::MAX),
                    info::wait::BLOCKED,
                )
            };
            if seen < value {
                return true;
            }
            if left.is_zero() {
                return false;
            }
        }
    }
}

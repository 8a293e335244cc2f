//! Which of a queue's threads looks at its next packet.
//!
//! At most one thread leads: it waits for the next packet and takes it. To run a kernel it gives the lead up, and has
//! it back afterwards if nobody took it meanwhile. As long as packets come one at a time that is one thread for ever;
//! another one is called (woken, or started) only when a packet may begin while all are at work.

use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

/// Threads of a queue, and so kernels of one queue that run at once: the hardware has such a limit too, and a host
/// with few cores gains nothing from more.
const MOST: u32 = 8;

/// What the next packet waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// There is none.
    Nothing,
    /// The end of all packets before it.
    AfterAll,
    /// Nothing.
    Now,
}

/// The lead, and which packets have begun and not ended.
#[derive(Default)]
pub(super) struct Lead {
    order: Mutex<Order>,
    /// A copy of `Order::led`, for a look without the lock.
    led: AtomicBool,
    /// For threads that wait to lead.
    vacant: Condvar,
    /// For the leader, which waits for the others' packets.
    ended: Condvar,
}

#[derive(Default)]
struct Order {
    led: bool,
    /// The next packet to begin.
    next: u64,
    /// Whether packets have ended, from the first that has not on.
    begun: VecDeque<bool>,
    running: u32,
    waiting: u32,
    threads: u32,
}

impl Lead {
    /// Starts the queue's first thread with `spawn`, which is told its number.
    pub fn first(&self, spawn: impl FnOnce(u32) -> bool) -> bool {
        let mut order = self.order.lock();
        let started = spawn(0);
        order.threads = u32::from(started);
        started
    }

    /// Waits for the lead; false when the queue is stopping.
    pub fn take(&self, stopping: impl Fn() -> bool) -> bool {
        let mut order = self.order.lock();
        while order.led && !stopping() {
            order.waiting += 1;
            self.vacant.wait(&mut order);
            order.waiting -= 1;
        }
        if stopping() {
            return false;
        }
        self.set_led(&mut order, true);
        true
    }

    /// The leader's next packet.
    pub fn next(&self) -> u64 {
        self.order.lock().next
    }

    /// Waits until all packets that have begun have ended; false when the queue is stopping.
    pub fn await_all(&self, stopping: impl Fn() -> bool) -> bool {
        let mut order = self.order.lock();
        while order.running > 0 && !stopping() {
            self.ended.wait(&mut order);
        }
        !stopping()
    }

    /// The leader begins its next packet; `leads_on` says whether it keeps the lead meanwhile.
    pub fn begin(&self, leads_on: bool) {
        let mut order = self.order.lock();
        order.next += 1;
        order.begun.push_back(false);
        order.running += 1;
        if !leads_on {
            self.set_led(&mut order, false);
        }
    }

    /// A thread that gave the lead up has it again, if nobody took it.
    pub fn resume(&self) -> bool {
        let mut order = self.order.lock();
        if order.led {
            return false;
        }
        self.set_led(&mut order, true);
        true
    }

    /// A packet has ended. Calls `publish` with each packet that has no predecessor at work any more.
    pub fn ended(&self, index: u64, mut publish: impl FnMut(u64)) {
        let mut order = self.order.lock();
        let first = order.next - order.begun.len() as u64;
        if let Some(ended) = order.begun.get_mut((index - first) as usize) {
            *ended = true;
        }
        order.running -= 1;
        let mut done = first;
        while order.begun.front() == Some(&true) {
            order.begun.pop_front();
            publish(done);
            done += 1;
        }
        if order.running == 0 {
            self.ended.notify_all();
        }
    }

    /// Whether nobody leads: a look without the lock, which sees at the latest what happened before the last packet
    /// was rung for.
    pub fn is_vacant(&self) -> bool {
        !self.led.load(Ordering::SeqCst)
    }

    /// Wakes or starts a thread if nobody leads and the next packet may begin. `look` says what the packet at an index
    /// waits for; `spawn` starts the thread of that number.
    pub fn call(&self, look: impl FnOnce(u64) -> Next, spawn: impl FnOnce(u32) -> bool) {
        let mut order = self.order.lock();
        if order.led {
            return;
        }
        match look(order.next) {
            Next::Nothing => {}
            // The last of those at work will find it.
            Next::AfterAll if order.running > 0 => {}
            Next::AfterAll | Next::Now => {
                if order.waiting > 0 {
                    self.vacant.notify_one();
                } else if order.threads < MOST && spawn(order.threads) {
                    order.threads += 1;
                }
            }
        }
    }

    /// Wakes everyone who waits, to see that the queue is stopping.
    pub fn end(&self) {
        drop(self.order.lock());
        self.vacant.notify_all();
        self.ended.notify_all();
    }

    fn set_led(&self, order: &mut Order, led: bool) {
        order.led = led;
        self.led.store(led, Ordering::SeqCst);
    }
}

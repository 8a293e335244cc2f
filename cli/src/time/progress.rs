//! How far the model is, on stderr: a line that changes on a terminal, now and then a line of its own in a file.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Nothing is said of what is done sooner.
const PATIENCE: Duration = Duration::from_secs(3);

/// Progress of one dispatch.
pub struct Progress {
    began: Instant,
    terminal: bool,
    told: bool,
    next: Duration,
}

impl Progress {
    /// Of a dispatch that begins now.
    pub fn new() -> Progress {
        Progress { began: Instant::now(), terminal: std::io::stderr().is_terminal(), told: false, next: PATIENCE }
    }

    /// How long to wait until there is something to tell.
    pub fn next(&self) -> Duration {
        self.next.saturating_sub(self.began.elapsed())
    }

    /// Tells how many wave-instructions were issued.
    pub fn tell(&mut self, issued: u64) {
        let text = format!(
            "wavesmith: {:.1} million wave-instructions issued in {:.0} s",
            issued as f64 / 1e6,
            self.began.elapsed().as_secs_f64()
        );
        let mut out = std::io::stderr().lock();
        // Nobody is harmed by progress that cannot be shown.
        let _ = if self.terminal { write!(out, "\r{text}") } else { writeln!(out, "{text}") };
        let _ = out.flush();
        self.told = true;
        self.next += if self.terminal { Duration::from_secs(1) } else { self.next };
    }

    /// Leaves the terminal as it was.
    pub fn end(&self) {
        if self.told && self.terminal {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}

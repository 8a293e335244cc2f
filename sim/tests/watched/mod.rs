//! The same tests under the watching engine: a test file that includes another as a module named `watched_…` has every
//! dispatch of it watched, and an error fails the test.

use wavesmith_loader::Queue;
use wavesmith_sim::checked::{Options, Severity, Sink};
use wavesmith_sim::{Config, EngineKind};

/// A queue that is watched, if the tests are.
pub struct Watched(Option<Sink>);

impl Watched {
    /// Watches what goes to a queue where the module that asks is one of those to be watched.
    pub fn here(module: &str, queue: &Queue) -> Watched {
        if !module.contains("::watched_") {
            return Watched(None);
        }
        let sink = Sink::default();
        let seed = std::env::var("WAVESMITH_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
        let config = Config {
            engine: EngineKind::Checked,
            checked: Options { seed, sink: sink.clone(), ..Options::default() },
            ..Config::default()
        };
        wavesmith_sim::configure(queue.raw(), &config).expect("the queue is the embedded device's");
        Watched(Some(sink))
    }

    /// Tells the findings; an error is a failure, unless they are only counted (`WAVESMITH_COUNT`).
    pub fn judge(&self, what: &str) {
        let Some(sink) = &self.0 else { return };
        let findings = sink.findings();
        for f in &findings {
            let at = f.at.as_ref().map_or_else(String::new, |p| format!("{:#x} {}", p.pc, p.text));
            eprintln!("{what}: {}[{}] {at}: {}", f.severity.name(), f.kind, f.message);
        }
        let errors = findings.iter().filter(|f| f.severity == Severity::Error).count();
        let counted = std::env::var_os("WAVESMITH_COUNT").is_some();
        assert!(errors == 0 || counted, "{what}: {errors} errors under the watching engine");
    }
}

//! The same tests under the watching engine: a test file that includes another as a module named `watched_…` has every
//! dispatch of it watched, and an error fails the test.

#[path = "../../../check/tests/mutation/weakened.rs"]
mod weakened;

use std::cell::RefCell;
use std::collections::BTreeMap;
use wavesmith_asm::{Target, decode, print};
use wavesmith_check::{Edit, Options, Report, check};
use wavesmith_loader::Queue;
use wavesmith_loader::code_object::CodeObject;
use wavesmith_sim::checked::{self, Severity, Sink};
use wavesmith_sim::{Config, EngineKind};
use weakened::{Weakened, weakened};

/// A queue that is watched, if the tests are.
pub struct Watched(Option<Sink>);

impl Watched {
    /// Watches what goes to a queue, with that many bytes of arguments, where the module that asks is one of those to be watched.
    pub fn here(module: &str, queue: &Queue, arguments: usize) -> Watched {
        if !module.contains("::watched_") {
            return Watched(None);
        }
        let sink = Sink::default();
        let asked = std::env::var("WAVESMITH_SEED").ok().and_then(|s| s.parse().ok());
        let seed = asked.unwrap_or_else(|| MUTANT.with_borrow(|m| m.as_ref().map_or(0, |m| m.seed)));
        let config = Config {
            engine: EngineKind::Checked,
            checked: checked::Options {
                seed,
                sink: sink.clone(),
                arguments: Some(arguments as u64),
                ..checked::Options::default()
            },
            ..Config::default()
        };
        wavesmith_sim::configure(queue.raw(), &config).expect("the queue is the embedded device's");
        Watched(Some(sink))
    }

    /// The number of errors of each kind.
    pub fn errors(&self) -> BTreeMap<&'static str, usize> {
        let mut kinds = BTreeMap::new();
        let findings = self.0.iter().flat_map(Sink::findings);
        findings.filter(|f| f.severity == Severity::Error).for_each(|f| *kinds.entry(f.kind.name()).or_default() += 1);
        kinds
    }

    /// Tells the findings; an error is a failure, unless they are only counted (`WAVESMITH_COUNT`).
    pub fn judge(&self, what: &str) {
        let Some(sink) = &self.0 else { return };
        let findings = sink.findings();
        let told = MUTANT.with_borrow(Option::is_none);
        for f in findings.iter().filter(|_| told) {
            let at = f.at.as_ref().map_or_else(String::new, |p| format!("{:#x} {}", p.pc, p.text));
            let other = f.other.as_ref().map_or_else(String::new, |p| format!(" ({:#x})", p.pc));
            eprintln!("{what}: {}[{}] {at}: {}{other}", f.severity.name(), f.kind, f.message);
        }
        let errors = findings.iter().filter(|f| f.severity == Severity::Error).count();
        let counted = std::env::var_os("WAVESMITH_COUNT").is_some();
        assert!(errors == 0 || counted, "{what}: {errors} errors under the watching engine");
    }
}

/// The mutant that objects are loaded as: the site that is changed, counted over all objects that are loaded.
#[derive(Default)]
pub struct Mutant {
    /// The site to change.
    pub wanted: usize,
    /// Sites seen so far.
    pub sites: usize,
    /// What was changed.
    pub text: String,
    /// The object as it was.
    pub before: Vec<u8>,
    /// What came of it.
    pub object: Vec<u8>,
    /// What the static half is told of the object as it was, where the bytes do not say it.
    pub edits: BTreeMap<u64, Edit>,
    /// Its address.
    pub at: u64,
    /// The only target that kernels are run for.
    pub only: Option<Target>,
    /// The seed that the watching engine gets.
    pub seed: u64,
}

impl Mutant {
    /// What the static half says of it.
    pub fn report(&self) -> Report {
        let options = Options { edits: self.edits.clone(), ..Options::default() };
        let object = if self.edits.is_empty() { &self.object } else { &self.before };
        check(object, &options).expect("a code object")
    }
}

thread_local! {
    /// Set where mutants are tested.
    pub static MUTANT: RefCell<Option<Mutant>> = const { RefCell::new(None) };
}

/// The targets that kernels are run for: all, or the one that mutants are tested on.
pub fn targets() -> impl Iterator<Item = Target> {
    let only = MUTANT.with_borrow(|m| m.as_ref().and_then(|m| m.only));
    Target::ALL.into_iter().filter(move |t| only.is_none_or(|o| o == *t))
}

/// The object with the wanted site of a kernel changed, where mutants are tested; else as it is.
pub fn mutated(mut bytes: Vec<u8>, kernel: &str) -> Vec<u8> {
    MUTANT.with_borrow_mut(|m| {
        let Some(m) = m else { return bytes };
        let object = CodeObject::parse(&bytes).expect("a code object");
        for k in object.kernels.iter().filter(|k| k.name == kernel) {
            let range = object.file_range(k.entry_vaddr, k.code_size).expect("code is in the file");
            let words: Vec<u32> =
                bytes[range.clone()].as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
            let mut at = 0;
            while at < words.len() {
                let Ok(inst) = decode(&words[at..], object.target) else {
                    at += 1;
                    continue;
                };
                for Weakened { what, words: new, edit } in weakened(&inst) {
                    if m.sites == m.wanted {
                        let from = range.start + 4 * at;
                        m.before.clone_from(&bytes);
                        m.edits = edit.map(|e| (k.entry_vaddr + 4 * at as u64, e)).into_iter().collect();
                        let new: Vec<u8> = new.iter().flat_map(|w| w.to_le_bytes()).collect();
                        bytes[from..from + new.len()].copy_from_slice(&new);
                        m.text = format!("{} {} {:#x} {}: {what}", object.target, k.name, 4 * at, print::text(&inst));
                        m.at = k.entry_vaddr + 4 * at as u64;
                        m.object = bytes.clone();
                    }
                    m.sites += 1;
                }
                at += inst.dwords();
            }
        }
        bytes
    })
}

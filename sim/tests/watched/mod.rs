//! The same tests under the watching engine: a test file that includes another as a module named `watched_…` has every
//! dispatch of it watched, and an error fails the test.

use std::cell::RefCell;
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Field, Inst, decode, print};
use wavesmith_loader::Queue;
use wavesmith_loader::code_object::CodeObject;
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
        let told = MUTANT.with_borrow(Option::is_none);
        for f in findings.iter().filter(|_| told) {
            let at = f.at.as_ref().map_or_else(String::new, |p| format!("{:#x} {}", p.pc, p.text));
            eprintln!("{what}: {}[{}] {at}: {}", f.severity.name(), f.kind, f.message);
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
    /// The object that came of it.
    pub object: Vec<u8>,
}

thread_local! {
    /// Set where mutants are tested.
    pub static MUTANT: RefCell<Option<Mutant>> = const { RefCell::new(None) };
}

/// What an instruction becomes when it is taken out or weakened, if it is one that orders anything.
fn weakened(inst: &Inst) -> Option<(&'static str, Vec<u32>)> {
    /// `s_nop 0`.
    const NOP: u32 = 0xbf80_0000;
    let gone = |what| Some((what, vec![NOP; inst.dwords()]));
    match inst.row().sem {
        Sem::Control(Control::Barrier | Control::Waitcnt) => gone("taken out"),
        Sem::CacheWriteback | Sem::CacheInvalidate { .. } => gone("taken out"),
        Sem::Load { .. } | Sem::Store { .. } | Sem::Atomic { .. } if inst.get(Field::Sc1) != 0 => {
            let mut other = *inst;
            other.set(Field::Sc1, 0);
            Some(("without sc1", other.words().to_vec()))
        }
        _ => None,
    }
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
                if let Some((what, new)) = weakened(&inst) {
                    if m.sites == m.wanted {
                        let from = range.start + 4 * at;
                        let new: Vec<u8> = new.iter().flat_map(|w| w.to_le_bytes()).collect();
                        bytes[from..from + new.len()].copy_from_slice(&new);
                        m.text = format!("{} {} {:#x} {}: {what}", object.target, k.name, 4 * at, print::text(&inst));
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

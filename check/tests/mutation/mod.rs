//! Mutants of waits and nops, what the checker says of each, and the proof that those it does not see are harmless.

mod reason;
pub mod weakened;

use super::queues::{self, Change, Prover};
pub use reason::why_advice;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Inst, decode, print};
use wavesmith_check::{Edit, Finding, Options, Report, Severity, check};
use wavesmith_loader::code_object::{CodeObject, Kernel, Segment};
use weakened::{Weakened, weakened};

/// The instructions of a kernel's symbol, in order; of a symbol without a size, up to the end of the segment.
pub fn code(object: &CodeObject, bytes: &[u8]) -> Vec<(u64, Inst)> {
    let mut out = Vec::new();
    for k in &object.kernels {
        let end = |s: &Segment| s.addresses().end - k.entry_vaddr;
        let size = match k.code_size {
            0 => object.segments.iter().find(|s| s.addresses().contains(&k.entry_vaddr)).map_or(0, end),
            size => size,
        };
        let range = object.file_range(k.entry_vaddr, size).or_else(|| object.file_range(k.entry_vaddr, 0)).unwrap();
        let words: Vec<u32> = bytes[range].as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let mut at = 0;
        while at < words.len() {
            match decode(&words[at..], object.target) {
                Ok(inst) => {
                    out.push((k.entry_vaddr + 4 * at as u64, inst));
                    at += inst.dwords();
                }
                Err(_) => at += 1,
            }
        }
    }
    out
}

/// The mutants of a wait or nop, with what each does.
pub fn mutants(inst: &Inst) -> Vec<(String, Edit)> {
    if !matches!(inst.row().sem, Sem::Control(Control::Nop | Control::Waitcnt)) {
        return Vec::new();
    }
    let edit = |w: Weakened| {
        let gone = w.what == "taken out";
        (w.what, if gone { Edit::Remove } else { Edit::Replace(w.words) })
    };
    weakened(inst).into_iter().map(edit).collect()
}

/// Where a kernel may start: at its entry, and behind the loads that preloading makes needless.
pub fn entries(object: &CodeObject) -> Vec<u64> {
    let of = |k: &Kernel| {
        let preloaded = (k.descriptor.preload_length > 0).then_some(k.entry_vaddr + 256);
        [Some(k.entry_vaddr), preloaded]
    };
    object.kernels.iter().flat_map(of).flatten().collect()
}

/// What a mutant shows that the kernel as it is does not.
pub fn new_findings<'a>(base: &Report, report: &'a Report) -> Vec<&'a Finding> {
    let key =
        |f: &Finding| (f.severity, f.at.as_ref().map(|p| p.pc), f.other.as_ref().map(|p| p.pc), f.message.clone());
    let known: HashSet<_> = base.findings.iter().map(key).collect();
    report.findings.iter().filter(|f| !known.contains(&key(f))).collect()
}

/// What became of the mutants.
#[derive(Debug, Default)]
pub struct Score {
    pub total: usize,
    pub errors: usize,
    /// By why it is no error.
    pub advice: BTreeMap<String, usize>,
    /// By what was proved.
    pub survivors: BTreeMap<&'static str, Vec<String>>,
    /// What a load brings into LDS may come too late: which bytes are meant is data, and the dynamic half's to judge.
    pub left: Vec<String>,
    /// Neither seen nor proved harmless, or an error that is proved harmless.
    pub wrong: Vec<String>,
}

impl Score {
    /// How many are advice.
    pub fn advised(&self) -> usize {
        self.advice.values().sum()
    }

    /// Tries every mutant of an object.
    pub fn judge(&mut self, name: &str, bytes: &[u8]) {
        let object = CodeObject::parse(bytes).unwrap();
        let entries = entries(&object);
        let look = |edits: BTreeMap<u64, Edit>| check(bytes, &Options { edits, ..Options::default() }).unwrap();
        let base = look(BTreeMap::new());
        assert!(!base.failed(), "{name}");
        let prover = Prover::new(&object, bytes, &entries);
        for (pc, inst) in &code(&object, bytes) {
            for (what, edit) in mutants(inst) {
                self.total += 1;
                let text = format!("{name} {pc:#x} {}: {what}", print::text(inst));
                let change = match &edit {
                    Edit::Remove => Change::Gone,
                    Edit::Replace(words) => Change::Instead(decode(words, object.target).unwrap()),
                };
                let report = look([(*pc, edit)].into());
                let new = new_findings(&base, &report);
                let proof = || prover.proof(*pc, inst, &change);
                match new.iter().map(|f| f.severity).max() {
                    Some(Severity::Error) => {
                        self.errors += 1;
                        if proof().is_ok() {
                            self.wrong.push(format!("{text}: an error, and proved harmless"));
                        }
                    }
                    Some(Severity::Advice) => {
                        let whys: BTreeSet<String> = new.iter().map(|f| why_advice(f)).collect();
                        *self.advice.entry(whys.into_iter().collect::<Vec<_>>().join("; ")).or_default() += 1;
                    }
                    None => match proof() {
                        Ok(_) => {
                            let is_nop = matches!(inst.row().sem, Sem::Control(Control::Nop));
                            let proved = if is_nop {
                                "no way leads to it: padding"
                            } else {
                                "every way waits again before the first use, and before others can see it"
                            };
                            self.survivors.entry(proved).or_default().push(text);
                        }
                        Err(why) if why.starts_with(queues::FILLS_LDS) => self.left.push(text),
                        Err(why) => self.wrong.push(format!("{text}: not seen, and not proved: {why}")),
                    },
                }
            }
        }
    }

    #[track_caller]
    pub fn assert_all_accounted_for(&self) {
        assert!(self.wrong.is_empty(), "{}:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let survived: usize = self.survivors.values().map(Vec::len).sum();
        let advised = self.advised();
        write!(f, "{} mutants: {} are errors, {advised} are advice, {survived} survive", self.total, self.errors)?;
        self.advice.iter().try_for_each(|(why, n)| write!(f, "\n  {n} advice: {why}"))?;
        for (proved, list) in &self.survivors {
            write!(f, "\n  {} survive: {proved}", list.len())?;
            if list.len() < 20 {
                list.iter().try_for_each(|l| write!(f, "\n    {l}"))?;
            }
        }
        if !self.left.is_empty() {
            write!(f, "\n  {} left to the dynamic half: loads into LDS", self.left.len())?;
            self.left.iter().try_for_each(|l| write!(f, "\n    {l}"))?;
        }
        Ok(())
    }
}

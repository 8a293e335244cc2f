//! Mutants of every kind in anyone's code object, as a table of what the static half makes of them.

use crate::mutation::weakened::{Weakened, weakened};
use crate::mutation::{code, entries, new_findings, why_advice};
use crate::queues::{Change, Prover};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Inst, Target, decode, print};
use wavesmith_check::{Edit, Options, Severity, check};
use wavesmith_loader::code_object::CodeObject;

/// What became of one mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Error,
    Advice,
    Proved,
    /// A nop that no rule asks for, of guide or LLVM.
    Unasked,
    /// Neither seen nor proved.
    Left,
}

/// The mutants of many objects, counted.
pub struct Table {
    each: usize,
    from: usize,
    prove: bool,
    number: usize,
    counts: BTreeMap<(Target, String), BTreeMap<Fate, usize>>,
    advice: BTreeMap<(Target, String), usize>,
    left: BTreeMap<(Target, String), Vec<String>>,
}

impl Table {
    /// Counts every `each`th mutant from number `from` on.
    pub fn new(each: usize, from: usize, prove: bool) -> Table {
        Table { each, from, prove, number: 0, counts: BTreeMap::new(), advice: BTreeMap::new(), left: BTreeMap::new() }
    }

    /// Tries the mutants of an object.
    pub fn judge(&mut self, name: &str, bytes: &[u8]) {
        let object = CodeObject::parse(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let look = |edits: BTreeMap<u64, Edit>| check(bytes, &Options { edits, ..Options::default() }).unwrap();
        // Both take their time, and most objects have no mutant of the sample.
        let base = OnceCell::new();
        let prover = OnceCell::new();
        for (pc, inst) in &code(&object, bytes) {
            for mutant in weakened(inst) {
                self.number += 1;
                if !(self.number - 1).wrapping_sub(self.from).is_multiple_of(self.each) || self.number <= self.from {
                    continue;
                }
                let (edit, change) = change(inst, &mutant, object.target);
                let report = look([(*pc, edit)].into());
                let new = new_findings(base.get_or_init(|| look(BTreeMap::new())), &report);
                let prover = || prover.get_or_init(|| Prover::new(&object, bytes, &entries(&object)));
                let fate = match new.iter().map(|f| f.severity).max() {
                    Some(Severity::Error) => Fate::Error,
                    Some(Severity::Advice) => {
                        let whys: BTreeSet<String> = new.iter().map(|f| why_advice(f)).collect();
                        let why = whys.into_iter().collect::<Vec<_>>().join("; ");
                        *self.advice.entry((object.target, why)).or_default() += 1;
                        Fate::Advice
                    }
                    None => {
                        match if self.prove { prover().proof(*pc, inst, &change) } else { Err("not tried".to_owned()) }
                        {
                            Ok(_) => Fate::Proved,
                            Err(_) if is_nop(inst) => Fate::Unasked,
                            Err(why) => {
                                let text = format!("{name} {pc:#x} {}: {}: {why}", print::text(inst), mutant.what);
                                let kind = reason(&why);
                                self.left.entry((object.target, kind)).or_default().push(text);
                                Fate::Left
                            }
                        }
                    }
                };
                *self.counts.entry((object.target, kind(inst, &mutant))).or_default().entry(fate).or_default() += 1;
            }
        }
    }
}

/// Why a proof fails, without the addresses.
fn reason(why: &str) -> String {
    why.split(' ').map(|w| if w.starts_with("0x") { "…" } else { w }).collect::<Vec<_>>().join(" ")
}

fn is_nop(inst: &Inst) -> bool {
    matches!(inst.row().sem, Sem::Control(Control::Nop))
}

/// The mutant for the checker, and for the prover.
fn change(inst: &Inst, mutant: &Weakened, target: Target) -> (Edit, Change) {
    let replaced = || match decode(&mutant.words, target) {
        Ok(other) if other.dwords() == inst.dwords() => Some(other),
        _ => None,
    };
    match (&mutant.edit, replaced()) {
        (Some(Edit::Replace(words)), _) => (Edit::Replace(words.clone()), Change::Gone),
        (None, Some(other)) => (Edit::Replace(mutant.words.clone()), Change::Instead(other)),
        // What takes two dwords is two nops when it is gone.
        (Some(Edit::Remove), _) | (None, None) => (Edit::Remove, Change::Gone),
    }
}

/// What was done to what.
fn kind(inst: &Inst, mutant: &Weakened) -> String {
    let name = match inst.row().sem {
        Sem::Load { .. } => "load",
        Sem::Store { .. } => "store",
        Sem::Atomic { .. } => "atomic",
        _ => inst.row().name,
    };
    let what = if mutant.what.contains(" for ") { "one weaker" } else { &mutant.what };
    format!("{name}, {what}")
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| target | mutant | all | error | advice | proved harmless | no rule asks | left to the dynamic half |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|")?;
        let mut sums: BTreeMap<Target, BTreeMap<Fate, usize>> = BTreeMap::new();
        let row = |f: &mut fmt::Formatter<'_>, target: Target, kind: &str, of: &BTreeMap<Fate, usize>| {
            let n = |fate| of.get(&fate).copied().unwrap_or(0);
            writeln!(
                f,
                "| {target} | {kind} | {} | {} | {} | {} | {} | {} |",
                of.values().sum::<usize>(),
                n(Fate::Error),
                n(Fate::Advice),
                n(Fate::Proved),
                n(Fate::Unasked),
                n(Fate::Left)
            )
        };
        for ((target, kind), of) in &self.counts {
            row(f, *target, kind, of)?;
            let sum = sums.entry(*target).or_default();
            of.iter().for_each(|(fate, n)| *sum.entry(*fate).or_default() += n);
        }
        for (target, of) in &sums {
            row(f, *target, "all", of)?;
        }
        for ((target, why), n) in &self.advice {
            writeln!(f, "advice {target} {why}: {n}")?;
        }
        for ((target, why), list) in &self.left {
            writeln!(f, "left {target} {why}: {}", list.len())?;
            list.iter().try_for_each(|l| writeln!(f, "  {l}"))?;
        }
        Ok(())
    }
}

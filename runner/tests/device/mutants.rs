//! Mutants of our own kernels: everything that orders something is taken out or weakened, one instruction at a time.

use super::protocol::Protocol;
use std::collections::{BTreeMap, BTreeSet};
use wavesmith_asm::sem::{Control, Sem, Space};
use wavesmith_asm::{Field, Inst, Sku, decode, print};
use wavesmith_check::Edit;
use wavesmith_kernels::gemm::{Dtype, Extras, Gemm, GemmParams, GemmProblem, Order, Schedule, gemm};
use wavesmith_kernels::monokernel::Sync;
use wavesmith_loader::code_object::CodeObject;
use wavesmith_sim::checked::{Kind, Options, Severity, Sink};
use wavesmith_sim::{Config, EngineKind};
use wavesmith_verify::matmul_cases::{Case, fitted};

/// What a run under the watching engine showed.
#[derive(Default)]
pub struct Shown {
    /// An error, a fault or a wrong result.
    pub wrong: Option<String>,
    /// Advice, by kind and address.
    pub advice: BTreeSet<(Kind, u64)>,
}

/// Runs an object with a seed.
type Run = Box<dyn Fn(&[u8], u64) -> Shown>;

/// A kernel that is mutated, and how an object of it is run.
pub struct Subject {
    pub name: String,
    pub object: Vec<u8>,
    pub kernel: String,
    pub run: Run,
}

/// How a kernel's mutants fared.
#[derive(Default)]
pub struct Score {
    pub total: usize,
    /// Errors of the static half, then of the dynamic half.
    pub by_static: usize,
    pub by_dynamic: usize,
    /// Advice only, by kind or rule.
    pub advised: BTreeMap<String, usize>,
    /// Neither.
    pub survivors: Vec<String>,
}

/// An instruction that orders something, in another form: what was done, the new dwords, and what the static half is told.
fn weakened(inst: &Inst) -> Vec<(String, Vec<u32>, Option<Edit>)> {
    /// `s_nop 0`.
    const NOP: u32 = 0xbf80_0000;
    let replaced = |what: &str, new: Inst| vec![(what.to_owned(), new.words().to_vec(), None)];
    let without = |field, what: &str| {
        (inst.get(field) != 0).then(|| {
            let mut other = *inst;
            other.set(field, 0);
            (what.to_owned(), other.words().to_vec(), None)
        })
    };
    match inst.row().sem {
        Sem::Control(Control::Waitcnt) => {
            let mut other = *inst;
            // A wait for nothing.
            other.set(Field::Simm16, 0xcf7f);
            replaced("taken out", other)
        }
        Sem::Control(Control::Barrier) | Sem::CacheWriteback | Sem::CacheInvalidate { .. } => {
            vec![("taken out".to_owned(), vec![NOP; inst.dwords()], None)]
        }
        // Nothing takes the place of a nop in the file, so the static half is told; the engine sees a shorter one.
        Sem::Control(Control::Nop) => vec![("taken out".to_owned(), vec![NOP], Some(Edit::Remove))],
        Sem::Load { space, .. } | Sem::Store { space, .. } if space != Space::Lds => {
            [without(Field::Sc0, "without sc0 or glc"), without(Field::Sc1, "without sc1")]
                .into_iter()
                .flatten()
                .collect()
        }
        Sem::Atomic { space, .. } if space != Space::Lds => without(Field::Sc1, "without sc1").into_iter().collect(),
        _ => Vec::new(),
    }
}

impl Subject {
    /// Runs every `each`th mutant, counted over all subjects by `number`.
    pub fn score(&self, seeds: u64, each: usize, number: &mut usize) -> Score {
        let check = |object: &[u8], edit: Option<(u64, Edit)>| {
            let options = wavesmith_check::Options { edits: edit.into_iter().collect(), ..Default::default() };
            wavesmith_check::check(object, &options).expect("a code object")
        };
        let parsed = CodeObject::parse(&self.object).expect("a code object");
        let k = parsed.kernels.iter().find(|k| k.name == self.kernel).expect("the kernel");
        let range = parsed.file_range(k.entry_vaddr, k.code_size).expect("code is in the file");
        let code = &self.object[range.clone()];
        let words: Vec<u32> = code.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let known: BTreeSet<(&str, Option<u64>)> =
            check(&self.object, None).findings.iter().map(|f| (f.kind.name(), f.at.as_ref().map(|p| p.pc))).collect();
        let mut usual = BTreeSet::new();
        for seed in 0..seeds {
            let shown = (self.run)(&self.object, seed);
            assert_eq!(shown.wrong, None, "{} is right as it is, seed {seed}", self.name);
            usual.extend(shown.advice);
        }
        let (mut score, mut at, mut before) = (Score::default(), 0, String::new());
        while at < words.len() {
            let Ok(inst) = decode(&words[at..], parsed.target) else {
                at += 1;
                continue;
            };
            for (what, new, edit) in weakened(&inst) {
                *number += 1;
                if !number.is_multiple_of(each) {
                    continue;
                }
                score.total += 1;
                let mut object = self.object.clone();
                for (i, w) in new.iter().enumerate() {
                    let from = range.start + 4 * (at + i);
                    object[from..from + 4].copy_from_slice(&w.to_le_bytes());
                }
                let pc = k.entry_vaddr + 4 * at as u64;
                let found = match edit {
                    Some(edit) => check(&self.object, Some((pc, edit))),
                    None => check(&object, None),
                };
                if found.failed() {
                    score.by_static += 1;
                    continue;
                }
                let new =
                    found.findings.iter().filter(|f| !known.contains(&(f.kind.name(), f.at.as_ref().map(|p| p.pc))));
                let mut advice = new.map(|f| f.kind.name()).next();
                let mut wrong = false;
                for seed in 0..seeds {
                    let shown = (self.run)(&object, seed);
                    advice = advice.or_else(|| shown.advice.iter().find(|a| !usual.contains(a)).map(|(k, _)| k.name()));
                    if shown.wrong.is_some() {
                        wrong = true;
                        break;
                    }
                }
                if wrong {
                    score.by_dynamic += 1;
                } else if let Some(kind) = advice {
                    *score.advised.entry(kind.to_owned()).or_default() += 1;
                } else {
                    let next = decode(&words[at + inst.dwords()..], parsed.target);
                    let next = next.map_or_else(|_| String::new(), |n| print::text(&n));
                    let text = print::text(&inst);
                    score.survivors.push(format!("{} {:#x} [{before}; {text}; {next}]: {what}", self.name, 4 * at));
                }
            }
            before = print::text(&inst);
            at += inst.dwords();
        }
        score
    }
}

/// A GEMM on a part, small, but with several tiles and stages.
fn multiplication(name: &str, sku: &'static Sku, params: GemmParams, problem: GemmProblem) -> Option<Subject> {
    let made = gemm(&params, sku).ok()?;
    let case = Case { sku, params, problem, seed: 1 };
    let kernel = made.clone();
    let run = move |object: &[u8], seed: u64| {
        let sink = Sink::default();
        let checked = Options { seed, until_error: true, sink: sink.clone(), ..Options::default() };
        let max_instructions = Some(2_000_000);
        let config = Config { engine: EngineKind::Checked, max_instructions, checked, ..Config::default() };
        let outcome = case.dispatch(&Gemm { object: object.to_vec(), ..kernel.clone() }, &config);
        let findings = sink.findings();
        let error = findings.iter().find(|f| f.severity == Severity::Error);
        let wrong = match (error, outcome) {
            (Some(f), _) => Some(format!("{}: {}", f.kind, f.message)),
            (None, Err(e)) => Some(e.to_string()),
            (None, Ok(r)) => r.mismatches.first().map(|m| format!("{m:?}")),
        };
        let advice = findings.iter().filter_map(|f| Some((f.kind, f.at.as_ref()?.pc))).collect();
        Shown { wrong, advice }
    };
    Some(Subject {
        name: format!("gemm {name} {}", sku.target),
        object: made.object,
        kernel: wavesmith_kernels::gemm::KERNEL.to_owned(),
        run: Box::new(run),
    })
}

/// The GEMMs: every schedule and order in f16, and the other types.
pub fn multiplications() -> Vec<Subject> {
    let mut out = Vec::new();
    for part in ["mi210", "mi300x", "mi355x"] {
        let sku = Sku::named(part).expect("known part");
        let plain = |dtype: Dtype| {
            let dense = GemmProblem::dense([96, 96, 160], [false, true]);
            let p = GemmParams { extras: Extras::default(), ..GemmParams::suited(dtype, false, true, &dense, sku) };
            GemmParams { tile_m: 64, tile_n: 64, waves_m: 2, waves_n: 2, ..p }
        };
        let problem = |k: u32| {
            let p = GemmProblem { m: 96, n: 96, k, batch: 1, lda: 0, ldb: 0, ldc: 0, alpha: 1.0, beta: 0.0 };
            fitted(p, [false, true], [0; 3])
        };
        let f16 = plain(Dtype::F16);
        let of = |name: &str, params: GemmParams, k: u32| multiplication(name, sku, params, problem(k));
        out.extend(of("f16", f16, 160));
        out.extend(of(
            "f16 interleaved",
            GemmParams { schedule: Schedule::Interleave { mfma_per_read: 2, mfma_per_load: 4 }, ..f16 },
            160,
        ));
        out.extend(of("f16 list", GemmParams { schedule: Schedule::List, ..f16 }, 160));
        let pair = GemmParams { schedule: Schedule::PingPong, tile_m: 128, tile_n: 128, waves_m: 4, waves_n: 2, ..f16 };
        out.extend(of("f16 ping-pong", pair, 160));
        out.extend(of("f16 persistent", GemmParams { order: Order::Persistent, workgroups: 3, ..f16 }, 160));
        out.extend(of("f16 stream-K", GemmParams { order: Order::StreamK, workgroups: 3, ..f16 }, 320));
        out.extend(of("f16 split-K", GemmParams { split_k: 2, ..f16 }, 320));
        for (name, dtype) in
            [("bf16", Dtype::Bf16), ("f32", Dtype::F32), ("f64", Dtype::F64), ("i8", Dtype::I8), ("fp8", Dtype::Fp8)]
        {
            out.extend(of(name, plain(dtype), 96));
        }
    }
    out
}

/// The monokernel, its stages joined in both ways.
pub fn monokernels() -> Vec<Subject> {
    let subject = |name: &str, sync: Sync| {
        let object = std::cell::RefCell::new(Vec::new());
        let device = Protocol::joined(8, sync, |k| {
            object.borrow_mut().clone_from(&k.object);
            k.object.clone()
        });
        let plain = device.plain();
        let right = plain.logits.clone().expect("it decodes");
        let fuel = 6 * plain.instructions.max(200_000);
        let object = object.into_inner();
        let kernel = CodeObject::parse(&object).expect("a code object").kernels[0].name.clone();
        let run = move |object: &[u8], seed: u64| {
            // A faulted queue takes no more work, so each has its own.
            let outcome = Protocol::joined(8, sync, |_| object.to_vec()).with_fuel(fuel).watched(seed);
            Shown { wrong: outcome.wrong(&right), advice: outcome.advice.clone() }
        };
        Subject { name: name.to_owned(), object, kernel, run: Box::new(run) }
    };
    vec![subject("monokernel, sentinels", Sync::Sentinel), subject("monokernel, counter", Sync::Counter)]
}

//! Mutants of our own kernels: everything that orders something is taken out or weakened, one instruction at a time.

#[path = "../../../check/tests/queues/mod.rs"]
mod queues;
#[path = "../../../check/tests/mutation/reason.rs"]
mod reason;
#[path = "../../../check/tests/mutation/weakened.rs"]
mod weakened;

use super::protocol::{Protocol, TINY, WIDE};
use reason::why_advice;
use std::collections::{BTreeMap, BTreeSet};
use wavesmith_asm::{Sku, Target, decode, print};
use wavesmith_check::Edit;
use wavesmith_kernels::gemm::{Dtype, Extras, Gemm, GemmParams, GemmProblem, Order, Schedule, gemm};
use wavesmith_kernels::monokernel::Sync;
use wavesmith_loader::code_object::CodeObject;
use wavesmith_model::LlamaConfig;
use wavesmith_sim::checked::{Kind, Options, Severity, Sink};
use wavesmith_sim::{Config, EngineKind};
use wavesmith_verify::matmul_cases::Case;
use weakened::{Weakened, weakened};

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
    /// Advice only, by target and by kind or rule: the mutants, and how many of them the static half advises on.
    pub advised: BTreeMap<(Target, String), (Vec<String>, usize)>,
    /// Neither, and proved harmless.
    pub proved: Vec<String>,
    /// Neither, by the reason that is known, or none.
    pub survivors: Vec<String>,
}

impl Subject {
    /// Runs every `each`th mutant, counted over all subjects by `number`, or those of the instruction at `only`, which is an
    /// offset from the kernel's entry.
    pub fn score(&self, seeds: u64, each: usize, only: Option<u64>, number: &mut usize) -> Score {
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
        let prover = queues::Prover::new(&parsed, &self.object, &[k.entry_vaddr]);
        let (mut score, mut at, mut before) = (Score::default(), 0, String::new());
        while at < words.len() {
            let Ok(inst) = decode(&words[at..], parsed.target) else {
                at += 1;
                continue;
            };
            for Weakened { what, words: new, edit } in weakened(&inst) {
                *number += 1;
                if only.map_or(!number.is_multiple_of(each), |only| only != 4 * at as u64) {
                    continue;
                }
                score.total += 1;
                let mut object = self.object.clone();
                for (i, w) in new.iter().enumerate() {
                    let from = range.start + 4 * (at + i);
                    object[from..from + 4].copy_from_slice(&w.to_le_bytes());
                }
                let pc = k.entry_vaddr + 4 * at as u64;
                let found = match &edit {
                    Some(edit) => check(&self.object, Some((pc, edit.clone()))),
                    None => check(&object, None),
                };
                if found.failed() {
                    score.by_static += 1;
                    continue;
                }
                let mut said =
                    found.findings.iter().filter(|f| !known.contains(&(f.kind.name(), f.at.as_ref().map(|p| p.pc))));
                let mut advice = said.next().map(why_advice);
                let by_static = advice.is_some();
                let mut wrong = false;
                // What the static half advises on gets one chance of being an error as well.
                for seed in 0..if by_static { seeds.min(1) } else { seeds } {
                    let shown = (self.run)(&object, seed);
                    let fresh = shown.advice.iter().find(|a| !usual.contains(a));
                    advice = advice.or_else(|| fresh.map(|(k, _)| format!("{}, of the dynamic half", k.name())));
                    if shown.wrong.is_some() {
                        wrong = true;
                        break;
                    }
                }
                let next = decode(&words[at + inst.dwords()..], parsed.target);
                let next = next.map_or_else(|_| String::new(), |n| print::text(&n));
                let text = print::text(&inst);
                let text = format!("{} {:#x} [{before}; {text}; {next}]: {what}", self.name, 4 * at);
                if wrong {
                    score.by_dynamic += 1;
                } else if let Some(why) = advice {
                    let of = score.advised.entry((parsed.target, why)).or_default();
                    of.0.push(text);
                    of.1 += usize::from(by_static);
                } else {
                    let change = match &edit {
                        Some(Edit::Remove) => queues::Change::Gone,
                        _ => queues::Change::Instead(decode(&new, parsed.target).expect("an instruction")),
                    };
                    match prover.proof(pc, &inst, &change) {
                        Ok(_) => score.proved.push(text),
                        Err(why) => score.survivors.push(format!("{text}: {why}")),
                    }
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
    let case = Case { sku, params, problem, seed: 1, unset_c: false };
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
        let problem = |k: u32| GemmProblem::dense([96, 96, k], [false, true]);
        let f16 = plain(Dtype::F16);
        let of = |name: &str, params: GemmParams, k: u32| multiplication(name, sku, params, problem(k));
        out.extend(of("f16", f16, 320));
        out.extend(of(
            "f16 interleaved",
            GemmParams { schedule: Schedule::Interleave { mfma_per_read: 2, mfma_per_load: 4 }, ..f16 },
            160,
        ));
        out.extend(of("f16 list", GemmParams { schedule: Schedule::List, ..f16 }, 160));
        let pair = GemmParams { schedule: Schedule::PingPong, tile_m: 128, tile_n: 128, waves_m: 4, waves_n: 2, ..f16 };
        out.extend(of("f16 ping-pong", pair, 160));
        out.extend(of("f16 persistent", GemmParams { order: Order::Persistent, workgroups: 3, ..f16 }, 320));
        out.extend(of("f16 stream-K", GemmParams { order: Order::StreamK, workgroups: 3, ..f16 }, 320));
        out.extend(of("f16 split-K", GemmParams { split_k: 2, ..f16 }, 320));
        // As many stages for each, so that every loop is gone through and its waits are needed.
        for (name, dtype, k) in [
            ("bf16", Dtype::Bf16, 320),
            ("f32", Dtype::F32, 96),
            ("f64", Dtype::F64, 96),
            ("i8", Dtype::I8, 320),
            ("fp8", Dtype::Fp8, 320),
        ] {
            out.extend(of(name, plain(dtype), k));
        }
    }
    out
}

/// The monokernel, its stages joined in both ways.
pub fn monokernels() -> Vec<Subject> {
    // Where two share the rows, more than one wave of each publishes some, so that the barriers between them matter.
    vec![
        decoding("monokernel, sentinels", &TINY, Sync::Sentinel, 8),
        decoding("monokernel, counter", &TINY, Sync::Counter, 2),
    ]
}

/// The monokernel where a workgroup has several batches of rows.
pub fn batched() -> Subject {
    decoding("monokernel, batches", &WIDE, Sync::Sentinel, 2)
}

fn decoding(name: &str, model: &'static LlamaConfig, sync: Sync, workgroups: u32) -> Subject {
    let object = std::cell::RefCell::new(Vec::new());
    let device = Protocol::joined(model, workgroups, sync, |k| {
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
        let outcome = Protocol::joined(model, workgroups, sync, |_| object.to_vec()).with_fuel(fuel).watched(seed);
        Shown { wrong: outcome.wrong(&right), advice: outcome.advice.clone() }
    };
    Subject { name: name.to_owned(), object, kernel, run: Box::new(run) }
}

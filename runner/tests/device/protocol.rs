//! The monokernel under the watching engine, whole or with its protocol broken in one place.

use std::collections::BTreeSet;
use wavesmith_asm::sem::{Op, Sem};
use wavesmith_asm::{Field, Inst, Operand, Sku, decode, print};
use wavesmith_kernels::monokernel::{Monokernel, Params, Sync, monokernel};
use wavesmith_loader::runtime::Runtime;
use wavesmith_model::synthetic::SMALL;
use wavesmith_model::{LlamaConfig, Weights};
use wavesmith_runner::{Decoder, Request};
use wavesmith_sim::checked::{Finding, Kind, Options, Severity, Sink};
use wavesmith_sim::{Config, EngineKind};

/// A model with every stage, small enough for a thousand runs.
pub const TINY: LlamaConfig = LlamaConfig {
    layers: 2,
    d_model: 192,
    heads: 6,
    kv_heads: 2,
    head_dim: 32,
    ffn: 96,
    vocab: 96,
    context: 64,
    ..SMALL
};

/// The same with so wide a feed-forward network that each of two workgroups has its rows in several batches, and goes
/// through the loops that one batch skips.
pub const WIDE: LlamaConfig = LlamaConfig { ffn: 320, ..TINY };

/// No token ends a sequence.
const NEVER: u32 = u32::MAX - 1;

/// A kernel on a part, its request, and the bits that it must give.
pub struct Protocol {
    decoder: Decoder,
    request: Request,
    fuel: u64,
}

/// How one run ended.
pub struct Outcome {
    /// The bits of the logits, or why there are none.
    pub logits: Result<Vec<u32>, String>,
    /// Errors that the watching engine found.
    pub errors: Vec<Finding>,
    /// Advice, by kind and address.
    pub advice: BTreeSet<(Kind, u64)>,
    pub instructions: u64,
}

impl Outcome {
    /// What is wrong with it, if the right bits are these.
    pub fn wrong(&self, right: &[u32]) -> Option<String> {
        // What ended the run says less than what led to it.
        let cause = self.errors.iter().find(|f| f.kind != Kind::Fault).or(self.errors.first());
        if let Some(f) = cause {
            return Some(format!("{}: {}", f.kind, f.message));
        }
        match &self.logits {
            Err(e) => Some(e.clone()),
            Ok(bits) if bits != right => Some("the logits are other bits".to_owned()),
            Ok(_) => None,
        }
    }
}

impl Protocol {
    /// The kernel for a number of workgroups, changed by `edit`.
    pub fn new(workgroups: u32, edit: impl Fn(&Monokernel) -> Vec<u8>) -> Protocol {
        Protocol::joined(&TINY, workgroups, Sync::Sentinel, edit)
    }

    /// The same for a model and with stages joined in a way of choice.
    pub fn joined(model: &LlamaConfig, workgroups: u32, sync: Sync, edit: impl Fn(&Monokernel) -> Vec<u8>) -> Protocol {
        let sku = Sku::named("mi300x").unwrap();
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).unwrap();
        let params = Params { waves: Some(2), sync, ..Params::new(workgroups, 32) };
        let weights = Weights::synthetic(model, 11).unwrap();
        let kernel = monokernel(model, sku, &params).unwrap();
        let object = edit(&kernel);
        let decoder = Decoder::new(&runtime.gpu_agents()[0], &Monokernel { object, ..kernel }, &weights).unwrap();
        let request = Request::greedy(&[3, 50, 7, 12, 90, 4, 9, 10, 11, 60, 70, 1, 2, 5, 8, 6, 13, 14], 4, NEVER);
        Protocol { decoder, request, fuel: u64::MAX }
    }

    /// Gives up after that many wave-instructions.
    pub fn with_fuel(mut self, fuel: u64) -> Protocol {
        self.fuel = fuel;
        self
    }

    fn run(&self, config: &Config) -> Outcome {
        let sink = config.checked.sink.clone();
        wavesmith_sim::configure(self.decoder.queue().raw(), config).unwrap();
        let logits = match self.decoder.decode(&self.request, |_| ()) {
            Ok(d) => Ok(d.logits.iter().map(|x| x.to_bits()).collect()),
            Err(e) => {
                let fault = wavesmith_sim::last_fault(self.decoder.queue().raw());
                Err(fault.map_or_else(|| e.to_string(), |f| f.to_string()))
            }
        };
        let findings = sink.findings();
        Outcome {
            logits,
            errors: findings.iter().filter(|f| f.severity == Severity::Error).cloned().collect(),
            advice: findings.iter().filter_map(|f| Some((f.kind, f.at.as_ref()?.pc))).collect(),
            instructions: wavesmith_sim::last_stats(self.decoder.queue().raw()).map_or(0, |s| s.wave_instructions),
        }
    }

    /// A run by the plain interpreter.
    pub fn plain(&self) -> Outcome {
        self.run(&Config {
            engine: EngineKind::Interp,
            threads: 1,
            max_instructions: Some(self.fuel),
            ..Config::default()
        })
    }

    /// A watched run.
    pub fn watched(&self, seed: u64) -> Outcome {
        self.run(&Config {
            engine: EngineKind::Checked,
            max_instructions: Some(self.fuel),
            checked: Options { seed, until_error: true, sink: Sink::default(), ..Options::default() },
            ..Config::default()
        })
    }
}

/// As it is.
pub fn whole(kernel: &Monokernel) -> Vec<u8> {
    kernel.object.clone()
}

/// The object with some instructions replaced; `edit` says by which, by index.
pub fn patched(kernel: &Monokernel, edit: impl Fn(&[Inst], usize) -> Option<Inst>) -> Vec<u8> {
    let code = &kernel.kernel.code;
    let start = kernel.object.windows(64).position(|w| *w == code[..64]).expect("the object holds the code");
    let words: Vec<u32> = code.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
    let (mut insts, mut places, mut at) = (Vec::new(), Vec::new(), 0);
    while at < words.len() {
        let Ok(inst) = decode(&words[at..], kernel.kernel.target) else {
            at += 1;
            continue;
        };
        insts.push(inst);
        places.push(start + 4 * at);
        at += inst.dwords();
    }
    let mut out = kernel.object.clone();
    let mut changed = BTreeSet::new();
    for i in 0..insts.len() {
        if let Some(new) = edit(&insts, i) {
            assert_eq!(new.dwords(), insts[i].dwords());
            let bytes: Vec<u8> = new.words().iter().flat_map(|w| w.to_le_bytes()).collect();
            out[places[i]..places[i] + bytes.len()].copy_from_slice(&bytes);
            changed.insert(print::text(&new));
        }
    }
    assert!(!changed.is_empty(), "nothing was changed");
    out
}

/// Two generations of slots instead of three: the generation wraps at 2, and what was used two steps ago counts as the
/// last step.
pub fn two_generations(kernel: &Monokernel) -> Vec<u8> {
    let constant = |inst: &Inst, slot: Field, n: i32| inst.slot(slot) == Some(Operand::Int(n));
    patched(kernel, |insts, i| {
        let (inst, next) = (insts[i], insts.get(i + 1)?);
        let replaced = |n: u32| {
            let mut new = inst;
            // Inline constants start at 128.
            new.set(Field::Src1, 128 + n);
            Some(new)
        };
        match (inst.name(), next.name()) {
            ("s_cmp_eq_u32", "s_cselect_b32") if constant(&inst, Field::Src1, 3) => replaced(2),
            ("s_sub_u32", "s_cmp_lt_i32") if constant(&inst, Field::Src1, 2) => replaced(1),
            _ => None,
        }
    })
}

/// Polls by plain loads, which may find what L1 and L2 keep.
pub fn plain_loads(kernel: &Monokernel) -> Vec<u8> {
    patched(kernel, |insts, i| {
        let mut inst = insts[i];
        let load = matches!(inst.row().sem, Sem::Load { .. }) && inst.get(Field::Sc1) != 0;
        load.then(|| {
            inst.set(Field::Sc1, 0);
            inst
        })
    })
}

/// Looks at the first dword that a poll has loaded and takes the others as arrived.
pub fn one_dword(kernel: &Monokernel) -> Vec<u8> {
    patched(kernel, |insts, i| {
        let mut inst = insts[i];
        // The largest dword tells whether one is missing: let it be the first.
        let largest = matches!(inst.row().sem, Sem::Lane(Op::Max3, _)) && inst.name() == "v_max3_u32";
        largest.then(|| {
            let first = inst.get(Field::Src0);
            inst.set(Field::Src1, first);
            inst.set(Field::Src2, first);
            inst
        })
    })
}

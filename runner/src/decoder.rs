//! [`Decoder`]: a model on a device, ready for sequences.

use crate::error::RunError;
use std::time::{Duration, Instant};
use wavesmith_kernels::monokernel::{Kernargs, Monokernel, NAME, Plan, StatusRecord};
use wavesmith_loader::runtime::{Agent, Buffer, Executable, Geometry, Launch, MemoryKind, Pending, Queue};
use wavesmith_model::{Sampling, Weights};

/// Between two looks at the token slots.
const LOOK: Duration = Duration::from_micros(200);

/// Ticks of the device's clock a second, over the 256 that the watchdog counts in.
const WATCHDOG_RATE: f64 = 100e6 / 256.0;

/// One sequence to decode.
#[derive(Clone, Debug)]
pub struct Request {
    /// Prompt tokens, at least one.
    pub prompt: Vec<u32>,
    /// Tokens to generate at most, at least 1.
    pub max_tokens: usize,
    /// The token that ends the sequence; it is part of the output.
    pub eos: u32,
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// How long, by the device's clock, a wave waits for another before it gives up.
    pub watchdog: Duration,
    /// Whether logits and residuals are kept.
    pub record: bool,
}

impl Request {
    /// Greedy decoding of up to `max_tokens` tokens with everything recorded. The watchdog is generous: the embedded
    /// device's clock counts instructions of all waves, so time passes there while others work.
    pub fn greedy(prompt: &[u32], max_tokens: usize, eos: u32) -> Request {
        Request {
            prompt: prompt.to_vec(),
            max_tokens,
            eos,
            sampling: Sampling::GREEDY,
            watchdog: Duration::from_secs(600),
            record: true,
        }
    }
}

/// What came out of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// Generated tokens, the end token included if it came.
    pub tokens: Vec<u32>,
    /// Logits of each generated token, `vocab` each; empty if not recorded.
    pub logits: Vec<f32>,
    /// The residual after each layer at each position, `[position][layer][d_model]`, all positions that were computed; empty
    /// if not recorded.
    pub residuals: Vec<f32>,
    /// From launch to end.
    pub elapsed: Duration,
    /// From launch to the first token.
    pub first_token: Duration,
}

/// A model's weights on a device with the kernel that decodes it.
#[derive(Debug)]
pub struct Decoder {
    agent: Agent,
    queue: Queue,
    executable: Executable,
    plan: Plan,
    weights: Buffer,
    embedding: Buffer,
    norms: Buffer,
    rope: Buffer,
    table: Buffer,
    exchange: Buffer,
    kv: Buffer,
    scratch: Buffer,
    status: Buffer,
    counter: Buffer,
}

impl Decoder {
    /// Loads the kernel and uploads the weights, re-laid for it.
    ///
    /// # Errors
    /// [`RunError::Runtime`] if the device refuses code or memory.
    ///
    /// # Panics
    /// If the weights are of another shape than the kernel's model.
    pub fn new(agent: &Agent, kernel: &Monokernel, weights: &Weights) -> Result<Decoder, RunError> {
        let plan = kernel.plan.clone();
        let executable = agent.load(&kernel.object)?;
        let upload = |bytes: &[u8]| agent.upload(MemoryKind::Device, bytes);
        let room = |bytes: usize| agent.allocate(MemoryKind::Device, bytes);
        let workgroups = plan.params.workgroups as usize;
        Ok(Decoder {
            queue: agent.queue(64)?,
            weights: upload(&plan.relay(weights))?,
            embedding: upload(&plan.embedding(weights))?,
            norms: upload(&plan.norms(weights))?,
            rope: upload(&plan.rope())?,
            table: upload(&plan.table())?,
            exchange: room(plan.exchange.bytes())?,
            kv: room(plan.kv_bytes())?,
            scratch: room(plan.scratch_per_workgroup() * workgroups)?,
            status: agent.allocate(MemoryKind::Host, StatusRecord::BYTES * workgroups)?,
            counter: room(128)?,
            agent: agent.clone(),
            executable,
            plan,
        })
    }

    /// The plan of the kernel.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The queue that dispatches go to.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    fn check(&self, request: &Request) -> Result<(), RunError> {
        let (prompt, max_tokens) = (request.prompt.len(), request.max_tokens);
        let (vocab, context) = (self.plan.config.vocab, self.plan.params.context as usize);
        if prompt == 0 {
            return Err(RunError::EmptyPrompt);
        }
        if max_tokens == 0 {
            return Err(RunError::NoTokens);
        }
        if let Some((index, &token)) = request.prompt.iter().enumerate().find(|(_, t)| **t as usize >= vocab) {
            return Err(RunError::Token { index, token, vocab });
        }
        if prompt.saturating_add(max_tokens) > context {
            return Err(RunError::Context { prompt, max_tokens, context });
        }
        let want = if request.sampling.is_greedy() { 1 } else { request.sampling.top_k() };
        let have = self.plan.params.top_k;
        if want != have {
            return Err(RunError::TopK { have, want });
        }
        Ok(())
    }

    /// Decodes one sequence; `on_token` gets each token as the kernel publishes it.
    ///
    /// # Errors
    /// [`RunError`] for a request that cannot be, and for what happened on the device.
    pub fn decode(&self, request: &Request, mut on_token: impl FnMut(u32)) -> Result<Decoded, RunError> {
        self.check(request)?;
        let plan = &self.plan;
        let positions = request.prompt.len() + request.max_tokens - 1;
        let (vocab, row) = (plan.config.vocab, plan.row.padded());
        // Everything the last sequence left behind goes back to what the kernel must find.
        self.exchange.write(0, &plan.exchange.image(plan))?;
        for buffer in [&self.kv, &self.counter, &self.status] {
            buffer.fill(0, 0, buffer.size() / 4)?;
        }
        let prompt: Vec<u8> = request.prompt.iter().flat_map(|t| t.to_le_bytes()).collect();
        let prompt = self.agent.upload(MemoryKind::Device, &prompt)?;
        let tokens = self.agent.allocate(MemoryKind::Host, request.max_tokens * 4)?;
        tokens.fill(0, u32::MAX, request.max_tokens)?;
        let dump = |values: usize| match request.record {
            true => self.agent.allocate(MemoryKind::Device, values * 4).map(Some),
            false => Ok(None),
        };
        let logits = dump(request.max_tokens * vocab)?;
        let residuals = dump(positions * plan.config.layers * row)?;
        let address = |b: &Option<Buffer>| b.as_ref().map_or(0, Buffer::address);
        let seed = request.sampling.seed();
        let args = Kernargs {
            weights: self.weights.address(),
            embedding: self.embedding.address(),
            norms: self.norms.address(),
            rope: self.rope.address(),
            exchange: self.exchange.address(),
            kv: self.kv.address(),
            scratch: self.scratch.address(),
            table: self.table.address(),
            prompt: prompt.address(),
            tokens: tokens.address(),
            status: self.status.address(),
            logits: address(&logits),
            residuals: address(&residuals),
            counter: self.counter.address(),
            prompt_len: request.prompt.len() as u32,
            max_tokens: request.max_tokens as u32,
            eos: request.eos,
            watchdog: (request.watchdog.as_secs_f64() * WATCHDOG_RATE).clamp(1.0, f64::from(u32::MAX)) as u32,
            inv_temperature: request.sampling.inv_temperature(),
            top_p: request.sampling.top_p(),
            seed_low: seed as u32,
            seed_high: (seed >> 32) as u32,
        };
        let kernel = self.executable.kernel(NAME)?;
        let threads = plan.threads();
        let geometry = Geometry { grid: [plan.params.workgroups * threads, 1, 1], workgroup: [threads as u16, 1, 1] };
        let start = Instant::now();
        let pending =
            self.queue.launch(&Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &args.to_bytes() })?;
        let mut out = Vec::with_capacity(request.max_tokens);
        let first_token = self.follow(&pending, &tokens, request, start, &mut out, &mut on_token)?;
        let elapsed = start.elapsed();
        self.check_status()?;
        if out.len() < request.max_tokens && out.last() != Some(&request.eos) {
            return Err(RunError::Short { tokens: out.len(), max_tokens: request.max_tokens });
        }
        let computed = request.prompt.len() + out.len() - 1;
        Ok(Decoded {
            logits: floats(&logits, out.len() * vocab)?,
            residuals: floats(&residuals, computed * plan.config.layers * row)?
                .chunks(row)
                .flat_map(|r| r[..plan.config.d_model].iter().copied())
                .collect(),
            tokens: out,
            elapsed,
            first_token,
        })
    }

    /// Hands tokens on until the kernel has ended; returns when the first came.
    fn follow(
        &self,
        pending: &Pending,
        tokens: &Buffer,
        request: &Request,
        start: Instant,
        out: &mut Vec<u32>,
        on_token: &mut impl FnMut(u32),
    ) -> Result<Duration, RunError> {
        let mut first = None;
        loop {
            // Asked before the slots are read, so that nothing published before the end is missed.
            let done = pending.is_done()?;
            while out.len() < request.max_tokens {
                let token = tokens.load_u32(out.len() * 4)?;
                if token == u32::MAX {
                    break;
                }
                first.get_or_insert_with(|| start.elapsed());
                out.push(token);
                on_token(token);
            }
            if done {
                return Ok(first.unwrap_or_else(|| start.elapsed()));
            }
            std::thread::sleep(LOOK);
        }
    }

    fn check_status(&self) -> Result<(), RunError> {
        for workgroup in 0..self.plan.params.workgroups as usize {
            let mut words = [0; 4];
            for (i, word) in words.iter_mut().enumerate() {
                *word = self.status.load_u32(workgroup * StatusRecord::BYTES + 4 * i)?;
            }
            if let Some(record) = StatusRecord::from_words(words) {
                return Err(RunError::GaveUp { workgroup, record });
            }
        }
        Ok(())
    }
}

/// The first `n` floats of a buffer; none if there is no buffer.
fn floats(buffer: &Option<Buffer>, n: usize) -> Result<Vec<f32>, RunError> {
    let Some(buffer) = buffer else { return Ok(Vec::new()) };
    let mut bytes = vec![0; n * 4];
    buffer.read(0, &mut bytes)?;
    Ok(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

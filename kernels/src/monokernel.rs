//! The monokernel: one persistent kernel that decodes a whole sequence of a Llama model.
//!
//! One dispatch does prefill, decode, the LM head, sampling and the stop test. [`monokernel`] makes it from a model's shape, a
//! part and [`Params`]; what it returns says how to lay out every buffer and how to launch.
//!
//! # Launch
//! `params.workgroups` workgroups of `plan.waves` waves, one dimension, all co-resident: at most one to a compute unit, which
//! their LDS and registers enforce on every part that has room for fewer than two. Arguments: [`Kernargs`]. LDS:
//! [`plan::Lds`]. Registers: at most 256 VGPRs and 102 SGPRs.
//!
//! # A step
//! Prefill takes up to [`plan::TOKENS`] tokens as columns of MFMA tiles, decode one as the vector of dot products; both walk
//! through the same stages and weights:
//!
//! 1. every workgroup adds the last delta to its own residual, normalises, and has the activations in LDS;
//! 2. queries, keys, values: each workgroup its rows → exchange;
//! 3. attention: one workgroup a KV head, whose cache no other workgroup sees → exchange;
//! 4. output product, its input sliced over waves → exchange; back to 1 for the second norm;
//! 5. gate and value rows with SwiGLU → exchange;
//! 6. down product → exchange; next layer.
//!
//! Then logits, each workgroup's best candidates, workgroup 0's choice, and the token on its way to the host and to all
//! workgroups.
//!
//! # Exchange without fences
//! Under [`Sync::Sentinel`] a value is published by a relaxed device-scope store (`sc1`) and awaited by polling it with relaxed
//! device-scope loads until it is not [`exchange::SENTINEL`]; nothing else is inferred from its arrival, so no fence is needed.
//! Slots exist per layer and stage, in `G ≥ 3` generations; step `n` uses generation `n mod G`.
//!
//! *Re-arming.* At the start of step `n` each workgroup stores the sentinel into its own slots of generation `(n + 1) mod G`.
//! Every norm of the step waits for loads that each wave has issued after those stores, and a wave's loads and stores are
//! done in order; so the stores are done, and the workgroup passes a barrier, before wave 0 publishes the candidates of step
//! `n`. A slot has one producer, and producer and re-armer are the same workgroup.
//!
//! *No stale value is read.* Say workgroup R polls a slot of step `n + 1`. R has received token `n`, which workgroup 0 published
//! after seeing the candidates of step `n` of every workgroup, among them the slot's producer P, whose re-arming was done before
//! it published them. So R's load comes after the re-arming at the slot's place of coherence and returns the sentinel or
//! what P stored in step `n + 1`.
//!
//! *No value is lost.* Say P re-arms at step `n` a slot last used in step `n + 1 − G ≤ n − 2`. P has received token `n − 1`, so every
//! workgroup has published its candidates of step `n − 1`, which each does after a barrier that all its waves pass after all
//! their reads of step `n − 1` and earlier. Nobody reads the old value any more. P's later store of step `n + 1` follows its
//! re-arming store by more than a wait and a barrier.
//!
//! *Two generations would not do.* Candidates and tokens are slots too, and the token of step `n − 1` would be re-armed at step `n`,
//! when its publisher knows that all others finished step `n − 1` except for reading that very token.
//!
//! Under [`Sync::Counter`] the same buffers are joined by an atomic counter with release and acquire fences at every stage,
//! for comparison; arithmetic is the same instruction for instruction, hence the logits are the same bits.
//!
//! # Giving up
//! A poll that fails for longer than `watchdog` writes a [`StatusRecord`] and ends its wave; the rest of its workgroup
//! leaves at the next barrier, the other workgroups when their own polls expire.

mod emit;
pub mod exchange;
pub mod kernargs;
pub mod params;
pub mod plan;
mod tables;
pub mod weights;

pub use emit::Site;
pub use kernargs::Kernargs;
pub use params::{Error, KvType, Params, Sync, device_workgroups, embedded_workgroups};
pub use plan::Plan;

use wavesmith_asm::Sku;
use wavesmith_emitter::Kernel;
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_model::LlamaConfig;

/// Name of the kernel's symbol.
pub const NAME: &str = "wavesmith_monokernel";

/// A generated monokernel.
#[derive(Clone, Debug)]
pub struct Monokernel {
    /// The decisions behind the code: sizes and contents of all buffers follow from them.
    pub plan: Plan,
    /// The code with its listing.
    pub kernel: Kernel,
    /// The code object.
    pub object: Vec<u8>,
}

/// What a wave that gave up tells the host: four dwords a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusRecord {
    /// Where it waited.
    pub site: Site,
    /// The layer it was in.
    pub layer: u32,
    /// The step it was in.
    pub step: u32,
    /// The wave of the workgroup.
    pub wave: u32,
}

impl StatusRecord {
    /// Bytes of a record.
    pub const BYTES: usize = 16;

    /// Reads a workgroup's record; `None` if it never gave up.
    pub fn from_words(words: [u32; 4]) -> Option<StatusRecord> {
        let [site, layer, step, wave] = words;
        Some(StatusRecord { site: Site::of(site)?, layer, step, wave })
    }
}

impl core::fmt::Display for StatusRecord {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let StatusRecord { site, layer, step, wave } = self;
        write!(f, "wave {wave} waited too long for {site} in layer {layer} of step {step}")
    }
}

/// Generates the monokernel of a model for a part.
///
/// # Errors
/// [`Error`] names what does not fit, and what would.
pub fn monokernel(config: &LlamaConfig, sku: &'static Sku, params: &Params) -> Result<Monokernel, Error> {
    let plan = Plan::new(config, sku, params)?;
    let kernel = emit::emit(&plan, NAME)?;
    let object =
        pack(std::slice::from_ref(&kernel), &PackOptions::default()).map_err(|e| Error::Emit(e.to_string()))?;
    Ok(Monokernel { plan, kernel, object })
}

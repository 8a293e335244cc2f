//! A model on the embedded device, and its decode held against the reference.
// Each test binary uses its part of this.
#![allow(dead_code)]

use wavesmith_asm::Sku;
use wavesmith_kernels::monokernel::{Params, monokernel};
use wavesmith_loader::runtime::Runtime;
use wavesmith_model::{LlamaConfig, Weights};
use wavesmith_runner::{Decoded, Decoder, Request, RunError};
use wavesmith_verify::report::{Observed, Report, verify_decode};

/// A kernel with its weights on a part.
pub struct Device {
    pub decoder: Decoder,
    pub weights: Weights,
}

impl Device {
    pub fn new(sku: &str, config: &LlamaConfig, params: &Params, seed: u64) -> Device {
        Self::with_weights(sku, Weights::synthetic(config, seed).unwrap(), params)
    }

    pub fn with_weights(sku: &str, weights: Weights, params: &Params) -> Device {
        let sku = Sku::named(sku).unwrap();
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).unwrap();
        let kernel = monokernel(&weights.config, sku, params).unwrap();
        let decoder = Decoder::new(&runtime.gpu_agents()[0], &kernel, &weights).unwrap();
        Device { decoder, weights }
    }

    /// Decodes; a fault of the device is part of the panic.
    pub fn decode(&self, request: &Request) -> Decoded {
        self.try_decode(request).unwrap_or_else(|e| {
            let fault = wavesmith_sim::last_fault(self.decoder.queue().raw());
            panic!("{e}\n{}", fault.map_or_else(String::new, |f| f.to_string()))
        })
    }

    pub fn try_decode(&self, request: &Request) -> Result<Decoded, RunError> {
        self.decoder.decode(request, |_| ())
    }

    pub fn report(&self, request: &Request, decoded: &Decoded) -> Report {
        let observed = Observed {
            prompt: &request.prompt,
            generated: &decoded.tokens,
            sampling: request.sampling,
            limit: request.max_tokens,
            eos: Some(request.eos),
            logits: &decoded.logits,
            residuals: &decoded.residuals,
            first_residual: 0,
        };
        verify_decode(&self.weights, &observed).unwrap()
    }

    /// Decodes and insists that the reference agrees.
    pub fn verified(&self, request: &Request) -> Decoded {
        let decoded = self.decode(request);
        let failures = self.report(request, &decoded).failures();
        assert!(failures.is_empty(), "{failures:#?}");
        decoded
    }
}

//! The monokernel on the embedded device against the CPU reference.

mod device;

use device::Device;
use wavesmith_kernels::monokernel::Params;
use wavesmith_model::synthetic::SMALL;
use wavesmith_runner::Request;

/// No token ends a sequence.
const NEVER: u32 = u32::MAX - 1;

#[test]
fn a_small_model_decodes_as_the_reference_does() {
    let device = Device::new("mi300x", &SMALL, &Params::new(8, 64), 1);
    let request = Request::greedy(&[5, 17, 300, 2, 99], 8, NEVER);
    let decoded = device.verified(&request);
    assert_eq!(decoded.tokens.len(), 8);
}

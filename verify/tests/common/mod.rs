//! Launching a kernel from its code object with arguments as bytes.

use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_loader::{Agent, Geometry, Launch, Runtime};
use wavesmith_sim::{Config, EngineKind};

/// Every target once.
pub const SKUS: [&str; 4] = ["mi100", "mi210", "mi300x", "mi355x"];

/// Runs a kernel on a part; `kernargs` uploads what it needs, `read` reads what came out.
pub fn launch<B, T>(
    sku: &'static Sku,
    engine: EngineKind,
    object: &[u8],
    kernel: &str,
    [grid, workgroup]: [[u32; 3]; 2],
    kernargs: impl FnOnce(&Agent) -> (B, Vec<u8>),
    read: impl FnOnce(B) -> T,
) -> T {
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).unwrap();
    let agent = &runtime.gpu_agents()[0];
    let (buffers, bytes) = kernargs(agent);
    let loaded = agent.load(object).unwrap().kernel(kernel).unwrap();
    let queue = agent.queue(64).unwrap();
    wavesmith_sim::configure(queue.raw(), &Config { engine, ..Config::default() }).unwrap();
    let geometry = Geometry::of_workgroups(grid, workgroup.map(|n| n as u16)).unwrap();
    let launch = Launch { kernel: &loaded, geometry, dynamic_lds: 0, kernargs: &bytes };
    queue.launch(&launch).unwrap().wait(Duration::from_secs(120)).unwrap();
    read(buffers)
}

/// Numbers from −1 to 1.
pub fn numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

//! A code object on the embedded device under the watching engine.

use wavesmith_asm::{Sku, Target};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::checked::{Finding, Kind, Options, Severity, Sink};
use wavesmith_sim::{Config, EngineKind};

/// What to launch.
pub struct Case<'a> {
    pub target: Target,
    pub object: &'a [u8],
    /// Workgroups and work-items of each.
    pub grid: u32,
    pub block: [u16; 3],
    /// Buffers whose addresses are the arguments, in order.
    pub buffers: Vec<Vec<u8>>,
    /// The buffer that means nothing before it is written.
    pub unwritten: Option<usize>,
    pub lds: u32,
    pub seed: u64,
}

/// What came of it.
pub struct Seen {
    pub findings: Vec<Finding>,
    pub buffers: Vec<Vec<u8>>,
    /// The fault, if it ended in one.
    pub fault: Option<String>,
}

impl Case<'_> {
    pub fn run(&self) -> Seen {
        let runtime = Runtime::start(wavesmith_sim::table(&[part(self.target)])).unwrap();
        let agent = runtime.gpu_agents()[0].clone();
        let executable = agent.load(self.object).unwrap();
        let kernel = executable.kernel("k").unwrap();
        let buffers: Vec<_> = self.buffers.iter().map(|b| agent.upload(MemoryKind::Device, b).unwrap()).collect();
        let queue = agent.queue(64).unwrap();
        let sink = Sink::default();
        let unwritten = self.unwritten.map(|i| (buffers[i].address(), self.buffers[i].len() as u64));
        let config = Config {
            engine: EngineKind::Checked,
            max_instructions: Some(4_000_000),
            checked: Options {
                seed: self.seed,
                sink: sink.clone(),
                unwritten: unwritten.into_iter().collect(),
                ..Options::default()
            },
            ..Config::default()
        };
        wavesmith_sim::configure(queue.raw(), &config).unwrap();
        let mut kernargs: Vec<u8> = buffers.iter().flat_map(|b| b.address().to_le_bytes()).collect();
        kernargs.resize(64, 0);
        let geometry = Geometry::of_workgroups([self.grid, 1, 1], self.block).unwrap();
        let launch = Launch { kernel: &kernel, geometry, dynamic_lds: self.lds, kernargs: &kernargs };
        let fault = match queue.launch(&launch).unwrap().wait(std::time::Duration::from_secs(120)) {
            Ok(()) => None,
            Err(e) => Some(wavesmith_sim::last_fault(queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string())),
        };
        let out = if fault.is_none() { buffers.iter().map(|b| b.to_vec().unwrap()).collect() } else { Vec::new() };
        Seen { findings: sink.findings(), buffers: out, fault }
    }
}

impl Seen {
    /// The errors.
    pub fn errors(&self) -> Vec<&Finding> {
        self.findings.iter().filter(|f| f.severity == Severity::Error).collect()
    }

    /// Whether an error of that kind is among the findings.
    pub fn has(&self, kind: Kind) -> bool {
        self.errors().iter().any(|f| f.kind == kind)
    }

    /// The dwords of a buffer.
    pub fn words(&self, buffer: usize) -> Vec<u32> {
        self.buffers[buffer].as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect()
    }
}

/// For three buffers on one device, for kernels of the same arguments that are run one after the other.
pub struct Buffers {
    agent: wavesmith_loader::Agent,
    /// What the second buffer holds before a run; the others, and what follows, are zeros.
    pub second: Vec<u8>,
}

impl Buffers {
    /// Bytes of each.
    const SIZE: usize = 16384;

    pub fn new(target: Target) -> Buffers {
        let runtime = Runtime::start(wavesmith_sim::table(&[part(target)])).unwrap();
        Buffers { agent: runtime.gpu_agents()[0].clone(), second: Vec::new() }
    }

    /// Runs a kernel that takes the three buffers and a number.
    pub fn run(&self, object: &[u8], kernel: &str, grid: u32, block: u16, n: u32, seed: u64) -> Seen {
        let executable = self.agent.load(object).unwrap();
        let kernel = executable.kernel(kernel).unwrap();
        let buffers = [&[], &self.second[..], &[]].map(|begin| {
            let mut all = begin.to_vec();
            all.resize(Self::SIZE, 0);
            self.agent.upload(MemoryKind::Device, &all).unwrap()
        });
        let queue = self.agent.queue(64).unwrap();
        let sink = Sink::default();
        let config = Config {
            engine: EngineKind::Checked,
            max_instructions: Some(1_000_000),
            checked: Options { seed, sink: sink.clone(), until_error: true, ..Options::default() },
            ..Config::default()
        };
        wavesmith_sim::configure(queue.raw(), &config).unwrap();
        let mut kernargs: Vec<u8> = buffers.iter().flat_map(|b| b.address().to_le_bytes()).collect();
        kernargs.extend(n.to_le_bytes());
        kernargs.resize(320, 0);
        let geometry = Geometry::of_workgroups([grid, 1, 1], [block, 1, 1]).unwrap();
        let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs };
        let fault = match queue.launch(&launch).unwrap().wait(std::time::Duration::from_secs(120)) {
            Ok(()) => None,
            Err(e) => Some(wavesmith_sim::last_fault(queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string())),
        };
        let out = if fault.is_none() { buffers.iter().map(|b| b.to_vec().unwrap()).collect() } else { Vec::new() };
        Seen { findings: sink.findings(), buffers: out, fault }
    }
}

fn part(target: Target) -> &'static Sku {
    Sku::named(match target {
        Target::Gfx908 => "mi100",
        Target::Gfx90a => "mi210",
        Target::Gfx942 => "mi300x",
        Target::Gfx950 => "mi355x",
    })
    .unwrap()
}

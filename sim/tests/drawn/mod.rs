//! Generated matrix products that are timed whole and sampled.

use std::sync::Arc;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_kernels::catalog::{self, Generated};
use wavesmith_kernels::gemm::{GemmBuffers, KERNEL};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, last_fault};

/// A product, as `wavesmith time gemm --param` takes it, on a part.
#[derive(Clone, Debug)]
pub struct Case {
    /// The part.
    pub sku: &'static str,
    /// Parameters and their values.
    pub parameters: Vec<(String, String)>,
}

impl Case {
    /// A case from words, `name=value` each.
    pub fn of(sku: &'static str, words: &str) -> Case {
        let pair = |word: &str| word.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned()));
        Case { sku, parameters: words.split_whitespace().filter_map(pair).collect() }
    }

    /// The kernel; why not, where these parameters have none on this part.
    pub fn generate(&self) -> Result<Generated, String> {
        let sku = Sku::named(self.sku).map_err(|e| e.to_string())?;
        catalog::generate("gemm", &self.parameters, sku).map_err(|e| e.to_string())
    }

    /// Times it, on matrices of zeros: times do not depend on values. Grids up to so many wave-instructions are not sampled.
    pub fn time(&self, full: bool, whole_up_to: Option<u64>) -> Result<Report, String> {
        let sku = Sku::named(self.sku).map_err(|e| e.to_string())?;
        let made = self.generate()?;
        let (gemm, problem) = made.gemm.as_ref().ok_or("no product")?;
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).map_err(|e| e.to_string())?;
        let agent = runtime.gpu_agents().first().cloned().ok_or("no agent")?;
        let executable = agent.load(&made.object).map_err(|e| e.to_string())?;
        let kernel = executable.kernel(KERNEL).map_err(|e| e.to_string())?;
        let mut kept = Vec::new();
        let buffers = GemmBuffers::made_by(gemm, problem, |bytes| {
            let buffer = agent.allocate(MemoryKind::Device, bytes.max(64) as usize).map_err(|e| e.to_string())?;
            let address = buffer.address();
            kept.push(buffer);
            Ok::<u64, String>(address)
        })?;
        let kernargs = gemm.kernargs(problem, &buffers);
        let queue = agent.queue(64).map_err(|e| e.to_string())?;
        let request = Arc::new(Request::new(Options { full, whole_up_to, skip_matrix: true, ..Options::default() }));
        let config = Config { timing: Some(request.clone()), ..Config::default() };
        wavesmith_sim::configure(queue.raw(), &config).map_err(|e| e.to_string())?;
        let geometry =
            Geometry::of_workgroups([gemm.grid(problem).workgroups, 1, 1], [gemm.workgroup_size() as u16, 1, 1])
                .ok_or("too large a grid")?;
        let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs };
        let pending = queue.launch(&launch).map_err(|e| e.to_string())?;
        pending
            .wait(Duration::from_secs(3600))
            .map_err(|e| last_fault(queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string()))?;
        request.take().pop().ok_or_else(|| "no report".to_owned())
    }
}

impl core::fmt::Display for Case {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.sku)?;
        self.parameters.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

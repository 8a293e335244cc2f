//! Rows of times on silicon of AITER's kernels, and those kernels timed by the model.

#[path = "../../tests/placed/mod.rs"]
mod placed;

use placed::{Placed, bf16_gemm, eight_bit_gemm, mxfp4_gemm};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_loader::{Agent, Buffer, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, last_fault};

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    pub target: String,
    pub cus: u32,
    pub file: String,
    pub kernel: String,
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub split: usize,
    /// Whether results are f32, of a kernel that can give both.
    pub wide: bool,
    pub bias: bool,
    pub us: f64,
    /// Place among the kernel's rows by time.
    pub position: usize,
}

impl Row {
    pub fn parse(line: &str) -> Option<Row> {
        let f: Vec<&str> = line.split(',').collect();
        let number = |i: usize| f.get(i)?.parse::<usize>().ok();
        Some(Row {
            target: f.first()?.to_string(),
            cus: f.get(1)?.parse().ok()?,
            file: f.get(2)?.to_string(),
            kernel: f.get(3)?.to_string(),
            m: number(4)?,
            n: number(5)?,
            k: number(6)?,
            split: number(7)?,
            wide: f.get(8)?.ends_with("float32"),
            bias: *f.get(9)? == "True",
            us: f.get(10)?.trim().parse().ok()?,
            position: 0,
        })
    }

    pub fn sku(&self) -> Option<&'static Sku> {
        let name = match (self.target.as_str(), self.cus) {
            ("gfx950", _) => "mi355x",
            (_, 80) => "mi308x",
            (_, 304) => "mi300x",
            _ => return None,
        };
        Sku::named(name).ok()
    }

    /// Whether it was looked at while parameters were fitted.
    pub fn fitted(&self) -> bool {
        self.position.is_multiple_of(6) || self.position % 25 == 12
    }

    /// Rows and columns of a workgroup's tile, from the name.
    pub fn tile(&self) -> Option<(usize, usize)> {
        let stem = self.file.rsplit('/').next()?.strip_suffix(".co")?;
        let tile = stem
            .split('_')
            .find(|p| p.split_once('x').is_some_and(|(a, b)| a.parse::<u32>().is_ok() && b.parse::<u32>().is_ok()))?;
        let (m, n) = tile.split_once('x')?;
        Some((m.parse().ok()?, n.parse().ok()?))
    }
}

/// Copies of its arguments that AITER's benchmark takes in turn, each launch another.
pub const COPIES: usize = 101;

/// Buffers of a launch, which must live as long as it, with the arguments and the grid.
struct Prepared {
    args: Placed,
    /// Bytes of AITER's arrays: what a copy of the arguments takes.
    bytes: usize,
    grid: [u32; 3],
    _buffers: Vec<Buffer>,
}

fn prepare(row: &Row, agent: &Agent) -> Option<Prepared> {
    let (tm, tn) = row.tile()?;
    let (m, n, k, split) = (row.m, row.n, row.k, row.split.max(1));
    // Memory nobody writes costs nothing, and no time depends on values.
    let make = |bytes: usize| agent.allocate(MemoryKind::Device, bytes.max(4096)).ok();
    let tiles = [n.div_ceil(tn) as u32, m.div_ceil(tm) as u32];
    let mut b = Vec::new();
    let (args, grid, bytes) = if row.file.contains("/i8gemm/") || row.file.contains("/fp8gemm_blockscale/") {
        let scaled = row.file.contains("blockscale");
        for bytes in [2 * m * n, m * k, n * k, 4 * m * k.div_ceil(128), 4 * n.max(n / 128 * (k / 128)), 4 * n] {
            b.push(make(bytes)?);
        }
        let buffers: [&Buffer; 6] = b.iter().collect::<Vec<_>>().try_into().ok()?;
        let bytes = 2 * m * n + (m + n) * k + 4 * m * k.div_ceil(128) + 4 * n;
        (eight_bit_gemm(buffers, [m, n, k], split, scaled), [tiles[0] * split as u32, tiles[1], 1], bytes)
    } else if row.file.contains("/bf16gemm/") {
        // Kernels of small tiles say in their names that they write either type.
        let each = if row.wide && row.file.contains("_fp32bf16_") { 4 } else { 2 };
        for bytes in [each * m * n, 2 * m * k, 2 * n * k, 2 * n, 4096] {
            b.push(make(bytes)?);
        }
        let buffers: [&Buffer; 4] = b.iter().take(4).collect::<Vec<_>>().try_into().ok()?;
        let bytes = each * m * n + 2 * (m + n) * k;
        let args = bf16_gemm(buffers, [m, n, k], split, each).u32(0x140, usize::from(row.bias));
        // Those that clear their output count its parts' workgroups.
        let args = if row.file.contains("_clean") && split > 1 { args.ptr(0x150, &b[4]) } else { args };
        (args, [tiles[0], tiles[1], split as u32], bytes)
    } else if row.file.contains("/f4gemm/") {
        let rows = |r: usize| r.next_multiple_of(256);
        let scales = (k / 32).next_multiple_of(8);
        for bytes in [2 * rows(m) * n, rows(m) * k / 2, rows(n) * k / 2, rows(m) * scales, rows(n) * scales] {
            b.push(make(bytes)?);
        }
        let buffers: [&Buffer; 5] = b.iter().collect::<Vec<_>>().try_into().ok()?;
        let a = mxfp4_gemm(buffers, [m, n, k], scales, row.split);
        let slices = 1usize << row.split;
        let each = (k / slices).next_multiple_of(256);
        let bytes = 2 * m.next_multiple_of(32) * n + (m + n) * k / 2 + (rows(m) + rows(n)) * scales;
        (a, [tiles[0], tiles[1], k.div_ceil(each) as u32], bytes)
    } else {
        return None;
    };
    Some(Prepared { args, bytes, grid, _buffers: b })
}

pub fn time(row: &Row, corpus: &Path, copies: usize, full: bool, whole_up_to: Option<u64>) -> Result<Report, String> {
    let sku = row.sku().ok_or("no such part")?;
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).map_err(|e| e.to_string())?;
    let agent = runtime.gpu_agents().first().cloned().ok_or("no agent")?;
    let bytes = std::fs::read(corpus.join(&row.file)).map_err(|e| format!("{}: {e}", row.file))?;
    let executable = agent.load(&bytes).map_err(|e| e.to_string())?;
    let handle = executable.kernel(&row.kernel).map_err(|e| e.to_string())?;
    let queue = agent.queue(64).map_err(|e| e.to_string())?;
    let prepared = prepare(row, &agent).ok_or("no arguments for this family")?;
    let reused_after = (copies > 0).then_some((copies * prepared.bytes) as u64);
    let request =
        Arc::new(Request::new(Options { full, whole_up_to, skip_matrix: true, reused_after, ..Options::default() }));
    let config = Config { timing: Some(request.clone()), ..Config::default() };
    wavesmith_sim::configure(queue.raw(), &config).map_err(|e| e.to_string())?;
    let geometry = Geometry::of_workgroups(prepared.grid, [256, 1, 1]).ok_or("too large a grid")?;
    let launch = Launch { kernel: &handle, geometry, dynamic_lds: 0, kernargs: &prepared.args.0 };
    let pending = queue.launch(&launch).map_err(|e| e.to_string())?;
    pending
        .wait(Duration::from_secs(3600))
        .map_err(|e| last_fault(queue.raw()).map_or_else(|| e.to_string(), |f| f.to_string()))?;
    request.take().pop().ok_or_else(|| "no report".to_owned())
}

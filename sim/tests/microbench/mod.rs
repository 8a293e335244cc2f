//! Microbenchmarks as kernels of ours: facts that others measured on silicon, and what the timing model gives.
//!
//! Shared by the test, which holds each to its tolerance, and by the example that prints them all.

use std::sync::Arc;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_asm::assemble::assemble;
use wavesmith_emitter::link::link;
use wavesmith_loader::{Buffer, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::timing::{Options, Report, Request};
use wavesmith_sim::{Config, last_fault};

/// A fact and what the model makes of it.
#[derive(Debug, Clone)]
pub struct Fact {
    /// What was measured.
    pub name: String,
    /// On which part.
    pub sku: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Measured, lowest and highest.
    pub measured: [f64; 2],
    /// What the model gives.
    pub model: f64,
    /// How far off it may be, in percent.
    pub tolerance: f64,
}

impl Fact {
    /// How far the model is from what was measured, in percent; 0 within.
    pub fn error(&self) -> f64 {
        let [low, high] = self.measured;
        if self.model < low {
            100.0 * (self.model / low - 1.0)
        } else if self.model > high {
            100.0 * (self.model / high - 1.0)
        } else {
            0.0
        }
    }

    /// Whether it is within its tolerance.
    pub fn holds(&self) -> bool {
        self.error().abs() <= self.tolerance
    }
}

/// A line of the table that the example `microbench` prints and the chapter on time has.
impl core::fmt::Display for Fact {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [low, high] = self.measured;
        let measured = if low == high { format!("{low:.2}") } else { format!("{low:.2} to {high:.2}") };
        let Fact { name, sku, unit, model, .. } = self;
        write!(f, "{name:<44} {sku:<7} {unit:>8} {measured:>17} {model:>9.2} {:>6.1} %", self.error())
    }
}

/// A kernel's text and needs.
pub struct Program<'a> {
    pub sku: &'static str,
    pub body: &'a str,
    pub vgprs: u32,
    pub lds: u32,
    pub workgroups: u32,
    pub items: u32,
    /// Bytes that launches before went through since they touched those of this one, if any did.
    pub reused_after: Option<u64>,
    /// Whether all of it is simulated, however large.
    pub full: bool,
}

impl<'a> Program<'a> {
    /// One wave of a kernel.
    pub fn wave(sku: &'static str, body: &'a str) -> Program<'a> {
        Program { sku, body, vgprs: 256, lds: 0, workgroups: 1, items: 64, reused_after: None, full: true }
    }
}

/// Times a program. Its arguments are addresses of buffers of these sizes, filled with these words, s[0:1] points to
/// them, s2 is the workgroup's number and v0 the work-item's.
pub fn time(p: &Program<'_>, buffers: &[(usize, &[u8])]) -> Report {
    let own: Vec<(Where, usize, &[u8])> = buffers.iter().map(|(size, words)| (Where::Own, *size, *words)).collect();
    time_over(p, &own)
}

/// Whose memory a buffer is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// The device's.
    Own,
    /// That of the peer with this number.
    Peer(usize),
    /// The host's.
    Host,
}

/// [`time`] with buffers in the memory of others.
pub fn time_over(p: &Program<'_>, buffers: &[(Where, usize, &[u8])]) -> Report {
    let sku = Sku::named(p.sku).expect("known part");
    let unified =
        if sku.target.unified_vgprs() { format!(".amdhsa_accum_offset {}\n", p.vgprs) } else { String::new() };
    let text = format!(
        ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n{}\n  s_endpgm\n.section .rodata,\"a\"\n.p2align 6\n\
         .amdhsa_kernel k\n.amdhsa_next_free_vgpr {}\n.amdhsa_next_free_sgpr 64\n{unified}\
         .amdhsa_group_segment_fixed_size {}\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
         .amdhsa_system_sgpr_workgroup_id_x 1\n.end_amdhsa_kernel\n",
        p.body, p.vgprs, p.lds
    );
    let assembled = assemble(&text, sku.target)
        .unwrap_or_else(|errors| panic!("{}", errors.iter().map(|e| e.render("microbenchmark")).collect::<String>()));
    let object = link(&assembled).expect("links");
    let peers = buffers.iter().map(|b| if let Where::Peer(n) = b.0 { n + 1 } else { 0 }).max().unwrap_or(0);
    let runtime = Runtime::start(wavesmith_sim::table(&vec![sku; 1 + peers])).expect("starts");
    let agents = runtime.gpu_agents();
    let agent = agents[0].clone();
    let executable = agent.load(&object).expect("loads");
    let handle = executable.kernel("k").expect("kernel");
    let queue = agent.queue(64).expect("queue");
    let request = Arc::new(Request::new(Options { full: p.full, reused_after: p.reused_after, ..Options::default() }));
    let config = Config { timing: Some(request.clone()), ..Config::default() };
    wavesmith_sim::configure(queue.raw(), &config).expect("configures");
    let buffers: Vec<Buffer> = buffers
        .iter()
        .map(|(place, size, words)| {
            let (owner, kind) = match place {
                Where::Own => (&agent, MemoryKind::Device),
                Where::Peer(n) => (&agents[1 + n], MemoryKind::Device),
                Where::Host => (&agent, MemoryKind::Host),
            };
            let b = owner.allocate(kind, *size).expect("memory");
            b.write(0, words).expect("writes");
            b.allow(&[&agent]).expect("access");
            b
        })
        .collect();
    let mut kernargs: Vec<u8> = buffers.iter().flat_map(|b| b.address().to_le_bytes()).collect();
    kernargs.resize(64, 0);
    let geometry = Geometry::of_workgroups([p.workgroups, 1, 1], [p.items as u16, 1, 1]).expect("geometry");
    let launch = Launch { kernel: &handle, geometry, dynamic_lds: 0, kernargs: &kernargs };
    let pending = queue.launch(&launch).expect("launches");
    if let Err(e) = pending.wait(Duration::from_secs(600)) {
        panic!("{e}: {:?}", last_fault(queue.raw()).map(|f| f.to_string()));
    }
    request.take().pop().expect("a report")
}

/// Cycles from the first workgroup's start to the last one's end.
fn cycles(r: &Report) -> f64 {
    let start = r.lives.iter().map(|l| l.start).min().unwrap_or(0);
    let end = r.lives.iter().map(|l| l.end).max().unwrap_or(0);
    (end - start) as f64
}

/// Nanoseconds of the same.
fn nanoseconds(r: &Report) -> f64 {
    cycles(r) * 1e3 / r.clock_mhz
}

/// Cycles of one more repetition of some instructions, in a wave that runs alone.
fn each(sku: &'static str, setup: &str, repeated: &str) -> f64 {
    let run = |n: usize| {
        let body = format!("{setup}\n{}", format!("{repeated}\n").repeat(n));
        cycles(&time(&Program { lds: 65536, ..Program::wave(sku, &body) }, &[]))
    };
    (run(192) - run(64)) / 128.0
}

fn lines(line: &str, n: usize) -> String {
    format!("{line}\n").repeat(n)
}

const MFMA: &str = "v_mfma_f32_16x16x16_f16 v[64:67], v[0:1], v[2:3], v[64:67]";
const ALU: &str = "v_add_f32 v10, v11, v12";
const EXP: &str = "v_exp_f32 v20, v21";
const PACKED: &str = "v_pk_fma_f32 v[30:31], v[32:33], v[34:35], v[36:37]";

/// Issue, pipes and what runs beside a matrix instruction.
pub fn pipes() -> Vec<Fact> {
    let mut out = Vec::new();
    let mut fact = |name: &str, body: String, measured: f64| {
        let model = each("mi300x", "", &body);
        out.push(Fact {
            name: name.to_owned(),
            sku: "mi300x",
            unit: "cycles",
            measured: [measured; 2],
            model,
            tolerance: 1.0,
        });
    };
    fact("v_add_f32, dependent", "v_add_f32 v10, v10, v12".to_owned(), 4.0);
    fact("v_pk_fma_f32", PACKED.to_owned(), 4.0);
    fact("v_exp_f32", EXP.to_owned(), 16.0);
    fact("v_mfma_f32_16x16x16_f16, accumulating", MFMA.to_owned(), 16.03);
    for (n, measured) in [(1, 16.03), (2, 16.03), (3, 16.03), (4, 20.0)] {
        fact(&format!("MFMA and {n} VALU"), format!("{MFMA}\n{}", lines(ALU, n)), measured);
    }
    for (n, measured) in [(1, 20.03), (2, 36.0), (3, 52.0), (4, 68.0)] {
        fact(&format!("MFMA and {n} v_exp_f32"), format!("{MFMA}\n{}", lines(EXP, n)), measured);
    }
    for (n, measured) in [(1, 28.0), (2, 32.0), (3, 36.0), (4, 40.0)] {
        fact(&format!("MFMA and {n} v_pk_fma_f32"), format!("{MFMA}\n{}", lines(PACKED, n)), measured);
    }
    fact("v_exp_f32 and a VALU", format!("{EXP}\n{ALU}"), 20.0);
    fact("MFMA, 3 VALU, MFMA, v_exp_f32", format!("{MFMA}\n{}{MFMA}\n{EXP}", lines(ALU, 3)), 36.05);
    fact("MFMA, MFMA, 3 VALU, v_exp_f32", format!("{MFMA}\n{MFMA}\n{}{EXP}", lines(ALU, 3)), 48.05);
    out
}

/// Addresses of lane i at `stride · i` in v1, clear of what LDS holds.
fn strided(stride: u32) -> String {
    format!("v_and_b32 v0, 63, v0\nv_mul_u32_u24 v1, {stride}, v0\ns_nop 4\n")
}

/// LDS: latency, throughput of one wave, of a pair of SIMDs and of all four, and bank conflicts.
pub fn lds() -> Vec<Fact> {
    let mut out = Vec::new();
    let mut put =
        |name: &str, sku: &'static str, unit: &'static str, measured: [f64; 2], model: f64, tolerance: f64| {
            out.push(Fact { name: name.to_owned(), sku, unit, measured, model, tolerance });
        };
    let wait = "s_waitcnt lgkmcnt(0)";
    let read = |bits: u32| format!("ds_read_b{bits} v[4:{}], v1", 3 + bits / 32);
    let write = |bits: u32| format!("ds_write_b{bits} v1, v[4:{}]", 3 + bits / 32);
    let read32 = "ds_read_b32 v4, v1".to_owned();
    put(
        "ds_read_b32 latency",
        "mi300x",
        "cycles",
        [51.0, 52.0],
        each("mi300x", &strided(4), &format!("{read32}\n{wait}")) - 4.0,
        10.0,
    );
    put(
        "ds_read_b128 latency",
        "mi300x",
        "cycles",
        [64.0, 64.0],
        each("mi300x", &strided(16), &format!("{}\n{wait}", read(128))) - 4.0,
        10.0,
    );
    for (bits, measured) in [(32, 6.6), (64, 11.7), (128, 23.0)] {
        let text = if bits == 32 { read32.clone() } else { read(bits) };
        let model = each("mi308x", &strided(bits / 8), &text);
        put(&format!("ds_read_b{bits}, one wave"), "mi308x", "cycles", [measured; 2], model, 25.0);
    }
    for (bits, measured) in [(32, [8.0, 9.3]), (64, [12.0, 14.9]), (128, [20.0, 31.3])] {
        let text = if bits == 32 { "ds_write_b32 v1, v4".to_owned() } else { write(bits) };
        let model = each("mi308x", &strided(bits / 8), &text);
        put(&format!("ds_write_b{bits}, one wave"), "mi308x", "cycles", measured, model, 10.0);
    }
    // Two waves sit on one pair of SIMDs, four on both.
    for (items, measured) in [(128, 16.0), (256, 8.0)] {
        let run = |n: usize| {
            let body = format!("{}{}", strided(16), lines(&read(128), n));
            let p = Program { lds: 65536, items, ..Program::wave("mi308x", &body) };
            cycles(&time(&p, &[]))
        };
        let model = (run(192) - run(64)) / 128.0 / f64::from(items / 64);
        let name = format!("ds_read_b128, {} waves", items / 64);
        put(&name, "mi308x", "cycles", [measured; 2], model, 5.0);
    }
    let model = each("mi308x", &strided(256), &read32);
    put("ds_read_b32, all lanes in one bank", "mi308x", "cycles", [64.0; 2], model, 5.0);
    out
}

/// A chain of pointers through `lines` lines of 128 bytes spread over `bytes`.
fn chain(lines: usize, bytes: usize) -> (Vec<u64>, usize) {
    let apart = bytes / lines / 128 * 128;
    let mut order: Vec<usize> = (0..lines).collect();
    let mut x = 0x9e37_79b9_u64;
    for i in (1..lines).rev() {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        order.swap(i, (x % (i as u64 + 1)) as usize);
    }
    let mut next = vec![0u64; lines];
    for i in 0..lines {
        next[order[i]] = (order[(i + 1) % lines] * apart) as u64;
    }
    (next, apart)
}

/// Cycles of a dependent load in a set of that size: the second round through it, or the first if `cold`.
fn chase(sku: &'static str, lines: usize, bytes: usize, cold: bool) -> f64 {
    chase_in(Where::Own, sku, lines, bytes, cold)
}

fn chase_in(place: Where, sku: &'static str, lines: usize, bytes: usize, cold: bool) -> f64 {
    let (next, apart) = chain(lines, bytes);
    let mut data = vec![0u8; next.len() * apart];
    for (i, n) in next.iter().enumerate() {
        data[i * apart..i * apart + 8].copy_from_slice(&n.to_le_bytes());
    }
    let run = |rounds: usize| {
        let body = format!(
            "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_mov_b32 v0, 0\ns_mov_b32 s10, {}\ns_waitcnt lgkmcnt(0)\nloop:\n{}\
             s_sub_u32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 loop\n",
            (lines * rounds / 16).max(1),
            lines_of_chase()
        );
        cycles(&time_over(&Program { vgprs: 8, ..Program::wave(sku, &body) }, &[(place, data.len().max(4096), &data)]))
    };
    if cold { run(1) / lines as f64 } else { (run(2) - run(1)) / lines as f64 }
}

fn lines_of_chase() -> String {
    lines("global_load_dword v0, v0, s[4:5]\ns_waitcnt vmcnt(0)", 16)
}

/// Latencies of the levels of memory.
pub fn latencies() -> Vec<Fact> {
    let mut out = Vec::new();
    let mut put = |name: &str, sku: &'static str, measured: [f64; 2], model: f64| {
        let unit = "cycles";
        out.push(Fact { name: name.to_owned(), sku, unit, measured, model, tolerance: 10.0 });
    };
    put("load, L1", "mi300x", [116.0, 120.0], chase("mi300x", 64, 8 << 10, false));
    put("load, L2", "mi300x", [212.0, 288.0], chase("mi300x", 2048, 256 << 10, false));
    put("load, Infinity Cache", "mi300x", [457.0, 477.0], chase("mi300x", 65_536, 8 << 20, false));
    put("load, HBM", "mi300x", [873.0, 907.0], chase("mi300x", 2048, 32 << 20, true));
    put("load, L1", "mi210", [124.0, 128.0], chase("mi210", 64, 8 << 10, false));
    put("load, L2", "mi210", [250.0, 302.0], chase("mi210", 2048, 256 << 10, false));
    put("load, HBM", "mi210", [586.0, 741.0], chase("mi210", 2048, 32 << 20, true));
    let scalar = each("mi300x", "", "s_load_dword s20, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)") - 4.0;
    put("scalar load, scalar cache", "mi300x", [48.0, 48.0], scalar);
    out
}

/// Streams with so many loads of 16 bytes in flight a lane; 304 workgroups of 256.
fn in_flight(depth: usize) -> f64 {
    let chunk = 304 * 256 * 16usize;
    let rounds = 48 / depth.min(16) * 2;
    let mut body = String::from(
        "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_lshl_b32 s6, s2, 12\nv_lshlrev_b32 v0, 4, v0\nv_add_u32 v0, s6, v0\n\
         s_waitcnt lgkmcnt(0)\n",
    );
    body += &format!("s_mov_b32 s10, {rounds}\nloop:\n");
    for d in 0..depth {
        let to = 4 + 4 * d;
        body += &format!("global_load_dwordx4 v[{to}:{}], v0, s[4:5] nt\n", to + 3);
        body += &format!("v_add_u32 v0, 0x{chunk:x}, v0\n");
    }
    body += "s_waitcnt vmcnt(0)\ns_sub_u32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 loop\n";
    let bytes = chunk * rounds * depth;
    let p = Program { vgprs: 128, workgroups: 304, items: 256, ..Program::wave("mi300x", &body) };
    let r = time(&p, &[(bytes, &[])]);
    bytes as f64 / nanoseconds(&r) / 1e3
}

/// Loads from the first buffers, a store to the last: GB/s of all together.
fn streams(loads: usize, store: bool) -> f64 {
    let chunk = 1216 * 256 * 16usize;
    // Long enough that what L2 still holds at the end counts for little.
    let rounds = 40;
    let mut body = String::from(
        "s_load_dwordx8 s[4:11], s[0:1], 0x0\ns_lshl_b32 s12, s2, 12\nv_lshlrev_b32 v0, 4, v0\nv_add_u32 v0, s12, v0\n\
         s_waitcnt lgkmcnt(0)\n",
    );
    body += &format!("s_mov_b32 s20, {}\nloop:\n", rounds / 4);
    for u in 0..4 {
        for l in 0..loads {
            let to = 16 + 16 * l + 4 * u;
            let base = 4 + 2 * l;
            body += &format!("global_load_dwordx4 v[{to}:{}], v{}, s[{base}:{}]\n", to + 3, 2 + u, base + 1);
        }
    }
    // Addresses of the four parts of a round.
    let addresses: String = (0..4).map(|u| format!("v_add_u32 v{}, 0x{:x}, v0\n", 2 + u, chunk * u)).collect();
    body = body.replace("loop:\n", &format!("loop:\n{addresses}"));
    if store {
        body += "s_waitcnt vmcnt(0)\n";
        for u in 0..4 {
            let from = 16 + 4 * u;
            body += &format!("global_store_dwordx4 v{}, v[{from}:{}], s[8:9]\n", 2 + u, from + 3);
        }
    } else {
        body += "s_waitcnt vmcnt(0)\n";
    }
    body += &format!(
        "v_add_u32 v0, 0x{:x}, v0\ns_sub_u32 s20, s20, 1\ns_cmp_lg_u32 s20, 0\ns_cbranch_scc1 loop\n",
        4 * chunk
    );
    let bytes = chunk * rounds;
    let p = Program { vgprs: 64, workgroups: 1216, items: 256, ..Program::wave("mi300x", &body) };
    let r = time(&p, &[(bytes, &[]), (bytes, &[]), (bytes, &[])]);
    (bytes * (loads + usize::from(store))) as f64 / nanoseconds(&r)
}

/// Reads of eight bytes a lane in workgroups of so many lanes, two of them on a compute unit, as RRZE's gpu-l2-stream has
/// them: of an array that stays in L2, of one that launches before left in the Infinity Cache, or from HBM. TB/s.
fn reads(items: u32, from: Level) -> f64 {
    let run = |workgroups: u32| {
        let bytes = 8 * items as usize * workgroups as usize;
        let (size, reused_after) = match from {
            Level::L2 => (512 << 10, None),
            Level::InfinityCache => (bytes, Some(100 << 20)),
            Level::Hbm => (bytes, None),
        };
        let body = format!(
            "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_mul_i32 s6, s2, {}\nv_lshlrev_b32 v0, 3, v0\nv_add_u32 v0, s6, v0\n\
             v_and_b32 v0, 0x{:x}, v0\ns_waitcnt lgkmcnt(0)\nglobal_load_dwordx2 v[2:3], v0, s[4:5]\ns_waitcnt vmcnt(0)\n\
             v_cmp_eq_f64 vcc, v[2:3], v[4:5]\n",
            8 * items,
            if from == Level::L2 { size - 1 } else { 0x7fff_ffff },
        );
        let p = Program { vgprs: 8, lds: 32768, workgroups, items, reused_after, ..Program::wave("mi300x", &body) };
        (bytes as f64, nanoseconds(&time(&p, &[(size, &[])])))
    };
    // What the beginning and the end take is no part of it.
    let (short, long) = (run(1216), run(3648));
    (long.0 - short.0) / (long.1 - short.1) / 1e3
}

/// Reads of eight bytes a lane by workgroups of sixteen waves, one on each compute unit, all of them of the same array from
/// its beginning to its end, over and over, as RRZE's gpu-cache has them. TB/s.
fn over_and_over(size: usize) -> f64 {
    let run = |loads: usize| {
        let load = format!(
            "global_load_dwordx2 v[2:3], v0, s[4:5]\nv_add_u32 v0, 0x2000, v0\nv_and_b32 v0, 0x{:x}, v0\ns_waitcnt vmcnt(7)\n",
            size - 1
        );
        let body = format!(
            "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v0, 3, v0\ns_waitcnt lgkmcnt(0)\n{}s_waitcnt vmcnt(0)\n",
            lines(&load, loads)
        );
        let p = Program { vgprs: 8, lds: 40000, workgroups: 304, items: 1024, ..Program::wave("mi300x", &body) };
        (304.0 * 8192.0 * loads as f64, nanoseconds(&time(&p, &[(size, &[])])))
    };
    let (short, long) = (run(64), run(192));
    (long.0 - short.0) / (long.1 - short.1) / 1e3
}

/// Where an array is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    L2,
    InfinityCache,
    Hbm,
}

/// Bandwidth of each level at three occupancies. Between them, workgroups of 512, whose reads are 4 KiB, reach less of the
/// Infinity Cache (3.7 to 3.9 TB/s) than those of 384 and 640, which nothing here explains.
pub fn levels() -> Vec<Fact> {
    let rows = [
        (256, Level::L2, [3.9, 3.97]),
        (640, Level::L2, [7.84, 7.91]),
        (1024, Level::L2, [7.83, 7.92]),
        (256, Level::InfinityCache, [2.47, 2.6]),
        (640, Level::InfinityCache, [5.0, 5.2]),
        (1024, Level::InfinityCache, [5.3, 5.49]),
        (256, Level::Hbm, [1.87, 1.9]),
        (640, Level::Hbm, [3.2, 3.3]),
        (1024, Level::Hbm, [3.81, 4.2]),
    ];
    let fact = |(items, from, measured): (u32, Level, [f64; 2])| {
        let level = match from {
            Level::L2 => "L2",
            Level::InfinityCache => "Infinity Cache",
            Level::Hbm => "HBM",
        };
        let name = format!("reads of {level}, {} waves a CU", items / 32);
        let model = reads(items, from);
        Fact { name, sku: "mi300x", unit: "TB/s", measured, model, tolerance: 20.0 }
    };
    let same = [("L1", 16 << 10, [38.17, 39.33]), ("L2", 512 << 10, [27.3, 27.71])];
    let all_the_same = |(level, size, measured): (&str, usize, [f64; 2])| {
        let name = format!("reads of {level}, all the same");
        Fact { name, sku: "mi300x", unit: "TB/s", measured, model: over_and_over(size), tolerance: 10.0 }
    };
    rows.into_iter().map(fact).chain(same.into_iter().map(all_the_same)).collect()
}

/// HBM bandwidth: by loads in flight, and of streams.
pub fn bandwidth() -> Vec<Fact> {
    let mut out = Vec::new();
    let mut put = |name: &str, unit: &'static str, measured: f64, model: f64| {
        let (sku, measured) = ("mi300x", [measured; 2]);
        out.push(Fact { name: name.to_owned(), sku, unit, measured, model, tolerance: 15.0 });
    };
    for (depth, measured) in [(1, 2.59), (2, 3.40), (4, 3.74), (8, 4.24)] {
        put(&format!("HBM, {depth} loads a lane in flight"), "TB/s", measured, in_flight(depth));
    }
    put("copy", "GB/s", 4319.0, streams(1, true));
    put("triad", "GB/s", 4134.0, streams(2, true));
    out.push(Fact {
        name: "two global_load_ubyte of an FP8 product".to_owned(),
        sku: "mi355x",
        unit: "cycles",
        // 119.5 ms for 8.4 million pairs a compute unit, at 2200 to 2400 MHz.
        measured: [62.7, 68.4],
        model: byte_loads(),
        tolerance: 15.0,
    });
    out
}

/// Loads of bytes as a plain FP8 product has them, sixteen waves a compute unit: a dword's worth of a wave's lanes in four
/// rows of A, sixteen lanes sharing each, and in sixteen rows of B. Cycles of the compute unit for a pair of loads.
fn byte_loads() -> f64 {
    let run = |n: usize| {
        let body = format!(
            "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshrrev_b32 v1, 4, v0\nv_lshlrev_b32 v1, 12, v1\n\
             v_and_b32 v2, 15, v0\nv_lshlrev_b32 v2, 12, v2\ns_waitcnt lgkmcnt(0)\n{}",
            lines("global_load_ubyte v3, v1, s[4:5]\nglobal_load_ubyte v4, v2, s[6:7]\ns_waitcnt vmcnt(8)", n)
        );
        let p = Program { vgprs: 16, items: 1024, ..Program::wave("mi355x", &body) };
        cycles(&time(&p, &[(64 << 12, &[]), (64 << 12, &[])]))
    };
    (run(96) - run(32)) / 64.0 / 16.0
}

/// Reads of others' memory by 16 workgroups, in GB/s.
fn from_others(places: &[Where]) -> f64 {
    let chunk = 16 * 256 * 16usize;
    let rounds = 64;
    let mut body = String::from(
        "s_load_dwordx16 s[4:19], s[0:1], 0x0\ns_lshl_b32 s20, s2, 12\nv_lshlrev_b32 v0, 4, v0\nv_add_u32 v0, s20, v0\n\
         s_waitcnt lgkmcnt(0)\n",
    );
    body += &format!("s_mov_b32 s21, {}\nloop:\n", rounds / 4);
    for _ in 0..4 {
        for i in 0..places.len() {
            let to = 4 + 4 * i;
            body += &format!("global_load_dwordx4 v[{to}:{}], v0, s[{}:{}]\n", to + 3, 4 + 2 * i, 5 + 2 * i);
        }
        body += &format!("v_add_u32 v0, 0x{chunk:x}, v0\n");
    }
    body += "s_waitcnt vmcnt(0)\ns_sub_u32 s21, s21, 1\ns_cmp_lg_u32 s21, 0\ns_cbranch_scc1 loop\n";
    let p = Program { vgprs: 64, workgroups: 16, items: 256, ..Program::wave("mi300x", &body) };
    let buffers: Vec<(Where, usize, &[u8])> = places.iter().map(|w| (*w, chunk * rounds, &[][..])).collect();
    (chunk * rounds * places.len()) as f64 / nanoseconds(&time_over(&p, &buffers))
}

/// Memory of peers over xGMI and of the host. Nobody has published the host's latency: there the model's own number stands
/// beside what a chase of pointers sees of it.
pub fn others() -> Vec<Fact> {
    let fact = |name: &str, unit: &'static str, measured: [f64; 2], model: f64| Fact {
        name: name.to_owned(),
        sku: "mi300x",
        unit,
        measured,
        model,
        tolerance: 10.0,
    };
    let ns = |place| chase_in(place, "mi300x", 512, 1 << 20, true) / 2.1;
    let host = wavesmith_sim::timing::parts::Machine::of(Sku::named("mi300x").expect("known part")).host_ns;
    let peers: Vec<Where> = (0..7).map(Where::Peer).collect();
    vec![
        fact("load from a peer", "ns", [1000.0; 2], ns(Where::Peer(0))),
        fact("reads from a peer", "GB/s", [45.0, 48.0], from_others(&peers[..1])),
        fact("reads from seven peers", "GB/s", [315.0, 336.0], from_others(&peers)),
        fact("load from the host (not measured)", "ns", [host; 2], ns(Where::Host)),
    ]
}

/// A barrier over 256 workgroups, one a compute unit: by an atomic counter with its fences, or by slots that are
/// polled until all were written. As measured, inside of a kernel that goes through several: of what the slots are, each
/// workgroup has written its own before, so that none of them is far.
fn grid_barrier(sentinel: bool) -> f64 {
    let run = |barriers: usize| {
        let mut body = String::from(
            "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v1, 4, v0\nv_mov_b32 v2, 1\nv_mov_b32 v3, 0\n\
             s_lshl_b32 s6, s2, 2\nv_mov_b32 v8, s6\ns_waitcnt lgkmcnt(0)\ns_mov_b64 exec, 1\n",
        );
        if !sentinel {
            body += "v_mov_b32 v1, 0\n";
            for i in 1..=barriers {
                body += &format!(
                    "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\nglobal_atomic_add v1, v2, s[4:5] sc1\npoll{i}:\n\
                     global_load_dword v3, v1, s[4:5] sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v3\ns_nop 4\n\
                     s_cmp_lt_u32 s6, 0x{:x}\ns_cbranch_scc1 poll{i}\nbuffer_inv sc1\n",
                    256 * i
                );
            }
        } else {
            for i in 0..barriers {
                body += &format!("v_add_u32 v9, 0x{:x}, v8\nglobal_store_dword v9, v3, s[4:5] sc1\n", 1024 * i);
            }
            body += "s_waitcnt vmcnt(0)\n";
            for i in 0..barriers {
                body += &format!(
                    "global_store_dword v8, v2, s[4:5] sc1\nv_add_u32 v8, 0x400, v8\ns_mov_b64 exec, -1\npoll{i}:\n\
                     global_load_dwordx4 v[4:7], v1, s[4:5] sc1\ns_waitcnt vmcnt(0)\nv_and_b32 v4, v4, v5\n\
                     v_and_b32 v6, v6, v7\nv_and_b32 v4, v4, v6\nv_cmp_eq_u32 vcc, 0, v4\ns_nop 4\n\
                     s_cbranch_vccnz poll{i}\nv_add_u32 v1, 0x400, v1\ns_mov_b64 exec, 1\n"
                );
            }
        }
        let p = Program { vgprs: 16, workgroups: 256, ..Program::wave("mi300x", &body) };
        let r = time(&p, &[(1024 * barriers, &[])]);
        r.lives.iter().map(|l| l.end).max().unwrap_or(0) as f64 / r.clock_mhz
    };
    (run(9) - run(1)) / 8.0
}

/// Barriers over the grid, and a launch.
pub fn synchronisation() -> Vec<Fact> {
    let empty = time(&Program::wave("mi300x", "s_nop 0"), &[]);
    let fact = |name: &str, measured: [f64; 2], model: f64| Fact {
        name: name.to_owned(),
        sku: "mi300x",
        unit: "µs",
        measured,
        model,
        tolerance: 15.0,
    };
    vec![
        fact("grid barrier, atomic counter", [7.59, 8.61], grid_barrier(false)),
        fact("grid barrier, sentinels", [0.80, 0.93], grid_barrier(true)),
        fact("launch and clean-up, back to back", [4.2, 4.6], empty.launch_us),
    ]
}

//! The kernels that are measured.

use std::time::Duration;
use wavesmith_asm::build::{Build, Code};
use wavesmith_asm::reg::{VCC, a, s, v};
use wavesmith_asm::{Sku, Target};
use wavesmith_kernels::gemm::{Dtype, GemmBuffers, GemmParams, GemmProblem, gemm};
use wavesmith_loader::{Buffer, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::Config;
use wavesmith_sim::timing::{Options, Request};

fn looped(body: impl Fn(&mut Code), rounds: u32) -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    c.s_load_dwordx2(s(4), s(0), 0);
    c.v_lshlrev_b32(v(1), 4, v(0));
    // Indices of sparse operands, and numbers that are finite in every type.
    c.v_mov_b32(v(2), 0x4444_4444);
    for r in 20..28 {
        c.v_mov_b32(v(r), 0x3c00_3c00);
    }
    c.s_mov_b32(s(3), wavesmith_asm::operand::Lit(rounds));
    let start = c.words().len() as i32;
    body(&mut c);
    c.s_sub_u32(s(3), s(3), 1);
    c.s_cmp_lg_u32(s(3), 0);
    let here = c.words().len() as i32;
    c.s_cbranch_scc1(start - here - 1);
    c.s_endpgm(0);
    c.finish().expect("encodes")
}

/// 32 multiply-adds on registers of their own.
pub fn fma(rounds: u32) -> Vec<u32> {
    looped(
        |c| {
            for i in 0..32 {
                c.v_fma_f32(v(8 + i), v(40 + i), v(72 + i), v(8 + i));
            }
        },
        rounds,
    )
}

/// 32 integer additions on registers of their own.
pub fn add(rounds: u32) -> Vec<u32> {
    looped(
        |c| {
            for i in 0..32 {
                c.v_add_u32(v(8 + i), v(40 + i), v(8 + i));
            }
        },
        rounds,
    )
}

/// 32 multiply-adds that take turns on eight registers, as compiled code mostly does.
pub fn chain(rounds: u32) -> Vec<u32> {
    looped(
        |c| {
            for i in 0..32 {
                c.v_fma_f32(v(8 + i % 4), v(12 + i % 3), v(15), v(8 + i % 4));
            }
        },
        rounds,
    )
}

/// Operations of one round of [`mfma16`].
pub const MFMA16_FLOPS: u64 = 8 * 2 * 16 * 16 * 16;
/// Operations of one round of [`mfma32`].
pub const MFMA32_FLOPS: u64 = 4 * 2 * 32 * 32 * 8;

/// Eight independent `v_mfma_f32_16x16x16_f16`.
pub fn mfma16(rounds: u32) -> Vec<u32> {
    looped(
        |c| {
            for i in 0..8 {
                c.v_mfma_f32_16x16x16_f16(v::<4>(8 + 4 * i), v::<2>(60), v::<2>(64), v::<4>(8 + 4 * i));
            }
        },
        rounds,
    )
}

/// Four independent `v_mfma_f32_32x32x8_f16`.
pub fn mfma32(rounds: u32) -> Vec<u32> {
    looped(
        |c| {
            for i in 0..4 {
                c.v_mfma_f32_32x32x8_f16(a::<16>(16 * i), v::<2>(60), v::<2>(64), a::<16>(16 * i));
            }
        },
        rounds,
    )
}

/// Eight independent matrix instructions of one of the other types: its name, the words, operations of one round.
pub fn mfma_of_other_types(rounds: u32) -> [(&'static str, Vec<u32>, u64); 5] {
    let (x, y) = (20, 24);
    let flops = |k: u64| 8 * 2 * 16 * 16 * k;
    // Sums of four registers; f64's take eight.
    let eight = |f: &dyn Fn(&mut Code, u16)| looped(|c| (0..8).for_each(|i| f(c, 32 + 8 * i)), rounds);
    let f64s = eight(&|c, d| _ = c.v_mfma_f64_16x16x4_f64(v::<8>(d), v::<2>(x), v::<2>(y), v::<8>(d)));
    let xf32 = eight(&|c, d| _ = c.v_mfma_f32_16x16x8_xf32(v::<4>(d), v::<2>(x), v::<2>(y), v::<4>(d)));
    let i8s = eight(&|c, d| _ = c.v_mfma_i32_16x16x32_i8(v::<4>(d), v::<2>(x), v::<2>(y), v::<4>(d)));
    let fp8 = eight(&|c, d| _ = c.v_mfma_f32_16x16x32_fp8_fp8(v::<4>(d), v::<2>(x), v::<2>(y), v::<4>(d)));
    let sparse = eight(&|c, d| _ = c.v_smfmac_f32_16x16x32_f16(v::<4>(d), v::<2>(x), v::<4>(y), v(2)));
    [
        ("f64 MFMA 16x16x4", f64s, flops(4)),
        ("xf32 MFMA 16x16x8", xf32, flops(8)),
        ("i8 MFMA 16x16x32", i8s, flops(32)),
        ("fp8 MFMA 16x16x32", fp8, flops(32)),
        // Half of A is zeros, which nobody multiplies.
        ("f16 SMFMAC 16x16x32", sparse, flops(16)),
    ]
}

/// `c[i] = a[i] + b[i]`, an element an item, as a compiler writes it.
pub fn vadd() -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    c.s_load_dwordx4(s(4), s(0), 0);
    c.s_load_dwordx2(s(8), s(0), 16);
    c.v_and_b32(v(0), 0x3ff, v(0));
    c.s_lshl_b32(s(2), s(2), 8);
    c.v_add_lshl_u32(v(1), s(2), v(0), 2);
    c.s_waitcnt(0xc07f);
    c.global_load_dword(v::<1>(2), v::<1>(1), s::<2>(4));
    c.global_load_dword(v::<1>(3), v::<1>(1), s::<2>(6));
    c.s_waitcnt(0x0f70);
    c.v_add_f32(v(2), v(2), v(3));
    c.global_store_dword(v::<1>(1), v::<1>(2), s::<2>(8));
    c.s_endpgm(0);
    c.finish().expect("encodes")
}

/// Rounds of a workgroup of [`vadd_wide`].
pub const WIDE_ROUNDS: u32 = 16;

/// `c[i] = a[i] + b[i]`, sixteen bytes an item and round.
pub fn vadd_wide() -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    c.s_load_dwordx4(s(4), s(0), 0);
    c.s_load_dwordx2(s(8), s(0), 16);
    c.v_and_b32(v(0), 0x3ff, v(0));
    // A workgroup's part is 256 items × 16 bytes × 16 rounds.
    c.s_lshl_b32(s(2), s(2), 16);
    c.v_lshl_add_u32(v(1), v(0), 4, s(2));
    c.s_mov_b32(s(3), WIDE_ROUNDS as i32);
    c.s_waitcnt(0xc07f);
    let start = c.words().len() as i32;
    c.global_load_dwordx4(v::<4>(4), v::<1>(1), s::<2>(4));
    c.global_load_dwordx4(v::<4>(8), v::<1>(1), s::<2>(6));
    c.s_waitcnt(0x0f70);
    for i in 0..4 {
        c.v_add_f32(v(4 + i), v(4 + i), v(8 + i));
    }
    c.global_store_dwordx4(v::<1>(1), v::<4>(4), s::<2>(8));
    c.v_add_u32(v(1), 0x1000, v(1));
    c.s_sub_u32(s(3), s(3), 1);
    c.s_cmp_lg_u32(s(3), 0);
    let here = c.words().len() as i32;
    c.s_cbranch_scc1(start - here - 1);
    c.s_endpgm(0);
    c.finish().expect("encodes")
}

/// About so many bytes of straight code with something of everything.
pub fn long(bytes: usize) -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    c.s_load_dwordx2(s(4), s(0), 0);
    c.v_lshlrev_b32(v(1), 4, v(0));
    let mut i = 0u16;
    while 4 * c.words().len() < bytes {
        let r = 8 + i % 32;
        c.global_load_dwordx4(v::<4>(80), v::<1>(1), s::<2>(4));
        c.s_add_u32(s(8), s(8), 1);
        c.v_fma_f32(v(r), v(80), v(81), v(r));
        c.v_mul_f32(v(r + 1), v(82), v(r));
        c.v_cmp_gt_f32(VCC, v(r), v(83));
        c.v_cndmask_b32(v(r + 2), v(r), v(r + 1), VCC);
        c.v_lshl_add_u32(v(r + 3), v(r), 3, v(80));
        c.v_and_b32(v(r + 4), 0xff, v(r));
        c.v_exp_f32(v(90), v(r));
        c.v_mfma_f32_16x16x16_f16(v::<4>(100), v::<2>(60), v::<2>(64), v::<4>(100));
        c.ds_write_b32(v::<1>(1), v::<1>(r));
        c.ds_read_b64(v::<2>(92), v::<1>(1));
        c.s_cmp_lg_u32(s(8), 0);
        c.s_cbranch_scc1(0);
        i += 1;
    }
    c.s_endpgm(0);
    c.finish().expect("encodes")
}

/// The generated f32 product of two square matrices, on an MI300X of every core.
pub struct Sgemm {
    agent: wavesmith_loader::Agent,
    object: Vec<u8>,
    kernargs: Vec<u8>,
    geometry: Geometry,
    _buffers: [Buffer; 3],
}

impl Sgemm {
    /// Matrices of `n` rows and columns.
    pub fn new(n: u32) -> Sgemm {
        Sgemm::of("mi300x", Dtype::F32, n)
    }

    /// The same of another type on some part.
    pub fn of(sku: &str, dtype: Dtype, n: u32) -> Sgemm {
        let sku = Sku::named(sku).expect("known part");
        let problem = GemmProblem::dense([n, n, n], [false, false]);
        let params = GemmParams::suited(dtype, false, false, &problem, sku);
        let gemm = gemm(&params, sku).expect("generates");
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).expect("starts");
        let agent = runtime.gpu_agents()[0].clone();
        let matrix: Vec<u8> = (0..n * n).flat_map(|i| ((i % 17) as f32 - 8.0).to_le_bytes()).collect();
        let buffers = core::array::from_fn(|_| agent.upload(MemoryKind::Device, &matrix).expect("uploads"));
        let [a, b, c] = buffers.each_ref().map(|b: &Buffer| b.address());
        let kernargs = gemm.kernargs(&problem, &GemmBuffers { matrices: [a, b, c], ..GemmBuffers::default() });
        let workgroups = [gemm.grid(&problem).workgroups, 1, 1];
        let geometry = Geometry::of_workgroups(workgroups, [gemm.workgroup_size() as u16, 1, 1]).expect("geometry");
        Sgemm { agent, object: gemm.object, kernargs, geometry, _buffers: buffers }
    }

    /// Multiplies.
    pub fn run(&self) {
        self.run_with(&Config::default());
    }

    /// Times it, every workgroup and without its products; wave-instructions.
    pub fn time(&self) -> u64 {
        let request =
            std::sync::Arc::new(Request::new(Options { full: true, skip_matrix: true, ..Options::default() }));
        self.run_with(&Config { timing: Some(request.clone()), ..Config::default() });
        request.take().pop().expect("a report").wave_instructions
    }

    /// Multiplies as asked.
    pub fn run_with(&self, config: &Config) {
        let executable = self.agent.load(&self.object).expect("loads");
        let kernel = executable.kernel(wavesmith_kernels::gemm::KERNEL).expect("kernel");
        let queue = self.agent.queue(64).expect("queue");
        wavesmith_sim::configure(queue.raw(), config).expect("configures");
        let launch = Launch { kernel: &kernel, geometry: self.geometry, dynamic_lds: 0, kernargs: &self.kernargs };
        queue.launch(&launch).expect("launches").wait(Duration::from_secs(120)).expect("ends");
    }
}

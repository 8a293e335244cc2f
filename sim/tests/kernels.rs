//! Kernels of other compilers on the embedded device, through HSA, against plain Rust: clang's OpenCL and HIP, and
//! Triton's, for every target.

#[path = "../../loader/tests/corpus/mod.rs"]
mod corpus;

#[allow(dead_code)]
#[path = "watched/mod.rs"]
pub mod watched;

use std::path::Path;
use std::time::Duration;
use wavesmith_asm::{Sku, Target};
use wavesmith_loader::code_object::CodeObject;
use wavesmith_loader::kernarg::Kernargs;
use wavesmith_loader::{Agent, Buffer, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::last_fault;

const LONG: Duration = Duration::from_secs(60);

fn sku(target: Target) -> &'static Sku {
    Sku::named(match target {
        Target::Gfx908 => "mi100",
        Target::Gfx90a => "mi210",
        Target::Gfx942 => "mi300x",
        Target::Gfx950 => "mi355x",
    })
    .expect("known part")
}

struct Device {
    agent: Agent,
}

impl Device {
    fn new(target: Target) -> Device {
        let runtime = Runtime::start(wavesmith_sim::table(&[sku(target)])).expect("starts");
        Device { agent: runtime.gpu_agents()[0].clone() }
    }

    fn f32s(&self, v: &[f32]) -> Buffer {
        let bytes: Vec<u8> = v.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.agent.upload(MemoryKind::Device, &bytes).expect("uploads")
    }

    fn bytes(&self, v: &[u8]) -> Buffer {
        self.agent.upload(MemoryKind::Device, v).expect("uploads")
    }

    /// Loads a file and runs one kernel of it, its explicit arguments given in order.
    fn run(&self, file: &Path, kernel: &str, workgroups: [u32; 3], workgroup: [u16; 3], args: &[&[u8]]) {
        self.run_with_lds(file, kernel, workgroups, workgroup, args, 0);
    }

    fn run_with_lds(
        &self,
        file: &Path,
        kernel: &str,
        workgroups: [u32; 3],
        workgroup: [u16; 3],
        args: &[&[u8]],
        dynamic_lds: u32,
    ) {
        let bytes = watched::mutated(std::fs::read(file).expect("readable"), kernel);
        let object = CodeObject::parse(&bytes).expect("a code object");
        let meta = object.kernels.iter().find(|k| k.name == kernel).expect("the kernel");
        let executable = self.agent.load(&bytes).expect("loads");
        let handle = executable.kernel(kernel).expect("kernel");
        let queue = self.agent.queue(64).expect("queue");
        let geometry = Geometry::of_workgroups(workgroups, workgroup).expect("geometry");
        let mut kernargs = Kernargs::new(meta, None).expect("kernargs");
        for (i, a) in args.iter().enumerate() {
            kernargs.set(meta, i, a).expect("argument");
        }
        kernargs.fill_hidden(meta, &geometry, dynamic_lds, &queue).expect("hidden arguments");
        let watched = watched::Watched::here(module_path!(), &queue, kernargs.bytes().len());
        let launch = Launch { kernel: &handle, geometry, dynamic_lds, kernargs: kernargs.bytes() };
        let pending = queue.launch(&launch).expect("launches");
        if let Err(e) = pending.wait(LONG) {
            panic!("{}: {e}: {:?}", file.display(), last_fault(queue.raw()).map(|f| f.to_string()));
        }
        watched.judge(&file.display().to_string());
    }
}

fn to_f32(b: &Buffer) -> Vec<f32> {
    let bytes = b.to_vec().expect("reads");
    bytes.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// Small whole numbers, so that every order of additions gives the same sum.
fn numbers(n: usize, seed: u32) -> Vec<f32> {
    let mut x = seed;
    (0..n)
        .map(|_| {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((x >> 16) % 17) as f32 - 8.0
        })
        .collect()
}

fn pointer(b: &Buffer) -> [u8; 8] {
    b.address().to_le_bytes()
}

#[test]
pub(crate) fn vadd_by_clang_adds_on_every_target() {
    let Some(folder) = corpus::shared("clang") else { return };
    for target in watched::targets() {
        let device = Device::new(target);
        let n = 1000u32;
        let (a, b) = (numbers(n as usize, 1), numbers(n as usize, 2));
        for (file, kernel) in [
            (format!("vadd.{target}.co"), "vadd"),
            (format!("hip.{target}.v5.co"), "vadd"),
            (format!("hip.{target}.v6.co"), "vadd"),
        ] {
            let (da, db, dc) = (device.f32s(&a), device.f32s(&b), device.f32s(&vec![-1.0; 1024]));
            let args: [&[u8]; 4] = [&pointer(&da), &pointer(&db), &pointer(&dc), &n.to_le_bytes()];
            device.run(&folder.join(file), kernel, [4, 1, 1], [256, 1, 1], &args);
            let c = to_f32(&dc);
            for i in 0..n as usize {
                assert_eq!(c[i], a[i] + b[i], "{target} element {i}");
            }
            assert!(c[n as usize..].iter().all(|v| *v == -1.0), "{target}: elements past the end were written");
        }
    }
}

#[test]
pub(crate) fn reduce_by_clang_sums_through_lds_and_barriers_on_every_target() {
    let Some(folder) = corpus::shared("clang") else { return };
    for target in watched::targets() {
        let device = Device::new(target);
        let n = 100_000u32;
        let a = numbers(n as usize, 3);
        let want: f32 = a.iter().sum();
        let (da, out) = (device.f32s(&a), device.f32s(&[0.0; 8]));
        let args: [&[u8]; 3] = [&pointer(&da), &pointer(&out), &n.to_le_bytes()];
        device.run(&folder.join(format!("reduce.{target}.co")), "reduce", [8, 1, 1], [256, 1, 1], &args);
        assert_eq!(to_f32(&out).iter().sum::<f32>(), want, "{target}");
        let total = device.f32s(&[0.0]);
        let args: [&[u8]; 3] = [&pointer(&da), &pointer(&total), &n.to_le_bytes()];
        device.run(&folder.join(format!("hip.{target}.v5.co")), "reduce", [256, 1, 1], [256, 1, 1], &args);
        assert_eq!(to_f32(&total)[0], want, "{target}: atomics");
    }
}

#[test]
pub(crate) fn matmul_by_clang_multiplies_ragged_shapes_on_every_target() {
    let Some(folder) = corpus::shared("clang") else { return };
    for target in watched::targets() {
        let device = Device::new(target);
        let (m, n, k) = (45usize, 37usize, 70usize);
        let (a, b) = (numbers(m * k, 5), numbers(k * n, 6));
        let (da, db, dc) = (device.f32s(&a), device.f32s(&b), device.f32s(&vec![0.0; m * n]));
        let int = |v: usize| (v as i32).to_le_bytes();
        let args: [&[u8]; 6] = [&pointer(&da), &pointer(&db), &pointer(&dc), &int(m), &int(n), &int(k)];
        device.run(&folder.join(format!("matmul.{target}.co")), "matmul", [3, 3, 1], [16, 16, 1], &args);
        let c = to_f32(&dc);
        for i in 0..m {
            for j in 0..n {
                let want: f32 = (0..k).map(|x| a[i * k + x] * b[x * n + j]).sum();
                assert_eq!(c[i * n + j], want, "{target} ({i}, {j})");
            }
        }
    }
}

#[test]
pub(crate) fn one_matrix_instruction_multiplies_sixteen_by_sixteen_on_every_target() {
    let Some(folder) = corpus::shared("clang") else { return };
    for target in watched::targets() {
        let device = Device::new(target);
        let (a, b) = (numbers(256, 7), numbers(256, 8));
        // Lane l holds row l % 16 of A and k = 4·(l / 16) to + 3.
        let half = |v: f32| half_bits(v).to_le_bytes();
        let pack = |f: &dyn Fn(usize, usize) -> f32| -> Vec<u8> {
            (0..64)
                .flat_map(|l| (0..4).flat_map(move |i| [(l % 16, 4 * (l / 16) + i)]))
                .flat_map(|(r, k)| half(f(r, k)))
                .collect()
        };
        let (da, db) = (device.bytes(&pack(&|r, k| a[r * 16 + k])), device.bytes(&pack(&|r, k| b[k * 16 + r])));
        let dc = device.f32s(&[0.0; 256]);
        let args: [&[u8]; 3] = [&pointer(&da), &pointer(&db), &pointer(&dc)];
        device.run(&folder.join(format!("hip.{target}.v5.co")), "mfma16", [1, 1, 1], [64, 1, 1], &args);
        let c = to_f32(&dc);
        for i in 0..16 {
            for j in 0..16 {
                let want: f32 = (0..16).map(|k| a[i * 16 + k] * b[k * 16 + j]).sum();
                // Lane j + 16·(i / 4) holds rows 4·(i / 4) to + 3 of column j.
                assert_eq!(c[(j + 16 * (i / 4)) * 4 + i % 4], want, "{target} ({i}, {j})");
            }
        }
    }
}

/// Whole numbers up to 2048 in binary16.
fn half_bits(v: f32) -> u16 {
    if v == 0.0 {
        return 0;
    }
    let b = v.to_bits();
    ((b >> 16) & 0x8000) as u16 | ((((b >> 23) & 0xff) as i32 - 112) as u16) << 10 | ((b >> 13) & 0x3ff) as u16
}

#[test]
pub(crate) fn vadd_by_triton_adds_on_every_target() {
    vadd_by_triton(3, 3000);
}

/// Adds `n` elements in a number of blocks of 1024.
pub(crate) fn vadd_by_triton(workgroups: u32, n: u32) {
    let Some(folder) = corpus::shared("triton") else { return };
    for target in watched::targets() {
        let device = Device::new(target);
        let (a, b) = (numbers(n as usize, 1), numbers(n as usize, 2));
        let (da, db, dc) = (device.f32s(&a), device.f32s(&b), device.f32s(&vec![-1.0; 4096]));
        let args: [&[u8]; 4] = [&pointer(&da), &pointer(&db), &pointer(&dc), &n.to_le_bytes()];
        device.run(&folder.join(format!("vadd_{target}.hsaco")), "vadd", [workgroups, 1, 1], [256, 1, 1], &args);
        let c = to_f32(&dc);
        for i in 0..n as usize {
            assert_eq!(c[i], a[i] + b[i], "{target} element {i}");
        }
        assert!(c[n as usize..].iter().all(|v| *v == -1.0), "{target}: elements past the end were written");
    }
}

#[test]
pub(crate) fn matmul_in_bf16_by_triton_multiplies_on_every_target() {
    matmul_by_triton(96);
}

/// Multiplies with an inner dimension of `k`, which its loop goes through by 32.
pub(crate) fn matmul_by_triton(k: usize) {
    let Some(folder) = corpus::shared("triton") else { return };
    for target in watched::targets() {
        let device = Device::new(target);
        let (m, n) = (128usize, 64usize);
        let (a, b) = (numbers(m * k, 9), numbers(k * n, 10));
        let bf16 =
            |v: &[f32]| -> Vec<u8> { v.iter().flat_map(|x| ((x.to_bits() >> 16) as u16).to_le_bytes()).collect() };
        let (da, db) = (device.bytes(&bf16(&a)), device.bytes(&bf16(&b)));
        let object =
            CodeObject::parse(&std::fs::read(folder.join(format!("matmul_bf16_{target}.hsaco"))).expect("readable"))
                .expect("a code object");
        let explicit = wavesmith_loader::kernarg::explicit_args(&object.kernels[0]).count();
        let dc = device.bytes(&vec![0; m * n * 4]);
        let int = |v: usize| (v as i32).to_le_bytes();
        let all: [&[u8]; 9] =
            [&pointer(&da), &pointer(&db), &pointer(&dc), &int(m), &int(n), &int(k), &int(k), &int(n), &int(n)];
        let args = &all[..explicit.min(9)];
        let file = folder.join(format!("matmul_bf16_{target}.hsaco"));
        // Triton keeps the size of its (dynamic) LDS beside the object.
        let beside = std::fs::read_to_string(file.with_extension("json")).expect("readable");
        let lds = beside
            .split("\"shared\": \"")
            .nth(1)
            .and_then(|s| s.split('"').next())
            .and_then(|s| s.parse().ok())
            .expect("a size");
        device.run_with_lds(&file, "matmul", [(m / 64) as u32, (n / 64) as u32, 1], [256, 1, 1], args, lds);
        let raw = dc.to_vec().expect("reads");
        let c: Vec<f32> =
            raw.chunks_exact(2).map(|h| f32::from_bits(u32::from(u16::from_le_bytes([h[0], h[1]])) << 16)).collect();
        for i in 0..m {
            for j in 0..n {
                let want: f32 = (0..k).map(|x| a[i * k + x] * b[x * n + j]).sum();
                let rounded = f32::from_bits((want.to_bits() + 0x7fff + (want.to_bits() >> 16 & 1)) & 0xffff_0000);
                assert_eq!(c[i * n + j], rounded, "{target} ({i}, {j}) of {explicit} arguments");
            }
        }
    }
}

//! The kernel of `docs/first-kernel.md`: `c[i] = a[i] + b[i]`, generated, run on the embedded device and verified.
//! `cargo run --release -p wavesmith-verify --example vadd`.

use std::time::Duration;
use wavesmith_asm::reg::{S, V, VCC};
use wavesmith_asm::{Build, Sku};
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_emitter::{Dim, EmitError, Kernel, KernelBuilder};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};

fn vadd(sku: &Sku) -> Result<Kernel, EmitError> {
    let mut b = KernelBuilder::new("vadd", sku.target);
    b.workgroup_size([256, 1, 1]);
    let args = b.kernargs();
    let (arg_a, arg_b, arg_c, arg_n) = (args.pointer("a"), args.pointer("b"), args.pointer("c"), args.u32("n"));

    let [ptr_a, ptr_b, ptr_c]: [S<2>; 3] = [b.s(), b.s(), b.s()];
    let n: S<1> = b.s();
    b.load_arg(ptr_a, arg_a);
    b.load_arg(ptr_b, arg_b);
    b.load_arg(ptr_c, arg_c);
    b.load_arg(n, arg_n);

    b.comment("i = workgroup * 256 + work-item");
    let (first, i): (S<1>, V<1>) = (b.s(), b.v());
    b.s_lshl_b32(first, b.workgroup_id(Dim::X), 8);
    b.v_add_u32(i, first, b.workitem_id());

    b.v_cmp_gt_u32(VCC, n, i);
    b.if_lanes(VCC, |b| -> Result<(), EmitError> {
        let (offset, x, y): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
        b.v_lshlrev_b32(offset, 2, i);
        b.global_load_dword(x, offset, ptr_a);
        b.global_load_dword(y, offset, ptr_b);
        b.v_add_f32(x, x, y);
        b.global_store_dword(offset, x, ptr_c);
        Ok(())
    })?;
    b.end();
    b.finish()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    wavesmith_console::end_quietly_at_closed_pipes();
    let sku = Sku::named("mi300x")?;
    let kernel = vadd(sku)?;
    println!("{}", kernel.listing);
    let object = pack(&[kernel], &PackOptions::default())?;

    let runtime = Runtime::start(wavesmith_sim::table(&[sku]))?;
    let agent = &runtime.gpu_agents()[0];
    let n = 1000u32;
    let bytes = |f: fn(u32) -> f32| (0..n).flat_map(|i| f(i).to_le_bytes()).collect::<Vec<u8>>();
    let a = agent.upload(MemoryKind::Device, &bytes(|i| i as f32))?;
    let b = agent.upload(MemoryKind::Device, &bytes(|i| 0.5 * i as f32))?;
    let c = agent.allocate(MemoryKind::Device, 4 * n as usize)?;

    let mut kernargs = Vec::new();
    [&a, &b, &c].iter().for_each(|buffer| kernargs.extend(buffer.address().to_le_bytes()));
    kernargs.extend(n.to_le_bytes());

    let loaded = agent.load(&object)?.kernel("vadd")?;
    let geometry = Geometry::of_workgroups([n.div_ceil(256), 1, 1], [256, 1, 1]).ok_or("the grid is too large")?;
    let launch = Launch { kernel: &loaded, geometry, dynamic_lds: 0, kernargs: &kernargs };
    agent.queue(64)?.launch(&launch)?.wait(Duration::from_secs(10))?;

    let sums = c.to_vec()?;
    let wrong = (0..n as usize).filter(|&i| sums[4 * i..4 * i + 4] != (1.5 * i as f32).to_le_bytes()).count();
    println!("{n} sums compared, {wrong} wrong");
    if wrong == 0 { Ok(()) } else { Err("the kernel is wrong".into()) }
}

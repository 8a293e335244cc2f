//! What the builder adds to a kernel by itself, executed: scratch, preloaded arguments, long branches, loops that lanes leave
//! one by one.

use std::time::Duration;
use wavesmith_asm::reg::{S, V, VCC};
use wavesmith_asm::{Build, Sku};
use wavesmith_emitter::object::{Global, GlobalKind, PackOptions, pack};
use wavesmith_emitter::{Abi, EmitError, KernelBuilder, When};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};

const SKUS: [&str; 4] = ["mi100", "mi210", "mi300x", "mi355x"];

/// Runs a kernel of one wave whose arguments are an address for a dword a lane and a number; gives the dwords.
fn run(
    sku: &'static Sku,
    abi: Abi,
    number: u32,
    body: impl FnOnce(&mut KernelBuilder, S<1>, V<1>) -> V<1>,
) -> Vec<u32> {
    let mut b = KernelBuilder::with_abi("k", sku.target, abi);
    b.workgroup_size([64, 1, 1]);
    let (out, n) = (b.kernargs().pointer("out"), b.kernargs().u32("n"));
    let (base, argument, lane): (S<2>, S<1>, V<1>) = (b.s(), b.s(), b.v());
    b.load_arg(base, out);
    b.load_arg(argument, n);
    b.v_and_b32(lane, 63, b.workitem_id());
    let value = body(&mut b, argument, lane);
    let at: V<1> = b.v();
    b.v_lshlrev_b32(at, 2, lane);
    b.global_store_dword(at, value, base);
    b.end();
    let object = pack(&[b.finish().unwrap()], &PackOptions::default()).unwrap();
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).unwrap();
    let agent = &runtime.gpu_agents()[0];
    let buffer = agent.upload(MemoryKind::Device, &[0xff; 256]).unwrap();
    let mut kernargs = buffer.address().to_le_bytes().to_vec();
    kernargs.extend(number.to_le_bytes());
    kernargs.extend([0; 4]);
    let kernel = agent.load(&object).unwrap().kernel("k").unwrap();
    let geometry = Geometry { grid: [64, 1, 1], workgroup: [64, 1, 1] };
    let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs };
    agent.queue(64).unwrap().launch(&launch).unwrap().wait(Duration::from_secs(30)).unwrap();
    buffer.to_vec().unwrap().chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

#[test]
fn scratch_keeps_a_lanes_values_apart() {
    for name in SKUS {
        let got = run(Sku::named(name).unwrap(), Abi::default().scratch(), 7, |b, n, lane| {
            let (first, second) = (b.scratch(4, 4).unwrap(), b.scratch(4, 16).unwrap());
            assert_eq!((first, second), (0, 16));
            let (x, y): (V<1>, V<1>) = (b.v(), b.v());
            b.v_add_u32(x, n, lane);
            let (low, high): (V<1>, V<1>) = (b.v(), b.v());
            b.v_mov_b32(low, first);
            b.v_mov_b32(high, second);
            b.scratch_store_dword(low, x, wavesmith_asm::operand::Off);
            b.scratch_store_dword(high, lane, wavesmith_asm::operand::Off);
            b.wait_vm(0);
            b.scratch_load_dword(x, low, wavesmith_asm::operand::Off);
            b.scratch_load_dword(y, high, wavesmith_asm::operand::Off);
            b.v_lshl_or_b32(x, y, 16, x);
            x
        });
        let want: Vec<u32> = (0..64).map(|l| l << 16 | (l + 7)).collect();
        assert_eq!(got, want, "{name}");
    }
}

#[test]
fn scratch_has_to_be_asked_for() {
    let mut b = KernelBuilder::new("k", wavesmith_asm::Target::Gfx942);
    assert!(matches!(b.scratch(4, 4), Err(EmitError::Encode { .. })));
}

#[test]
fn preloaded_arguments_are_there_from_the_start() {
    for name in &SKUS[1..] {
        let got = run(Sku::named(name).unwrap(), Abi::default().preload(3), 1000, |b, n, lane| {
            let x: V<1> = b.v();
            b.v_add_u32(x, n, lane);
            x
        });
        assert_eq!(got, (1000..1064).collect::<Vec<u32>>(), "{name}");
    }
}

#[test]
fn long_branches_arrive_and_keep_scc() {
    for name in SKUS {
        for n in [0, 1] {
            let got = run(Sku::named(name).unwrap(), Abi::default(), n, |b, n, lane| {
                let x: V<1> = b.v();
                let far = b.label("far");
                b.v_mov_b32(x, lane);
                b.s_cmp_eq_u32(n, 1);
                b.branch_if(When::Scc1, far);
                b.v_add_u32(x, 100, x);
                for _ in 0..33_000 {
                    b.s_nop(0);
                }
                b.bind(far);
                let (one, scc): (S<1>, S<1>) = (b.s(), b.s());
                b.s_movk_i32(one, 1000);
                b.s_cselect_b32(scc, one, 0);
                b.v_add_u32(x, scc, x);
                x
            });
            let add = if n == 1 { 1000 } else { 100 };
            assert_eq!(got, (add..add + 64).collect::<Vec<u32>>(), "{name} {n}");
        }
    }
}

#[test]
fn lanes_leave_a_loop_one_by_one() {
    for name in SKUS {
        let got = run(Sku::named(name).unwrap(), Abi::default(), 3, |b, n, lane| {
            let (x, rounds): (V<1>, V<1>) = (b.v(), b.v());
            b.v_mov_b32(x, 0);
            b.v_mov_b32(rounds, 0);
            b.while_lanes(|b| -> Result<S<2>, EmitError> {
                b.v_add_u32(x, n, x);
                b.v_add_u32(rounds, 1, rounds);
                b.v_cmp_gt_u32(VCC, lane, rounds);
                Ok(VCC)
            })
            .unwrap();
            x
        });
        let want: Vec<u32> = (0..64u32).map(|l| 3 * l.max(1)).collect();
        assert_eq!(got, want, "{name}");
    }
}

/// What the branches of [`every_branch_runs_for_whom_it_should`] leave in lane `lane` for argument `n`.
fn branched(n: u32, lane: u32) -> u32 {
    let mut x = if n < 10 { 1 } else { 2 };
    if n & 1 != 0 {
        x += 4;
    }
    for turn in 0..n {
        if turn == 5 {
            break;
        }
        x += 8;
    }
    (0..3).for_each(|_| x += 0x100);
    x + if lane < n { 0x1000 } else { 0x2000 } + if lane & 1 != 0 { 0x10000 } else { 0 }
}

#[test]
fn every_branch_runs_for_whom_it_should() {
    for name in SKUS {
        for n in [0, 1, 5, 9, 10, 33, 64] {
            let got = run(Sku::named(name).unwrap(), Abi::default(), n, |b, n, lane| {
                let (x, odd): (V<1>, V<1>) = (b.v(), b.v());
                let (bit, turn): (S<1>, S<1>) = (b.s(), b.s());
                b.s_cmp_lt_u32(n, 10);
                b.if_else(
                    When::Scc1,
                    |b| -> Result<(), EmitError> { Ok(_ = b.v_mov_b32(x, 1)) },
                    |b| Ok(_ = b.v_mov_b32(x, 2)),
                )
                .unwrap();
                b.s_and_b32(bit, n, 1);
                b.if_(When::Scc1, |b| -> Result<(), EmitError> { Ok(_ = b.v_add_u32(x, 4, x)) }).unwrap();
                b.s_mov_b32(turn, 0);
                b.loop_(|b, out| -> Result<(), EmitError> {
                    b.s_cmp_ge_u32(turn, n);
                    b.branch_if(When::Scc1, out);
                    b.s_cmp_eq_u32(turn, 5);
                    b.branch_if(When::Scc1, out);
                    b.v_add_u32(x, 8, x);
                    b.s_add_u32(turn, turn, 1);
                    Ok(())
                })
                .unwrap();
                b.s_mov_b32(turn, 3);
                b.count_down(turn, |b| -> Result<(), EmitError> { Ok(_ = b.v_add_u32(x, 0x100, x)) }).unwrap();
                b.v_cmp_gt_u32(VCC, n, lane);
                b.if_lanes_else(
                    VCC,
                    |b| -> Result<(), EmitError> { Ok(_ = b.v_add_u32(x, 0x1000, x)) },
                    |b| Ok(_ = b.v_add_u32(x, 0x2000, x)),
                )
                .unwrap();
                b.v_and_b32(odd, 1, lane);
                b.v_cmp_ne_u32(VCC, 0, odd);
                b.if_lanes(VCC, |b| -> Result<(), EmitError> { Ok(_ = b.v_add_u32(x, 0x10000, x)) }).unwrap();
                x
            });
            assert_eq!(got, (0..64).map(|lane| branched(n, lane)).collect::<Vec<_>>(), "{name} {n}");
        }
    }
}

#[test]
fn a_kernel_reads_and_writes_the_globals_of_its_object() {
    for name in SKUS {
        let sku = Sku::named(name).unwrap();
        let mut b = KernelBuilder::new("k", sku.target);
        b.workgroup_size([64, 1, 1]);
        let out = b.kernargs().pointer("out");
        let [base, table, sums]: [S<2>; 3] = [b.s(), b.s(), b.s()];
        b.load_arg(base, out);
        b.address_of(table, "table");
        b.address_of(sums, "sums");
        let (at, x, y): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
        b.v_lshlrev_b32(at, 2, b.workitem_id());
        b.global_load_dword(x, at, table);
        b.global_load_dword(y, at, sums);
        b.v_add_u32(y, x, y);
        b.global_store_dword(at, y, sums);
        b.global_store_dword(at, y, base);
        b.end();
        let bytes: Vec<u8> = (0..64u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        let global = |name: &str, kind| Global { name: name.into(), align: 64, kind, relocations: Vec::new() };
        let globals = vec![global("table", GlobalKind::Constant(bytes)), global("sums", GlobalKind::Zeroed(256))];
        let object = pack(&[b.finish().unwrap()], &PackOptions { globals, ..PackOptions::default() }).unwrap();
        let runtime = Runtime::start(wavesmith_sim::table(&[sku])).unwrap();
        let agent = &runtime.gpu_agents()[0];
        let buffer = agent.upload(MemoryKind::Device, &[0xff; 256]).unwrap();
        let executable = agent.load(&object).unwrap();
        let kernel = executable.kernel("k").unwrap();
        let queue = agent.queue(64).unwrap();
        let kernargs = buffer.address().to_le_bytes();
        // What the first launch leaves in the object's memory the second finds there.
        for launches in 1..3 {
            let geometry = Geometry { grid: [64, 1, 1], workgroup: [64, 1, 1] };
            let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs };
            queue.launch(&launch).unwrap().wait(Duration::from_secs(30)).unwrap();
            let got: Vec<u32> =
                buffer.to_vec().unwrap().chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
            assert_eq!(got, (0..64u32).map(|i| launches * i * i).collect::<Vec<_>>(), "{name}");
        }
    }
}

//! The second kernel of `docs/first-kernel.md`: a tiled GEMM from nothing, `C = A · Bᵀ` in f16 with f32 results.
//! `cargo run --release -p wavesmith-verify --example tiled_gemm [SKU]`.
//!
//! M and N are multiples of 64, K of 32. Four waves compute a tile of 64 × 64, each a quarter of it.

use std::time::Duration;
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{Reg, RegClass, S, V};
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Sku};
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_emitter::tile::{MatrixOp, SharedTile};
use wavesmith_emitter::{Abi, Dim, EmitError, Kernel, KernelBuilder};
use wavesmith_loader::{Geometry, Launch, MemoryKind, Runtime};

/// Rows and columns of a workgroup's tile, and bytes along K that it takes at a time.
const TILE: u32 = 64;
const ROW_BYTES: u32 = 64;

fn generate(sku: &Sku) -> Result<Kernel, EmitError> {
    let mut b = KernelBuilder::with_abi("tiled_gemm", sku.target, Abi::default().workgroup_ids(Dim::Y));
    b.workgroup_size([256, 1, 1]);
    let args = b.kernargs();
    let (arg_a, arg_b, arg_c) = (args.pointer("a"), args.pointer("b"), args.pointer("c"));
    let (arg_n, arg_k) = (args.u32("n"), args.u32("k"));

    // The target's matrix instruction, and tiles in LDS whose chunks are permuted so that no access has a bank conflict.
    let op = MatrixOp::find(sku.target, [Elem::F16; 2], Elem::F32, 16, false, 32).expect("all targets have one");
    let tiles = [0, 1].map(|i| SharedTile::new(sku.target, TILE, ROW_BYTES, i * TILE * ROW_BYTES).expect("64 bytes"));
    b.lds(2 * TILE * ROW_BYTES, 128)?;

    let (tid, row, chunk): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
    let (n, k): (S<1>, S<1>) = (b.s(), b.s());
    b.load_arg(n, arg_n);
    b.load_arg(k, arg_k);
    b.v_and_b32(tid, 0x3ff, b.workitem_id());
    // Loading: four work-items a row of the tile, 16 bytes each.
    b.v_lshrrev_b32(row, 2, tid);
    b.v_and_b32(chunk, 3, tid);
    let firsts = [b.workgroup_id(Dim::Y), b.workgroup_id(Dim::X)];
    let mut loads = Vec::new();
    for (i, arg) in [arg_a, arg_b].into_iter().enumerate() {
        let (base, at): (S<2>, V<1>) = (b.s(), b.v());
        b.load_arg(base, arg);
        let first: S<1> = b.s();
        b.s_lshl_b32(first, firsts[i], TILE.ilog2());
        b.v_add_u32(at, first, row);
        b.v_mul_lo_u32(at, at, k);
        b.v_lshlrev_b32(at, 1, at);
        b.v_lshl_add_u32(at, chunk, 4, at);
        let data: V<4> = b.v();
        let lds = tiles[i].address(&mut b, row, chunk);
        loads.push((base, at, data, lds));
    }

    // Reading: a wave's quarter, a lane's row in a 16-row operand, and its group along K.
    let (lane, index, group, wave): (V<1>, V<1>, V<1>, S<1>) = (b.v(), b.v(), b.v(), b.s());
    b.v_lshrrev_b32(lane, 6, tid);
    b.v_readfirstlane_b32(wave, lane);
    b.v_and_b32(index, 15, tid);
    b.v_bfe_u32(group, tid, 4, 2);
    let quarter: [S<1>; 2] = [b.s(), b.s()];
    b.s_lshr_b32(quarter[0], wave, 1);
    b.s_lshl_b32(quarter[0], quarter[0], 5);
    b.s_and_b32(quarter[1], wave, 1);
    b.s_lshl_b32(quarter[1], quarter[1], 5);
    let reads = [0, 1].map(|i: usize| {
        let row: V<1> = b.v();
        b.v_add_u32(row, quarter[i], index);
        tiles[i].address(&mut b, row, group)
    });
    let operands: [[V<4>; 2]; 2] = [[b.v(), b.v()], [b.v(), b.v()]];
    let class = if op.agpr_only { RegClass::A } else { RegClass::V };
    let results = [(); 2].map(|()| [(); 2].map(|()| b.run(class, op.output_registers())));
    for r in results.iter().flatten() {
        for i in 0..u16::from(r.count) {
            let one = Reg { index: r.index + i, count: 1, ..*r };
            let name = if op.agpr_only { "v_accvgpr_write_b32" } else { "v_mov_b32" };
            b.emit_by_name(name, &[one.into(), 0.into()]);
        }
    }

    let stages: S<1> = b.s();
    b.s_lshr_b32(stages, k, 5);
    b.count_down(stages, |b| -> Result<(), EmitError> {
        for (base, at, data, _) in &loads {
            b.global_load_dwordx4(*data, *at, *base);
            b.v_add_u32(*at, ROW_BYTES, *at);
        }
        // Nobody reads the last stage any more; then everybody has written this one.
        b.s_barrier();
        for (.., data, lds) in &loads {
            b.ds_write_b128(*lds, *data);
        }
        b.s_barrier();
        for (i, side) in operands.iter().enumerate() {
            for (tile, r) in side.iter().enumerate() {
                b.ds_read_b128(*r, reads[i]).offset((16 * tile as u32 * ROW_BYTES) as i32);
            }
        }
        // A chunk holds the operands of one instruction or, where instructions are shallower, of two.
        let width = u16::from(op.input_registers(0));
        for part in 0..4 / width {
            for (x, row) in results.iter().enumerate() {
                for (y, result) in row.iter().enumerate() {
                    let side = |r: V<4>| Reg::v(r.0 + part * width, width as u8).into();
                    let product = [(*result).into(), side(operands[0][x]), side(operands[1][y]), (*result).into()];
                    b.record(op.mnemonic, &product);
                }
            }
        }
        Ok(())
    })?;

    // Storing: where each lane's results lie is the instruction's business.
    let c: S<2> = b.s();
    b.load_arg(c, arg_c);
    let (row, column, at): (V<1>, V<1>, V<1>) = (b.v(), b.v(), b.v());
    for (dst, id, quarter, lane) in [(row, firsts[0], quarter[0], group), (column, firsts[1], quarter[1], index)] {
        let first: S<1> = b.s();
        b.s_lshl_b32(first, id, TILE.ilog2());
        b.s_add_u32(first, first, quarter);
        b.v_mov_b32(dst, first);
        let scale = if dst == row { op.group_rows() } else { 1 };
        b.v_lshl_add_u32(dst, lane, scale.ilog2(), dst);
    }
    for (x, results) in results.iter().enumerate() {
        for e in 0..op.outputs() {
            let (down, value): (V<1>, V<1>) = (b.v(), b.v());
            b.v_add_u32(down, 16 * x as u32 + op.output_row(e), row);
            b.v_mul_lo_u32(at, down, n);
            b.v_add_u32(at, column, at);
            b.v_lshlrev_b32(at, 2, at);
            for (y, r) in results.iter().enumerate() {
                let one = Reg { index: r.index + e as u16, count: 1, ..*r };
                let name = if op.agpr_only { "v_accvgpr_read_b32" } else { "v_mov_b32" };
                b.emit_by_name(name, &[value.into(), one.into()]);
                b.global_store_dword(at, value, c).offset(64 * y as i32);
            }
        }
    }
    b.end();
    b.finish()
}

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    let sku = Sku::named(&std::env::args().nth(1).unwrap_or("mi300x".into())).expect("a part");
    let kernel = generate(sku).expect("the kernel is valid");
    eprint!("{}", kernel.report());
    let object = pack(&[kernel], &PackOptions::default()).expect("links");

    let (m, n, k) = (128usize, 192usize, 96usize);
    // Small integers: every sum is exact, in whatever order.
    let number = |i: usize, j: usize| (i * 7 + j * 5) % 9;
    let matrix = |rows: usize| -> Vec<u8> {
        let value = |i: usize| half::f16::from_f32(number(i / k, i % k) as f32 - 4.0).to_le_bytes();
        (0..rows * k).flat_map(value).collect()
    };
    let runtime = Runtime::start(wavesmith_sim::table(&[sku])).expect("the embedded device");
    let agent = &runtime.gpu_agents()[0];
    let upload = |bytes: &[u8]| agent.upload(MemoryKind::Device, bytes).expect("memory");
    let (a, b, c) = (upload(&matrix(m)), upload(&matrix(n)), upload(&vec![0xff; 4 * m * n]));
    let mut kernargs: Vec<u8> = [&a, &b, &c].iter().flat_map(|x| x.address().to_le_bytes()).collect();
    kernargs.extend([n as u32, k as u32].iter().flat_map(|x| x.to_le_bytes()));
    let kernel = agent.load(&object).and_then(|e| e.kernel("tiled_gemm")).expect("loads");
    let geometry = Geometry { grid: [256 * (n as u32 / TILE), m as u32 / TILE, 1], workgroup: [256, 1, 1] };
    let launch = Launch { kernel: &kernel, geometry, dynamic_lds: 0, kernargs: &kernargs };
    let queue = agent.queue(64).expect("a queue");
    queue.launch(&launch).and_then(|p| p.wait(Duration::from_secs(60))).expect("runs");

    let got = c.to_vec().expect("reads back");
    let wrong = (0..m * n)
        .filter(|i| {
            let (row, column) = (i / n, i % n);
            let product = |j: usize| (number(row, j) as i32 - 4) * (number(column, j) as i32 - 4);
            let value = f32::from_le_bytes([got[4 * i], got[4 * i + 1], got[4 * i + 2], got[4 * i + 3]]);
            value != (0..k).map(product).sum::<i32>() as f32
        })
        .count();
    println!("{} products compared, {wrong} wrong", m * n);
    assert_eq!(wrong, 0);
}

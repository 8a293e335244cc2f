//! What the tile types record, executed: reductions, maps, conversions, loads and stores, on every target.

mod common;

use common::{SKUS, launch, numbers};
use half::f16;
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{S, V};
use wavesmith_asm::sem::Elem;
use wavesmith_asm::{Build, Operand, Sku};
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_emitter::tile::{GlobalTile, MatrixOp, PackedTile, Reduce, RegTile, SharedTile};
use wavesmith_emitter::{EmitError, KernelBuilder};
use wavesmith_loader::MemoryKind;
use wavesmith_sim::EngineKind;

/// Runs one wave with the address of `input` and of as many zeros as it returns; gives those.
fn run(name: &str, input: &[u8], out: usize, body: impl FnOnce(&mut KernelBuilder, S<2>, S<2>)) -> Vec<u8> {
    run_waves(name, 1, input, out, body)
}

/// The same with several waves.
fn run_waves(
    name: &str,
    waves: u32,
    input: &[u8],
    out: usize,
    body: impl FnOnce(&mut KernelBuilder, S<2>, S<2>),
) -> Vec<u8> {
    let sku = Sku::named(name).unwrap();
    let mut b = KernelBuilder::new("k", sku.target);
    b.workgroup_size([64 * waves, 1, 1]);
    let places = [b.kernargs().pointer("in"), b.kernargs().pointer("out")];
    let [from, to]: [S<2>; 2] = [b.s(), b.s()];
    b.load_arg(from, places[0]);
    b.load_arg(to, places[1]);
    body(&mut b, from, to);
    b.end();
    let object = pack(&[b.finish().unwrap()], &PackOptions::default()).unwrap();
    launch(
        sku,
        EngineKind::Checked,
        &object,
        "k",
        [[1, 1, 1], [64 * waves, 1, 1]],
        |agent| {
            let buffers = [agent.upload(MemoryKind::Device, input), agent.upload(MemoryKind::Device, &vec![0; out])];
            let buffers = buffers.map(Result::unwrap);
            let bytes = buffers.iter().flat_map(|b| b.address().to_le_bytes()).collect();
            (buffers, bytes)
        },
        |buffers| buffers[1].to_vec().unwrap(),
    )
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|c| f32::from_le_bytes(*c)).collect()
}

fn constant(b: &mut KernelBuilder, value: u32) -> S<1> {
    let s: S<1> = b.s();
    b.s_mov_b32(s, value);
    s
}

/// A matrix in memory whose rows are dense.
fn matrix(b: &mut KernelBuilder, base: S<2>, elem: Elem, [rows, columns]: [u32; 2]) -> GlobalTile {
    let [r, c, pitch] = [rows, columns, columns * elem.bits() / 8].map(|n| constant(b, n));
    GlobalTile::new(b, base, elem, [r, c], pitch)
}

#[test]
fn lanes_are_reduced_over_any_bits_of_their_numbers() {
    for name in SKUS {
        for (from, below) in [(1, 64), (1, 16), (1, 4), (16, 64), (32, 64), (4, 16), (2, 32)] {
            let got = run(name, &[0; 4], 256, |b, _, to| {
                let (lane, x, at): (V<1>, V<1>, V<1>) = (b.lane_id(), b.v(), b.v());
                b.v_cvt_f32_u32(x, lane);
                b.reduce_lanes(x, Reduce::Sum, from, below);
                b.v_lshlrev_b32(at, 2, lane);
                b.global_store_dword(at, x, to);
            });
            let among = (below - 1) & !(from - 1);
            let sum = |l: u32| (0..64).filter(|o| (o ^ l) & !among == 0).sum::<u32>() as f32;
            assert_eq!(floats(&got), (0..64).map(sum).collect::<Vec<_>>(), "{name} {from}..{below}");
        }
    }
}

/// The sizes of a result of two blocks each way, and small integers for its operands: 32 along K.
fn product(b: &mut KernelBuilder, from: S<2>, m: u32) -> (RegTile, MatrixOp) {
    let op = MatrixOp::find(b.target(), [Elem::F16; 2], Elem::F32, m, false, 32).unwrap();
    let input = matrix(b, from, Elem::F16, [4 * m, 64]);
    let sides = [0, 1].map(|side: usize| {
        let tile = RegTile::operand(b, &op, side, [2 * m, 64], 8);
        let first = [constant(b, side as u32 * 2 * m), constant(b, 0)];
        input.load(b, &tile, first);
        tile
    });
    let result = RegTile::result(b, &op, [2 * m, 2 * m]);
    result.clear(b);
    result.multiply_add(b, &sides[0], &sides[1]);
    (result, op)
}

/// `4 m` rows of 64 integers, and the product of the first `2 m` with the others.
fn integers(m: u32) -> (Vec<u8>, Vec<f32>) {
    let mut number = numbers(u64::from(m));
    let values: Vec<f32> = (0..4 * m * 64).map(|_| (number() * 3.0).round()).collect();
    let row = |i: u32| &values[(i * 64) as usize..(i * 64 + 64) as usize];
    let dot = |i: u32, j: u32| row(i).iter().zip(row(2 * m + j)).map(|(x, y)| x * y).sum::<f32>();
    let products = (0..2 * m).flat_map(|i| (0..2 * m).map(move |j| (i, j))).map(|(i, j)| dot(i, j)).collect();
    (values.iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()).collect(), products)
}

#[test]
fn a_product_is_stored_and_stored_transposed_and_nothing_beyond_the_edge() {
    for name in SKUS {
        for m in [16, 32] {
            let (input, want) = integers(m);
            let n = 2 * m as usize;
            for transposed in [false, true] {
                // A column and a row fewer than the tile.
                let inner = [2 * m - 1, 2 * m - 1];
                let got = run(name, &input, 4 * n * n, |b, from, to| {
                    let (result, _) = product(b, from, m);
                    let [r, c, pitch] = [inner[0], inner[1], 8 * m].map(|n| constant(b, n));
                    let out = GlobalTile::new(b, to, Elem::F32, [r, c], pitch);
                    let zero = constant(b, 0);
                    if transposed {
                        out.store_transposed(b, &result, [zero, zero]);
                    } else {
                        out.store(b, &result, [zero, zero]);
                    }
                });
                let at = |i: usize, j: usize| if transposed { want[j * n + i] } else { want[i * n + j] };
                let inside = |i: usize, j: usize| if i < n - 1 && j < n - 1 { at(i, j) } else { 0.0 };
                let all: Vec<f32> = (0..n * n).map(|k| inside(k / n, k % n)).collect();
                assert_eq!(floats(&got), all, "{name} {m} {transposed}");
            }
        }
    }
}

#[test]
fn rows_and_columns_of_a_result_are_reduced_and_mapped() {
    for name in SKUS {
        for m in [16, 32] {
            let (input, want) = integers(m);
            let n = 2 * m as usize;
            for rows in [false, true] {
                let got = run(name, &input, 4 * n * n, |b, from, to| {
                    let (result, _) = product(b, from, m);
                    let subtract = |b: &mut KernelBuilder, x: V<1>, top: V<1>| _ = b.v_sub_f32(x, x, top);
                    if rows {
                        let top = result.reduce_rows(b, Reduce::Max);
                        result.map_rows(b, &top, subtract);
                    } else {
                        let top = result.reduce_columns(b, Reduce::Max);
                        result.map_columns(b, &top, subtract);
                    }
                    let out = matrix(b, to, Elem::F32, [2 * m, 2 * m]);
                    let zero = constant(b, 0);
                    out.store(b, &result, [zero, zero]);
                });
                let line = |k: usize, i: usize| if rows { want[k / n * n + i] } else { want[i * n + k % n] };
                let top = |k: usize| (0..n).map(|i| line(k, i)).fold(f32::MIN, f32::max);
                assert_eq!(floats(&got), (0..n * n).map(|k| want[k] - top(k)).collect::<Vec<_>>(), "{name} {m} {rows}");
            }
        }
    }
}

/// A result becomes an operand and is multiplied by a unit matrix: it must come out as it was, transposed.
#[test]
fn a_result_becomes_an_operand_in_registers_and_through_lds() {
    for name in SKUS {
        for (m, through_lds) in [(16, false), (32, false), (16, true), (32, true)] {
            let (input, want) = integers(m);
            let n = 2 * m as usize;
            let unit: Vec<u8> =
                (0..n * n).flat_map(|k| f16::from_f32((k / n == k % n) as u8 as f32).to_le_bytes()).collect();
            let all: Vec<u8> = input.iter().chain(&unit).copied().collect();
            let got = run(name, &all, 4 * n * n, |b, from, to| {
                let (result, op) = product(b, from, m);
                let base: S<2> = b.s();
                b.s_add_u32(base.at(0), from.at(0), input.len() as u32);
                b.s_addc_u32(base.at(1), from.at(1), 0);
                let unit = matrix(b, base, Elem::F16, [2 * m, 2 * m]);
                let run = if through_lds { 8 } else { op.per_lane() };
                let converted = if through_lds {
                    let shared = SharedTile::new(b.target(), 2 * m, 4 * m, 0).unwrap();
                    b.lds(shared.bytes(), 16).unwrap();
                    let operand = RegTile::operand(b, &op, 0, [2 * m, 2 * m], run);
                    shared.store(b, &result, Elem::F16, 0);
                    shared.load(b, &operand, 0, 0);
                    operand
                } else {
                    result.to_operand(b, 0)
                };
                let other = RegTile::operand(b, &op, 1, [2 * m, 2 * m], run);
                let zero = constant(b, 0);
                unit.load_transposed(b, &other, [zero, zero]);
                let again = RegTile::result(b, &op, [2 * m, 2 * m]);
                again.clear(b);
                again.multiply_add(b, &converted, &other);
                let out = matrix(b, to, Elem::F32, [2 * m, 2 * m]);
                out.store_transposed(b, &again, [zero, zero]);
            });
            assert_eq!(floats(&got), want, "{name} {m} {through_lds}");
        }
    }
}

#[test]
fn memory_is_loaded_straight_into_a_shared_tile() {
    for name in SKUS {
        for width in [4, 16] {
            if width == 16 && name != "mi355x" {
                continue;
            }
            let (input, want) = integers(16);
            let got = run(name, &input, 4 * 32 * 32, |b, from, to| {
                let op = MatrixOp::find(b.target(), [Elem::F16; 2], Elem::F32, 16, false, 32).unwrap();
                let rows = matrix(b, from, Elem::F16, [64, 64]);
                let shared = SharedTile::new(b.target(), 64, 128, 0).unwrap();
                b.lds(shared.bytes(), 16).unwrap();
                let zero = constant(b, 0);
                let tid = b.lane_id();
                rows.load_shared(b, &shared, [zero, zero], width, [Operand::Int(64), tid.into(), zero.into()]);
                b.s_barrier();
                let sides = [0, 1].map(|side: usize| {
                    let tile = RegTile::operand(b, &op, side, [32, 64], 8);
                    shared.load(b, &tile, 32 * side as u32, 0);
                    tile
                });
                let result = RegTile::result(b, &op, [32, 32]);
                result.clear(b);
                result.multiply_add(b, &sides[0], &sides[1]);
                matrix(b, to, Elem::F32, [32, 32]).store(b, &result, [zero, zero]);
            });
            assert_eq!(floats(&got), want, "{name} {width}");
        }
    }
}

/// Numbers that E2M3 has, as its six bits.
const SIX_BITS: [(f32, u8); 6] = [(0.0, 0), (1.0, 0x08), (-1.0, 0x28), (2.0, 0x10), (3.0, 0x14), (0.125, 0x01)];

#[test]
fn six_bit_elements_are_loaded_straight_into_lds_twelve_bytes_a_lane() {
    // Both shapes of the matrix instruction, one wave and several, one and two times 128 along K, and an edge below.
    for (m, waves, columns) in [(16, 1, 128), (16, 2, 256), (32, 1, 256), (32, 4, 128)] {
        let rows = 2 * m;
        let mut number = numbers(u64::from(m + waves + columns));
        let picks: Vec<usize> = (0..2 * rows * columns).map(|_| ((number() + 1.0) * 3.0) as usize % 6).collect();
        let packed = picks.as_chunks::<4>().0.iter().flat_map(|four| {
            let bits = four.iter().enumerate().fold(0u32, |all, (i, p)| all | u32::from(SIX_BITS[*p].1) << (6 * i));
            bits.to_le_bytes().into_iter().take(3)
        });
        let input: Vec<u8> = packed.collect();
        let got = run_waves("mi355x", waves, &input, (4 * rows * rows * waves) as usize, |b, from, to| {
            let op = MatrixOp::find(b.target(), [Elem::Fp6; 2], Elem::F32, m, false, 128).unwrap();
            let [all, c, pitch] = [2 * rows - 1, columns, columns * 6 / 8].map(|n| constant(b, n));
            let memory = GlobalTile::new(b, from, Elem::Fp6, [all, c], pitch);
            let wave: S<1> = b.s();
            let (number, zero): (V<1>, S<1>) = (b.v(), constant(b, 0));
            b.v_lshrrev_b32(number, 6, b.workitem_id());
            b.v_readfirstlane_b32(wave, number);
            let threads = Operand::Int(64 * waves as i32);
            // Of the second operand the last row lies beyond the matrix.
            let sides = [0, 1].map(|side: u32| {
                let offset = side * rows * columns * 6 / 8;
                let shared = PackedTile::new(b.target(), rows, columns, offset).unwrap();
                b.lds(shared.bytes(), 16).unwrap();
                let first = constant(b, side * rows);
                let tid = b.workitem_id();
                memory.load_packed(b, &shared, [first, zero], [threads, tid.into(), wave.into()]);
                shared
            });
            b.s_barrier();
            let operands = [0, 1].map(|side: usize| {
                let tile = RegTile::operand(b, &op, side, [rows, columns], 32);
                sides[side].load(b, &tile, 0, 0);
                tile
            });
            let result = RegTile::result(b, &op, [rows, rows]);
            result.clear(b);
            result.multiply_add(b, &operands[0], &operands[1]);
            // Each wave stores a copy of its own.
            let first: S<1> = b.s();
            b.s_mul_i32(first, wave, rows);
            matrix(b, to, Elem::F32, [rows * waves, rows]).store(b, &result, [first, zero]);
        });
        let value = |row: u32, k: u32| SIX_BITS[picks[(row * columns + k) as usize]].0;
        let dot = |i: u32, j: u32| match rows + j {
            beyond if beyond == 2 * rows - 1 => 0.0,
            other => (0..columns).map(|k| value(i, k) * value(other, k)).sum::<f32>(),
        };
        let one: Vec<f32> = (0..rows * rows).map(|x| dot(x / rows, x % rows)).collect();
        for (wave, copy) in floats(&got).chunks(one.len()).enumerate() {
            assert_eq!(copy, one, "{m} {waves} {columns}, wave {wave}");
        }
    }
}

#[test]
fn work_items_that_do_not_fill_a_tile_in_whole_rounds_are_refused() {
    for packed in [false, true] {
        let mut b = KernelBuilder::new("k", wavesmith_asm::Target::Gfx950);
        let base: S<2> = b.s();
        b.s_mov_b64(base, 0);
        let memory = matrix(&mut b, base, Elem::F16, [16, 16]);
        let zero = constant(&mut b, 0);
        let tid = b.workitem_id();
        let threads = [Operand::Int(512), tid.into(), zero.into()];
        if packed {
            let shared = PackedTile::new(b.target(), 16, 128, 0).unwrap();
            memory.load_packed(&mut b, &shared, [zero, zero], threads);
        } else {
            let shared = SharedTile::new(b.target(), 16, 64, 0).unwrap();
            memory.load_shared(&mut b, &shared, [zero, zero], 16, threads);
        }
        b.end();
        let Err(EmitError::Encode { message, .. }) = b.finish() else { panic!("LDS beyond the tile was filled") };
        assert!(message.contains("whole rounds"), "{message}");
    }
}

#[test]
fn what_tiles_cannot_do_is_an_error_with_the_line() {
    let mut b = KernelBuilder::new("k", wavesmith_asm::Target::Gfx942);
    let op = MatrixOp::find(b.target(), [Elem::F16; 2], Elem::F32, 16, false, 32).unwrap();
    let [x, y] = [8, 4].map(|run| RegTile::operand(&mut b, &op, 0, [16, 32], run));
    let result = RegTile::result(&mut b, &op, [16, 16]);
    result.multiply_add(&mut b, &x, &y);
    b.end();
    let Err(EmitError::Encode { message, at }) = b.finish() else { panic!("runs of 8 and 4 were multiplied") };
    assert!(message.contains("same runs") && at.file().ends_with("tiles.rs"), "{message} {at}");
}

#[test]
fn a_known_number_of_rounds_is_unrolled_as_asked() {
    for name in SKUS {
        for (times, unroll) in [(0, 4), (1, 1), (5, 8), (10, 1), (10, 4), (12, 3)] {
            let got = run(name, &[0; 4], 256, |b, _, to| {
                let (lane, x, at): (V<1>, V<1>, V<1>) = (b.lane_id(), b.v(), b.v());
                b.v_mov_b32(x, lane);
                b.repeat(times, unroll, |b, i| -> Result<(), EmitError> {
                    b.v_add_u32(x, 100 + i, x);
                    Ok(())
                })
                .unwrap();
                b.v_lshlrev_b32(at, 2, lane);
                b.global_store_dword(at, x, to);
            });
            let row = |n: u32| (0..n).map(|i| 100 + i).sum::<u32>();
            let unroll = unroll.min(times).max(1);
            let sum = times / unroll * row(unroll) + row(times % unroll);
            let got: Vec<u32> = got.as_chunks::<4>().0.iter().map(|c| u32::from_le_bytes(*c)).collect();
            assert_eq!(got, (0..64).map(|l| l + sum).collect::<Vec<_>>(), "{name} {times} {unroll}");
        }
    }
}

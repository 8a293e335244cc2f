//! Sums over eight GPUs: each kernel reads a slice of every GPU's array and writes the sums to all of them, which they tell
//! each other by counters. Eight agents of one process run them at the same time.

use super::device::*;
use std::time::Duration;
use wavesmith_asm::Sku;
use wavesmith_loader::code_object::CodeObject;
use wavesmith_loader::{Agent, Geometry, Launch, MemoryKind, Runtime};
use wavesmith_sim::last_fault;

const RANKS: usize = 8;

struct Node {
    agents: Vec<Agent>,
}

impl Node {
    fn new() -> Node {
        let sku = Sku::named("mi300x").expect("known part");
        let runtime = Runtime::start(wavesmith_sim::table(&[sku; RANKS])).expect("starts");
        Node { agents: runtime.gpu_agents().to_vec() }
    }

    /// The same number of bytes on every GPU, which all may access.
    fn each(&self, bytes: impl Fn(usize) -> Vec<u8>) -> Vec<Buffer> {
        let all: Vec<&Agent> = self.agents.iter().collect();
        let upload = |(rank, agent): (usize, &Agent)| {
            let buffer = agent.upload(MemoryKind::Device, &bytes(rank)).expect("uploads");
            buffer.allow(&all).expect("allows");
            buffer
        };
        self.agents.iter().enumerate().map(upload).collect()
    }

    /// Launches the only kernel of a file on all, and waits for all.
    fn run(&self, file: &str, workgroups: u32, args: impl Fn(usize) -> Placed) {
        let path = corpus().expect("asked before").join("gfx942").join(file);
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = CodeObject::parse(&bytes).expect("a code object").kernels[0].name.clone();
        let loaded: Vec<_> = self.agents.iter().map(|a| a.load(&bytes).expect("loads")).collect();
        let kernels: Vec<_> = loaded.iter().map(|e| e.kernel(&name).expect("kernel")).collect();
        let queues: Vec<_> = self.agents.iter().map(|a| a.queue(64).expect("queue")).collect();
        let geometry = Geometry::of_workgroups([workgroups, 1, 1], [256, 1, 1]).expect("geometry");
        let pending: Vec<_> = (0..RANKS)
            .map(|rank| {
                let args = args(rank);
                let launch = Launch { kernel: &kernels[rank], geometry, dynamic_lds: 0, kernargs: &args.0 };
                queues[rank].launch(&launch).expect("launches")
            })
            .collect();
        for (rank, pending) in pending.into_iter().enumerate() {
            if let Err(e) = pending.wait(Duration::from_secs(120)) {
                panic!("{file}, rank {rank}: {e}: {:?}", last_fault(queues[rank].raw()).map(|f| f.to_string()));
            }
        }
    }
}

fn bf16_bytes(v: &[f32]) -> Vec<u8> {
    v.iter().flat_map(|x| ((x.to_bits() >> 16) as u16).to_le_bytes()).collect()
}

/// Eighths between −1 and 1: bf16 holds all sums of eight.
fn eighths(seed: u64, n: usize) -> Vec<f32> {
    let mut r = Random(seed);
    (0..n).map(|_| (r.next() % 17) as f32 / 8.0 - 1.0).collect()
}

fn addresses(v: &[Buffer], offset: u64) -> Vec<u8> {
    v.iter().flat_map(|b| (b.address() + offset).to_le_bytes()).collect()
}

fn signals(mut args: Placed, signals: &[Buffer]) -> Placed {
    for (i, s) in signals.iter().enumerate() {
        args = args.ptr(0x10 + 16 * i, s);
    }
    args
}

#[test]
fn eight_gpus_add_up_their_arrays() {
    let Some(_judged) = judged() else { return };
    let node = Node::new();
    // Sixty-four workgroups of four waves of sixteen bytes a lane, on each.
    let n = RANKS * 64 * 4 * 512;
    let arrays: Vec<Vec<f32>> = (0..RANKS).map(|rank| eighths(7 + rank as u64, n)).collect();
    let data = node.each(|rank| bf16_bytes(&arrays[rank]));
    let flags = node.each(|_| vec![0; 1 << 16]);
    let lists = node.each(|_| addresses(&data, 0));
    let slice = 2 * n / RANKS;
    node.run("all_reduce.co", 64, |rank| {
        signals(Placed::new(0xe0), &flags)
            .ptr(0, &lists[rank])
            .u32(0x90, rank)
            .u32(0xa0, slice)
            .u32(0xb0, slice / 64)
            .u32(0xc0, slice / 256)
            .u32(0xd0, 10)
    });
    let want: Vec<f32> = (0..n).map(|i| arrays.iter().map(|a| a[i]).sum()).collect();
    for (rank, data) in data.iter().enumerate() {
        let got = bf16s(data);
        let wrong = got.iter().zip(&want).position(|(a, b)| a != b);
        assert_eq!(wrong.map(|i| (i, got[i], want[i])), None, "rank {rank}");
    }
}

/// Sums, to which each adds what was left over before, and rows of those scaled by their mean square; as they are, cut to
/// bf16, or in eight bits with a scale for each row. What is named for the other norm has the same code.
#[test]
fn eight_gpus_add_up_and_normalise_rows() {
    let Some(_judged) = judged() else { return };
    let node = Node::new();
    const N: usize = 8192;
    // One for each: where a GPU has two workgroups, the first takes the flags back that the second may not have seen yet.
    let (rows, epsilon) = (RANKS, 1e-5f32);
    let n = rows * N;
    let arrays: Vec<Vec<f32>> = (0..RANKS).map(|rank| eighths(71 + rank as u64, n)).collect();
    let (left, weight, bias) = (eighths(5, n), eighths(6, N), eighths(8, N));
    let want_left: Vec<f32> = (0..n).map(|i| arrays.iter().map(|a| a[i]).sum::<f32>() + left[i]).collect();
    let mut want = vec![0f64; n];
    for (row, out) in want_left.chunks(N).zip(want.chunks_mut(N)) {
        let square: f64 = row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / N as f64;
        let scale = 1.0 / (square + f64::from(epsilon)).sqrt();
        for i in 0..N {
            out[i] = f64::from(row[i]) * scale * f64::from(weight[i]) + f64::from(bias[i]);
        }
    }
    let most = want.iter().fold(0f64, |m, x| m.max(x.abs()));
    for (file, eight) in [
        ("allreduce_rmsnorm_N8192.co", false),
        ("allreduce_layernorm_N8192.co", false),
        ("allreduce_rmsnorm_qnt_N8192.co", true),
    ] {
        going_on(|| {
            // The sums, the results, what is left over, the rows' scales: one behind the other.
            let part = 2 * n;
            let data = node.each(|rank| {
                let mut bytes = bf16_bytes(&arrays[rank]);
                bytes.resize(4 * part, 0xff);
                bytes
            });
            let flags = node.each(|_| vec![0; 1 << 16]);
            let lists = node.each(|_| (0..4).flat_map(|i| addresses(&data, i * part as u64)).collect());
            let residues = node.each(|_| bf16_bytes(&left));
            let weights = node.each(|_| bf16_bytes(&weight));
            let biases = node.each(|_| bf16_bytes(&bias));
            let scales = node.each(|_| [1f32; N].iter().flat_map(|x| x.to_le_bytes()).collect());
            node.run(file, (rows / RANKS) as u32, |rank| {
                let args = signals(Placed::new(0x130), &flags)
                    .ptr(0, &lists[rank])
                    .ptr(0x90, &residues[rank])
                    .ptr(0xa0, &weights[rank])
                    .ptr(0xb0, &biases[rank]);
                let args = if eight { args.ptr(0xc0, &scales[rank]) } else { args };
                args.u32(0xd0, rank)
                    .u32(0xe0, 2 * n / RANKS)
                    .u32(0xf0, N)
                    .f32(0x100, epsilon)
                    .u32(0x110, rows / RANKS)
                    .u32(0x120, 0)
            });
            let (mut worst, mut worst_left) = (0f64, 0f64);
            for data in &data {
                let bytes = data.to_vec().expect("reads");
                let all = bf16s(data);
                for i in 0..n {
                    let got = if eight {
                        let at = 3 * part + 4 * (i / N);
                        let scale = f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
                        f64::from(bytes[part + i] as i8) * f64::from(scale)
                    } else {
                        f64::from(all[n + i])
                    };
                    let far = (got - want[i]).abs();
                    assert!(!far.is_nan(), "{file}: {i} is not written");
                    worst = worst.max(far);
                    worst_left = worst_left.max((f64::from(all[2 * n + i]) - f64::from(want_left[i])).abs());
                }
            }
            eprintln!("{file}: differs by {worst:.1e} of {most:.1} at most, what is left over by {worst_left:.1e}");
            assert!(
                worst < most * if eight { 1e-2 } else { 6e-3 } && worst_left < 0.04,
                "{file}: {worst}, {worst_left}"
            );
        })
    }
}

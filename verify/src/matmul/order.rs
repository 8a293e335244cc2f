//! The order in which a generated GEMM adds the products of an element.

use wavesmith_kernels::gemm::{Gemm, GemmProblem, Order, Summation};

/// The products of one matrix instruction after the other, from stage `from` to stage `to`: their places in K, of which
/// those beyond K are zero.
pub fn instructions(s: &Summation, from: u32, to: u32, mut each: impl FnMut(&mut dyn Iterator<Item = u32>)) {
    let groups = 64 / s.m;
    let (lane, per_instruction) = (s.step_k / groups, s.k / groups);
    for step in from * s.stage_k / s.step_k..to * s.stage_k / s.step_k {
        for part in 0..lane / per_instruction {
            let first = step * s.step_k + part * per_instruction;
            let place = |g: u32| (0..per_instruction).map(move |e| first + g * lane + e);
            each(&mut (0..groups).flat_map(place));
        }
    }
}

/// For every tile, batch by batch, row by row: the stages at which a new workgroup's sum begins. The first is 0.
pub fn parts(made: &Gemm, problem: &GemmProblem) -> Vec<Vec<u32>> {
    let (p, grid) = (&made.params, made.grid(problem));
    let [rows, columns] = grid.tiles;
    let all = rows * columns * problem.batch;
    let mut out = vec![vec![0]; all as usize];
    match p.order {
        Order::Persistent => {}
        Order::Tiles => {
            let starts: Vec<u32> = (0..p.split_k).map(|i| i * grid.share + i.min(grid.longer)).collect();
            out.iter_mut().for_each(|o| o.clone_from(&starts));
        }
        Order::StreamK => {
            let starts = (0..grid.workgroups).map(|i| i * grid.share + i.min(grid.longer));
            for start in starts.filter(|s| s % grid.per_tile != 0) {
                let tile = start / grid.per_tile;
                // Tiles are numbered as they are walked: groups of rows, column by column.
                let (batch, rest) = (tile / (rows * columns), tile % (rows * columns));
                let (group, within) = (rest / (p.group_m * columns), rest % (p.group_m * columns));
                let height = p.group_m.min(rows - group * p.group_m);
                let (row, column) = (group * p.group_m + within % height, within / height);
                out[((batch * rows + row) * columns + column) as usize].push(start % grid.per_tile);
            }
        }
    }
    out
}

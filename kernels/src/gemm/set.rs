//! The GEMM set of a part: what is regenerated, checked and counted as a whole.

use super::{Dtype, GemmParams, GemmProblem, Order, Schedule};
use wavesmith_asm::Sku;

/// Parameters of every type and transposition with every schedule, and of every type with every order, at the tile that
/// suits `problem`. Those that the part has no instruction for are among them: generating them says so.
pub fn set(problem: [u32; 3], sku: &Sku) -> Vec<GemmParams> {
    let interleave = Schedule::Interleave { mfma_per_read: 2, mfma_per_load: 4 };
    let rotate = Schedule::Rotate { mfma_per_read: 2, mfma_per_load: 1 };
    let mut out = Vec::new();
    for dtype in Dtype::ALL {
        for trans in [[false, true], [false, false], [true, false], [true, true]] {
            if dtype.is_scaled() && trans != [false, true] {
                continue;
            }
            let dense = GemmProblem::dense(problem, trans);
            let suited = GemmParams::suited(dtype, trans[0], trans[1], &dense, sku);
            for schedule in [Schedule::Plain, interleave, rotate, Schedule::List] {
                out.push(GemmParams { schedule, ..suited });
            }
            if trans != [false, true] {
                continue;
            }
            if !dtype.is_scaled() {
                out.push(GemmParams { schedule: Schedule::PingPong, waves_m: 2, waves_n: 4, ..suited });
            }
            out.push(GemmParams { schedule: rotate, order: Order::Persistent, ..suited });
            for order in [Order::Persistent, Order::StreamK] {
                out.push(GemmParams { order, ..suited });
            }
            out.push(GemmParams { split_k: 2, ..suited });
        }
    }
    out
}

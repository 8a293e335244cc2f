//! f16 matrix times f32 vectors with f32 sums, fast enough that checking a model does not take longer than running it.
//!
//! Rows of the matrix are widened once and multiplied with all vectors while they sit in the L1 cache; four rows at a
//! time share each load of a vector, and eight partial sums a row leave the compiler free to use vector registers.

use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;
use wavesmith_model::Matrix;

const ROWS: usize = 4;
const LANES: usize = 8;

/// `out[t][r] = Σ_c m[r][c] * x[t][c]` for every vector `t` of `x`, `x` being `[t][m.cols]`.
pub(crate) fn multiply(m: &Matrix, x: &[f32]) -> Vec<f32> {
    let vectors = x.len() / m.cols;
    // By rows first, since that is how the work is split; turned over afterwards.
    let mut by_row = vec![0.0f32; m.rows * vectors];
    by_row.par_chunks_mut(ROWS * vectors.max(1)).zip(m.data.par_chunks(ROWS * m.cols)).for_each_init(
        || vec![0.0f32; ROWS * m.cols],
        |wide, (out, rows)| {
            // Missing rows of the last block keep whatever an earlier block left: their sums are not stored.
            rows.convert_to_f32_slice(&mut wide[..rows.len()]);
            for (t, x) in x.chunks_exact(m.cols).enumerate() {
                let sums = dot_rows(wide, x);
                for (out, sum) in out.chunks_exact_mut(vectors).zip(sums) {
                    out[t] = sum;
                }
            }
        },
    );
    let mut out = vec![0.0f32; by_row.len()];
    for (r, row) in by_row.chunks_exact(vectors.max(1)).enumerate() {
        for (t, &v) in row.iter().enumerate() {
            out[t * m.rows + r] = v;
        }
    }
    out
}

/// The products of four rows, one after the other in `wide`, with one vector.
fn dot_rows(wide: &[f32], x: &[f32]) -> [f32; ROWS] {
    let n = x.len();
    let rows: [&[f32]; ROWS] = std::array::from_fn(|r| &wide[r * n..(r + 1) * n]);
    let mut sums = [[0.0f32; LANES]; ROWS];
    let whole = n / LANES * LANES;
    for at in (0..whole).step_by(LANES) {
        let x = &x[at..at + LANES];
        for (sum, row) in sums.iter_mut().zip(rows) {
            let row = &row[at..at + LANES];
            for lane in 0..LANES {
                sum[lane] += row[lane] * x[lane];
            }
        }
    }
    std::array::from_fn(|r| {
        let tail: f32 = rows[r][whole..].iter().zip(&x[whole..]).map(|(w, x)| w * x).sum();
        sums[r].iter().sum::<f32>() + tail
    })
}

/// `Σ a[i] * b[i]`.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (a_whole, b_whole) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let tail: f32 = a_whole.remainder().iter().zip(b_whole.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_whole.zip(b_whole) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::f16;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_equal_those_of_the_plain_loop(rows in 1usize..23, cols in 1usize..70, vectors in 0usize..5, seed: u32) {
            // Small integers: every order of summation gives the same, exact result.
            let number = |i: usize| ((i as u32).wrapping_mul(2_654_435_761).wrapping_add(seed) >> 24) as f32 - 128.0;
            let m = Matrix { rows, cols, data: (0..rows * cols).map(|i| f16::from_f32(number(i))).collect() };
            let x: Vec<f32> = (0..vectors * cols).map(|i| number(i + 7919)).collect();
            let got = multiply(&m, &x);
            prop_assert_eq!(got.len(), vectors * rows);
            for t in 0..vectors {
                for r in 0..rows {
                    let v = &x[t * cols..(t + 1) * cols];
                    let want: f32 = m.row(r).iter().zip(v).map(|(w, x)| w.to_f32() * x).sum();
                    prop_assert_eq!(got[t * rows + r], want);
                    let row: Vec<f32> = m.row(r).iter().map(|w| w.to_f32()).collect();
                    prop_assert_eq!(dot(&row, v), want);
                }
            }
        }
    }
}

//! Cases that random ones may miss: each has a name, and every type that tells something about it has its own.

use super::{Case, fitted};
use wavesmith_asm::Sku;
use wavesmith_kernels::gemm::{
    Activation, Dtype, Extras, GemmError, GemmParams, GemmProblem, MX_BLOCK, Mx, Order, gemm,
};

/// The types.
const DTYPES: [Dtype; 5] = [Dtype::F16, Dtype::F32, Dtype::F64, Dtype::I8, Dtype::Mx(Mx::Fp8, Mx::Fp4)];

/// Bytes between the end of a matrix and the next, where its stride is this: what each takes is known only later.
const GAP: u64 = 64;

/// A change that makes an edge of an ordinary case.
type Change = fn(&mut Case);

/// What each edge changes. Sides are 40 and 70, and K 48, before.
const EDGES: [(&str, Change); 14] = [
    ("M = 1", |c| c.problem.m = 1),
    ("N = 1", |c| c.problem.n = 1),
    ("M = N = 1", |c| (c.problem.m, c.problem.n) = (1, 1)),
    ("K = 1", |c| c.problem.k = 1),
    ("K shorter than a step", |c| c.problem.k = 3),
    ("leading dimensions beyond the widths", |c| (c.problem.lda, c.problem.ldb, c.problem.ldc) = (64, 96, 7)),
    ("one A for the whole batch", |c| (c.problem.batch, c.problem.strides[0]) = (3, Some(0))),
    ("one B for the whole batch", |c| (c.problem.batch, c.problem.strides[1]) = (3, Some(0))),
    ("gaps between the matrices of a batch", |c| {
        c.problem.batch = 2;
        c.problem.strides = [Some(GAP); 3];
    }),
    ("beta = 0 over NaN", |c| {
        c.params.extras.beta = true;
        c.unset_c = true;
    }),
    ("alpha = 0", |c| {
        c.params.extras.beta = true;
        (c.problem.alpha, c.problem.beta) = (0.0, 2.0);
    }),
    ("alpha and beta of neither 0 nor 1", |c| {
        c.params.extras.beta = true;
        (c.problem.alpha, c.problem.beta) = (-3.0, 5.0);
    }),
    ("more parts of K than blocks", |c| (c.params.order, c.params.split_k) = (Order::Tiles, 7)),
    ("bias and activation", |c| {
        let exponential = matches!(c.params.dtype, Dtype::F64 | Dtype::I8);
        let activation = if exponential { Activation::Relu } else { Activation::Gelu };
        c.params.extras = Extras { bias: true, activation, ..c.params.extras };
    }),
];

/// The named cases of a part, for every type that it has.
///
/// # Errors
/// [`GemmError`] of one that cannot be generated for another reason than that the part lacks the type.
pub fn edges(sku: &'static Sku) -> Result<Vec<(String, Case)>, GemmError> {
    let mut out = Vec::new();
    for dtype in DTYPES {
        for (i, (name, change)) in EDGES.iter().enumerate() {
            out.push((format!("{name}, {}", dtype.name()), edge(sku, dtype, i as u64, *change)));
        }
        out.push((format!("several of the largest default tiles, {}", dtype.name()), large(sku, dtype)));
    }
    let mut there = Vec::new();
    for (name, case) in out {
        match gemm(&case.params, sku) {
            Ok(_) => there.push((name, case)),
            Err(GemmError::NoInstruction { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(there)
}

/// Leading dimensions that fit what is transposed, as much longer as those of `p` say; and K in whole blocks.
fn shaped(p: GemmProblem, dtype: Dtype, trans: [bool; 2]) -> GemmProblem {
    let k = if dtype.is_scaled() { p.k.next_multiple_of(MX_BLOCK) } else { p.k };
    fitted(GemmProblem { k, ..p }, trans, [p.lda, p.ldb, p.ldc])
}

fn edge(sku: &'static Sku, dtype: Dtype, seed: u64, change: Change) -> Case {
    // Microscaling formats are stored along K; of the others A is, and B is not.
    let trans = [false, dtype.is_scaled()];
    let problem = GemmProblem { lda: 0, ldb: 0, ldc: 0, ..GemmProblem::dense([40, 70, 48], trans) };
    // Twice, for what depends on the sizes.
    let suit = |problem: GemmProblem| {
        let shape = shaped(problem, dtype, trans);
        let params = GemmParams::suited(dtype, trans[0], trans[1], &shape, sku);
        let mut case = Case { sku, params, problem, seed, unset_c: false };
        change(&mut case);
        case
    };
    let mut case = suit(suit(problem).problem);
    case.problem = shaped(case.problem, dtype, trans);
    let sizes = case.problem.sizes(&case.params);
    for (stride, size) in case.problem.strides.iter_mut().zip(sizes) {
        *stride = stride.map(|s| if s == GAP { size.next_multiple_of(GAP) + GAP } else { s });
    }
    case
}

/// The default for a large shape on a smaller one, with edges both ways: more than one tile, and more than one stage.
fn large(sku: &'static Sku, dtype: Dtype) -> Case {
    let trans = [false, true];
    let params = GemmParams::suited(dtype, trans[0], trans[1], &GemmProblem::dense([8192; 3], trans), sku);
    let problem = GemmProblem::dense([2 * params.tile_m + 1, params.tile_n + 17, 224], trans);
    Case { sku, params, problem, seed: 99, unset_c: false }
}

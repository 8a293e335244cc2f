//! A GEMM's kernel arguments, and how a problem fills them.

use super::Dtype;
use wavesmith_emitter::kernarg::{Arg, Kernargs};

/// Where the arguments lie.
#[derive(Clone, Copy, Debug)]
pub struct GemmArgs {
    /// A's address.
    pub a: Arg,
    /// B's address.
    pub b: Arg,
    /// C's address.
    pub c: Arg,
    /// The bias vector's address.
    pub bias: Arg,
    /// Bytes from one matrix of the batch to the next, of A, B and C.
    pub strides: [Arg; 3],
    /// Rows of C.
    pub m: Arg,
    /// Columns of C.
    pub n: Arg,
    /// Products of each element.
    pub k: Arg,
    /// Elements from one stored row to the next, of A, B and C.
    pub ld: [Arg; 3],
    /// Factor of the products: f64 for f64, else f32.
    pub alpha: Arg,
    /// Factor of what C holds.
    pub beta: Arg,
}

impl GemmArgs {
    /// Lays them out.
    pub fn new(k: &mut Kernargs, dtype: Dtype) -> GemmArgs {
        let scalar = if dtype == Dtype::F64 { 8 } else { 4 };
        GemmArgs {
            a: k.pointer("a"),
            b: k.pointer("b"),
            c: k.pointer("c"),
            bias: k.pointer("bias"),
            strides: [k.u64("stride_a"), k.u64("stride_b"), k.u64("stride_c")],
            m: k.u32("m"),
            n: k.u32("n"),
            k: k.u32("k"),
            ld: [k.u32("lda"), k.u32("ldb"), k.u32("ldc")],
            alpha: k.value("alpha", scalar, scalar),
            beta: k.value("beta", scalar, scalar),
        }
    }
}

/// A multiplication to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GemmProblem {
    /// Rows of C.
    pub m: u32,
    /// Columns of C.
    pub n: u32,
    /// Products of each element.
    pub k: u32,
    /// Matrices.
    pub batch: u32,
    /// Elements from one stored row of A to the next.
    pub lda: u32,
    /// The same for B.
    pub ldb: u32,
    /// The same for C.
    pub ldc: u32,
    /// Factor of the products; integers ignore it.
    pub alpha: f64,
    /// Factor of what C holds; integers add C as it is.
    pub beta: f64,
}

impl GemmProblem {
    /// One product of densely stored `[m, n, k]`, with `[trans_a, trans_b]` as in the parameters, alpha 1 and beta 0.
    pub const fn dense([m, n, k]: [u32; 3], [trans_a, trans_b]: [bool; 2]) -> GemmProblem {
        let lda = if trans_a { m } else { k };
        let ldb = if trans_b { k } else { n };
        GemmProblem { m, n, k, batch: 1, lda, ldb, ldc: n, alpha: 1.0, beta: 0.0 }
    }

    /// The bytes of the kernel-argument segment, for matrices at these addresses; batches lie one after the other.
    pub fn kernargs(&self, dtype: Dtype, trans: [bool; 2], addresses: [u64; 4]) -> Vec<u8> {
        let mut layout = Kernargs::new();
        let args = GemmArgs::new(&mut layout, dtype);
        let mut out = vec![0; layout.size() as usize];
        let mut put = |arg: Arg, bytes: &[u8]| {
            let at = arg.offset as usize;
            out[at..at + bytes.len()].copy_from_slice(bytes);
        };
        for (arg, address) in [args.a, args.b, args.c, args.bias].into_iter().zip(addresses) {
            put(arg, &address.to_le_bytes());
        }
        let sizes = self.sizes(dtype, trans);
        for (arg, size) in args.strides.into_iter().zip(sizes) {
            put(arg, &size.to_le_bytes());
        }
        let words = [(args.m, self.m), (args.n, self.n), (args.k, self.k)];
        let lds = args.ld.into_iter().zip([self.lda, self.ldb, self.ldc]);
        for (arg, word) in words.into_iter().chain(lds) {
            put(arg, &word.to_le_bytes());
        }
        for (arg, value) in [(args.alpha, self.alpha), (args.beta, self.beta)] {
            if dtype == Dtype::F64 {
                put(arg, &value.to_le_bytes());
            } else {
                put(arg, &(value as f32).to_le_bytes());
            }
        }
        out
    }

    /// Bytes of one matrix A, B and C.
    pub fn sizes(&self, dtype: Dtype, [trans_a, trans_b]: [bool; 2]) -> [u64; 3] {
        let stored = |rows: u32, ld: u32, bytes: u32| u64::from(rows) * u64::from(ld) * u64::from(bytes);
        let es = dtype.input_bytes();
        [
            stored(if trans_a { self.k } else { self.m }, self.lda, es),
            stored(if trans_b { self.n } else { self.k }, self.ldb, es),
            stored(self.m, self.ldc, dtype.output_bytes()),
        ]
    }
}

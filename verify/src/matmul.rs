//! The reference of the GEMM generator, and how far its results may be off.
//!
//! Products are summed in f64 in plain order, by code that shares nothing with the kernel. The bound is derived, not
//! tuned: sums of K products in a type of unit roundoff `u` differ from the exact sum by at most `(K + 1) · 2u · Σ|a·b|`
//! whatever the order and whether additions round or truncate; factors, bias and the final rounding add their own units.
//! Integers must agree exactly.

use half::{bf16, f16};
use wavesmith_asm::Target;
use wavesmith_kernels::gemm::{Activation, Dtype, Extras, GemmProblem};

/// Matrices as bytes, batches one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    /// A.
    pub a: &'a [u8],
    /// B.
    pub b: &'a [u8],
    /// C before.
    pub c: &'a [u8],
    /// The bias vector; may be empty without one.
    pub bias: &'a [u8],
}

/// An element that is further off than the bound allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Batch, row and column.
    pub at: [u32; 3],
    /// What the kernel gave.
    pub got: f64,
    /// What the reference gives.
    pub expected: f64,
    /// How far off it may be.
    pub bound: f64,
}

/// How the results compare.
#[derive(Clone, Debug, PartialEq)]
pub struct MatmulReport {
    /// Elements compared.
    pub compared: u64,
    /// The largest error in units of its bound.
    pub worst: f64,
    /// The first few elements beyond their bound.
    pub mismatches: Vec<Mismatch>,
}

/// Mismatches that are listed.
const LISTED: usize = 8;

/// An E4M3 or E5M2 number: FNUZ as gfx942 has it (one more bias, no infinities, −0 is NaN), OCP as gfx950 does.
pub fn f8_to_f64(bits: u8, mantissa: u32, fnuz: bool) -> f64 {
    let sign = if bits & 0x80 != 0 { -1.0 } else { 1.0 };
    let exponent = i32::from((bits & 0x7f) >> mantissa);
    let fraction = f64::from(bits & ((1 << mantissa) - 1));
    let top = (1 << (7 - mantissa)) - 1;
    let bias = (1 << (6 - mantissa)) - 1 + i32::from(fnuz);
    if fnuz && bits == 0x80 {
        return f64::NAN;
    }
    if !fnuz && exponent == top {
        if mantissa == 2 {
            return if fraction == 0.0 { sign * f64::INFINITY } else { f64::NAN };
        }
        if fraction == 7.0 {
            return f64::NAN;
        }
    }
    let scale = f64::from(1u32 << mantissa);
    if exponent == 0 {
        sign * fraction / scale * 2f64.powi(1 - bias)
    } else {
        sign * (1.0 + fraction / scale) * 2f64.powi(exponent - bias)
    }
}

/// Element `i` of a matrix of A's and B's type.
pub fn input(dtype: Dtype, target: Target, bytes: &[u8], i: usize) -> f64 {
    let fnuz = target != Target::Gfx950;
    let dword = |i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four bytes"));
    match dtype {
        Dtype::F16 | Dtype::F16F32 => f16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]).to_f64(),
        Dtype::Bf16 => bf16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]).to_f64(),
        Dtype::F32 | Dtype::Xf32 => f64::from(f32::from_bits(dword(i))),
        Dtype::F64 => f64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes")),
        Dtype::I8 => f64::from(bytes[i] as i8),
        Dtype::Fp8 => f8_to_f64(bytes[i], 3, fnuz),
        Dtype::Bf8 => f8_to_f64(bytes[i], 2, fnuz),
    }
}

/// Element `i` of a matrix of C's type.
pub fn output(dtype: Dtype, bytes: &[u8], i: usize) -> f64 {
    let dword = |i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four bytes"));
    match dtype {
        Dtype::F16 => f16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]).to_f64(),
        Dtype::Bf16 => bf16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]).to_f64(),
        Dtype::F64 => f64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes")),
        Dtype::I8 => f64::from(dword(i) as i32),
        _ => f64::from(f32::from_bits(dword(i))),
    }
}

/// Unit roundoff of sums, of inputs as the instruction takes them, and of results.
fn units(dtype: Dtype) -> [f64; 3] {
    let u = |bits: i32| 2f64.powi(-bits);
    match dtype {
        Dtype::F64 => [u(53), 0.0, u(53)],
        Dtype::I8 => [0.0; 3],
        // Ten bits of fraction are kept of each factor.
        // The low 13 bits are cut off, not rounded: ten fraction bits are left, and the error is up to a whole unit.
        Dtype::Xf32 => [u(24), u(10), u(24)],
        Dtype::F16 => [u(24), 0.0, u(11)],
        Dtype::Bf16 => [u(24), 0.0, u(8)],
        _ => [u(24), 0.0, u(24)],
    }
}

/// Compares a result with the reference, element by element.
pub fn verify_matmul(
    dtype: Dtype,
    target: Target,
    trans: [bool; 2],
    extras: Extras,
    p: &GemmProblem,
    operands: Operands<'_>,
    got: &[u8],
) -> MatmulReport {
    let sizes = p.sizes(dtype, trans);
    let mut report = MatmulReport { compared: 0, worst: 0.0, mismatches: Vec::new() };
    let [sum_unit, input_unit, output_unit] = units(dtype);
    let (alpha, beta) =
        if dtype == Dtype::F64 { (p.alpha, p.beta) } else { (f64::from(p.alpha as f32), f64::from(p.beta as f32)) };
    let bias_type = if matches!(dtype, Dtype::F16 | Dtype::Bf16) { Dtype::F32 } else { dtype };
    for batch in 0..p.batch as usize {
        let elements = |i: usize, bytes: u32| batch * (sizes[i] / u64::from(bytes)) as usize;
        let es = dtype.input_bytes();
        let (a0, b0, c0) = (elements(0, es), elements(1, es), elements(2, dtype.output_bytes()));
        for row in 0..p.m as usize {
            for column in 0..p.n as usize {
                let (mut sum, mut magnitude) = (0.0, 0.0);
                for k in 0..p.k as usize {
                    let (lda, ldb) = (p.lda as usize, p.ldb as usize);
                    let x = input(dtype, target, operands.a, a0 + if trans[0] { k * lda + row } else { row * lda + k });
                    let at = if trans[1] { column * ldb + k } else { k * ldb + column };
                    let y = input(dtype, target, operands.b, b0 + at);
                    sum += x * y;
                    magnitude += (x * y).abs();
                }
                let place = c0 + row * p.ldc as usize + column;
                let mut expected = sum;
                let mut error = (f64::from(p.k) + 1.0) * 2.0 * sum_unit * magnitude + 2.0 * input_unit * magnitude;
                if dtype != Dtype::I8 {
                    expected *= alpha;
                    error = (error * alpha.abs()) + 2.0 * sum_unit * expected.abs();
                }
                if extras.beta {
                    let old = output(dtype, operands.c, place) * if dtype == Dtype::I8 { 1.0 } else { beta };
                    expected += old;
                    error += 2.0 * sum_unit * (expected.abs() + old.abs());
                }
                if extras.bias {
                    let bias = output(bias_type, operands.bias, column);
                    expected += bias;
                    error += 2.0 * sum_unit * expected.abs();
                }
                if extras.activation == Activation::Relu {
                    expected = expected.max(0.0);
                }
                let bound = error + output_unit * (expected.abs() + error);
                let value = output(dtype, got, place);
                let off = (value - expected).abs();
                report.compared += 1;
                let share = if off == 0.0 { 0.0 } else { off / bound };
                // NaN is beyond every bound.
                if (off > bound || off.is_nan() || bound.is_nan()) && report.mismatches.len() < LISTED {
                    let at = [batch as u32, row as u32, column as u32];
                    report.mismatches.push(Mismatch { at, got: value, expected, bound });
                }
                report.worst = if share.is_nan() { f64::INFINITY } else { report.worst.max(share) };
            }
        }
    }
    report
}

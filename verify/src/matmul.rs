//! The reference of the GEMM generator, and how far its results may be off.
//!
//! Where the part's matrix instructions are known to the bit (gfx908, gfx90a, gfx942, and integers everywhere), an element
//! is summed as the kernel sums it, instruction by instruction and workgroup by workgroup, and must agree bit for bit;
//! as that is slow, it is done for a sample of the elements when there are many. All elements are summed in f64 in plain
//! order as well, and must agree within a bound that is derived, not tuned: sums of K products in a type of unit
//! roundoff `u` differ from the exact sum by at most `(K + 1) · 2u · Σ|a·b|` whatever the order and whether additions
//! round or truncate; sums of several workgroups, factors, bias, activation and the final rounding add their own units.
//! Nothing here shares code with the kernel or the device.

mod elements;
mod order;
mod silicon;

pub use elements::{element, f8_to_f64};
pub use silicon::Adder;

use half::{bf16, f16};
use rayon::prelude::*;
use wavesmith_asm::Target;
use wavesmith_asm::sem::Elem;
use wavesmith_kernels::gemm::{Activation, Dtype, Gemm, GemmProblem, MX_BLOCK};

/// Matrices as bytes, batches as far apart as the problem says; scales one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    /// A and B.
    pub inputs: [&'a [u8]; 2],
    /// Their scales, `[rows][k / 32]`; empty without.
    pub scales: [&'a [u8]; 2],
    /// C before.
    pub c: &'a [u8],
    /// The bias vector; may be empty without one.
    pub bias: &'a [u8],
}

/// An element that is further off than the bound allows, or of other bits than the model gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Batch, row and column.
    pub at: [u32; 3],
    /// What the kernel gave.
    pub got: f64,
    /// What the reference gives.
    pub expected: f64,
    /// How far off it may be; 0 where bits must agree.
    pub bound: f64,
}

/// How the results compare.
#[derive(Clone, Debug, PartialEq)]
pub struct MatmulReport {
    /// Elements compared.
    pub compared: u64,
    /// Of these, compared bit for bit as well.
    pub exact: u64,
    /// The largest error in units of its bound.
    pub worst: f64,
    /// The first few elements beyond their bound.
    pub mismatches: Vec<Mismatch>,
}

/// Mismatches that are listed.
const LISTED: usize = 8;
/// Products that are summed as the silicon does, for each comparison.
const EXACT_PRODUCTS: u64 = 3_000_000;

/// Unit roundoff of sums, of inputs as the instruction takes them, and of results.
fn units(dtype: Dtype, output: Elem) -> [f64; 3] {
    let u = |bits: i32| 2f64.powi(-bits);
    let rounding = match output {
        Elem::F16 => u(11),
        Elem::Bf16 => u(8),
        _ => u(24),
    };
    match dtype {
        Dtype::F64 => [u(53), 0.0, u(53)],
        Dtype::I8 => [0.0; 3],
        // The low 13 bits are cut off, not rounded: ten fraction bits are left, and the error is up to a whole unit.
        Dtype::Xf32 => [u(24), u(10), rounding],
        _ => [u(24), 0.0, rounding],
    }
}

/// One operand of one batch as rows along K.
struct Rows {
    values: Vec<f64>,
    k: usize,
}

impl Rows {
    fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.k..(i + 1) * self.k]
    }
}

/// A comparison under way.
struct Comparison<'a> {
    made: &'a Gemm,
    p: &'a GemmProblem,
    operands: &'a Operands<'a>,
    got: &'a [u8],
    parts: Vec<Vec<u32>>,
}

/// Compares what a kernel gave with the reference, element by element.
pub fn verify_matmul(made: &Gemm, p: &GemmProblem, operands: &Operands<'_>, got: &[u8]) -> MatmulReport {
    let comparison = Comparison { made, p, operands, got, parts: order::parts(made, p) };
    let mut report = MatmulReport { compared: 0, exact: 0, worst: 0.0, mismatches: Vec::new() };
    for batch in 0..p.batch as usize {
        let rows = [0, 1].map(|side| comparison.rows(side, batch));
        // Every `stride`-th element is summed exactly: coprime to most tile sizes, so that all places of a tile come up.
        let products = u64::from(p.m) * u64::from(p.n) * u64::from(p.k.max(1));
        let stride = (products / EXACT_PRODUCTS).max(1) | 1;
        let by_row: Vec<MatmulReport> =
            (0..p.m as usize).into_par_iter().map(|row| comparison.row(batch, row, &rows, stride)).collect();
        for r in by_row {
            report.compared += r.compared;
            report.exact += r.exact;
            report.worst = report.worst.max(r.worst);
            report.mismatches.extend(r.mismatches);
        }
    }
    report.mismatches.truncate(LISTED);
    report
}

impl Comparison<'_> {
    fn rows(&self, side: usize, batch: usize) -> Rows {
        let (p, params) = (self.p, &self.made.params);
        let (dtype, fnuz) = (params.dtype, self.made.sku.target != Target::Gfx950);
        let (count, ld) = ([p.m, p.n][side] as usize, [p.lda, p.ldb][side] as usize);
        let along = [!params.trans_a, params.trans_b][side];
        let (size, stride) = (p.sizes(params)[side] as usize, p.stride(params, side) as usize);
        let bytes = &self.operands.inputs[side][batch * stride..batch * stride + size];
        let blocks = (p.k / MX_BLOCK) as usize;
        let scales = self.operands.scales[side];
        let k = p.k as usize;
        let mut values = Vec::with_capacity(count * k);
        for row in 0..count {
            for i in 0..k {
                let at = if along { row * ld + i } else { i * ld + row };
                let x = element(dtype.inputs()[side], fnuz, bytes, at);
                let scale = if dtype.is_scaled() {
                    elements::scale(scales[(batch * count + row) * blocks + i / MX_BLOCK as usize])
                } else {
                    1.0
                };
                values.push(x * scale);
            }
        }
        Rows { values, k }
    }

    fn row(&self, batch: usize, row: usize, [a, b]: &[Rows; 2], stride: u64) -> MatmulReport {
        let p = self.p;
        let mut report = MatmulReport { compared: 0, exact: 0, worst: 0.0, mismatches: Vec::new() };
        let size = self.made.params.output_bytes() as usize;
        let c0 = batch * p.stride(&self.made.params, 2) as usize / size + row * p.ldc as usize;
        for column in 0..p.n as usize {
            let (x, y) = (a.row(row), b.row(column));
            let place = c0 + column;
            let value = element(self.made.params.output(), false, self.got, place);
            let (expected, bound) = self.bounded(x, y, place, column);
            // Half of a unit beyond f16's largest number is where rounding gives infinity.
            let overflows = self.made.params.output() == Elem::F16 && expected.abs() + bound >= 65520.0;
            let infinite = overflows && value == f64::INFINITY.copysign(expected);
            let off = if infinite { 0.0 } else { (value - expected).abs() };
            report.compared += 1;
            let share = if off == 0.0 { 0.0 } else { off / bound };
            let mut wrong = |expected, bound| {
                if report.mismatches.len() < LISTED {
                    let at = [batch as u32, row as u32, column as u32];
                    report.mismatches.push(Mismatch { at, got: value, expected, bound });
                }
            };
            // NaN is beyond every bound.
            if off > bound || off.is_nan() || bound.is_nan() {
                wrong(expected, bound);
            }
            report.worst = if share.is_nan() { f64::INFINITY } else { report.worst.max(share) };
            if (row as u64 * u64::from(p.n) + column as u64).is_multiple_of(stride)
                && let Some(bits) = self.exact(x, y, [batch, row, column], place)
            {
                report.exact += 1;
                let model = bits.to_le_bytes();
                let modelled = element(self.made.params.output(), false, &model[..size], 0);
                // Of two zeros no guide says which is the larger.
                let zeros = self.made.params.extras.activation == Activation::Relu && modelled == 0.0 && value == 0.0;
                if self.got[place * size..(place + 1) * size] != model[..size] && !zeros {
                    wrong(modelled, 0.0);
                }
            }
        }
        report
    }

    fn factors(&self) -> [f64; 2] {
        match self.made.params.dtype {
            Dtype::F64 => [self.p.alpha, self.p.beta],
            Dtype::I8 => [self.p.alpha, self.p.beta].map(f64::trunc),
            _ => [self.p.alpha, self.p.beta].map(|x| f64::from(x as f32)),
        }
    }

    fn bias(&self, column: usize) -> f64 {
        element(self.made.params.dtype.sum(), false, self.operands.bias, column)
    }

    /// What C holds; nothing, if its factor is 0.
    fn old(&self, place: usize) -> f64 {
        if self.factors()[1] == 0.0 {
            return 0.0;
        }
        element(self.made.params.output(), false, self.operands.c, place)
    }

    /// What an element should be, and how far it may be off.
    fn bounded(&self, x: &[f64], y: &[f64], place: usize, column: usize) -> (f64, f64) {
        let params = &self.made.params;
        let (dtype, extras) = (params.dtype, params.extras);
        let [sum_unit, input_unit, output_unit] = units(dtype, params.output());
        let [alpha, beta] = self.factors();
        let (mut sum, mut magnitude) = (0.0, 0.0);
        for (x, y) in x.iter().zip(y) {
            sum += x * y;
            magnitude += (x * y).abs();
        }
        // One addition for each product and for each workgroup that shares the tile.
        let sharers = if params.is_shared() { self.parts.iter().map(Vec::len).max().unwrap_or(0) } else { 0 };
        let additions = (x.len() + sharers + 1) as f64;
        let mut expected = sum * alpha;
        let mut error = additions * 2.0 * sum_unit * magnitude + 2.0 * input_unit * magnitude;
        error = error * alpha.abs() + 2.0 * sum_unit * expected.abs();
        if extras.beta {
            let old = self.old(place) * beta;
            expected += old;
            error += 2.0 * sum_unit * (expected.abs() + old.abs());
        }
        if extras.bias {
            expected += self.bias(column);
            error += 2.0 * sum_unit * expected.abs();
        }
        if dtype == Dtype::I8 {
            // Integers wrap around; an f64 holds them exactly until then.
            expected = f64::from(expected as i64 as i32);
        }
        (expected, error) = activated(extras.activation, expected, error, sum_unit);
        // Below f16's normal numbers the distance between neighbours no longer shrinks.
        let least = if params.output() == Elem::F16 { 2f64.powi(-25) } else { 0.0 };
        (expected, error + (output_unit * (expected.abs() + error)).max(least))
    }

    /// The bits of an element, where they are known.
    fn exact(&self, x: &[f64], y: &[f64], [batch, row, column]: [usize; 3], place: usize) -> Option<u64> {
        let (params, s) = (&self.made.params, &self.made.summation);
        let (dtype, extras) = (params.dtype, params.extras);
        if extras.activation.takes_exponential() {
            return None;
        }
        let adder = Adder::of(self.made.sku.target, s.types[0], s.k);
        if adder.is_none() && dtype != Dtype::I8 {
            return None;
        }
        let grid = self.made.grid(self.p);
        let [rows, columns] = grid.tiles.map(|n| n as usize);
        let tile = (batch * rows + row / params.tile_m as usize) * columns + column / params.tile_n as usize;
        let starts = &self.parts[tile];
        let ends = starts.iter().skip(1).copied().chain([grid.per_tile]);
        let relu = extras.activation == Activation::Relu;
        let ranges = || starts.iter().copied().zip(ends.clone());
        let at = |v: &[f64], k: u32| v.get(k as usize).copied().unwrap_or(0.0);
        Some(match dtype {
            Dtype::I8 => {
                let products = x.iter().zip(y).map(|(x, y)| (*x as i32).wrapping_mul(*y as i32));
                let [alpha, beta] = self.factors().map(|x| x as i32);
                let mut sum = products.fold(0i32, i32::wrapping_add).wrapping_mul(alpha);
                let old = self.old(place) as i32;
                sum = if extras.beta { sum.wrapping_add(old.wrapping_mul(beta)) } else { sum };
                sum = if extras.bias { sum.wrapping_add(self.bias(column) as i32) } else { sum };
                u64::from((if relu { sum.max(0) } else { sum }) as u32)
            }
            Dtype::F64 => {
                let part = |(from, to)| {
                    let mut sum = 0.0f64;
                    order::instructions(s, from, to, |k| k.for_each(|k| sum = at(x, k).mul_add(at(y, k), sum)));
                    sum
                };
                let mut v = together(ranges().map(part)) * self.p.alpha;
                v = if extras.beta { self.p.beta.mul_add(self.old(place), v) } else { v };
                v = if extras.bias { v + self.bias(column) } else { v };
                (if relu { v.max(0.0) } else { v }).to_bits()
            }
            _ => {
                let adder = adder?;
                // xf32 takes the upper bits of what is stored.
                let input = |v: f64| match s.types[0] {
                    Elem::Xf32 => f64::from(f32::from_bits((v as f32).to_bits() & !0x1fff)),
                    _ => v,
                };
                let (mut a, mut b) = (Vec::new(), Vec::new());
                let mut part = |(from, to)| {
                    let mut sum = 0.0f32;
                    order::instructions(s, from, to, |k| {
                        a.clear();
                        b.clear();
                        k.for_each(|k| {
                            a.push(input(at(x, k)));
                            b.push(input(at(y, k)));
                        });
                        sum = adder.add(s.types[0], &a, &b, sum);
                    });
                    f64::from(sum)
                };
                let mut sums = ranges().map(&mut part).map(|s| s as f32);
                let first = sums.next()?;
                // Shared sums are added to zero, one after the other.
                let shared = starts.len() > 1;
                let total = if shared { sums.fold(0.0 + first, |v, s| v + s) } else { first };
                let mut v = total * self.p.alpha as f32;
                v = if extras.beta { (self.p.beta as f32).mul_add(self.old(place) as f32, v) } else { v };
                v = if extras.bias { self.bias(column) as f32 + v } else { v };
                let v = if relu { v.max(0.0) } else { v };
                match params.output() {
                    Elem::F16 => f16::from_f32(v).to_bits().into(),
                    Elem::Bf16 => bf16::from_f32(v).to_bits().into(),
                    _ => v.to_bits().into(),
                }
            }
        })
    }
}

/// Sums of several workgroups, added to zero in order; one alone is taken as it is.
fn together(sums: impl Iterator<Item = f64>) -> f64 {
    let sums: Vec<f64> = sums.collect();
    if let [one] = sums[..] { one } else { sums.into_iter().fold(0.0, |v, s| v + s) }
}

/// The activation of a value that is `error` off, and how far off that is: slopes are at most 1.13 (gelu), 1.1 (silu)
/// and 1/4 (sigmoid). Evaluation is taken as five roundings of the argument, whose effect is at most `|y| · e^-|y| ≤ 0.37`
/// of the sigmoid for each unit, two units for the exponential, one for the addition and two for the reciprocal.
fn activated(activation: Activation, x: f64, error: f64, unit: f64) -> (f64, f64) {
    let sigmoid = |y: f64| 1.0 / (1.0 + (-y).exp());
    let relative = (5.0 * 0.37 + 5.0) * 2.0 * unit;
    match activation {
        Activation::None => (x, error),
        Activation::Relu => (x.max(0.0), error),
        Activation::Sigmoid => (sigmoid(x), error / 4.0 + relative),
        Activation::Silu => {
            let y = x * sigmoid(x);
            (y, 1.1 * error + relative * (x.abs() + error))
        }
        Activation::Gelu => {
            let inner = 2.0 * (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
            (x * sigmoid(inner), 1.13 * error + relative * (x.abs() + error))
        }
    }
}

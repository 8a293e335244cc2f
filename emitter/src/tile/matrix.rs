//! Matrix instructions by what they compute, and where each element of their operands lies.
//!
//! The instruction rows say which shapes a target has; the layouts are those of the matrix instruction calculator: lane
//! `l` holds row (or column) `l mod m` of A (or B), the lanes beyond counting up in k; results lie in groups of four
//! rows.

use crate::builder::KernelBuilder;
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{Reg, V};
use wavesmith_asm::sem::{Elem, Sem};
use wavesmith_asm::{Field, Mnemonic, Operand, Target, names};

/// A dense single-block matrix instruction: `D = A × B + C` with `m × n` results over `k` products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixOp {
    /// The instruction.
    pub mnemonic: Mnemonic,
    /// Rows of the result.
    pub m: u32,
    /// Columns of the result.
    pub n: u32,
    /// Products summed.
    pub k: u32,
    /// Types of A's and B's elements.
    pub inputs: [Elem; 2],
    /// Type of the result's elements.
    pub output: Elem,
    /// `cbsz` and `blgp`, where those name the types.
    pub formats: Option<[u8; 2]>,
    /// Takes a scale of A and of B for each lane.
    pub scaled: bool,
    /// Whether results live in AGPRs (gfx908, which has no other place for them).
    pub agpr_only: bool,
}

/// What `cbsz` or `blgp` calls a type.
const fn format_of(e: Elem) -> Option<u8> {
    match e {
        Elem::Fp8 => Some(0),
        Elem::Bf8 => Some(1),
        Elem::Fp6 => Some(2),
        Elem::Bf6 => Some(3),
        Elem::Fp4 => Some(4),
        _ => None,
    }
}

impl MatrixOp {
    /// The instruction of `target` that multiplies `inputs` into `m × m` results of `output` elements, with a scale a
    /// lane if `scaled`; of several the one with the most products, up to `most`.
    pub fn find(target: Target, inputs: [Elem; 2], output: Elem, m: u32, scaled: bool, most: u32) -> Option<MatrixOp> {
        let fits = |mnemonic: Mnemonic| {
            let row = mnemonic.row(target)?.row();
            let Sem::Mfma(f) = row.sem else { return None };
            let formats = match (f.typed_by_fields, format_of(inputs[0]), format_of(inputs[1])) {
                (false, ..) => None,
                (true, Some(a), Some(b)) => Some([a, b]),
                (true, ..) => return None,
            };
            let dense = f.blocks == 1 && !f.sparse && f.scaled == scaled && u32::from(f.k) <= most;
            let types = (formats.is_some() || [f.a, f.b] == inputs) && f.d == output;
            (dense && types && u32::from(f.m) == m && u32::from(f.n) == m).then_some(MatrixOp {
                mnemonic,
                m,
                n: m,
                k: f.k.into(),
                inputs,
                output,
                formats,
                scaled,
                agpr_only: !target.unified_vgprs(),
            })
        };
        // Old names of the same instruction are rows of their own; either encodes the same bits.
        names::Mnemonic::all().filter_map(fits).max_by_key(|op| op.k)
    }

    /// Groups of lanes that share a row and differ in k.
    pub const fn groups(&self) -> u32 {
        64 / self.m
    }

    /// Elements of A (or B) a lane holds.
    pub const fn per_lane(&self) -> u32 {
        self.k / self.groups()
    }

    /// Bits of A (0) or B (1) that a lane holds.
    pub const fn input_bits(&self, side: usize) -> u32 {
        self.per_lane() * self.inputs[side].bits()
    }

    /// Registers of A (0) or B (1).
    pub const fn input_registers(&self, side: usize) -> u8 {
        self.input_bits(side).div_ceil(32) as u8
    }

    /// Registers of the result.
    pub const fn output_registers(&self) -> u8 {
        (self.m * self.n / 64 * self.output.bits() / 32) as u8
    }

    /// Registers of one element of the result.
    pub const fn output_width(&self) -> u8 {
        (self.output.bits() / 32) as u8
    }

    /// Elements of the result a lane holds.
    pub const fn outputs(&self) -> u32 {
        self.m * self.n / 64
    }

    /// The row of the result's element `e` in lanes of group 0; a lane of group `g` is [`MatrixOp::group_rows`] × `g`
    /// further down. Its column is `lane mod n`.
    pub const fn output_row(&self, e: u32) -> u32 {
        match self.output.bits() {
            // f64: one row a group, groups interleaved.
            64 => e * self.groups(),
            _ => e % 4 + e / 4 * 4 * self.groups(),
        }
    }

    /// Rows between one group of lanes and the next.
    pub const fn group_rows(&self) -> u32 {
        match self.output.bits() {
            64 => 1,
            _ => 4,
        }
    }

    /// Records `result += a · b`. With an instruction that takes scales, `scales` says for A and B which register holds them
    /// and which of its bytes (0 to 3) counts.
    #[track_caller]
    pub fn multiply(&self, b: &mut KernelBuilder, result: Reg, inputs: [Reg; 2], scales: Option<[(V<1>, u32); 2]>) {
        let mut operands = vec![result.into(), inputs[0].into(), inputs[1].into(), result.into()];
        operands.extend(scales.iter().flatten().map(|(register, _)| Operand::from(*register)));
        let at = b.record(self.mnemonic, &operands);
        if let Some([a, c]) = self.formats {
            b.set_field(at, Field::Cbsz, a.into());
            b.set_field(at, Field::Blgp, c.into());
        }
        if let Some([(_, x), (_, y)]) = scales {
            // The byte's low bit for each side, then its high bit.
            b.set_field(at, Field::ScaleOpSel, x & 1 | (y & 1) << 1);
            b.set_field(at, Field::ScaleOpSelHi, x >> 1 & 1 | (y >> 1 & 1) << 1);
        }
    }

    /// The row and column of element `e` of lane `lane`.
    pub const fn position(&self, lane: u32, e: u32) -> (u32, u32) {
        (self.output_row(e) + self.group_rows() * (lane / self.n), lane % self.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_has_one_place() {
        for target in Target::ALL {
            for (input, output) in
                [(Elem::F16, Elem::F32), (Elem::F32, Elem::F32), (Elem::I8, Elem::I32), (Elem::F64, Elem::F64)]
            {
                for m in [16, 32] {
                    let Some(op) = MatrixOp::find(target, [input; 2], output, m, false, u32::MAX) else { continue };
                    let mut seen = vec![false; (m * m) as usize];
                    for lane in 0..64 {
                        for e in 0..op.outputs() {
                            let (row, column) = op.position(lane, e);
                            assert!(!std::mem::replace(&mut seen[(row * m + column) as usize], true), "{op:?}");
                        }
                    }
                    assert!(seen.iter().all(|s| *s));
                }
            }
        }
    }

    #[test]
    fn targets_have_the_shapes_that_their_guides_list() {
        let k =
            |target, input, output, m| MatrixOp::find(target, [input; 2], output, m, false, u32::MAX).map(|op| op.k);
        assert_eq!(k(Target::Gfx908, Elem::F16, Elem::F32, 16), Some(16));
        assert_eq!(k(Target::Gfx942, Elem::F16, Elem::F32, 32), Some(8));
        assert_eq!(k(Target::Gfx950, Elem::F16, Elem::F32, 16), Some(32));
        assert_eq!(k(Target::Gfx942, Elem::I8, Elem::I32, 16), Some(32));
        assert_eq!(k(Target::Gfx950, Elem::I8, Elem::I32, 16), Some(64));
        assert_eq!(k(Target::Gfx942, Elem::Xf32, Elem::F32, 16), Some(8));
        assert_eq!(k(Target::Gfx950, Elem::Xf32, Elem::F32, 16), None);
        assert_eq!(k(Target::Gfx90a, Elem::F64, Elem::F64, 16), Some(4));
        assert_eq!(k(Target::Gfx908, Elem::F64, Elem::F64, 16), None);
        assert_eq!(k(Target::Gfx90a, Elem::Bf16, Elem::F32, 16), Some(16));
        assert_eq!(k(Target::Gfx942, Elem::Fp8, Elem::F32, 16), Some(32));
        assert_eq!(k(Target::Gfx950, Elem::Fp8, Elem::F32, 16), Some(128));
        let few = MatrixOp::find(Target::Gfx950, [Elem::Fp8; 2], Elem::F32, 32, false, 32).unwrap();
        assert_eq!((few.k, few.formats), (16, None));
        let scaled = |a, b| MatrixOp::find(Target::Gfx950, [a, b], Elem::F32, 16, true, 256).unwrap();
        let op = scaled(Elem::Fp6, Elem::Fp4);
        assert_eq!((op.k, op.formats, op.input_registers(0), op.input_registers(1)), (128, Some([2, 4]), 6, 4));
        assert_eq!(scaled(Elem::Bf8, Elem::Bf6).formats, Some([1, 3]));
    }
}

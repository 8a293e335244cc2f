//! Which lane and register holds which matrix element.
//!
//! The rules are those of AMD's matrix instruction calculator. Rows of A (and columns of B) run over lanes; a lane
//! holds as many consecutive k as the operand's size gives it, and the lanes beyond the rows take the next k, or the
//! next block. D has its columns over lanes and four consecutive rows a register group.

use wavesmith_asm::sem::{Elem, Mfma as Shape};

/// Where an element is: lane, and its number among the elements that the lane holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Lane.
    pub lane: usize,
    /// Element within the lane.
    pub item: usize,
}

/// Elements that a lane holds in a run of consecutive k. Operands of 32 bytes a lane are two runs of sixteen bytes, the
/// second half of the k apart: the eight-bit ones of CDNA4's widest shapes (composable_kernel's tests of these
/// instructions show it), and B of its sparse shapes, whose A of sixteen bytes is one run (ck_tile's table of these
/// instructions, and AITER's attention, which sums its weights with them, agree). All others are one run.
pub fn run(s: &Shape, rows: usize, ty: Elem) -> usize {
    let per_lane = (rows * s.k as usize * s.blocks as usize / 64).max(1);
    let halved = s.typed_by_fields || s.sparse;
    if halved && per_lane * ty.bits() as usize == 256 { per_lane / 2 } else { per_lane }
}

/// Place of A(row, k) of a block, or of B(k, row) with columns for rows; `ty` is the operand's type.
pub fn input(s: &Shape, rows: usize, ty: Elem, row: usize, k: usize, block: usize) -> Place {
    let (k_total, blocks) = (s.k as usize, s.blocks as usize);
    if s.d == Elem::F64 && blocks > 1 {
        // 4x4x4 in four blocks: blocks are the inner lane groups, k the outer.
        return Place { lane: row + rows * (block + blocks * k), item: 0 };
    }
    let per_lane = (rows * k_total * blocks / 64).max(1);
    let run = run(s, rows, ty);
    let groups = (k_total / per_lane).max(1);
    Place { lane: row + rows * (k / run % groups + groups * block), item: k % run + k / (run * groups) * run }
}

/// The lane whose scale applies to A(row, k), or to B(k, row): 32 consecutive k have one.
pub fn scale(rows: usize, row: usize, k: usize) -> usize {
    row + rows * (k / 32)
}

/// Place of D(i, j) of a block; the item counts results (registers, or pairs for f64).
pub fn output(s: &Shape, i: usize, j: usize, block: usize) -> Place {
    let (m, n) = (s.m as usize, s.n as usize);
    if s.d == Elem::F64 {
        if n == 4 {
            return Place { lane: j + 4 * (block + 4 * i), item: 0 };
        }
        return Place { lane: j + 16 * (i % 4), item: i / 4 };
    }
    if n == 4 {
        return Place { lane: j + 4 * block, item: i };
    }
    let groups = 64 / n;
    Place { lane: j + n * (i / 4 % groups), item: i % 4 + 4 * (i / (4 * groups)) + block * (m / groups) }
}

/// The lane whose B data a lane gets, by `blgp`.
pub fn blgp_lane(blgp: u8, lane: usize) -> usize {
    match blgp {
        1 => lane % 32,
        2 => lane % 32 + 32,
        3 => (lane + 16) % 64,
        4..=7 => lane % 16 + 16 * (blgp as usize - 4),
        _ => lane,
    }
}

/// The block whose A data a block gets, by `cbsz` and `abid`.
pub fn broadcast_block(cbsz: u8, abid: u8, block: usize) -> usize {
    if cbsz == 0 {
        return block;
    }
    let group = 1usize << cbsz.min(4);
    block / group * group + abid as usize % group
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(m: u8, n: u8, k: u8, blocks: u8, d: Elem) -> Shape {
        Shape {
            m,
            n,
            k,
            blocks,
            a: Elem::F16,
            b: Elem::F16,
            d,
            typed_by_fields: false,
            scaled: false,
            sparse: false,
            legacy_bf16: false,
        }
    }

    #[test]
    fn every_element_has_a_place_of_its_own() {
        let f32s = [
            (32, 32, 8, 1),
            (16, 16, 16, 1),
            (16, 16, 32, 1),
            (32, 32, 4, 2),
            (16, 16, 4, 4),
            (4, 4, 4, 16),
            (32, 32, 1, 2),
            (4, 4, 1, 16),
            (16, 16, 128, 1),
        ];
        let f64s = [(16, 16, 4, 1), (4, 4, 4, 4)];
        let all = f32s.iter().map(|s| (*s, Elem::F32)).chain(f64s.iter().map(|s| (*s, Elem::F64)));
        for ((m, n, k, blocks), d) in all {
            let s = shape(m, n, k, blocks, d);
            let mut seen = std::collections::HashSet::new();
            for block in 0..blocks as usize {
                for i in 0..m as usize {
                    for kk in 0..k as usize {
                        let p = input(&s, m as usize, Elem::F16, i, kk, block);
                        assert!(p.lane < 64 && seen.insert((p.lane, p.item)), "A {m}x{n}x{k} {block} {i} {kk}");
                    }
                }
            }
            let mut seen = std::collections::HashSet::new();
            for block in 0..blocks as usize {
                for i in 0..m as usize {
                    for j in 0..n as usize {
                        let p = output(&s, i, j, block);
                        assert!(p.lane < 64 && seen.insert((p.lane, p.item)), "D {m}x{n}x{k} {block} {i} {j}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_layouts_are_those_of_the_matrix_instruction_calculator() {
        let s = shape(32, 32, 8, 1, Elem::F32);
        assert_eq!(output(&s, 13, 7, 0), Place { lane: 7 + 32, item: 5 });
        assert_eq!(input(&s, 32, Elem::F16, 9, 6, 0), Place { lane: 9 + 32, item: 2 });
        let s = shape(16, 16, 16, 1, Elem::F32);
        assert_eq!(output(&s, 9, 3, 0), Place { lane: 3 + 32, item: 1 });
        assert_eq!(input(&s, 16, Elem::F16, 5, 11, 0), Place { lane: 5 + 32, item: 3 });
        let s = shape(16, 16, 4, 1, Elem::F64);
        assert_eq!(output(&s, 9, 3, 0), Place { lane: 3 + 16, item: 2 });
    }

    #[test]
    fn eight_bit_operands_of_the_widest_shapes_are_two_runs_of_sixteen() {
        let mut s = shape(16, 16, 128, 1, Elem::F32);
        s.typed_by_fields = true;
        // As the tables of composable_kernel's tests say.
        for (k, lane, item) in [(0, 0, 0), (15, 0, 15), (16, 16, 0), (63, 48, 15), (64, 0, 16), (127, 48, 31)] {
            assert_eq!(input(&s, 16, Elem::Fp8, 3, k, 0), Place { lane: lane + 3, item }, "{k}");
        }
        assert_eq!(input(&s, 16, Elem::Fp4, 3, 40, 0), Place { lane: 16 + 3, item: 8 });
        let mut s = shape(32, 32, 64, 1, Elem::F32);
        s.typed_by_fields = true;
        for (k, lane, item) in [(0, 0, 0), (16, 32, 0), (32, 0, 16), (63, 32, 31)] {
            assert_eq!(input(&s, 32, Elem::Bf8, 7, k, 0), Place { lane: lane + 7, item }, "{k}");
        }
        assert_eq!(input(&s, 32, Elem::Fp6, 7, 33, 0), Place { lane: 32 + 7, item: 1 });
        assert_eq!((scale(16, 3, 70), scale(32, 3, 70 - 32)), (35, 35));
    }

    #[test]
    fn dense_operands_of_the_widest_sparse_shapes_are_two_runs_of_sixteen_bytes_and_the_sparse_ones_are_one() {
        let sparse = |m, k| Shape { sparse: true, ..shape(m, m, k, 1, Elem::F32) };
        let s = sparse(16, 128);
        for (k, lane, item) in [(0, 0, 0), (15, 0, 15), (16, 16, 0), (63, 48, 15), (64, 0, 16), (127, 48, 31)] {
            assert_eq!(input(&s, 16, Elem::Fp8, 3, k, 0), Place { lane: lane + 3, item }, "{k}");
        }
        let kept = sparse(16, 64);
        assert_eq!(input(&kept, 16, Elem::I8, 3, 17, 0), Place { lane: 16 + 3, item: 1 });
        let s = sparse(32, 32);
        for (k, lane, item) in [(0, 0, 0), (7, 0, 7), (8, 32, 0), (16, 0, 8), (31, 32, 15)] {
            assert_eq!(input(&s, 32, Elem::Bf16, 5, k, 0), Place { lane: lane + 5, item }, "{k}");
        }
        // The shapes that CDNA3 has are half as wide: one run.
        assert_eq!(input(&sparse(16, 64), 16, Elem::Fp8, 3, 17, 0), Place { lane: 16 + 3, item: 1 });
        assert_eq!(input(&sparse(16, 32), 16, Elem::F16, 3, 9, 0), Place { lane: 16 + 3, item: 1 });
    }
}

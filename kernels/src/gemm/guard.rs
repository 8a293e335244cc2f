//! What a kernel takes for granted of its arguments: looked at once, before the first tile, so that a launch which it was not
//! generated for ends with a reason instead of wrong numbers. The loops know nothing of it.
//!
//! What a kernel cannot know is left to who launches it: how many workgroups and matrices there are, and how much memory lies
//! behind an address.

use super::args::GemmArgs;
use super::arith::divide_by;
use super::plan::{Plan, Side};
use super::{GemmParams, MX_BLOCK, Order};
use wavesmith_asm::Build;
use wavesmith_asm::reg::S;
use wavesmith_emitter::kernarg::Arg;
use wavesmith_emitter::{KernelBuilder, Label, When};

/// The kernel arguments, in three loads.
struct Words {
    wide: [S<16>; 2],
    rest: S<8>,
}

impl Words {
    fn load(b: &mut KernelBuilder) -> Words {
        let words = Words { wide: [b.s(), b.s()], rest: b.s() };
        let base = b.kernarg_ptr();
        b.load_scalar(words.wide[0], base, 0);
        b.load_scalar(words.wide[1], base, 64);
        b.load_scalar(words.rest, base, 128);
        words
    }

    /// The first dword of an argument.
    fn of(&self, arg: Arg) -> S<1> {
        let word = (arg.offset / 4) as u16;
        match word / 16 {
            n @ (0 | 1) => self.wide[usize::from(n)].at(word % 16),
            _ => self.rest.at(word - 32),
        }
    }
}

/// Bytes of the pieces in which a matrix is loaded along K.
fn piece(p: &GemmParams, side: &Side) -> u32 {
    if side.padded() { 4 } else { side.direct.unwrap_or(p.load_bytes) }
}

/// What K has to be a multiple of: a piece is loaded as a whole or not at all.
pub(super) fn k_multiple(p: &GemmParams, plan: &Plan) -> u32 {
    let along = plan.sides.iter().filter(|s| s.along && !s.padded());
    let pieces = along.map(|s| piece(p, s) * 8 / s.bits).max().unwrap_or(1);
    if p.dtype.is_scaled() { pieces.max(MX_BLOCK) } else { pieces }
}

/// What to generate for a matrix that is not as loads want it.
fn narrower(p: &GemmParams) -> String {
    let least = p.dtype.input_bits(0).max(p.dtype.input_bits(1)) / 8;
    if p.dtype.is_scaled() || p.load_bytes <= least {
        return String::new();
    }
    format!(": a kernel with load_bytes={least} takes any")
}

/// Refuses what the kernel is not for, and goes to `end` where there is nothing to do.
pub(super) fn emit(b: &mut KernelBuilder, p: &GemmParams, plan: &Plan, xcds: u32, args: &GemmArgs, end: Label) {
    let words = Words::load(b);
    let mut cases = Vec::new();
    let [m, n, k] = [args.m, args.n, args.k].map(|arg| words.of(arg));
    let multiple = k_multiple(p, plan);
    if multiple > 1 {
        let wrong: S<1> = b.s();
        b.s_and_b32(wrong, k, multiple - 1);
        let mut message = format!("k must be a multiple of {multiple}");
        message += if p.dtype.is_scaled() { ", as scales and loads come" } else { ", as loads along K come" };
        message += &narrower(p);
        cases.push((wrong, message));
    }
    for (i, side) in plan.sides.iter().enumerate() {
        cases.extend(aligned(b, p, args, &words, i, side));
    }
    cases.push(small(b, p, plan, args, &words));
    cases.push(tiles(b, p, plan, args, &words));
    if p.xcd_chunk > 0 && xcds > 1 {
        let round = xcds * p.xcd_chunk;
        let (_, wrong) = divide_by(b, words.of(args.whole_rounds), round);
        cases.push((wrong, format!("whole_rounds must be a multiple of {round}, XCDs times xcd_chunk")));
    }
    b.refuse_unless_zero(cases);
    let least: S<1> = b.s();
    b.s_min_u32(least, m, n);
    b.s_cmp_eq_u32(least, 0);
    b.branch_if(When::Scc1, end);
}

/// A matrix and its scales lie where dwords may be loaded from, or halves where those are all that is.
fn aligned(
    b: &mut KernelBuilder,
    p: &GemmParams,
    args: &GemmArgs,
    words: &Words,
    i: usize,
    side: &Side,
) -> Option<(S<1>, String)> {
    let bytes = piece(p, side).min(4);
    // Elements lie at multiples of their own size, whoever put them there.
    if !side.along || 8 * bytes <= side.bits {
        return None;
    }
    let elements = (1..=16).find(|n| (n * side.bits).is_multiple_of(8 * bytes)).unwrap_or(1);
    let (wrong, row): (S<1>, S<1>) = (b.s(), b.s());
    b.s_or_b32(wrong, words.of([args.a, args.b][i]), words.of(args.strides[i]));
    let name = ["a", "b"][i];
    let mut message = format!(
        "{name} and stride_{name} must be multiples of {bytes} bytes, and ld{name} of {elements} elements, as loads want it"
    );
    message += &narrower(p);
    if p.dtype.is_scaled() {
        b.s_or_b32(wrong, wrong, words.of(args.scales[i]));
        b.s_or_b32(wrong, wrong, words.of(args.scale_strides[i]));
        b.s_or_b32(wrong, wrong, words.of(args.scale_pitch));
        message += "; scales and their strides as well";
    }
    b.s_and_b32(wrong, wrong, bytes - 1);
    b.s_and_b32(row, words.of(args.ld[i]), elements - 1);
    b.s_or_b32(wrong, wrong, row);
    Some((wrong, message))
}

/// Bits of K, and of M and N: beyond, 32 bits do not hold what is worked out with them.
const K_BITS: u32 = 27;
const SIDE_BITS: u32 = 31;

/// Offsets in a tile have 32 bits, of which half may be taken by the rows.
fn small(b: &mut KernelBuilder, p: &GemmParams, plan: &Plan, args: &GemmArgs, words: &Words) -> (S<1>, String) {
    let (wrong, part): (S<1>, S<1>) = (b.s(), b.s());
    b.s_or_b32(wrong, words.of(args.m), words.of(args.n));
    b.s_lshr_b32(wrong, wrong, SIDE_BITS);
    b.s_lshr_b32(part, words.of(args.k), K_BITS);
    b.s_or_b32(wrong, wrong, part);
    // Rows of memory that a tile spans, and bits of an element.
    let input = |side: &Side| (if side.along { side.tile.rows } else { plan.stage_k }, side.bits);
    let spans = [input(&plan.sides[0]), input(&plan.sides[1]), (p.tile_m, p.output().bits())];
    let bits = spans.map(|(rows, bits)| SIDE_BITS + 3 - rows.ilog2() - bits.next_power_of_two().ilog2());
    for (arg, bits) in args.ld.into_iter().zip(bits) {
        b.s_lshr_b32(part, words.of(arg), bits);
        b.s_or_b32(wrong, wrong, part);
    }
    let [a, bb, c] = bits;
    let message = format!(
        "k must be below 2^{K_BITS}, m and n below 2^{SIDE_BITS}, lda below 2^{a}, ldb below 2^{bb} and ldc below 2^{c}, as \
         offsets in a tile have 32 bits"
    );
    (wrong, message)
}

/// The problem is cut as this kernel cuts it.
fn tiles(b: &mut KernelBuilder, p: &GemmParams, plan: &Plan, args: &GemmArgs, words: &Words) -> (S<1>, String) {
    let (wrong, x): (S<1>, S<1>) = (b.s(), b.s());
    let pieces = |b: &mut KernelBuilder, x: S<1>, length: Arg, size: u32| {
        b.s_add_u32(x, words.of(length), size - 1);
        b.s_lshr_b32(x, x, size.ilog2());
    };
    pieces(b, wrong, args.m, p.tile_m);
    b.s_xor_b32(wrong, wrong, words.of(args.tiles[0]));
    pieces(b, x, args.n, p.tile_n);
    b.s_xor_b32(x, x, words.of(args.tiles[1]));
    b.s_or_b32(wrong, wrong, x);
    let mut message = format!("tiles_m must be ⌈m / {}⌉ and tiles_n ⌈n / {}⌉", p.tile_m, p.tile_n);
    if p.is_shared() {
        pieces(b, x, args.k, plan.stage_k);
        b.s_max_u32(x, x, 1);
        b.s_xor_b32(x, x, words.of(args.per_tile));
        b.s_or_b32(wrong, wrong, x);
        message += &format!(", per_tile ⌈k / {}⌉ and at least 1", plan.stage_k);
    }
    if p.order == Order::Tiles && p.is_shared() {
        let parts = p.split_k;
        b.s_mul_i32(x, words.of(args.share), parts);
        b.s_add_u32(x, x, words.of(args.longer));
        b.s_xor_b32(x, x, words.of(args.per_tile));
        b.s_or_b32(wrong, wrong, x);
        message += &format!(", share ⌊per_tile / {parts}⌋ and longer the remainder");
    }
    (wrong, message)
}

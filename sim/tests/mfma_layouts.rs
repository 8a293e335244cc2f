//! Every matrix instruction of every target, with small integers, whose sums are exact in any arithmetic: the maps
//! from matrix elements to lanes and registers are stated here as formulas, apart from the engine's own.
//!
//! The formulas are those of AMD's matrix instruction calculator, which covers CDNA1 to 3; those of CDNA4's widest
//! shapes are the tables in composable_kernel's tests and, for sparse ones, ck_tile's. For an operand of `rows` rows, `k` columns and `blocks` blocks,
//! a lane holds `h = rows·k·blocks/64` elements, and element (i, kk) of block b is in lane
//! `i + rows·(b + blocks·(kk/h))`, at place `kk mod h`. A result is in lane `j + n·(b mod q + q·(i/4 mod 64/n))`, at
//! place `b·m·n/64 + i/(4·64/n)·4 + i mod 4`, where q blocks share a register; f64 has 1 for 4.

mod bare;

use bare::Bare;
use wavesmith_asm::rows::{self, RowId};
use wavesmith_asm::sem::{Elem, Mfma};
use wavesmith_asm::{Field, Form, Sem, Target, decode};
use wavesmith_sim::config::Numerics;

const A: usize = 16;
const B: usize = 48;
const C: usize = 80;
const INDEX: usize = 144;
const SCALE_A: usize = 146;
const SCALE_B: usize = 147;
const REGS: usize = 148;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % n
    }
}

/// A small integer as an element of a type.
fn element(v: i32, ty: Elem, fnuz: bool) -> u64 {
    let m = v.unsigned_abs();
    let sign = |bits: u32| u64::from(v < 0) << (bits - 1);
    // A float with `f` fraction bits and that bias, of a whole number below 8.
    let float = |f: u32, bias: u32| {
        if m == 0 {
            return 0;
        }
        let e = 31 - m.leading_zeros();
        u64::from((e + bias) << f | (m << f >> e) & ((1 << f) - 1))
    };
    match ty {
        Elem::F64 => f64::from(v).to_bits(),
        Elem::F32 | Elem::Xf32 => u64::from((v as f32).to_bits()),
        Elem::Bf16 => u64::from((v as f32).to_bits() >> 16),
        Elem::F16 => float(10, 15) | sign(16),
        Elem::Fp8 => float(3, if fnuz { 8 } else { 7 }) | if m == 0 { 0 } else { sign(8) },
        Elem::Bf8 => float(2, if fnuz { 16 } else { 15 }) | if m == 0 { 0 } else { sign(8) },
        Elem::Fp6 => float(3, 1) | sign(6),
        Elem::Bf6 => float(2, 3) | sign(6),
        Elem::Fp4 => float(1, 1) | sign(4),
        _ => u64::from(v as u8),
    }
}

struct Regs(Vec<u32>);

impl Regs {
    fn put(&mut self, first: usize, lane: usize, item: usize, bits: usize, v: u64) {
        let at = item * bits;
        for (i, part) in (0..bits.div_ceil(32)).map(|i| (i, (v >> (32 * i)) as u32)) {
            let (word, shift) = (at / 32 + i, at % 32);
            self.0[(first + word) * 64 + lane] |= part << shift;
            if shift + bits > 32 && bits < 32 {
                self.0[(first + word + 1) * 64 + lane] |= part >> (32 - shift);
            }
        }
    }
}

/// Lane and place of an operand's element.
fn input(s: &Mfma, rows: usize, k: usize, ty: Elem, i: usize, kk: usize, b: usize) -> (usize, usize) {
    let blocks = s.blocks as usize;
    let held = (rows * k * blocks / 64).max(1);
    if (s.typed_by_fields || s.sparse) && held * ty.bits() as usize == 256 {
        // Two runs of sixteen bytes: lane groups alternate within each half of the k.
        let (half, within, run) = (kk / (k / 2), kk % (k / 2), held / 2);
        return (i + rows * (within / run), run * half + within % run);
    }
    (i + rows * (b + blocks * (kk / held)), kk % held)
}

fn output(s: &Mfma, i: usize, j: usize, b: usize) -> (usize, usize) {
    let (m, n) = (s.m as usize, s.n as usize);
    let high = if s.d == Elem::F64 { 1 } else { 4 };
    let across = 64 / n;
    let share = (64 * high / (m * n)).max(1);
    let item = b * (m * n / 64) + i / (high * across) * high + i % high;
    (j + n * (b % share + share * (i / high % across)), item)
}

/// Modifiers of one run: cbsz, abid, blgp.
type Modifiers = (u32, u32, u32);

fn check(target: Target, id: RowId, shape: Mfma, modifiers: Modifiers, r: &mut Random, numerics: Numerics) {
    let row = id.row();
    let layout = row.format.layout(Form::Base);
    let (cbsz, abid, blgp) = modifiers;
    let mut s = shape;
    if s.typed_by_fields {
        let ty = |c| [Elem::Fp8, Elem::Bf8, Elem::Fp6, Elem::Bf6, Elem::Fp4][c as usize];
        (s.a, s.b) = (ty(cbsz), ty(blgp));
    }
    let (m, n, k, blocks) = (s.m as usize, s.n as usize, s.k as usize, s.blocks as usize);
    let fnuz = target != Target::Gfx950;
    let most = if s.a == Elem::Fp4 || s.b == Elem::Fp4 { 5 } else { 7 };
    let mut small = || {
        let v = r.below(most) as i32 - most as i32 / 2;
        if v.abs() > 4 { v / 2 } else { v }
    };
    let matrix = |rows: usize, columns: usize, small: &mut dyn FnMut() -> i32| -> Vec<i32> {
        (0..blocks * rows * columns).map(|_| small()).collect()
    };
    let (mut a, b, c) = (matrix(m, k, &mut small), matrix(n, k, &mut small), matrix(m, n, &mut small));
    let mut regs = Regs(vec![0; REGS * 64]);
    let (bits_a, bits_b) = (s.a.bits() as usize, s.b.bits() as usize);
    let bits_d = if s.d == Elem::F64 { 64 } else { 32 };
    // Sparse: two of every four stay, and the index says which.
    if s.sparse {
        let held = m * k / 2 / 64;
        let sets = (32 / (2 * held)).max(1);
        let set = if cbsz == 0 { abid as usize % sets } else { 0 };
        for i in 0..m {
            for group in 0..k / 4 {
                let first = r.below(3) as usize;
                let second = first + 1 + r.below(3 - first as u64) as usize;
                for at in 0..4 {
                    if at != first && at != second {
                        a[i * k + 4 * group + at] = 0;
                    }
                }
                for (h, at) in [(0, first), (1, second)] {
                    let kk = 2 * group + h;
                    let (lane, item) = input(&s, m, k / 2, s.a, i, kk, 0);
                    regs.put(A, lane, item, bits_a, element(a[i * k + 4 * group + at], s.a, fnuz));
                    regs.0[INDEX * 64 + lane] |= (at as u32) << (2 * (item + held * set));
                }
            }
        }
    } else {
        for block in 0..blocks {
            for i in 0..m {
                for kk in 0..k {
                    let (lane, item) = input(&s, m, k, s.a, i, kk, block);
                    regs.put(A, lane, item, bits_a, element(a[(block * m + i) * k + kk], s.a, fnuz));
                }
            }
        }
    }
    for block in 0..blocks {
        for j in 0..n {
            for kk in 0..k {
                let (lane, item) = input(&s, n, k, s.b, j, kk, block);
                regs.put(B, lane, item, bits_b, element(b[(block * n + j) * k + kk], s.b, fnuz));
            }
        }
        for i in 0..m {
            for j in 0..n {
                let (lane, item) = output(&s, i, j, block);
                let v = c[(block * m + i) * n + j];
                let ty = match s.d {
                    Elem::F64 | Elem::F32 => s.d,
                    _ => Elem::B32,
                };
                let bits = if ty == Elem::B32 { u64::from(v as u32) } else { element(v, ty, fnuz) };
                regs.put(C, lane, item, bits_d, bits);
            }
        }
    }
    // Scales: 1, 2 or 4 for each 32 consecutive k, in one byte of the lane that has that part of a plain layout. Which of
    // the four, the two bits say of that operand in `op_sel` (the lower) and `op_sel_hi`; the others hold anything.
    let blocks_of_k = k.div_ceil(32);
    let bytes = [r.below(4) as u32, r.below(4) as u32];
    let mut scales = |rows: usize, first: usize, byte: u32| -> Vec<i32> {
        let s: Vec<i32> = (0..rows * blocks_of_k).map(|_| r.below(3) as i32).collect();
        for i in 0..rows {
            for part in 0..blocks_of_k {
                if i + rows * part < 64 {
                    let other = r.below(1 << 32) as u32 & !(0xff << (8 * byte));
                    let scale = (127 + s[i * blocks_of_k + part]) as u32;
                    regs.0[first * 64 + i + rows * part] = other | scale << (8 * byte);
                }
            }
        }
        s
    };
    let (scale_a, scale_b) = (scales(m, SCALE_A, bytes[0]), scales(n, SCALE_B, bytes[1]));
    let mut words = layout.base;
    layout.opcode.set(&mut words, u32::from(row.opcode));
    for (field, v) in [
        (Field::Src0, 256 + A as u32),
        (Field::Src1, 256 + B as u32),
        (Field::Src2, 256 + if s.sparse { INDEX } else { C } as u32),
        (Field::Dst, C as u32),
        (Field::Cbsz, cbsz),
        (Field::Abid, abid),
        (Field::Blgp, blgp),
        (Field::ScaleSrc0, 256 + SCALE_A as u32),
        (Field::ScaleSrc1, 256 + SCALE_B as u32),
    ] {
        if layout.field(field).exists() {
            layout.field(field).set(&mut words, v);
        }
    }
    if s.scaled {
        for (field, bit) in [(Field::ScaleOpSel, 0), (Field::ScaleOpSelHi, 1)] {
            assert!(layout.field(field).exists(), "{}: no {field:?}", row.name);
            layout.field(field).set(&mut words, (bytes[0] >> bit & 1) | (bytes[1] >> bit & 1) << 1);
        }
    }
    let inst = decode(&words, target).unwrap_or_else(|e| panic!("{target} {}: {e}", row.name));
    assert_eq!(inst.row_id(), id, "{target} {}", row.name);
    let out = execute(target, inst.words(), &regs.0, numerics);
    for block in 0..blocks {
        let group = 1usize << cbsz.min(4);
        let broadcast = !s.sparse && !s.typed_by_fields && cbsz > 0 && s.d != Elem::F64;
        let a_block = if broadcast { block / group * group + abid as usize } else { block };
        for i in 0..m {
            for j in 0..n {
                let mut sum = i64::from(c[(block * m + i) * n + j]);
                if s.d == Elem::F64 && blgp >> 2 & 1 == 1 {
                    sum = -sum;
                }
                for kk in 0..k {
                    // B's lanes in the pattern of blgp, or for f64 the signs of A and B.
                    let mut bv = i64::from(b[(block * n + j) * k + kk]);
                    if s.d == Elem::F64 {
                        bv *= if (blgp ^ blgp >> 1) & 1 == 1 { -1 } else { 1 };
                    } else if !s.typed_by_fields && blgp != 0 {
                        let (lane, item) = input(&s, n, k, s.b, j, kk, block);
                        let from = match blgp {
                            1 => lane % 32,
                            2 => lane % 32 + 32,
                            3 => (lane + 16) % 64,
                            _ => lane % 16 + 16 * (blgp as usize - 4),
                        };
                        bv = (0..blocks)
                            .flat_map(|b| (0..n).flat_map(move |j| (0..k).map(move |kk| (b, j, kk))))
                            .find(|(b, j, kk)| input(&s, n, k, s.b, *j, *kk, *b) == (from, item))
                            .map_or(0, |(bb, j, kk)| i64::from(b[(bb * n + j) * k + kk]));
                    }
                    let mut p = i64::from(a[(a_block * m + i) * k + kk]) * bv;
                    if s.scaled {
                        p <<= scale_a[i * blocks_of_k + kk / 32] + scale_b[j * blocks_of_k + kk / 32];
                    }
                    sum += p;
                }
                let (lane, item) = output(&s, i, j, block);
                let got = match s.d {
                    Elem::F64 => {
                        let at = |r: usize| u64::from(out[(C + 2 * item + r) * 64 + lane]);
                        f64::from_bits(at(0) | at(1) << 32) as i64
                    }
                    Elem::F32 => f32::from_bits(out[(C + item) * 64 + lane]) as i64,
                    _ => i64::from(out[(C + item) * 64 + lane] as i32),
                };
                assert_eq!(got, sum, "{target} {} {modifiers:?} {numerics:?}: D[{i}][{j}] of block {block}", row.name);
            }
        }
    }
}

/// Registers after one instruction.
fn execute(target: Target, instruction: &[u32], regs: &[u32], numerics: Numerics) -> Vec<u32> {
    use wavesmith_asm::build::{Build, Code};
    use wavesmith_asm::reg::{a, s, v};
    let mut c = Code::new(target);
    c.s_load_dwordx4(s(4), s(0), 0);
    c.s_waitcnt(0);
    c.v_lshlrev_b32(v(1), 2, v(0));
    for i in A..REGS {
        c.v_add_u32(v(2), (i * 256) as u32, v::<1>(1));
        c.global_load_dword(v::<1>(i as u16), v::<1>(2), s::<2>(4));
    }
    c.s_waitcnt(0);
    // CDNA1 has C and D in accumulation registers only.
    let accumulates = target == Target::Gfx908;
    if accumulates {
        for i in C..INDEX {
            c.v_accvgpr_write_b32(a::<1>(i as u16), v::<1>(i as u16));
        }
    }
    let mut words = c.finish().expect("encodes");
    words.extend_from_slice(instruction);
    let mut c = Code::new(target);
    if accumulates {
        for i in C..INDEX {
            c.v_accvgpr_read_b32(v::<1>(i as u16), a::<1>(i as u16));
        }
    }
    for i in C..INDEX {
        c.v_add_u32(v(2), (i * 256) as u32, v::<1>(1));
        c.global_store_dword(v::<1>(2), v::<1>(i as u16), s::<2>(6));
    }
    c.s_endpgm(0);
    words.extend(c.finish().expect("encodes"));
    let mut b = Bare::new(target, &words, 0);
    b.config.numerics = numerics;
    let (data, out) = (b.buffer(regs), b.buffer(&vec![0; REGS * 64]));
    b.run(1, 64, &[data.base(), out.base()]).unwrap_or_else(|f| panic!("{f}"));
    Bare::words(&out)
}

#[test]
fn every_matrix_instruction_has_its_elements_where_the_public_rules_say() {
    let mut r = Random(0x1234_5678_9abc_def1);
    for target in Target::ALL {
        let (mut instructions, mut runs) = (0, 0);
        for (i, row) in rows::all().iter().enumerate() {
            let Sem::Mfma(s) = row.sem else { continue };
            if !row.has_form(Form::Base, target) {
                continue;
            }
            let mut all: Vec<Modifiers> = vec![(0, 0, 0)];
            if s.typed_by_fields {
                all = (0..5).flat_map(|a| (0..5).map(move |b| (a, 0, b))).collect();
            } else if s.sparse {
                let sets = (32 / (2 * (usize::from(s.m) * usize::from(s.k) / 128))).max(1) as u32;
                all = (0..sets).map(|set| (0, set, 0)).chain([(1, 1, 0)]).collect();
            } else if s.d == Elem::F64 {
                // Signs of A, B and C; CDNA2 has no such thing.
                if matches!(target, Target::Gfx942 | Target::Gfx950) {
                    all = (0..8).map(|blgp| (0, 0, blgp)).collect();
                }
            } else {
                if s.blocks > 1 {
                    let most = s.blocks.trailing_zeros();
                    all.extend((1..=most).flat_map(|cbsz| [(cbsz, 0, 0), (cbsz, (1 << cbsz) - 1, 0)]));
                }
                let layout = row.format.layout(Form::Base);
                if layout.field(Field::Blgp).exists() && s.a != Elem::Xf32 && s.a.bits() > 8 && s.blocks > 1 {
                    all.extend((1..8).map(|blgp| (0, 0, blgp)));
                }
            }
            instructions += 1;
            for modifiers in all {
                for numerics in [Numerics::Exact, Numerics::Fast] {
                    check(target, RowId(i as u16), s, modifiers, &mut r, numerics);
                    runs += 1;
                }
            }
        }
        eprintln!("{target}: {instructions} matrix instructions, {runs} runs");
        assert!(instructions > 15, "{target}: only {instructions}");
    }
}

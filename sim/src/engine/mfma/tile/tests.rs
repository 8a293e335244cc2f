//! Tiles against the scalar definition of `numerics`, bit for bit.

use super::*;
use crate::engine::ir::V;
use crate::engine::mfma::Fp8;
use wavesmith_asm::Target;
use wavesmith_asm::sem::Mfma as Shape;

fn instruction(m: u8, n: u8, k: u8, blocks: u8, ty: Elem, target: Target) -> Mfma {
    let shape = Shape {
        m,
        n,
        k,
        blocks,
        a: ty,
        b: ty,
        d: if ty == Elem::I8 { Elem::I32 } else { Elem::F32 },
        typed_by_fields: false,
        scaled: false,
        sparse: false,
        legacy_bf16: false,
    };
    let regs =
        |rows: u8| (u32::from(rows) * u32::from(k) * u32::from(blocks) / 64 * ty.bits()).div_ceil(32).max(1) as u8;
    Mfma {
        shape,
        family: Family::of(&shape, target).0,
        fp8: Fp8::Fnuz,
        a: V::reg(0),
        b: V::reg(0),
        c: V::reg(0),
        c_constant: false,
        d: V::reg(0),
        cbsz: 0,
        abid: 0,
        blgp: 0,
        index: None,
        scale: None,
        a_regs: regs(m),
        b_regs: regs(n),
        d_regs: (u32::from(m) * u32::from(n) * u32::from(blocks) / 64) as u8,
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    /// Two 16-bit floats whose exponents lie close together, far apart, or anywhere.
    fn pair(&mut self, ty: Elem, spread: u32) -> u32 {
        let mut half = || {
            let r = self.next();
            let (fraction, middle) = if ty == Elem::F16 { (10, 15) } else { (7, 127) };
            let e =
                if spread == 0 { r >> 16 & (2 * middle + 1) } else { middle - spread + (r >> 16) % (2 * spread + 1) };
            let h = (r & 0x8000) | e << fraction | r & ((1 << fraction) - 1);
            if r >> 28 == 0 { r & 0x8000 } else { h & 0xffff }
        };
        half() | half() << 16
    }
}

#[test]
fn vector_tiles_agree_with_the_scalar_definition_bit_for_bit() {
    let shapes = [
        (16, 16, 16, 1, Elem::F16, Target::Gfx942),
        (32, 32, 8, 1, Elem::F16, Target::Gfx942),
        (32, 32, 4, 2, Elem::F16, Target::Gfx942),
        (16, 16, 4, 4, Elem::F16, Target::Gfx942),
        (16, 16, 16, 1, Elem::Bf16, Target::Gfx942),
        (32, 32, 8, 1, Elem::Bf16, Target::Gfx942),
        (16, 16, 16, 1, Elem::F16, Target::Gfx90a),
        (32, 32, 8, 1, Elem::Bf16, Target::Gfx90a),
        (16, 16, 4, 1, Elem::F32, Target::Gfx90a),
        (32, 32, 2, 1, Elem::F32, Target::Gfx942),
        (32, 32, 1, 2, Elem::F32, Target::Gfx942),
        (16, 16, 1, 4, Elem::F32, Target::Gfx942),
        (16, 16, 32, 1, Elem::F16, Target::Gfx950),
        (32, 32, 16, 1, Elem::Bf16, Target::Gfx950),
        (32, 32, 4, 1, Elem::Xf32, Target::Gfx942),
        (16, 16, 8, 1, Elem::Xf32, Target::Gfx942),
        (16, 16, 32, 1, Elem::I8, Target::Gfx942),
        (32, 32, 8, 1, Elem::I8, Target::Gfx908),
        (32, 32, 32, 1, Elem::I8, Target::Gfx950),
        (16, 16, 64, 1, Elem::I8, Target::Gfx950),
        (32, 32, 4, 2, Elem::I8, Target::Gfx908),
        (16, 16, 4, 4, Elem::I8, Target::Gfx90a),
        (4, 4, 4, 16, Elem::I8, Target::Gfx942),
    ];
    let mut r = Random(0x1234_5678_9abc_def1);
    let mut scratch = Scratch::default();
    for (m, n, k, blocks, ty, target) in shapes {
        let mut inst = instruction(m, n, k, blocks, ty, target);
        for round in 0..120u32 {
            (inst.cbsz, inst.abid) = if blocks > 1 { (round as u8 % 3, round as u8 / 3 % 2) } else { (0, 0) };
            // Every eighth round has special values; the spread of exponents varies.
            let spread = if ty == Elem::Bf16 { [3, 12, 40, 0] } else { [2, 6, 14, 0] }[round as usize % 4];
            let word = |r: &mut Random| match ty {
                Elem::F16 | Elem::Bf16 => r.pair(ty, spread),
                Elem::F32 | Elem::Xf32 => (r.next() & 0x807f_ffff) | (100 + r.next() % 50) << 23,
                _ => r.next(),
            };
            let a: Vec<u32> = (0..inst.a_regs as usize * WAVE).map(|_| word(&mut r)).collect();
            let b: Vec<u32> = (0..inst.b_regs as usize * WAVE).map(|_| word(&mut r)).collect();
            let c: Vec<u32> = (0..inst.d_regs as usize * WAVE)
                .map(|_| match r.next() % 8 {
                    0 => 0,
                    1 => r.next() & 0x807f_ffff,
                    _ => (r.next() & 0x807f_ffff) | (127 - 30 + r.next() % 60) << 23,
                })
                .collect();
            agree(&mut scratch, &inst, [&a, &b, &c], [&[], &[]]);
        }
    }
}

/// Compares the tiles at every level with the scalar definition; the scales are empty where there are none.
fn agree(scratch: &mut Scratch, inst: &Mfma, [a, b, c]: [&[u32]; 3], [scale_a, scale_b]: [&[u32]; 2]) {
    let mut fast = vec![0; c.len()];
    let mut slow = vec![0; c.len()];
    let null = core::ptr::null();
    let o = |d: &mut Vec<u32>| Operands {
        a: a.as_ptr(),
        b: b.as_ptr(),
        c: c.as_ptr(),
        d: d.as_mut_ptr(),
        index: null,
        scale_a: scale_a.as_ptr(),
        scale_b: scale_b.as_ptr(),
    };
    for numerics in [Numerics::Exact, Numerics::Fast] {
        // SAFETY: the operands are as large as the instruction says.
        unsafe { general(scratch, inst, numerics, o(&mut slow), c, WAVE) };
        for level in [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|l| *l <= Level::detect()) {
            // SAFETY: as above.
            unsafe { run(scratch, level, inst, numerics, o(&mut fast)) };
            let wrong = (0..c.len()).find(|i| fast[*i] != slow[*i]);
            let values = wrong.map(|i| (c[i], fast[i], slow[i]));
            assert_eq!(wrong, None, "{:?} {level:?} {numerics:?}: {values:08x?}", inst.shape);
        }
    }
}

#[test]
fn tiles_of_small_floats_agree_with_the_scalar_definition_bit_for_bit() {
    let wide = |m, k, a, b| (m, k, a, b, Target::Gfx950, true);
    let shapes = [
        (16, 32, Elem::Fp8, Elem::Fp8, Target::Gfx942, false),
        (32, 16, Elem::Bf8, Elem::Fp8, Target::Gfx942, false),
        (16, 32, Elem::Fp8, Elem::Bf8, Target::Gfx950, false),
        (32, 16, Elem::Bf8, Elem::Bf8, Target::Gfx950, false),
        wide(16, 128, Elem::Fp8, Elem::Bf8),
        wide(16, 128, Elem::Fp4, Elem::Fp4),
        wide(32, 64, Elem::Fp6, Elem::Bf6),
        wide(32, 64, Elem::Fp4, Elem::Fp8),
    ];
    let mut r = Random(0x0dd0_5eed_1234_5677);
    let mut scratch = Scratch::default();
    for (m, k, a, b, target, wide) in shapes {
        let mut inst = instruction(m, m, k, 1, a, target);
        let regs = |ty: Elem| (u32::from(m) * u32::from(k) / 64 * ty.bits()).div_ceil(32) as u8;
        (inst.shape.b, inst.shape.typed_by_fields, inst.b_regs) = (b, wide, regs(b));
        inst.fp8 = if target == Target::Gfx950 { Fp8::Ocp } else { Fp8::Fnuz };
        for round in 0..48 {
            // Every eighth round may have what is not finite, every fourth extreme scales.
            let mut codes = |ty: Elem, n: u8| -> Vec<u32> {
                let mut word = || {
                    let mut w = r.next();
                    if ty.bits() == 8 && round % 8 != 0 {
                        for at in (0..32).step_by(8) {
                            if value(w >> at & 0xff, ty, inst.fp8).is_infinite()
                                || value(w >> at & 0xff, ty, inst.fp8).is_nan()
                            {
                                w ^= 0x48 << at;
                            }
                        }
                    }
                    w
                };
                (0..usize::from(n) * WAVE).map(|_| word()).collect()
            };
            let (va, vb) = (codes(a, inst.a_regs), codes(b, inst.b_regs));
            let c: Vec<u32> = (0..inst.d_regs as usize * WAVE)
                .map(|_| match r.next() % 8 {
                    0 => 0,
                    1 => r.next() & 0x807f_ffff,
                    _ => (r.next() & 0x807f_ffff) | (127 - 40 + r.next() % 60) << 23,
                })
                .collect();
            let mut scales = || -> Vec<u32> {
                let mut one = || if round % 4 == 3 { r.next() & 255 } else { 127 - 20 + r.next() % 40 };
                (0..WAVE).map(|_| one() << 8).collect()
            };
            let (sa, sb) = (scales(), scales());
            inst.scale = (wide && round % 3 != 0).then_some((V::reg(0), 1, V::reg(0), 1));
            inst.shape.scaled = inst.scale.is_some();
            agree(&mut scratch, &inst, [&va, &vb, &c], [&sa, &sb]);
        }
    }
}

/// An instruction of two types, dense or of two kept values in four.
fn typed((m, n, k): (u8, u8, u8), (a, b): (Elem, Elem), target: Target, sparse: bool) -> Mfma {
    let mut inst = instruction(m, n, k, 1, a, target);
    inst.shape.b = b;
    inst.shape.sparse = sparse;
    inst.shape.typed_by_fields = matches!((m, k), (16, 128) | (32, 64)) && !sparse;
    inst.fp8 = if target == Target::Gfx950 { Fp8::Ocp } else { Fp8::Fnuz };
    inst.family = Family::of(&inst.shape, target).0;
    let regs = |rows: u8, k: u32, ty: Elem| (u32::from(rows) * k / 64 * ty.bits()).div_ceil(32).max(1) as u8;
    inst.a_regs = regs(m, u32::from(k) / if sparse { 2 } else { 1 }, a);
    inst.b_regs = regs(n, k.into(), b);
    inst.index = sparse.then_some(V::reg(0));
    inst
}

#[test]
fn rows_of_other_types_agree_with_the_scalar_definition_bit_for_bit() {
    use Elem::{Bf6, Bf8, Bf16, F16, Fp4, Fp6, Fp8 as E8, I8, Xf32};
    use Target::{Gfx942, Gfx950};
    let mut all = Vec::new();
    for target in [Gfx942, Gfx950] {
        for types in [(E8, E8), (Bf8, E8), (E8, Bf8), (I8, I8)] {
            all.push(typed((16, 16, 32), types, target, false));
            all.push(typed((32, 32, 16), types, target, false));
            all.push(typed((16, 16, 64), types, target, true));
            all.push(typed((32, 32, 32), types, target, true));
        }
        for ty in [F16, Bf16] {
            all.push(typed((16, 16, 32), (ty, ty), target, true));
            all.push(typed((32, 32, 16), (ty, ty), target, true));
        }
    }
    all.push(typed((16, 16, 8), (Xf32, Xf32), Gfx942, false));
    all.push(typed((32, 32, 4), (Xf32, Xf32), Gfx942, false));
    all.push(typed((16, 16, 128), (Bf8, E8), Gfx950, true));
    for types in [(E8, E8), (Bf8, Fp4), (Fp4, Fp4), (Fp6, Bf6), (E8, Fp6)] {
        for shape in [(16, 16, 128), (32, 32, 64)] {
            let dense = typed(shape, types, Gfx950, false);
            let mut scaled = dense;
            scaled.shape.scaled = true;
            scaled.scale = Some((V::reg(0), 1, V::reg(0), 2));
            all.extend([dense, scaled]);
        }
    }
    let mut r = Random(0x9abc_def1_1234_5678);
    let mut scratch = Scratch::default();
    let mut by_rows = 0;
    for mut inst in all {
        for round in 0..12u32 {
            // Finite operands in most rounds, as any other sends all to the definition.
            let finite = round % 6 != 0;
            let element = |r: &mut Random, ty: Elem| loop {
                let bits = match ty {
                    F16 | Bf16 => r.pair(ty, 6) & 0xffff,
                    // Products that no binary32 has, too.
                    Xf32 if round == 9 => (r.next() & 0x807f_ffff) | (r.next() % 60) << 23,
                    Xf32 => (r.next() & 0x807f_ffff) | (110 + r.next() % 34) << 23,
                    _ => r.next() & ((1 << ty.bits()) - 1),
                };
                let bits = if r.next().is_multiple_of(16) { 0 } else { bits };
                if !finite || ty == I8 || decode(bits, ty, inst.fp8).class == 0 {
                    break bits;
                }
            };
            let mut registers = |n: u8, ty: Elem| -> Vec<u32> {
                let mut v = vec![0; usize::from(n) * WAVE];
                for lane in 0..WAVE {
                    for item in 0..usize::from(n) * 32 / ty.bits() as usize {
                        let (at, bits) = (item * ty.bits() as usize, element(&mut r, ty));
                        v[at / 32 * WAVE + lane] |= bits << (at % 32);
                        if at % 32 + ty.bits() as usize > 32 {
                            v[(at / 32 + 1) * WAVE + lane] |= bits >> (32 - at % 32);
                        }
                    }
                }
                v
            };
            let (a, b) = (registers(inst.a_regs, inst.shape.a), registers(inst.b_regs, inst.shape.b));
            let c: Vec<u32> = (0..inst.d_regs as usize * WAVE)
                .map(|_| match r.next() % 8 {
                    0 => 0,
                    1 => r.next() & 0x807f_ffff,
                    _ if round == 9 => r.next() & 0x8000_0003,
                    _ => (r.next() & 0x807f_ffff) | (127 - 20 + r.next() % 40) << 23,
                })
                .collect();
            // Pairs of different places, but for a round.
            let index: Vec<u32> = (0..WAVE)
                .map(|_| {
                    (0..8).fold(0, |w, i| {
                        let (x, d) = (r.next() % 4, 1 + r.next() % 3);
                        w | (x | if round == 5 { x } else { x ^ d } << 2) << (4 * i)
                    })
                })
                .collect();
            let mut scales = || -> Vec<u32> {
                let byte = |r: &mut Random| {
                    if round == 7 && r.next().is_multiple_of(64) { 255 } else { 120 + r.next() % 14 }
                };
                (0..WAVE).map(|_| (0..4).fold(0, |w, i| w | byte(&mut r) << (8 * i))).collect()
            };
            let (scale_a, scale_b) = (scales(), scales());
            (inst.cbsz, inst.abid) = if inst.shape.sparse { (round as u8 % 2, round as u8 / 2 % 4) } else { (0, 0) };
            let (mut fast, mut slow) = (c.clone(), vec![0; c.len()]);
            let o = |d: &mut Vec<u32>| Operands {
                a: a.as_ptr(),
                b: b.as_ptr(),
                c: c.as_ptr(),
                d: d.as_mut_ptr(),
                index: index.as_ptr(),
                scale_a: scale_a.as_ptr(),
                scale_b: scale_b.as_ptr(),
            };
            for numerics in [Numerics::Exact, Numerics::Fast] {
                // SAFETY: the operands are as large as the instruction says.
                unsafe { general(&mut scratch, &inst, numerics, o(&mut slow), &c, WAVE) };
                for level in [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|l| *l <= Level::detect()) {
                    let mut decoded = super::super::rows::Decoded::default();
                    // SAFETY: as above.
                    let done = unsafe {
                        super::super::rows::run(&mut decoded, level, &inst, numerics, o(&mut fast), c.as_ptr())
                    };
                    by_rows += u32::from(done);
                    let wrong = (0..c.len()).find(|i| done && fast[*i] != slow[*i]);
                    assert_eq!(
                        wrong,
                        None,
                        "{:?} {level:?} {numerics:?} round {round}: {:08x?}",
                        inst.shape,
                        wrong.map(|i| (c[i], fast[i], slow[i]))
                    );
                    assert!(done || !finite || round == 5 || round == 7, "{:?} {level:?} {numerics:?}", inst.shape);
                    // Whatever form is chosen.
                    // SAFETY: as above.
                    unsafe { run(&mut scratch, level, &inst, numerics, o(&mut fast)) };
                    assert_eq!(fast, slow, "{:?} {level:?} {numerics:?} round {round}", inst.shape);
                }
            }
        }
    }
    assert!(by_rows > 1000, "{by_rows}");
}

#[test]
fn binary64_agrees_with_the_scalar_definition_bit_for_bit() {
    let mut r = Random(0x1357_9bdf_0246_8ace);
    let mut scratch = Scratch::default();
    for (n, blocks) in [(16, 1), (4, 4)] {
        let mut inst = instruction(n, n, 4, blocks, Elem::F64, Target::Gfx942);
        inst.shape.d = Elem::F64;
        (inst.a_regs, inst.b_regs) = (2, 2);
        inst.d_regs = if n == 16 { 8 } else { 2 };
        for round in 0..64u8 {
            inst.blgp = round % 8;
            (inst.cbsz, inst.abid) = if n == 4 { (round / 8 % 3, round / 24) } else { (0, 0) };
            let mut registers = |n: u8| -> Vec<u32> {
                let mut v: Vec<u32> = (0..usize::from(n) * WAVE).map(|_| r.next()).collect();
                // High words: exponents near one another, but for a round with anything.
                for high in v.chunks_exact_mut(WAVE).skip(1).step_by(2).flatten() {
                    if round % 8 != 7 {
                        *high = *high & 0x800f_ffff | (1000 + r.next() % 60) << 20;
                    }
                }
                v
            };
            let (a, b, c) = (registers(2), registers(2), registers(inst.d_regs));
            let (mut fast, mut slow) = (vec![0; c.len()], vec![0; c.len()]);
            let o = |d: &mut Vec<u32>| Operands {
                a: a.as_ptr(),
                b: b.as_ptr(),
                c: c.as_ptr(),
                d: d.as_mut_ptr(),
                index: core::ptr::null(),
                scale_a: core::ptr::null(),
                scale_b: core::ptr::null(),
            };
            // SAFETY: the operands are as large as the instruction says.
            unsafe { general(&mut scratch, &inst, Numerics::Exact, o(&mut slow), &c, WAVE) };
            for level in [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|l| *l <= Level::detect()) {
                // SAFETY: as above.
                unsafe { run(&mut scratch, level, &inst, Numerics::Exact, o(&mut fast)) };
                assert_eq!(fast, slow, "{n} {level:?} round {round}");
            }
        }
    }
}

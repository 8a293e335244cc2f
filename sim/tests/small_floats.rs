//! Conversions from and to 8-, 6- and 4-bit floats through the instructions, every code and every boundary between two
//! codes, against the formats written down here as what they are: a list of values.

mod bare;

use bare::Bare;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;

/// A format: exponent bits, fraction bits, bias, and what its top codes are.
#[derive(Clone, Copy)]
struct Format {
    name: &'static str,
    exponent: u32,
    fraction: u32,
    bias: i32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One NaN in the place of −0, nothing infinite.
    Fnuz,
    /// All ones is NaN.
    OneNan,
    /// As IEEE's.
    Ieee,
    /// Numbers only.
    Finite,
}

const FP8: Format = Format { name: "fp8", exponent: 4, fraction: 3, bias: 7, kind: Kind::OneNan };
const BF8: Format = Format { name: "bf8", exponent: 5, fraction: 2, bias: 15, kind: Kind::Ieee };
const FP8_FNUZ: Format = Format { name: "fp8", exponent: 4, fraction: 3, bias: 8, kind: Kind::Fnuz };
const BF8_FNUZ: Format = Format { name: "bf8", exponent: 5, fraction: 2, bias: 16, kind: Kind::Fnuz };
const FP6: Format = Format { name: "fp6", exponent: 2, fraction: 3, bias: 1, kind: Kind::Finite };
const BF6: Format = Format { name: "bf6", exponent: 3, fraction: 2, bias: 3, kind: Kind::Finite };
const FP4: Format = Format { name: "fp4", exponent: 2, fraction: 1, bias: 1, kind: Kind::Finite };

impl Format {
    fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The value of a code; `None` for NaN.
    fn value(self, code: u32) -> Option<f32> {
        let sign = code >> (self.bits() - 1) & 1;
        let e = code >> self.fraction & ((1 << self.exponent) - 1);
        let m = code & ((1 << self.fraction) - 1);
        let ones = e == (1 << self.exponent) - 1;
        match self.kind {
            Kind::Fnuz if code == 1 << (self.bits() - 1) => return None,
            Kind::OneNan if ones && m == (1 << self.fraction) - 1 => return None,
            Kind::Ieee if ones && m != 0 => return None,
            Kind::Ieee if ones => return Some(if sign == 1 { f32::NEG_INFINITY } else { f32::INFINITY }),
            _ => {}
        }
        let scale = 2f64.powi(if e == 0 { 1 - self.bias } else { e as i32 - self.bias });
        let fraction = f64::from(m) / f64::from(1 << self.fraction) + if e == 0 { 0.0 } else { 1.0 };
        let v = (fraction * scale) as f32;
        Some(if sign == 1 { -v } else { v })
    }

    /// Codes of finite numbers from 0 up, in order.
    fn positive(self) -> Vec<(u32, f32)> {
        let half = 1 << (self.bits() - 1);
        (0..half).filter_map(|c| self.value(c).filter(|v| v.is_finite()).map(|v| (c, v))).collect()
    }

    /// The code that too large a number gives.
    fn overflow(self) -> u32 {
        match self.kind {
            Kind::Fnuz => 0x80,
            Kind::OneNan => 0x7f,
            Kind::Ieee => 0x7c,
            Kind::Finite => self.positive().last().expect("numbers").0,
        }
    }
}

/// Runs an instruction on words, one a lane: v2 in (scale in v3), `out` registers from v8 out, lane by lane.
fn run(target: Target, instruction: &str, input: &[u32], scale: f32, out: usize) -> Vec<Vec<u32>> {
    let mut text = "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_lshl_b32 s8, s2, 8\n\
                    v_lshlrev_b32_e32 v1, 2, v0\nv_add_u32_e32 v1, s8, v1\nglobal_load_dword v2, v1, s[4:5]\n"
        .to_owned();
    text += &format!("v_mov_b32_e32 v3, {:#x}\ns_waitcnt vmcnt(0)\n", scale.to_bits());
    (0..out.max(1)).for_each(|i| text += &format!("v_mov_b32_e32 v{}, 0\n", 8 + i));
    text += instruction;
    let bytes = input.len() * 4;
    (0..out).for_each(|i| {
        text +=
            &format!("\nglobal_store_dword v1, v{}, s[6:7]\ns_add_u32 s6, s6, {bytes:#x}\ns_addc_u32 s7, s7, 0", 8 + i);
    });
    text += "\ns_endpgm\n";
    let a = assemble(&text, target).unwrap_or_else(|d| panic!("{target}: {d:?}"));
    let code = &a.sections.iter().find(|s| s.name == ".text").expect("code").data;
    let words: Vec<u32> = code.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four"))).collect();
    let mut b = Bare::new(target, &words, 0);
    let (data, result) = (b.buffer(input), b.buffer(&vec![0; input.len() * out]));
    b.run((input.len() / 64) as u32, 64, &[data.base(), result.base()]).unwrap_or_else(|f| panic!("{f}"));
    let all = Bare::words(&result);
    (0..input.len()).map(|lane| (0..out).map(|r| all[r * input.len() + lane]).collect()).collect()
}

fn same(got: u32, want: Option<f32>) -> bool {
    want.map_or(f32::from_bits(got).is_nan(), |w| got == w.to_bits())
}

#[test]
fn every_eight_bit_code_widens_to_its_value() {
    for (target, formats) in [(Target::Gfx942, [FP8_FNUZ, BF8_FNUZ]), (Target::Gfx950, [FP8, BF8])] {
        for f in formats {
            let codes: Vec<u32> = (0..256).collect();
            let one = run(target, &format!("v_cvt_f32_{}_e32 v8, v2", f.name), &codes, 1.0, 1);
            let doubled: Vec<u32> = codes.iter().map(|c| c | (255 - c) << 8).collect();
            let pair = run(target, &format!("v_cvt_pk_f32_{}_e32 v[8:9], v2", f.name), &doubled, 1.0, 2);
            for c in 0..256u32 {
                let (v, w) = (f.value(c), f.value(255 - c));
                assert!(same(one[c as usize][0], v), "{target} {} {c:#x}: {:#x}", f.name, one[c as usize][0]);
                assert!(same(pair[c as usize][0], v) && same(pair[c as usize][1], w), "{target} {} {c:#x}", f.name);
            }
        }
    }
}

#[test]
fn every_smaller_code_widens_to_its_value_times_the_scale() {
    let target = Target::Gfx950;
    for scale in [1.0f32, 4.0, 0.125] {
        let codes: Vec<u32> = (0..256).collect();
        let pairs = run(target, "v_cvt_scalef32_pk_f32_fp4 v[8:9], v2, v3", &codes, scale, 2);
        for c in 0..256u32 {
            for (half, got) in pairs[c as usize].iter().enumerate() {
                let want = FP4.value(c >> (4 * half) & 15).map(|v| v * scale);
                assert!(same(*got, want), "{c:#x} {half} {scale}: {got:#x}");
            }
        }
        for f in [FP6, BF6] {
            // Thirty-two codes in six registers: the lane's number, then the numbers after it.
            let lanes: Vec<u32> = (0..64).collect();
            let mut pack = String::new();
            for word in 0..6 {
                pack += &format!("v_mov_b32_e32 v{}, 0\n", 40 + word);
            }
            for k in 0..32u32 {
                let (word, shift) = (6 * k / 32, 6 * k % 32);
                pack += &format!("v_add_u32_e32 v4, {k}, v2\nv_and_b32_e32 v4, 63, v4\n");
                pack += &format!("v_lshlrev_b32_e32 v5, {shift}, v4\nv_or_b32_e32 v{0}, v{0}, v5\n", 40 + word);
                if shift > 26 {
                    pack +=
                        &format!("v_lshrrev_b32_e32 v5, {}, v4\nv_or_b32_e32 v{1}, v{1}, v5\n", 32 - shift, 41 + word);
                }
            }
            pack += &format!("v_cvt_scalef32_pk32_f32_{} v[8:39], v[40:45], v3", f.name);
            let out = run(target, &pack, &lanes, scale, 32);
            for lane in 0..64u32 {
                for k in 0..32u32 {
                    let want = f.value((lane + k) & 63).map(|v| v * scale);
                    let got = out[lane as usize][k as usize];
                    assert!(same(got, want), "{} {lane} {k} {scale}: {got:#x}", f.name);
                }
            }
        }
    }
}

/// Inputs around every boundary of a format, with the codes they must give.
fn boundaries(f: Format) -> Vec<(f32, u32)> {
    let codes = f.positive();
    let mut cases = Vec::new();
    for pair in codes.windows(2) {
        let ((lo, a), (hi, b)) = (pair[0], pair[1]);
        let middle = (f64::from(a) + f64::from(b)) / 2.0;
        let middle = middle as f32;
        cases.extend([(a, lo), (middle, lo + (lo & 1)), (middle.next_down(), lo), (middle.next_up(), hi)]);
    }
    let (top, most) = codes[codes.len() - 1];
    let step = most - codes[codes.len() - 2].1;
    let edge = most + step / 2.0;
    cases.extend([(most, top), (edge.next_down(), top), (edge.next_up(), f.overflow()), (1e30, f.overflow())]);
    // A tie at the very top goes away from the odd code.
    if top & 1 == 0 || f.kind == Kind::Finite {
        cases.push((edge, top));
    }
    let minus = |(v, c): (f32, u32)| {
        let sign = 1 << (f.bits() - 1);
        let code = if f.kind == Kind::Fnuz { if c == 0 || c == 0x80 { c } else { c | sign } } else { c | sign };
        (-v, code)
    };
    let negative: Vec<_> = cases.iter().copied().map(minus).collect();
    cases.extend(negative);
    while cases.len() % 64 != 0 {
        cases.push((1.0, codes.iter().find(|c| c.1 == 1.0).expect("one").0));
    }
    cases
}

#[test]
fn numbers_around_every_boundary_narrow_to_the_nearest_code() {
    for (target, formats) in [(Target::Gfx942, [FP8_FNUZ, BF8_FNUZ]), (Target::Gfx950, [FP8, BF8])] {
        for f in formats {
            let cases = boundaries(f);
            let input: Vec<u32> = cases.iter().map(|c| c.0.to_bits()).collect();
            let out = run(target, &format!("v_cvt_pk_{}_f32 v8, v2, -v2", f.name), &input, 1.0, 1);
            for ((v, code), got) in cases.iter().zip(&out) {
                assert_eq!(got[0] & 0xff, *code, "{target} {} {v:e}", f.name);
            }
        }
    }
    for f in [FP8, BF8, FP4] {
        for scale in [1.0f32, 8.0] {
            let cases = boundaries(f);
            let input: Vec<u32> = cases.iter().map(|c| (c.0 * scale).to_bits()).collect();
            let text = format!("v_cvt_scalef32_pk_{}_f32 v8, v2, v2, v3", f.name);
            let out = run(Target::Gfx950, &text, &input, scale, 1);
            for ((v, code), got) in cases.iter().zip(&out) {
                let bits = f.bits();
                let mask = (1u32 << bits) - 1;
                let (low, high) = (got[0] & mask, got[0] >> bits & mask);
                assert_eq!((low, high), (*code, *code), "{} {v:e} scaled by {scale}", f.name);
            }
        }
    }
}

#[test]
fn stochastic_rounding_goes_up_as_often_as_the_random_bits_say() {
    // Three quarters of the way from one code to the next: with the bits below taken from the top of the random word,
    // a quarter of the words leave it down.
    for (f, name) in [(FP8, "fp8"), (BF8, "bf8")] {
        let codes = f.positive();
        let (lo, a) = codes[codes.len() / 2];
        let b = codes[codes.len() / 2 + 1].1;
        let v = a + (b - a) * 0.75;
        let input: Vec<u32> = (0..4096u32).map(|i| i << 20).collect();
        let text = format!("v_mov_b32_e32 v4, {:#x}\nv_cvt_sr_{name}_f32 v8, v4, v2", v.to_bits());
        let out = run(Target::Gfx950, &text, &input, 1.0, 1);
        let up = out.iter().filter(|o| o[0] & 0xff == lo + 1).count();
        let down = out.iter().filter(|o| o[0] & 0xff == lo).count();
        assert_eq!((up, down), (3072, 1024), "{name}");
    }
}

#[test]
fn the_random_generator_shifts_and_feeds_back_what_leaves() {
    let input: Vec<u32> = (0..64u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let out = run(Target::Gfx950, "v_prng_b32_e32 v8, v2", &input, 1.0, 1);
    for (i, o) in input.iter().zip(&out) {
        // x³² + x⁷ + x⁶ + x² + 1, as a left shift.
        let fed = if i >> 31 == 1 { 1 << 7 | 1 << 6 | 1 << 2 | 1 } else { 0 };
        assert_eq!(o[0], i << 1 ^ fed);
    }
}

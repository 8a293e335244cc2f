//! Division as compilers expand it: scale, refine, scale back, put right. What is known to be correctly rounded on silicon
//! has to be here, subnormal and overflowing quotients included.

mod bare;

use bare::Bare;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_sim::EngineKind;

const F32: &str = "v_div_scale_f32 v12, s[12:13], v4, v4, v2\nv_rcp_f32_e32 v14, v12\n\
                   v_div_scale_f32 v16, vcc, v2, v4, v2\nv_fma_f32 v18, -v12, v14, 1.0\nv_fma_f32 v14, v18, v14, v14\n\
                   v_mul_f32_e32 v18, v16, v14\nv_fma_f32 v20, -v12, v18, v16\nv_fma_f32 v18, v20, v14, v18\n\
                   v_fma_f32 v20, -v12, v18, v16\nv_div_fmas_f32 v20, v20, v14, v18\n\
                   v_div_fixup_f32 v6, v20, v4, v2\nv_mov_b32_e32 v7, 0\n";

const F64: &str = "v_div_scale_f64 v[12:13], s[12:13], v[4:5], v[4:5], v[2:3]\nv_rcp_f64_e32 v[14:15], v[12:13]\n\
                   v_fma_f64 v[18:19], -v[12:13], v[14:15], 1.0\nv_fma_f64 v[14:15], v[14:15], v[18:19], v[14:15]\n\
                   v_fma_f64 v[18:19], -v[12:13], v[14:15], 1.0\nv_fma_f64 v[14:15], v[14:15], v[18:19], v[14:15]\n\
                   v_div_scale_f64 v[16:17], vcc, v[2:3], v[4:5], v[2:3]\nv_mul_f64 v[18:19], v[16:17], v[14:15]\n\
                   v_fma_f64 v[20:21], -v[12:13], v[18:19], v[16:17]\n\
                   v_div_fmas_f64 v[20:21], v[20:21], v[14:15], v[18:19]\n\
                   v_div_fixup_f64 v[6:7], v[20:21], v[4:5], v[2:3]\n";

/// Quotients of pairs, each of numerator and denominator in two words.
fn divide(target: Target, sequence: &str, pairs: &[u64], engine: EngineKind) -> Vec<u64> {
    let text = format!(
        "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_lshl_b32 s8, s2, 10\nv_lshlrev_b32_e32 v1, 4, v0\n\
         v_add_u32_e32 v1, s8, v1\nglobal_load_dwordx4 v[2:5], v1, s[4:5]\ns_waitcnt vmcnt(0)\n{sequence}\
         v_lshrrev_b32_e32 v1, 1, v1\nglobal_store_dwordx2 v1, v[6:7], s[6:7]\ns_endpgm\n"
    );
    let a = assemble(&text, target).unwrap_or_else(|d| panic!("{target}: {d:?}"));
    let code = &a.sections.iter().find(|s| s.name == ".text").expect("code").data;
    let words: Vec<u32> = code.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four"))).collect();
    let mut b = Bare::new(target, &words, 0);
    b.config.engine = engine;
    let input: Vec<u32> = pairs.iter().flat_map(|v| [*v as u32, (*v >> 32) as u32]).collect();
    let (data, out) = (b.buffer(&input), b.buffer(&vec![0; pairs.len()]));
    b.run((pairs.len() / 128) as u32, 64, &[data.base(), out.base()]).unwrap_or_else(|f| panic!("{f}"));
    Bare::words(&out).chunks_exact(2).map(|w| u64::from(w[0]) | u64::from(w[1]) << 32).collect()
}

/// Every pair of edges, and random numbers: of any size, near each other, subnormal.
fn pairs(fraction: u32, exponent: u32) -> Vec<u64> {
    let width = fraction + exponent + 1;
    let (one, ones) = (1u64 << fraction, (1u64 << exponent) - 1);
    let bias = ones >> 1;
    let sign = 1u64 << (width - 1);
    let mut edges = vec![0, 1, one - 1, one, one + 1, ones * one - 1, ones * one, bias * one, bias * one - 1];
    edges.extend([ones * one + one / 2, bias * one + one / 2, one / 2, (bias + 30) * one + 1, (bias - 60) * one + 3]);
    let all: Vec<u64> = edges.iter().flat_map(|e| [*e, *e | sign]).collect();
    let mut out: Vec<u64> = all.iter().flat_map(|a| all.iter().flat_map(move |b| [*a, *b])).collect();
    let mut x = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        let (m, e) = ((x >> 8) & (one - 1), x >> 40);
        let field = match x & 7 {
            0 => 0,
            1 | 2 => bias - 8 + e % 16,
            _ => e % ones,
        };
        (field * one + m) | if x >> 3 & 1 == 1 { sign } else { 0 }
    };
    out.extend((0..40_000).map(|_| next()));
    let whole = out.len() / 128 * 128;
    out.truncate(whole);
    out
}

#[test]
fn quotients_are_the_hosts_in_every_range() {
    for target in Target::ALL {
        for engine in [EngineKind::Interp, EngineKind::Jit] {
            let given = pairs(23, 8);
            for (p, got) in given.chunks_exact(2).zip(divide(target, F32, &given, engine)) {
                let (n, d, got) =
                    (f32::from_bits(p[0] as u32), f32::from_bits(p[1] as u32), f32::from_bits(got as u32));
                let want = n / d;
                let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
                assert!(same, "{target} {engine:?}: {n:e} / {d:e} is {want:e}, not {got:e}");
            }
            let given = pairs(52, 11);
            for (p, got) in given.chunks_exact(2).zip(divide(target, F64, &given, engine)) {
                let (n, d, got) = (f64::from_bits(p[0]), f64::from_bits(p[1]), f64::from_bits(got));
                let want = n / d;
                let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
                assert!(same, "{target} {engine:?}: {n:e} / {d:e} is {want:e}, not {got:e}");
            }
        }
    }
}

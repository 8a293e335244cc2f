//! One second of what the fuzz targets do without end.

use wavesmith_asm::Target;
use wavesmith_asm::properties::*;

/// As many cases as a second or so holds, the same on every host; `WAVESMITH_SMOKE` multiplies them.
fn for_a_second(cases: usize, mut f: impl FnMut(&mut Rng, Target)) {
    let times = std::env::var("WAVESMITH_SMOKE").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut rng = Rng(74);
    for _ in 0..cases * times {
        for t in Target::ALL {
            f(&mut rng, t);
        }
    }
}

/// Words that often begin an instruction: opcode bits random, the rest mostly small.
fn words(rng: &mut Rng) -> [u32; 4] {
    let mut w = [0; 4];
    for x in &mut w {
        *x = rng.bits() as u32;
        if rng.below(3) == 0 {
            *x &= rng.bits() as u32 | 0xff80_0000;
        }
    }
    if rng.below(8) == 0 {
        w[0] = w[0] & !0x1ff | (249 + rng.below(7) as u32);
    }
    w
}

#[test]
fn decoding_random_words_never_panics() {
    for_a_second(60_000, |rng, t| {
        let n = 1 + rng.below(4) as usize;
        decoding_any_words_never_panics(&words(rng)[..n], t);
    });
}

#[test]
fn random_words_that_decode_come_back_from_text() {
    for_a_second(60_000, |rng, t| printing_then_parsing_is_the_identity(&words(rng), t));
}

#[test]
fn words_on_which_llvm_crashes_are_safe() {
    for t in Target::ALL {
        for w in [[0xd16d_0087, 0x0003_04ff], [0xd3ed_cfae, 0x73fc_d079], [0xe08c_c000, 0xff16_b6a7]] {
            decoding_any_words_never_panics(&w, t);
            printing_then_parsing_is_the_identity(&w, t);
        }
    }
}

#[test]
fn literals_that_an_inline_constant_would_replace_stay_literals() {
    // Found by fuzzing: 0xffff as a half is -1.
    for words in [[0x4a2e_4aff, 0xffff], [0x3e02_04ff, 0xffff], [0x3e02_04ff, 0x3c00], [0x0202_04ff, 0x3f80_0000]] {
        for t in Target::ALL {
            printing_then_parsing_is_the_identity(&words, t);
        }
    }
}

#[test]
fn damaged_text_never_panics() {
    let good = "v_add_f32_e64 v1, -v2, |v3| clamp mul:2\ns_waitcnt vmcnt(0) & lgkmcnt(0)\n.macro m a, b=1:\n\\a\n.endm\nm x\n.if 1\nbuffer_load_dword v1, v[2:3], s[4:7], s1 idxen offen offset:4095\n.endif\n.set x, (1 << 3) | y\n.long x - ., 1b\nds_swizzle_b32 v1, v2 offset:swizzle(BITMASK_PERM,\"01pip\")\n.amdhsa_kernel k\n.end_amdhsa_kernel\n.rept 3\ns_nop 0\n.endr";
    for_a_second(2_000, |rng, t| {
        let mut bytes = good.as_bytes().to_vec();
        for _ in 0..1 + rng.below(8) {
            let at = rng.below(bytes.len() as u64) as usize;
            match rng.below(3) {
                0 => bytes[at] = *b" \n,:[]()|-v0s.\\\"'x@&\x7f".get(rng.below(20) as usize).unwrap_or(&b'x'),
                1 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, rng.below(128) as u8),
            }
        }
        parsing_any_text_never_panics(&String::from_utf8_lossy(&bytes), t);
    });
}

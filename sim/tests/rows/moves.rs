//! Instructions that move data between lanes and registers: each beside what its lanes must hold, for the whole wave.

use crate::bare::Bare;
use crate::case::Random;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_sim::EngineKind;

/// A wave: v8 and v9, v10 as result, s20, EXEC, and LDS's dwords.
#[derive(Clone)]
struct Wave {
    v: [[u32; 64]; 6],
    s20: u32,
    m0: u32,
    exec: u64,
    lds: Vec<u32>,
}

type Effect = Box<dyn Fn(&mut Wave)>;

/// Runs text on a wave and compares v8 to v13, s20 and LDS with what the effect makes of them.
fn check(r: &mut Random, target: Target, text: &str, indices: bool, effect: &Effect) {
    for round in 0..6 {
        let mut w = Wave {
            v: [[0; 64]; 6],
            s20: r.next() & 63,
            m0: r.next() & 63,
            exec: if round == 0 { u64::MAX } else { r.wide() | r.wide() },
            lds: (0..256).map(|_| r.next()).collect(),
        };
        for v in &mut w.v {
            v.iter_mut().for_each(|x| *x = r.next());
        }
        if indices {
            w.v[0].iter_mut().for_each(|x| *x &= 0x3ff);
        }
        let mut input: Vec<u32> = w.v.iter().flatten().copied().collect();
        input.extend(&w.lds);
        let mut all =
            "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v1, 2, v0\ns_mov_b32 m0, -1\n"
                .to_owned();
        for k in 0..10 {
            let to = if k < 6 { 8 + k } else { 2 };
            all += &format!(
                "v_add_u32_e32 v3, {:#x}, v1\nglobal_load_dword v{to}, v3, s[4:5]\ns_waitcnt vmcnt(0)\n",
                256 * k
            );
            if k >= 6 {
                all += &format!("ds_write_b32 v1, v2 offset:{}\n", 256 * (k - 6));
            }
        }
        all += &format!(
            "s_waitcnt lgkmcnt(0)\ns_mov_b32 s20, {:#x}\ns_mov_b32 m0, {:#x}\ns_mov_b32 exec_lo, {:#x}\ns_mov_b32 exec_hi, {:#x}\n{text}\n\
             s_waitcnt lgkmcnt(0)\ns_mov_b64 exec, -1\nv_mov_b32_e32 v14, s20\n",
            w.s20,
            w.m0,
            w.exec as u32,
            (w.exec >> 32) as u32
        );
        for k in 0..11 {
            let from = if k < 7 { 8 + k } else { 2 };
            if k >= 7 {
                all += &format!("ds_read_b32 v2, v1 offset:{}\ns_waitcnt lgkmcnt(0)\n", 256 * (k - 7));
            }
            all += &format!(
                "v_add_u32_e32 v3, {:#x}, v1\nglobal_store_dword v3, v{from}, s[6:7]\ns_waitcnt vmcnt(0)\n",
                256 * k
            );
        }
        all += "s_endpgm\n";
        let a = assemble(&all, target).unwrap_or_else(|d| panic!("{target} {text}: {d:?}"));
        let code = &a.sections.iter().find(|s| s.name == ".text").expect("code").data;
        let words: Vec<u32> = code.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four"))).collect();
        let mut b = Bare::new(target, &words, 1024);
        b.config.engine = if round % 2 == 0 { EngineKind::Interp } else { EngineKind::Jit };
        b.config.threads = 1;
        let (data, out) = (b.buffer(&input), b.buffer(&[0; 11 * 64]));
        b.run(1, 64, &[data.base(), out.base()]).unwrap_or_else(|f| panic!("{target} {text}: {f}"));
        let got = Bare::words(&out);
        let before = w.exec;
        effect(&mut w);
        for k in 0..6 {
            for lane in 0..64 {
                let (have, want) = (got[64 * k + lane], w.v[k][lane]);
                assert_eq!(have, want, "{target} {text}: v{} of lane {lane}, EXEC {before:#x}", 8 + k);
            }
        }
        assert_eq!(got[6 * 64], w.s20, "{target} {text}: s20, EXEC {before:#x}");
        assert_eq!(&got[7 * 64..], &w.lds[..], "{target} {text}: LDS");
    }
}

fn active(w: &Wave) -> Vec<usize> {
    (0..64).filter(|l| w.exec >> l & 1 == 1).collect()
}

/// The names of what is compared here.
pub fn names(target: Target) -> Vec<&'static str> {
    let mut names = vec![
        "v_readfirstlane_b32",
        "v_readlane_b32",
        "v_writelane_b32",
        "v_swap_b32",
        "v_nop",
        "v_accvgpr_read_b32",
        "v_accvgpr_write_b32",
        "ds_permute_b32",
        "ds_bpermute_b32",
        "ds_swizzle_b32",
        "ds_append",
        "ds_consume",
        "ds_read_addtid_b32",
        "ds_write_addtid_b32",
        "ds_nop",
    ];
    if target != Target::Gfx908 {
        names.push("v_accvgpr_mov_b32");
    }
    if target == Target::Gfx950 {
        names.extend([
            "v_permlane16_swap_b32",
            "v_permlane32_swap_b32",
            "ds_read_b64_tr_b4",
            "ds_read_b64_tr_b8",
            "ds_read_b64_tr_b16",
            "ds_read_b96_tr_b6",
        ]);
    }
    names
}

pub fn between_lanes(r: &mut Random, target: Target) {
    let mut each = |text: &str, indices: bool, effect: Effect| check(r, target, text, indices, &effect);
    each("v_nop", false, Box::new(|_| {}));
    each("ds_nop", false, Box::new(|_| {}));
    // The first active lane, or lane 0 where there is none.
    each("v_readfirstlane_b32 s20, v9", false, Box::new(|w| w.s20 = w.v[1][w.exec.trailing_zeros() as usize % 64]));
    each("v_readlane_b32 s20, v9, s20", false, Box::new(|w| w.s20 = w.v[1][w.s20 as usize & 63]));
    each("v_writelane_b32 v10, s20, 17", false, Box::new(|w| w.v[2][17] = w.s20));
    each("v_writelane_b32 v10, 17, m0", false, Box::new(|w| w.v[2][w.m0 as usize & 63] = 17));
    each(
        "v_swap_b32 v8, v9",
        false,
        Box::new(|w| active(w).into_iter().for_each(|l| (w.v[0][l], w.v[1][l]) = (w.v[1][l], w.v[0][l]))),
    );
    each(
        "v_accvgpr_write_b32 a3, v9\ns_nop 4\nv_accvgpr_read_b32 v10, a3",
        false,
        Box::new(|w| active(w).into_iter().for_each(|l| w.v[2][l] = w.v[1][l])),
    );
    if target != Target::Gfx908 {
        each(
            "v_accvgpr_write_b32 a3, v9\ns_nop 4\nv_accvgpr_mov_b32 a7, a3\ns_nop 4\nv_accvgpr_read_b32 v10, a7",
            false,
            Box::new(|w| active(w).into_iter().for_each(|l| w.v[2][l] = w.v[1][l])),
        );
    }
    // Addresses in bytes, wrapping at 64 lanes; where two lanes push to one, the last wins; nobody pushes 0.
    each(
        "ds_permute_b32 v10, v8, v9",
        true,
        Box::new(|w| {
            let mut to = [0; 64];
            active(w).into_iter().for_each(|l| to[(w.v[0][l] / 4) as usize & 63] = w.v[1][l]);
            active(w).into_iter().for_each(|l| w.v[2][l] = to[l]);
        }),
    );
    each(
        "ds_bpermute_b32 v10, v8, v9 offset:20",
        true,
        Box::new(|w| {
            let from = |w: &Wave, l: usize| (w.v[0][l].wrapping_add(20) / 4) as usize & 63;
            for l in active(w) {
                let f = from(w, l);
                w.v[2][l] = if w.exec >> f & 1 == 1 { w.v[1][f] } else { 0 };
            }
        }),
    );
    for offset in [0x8000u32 | 0b1101_1000, 0x041f, 0x7c1f & 0x3ff | 5 << 10, 0x1f | 3 << 5] {
        let effect: Effect = Box::new(move |w: &mut Wave| {
            for l in active(w) {
                let f = if offset & 0x8000 != 0 {
                    l & !3 | (offset >> (2 * (l & 3)) & 3) as usize
                } else {
                    let (and, or, xor) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
                    l & 32 | (((l as u32 & 31) & and | or) ^ xor) as usize
                };
                w.v[2][l] = if w.exec >> f & 1 == 1 { w.v[1][f] } else { 0 };
            }
        });
        each(&format!("ds_swizzle_b32 v10, v9 offset:{offset}"), false, effect);
    }
    // The counter's address is M0's upper half and the offset; every active lane gets its value of before.
    for (name, up) in [("ds_append", true), ("ds_consume", false)] {
        let effect: Effect = Box::new(move |w: &mut Wave| {
            let old = w.lds[4];
            let n = w.exec.count_ones();
            w.lds[4] = if up { old.wrapping_add(n) } else { old.wrapping_sub(n) };
            active(w).into_iter().for_each(|l| w.v[2][l] = old);
        });
        each(&format!("s_mov_b32 m0, 0\n{name} v10 offset:16"), false, effect);
    }
    each(
        "s_mov_b32 m0, 256\nds_read_addtid_b32 v10 offset:128",
        false,
        Box::new(|w| active(w).into_iter().for_each(|l| w.v[2][l] = w.lds[96 + l])),
    );
    each(
        "s_mov_b32 m0, 256\nds_write_addtid_b32 v9 offset:128",
        false,
        Box::new(|w| active(w).into_iter().for_each(|l| w.lds[96 + l] = w.v[1][l])),
    );
    if target != Target::Gfx950 {
        return;
    }
    // Odd rows of one with even rows of the other; halves likewise. Lanes that are not active keep theirs.
    for (name, step) in [("v_permlane16_swap_b32", 16), ("v_permlane32_swap_b32", 32)] {
        let effect: Effect = Box::new(move |w: &mut Wave| {
            let before = w.v;
            for l in 0..64usize {
                if l & step == 0 {
                    if w.exec >> l & 1 == 1 {
                        w.v[1][l] = before[0][l + step];
                    }
                    if w.exec >> (l + step) & 1 == 1 {
                        w.v[0][l + step] = before[1][l];
                    }
                }
            }
        });
        each(
            &format!("v_mov_b32_e32 v8, v8\ns_nop 1\ns_mov_b64 exec, -1\n{name} v8, v9"),
            false,
            Box::new(move |w| {
                w.exec = u64::MAX;
                effect(w);
            }),
        );
    }
    // Sixteen lanes read a block of rows; a lane gets a column. Elements of row i of the block come from lane i's address.
    for (name, bits, words) in [
        ("ds_read_b64_tr_b16", 16usize, 2usize),
        ("ds_read_b64_tr_b8", 8, 2),
        ("ds_read_b64_tr_b4", 4, 2),
        ("ds_read_b96_tr_b6", 6, 3),
    ] {
        let effect: Effect = Box::new(move |w: &mut Wave| {
            w.exec = u64::MAX;
            let each = words * 32 / bits;
            // The words of each lane.
            let mut out = vec![[0u32; 3]; 64];
            for (l, out) in out.iter_mut().enumerate() {
                let (group, place) = (l / 16 * 16, l % 16);
                for k in 0..each {
                    let (row, column) = transposed(bits, place, k);
                    let from = group + row;
                    // Where lane `from` points: sixteen bytes apart.
                    let at = 16 * from * 8 + column * bits;
                    let mut v = 0u32;
                    for b in 0..bits {
                        let bit = at + b;
                        v |= (w.lds[bit / 32] >> (bit % 32) & 1) << b;
                    }
                    for b in 0..bits {
                        let bit = k * bits + b;
                        out[bit / 32] |= (v >> b & 1) << (bit % 32);
                    }
                }
            }
            for (k, v) in w.v[2..2 + words].iter_mut().enumerate() {
                v.iter_mut().zip(&out).for_each(|(v, o)| *v = o[k]);
            }
        });
        let range = format!("v[10:{}]", 9 + words);
        each(&format!("s_mov_b64 exec, -1\nv_lshlrev_b32_e32 v3, 4, v0\n{name} {range}, v3"), false, effect);
    }
}

/// Which lane of sixteen, and which of its elements, a lane's element `k` comes from.
fn transposed(bits: usize, lane: usize, k: usize) -> (usize, usize) {
    // A lane reads as many elements as a register pair (or three) holds; those of all sixteen lanes, in order, are a
    // matrix whose columns go to the lanes.
    let each = if bits == 6 { 16 } else { 64 / bits };
    let index = k * 16 + lane;
    (index / each, index % each)
}

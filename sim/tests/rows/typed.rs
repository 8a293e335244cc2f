//! Buffer accesses through a format: the guides' tables of data and number formats, written down once more, as what a
//! channel's bits mean in exact arithmetic.

use crate::bare::Bare;
use crate::case::Random;
use crate::exact::{F16, F32, Ieee, Num, Round};
use std::cmp::Ordering;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_sim::EngineKind;

/// Bits of the channels of each data format, the first in the lowest; names in the guides go from the highest.
const DATA: [&[u32]; 16] = [
    &[],
    &[8],
    &[16],
    &[8, 8],
    &[32],
    &[16, 16],
    // 10_11_11 and 11_11_10
    &[11, 11, 10],
    &[10, 11, 11],
    // 10_10_10_2 and 2_10_10_10
    &[2, 10, 10, 10],
    &[10, 10, 10, 2],
    &[8, 8, 8, 8],
    &[32, 32],
    &[16, 16, 16, 16],
    &[32, 32, 32],
    &[32, 32, 32, 32],
    &[],
];

/// Whether the guides combine them.
fn defined(data: usize, number: usize) -> bool {
    let Some(first) = DATA[data].first() else { return false };
    match number {
        4 | 5 => true,
        7 => matches!(first, 32 | 16) || data == 6 || data == 7,
        0..=3 => *first != 32,
        _ => false,
    }
}

/// A float of ten or eleven bits: no sign, five bits of exponent.
fn unsigned(width: u32) -> Ieee {
    Ieee { exponent: 5, fraction: width - 5 }
}

/// A channel's bits as a component of a register.
fn loaded(bits: u64, width: u32, number: usize, half: bool) -> u64 {
    let signed = i128::from(((bits << (64 - width)) as i64) >> (64 - width));
    let to = if half { F16 } else { F32 };
    let most = (1i128 << width) - 1;
    let quotient = |a: i128, b: i128| {
        // The nearest number of the format to a/b: forty more places than it has, and a mark of what is cut off.
        let (q, r) = ((a.abs() << 64) / b, (a.abs() << 64) % b);
        let v = Num::int(q << 1 | i128::from(r != 0)).scaled(-65).signed(a < 0 && a != 0);
        to.round(&v, Round::Nearest)
    };
    match number {
        0 => quotient(bits.into(), most),
        1 => quotient(signed.max(-(most >> 1)), most >> 1),
        2 => to.round(&Num::int(bits.into()), Round::Nearest),
        3 => to.round(&Num::int(signed), Round::Nearest),
        4 => {
            if half {
                bits & 0xffff
            } else {
                bits
            }
        }
        5 => {
            if half {
                signed as u64 & 0xffff
            } else {
                signed as u64 & 0xffff_ffff
            }
        }
        _ => {
            let from = match width {
                32 => F32,
                16 => F16,
                w => unsigned(w),
            };
            if from == to {
                return bits;
            }
            to.round(&from.number(bits), Round::Nearest)
        }
    }
}

/// A component as the bits that a store puts in a channel.
fn stored(component: u64, width: u32, number: usize, half: bool) -> u64 {
    let from = if half { F16 } else { F32 };
    let bits = component & (2 * from.sign() - 1);
    let n = from.number(bits);
    let ones = (1u64 << width) - 1;
    let most = i128::from(ones >> 1);
    let within = |n: &Num, low: i128, high: i128| match n {
        Num::Nan => 0,
        n => n.whole(Round::Nearest).integer(low, high) as u64 & ones,
    };
    let clamped = |low: i128| match &n {
        Num::Nan => Num::int(0),
        n if n.compare(&Num::int(low)) == Some(Ordering::Less) => Num::int(low),
        n if n.compare(&Num::int(1)) == Some(Ordering::Greater) => Num::int(1),
        n => n.clone(),
    };
    let integer = ((bits << (64 - from.bits())) as i64) >> (64 - from.bits());
    match number {
        0 => within(&clamped(0).mul(&Num::int(ones.into())), 0, ones.into()),
        1 => within(&clamped(-1).mul(&Num::int(most)), -most, most),
        2 => within(&n, 0, ones.into()),
        3 => within(&n, -most - 1, most),
        4 => bits.min(ones),
        5 => i128::from(integer).clamp(-most - 1, most) as u64 & ones,
        _ => {
            let to = match width {
                32 => F32,
                16 => F16,
                w => unsigned(w),
            };
            if to == from {
                return bits;
            }
            if matches!(width, 10 | 11) && n.negative() && !n.is_nan() {
                return 0;
            }
            to.round(&n, Round::Nearest)
        }
    }
}

fn nan(bits: u64, f: Ieee) -> bool {
    f.is_nan(bits & (2 * f.sign() - 1))
}

/// Every format through every instruction of MTBUF and MUBUF; the names of those that were run.
pub fn every_format(r: &mut Random, target: Target, wrong: &mut Vec<String>) -> Vec<String> {
    let mut names = Vec::new();
    let combinations = (0..16).flat_map(|d| (0..8).map(move |n| (d, n))).filter(|(d, n)| defined(*d, *n));
    for (k, (data, number)) in combinations.enumerate() {
        let widths = DATA[data];
        let bytewise = widths.iter().all(|w| w % 8 == 0);
        for half in [false, true] {
            if half && matches!(number, 4 | 5) && widths[0] == 32 {
                continue;
            }
            for count in 1..=4usize {
                for typed in [true, false] {
                    for store in [false, true] {
                        if store && count < widths.len() && !bytewise {
                            continue;
                        }
                        let name = format!(
                            "{}buffer_{}_format{}_{}",
                            if typed { "t" } else { "" },
                            if store { "store" } else { "load" },
                            if half { "_d16" } else { "" },
                            &"xyzw"[..count]
                        );
                        let engine = if k % 2 == 0 { EngineKind::Interp } else { EngineKind::Jit };
                        if let Some(w) = run(r, target, engine, &name, [data, number, count], half, typed, store) {
                            wrong.push(w);
                        }
                        names.push(name);
                    }
                }
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

#[allow(clippy::too_many_arguments)]
fn run(
    r: &mut Random,
    target: Target,
    engine: EngineKind,
    name: &str,
    [data, number, count]: [usize; 3],
    half: bool,
    typed: bool,
    store: bool,
) -> Option<String> {
    let widths = DATA[data];
    // On CDNA1 and later two halves share a register.
    let registers = if half { count.div_ceil(2) } else { count };
    let value = |r: &mut Random| match r.below(4) {
        0 => r.next(),
        1 => r.words(crate::alu::Ty::F32, 1)[0],
        2 => r.words(crate::alu::Ty::PairF16, 1)[0],
        _ => (f32::from(r.next() as u16) / 20000.0 - 1.2).to_bits(),
    };
    let elements: Vec<u32> = (0..64 * 4).map(|_| value(r)).collect();
    let components: Vec<u32> = (0..64 * registers).map(|_| value(r)).collect();
    let range = if registers == 1 { "v8".to_owned() } else { format!("v[8:{}]", 7 + registers) };
    // Channels in order, by the resource; MTBUF has its own.
    let (resource_data, resource_number) = if typed { (4, 4) } else { (data, number) };
    let word3 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | resource_number << 12 | resource_data << 15;
    let format = if typed { format!(" format:{}", data | number << 4) } else { String::new() };
    let mut text = format!(
        "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s8, s4\ns_mov_b32 s9, s5\n\
         s_mov_b32 s10, 0x400\ns_mov_b32 s11, {word3:#x}\nv_lshlrev_b32_e32 v1, 4, v0\nv_lshlrev_b32_e32 v2, 2, v0\n"
    );
    for k in 0..registers {
        text += &format!("v_add_u32_e32 v3, {:#x}, v2\nglobal_load_dword v{}, v3, s[6:7]\n", 256 * k, 8 + k);
    }
    text += &format!("s_waitcnt vmcnt(0)\n{name} {range}, v1, s[8:11], 0{format} offen\ns_waitcnt vmcnt(0)\n");
    if !store {
        for k in 0..registers {
            text += &format!("v_add_u32_e32 v3, {:#x}, v2\nglobal_store_dword v3, v{}, s[6:7]\n", 256 * k, 8 + k);
        }
    }
    text += "s_endpgm\n";
    let a = assemble(&text, target).unwrap_or_else(|d| panic!("{target} {name}: {d:?}"));
    let code = &a.sections.iter().find(|s| s.name == ".text").expect("code").data;
    let words: Vec<u32> = code.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four"))).collect();
    let mut b = Bare::new(target, &words, 0);
    b.config.engine = engine;
    b.config.threads = 1;
    let (memory, registers_) = (b.buffer(&elements), b.buffer(&components));
    let context = format!("{target} {name}, data format {data}, number format {number}");
    if let Err(f) = b.run(1, 64, &[memory.base(), registers_.base()]) {
        return Some(format!("{context}: {f}"));
    }
    let (after, loaded_) = (Bare::words(&memory), Bare::words(&registers_));
    let part = if half { F16 } else { F32 };
    for lane in 0..64 {
        let component = |from: &[u32], c: usize| {
            if half {
                u64::from(from[64 * (c / 2) + lane] >> (16 * (c % 2)) & 0xffff)
            } else {
                u64::from(from[64 * c + lane])
            }
        };
        let channel = |from: &[u32], c: usize| {
            let at = widths[..c].iter().sum::<u32>();
            let all = (0..4).fold(0u128, |v, i| v | u128::from(from[4 * lane + i]) << (32 * i));
            (all >> at) as u64 & ((1u64 << widths[c]) - 1)
        };
        if store {
            let mut want = elements[4 * lane..4 * lane + 4].iter().rev().fold(0u128, |v, w| v << 32 | u128::from(*w));
            let mut alike = false;
            for c in 0..count.min(widths.len()) {
                let at = widths[..c].iter().sum::<u32>();
                let mut v = stored(component(&components, c), widths[c], number, half);
                let there = channel(&after, c);
                let f = match widths[c] {
                    32 => F32,
                    16 => F16,
                    w => unsigned(w),
                };
                // Any NaN is as good as another.
                if number == 7 && matches!(widths[c], 16 | 32) && nan(v, f) && nan(there, f) {
                    v = there;
                    alike = true;
                }
                want = want & !((u128::from((1u64 << widths[c]) - 1)) << at) | u128::from(v) << at;
            }
            let have = after[4 * lane..4 * lane + 4].iter().rev().fold(0u128, |v, w| v << 32 | u128::from(*w));
            if have != want {
                let given: Vec<u64> = (0..count).map(|c| component(&components, c)).collect();
                return Some(format!(
                    "{context}: lane {lane} stores {given:08x?}: {have:#x} where {want:#x} is right {alike}"
                ));
            }
            continue;
        }
        for c in 0..count {
            let one = match (matches!(number, 4 | 5), half) {
                (true, _) => 1,
                (_, true) => 0x3c00,
                _ => 0x3f80_0000,
            };
            let want = match widths.get(c) {
                Some(w) => loaded(channel(&elements, c), *w, number, half),
                None if c == 3 => one,
                None => 0,
            };
            let have = component(&loaded_, c);
            let alike = number == 7 && nan(have, part) && nan(want, part);
            if have != want && !alike {
                let bits = if c < widths.len() { channel(&elements, c) } else { 0 };
                return Some(format!(
                    "{context}: lane {lane}, component {c} of {bits:#x}: {have:#x} where {want:#x} is right"
                ));
            }
        }
    }
    None
}

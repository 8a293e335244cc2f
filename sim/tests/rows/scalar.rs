//! The scalar ALU beside a plain reading of the ISA guides: results, SCC, EXEC, of every row that has one.

use crate::bare::Bare;
use crate::case::Random;
use wavesmith_asm::build::{Build, Code};
use wavesmith_asm::operand::Lit;
use wavesmith_asm::reg::{EXEC, VCC, s, v};
use wavesmith_asm::rows::RowId;
use wavesmith_asm::{Field, Form, Target, decode};
use wavesmith_sim::EngineKind;

/// What an instruction reads and leaves.
struct Given {
    a: u64,
    b: u64,
    /// The destination before.
    d: u64,
    scc: bool,
    exec: u64,
    imm: u16,
}

/// Result, SCC, EXEC.
type After = (Option<u64>, bool, u64);

fn signed(v: u64, width: u32) -> i128 {
    i128::from(((v << (64 - width)) as i64) >> (64 - width))
}

/// What the guides say; nothing for instructions that are something else than arithmetic.
fn model(name: &str, g: &Given) -> Option<After> {
    let words: Vec<&str> = name.split('_').collect();
    let last = *words.last()?;
    let wide = last.ends_with("64") && !matches!(name, "s_flbit_i32_i64")
        || name.contains("_b64") && !name.starts_with("s_bitreplicate");
    let width = if wide { 64 } else { 32 };
    let mask = if wide { u64::MAX } else { u64::from(u32::MAX) };
    let (a, b) = (g.a & mask, g.b & mask);
    let (ia, ib) = (signed(a, width), signed(b, width));
    let imm = i128::from(g.imm as i16);
    // A result with SCC as it was, or telling whether it is not zero, or something else.
    let keep = |v: u64| Some((Some(v & mask), g.scc, g.exec));
    let nonzero = |v: u64| Some((Some(v & mask), v & mask != 0, g.exec));
    let with = |v: u64, scc: bool| Some((Some(v & mask), scc, g.exec));
    let narrow = |v: u64| Some((Some(v & u64::from(u32::MAX)), g.scc, g.exec));
    let flag = |scc: bool| Some((None, scc, g.exec));
    let logic = |op: &str, a: u64, b: u64| {
        Some(match op {
            "and" => a & b,
            "or" => a | b,
            "xor" => a ^ b,
            "andn2" => a & !b,
            "orn2" => a | !b,
            "nand" => !(a & b),
            "nor" => !(a | b),
            "xnor" => !(a ^ b),
            "andn1" => !a & b,
            "orn1" => !a | b,
            _ => return None,
        })
    };
    if let Some(op) = name.strip_prefix("s_").and_then(|n| n.strip_suffix("_saveexec_b64")) {
        let exec = logic(op, g.a, g.exec)?;
        return Some((Some(g.exec), exec != 0, exec));
    }
    if let Some(op) = name.strip_prefix("s_").and_then(|n| n.strip_suffix("_wrexec_b64")) {
        let exec = logic(op, g.a, g.exec)?;
        return Some((Some(exec), exec != 0, exec));
    }
    if words.len() == 3
        && matches!(last, "b32" | "b64")
        && let Some(v) = logic(words[1], a, b)
    {
        return nonzero(v);
    }
    let shift = (g.b & u64::from(width - 1)) as u32;
    let overflows = |v: i128| v != signed(v as u64, 32);
    match name {
        "s_mov_b32" | "s_mov_b64" => keep(a),
        "s_cmov_b32" | "s_cmov_b64" => keep(if g.scc { a } else { g.d }),
        "s_not_b32" | "s_not_b64" => nonzero(!a),
        "s_wqm_b32" | "s_wqm_b64" => {
            nonzero((0..width / 4).filter(|q| a >> (4 * q) & 15 != 0).fold(0, |v, q| v | 15 << (4 * q)))
        }
        "s_quadmask_b32" | "s_quadmask_b64" => {
            nonzero((0..width / 4).filter(|q| a >> (4 * q) & 15 != 0).fold(0, |v, q| v | 1 << q))
        }
        "s_brev_b32" | "s_brev_b64" => keep(a.reverse_bits() >> (64 - width)),
        "s_bcnt0_i32_b32" => {
            let n = u64::from((!a & mask).count_ones());
            Some((Some(n), n != 0, g.exec))
        }
        "s_bcnt0_i32_b64" => {
            let n = u64::from(g.a.count_zeros());
            Some((Some(n), n != 0, g.exec))
        }
        "s_bcnt1_i32_b32" => {
            let n = u64::from((g.a as u32).count_ones());
            Some((Some(n), n != 0, g.exec))
        }
        "s_bcnt1_i32_b64" => {
            let n = u64::from(g.a.count_ones());
            Some((Some(n), n != 0, g.exec))
        }
        "s_ff0_i32_b32" => narrow((0..32).find(|i| a >> i & 1 == 0).unwrap_or(u64::MAX)),
        "s_ff0_i32_b64" => narrow((0..64).find(|i| g.a >> i & 1 == 0).unwrap_or(u64::MAX)),
        "s_ff1_i32_b32" => narrow((0..32).find(|i| a >> i & 1 == 1).unwrap_or(u64::MAX)),
        "s_ff1_i32_b64" => narrow((0..64).find(|i| g.a >> i & 1 == 1).unwrap_or(u64::MAX)),
        "s_flbit_i32_b32" => narrow((0..32).find(|i| a >> (31 - i) & 1 == 1).unwrap_or(u64::MAX)),
        "s_flbit_i32_b64" => narrow((0..64).find(|i| g.a >> (63 - i) & 1 == 1).unwrap_or(u64::MAX)),
        "s_flbit_i32" => narrow((1..32).find(|i| a >> (31 - i) & 1 != a >> 31 & 1).unwrap_or(u64::MAX)),
        "s_flbit_i32_i64" => narrow((1..64).find(|i| g.a >> (63 - i) & 1 != g.a >> 63).unwrap_or(u64::MAX)),
        "s_sext_i32_i8" => keep(signed(a, 8) as u64),
        "s_sext_i32_i16" => keep(signed(a, 16) as u64),
        "s_bitset0_b32" => keep(g.d & !(1 << (g.a & 31))),
        "s_bitset0_b64" => Some((Some(g.d & !(1 << (g.a & 63))), g.scc, g.exec)),
        "s_bitset1_b32" => keep(g.d | 1 << (g.a & 31)),
        "s_bitset1_b64" => Some((Some(g.d | 1 << (g.a & 63)), g.scc, g.exec)),
        "s_abs_i32" => nonzero(ia.unsigned_abs() as u64),
        "s_bitreplicate_b64_b32" => {
            Some((Some((0..32).fold(0, |v, i| v | ((g.a >> i & 1) * 3) << (2 * i))), g.scc, g.exec))
        }
        "s_add_u32" => with(a + b, (a + b) >> 32 != 0),
        "s_sub_u32" => with(a.wrapping_sub(b), b > a),
        "s_add_i32" => with(a.wrapping_add(b), overflows(ia + ib)),
        "s_sub_i32" => with(a.wrapping_sub(b), overflows(ia - ib)),
        "s_addc_u32" => with(a + b + u64::from(g.scc), (a + b + u64::from(g.scc)) >> 32 != 0),
        "s_subb_u32" => with(a.wrapping_sub(b).wrapping_sub(g.scc.into()), b + u64::from(g.scc) > a),
        "s_min_i32" => with(ia.min(ib) as u64, ia < ib),
        "s_min_u32" => with(a.min(b), a < b),
        "s_max_i32" => with(ia.max(ib) as u64, ia >= ib),
        "s_max_u32" => with(a.max(b), a >= b),
        "s_cselect_b32" | "s_cselect_b64" => keep(if g.scc { a } else { b }),
        "s_lshl_b32" | "s_lshl_b64" => nonzero(a << shift),
        "s_lshr_b32" | "s_lshr_b64" => nonzero(a >> shift),
        "s_ashr_i32" | "s_ashr_i64" => nonzero((ia >> shift) as u64),
        "s_bfm_b32" => keep(((1 << (g.a & 31)) - 1) << (g.b & 31)),
        "s_bfm_b64" => keep(((1 << (g.a & 63)) - 1) << (g.b & 63)),
        "s_mul_i32" => keep((ia * ib) as u64),
        "s_mul_hi_u32" => keep((a * b) >> 32),
        "s_mul_hi_i32" => keep(((ia * ib) >> 32) as u64),
        "s_bfe_u32" | "s_bfe_i32" | "s_bfe_u64" | "s_bfe_i64" => {
            let (at, n) = ((g.b & u64::from(width - 1)) as u32, (g.b >> 16 & 0x7f) as u32);
            let v = if last.starts_with('i') { (ia >> at) as u64 } else { a >> at };
            let v = if n == 0 {
                0
            } else if n >= width {
                v
            } else if last.starts_with('i') {
                signed(v, n) as u64
            } else {
                v & ((1 << n) - 1)
            };
            nonzero(v)
        }
        "s_absdiff_i32" => nonzero((ia - ib) as u64 & mask).map(|_| {
            let d = (a as u32 as i32).wrapping_sub(b as u32 as i32).wrapping_abs() as u32;
            (Some(d.into()), d != 0, g.exec)
        }),
        "s_lshl1_add_u32" => with((a << 1) + b, (a << 1) + b > mask),
        "s_lshl2_add_u32" => with((a << 2) + b, (a << 2) + b > mask),
        "s_lshl3_add_u32" => with((a << 3) + b, (a << 3) + b > mask),
        "s_lshl4_add_u32" => with((a << 4) + b, (a << 4) + b > mask),
        "s_pack_ll_b32_b16" => keep(a & 0xffff | b << 16),
        "s_pack_lh_b32_b16" => keep(a & 0xffff | b & 0xffff_0000),
        "s_pack_hh_b32_b16" => keep(a >> 16 | b & 0xffff_0000),
        "s_movk_i32" => keep(imm as u64),
        "s_cmovk_i32" => keep(if g.scc { imm as u64 } else { g.d }),
        "s_addk_i32" => with((signed(g.d, 32) + imm) as u64, overflows(signed(g.d, 32) + imm)),
        "s_mulk_i32" => keep((signed(g.d, 32) * imm) as u64),
        "s_bitcmp0_b32" => flag(g.a >> (g.b & 31) & 1 == 0),
        "s_bitcmp1_b32" => flag(g.a >> (g.b & 31) & 1 == 1),
        "s_bitcmp0_b64" => flag(g.a >> (g.b & 63) & 1 == 0),
        "s_bitcmp1_b64" => flag(g.a >> (g.b & 63) & 1 == 1),
        n if n.starts_with("s_cmp_") || n.starts_with("s_cmpk_") => {
            let is_signed = last.starts_with('i');
            let (x, y) = if n.starts_with("s_cmpk_") {
                let d = g.d & mask;
                if is_signed { (signed(d, 32), imm) } else { (d.into(), g.imm.into()) }
            } else if is_signed {
                (ia, ib)
            } else {
                (a.into(), b.into())
            };
            flag(match words[2] {
                "eq" => x == y,
                "lg" => x != y,
                "gt" => x > y,
                "ge" => x >= y,
                "lt" => x < y,
                "le" => x <= y,
                _ => return None,
            })
        }
        _ => None,
    }
}

/// Runs a row on random operands: nothing where the model does not know it, else what differs.
pub fn differs(r: &mut Random, id: RowId, target: Target, engine: EngineKind) -> Option<Option<String>> {
    let row = id.row();
    let layout = row.format.layout(Form::Base);
    let mut words = layout.base;
    layout.opcode.set(&mut words, row.opcode.into());
    let value = |r: &mut Random| match r.below(5) {
        0 => u64::from(r.below(70)),
        1 => r.pick(&[0, u64::MAX, 1 << 31, 1 << 63, 0x7fff_ffff, i64::MAX as u64, 0xffff_ffff, 0x8000_0000_8000_0000]),
        2 => u64::from(r.below(64)) | u64::from(r.below(70)) << 16,
        _ => r.wide(),
    };
    let mut g = Given { a: value(r), b: value(r), d: value(r), scc: r.one_in(2), exec: value(r), imm: r.next() as u16 };
    if r.one_in(6) {
        g.b = g.a;
    }
    let mut literal = None;
    for o in row.operands {
        let place = layout.field(o.slot);
        match o.slot {
            Field::Dst => place.set(&mut words, 16),
            Field::Src0 | Field::Src1 => {
                let first = o.slot == Field::Src0;
                let wide = o.ty.dwords() == 2;
                let (code, v) = match r.below(6) {
                    // An integer, sign-extended to the operand.
                    0 => {
                        let k = r.below(81);
                        (128 + k, if k <= 64 { u64::from(k) } else { (64 - i64::from(k)) as u64 })
                    }
                    1 if literal.is_none() => {
                        let v = r.next();
                        literal = Some(v);
                        // Integers are extended by their sign, bits by zeros.
                        let signed = wide && row.name.ends_with("i64");
                        (255, if signed { v as i32 as u64 } else { v.into() })
                    }
                    _ => (if first { 8 } else { 12 }, if first { g.a } else { g.b }),
                };
                place.set(&mut words, code);
                *(if first { &mut g.a } else { &mut g.b }) = v;
            }
            Field::Simm16 => place.set(&mut words, g.imm.into()),
            _ => return None,
        }
    }
    if let Some(l) = literal {
        words[usize::from(layout.dwords)] = l;
    }
    let inst = decode(&words, target).ok().filter(|i| i.row_id() == id)?;
    let (result, scc, exec) = model(row.name, &g)?;
    let mut c = Code::new(target);
    c.s_load_dwordx2(s(4), s(0), 0);
    c.s_waitcnt(0);
    let set = |c: &mut Code, at: u16, v: u64| {
        c.s_mov_b32(s(at), Lit(v as u32));
        c.s_mov_b32(s(at + 1), Lit((v >> 32) as u32));
    };
    set(&mut c, 8, g.a);
    set(&mut c, 12, g.b);
    set(&mut c, 16, g.d);
    set(&mut c, 20, g.exec);
    c.s_mov_b64(EXEC, s::<2>(20));
    c.s_cmp_eq_u32(i32::from(g.scc), 1);
    let mut code = c.finish().expect("encodes");
    code.extend_from_slice(inst.words());
    let mut c = Code::new(target);
    c.s_cselect_b32(s(24), 1, 0);
    c.s_mov_b64(VCC, EXEC);
    c.s_mov_b64(EXEC, 1);
    c.v_mov_b32(v(1), 0);
    for (i, at) in [16u16, 17, 24].into_iter().enumerate() {
        c.v_mov_b32(v(2), s::<1>(at));
        c.global_store_dword(v::<1>(1), v::<1>(2), s::<2>(4)).offset(4 * i as i32);
    }
    for i in 0..2 {
        let half = if i == 0 { wavesmith_asm::reg::VCC_LO } else { wavesmith_asm::reg::VCC_HI };
        c.v_mov_b32(v(2), half);
        c.global_store_dword(v::<1>(1), v::<1>(2), s::<2>(4)).offset(12 + 4 * i);
    }
    c.s_endpgm(0);
    code.extend(c.finish().expect("encodes"));
    let mut b = Bare::new(target, &code, 0);
    b.config.engine = engine;
    b.config.threads = 1;
    let out = b.buffer(&[0; 8]);
    if let Err(f) = b.run(1, 64, &[out.base()]) {
        return Some(Some(f.message));
    }
    let w = Bare::words(&out);
    let pair = |i: usize| u64::from(w[i]) | u64::from(w[i + 1]) << 32;
    let wide = row.operand(Field::Dst).is_some_and(|o| o.ty.dwords() == 2);
    let have = if wide { pair(0) } else { pair(0) & 0xffff_ffff };
    let right = result.is_none_or(|v| v == have) && (w[2] == 1) == scc && pair(3) == exec;
    let text = wavesmith_asm::print::text(&inst);
    Some((!right).then(|| {
        format!(
            "{target} {text}: a {:#x}, b {:#x}, d {:#x}, SCC {}, EXEC {:#x}: {have:#x}, SCC {}, EXEC {:#x} where {result:x?}, {scc}, {exec:#x} is right",
            g.a, g.b, g.d, g.scc, g.exec, w[2], pair(3)
        )
    }))
}

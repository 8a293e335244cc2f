//! Registers as LLVM writes them.

use super::number::push_u32;
use super::text::{Short, Text};
use crate::reg::{Reg, RegClass, code};

const fn singles(prefix: &str) -> [Short<7>; 256] {
    let mut t = [Short::EMPTY; 256];
    let mut i = 0;
    while i < 256 {
        t[i] = Short::EMPTY.and(prefix).number(i as u32);
        i += 1;
    }
    t
}

/// Single registers, which are most of a listing.
static VECTOR: [Short<7>; 256] = singles("v");
static ACCUMULATOR: [Short<7>; 256] = singles("a");
static SCALAR: [Short<7>; 256] = singles("s");

#[inline]
fn push_run(out: &mut Text, singles: &[Short<7>; 256], prefix: &str, index: u16, count: u8) {
    match singles.get(index as usize) {
        Some(s) if count <= 1 => out.push_short(s),
        _ => push_range(out, prefix, index, count),
    }
}

#[inline]
fn push_range(out: &mut Text, prefix: &str, index: u16, count: u8) {
    out.push_str(prefix);
    if count <= 1 {
        push_u32(out, u32::from(index));
    } else {
        out.push('[');
        push_u32(out, u32::from(index));
        out.push(':');
        push_u32(out, u32::from(index) + u32::from(count) - 1);
        out.push(']');
    }
}

/// Appends a register.
#[inline]
pub(crate) fn push_reg(out: &mut Text, r: Reg) {
    match r.class {
        RegClass::V => push_run(out, &VECTOR, "v", r.index, r.count),
        RegClass::A => push_run(out, &ACCUMULATOR, "a", r.index, r.count),
        RegClass::S if r.index < code::FLAT_SCRATCH => push_run(out, &SCALAR, "s", r.index, r.count),
        RegClass::S => push_named(out, r),
        RegClass::Src => out.push_str(match r.index {
            code::SHARED_BASE => "src_shared_base",
            code::SHARED_LIMIT => "src_shared_limit",
            code::PRIVATE_BASE => "src_private_base",
            code::PRIVATE_LIMIT => "src_private_limit",
            code::POPS_EXITING_WAVE_ID => "src_pops_exiting_wave_id",
            code::VCCZ => "src_vccz",
            code::EXECZ => "src_execz",
            code::SCC => "src_scc",
            code::LDS_DIRECT => "src_lds_direct",
            _ => "src_invalid",
        }),
    }
}

/// The part of the scalar file that has names.
fn push_named(out: &mut Text, r: Reg) {
    let named = |out: &mut Text, name: &str, base: u16| {
        out.push_str(name);
        if r.count == 1 {
            out.push_str(if r.index == base { "_lo" } else { "_hi" });
        }
    };
    match r.index {
        102 | 103 if r.index as u32 + r.count as u32 <= 104 => named(out, "flat_scratch", 102),
        104 | 105 if r.index as u32 + r.count as u32 <= 106 => named(out, "xnack_mask", 104),
        106 | 107 if r.index as u32 + r.count as u32 <= 108 => named(out, "vcc", 106),
        108..=123 => push_range(out, "ttmp", r.index - code::TTMP0, r.count),
        124 if r.count == 1 => out.push_str("m0"),
        125 if r.count == 1 => out.push_str("null"),
        126 | 127 if r.index as u32 + r.count as u32 <= 128 => named(out, "exec", 126),
        _ => push_range(out, "s", r.index, r.count),
    }
}

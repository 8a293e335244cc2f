//! Immediates with a syntax of their own: wait counters, hardware registers, messages, swizzles, buffer formats.

use crate::print::{Text, push_hex, push_u32};
use crate::target::Target;

/// The three counters of an `s_waitcnt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitCnt {
    /// Vector memory: at most this many in flight, 63 waits for nothing.
    pub vm: u32,
    /// Exports and GDS, 7 waits for nothing.
    pub exp: u32,
    /// LDS, GDS, scalar memory and messages, 15 waits for nothing.
    pub lgkm: u32,
}

impl WaitCnt {
    /// Waits for nothing.
    pub const NONE: WaitCnt = WaitCnt { vm: 63, exp: 7, lgkm: 15 };

    /// From the immediate.
    pub const fn decode(imm: u32) -> WaitCnt {
        WaitCnt { vm: imm & 15 | (imm >> 14 & 3) << 4, exp: imm >> 4 & 7, lgkm: imm >> 8 & 15 }
    }

    /// To the immediate; values beyond a counter's range are taken as its largest.
    pub const fn encode(self) -> u32 {
        let vm = if self.vm > 63 { 63 } else { self.vm };
        let exp = if self.exp > 7 { 7 } else { self.exp };
        let lgkm = if self.lgkm > 15 { 15 } else { self.lgkm };
        vm & 15 | (vm >> 4) << 14 | exp << 4 | lgkm << 8
    }
}

pub(crate) fn push_waitcnt(out: &mut Text, imm: u32) {
    let w = WaitCnt::decode(imm);
    let all = w == WaitCnt::NONE;
    let mut first = true;
    for (name, value, max) in [("vmcnt(", w.vm, 63), ("expcnt(", w.exp, 7), ("lgkmcnt(", w.lgkm, 15)] {
        if value != max || all {
            if !first {
                out.push(' ');
            }
            first = false;
            out.push_str(name);
            push_u32(out, value);
            out.push(')');
        }
    }
}

/// Hardware registers by id, with the targets whose assembler knows the name.
pub(crate) const HWREGS: [(u32, &str, bool); 17] = [
    (1, "HW_REG_MODE", false),
    (2, "HW_REG_STATUS", false),
    (3, "HW_REG_TRAPSTS", false),
    (4, "HW_REG_HW_ID", false),
    (5, "HW_REG_GPR_ALLOC", false),
    (6, "HW_REG_LDS_ALLOC", false),
    (7, "HW_REG_IB_STS", false),
    (15, "HW_REG_SH_MEM_BASES", false),
    (16, "HW_REG_TBA_LO", false),
    (17, "HW_REG_TBA_HI", false),
    (18, "HW_REG_TMA_LO", false),
    (19, "HW_REG_TMA_HI", false),
    (20, "HW_REG_XCC_ID", true),
    (21, "HW_REG_SQ_PERF_SNAPSHOT_DATA", true),
    (22, "HW_REG_SQ_PERF_SNAPSHOT_DATA1", true),
    (23, "HW_REG_SQ_PERF_SNAPSHOT_PC_LO", true),
    (24, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI", true),
];

/// A hardware register's name on a target.
pub fn hwreg_name(id: u32, target: Target) -> Option<&'static str> {
    let new = matches!(target, Target::Gfx942 | Target::Gfx950);
    HWREGS.iter().find(|h| h.0 == id && (new || !h.2)).map(|h| h.1)
}

/// The immediate of `hwreg(id, offset, width)`.
pub const fn hwreg(id: u32, offset: u32, width: u32) -> i32 {
    (id | offset << 6 | (width - 1) << 11) as u16 as i16 as i32
}

pub(crate) fn push_hwreg(out: &mut Text, imm: u32, target: Target) {
    let (id, offset, width) = (imm & 63, imm >> 6 & 31, (imm >> 11 & 31) + 1);
    out.push_str("hwreg(");
    match hwreg_name(id, target) {
        Some(n) => out.push_str(n),
        None => push_u32(out, id),
    }
    if offset != 0 || width != 32 {
        out.push_str(", ");
        push_u32(out, offset);
        out.push_str(", ");
        push_u32(out, width);
    }
    out.push(')');
}

/// Messages by id.
pub(crate) const MESSAGES: [(u32, &str); 11] = [
    (1, "MSG_INTERRUPT"),
    (2, "MSG_GS"),
    (3, "MSG_GS_DONE"),
    (4, "MSG_SAVEWAVE"),
    (5, "MSG_STALL_WAVE_GEN"),
    (6, "MSG_HALT_WAVES"),
    (7, "MSG_ORDERED_PS_DONE"),
    (8, "MSG_EARLY_PRIM_DEALLOC"),
    (9, "MSG_GS_ALLOC_REQ"),
    (10, "MSG_GET_DOORBELL"),
    (15, "MSG_SYSMSG"),
];
pub(crate) const GS_OPS: [&str; 4] = ["GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"];
pub(crate) const SYS_OPS: [(u32, &str); 4] = [
    (1, "SYSMSG_OP_ECC_ERR_INTERRUPT"),
    (2, "SYSMSG_OP_REG_RD"),
    (3, "SYSMSG_OP_HOST_TRAP_ACK"),
    (4, "SYSMSG_OP_TTRACE_PC"),
];

pub(crate) fn push_msg(out: &mut Text, imm: u32) {
    let (id, op, stream) = (imm & 15, imm >> 4 & 7, imm >> 8 & 3);
    if imm & !0x37f != 0 {
        return push_u32(out, imm & 0xffff);
    }
    let name = MESSAGES.iter().find(|m| m.0 == id).map(|m| m.1);
    let raw = |out: &mut Text| {
        out.push_str("sendmsg(");
        push_u32(out, id);
        out.push_str(", ");
        push_u32(out, op);
        out.push_str(", ");
        push_u32(out, stream);
        out.push(')');
    };
    let Some(name) = name else { return raw(out) };
    match id {
        2 | 3 => {
            if op > 3 || (op == 0 && (id == 2 || stream != 0)) {
                return raw(out);
            }
            out.push_str("sendmsg(");
            out.push_str(name);
            out.push_str(", ");
            out.push_str(GS_OPS[op as usize & 3]);
            if op != 0 {
                out.push_str(", ");
                push_u32(out, stream);
            }
            out.push(')');
        }
        15 => {
            let sys = SYS_OPS.iter().find(|s| s.0 == op && op != 3);
            match sys {
                Some(s) if stream == 0 => {
                    out.push_str("sendmsg(MSG_SYSMSG, ");
                    out.push_str(s.1);
                    out.push(')');
                }
                _ => raw(out),
            }
        }
        _ if op != 0 || stream != 0 => raw(out),
        _ => {
            out.push_str("sendmsg(");
            out.push_str(name);
            out.push(')');
        }
    }
}

/// Parameters of an interpolation by their encoding.
pub(crate) const PARAMETERS: [&str; 3] = ["p10", "p20", "p0"];
/// The last attribute that text can name.
pub(crate) const LAST_ATTRIBUTE: i32 = 32;

pub(crate) fn push_attribute(out: &mut Text, imm: u32) {
    out.push_str("attr");
    push_u32(out, imm >> 2);
    out.push('.');
    out.push(['x', 'y', 'z', 'w'][imm as usize & 3]);
}

/// The name of an export target: colours, depth, nothing, positions, parameters.
pub(crate) fn export_target(imm: u32) -> Option<String> {
    Some(match imm {
        0..=7 => format!("mrt{imm}"),
        8 => "mrtz".to_owned(),
        9 => "null".to_owned(),
        12..=15 => format!("pos{}", imm - 12),
        32..=63 => format!("param{}", imm - 32),
        _ => return None,
    })
}

pub(crate) const GPR_IDX: [&str; 4] = ["SRC0", "SRC1", "SRC2", "DST"];

pub(crate) fn push_gpr_idx(out: &mut Text, imm: u32) {
    if imm > 15 {
        return push_hex(out, imm & 0xffff);
    }
    out.push_str("gpr_idx(");
    let mut first = true;
    for (i, name) in GPR_IDX.iter().enumerate() {
        if imm >> i & 1 != 0 {
            if !first {
                out.push(',');
            }
            first = false;
            out.push_str(name);
        }
    }
    out.push(')');
}

pub(crate) fn push_dpp_ctrl(out: &mut Text, ctrl: u32) {
    match ctrl {
        0..=0xff => {
            out.push_str(" quad_perm:[");
            for i in 0..4 {
                if i != 0 {
                    out.push(',');
                }
                push_u32(out, ctrl >> (2 * i) & 3);
            }
            out.push(']');
        }
        0x101..=0x10f => named(out, " row_shl:", ctrl & 15),
        0x111..=0x11f => named(out, " row_shr:", ctrl & 15),
        0x121..=0x12f => named(out, " row_ror:", ctrl & 15),
        0x130 => out.push_str(" wave_shl:1"),
        0x134 => out.push_str(" wave_rol:1"),
        0x138 => out.push_str(" wave_shr:1"),
        0x13c => out.push_str(" wave_ror:1"),
        0x140 => out.push_str(" row_mirror"),
        0x141 => out.push_str(" row_half_mirror"),
        0x142 => out.push_str(" row_bcast:15"),
        0x143 => out.push_str(" row_bcast:31"),
        0x150..=0x15f => named(out, " row_newbcast:", ctrl & 15),
        _ => out.push_str(" /* Invalid dpp_ctrl value */"),
    }
}

fn named(out: &mut Text, name: &str, x: u32) {
    out.push_str(name);
    push_u32(out, x);
}

pub(crate) fn push_swizzle(out: &mut Text, imm: u32) {
    if imm == 0 {
        return;
    }
    out.push_str(" offset:");
    if imm & 0xff00 == 0x8000 {
        out.push_str("swizzle(QUAD_PERM");
        for i in 0..4 {
            out.push(',');
            push_u32(out, imm >> (2 * i) & 3);
        }
        return out.push(')');
    }
    if imm & 0x8000 != 0 {
        return push_u32(out, imm);
    }
    let (and, or, xor) = (imm & 31, imm >> 5 & 31, imm >> 10 & 31);
    if and == 31 && or == 0 && xor.count_ones() == 1 {
        out.push_str("swizzle(SWAP,");
        push_u32(out, xor);
        return out.push(')');
    }
    if and == 31 && or == 0 && xor > 0 && (xor + 1).is_power_of_two() {
        out.push_str("swizzle(REVERSE,");
        push_u32(out, xor + 1);
        return out.push(')');
    }
    let group = 32 - and;
    if group > 1 && group.is_power_of_two() && or < group && xor == 0 {
        out.push_str("swizzle(BROADCAST,");
        push_u32(out, group);
        out.push(',');
        push_u32(out, or);
        return out.push(')');
    }
    out.push_str("swizzle(BITMASK_PERM,\"");
    for i in (0..5).rev() {
        let (a, o, x) = (and >> i & 1, or >> i & 1, xor >> i & 1);
        // The lane bit as it comes out of 0 and 1: forced, passed or inverted.
        let (zero, one) = (o ^ x, (a | o) ^ x);
        out.push(match (zero, one) {
            (0, 0) => '0',
            (1, 1) => '1',
            (0, _) => 'p',
            _ => 'i',
        });
    }
    out.push_str("\")");
}

pub(crate) const DFMT: [&str; 16] = [
    "BUF_DATA_FORMAT_INVALID",
    "BUF_DATA_FORMAT_8",
    "BUF_DATA_FORMAT_16",
    "BUF_DATA_FORMAT_8_8",
    "BUF_DATA_FORMAT_32",
    "BUF_DATA_FORMAT_16_16",
    "BUF_DATA_FORMAT_10_11_11",
    "BUF_DATA_FORMAT_11_11_10",
    "BUF_DATA_FORMAT_10_10_10_2",
    "BUF_DATA_FORMAT_2_10_10_10",
    "BUF_DATA_FORMAT_8_8_8_8",
    "BUF_DATA_FORMAT_32_32",
    "BUF_DATA_FORMAT_16_16_16_16",
    "BUF_DATA_FORMAT_32_32_32",
    "BUF_DATA_FORMAT_32_32_32_32",
    "BUF_DATA_FORMAT_RESERVED_15",
];
pub(crate) const NFMT: [&str; 8] = [
    "BUF_NUM_FORMAT_UNORM",
    "BUF_NUM_FORMAT_SNORM",
    "BUF_NUM_FORMAT_USCALED",
    "BUF_NUM_FORMAT_SSCALED",
    "BUF_NUM_FORMAT_UINT",
    "BUF_NUM_FORMAT_SINT",
    "BUF_NUM_FORMAT_RESERVED_6",
    "BUF_NUM_FORMAT_FLOAT",
];

pub(crate) fn push_format(out: &mut Text, dfmt: u32, nfmt: u32) {
    match (dfmt, nfmt) {
        (1, 0) => {}
        (1, n) => {
            out.push_str(" format:[");
            out.push_str(NFMT[n as usize & 7]);
            out.push(']');
        }
        (d, 0) => {
            out.push_str(" format:[");
            out.push_str(DFMT[d as usize & 15]);
            out.push(']');
        }
        (d, n) => {
            out.push_str(" format:[");
            out.push_str(DFMT[d as usize & 15]);
            out.push(',');
            out.push_str(NFMT[n as usize & 7]);
            out.push(']');
        }
    }
}

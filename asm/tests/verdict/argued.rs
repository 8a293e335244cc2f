//! The differences that `docs/llvm-differences.md` argues, each told by what it is and by nothing else.

use crate::agree;
use crate::llvm::{self, Verdict};
use wavesmith_asm::{Target, decode};

/// Why the verdicts on a line differ, if that is argued.
pub fn reason(line: &str, target: Target, theirs: &Verdict, ours: &Verdict) -> Option<&'static str> {
    let lower = line.trim().to_ascii_lowercase();
    let mnemonic = lower.split_whitespace().next().unwrap_or_default();
    let words = || lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let has = |word: &str| words().any(|w| w == word);
    let agpr =
        || words().any(|w| w.starts_with('a') && w[1..].trim_start_matches("cc").bytes().all(|b| b.is_ascii_digit()));
    let floating = ["_f64", "_f32", "_pk_add_f16", "_pk_add_bf16"].iter().any(|t| mnemonic.contains(t));
    if mnemonic.contains("_atomic_") && floating && agpr() {
        return Some("a floating-point atomic of AGPRs: LLVM loses a bit, or rejects its own text");
    }
    match (theirs, ours) {
        (Verdict::Rejected, Verdict::Bytes(_)) => {
            let ordered = in_llvm_s_order(line);
            let only_order = ordered != line && llvm::verdicts(target, &[ordered]).iter().any(|v| agree(v, ours));
            only_order.then_some("modifiers in another order than LLVM prints")
        }
        (Verdict::Bytes(bytes), Verdict::Rejected) => {
            if bytes.contains(&None) {
                return NAMES
                    .split_whitespace()
                    .any(has)
                    .then_some("a word that is a name to LLVM, and a modifier to us");
            }
            if !instruction(bytes, target) {
                return Some("LLVM writes half an instruction: a literal's marker without the literal");
            }
            if has("lit") || has("lit64") {
                return Some("lit() beside another literal, of which LLVM loses one");
            }
            if mnemonic.starts_with("v_pk_fmac_f16") && (has("sext") || has("mul") || has("div") || has("clamp")) {
                return Some("modifiers of v_pk_fmac_f16 that it has no bits for, and LLVM drops");
            }
            if mnemonic.starts_with("v_ldexp_f16") && has("sext") {
                return Some("sext() without SDWA, which LLVM drops");
            }
            let packed = ["v_pk_fma_f32", "v_pk_mul_f32", "v_pk_add_f32", "v_pk_mov_b32"];
            packed
                .iter()
                .any(|m| mnemonic.starts_with(m))
                .then_some("a 64-bit number of packed f32, of which LLVM loses half")
        }
        (Verdict::Bytes(_), Verdict::Bytes(_)) => {
            let third = mnemonic.starts_with("v_mfma_scale_") && has("op_sel") | has("op_sel_hi");
            third.then_some("third bits of op_sel of scaled MFMA, which LLVM drops")
        }
        _ => None,
    }
}

/// Whether bytes are one instruction that has a meaning.
fn instruction(bytes: &[Option<u8>], target: Target) -> bool {
    let bytes: Vec<u8> = bytes.iter().map(|b| b.unwrap_or(0)).collect();
    let words: Vec<u32> = bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    // A marker without its literal is read as one of the next instruction's dwords, or not at all.
    decode(&words, target).is_ok_and(|i| i.bytes() == bytes.len() && i.is_canonical())
}

/// Words that the parser keeps for itself.
const NAMES: &str = "off clamp glc slc scc sc0 sc1 nt noglc noslc noscc nosc0 nosc1 nont gds nogds lds tfe offen idxen noclamp \
    row_mirror row_half_mirror";

/// Modifiers in the order in which LLVM 22 wants them.
const ORDER: &str = "dmask done compr vm unorm format dfmt nfmt idxen offen offset offset0 offset1 gds sc0 glc slc scc nt sc1 a16 \
    tfe lwe da d16 lds high op_sel op_sel_hi neg_lo neg_hi bitop3 clamp mul div dst_sel dst_unused src0_sel src1_sel quad_perm \
    row_shl row_shr row_ror row_mirror row_half_mirror row_bcast row_newbcast wave_shl row_mask bank_mask bound_ctrl fi cbsz \
    abid blgp";

/// The line with its modifiers in that order, after everything else.
fn in_llvm_s_order(line: &str) -> String {
    let rank = |w: &str| {
        let name = w.split(':').next().unwrap_or(w).trim_end_matches(',');
        ORDER.split_whitespace().position(|o| o == name || name.strip_prefix("no") == Some(o))
    };
    let line = line.replace(" :", ":").replace(": ", ":");
    let (mut rest, mut modifiers) = (Vec::new(), Vec::new());
    for word in line.split(' ').filter(|w| !w.is_empty()) {
        match rank(word) {
            Some(r) => modifiers.push((r, word.trim_end_matches(','))),
            None => rest.push(word),
        }
    }
    modifiers.sort_by_key(|m| m.0);
    rest.extend(modifiers.iter().map(|m| m.1));
    rest.join(" ")
}

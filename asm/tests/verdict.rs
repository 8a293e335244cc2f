//! Odd lines: what llvm-mc accepts is accepted with the same bytes, what it rejects is rejected.
//!
//! Needs `llvm-mc-22`. `WAVESMITH_ODD=N` tries N lines of every encoding instead of one, from a seed of its own, and
//! `WAVESMITH_LINES=FILE` tries the lines of a file; both show every difference.

#[path = "verdict/llvm.rs"]
mod llvm;
#[path = "verdict/odd.rs"]
mod odd;

use llvm::Verdict;
use wavesmith_asm::Target;
use wavesmith_asm::parse::{FixupKind, NoSymbols, parse_instruction};

/// Our verdict, in the oracle's terms.
fn ours(line: &str, target: Target) -> Verdict {
    let Ok(parsed) = parse_instruction(line, target, &NoSymbols) else { return Verdict::Rejected };
    let mut bytes: Vec<Option<u8>> = parsed.inst.words().iter().flat_map(|w| w.to_le_bytes()).map(Some).collect();
    for f in &parsed.fixups {
        let range = match f.kind {
            FixupKind::Branch => 0..2,
            FixupKind::Literal(n) => n as usize * 4..n as usize * 4 + 4,
        };
        bytes[range].fill(None);
    }
    Verdict::Bytes(bytes)
}

/// Whether two verdicts agree; bytes that either leaves to a symbol do not count.
fn agree(a: &Verdict, b: &Verdict) -> bool {
    match (a, b) {
        (Verdict::Bytes(a), Verdict::Bytes(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x == y || x.is_none() || y.is_none())
        }
        (Verdict::Crashed, _) => true,
        (a, b) => a == b,
    }
}

fn sweep(target: Target, seed: u64) {
    if !llvm::there() {
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<usize>().ok());
    let each = number("WAVESMITH_ODD").unwrap_or(1);
    let lines = match std::env::var("WAVESMITH_LINES") {
        Ok(file) => std::fs::read_to_string(file).expect("readable").lines().map(str::to_owned).collect(),
        Err(_) => odd::lines(target, each, number("WAVESMITH_SEED").map_or(seed, |s| s as u64)),
    };
    let (mut wrong, mut crashed, mut accepted, mut excused) = (Vec::new(), 0, 0, 0);
    for (line, theirs) in lines.iter().zip(llvm::verdicts(target, &lines)) {
        crashed += usize::from(theirs == Verdict::Crashed);
        accepted += usize::from(matches!(theirs, Verdict::Bytes(_)));
        let ours = ours(line, target);
        if agree(&theirs, &ours) {
            continue;
        }
        if deliberate(line, target, &theirs, &ours) {
            excused += 1;
            continue;
        }
        wrong.push(format!("{line}\n    llvm-mc {}\n    ours    {}", show(&theirs), show(&ours)));
    }
    let compared = lines.len() - crashed;
    println!(
        "{target}: {compared} lines compared, {accepted} accepted, {crashed} crash llvm-mc, {excused} differ on purpose, {} differ",
        wrong.len()
    );
    if let Ok(file) = std::env::var("WAVESMITH_SHOW") {
        std::fs::write(format!("{file}.{target}"), wrong.join("\n")).expect("writable");
    }
    assert!(compared > 1000 || std::env::var_os("WAVESMITH_LINES").is_some(), "only {compared} lines were compared");
    // 99.95 %.
    assert!(
        wrong.len() * 2000 <= compared,
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

fn show(v: &Verdict) -> String {
    match v {
        Verdict::Bytes(b) => b.iter().map(|b| b.map_or("..".to_owned(), |b| format!("{b:02x}"))).collect(),
        Verdict::Rejected => "rejects".to_owned(),
        Verdict::Crashed => "crashes".to_owned(),
    }
}

/// Differences that `docs/llvm-differences.md` argues.
fn deliberate(line: &str, target: Target, theirs: &Verdict, ours: &Verdict) -> bool {
    match (theirs, ours) {
        // Modifiers in another order than LLVM prints them.
        (Verdict::Rejected, Verdict::Bytes(_)) => {
            // LLVM rejects its own text of some floating-point atomics in AGPRs.
            if line.contains("_atomic_")
                && line.contains(" a")
                && ["_f64", "_f32", "pk_add"].iter().any(|t| line.contains(t))
            {
                return true;
            }
            let ordered = in_llvm_s_order(line);
            ordered != line && llvm::verdicts(target, &[ordered]).iter().any(|v| agree(v, ours))
        }
        (Verdict::Bytes(_), _) => {
            let has = |names: &[&str]| names.iter().any(|n| line.contains(n));
            // Read-only sources as destinations or addresses; numbers with a point as integers; `off` as a symbol; half an
            // instruction for `lit()`.
            // 65535 where -1 would be inline, and there is no literal.
            let cut = has(&["_sdwa"]) && has(&["65535", "0xffff", "0xfff0"]);
            // LLVM loses a bit of floating-point atomics that return into AGPRs.
            if has(&["_atomic_"]) && has(&[" a"]) && has(&["_f64", "_f32", "pk_add"]) {
                return true;
            }
            // `nt` of cache maintenance, which LLVM drops; words that are modifiers elsewhere, as symbols.
            let symbolic = matches!(theirs, Verdict::Bytes(b) if b.contains(&None));
            let maintenance = has(&["buffer_inv ", "buffer_wbl2 "]) && has(&[" nt"]);
            if has(&["v_mfma_scale"]) && has(&["op_sel"]) || has(&["_sdwa"]) && has(&["0x3f800000"]) {
                return true;
            }
            if line.to_ascii_lowercase().starts_with("s_setreg_imm32") && line.contains('.') {
                return true;
            }
            *ours == Verdict::Rejected
                && (symbolic
                    || maintenance
                    || cut
                    || has(&["scc", "vccz", "execz", "shared_", "private_", "pops_", "off", "lit(", "lit64("])
                    || line.contains('.')
                    || line.contains("1e"))
        }
        _ => false,
    }
}

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

#[test]
fn odd_lines_for_gfx908_get_llvm_s_verdict() {
    sweep(Target::Gfx908, 1908);
}

#[test]
fn odd_lines_for_gfx90a_get_llvm_s_verdict() {
    sweep(Target::Gfx90a, 1910);
}

#[test]
fn odd_lines_for_gfx942_get_llvm_s_verdict() {
    sweep(Target::Gfx942, 1942);
}

#[test]
fn odd_lines_for_gfx950_get_llvm_s_verdict() {
    sweep(Target::Gfx950, 1950);
}

//! Odd lines: what llvm-mc accepts is accepted with the same bytes, what it rejects is rejected.
//!
//! Needs `llvm-mc-22`. `WAVESMITH_ODD=N` tries N lines of every encoding instead of one, from a seed of its own, and
//! `WAVESMITH_LINES=FILE` tries the lines of a file; both show every difference.

#[path = "verdict/argued.rs"]
mod argued;
#[path = "verdict/llvm.rs"]
mod llvm;
#[path = "verdict/odd.rs"]
mod odd;

use llvm::Verdict;
use std::collections::BTreeMap;
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
    let (mut wrong, mut crashed, mut accepted) = (Vec::new(), 0, 0);
    let mut argued: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (line, theirs) in lines.iter().zip(llvm::verdicts(target, &lines)) {
        crashed += usize::from(theirs == Verdict::Crashed);
        accepted += usize::from(matches!(theirs, Verdict::Bytes(_)));
        let ours = ours(line, target);
        if agree(&theirs, &ours) {
            continue;
        }
        let shown = format!("{line}\n    llvm-mc {}\n    ours    {}", show(&theirs), show(&ours));
        match argued::reason(line, target, &theirs, &ours) {
            Some(why) => argued.entry(why).or_default().push(shown),
            None => wrong.push(shown),
        }
    }
    let compared = lines.len() - crashed;
    let excused: usize = argued.values().map(Vec::len).sum();
    println!(
        "{target}: {compared} lines compared, {accepted} accepted, {crashed} crash llvm-mc; {} differ, {:.3} % agree; {excused} more differ as argued, {:.3} % agree to the letter",
        wrong.len(),
        percent(compared - wrong.len(), compared),
        percent(compared - wrong.len() - excused, compared),
    );
    for (why, lines) in &argued {
        println!("    {:5} {why}", lines.len());
    }
    if let Ok(file) = std::env::var("WAVESMITH_SHOW") {
        let argued = argued.iter().flat_map(|(why, l)| l.iter().map(move |l| format!("[{why}] {l}")));
        let all: Vec<String> = wrong.iter().cloned().chain(argued).collect();
        std::fs::write(format!("{file}.{target}"), all.join("\n")).expect("writable");
    }
    assert!(compared > 1000 || std::env::var_os("WAVESMITH_LINES").is_some(), "only {compared} lines were compared");
    // 99.95 %, and 99.5 % without any excuse.
    assert!(
        wrong.len() * 2000 <= compared && (wrong.len() + excused) * 200 <= compared,
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn show(v: &Verdict) -> String {
    match v {
        Verdict::Bytes(b) => b.iter().map(|b| b.map_or("..".to_owned(), |b| format!("{b:02x}"))).collect(),
        Verdict::Rejected => "rejects".to_owned(),
        Verdict::Crashed => "crashes".to_owned(),
    }
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

//! llvm-mc 22 as an oracle for lines.

use std::io::Write;
use std::process::{Command, Stdio};
use wavesmith_asm::Target;

/// What the oracle says of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Bytes; `None` where a symbol's value will go.
    Bytes(Vec<Option<u8>>),
    /// Not an instruction.
    Rejected,
    /// The oracle crashed, or did not end.
    Crashed,
}

/// Whether llvm-mc 22 is there; CI may not do without.
pub fn there() -> bool {
    let there = Command::new("llvm-mc-22").arg("--version").output().is_ok();
    if !there {
        assert!(std::env::var_os("CI").is_none(), "llvm-mc-22 is not installed, and CI may not skip");
        eprintln!("SKIPPED: llvm-mc-22 is not installed");
    }
    there
}

/// The verdicts on lines. Batches on which llvm-mc crashes are split until the line is found.
pub fn verdicts(target: Target, lines: &[String]) -> Vec<Verdict> {
    lines.chunks(300).flat_map(|chunk| batch(target, chunk)).collect()
}

fn batch(target: Target, lines: &[String]) -> Vec<Verdict> {
    // It hangs on some lines, too.
    let mut child = Command::new("timeout")
        .args(["4", "llvm-mc-22", "--triple=amdgcn-amd-amdhsa", "--show-encoding"])
        .arg(format!("-mcpu={target}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("llvm-mc-22 starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A marker before each line tells to which one an encoding belongs, or that there is none; what a bad line eats of
    // the next is empty.
    let text: String = lines.iter().enumerate().map(|(i, l)| format!(".long {}\n{l}\n\n", 0x4d00_0000 + i)).collect();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let out = child.wait_with_output().expect("llvm-mc-22 ends");
    writer.join().expect("the writer ends").ok();
    if out.status.code().is_none_or(|c| c > 1) {
        if lines.len() == 1 {
            return vec![Verdict::Crashed];
        }
        let (a, b) = lines.split_at(lines.len() / 2);
        let mut r = batch(target, a);
        r.extend(batch(target, b));
        return r;
    }
    let mut verdicts = vec![Verdict::Rejected; lines.len()];
    let mut at = None;
    for l in String::from_utf8_lossy(&out.stdout).lines() {
        if let Some(n) = l.trim().strip_prefix(".long").and_then(|n| n.trim().parse::<usize>().ok()) {
            at = n.checked_sub(0x4d00_0000);
            continue;
        }
        let Some(hex) = l.split("encoding: [").nth(1).and_then(|h| h.split(']').next()) else { continue };
        let bytes = hex.split(',').map(|b| u8::from_str_radix(b.trim().trim_start_matches("0x"), 16).ok());
        // Fixups are letters, some of which are hexadecimal digits.
        let bytes = bytes.zip(hex.split(',')).map(|(b, text)| b.filter(|_| text.trim().starts_with("0x"))).collect();
        if let Some(v) = at.and_then(|i| verdicts.get_mut(i)) {
            *v = Verdict::Bytes(bytes);
        }
    }
    // An error may come after an encoding was shown, for one that a symbol makes.
    for l in String::from_utf8_lossy(&out.stderr).lines().filter(|l| l.contains(": error")) {
        let line = l.strip_prefix("<stdin>:").and_then(|l| l.split(':').next()).and_then(|n| n.parse::<usize>().ok());
        if let Some(v) = line.and_then(|n| (n - 1).checked_div(3)).and_then(|i| verdicts.get_mut(i)) {
            *v = Verdict::Rejected;
        }
    }
    verdicts
}

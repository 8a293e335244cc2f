//! Shipping code objects: our text of every instruction is llvm-objdump's.
//!
//! Needs `llvm-objdump-22`, and AITER's objects in `gfx942/` and `gfx950/` under `WAVESMITH_CORPUS`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use wavesmith_asm::Target;
use wavesmith_asm::lines::disassemble;

/// Files below a directory, in order of their paths.
fn below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else { return files };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            files.extend(below(&path));
        } else if path.extension().is_some_and(|e| e == "co") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A line of llvm-objdump that is an instruction: `\ttext // address: DWORDS <where a branch goes>`.
struct Line<'a> {
    text: &'a str,
    address: u64,
    dwords: Vec<u32>,
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Option<Line<'a>> {
        let (text, rest) = line.strip_prefix('\t')?.rsplit_once("// ")?;
        let (address, dwords) = rest.split_once(": ")?;
        let dwords = dwords.split(' ').take_while(|w| !w.starts_with('<') && !w.is_empty());
        Some(Line {
            text: text.trim_end(),
            address: u64::from_str_radix(address, 16).ok()?,
            dwords: dwords.map(|w| u32::from_str_radix(w, 16)).collect::<Result<_, _>>().ok()?,
        })
    }

    /// The text with a branch's number for the label that llvm-objdump names, where that label is what the number means.
    fn without_label(&self, labels: &HashMap<&str, u64>, end: u64) -> String {
        let branch = ["s_branch", "s_cbranch_", "s_call_b64"].iter().any(|b| self.text.starts_with(b));
        let (Some((head, label)), Some(first)) = (self.text.rsplit_once(' '), self.dwords.first()) else {
            return self.text.to_owned();
        };
        let distance = *first as u16;
        let reached = self.address.wrapping_add_signed(4 + 4 * i64::from(distance as i16));
        // A label behind the last instruction has no line of its own.
        if branch && labels.get(label).map_or(reached == end, |at| *at == reached) {
            return format!("{head} {distance}");
        }
        self.text.to_owned()
    }

    fn hex(&self) -> String {
        self.dwords.iter().flat_map(|w| w.to_le_bytes()).map(|b| format!("{b:02x}")).collect()
    }
}

/// The label of a line `address <name>:`.
fn label(line: &str) -> Option<(&str, u64)> {
    let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
    Some((name, u64::from_str_radix(address, 16).ok()?))
}

/// Differences that `docs/llvm-differences.md` argues.
fn argued(theirs: &str, ours: &str) -> bool {
    // Bits 13 and 14 of scaled MFMA, which LLVM prints as 0.
    let selects = |s: &str| s.find(" op_sel").map(|i| (s[..i].to_owned(), s[i..].replace(",1]", ",0]")));
    if theirs.starts_with("v_mfma_scale_") {
        let plain = |s: &str| selects(s).map_or(s.to_owned(), |(head, tail)| head + &tail);
        return plain(theirs).replace(" op_sel:[0,0,0]", "") == plain(ours).replace(" op_sel:[0,0,0]", "");
    }
    // What text cannot say is data, with the instruction beside it.
    ours.starts_with(".long ") && (ours.ends_with(&format!("// {theirs}")) || theirs.starts_with(".long "))
}

fn compare(target: Target) {
    let Some(root) = std::env::var_os("WAVESMITH_CORPUS") else {
        eprintln!("SKIPPED: WAVESMITH_CORPUS names no directory with AITER's code objects");
        return;
    };
    let files = below(&Path::new(&root).join(target.name()));
    assert!(!files.is_empty(), "no code objects for {target} under WAVESMITH_CORPUS");
    // Kernels repeat themselves: an instruction is compared once, and counted as often as it stands.
    let mut seen: HashMap<(String, String), u64> = HashMap::new();
    for file in &files {
        let out = Command::new("llvm-objdump-22")
            .args(["-d", "--show-all-symbols"])
            .arg(file)
            .output()
            .expect("llvm-objdump-22 runs");
        let out = String::from_utf8_lossy(&out.stdout);
        let labels: HashMap<&str, u64> = out.lines().filter_map(label).collect();
        let lines: Vec<Line<'_>> = out.lines().filter_map(Line::read).collect();
        let end = lines.iter().map(|l| l.address + 4 * l.dwords.len() as u64).max().unwrap_or(0);
        for line in lines {
            *seen.entry((line.without_label(&labels, end), line.hex())).or_default() += 1;
        }
    }
    let (mut all, mut on_purpose, mut wrong) = (0, 0, Vec::new());
    for ((theirs, hex), n) in &seen {
        all += n;
        let ours = disassemble(hex, target).unwrap_or_else(|e| e.to_string());
        if ours == *theirs {
            continue;
        }
        if argued(theirs, &ours) {
            on_purpose += n;
        } else {
            wrong.push(format!("{n} × {hex}\n    llvm {theirs}\n    ours {ours}"));
        }
    }
    wrong.sort();
    println!(
        "{target}: {} objects, {all} instructions, {} distinct; {on_purpose} differ as argued, {} distinct ones otherwise",
        files.len(),
        seen.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(30)].join("\n"));
}

#[test]
fn aiter_s_gfx942_objects_read_as_in_llvm_objdump() {
    compare(Target::Gfx942);
}

#[test]
fn aiter_s_gfx950_objects_read_as_in_llvm_objdump() {
    compare(Target::Gfx950);
}

//! Every encoding of every row against llvm-mc, byte for byte.
//!
//! Needs `llvm-mc-22`. Without it the test says so and passes, except where `CI` is set.

use std::io::Write;
use std::process::{Command, Stdio};
use wavesmith_asm::properties::{Rng, encodings, random_instruction};
use wavesmith_asm::{Inst, Target, print};

fn oracle() -> bool {
    let there = Command::new("llvm-mc-22").arg("--version").output().is_ok();
    if !there {
        assert!(std::env::var_os("CI").is_none(), "llvm-mc-22 is not installed, and CI may not skip");
        eprintln!("SKIPPED: llvm-mc-22 is not installed");
    }
    there
}

/// The bytes that llvm-mc gives each line; `None` where it rejects it. It crashes on some input, so batches are split.
fn llvm(target: Target, lines: &[String]) -> Vec<Option<Vec<u8>>> {
    let mut child = Command::new("llvm-mc-22")
        .args(["--triple=amdgcn-amd-amdhsa", "--show-encoding"])
        .arg(format!("-mcpu={target}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("llvm-mc-22 starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = lines.join("\n") + "\n";
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let out = child.wait_with_output().expect("llvm-mc-22 ends");
    writer.join().expect("the writer ends").ok();
    let errors = String::from_utf8_lossy(&out.stderr);
    let bad: Vec<usize> = errors
        .lines()
        .filter(|l| l.contains(": error"))
        .filter_map(|l| l.strip_prefix("<stdin>:")?.split(':').next()?.parse().ok())
        .collect();
    let encodings: Vec<Vec<u8>> = String::from_utf8_lossy(&out.stdout)
        .lines()
        .filter_map(|l| {
            let hex = l.split("encoding: [").nth(1)?.split(']').next()?.to_owned();
            hex.split(',').map(|b| u8::from_str_radix(b.trim().trim_start_matches("0x"), 16).ok()).collect()
        })
        .collect();
    let good = (1..=lines.len()).filter(|n| !bad.contains(n)).count();
    if out.status.code().is_none() || encodings.len() != good {
        if lines.len() == 1 {
            return vec![None];
        }
        let (a, b) = lines.split_at(lines.len() / 2);
        let mut r = llvm(target, a);
        r.extend(llvm(target, b));
        return r;
    }
    let mut encodings = encodings.into_iter();
    (1..=lines.len()).map(|n| if bad.contains(&n) { None } else { encodings.next() }).collect()
}

/// LLVM 22 itself is wrong about these: it drops a bit of atomics that return into AGPRs, or rejects what it prints; it
/// drops the third `op_sel` bits of scaled MFMA.
fn llvm_is_wrong(text: &str) -> bool {
    if text.starts_with("v_mfma_scale") {
        return text.contains(",1] ") || text.ends_with(",1]");
    }
    text.contains("_atomic_")
        && text.contains(" a")
        && (text.contains("_f64") || text.contains("_f32") || text.contains("pk_add"))
}

fn sweep(target: Target, per_encoding: usize, seed: u64) {
    let mut rng = Rng(seed);
    let instructions: Vec<Inst> = encodings(target)
        .flat_map(|(id, form)| {
            (0..per_encoding).filter_map(|_| random_instruction(&mut rng, id, form, target)).collect::<Vec<_>>()
        })
        .collect();
    let texts: Vec<String> = instructions.iter().map(print::text).collect();
    let mut wrong = Vec::new();
    for (chunk, insts) in texts.chunks(400).zip(instructions.chunks(400)) {
        for ((text, inst), bytes) in chunk.iter().zip(insts).zip(llvm(target, chunk)) {
            let ours: Vec<u8> = inst.words().iter().flat_map(|w| w.to_le_bytes()).collect();
            if bytes.as_ref() != Some(&ours) && !llvm_is_wrong(text) {
                wrong.push(format!("{text}: {ours:02x?}, llvm-mc {bytes:02x?}"));
            }
        }
    }
    let compared = texts.len();
    assert!(compared > 3000, "only {compared} instructions were made");
    assert!(
        wrong.is_empty(),
        "{target}: {} of {compared} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}

#[test]
fn gfx908_encodings_equal_llvm() {
    if oracle() {
        sweep(Target::Gfx908, 2, 911);
    }
}

#[test]
fn gfx90a_encodings_equal_llvm() {
    if oracle() {
        sweep(Target::Gfx90a, 2, 0x90a);
    }
}

#[test]
fn gfx942_encodings_equal_llvm() {
    if oracle() {
        sweep(Target::Gfx942, 2, 945);
    }
}

#[test]
fn gfx950_encodings_equal_llvm() {
    if oracle() {
        sweep(Target::Gfx950, 2, 953);
    }
}

//! How fast text, bits and the builder are, beside llvm-mc on the same instructions where it is installed.
//!
//! `cargo bench -p wavesmith-asm`, or `cargo bench -p wavesmith-asm -- "bytes to text"` for one of them. Rates are CPU time of one thread where the system tells it, so that other load on the
//! machine does not count.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::process::{Command, Stdio};
use wavesmith_asm::assemble::assemble;
use wavesmith_asm::disassemble::{Options, disassemble};
use wavesmith_asm::properties::{Rng, encodings, random_instruction};
use wavesmith_asm::reg::{s, v};
use wavesmith_asm::{Build, Code, Inst, Target, decode, print};

const TARGET: Target = Target::Gfx942;
const INSTRUCTIONS: usize = 200_000;

/// CPU seconds of this process and of its finished children.
fn cpu() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(')').next().unwrap_or("").split_whitespace().skip(1).filter_map(|f| f.parse().ok()).collect();
    let at = |i: usize| fields.get(i).copied().unwrap_or(0.0) / 100.0;
    // utime, stime, cutime, cstime are fields 14 to 17; the first two words are gone.
    (at(10) + at(11), at(12) + at(13))
}

/// Whether the command line asks for that measurement; it asks for all where it names none.
fn wanted(name: &str) -> bool {
    let mut named = std::env::args().skip(1).filter(|a| !a.starts_with('-')).peekable();
    named.peek().is_none() || named.any(|a| name.contains(&a))
}

fn rate(name: &str, n: usize, mut f: impl FnMut()) -> Option<f64> {
    if !wanted(name) {
        return None;
    }
    f();
    let (mut rounds, start) = (0, cpu().0);
    let seconds = loop {
        f();
        rounds += 1;
        let t = cpu().0 - start;
        if t > 0.5 {
            break t / f64::from(rounds);
        }
    };
    let r = n as f64 / seconds / 1e6;
    println!("{name:<28} {r:8.2} M instructions/s");
    Some(r)
}

/// Shows what llvm-mc does in the same time.
fn compare(ours: Option<f64>, arguments: &[&str], input: &str) {
    if let Some(ours) = ours
        && let Some(theirs) = llvm(arguments, input.to_owned())
    {
        println!("{:<28} {theirs:8.2}, {:.1} times slower", "  llvm-mc", ours / theirs);
    }
}

/// Instructions as compilers make them: mostly plain ALU and memory, all encodings somewhere.
fn program() -> Vec<Inst> {
    let mut rng = Rng(1);
    let all: Vec<_> = encodings(TARGET).collect();
    let common: Vec<_> = all
        .iter()
        .copied()
        .filter(|(id, _)| {
            [
                "v_add_f32",
                "v_fma_f32",
                "v_pk_fma_f16",
                "s_add_u32",
                "s_mov_b32",
                "v_mov_b32",
                "global_load_dwordx4",
                "ds_read_b128",
                "buffer_load_dwordx4",
                "v_mfma_f32_16x16x16_f16",
                "v_lshl_add_u32",
                "s_and_b64",
            ]
            .contains(&id.row().name)
        })
        .collect();
    let mut out = Vec::with_capacity(INSTRUCTIONS);
    while out.len() < INSTRUCTIONS {
        let from = if rng.below(8) == 0 { &all } else { &common };
        let (id, form) = from[rng.below(from.len() as u64) as usize];
        out.extend(random_instruction(&mut rng, id, form, TARGET));
    }
    out
}

fn llvm(arguments: &[&str], input: String) -> Option<f64> {
    let before = cpu().1;
    let mut child = Command::new("llvm-mc-22")
        .args(["--triple=amdgcn-amd-amdhsa", "-mcpu=gfx942"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, input.as_bytes()));
    child.wait().ok()?;
    writer.join().ok()?.ok();
    Some(INSTRUCTIONS as f64 / (cpu().1 - before) / 1e6)
}

fn main() {
    let program = program();
    let code: Vec<u8> = program.iter().flat_map(|i| i.words()).flat_map(|w| w.to_le_bytes()).collect();
    let words: Vec<u32> = program.iter().flat_map(|i| i.words().to_vec()).collect();
    let text: String = program.iter().fold(String::new(), |mut s, i| {
        print::push(&mut s, i);
        s.push('\n');
        s
    });
    let hex = program.iter().fold(String::new(), |mut s, i| {
        for b in i.words().iter().flat_map(|w| w.to_le_bytes()) {
            let _ = write!(s, "0x{b:02x} ");
        }
        s.push('\n');
        s
    });
    let ours =
        rate("text to bytes", INSTRUCTIONS, || drop(black_box(assemble(&text, TARGET).map(|a| a.sections.len()))));
    compare(ours, &["-filetype=obj", "-o", "/dev/null"], &text);
    let ours = rate("bytes to text", INSTRUCTIONS, || {
        black_box(disassemble(&code, TARGET, &BTreeMap::new(), Options::default()).len());
    });
    compare(ours, &["--disassemble"], &hex);
    rate("bytes to instructions", INSTRUCTIONS, || {
        let mut at = 0;
        while at < words.len() {
            at += black_box(decode(&words[at..], TARGET)).map_or(1, |i| i.dwords());
        }
    });
    rate("builder to bytes", INSTRUCTIONS, || {
        let mut c = Code::new(TARGET);
        c.reserve(INSTRUCTIONS * 2);
        for _ in 0..INSTRUCTIONS / 8 {
            c.v_add_f32(v(1), v(2), v(3));
            c.v_fma_f32(v(1), v(2), s(3), v(4));
            c.s_add_u32(s(1), s(2), 5);
            c.v_mov_b32(v(9), 1.0f32);
            c.global_load_dwordx4(v(8), v::<1>(2), s::<2>(4)).offset(64);
            c.v_mfma_f32_16x16x16_f16(v(0), v(4), v(6), v(0));
            c.ds_read_b128(v(12), v(1));
            c.s_cmp_lt_u32(s(1), s(2));
        }
        black_box(c.words().len());
    });
}

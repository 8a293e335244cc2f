//! Disassembles raw code files and assembles the text again: `cargo run --release --example roundtrip -- gfx942 FILE…`.
//! Says which files come back otherwise, and how fast each direction is.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use wavesmith_asm::assemble::assemble;
use wavesmith_asm::disassemble::{Options, disassemble};
use wavesmith_asm::{Target, decode};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    wavesmith_console::end_quietly_at_closed_pipes();
    let mut args = std::env::args().skip(1);
    let target: Target = args.next().ok_or("usage: roundtrip TARGET FILE…")?.parse()?;
    let (mut files, mut bad, mut instructions, mut data) = (0, 0, 0u64, 0u64);
    let (mut decoding, mut printing, mut assembling) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for file in args {
        let code = std::fs::read(&file)?;
        let words: Vec<u32> = code.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        files += 1;
        let t = Instant::now();
        let mut at = 0;
        while at < words.len() {
            at += decode(&words[at..], target).map_or(1, |i| i.dwords());
            instructions += 1;
        }
        decoding += t.elapsed();
        let t = Instant::now();
        let text = disassemble(&code, target, &BTreeMap::new(), Options::default());
        printing += t.elapsed();
        data += text.matches("\t.long").count() as u64;
        let t = Instant::now();
        let back = assemble(&text, target);
        assembling += t.elapsed();
        let same = matches!(&back, Ok(a) if a.sections[0].data == code);
        if !same {
            bad += 1;
            if bad <= 5 {
                println!(
                    "{file}: {}",
                    match back {
                        Ok(_) => "other bytes".to_owned(),
                        Err(e) => e[0].render("text"),
                    }
                );
            }
        }
    }
    let rate = |d: Duration| instructions as f64 / d.as_secs_f64() / 1e6;
    println!(
        "{files} files, {bad} differ, {instructions} instructions, {data} as data; M/s: decode {:.1}, to text {:.2}, to bytes {:.2}",
        rate(decoding),
        rate(printing),
        rate(assembling)
    );
    Ok(())
}

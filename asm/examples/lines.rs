//! Translates stdin line by line, hex bytes to text or, with `asm`, text to hex bytes; what is wrong gives `error: …`.
//! `cargo run --example lines -- gfx942 asm`.
use std::io::{BufRead, Write};
use wavesmith_asm::{Target, lines};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    wavesmith_console::end_quietly_at_closed_pipes();
    let mut args = std::env::args().skip(1);
    let target: Target = args.next().ok_or("usage: lines TARGET [asm]")?.parse()?;
    let asm = args.next().as_deref() == Some("asm");
    let stdin = std::io::stdin().lock();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in stdin.lines() {
        let line = line?;
        let result = if asm {
            lines::assemble(&line, target).map_err(|e| format!("{}: {e}", e.span.0 + 1))
        } else {
            lines::disassemble(&line, target).map_err(|e| e.to_string())
        };
        match result {
            Ok(text) => writeln!(out, "{text}")?,
            Err(e) => writeln!(out, "error: {e}")?,
        }
    }
    Ok(())
}

//! The line modes of `wavesmith asm` and `wavesmith dis`: a filter, one line of stdout for each of stdin.

use anyhow::Context;
use std::io::{BufRead, BufWriter, ErrorKind, Write};
use wavesmith_asm::{Target, lines};

/// Text to hex bytes.
pub fn assemble(target: Target) -> anyhow::Result<()> {
    filter(|line| lines::assemble(line, target).map_err(|e| format!("column {}: {e}", e.span.0 + 1)))
}

/// Hex bytes to text.
pub fn disassemble(target: Target) -> anyhow::Result<()> {
    filter(|line| lines::disassemble(line, target).map_err(|e| e.to_string()))
}

/// A line that cannot be translated gives `error: …` in its place, so that lines of both sides keep their numbers. Input
/// need not be UTF-8: any bytes are a line.
fn filter(translate: impl Fn(&str) -> Result<String, String>) -> anyhow::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).context("cannot read stdin")? != 0 {
        let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line));
        let written = match translate(&text) {
            Ok(text) => writeln!(out, "{text}"),
            Err(error) => writeln!(out, "error: {}", error.replace('\n', " ")),
        };
        match written {
            Ok(()) => line.clear(),
            // The reader has gone away: nothing is left to do.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Err(e) => return Err(e).context(UNWRITABLE),
        }
    }
    match out.flush() {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(e).context(UNWRITABLE),
        _ => Ok(()),
    }
}

const UNWRITABLE: &str = "cannot write the results to stdout";

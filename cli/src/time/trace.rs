//! A timeline in the Trace Event Format, which Perfetto opens: a track for each wave and for each pipe.

use serde_json::json;
use std::collections::BTreeSet;
use std::io::{self, Write};
use wavesmith_asm::class::Time;
use wavesmith_asm::print::text;
use wavesmith_sim::timing::{Event, Report};

/// The pipe that an instruction keeps busy, by name.
fn pipe(report: &Report, event: &Event) -> Option<&'static str> {
    Some(match report.lines[event.line as usize].inst.as_ref()?.row().time {
        Time::Xdl(_) | Time::XdlF8f6f4(_) | Time::Sgemm(_) | Time::Dgemm(_) => "MFMA",
        Time::Valu(_) | Time::Trans | Time::Packed | Time::F64 => "VALU",
        Time::Salu => "SALU",
        Time::Smem => "SMEM",
        Time::Vmem(_) => "VMEM",
        Time::Lds(_) => "LDS",
        Time::Branch => "branch",
        Time::Internal | Time::Graphics => return None,
    })
}

/// Numbers of the pipes' tracks, after the waves'.
const PIPES: [&str; 7] = ["VALU", "MFMA", "SALU", "SMEM", "VMEM", "LDS", "branch"];

/// Processes of the second of two kernels are numbered from here on.
const OTHER: u32 = 100_000;

/// Writes the events of a report, or of two, each under its name.
pub fn write(sides: &[(&str, &Report)], mut out: impl Write) -> io::Result<()> {
    let mut first = true;
    let mut put = |value: serde_json::Value, out: &mut dyn Write| -> io::Result<()> {
        out.write_all(if first { b"[\n" } else { b",\n" })?;
        first = false;
        write!(out, "{value}")
    };
    for (i, (name, report)) in sides.iter().enumerate() {
        let whose = if sides.len() > 1 { format!("{name}: ") } else { String::new() };
        events(report, OTHER * i as u32, &whose, &mut put, &mut out)?;
    }
    out.write_all(if first { b"[]\n" } else { b"\n]\n" })?;
    out.flush()
}

/// Writes one value of the list.
type Put<'a> = dyn FnMut(serde_json::Value, &mut dyn Write) -> io::Result<()> + 'a;

/// The events of a report, in processes from `from` on whose names begin with whose they are.
fn events(report: &Report, from: u32, whose: &str, put: &mut Put<'_>, out: &mut dyn Write) -> io::Result<()> {
    let us = |cycle: f64| cycle / report.clock_mhz;
    let mut named = BTreeSet::new();
    // Where code is loaded differs from run to run.
    let base = report.lines.iter().map(|l| l.pc).min().unwrap_or(0);
    for e in &report.events {
        // A process is a compute unit; threads are its waves, then its SIMDs' pipes.
        let wave = 100 + (e.workgroup as u32 % 10_000) * 16 + e.wave;
        if named.insert((e.cu, wave)) {
            let name = format!("workgroup {} wave {} (SIMD {})", e.workgroup, e.wave, e.simd);
            put(
                json!({"ph": "M", "pid": from + e.cu, "tid": wave, "name": "thread_name", "args": {"name": name}}),
                out,
            )?;
        }
        if named.insert((e.cu, 0)) {
            let name = format!("{whose}compute unit {}", e.cu);
            put(json!({"ph": "M", "pid": from + e.cu, "tid": 0, "name": "process_name", "args": {"name": name}}), out)?;
        }
        let line = &report.lines[e.line as usize];
        let name = line.inst.as_ref().map_or_else(|| "?".to_owned(), text);
        let short = name.split_whitespace().next().unwrap_or("?").to_owned();
        if e.waited > 0 {
            put(
                json!({"ph": "X", "pid": from + e.cu, "tid": wave, "name": e.cause.name(), "cat": "stall",
                    "ts": us((e.at - u64::from(e.waited)) as f64), "dur": us(f64::from(e.waited))}),
                out,
            )?;
        }
        put(
            json!({"ph": "X", "pid": from + e.cu, "tid": wave, "name": short, "cat": "issue", "ts": us(e.at as f64), "dur": us(4.0),
                "args": {"instruction": name, "cycle": e.at, "offset": format!("{:#x}", line.pc - base)}}),
            out,
        )?;
        if let Some(kind) = pipe(report, e) {
            let number = PIPES.iter().position(|p| *p == kind).unwrap_or(0) as u32;
            let track = 1 + e.simd * 8 + number;
            if named.insert((e.cu, track)) {
                let name = format!("SIMD {} {kind}", e.simd);
                put(
                    json!({"ph": "M", "pid": from + e.cu, "tid": track, "name": "thread_name", "args": {"name": name}}),
                    out,
                )?;
            }
            put(
                json!({"ph": "X", "pid": from + e.cu, "tid": track, "name": short, "cat": "pipe", "ts": us(e.at as f64),
                    "dur": us(f64::from(e.busy))}),
                out,
            )?;
        }
    }
    Ok(())
}

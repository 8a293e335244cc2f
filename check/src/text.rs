//! Reports for people and for programs.

use crate::finding::{Finding, Place, Report, Severity};
use serde_json::{Value, json};
use std::fmt::Write;

/// Accesses of one missing wait that a report for people names; the JSON has them all.
const MOST_ALSO: usize = 16;

/// A place. Of a symbol that `near` is in as well only the offset is told: generated kernels have names of 800 letters.
fn place(out: &mut String, p: &Place, near: Option<&Place>) {
    let _ = write!(out, "{:#x}", p.pc);
    if !p.symbol.is_empty() {
        let name = |p: &Place| p.symbol.rsplit_once("+0x").map_or(p.symbol.len(), |(name, _)| name.len());
        let same = near.is_some_and(|n| n.symbol[..name(n)] == p.symbol[..name(p)]) && name(p) < p.symbol.len();
        let _ = write!(out, " <{}>", if same { &p.symbol[name(p)..] } else { &p.symbol });
    }
    if let Some(s) = &p.source {
        let _ = write!(out, " {}:{}", s.file, s.line);
    }
    if !p.text.is_empty() {
        let _ = write!(out, "  {}", p.text);
    }
}

/// A finding in several lines: what, where, the other instruction, the way between, and what is needed.
fn finding(out: &mut String, f: &Finding) {
    let _ = write!(out, "{}[{}]", f.severity.name(), f.kind);
    if f.at.is_none() && !f.kernel.is_empty() {
        let _ = write!(out, " kernel {}", f.kernel);
    }
    let _ = writeln!(out, ": {}", f.message);
    if let Some(p) = &f.at {
        out.push_str("  at    ");
        place(out, p, None);
        out.push('\n');
    }
    if let Some(p) = &f.other {
        out.push_str("  from  ");
        place(out, p, f.at.as_ref());
        out.push('\n');
    }
    for also in f.also.iter().take(MOST_ALSO) {
        out.push_str("  also  ");
        place(out, &also.at, f.at.as_ref());
        let _ = writeln!(out, "  (of {:#x}  {})", also.other.pc, also.other.text);
    }
    if let Some(more) = f.also.len().checked_sub(MOST_ALSO + 1) {
        let _ = writeln!(out, "  also  {} more, which --json lists", more + 1);
    }
    if !f.path.is_empty() {
        let blocks: Vec<String> = f.path.iter().map(|pc| format!("{pc:#x}")).collect();
        let _ = writeln!(out, "  path  {}", blocks.join(" -> "));
    }
    if let Some(need) = &f.need {
        let _ = writeln!(out, "  need  {need}");
    }
}

/// The errors as text and nothing else: empty where there are none.
pub fn errors(report: &Report) -> String {
    let mut out = String::new();
    report.findings.iter().filter(|f| f.severity == Severity::Error).for_each(|f| finding(&mut out, f));
    out
}

/// The report as text: errors, advice if `advice` is set, notes, and a line of counts.
pub fn text(report: &Report, advice: bool) -> String {
    let mut out = String::new();
    for f in &report.findings {
        if advice || f.severity == Severity::Error {
            finding(&mut out, f);
        }
    }
    for n in &report.notes {
        let _ = writeln!(out, "note: kernel {} at {:#x}: {}", n.kernel, n.pc, n.message);
    }
    let (errors, advice_count) = (report.count(Severity::Error), report.count(Severity::Advice));
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let _ = writeln!(
        out,
        "{} kernel{}, {} instruction{}: {errors} error{}, {advice_count} advice",
        report.kernels,
        plural(report.kernels),
        report.instructions,
        plural(report.instructions),
        plural(errors),
    );
    out
}

fn place_json(p: &Place) -> Value {
    json!({
        "pc": p.pc, "symbol": p.symbol, "text": p.text,
        "source": p.source.as_ref().map(|s| json!({ "file": s.file, "line": s.line })),
    })
}

/// The report as one JSON object with `findings`, `notes`, `kernels` and `instructions`.
pub fn json(report: &Report) -> Value {
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|f| {
            json!({
                "pc": f.at.as_ref().map(|p| p.pc),
                "severity": f.severity.name(),
                "kind": f.kind.name(),
                "message": f.message,
                "rule": f.rule,
                "kernel": f.kernel,
                "at": f.at.as_ref().map(place_json),
                "other": f.other.as_ref().map(place_json),
                "also": f.also.iter().map(|a| json!({ "at": place_json(&a.at), "other": place_json(&a.other) })).collect::<Vec<_>>(),
                "path": f.path,
                "need": f.need,
            })
        })
        .collect();
    let notes: Vec<Value> =
        report.notes.iter().map(|n| json!({ "kernel": n.kernel, "pc": n.pc, "message": n.message })).collect();
    json!({
        "findings": findings,
        "notes": notes,
        "kernels": report.kernels,
        "instructions": report.instructions,
        "errors": report.count(Severity::Error),
        "advice": report.count(Severity::Advice),
    })
}

//! The hottest code with its cycles.

use super::listing::instruction;
use crate::outcome::print_line;
use wavesmith_sim::timing::{Line, Report};

/// Instructions shown at most.
const SHOWN: usize = 400;

/// The hottest stretch: the lines that run as often as the costliest ones, from the first to the last of them.
fn hottest(lines: &[&Line]) -> std::ops::Range<usize> {
    let cost = |l: &Line| l.busy + l.stalled();
    let mut by_count: std::collections::BTreeMap<u64, u64> = std::collections::BTreeMap::new();
    for line in lines {
        *by_count.entry(line.issues).or_default() += cost(line);
    }
    let Some((count, _)) = by_count.iter().max_by_key(|(_, cost)| **cost) else { return 0..0 };
    let at = |l: &&Line| l.issues == *count;
    let first = lines.iter().position(at).unwrap_or(0);
    let last = lines.iter().rposition(at).unwrap_or(0);
    first..last + 1
}

/// Prints the hottest stretch.
pub fn print(r: &Report) {
    let mut lines: Vec<&Line> = r.lines.iter().filter(|l| l.issues > 0).collect();
    lines.sort_by_key(|l| l.pc);
    let range = hottest(&lines);
    let all: u64 = lines.iter().map(|l| l.busy + l.stalled()).sum();
    let shown = &lines[range];
    let here: u64 = shown.iter().map(|l| l.busy + l.stalled()).sum();
    print_line(&format!(
        "  hottest code: {} instructions, {:.1} % of the waves' time; cycles a time it was issued",
        shown.len(),
        100.0 * here as f64 / all.max(1) as f64
    ));
    print_line("     part    issue    stall  cause                    offset  instruction");
    let base = r.lines.iter().map(|l| l.pc).min().unwrap_or(0);
    for line in shown.iter().take(SHOWN) {
        let n = line.issues.max(1) as f64;
        print_line(&format!(
            "  {:>5.1} % {:>8.1} {:>8.1}  {:<22} {:>8}  {}",
            100.0 * (line.busy + line.stalled()) as f64 / all.max(1) as f64,
            line.busy as f64 / n,
            line.stalled() as f64 / n,
            line.main_cause().map_or("", |c| c.name()),
            format!("+{:#x}", line.pc - base),
            instruction(line, base),
        ));
    }
    if shown.len() > SHOWN {
        print_line(&format!("  … and {} more", shown.len() - SHOWN));
    }
}

//! Two timed kernels side by side: where the cycles went.

use crate::outcome::print_line;
use wavesmith_sim::timing::{Cause, Report};

/// Something that both have a figure of.
pub struct Row {
    /// What it is, with its unit.
    pub what: String,
    /// The figures, of the first and of the second.
    pub of: [f64; 2],
    /// How many digits behind the point are worth telling.
    pub digits: usize,
}

impl Row {
    /// How much more the second one has than the first, in percent; nothing where the first has none.
    pub fn change(&self) -> String {
        let [a, b] = self.of;
        if a == 0.0 { String::new() } else { format!("{:+.1} %", 100.0 * (b / a - 1.0)) }
    }
}

/// Cycles of waves spent on something, a wave of the whole grid on average.
fn per_wave(r: &Report, cycles: u64) -> f64 {
    let waves: u64 = r.lives.iter().map(|l| u64::from(l.waves)).sum();
    cycles as f64 / waves.max(1) as f64
}

/// What both did and how busy they kept their parts.
pub fn whole(a: &Report, b: &Report) -> Vec<Row> {
    let row = |what: &str, of: fn(&Report) -> f64, digits| Row { what: what.to_owned(), of: [of(a), of(b)], digits };
    vec![
        row("cycles", |r| r.cycles, 0),
        row("µs", |r| r.us, 2),
        row("clock, MHz", |r| r.clock_mhz, 0),
        row("TFLOPS", |r| r.tflops(), 1),
        row("HBM GB/s", |r| r.hbm_gbps(), 0),
        row("waves a SIMD", |r| r.occupancy, 1),
        row("MFMA busy, %", |r| 100.0 * r.utilisation.matrix, 1),
        row("VALU busy, %", |r| 100.0 * r.utilisation.valu, 1),
        row("LDS busy, %", |r| 100.0 * r.utilisation.lds, 1),
        row("vector memory busy, %", |r| 100.0 * r.utilisation.vector_memory, 1),
        row("HBM busy, %", |r| 100.0 * r.utilisation.hbm, 1),
    ]
}

/// Where the cycles of a wave went on average: issuing, then what it waited for, what differs most first.
pub fn of_a_wave(a: &Report, b: &Report) -> Vec<Row> {
    let issued = |r: &Report| per_wave(r, r.lines.iter().map(|l| 4 * l.issues).sum());
    let waited = |r: &Report, c: Cause| per_wave(r, r.lines.iter().map(|l| l.stalls[c as usize]).sum());
    let mut waits: Vec<Row> = Cause::ALL
        .iter()
        .map(|c| Row { what: c.name().to_owned(), of: [waited(a, *c), waited(b, *c)], digits: 0 })
        .filter(|row| row.of[0] + row.of[1] >= 1.0)
        .collect();
    let change = |row: &Row| (row.of[1] - row.of[0]).abs();
    waits.sort_by(|x, y| change(y).total_cmp(&change(x)));
    let mut all = vec![Row { what: "issuing".to_owned(), of: [issued(a), issued(b)], digits: 0 }];
    all.append(&mut waits);
    all
}

/// Prints the comparison.
pub fn print((name_a, a): (&str, &Report), (name_b, b): (&str, &Report)) {
    let line = |row: &Row, indent: &str| {
        let ([x, y], digits) = (row.of, row.digits);
        let what = format!("{indent}{}", row.what);
        print_line(&format!("  {what:<34} {x:>14.digits$} {y:>14.digits$} {:>+14.digits$} {:>9}", y - x, row.change()));
    };
    print_line(&format!("  {:<34} {name_a:>14} {name_b:>14} {:>14} {:>9}", "", "difference", ""));
    whole(a, b).iter().for_each(|row| line(row, ""));
    print_line("  of a wave's cycles");
    of_a_wave(a, b).iter().for_each(|row| line(row, "  "));
    print_line(&format!("  bound by: {} | {}", a.bound_by, b.bound_by));
}

//! Two timed kernels side by side: where the cycles went.

use crate::outcome::print_line;
use wavesmith_sim::timing::{Cause, Report};

/// Cycles of waves spent on something, a wave of the whole grid on average.
fn per_wave(r: &Report, cycles: u64) -> f64 {
    let waves: u64 = r.lives.iter().map(|l| u64::from(l.waves)).sum();
    cycles as f64 / waves.max(1) as f64
}

/// Prints the comparison.
pub fn print(a: (&str, &Report), b: (&str, &Report)) {
    let (name_a, a) = a;
    let (name_b, b) = b;
    let row = |what: &str, x: f64, y: f64, digits: usize| {
        let change = if x != 0.0 { format!("{:+.1} %", 100.0 * (y / x - 1.0)) } else { String::new() };
        print_line(&format!("  {what:<34} {x:>14.digits$} {y:>14.digits$} {:>+14.digits$} {change:>9}", y - x));
    };
    print_line(&format!("  {:<34} {name_a:>14} {name_b:>14} {:>14} {:>9}", "", "difference", ""));
    row("cycles", a.cycles, b.cycles, 0);
    row("µs", a.us, b.us, 2);
    row("TFLOPS", a.tflops(), b.tflops(), 1);
    row("HBM GB/s", a.hbm_gbps(), b.hbm_gbps(), 0);
    row("waves a SIMD", a.occupancy, b.occupancy, 1);
    for (what, x, y) in [
        ("MFMA busy, %", a.utilisation.matrix, b.utilisation.matrix),
        ("VALU busy, %", a.utilisation.valu, b.utilisation.valu),
        ("LDS busy, %", a.utilisation.lds, b.utilisation.lds),
        ("vector memory busy, %", a.utilisation.vector_memory, b.utilisation.vector_memory),
    ] {
        row(what, 100.0 * x, 100.0 * y, 1);
    }
    print_line("  of a wave's cycles");
    let issued = |r: &Report| per_wave(r, r.lines.iter().map(|l| 4 * l.issues).sum());
    row("  issuing", issued(a), issued(b), 0);
    let waited = |r: &Report, c: Cause| per_wave(r, r.lines.iter().map(|l| l.stalls[c as usize]).sum());
    let mut causes = Cause::ALL.to_vec();
    causes.sort_by(|x, y| {
        let change = |c: &Cause| (waited(b, *c) - waited(a, *c)).abs();
        change(y).total_cmp(&change(x))
    });
    for cause in causes.into_iter().filter(|c| waited(a, *c) + waited(b, *c) >= 1.0) {
        row(&format!("  {}", cause.name()), waited(a, cause), waited(b, cause), 0);
    }
    print_line(&format!("  bound by: {} | {}", a.bound_by, b.bound_by));
}

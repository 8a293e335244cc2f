//! A report for people.

use crate::outcome::print_line;
use wavesmith_sim::timing::Report;
use wavesmith_sim::timing::parts::{Machine, ROWS};

/// Peak rate of the part's matrix pipes for the operands that were used, in 10¹² operations a second at a clock: what
/// the kernel would do if its matrix pipes never rested.
fn ceiling(r: &Report) -> Option<f64> {
    let busy = r.pipes.matrix as f64;
    if busy == 0.0 {
        return None;
    }
    let each = r.pipes.matrix_flops / busy;
    Some(each * 4.0 * f64::from(r.sku.cus) * r.clock_mhz / 1e6)
}

/// Prints a report.
pub fn print(r: &Report) {
    let m = Machine::of(r.sku);
    let percent = |x: f64| format!("{:.1} %", 100.0 * x);
    print_line(&format!("{} on {} ({})", r.kernel, r.sku.product, r.sku.target));
    print_line(&format!(
        "  {:.0} cycles, {:.2} µs at {:.0} MHz; {:.1} µs more to launch, back to back",
        r.cycles, r.us, r.clock_mhz, r.launch_us
    ));
    print_line(&format!("  bound by {}", r.bound_by));
    let of = ceiling(r).map_or_else(String::new, |c| {
        format!(", {} of {c:.1} at this clock", percent(r.matrix_flops / r.us / 1e6 / c))
    });
    print_line(&format!("  {:.2} TFLOPS{of}", r.tflops()));
    print_line(&format!(
        "  {:.0} GB/s of HBM, {} of the {:.0} that can be reached; {:.0} GB/s to and from lanes",
        r.hbm_gbps(),
        percent(r.hbm_gbps() / m.hbm_gbps),
        m.hbm_gbps,
        r.lane_gbps()
    ));
    if r.left > 0.0 {
        print_line(&format!(
            "  launches before it left {} of what it reads in the Infinity Cache (--copies)",
            percent(r.left)
        ));
    }
    let rate = |[asked, hit]: [u64; 2]| if asked == 0 { "-".to_owned() } else { percent(hit as f64 / asked as f64) };
    print_line(&format!(
        "  hits: L1 {}, L2 {}, Infinity Cache {}",
        rate(r.traffic.l1),
        rate(r.traffic.l2),
        rate(r.traffic.mall)
    ));
    let u = &r.utilisation;
    print_line(&format!(
        "  busy: MFMA {}, VALU {}, scalar {}, LDS {} ({} of it conflicts), vector memory {}, HBM {}",
        percent(u.matrix),
        percent(u.valu),
        percent(u.scalar),
        percent(u.lds),
        percent(r.lds_conflicts),
        percent(u.vector_memory),
        percent(u.hbm)
    ));
    let mut cus: Vec<u32> = r.lives.iter().map(|l| l.cu).collect();
    cus.sort_unstable();
    cus.dedup();
    let simulated = (r.sampling.xcds * r.sku.cus_per_xcd()) as usize;
    let some = if cus.len() < simulated {
        format!(" on {} of {simulated} compute units, the others had no workgroup", cus.len())
    } else {
        String::new()
    };
    print_line(&format!("  {:.1} waves a SIMD{some}; of their time", r.occupancy));
    print_line(&format!("    {:>7}  issuing", percent(r.issuing)));
    for (cause, part) in r.stalls.iter().filter(|s| s.1 >= 0.001) {
        print_line(&format!("    {:>7}  {}", percent(*part), cause.name()));
    }
    let s = &r.sampling;
    if s.whole() {
        print_line(&format!("  all {} workgroups simulated, {} wave-instructions", s.total, r.wave_instructions));
    } else {
        print_line(&format!(
            "  sampled: {} of {} workgroups, on {} of {} dies, {:.1} rounds extrapolated: ± {:.1} %; --full simulates all",
            s.workgroups, s.total, s.xcds, r.sku.xcds, s.skipped_rounds, s.error_percent
        ));
    }
    let unknown: Vec<String> = ROWS
        .iter()
        .filter(|row| r.unknown_parameters.contains(&row.name))
        .map(|row| format!("{} {} {}", row.name, row.value(r.sku), row.unit))
        .collect();
    print_line(&format!("  never measured, taken at their slowest: {}", unknown.join(", ")));
}

//! A report as one self-contained page: timeline, roofline, occupancy, where waves waited, and the hottest code.

use super::diff;
use super::listing::instruction;
use std::fmt::Write;
use wavesmith_sim::timing::parts::{Machine, ROWS};
use wavesmith_sim::timing::{Cause, Line, Report};

const STYLE: &str = "body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1100px;padding:0 1em;\
color:#1b1f24;background:#fff}h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}table{border-collapse:collapse}\
td,th{padding:.15em .8em .15em 0;text-align:left;vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
code,pre,td.c{font-family:ui-monospace,monospace;font-size:12px;white-space:pre}svg{width:100%;height:auto;background:#f6f8fa;border-radius:6px}\
.k{color:#57606a}.bar{display:inline-block;height:.8em;background:#4477aa}\
@media (prefers-color-scheme:dark){body{color:#d5dae0;background:#14181d}svg{background:#1d232a}.k{color:#97a1ad}text{fill:#d5dae0}}";

/// Colours of causes, apart for the eyes of all.
const COLOURS: [&str; Cause::COUNT] = [
    "#bbbbbb", "#ee6677", "#66ccee", "#aa3377", "#ccbb44", "#228833", "#44aa77", "#4477aa", "#997700", "#99ddff",
    "#ff8866", "#775588", "#dddddd", "#bb7755", "#555555",
];

fn escaped(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A timed kernel, under the name that tells it from the other one of a comparison.
pub type Side<'a> = (&'a str, &'a Report);

/// The page of one kernel, or of two: what differs between them first, then each on its own.
pub fn page(side: Side<'_>, other: Option<Side<'_>>) -> String {
    let mut out = String::new();
    let heading = |(_, r): Side<'_>| format!("{} on {}", escaped(&r.kernel), r.sku.product);
    let title = match other {
        None => heading(side),
        Some(other) => format!("{} and {}", escaped(side.0), escaped(other.0)),
    };
    let _ = write!(
        out,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>"
    );
    match other {
        None => kernel(&mut out, side.1),
        Some(other) => {
            comparison(&mut out, side, other);
            for side in [side, other] {
                let _ = write!(out, "<hr><h1>{}</h1><p>{}</p>", escaped(side.0), heading(side));
                kernel(&mut out, side.1);
            }
        }
    }
    out.push_str("</body></html>\n");
    out
}

fn kernel(out: &mut String, r: &Report) {
    facts(out, r);
    waits(out, r);
    timeline(out, r);
    occupancy(out, r);
    roofline(out, r);
    code(out, r);
    unknown(out, r);
}

/// Two kernels' figures beside each other.
fn comparison(out: &mut String, a: Side<'_>, b: Side<'_>) {
    let head = |what: &str| {
        format!(
            "<tr><th>{what}</th><th class=\"n\">{}</th><th class=\"n\">{}</th><th class=\"n\">difference</th><th></th></tr>",
            escaped(a.0),
            escaped(b.0)
        )
    };
    out.push_str("<table>");
    for (what, rows) in [("", diff::whole(a.1, b.1)), ("of a wave's cycles", diff::of_a_wave(a.1, b.1))] {
        out.push_str(&head(what));
        for row in rows {
            let ([x, y], digits) = (row.of, row.digits);
            let _ = write!(
                out,
                "<tr><td>{}</td><td class=\"n\">{x:.digits$}</td><td class=\"n\">{y:.digits$}</td><td class=\"n\">{:+.digits$}</td>\
                 <td class=\"n\">{}</td></tr>",
                row.what,
                y - x,
                row.change()
            );
        }
    }
    let bound = [a, b].map(|s| escaped(&s.1.bound_by));
    let _ = write!(out, "</table><p>Bound by: {} <span class=\"k\">and</span> {}</p>", bound[0], bound[1]);
}

fn facts(out: &mut String, r: &Report) {
    let m = Machine::of(r.sku);
    let s = &r.sampling;
    let extent = if s.whole() {
        format!("all {} workgroups simulated", s.total)
    } else {
        format!(
            "{} of {} workgroups simulated on {} of {} dies, ± {:.1} %",
            s.workgroups, s.total, s.xcds, r.sku.xcds, s.error_percent
        )
    };
    let rows = [
        ("Time", format!("{:.2} µs: {:.0} cycles at {:.0} MHz", r.us, r.cycles, r.clock_mhz)),
        ("Bound by", escaped(&r.bound_by)),
        ("Rate", format!("{:.2} TFLOPS", r.tflops())),
        ("HBM", format!("{:.0} GB/s of {:.0} that can be reached", r.hbm_gbps(), m.hbm_gbps)),
        ("Launch", format!("{:.1} µs more, back to back", r.launch_us)),
        ("Extent", extent),
    ];
    out.push_str("<table>");
    for (k, v) in rows {
        let _ = write!(out, "<tr><td class=\"k\">{k}</td><td>{v}</td></tr>");
    }
    out.push_str("</table><h2>Busy</h2><table>");
    let u = &r.utilisation;
    for (name, part) in [
        ("MFMA", u.matrix),
        ("VALU", u.valu),
        ("scalar", u.scalar),
        ("LDS banks", u.lds),
        ("vector memory path", u.vector_memory),
        ("Infinity Cache", u.mall),
        ("HBM", u.hbm),
    ] {
        let width = (part * 400.0).clamp(0.0, 400.0);
        let _ = write!(
            out,
            "<tr><td>{name}</td><td class=\"n\">{:.1} %</td><td><span class=\"bar\" style=\"width:{width:.0}px\"></span></td></tr>",
            100.0 * part
        );
    }
    out.push_str("</table>");
}

fn waits(out: &mut String, r: &Report) {
    out.push_str("<h2>Where waves spend their time</h2><table>");
    let _ = write!(out, "<tr><td>issuing</td><td class=\"n\">{:.1} %</td><td></td></tr>", 100.0 * r.issuing);
    for (cause, part) in r.stalls.iter().filter(|s| s.1 >= 0.001) {
        let _ = write!(
            out,
            "<tr><td>{}</td><td class=\"n\">{:.1} %</td><td><span class=\"bar\" style=\"width:{:.0}px;background:{}\"></span></td></tr>",
            cause.name(),
            100.0 * part,
            400.0 * part,
            COLOURS[*cause as usize]
        );
    }
    out.push_str("</table>");
}

/// Waves of the first compute unit over the first stretch of events: issue as ticks, waiting as bars by cause.
fn timeline(out: &mut String, r: &Report) {
    let Some(first) = r.events.first() else { return };
    let events: Vec<_> = r.events.iter().filter(|e| e.cu == first.cu).take(6000).collect();
    let (Some(a), Some(b)) = (events.iter().map(|e| e.at).min(), events.iter().map(|e| e.at).max()) else { return };
    let mut waves: Vec<(u32, u64, u32)> = events.iter().map(|e| (e.simd, e.workgroup, e.wave)).collect();
    waves.sort_unstable();
    waves.dedup();
    let height = 18 * waves.len() + 30;
    let x = |t: u64| 130.0 + 950.0 * (t.saturating_sub(a)) as f64 / (b - a).max(1) as f64;
    let _ = write!(
        out,
        "<h2>Timeline of compute unit {}, cycles {a} to {b}</h2><svg viewBox=\"0 0 1100 {height}\" font-size=\"11\">",
        first.cu
    );
    for (i, (simd, workgroup, wave)) in waves.iter().enumerate() {
        let y = 10 + 18 * i;
        let _ = write!(out, "<text x=\"4\" y=\"{}\">SIMD {simd} wg {workgroup} w{wave}</text>", y + 11);
        let mut waiting = String::new();
        let mut issue = String::new();
        for e in events.iter().filter(|e| (e.simd, e.workgroup, e.wave) == (*simd, *workgroup, *wave)) {
            if e.waited > 8 {
                let (from, to) = (x(e.at.saturating_sub(u64::from(e.waited)).max(a)), x(e.at));
                let _ = write!(
                    waiting,
                    "<rect x=\"{from:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"14\" fill=\"{}\"><title>{} cycles: {}</title></rect>",
                    (to - from).max(0.3),
                    COLOURS[e.cause as usize],
                    e.waited,
                    e.cause.name()
                );
            }
            let at = x(e.at);
            let _ = write!(issue, "M{at:.1} {y}v14");
        }
        let _ = write!(out, "{waiting}<path d=\"{issue}\" stroke=\"#24292f\" stroke-width=\".35\"/>");
    }
    out.push_str("</svg><p class=\"k\">");
    for (cause, _) in r.stalls.iter().take(8) {
        let _ = write!(
            out,
            "<span class=\"bar\" style=\"width:.8em;background:{}\"></span> {} &nbsp; ",
            COLOURS[*cause as usize],
            cause.name()
        );
    }
    out.push_str("</p>");
}

/// Resident waves over time: of the first compute unit, on average over those that had any, and how many of those there
/// are. A part of which most compute units stay empty, or of which one die stands for all, would else look idle.
fn occupancy(out: &mut String, r: &Report) {
    let end = r.lives.iter().map(|l| l.end).max().unwrap_or(1).max(1);
    let mut cus: Vec<u32> = r.lives.iter().map(|l| l.cu).collect();
    cus.sort_unstable();
    cus.dedup();
    let Some(first) = cus.first().copied() else { return };
    // Waves of a SIMD over time, as steps.
    let steps = |only: Option<u32>, simds: f64| -> Vec<(u64, f64)> {
        let lives = r.lives.iter().filter(|l| only.is_none_or(|cu| l.cu == cu));
        let mut changes: Vec<(u64, i64)> =
            lives.flat_map(|l| [(l.start, i64::from(l.waves)), (l.end, -i64::from(l.waves))]).collect();
        changes.sort_unstable();
        let (mut waves, mut points) = (0i64, vec![(0u64, 0.0f64)]);
        for (t, change) in changes {
            points.push((t, waves as f64 / simds));
            waves += change;
            points.push((t, waves as f64 / simds));
        }
        points
    };
    let one = steps(Some(first), 4.0);
    let mean = steps(None, 4.0 * cus.len() as f64);
    let most = one.iter().chain(&mean).map(|p| p.1).fold(1.0, f64::max).ceil();
    let (left, right, top, bottom) = (60.0, 1080.0, 14.0, 150.0);
    let x = |t: u64| left + (right - left) * t as f64 / end as f64;
    let y = |w: f64| bottom - (bottom - top) * w / most;
    let path = |points: &[(u64, f64)]| -> String {
        points.iter().map(|(t, w)| format!("{:.1},{:.1}", x(*t), y(*w))).collect::<Vec<_>>().join(" ")
    };
    let _ = write!(
        out,
        "<h2>Occupancy: resident waves a SIMD</h2><svg viewBox=\"0 0 1100 185\" font-size=\"11\" fill=\"currentColor\">"
    );
    // A line for each whole number of waves, and five marks of time.
    for w in 0..=most as u32 {
        let at = y(f64::from(w));
        let _ = write!(
            out,
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#8b949e\" stroke-width=\".4\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{w}</text>",
            left - 8.0,
            at + 4.0
        );
    }
    for k in 0..=4u64 {
        let t = end * k / 4;
        let us = t as f64 / r.clock_mhz;
        let anchor = ["start", "middle", "middle", "middle", "end"][k as usize];
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"{anchor}\">{t} cycles, {us:.1} µs</text>",
            x(t),
            bottom + 16.0
        );
    }
    let _ = write!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#ee6677\" stroke-width=\"1.2\"/>\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#4477aa\" stroke-width=\"1.8\"/></svg>\
         <p class=\"k\"><span class=\"bar\" style=\"width:.8em;background:#4477aa\"></span> mean of the {} compute units that had \
         workgroups, of {} simulated &nbsp; <span class=\"bar\" style=\"width:.8em;background:#ee6677\"></span> compute unit {first} alone; \
         {:.2} waves a SIMD over the whole time</p>",
        path(&one),
        path(&mean),
        cus.len(),
        r.sampling.xcds * r.sku.cus_per_xcd(),
        r.occupancy
    );
}

/// Operations a byte of HBM against operations a second, both logarithmic.
fn roofline(out: &mut String, r: &Report) {
    let m = Machine::of(r.sku);
    let intensity = (r.flops / r.hbm_bytes.max(1.0)).clamp(0.01, 1e5);
    let rate = r.tflops().max(1e-3);
    let busy = r.pipes.matrix as f64;
    // Without matrix instructions the roof is packed or plain FMA of all SIMDs.
    let each = if busy > 0.0 { r.pipes.matrix_flops / busy } else { 32.0 };
    let roof = each * 4.0 * f64::from(r.sku.cus) * r.clock_mhz / 1e6;
    let x = |v: f64| 60.0 + 1000.0 * (v.log10() + 2.0) / 7.0;
    let y = |v: f64| 290.0 - 270.0 * (v.max(1e-3).log10() + 3.0) / 7.0;
    let knee = roof * 1e3 / m.hbm_gbps;
    // A line for each power of ten.
    let mut marks = String::new();
    let name = |power: i32| {
        if power < 0 { format!("{:.*}", -power as usize, 10f64.powi(power)) } else { format!("{}", 10f64.powi(power)) }
    };
    for power in -2..=5 {
        let at = x(10f64.powi(power));
        let _ = write!(
            marks,
            "<path d=\"M{at:.1} 20V290\" stroke=\"#8b949e\" stroke-width=\".3\"/><text x=\"{at:.1}\" y=\"305\" text-anchor=\"middle\">{}</text>",
            name(power)
        );
    }
    for power in -3..=4 {
        let at = y(10f64.powi(power));
        let _ = write!(
            marks,
            "<path d=\"M60 {at:.1}H1060\" stroke=\"#8b949e\" stroke-width=\".3\"/><text x=\"54\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            at + 4.0,
            name(power)
        );
    }
    let _ = write!(
        out,
        "<h2>Roofline: TFLOPS over operations a byte of HBM</h2><svg viewBox=\"0 0 1100 330\" font-size=\"11\" fill=\"currentColor\">{marks}\
         <polyline points=\"{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\" fill=\"none\" stroke=\"#57606a\" stroke-width=\"1.5\"/>\
         <text x=\"{:.0}\" y=\"{:.0}\">{roof:.0} TFLOPS at {:.0} MHz</text>\
         <text x=\"80\" y=\"{:.0}\">{:.0} GB/s</text>\
         <circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"#ee6677\"><title>{rate:.2} TFLOPS, {intensity:.1} operations a byte</title></circle>\
         <text x=\"{:.0}\" y=\"{:.0}\">{rate:.1} TFLOPS at {intensity:.1} operations a byte of HBM</text></svg>",
        x(0.01),
        y(0.01 * m.hbm_gbps / 1e3),
        x(knee),
        y(roof),
        x(1e5),
        y(roof),
        x(knee) + 10.0,
        y(roof) - 6.0,
        r.clock_mhz,
        y(0.03 * m.hbm_gbps / 1e3) - 14.0,
        m.hbm_gbps,
        x(intensity),
        y(rate),
        (x(intensity) + 10.0).min(760.0),
        y(rate) + 18.0
    );
}

fn code(out: &mut String, r: &Report) {
    let cost = |l: &Line| l.busy + l.stalled();
    let all: u64 = r.lines.iter().map(cost).sum();
    let mut lines: Vec<&Line> = r.lines.iter().filter(|l| l.issues > 0).collect();
    lines.sort_by_key(|l| (std::cmp::Reverse(cost(l)), l.pc));
    lines.truncate(60);
    lines.sort_by_key(|l| l.pc);
    let base = r.lines.iter().map(|l| l.pc).min().unwrap_or(0);
    out.push_str(
        "<h2>The costliest instructions</h2><table><tr><th>of the waves' time</th><th>times issued</th><th>cycles waited each time</th><th>mostly for</th><th>offset</th><th>instruction</th></tr>",
    );
    for l in lines {
        let _ = write!(
            out,
            "<tr><td class=\"n\">{:.1} %</td><td class=\"n\">{}</td><td class=\"n\">{:.1}</td><td>{}</td><td class=\"n\">+{:#x}</td><td class=\"c\">{}</td></tr>",
            100.0 * cost(l) as f64 / all.max(1) as f64,
            l.issues,
            l.stalled() as f64 / l.issues.max(1) as f64,
            l.main_cause().map_or("", Cause::name),
            l.pc - base,
            escaped(&instruction(l, base))
        );
    }
    out.push_str("</table>");
}

fn unknown(out: &mut String, r: &Report) {
    let _ = write!(out, "<h2>Never measured on {}, taken at their slowest</h2><table>", r.sku.product);
    for row in ROWS.iter().filter(|row| r.unknown_parameters.contains(&row.name)) {
        let _ = write!(
            out,
            "<tr><td class=\"c\">{}</td><td class=\"n\">{} {}</td><td class=\"k\">{}</td></tr>",
            row.name,
            row.value(r.sku),
            row.unit,
            escaped(row.source)
        );
    }
    out.push_str("</table>");
}

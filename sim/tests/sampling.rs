//! Sampled grids against whole ones: the time of the whole lies within the error that the sampled one's report admits.

#[path = "drawn/mod.rs"]
mod drawn;

use drawn::Case;

/// Products that differ in how dies share what they read: rows of tiles together on a die or dealt round, ragged edges, types, parts
/// with caches between the dies and without, more rounds than are simulated.
const CASES: [(&str, &str, f64); 8] = [
    ("mi300x", "dtype=f16 m=2048 n=2048 k=1024", 3.0),
    ("mi300x", "dtype=bf16 m=2048 n=2048 k=1024 xcd_chunk=0", 3.0),
    ("mi355x", "dtype=fp8 m=3072 n=3072 k=1024", 3.0),
    ("mi355x", "dtype=bf16 m=2048 n=2744 k=1024 group_m=1", 3.0),
    ("mi308x", "dtype=fp8 m=1736 n=2048 k=1024 group_m=1", 2.0),
    ("mi300a", "dtype=i8 m=2048 n=1840 k=1024 trans_a=true", 3.0),
    ("mi325x", "dtype=f16 m=2040 n=3000 k=512", 4.0),
    ("mi210", "dtype=f16 m=5120 n=4848 k=256", 4.0),
];

#[test]
fn sampled_grids_take_as_long_as_whole_ones_within_the_error_they_admit() {
    let mut beyond = Vec::new();
    for (sku, words, most) in CASES {
        let case = Case::of(sku, words);
        let whole = case.time(true, None).expect("times all of it");
        // Most would be simulated whole without being asked: they are small, so that this is quick. The last is sampled
        // anyway, by several rounds: with less it would be one, cold, for all of them.
        let asked = (whole.wave_instructions < 8_000_000).then_some(500_000);
        let sampled = case.time(false, asked).expect("times a sample");
        assert!(!sampled.sampling.whole() && whole.sampling.whole(), "{case}");
        let off = 100.0 * (sampled.us / whole.us - 1.0);
        let admitted = sampled.sampling.error_percent;
        let told = format!("{case}: {:.2} of {:.2} us, {off:+.2} % of ±{admitted:.2} %", sampled.us, whole.us);
        println!("{told}");
        let mall = |r: &wavesmith_sim::timing::Report| r.traffic.mall[1] as f64 / r.traffic.mall[0].max(1) as f64;
        // Sharing between dies is not guessed: the same part of their misses is found.
        if sampled.sampling.workgroups * u64::from(sampled.sku.xcds) >= sampled.sampling.total && sampled.sku.xcds > 1 {
            assert!((mall(&sampled) - mall(&whole)).abs() < 0.03, "{told}: {} and {}", mall(&sampled), mall(&whole));
        }
        if off.abs() > admitted || off.abs() > most {
            beyond.push(told);
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}

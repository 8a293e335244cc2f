//! Prints what the timing model makes of facts measured on silicon; with `--parameters`, the model's numbers as the
//! book has them.

#[path = "../tests/microbench/mod.rs"]
mod microbench;

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    if std::env::args().any(|a| a == "--parameters") {
        print!("{}", wavesmith_sim::timing::parts::markdown());
        return;
    }
    println!("{:<44} {:<7} {:>8} {:>17} {:>9} {:>8}", "what", "part", "unit", "measured", "model", "error");
    let groups: [fn() -> Vec<microbench::Fact>; 7] = [
        microbench::pipes,
        microbench::lds,
        microbench::latencies,
        microbench::bandwidth,
        microbench::levels,
        microbench::others,
        microbench::synchronisation,
    ];
    for fact in groups.iter().flat_map(|g| g()) {
        println!("{fact}{}", if fact.holds() { "" } else { "  beyond its tolerance" });
    }
}

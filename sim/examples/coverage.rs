//! Prints what the engine does not execute yet, a line an encoding.
fn main() {
    for target in wavesmith_asm::Target::ALL {
        let (gaps, tried) = wavesmith_sim::engine::coverage(target);
        println!("{target}: {} of {tried} encodings are not executed", gaps.len());
        for g in gaps {
            println!("  {} {:?}: {}", g.name, g.form, g.reason);
        }
    }
}

//! Prints what the engine does not execute yet, a line an encoding.
fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    for target in wavesmith_asm::Target::ALL {
        let c = wavesmith_sim::engine::coverage(target);
        println!("{target}: {} of {} encodings are not executed", c.gaps.len(), c.tried);
        for g in c.gaps {
            println!("  {} {:?}: {}", g.name, g.form, g.reason);
        }
    }
}

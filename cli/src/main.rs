//! The `wavesmith` command.

fn main() {}

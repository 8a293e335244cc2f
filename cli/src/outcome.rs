//! What a subcommand ends with, apart from bad input.

/// How a subcommand ended that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything held: exit status 0.
    Ok,
    /// The input was fine, but a check or a verification failed: exit status 1.
    Failed,
}

/// Writes one line of results to stdout.
///
/// A reader that has gone away (`wavesmith skus | head -1`) is not an error of ours: the process ends quietly, as other
/// command-line tools do.
pub fn print_line(line: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

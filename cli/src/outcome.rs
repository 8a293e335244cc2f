//! What a subcommand ends with, apart from bad input.

use std::io::{ErrorKind, Write};

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
/// A reader that has gone away (`wavesmith skus | head -1`) is not an error of ours: the rest is said to nobody, and the
/// exit status still tells how the command ended. A stdout that cannot take the results (a full disk) is one: the
/// process ends with status 2.
pub fn print_line(line: &str) {
    print(&format!("{line}\n"));
}

/// Writes results to stdout at once, under the rules of [`print_line`].
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        eprintln!("wavesmith: cannot write the results to stdout: {error}");
        std::process::exit(2);
    }
}

//! What the command and the examples share of being a program in a pipe.
//!
//! A crate of its own, because nothing else is below all of them: the command, and the examples of every library.
#![forbid(unsafe_code)]

use std::any::Any;

/// The exit status that shells show for tools which the closed pipe's signal ended: 128 and the signal's number, 13.
const CLOSED: i32 = 141;

/// Ends the process quietly, like other tools, once it prints to a pipe whose reader has gone away (`… 2>&1 | head`).
///
/// Rust ignores the signal that ends those, and `println!` panics instead. To be called first in `main`.
pub fn end_quietly_at_closed_pipes() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if is_closed_pipe(panic.payload()) {
            std::process::exit(CLOSED);
        }
        usual(panic);
    }));
}

/// Whether a panic is that of `print!` or `eprint!` at a pipe that nobody reads.
fn is_closed_pipe(payload: &(dyn Any + Send)) -> bool {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
    text.is_some_and(|t| t.starts_with("failed printing to std") && t.contains("Broken pipe"))
}

//! AITER's kernels under the watching engine, by hand: `WAVESMITH_COUNT=1` tells errors without failing, so that results
//! are compared as well.

#[path = "aiter/main.rs"]
mod watched_aiter;

//! cargo fuzz run parse_never_panics
#![no_main]
use libfuzzer_sys::fuzz_target;
use wavesmith_asm::{Target, properties};

/// Lines are short, and files are many lines: longer inputs would be slower and reach nothing more.
const MOST: usize = 1024;

fuzz_target!(|text: &str| {
    let text = &text[..text.floor_char_boundary(MOST)];
    for target in Target::ALL {
        properties::parsing_any_text_never_panics(text, target);
    }
});

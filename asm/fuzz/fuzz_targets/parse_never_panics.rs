//! cargo fuzz run parse_never_panics
#![no_main]
use libfuzzer_sys::fuzz_target;
use wavesmith_asm::{Target, properties};

fuzz_target!(|text: &str| {
    for target in Target::ALL {
        properties::parsing_any_text_never_panics(text, target);
    }
});

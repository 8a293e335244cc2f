//! cargo fuzz run print_then_parse_is_the_identity
#![no_main]
use libfuzzer_sys::fuzz_target;
use wavesmith_asm::{Target, properties};

fuzz_target!(|data: &[u8]| {
    let words: Vec<u32> = data.chunks_exact(4).take(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    for target in Target::ALL {
        properties::printing_then_parsing_is_the_identity(&words, target);
    }
});

//! Bundles, ELF headers, notes and descriptors of any bytes end in objects or errors. Start from real ones:
//! `cargo +nightly fuzz run reading_never_panics FOLDER-OF-CODE-OBJECTS`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavesmith_loader::bundle;
use wavesmith_loader::code_object::{CodeObject, MAX_SPAN};

fuzz_target!(|bytes: &[u8]| {
    for entry in bundle::open(bytes).unwrap_or_default() {
        let Ok(object) = CodeObject::parse(&entry.bytes) else { continue };
        assert!(object.span().end <= MAX_SPAN);
        for kernel in &object.kernels {
            let _ = (kernel.kernarg_size(), object.symbolize(kernel.entry_vaddr), object.file_range(kernel.entry_vaddr, 4));
        }
    }
});

//! Makes the shared library of this crate a drop-in for ROCm's: its name inside, and the version of its symbols.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=rocr.map");
    println!("cargo::rerun-if-changed=build.rs");
    let set = |name: &str| var(name).unwrap_or_default();
    // Elsewhere there is no such runtime to stand in for, and the exports are not compiled.
    if set("CARGO_CFG_TARGET_OS") == "linux" && set("CARGO_CFG_TARGET_ARCH") == "x86_64" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhsa-runtime64.so.1");
        println!("cargo::rustc-cdylib-link-arg=-Wl,--version-script={}/rocr.map", set("CARGO_MANIFEST_DIR"));
    }
}

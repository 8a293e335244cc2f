//! Makes the shared library of this crate a drop-in for ROCm's: its name inside, and the version of its symbols. Also
//! compiles the library that is preloaded under programs that look for the kernel driver by themselves.

use std::env::var;
use std::path::Path;
use std::process::Command;

fn main() {
    for file in ["rocr.map", "driver_shim.rs", "build.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let set = |name: &str| var(name).unwrap_or_default();
    let shim = Path::new(&set("OUT_DIR")).join("driver_shim.so");
    // Elsewhere there is no such runtime to stand in for, and the exports are not compiled.
    if set("CARGO_CFG_TARGET_OS") == "linux" && set("CARGO_CFG_TARGET_ARCH") == "x86_64" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhsa-runtime64.so.1");
        println!("cargo::rustc-cdylib-link-arg=-Wl,--version-script={}/rocr.map", set("CARGO_MANIFEST_DIR"));
        let status = Command::new(set("RUSTC"))
            .args(["--edition=2024", "--crate-type=cdylib", "--crate-name=driver_shim", "--target", &set("TARGET")])
            .args(["-Copt-level=s", "-Cpanic=abort", "-Cstrip=symbols", "driver_shim.rs", "-o"])
            .arg(&shim)
            .status();
        match status {
            Ok(status) if status.success() => {}
            other => panic!("driver_shim.rs does not compile: {other:?}"),
        }
    } else if let Err(error) = std::fs::write(&shim, []) {
        panic!("{}: {error}", shim.display());
    }
}

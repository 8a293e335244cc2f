//! HIP kernels through `clang-22`: what a compiler of today makes of a source beside the test.

use std::path::Path;
use std::process::Command;
use wavesmith_asm::Target;

/// The code object of a file below `tests` for a target; `None`, told loudly, without the compiler, which CI has.
pub fn compiled(source: &str, target: Target) -> Option<Vec<u8>> {
    let name = source.replace('/', ".");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{target}.{}.co", std::process::id()));
    let done = Command::new("clang-22")
        .args(["-x", "hip", "--offload-device-only", "-nogpuinc", "-nostdinc", "-nogpulib", "-O2"])
        .args(["--no-gpu-bundle-output", &format!("--offload-arch={target}"), "-o"])
        .arg(&out)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(source))
        .output();
    let Ok(done) = done else {
        assert!(std::env::var_os("CI").is_none(), "CI has clang-22");
        eprintln!("SKIPPED: needs clang-22");
        return None;
    };
    assert!(done.status.success(), "{source}: {}", String::from_utf8_lossy(&done.stderr));
    let bytes = std::fs::read(&out).unwrap();
    std::fs::remove_file(&out).unwrap();
    Some(bytes)
}

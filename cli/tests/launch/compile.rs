//! The test kernels through `clang-22`, once a target and object version, and the shared corpus.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    Hip,
    OpenCl,
}

/// Says loudly that something is missing; CI has everything and fails.
pub fn skip(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "CI has {what}");
    eprintln!("SKIPPED: needs {what}");
}

type Done = HashMap<(Language, String, u32), Option<PathBuf>>;

/// Objects that were compiled, and the folder that holds them.
static DONE: LazyLock<Mutex<Done>> = LazyLock::new(Mutex::default);

/// The test kernels of a language as a code object; `None`, told loudly, without the compiler.
pub fn compiled(language: Language, target: &str, version: u32) -> Option<PathBuf> {
    let mut done = DONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.entry((language, target.to_owned(), version)).or_insert_with(|| compile(language, target, version)).clone()
}

fn compile(language: Language, target: &str, version: u32) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("launch-kernels");
    std::fs::create_dir_all(&folder).expect("creates a folder");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launch");
    let (source, name, flags): (_, _, &[&str]) = match language {
        Language::Hip => (
            "kernels.hip",
            "hip",
            &["-x", "hip", "--offload-device-only", "-nogpuinc", "-nostdinc", "--no-gpu-bundle-output"],
        ),
        Language::OpenCl => ("kernels.cl", "cl", &["-x", "cl", "--target=amdgcn-amd-amdhsa"]),
    };
    let arch = match language {
        Language::Hip => format!("--offload-arch={target}"),
        Language::OpenCl => format!("-mcpu={target}"),
    };
    let out = folder.join(format!("{name}.{target}.v{version}.{}.co", std::process::id()));
    let output = Command::new("clang-22")
        .args(flags)
        .args([&arch, "-nogpulib", "-O2", &format!("-DABI={version}"), &format!("-mcode-object-version={version}")])
        .arg(sources.join(source))
        .arg("-o")
        .arg(&out)
        .output();
    match output {
        Err(_) => {
            skip("clang-22");
            None
        }
        Ok(output) => {
            assert!(output.status.success(), "{source}: {}", String::from_utf8_lossy(&output.stderr));
            Some(out)
        }
    }
}

/// The folder of kernels that other compilers made, where it is checked out.
pub fn corpus() -> Option<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    if corpus.join("clang").is_dir() {
        return Some(corpus);
    }
    // Not ours to install: the kernels compiled above cover the same ground.
    eprintln!("SKIPPED: there is no corpus of compiled kernels next to the repository");
    None
}

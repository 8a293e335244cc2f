//! Where code objects of other compilers are: `../shared/corpus` next to the repository, and the folder that
//! `WAVESMITH_CORPUS` names.

#![allow(dead_code, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};

/// A folder of the shared corpus, if it is there.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus").join(folder);
    if !path.is_dir() {
        eprintln!("SKIPPED: needs ../shared/corpus/{folder} beside the repository");
        return None;
    }
    Some(path)
}

/// Every code object of the corpora, in a stable order.
pub fn objects() -> Vec<PathBuf> {
    let mut out = Vec::new();
    let folders = ["clang", "triton"].iter().filter_map(|f| shared(f));
    for folder in folders.chain(std::env::var_os("WAVESMITH_CORPUS").map(PathBuf::from)) {
        walk(&folder, &mut out);
    }
    out.sort();
    out
}

/// Every code object below a folder, in a stable order; none where there is no such folder.
pub fn below(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut out = Vec::new();
    walk(folder.as_ref(), &mut out);
    out.sort();
    out
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, out);
        } else if path.extension().is_some_and(|e| e == "co" || e == "hsaco") {
            out.push(path);
        }
    }
}

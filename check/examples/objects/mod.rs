//! The code objects under the paths that the examples are given, in one order on every machine.

use std::path::{Path, PathBuf};

/// Adds the file, or in order of their names those of the folder and its folders.
pub fn files(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).collect();
        entries.sort();
        entries.iter().for_each(|p| files(p, out));
    } else if path.extension().is_some_and(|e| e == "co" || e == "hsaco") {
        out.push(path.to_owned());
    }
}

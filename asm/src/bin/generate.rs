//! Writes the files generated from the instruction rows.
fn main() -> std::io::Result<()> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, content) in wavesmith_asm::generate::files() {
        let file = root.join(&path);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(file, content)?;
        eprintln!("wrote {path}");
    }
    Ok(())
}

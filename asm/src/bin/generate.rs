//! Writes the files generated from the instruction rows.
fn main() -> std::io::Result<()> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, content) in wavesmith_asm::generate::files() {
        std::fs::write(root.join(path), content)?;
        eprintln!("wrote {path}");
    }
    Ok(())
}

//! Assembles a file and shows what came of it. `cargo run --example assemble -- gfx942 FILE.s [SECTION OUT]`.
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    wavesmith_console::end_quietly_at_closed_pipes();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [target, file, rest @ ..] = args.as_slice() else {
        return Err("usage: assemble TARGET FILE [SECTION OUT]".into());
    };
    let target: Target = target.parse()?;
    let text = std::fs::read_to_string(file)?;
    match assemble(&text, target) {
        Ok(a) => {
            if let [section, out] = rest {
                let s = a.sections.iter().find(|s| s.name == *section).ok_or("no such section")?;
                std::fs::write(out, &s.data)?;
                return Ok(());
            }
            for s in &a.sections {
                println!("{} {} bytes, align {}, {} relocations", s.name, s.size, s.align, s.relocations.len());
            }
            println!(
                "kernels {:?}, code object v{}, metadata {}",
                a.kernels,
                a.code_object_version,
                a.metadata.is_some()
            );
            Ok(())
        }
        Err(errors) => {
            for e in &errors {
                eprint!("{}", e.render(file));
            }
            Err(format!("{} errors", errors.len()).into())
        }
    }
}

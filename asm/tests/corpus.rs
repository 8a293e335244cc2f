//! Triton's assembly of the shared corpus against the code objects that Triton made of it.
//!
//! Needs `../shared/corpus`; without it the test says so and passes.

use std::path::Path;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;

/// The bytes of a section of an ELF64 file.
fn section(elf: &[u8], name: &str) -> Option<Vec<u8>> {
    let u = |at: usize, n: usize| elf.get(at..at + n).map(|b| b.iter().rev().fold(0usize, |v, x| v << 8 | *x as usize));
    let (table, count, strings) = (u(40, 8)?, u(60, 2)?, u(62, 2)?);
    let names = u(table + 64 * strings + 24, 8)?;
    (0..count).find_map(|i| {
        let h = table + 64 * i;
        let at = names + u(h, 4)?;
        let end = at + elf.get(at..)?.iter().position(|b| *b == 0)?;
        if elf.get(at..end)? != name.as_bytes() {
            return None;
        }
        elf.get(u(h + 24, 8)?..u(h + 24, 8)? + u(h + 32, 8)?).map(<[u8]>::to_vec)
    })
}

#[test]
fn triton_assembly_gives_the_bytes_of_its_code_object() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/triton");
    let Ok(files) = std::fs::read_dir(&dir) else {
        eprintln!("SKIPPED: {} is not there", dir.display());
        return;
    };
    let mut compared = 0;
    for f in files.flatten().map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "amdgcn")) {
        let stem = f.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(target) = stem.rsplit('_').next().and_then(|t| t.parse::<Target>().ok()) else { continue };
        let text = std::fs::read_to_string(&f).expect("readable");
        let object = std::fs::read(f.with_extension("hsaco")).expect("its code object");
        let a = match assemble(&text, target) {
            Ok(a) => a,
            Err(e) => panic!("{}", e[0].render(&stem)),
        };
        let code = a.sections.iter().find(|s| s.name == ".text").expect("code");
        assert_eq!(Some(&code.data), section(&object, ".text").as_ref(), "{stem}: .text");
        let ours = a.sections.iter().find(|s| s.name == ".rodata").expect("descriptor");
        let theirs = section(&object, ".rodata").expect("descriptor");
        // The entry's distance is the linker's.
        assert_eq!(ours.data[..16], theirs[..16], "{stem}: descriptor");
        assert_eq!(ours.data[24..64], theirs[24..64], "{stem}: descriptor");
        compared += 1;
    }
    assert!(compared >= 4, "only {compared} files were compared");
}

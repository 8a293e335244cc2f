//! `wavesmith dis` and `wavesmith gen --asm` print files that `wavesmith asm` takes back to the same object.
//!
//! Compiled objects come from `../shared/corpus`; without it, or without AITER's objects under `WAVESMITH_CORPUS`, those
//! parts say so.

#[path = "../../loader/tests/corpus/mod.rs"]
mod corpus;

use std::path::Path;
use std::process::Command;
use wavesmith_asm::assemble::{Meta, Symbol};
use wavesmith_asm::disassemble::object::Object;
use wavesmith_loader::code_object::listing;

fn wavesmith(args: &[&str]) -> Vec<u8> {
    let out = Command::new(env!("CARGO_BIN_EXE_wavesmith")).args(args).output().expect("wavesmith starts");
    assert!(out.status.success(), "wavesmith {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

/// Map entries in order of their keys: the note's order is no content.
fn sorted(meta: &Meta) -> Meta {
    match meta {
        Meta::Map(entries) => {
            let mut entries: Vec<(String, Meta)> = entries.iter().map(|(k, v)| (k.clone(), sorted(v))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Meta::Map(entries)
        }
        Meta::List(items) => Meta::List(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// What a descriptor says, the distance to its kernel aside.
fn descriptors(o: &Object) -> Vec<(String, Vec<u8>)> {
    let of = |s: &Symbol| {
        let section = &o.sections[s.section? as usize].section;
        let mut raw = section.data.get(s.value as usize..s.value as usize + 64)?.to_vec();
        raw[16..24].fill(0);
        s.name.ends_with(".kd").then(|| (s.name.clone(), raw))
    };
    let mut all: Vec<_> = o.symbols.iter().filter(|s| s.defined).filter_map(of).collect();
    all.sort();
    all
}

fn code(o: &Object) -> Vec<(&str, &[u8])> {
    o.sections.iter().filter(|p| p.section.exec).map(|p| (p.section.name.as_str(), p.section.data.as_slice())).collect()
}

fn names(o: &Object) -> Vec<(String, u64, bool)> {
    let mut all: Vec<_> =
        o.symbols.iter().filter(|s| s.defined).map(|s| (s.name.clone(), s.size, s.section.is_some())).collect();
    all.sort();
    all
}

/// That the object and the one assembled from its text have the same content.
fn same(object: &Path, text: &Path, back: &Path) {
    wavesmith(&["asm", &text.to_string_lossy(), "-o", &back.to_string_lossy()]);
    let read = |p: &Path| listing(&std::fs::read(p).expect("readable")).expect("a code object");
    let (a, b) = (read(object), read(back));
    let name = object.display();
    assert_eq!(a.target_id, b.target_id, "{name}");
    assert_eq!(code(&a), code(&b), "{name}: code");
    assert_eq!(descriptors(&a), descriptors(&b), "{name}: descriptors");
    assert_eq!(names(&a), names(&b), "{name}: symbols");
    assert_eq!(a.metadata.as_ref().map(sorted), b.metadata.as_ref().map(sorted), "{name}: metadata");
    let data = |o: &Object| {
        let kept = o.sections.iter().filter(|p| p.section.write && p.section.name != ".got");
        kept.map(|p| (p.section.name.clone(), p.section.size)).collect::<Vec<_>>()
    };
    assert_eq!(data(&a), data(&b), "{name}: data");
}

fn there_and_back(object: &Path) {
    let dir = tempfile::tempdir().expect("a directory");
    let (text, back) = (dir.path().join("there.s"), dir.path().join("back.co"));
    std::fs::write(&text, wavesmith(&["dis", &object.to_string_lossy()])).expect("writable");
    same(object, &text, &back);
}

/// The place has no symbol, and its section is told before the one that refers to it.
#[test]
fn a_pointer_into_the_middle_of_an_earlier_section_comes_back() {
    let dir = tempfile::tempdir().expect("a directory");
    let (text, object) = (dir.path().join("a.s"), dir.path().join("a.co"));
    let source = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.text\ns_endpgm\n.section .rodata\n.byte 1, 2, 3, 4\n\
                  .Ltext: .asciz \"abc\"\n.data\n.p2align 3\npointer: .quad .Ltext\n";
    std::fs::write(&text, source).expect("writable");
    wavesmith(&["asm", &text.to_string_lossy(), "-o", &object.to_string_lossy()]);
    there_and_back(&object);
}

/// The assembler protects such a kernel by itself, and leaves its descriptor as widely seen as it was.
#[test]
fn a_kernel_that_nobody_protected_comes_back_with_its_directives() {
    let dir = tempfile::tempdir().expect("a directory");
    let (text, object) = (dir.path().join("a.s"), dir.path().join("a.co"));
    for protected in ["", ".protected k\n"] {
        let source = format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.text\n.globl k\n{protected}.p2align 8\n.type k,@function\nk:\ns_endpgm\n\
             .amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n.amdhsa_accum_offset 8\n.end_amdhsa_kernel\n"
        );
        std::fs::write(&text, source).expect("writable");
        wavesmith(&["asm", &text.to_string_lossy(), "-o", &object.to_string_lossy()]);
        let listed = wavesmith(&["dis", &object.to_string_lossy()]);
        let listed = String::from_utf8(listed).expect("UTF-8");
        assert!(listed.contains(".amdhsa_next_free_vgpr 8"), "{listed}");
        let back = dir.path().join("back.co");
        std::fs::write(&text, &listed).expect("writable");
        wavesmith(&["asm", &text.to_string_lossy(), "-o", &back.to_string_lossy()]);
        let read = |p: &Path| std::fs::read(p).expect("readable");
        assert!(read(&object) == read(&back), "{listed}");
    }
}

#[test]
fn compiled_objects_come_back_from_their_listing() {
    let files = corpus::below(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus"));
    if files.is_empty() {
        eprintln!("SKIPPED: ../shared/corpus is not there");
        return;
    }
    files.iter().for_each(|f| there_and_back(f));
    assert!(files.len() >= 30, "only {} objects", files.len());
}

/// Takes about four minutes, so only where it is asked for.
#[test]
fn aiter_s_objects_come_back_from_their_listing() {
    let files = std::env::var_os("WAVESMITH_CORPUS").map(corpus::below).unwrap_or_default();
    if files.is_empty() {
        eprintln!("SKIPPED: WAVESMITH_CORPUS names no directory with AITER's code objects");
        return;
    }
    let bytes: u64 = files.iter().filter_map(|f| f.metadata().ok()).map(|m| m.len()).sum();
    for (i, file) in files.iter().enumerate() {
        there_and_back(file);
        if (i + 1) % 100 == 0 {
            println!("{} of {} objects", i + 1, files.len());
        }
    }
    println!("{} objects of {bytes} bytes came back from their listing", files.len());
}

#[test]
fn generated_kernels_come_back_from_the_assembly_beside_them() {
    let catalog = String::from_utf8(wavesmith(&["gen"])).expect("text");
    let kernels: Vec<&str> =
        catalog.lines().filter(|l| !l.starts_with(' ')).filter_map(|l| l.split(':').next()).collect();
    assert!(!kernels.is_empty(), "{catalog}");
    for kernel in kernels {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        let (object, text) = (path("k.co"), path("k.s"));
        wavesmith(&["gen", kernel, "-o", &object.to_string_lossy(), "--asm", &text.to_string_lossy()]);
        same(&object, &text, &path("back.co"));
        there_and_back(&object);
    }
}

//! Assembled files, linked here and by `llvm-mc` and `ld.lld`: the same code, descriptors and metadata.

use goblin::elf::Elf;
use std::path::{Path, PathBuf};
use std::process::Command;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_emitter::link::link;
use wavesmith_emitter::object::LinkError;

/// A directory of its own, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("wavesmith-linked-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Scratch(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a tool; `None` where it is not installed, which CI does not forgive.
fn tool(name: &str, args: &[&str]) -> Option<()> {
    match Command::new(name).args(args).output() {
        Ok(out) => {
            assert!(out.status.success(), "{name} {args:?}: {}", String::from_utf8_lossy(&out.stderr));
            Some(())
        }
        Err(_) => {
            assert!(std::env::var_os("CI").is_none(), "{name} must be installed in CI");
            eprintln!("SKIPPED: needs {name}");
            None
        }
    }
}

/// What LLVM makes of the file.
fn by_llvm(scratch: &Scratch, target: Target, text: &str) -> Option<Vec<u8>> {
    let [s, o, co] = ["in.s", "out.o", "out.co"].map(|n| scratch.path(n));
    std::fs::write(&s, text).unwrap();
    let show = |p: &Path| p.to_str().unwrap().to_owned();
    let cpu = format!("-mcpu={target}");
    tool("llvm-mc-22", &["--triple=amdgcn-amd-amdhsa", &cpu, "-filetype=obj", "-o", &show(&o), &show(&s)])?;
    tool("ld.lld-22", &["-shared", "-o", &show(&co), &show(&o)])?;
    Some(std::fs::read(co).unwrap())
}

fn section<'a>(file: &'a [u8], elf: &Elf<'_>, name: &str) -> &'a [u8] {
    let found = elf.section_headers.iter().find(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(name));
    found.map_or(&[], |s| &file[s.file_range().unwrap_or(0..0)])
}

/// Links the file both ways and compares.
fn same(name: &str, target: Target, text: &str) {
    let assembled = assemble(text, target).unwrap_or_else(|e| panic!("{name}: {}", e[0].render(name)));
    let ours = link(&assembled).unwrap_or_else(|e| panic!("{name}: {e}"));
    let ours_elf = Elf::parse(&ours).unwrap();
    let scratch = Scratch::new(&format!("{name}-{target}"));
    let Some(theirs) = by_llvm(&scratch, target, text) else { return };
    let theirs_elf = Elf::parse(&theirs).unwrap();
    assert_eq!(ours_elf.header.e_flags, theirs_elf.header.e_flags, "{name}");
    assert_eq!(ours_elf.header.e_ident[8], theirs_elf.header.e_ident[8], "{name}");
    // All that is loaded: where each section lies, and its bytes.
    let loaded = |elf: &Elf<'_>| {
        let of = |s: &goblin::elf::SectionHeader| {
            let name = elf.shdr_strtab.get_at(s.sh_name).unwrap_or_default().to_owned();
            (name, s.sh_type, s.sh_addr, s.sh_size, s.sh_addralign)
        };
        elf.section_headers.iter().filter(|s| s.is_alloc()).map(of).collect::<Vec<_>>()
    };
    assert_eq!(loaded(&ours_elf), loaded(&theirs_elf), "{name}: sections");
    for (s, ..) in loaded(&theirs_elf) {
        assert_eq!(section(&ours, &ours_elf, &s), section(&theirs, &theirs_elf, &s), "{name}: {s}");
    }
    let segments = |elf: &Elf<'_>| {
        let of = |p: &goblin::elf::ProgramHeader| (p.p_type, p.p_flags, p.p_offset, p.p_vaddr, p.p_filesz, p.p_memsz);
        elf.program_headers.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(segments(&ours_elf), segments(&theirs_elf), "{name}: segments");
}

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus")).join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: needs the corpus beside the repository");
    None
}

#[test]
fn triton_s_text_links_to_what_llvm_links() {
    let Some(dir) = shared("triton") else { return };
    let mut done = 0;
    for target in Target::ALL {
        for name in ["vadd", "matmul_bf16"] {
            let text = std::fs::read_to_string(dir.join(format!("{name}_{target}.amdgcn"))).unwrap();
            assert!(link(&assemble(&text, target).unwrap()).is_ok());
            // Triton's LLVM writes a triple of its own, which LLVM 22 refuses.
            let start = text.find(".amdgcn_target \"").unwrap() + ".amdgcn_target \"".len();
            let own = text[start..].split('"').next().unwrap();
            let text = text.replace(own, &format!("amdgcn-amd-amdhsa--{target}"));
            same(name, target, &text);
            done += 1;
        }
    }
    assert_eq!(done, 8);
}

#[test]
fn clang_s_text_links_to_what_llvm_links() {
    let Some(dir) = shared("clang") else { return };
    let scratch = Scratch::new("clang");
    let source = dir.join("k.hip");
    for target in Target::ALL {
        for version in [4, 5, 6] {
            let out = scratch.path("out.s");
            let arch = format!("--offload-arch={target}");
            let version = format!("-mcode-object-version={version}");
            let args = ["-x", "hip", "--offload-device-only", "-nogpulib", "-nogpuinc", "-nostdinc", "-O2", "-S", "-o"];
            let rest = [out.to_str().unwrap(), &arch, &version, source.to_str().unwrap()];
            if tool("clang-22", &[&args[..], &rest[..]].concat()).is_none() {
                return;
            }
            same("hip", target, &std::fs::read_to_string(&out).unwrap());
        }
    }
}

/// Kernels with constant tables, globals with addresses in them, LDS, functions, recursion, virtual functions, odd alignments
/// and sections, compiled with and without optimization.
#[test]
fn compiled_data_lies_where_lld_puts_it() {
    let scratch = Scratch::new("data");
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/linked"));
    for (name, language) in [("tables.cl", "cl"), ("pointers.cl", "cl"), ("sections.cl", "cl"), ("objects.hip", "hip")]
    {
        let source = folder.join(name);
        for target in Target::ALL {
            for level in ["-O0", "-O2"] {
                let out = scratch.path("out.s");
                let arch =
                    if language == "hip" { format!("--offload-arch={target}") } else { format!("-mcpu={target}") };
                let of_language: &[&str] = match language {
                    "hip" => &["--offload-device-only", "-nogpuinc", "-nostdinc"],
                    _ => &["-cl-std=CL2.0", "--target=amdgcn-amd-amdhsa"],
                };
                let args = ["-w", "-x", language, "-nogpulib", level, "-S", &arch];
                let rest = ["-o", out.to_str().unwrap(), source.to_str().unwrap()];
                if tool("clang-22", &[&args[..], of_language, &rest[..]].concat()).is_none() {
                    return;
                }
                same(&format!("{name}{level}"), target, &std::fs::read_to_string(&out).unwrap());
            }
        }
    }
}

const GLOBALS: &str = "
.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-\"
.text
.globl f
.protected f
.p2align 8
.type f,@function
f:
  s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, table@rel32@lo+4
  s_addc_u32 s1, s1, table@rel32@hi+12
  s_getpc_b64 s[2:3]
  s_add_u32 s2, s2, counter@gotpcrel32@lo+4
  s_addc_u32 s3, s3, counter@gotpcrel32@hi+12
  s_endpgm
.Lend:
.size f, .Lend-f
.section .rodata.t,\"a\",@progbits
.p2align 4
table:
  .long 1, 2, 3
.data
.globl counter
.protected counter
.p2align 3
.type counter,@object
counter:
  .quad table
.size counter, 8
.bss
.globl room
.p2align 6
.type room,@object
room:
  .zero 4096
.size room, 4096
";

#[test]
fn addresses_of_globals_are_resolved_or_left_to_the_loader() {
    let file = link(&assemble(GLOBALS, Target::Gfx90a).unwrap()).unwrap();
    let elf = Elf::parse(&file).unwrap();
    assert_eq!(elf.header.e_flags & 0xf00, 0xe00, "sramecc+ and xnack-");
    let symbol = |name: &str| elf.syms.iter().find(|s| elf.strtab.get_at(s.st_name) == Some(name)).unwrap().st_value;
    let text = section(&file, &elf, ".text");
    let word = |i: usize| u32::from_le_bytes(text[4 * i..4 * i + 4].try_into().unwrap());
    let whole = |lo: usize, hi: usize| u64::from(word(lo)) | u64::from(word(hi)) << 32;
    // The pair after s_getpc counts from the instruction after it.
    let pc = symbol("f") + 4;
    assert_eq!(pc.wrapping_add(whole(2, 4)), symbol("table"));
    let slot = (symbol("f") + 24).wrapping_add(whole(7, 9));
    let relocations: Vec<_> = elf.dynrelas.iter().map(|r| (r.r_offset, r.r_type, r.r_addend)).collect();
    assert!(relocations.contains(&(slot, 13, Some(symbol("counter") as i64))), "{relocations:x?}");
    assert!(relocations.contains(&(symbol("counter"), 13, Some(symbol("table") as i64))), "{relocations:x?}");
    assert_eq!(symbol("room") % 64, 0);
    same("globals", Target::Gfx90a, &GLOBALS.replace(":sramecc+:xnack-", ""));
}

#[test]
fn a_symbol_that_is_nowhere_is_named() {
    let text = ".text\nf:\n s_add_u32 s0, s0, missing@rel32@lo+4\n s_endpgm\n";
    let error = link(&assemble(text, Target::Gfx942).unwrap()).unwrap_err();
    assert!(matches!(&error, LinkError::Unsupported { symbol, .. } if symbol == "missing"), "{error}");
}

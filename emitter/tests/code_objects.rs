//! What the packer writes, read back by other hands: goblin always, LLVM's tools where they are installed.

use goblin::elf::{Elf, program_header as ph};
use std::path::PathBuf;
use std::process::Command;
use wavesmith_asm::Target;
use wavesmith_emitter::descriptor::{RegisterUse, UserSgprs};
use wavesmith_emitter::metadata::{Argument, KernelMetadata, ValueKind};
use wavesmith_emitter::object::{
    Features, Global, GlobalKind, LinkError, ObjectVersion, PackOptions, RelocKind, Relocation, pack,
};
use wavesmith_emitter::{Feature, Kernel, KernelDescriptor, Listing};

const S_ENDPGM: u32 = 0xbf81_0000;
const S_NOP: u32 = 0xbf80_0000;

fn kernel(name: &str, target: Target, words: usize) -> Kernel {
    let mut code: Vec<u8> = std::iter::repeat_n(S_NOP.to_le_bytes(), words).flatten().collect();
    code.extend(S_ENDPGM.to_le_bytes());
    let registers = RegisterUse { sgprs: 20, vgprs: 33, agprs: 4, vcc: true, flat_scratch: false };
    Kernel {
        name: name.into(),
        target,
        code,
        descriptor: KernelDescriptor {
            group_segment_fixed_size: 1024,
            kernarg_size: 24,
            registers,
            user_sgprs: UserSgprs { kernarg_segment_ptr: true, ..UserSgprs::default() },
            ..KernelDescriptor::default()
        },
        metadata: KernelMetadata {
            name: name.into(),
            args: vec![
                Argument { name: "out".into(), offset: 0, size: 8, kind: ValueKind::GlobalBuffer },
                Argument { name: "n".into(), offset: 8, size: 4, kind: ValueKind::ByValue },
                Argument { name: String::new(), offset: 16, size: 8, kind: ValueKind::HiddenNone },
            ],
            kernarg_segment_size: 24,
            kernarg_segment_align: 8,
            group_segment_fixed_size: 1024,
            sgpr_count: registers.total_sgprs(target, Feature::Any),
            vgpr_count: registers.total_vgprs(target),
            agpr_count: registers.agprs,
            max_flat_workgroup_size: 256,
            reqd_workgroup_size: Some([256, 1, 1]),
            ..KernelMetadata::default()
        },
        relocations: Vec::new(),
        listing: Listing::default(),
    }
}

/// Runs an LLVM tool on the object and returns its standard output; it must say nothing on standard error. `None`
/// where the tool is not installed, which a run under CI does not forgive.
fn llvm(tool: &str, args: &[&str], object: &[u8]) -> Option<String> {
    let file: PathBuf = std::env::temp_dir().join(format!(
        "wavesmith-{}-{}-{:?}.co",
        tool,
        std::process::id(),
        std::thread::current().id()
    ));
    std::fs::write(&file, object).unwrap();
    let result = Command::new(tool).args(args).arg(&file).output();
    std::fs::remove_file(&file).unwrap();
    let Ok(output) = result else {
        assert!(std::env::var_os("CI").is_none(), "{tool} must be installed in CI");
        eprintln!("SKIPPED: needs {tool}");
        return None;
    };
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && err.is_empty(), "{tool}: {err}");
    Some(String::from_utf8(output.stdout).unwrap())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The file bytes at a virtual address, through the program headers as a loader does.
fn at_address<'a>(elf: &Elf<'_>, file: &'a [u8], addr: u64) -> &'a [u8] {
    let segment = elf
        .program_headers
        .iter()
        .find(|p| p.p_type == ph::PT_LOAD && (p.p_vaddr..p.p_vaddr + p.p_filesz).contains(&addr))
        .unwrap_or_else(|| panic!("{addr:#x} is in no segment"));
    &file[(addr - segment.p_vaddr + segment.p_offset) as usize..(segment.p_offset + segment.p_filesz) as usize]
}

fn symbol(elf: &Elf<'_>, name: &str) -> u64 {
    let found = elf.dynsyms.iter().find(|s| elf.dynstrtab.get_at(s.st_name) == Some(name));
    found.unwrap_or_else(|| panic!("no dynamic symbol {name}")).st_value
}

#[test]
fn every_descriptor_leads_to_its_code_on_every_target_and_version() {
    for target in Target::ALL {
        for version in [ObjectVersion::V4, ObjectVersion::V5, ObjectVersion::V6] {
            let kernels = [kernel("first", target, 3), kernel("second", target, 300), kernel("third", target, 0)];
            let object = pack(&kernels, &PackOptions { version, ..PackOptions::default() }).unwrap();
            let elf = Elf::parse(&object).unwrap();
            assert_eq!(elf.header.e_machine, 224);
            assert_eq!(elf.header.e_ident[7], 64);
            assert_eq!(elf.header.e_ident[8], version.abi());
            assert_eq!(elf.header.e_flags, 0x500 | target.elf_mach());
            for k in &kernels {
                let descriptor = symbol(&elf, &format!("{}.kd", k.name));
                let bytes = at_address(&elf, &object, descriptor);
                let offset = i64::from_le_bytes(bytes[16..24].try_into().unwrap());
                let entry = descriptor.wrapping_add_signed(offset);
                assert_eq!(entry, symbol(&elf, &k.name));
                assert_eq!(entry % 256, 0);
                assert_eq!(&at_address(&elf, &object, entry)[..k.code.len()], &k.code[..]);
                assert_eq!(word(bytes, 0), 1024);
                assert_eq!(word(bytes, 8), 24);
            }
        }
    }
}

#[test]
fn the_prefetcher_never_leaves_the_segment() {
    for target in Target::ALL {
        let k = kernel("k", target, 7);
        let object = pack(std::slice::from_ref(&k), &PackOptions::default()).unwrap();
        let elf = Elf::parse(&object).unwrap();
        let entry = symbol(&elf, "k");
        let after = at_address(&elf, &object, entry + k.code.len() as u64);
        let expected = if target.unified_vgprs() { 1024 } else { 0 };
        assert!(after.len() >= expected, "{target}: {} bytes", after.len());
        assert!(after.chunks(4).all(|w| word(w, 0) == S_NOP));
    }
}

#[test]
fn the_note_lists_kernels_and_arguments() {
    let features = Features { xnack: Feature::Off, sramecc: Feature::On };
    let kernels = [kernel("a", Target::Gfx90a, 1), kernel("b", Target::Gfx90a, 1)];
    let object = pack(&kernels, &PackOptions { features, ..PackOptions::default() }).unwrap();
    let elf = Elf::parse(&object).unwrap();
    assert_eq!(elf.header.e_flags & 0xf00, 0xe00);
    let note = elf.iter_note_headers(&object).unwrap().next().unwrap().unwrap();
    assert_eq!((note.name, note.n_type), ("AMDGPU", 32));
    let root = rmpv::decode::read_value(&mut &note.desc[..]).unwrap();
    assert_eq!(root["amdhsa.target"].as_str(), Some("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"));
    let listed = root["amdhsa.kernels"].as_array().unwrap();
    assert_eq!(listed.len(), 2);
    let args = listed[1][".args"].as_array().unwrap();
    assert_eq!(listed[1][".symbol"].as_str(), Some("b.kd"));
    assert_eq!(args[0][".value_kind"].as_str(), Some("global_buffer"));
    assert_eq!(args[1][".offset"].as_u64(), Some(8));
    assert!(args[2][".name"].is_nil());
}

#[test]
fn llvm_reads_objects_of_every_target_and_version_without_a_word_of_complaint() {
    for target in Target::ALL {
        for version in [ObjectVersion::V4, ObjectVersion::V5, ObjectVersion::V6] {
            let object = pack(
                &[kernel("first", target, 3), kernel("second", target, 70)],
                &PackOptions { version, ..globals_and_addresses() },
            )
            .unwrap();
            let Some(text) = llvm("llvm-readobj-22", &["--all"], &object) else { return };
            for want in ["Format: elf64-amdgpu", "NT_AMDGPU_METADATA", "Name: second.kd", ".symbol:         first.kd"] {
                assert!(text.contains(want), "{target} {version:?}: no {want} in\n{text}");
            }
            assert!(!text.contains("Unknown") && !text.contains("<?>"), "{text}");
            let text = llvm("llvm-objdump-22", &["-d", "--no-show-raw-insn"], &object).unwrap();
            assert_eq!(text.matches("s_endpgm").count(), 2);
        }
    }
}

#[test]
fn llvm_disassembles_the_descriptor_to_the_directives_it_was_made_from() {
    for (target, accum, vgprs) in
        [(Target::Gfx908, None, 36), (Target::Gfx90a, Some(36), 40), (Target::Gfx950, Some(36), 40)]
    {
        let object = pack(&[kernel("k", target, 3)], &PackOptions::default()).unwrap();
        let Some(text) = llvm("llvm-objdump-22", &["-D", "-j", ".rodata"], &object) else { return };
        let has = |line: String| assert!(text.contains(&line), "{target}: no `{line}` in\n{text}");
        has(".amdhsa_group_segment_fixed_size 1024".into());
        has(".amdhsa_kernarg_size 24".into());
        has(format!(".amdhsa_next_free_vgpr {vgprs}"));
        has(".amdhsa_user_sgpr_kernarg_segment_ptr 1".into());
        has(".amdhsa_system_sgpr_workgroup_id_x 1".into());
        has(".amdhsa_float_denorm_mode_32 3".into());
        if let Some(accum) = accum {
            has(format!(".amdhsa_accum_offset {accum}"));
        }
    }
}

fn globals_and_addresses() -> PackOptions {
    let reloc =
        |offset, symbol: &str, addend| Relocation { offset, kind: RelocKind::Abs64, symbol: symbol.into(), addend };
    PackOptions {
        globals: vec![
            Global { name: "table".into(), align: 16, kind: GlobalKind::Constant(vec![7; 40]), relocations: vec![] },
            Global {
                name: "pointers".into(),
                align: 8,
                kind: GlobalKind::Data(vec![0; 24]),
                relocations: vec![reloc(0, "table", 8), reloc(16, "scratchpad", 0)],
            },
            Global { name: "scratchpad".into(), align: 4096, kind: GlobalKind::Zeroed(1 << 20), relocations: vec![] },
        ],
        ..PackOptions::default()
    }
}

#[test]
fn globals_have_their_bytes_and_addresses_wait_for_the_loader() {
    let object = pack(&[kernel("k", Target::Gfx942, 3)], &globals_and_addresses()).unwrap();
    let elf = Elf::parse(&object).unwrap();
    assert_eq!(&at_address(&elf, &object, symbol(&elf, "table"))[..40], &[7; 40]);
    assert_eq!(symbol(&elf, "scratchpad") % 4096, 0);
    let bss = elf.program_headers.iter().filter(|p| p.p_type == ph::PT_LOAD).max_by_key(|p| p.p_vaddr).unwrap();
    assert!(bss.p_vaddr + bss.p_memsz >= symbol(&elf, "scratchpad") + (1 << 20));
    let found: Vec<(u64, u32, Option<i64>)> = elf.dynrelas.iter().map(|r| (r.r_offset, r.r_type, r.r_addend)).collect();
    let pointers = symbol(&elf, "pointers");
    assert_eq!(
        found,
        [
            (pointers, 13, Some(symbol(&elf, "table") as i64 + 8)),
            (pointers + 16, 13, Some(symbol(&elf, "scratchpad") as i64))
        ]
    );
    // Nothing writable shares a page with what the loader makes read-only.
    let relro = elf.program_headers.iter().find(|p| p.p_type == ph::PT_GNU_RELRO).unwrap();
    assert!(relro.p_vaddr + relro.p_memsz <= pointers);
}

#[test]
fn code_reaches_a_global_by_two_pc_relative_halves() {
    let mut k = kernel("k", Target::Gfx942, 5);
    for (offset, kind) in [(8, RelocKind::Rel32Lo), (12, RelocKind::Rel32Hi)] {
        k.relocations.push(Relocation { offset, kind, symbol: "table".into(), addend: 0 });
    }
    let object = pack(&[kernel("other", Target::Gfx942, 1), k], &globals_and_addresses()).unwrap();
    let elf = Elf::parse(&object).unwrap();
    let entry = symbol(&elf, "k");
    let code = at_address(&elf, &object, entry);
    let lo = u64::from(word(code, 8)).wrapping_add(entry + 8) & 0xffff_ffff;
    assert_eq!(lo, symbol(&elf, "table") & 0xffff_ffff);
    assert_eq!(word(code, 12), 0xffff_ffff, "the table lies below the code");
}

#[test]
fn what_cannot_be_linked_is_named() {
    let target = Target::Gfx942;
    let k = |name: &str| kernel(name, target, 1);
    assert_eq!(pack(&[], &PackOptions::default()), Err(LinkError::Empty));
    assert_eq!(pack(&[k("same"), k("same")], &PackOptions::default()), Err(LinkError::DuplicateSymbol("same".into())));
    assert!(matches!(
        pack(&[k("a"), kernel("b", Target::Gfx90a, 1)], &PackOptions::default()),
        Err(LinkError::MixedTargets { kernel, .. }) if kernel == "b"
    ));
    let with = |offset, kind, symbol: &str| {
        let mut k = k("k");
        k.relocations.push(Relocation { offset, kind, symbol: symbol.into(), addend: 0 });
        pack(&[k], &globals_and_addresses())
    };
    assert!(matches!(with(0, RelocKind::Rel32Lo, "nowhere"), Err(LinkError::UnknownSymbol { .. })));
    assert!(matches!(with(6, RelocKind::Rel32Lo, "table"), Err(LinkError::OutsideSection { offset: 6, .. })));
    assert!(matches!(with(0, RelocKind::Abs32Lo, "table"), Err(LinkError::Unsupported { .. })));
    assert!(matches!(with(0, RelocKind::Abs64, "table"), Err(LinkError::Unsupported { .. })));
    assert!(matches!(with(2, RelocKind::Rel16, "scratchpad"), Err(LinkError::OutOfReach { .. })));
}

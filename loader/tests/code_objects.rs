//! The reader against objects of other compilers, where the folders are there, and against broken ones always.

mod corpus;
mod minimal;

use proptest::prelude::*;
use wavesmith_asm::Target;
use wavesmith_loader::code_object::{AbiVersion, CodeObject, CodeObjectError, Feature, ValueKind};

#[test]
fn every_object_of_the_corpora_reads_with_kernels_and_metadata() {
    let mut read = 0;
    for path in corpus::objects() {
        let bytes = std::fs::read(&path).expect("corpus file");
        let object = CodeObject::parse(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(!object.kernels.is_empty(), "{}: no kernels", path.display());
        for kernel in &object.kernels {
            let name = format!("{}: {}", path.display(), kernel.name);
            let d = &kernel.descriptor;
            assert!(kernel.metadata.is_some(), "{name}: no metadata");
            assert!(object.file_range(kernel.entry_vaddr, 4).is_some(), "{name}: entry outside the file");
            assert!(!d.wave32, "{name}: wave32");
            assert!(
                d.user_sgprs.count() + u32::from(d.preload_length) <= u32::from(d.rsrc2.user_sgpr_count),
                "{name}: user SGPRs {:?} do not fit",
                d
            );
        }
        read += 1;
    }
    eprintln!("{read} objects read");
}

/// The look-ups have an order of their own; a look at each in turn has none.
#[test]
fn kernels_are_found_by_their_descriptor_and_symbols_by_their_name() {
    let mut objects = vec![minimal::object()];
    objects.extend(corpus::objects().iter().map(|path| std::fs::read(path).expect("corpus file")));
    for bytes in objects {
        let object = CodeObject::parse(&bytes).expect("reads");
        assert!(!object.symbols.is_empty());
        for symbol in &object.symbols {
            let by_address = object.kernels.iter().find(|k| k.descriptor_vaddr == symbol.value);
            assert_eq!(object.kernel_at(symbol.value).map(|k| &k.name), by_address.map(|k| &k.name));
            assert!(object.kernel_at(symbol.value + 1).is_none());
            let named: Vec<_> = object.symbols.iter().filter(|s| s.name == symbol.name).map(|s| s.value).collect();
            assert_eq!(object.symbols_named(&symbol.name).map(|s| s.value).collect::<Vec<_>>(), named);
        }
        assert_eq!(object.symbols_named("no such symbol").count(), 0);
        assert!(object.kernel_at(u64::MAX).is_none());
    }
}

#[test]
fn hip_objects_have_the_version_target_and_arguments_of_their_name() {
    let Some(folder) = corpus::shared("clang") else { return };
    for target in Target::ALL {
        for (version, abi) in [(4, AbiVersion::V4), (5, AbiVersion::V5), (6, AbiVersion::V6)] {
            let bytes = std::fs::read(folder.join(format!("hip.{target}.v{version}.co"))).expect("corpus file");
            let object = CodeObject::parse(&bytes).expect("reads");
            assert_eq!((object.target, object.abi), (target, abi));
            assert_eq!(object.features.xnack, Feature::Any);
            let vadd = object.kernel("vadd.kd").or(object.kernel("vadd")).expect("vadd");
            let args = &vadd.metadata.as_ref().expect("metadata").args;
            let visible: Vec<_> = args.iter().filter(|a| !a.value_kind.is_hidden()).collect();
            assert!(visible.iter().any(|a| a.value_kind == ValueKind::GlobalBuffer && a.size == 8));
            assert!(args.iter().all(|a| !matches!(a.value_kind, ValueKind::Other(_))), "{args:?}");
            let end = args.iter().map(|a| a.offset + a.size).max().expect("args");
            assert!(end <= vadd.kernarg_size());
            assert_eq!(object.symbolize(vadd.entry_vaddr), Some(("vadd", 0)));
        }
    }
}

#[test]
fn a_minimal_object_reads_and_each_field_is_where_the_abi_puts_it() {
    let object = CodeObject::parse(&minimal::object()).expect("reads");
    assert_eq!(object.target, Target::Gfx942);
    let kernel = object.kernel("k").expect("kernel");
    let d = &kernel.descriptor;
    assert_eq!((d.group_segment_size, d.private_segment_size, d.kernarg_size), (1024, 16, 24));
    assert_eq!(d.vgprs(Target::Gfx942), 32);
    assert_eq!(d.accum_offset(Target::Gfx942), Some(16));
    assert_eq!(d.rsrc2.user_sgpr_count, 2);
    assert!(d.user_sgprs.kernarg_ptr && !d.user_sgprs.dispatch_ptr);
    assert!(d.rsrc1.ieee && d.rsrc1.dx10_clamp && d.rsrc1.denorm_32 == 3);
    assert!(d.reserved_is_zero);
    assert_eq!(kernel.entry_vaddr, minimal::ENTRY);
}

#[test]
fn a_wrong_machine_type_or_version_is_named_with_offset_and_value() {
    let patched = |at: usize, byte: u8| {
        let mut bytes = minimal::object();
        bytes[at] = byte;
        CodeObject::parse(&bytes).expect_err("must fail")
    };
    for (at, what, offset) in [
        (0, "ELF magic", 0),
        (4, "EI_CLASS", 4),
        (5, "EI_DATA", 5),
        (7, "EI_OSABI", 7),
        (8, "EI_ABIVERSION", 8),
        (16, "e_type", 16),
        (18, "e_machine", 18),
        (48, "e_flags", 48),
    ] {
        match patched(at, 0x99) {
            CodeObjectError::Unexpected { what: w, offset: o, .. } => assert_eq!((w, o), (what, offset)),
            other => panic!("byte {at}: {other}"),
        }
    }
}

#[test]
fn an_object_for_another_gpu_is_refused_by_its_name() {
    for (mach, name) in [(0x41, "gfx1100"), (0x2f, "gfx906"), (0x5f, "gfx9-4-generic")] {
        let mut bytes = minimal::object();
        bytes[48] = mach;
        let error = CodeObject::parse(&bytes).expect_err(name).to_string();
        assert!(error.contains(&format!("built for {name} ")) && error.contains("gfx950"), "{error}");
    }
}

#[test]
fn every_truncation_of_an_object_is_an_error_or_reads() {
    let bytes = minimal::object();
    for n in 0..bytes.len() {
        let _ = CodeObject::parse(&bytes[..n]);
    }
    assert!(CodeObject::parse(&bytes[..63]).is_err());
    assert!(CodeObject::parse(&[]).is_err());
}

#[test]
fn a_note_that_is_cut_off_within_its_header_is_an_error_and_not_no_metadata() {
    const NOTE: usize = 0x350;
    let with_note = |contents: &[u8]| {
        let mut bytes = minimal::object();
        bytes[56] = 3;
        let header = [4 | 4 << 32, NOTE as u64, 0, 0, contents.len() as u64, contents.len() as u64, 4];
        for (i, word) in header.iter().enumerate() {
            bytes[176 + i * 8..][..8].copy_from_slice(&u64::to_le_bytes(*word));
        }
        bytes[NOTE..NOTE + contents.len()].copy_from_slice(contents);
        CodeObject::parse(&bytes)
    };
    assert!(with_note(&[]).is_ok());
    for n in 1..12 {
        let error = with_note(&vec![0; n]).expect_err("is refused").to_string();
        assert!(error.contains("the header of a note needs 12 bytes at offset 0x350"), "{n}: {error}");
    }
    // A whole note of another vendor, and what follows it: padding, or the beginning of another.
    let foreign = [4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, b'G', b'N', b'U', 0];
    assert!(with_note(&foreign).is_ok());
    assert!(with_note(&[&foreign[..], &[0; 8]].concat()).is_ok());
    assert!(with_note(&[&foreign[..], &foreign[..8]].concat()).is_err());
}

fn corpus_or_minimal() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> =
        corpus::objects().iter().take(40).filter_map(|p| std::fs::read(p).ok()).filter(|b| b.len() < 65536).collect();
    all.push(minimal::object());
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_objects_never_panic(
        pick in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..24),
        cut in prop::option::of(any::<prop::sample::Index>()),
        head in any::<bool>(),
    ) {
        thread_local!(static SEEDS: Vec<Vec<u8>> = corpus_or_minimal());
        SEEDS.with(|seeds| {
            let mut bytes = pick.get(seeds).clone();
            for (at, value) in edits {
                // Headers, dynamic table and notes are where structure is: half of the cases stay there.
                let limit = if head { bytes.len().min(2048) } else { bytes.len() };
                let at = at.index(limit);
                bytes[at] = value;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            if let Ok(object) = CodeObject::parse(&bytes) {
                prop_assert!(object.span().end <= wavesmith_loader::code_object::MAX_SPAN);
                for k in &object.kernels {
                    let _ = (k.kernarg_size(), object.symbolize(k.entry_vaddr));
                }
            }
            Ok(())
        })?;
    }
}

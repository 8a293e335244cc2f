//! Offload bundles: written by hand always, by Clang's bundler where it is installed (CI has it).

mod minimal;

use proptest::prelude::*;
use std::process::Command;
use wavesmith_asm::Target;
use wavesmith_loader::bundle::{BundleError, Entry, for_target, open};
use wavesmith_loader::code_object::CodeObject;

/// A plain bundle of a host entry and these.
fn plain(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let host: (&str, &[u8]) = ("host-x86_64-unknown-linux-gnu", &[]);
    let all: Vec<_> = std::iter::once(&host).chain(entries).collect();
    let header: usize = 32 + all.iter().map(|(id, _)| 24 + id.len()).sum::<usize>();
    let mut out = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    out.extend((all.len() as u64).to_le_bytes());
    let mut at = header.next_multiple_of(4096);
    let begin = at;
    for (id, code) in &all {
        out.extend((at as u64).to_le_bytes());
        out.extend((code.len() as u64).to_le_bytes());
        out.extend((id.len() as u64).to_le_bytes());
        out.extend(id.as_bytes());
        at += code.len();
    }
    out.resize(begin, 0);
    all.iter().for_each(|(_, code)| out.extend(*code));
    out
}

const ID: &str = "hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-";

#[test]
fn a_bundle_gives_its_code_objects_and_leaves_the_host_out() {
    let object = minimal::object();
    let entries = open(&plain(&[(ID, &object), ("hipv4-amdgcn-amd-amdhsa--gfx1100", b"other")])).expect("opens");
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0], Entry { id: ID.to_owned(), target: Some(Target::Gfx942), bytes: object.clone() });
    assert_eq!(entries[1].target, None);
    assert!(CodeObject::parse(&for_target(&entries, Target::Gfx942).next().expect("one").bytes).is_ok());
}

#[test]
fn a_code_object_is_its_own_only_entry() {
    let object = minimal::object();
    assert_eq!(open(&object), Ok(vec![Entry { id: String::new(), target: None, bytes: object }]));
}

#[test]
fn what_is_neither_is_told_by_its_first_bytes() {
    assert_eq!(open(b"hello world"), Err(BundleError::Unknown(b"hello wo".to_vec())));
    assert_eq!(open(&[]), Err(BundleError::Unknown(Vec::new())));
    let program = std::fs::read("/proc/self/exe").expect("this program");
    assert!(matches!(open(&program), Err(BundleError::NoDeviceCode { .. })));
}

#[test]
fn a_header_that_claims_too_much_is_an_error_and_no_allocation() {
    let mut many = plain(&[(ID, b"x")]);
    many[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(matches!(open(&many), Err(BundleError::Unexpected { .. })));
    let mut packed = b"CCOB".to_vec();
    packed.extend([3, 0, 1, 0]);
    packed.extend(u64::MAX.to_le_bytes());
    packed.extend(u64::MAX.to_le_bytes());
    packed.extend([0; 8]);
    assert!(matches!(open(&packed), Err(BundleError::Unexpected { what: "the unpacked size", .. })));
}

#[test]
fn a_cut_off_bundle_says_what_is_missing_and_never_nothing() {
    let whole = plain(&[(ID, &minimal::object())]);
    let mut packed = b"CCOB\x01\0\x01\0".to_vec();
    packed.extend([64, 0, 0, 0]);
    packed.extend([0; 8]);
    let cuts = (24..160).chain([4095, 4096, whole.len() - 1]).map(|n| &whole[..n]);
    for bytes in cuts.chain((4..=packed.len()).map(|n| &packed[..n])) {
        match open(bytes) {
            Err(BundleError::OutOfBounds { size, .. }) => assert_ne!(size, 0, "cut to {}", bytes.len()),
            Err(BundleError::Corrupt(reason)) => assert!(reason.contains("nothing follows"), "{reason}"),
            other => panic!("cut to {}: {other:?}", bytes.len()),
        }
    }
}

#[test]
fn bundles_of_clang_open_in_every_form() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (object, input, host) = (minimal::object(), folder.path().join("k.co"), folder.path().join("host"));
    std::fs::write(&input, &object).expect("writes");
    std::fs::write(&host, []).expect("writes");
    for options in [&[][..], &["-compress"], &["-compress", "-compression-level=19"]] {
        let output = folder.path().join("bundle");
        let made = Command::new("clang-offload-bundler-22")
            .args(["-type=o", "-bundle-align=4096"])
            .arg(format!("-targets=host-x86_64-unknown-linux--,{ID}"))
            .arg(format!("-input={}", host.display()))
            .arg(format!("-input={}", input.display()))
            .arg(format!("-output={}", output.display()))
            .args(options)
            .output();
        match made {
            Ok(o) => assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr)),
            Err(e) => {
                assert!(std::env::var_os("CI").is_none(), "needs clang-offload-bundler-22: {e}");
                eprintln!("SKIPPED: needs clang-offload-bundler-22: {e}");
                return;
            }
        }
        let bundle = std::fs::read(&output).expect("reads");
        assert_eq!(bundle.starts_with(b"CCOB"), !options.is_empty());
        let entries = open(&bundle).expect("opens");
        assert_eq!(entries, [Entry { id: ID.to_owned(), target: Some(Target::Gfx942), bytes: object.clone() }]);
    }
}

#[test]
fn a_host_program_gives_the_bundles_of_all_its_translation_units() {
    let bundle = plain(&[(ID, &minimal::object())]);
    let mut section = bundle.clone();
    section.resize(section.len().next_multiple_of(4096), 0);
    section.extend(&bundle);
    let program = host_program(&section);
    assert_eq!(open(&program).expect("opens").len(), 2);
}

#[test]
fn bundles_that_follow_one_another_are_all_opened() {
    let (one, other) = (plain(&[(ID, &minimal::object())]), plain(&[(ID, b"other"), (ID, b"third")]));
    let packed = packed(&one, 2);
    for parts in [[&one, &other], [&other, &one], [&packed, &other], [&packed, &packed]] {
        let count = |bytes: &Vec<u8>| open(bytes).expect("opens").len();
        let each = count(parts[0]) + count(parts[1]);
        for padding in [0, 8, 5000] {
            let mut bytes = parts[0].clone();
            bytes.resize(bytes.len() + padding, 0);
            bytes.extend(parts[1]);
            assert_eq!(count(&bytes), each, "{padding} bytes between");
            bytes.extend([0; 100]);
            assert_eq!(count(&bytes), each, "and zeros behind");
        }
    }
}

/// A bundle compressed by zlib, with a header of version 1 or 2.
fn packed(bundle: &[u8], version: u8) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, bundle).expect("packs");
    let body = encoder.finish().expect("packs");
    let mut out = b"CCOB".to_vec();
    out.extend([version, 0, 0, 0]);
    if version > 1 {
        out.extend((body.len() as u32 + 24).to_le_bytes());
    }
    out.extend((bundle.len() as u32).to_le_bytes());
    out.extend([0; 8]);
    out.extend(body);
    out
}

/// An x86-64 ELF file whose one section is `.hip_fatbin`.
fn host_program(section: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 4096];
    out[..9].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0]);
    out[16..24].copy_from_slice(&[3, 0, 62, 0, 1, 0, 0, 0]);
    out[40..48].copy_from_slice(&64_u64.to_le_bytes());
    out[52..64].copy_from_slice(&[64, 0, 56, 0, 0, 0, 64, 0, 3, 0, 2, 0]);
    let names = b"\0.hip_fatbin\0.shstrtab\0";
    let mut header = |index: usize, name: u32, kind: u32, offset: usize, size: usize| {
        let at = 64 + index * 64;
        out[at..at + 4].copy_from_slice(&name.to_le_bytes());
        out[at + 4..at + 8].copy_from_slice(&kind.to_le_bytes());
        out[at + 24..at + 32].copy_from_slice(&(offset as u64).to_le_bytes());
        out[at + 32..at + 40].copy_from_slice(&(size as u64).to_le_bytes());
    };
    header(1, 1, 1, 4096, section.len());
    header(2, 13, 3, 512, names.len());
    out[512..512 + names.len()].copy_from_slice(names);
    out.extend(section);
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_bundles_never_panic(
        edits in prop::collection::vec((0_usize..400, any::<u8>()), 1..8),
        cut in 0_usize..6000,
        compressed in any::<bool>(),
    ) {
        let mut bytes = plain(&[(ID, &minimal::object())]);
        if compressed {
            bytes = packed(&bytes, 1);
            prop_assert_eq!(open(&bytes).expect("opens").len(), 1);
        }
        for (at, value) in edits {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        bytes.truncate(cut);
        let _ = open(&bytes);
    }
}

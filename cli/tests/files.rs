//! Files that are no input at all: devices without end, folders, disk images, text where code is wanted. Every command
//! says so at once, in one line, with status 2.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn wavesmith(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavesmith")).args(args).output().expect("wavesmith starts")
}

/// The one line that a refusal is.
fn refusal(args: &[&str]) -> String {
    let begin = Instant::now();
    let output = wavesmith(args);
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    assert!(output.stdout.is_empty() && text.lines().count() == 1, "{args:?}: {text}");
    // An endless file read to the end of memory would take far longer, and end otherwise.
    assert!(begin.elapsed() < Duration::from_secs(30), "{args:?}");
    text
}

/// The commands that read device code, each with what it needs beside the file.
fn readers(file: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["info", file],
        vec!["info", file, "--json"],
        vec!["check", file],
        vec!["dis", file],
        vec!["launch", file, "--grid", "1", "--block", "64", "--device", "embedded"],
    ]
}

#[cfg(unix)]
#[test]
fn a_device_without_end_is_not_read_to_its_end() {
    for args in readers("/dev/zero") {
        let text = refusal(&args);
        assert!(text.contains("not a code object: it begins with 00 00 00 00"), "{text}");
    }
    let text = refusal(&["asm", "/dev/zero", "-o", "/dev/null"]);
    assert!(text.contains("more than 256 MiB"), "{text}");
}

#[test]
fn what_begins_like_no_code_object_is_told_with_its_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("text"), "# Title\n").expect("writes");
    std::fs::write(path("empty"), "").expect("writes");
    for args in readers(&path("text")) {
        let text = refusal(&args);
        assert!(text.contains("not a code object: it begins with 23 20 54 69"), "{text}");
    }
    for args in readers(&path("empty")) {
        assert!(refusal(&args).contains("not a code object: the file is empty"), "{args:?}");
    }
    for args in readers(&folder.path().display().to_string()) {
        assert!(refusal(&args).contains("is a folder"), "{args:?}");
    }
    for args in readers(&path("nowhere")) {
        assert!(refusal(&args).contains("cannot read"), "{args:?}");
    }
}

#[test]
fn loads_that_rows_do_not_come_in_whole_numbers_of_are_refused() {
    for (k, bytes, dtype, most) in [("50", "16", "f16", "4"), ("129", "4", "i8", "1"), ("100", "16", "f32", "16")] {
        let mut args = vec!["gen", "gemm", "--sku", "mi300x", "-o", "/dev/null"];
        let params = [format!("k={k}"), format!("load_bytes={bytes}"), format!("dtype={dtype}")];
        args.extend(params.iter().flat_map(|p| ["--param", p.as_str()]));
        if most == bytes {
            let output = Command::new(env!("CARGO_BIN_EXE_wavesmith")).args(&args).output().expect("wavesmith starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        } else {
            let text = refusal(&args);
            assert!(text.contains(&format!("at most {most}, which rows of k = {k}")), "{text}");
        }
    }
}

#[test]
fn a_disk_image_that_begins_like_code_is_refused_by_its_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("image");
    let mut file = File::create(&path).expect("creates");
    file.write_all(b"\x7fELF").expect("writes");
    // Sparse: it takes no room on the disk.
    file.set_len(5 << 30).expect("grows");
    for args in readers(&path.display().to_string()) {
        assert!(refusal(&args).contains("more than 2048 MiB"), "{args:?}");
    }
}

#[test]
fn text_that_is_no_utf_8_is_told_with_the_offset() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.s");
    std::fs::write(&path, b"s_nop 0\n\xff").expect("writes");
    let path = path.display().to_string();
    assert!(refusal(&["asm", &path, "-o", "/dev/null"]).contains("byte at offset 0x8 is not UTF-8"));
    assert!(refusal(&["check", &path]).contains("byte at offset 0x8 is not UTF-8"));
}

#[test]
fn info_tells_where_agprs_begin_only_of_kernels_that_have_some() {
    let folder = tempfile::tempdir().expect("a folder");
    // VGPRs that are used, where AGPRs begin, and whether there are some: allocation rounds 12 up to 16.
    for (used, offset, some) in [(8, 8, false), (12, 12, false), (24, 8, true)] {
        let agprs = if some { used - offset } else { 0 };
        let text = format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n  s_endpgm\n\
             .Lend:\n.size k, .Lend-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr {used}\n  \
             .amdhsa_next_free_sgpr 8\n  .amdhsa_accum_offset {offset}\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\n\
             amdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--gfx942\namdhsa.kernels:\n  - .name: k\n    \
             .symbol: k.kd\n    .agpr_count: {agprs}\n    .vgpr_count: {used}\n    .sgpr_count: 8\n    .kernarg_segment_size: 0\n    \
             .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    \
             .wavefront_size: 64\n    .max_flat_workgroup_size: 256\n...\n.end_amdgpu_metadata\n"
        );
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("k.s"), text).expect("writes");
        let made = wavesmith(&["asm", &path("k.s"), "-o", &path("k.co")]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let told = wavesmith(&["info", &path("k.co")]);
        let told = String::from_utf8(told.stdout).expect("UTF-8");
        assert_eq!(told.contains(&format!("(AGPRs from {offset})")), some, "{told}");
    }
}

/// A kernel whose descriptor was forgotten: what `check` looked at is nothing, and it says so.
#[test]
fn code_without_a_kernel_is_not_told_as_clean() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("forgotten.s");
    std::fs::write(&file, ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.text\nk:\n\ts_endpgm\n").expect("written");
    let output = wavesmith(&["check", "--quiet", file.to_str().expect("UTF-8")]);
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(text.contains("holds no kernel, so nothing was checked"), "{text}");
}

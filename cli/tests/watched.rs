//! `launch --engine checked` as a script calls it: findings with the keys of `check`, the exit status, and the command that
//! runs the same seed again.

use std::process::{Command, Output};

/// Stores twice what it loaded, with or without a wait for the load.
fn kernel(wait: &str) -> String {
    format!(
        "\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n\
         s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_and_b32_e32 v0, 0x3ff, v0\nv_lshlrev_b32_e32 v1, 2, v0\n\
         s_waitcnt lgkmcnt(0)\nglobal_load_dword v2, v1, s[4:5]\n{wait}\nv_add_u32_e32 v3, v2, v2\n\
         global_store_dword v1, v3, s[6:7]\ns_endpgm\n.Lend:\n\t.size k, .Lend-k\n\t.fill 64, 4, 0xbf800000\n\
         \t.section .rodata,\"a\",@progbits\n\t.p2align 6\n\t.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr 8\n\
         \t.amdhsa_next_free_sgpr 16\n\t.amdhsa_accum_offset 8\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
         \t.end_amdhsa_kernel\n\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n\
         \x20   .kernarg_segment_size: 16\n    .kernarg_segment_align: 8\n    .wavefront_size: 64\n\
         amdhsa.version: [1, 2]\n...\n\t.end_amdgpu_metadata\n"
    )
}

fn wavesmith(folder: &tempfile::TempDir, args: &[&str]) -> Output {
    let out = Command::new(env!("CARGO_BIN_EXE_wavesmith")).args(args).current_dir(folder.path()).output();
    out.expect("wavesmith starts")
}

fn launched(wait: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.s"), kernel(wait)).expect("writes");
    let made = wavesmith(&folder, &["asm", "k.s", "-o", "k.co", "--target", "gfx942"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let args = ["launch", "k.co", "--grid", "1", "--block", "64", "--device", "embedded"];
    let arrays = ["--arg", "out:uint32:64=a.npy", "--arg", "out:uint32:64=b.npy"];
    wavesmith(&folder, &[&args[..], &arrays, more].concat())
}

#[test]
fn errors_make_the_exit_status_and_name_instruction_need_and_replay() {
    let out = launched("", &["--engine", "checked", "--check-seed", "7", "--json"]);
    let stdout = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{stdout}");
    let json: serde_json::Value = serde_json::from_str(stdout.lines().last().expect("a line")).expect("JSON");
    let findings = json["findings"].as_array().expect("findings");
    let found = findings.iter().find(|f| f["kind"] == "read-before-wait").expect("the missing wait");
    assert_eq!((found["severity"].as_str(), found["kernel"].as_str()), (Some("error"), Some("k")));
    assert!(found["at"]["text"].as_str().is_some_and(|t| t.starts_with("v_add_u32")), "{found}");
    assert!(found["other"]["text"].as_str().is_some_and(|t| t.starts_with("global_load_dword")), "{found}");
    assert!(found["need"].as_str().is_some_and(|n| n.contains("vmcnt(0)")), "{found}");
    // What it loads means nothing, as the kernel was given it to write.
    assert!(findings.iter().any(|f| f["kind"] == "uninitialised"), "{findings:?}");
    assert!(json["replay"].as_str().is_some_and(|r| r.contains("launch k.co") && r.ends_with("--check-seed 7")));
    let text = launched("", &["--engine", "checked"]);
    let stdout = String::from_utf8_lossy(&text.stdout);
    assert!(stdout.contains("error[read-before-wait]") && stdout.contains("replay: wavesmith launch"), "{stdout}");
}

#[test]
fn seeds_are_refused_without_the_engine_that_uses_them() {
    let out = launched("s_waitcnt vmcnt(0)", &["--check-seeds", "3"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("--engine checked"));
}

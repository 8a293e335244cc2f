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
         \x20   .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .sgpr_count: 16\n\
         \x20   .vgpr_count: 8\n    .max_flat_workgroup_size: 1024\n\
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

/// Two waves that meet by a flag whose data may be old: whether it is depends on chance.
fn chancy() -> String {
    let body = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 reader\nv_add_u32_e32 v2, 7, v0\nv_mov_b32_e32 v3, 1\n\
                global_store_dword v1, v2, s[4:5]\nbuffer_wbl2 sc1\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v9, 0\n\
                global_store_dword v9, v3, s[4:5] offset:1024 sc1\ns_endpgm\n\
                reader:\nglobal_load_dword v4, v1, s[4:5] offset:4\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v9, 0\n\
                global_load_dword v5, v9, s[4:5] offset:1024 sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v5\n\
                s_cmp_eq_u32 s8, 1\ns_cbranch_scc0 end\nglobal_load_dword v6, v1, s[4:5]\ns_waitcnt vmcnt(0)\n\
                global_store_dword v1, v6, s[6:7]\nend:";
    let (head, tail) = (kernel(""), kernel(""));
    let (head, _) = head.split_once("global_load_dword v2").expect("the body");
    let (_, tail) = tail.split_once("s[6:7]\n").expect("the end");
    format!("{head}{body}\n{tail}")
        .replace("sgpr_kernarg_segment_ptr 1", "sgpr_kernarg_segment_ptr 1\n\t.amdhsa_system_sgpr_workgroup_id_x 1")
}

/// The command that a report ends with is given to a shell, several times, and finds what was found.
#[test]
fn the_replay_command_finds_the_same_again() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.s"), chancy()).expect("writes");
    let made = wavesmith(&folder, &["asm", "k.s", "-o", "k.co", "--target", "gfx942"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let header = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<u4', 'fortran_order': False, 'shape': (512,), }";
    let mut array = header.to_vec();
    array.resize(127, b' ');
    array.push(b'\n');
    array.resize(128 + 2048, 0);
    std::fs::write(folder.path().join("in.npy"), &array).expect("writes");
    let args = ["launch", "k.co", "--grid", "2", "--block", "64", "--device", "embedded", "--engine", "checked"];
    let arrays = ["--arg", "inout:in.npy=a.npy", "--arg", "out:uint32:64=the b.npy", "--check-seeds", "200"];
    let first = wavesmith(&folder, &[&args[..], &arrays].concat());
    let stdout = String::from_utf8_lossy(&first.stdout).into_owned();
    assert_eq!(first.status.code(), Some(1), "{stdout}");
    let (findings, replay) = stdout.split_once("replay: wavesmith ").expect("a command");
    // What follows the time that it took; the device's addresses are another process's.
    let told = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .skip(1)
            .map(|l| l.split_whitespace().filter(|w| !w.starts_with("0x7")).collect::<Vec<_>>().join(" "));
        lines.filter(|l| !l.starts_with("replay")).collect()
    };
    for _ in 0..4 {
        let shell = Command::new("sh")
            .args(["-c", &format!("'{}' {}", env!("CARGO_BIN_EXE_wavesmith"), replay.trim())])
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let again = String::from_utf8_lossy(&shell.stdout).into_owned();
        assert_eq!(shell.status.code(), Some(1), "{again}");
        assert_eq!(told(&again), told(findings));
    }
}

#[test]
fn seeds_are_refused_without_the_engine_that_uses_them() {
    let out = launched("s_waitcnt vmcnt(0)", &["--check-seeds", "3"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("--engine checked"));
}

/// A kernel of 16 bytes of arguments that loads dwords at some offset and stores one of them.
fn reads_arguments(load: &str, stored: &str) -> String {
    let kernel = kernel("s_waitcnt vmcnt(0)");
    let (head, tail) = kernel.split_once("global_load_dword v2").expect("the body");
    let (_, tail) = tail.split_once("s[6:7]\n").expect("the end");
    format!(
        "{head}s_mov_b32 s8, 64\n{load}\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, {stored}\n\
         global_store_dword v1, v2, s[6:7]\n{tail}"
    )
    .replace(".amdhsa_next_free_sgpr 16", ".amdhsa_next_free_sgpr 48")
}

#[test]
fn what_lies_behind_the_arguments_is_out_of_bounds_and_the_status_says_what_the_report_says() {
    let arrays = ["--arg", "out:uint32:64=a.npy", "--arg", "out:uint32:64=b.npy"];
    let run = |load: &str, stored: &str, more: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("k.s"), reads_arguments(load, stored)).expect("writes");
        let made = wavesmith(&folder, &["asm", "k.s", "-o", "k.co", "--target", "gfx942"]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let args = ["launch", "k.co", "--grid", "1", "--block", "64", "--device", "embedded", "--engine", "checked"];
        let out = wavesmith(&folder, &[&args[..], &arrays, more].concat());
        let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        (out.status.code(), format!("{stdout}{stderr}"))
    };
    // By a constant and by a register: the same.
    for load in ["s_load_dword s9, s[0:1], 0x40", "s_load_dword s9, s[0:1], s8", "s_load_dwordx4 s[12:15], s[0:1], 0x8"]
    {
        let (status, told) = run(load, "1", &[]);
        assert_eq!(status, Some(1), "{load}: {told}");
        assert!(
            told.contains("error[out-of-bounds]") && told.contains("of which the launch gives 16"),
            "{load}: {told}"
        );
        assert!(told.contains("1 error, 0 advice"), "{load}: {told}");
    }
    // With as many arguments as it reads nothing is wrong, and neither is what a load brings along and nobody uses.
    let (status, told) = run("s_load_dword s9, s[0:1], 0x40", "s9", &["--kernarg-size", "72"]);
    assert_eq!(status, Some(0), "{told}");
    let (status, told) = run("s_load_dwordx16 s[16:31], s[0:1], 0x0", "s18", &[]);
    assert_eq!(status, Some(0), "{told}");
    let (status, told) = run("s_load_dwordx16 s[16:31], s[0:1], 0x0", "s20", &[]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("error[uninitialised]"), "{told}");
}

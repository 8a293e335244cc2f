//! Programs of others on the drop-in runtime: linked with the system's `libhsa-runtime64`, run with `LD_LIBRARY_PATH`
//! alone.
//!
//! Needs a C and a C++ compiler, `clang-22`, `libhsa-runtime-dev`, `libamdhip64-dev`, `rocminfo` and `valgrind`; what is
//! missing is said, and fails in CI.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Says loudly that something is missing; CI has everything and fails.
fn skip(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "CI has {what}");
    eprintln!("SKIPPED: needs {what}");
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hsa")
}

/// The folder that `wavesmith hsa --install` filled.
fn installed() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hsa-{}", std::process::id()));
        let output = Command::new(env!("CARGO_BIN_EXE_wavesmith"))
            .args(["hsa", "--install"])
            .arg(&folder)
            .output()
            .expect("wavesmith starts");
        assert!(output.status.success(), "{}", text(&output));
        let lines = String::from_utf8_lossy(&output.stdout).lines().count();
        assert_eq!(lines, 3, "{}", text(&output));
        folder
    })
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Compiles a program; `None`, told loudly, where the compiler or what it needs is missing.
fn program(compiler: &str, source: &Path, flags: &[&str], needs: &str) -> Option<PathBuf> {
    let stem = source.file_name().expect("a name").to_string_lossy().replace('.', "-");
    let out = installed().join(stem);
    let output =
        Command::new(compiler).arg(source).args(["-Wall", "-Wextra", "-O1", "-o"]).arg(&out).args(flags).output();
    match output {
        Ok(output) if output.status.success() => Some(out),
        Ok(output) => {
            eprintln!("{}", text(&output));
            skip(needs);
            None
        }
        Err(_) => {
            skip(compiler);
            None
        }
    }
}

/// A vector addition for a target, in the object version that its users read.
fn vadd(target: &str, version: u32) -> Option<PathBuf> {
    object("vadd.hip", target, version)
}

/// Compiled device code.
fn object(source: &str, target: &str, version: u32) -> Option<PathBuf> {
    let out = installed().join(format!("{source}.{target}.v{version}.co"));
    let output = Command::new("clang-22")
        .args(["-x", "hip", "--offload-device-only", "-nogpuinc", "-nostdinc", "--no-gpu-bundle-output", "-nogpulib"])
        .args([&format!("--offload-arch={target}"), "-O2", &format!("-mcode-object-version={version}")])
        .arg(sources().join(source))
        .arg("-o")
        .arg(&out)
        .output();
    match output {
        Ok(output) => {
            assert!(output.status.success(), "{}", text(&output));
            Some(out)
        }
        Err(_) => {
            skip("clang-22");
            None
        }
    }
}

fn run(program: impl AsRef<std::ffi::OsStr>, skus: &str) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", installed()).env("WAVESMITH_SKU", skus).env_remove("LD_PRELOAD");
    command
}

const HSA: &[&str] = &["-lhsa-runtime64"];

#[test]
fn a_c_program_adds_vectors_on_two_agents() {
    let Some(program) = program("cc", &sources().join("vadd.c"), HSA, "libhsa-runtime-dev") else { return };
    let (Some(first), Some(second)) = (vadd("gfx942", 5), vadd("gfx90a", 4)) else { return };
    let output = run(&program, "mi300x, mi210").args([&first, &second]).output().expect("starts");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "gfx942: right\ngfx90a: right\n");

    // Without the variable there is one MI300X.
    let output = run(&program, "").env_remove("WAVESMITH_SKU").arg(&first).output().expect("starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "gfx942: right\n", "{}", text(&output));

    // Code of another target, and parts that are none.
    let output = run(&program, "mi355x").arg(&first).output().expect("starts");
    assert!(text(&output).contains("load: HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS"), "{}", text(&output));
    let output = run(&program, "mi9").arg(&first).output().expect("starts");
    assert!(!output.status.success());
    assert!(text(&output).contains("unknown SKU `mi9`: known are mi100"), "{}", text(&output));
}

#[test]
fn eight_agents_in_one_process_each_add_vectors() {
    let Some(program) = program("cc", &sources().join("vadd.c"), HSA, "libhsa-runtime-dev") else {
        return;
    };
    let Some(file) = vadd("gfx942", 6) else { return };
    let output = run(&program, &["mi300x"; 8].join(",")).args([&file; 8]).output().expect("starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "gfx942: right\n".repeat(8), "{}", text(&output));
}

#[test]
fn the_rest_of_the_interface_behaves_as_the_headers_say() {
    let Some(program) = program("cc", &sources().join("core.c"), HSA, "libhsa-runtime-dev") else { return };
    let Some(file) = vadd("gfx942", 5) else { return };
    let output = run(&program, "mi300x").arg(&file).output().expect("starts");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ok\n");
    let refused = "hsa_ext_sampler_destroy is not offered by the embedded device";
    assert_eq!(text(&output).matches(refused).count(), 1, "{}", text(&output));
}

#[test]
fn queues_overlap_wait_fault_and_copy_as_the_headers_say() {
    let Some(program) = program("cc", &sources().join("queues.c"), HSA, "libhsa-runtime-dev") else { return };
    for (skus, first, second) in [("mi300x,mi325x", "gfx942", "gfx942"), ("mi100,mi355x", "gfx908", "gfx950")] {
        let (Some(first), Some(second)) = (object("queues.hip", first, 4), object("queues.hip", second, 6)) else {
            return;
        };
        let output = run(&program, skus).args([first, second]).output().expect("starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "ok\n", "{skus}: {}", text(&output));
    }
}

#[test]
fn what_newer_runtimes_ask_for_is_there() {
    let Some(program) = program("cc", &sources().join("newer.c"), HSA, "libhsa-runtime-dev") else { return };
    let Some(file) = vadd("gfx942", 5) else { return };
    let output = run(&program, "mi300x").arg(&file).output().expect("starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ok\n", "{}", text(&output));
    assert!(text(&output).contains("address 0x123456789000"), "{}", text(&output));
}

#[test]
fn every_function_of_the_headers_is_there_in_its_version() {
    let mut names: Vec<String> =
        include_str!("hsa/imports.txt").lines().filter(|l| l.starts_with("hsa_")).map(str::to_owned).collect();
    assert_eq!(names.len(), 76);
    match std::fs::read_to_string("/usr/include/hsa/hsa.h") {
        Ok(header) => {
            // One comment holds declarations that were considered and left out.
            let code: String = header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, c)| c)).collect();
            let declared: Vec<String> = code
                .split("HSA_API")
                .skip(1)
                .map(|rest| {
                    rest.trim_start()
                        .trim_start_matches("HSA_DEPRECATED")
                        .trim_start()
                        .chars()
                        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                        .collect::<String>()
                })
                .filter(|name| name.starts_with("hsa_"))
                .collect();
            assert!(declared.len() > 150, "{} functions found in the header", declared.len());
            names.extend(declared);
        }
        Err(_) => skip("libhsa-runtime-dev"),
    }
    let list: String = names.iter().map(|n| format!("\"{n}\",")).collect();
    let source = installed().join("names.c");
    let code = format!(
        "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdio.h>\n\
         static const char *names[] = {{{list}}};\n\
         int main(int argc, char **argv) {{\n  void *library = dlopen(argv[argc - 1], RTLD_NOW);\n\
         if (!library) return puts(dlerror()), 2;\n\
         for (unsigned i = 0; i < sizeof names / sizeof *names; ++i)\n\
         if (!dlvsym(library, names[i], \"ROCR_1\")) puts(names[i]);\n  return 0;\n}}\n"
    );
    std::fs::write(&source, code).expect("writes");
    let Some(program) = program("cc", &source, &["-ldl"], "a C compiler") else { return };
    let output = run(&program, "mi300x").arg(installed().join("libhsa-runtime64.so.1")).output().expect("starts");
    assert!(output.status.success() && output.stdout.is_empty(), "missing: {}", text(&output));
}

#[test]
fn a_hip_program_launches_a_module_on_debians_runtime() {
    let flags = ["-D__HIP_PLATFORM_AMD__", "-Wno-unused-result", "-lamdhip64"];
    let Some(program) = program("c++", &sources().join("vadd.cpp"), &flags, "libamdhip64-dev") else { return };
    // What that runtime reads code objects with knows no version 5 yet.
    let Some(file) = vadd("gfx90a", 4) else { return };
    let output = run(&program, "mi210").arg(&file).output().expect("starts");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "1: AMD Instinct MI210 gfx90a:sramecc+:xnack-\nright\n",
        "{}",
        text(&output)
    );
}

#[test]
fn a_hip_program_copies_between_two_devices_and_the_host() {
    let flags = ["-D__HIP_PLATFORM_AMD__", "-lamdhip64"];
    let Some(program) = program("c++", &sources().join("copies.cpp"), &flags, "libamdhip64-dev") else { return };
    let output = run(&program, "mi210,mi250x").output().expect("starts");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "right\n", "{}", text(&output));
}

#[test]
fn a_hip_program_overlaps_streams_and_waits_for_events() {
    let flags = ["-D__HIP_PLATFORM_AMD__", "-lamdhip64"];
    let Some(program) = program("c++", &sources().join("streams.cpp"), &flags, "libamdhip64-dev") else { return };
    let Some(file) = object("queues.hip", "gfx90a", 4) else { return };
    let output = run(&program, "mi210,mi250x").arg(file).output().expect("starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "right\n", "{}", text(&output));
}

#[test]
fn a_whole_hip_program_runs_with_its_kernels_inside() {
    // Its headers are older than the compiler, which no longer has the second macro.
    let flags = ["-D__HIP_PLATFORM_AMD__", "-D__AMDGCN_WAVEFRONT_SIZE=64", "-Wno-unused-parameter", "-lamdhip64"];
    let target = ["--offload-arch=gfx90a", "-nogpulib", "-mcode-object-version=4", "--rocm-path=/usr"];
    let flags = [&target[..], &flags].concat();
    let Some(program) = program("clang++-22", &sources().join("whole.hip"), &flags, "libamdhip64-dev") else { return };
    let output = run(&program, "mi210,mi250x").output().expect("starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "device 0: right\ndevice 1: right\n", "{}", text(&output));
}

#[test]
fn valgrind_finds_nothing_in_what_the_runtime_does() {
    let Some(program) = program("cc", &sources().join("core.c"), HSA, "libhsa-runtime-dev") else { return };
    let Some(file) = object("vadd.hip", "gfx942", 5) else { return };
    let output = run("valgrind", "mi300x").args(["-q", "--error-exitcode=9"]).arg(&program).arg(&file).output();
    match output {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout), "ok\n", "{}", text(&output)),
        Err(_) => skip("valgrind"),
    }
}

/// The whole way of a machine with a GPU: the command opens the shared library, finds agents in it and picks one.
#[test]
fn launch_runs_through_the_shared_library() {
    let Some(file) = vadd("gfx950", 5) else { return };
    let launch = |skus: &str, args: &[&str]| {
        let mut command = run(env!("CARGO_BIN_EXE_wavesmith"), skus);
        command.arg("launch").arg(&file).args(["--grid", "1", "--block", "256", "--json", "--device", "hsa"]);
        command.args(["--arg", "null", "--arg", "null", "--arg", "null"]).args(args).output().expect("starts")
    };
    // Nothing to add, so null pointers are never followed.
    let output = launch("mi300x,mi355x", &["--arg", "u32:0"]);
    assert!(output.status.success(), "{}", text(&output));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains(r#""device":"hsa""#) && stdout.contains(r#""sku":"mi355x""#), "{stdout}");

    let output = launch("mi300x,mi355x", &["--sku", "mi300x", "--arg", "u32:0"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("choose --sku mi350x or mi355x"), "{}", text(&output));

    let output = launch("mi355x", &["--arg", "u32:1"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("HSA_STATUS_ERROR_MEMORY_FAULT"), "{}", text(&output));

    let output = launch("mi210", &["--sku", "mi355x", "--arg", "u32:0"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("no GPU here runs code for mi355x (gfx950)"), "{}", text(&output));
}

#[test]
fn rocminfo_prints_the_agents() {
    let shim = installed().join("libwavesmith-driver-shim.so");
    let output = match run("rocminfo", "mi300x,mi250x").env("LD_PRELOAD", shim).output() {
        Ok(output) => output,
        Err(_) => return skip("rocminfo"),
    };
    assert!(output.status.success(), "{}", text(&output));
    let stdout = String::from_utf8_lossy(&output.stdout);
    for part in ["gfx942", "AMD Instinct MI300X", "gfx90a", "AMD Instinct MI250X", "KERNEL_DISPATCH", "*** Done ***"] {
        assert!(stdout.contains(part), "{part} in {stdout}");
    }
    assert_eq!(stdout.matches("Device Type:             GPU").count(), 2, "{stdout}");
}

#[test]
fn what_cannot_be_installed_is_told() {
    let output = Command::new(env!("CARGO_BIN_EXE_wavesmith"))
        .args(["hsa", "--install"])
        .arg(sources().join("vadd.c").join("below-a-file"))
        .output()
        .expect("wavesmith starts");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("cannot make"), "{}", text(&output));
}

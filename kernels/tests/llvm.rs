//! Every instruction of the monokernel, byte for byte against LLVM's assembler.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use wavesmith_asm::{Sku, Target, decode, print};
use wavesmith_kernels::monokernel::{KvType, Params, Sync, monokernel};
use wavesmith_model::LlamaConfig;
use wavesmith_model::synthetic::SMALL;

/// What `llvm-mc` assembles from `text`, an instruction a line; `None` where it is not installed, which CI forbids.
fn assemble(text: &str, cpu: &str) -> Option<Vec<Vec<u8>>> {
    let child = Command::new("llvm-mc-22")
        .args(["--triple=amdgcn-amd-amdhsa", &format!("-mcpu={cpu}"), "--show-encoding"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        assert!(std::env::var_os("CI").is_none(), "llvm-mc-22 must be installed in CI");
        eprintln!("SKIPPED: needs llvm-mc-22");
        return None;
    };
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let listing = String::from_utf8(output.stdout).unwrap();
    let bytes = listing.lines().filter_map(|l| l.split_once("encoding: [")).map(|(_, hex)| {
        let hex = hex.trim_end_matches(']');
        hex.split(',').map(|b| u8::from_str_radix(b.trim_start_matches("0x"), 16).unwrap_or(0)).collect()
    });
    Some(bytes.collect())
}

#[test]
fn every_instruction_has_the_bytes_that_llvm_gives_its_text() {
    let models = [LlamaConfig::SMOLLM2_135M, SMALL];
    let base = Params::new(8, 64);
    let variants = [base, Params { sync: Sync::Counter, kv: KvType::F32, top_k: 40, spins: 8, ..base }];
    for (config, params) in models.iter().flat_map(|c| variants.map(|p| (c, p))) {
        let made = monokernel(config, Sku::named("mi300x").unwrap(), &params).unwrap();
        let mut text = String::new();
        let mut ours = Vec::new();
        let code: Vec<u32> =
            made.kernel.code.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
        let mut at = 0;
        while at < code.len() {
            let inst = decode(&code[at..], Target::Gfx942).unwrap();
            let t = print::text(&inst);
            writeln!(text, "{t}").unwrap();
            ours.push((t, inst.words().iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>()));
            at += inst.dwords();
        }
        let Some(theirs) = assemble(&text, "gfx942") else { return };
        assert_eq!(ours.len(), theirs.len());
        assert!(ours.len() > 2000);
        for ((t, ours), theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{t}");
        }
    }
}

/// Runs one of LLVM's tools on a file and returns its stdout; `None` where it is not installed, which CI forbids.
fn tool(name: &str, args: &[&str], file: &std::path::Path) -> Option<String> {
    let Ok(output) = Command::new(name).args(args).arg(file).output() else {
        assert!(std::env::var_os("CI").is_none(), "{name} must be installed in CI");
        eprintln!("SKIPPED: needs {name}");
        return None;
    };
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{name}: {complaints}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_code_object_is_read_without_complaint() {
    let params = Params::new(16, 64);
    let made = monokernel(&LlamaConfig::SMOLLM2_135M, Sku::named("mi300x").unwrap(), &params).unwrap();
    let file = std::env::temp_dir().join(format!("wavesmith-monokernel-{}.co", std::process::id()));
    std::fs::write(&file, &made.object).unwrap();
    let headers = tool("llvm-readobj-22", &["--all"], &file);
    let code = tool("llvm-objdump-22", &["-d", "--no-show-raw-insn"], &file);
    std::fs::remove_file(&file).unwrap();
    let (Some(headers), Some(code)) = (headers, code) else { return };
    for want in ["EF_AMDGPU_MACH_AMDGCN_GFX942", "wavesmith_monokernel.kd", "inv_temperature"] {
        assert!(headers.contains(want), "{want}");
    }
    let count = |what: &str| code.lines().filter(|l| l.trim_start().starts_with(what)).count();
    for what in ["v_dot2_f32_f16", "v_mfma_f32_16x16x16_f16", "global_load_dwordx4", "s_memrealtime", "s_barrier"] {
        assert!(count(what) > 0, "{what}");
    }
    assert_eq!(count("s_endpgm"), 2);
}

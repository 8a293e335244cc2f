//! `wavesmith run` as a script calls it: results on stdout, the exit status, and one line for every bad input.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use wavesmith_model::gguf_writer::GgufWriter;
use wavesmith_model::synthetic::SMALL;
use wavesmith_model::{LlamaConfig, Weights};

fn wavesmith(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavesmith")).arg("run").args(args).output().expect("the binary runs")
}

/// With an empty cache and no pip to be found: the synthetic model stands in.
fn without_pip(cache: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavesmith"))
        .arg("run")
        .args(args)
        .env("XDG_CACHE_HOME", cache)
        .env("PATH", cache)
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// The file of a small model whose weights are those of `weights`, under the metadata of `config`.
fn model_file(dir: &Path, config: &LlamaConfig, weights: &LlamaConfig) -> String {
    let mut weights = Weights::synthetic(weights, 1).expect("the shape is valid");
    weights.config = *config;
    let mut writer = GgufWriter::new();
    writer.weights(&weights).byte_level_tokenizer(config.vocab).expect("the vocabulary is large enough");
    let path = dir.join("model.gguf");
    std::fs::write(&path, writer.finish()).expect("the file can be written");
    path.display().to_string()
}

#[test]
fn bad_input_is_told_in_one_line_and_ends_with_status_2() {
    let dir = tempfile::tempdir().unwrap();
    let good = model_file(dir.path(), &SMALL, &SMALL);
    let elsewhere = tempfile::tempdir().unwrap();
    let wider = LlamaConfig { ffn: SMALL.ffn + 32, ..SMALL };
    let misshapen = model_file(elsewhere.path(), &SMALL, &wider);
    let bytes = std::fs::read(&good).unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let find = |what: &[u8]| bytes.windows(what.len()).position(|w| w == what).expect("the file holds it");
    // The architecture's name, where it stands as a value: the keys keep theirs.
    let mut other = bytes.clone();
    let value = find(b"general.architecture") + b"general.architecture".len() + 4 + 8;
    other[value..value + 5].copy_from_slice(b"qwen2");
    // After a tensor's name come its number of dimensions, the dimensions and its type: Q2_K is 10.
    let mut quantised = bytes.clone();
    let kind = find(b"blk.0.attn_q.weight") + b"blk.0.attn_q.weight".len() + 4 + 16;
    quantised[kind..kind + 4].copy_from_slice(&10_u32.to_le_bytes());
    let other = file("other.gguf", &other);
    let quantised = file("quantised.gguf", &quantised);
    let truncated = file("truncated.gguf", &bytes[..bytes.len() / 2]);
    let text_file = file("notes.gguf", b"this is not a model");
    let long = "a".repeat(SMALL.context + 1);
    let cases: &[(&[&str], &str)] = &[
        (&["--tokens", "0"], "at least 1"),
        (&["--sku", "mi999"], "mi300x"),
        (&["--check-seed", "1"], "--engine checked"),
        (&["--temperature", "-1"], "temperature"),
        (&["--top-k", "65"], "64"),
        (&["--device", "embedded", "--model", "no-such-file", "--workgroups", "305"], "1..=304"),
        (&["--temperature", "1", "--top-k", "65"], "64"),
        (&["--temperature", "1", "--top-p", "1.5"], "top"),
        (&["--model", &truncated], "truncated"),
        (&["--model", &text_file], "GGUF"),
        (&["--model", &other], "qwen2"),
        (&["--model", &quantised], "the quantisation of tensor `blk.0.attn_q.weight` is 10: known are"),
        (&["--model", &misshapen], "ffn_"),
        (&["--model", &good, "--device", "embedded", "--sku", "mi100"], "mi300x"),
        (&["--model", &good, "--device", "embedded", "--workgroups", "0"], "1..=304"),
        (&["--model", &good, "--device", "embedded", "--workgroups", "305"], "1..=304"),
        (&["--model", &good, "--prompt", ""], "at least one token"),
        (&["--model", &good, "--prompt", &long], "context"),
        (&["--model", &good, "--tokens", "1000000"], "context"),
        (&["--model", "no/such/file.gguf"], "no/such/file.gguf"),
    ];
    for (args, expected) in cases {
        let out = wavesmith(args);
        let stderr = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(stderr.trim_end().lines().count(), 1, "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?} should mention {expected:?}: {stderr}");
        assert!(out.stdout.is_empty(), "{args:?} wrote results");
    }
}

#[test]
fn without_pip_a_synthetic_model_decodes_verifies_and_says_what_it_is() {
    let cache = tempfile::tempdir().unwrap();
    let out = without_pip(cache.path(), &["--json", "--tokens", "4", "--device", "embedded", "--prompt", "Hello"]);
    let stderr = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("seeded model"), "{stderr}");
    let stdout = text(&out.stdout);
    let object: Value = serde_json::from_str(stdout.trim_end().lines().last().expect("a line of results")).unwrap();
    assert_eq!(object["verified"], true);
    assert_eq!(object["synthetic_model"], true);
    assert_eq!(object["prompt_tokens"].as_array().unwrap().len(), 5);
    let tokens = object["tokens"].as_array().unwrap();
    assert!(!tokens.is_empty() && tokens.len() <= 4, "{tokens:?}");
    assert!(object["text"].is_string());
    assert!(object["seconds"].as_f64().unwrap() > 0.0);
    assert!(object["wave_instructions"].as_u64().unwrap() > 1000);
    let left: Vec<_> = std::fs::read_dir(cache.path().join("wavesmith"))
        .map(|entries| entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect())
        .unwrap_or_default();
    assert!(left.iter().all(|name| name == ".lock"), "half-written files in the cache: {left:?}");
}

#[test]
fn both_ways_of_joining_stages_print_the_same_text() {
    let dir = tempfile::tempdir().unwrap();
    let model = model_file(dir.path(), &SMALL, &SMALL);
    let run = |sync: &str| {
        let out = wavesmith(&["--model", &model, "--tokens", "6", "--device", "embedded", "--sync", sync]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let sentinel = run("sentinel");
    assert!(!sentinel.trim().is_empty());
    assert_eq!(sentinel, run("counter"));
}

#[test]
fn a_seed_draws_the_same_tokens_again() {
    let dir = tempfile::tempdir().unwrap();
    let model = model_file(dir.path(), &SMALL, &SMALL);
    let run = |seed: &str| {
        let mut args = vec!["--model", &model, "--tokens", "12", "--device", "embedded", "--json"];
        args.extend(["--temperature", "2", "--top-k", "64", "--seed", seed]);
        let out = wavesmith(&args);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let object: Value = serde_json::from_str(text(&out.stdout).trim_end()).unwrap();
        assert_eq!(object["verified"], true);
        object["tokens"].clone()
    };
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_an_error_and_a_reader_that_left_is_none() {
    use std::process::Stdio;
    let dir = tempfile::tempdir().unwrap();
    let model = model_file(dir.path(), &SMALL, &SMALL);
    let run = |args: &[&str], stdout: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wavesmith"));
        let command = command.args(["run", "--device", "embedded", "--tokens", "2", "--model", &model]).args(args);
        command.stdout(stdout).stderr(Stdio::piped()).output().expect("the binary runs")
    };
    let full = || Stdio::from(std::fs::File::options().write(true).open("/dev/full").unwrap());
    for args in [&[][..], &["--json"]] {
        let full = run(args, full());
        assert_eq!(full.status.code(), Some(2));
        assert!(text(&full.stderr).contains("cannot write the results to stdout"), "{}", text(&full.stderr));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let left = run(args, writer.into());
        // Nobody reads the text, and still it is verified.
        assert_eq!(left.status.code(), Some(0));
        assert!(text(&left.stderr).contains("verified: "), "{}", text(&left.stderr));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_an_end_is_no_model_and_is_not_read_for_long() {
    let output = wavesmith(&["--model", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("not a GGUF file"), "{}", text(&output.stderr));
}

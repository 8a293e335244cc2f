//! `wavesmith gen` as a script calls it: what it refuses, and what it says of what it made.

#[allow(dead_code)]
#[path = "launch/arrays.rs"]
mod arrays;

use arrays::Folder;
use std::process::{Command, Output};

fn wavesmith(folder: &Folder, args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_wavesmith")).args(args).current_dir(folder.path()).output();
    output.expect("wavesmith starts")
}

fn refused(folder: &Folder, args: &[&str]) -> String {
    let output = wavesmith(folder, args);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}: {text}");
    text
}

/// What is said of a kernel that was made.
fn said(folder: &Folder, args: &[&str]) -> String {
    let output = wavesmith(folder, &[&["gen"][..], args].concat());
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{args:?}: {text}");
    text
}

#[test]
fn what_says_how_a_kernel_is_made_needs_a_kernel() {
    let folder = Folder::new();
    for args in [["--param", "m=64"], ["-o", "k.co"], ["--asm", "k.s"]] {
        assert!(refused(&folder, &[&["gen"][..], &args].concat()).contains("<KERNEL>"), "{args:?}");
    }
}

#[test]
fn two_outputs_to_one_file_are_refused_and_so_is_one_over_an_input() {
    let folder = Folder::new();
    for asm in ["k.co", "./k.co"] {
        assert!(
            refused(&folder, &["gen", "gemm", "-o", "k.co", "--asm", asm]).contains("--output and --asm are one file")
        );
        assert!(!folder.path().join("k.co").exists());
    }
    said(&folder, &["softmax", "-o", "k.co", "--asm", "k.s"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("written");
    let before = [read("k.co"), read("k.s")];
    assert!(refused(&folder, &["check", "k.co", "--sarif", "k.co"]).contains("one file"));
    assert!(refused(&folder, &["asm", "k.s", "-o", "k.s"]).contains("one file"));
    assert_eq!([read("k.co"), read("k.s")], before);
    // Nothing is lost in a device.
    said(&folder, &["softmax", "-o", "/dev/null", "--asm", "/dev/null"]);
}

#[test]
fn the_arguments_are_listed_with_their_places_in_the_order_of_a_launch() {
    let folder = Folder::new();
    let text = said(&folder, &["softmax", "-o", "k.co"]);
    assert!(
        text.contains("4 arguments, 24 bytes: x pointer @0, y pointer @8, rows 4 bytes @16, columns 4 bytes @20\n"),
        "{text}"
    );
    let text = said(&folder, &["gemm", "-o", "k.co"]);
    assert!(
        text.contains(" a pointer @0, b pointer @8, c pointer @16,") && text.lines().all(|l| l.len() <= 120),
        "{text}"
    );
}

/// The launch that the chapter on the GEMM shows: one tile, 40 × 24 results of 100 products each.
#[test]
fn a_generated_gemm_is_launched_with_the_arguments_that_its_chapter_lists() {
    let folder = Folder::new();
    said(
        &folder,
        &[
            "gemm",
            "--sku",
            "mi300x",
            "--param",
            "dtype=f32",
            "--param",
            "m=40",
            "--param",
            "n=24",
            "--param",
            "k=100",
            "-o",
            "gemm.co",
        ],
    );
    let (m, n, k) = (40, 24, 100);
    let number = |i: usize| ((i * 7 + i / 5) % 9) as f32 - 4.0;
    let a: Vec<f32> = (0..m * k).map(number).collect();
    let b: Vec<f32> = (0..n * k).map(|i| number(i + 3)).collect();
    folder.f32("a.npy", &[m, k], &a);
    folder.f32("b.npy", &[n, k], &b);
    let pages = include_str!("../../docs/gemm.md");
    let begin = pages.find("wavesmith launch gemm.co").expect("a launch in the chapter");
    let text = &pages[begin..begin + pages[begin..].find("```").expect("an end")];
    let words: Vec<&str> = text.split_whitespace().filter(|w| *w != "\\").skip(1).collect();
    let output = wavesmith(&folder, &words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    let want: Vec<f32> = (0..m * n).map(|x| (0..k).map(|i| a[x / n * k + i] * b[x % n * k + i]).sum()).collect();
    assert_eq!(folder.read_f32("c.npy"), want);
}

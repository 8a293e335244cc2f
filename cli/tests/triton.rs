//! Triton's kernels through `wavesmith launch`: compiled without a GPU by Triton itself, for every target.
//!
//! Needs a `python3` that imports `triton` (PyPI; `pip install triton`); without it says so, and fails in CI. The file
//! has all of Triton's tests, so that no other waits for the compiler.

// The other test that has this module uses all of it.
#[allow(dead_code)]
#[path = "launch/arrays.rs"]
mod arrays;

use arrays::{Folder, f16_bits, f16_value};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// The kernels of a target in a folder, and the dynamic LDS of each.
fn compiled(folder: &Folder, target: &str) -> Option<HashMap<String, String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launch/kernels_triton.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(folder.path())
        .arg(target)
        .env("TRITON_CACHE_DIR", folder.path().join("cache"))
        .env("TRITON_DEFAULT_FP_FUSION", "1")
        .output();
    let missing = |why: String| {
        assert!(std::env::var_os("CI").is_none(), "CI has Triton: {why}");
        eprintln!("SKIPPED: needs a python3 with triton: {}", why.lines().last().unwrap_or("it does not start"));
        None
    };
    match output {
        Err(error) => missing(error.to_string()),
        Ok(output) if !output.status.success() => {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(why.contains("ModuleNotFoundError"), "{why}");
            missing(why)
        }
        Ok(output) => {
            let stdout = String::from_utf8(output.stdout).expect("UTF-8");
            let pairs = stdout.lines().filter_map(|l| l.split_once(' '));
            Some(pairs.map(|(name, lds)| (name.to_owned(), lds.to_owned())).collect())
        }
    }
}

/// A launch of one kernel, in workgroups of the four waves that it was compiled for.
fn launch(folder: &Folder, lds: &HashMap<String, String>, name: &str, grid: &str, args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_wavesmith"))
        .args(["launch", &format!("{name}.hsaco"), "--device", "embedded", "--grid", grid, "--block", "256"])
        .args(["--dynamic-lds", &lds[name]])
        .args(args.iter().flat_map(|a| ["--arg", a]))
        .current_dir(folder.path())
        .output()
        .expect("wavesmith starts");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

fn data(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 37 + i / 11) % 65) as f32 / 16.0 - 2.0).collect()
}

#[test]
fn kernels_that_triton_compiles_give_the_right_numbers_on_every_target() {
    for target in ["gfx908", "gfx90a", "gfx942", "gfx950"] {
        let folder = Folder::new();
        let Some(lds) = compiled(&folder, target) else { return };
        assert_eq!(lds.len(), 6, "{lds:?}");

        // Few bits each: any order of addition gives the same sum.
        let values = data(3000);
        folder.f32("x.npy", &[3000], &values);
        folder.f32("zero.npy", &[1], &[0.0]);
        launch(&folder, &lds, "reduction", "3", &["in:x.npy", "inout:zero.npy=out.npy", "i32:3000"]);
        assert_eq!(folder.read_f32("out.npy"), [values.iter().sum::<f32>()], "{target}");

        let bytes: Vec<u8> = (0..3000_u32).map(|i| (i * i % 251) as u8).collect();
        let mut counts = vec![0_i32; 256];
        bytes.iter().for_each(|b| counts[usize::from(*b)] += 1);
        folder.array("x.npy", &[3000], &bytes);
        folder.array("zeros.npy", &[256], &[0_i32; 256]);
        launch(&folder, &lds, "histogram", "3", &["in:x.npy", "inout:zeros.npy=out.npy", "i32:3000"]);
        assert!(folder.read::<i32>("out.npy") == counts, "histogram on {target}");

        let numbers: Vec<i32> = (0..700).map(|i| i * 7919 % 2001 - 1000).collect();
        let sums = numbers.chunks(256).flat_map(|run| {
            run.iter().scan(0, |sum, v| {
                *sum += v;
                Some(*sum)
            })
        });
        folder.array("x.npy", &[700], &numbers);
        launch(&folder, &lds, "scan", "3", &["in:x.npy", "out:int32:700=out.npy", "i32:700"]);
        assert!(folder.read::<i32>("out.npy").into_iter().eq(sums), "scan on {target}");

        let (rows, columns) = (70, 45);
        let grid: Vec<f32> = (0..rows * columns).map(|i| i as f32).collect();
        let turned = (0..columns).flat_map(|c| (0..rows).map(move |r| (r * columns + c) as f32));
        folder.f32("x.npy", &[rows, columns], &grid);
        launch(&folder, &lds, "transpose", "3,2", &["in:x.npy", "out:float32:45x70=out.npy", "i32:70", "i32:45"]);
        assert!(folder.read_f32("out.npy").into_iter().eq(turned), "transpose on {target}");

        let (rows, columns) = (3, 300);
        let values = data(rows * columns);
        folder.f32("x.npy", &[rows, columns], &values);
        launch(&folder, &lds, "softmax", "3", &["in:x.npy", "out:float32:3x300=out.npy", "i32:300"]);
        for (row, out) in values.chunks(columns).zip(folder.read_f32("out.npy").chunks(columns)) {
            let sum: f64 = row.iter().map(|v| f64::from(*v).exp()).sum();
            for (v, o) in row.iter().zip(out) {
                let want = f64::from(*v).exp() / sum;
                assert!((f64::from(*o) - want).abs() <= want * 2e-6, "softmax on {target}: {o} for {want}");
            }
        }

        let halves: Vec<u16> = values.iter().map(|v| f16_bits(*v)).collect();
        folder.array("x.npy", &[rows as u64, columns as u64], &halves);
        let args = ["in:x.npy", "out:float16:3x300=out.npy", "i32:300", "f32:0.001"];
        launch(&folder, &lds, "layernorm", "3", &args);
        for (row, out) in values.chunks(columns).zip(folder.read_f16_bits("out.npy").chunks(columns)) {
            let mean = row.iter().map(|v| f64::from(*v)).sum::<f64>() / columns as f64;
            let variance = row.iter().map(|v| (f64::from(*v) - mean).powi(2)).sum::<f64>() / columns as f64;
            for (v, o) in row.iter().zip(out) {
                let want = (f64::from(*v) - mean) / (variance + 0.001).sqrt();
                let found = f16_value(*o);
                assert!((found - want).abs() <= 1e-5 + want.abs() * 6e-4, "layernorm on {target}: {found} for {want}");
            }
        }
    }
}

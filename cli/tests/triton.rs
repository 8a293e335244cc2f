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

fn wavesmith(folder: &Folder, args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_wavesmith"))
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("it starts");
    assert!(
        output.status.success(),
        "{args:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A launch of one kernel, in workgroups of the four waves that it was compiled for, by every engine: all give the same, and
/// nobody finds a fault in it.
fn launch(folder: &Folder, lds: &HashMap<String, String>, name: &str, grid: &str, args: &[&str]) {
    let file = format!("{name}.hsaco");
    wavesmith(folder, &["check", &file]);
    let mut command = vec!["launch", &file, "--device", "embedded", "--grid", grid, "--block", "256"];
    command.extend(["--dynamic-lds", &lds[name]]);
    command.extend(args.iter().flat_map(|a| ["--arg", a]));
    let outputs = || {
        let written = args.iter().filter(|a| a.contains("out")).filter_map(|a| a.split_once('='));
        written.map(|(_, file)| std::fs::read(folder.path().join(file)).expect("written")).collect::<Vec<_>>()
    };
    wavesmith(folder, &[&command[..], &["--engine", "checked"]].concat());
    let watched = outputs();
    wavesmith(folder, &command);
    assert!(watched == outputs(), "{name}: the watching engine gives something else");
}

fn data(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 37 + i / 11) % 65) as f32 / 16.0 - 2.0).collect()
}

#[test]
fn kernels_that_triton_compiles_give_the_right_numbers_on_every_target() {
    for target in ["gfx908", "gfx90a", "gfx942", "gfx950"] {
        let folder = Folder::new();
        let Some(lds) = compiled(&folder, target) else { return };
        assert_eq!(lds.len(), 8, "{lds:?}");

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

        let (n, d) = (100, 32);
        let inputs =
            [1, 2, 3].map(|seed| (0..n * d).map(move |i| ((i * 29 + i * i % 17 * seed) % 33) as f32 / 16.0 - 1.0));
        let inputs = inputs.map(Iterator::collect::<Vec<f32>>);
        for (name, values) in ["q.npy", "k.npy", "v.npy"].iter().zip(&inputs) {
            let halves: Vec<u16> = values.iter().map(|v| f16_bits(*v)).collect();
            folder.array(name, &[n as u64, d as u64], &halves);
        }
        // A quarter of the scores, in powers of two.
        let args = ["in:q.npy", "in:k.npy", "in:v.npy", "out:float32:100x32=out.npy", "i32:100", "f32:0.36067376"];
        launch(&folder, &lds, "attention", "2", &args);
        let [q, k, v] = &inputs;
        let out = folder.read_f32("out.npy");
        for row in 0..n {
            let score = |column: usize| {
                let products = (0..d).map(|i| f64::from(q[row * d + i]) * f64::from(k[column * d + i]));
                (products.sum::<f64>() * 0.25).exp()
            };
            let weights: Vec<f64> = (0..=row).map(score).collect();
            let total: f64 = weights.iter().sum();
            for i in 0..d {
                let sum: f64 = weights.iter().enumerate().map(|(c, w)| w * f64::from(v[c * d + i])).sum();
                // Weights are rounded to eleven bits, values are at most one.
                let (found, want) = (f64::from(out[row * d + i]), sum / total);
                assert!((found - want).abs() <= 1.0 / 2048.0, "attention on {target}: {found} for {want}");
            }
        }

        let ones: Vec<u16> = (0..3000_u32).map(|i| f16_bits((i % 3) as f32)).collect();
        folder.array("x.npy", &[3000], &ones);
        folder.array("zeros.npy", &[16], &[0_u16; 16]);
        launch(&folder, &lds, "bins", "3", &["in:x.npy", "inout:zeros.npy=out.npy", "i32:3000"]);
        let sums = (0..16).map(|bin| f16_bits((bin..3000_u32).step_by(16).map(|i| (i % 3) as f32).sum()));
        assert!(folder.read::<u16>("out.npy").into_iter().eq(sums), "bins on {target}");
    }
}
